"""Writing a replayed ledger: only the rows that changed."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db.models import F

from clubscore.play.replay import HandResult, Paid, Replayed, SeatResult, SeatTally, seat_tallies
from sessions_app.models import Command, Entry, Hand, Payment, PlayerHand, Season, Seat, Session, Tally
from sessions_app.table.ledger import HAND_FIELDS, StoredLedger
from sessions_app.table.season_assignment import TRACKED_FIELDS
from sessions_app.table.sticks import stick_counts

# What an edit can change of a session.
SESSION_FIELDS = (*TRACKED_FIELDS, "season", "finished_at", "seating", "version")

# The columns of a PlayerHand that the replay gives, by the same names.
FIGURES = ("wind", "points", "doubles", "times", "total", "limited", "special", "fishing_for", "won", "net", "lines")


def store_edit(ledger: StoredLedger) -> None:
    """Write the seats, entries and kept commands that an edit touched."""
    ledger.update_rows()
    for seat in ledger.new_seats:
        seat.save()
    _store_players([ledger.seat_rows[int(seat_no)] for seat_no in ledger.before.get("seats", {})])
    if ledger.is_renumbered:
        _store_positions(ledger)
    touched = [ledger.entry_rows[entry.key] for entry in ledger.touched_entries]
    for row in touched:
        if row.pk is not None:
            row.save()
    Entry.objects.bulk_create(row for row in touched if row.pk is None)
    for key, outcome in ledger.outcomes.items():
        Command.objects.filter(session=ledger.session, key=key).update(outcome=outcome)


def _store_players(seats: list[Any]) -> None:
    """Write who has these seats; several at once, as no player may have two seats even for a moment."""
    if len(seats) == 1:
        seats[0].save(update_fields=["player"])
    elif seats:
        # Foreign keys to them are checked at the end of the transaction, when they exist again.
        Seat.objects.filter(pk__in=[seat.pk for seat in seats])._raw_delete(Seat.objects.db)
        Seat.objects.bulk_create(seats)


def _store_positions(ledger: StoredLedger) -> None:
    """Write new positions of all entries, by way of negative ones: no two may be equal even for a moment."""
    Entry.objects.filter(session=ledger.session).update(position=-F("position"))
    Entry.objects.bulk_update([row for row in ledger.entry_rows.values() if row.pk], ["position"])


def store_results(ledger: StoredLedger, done: Replayed, tallies: Mapping[int, Tally] | None = None) -> None:
    """Write the results of a replay that differ from the stored ones, and raise the versions of session and season.

    `tallies` are the stored tallies by seat id, if they are not those that the ledger was loaded with.
    """
    _store_hands(ledger, done)
    _store_penalties(ledger, done)
    _store_tallies(ledger, done, ledger.tallies if tallies is None else tallies)
    ledger.session.seating = done.seating.to_dict()
    ledger.stored = {hand.key: hand if hand.is_kept else replace(hand, is_kept=True) for hand in done.hands}
    ledger.done = replace(done, hands=list(ledger.stored.values()))
    _store_session(ledger)


def store_assignment(ledger: StoredLedger) -> None:
    """Write where a session imported as totals counts now; of its tallies, only the season changes."""
    Tally.objects.filter(session=ledger.session).update(season=ledger.session.season_id)
    _store_session(ledger)


def _store_session(ledger: StoredLedger) -> None:
    session = ledger.session
    session.version += 1
    session.save(update_fields=SESSION_FIELDS)
    Season.objects.raise_version(ledger.season_before, session.season_id)


def hand_values(result: HandResult) -> dict[str, Any]:
    """Return the columns of a Hand for a result, except its version."""
    return {
        **{name: getattr(result, name) for name in HAND_FIELDS},
        "wind_of_round": result.seating.wind_of_round,
        "goulash": result.seating.goulash,
        "seating": result.seating.to_dict(),
    }


def _store_hands(ledger: StoredLedger, done: Replayed) -> None:
    keys = {result.key for result in done.hands}
    gone = [hand for key, hand in ledger.hands.items() if key not in keys]
    if gone:
        Payment.objects.filter(entry__in=[hand.entry_id for hand in gone]).delete()
        Hand.objects.filter(pk__in=[hand.pk for hand in gone]).delete()
        ledger.hands = {key: hand for key, hand in ledger.hands.items() if key in keys}
    changed, renumbered = [], False
    for result in done.hands:
        hand = ledger.hands.get(result.key)
        # Most hands have not changed.
        is_as_loaded = result is ledger.stored.get(result.key)
        if hand and is_as_loaded and result.entry_version == hand.entry_version:
            continue
        if hand is None:
            hand = Hand(session=ledger.session, entry=ledger.entry_rows[result.key], version=0)
            ledger.hands[result.key] = hand
        values = hand_values(result)
        if hand.pk and result.is_kept and all(getattr(hand, name) == value for name, value in values.items()):
            continue
        renumbered = renumbered or bool(hand.pk and hand.number != result.number)
        for name, value in {**values, "version": hand.version + 1}.items():
            setattr(hand, name, value)
        changed.append((hand, result))
    _write_hands(changed, renumbered)
    _write_rows(ledger, [(hand, result) for hand, result in changed if not result.is_kept])


def _write_hands(changed: list[tuple[Any, HandResult]], renumbered: bool) -> None:
    old = [hand for hand, _ in changed if hand.pk]
    if renumbered:
        # No two hands may have the same number even for a moment.
        Hand.objects.filter(pk__in=[hand.pk for hand in old]).update(number=-F("number"))
    if old:
        # A correction may change every hand, and bulk_update takes twice as long (docs/benchmarks.md).
        columns = ["version", *hand_values(changed[0][1])]
        Hand.objects.bulk_create(old, update_conflicts=True, unique_fields=["id"], update_fields=columns)
    Hand.objects.bulk_create([hand for hand, _ in changed if not hand.pk])


def _write_rows(ledger: StoredLedger, changed: list[Any]) -> None:
    """Replace the players' hands and payments of hands that were scored."""
    replaced = [hand for hand, _ in changed if hand.version > 1]
    if replaced:
        PlayerHand.objects.filter(hand__in=[hand.pk for hand in replaced]).delete()
        Payment.objects.filter(entry__in=[hand.entry_id for hand in replaced]).delete()
    session, seats = ledger.session, ledger.seat_ids
    PlayerHand.objects.bulk_create(
        player_hand_row(hand.pk, seats, own) for hand, result in changed for own in result.seats
    )
    Payment.objects.bulk_create(
        payment_row(session, hand.entry_id, seats, paid) for hand, result in changed for paid in result.payments
    )


