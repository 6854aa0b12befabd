"""The results of a meeting as an email: text, score sheets as HTML, and CSV files of totals and hands."""

from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe

from clubscore.scoring.tiles import WIND_NAMES
from sessions_app.exchange.exports.csv_files import file_name
from sessions_app.exchange.exports.session_csv import (
    meeting_cells,
    session_hands_csv,
    session_hands_file_name,
    totals_csv,
)
from sessions_app.models import Meeting, Recording, Session, Tally
from sessions_app.table.sheet import session_sheets

# The sheets of a meeting as the HTML of a mail: plain tables, with what little style mail programs keep written in.

PAGE = "font-family:sans-serif;font-size:16px;color:#1C1B19"
TABLE = mark_safe('<table border="1" cellpadding="5" style="border-collapse:collapse;font-size:16px">')  # noqa: S308


def mail_html(heading: Any, sessions: Any) -> Any:
    """Return the results of these sessions: first every table's totals, then every table hand by hand; four queries."""
    sheets = session_sheets(sessions)
    return format_html(
        '<!doctype html><html lang="en"><body style="{}"><h1>{}</h1>{}<hr><h2>Hand by hand</h2>'
        "<p>Each cell shows the wind and what the player won or lost, with the balance below.</p>{}</body></html>",
        PAGE,
        heading,
        _join(_totals(sheet) for sheet in sheets),
        _join(_mail_sheet_hands(sheet) for sheet in sheets),
    )


def signed(number: int) -> str:
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


def known(number: int) -> Any:
    """Write a dash for what is not known, which is not 0."""
    return "–" if number is None else number


def _totals(sheet):
    net = "Score" if sheet.session.recording == Recording.STRAIGHT else "Won or lost"
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


def _mail_sheet_hands(sheet):
    if not sheet.rows:
        return ""
    head = _row(["Hand", "What happened"], [seat.player.name for seat in sheet.seats], "th")
    start = _row(["", "At the start"], [_whole(sheet.session.starting_balance)] * len(sheet.seats))
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


NOT_SHOWN = "No tables were played."


@dataclass(frozen=True)
class ResultsMail:
    """What is sent to each: words, the same as HTML with every hand, and name and text of each file beside them."""

    subject: str
    text: str
    html: str
    files: list[tuple[str, str]]


def results_mail(meeting: Meeting, sessions: Any) -> Any:
    """Return the ResultsMail of a meeting."""
    subject = mail_subject(meeting)
    return ResultsMail(
        subject, mail_text(meeting, sessions), mail_html(subject, sessions), mail_files(meeting, sessions)
    )


def sessions_of(meeting: Meeting) -> list[Session]:
    """Return the sessions of a meeting that count, in the order of their tables."""
    sessions = Session.objects.filter(meeting=meeting, practice=False, void=False)
    return list(sessions.select_related("club", "meeting").order_by("table", "pk"))


def mail_subject(meeting: Meeting) -> str:
    named = f" ({meeting.name})" if meeting.name else ""
    return f"{meeting.club.name}: results of {meeting.date:%-d %B %Y}{named}"


def mail_text(meeting: Meeting, sessions: list[Session]) -> str:
    """Return the words: each table with its players, the highest first, and what each won or lost."""
    parts = [mail_subject(meeting), ""]
    tallies = Tally.objects.filter(session__in=sessions).select_related("player").order_by("-net", "seat__chair")
    by_session = {}
    for tally in tallies:
        by_session.setdefault(tally.session_id, []).append(tally)
    for session in sessions:
        rows = by_session.get(session.pk, [])
        state = ", still in play" if session.is_open else ""
        parts.append(f"Table {session.table}, {session.get_rules_display()}{state}")
        width = max((len(str(row.player)) for row in rows), default=0)
        parts += [f"  {str(row.player):<{width}}  {signed(row.net):>8}   {_meeting_mail_hands(row)}" for row in rows]
        parts.append("")
    parts += ["The totals and every hand are attached. They open in any spreadsheet."] if sessions else [NOT_SHOWN]
    return "\n".join(parts) + "\n"


def _meeting_mail_hands(row):
    hands, won = known(row.hands), known(row.won)
    return f"{hands} hand{'' if row.hands == 1 else 's'}, {won} won"


def mail_files(meeting: Meeting, sessions: Any) -> Any:
    """Return name and text of each file to attach."""
    if not sessions:
        return []
    totals = totals_csv(Tally.objects.filter(session__in=sessions), meeting_cells(meeting.sessions))
    files = [(file_name(meeting.club.slug, meeting.date, "totals"), totals)]
    played = [session for session in sessions if not session.imported]
    return files + [(session_hands_file_name(session), session_hands_csv(session)) for session in played]
