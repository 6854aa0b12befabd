"""Which figures of a sheet were not read as results, and whether the sheet says what they are. No database here.

A figure that is left out without anybody noticing makes a total wrong; so each is a total, a position or the like, or
it is asked about. Blocks side by side or below each other are read one by one where that leaves fewer out.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sessions_app.exchange.imports.sheet_results import SheetResult, SheetResults, read_results
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
    recognise_layout,
    word_of,
)
from sessions_app.exchange.imports.sheet_values import (
    SERIAL,
    ImportRefused,
    figure_of,
    is_figure,
    is_number,
    is_total,
    looks_like_a_date,
    read_number,
)
from sessions_app.exchange.imports.spreadsheets import (
    MAX_SHEETS,
    CellNumbers,
    Sheet,
    Workbook,
    bounded,
    column_letters,
    rectangular,
)
from sessions_app.people.players import grouped

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
BROUGHT_FORWARD = re.compile(
    r"(?:b(?:rought)? ?/? ?f(?:or)?w?(?:ar)?d?|brought .*|opening.*|start.*|last (?:year|season).*)\Z", re.I
)
# Words of totals that may also be a name, or stand for several people.
MAY_BE_NAME = re.compile(r"(?:max|min|mean|guests?|visitors?|members|players)\.?:?\Z", re.I)
# So many rows that are no results, each with one figure in another column, may be results after all.
SEVERAL = 3
# As many people as come, in a row that counts them.
COUNT = 12


@dataclass(frozen=True)
class Unused:
    """Figures of one column or row, or of a sheet, that are no results; `is_explained` if the sheet says what of."""

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
        unsure = {row for row, some in rows.items() if not self._explains_row(row, some)}
        below = {row for row in unsure if row >= self.layout.first_row}
        # One remark with a figure is none of the results; several rows with figures may be.
        lone = {row for row in unsure if not any(self._is_result(column) for column in rows[row])}
        lone |= unsure - below
        for row, some in rows.items():
            cells = [CellNumbers(self.number, row, column) for column in some]
            name = next(filter(None, self.rows[row]), "")
            label = f" (“{name[:30]}”)" if any(map(str.isalpha, name)) else ""
            is_explained = row not in unsure or (row in lone and len(lone) < SEVERAL)
            yield Unused(f"row {row + 1}{label}{suffix}", cells, is_explained)

    def other_totals(self) -> Iterator[OtherTotal]:
        """Return each total beside or below a player's results that is not their sum, where most are."""
        if self.layout.shape == PLAYERS_ACROSS:
            for (number, row), why in self.found.left_rows.items():
                if number == self.number and why == "a total":
                    yield from self._other_totals_of_row(row)
        elif self.layout.shape in (LIST, DATES_ACROSS):
            for column in range(len(self.headings)):
                yield from self._other_totals_of_column(column)

    def _other_totals_of_column(self, column: int) -> Iterator[OtherTotal]:
        if self.layout.columns[column] not in (LEFT_OUT, RESULT, "balance"):
            return
        some = [row for row in sorted(self.players) if self._is_figure(row, column)]
        figures = [self._figure(row, column) for row in some]
        right = [
            figure == sum(self.nets[row].values()) or self._is_sum(row, column, figure)
            for row, figure in zip(some, figures, strict=True)
        ]
        is_total = self.is_grid and self.headings[column].strip().casefold() in ("total", "totals", "net", "sum")
        if not (is_total or _mostly_right(right)):
            return
        asked = set()
        for row, figure, is_right in zip(some, figures, right, strict=True):
            player = self.players[row]
            # In a list, a total that is not right makes all that follow it wrong.
            if not is_right and player not in asked:
                asked.add(player)
                here = sum(self.nets[row].values()) if self.is_grid else self.so_far[row]
                yield OtherTotal(CellNumbers(self.number, row, column), player, figure, here)

    def _other_totals_of_row(self, row: int) -> Iterator[OtherTotal]:
        figures = {column: self._figure(row, column) for column in self.players if self._is_unused(row, column)}
        above = {column: self._above(row, column) for column in figures}
        wrong = [column for column, figure in figures.items() if figure not in sums_of_runs(above[column])]
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
        # Above a column of a player's results, Max or Guest is a name.
        may_be_name = self.layout.shape == PLAYERS_ACROSS and MAY_BE_NAME.match(heading)
        known = (NO_POINTS, BROUGHT_FORWARD, A_TIMESTAMP)
        if is_place(heading) or any(one.match(heading) for one in known) or (is_total(heading) and not may_be_name):
            return True
        figures = [self._figure(row, column) for row in some]
        if not any(figures):
            return True
        names = self.layout.columns_of("player") or [len(self.rows[0])]
        if column < names[0] and len(figures) > 1 and all(two == one + 1 for one, two in pairwise(figures)):
            return True
        explained = sum(self._is_sum(row, column, figure) for row, figure in zip(some, figures, strict=True))
        return len(some) > 1 and explained * 10 >= len(some) * 9

    def _is_sum(self, row: int, column: int, figure: int) -> bool:
        """Return whether a figure is the sum of some results in its row, with what was brought forward."""
        nets = [net for at, net in sorted(self.nets[row].items()) if at < column or not self.is_grid]
        if not self.is_grid:
            return figure in (self.so_far.get(row), sum(nets))
        forward = [at for at, heading in enumerate(self.headings) if BROUGHT_FORWARD.match(heading.strip())]
        offsets = 0, sum(self._figure(row, at) for at in forward)
        return any(figure - offset in sums_of_runs(nets) for offset in offsets)

    def _explains_row(self, row: int, some: list[int]) -> bool:
        first = next(filter(None, self.rows[row]), "")
        why = self.found.left_rows.get((self.number, row), "")
        if why == "a total" and not MAY_BE_NAME.match(first):
            return not re.match("checked by", first, re.I)
        if row < self.layout.first_row:
            return len(some) < 2 and not any(self._is_result(column) for column in some)
        figures = {column: self._figure(row, column) for column in some}
        if all(0 <= figure <= COUNT for figure in figures.values()):
            return True
        if not any(map(self._is_result, some)):
            return False
        return all(
            not figure or figure in self._figures_of_totals(row, column)
            for column, figure in figures.items()
            if self._is_result(column)
        )

    def _figures_of_totals(self, row: int, column: int) -> set[int]:
        above = self._above(row, column)
        found = sums_of_runs(above)
        if above:
            found |= {max(above), min(above), len(above), round(sum(above) / len(above)), int(sum(above) / len(above))}
        return found


