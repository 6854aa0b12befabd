"""The CSV of a session's hands, with penalties and running totals, and the CSV of the totals of sessions."""

import re
from collections import Counter, defaultdict
from itertools import groupby

from django.db.models import QuerySet

from clubscore.scoring.words import with_names
from clubscore.table.scoring_by_seat import wins_of
from sessions_app.exchange.exports.csv_files import csv_text, file_name, table_csv, yes
from sessions_app.exchange.imports.totals_file import TOTALS_COLUMNS
from sessions_app.league.methods import positions
from sessions_app.models import Club, Entry, Meeting, Payment, PlayerHand, Season, Session, Tally
from sessions_app.table.meeting_result import MeetingResult

# The cell under "meeting". The second session at a table has a number: "Summer party (2)", or "(2)".

NUMBERED = re.compile(r"(?P<name>.*?) ?\((?P<nth>[2-9]|[1-9][0-9])\)\Z")


def meeting_cells(sessions: QuerySet[Session]) -> dict[int, str]:
    """Return the meeting cell of each session except practice, by id; one query.

    `sessions` are all those of a club or of a meeting, as they are numbered by their order.
    """
    rows = sessions.filter(practice=False).with_rounds().values_list("pk", "meeting__name", "round")
    return {pk: numbered(name, nth) for pk, name, nth in rows}


def cells_of_club(club: Club) -> dict[int, str]:
    return meeting_cells(Session.objects.of_club(club))


def cell_of(session: Session) -> str:
    """Return the meeting cell of one session; a practice session has its meeting's name."""
    return numbered(session.meeting.name, session.round)


def numbered(name: str, nth: int) -> str:
    """Return a meeting's name with the number of the session at its table, if it is not the first."""
    return f"{name} ({nth})".strip() if nth > 1 else name


def split_number(cell: str) -> tuple[str, int]:
    """Return the meeting's name in a cell, and the number of the session at its table."""
    found = NUMBERED.match(cell)
    return (found["name"], int(found["nth"])) if found else (cell, 1)


HAND_COLUMNS = [
    "date",
    "meeting",
    "table",
    "hand",
    "wind_of_round",
    "goulash",
    "result",
    "player",
    "wind",
    "points",
    "doubles",
    "total",
    "special",
    "fishing_for",
    "won",
    "net",
    "running",
    "balance",
    "question",
    "limited",
    "won_from",
    "won_how",
]

SITS_OUT = "out"
WIND_ORDER = "ESWN"

# The facts of a win that have their own columns or need none.
IN_OTHER_COLUMNS = {"by", "tile", "from"}


def session_hands_csv(session: Session) -> str:
    """Return the hands of a session as CSV; `running` starts at 0, `balance` at the starting balance; three queries."""
    return csv_text(HAND_COLUMNS, _rows([session], {session.pk: cell_of(session)}, session=session))


def club_hands_csv(club: Club, season: Season | None = None) -> str:
    """Return the hands of all sessions of a club, or of one season, except practice; four queries."""
    sessions = Session.objects.of_club(club).filter(practice=False)
    if season is not None:
        sessions = sessions.filter(season=season)
    return _hands_csv(sessions, cells_of_club(club))


def meeting_hands_csv(meeting: Meeting, sessions: QuerySet[Session]) -> str:
    """Return the hands of these sessions of a meeting; four queries."""
    return _hands_csv(sessions, meeting_cells(meeting.sessions))


def _hands_csv(sessions, meetings):
    ordered = sessions.order_by("date", "meeting__name", "table", "pk")
    return csv_text(HAND_COLUMNS, _rows(ordered, meetings, session__in=sessions))


def _rows(sessions, meetings, **which):
    """Yield the rows of sessions in this order; `meetings` are the meeting cells, `which` the filter for sessions."""
    hands, penalties = defaultdict(list), defaultdict(list)
    results = PlayerHand.objects.filter(
        hand__entry__taken_out=False, **{f"hand__{lookup}": value for lookup, value in which.items()}
    )
    for result in results.select_related("hand__entry", "seat__player").defer("lines"):
        hands[result.hand.session_id].append(result)
    payments = Payment.objects.filter(entry__kind=Entry.Kind.FINE, entry__taken_out=False, **which)
    for payment in payments.select_related("entry", "payer__player", "payee__player"):
        penalties[payment.session_id].append(payment)
    for session in sessions:
        start = {"date": session.date, "meeting": meetings[session.pk], "table": session.table}
        running = Counter()
        for _, seat, net, cells in _lines(hands[session.pk], penalties[session.pk]):
            running[seat] += net
            totals = {"net": net, "running": running[seat], "balance": session.starting_balance + running[seat]}
            row = start | cells | totals
            yield [row.get(name) for name in HAND_COLUMNS]


