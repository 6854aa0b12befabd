"""A session's ledger with its rows, loaded in a fixed number of queries and edited in memory; store.py writes it."""

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils import timezone

from clubscore.play import ledger as plain
from clubscore.play.ledger import PlayerKey
from clubscore.play.replay import HandResult, Paid, Replayed, SeatResult
from clubscore.scoring.rotation import SeatingState
from sessions_app.models import Command, Entry, Hand, Payment, Player, PlayerHand, Seat, Session
from sessions_app.table.season_assignment import logged_state, refuse_locked, restore_assignment

# The columns of a Hand that a HandResult has by the same names.
HAND_FIELDS = ("entry_version", "number", "kind", "east_stays", "next_is_goulash", "edition", "question")

# The usual gap between the positions of two entries.
STEP = 1024


class StoredLedger(plain.Ledger):
    """The ledger of one session with its rows: entries by key, seats by number.

    `done` is the replay of what is stored, once an edit has been.
    """

    done: Replayed | None = None

    def __init__(
        self,
        session: Session,
        seat_rows: Sequence[Seat],
        entry_rows: Sequence[Entry],
        hands: dict[str, Hand],
        stored: dict[str, HandResult],
    ) -> None:
        self.session = session
        self.season_before = session.season_id
        self.seat_rows = {row.seat_no: row for row in seat_rows}
        self.entry_rows = {row.key_text: row for row in entry_rows}
        self.player_rows: dict[PlayerKey, Player] = {row.player_id: row.player for row in seat_rows}
        self.tallies = {row.pk: row.tally for row in seat_rows if hasattr(row, "tally")}
        self.hands = hands
        self.new_seats: list[Seat] = []
        self.is_renumbered = False
        self.is_repeated = False
        facts = (session.rules, session.house_rules, session.club_hands, session.starting_balance)
        seats = [plain.Seat(row.seat_no, row.player_id, row.at_start) for row in seat_rows]
        players = [plain.Player(row.pk, row.name) for row in self.player_rows.values()]
        super().__init__(*facts, seats, players, map(_entry, entry_rows))
        self.stored = stored
        self.session_state = logged_state(session)

    def begin_edit(self) -> None:
        """Forget what the last edit touched, once it is stored."""
        self.before, self.outcomes, self.new_seats, self.is_renumbered = {}, {}, [], False
        self.season_before = self.session.season_id

    @property
    def seat_ids(self) -> dict[int, int]:
        """The ids of the seats by number."""
        return {seat_no: row.pk for seat_no, row in self.seat_rows.items()}

    def add_player(self, player: Player, key: int | None = None) -> None:
        """Let commands refer to a player, by their own key or by that of a player merged into them."""
        self.player_rows[player.pk] = player
        known = plain.Player(player.pk, player.name)
        self.players |= {player.pk: known, player.pk if key is None else key: known}

    def player(self, key: Any) -> Any:
        """Return the player of the session's club with this key, or the one that player was merged into."""
        if type(key) is int and key not in self.players:
            players = Player.objects.of_club(self.session.club_id).select_related("merged_into")
            found = players.filter(pk=key).first()
            if found is not None:
                self.add_player(found.merged_into or found, key)
        return super().player(key)

    def change_session(self, **values: Any) -> None:
        """Change the session's row, and remember its previous state for the log."""
        for name, value in values.items():
            setattr(self.session, name, value)
        state = logged_state(self.session)
        self.change_session_state({name: state[name] for name in values if name in state})

    def set_state(self, state: str) -> None:
        """Finish the session, or reopen it unless its season is locked."""
        if state == Session.State.OPEN:
            refuse_locked(self.session.season)
        self.change_session(state=state, finished_at=None if state == Session.State.OPEN else timezone.now())

    def restore_session(self, values: dict[str, Any]) -> None:
        restore_assignment(self, values)

    def update_rows(self) -> None:
        """Update the rows of seats and entries after an edit, and create new ones; nothing is saved."""
        for seat in self.seats:
            if seat.seat_no not in self.seat_rows:
                row = Seat(club_id=self.session.club_id, session=self.session, seat_no=seat.seat_no, at_start=False)
                self.seat_rows[seat.seat_no] = row
                self.new_seats.append(row)
            if self.seat_rows[seat.seat_no].player_id != seat.player:
                self.seat_rows[seat.seat_no].player = self.player_rows[seat.player]
        for entry in self.touched_entries:
            stored = self.entry_rows.get(entry.key) or self._new_row(entry)
            stored.body, stored.removed, stored.version = entry.body, entry.removed, entry.version
            stored.played_in = entry.played_in

    def _new_row(self, entry: plain.Entry) -> Entry:
        """Return a row positioned between the entries before and after it; if no number is free, all are renumbered."""
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
            self.is_renumbered = True
            known = [other for other in self.entries if other.key in self.entry_rows]
            for number, other in enumerate(known, 1):
                self.entry_rows[other.key].position = number * STEP
        return row


