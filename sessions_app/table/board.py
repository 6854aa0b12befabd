"""The board of a stored session: what its pages show, as clubscore.play.board builds it from the ledger."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.templatetags.static import static
from django.urls import reverse

from clubscore.play.board import Board, ScoredHand, SessionRules
from clubscore.play.replay import Entry as PlainEntry
from clubscore.play.replay import HandResult, Paid, Replayed
from clubscore.play.settling_up import SticksOfTable
from clubscore.play.table_words import places_of
from clubscore.scoring.rotation import WINDS, SeatingState
from sessions_app.models import Entry, Hand, PlayerHand, Recording, Seat, Session
from sessions_app.people.permissions import TABLE
from sessions_app.table.ledger import StoredLedger, load_ledgers, stored_payments
from sessions_app.table.sessions import current_seating

WINDS_SPRITE, TILES = "rules/tiles/winds.svg", "rules/tiles/tiles.svg"
# Stands for the key of an entry or a player in an address.
NO_KEY = "00000000-0000-0000-0000-000000000000"
# What is stored of a player's result, as its page explains it.
SCORED = ("wind", "won", "total", "points", "doubles", "times", "limited", "special", "fishing_for", "lines")
ENTRY_PAGES = {"hand_page": "hand", "preview_page": "hand-preview"}


class SessionBoard(Board):
    """The board of a session with its rows of the database.

    One imported as totals has no entries, and one that only a tablet has started has no players yet.
    """

    def __init__(self, ledger: StoredLedger, look: Mapping[str, Any], names: Mapping[int, str] | None = None) -> None:
        self.session, self.stored_ledger = ledger.session, ledger
        self.imported, self.has_payments = self.session.imported, False
        has_entries = bool(ledger.seats) and not self.imported
        done = ledger.replay() if has_entries else Replayed(current_seating(self.session))
        super().__init__(SessionRules(session_facts(self.session)), ledger, done, look, names)

    @property
    def seats(self) -> list[Seat]:
        """The seats in order, each with its player."""
        return list(self.stored_ledger.seat_rows.values())

    @property
    def taken_seats(self) -> list[Seat]:
        """The seats of those who really joined, in order, each with player and tally."""
        return [seat for seat in self.seats if seat.seat_no in self.tallies]

    def entry_row(self, entry: PlainEntry) -> Entry:
        return self.stored_ledger.entry_rows[entry.key]

    def all_tallies(self) -> Mapping[int, Any]:
        if self.imported:
            return {seat.seat_no: seat.tally for seat in self.seats}
        return super().all_tallies()

    def sticks(self) -> SticksOfTable:
        if self.facts.settling["sticks"] and not self.has_payments:
            self._read_payments()
        return super().sticks()

    def scored(self, hand: HandResult, entry: PlainEntry) -> ScoredHand:
        """Return how a hand was scored when it was recorded; two queries."""
        numbers = {pk: seat_no for seat_no, pk in self.stored_ledger.seat_ids.items()}
        rows = PlayerHand.objects.filter(hand=self.entry_row(entry).hand).exclude(wind="")
        results = sorted(rows, key=lambda result: WINDS.index(result.wind))
        players = [
            {
                **{name: getattr(result, name) for name in SCORED},
                "seat": str(numbers[result.seat_id]),
                "name": self.names[numbers[result.seat_id]],
            }
            for result in results
        ]
        payments = [
            {"from": str(paid.payer), "to": paid.payee and str(paid.payee), "amount": paid.amount, "why": paid.why}
            for paid in self.payments(hand)
        ]
        return ScoredHand(players, payments)

    def payments(self, hand: HandResult) -> Sequence[Paid]:
        if hand.is_kept and not self.has_payments:
            self._read_payments()
        return next(one.payments for one in self.done.hands if one.key == hand.key)

    def _read_payments(self) -> None:
        """Put the stored payments into the hands that were not scored again."""
        paid, rows = stored_payments(self.session, self.seats), self.stored_ledger.entry_rows
        self.done.hands = [
            replace(hand, payments=tuple(paid[rows[hand.key].pk])) if hand.is_kept else hand for hand in self.done.hands
        ]
        self.has_payments = True


def session_board(session: Session, look: Mapping[str, Any] | None = None) -> SessionBoard:
    """Return the board of a session; three queries, and one more when payments or sticks are asked for."""
    [board] = session_boards([session], lambda _: look or {})
    return board


def session_boards(
    sessions: Collection[Session],
    look_of: Callable[[StoredLedger], Mapping[str, Any]] = lambda _: {},
    names_of: Callable[[StoredLedger], Mapping[int, str] | None] = lambda _: None,
) -> list[SessionBoard]:
    """Return the boards of sessions; three queries in all."""
    return [SessionBoard(ledger, look_of(ledger), names_of(ledger)) for ledger in load_ledgers(sessions)]


# The seats, where no more is shown of a session.


def seats_of(session: Session) -> tuple[Seat, ...]:
    """Return the seats of a session in order, each with player and tally; one query."""
    return tuple(Seat.objects.filter(session=session).select_related("player", "tally").order_by("seat_no"))


def seat_at_bottom(session: Session, seating: SeatingState, turn: int = 0) -> int | None:
    """Return the seat number at the bottom of the table's picture for the next hand; None for an empty seat."""
    played = Hand.objects.filter(session=session).order_by("entry__position").values_list("seating__winds", flat=True)
    return places_of([*played, seating.winds])[turn % 4]


