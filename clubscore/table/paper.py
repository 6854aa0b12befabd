"""The hands of a paper score sheet before their scores are known: who went Mah-jong, and who sits where after it."""

from collections.abc import Iterable, Mapping
from typing import Any

from clubscore.scoring.rotation import SeatingState, next_seating
from clubscore.scoring.switches import HouseRules
from clubscore.table.live_scoring import WIND_NAMES
from clubscore.table.replay import outcome_of

NOBODY = "D"


def winner_of(text: str, seating: SeatingState, names: Mapping[int, str]) -> int | str | None:
    """Read who went Mah-jong: NOBODY, a seat number, or None where it is nobody who plays in this seating."""
    word = text.strip().lower()
    if word in ("d", "nobody", "drawn"):
        return NOBODY
    winds = {letter.lower(): seat for letter, seat in seating.seated.items()}
    winds |= {WIND_NAMES[letter].lower(): seat for letter, seat in seating.seated.items()}
    if word in winds:
        return winds[word]
    if word.isdecimal():
        return next((seat for seat in seating.winds if str(seat) == word), None)
    if len(word) <= 1:
        return None
    called = [seat for seat in seating.seated.values() if names[seat].lower().startswith(word)]
    return called[0] if len(called) == 1 else None


def seating_after(seating: SeatingState, winner: int | str | None, house: HouseRules) -> SeatingState | None:
    """Return the next hand's seating, as winner_of read who won this one; None where that is not known."""
    if winner is None:
        return None
    outcome = outcome_of({"mahjong": None if winner == NOBODY else {"by": str(winner)}}, house)
    return next_seating(seating, outcome, house)


def deals(seating: SeatingState, house: HouseRules, winners: Iterable[str]) -> list[dict[str, Any]]:
    """Return who sits where in each hand, up to the first whose winner cannot be read, or to the one after all of them.

    `winners` are letters of winds, seat numbers or NOBODY; each is answered as a seat number or NOBODY, None unread.
    """
    found, coming = [], seating
    for text in [*winners, ""]:
        winner = winner_of(text, coming, {})
        found.append(
            {
                "winds": {wind: str(seat) for wind, seat in coming.seated.items()},
                "round": coming.wind_of_round,
                "goulash": coming.goulash,
                "winner": winner if winner is None else str(winner),
            }
        )
        after = seating_after(coming, winner, house)
        if after is None:
            break
        coming = after
    return found
