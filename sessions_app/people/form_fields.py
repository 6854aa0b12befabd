"""What forms of several rooms have: a base, and fields for dates, choices, names, amounts of money."""

import re
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from sessions_app.people.dates import DATE_SENTENCES, FIRST_DAY, LAST_DAY, Near, day_words, far_question, wrong_year
from sessions_app.people.models import MAX_NAME
from sessions_app.people.plain_text import plain_name

MOST = Decimal("9999.99")
NUMERIC = {"inputmode": "numeric"}
PLAIN_TEXT = {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}


class Form(forms.Form):
    """What all forms of ours have in common: their fields are of many kinds, and once cleaned there is data."""

    fields: dict[str, Any]

    def clean(self) -> dict[str, Any]:
        super().clean()
        return self.cleaned_data


class DayInput(forms.DateInput):
    """A date field; if its date is asked about, with a box under it that says that this very date is right."""

    def __init__(self) -> None:
        super().__init__({"type": "date", "min": FIRST_DAY, "max": LAST_DAY}, format="%Y-%m-%d")
        self.asked: date | None = None
        self.answer = ""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        self.answer = data.get(f"{name}_is_right", "")
        return super().value_from_datadict(data, files, name)

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        field = super().render(name, value, attrs, renderer)
        if self.asked is None:
            return field
        ticked = mark_safe(" checked" if self.answer == str(self.asked) else "")
        box = (
            '{}<label class="choice" for="id_{name}_is_right">'
            '<input type="checkbox" name="{name}_is_right" value="{}" id="id_{name}_is_right"{}> {}</label>'
        )
        words = DATE_SENTENCES["is_right"].format(day=day_words(self.asked))
        return format_html(box, field, self.asked, ticked, words, name=name)


class DayField(forms.DateField):
    """A date in a possible year. One that is not `near` today is asked about, unless the form had it before."""

    def __init__(self, *, near: Near | None = None, **options: Any) -> None:
        super().__init__(widget=DayInput(), **options)
        self.near, self.had = near, None

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> forms.BoundField:
        bound = super().get_bound_field(form, field_name)
        self.had = bound.initial
        return bound

    def validate(self, value: date | None) -> None:
        super().validate(value)
        if value and (error := wrong_year(value)):
            raise forms.ValidationError(error)

    def clean(self, value: Any) -> date | None:
        day = super().clean(value)
        self.widget.asked = day if self.near and day not in (None, self.had) and not self.near.includes(day) else None
        if self.widget.asked and self.widget.answer != str(day):
            raise forms.ValidationError(far_question(day), code="far")
        return day


def date_field(label: str, error: str = DATE_SENTENCES["no_date"], **more: Any) -> DayField:
    """Return a field for a date, with one error for a missing and for an invalid one."""
    return DayField(label=label, error_messages=dict.fromkeys(("required", "invalid"), error), **more)


def time_field(label: str, **more: Any) -> forms.TimeField:
    """Return a field for a time of day, which may be left empty."""
    return forms.TimeField(
        label=label,
        required=False,
        input_formats=["%H:%M", "%H:%M:%S", "%H.%M"],
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        error_messages={"invalid": f"Enter the time for “{label}”, for example 14:00."},
        **more,
    )


def radio_field(label: str, choices: Any = (), error: str = "", **more: Any) -> forms.ChoiceField:
    """Return a field of radio buttons; `error` if none is chosen."""
    errors = {"required": error} if error else None
    return forms.ChoiceField(label=label, choices=choices, widget=forms.RadioSelect, error_messages=errors, **more)


def league_field(club: Any, **more: Any) -> forms.ChoiceField:
    """Return a field for one of the leagues of a club that has several."""
    return forms.ChoiceField(label="League", choices=[(name, name) for name in club.leagues], **more)


class TidyField(forms.CharField):
    """A name, or another line of text: without what nobody sees, and each run of blanks becomes one."""

    def to_python(self, value: Any) -> str:
        return plain_name(super().to_python(value) or "")


def name_field(label: str, error: str, most: int = MAX_NAME, **more: Any) -> TidyField:
    """Return a field for a name that has to be there."""
    return TidyField(label=label, max_length=most, error_messages={"required": error}, **more)


class AmountField(forms.DecimalField):
    """Accepts 1,50 for 1.50; a comma before three digits is an error. `nothing` is what 0 and an empty field become."""

    def __init__(self, nothing: Decimal | None = Decimal(0), **options: Any) -> None:
        super().__init__(**options)
        self.nothing = nothing

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str):
            value = re.sub(r"^(\s*\d+),(\d{1,2}\s*)$", r"\1.\2", value)
        amount = super().to_python(value)
        return amount if amount or self.required else self.nothing


def amount_field(label: str, **more: Any) -> AmountField:
    """Return a field for an amount in the club's currency, with two decimals at most."""
    error = f"Enter an amount for “{label}”, for example 1.50"
    too_much = f"Enter {MOST:,} or less for “{label}”."
    return AmountField(
        label=label,
        min_value=0,
        max_value=MOST,
        max_digits=7,
        decimal_places=2,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "class": "input-short"}),
        error_messages={
            "required": f"{error}, or 0 for nothing.",
            "min_value": f"Enter 0 or more for “{label}”.",
            **dict.fromkeys(("invalid", "max_decimal_places"), f"{error}."),
            **dict.fromkeys(("max_value", "max_digits", "max_whole_digits"), too_much),
        },
        **more,
    )
