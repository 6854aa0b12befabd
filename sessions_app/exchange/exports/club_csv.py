"""The CSV files of a club, one for each kind of record, and its results by date."""

import io
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import date
from operator import attrgetter
from typing import Any

from django.db.models import Count, Q
from xlsxwriter import Workbook

from clubscore.league.methods import GAME, MEETING, METHODS, SESSION, positions, rounded_half_even
from clubscore.league.ranking import Standing
from sessions_app.exchange.exports.csv_files import (
    HANDS_WON,
    HOW_PAID,
    NET,
    PEOPLE,
    PROGRAMS,
    RULES_WORDS,
    Columns,
    Shown,
    csv_text,
    file_name,
    guarded,
    heading_of,
    recording_column,
    table_csv,
    telephone_cell,
    yes,
)
from sessions_app.exchange.exports.session_csv import HAND_COLUMNS, cells_of_club, on_dates_of
from sessions_app.league.records import TROPHIES
from sessions_app.league.season_settings import METHOD, SEASON_SETTINGS
from sessions_app.league.standings import season_standings
from sessions_app.meetings.fees import subscriptions_not_saved, subscriptions_of, usual_fees, without_fees
from sessions_app.meetings.models import MEETING_FACTS
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
from sessions_app.people.players import name_order
from sessions_app.rules.club_rules import special_hands_of


def attendance_csv(club: Club, season: Season | None = None, names: str = PEOPLE) -> str:
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
    came.sort(key=lambda row: (row[1].date, row[1].name, name_order(row[2]), row[0]))
    columns: Columns = {
        "date": lambda row: row[1].date,
        "meeting": lambda row: row[1].name,
        "player": lambda row: row[2],
        "guest": lambda row: yes(row[2].guest),
        "listed": Shown(lambda row: listed.get(row[0], ""), "On the list"),
        "tables": lambda row: " ".join(tables.get(row[0], [])),
    }
    return table_csv(columns, came, names)


def payments_csv(club: Club, season: Season | None = None, names: str = PEOPLE) -> str:
    """Return who paid whom in every hand and penalty except practice, in the order of play; two queries."""
    payments = Payment.objects.filter(session__club=club, session__practice=False, entry__removed=False)
    if season is not None:
        payments = payments.filter(session__season=season)
    payments = payments.select_related("payer__player", "payee__player", "session", "entry__hand").order_by(
        "session__date", "session__meeting__name", "session__table", "session", "entry__position", "pk"
    )
    meetings = cells_of_club(club)
    columns: Columns = {
        "date": lambda payment: payment.session.date,
        "meeting": lambda payment: meetings[payment.session_id],
        "table": lambda payment: payment.session.table,
        "hand": lambda payment: payment.entry.hand.number if hasattr(payment.entry, "hand") else None,
        "from": Shown(lambda payment: payment.payer.player, "Paid by"),
        "to": Shown(lambda payment: payment.payee.player if payment.payee else "nobody", "Paid to"),
        "amount": lambda payment: payment.amount,
        "why": Shown(lambda payment: payment.why, "Reason", {"mah-jong": "Mah-jong", "fine": "penalty"}),
    }
    return table_csv(columns, payments.iterator(chunk_size=1000), names)


def setting_column(name: str) -> Shown:
    row = SEASON_SETTINGS[name]
    words = {key: method.name for key, method in METHODS.items()} if row.kind is METHOD else {}
    return Shown(lambda season: row.kind.in_csv(getattr(season, name)), row.heading, words)


SEASON_COLUMNS: dict[str, Callable[[Season], object]] = {
    "season": lambda season: season.name,
    "starts_on": Shown(lambda season: season.starts_on, "First day"),
    "ends_on": Shown(lambda season: season.ends_on, "Last day"),
    "rules": Shown(lambda season: " ".join(season.rules), words=RULES_WORDS),
    "recording": recording_column(attrgetter("recording")),
    **{name: setting_column(name) for name in ("method", "minimum_sessions", "minimum_hands", "best_n")},
    "trophies": Shown(
        lambda season: " ".join(season.trophies), words={key: trophy.name for key, trophy in TROPHIES.items()}
    ),
    "locked": lambda season: yes(season.locked),
}
# Later settings follow at the end.
SEASON_COLUMNS |= {name: setting_column(name) for name in SEASON_SETTINGS if name not in SEASON_COLUMNS}


def seasons_csv(club: Club, season: Season | None = None, names: str = PEOPLE) -> str:
    """Return every season of a club, the earliest first; one query."""
    return table_csv(SEASON_COLUMNS | league_column(club), Season.objects.of_club(club).order_by("starts_on"), names)


