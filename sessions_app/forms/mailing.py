"""To whom the results of a meeting are sent."""

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

# Each is a mail of its own, sent while the page waits.
MOST = 50


class ResultsMailForm(forms.Form):
    members = forms.MultipleChoiceField(
        label="Members who agreed that the club keeps their address",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": "Choose from those who have given an address."},
    )
    others = forms.CharField(
        label="Other addresses",
        required=False,
        max_length=20000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=f"One a line, or with commas between. At most {MOST} mails at a time, members and others together.",
    )

    def __init__(self, contacts, *args, takes_others=True, **kwargs):
        super().__init__(*args, **kwargs)
        self.takes_others = takes_others
        if not takes_others:
            del self.fields["others"]
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
        if not self.errors and not self.recipients():
            raise ValidationError(
                "Choose somebody, or write an address." if self.takes_others else "Choose at least one member."
            )
        if not self.errors and len(self.recipients()) > MOST:
            raise ValidationError(f"That is more than {MOST} addresses: send it in parts.")
        return data

    def recipients(self):
        """Return every address once, whatever its capitals, with the id of the player whose it is, or None."""
        found = {}
        for key in self.cleaned_data.get("members", []):
            one = self.contacts[key]
            found[one.email.casefold()] = one.email, one.player_id
        for address in self.cleaned_data.get("others", []):
            _, player = found.get(address.casefold(), (None, None))
            found[address.casefold()] = address, player
        return list(found.values())

    def left_over(self, refused, sentence):
        """Return this form with none but those who were refused, and a sentence that says so."""
        members = [str(player) for _, player in refused if player]
        others = [address for address, player in refused if not player]
        data = {"members": members, "others": "\n".join(others)}
        form = ResultsMailForm(self.contacts.values(), data, takes_others=self.takes_others)
        form.full_clean()
        form.add_error(None, sentence)
        return form
