"""Questions for the rules on a tablet: every example there is, hands under house rules by chance, whole evenings."""

import json
import random

from clubscore.play.edits import apply, latest, undoable
from clubscore.play.hand_worth import SOURCES, WAYS
from clubscore.play.ledger import EditError
from clubscore.play.offered import NONE, form_value, read_house_rules
from clubscore.play.practice import EVERYTHING, STAGES, asked_figures, deal
from clubscore.play.replay import EntryError
from clubscore.play.table_page import balances
from clubscore.scoring import RULE_SETS
from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.switches import SWITCHES
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


def house_rules(count):
    """Yield house rules by chance as a form has them, and what hand entry is asked to offer by them."""
    source = random.Random(13)
    for _ in range(count):
        rules = source.choice(list(RULE_SETS.values()))
        typed = {key: form_value(value) for key, value in rules.standard.items() if value is not None}
        for key in source.sample(sorted(rules.standard), 4):
            tokens = [form_value(value) for value in rules.switches[key].allowed]
            typed[key] = source.choice([*tokens, "500", "1,200", "7", "many", ""])
            if source.random() < 0.2:
                typed[key + NONE] = "on"
        yield {"ask": "house_rules", "rules": rules.key, "typed": typed}
        chosen, _ = read_house_rules(rules.key, typed)
        yield {"ask": "offered", "rules": rules.key, "house_rules": chosen}


def _changed(source, hand):
    rules = RULE_SETS[hand["rules"]]
    house = dict(hand["house_rules"])
    for key in source.sample(sorted(rules.house_rules), min(3, len(rules.house_rules))):
        switch = SWITCHES[key]
        house[key] = source.choice(switch.allowed) if switch.allowed else switch.least + 10 * source.randint(0, 90)
    for row in source.sample(rules.special_hands, min(3, len(rules.special_hands))):
        house[f"hand_{row.key}"] = source.choice((None, "standard", 10, 500, 1500))
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
    chairs = SeatingState(tuple(int(numbers[wind]) for wind in "ESWN"), 1, wind_of_round=hand.get("wind_of_round", "E"))
    words = rules.vocabulary({"D": "Coins"} if source.random() < 0.3 else {})
    return {
        "ask": "enter", "rules": rules.key, "house_rules": hand["house_rules"],
        "club_hands": hand.get("club_hands", []), "words": words, "chairs": chairs.to_dict(), "seats": people,
        "sits_out": out, "body": body, "drawn": False, "look": _look(source, numbers),
        "tells_next": source.random() < 0.9, "recorded": None, "sticks": source.choice([None, STICKS]),
    }  # fmt: skip


# Of four players with the sticks of the u3a guide, and one who came later; some owe from before.
STICKS = {
    "held": [[None, {}], *[[seat, {"1000": 1, "500": 2, "100": 9, "10": 10}] for seat in (1, 2, 3, 4, 5)]],
    "debts": [[1, 2, 2], [3, 2, 6], [4, None, 6]],
}


def _look(source, numbers):
    units, rest = source.choice([(["points", "doubles", "times", "limit"], ""), (["points"], "Doubles & more")])
    return {
        "rules_page": "/rules/?back=/a/%23b&c=1", "own_anchors": {"lucky": "own-lucky"}, "units": units, "rest": rest,
        "mahjong": "Hu", "bottom": source.choice([*numbers.values(), None]),
    }  # fmt: skip


def paper_sheets(count):
    """Return paper sheets of 20 hands: who won each, as it is typed, some of them nobody who plays in the hand."""
    return [_paper_sheet(random.Random(seed)) for seed in range(count)]


