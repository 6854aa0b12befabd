"""Recognise how a club lays out a sheet of results: which row has the headings, and what each column is.

Pure functions on rows of text. What they guess is shown, and can be changed, before anything is read.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sessions_app.exchange.imports.sheet_values import (
    Years,
    date_in,
    has_year,
    is_number,
    is_total,
    looks_like_a_date,
    turns_the_year,
    years_in,
)

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
    LEFT_OUT: "Leave out",
}

# What clubs call a column, in small letters without punctuation; the first that fits is taken.
HEADINGS = {
    "player": "player|name|players name|player name|full name|member|members name|members|players|names|who|person",
    "first": "first name|first|forename|christian name|given name",
    "last": "surname|last name|last|family name",
    "date": "date|day|played on|session date|meeting date|when|date played|week beginning",
    "net": "net|won or lost|won lost|win lose|win loss|w l|net score|net points|net total|score|points|pts|result|"
    "final score|score on the day|scores|results|total score|total points|points won|total|plus minus|plus or minus",
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

SIGNS = {"+/-": "net", "±": "net", "+": "gained", "-": "lost"}
WORDS = {word: key for key, words in reversed(HEADINGS.items()) for word in words.split("|")}
PLACES = re.compile(
    r"(?:pos|posn|position|place|rank|ranking|no|number|notes?|comments?|remarks|week|wk|week no|year|month|day|time|"
    r"game|game no|round|meeting no|session no|weather|host|check|scorer)\Z",
    re.I,
)

# What stands above the players of a table that is one row, with the words for a player.
SEATS = set("eswn") | {"east", "south", "west", "north", "1st", "2nd", "3rd", "4th", "5th", "6th"}
SEATS |= {"winner", "second", "third", "fourth", "fifth", "loser", "runner up"}
# What a column can be that is no player's.
FIGURES = {"net", "won", "lost", "gained", "balance", "hands", "seat", "rules", "recording", "date", "player"}
A_TABLE = re.compile(r"(?:table|tbl|t)\.?\s*(?:no\.?\s*)?(?P<number>\d{1,3})\Z", re.I)

# Headings stand near the top; a guess looks at this many rows.
TOP, LOOKED_AT = 25, 300


NO_DATES = "Choose the column with the dates. If there is none, enter the dates in your spreadsheet first."


@dataclass(frozen=True)
class Layout:
    """How one sheet is read. `header` is the number of the headings' row, None where there is none.

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

    def columns_of(self, meaning: str) -> list[int]:
        return [at for at, one in enumerate(self.columns) if one == meaning]

    @property
    def lacks_dates(self) -> bool:
        return self.shape != DATES_ACROSS and not self.columns_of("date") and not self.dates

    @property
    def missing(self) -> list[str]:
        """Sentences about columns that results cannot do without."""
        if not self.used:
            return []
        found = []
        if self.shape != PLAYERS_ACROSS and not (
            self.columns_of("player") or self.columns_of("first") or self.columns_of("last")
        ):
            found.append("Choose the column with the players’ names.")
        if self.lacks_dates:
            found.append(NO_DATES)
        if self.shape == TABLES and len(self.columns_of("player")) != len(self.columns_of("net")):
            found.append("Choose one column with what was won or lost for each column with a player.")
        if self.shape == LIST and not (
            self.columns_of("net") or (self.columns_of("gained") and self.columns_of("lost"))
        ):
            found.append("Choose the column with what each player won or lost.")
        if self.shape in (DATES_ACROSS, PLAYERS_ACROSS) and not self.columns_of(RESULT):
            found.append("Choose the columns with results.")
        several = {LEFT_OUT, RESULT} | {TABLES: {"player", "net"}, DATES_ACROSS: {"player"}}.get(self.shape, set())
        twice = [key for key, number in Counter(self.columns).items() if number > 1 and key not in several]
        return found + [f"Choose “{MEANINGS[key]}” for one column only." for key in twice]


