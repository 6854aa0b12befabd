"""Numbers and winds as players read them: real minus signs, no codes."""

import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from urllib.parse import urlencode

import segno
from django import template
from django.forms import CheckboxSelectMultiple, RadioSelect
from django.forms.boundfield import BoundField
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from clubscore.scoring.tiles import WIND_NAMES
from sessions_app.models import Club
from sessions_app.web.looks import LOOKS, looks_of

register = template.Library()
MINUS = "\u2212"
WHOLE_PART = re.compile(r"(?<![\d.])\d{4,}")
SEATED = {**WIND_NAMES, "": "sits out", None: "sits out"}


@register.filter
def whole(number: int | None) -> str:
    """Write a whole number with a real minus sign: 1,200 or −504; nothing for None."""
    if number is None:
        return ""
    return f"{number:,}".replace("-", MINUS)


@register.filter
def known(number: int) -> str:
    """Write a whole number; a dash where it is not known, which is not 0."""
    return "–" if number is None else whole(number)


@register.filter
def signed(number: int) -> str:
    """Write a gain or a loss with its sign: +592, −504, 0; nothing for None."""
    if number is None:
        return ""
    return "0" if number == 0 else f"{number:+,}".replace("-", MINUS)


@register.filter
def minus(text: str) -> str:
    """Give a figure that is already written its commas and its real minus sign: 6,907, −1,099.4."""
    return WHOLE_PART.sub(lambda digits: f"{int(digits[0]):,}", str(text)).replace("-", MINUS)


@register.filter
def wind_name(letter: str) -> str:
    return SEATED.get(letter, letter)


@register.filter
def pays_or_receives(number: int) -> str:
    """Say in a word what a sign means, so that colour is never alone."""
    if not number:
        return "level"
    return "receives" if number > 0 else "pays"


@register.filter
def item(mapping: dict[str, str], key: str) -> str | None:
    """Look up a key in a mapping or a number in a list; None where it is missing."""
    try:
        return mapping[key]
    except (KeyError, IndexError, TypeError):
        return None


@register.filter
def sticks(counts: Any) -> Any:
    """Write an account in sticks, the largest first: "2 × 1,000, 3 × 100"."""
    if not counts:
        return ""
    held = sorted(((int(worth), number) for worth, number in counts.items() if number), reverse=True)
    return ", ".join(f"{number}\u00a0×\u00a0{whole(worth)}" for worth, number in held)


# Amounts of money as they are written, in the club's currency: £1.50, CHF 1.50.


@register.filter
def money(amount: Any, club: Club) -> str:
    """Write an amount: £1.50, −£3.20, kr 12.00; nothing for None."""
    if amount is None:
        return ""
    amount = Decimal(amount).quantize(Decimal("0.01"), ROUND_HALF_UP)
    # A word stands apart from its figures, a sign close to them.
    apart = "\N{NO-BREAK SPACE}" if club.currency[-1].isalpha() else ""
    return f"{'−' if amount < 0 else ''}{club.currency}{apart}{abs(amount):,}"


@register.filter
def gained_money(amount: Any, club: Club) -> str:
    """Write an amount that is gained or lost: +£0.59, −£0.50."""
    return f"{'+' if amount > 0 else ''}{money(amount, club)}"


# Helpers for drawing form fields.


@register.filter
def anchor(field: BoundField) -> str:
    """Name the element that an error's link leads to: the field, or the first of its choices."""
    first = isinstance(field.field.widget, RadioSelect | CheckboxSelectMultiple)
    return f"{field.auto_id}_0" if first else field.auto_id


# QR codes as pictures in the page.

# A camera wants four empty modules round the code, and dark on light in every theme.
QUIET = 4


@register.simple_tag
def qr_code(address: str, label: str) -> str:
    """Draw the QR code of an address; `label` says what it leads to."""
    code = segno.make(address, error="m", micro=False)
    drawing = code.svg_inline(border=QUIET, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None)
    # segno writes figures only: nothing of the address stands in the drawing as text.
    return format_html('<div class="qr" role="img" aria-label="{}">{}</div>', label, mark_safe(drawing))


# The switches of this device on the page's root, and the way to where they are turned.


@register.simple_tag(takes_context=True)
def looks_class(context: template.Context) -> str:
    """Write the class attribute of <html>; a page made without a request, as an error's, has none."""
    request = context.get("request")
    on = looks_of(request) if request else []
    classes = " ".join(look.css_class for look in LOOKS if look.key in on)
    return format_html(' class="{}"', classes) if classes else ""


@register.simple_tag(takes_context=True)
def looks_address(context: template.Context) -> str:
    """Return the address of the switches, from where one comes back to this page."""
    request = context.get("request")
    address = reverse("looks")
    if request is None or request.method != "GET" or request.path == address:
        return address
    return f"{address}?{urlencode({'next': request.get_full_path()})}"
