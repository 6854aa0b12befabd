"""The CSV of who came: one row a player and meeting, from the list at the door and from the seats at the tables."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.db.models import Count, F, Q

from sessions_app.exchange.exports.csv_files import csv_text, file_name
from sessions_app.exchange.exports.session_csv import cells_of_club
from sessions_app.league.methods import rounded_half_even
from sessions_app.league.ranking import Standing
from sessions_app.models import Attendance, Club, Contact, Meeting, MeetingFee, Payment, Player, Season, Seat
from sessions_app.people.log_pages import LogLine, Wanted, all_lines
from sessions_app.rules.club_rules import special_hands_of

ATTENDANCE_COLUMNS = ["date", "meeting", "player", "guest", "listed", "tables"]


def attendance_csv(club: Club, season: Season | None = None) -> str:
    """Return who stood on a meeting's list or sat at a table that counts, by date, then name; four queries."""
    meetings = Meeting.objects.of_club(club)
    attendances = Attendance.objects.of_club(club)
    seats = Seat.objects.of_club(club).filter(session__practice=False)
    if season is not None:
        span = (season.starts_on, season.ends_on)
        meetings = meetings.filter(date__range=span)
        attendances = attendances.filter(meeting__date__range=span)
        seats = seats.filter(session__date__range=span)
    listed = {(one.meeting_id, one.player_id): _state(one) for one in attendances}
    tables = {}
    for meeting, player, table in seats.order_by("session__table").values_list(
        "session__meeting", "player", "session__table"
    ):
        at = tables.setdefault((meeting, player), [])
        if table not in at:
            at.append(table)
    by_id, people = meetings.in_bulk(), Player.objects.of_club(club).in_bulk()
    came = {*listed, *tables}
    rows = sorted(came, key=lambda key: (by_id[key[0]].date, by_id[key[0]].name, str(people[key[1]]), key))
    return csv_text(
        ATTENDANCE_COLUMNS,
        (_attendance_cells(by_id[key[0]], people[key[1]], listed.get(key, ""), tables.get(key, [])) for key in rows),
    )


def _state(attendance):
    return "left early" if attendance.left else "late" if attendance.late else "here"


def _attendance_cells(meeting, player, listed, tables):
    return [
        meeting.date.isoformat(),
        meeting.name,
        str(player),
        "yes" if player.guest else "",
        listed,
        " ".join(map(str, tables)),
    ]


# The CSV of who paid whom: one row a payment of every hand and fine, club-wide or of a season.

PAYMENTS_COLUMNS = ["date", "meeting", "table", "hand", "from", "to", "amount", "why"]
NOBODY = "nobody"


def payments_csv(club: Club, season: Season | None = None) -> str:
    """Return every payment that counts but practice, in the order of play; two queries."""
    found = Payment.objects.filter(session__club=club, session__practice=False, entry__taken_out=False)
    if season is not None:
        found = found.filter(session__season=season)
    found = found.select_related("payer__player", "payee__player", "session", "entry")
    found = found.annotate(number=F("entry__hand__number"))
    ordered = found.order_by(
        "session__date", "session__meeting__name", "session__table", "session", "entry__position", "pk"
    )
    meetings = cells_of_club(club)
    return csv_text(
        PAYMENTS_COLUMNS, (payment_cells(payment, meetings) for payment in ordered.iterator(chunk_size=1000))
    )


def payment_cells(payment: Payment, meetings: dict[int, str]) -> list[int | str]:
    session = payment.session
    return [
        session.date.isoformat(),
        meetings[session.pk],
        session.table,
        payment.number or "",
        str(payment.payer.player),
        str(payment.payee.player) if payment.payee else NOBODY,
        payment.amount,
        payment.why,
    ]


# The CSV of a club's seasons: their dates, what they rank, and how.

SEASONS_COLUMNS = [
    "season",
    "starts_on",
    "ends_on",
    "rules",
    "recording",
    "method",
    "minimum_sessions",
    "minimum_hands",
    "best_n",
    "trophies",
    "locked",
]


def seasons_csv(club: Club) -> str:
    """Return every season of a club, the earliest first; one query."""
    return csv_text(SEASONS_COLUMNS, map(_seasons_cells, Season.objects.of_club(club).order_by("starts_on")))


def _seasons_cells(season):
    return [
        season.name,
        season.starts_on.isoformat(),
        season.ends_on.isoformat(),
        " ".join(season.rules),
        season.recording,
        season.method,
        season.minimum_sessions,
        season.minimum_hands,
        season.best_n,
        " ".join(season.trophies),
        "yes" if season.locked else "",
    ]


# The CSV of a league table.

STANDINGS_COLUMNS = ["place", "player", "sessions", "hands", "won", "net", "best_session", "value", "reason"]
VALUE_DECIMALS = 4


def standings_csv(rows: Iterable[Standing]) -> str:
    """Return the league table as CSV; nobody to list: the header alone."""
    return csv_text(STANDINGS_COLUMNS, (standing_cells(row) for row in rows))


def standing_cells(row: Standing) -> list:
    return [
        row.position,
        row.name,
        row.sessions,
        row.hands,
        row.won,
        row.net,
        row.best_session,
        rounded_half_even(row.value, VALUE_DECIMALS),
        row.reason,
    ]