def player_hand_row(hand_id: int, seats: Mapping[int, int], own: SeatResult) -> PlayerHand:
    """Return the unsaved row of one player's scored hand; `seats` are seat ids by number."""
    return PlayerHand(hand_id=hand_id, seat_id=seats[own.seat], **{name: getattr(own, name) for name in FIGURES})


def payment_row(session: Session, entry_id: int, seats: Mapping[int, int], paid: Paid) -> Payment:
    """Return the unsaved row of a payment; `seats` are seat ids by number."""
    return Payment(
        session=session,
        entry_id=entry_id,
        payer_id=seats[paid.payer],
        payee_id=None if paid.payee is None else seats[paid.payee],
        amount=paid.amount,
        why=paid.why,
    )


def _store_penalties(ledger: StoredLedger, done: Replayed) -> None:
    """Write the payments of penalties that an edit touched."""
    touched = [ledger.entry_rows[entry.key] for entry in ledger.touched_entries if entry.kind == Entry.Kind.PENALTY]
    if not touched:
        return
    Payment.objects.filter(entry__in=touched).delete()
    Payment.objects.bulk_create(
        payment_row(ledger.session, entry.pk, ledger.seat_ids, done.penalties[entry.key_text])
        for entry in touched
        if entry.key_text in done.penalties
    )


def tally_values(ledger: StoredLedger, tally: SeatTally, sticks: dict[int, dict[str, Any]] | None) -> dict[str, Any]:
    """Return the columns of a row of Tally, from the seat's tally and the result of stick_counts."""
    return {
        **{name: getattr(tally, name) for name in ("hands", "won", "gained", "lost", "net", "best_hand")},
        "balance": ledger.session.starting_balance + tally.net,
        **(sticks[tally.seat] if sticks else {"sticks": None, "owes": None}),
    }


def _store_tallies(ledger: StoredLedger, done: Replayed, tallies: Mapping[int, Tally]) -> None:
    found, sticks = seat_tallies(ledger.facts, done), stick_counts(ledger, done)
    changed = []
    # Who did not really join has none.
    gone = [seat.pk for seat in ledger.seat_rows.values() if seat.seat_no not in found and seat.pk in tallies]
    if gone:
        Tally.objects.filter(seat__in=gone).delete()
    joined = [ledger.seat_rows[seat_no] for seat_no in found]
    for seat in sorted(joined, key=lambda seat: seat.player_id):
        values = {
            "season_id": ledger.session.season_id,
            "player_id": seat.player_id,
            **tally_values(ledger, found[seat.seat_no], sticks),
        }
        tally = tallies.get(seat.pk)
        if tally is None or any(getattr(tally, name) != value for name, value in values.items()):
            changed.append(Tally(club_id=ledger.session.club_id, session=ledger.session, seat=seat, **values))
    Tally.objects.bulk_create(changed, update_conflicts=True, unique_fields=["seat"], update_fields=list(values))
    kept = {seat_id: tally for seat_id, tally in tallies.items() if seat_id not in gone}
    ledger.tallies = kept | {tally.seat_id: tally for tally in changed}


def touch_session(session: Session) -> None:
    """Raise the version of a session whose ledger has not changed, for those who watch it."""
    session.version += 1
    Session.objects.filter(pk=session.pk).update(version=session.version)


def drop_results(session: Session) -> None:
    """Delete everything derived from a session's ledger."""
    Payment.objects.filter(session=session).delete()
    Hand.objects.filter(session=session).delete()
    Tally.objects.filter(seat__in=Seat.objects.filter(session=session)).delete()
