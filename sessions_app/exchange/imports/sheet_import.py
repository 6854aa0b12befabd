"""Import a club's own spreadsheet: what was chosen, whose names these are, what is asked, and the saving of it."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from itertools import count
from operator import attrgetter
from typing import Any

from clubscore.league.methods import METHODS, grouped
from clubscore.scoring.words import listed
from sessions_app.exchange.imports.name_matches import Names
from sessions_app.exchange.imports.sheet_figures import Unused, other_totals, unused_figures
from sessions_app.exchange.imports.sheet_questions import (
    FIGURES,
    OWN,
    START,
    Question,
    Questions,
    ask_about_balances,
    ask_about_hidden,
    ask_about_leagues,
    ask_about_results,
    ask_about_running,
    ask_about_totals,
    ask_about_unused,
    ask_about_zeros,
    ask_how_to_read,
)
from sessions_app.exchange.imports.sheet_results import (
    Reading,
    ReadSheet,
    SheetResult,
    SheetResults,
    read_sheet,
    results_of,
)
from sessions_app.exchange.imports.sheet_shapes import LEFT_OUT, MEANINGS, SHAPES, Layout, recognise_layout
from sessions_app.exchange.imports.sheet_values import (
    DAY_FIRST,
    ORDERS,
    ImportRefused,
    counted,
    is_ambiguous,
    looks_like_a_date,
    orders_of,
    refuse_too_many,
    some_of,
    years_in,
)
from sessions_app.exchange.imports.spreadsheets import LOST, Sheet, Workbook
from sessions_app.exchange.imports.summary import NewSeason, WhatWillBe, missing_seasons, what_will_be
from sessions_app.exchange.imports.table_totals import TableTotals
from sessions_app.exchange.imports.totals import import_totals, what_counts_nowhere, what_has_no_hands, with_own_leagues
from sessions_app.exchange.imports.totals_file import RECORDINGS, TotalsRow
from sessions_app.exchange.imports.totals_plan import Answers, Source, TotalsPlan, plan_totals
from sessions_app.league.seasons import FIRST_METHOD, add_season, save_leagues, settings_of_last_season
from sessions_app.models import Club, Meeting, Season
from sessions_app.people.log import Actor
from sessions_app.people.models import MAX_NAME
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.rules.club_rules import known_rule_sets
from sessions_app.table.season_assignment import assign_seasons
from sessions_app.table.what_will_be import TableQuestion

MAX_RESULTS = 10_000


# What was chosen of each sheet and of the whole file.


@dataclass
class Choices:
    book: Workbook
    layouts: list[Layout]
    order: str = DAY_FIRST
    rules: str = ""
    recording: str = ""
    # What the figures are: a day's own results, or running totals.
    figures: str = OWN

    def __post_init__(self) -> None:
        # The order in which all dates can be read, else the one that was chosen.
        orders = orders_of(self.dates)
        self.order = orders.pop() if len(orders) == 1 else self.order

    @cached_property
    def sheets(self) -> list[ReadSheet]:
        return [
            read_sheet(number, *sheet) for number, sheet in enumerate(zip(self.book.sheets, self.layouts, strict=True))
        ]

    @property
    def is_export(self) -> bool:
        return all(sheet.is_export for sheet in self.sheets)

    @property
    def dates(self) -> list[str]:
        return [text for sheet in self.sheets if sheet.layout.used for text in sheet.dates]

    @property
    def asks_order(self) -> bool:
        return is_ambiguous(self.dates)

    @property
    def missing(self) -> list[str]:
        """Sentences about what has still to be chosen, with the sheet's name where there are several."""
        if not any(layout.used for layout in self.layouts):
            return ["Choose at least one sheet."]
        return [
            f"{sheet.sheet.name}: {sentence}" if len(self.sheets) > 1 else sentence
            for sheet in self.sheets
            for sentence in sheet.missing
        ]

    def as_text(self) -> str:
        """Return the choices as a page keeps them."""
        layouts = [[one.shape, one.header, list(one.columns), one.used, str(one.years or "")] for one in self.layouts]
        return json.dumps([layouts, self.order, self.rules, self.recording, self.figures])


