"""Import a club's own spreadsheet in three steps: choose it, say which column is what, check and save."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from sessions_app.exchange.imports.sheet_import import (
    Choices,
    choices_from_text,
    guess_choices,
    posted_choices,
    preview_sheets,
    save_sheets,
    with_typed_days,
)
from sessions_app.exchange.imports.sheet_questions import FIGURES, JOINED
from sessions_app.exchange.imports.sheet_results import ReadSheet
from sessions_app.exchange.imports.sheet_shapes import MEANINGS, RESULT, SHAPES, Layout
from sessions_app.exchange.imports.sheet_values import ImportRefused, Years
from sessions_app.exchange.imports.spreadsheets import (
    Sheet,
    Workbook,
    column_letters,
    with_changed_cells,
    workbook_from_text,
)
from sessions_app.exchange.imports.summary import FIRST_MONTH
from sessions_app.exchange.imports.totals_file import RECORDINGS
from sessions_app.exchange.imports.totals_plan import Source
from sessions_app.models import Club
from sessions_app.rules.club_rules import known_rule_sets
from sessions_app.web.access import MemberRequest, actor

# First rows shown with each column, and columns of results shown before the others are folded away.
FIRST_ROWS, UNFOLDED = 3, 4

ORDERS = {
    "day": "Day first: 3/9/26 is 3 September",
    "month": "Month first: 3/9/26 is 9 March",
    "year": "Year first: 26/9/3 is 3 September",
}
ALREADY = "All of this was here already. Nothing was changed."
IN_LEAGUES = "All of these results were here already. Each counts in its own league now."


@dataclass(frozen=True)
class ColumnChoice:
    """One column as the second page shows it."""

    field: str
    letters: str
    heading: str
    values: str
    meaning: str


@dataclass(frozen=True)
class SheetChoice:
    """One sheet as the second page shows it; further columns of results are folded away."""

    read: ReadSheet
    columns: list[ColumnChoice]
    folded: list[ColumnChoice]
    years: str
    # What was typed as the day of all its results.
    day: str

    @property
    def number(self) -> int:
        return self.read.number

    @property
    def sheet(self) -> Sheet:
        return self.read.sheet

    @property
    def layout(self) -> Layout:
        return self.read.layout

    @property
    def header(self) -> int | str:
        return "" if self.layout.header is None else self.layout.header + 1


def first_step(request: MemberRequest, club: Club, book: Workbook, file_name: str) -> HttpResponse:
    """Show which column is what; of a file as Export writes it that is known, and it is shown as it would be saved."""
    choices = guess_choices(club, book)
    if choices.is_export and not choices.missing:
        return _check(request, club, book, choices, file_name)
    return choose_columns(request, club, book, choices, choices.missing, file_name)


def choose_columns(
    request: HttpRequest,
    club: Club,
    book: Workbook,
    choices: Choices | None = None,
    errors: Any = (),
    file_name: str = "",
) -> HttpResponse:
    """Show which column is what, as it was guessed or chosen, with the first rows."""
    if choices is None:
        choices = guess_choices(club, book)
        errors = choices.missing
    # The club's year, for dates without one.
    first = club.today.year if club.today.month >= FIRST_MONTH else club.today.year - 1
    errors, years = list(errors), Years(first, first + 1)
    context = {
        "club": club,
        "file_name": file_name or request.POST.get("file_name", ""),
        "kept": book.as_text(),
        "sheets": [_sheet_choice(sheet, str(sheet.years or years), request.POST) for sheet in choices.sheets],
        "choices": choices,
        "notes": book.notes,
        "shapes": SHAPES.items(),
        "meanings": MEANINGS.items(),
        "rules": known_rule_sets().items(),
        "recordings": RECORDINGS.items(),
        "figures": [(key, words) for key, words in FIGURES.items() if key != JOINED or len(book.sheets) > 1],
        "orders": ORDERS.items(),
        "errors": errors,
    }
    return render(request, "exchange/import_columns.html", context, status=422 if errors else 200)


def _sheet_choice(sheet: ReadSheet, years: str, data: Mapping[str, str]) -> SheetChoice:
    layout, rows = sheet.layout, sheet.rows[sheet.layout.first_row :]
    columns: list[Any] = []
    folded: list[Any] = []
    results = 0
    for column, (heading, meaning) in enumerate(zip(layout.headings(sheet.rows), layout.columns, strict=True)):
        values = [row[column] for row in rows if row[column]][:FIRST_ROWS]
        if not (values or heading):
            continue
        results += meaning == RESULT
        shown = folded if meaning == RESULT and results > UNFOLDED else columns
        field, letters = f"column-{sheet.number}-{column}", column_letters(column)
        shown.append(ColumnChoice(field, letters, heading, ", ".join(values)[:60], meaning))
    return SheetChoice(sheet, columns, folded, years, data.get(f"day-{sheet.number}", ""))


def sheet_steps(request: MemberRequest, club: Club) -> HttpResponse:
    """Answer the forms of the second and the third page; what cannot be read leads back, with the file kept."""
    book = workbook_from_text(request.POST.get("kept", ""))
    if "choices" not in request.POST:
        return _columns_chosen(request, club, book)
    book = with_changed_cells(book, request.POST)
    choices = choices_from_text(book, request.POST["choices"])
    if request.POST.get("do") == "columns":
        return choose_columns(request, club, book, choices)
    return _check(request, club, book, choices)


def _columns_chosen(request: MemberRequest, club: Club, book: Workbook) -> HttpResponse:
    try:
        choices = posted_choices(book, request.POST)
        book = with_typed_days(book, request.POST)
        choices = choices_from_text(book, choices.as_text())
    except ImportRefused as refused:
        return choose_columns(request, club, book, errors=refused.sentences)
    missing = choices.missing
    if missing or request.POST.get("do") == "look":
        return choose_columns(request, club, book, choices, missing)
    return _check(request, club, book, choices)


def _check(request: MemberRequest, club: Club, book: Workbook, choices: Choices, file_name: str = "") -> HttpResponse:
    """Show what the file would do, or save it; a save that cannot be is shown with everything that is open."""
    errors = []
    file_name = file_name or request.POST.get("file_name", "")
    source = Source(file_name, book.as_text().encode())
    try:
        preview = preview_sheets(club, choices, request.POST, source)
    except ImportRefused as refused:
        return choose_columns(request, club, book, choices, refused.sentences)
    if request.POST.get("do") == "record":
        try:
            done = save_sheets(club, preview, by=actor(request), source=source)
        except ImportRefused as refused:
            errors = str(refused).splitlines()
        else:
            already = IN_LEAGUES if preview.leagues else ALREADY
            messages.success(request, f"{done.summary}." if done.has_changes else already)
            return redirect("standings", club.slug)
    context = {
        "club": club,
        "preview": preview,
        "kept": book.as_text(),
        "choices": choices.as_text(),
        "file_name": source.name,
        "errors": errors,
    }
    return render(request, "exchange/import_check.html", context, status=422 if errors else 200)
