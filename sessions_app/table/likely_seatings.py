"""Seatings that are likely to be what was really played, reckoned from the rotation, to choose by one tap."""

from dataclasses import dataclass

from clubscore.scoring.rotation import WINDS, Chairs, RotationError, ahead, exchange, seat_as
from sessions_app.table.sheet import WIND_NAMES

PASSED = "The deal passed after all"


STAYED = "The deal stayed after all"


TURNED = "Somebody else was East"


OTHER_OUT = "Somebody else sits out"


@dataclass(frozen=True)
class ReadySeating:
    """One seating: why it may be so, what it says in short, who sits where, and the winds as the form takes them."""

    why: str
    name: str
    seated: str
    winds: dict[str, str]


def ready_seatings(sheet, chairs, house):
    """Return the seatings to offer before the next hand, the likeliest first and none twice."""
    names = {seat.chair: seat.player.name for seat in sheet.seats}
    offered, seen = [], {(chairs.winds, chairs.out)}
    for why, likely in _likely(sheet, chairs, house):
        if (likely.winds, likely.out) not in seen:
            seen.add((likely.winds, likely.out))
            offered.append(_told(why, likely, names))
    return offered


def _likely(sheet, chairs, house):
    """Yield pairs (why, Chairs): the deal the other way; who else sits out, or with nobody out who else is East."""
    before = Chairs.from_dict(sheet.hands[-1].hand.chairs) if sheet.hands else None
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


def _can_be_told(chairs, passed):
    """Say whether the ledger takes these seats for the deal having passed, as it does but for a change of seats."""
    try:
        return seat_as(chairs, passed.seated, passed.out).wind_of_round == passed.wind_of_round
    except RotationError:
        return False


def _told(why, chairs, names):
    out = "".join(f", {names[seat]} sits out" for seat in chairs.out)
    seated = ", ".join(f"{names[seat]} {WIND_NAMES[wind]}" for wind, seat in chairs.seated.items())
    winds = {wind: str(chairs.seated.get(wind, "")) for wind in WINDS}
    return ReadySeating(why, f"{names[chairs.east]} is East{out}", seated, winds)
