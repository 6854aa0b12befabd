"""The server killed in mid-write, again and again: what a tablet heard is recorded is in the books exactly once."""

import random
import signal
import threading
import time

from .site import Tablet, figures, lost_or_double

TABLETS = 6
TIMES, LONG = 2, 100


def hammer(tablet, table, stop, seed):
    """Send again what has no answer yet, then hand after hand, until the server is gone."""
    choose, known = random.Random(seed), []
    tablet.send_again()
    while not stop.is_set():
        if known and choose.random() < 0.3:
            body = figures(choose.choice("1234"), s2=choose.randrange(0, 300, 2))
            answer = tablet.send(table, "correct", {"entry": choose.choice(known), "body": body})
        else:
            answer = tablet.send(table, "hand", figures(choose.choice("1234"), s1=choose.randrange(0, 300, 2)))
        if answer is None:
            return
        if answer["entry"]:
            known.append(answer["entry"])


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(site, is_long, tell):
    times = LONG if is_long else TIMES
    house = site.house("make", times)
    tablets = [Tablet(site.port, house["slug"], house["cookie"]) for _ in range(TABLETS)]
    choose, in_flight = random.Random(7), 0
    for turn in range(times):
        site.start()
        stop = threading.Event()
        threads = [
            threading.Thread(target=hammer, args=(tablet, house["tables"][turn], stop, turn * TABLETS + number))
            for number, tablet in enumerate(tablets)
        ]
        for thread in threads:
            thread.start()
        time.sleep(choose.uniform(0.3, 1.2))
        site.stop(signal.SIGKILL)
        stop.set()
        for thread in threads:
            thread.join()
        in_flight += sum(bool(tablet.unanswered) for tablet in tablets)
        for tablet in tablets:
            tablet.close()
    with site.serving():
        for tablet in tablets:
            tablet.send_again()
            tablet.close()
    found = site.house("check")
    answered = sum(len(tablet.answered) for tablet in tablets)
    tell(
        f"{site.name}, killed {times} times: {answered} commands acknowledged, {in_flight} were under way when the "
        "server was killed and were sent again"
    )
    assert [fault for tablet in tablets for fault in tablet.faults] == []
    assert [key for tablet in tablets for key in tablet.unanswered] == []
    assert lost_or_double(tablets, found) == []
    assert (found["reconcile"], found["faults"]) == ([], [])
    assert in_flight > 0
