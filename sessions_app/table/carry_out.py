"""Commands in memory: made safe to store, carried out on a loaded ledger; what they would change. Writes nothing."""

import datetime
import json
import uuid
from collections.abc import Collection
from typing import Any

from clubscore.scoring.words import with_names
from clubscore.table.command_kinds import AT_TABLE, CHANGES, CHOOSE, COUNT_AGAIN, GO_BACK, KINDS, MOVE, UNDO, VOID
from clubscore.table.edits import EDITS, choose, entry_concerned, restore, settle, to_redo, to_undo
from clubscore.table.ledger import EditError
from clubscore.table.outcomes import Reason
from clubscore.table.preview import Preview, compare, preview_rows, preview_with_seats_kept
from clubscore.table.replay import EntryError, accounts, sentence_of
from sessions_app.models import Change, Command, Meeting, Session
from sessions_app.people.log import Actor
from sessions_app.people.log_pages import FIRST_YEAR, LAST_YEAR
from sessions_app.people.transactions import ServiceError
from sessions_app.table.command_results import Refused
from sessions_app.table.ledger import Ledger, load_ledger
from sessions_app.table.season_assignment import change_placing, refuse_locked, restore_placing
from sessions_app.table.state import commands_to_undo

# A command as it is sent, made safe to store.

MAX_BODY = 100_000


def tidy(command: dict[str, Any], kinds: Collection[str] = AT_TABLE) -> dict[str, Any]:
    """Return a command with every key, its body as plain JSON both databases can hold."""
    try:
        text = json.dumps(command.get("body") or {}, allow_nan=False, ensure_ascii=False)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise Refused(Reason.UNREADABLE) from error
    if "\\u0000" in text or len(text) > MAX_BODY or not isinstance(command.get("body") or {}, dict):
        raise Refused(Reason.UNREADABLE)
    if not isinstance(command.get("kind"), str) or command["kind"] not in kinds:
        raise Refused(Reason.NO_KIND, kind=repr(str(command.get("kind"))[:40]))
    seats = command.get("seats")
    return {
        "key": _key(command.get("key"), Reason.NO_KEY),
        "kind": command["kind"],
        "body": json.loads(text),
        "device": _text(command.get("device"), 80),
        "after": _key(command["after"], Reason.NO_KNOWN_ENTRY) if command.get("after") else None,
        "seats": {_text(wind, 1): _text(seat, 4) for wind, seat in seats.items()} if isinstance(seats, dict) else None,
        "why": _text(command.get("why"), 500),
    }


def _text(value, longest):
    """Return a text that both databases can hold: no NUL, no half of a character."""
    return str(value or "").replace("\0", "").encode("utf-8", "replace").decode()[:longest]


def _key(text, reason):
    try:
        return str(uuid.UUID(str(text)))
    except ValueError as error:
        raise Refused(reason) from error


# The command carried out.

MAX_TABLE = 999


def void(ledger: Ledger, command: dict[str, Any]) -> None:
    """A session started by mistake: it is kept, finished, and counts nowhere."""
    if ledger.session.void:
        raise Refused(Reason.VOID_ALREADY)
    if not command["why"].strip():
        raise Refused(Reason.NO_REASON, "why")
    change_placing(ledger, void=True, practice=True, state=Session.State.FINISHED)


def count_again(ledger: Ledger, command: dict[str, Any]) -> None:
    """Take the voiding back: open or finished, practice or not, as the session was before."""
    if not ledger.session.void:
        raise Refused(Reason.NOT_VOID)
    voided = Change.objects.filter(session=ledger.session, after__session__void=True).order_by("-id").first()
    restore_placing(ledger, voided.before["session"])


def move(ledger: Ledger, command: dict[str, Any]) -> None:
    """Correct a session's date and table number and put it in another meeting; its season follows from its date."""
    session, body = ledger.session, command["body"]
    if session.void:
        raise Refused(Reason.VOID_IS_NOT_MOVED)
    date, table = _date(body.get("date")), _table(body.get("table"))
    meeting = Meeting.objects.of_club(session.club_id).filter(pk=_whole(body.get("meeting")), date=date).first()
    if meeting is None:
        raise Refused(Reason.NO_MEETING, "meeting")
    if (date, table, meeting.pk) == (session.date, session.table, session.meeting_id):
        raise Refused(Reason.NOT_MOVED, "date")
    change_placing(ledger, date=date, table=table, meeting=meeting)


def go_back(ledger: Ledger, command: dict[str, Any]) -> None:
    """Bring entries and seats to how they were after a change of the log; what came later is taken out, not deleted."""
    refuse_locked(ledger.session.season)
    was = state_after(ledger, _whole(command["body"].get("change")))
    now = {
        "entries": {entry.key: entry.state() for entry in ledger.entries},
        "seats": {str(seat.seat_no): {"player": seat.player} for seat in ledger.seats},
    }
    different = {
        part: {key: state for key, state in was[part].items() if not _same(state, now[part][key])} for part in was
    }
    if not any(different.values()):
        raise Refused(Reason.NOTHING_TO_RESTORE)
    restore(ledger, different, {})


def state_after(ledger: Ledger, change_id: int) -> dict[str, Any]:
    """Return entries and seats as they were after a change of this session's log; an entry not there yet is None."""
    changes = Change.objects.filter(session=ledger.session, pk__gte=change_id).order_by("id")
    changes = list(changes.values_list("pk", "before"))
    if not changes or changes[0][0] != change_id:
        raise Refused(Reason.NO_SUCH_POINT)
    was = {"entries": {}, "seats": {}}
    for _, before in changes[1:]:
        for part, states in was.items():
            for key, state in (before.get(part) or {}).items():
                states.setdefault(key, state)
    return was


