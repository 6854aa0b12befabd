"""Fields that forms of several rooms have: dates, choices, names, amounts of money."""

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe

from sessions_app.people.plain_text import plain_name

MOST = Decimal("9999.99")
NUMERIC = {"inputmode": "numeric"}
PLAIN_TEXT = {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}


def date_field(label: str, error: str, **more: Any) -> forms.DateField:
    """Return a field for a date, with one error for a missing and for an invalid one."""
    errors = dict.fromkeys(("required", "invalid"), error)
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, widget=widget, error_messages=errors, **more)


def radio_field(label: str, choices: Any = (), error: str = "", **more: Any) -> forms.ChoiceField:
    """Return a field of radio buttons; `error` if none is chosen."""
    errors = {"required": error} if error else None
    return forms.ChoiceField(label=label, choices=choices, widget=forms.RadioSelect, error_messages=errors, **more)


class LongSelect(forms.Select):
    """Writes hundreds of choices without Django's two templates for each."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        rows = ((key, mark_safe(" selected" * (key == value)), label) for key, label in self.choices)
        options = format_html_join("\n", '<option value="{}"{}>{}</option>', rows)
        attributes = flatatt(self.build_attrs(self.attrs, {"name": name, **attrs}))
        return format_html("<select{}>{}</select>", attributes, options)


class TidyField(forms.CharField):
    """A name, or another line of text: without what nobody sees, and each run of blanks becomes one."""

    def to_python(self, value: Any) -> str:
        return plain_name(super().to_python(value))


class AmountField(forms.DecimalField):
    """Accepts 1,50 for 1.50; a comma before three digits is an error."""

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str):
            value = re.sub(r"^(\s*\d+),(\d{1,2}\s*)$", r"\1.\2", value)
        return super().to_python(value)


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
