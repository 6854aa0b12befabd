"""Rank results by a method: who qualifies, ties, positions and reasons. Plain values in, rows out, no database."""

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from itertools import groupby
from math import lcm

from sessions_app.league.methods import (
    DEFAULT_METHOD,
    MEETING,
    METHODS,
    SESSION,
    Before,
    Competitor,
    Method,
    Result,
    ResultSet,
    Value,
    result_set_of,
    rounded,
)

TIES = (
    "Ties are decided in this order: higher total, more hands won, better best {unit}. If only two players are still "
    "level, the one who beat the other more often at the same {where} goes first. Otherwise they share the position."
)
# What the sentences say for a session and for a meeting.
WORDS = {
    SESSION: {"unit": "session", "where": "table", "played": "sessions you played"},
    MEETING: {"unit": "meeting", "where": "meeting", "played": "meetings you came to"},
}
TIE_CHAIN = TIES.format(**WORDS[SESSION])

# The groups of players that a league table may be of, with their names.
GROUPS = {"members": "Members", "guests": "Guests", "beginners": "Beginners"}
# Who is in the table and may be ranked, by the group; without a group everyone is.
WHO_RANKS = {
    "": "Members need {needed} to be ranked. Guests are never ranked.",
    "members": "Only members who are not beginners are in this table. They need {needed} to be ranked.",
    "guests": "Only guests are in this table. They need {needed} to be ranked.",
    "beginners": "Only beginners are in this table. They need {needed} to be ranked.",
}


@dataclass(frozen=True)
class Settings:
    """How a season ranks: `minimum_hands` is another way to qualify where the season has it.

    `by_meeting`: the sessions that a player plays at one meeting are one result. `position_points`: those for the
    first, the second and so on at a meeting; without them the last has 1, and each position above has 1 more.
    `group`: only its players are listed and take positions, each with the value they have among everyone.
    """

    method: str = DEFAULT_METHOD
    minimum_sessions: int = 3
    minimum_hands: int | None = None
    best_n: int = 8
    by_meeting: bool = False
    position_points: tuple[int, ...] = ()
    drop_worst: int = 0
    group: str = ""

    @property
    def row(self) -> Method:
        return METHODS[self.method]

    @property
    def unit(self) -> str:
        """What counts as one result: a session or a meeting."""
        return self.row.unit or (MEETING if self.by_meeting else SESSION)

    @property
    def units(self) -> str:
        """The head of the column with their number."""
        return f"{self.unit.capitalize()}s"

    @property
    def minimum_words(self) -> str:
        return number_of(self.minimum_sessions, self.unit)

    @property
    def title(self) -> str:
        """The name of the method, as the head of its column has it."""
        return self.row.title(self.unit)


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
    for player in listed_players(result_set, people, settings):
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


def provisional_positions(
    result_set: ResultSet, people: dict[Hashable, Competitor], settings: Settings, results_before: ResultSet | None
) -> dict[Hashable, int]:
    """Return the positions of all who may be ranked later, while nobody has played enough; none once somebody has."""
    counting = counting_results(result_set, settings)
    if qualified(counting, people, settings):
        return {}
    listed = listed_players(counting, people, settings)
    ranked_later = [player for player in listed if settings.group or not people[player].guest]
    return numbered_positions(counting, ranked_later, values_of(counting, people, settings, results_before))


def counting_results(result_set: ResultSet, settings: Settings) -> ResultSet:
    """Return the results that the method counts: all, or those with known hands; by session or by meeting."""
    known = result_set.with_known_hands if settings.row.divides_by_hands else result_set
    return known.counted_by(settings.unit == MEETING)


def values_of(
    result_set: ResultSet, people: dict[Hashable, Competitor], settings: Settings, results_before: ResultSet | None
) -> dict[Hashable, Value]:
    """Return each player's value by the season's method, with the season before if it needs that."""
    return settings.row.values(result_set, settings, _before(people, settings, results_before))


