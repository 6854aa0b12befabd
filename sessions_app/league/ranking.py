"""Rank results by a method: who qualifies, ties, positions and reasons. Plain values in, rows out, no database."""

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import groupby
from math import lcm

from sessions_app.league.methods import (
    DEFAULT_METHOD,
    METHODS,
    Before,
    Competitor,
    Method,
    Result,
    ResultSet,
    Value,
    result_set_of,
    rounded,
)

TIE_CHAIN = (
    "Ties are decided in this order: higher total, more hands won, better best session. If only two players are still "
    "level, the one who beat the other more often at the same table goes first. Otherwise they share the position."
)


@dataclass(frozen=True)
class Settings:
    """How a season ranks: `minimum_hands` is another way to qualify where the season has it."""

    method: str = DEFAULT_METHOD
    minimum_sessions: int = 3
    minimum_hands: int | None = None
    best_n: int = 8

    @property
    def row(self) -> Method:
        return METHODS[self.method]


@dataclass(frozen=True)
class Standing:
    """One row of a league table; `position` is None for an unranked player, and `reason` says why."""

    position: int | None
    player: Hashable
    name: str
    guest: bool
    sessions: int
    hands: int | None
    won: int | None
    gained: int
    lost: int
    net: int
    best_session: int
    best_hand: int | None
    value: Value
    shown: str
    reason: str
    shared: bool
    still_playing: bool

    @property
    def position_shown(self) -> str:
        """The position as every table prints it: 1, or 1= if shared; empty if not ranked."""
        return f"{self.position}{'=' if self.shared else ''}" if self.position else ""


def rank(
    results: Iterable[Result],
    competitors: Iterable[Competitor],
    settings: Settings,
    results_before: Iterable[Result] | None = None,
) -> list[Standing]:
    """Return the league table: ranked rows in order of position, then name; then the unranked by name.

    `results_before` are those of the season before, for the methods that look back; None where there is none.
    """
    before = None if results_before is None else result_set_of(results_before)
    return ranked_results(result_set_of(results), people_of(competitors), settings, before)


def people_of(competitors: Iterable[Competitor]) -> dict[Hashable, Competitor]:
    """Return the competitors by their keys."""
    return {competitor.key: competitor for competitor in competitors}


def ranked_results(
    result_set: ResultSet, people: dict[Hashable, Competitor], settings: Settings, results_before: ResultSet | None
) -> list[Standing]:
    """Rank results that are counted; see rank."""
    result_set = counting_results(result_set, settings)
    values = values_of(result_set, people, settings, results_before)
    numbered = numbered_positions(result_set, qualified(result_set, people, settings), values)
    sharing = Counter(numbered.values())
    rows = []
    for player in result_set.by_player:
        position = numbered.get(player)
        rows.append(standing(result_set, people[player], values[player], position, sharing[position] > 1, settings))
    return sorted(rows, key=lambda row: (row.position is None, row.position or 0, row.name))


def positions_of(
    result_set: ResultSet, people: dict[Hashable, Competitor], settings: Settings, results_before: ResultSet | None
) -> dict[Hashable, int]:
    """Return the positions of all ranked players; see rank."""
    result_set = counting_results(result_set, settings)
    return numbered_positions(
        result_set, qualified(result_set, people, settings), values_of(result_set, people, settings, results_before)
    )


def counting_results(result_set: ResultSet, settings: Settings) -> ResultSet:
    """Return the results that the method counts."""
    return result_set.with_known_hands if settings.row.divides_by_hands else result_set


def values_of(
    result_set: ResultSet, people: dict[Hashable, Competitor], settings: Settings, results_before: ResultSet | None
) -> dict[Hashable, Value]:
    """Return each player's value by the season's method, with the season before if it needs that."""
    return settings.row.values(result_set, settings.best_n, _before(people, settings, results_before))


def given_to(
    people: dict[Hashable, Competitor], settings: Settings, results_before: ResultSet | None
) -> dict[Hashable, int]:
    """Return the points per hand that the method gives each player in advance; most methods give none."""
    return settings.row.given(_before(people, settings, results_before)) if settings.row.given else {}


def _before(people: dict[Hashable, Competitor], settings: Settings, results_before: ResultSet | None) -> Before | None:
    if results_before is None or not settings.row.uses_season_before:
        return None
    results_before = counting_results(results_before, settings)
    return Before(results_before, frozenset(qualified(results_before, people, settings)))


