"""The sheets of a meeting as the HTML of a mail: plain tables, with what little style mail programs keep written in."""

from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe

from clubscore.scoring.tiles import WIND_NAMES
from sessions_app.models import Season
from sessions_app.queries.sheet import session_sheets

PAGE = "font-family:sans-serif;font-size:16px;color:#1C1B19"
TABLE = mark_safe('<table border="1" cellpadding="5" style="border-collapse:collapse;font-size:16px">')  # noqa: S308


def mail_html(heading, sessions):
    """Return the results of these sessions: first every table's totals, then every table hand by hand; four queries."""
    sheets = session_sheets(sessions)
    return format_html(
        '<!doctype html><html lang="en"><body style="{}"><h1>{}</h1>{}<hr><h2>Hand by hand</h2>'
        "<p>In each cell: the wind, what the hand brought, and under it the balance after it.</p>{}</body></html>",
        PAGE,
        heading,
        _join(_totals(sheet) for sheet in sheets),
        _join(_hands(sheet) for sheet in sheets),
    )


def signed(number):
    return f"{number:+,}".replace("-", "−") if number else "0"


def _whole(number):
    return f"{number:,}".replace("-", "−")


def _join(parts):
    return format_html_join("", "{}", ((part,) for part in parts))


def _named(sheet):
    session = sheet.session
    state = ", still in play" if session.is_open else ""
    return f"Table {session.table}, {session.get_rules_display()}{state}"


def _row(first, figures, cell="td"):
    """One row: words at the left, figures at the right."""
    told = format_html_join("", f'<{cell} align="right">{{}}</{cell}>', ((figure,) for figure in figures))
    return format_html("<tr>{}{}</tr>", _join(format_html('<th align="left">{}</th>', one) for one in first), told)


def known(number):
    """Write a dash for what is not known, which is not 0."""
    return "–" if number is None else number


def _totals(sheet):
    net = "Score" if sheet.session.recording == Season.Recording.STRAIGHT else "Net"
    best_first = sorted(sheet.seats, key=lambda seat: (-seat.tally.net, seat.chair))
    rows = [
        _row(
            [seat.player],
            [signed(seat.tally.net), _whole(seat.tally.balance), known(seat.tally.hands), known(seat.tally.won)],
        )
        for seat in best_first
    ]
    head = _row(["Player"], [net, "Balance", "Hands", "Won"], "th")
    return format_html("<h2>{}</h2>{}{}{}</table>", _named(sheet), TABLE, head, _join(rows))


def _hands(sheet):
    if not sheet.rows:
        return ""
    head = _row(["Hand", "What happened"], [seat.player.name for seat in sheet.seats], "th")
    start = _row(["", "To begin with"], [_whole(sheet.session.starting_balance)] * len(sheet.seats))
    rows = [
        _row([row.hand.number if row.hand else "", row.words], [_cell(row, cell) for cell in row.cells])
        for row in sheet.rows
        if not row.entry.taken_out
    ]
    return format_html("<h3>{}</h3>{}{}{}{}</table>", _named(sheet), TABLE, head, start, _join(rows))


def _cell(row, cell):
    if not row.hand:
        return format_html("{}<br>{}", signed(cell.net), _whole(cell.balance)) if cell.net else ""
    if not cell.is_at_table:
        return "–"
    if not cell.wind:
        return format_html("sits out<br>{}", _whole(cell.balance))
    won = format_html("<b>{}</b>", signed(cell.net)) if cell.won else signed(cell.net)
    return format_html(
        '<span title="{}">{}</span> {}<br>{}', WIND_NAMES[cell.wind], cell.wind, won, _whole(cell.balance)
    )
