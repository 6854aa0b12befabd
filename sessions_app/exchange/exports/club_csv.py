"""The CSV files of a club, one for each kind of record, and its results by date."""

import io
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import date
from operator import attrgetter
from typing import Any

from django.db.models import Count, Q
from xlsxwriter import Workbook

from sessions_app.exchange.exports.csv_files import csv_text, file_name, guarded, table_csv, telephone_cell, yes
from sessions_app.exchange.exports.session_csv import cells_of_club, on_dates_of
from sessions_app.league.methods import METHODS, SESSION, positions, rounded_half_even
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
    meetings = on_dates_of(season, Meeting.objects.of_club(club), "date").in_bulk()
    attendances = on_dates_of(season, Attendance.objects.of_club(club), "meeting__date")
    # Someone whose arrival was undone has a seat, but no tally.
    present = Seat.objects.of_club(club).filter(session__practice=False, tally__isnull=False)
    seats = on_dates_of(season, present, "session__date")
    players = Player.objects.of_club(club).in_bulk()
    listed = {
        (row.meeting_id, row.player_id): "left early" if row.left else "late" if row.late else "here"
        for row in attendances
    }
    tables: dict[tuple[int, int], dict[str, bool]] = defaultdict(dict)
    sat = seats.order_by("session__table").values_list("session__meeting", "player", "session__table")
    for meeting, player, table in sat:
        tables[meeting, player][str(table)] = True
    came = [(key, meetings[key[0]], players[key[1]]) for key in listed.keys() | tables.keys()]
    came.sort(key=lambda row: (row[1].date, row[1].name, str(row[2]), row[0]))
    columns = ["date", "meeting", "player", "guest", "listed", "tables"]
    rows = (
        [meeting.date, meeting.name, player, yes(player.guest), listed.get(key, ""), " ".join(tables.get(key, []))]
        for key, meeting, player in came
    )
    return csv_text(columns, rows)


def payments_csv(club: Club, season: Season | None = None) -> str:
    """Return who paid whom in every hand and penalty except practice, in the order of play; two queries."""
    payments = Payment.objects.filter(session__club=club, session__practice=False, entry__removed=False)
    if season is not None:
        payments = payments.filter(session__season=season)
    payments = payments.select_related("payer__player", "payee__player", "session", "entry__hand").order_by(
        "session__date", "session__meeting__name", "session__table", "session", "entry__position", "pk"
    )
    meetings = cells_of_club(club)
    columns = {
        "date": lambda payment: payment.session.date,
        "meeting": lambda payment: meetings[payment.session_id],
        "table": lambda payment: payment.session.table,
        "hand": lambda payment: payment.entry.hand.number if hasattr(payment.entry, "hand") else None,
        "from": lambda payment: payment.payer.player,
        "to": lambda payment: payment.payee.player if payment.payee else "nobody",
        "amount": lambda payment: payment.amount,
        "why": lambda payment: payment.why,
    }
    return table_csv(columns, payments.iterator(chunk_size=1000))


def setting_column(name: str) -> Callable[[Season], Any]:
    return lambda season: SEASON_SETTINGS[name].kind.in_csv(getattr(season, name))