def qualified(result_set: ResultSet, people: dict[Hashable, Competitor], settings: Settings) -> list[Hashable]:
    """Return the players who are ranked: members with enough sessions or, if the season allows it, enough hands."""
    return [player for player in result_set.by_player if not reason_unranked(result_set, people[player], settings)]


def reason_unranked(result_set: ResultSet, competitor: Competitor, settings: Settings) -> str:
    """Return the reason a player is unranked, or "" if ranked."""
    if competitor.guest:
        return "guest"
    if played_enough(result_set, competitor.key, settings):
        return ""
    needed = settings.minimum_sessions
    return f"{result_set.totals[competitor.key].sessions} of {needed} session{'' if needed == 1 else 's'}"


def played_enough(result_set: ResultSet, player: Hashable, settings: Settings) -> bool:
    """Return whether a player has enough sessions or, if the season allows it, enough hands to be ranked."""
    if result_set.totals[player].sessions >= settings.minimum_sessions:
        return True
    return settings.minimum_hands is not None and result_set.hands(player) >= settings.minimum_hands


def numbered_positions(
    result_set: ResultSet, ranked: list[Hashable], values: dict[Hashable, Value]
) -> dict[Hashable, int]:
    """Return the position of every ranked player; those level on every tie-break share one."""

    figures = in_whole_numbers({player: values[player] for player in ranked})

    def chain(player):
        totals = result_set.totals[player]
        return figures[player], totals.net, totals.won or 0, totals.best_session

    numbered, position = {}, 1
    for _, level in groupby(sorted(ranked, key=chain, reverse=True), key=chain):
        for sharing in parted_by_meetings(result_set, list(level)):
            numbered |= dict.fromkeys(sharing, position)
            position += len(sharing)
    return numbered


def in_whole_numbers(values: dict[Hashable, Value]) -> dict[Hashable, int]:
    """Return the values as whole numbers of the same order, over one denominator, as fractions are slow to compare."""
    ratios = {player: value.as_integer_ratio() for player, value in values.items()}
    common = lcm(*(denominator for _, denominator in ratios.values()))
    return {player: number * (common // denominator) for player, (number, denominator) in ratios.items()}


def parted_by_meetings(result_set: ResultSet, level: list[Hashable]) -> list[list[Hashable]]:
    """Separate two level players by their sessions at the same table; three or more share the position."""
    lead = meetings_lead(result_set, *level) if len(level) == 2 else 0
    if not lead:
        return [level]
    return [[player] for player in (level if lead > 0 else reversed(level))]


def meetings_lead(result_set: ResultSet, one: Hashable, other: Hashable) -> int:
    """Return in how many more sessions at the same table `one` had the higher net than `other`."""
    nets = {result.session: result.net for result in result_set.by_player[other]}
    met = [(result.net, nets[result.session]) for result in result_set.by_player[one] if result.session in nets]
    return sum((own > theirs) - (own < theirs) for own, theirs in met)


def standing(
    result_set: ResultSet,
    competitor: Competitor,
    value: Value,
    position: int | None,
    is_shared: bool,
    settings: Settings,
) -> Standing:
    """Return a row of the league table; `position` is None for an unranked player."""
    totals = result_set.totals[competitor.key]
    return Standing(
        position=position,
        player=competitor.key,
        name=competitor.name,
        guest=competitor.guest,
        **totals._asdict(),
        value=value,
        shown=rounded(value, settings.row.decimals),
        reason=reason_unranked(result_set, competitor, settings),
        shared=is_shared,
    )


def small_print(settings: Settings) -> list[str]:
    """Return the sentences under a table: the method, who ranks and how ties are broken, from the settings used."""
    needed = f"at least {settings.minimum_sessions} session{'' if settings.minimum_sessions == 1 else 's'}"
    if settings.minimum_hands is not None:
        needed += f" or at least {settings.minimum_hands} hand{'' if settings.minimum_hands == 1 else 's'}"
    return [
        settings.row.sentence.format(best_n="session" if settings.best_n == 1 else f"{settings.best_n} sessions"),
        f"Members need {needed} to be ranked. Guests are never ranked.",
        TIE_CHAIN,
    ]
