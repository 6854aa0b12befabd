"""`apply_command`, the only way to write at a table: one transaction for entries, results, versions and log."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from uuid import UUID

from django.db import transaction

from clubscore.scoring.words import with_names
from clubscore.table.command_kinds import AT_TABLE, BY_SECRETARY, CORRECT, HAND, KINDS, MOVE, ROWS, TAKE_OUT, UNDO
from clubscore.table.edits import EDITS
from clubscore.table.outcomes import WAITING, Outcome, Reason
from clubscore.table.preview import describe_changes
from clubscore.table.replay import EntryError, Replayed, sentence_of
from sessions_app.models import Change, Command, Meeting, Session
from sessions_app.people.log import Actor, change_of, log_change
from sessions_app.people.permissions import SECRETARY, TABLE, HasRole, may_send
from sessions_app.people.throttling import COMMANDS, count_try
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.table.carry_out import (
    SECRETARY_EDITS,
    carry_out,
    clean_command,
    refuse_if_full,
    would_undo_another,
)
from sessions_app.table.command_results import (
    CHANGED_SINCE,
    RESUMED,
    STILL_PAUSED,
    CommandResult,
    Refused,
    TableSnapshot,
    message_for,
)
from sessions_app.table.devices import drop_draft
from sessions_app.table.ledger import StoredLedger, load_ledger
from sessions_app.table.season_assignment import is_locked, open_lock, refuse_locked
from sessions_app.table.sessions import open_tables, resume_with_hand
from sessions_app.table.store import store_assignment, store_edit, store_results, touch_session

# Whether another device has changed an entry since this one read it.


def has_changed_since(ledger: StoredLedger, command: dict[str, Any]) -> bool:
    """Return whether someone else has changed the entry of a command since the `version` its sender knew.

    Changes by the same device do not count: several may wait on it and are sent one after the other. Refused if the
    entry never had that version.
    """
    known = command["body"].get("version")
    entry = ledger.find(command["body"].get("entry"))
    if not KINDS[command["kind"]].checks_version or type(known) is not int or entry is None or known == entry.version:
        return False
    if not 1 <= known <= entry.version:
        raise Refused(Reason.NO_SUCH_VERSION)
    own = _own_versions(ledger.session, entry.key, command["device"])
    return sum(known < version <= entry.version for version in own) < entry.version - known


def _own_versions(session, key, device):
    """Return the versions of an entry that this device has made."""
    if not device:
        return set()
    own = Command.objects.filter(session=session, device=device, outcome=Outcome.APPLIED, answer__versions__has_key=key)
    return {answer["versions"][key] for answer in own.values_list("answer", flat=True)}


# The kinds that carry_out_all accepts.
BULK_KINDS = {row.key for row in ROWS if row.adds_entry} | {TAKE_OUT.key}

# Everyone at the table is shown what is kept for someone to decide. Tablets without an account may be the very reason
# why the table's code was replaced: only so many of their commands are kept per session, and none longer than this.
MAX_KEPT, MAX_KEPT_BODY = 100, 10_000


def apply_command(
    session_id: int,
    command: dict[str, Any],
    by: Actor,
    is_allowed: bool = True,
    kinds: Collection[str] = AT_TABLE,
    membership: HasRole | None = None,
) -> CommandResult:
    """Carry out a command at a table, or return why not.

    command: {"key": uuid, "kind", "body", "device", "after": key of the last entry the device knew (None with `seats`
    given: it knew an empty ledger), "seats": {"E": "1", ...} or None, "why"}; only key, kind and body are required.
    A refused command (422) is not stored; any other is, with its first answer. If the table's key was replaced
    (not `is_allowed`), the command is kept for the secretary like a late one. `kinds` is BY_SECRETARY for what only the
    secretary does to a whole session. `membership` is the sender's, if a person sends it: it decides who may undo, and
    for a secretary nothing is kept at a locked season, as nobody else would decide about it. Of tablets without an
    account, only so many commands are answered in a minute (429).
    """
    try:
        command = clean_command(command, kinds)
    except ServiceError as error:
        return CommandResult(422, Outcome.INVALID, str(error), error)
    is_tablet = is_allowed and membership is not None and membership.role == TABLE
    if is_tablet and _are_too_many(session_id, command["key"]):
        return CommandResult.because(429, Outcome.WAIT, Reason.TOO_MANY_AT_ONCE)
    with write_transaction():
        ledger = load_ledger(session_id, lock=True, key=command["key"])
        answer = _repeated(ledger, command) or _answer(ledger, command, by, is_allowed, membership)
    return answer.for_people(ledger.names)


def _are_too_many(session_id, key):
    """Count a new command of a table's tablets; asking again what became of an earlier one is no new one."""
    is_repeated = Command.objects.filter(session=session_id, key=key).exists()
    return not is_repeated and count_try(COMMANDS, str(session_id)) > 0


