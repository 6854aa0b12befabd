"""Import a club's own spreadsheet: what was chosen, whose names these are, what is asked, and the saving of it."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import count
from operator import attrgetter
from typing import Any

from clubscore.league.methods import METHODS, grouped
from clubscore.scoring.words import listed
from sessions_app.exchange.imports.name_matches import Names
from sessions_app.exchange.imports.sheet_answers import ABOVE, FIGURES, OWN, Answered, ask_what_figures_are
from sessions_app.exchange.imports.sheet_checks import (
    CheckedCell,
    NewSeason,
    Question,
    checked_results,
    missing_seasons,
    questions_about,
    questions_about_totals,
    rows_in_file,
    together,
)
from sessions_app.exchange.imports.sheet_decimals import (
    COUNTED,
    ROUNDED,
    decimal_cells,
    places_of,
    whole_figure,
    with_whole_figures,
)
from sessions_app.exchange.imports.sheet_figures import Unused, other_totals, unused_figures
from sessions_app.exchange.imports.sheet_results import NO_NAME, SheetResult, SheetResults, read_results
from sessions_app.exchange.imports.sheet_shapes import (
    LEFT_OUT,
    MEANINGS,
    RESULT,
    SHAPES,
    Layout,
    dates_of,
    lacks_year,
    recognise_layout,
)
from sessions_app.exchange.imports.sheet_values import (
    DAY_FIRST,
    ORDERS,
    ImportRefused,
    Years,
    counted,
    is_ambiguous,
    looks_like_a_date,
    orders_of,
    refuse_too_many,
    some_of,
    years_in,
)
from sessions_app.exchange.imports.spreadsheets import LOST, Sheet, Workbook, rectangular
from sessions_app.exchange.imports.summary import ACCEPTED, FIELD, WhatWillBe, what_will_be
from sessions_app.exchange.imports.totals import import_totals, what_counts_nowhere, what_has_no_hands
from sessions_app.exchange.imports.totals_file import RECORDINGS, TotalsRow
from sessions_app.exchange.imports.totals_plan import Answers, Source, TotalsPlan, plan_totals
from sessions_app.league.seasons import FIRST_METHOD, add_season, settings_of_last_season
from sessions_app.models import Club, Import, Season
from sessions_app.people.log import Actor
from sessions_app.people.models import MAX_NAME
from sessions_app.people.transactions import write_transaction
from sessions_app.rules.club_rules import known_rule_sets
from sessions_app.table.what_will_be import TableQuestion

MAX_RESULTS = 10_000


# What was chosen of each sheet and of the whole file.


@dataclass
class Choices:
    layouts: list[Layout]
    order: str = DAY_FIRST
    rules: str = ""
    recording: str = ""
    # What the figures are: a day's own results, or running totals.
    figures: str = OWN

    @property
    def dates(self) -> list[str]:
        return [text for layout in self.layouts if layout.used for text in layout.dates]

    @property
    def asks_order(self) -> bool:
        return is_ambiguous(self.dates)

    def as_text(self) -> str:
        """Return the choices as a page keeps them."""
        layouts = [[one.shape, one.header, list(one.columns), one.used, str(one.years or "")] for one in self.layouts]
        return json.dumps([layouts, self.order, self.rules, self.recording, self.figures])


def guess_choices(club: Club, book: Workbook) -> Choices:
    """Return what the file most likely is, with what the club chose last time."""
    memory = remembered(club)
    layouts = []
    for sheet in book.sheets:
        layout = recognise_layout(sheet.name, sheet.rows)
        known, headings = memory.get("columns", {}), layout.headings(sheet.rows)
        columns = [
            meaning if meaning == RESULT else known.get(heading.casefold(), meaning)
            for heading, meaning in zip(headings, layout.columns, strict=True)
        ]
        with_memory = _layout(sheet, layout.shape, layout.header, columns, True, layout.years or "")
        if not with_memory.missing and (layout.used or columns != [*layout.columns]):
            layout = replace(with_memory, title=layout.title)
        layouts.append(layout)
    # A sheet without dates is a summary of those that have them.
    if any(layout.used and not layout.missing for layout in layouts):
        layouts = [replace(one, used=one.used and not one.lacks_dates) for one in layouts]
    if not any(layout.used for layout in layouts):
        layouts[0] = replace(layouts[0], used=True)
    choices = Choices(layouts)
    choices.order = _order_of(choices.dates, memory.get("order", DAY_FIRST))
    rules = memory.get("rules", club.rules)
    choices.rules = rules if rules in known_rule_sets() else club.rules
    choices.recording = _likely_recording(book, choices) or memory.get("recording", "settle")
    return choices


def _order_of(dates: list[str], chosen: str) -> str:
    """Return the order in which all these dates can be read, else the one that was chosen."""
    orders = orders_of(dates)
    return orders.pop() if len(orders) == 1 else chosen


def _likely_recording(book: Workbook, choices: Choices) -> str:
    """Return "straight" if no one ever lost, "settle" if most tables add up to nothing, else nothing."""
    results = read_results(book.sheets, choices.layouts, choices.order).results
    if results and min(one.net for one in results) >= 0:
        return "straight"
    tables = grouped(results, attrgetter("date", "table")).values()
    return "settle" if sum(not sum(one.net for one in some) for some in tables) * 2 > len(tables) else ""


def choices_from_text(book: Workbook, text: str) -> Choices:
    """Return the choices that a page kept; ImportRefused for what it cannot have made."""
    try:
        layouts, *all_results = json.loads(text)
        order, rules, recording, figures = map(str, all_results)
        made = [_layout(sheet, *layout) for sheet, layout in zip(book.sheets, layouts, strict=True)]
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise ImportRefused(LOST) from None
    return _checked_choices(made, order, rules, recording, figures)


def posted_choices(book: Workbook, data: Mapping[str, str]) -> Choices:
    """Return the choices of the second page's fields."""
    layouts = []
    for at, sheet in enumerate(book.sheets):
        width = max(map(len, sheet.rows), default=0)
        columns = [data.get(f"column-{at}-{column}", LEFT_OUT) for column in range(width)]
        header = data.get(f"header-{at}", "").strip()
        number = int(header) - 1 if header.isascii() and header.isdigit() and len(header) < 6 and int(header) else None
        used = len(book.sheets) == 1 or f"use-{at}" in data
        layout = _layout(sheet, data.get(f"shape-{at}"), number, columns, used, data.get(f"years-{at}", ""))
        if _is_changed(data, at):
            # Other headings make other columns.
            again = recognise_layout(sheet.name, sheet.rows, number, layout.shape)
            layout = replace(again, used=used, years=again.years or layout.years)
        layouts.append(layout)
    return _checked_choices(layouts, *(data.get(name, "") for name in ("order", "rules", "recording", "figures")))


