"""Ranks results by a method: who qualifies, ties, positions and reasons. Plain values in, rows out, no database."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, NamedTuple

from clubscore.league.methods import (
    DEFAULT_METHOD,
    GAME,
    MEETING,
    METHODS,
    SESSION,
    Before,
    Competitor,
    Method,
    Result,
    ResultSet,
    Value,
    grouped,
    over_one_denominator,
    result_set_of,
    rounded,
)

TIES = (
    "Ties are decided in this order: higher total, more hands won, better score {at} their best {unit}. If only two "
    "players are still level, the one who beat the other more often {at} the same {unit} goes first. Otherwise they "
    "share the position."
)
# The words of the sentences if a session is one result, if a meeting is, and if a game is.
WORDS = {
    SESSION: {"unit": "table", "played": "tables you played", "at": "at"},
    MEETING: {"unit": "meeting", "played": "meetings you came to", "at": "at"},
    GAME: {"unit": "game", "played": "games you played", "at": "in"},
}

# The groups of players that a league table can show, with their names.
GROUPS = {"members": "Members", "guests": "Guests", "beginners": "Beginners"}
# Who is in the table and may be ranked, by the group.
WHO_RANKS = {
    "": "Members need {needed} to be ranked. Guests are never ranked.",
    "everyone": "Players need {needed} to be ranked.",
    "members": "Only members who are not beginners are in this table. They need {needed} to be ranked.",
    "guests": "Only guests are in this table. They need {needed} to be ranked.",
    "beginners": "Only beginners are in this table. They need {needed} to be ranked.",
}


def kept(default: Any) -> Any:
    """Return a field of Settings that holds for the season before too."""
    return field(default=default, metadata={"kept": True})


@dataclass(frozen=True)
class Settings:
    """How a season ranks; `minimum_hands` is another way to qualify.

    What a field says of the season before is `kept`: it holds for that season too, for the methods that use it. Any
    other has its default there.

    `by_meeting`: the sessions that a player plays at one meeting are one result. `position_points`: those of the
    first, the second and so on at a meeting; without them the last gets 1, and each position above gets 1 more.
    `group`: only its players are listed and ranked, each with the value they have among everyone. `of_games`: the
    sessions are games that no club has, without members and guests.
    """

    method: str = kept(DEFAULT_METHOD)
    minimum_sessions: int = kept(3)
    minimum_hands: int | None = kept(None)
    best_n: int = 8
    by_meeting: bool = kept(False)
    position_points: tuple[int, ...] = ()
    drop_worst: int = 0
    group: str = ""
    of_games: bool = kept(False)

    @property
    def of_season_before(self) -> "Settings":
        """By what the season before is ranked; who is listed now has no part in it."""
        return Settings(**{field.name: getattr(self, field.name) for field in fields(self) if field.metadata})

    @property
    def row(self) -> Method:
        return METHODS[self.method]

    @property
    def unit(self) -> str:
        """What counts as one result: a session, a meeting or a game."""
        return self.row.unit or (MEETING if self.by_meeting else GAME if self.of_games else SESSION)

    @property
    def units(self) -> str:
        """The heading of the column with their number."""
        return f"{self.unit.capitalize()}s"

    @property
    def minimum_words(self) -> str:
        return number_of(self.minimum_sessions, self.unit)

    @property
    def title(self) -> str:
        """The name of the method, as the heading of its column."""
        return self.row.title(self.unit)


class Lack(NamedTuple):
    """Why a player is not ranked: as a guest, or with too few results of a unit."""

    is_guest: bool
    played: int
    needed: int
    unit: str

    def said_of(self, unit: str) -> str:
        """Return the reason with this word for the unit."""
        return "guest" if self.is_guest else f"{self.played} of {number_of(self.needed, unit)}"


@dataclass(frozen=True)
class Standing:
    """One row of a league table; `position` is None for an unranked player, and `lack` says why.

    The club's pages show more: `moved` is how many positions up (negative: down) since before the last meeting, None if
    unranked then. `form` are the nets of the last sessions, the latest last; `own_position` is that by the season's own
    settings; `given` are the points a hand that a handicap adds; `provisional` is a member's position while nobody is
    ranked.
    """

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
    lack: Lack | None
    shared: bool
    still_playing: bool
    moved: int | None = None
    is_new: bool = False
    form: tuple[int, ...] = ()
    own_position: int | None = None
    given: int = 0
    provisional: int | None = None

    @property
    def reason(self) -> str:
        """Why a player is not ranked, as every table says it."""
        return self.lack.said_of(self.lack.unit) if self.lack else ""

    @property
    def position_shown(self) -> str:
        """The position as every table prints it: 1, or 1= if shared; empty if not ranked."""
        return f"{self.position}{'=' if self.shared else ''}" if self.position else ""


@dataclass(frozen=True)
class Ranking:
    """Results ranked by some settings; each step is worked out when it is first needed.

    `results_before` are those of the season before, for the methods that use them; None if there is none.
    """

    all_results: ResultSet
    people: dict[Hashable, Competitor]
    settings: Settings
    results_before: ResultSet | None = None

    @cached_property
    def result_set(self) -> ResultSet:
        """The results that the method uses: all, or those with known hands; by session or by meeting."""
        known = self.all_results.with_known_hands if self.settings.row.divides_by_hands else self.all_results
        return known.by_unit(self.settings.unit)

    @cached_property
    def _before(self) -> Before | None:
        if self.results_before is None or not self.settings.row.uses_season_before:
            return None
        earlier = Ranking(self.results_before, self.people, self.settings.of_season_before)
        return Before(earlier.result_set, frozenset(earlier.qualified))

    @cached_property
    def values(self) -> dict[Hashable, Value]:
        """The value of each player, by the method."""
        return self.settings.row.values(self.result_set, self.settings, self._before)

    @cached_property
    def handicaps(self) -> dict[Hashable, int]:
        """The points per hand that the method gives each player in advance; most methods give none."""
        return self.settings.row.given(self._before) if self.settings.row.given else {}

    @cached_property
    def listed(self) -> list[Hashable]:
        """The players in the table: those of its group, or everyone."""
        return [key for key in self.result_set.by_player if self.settings.group in ("", self.people[key].group)]

    @cached_property
    def qualified(self) -> list[Hashable]:
        return [player for player in self.listed if self.lack(player) is None]

    def lack(self, player: Hashable) -> Lack | None:
        """Return why a player is not ranked, or None if ranked."""
        is_guest = self.people[player].guest and not self.settings.group
        if not is_guest and played_enough(self.result_set, player, self.settings):
            return None
        played = self.result_set.totals[player].sessions
        return Lack(is_guest, played, self.settings.minimum_sessions, self.settings.unit)

    @cached_property
    def positions(self) -> dict[Hashable, int]:
        """The positions of all ranked players."""
        return self._numbered(self.qualified)

    @cached_property
    def provisional_positions(self) -> dict[Hashable, int]:
        """The positions of all who may be ranked later, while nobody has played enough; empty once someone has."""
        if self.qualified:
            return {}
        return self._numbered([key for key in self.listed if self.settings.group or not self.people[key].guest])

    def _numbered(self, players: list[Hashable]) -> dict[Hashable, int]:
        """Return the positions of these players; those level on every tie-break share one."""
        result_set = self.result_set
        figures, _ = over_one_denominator(self.values[player] for player in players)
        value = dict(zip(players, figures, strict=True))

        def tie_break_figures(player: Hashable) -> tuple[int, int, int, int]:
            totals = result_set.totals[player]
            return value[player], totals.net, totals.won or 0, totals.best_session

        numbered: dict[Hashable, int] = {}
        for level in grouped(sorted(players, key=tie_break_figures, reverse=True), tie_break_figures).values():
            for sharing in separated_by_meetings(result_set, level):
                position = len(numbered) + 1
                for player in sharing:
                    numbered[player] = position
        return numbered

    @cached_property
    def rows(self) -> list[Standing]:
        """The league table: ranked rows in order of position, then name; then the unranked by name."""
        sharing = grouped(self.positions.values(), lambda position: position)
        rows = []
        for player in self.listed:
            person, totals, value = self.people[player], self.result_set.totals[player], self.values[player]
            position = self.positions.get(player)
            row = Standing(
                position,
                player,
                person.name,
                person.guest,
                *totals[:-1],
                value=value,
                shown=rounded(value, self.settings.row.decimals),
                lack=self.lack(player),
                shared=position is not None and len(sharing[position]) > 1,
                still_playing=totals.still_playing,
            )
            rows.append(row)
        return sorted(rows, key=lambda row: (row.position is None, row.position or 0, row.name))


def rank(
    results: Iterable[Result],
    competitors: Iterable[Competitor],
    settings: Settings,
    results_before: Iterable[Result] | None = None,
) -> Ranking:
    """Return the ranking of these results; see Ranking."""
    before = None if results_before is None else result_set_of(results_before)
    return Ranking(result_set_of(results), {competitor.key: competitor for competitor in competitors}, settings, before)


def played_enough(result_set: ResultSet, player: Hashable, settings: Settings) -> bool:
    """Return whether a player has enough sessions or, if the season allows it, enough hands to be ranked."""
    if result_set.totals[player].sessions >= settings.minimum_sessions:
        return True
    return settings.minimum_hands is not None and result_set.hands(player) >= settings.minimum_hands


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


def small_print(settings: Settings) -> list[str]:
    """Return the sentences under a table: the method, who is ranked and how ties are broken."""
    words, unit = WORDS[settings.unit], settings.unit
    needed = f"at least {settings.minimum_words}"
    if settings.minimum_hands is not None:
        needed += f" or at least {number_of(settings.minimum_hands, 'hand')}"
    figures = {
        "best_n": best_in_words(settings.best_n, unit),
        "scale": scale_in_words(settings.position_points),
        "dropped": dropped_in_words(settings.drop_worst),
    }
    together = ["What you play at one meeting counts as one result."] if settings.by_meeting and unit == MEETING else []
    return [
        settings.row.sentence.format(**words, **figures),
        *together,
        WHO_RANKS["everyone" if settings.of_games else settings.group].format(needed=needed),
        TIES.format(**words),
    ]


def number_of(number: int, unit: str) -> str:
    """Return a number with its unit: 1 table, 3 tables."""
    return f"{number} {unit}{'' if number == 1 else 's'}"


def best_in_words(number: int, unit: str) -> str:
    """Say what counts of the best few: your best table, or the total of your best 6 tables."""
    if number == 1:
        return f"your best {unit}"
    return f"the total of your best {number_of(number, unit)}, or of all your {unit}s if you played fewer"


def scale_in_words(points: tuple[int, ...]) -> str:
    """Say how many points each position at a meeting gives."""
    if not points:
        return "1 for the last player, and 1 more for each position above"
    return f"{', '.join(map(str, points))}{'' if points[-1] == 0 else ', then 0'}"


def dropped_in_words(number: int) -> str:
    """Say which meetings do not count for a player; empty if all do."""
    if not number:
        return ""
    lowest = "lowest meeting does" if number == 1 else f"{number} lowest meetings do"
    return f" Your {lowest} not count. A meeting that you missed counts as 0 points."
