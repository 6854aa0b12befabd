"""The tally sticks before each player, following the ledger's payments at a table that plays with sticks."""

from clubscore.scoring.tallies import STICK_SETS, Purse, deal_out, settle_up
from sessions_app.models import Entry, Payment

from .replay import Paid


def starting_worth(stick_set_key, players):
    """Return what each player's sticks are worth at the start, None at a table without sticks."""
    stick_set = STICK_SETS.get(stick_set_key)
    return deal_out(stick_set, players).purses[0].worth if stick_set else None


def dealt_sticks(stick_set_key, players):
    """Return the sticks each seat begins with by its number, None at a table without sticks."""
    stick_set = STICK_SETS.get(stick_set_key)
    return stick_set and {seat: purse.to_dict() for seat, purse in enumerate(deal_out(stick_set, players).purses, 1)}


def stick_counts(ledger, done, tallies):
    """Return the sticks of every seat by its number (value -> how many, as JSON), None at a table without sticks.

    Lines put at the end go on from the stored `tallies` (by seat id); after any other change all is paid anew.
    """
    stick_set = STICK_SETS.get(ledger.session.sticks)
    if stick_set is None:
        return None
    if ledger.only_appended and all(seat.pk in tallies for seat in ledger.seats):
        held = {seat.chair: Purse.from_dict(tallies[seat.pk].sticks or {}) for seat in ledger.seats}
        lines = ledger.touched_entries
    else:
        held = _dealt(ledger, stick_set)
        lines = ledger.standing
    for payments in _payments(ledger, done, lines):
        held = settle_up(held, payments).purses
    return {seat: purse.to_dict() for seat, purse in held.items() if seat is not None}


def sticks_to_hand_over(session, payments):
    """Say which sticks go over for payments (score format, seat numbers) from what lies before each player."""
    if session.sticks not in STICK_SETS:
        return []
    seats = list(session.seats.select_related("player", "tally"))
    held = {seat.chair: Purse.from_dict(seat.tally.sticks or {}) for seat in seats}
    due = [Paid(int(one["from"]), int(one["to"]) if one.get("to") else None, one["amount"], "") for one in payments]
    return _told(held, due, seats)


def sticks_handed_over(session, entry):
    """Say which sticks went over for one line of the ledger, all earlier lines paid before it."""
    stick_set = STICK_SETS.get(session.sticks)
    if stick_set is None:
        return []
    seats = list(session.seats.select_related("player").order_by("chair"))
    start = [seat.chair for seat in seats if seat.at_start]
    purses = dict(zip(start, deal_out(stick_set, len(start)).purses, strict=True))
    held = {seat.chair: purses.get(seat.chair, Purse()) for seat in seats}
    before = Entry.objects.filter(session=session, position__lt=entry.position).standing().order_by("position")
    stored = _payments_by_entry(session, {seat.pk: seat.chair for seat in seats})
    for pk in before.values_list("pk", flat=True):
        held = {seat: purse for seat, purse in settle_up(held, stored.get(pk, [])).purses.items() if seat is not None}
    return _told(held, stored.get(entry.pk, []), seats)


def _told(held, due, seats):
    """Say every handover, then what cannot be paid with the sticks at hand."""
    names = {seat.chair: seat.player.name for seat in seats}
    settled, payees = settle_up(held, due, names), names | {None: "the box"}
    moved = [
        handover.sentence(names[paid.payer], payees[paid.payee])
        for paid, handover in zip(due, settled.handovers, strict=True)
        if handover.given.counts
    ]
    return moved + settled.sentences


def _dealt(ledger, stick_set):
    start = ledger.facts.start
    purses = dict(zip(start, deal_out(stick_set, len(start)).purses, strict=True))
    return {seat: purses.get(seat, Purse()) for seat in ledger.facts.seats}


def _payments(ledger, done, lines):
    """Give the payments of each line in order; those of results taken over come from the database."""
    hands = {hand.key: hand for hand in done.hands}
    stored = None
    for entry in lines:
        key = entry.key_text
        if key in done.fines:
            yield [done.fines[key]]
        elif key in hands and not hands[key].is_kept:
            yield hands[key].payments
        elif key in hands:
            stored = _stored(ledger) if stored is None else stored
            yield stored.get(entry.pk, [])


def _stored(ledger):
    return _payments_by_entry(ledger.session, {seat.pk: seat.chair for seat in ledger.seats})


def _payments_by_entry(session, chair):
    found = {}
    rows = Payment.objects.filter(session=session).order_by("pk")
    for entry_id, payer, payee, amount, why in rows.values_list("entry_id", "payer_id", "payee_id", "amount", "why"):
        found.setdefault(entry_id, []).append(Paid(chair[payer], chair.get(payee), amount, why))
    return found
