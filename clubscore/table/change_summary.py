"""Sentences about what a change of the ledger did to other hands. Seats are written {1}, so that no name is stored."""

from typing import Any

from clubscore.scoring.tiles import WIND_NAMES


def describe_changes(before: Any, after: Any, besides: Any = None) -> Any:
    """Return a sentence for each hand whose seats or scores have changed, but not for the hand `besides`."""
    old = {hand.key: hand for hand in before.hands}
    sentences = []
    for hand in after.hands:
        if hand.key in old and hand.key != besides and hand is not old[hand.key]:
            sentences += _describe_hand(old[hand.key], hand)
    sentences += [
        question for key, question in after.questions.items() if key not in before.questions and not after.hand(key)
    ]
    return sentences + _describe_next(before.seating, after.seating)


def _describe_hand(old: Any, new: Any) -> Any:
    parts = _describe_seats(old.seating, new.seating)
    nets = {seat.seat: seat.net for seat in old.seats}
    if any(nets.get(seat.seat, 0) != seat.net for seat in new.seats):
        parts.append("the payments are different")
    if new.seating.goulash != old.seating.goulash:
        parts.append("it is now a goulash" if new.seating.goulash else "it is no longer a goulash")
    sentences = [f"Hand {new.number}: {'; '.join(parts)}."] if parts else []
    if new.question and new.question != old.question:
        sentences.append(f"Please check hand {new.number}: {new.question}")
    if old.question and not new.question:
        sentences.append(f"Hand {new.number} no longer needs checking.")
    return sentences


def _describe_seats(old: Any, new: Any) -> Any:
    parts = []
    if old.winds[0] != new.winds[0]:
        parts.append(f"East is {{{new.winds[0]}}}, not {{{old.winds[0]}}}")
    elif old.winds != new.winds:
        parts.append("the seats are different")
    if old.out != new.out and new.out:
        parts.append(f"{_people(new.out)} sits out")
    if old.wind_of_round != new.wind_of_round:
        parts.append(f"the wind of the round is {WIND_NAMES[new.wind_of_round]}")
    return parts


def _describe_next(old: Any, new: Any) -> Any:
    parts = _describe_seats(old, new)
    sentences = [f"The next hand: {'; '.join(parts)}."] if parts else []
    if old.goulash != new.goulash:
        sentences.append("The next hand is a goulash." if new.goulash else "The next hand is no longer a goulash.")
    return sentences


def _people(seats: Any) -> Any:
    return " and ".join(f"{{{seat}}}" for seat in seats)
