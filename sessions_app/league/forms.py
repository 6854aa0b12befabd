"""Looking at a league table otherwise: at another day, by another method, N or minimum; several seasons added up."""

from typing import Any

from django import forms
from django.forms.fields import IntegerField
from django.http import QueryDict

from clubscore.scoring import RULE_SETS
from sessions_app.league.methods import METHODS
from sessions_app.league.ranking import Settings
from sessions_app.league.trophies import TROPHIES
from sessions_app.models import Club, Season

WHOLE = "This is a whole number, 8 for instance."


FROM_ONE = "At least 1."


MOST, MOST_HANDS = 999, 9999


SETTINGS = ("method", "best_n", "minimum_sessions", "minimum_hands")


def whole_number(label: str, help_text: str = "", most: int = MOST) -> IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=1,
        max_value=most,
        help_text=help_text,
        error_messages={"invalid": WHOLE, "min_value": FROM_ONE, "max_value": f"At most {most:,}."},
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
    minimum_hands = whole_number("or hands needed for a place", "Another way to qualify.", MOST_HANDS)
    no_minimum_hands = forms.BooleanField(label="No number of hands gives a place", required=False)
    on = forms.DateField(
        label="As it stood on",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "Write the date like 12/11/2026."},
    )

    def __init__(self, season: Season, data: QueryDict) -> None:
        super().__init__(data)
        self.season = season
        self.fields["method"].choices = [("", "As the season says"), *((key, row.name) for key, row in METHODS.items())]
        if season.minimum_hands is None:
            del self.fields["no_minimum_hands"]

    def clean_on(self) -> Any:
        day = self.cleaned_data["on"]
        if day and day < self.season.starts_on:
            raise forms.ValidationError(f"The season begins on {self.season.starts_on:%-d %B %Y}: ask for a later day.")
        return day and min(day, self.season.ends_on)

    def clean(self) -> dict[str, str | None]:
        data = super().clean()
        if data.get("no_minimum_hands") and data.get("minimum_hands"):
            self.add_error("minimum_hands", "Either a number of hands, or none: empty this or take away the tick.")
        return data

    @property
    def is_asked(self) -> bool:
        """Whether the address asks for anything but another method, which has links of its own."""
        return any(self.data.get(name) for name in self.fields if name != "method")

    def settings(self) -> dict[Any, Any]:
        """Return the settings asked for that differ from the season's own."""
        asked = {name: self.cleaned_data.get(name) for name in SETTINGS}
        asked = {name: value for name, value in asked.items() if value and value != getattr(self.season, name)}
        return asked | ({"minimum_hands": None} if self.cleaned_data.get("no_minimum_hands") else {})

    @property
    def until(self) -> Any:
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
    best_n = whole_number("Best sessions that count", f"Only for “best sessions”; empty: {Settings.best_n}.")
    minimum_sessions = whole_number("Sessions needed for a place", f"Empty: {Settings.minimum_sessions}.")
    minimum_hands = whole_number("or hands needed for a place", "Another way to qualify; empty: none.", MOST_HANDS)

    def __init__(self, club: Club, data: Any, initial: dict[str, str | list[int]]) -> None:
        super().__init__(data, initial=initial)
        self.fields["season"].queryset = Season.objects.of_club(club)

    def clean_season(self) -> Any:
        seasons = self.cleaned_data["season"]
        of = {season.recording: season.name for season in seasons}
        if len(of) > 1:
            raise forms.ValidationError(
                f"These cannot be added up: in {of['settle']} the players settled up, in {of['straight']} each added "
                "their own score. Choose seasons that are counted alike."
            )
        return seasons

    def settings(self) -> Any:
        """Return the Settings asked for."""
        return Settings(**{name: self.cleaned_data[name] for name in SETTINGS if self.cleaned_data[name]})


class TrophiesForm(forms.Form):
    trophies = forms.MultipleChoiceField(
        label="Trophies the club gives this season",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        choices=[(key, trophy.name) for key, trophy in TROPHIES.items()],
        error_messages={"invalid_choice": "There is no such trophy. Choose from the list."},
    )


# Adding a season and changing it: its dates, what it ranks and how.


RECORDINGS = [
    ("settle", "Players settle up after each hand"),
    ("straight", "Everybody adds their own score, nobody pays"),
]


class SeasonForm(forms.Form):
    name = forms.CharField(
        label="Name",
        max_length=60,
        help_text="“Autumn 2026” for instance.",
        error_messages={"required": "Give the season a name."},
    )
    starts_on = forms.DateField(
        label="First day",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": "Say on which day the season begins.", "invalid": "Write the date like 1/9/2026."},
    )
    ends_on = forms.DateField(
        label="Last day",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": "Say on which day the season ends.", "invalid": "Write the date like 31/12/2026."},
    )
    rules = forms.MultipleChoiceField(
        label="Rules that count",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one set of rules."},
    )
    recording = forms.ChoiceField(
        label="Sessions that count", choices=RECORDINGS, initial="settle", widget=forms.RadioSelect
    )
    method = forms.ChoiceField(
        label="Ranked by",
        choices=[(key, method.name) for key, method in METHODS.items()],
        initial="average",
        widget=forms.RadioSelect,
    )
    minimum_sessions = forms.IntegerField(
        label="Sessions needed for a place",
        min_value=1,
        max_value=99,
        initial=3,
        error_messages={
            "required": "Say how many sessions are needed.",
            "invalid": "This is a whole number, 3 for instance.",
        },
    )

    def __init__(self, club: Club, *args: Any, season: Season | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        self.others = Season.objects.of_club(club).exclude(pk=season.pk if season else None)
        self.fields["rules"].choices = [(key, rule_set.name) for key, rule_set in RULE_SETS.items()]

    def clean(self) -> dict[str, str | None]:
        data = super().clean()
        start, end = data.get("starts_on"), data.get("ends_on")
        if start and end and end < start:
            self.add_error("ends_on", "The last day is before the first day.")
        elif start and end:
            self._clean_overlap(start, end)
        return data

    def _clean_overlap(self, start, end):
        other = self.others.filter(starts_on__lte=end, ends_on__gte=start).first()
        if other:
            self.add_error("starts_on", f"These dates overlap with the season {other.name}.")

    def clean_name(self) -> Any:
        name = self.cleaned_data["name"]
        if self.others.filter(name=name).exists():
            raise forms.ValidationError(f"There is already a season named {name}.")
        return name


class SeasonSettingsForm(SeasonForm):
    """Everything of a season, with what few clubs change beside."""

    minimum_hands = forms.IntegerField(
        label="Hands needed for a place",
        required=False,
        min_value=1,
        max_value=9999,
        help_text="Leave it empty where only sessions are asked.",
        error_messages={"invalid": "This is a whole number, 40 for instance, or empty."},
    )
    best_n = forms.IntegerField(
        label="How many sessions the best ones are",
        min_value=1,
        max_value=99,
        help_text="For “best sessions” alone: the eight best, for instance.",
        error_messages={
            "required": "Say how many sessions count as the best.",
            "invalid": "This is a whole number, 8 for instance.",
            "min_value": "At least one session counts.",
        },
    )
    why = forms.CharField(
        label="Why it is changed",
        max_length=300,
        required=False,
        help_text="The log keeps it.",
        error_messages={"max_length": "Say it in 300 letters."},
    )
