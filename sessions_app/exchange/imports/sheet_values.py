"""Read names, dates, numbers and lines of text as British clubs write them. No database here."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from clubscore.scoring.words import listed
from sessions_app.people.dates import DATE_SENTENCES, is_possible
from sessions_app.people.fuzzy_names import turned
from sessions_app.people.plain_text import plain_figure

# Why a file cannot be imported: a sentence for each fault, with its line number.


class ImportRefused(ValueError):
    """Nothing was changed; `sentences` say what to fix."""

    SHOWN = 20

    def __init__(self, *sentences: str) -> None:
        self.sentences = list(sentences)
        super().__init__(str(self))

    def __str__(self) -> str:
        more = len(self.sentences) - self.SHOWN
        return "\n".join(self.sentences[: self.SHOWN] + ([f"And {more} more."] if more > 0 else []))


def some_of(names: Sequence[str], most: int) -> str:
    """Return the names as a list in words, and "others" for those beyond `most`."""
    return listed([*names[:most], "others"] if len(names) > most else names, "and")


def counted(number: int, what: str) -> str:
    """Return a number with its noun: 1 result, 1,200 results."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def refuse_too_many(number: int, most: int, what: str) -> None:
    if number > most:
        raise ImportRefused(f"Choose a smaller file: at most {most:,} {what} at once, and this one has {number:,}.")


SEPARATORS = ",;\t|"
YES, NO = {"yes", "y", "true", "1", "x", "guest"}, {"", "no", "n", "false", "0", "member"}


