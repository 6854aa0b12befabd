"""Forms of the league: what if, trophies, a season and its settings."""

from datetime import date
from typing import Any

from django import forms
from django.http import QueryDict

from clubscore.league.ranking import GROUPS
from clubscore.scoring import RULE_SETS
from sessions_app.league.records import TROPHIES
from sessions_app.league.season_settings import RANKED_BY, SEASON_SETTINGS
from sessions_app.league.seasons import season_errors
from sessions_app.models import Club, Season
from sessions_app.people.dates import LASTING, day_words
from sessions_app.people.form_fields import Form, TidyField, date_field, league_field, name_field, radio_field


def group_field() -> forms.ChoiceField:
    return forms.ChoiceField(
        label="Players",
        required=False,
        choices=[("", "Everyone"), *GROUPS.items()],
        error_messages={"invalid_choice": "Choose one of the groups under “Players”."},
    )


class WhatIfForm(Form):
    """Fields left blank mean the season's own settings; anything else, also 0 or no, is another value."""

    method = SEASON_SETTINGS["method"].form_field(choices=[("", "The season’s own way"), *RANKED_BY])
    group = group_field()
    on = date_field("Results up to", "Enter the date for “Results up to”, for example 12/11/2026.", required=False)

    def __init__(self, season: Season, data: QueryDict) -> None:
        super().__init__(data)
        self.season = season
        others = [row for row in SEASON_SETTINGS.values() if row.name not in self.fields]
        self.fields |= {row.name: row.what_if_field(getattr(season, row.name)) for row in others}
        self.order_fields(["method", "group", *SEASON_SETTINGS])

    def clean_on(self) -> date | None:
        day = self.cleaned_data["on"]
        if day and day < self.season.starts_on:
            raise forms.ValidationError(
                f"Enter a date from {day_words(self.season.starts_on)}, the first day of the season."
            )
        return day and min(day, self.season.ends_on)

    @property
    def is_filled_in(self) -> bool:
        """Whether the query has more than another method or group, which have their own links."""
        return any(self.data.get(name) for name in self.fields if name not in ("method", "group"))

    def settings(self) -> dict[str, Any]:
        """Return the settings that differ from the season's own."""
        filled_in = [name for name in (*SEASON_SETTINGS, "group") if str(self[name].data or "").strip()]
        chosen = {name: self.cleaned_data[name] for name in filled_in if name in self.cleaned_data}
        return {name: value for name, value in chosen.items() if value != getattr(self.season, name, "")}

    @property
    def until(self) -> date | None:
        return self.cleaned_data.get("on")


class TrophiesForm(Form):
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


class SeasonForm(Form):
    name = name_field(
        "Name", "Enter the name of the season, for example Autumn 2026.", 60, help_text="For example, “Autumn 2026”."
    )
    starts_on = date_field("First day", "Enter the first day, for example 1/9/2026.", near=LASTING)
    ends_on = date_field("Last day", "Enter the last day, for example 31/12/2026.", near=LASTING)
    rules = forms.MultipleChoiceField(
        label="Rules that count",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one under “Rules that count”."},
    )
    recording = radio_field("How the tables that count are scored", RECORDINGS, initial="settle")
    method = radio_field("Ranked by", RANKED_BY, initial="average")
    minimum_sessions = SEASON_SETTINGS["minimum_sessions"].form_field(required=True, initial=3)

    def __init__(self, club: Club, *args: Any, season: Season | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club, self.season = club, season
        self.fields["rules"].choices = [(key, rule_set.name) for key, rule_set in RULE_SETS.items()]
        if club.leagues:
            self.fields["league"] = league_field(club)

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        name, starts_on, ends_on = data.get("name"), data.get("starts_on"), data.get("ends_on")
        league = data.get("league", "")
        for field, sentence in season_errors(self.club, league, name, starts_on, ends_on, self.season).items():
            self.add_error(field, sentence)
        return data


class LeaguesForm(Form):
    """The names of a club's leagues: those that it has, or its only one, and one more."""

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Two people may have the page open.
        self.fields["shown"] = forms.JSONField(widget=forms.HiddenInput, required=False, initial=club.leagues)
        for number, name in enumerate([*(club.leagues or [""]), ""], 1):
            self.fields[f"league_{number}"] = TidyField(
                label=f"League {number}", max_length=40, required=False, initial=name
            )

    def names(self) -> list[str]:
        return [name for field, name in self.cleaned_data.items() if field != "shown"]


class SeasonSettingsForm(SeasonForm):
    """All settings of a season, including those that few clubs change."""

    why = forms.CharField(
        label="Reason (optional)",
        max_length=300,
        required=False,
        help_text="It is kept in the history.",
        error_messages={"max_length": "Enter a reason of at most 300 characters."},
    )

    def __init__(self, club: Club, data: QueryDict | None, season: Season) -> None:
        super().__init__(club, data, season=season)
        for row in SEASON_SETTINGS.values():
            if row.name not in self.fields:
                self.fields[row.name] = row.form_field(required=row.is_required)
        self.initial = {name: getattr(season, name) for name in self.fields if name != "why"}

    @property
    def ranking_fields(self) -> list[forms.BoundField]:
        """The fields of the settings, without the method."""
        return [self[name] for name in SEASON_SETTINGS if name != "method"]


class CupWinnerForm(Form):
    cup = name_field(
        "Cup", "Enter the name of the cup, for example Chairman’s Cup.", 60, help_text="For example, “Chairman’s Cup”."
    )
    year = name_field("Year", "Enter the year, for example 2026.", 20)
    winner = name_field("Winner", "Enter who won it, for example Alice Ash.", 80)
