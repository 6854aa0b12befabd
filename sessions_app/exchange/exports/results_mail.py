"""The results of a meeting as an email: text, score sheets as HTML, and CSV files of totals and hands."""

from dataclasses import dataclass, field
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.text import capfirst

from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import listed, signed, whole
from sessions_app.exchange.exports.csv_files import file_name
from sessions_app.exchange.exports.session_csv import (
    meeting_cells,
    meeting_hands_csv,
    meeting_result_csv,
    meeting_result_file_name,
    totals_csv,
)
from sessions_app.models import Meeting, Recording, Session, Tally
from sessions_app.table.meeting_result import MeetingResult, meeting_results
from sessions_app.table.sheet import session_sheets

# The sheets of a meeting as the HTML of a mail: plain tables, with what little style mail programs keep written in.

PAGE = "font-family:sans-serif;font-size:16px;color:#1C1B19"
TABLE = mark_safe('<table border="1" cellpadding="5" style="border-collapse:collapse;font-size:16px">')  # noqa: S308


def mail_html(heading: Any, sessions: Any, result: MeetingResult | None) -> Any:
    """Return the result of the meeting, then every table's totals, then every table hand by hand; four queries."""
    sheets = session_sheets(sessions)
    return format_html(
        '<!doctype html><html lang="en"><body style="{}"><h1>{}</h1>{}{}<hr><h2>Hand by hand</h2>'
        "<p>Each cell shows the wind and what the player won or lost, with the balance below.</p>{}</body></html>",
        PAGE,
        heading,
        _result_html(result),
        _join(_totals(sheet) for sheet in sheets),
        _join(_mail_sheet_hands(sheet) for sheet in sheets),
    )


def _join(parts):
    return format_html_join("", "{}", ((part,) for part in parts))


def _named(sheet):
    session = sheet.session
    state = ", still in play" if session.is_open else ""
    return f"{capfirst(session.table_words)}, {session.get_rules_display()}{state}"


def _row(first, figures, cell="td"):
    """One row: words at the left, figures at the right."""
    cells = format_html_join("", f'<{cell} align="right">{{}}</{cell}>', ((figure,) for figure in figures))
    return format_html("<tr>{}{}</tr>", _join(format_html('<th align="left">{}</th>', one) for one in first), cells)


def known(number: int) -> Any:
    """Write a dash for what is not known, which is not 0."""
    return "–" if number is None else number


def _totals(sheet):
    net = "Score" if sheet.session.recording == Recording.STRAIGHT else "Won or lost"
    best_first = sorted(sheet.seats, key=lambda seat: (-seat.tally.net, seat.chair))
    rows = [
        _row(
            [seat.player],
            [signed(seat.tally.net), whole(seat.tally.balance), known(seat.tally.hands), known(seat.tally.won)],
        )
        for seat in best_first
    ]
    head = _row(["Player"], [net, "Balance", "Hands", "Won"], "th")
    return format_html("<h2>{}</h2>{}{}{}</table>", _named(sheet), TABLE, head, _join(rows))


def _result_html(result):
    if result is None:
        return ""
    rounds = [f"Round {nth}" for nth in result.rounds] if len(result.rounds) > 1 else []
    tables = []
    for sums in result.lists:
        head = _row(["Position", "Player"], [*rounds, "Score" if sums.adds_up else "Won or lost"], "th")
        rows = (
            _row([row.position_shown, row.name], [*(map(signed, row.nets) if rounds else ()), signed(row.net)])
            for row in sums.rows
        )
        tables.append(format_html("{}{}{}</table>", TABLE, head, _join(rows)))
    return format_html("<h2>{}</h2>{}", _heading(result), _join(tables)) + _join(
        format_html("<p>{}</p>", line) for line in _news(result)
    )


def _heading(result):
    return "Result so far" if result.still_playing else "Result"


def _news(result):
    """Yield the lines about the winners, the best hand and the special hands of a meeting."""
    if not result.still_playing:
        for sums in result.lists:
            names = listed(row.name for row in sums.winners)
            if names:
                yield f"Winner{'' if len(sums.winners) == 1 else 's'}: {names}, {signed(sums.winners[0].net)}"
    for best in result.best:
        yield f"Best hand: {best.name}, {whole(best.result.total)} points"
    for one in result.specials:
        yield f"{one.special}: {one.name}, {whole(one.result.total)} points"


def _result_text(result):
    """Return the lines of the result: the news, then each player's sum, the highest first."""
    lines = [_heading(result), *(f"  {line}" for line in _news(result))]
    for sums in result.lists:
        width = max(len(row.name) for row in sums.rows)
        lines.append("")
        for row in sums.rows:
            lines.append(f"  {row.position_shown:>4}  {row.name:<{width}}  {signed(row.net):>8}")
    return [*lines, ""]


def _mail_sheet_hands(sheet):
    if not sheet.rows:
        return ""
    head = _row(["Hand", "What happened"], [seat.player.name for seat in sheet.seats], "th")
    start = _row(["", "At the start"], [whole(sheet.session.starting_balance)] * len(sheet.seats))
    rows = [
        _row([row.hand.number if row.hand else "", row.words], [_cell(row, cell) for cell in row.cells])
        for row in sheet.rows
        if not row.entry.taken_out
    ]
    return format_html("<h3>{}</h3>{}{}{}{}</table>", _named(sheet), TABLE, head, start, _join(rows))