def _is_changed(data, at):
    """Return whether the row of the headings, or the shape, is another than the page showed."""
    return any(
        f"{name}-was-{at}" in data and data[f"{name}-was-{at}"] != data.get(f"{name}-{at}", "").strip()
        for name in ("header", "shape")
    )


def asks_again(book: Workbook, data: Mapping[str, str]) -> bool:
    """Return whether other headings or another shape were chosen, so that the columns are guessed and shown again."""
    return any(_is_changed(data, at) for at in range(len(book.sheets)))


def with_typed_days(book: Workbook, data: Mapping[str, str]) -> Workbook:
    """Return the workbook with the day that was typed for all results of a sheet, behind its name."""
    typed = [data.get(f"day-{at}", "").strip()[:40] for at in range(len(book.sheets))]
    sheets = [
        replace(sheet, name=f"{sheet.name} {day}".strip()) if looks_like_a_date(day) else sheet
        for sheet, day in zip(book.sheets, typed, strict=True)
    ]
    return replace(book, sheets=sheets)


def _layout(
    sheet: Sheet, shape: str | None, header: int | None, columns: list[str], used: bool, years: str | Years
) -> Layout:
    rows = rectangular(sheet.rows)
    if shape not in SHAPES or not all(one in MEANINGS for one in columns) or len(columns) > len(rows[0]):
        raise ImportRefused("Choose what each column is.")
    if header is not None and not 0 <= int(header) < len(rows):
        raise ImportRefused(f"Enter the row with the headings: a number from 1 to {len(rows)}, or leave it blank.")
    layout = Layout(shape, header, tuple(columns), bool(used), years_in(str(years)))
    dates = dates_of(layout, rows, sheet.name)
    return replace(layout, dates=dates, needs_years=lacks_year(dates))


def _checked_choices(layouts: list[Layout], order: str, rules: str, recording: str, figures: str) -> Choices:
    is_known = rules in known_rule_sets() and recording in RECORDINGS and figures in FIGURES
    if not is_known or order not in ORDERS:
        raise ImportRefused("Choose the rules, what the results are, and how the dates are written.")
    choices = Choices(layouts, order, rules, recording, figures)
    return replace(choices, order=_order_of(choices.dates, order))