def _entry(row):
    return plain.Entry(row.key_text, row.kind, row.body, row.version, row.removed, row.played_in, row.device)


def load_ledger(
    session_id: int, lock: bool = False, with_results: bool = True, key: UUID | str | None = None
) -> StoredLedger:
    """Return a session's ledger, with the session's row locked if asked for; four queries.

    Without stored results, which a replay that scores everything again does not need, it is three. With the `key` of a
    command, `is_repeated` says whether it was received before.
    """
    sessions = Session.objects.select_related("club", "season")
    if lock:
        sessions = sessions.select_for_update(of=("self",))
    [ledger] = load_ledgers([sessions.get(pk=session_id)], with_results, key)
    return ledger


def load_ledgers(
    sessions: Collection[Session], with_results: bool = True, key: UUID | str | None = None
) -> list[StoredLedger]:
    """Return the ledgers of sessions, whose rows are not read again; three queries in all, two without results."""
    seats, entries = defaultdict(list), defaultdict(list)
    # Asked with the seats, which are read after the session has been locked.
    is_repeated = Exists(Command.objects.filter(session=OuterRef("session"), key__in=[key] if key else []))
    rows = Seat.objects.filter(session__in=sessions).select_related("player", "tally").annotate(is_repeated=is_repeated)
    for seat in rows.order_by("seat_no"):
        seats[seat.session_id].append(seat)
    for entry in Entry.objects.filter(session__in=sessions).select_related("hand").order_by("position"):
        entries[entry.session_id].append(entry)
    results = _seat_results(sessions, seats) if with_results else {}
    return [_stored_ledger(session, seats[session.pk], entries[session.pk], results) for session in sessions]


def _stored_ledger(
    session: Session, seats: Sequence[Seat], entries: list[Entry], results: dict[int, list[SeatResult]]
) -> StoredLedger:
    hands = {entry.key_text: entry.hand for entry in entries if hasattr(entry, "hand")}
    stored = {key: _stored_result(key, hand, results[hand.pk]) for key, hand in hands.items()} if results else {}
    ledger = StoredLedger(session, seats, entries, hands, stored)
    ledger.is_repeated = vars(seats[0])["is_repeated"]
    return ledger


def stored_payments(session: Session, seats: Iterable[Seat]) -> dict[int, list[Paid]]:
    """Return the stored payments of a session by entry id, in order."""
    numbers, found = {seat.pk: seat.seat_no for seat in seats}, defaultdict(list)
    rows = Payment.objects.filter(session=session).order_by("pk")
    for entry_id, payer, payee, amount, why in rows.values_list("entry_id", "payer_id", "payee_id", "amount", "why"):
        found[entry_id].append(Paid(numbers[payer], numbers.get(payee), amount, why))
    return found


def _seat_results(sessions: Collection[Session], seats: Mapping[int, Sequence[Seat]]) -> dict[int, list[SeatResult]]:
    """Return the stored results of seats by hand id, without the lines of their scores."""
    numbers = {seat.pk: seat.seat_no for at_table in seats.values() for seat in at_table}
    found = defaultdict(list)
    columns = ("wind", "total", "special", "won", "net")
    rows = PlayerHand.objects.filter(hand__session__in=sessions).values_list("hand_id", "seat_id", *columns)
    for hand_id, seat_id, *values in rows:
        found[hand_id].append(SeatResult(seat=numbers[seat_id], **dict(zip(columns, values, strict=True))))
    return found


def _stored_result(key, hand, seats):
    seats = tuple(sorted(seats, key=attrgetter("seat")))
    return HandResult(
        key=key,
        seating=SeatingState.from_dict(hand.seating),
        winners=tuple(seat.seat for seat in seats if seat.won),
        seats=seats,
        is_kept=True,
        **{name: getattr(hand, name) for name in HAND_FIELDS},
    )
