"""Three CSVs: the hands of sessions, with penalties and running totals; their totals; and a meeting's result."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db.models import QuerySet

from clubscore.league.methods import grouped, positions
from clubscore.play.scoring_by_seat import win_of
from clubscore.scoring.tiles import WINDS
from clubscore.scoring.words import with_names
from sessions_app.exchange.exports.csv_files import (
    HANDS_WON,
    NET,
    PEOPLE,
    Columns,
    Shown,
    file_name,
    recording_column,
    table_csv,
    yes,
)
from sessions_app.exchange.imports.totals_file import TOTALS_COLUMNS
from sessions_app.models import Club, Entry, Meeting, Payment, PlayerHand, Season, Seat, Session, Tally
from sessions_app.table.meeting_result import MeetingResult
from sessions_app.table.models import SessionQuerySet

# The cell under "meeting". The second session at a table has a number: "Summer party (2)", or "(2)".
NUMBERED = re.compile(r"(?P<name>.*?) ?\((?P<nth>[2-9]|[1-9][0-9])\)\Z")


def meeting_cells(sessions: SessionQuerySet) -> dict[int, str]:
    """Return the meeting cell of each session except practice, by id; one query.

    `sessions` are all those of a club or of a meeting, as they are numbered by their order.
    """
    rows = sessions.filter(practice=False).with_rounds().select_related("meeting").only("meeting__name")
    return {row.pk: numbered(row.meeting.name, row.round) for row in rows}


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


SITS_OUT = "out"

# The facts of a win that have their own columns or need none.
IN_OTHER_COLUMNS = {"by", "tile", "from"}


@dataclass(frozen=True)
class HandLine:
    """One line of the file: a player's hand, or someone who paid or received a penalty, without a `result`.

    `running` is what the player has won or lost so far; `names` are those of the players, by seat.
    """

    session: Session
    seat: Seat
    net: int
    result: PlayerHand | None
    meeting: str = ""
    running: int = 0
    names: dict[str, str] = field(default_factory=dict)


def of_hand(cell: Callable[[Any], object]) -> Callable[[HandLine], object]:
    """Return what gives the cell of a player's hand, which is empty on the line of a penalty."""
    return lambda line: cell(line) if line.result else None


HAND_COLUMNS: dict[str, Callable[[HandLine], object]] = {
    "date": lambda line: line.session.date,
    "meeting": lambda line: line.meeting,
    "table": lambda line: line.session.table,
    "hand": of_hand(lambda line: line.result.hand.number),
    "wind_of_round": of_hand(lambda line: line.result.hand.wind_of_round),
    "goulash": of_hand(lambda line: yes(line.result.hand.goulash)),
    "result": Shown(
        lambda line: line.result.hand.kind if line.result else "fine",
        words={"won": "Mah-jong", "drawn": "nobody", "fine": "penalty"},
    ),
    "player": lambda line: line.seat.player,
    "wind": of_hand(lambda line: line.result.wind or SITS_OUT),
    "points": of_hand(lambda line: line.result.points),
    "doubles": of_hand(lambda line: line.result.doubles),
    "total": of_hand(lambda line: line.result.total if line.result.wind else None),
    "special": Shown(of_hand(lambda line: line.result.special), "Special hand"),
    "fishing_for": of_hand(lambda line: line.result.fishing_for),
    "won": Shown(of_hand(lambda line: yes(line.result.won)), "Went Mah-jong"),
    "net": NET,
    "running": Shown(lambda line: line.running, f"{NET.heading} so far"),
    "balance": lambda line: line.session.starting_balance + line.running,
    "question": of_hand(lambda line: with_names(line.result.hand.question, line.names)),
    "limited": Shown(of_hand(lambda line: yes(line.result.limited)), "Scored the limit"),
    "won_from": of_hand(lambda line: _how_won(line.result, line.names)[0]),
    "won_how": of_hand(lambda line: _how_won(line.result, line.names)[1]),
}


def _how_won(result, names):
    """Return where the winning tile came from (wall, kong box or whose discard), and the other facts of the win."""
    win = win_of(result.hand.entry.body, result.seat.seat_no) if result.won else {}
    source = str(win.get("from") or "")
    facts = [(key, value) for key, value in sorted(win.items()) if key not in IN_OTHER_COLUMNS]
    return names.get(source, source), "; ".join(key if value is True else f"{key} {value}" for key, value in facts)


def session_hands_csv(session: Session, names: str = PEOPLE) -> str:
    """Return the hands of a session as CSV; `running` starts at 0, `balance` at the starting balance; three queries."""
    return table_csv(HAND_COLUMNS, _hand_lines([session], {session.pk: cell_of(session)}, session=session), names)


def club_hands_csv(club: Club, season: Season | None = None, names: str = PEOPLE) -> str:
    """Return the hands of all sessions of a club, or of one season, except practice; four queries."""
    sessions = Session.objects.of_club(club).filter(practice=False)
    if season is not None:
        sessions = sessions.filter(season=season)
    return _hands_csv(sessions, cells_of_club(club), names)


def meeting_hands_csv(meeting: Meeting, sessions: QuerySet[Session]) -> str:
    """Return the hands of these sessions of a meeting; four queries."""
    return _hands_csv(sessions, meeting_cells(meeting.sessions.all()))


