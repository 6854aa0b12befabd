"""Who sits where in the next hand: East, the empty chair, who sits out, the wind of the round; tables of 3, 4 and 5.

Seats are numbers that never change; the winds move round the chairs. Nothing here is about points and payments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from clubscore.scoring.switches import HouseRules
from clubscore.scoring.tiles import WINDS
from clubscore.scoring.words import literal

OFFICIAL = "official"
HAND_KINDS = ("won", "drawn", "void")

HandKind = Literal["won", "drawn", "void"]
Winds = tuple[int | None, ...]

# Where the next round's East, South, West and North sat at the start of the round that ends: A B C D, then B A D C,
# C D B A, D C A B, and a new game begins in the seats of the first.
SEAT_CHANGES = {"E": (1, 0, 3, 2), "S": (3, 2, 0, 1), "W": (1, 0, 3, 2), "N": (2, 3, 1, 0)}


class RotationError(ValueError):
    """An impossible change of seats, as a sentence with {seat}, or {Seat} at its beginning, for the seat it is about.

    `with_seats` is the sentence with {1} for the seat, to be replaced by the player's name.
    """

    def __init__(self, sentence: str, seat: int | None = None, typed: str = "") -> None:
        super().__init__(sentence.format(seat=f"seat {seat}", Seat=f"Seat {seat}", typed=typed))
        self.with_seats = sentence.format(seat=f"{{{seat}}}", Seat=f"{{{seat}}}", typed=literal(typed))


@dataclass(frozen=True)
class SeatingState:
    """Everything the rotation remembers before a hand.

    `winds` are the seats at East, South, West and North, None for the empty chair of three players. `first_east` is the
    seat that was first East of this round; a seat that is no longer at the table stands for the empty chair.
    """

    winds: Winds
    first_east: int
    out: tuple[int, ...] = ()
    wind_of_round: str = "E"
    kept: int = 0
    goulash: bool = False
    hands_in_round: int = 0
    game: int = 1

    @property
    def east(self) -> int:
        """Return the seat that is East; that chair is never empty."""
        east = self.winds[0]
        if east is None:
            raise RotationError("East cannot be the empty seat.")
        return east

    @property
    def seated(self) -> dict[str, int]:
        """Return who plays the hand: wind letter -> seat."""
        return {wind: seat for wind, seat in zip(WINDS, self.winds, strict=True) if seat is not None}

    @property
    def at_table(self) -> tuple[int, ...]:
        """Return every seat at the table, those who play in wind order, then who sits out."""
        return tuple(seat for seat in self.winds if seat is not None) + self.out

    @property
    def is_new_game(self) -> bool:
        """Return whether the coming hand begins a second or later game, the North round being over."""
        return self.game > 1 and self.wind_of_round == "E" and self.hands_in_round == 0

    def wind_of(self, seat: int) -> str | None:
        """Return the wind letter of a seat, None for one who sits out or is not at the table."""
        return WINDS[self.winds.index(seat)] if seat in self.winds else None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON, the inverse of from_dict."""
        return {
            "winds": list(self.winds),
            "first_east": self.first_east,
            "out": list(self.out),
            "wind_of_round": self.wind_of_round,
            "kept": self.kept,
            "goulash": self.goulash,
            "hands_in_round": self.hands_in_round,
            "game": self.game,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SeatingState:
        """Read what to_dict wrote."""
        return cls(**{**data, "winds": tuple(data["winds"]), "out": tuple(data["out"])})


@dataclass(frozen=True)
class HandOutcome:
    """What one hand did to the deal; `winners` are seats. A false Mah-jong that ends the hand makes it void."""

    kind: HandKind
    winners: tuple[int, ...] = ()


def first_seating(seats: Iterable[int], house_rules: HouseRules) -> SeatingState:
    """Seat three to five for the first hand, in the order East, South, West, North, sitting out."""
    order = tuple(seats)
    if len(set(order)) != len(order):
        raise RotationError("No one can have two seats at one table.")
    if not 3 <= len(order) <= 5:
        raise RotationError(f"A table seats three, four or five players, not {len(order)}.")
    if house_rules.rotation == OFFICIAL and len(order) != 4:
        raise RotationError(f"Under these rules a table seats four players, not {len(order)}.")
    winds: Winds = order[:4] if len(order) > 3 else (*order, None)
    return SeatingState(winds=winds, first_east=order[0], out=order[4:])


def east_stays(kind: HandKind, winner_winds: Iterable[str], house_rules: HouseRules) -> bool:
    """Return whether East deals again, going by this hand alone (`east_max` depends on earlier hands)."""
    if kind == "won":
        return "E" in winner_winds and bool(house_rules.east_stays_on_win)
    return kind == "void" or bool(house_rules.east_stays_on_draw)


def next_is_goulash(kind: HandKind, goulash: bool, house_rules: HouseRules) -> bool:
    """Return whether the next hand is a goulash; a void hand is played again as it was."""
    return goulash if kind == "void" else kind == "drawn" and bool(house_rules.goulash)


def next_seating(seating: SeatingState, outcome: HandOutcome, house_rules: HouseRules) -> SeatingState:
    """Return the seating of the next hand.

    A void hand changes nothing; a hand without a winner leaves the number of deals East has kept as it is.
    """
    if outcome.kind not in HAND_KINDS:
        raise RotationError("A hand is won, drawn or void, not {typed}.", typed=repr(outcome.kind))
    if outcome.kind == "void":
        return seating
    after = replace(
        seating,
        hands_in_round=seating.hands_in_round + 1,
        goulash=next_is_goulash(outcome.kind, seating.goulash, house_rules),
    )
    winner_winds = [seating.wind_of(seat) or "" for seat in outcome.winners]
    if not east_stays(outcome.kind, winner_winds, house_rules):
        return _deal_passed(after, house_rules)
    if outcome.kind == "drawn":
        return after
    if has_kept_most(seating, outcome, house_rules):
        return _deal_passed(after, house_rules)
    return replace(after, kept=seating.kept + 1)


def has_kept_most(seating: SeatingState, outcome: HandOutcome, house_rules: HouseRules) -> bool:
    """Return whether East would deal again for this Mah-jong, but has kept the deal as often as `east_max` allows."""
    winner_winds = [seating.wind_of(seat) or "" for seat in outcome.winners]
    is_most = house_rules.east_max is not None and seating.kept >= house_rules.east_max
    return is_most and outcome.kind == "won" and east_stays(outcome.kind, winner_winds, house_rules)


def ahead(seating: SeatingState, house_rules: HouseRules, passes: int) -> tuple[SeatingState, ...]:
    """Return the seatings after the deal has passed once, twice … `passes` times in a row."""
    coming = []
    for _ in range(passes):
        seating = _deal_passed(replace(seating, hands_in_round=seating.hands_in_round + 1, goulash=False), house_rules)
        coming.append(seating)
    return tuple(coming)


# A table has five players at most.
LONGEST_ROUND = 5


def hands_to_fair_end(seating: SeatingState, house_rules: HouseRules) -> int | None:
    """Return the fewest hands left in the round, including the next one; None if it is longer than five hands."""
    coming = enumerate(ahead(seating, house_rules, LONGEST_ROUND), 1)
    return next((number for number, after in coming if not after.hands_in_round), None)


def hands_until_east(seating: SeatingState, house_rules: HouseRules) -> dict[int, int]:
    """Return the number of the hand, from the next one (1), in which each seat can be East at the earliest."""
    found = {seating.east: 1}
    for number, after in enumerate(ahead(seating, house_rules, LONGEST_ROUND), 2):
        found.setdefault(after.east, number)
    return {seat: number for seat, number in found.items() if seat in seating.at_table}


def next_out(seating: SeatingState, house_rules: HouseRules) -> tuple[int, ...]:
    """Return who sits out once the deal has passed."""
    return ahead(seating, house_rules, 1)[0].out


def arrive(seating: SeatingState, seat: int) -> SeatingState:
    """Seat a newcomer: the empty chair if there is one, else the newcomer sits out and comes in next."""
    if seat in seating.at_table:
        raise RotationError("{Seat} is at this table already.", seat)
    if None in seating.winds:
        return replace(
            seating,
            winds=tuple(seat if other is None else other for other in seating.winds),
            first_east=seating.first_east if seating.first_east in seating.at_table else seat,
        )
    if seating.out:
        raise RotationError("There are five players at this table already. No one else can join it.")
    return replace(seating, out=(seat,))


def leave(seating: SeatingState, seat: int) -> SeatingState:
    """Take a player from the table.

    The player sitting out takes the chair of one who plays. If nobody sits out, the chair stays empty, and the deal
    passes if it was East's. A player who takes the chair of the round's first East counts as first East; if the first
    East leaves while sitting out, it is North, who came in for them.
    """
    _check_at_table(seating, seat)
    if seat in seating.out:
        stay = tuple(other for other in seating.out if other != seat)
        return replace(_first_east_handed(seating, seat, seating.winds[3]), out=stay)
    if seating.out:
        substitute, *stay_out = seating.out
        return replace(_first_east_handed(_replaced(seating, seat, substitute), seat, substitute), out=tuple(stay_out))
    if None in seating.winds:
        raise RotationError("A table needs three players: {seat} cannot leave while only three play.", seat)
    emptied = _replaced(seating, seat, None)
    return emptied if seat != seating.east else _east_gone(emptied)


def exchange(seating: SeatingState, a: int, b: int) -> SeatingState:
    """Swap two players, who may play or sit out; the first East of the round is the chair, not the person."""
    _check_at_table(seating, a)
    _check_at_table(seating, b)
    swap = {a: b, b: a}
    return replace(
        seating,
        winds=tuple(None if seat is None else swap.get(seat, seat) for seat in seating.winds),
        out=tuple(swap.get(seat, seat) for seat in seating.out),
        first_east=swap.get(seating.first_east, seating.first_east),
        kept=0 if seating.east in swap and a != b else seating.kept,
    )


def seat_as(seating: SeatingState, winds: Mapping[str, int], out: Iterable[int] = ()) -> SeatingState:
    """Return the seating as the players really sat: wind letter -> seat (three or four winds), and who sits out.

    The wind of the round stays, with two exceptions. Seats as they would be had the deal passed once more count as that
    passing, and seats as they were before the passing that began this round take it back.
    """
    seats: Winds = tuple(winds.get(wind) for wind in WINDS)
    sits_out = tuple(out)
    _check_seats(seating, winds, seats, sits_out)
    seated = replace(seating, winds=seats, out=sits_out)
    if seated.east == seating.east:
        return seated
    seated = replace(seated, kept=0)
    if seating.hands_in_round == 0:
        return _round_reopened(seating, seated) or replace(seated, first_east=seated.east)
    passed, _ = _passed_once(seating)
    return passed if (passed.winds, passed.out) == (seats, sits_out) else seated


def _check_at_table(seating: SeatingState, seat: int) -> None:
    if seat not in seating.at_table:
        raise RotationError("{Seat} is not at this table.", seat)


def _check_seats(seating: SeatingState, winds: Mapping[str, int], seats: Winds, out: tuple[int, ...]) -> None:
    for wind in winds:
        if wind not in WINDS or len(wind) != 1:
            raise RotationError("{typed} is not a wind. The winds are E, S, W and N.", typed=repr(wind))
    named = [seat for seat in seats if seat is not None] + list(out)
    if len(set(named)) != len(named):
        raise RotationError("No one can sit in two seats.")
    for seat in named:
        _check_at_table(seating, seat)
    for seat in seating.at_table:
        if seat not in named:
            raise RotationError("{Seat} has no seat in this seating.", seat)
    if seats[0] is None:
        raise RotationError("East cannot be the empty seat.")
    if None in seats and out:
        raise RotationError("No one sits out while a seat is empty.")
    if seats.count(None) > 1 or len(out) > 1:
        raise RotationError("Three or four play, and at most one sits out.")


def _replaced(seating: SeatingState, seat: int, substitute: int | None) -> SeatingState:
    """Put a player, or no one, in a player's chair; a new East has kept no deal."""
    winds = tuple(substitute if other == seat else other for other in seating.winds)
    return replace(seating, winds=winds, kept=0 if seat == seating.east else seating.kept)


def _first_east_handed(seating: SeatingState, seat: int, heir: int | None) -> SeatingState:
    return replace(seating, first_east=heir) if seating.first_east == seat and heir is not None else seating


def _east_gone(seating: SeatingState) -> SeatingState:
    """Pass the deal on from East's chair, just left empty; before the round's first hand the next East is its first."""
    passed, _ = _passed_once(seating)
    return replace(passed, first_east=passed.east) if seating.hands_in_round == 0 else passed


def _deal_passed(seating: SeatingState, house_rules: HouseRules) -> SeatingState:
    """Pass the deal, with the change of seats between rounds if the rules have one."""
    passed, is_new_round = _passed_once(seating)
    if not (is_new_round and house_rules.rotation == OFFICIAL):
        return passed
    winds: Winds = tuple(passed.winds[place] for place in SEAT_CHANGES[seating.wind_of_round])
    changed = replace(passed, winds=_turned(winds) if winds[0] is None else winds)
    return replace(changed, first_east=changed.east)


def _passed_once(seating: SeatingState) -> tuple[SeatingState, bool]:
    """Pass the deal to the old South, over the empty chair; old East sits out if someone waits to come in as North.

    Return the seating and whether that began a new round: East came back to the round's first East, or over the empty
    chair that is in its place.
    """
    winds = _turned(seating.winds)
    out = seating.out
    if out:
        winds, out = (*winds[:3], out[0]), (*out[1:], seating.east)
    passes_the_empty_seat = winds[0] is None
    passed = replace(seating, winds=_turned(winds) if passes_the_empty_seat else winds, out=out, kept=0)
    first_east_is_absent = seating.first_east not in seating.at_table
    is_new_round = passed.east == seating.first_east or (passes_the_empty_seat and first_east_is_absent)
    return (_next_round(passed), True) if is_new_round else (passed, False)


def _next_round(seating: SeatingState) -> SeatingState:
    return replace(
        seating,
        wind_of_round=WINDS[(WINDS.index(seating.wind_of_round) + 1) % 4],
        first_east=seating.east,
        hands_in_round=0,
        game=seating.game + (seating.wind_of_round == "N"),
    )


def _round_reopened(seating: SeatingState, seated: SeatingState) -> SeatingState | None:
    """Take back the passing that began a round, if passing the deal from `seated` is what began it."""
    if seating.game == 1 and seating.wind_of_round == "E":
        return None
    wind = WINDS[WINDS.index(seating.wind_of_round) - 1]
    before = replace(
        seated, wind_of_round=wind, game=seating.game - (wind == "N"), first_east=seating.east, hands_in_round=1
    )
    return before if _passed_once(before)[0] == replace(seating, kept=0) else None


def _turned(winds: Winds) -> Winds:
    return winds[1:] + winds[:1]
