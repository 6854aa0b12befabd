"""The CSV files of a club, one for each kind of record, and its results by date."""

import io
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

from django.db.models import Count, F, Q
from openpyxl import Workbook
from openpyxl.styles import Font

from sessions_app.exchange.exports.csv_files import csv_text, file_name, guarded, table_csv, yes
from sessions_app.exchange.exports.session_csv import cells_of_club
from sessions_app.league.methods import METHODS, rounded_half_even
from sessions_app.league.ranking import Standing
from sessions_app.league.season_settings import SEASON_SETTINGS
from sessions_app.league.standings import season_standings
from sessions_app.models import (
    Attendance,
    Club,
    Contact,
    Meeting,
    MeetingFee,
    Payment,
    Player,
    Season,
    Seat,
    Subscription,
    Tally,
)
from sessions_app.people.log_pages import LogFilter, all_lines
from sessions_app.rules.club_rules import special_hands_of


def attendance_csv(club: Club, season: Season | None = None) -> str:
    """Return who was on a meeting's list or sat at a table that counts, by date, then name; four queries."""
    meetings = Meeting.objects.of_club(club)
    attendances = Attendance.objects.of_club(club)
    seats = Seat.objects.of_club(club).filter(session__practice=False)
    if season is not None:
        span = (season.starts_on, season.ends_on)
        meetings = meetings.filter(date__range=span)
        attendances = attendances.filter(meeting__date__range=span)
        seats = seats.filter(session__date__range=span)
    listed = {
        (one.meeting_id, one.player_id): "left early" if one.left else "late" if one.late else "here"
        for one in attendances
    }
    tables = defaultdict(dict)
    sat = seats.order_by("session__table").values_list("session__meeting", "player", "session__table")
    for meeting, player, table in sat:
        tables[meeting, player][str(table)] = True
    by_id, people = meetings.in_bulk(), Player.objects.of_club(club).in_bulk()
    came = [((meeting, player), by_id[meeting], people[player]) for meeting, player in listed.keys() | tables.keys()]
    came.sort(key=lambda one: (one[1].date, one[1].name, str(one[2]), one[0]))
    columns = ["date", "meeting", "player", "guest", "listed", "tables"]
    rows = (
        [meeting.date, meeting.name, player, yes(player.guest), listed.get(key, ""), " ".join(tables.get(key, []))]
        for key, meeting, player in came
    )
    return csv_text(columns, rows)


def payments_csv(club: Club, season: Season | None = None) -> str:
    """Return who paid whom in every hand and penalty that counts but practice, in the order of play; two queries."""
    found = Payment.objects.filter(session__club=club, session__practice=False, entry__taken_out=False)
    if season is not None:
        found = found.filter(session__season=season)
    found = found.select_related("payer__player", "payee__player", "session", "entry")
    found = found.annotate(number=F("entry__hand__number"))
    ordered = found.order_by(
        "session__date", "session__meeting__name", "session__table", "session", "entry__position", "pk"
    )
    meetings = cells_of_club(club)
    columns = {
        "date": lambda payment: payment.session.date,
        "meeting": lambda payment: meetings[payment.session_id],
        "table": lambda payment: payment.session.table,
        "hand": lambda payment: payment.number,
        "from": lambda payment: payment.payer.player,
        "to": lambda payment: payment.payee.player if payment.payee else "nobody",
        "amount": lambda payment: payment.amount,
        "why": lambda payment: payment.why,
    }
    return table_csv(columns, ordered.iterator(chunk_size=1000))


def setting_column(name: str) -> Callable[[Season], Any]:
    return lambda season: SEASON_SETTINGS[name].kind.in_csv(getattr(season, name))


SEASONS = {
    "season": lambda season: season.name,
    "starts_on": lambda season: season.starts_on,
    "ends_on": lambda season: season.ends_on,
    "rules": lambda season: " ".join(season.rules),
    "recording": lambda season: season.recording,
    **{name: setting_column(name) for name in ("method", "minimum_sessions", "minimum_hands", "best_n")},
    "trophies": lambda season: " ".join(season.trophies),
    "locked": lambda season: yes(season.locked),
}
# Later settings follow at the end.
SEASONS |= {name: setting_column(name) for name in SEASON_SETTINGS if name not in SEASONS}


