"""Questions whose answers change the results: names missing, what is hidden, running totals, balances, zeros.

No database here.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from clubscore.league.methods import grouped
from clubscore.scoring.words import listed, with_commas
from sessions_app.exchange.imports.sheet_checks import Question, checked, checked_results
from sessions_app.exchange.imports.sheet_figures import unused_figures
from sessions_app.exchange.imports.sheet_results import NO_NAME, SheetResult, SheetResults
from sessions_app.exchange.imports.sheet_shapes import PLAYERS_ACROSS, RESULT, Layout
from sessions_app.exchange.imports.sheet_values import counted, some_of
from sessions_app.exchange.imports.spreadsheets import CellNumbers, Workbook, column_letters, rectangular
from sessions_app.people.dates import day_words

Results = list[SheetResult]
KEEP, DROP, ABOVE, START, ABSENT = "keep", "drop", "above", "start", "absent"

# What the figures of a file are.
OWN, RUNNING, JOINED = "own", "running", "joined"
FIGURES = {
    OWN: "Each day’s own result",
    RUNNING: "Running totals",
    JOINED: "Running totals over all sheets",
}
SAYS_RUNNING = re.compile(
    r"\b(?:running|cumulative|cum|accumulat\w*|progressive|[cb]/f(?:wd)?|carried f\w*|ytd|to date|so far)\b", re.I
)

# A balance is asked about where each player’s share of every table is the same, and a multiple of this.
EVEN_SUM = 50
FEW_ZEROS, ONE_ZERO_IN = 3, 10
# A hidden sheet with so many figures may have results.
MANY_FIGURES = 12


@dataclass
class Answered:
    """The results as the answers change them, and what was asked."""

    results: Results
    questions: list[Question] = field(default_factory=list)
    # Whether the figures add up to 0 only as the answers have them.
    are_balances: bool = False
    are_running: bool = False


Answers = Callable[[Question], str]


def ask_what_figures_are(
    book: Workbook, layouts: Sequence[Layout], found: SheetResults, figures: str, answer: Answers
) -> Answered:
    """Return what to ask of these results, each answered by `answer`, and the results as answered.

    `figures` is what someone chose them to be; while that is OWN, a title or heading that says other is asked about.
    """
    answered = Answered(list(found.results))

    def ask(question: Question) -> str:
        question.answer = answer(question)
        answered.questions.append(question)
        return question.answer

    _missing_names(book, found, ask)
    _hidden(book, answered, ask)
    _unused(book, layouts, found, ask)
    if _balances(answered, ask):
        _running(book, layouts, answered, figures, ask)
    _zeros(book, answered, ask)
    return answered


def _missing_names(book, found, ask):
    cells = [checked(book, fault.cell, "Name") for fault in found.faults if fault.sentence == NO_NAME]
    if cells:
        where = some_of([cell.where for cell in cells], 4)
        options = ((DROP, "Leave these rows out"), (ABOVE, "They are results of the name above"))
        ask(Question("names", f"{where}: the name is missing.", "", cells, options=options))


def _hidden(book, answered, ask):
    for number, sheet in enumerate(book.sheets):
        rows, columns = set(sheet.hidden_rows), set(sheet.hidden_columns)
        here = [result for result in answered.results if result.cell.sheet == number]
        hidden = [result for result in here if result.cell.row in rows or result.cell.column in columns]
        if not hidden:
            continue
        places = [f"row {row + 1}" for row in sorted({result.cell.row for result in hidden} & rows)]
        hidden_columns = sorted({result.cell.column for result in hidden} & columns)
        places += [f"column {column_letters(column)}" for column in hidden_columns]
        name = f"“{sheet.name}”: " if len(book.sheets) > 1 and sheet.name else ""
        verb = "is" if len(places) == 1 else "are"
        names = some_of(list(dict.fromkeys(result.player for result in hidden)), 3)
        sentence = f"{name}{some_of(places, 6)} {verb} hidden in the file: {counted(len(hidden), 'result')} of {names}."
        options = ((KEEP, "Import them too"), (DROP, "Leave them out"))
        if ask(Question("hidden", _capital(sentence), "", options=options)) == DROP:
            gone = {result.cell for result in hidden}
            answered.results = [result for result in answered.results if result.cell not in gone]
    for name, number in book.hidden_sheets:
        if number >= MANY_FIGURES:
            ask(Question("hidden", f"The hidden sheet “{name}” has {number:,} figures.", "Leave it out"))


def _unused(book, layouts, found, ask):
    unused = [group for group in unused_figures(book, layouts, found) if not group.is_explained]
    if not unused:
        return
    number = sum(len(group.cells) for group in unused)
    places, verb = some_of([group.where for group in unused], 6), "are" if number > 1 else "is"
    lines = [f"{_capital(group.where)}: {', '.join(map(book.text, group.cells[:8]))}" for group in unused[:20]]
    sentence = f"{counted(number, 'figure')} {verb} not imported, in {places}."
    ask(Question("unused", sentence, "They are not results" if number > 1 else "It is not a result", lines=lines))


def _running(book, layouts, answered, figures, ask):
    """Take running totals apart, where someone chose so, or a title or heading says so and the answer is yes."""
    if figures != OWN:
        _take_apart(answered, figures)
        return
    sheets = {result.cell.sheet for result in answered.results}
    says_so = any(_says_running(book, layouts[sheet], sheet) for sheet in sheets)
    results = max(_by_player(answered.results).values(), key=len, default=[])
    if not says_so or len(results) < 2:
        return
    nets = [with_commas(result.net) for result in results]
    shown = f"{', '.join(nets[:6])} and so on" if len(nets) > 6 else listed(nets, "and")
    then = f"Then {results[0].player}’s total is"
    options = [
        (OWN, f"No, each figure is one day’s own result. {then} {with_commas(sum(result.net for result in results))}")
    ]
    for kind in (RUNNING, JOINED) if len(sheets) > 1 else (RUNNING,):
        apart = _taken_apart(answered.results, kind)
        total = sum(apart[result.cell] for result in results)
        where = ", over all sheets" if kind == JOINED else ""
        options.append((kind, f"Yes, each figure goes on from the one before{where}. {then} {with_commas(total)}"))
    sentence = f"Are these running totals? {results[0].player} has {shown}."
    if (chosen := ask(Question("running", sentence, "", options=options))) not in ("", OWN):
        _take_apart(answered, chosen)


def _says_running(book, layout, number):
    sheet = book.sheets[number]
    rows = rectangular(sheet.rows)
    headings = layout.headings(rows)
    used = [headings[column] for meaning in ("net", RESULT) for column in layout.columns_of(meaning)]
    above = [cell for row in rows[: layout.header or 0] for cell in row]
    # The headings of players are names.
    return any(map(SAYS_RUNNING.search, [sheet.name, *above, *(used if layout.shape != PLAYERS_ACROSS else [])]))


def _take_apart(answered: Answered, figures: str) -> None:
    apart = _taken_apart(answered.results, figures)
    answered.are_running = True
    answered.results = [replace(result, net=apart[result.cell]) for result in answered.results]


def _taken_apart(results: Results, figures: str) -> dict[CellNumbers, int]:
    """Return what each running total added to the one before, on each sheet for itself unless they are joined."""
    apart = {}
    for mine in _by_player(results).values():
        last: dict[int, int] = {}
        for result in mine:
            sheet = 0 if figures == JOINED else result.cell.sheet
            apart[result.cell] = result.net - last.get(sheet, 0)
            last[sheet] = result.net
    return apart


def _by_player(results: Results) -> dict[str, Results]:
    """Return each player's results in the order of their days."""
    found = grouped(results, lambda result: result.player.casefold())
    return {player: sorted(mine, key=lambda result: (result.date, result.cell)) for player, mine in found.items()}