def text_of(content: bytes) -> str:
    """Return the text of a file in UTF-8, with or without its mark, or as spreadsheets on Windows or a Mac save it."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    # Only “CSV (Macintosh)” ends lines so.
    is_mac = b"\r" in content and b"\n" not in content
    try:
        return content.decode("mac_roman" if is_mac else "cp1252")
    except UnicodeDecodeError:
        raise ImportRefused("Choose a text file. In your spreadsheet, save the list as “CSV UTF-8”.") from None


def separator_of(text: str, quote: str = '"') -> str:
    """Return the separator that cuts the most lines into the same number of cells; of these the one with most cells."""
    lines = [line for line in text.splitlines()[:200] if line.strip()]

    def fit(separator):
        numbers: Counter[int] = Counter()
        with suppress(csv.Error):
            for row in csv.reader(lines, delimiter=separator, quotechar=quote, skipinitialspace=separator != "\t"):
                numbers[len(row)] += len(row) > 1
        return max(((of_lines, cells) for cells, of_lines in numbers.items() if of_lines), default=(0, 0))

    return max(SEPARATORS, key=fit)


def yes_of(text: str, name: str = "guest", others: str = "a member") -> bool:
    """Read yes and no as lists of members have them; ValueError for anything else."""
    if text.casefold() in YES | NO:
        return text.casefold() in YES
    raise ValueError(f"{name} is “{text[:20]}”; it can be yes, or empty for {others}.")


# Dates.

DAY_FIRST, MONTH_FIRST, YEARS_FIRST = ORDERS = ("day", "month", "year")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = "(?P<month>(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*)"
WEEKDAY = re.compile(r"^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|w/[ce]|week (?:of|beginning|ending))\.?,?\s+", re.I)
TIME = re.compile(r"[ T]\d{1,2}[:.]\d{2}(?:[:.]\d{2})?\s*(?:[ap]m)?$", re.I)
PART_OF_DAY = re.compile(r"[ ,-]*\(?\b(am|pm|morning|afternoon|evening)\)?$", re.I)
YEAR = r"(?P<year>\d{4}|'?\d{2})"
IN_FIGURES = re.compile(rf"(?P<first>\d{{1,2}})\s*[-/. ]\s*(?P<second>\d{{1,2}})(?:\s*[-/. ]\s*{YEAR})?\Z")

# "Sept 24" may be a day or a month.
IN_WORDS = (
    re.compile(rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?[-/. ]*{MONTH}\.?(?:[-/,. ]*{YEAR})?\Z", re.I),
    re.compile(rf"{MONTH}\.?[-/ ]*(?P<day>\d{{1,2}})(?:(?:st|nd|rd|th)|(?:st|nd|rd|th)?[-/,. ]+{YEAR})\Z", re.I),
)

YEAR_FIRST = re.compile(r"(?P<year>\d{4})([-/.]?)(?P<month>\d{2}|(?<=[-/.])\d)\2(?P<day>\d{1,2})\Z")

IN_A_TITLE = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}(?:,? \d{{4}})?|\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{2,4}})\b", re.I
)

# A league table "as at 4 September" has no results of that day.
NOT_ONE_DAY = re.compile(
    r"\b(?:as (?:at|of)|(?:up )?to|until|till|since|from|before|after|updated|printed|correct|"
    r"next|total|table|season|starts?|ends?|born|copyright)\b",
    re.I,
)

LONG_YEAR, WEEK = re.compile(r"\d{4}"), 7

# A date saved as a number: a spreadsheet's own count of days.
SERIAL = re.compile(r"[34]\d{4}\Z")
SPAN = re.compile(r"\b((?:19|20)\d\d)\s*(?:[-/–—]|to)\s*((?:19|20)?\d\d)\b")
SHORT_SPAN = re.compile(r"(?<![\d/.-])'?([1-7]\d)\s*[-/–]\s*'?(1[3-9]|[2-7]\d)(?![\d/.-])")
ONE_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")

# A season that spans two years begins in this month at the earliest.
SEASON_BEGINS = 7


@dataclass(frozen=True)
class Years:
    """The year, or the two years, of dates without one."""

    first: int
    last: int

    def year_of(self, month: int) -> int:
        return self.first if month >= SEASON_BEGINS else self.last

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last % 100:02}"


def years_in(text: str) -> Years | None:
    """Return the years in a title or a sheet's name: "League 2025-26", "Autumn 2026"."""
    if (found := SPAN.search(text)) and not IN_FIGURES.match(text):
        first = int(found[1])
        last = int(found[2]) if len(found[2]) == 4 else first // 100 * 100 + int(found[2])
        if last in (first, first + 1):
            return Years(first, last)
    if (found := SHORT_SPAN.search(text)) and int(found[2]) == int(found[1]) + 1:
        return Years(2000 + int(found[1]), 2000 + int(found[2]))
    found = ONE_YEAR.search(text)
    return Years(int(found[1]), int(found[1])) if found else None


def looks_like_a_date(text: str) -> bool:
    """Return whether a cell is a date, in any order; a bare number is not."""
    return _parts(text) is not None


def has_year(text: str) -> bool:
    """Return whether a cell is a date with its year, or no date at all."""
    parts = _parts(text)
    return parts is None or parts[2] is not None


def date_in(text: str) -> str:
    """Return the date in a title, as it is written there: "Results of 4 September 2025"."""
    if looks_like_a_date(text):
        return text
    found = None if NOT_ONE_DAY.search(text) else IN_A_TITLE.search(text)
    return found[0] if found and looks_like_a_date(found[0]) else ""


@lru_cache(maxsize=5_000)
def _parts(text: str) -> tuple[int, int, int | None, bool] | None:
    """Return the parts of a date: two numbers, the year or None, and whether these are surely day and month."""
    text = WEEKDAY.sub("", PART_OF_DAY.sub("", TIME.sub("", plain_figure(text))))
    if found := YEAR_FIRST.match(text):
        return int(found["day"]), int(found["month"]), int(found["year"]), True
    for pattern in IN_WORDS:
        if found := pattern.match(text):
            month = MONTHS.index(found["month"][:3].lower()) + 1
            return int(found["day"]), month, _year(found["year"]), True
    if (found := IN_FIGURES.match(text)) and not re.fullmatch(r"\d+\.\d+|\d+ \d+|\d+-\d+", text):
        return int(found["first"]), int(found["second"]), _year(found["year"]), False
    return None


