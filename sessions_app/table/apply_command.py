"""The one door for writes at a table: `apply_command`. One transaction writes entries, results, versions and log."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from uuid import UUID

from django.db import transaction

from clubscore.scoring.words import with_names
from clubscore.table.command_kinds import (
    AT_TABLE,
    BY_SECRETARY,
    CORRECT,
    HAND,
    KINDS,
    MOVE,
    ROWS,
    TAKE_OUT,
    UNDO,
)
from clubscore.table.edits import EDITS
from clubscore.table.outcomes import WAITING, Outcome, Reason
from clubscore.table.preview import describe_changes
from clubscore.table.replay import EntryError, Replayed, sentence_of
from sessions_app.models import Change, Command, Meeting, Session
from sessions_app.people.log import Actor, change_of, log_change
from sessions_app.people.permissions import SECRETARY, HasRole, may_send
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.table.carry_out import DESK_EDITS, carried_out, tidy, would_undo_another
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
from sessions_app.table.ledger import Ledger, load_ledger
from sessions_app.table.season_assignment import is_locked, open_lock, refuse_locked
from sessions_app.table.sessions import go_on_with_hand, open_tables
from sessions_app.table.store import store_edit, store_placing, store_results, touch_session

# Whether an entry was changed by another device since the one that wants to change it read it.


def has_changed_since(ledger: Ledger, command: dict[str, Any]) -> bool:
    """Say whether a command changes an entry of which its sender knew another version than there is now.

    `version` in the body is the one known; without it nothing is asked. What the same device has changed since it
    knew: several changes may wait on it and are sent one after the other.
    """
    known = command["body"].get("version")
    entry = ledger.find(command["body"].get("entry"))
    if not KINDS[command["kind"]].checks_version or type(known) is not int or entry is None or known == entry.version:
        return False
    newer = set(range(known + 1, entry.version + 1))
    return not newer or not newer <= _own_versions(ledger.session, entry, command["device"])


def _own_versions(session, entry, device):
    """Return the versions of an entry that this device has made."""
    if not device:
        return set()
    key = entry.key
    own = Command.objects.filter(session=session, device=device, outcome=Outcome.APPLIED, answer__versions__has_key=key)
    return {answer["versions"][key] for answer in own.values_list("answer", flat=True)}


# Whether a command that nobody has decided about can be shown at all: the shape of a hand, not what it is worth.


def is_readable(command: dict[str, Any]) -> bool:
    """Tell whether a command's hand, where it has one, is made as hands are made; its values may still be wrong."""
    kind = KINDS[command["kind"]]
    body = kind.entry_body(command["body"]) or {}
    return not kind.may_hold_hand or (isinstance(body, dict) and _is_hand(body))


def _is_hand(body):
    mahjong = body.get("mahjong")
    return (
        all(_are_forms(body.get(part)) for part in ("hands", "beside"))
        and (mahjong is None or isinstance(mahjong, dict) or _are_dicts(mahjong))
        and (body.get("penalties") is None or _are_dicts(body["penalties"]))
    )


def _are_forms(forms):
    return forms is None or isinstance(forms, dict) and all(form is None or _is_form(form) for form in forms.values())


def _is_form(form):
    if not isinstance(form, dict):
        return False
    sets = form.get("sets")
    are_sets = sets is None or isinstance(sets, list) and all(isinstance(one, str) for one in sets)
    return are_sets and all(isinstance(form.get(part) or "", str) for part in ("tiles", "bonus"))


def _are_dicts(rows):
    return isinstance(rows, list) and all(isinstance(one, dict) for one in rows)


# What carry_out_all carries out.
ONE_BY_ONE = {row.key for row in ROWS if row.adds_entry} | {TAKE_OUT.key}

# What is kept for someone to decide, everyone at the table is shown. Of tablets without a login, whose code may have
# been replaced because of what they sent, so many commands of a session are kept, and none longer than this.
MAX_KEPT, MAX_KEPT_BODY = 100, 10_000


