"""Import a club's own spreadsheet: what was chosen, whose names these are, what is asked, and the saving of it."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from clubscore.scoring import RULE_SETS
from clubscore.scoring.unlikely_totals import scores_even
from clubscore.scoring.words import listed
from sessions_app.exchange.imports.name_matches import Names, field_of
from sessions_app.exchange.imports.sheet_checks import NewSeason, Placed, Question, missing_seasons, questions_about
from sessions_app.exchange.imports.sheet_results import Cell, SheetResults, column_letters, read_results
from sessions_app.exchange.imports.sheet_shapes import (
    DATES_ACROSS,
    LEFT_OUT,
    MEANINGS,
    PLAYERS_ACROSS,
    RESULT,
    SHAPES,
    Layout,
    dates_of,
    may_be_a_player,
    recognise,
)
from sessions_app.exchange.imports.sheet_text import ImportRefused, refuse_too_many
from sessions_app.exchange.imports.sheet_values import (
    DAY_FIRST,
    MONTH_FIRST,
    Years,
    has_year,
    is_ambiguous,
    looks_like_a_date,
    orders_of,
    years_in,
)
from sessions_app.exchange.imports.spreadsheets import Sheet, Workbook, bounded_all
from sessions_app.exchange.imports.totals import (
    BY_TICKING,
    TotalsImport,
    import_totals,
    preview_totals,
    what_counts_nowhere,
    what_has_no_hands,
    what_was_read,
)
from sessions_app.exchange.imports.totals_file import RECORDINGS, TotalsRow
from sessions_app.league.methods import METHODS
from sessions_app.league.seasons import add_season, like_the_last
from sessions_app.models import Change, Club, Season
from sessions_app.people.log import Actor
from sessions_app.people.models import MAX_NAME
from sessions_app.people.transactions import write_transaction
from sessions_app.rules.club_rules import known_rule_sets

MAX_RESULTS, MAX_PEOPLE = 10_000, 400


# The workbook between two pages: it comes back with each form, so the file is chosen once.


def kept_text(book: Workbook) -> str:
    """Return the sheets as the page keeps them."""
    sheets = [[sheet.name, sheet.rows] for sheet in book.sheets]
    return json.dumps({"sheets": sheets, "notes": book.notes}, ensure_ascii=False, separators=(",", ":"))


def kept_workbook(text: str) -> Workbook:
    """Return the sheets that a page kept; ImportRefused for what it cannot have made."""
    try:
        kept = json.loads(text)
        named = [(str(name), [[str(cell) for cell in row] for row in rows]) for name, rows in kept["sheets"]]
        notes = [str(sentence)[:300] for sentence in kept["notes"]][:50]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ImportRefused("Choose the file again. This page has lost it.") from None
    return Workbook(bounded_all(named), notes)


# What was chosen of each sheet and of the whole file.


@dataclass
class Choices:
    layouts: list[Layout]
    order: str = DAY_FIRST
    rules: str = ""
    recording: str = ""

    @property
    def dates(self) -> list[str]:
        return [text for layout in self.layouts if layout.used for text in layout.dates]

    @property
    def asks_order(self) -> bool:
        return is_ambiguous(self.dates)

    def as_text(self) -> str:
        """Return the choices as a page keeps them."""
        layouts = [[one.shape, one.header, list(one.columns), one.used, str(one.years or "")] for one in self.layouts]
        return json.dumps([layouts, self.order, self.rules, self.recording])


def guessed(club: Club, book: Workbook) -> Choices:
    """Return what the file most likely is, with what the club chose last time."""
    memory = remembered(club)
    layouts = [recognise(sheet.name, sheet.rows) for sheet in book.sheets]
    known = memory.get("columns", {})
    for at, (sheet, layout) in enumerate(zip(book.sheets, layouts, strict=True)):
        layout = layouts[at] = _as_last_time(sheet, layout, memory.get("grids", {}))
        if layout.used and layout.header is not None:
            headings = sheet.rows[layout.header]
            columns = [
                known.get(headings[column].casefold(), meaning)
                if column < len(headings) and meaning != RESULT
                else meaning
                for column, meaning in enumerate(layout.columns)
            ]
            with_memory = replace(layout, columns=tuple(columns))
            layouts[at] = layout if with_memory.missing else with_memory
    # A sheet without dates next to those that have them is a summary of them.
    if any(layout.used and not layout.missing for layout in layouts):
        layouts = [replace(one, used=one.used and not one.lacks_dates) for one in layouts]
    if not any(layout.used for layout in layouts):
        layouts[0] = replace(layouts[0], used=True)
    choices = Choices(layouts)
    order = orders_of(choices.dates)
    choices.order = order.pop() if len(order) == 1 else memory.get("order", DAY_FIRST)
    rules = memory.get("rules", club.rules)
    choices.rules = rules if rules in known_rule_sets() else club.rules
    choices.recording = _likely_recording(book, choices) or memory.get("recording", "settle")
    return choices


def _as_last_time(sheet, layout, grids):
    """Return a sheet's layout with the headings' row and columns of the last grid of its shape, if they fit it too.

    A sheet that is not recognised may be a grid of any shape.
    """
    for shape, (header, meanings) in grids.items():
        if header >= len(sheet.rows) or (layout.used and layout.shape != shape):
            continue
        headings = sheet.rows[header]
        is_guess = layout.used and layout.header == header
        columns = layout.columns if is_guess else _results_by_heading(shape, headings, layout)
        keys = [_column_key(headings, column) for column in range(len(columns))]
        columns = [meanings.get(key, meaning) for key, meaning in zip(keys, columns, strict=True)]
        found = _layout(sheet, shape, header, columns, True, layout.years or "")
        needed = {key for key, meaning in meanings.items() if meaning}
        if found.dates and not found.missing and (is_guess or needed <= {*keys}):
            return replace(found, title=layout.title)
    return layout


def _results_by_heading(shape, headings, layout):
    """Return each column of a grid by its heading alone: a result where it is a date, or may be a player."""
    is_result = looks_like_a_date if shape == DATES_ACROSS else may_be_a_player
    filled = [*headings, *[""] * (len(layout.columns) - len(headings))]
    return [RESULT if is_result(heading) else LEFT_OUT for heading in filled]


def _column_key(headings, column):
    """Return what a column of a grid is remembered by: its letter, or a digest, as its heading may be a name."""
    heading = headings[column] if column < len(headings) else ""
    return field_of(heading.casefold()) if heading else column_letters(column)


def _likely_recording(book, choices):
    """Return "straight" where nobody ever lost, "settle" where most tables add up to nothing, else nothing."""
    results = read_results(book.sheets, choices.layouts, choices.order).results
    if results and min(one.net for one in results) >= 0:
        return "straight"
    sums: Counter = Counter()
    for one in results:
        sums[one.date, one.table] += one.net
    return "settle" if sum(not total for total in sums.values()) * 2 > len(sums) else ""


def chosen(book: Workbook, kept: str) -> Choices:
    """Return the choices that a page kept; ImportRefused for what it cannot have made."""
    try:
        layouts, order, rules, recording = json.loads(kept)
        made = [_layout(sheet, *layout) for sheet, layout in zip(book.sheets, layouts, strict=True)]
    except (ValueError, TypeError, RecursionError):
        raise ImportRefused("Choose the file again. This page has lost it.") from None
    return _checked_choices(made, order, rules, recording)


def posted_choices(book: Workbook, data: Mapping[str, str]) -> Choices:
    """Return the choices of the second page's fields."""
    layouts = []
    for at, sheet in enumerate(book.sheets):
        width = max(map(len, sheet.rows), default=0)
        columns = [data.get(f"column-{at}-{column}", LEFT_OUT) for column in range(width)]
        header = data.get(f"header-{at}", "").strip()
        number = int(header) - 1 if header.isascii() and header.isdigit() and len(header) < 6 and int(header) else None
        used = len(book.sheets) == 1 or f"use-{at}" in data
        layouts.append(_layout(sheet, data.get(f"shape-{at}"), number, columns, used, data.get(f"years-{at}", "")))
    return _checked_choices(layouts, data.get("order"), data.get("rules"), data.get("recording"))