def recognise(name: str, rows: Sequence[Sequence[str]], default: Years | None = None) -> Layout:
    """Return how a sheet of that name is probably laid out; not `used` where it holds no results that we can find."""
    width = max(map(len, rows), default=0)
    looked = [list(row) + [""] * (width - len(row)) for row in rows[:LOOKED_AT]]
    guesses = (_dates_across, _tables, _with_headings, _players_across, _without_headings)
    found = next(filter(None, (guess(looked) for guess in guesses)), None)
    if found is None:
        return Layout(LIST, None, (LEFT_OUT,) * width, used=False)
    above = [" ".join(filter(None, row)) for row in looked[: found.header or 0]]
    years = next(filter(None, map(years_in, [name, *above])), None)
    dates = dates_of(found, looked if len(rows) <= LOOKED_AT else [list(row) for row in rows], name)
    lacks_year = any(not has_year(text) for text in dates)
    if years and years.first == years.last and turns_the_year(dates):
        years = Years(years.first, years.first + 1)
    title = next((text for text in above if text), "")
    return replace(found, years=years or default, title=title, needs_years=lacks_year, dates=dates)


def dates_of(layout: Layout, rows: Sequence[Sequence[str]], name: str = "") -> list[str]:
    """Return the cells of a sheet that are read as dates, or the date in its name or title."""
    if layout.shape == DATES_ACROSS:
        heads = [row for row in rows if _is_row_of_dates(row, layout.columns_of(RESULT))]
        return [row[at] for row in heads for at in layout.columns_of(RESULT) if at < len(row) and row[at]]
    below = rows[layout.first_row :]
    if not layout.columns_of("date"):
        above = day_above(layout, rows, name)
        return [*above, *(cell for row in below if (cell := lone_cell(row)) and looks_like_a_date(cell))]
    return [
        row[at] for at in layout.columns_of("date") for row in below if at < len(row) and looks_like_a_date(row[at])
    ]


def day_above(layout: Layout, rows: Sequence[Sequence[str]], name: str) -> list[str]:
    """Return the date nearest above the results of a list without a column of dates: in the title or sheet's name."""
    texts = [name, *(lone_cell(row) for row in rows[: layout.first_row])]
    return [found for text in texts if (found := date_in(text))][-1:]


def lone_cell(row: Sequence[str]) -> str:
    """Return the text of a row that has only one cell with text, else nothing."""
    filled = [cell for cell in row if cell]
    return filled[0] if len(filled) == 1 else ""


def word_of(heading: str) -> str:
    """Return what a column with that heading is, or nothing."""
    plain = _plain(heading)
    if not plain:
        return SIGNS.get(heading.strip().replace("−", "-").replace(" ", ""), LEFT_OUT)
    return WORDS.get(plain, LEFT_OUT)


def _plain(heading):
    """Return a heading in small letters without figures and punctuation."""
    return " ".join(re.sub(r"[^a-z ]", " ", heading.casefold().replace("’", "").replace("'", "")).split())


def is_place(heading: str) -> bool:
    """Return whether a heading is that of a position, a number or a note."""
    return bool(PLACES.match(heading.strip(" .#"))) or heading.strip() == "#"


def _is_row_of_dates(row, columns=None):
    cells = [row[at] for at in columns if at < len(row)] if columns is not None else row
    dates = sum(looks_like_a_date(cell) for cell in cells)
    return dates >= 2 and 2 * dates >= sum(1 for cell in cells if cell) - 6


def _dates_across(rows):
    for at, row in enumerate(rows[:TOP]):
        dates = [column for column, cell in enumerate(row) if looks_like_a_date(cell)]
        below = rows[at + 1 :]
        is_one = len(dates) == 1 and any(word_of(cell) == "player" for cell in row) and not any(map(_is_net, row))
        if not below or not (len(dates) >= 2 and len(dates) < len(row) or is_one):
            continue
        if len(dates) > 1 and _has_figures_between(dates, row, below):
            continue
        columns = [LEFT_OUT] * len(row)
        for column in dates:
            columns[column] = RESULT
        _name_columns(columns, row, below, dates[0])
        return Layout(DATES_ACROSS, at, tuple(columns))
    return None