def guess_choices(club: Club, book: Workbook) -> Choices:
    """Return what the file most likely is."""
    layouts = [recognise_layout(sheet.name, sheet.rows) for sheet in book.sheets]
    sheets = Choices(book, layouts).sheets
    # A sheet without dates is a summary of those that have them.
    if any(sheet.is_read for sheet in sheets):
        layouts = [replace(sheet.layout, used=sheet.layout.used and not sheet.lacks_dates) for sheet in sheets]
    if not any(layout.used for layout in layouts):
        layouts[0] = replace(layouts[0], used=True)
    choices = Choices(book, layouts, rules=club.rules)
    results = [] if choices.is_export else results_of(choices.sheets, Reading(choices.order, places=2)).results
    # Where no one ever lost, these are each player's own points.
    is_straight = results and min(one.net for one in results) >= 0
    return replace(choices, recording="straight" if is_straight else "settle")


def choices_from_text(book: Workbook, text: str) -> Choices:
    """Return the choices that a page kept; ImportRefused for what it cannot have made."""
    try:
        layouts, *all_results = json.loads(text)
        order, rules, recording, figures = map(str, all_results)
        made = [_layout(sheet, *layout) for sheet, layout in zip(book.sheets, layouts, strict=True)]
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise ImportRefused(LOST) from None
    return _checked_choices(book, made, order, rules, recording, figures)


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
        if data.get("do") == "look":
            # Other headings make other columns.
            again = recognise_layout(sheet.name, sheet.rows, number, layout.shape)
            layout = replace(again, used=used, years=again.years or layout.years)
        layouts.append(layout)
    return _checked_choices(book, layouts, *(data.get(name, "") for name in ("order", "rules", "recording", "figures")))


def with_typed_days(book: Workbook, data: Mapping[str, str]) -> Workbook:
    """Return the workbook with the day that was typed for all results of a sheet, behind its name."""
    typed = [data.get(f"day-{at}", "").strip()[:40] for at in range(len(book.sheets))]
    sheets = [
        replace(sheet, name=f"{sheet.name} {day}".strip()) if looks_like_a_date(day) else sheet
        for sheet, day in zip(book.sheets, typed, strict=True)
    ]
    return replace(book, sheets=sheets)


def _layout(sheet: Sheet, shape: str | None, header: int | None, columns: list[str], used: bool, years: str) -> Layout:
    width = max(map(len, sheet.rows), default=0)
    if shape not in SHAPES or not all(one in MEANINGS for one in columns) or len(columns) != width:
        raise ImportRefused("Choose what each column is.")
    if header is not None and not 0 <= int(header) < len(sheet.rows):
        number = len(sheet.rows)
        raise ImportRefused(f"Enter the row with the headings: a number from 1 to {number}, or leave it blank.")
    return Layout(shape, header, tuple(columns), bool(used), years_in(str(years)))


def _checked_choices(
    book: Workbook, layouts: list[Layout], order: str, rules: str, recording: str, figures: str
) -> Choices:
    is_known = rules in known_rule_sets() and recording in RECORDINGS and figures in FIGURES
    if not is_known or order not in ORDERS:
        raise ImportRefused("Choose the rules, what the results are, and how the dates are written.")
    return Choices(book, layouts, order, rules, recording, figures)


# What the file would do.


@dataclass
class SheetPreview:
    """What a file would do, as the third page shows it; nothing is written before it is accepted."""

    choices: Choices
    names: Names
    rows: list[TotalsRow]
    questions: list[Question]
    seasons: list[NewSeason]
    adds_seasons: bool
    # Rows that were left out, in words.
    left_out: list[str]
    plan: TotalsPlan
    will_be: WhatWillBe
    notes: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    # The days of each league, if the sheets are leagues.
    leagues: dict[str, set[date]] = field(default_factory=dict)

    @property
    def open_questions(self) -> list[Question]:
        return [one for one in self.questions if one.is_open]

    @property
    def can_be_saved(self) -> bool:
        return bool(self.rows) and not self.open_questions and not self.refused and not self.plan.open_sentences

    @property
    def seasons_words(self) -> str:
        return _in_words(self.seasons)

    @property
    def method_name(self) -> str:
        """How the new seasons rank."""
        return listed(dict.fromkeys(METHODS[one.settings["method"]].name for one in self.seasons), "and")