SEASON_COLUMNS = {
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
SEASON_COLUMNS |= {name: setting_column(name) for name in SEASON_SETTINGS if name not in SEASON_COLUMNS}


def seasons_csv(club: Club) -> str:
    """Return every season of a club, the earliest first; one query."""
    return table_csv(SEASON_COLUMNS, Season.objects.of_club(club).order_by("starts_on"))


VALUE_DECIMALS = 4

STANDINGS_COLUMNS = {
    "place": lambda row: row.position,
    "player": lambda row: row.name,
    "sessions": lambda row: row.sessions,
    "hands": lambda row: row.hands,
    "won": lambda row: row.won,
    "net": lambda row: row.net,
    "best_session": lambda row: row.best_session,
    "value": lambda row: rounded_half_even(row.value, VALUE_DECIMALS),
    # Programs read “2 of 3 sessions”, people “2 of 3 tables”.
    "reason": lambda row: row.lack and row.lack.said_of("session" if row.lack.unit == SESSION else row.lack.unit),
}


def standings_csv(rows: Iterable[Standing], for_people: bool = False) -> str:
    """Return the league table as CSV."""
    return table_csv(STANDINGS_COLUMNS | ({"reason": attrgetter("reason")} if for_people else {}), rows)


def standings_file_name(club_slug: str, until: date, method: str) -> str:
    return file_name(club_slug, until, f"standings {method}")


PLAYER_COLUMNS = {
    "player": lambda player: player,
    "short_name": lambda player: player.short_name,
    "guest": lambda player: yes(player.guest),
    "left_on": lambda player: player.left_on,
    "joined_into": lambda player: player.merged_into,
    "in_public": lambda player: player.in_public,
}
# These follow the contact details, so that every earlier column keeps its place.
LATER_PLAYER_COLUMNS = {"beginner": lambda player: yes(player.beginner)}


def players_csv(club: Club, contacts: bool = False) -> str:
    """Return everyone a club has ever had, by name; one query, or two with the contact details for a secretary."""
    players = Player.objects.of_club(club).select_related("merged_into")
    by_player = {contact.player_id: contact for contact in Contact.objects.of_club(club)} if contacts else {}

    def detail(name: str, of: Callable[[Any], object] = str) -> Callable[[Any], object]:
        return lambda player: of(getattr(by_player[player.pk], name)) if player.pk in by_player else ""

    details = {
        "email": detail("email"),
        "telephone": detail("telephone", telephone_cell),
        "agreed_on": detail("agreed_on"),
    }
    columns = PLAYER_COLUMNS | (details if contacts else {}) | LATER_PLAYER_COLUMNS
    return table_csv(columns, sorted(players, key=lambda player: (str(player), player.pk)))


def honours_csv(club: Club, season: Season | None = None) -> str:
    """Return the special hands that went Mah-jong, of a club or a season, the earliest first; two queries."""
    meetings = cells_of_club(club)
    columns = {
        "date": lambda hand: hand.session.date,
        "meeting": lambda hand: meetings[hand.session.pk],
        "table": lambda hand: hand.session.table,
        "hand": lambda hand: hand.result.hand.number,
        "player": lambda hand: hand.result.seat.player,
        "special": lambda hand: hand.result.special,
        "name": lambda hand: hand.name,
        "total": lambda hand: hand.result.total,
    }
    won = reversed([hand for hand in special_hands_of(club, season) if hand.result.won])
    # Sorted by columns of the file, not by ids, so that another installation writes the same.
    return table_csv(
        columns, sorted(won, key=lambda hand: [columns[name](hand) for name in ("date", "meeting", "table")])
    )


LOG_COLUMNS = {
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
    """Return the club's history, or the filtered lines of it, in the club's time zone."""
    return table_csv(LOG_COLUMNS, all_lines(club, filters or LogFilter()))


FEE_COLUMNS = {
    "date": lambda fee: fee.meeting.date,
    "meeting": lambda fee: fee.meeting.name,
    "player": lambda fee: fee.player,
    "table_fee": lambda fee: fee.table_fee,
    "refreshments": lambda fee: fee.refreshments,
    "paid": lambda fee: yes(fee.paid),
    "how": lambda fee: fee.get_how_display(),
}


SUBSCRIPTION_COLUMNS = {
    "year": lambda subscription: subscription.year,
    "player": lambda subscription: subscription.player,
    "amount": lambda subscription: subscription.amount,
    "paid": lambda subscription: yes(subscription.paid),
    "how": lambda subscription: subscription.get_how_display(),
}


def has_subscriptions(club: Club) -> bool:
    return club.keeps_fees or Subscription.objects.of_club(club).exists()


def subscriptions_csv(club: Club) -> str:
    """Return every subscription, by year and name; one query."""
    found = Subscription.objects.of_club(club).select_related("player")
    return table_csv(SUBSCRIPTION_COLUMNS, sorted(found, key=lambda row: (row.year, str(row.player), row.pk)))


def has_fees(club: Club) -> bool:
    return club.keeps_fees or MeetingFee.objects.of_club(club).exists()


def fees_csv(club: Club, season: Season | None = None) -> str:
    """Return every fee of a club or on a season's dates, by date and name; one query."""
    fees = on_dates_of(season, MeetingFee.objects.of_club(club).select_related("meeting", "player"), "meeting__date")
    in_order = sorted(fees, key=lambda fee: (fee.meeting.date, fee.meeting.name, str(fee.player), fee.pk))
    return table_csv(FEE_COLUMNS, in_order)


MEETING_COLUMNS = {
    "date": lambda meeting: meeting.date,
    "meeting": lambda meeting: meeting.name,
    "starts_at": lambda meeting: f"{meeting.starts_at:%H:%M}" if meeting.starts_at else "",
    "place": lambda meeting: meeting.place,
    "tables": lambda meeting: meeting.tables,
}


def meetings_csv(club: Club, season: Season | None = None) -> str:
    """Return every meeting of a club or on a season's dates, future ones too, by date and name; one query."""
    meetings = on_dates_of(season, Meeting.objects.of_club(club), "date")
    counted = meetings.annotate(tables=Count("sessions", filter=Q(sessions__practice=False)))
    return table_csv(MEETING_COLUMNS, counted.order_by("date", "name"))


# Results as most clubs pin them up: a row for each player, a column for each date, with the ranking.

DATE_FORMAT = "dd/mm/yyyy"


def grid(club: Club, season: Season | None) -> list[list[Any]]:
    """Return the header and the rows, ranked players first; a date has two columns if a player has two results."""
    tallies = Tally.objects.of_club(club).filter(session__practice=False).played()
    if season is not None:
        tallies = tallies.filter(session__season=season)
    nets: dict[int, dict[date, list[int]]] = defaultdict(lambda: defaultdict(list))
    people = {}
    for tally in tallies.select_related("session", "player").order_by("session__date", "session__table", "session_id"):
        nets[tally.player_id][tally.session.date].append(tally.net)
        people[tally.player_id] = tally.player
    days = sorted({day for of_player in nets.values() for day in of_player})
    most = {day: max(len(of_player.get(day, ())) for of_player in nets.values()) for day in days}
    columns = [(day, nth) for day in days for nth in range(most[day])]
    ranked = {row.player: row for row in season_standings(season).rows} if season else {}
    order = [player for player in ranked if player in nets]
    totals: dict[Any, int] = {player: sum(map(sum, of_player.values())) for player, of_player in nets.items()}
    # Of the whole club they are ranked by their totals.
    place = {player: row.position for player, row in ranked.items()} if season else positions(totals)
    others = nets.keys() - ranked.keys()
    order += sorted(others, key=lambda player: (0 if season else -totals[player], str(people[player])))
    heads: list[Any] = ["Position", "Player", "Guest", *(day for day, _ in columns), "Tables played", "Total"]
    rows = [heads + ([METHODS[season.method].name] if season else [])]
    for player in order:
        own, row = nets[player], ranked.get(player)
        cells = [own[day][nth] if nth < len(own.get(day, [])) else None for day, nth in columns]
        known = [net for net in cells if net is not None]
        about: list[Any] = [place.get(player), str(people[player]), yes(people[player].guest)]
        rows.append([*about, *cells, len(known), sum(known), *([row.shown if row else ""] if season else [])])
    return rows


def grid_csv(club: Club, season: Season | None) -> str:
    """Return the grid as CSV, dates with the year first."""
    header, *rows = grid(club, season)
    return csv_text(header, rows)


def grid_xlsx(club: Club, season: Season | None) -> bytes:
    """Return the grid as a workbook with one sheet, named after the season."""
    out = io.BytesIO()
    title = "".join(letter for letter in (season.name if season else "Results") if letter not in "[]:*?/\\")[:31]
    header, *rows = grid(club, season)
    with Workbook(out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}) as book:
        sheet = book.add_worksheet(title.strip("'"))
        bold, bold_date = book.add_format({"bold": True}), book.add_format({"bold": True, "num_format": DATE_FORMAT})
        for column, cell in enumerate(header):
            is_date = isinstance(cell, date)
            sheet.write(0, column, cell, bold_date if is_date else bold)
            if is_date:
                sheet.set_column(column, column, 12)
        for number, row in enumerate(rows, 1):
            sheet.write_row(number, 0, [guarded(cell) if isinstance(cell, str) else cell for cell in row])
        sheet.set_column("B:B", 26)
        sheet.freeze_panes("C2")
    return out.getvalue()
