"""Figures that are not what they look like: running totals, balances, zeros for the absent, wrong dates, hidden rows.

Each is a question with an answer for what was meant; the answer changes the results before anything else is asked.
No database here.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import groupby, pairwise
from math import factorial, gcd, prod
from statistics import mean, median
from typing import Any

from clubscore.scoring.words import listed, with_commas
from sessions_app.exchange.imports.sheet_checks import Question, checked, checked_results
from sessions_app.exchange.imports.sheet_figures import unused_figures
from sessions_app.exchange.imports.sheet_results import NO_NAME, SheetResult, SheetResults
from sessions_app.exchange.imports.sheet_shapes import (
    DATES_ACROSS,
    LEFT_OUT,
    LIST,
    PLAYERS_ACROSS,
    RESULT,
    TABLES,
    Layout,
)
from sessions_app.exchange.imports.sheet_values import counted, figure_of, is_number, some_of
from sessions_app.exchange.imports.spreadsheets import CellNumbers, Workbook, column_letters, rectangular
from sessions_app.people.dates import day_words
from sessions_app.people.players import grouped

Results = list[SheetResult]
KEEP, RUNNING, START, ABSENT, MOVED, DROP, ABOVE, MINUS = (
    "keep", "running", "start", "absent", "moved", "drop", "above", "minus"
)  # fmt: skip

# Words that name running totals, and words that may.
NAMED_RUNNING = re.compile(
    r"\b(?:running|cumulative|cum|accumulat\w*|progressive|[cb]/f(?:wd)?|carried f\w*|ytd)\b", re.I
)
MAYBE_RUNNING = re.compile(r"\b(?:to date|so far|standings?|overall|league table|positions?|year total)\b", re.I)
# Figures are taken to be at most so many times the usual one.
FAR_OFF = 5
# Fewer steps from a day to the next tell nothing; where a title may name running totals, these are too few.
FEW_STEPS, STEPS, ENOUGH_STEPS, TABLE_OF = 3, 6, 24, 4
# Results vary by more from day to day than their size; running totals by less. The fewer they are, the less that tells.
LESS = 1.1
# Rows of one day around a row of another.
AROUND = 3
EVEN_SUM = 50
ROUND_SUM = 1000
FEW_ZEROS, ONE_ZERO_IN = 3, 10
# So many figures of a day are tried, and so seldom may chance have made what is found.
MOST_SPLIT, MOST_SUM, RARE = 40, 1_000_000, 0.02
SMALL_FIGURE = 12


@dataclass
class Traps:
    """What was found in the results of a file, and these as the answers change them."""

    results: Results
    questions: list[Question] = field(default_factory=list)
    # Days about whose dates nobody has answered yet: what they add up to says nothing.
    unsure_days: set[date] = field(default_factory=set)
    # Whether the figures add up to 0 only as the answers have them.
    are_balances: bool = False
    are_running: bool = False


Answers = Callable[[Question], str]


def look_for_traps(
    book: Workbook, layouts: Sequence[Layout], found: SheetResults, missing: Iterable[CellNumbers], answer: Answers
) -> Traps:
    """Return what to ask of these results, each answered by `answer`, and the results as answered."""
    traps = Traps(list(found.results))

    def ask(question: Question) -> str:
        question.answer = answer(question)
        traps.questions.append(question)
        return question.answer

    _missing_names(book, missing, ask)
    _hidden(book, traps, ask)
    _unused(book, layouts, found, ask)
    _odd_dates(book, layouts, traps, ask)
    _sums(book, layouts, traps, ask)
    _signs(book, layouts, traps, ask)
    _marks(book, traps, ask)
    _no_minus(traps, ask)
    if _balances(traps, ask):
        _running(book, layouts, traps, ask)
    _zeros(book, traps, ask)
    _small_figures(traps, ask)
    _two_rows(book, layouts, traps, ask)
    return traps


def _missing_names(book, missing, ask):
    cells = [checked(book, cell, "Name") for cell in missing]
    if cells:
        where = some_of([one.where for one in cells], 4)
        options = ((DROP, "Leave these rows out"), (ABOVE, "They are results of the name above"))
        ask(Question("names", f"{where}: the name is missing.", "", cells, options=options))


def missing_names(found: SheetResults) -> list[CellNumbers]:
    """Return the cells of names that may be those above."""
    return [fault.cell for fault in found.faults if fault.sentence == NO_NAME]


def _hidden(book, traps, ask):
    for number, sheet in enumerate(book.sheets):
        rows, columns = set(sheet.hidden_rows), set(sheet.hidden_columns)
        here = [one for one in traps.results if one.cell.sheet == number]
        some = [one for one in here if one.cell.row in rows or one.cell.column in columns]
        if not some:
            continue
        places = [f"row {row + 1}" for row in sorted({one.cell.row for one in some} & rows)]
        places += [f"column {column_letters(column)}" for column in sorted({one.cell.column for one in some} & columns)]
        name = f"“{sheet.name}”: " if len(book.sheets) > 1 and sheet.name else ""
        verb = "is" if len(places) == 1 else "are"
        results, names = counted(len(some), "result"), some_of(list(dict.fromkeys(one.player for one in some)), 3)
        sentence = f"{name}{some_of(places, 6)} {verb} hidden in the file: {results} of {names}."
        options = ((KEEP, "Import them too"), (DROP, "Leave them out"))
        if ask(Question("hidden", _capital(sentence), "", options=options)) == DROP:
            gone = {one.cell for one in some}
            traps.results = [one for one in traps.results if one.cell not in gone]
    for name, figures in book.hidden_sheets:
        if figures >= SMALL_FIGURE:
            ask(Question("hidden", f"The hidden sheet “{name}” has {figures:,} figures.", "Leave it out"))


def _unused(book, layouts, found, ask):
    unused = [one for one in unused_figures(book, layouts, found) if not one.is_explained]
    if not unused:
        return
    number = sum(len(one.cells) for one in unused)
    places, verb = some_of([one.where for one in unused], 6), "are" if number > 1 else "is"
    lines = [f"{_capital(one.where)}: {', '.join(book.text(cell) for cell in one.cells[:8])}" for one in unused[:20]]
    sentence = f"{counted(number, 'figure')} {verb} not imported, in {places}."
    ask(Question("unused", sentence, "They are no results" if number > 1 else "It is no result", lines=lines))


# A date unlike those around it.


def _odd_dates(book, layouts, traps, ask):
    for number, layout in enumerate(layouts):
        if layout.shape not in (LIST, TABLES) or "date" not in layout.columns:
            continue
        here = [one for one in traps.results if one.cell.sheet == number]
        rows = {one.cell.row: one for one in sorted(here, key=lambda one: one.cell.row)}
        runs = [[day, [*some]] for day, some in groupby(rows.values(), key=lambda one: one.date)]
        inner = range(1, len(runs) - 1)
        suspects = [at for at in inner if len(runs[at][1]) <= 2 and runs[at - 1][0] == runs[at + 1][0] != runs[at][0]]
        others = [day for at, (day, _) in enumerate(runs) if at not in suspects]
        joined = [day for day, _ in groupby(others)]
        # A list in the order of its players comes back to each day.
        by_player = any(two == one + 1 for one, two in pairwise(suspects)) or len(set(joined)) < len(joined)
        if by_player or len(suspects) > max(2, len(rows) // 10):
            continue
        for at in suspects:
            if len(runs[at - 1][1]) + len(runs[at + 1][1]) < AROUND:
                continue
            _ask_date(book, traps, runs[at][1], runs[at - 1][0], ask)


def _ask_date(book, traps, some, likely, ask):
    first, day = some[0], some[0].date
    rows = {one.cell.row for one in some}
    where = f"{book.where(first.date_cell or first.cell)}: "
    has_turned = (likely.day, likely.month, likely.year) == (day.month, day.day, day.year)
    hint = " Its day and month may have changed places." if has_turned else ""
    sentence = f"{where}the date is {day_words(day)}. Was it {day_words(likely)}, like the rows around it?{hint}"
    options = ((KEEP, f"No, {day_words(day)} is right"), (MOVED, f"Yes, it was {day_words(likely)}"))
    cells = [checked(book, first.date_cell, "Date")] if first.date_cell else []
    answer = ask(Question("date", sentence, "", cells, options=options))
    if answer == MOVED:
        sheet = first.cell.sheet
        traps.results = [
            replace(one, date=likely) if one.cell.sheet == sheet and one.cell.row in rows else one
            for one in traps.results
        ]
    elif not answer:
        traps.unsure_days |= {day, likely}


# A column or a player that is the sum of others.


def _sums(book, layouts, traps, ask):
    for number, layout in enumerate(layouts):
        if layout.shape == DATES_ACROSS:
            _sum_columns(book, number, layout, traps, ask)
    players: dict[str, list[tuple[int, list[int]]]] = defaultdict(list)
    for some in grouped(traps.results, lambda one: (one.date, one.meeting)).values():
        for one in some:
            players[one.player].append((one.net, [other.net for other in some if other is not one]))
    for player, days in players.items():
        if len(days) < 2 or not any(net for net, _ in days) or any(len(others) < AROUND for _, others in days):
            continue
        for what, work_out in _OF_OTHERS.items():
            if all(abs(net - work_out(others)) < 1 for net, others in days):
                sentence = f"“{player}” has {what} the others on each day."
                if ask(Question("sum", sentence, "", options=_TOTAL)) == DROP:
                    traps.results = [one for one in traps.results if one.player != player]
                break


# What stands in a row that is nobody's.
_OF_OTHERS: dict[str, Callable[[list[int]], float]] = {
    "the sum of all": sum,
    "the average of": mean,
    "the highest figure of": max,
    "the lowest figure of": min,
}


def _sum_columns(book, number, layout, traps, ask):
    here = [one for one in traps.results if one.cell.sheet == number]
    rows = grouped(here, lambda one: one.cell.row).values()
    for column in layout.columns_of(RESULT)[2:]:
        if not _is_sum_of_before(rows, column):
            continue
        heading = layout.headings(rectangular(book.sheets[number].rows))[column]
        name = f"“{book.sheets[number].name}”: " if len(book.sheets) > 1 else ""
        sentence = f"{name}Column {column_letters(column)} (“{heading}”) is the sum of the columns before it."
        if ask(Question("sum", sentence, "", options=_TOTAL)) == DROP:
            traps.results = [one for one in traps.results if (one.cell.sheet, one.cell.column) != (number, column)]


_TOTAL = ((KEEP, "It is no total: import it"), (DROP, "It is a total: leave it out"))


def _is_sum_of_before(rows, column):
    asked = fitting = 0
    for some in rows:
        before = [one.net for one in sorted(some, key=lambda one: one.cell) if one.cell.column < column]
        figure = sum(one.net for one in some if one.cell.column == column)
        if figure and len(before) > 1:
            asked += 1
            fitting += figure in [sum(before[start:]) for start in range(len(before) - 1)]
    return asked > 2 and fitting * 10 >= asked * 9


# Running totals.


def _running(book, layouts, traps, ask):
    """Ask whether figures continue each other."""
    of_sheet = grouped(traps.results, lambda one: one.cell.sheet)
    sheets = set(of_sheet)
    series = {sheet: _series(some) for sheet, some in of_sheet.items()}
    right = {sheet for sheet, some in of_sheet.items() if _has_right_totals(book, layouts[sheet], sheet, some)}
    named = {sheet for sheet in sheets - right if _is_named_running(book, layouts[sheet], sheet, series[sheet])}
    excluded = right | {sheet for sheet, some in of_sheet.items() if _cannot_go_on(some)}
    # Small sheets tell more together; a row that is a table is seldom of running totals.
    few = {
        sheet
        for sheet in sheets - excluded
        if len(series[sheet]) >= TABLE_OF and _steps(series[sheet]) < ENOUGH_STEPS and layouts[sheet].shape != TABLES
    }
    small = [nets for sheet in few for nets in series[sheet]]
    asked = named | (few if _continue(small, _less(small)) else set())
    asked |= {sheet for sheet in sheets - excluded - few if _continue(series[sheet])}
    # Where each sheet is of one meeting, they may continue each other.
    is_a_meeting = all(len({one.date for one in some}) == 1 for some in of_sheet.values())
    every = _series(traps.results)
    if len(sheets) > 1 and is_a_meeting and not _cannot_go_on(traps.results) and _continue(every, _less(every)):
        asked = sheets
    if not asked:
        return
    some = [one for one in traps.results if one.cell.sheet in asked]
    each = max(_by_player(some).values(), key=len)
    figures = [with_commas(one.net) for one in each[:6]]
    names = listed([f"“{book.sheets[one].name}”" for one in sorted(asked)][:4], "and")
    where = "" if asked == sheets else f"In {names}: "
    changed = _taken_apart(some, joined=_are_joined(some))
    total, apart = sum(one.net for one in each), sum(changed[one.cell] for one in each)
    shown = f"{', '.join(figures)} and so on" if len(each) > 6 else listed(figures, "and")
    sentence = f"{where}Are these running totals? {each[0].player} has {shown}."
    then = f"Then {each[0].player}’s total is"
    options = (
        (KEEP, f"No, each figure is one day’s own result. {then} {with_commas(total)}"),
        (RUNNING, f"Yes, each figure goes on from the one before. {then} {with_commas(apart)}"),
    )
    if ask(Question("running", sentence, "", options=options)) == RUNNING:
        traps.are_running = True
        traps.results = [replace(one, net=changed.get(one.cell, one.net)) for one in traps.results]


def _taken_apart(results: Results, joined: bool) -> dict[CellNumbers, int]:
    """Return what each running total added to the one before, on each sheet for itself unless they are joined."""
    changed = {}
    for mine in _by_player(results).values():
        last: dict[int, int] = {}
        for one in mine:
            sheet = 0 if joined else one.cell.sheet
            changed[one.cell] = one.net - last.get(sheet, 0)
            last[sheet] = one.net
    return changed


def _are_joined(results: Results) -> bool:
    """Return whether the first figures of a sheet go on from the last of the sheet before."""
    apart = going_on = 0
    for mine in _by_player(results).values():
        for before, one in pairwise(mine):
            if before.cell.sheet != one.cell.sheet:
                apart += abs(one.net)
                going_on += abs(one.net - before.net)
    return going_on < apart


def _by_player(results: Results) -> dict[str, Results]:
    """Return each player's results in the order of their days."""
    found = grouped(results, lambda one: one.player.casefold())
    return {player: sorted(some, key=lambda one: (one.date, one.cell)) for player, some in found.items()}


