"""`apply_command`, the only way to write at a table: one transaction for entries, results, versions and log."""

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Any
from uuid import UUID

from django.db import transaction

from clubscore.play.command_kinds import AT_TABLE, BY_SECRETARY, HAND, KINDS, MOVE, UNDO
from clubscore.play.outcomes import WAITING, Outcome, Reason
from clubscore.play.preview import said_after
from clubscore.play.replay import EntryError, Replayed
from clubscore.play.table_words import key_of
from sessions_app.models import Command, Meeting, Session
from sessions_app.people.codes import TABLE_KEY
from sessions_app.people.log import Actor, log_change
from sessions_app.people.permissions import SECRETARY, TABLE, HasRole, may_send
from sessions_app.people.throttling import count_try
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
    SENTENCES,
    STILL_PAUSED,
    CommandResult,
    Kept,
    Refused,
    TableSnapshot,
)
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
    opens_lock: bool = False,
) -> CommandResult:
    """Carry out a command at a table, or return why not.

    command: {"key": uuid, "kind", "body", "device", "after": key of the last entry the device knew (None with `seats`
    given: it knew an empty ledger), "seats": {"E": "1", ...} or None, "why"}; only key, kind and body are required.
    What is refused is not stored; any other command is, with its first answer. If the table's key was replaced
    (not `is_allowed`), the command is kept for the secretary like a late one. `kinds` is BY_SECRETARY for what only the
    secretary does to a whole session. `membership` is the sender's, if a person sends it: it decides who may undo, and
    for a secretary nothing is kept at a locked season, as nobody else would decide about it. Of tablets without an
    account, only so many commands are answered in a minute. What `opens_lock` is carried out at a finished session or
    in a locked season, which stay so; a locked one needs a reason.
    """
    try:
        command = clean_command(command, kinds)
        if is_allowed and membership is not None and membership.role == TABLE:
            _refuse_too_many(session_id, command["key"])
    except ServiceError as error:
        return CommandResult.refused(error).for_people({})
    with write_transaction():
        ledger = load_ledger(session_id, lock=True, key=command["key"])
        return _result(ledger, command, by, is_allowed, membership, opens_lock)


def apply_all(session_id: int, commands: Iterable[dict[str, Any]], by: Actor) -> list[CommandResult]:
    """Carry out new commands in one transaction, up to the first that is refused; the ledger is read only once."""
    results: list[CommandResult] = []
    with write_transaction():
        ledger = load_ledger(session_id, lock=True)
        for command in commands:
            try:
                results.append(_result(ledger, clean_command(command), by))
            except ServiceError as error:
                results.append(CommandResult.refused(error).for_people({}))
            if not results[-1].is_done:
                break
            ledger.begin_edit()
    return results


def apply_together(commands: Mapping[int, dict[str, Any]], by: Actor, membership: HasRole) -> dict[int, CommandResult]:
    """Carry out a command at each of several sessions, in order, or none; up to the first that is not carried out."""
    results: dict[int, CommandResult] = {}
    with write_transaction(), transaction.atomic():
        # Locked in one order, before anything else of them: two who do this at once wait for each other only one way.
        list(Session.objects.select_for_update().filter(pk__in=commands).order_by("pk"))
        for session_id, command in commands.items():
            results[session_id] = apply_command(session_id, command, by, membership=membership)
            if not results[session_id].is_done:
                # What is only kept is for nobody to decide about: nothing of it is kept.
                transaction.set_rollback(True)
                break
    return results


def _result(ledger, command, by, is_allowed=True, membership=None, opens_lock=False):
    """Return what becomes of a command; this is the one place where a refusal is caught."""
    try:
        answer = _repeated(ledger, command) or _answer(ledger, command, by, is_allowed, membership, opens_lock)
    except (EntryError, ServiceError) as error:
        answer = CommandResult.refused(error, ledger.session.vocabulary())
    return answer.for_people(ledger.names)


def _refuse_too_many(session_id, key):
    """Count a new command of a table's tablets; asking again what became of an earlier one is no new one."""
    is_repeated = Command.objects.filter(session=session_id, key=key).exists()
    if not is_repeated and count_try(TABLE_KEY.sent, str(session_id)) > 0:
        raise Refused(Reason.TOO_MANY_AT_ONCE, outcome=Outcome.WAIT)