def _has_figures_between(dates, headings, below):
    """Return whether there are figures without a heading between the dates: then each date has several columns."""
    bare = [at for at in range(dates[0], dates[-1]) if not headings[at]]
    return any(sum(is_number(row[at]) for row in below) > 1 for at in bare)


def _is_net(cell):
    return word_of(cell) == "net" and not is_total(cell)


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
        texts = {column: sum(_is_name(row[column]) for row in below) for column in range(end)} or {0: 0}
        columns[max(texts, key=lambda column: texts[column])] = "player"
    if "guest" in words:
        columns[words["guest"]] = "guest"


def _is_name(cell):
    return any(letter.isalpha() for letter in cell) and not looks_like_a_date(cell) and not is_number(cell)


def _tables(rows):
    """Find rows of a date with two players or more, each with a figure behind the name, or behind all the names."""
    body = [row for row in rows if any(map(looks_like_a_date, row))]
    if not body or all(map(lone_cell, body)):
        return _tables_side_by_side(rows)
    first = next(at for at, row in enumerate(rows) if row is body[0])
    header = next((at for at in reversed(range(first)) if sum(map(bool, rows[at])) >= 3), None)
    headings = rows[header] if header is not None else [""] * len(rows[0])
    filled = [[row[at] for row in body if row[at]] for at in range(len(headings))]
    names = [at for at, cells in enumerate(filled) if cells and all(map(_is_name, cells))]
    if header is not None:
        names = [at for at in names if is_seat(headings[at])]
    nets = [
        at
        for at, cells in enumerate(filled)
        if any(map(is_number, cells)) and not any(map(_is_name, cells)) and _is_net_or_bare(headings[at])
    ]
    behind = [at + 1 for at in names if at + 1 in nets]
    if len(behind) != len(names):
        behind = [at for at in nets if "net" in _words_of(headings[at]) or is_seat(headings[at])]
    nets = behind
    dates = [at for at, cells in enumerate(filled) if cells and all(map(looks_like_a_date, cells))]
    if len(names) < (3 if header is None else 2) or len(nets) != len(names) or not dates:
        return None
    columns = [word if (word := word_of(cell)) in ("table", "meeting", "rules") else LEFT_OUT for cell in headings]
    if header is None and names[0] and names[0] - 1 not in dates and all(map(is_number, filled[names[0] - 1])):
        columns[names[0] - 1] = "table"
    for meaning, some in (("date", dates[:1]), ("player", names), ("net", nets)):
        for at in some:
            columns[at] = meaning
    return Layout(TABLES, header, tuple(columns))


def _tables_side_by_side(rows):
    """Find "Table 1" and "Table 2" side by side, each above a column of names and one of figures."""
    header = next((at for at, row in enumerate(rows[:TOP]) if sum(map(is_table, row)) >= 2), None)
    if header is None:
        return None
    columns = [LEFT_OUT] * len(rows[header])
    for at, cell in enumerate(rows[header]):
        below = [row[at : at + 2] for row in rows[header + 1 :]]
        if is_table(cell) and any(len(two) == 2 and _is_name(two[0]) and is_number(two[1]) for two in below):
            columns[at], columns[at + 1] = "player", "net"
    return Layout(TABLES, header, tuple(columns)) if columns.count("net") > 1 else None


def is_table(heading: str) -> bool:
    """Return whether a cell is "Table 3"."""
    return bool(A_TABLE.match(heading))


def is_seat(heading: str) -> bool:
    """Return whether a heading is that of one of a table's players: "Player 2", "East"."""
    return word_of(heading) == "player" or heading.strip(" .").casefold() in SEATS


def _words_of(heading):
    """Return what a heading means, and its last word: "East score"."""
    return word_of(heading), word_of(heading.rpartition(" ")[2])


def _is_net_or_bare(heading):
    return not is_place(heading) and word_of(heading) in ("net", LEFT_OUT)


