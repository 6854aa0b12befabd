"""Recognise how a club lays out a sheet of results: which row has the headings, and what each column is.

Pure functions on rows of text. What they guess is shown, and can be changed, before anything is read.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sessions_app.exchange.imports.sheet_values import (
    Years,
    has_year,
    is_number,
    is_total,
    looks_like_a_date,
    years_in,
)

# One row a result; players down and dates across; dates down and players across.
LIST, DATES_ACROSS, PLAYERS_ACROSS = "list", "dates across", "players across"

SHAPES = {
    LIST: "One row for each result",
    DATES_ACROSS: "Players down, dates across",
    PLAYERS_ACROSS: "Dates down, players across",
}

# What a column can be, as the page says it. A RESULT column has a date or a player as its heading.
LEFT_OUT, RESULT = "", "result"

MEANINGS = {
    "player": "Player",
    "first": "First name",
    "last": "Surname",
    "date": "Date",
    "net": "Won or lost",
    RESULT: "Results",
    "table": "Table",
    "meeting": "Meeting",
    "rules": "Rules",
    "recording": "How it was recorded",
    "guest": "Guest",
    "seat": "Seat",
    "hands": "Hands played",
    "won": "Hands won",
    "gained": "Points gained",
    "lost": "Points lost",
    "balance": "Balance",
    LEFT_OUT: "Leave out",
}

# What clubs call a column, in small letters without punctuation; the first that fits is taken.
HEADINGS = {
    "player": "player|name|players name|player name|full name|member|members name|members|players|names|who|person",
    "first": "first name|first|forename|christian name|given name",
    "last": "surname|last name|last|family name",
    "date": "date|day|played on|session date|meeting date|when|date played|week beginning",
    "net": "net|won or lost|won lost|win lose|win loss|w l|net score|net points|net total|score|points|pts|result|"
    "final score|score on the day|total score|total points|points won|total|plus minus|plus or minus",
    "table": "table|table no|table number|tbl",
    "meeting": "meeting|event|occasion|venue",
    "rules": "rules|rules played",
    "recording": "recording",
    "guest": "guest|visitor",
    "seat": "seat|chair",
    "hands": "hands|hands played|no of hands|number of hands|games",
    "won": "won|hands won|mah jongs|mahjongs|mah jong|wins|mj|mjs",
    "gained": "gained|points gained|received",
    "lost": "lost|points lost|paid",
    "balance": "balance|running total|running balance",
}

WORDS = {word: key for key, words in reversed(HEADINGS.items()) for word in words.split("|")}
PLACES = {"pos", "posn", "position", "place", "rank", "ranking", "no", "number", "notes", "note", "comment", "comments"}

# Headings stand near the top; a guess looks at this many rows.
TOP, LOOKED_AT = 25, 300


@dataclass(frozen=True)
class Layout:
    """How one sheet is read. `header` is the place of the headings' row, None where there is none.

    `columns` has what each column is. `years` are those of dates that name none, from the title or the sheet's name.
    """

    shape: str
    header: int | None
    columns: tuple[str, ...]
    used: bool = True
    years: Years | None = None
    title: str = ""
    needs_years: bool = False
    dates: list[str] = field(default_factory=list)

    @property
    def first_row(self) -> int:
        return 0 if self.header is None else self.header + 1

    def places(self, meaning: str) -> list[int]:
        return [at for at, one in enumerate(self.columns) if one == meaning]

    @property
    def missing(self) -> list[str]:
        """Sentences about columns that results cannot do without."""
        if not self.used:
            return []
        found = []
        if self.shape != PLAYERS_ACROSS and not (self.places("player") or self.places("first") or self.places("last")):
            found.append("Choose the column with the players’ names.")
        if self.shape != DATES_ACROSS and not self.places("date") and not self.dates:
            found.append("Choose the column with the dates.")
        if self.shape == LIST and not (self.places("net") or (self.places("gained") and self.places("lost"))):
            found.append("Choose the column with what each player won or lost.")
        if self.shape != LIST and not self.places(RESULT):
            found.append("Choose the columns with results.")
        twice = [key for key, number in Counter(self.columns).items() if number > 1 and key not in (LEFT_OUT, RESULT)]
        return found + [f"Choose “{MEANINGS[key]}” for one column only." for key in twice]


def recognise(name: str, rows: Sequence[Sequence[str]], default: Years | None = None) -> Layout:
    """Return how a sheet of that name is probably laid out; not `used` where it holds no results that we can find."""
    width = max(map(len, rows), default=0)
    looked = [list(row) + [""] * (width - len(row)) for row in rows[:LOOKED_AT]]
    found = _dates_across(looked) or _with_headings(looked) or _players_across(looked) or _without_headings(looked)
    if found is None:
        return Layout(LIST, None, (LEFT_OUT,) * width, used=False)
    above = [" ".join(filter(None, row)) for row in looked[: found.header or 0]]
    years = next(filter(None, map(years_in, [name, *above])), None)
    dates = dates_of(found, looked if len(rows) <= LOOKED_AT else [list(row) for row in rows])
    lacks_year = any(not has_year(text) for text in dates)
    title = next((text for text in above if text), "")
    return replace(found, years=years or default, title=title, needs_years=lacks_year, dates=dates)


def dates_of(layout: Layout, rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the cells of a sheet that are read as dates."""
    if layout.shape == DATES_ACROSS:
        heads = [row for row in rows if _is_row_of_dates(row, layout.places(RESULT))]
        return [row[at] for row in heads for at in layout.places(RESULT) if at < len(row) and row[at]]
    below = rows[layout.first_row :]
    if not layout.places("date"):
        return [cell for row in below if (cell := lone_cell(row)) and looks_like_a_date(cell)]
    return [row[at] for at in layout.places("date") for row in below if at < len(row) and looks_like_a_date(row[at])]


