"""Random walks over every kind of command: each has an answer, and the figures are always those of the ledger."""

import datetime
import random
import uuid

import pytest

from clubscore.play.command_kinds import AT_TABLE, BY_SECRETARY, KINDS
from sessions_app.models import Change, Club, Command, Meeting, Membership, Season
from sessions_app.people.log import Actor
from sessions_app.people.players import add_player
from sessions_app.table.apply_command import apply_command, apply_secretary_command
from sessions_app.table.carry_out import preview_command
from sessions_app.table.sessions import start_session
from sessions_app.table.views.command_requests import status_of
from tests.afternoon import new_key
from tests.factories import BY, DAY
from tests.reconciled import reconcile
from tests.web.test_random_round_trips import NAMES, Evening, session_by_names

# Three that together do everything that seven did.
FEW = (2, 4, 5, 8)
MANY = [seed for seed in range(207) if seed not in FEW]
STEPS = 60
TABLETS = (Actor(name="{1}, tablet at table 1"), Actor(name="{2}, tablet at table 1"))

OUTCOMES = {
    (200, "recorded"), (201, "recorded"), (200, "again"), (409, "contested"), (409, "late"), (409, "refused"),
    (422, "invalid"), (403, "not-allowed"),
}  # fmt: skip

NO_MORE = {"undo": "There is nothing to undo.", "redo": "There is nothing to redo."}