def league_column(club: Club) -> dict[str, Callable[[Any], object]]:
    """Return the last column of seasons and meetings, if the club has several leagues."""
    return {"league": attrgetter("league")} if club.leagues else {}


VALUE_DECIMALS = 4

STANDINGS_COLUMNS: dict[str, Callable[[Standing], object]] = {
    "place": Shown(attrgetter("position"), "Position"),
    "player": attrgetter("name"),
    "sessions": Shown(attrgetter("sessions"), "Tables played"),
    "hands": attrgetter("hands"),
    "won": HANDS_WON,
    "net": NET,
    "best_session": Shown(attrgetter("best_session"), "Best table"),
    "value": Shown(lambda row: rounded_half_even(row.value, VALUE_DECIMALS), "Ranked by the figure"),
    "reason": Shown(attrgetter("reason"), "Why not ranked"),
}
# Where a meeting, or a game that no club has, is one result.
OF_UNITS = {
    unit: {
        "sessions": Shown(attrgetter("sessions"), f"{unit.capitalize()}s played"),
        "best_session": Shown(attrgetter("best_session"), f"Best {unit}"),
    }
    for unit in (MEETING, GAME)
}
# Programs read “2 of 3 sessions”, people “2 of 3 tables”.
OF_SESSIONS = {
    "reason": lambda row: row.lack and row.lack.said_of("session" if row.lack.unit == SESSION else row.lack.unit)
}


def standings_csv(rows: Iterable[Standing], unit: str = SESSION, names: str = PEOPLE) -> str:
    """Return the league table as CSV; `unit` is what counts as one result."""
    other = OF_SESSIONS if names == PROGRAMS else OF_UNITS.get(unit, {})
    return table_csv(STANDINGS_COLUMNS | other, rows, names)


def tablet_headings() -> list[tuple[str, str]]:
    """Return the columns of the league table of a tablet's games: the name of each, and its heading."""
    columns = STANDINGS_COLUMNS | OF_UNITS[GAME]
    return [(name, heading_of(name, cell)) for name, cell in columns.items()]


def standings_file_name(club_slug: str, until: date, method: str) -> str:
    return file_name(club_slug, until, f"standings {method}")


PLAYER_COLUMNS: dict[str, Callable[[Player], object]] = {
    "player": lambda player: player,
    "short_name": Shown(lambda player: player.short_name, "Name at the table"),
    "guest": lambda player: yes(player.guest),
    "left_on": lambda player: player.left_on,
    "joined_into": Shown(lambda player: player.merged_into, "Merged into"),
    "in_public": Shown(lambda player: player.in_public, "Name in public"),
}
# These follow the contact details, so that every earlier column keeps its place.
LATER_PLAYER_COLUMNS: dict[str, Callable[[Player], object]] = {"beginner": lambda player: yes(player.beginner)}


def players_csv(club: Club, contacts: bool = False, names: str = PEOPLE) -> str:
    """Return everyone a club has ever had, by name; one query, or two with the contact details for a secretary."""
    players = Player.objects.of_club(club).select_related("merged_into")
    by_player = {contact.player_id: contact for contact in Contact.objects.of_club(club)} if contacts else {}

    def detail(name: str, of: Callable[[Any], object] = str) -> Callable[[Any], object]:
        return lambda player: of(getattr(by_player[player.pk], name)) if player.pk in by_player else ""

    telephone = detail("telephone", telephone_cell)
    details: Columns = {"email": detail("email"), "telephone": telephone, "agreed_on": detail("agreed_on")}
    columns = {**PLAYER_COLUMNS, **(details if contacts else {}), **LATER_PLAYER_COLUMNS}
    return table_csv(columns, sorted(players, key=lambda player: (name_order(player), player.pk)), names)


def honours_csv(club: Club, season: Season | None = None, names: str = PEOPLE) -> str:
    """Return the special hands that went Mah-jong, of a club or a season, the earliest first; two queries."""
    meetings = cells_of_club(club)
    columns: dict[str, Callable[[Any], Any]] = {
        "date": HAND_COLUMNS["date"],
        "meeting": lambda hand: meetings[hand.session.pk],
        "table": HAND_COLUMNS["table"],
        "hand": HAND_COLUMNS["hand"],
        "player": lambda hand: hand.result.seat.player,
        "special": HAND_COLUMNS["special"],
        "name": lambda hand: hand.name,
        "total": HAND_COLUMNS["total"],
    }
    won = reversed([hand for hand in special_hands_of(club, season) if hand.result.won])
    # Sorted by columns of the file, not by ids, so that another installation writes the same.
    in_order = sorted(won, key=lambda hand: [columns[name](hand) for name in ("date", "meeting", "table")])
    return table_csv(columns, in_order, names)


