"""The demonstration club: a season in progress, finished sessions and a table in play, entered as tablets would."""

import datetime
import json
import uuid
from pathlib import Path

from sessions_app.league.seasons import add_season
from sessions_app.models import Club, Membership, User
from sessions_app.people.accounts import DEMONSTRATION_LOGINS
from sessions_app.people.log import Actor
from sessions_app.people.players import add_player
from sessions_app.people.transactions import write_transaction
from sessions_app.table.sessions import start_session

from .clubs import record

MEETINGS = Path(__file__).with_name("meetings.json")
SLUG = "demonstration"
MEMBER_IS = "Jean Atkins"
WEEKS_BEFORE, WEEKS_AFTER = 8, 8
BY = Actor(name="The demonstration")
KEYS = uuid.UUID("5f3d2d3e-6a0e-4d6c-9a53-0d5b7f3c9a11")


def load_demo():
    """Make the demonstration club with everything in it, and return it; None if it exists already."""
    if Club.objects.filter(slug=SLUG).exists():
        return None
    with write_transaction():
        data = json.loads(MEETINGS.read_text(encoding="utf-8"))
        club = Club.objects.create(name="Demonstration Mah-jong Club", slug=SLUG, stick_set="")
        today = club.today
        players = {row["full_name"]: add_player(club, by=BY, **row) for row in data["players"]}
        _make_accounts(club, players[MEMBER_IS])
        add_season(
            club,
            data["season"],
            today - datetime.timedelta(weeks=WEEKS_BEFORE),
            today + datetime.timedelta(weeks=WEEKS_AFTER),
            by=BY,
            rules=["bmja", "u3a"],
        )
        for row in data["sessions"]:
            _session(club, row, players, today - datetime.timedelta(weeks=row["weeks_ago"]))
    return club


def _make_accounts(club, member):
    """Make an account for each role; the member is one of the players and has a page of their own."""
    for role, login in DEMONSTRATION_LOGINS.items():
        user = User.objects.create_user(login, password=login, first_name="Demo", last_name=role)
        Membership.objects.create(user=user, club=club, role=role, player=member if role == "member" else None)


def _session(club, row, players, date):
    seated = [players[name] for name in row["players"]]
    session = start_session(club, date, row["table"], seated, row["rules"], {}, by=BY, sticks=row.get("sticks", ""))
    commands = [("hand", body, number) for number, body in enumerate(row["hands"])]
    if row["weeks_ago"]:
        commands.append(("finish", {}, "finish"))
    for kind, body, name in commands:
        record(session, kind, body, uuid.uuid5(KEYS, f"{row['weeks_ago']}/{row['table']}/{name}"), by=BY)
