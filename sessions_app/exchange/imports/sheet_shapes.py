"""Recognise how a club lays out a sheet of results: which row has the headings, and what each column is.

Pure functions on rows of text. What they guess is shown, and can be changed, before anything is read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sessions_app.exchange.imports.sheet_values import (
    Years,
    is_number,
    is_total,
    looks_like_a_date,
    years_in,
)
from sessions_app.exchange.imports.spreadsheets import rectangular
from sessions_app.exchange.imports.totals_file import is_export, name_of
from sessions_app.people.plain_text import plain_figure

# One row a result; one row a table, with names and figures in turn; players down and dates across; dates down and
# players across.
LIST, TABLES, DATES_ACROSS, PLAYERS_ACROSS = "list", "tables", "dates across", "players across"

SHAPES = {
    LIST: "One row for each result",
    TABLES: "One row for each table",
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
    "league": "League",
    LEFT_OUT: "Leave out",
}

# What clubs call a column, in small letters without punctuation; the first that fits is taken.
HEADINGS = {
    "player": "player|name|players name|player name|full name|member|members name|members|players|names|who|person",
    "first": "first name|first|forename|christian name|given name",
    "last": "surname|last name|last|family name",
    "date": "date|day|played on|session date|meeting date|when|date played|date of play|date of game|game date|"
    "date of session|date of meeting|week beginning",
    "net": "net|won or lost|points won or lost|points won lost|net won or lost|won lost|win lose|win loss|w l|"
    "net score|net points|net total|score|points|pts|result|"
    "final score|score on the day|scores|results|total score|total points|points won|total|plus minus|plus or minus",
    "table": "table|table no|table number|tbl",
    "meeting": "meeting|event|occasion|venue",
    "rules": "rules|rules played",
    "recording": "recording",
    "guest": "guest|visitor",
    "seat": "seat|chair",
    "hands": "hands|hands played|no of hands|number of hands|games",
    "won": "won|hands won|mah jongs|mahjongs|mah jong|wins|mj|mjs",
    "gained": "gained|points gained|received|credit|credits|plus|win",
    "lost": "lost|points lost|paid|debit|debits|minus|lose",
    "balance": "balance|running total|running balance",
}

SIGNS = {"+/-": "net", "±": "net", "+": "gained", "-": "lost"}
WORDS = {word: key for key, words in reversed(HEADINGS.items()) for word in words.split("|")}
PLACES = re.compile(
    r"(?:pos|posn|position|place|rank|ranking|no|number|notes?|comments?|remarks|week|wk|week no|year|month|day|time|"
    r"game|game no|round|meeting no|session no|weather|host|check|scorer)\Z",
    re.I,
)

# Headings of players where a row is a table, besides the words for a player.
WINDS = {"east", "south", "west", "north", *"eswn"}
SEATS = WINDS | {"1st", "2nd", "3rd", "4th", "5th", "6th"}
SEATS |= {"winner", "second", "third", "fourth", "fifth", "loser", "runner up"}
NAMED = ("player", "first", "last")
# Meanings of columns that no player's name can have.
FIGURES = {"net", "won", "lost", "gained", "balance", "hands", "seat", "rules", "recording", "date", "player"}
A_TABLE = re.compile(r"(?:(?:table|tbl|t)\.?\s*(?:no\.?\s*)?(?P<number>\d{1,3})|table\s+(?P<letter>[A-H]))\Z", re.I)
# A form's own note of when it was sent is no date of play.
A_TIMESTAMP = re.compile(
    r"(?:time ?stamp|(?:date |time )?(?:submitted|entered|recorded|created|modified|received)(?: (?:at|on|time|date))?|"
    r"(?:submission|completion|start|entry) (?:time|date)|last modified(?: time)?)\Z",
    re.I,
)
A_DAY = re.compile(r"\d{1,2}[/.-]\d{1,2}")

# Headings stand near the top; a guess looks at this many rows.
TOP, LOOKED_AT = 25, 300
# A row with so many known words has the headings, whatever its other cells are.
KNOWN_WORDS = 2


@dataclass(frozen=True)
class Layout:
    """How one sheet is read: its shape, the row of its headings (None if it has none), and what each column is.

    `years` are for dates without a year, from the title or the sheet's name.
    """

    shape: str
    header: int | None
    columns: tuple[str, ...]
    used: bool = True
    years: Years | None = None

    @property
    def first_row(self) -> int:
        return 0 if self.header is None else self.header + 1

    def columns_of(self, meaning: str) -> list[int]:
        return [column for column, one in enumerate(self.columns) if one == meaning]

    def headings(self, rows: Sequence[Sequence[str]]) -> list[str]:
        """Return the heading of each column, blank where there is none."""
        row = [] if self.header is None else rows[self.header]
        return [*row, *[""] * len(self.columns)][: len(self.columns)]


def recognise_layout(
    name: str, rows: Sequence[Sequence[str]], header: int | None = None, shape: str | None = None
) -> Layout:
    """Return how a sheet of that name is probably laid out; it is not `used` if we can find no results in it.

    Someone may have said which row has the headings, and which shape the sheet has.
    """
    rows = rectangular(rows)
    # What a form noted of when it was sent is left blank.
    stamps = {column for row in rows[:TOP] for column, cell in enumerate(row) if A_TIMESTAMP.match(cell)}
    top = [["" if column in stamps else cell for column, cell in enumerate(row)] for row in rows[:LOOKED_AT]]
    if header is not None:
        top[:header] = [[""] * len(row) for row in top[:header]]
    guesses = (_as_exported, _dates_across, _tables, _with_headings, _players_across, _without_headings)
    fitting = [one for one in (guess(top) for guess in guesses) if one and header in (None, one.header)]
    found = next((one for one in fitting if one.shape == shape), fitting[0] if fitting else None)
    if found is None:
        at = _row_of_headings(top) if header is None else header
        if at is None:
            return Layout(LIST, None, (LEFT_OUT,) * max(map(len, rows), default=0), used=False)
        found = _by_headings(top, at, shape or LIST)
        found = replace(found, used=header is not None or _known_words(top[at]) >= KNOWN_WORDS)
    above = [" ".join(filter(None, row)) for row in rows[: found.header or 0]]
    return replace(found, years=next(filter(None, map(years_in, [name, *above])), None))


def _row_of_headings(rows: list[list[str]]) -> int | None:
    """Return the first row with two known words, else the first that has several words and nothing else."""
    known = (at for at, row in enumerate(rows[:TOP]) if _known_words(row) >= KNOWN_WORDS)
    several = ((at, row) for at, row in enumerate(rows[:TOP]) if sum(map(bool, row)) > 1)
    words = (at for at, row in several if not any(is_number(cell) or looks_like_a_date(cell) for cell in row))
    return next(known, next(words, None))


def _known_words(row: list[str]) -> int:
    return sum(bool(word_of(cell)) for cell in row)


def _by_headings(rows: list[list[str]], header: int, shape: str) -> Layout:
    """Return what a row says of its columns where no whole layout was recognised, for someone to complete."""
    headings, below = rows[header], rows[header + 1 :]
    across = looks_like_a_date if shape == DATES_ACROSS else may_be_a_player
    words = [word_of(cell) for cell in headings]
    if shape in (DATES_ACROSS, PLAYERS_ACROSS):
        words = [word or (RESULT if across(cell) else LEFT_OUT) for word, cell in zip(words, headings, strict=True)]
        return Layout(shape, header, tuple(words))
    return Layout(shape, header, tuple(_each_once(words, headings, below) if shape == LIST else words))


def lone_cell(row: Sequence[str]) -> str:
    """Return the text of a row that has only one cell with text, else nothing."""
    filled = [cell for cell in row if cell]
    return filled[0] if len(filled) == 1 else ""


def word_of(heading: str) -> str:
    """Return what a column with that heading is, or nothing."""
    plain = _plain(heading)
    if A_DAY.search(heading):
        # "4/9/25 won" is of one day: the column says no more of the others.
        return LEFT_OUT
    if not plain:
        return SIGNS.get(plain_figure(heading).replace(" ", ""), LEFT_OUT)
    return WORDS.get(plain, LEFT_OUT)


def _plain(heading: str) -> str:
    """Return a heading in small letters without figures and punctuation."""
    return " ".join(re.sub(r"[^a-z ]", " ", heading.casefold().replace("’", "").replace("'", "")).split())


def is_place(heading: str) -> bool:
    """Return whether a heading is that of a position, a number or a note."""
    return bool(PLACES.match(heading.strip(" .#"))) or heading.strip() == "#"


def is_table(heading: str) -> bool:
    """Return whether a cell is "Table 3" or "Table C"."""
    return bool(A_TABLE.match(heading))


def table_number(heading: str) -> int | None:
    """Return 3 for "Table 3" and for "Table C"; None for what is neither."""
    found = A_TABLE.match(heading)
    if not found:
        return None
    return int(found["number"]) if found["number"] else ord(found["letter"].upper()) - ord("A") + 1


def is_seat(heading: str) -> bool:
    """Return whether a heading is that of one of a table's players: "Player 2", "East"."""
    first = heading.partition(" ")[0].strip(" .").casefold()
    whose = heading.rpartition(" ")[2] if first in SEATS else heading
    return word_of(whose) == "player" or heading.strip(" .").casefold() in SEATS