def _series(results: Results) -> list[list[int]]:
    return [[one.net for one in some] for some in _by_player(results).values() if len(some) > 1]


def _steps(series: list[list[int]]) -> int:
    return sum(len(nets) - 1 for nets in series)


def _less(series: list[list[int]]) -> float:
    """Return by how much the steps of running totals may vary; fewer players than a table has are no club's."""
    return LESS + max(0, ENOUGH_STEPS - _steps(series)) / 16 if len(series) >= TABLE_OF else LESS


def _continue(series: list[list[int]], less: float = LESS) -> bool:
    """Return whether each figure goes on from the one before: the steps between are smaller than the figures."""
    series = [nets for nets in series if any(nets)]
    steps = _steps(series)
    if steps < FEW_STEPS:
        return False
    if min(map(min, series)) >= 0:
        rising = [nets for nets in series if all(one <= two for one, two in pairwise(nets))]
        is_rare = prod(1 / factorial(min(len(nets), 9)) for nets in rising) < 0.01
        return len(rising) * 10 >= len(series) * 9 and is_rare
    # One figure far from the others must not outweigh them.
    most = FAR_OFF * median(abs(net) for nets in series for net in nets)
    cut = [[max(-most, min(most, net)) if most else net for net in nets] for nets in series]
    between = sum(nets[0] ** 2 + sum((two - one) ** 2 for one, two in pairwise(nets)) for nets in cut)
    figures = sum(net**2 for nets in cut for net in nets)
    return between < figures * less