class Walk(Evening):
    """One session of random commands, among them late ones, contested ones, and those that nobody can carry out."""

    def __init__(self, club, seed):
        self.source = random.Random(seed)
        self.sent, self.chosen, self.found = [], [], set()
        self.people = [add_player(club, name, by=BY) for name in NAMES]
        self.rules = self.source.choice(["bmja", "u3a", "western", "turner", "chinese_official"])
        self.season = Season.objects.create(
            club=club, name="Autumn", starts_on=datetime.date(2026, 9, 1), ends_on=datetime.date(2026, 12, 31),
            rules=[self.rules],
        )  # fmt: skip
        number = {"chinese_official": 4, "turner": 4}.get(self.rules) or self.source.choice([3, 4, 5])
        self.start = self.source.sample(self.people, number)
        self.session = start_session(club, DAY, 1, self.start, self.rules, {}, by=BY, starting_balance=500)
        for day in (DAY, DAY + datetime.timedelta(days=7), datetime.date(2027, 2, 4)):
            Meeting.objects.get_or_create(club=club, date=day)
        steps = [self.hand] * 6 + [self.come, self.go, self.exchange, self.seating, self.fine, self.note] * 2
        steps += [self.undo] * 8 + [self.redo] * 4 + [self.choose] * 12
        steps += [self.correct, self.take_out, self.put_back, self.agree, self.insert, self.change_player] * 2
        steps += [self.finish, self.reopen, self.lock, self.unlock, self.correct_locked, self.void, self.count_again]
        steps += [self.move, self.go_back, self.go_back, self.send_again]
        for _ in range(STEPS):
            self.source.choice(steps)()
            if self.chance(0.3):
                self.play_on()

    def chance(self, chance):
        return self.source.random() < chance

    def some(self, rows):
        """Return one of them, seldom something that is none of them."""
        rows = list(rows)
        return self.source.choice(rows) if rows and not self.chance(0.03) else None

    def key(self):
        """Return a new key; seldom one that is another line's, or will be if a hand that waits is chosen."""
        waiting = self.waiting() if self.chance(0.05) else []
        return str(uuid.uuid5(self.source.choice(waiting), "seating")) if waiting else new_key()

    def waiting(self):
        return list(Command.objects.filter(session=self.session).waiting().order_by("pk").values_list("key", flat=True))

    def send(self, kind, body=None, **more):
        command = {"key": self.key(), "kind": kind, "body": body or {}, "device": self.source.choice(["", "a", "b"])}
        if self.chance(0.3):
            command["after"] = self.some(map(str, self.session.entries.values_list("key", flat=True)))
        if self.chance(0.2):
            seats = [str(seat) for seat in self.chairs.seated.values()]
            self.source.shuffle(seats)
            command["seats"] = dict(zip("ESWN", seats, strict=False))
        if kind in ("correct", "take_out", "put_back") and self.chance(0.3):
            command["body"] = {**command["body"], "version": self.source.randint(1, 3)}
        command |= more
        self.sent.append(command)
        return self.apply(command)

    def apply(self, command):
        if command["kind"] in BY_SECRETARY:
            return self.expect(command, apply_secretary_command(self.session.pk, command, BY))
        if self.chance(0.1):
            preview_command(self.session.pk, command)
        is_allowed = not self.chance(0.05)
        is_tablet = self.chance(0.05)
        role = self.source.choice(["", "", "secretary"])
        membership = Membership(role="table" if is_tablet else role) if is_tablet or role else None
        by = self.source.choice(TABLETS)
        return self.expect(command, apply_command(self.session.pk, command, by, is_allowed, membership=membership))

    def expect(self, command, answer):
        assert (status_of(answer), answer.outcome) in OUTCOMES, (command, answer)
        assert answer.message, (command, answer)
        self.found.add((command["kind"], answer.outcome))
        return answer

    def send_again(self):
        if self.sent:
            command = self.source.choice(self.sent)
            self.apply(command if self.chance(0.8) else {**command, "kind": self.source.choice(sorted(AT_TABLE))})

    def undo(self):
        """Undo what was changed last; seldom what was someone's own, which may not be the last any more."""
        of = {"of": self.source.choice(self.sent)["key"]} if self.sent and self.chance(0.1) else {}
        self.send("undo", of)

    def redo(self):
        self.send("redo")

    def entry_key(self, **chosen):
        return str(self.some(self.session.entries.filter(**chosen).values_list("key", flat=True)))

    def take_out(self):
        self.send("take_out", {"entry": self.entry_key(removed=self.chance(0.1))})

    def put_back(self):
        self.send("put_back", {"entry": self.entry_key(removed=not self.chance(0.1))})

    def agree(self):
        self.send("agree", {"entry": self.entry_key(kind="hand"), "seat": self.some("1234")})

    def insert(self):
        kind, body = self.source.choice([
            ("hand", self.body(self.chairs)),
            ("note", {"text": "Tea"}),
            ("fine", {"by": "1", "to": None, "amount": 10}),
            ("seating", {"exchange": self.source.sample("123", 2)}),
        ])  # fmt: skip
        self.send("insert", {"kind": kind, "before": self.entry_key(), "body": body})

    def change_player(self):
        seat = self.some(self.session.seats.values_list("seat_no", flat=True))
        self.send("change_player", {"seat": str(seat), "player": self.source.choice(self.people).pk})

    def exchange(self):
        a, b = self.source.sample(self.chairs.at_table, 2)
        from_on = {"entry": self.entry_key()} if self.chance(0.3) else {}
        self.send("exchange", {"a": str(a), "b": str(b), **from_on})

    def choose(self):
        if self.chosen and self.chance(0.4):
            self.send("choose", self.source.choice(self.chosen))
            return
        waiting = list(map(str, self.waiting()))
        keep = self.some(waiting) or self.entry_key()
        drop = [self.entry_key(kind="hand")] if self.chance(0.4) else []
        if self.chance(0.2):
            drop += [key for key in waiting if key != keep][:1]
        self.chosen.append({"keep": None if self.chance(0.1) else keep, "drop": drop})
        self.send("choose", self.chosen[-1])

    def finish(self):
        self.send("finish")

    def reopen(self):
        self.send("reopen")

    def void(self):
        self.send("void", why="Started by mistake")

    def count_again(self):
        self.send("count_again")

    def move(self):
        meeting = self.source.choice(list(Meeting.objects.filter(club=self.session.club_id).order_by("pk")))
        body = {"date": meeting.date.isoformat(), "table": self.source.randint(1, 3), "meeting": meeting.pk}
        self.send("move", body)

    def go_back(self):
        changes = Change.objects.filter(session=self.session).order_by("pk").values_list("pk", flat=True)
        self.send("go_back", {"change": self.some(changes)})

    def play_on(self):
        """Open the table again, whatever closed it."""
        self.session.refresh_from_db()
        if self.session.season and self.session.season.locked:
            self.unlock()
        if self.session.void:
            self.count_again()
        elif not self.session.is_open:
            self.reopen()

    def lock(self, locked=True):
        Season.objects.filter(pk=self.season.pk).update(locked=locked)

    def unlock(self):
        self.lock(False)

    def correct_locked(self):
        entry = self.entry(removed=False, kind="hand")
        if entry:
            body = {"entry": str(entry.key), "body": self.body(self.chairs)}
            command = {"key": new_key(), "kind": "correct", "body": body, "why": "A slip"}
            self.expect(command, apply_command(self.session.pk, command, BY, opens_lock=True))

    def to_the_end(self, kind):
        """Undo, or redo, until nothing is left; return the figures after each step."""
        figures = []
        while True:
            answer = apply_command(self.session.pk, {"key": new_key(), "kind": kind, "body": {}}, BY)
            if answer.message == NO_MORE[kind]:
                return figures
            assert answer.outcome == "recorded", answer
            figures.append(session_by_names(self.session))


def expect_no_fault(seed):
    walk = Walk(Club.objects.create(name="Bramley", slug=f"bramley-{seed}"), seed)
    assert reconcile() == [], seed
    walk.lock(False)
    walk.count_again()
    walk.to_the_end("redo")
    latest = session_by_names(walk.session)
    back = walk.to_the_end("undo")
    assert not walk.session.entries.active().exists(), seed
    assert [seat.player for seat in walk.session.seats.filter(at_start=True).order_by("seat_no")] == walk.start, seed
    assert reconcile() == [], seed
    forth = walk.to_the_end("redo")
    assert [*back[-2::-1], latest] == forth, seed
    assert reconcile() == [], seed
    return walk


def test_random_walks_over_every_kind_of_command(db):
    """In some walks together every kind is carried out; hands and changes of them wait, by chance and late."""
    found = set()
    for seed in FEW:
        found |= expect_no_fault(seed).found
    assert {kind for kind, outcome in found if outcome == "recorded"} == {*KINDS}
    assert {("hand", "contested"), ("correct", "contested"), ("hand", "late"), ("undo", "refused")} <= found


@pytest.mark.long
@pytest.mark.parametrize("seed", MANY)
def test_many_random_walks_over_every_kind_of_command(db, seed):
    expect_no_fault(seed)
