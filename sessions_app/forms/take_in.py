"""The text or the file with the code of what waits on a tablet."""

from django import forms

MOST_BYTES = 500_000
NOT_TEXT = "This file is not the text of a code: choose the one that the tablet saved."


class TakeInForm(forms.Form):
    text = forms.CharField(
        label="The text of the code",
        required=False,
        max_length=MOST_BYTES,
        strip=True,
        widget=forms.Textarea({"rows": 5, "spellcheck": "false", "autocomplete": "off", "autocapitalize": "none"}),
    )
    file = forms.FileField(label="Or the file that the tablet saved", required=False)

    def clean_file(self):
        """Return what stands in the file; nothing where none was chosen."""
        file = self.cleaned_data["file"]
        if file is None:
            return ""
        if file.size > MOST_BYTES:
            raise forms.ValidationError("This file is too large for a code.")
        try:
            return file.read().decode("utf-8")
        except UnicodeDecodeError as error:
            raise forms.ValidationError(NOT_TEXT) from error

    @property
    def code(self):
        return self.cleaned_data["text"] or self.cleaned_data["file"]
