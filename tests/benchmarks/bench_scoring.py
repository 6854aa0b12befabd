"""How fast hands score: players' hands a second in one process, and lines a second through the command.

Run it from the top level: `python -m tests.benchmarks.bench_scoring`. Decoding is not counted for the hands; each
figure is the best of several runs, since machines are noisy, and each is also given as a ratio to a plain loop measured
in the same run: building a dictionary of fourteen counts, the least any scorer does.
"""

import io
import json
import sys
import time

from clubscore.scoring.hands import Place
from clubscore.scoring.score import Context, score_loser, score_winner
from clubscore.scoring.score_format import read_hand_played
from clubscore.scoring.table import compile_table
from sessions_app.imports.hand_lines import answers
from tests.scoring.corpora import lines

WINDS = "ESWN"
BRITISH = ("bmja", "u3a")


def british_cases():
    """Give the valid random hands of the British rule sets."""
    return [case["input"] for case in lines("random-hands.jsonl")
            if not case.get("expect_error") and case["input"].get("rules", "bmja") in BRITISH]  # fmt: skip


def hands_by_tiles(cases):
    """Give (context, hand, how it won or None) for every player's hand given by tiles in a hand that was won."""
    found = []
    for case in cases:
        played = read_hand_played(case)
        wins = {win.by: win for win in played.mahjong}
        for seat, hand in played.hands.items():
            if wins and hand.form == "tiles":
                place = Place(WINDS.index(seat), played.wind_of_round)
                found.append((Context(compile_table(played.house), played, place, seat), hand, wins.get(seat)))
    return found


def score_all(hands):
    for context, hand, win in hands:
        if win is None:
            score_loser(context, hand)
        else:
            score_winner(context, hand, win)


def floor(hands):
    tiles = list(range(14))
    for _ in hands:
        counts = {}
        for tile in tiles:
            counts[tile] = counts.get(tile, 0) + 1


def answer_all(text):
    for _ in answers(io.BytesIO(text)):
        pass


def best_seconds(work, subject, repeats=15):
    """Give the least processor seconds that one run of the work took."""
    taken = []
    for _ in range(repeats):
        began = time.process_time()
        work(subject)
        taken.append(time.process_time() - began)
    return min(taken)


def figures():
    """Return {what: (how many were tried, how many a second, how many times the floor one takes)}."""
    cases = british_cases()
    hands = hands_by_tiles(cases)
    text = "".join(json.dumps(case) + "\n" for case in cases).encode()
    floor_seconds = best_seconds(floor, hands) / len(hands)
    groups = {
        "British hands by tiles": hands,
        "  of them winners": [one for one in hands if one[2] is not None],
        "  of them fishing": [one for one in hands if one[2] is None and one[1].fishing],
        "  of them others": [one for one in hands if one[2] is None and not one[1].fishing],
    }
    found = {}
    for name, group in groups.items():
        seconds = best_seconds(score_all, group) / len(group)
        found[name.strip()] = len(group), 1 / seconds, seconds / floor_seconds
    seconds = best_seconds(answer_all, text) / len(cases)
    found["lines through score_hands"] = len(cases), 1 / seconds, seconds / floor_seconds
    return found


def main():
    if "--json" in sys.argv:
        json.dump(figures(), sys.stdout)
        return
    for name, (tried, a_second, times) in figures().items():
        print(f"{name:28} {tried:5} tried {a_second:10,.0f} a second {times:6.1f} x floor")


if __name__ == "__main__":
    main()
