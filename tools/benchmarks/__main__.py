"""`./run bench`: everything measured on this machine in one run and printed; server times go to docs/benchmarks.csv.

The databases stay in the folder, so that a second run measures at once. A small run tries out that all of it works:
`./run bench --small 300 --hands 600 --databases sqlite --tables 3 --watchers 5 --seconds 5 --print`.
"""

import argparse
import json
import os
import sys
from pathlib import Path

from . import bench_table, report
from .databases import NAMES, ROOT, NoRoom, addresses, check_room, fill, run

KEPT = ROOT / "docs" / "benchmarks.csv"
PARTS = ("scoring", "pages", "rescore", "hall", "backup")
# Measured in a browser, and printed.
TABLE = "table"


def main():
    options = asked()
    if options.parts == [TABLE]:
        return bench_table.measure(options)
    options.folder.mkdir(parents=True, exist_ok=True)
    sizes = [options.small, options.hands]
    try:
        check_room(options.folder, sizes, options.databases)
    except NoRoom as error:
        sys.exit(str(error))
    found = report.Found(options)
    if "scoring" in options.parts:
        found.scoring = json.loads(
            run("sqlite://:memory:", ROOT / "var", "-m", "tools.benchmarks.bench_scoring", "--json", is_shown=False)
        )
    with addresses(options.databases, options.folder) as address:
        for kind in options.databases:
            measure_database(kind, address, sizes, options, found)
    sys.stdout.write(report.measured(found))
    if found.times and not options.print:
        KEPT.write_text(report.as_csv(found, KEPT.read_text(encoding="utf-8")), encoding="utf-8")
        say(f"The server times are in {KEPT.relative_to(ROOT)}.")
    (options.folder / "found.json").write_text(json.dumps(found.facts(), indent=1), encoding="utf-8")


def asked():
    parser = argparse.ArgumentParser(prog="run bench", description="Measure Clubscore on this machine.")
    parser.add_argument("--hands", type=int, default=1_000_000, help="hands in the large database (1000000)")
    parser.add_argument("--small", type=int, default=10_000, help="hands in the small one (10000)")
    parser.add_argument("--clubs", type=int, default=50)
    parser.add_argument("--players", type=int, default=40, help="in each club")
    parser.add_argument("--databases", type=words(NAMES), default=list(NAMES), metavar="sqlite,postgresql")
    parser.add_argument("--parts", type=words((*PARTS, TABLE)), default=list(PARTS), metavar=",".join((*PARTS, TABLE)))
    parser.add_argument("--beside", type=Path, help="with --parts table: another checkout, measured in the same run")
    parser.add_argument("--slower", type=int, default=1, help="with --parts table: how much slower the browser runs")
    parser.add_argument("--rounds", type=int, default=60, help="how often a page is asked for")
    parser.add_argument("--tables", type=int, default=200, help="tables in play at once")
    parser.add_argument("--watchers", type=int, default=500)
    parser.add_argument("--seconds", type=int, default=60, help="how long they are watched")
    parser.add_argument("--folder", type=Path, default=ROOT / "var" / "bench", help="where the databases are kept")
    parser.add_argument("--print", action="store_true", help="only print; docs/benchmarks.csv stays as it is")
    return parser.parse_args()


def words(known):
    def read(text):
        chosen = text.split(",")
        if not set(chosen) <= set(known):
            raise argparse.ArgumentTypeError(f"choose among {', '.join(known)}")
        return chosen

    return read


def measure_database(kind, address, sizes, options, found):
    for size in sizes:
        say(f"{kind}, {size:,} hands ...")
        url = address(kind, size)
        found.filled[f"{kind} {size}"] = fill(url, options.folder, size, options.clubs, options.players)
    # In turns, so that a slower moment of the machine's is in both.
    for size in [*sizes, *sizes] if "pages" in options.parts else ():
        say(f"{kind}, {size:,} hands: pages and writes ...")
        found.add_times(kind, size, part(address(kind, size), options, "server_times", options.rounds))
    measure_parts(("rescore", "backup"), kind, address, sizes, options, found)
    if "hall" in options.parts:
        say(f"{kind}: {options.tables} tables and {options.watchers} watchers ...")
        numbers = (options.tables, options.watchers, options.seconds)
        found.hall[kind] = part(address(kind, sizes[-1]), options, "hall", *numbers)


def measure_parts(names, kind, address, sizes, options, found):
    for name in (name for name in names if name in options.parts):
        for size in sizes:
            say(f"{kind}, {size:,} hands: {name} ...")
            found.others.setdefault(name, {})[f"{kind} {size}"] = part(address(kind, size), options, f"bench_{name}")


def part(url, options, module, *arguments):
    given = run(url, options.folder, "-m", f"tools.benchmarks.{module}", *map(str, arguments), is_shown=False)
    return json.loads(given)


def say(text):
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
