"""Random hands as players enter them: a pool for each rule set. No database."""

from dataclasses import dataclass, replace
from itertools import permutations

from clubscore.play.practice import Dealing, deal, exchanged
from clubscore.scoring import RULE_SETS, ScoringError, score_hand_played
from clubscore.scoring.seeded_random import SeededRandom
from clubscore.scoring.tiles import WINDS

from .luck import Luck

POOL = 150
SUITS = tuple("".join(suits) for suits in permutations("CBD"))
NO_WINNER = 0.08
SPECIAL = 0.03


@dataclass(frozen=True)
class Declared:
    """A hand that was won: what the winner and three losers enter, and how it was won, without seats."""

    winner: dict
    losers: tuple[dict, dict, dict]
    win: dict
    from_discard: bool


def make_pool(rules, seed, size=POOL):
    """Deal hands that score under a rule set's standard rules, each in all six permutations of the suits."""
    luck = Luck(f"{seed}/pool/{rules}")
    dealt = []
    while len(dealt) < size:
        declared = _declared(luck, RULE_SETS[rules])
        if _scores(rules, declared):
            dealt.append(declared)
    return [_in_suits(declared, suits) for declared in dealt for suits in SUITS]


def hand_body(pool, luck, seats):
    """Return the body of a hand for three or four seats, sometimes without a winner."""
    if luck.chance(NO_WINNER):
        return {"hands": {}, "mahjong": None}
    return won_by(luck.one_of(pool), luck, seats, luck.one_of(seats))


def won_by(declared, luck, seats, winner):
    """Return the body of a hand in which `winner` goes Mah-jong and the others have the losers' tiles."""
    others = [seat for seat in seats if seat != winner]
    hands = {winner: declared.winner, **dict(zip(others, declared.losers, strict=False))}
    win = {"by": winner, **declared.win}
    if declared.from_discard:
        win["from"] = luck.one_of(others)
    return {"hands": {seat: hands[seat] for seat in seats}, "mahjong": win}


def _declared(luck, rule_set):
    if rule_set.winner_alone_scores:
        dealt = deal(rule_set.key, luck.one_of(range(100_000)))
        return _without_seats(dealt.form, ({}, {}, {}), dealt.win)
    dealing, hands = Dealing(SeededRandom(luck.one_of(range(100_000))), rule_set), {}
    win = dealing.winner(hands)
    losers = tuple(_loser(luck, dealing) for _ in range(3))
    if rule_set.special_hands and luck.chance(SPECIAL):
        hands[dealing.seat] = {"special": luck.one_of(rule_set.special_hands).key}
        win = {"by": dealing.seat, "from": "wall"}
    elif luck.chance(0.12):
        hands[dealing.seat] = {"total": 2 * (10 + int(luck.one_of(range(60))))}
        win = {name: win[name] for name in ("by", "from")}
    return _without_seats(hands[dealing.seat], losers, win)


def _without_seats(winner, losers, win):
    from_discard = win["from"] in WINDS
    kept = {name: value for name, value in win.items() if name != "by" and not (from_discard and name == "from")}
    return Declared(winner, losers, kept, from_discard)


def _loser(luck, dealing):
    """Return what a loser enters: nothing, the sets that score, points and doubles, or a typed total."""
    way = luck.weighted((("nothing", 30), ("sets", 50), ("total", 12), ("points", 8)))
    if way == "sets":
        sets = [dealing.a_set(dealing.big()) for _ in range(luck.weighted(((1, 6), (2, 3))))]
        return {"sets": sets + ([dealing.a_set("pair")] if luck.chance(0.2) else []), "bonus": dealing.flowers()}
    if way == "total":
        return {"total": 2 * luck.weighted(((0, 1), (1, 3), (2, 4), (4, 4), (8, 2), (16, 1)))}
    if way == "points":
        return {
            "points": 2 * luck.weighted(((1, 2), (2, 3), (4, 2), (8, 1))),
            "doubles": int(luck.one_of((0, 0, 1, 2))),
        }
    return {}


def _scores(rules, declared):
    """Whether the hand scores, whichever wind wins it."""
    for winner in WINDS:
        body = won_by(declared, Luck(0), list(WINDS), winner)
        try:
            score_hand_played({"rules": rules, **body})
        except ScoringError:
            return False
    return True


def _in_suits(declared, suits):
    winner, losers, win = (exchanged(part, suits) for part in (declared.winner, list(declared.losers), declared.win))
    return replace(declared, winner=winner, losers=tuple(losers), win=win)
