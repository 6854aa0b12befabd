"""Seasons as plain values, without a database: those worked out elsewhere, and made-up ones."""

import csv
import json
from datetime import date, timedelta
from pathlib import Path
from random import Random

from clubscore.league.methods import METHODS

DATA = Path(__file__).parent.parent / "data"
CORPORA = {"season-totals.csv": "season-standings.json", "season-unknown-totals.csv": "season-unknown-standings.json"}
NAMES = ["Ann", "Bob", "Cat", "Dan", "Eve", "Flo", "Gil", "Hal", "Ivy"]


def corpora():
    """Return a question for each table of the seasons worked out elsewhere, and the rows that answer it."""
    found = []
    for totals, tables in CORPORA.items():
        with open(DATA / totals, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        found += [
            (_question(rows, table["args"]), table["rows"])
            for table in json.loads((DATA / tables).read_text(encoding="utf-8"))
        ]
    return found


def _question(rows, args):
    def results(span):
        rules, recording = span.get("rules", args["rules"]).split(","), args.get("recording", "settle")
        return [
            _result(row)
            for row in rows
            if span["from"] <= row["date"] <= span["to"]
            if row["rules"] in rules and (row["recording"] or "settle") == recording
        ]

    newest = {row["player"]: row for row in sorted(rows, key=lambda row: row["date"])}
    settings = {"method": args.get("method", "average")}
    settings |= {name: args[name] for name in ("minimum_sessions",) if name in args}
    settings |= {"best_n": args["best"]} if "best" in args else {}
    return {
        "ask": "rank",
        "results": results(args),
        "before": results(args["previous"]) if "previous" in args else None,
        "people": [[name, name, row["guest"] == "yes"] for name, row in newest.items()],
        "settings": settings,
    }


def _result(row):
    figures = [int(row[name]) if row[name] else None for name in ("hands", "won", "gained", "lost", "net")]
    session = "/".join([row["date"], row["meeting"], row["table"]])
    return [session, row["date"], int(row["table"]), row["player"], *figures]


def made_up(number, seed=0):
    """Return questions about seasons by chance, with ties, unknown hands, guests, meetings and a season before."""
    luck = Random(f"seasons {seed}")
    methods = list(METHODS)
    return [_made_up(luck, methods[at % len(methods)]) for at in range(number)]


def _made_up(luck, method):
    settings = {
        "method": method,
        "minimum_sessions": luck.randint(1, 4),
        "minimum_hands": luck.choice([None, 20]),
        "best_n": luck.randint(1, 4),
        "by_meeting": luck.random() < 0.3,
        "position_points": luck.choice([[], [10, 8, 6, 5], [3, 1]]),
        "drop_worst": luck.randint(0, 2),
        "group": luck.choice(["", "", "members", "guests", "beginners"]),
    }
    people = [[name, f"{name} Player", luck.random() < 0.2, luck.random() < 0.2] for name in NAMES]
    before = _season(luck, date(2025, 9, 4)) if luck.random() < 0.6 else None
    results = _season(luck, date(2026, 1, 8))
    return {"ask": "rank", "results": results, "before": before, "people": people, "settings": settings}


def _season(luck, first):
    rows = []
    for week in range(luck.randint(1, 6)):
        day = (first + timedelta(weeks=week)).isoformat()
        players = luck.sample(NAMES, len(NAMES))
        for number in (1, 2):
            seated, players = players[: (size := luck.randint(2, 5))], players[size:]
            nets = [luck.choice([-300, -20, 0, 20, 20, 300]) + luck.randint(0, 1) for _ in seated[1:]]
            hands = luck.choice([None, 8, 12, 16])
            for name, net in zip(seated, [-sum(nets), *nets], strict=False):
                won = None if hands is None else luck.randint(0, 3)
                row = [f"{day}/{number}", day, number, name, hands, won, max(net, 0), min(net, 0), net]
                rows.append([*row, luck.choice([None, 200, 640]), False, day])
    return rows
