"""Looking at a league table otherwise: at another day, by another method, N or minimum; several seasons added up."""
from django import forms

from sessions_app.models import Season
from sessions_app.queries.methods import METHODS
from sessions_app.queries.trophies import TROPHIES

WHOLE = "This is a whole number, 8 for instance."
FROM_ONE = "At least 1."
AT_MOST = "At most 999."
SETTINGS = ("method", "best_n", "minimum_sessions", "minimum_hands")


def whole_number(label, help_text=""):
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=1,
        max_value=999,
        help_text=help_text,
        error_messages={"invalid": WHOLE, "min_value": FROM_ONE, "max_value": AT_MOST},
    )


class WhatIfForm(forms.Form):
    """Everything may stay empty: then the season's own settings hold."""

    method = forms.ChoiceField(
        label="Ranked by",
        required=False,
        error_messages={"invalid_choice": "There is no such way to rank. Choose one from the list."},
    )
    best_n = whole_number("Best sessions that count", "Only for “best sessions”.")
    minimum_sessions = whole_number("Sessions needed for a place")
    minimum_hands = whole_number("or hands needed for a place", "Another way to qualify; empty: none.")
    on = forms.DateField(
        label="As it stood on",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "Write the date like 12/11/2026."},
    )

    def __init__(self, season, data):
        super().__init__(data)
        self.season = season
        self.fields["method"].choices = [("", "As the season says"), *((key, row.name) for key, row in METHODS.items())]

    @property
    def is_asked(self):
        """Whether the address asks for anything but another method, which has links of its own."""
        return any(self.data.get(name) for name in self.fields if name != "method")

    def settings(self):
        """Return the settings asked for that differ from the season's own."""
        asked = {name: self.cleaned_data.get(name) for name in SETTINGS}
        return {name: value for name, value in asked.items() if value and value != getattr(self.season, name)}

    @property
    def until(self):
        return self.cleaned_data.get("on")


class AddedUpForm(forms.Form):
    season = forms.ModelMultipleChoiceField(
        label="Seasons",
        queryset=Season.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": "Choose at least one season.",
            "invalid_choice": "There is no such season. Choose from the list.",
            "invalid_pk_value": "There is no such season. Choose from the list.",
        },
    )
    method = forms.ChoiceField(
        label="Ranked by",
        choices=[(key, row.name) for key, row in METHODS.items()],
        error_messages={
            "required": "Say how they are ranked.",
            "invalid_choice": "There is no such way to rank. Choose one from the list.",
        },
    )
    minimum_sessions = whole_number("Sessions needed for a place")

    def __init__(self, club, data, initial):
        super().__init__(data, initial=initial)
        self.fields["season"].queryset = Season.objects.of_club(club)


class TrophiesForm(forms.Form):
    trophies = forms.MultipleChoiceField(
        label="Trophies the club gives this season",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        choices=[(key, trophy.name) for key, trophy in TROPHIES.items()],
        error_messages={"invalid_choice": "There is no such trophy. Choose from the list."},
    )
