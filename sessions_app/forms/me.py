"""What a player says about themselves: their name in public, how the club reaches them."""

from django import forms

from sessions_app.forms.players import ReachFields


class MeForm(ReachFields):
    agrees = forms.BooleanField(label="I agree that the club keeps these", required=False)

    def __init__(self, player, contact, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["in_public"].error_messages["invalid_choice"] = "Choose what you are called in public."
        self.offer_public_names(player.club)
        self.kept = {"email": contact.email, "telephone": contact.telephone} if contact else {}
        self.agreed_on = contact and contact.agreed_on
        self.initial = {"in_public": player.in_public, "agrees": bool(contact), **self.kept}

    def clean(self):
        data = super().clean()
        if self.is_reached() and not data.get("agrees"):
            self.add_error("agrees", "Tick that you agree to this being kept, or empty both.")
        return data

    def contact(self, today):
        """Return what to keep, with the day of agreeing: an earlier one where nothing is otherwise."""
        data = {name: self.cleaned_data[name] for name in ("email", "telephone")}
        return {**data, "agreed_on": self.agreed_on if data == self.kept else today}
