"""Read names, dates and numbers as British clubs write them. No database here."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from sessions_app.people.fuzzy_names import turned
from sessions_app.people.log_pages import FIRST_YEAR, LAST_YEAR

DAY_FIRST, MONTH_FIRST = "day", "month"
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = "(?P<month>(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*)"
WEEKDAY = re.compile(r"^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+", re.I)
TIME = re.compile(r"[ T]\d{1,2}[:.]\d{2}(?:[:.]\d{2})?\s*(?:[ap]m)?$", re.I)
YEAR = r"(?P<year>\d{4}|'?\d{2})"
IN_FIGURES = re.compile(rf"(?P<first>\d{{1,2}})\s*[-/. ]\s*(?P<second>\d{{1,2}})(?:\s*[-/. ]\s*{YEAR})?\Z")

IN_WORDS = (
    re.compile(rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?[-/. ]*{MONTH}\.?(?:[-/,. ]*{YEAR})?\Z", re.I),
    re.compile(rf"{MONTH}\.?[-/ ]*(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:[-/,. ]+{YEAR})?\Z", re.I),
)

YEAR_FIRST = re.compile(r"(?P<year>\d{4})([-/.]?)(?P<month>\d{2}|(?<=[-/.])\d)\2(?P<day>\d{1,2})\Z")

# A spreadsheet's own count of days, where a date was saved as a number.
SERIAL = re.compile(r"[34]\d{4}\Z")
SPAN = re.compile(r"\b((?:19|20)\d\d)\s*(?:[-/–—]|to)\s*((?:19|20)?\d\d)\b")
ONE_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")

# A season that spans two years begins in this month at the earliest.
SEASON_BEGINS = 7


@dataclass(frozen=True)
class Years:
    """The year or the two years that dates without one are in."""

    first: int
    last: int

    def year_of(self, month: int) -> int:
        return self.first if month >= SEASON_BEGINS else self.last

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last % 100:02}"


def years_in(text: str) -> Years | None:
    """Return the years that a title or a sheet's name tells: "League 2025-26", "Autumn 2026"."""
    if (found := SPAN.search(text)) and not IN_FIGURES.match(text):
        first = int(found[1])
        last = int(found[2]) if len(found[2]) == 4 else first // 100 * 100 + int(found[2])
        if last in (first, first + 1):
            return Years(first, last)
    found = ONE_YEAR.search(text)
    return Years(int(found[1]), int(found[1])) if found else None


def looks_like_a_date(text: str) -> bool:
    """Return whether a cell is a date, in whatever order; a bare number is none."""
    return _parts(text) is not None


def has_year(text: str) -> bool:
    parts = _parts(text)
    return parts is None or parts[2] is not None


@lru_cache(maxsize=5_000)
def _parts(text):
    """Return the parts of a date as (first, second, year, in order): with the order told, day then month."""
    text = WEEKDAY.sub("", TIME.sub("", text.strip()))
    if found := YEAR_FIRST.match(text):
        return int(found["day"]), int(found["month"]), int(found["year"]), True
    for pattern in IN_WORDS:
        if found := pattern.match(text):
            month = MONTHS.index(found["month"][:3].lower()) + 1
            return int(found["day"]), month, _year(found["year"]), True
    if (found := IN_FIGURES.match(text)) and not re.fullmatch(r"\d+\.\d+|\d+ \d+|\d+-\d+", text):
        return int(found["first"]), int(found["second"]), _year(found["year"]), False
    return None


def _year(text):
    if text is None:
        return None
    year = int(text.lstrip("'"))
    if year >= 100:
        return year
    return year + (2000 if year < 80 else 1900)


def orders_of(texts: Iterable[str]) -> set[str]:
    """Return the orders of day and month that some of these dates need; empty where all of them can be read both ways.

    A date that is the same either way, or whose order is plain, needs none.
    """
    needed = set()
    for text in texts:
        parts = _parts(text)
        if parts and not parts[3]:
            first, second = parts[:2]
            if first > 12:
                needed.add(DAY_FIRST)
            elif second > 12:
                needed.add(MONTH_FIRST)
    return needed


def is_ambiguous(texts: Iterable[str]) -> bool:
    """Return whether dates can be read with the day or the month first, and nothing in the file says which."""
    texts = list(texts)
    asked = [parts for parts in map(_parts, texts) if parts and not parts[3] and parts[0] != parts[1]]
    return bool(asked) and len(orders_of(texts)) != 1


def read_date(text: str, order: str = DAY_FIRST, years: Years | None = None) -> date:
    """Return the date of a cell; ValueError ends a sentence that begins with the cell."""
    if SERIAL.match(text):
        return date(1899, 12, 30) + timedelta(days=int(text))
    parts = _parts(text)
    if parts is None:
        raise ValueError("which is not a date. Enter it like 12/11/2026.")
    first, second, year, is_plain = parts
    day, month = (first, second) if is_plain or order == DAY_FIRST else (second, first)
    if year is None:
        if years is None:
            raise ValueError("which has no year. Enter it like 12/11/2026.")
        year = years.year_of(month)
    try:
        found = date(year, month, day)
    except ValueError:
        raise ValueError("which is not in the calendar. Enter it like 12/11/2026.") from None
    if not FIRST_YEAR <= found.year <= LAST_YEAR:
        raise ValueError(f"whose year is wrong. Enter a year from {FIRST_YEAR} to {LAST_YEAR}.")
    return found


