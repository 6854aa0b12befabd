"""How long a table's writes take: recording a hand, previewing and correcting hand 1 of 40, beside a bare transaction.

Run it from the top level: `python -m tests.benchmarks.bench_ledger`. It makes an SQLite file of its own in a temporary
folder. The floor is one transaction that writes a single line of the log.
"""

import os
import statistics
import tempfile
import time
import uuid

HANDS, ROUNDS = 40, 5


def milliseconds(work):
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def told(name, taken, floor):
    taken = sorted(taken)
    middle, last = statistics.median(taken), taken[int(len(taken) * 0.95)]
    print(f"{name:38} p50 {middle:7.2f} ms   p95 {last:7.2f} ms   {middle / floor:6.1f} x floor")


def main():
    os.environ.update(CLUBSCORE_VAR=tempfile.mkdtemp(), DJANGO_SETTINGS_MODULE="clubscore.settings")
    os.environ.pop("DATABASE_URL", None)
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    measure()


def measure():
    import datetime

    from sessions_app.models import Club
    from sessions_app.services.actor import Actor
    from sessions_app.services.commands import apply_command
    from sessions_app.services.log import log_change
    from sessions_app.services.players import add_player
    from sessions_app.services.preview import preview_command
    from sessions_app.services.sessions import current_chairs, start_session
    from sessions_app.services.transactions import write_transaction

    by = Actor(name="Benchmark")
    club = Club.objects.create(name="Benchmark", slug="benchmark")
    players = [add_player(club, name, by=by) for name in ("Alice", "Bob", "Carol", "Dave")]
    taken = {"record": [], "preview": [], "correct": [], "floor": []}

    def bare():
        with write_transaction():
            log_change(club, by, "note", club, {}, {})

    def send(session, kind, body, key):
        answer = apply_command(session.pk, {"key": key, "kind": kind, "body": body}, by=by)
        assert answer.outcome == "recorded", answer.message

    def play(session):
        keys = [str(uuid.uuid4()) for _ in range(HANDS)]
        for number, key in enumerate(keys):
            session.refresh_from_db()
            body = body_of(current_chairs(session), number)
            taken["record"].append(milliseconds(lambda key=key, body=body: send(session, "hand", body, key)))
            taken["floor"].append(milliseconds(bare))
        return keys[0]

    def correct(session, first):
        body = {"entry": first, "body": {"hands": {seat: {"total": 8} for seat in "1234"}, "mahjong": {"by": "3"}}}
        change = {"key": str(uuid.uuid4()), "kind": "correct", "body": body}
        taken["preview"].append(milliseconds(lambda: preview_command(session.pk, change)))
        taken["correct"].append(milliseconds(lambda: send(session, "correct", body, change["key"])))

    for table in range(ROUNDS):
        session = start_session(club, datetime.date(2026, 11, 12), table + 1, players, "bmja", {}, by=by)
        correct(session, play(session))
    floor = statistics.median(taken["floor"])
    told("a bare transaction of one row", taken["floor"], floor)
    told(f"record a hand (1 to {HANDS})", taken["record"], floor)
    told(f"preview a correction of hand 1 of {HANDS}", taken["preview"], floor)
    told(f"correct hand 1 of {HANDS}", taken["correct"], floor)


def body_of(chairs, number):
    """Give a hand with tiles: East wins the first, then West, so that another first winner shifts all the rest."""
    seats = {wind: str(seat) for wind, seat in chairs.seated.items()}
    winner = seats["W" if number else "E"]
    hands = {seat: {"sets": ["exposed pung R"] if wind == "N" else []} for wind, seat in seats.items()}
    hands[winner] = {"sets": ["exposed pung 3B", "exposed pung 6C"], "tiles": "8D 8D 8D 2C 3C 4C 7D 7D", "bonus": "F1"}
    return {"hands": hands, "mahjong": {"by": winner, "tile": "7D", "from": "wall"}}


if __name__ == "__main__":
    main()
