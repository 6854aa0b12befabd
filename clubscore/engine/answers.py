"""What a tablet asks of the rules: one question in plain JSON values, one answer in plain JSON values."""

from collections.abc import Mapping
from typing import Any

from clubscore.scoring import ScoringError, score_hand_played
from clubscore.scoring.lots import Lots
from clubscore.scoring.rotation import RotationError, SeatingState
from clubscore.scoring.score_format import house_rules
from clubscore.seating_draw.draw import DrawError, draw_tables
from clubscore.seating_draw.table_sizes import usual_sizes, who_plays
from clubscore.table import fragments, seatings
from clubscore.table.edits import apply
from clubscore.table.entry_score import scored_hand
from clubscore.table.hand_worth import Played, asked_in
from clubscore.table.ledger import EditError, Ledger, Player, Seat
from clubscore.table.practice_page import exercise_in, practice_page
from clubscore.table.replay import EntryError, HandResult, Paid, Replayed, accounts
from clubscore.table.settling_up import sticks_to_hand_over
from clubscore.table.table_page import played_hand, played_on, previewed, sheet_played_on
from clubscore.table.worth_page import worth_answers


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
        self.settling = question.get("settling")

    def vocabulary(self) -> Any:
        """Return the pairs of words in which sentences are said."""
        return self.words


def enter(question: Mapping[str, Any]) -> dict[str, Any]:
    """Score a hand as far as it is entered, in a session's `rules`, `house_rules`, `club_hands` and `words`.

    `chairs` are as the ledger keeps them, `seats` and `sits_out` as the page of hand entry has them; `html` draws the
    score for the `look` of that page. Who is East next is left out where the chairs do not tell it. `sticks` are those
    on the table, as settling_up.sticks_now, before the next hand.
    """
    seating, people = SeatingState.from_dict(question["chairs"]), (question["seats"], question["sits_out"])

    def sticks(payments: Any) -> list[str]:
        house = house_rules(question["rules"], question["house_rules"])
        names = {int(seat["number"]): seat["name"] for seat in question["seats"]}
        return sticks_to_hand_over(question["sticks"], house, payments, names) if question["sticks"] else []

    scored = scored_hand(Table(question), seating, question["body"], *people, question["drawn"], sticks)
    if not question["tells_next"]:
        scored.pop("next_east", None)
    return {"html": fragments.score(scored, question["look"]).text}


def table(question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer how a table stands with what is not sent yet, as table_page.played_on."""
    return played_on(question, Table(question))


def sheet(question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer with the sheet of a table with what is not sent yet, as table_page.sheet_played_on."""
    return sheet_played_on(question, Table(question))


def preview(question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer what a change of an older entry would do, as table_page.previewed."""
    return previewed(question, Table(question))


def hand(question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer how an older hand was played, as table_page.played_hand."""
    return played_hand(question, Table(question))


def deals(question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer who sits where in the hands of a paper score sheet, as seatings.deals; the first is played in `chairs`."""
    house = house_rules(question["rules"], question["house_rules"])
    return {"deals": seatings.deals(SeatingState.from_dict(question["chairs"]), house, question["winners"])}


def worth(question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer what one hand is worth, as the page draws it: `asked` are its fields, `clubs` whose house rules count."""
    clubs = [Played(**club) for club in question["clubs"]]
    answers, _ = worth_answers(asked_in(question["asked"]), clubs, question["look"])
    return {"html": answers.text}


def practice(question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer with the page of practice: `asked` are the fields of its address, `usual` the device's stage."""
    exercise = exercise_in(question["asked"], question["usual"])
    drawn, is_wrong = practice_page(exercise, question["asked"], question["another"], question["look"])
    return {"html": drawn.text, "is_wrong": is_wrong}


def draw(question: Mapping[str, Any]) -> dict[str, Any]:
    """Draw tables of the `allowed` sizes for `people`; or say why none can be drawn, and whose requests are in the way.

    `met` are triples: how often two people sat at one table this season; `apart` and `together` are pairs.
    """
    people, together = question["people"], [(a, b) for a, b in question["together"]]
    places = Lots(question["seed"]).shuffled(sorted(people))
    try:
        sizes = usual_sizes(len(people), question["allowed"])
        playing = who_plays(people, sum(sizes), together, lambda person: (0, places.index(person)))
        drawn = draw_tables(
            playing,
            {(a, b): times for a, b, times in question["met"] if a in playing and b in playing},
            sizes=sizes,
            apart=[(a, b) for a, b in question["apart"]],
            together=together,
            seed=question["seed"],
        )
    except DrawError as error:
        return {"error": str(error), "people": list(error.people)}
    tables = [list(table) for table in drawn.tables]
    return {"tables": tables, "sits_out": [person for person in people if person not in playing]}


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
        except (EditError, EntryError, RotationError, ScoringError) as error:
            refused.append([command["key"], str(error)])
    return {**as_json(ledger, done), "refused": refused}


def as_json(ledger: Ledger, done: Replayed) -> dict[str, Any]:
    """Return what a replay gave as plain JSON values."""
    return {
        "chairs": done.seating.to_dict(),
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
        "chairs": hand.seating.to_dict(),
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


ANSWERS = {
    "score": score,
    "enter": enter,
    "table": table,
    "sheet": sheet,
    "preview": preview,
    "hand": hand,
    "deals": deals,
    "worth": worth,
    "practice": practice,
    "draw": draw,
    "play": play,
}