def standings_file_name(club_slug: str, until: date, method: str) -> str:
    return file_name(club_slug, until, f"standings {method}")


# The CSV of a club's players; how to reach them stands in it only where that is asked for.

PLAYERS_COLUMNS = ["player", "short_name", "guest", "left_on", "joined_into", "in_public"]
CONTACT = ["email", "telephone", "agreed_on"]


def players_csv(club: Club, contacts: bool = False) -> str:
    """Return everyone a club has ever had, by name, in one query; with how to reach them, for a secretary, in two."""
    players = Player.objects.of_club(club).select_related("merged_into")
    rows = sorted(players, key=lambda player: (str(player), player.pk))
    if not contacts:
        return csv_text(PLAYERS_COLUMNS, map(player_cells, rows))
    kept = {contact.player_id: contact for contact in Contact.objects.of_club(club)}
    return csv_text(
        [*PLAYERS_COLUMNS, *CONTACT], ([*player_cells(row), *contact_cells(kept.get(row.pk))] for row in rows)
    )


def player_cells(player: Player) -> list[str]:
    return [
        str(player),
        player.short_name,
        "yes" if player.guest else "",
        player.left_on.isoformat() if player.left_on else "",
        str(player.merged_into) if player.merged_into else "",
        player.in_public,
    ]


def contact_cells(contact: Any) -> list[str]:
    return [contact.email, contact.telephone, contact.agreed_on.isoformat()] if contact else ["", "", ""]


# The CSV of the special hands that went Mah-jong.

HONOURS_COLUMNS = ["date", "meeting", "table", "hand", "player", "special", "name", "total"]


def honours_csv(club: Club, season: Season | None = None) -> str:
    """Return the special hands of a club or a season, the earliest first; two queries."""
    won = [one for one in special_hands_of(club, season) if one.result.won]
    meetings = cells_of_club(club)
    # The order of play by what the file itself shows, so that another installation writes the same.
    won = sorted(reversed(won), key=lambda one: (one.session.date, meetings[one.session.pk], one.session.table))
    return csv_text(HONOURS_COLUMNS, (_honours_cells(one, meetings) for one in won))


def _honours_cells(one, meetings):
    result, hand = one.result, one.result.hand
    session = hand.session
    return [
        session.date.isoformat(),
        meetings[session.pk],
        session.table,
        hand.number,
        str(result.seat.player),
        result.special,
        one.name,
        result.total,
    ]


# The CSV of a club's log: one row a change, in the order in which they were made.

LOG_COLUMNS = ["date", "time", "who", "what", "session_date", "table", "sentence", "why"]


def log_csv(club: Club, wanted: Wanted | None = None) -> str:
    """Return the lines that are wanted, all of them when not told which, in the club's own time."""
    return csv_text(LOG_COLUMNS, (log_cells(line) for line in all_lines(club, wanted or Wanted())))


def log_cells(line: LogLine) -> list[Any]:
    session = line.session
    return [
        line.at.date().isoformat(),
        f"{line.at:%H:%M:%S}",
        line.who,
        line.action.replace("_", " "),
        session.date.isoformat() if session else "",  # type: ignore[attr-defined]
        session.table if session else "",  # type: ignore[attr-defined]
        line.sentence,
        line.why,
    ]


def log_file_name(club: Club, today: date) -> str:
    return file_name(club.slug, today, "log")


# The CSV of what meetings cost those who came: apart from the points, where a club keeps it.

FEES_COLUMNS = ["date", "meeting", "player", "table_fee", "refreshments", "paid"]


def has_fees(club: Club) -> bool:
    return club.keeps_fees or MeetingFee.objects.of_club(club).exists()


def fees_csv(club: Club, season: Season | None = None) -> Any:
    """Return every fee that was noted, of a club or of a season's days, by date and name; one query."""
    fees = MeetingFee.objects.of_club(club).select_related("meeting", "player")
    if season is not None:
        fees = fees.filter(meeting__date__range=(season.starts_on, season.ends_on))
    ordered = sorted(fees, key=lambda fee: (fee.meeting.date, fee.meeting.name, str(fee.player), fee.pk))
    return csv_text(FEES_COLUMNS, map(_fees_cells, ordered))


def _fees_cells(fee):
    paid = "yes" if fee.paid else ""
    return [fee.meeting.date.isoformat(), fee.meeting.name, str(fee.player), fee.table_fee, fee.refreshments, paid]


# The CSV of a club's meetings, those to come too.

MEETINGS_COLUMNS = ["date", "meeting", "starts_at", "place", "tables"]


def meetings_csv(club: Club, season: Season | None = None) -> str:
    """Return every meeting of a club or of a season's days, by date and name; one query."""
    meetings = Meeting.objects.of_club(club)
    if season is not None:
        meetings = meetings.filter(date__range=(season.starts_on, season.ends_on))
    counted = meetings.annotate(tables=Count("sessions", filter=Q(sessions__practice=False)))
    return csv_text(MEETINGS_COLUMNS, map(_meetings_cells, counted.order_by("date", "name")))


def _meetings_cells(meeting):
    starts_at = f"{meeting.starts_at:%H:%M}" if meeting.starts_at else ""
    return [meeting.date.isoformat(), meeting.name, starts_at, meeting.place, meeting.tables]
