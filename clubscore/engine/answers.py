"""What a tablet asks of the rules: one question in plain JSON values, one answer in plain JSON values."""

from collections.abc import Mapping
from typing import Any

from clubscore.play import seatings
from clubscore.play.board import SessionRules
from clubscore.play.entered_hand import EnteredHand, what_counts
from clubscore.play.hand_worth import AskedRules, read_asked_hand
from clubscore.play.offered import describe_differences, offers, penalties, read_house_rules, special_hands
from clubscore.play.practice_page import practice_page, read_exercise
from clubscore.play.score_fragments import score as draw_score
from clubscore.play.score_fragments import score_data
from clubscore.play.settling_up import sticks_to_hand_over
from clubscore.play.start import start
from clubscore.play.table_page import draw_hand, draw_preview, draw_sheet, draw_table, find_hand, game_file
from clubscore.play.worth_page import worth_answers
from clubscore.scoring import RULE_SETS, ScoringError, score_hand_played
from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.score_format import house_rules
from clubscore.scoring.seeded_random import SeededRandom
from clubscore.seating_draw.draw import DrawError, draw_tables
from clubscore.seating_draw.table_sizes import usual_sizes, who_plays


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a question: `ask` says which one, and the rest is what it needs."""
    return ANSWERS[question["ask"]](question)


def score(question: Mapping[str, Any]) -> dict[str, Any]:
    """Score one `hand` played (score format): the scored hand, or the sentence that says what to fix.

    No page asks this: it compares the tablet's scores with the server's, hand by hand.
    """
    try:
        return score_hand_played(question["hand"])
    except ScoringError as error:
        return {"error": error.sentence, "typed": error.typed, "seat": error.seat, "field": error.field}


def enter(question: Mapping[str, Any]) -> dict[str, Any]:
    """Score a hand as far as it is entered, in a session's `rules`, `house_rules`, `club_hands` and `words`.

    `chairs` are as the ledger keeps them, `seats` and `sits_out` as the page of hand entry has them. `html` shows the
    score with the `look` of that page; score_data is for its scripts. Who is East next is left out unless the page
    `tells_next`. `sticks` are those on the table before the next hand, as settling_up.sticks_now. `recorded` is
    what_counts of the hand that is corrected, or None.
    """
    seating, people = SeatingState.from_dict(question["chairs"]), (question["seats"], question["sits_out"])

    def sticks(payments: list[dict[str, Any]]) -> list[str]:
        house = house_rules(question["rules"], question["house_rules"])
        names = {int(seat["number"]): seat["name"] for seat in question["seats"]}
        return sticks_to_hand_over(question["sticks"], house, payments, names) if question["sticks"] else []

    session = _session_of(question)
    scored = EnteredHand(session, seating, question["body"], *people, question["drawn"]).shown(sticks)
    scored["changes_nothing"] = bool(question["recorded"]) and what_counts(scored) == question["recorded"]
    if not question["tells_next"]:
        scored.pop("next_east", None)
    return {"html": draw_score(scored, question["look"]).text, **score_data(scored)}


# The session whose hand is being entered.
_entered: list[Any] = [None, None]


def _session_of(question: Mapping[str, Any]) -> SessionRules:
    """Return the session of a question, the same while its rules are: a tap changes one hand, and leaves the others."""
    facts = [question[name] for name in ("rules", "house_rules", "club_hands", "words")]
    if facts != _entered[0]:
        _entered[:] = facts, SessionRules(question, {})
    session: SessionRules = _entered[1]
    return session


def deals(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return who sits where in the hands of a paper score sheet, as seatings.deals; the first is played in `chairs`."""
    house = house_rules(question["rules"], question["house_rules"])
    names = {int(seat["number"]): seat["name"] for seat in question["seats"]}
    return {"deals": seatings.deals(SeatingState.from_dict(question["chairs"]), house, question["winners"], names)}


def hand_worth(question: Mapping[str, Any]) -> dict[str, Any]:
    """Draw what one hand is worth: `asked` are the fields of the page, `clubs` those whose house rules count."""
    clubs = [AskedRules(**club) for club in question["clubs"]]
    return {"html": worth_answers(read_asked_hand(question["asked"]), clubs, question["look"])[0].text}


def practice(question: Mapping[str, Any]) -> dict[str, Any]:
    """Draw the page of practice: `asked` are the fields of its address, `usual` the device's stage."""
    exercise = read_exercise(question["asked"], question["usual"])
    drawn, is_wrong = practice_page(exercise, question["asked"], question["another"], question["look"])
    return {"html": drawn.text, "is_wrong": is_wrong}


def draw(question: Mapping[str, Any]) -> dict[str, Any]:
    """Draw tables of the `allowed` sizes for `people`, or say why none can be drawn and whose requests prevent it.

    `met` are triples: how often two people sat at one table this season; `apart` and `together` are pairs.
    """
    people, together = question["people"], [(a, b) for a, b in question["together"]]
    places = SeededRandom(question["seed"]).shuffled(sorted(people))
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


def choose_house_rules(question: Mapping[str, Any]) -> dict[str, Any]:
    """Read the house rules of a form: `typed` has its fields. Return them with a sentence each, or the problems."""
    chosen, problems = read_house_rules(question["rules"], question["typed"])
    return {
        "problems": [list(problem) for problem in problems],
        "house_rules": chosen,
        "words": describe_differences(question["rules"], chosen, "you play"),
    }


def offered(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return what hand entry offers under these `rules` and `house_rules`."""
    session = SessionRules({**question, "club_hands": [], "words": []})
    words = RULE_SETS[question["rules"]].vocabulary()
    return {
        "offers": offers(session),
        "special_hands": special_hands(session, words),
        "penalties": penalties(session, words),
    }


ANSWERS = {
    "score": score,
    "enter": enter,
    "table": draw_table,
    "sheet": draw_sheet,
    "preview": draw_preview,
    "hand": find_hand,
    "one_hand": draw_hand,
    "game": game_file,
    "deals": deals,
    "worth": hand_worth,
    "practice": practice,
    "draw": draw,
    "start": start,
    "house_rules": choose_house_rules,
    "offered": offered,
}
