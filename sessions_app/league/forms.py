"""Forms of the league: what if, several seasons added up, trophies, a season and its settings."""

from typing import Any

from django import forms
from django.forms.fields import IntegerField
from django.http import QueryDict

from clubscore.scoring import RULE_SETS
from sessions_app.league.methods import METHODS
from sessions_app.league.ranking import GROUPS, Settings
from sessions_app.league.records import TROPHIES
from sessions_app.models import Club, Season
from sessions_app.people.form_fields import TidyField, date_field, radio_field

MOST, MAX_HANDS = 999, 9999
RANKED_BY = [(key, row.name) for key, row in METHODS.items()]
SETTINGS = (
    "method",
    "best_n",
    "minimum_sessions",
    "minimum_hands",
    "by_meeting",
    "position_points",
    "drop_worst",
    "group",
)


def whole_number(label: str, help_text: str = "", most: int = MOST, least: int = 1) -> IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=least,
        max_value=most,
        help_text=help_text,
        error_messages={
            "invalid": f"Enter a whole number for “{label}”, for example 8.",
            "min_value": f"Enter {least} or more for “{label}”.",
            "max_value": f"Enter {most:,} or less for “{label}”.",
        },
    )


class PointsField(forms.CharField):
    """Points for positions, such as 10, 8, 6: whole numbers that do not rise."""

    EXAMPLE = "Enter points that do not rise from one position to the next, for example 10, 8, 6, 5."

    def __init__(self) -> None:
        help_text = "Only for “Points for positions”. For example, 10, 8, 6, 5. If left blank, the last player gets 1."
        super().__init__(label="Points for each position", required=False, max_length=200, help_text=help_text)

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[int]:
        parts = super().clean(value).replace(",", " ").split()
        if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
            raise forms.ValidationError(self.EXAMPLE)
        points = [int(part) for part in parts]
        if points != sorted(points, reverse=True):
            raise forms.ValidationError(self.EXAMPLE)
        return points


def by_meeting_field() -> forms.BooleanField:
    return forms.BooleanField(label="Count each meeting as one result", required=False)


def drop_worst_field() -> IntegerField:
    return whole_number("Lowest meetings that do not count", "Only for “Points for positions”.", 99, 0)


def group_field() -> forms.ChoiceField:
    return forms.ChoiceField(
        label="Players",
        required=False,
        choices=[("", "Everyone"), *GROUPS.items()],
        error_messages={"invalid_choice": "Choose one of the groups under “Players”."},
    )


class WhatIfForm(forms.Form):
    """Fields left blank mean the season's own settings."""

    method = forms.ChoiceField(
        label="Ranked by",
        required=False,
        error_messages={"invalid_choice": "Choose one of the ways to rank under “Ranked by”."},
    )
    group = group_field()
    best_n = whole_number("Best sessions that count", "Only for “Best sessions”.")
    minimum_sessions = whole_number("Sessions needed to be ranked")
    minimum_hands = whole_number("Or hands needed to be ranked", "Another way to be ranked.", MAX_HANDS)
    by_meeting = by_meeting_field()
    position_points = PointsField()
    drop_worst = drop_worst_field()
    no_minimum_hands = forms.BooleanField(label="Count sessions only, not hands", required=False)
    on = date_field("Results up to", "Enter the date for “Results up to”, for example 12/11/2026.", required=False)

    def __init__(self, season: Season, data: QueryDict) -> None:
        super().__init__(data)
        self.season = season
        self.fields["method"].choices = [("", "The season’s own way"), *RANKED_BY]
        if season.minimum_hands is None:
            del self.fields["no_minimum_hands"]

    def clean_on(self) -> Any:
        day = self.cleaned_data["on"]
        if day and day < self.season.starts_on:
            raise forms.ValidationError(
                f"Enter a date from {self.season.starts_on:%-d %B %Y}, the first day of the season."
            )
        return day and min(day, self.season.ends_on)

    def clean(self) -> dict[str, str | None]:
        data = super().clean()
        if data.get("no_minimum_hands") and data.get("minimum_hands"):
            self.add_error("minimum_hands", "Enter a number of hands, or tick “Count sessions only, not hands”.")
        return data

    @property
    def is_asked(self) -> bool:
        """Whether the address asks for more than another method or group, which have their own links."""
        return any(self.data.get(name) for name in self.fields if name not in ("method", "group"))

    def settings(self) -> dict[Any, Any]:
        """Return the settings asked for that differ from the season's own."""
        asked = {name: self.cleaned_data.get(name) for name in SETTINGS}
        asked = {name: value for name, value in asked.items() if value and value != getattr(self.season, name, "")}
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
            "invalid_choice": "Choose seasons from the list.",
            "invalid_pk_value": "Choose seasons from the list.",
        },
    )
    method = forms.ChoiceField(
        label="Ranked by",
        choices=RANKED_BY,
        error_messages={
            "required": "Choose how they are ranked.",
            "invalid_choice": "Choose one of the ways to rank under “Ranked by”.",
        },
    )
    group = group_field()
    best_n = whole_number("Best sessions that count", f"Only for “Best sessions”. If left blank, {Settings.best_n}.")
    minimum_sessions = whole_number("Sessions needed to be ranked", f"If left blank, {Settings.minimum_sessions}.")
    minimum_hands = whole_number(
        "Or hands needed to be ranked", "Another way to be ranked. If left blank, none.", MAX_HANDS
    )
    by_meeting = by_meeting_field()
    position_points = PointsField()
    drop_worst = drop_worst_field()

    def __init__(self, club: Club, data: Any, initial: dict[str, str | list[int]]) -> None:
        super().__init__(data, initial=initial)
        self.fields["season"].queryset = Season.objects.of_club(club)

    def clean_season(self) -> Any:
        seasons = self.cleaned_data["season"]
        of = {season.recording: season.name for season in seasons}
        if len(of) > 1:
            raise forms.ValidationError(
                f"Choose seasons that were scored the same way. In {of['settle']} players paid each other. "
                f"In {of['straight']} players added up their own scores."
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
        error_messages={"invalid_choice": "Choose trophies from the list."},
    )