def _repeated(ledger: StoredLedger, command: dict[str, Any]) -> CommandResult | None:
    """Return the first answer to a command sent before, or what became of a kept one; None for a new command."""
    if not ledger.is_repeated:
        return None
    earlier = ledger.session.commands.get(key=command["key"])
    if (earlier.kind, earlier.body) != (command["kind"], command["body"]):
        raise Refused(Reason.KEY_REUSED, outcome=Outcome.REFUSED)
    first = earlier.answer
    if earlier.outcome in WAITING:
        return CommandResult(Outcome(earlier.outcome), first["message"])
    if earlier.outcome == Outcome.DROPPED:
        return CommandResult(Outcome.AGAIN, SENTENCES[Reason.NOT_CHOSEN])
    return CommandResult(Outcome.AGAIN, first["message"], entry=first["entry"])


def _answer(ledger, command, by, is_allowed, membership, opens_lock):
    """Carry out a command or keep it; Refused if neither can be."""
    session = ledger.session
    if session.imported and not KINDS[command["kind"]].without_ledger:
        raise Refused(Reason.IMPORTED)
    try:
        if opens_lock:
            command = {**command, "why": open_lock(session, command["why"])}
        else:
            _check(session, command, is_allowed, membership)
        return _carry_out(ledger, command, by)
    except Kept as kept:
        return _keep(ledger, command, by, kept)


def _check(session, command, is_allowed, membership):
    """Raise Refused or Kept for a command that cannot be carried out at this session, or not by its sender."""
    kind = KINDS[command["kind"]]
    if not is_allowed:
        raise Kept(Reason.KEY_REPLACED)
    is_undo_by_person = kind.is_undo_or_redo and membership is not None
    is_permitted = not is_undo_by_person or may_send(membership, session, kind.key, command["body"])
    if not session.is_open and not (kind.when_finished and is_permitted):
        # It may have been pressed while the table was in play, and sent later.
        raise Kept(Reason.FINISHED)
    if not is_permitted:
        raise Refused(Reason.SECRETARY_ONLY, outcome=Outcome.NOT_ALLOWED)
    if kind.is_edit and is_locked(session):
        if (membership is not None and membership.role in SECRETARY) or not kind.can_be_recorded_late:
            refuse_locked(session.season)
        raise Kept(Reason.LOCKED)


def _keep(ledger: StoredLedger, command: dict[str, Any], by: Actor, kept: Kept) -> CommandResult:
    """Keep a command for someone to decide about, unless it is too much; the ledger does not change."""
    if by.user is None:
        undecided = Command.objects.filter(session=ledger.session, user=None).exclude(outcome=Outcome.APPLIED)
        if undecided.count() >= MAX_KEPT:
            raise Refused(Reason.TOO_MANY_KEPT, outcome=Outcome.NOT_ALLOWED)
        if len(json.dumps(command["body"])) > MAX_KEPT_BODY:
            raise Refused(Reason.TOO_LARGE_TO_KEEP, outcome=Outcome.NOT_ALLOWED)
    answer = CommandResult(kept.outcome, SENTENCES[kept.reason])
    late_reason = kept.reason if kept.outcome is Outcome.LATE else ""
    _store_command(ledger, command, by, kept.outcome, answer, late_reason=late_reason)
    touch_session(ledger.session)
    return answer


def _store_command(ledger, command, by, outcome, answer, late_reason=""):
    """Store a command; from its answer a device knows the versions of the entries it has changed."""
    changed = [key for key, was in ledger.before.get("entries", {}).items() if was is not None]
    versions = {"versions": {key: ledger.entry(key).version for key in changed}} if changed else {}
    Command(
        session=ledger.session,
        **{name: command[name] for name in ("key", "kind", "body", "device", "after", "seats")},
        outcome=outcome,
        late_reason=late_reason,
        answer=answer.to_store() | versions,
        user=by.user,
        name=by.name,
    ).save(force_insert=True)


def _carry_out(ledger: StoredLedger, command: dict[str, Any], by: Actor) -> CommandResult:
    """Carry out a command, log it and store it with its answer."""
    session = ledger.session
    if session.imported:
        # A session imported as totals, which has no hands to replay, is cancelled or moved.
        SECRETARY_EDITS[command["kind"]](ledger, command)
        store_assignment(ledger)
        subject, answer = session, CommandResult(Outcome.RECORDED, KINDS[command["kind"]].message)
    else:
        subject, answer = _edit(ledger, command, by)
    log_change(session, by, command["kind"], subject, ledger.before, ledger.after(), command["why"])
    _store_command(ledger, command, by, Outcome.APPLIED, answer)
    return answer


