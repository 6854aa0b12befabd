"""The tally sticks before each player, following the ledger's payments at a table that plays with sticks."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import add
from typing import Any

from clubscore import scoring
from clubscore.scoring.sticks import STICK_SETS, Purse, StickSet, deal_out, settle_up
from clubscore.table import settling_up
from clubscore.table.replay import Paid, Replayed
from clubscore.table.settling_up import StickAccounts, accounts_in_sticks, dealt, handed_over
from sessions_app.models import Entry, Payment, Recording, Seat, Session, Tally
from sessions_app.table.ledger import Ledger

BOX = "box"


def stick_set_of(session: Session) -> StickSet | None:
    """Return the sticks of a table; None without, and where nobody pays and none would move."""
    return STICK_SETS.get(session.sticks) if session.recording == Recording.SETTLE else None


def starting_worth(stick_set_key: str, players: int) -> int | None:
    """Return what each player's sticks are worth at the start, None at a table without sticks."""
    stick_set = STICK_SETS.get(stick_set_key)
    return deal_out(stick_set, players).purses[0].worth if stick_set else None


def dealt_sticks(session: Session, players: int) -> dict[int, dict[str, int]] | None:
    """Return the sticks each seat begins with by its number, None at a table without sticks."""
    stick_set = stick_set_of(session)
    if stick_set is None:
        return None
    return {seat: purse.to_dict() for seat, purse in enumerate(deal_out(stick_set, players).purses, 1)}


def stick_counts(ledger: Ledger, done: Replayed, tallies: Mapping[int, Tally]) -> dict[int, dict[str, Any]] | None:
    """Return the columns of every seat's sticks and debts by its number, None at a table without sticks.

    Lines put at the end go on from the stored `tallies` (by seat id); after any other change all is paid again.
    """
    stick_set = stick_set_of(ledger.session)
    if stick_set is None:
        return None
    rows = ledger.seat_rows
    held, debts, lines = dealt(stick_set, ledger.facts.start, rows), {}, ledger.active
    if ledger.only_appended and all(row.pk in tallies for row in rows.values()):
        held, debts = _as_stored(held, {seat_no: tallies[row.pk] for seat_no, row in rows.items()})
        lines = ledger.touched_entries
    for payments in _payments(ledger, done, lines):
        held, debts, _ = settle_up(held, payments, debts=debts)
    return {
        seat: {"sticks": purse.to_dict(), "owes": _owes(debts, seat)}
        for seat, purse in held.items()
        if seat is not None
    }


def stick_accounts(session: Session, seats: Sequence[Seat]) -> StickAccounts | None:
    """Return where everyone's sticks stand against the balances, None at a table without sticks."""
    stick_set = stick_set_of(session)
    if stick_set is None or any(seat.tally.sticks is None for seat in seats):
        return None
    begun = _dealt(stick_set, seats)
    held, debts = _as_stored(begun, {seat.chair: seat.tally for seat in seats})
    players = [
        (seat.chair, seat.player.name, seat.tally.balance, not seat.at_start and not seat.tally.hands) for seat in seats
    ]
    return accounts_in_sticks(begun, held, debts, session.starting_balance, players)


def sticks_on_table(session: Session) -> dict[str, Any] | None:
    """Return what lies before each player, as settling_up.sticks_now; None at a table without sticks."""
    return _sticks_now(session)[0]


def sticks_to_hand_over(session: Session, payments: Iterable[Any]) -> list[str]:
    """Say which sticks go over for payments (score format, seat numbers) from what lies before each player."""
    now, names = _sticks_now(session)
    return settling_up.sticks_to_hand_over(now, _house(session), payments, names) if now else []


def _sticks_now(session):
    stick_set = stick_set_of(session)
    if stick_set is None:
        return None, {}
    seats = list(session.seats.select_related("player", "tally").order_by("chair"))
    lying = _as_stored(_dealt(stick_set, seats), {seat.chair: seat.tally for seat in seats})
    return settling_up.sticks_now(*lying), _names(seats)


def sticks_handed_over(session: Session, entry: Entry) -> list[str]:
    """Say which sticks went over for one line of the ledger, all earlier lines paid before it."""
    stick_set = stick_set_of(session)
    if stick_set is None:
        return []
    seats = list(session.seats.select_related("player").order_by("chair"))
    held, debts = _dealt(stick_set, seats), {}
    before = Entry.objects.filter(session=session, position__lt=entry.position).active().order_by("position")
    stored = _payments_by_entry(session, {seat.pk: seat.chair for seat in seats})
    for pk in before.values_list("pk", flat=True):
        held, debts, _ = settle_up(held, stored.get(pk, []), debts=debts)
    return handed_over(_house(session), held, debts, stored.get(entry.pk, []), _names(seats))


def _house(session):
    return scoring.house_rules(session.rules, session.house_rules)


def _names(seats):
    return {seat.chair: seat.player.name for seat in seats}


def _dealt(stick_set, seats):
    return dealt(stick_set, [seat.chair for seat in seats if seat.at_start], [seat.chair for seat in seats])


def _as_stored(dealt, tallies):
    """Return sticks and debts as the tallies (by seat number) have them; the box has whatever no player holds."""
    held = {seat: Purse.from_dict(tally.sticks or {}) for seat, tally in tallies.items()}
    box = reduce(add, dealt.values()) - reduce(add, held.values())
    debts = {
        (seat, None if creditor == BOX else int(creditor)): amount
        for seat, tally in tallies.items()
        for creditor, amount in (tally.owes or {}).items()
    }
    return {None: box, **held}, debts


def _owes(debts, seat):
    owes = {
        BOX if creditor is None else str(creditor): amount
        for (debtor, creditor), amount in debts.items()
        if debtor == seat
    }
    return owes or None


def _payments(ledger, done, lines):
    """Give the payments of each line in order; those of results taken over come from the database."""
    hands = {hand.key: hand for hand in done.hands}
    stored = None
    for entry in lines:
        key = entry.key
        if key in done.fines:
            yield [done.fines[key]]
        elif key in hands and not hands[key].is_kept:
            yield hands[key].payments
        elif key in hands:
            stored = _stored(ledger) if stored is None else stored
            yield stored.get(ledger.entry_rows[key].pk, [])


def _stored(ledger):
    return _payments_by_entry(ledger.session, {row.pk: seat_no for seat_no, row in ledger.seat_rows.items()})


def _payments_by_entry(session, numbers):
    found = {}
    rows = Payment.objects.filter(session=session).order_by("pk")
    for entry_id, payer, payee, amount, why in rows.values_list("entry_id", "payer_id", "payee_id", "amount", "why"):
        found.setdefault(entry_id, []).append(Paid(numbers[payer], numbers.get(payee), amount, why))
    return found
