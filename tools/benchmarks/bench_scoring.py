"""How fast fresh hands score: players' hands a second in one process, and lines a second through the command.

Run it from the top level: `python -m tools.benchmarks.bench_scoring`. Every hand is made again and scored once, so that
no cache knows it; nothing is scored before. Decoding is not counted for the hands. Each figure is also given as a ratio
to a plain loop measured in the same run: building a dictionary of fourteen counts, the least any scorer does.
"""

import io
import json
import random
import sys
import time

from clubscore.scoring.hands import NOT_WON, PlayerWinds
from clubscore.scoring.rule_table import compile_table
from clubscore.scoring.score import Context, score_loser, score_winner
from clubscore.scoring.score_format import read_hand_played
from sessions_app.management.commands.score_hands import answers
from tests.scoring.tables import house_rules_of, table

WINDS = "ESWN"
BRITISH = ("bmja", "u3a")
HANDS_PLAYED = 2_000


def fresh_cases(seed, is_as_printed=True):
    """Make British hands played, as printed or each under house rules of its own; one loser in ten fishes."""
    rng = random.Random(seed)
    cases = []
    for number in range(HANDS_PLAYED):
        rules = BRITISH[number % 2]
        house = {} if is_as_printed else house_rules_of(rng, rules)
        house.pop("clean_only", None)
        case = table(rng, rules, house)
        for seat, hand in case["hands"].items():
            if seat != case["mahjong"]["by"] and rng.random() < 0.1:
                hand["fishing"] = True
        cases.append(case)
    return cases


def hands_by_tiles(cases):
    """Give (what the hands of a table have in common, hand, how it won or None) for every player's hand."""
    found = []
    for case in cases:
        played = read_hand_played(case)
        wins = {win.by: win for win in played.mahjong}
        for seat, hand in played.hands.items():
            found.append(((played, PlayerWinds(WINDS.index(seat), played.wind_of_round), seat), hand, wins.get(seat)))
    return found


def score_all(hands):
    for (played, winds, seat), hand, win in hands:
        context = Context(compile_table(played.house), played, winds, seat, hand, win or NOT_WON)
        if win is None:
            score_loser(context)
        else:
            score_winner(context)


def floor(hands):
    tiles = list(range(14))
    for _ in hands:
        counts = {}
        for tile in tiles:
            counts[tile] = counts.get(tile, 0) + 1


def answer_all(text):
    for _ in answers(io.BytesIO(text)):
        pass


def seconds_once(work, subject):
    """Give the processor seconds that one run of the work took."""
    began = time.process_time()
    work(subject)
    return time.process_time() - began


def figures():
    """Return {what: (how many were tried, how many a second, how many times the floor one takes)}."""
    hands, house = hands_by_tiles(fresh_cases(1)), hands_by_tiles(fresh_cases(2, is_as_printed=False))
    lines = fresh_cases(3)
    groups = {
        "of them winners": [one for one in hands if one[2] is not None],
        "of them fishing": [one for one in hands if one[2] is None and one[1].fishing],
        "of them others": [one for one in hands if one[2] is None and not one[1].fishing],
    }
    took = {name: (len(group), seconds_once(score_all, group)) for name, group in groups.items()}
    took = {"British hands by tiles": (len(hands), sum(seconds for _, seconds in took.values())), **took}
    took["each under house rules of its own"] = len(house), seconds_once(score_all, house)
    text = "".join(json.dumps(case) + "\n" for case in lines).encode()
    took["lines through score_hands"] = len(lines), seconds_once(answer_all, text)
    least = seconds_once(floor, hands) / len(hands)
    return {name: (tried, tried / seconds, seconds / tried / least) for name, (tried, seconds) in took.items()}


def main():
    if "--json" in sys.argv:
        json.dump(figures(), sys.stdout)
        return
    for name, (tried, a_second, times) in figures().items():
        print(f"{name:28} {tried:5} tried {a_second:10,.0f} a second {times:6.1f} x floor")


if __name__ == "__main__":
    main()
