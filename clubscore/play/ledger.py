"""A session's ledger as plain values: its seats and entries, and what an edit has touched, for the log and for undo."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from clubscore import scoring
from clubscore.play.command_kinds import ARRIVE, HAND
from clubscore.play.outcomes import Outcome, Reason
from clubscore.play.replay import Entry, HandResult, Replayed, SessionFacts, replay
from clubscore.scoring.rotation import SeatingState

OPEN, FINISHED = "open", "finished"
PlayerKey: TypeAlias = int | str


class EditError(ValueError):
    """A command that cannot be carried out: the reason, the field to fix if known, and the slots of its sentence."""

    def __init__(self, code: Reason, field: str | None = None, **params: Any) -> None:
        super().__init__(code)
        self.code, self.field, self.params = code, field, params


class Player(NamedTuple):
    """Someone who has a seat or may take one; commands name them by the key."""

    key: PlayerKey
    name: str


@dataclass(eq=False)
class Seat:
    """A seat by the number that never changes; `player` is the key of the player who has it."""

    seat_no: int
    player: PlayerKey
    at_start: bool = True


class Change(NamedTuple):
    """What one command touched, as it was before and after; an undo or redo names the change it is `of`."""

    key: str
    kind: str
    before: dict[str, Any]
    after: dict[str, Any]
    of: Any = None


class Ledger:
    """The entries and seats of one session.

    `stored`: results of hands by key, which a replay reuses if they still fit. `session_state`: what the log keeps of
    the session, its `state` and whether it is `void`. `before`: what an edit has touched, as it was. `outcomes`: what
    became of pending commands. `changes`: the changes so far, where no database keeps them.
    """

    def __init__(
        self,
        rules: str,
        house_rules: Mapping[str, Any],
        club_hands: Sequence[Mapping[str, Any]],
        starting_balance: int,
        seats: Iterable[Seat],
        players: Iterable[Player],
        entries: Iterable[Entry] = (),
    ) -> None:
        self.rules, self.house_rules, self.club_hands = rules, house_rules, club_hands
        self.house = scoring.house_rules(rules, house_rules)
        self.starting_balance = starting_balance
        self.seats = list(seats)
        self.players = {player.key: player for player in players}
        self.entries = list(entries)
        self.stored: dict[str, HandResult] = {}
        self.session_state: dict[str, Any] = {"state": OPEN, "void": False}
        self.before: dict[str, Any] = {}
        self.outcomes: dict[str, Outcome] = {}
        self.changes: list[Change] = []

    def copy(self) -> "Ledger":
        """Return a ledger that can be edited without changing this one; it has touched nothing yet."""
        seats, entries = [replace(seat) for seat in self.seats], [replace(entry) for entry in self.entries]
        facts = (self.rules, self.house_rules, self.club_hands, self.starting_balance)
        copied = Ledger(*facts, seats, [], entries)
        copied.stored = dict(self.stored)
        copied.session_state = dict(self.session_state)
        copied.changes = list(self.changes)
        copied.players = dict(self.players)
        return copied

    @property
    def is_open(self) -> bool:
        return bool(self.session_state["state"] == OPEN)

    @property
    def facts(self) -> SessionFacts:
        return SessionFacts(
            rules=self.rules,
            house_rules=self.house_rules,
            club_hands=self.club_hands,
            house=self.house,
            edition=scoring.RULE_SETS[self.rules].edition,
            starting_balance=self.starting_balance,
            start=tuple(seat.seat_no for seat in self.seats if seat.at_start),
            seats=tuple(seat.seat_no for seat in self.seats if self.is_taken(seat)),
        )

    @property
    def names(self) -> dict[int, str]:
        return {seat.seat_no: self.players[seat.player].name for seat in self.seats}

    @property
    def active(self) -> list[Entry]:
        """The entries that count, in order."""
        return [entry for entry in self.entries if not entry.removed]

    def replay(self, strict: str | None = None, reuse: bool = True, earlier: Replayed | None = None) -> Replayed:
        """Replay the entries, or only those added at the end since an `earlier` replay."""
        if earlier is None or not self.only_appended:
            return replay(self.facts, self.active, self.stored, strict, reuse)
        return replay(self.facts, self.touched_entries, self.stored, strict, reuse, earlier)

    def seating_before(self, entry: Entry | None = None) -> SeatingState:
        """Return the seating before this entry, or after the last one."""
        at = len(self.entries) if entry is None else self.entries.index(entry)
        active = [earlier for earlier in self.entries[:at] if not earlier.removed]
        return replay(self.facts, active, self.stored).seating

    def find(self, key: object) -> Entry | None:
        wanted = str(key)
        return next((entry for entry in reversed(self.entries) if entry.key == wanted), None)

    def entry(self, key: object) -> Entry:
        """Return the entry with this key, or raise EditError."""
        found = self.find(key)
        if found is None:
            raise EditError(Reason.NO_ENTRY)
        return found

    def seat(self, seat_no: object) -> Seat:
        """Return the seat with this number (a string in bodies), or raise EditError."""
        for seat in self.seats:
            if str(seat.seat_no) == str(seat_no):
                return seat
        raise EditError(Reason.NO_SEAT, "seat")

    def is_taken(self, seat: Seat) -> bool:
        """Whether someone took a seat at the start, or by an arrival that counts."""
        return seat.at_start or any(
            [entry.kind == ARRIVE.key and str(entry.body["seat"]) == str(seat.seat_no) for entry in self.active]
        )

    def player(self, key: Any) -> Player:
        """Return the player with this key, or raise EditError."""
        found = self.players.get(key) if type(key) in (int, str) else None
        if found is None:
            raise EditError(Reason.NO_PLAYER, "player")
        return found

    def add(
        self, key: str, kind: str, body: Any, before: Entry | None = None, device: str = "", author: Any = None
    ) -> Entry:
        """Add an entry before another one or at the end; an entry with this key that was removed is restored instead.

        The latter happens when a choice between two versions was undone.
        """
        known = self.find(key)
        if known is not None:
            if known.kind != kind:
                raise EditError(Reason.KEY_USED)
            self.change(known, body=body, removed=False)
            return known
        entry = Entry(key, kind, body, device=device, author=author)
        self.before.setdefault("entries", {})[key] = None
        self.entries.insert(len(self.entries) if before is None else self.entries.index(before), entry)
        return entry

    def change(self, entry: Entry, **values: Any) -> None:
        """Set these attributes of an entry, and keep what they were in `before`."""
        self.before.setdefault("entries", {}).setdefault(entry.key, entry.state())
        only_agreed = _changes_only_agreement(entry, values)
        for name, value in values.items():
            setattr(entry, name, value)
        entry.version += 1
        if only_agreed and entry.key in self.stored:
            # The hand itself is the same, so its result stays, even if the rules have a newer edition by now.
            self.stored[entry.key] = replace(self.stored[entry.key], entry_version=entry.version)

    def add_seat(self, player: Player) -> Seat:
        """Return the seat of a player who joins: their old one if they were here before, else a new one."""
        for seat in self.seats:
            if seat.player == player.key:
                return seat
        seat = Seat(max(seat.seat_no for seat in self.seats) + 1, player.key, at_start=False)
        self.seats.append(seat)
        return seat

    def change_player(self, seat: Seat, player: PlayerKey) -> None:
        self.before.setdefault("seats", {}).setdefault(str(seat.seat_no), {"player": seat.player})
        seat.player = player

    def change_outcome(self, key: object, old: Outcome, new: Outcome) -> None:
        """Decide about a pending command."""
        self.before.setdefault("commands", {}).setdefault(str(key), old)
        self.outcomes[str(key)] = new

    def set_state(self, state: str) -> None:
        """Finish the session, or reopen it."""
        self.change_session_state({"state": state})

    def restore_session(self, values: dict[str, Any]) -> None:
        """Restore what the log kept of the session."""
        if self.session_state["void"] and values.get("state") == OPEN:
            raise EditError(Reason.IS_VOID)
        self.change_session_state(values)

    def change_session_state(self, values: dict[str, Any]) -> None:
        """Change what the log keeps of the session, and keep what it was in `before`."""
        before = self.before.setdefault("session", {})
        for name, value in values.items():
            before.setdefault(name, self.session_state[name])
            self.session_state[name] = value

    @property
    def touched_entries(self) -> list[Entry]:
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
    def only_appended(self) -> bool:
        """Whether the edit did nothing but add entries at the end."""
        is_new = all(state is None for state in self.before.get("entries", {}).values())
        touched = self.touched_entries
        return bool(touched) and is_new and not self.outcomes and touched == self.entries[-len(touched) :]

    def after(self) -> dict[str, Any]:
        """Return the present state of everything the edit touched, in the form of `before`."""
        after: dict[str, Any] = {}
        if "entries" in self.before:
            after["entries"] = {entry.key: entry.state() for entry in self.touched_entries}
        if "seats" in self.before:
            after["seats"] = {number: {"player": self.seat(number).player} for number in self.before["seats"]}
        if "session" in self.before:
            after["session"] = {name: self.session_state[name] for name in self.before["session"]}
        if "commands" in self.before:
            after["commands"] = dict(self.outcomes)
        return after


def _changes_only_agreement(entry: Entry, values: dict[str, Any]) -> bool:
    if entry.kind != HAND.key or values.get("removed", entry.removed) != entry.removed:
        return False
    was, will = entry.body, values.get("body", entry.body)
    return bool(was != will and {**was, "agreed": ""} == {**will, "agreed": ""})