def _year(text: str) -> int | None:
    if text is None:
        return None
    year = int(text.lstrip("'"))
    if len(text) == 4:
        return year
    return year + (2000 if year < 80 else 1900)


def part_of_day(text: str) -> str:
    """Return "Morning", "Afternoon" or "Evening" where a date names one: "4/9/25 pm"."""
    found = PART_OF_DAY.search(text) if looks_like_a_date(text) else None
    word = found[1].lower() if found else ""
    return {"am": "Morning", "pm": "Afternoon"}.get(word, word.capitalize())


def turns_the_year(texts: Iterable[str]) -> bool:
    """Return whether dates without a year run from one year into the next: 4 Dec, 8 Jan."""
    months = [parts[1] for text in texts if (parts := _parts(text)) and parts[2] is None]
    return any(one >= SEASON_BEGINS > two for one, two in pairwise(months))


def orders_of(texts: Iterable[str]) -> set[str]:
    """Return the orders that these dates need: "day" for 24/9/26, none for 3/9/26 or 3 Sep 26.

    Of 26-09-03, 26-09-10 and 26-09-17 the first number is the year, as the last moves by weeks.
    """
    asked = {text: parts for text in texts if (parts := _parts(text)) and not parts[3]}
    firsts, lasts = ([parts[at] or 0 for parts in asked.values()] for at in (0, 2))
    is_short = asked and not any(map(LONG_YEAR.search, asked)) and all(lasts)
    if is_short and max(firsts) - min(firsts) <= 1 and max(lasts) - min(lasts) >= WEEK:
        return {YEARS_FIRST}
    day_first = {DAY_FIRST for first, *_ in asked.values() if first > 12}
    return day_first | {MONTH_FIRST for first, second, *_ in asked.values() if second > 12 >= first}


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
    if order == YEARS_FIRST and year and not is_plain and not LONG_YEAR.search(text):
        first, year = year % 100, 2000 + first
    day, month = (first, second) if is_plain or order != MONTH_FIRST else (second, first)
    if year is None:
        if years is None:
            raise ValueError("which has no year. Enter it like 12/11/2026.")
        year = years.year_of(month)
    try:
        found = date(year, month, day)
    except ValueError:
        raise ValueError("which is not in the calendar. Enter it like 12/11/2026.") from None
    if not is_possible(found):
        raise ValueError(f"whose year is wrong. {DATE_SENTENCES['wrong_year']}")
    return found


# Numbers.

DID_NOT_PLAY = re.compile(
    r"(?:n/a|na|#n/a|dnp|dna|np|x|a|abs|absent|away|did not play|did not attend|not here|apologies|apols|ap|hols?|"
    r"holiday|ill|sick|off|bye|none|no meeting|no play|no game|not held|cancelled|closed|hall closed)\Z",
    re.I,
)
ONLY_SIGNS = re.compile(r"[-./ ]*\Z")
IN_WORDS_WON = re.compile(r"^(won|lost)\s+([\d, ]+)$", re.I)

NUMBER = re.compile(
    r"(?P<sign>[-+]?) *(?P<figures>\d{1,3}(?:[, ’']\d{3})+|\d+)(?:\.0+|[.,](?P<places>\d{1,2}))?(?P<behind>-?)\Z"
)
MAX_FIGURES = 8


