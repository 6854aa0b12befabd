"""What a club shows to everybody: which pages, and by which names."""

from django import forms

from sessions_app.models import Club

NAMED = ("shows_standings", "shows_honours")


class PublicForm(forms.Form):
    public_names = forms.ChoiceField(
        label="Names in public",
        choices=Club.PublicNames.choices,
        widget=forms.RadioSelect,
        help_text="On public pages, and for those who watch a table by its link. A player’s own choice goes before it.",
        error_messages={"required": "Choose how names are shown."},
    )
    shows_standings = forms.BooleanField(
        label="Standings", required=False, help_text="The league table of the season, as it stands."
    )
    shows_honours = forms.BooleanField(
        label="Honours", required=False, help_text="Who went Mah-jong with a special hand, and the tiles."
    )
    shows_meetings = forms.BooleanField(
        label="Meetings", required=False, help_text="When and where the club plays next. No names stand there."
    )

    def clean(self):
        data = super().clean()
        if data.get("public_names") == Club.PublicNames.NOBODY and any(data.get(name) for name in NAMED):
            self.add_error("public_names", "Standings and honours hold names: choose how names are shown first.")
        return data
