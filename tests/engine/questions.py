"""Questions for the rules on a tablet: every example there is, hands under house rules by chance, whole evenings."""

import json
import random

from clubscore.scoring import RULE_SETS
from clubscore.scoring.rotation import Chairs
from clubscore.scoring.switches import SWITCHES
from clubscore.table.commands import apply
from clubscore.table.ledger import EditError
from clubscore.table.replay import LineError
from tests.scoring.corpora import DATA, club_night, lines
from tests.table.test_pure_core import NAMES, any_command, started

CORPORA = ("worked-hands.jsonl", "random-hands.jsonl", "chinese-official.jsonl")
FOR_FIVE = ["bmja", "u3a", "western", "beginners", "baggaley"]


def corpora():
    hands = [case["input"] for name in CORPORA for case in lines(name)]
    hands += [case["input"] for case in club_night()] + list(_broken())
    return [{"ask": "score", "hand": hand} for hand in hands]


def _broken():
    """Yield the lines that are refused, but for those that no tablet can send: not JSON, or nested without end."""
    for line in (DATA / "broken-lines.jsonl").read_text(encoding="utf-8").splitlines():
        given = json.loads(line)["input"]
        try:
            hand = json.loads(given, parse_constant=_refused) if isinstance(given, str) else given
            json.dumps(hand, ensure_ascii=False, allow_nan=False).encode()
            in_pairs(hand)
        except (ValueError, RecursionError):
            continue
        yield hand


def _refused(constant):
    raise ValueError(constant)


def examples():
    rows = [(rules, row) for rules in RULE_SETS.values() for row in (*rules.rules, *rules.special_hands)]
    hands = [example.played(rules.key) for rules, row in rows for example in row.examples]
    for switch in SWITCHES.values():
        for example in switch.examples:
            hands += [example.played(rules, dict(example.given)) for rules in example.rules]
    return [{"ask": "score", "hand": hand} for hand in hands]


def by_chance(count):
    """Return hands of the examples with house rules, winds and a club's own hands by chance; some will be refused."""
    source = random.Random(7)
    known = [question["hand"] for question in examples()]
    return [{"ask": "score", "hand": _changed(source, source.choice(known))} for _ in range(count)]


def _changed(source, hand):
    rules = RULE_SETS[hand["rules"]]
    house = dict(hand["house_rules"])
    for key in source.sample(sorted(rules.house_rules), min(3, len(rules.house_rules))):
        switch = SWITCHES[key]
        house[key] = source.choice(switch.allowed) if switch.allowed else switch.least + 10 * source.randint(0, 90)
    changed = {**hand, "house_rules": house, "wind_of_round": source.choice("ESWN"), "goulash": source.random() < 0.1}
    if rules.takes_club_hands and source.random() < 0.3:
        changed["club_hands"] = [{"key": "lucky", "name": "Lucky Ann’s “13”", "value": "half limit", "fishing": 50}]
        changed["hands"] = {**hand["hands"], "W": {source.choice(["special", "fishing_for"]): "lucky"}}
    return changed


def entered(count):
    """Return hands of the examples as they are while they are entered: whole, in part, or with something wrong."""
    source = random.Random(11)
    hands = [question["hand"] for question in source.sample(examples(), count)]
    return [_entered(source, hand, RULE_SETS[hand["rules"]]) for hand in hands]


def _entered(source, hand, rules):
    numbers = dict(zip("ESWN", source.sample("12345", 4), strict=True))
    people = [
        {"number": numbers[wind], "name": f"{wind}’s {{1}} <b>", "wind": wind, "wind_name": wind} for wind in "ESWN"
    ]
    kept = "ESWN" if source.random() < 0.7 else source.sample("ESWN", 2)
    mahjong = dict(hand["mahjong"] or {})
    for name in ("by", "from"):
        mahjong[name] = numbers.get(mahjong.get(name), mahjong.get(name))
    body = {"hands": {numbers[wind]: form for wind, form in hand["hands"].items() if wind in kept}, "mahjong": mahjong}
    if source.random() < 0.2:
        body["beside"] = {numbers["S"]: {"total": 40}, "unsure": {numbers["S"]: ["from", "tile"]}}
    out = [{"number": number, "name": f"Out {number}"} for number in "12345" if number not in numbers.values()]
    chairs = Chairs(tuple(int(numbers[wind]) for wind in "ESWN"), 1, wind_of_round=hand.get("wind_of_round", "E"))
    words = rules.vocabulary({"D": "Coins"} if source.random() < 0.3 else {})
    return {
        "ask": "enter", "rules": rules.key, "house_rules": hand["house_rules"],
        "club_hands": hand.get("club_hands", []), "words": words, "chairs": chairs.to_dict(), "seats": people,
        "sits_out": out, "body": body, "drawn": False,
    }  # fmt: skip


def evenings(count, commands=20):
    """Return whole tables with every kind of entry, corrections, undo and redo; each command as the table then was."""
    return [_evening(random.Random(seed), commands) for seed in range(count)]


def _evening(source, commands):
    rules = source.choice(FOR_FIVE)
    number = source.randint(3, 5)
    players = list(enumerate(NAMES, 1))
    ledger, sent = started(number, rules, players), []
    done = ledger.replay()
    for key in range(commands):
        sent.append({**any_command(source, ledger, done.chairs), "key": f"key {key}"})
        try:
            ledger, _, done = apply(ledger, sent[-1], done)
        except (EditError, LineError):
            continue
    return {
        "ask": "play", "rules": rules, "house_rules": {}, "club_hands": [], "players": players, "seats": number,
        "commands": sent,
    }  # fmt: skip


def in_pairs(value):
    """Write a value as a tablet sends it, in which an object is {"": [key, value, ...]}."""
    if isinstance(value, dict):
        return {"": [part for key, one in value.items() for part in (key, in_pairs(one))]}
    return [in_pairs(one) for one in value] if isinstance(value, list | tuple) else value


def as_text(question):
    return json.dumps(in_pairs(question), ensure_ascii=False)