def _paper_sheet(source):
    ledger = started(source.randint(3, 5), source.choice(FOR_FIVE), list(enumerate(NAMES, 1)))
    winners = [source.choice([*"EEESSWWNDD123", *NAMES]) for _ in range(20)]
    if source.random() < 0.3:
        winners[source.randrange(20)] = source.choice(["", "X", "5", "?"])
    chairs = ledger.replay().seating.to_dict()
    seats = [{"number": str(number), "name": name} for number, name in enumerate(NAMES, 1)]
    return {
        "ask": "deals", "rules": ledger.rules, "house_rules": {}, "chairs": chairs, "seats": seats, "winners": winners,
    }  # fmt: skip


def worths(count):
    """Return hands asked about by themselves: whole ones of the examples, some with a tile less, of clubs by chance."""
    source = random.Random(13)
    whole = [one for one in examples() if _winner(one["hand"])]
    return [_worth(source, source.choice(whole)["hand"]) for _ in range(count)]


def _winner(hand):
    """Return the hand of the player who won by their tiles; nothing where none did."""
    winner = (hand["mahjong"] or {}).get("by")
    held = hand["hands"].get(winner, {}) if isinstance(winner, str) else {}
    return held if held.get("tiles") or held.get("sets") else {}


def _worth(source, hand):
    held = _winner(hand)
    tiles = held.get("tiles", "").split()
    if tiles and source.random() < 0.5:
        tiles[source.randrange(len(tiles))] = source.choice(["", "X9", "1C"])
    ways = [way for way, _ in WAYS if source.random() < 0.1]
    lucky = {"key": "lucky", "name": "Lucky “13” & <b>", "value": "half limit", "fishing": 50, "concealed": False,
             "tiles": " ".join([*tiles, "E"])}  # fmt: skip
    club = {"rules": hand["rules"], "house_rules": hand["house_rules"], "title": "Bramley’s <b>", "is_clubs": True,
            "rules_of": source.choice(["", "bramley"]), "club_hands": source.choice([[], [lucky]])}  # fmt: skip
    asked = {
        "sets": ", ".join(held.get("sets", [])), "tiles": " ".join(tiles), "bonus": held.get("bonus", ""),
        "own": source.choice("ESWN"), "round": source.choice("ESWN"), "tile": str(hand["mahjong"].get("tile", "")),
        "from": source.choice([place for place, _ in SOURCES]), "how": ways, "club": "bramley",
    }  # fmt: skip
    look = {name: _look(source, {"E": "1"})[name] for name in ("units", "rest")} | {
        "page": "/worth/?tiles=1C+2C&back=/a/", "worth": "https://a.example/worth/", "rules": "/rules/KEY/",
        "club_rules": "/c/KEY/rules/", "sprite": "/tiles.svg", "shared_club": "bramley",
    }  # fmt: skip
    return {"ask": "worth", "asked": asked, "clubs": source.choice([[], [club]]), "look": look}


def exercises(count):
    """Return hands to practise: only dealt, counted right or wrong, with a figure that is none, or answered."""
    return [_exercise(random.Random(seed), seed) for seed in range(1, count + 1)]


def _exercise(source, seed):
    stage, rules = source.choice(STAGES), source.choice(list(RULE_SETS))
    asked = {"rules": rules, "stage": stage.key, "hand": str(seed)}
    dealt = deal(rules, seed, stage == EVERYTHING)
    if source.random() < 0.1:
        asked["show"] = "1"
    elif source.random() < 0.8:
        for name in asked_figures(dealt, stage):
            right = dealt.scored[name] or 0
            asked[name] = str(right + source.choice([0, 0, 2, -2, 4, -8])) if source.random() < 0.9 else "1²<b>"
    look = {
        "practice": "https://a.example/practice/", "page": f"/practice/?hand={seed}", "rules": "/rules/KEY/",
        "sprite": "/tiles.svg",
    }  # fmt: skip
    return {"ask": "practice", "asked": asked, "usual": "points", "another": 1 + seed, "look": look}


def draws(count):
    """Return meetings to be drawn: few people and many, whom they met, and requests of which some cannot be kept."""
    return [_draw(random.Random(seed), seed) for seed in range(count)]