def given_to(
    people: dict[Hashable, Competitor], settings: Settings, results_before: ResultSet | None
) -> dict[Hashable, int]:
    """Return the points per hand that the method gives each player in advance; most methods give none."""
    return settings.row.given(_before(people, settings, results_before)) if settings.row.given else {}


def _before(people: dict[Hashable, Competitor], settings: Settings, results_before: ResultSet | None) -> Before | None:
    if results_before is None or not settings.row.uses_season_before:
        return None
    results_before = counting_results(results_before, settings)
    ranked_before = qualified(results_before, people, replace(settings, group=""))
    return Before(results_before, frozenset(ranked_before))


def listed_players(result_set: ResultSet, people: dict[Hashable, Competitor], settings: Settings) -> list[Hashable]:
    """Return the players of the table's group; without a group everyone."""
    return [player for player in result_set.by_player if settings.group in ("", people[player].group)]


def qualified(result_set: ResultSet, people: dict[Hashable, Competitor], settings: Settings) -> list[Hashable]:
    """Return the ranked: members, or the players of the group, with enough sessions or, if allowed, enough hands."""
    listed = listed_players(result_set, people, settings)
    return [player for player in listed if not reason_unranked(result_set, people[player], settings)]


def reason_unranked(result_set: ResultSet, competitor: Competitor, settings: Settings) -> str:
    """Return the reason a player is unranked, or "" if ranked."""
    if competitor.guest and not settings.group:
        return "guest"
    if played_enough(result_set, competitor.key, settings):
        return ""
    return f"{result_set.totals[competitor.key].sessions} of {settings.minimum_words}"


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

    def tie_break_figures(player):
        totals = result_set.totals[player]
        return figures[player], totals.net, totals.won or 0, totals.best_session

    numbered, position = {}, 1
    for _, level in groupby(sorted(ranked, key=tie_break_figures, reverse=True), key=tie_break_figures):
        for sharing in separated_by_meetings(result_set, list(level)):
            numbered |= dict.fromkeys(sharing, position)
            position += len(sharing)
    return numbered


def in_whole_numbers(values: dict[Hashable, Value]) -> dict[Hashable, int]:
    """Return the values as whole numbers of the same order, over one denominator, as fractions are slow to compare."""
    ratios = {player: value.as_integer_ratio() for player, value in values.items()}
    common = lcm(*(denominator for _, denominator in ratios.values()))
    return {player: number * (common // denominator) for player, (number, denominator) in ratios.items()}


def separated_by_meetings(result_set: ResultSet, level: list[Hashable]) -> list[list[Hashable]]:
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
    words, unit = WORDS[settings.unit], settings.unit
    needed = f"at least {settings.minimum_words}"
    if settings.minimum_hands is not None:
        needed += f" or at least {number_of(settings.minimum_hands, 'hand')}"
    figures = {
        "best_n": unit if settings.best_n == 1 else number_of(settings.best_n, unit),
        "scale": scale_in_words(settings.position_points),
        "dropped": dropped_in_words(settings.drop_worst),
    }
    together = ["What you play at one meeting counts as one result."] if settings.by_meeting and unit == MEETING else []
    return [
        settings.row.sentence.format(**words, **figures),
        *together,
        WHO_RANKS[settings.group].format(needed=needed),
        TIES.format(**words),
    ]


def number_of(number: int, unit: str) -> str:
    """Write a number of things: 1 session, 3 sessions."""
    return f"{number} {unit}{'' if number == 1 else 's'}"


def scale_in_words(points: tuple[int, ...]) -> str:
    """Say what each position at a meeting gives."""
    if not points:
        return "1 for the last player, and 1 more for each position above"
    return f"{', '.join(map(str, points))}{'' if points[-1] == 0 else ', then 0'}"


def dropped_in_words(number: int) -> str:
    """Say which meetings do not count for a player; nothing where all do."""
    if not number:
        return ""
    lowest = "lowest meeting does" if number == 1 else f"{number} lowest meetings do"
    return f" Your {lowest} not count. A meeting that you missed counts as 0 points."