# What a board knows of its session besides the ledger.


def session_facts(session: Session) -> dict[str, Any]:
    """Return the rules, the words and the facts for settling up of a session, for a board and for the tablet."""
    return {
        "rules": session.rules,
        "house_rules": session.house_rules,
        "club_hands": session.club_hands,
        "words": session.vocabulary(),
        "settling": settling_facts(session),
    }


def settling_facts(session: Session) -> dict[str, Any]:
    """Return the facts of a session that settling_up and its fragments need, as plain data."""
    rate = None if session.practice else session.club.points_rate
    return {
        "session": session.pk,
        "table": session.table,
        "settles": session.recording == Recording.SETTLE and not session.imported,
        "adds_up": session.recording == Recording.STRAIGHT,
        "practice": session.practice,
        "sticks": session.sticks if session.recording == Recording.SETTLE else "",
        "rate": rate and int(rate * 100),
        "currency": session.club.currency,
    }


def table_look(session: Session, can_write: bool, turn: int = 0) -> dict[str, Any]:
    """Return what the table page shows besides the ledger: the addresses of its pages, with KEY for an entry's."""
    here = (session.club.slug, session.pk, NO_KEY)
    return {
        **{name: reverse(page, args=here).replace(NO_KEY, "KEY") for name, page in ENTRY_PAGES.items()},
        "winds_sprite": static(WINDS_SPRITE),
        "tiles_sprite": static(TILES),
        "worth_page": reverse("worth"),
        "slug": session.club.slug,
        "table_page": reverse("table", args=here[:2]),
        "sheet_page": reverse("session-sheet", args=here[:2]),
        "seating_page": reverse("seating", args=here[:2]),
        "can_write": can_write,
        "turn": turn,
    }


def sheet_look(session: Session, seats: Iterable[Seat], role: str, asked: Collection[str]) -> dict[str, Any]:
    """Return what the sheet shows besides the ledger: the players' pages, guests, and hands `asked` about (keys)."""
    here = (session.club.slug, session.pk, NO_KEY)
    # No player has the key 0.
    player_page = reverse("player", args=[session.club.slug, 0]).replace("/0/", "/KEY/")
    return {
        "hand_page": reverse("hand", args=here).replace(NO_KEY, "KEY"),
        "player_page": player_page if role not in ("", TABLE) else "",
        "guests": [seat.player_id for seat in seats if seat.player.guest],
        "asks_agreement": session.club.asks_agreement,
        "asked": list(asked),
    }
