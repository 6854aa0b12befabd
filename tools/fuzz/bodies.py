"""Commands for the tablet's door and hands for the entry page: well-formed to begin with, then spoilt."""

import json
import uuid

from clubscore.play import command_kinds

from .values import anything, chance, mutated, text

KINDS = (*command_kinds.KINDS, "nonsense")
FORMS = (
    {},
    {"total": 64},
    {"points": 36, "doubles": 2},
    {"sets": ["exposed pung 2B", "concealed kong R", "exposed chow 4C", "exposed pung E", "pair 9C"], "bonus": "F1 S3"},
    {"tiles": "1C 2C 3C 4C 5C 6C 7C 8C 9C E E E P P"},
    {"special": "thirteen_orphans"},
)
MAHJONG = (
    None,
    {"by": "1"},
    {"by": "1", "tile": "9C", "from": "3"},
    {"by": "2", "from": "wall", "loose": True},
    [{"by": "1"}, {"by": "2"}],
)
PENALTIES = ([], [{"kind": "false mahjong", "by": "2"}], [{"kind": "cannon", "by": "1", "to": "3"}])


def hand(source):
    """Return the body of a hand, more or less good."""
    made = {
        "hands": {
            str(seat): _spoilt(source, source.choice(FORMS)) for seat in range(1, source.choice((5, 5, 5, 4, 6)))
        },
        "mahjong": _spoilt(source, source.choice(MAHJONG)),
        "penalties": _spoilt(source, source.choice(PENALTIES)),
    }
    if chance(source, 20):
        made["beside"] = {"1": source.choice(FORMS)}
    return _spoilt(source, made, 10)


def command(source, ids):
    """Return the text of a command as a tablet's outbox sends it; `ids` gives ids to name, of whichever club."""
    if chance(source, 5):
        return text(source)
    kind = source.choice(KINDS)
    made = {
        "key": str(uuid.UUID(int=source.getrandbits(128))),
        "kind": kind,
        "body": _spoilt(source, _body(source, kind, ids), 15),
        "device": text(source)[:100],
        "after": source.choice((None, ids.key, str(uuid.uuid4()))),
        "seats": source.choice((None, {"E": "1", "S": "2", "W": "3", "N": "4"})),
        "why": text(source)[:300],
        "made_at": source.choice((None, "2026-11-12T14:00:00Z", text(source)[:60])),
    }
    if chance(source, 15):
        made[source.choice(list(made))] = anything(source)
    return json.dumps(made)


def _body(source, kind, ids):
    seat = source.choice(("1", "2", "3", "4", "5", 1, "9"))
    bodies = {
        "hand": lambda: hand(source),
        "arrive": lambda: {"player": ids.player_id},
        "leave": lambda: {"seat": seat},
        "seating": lambda: {"winds": {"E": "2", "S": "1", "W": "3", "N": "4"}, "out": []},
        "fine": lambda: {
            "by": seat,
            "to": source.choice((None, "2")),
            "amount": source.choice((30, -5, 10**9)),
            "why": text(source),
        },
        "note": lambda: {"text": text(source)},
        "insert": lambda: {"before": ids.key, "kind": "hand", "body": hand(source)},
        "correct": lambda: {"entry": ids.key, "body": hand(source)},
        "exchange": lambda: {"a": seat, "b": "2", "entry": source.choice((None, ids.key))},
        "change_player": lambda: {"seat": seat, "player": ids.player_id},
        "choose": lambda: {"keep": source.choice((None, ids.waiting, ids.key)), "drop": [ids.waiting]},
        "agree": lambda: {"entry": ids.key, "seat": seat},
        "go_back": lambda: {"change": ids.change_id},
    }
    return bodies.get(kind, lambda: {"entry": ids.key})()


def _spoilt(source, value, percent=6):
    """Return a value with, now and then, something else in it or instead of it."""
    if chance(source, percent):
        return anything(source)
    if isinstance(value, dict):
        return {key: _spoilt(source, one, 2) for key, one in value.items()}
    if isinstance(value, str) and chance(source, 3):
        return mutated(source, value)
    return value
