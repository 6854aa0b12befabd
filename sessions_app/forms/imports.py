"""What is taken in at the desk: pasted text or a file, of a limited size."""

from django import forms

MOST_BYTES = 1_000_000
TOO_LARGE = "This is too much at once: at most a million letters. Take it in in parts, or by the command line."


class ImportForm(forms.Form):
    text = forms.CharField(
        label="Paste it here",
        required=False,
        strip=False,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false", "autocomplete": "off", "autocapitalize": "none"}),
    )
    file = forms.FileField(
        label="Or choose the file",
        required=False,
        allow_empty_file=True,
    )
    replace = forms.BooleanField(label="Take the file’s figures where they differ", required=False)

    def clean_text(self):
        if len(self.cleaned_data["text"].encode()) > MOST_BYTES:
            raise forms.ValidationError(TOO_LARGE)
        return self.cleaned_data["text"]

    def clean_file(self):
        """Return the bytes of the file; nothing where none was chosen."""
        file = self.cleaned_data["file"]
        if not file:
            return b""
        if file.size > MOST_BYTES:
            raise forms.ValidationError(TOO_LARGE)
        return file.read()

    def clean(self):
        data = super().clean()
        if not self.errors and not (data["text"].strip() or data["file"].strip()):
            self.add_error("text", "There is nothing to take in yet: paste it, or choose a file.")
        return data
