"""The results that count as plain values, and the ranking methods: a row for each, with how it works values out.

All is worked out in whole numbers, as MicroPython has no fractions: a value is a number and what divides it.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from datetime import date as Date
from functools import cached_property, lru_cache
from math import lcm
from typing import Any, NamedTuple, TypeVar

Row = TypeVar("Row")
Key = TypeVar("Key", bound=Hashable)


def grouped(rows: Iterable[Row], key: Callable[[Row], Key]) -> dict[Key, list[Row]]:
    """Return the rows by their key; keys and rows keep the order in which they come."""
    groups: dict[Key, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def sum_of_known(figures: Iterable[int | None]) -> int | None:
    """Add up the figures that are known; None if none is."""
    known = [figure for figure in figures if figure is not None]
    return sum(known) if known else None


def _sum_if_known(hands: int | None, more: int | None) -> int | None:
    return None if hands is None or more is None else hands + more


class Result(NamedTuple):
    """One player's account of one session, like its tally; hands and won are None if not known.

    The last fields say whether it counts, and who the player is.
    """

    session: Hashable
    date: Date
    table: int
    player: Hashable
    hands: int | None
    won: int | None
    gained: int
    lost: int
    net: int
    best_hand: int | None = None
    still_playing: bool = False
    meeting: Hashable = None
    rules: str = ""
    recording: str = ""
    imported: bool = False
    full_name: str = ""
    erased_as: str = ""
    guest: bool = False
    beginner: bool = False

    @property
    def name(self) -> str:
        return self.full_name or self.erased_as or f"player {self.player}"

    def merged(self, other: "Result") -> "Result":
        """Return one account for a player who had two seats in a session."""
        best_hands = [hand for hand in (self.best_hand, other.best_hand) if hand is not None]
        return self._replace(
            hands=_sum_if_known(self.hands, other.hands),
            won=_sum_if_known(self.won, other.won),
            gained=self.gained + other.gained,
            lost=self.lost + other.lost,
            net=self.net + other.net,
            best_hand=max(best_hands, default=None),
        )


@dataclass(frozen=True)
class Competitor:
    """A player who may appear in a league table; guests are ranked among guests only."""

    key: Hashable
    name: str
    guest: bool = False
    beginner: bool = False

    @property
    def group(self) -> str:
        """Which of GROUPS the player belongs to."""
        return "guests" if self.guest else "beginners" if self.beginner else "members"


@dataclass(frozen=True)
class ResultSet:
    """The results that count, by session (in order of date, table, then start) and by player."""

    results: tuple[Result, ...]

    @cached_property
    def by_session(self) -> dict[Hashable, list[Result]]:
        return grouped(self.results, lambda result: result.session)

    @cached_property
    def by_player(self) -> dict[Hashable, list[Result]]:
        return grouped(self.results, lambda result: result.player)

    @cached_property
    def totals(self) -> dict[Hashable, "Totals"]:
        return {player: totals_of(own) for player, own in self.by_player.items()}

    @cached_property
    def ratings(self) -> dict[Hashable, int]:
        """The Elo ratings in hundredths after all these results, for the season after them."""
        return ratings_after_all(self, {})

    @cached_property
    def with_known_hands(self) -> "ResultSet":
        """Return the results that have a number of hands to divide by."""
        known = tuple(result for result in self.results if result.hands is not None)
        return self if len(known) == len(self.results) else ResultSet(known)

    @cached_property
    def by_meeting(self) -> "ResultSet":
        """Return one result for each player and meeting: the sum of the sessions played there."""
        own = grouped(self.results, lambda result: (result.meeting or result.date, result.player))
        sums = [(meeting, player, there[0].date, totals_of(there)) for (meeting, player), there in own.items()]
        return result_set_of(
            Result(meeting, day, 0, player, *totals[1:6], totals.best_hand, totals.still_playing, meeting)
            for meeting, player, day, totals in sums
        )

    def by_unit(self, unit: str) -> "ResultSet":
        """Return these results by session, as they are, or by meeting."""
        return self.by_meeting if unit == MEETING else self

    def hands(self, player: Hashable) -> int:
        return self.totals[player].hands or 0

    def net(self, player: Hashable) -> int:
        return self.totals[player].net

    def earlier_than(self, day: Date) -> "ResultSet":
        """Return the results from before a day."""
        return ResultSet(tuple(result for result in self.results if result.date < day))


class Totals(NamedTuple):
    """The sums of a player's results; hands and won are the sums of those known, None if none are."""

    sessions: int
    hands: int | None
    won: int | None
    gained: int
    lost: int
    net: int
    best_session: int
    best_hand: int | None
    still_playing: bool


