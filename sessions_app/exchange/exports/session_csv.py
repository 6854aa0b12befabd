"""The CSV of a session's hands, with penalties and running totals, and the CSV of the totals of sessions."""

import re
from collections import Counter, defaultdict
from datetime import date
from itertools import chain, groupby
from typing import Any

from django.db.models import QuerySet

from clubscore.scoring.words import with_names
from clubscore.table.live_scoring import wins_of
from sessions_app.exchange.exports.csv_files import csv_text, file_name, table_csv, yes
from sessions_app.league.methods import positions
from sessions_app.models import Club, Entry, Meeting, Payment, PlayerHand, Season, Session, Tally
from sessions_app.table.meeting_result import MeetingResult

# What stands under "meeting" in a CSV: a table that is played at twice at a meeting has a number behind the name.

NUMBERED = re.compile(r"(?P<name>.*?) ?\((?P<nth>[2-9]|[1-9][0-9])\)\Z")


def meeting_cells(sessions: QuerySet[Session]) -> dict[int, str]:
    """Return by id what stands under meeting for each of these sessions but practice; one query.

    `sessions` holds every session of its meetings: of a club, or of one meeting.
    """
    rows = sessions.filter(practice=False).with_rounds().values_list("pk", "meeting__name", "round")
    return {pk: numbered(name, nth) for pk, name, nth in rows}


def cells_of_club(club: Club) -> dict[int, str]:
    return meeting_cells(Session.objects.of_club(club))


def cell_of(session: Session) -> str:
    """Return the cell of one session; a practice table has its meeting's name."""
    return numbered(session.meeting.name, session.round)


def numbered(name: str, nth: int) -> str:
    """Return the name of a meeting for the nth session at a table of it."""
    return f"{name} ({nth})".strip() if nth > 1 else name


def apart(cell: Any) -> Any:
    """Return the name in a cell and which session at its table it is: "Summer party (2)", or "(2)"."""
    found = NUMBERED.match(cell)
    return (found["name"], int(found["nth"])) if found else (cell, 1)


