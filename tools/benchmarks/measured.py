"""The measures of one database, taken by turns with the floor: a bare page, a bare transaction of the same rows."""

import json
import uuid

from django.db import connection
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from clubscore.league.methods import METHODS
from sample_data.hands import hand_body, make_pool
from sample_data.luck import Luck
from sessions_app.models import (
    Change,
    Command,
    Entry,
    Hand,
    Membership,
    Payment,
    PlayerHand,
    Season,
    Session,
    Tally,
)
from sessions_app.people.log import Actor
from sessions_app.people.transactions import write_transaction
from sessions_app.table.apply_command import apply_command
from sessions_app.table.carry_out import preview_command
from sessions_app.table.sessions import current_seating, start_session

from .plans import a_busy_session
from .timing import figures, often, taken

HANDS, TABLES, CORRECTIONS = 40, 5, 4
# What is most often asked for, and has the tightest goals, is measured so many times as often.
TIMES = 4
BY = Actor(name="Benchmark")
DERIVED = (Entry, Command, Change, Hand, PlayerHand, Payment)


class Measured:
    """Takes the measures as a club's secretary, signed in; each is a list of milliseconds."""

    def __init__(self, rounds):
        self.rounds = rounds
        self.busy = a_busy_session()
        self.club = self.busy.club
        self.client = Client(SERVER_NAME="localhost")
        self.client.force_login(Membership.objects.select_related("user").get(club=self.club, role="secretary").user)
        self.pool = make_pool("bmja", 5, size=40)
        self.luck = Luck("bench")
        self.times = {}

    def all(self):
        """Return {what: p50, p95, p99} in milliseconds, the pages first."""
        self.pages()
        self.writes()
        return {name: figures(times) for name, times in self.times.items() if times}

    def add(self, name, times):
        self.times.setdefault(name, []).extend(times)

    # Pages

    def pages(self):
        with override_settings(ROOT_URLCONF="tools.benchmarks.bare"):
            self.add("a bare page", often(lambda: self.client.get("/"), self.rounds))
        for name, address in self.addresses():
            self.get(address)
            self.add(name, often(lambda address=address: self.get(address), max(self.rounds // 3, 5), first=1))
        self.made_again()
        self.unchanged()

    def addresses(self):
        slug, session = self.club.slug, self.busy
        standings = reverse("standings", args=[slug]) + f"?season={session.season_id}"
        for method in METHODS:
            yield f"standings by {method}", f"{standings}&method={method}"
        yield "player page", reverse("player", args=[slug, session.seats.first().player_id])
        yield "sheet", reverse("session-sheet", args=[slug, session.pk])
        yield "club page", reverse("club", args=[slug])
        yield "table page", reverse("table", args=[slug, session.pk])
        yield "honours", reverse("honours", args=[slug])
        yield "log", reverse("log", args=[slug])
        yield "standings.csv", reverse("standings-csv", args=[slug]) + f"?season={session.season_id}"
        yield "hands.csv of a session", reverse("hands-csv", args=[slug, session.pk])

    def get(self, address, **more):
        answer = self.client.get(address, **more)
        assert answer.status_code == 200, (address, answer.status_code)
        return answer

    def made_again(self):
        """The standings as the first to ask after a change gets them."""
        address = reverse("standings", args=[self.club.slug]) + f"?season={self.busy.season_id}"
        self.get(address)
        for _ in range(TIMES * self.rounds):
            Season.objects.raise_version(self.busy.season_id)
            self.add("standings, the first after a change", [taken(lambda: self.get(address))[0]])

    def unchanged(self):
        """The standings once more, when the browser has them and nothing has changed."""
        address = reverse("standings", args=[self.club.slug]) + f"?season={self.busy.season_id}"
        mark = self.get(address).headers.get("ETag")

        def again():
            answer = self.client.get(address, headers={"If-None-Match": mark or ""})
            assert answer.status_code == (304 if mark else 200)

        self.add("standings, nothing changed", often(again, TIMES * self.rounds))

    # Writes

    def writes(self):
        """Play tables of forty hands, preview a hand before each, and correct the first hand of each table."""
        for table in range(TABLES):
            session = self.table(900 + table)
            first = self.play(session)
            self.correct(session, first)
            Session.objects.filter(pk=session.pk).update(
                state="finished", finished_at=timezone.now(), void=True, practice=True, season=None
            )
            Tally.objects.filter(session=session).update(season=None)

    def table(self, number):
        players = [seat.player for seat in self.busy.seats.select_related("player")][:4]
        return start_session(self.club, self.busy.date, number, players, self.busy.rules, {}, by=BY)

    def play(self, session):
        first = None
        for _ in range(HANDS):
            session.refresh_from_db()
            seats = [str(seat) for seat in current_seating(session).seated.values()]
            body = hand_body(self.pool, self.luck, seats)
            self.preview(session, body)
            key = str(uuid.uuid4())
            spent, answer = taken(lambda key=key, body=body: self.send(session, key, "hand", body))
            if answer.status_code == 422:
                continue
            assert answer.status_code == 201, answer.content
            self.add("record a hand", [spent])
            self.bare_transaction(session, key)
            first = first or key
        return first

    def preview(self, session, body):
        address = reverse("hand-score", args=[self.club.slug, session.pk])
        spent, answer = taken(lambda: self.client.post(address, {"body": json.dumps(body)}))
        assert answer.status_code == 200
        self.add("preview a hand", [spent])

    def send(self, session, key, kind, body):
        address = reverse("commands", args=[self.club.slug, session.pk])
        command = {"key": key, "kind": kind, "body": body, "device": "bench"}
        return self.client.post(address, json.dumps(command), content_type="application/json")

    def correct(self, session, first):
        for turn in range(CORRECTIONS):
            winner = str(1 + turn % 3)
            hand = {"hands": {seat: {"total": 8} for seat in "1234"}, "mahjong": {"by": winner}}
            body = {"entry": first, "body": hand}
            command = {"key": str(uuid.uuid4()), "kind": "correct", "body": body}
            spent, _ = taken(lambda c=command: preview_command(session.pk, c))
            self.add("preview a correction of hand 1 of 40", [spent])
            spent, answer = taken(lambda c=command: self.send(session, c["key"], "correct", c["body"]))
            assert answer.status_code == 200, answer.content
            self.add("correct hand 1 of 40", [spent])
        self.add("record a hand at the door alone", [self.at_the_door(session) for _ in range(3)])

    def at_the_door(self, session):
        session.refresh_from_db()
        seats = [str(seat) for seat in current_seating(session).seated.values()]
        body = {"hands": {seat: {"total": 20} for seat in seats}, "mahjong": {"by": seats[1]}}
        command = {"key": str(uuid.uuid4()), "kind": "hand", "body": body}
        return taken(lambda: apply_command(session.pk, command, BY))[0]

    def bare_transaction(self, session, key):
        """Take a recorded hand's rows out of the tables, and write the same rows again in one plain transaction."""
        rows = self.rows_of(session, key)
        with write_transaction():
            for model in (Payment, PlayerHand, Hand, Command, Entry):
                model.objects.filter(pk__in=[row["id"] for row in rows[model]])._raw_delete(model.objects.db)
        statements = [_insert(model, rows[model]) for model in DERIVED if rows[model]]

        def write():
            with write_transaction(), connection.cursor() as cursor:
                for sql, values in statements:
                    cursor.executemany(sql, values)
                for tally in rows[Tally]:
                    cursor.execute("UPDATE sessions_app_tally SET net = net WHERE id = %s", [tally["id"]])
                cursor.execute("UPDATE sessions_app_session SET version = version WHERE id = %s", [session.pk])
                if session.season_id:
                    season = [session.season_id]
                    cursor.execute("UPDATE sessions_app_season SET version = version WHERE id = %s", season)

        self.add("a bare transaction of the same rows", [taken(write)[0]])

    def rows_of(self, session, key):
        entry = Entry.objects.get(session=session, key=key)
        queries = {
            Entry: Entry.objects.filter(pk=entry.pk),
            Command: Command.objects.filter(session=session, key=key),
            Change: Change.objects.filter(session=session, subject_id=key),
            Hand: Hand.objects.filter(entry=entry),
            PlayerHand: PlayerHand.objects.filter(hand__entry=entry),
            Payment: Payment.objects.filter(entry=entry),
            Tally: Tally.objects.filter(session=session),
        }
        return {model: list(query.values()) for model, query in queries.items()}


def _insert(model, rows):
    """Return the statement and its values; a line of the log is added once more, as none can be taken out."""
    fields = [field for field in model._meta.concrete_fields if not (model is Change and field.primary_key)]
    columns = ", ".join(connection.ops.quote_name(field.column) for field in fields)
    values = [[field.get_db_prep_save(row[field.attname], connection) for field in fields] for row in rows]
    sql = f"INSERT INTO {model._meta.db_table} ({columns}) VALUES ({', '.join(['%s'] * len(fields))})"
    return sql, values