def with_named_columns(book: Workbook, choices: Choices, text: str) -> Choices:
    """Return the choices with columns named by heading or letter, as in "player=Who,net=D"; else ImportRefused."""
    named = [part.split("=", 1) for part in text.split(",") if part.strip()]
    if any(len(pair) != 2 or pair[0].strip() not in MEANINGS for pair in named):
        known = ", ".join(key for key in MEANINGS if key)
        raise ImportRefused(f"Enter columns like player=Name,date=A,net=Score. A column can be {known}.")
    for at, (sheet, layout) in enumerate(zip(book.sheets, choices.layouts, strict=True)):
        headings = sheet.rows[layout.header] if layout.header is not None else []
        columns = list(layout.columns)
        called = [[column_letters(column), *headings[column : column + 1]] for column in range(len(columns))]
        for meaning, heading in ((pair[0].strip(), pair[1].strip()) for pair in named if layout.used):
            fitting = [at for at, words in enumerate(called) if heading.casefold() in map(str.casefold, words)]
            if not fitting:
                raise ImportRefused(f"Enter another column for {meaning}. There is none called “{heading[:40]}”.")
            columns = [LEFT_OUT if one == meaning and meaning != RESULT else one for one in columns]
            columns[fitting[0]] = meaning
        choices.layouts[at] = _layout(sheet, layout.shape, layout.header, columns, layout.used, layout.years or "")
    missing = [sentence for layout in choices.layouts for sentence in layout.missing]
    if missing:
        raise ImportRefused(*missing)
    return choices