def _edit(ledger: StoredLedger, command: dict[str, Any], by: Actor) -> tuple[Any, CommandResult]:
    """Edit a ledger and write what has changed; return the subject for the log, and the answer."""
    if command["kind"] == UNDO.key and would_undo_another(ledger.session, command["body"]):
        raise Refused(Reason.OTHER_CHANGE, outcome=Outcome.REFUSED)
    before = ledger.done or ledger.replay()
    is_contested, has_moved = _conflict(ledger, command, before)
    if is_contested:
        raise Kept(Reason.HAND_CONFLICT, Outcome.CONTESTED)
    if has_changed_since(ledger, command):
        raise Kept(Reason.EDIT_CONFLICT, Outcome.CONTESTED)
    subject, key, done = carry_out(ledger, command, by, before)
    # The rows are still as they were loaded.
    refuse_if_full(ledger.entries, ledger.entry_rows.values())
    step = (subject.action, key_of(subject.before)) if KINDS[command["kind"]].is_undo_or_redo else None
    said = [said_after(command, ledger, before, done, key, step), *_plays_twice(ledger, command, key)]
    if command["kind"] == HAND.key and ledger.session.paused:
        said.append(RESUMED if resume_with_hand(ledger.session, by=by) else STILL_PAUSED)
    if has_moved:
        said.append(CHANGED_SINCE)
    store_edit(ledger)
    entries = [ledger.entry_rows[entry.key] for entry in ledger.entries]
    snapshot = TableSnapshot(ledger.session, list(ledger.seat_rows.values()), entries, len(done.hands) + 1)
    store_results(ledger, done)
    is_new = command["key"] == key
    return subject, CommandResult(Outcome.RECORDED, " ".join(said), key, is_new=is_new, snapshot=snapshot)


def _plays_twice(ledger, command, key):
    """Return a sentence if a player who has just been given a seat is still playing elsewhere; none at practice."""
    session = ledger.session
    if not KINDS[command["kind"]].names_player or session.practice:
        return []
    seat = ledger.seat((ledger.find(key).body if key else command["body"])["seat"])
    table = open_tables(session.club_id, session.date, besides=session).get(seat.player)
    return [f"{{{seat.seat_no}}} is still playing at table {table} too."] if table else []


def _conflict(ledger: StoredLedger, command: dict[str, Any], before: Replayed) -> tuple[bool, bool]:
    """Return whether a hand conflicts with another, and whether its sender believed that others sat elsewhere.

    It conflicts if another hand was recorded where this one was meant to be, or if its players no longer all play.
    """
    if command["kind"] != HAND.key or (command["after"] is None and command["seats"] is None):
        return False, False
    newer = _newer_entries(ledger, command["after"])
    if newer is None or any(entry.kind == HAND.key for entry in newer):
        return True, False
    seats = {wind: str(seat) for wind, seat in before.seating.seated.items()}
    has_moved = command["seats"] is not None and command["seats"] != seats
    hands = command["body"].get("hands")
    is_by_others = isinstance(hands, dict) and bool(hands) and set(hands) != set(seats.values())
    return is_by_others and (bool(newer) or has_moved), has_moved


def _newer_entries(ledger, after):
    """Return the active entries after the last one a device knew; None if that is not in the ledger."""
    if after is None:
        return ledger.active
    known = ledger.find(after)
    return known and [entry for entry in ledger.entries[ledger.entries.index(known) + 1 :] if not entry.removed]


# What only the secretary does to a whole session: cancel it, move it, restore it to an earlier point.


def apply_secretary_command(session_id: int, command: dict[str, Any], by: Actor) -> CommandResult:
    """Carry out a command that only the secretary may send; see apply_command."""
    return apply_command(session_id, command, by, kinds=BY_SECRETARY)


def move_session(
    session: Session, key: UUID | str, date: date, table: int, meeting_name: str, *, by: Actor, why: str = ""
) -> CommandResult:
    """Move a session to a date, a table number and the meeting of that date and name, created if missing."""
    with write_transaction(), transaction.atomic():
        meeting = Meeting.objects.at(session.club, date, meeting_name)
        body = {"date": date.isoformat(), "table": table, "meeting": meeting.pk}
        answer = apply_secretary_command(session.pk, {"key": key, "kind": MOVE.key, "body": body, "why": why}, by)
        # A move that is refused leaves no empty meeting behind.
        transaction.set_rollback(not answer.is_done)
    return answer
