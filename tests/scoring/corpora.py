"""The example hands and how an answer is held against what is expected of it."""

import json
from collections import Counter
from pathlib import Path

from clubscore.scoring import RULE_SETS

DATA = Path(__file__).resolve().parent.parent / "data"
FIGURES = ("points", "doubles", "special")


def lines(name):
    """Give the cases of a corpus for the rule sets there are, the invalid ones too."""
    with open(DATA / name, encoding="utf-8") as corpus:
        cases = [json.loads(line) for line in corpus]
    return [case for case in cases if is_known(case)]


def is_known(case):
    return case["input"].get("rules", "bmja") in RULE_SETS or case.get("expect_error")


def club_night():
    """Give the hands of the club afternoon."""
    with open(DATA / "club-night.json", encoding="utf-8") as afternoon:
        return [hand for table in json.load(afternoon)["tables"] for hand in table["hands"]]


def case_id(case):
    return f"{case['input'].get('rules', 'bmja')}-{case['input'].get('id')}"


def sums(payments):
    paid = Counter()
    for payment in payments:
        if payment["to"] is not None:
            paid[payment["from"], payment["to"]] += payment["amount"]
    return {pair: amount for pair, amount in paid.items() if amount}


def differences(expected, answer):
    """List what disagrees; where several ways to count a hand give one total, `also` lists the others."""
    found = []
    for seat, want in expected["hands"].items():
        got = answer["hands"][seat]
        if "total" in want and got["total"] != want["total"]:
            found.append((seat, "total", want["total"], got["total"]))
        allowed = [[want.get(figure) for figure in FIGURES], *want.get("also", [])]
        if "points" in want and [got[figure] for figure in FIGURES] not in allowed:
            found.append((seat, "figures", allowed, [got[figure] for figure in FIGURES]))
        fished = [want.get("fishing_for"), *want.get("also_fishing", [])]
        if "points" in want and "also" not in want and got.get("fishing_for") not in fished:
            found.append((seat, "fishing_for", fished, got.get("fishing_for")))
    if sums(expected["payments"]) != sums(answer["payments"]):
        found.append(("-", "payments", sums(expected["payments"]), sums(answer["payments"])))
    wrong = [key for key in ("net", "east_stays", "next_is_goulash") if expected.get(key, answer[key]) != answer[key]]
    return found + [("-", key, expected[key], answer[key]) for key in wrong]
