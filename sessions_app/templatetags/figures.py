"""Numbers and winds as players read them: real minus signs, no codes."""

import re

from django import template

from clubscore.scoring.tiles import WIND_NAMES

register = template.Library()

MINUS = "\u2212"
WHOLE_PART = re.compile(r"(?<![\d.])\d{4,}")
SEATED = {**WIND_NAMES, "": "sits out", None: "sits out"}


@register.filter
def whole(number):
    """Write a whole number with a real minus sign: 1,200 or −504; nothing for None."""
    if number is None:
        return ""
    return f"{number:,}".replace("-", MINUS)


@register.filter
def known(number):
    """Write a whole number; a dash where it is not known, which is not 0."""
    return "–" if number is None else whole(number)


@register.filter
def signed(number):
    """Write a gain or a loss with its sign: +592, −504, 0; nothing for None."""
    if number is None:
        return ""
    return "0" if number == 0 else f"{number:+,}".replace("-", MINUS)


@register.filter
def minus(text):
    """Give a figure that is already written its commas and its real minus sign: 6,907, −1,099.4."""
    return WHOLE_PART.sub(lambda digits: f"{int(digits[0]):,}", str(text)).replace("-", MINUS)


@register.filter
def wind_name(letter):
    return SEATED.get(letter, letter)


@register.filter
def pays_or_receives(number):
    """Say in a word what a sign means, so that colour is never alone."""
    if not number:
        return "level"
    return "receives" if number > 0 else "pays"


@register.filter
def item(mapping, key):
    """Look up a key in a mapping or a number in a list; None where it is missing."""
    try:
        return mapping[key]
    except (KeyError, IndexError, TypeError):
        return None


@register.filter
def sticks(counts):
    """Write an account in sticks, the largest first: "2 × 1,000, 3 × 100"."""
    if not counts:
        return ""
    held = sorted(((int(worth), number) for worth, number in counts.items() if number), reverse=True)
    return ", ".join(f"{number}\u00a0×\u00a0{whole(worth)}" for worth, number in held)
