"""Seatings that are likely to be what was really played, worked out from the rotation, to choose by one tap."""

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


def ready_seatings(names: Any, before: Any, seating: Any, house: Any) -> Any:
    """Return the seatings to offer before the next hand, the likeliest first and none twice.

    `names` by seat number; `before`: the seating of the last hand, None where there is none.
    """
    offered, seen = [], {(seating.winds, seating.out)}
    for why, likely in _likely(before, seating, house):
        if (likely.winds, likely.out) not in seen:
            seen.add((likely.winds, likely.out))
            offered.append(_told(why, likely, names))
    return offered


def _likely(before: Any, seating: Any, house: Any) -> Any:
    """Yield pairs (why, seating): the deal the other way; who else sits out, or with nobody out who else is East."""
    coming = ahead(seating, house, len(seating.seated))
    if before and before.east != seating.east and set(before.at_table) == set(seating.at_table):
        yield STAYED, before
    elif before and _can_be_told(seating, coming[0]):
        yield PASSED, coming[0]
    for out in seating.out:
        for seat in seating.seated.values():
            yield OTHER_OUT, exchange(seating, seat, out)
    if not seating.out:
        yield from ((TURNED, turned) for turned in coming)


def _can_be_told(seating: Any, passed: Any) -> Any:
    """Say whether the ledger takes these seats for the deal having passed, as it does but for a change of seats."""
    try:
        return seat_as(seating, passed.seated, passed.out).wind_of_round == passed.wind_of_round
    except RotationError:
        return False


def _told(why: Any, seating: Any, names: Any) -> Any:
    out = "".join(f", {names[seat]} sits out" for seat in seating.out)
    seated = ", ".join(f"{names[seat]} {WIND_NAMES[wind]}" for wind, seat in seating.seated.items())
    winds = {wind: str(seating.seated.get(wind, "")) for wind in WINDS}
    return ReadySeating(why, f"{names[seating.east]} is East{out}", seated, winds)