def _lines(hands, penalties):
    """Return order, seat, net and the other cells for every player's hand and everyone who paid or got a penalty."""
    lines, names = [], {str(result.seat.chair): str(result.seat.player) for result in hands}
    for result in hands:
        hand = result.hand
        wind_order = WIND_ORDER.find(result.wind) if result.wind else len(WIND_ORDER)
        won_from, won_how = _how_won(result, names)
        cells = {
            "hand": hand.number,
            "wind_of_round": hand.wind_of_round,
            "goulash": yes(hand.goulash),
            "result": hand.kind,
            "player": result.seat.player,
            "wind": result.wind or SITS_OUT,
            "points": result.points,
            "doubles": result.doubles,
            "total": result.total if result.wind else None,
            "special": result.special,
            "fishing_for": result.fishing_for,
            "won": yes(result.won),
            "question": with_names(hand.question, names),
            "limited": yes(result.limited),
            "won_from": won_from,
            "won_how": won_how,
        }
        lines.append(((hand.entry.position, wind_order, result.seat.chair), result.seat_id, result.net, cells))
    for payment in penalties:
        for place, (seat, net) in enumerate([(payment.payer, -payment.amount), (payment.payee, payment.amount)]):
            if seat is not None:
                order = payment.entry.position, place, payment.pk
                lines.append((order, seat.pk, net, {"result": "fine", "player": seat.player}))
    return sorted(lines, key=lambda line: line[0])


def _how_won(result, names):
    """Return where the winning tile came from (wall, kong box or whose discard), and the other facts of the win."""
    wins = wins_of(result.hand.entry.body) if result.won else []
    win = next((win for win in wins if str(win.get("by")) == str(result.seat.chair)), {})
    source = str(win.get("from") or "")
    facts = [(key, value) for key, value in sorted(win.items()) if key not in IN_OTHER_COLUMNS]
    return names.get(source, source), "; ".join(key if value is True else f"{key} {value}" for key, value in facts)


def session_hands_file_name(session: Session) -> str:
    return file_name(session.club.slug, session.date, f"{session.table_words} hands")


# Session totals: a row for each player and session. They can be imported again.


def session_totals_csv(session: Session) -> str:
    return totals_csv(Tally.objects.filter(session=session), {session.pk: cell_of(session)})


def club_totals_csv(club: Club, season: Season | None = None) -> str:
    """Return the totals of all sessions of a club except practice, or of those on a season's dates."""
    tallies = on_dates_of(season, Tally.objects.of_club(club).filter(session__practice=False), "session__date")
    return totals_csv(tallies, cells_of_club(club))


def on_dates_of(season: Season | None, rows: QuerySet, field: str) -> QuerySet:
    """Return the rows whose date is in a season; all of them without one."""
    return rows.filter(**{f"{field}__range": (season.starts_on, season.ends_on)}) if season else rows


def totals_csv(tallies: QuerySet[Tally], meetings: dict[int, str]) -> str:
    """Return tallies as CSV by date, meeting, table and chair, in one query; `meetings` are the meeting cells."""
    rows = sorted(tallies.select_related("session__meeting", "seat", "player"), key=_order)
    for session, group in groupby(rows, key=lambda tally: tally.session):
        table = list(group)
        position = positions({tally.pk: tally.net for tally in table if tally.hands != 0})
        for tally in table:
            tally.meeting_cell = meetings.get(session.pk, session.meeting.name)
            tally.position = position.get(tally.pk)
    return table_csv(TOTALS_COLUMNS, rows)


def _order(tally):
    session = tally.session
    return session.date, session.meeting.name, session.table, session.pk, tally.seat.chair


def session_totals_file_name(session: Session) -> str:
    return file_name(session.club.slug, session.date, f"{session.table_words} totals")


# The result of a meeting: a row for each player, with the net of each round at the end.

RESULT = {
    "date": lambda row: row[0].meeting.date,
    "meeting": lambda row: row[0].meeting.name,
    "recording": lambda row: row[1].recording,
    "position": lambda row: row[2].position,
    "player": lambda row: row[2].name,
    "guest": lambda row: yes(row[2].player.guest),
    "hands": lambda row: row[2].hands,
    "won": lambda row: row[2].won,
    "net": lambda row: row[2].net,
    "best_hand": lambda row: row[2].best_hand,
}


def meeting_result_csv(result: MeetingResult | None) -> str:
    """Return the result of a meeting as CSV; only the header if no hand was played."""
    rounds = {f"round_{nth}": lambda row, at=nth - 1: row[2].nets[at] for nth in (result.rounds if result else ())}
    rows = [(result, sums, row) for sums in (result.lists if result else ()) for row in sums.rows]
    return table_csv(RESULT | rounds, rows)


def meeting_result_file_name(meeting: Meeting) -> str:
    return file_name(meeting.club.slug, meeting.date, f"{meeting.name} result")