def apply_command(
    session_id: int,
    command: dict[str, Any],
    by: Actor,
    is_allowed: bool = True,
    kinds: Collection[str] = AT_TABLE,
    membership: HasRole | None = None,
) -> CommandResult:
    """Carry out a command at a table, or say why not.

    command: {"key": uuid, "kind", "body", "device", "after": key of the last entry the device knew (None with `seats`
    given: it knew an empty ledger), "seats": {"E": "1", ...} or None, "why"}; only key, kind and body are needed.
    A refused command (422) leaves nothing behind; every other one is kept with its first answer. Not allowed any more,
    because the table's key was replaced, it is kept for the secretary like one that comes late. `kinds` is BY_SECRETARY
    for what the secretary alone does to a session as a whole. `membership` is that of the sender, where a person sends
    it: an undo must be theirs to send, and for a secretary nothing is kept at a locked season, as nobody else would
    decide about it.
    """
    try:
        command = tidy(command, kinds)
    except ServiceError as error:
        return CommandResult(422, Outcome.INVALID, str(error), error)
    with write_transaction():
        ledger = load_ledger(session_id, lock=True, key=command["key"])
        answer = _answer(ledger, command, by, is_allowed, membership)
    return answer.for_people(ledger.names)


@dataclass(frozen=True)
class Step:
    """One of several commands carried out in memory, with what the log and the register keep of it."""

    command: dict
    answer: CommandResult
    subject: object
    before: dict
    after: dict


def carry_out_all(ledger: Ledger, commands: Iterable[dict[str, Any]], by: Actor) -> tuple[Replayed, list[Step]]:
    """Carry out commands that add entries, or take the last one out again, on a ledger in memory; nothing is written.

    Returns the replay and the steps, which `store_all` writes. Each entry is scored once. ServiceError, with the index
    of the command as `place`, for the first that cannot be recorded.
    """
    done, before_last, steps = ledger.replay(), None, []
    for place, command in enumerate(commands):
        try:
            command = tidy(command, ONE_BY_ONE)
            _refuse_late(ledger.session)
            ledger.before, was = {}, done
            if command["kind"] == TAKE_OUT.key:
                subject, key = ("entry", command["body"]["entry"]), None
                _take_last_out(ledger, command)
                done = before_last
            else:
                subject, key, done = carried_out(ledger, command, by, done)
                before_last = was
        except (EntryError, ServiceError) as error:
            raise NotRecorded(with_names(sentence_of(error), ledger.names), place) from error
        status = 201 if command["key"] == key else 200
        answer = CommandResult(
            status,
            Outcome.RECORDED,
            message_for(command, ledger, done, key),
            entry=key,
            changes=describe_changes(was, done, key),
        )
        steps.append(Step(command, answer, subject, ledger.before, ledger.after()))
    return done, steps


class NotRecorded(ServiceError):
    """One of several commands cannot be recorded; `place` is its index."""

    def __init__(self, sentence, place):
        super().__init__(sentence)
        self.place = place


def _refuse_late(session):
    if not session.is_open:
        raise Refused(Reason.NOT_OPEN)
    refuse_locked(session.season)


def _take_last_out(ledger, command):
    if not ledger.entries or ledger.entries[-1].key != command["body"].get("entry"):
        raise Refused(Reason.NOT_THE_LAST)
    EDITS[TAKE_OUT.key](ledger, command)


def store_all(ledger: Ledger, done: Replayed, steps: list[Step], by: Actor) -> None:
    """Write what `carry_out_all` carried out, in a number of queries that does not grow with the commands."""
    if not steps:
        return
    session = ledger.session
    new = {entry.key: None for entry in ledger.entries if entry.key not in ledger.entry_rows}
    ledger.before = {"entries": new}
    if session.paused and any(step.command["kind"] == HAND.key for step in steps):
        go_on_with_hand(session, by=by)
    store_edit(ledger)
    store_results(ledger, done)
    changes, kept = [], []
    for step in steps:
        facts = (step.command["kind"], step.subject, step.before, step.after, step.command["why"])
        changes.append(change_of(session.club, by, *facts, session=session))
        versions = {key: ledger.find(key).version for key, was in step.before["entries"].items() if was is not None}
        more = {"versions": versions} if versions else {}
        kept.append(_kept(ledger, step.command, by, Outcome.APPLIED, step.answer, more))
    Change.objects.bulk_create(changes)
    Command.objects.bulk_create(kept)


def correct_in_locked_season(session_id: int, command: dict[str, Any], by: Actor) -> CommandResult:
    """Correct a hand of a finished session or a locked season, which stay so; a locked one asks for a reason."""
    command = tidy(command, {CORRECT.key})
    with write_transaction():
        ledger = load_ledger(session_id, lock=True, key=command["key"])
        answer = _again(ledger, command) or _refusable(ledger, lambda: _correct_behind_the_lock(ledger, command, by))
    return answer.for_people(ledger.names)


def _correct_behind_the_lock(ledger, command, by):
    command = {**command, "why": open_lock(ledger.session, command["why"])}
    return _carry_out(ledger, command, by)


