"""What was measured, as tables to read; and the server times as rows of docs/benchmarks.csv."""

import csv
import io
import os
import platform
import time
from pathlib import Path

import django

from .timing import percentile

COLUMNS = ("what", "database", "hands", "p50_ms", "p95_ms", "p99_ms", "goal_p95_ms")
WRITES = (
    "record a hand", "record a hand at the door alone", "correct hand 1 of 40", "preview a correction of hand 1 of 40",
)  # fmt: skip
GOALS = {"record a hand": 25, "preview a hand": 10, "correct hand 1 of 40": 100, "standings, nothing changed": 2}
GOALS |= {"standings, the first after a change": 10}
STANDINGS, STANDINGS_GOAL = "standings by ", 10  # by each method
# Of a hall: milliseconds until 99 of 100 looks are answered, and the share of the machine.
LOOK_GOAL, SHARE_GOAL = 150, 0.5
# What the well-known Python scorer does in a second, and how many times that is asked for.
PEER, TIMES_PEER = 1650, 20
PERCENTILES = ("p50", "p95", "p99")
# Of the minute before: next to other work no absolute figure is worth anything.
# Windows keeps no such figure.
LOAD_BEFORE = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
KINDS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


class Found:
    """Everything that one run has found."""

    def __init__(self, options):
        self.options = options
        self.scoring, self.filled, self.times, self.others, self.hall = {}, {}, {}, {}, {}

    def add_times(self, kind, size, found):
        """Keep the better of two turns of each measure: the other one was disturbed."""
        kept = self.times.setdefault(kind, {}).setdefault(size, found)
        for name, figures in found.items():
            if figures["p95"] < kept.get(name, figures)["p95"] or name not in kept:
                kept[name] = figures

    def facts(self):
        named = ("scoring", "filled", "times", "others", "hall")
        return {name: getattr(self, name) for name in named} | {"machine": machine()}


def as_csv(found, kept):
    """Return the server times as CSV; of `kept`, the text before, stays what was not measured now."""
    rows = [
        {"what": name, "database": KINDS[kind], "hands": size, "goal_p95_ms": _goal(name)}
        | {f"{each}_ms": f"{times[name][each]:.1f}" for each in PERCENTILES}
        for kind, by_size in found.times.items()
        for name in next(iter(by_size.values()))
        for size, times in by_size.items()
    ]
    measured_now = {(row["database"], str(row["hands"])) for row in rows}
    stay = [row for row in csv.DictReader(io.StringIO(kept)) if (row["database"], row["hands"]) not in measured_now]
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows([*stay, *rows])
    return text.getvalue()


def _goal(name):
    return STANDINGS_GOAL if name.startswith(STANDINGS) else GOALS.get(name, "")


def machine():
    cpu = next((line.partition(": ")[2] for line in _lines("/proc/cpuinfo") if line.startswith("model name")), "")
    memory = next((int(line.split()[1]) for line in _lines("/proc/meminfo") if line.startswith("MemTotal")), 0)
    return (
        f"{os.cpu_count()} cores ({cpu.strip() or platform.machine()}), {memory / 1024 / 1024:.0f} GiB, "
        f"Python {platform.python_version()}, Django {django.get_version()}"
    )


def _lines(path):
    return Path(path).read_text(encoding="utf-8").splitlines() if Path(path).exists() else []


def measured(found):
    """Return all that was found as a line about the machine and tables."""
    parts = [f"On {machine()}.\n"]
    if found.scoring:
        parts.append(_british(found.scoring))
    parts += [_pages(kind, found) for kind in found.times]
    for name, heading in (("rescore", _rescore), ("backup", _backup)):
        if found.others.get(name):
            parts.append(heading(found.others[name]))
    if found.hall:
        parts.append(_hall(found))
    if any(found.filled.values()):
        parts.append(_filled(found.filled))
    return "\n".join(parts)