def read_figure(text: str) -> Decimal | None:
    """Return a figure, or None if the cell says that someone did not play; ValueError ends a sentence."""
    plain = plain_figure(text).removeprefix("'")
    if DID_NOT_PLAY.match(plain) or ONLY_SIGNS.match(plain):
        return None
    plain = re.sub(r"\s*(?:pts?|points)\.?$", "", plain.replace("£", ""), flags=re.I)
    plain = IN_WORDS_WON.sub(lambda found: ("-" if found[1].casefold() == "lost" else "") + found[2], plain)
    bracketed = re.fullmatch(r"\( *(.*?) *\)", plain)
    found = NUMBER.match(bracketed[1] if bracketed else plain)
    if not found or bool(bracketed) + bool(found["sign"]) + bool(found["behind"]) > 1:
        raise ValueError("which is not a whole number. Enter it like 120 or -120.")
    figures = re.sub(r"\D", "", found["figures"])
    if len(figures) > MAX_FIGURES:
        raise ValueError(f"which has more than {MAX_FIGURES} digits. Enter it like 120 or -120.")
    figure = Decimal(f"{figures}.{found['places']}" if found["places"] else figures)
    return -figure if bracketed or found["sign"] == "-" or found["behind"] else figure


def read_number(text: str) -> int | None:
    """Return a whole number, or None if the cell says that someone did not play; ValueError ends a sentence."""
    figure = read_figure(text)
    if figure is not None and figure % 1:
        raise ValueError("which is not a whole number. Enter it like 120 or -120.")
    return None if figure is None else int(figure)


# "460 W" and "60*"; a remark that says who lost is not left away, nor a letter that may be a figure ("4O").
REMARK = re.compile(
    r"(?P<figure>.*\d\)?)\s*(?:[*†‡§#!?^]+|(?![ILO])[A-Z]|\s(?!l\b|lo[st]|dr\b)[(\[]?[^\W\d].*)\Z", re.I
)


def without_remark(text: str) -> str:
    """Return the figure of a cell that has a remark behind it, else the cell."""
    found = REMARK.match(plain_figure(text))
    is_whole = is_number(text) or looks_like_a_date(text) or not found or not is_number(found["figure"])
    return text if is_whole or not found else found["figure"]


def figure_of(text: str) -> Decimal | None:
    """Return the figure of a cell, or None if it holds anything else."""
    try:
        return read_figure(text)
    except ValueError:
        return None


def number_of(text: str) -> int | None:
    """Return the whole number that was typed, or None for anything else: "1,00" may be 100, 1 or a slip for 1,000."""
    figure = figure_of(text)
    return None if figure is None or figure.as_tuple().exponent else int(figure)


def is_number(text: str) -> bool:
    """Return whether a cell holds a figure, and not a sign that someone did not play."""
    return figure_of(text) is not None


def is_figure(text: str) -> bool:
    """Return whether a cell holds a figure that is no date."""
    return is_number(text) and not looks_like_a_date(text)


# Names.

GUEST = re.compile(r"\s*(?:\((?:guest|g|visitor|v)\)|[*†]+)\s*$", re.I)

# What clubs write before or after a name: a number, or that someone has left or died.
NUMBERED = re.compile(r"^(?:no\.?\s*)?#?\d{1,4}\s*[.):-]?\s+(?=[^\W\d_])", re.I)
AFTER_NAME = re.compile(
    r"\s*(?:\((?:\d+|left|has left|leaver|resigned|retired|lapsed|deceased|dec'?d?|died|rip|r\.i\.p\.|new|new member|"
    r"member|m|sub|reserve)\.?\)|[-–,]\s*(?:deceased|left|resigned|rip)|\brip)\s*$",
    re.I,
)


WIND = r"(?:[ESWN]|East|South|West|North)"
# Around a name: a seat, a telephone, letters after it, pictures.
AROUND_NAME = re.compile(
    rf"^(?:\[[^\]]*\]|{WIND}\s*[:=)]|(?:East|South|West|North)\s+[-–])\s*|"
    rf"\s*(?:\[[^\]]*\]|\s[-–]\s*{WIND}|[,(]?\s*(?:tel\w*\.?:?\s*)?(?:\+44|0)[\d ()-]{{8,}}\d\)?|"
    r",?\s(?:MBE|OBE|CBE|BEM|KBE|DBE|JP|DL|MP|BA|BSc|MA|MSc|PhD|FRCS))$",
    re.I,
)
PICTURES = re.compile(r"^[^\w\s(\[\"'“‘?*-]+\s*|\s*[^\w\s.)\]\"'”’?*†-]+$")


