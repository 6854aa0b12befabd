"""What is counted for standings, as plain values: a result is one player's account of one session. No database here."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple


class Result(NamedTuple):
    """One player's account of one session, as its tally has it; None where hands and won are not known."""

    session: Hashable
    date: date
    table: int
    player: Hashable
    hands: int | None
    won: int | None
    gained: int
    lost: int
    net: int
    best_hand: int | None = None
    still_playing: bool = False

    def joined(self, other: "Result") -> "Result":
        """Return one account for a player who had two seats in a session."""
        best_hands = [hand for hand in (self.best_hand, other.best_hand) if hand is not None]
        return self._replace(
            hands=None if None in (self.hands, other.hands) else self.hands + other.hands,
            won=None if None in (self.won, other.won) else self.won + other.won,
            gained=self.gained + other.gained,
            lost=self.lost + other.lost,
            net=self.net + other.net,
            best_hand=max(best_hands, default=None),
        )


@dataclass(frozen=True)
class Competitor:
    """Somebody who may stand in a table; guests never rank."""

    key: Hashable
    name: str
    guest: bool = False


@dataclass(frozen=True)
class Book:
    """The counted results of a span, by session (in order of date, table, then as they were begun) and by player."""

    results: tuple[Result, ...]

    @cached_property
    def by_session(self) -> dict[Hashable, list[Result]]:
        sessions = defaultdict(list)
        for result in self.results:
            sessions[result.session].append(result)
        return dict(sessions)

    @cached_property
    def by_player(self) -> dict[Hashable, list[Result]]:
        players = defaultdict(list)
        for result in self.results:
            players[result.player].append(result)
        return dict(players)

    @cached_property
    def totals(self) -> dict[Hashable, "Totals"]:
        return {player: totals_of(own) for player, own in self.by_player.items()}

    @cached_property
    def with_known_hands(self) -> "Book":
        """The book of those results alone that may be divided by their hands."""
        known = tuple(result for result in self.results if result.hands is not None)
        return self if len(known) == len(self.results) else Book(known)

    def hands(self, player: Hashable) -> int:
        return self.totals[player].hands or 0

    def net(self, player: Hashable) -> int:
        return self.totals[player].net

    def earlier_than(self, day: date) -> "Book":
        """Return the book of what was counted before a day."""
        return Book(tuple(result for result in self.results if result.date < day))


class Totals(NamedTuple):
    """What a player's counted results come to; hands and won are those known, None where none are."""

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
    """Add up one player's results, of which there is at least one."""
    _, _, _, _, hands, won, gained, lost, nets, best_hands, playing = zip(*results, strict=True)
    best_hand = max((hand for hand in best_hands if hand is not None), default=None)
    known = sum_of_known(hands), sum_of_known(won)
    return Totals(len(results), *known, sum(gained), sum(lost), sum(nets), max(nets), best_hand, any(playing))


def sum_of_known(figures: Iterable[int | None]) -> int | None:
    """Add up what is known; None where nothing is."""
    known = [figure for figure in figures if figure is not None]
    return sum(known) if known else None


def book_of(results: Iterable[Result]) -> Book:
    """Make a book of results: who played no hand in a session has no session there, two seats of a player are one."""
    joined: dict[tuple, Result] = {}
    for result in results:
        key = (result.session, result.player)
        joined[key] = joined[key].joined(result) if key in joined else result
    counted = [result for result in joined.values() if result.hands != 0]
    return Book(tuple(sorted(counted, key=lambda result: (result.date, result.table, result.session))))


def places(nets: dict[Hashable, int]) -> dict[Hashable, int]:
    """Return the place of everybody in a session by net; equal nets share the better number (1, 1, 3)."""
    return {key: 1 + sum(other > net for other in nets.values()) for key, net in nets.items()}