def _draw(source, seed):
    people = source.sample(range(1, 100), source.choice([*range(14), 24, 33]))
    # Requests take a hundred times as long.
    many = 3 if seed % 6 == 5 else 0
    pairs = [source.sample(people, 2) for _ in range(3 * len(people)) if len(people) > 1]
    return {
        "ask": "draw", "people": people, "allowed": source.choice([[3, 4, 5], [3, 4, 5], [4]]), "seed": seed,
        "met": [[*sorted(pair), source.randint(1, 3)] for pair in pairs],
        "apart": pairs[: source.randint(0, many)], "together": pairs[3 : 3 + source.randint(0, many)],
    }  # fmt: skip


def starts(count):
    """Return starts of tables, right and wrong, with every kind of rules."""
    return [_start(random.Random(seed)) for seed in range(count)]


def _start(source):
    fields = {f"player_{place}": source.choice(["", "1", "2", "3", "4", "new"]) for place in range(1, 6)}
    fields |= {f"name_{place}": source.choice(["", "Gwen", "Élodie", "gwen"]) for place in range(1, 6)}
    if source.random() < 0.7:
        fields |= {f"player_{place}": str(place) for place in range(1, source.choice([4, 5, 6]))}
    day = source.choice(
        ["2026-11-29", "2026-12-06", "2026-12-07", "2024-02-29", "2025-02-29", "0026-11-29", "soon", ""]
    )
    return {
        "ask": "start", "today": "2026-11-29",
        "meetings": [
            {"key": str(number), "date": "2026-11-29", "name": name, "starts_at": source.choice(["", "14:00"])}
            for number, name in enumerate(source.choice([[], [""], ["", "Evening"]]))
        ],
        "seated": source.choice([{}, {"2": 1, "3": 2}]), "names": {"2": "Bob", "3": "Cy"},
        "house_rules": source.choice([{}, {}, {"starting_balance": 1000}]),
        "fields": fields | {
            "date": day, "date_is_right": source.choice(["", day]), "meeting": source.choice(["", "0"]),
            "table": source.choice(["1", "1", "99", "100", "", "two"]),
            "rules": source.choice(["bmja", "u3a", "western", "chinese_official"]),
            "starting_balance": source.choice(["", "", "2000", "1000001", "9" * 40, "-1"]),
            "sticks": source.choice(["", "older_british", "guide"]), "round_payments": source.choice(["", "on"]),
        },
    }  # fmt: skip


def evenings(count, commands=20):
    """Return whole tables with every kind of entry, corrections, undo and redo, of which nothing has been sent yet.

    Each command is one for the table as it was then. Half of these ask for the page of the table, half for its sheet.
    """
    return [{**_evening(random.Random(seed), commands), "ask": ("table", "sheet")[seed % 2]} for seed in range(count)]


def _evening(source, commands):
    ledger, sent = _started(source), []
    start, done = ledger.copy(), ledger.replay()
    for key in range(commands):
        sent.append(_command(source, ledger, done, key))
        ledger, done = _applied(ledger, done, sent[-1])
    return _question(source, start, start.replay(), sent)


def _started(source):
    rules, number = source.choice(FOR_FIVE), source.randint(3, 5)
    return started(number, rules, list(enumerate(NAMES, 1)))


def _command(source, ledger, done, key):
    return {**any_command(source, ledger, done.seating), "key": f"key {key}", "named": "Someone <b>"}


def _applied(ledger, done, command):
    try:
        ledger, _, done = apply(ledger, command, done)
    except (EditError, EntryError):
        return ledger, done
    return ledger, done


def tables(count, commands=12):
    """Return tables as the server sends them, each with commands that are not sent yet."""
    return [_table(random.Random(seed), commands) for seed in range(count)]