def _same(was, now):
    """Say whether an entry stands as it stood: not there yet is the same as taken out."""
    return now["taken_out"] if was is None else was == now


def _date(text):
    try:
        date = datetime.date.fromisoformat(str(text))
    except ValueError as error:
        raise Refused(Reason.NO_DATE, "date") from error
    if not FIRST_YEAR <= date.year <= LAST_YEAR:
        raise Refused(Reason.WRONG_DATE, "date")
    return date


def _table(number):
    if type(number) is not int or not 1 <= number <= MAX_TABLE:
        raise Refused(Reason.WRONG_TABLE, "table", highest=MAX_TABLE)
    return number


def _whole(value):
    """Return a whole number that can be an id, else 0."""
    return value if type(value) is int and 0 < value < 2**62 else 0


DESK_EDITS = {VOID.key: void, COUNT_AGAIN.key: count_again, MOVE.key: move, GO_BACK.key: go_back}


# What the secretary does to a session as a whole: void it, let it count again, move it, go back in it.
# An edit returns the key of the entry that must now fit, or None; Refused says why a command cannot be carried out.


def carried_out(ledger: Ledger, command: dict[str, Any], by: Actor, before: Any = None) -> tuple[Any, ...]:
    """Edit a ledger in memory and replay it: the subject for the log, the key of the entry concerned, the replay.

    `before` is the replay of the ledger as it was, where the caller has it: entries put at the end go on from there.
    Reads what undo, redo and choose need; writes nothing. ServiceError, mostly Refused, or EntryError if it cannot be.
    """
    try:
        return _carried_out(ledger, {**command, "author": by.user}, before)
    except EditError as error:
        raise Refused(error.code, error.field, **error.params) from error


def _carried_out(ledger, command, before):
    kind, session = KINDS[command["kind"]], ledger.session
    strict = None
    if not kind.is_edit and not (kind is CHOOSE and _only_sets_aside(session, command["body"])):
        refuse_locked(session.season)
    if kind.key in EDITS or kind.key in DESK_EDITS:
        strict = (EDITS.get(kind.key) or DESK_EDITS[kind.key])(ledger, command)
        key = entry_concerned(command, strict)
        subject = ("entry", key) if key else session
    elif kind is CHOOSE:
        strict = key = choose(ledger, command, {str(kept.key): _as_command(kept) for kept in _waiting(session)})
        subject = ("entry", key) if key else session
    elif kind is UNDO:
        change = Change.objects.get(pk=to_undo(_latest(session, "pk")))
        restore(ledger, change.before, change.after)
        key, subject = None, ("change", change.pk)
    else:
        change = Change.objects.get(pk=int(to_redo(_latest(session, "subject_id"))))
        restore(ledger, change.after, change.before)
        key, subject = None, ("change", change.pk)
    return subject, key, settle(ledger, strict, before)


def _latest(session, field):
    """Return a field of each change that undo and redo are about, with its kind, the newest first."""
    changes = Change.objects.filter(session=session, action__in=CHANGES).order_by("-id")
    return [(value, KINDS[action]) for value, action in changes.values_list(field, "action")]


def _waiting(session):
    return Command.objects.filter(session=session).waiting()


def _as_command(kept):
    return {
        "key": str(kept.key),
        "kind": kept.kind,
        "body": kept.body,
        "device": kept.device,
        "author": kept.user,
        "seats": kept.seats,
        "outcome": kept.outcome,
        "seating_key": str(uuid.uuid5(kept.key, "seating")),
    }


def _only_sets_aside(session, body):
    """Say whether a choice changes no entry: what waits is put aside, and nothing is recorded."""
    drop = body.get("drop")
    if body.get("keep") or not isinstance(drop, list):
        return False
    waiting = {str(key) for key in _waiting(session).values_list("key", flat=True)}
    return waiting.issuperset(map(str, drop))


def would_undo_another(session: Session, body: dict[str, Any]) -> bool:
    """Say whether an undo would take back another change than that of the command it was meant for: `of`.

    None: the sender knew of nothing to undo. Without `of` it is meant for whatever was changed last.
    """
    if "of" not in body:
        return False
    found = undone_next(session)
    return found is not None and found[0] != body["of"]


def undone_next(session: Session) -> Any:
    """Return key and kind of the command that an undo would take back now; None where there is nothing to undo."""
    return next(commands_to_undo(session.commands.order_by("-pk").values_list("key", "kind", "outcome")), None)


# What a command would do, hand by hand, before it is done.


def preview_command(session_id: int, command: dict[str, Any]) -> Preview:
    """Return what a command would change in a session; reads only."""
    ledger = load_ledger(session_id)
    was, before = ledger.copy(), ledger.replay()
    cause: Exception
    try:
        command = tidy(command, KINDS)
        _, key, after = carried_out(ledger, command, Actor())
    except EntryError as error:
        message, cause = with_names(sentence_of(error, ledger.session.vocabulary()), ledger.names), error.error
    except ServiceError as error:
        message, cause = str(error), error
    else:
        kept = preview_with_seats_kept(was, before, command, after)
        return compare(was, before, ledger, after, key, kept)
    rows, tallies = preview_rows(was, before), accounts(was.facts, before)
    return Preview(rows, tallies_before=tallies, names=was.names, message=message, error=cause)