def sums_of_runs(figures: Sequence[int]) -> set[int]:
    """Return the sums of all figures next to each other."""
    found, ends = {0}, [0]
    for figure in figures[:200]:
        ends = [end + figure for end in ends] + [0]
        found.update(ends)
    return found


def _of_unused_sheet(number: int, sheet: Sheet, found: SheetResults, several: bool) -> list[Unused]:
    """Return the figures of a sheet that is not imported; its rows may be players' totals, or results after all."""
    cells: list[CellNumbers] = []
    unsure = 0
    for figures, mine in _rows_of_unused_sheet(number, sheet, found):
        cells += figures
        nets = [one.net for one in mine]
        unsure += bool(figures and mine) and not {*figures.values()} & {*nets, sum(nets)}
    where = f"the sheet “{sheet.name[:40]}”" if several else "the sheet"
    return [Unused(where, cells, unsure < SEVERAL)] if cells else []


# Blocks.


def in_blocks(book: Workbook) -> Workbook:
    """Return the workbook with sheets of several blocks cut in blocks, where more of their figures are read so."""
    sheets = [block for sheet in book.sheets for block in _blocks_of(sheet)]
    if len(sheets) == len(book.sheets) or len(sheets) > MAX_SHEETS:
        return book
    try:
        return replace(bounded(sheets, book.notes), hidden_sheets=book.hidden_sheets)
    except ImportRefused:
        return book