def may_be_a_player(heading: str) -> bool:
    is_figure = is_total(heading) or is_place(heading) or word_of(heading) in FIGURES
    return _is_name(heading) and not (is_figure or is_seat(heading))


def _is_name(cell: str) -> bool:
    is_other = cell.casefold() in WINDS or cell.startswith("#") or looks_like_a_date(cell) or is_number(cell)
    return not is_other and any(letter.isalpha() for letter in cell)


KINDS = {"date": looks_like_a_date, "net": is_number, "player": _is_name}

# Each guess returns a Layout, or None if the rows do not have that shape.


def _as_exported(rows):
    at = next((at for at, row in enumerate(rows[:TOP]) if is_export(row)), None)
    names = [] if at is None else map(name_of, rows[at])
    columns = tuple(name if name in MEANINGS else LEFT_OUT for name in names)
    return None if at is None else Layout(LIST, at, columns)


def _dates_across(rows):
    for at, row in enumerate(rows[:TOP]):
        dates = [column for column, cell in enumerate(row) if looks_like_a_date(cell)]
        below = rows[at + 1 :]
        words = [word_of(cell) for cell in row]
        has_net = any(word == "net" and not is_total(cell) for word, cell in zip(words, row, strict=True))
        is_one = len(dates) == 1 and "player" in words and not has_net
        # Figures without a heading between two dates: each date has several columns.
        bare = [column for column in range(dates[0], dates[-1]) if not row[column]] if dates else []
        is_wide = any(sum(is_number(cells[column]) for cells in below) > 1 for column in bare)
        if not below or not (2 <= len(dates) < len(row) or is_one) or is_wide:
            continue
        columns = [RESULT if column in dates else LEFT_OUT for column in range(len(row))]
        _name_columns(columns, row, below, dates[0])
        return Layout(DATES_ACROSS, at, tuple(columns))
    return None