def _repeated(ledger, command):
    """Return the first answer to a command sent before, or what became of a kept one; None for a new command."""
    if not ledger.is_repeated:
        return None
    earlier = ledger.session.commands.get(key=command["key"])
    if (earlier.kind, earlier.body) != (command["kind"], command["body"]):
        return CommandResult.because(409, Outcome.REFUSED, Reason.KEY_REUSED)
    first = earlier.answer
    if earlier.outcome in WAITING:
        return CommandResult(409, Outcome(earlier.outcome), first["message"])
    if earlier.outcome == Outcome.DROPPED:
        return CommandResult.because(200, Outcome.AGAIN, Reason.NOT_CHOSEN)
    return CommandResult(200, Outcome.AGAIN, first["message"], entry=first["entry"], changes=first["changes"])


def _answer(ledger, command, by, is_allowed, membership):
    session, kind = ledger.session, KINDS[command["kind"]]
    if session.imported and not kind.without_ledger:
        return CommandResult.because(422, Outcome.INVALID, Reason.IMPORTED)
    if not is_allowed:
        return _keep(ledger, command, by, Outcome.LATE, Reason.KEY_REPLACED)
    is_undo_by_person = kind.is_step and membership is not None
    is_permitted = not is_undo_by_person or may_send(membership, session, kind.key, command["body"])
    if not session.is_open and not (kind.when_finished and is_permitted):
        # It may have been pressed while the table was in play, and sent later.
        return _keep(ledger, command, by, Outcome.LATE, Reason.FINISHED)
    if not is_permitted:
        return CommandResult.because(403, Outcome.NOT_ALLOWED, Reason.SECRETARY_ONLY)
    if kind.is_edit and is_locked(session):
        if (membership is not None and membership.role in SECRETARY) or not kind.can_be_recorded_late:
            return _or_refusal(ledger, lambda: refuse_locked(session.season))
        return _keep(ledger, command, by, Outcome.LATE, Reason.LOCKED)
    carry_it_out = _assign if session.imported else _carry_out
    return _or_refusal(ledger, lambda: carry_it_out(ledger, command, by))


def _or_refusal(ledger, action):
    """Return the result of `action`, or the refusal if it raises an error."""
    try:
        return action()
    except EntryError as error:
        return CommandResult(422, Outcome.INVALID, sentence_of(error, ledger.session.vocabulary()), error.error)
    except ServiceError as error:
        return CommandResult(422, Outcome.INVALID, sentence_of(error), error)


def correct_in_locked_season(session_id: int, command: dict[str, Any], by: Actor) -> CommandResult:
    """Correct a hand of a finished session or a locked season, which stay so; a locked one needs a reason."""
    command = clean_command(command, {CORRECT.key})
    with write_transaction():
        ledger = load_ledger(session_id, lock=True, key=command["key"])
        answer = _repeated(ledger, command) or _or_refusal(
            ledger, lambda: _carry_out(ledger, {**command, "why": open_lock(ledger.session, command["why"])}, by)
        )
    return answer.for_people(ledger.names)


def _keep(ledger, command, by, outcome, reason):
    """Keep a command for someone to decide about, unless it is too much; the ledger does not change."""
    if by.user is None:
        undecided = Command.objects.filter(session=ledger.session, user=None).exclude(outcome=Outcome.APPLIED)
        if undecided.count() >= MAX_KEPT:
            return CommandResult.because(403, Outcome.NOT_ALLOWED, Reason.TOO_MANY_KEPT)
        if len(json.dumps(command["body"])) > MAX_KEPT_BODY:
            return CommandResult.because(403, Outcome.NOT_ALLOWED, Reason.TOO_LARGE_TO_KEEP)
    answer = CommandResult.because(409, outcome, reason)
    _store_command(ledger, command, by, outcome, answer, late_reason=reason if outcome is Outcome.LATE else "")
    touch_session(ledger.session)
    return answer


def _store_command(ledger, command, by, outcome, answer, **more):
    if command["kind"] == HAND.key:
        drop_draft(ledger.session.pk, command["key"])
    _command_row(ledger, command, by, outcome, answer, **more).save(force_insert=True)


