"""Who sits where after what is not sent yet, as a tablet has it, against the rotation itself: evenings at random."""

import json
import random

import pytest

from clubscore.engine.answers import answer
from clubscore.play.edits import apply
from clubscore.play.table_words import places_of
from clubscore.scoring import RULE_SETS, house_rules
from clubscore.scoring.rotation import (
    HandOutcome,
    RotationError,
    arrive,
    exchange,
    first_seating,
    leave,
    next_seating,
    seat_as,
)
from tests.engine.questions import TABLE_LOOK, table_question
from tests.table.test_pure_core import started

SEED = 20261112
EVENINGS, MANY_EVENINGS = 5, 100
MOST_HANDS = 20
PLAYERS = [(seat, f"Player {seat}") for seat in range(1, 20)]


class Evening:
    """A table that has played for a while, then goes on without the server, often with an undo or several."""

    def __init__(self, chance, rules, players):
        self.chance, self.rules = chance, RULE_SETS[rules]
        self.house = house_rules(rules, {})
        self.chairs = first_seating(range(1, players + 1), self.house)
        self.seats, self.number, self.commands = players, 1, []
        self.before, self.played, self.keys = [], [], 0
        self.ledger = started(players, rules, PLAYERS)

    def play_on(self):
        for _ in range(self.chance.randrange(10)):
            before, count = (self.chairs, self.number, len(self.played)), len(self.commands)
            self.chance.choices((self.play, self.exchange, self.leave, self.arrive), (85, 5, 5, 5))[0]()
            self.before += [before] * (len(self.commands) - count)
        done = self.ledger.replay()
        for command in self.commands:
            self.ledger, _, done = apply(self.ledger, command, done)
        changes, self.commands = len(self.commands), []
        self.undo(min(self.chance.choice((0, 0, 1, 2, 5, 9)), changes))
        for _ in range(self.chance.randrange(1, MOST_HANDS)):
            self.exchange() if self.chance.random() < 0.1 else self.play()
            while self.chance.random() < 0.1:
                self.chance.choice((self.seating, self.arrive, self.leave))()
        return self

    def add(self, kind, body, **more):
        self.keys += 1
        self.commands.append({"key": f"key {self.keys}", "kind": kind, "body": body, **more})

    def undo(self, times):
        for _ in range(times):
            self.add("undo", {})
        if times:
            self.chairs, self.number, hands = self.before[len(self.before) - times]
            self.played = self.played[:hands]

    def play(self, kind="", winner=None):
        kind = kind or self.chance.choices(("won", "drawn", "void"), (80, 12, 8))[0]
        if kind == "void" and not self.rules.false_mahjong_voids:
            kind = "drawn"
        winner = winner or self.chance.choice(list(self.chairs.seated.values()))
        self.add("hand", self.hand(kind, winner))
        self.number += 1
        self.played.append(self.chairs.winds)
        self.chairs = next_seating(self.chairs, HandOutcome(kind, (winner,) if kind == "won" else ()), self.house)

    def hand(self, kind, winner):
        if kind == "drawn":
            return {"hands": {}, "mahjong": None}
        if kind == "void":
            hands = {str(seat): {} for seat in self.chairs.seated.values()}
            return {"hands": hands, "mahjong": None, "penalties": [{"kind": "false mahjong", "by": str(winner)}]}
        hands = {str(seat): {"total": 8 if seat == winner else 0} for seat in self.chairs.seated.values()}
        if self.rules.discarder_pays_more:
            hands = {seat: {"points": 8} if seat == str(winner) else {} for seat in hands}
        return {"hands": hands, "mahjong": {"by": str(winner), "from": "wall"}}

    def exchange(self):
        a, b = self.chance.sample(self.chairs.at_table, 2)
        self.add("exchange", {"a": str(a), "b": str(b)})
        self.chairs = exchange(self.chairs, a, b)

    def seating(self):
        """They sit otherwise: as after another passing of the deal, or in any way."""
        if self.chance.random() < 0.5:
            south_or_west = self.chairs.winds[1] or self.chairs.winds[2]
            after = next_seating(self.chairs, HandOutcome("won", (south_or_west,)), self.house)
            winds, out = after.seated, after.out
        else:
            order = self.chance.sample(self.chairs.at_table, len(self.chairs.at_table))
            winds, out = dict(zip("ESWN", order, strict=False)), tuple(order[4:])
        self.chairs = seat_as(self.chairs, winds, out)
        self.add(
            "seating", {"winds": {wind: str(seat) for wind, seat in winds.items()}, "out": [str(seat) for seat in out]}
        )

    def arrive(self):
        if len(self.chairs.at_table) == max(self.rules.players):
            return
        gone = [seat for seat in range(1, self.seats + 1) if seat not in self.chairs.at_table]
        seat = self.chance.choice([*gone, self.seats + 1])
        self.chairs = arrive(self.chairs, seat)
        self.seats = max(self.seats, seat)
        self.add("arrive", {"player": seat}, named=f"Player {seat}")

    def leave(self):
        if len(self.chairs.at_table) == min(self.rules.players):
            return
        seat = self.chance.choice(self.chairs.at_table)
        try:
            self.chairs = leave(self.chairs, seat)
        except RotationError:
            return
        self.add("leave", {"seat": str(seat)})

    def answered(self, turn=0):
        """Return what the tablet makes of it."""
        question = table_question(self.ledger, self.ledger.replay(), self.commands)
        return answer(json.loads(json.dumps({**question, "look": {**TABLE_LOOK, "turn": turn}})))