def _name_columns(columns, headings, below, end):
    """Find the names: the columns that say so, else the one with most text before the results."""
    words = {word_of(cell): column for column, cell in enumerate(headings) if columns[column] != RESULT}
    if {"first", "last"} <= set(words):
        columns[words["first"]], columns[words["last"]] = "first", "last"
    elif "player" in words:
        # Blocks side by side have their own names.
        for column, cell in enumerate(headings):
            if word_of(cell) == "player" and (column == words["player"] or RESULT in columns[column:]):
                columns[column] = "player"
    else:
        names = max(range(end), key=lambda column: sum(_is_name(row[column]) for row in below), default=0)
        columns[names] = "player"
    if "guest" in words:
        columns[words["guest"]] = "guest"


def _tables(rows):
    """Find rows of a date with two players or more, each with a figure behind the name, or behind all the names."""
    body = [row for row in rows if any(map(looks_like_a_date, row))]
    if all(map(lone_cell, body)):
        return None
    first = rows.index(body[0])
    header = next((at for at in reversed(range(first)) if sum(map(bool, rows[at])) >= 3), None)
    headings = rows[header] if header is not None else [""] * len(rows[0])
    filled = [list(filter(None, cells)) for cells in zip(*body, strict=True)]
    kinds = [_kind_of_column(*column, header is not None) for column in zip(headings, filled, strict=True)]
    names, nets, dates = ([at for at, kind in enumerate(kinds) if kind == one] for one in ("player", "net", "date"))
    behind = [column + 1 for column in names if column + 1 in nets]
    if len(behind) < len(names):
        behind = [column for column in nets if _is_score(headings[column])]
    if len(names) < (3 if header is None else 2) or len(behind) != len(names) or not dates:
        return None
    columns = [word if (word := word_of(cell)) in ("table", "meeting", "rules") else LEFT_OUT for cell in headings]
    if header is None and names[0] and names[0] - 1 not in dates and all(map(is_number, filled[names[0] - 1])):
        columns[names[0] - 1] = "table"
    for meaning, some in (("date", dates[:1]), ("player", names), ("net", behind)):
        for column in some:
            columns[column] = meaning
    return Layout(TABLES, header, tuple(columns))


