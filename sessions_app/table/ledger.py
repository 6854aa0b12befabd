"""A session's ledger with its rows: loaded in a fixed number of queries, edited in memory; store.py writes it back."""

import uuid
from collections import defaultdict
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db.models import Subquery
from django.utils import timezone

from clubscore.scoring.rotation import SeatingState
from clubscore.table import ledger as plain
from clubscore.table.replay import HandResult, SeatResult
from sessions_app.models import Command, Entry, Player, PlayerHand, Seat, Session, Tally
from sessions_app.table.season_assignment import refuse_locked, restore_placing

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


class Ledger(plain.Ledger):
    """The ledger of one session, with the rows it was loaded from: of entries by key, of seats by chair."""

    def __init__(self, session, seat_rows, entry_rows, hands, stored):
        self.session = session
        self.season_before = session.season_id
        self.seat_rows = {row.chair: row for row in seat_rows}
        self.entry_rows = {row.key_text: row for row in entry_rows}
        self.player_rows = {row.player_id: row.player for row in seat_rows}
        self.hands = hands
        self.new_seats = []
        self.is_respread = False
        self.earlier = None
        facts = (session.rules, session.house_rules, session.club_hands, session.starting_balance)
        seats = [plain.Seat(row.chair, row.player_id, row.at_start) for row in seat_rows]
        players = [plain.Player(row.pk, row.name) for row in self.player_rows.values()]
        super().__init__(*facts, seats, players, map(_entry, entry_rows), stored)
        self.session_state = {name: kept(session) for name, kept in LOGGED.items()}

    @property
    def tallies(self) -> dict[int, Tally]:
        """The tallies as they were loaded, by seat id; who has just come has none."""
        rows = (row for row in self.seat_rows.values() if row not in self.new_seats)
        return {row.pk: row.tally for row in rows if hasattr(row, "tally")}

    @property
    def seat_ids(self) -> dict[int, int]:
        """The id of the seat in each chair."""
        return {seat_no: row.pk for seat_no, row in self.seat_rows.items()}

    def know(self, player: Player, key: int | None = None) -> None:
        """Let commands name this player, by another key than their own where they were joined into them."""
        self.player_rows[player.pk] = player
        known = plain.Player(player.pk, player.name)
        self.players |= {player.pk: known, player.pk if key is None else key: known}

    def player(self, key: Any) -> Any:
        """Return a player of the session's club, for who was joined into another that one; another club's is nobody."""
        if type(key) is int and key not in self.players:
            players = Player.objects.of_club(self.session.club_id).select_related("merged_into")
            found = players.filter(pk=key).first()
            if found is not None:
                self.know(found.merged_into or found, key)
        return super().player(key)

    def change_session(self, **values: Any) -> None:
        """Change the session's row, keeping in mind what the log keeps of it."""
        for name, value in values.items():
            setattr(self.session, name, value)
        self.change_session_state({name: LOGGED[name](self.session) for name in values if name in LOGGED})

    def set_state(self, state: str) -> None:
        """Finish the session, or open it again; one of a locked season is not opened."""
        if state == Session.State.OPEN:
            refuse_locked(self.session.season)
        self.change_session(state=state, finished_at=None if state == Session.State.OPEN else timezone.now())

    def restore_session(self, values: dict[str, Any]) -> None:
        restore_placing(self, values)

    def bring_rows(self) -> None:
        """Bring the rows of seats and entries to what the edit made of them; those of new ones are not saved yet."""
        for seat in self.seats:
            if seat.seat_no not in self.seat_rows:
                row = Seat(club_id=self.session.club_id, session=self.session, chair=seat.seat_no, at_start=False)
                self.seat_rows[seat.seat_no] = row
                self.new_seats.append(row)
            if self.seat_rows[seat.seat_no].player_id != seat.player:
                self.seat_rows[seat.seat_no].player = self.player_rows[seat.player]
        for entry in self.touched_entries:
            row = self.entry_rows.get(entry.key) or self._new_row(entry)
            row.body, row.taken_out, row.version = entry.body, entry.taken_out, entry.version
            row.played_in = entry.played_in

    def _new_row(self, entry):
        """Return a row between those of the entries before and after it; where no number is left, all get new ones."""
        row = Entry(session=self.session, key=uuid.UUID(entry.key), kind=entry.kind)
        row.device, row.created_by = entry.device, entry.author
        at = self.entries.index(entry)
        before = self.entry_rows[self.entries[at - 1].key].position if at else 0
        self.entry_rows[entry.key] = row
        rows = [self.entry_rows[other.key] for other in self.entries[at + 1 :] if other.key in self.entry_rows]
        if not rows:
            row.position = before + STEP
        elif rows[0].position - before > 1:
            row.position = (before + rows[0].position) // 2
        else:
            self.is_respread = True
            known = [other for other in self.entries if other.key in self.entry_rows]
            for number, other in enumerate(known, 1):
                self.entry_rows[other.key].position = number * STEP
        return row


def _entry(row):
    return plain.Entry(row.key_text, row.kind, row.body, row.version, row.taken_out, row.played_in, row.device)


def load_ledger(
    session_id: int, lock: bool = False, with_results: bool = True, key: UUID | str | None = None
) -> Ledger:
    """Load a session's ledger with its stored results, in four queries; the session's row is locked when asked.

    Without its results, which a replay that takes nothing over does not need, it is three. `earlier` is the
    id of the command that was sent with this key before.
    """
    sessions = Session.objects.select_related("club", "season")
    if lock:
        sessions = sessions.select_for_update(of=("self",))
    session = sessions.get(pk=session_id)
    earlier = Command.objects.filter(session=session_id, key=key).values("pk")[:1]
    seats = Seat.objects.filter(session=session).select_related("player", "tally").order_by("chair")
    seats = list(seats if key is None else seats.annotate(earlier=Subquery(earlier)))
    entries = list(Entry.objects.filter(session=session).select_related("hand").order_by("position"))
    hands = {entry.key_text: entry.hand for entry in entries if hasattr(entry, "hand")}
    ledger = Ledger(session, seats, entries, hands, _stored_results(session, hands, seats) if with_results else {})
    ledger.earlier = seats[0].earlier if key is not None else None
    return ledger


def _stored_results(session, hands, seats):
    number = {seat.pk: seat.chair for seat in seats}
    found = defaultdict(list)
    for hand_id, seat_id, wind, total, won, net in PlayerHand.objects.filter(hand__session=session).values_list(*LIGHT):
        found[hand_id].append(SeatResult(seat=number[seat_id], wind=wind, total=total, won=won, net=net))
    return {key: _stored_result(key, hand, found[hand.pk]) for key, hand in hands.items()}


def _stored_result(key, hand, seats):
    seats = tuple(sorted(seats, key=attrgetter("seat")))
    return HandResult(
        key=key,
        entry_version=hand.entry_version,
        number=hand.number,
        seating=SeatingState.from_dict(hand.chairs),
        kind=hand.kind,
        winners=tuple(seat.seat for seat in seats if seat.won),
        east_stays=hand.east_stays,
        next_is_goulash=hand.next_is_goulash,
        edition=hand.edition,
        question=hand.question,
        seats=seats,
        is_kept=True,
    )