def lone_cell(row: Sequence[str]) -> str:
    """Return the text of a row that has only one cell with text, else nothing."""
    filled = [cell for cell in row if cell]
    return filled[0] if len(filled) == 1 else ""


def word_of(heading: str) -> str:
    """Return what a column with that heading is, or nothing."""
    plain = " ".join(re.sub(r"[^a-z ]", " ", heading.casefold().replace("’", "").replace("'", "")).split())
    if heading.strip() in ("+/-", "+/−", "±", "+ / -"):
        return "net"
    return WORDS.get(plain, LEFT_OUT)


def is_place(heading: str) -> bool:
    """Return whether a heading is that of a position, a number or a note."""
    return heading.strip(" .#").casefold() in PLACES or heading.strip() == "#"


def _is_row_of_dates(row, places=None):
    cells = [row[at] for at in places if at < len(row)] if places is not None else row
    dates = sum(looks_like_a_date(cell) for cell in cells)
    return dates >= 2 and 2 * dates >= sum(1 for cell in cells if cell) - 6


def _dates_across(rows):
    for at, row in enumerate(rows[:TOP]):
        dates = [place for place, cell in enumerate(row) if looks_like_a_date(cell)]
        below = rows[at + 1 :]
        is_one = len(dates) == 1 and any(word_of(cell) == "player" for cell in row) and not any(map(_is_net, row))
        if not below or not (len(dates) >= 2 and len(dates) < len(row) or is_one):
            continue
        columns = [LEFT_OUT] * len(row)
        for place in dates:
            columns[place] = RESULT
        _name_columns(columns, row, below, dates[0])
        return Layout(DATES_ACROSS, at, tuple(columns))
    return None


def _is_net(cell):
    return word_of(cell) == "net" and not is_total(cell)


def _name_columns(columns, headings, below, end):
    """Find the names: the columns that say so, else the one with most text before the results."""
    told = {word_of(cell): place for place, cell in enumerate(headings) if columns[place] != RESULT}
    if {"first", "last"} <= set(told):
        columns[told["first"]], columns[told["last"]] = "first", "last"
    elif "player" in told:
        columns[told["player"]] = "player"
    else:
        texts = {place: sum(_is_name(row[place]) for row in below) for place in range(end)} or {0: 0}
        columns[max(texts, key=lambda place: texts[place])] = "player"
    if "guest" in told:
        columns[told["guest"]] = "guest"


def _is_name(cell):
    return any(letter.isalpha() for letter in cell) and not looks_like_a_date(cell) and not is_number(cell)


