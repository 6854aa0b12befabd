"""The command: a line in, a line out, whatever the line holds, and no database."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from clubscore.scoring import ScoringError, score_hand_played
from sessions_app.management.commands.score_hands import answers
from tests.scoring.corpora import DATA

TOP = Path(__file__).resolve().parent.parent.parent
GOOD = '{"id": "g", "hands": {"E": {"total": 8}, "S": {}, "W": {}, "N": {}}, "mahjong": {"by": "E"}}'
BROKEN = [json.loads(line)["input"] for line in (DATA / "broken-lines.jsonl").read_text(encoding="utf-8").splitlines()]
WORSE = [
    b"\xff\xfe{}",
    b'{"id": "nl", "hands": {"E": {"total": -0.0}, "S": {}, "W": {}, "N": {}}}',
    b"\xed\xa0\x80",
    b"{" * 99_999,
]


def too_large(hand, **more):
    """Write a hand played with a number in it which Python reads and adds up, but does not write."""
    played = {"hands": {"E": hand, "S": {}, "W": {}, "N": {}}, "mahjong": {"by": "E"}, **more}
    return json.dumps(played).replace('"LARGE"', "9" * 4299 + "0").encode()


FINE = {"kind": "fine", "by": "W", "to": "E", "amount": "LARGE"}
WORSE += [
    too_large({"special": "knitting"}, house_rules={"limit": "LARGE"}),
    too_large({"special": "calling_nine_tile"}, rules="beginners", house_rules={"special_value": "LARGE"}),
    too_large({"total": 8}, house_rules={"limit": 10**9 + 10}),
    too_large({"total": 8}, house_rules={"starting_balance": "LARGE"}),
    too_large({"total": 8}, house_rules={"east_max": "LARGE"}),
    too_large({"total": 8}, penalties=[FINE, FINE]),
]


def run(text, *args, **environment):
    return subprocess.run(
        [sys.executable, "manage.py", "score_hands", *args],
        input=text, capture_output=True, cwd=TOP, env={**os.environ, **environment}, timeout=60,
    )  # fmt: skip


def test_every_line_gets_its_answer_in_order_and_empty_ones_are_skipped():
    done = run(f"{GOOD}\n\n{{\n   \n{GOOD}".encode(), DATABASE_URL="sqlite:////nowhere/at/all.sqlite3")
    first, second, third = (json.loads(line) for line in done.stdout.splitlines())
    assert done.returncode == 1
    assert done.stderr == b""
    assert (first["id"], first["net"], third["id"]) == ("g", {"E": 48, "S": -16, "W": -16, "N": -16}, "g")
    assert set(second) == {"id", "error"}
    assert second["id"] is None


def test_good_lines_alone_exit_with_0(tmp_path):
    hands = tmp_path / "hands.jsonl"
    hands.write_text(GOOD + "\n" + GOOD + "\n", encoding="utf-8")
    done = run(b"", str(hands))
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 2


def test_a_missing_file_is_one_sentence():
    done = run(b"", "/nowhere/hands.jsonl")
    assert done.returncode == 1
    assert done.stdout == b""
    assert b"cannot be read" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("line", [*(text.encode() for text in BROKEN), *WORSE], ids=lambda line: repr(line[:30]))
def test_a_broken_line_gets_an_error_at_once(line):
    took = []
    # The quickest of three: Python may clear up after other tests at any moment.
    for _ in range(3):
        began = time.process_time()
        (answer,) = [json.loads(text) for text, _ in answers([line])]
        took.append(time.process_time() - began)
    assert min(took) < 0.05
    assert set(answer) == {"id", "error"}
    assert len(answer["error"]) < 400


@pytest.mark.parametrize("goulash", [True, False])
@pytest.mark.parametrize("stays_on_draw", [True, False])
def test_a_void_hand_is_played_again_as_it_was(goulash, stays_on_draw):
    """After a false Mah-jong East stays, whatever `east_stays_on_draw`, and a goulash stays one."""
    void = {
        "rules": "bmja", "house_rules": {"east_stays_on_draw": stays_on_draw, "goulash": True}, "goulash": goulash,
        "hands": {wind: {} for wind in "ESWN"}, "penalties": [{"kind": "false mahjong", "by": "W"}],
    }  # fmt: skip
    answer, drawn = score_hand_played(void), score_hand_played({**void, "penalties": []})
    assert (answer["east_stays"], answer["next_is_goulash"]) == (True, goulash)
    assert (drawn["east_stays"], drawn["next_is_goulash"]) == (stays_on_draw, True)


@pytest.mark.parametrize(
    ("rules", "winds", "players"),
    [
        ("bmja", "ES", "three or four players. British (BMJA)"),
        ("chinese_official", "ESW", "four players. Chinese Official (81 fan)"),
    ],
)
def test_a_rule_set_says_how_many_players_it_scores(rules, winds, players):
    with pytest.raises(ScoringError) as refused:
        score_hand_played({"rules": rules, "hands": {wind: {} for wind in winds}, "mahjong": None})
    assert str(refused.value) == f"Enter the hands of {players} is scored for no other number."
