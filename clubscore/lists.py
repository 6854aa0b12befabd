"""Names in sentences: one after the other, as people say them, and in the place of seats. Plain Python, no Django."""

import re
from collections.abc import Iterable, Mapping

SEAT = re.compile(r"\{(\d+)\}")


def listed(names: Iterable[str], joint: str = "and") -> str:
    """Say “Ann, Bob and Cy”, or with another word before the last; nothing where there are none."""
    *first, last = [*names] or [""]
    return f"{', '.join(first)} {joint} {last}" if first else last


def with_names(sentence: str, names: Mapping[int, str] | Mapping[str, str]) -> str:
    """Put the players' names where a sentence has {1}, {2}: all at once, as somebody may be called {2} too."""
    by_number = {str(seat): name for seat, name in names.items()}
    return SEAT.sub(lambda found: by_number.get(found[1], found[0]), sentence)


def actor_name(name: str, user_id: int | None, names: Mapping[int, str] | Mapping[str, str]) -> str:
    """Return what to call who did something: a login's own name as it is, a tablet's with the player's put in."""
    return name if user_id else with_names(name, names)


def with_commas(figure):
    """Write a figure of a ledger as players read it: 1,000; what is no whole number stands as it is."""
    return f"{figure:,}" if isinstance(figure, int) else str(figure)