def totals_of(results: list[Result]) -> Totals:
    """Return the sums of one player's results; there must be at least one."""
    # The fields from `hands` to `still_playing`.
    hands, won, gained, lost, nets, best_hands, playing = list(zip(*results, strict=True))[4:11]
    best_hand = max((hand for hand in best_hands if hand is not None), default=None)
    known = sum_of_known(hands), sum_of_known(won)
    return Totals(len(results), *known, sum(gained), sum(lost), sum(nets), max(nets), best_hand, any(playing))


def result_set_of(results: Iterable[Result]) -> ResultSet:
    """Return the results without players who played no hand; a player's two seats in a session are merged."""
    in_order = sorted(results, key=lambda result: (result.date, result.table, result.session))
    counted: list[Result] = []
    for session in grouped(in_order, lambda result: result.session).values():
        own: dict[Hashable, Result] = {}
        for result in session:
            own[result.player] = own[result.player].merged(result) if result.player in own else result
        counted += [result for result in own.values() if result.hands != 0]
    return ResultSet(tuple(counted))


def positions(nets: dict[Hashable, int]) -> dict[Hashable, int]:
    """Return each player's position in a session by net; equal nets share the better number (1, 1, 3)."""
    return {key: 1 + sum(other > net for other in nets.values()) for key, net in nets.items()}


# A number and what divides it, which is above 0: (25, 4) is 6.25.
Value = tuple[int, int]
Values = dict[Hashable, Value]

# In quarters, by the number of players.
PLACE_POINTS = {1: (0,), 2: (14, 0), 3: (16, 5, 0), 4: (16, 8, 4, 0), 5: (16, 10, 6, 3, 0)}

HANDICAP_PER_CENT = 80
# Ratings are kept in hundredths.
FIRST_RATING = 150_000
RATING_FACTOR = 24
RATING_SCALE = 400


@dataclass(frozen=True)
class Before:
    """The season before, for the methods that use it: its results, and who was ranked in it."""

    result_set: ResultSet
    ranked: frozenset[Hashable]


# Each is the word that people read for it; a game is a session that no club has.
SESSION, MEETING, GAME = "table", "meeting", "game"


@dataclass(frozen=True)
class Method:
    """One way to rank. `values` takes the results, the settings of the season and the season before (or None).

    `unit` is what counts as one result, if the season has no say; the name if that is a meeting or a game may differ.

    `given` takes the season before and returns the points per hand shown with each player's value. A method that
    `divides_by_hands` leaves out sessions whose number of hands is not known.
    """

    key: str
    name: str
    sentence: str
    decimals: int
    values: Callable[[ResultSet, Any, Before | None], Values]
    uses_season_before: bool = False
    given: Callable[[Before | None], dict[Hashable, int]] | None = None
    divides_by_hands: bool = False
    unit: str = ""
    meeting_name: str = ""
    game_name: str = ""

    def title(self, unit: str) -> str:
        """Return its name if each session, each meeting or each game is one result."""
        return {MEETING: self.meeting_name, GAME: self.game_name}.get(unit) or self.name


def average_values(result_set: ResultSet, settings: Any, before: Before | None) -> Values:
    """Return the net points per hand."""
    return {player: (result_set.net(player), result_set.hands(player)) for player in result_set.by_player}


def average_session_values(result_set: ResultSet, settings: Any, before: Before | None) -> Values:
    """Return the net points per session."""
    return {player: (result_set.net(player), len(results)) for player, results in result_set.by_player.items()}


def total_values(result_set: ResultSet, settings: Any, before: Before | None) -> Values:
    """Return the net points, all sessions added up."""
    return {player: (result_set.net(player), 1) for player in result_set.by_player}


def best_n_values(result_set: ResultSet, settings: Any, before: Before | None) -> Values:
    """Return the net points of the `best_n` best sessions, or of all if there are fewer."""

    def best(results: list[Result]) -> int:
        return sum(sorted((result.net for result in results), reverse=True)[: settings.best_n])

    return {player: (best(results), 1) for player, results in result_set.by_player.items()}


def won_values(result_set: ResultSet, settings: Any, before: Before | None) -> Values:
    """Return the number of sessions in which nobody had a higher net."""
    highest = {session: max(result.net for result in results) for session, results in result_set.by_session.items()}

    def won(results: list[Result]) -> int:
        return sum(result.net == highest[result.session] for result in results)

    return {player: (won(results), 1) for player, results in result_set.by_player.items()}


def table_points_values(result_set: ResultSet, settings: Any, before: Before | None) -> Values:
    """Return the points for positions, per session."""
    own = points_of_players(result_set, lambda results: PLACE_POINTS[min(len(results), 5)])
    sums = {player: over_one_denominator(points) for player, points in own.items()}
    return {player: (sum(quarters), common * len(quarters) * 4) for player, (quarters, common) in sums.items()}