def _table(heading, titles, rows):
    """Return a heading, the moment, and a table whose columns but the first are figures."""
    moment = time.strftime("%d %B %Y, %H:%M UTC", time.gmtime()).removeprefix("0")
    moment = f"{moment}; load before the run {LOAD_BEFORE:.1f}."
    lines = [f"### {heading}\n", f"{moment}\n", _row(titles), _row(["---", *["---:"] * (len(titles) - 1)])]
    return "\n".join([*lines, *map(_row, rows)]) + "\n"


def _row(cells):
    return f"| {' | '.join(map(str, cells))} |"


def _british(found):
    rows = [
        (name, f"{a_second:,.0f}", f"{times:.0f} times", f"{a_second / PEER:.1f} times")
        for name, (_, a_second, times) in found.items()
    ]
    titles = ("fresh players' hands of bmja and u3a, each once", "a second", "the floor", f"{PEER:,} a second")
    table = _table("British hands", titles, rows)
    return f"{table}\nThe goal is {TIMES_PEER} times {PEER:,}, {TIMES_PEER * PEER:,} hands by tiles a second.\n"


def _pages(kind, found):
    sizes = list(found.times[kind])
    rows = [_times_row(name, [found.times[kind][size] for size in sizes]) for name in found.times[kind][sizes[0]]]
    titles = ["milliseconds of server time"]
    titles += [f"{each} at {size:,}" for size in sizes for each in PERCENTILES]
    titles += ["large to small, p50", "the floor, large", "goal, p95", "reached"]
    return _table(f"Server times, {KINDS[kind]}", titles, rows)


def _times_row(name, by_size):
    cells = [f"{found[name][each]:.1f}" for found in by_size for each in PERCENTILES]
    small, large = by_size[0], by_size[-1]
    floor = "a bare transaction of the same rows" if name in WRITES else "a bare page"
    times = large[name]["p50"] / large[floor]["p50"]
    ratio = large[name]["p50"] / small[name]["p50"]
    goal = _goal(name)
    return (name, *cells, f"{ratio:.2f}", f"{times:.1f} times", goal, goal and _yes_or_no(large[name]["p95"] < goal))


def _yes_or_no(is_so):
    return "yes" if is_so else "no"


def _rescore(found):
    rows = [
        (_place(name), f"{one['sessions']:,}", f"{one['one process']:,.0f}", f"{one['every processor']:,.0f}",
         f"{one['every processor'] / one['one process']:.2f}") for name, one in found.items()
    ]  # fmt: skip
    return _table(
        "Stored hands scored again", ("hands a second", "sessions", "one process", "every processor", "ratio"), rows
    )


def _backup(found):
    rows = [
        (_place(name), f"{one['seconds']:.0f} s", f"{one['restoring']:.0f} s", f"{one['size'] / 1e6:,.0f} MB",
         one["shown"]) for name, one in found.items()
    ]  # fmt: skip
    titles = ("database", "written and tried out", "brought back", "size", "what the trial showed")
    return _table("A backup", titles, rows)


def _hall(found):
    options, rows = found.options, []
    for kind, given in found.hall.items():
        looks = [f"{percentile(given['looks'], share):.0f} ms" for share in (0.5, 0.95, 0.99)]
        hands = [f"{percentile(given['hands'], share):.0f} ms" for share in (0.5, 0.99)] if given["hands"] else ["", ""]
        share = given["server"] / given["cores"]
        asked = len(given["looks"]) / given["seconds"]
        is_reached = share < SHARE_GOAL and percentile(given["looks"], 0.99) < LOOK_GOAL
        rows.append((KINDS[kind], f"{share:.0%}", f"{asked:.0f}", *looks, *hands, _yes_or_no(is_reached)))
    titles = ("database", "of the machine", "looks a second", "look p50", "p95", "p99", "hand p50", "p99")
    titles += (f"under half, p99 under {LOOK_GOAL} ms",)
    heading = f"{options.tables} tables with a hand each every three minutes, {options.watchers} watchers polling"
    return _table(heading, titles, rows)


def _filled(filled):
    rows = [(_place(name), f"{seconds:,.0f} s") for name, seconds in filled.items() if seconds]
    return _table("Populating", ("database", "taken"), rows)


def _place(name):
    kind, size = name.split()
    return f"{KINDS[kind]}, {int(size):,} hands"