def _kind_of_column(heading, cells, has_header):
    if cells and all(map(looks_like_a_date, cells)):
        return "date"
    if cells and all(map(_is_name, cells)) and (not has_header or is_seat(heading)):
        return "player"
    is_net = word_of(heading) in ("net", LEFT_OUT) and not is_place(heading)
    return "net" if is_net and any(map(is_number, cells)) and not any(map(_is_name, cells)) else ""


def _is_score(heading):
    """Return whether a heading is that of a player's score, also by its last word: "East score"."""
    return "net" in (word_of(heading), word_of(heading.rpartition(" ")[2])) or is_seat(heading)


def _with_headings(rows):
    """Find the row that names the most columns of a list; a player and a result are the least."""
    found = [(at, words) for at, row in enumerate(rows[:TOP]) if _name_a_list(words := list(map(word_of, row)))]
    if not found:
        return None
    at, words = max(found, key=lambda one: len(set(one[1]) - {LEFT_OUT}))
    if "balance" in words and not {"net", "lost"} & set(words):
        words[words.index("balance")] = "net"
    if "lost" in words and "gained" not in words:
        words = ["gained" if _plain(cell) == "points won" else one for cell, one in zip(rows[at], words, strict=True)]
    if "net" not in words and "won" in words and "lost" in words and "gained" not in words:
        words[words.index("won")] = "gained"
    return Layout(LIST, at, tuple(_each_once(words, rows[at], rows[at + 1 :])))


def _name_a_list(words: list[str]) -> bool:
    return bool({"net", "lost", "balance"} & set(words)) and ("player" in words or {"first", "last"} <= set(words))


def _each_once(meanings, headings, below):
    """Keep one column of each meaning: the one whose heading is named first in HEADINGS, if it holds anything."""

    def order(column):
        words, plain = HEADINGS.get(meanings[column], "").split("|"), _plain(headings[column])
        return not any(row[column] for row in below), words.index(plain) if plain in words else -1

    kept: dict[str, int] = {}
    for column in sorted(range(len(meanings)), key=order):
        kept.setdefault(meanings[column], column)
    return [meaning if kept[meaning] == column else LEFT_OUT for column, meaning in enumerate(meanings)]


def _players_across(rows):
    """Find a column of dates, and columns of figures whose headings are names."""
    width = max(map(len, rows), default=0)
    for date_column in range(min(width, 4)):
        dated = [at for at, row in enumerate(rows) if looks_like_a_date(row[date_column])]
        if not dated:
            continue
        body = [rows[at] for at in dated]
        others = [column for column in range(width) if column != date_column]
        cells = {column: [row[column] for row in body] for column in others}
        figures = [
            column
            for column, some in cells.items()
            if sum(map(is_number, some)) >= max(1, sum(_is_name(cell) and len(cell) > 8 for cell in some))
        ]
        heads = [at for at in range(dated[0]) if sum(_is_name(rows[at][column]) for column in figures) >= 2]
        texts = [column for column in others if sum(_is_name(row[column]) for row in body) > len(body) / 2]
        has_two_rows = {heads[-1] - 1} <= {*heads} if heads else True
        if len(figures) < 2 or has_two_rows or any(word_of(rows[heads[-1]][column]) in NAMED for column in texts):
            continue
        headings = rows[heads[-1]]
        columns = [LEFT_OUT] * width
        for column in figures:
            if may_be_a_player(headings[column]):
                columns[column] = RESULT
        for column in {*figures, *texts}:
            meaning = word_of(headings[column])
            if meaning in ("table", "meeting") or (meaning == "rules" and column in texts):
                columns[column] = meaning
        columns[date_column] = "date"
        return Layout(PLAYERS_ACROSS, heads[-1], tuple(columns)) if columns.count(RESULT) > 1 else None
    return None


def _without_headings(rows):
    """Find the names, the dates and the figures of a bare list, where it has one column of each."""
    filled = [row for row in rows if sum(map(bool, row)) >= 2]
    columns = [
        next((meaning for meaning, is_one in KINDS.items() if all(map(is_one, filter(None, cells)))), LEFT_OUT)
        for cells in zip(*filled, strict=True)
        if any(cells)
    ]
    is_bare = len(filled) > 1 and sorted(columns) == sorted(KINDS) and len(columns) == len(rows[0])
    return Layout(LIST, None, tuple(columns)) if is_bare else None
