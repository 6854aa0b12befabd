"""The rows of one session that has been played in memory: exactly those that the door would have stored."""

from dataclasses import dataclass, fields, replace

from clubscore.table.replay import SeatResult, accounts
from sessions_app.models import Change, Command, Entry, Hand, Payment, PlayerHand, Tally
from sessions_app.table.sticks import stick_counts
from sessions_app.table.store import hand_values, tally_values

SEAT_COLUMNS = [field.name for field in fields(SeatResult) if field.name not in ("seat", "lines")]
# The most rows that one command, or one hand, can bring.
MOST_PAYMENTS = 16
MOST_AT_TABLE = 5


@dataclass
class Ids:
    """The next free id of each table, within what was set aside."""

    next: dict

    def take(self, model):
        taken = self.next[model]
        self.next[model] = taken + 1
        return taken


def add_session(rows, ids, played, by):
    """Add a played session's lines, results, accounts, register and log; its own row and its seats are there."""
    session = played.ledger.session
    seats = {seat.chair: seat.pk for seat in played.ledger.seats}
    entries = {}
    for entry in played.ledger.entries:
        entry.pk = entries[str(entry.key)] = ids.take(Entry)
        rows.add_instance(entry)
    for result in played.done.hands:
        _add_hand(rows, ids, session, seats, entries[result.key], result, played.versions[result.key])
    for key, paid in played.done.fines.items():
        _add_payment(rows, ids, session, seats, entries[key], paid)
    _add_tallies(rows, ids, played)
    for step in played.steps:
        _add_step(rows, ids, session, step, by)


def _add_hand(rows, ids, session, seats, entry_id, result, version):
    hand_id = ids.take(Hand)
    values = hand_values(session, result)
    rows.add(Hand, id=hand_id, session_id=session.pk, entry_id=entry_id, version=version, **values)
    for own in result.seats:
        values = {name: getattr(own, name) for name in SEAT_COLUMNS}
        rows.add(
            PlayerHand,
            id=ids.take(PlayerHand),
            hand_id=hand_id,
            seat_id=seats[own.seat],
            lines=list(own.lines),
            **values,
        )
    for paid in result.payments:
        _add_payment(rows, ids, session, seats, entry_id, paid)


def _add_payment(rows, ids, session, seats, entry_id, paid):
    rows.add(
        Payment,
        id=ids.take(Payment),
        session_id=session.pk,
        entry_id=entry_id,
        payer_id=seats[paid.payer],
        payee_id=None if paid.payee is None else seats[paid.payee],
        amount=paid.amount,
        why=paid.why,
    )


def _add_tallies(rows, ids, played):
    ledger, session = played.ledger, played.ledger.session
    done = replace(played.done, hands=[replace(hand, is_kept=False) for hand in played.done.hands])
    found, sticks = accounts(ledger.facts, done), stick_counts(ledger, done, {})
    for seat in ledger.seats:
        rows.add(
            Tally,
            id=ids.take(Tally),
            club_id=session.club_id,
            session_id=session.pk,
            seat_id=seat.pk,
            season_id=session.season_id,
            player_id=seat.player_id,
            **tally_values(ledger, found[seat.chair], sticks),
        )


def _add_step(rows, ids, session, step, by):
    command = step.command
    rows.add(
        Change,
        id=ids.take(Change),
        club_id=session.club_id,
        session_id=session.pk,
        user_id=by.user and by.user.pk,
        name=by.name,
        at=step.at,
        action=command["kind"],
        subject_type=step.subject[0],
        subject_id=str(step.subject[1]),
        before=step.before,
        after=step.after,
    )
    rows.add(
        Command,
        id=ids.take(Command),
        session_id=session.pk,
        key=command["key"],
        kind=command["kind"],
        body=command["body"],
        device=command["device"],
        after=command["after"],
        seats=command["seats"],
        outcome=Command.Outcome.APPLIED.value,
        answer=step.answer.kept() | step.versions,
        user_id=by.user and by.user.pk,
        name=by.name,
        received_at=step.at,
    )