def preview_sheets(club: Club, choices: Choices, data: Mapping[str, Any], source: Source | None = None) -> SheetPreview:
    """Return what a file would do, with every question about it; nothing is written, and nothing is locked."""
    book, sheets = choices.book, choices.sheets
    refuse_too_many(sum(len(sheet.entries) for sheet in sheets if sheet.is_read), MAX_RESULTS, "results")
    asked = Questions(book, data)
    found = results_of(sheets, ask_how_to_read(asked, sheets, choices.order))
    unused = unused_figures(sheets, found)
    results = ask_about_hidden(asked, found.results)
    ask_about_unused(asked, unused)
    is_running = False
    if not choices.is_export:
        results, balances = ask_about_balances(asked, results)
        if balances:
            results, is_running = ask_about_running(asked, sheets, results, choices.figures)
        if balances == START:
            choices = replace(choices, recording="settle")
        results = ask_about_zeros(asked, results)
    days = {player: [one.date for one in some] for player, some in grouped(results, attrgetter("player")).items()}
    guests = {one.player for one in results if one.guest}
    names = Names(club, days, data, guests, is_asked=choices.is_export)
    results = _with_players_and_tables([one for one in results if one.player not in names.left_out], names)
    _ask_about_rules_and_names(asked, choices, found, names)
    ask_about_results(asked, results, found, club.today)
    leagues = _leagues(club, ask_about_leagues(asked, results))
    rows = with_own_leagues(club, _totals_rows(results, choices, names))
    # What a club with one league has is of the first of them.
    of_day = {day: league for at, (league, days) in enumerate(leagues.items()) if club.leagues or at for day in days}
    rows = [replace(row, league=of_day.get(row.date, row.league)) for row in rows]
    plan = plan_totals(club, rows, source, Answers.of(data))
    for one in plan.table_questions:
        cells = asked.cells(_results_at(results, one), with_names=one.kind == "two tables")
        asked.ask(Question(one.kind, one.sentence, one.accept, cells, lines=one.lines, table_key=one.key))
    if not (is_running or choices.is_export):
        ask_about_totals(asked, other_totals(sheets, found))
    # What decides how the others are read comes first.
    order = {kind: at for at, kind in enumerate(("names", "decimals", "hidden"))}
    questions = sorted(asked.asked, key=lambda one: (not one.options, order.get(one.kind, 9) if one.options else 9))
    missing = _missing_seasons(club, leagues or _days_by_league(club, rows))
    seasons = [replace(season, settings=_settings_of(club, season, choices, rows)) for season in missing]
    # An answer can make others of them missing than those that the page had.
    are_other = data.get("seasons_shown", _in_words(seasons)) != _in_words(seasons)
    adds_seasons = bool(seasons) and ("checked" not in data or "seasons" in data or are_other)
    will_be = what_will_be(rows, data, _left_out(found, names, unused))
    preview = SheetPreview(
        choices,
        names,
        rows,
        questions,
        seasons,
        adds_seasons,
        _rows_left_out(choices),
        plan,
        will_be,
        [*book.notes],
        leagues=leagues,
    )
    if leagues and not club.leagues and Meeting.objects.of_club(club).exists():
        preview.notes.append(f"All meetings and seasons so far will belong to the league “{next(iter(leagues))}”.")
    if club.leagues and (new := [league for league in leagues if league not in club.leagues]):
        preview.notes.append(f"The club will have {counted(len(new), 'more league')}: {listed(new, 'and')}.")
    if found.remarks:
        remarks = some_of(list(dict.fromkeys(found.remarks)), 6)
        preview.notes.append(f"Read without what stands around a name or behind a figure: {remarks}.")
    preview.refused = plan.faults if rows else ["Choose the columns again. There are no results in them."]
    if not preview.refused:
        _add_notes(club, preview)
    return preview


def _in_words(seasons: list[NewSeason]) -> str:
    return listed(map(str, seasons), "and")


def _left_out(found: SheetResults, names: Names, unused: Sequence[Unused]) -> list[str]:
    """Return sentences about the figures that are not imported."""
    faults = [*dict.fromkeys(fault.player for fault in found.faults if fault.player)]
    whose = f" of {some_of(faults, 6)}" if faults else ""
    # A seat that cannot be read leaves the result.
    what = "result" if all(fault.player for fault in found.faults) else "cell"
    left = [f"{counted(len(found.faults), what)}{whose} that cannot be read."] if found.faults else []
    if names.left_out:
        number = sum(len(names.days[name]) for name in names.left_out)
        left.append(f"{counted(number, 'result')} of {some_of(names.left_out, 6)}.")
    if unused:
        number = sum(len(group.cells) for group in unused)
        left.append(f"{counted(number, 'figure')} in {some_of([group.where for group in unused], 12)}.")
    return left


