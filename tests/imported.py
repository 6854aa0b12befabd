"""A file of totals imported as its pages import it, for tests that are not about the pages."""

from sessions_app.exchange.imports.sheet_import import guess_choices, preview_sheets, save_sheets
from sessions_app.exchange.imports.spreadsheets import read_text
from sessions_app.exchange.imports.summary import ACCEPTED, FIELD
from tests.factories import BY


def previewed_totals(club, text, **data):
    """Return what a file would do; no season is added for it."""
    return preview_sheets(club, guess_choices(club, read_text(text)), {"checked": "1", FIELD: ACCEPTED, **data})


def import_totals_text(club, text, **data):
    """Import a file whose totals are ticked as right; return what it changed."""
    return save_sheets(club, previewed_totals(club, text, **data), by=BY)
