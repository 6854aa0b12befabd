"""What anyone may read of a club: each page the club has switched on, with public names."""

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import date
from typing import Any

from sessions_app.league.honours import Honour, honours
from sessions_app.league.league_table import League, league
from sessions_app.league.ranking import Standing
from sessions_app.models import Club, Meeting, Player, Season
from sessions_app.people.players import public_names

MEETINGS = 100


PAGES = ("standings", "honours", "meetings")


def shown(club: Club, page: str) -> bool:
    """Return whether a page is public. The league table and roll of honour need public names."""
    is_on = getattr(club, f"shows_{page}")
    return is_on and (page == "meetings" or club.public_names != Club.PublicNames.NOBODY)


def pages_shown(club: Club) -> list[str]:
    return [page for page in PAGES if shown(club, page)]


@dataclass(frozen=True)
class PublicRow:
    """A row of the league table under its public name; places and figures are those of the whole table."""

    name: str
    standing: Standing


@dataclass(frozen=True)
class PublicHonour:
    name: str
    honour: Honour


def public_standings(season: Season) -> tuple[League, list[PublicRow]]:
    """Return a season's League, and its rows under public names: who is left off a public list has none."""
    found = league(season)
    names = _names(season.club, [row.standing.player for row in found.rows])
    rows = [PublicRow(names[row.standing.player], row.standing) for row in found.rows if names[row.standing.player]]
    return found, rows


def public_honours(club: Club, season: Season) -> list[Any]:
    """Return the special hands of a season, the latest first, of those who stand on public lists."""
    found = honours(club, season)
    names = public_names(club, {one.played.player.pk: one.played.player for one in found}.values())
    return [PublicHonour(names[one.played.player.pk], one) for one in found if names[one.played.player.pk]]


def public_meetings(club: Club, today: date) -> list[Any]:
    return Meeting.objects.upcoming(club, today, MEETINGS)


def _names(club, ids: list[Hashable]):
    players = Player.objects.of_club(club).filter(pk__in=ids)
    return dict.fromkeys(ids) | public_names(club, players)