def _hands_csv(sessions: SessionQuerySet | QuerySet[Session], meetings: dict[int, str], names: str = PEOPLE) -> str:
    ordered = sessions.order_by("date", "meeting__name", "table", "pk")
    return table_csv(HAND_COLUMNS, _hand_lines(ordered, meetings, session__in=sessions), names)


def _hand_lines(sessions, meetings, **which):
    """Yield the lines of sessions in this order; `meetings` are the meeting cells, `which` the filter for sessions."""
    results = PlayerHand.objects.filter(
        hand__entry__removed=False, **{f"hand__{lookup}": value for lookup, value in which.items()}
    )
    results = results.select_related("hand__entry", "seat__player").defer("lines")
    payments = Payment.objects.filter(entry__kind=Entry.Kind.PENALTY, entry__removed=False, **which)
    payments = payments.select_related("entry", "payer__player", "payee__player")
    hands, penalties = grouped(results, attrgetter("hand.session_id")), grouped(payments, attrgetter("session_id"))
    for session in sessions:
        played = hands.get(session.pk, [])
        names = {str(result.seat.seat_no): str(result.seat.player) for result in played}
        running: Counter[int] = Counter()
        for _, seat, net, result in _in_order(played, penalties.get(session.pk, [])):
            running[seat.pk] += net
            yield HandLine(session, seat, net, result, meetings[session.pk], running[seat.pk], names)


def _in_order(hands: list[PlayerHand], penalties: list[Payment]) -> list[Any]:
    """Return order, seat, net and result of every player's hand and of everyone who paid or got a penalty."""
    lines: list[Any] = []
    for result in hands:
        hand = result.hand
        wind_order = WINDS.find(result.wind) if result.wind else len(WINDS)
        lines.append(((hand.entry.position, wind_order, result.seat.seat_no), result.seat, result.net, result))
    for payment in penalties:
        for place, (seat, net) in enumerate([(payment.payer, -payment.amount), (payment.payee, payment.amount)]):
            if seat is not None:
                lines.append(((payment.entry.position, place, payment.pk), seat, net, None))
    return sorted(lines, key=lambda line: line[0])


def session_hands_file_name(session: Session) -> str:
    return file_name(session.club.slug, session.date, f"{session.table_words} hands")


# Session totals: a row for each player and session. They can be imported again.


def session_totals_csv(session: Session, names: str = PEOPLE) -> str:
    return totals_csv(session.club, Tally.objects.filter(session=session), {session.pk: cell_of(session)}, names)


def club_totals_csv(club: Club, season: Season | None = None, names: str = PEOPLE) -> str:
    """Return the totals of all sessions of a club except practice, or of those on a season's dates."""
    tallies = on_dates_of(season, Tally.objects.of_club(club).filter(session__practice=False), "session__date")
    return totals_csv(club, tallies, cells_of_club(club), names)


def on_dates_of(season: Season | None, rows: QuerySet, field: str) -> QuerySet:
    """Return the rows whose date is in a season, of its league's meetings; all of them without one."""
    to_meeting = field.replace("session__date", "session__meeting__date").removesuffix("date")
    return rows.filter(season.covers(field, to_meeting)) if season else rows


def totals_csv(club: Club, tallies: QuerySet[Tally], meetings: dict[int, str], names: str = PEOPLE) -> str:
    """Return tallies as CSV by date, meeting, table and seat, in one query; `meetings` are the meeting cells.

    The league is in the last column, if the club has several.
    """
    order = attrgetter("session.date", "session.meeting.name", "session.table", "session.pk", "seat.seat_no")
    rows = sorted(tallies.select_related("session__meeting", "seat", "player"), key=order)
    for session, group in groupby(rows, key=lambda tally: tally.session):
        table = list(group)
        position = positions({tally.pk: tally.net for tally in table if tally.hands != 0})
        for tally in table:
            cell = meetings.get(session.pk, session.meeting.name)
            vars(tally).update(meeting_cell=cell, position=position.get(tally.pk))
    columns = {name: cell for name, cell in TOTALS_COLUMNS.items() if name != "league" or club.leagues}
    return table_csv(columns, rows, names)


def session_totals_file_name(session: Session) -> str:
    return file_name(session.club.slug, session.date, f"{session.table_words} totals")


# The result of a meeting: a row for each player, with the net of each round at the end.

RESULT: Columns = {
    "date": lambda row: row[0].meeting.date,
    "meeting": lambda row: row[0].meeting.name,
    "recording": recording_column(lambda row: row[1].recording),
    "position": lambda row: row[2].position,
    "player": lambda row: row[2].name,
    "guest": lambda row: yes(row[2].player.guest),
    "hands": lambda row: row[2].hands,
    "won": Shown(lambda row: row[2].won, HANDS_WON.heading),
    "net": Shown(lambda row: row[2].net, NET.heading),
    "best_hand": lambda row: row[2].best_hand,
}


def meeting_result_csv(result: MeetingResult | None) -> str:
    """Return the result of a meeting as CSV; only the header if no hand was played."""
    rounds = {f"round_{nth}": lambda row, at=nth - 1: row[2].nets[at] for nth in (result.rounds if result else ())}
    rows = [(result, sums, row) for sums in (result.lists if result else ()) for row in sums.rows]
    return table_csv({**RESULT, **rounds}, rows)


def meeting_result_file_name(meeting: Meeting) -> str:
    return file_name(meeting.club.slug, meeting.date, f"{meeting.name} result")
