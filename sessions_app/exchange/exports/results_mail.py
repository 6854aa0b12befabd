"""The results of a meeting as an email: text, score sheets as HTML, and CSV files of totals and hands."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import mark_safe
from django.utils.text import capfirst

from clubscore.league.methods import grouped
from clubscore.scoring.words import signed, whole
from sessions_app.exchange.exports.csv_files import file_name
from sessions_app.exchange.exports.session_csv import (
    meeting_cells,
    meeting_hands_csv,
    meeting_result_csv,
    meeting_result_file_name,
    totals_csv,
)
from sessions_app.models import Meeting, Recording, Session, Tally
from sessions_app.people.plain_text import figures_in_place, figures_in_place_in_html
from sessions_app.table.board import session_boards
from sessions_app.table.meeting_result import MeetingResult, mail_subject, meeting_results, result_news

NO_TABLES = "No tables were played."

# Email programs ignore style sheets. Only here may a template have style attributes, so they are not written in it.
STYLES = {
    "page_style": mark_safe('style="font-family:sans-serif;font-size:16px;color:#1C1B19"'),
    "table_style": mark_safe('border="1" cellpadding="5" style="border-collapse:collapse;font-size:16px"'),
}


@dataclass(frozen=True)
class ResultsMail:
    """The email to everyone: text, the same as HTML with every hand, and each attached file as (name, text).

    `personal` has lines by player id, which only that player gets.
    """

    subject: str
    text: str
    html: str
    files: list[tuple[str, str]]
    personal: dict[int, list[str]] = field(default_factory=dict)

    def text_for(self, player_id: int | None) -> str:
        return figures_in_place("".join(f"{line}\n" for line in self._own_lines(player_id)) + self.text)

    def _own_lines(self, player_id: int | None) -> list[str]:
        return self.personal.get(player_id, []) if player_id else []

    def html_for(self, player_id: int | None) -> str:
        lines = ((line,) for line in self._own_lines(player_id) if line)
        own = self.html.replace("</h1>", f"</h1>{format_html_join('', '<p>{}</p>', lines)}", 1)
        return figures_in_place_in_html(own)


def results_mail(meeting: Meeting, sessions: list[Session], link: str, own_links: dict[int, str]) -> ResultsMail:
    """Return the email with a meeting's results; `link` leads to its page, `own_links` to each player's own."""
    subject, result = mail_subject(meeting), result_of(meeting)
    personal = {
        player: [*_own_result(result, player), f"Are you coming next time? {own_link}", ""]
        for player, own_link in own_links.items()
    }
    return ResultsMail(
        subject,
        mail_text(meeting, sessions, result, link),
        mail_html(subject, sessions, result),
        mail_files(meeting, sessions, result),
        personal,
    )


def result_of(meeting: Meeting) -> MeetingResult | None:
    return meeting_results(meeting.club, [meeting]).get(meeting.pk)


def sessions_of(meeting: Meeting) -> list[Session]:
    """Return the sessions of a meeting that count, in the order of their rounds and tables."""
    sessions = Session.objects.filter(meeting=meeting, practice=False, void=False)
    in_order = sessions.with_rounds().select_related("club", "meeting").order_by("table", "pk")
    return sorted(in_order, key=attrgetter("round"))


def mail_html(subject: str, sessions: list[Session], result: MeetingResult | None) -> str:
    """Return the meeting's result, then every table's totals, then every table hand by hand; three queries."""
    sheets = [
        {
            "heading": _table_heading(board.session),
            "knows_hands": any(seat.tally.hands is not None for seat in board.taken_seats),
            "net_heading": "Score" if board.session.recording == Recording.STRAIGHT else "Won or lost",
            "best_first": sorted(board.taken_seats, key=lambda seat: (-seat.tally.net, seat.seat_no)),
            "session": board.session,
            "seats": board.taken_seats,
            "rows": board.rows(),
        }
        for board in session_boards(sessions)
    ]
    has_hands = any(sheet["rows"] for sheet in sheets)
    context: dict[str, Any] = {"subject": subject, "result": result, "sheets": sheets, "has_hands": has_hands, **STYLES}
    if result:
        context |= {"result_heading": _result_heading(result), "news": list(result_news(result))}
    return render_to_string("exchange/results_mail.html", context)


def mail_text(meeting: Meeting, sessions: list[Session], result: MeetingResult | None = None, link: str = "") -> str:
    """Return the result, then each table with what its players won or lost, the highest first."""
    lines = [mail_subject(meeting), "", *(_result_text(result) if result else [])]
    everyones = Tally.objects.filter(session__in=sessions).select_related("player").order_by("-net", "seat__seat_no")
    by_session = grouped(everyones, attrgetter("session_id"))
    for session in sessions:
        tallies = by_session.get(session.pk, [])
        width = max((len(str(tally.player)) for tally in tallies), default=0)
        lines.append(_table_heading(session))
        for tally in tallies:
            line = f"  {str(tally.player):<{width}}  {signed(tally.net):>8}"
            if tally.hands is not None:
                won = "–" if tally.won is None else tally.won
                line += f"   {tally.hands} hand{'' if tally.hands == 1 else 's'}, {won} won"
            lines.append(line)
        lines.append("")
    attached = "The totals are" if all(session.imported for session in sessions) else "The totals and every hand are"
    lines.append(f"{attached} attached. They open in any spreadsheet." if sessions else NO_TABLES)
    if link:
        lines.append(f"The meeting’s page: {link}")
    return "\n".join(lines) + "\n"


def mail_files(meeting: Meeting, sessions: list[Session], result: MeetingResult | None) -> list[tuple[str, str]]:
    """Return the name and text of each file to attach."""
    if not sessions:
        return []
    files = [(meeting_result_file_name(meeting), meeting_result_csv(result))] if result else []
    totals = totals_csv(meeting.club, Tally.objects.filter(session__in=sessions), meeting_cells(meeting.sessions.all()))
    files.append((file_name(meeting.club.slug, meeting.date, "totals"), totals))
    played: QuerySet[Session] = Session.objects.filter(pk__in=[one.pk for one in sessions if not one.imported])
    if played:
        files.append((file_name(meeting.club.slug, meeting.date, "hands"), meeting_hands_csv(meeting, played)))
    return files


def _table_heading(session: Session) -> str:
    state = ", still in play" if session.is_open else ""
    return f"{capfirst(session.table_words)}, {session.get_rules_display()}{state}"


def _result_heading(result: MeetingResult) -> str:
    return "Result so far" if result.still_playing else "Result"


def _result_text(result: MeetingResult) -> list[Any]:
    """Return the lines of the result: the news, then each player's sum, the highest first."""
    lines = [_result_heading(result), *(f"  {line}" for line in result_news(result))]
    for sums in result.lists:
        width = max(len(row.name) for row in sums.rows)
        lines.append("")
        lines += [f"  {row.position_shown:>4}  {row.name:<{width}}  {signed(row.net):>8}" for row in sums.rows]
    return [*lines, ""]


def _own_result(result: MeetingResult | None, player_id: int) -> Iterator[str]:
    """Yield the lines of one player's result: the position, each round, the best hand."""
    if result is None:
        return
    for sums in result.lists:
        for row in sums.rows:
            if row.player.pk == player_id:
                yield f"Your result: {signed(row.net)}, position {row.position_shown} of {len(sums.rows)}."
                if len(result.rounds) > 1:
                    yield f"Round by round: {', '.join(signed(net) or '–' for net in row.nets)}."
                if row.best_hand:
                    yield f"Your best hand: {whole(row.best_hand)} points."
