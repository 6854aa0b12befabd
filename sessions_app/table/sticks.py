"""The tally sticks before each player, following the ledger's payments at a table that plays with sticks."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from math import gcd
from operator import add
from typing import Any, NamedTuple

from clubscore import scoring
from clubscore.scoring.sticks import STICK_SETS, Purse, StickSet, deal_out, settle_up, still_owed
from clubscore.table.replay import Paid, Replayed
from sessions_app.models import Entry, Payment, Recording, Seat, Session, Tally
from sessions_app.table.ledger import Ledger

BOX = "box"
ROUND_PAYMENTS = "Round each payment to the nearest 10"


class StickAccount(NamedTuple):
    """One player's sticks: what they are worth, what is owed to the player (less than 0: by the player), the balance.

    `missing` is what these lack of the balance; a late-comer's `begins` says which sticks to take.
    """

    seat: object
    sticks: Purse
    owed: int
    missing: int
    begins: str


class StickAccounts(NamedTuple):
    players: list[StickAccount]
    debts: list[str]
    undealt: int

    @property
    def agree(self) -> bool:
        return not any(player.missing for player in self.players)


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
    held, debts, lines = _dealt(stick_set, rows.values()), {}, ledger.active
    if ledger.only_appended and all(row.pk in tallies for row in rows.values()):
        held, debts = _as_stored(held, {chair: tallies[row.pk] for chair, row in rows.items()})
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
    dealt = _dealt(stick_set, seats)
    held, debts = _as_stored(dealt, {seat.chair: seat.tally for seat in seats})
    names = {seat.chair: seat.player.name for seat in seats} | {None: "the box"}
    undealt = session.starting_balance - dealt[seats[0].chair].worth
    players = [_account(seat, held[seat.chair], still_owed(debts, seat.chair), undealt, dealt) for seat in seats]
    owed = [f"{names[debtor]} owes {names[creditor]} {amount:,}." for (debtor, creditor), amount in debts.items()]
    return StickAccounts(players, owed, undealt)


def sticks_to_hand_over(session: Session, payments: Iterable[Any]) -> list[str]:
    """Say which sticks go over for payments (score format, seat numbers) from what lies before each player."""
    stick_set = stick_set_of(session)
    if stick_set is None:
        return []
    seats = list(session.seats.select_related("player", "tally").order_by("chair"))
    held, debts = _as_stored(_dealt(stick_set, seats), {seat.chair: seat.tally for seat in seats})
    due = [Paid(int(one["from"]), int(one["to"]) if one.get("to") else None, one["amount"], "") for one in payments]
    return _told(session, held, debts, due, seats)


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
    return _told(session, held, debts, stored.get(entry.pk, []), seats)


def _told(session, held, debts, due, seats):
    """Say every handover; where rounding would let the sticks pay all of it, offer that for another time."""
    told = settle_up(held, due, {seat.chair: seat.player.name for seat in seats}, debts).sentences
    unit = gcd(*(value for value, _ in reduce(add, held.values()).counts))
    rounded = scoring.house_rules(session.rules, session.house_rules).round_payments_to
    if not rounded and 10 % unit == 0 and any(paid.amount % unit for paid in due):
        told.append(
            f"The smallest stick is {unit}. To pay every hand in full, select “{ROUND_PAYMENTS}” when you start the "
            "next table."
        )
    return told


def _account(seat, sticks, owed, undealt, dealt):
    begins = dealt[seat.chair].words if not seat.at_start and not seat.tally.hands else ""
    return StickAccount(seat, sticks, owed, seat.tally.balance - sticks.worth - owed - undealt, begins)


def _dealt(stick_set, seats):
    """Return what everyone begins with, and the box (None); who comes later takes as East did, from a spare set."""
    start = [seat.chair for seat in seats if seat.at_start]
    purses, left_over, _ = deal_out(stick_set, len(start))
    begins = dict(zip(start, purses, strict=True))
    return {None: left_over, **{seat.chair: begins.get(seat.chair, purses[0]) for seat in seats}}


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
    return _payments_by_entry(ledger.session, {row.pk: chair for chair, row in ledger.seat_rows.items()})


def _payments_by_entry(session, chair):
    found = {}
    rows = Payment.objects.filter(session=session).order_by("pk")
    for entry_id, payer, payee, amount, why in rows.values_list("entry_id", "payer_id", "payee_id", "amount", "why"):
        found.setdefault(entry_id, []).append(Paid(chair[payer], chair.get(payee), amount, why))
    return found
