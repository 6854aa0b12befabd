"""What is counted for standings, as plain values: a result is one player's account of one session. No database here."""
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property


@dataclass(frozen=True)
class Result:
    """One player's account of one session, as its tally has it."""

    session: Hashable
    date: date
    table: int
    player: Hashable
    hands: int
    won: int
    gained: int
    lost: int
    net: int
    best_hand: int | None = None
    still_playing: bool = False

    def joined(self, other: "Result") -> "Result":
        """Return one account for a player who had two seats in a session."""
        best_hands = [hand for hand in (self.best_hand, other.best_hand) if hand is not None]
        return replace(
            self,
            hands=self.hands + other.hands,
            won=self.won + other.won,
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
    """The counted results of a span, by session (in order of date, then table) and by player."""

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

    def hands(self, player: Hashable) -> int:
        return sum(result.hands for result in self.by_player[player])

    def won(self, player: Hashable) -> int:
        return sum(result.won for result in self.by_player[player])

    def net(self, player: Hashable) -> int:
        return sum(result.net for result in self.by_player[player])

    def best_session(self, player: Hashable) -> int:
        return max(result.net for result in self.by_player[player])

    def best_hand(self, player: Hashable) -> int | None:
        return max((r.best_hand for r in self.by_player[player] if r.best_hand is not None), default=None)


def book_of(results: Iterable[Result]) -> Book:
    """Make a book of results: who played no hand in a session has no session there, two seats of a player are one."""
    joined: dict[tuple, Result] = {}
    for result in results:
        key = (result.session, result.player)
        joined[key] = joined[key].joined(result) if key in joined else result
    counted = [result for result in joined.values() if result.hands > 0]
    return Book(tuple(sorted(counted, key=lambda result: (result.date, result.table))))


def places(nets: dict[Hashable, int]) -> dict[Hashable, int]:
    """Return the place of everybody in a session by net; equal nets share the better number (1, 1, 3)."""
    return {key: 1 + sum(other > net for other in nets.values()) for key, net in nets.items()}
