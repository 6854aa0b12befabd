"""A session's ledger as plain values: its seats and entries, and what an edit has touched, for the log and for undo."""

from dataclasses import replace
from typing import Any

from clubscore import scoring
from clubscore.table.command_kinds import HAND
from clubscore.table.outcomes import Reason
from clubscore.table.replay import Entry, Facts, replay

OPEN, FINISHED = "open", "finished"


class EditError(ValueError):
    """A command that cannot be carried out: why, what stands in its sentence, and the field to mend, where known."""

    def __init__(self, code: Reason, field: Any = None, **params: Any) -> None:
        super().__init__(code)
        self.code, self.field, self.params = code, field, params


class Player:
    """Who has a seat, or may take one: the key by which commands name them, and their name."""

    def __init__(self, key: Any, name: Any) -> None:
        self.key, self.name = key, name


class Seat:
    """A seat by the number that never changes; `player` is the key of who has it."""

    def __init__(self, seat_no: Any, player: Any, at_start: Any = True) -> None:
        self.seat_no, self.player, self.at_start = seat_no, player, at_start


class Ledger:
    """The entries and seats of one session. `stored`: results of hands by key, which a replay takes over if they fit.

    `kept_of_session` is what the log keeps of the session: its `state`, and whether it is `void`. `before` is what an
    edit has touched, as it was; `outcomes` what became of kept commands; `changes` what was changed so far, where
    nobody else keeps that.
    """

    def __init__(
        self,
        rules: Any,
        house_rules: Any,
        club_hands: Any,
        starting_balance: Any,
        seats: Any,
        players: Any,
        entries: Any = (),
        stored: Any = None,
    ) -> None:
        self.rules, self.house_rules, self.club_hands = rules, house_rules, club_hands
        self.house = scoring.house_rules(rules, house_rules)
        self.starting_balance = starting_balance
        self.seats = list(seats)
        self.players = {player.key: player for player in players}
        self.entries = list(entries)
        self.stored = stored or {}
        self.kept_of_session = {"state": OPEN, "void": False}
        self.before = {}
        self.outcomes = {}
        self.changes = []

    def copy(self) -> Any:
        """Return a ledger that can be edited while this one stays; it has touched nothing yet."""
        seats = [Seat(seat.seat_no, seat.player, seat.at_start) for seat in self.seats]
        entries = [entry.copy() for entry in self.entries]
        facts = (self.rules, self.house_rules, self.club_hands, self.starting_balance)
        copied = Ledger(*facts, seats, [], entries, dict(self.stored))
        copied.kept_of_session = dict(self.kept_of_session)
        copied.changes = list(self.changes)
        copied.players = dict(self.players)
        return copied

    @property
    def is_open(self) -> Any:
        return self.kept_of_session["state"] == OPEN

    @property
    def facts(self) -> Any:
        return Facts(
            rules=self.rules,
            house_rules=self.house_rules,
            club_hands=self.club_hands,
            house=self.house,
            edition=scoring.RULE_SETS[self.rules].edition,
            starting_balance=self.starting_balance,
            start=tuple(seat.seat_no for seat in self.seats if seat.at_start),
            seats=tuple(seat.seat_no for seat in self.seats),
        )

    @property
    def names(self) -> Any:
        return {seat.seat_no: self.players[seat.player].name for seat in self.seats}

    @property
    def active(self) -> Any:
        """The entries that count, in order."""
        return [entry for entry in self.entries if not entry.taken_out]

    def replay(self, strict: Any = None, reuse: Any = True, earlier: Any = None) -> Any:
        """Replay the entries; where only new ones stand behind those of an `earlier` replay, it goes on from that."""
        if earlier is None or not self.only_appended:
            return replay(self.facts, self.active, self.stored, strict, reuse)
        return replay(self.facts, self.touched_entries, self.stored, strict, reuse, earlier)

    def seating_before(self, entry: Any = None) -> Any:
        """Return the seating in which an entry before this one would be played, or one at the end."""
        at = len(self.entries) if entry is None else self.entries.index(entry)
        active = [one for one in self.entries[:at] if not one.taken_out]
        return replay(self.facts, active, self.stored).seating

    def accept(self, hand: Any) -> Any:
        """Note the seating in which a hand was accepted."""
        self.find(hand.key).played_in = hand.seating.to_dict()

    def entry(self, key: Any) -> Any:
        """Return the entry with this key; EditError when there is none."""
        found = self.find(key)
        if found is None:
            raise EditError(Reason.NO_ENTRY)
        return found

    def find(self, key: Any) -> Any:
        wanted = str(key)
        for entry in reversed(self.entries):
            if entry.key == wanted:
                return entry
        return None

    def seat(self, seat_no: Any) -> Any:
        """Return the seat of this number (a string in bodies); EditError when there is none."""
        for seat in self.seats:
            if str(seat.seat_no) == str(seat_no):
                return seat
        raise EditError(Reason.NO_SEAT, "seat")

    def player(self, key: Any) -> Any:
        """Return who is named by a key; EditError for nobody."""
        found = self.players.get(key) if type(key) in (int, str) else None
        if found is None:
            raise EditError(Reason.NO_PLAYER, "player")
        return found

    def add(self, key: Any, kind: Any, body: Any, before: Any = None, device: Any = "", author: Any = None) -> Any:
        """Put a new entry before another one, or at the end.

        One of this key that an undone choice took out has its place already: it is put back there.
        """
        known = self.find(key)
        if known is not None:
            if known.kind != kind:
                raise EditError(Reason.KEY_USED)
            self.change(known, body=body, taken_out=False)
            return known
        entry = Entry(key, kind, body, device=device, author=author)
        self.before.setdefault("entries", {})[key] = None
        self.entries.insert(len(self.entries) if before is None else self.entries.index(before), entry)
        return entry

    def change(self, entry: Any, **values: Any) -> Any:
        """Change an entry's body or take it out, keeping in mind what it was."""
        self.before.setdefault("entries", {}).setdefault(entry.key, entry.state())
        only_agreed = _only_agreed(entry, values)
        for name, value in values.items():
            setattr(entry, name, value)
        entry.version += 1
        if only_agreed and entry.key in self.stored:
            # The same hand: its result stands as it was scored, also where the rules have had another edition since.
            self.stored[entry.key] = replace(self.stored[entry.key], entry_version=entry.version)

    def add_seat(self, player: Any) -> Any:
        """Return the seat of a player who comes to the table: the old one of someone who comes back, or a new one."""
        for seat in self.seats:
            if seat.player == player.key:
                return seat
        seat = Seat(max(seat.seat_no for seat in self.seats) + 1, player.key, at_start=False)
        self.seats.append(seat)
        return seat

    def change_player(self, seat: Any, player: Any) -> Any:
        """Give a seat to the player of this key."""
        self.before.setdefault("seats", {}).setdefault(str(seat.seat_no), {"player": seat.player})
        seat.player = player

    def change_outcome(self, key: Any, old: Any, new: Any) -> Any:
        """Decide about a kept command."""
        self.before.setdefault("commands", {}).setdefault(str(key), old)
        self.outcomes[str(key)] = new

    def set_state(self, state: Any) -> Any:
        """Finish the session, or open it again."""
        self.note_session({"state": state})

    def restore_session(self, values: Any) -> Any:
        """Bring the session back to what the log kept of it."""
        if self.kept_of_session["void"] and values.get("state") == OPEN:
            raise EditError(Reason.IS_VOID)
        self.note_session(values)

    def note_session(self, values: Any) -> Any:
        """Change what the log keeps of the session, keeping in mind what it was."""
        before = self.before.setdefault("session", {})
        for name, value in values.items():
            before.setdefault(name, self.kept_of_session[name])
            self.kept_of_session[name] = value

    @property
    def touched_entries(self) -> Any:
        left, found = set(self.before.get("entries", {})), []
        # From the end, where nearly every edit is.
        for entry in reversed(self.entries):
            if not left:
                break
            if entry.key in left:
                left.discard(entry.key)
                found.append(entry)
        return found[::-1]

    @property
    def only_appended(self) -> Any:
        """Whether the edit did nothing but add entries at the end."""
        is_new = all(state is None for state in self.before.get("entries", {}).values())
        touched = self.touched_entries
        return bool(touched) and is_new and not self.outcomes and touched == self.entries[-len(touched) :]

    def after(self) -> Any:
        """Return the state after the edit of everything it touched, in the form of `before`."""
        after = {}
        if "entries" in self.before:
            after["entries"] = {entry.key: entry.state() for entry in self.touched_entries}
        if "seats" in self.before:
            after["seats"] = {number: {"player": self.seat(number).player} for number in self.before["seats"]}
        if "session" in self.before:
            after["session"] = {name: self.kept_of_session[name] for name in self.before["session"]}
        if "commands" in self.before:
            after["commands"] = dict(self.outcomes)
        return after


def _only_agreed(entry: Any, values: Any) -> Any:
    """Say whether a change of a hand is only about who agreed to it."""
    if entry.kind != HAND.key or values.get("taken_out", entry.taken_out) != entry.taken_out:
        return False
    was, will = entry.body, values.get("body", entry.body)
    return was != will and {**was, "agreed": ""} == {**will, "agreed": ""}
