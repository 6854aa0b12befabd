"""The tally sticks of each player, which follow the payments at a table that plays with sticks."""

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import add
from typing import Any

from clubscore import scoring
from clubscore.play import settling_up
from clubscore.play.replay import Replayed, seat_tallies
from clubscore.play.settling_up import Debts, dealt
from clubscore.scoring.sticks import STICK_SETS, Purse, StickSet, deal_out, settle_up
from sessions_app.models import Recording, Seat, Session, Tally
from sessions_app.table.ledger import StoredLedger, stored_payments

BOX = "box"


def stick_set_of(session: Session) -> StickSet | None:
    """Return the sticks of a table; None if it has none, or if nobody pays."""
    return STICK_SETS.get(session.sticks) if session.recording == Recording.SETTLE else None


def dealt_sticks(session: Session, players: int) -> dict[int, dict[str, int]] | None:
    """Return the sticks of each seat at the start, by number; None without sticks."""
    stick_set = stick_set_of(session)
    if stick_set is None:
        return None
    return {seat: purse.to_dict() for seat, purse in enumerate(deal_out(stick_set, players).purses, 1)}


def stick_counts(ledger: StoredLedger, done: Replayed) -> dict[int, dict[str, Any]] | None:
    """Return the Tally columns for sticks and debts by seat number, all paid from the start; None without sticks."""
    stick_set = stick_set_of(ledger.session)
    if stick_set is None:
        return None
    debts: Debts = {}
    held = dealt(stick_set, ledger.facts.start, seat_tallies(ledger.facts, done))
    for payments in _payments(ledger, done):
        held, debts, _ = settle_up(held, payments, debts=debts)
    return {
        seat: {"sticks": purse.to_dict(), "owes": _owes(debts, seat)}
        for seat, purse in held.items()
        if seat is not None
    }


def sticks_on_table(session: Session) -> dict[str, Any] | None:
    """Return the sticks of each player now, as settling_up.sticks_now; None without sticks."""
    return _sticks_now(session)[0]


def sticks_to_hand_over(session: Session, payments: Iterable[Any]) -> list[str]:
    """Return sentences about which sticks pay for payments (in the score format, with seat numbers)."""
    now, names = _sticks_now(session)
    house = scoring.house_rules(session.rules, session.house_rules)
    return settling_up.sticks_to_hand_over(now, house, payments, names) if now else []


def _sticks_now(session: Session) -> tuple[dict[str, Any] | None, dict[int, str]]:
    stick_set = stick_set_of(session)
    if stick_set is None:
        return None, {}
    rows = session.seats.filter(tally__isnull=False).select_related("player", "tally")
    seats = list(rows.order_by("seat_no"))
    held, debts = _as_stored(_dealt(stick_set, seats), {seat.seat_no: seat.tally for seat in seats})
    return settling_up.sticks_now(held, debts), _names(seats)


def _names(seats: list[Seat]) -> dict[int, str]:
    return {seat.seat_no: seat.player.name for seat in seats}


def _dealt(stick_set: StickSet, seats: list[Seat]) -> dict[int | None, Purse]:
    return dealt(stick_set, [seat.seat_no for seat in seats if seat.at_start], [seat.seat_no for seat in seats])


def _as_stored(dealt: dict[int | None, Purse], tallies: Mapping[int, Tally]) -> tuple[dict[int | None, Purse], Debts]:
    """Return sticks and debts as in the tallies (by seat number); the box has what no player holds."""
    held: dict[int | None, Purse] = {seat: Purse.from_dict(tally.sticks or {}) for seat, tally in tallies.items()}
    box = reduce(add, dealt.values()) - reduce(add, held.values())
    debts: Debts = {
        (seat, None if creditor == BOX else int(creditor)): amount
        for seat, tally in tallies.items()
        for creditor, amount in (tally.owes or {}).items()
    }
    return {None: box, **held}, debts


def _owes(debts: Debts, seat: int) -> dict[str, int] | None:
    owed = {
        BOX if creditor is None else str(creditor): amount
        for (debtor, creditor), amount in debts.items()
        if debtor == seat
    }
    return owed or None


def _payments(ledger, done):
    """Yield the payments of each entry in order; those of hands that were not scored again come from the database."""
    hands, stored = {hand.key: hand for hand in done.hands}, None
    for entry in ledger.active:
        hand = hands.get(entry.key)
        if entry.key in done.penalties:
            yield [done.penalties[entry.key]]
        elif hand and not hand.is_kept:
            yield hand.payments
        elif hand:
            if stored is None:
                stored = stored_payments(ledger.session, ledger.seat_rows.values())
            yield stored[ledger.entry_rows[entry.key].pk]
