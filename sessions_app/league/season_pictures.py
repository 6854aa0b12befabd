"""A season in pictures: the race for the first position, who came to each meeting, and who has met whom."""

from collections import Counter, defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import permutations
from typing import Any

from clubscore.league.methods import Competitor, ResultSet
from sessions_app.league.standings import read_season, season_settings
from sessions_app.models import Season
from sessions_app.people.players import name_order

SHADES = 4


@dataclass(frozen=True)
class Runner:
    """A player's positions after each day of a season, None while not ranked."""

    player: Hashable
    name: str
    positions: tuple[int | None, ...]


@dataclass(frozen=True)
class Attended:
    """How many people played on a day, how many of them are guests, and the number of tables."""

    date: date
    people: int
    guests: int
    tables: int


@dataclass(frozen=True)
class Mixer:
    """How often a player sat with each player, in the order of the list; None for the player themselves.

    `shades` go from 0 for never to 4 for as often as anyone.
    """

    number: int
    player: Hashable
    name: str
    counts: tuple[int | None, ...]
    shades: tuple[int, ...]

    @property
    def cells(self) -> list[tuple[int | None, int]]:
        return list(zip(self.counts, self.shades, strict=True))


@dataclass(frozen=True)
class SeasonPictures:
    days: list[date]
    race: list[Runner]
    attended: list[Attended]
    met: list[Mixer]


def season_pictures(season: Season) -> SeasonPictures:
    """Return what the pictures of a season show; one query, and one more for the methods that use the season before."""
    settings = season_settings(season)
    read, _ = read_season(season, settings)
    ranking = read.rank(settings)
    people, played = ranking.people, ranking.all_results
    days = sorted({result.date for result in played.results})
    until = [replace(ranking, all_results=played.earlier_than(day + timedelta(days=1))) for day in days]
    after_day = [ranking.positions or ranking.provisional_positions for ranking in until]
    runners = [
        Runner(player, people[player].name, tuple(positions.get(player) for positions in after_day))
        for player in {player: None for positions in after_day for player in positions}
    ]
    return SeasonPictures(
        days=days,
        race=sorted(
            runners,
            key=lambda runner: (runner.positions[-1] is None, runner.positions[-1] or 0, name_order(runner.name)),
        ),
        attended=_attended(played, people),
        met=_met(played, people),
    )


def _attended(played: ResultSet, people: dict[Hashable, Competitor]) -> list[Any]:
    players, sessions = defaultdict(set), defaultdict(set)
    for result in played.results:
        players[result.date].add(result.player)
        sessions[result.date].add(result.session)
    return [
        Attended(day, len(came), sum(people[player].guest for player in came), len(sessions[day]))
        for day, came in players.items()
    ]


def _met(played: ResultSet, people: dict[Hashable, Competitor]) -> list[Any]:
    together = Counter(
        pair
        for results in played.by_session.values()
        for pair in permutations([result.player for result in results], 2)
    )
    most = max(together.values(), default=1)
    players = sorted(played.by_player, key=lambda player: (name_order(people[player].name), str(player)))
    return [
        Mixer(
            number=number,
            player=player,
            name=people[player].name,
            counts=tuple(None if other == player else together[player, other] for other in players),
            shades=tuple(-(-SHADES * together[player, other] // most) for other in players),
        )
        for number, player in enumerate(players, 1)
    ]
