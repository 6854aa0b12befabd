"""To whom the results of a meeting are sent."""

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

MOST = 200


class ResultsMailForm(forms.Form):
    members = forms.MultipleChoiceField(
        label="Members who gave their address for this",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": "Choose from those who have given an address."},
    )
    others = forms.CharField(
        label="Other addresses",
        required=False,
        max_length=20000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One a line, or with commas between.",
    )

    def __init__(self, contacts, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.contacts = {str(one.player_id): one for one in contacts}
        self.fields["members"].choices = [(key, one.player.full_name) for key, one in self.contacts.items()]

    def clean_others(self):
        found = []
        for address in self.cleaned_data["others"].replace(",", "\n").replace(";", "\n").split("\n"):
            if address := address.strip():
                try:
                    validate_email(address)
                except ValidationError as error:
                    raise ValidationError(f"“{address}” is no address for mail: mend it or take it out.") from error
                found.append(address)
        return found

    def clean(self):
        data = super().clean()
        if not self.errors and not self.addresses():
            raise ValidationError("Choose somebody, or write an address.")
        if not self.errors and len(self.addresses()) > MOST:
            raise ValidationError(f"That is more than {MOST} addresses: send it in parts.")
        return data

    def players(self):
        return [self.contacts[key].player_id for key in self.cleaned_data["members"]]

    def addresses(self):
        """Return every address once, whatever its capitals."""
        chosen = [self.contacts[key].email for key in self.cleaned_data.get("members", [])]
        every = [*chosen, *self.cleaned_data.get("others", [])]
        return list({address.casefold(): address for address in every}.values())