# What the file would do.


@dataclass
class SheetPreview:
    """What a file would do, as the third page shows it; nothing is written before it is accepted."""

    book: Workbook
    choices: Choices
    found: SheetResults
    names: Names
    rows: list[TotalsRow]
    questions: list[Question]
    seasons: list[NewSeason]
    adds_seasons: bool
    notes: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    unused: list[Unused] = field(default_factory=list)
    plan: TotalsPlan = field(default_factory=TotalsPlan)
    will_be: WhatWillBe = field(default_factory=lambda: what_will_be([], {}))

    @property
    def open_questions(self) -> list[Question]:
        return [one for one in self.questions if one.is_open]

    @property
    def can_be_saved(self) -> bool:
        return bool(self.rows) and not self.open_questions and not self.refused and not self.plan.open_sentences

    @property
    def seasons_words(self) -> str:
        return listed(map(str, self.seasons), "and")

    @property
    def method_name(self) -> str:
        """How the new seasons rank."""
        return METHODS[FIRST_METHOD].name


def preview_sheets(
    club: Club, book: Workbook, choices: Choices, data: Mapping[str, Any], source: Source | None = None
) -> SheetPreview:
    """Return what a file would do, with every question about it; nothing is written, and nothing is locked."""
    decimals, whole = _whole_figures(book, choices, data)
    found = read_results(whole.sheets, choices.layouts, choices.order)
    refuse_too_many(len(found.results), MAX_RESULTS, "results")
    found, answered = _as_answered(whole, choices, found, data)
    if answered.are_balances:
        choices = replace(choices, recording="settle")
    players = grouped(answered.results, attrgetter("player"))
    days = {player: [one.date for one in some] for player, some in players.items()}
    names = Names(club, days, data, {one.player for one in answered.results if one.guest})
    imported = [one for one in answered.results if one.player not in names.left_out]
    results = _with_players_and_tables(imported, names)
    questions = [
        *decimals,
        *_unknown_rules(found, choices),
        *together([Question("who", sentence, "") for sentence in names.open_questions]),
    ]
    for name in days:
        if len(name) > MAX_NAME:
            sentence = f"“{name[:50]}…” is longer than {MAX_NAME} letters. Shorten it in your file."
            questions.append(Question("name", sentence, ""))
    rows = _totals_rows(results, choices, names)
    plan = plan_totals(club, rows, source, Answers.of(data))
    questions += questions_about(book, results, found, club.today)
    questions += [
        Question(one.kind, one.sentence, one.accept, _cells(book, results, one), lines=[*one.lines], table_key=one.key)
        for one in plan.table_questions
    ]
    if not answered.are_running:
        questions += together([*questions_about_totals(book, other_totals(whole, choices.layouts, found))])
    questions += answered.questions
    # What decides how the others are read comes first.
    questions.sort(key=lambda one: not one.options)
    accepted = data.getlist("accept") if hasattr(data, "getlist") else data.get("accept", [])
    for question in questions:
        question.is_accepted = bool(question.accept) and (_is_ticked(data) or question.key in accepted)
        question.file_rows = rows_in_file(book, question.cells)
    seasons = missing_seasons({row.date for row in rows}, Season.objects.of_club(club))
    adds_seasons = bool(seasons) and ("checked" not in data or "seasons" in data)
    preview = SheetPreview(book, choices, found, names, rows, questions, seasons, adds_seasons, list(book.notes))
    preview.unused = unused_figures(whole, choices.layouts, found)
    if found.remarks:
        remarks = some_of(list(dict.fromkeys(found.remarks)), 6)
        preview.notes.append(f"Read without what stands around a name or behind a figure: {remarks}.")
    preview.plan, preview.refused = plan, plan.faults
    preview.will_be = what_will_be(rows, data, _left_out(preview))
    _add_notes(club, preview)
    return preview


def _as_answered(
    book: Workbook, choices: Choices, found: SheetResults, data: Mapping[str, Any]
) -> tuple[SheetResults, Answered]:
    """Return what was read, and its results as changed by the answers to what they may be."""

    def answer(question: Question) -> str:
        values = [value for value, _ in question.options]
        if values and _is_ticked(data) and data.get(question.field) not in values:
            return values[0]
        return data[question.field] if data.get(question.field) in values else ""

    answered = ask_what_figures_are(book, choices.layouts, found, choices.figures, answer)
    if any(question.kind == "names" and question.answer == ABOVE for question in answered.questions):
        found = read_results(book.sheets, choices.layouts, choices.order, repeats_names=True)
        again = ask_what_figures_are(book, choices.layouts, found, choices.figures, answer)
        answered = replace(again, questions=answered.questions)
    # Names that are missing are asked about together.
    found.faults = [fault for fault in found.faults if fault.sentence != NO_NAME]
    return found, answered