def _answer(ledger, command, by, is_allowed, membership):
    again = _again(ledger, command)
    if again:
        return again
    kind = KINDS[command["kind"]]
    if ledger.session.imported and not kind.without_ledger:
        return CommandResult.because(422, Outcome.INVALID, Reason.IMPORTED)
    if not is_allowed:
        return _keep(ledger, command, by, Outcome.LATE, Reason.KEY_REPLACED)
    is_asked = kind.is_step and membership is not None
    is_permitted = not is_asked or may_send(membership, ledger.session, kind.key, command["body"])
    if not ledger.session.is_open and not (kind.when_finished and is_permitted):
        # Pressed while the table was in play, perhaps, and sent when it had finished.
        return _keep(ledger, command, by, Outcome.LATE, Reason.FINISHED)
    if not is_permitted:
        return CommandResult.because(403, Outcome.NOT_ALLOWED, Reason.SECRETARY_ONLY)
    if kind.is_edit and is_locked(ledger.session):
        if (membership is not None and membership.role in SECRETARY) or not kind.can_be_recorded_late:
            return _refusable(ledger, lambda: refuse_locked(ledger.session.season))
        return _keep(ledger, command, by, Outcome.LATE, Reason.LOCKED)
    carry_out = _place if ledger.session.imported else _carry_out
    return _refusable(ledger, lambda: carry_out(ledger, command, by))


def _refusable(ledger, carry_out):
    """Carry something out; what is wrong with it becomes the answer."""
    try:
        return carry_out()
    except EntryError as error:
        return CommandResult(422, Outcome.INVALID, sentence_of(error, ledger.session.vocabulary()), error.error)
    except ServiceError as error:
        return CommandResult(422, Outcome.INVALID, sentence_of(error), error)


def _again(ledger, command):
    """Return the first answer to a command sent before, or what has become of a kept one; None for a new command."""
    if ledger.earlier is None:
        return None
    earlier = Command.objects.get(pk=ledger.earlier)
    if (earlier.kind, earlier.body) != (command["kind"], command["body"]):
        return CommandResult.because(409, Outcome.REFUSED, Reason.KEY_REUSED)
    first = earlier.answer
    if earlier.outcome in WAITING:
        return CommandResult(409, Outcome(earlier.outcome), first["message"])
    if earlier.outcome == Outcome.DROPPED:
        return CommandResult.because(200, Outcome.AGAIN, Reason.NOT_CHOSEN)
    return CommandResult(200, Outcome.AGAIN, first["message"], entry=first["entry"], changes=first["changes"])


def _keep(ledger, command, by, outcome, reason):
    """Keep a command nobody has decided about; the ledger stays as it is. What nobody could read is no record."""
    if not is_readable(command):
        return CommandResult.because(422, Outcome.INVALID, Reason.UNREADABLE)
    if by.user is None:
        undecided = Command.objects.filter(session=ledger.session, user=None).exclude(outcome=Outcome.APPLIED)
        if undecided.count() >= MAX_KEPT:
            return CommandResult.because(403, Outcome.NOT_ALLOWED, Reason.TOO_MANY_KEPT)
        if len(json.dumps(command["body"])) > MAX_KEPT_BODY:
            return CommandResult.because(403, Outcome.NOT_ALLOWED, Reason.TOO_LARGE_TO_KEEP)
    answer = CommandResult.because(409, outcome, reason)
    late_reason = reason if outcome is Outcome.LATE else ""
    _register(ledger, command, by, outcome, answer, late_reason=late_reason)
    touch_session(ledger.session)
    return answer


def _versions(ledger):
    """Return the versions that entries changed by this edit have now; by them a device knows its own changes."""
    changed = [key for key, before in ledger.before.get("entries", {}).items() if before is not None]
    return {"versions": {key: ledger.find(key).version for key in changed}} if changed else {}


def _register(ledger, command, by, outcome, answer, more=(), late_reason=""):
    if command["kind"] == HAND.key:
        drop_draft(ledger.session.pk, command["key"])
    _kept(ledger, command, by, outcome, answer, more, late_reason).save(force_insert=True)