def _layout(sheet, shape, header, columns, used, years):
    width = max(map(len, sheet.rows), default=0)
    if shape not in SHAPES or not all(one in MEANINGS for one in columns) or len(columns) > width:
        raise ImportRefused("Choose what each column is.")
    if header is not None and not 0 <= int(header) < len(sheet.rows):
        raise ImportRefused(
            f"Enter the row with the headings: a number from 1 to {len(sheet.rows)}, or leave it blank."
        )
    layout = Layout(shape, header, tuple(columns), bool(used), years_in(str(years)))
    dates = dates_of(layout, sheet.rows, sheet.name)
    return replace(layout, dates=dates, needs_years=any(not has_year(text) for text in dates))


def _checked_choices(layouts, order, rules, recording):
    if order not in (DAY_FIRST, MONTH_FIRST) or rules not in known_rule_sets() or recording not in RECORDINGS:
        raise ImportRefused("Choose the rules, how it was recorded, and how the dates are written.")
    return Choices(layouts, order, rules, recording)


def with_changed_cells(book: Workbook, data: Mapping[str, str]) -> Workbook:
    """Return the workbook with the cells that were changed on the page."""
    sheets = [Sheet(sheet.name, [list(row) for row in sheet.rows]) for sheet in book.sheets]
    for name, text in data.items():
        parts = name.split("-")
        if parts[0] != "cell" or len(parts) != 4 or not all(part.isascii() and part.isdigit() for part in parts[1:]):
            continue
        at, row, column = (int(part[:6]) for part in parts[1:])
        if at < len(sheets) and row < len(sheets[at].rows) and column < 400:
            cells = sheets[at].rows[row]
            cells += [""] * (column + 1 - len(cells))
            cells[column] = " ".join(text.split())[:300]
    return Workbook(sheets, book.notes)


# What the file would do.


@dataclass
class SheetLook:
    """What a file would do, as the third page shows it; nothing is written before it is accepted."""

    book: Workbook
    choices: Choices
    found: SheetResults
    names: Names
    rows: list[TotalsRow]
    questions: list[Question]
    seasons: list[NewSeason]
    adds_seasons: bool
    method: str
    notes: list[str] = field(default_factory=list)
    sums: list[tuple[str, int, int]] = field(default_factory=list)
    done: TotalsImport | None = None
    refused: list[str] = field(default_factory=list)

    @property
    def open_questions(self) -> list[Question]:
        return [one for one in self.questions if one.is_open]

    @property
    def can_be_saved(self) -> bool:
        return bool(self.rows) and not self.open_questions and not self.refused

    @property
    def seasons_words(self) -> str:
        return listed(map(str, self.seasons), "and")

    @property
    def method_name(self) -> str:
        return METHODS[self.method].name

    @property
    def may_replace(self) -> bool:
        return any("use the file’s figures" in sentence.casefold() for sentence in self.refused)


