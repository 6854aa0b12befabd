"""Adding a player to the club."""

from django import forms

from sessions_app.forms.fields import short_name_for
from sessions_app.models import Player


class PlayerForm(forms.Form):
    full_name = forms.CharField(
        label="Full name",
        max_length=80,
        help_text="As it shall stand in the league table, “Jean Atkins” for instance.",
        error_messages={"required": "Write the player's name."},
    )
    short_name = forms.CharField(
        label="Short name",
        max_length=20,
        required=False,
        help_text="For the table: “Jean”. Leave it empty and the first name is taken.",
    )
    guest = forms.BooleanField(label="A guest, not a member", required=False)

    def __init__(self, club, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.club = club

    def clean(self):
        data = super().clean()
        if data.get("full_name") and "short_name" in data:
            data["short_name"] = self._short_name(data["full_name"], " ".join(data["short_name"].split()))
        return data

    def _short_name(self, full_name, short_name):
        if not short_name:
            return short_name_for(self.club, full_name)
        if Player.objects.of_club(self.club).present().filter(short_name__iexact=short_name).exists():
            self.add_error("short_name", f"Somebody else is called {short_name} at the table. Add an initial.")
        return short_name

    def clean_full_name(self):
        name = " ".join(self.cleaned_data["full_name"].split())
        if Player.objects.of_club(self.club).filter(full_name__iexact=name).exists():
            raise forms.ValidationError(f"The club already has a player named {name}.")
        return name