def _cell(row, cell):
    if not row.hand:
        return format_html("{}<br>{}", signed(cell.net), whole(cell.balance)) if cell.net else ""
    if not cell.is_at_table:
        return "–"
    if not cell.wind:
        return format_html("sits out<br>{}", whole(cell.balance))
    won = format_html("<b>{}</b>", signed(cell.net)) if cell.won else signed(cell.net)
    return format_html(
        '<span title="{}">{}</span> {}<br>{}', WIND_NAMES[cell.wind], cell.wind, won, whole(cell.balance)
    )


NOT_SHOWN = "No tables were played."


@dataclass(frozen=True)
class ResultsMail:
    """What is sent to each: words, the same as HTML with every hand, and name and text of each attached file.

    `personal` has lines by player id, which go to that player alone.
    """

    subject: str
    text: str
    html: str
    files: list[tuple[str, str]]
    personal: dict[int, list[str]] = field(default_factory=dict)

    def text_for(self, player_id: int | None) -> str:
        return "".join(f"{line}\n" for line in self.personal.get(player_id, ())) + self.text

    def html_for(self, player_id: int | None) -> str:
        lines = _join(format_html("<p>{}</p>", line) for line in self.personal.get(player_id, ()) if line)
        return self.html.replace("</h1>", f"</h1>{lines}", 1)


def results_mail(meeting: Meeting, sessions: Any, link: str, own_links: dict[int, str]) -> ResultsMail:
    """Return the ResultsMail of a meeting; `link` leads to its page, `own_links` to each player's own."""
    subject, result = mail_subject(meeting), result_of(meeting)
    text, html = mail_text(meeting, sessions, result, link), mail_html(subject, sessions, result)
    personal = {
        player: [*_own_result(result, player), f"Are you coming next time? {own}", ""]
        for player, own in own_links.items()
    }
    return ResultsMail(subject, text, html, mail_files(meeting, sessions, result), personal)


def _own_result(result, player_id):
    """Yield the lines of one player's result: the position, each round, the best hand."""
    for sums in result.lists if result else ():
        for row in sums.rows:
            if row.player.pk == player_id:
                yield f"Your result: {signed(row.net)}, position {row.position_shown} of {len(sums.rows)}."
                if len(result.rounds) > 1:
                    yield f"Round by round: {', '.join(signed(net) or '–' for net in row.nets)}."
                if row.best_hand:
                    yield f"Your best hand: {whole(row.best_hand)} points."


def short_text(meeting: Meeting, result: MeetingResult | None, link: str) -> str:
    """Return the result in few words, which fit into the address that opens a mail program."""
    lines = [mail_subject(meeting), ""]
    if result:
        lines += _news(result)
        for sums in result.lists:
            lines += ["", *(f"{row.position_shown} {row.name} {signed(row.net)}" for row in sums.rows)]
    return "\n".join([*lines, "", link]) + "\n"


def result_of(meeting: Meeting) -> MeetingResult | None:
    return meeting_results(meeting.club, [meeting]).get(meeting.pk)


def sessions_of(meeting: Meeting) -> list[Session]:
    """Return the sessions of a meeting that count, in the order of their rounds and tables."""
    sessions = Session.objects.filter(meeting=meeting, practice=False, void=False)
    return list(sessions.with_rounds().select_related("club", "meeting").order_by("round", "table", "pk"))


def mail_subject(meeting: Meeting) -> str:
    named = f" ({meeting.name})" if meeting.name else ""
    return f"{meeting.club.name}: results of {meeting.date:%-d %B %Y}{named}"


def mail_text(meeting: Meeting, sessions: list[Session], result: MeetingResult | None = None, link: str = "") -> str:
    """Return the words: the result, then each table with its players, the highest first, and what each won or lost."""
    parts = [mail_subject(meeting), "", *(_result_text(result) if result else [])]
    tallies = Tally.objects.filter(session__in=sessions).select_related("player").order_by("-net", "seat__chair")
    by_session = {}
    for tally in tallies:
        by_session.setdefault(tally.session_id, []).append(tally)
    for session in sessions:
        rows = by_session.get(session.pk, [])
        state = ", still in play" if session.is_open else ""
        parts.append(f"{capfirst(session.table_words)}, {session.get_rules_display()}{state}")
        width = max((len(str(row.player)) for row in rows), default=0)
        parts += [f"  {str(row.player):<{width}}  {signed(row.net):>8}   {_meeting_mail_hands(row)}" for row in rows]
        parts.append("")
    parts += ["The totals and every hand are attached. They open in any spreadsheet."] if sessions else [NOT_SHOWN]
    if link:
        parts.append(f"The meeting’s page: {link}")
    return "\n".join(parts) + "\n"


def _meeting_mail_hands(row):
    hands, won = known(row.hands), known(row.won)
    return f"{hands} hand{'' if row.hands == 1 else 's'}, {won} won"


def mail_files(meeting: Meeting, sessions: Any, result: MeetingResult | None) -> Any:
    """Return name and text of each file to attach."""
    if not sessions:
        return []
    totals = totals_csv(Tally.objects.filter(session__in=sessions), meeting_cells(meeting.sessions))
    files = [(file_name(meeting.club.slug, meeting.date, "totals"), totals)]
    if result:
        files.insert(0, (meeting_result_file_name(meeting), meeting_result_csv(result)))
    played = Session.objects.filter(pk__in=[session.pk for session in sessions if not session.imported])
    if played:
        files.append((file_name(meeting.club.slug, meeting.date, "hands"), meeting_hands_csv(meeting, played)))
    return files