def _leagues(club: Club, sheets: dict[str, set[date]]) -> dict[str, set[date]]:
    """Return the days of each league by its name here; in a club with one, that of its weekdays comes first."""
    if club.leagues:
        known = {league.casefold(): league for league in club.leagues}
        return {known.get(name.casefold(), name): days for name, days in sheets.items()}
    met = Counter(day.weekday() for day in Meeting.objects.of_club(club).values_list("date", flat=True))
    alike = {name: sum(met[weekday] for weekday in {day.weekday() for day in days}) for name, days in sheets.items()}
    return {name: sheets[name] for name in sorted(sheets, key=lambda name: -alike[name])}


def _days_by_league(club: Club, rows: list[TotalsRow]) -> dict[str, set[date]]:
    days: dict[str, set[date]] = {}
    for day, meeting, league in dict.fromkeys((row.date, row.meeting, row.league) for row in rows):
        days.setdefault(league or Meeting.objects.league_of(club, day, meeting), set()).add(day)
    return days


def _missing_seasons(club: Club, leagues: dict[str, set[date]]) -> list[NewSeason]:
    """Return the seasons that leagues do not have for their days; what a club with one league has is of the first."""
    of_league = grouped(Season.objects.of_club(club), lambda season: season.league or next(iter(leagues), ""))
    return [
        replace(season, league=league)
        for league, days in leagues.items()
        for season in missing_seasons(days, of_league.get(league, []))
    ]


def _settings_of(club: Club, season: NewSeason, choices: Choices, rows: list[TotalsRow]) -> dict[str, Any]:
    """Return the settings of the season before it in its league, by which most of these rows count."""
    league = season.league if season.league in club.leagues else ""
    settings: dict[str, Any] = {"rules": [choices.rules], "method": FIRST_METHOD}
    settings |= settings_of_last_season(club, league)
    if METHODS[settings["method"]].divides_by_hands:
        settings["method"] = FIRST_METHOD
    recordings = Counter(row.recording for row in rows if season.starts_on <= row.date <= season.ends_on)
    settings["recording"] = max(recordings, key=lambda recording: recordings[recording], default=choices.recording)
    return settings | {"rules": sorted({*settings["rules"], *(row.rules for row in rows)})}


def _rows_left_out(choices: Choices) -> list[str]:
    several = len(choices.sheets) > 1
    return [
        f"{f'{sheet.sheet.name}, ' if several and sheet.sheet.name else ''}row {row + 1}: "
        f"{', '.join(filter(None, sheet.rows[row]))[:60]} ({why})"
        for sheet in choices.sheets
        if sheet.is_read
        for row, why in sheet.left_rows.items()
    ]


def _ask_about_rules_and_names(asked: Questions, choices: Choices, found: SheetResults, names: Names) -> None:
    known, usual = _rules_by_name(), known_rule_sets()[choices.rules]
    for rules in sorted({one.rules for one in found.results if one.rules and one.rules.casefold() not in known}):
        sentence = f"No rules here are called “{rules[:40]}”."
        asked.ask(Question("rules", sentence, f"Import these results as {usual}"))
    for how in sorted({one.recording for one in found.results} - {"", *RECORDINGS}):
        sentence = f"“{how[:40]}” does not say how the results were recorded."
        asked.ask(Question("recording", sentence, f"Import them so: {RECORDINGS[choices.recording]}"))
    asked.ask(*(Question("who", sentence) for sentence in names.open_questions))
    for name in names.days:
        if len(name) > MAX_NAME:
            asked.ask(Question("name", f"“{name[:50]}…” is longer than {MAX_NAME} letters. Shorten it in your file."))


def _results_at(results: list[SheetResult], question: TableQuestion) -> list[SheetResult]:
    """Return the results of the tables that a question is about; of someone at two tables, theirs alone."""
    places = {(table.date, table.table) for table in question.tables}
    found = [result for result in results if (result.date, result.counted_table) in places]
    times = Counter(result.player for result in found)
    return [result for result in found if question.kind != "two tables" or times[result.player] > 1]


