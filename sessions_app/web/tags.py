"""Template filters and tags for any page: numbers, winds, money, form fields, names, QR codes, display settings."""

import re
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from urllib.parse import urlencode

import segno
from django import template
from django.conf import settings
from django.forms import CheckboxSelectMultiple, RadioSelect
from django.forms.boundfield import BoundField
from django.urls import reverse
from django.utils.dateformat import format as date_format
from django.utils.html import escape, format_html
from django.utils.safestring import mark_safe

from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import MINUS, pays_or_receives, signed, whole
from clubscore.scoring.words import money as in_money
from sessions_app.models import Club
from sessions_app.people.dates import today
from sessions_app.people.form_fields import DayInput
from sessions_app.web.requests import is_this_machine_only
from sessions_app.web.views import LOOKS, looks_of

register = template.Library()
WHOLE_PART = re.compile(r"(?<![\d.])\d{4,}")
SEATED: dict[Any, str] = {**WIND_NAMES, "": "sits out", None: "sits out"}

for each in (whole, signed, pays_or_receives, is_this_machine_only):
    register.filter(each)


@register.simple_tag
def may_register() -> bool:
    """Return whether visitors may register a club here."""
    return bool(settings.SIGN_UP)


@register.filter
def known(number: int | None) -> str:
    """Write a whole number, or a dash if it is not known."""
    return "–" if number is None else whole(number)


@register.filter
def minus(text: str) -> str:
    """Add commas and a real minus sign to a figure in text: 6,907, −1,099.4."""
    return WHOLE_PART.sub(lambda digits: f"{int(digits[0]):,}", str(text)).replace("-", MINUS)


@register.filter
def wind_name(letter: str) -> str:
    return SEATED.get(letter, letter)


@register.filter
def item(mapping: dict[str, str], key: str) -> str | None:
    """Look up a key in a mapping or an index in a list; None if it is missing."""
    try:
        return mapping[key]
    except (KeyError, IndexError, TypeError):
        return None


@register.filter
def year_words(year: int, club: Club) -> str:
    return club.year_words(year)


@register.filter
def money(amount: Any, club: Club) -> str:
    """Write an amount in the club's currency: £1.50, −£3.20, kr 12.00; empty for None."""
    if amount is None:
        return ""
    hundredths = int((Decimal(amount) * 100).quantize(Decimal(1), ROUND_HALF_UP))
    return in_money(hundredths, club.currency)


@register.filter
def anchor(field: BoundField) -> str:
    """Return the id to which the link of an error leads: of the field, or of its first choice."""
    first = isinstance(field.field.widget, RadioSelect | CheckboxSelectMultiple)
    return f"{field.auto_id}_0" if first else field.auto_id


@register.simple_tag
def day_input(name: str, value: Any) -> str:
    """Write a date field outside a form of Django."""
    return DayInput().render(name, value, {"id": name})


@register.filter(expects_localtime=True)
def is_this_year(day: date) -> bool:
    return day.year == today().year


@register.filter(expects_localtime=True)
def short_day(day: date, pattern: str = "j F") -> str:
    """Write a date, with its year if that is not this year."""
    return date_format(day, pattern if is_this_year(day) else f"{pattern} Y")


@register.simple_tag
def club_name(club: Club) -> str:
    """Write the club's name for the head of a page, after the logo if there is one."""
    if not club.logo_key:
        return escape(club.name)
    address = reverse("club-logo", args=[club.slug, club.logo_key])
    logo = '<img class="club-logo" src="{}" width="{}" height="40" alt="Logo"> {}'
    return format_html(logo, address, club.logo_width, club.name)


# Cameras need four empty modules around the code, and dark on light in every theme.
QUIET = 4


@register.simple_tag
def qr_code(address: str, label: str) -> str:
    """Draw the QR code of an address; `label` says what it leads to."""
    code = segno.make(address, error="m", micro=False)
    drawing = code.svg_inline(border=QUIET, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None)
    # Safe, as segno writes figures only, and nothing of the address as text.
    return format_html('<div class="qr" role="img" aria-label="{}">{}</div>', label, mark_safe(drawing))


@register.simple_tag(takes_context=True)
def looks_class(context: template.Context) -> str:
    """Write the class attribute of <html> for the display settings; an error page without a request has none."""
    request = context.get("request")
    on = looks_of(request) if request else []
    classes = " ".join(look.css_class for look in LOOKS if look.key in on)
    return format_html(' class="{}"', classes) if classes else ""


@register.simple_tag(takes_context=True)
def looks_address(context: template.Context) -> str:
    """Return the address of the display settings, with this page as the one to return to."""
    request = context.get("request")
    address = reverse("looks")
    if request is None or request.method != "GET" or request.path == address:
        return address
    return f"{address}?{urlencode({'next': request.get_full_path()})}"