def _cannot_go_on(results: Results) -> bool:
    """Return whether each table adds up to 0, although what its players had before does not."""
    tables = grouped(results, lambda one: (one.date, one.meeting, one.table or 0))
    if any(sum(one.net for one in some) for some in tables.values()):
        return False
    last: dict[str, int] = {}
    for _, some in sorted(tables.items()):
        if sum(last.get(one.player, 0) for one in some):
            return True
        last |= {one.player: one.net for one in some}
    return False


def _has_right_totals(book, layout, number, results):
    """Return whether the file itself has the sums of most rows: then the figures do not continue each other."""
    rows = rectangular(book.sheets[number].rows)
    asked = right = 0
    for row, some in grouped(results, lambda one: one.cell.row).items():
        some.sort(key=lambda one: one.cell)
        figures = [one.net for one in some]
        if len(figures) < 2 or not any(figures[:-1]):
            continue
        asked += 1
        behind = map(figure_of, rows[row][some[-1].cell.column + 1 :])
        right += sum(figures) in behind and sum(figures) != figures[-1]
    return layout.shape == DATES_ACROSS and asked > 1 and right * 10 >= asked * 6


def _is_named_running(book, layout, number, series):
    sheet = book.sheets[number]
    rows = rectangular(sheet.rows)
    above = [cell for row in rows[: layout.header or 0] for cell in row if cell and not is_number(cell)]
    headings = layout.headings(rows)
    used = [headings[column] for meaning in ("net", RESULT) for column in layout.columns_of(meaning)]
    words = [sheet.name, *above, *(used if layout.shape != PLAYERS_ACROSS else [])]
    # What is said in a row of its own among or below the results is said of them too.
    if any(map(NAMED_RUNNING.search, words)):
        return True
    # Of figures that may be running totals, it is enough that they go on loosely.
    between = sum((two - one) ** 2 for nets in series for one, two in pairwise(nets))
    go_on = between < 1.5 * sum(net**2 for nets in series for net in nets[1:])
    return any(map(MAYBE_RUNNING.search, words)) and (_steps(series) < STEPS or go_on)


