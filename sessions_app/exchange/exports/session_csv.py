"""The CSV of a session's hands: one row a player and hand, with the fines between them and the running totals."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby
from typing import Any

from django.db.models import QuerySet

from clubscore.scoring.words import with_names
from clubscore.table.live_scoring import wins_of
from sessions_app.exchange.exports.csv_files import TOTALS_COLUMNS, csv_text, file_name
from sessions_app.league.methods import positions
from sessions_app.models import Club, Entry, Payment, PlayerHand, Season, Session, Tally

# What stands under "meeting" in a CSV: a table that is played at twice at a meeting has a number behind the name.

NUMBERED = re.compile(r"(?P<name>.*?) ?\((?P<nth>[2-9]|[1-9][0-9])\)\Z")


def meeting_cells(sessions: QuerySet[Session]) -> dict[int, str]:
    """Return by id what stands under meeting for each of these sessions but practice; one query.

    `sessions` holds every session of its meetings: of a club, or of one meeting.
    """
    seen, cells = Counter(), {}
    rows = sessions.filter(practice=False).order_by("pk").values_list("pk", "meeting", "meeting__name", "table")
    for pk, meeting, name, table in rows:
        seen[meeting, table] += 1
        cells[pk] = numbered(name, seen[meeting, table])
    return cells


def cells_of_club(club: Club) -> dict[int, str]:
    return meeting_cells(Session.objects.of_club(club))


def cell_of(session: Session) -> str:
    """Return the cell of one session; a practice table has its meeting's name."""
    around = Session.objects.filter(meeting=session.meeting_id, table=session.table)
    return meeting_cells(around).get(session.pk, session.meeting.name)


def numbered(name: str, nth: int) -> str:
    """Return the name of a meeting for the nth session at a table of it."""
    return name if nth == 1 else f"{name} ({nth})".strip()


def apart(cell: Any) -> Any:
    """Return the name and the how-manieth session at the table of a cell: "Summer party (2)", or "(2)"."""
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

# Of a Mah-jong, what is told in columns of its own or needs none.
TOLD = {"by", "tile", "from"}


def session_hands_csv(session: Session) -> str:
    """Return the hands of a session as CSV, in three queries; `running` counts from 0, `balance` from the start."""
    lines = sorted([*hand_lines(session), *fine_lines(session)], key=lambda line: line[0])
    return csv_text(COLUMNS, with_totals(session, cell_of(session), lines))


def club_hands_csv(club: Club, season: Season | None = None) -> str:
    """Return the hands of every session of a club that counts, or of a season's, in four queries."""
    sessions = Session.objects.of_club(club).filter(practice=False)
    if season is not None:
        sessions = sessions.filter(season=season)
    hands, fines = defaultdict(list), defaultdict(list)
    for row in players_hands(hand__session__in=sessions):
        hands[row.hand.session_id].append(row)
    for fine in fines_paid(session__in=sessions):
        fines[fine.session_id].append(fine)
    meetings = cells_of_club(club)
    ordered = sessions.order_by("date", "meeting__name", "table", "pk")
    rows = (
        row for one in ordered for row in with_totals(one, meetings[one.pk], in_order(hands[one.pk], fines[one.pk]))
    )
    return csv_text(COLUMNS, rows)


def in_order(hands: list[PlayerHand], fines: list[Payment]) -> list[tuple]:
    return sorted([*lines_of_hands(hands), *lines_of_fines(fines)], key=lambda line: line[0])


def hand_lines(session: Session) -> Iterator[tuple[tuple, int, int, list]]:
    """Yield order, seat, net and the cells from hand to won of every player's hand."""
    return lines_of_hands(list(players_hands(hand__session=session)))


def players_hands(**which: Any) -> QuerySet[PlayerHand]:
    rows = PlayerHand.objects.filter(hand__entry__taken_out=False, **which)
    return rows.select_related("hand__entry", "seat__player")


