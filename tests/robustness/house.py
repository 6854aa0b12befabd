"""What a robustness test needs inside an installation, run as a process of its own with that one's environment.

`python -m tests.robustness.house make TABLES` migrates, makes a club with that many tables, and prints their ids and
the cookie of a scorekeeper; `python -m tests.robustness.house check` prints what the ledgers hold and how they agree.
"""

import datetime
import json
import os
import sys

import django

AFTERNOON = datetime.date(2026, 11, 12)
SLUG = "crowd"


def make(tables):
    from django.core.management import call_command
    from django.test import Client

    from sessions_app.league.seasons import add_season
    from sessions_app.models import Club, Membership, User
    from sessions_app.people.log import Actor
    from sessions_app.people.players import add_player
    from sessions_app.table.sessions import start_session

    call_command("migrate", verbosity=0)
    by = Actor(name="The crowd")
    club = Club.objects.create(name="A crowd", slug=SLUG)
    keeper = User.objects.create(username="keeper", password="!")
    Membership.objects.create(user=keeper, club=club, role="secretary")
    # All tables count in one season, whose version every write raises.
    add_season(club, "Autumn", AFTERNOON.replace(month=9), AFTERNOON.replace(month=12), by=by, rules=["bmja"])
    players = [add_player(club, name, by=by) for name in ("Alice", "Bob", "Carol", "Dave")]
    made = [start_session(club, AFTERNOON, number, players, "bmja", {}, by=by).pk for number in range(1, tables + 1)]
    client = Client()
    client.force_login(keeper)
    # Whatever is asked for first is the first of a day, on which the sign-in is renewed.
    sign_in = client.session
    sign_in["last_used"] = "2026-01-01"
    sign_in.save()
    return {"slug": SLUG, "tables": made, "cookie": client.cookies["sessionid"].value}


def check():
    from django.db import connection

    from sessions_app.models import Change, Command, Entry, Session
    from tests.reconciled import reconcile

    tables = {}
    for pk in Session.objects.values_list("pk", flat=True):
        tables[pk] = {
            "entries": [str(key) for key in Entry.objects.filter(session=pk).values_list("key", flat=True)],
            "commands": {str(key): outcome for key, outcome in _outcomes(Command, pk)},
            "steps": Change.objects.filter(session=pk).exclude(action="start").count(),
        }
    faults = []
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA integrity_check")
            faults = [row[0] for row in cursor.fetchall() if row[0] != "ok"]
    return {"tables": tables, "reconcile": reconcile(), "faults": faults}


def _outcomes(register, session):
    return register.objects.filter(session=session).values_list("key", "outcome")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubscore.site.settings")
    django.setup()
    print(json.dumps(make(int(sys.argv[2])) if sys.argv[1] == "make" else check()))