def _balances(answered: Answered, ask: Answers) -> bool:
    """Ask whether all began with the same sum; return whether nothing of that is still to be answered."""
    tables = grouped(answered.results, lambda result: (result.date, result.meeting, result.table)).values()
    shares = Counter(sum(result.net for result in seated) / len(seated) for seated in tables if len(seated) > 1)
    share, times = shares.most_common(1)[0] if shares else (0, 0)
    if share <= 0 or share % EVEN_SUM or times * 2 <= len(tables):
        return True
    first, start = answered.results[0], int(share)
    sentence = (
        f"Do these balances begin with {with_commas(start)} for each player? "
        f"{counted(times, 'table')} of {len(tables):,} add up to that times the number of players."
    )
    then = f"Then {first.player} has"
    options = (
        (KEEP, f"No, import them as they are. {then} {with_commas(first.net)} on {day_words(first.date)}"),
        (START, f"Yes, take {with_commas(start)} from each. {then} {first.net - start:+,} on {day_words(first.date)}"),
    )
    answer = ask(Question("start", sentence, "", options=options))
    if answer == START:
        answered.are_balances = True
        answered.results = [replace(result, net=result.net - start) for result in answered.results]
    return bool(answer)


def _zeros(book: Workbook, answered: Answered, ask: Answers) -> None:
    zeros = [result for result in answered.results if not result.net]
    number = len(answered.results)
    if len(zeros) < FEW_ZEROS or len(zeros) * ONE_ZERO_IN < number or len(zeros) == number:
        return
    days = {result.date for result in zeros}
    sentence = (
        f"{len(zeros)} results are 0, on {counted(len(days), 'day')}. Is 0 written for those who were not there? "
        f"For example {zeros[0].player} on {day_words(zeros[0].date)}."
    )
    options = ((KEEP, "No, they played and came out even"), (ABSENT, "Yes, they were not there: leave these out"))
    if ask(Question("zeros", sentence, "", checked_results(book, zeros[:3]), options=options)) == ABSENT:
        answered.results = [result for result in answered.results if result.net]


def _capital(text):
    return text[:1].upper() + text[1:]