def _command_row(ledger, command, by, outcome, answer, before=None, late_reason=""):
    """Return the row of a command. From its answer a device knows the versions of the entries it has changed."""
    changed = [key for key, was in (before or {}).get("entries", {}).items() if was is not None]
    versions = {"versions": {key: ledger.find(key).version for key in changed}} if changed else {}
    return Command(
        session=ledger.session,
        **{name: command[name] for name in ("key", "kind", "body", "device", "after", "seats")},
        outcome=outcome,
        late_reason=late_reason,
        answer=answer.to_store() | versions,
        user=by.user,
        name=by.name,
    )


def _carry_out(ledger, command, by):
    if command["kind"] == UNDO.key and would_undo_another(ledger.session, command["body"]):
        return CommandResult.because(409, Outcome.REFUSED, Reason.OTHER_CHANGE)
    before = ledger.replay()
    is_contested, unknown = _conflict(ledger, command, before)
    if is_contested:
        return _keep(ledger, command, by, Outcome.CONTESTED, Reason.HAND_CONFLICT)
    if has_changed_since(ledger, command):
        return _keep(ledger, command, by, Outcome.CONTESTED, Reason.EDIT_CONFLICT)
    subject, key, done = carry_out(ledger, command, by, before)
    refuse_if_full(ledger)
    changes = [*_plays_twice(ledger, command, key), *describe_changes(before, done, key)]
    message = message_for(command, ledger, done, key)
    if command["kind"] == HAND.key and ledger.session.paused:
        message = f"{message} {RESUMED if resume_with_hand(ledger.session, by=by) else STILL_PAUSED}"
    if unknown:
        message, changes = f"{message} {CHANGED_SINCE}", [*unknown, *changes]
    answer = CommandResult(201 if command["key"] == key else 200, Outcome.RECORDED, message, entry=key, changes=changes)
    store_edit(ledger)
    entries = [ledger.entry_rows[entry.key] for entry in ledger.entries]
    snapshot = TableSnapshot(ledger.session, list(ledger.seat_rows.values()), entries, len(done.hands) + 1)
    store_results(ledger, done)
    return _log_and_store(ledger, command, by, subject, replace(answer, snapshot=snapshot))


def _plays_twice(ledger, command, key):
    """Return a sentence if a player who has just been given a seat is still playing elsewhere; none at practice."""
    session = ledger.session
    if not KINDS[command["kind"]].names_player or session.practice:
        return []
    seat = ledger.seat((ledger.find(key).body if key else command["body"])["seat"])
    table = open_tables(session.club_id, session.date, besides=session).get(seat.player)
    return [f"{{{seat.seat_no}}} is still playing at table {table} too."] if table else []


def _assign(ledger, command, by):
    """Cancel or move a session imported as totals, which has no hands to replay."""
    SECRETARY_EDITS[command["kind"]](ledger, command)
    store_assignment(ledger)
    answer = CommandResult(200, Outcome.RECORDED, KINDS[command["kind"]].message)
    return _log_and_store(ledger, command, by, ledger.session, answer)


def _log_and_store(ledger, command, by, subject, answer):
    """Log a command that was carried out, and store it with its answer."""
    log_change(ledger.session, by, command["kind"], subject, ledger.before, ledger.after(), command["why"])
    _store_command(ledger, command, by, Outcome.APPLIED, answer, before=ledger.before)
    return answer


def _conflict(ledger, command, before):
    """Return whether a hand conflicts with another, and sentences about what its sender did not know.

    It conflicts if another hand was recorded where this one was meant to be, or if its players no longer all play.
    """
    if command["kind"] != HAND.key or (command["after"] is None and command["seats"] is None):
        return False, []
    newer = _newer_entries(ledger, command["after"])
    if newer is None or any(entry.kind == HAND.key for entry in newer):
        return True, []
    seats = {wind: str(seat) for wind, seat in before.seating.seated.items()}
    have_moved = command["seats"] is not None and command["seats"] != seats
    if not newer and not have_moved:
        return False, []
    hands = command["body"].get("hands")
    if hands and isinstance(hands, dict) and set(hands) != set(seats.values()):
        return True, []
    return False, [_seats_now(before.seating)] if have_moved else []