def seasons_csv(club: Club) -> str:
    """Return every season of a club, the earliest first; one query."""
    return table_csv(SEASONS, Season.objects.of_club(club).order_by("starts_on"))


VALUE_DECIMALS = 4

STANDINGS = {
    "place": lambda row: row.position,
    "player": lambda row: row.name,
    "sessions": lambda row: row.sessions,
    "hands": lambda row: row.hands,
    "won": lambda row: row.won,
    "net": lambda row: row.net,
    "best_session": lambda row: row.best_session,
    "value": lambda row: rounded_half_even(row.value, VALUE_DECIMALS),
    "reason": lambda row: row.reason,
}


def standings_csv(rows: Iterable[Standing]) -> str:
    """Return the league table as CSV; nobody to list: the header alone."""
    return table_csv(STANDINGS, rows)


def standings_file_name(club_slug: str, until: date, method: str) -> str:
    return file_name(club_slug, until, f"standings {method}")


PLAYERS = {
    "player": lambda player: player,
    "short_name": lambda player: player.short_name,
    "guest": lambda player: yes(player.guest),
    "left_on": lambda player: player.left_on,
    "joined_into": lambda player: player.merged_into,
    "in_public": lambda player: player.in_public,
}


def players_csv(club: Club, contacts: bool = False) -> str:
    """Return everyone a club has ever had, by name, in one query; with how to reach them, for a secretary, in two."""
    players = Player.objects.of_club(club).select_related("merged_into")
    kept = {contact.player_id: contact for contact in Contact.objects.of_club(club)} if contacts else {}
    reached = {
        "email": lambda player: kept[player.pk].email if player.pk in kept else "",
        "telephone": lambda player: kept[player.pk].telephone if player.pk in kept else "",
        "agreed_on": lambda player: kept[player.pk].agreed_on if player.pk in kept else "",
    }
    columns = (PLAYERS | reached if contacts else PLAYERS) | {"beginner": lambda player: yes(player.beginner)}
    return table_csv(columns, sorted(players, key=lambda player: (str(player), player.pk)))


def honours_csv(club: Club, season: Season | None = None) -> str:
    """Return the special hands that went Mah-jong, of a club or a season, the earliest first; two queries."""
    meetings = cells_of_club(club)
    columns = {
        "date": lambda one: one.session.date,
        "meeting": lambda one: meetings[one.session.pk],
        "table": lambda one: one.session.table,
        "hand": lambda one: one.result.hand.number,
        "player": lambda one: one.result.seat.player,
        "special": lambda one: one.result.special,
        "name": lambda one: one.name,
        "total": lambda one: one.result.total,
    }
    won = [one for one in special_hands_of(club, season) if one.result.won]
    # The order of play by what the file itself shows, so that another installation writes the same.
    won = sorted(reversed(won), key=lambda one: (one.session.date, meetings[one.session.pk], one.session.table))
    return table_csv(columns, won)


LOG = {
    "date": lambda line: line.at.date(),
    "time": lambda line: f"{line.at:%H:%M:%S}",
    "who": lambda line: line.who,
    "what": lambda line: line.action.replace("_", " "),
    "session_date": lambda line: line.session and line.session.date,
    "table": lambda line: line.session and line.session.table,
    "sentence": lambda line: line.sentence,
    "why": lambda line: line.why,
}


def log_csv(club: Club, filters: LogFilter | None = None) -> str:
    """Return the club's log, all of it or the lines that are wanted, a row a change, in the club's own time."""
    return table_csv(LOG, all_lines(club, filters or LogFilter()))


def log_file_name(club: Club, today: date) -> str:
    return file_name(club.slug, today, "log")


FEES = {
    "date": lambda fee: fee.meeting.date,
    "meeting": lambda fee: fee.meeting.name,
    "player": lambda fee: fee.player,
    "table_fee": lambda fee: fee.table_fee,
    "refreshments": lambda fee: fee.refreshments,
    "paid": lambda fee: yes(fee.paid),
}


SUBSCRIPTIONS = {
    "year": lambda one: one.year,
    "player": lambda one: one.player,
    "amount": lambda one: one.amount,
    "paid": lambda one: yes(one.paid),
}


def has_subscriptions(club: Club) -> bool:
    return club.keeps_fees or Subscription.objects.of_club(club).exists()