def without_remarks(text: str) -> str:
    """Return a name without what clubs write around it; the name itself always stays."""
    name, before = text, ""
    while name != before:
        before = name
        for pattern in (PICTURES, AROUND_NAME):
            shorter = pattern.sub("", name).strip()
            name = shorter if any(map(str.isalpha, shorter)) else name
    return name


def read_name(text: str) -> tuple[str, bool]:
    """Return a name with the first name in front and without words in capitals, and whether it is a guest's."""
    text = without_remarks(text)
    name = GUEST.sub("", text).strip()
    name = GUEST.sub("", AFTER_NAME.sub("", NUMBERED.sub("", name))).strip() or name
    is_guest = bool(re.search(r"\((?:guest|g|visitor|v)\)", text, re.I))
    return in_small_letters(turned(name) or name), is_guest


def in_small_letters(name: str) -> str:
    """Return CARTER Carol as Carol Carter, and elsie ellis as Elsie Ellis."""
    words = name.split()
    capitals = [_in_capitals(word) for word in words]
    # SUSAN NG has a short surname, CARTER J an initial.
    is_turned = capitals[:1] == [True] and not capitals[-1] and not (name.isupper() and len(words[-1]) == 2)
    if is_turned:
        number = capitals.index(False)
        words = words[number:] + words[:number]
    if len(words) > 1 and name.islower():
        words = [word if word in PARTICLES else re.sub(r"(?:^|(?<=[-'’]))\w", _capital, word) for word in words]
    return " ".join(_few_capitals(word) for word in words)


# Small letters within a name, as in Walter van der Berg.
PARTICLES = {"van", "von", "der", "den", "de", "di", "da", "del", "la", "le", "y"}


def _capital(letter: re.Match[str]) -> str:
    return letter[0].upper()


def _in_capitals(word: str) -> bool:
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


IS_TOTAL = re.compile(
    r"(?:(?:sub|grand|running|overall)?[- ]?(?:totals?|sums?)|averages?|avg?e?\.?|ave\.?|mean|median|count|"
    r"(?:cross[- ]?|zero )?check|checksum|tot\.?|σ|balance|diff(?:erence)?|cumulative|"
    r"(?:high|low|top|best|worst)(?:est)? ?(?:score|hand)?|max(?:imum)?|min(?:imum)?|attendances?|attended|played|"
    r"games|sessions|tables?|hands|mah[- ]?jongs?|winners?|losers?|guests|members|"
    r"(?:brought|carried) f(?:or)?w(?:ar)?d|[bc]/(?:f|fwd)|should be (?:0|zero|nil)|"
    r"(?:no\.?|number) (?:of )?(?:players|sessions|games|weeks|played|present|tables|guests|members|hands).*|"
    r"players|present|present today)(?<! )\s*:?\s*"
    r"(?:\(.*\)|= ?0|score|points|played|for .*|of .*|to date|net|per .*|ytd|\d+)?\Z",
    re.I,
)

HAS_TOTAL = re.compile(
    r"\b(?:sub|grand )?-?totals?\b|\b(?:sum|average|count)s?\s*:?\Z|\baverage per\b|"
    r"\b(?:running|cumulative|cum|check)\b|\bshould (?:be|add)\b|\bchecked by\b",
    re.I,
)


def is_total(text: str) -> bool:
    """Return whether a heading, or a cell instead of a name, is about totals: "Total", "Jean Total"."""
    return bool(IS_TOTAL.match(text) or HAS_TOTAL.search(text))
