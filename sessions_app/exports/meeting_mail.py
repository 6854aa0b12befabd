"""The results of a meeting as a mail: plain words, the sheets as HTML, and the CSV of totals and hands beside them."""

from dataclasses import dataclass

from sessions_app.exports.csv_writer import file_name
from sessions_app.exports.mail_sheet import known, mail_html, signed
from sessions_app.exports.meeting_cell import meeting_cells
from sessions_app.exports.session_hands import session_hands_csv, session_hands_file_name
from sessions_app.exports.session_totals import totals_csv
from sessions_app.models import Session, Tally

NOT_SHOWN = "No table was played."


@dataclass(frozen=True)
class ResultsMail:
    """What is sent to each: words, the same as HTML with every hand, and name and text of each file beside them."""

    subject: str
    text: str
    html: str
    files: list[tuple[str, str]]


def results_mail(meeting, sessions):
    """Return the ResultsMail of a meeting."""
    subject = mail_subject(meeting)
    return ResultsMail(
        subject, mail_text(meeting, sessions), mail_html(subject, sessions), mail_files(meeting, sessions)
    )


def sessions_of(meeting):
    """Return the sessions of a meeting that count, in the order of their tables."""
    sessions = Session.objects.filter(meeting=meeting, practice=False, void=False)
    return list(sessions.select_related("club", "meeting").order_by("table", "pk"))


def mail_subject(meeting):
    named = f" ({meeting.name})" if meeting.name else ""
    return f"{meeting.club.name}: results of {meeting.date:%-d %B %Y}{named}"


def mail_text(meeting, sessions):
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
        parts += [f"  {str(row.player):<{width}}  {signed(row.net):>8}   {_hands(row)}" for row in rows]
        parts.append("")
    parts += ["The totals and every hand are attached; they open in any spreadsheet."] if sessions else [NOT_SHOWN]
    return "\n".join(parts) + "\n"


def _hands(row):
    hands, won = known(row.hands), known(row.won)
    return f"{hands} hand{'' if row.hands == 1 else 's'}, {won} won"


def mail_files(meeting, sessions):
    """Return name and text of each file to attach."""
    if not sessions:
        return []
    totals = totals_csv(Tally.objects.filter(session__in=sessions), meeting_cells(meeting.sessions))
    files = [(file_name(meeting.club.slug, meeting.date, "totals"), totals)]
    played = [session for session in sessions if not session.imported]
    return files + [(session_hands_file_name(session), session_hands_csv(session)) for session in played]