def look_at_sheets(club: Club, book: Workbook, choices: Choices, data: Mapping[str, Any]) -> SheetLook:
    """Return what a file would do, with every question about it; nothing is written, and nothing is locked."""
    found = read_results(book.sheets, choices.layouts, choices.order)
    refuse_too_many(len(found.results), MAX_RESULTS, "results")
    days = defaultdict(list)
    for one in found.results:
        days[one.player].append(one.date)
    refuse_too_many(len(days), MAX_PEOPLE, "players")
    names = Names(club, days, data, remembered(club))
    placed = placed_results(found, names)
    rules, questions = _rules(found, choices)
    questions += _long_names(days)
    questions += questions_about(
        placed,
        found,
        settles=choices.recording == "settle",
        is_even=scores_even(RULE_SETS[choices.rules]),
        today=club.today,
        text_of=lambda cell: _text(book, cell),
        where=lambda cell: _where(book, cell),
    )
    accepted = set(_many(data, "accept"))
    for question in questions:
        question.is_accepted = bool(question.accept) and ("accept_all" in data or question.key in accepted)
    guests = {str(one): one.guest for one in names.club_names.values()}
    marks_guests = any(one.guest for one in found.results) or any(one.columns_of("guest") for one in choices.layouts)
    rows = [_row(one, rules, choices, guests, marks_guests) for one in placed]
    existing = list(Season.objects.of_club(club))
    seasons = missing_seasons(
        {row.date for row in rows}, [(one.starts_on, one.ends_on) for one in existing], [one.name for one in existing]
    )
    is_first_look = "checked" not in data
    look = SheetLook(
        book=book,
        choices=choices,
        found=found,
        names=names,
        rows=rows,
        questions=questions,
        seasons=seasons,
        adds_seasons=bool(seasons) and (is_first_look or "seasons" in data),
        method="average_session" if all(row.hands is None for row in rows) else "average",
        notes=list(book.notes),
        sums=_sums(rows),
    )
    _preview(club, look, replacing="replace" in data)
    return look


def _preview(club, look, replacing):
    if not look.rows:
        look.refused = ["Choose the columns again. There are no results in them."]
        return
    try:
        look.done = preview_totals(club, look.rows, replacing, BY_TICKING)
    except ImportRefused as refused:
        look.refused = refused.sentences
        return
    covered = look.seasons if look.adds_seasons else []
    nowhere = [one for one in look.done.unranked if not any(s.starts_on <= one.date <= s.ends_on for s in covered)]
    look.notes += [*what_was_read(look.rows), f"If you import it: {look.done}", *what_counts_nowhere(club, nowhere)]
    look.notes += [*what_has_no_hands(look.rows), *look.done.guest_notes, *_per_hand(club, look)]


def _per_hand(club, look):
    """Say which seasons would show nobody, as they rank by hands that nobody knows."""
    if look.method == "average":
        return []
    days = {row.date for row in look.rows}
    seasons = Season.objects.of_club(club)
    found = [one for one in seasons if METHODS[one.method].divides_by_hands and any(map(_covers(one), days))]
    return [
        f"The season {one} is ranked by {METHODS[one.method].name.lower()}, so these results will not count there. "
        "To count them, change the season to “Average per session”."
        for one in found
    ]


def _covers(season):
    return lambda day: season.starts_on <= day <= season.ends_on


def save_sheets(club: Club, look: SheetLook, data: Mapping[str, Any], *, by: Actor) -> TotalsImport:
    """Write what was looked at, the new seasons first, all or nothing; ImportRefused where something is open."""
    if not look.can_be_saved:
        raise ImportRefused(*[one.sentence for one in look.open_questions], *look.refused)
    with write_transaction():
        if look.adds_seasons:
            for one in look.seasons:
                settings = {"rules": [look.choices.rules], "method": look.method, **like_the_last(club)}
                settings |= {"recording": look.choices.recording}
                settings["rules"] = sorted({*settings["rules"], *(row.rules for row in look.rows)})
                if look.method == "average_session" and METHODS[settings["method"]].divides_by_hands:
                    settings["method"] = look.method
                add_season(club, one.name, one.starts_on, one.ends_on, by=by, **settings)
        return import_totals(club.slug, look.rows, by, "replace" in data, BY_TICKING, choices=_to_remember(look))


def placed_results(found: SheetResults, names: Names) -> list[Placed]:
    """Return the results with their players and tables: table 1 where the file has none, the next for a second one."""
    placed, taken = [], set()
    for one in found.results:
        player, table = names.players[one.player], one.table or 1
        while (one.date, one.meeting, table, player.casefold()) in taken:
            table += 1
        taken.add((one.date, one.meeting, table, player.casefold()))
        placed.append(Placed(one, player, table))
    return placed


