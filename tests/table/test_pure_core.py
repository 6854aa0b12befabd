"""The pure core alone gives what the server gives with its database, and the same on every run of Python."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from clubscore.play.edits import apply
from clubscore.play.ledger import EditError, Ledger, Player, Seat
from clubscore.play.replay import EntryError, seat_tallies
from sessions_app.models import Club
from sessions_app.models import Player as PlayerRow
from sessions_app.people.log import Actor
from sessions_app.table.apply_command import apply_command
from sessions_app.table.command_results import SENTENCES
from sessions_app.table.ledger import load_ledger
from sessions_app.table.sessions import start_session
from tests.afternoon import new_key
from tests.conftest import AFTERNOON
from tests.reconciled import reconcile
from tests.share import share_of

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
BY = Actor(name="tablet at table 1")
NAMES = ("Alice", "Bob", "Carol", "Dave", "Fay", "Gus", "Hana")
KINDS = ["hand"] * 6 + ["undo", "redo"] * 3 + [
    "arrive", "leave", "seating", "exchange", "fine", "note", "insert", "correct", "agree", "take_out", "put_back",
    "change_player", "finish", "reopen",
]  # fmt: skip
WINNING = {"sets": ["exposed pung 2D", "concealed pung 4D", "exposed pung 6D", "concealed pung 8D", "pair 9C"]}


def started(number, rules, players):
    """Return a plain ledger as it stands before the first hand; `players` are pairs of key and name."""
    seats = [Seat(chair, key) for chair, (key, _) in enumerate(players[:number], 1)]
    return Ledger(rules, {}, [], 0, seats, [Player(*player) for player in players])


def hand_body(source, chairs):
    seats = [str(seat) for seat in chairs.seated.values()]
    if source.random() < 0.2:
        return {"hands": {}, "mahjong": None}
    winner, loser = source.sample(seats, 2)
    hands = {seat: {"total": 2 * source.randint(0, 100)} for seat in seats}
    if source.random() < 0.3:
        hands[winner] = WINNING
        return {"hands": hands, "mahjong": {"by": winner, "tile": "8D", "from": source.choice(["wall", loser])}}
    hands[winner] = {"total": 2 * source.randint(10, 200)}
    return {"hands": hands, "mahjong": {"by": winner, "from": loser}}


def any_command(source, ledger, chairs):
    """Return a command of any kind, most of which can be carried out."""
    kind = source.choice(KINDS)
    seats = [str(seat.seat_no) for seat in ledger.seats]
    entry = source.choice(ledger.entries).key if ledger.entries else None
    player = source.choice(sorted(ledger.players))
    a, b = source.sample(seats, 2)
    fine = {"by": a, "to": source.choice([b, None]), "amount": source.randint(0, 50)}
    seating = dict(zip("ESWN", source.sample([str(seat) for seat in chairs.seated.values()], len(chairs.seated)),
                       strict=False))  # fmt: skip
    between = source.choice([("hand", hand_body(source, chairs)), ("fine", fine), ("note", {"text": "Tea"})])
    bodies = {
        "hand": hand_body(source, chairs),
        "arrive": {"player": player},
        "leave": {"seat": a},
        "seating": {"winds": seating, "out": [str(seat) for seat in chairs.out]},
        "exchange": {"a": a, "b": b} | ({"entry": entry} if entry and source.random() < 0.3 else {}),
        "fine": fine,
        "note": {"text": source.choice(["Tea", ""])},
        "insert": {"before": entry, "kind": between[0], "body": between[1]},
        "correct": {"entry": entry, "body": hand_body(source, chairs)}
        | ({"keep_seats": True} if source.random() < 0.5 else {}),
        "agree": {"entry": entry, "seat": a},
        "take_out": {"entry": entry},
        "put_back": {"entry": entry},
        "change_player": {"seat": a, "player": player},
    }
    return {"key": new_key(), "kind": kind, "body": bodies.get(kind, {})}


def figures(ledger, done):
    """Return everything that a ledger and its replay give, as plain values; points and payments not of kept hands."""
    tallies = seat_tallies(ledger.facts, done)
    return {
        "open": ledger.is_open,
        "entries": [[entry.key, entry.version, entry.state()] for entry in ledger.entries],
        "seats": [[seat.seat_no, seat.player, seat.at_start] for seat in ledger.seats],
        "chairs": done.seating.to_dict(),
        "hands": [
            [hand.key, hand.number, hand.seating.to_dict(), hand.kind, hand.winners, hand.question,
             hand.next_is_goulash, [[own.seat, own.wind, own.total, own.won, own.net] for own in hand.seats]]
            for hand in done.hands
        ],
        "fines": {key: [paid.payer, paid.payee, paid.amount] for key, paid in done.penalties.items()},
        "questions": done.questions,
        "balances": {seat: [one.hands, one.won, one.gained, one.lost, one.best_hand] for seat, one in tallies.items()},
    }  # fmt: skip


def with_payments(ledger):
    """Return the figures of a replay that takes nothing over, with each score and every payment."""
    done = ledger.replay(reuse=False)
    points = [[own.points, own.doubles, own.lines] for hand in done.hands for own in hand.seats]
    paid = [[one.payer, one.payee, one.amount, one.why] for hand in done.hands for one in hand.payments]
    return [figures(ledger, done), points, paid]


class CoreAndServer(TestCase):
    """The same commands go to the server and to the core alone."""

    @settings(max_examples=share_of(18), deadline=None)
    @given(st.integers(0, 2**32), st.integers(3, 5), st.sampled_from(["bmja", "u3a", "western"]))
    def test_the_core_alone_gives_what_the_server_gives(self, seed, number, rules):
        source = random.Random(seed)
        club = Club.objects.create(name="Bramley", slug="bramley")
        rows = [PlayerRow.objects.create(club=club, full_name=name, short_name=name) for name in NAMES]
        session = start_session(club, AFTERNOON, 1, rows[:number], rules, {}, by=BY)
        ledger = started(number, rules, [(row.pk, row.name) for row in rows])
        done = ledger.replay()
        for _ in range(25):
            command = any_command(source, ledger, done.seating)
            if command["kind"] not in ("reopen", "undo", "redo") and not ledger.is_open:
                command = {"key": new_key(), "kind": "reopen", "body": {}}
            answer = apply_command(session.pk, command, BY)
            try:
                ledger, _, done = apply(ledger, command, done)
                expected = ("recorded", answer.message, answer.error)
            except EditError as error:
                expected = (answer.outcome, SENTENCES[error.code].format(**error.params), answer.error)
            except EntryError as error:
                expected = ("invalid", answer.message, error)
            said = (answer.outcome, answer.message, answer.error)
            assert list(map(str, said)) == list(map(str, expected)), (command, answer)
            stored = load_ledger(session.pk)
            assert figures(stored, stored.replay()) == figures(ledger, done), command
        assert reconcile() == []
        assert with_payments(load_ledger(session.pk)) == with_payments(ledger)


def turned_round(value):
    """Return the same value with the keys of every object in the opposite order."""
    if isinstance(value, dict):
        return {key: turned_round(value[key]) for key in reversed(value)}
    return [turned_round(one) for one in value] if isinstance(value, list) else value


def evening(seed, rules, change=lambda command: command):
    """Return the figures of an evening of random commands, with the code of each that could not be carried out."""
    source = random.Random(seed)
    ledger = started(source.randint(3, 5), rules, list(enumerate(NAMES, 1)))
    done, refused = ledger.replay(), []
    for number in range(40):
        command = {**any_command(source, ledger, done.seating), "key": f"key {number}"}
        try:
            ledger, _, done = apply(ledger, change(command), done)
        except (EditError, EntryError) as error:
            refused.append(str(error))
    return [refused, with_payments(ledger)]


@pytest.mark.parametrize("seed", range(share_of(12)))
def test_the_order_of_keys_in_a_body_changes_nothing(seed):
    assert evening(seed, "bmja") == evening(seed, "bmja", turned_round)


def test_a_ledger_given_to_apply_stays_as_it_was():
    ledger = started(4, "bmja", list(enumerate(NAMES, 1)))
    first = {"key": "a", "kind": "note", "body": {"text": "Tea"}}
    after, key, _ = apply(ledger, first)
    assert (key, [entry.key for entry in after.entries], ledger.entries, ledger.changes) == ("a", ["a"], [], [])
    again, _, _ = apply(after, {"key": "b", "kind": "undo", "body": {}})
    assert [again.entries[0].removed, after.entries[0].removed] == [True, False]


def test_an_error_is_a_code_with_its_parameters():
    ledger = started(4, "bmja", list(enumerate(NAMES, 1)))
    with pytest.raises(EditError) as caught:
        apply(ledger, {"key": "a", "kind": "change_player", "body": {"seat": "1", "player": 2}})
    assert (caught.value.code, caught.value.field, caught.value.params) == ("has-seat", "player", {"name": "Bob"})


RUN = """
import json, django
django.setup()
from tests.table.test_pure_core import evening
print(json.dumps([evening(seed, rules) for rules in ("bmja", "western") for seed in range(2)]))
"""


def test_the_same_on_every_run_of_python():
    """Sets come in another order on each run, unless PYTHONHASHSEED says which."""
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "clubscore.site.settings"}
    printed = [
        subprocess.run([sys.executable, "-c", RUN], cwd=ROOT, env={**env, "PYTHONHASHSEED": seed}, capture_output=True,
                       text=True, check=True).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert printed[0] == printed[1]
    assert len(json.loads(printed[0])) == 4
