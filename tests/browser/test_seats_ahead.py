"""The tablet's guess of who sits where next, against the rotation itself: evenings at random, for every rule set."""

import json
import random

import pytest
from django.templatetags.static import static

from clubscore.scoring import RULE_SETS, house_rules
from clubscore.scoring.rotation import (
    Outcome,
    RotationError,
    arrive,
    exchange,
    first_chairs,
    leave,
    next_chairs,
    seat_as,
)
from clubscore.table.command_kinds import for_browser
from sessions_app.table.sheet import WIND_NAMES, places_of
from sessions_app.table.state import STEPS, deal_rules, seats_ahead, step_back

SEED = 20261112
EVENINGS = 30
MOST_PASSES = 20
PLACES = """async ([module, cases]) => {
  const { nextPlace, placesOf } = await import(module);
  return cases.map(({ state, waiting, sides }) => {
    const { seats, out, wind, isGoulash, number, isSure, seatings } = nextPlace(state, waiting);
    return { seats, out, wind, isGoulash, number, isSure, sides: placesOf(sides, seatings) };
  });
}"""


class Evening:
    """A table that has played for a while, then goes on without the server, often with an undo or several."""

    def __init__(self, chance, rules, players):
        self.chance, self.rules = chance, rules
        self.house = house_rules(rules.key, {})
        self.chairs = first_chairs(range(1, players + 1), self.house)
        self.seats = players
        self.waiting = []
        self.number = 1
        self.before = []
        self.played = []
        for _ in range(chance.randrange(10)):
            self.before.append((self.chairs, self.number))
            chance.choices((self.play, self.exchange, self.leave, self.arrive), (85, 5, 5, 5))[0]()
        self.waiting, self.state = [], self.told()
        self.sides = self.placed()
        self.undo(min(chance.choice((0, 0, 1, 2, STEPS)), len(self.before)))
        for left in reversed(range(chance.randrange(1, MOST_PASSES))):
            self.exchange() if chance.random() < 0.1 else self.play()
            if chance.random() < 0.1:
                self.waiting.append({"kind": "correct", "key": "", "body": {}, "keepsDeal": True})
            # What comes after seats that were told is seldom known: most of them come near the end.
            while chance.random() < (0.3 if left < 3 else 0.02):
                chance.choice((self.seating, self.arrive, self.leave))()

    def told(self):
        """What the server's page tells the tablet."""
        return {
            "number": self.number,
            "open": True,
            "last": None,
            "names": {str(seat): f"Player {seat}" for seat in range(1, self.seats + 1)},
            "players": {str(seat): seat for seat in range(1, self.seats + 1)},
            "ahead": seats_ahead(self.chairs, self.house),
            "back": self.told_back(),
            "kept": self.chairs.kept,
            "goulash": self.chairs.goulash,
            "deal": deal_rules(self.rules, self.house),
            "winds": WIND_NAMES,
        }

    def told_back(self):
        steps, earlier = [], self.chairs
        for chairs, number in self.before[: -STEPS - 1 : -1]:
            steps.append(step_back(chairs, earlier, number, True, self.house))
            earlier = chairs
        return steps

    def undo(self, times):
        self.waiting += [{"kind": "undo", "key": "", "body": {}}] * times
        if times:
            self.chairs, self.number = self.before[-times]

    def play(self):
        kind = self.chance.choices(("won", "drawn", "void"), (80, 12, 8))[0]
        if kind == "void" and not self.rules.false_mahjong_voids:
            kind = "drawn"
        winner = self.chance.choice(list(self.chairs.seated.values()))
        body = {"hands": {}, "mahjong": {"by": str(winner)} if kind == "won" else None}
        if kind == "void":
            body["penalties"] = [{"kind": "false mahjong", "by": str(winner)}]
        self.waiting.append({"kind": "hand", "key": str(self.number), "body": body})
        self.number += 1
        self.played.append(self.chairs.winds)
        self.chairs = next_chairs(self.chairs, Outcome(kind, (winner,) if kind == "won" else ()), self.house)

    def exchange(self):
        a, b = self.chance.sample(self.chairs.at_table, 2)
        self.waiting.append({"kind": "exchange", "key": "", "body": {"a": str(a), "b": str(b)}})
        self.chairs = exchange(self.chairs, a, b)

    def seating(self):
        """They sit otherwise: as after another passing of the deal, or in any way."""
        if self.chance.random() < 0.5:
            south_or_west = self.chairs.winds[1] or self.chairs.winds[2]
            after = next_chairs(self.chairs, Outcome("won", (south_or_west,)), self.house)
            winds, out = after.seated, after.out
        else:
            order = self.chance.sample(self.chairs.at_table, len(self.chairs.at_table))
            winds, out = dict(zip("ESWN", order, strict=False)), tuple(order[4:])
        self.chairs = seat_as(self.chairs, winds, out)
        body = {"winds": {wind: str(seat) for wind, seat in winds.items()}, "out": [str(seat) for seat in out]}
        self.waiting.append({"kind": "seating", "key": "", "body": body})

    def arrive(self):
        if len(self.chairs.at_table) == 5:
            return
        gone = [seat for seat in range(1, self.seats + 1) if seat not in self.chairs.at_table]
        seat = self.chance.choice([*gone, self.seats + 1])
        self.seats = max(self.seats, seat)
        self.chairs = arrive(self.chairs, seat)
        self.waiting.append({"kind": "arrive", "key": "", "named": f"Player {seat} in full", "body": {"player": seat}})

    def leave(self):
        seat = self.chance.choice(self.chairs.at_table)
        try:
            self.chairs = leave(self.chairs, seat)
        except RotationError:
            return
        self.waiting.append({"kind": "leave", "key": "", "body": {"seat": str(seat)}})

    def placed(self):
        """Who sits on which side of the table by now, as the server draws it."""
        return [str(seat or "") for seat in places_of([*self.played, self.chairs.winds])]

    def expected(self):
        return {
            "seats": {wind: str(seat) for wind, seat in self.chairs.seated.items()},
            "out": [str(seat) for seat in self.chairs.out],
            "wind": self.chairs.wind_of_round,
            "isGoulash": self.chairs.goulash,
            "number": self.number,
            "isSure": True,
        }


