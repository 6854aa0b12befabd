"""Who sits where, by the rotation: in the hands of a paper score sheet, and those that players may choose from."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from clubscore.play.replay import outcome_of
from clubscore.scoring.rotation import WINDS, RotationError, SeatingState, ahead, exchange, next_seating, seat_as
from clubscore.scoring.switches import HouseRules
from clubscore.scoring.tiles import WIND_NAMES

NO_WINNER = "D"


def winner_of(text: str, seating: SeatingState, names: Mapping[int, str]) -> int | str | None:
    """Read who went Mah-jong: a seat number, NO_WINNER, or None if it is no player of this hand."""
    word = text.strip().lower()
    if word in ("d", "nobody", "drawn"):
        return NO_WINNER
    winds = {letter.lower(): seat for letter, seat in seating.seated.items()}
    winds |= {WIND_NAMES[letter].lower(): seat for letter, seat in seating.seated.items()}
    if word in winds:
        return winds[word]
    if word.isdecimal():
        return next((seat for seat in seating.winds if str(seat) == word), None)
    if len(word) <= 1:
        return None
    named = [seat for seat in seating.seated.values() if names[seat].lower().startswith(word)]
    return named[0] if len(named) == 1 else None


def seating_after(seating: SeatingState, winner: int | str | None, house: HouseRules) -> SeatingState | None:
    """Return the seating of the next hand, or None if the `winner` is (see winner_of)."""
    if winner is None:
        return None
    outcome = outcome_of({"mahjong": None if winner == NO_WINNER else {"by": str(winner)}}, house)
    return next_seating(seating, outcome, house)


def deals(
    seating: SeatingState, house: HouseRules, winners: Iterable[str], names: Mapping[int, str]
) -> list[dict[str, Any]]:
    """Return who sits where in each hand and after the last one; the first winner that cannot be read ends the list.

    `winners` are as winner_of reads them. Each becomes a seat number or NO_WINNER, or None.
    """
    found = []
    current: SeatingState | None = seating
    for text in [*winners, ""]:
        if current is None:
            break
        winner = winner_of(text, current, names)
        found.append(
            {
                "winds": {wind: str(seat) for wind, seat in current.seated.items()},
                "round": current.wind_of_round,
                "goulash": current.goulash,
                "winner": winner if winner is None else str(winner),
            }
        )
        current = seating_after(current, winner, house)
    return found


# Seatings that players probably had, to choose by one tap.


@dataclass(frozen=True)
class LikelySeating:
    """A seating to offer: why, in a few words, who sits where, and the winds as the form takes them."""

    why: str
    name: str
    seated: str
    winds: dict[str, str]


def likely_seatings(
    names: Mapping[int, str], before: SeatingState | None, seating: SeatingState, house: HouseRules
) -> list[LikelySeating]:
    """Return the seatings to offer before the next hand, each once and the likeliest first.

    `names` by seat number; `before` is the seating of the last hand, None if there is none.
    """
    offered, seen = [], {(seating.winds, seating.out)}
    for why, likely in _likely(before, seating, house):
        if (likely.winds, likely.out) in seen:
            continue
        seen.add((likely.winds, likely.out))
        out = "".join(f", {names[seat]} sits out" for seat in likely.out)
        seated = ", ".join(f"{names[seat]} {WIND_NAMES[wind]}" for wind, seat in likely.seated.items())
        winds = {wind: str(likely.seated.get(wind, "")) for wind in WINDS}
        offered.append(LikelySeating(why, f"{names[likely.east]} is East{out}", seated, winds))
    return offered


def _likely(
    before: SeatingState | None, seating: SeatingState, house: HouseRules
) -> Iterator[tuple[str, SeatingState]]:
    """Yield (why, seating): the deal the other way, then someone else sitting out, or else someone else as East."""
    coming = ahead(seating, house, len(seating.seated))
    if before and before.east != seating.east and set(before.at_table) == set(seating.at_table):
        yield "The deal stayed after all", before
    elif before and _is_deal_passed(seating, coming[0]):
        yield "The deal passed after all", coming[0]
    for out in seating.out:
        for seat in seating.seated.values():
            yield "Someone else sits out", exchange(seating, seat, out)
    if not seating.out:
        yield from (("Someone else was East", turned) for turned in coming)


def _is_deal_passed(seating: SeatingState, passed: SeatingState) -> bool:
    """Whether the ledger would read these seats as the deal having passed; it does not if players change seats."""
    try:
        return seat_as(seating, passed.seated, passed.out).wind_of_round == passed.wind_of_round
    except RotationError:
        return False
