"""CSV for spreadsheets: UTF-8 with byte-order mark, RFC 4180, formulas made harmless."""

import csv
import io
from collections.abc import Iterable
from datetime import date

from django.utils.text import slugify

from sessions_app.csv_cells import guarded

BYTE_ORDER_MARK = "\ufeff"


def csv_text(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return header and rows as CSV, byte-order mark first, lines ended by CR LF."""
    out = io.StringIO(newline="")
    out.write(BYTE_ORDER_MARK)
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([guarded(cell) for cell in row] for row in rows)
    return out.getvalue()


def file_name(club_slug: str, day: date | None, content: str) -> str:
    """Return a file name that says club, date and content: `bars-2026-11-12-table-1-totals.csv`."""
    parts = [club_slug, day.isoformat() if day else "", content]
    return "-".join(slug for slug in map(slugify, parts) if slug) + ".csv"