def _blocks_of(sheet: Sheet) -> list[Sheet]:
    lost, read = _lost(sheet)
    if not lost:
        return [sheet]
    best = [sheet]
    for cut in (_cut_rows, _cut_columns):
        parts = [part for one in cut(sheet) for part in _narrower(one, cut)]
        if len(parts) < 2:
            continue
        found = [_lost(part) for part in parts]
        less, more = sum(one for one, _ in found), sum(results for _, results in found)
        if less < lost and more > read and all(results for _, results in found):
            best, lost, read = parts, less, more
    return best


def _narrower(sheet, cut):
    """Return a block cut in the other direction too, where that reads more."""
    lost, read = _lost(sheet)
    if not lost:
        return [sheet]
    parts = list((_cut_columns if cut is _cut_rows else _cut_rows)(sheet))
    found = [_lost(part) for part in parts]
    is_better = sum(one for one, _ in found) < lost and sum(results for _, results in found) > read
    return parts if len(parts) > 1 and is_better and all(results for _, results in found) else [sheet]


def _lost(sheet: Sheet) -> tuple[int, int]:
    """Return how many figures of a sheet nothing explains, and how many results it has."""
    layout = recognise_layout(sheet.name, sheet.rows)
    found = read_results([sheet], [layout])
    unused = unused_figures(Workbook([sheet]), [layout], found)
    readable = layout.used and not layout.missing
    lost = sum(len(one.cells) for one in unused if not (one.is_explained and readable))
    return lost, len(found.results) + len(found.faults) if readable else 0


def _cut_columns(sheet: Sheet) -> Iterator[Sheet]:
    """Return a sheet once for each block of columns: between blank columns, or from a repeated heading on."""
    rows = rectangular(sheet.rows)
    width = len(rows[0]) if rows else 0
    full = [row for row in rows if not lone_cell(row)]
    filled = [any(row[column] for row in full) for column in range(width)]
    starts = [column for column in range(width) if filled[column] and (column == 0 or not filled[column - 1])]
    if len(starts) < 2:
        first = starts[0] if starts else 0
        repeats = (
            [at for at, cell in enumerate(row) if word_of(cell) and word_of(cell) == word_of(row[first])]
            for row in full
        )
        starts = next((some for some in repeats if len(some) > 1), starts)
    for start, end in pairwise([*starts, width]) if len(starts) > 1 else ():
        cut = [
            row if lone_cell(row) else [cell if start <= at < end else "" for at, cell in enumerate(row)]
            for row in rows
        ]
        yield _part(sheet, cut, f"columns {column_letters(start)}–{column_letters(end - 1)}")


def _cut_rows(sheet: Sheet) -> Iterator[Sheet]:
    """Return a sheet once for each block of rows: after a blank row, or from a repeated row or a lone date on."""
    rows = rectangular(sheet.rows)
    starts: list[int] = []
    is_new, titles = True, 0
    for at, row in enumerate(rows):
        if not any(row):
            is_new = True
            continue
        lone = lone_cell(row)
        begins = is_new or (looks_like_a_date(lone) and bool(lone_cell(rows[at - 1])) is False)
        if begins and not (starts and all(lone_cell(one) for one in rows[starts[-1] : at] if any(one))):
            starts.append(at)
        is_new = False
    while titles < len(rows) and (
        not any(rows[titles]) or (lone_cell(rows[titles]) and not looks_like_a_date(lone_cell(rows[titles])))
    ):
        titles += 1
    if len(starts) < 2 or len(starts) > MAX_SHEETS:
        return
    for start, end in pairwise([*starts, len(rows)]):
        cut = [row if start <= at < end or at < titles else [""] * len(row) for at, row in enumerate(rows[:end])]
        if any(map(is_number, (cell for row in cut[start:] for cell in row))):
            yield _part(sheet, cut, f"rows {start + 1}–{end}")


def _part(sheet: Sheet, rows: Iterable[list[str]], what: str) -> Sheet:
    return replace(sheet, name=f"{sheet.name}, {what}" if sheet.name else what.capitalize(), rows=list(rows))