def _table(source, commands):
    ledger = _started(source)
    done = ledger.replay()
    for key in range(commands // 2):
        ledger, done = _applied(ledger, done, _command(source, ledger, done, key))
    waiting = [_command(source, ledger, done, key) for key in range(commands // 2, commands)]
    return _question(source, ledger, done, waiting)


def _question(source, ledger, done, waiting):
    look = {**_look(source, {"E": "1"}), "turn": source.randint(0, 3)}
    settles = ledger.house.recording == "settle"
    settling = {
        "session": 1, "table": 2, "settles": settles, "adds_up": not settles, "practice": False, "currency": "kr",
        "sticks": source.choice(["guide", "older_british", ""]), "rate": source.choice([None, 150]),
    }  # fmt: skip
    return {**table_question(ledger, done, waiting), "look": {**TABLE_LOOK, **look}, "settling": settling}


def sheets(count):
    """Return the sheets of such tables."""
    return [{**question, "ask": "sheet"} for question in tables(count)]


def played_hands(count):
    """Return such tables, each asked how two of its entries were played, and for their pages, if they are hands."""
    found = []
    for question in tables(count):
        hands = [key for key, kind, *_ in question["ledger"]["entries"] if kind == "hand"]
        hands += [command["key"] for command in question["waiting"] if command["kind"] == "hand"]
        found += [{**question, "ask": ask, "entry": key} for key in hands[:2] for ask in ("hand", "one_hand")]
    return found


CHANGES = ("insert", "correct", "take_out", "put_back")


def previews(count, commands=12):
    """Return tables as the server sends them, each with a change of an entry that is looked at before it is made."""
    found = []
    for seed in range(count):
        question = _table(random.Random(seed), commands)
        last = [one for one in question["waiting"] if one["kind"] in CHANGES and one["body"].get("entry", True)]
        waiting = [one for one in question["waiting"] if one not in last]
        found += [{**question, "ask": "preview", "waiting": waiting, "command": one} for one in last]
    return found


TABLE_LOOK = {
    "rules_page": "/rules/", "own_anchors": {}, "units": [], "rest": "", "mahjong": "Mah-jong", "bottom": None,
    "hand_page": "/KEY/", "change_page": "/KEY/c/", "preview_page": "/KEY/p/", "winds_sprite": "/winds.svg", "turn": 0,
    "can_write": True, "sheet_page": "/sheet/", "player_page": "/KEY/", "table_page": "/table/", "slug": "a-club",
    "tiles_sprite": "/tiles.svg", "worth_page": "/worth/",
    "guests": [3], "asks_agreement": True, "asked": ["key 1"],
}  # fmt: skip


def table_question(ledger, done, waiting):
    """Return what a tablet asks that has the ledger of a table, and commands that are not sent yet."""
    entries = [
        [one.key, one.kind, one.body, one.version, int(one.removed), _values(one.played_in)] for one in ledger.entries
    ]
    changes = [[one.key, one.kind, one.before, one.after] for one in undoable(latest(ledger))]
    return {
        "ask": "table", "rules": ledger.rules, "house_rules": {}, "club_hands": [], "words": [], "open": ledger.is_open,
        "names": {str(seat): name for seat, name in ledger.names.items()}, "look": TABLE_LOOK,
        "settling": {"session": 1, "table": 2, "settles": False, "adds_up": True, "practice": False,
                     "sticks": "", "rate": None},
        "players": {str(seat.seat_no): seat.player for seat in ledger.seats},
        "balances": balances(ledger, done), "waiting": waiting,
        "ledger": {"starting_balance": 0, "start": [seat.seat_no for seat in ledger.seats if seat.at_start],
                   "entries": entries, "changes": changes[::-1], "undone": []},
    }  # fmt: skip


def _values(played_in):
    return list(played_in.values()) if played_in else None


def in_pairs(value):
    """Write a value as a tablet sends it, in which an object is {"": [key, value, ...]}."""
    if isinstance(value, dict):
        return {"": [part for key, one in value.items() for part in (key, in_pairs(one))]}
    return [in_pairs(one) for one in value] if isinstance(value, list | tuple) else value


def as_text(question):
    return json.dumps(in_pairs(question), ensure_ascii=False)
