"""Seatings that are likely to be what was really played, reckoned from the rotation, to choose by one tap."""

from dataclasses import dataclass
from typing import Any

from clubscore.scoring.rotation import WINDS, RotationError, ahead, exchange, seat_as
from clubscore.scoring.tiles import WIND_NAMES

PASSED = "The deal passed after all"
STAYED = "The deal stayed after all"
TURNED = "Someone else was East"
OTHER_OUT = "Someone else sits out"


@dataclass(frozen=True)
class ReadySeating:
    """One seating: why it may be so, what it says in short, who sits where, and the winds as the form takes them."""

    why: str
    name: str
    seated: str
    winds: dict[str, str]


def ready_seatings(names: Any, before: Any, chairs: Any, house: Any) -> Any:
    """Return the seatings to offer before the next hand, the likeliest first and none twice.

    `names` by seat number; `before`: the Chairs of the last hand, None where there is none.
    """
    offered, seen = [], {(chairs.winds, chairs.out)}
    for why, likely in _likely(before, chairs, house):
        if (likely.winds, likely.out) not in seen:
            seen.add((likely.winds, likely.out))
            offered.append(_told(why, likely, names))
    return offered


def _likely(before: Any, chairs: Any, house: Any) -> Any:
    """Yield pairs (why, Chairs): the deal the other way; who else sits out, or with nobody out who else is East."""
    coming = ahead(chairs, house, len(chairs.seated))
    if before and before.east != chairs.east and set(before.at_table) == set(chairs.at_table):
        yield STAYED, before
    elif before and _can_be_told(chairs, coming[0]):
        yield PASSED, coming[0]
    for out in chairs.out:
        for seat in chairs.seated.values():
            yield OTHER_OUT, exchange(chairs, seat, out)
    if not chairs.out:
        yield from ((TURNED, turned) for turned in coming)


def _can_be_told(chairs: Any, passed: Any) -> Any:
    """Say whether the ledger takes these seats for the deal having passed, as it does but for a change of seats."""
    try:
        return seat_as(chairs, passed.seated, passed.out).wind_of_round == passed.wind_of_round
    except RotationError:
        return False


def _told(why: Any, chairs: Any, names: Any) -> Any:
    out = "".join(f", {names[seat]} sits out" for seat in chairs.out)
    seated = ", ".join(f"{names[seat]} {WIND_NAMES[wind]}" for wind, seat in chairs.seated.items())
    winds = {wind: str(chairs.seated.get(wind, "")) for wind in WINDS}
    return ReadySeating(why, f"{names[chairs.east]} is East{out}", seated, winds)
