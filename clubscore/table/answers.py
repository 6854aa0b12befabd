"""What a tablet asks of the rules: one question in plain JSON values, one answer in plain JSON values."""

from collections.abc import Mapping
from typing import Any

from clubscore.scoring import ScoringError, score_hand_played
from clubscore.scoring.rotation import Chairs, RotationError
from clubscore.table.commands import apply
from clubscore.table.entry_score import scored_hand
from clubscore.table.ledger import EditError, Ledger, Player, Seat
from clubscore.table.replay import HandResult, LineError, Paid, Replayed, accounts


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a question: `ask` says which one, and the rest is what it needs."""
    return ANSWERS[question["ask"]](question)


def score(question: Mapping[str, Any]) -> dict[str, Any]:
    """Score one `hand` played (score format): the scored hand, or the sentence that says what to fix."""
    try:
        return score_hand_played(question["hand"])
    except ScoringError as error:
        return {"error": error.sentence, "typed": error.typed, "seat": error.seat, "field": error.field}


class Table:
    """What the score at hand entry asks of a session: its rules, and the words of its table."""

    def __init__(self, question: Mapping[str, Any]) -> None:
        self.rules, self.house_rules = question["rules"], question["house_rules"]
        self.club_hands, self.words = question["club_hands"], tuple(tuple(pair) for pair in question["words"])

    def vocabulary(self) -> Any:
        """Return the pairs of words in which sentences are said."""
        return self.words


def enter(question: Mapping[str, Any]) -> dict[str, Any]:
    """Score a hand as far as it is entered, in a session's `rules`, `house_rules`, `club_hands` and `words`.

    `chairs` are as the ledger keeps them, `seats` and `sits_out` as the page of hand entry has them.
    """
    chairs, people = Chairs.from_dict(question["chairs"]), (question["seats"], question["sits_out"])
    return scored_hand(Table(question), chairs, question["body"], *people, question["drawn"])


def play(question: Mapping[str, Any]) -> dict[str, Any]:
    """Play a table from the start: a session's `rules`, `house_rules`, `club_hands` and `seats`, and its `commands`.

    `players` are pairs (key, name), of whom `seats` take the first ones. A refused command changes nothing.
    """
    players = [Player(key, name) for key, name in question["players"]]
    seats = [Seat(number + 1, players[number].key) for number in range(question["seats"])]
    rules = (question["rules"], question["house_rules"], question["club_hands"])
    ledger = Ledger(*rules, question.get("starting_balance", 0), seats, players)
    done, refused = ledger.replay(), []
    for command in question["commands"]:
        try:
            ledger, _, done = apply(ledger, command, done)
            ledger.before, ledger.outcomes = {}, {}
        except (EditError, LineError, RotationError, ScoringError) as error:
            refused.append([command["key"], str(error)])
    return {**as_json(ledger, done), "refused": refused}


def as_json(ledger: Ledger, done: Replayed) -> dict[str, Any]:
    """Return what a replay gave as plain JSON values."""
    return {
        "chairs": done.chairs.to_dict(),
        "hands": [_hand(hand) for hand in done.hands],
        "fines": {key: _paid(paid) for key, paid in done.fines.items()},
        "questions": done.questions,
        "balances": {str(seat): account.net for seat, account in accounts(ledger.facts, done).items()},
        "is_open": ledger.is_open,
    }


def _hand(hand: HandResult) -> dict[str, Any]:
    return {
        "key": hand.key,
        "number": hand.number,
        "chairs": hand.chairs.to_dict(),
        "kind": hand.kind,
        "winners": list(hand.winners),
        "question": hand.question,
        "totals": {str(seat.seat): seat.total for seat in hand.seats},
        "nets": {str(seat.seat): seat.net for seat in hand.seats},
        "lines": {str(seat.seat): list(seat.lines) for seat in hand.seats},
        "payments": [_paid(paid) for paid in hand.payments],
    }


def _paid(paid: Paid) -> dict[str, Any]:
    return {"from": paid.payer, "to": paid.payee, "amount": paid.amount, "why": paid.why}


ANSWERS = {"score": score, "enter": enter, "play": play}
