"""A session's ledger in memory: loaded in a fixed number of queries, edited and replayed; store.py writes it back."""

import uuid
from collections import defaultdict
from dataclasses import replace
from functools import cached_property
from operator import attrgetter

from django.db import connection
from django.db.models.expressions import RawSQL

from clubscore import scoring
from clubscore.scoring.rotation import Chairs
from clubscore.table.replay import Facts, HandResult, Line, SeatResult, replay
from sessions_app.models import Command, Entry, PlayerHand, Seat, Session
from sessions_app.people.transactions import ServiceError
from sessions_app.table.command_results import REFUSED

STEP = 1024


LIGHT = ("hand_id", "seat_id", "wind", "total", "won", "net")


# What the log keeps of a session that is changed; its season follows from its date.
LOGGED = {
    "state": lambda session: session.state,
    "practice": lambda session: session.practice,
    "void": lambda session: session.void,
    "date": lambda session: session.date.isoformat(),
    "table": lambda session: session.table,
    "meeting": lambda session: session.meeting_id,
}


class Ledger:
    """The lines and seats of one session, and what an edit has touched (for the log and for undoing)."""

    def __init__(self, session, seats, entries, hands, stored):
        self.session = session
        self.seats = seats
        self.entries = entries
        self.hands = hands
        self.stored = stored
        self.before = {}
        self.new_seats = []
        self.outcomes = {}
        self.respread = False
        self.season_before = session.season_id
        self.earlier = None
        # Players who may arrive and whom nobody need look up, by number: those of a file that is only looked at have
        # no row yet.
        self.newcomers = {}

    @cached_property
    def house(self):
        return scoring.house_rules(self.session.rules, self.session.house_rules)

    @property
    def facts(self):
        return Facts(
            rules=self.session.rules,
            house_rules=self.session.house_rules,
            club_hands=self.session.club_hands,
            house=self.house,
            edition=scoring.RULE_SETS[self.session.rules].edition,
            starting_balance=self.session.starting_balance,
            start=tuple(seat.chair for seat in self.seats if seat.at_start),
            seats=tuple(seat.chair for seat in self.seats),
        )

    @property
    def tallies(self):
        """The tallies as they were loaded, by seat id; who has just come has none."""
        seats = (seat for seat in self.seats if seat not in self.new_seats)
        return {seat.pk: seat.tally for seat in seats if hasattr(seat, "tally")}

    @property
    def names(self):
        return {seat.chair: seat.player.name for seat in self.seats}

    @property
    def standing(self):
        """The lines that count, in order."""
        return [entry for entry in self.entries if not entry.taken_out]

    def replay(self, strict=None, reuse=True, earlier=None):
        """Replay the lines; where only new ones stand behind those of an `earlier` replay, it goes on from that."""
        if earlier is None or not self.only_appended:
            return replay(self.facts, _lines(self.standing), self.stored, strict, reuse)
        return replay(self.facts, _lines(self.touched_entries), self.stored, strict, reuse, earlier)

    def chairs_before(self, line=None):
        """Return the chairs in which a line would be played that stands before this one, or at the end."""
        at = len(self.entries) if line is None else self.entries.index(line)
        standing = [entry for entry in self.entries[:at] if not entry.taken_out]
        return replay(self.facts, _lines(standing), self.stored).chairs

    def accept(self, hand):
        """Note the chairs in which a hand was accepted."""
        self.find(hand.key).played_in = hand.chairs.to_dict()

    def entry(self, key):
        """Return the line with this key; ServiceError when there is none."""
        found = self.find(key)
        if found is None:
            raise ServiceError("There is no such line in this session.")
        return found

    def find(self, key):
        wanted = str(key)
        return next((entry for entry in reversed(self.entries) if entry.key_text == wanted), None)

    def seat(self, number):
        """Return the seat of this number (a string in bodies); ServiceError when there is none."""
        found = next((seat for seat in self.seats if str(seat.chair) == str(number)), None)
        if found is None:
            raise ServiceError("There is no such seat at this table.", "seat")
        return found

    def add(self, key, kind, body, before=None, device="", user=None):
        """Put a new line before another one, or at the end.

        One of this key that an undone choice took out has its place already: it is put back there.
        """
        known = self.find(key)
        if known is not None:
            if known.kind != kind:
                raise ServiceError(REFUSED)
            self.change(known, body=body, taken_out=False)
            return known
        at = len(self.entries) if before is None else self.entries.index(before)
        entry = Entry(
            session=self.session,
            key=uuid.UUID(str(key)),
            position=self._position(at),
            kind=kind,
            body=body,
            device=device,
            created_by=user,
        )
        self.before.setdefault("entries", {})[str(entry.key)] = None
        self.entries.insert(at, entry)
        return entry

    def _position(self, at):
        after = self.entries[at - 1].position if at else 0
        if at == len(self.entries):
            return after + STEP
        if self.entries[at].position - after < 2:
            self.respread = True
            for number, entry in enumerate(self.entries, 1):
                entry.position = (number + (number > at)) * STEP
            return (at + 1) * STEP
        return (after + self.entries[at].position) // 2

    def change(self, entry, **values):
        """Change a line's body or take it out, keeping in mind what it was."""
        self.before.setdefault("entries", {}).setdefault(entry.key_text, entry_state(entry))
        only_agreed = _only_agreed(entry, values)
        for name, value in values.items():
            setattr(entry, name, value)
        entry.version += 1
        if only_agreed and str(entry.key) in self.stored:
            # The same hand: its result stands as it was scored, also where the rules have had another edition since.
            self.stored[str(entry.key)] = replace(self.stored[str(entry.key)], entry_version=entry.version)

    def change_player(self, seat, player):
        self.before.setdefault("seats", {}).setdefault(str(seat.chair), {"player": seat.player_id})
        seat.player = player

    def change_session(self, **values):
        """Change the session itself, keeping in mind what the log keeps of it."""
        before = self.before.setdefault("session", {})
        for name, value in values.items():
            if name in LOGGED:
                before.setdefault(name, LOGGED[name](self.session))
            setattr(self.session, name, value)

    def change_outcome(self, key, old, new):
        """Decide about a command the door had kept."""
        self.before.setdefault("commands", {}).setdefault(str(key), old)
        self.outcomes[str(key)] = new

    def add_seat(self, player):
        """Return the seat of a player who comes to the table: the old one of somebody who comes back, or a new one."""
        for seat in self.seats:
            if seat.player == player:
                return seat
        chair = max(seat.chair for seat in self.seats) + 1
        seat = Seat(club_id=self.session.club_id, session=self.session, player=player, chair=chair, at_start=False)
        self.seats.append(seat)
        self.new_seats.append(seat)
        return seat

    @property
    def touched_entries(self):
        left, found = set(self.before.get("entries", {})), []
        # From the end, where nearly every edit is.
        for entry in reversed(self.entries):
            if not left:
                break
            if entry.key_text in left:
                left.discard(entry.key_text)
                found.append(entry)
        return found[::-1]

    @property
    def only_appended(self):
        """Whether the edit did nothing but add lines at the end."""
        is_new = all(state is None for state in self.before.get("entries", {}).values())
        touched = self.touched_entries
        return bool(touched) and is_new and not self.outcomes and touched == self.entries[-len(touched) :]

    def after(self):
        """Return the state after the edit of everything it touched, in the form of `before`."""
        after = {}
        if "entries" in self.before:
            after["entries"] = {entry.key_text: entry_state(entry) for entry in self.touched_entries}
        if "seats" in self.before:
            after["seats"] = {
                str(seat.chair): {"player": seat.player_id}
                for seat in self.seats
                if str(seat.chair) in self.before["seats"]
            }
        if "session" in self.before:
            after["session"] = {name: LOGGED[name](self.session) for name in self.before["session"]}
        if "commands" in self.before:
            after["commands"] = dict(self.outcomes)
        return after