# Balances that begin with the same even sum.


def _balances(traps, ask):
    """Ask whether all began with the same sum; return whether nothing of that is still to be answered."""
    tables = grouped(traps.results, lambda one: (one.date, one.meeting, one.table))
    starts = {key: _even_share(some) for key, some in tables.items()}
    even = Counter(start for start in starts.values() if start)
    if not even or sum(even.values()) * 10 < len(tables) * 6:
        return _uneven_balances(tables, ask)
    usual = even.most_common(1)[0][0]
    first = next(one for one in traps.results if starts[one.date, one.meeting, one.table] == usual)
    sentence = (
        f"Do these balances begin with {with_commas(usual)} for each player? {_capital(day_words(first.date))} adds up "
        f"to {with_commas(usual)} times the number of players."
    )
    then = f"Then {first.player} has"
    options = (
        (KEEP, f"No, import them as they are. {then} {with_commas(first.net)} on that day"),
        (START, f"Yes, take {with_commas(usual)} from each. {then} {first.net - usual:+,} on that day"),
    )
    answer = ask(Question("start", sentence, "", options=options))
    if answer == START:
        traps.are_balances = True
        begun = [(one, starts[one.date, one.meeting, one.table] or usual) for one in traps.results]
        traps.results = [replace(one, net=one.net - start) for one, start in begun]
    return bool(answer)