def _with_headings(rows):
    """Find the row that names the columns of a list; a player and a result are the least."""
    best, most = None, 1
    for at, row in enumerate(rows[:TOP]):
        words = [word_of(cell) for cell in row]
        number = len(set(words) - {LEFT_OUT})
        has_result = "net" in words or "lost" in words or ("won" in words and "lost" in words)
        has_name = "player" in words or {"first", "last"} <= set(words)
        if has_name and has_result and number > most:
            best, most = (at, words), number
    if best is None:
        return None
    at, words = best
    if "lost" in words and "gained" not in words:
        words = ["gained" if _plain(cell) == "points won" else one for cell, one in zip(rows[at], words, strict=True)]
    if "net" not in words and "won" in words and "lost" in words and "gained" not in words:
        words[words.index("won")] = "gained"
    if "player" in words:
        words = [LEFT_OUT if one in ("first", "last") else one for one in words]
    return Layout(LIST, at, tuple(_each_once(words, rows[at], rows[at + 1 :])))


def _each_once(meanings, headings, below):
    """Keep one column of each meaning: the one whose heading is named first in HEADINGS, if it holds anything."""
    kept = [LEFT_OUT] * len(meanings)
    for meaning in set(meanings) - {LEFT_OUT}:
        words = HEADINGS[meaning].split("|")
        alike = [at for at, one in enumerate(meanings) if one == meaning]

        def order(at, words=words):
            plain = _plain(headings[at])
            return not any(row[at] for row in below), words.index(plain) if plain in words else -1, at

        kept[min(alike, key=order)] = meaning
    return kept


def _players_across(rows):
    """Find a column of dates, and columns of figures whose headings are names."""
    width = max(map(len, rows), default=0)
    for column in range(min(width, 4)):
        dated = [at for at, row in enumerate(rows) if looks_like_a_date(row[column])]
        if not dated:
            continue
        first = dated[0]
        body = [rows[at] for at in dated]
        figures = [at for at in range(width) if at != column and _are_figures([row[at] for row in body])]
        heads = [at for at in range(first) if sum(_is_name(rows[at][column]) for column in figures) >= 2]
        texts = [at for at in range(width) if at != column and sum(_is_name(row[at]) for row in body) > len(body) / 2]
        if len(figures) < 2 or not heads or any(is_heading_of_names(rows[heads[-1]][at]) for at in texts):
            continue
        header = heads[-1]
        columns = [LEFT_OUT] * width
        for at in figures:
            heading = rows[header][at]
            if word_of(heading) in ("table", "meeting"):
                columns[at] = word_of(heading)
            elif may_be_a_player(heading):
                columns[at] = RESULT
        columns[column] = "date"
        for at in texts:
            if word_of(rows[header][at]) in ("meeting", "rules", "table"):
                columns[at] = word_of(rows[header][at])
        return Layout(PLAYERS_ACROSS, header, tuple(columns)) if columns.count(RESULT) > 1 else None
    return None


def may_be_a_player(heading: str) -> bool:
    is_figure = is_total(heading) or is_place(heading) or word_of(heading) in FIGURES
    return _is_name(heading) and not (is_figure or is_seat(heading))


def is_heading_of_names(heading: str) -> bool:
    return word_of(heading) in ("player", "first", "last")


def _are_figures(cells):
    numbers = sum(is_number(cell) for cell in cells)
    return numbers >= max(1, sum(_is_name(cell) and len(cell) > 8 for cell in cells))


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
    top = next(at for at, row in enumerate(rows) if sum(1 for cell in row if cell) >= 2)
    is_heading = not any(is_number(cell) or looks_like_a_date(cell) for cell in rows[top])
    if is_heading:
        numbers = [at for at in numbers if word_of(rows[top][at]) in ("net", LEFT_OUT) and not is_place(rows[top][at])]
    if not numbers:
        return None
    columns[names] = "player"
    signed = [at for at in numbers if any(row[at].startswith(("-", "−", "(")) for row in filled)]
    columns[(signed or numbers)[-1]] = "net"
    if dates:
        columns[dates[0]] = "date"
    small = [at for at in numbers if columns[at] == LEFT_OUT and all(len(row[at]) < 3 for row in filled)]
    if small and small[0] < numbers[-1]:
        columns[small[0]] = "table"
    return Layout(LIST, top if is_heading else None, tuple(columns))
