"""Forms for results by email, for imports, and for hands from another tablet."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import QuerySet

from sessions_app.models import Contact

# Each is a separate email, sent while the page waits.
MAX_RECIPIENTS = 50


class ResultsMailForm(forms.Form):
    members = forms.MultipleChoiceField(
        label="Members who let the club keep their email address",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": "Choose members from the list."},
    )
    others = forms.CharField(
        label="Other email addresses",
        required=False,
        max_length=20000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=f"Enter one on each line. You can send to {MAX_RECIPIENTS} addresses at a time, members included.",
    )

    def __init__(self, contacts: QuerySet[Contact], *args: Any, takes_others: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.takes_others = takes_others
        if not takes_others:
            del self.fields["others"]
        self.contacts = {str(one.player_id): one for one in contacts}
        self.fields["members"].choices = [(key, one.player.full_name) for key, one in self.contacts.items()]

    def clean_others(self) -> Any:
        found = []
        for address in self.cleaned_data["others"].replace(",", "\n").replace(";", "\n").split("\n"):
            if address := address.strip():
                try:
                    validate_email(address)
                except ValidationError as error:
                    raise ValidationError(
                        f"Enter email addresses like jean@example.org. “{address}” is not one."
                    ) from error
                found.append(address)
        return found

    def clean(self) -> Any:
        data = super().clean()
        if not self.errors and not self.recipients():
            raise ValidationError(
                "Choose a member, or enter an email address." if self.takes_others else "Choose at least one member."
            )
        if not self.errors and len(self.recipients()) > MAX_RECIPIENTS:
            raise ValidationError(f"Choose at most {MAX_RECIPIENTS} addresses, then send to the others.")
        return data

    def recipients(self) -> Any:
        """Return each address once, ignoring case, with its player's id or None."""
        found = {}
        for key in self.cleaned_data.get("members", []):
            one = self.contacts[key]
            found[one.email.casefold()] = one.email, one.player_id
        for address in self.cleaned_data.get("others", []):
            _, player = found.get(address.casefold(), (None, None))
            found[address.casefold()] = address, player
        return list(found.values())

    def left_over(self, refused: Any, sentence: str) -> Any:
        """Return this form with only the refused addresses, and a sentence about them."""
        members = [str(player) for _, player in refused if player]
        others = [address for address, player in refused if not player]
        data = {"members": members, "others": "\n".join(others)}
        form = ResultsMailForm(self.contacts.values(), data, takes_others=self.takes_others)
        form.full_clean()
        form.add_error(None, sentence)
        return form


# Imports: pasted text or a file, of a limited size.

MAX_IMPORT_BYTES = 1_000_000
TOO_LARGE = "Choose a smaller file, of at most a million letters. You can import a larger one in parts."


class ImportForm(forms.Form):
    text = forms.CharField(
        label="Paste the text here",
        required=False,
        strip=False,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false", "autocomplete": "off", "autocapitalize": "none"}),
    )
    file = forms.FileField(
        label="Or choose a file",
        required=False,
        allow_empty_file=True,
    )
    replace = forms.BooleanField(label="Use the file’s figures where they differ", required=False)

    def clean_text(self) -> str:
        if len(self.cleaned_data["text"].encode()) > MAX_IMPORT_BYTES:
            raise forms.ValidationError(TOO_LARGE)
        return self.cleaned_data["text"]

    def clean_file(self) -> bytes:
        """Return the bytes of the file, or b"" if none was chosen."""
        file = self.cleaned_data["file"]
        if not file:
            return b""
        if file.size > MAX_IMPORT_BYTES:
            raise forms.ValidationError(TOO_LARGE)
        file.seek(0)
        return file.read()

    def clean(self) -> dict[str, bool | bytes]:
        data = super().clean()
        if not self.errors and not (data["text"].strip() or data["file"].strip()):
            self.add_error("text", "Paste the text, or choose a file.")
        return data


# Hands from another tablet: the text of its code, or the file with it.

MAX_CODE_BYTES = 500_000
NOT_TEXT = "Choose the file that the tablet saved. This file is not the text of a code."


class TakeInForm(forms.Form):
    text = forms.CharField(
        label="The text of the code",
        required=False,
        max_length=MAX_CODE_BYTES,
        strip=True,
        widget=forms.Textarea({"rows": 5, "spellcheck": "false", "autocomplete": "off", "autocapitalize": "none"}),
    )
    file = forms.FileField(label="Or the file that the tablet saved", required=False)

    def clean_file(self) -> str:
        """Return the text of the file, or "" if none was chosen."""
        file = self.cleaned_data["file"]
        if file is None:
            return ""
        if file.size > MAX_CODE_BYTES:
            raise forms.ValidationError("Choose the file that the tablet saved. This file is too large to be one.")
        try:
            return file.read().decode("utf-8")
        except UnicodeDecodeError as error:
            raise forms.ValidationError(NOT_TEXT) from error

    @property
    def code(self) -> str:
        return self.cleaned_data["text"] or self.cleaned_data["file"]