def _uneven_balances(tables, ask):
    """Ask where each day adds up to thousands: tables of four and of five begin with other sums."""
    sums = {key: sum(one.net for one in some) for key, some in tables.items()}
    round_ones = [total for total in sums.values() if total > 0 and total % ROUND_SUM == 0]
    if len(sums) < 2 or len(round_ones) * 10 < len(sums) * 9:
        return True
    (day, *_), total = next(iter(sums.items()))
    sentence = (
        f"{_capital(day_words(day))} adds up to {with_commas(total)}. Do the players of each table begin with a sum? "
        "Then take it from each figure in your file first."
    )
    ask(Question("start", sentence, "These are what each player won or lost"))
    return True


def _even_share(some):
    share, rest = divmod(sum(one.net for one in some), len(some))
    return share if share > 0 and not rest and share % EVEN_SUM == 0 and len(some) > 1 else 0


# Won or lost in a word beside the figure.

WON = {"w", "won", "win", "+", "plus", "winner"}
LOST = {"l", "lost", "lose", "loss", "-", "minus", "loser"}


def _signs(book, layouts, traps, ask):
    """Ask about figures without a sign beside a column of W and L."""
    for number, layout in enumerate(layouts):
        here = {one.cell.row: one for one in traps.results if one.cell.sheet == number}
        if layout.shape != LIST or not here:
            continue
        rows = rectangular(book.sheets[number].rows)
        for column in layout.columns_of(LEFT_OUT):
            words = {row: rows[row][column].strip(" .").casefold() for row in here}
            lost = {here[row].cell for row, word in words.items() if word in LOST}
            are_signs = all(word in WON | LOST or not here[row].net for row, word in words.items())
            if not (lost and are_signs) or any(one.net < 0 for one in here.values()):
                continue
            sentence = f"Column {column_letters(column)} says who lost, but no figure has a minus."
            options = ((KEEP, "No, import the figures as they are"), (MINUS, "Yes, those who lost have a minus"))
            if ask(Question("signs", sentence, "", options=options)) == MINUS:
                traps.results = [replace(one, net=-one.net) if one.cell in lost else one for one in traps.results]
                traps.are_balances = True


