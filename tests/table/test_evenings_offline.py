"""Evenings at random: tables lose the network for an hour, and play on by what their tablets work out."""

import random

import pytest
from django.urls import reverse

from clubscore.play.edits import apply
from clubscore.play.ledger import EditError
from clubscore.play.replay import EntryError
from sessions_app.table.sessions import start_session
from tests.factories import DAY
from tests.logins import logins, signed_in
from tests.reconciled import reconcile
from tests.table.test_pure_core import any_command, figures, started
from tests.table.test_table_page import BY, asked, send, state_of

pytestmark = pytest.mark.slow

TABLES, STRETCHES, AN_HOUR = 3, 4, 10
EVENINGS, MANY_EVENINGS = 2, 40
NEVER_MEANT = {"reopen"}


class TableAtPlay:
    """A table and its tablet, which knows of the table what the server said when it was last heard."""

    def __init__(self, source, club, players, number):
        self.source, self.rules = source, source.choice(["bmja", "u3a", "western"])
        seats, people = source.randint(3, 5), [(player.pk, player.name) for player in players]
        self.names = dict(people)
        self.row = start_session(club, DAY, number, players[:seats], self.rules, {}, by=BY)
        self.ledger = started(seats, self.rules, people)
        self.done = self.ledger.replay()
        self.waiting, self.kinds = [], set()

    def play_an_hour(self, client, is_offline):
        state = state_of(client, self.row)
        for _ in range(AN_HOUR):
            command = self.command()
            if command and is_offline:
                self.waiting.append(command)
                self.check(asked(self.row, state, self.waiting))
            elif command:
                send(self.row, command)
        shown = asked(self.row, state, self.waiting)
        for command in self.waiting:
            send(self.row, command)
        if is_offline:
            # What it had shown is what the server says now.
            now = state_of(client, self.row)
            assert (shown["balances"], shown["chairs"]) == (now["balances"], now["chairs"])
        self.waiting = []

    def command(self):
        """Do something at this table, if it can be done: give the command."""
        command = any_command(self.source, self.ledger, self.done.seating)
        is_closed = not self.ledger.is_open and command["kind"] not in ("undo", "redo")
        if command["kind"] in NEVER_MEANT or is_closed:
            return None
        try:
            self.ledger, _, self.done = apply(self.ledger, command, self.done)
        except (EditError, EntryError):
            return None
        self.kinds.add(command["kind"])
        return {**command, "named": self.names.get(command["body"].get("player"), "")}

    def check(self, shown):
        """Expect that the tablet shows the table as it stands."""
        nets = figures(self.ledger, self.done)
        assert (shown["known"], shown["refused"]) == (True, {}), self.waiting
        assert (shown["chairs"], shown["is_open"]) == (nets["chairs"], nets["open"]), self.waiting
        won = {str(seat): one[2] + one[3] for seat, one in nets["balances"].items()}
        start = self.row.starting_balance
        assert shown["balances"] == {seat: start + net for seat, net in won.items()}, self.waiting


def play(seed, club, cast):
    print(f"seed {seed}")
    source = random.Random(seed)
    client = signed_in(logins(club)["scorekeeper"])
    tables = [TableAtPlay(source, club, cast.all, number) for number in range(1, TABLES + 1)]
    for _ in range(STRETCHES):
        # A third of the tablets are without the network.
        offline = source.choice(tables)
        for table in tables:
            table.play_an_hour(client, table is offline)
    for table in tables:
        rows = client.get(reverse("table-state", args=[club.slug, table.row.pk])).json()["ledger"]["entries"]
        assert [row[0] for row in rows] == [entry.key for entry in table.ledger.entries]
        assert [bool(row[4]) for row in rows] == [entry.removed for entry in table.ledger.entries]
    assert reconcile() == []
    return set().union(*[table.kinds for table in tables])


@pytest.mark.parametrize("seed", range(EVENINGS))
def test_a_tablet_that_played_an_hour_by_itself_agrees_with_the_server(club, cast, seed):
    play(seed, club, cast)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 100 + MANY_EVENINGS))
def test_many_evenings_with_hours_without_the_network(club, cast, seed):
    assert {"hand", "undo"} <= play(seed, club, cast)