COLUMNS = [
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

# Of a Mah-jong, what has columns of its own or needs none.
IN_OTHER_COLUMNS = {"by", "tile", "from"}


def session_hands_csv(session: Session) -> str:
    """Return the hands of a session as CSV, in three queries; `running` counts from 0, `balance` from the start."""
    lines = _lines(_players_hands(hand__session=session), _penalties(session=session))
    return csv_text(COLUMNS, _with_totals(session, cell_of(session), lines))


def club_hands_csv(club: Club, season: Season | None = None) -> str:
    """Return the hands of every session of a club that counts, or of a season's, in four queries."""
    sessions = Session.objects.of_club(club).filter(practice=False)
    if season is not None:
        sessions = sessions.filter(season=season)
    return _hands_csv(sessions, cells_of_club(club))


def meeting_hands_csv(meeting: Meeting, sessions: QuerySet[Session]) -> str:
    """Return the hands of these sessions of a meeting as one CSV, in four queries."""
    return _hands_csv(sessions, meeting_cells(meeting.sessions))


def _hands_csv(sessions, meetings):
    hands, penalties = defaultdict(list), defaultdict(list)
    for row in _players_hands(hand__session__in=sessions):
        hands[row.hand.session_id].append(row)
    for payment in _penalties(session__in=sessions):
        penalties[payment.session_id].append(payment)
    ordered = sessions.order_by("date", "meeting__name", "table", "pk")
    tables = (_with_totals(one, meetings[one.pk], _lines(hands[one.pk], penalties[one.pk])) for one in ordered)
    return csv_text(COLUMNS, chain.from_iterable(tables))


def _players_hands(**which):
    rows = PlayerHand.objects.filter(hand__entry__taken_out=False, **which)
    return rows.select_related("hand__entry", "seat__player")


def _penalties(**which):
    """Return the payments outside a hand."""
    payments = Payment.objects.filter(entry__kind=Entry.Kind.FINE, entry__taken_out=False, **which)
    return payments.select_related("entry", "payer__player", "payee__player")


def _lines(hands, penalties):
    """Return the order, seat, net and other cells of every player's hand and of who paid and received a penalty."""
    lines, names = [], {str(row.seat.chair): str(row.seat.player) for row in hands}
    for row in hands:
        hand = row.hand
        order = hand.entry.position, WIND_ORDER.find(row.wind) if row.wind else len(WIND_ORDER), row.seat.chair
        won_from, won_how = _how_won(row, names)
        cells = {
            "hand": hand.number,
            "wind_of_round": hand.wind_of_round,
            "goulash": yes(hand.goulash),
            "result": hand.kind,
            "player": row.seat.player,
            "wind": row.wind or SITS_OUT,
            "points": row.points,
            "doubles": row.doubles,
            "total": row.total if row.wind else None,
            "special": row.special,
            "fishing_for": row.fishing_for,
            "won": yes(row.won),
            "question": with_names(hand.question, names),
            "limited": yes(row.limited),
            "won_from": won_from,
            "won_how": won_how,
        }
        lines.append((order, row.seat_id, row.net, cells))
    for payment in penalties:
        for place, (seat, net) in enumerate([(payment.payer, -payment.amount), (payment.payee, payment.amount)]):
            if seat is not None:
                order = payment.entry.position, place, payment.pk
                lines.append((order, seat.pk, net, {"result": "fine", "player": seat.player}))
    return sorted(lines, key=lambda line: line[0])


def _how_won(row, names):
    """Return where the winner's tile came from (wall, kong box, or whose discard) and what was special about it."""
    wins = wins_of(row.hand.entry.body) if row.won else []
    win = next((one for one in wins if str(one.get("by")) == str(row.seat.chair)), {})
    source = str(win.get("from") or "")
    others = [(key, value) for key, value in sorted(win.items()) if key not in IN_OTHER_COLUMNS]
    return names.get(source, source), "; ".join(key if value is True else f"{key} {value}" for key, value in others)


def _with_totals(session, meeting, lines):
    start = {"date": session.date, "meeting": meeting, "table": session.table}
    running = Counter()
    for _, seat, net, cells in lines:
        running[seat] += net
        totals = {"net": net, "running": running[seat], "balance": session.starting_balance + running[seat]}
        cells = start | cells | totals
        yield [cells.get(name) for name in COLUMNS]


def session_hands_file_name(session: Session) -> str:
    return file_name(session.club.slug, session.date, f"{session.table_words} hands")


# The CSV of session totals: one row a player and session; a club's can be imported again.


def session_totals_csv(session: Session) -> str:
    return totals_csv(Tally.objects.filter(session=session), {session.pk: cell_of(session)})


def club_totals_csv(club: Club, starts_on: date | None = None, ends_on: date | None = None) -> str:
    """Return all sessions of a club but practice, or those of a span with both dates included."""
    tallies = Tally.objects.of_club(club).filter(session__practice=False)
    if starts_on is not None:
        tallies = tallies.filter(session__date__gte=starts_on)
    if ends_on is not None:
        tallies = tallies.filter(session__date__lte=ends_on)
    return totals_csv(tallies, cells_of_club(club))


TOTALS = {
    "date": lambda tally: tally.session.date,
    "meeting": lambda tally: tally.meeting_cell,
    "table": lambda tally: tally.session.table,
    "rules": lambda tally: tally.session.rules,
    "recording": lambda tally: tally.session.recording,
    "player": lambda tally: tally.player,
    "guest": lambda tally: yes(tally.player.guest),
    "seat": lambda tally: tally.seat.chair if tally.seat.at_start else "",
    "hands": lambda tally: tally.hands,
    "won": lambda tally: tally.won,
    "gained": lambda tally: tally.gained,
    "lost": lambda tally: tally.lost,
    "net": lambda tally: tally.net,
    "balance": lambda tally: tally.balance,
    "place": lambda tally: tally.position,
}


def totals_csv(tallies: QuerySet[Tally], meetings: dict[int, str]) -> str:
    """Return tallies as CSV in order of date, meeting, table and chair, in one query; `meetings` are the cells."""
    rows = sorted(tallies.select_related("session__meeting", "seat", "player"), key=_order)
    for session, group in groupby(rows, key=lambda tally: tally.session):
        table = list(group)
        position = positions({tally.pk: tally.net for tally in table if tally.hands != 0})
        for tally in table:
            tally.meeting_cell = meetings.get(session.pk, session.meeting.name)
            tally.position = position.get(tally.pk)
    return table_csv(TOTALS, rows)


def _order(tally):
    session = tally.session
    return session.date, session.meeting.name, session.table, session.pk, tally.seat.chair


def session_totals_file_name(session: Session) -> str:
    return file_name(session.club.slug, session.date, f"{session.table_words} totals")


# The result of a meeting: one row a player, with what each round brought at the end.

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
    """Return the result of a meeting as CSV; only the heading where no hand was played."""
    rounds = {f"round_{nth}": lambda row, at=nth - 1: row[2].nets[at] for nth in (result.rounds if result else ())}
    rows = [(result, sums, row) for sums in (result.lists if result else ()) for row in sums.rows]
    return table_csv(RESULT | rounds, rows)


def meeting_result_file_name(meeting: Meeting) -> str:
    return file_name(meeting.club.slug, meeting.date, f"{meeting.name} result")