def _is_ticked(data: Mapping[str, Any]) -> bool:
    """Return whether everything is ticked, as it can be on the command line alone."""
    return "accept_all" in data and data.get(FIELD) == ACCEPTED


def _whole_figures(book: Workbook, choices: Choices, data: Mapping[str, Any]) -> tuple[list[Question], Workbook]:
    """Ask what decimals are, once for the file; return the workbook with whole figures, as they are answered."""
    cells = decimal_cells(book, choices.layouts)
    if not cells:
        return [], book
    first = book.text(cells[0])
    places = 2 if "£" in first else max(places_of(book.text(cell)) for cell in cells)
    unit = "pence" if "£" in first else ("", "tenths", "hundredths")[places]
    options = [
        (how, f"{words}: {first} is {whole_figure(first, how, places):,}")
        for how, words in ((ROUNDED, "Round each to a whole number"), (COUNTED, f"Count in {unit}"))
    ]
    sentence = f"{counted(len(cells), 'figure')} {'has' if len(cells) == 1 else 'have'} decimals, such as {first}."
    question = Question("decimals", sentence, "", options=options)
    question.answer = data[question.field] if data.get(question.field) in (ROUNDED, COUNTED) else ""
    # Until it is answered, the others are asked about figures that lose nothing.
    return [question], with_whole_figures(book, choices.layouts, question.answer or COUNTED, places)


def _left_out(preview: SheetPreview) -> list[str]:
    """Say what of the file is not imported: what cannot be read, and figures that are not results."""
    names, faults = preview.names, preview.found.faults
    people = list(dict.fromkeys(fault.player for fault in faults if fault.player))
    whose = f" of {some_of(people, 6)}" if people else ""
    cells = [f"{counted(len(faults), 'result')}{whose} that cannot be read."] if faults else []
    if names.left_out:
        cells.append(
            f"{counted(sum(len(names.days[name]) for name in names.left_out), 'result')} of "
            f"{some_of(names.left_out, 6)}."
        )
    number = sum(len(group.cells) for group in preview.unused)
    where = some_of([group.where for group in preview.unused], 12)
    return cells + ([f"{counted(number, 'figure')} in {where}."] if number else [])


def _cells(book: Workbook, results: list[SheetResult], question: TableQuestion) -> list[CheckedCell]:
    """Return the cells of the file with the results of the tables that a question is about."""
    places = {(table.date, table.table) for table in question.tables}
    found = [result for result in results if (result.date, result.counted_table) in places]
    if question.kind != "two tables":
        return checked_results(book, found)
    times = Counter(result.player for result in found)
    return checked_results(book, [result for result in found if times[result.player] > 1], with_names=True)


def _add_notes(club: Club, preview: SheetPreview) -> None:
    """Note what would count nowhere, and other things to know; or that nothing was found."""
    rows, plan = preview.rows, preview.plan
    if not rows:
        preview.refused = ["Choose the columns again. There are no results in them."]
    if preview.refused:
        return
    added = preview.seasons if preview.adds_seasons else []
    nowhere = [one for one in plan.unranked if not any(_covers(season, one.date) for season in added)]
    preview.notes += [*what_counts_nowhere(club, nowhere)]
    preview.notes += [*what_has_no_hands(rows), *plan.guest_notes, *_per_hand(club, preview)]


def _per_hand(club: Club, preview: SheetPreview) -> list[Any]:
    """Say which seasons would show no one, as they rank by hands that are not known."""
    days = {row.date for row in preview.rows}
    seasons = [one for one in Season.objects.of_club(club) if METHODS[one.method].divides_by_hands]
    return [
        f"The season {one} is ranked by {METHODS[one.method].name.lower()}, so these results will not count there. "
        "To count them, change the season to “Average per table”."
        for one in seasons
        if any(_covers(one, day) for day in days)
    ]


def _covers(season, day):
    return season.starts_on <= day <= season.ends_on