def subscriptions_csv(club: Club) -> str:
    """Return every subscription that was noted, by year and name; one query."""
    found = Subscription.objects.of_club(club).select_related("player")
    return table_csv(SUBSCRIPTIONS, sorted(found, key=lambda one: (one.year, str(one.player), one.pk)))


def has_fees(club: Club) -> bool:
    return club.keeps_fees or MeetingFee.objects.of_club(club).exists()


def fees_csv(club: Club, season: Season | None = None) -> str:
    """Return every fee that was noted, of a club or of a season's days, by date and name; one query."""
    fees = MeetingFee.objects.of_club(club).select_related("meeting", "player")
    if season is not None:
        fees = fees.filter(meeting__date__range=(season.starts_on, season.ends_on))
    return table_csv(FEES, sorted(fees, key=lambda fee: (fee.meeting.date, fee.meeting.name, str(fee.player), fee.pk)))


MEETINGS = {
    "date": lambda meeting: meeting.date,
    "meeting": lambda meeting: meeting.name,
    "starts_at": lambda meeting: f"{meeting.starts_at:%H:%M}" if meeting.starts_at else "",
    "place": lambda meeting: meeting.place,
    "tables": lambda meeting: meeting.tables,
}


def meetings_csv(club: Club, season: Season | None = None) -> str:
    """Return every meeting of a club or of a season's days, those to come too, by date and name; one query."""
    meetings = Meeting.objects.of_club(club)
    if season is not None:
        meetings = meetings.filter(date__range=(season.starts_on, season.ends_on))
    counted = meetings.annotate(tables=Count("sessions", filter=Q(sessions__practice=False)))
    return table_csv(MEETINGS, counted.order_by("date", "name"))


# Results as most clubs pin them up: a row for each player, a column for each date, with the ranking.

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
DATE_FORMAT = "dd/mm/yyyy"


def grid(club: Club, season: Season | None) -> list[list[Any]]:
    """Return the headings and the rows, ranked players first; a date with two results of a player has two columns."""
    tallies = Tally.objects.of_club(club).filter(session__practice=False).played()
    if season is not None:
        tallies = tallies.filter(session__season=season)
    nets: dict[Any, dict[date, list[int]]] = defaultdict(lambda: defaultdict(list))
    people = {}
    for tally in tallies.select_related("session", "player").order_by("session__date", "session__table", "session_id"):
        nets[tally.player_id][tally.session.date].append(tally.net)
        people[tally.player_id] = tally.player
    days = sorted({day for of_player in nets.values() for day in of_player})
    columns = [(day, nth) for day in days for nth in range(max(len(one[day]) for one in nets.values() if day in one))]
    ranked = {row.player: row for row in season_standings(season).rows} if season else {}
    order = [player for player in ranked if player in nets]
    order += sorted(nets.keys() - ranked.keys(), key=lambda player: str(people[player]))
    heads: list[Any] = ["Position", "Player", "Guest", *(day for day, _ in columns), "Sessions", "Total"]
    rows = [heads + ([METHODS[season.method].name] if season else [])]
    for player in order:
        own, row = nets[player], ranked.get(player)
        cells = [own[day][nth] if nth < len(own.get(day, [])) else None for day, nth in columns]
        known = [net for net in cells if net is not None]
        about: list[Any] = [row and row.position, str(people[player]), yes(people[player].guest)]
        rows.append([*about, *cells, len(known), sum(known), *([row.shown if row else ""] if season else [])])
    return rows


def grid_csv(club: Club, season: Season | None) -> str:
    """Return the grid as CSV, dates with the year first."""
    heads, *rows = grid(club, season)
    return csv_text([str(head) for head in heads], rows)


def grid_xlsx(club: Club, season: Season | None) -> bytes:
    """Return the grid as a workbook with one sheet, named as the season."""
    book = Workbook()
    sheet = book.active
    sheet.title = "".join(letter for letter in (season.name if season else "Results") if letter not in "[]:*?/\\")[:31]
    for row in grid(club, season):
        sheet.append([guarded(cell) if isinstance(cell, str) else cell for cell in row])
    for cell in sheet[1]:
        cell.font = Font(bold=True)
        if isinstance(cell.value, date):
            cell.number_format = DATE_FORMAT
            sheet.column_dimensions[cell.column_letter].width = 12
    sheet.column_dimensions["B"].width = 26
    sheet.freeze_panes = "C2"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