def points_of_players(
    result_set: ResultSet, scale_of: Callable[[list[Result]], Iterable[int]]
) -> dict[Hashable, list[Value]]:
    """Return the points that each player gets for positions in their sessions; `scale_of` returns a session's scale."""
    own: dict[Hashable, list[Value]] = {}
    for results in result_set.by_session.values():
        for player, points in points_by_position(results, scale_of(results)).items():
            own.setdefault(player, []).append(points)
    return own


def points_by_position(results: list[Result], scale: Iterable[int]) -> Values:
    """Return the points of a scale by net, the highest first; there are none past its end, and ties share the mean."""
    scale = list(scale)
    points = {}
    for result in results:
        above = sum(other.net > result.net for other in results)
        level = sum(other.net == result.net for other in results)
        points[result.player] = (sum(scale[above : above + level]), level)
    return points


def over_one_denominator(values: Iterable[Value]) -> tuple[list[int], int]:
    """Return values as whole numbers over one denominator, and that: so they can be compared and added up."""
    values = list(values)
    common = lcm(*[denominator for _, denominator in values])
    return [number * (common // denominator) for number, denominator in values], common


def position_points_values(result_set: ResultSet, settings: Any, before: Before | None) -> Values:
    """Return the sum of the points for positions without the lowest few; what a player missed counts as 0."""
    own = points_of_players(result_set, lambda results: settings.position_points or range(len(results), 0, -1))
    counted = max(len(result_set.by_session) - settings.drop_worst, 1)
    sums = {player: over_one_denominator(points) for player, points in own.items()}
    return {player: (sum(sorted(points, reverse=True)[:counted]), common) for player, (points, common) in sums.items()}


def beaten_values(result_set: ResultSet, settings: Any, before: Before | None) -> Values:
    """Return how many of the opponents met were beaten, in per cent; a tie is half."""

    def share(results: list[Result]) -> Value:
        opponents = sum(len(result_set.by_session[result.session]) - 1 for result in results)
        beaten = sum(halves_beaten(result, result_set.by_session[result.session]) for result in results)
        return (100 * beaten, 2 * opponents) if opponents else (0, 1)

    return {player: share(results) for player, results in result_set.by_player.items()}


def halves_beaten(result: Result, session: list[Result]) -> int:
    """Return twice the number of opponents with a lower net plus those with an equal one."""
    others = [other for other in session if other.player != result.player]
    return sum(2 if other.net < result.net else int(other.net == result.net) for other in others)


def handicap_values(result_set: ResultSet, settings: Any, before: Before | None) -> Values:
    """Return the net points per hand with the handicap of the season before added."""
    given, averages = handicaps(before), average_values(result_set, settings, None)
    return {player: (net + given.get(player, 0) * hands, hands) for player, (net, hands) in averages.items()}


def handicaps(before: Before | None) -> dict[Hashable, int]:
    """Return the handicap in points per hand of each player of the season before, never negative."""
    if before is None or not before.ranked:
        return {}
    averages = average_values(before.result_set, None, None)
    numbers, common = over_one_denominator(averages.values())
    own = dict(zip(averages, numbers, strict=True))
    highest = max(own[player] for player in before.ranked)
    return {
        player: max(0, halves_up(HANDICAP_PER_CENT * (highest - number), 100 * common))
        for player, number in own.items()
    }


def rating_values(result_set: ResultSet, settings: Any, before: Before | None) -> Values:
    """Return the Elo ratings after all sessions in order, starting from those of the season before, if any."""
    ratings = ratings_after_all(result_set, before.result_set.ratings if before else {})
    return {player: (hundredths, 100) for player, hundredths in ratings.items()}


def ratings_after_all(result_set: ResultSet, earlier: dict[Hashable, int]) -> dict[Hashable, int]:
    """Return the ratings in hundredths after all sessions, from those before them."""
    ratings = dict(earlier)
    for results in result_set.by_session.values():
        ratings.update(ratings_after(results, ratings))
    return ratings


def ratings_after(results: list[Result], earlier: dict[Hashable, int]) -> dict[Hashable, int]:
    """Return the new ratings of a session's players, all worked out from the ratings before the session."""
    own = [(result.player, result.net, earlier.get(result.player, FIRST_RATING)) for result in results]
    if len(own) < 2:
        return {player: rating for player, _, rating in own}
    opponents, after = (len(own) - 1) * ONE, {}
    for player, net, rating in own:
        surplus = sum(
            (net > other_net) * ONE + (net == other_net) * (ONE // 2) - expected(other_rating - rating)
            for other, other_net, other_rating in own
            if other != player
        )
        after[player] = halves_even(rating * opponents + 100 * RATING_FACTOR * surplus, opponents)
    return after


# Of shares of a win, and the natural logarithm of 10 in them.
ONE = 10**40
LN_10 = 23025850929940456840179914546843642076011


# One page ranks the same sessions several times (position changes, what if).
@lru_cache(maxsize=50_000)
def expected(lead: int) -> int:
    """Return the share of a win expected by Elo's curve of a player rated `lead` hundredths below another.

    That is 1 / (1 + 10 ** (lead / 400)), to 35 decimals. The power is split into its whole tens and the rest, which is
    a 256th of its logarithm in Taylor's series, squared eight times.
    """
    if lead < 0:
        return ONE - expected(-lead)
    tens, rest = divmod(lead, 100 * RATING_SCALE)
    logarithm = rest * LN_10 // (100 * RATING_SCALE * 256)
    power, term, step = ONE, ONE, 0
    while term:
        step += 1
        term = term * logarithm // (step * ONE)
        power += term
    for _ in range(8):
        power = power * power // ONE
    odds: int = power * 10**tens
    return ONE * ONE // (ONE + odds)


def halves_up(number: int, denominator: int) -> int:
    """Round to a whole number, halves up: 2.5 is 3, -2.5 is -2."""
    return (2 * number + denominator) // (2 * denominator)


def halves_even(number: int, denominator: int) -> int:
    """Round to a whole number, halves to the even one: 2.5 is 2, 3.5 is 4."""
    whole, rest = divmod(number, denominator)
    return whole + (2 * rest + whole % 2 > denominator)


METHODS = {
    method.key: method
    for method in (
        Method(
            "average",
            "Average per hand",
            "Your average is all you won or lost, divided by the hands you played.",
            1,
            average_values,
            divides_by_hands=True,
        ),
        Method(
            "average_session",
            "Average per table",
            "Your average is all you won or lost, divided by the number of {played}.",
            1,
            average_session_values,
            meeting_name="Average per meeting",
            game_name="Average per game",
        ),
        Method("total", "Total", "Your score is the total of all your {unit}s.", 0, total_values),
        Method(
            "best_n",
            "Best tables",
            "Your score is {best_n}.",
            0,
            best_n_values,
            meeting_name="Best meetings",
            game_name="Best game",
        ),
        Method(
            "won",
            "Tables won",
            "Your score is the number of {unit}s you won. If players tie for first, each of them has won.",
            0,
            won_values,
            meeting_name="Meetings won",
            game_name="Games won",
        ),
        Method(
            "table_points",
            "Table points",
            "You get points for where you finish at your table. Table of 5: 4, 2.5, 1.5, 0.75, 0. Table of 4: "
            "4, 2, 1, 0. Table of 3: 4, 1.25, 0. Table of 2: 3.5, 0. Players who tie share the points. Your score is "
            "your average per table.",
            2,
            table_points_values,
            unit=SESSION,
        ),
        Method(
            "position_points",
            "Points for positions",
            "Each meeting gives points for positions: {scale}. Players who tie share the points.{dropped} Your score "
            "is the sum of your points.",
            1,
            position_points_values,
            unit=MEETING,
        ),
        Method(
            "beaten",
            "Opponents beaten",
            "Your score is the percentage of opponents at your {unit}s who finished below you. A tie counts as half.",
            1,
            beaten_values,
        ),
        Method(
            "handicap",
            "Average with handicap",
            "Your score is your average per hand plus a handicap. The handicap is 80% of the gap between your average "
            "last season and the best average, rounded. If you did not play last season, you have no handicap.",
            1,
            handicap_values,
            uses_season_before=True,
            given=handicaps,
            divides_by_hands=True,
        ),
        Method(
            "rating",
            "Rating",
            "Everyone starts at 1500, or at last season’s final rating. After each {unit} your rating goes up if you "
            "did better than your rating predicted, and down if you did worse. It can move by up to 24 points.",
            0,
            rating_values,
            uses_season_before=True,
        ),
    )
}

DEFAULT_METHOD = "average"


def rounded(value: Value, decimals: int) -> str:
    """Write a value for people with that many decimals, halves away from zero (6.25 is 6.3); a zero has no sign."""
    number, denominator = value
    units = halves_up(abs(number) * 10**decimals, denominator)
    return in_decimals(-units if number < 0 else units, decimals)


def rounded_half_even(value: Value, decimals: int) -> str:
    """Write a value for a file with that many decimals, halves to even."""
    number, denominator = value
    return in_decimals(halves_even(number * 10**decimals, denominator), decimals)


def in_decimals(units: int, decimals: int) -> str:
    """Write a whole number of the smallest units shown: 63 with one decimal is 6.3."""
    digits = str(abs(units))
    if decimals:
        digits = "0" * (decimals + 1 - len(digits)) + digits
        digits = f"{digits[:-decimals]}.{digits[-decimals:]}"
    return f"-{digits}" if units < 0 else digits