LOG_COLUMNS: Columns = {
    "date": lambda line: line.at.date(),
    "time": lambda line: f"{line.at:%H:%M:%S}",
    "who": lambda line: line.who,
    "what": lambda line: line.action.replace("_", " "),
    "session_date": Shown(lambda line: line.session and line.session.date, "Date of the table"),
    "table": lambda line: line.session and line.session.table,
    "sentence": Shown(lambda line: line.sentence, "What changed"),
    "why": Shown(lambda line: line.why, "Reason"),
}


def log_csv(club: Club, filters: LogFilter | None = None, names: str = PEOPLE) -> str:
    """Return the club's history, or the filtered lines of it, in the club's time zone."""
    return table_csv(LOG_COLUMNS, all_lines(club, filters or LogFilter()), names)


FEE_COLUMNS: Columns = {
    "date": lambda fee: fee.meeting.date,
    "meeting": lambda fee: fee.meeting.name,
    **{name: attrgetter(name) for name in ("player", "table_fee", "refreshments")},
    "paid": lambda fee: yes(fee.paid),
    "how": HOW_PAID,
}


SUBSCRIPTION_COLUMNS: Columns = {
    **{name: attrgetter(name) for name in ("year", "player", "amount")},
    "paid": lambda subscription: yes(subscription.paid),
    "how": HOW_PAID,
}


def has_subscriptions(club: Club) -> bool:
    return club.keeps_fees or Subscription.objects.of_club(club).exists()


def subscriptions_csv(club: Club, season: Season | None = None, names: str = PEOPLE) -> str:
    """Return every subscription and what members owe for this year, by year and name; three queries."""
    found = [*subscriptions_of(club), *(subscriptions_not_saved(club) if club.keeps_fees else [])]
    found.sort(key=lambda row: (row.year, name_order(row.player), row.player_id))
    return table_csv(SUBSCRIPTION_COLUMNS, found, names)


def has_fees(club: Club) -> bool:
    return club.keeps_fees or MeetingFee.objects.of_club(club).exists()


def fees_csv(club: Club, season: Season | None = None, names: str = PEOPLE) -> str:
    """Return every fee of a club or on a season's dates, and the usual ones not noted yet, by date and name."""
    noted = MeetingFee.objects.of_club(club).select_related("meeting", "player")
    fees = list(on_dates_of(season, noted, "meeting__date"))
    if club.keeps_fees:
        owed = usual_fees(club, without_fees(club))
        fees += [
            fee
            for fee in owed
            if not season
            or (season.starts_on <= fee.meeting.date <= season.ends_on and season.league == fee.meeting.league)
        ]
    in_order = sorted(fees, key=lambda fee: (fee.meeting.date, fee.meeting.name, name_order(fee.player), fee.player_id))
    return table_csv(FEE_COLUMNS, in_order, names)


def fact_column(name: str, heading: str = "") -> Shown:
    return Shown(lambda meeting: meeting.facts[name], heading)


MEETING_COLUMNS: dict[str, Callable[[Any], object]] = {
    "date": lambda meeting: meeting.date,
    "meeting": fact_column("name"),
    "starts_at": fact_column("starts_at", "Begins at"),
    "place": fact_column("place", "Venue"),
    "tables": lambda meeting: meeting.tables,
}
# Later facts follow at the end.
MEETING_COLUMNS |= {name: fact_column(name) for name in MEETING_FACTS if name not in {"name", *MEETING_COLUMNS}}


def meetings_csv(club: Club, season: Season | None = None, names: str = PEOPLE) -> str:
    """Return every meeting of a club or on a season's dates, future ones too, by date and name; one query."""
    meetings = on_dates_of(season, Meeting.objects.of_club(club), "date")
    counted = meetings.annotate(tables=Count("sessions", filter=Q(sessions__practice=False)))
    return table_csv(MEETING_COLUMNS | league_column(club), counted.order_by("date", "name"), names)


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
    order += sorted(others, key=lambda player: (0 if season else -totals[player], name_order(people[player])))
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
    """Return the grid as CSV for people, dates with the year first."""
    header, *rows = grid(club, season)
    return csv_text(header, rows)


def grid_xlsx(club: Club, season: Season | None) -> bytes:
    """Return the grid as a workbook with one sheet, named after the season."""
    out = io.BytesIO()
    title = "".join(letter for letter in (str(season) if season else "Results") if letter not in "[]:*?/\\")[:31]
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