def lines_of_hands(rows: list[PlayerHand]) -> Iterator[tuple[tuple, int, int, list]]:
    names = {str(row.seat.chair): str(row.seat.player) for row in rows}
    for row in rows:
        hand = row.hand
        order = (hand.entry.position, WIND_ORDER.find(row.wind) if row.wind else len(WIND_ORDER), row.seat.chair)
        cells = [
            hand.number,
            hand.wind_of_round,
            yes(hand.goulash),
            hand.kind,
            str(row.seat.player),
            row.wind or SITS_OUT,
            row.points,
            row.doubles,
            row.total if row.wind else None,
            row.special,
            row.fishing_for,
            yes(row.won),
        ]
        more = [with_names(hand.question, names), yes(row.limited), *how_won(row, names)]
        yield order, row.seat_id, row.net, [cells, more]


def fine_lines(session: Session) -> Iterator[tuple[tuple, int, int, list]]:
    """Yield the same of the fines outside a hand: who paid, and who got it where someone did."""
    return lines_of_fines(fines_paid(session=session))


def fines_paid(**which: Any) -> QuerySet[Payment]:
    fines = Payment.objects.filter(entry__kind=Entry.Kind.FINE, entry__taken_out=False, **which)
    return fines.select_related("entry", "payer__player", "payee__player")


def lines_of_fines(fines: Iterable[Payment]) -> Iterator[tuple[tuple, int, int, list]]:
    for fine in fines:
        for place, (seat, net) in enumerate([(fine.payer, -fine.amount), (fine.payee, fine.amount)]):
            if seat is not None:
                cells = ["", "", "", "fine", str(seat.player), "", None, None, None, "", "", ""]
                yield (fine.entry.position, place, fine.pk), seat.pk, net, [cells, ["", "", "", ""]]


def how_won(row: PlayerHand, names: dict[str, str]) -> list[str]:
    """Return where the winner's tile came from (wall, kong box, or whose discard) and what was special about it."""
    wins = wins_of(row.hand.entry.body) if row.won else []
    win = next((one for one in wins if str(one.get("by")) == str(row.seat.chair)), {})
    source = str(win.get("from") or "")
    special = [key if value is True else f"{key} {value}" for key, value in sorted(win.items()) if key not in TOLD]
    return [names.get(source, source), "; ".join(special)]


def with_totals(session: Session, meeting: str, lines: Iterable[tuple]) -> Iterator[list]:
    start = [session.date.isoformat(), meeting, session.table]
    running = defaultdict(int)
    for _, seat, net, (cells, more) in lines:
        running[seat] += net
        yield [*start, *cells, net, running[seat], session.starting_balance + running[seat], *more]


def yes(is_so: bool) -> str:
    return "yes" if is_so else ""


def session_hands_file_name(session: Session) -> str:
    return file_name(session.club.slug, session.date, f"table {session.table} hands")


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


def totals_csv(tallies: QuerySet[Tally], meetings: dict[int, str]) -> str:
    """Return tallies as CSV in order of date, meeting, table and chair, in one query; `meetings` are the cells."""
    ordered = sorted(tallies.select_related("session__meeting", "seat", "player"), key=order)
    return csv_text(TOTALS_COLUMNS, totals_rows(ordered, meetings))


def order(tally: Tally) -> tuple:
    session = tally.session
    return session.date, session.meeting.name, session.table, session.pk, tally.seat.chair


def totals_rows(tallies: Iterable[Tally], meetings: dict[int, str]) -> Iterable[list]:
    for _, table in groupby(tallies, key=lambda tally: tally.session_id):
        accounts = list(table)
        position = positions({tally.pk: tally.net for tally in accounts if tally.hands != 0})
        session = accounts[0].session
        meeting = meetings.get(session.pk, session.meeting.name)
        yield from (totals_cells(tally, meeting, position.get(tally.pk)) for tally in accounts)


def totals_cells(tally: Tally, meeting: str, position: int | None) -> list:
    session, seat = tally.session, tally.seat
    return [
        session.date.isoformat(),
        meeting,
        session.table,
        session.rules,
        session.recording,
        str(tally.player),
        "yes" if tally.player.guest else "",
        seat.chair if seat.at_start else "",
        tally.hands,
        tally.won,
        tally.gained,
        tally.lost,
        tally.net,
        tally.balance,
        position,
    ]


def session_totals_file_name(session: Session) -> str:
    return file_name(session.club.slug, session.date, f"table {session.table} totals")
