"""Words in sentences: a table's own words instead of ours, names, values of the score format, numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

HIGHEST = 10**9  # the largest number that may be typed at a table or in house rules
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


@lru_cache(maxsize=4096)
def _translated(words: Vocabulary, text: str) -> str:
    """Return a text in the table's words: whole words only, and the longest that fits."""
    longest_first = sorted(words, key=lambda pair: len(pair[0]), reverse=True)
    said, at, is_start = "", 0, True
    while at < len(text):
        ours, theirs = _word_at(longest_first, text, at) if is_start else (text[at], text[at])
        said, at = said + theirs, at + len(ours)
        # Flower 4 is a Bamboo whatever the suit is called; it stands in brackets.
        is_start = not (_is_letter(ours[-1]) or ours[-1] == "(")
    return said


def _word_at(words: Iterable[tuple[str, str]], text: str, at: int) -> tuple[str, str]:
    """Return the first of these words found here and the table's word for it, or else the letter itself twice."""
    for ours, theirs in words:
        end = at + len(ours)
        if text.startswith(ours, at) and not _is_letter(text[end : end + 1]):
            return ours, theirs
    return text[at], text[at]


def _is_letter(text: str) -> bool:
    return text.isalpha() or text.isdigit() or text == "_"


def in_words(words: Vocabulary, template: str, **slots: object) -> str:
    """Return a template, or the name of a tile or rule, in a table's words: "Pung of 7 Cakes".

    What people typed belongs in the {slots}, which are filled afterwards: a player called Bamboo keeps the name.
    """
    template = _translated(words, template) if words else template
    return template.format(**slots) if slots else template


# Names in sentences: lists of names, and names instead of seat numbers.


def listed(names: Iterable[str], joint: str = "and") -> str:
    """Return “Ann, Bob and Cy”, or with another word before the last; nothing for no names."""
    *first, last = [*names] or [""]
    return f"{', '.join(first)} {joint} {last}" if first else last


def literal(typed: str) -> str:
    """Return what people typed with its braces doubled, for a sentence in which seats are {1}, {2}."""
    return typed.replace("{", "{{").replace("}", "}}")


def with_names(sentence: str, names: Mapping[int, str] | Mapping[str, str]) -> str:
    """Replace {1}, {2} in a sentence by the players' names, all at once, as someone may be called {2}."""
    by_number = {str(seat): name for seat, name in names.items()}
    said, at = "", 0
    while at < len(sentence):
        end = sentence.find("}", at)
        number = sentence[at + 1 : end] if sentence[at] == "{" else ""
        if sentence[at : at + 2] in ("{{", "}}"):
            said, at = said + sentence[at], at + 2
        elif end > at and number in by_number:
            said, at = said + by_number[number], end + 1
        else:
            said, at = said + sentence[at], at + 1
    return said


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


# Lines of a score.


def line_worth(line: dict[str, Any]) -> str:
    """Return what a line scores: "4 points", "2 doubles", "times 3"; "500 points" for a special hand."""
    count = line.get("count", 1)
    repeated = f", {count} times" if count > 1 else ""
    for unit in ("point", "double"):
        number = line.get(f"{unit}s")
        if number is not None:
            return f"{number} {unit if number == 1 else unit + 's'}{repeated}"
    if line.get("times") is not None:
        return f"times {line['times']}{repeated}"
    return f"{line['limit']:,} points" if line.get("limit") is not None else ""


def unit_of(line: dict[str, Any]) -> str:
    """Return the unit of a line: points, doubles, times, or limit for a hand with a value of its own."""
    return next((unit for unit in ("points", "doubles", "times") if line.get(unit) is not None), "limit")


# Numbers as players read them, with a real minus sign.

MINUS, NO_BREAK_SPACE = "\u2212", "\u00a0"


def whole(number: int | None) -> str:
    """Write a whole number with a real minus sign: 1,200 or −504; nothing for None."""
    return "" if number is None else f"{number:,}".replace("-", MINUS)


def signed(number: int | None) -> str:
    """Write a gain or a loss with its sign: +592, −504, 0; nothing for None."""
    return f"+{whole(number)}" if number and number > 0 else whole(number)


def money(hundredths: int, currency: str) -> str:
    """Write an amount of money: £1.50, −£3.20, kr 12.00."""
    units, rest = divmod(abs(hundredths), 100)
    # A word stands apart from its figures, a sign close to them.
    apart = NO_BREAK_SPACE if currency[-1].isalpha() else ""
    return f"{MINUS if hundredths < 0 else ''}{currency}{apart}{units:,}.{rest:02}"


def pays_or_receives(number: int | None) -> str:
    """Say in a word what a sign means, so that colour is never alone."""
    if not number:
        return "level"
    return "receives" if number > 0 else "pays"