def _newer_entries(ledger, after):
    """Return the active entries after the last one a device knew; None if that is not in the ledger."""
    if after is None:
        return ledger.active
    known = ledger.find(after)
    return known and [entry for entry in ledger.entries[ledger.entries.index(known) + 1 :] if not entry.taken_out]


def _seats_now(seating):
    return f"Now East is {{{seating.winds[0]}}}" + (f" and {{{seating.out[0]}}} sits out." if seating.out else ".")


# Several commands at once, for an import: carried out in memory, then written together.


@dataclass(frozen=True)
class CarriedOut:
    """One of several commands carried out in memory, with its answer and what the log keeps of it."""

    command: dict
    answer: CommandResult
    subject: object
    before: dict
    after: dict


class NotRecorded(ServiceError):
    """One of several commands cannot be recorded; `place` is its index."""

    def __init__(self, sentence, place):
        super().__init__(sentence)
        self.place = place


def carry_out_all(
    ledger: StoredLedger, commands: Iterable[dict[str, Any]], by: Actor
) -> tuple[Replayed, list[CarriedOut]]:
    """Carry out commands that add entries, or remove the last one, on a ledger in memory; nothing is written.

    Returns the replay and the steps, for `store_all`. Each entry is scored once. Raises NotRecorded for the first
    command that is refused.
    """
    done, steps = ledger.replay(), []
    before_last: Replayed | None = None
    for place, command in enumerate(commands):
        try:
            command = clean_command(command, BULK_KINDS)
            if not ledger.session.is_open:
                raise Refused(Reason.NOT_OPEN)
            refuse_locked(ledger.session.season)
            ledger.before, was = {}, done
            if command["kind"] == TAKE_OUT.key:
                subject, key = ("entry", command["body"]["entry"]), None
                if not ledger.entries or ledger.entries[-1].key != command["body"].get("entry"):
                    raise Refused(Reason.NOT_THE_LAST)
                EDITS[TAKE_OUT.key](ledger, command)
                done = before_last or ledger.replay()
            else:
                subject, key, done = carry_out(ledger, command, by, done)
                before_last = was
        except (EntryError, ServiceError) as error:
            raise NotRecorded(with_names(sentence_of(error), ledger.names), place) from error
        status, message = (201 if command["key"] == key else 200), message_for(command, ledger, done, key)
        changes = describe_changes(was, done, key)
        answer = CommandResult(status, Outcome.RECORDED, message, entry=key, changes=changes)
        steps.append(CarriedOut(command, answer, subject, ledger.before, ledger.after()))
    try:
        refuse_if_full(ledger)
    except ServiceError as error:
        raise NotRecorded(str(error), len(steps) - 1) from error
    return done, steps


def store_all(ledger: StoredLedger, done: Replayed, steps: list[CarriedOut], by: Actor) -> None:
    """Write what `carry_out_all` carried out; the number of queries does not grow with the commands."""
    if not steps:
        return
    session = ledger.session
    ledger.before = {"entries": {entry.key: None for entry in ledger.entries if entry.key not in ledger.entry_rows}}
    if session.paused and any(step.command["kind"] == HAND.key for step in steps):
        resume_with_hand(session, by=by)
    store_edit(ledger)
    store_results(ledger, done)
    Change.objects.bulk_create(
        change_of(session, by, step.command["kind"], step.subject, step.before, step.after, step.command["why"])
        for step in steps
    )
    Command.objects.bulk_create(
        _command_row(ledger, step.command, by, Outcome.APPLIED, step.answer, step.before) for step in steps
    )


# What only the secretary does to a whole session: cancel it, move it, restore it to an earlier point.


def apply_secretary_command(session_id: int, command: dict[str, Any], by: Actor) -> CommandResult:
    """Carry out a command that only the secretary may send; see apply_command."""
    return apply_command(session_id, command, by, kinds=BY_SECRETARY)


def move_session(
    session: Session, key: UUID | str, date: date, table: int, meeting_name: str, *, by: Actor, why: str = ""
) -> CommandResult:
    """Move a session to a date, a table number and the meeting of that date and name, created if missing."""
    with write_transaction(), transaction.atomic():
        meeting, _ = Meeting.objects.get_or_create(club_id=session.club_id, date=date, name=meeting_name)
        body = {"date": date.isoformat(), "table": table, "meeting": meeting.pk}
        answer = apply_secretary_command(session.pk, {"key": key, "kind": MOVE.key, "body": body, "why": why}, by)
        # A move that is refused leaves no empty meeting behind.
        transaction.set_rollback(answer.status >= 400)
    return answer