def _row(placed, rules, choices, guests, marks_guests):
    one = placed.result
    return TotalsRow(
        line=one.cell.row + 1,
        date=one.date,
        meeting=one.meeting[:80],
        table=placed.table,
        rules=rules.get(one.rules.casefold(), choices.rules),
        recording=one.recording if one.recording in RECORDINGS else choices.recording,
        player=placed.player,
        guest=one.guest if marks_guests else guests.get(placed.player, False),
        seat=one.seat,
        hands=one.hands,
        won=one.won if one.hands is None or one.won is None or one.won <= one.hands else None,
        gained=max(one.net, 0),
        lost=min(one.net, 0),
        net=one.net,
        balance=one.balance,
        gained_given=False,
    )


def _rules(found, choices):
    """Return the rules by what the file calls them, and a question for each name that no rules have."""
    known = {key: key for key in known_rule_sets()} | {name.casefold(): key for key, name in known_rule_sets().items()}
    unknown = sorted({one.rules for one in found.results if one.rules and one.rules.casefold() not in known})
    name = known_rule_sets()[choices.rules]
    return known, [
        Question("rules", f"No rules here are called “{one[:40]}”.", f"Import these results as {name}")
        for one in unknown
    ]


def _long_names(names):
    return [
        Question("name", f"“{name[:50]}…” is longer than {MAX_NAME} letters. Shorten it in your file.", "")
        for name in names
        if len(name) > MAX_NAME
    ]


def _sums(rows):
    """Return each player with the number of results and their sum, the highest first: to compare with the file."""
    numbers: Counter = Counter()
    totals: Counter = Counter()
    for row in rows:
        numbers[row.player] += 1
        totals[row.player] += row.net
    return sorted(((name, numbers[name], totals[name]) for name in numbers), key=lambda one: (-one[2], one[0]))


def _text(book, cell: Cell):
    row = book.sheets[cell.sheet].rows[cell.row]
    return row[cell.column] if cell.column < len(row) else ""


def _where(book, cell: Cell):
    name = book.sheets[cell.sheet].name
    return f"{name}, cell {cell.name}" if len(book.sheets) > 1 and name else f"Cell {cell.name}"


def _many(data, name):
    return data.getlist(name) if hasattr(data, "getlist") else data.get(name, [])


# What was chosen is kept in the log with each import, for the next file. Names are kept only as their digests.


def remembered(club: Club) -> dict[str, Any]:
    """Return what was chosen at the club's last import of a spreadsheet."""
    changes = Change.objects.of_club(club).filter(action="import totals", after__has_key="choices").order_by("-pk")
    last = changes.values_list("after", flat=True).first()
    return last["choices"] if last and isinstance(last.get("choices"), dict) else {}


def _to_remember(look):
    columns = {}
    for sheet, layout in zip(look.book.sheets, look.choices.layouts, strict=True):
        if layout.used and layout.header is not None:
            for heading, meaning in zip(sheet.rows[layout.header], layout.columns, strict=False):
                # A heading that is a date or a player says nothing of the next file, and is no name to keep.
                if heading and meaning not in (RESULT, LEFT_OUT):
                    columns[heading.casefold()[:80]] = meaning
    choices = look.choices
    return {
        "columns": columns,
        "grids": look.names.memory.get("grids", {}) | _grids_to_remember(look),
        "order": choices.order,
        "rules": choices.rules,
        "recording": choices.recording,
        "names": look.names.chosen_names,
    }


def _grids_to_remember(look):
    """Return the headings' row and the columns of each shape of grid; a date says nothing of the next file."""
    grids = {}
    for sheet, layout in zip(look.book.sheets, look.choices.layouts, strict=True):
        if layout.used and layout.shape in (DATES_ACROSS, PLAYERS_ACROSS) and layout.header is not None:
            headings = sheet.rows[layout.header]
            meanings = {
                _column_key(headings, column): meaning
                for column, meaning in enumerate(layout.columns)
                if meaning != RESULT and not any(map(looks_like_a_date, headings[column : column + 1]))
            }
            grids[layout.shape] = [layout.header, meanings]
    return grids


def default_years(today: date) -> Years:
    """Return the club's year that a date is in, for dates that name none."""
    first = today.year if today.month >= 9 else today.year - 1
    return Years(first, first + 1)