# Numbers.

DID_NOT_PLAY = {
    "",
    "-",
    "–",
    "—",
    "−",
    ".",
    "n/a",
    "na",
    "dnp",
    "x",
    "abs",
    "absent",
    "away",
    "did not play",
    "apologies",
}

NUMBER = re.compile(r"(?P<sign>[-+]?)(?P<figures>\d{1,3}(?:[, ’']\d{3})+|\d+)(?:\.0+)?(?P<behind>-?)\Z")
MAX_FIGURES = 8


def read_number(text: str) -> int | None:
    """Return a whole number, None for a cell that says that someone did not play; ValueError ends a sentence."""
    plain = text.strip()
    if plain.casefold() in DID_NOT_PLAY:
        return None
    plain = re.sub(r"\s*(?:pts?|points)\.?$", "", re.sub(r"[−–—]", "-", plain), flags=re.I)
    bracketed = re.fullmatch(r"\(\s*(.*?)\s*\)", plain)
    found = NUMBER.match(re.sub(r"^([-+])\s+", r"\1", bracketed[1] if bracketed else plain))
    if not found or bool(bracketed) + bool(found["sign"]) + bool(found["behind"]) > 1:
        raise ValueError("which is not a whole number. Enter it like 120 or -120.")
    figures = re.sub(r"\D", "", found["figures"])
    if len(figures) > MAX_FIGURES:
        raise ValueError(f"which has more than {MAX_FIGURES} digits. Enter it like 120 or -120.")
    is_negative = bracketed or found["sign"] == "-" or found["behind"]
    return -int(figures) if is_negative else int(figures)


def is_number(text: str) -> bool:
    """Return whether a cell holds a whole number, not only a sign for who did not play."""
    try:
        return read_number(text) is not None
    except ValueError:
        return False


# Names.

GUEST = re.compile(r"\s*(?:\((?:guest|g|visitor|v)\)|\*+)\s*$", re.I)


def read_name(text: str) -> tuple[str, bool]:
    """Return a name with the first name in front and few capitals, and whether it is marked as a guest's."""
    name = GUEST.sub("", text).strip()
    is_guest = bool(re.search(r"\((?:guest|g|visitor|v)\)", text, re.I))
    name = turned(name) or name
    words = name.split()
    capitals = [_in_capitals(word) for word in words]
    if any(capitals) and not all(capitals) and capitals[0] and not any(_in_capitals(word) for word in words[-1:]):
        number = capitals.index(False)
        words = words[number:] + words[:number]
    return " ".join(_few_capitals(word) for word in words), is_guest


def _in_capitals(word):
    letters = re.sub(r"^Ma?c(?=[A-Z])|[^A-Za-zÀ-ÿ]", "", word)
    # Two capitals may be initials.
    return len(letters) > 2 and letters == letters.upper() and word.replace(".", "") not in INITIALS_OF_TITLES


INITIALS_OF_TITLES = {"MBE", "OBE", "CBE", "JP", "DR"}


def _few_capitals(word):
    """Return SMITH-JONES as Smith-Jones, O'BRIEN as O'Brien and McDONALD as McDonald; other words stay."""
    if not _in_capitals(word) or re.fullmatch(r"(?:[A-Z]\.)+", word):
        return word
    prefix = re.match(r"Ma?c(?=[A-Z])", word)
    start = prefix[0] if prefix else ""
    rest = re.sub(r"[^\W\d_]+", lambda part: part[0].capitalize(), word[len(start) :])
    rest = re.sub(r"^Mc([a-z])", lambda part: "Mc" + part[1].upper(), rest)
    return start + re.sub(r"(?<=['’])S\b", "s", rest)


TOTALS = re.compile(
    r"(?:(?:sub|grand|running|overall)?[- ]?(?:totals?|sums?)|averages?|avg|mean|median|count|check|checksum|"
    r"max(?:imum)?|min(?:imum)?|highest|lowest|best|worst|attendance|attended|played|games|sessions|"
    r"(?:no\.?|number) (?:of )?(?:players|sessions|games|weeks|played).*|players|present|present today)\b\s*:?\s*"
    r"(?:\(.*\)|score|points|played|for .*|of .*|to date|net|per .*|ytd)?\Z",
    re.I,
)

ENDS_IN_TOTAL = re.compile(r".*\b(?:total|sum|average|count|subtotal)s?\s*:?\Z", re.I)


def is_total(text: str) -> bool:
    """Return whether a heading or a cell where a name is expected speaks of totals: "Total", "Jean Total"."""
    return bool(TOTALS.match(text) or ENDS_IN_TOTAL.match(text))