TABLES = [(rules.key, players) for rules in RULE_SETS.values() for players in rules.players]


def check(rules, players, seed):
    evening = Evening(random.Random(seed), rules, players).play_on()
    given = evening.answered()
    about = (rules, players, seed, evening.commands)
    assert (given["known"], given["refused"]) == (True, {}), about
    assert (given["chairs"], given["number"]) == (evening.chairs.to_dict(), evening.number), about
    sides = [f'data-seat="{seat or ""}"' for seat in places_of([*evening.played, evening.chairs.winds])]
    felt = given["html"]["felt"]
    assert [felt.index(side) for side in sides] == sorted(felt.index(side) for side in sides), about
    return {one["kind"] for one in evening.commands}


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_the_tablet_knows_who_is_east_and_who_sits_out(rules, players):
    for seed in range(SEED, SEED + EVENINGS):
        check(rules, players, seed)


@pytest.mark.long
@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_the_tablet_knows_who_is_east_on_many_evenings(rules, players):
    kinds = set().union(*[check(rules, players, seed) for seed in range(MANY_EVENINGS)])
    assert kinds >= {"undo", "hand", "exchange", "seating", "leave"}


NEW_GAME = "A full game has finished."


def played(rules, players, winners):
    """Return what the tablet makes of hands that are not sent yet; nobody wins one with 0."""
    evening = Evening(random.Random(1), rules, players)
    for winner in winners:
        evening.play("won" if winner else "drawn", winner)
    return evening.answered()


def test_the_tablet_says_why_the_deal_passes_and_when_a_full_game_has_finished():
    passes = "The deal passes: Player 1 has kept it 3 times, the most allowed."
    winners = [1, 1, 1, 1, 2]
    answers = [played("u3a", 4, winners[:count]) for count in range(1, 6)]
    assert [passes in one["html"]["notes"] for one in answers] == [False, False, False, True, False]
    answers = [played("chinese_official", 4, [0] * count) for count in range(1, 18)]
    assert [NEW_GAME in one["html"]["notes"] for one in answers] == [False] * 15 + [True, False]


def test_five_sit_out_in_turn_and_the_wind_changes_when_all_have_been_east():
    # The retiring East sits out, and the player who sat out comes in as North.
    turns = [[2, 3, 4, 5, 1, 2, 3, 4, 5, 1][:count] for count in (1, 5)]
    first, round_over = (played("bmja", 5, winners) for winners in turns)
    assert (first["seats"], first["out"]) == ({"E": "2", "S": "3", "W": "4", "N": "5"}, ["1"])
    assert (round_over["seats"], round_over["out"]) == ({"E": "1", "S": "2", "W": "3", "N": "4"}, ["5"])
    assert round_over["chairs"]["wind_of_round"] == "S"
    over = played("bmja", 5, [2, 3, 4, 5, 1] * 4)
    assert (NEW_GAME in over["html"]["notes"], over["chairs"]["game"]) == (True, 2)
