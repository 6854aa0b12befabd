"""The settings of how a season ranks, one row each: for the forms, the log, the CSV and the command line."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django import forms

from sessions_app.league.methods import METHODS
from sessions_app.people.log import label_in, or_none

RANKED_BY = [(key, method.name) for key, method in METHODS.items()]


class NumberField(forms.IntegerField):
    """A whole number; `example` is a valid one, for its error messages. If left blank, it is `blank`."""

    def __init__(
        self, *, label: str, least: int = 1, most: int = 999, example: int = 8, blank: int | None = None, **options: Any
    ) -> None:
        errors = {
            **dict.fromkeys(("required", "invalid"), f"Enter a whole number for “{label}”, for example {example}."),
            "min_value": f"Enter {least} or more for “{label}”.",
            "max_value": f"Enter {most:,} or less for “{label}”.",
        }
        super().__init__(label=label, min_value=least, max_value=most, error_messages=errors, **options)
        self.blank = blank

    def clean(self, value: Any) -> Any:
        cleaned = super().clean(value)
        return self.blank if cleaned is None else cleaned


class PointsField(forms.CharField):
    """Points for positions, such as 10, 8, 6: whole numbers that do not rise."""

    EXAMPLE = "Enter points that do not rise from one position to the next, for example 10, 8, 6, 5."

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[int]:
        parts = super().clean(value).replace(",", " ").split()
        points = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 4]
        if len(points) != len(parts) or points != sorted(points, reverse=True):
            raise forms.ValidationError(self.EXAMPLE)
        return points


def whole_number(text: str) -> int:
    """Return the value of an option on the command line."""
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise argparse.ArgumentTypeError(f"“{text}” is not a whole number from 0 to 9999")
    return int(text)


def points(text: str) -> tuple[int, ...]:
    return tuple(whole_number(part.strip()) for part in text.split(","))


class Kind(NamedTuple):
    """What kind of value a setting has: its form field, its command line option, and how it is written."""

    field: Callable[..., forms.Field]
    option: dict[str, Any]
    in_log: Callable[[Any], Any] = or_none
    in_csv: Callable[[Any], Any] = lambda value: value


METHOD = Kind(forms.ChoiceField, {"choices": list(METHODS)}, label_in(RANKED_BY))
NUMBER = Kind(NumberField, {"type": whole_number, "metavar": "N"})
YES_NO = Kind(
    forms.BooleanField,
    {"action": "store_true"},
    lambda value: "yes" if value else "no",
    lambda value: "yes" if value else "",
)
POINTS = Kind(
    PointsField,
    {"type": points, "metavar": "POINTS"},
    lambda value: ", ".join(map(str, value)) or "none",
    lambda value: " ".join(map(str, value)),
)


@dataclass(frozen=True)
class SeasonSetting:
    """One setting of how a season ranks; on the season's own page it may be left blank unless `is_required`."""

    name: str  # of the field of Season and Settings, and of the column of the CSV
    label: str
    kind: Kind
    help_text: str = ""
    field_options: dict[str, Any] = field(default_factory=dict)
    is_required: bool = False
    option: str = ""  # of export_standings, if its name is not the setting's

    def form_field(self, required: bool = False, **options: Any) -> forms.Field:
        options = {"help_text": self.help_text, **self.field_options, **options}
        return self.kind.field(label=self.label, required=required, **options)


SEASON_SETTINGS = {
    row.name: row
    for row in (
        SeasonSetting(
            name="method",
            label="Ranked by",
            kind=METHOD,
            field_options={
                "choices": RANKED_BY,
                "error_messages": {
                    "required": "Choose how they are ranked.",
                    "invalid_choice": "Choose one of the ways to rank under “Ranked by”.",
                },
            },
            is_required=True,
        ),
        SeasonSetting(
            name="minimum_sessions",
            label="Sessions needed to be ranked",
            kind=NUMBER,
            field_options={"example": 3},
            is_required=True,
        ),
        SeasonSetting(
            name="minimum_hands",
            label="Hands needed to be ranked",
            kind=NUMBER,
            help_text="Another way to be ranked. Leave blank if only sessions matter.",
            field_options={"most": 9999, "example": 40},
        ),
        SeasonSetting(
            name="best_n",
            label="Best sessions that count",
            kind=NUMBER,
            help_text="Only for “Best sessions”.",
            is_required=True,
            option="best",
        ),
        SeasonSetting(name="by_meeting", label="Count each meeting as one result", kind=YES_NO),
        SeasonSetting(
            name="position_points",
            label="Points for each position",
            kind=POINTS,
            help_text="Only for “Points for positions”. For example, 10, 8, 6, 5. "
            "If left blank, the last player gets 1.",
            field_options={"max_length": 200},
        ),
        SeasonSetting(
            name="drop_worst",
            label="Lowest meetings that do not count",
            kind=NUMBER,
            help_text="Only for “Points for positions”.",
            field_options={"least": 0, "most": 99, "blank": 0},
        ),
    )
}


def settings_fields(**options: Any) -> dict[str, forms.Field]:
    """Return a form field for each setting except the method; none of them is required."""
    return {row.name: row.form_field(**options) for row in SEASON_SETTINGS.values() if row.kind is not METHOD}
