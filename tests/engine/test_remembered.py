"""A tablet remembers what it worked out at the tap before; no later answer may show it."""

import json

from clubscore.engine import answers
from clubscore.engine.answers import answer
from tests.engine.questions import entered


def asked_anew(question):
    answers._entered[:] = [None, None]
    return answer(question)


def test_a_tap_gets_the_answer_of_a_tablet_that_remembers_nothing():
    """Each hand is asked about with the tiles of one player after another taken away, and in another deal."""
    questions = []
    for whole in entered(60):
        hands = whole["body"]["hands"]
        fewer = [{**whole, "body": {**whole["body"], "hands": {**hands, seat: {}}}} for seat in hands]
        moved = {**whole, "chairs": {**whole["chairs"], "goulash": True}}
        questions += [whole, *fewer, whole, moved, whole]
    questions = json.loads(json.dumps(questions))
    expected = [asked_anew(question) for question in questions]
    answers._entered[:] = [None, None]
    assert [answer(question) for question in questions] == expected
    assert len({found["html"] for found in expected}) > 100