# What a page of a table tells its scripts of each kind of command.
KINDS = """(kinds) => {
  const data = Object.assign(document.createElement("script"), { type: "application/json", id: "command-kinds" });
  data.textContent = kinds;
  document.body.append(data);
}"""
WORDS = """async ([seats, words, state, waiting]) => {
  const { nextPlace } = await import(seats);
  const { nextWords } = await import(words);
  const told = waiting.map((_, at) => nextWords(nextPlace(state, waiting.slice(0, at + 1))));
  return told.map((rows) => rows.map((one) => one.words).join(" "));
}"""


def test_the_tablet_says_why_the_deal_passes_and_when_a_full_game_is_over(tablet):
    page = tablet()
    page.open("/first-hand/")
    page.page.evaluate(KINDS, json.dumps(for_browser()))

    def told(rules, winners):
        evening = Evening(random.Random(1), RULE_SETS[rules], 4)
        evening.chairs, evening.before = first_chairs(range(1, 5), evening.house), []
        bodies = [{"hands": {}, "mahjong": {"by": winner} if winner else None} for winner in winners]
        waiting = [{"kind": "hand", "key": str(at), "body": body} for at, body in enumerate(bodies)]
        files = [static("table/outbox/seats.js"), static("table/outbox/words.js")]
        return page.page.evaluate(WORDS, [*files, evening.told(), waiting])

    passes = "The deal passes: Player 1 has kept it 3 times, the most allowed."
    assert [passes in words for words in told("u3a", "11112")] == [False, False, False, True, False]
    over = "A full game is over."
    assert [over in words for words in told("chinese_official", [None] * 17)] == [False] * 15 + [True, False]


@pytest.fixture(scope="module")
def evenings():
    chance = random.Random(SEED)
    print(f"seed {SEED}")
    tables = [(rules, players) for rules in RULE_SETS.values() for players in rules.players]
    return [Evening(chance, rules, players) for rules, players in tables for _ in range(EVENINGS)]


def test_the_tablet_knows_who_is_east_and_who_sits_out(tablet, evenings):
    page = tablet()
    page.open("/first-hand/")
    page.page.evaluate(KINDS, json.dumps(for_browser()))
    cases = [{"state": one.state, "waiting": one.waiting, "sides": one.sides} for one in evenings]
    found = page.page.evaluate(PLACES, [static("table/outbox/seats.js"), cases])
    assert len(found) == len(evenings) > 100
    sure = [(evening, place) for evening, place in zip(evenings, found, strict=True) if place["isSure"]]
    assert len(sure) > len(found) / 2
    placed = 0
    for evening, place in sure:
        sides = place.pop("sides")
        if {one["kind"] for one in evening.waiting} <= {"hand", "correct"}:
            assert sides == evening.placed(), (evening.rules.key, evening.state, evening.waiting)
            placed += 1
        assert place == evening.expected(), (evening.rules.key, evening.state, evening.waiting)
    assert placed > 50
    kinds = {one["kind"] for evening, _ in sure for one in evening.waiting}
    assert kinds == {"undo", "hand", "correct", "exchange", "seating", "arrive", "leave"}
    # Where only hands were played, there is no doubt.
    doubtful = [evening for evening, place in zip(evenings, found, strict=True) if not place["isSure"]]
    assert all({one["kind"] for one in evening.waiting} & {"seating", "arrive", "leave"} for evening in doubtful)