def _only_agreed(entry, values):
    """Say whether a change of a hand is only about who agreed to it."""
    if entry.kind != Entry.Kind.HAND or values.get("taken_out", entry.taken_out) != entry.taken_out:
        return False
    was, will = entry.body, values.get("body", entry.body)
    return was != will and {**was, "agreed": ""} == {**will, "agreed": ""}


def _lines(entries):
    return [Line(entry.key_text, entry.kind, entry.body, entry.version, entry.played_in) for entry in entries]


def entry_state(entry):
    """Return what the log keeps of a line, to be brought back by undo."""
    state = {"kind": entry.kind, "body": entry.body, "taken_out": entry.taken_out}
    return state | ({"played_in": entry.played_in} if entry.kind == Entry.Kind.HAND else {})


def load_ledger(session_id, lock=False, with_results=True, key=None):
    """Load a session's ledger with its stored results, in four queries; the session's row is locked when asked.

    Without its results, which a replay that takes nothing over does not need, it is three. With the key of a command
    it tells as `earlier` under which id the register has that already.
    """
    sessions = Session.objects.select_related("club", "season")
    if lock:
        sessions = sessions.select_for_update(of=("self",))
    session = sessions.get(pk=session_id)
    seats = Seat.objects.filter(session=session).select_related("player", "tally").order_by("chair")
    seats = list(seats if key is None else seats.annotate(earlier=_registered(session_id, key)))
    entries = list(Entry.objects.filter(session=session).select_related("hand").order_by("position"))
    hands = {entry.key_text: entry.hand for entry in entries if hasattr(entry, "hand")}
    ledger = Ledger(session, seats, entries, hands, _stored_results(session, hands, seats) if with_results else {})
    ledger.earlier = seats[0].earlier if key is not None else None
    return ledger


def _registered(session_id, key):
    """Return what tells the id of a command along with another query: that one is asked once the session is locked."""
    key = Command._meta.get_field("key").get_db_prep_value(uuid.UUID(key), connection)
    return RawSQL("(SELECT id FROM sessions_app_command WHERE session_id = %s AND key = %s)", (session_id, key))


def _stored_results(session, hands, seats):
    number = {seat.pk: seat.chair for seat in seats}
    found = defaultdict(list)
    for hand_id, seat_id, wind, total, won, net in PlayerHand.objects.filter(hand__session=session).values_list(*LIGHT):
        found[hand_id].append(SeatResult(seat=number[seat_id], wind=wind, total=total, won=won, net=net))
    return {key: _stored_result(key, hand, _in_order(found[hand.pk])) for key, hand in hands.items()}


def _in_order(seats):
    return tuple(sorted(seats, key=attrgetter("seat")))


def _stored_result(key, hand, seats):
    return HandResult(
        key=key,
        entry_version=hand.entry_version,
        number=hand.number,
        chairs=Chairs.from_dict(hand.chairs),
        kind=hand.kind,
        winners=tuple(seat.seat for seat in seats if seat.won),
        east_stays=hand.east_stays,
        next_is_goulash=hand.next_is_goulash,
        edition=hand.edition,
        question=hand.question,
        seats=seats,
        is_kept=True,
    )