def _marks(book, traps, ask):
    """Ask about figures without a sign that share a colour or the like, where with a minus the results add up to 0."""
    for number, sheet in enumerate(book.sheets):
        here = [one for one in traps.results if one.cell.sheet == number]
        for group in sheet.marked:
            cells = {CellNumbers(number, row, column) for row, column in group}
            lost = {one.cell: -one.net for one in here if one.cell in cells and one.net > 0}
            if not (lost and _add_up(here, lost) * 10 >= 6 > _add_up(here, {}) * 10):
                continue
            first = next(one for one in here if one.cell in lost)
            sentence = (
                f"{counted(len(lost), 'figure')} look unlike the others, such as {with_commas(first.net)} of "
                f"{first.player} on {day_words(first.date)}. With a minus before each of them, it all adds up to 0. "
                "Did these lose?"
            )
            options = ((KEEP, "No, import the figures as they are"), (MINUS, "Yes, each of them has a minus"))
            if ask(Question("marks", sentence, "", checked_results(book, [first]), options=options)) == MINUS:
                traps.results = [replace(one, net=lost.get(one.cell, one.net)) for one in traps.results]
                traps.are_balances = True
            break


def _add_up(results: Results, changed: dict[CellNumbers, int]) -> float:
    """Return what part of the days and tables add up to 0 with these figures changed."""
    tables = grouped(results, lambda one: (one.date, one.meeting, one.table)).values()
    return sum(not sum(changed.get(one.cell, one.net) for one in some) for some in tables) / max(len(tables), 1)