def _with_headings(rows):
    """Find the row that names the columns of a list; a player and a result are the least."""
    best, most = None, 1
    for at, row in enumerate(rows[:TOP]):
        told = [word_of(cell) for cell in row]
        number = len(set(told) - {LEFT_OUT})
        has_result = "net" in told or "lost" in told or ("won" in told and "lost" in told)
        has_name = "player" in told or {"first", "last"} <= set(told)
        if has_name and has_result and number > most:
            best, most = (at, told), number
    if best is None:
        return None
    at, told = best
    if "net" not in told and "won" in told and "lost" in told and "gained" not in told:
        told[told.index("won")] = "gained"
    if "player" in told:
        told = [LEFT_OUT if one in ("first", "last") else one for one in told]
    return Layout(LIST, at, tuple(_each_once(told, rows[at], rows[at + 1 :])))


def _each_once(told, headings, below):
    """Keep one column of each meaning: the one whose heading is named first in HEADINGS, if it holds anything."""
    kept = [LEFT_OUT] * len(told)
    for meaning in set(told) - {LEFT_OUT}:
        words = HEADINGS[meaning].split("|")
        places = [at for at, one in enumerate(told) if one == meaning]

        def order(at, words=words):
            plain = " ".join(re.sub(r"[^a-z ]", " ", headings[at].casefold()).split())
            return not any(row[at] for row in below), words.index(plain) if plain in words else -1, at

        kept[min(places, key=order)] = meaning
    return kept


def _players_across(rows):
    """Find a column of dates beside columns of figures whose headings are names."""
    width = max(map(len, rows), default=0)
    for place in range(min(width, 4)):
        dated = [at for at, row in enumerate(rows) if looks_like_a_date(row[place])]
        if not dated:
            continue
        first = dated[0]
        body = [rows[at] for at in dated]
        figures = [at for at in range(width) if at != place and _are_figures([row[at] for row in body])]
        heads = [at for at in range(first) if sum(_is_name(rows[at][column]) for column in figures) >= 2]
        texts = [at for at in range(width) if at != place and sum(_is_name(row[at]) for row in body) > len(body) / 2]
        if len(figures) < 2 or not heads or any(is_heading_of_names(rows[heads[-1]][at]) for at in texts):
            continue
        header = heads[-1]
        columns = [LEFT_OUT] * width
        for at in figures:
            heading = rows[header][at]
            if word_of(heading) in ("table", "meeting"):
                columns[at] = word_of(heading)
            elif _is_name(heading) and not is_total(heading) and not is_place(heading):
                columns[at] = RESULT
        columns[place] = "date"
        for at in texts:
            if word_of(rows[header][at]) in ("meeting", "rules", "table"):
                columns[at] = word_of(rows[header][at])
        return Layout(PLAYERS_ACROSS, header, tuple(columns)) if columns.count(RESULT) > 1 else None
    return None


def is_heading_of_names(heading: str) -> bool:
    return word_of(heading) in ("player", "first", "last")


def _are_figures(cells):
    numbers = sum(is_number(cell) for cell in cells)
    return numbers and all(is_number(cell) or not _is_name(cell) or len(cell) < 9 for cell in cells)


def _without_headings(rows):
    """Find what the columns of a bare list are by what stands in them: a date, a name and a figure."""
    filled = [row for row in rows if sum(1 for cell in row if cell) >= 2]
    width = max(map(len, rows), default=0)
    if not filled:
        return None

    def share(at, test):
        return sum(test(row[at]) for row in filled) / len(filled)

    names = max(range(width), key=lambda at: (share(at, _is_name), -at))
    columns = [LEFT_OUT] * width
    dates = [at for at in range(width) if share(at, looks_like_a_date) > 0.5]
    numbers = [at for at in range(width) if share(at, is_number) > 0.5 and at not in dates]
    if share(names, _is_name) <= 0.5 or not numbers:
        return None
    columns[names] = "player"
    signed = [at for at in numbers if any(row[at].startswith(("-", "−", "(")) for row in filled)]
    columns[(signed or numbers)[-1]] = "net"
    if dates:
        columns[dates[0]] = "date"
    small = [at for at in numbers if columns[at] == LEFT_OUT and all(len(row[at]) < 3 for row in filled)]
    if small and small[0] < numbers[-1]:
        columns[small[0]] = "table"
    top = next(at for at, row in enumerate(rows) if sum(1 for cell in row if cell) >= 2)
    is_heading = not any(is_number(cell) or looks_like_a_date(cell) for cell in rows[top])
    return Layout(LIST, top if is_heading else None, tuple(columns))
