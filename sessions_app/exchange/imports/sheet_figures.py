"""Which figures of a file were not read as results, and which of its own totals differ from them. No database here.

A figure that is left out without anybody noticing makes a total wrong. So a heading says what it is, or it is asked
about.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clubscore.league.methods import grouped
from sessions_app.exchange.imports.sheet_results import SheetResult, SheetResults
from sessions_app.exchange.imports.sheet_shapes import (
    A_TIMESTAMP,
    DATES_ACROSS,
    LEFT_OUT,
    LIST,
    PLAYERS_ACROSS,
    RESULT,
    Layout,
    is_place,
    is_table,
    lone_cell,
)
from sessions_app.exchange.imports.sheet_values import (
    SERIAL,
    figure_of,
    is_figure,
    is_total,
    looks_like_a_date,
    read_number,
)
from sessions_app.exchange.imports.spreadsheets import CellNumbers, Sheet, Workbook, column_letters, rectangular

# Headings of columns that are nobody's points.
NO_POINTS = re.compile(
    r"(?:no\.?|num(?:ber)?) ?(?:of .*)?\Z|member(?:ship)?s?(?: (?:no|number|id))?\.?\Z|id\Z|ref\Z|"
    r"hands?(?: (?:won|played))?\Z|h/?w\Z|(?:mah[- ]?jongs?|mj'?s?|wins?|games?|rounds?|tables?|times|sessions?|weeks?)"
    r"(?: (?:won|played|attended|out))?\Z|played\Z|attend(?:ed|ances?)\Z|"
    r"fees?\Z|subs?\Z|paid\Z|pd\b.*|owe[sd]\Z|tea\Z|raffle\Z|money\Z|stake\Z|£.*|"
    r"age\Z|(?:tele)?phone.*|tel\b.*|mob(?:ile)?\b.*|e-?mail.*|d\.?o\.?b\.?\Z|postcode\Z|"
    r"league p(?:oin)?ts?\Z|lp\Z|h(?:andi)?[' ]?cap\Z|seat\Z|wind\Z|time\Z|start\Z|finish\Z|hours?\Z|min(?:ute)?s\Z|"
    r"(?:raw|gross|scratch|before|without|unadjusted)\b.*|limit\Z|last (?:year|season).*|best .*|highest .*|lowest .*",
    re.I,
)
TOTALS = ("total", "totals", "net", "sum")
BROUGHT_FORWARD = re.compile(
    r"(?:b(?:rought)? ?/? ?f(?:or)?w?(?:ar)?d?|brought .*|opening.*|start.*|last (?:year|season).*)\Z", re.I
)


@dataclass(frozen=True)
class Unused:
    """Figures of one column or row, or of a sheet, that are no results; `is_explained` if a word says what they are."""

    where: str
    cells: list[CellNumbers]
    is_explained: bool


def unused_figures(book: Workbook, layouts: Sequence[Layout], found: SheetResults) -> list[Unused]:
    """Return all figures that are not read, by column, row or sheet."""
    unused: list[Unused] = []
    several = len(book.sheets) > 1
    for number, (sheet, layout) in enumerate(zip(book.sheets, layouts, strict=True)):
        suffix = f" of “{sheet.name}”" if several and sheet.name else ""
        if layout.used and not layout.missing:
            unused += _Figures(number, sheet, layout, found).groups(suffix)
        else:
            unused += _of_unused_sheet(number, sheet, found, several)
    return unused


@dataclass(frozen=True)
class OtherTotal:
    """A total of the file that is not the sum of the results that were read, which is `here`."""

    cell: CellNumbers
    name: str
    total: int
    here: int


def other_totals(book: Workbook, layouts: Sequence[Layout], found: SheetResults) -> list[OtherTotal]:
    """Return the totals of players in the file that are not the sum of their results, where the others are."""
    totals: list[OtherTotal] = []
    for number, (sheet, layout) in enumerate(zip(book.sheets, layouts, strict=True)):
        if layout.used and not layout.missing:
            totals += _Figures(number, sheet, layout, found).other_totals()
        else:
            totals += _other_totals_of_unused_sheet(number, sheet, found)
    return totals


def _mostly_right(some: Sequence[bool]) -> bool:
    """Return whether so many figures of a column or a row are sums that it is one of totals."""
    return sum(some) > 1 and sum(some) * 2 >= len(some)


def _other_totals_of_unused_sheet(number: int, sheet: Sheet, found: SheetResults) -> Iterator[OtherTotal]:
    columns: dict[int, list[OtherTotal]] = defaultdict(list)
    for figures, mine in _rows_of_unused_sheet(number, sheet, found):
        for cell, figure in figures.items() if mine else ():
            here = sum(one.net for one in mine)
            columns[cell.column].append(OtherTotal(cell, mine[-1].player, figure, here))
    for some in columns.values():
        if _mostly_right([one.total == one.here for one in some]):
            yield from (one for one in some if one.total != one.here)


def _rows_of_unused_sheet(
    number: int, sheet: Sheet, found: SheetResults
) -> Iterator[tuple[dict[CellNumbers, int], list[SheetResult]]]:
    """Yield the figures of each row by their cells, with the results of the player who is named in it."""
    players = grouped(found.results, lambda one: one.player.casefold())
    for row, texts in enumerate(sheet.rows):
        figures = {
            CellNumbers(number, row, column): read_number(text) or 0
            for column, text in enumerate(texts)
            if is_figure(text)
        }
        yield figures, next((players[name] for name in map(str.casefold, texts) if name in players), [])


class _Figures:
    def __init__(self, number: int, sheet: Sheet, layout: Layout, found: SheetResults) -> None:
        self.number, self.layout, self.found = number, layout, found
        self.rows = rectangular(sheet.rows)
        self.headings = layout.headings(self.rows)
        self.is_grid = layout.shape in (DATES_ACROSS, PLAYERS_ACROSS)
        read = [one for one in found.results if one.cell.sheet == number]
        self.nets: dict[int, dict[int, int]] = defaultdict(dict)
        # What each player has up to a row of a list, for a running total beside it.
        self.so_far: dict[int, int] = {}
        sums: Counter = Counter()
        for one in read:
            self.nets[one.cell.row][one.cell.column] = one.net
            sums[one.player.casefold()] += one.net
            self.so_far[one.cell.row] = sums[one.player.casefold()]
        self.taken = {one.cell for one in read} | {one.date_cell for one in read if one.date_cell}
        self.taken |= {fault.cell for fault in found.faults}
        # A row of a list with something that cannot be read is asked about as a whole.
        self.asked = {fault.cell.row for fault in found.faults if fault.cell.sheet == number and not self.is_grid}
        self.players = {
            (one.cell.column if layout.shape == PLAYERS_ACROSS else one.cell.row): one.player for one in read
        }

    def groups(self, suffix: str) -> Iterator[Unused]:
        columns: dict[int, list[int]] = defaultdict(list)
        rows: dict[int, list[int]] = {}
        for row, texts in enumerate(self.rows):
            figures = [column for column in range(len(texts)) if self._is_unused(row, column)]
            if not figures or row in self.asked or self._is_heading(row):
                continue
            why = self.found.left_rows.get((self.number, row), "")
            if row < self.layout.first_row or (why and why != "no result"):
                rows[row] = figures
            else:
                for column in figures:
                    columns[column].append(row)
        for column, some in sorted(columns.items()):
            heading = self.headings[column]
            named = f" (“{heading[:30]}”)" if heading else ""
            where = f"column {column_letters(column)}{named}{suffix}"
            cells = [CellNumbers(self.number, row, column) for row in some]
            yield Unused(where, cells, self._explains_column(column, some))
        for row, some in rows.items():
            cells = [CellNumbers(self.number, row, column) for column in some]
            name = next(filter(None, self.rows[row]), "")
            label = f" (“{name[:30]}”)" if any(map(str.isalpha, name)) else ""
            why = self.found.left_rows.get((self.number, row), "")
            is_explained = why == "a total" or (row < self.layout.first_row and len(some) < 2)
            yield Unused(f"row {row + 1}{label}{suffix}", cells, is_explained)

    def other_totals(self) -> Iterator[OtherTotal]:
        """Return each total beside or below a player's results that is not their sum, where most are."""
        if self.layout.shape == PLAYERS_ACROSS:
            for (number, row), why in self.found.left_rows.items():
                if number == self.number and why == "a total":
                    yield from self._other_totals_of_row(row)
        elif self.layout.shape in (LIST, DATES_ACROSS):
            for column, right in self.total_columns():
                yield from self._other_totals_of_column(column, right)

    def total_columns(self) -> Iterator[tuple[int, dict[int, bool]]]:
        """Yield each column of totals, with whether the figure of each row is the sum of its results."""
        for column in range(len(self.headings)):
            is_other = NO_POINTS.match(self.headings[column].strip(" .:"))
            if self.layout.columns[column] in (LEFT_OUT, RESULT, "balance") and not is_other:
                rows = [row for row in sorted(self.players) if self._is_figure(row, column)]
                right = {row: self._is_sum(row, column) for row in rows}
                is_named = self.is_grid and self.headings[column].strip().casefold() in TOTALS
                if is_named or _mostly_right([*right.values()]):
                    yield column, right

    def _other_totals_of_column(self, column: int, right: dict[int, bool]) -> Iterator[OtherTotal]:
        asked = set()
        for row, is_right in right.items():
            player = self.players[row]
            # In a list, a total that is not right makes all that follow it wrong.
            if not is_right and player not in asked:
                asked.add(player)
                here = sum(self.nets[row].values()) if self.is_grid else self.so_far[row]
                yield OtherTotal(CellNumbers(self.number, row, column), player, self._figure(row, column), here)

    def _other_totals_of_row(self, row: int) -> Iterator[OtherTotal]:
        figures = {column: self._figure(row, column) for column in self.players if self._is_unused(row, column)}
        above = {column: self._above(row, column) for column in figures}
        wrong = [column for column, figure in figures.items() if figure != sum(above[column])]
        if _mostly_right([column not in wrong for column in figures]):
            for column in wrong:
                cell = CellNumbers(self.number, row, column)
                yield OtherTotal(cell, self.players[column], figures[column], sum(above[column]))

    def _is_unused(self, row: int, column: int) -> bool:
        return self.layout.columns[column] in (LEFT_OUT, RESULT, "net", "player") and self._is_figure(row, column)

    def _is_figure(self, row: int, column: int) -> bool:
        """Return whether a cell has a figure that is no result."""
        return is_figure(self.rows[row][column]) and CellNumbers(self.number, row, column) not in self.taken

    def _figure(self, row: int, column: int) -> int:
        return figure_of(self.rows[row][column]) or 0

    def _above(self, row: int, column: int) -> list[int]:
        return [nets[column] for at, nets in sorted(self.nets.items()) if at < row and column in nets]

    def _is_heading(self, row: int) -> bool:
        cells = self.rows[row]
        is_same = row >= self.layout.first_row and self.layout.header is not None and cells == self.headings
        dates = sum(looks_like_a_date(cell) or bool(SERIAL.match(cell)) for cell in cells)
        return row == self.layout.header or is_same or is_table(lone_cell(cells)) or dates > 1

    def _is_result(self, column: int) -> bool:
        return self.layout.columns[column] in (RESULT, "net")

    def _explains_column(self, column: int, some: list[int]) -> bool:
        heading = self.headings[column].strip(" .:")
        if self._is_result(column):
            return False
        words = any(word.match(heading) for word in (NO_POINTS, BROUGHT_FORWARD, A_TIMESTAMP))
        is_known = words or is_place(heading) or is_total(heading) or column in dict(self.total_columns())
        return is_known or not any(self._figure(row, column) for row in some)

    def _is_sum(self, row: int, column: int) -> bool:
        """Return whether a figure is the sum of the results in its row, or of a list up to there."""
        return self._figure(row, column) == (sum(self.nets[row].values()) if self.is_grid else self.so_far.get(row))


def _of_unused_sheet(number: int, sheet: Sheet, found: SheetResults, several: bool) -> list[Unused]:
    """Return the figures of a sheet that is not imported; its rows may be players' totals, or results after all."""
    cells: list[CellNumbers] = []
    is_explained = True
    for figures, mine in _rows_of_unused_sheet(number, sheet, found):
        cells += figures
        nets = [result.net for result in mine]
        is_explained &= not (figures and mine) or bool({*figures.values()} & {*nets, sum(nets)})
    where = f"the sheet “{sheet.name[:40]}”" if several else "the sheet"
    return [Unused(where, cells, is_explained)] if cells else []