def _no_minus(traps, ask):
    """Ask where no figure has a minus, but on each day some of them are worth as much as all others."""
    tables = grouped(traps.results, lambda one: (one.date, one.meeting, one.table)).values()
    if not tables or min(one.net for one in traps.results) < 0:
        return
    even = sum(1 for some in tables if _even_share(some))
    if even * 10 >= len(tables) * 6:
        return
    by_chance, unit = 1.0, gcd(*[one.net for one in traps.results])
    for some in tables:
        nets = [one.net for one in some]
        if len(nets) < 2 or not any(nets) or len(nets) > MOST_SPLIT or not _splits(nets):
            return
        by_chance *= min(1, 2 ** (len(nets) - 1) * unit / sum(net**2 for net in nets) ** 0.5)
    # Where scores are added up, they are seldom all tens.
    if by_chance < RARE or unit % 10 == 0:
        sentence = (
            "No figure has a minus. But on each day some of the figures add up to as much as the others, as if winners "
            "and losers had paid each other. Has the file lost its minus signs?"
        )
        ask(Question("no minus", sentence, "No, nobody lost: everyone added up their own score"))


def _splits(nets: list[int]) -> bool:
    """Return whether some of these, none below 0, add up to as much as the others; larger sums are not tried."""
    unit = gcd(*nets) or 1
    whole = sum(nets) // unit
    if whole % 2 or whole > MOST_SUM:
        return False
    # Each bit is a sum that some of them have.
    reached = 1
    for net in nets:
        reached |= reached << (net // unit)
    return bool(reached >> (whole // 2) & 1)


def _zeros(book, traps, ask):
    zeros = [one for one in traps.results if not one.net]
    if len(zeros) < FEW_ZEROS or len(zeros) * ONE_ZERO_IN < len(traps.results) or len(zeros) == len(traps.results):
        return
    days = {one.date for one in zeros}
    sentence = (
        f"{len(zeros)} results are 0, on {counted(len(days), 'day')}. Is 0 written for those who were not there? "
        f"For example {zeros[0].player} on {day_words(zeros[0].date)}."
    )
    options = ((KEEP, "No, they played and came out even"), (ABSENT, "Yes, they were not there: leave these out"))
    if ask(Question("zeros", sentence, "", checked_results(book, zeros[:3]), options=options)) == ABSENT:
        traps.results = [one for one in traps.results if one.net]


def _small_figures(traps, ask):
    nets = [one.net for one in traps.results]
    if len(nets) < STEPS:
        return
    if min(nets) > 0 and max(nets) <= SMALL_FIGURE:
        span = f"from {min(nets)} to {max(nets)}"
        sentence = f"All figures are {span}. Are they positions or numbers of hands, not points?"
        ask(Question("small", sentence, "They are points"))
    elif len(set(nets)) == 1 and nets[0]:
        ask(Question("small", f"All figures are {with_commas(nets[0])}. Are they points?", "They are points"))


# Somebody twice.


def _two_rows(book, layouts, traps, ask):
    """Ask whether two rows, or two columns, with one name are one person."""
    for number, layout in enumerate(layouts):
        if layout.shape not in (DATES_ACROSS, PLAYERS_ACROSS):
            continue
        is_down = layout.shape == DATES_ACROSS
        here = [one for one in traps.results if one.cell.sheet == number]
        places: dict[Any, dict[int, set[date]]] = defaultdict(lambda: defaultdict(set))
        for one in here:
            # Blocks below each other have their own dates, and blocks side by side their own names.
            names = [column for column in layout.columns_of("player") if column < one.cell.column]
            block = (one.date_cell.row if one.date_cell else 0, names[-1:]) if is_down else 0
            place = one.cell.row if is_down else one.cell.column
            places[one.player.casefold(), str(block)][place].add(one.date)
        written = {one.player.casefold(): one.player for one in here}
        for (player, _), days in places.items():
            if len(days) > 1 and sum(map(len, days.values())) == len(set().union(*days.values())):
                where = [f"row {place + 1}" if is_down else f"column {column_letters(place)}" for place in sorted(days)]
                sentence = f"{_capital(listed(where, 'and'))} have the same name, {written[player]}."
                ask(Question("two rows", sentence, "They are one person"))


# Words.


def _capital(text):
    return text[:1].upper() + text[1:]
