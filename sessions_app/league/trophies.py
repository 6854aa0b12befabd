"""The trophies a club may give for a season: each a row with its name, its sentence and how it is won."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Count, IntegerField, Max
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from sessions_app.league.methods import ResultSet, result_set_of, rounded
from sessions_app.league.ranking import played_enough
from sessions_app.league.standings import counted, counting_before, season_counting, season_settings, tallies_of
from sessions_app.models import Hand, Player, PlayerHand, Season


@dataclass(frozen=True)
class Holder:
    """Who has a trophy now, with what, in words; `session` and `hand` lead to the hand where it was one."""

    player: Hashable
    name: str
    words: str
    session: int | None = None
    hand: str = ""


@dataclass(frozen=True)
class Facts:
    """What the trophies of a season are found in."""

    season: Season
    result_set: ResultSet
    results_before: ResultSet | None
    people: dict[Hashable, Player]
    sessions: tuple[int, ...]

    def member(self, player: Any) -> bool:
        return not self.people[player].guest

    def members(self) -> Any:
        return [player for player in self.result_set.by_player if self.member(player)]


@dataclass(frozen=True)
class Trophy:
    """One trophy: guests win none; players who are level all hold it."""

    key: str
    name: str
    sentence: str
    holders: Callable[[Facts], list[Holder]]


def _best(facts, values, words):
    """Return the members with the highest value, where there is one above nothing, in the order of their names."""
    values = {player: value for player, value in values.items() if facts.member(player) and value > 0}
    best = max(values.values(), default=None)
    holders = [
        Holder(player, str(facts.people[player]), words(value)) for player, value in values.items() if value == best
    ]
    return sorted(holders, key=lambda holder: (holder.name.casefold(), holder.player))


def highest_hand(facts: Any) -> Any:
    """Return who held the highest hand of the season, guests left out; all of them where it is shared."""
    hands = PlayerHand.objects.filter(hand__session__in=facts.sessions, seat__player__guest=False)
    best = hands.aggregate(best=Max("total"))["best"]
    if not best:
        return []
    rows = hands.filter(total=best).order_by("hand__session__date", "hand_id", "seat__chair")
    return [
        Holder(
            row.seat.player_id,
            str(row.seat.player),
            f"{best:,} on {row.hand.session.date:%-d %B %Y}",
            row.hand.session_id,
            str(row.hand.entry.key),
        )
        for row in rows.select_related("seat__player", "hand__session", "hand__entry")
    ]


def goulashes_won(facts: Any) -> Any:
    """Return who won the most goulashes."""
    won = PlayerHand.objects.filter(hand__session__in=facts.sessions, won=True, hand__goulash=True)
    counts = dict(won.values_list("seat__player").annotate(number=Count("pk")))
    return _best(facts, counts, lambda number: f"{number} goulash{'es' if number > 1 else ''} won")


def longest_east(facts: Any) -> Any:
    """Kept deals stand in the chairs of the hand after; the longest stay is one hand more than the deals kept."""
    hands = Hand.objects.filter(session__in=facts.sessions, kind="won")
    hands = hands.annotate(kept=Cast(KT("chairs__kept"), IntegerField()))
    stays = (
        hands.filter(player_hands__wind="E", player_hands__won=True)
        .values_list("player_hands__seat__player")
        .annotate(longest=Max("kept"))
    )
    return _best(
        facts,
        {player: (longest or 0) + 1 for player, longest in stays},
        lambda number: f"{number} hand{'s' if number > 1 else ''} won in a row as East",
    )


def most_improved(facts: Any) -> Any:
    """Points per hand against the season before, of those who played enough in both."""
    if facts.results_before is None:
        return []
    settings = season_settings(facts.season)
    both = result_set, before = facts.result_set.with_known_hands, facts.results_before.with_known_hands
    gained = {
        player: _average(result_set, player) - _average(before, player)
        for player in facts.members()
        if all(player in one.totals and played_enough(one, player, settings) for one in both)
    }
    return _best(facts, gained, lambda value: f"{rounded(value, 1)} more points per hand than last season")


def _average(result_set, player):
    return Fraction(result_set.net(player), result_set.hands(player))


def most_sessions(facts: Any) -> Any:
    """Return who came most often."""
    counts = {player: len(facts.result_set.by_player[player]) for player in facts.members()}
    return _best(facts, counts, lambda number: f"{number} session{'s' if number > 1 else ''} played")


TROPHIES = {
    trophy.key: trophy
    for trophy in (
        Trophy("highest_hand", "Highest hand", "The highest total of a single hand.", highest_hand),
        Trophy("goulashes", "Most goulashes won", "The most goulashes won by one player.", goulashes_won),
        Trophy("longest_east", "Longest East", "The most hands won in a row as East.", longest_east),
        Trophy(
            "most_improved",
            "Most improved",
            "The biggest rise in points per hand since last season, for players who played enough in both.",
            most_improved,
        ),
        Trophy("most_sessions", "Most sessions", "The most sessions played.", most_sessions),
    )
}


def trophies_of(season: Season, keys: Any = None) -> list[Any]:
    """Return pairs of Trophy and its holders for a season's own trophies, or for those of `keys`."""
    facts = facts_of(season)
    chosen = season.trophies if keys is None else keys
    return [(trophy, trophy.holders(facts)) for key, trophy in TROPHIES.items() if key in chosen]


def facts_of(season: Season) -> Facts:
    """Read what a season's trophies are decided by."""
    counting, before = season_counting(season), counting_before(season)
    tallies = tallies_of(season.club_id, [counting, before] if before else [counting])
    results = counted(tallies, counting)
    result_set = result_set_of(results)
    return Facts(
        season=season,
        result_set=result_set,
        results_before=result_set_of(counted(tallies, before)) if before else None,
        people=Player.objects.in_bulk(list(result_set.by_player)),
        sessions=tuple(result_set.by_session),  # type: ignore[arg-type]
    )
