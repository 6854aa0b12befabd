"""What a player says about themselves: their name in public, how the club reaches them."""

from django import forms

from sessions_app.forms.players import AS_THE_CLUB
from sessions_app.models import Player


class MeForm(forms.Form):
    in_public = forms.ChoiceField(
        label="In public",
        widget=forms.RadioSelect,
        required=False,
        error_messages={"invalid_choice": "Choose what you are called in public."},
    )
    email = forms.EmailField(
        label="Address for mail",
        required=False,
        max_length=254,
        error_messages={"invalid": "Write the address like jean@example.org, or leave it empty."},
    )
    telephone = forms.CharField(label="Telephone", required=False, max_length=40)
    agrees = forms.BooleanField(label="I agree that the club keeps these", required=False)

    def __init__(self, player, contact, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["in_public"].choices = [
            ("", f"As the club decides: {AS_THE_CLUB[player.club.public_names]}"),
            *Player.InPublic.choices,
        ]
        self.kept = {"email": contact.email, "telephone": contact.telephone} if contact else {}
        self.agreed_on = contact and contact.agreed_on
        self.initial = {"in_public": player.in_public, "agrees": bool(contact), **self.kept}

    def clean(self):
        data = super().clean()
        if (data.get("email") or data.get("telephone")) and not data.get("agrees"):
            self.add_error("agrees", "Tick that you agree to this being kept, or empty both.")
        return data

    def contact(self, today):
        """Return what to keep, with the day of agreeing: an earlier one where nothing is otherwise."""
        data = {name: self.cleaned_data[name] for name in ("email", "telephone")}
        return {**data, "agreed_on": self.agreed_on if data == self.kept else today}
