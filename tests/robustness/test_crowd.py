"""Twenty tablets at once, at one table and at twenty: nothing lost, nothing double, no database error seen."""

import random
import statistics
import threading
import time

import pytest

from .site import Tablet, figures, lost_or_double

CLIENTS = 20
SECONDS, LONG = 2, 120
# So many tablets would fill a table's ledger in no time: all move on together to the next one.
AT_ONE_TABLE = 5


def play(tablet, table_of, until, seed):
    """Record, correct and undo until the time is up."""
    choose, own = random.Random(seed), {}
    while time.monotonic() < until:
        table = table_of()
        deed = choose.random()
        known = own.setdefault(table, [])
        if deed < 0.6 or not known:
            answer = tablet.send(table, "hand", figures(choose.choice("1234"), s1=8, s2=choose.randrange(0, 500, 2)))
            if answer and answer["outcome"] == "recorded":
                known.append(answer["entry"])
        elif deed < 0.8:
            body = figures(choose.choice("1234"), s3=choose.randrange(0, 500, 2))
            tablet.send(table, "correct", {"entry": choose.choice(known), "body": body})
        else:
            tablet.send(table, choose.choice(["undo", "undo", "redo"]), {})
    tablet.close()


@pytest.mark.long
@pytest.mark.parametrize("where", ["at one table", "at twenty tables"])
def test_a_crowd_loses_nothing_and_sees_no_database_error(site, where, is_long, tell):
    seconds = LONG if is_long else SECONDS
    tables = seconds // AT_ONE_TABLE + 2 if where == "at one table" else CLIENTS
    house = site.house("make", tables)
    tablets = [Tablet(site.port, house["slug"], house["cookie"]) for _ in range(CLIENTS)]
    with site.serving():
        began = time.monotonic()

        def table_of(number):
            if where == "at one table":
                return lambda: house["tables"][int((time.monotonic() - began) // AT_ONE_TABLE) % tables]
            return lambda: house["tables"][number]

        threads = [
            threading.Thread(target=play, args=(tablet, table_of(number), began + seconds, number))
            for number, tablet in enumerate(tablets)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        lasted = time.monotonic() - began
    found = site.house("check")
    report(site, where, tablets, lasted, tell)
    assert [fault for tablet in tablets for fault in tablet.faults] == []
    assert [key for tablet in tablets for key in tablet.unanswered] == []
    assert lost_or_double(tablets, found) == []
    assert (found["reconcile"], found["faults"]) == ([], [])


def report(site, where, tablets, lasted, tell):
    took = sorted(1000 * one for tablet in tablets for one in tablet.took)
    hands = sum(kind == "hand" for tablet in tablets for _, kind, *_ in tablet.answered.values())
    tell(
        f"{site.name}, {CLIENTS} tablets {where}, {lasted:.0f} s: {len(took)} commands answered, {hands} of them "
        f"hands, {len(took) / lasted:.0f} a second; p50 {statistics.median(took):.0f} ms, "
        f"p99 {took[int(len(took) * 0.99)]:.0f} ms, slowest {took[-1]:.0f} ms; 5xx: "
        f"{sum(len(tablet.faults) for tablet in tablets)}"
    )