# Adding a season and changing it: its dates, what it ranks and how.

RECORDINGS = [
    ("settle", "Players pay each other after each hand"),
    ("straight", "Everyone adds up their own score, and nobody pays"),
]


class SeasonForm(forms.Form):
    name = forms.CharField(
        label="Name",
        max_length=60,
        help_text="For example, “Autumn 2026”.",
        error_messages={"required": "Enter the name of the season, for example Autumn 2026."},
    )
    starts_on = date_field("First day", "Enter the first day, for example 1/9/2026.")
    ends_on = date_field("Last day", "Enter the last day, for example 31/12/2026.")
    rules = forms.MultipleChoiceField(
        label="Rules that count",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one under “Rules that count”."},
    )
    recording = radio_field("Sessions that count", RECORDINGS, initial="settle")
    method = radio_field("Ranked by", RANKED_BY, initial="average")
    minimum_sessions = forms.IntegerField(
        label="Sessions needed to be ranked",
        min_value=1,
        max_value=99,
        initial=3,
        error_messages=dict.fromkeys(("required", "invalid"), "Enter the sessions needed to be ranked, for example 3."),
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
            self.add_error("ends_on", "Enter a last day that is not before the first day.")
        elif start and end:
            self._clean_overlap(start, end)
        return data

    def _clean_overlap(self, start, end):
        other = self.others.filter(starts_on__lte=end, ends_on__gte=start).first()
        if other:
            self.add_error("starts_on", f"Enter dates that do not overlap with the season {other.name}.")

    def clean_name(self) -> Any:
        name = self.cleaned_data["name"]
        if self.others.filter(name=name).exists():
            raise forms.ValidationError(f"Enter another name. There is already a season named {name}.")
        return name


class SeasonSettingsForm(SeasonForm):
    """All settings of a season, those that few clubs change included."""

    minimum_hands = forms.IntegerField(
        label="Hands needed to be ranked",
        required=False,
        min_value=1,
        max_value=9999,
        help_text="Leave blank if only sessions matter.",
        error_messages={"invalid": "Enter the hands needed, for example 40, or leave blank."},
    )
    best_n = forms.IntegerField(
        label="Number of best sessions",
        min_value=1,
        max_value=99,
        help_text="Only for “Best sessions”. For example, 8.",
        error_messages={
            "required": "Enter the number of best sessions, for example 8.",
            "invalid": "Enter the number of best sessions, for example 8.",
            "min_value": "Enter 1 or more for the number of best sessions.",
        },
    )
    by_meeting = by_meeting_field()
    position_points = PointsField()
    drop_worst = drop_worst_field()
    why = forms.CharField(
        label="Reason (optional)",
        max_length=300,
        required=False,
        help_text="It is kept in the history.",
        error_messages={"max_length": "Enter a reason of at most 300 characters."},
    )

    def clean_drop_worst(self) -> int:
        return self.cleaned_data["drop_worst"] or 0


class CupWinnerForm(forms.Form):
    cup = TidyField(
        label="Cup",
        max_length=60,
        help_text="For example, “Chairman’s Cup”.",
        error_messages={"required": "Enter the name of the cup, for example Chairman’s Cup."},
    )
    year = TidyField(
        label="Year",
        max_length=20,
        error_messages={"required": "Enter the year, for example 2026."},
    )
    winner = TidyField(
        label="Winner", max_length=80, error_messages={"required": "Enter who won it, for example Alice Ash."}
    )
