"""Hands declared as tables declare them, by nobody in particular: a pool for each rule set. No database."""

from dataclasses import dataclass, replace
from itertools import permutations

from clubscore.scoring import RULE_SETS, ScoringError, score_hand_played
from clubscore.scoring.seeded_random import SeededRandom
from clubscore.table.practice import Dealing, deal, exchanged

from .luck import Luck

WINDS = "ESWN"
POOL = 150
SUITS = tuple("".join(one) for one in permutations("CBD"))
NO_WINNER = 0.08
SPECIAL = 0.03


@dataclass(frozen=True)
class Declared:
    """A hand that was won: the winner's form, three losers' forms, and how it was won but for by whom."""

    winner: dict
    losers: tuple[dict, dict, dict]
    win: dict
    from_discard: bool


def make_pool(rules, seed, size=POOL):
    """Deal hands that score under a rule set as its source has it, each in all six exchanges of the suits."""
    luck = Luck(f"{seed}/pool/{rules}")
    dealt = []
    while len(dealt) < size:
        one = _declared(luck, RULE_SETS[rules])
        if one is not None and _scores(rules, one):
            dealt.append(one)
    return [_in_suits(one, suits) for one in dealt for suits in SUITS]


def hand_body(pool, luck, seats):
    """Return the body of a hand for three or four seats: mostly won by one of them, now and then by nobody."""
    if luck.chance(NO_WINNER):
        return {"hands": {}, "mahjong": None}
    return won_by(luck.one_of(pool), luck, seats, luck.one_of(seats))


def won_by(declared, luck, seats, winner):
    """Return the body in which a seat goes Mah-jong with a hand of the pool, the others holding the losers' hands."""
    others = [seat for seat in seats if seat != winner]
    hands = {winner: declared.winner, **dict(zip(others, declared.losers, strict=False))}
    win = {"by": winner, **declared.win}
    if declared.from_discard:
        win["from"] = luck.one_of(others)
    return {"hands": {seat: hands[seat] for seat in seats}, "mahjong": win}


def _declared(luck, rule_set):
    if rule_set.winner_alone_scores:
        return _of_practice(deal(rule_set.key, luck.one_of(range(100_000))))
    dealing, hands = Dealing(SeededRandom(luck.one_of(range(100_000))), rule_set), {}
    win = dealing.winner(hands)
    losers = tuple(_loser(luck, dealing) for _ in range(3))
    if rule_set.special_hands and luck.chance(SPECIAL):
        hands[dealing.seat] = {"special": luck.one_of(rule_set.special_hands).key}
        win = {"by": dealing.seat, "from": "wall"}
    elif luck.chance(0.12):
        hands[dealing.seat] = {"total": 2 * (10 + int(luck.one_of(range(60))))}
        win = {name: win[name] for name in ("by", "from")}
    return _freed(hands[dealing.seat], losers, win)


def _of_practice(dealt):
    return _freed(dealt.form, ({}, {}, {}), dealt.win)


def _freed(winner, losers, win):
    from_discard = win["from"] in WINDS
    kept = {name: value for name, value in win.items() if name != "by" and not (from_discard and name == "from")}
    return Declared(winner, losers, kept, from_discard)


def _loser(luck, dealing):
    """What losers say at a table: nothing to score, the sets that count, points and doubles, or a typed total."""
    way = luck.weighed((("nothing", 30), ("sets", 50), ("total", 12), ("points", 8)))
    if way == "sets":
        sets = [dealing.a_set(dealing.big()) for _ in range(luck.weighed(((1, 6), (2, 3))))]
        return {"sets": sets + ([dealing.a_set("pair")] if luck.chance(0.2) else []), "bonus": dealing.flowers()}
    if way == "total":
        return {"total": 2 * luck.weighed(((0, 1), (1, 3), (2, 4), (4, 4), (8, 2), (16, 1)))}
    if way == "points":
        return {"points": 2 * luck.weighed(((1, 2), (2, 3), (4, 2), (8, 1))), "doubles": int(luck.one_of((0, 0, 1, 2)))}
    return {}


def _scores(rules, declared):
    """Say whether the hand scores wherever its players sit, for as many as play."""
    for winner in WINDS:
        body = won_by(declared, Luck(0), list(WINDS), winner)
        try:
            score_hand_played({"rules": rules, **body})
        except ScoringError:
            return False
    return True


def _in_suits(declared, suits):
    winner, losers, win = (exchanged(one, suits) for one in (declared.winner, list(declared.losers), declared.win))
    return replace(declared, winner=winner, losers=tuple(losers), win=win)
