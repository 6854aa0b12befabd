"""The settings of how a season ranks, one row each: for the forms, the log, the CSV and the command line."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django import forms

from clubscore.league.methods import METHODS
from sessions_app.people.log import label_in, or_none

RANKED_BY = [(key, method.name) for key, method in METHODS.items()]


class NumberField(forms.IntegerField):
    """A whole number; `example` is a valid one, for its error messages. If left blank, it is `blank`."""

    least = 1

    def __init__(
        self, *, label: str, most: int = 999, example: int = 8, blank: int | None = None, **options: Any
    ) -> None:
        least = self.least
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


class NumberOrZeroField(NumberField):
    least = 0


class NumberOrNoneField(NumberOrZeroField):
    """A whole number, and None for 0."""

    def clean(self, value: Any) -> Any:
        return super().clean(value) or None


class PointsField(forms.CharField):
    """Points for positions, such as 10, 8, 6: whole numbers that do not rise; none for 0."""

    EXAMPLE = "Enter points that do not rise from one position to the next, for example 10, 8, 6, 5."

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[int]:
        parts = super().clean(value).replace(",", " ").split()
        points = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 4]
        if len(points) != len(parts) or points != sorted(points, reverse=True):
            raise forms.ValidationError(self.EXAMPLE)
        return [] if points == [0] else points


class AnswerField(forms.TypedChoiceField):
    """Yes, no or neither."""

    def __init__(self, *, blank: str = "", **options: Any) -> None:
        choices = [("", blank), ("on", "Yes"), ("off", "No")]
        super().__init__(choices=choices, coerce=lambda answer: answer == "on", empty_value=None, **options)


def whole_number(text: str) -> int:
    """Return the value of an option on the command line."""
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise argparse.ArgumentTypeError(f"“{text}” is not a whole number from 0 to 9999")
    return int(text)


def points(text: str) -> tuple[int, ...]:
    numbers = tuple(whole_number(part.strip()) for part in text.split(","))
    return () if numbers == (0,) else numbers


class Kind(NamedTuple):
    """What kind of value a setting has: its form fields, its command line option, and how it is written.

    `answer` is its field where leaving it blank is an answer of its own, if `field` cannot be left blank.
    """

    field: Callable[..., forms.Field]
    option: dict[str, Any]
    in_log: Callable[[Any], Any] = or_none
    in_csv: Callable[[Any], Any] = lambda value: value
    answer: Callable[..., forms.Field] | None = None


METHOD = Kind(forms.ChoiceField, {"choices": list(METHODS)}, label_in(RANKED_BY))
NUMBER = Kind(NumberField, {"type": whole_number, "metavar": "N"})
NUMBER_OR_ZERO = Kind(NumberOrZeroField, {"type": whole_number, "metavar": "N"})
NUMBER_OR_NONE = Kind(NumberOrNoneField, {"type": lambda text: whole_number(text) or None, "metavar": "N"})
YES_NO = Kind(
    forms.BooleanField,
    {"action": "store_true"},
    lambda value: "yes" if value else "no",
    lambda value: "yes" if value else "",
    AnswerField,
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
    heading: str = ""  # in seasons.csv for people, if it is not the name

    def form_field(self, required: bool = False, **options: Any) -> forms.Field:
        options = {"help_text": self.help_text, **self.field_options, **options}
        return self.kind.field(label=self.label, required=required, **options)

    def what_if_field(self, own: Any) -> forms.Field:
        """Return a field that may be left blank for the season's `own` value, which it says."""
        kept = f"This season: {self.kind.in_log(own)}."
        if self.kind.answer:
            return self.kind.answer(label=self.label, required=False, blank=kept, help_text=self.help_text)
        return self.form_field(help_text=f"{self.help_text} {kept}".strip())


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
            heading="Ranked by",
        ),
        SeasonSetting(
            name="minimum_sessions",
            label="Tables needed to be ranked",
            kind=NUMBER,
            field_options={"example": 3},
            is_required=True,
            heading="Tables needed",
        ),
        SeasonSetting(
            name="minimum_hands",
            label="Hands needed to be ranked",
            kind=NUMBER_OR_NONE,
            help_text="Another way to be ranked. Enter 0 if only the number of tables matters.",
            field_options={"most": 9999, "example": 40},
            heading="Hands needed",
        ),
        SeasonSetting(
            name="best_n",
            label="How many of the best tables count",
            kind=NUMBER,
            help_text="Only for “Best tables”.",
            is_required=True,
            option="best",
            heading="Best tables that count",
        ),
        SeasonSetting(name="by_meeting", label="Count each meeting as one result", kind=YES_NO),
        SeasonSetting(
            name="position_points",
            label="Points for each position",
            kind=POINTS,
            help_text="Only for “Points for positions”. For example, 10, 8, 6, 5. "
            "Enter 0 if the last player gets 1, and each position above 1 more.",
            field_options={"max_length": 200},
        ),
        SeasonSetting(
            name="drop_worst",
            label="How many of the lowest meetings are left out",
            kind=NUMBER_OR_ZERO,
            help_text="Only for “Points for positions”. Enter 0 if all of them count.",
            field_options={"most": 99, "blank": 0},
            heading="Lowest meetings left out",
        ),
    )
}