def _add_notes(club: Club, preview: SheetPreview) -> None:
    """Note what would count nowhere, and other things to know."""
    rows, plan = preview.rows, preview.plan
    added = [
        Season(
            club=club, name=one.name, starts_on=one.starts_on, ends_on=one.ends_on, league=one.league, **one.settings
        )
        for one in (preview.seasons if preview.adds_seasons else ())
    ]
    nowhere: list[tuple[TableTotals, Season | None]] = []
    for table, season in plan.unranked:
        new = [one for one in added if not season and one.starts_on <= table.date <= one.ends_on]
        if not any(one.counts(table.date, table.rules, table.recording, one.league) for one in new):
            nowhere.append((table, season or next(iter(new), None)))
    preview.notes += [*what_counts_nowhere(nowhere), *what_has_no_hands(rows), *plan.guest_notes]
    preview.notes += _per_hand(club, preview)


def _per_hand(club: Club, preview: SheetPreview) -> list[Any]:
    """Say which seasons would show no one, as they rank by hands that are not known."""
    first, days = next(iter(preview.leagues), ""), preview.leagues
    if not days:
        days = _days_by_league(club, [row for row in preview.rows if row.hands is None])
    seasons = [one for one in Season.objects.of_club(club) if METHODS[one.method].divides_by_hands]
    return [
        f"The season {one} is ranked by {METHODS[one.method].name.lower()}, so these results will not count there. "
        "To count them, change the season to “Average per table”."
        for one in seasons
        if any(one.starts_on <= day <= one.ends_on for day in days.get(one.league or first, ()))
    ]


def save_sheets(club: Club, preview: SheetPreview, *, by: Actor, source: Source | None = None) -> TotalsPlan:
    """Write what was previewed, the new seasons first, all or nothing; ImportRefused where something is open."""
    if not preview.can_be_saved or not preview.will_be.is_ticked:
        # On the command line nobody has seen what a question is about.
        is_unseen = preview.plan.answers.is_unseen
        asked = ([*one.lines, one.sentence] if is_unseen else [one.sentence] for one in preview.open_questions)
        sentences = [sentence for sentences in asked for sentence in sentences]
        sentences += [*preview.refused, *preview.plan.open_sentences, preview.will_be.refusal]
        raise ImportRefused(*dict.fromkeys(filter(None, sentences)))
    new = [league for league in preview.leagues if league not in club.leagues]
    try:
        with write_transaction():
            if new:
                save_leagues(club, [*club.leagues, *new], by=by)
            seasons = [
                add_season(club, one.name, one.starts_on, one.ends_on, by=by, league=one.league, **one.settings)
                for one in (preview.seasons if preview.adds_seasons else ())
            ]
            added: dict[str, Any] = {"seasons": seasons, "leagues": new}
            brought = replace(source or Source(), names=preview.names.players, **added)
            rows = [replace(row, league=row.league or next(iter(preview.leagues), "")) for row in preview.rows]
            done = import_totals(club, rows, by, brought, preview.plan.answers)
            _move_to_leagues(club, preview)
            return done
    except ServiceError as error:
        raise ImportRefused(str(error)) from None


def _move_to_leagues(club: Club, preview: SheetPreview) -> None:
    """Put the file's meetings in the leagues of its sheets; ServiceError if that would change a locked season."""
    of_day = {day: league for league, days in preview.leagues.items() for day in days}
    of_file = {(row.date, row.meeting) for row in preview.rows}
    moved = [
        meeting
        for meeting in Meeting.objects.of_club(club).filter(date__in=of_day)
        if (meeting.date, meeting.name) in of_file and meeting.league != of_day[meeting.date]
    ]
    for meeting in moved:
        meeting.league = of_day[meeting.date]
    Meeting.objects.bulk_update(moved, ["league"])
    assign_seasons(club, moved)


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
        replace(
            one,
            meeting=one.meeting[:80],
            table=one.counted_table,
            rules=rules.get(one.rules.casefold(), choices.rules),
            recording=one.recording if one.recording in RECORDINGS else choices.recording,
            guest=one.guest if choices.is_export else _is_guest(one, names, marks_guests, guests),
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