def save_sheets(club: Club, preview: SheetPreview, *, by: Actor, source: Source | None = None) -> TotalsPlan:
    """Write what was previewed, the new seasons first, all or nothing; ImportRefused where something is open."""
    if not preview.can_be_saved or not preview.will_be.is_ticked:
        sentences = [question.sentence for question in preview.open_questions]
        sentences += [*preview.refused, *preview.plan.open_sentences, preview.will_be.refusal]
        raise ImportRefused(*dict.fromkeys(filter(None, sentences)))
    choices, seasons = preview.choices, []
    with write_transaction():
        for one in preview.seasons if preview.adds_seasons else ():
            settings = {"rules": [choices.rules], "method": FIRST_METHOD, **settings_of_last_season(club)}
            settings["recording"] = choices.recording
            settings["rules"] = sorted({*settings["rules"], *(row.rules for row in preview.rows)})
            if METHODS[settings["method"]].divides_by_hands:
                settings["method"] = FIRST_METHOD
            seasons.append(add_season(club, one.name, one.starts_on, one.ends_on, by=by, **settings))
        memory = _choices_to_remember(preview)
        brought = replace(source or Source(), names=preview.names.players, choices=memory, seasons=seasons)
        return import_totals(club.slug, preview.rows, by, brought, preview.plan.answers)


def _with_players_and_tables(results: list[SheetResult], names: Names) -> list[SheetResult]:
    """Return results with the club's names, at table 1 if the file has no table; a second one of a day at the next."""
    found: dict[tuple, SheetResult] = {}
    for one in results:
        player = names.players[one.player]
        where = one.date, one.meeting, player.casefold()
        table = next(table for table in count(one.table or 1) if (where, table) not in found)
        found[where, table] = replace(one, player=player, counted_table=table)
    return list(found.values())


def _totals_rows(results: list[SheetResult], choices: Choices, names: Names) -> list[Any]:
    marks_guests = any(one.guest for one in results) or any("guest" in one.columns for one in choices.layouts)
    guests = {str(one): one.guest for one in names.people.named.values()}
    rules = _rules_by_name()
    return [
        TotalsRow(
            line=one.cell.row + 1,
            date=one.date,
            meeting=one.meeting[:80],
            table=one.counted_table,
            rules=rules.get(one.rules.casefold(), choices.rules),
            recording=one.recording if one.recording in RECORDINGS else choices.recording,
            player=one.player,
            guest=_is_guest(one, names, marks_guests, guests),
            seat=one.seat,
            hands=one.hands,
            won=one.won if one.hands is None or one.won is None or one.won <= one.hands else None,
            net=one.net,
            balance=one.balance,
        )
        for one in results
    ]


def _is_guest(result: SheetResult, names: Names, marks_guests: bool, guests: Mapping[str, bool]) -> bool:
    """Return whether a new player was chosen to be a guest, or what the file or the club says of a known one."""
    if result.player in names.new:
        return result.player in names.new_guests
    return result.guest if marks_guests else guests.get(result.player, False)


def _rules_by_name() -> dict[str, Any]:
    return {word.casefold(): key for key, name in known_rule_sets().items() for word in (key, name)}


def _unknown_rules(found: SheetResults, choices: Choices) -> list[Any]:
    known, name = _rules_by_name(), known_rule_sets()[choices.rules]
    unknown = sorted({one.rules for one in found.results if one.rules and one.rules.casefold() not in known})
    return [
        Question("rules", f"No rules here are called “{one[:40]}”.", f"Import these results as {name}")
        for one in unknown
    ]


# What was chosen is kept with each import, for the next file.


def remembered(club: Club) -> dict[str, Any]:
    """Return what was chosen at the club's last import of a spreadsheet."""
    imports = Import.objects.of_club(club).exclude(choices={}).order_by("-pk")
    return imports.values_list("choices", flat=True).first() or {}


def _choices_to_remember(preview: SheetPreview) -> dict[str, Any]:
    """Return the columns by their headings, and the other choices."""
    choices, columns = preview.choices, {}
    for sheet, layout in zip(preview.book.sheets, choices.layouts, strict=True):
        if not layout.used or layout.header is None:
            continue
        headings = layout.headings(sheet.rows)
        for heading, meaning in zip(headings, layout.columns, strict=True):
            # A heading that is a date or a player says nothing of the next file, and is no name to keep.
            if heading and meaning not in (RESULT, LEFT_OUT):
                columns[heading.casefold()[:80]] = meaning
    return {
        "columns": columns,
        "order": choices.order,
        "rules": choices.rules,
        "recording": choices.recording,
    }


def default_years(today: date) -> Years:
    """Return the club's year that a date is in, for dates that name none."""
    first = today.year if today.month >= 9 else today.year - 1
    return Years(first, first + 1)
