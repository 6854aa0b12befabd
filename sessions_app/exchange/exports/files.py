"""Every CSV file of a club as a row: its name, what it holds and how it is made; and the whole club as a zip."""

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.text import slugify

from clubscore.league.methods import METHODS
from sessions_app.exchange.exports.club_csv import (
    attendance_csv,
    fees_csv,
    grid_csv,
    has_fees,
    has_subscriptions,
    honours_csv,
    log_csv,
    meetings_csv,
    payments_csv,
    players_csv,
    seasons_csv,
    standings_csv,
    subscriptions_csv,
)
from sessions_app.exchange.exports.csv_files import PEOPLE, PROGRAMS, zipped
from sessions_app.exchange.exports.meeting import meeting_files, meetings_with_hands
from sessions_app.exchange.exports.session_csv import club_hands_csv, club_totals_csv, session_hands_csv
from sessions_app.league.standings import season_settings, season_standings
from sessions_app.models import Club, Season, Session
from sessions_app.people.dates import day_words
from sessions_app.people.log_pages import LogFilter


@dataclass(frozen=True)
class File:
    """One file; `make` returns its text for a club and a season (None: the whole club), and `names` of csv_files.

    `by_season`: it can be made for one season. `exists_for`: whether a club has it. `make_for_zip`, `zip_note`: how it
    is made and described in the committee's zip, if that differs. `has_contacts`: the password is asked for it.
    """

    key: str
    name: str
    sentence: str
    make: Callable
    by_season: bool = True
    exists_for: Callable = lambda club: True
    make_for_zip: Callable | None = None
    zip_note: str = ""
    has_contacts: bool = False

    @property
    def file_name(self) -> str:
        return f"{self.key}.csv"


def _standings(club: Club, season: Season | None) -> str:
    if season is None:
        return standings_csv([])
    return standings_csv(season_standings(season).rows, season_settings(season).unit)


def _log(club: Club, season: Season | None, names: str = PEOPLE) -> str:
    return log_csv(club, LogFilter(starts_on=season.starts_on, ends_on=season.ends_on) if season else None, names)


def _league_of(season: Season) -> str:
    """Return the part of a file's name that is the league's, where there are several."""
    return f"{slugify(season.league, allow_unicode=True)}-" if season.league else ""


STANDINGS_FILE = File("standings", "League table", "The league table of the season.", _standings)

GRID_FILE = File(
    "grid",
    "Results by date",
    "A row for each player and a column for each date, with the ranking. You can import it again.",
    grid_csv,
)

FILES = (
    File(
        "totals",
        "Totals",
        "A line for each player and table. You can import it again.",
        club_totals_csv,
        zip_note="A line for each player and table: hands played and won, points gained and lost, and the seat. You "
        "can import it again, here or in another club.",
    ),
    File("hands", "Hands", "A line for each player and hand, with its score and the balance after it.", club_hands_csv),
    File("payments", "Payments", "Who paid whom, how much and why.", payments_csv),
    File("attendance", "Attendance", "Who came to which meeting, and at which tables they sat.", attendance_csv),
    File("honours", "Roll of honour", "The special hands that went Mah-jong.", honours_csv),
    File("meetings", "Meetings", "Every meeting, with its time, its venue and how many tables it had.", meetings_csv),
    File("fees", "Fees", "What each player owes for a meeting, and who has paid.", fees_csv, exists_for=has_fees),
    File(
        "subscriptions",
        "Subscriptions",
        "What each member owes for a year, and who has paid.",
        subscriptions_csv,
        by_season=False,
        exists_for=has_subscriptions,
    ),
    File(
        "seasons",
        "Seasons",
        "Each season, with its dates, its rules and how it ranks players.",
        seasons_csv,
        by_season=False,
    ),
    File(
        "players",
        "Players",
        "Everyone on the list, with contact details if they agreed. You can import it again.",
        lambda club, season: players_csv(club, contacts=True),
        by_season=False,
        make_for_zip=lambda club, season: players_csv(club),
        zip_note="Everyone who has ever played: the full name, the short name, guests and former members. It does "
        "not include email addresses or phone numbers. Only a secretary can export those.",
        has_contacts=True,
    ),
    File("log", "History", "Who changed what, when and why.", _log),
)

BY_KEY = {file.key: file for file in (STANDINGS_FILE, GRID_FILE, *FILES)}


def club_files(club: Club) -> Iterator[Any]:
    """Yield the name and text of every CSV for programs, without ids, so that two installations can be compared."""
    yield "players.csv", players_csv(club, names=PROGRAMS)
    for file in FILES:
        # The hands are in a file for each session.
        if file.key not in ("hands", "players") and file.exists_for(club):
            name = "session-totals.csv" if file.key == "totals" else file.file_name
            yield name, file.make(club, None, names=PROGRAMS)
    for season in Season.objects.of_club(club).order_by("starts_on"):
        for method in METHODS:
            text = standings_csv(season_standings(season, method=method).rows, names=PROGRAMS)
            yield f"standings-{_league_of(season)}{season.starts_on}-{method}.csv", text
    sessions = Session.objects.of_club(club).select_related("club", "meeting").order_by("pk")
    for number, session in enumerate(sessions, 1):
        yield f"hands-{number:05}-{session.date}-table-{session.table}.csv", session_hands_csv(session, PROGRAMS)


# The whole club as one zip for its committee: every CSV, every meeting, and a page that describes them.

FOLDERS = {
    "standings/": "The league table of each season.",
    "afternoons/": "Every meeting, hand by hand as entered. These files are for Clubscore. You can import a meeting "
    "again, and every hand is then scored again.",
}

README = """\
{club}: everything this club has played in Clubscore, exported on {day}.

Files ending in .csv open in any spreadsheet: Excel, LibreOffice, Numbers or Google Sheets. Dates have the year first,
for example 2026-11-12. A minus sign means that the player paid.

{files}

This file does not include contact details, score queries, seating requests or sign-in accounts. It does not include
your versions of the house rules or your list of special hands. Each meeting's file does include the rules it was
played under. A backup has these too, except the passwords: see Export in Club admin.

Keep this file where only the committee can open it. It holds the names of the members.
"""


def whole_club_zip(club: Club, today: date) -> bytes:
    """Return the zip; the number of queries grows with the seasons, and by seven for fifty meetings."""
    return zipped(whole_club_files(club, today))


def whole_club_files(club: Club, today: date) -> Iterator[tuple[str, str]]:
    """Yield the name and text of every file of the zip; the first describes those that the club has."""
    files = [file for file in FILES if file.exists_for(club)]
    texts = {file.file_name: (file.make_for_zip or file.make)(club, None) for file in files}
    for season in Season.objects.of_club(club).order_by("starts_on"):
        name = f"standings/{_league_of(season)}{season.starts_on}-to-{season.ends_on}.csv"
        texts[name] = _standings(club, season)
    for meeting, text in meeting_files(club, meetings_with_hands(club)):
        texts[f"afternoons/{meeting.date}-{meeting.pk}.json"] = text
    notes = {file.file_name: file.zip_note or file.sentence for file in files}
    notes |= {folder: note for folder, note in FOLDERS.items() if any(name.startswith(folder) for name in texts)}
    indent = " " * 17
    listed = "\n".join(
        textwrap.fill(note, 117, initial_indent=name.ljust(len(indent)), subsequent_indent=indent)
        for name, note in notes.items()
    )
    readme = README.format(club=club.name, day=day_words(today), files=listed)
    yield "README.txt", readme.replace("\n", "\r\n")
    yield from texts.items()
