"""Which figures of a file were not read as results, and which of its own totals differ from them. No database here.

A figure that is left out without anybody noticing makes a total wrong. So a heading says what it is, or it is asked
about.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from clubscore.league.methods import grouped
from sessions_app.exchange.imports.sheet_results import ReadSheet, SheetResult, SheetResults
from sessions_app.exchange.imports.sheet_shapes import (
    A_TIMESTAMP,
    DATES_ACROSS,
    LEFT_OUT,
    PLAYERS_ACROSS,
    RESULT,
    TABLES,
    is_place,
    is_table,
    lone_cell,
)
from sessions_app.exchange.imports.sheet_values import SERIAL, figure_of, is_figure, is_total, looks_like_a_date
from sessions_app.exchange.imports.spreadsheets import CellNumbers, column_letters
from sessions_app.exchange.imports.totals_file import name_of

# Headings of columns that are nobody's points.
NO_POINTS = re.compile(
    r"(?:no\.?|num(?:ber)?) ?(?:of .*)?\Z|member(?:ship)?s?(?: (?:no|number|id))?\.?\Z|id\Z|ref\Z|"
    r"hands?(?: (?:won|played))?\Z|h/?w\Z|(?:mah[- ]?jongs?|mj'?s?|wins?|games?|rounds?|tables?|times|sessions?|weeks?)"
    r"(?: (?:won|played|attended|out))?\Z|played\Z|attend(?:ed|ances?)\Z|"
    r"fees?\Z|subs?\Z|paid\Z|pd\b.*|owe[sd]\Z|tea\Z|raffle\Z|money\Z|stake\Z|£.*|"
    r"age\Z|(?:tele)?phone.*|tel\b.*|mob(?:ile)?\b.*|e-?mail.*|d\.?o\.?b\.?\Z|postcode\Z|"
    r"league p(?:oin)?ts?\Z|lp\Z|h(?:andi)?[' ]?cap\Z|seat\Z|wind\Z|time\Z|start\Z|finish\Z|hours?\Z|min(?:ute)?s\Z|"
    r"(?:raw|gross|scratch|before|without|unadjusted)\b.*|limit\Z|last (?:year|season).*|best .*|highest .*|lowest .*|"
    r"b(?:rought)? ?/? ?f(?:or)?w?(?:ar)?d?\Z|brought .*|opening.*|start.*",
    re.I,
)
ZERO = Decimal(0)
TOTALS = ("total", "totals", "net", "sum")


@dataclass(frozen=True)
class Unused:
    """Figures of one column or row, or of a sheet, that are no results; `is_explained` if a word says what they are."""

    where: str
    cells: list[CellNumbers]
    is_explained: bool


@dataclass(frozen=True)
class OtherTotal:
    """A total of the file that is not the sum of the results that were read, which is `here`."""

    cell: CellNumbers
    name: str
    total: Decimal
    here: Decimal


def unused_figures(sheets: Sequence[ReadSheet], found: SheetResults) -> list[Unused]:
    """Return all figures that are not read, by column, row or sheet."""
    unused: list[Unused] = []
    for sheet in sheets:
        name = f" of “{sheet.sheet.name}”" if len(sheets) > 1 and sheet.sheet.name else ""
        if sheet.is_read:
            unused += _Figures(sheet, found).groups(name)
        elif cells := [cell for row in _rows_of_unused(sheet, found) for cell in row[0]]:
            known = all(
                not mine or not figures or {*figures.values()} & {*mine, sum(mine)}
                for figures, _, mine in _rows_of_unused(sheet, found)
            )
            where = f"the sheet “{sheet.sheet.name[:40]}”" if len(sheets) > 1 else "the sheet"
            unused.append(Unused(where, cells, known))
    return unused


def other_totals(sheets: Sequence[ReadSheet], found: SheetResults) -> list[OtherTotal]:
    """Return the totals of players in the file that are not the sum of their results, where the others are."""
    totals: list[OtherTotal] = []
    for sheet in sheets:
        columns = _Figures(sheet, found).totals() if sheet.is_read else _totals_of_unused(sheet, found)
        wrong = [[one for one in held if one.total != one.here] for held in columns]
        # In a list, a total that is not right makes all that follow it wrong.
        totals += [one for held in wrong for one in {one.name: one for one in reversed(held)}.values()]
    return sorted(totals, key=lambda one: one.cell)


def _are_mostly_right(held: Sequence[OtherTotal]) -> bool:
    """Return whether so many figures of a column or a row are sums that it is one of totals."""
    right = sum(one.total == one.here for one in held)
    return right > 1 and right * 2 >= len(held)


def _rows_of_unused(
    sheet: ReadSheet, found: SheetResults
) -> Iterator[tuple[dict[CellNumbers, Decimal], str, list[Decimal]]]:
    """Yield the figures of each row of a sheet that is not imported, and the results of the player named in it."""
    players = grouped(found.results, lambda one: one.player.casefold())
    for row, texts in enumerate(sheet.rows):
        figures = {
            CellNumbers(sheet.number, row, column): figure_of(text) or ZERO
            for column, text in enumerate(texts)
            if is_figure(text)
        }
        mine: list[SheetResult] = next((players[text.casefold()] for text in texts if text.casefold() in players), [])
        yield figures, mine[-1].player if mine else "", [one.figure for one in mine]


def _totals_of_unused(sheet: ReadSheet, found: SheetResults) -> list[list[OtherTotal]]:
    columns: dict[int, list[OtherTotal]] = defaultdict(list)
    for figures, player, mine in _rows_of_unused(sheet, found):
        for cell, figure in figures.items() if mine else ():
            columns[cell.column].append(OtherTotal(cell, player, figure, sum(mine, ZERO)))
    return list(filter(_are_mostly_right, columns.values()))


class _Figures:
    """The figures of one sheet that are no results."""

    def __init__(self, sheet: ReadSheet, found: SheetResults) -> None:
        self.sheet, self.layout, self.rows = sheet, sheet.layout, sheet.rows
        self.headings = self.layout.headings(self.rows)
        self.is_grid = self.layout.shape in (DATES_ACROSS, PLAYERS_ACROSS)
        self.read = [one for one in found.results if one.cell.sheet == sheet.number]
        faults = [fault.cell for fault in found.faults if fault.cell.sheet == sheet.number]
        used = {cell for entry in sheet.entries for cell in (entry.cell, entry.date_cell) if cell} | {*faults}
        # A row of a list with something that cannot be read is asked about as a whole.
        asked = set() if self.is_grid else {cell.row for cell in faults}
        kinds = (LEFT_OUT,) if sheet.is_export else (LEFT_OUT, RESULT, "net", "player", "balance")
        self.unused = {
            (row, column): figure_of(text) or ZERO
            for row, texts in enumerate(self.rows)
            if row not in asked and not self._is_heading(row)
            for column, text in enumerate(texts)
            if self.layout.columns[column] in kinds
            and is_figure(text)
            and not (sheet.is_export and name_of(self.headings[column]) == "place")
            and CellNumbers(sheet.number, row, column) not in used
        }

    def _is_heading(self, row: int) -> bool:
        cells = self.rows[row]
        is_same = self.layout.header is not None and row >= self.layout.header and cells == self.headings
        dates = sum(looks_like_a_date(cell) or bool(SERIAL.match(cell)) for cell in cells)
        return is_same or is_table(lone_cell(cells)) or dates > 1

    def cell(self, row: int, column: int) -> CellNumbers:
        return CellNumbers(self.sheet.number, row, column)

    def groups(self, name: str) -> Iterator[Unused]:
        columns: dict[int, list[CellNumbers]] = defaultdict(list)
        rows: dict[int, list[CellNumbers]] = defaultdict(list)
        sums = {one.cell.column for held in self.totals() for one in held}
        for row, column in sorted(self.unused):
            why = self.sheet.left_rows.get(row, "")
            if row < self.layout.first_row or (why and why != "no result"):
                rows[row].append(self.cell(row, column))
            elif self.layout.columns[column] != "balance":
                columns[column].append(self.cell(row, column))
        for column, cells in sorted(columns.items()):
            heading = self.headings[column].strip(" .:")
            is_named = any(word.match(heading) for word in (NO_POINTS, A_TIMESTAMP)) or is_place(heading)
            is_known = is_named or is_total(heading) or column in sums
            is_blank = not any(self.unused[cell.row, cell.column] for cell in cells)
            is_result = self.layout.columns[column] in (RESULT, "net")
            named = f" (“{self.headings[column][:30]}”)" if heading else ""
            where = f"column {column_letters(column)}{named}{name}"
            yield Unused(where, cells, (is_known or is_blank) and not is_result)
        for row, cells in rows.items():
            first = next(filter(None, self.rows[row]), "")
            label = f" (“{first[:30]}”)" if any(map(str.isalpha, first)) else ""
            is_known = self.sheet.left_rows.get(row) == "a total" or (row < self.layout.first_row and len(cells) < 2)
            yield Unused(f"row {row + 1}{label}{name}", cells, is_known)

    def totals(self) -> Iterator[list[OtherTotal]]:
        """Yield the columns of totals beside players' results, or the rows of them below those of all players."""
        if self.layout.shape == PLAYERS_ACROSS:
            players = {one.cell.column: one.player for one in self.read}
            for row in [row for row, why in self.sheet.left_rows.items() if why == "a total"]:
                here = {column: player for column, player in players.items() if (row, column) in self.unused}
                above = {column: [one.figure for one in self.read if one.cell.column == column] for column in here}
                held = [self._held(row, column, name, sum(above[column], ZERO)) for column, name in here.items()]
                yield from [held] if _are_mostly_right(held) else []
        elif self.layout.shape != TABLES:
            beside = self._sums_of_rows()
            for column, heading in enumerate(self.headings):
                held = [self._held(row, column, *sums) for row, sums in beside.items() if (row, column) in self.unused]
                is_named = self.is_grid and heading.strip().casefold() in TOTALS
                if not NO_POINTS.match(heading.strip(" .:")) and (is_named or _are_mostly_right(held)):
                    yield held

    def _held(self, row: int, column: int, player: str, here: Decimal) -> OtherTotal:
        return OtherTotal(self.cell(row, column), player, self.unused[row, column], here)

    def _sums_of_rows(self) -> dict[int, tuple[str, Decimal]]:
        """Return the player of each row with the sum of it, or of a list up to there."""
        found: dict[int, tuple[str, Decimal]] = {}
        sums: dict[int | str, Decimal] = defaultdict(Decimal)
        for one in sorted(self.read, key=lambda one: one.cell):
            of: int | str = one.cell.row if self.is_grid else one.player.casefold()
            sums[of] += one.figure
            found[one.cell.row] = one.player, sums[of]
        return found