def _kept(ledger, command, by, outcome, answer, more, late_reason=""):
    return Command(
        session=ledger.session,
        key=command["key"],
        kind=command["kind"],
        body=command["body"],
        device=command["device"],
        after=command["after"],
        seats=command["seats"],
        outcome=outcome,
        late_reason=late_reason,
        answer=answer.kept() | dict(more),
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
    subject, key, done = carried_out(ledger, command, by, before)
    changes = [*_plays_twice(ledger, command, key), *describe_changes(before, done, key)]
    message = message_for(command, ledger, done, key)
    if command["kind"] == HAND.key and ledger.session.paused:
        goes_on = go_on_with_hand(ledger.session, by=by)
        message = f"{message} {RESUMED if goes_on else STILL_PAUSED}"
    if unknown:
        message, changes = f"{message} {CHANGED_SINCE}", [*unknown, *changes]
    answer = CommandResult(201 if command["key"] == key else 200, Outcome.RECORDED, message, entry=key, changes=changes)
    store_edit(ledger)
    entries = [ledger.entry_rows[entry.key] for entry in ledger.entries]
    snapshot = TableSnapshot(ledger.session, list(ledger.seat_rows.values()), entries, len(done.hands) + 1)
    store_results(ledger, done)
    return _write_down(ledger, command, by, subject, replace(answer, snapshot=snapshot))


def _plays_twice(ledger, command, key):
    """Say where else a player who has just been given a seat still plays; nothing at a practice table."""
    session = ledger.session
    if not KINDS[command["kind"]].names_player or session.practice:
        return []
    seat = ledger.seat((ledger.find(key).body if key else command["body"])["seat"])
    table = open_tables(session.club_id, session.date, besides=session).get(seat.player)
    return [f"{{{seat.seat_no}}} is still playing at table {table} too."] if table else []


def _place(ledger, command, by):
    """Void or move a session brought along as totals: nothing of it is replayed, as it has no hands."""
    DESK_EDITS[command["kind"]](ledger, command)
    store_placing(ledger)
    answer = CommandResult(200, Outcome.RECORDED, KINDS[command["kind"]].message)
    return _write_down(ledger, command, by, ledger.session, answer)


def _write_down(ledger, command, by, subject, answer):
    """Write what was done into the log, and its answer into the register."""
    session = ledger.session
    log_change(session.club, by, command["kind"], subject, ledger.before, ledger.after(), command["why"], session)
    _register(ledger, command, by, Outcome.APPLIED, answer, _versions(ledger))
    return answer


def _conflict(ledger, command, before):
    """Return whether a hand is contested, and the sentences about what the device that sends it did not know.

    Contested: another hand stands where this one was meant to be, or this hand's players no longer play.
    """
    if command["kind"] != HAND.key or (command["after"] is None and command["seats"] is None):
        return False, []
    newer = _newer_lines(ledger, command["after"])
    if newer is None or any(entry.kind == HAND.key for entry in newer):
        return True, []
    seats = {wind: str(seat) for wind, seat in before.seating.seated.items()}
    moved = command["seats"] is not None and command["seats"] != seats
    if not newer and not moved:
        return False, []
    if not _still_play(command["body"], seats):
        return True, []
    return False, [_seats_now(before.seating)] if moved else []


def _newer_lines(ledger, after):
    """Return the active entries a device did not know; None when the entry it knew last is not in the ledger."""
    if after is None:
        return ledger.active
    known = ledger.find(after)
    return known and [entry for entry in ledger.entries[ledger.entries.index(known) + 1 :] if not entry.taken_out]


def _still_play(body, seats):
    hands = body.get("hands")
    return not hands or not isinstance(hands, dict) or set(hands) == set(seats.values())


def _seats_now(seating):
    return f"Now East is {{{seating.winds[0]}}}" + (f" and {{{seating.out[0]}}} sits out." if seating.out else ".")


# What the secretary does to a session as a whole, through the tables' door: void it, move it, go back in it.


def apply_at_desk(session_id: int, command: dict[str, Any], by: Actor) -> CommandResult:
    """Carry out a command that is the secretary's alone; see apply_command."""
    return apply_command(session_id, command, by, kinds=BY_SECRETARY)


def move_session(
    session: Session, key: UUID | str, date: date, table: int, meeting_name: str, *, by: Actor, why: str = ""
) -> CommandResult:
    """Move a session to a date, a table number and the meeting of that date and name, made where it is missing."""
    with write_transaction(), transaction.atomic():
        meeting, _ = Meeting.objects.get_or_create(club_id=session.club_id, date=date, name=meeting_name)
        body = {"date": date.isoformat(), "table": table, "meeting": meeting.pk}
        answer = apply_at_desk(session.pk, {"key": key, "kind": MOVE.key, "body": body, "why": why}, by)
        # A move that is refused leaves no empty meeting behind.
        transaction.set_rollback(answer.status >= 400)
    return answer
