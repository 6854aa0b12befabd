"""A table's own words instead of this package's, and the values of the score format in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

HIGHEST = 10**9  # no figure typed at a table, and none of the house rules, is larger
SUIT_WORDS = {"C": ("Characters",), "B": ("Bamboos", "Bamboo"), "D": ("Circles",)}
ONE_OF_A_SUIT = {"C": "1 Character", "B": "1 Bamboo", "D": "1 Circle"}
SET_WORDS = ("exposed", "concealed", "pung", "kong", "chow", "pair")
Vocabulary = tuple[tuple[str, str], ...]


def vocabulary(suit_names: Mapping[str, str], words: Mapping[str, str]) -> Vocabulary:
    """Return pairs (our word, the table's word); small words also with a capital."""
    pairs = {
        ours: suit_names[suit]
        for suit, named in SUIT_WORDS.items()
        if suit in suit_names
        for ours in named
        if suit_names[suit] not in named
    }
    for suit, ours in ONE_OF_A_SUIT.items():
        if suit in suit_names and suit_names[suit] not in SUIT_WORDS[suit]:
            pairs[ours] = f"1 {suit_names[suit].removesuffix('s')}"
    for ours, theirs in words.items():
        pairs |= {ours: theirs, ours[:1].upper() + ours[1:]: theirs[:1].upper() + theirs[1:]}
    return tuple(sorted(pairs.items()))


@lru_cache(maxsize=512)
def _pattern(words: Vocabulary) -> re.Pattern[str]:
    longest_first = sorted((ours for ours, _ in words), key=len, reverse=True)
    # Flower 4 is a Bamboo whatever the suit is called; it stands in brackets.
    return re.compile(rf"(?<![\w(])(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def in_words(words: Vocabulary, template: str, **slots: object) -> str:
    """Return a template, or the name of a tile or rule, in a table's words: "Pung of 7 Cakes".

    What people typed belongs in the {slots}, which are filled afterwards: a player called Bamboo keeps the name.
    """
    if words:
        theirs = dict(words)
        template = _pattern(words).sub(lambda found: theirs[found[0]], template)
    return template.format(**slots) if slots else template


# Names in sentences: lists of names, and names instead of seat numbers.

SEAT = re.compile(r"\{\{|\}\}|\{(\d+)\}")
BRACES = {"{{": "{", "}}": "}"}


def listed(names: Iterable[str], joint: str = "and") -> str:
    """Return “Ann, Bob and Cy”, or with another word before the last; nothing where there are none."""
    *first, last = [*names] or [""]
    return f"{', '.join(first)} {joint} {last}" if first else last


def literal(typed: str) -> str:
    """Return what people typed, to stand in a sentence where seats are {1}, {2}: with its braces doubled."""
    return typed.replace("{", "{{").replace("}", "}}")


def with_names(sentence: str, names: Mapping[int, str] | Mapping[str, str]) -> str:
    """Put the players' names where a sentence has {1}, {2}: all at once, as someone may be called {2} too."""
    by_number = {str(seat): name for seat, name in names.items()}
    return SEAT.sub(lambda found: BRACES.get(found[0]) or by_number.get(found[1], found[0]), sentence)


def actor_name(name: str, user_id: int | None, names: Mapping[int, str] | Mapping[str, str]) -> str:
    """Return the name of the person who made a change: an account's as it is, a tablet's with the player's name."""
    return name if user_id else with_names(name, names)


def with_commas(figure: object) -> str:
    """Write a figure of a ledger as players read it: 1,000; anything else unchanged."""
    return f"{figure:,}" if isinstance(figure, int) else str(figure)


def say_value(value: Any) -> str:
    """Return a value as the score format writes it, shortened where it is long."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, str):
        return value[:40] if value.isprintable() else "this text"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**12 else "so large a number"
    if isinstance(value, float):
        return str(value)
    return "this value"
