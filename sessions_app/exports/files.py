"""Every CSV of a club, in one table: what it is called, what stands in it, how it is made. Views and zips read it."""

from collections.abc import Callable
from dataclasses import dataclass

from sessions_app.exports.attendance import attendance_csv
from sessions_app.exports.fees import fees_csv, has_fees
from sessions_app.exports.honours import honours_csv
from sessions_app.exports.log import log_csv
from sessions_app.exports.meetings import meetings_csv
from sessions_app.exports.payments import payments_csv
from sessions_app.exports.players import players_csv
from sessions_app.exports.seasons import seasons_csv
from sessions_app.exports.session_hands import club_hands_csv
from sessions_app.exports.session_totals import club_totals_csv
from sessions_app.exports.standings import standings_csv
from sessions_app.queries.log import Wanted
from sessions_app.queries.standings import season_standings


@dataclass(frozen=True)
class File:
    """One file: what it is called, what stands in it, how it is made of a club and a season or None.

    `by_season` says whether it can be had of one season, `is_kept` whether the club has it at all. `in_zip` makes it
    for the committee's zip where that differs, and `told` is its sentence there.
    """

    key: str
    name: str
    sentence: str
    make: Callable
    by_season: bool = True
    is_kept: Callable = lambda club: True
    in_zip: Callable | None = None
    told: str = ""

    @property
    def file_name(self):
        return f"{self.key}.csv"


def _standings(club, season):
    return standings_csv(season_standings(season).rows if season else [])


def _totals(club, season):
    return club_totals_csv(club, season.starts_on, season.ends_on) if season else club_totals_csv(club)


def _log(club, season):
    return log_csv(club, Wanted(starts_on=season.starts_on, ends_on=season.ends_on) if season else None)


STANDINGS = File("standings", "Standings", "The league table, as the season ranks.", _standings)
FILES = (
    File(
        "totals",
        "Totals",
        "A line for each player and session. It can be taken in again.",
        _totals,
        told="A line for each player and session: hands played and won, what was gained and lost, and the place. It "
        "can be taken in again, here or in another club, from the secretary's desk.",
    ),
    File("hands", "Hands", "A line for each player and hand: what it counted, and the balance then.", club_hands_csv),
    File("payments", "Payments", "Who paid whom, how much and why.", payments_csv),
    File("attendance", "Attendance", "Who came to which meeting, and at which tables they sat.", attendance_csv),
    File("honours", "Honours", "The special hands that went Mah-jong.", honours_csv),
    File("meetings", "Meetings", "Every meeting with its time and place, and how many tables it had.", meetings_csv),
    File("fees", "Fees", "What each who came owes for a meeting, and who has paid.", fees_csv, is_kept=has_fees),
    File(
        "seasons",
        "Seasons",
        "Each season with its dates, the rules it ranks, and how.",
        lambda club, season: seasons_csv(club),
        by_season=False,
    ),
    File(
        "players",
        "Players",
        "Everybody on the list, with how to reach them where they have agreed. It can be taken in again.",
        lambda club, season: players_csv(club, contacts=True),
        by_season=False,
        in_zip=lambda club, season: players_csv(club),
        told="Everybody who has ever played: the full name, the name used at the table, guests, those who have left. "
        "Addresses and telephone numbers are not in it: only a secretary takes those out.",
    ),
    File("log", "The log", "Who changed what, when and why.", _log),
)
BY_KEY = {file.key: file for file in (STANDINGS, *FILES)}
