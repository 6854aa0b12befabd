"""Commands carried out on a ledger in memory, and previews of what they would change. Writes nothing."""

import datetime
import json
import uuid
from collections.abc import Collection, Iterable
from typing import Any

from clubscore.play.command_kinds import AT_TABLE, CHANGES, CHOOSE, COUNT_AGAIN, GO_BACK, KINDS, MOVE, UNDO, VOID
from clubscore.play.edits import EDITS, choose, entry_concerned, replay_edited, restore, to_redo, to_undo
from clubscore.play.ledger import EditError
from clubscore.play.outcomes import Reason
from clubscore.play.preview import Preview, compare, preview_rows, preview_with_seats_kept
from clubscore.play.replay import EntryError, seat_tallies, sentence_of
from clubscore.scoring.rotation import WINDS
from clubscore.scoring.words import with_names
from sessions_app.models import Change, Meeting, Session
from sessions_app.people.dates import is_possible
from sessions_app.people.log import Actor
from sessions_app.people.plain_text import read_json
from sessions_app.people.transactions import ServiceError
from sessions_app.table.command_bodies import read_body
from sessions_app.table.command_results import Refused
from sessions_app.table.ledger import StoredLedger, load_ledger
from sessions_app.table.models import MAX_TABLE
from sessions_app.table.season_assignment import change_assignment, refuse_locked, restore_assignment
from sessions_app.table.state import commands_to_undo

MAX_BODY = 100_000


def clean_command(command: dict[str, Any], kinds: Collection[str] = AT_TABLE) -> dict[str, Any]:
    """Return a command as it was sent with every key present, and nothing that a database cannot store."""
    try:
        text = json.dumps(command.get("body") or {}, ensure_ascii=False)
        body = read_json(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise Refused(Reason.UNREADABLE) from error
    if len(text) > MAX_BODY or not isinstance(body, dict):
        raise Refused(Reason.UNREADABLE)
    if not isinstance(command.get("kind"), str) or command["kind"] not in kinds:
        raise Refused(Reason.NO_KIND, kind=repr(_str(command.get("kind"))[:40]))
    seats = command.get("seats")
    return {
        "key": _key(command.get("key"), Reason.NO_KEY),
        "kind": command["kind"],
        "body": read_body(KINDS[command["kind"]], body),
        "device": _text(command.get("device"), 80),
        "after": _key(command["after"], Reason.NO_KNOWN_ENTRY) if command.get("after") else None,
        "seats": _seats(seats) if isinstance(seats, dict) else None,
        "why": _text(command.get("why"), 500),
    }


def _seats(seats: dict[str, Any]) -> dict[str, Any]:
    return {wind: _text(seat, 4) for name, seat in seats.items() if (wind := _text(name, 1)) in WINDS and wind}


def _text(value: Any, max_length: int) -> str:
    """Return a value as text without NULs and lone surrogates, which the databases cannot store."""
    return _str(value or "").replace("\0", "").encode("utf-8", "replace").decode()[:max_length]


def _str(value: Any) -> str:
    """Return a value as text; nothing for a list that was read, but is nested too deep to be written from here."""
    try:
        return str(value)
    except RecursionError:
        return ""


def _key(text: Any, reason: Reason) -> str:
    try:
        return str(uuid.UUID(_str(text)))
    except ValueError as error:
        raise Refused(reason) from error


# What only the secretary does to a whole session. Like the edits of clubscore/play/edits.py, each may return the key
# of the entry that must now fit; Refused says why it cannot be carried out.


def void(ledger: StoredLedger, command: dict[str, Any]) -> None:
    """Cancel a session started by mistake: it is kept, but finished, and counts nowhere."""
    if ledger.session.void:
        raise Refused(Reason.VOID_ALREADY)
    if not command["why"].strip():
        raise Refused(Reason.NO_REASON, "why")
    change_assignment(ledger, void=True, practice=True, state=Session.State.FINISHED)


def count_again(ledger: StoredLedger, command: dict[str, Any]) -> None:
    """Let a cancelled session count again, open or finished and practice or not, as it was before."""
    if not ledger.session.void:
        raise Refused(Reason.NOT_VOID)
    voided = Change.objects.filter(session=ledger.session, after__session__void=True).latest("id")
    restore_assignment(ledger, voided.before["session"])


def move(ledger: StoredLedger, command: dict[str, Any]) -> None:
    """Move a session to another date, table number or meeting; its season follows from the date."""
    session, body = ledger.session, command["body"]
    if session.void:
        raise Refused(Reason.VOID_IS_NOT_MOVED)
    date, table = _date(body.get("date")), _table(body.get("table"))
    meeting = Meeting.objects.of_club(session.club_id).filter(pk=_id(body.get("meeting")), date=date).first()
    if meeting is None:
        raise Refused(Reason.NO_MEETING, "meeting")
    if (date, table, meeting.pk) == (session.date, session.table, session.meeting_id):
        raise Refused(Reason.NOT_MOVED, "date")
    change_assignment(ledger, date=date, table=table, meeting=meeting)


def go_back(ledger: StoredLedger, command: dict[str, Any]) -> None:
    """Restore entries and seats to their state after a change in the log; later entries are removed."""
    refuse_locked(ledger.session.season)
    was = state_after(ledger, _id(command["body"].get("change")))
    now = {
        "entries": {entry.key: entry.state() for entry in ledger.entries},
        "seats": {str(seat.seat_no): {"player": seat.player} for seat in ledger.seats},
    }
    different = {
        part: {key: state for key, state in states.items() if not _is_same(state, now[part][key])}
        for part, states in was.items()
    }
    if not any(different.values()):
        raise Refused(Reason.NOTHING_TO_RESTORE)
    restore(ledger, different, {})


def state_after(ledger: StoredLedger, change_id: int) -> dict[str, Any]:
    """Return the states of entries and seats after a change in the log, as far as later changes touched them.

    An entry added later is None.
    """
    rows = Change.objects.filter(session=ledger.session, pk__gte=change_id).order_by("id")
    changes = list(rows.values_list("pk", "before"))
    if not changes or changes[0][0] != change_id:
        raise Refused(Reason.NO_SUCH_POINT)
    was: dict[str, dict[str, Any]] = {"entries": {}, "seats": {}}
    for _, before in changes[1:]:
        for part, states in was.items():
            for key, state in (before.get(part) or {}).items():
                states.setdefault(key, state)
    return was


def _is_same(was, now):
    """Return whether a state has not changed; an entry that did not exist (None) is the same as a removed one."""
    return now["taken_out"] if was is None else was == now


def _date(text: str) -> datetime.date:
    try:
        date = datetime.date.fromisoformat(str(text))
    except ValueError as error:
        raise Refused(Reason.NO_DATE, "date") from error
    if not is_possible(date):
        raise Refused(Reason.WRONG_DATE, "date")
    return date


def _table(number: int) -> int:
    if type(number) is not int or not 1 <= number <= MAX_TABLE:
        raise Refused(Reason.WRONG_TABLE, "table", highest=MAX_TABLE)
    return number


def _id(value: Any) -> int:
    """Return a value if it can be an id, else 0."""
    return value if type(value) is int and 0 < value < 2**62 else 0


SECRETARY_EDITS = {VOID.key: void, COUNT_AGAIN.key: count_again, MOVE.key: move, GO_BACK.key: go_back}

# Any command.


def carry_out(ledger: StoredLedger, command: dict[str, Any], by: Actor, before: Any = None) -> tuple[Any, ...]:
    """Edit a ledger in memory and replay it; return the subject for the log, the key of the entry, and the replay.

    `before` is the replay of the ledger as it was, if the caller has it; entries added at the end continue from it.
    Reads what undo, redo and choose need, and writes nothing. Raises ServiceError, usually Refused, or EntryError.
    """
    try:
        return _edit(ledger, {**command, "author": by.user}, before)
    except EditError as error:
        raise Refused(error.code, error.field, **error.params) from error


# What a session holds at most: entries that count, and their bodies in letters of JSON; then with the removed ones. An
# afternoon of forty hands in tiles takes 30,000, and every tablet is sent what counts with every answer.
MOST = (1_000, 1_000_000, 3_000, 3_000_000)
# With no more entries than this it is not measured.
FEW = 100


def refuse_if_full(entries: Collection[Any], earlier: Iterable[Any] = ()) -> None:
    """Refuse entries that are more than a session may have; an edit that makes them fewer than `earlier` is right."""
    if len(entries) <= FEW:
        return
    now = _measured(entries)
    if all(size <= most for size, most in zip(now, MOST, strict=True)):
        return
    if any(size > max(most, before) for size, most, before in zip(now, MOST, _measured(earlier), strict=True)):
        raise Refused(Reason.TABLE_FULL)


def _measured(entries: Iterable[Any]) -> tuple[int, int, int, int]:
    sizes = [(entry.removed, len(json.dumps(entry.body, ensure_ascii=False))) for entry in entries]
    counting = [size for removed, size in sizes if not removed]
    return len(counting), sum(counting), len(sizes), sum(size for _, size in sizes)


def _edit(ledger, command, before):
    kind, session = KINDS[command["kind"]], ledger.session
    must_fit = key = None
    if not kind.is_edit and not (kind is CHOOSE and _only_sets_aside(session, command["body"])):
        refuse_locked(session.season)
    if kind.key in EDITS or kind.key in SECRETARY_EDITS:
        must_fit = (EDITS.get(kind.key) or SECRETARY_EDITS[kind.key])(ledger, command)
        key = entry_concerned(command, must_fit)
    elif kind is CHOOSE:
        waiting = session.commands.waiting()
        must_fit = key = choose(ledger, command, {str(kept.key): _as_command(kept) for kept in waiting})
    else:
        if kind is UNDO:
            change = Change.objects.get(pk=to_undo(_latest(session, "pk")))
            restore(ledger, change.before, change.after)
        else:
            change = Change.objects.get(pk=int(to_redo(_latest(session, "subject_id"))))
            restore(ledger, change.after, change.before)
        return change, None, replay_edited(ledger, None, before)
    return ("entry", key) if key else session, key, replay_edited(ledger, must_fit, before)


def _latest(session: Session, field: str) -> list[Any]:
    """Return (field, kind) of the changes that undo and redo are about, the newest first."""
    changes = Change.objects.filter(session=session, action__in=CHANGES).order_by("-id")
    return [(value, KINDS[action]) for value, action in changes.values_list(field, "action")]


def _as_command(kept):
    return {
        **{name: getattr(kept, name) for name in ("kind", "body", "device", "seats", "outcome")},
        "key": str(kept.key),
        "author": kept.user,
        "seating_key": str(uuid.uuid5(kept.key, "seating")),
    }


def _only_sets_aside(session: Session, body: dict[str, Any]) -> bool:
    """Return whether a choice changes no entry: it only sets waiting commands aside."""
    drop = body.get("drop")
    if body.get("keep") or not isinstance(drop, list):
        return False
    waiting = {str(key) for key in session.commands.waiting().values_list("key", flat=True)}
    return waiting.issuperset(map(str, drop))


def would_undo_another(session: Session, body: dict[str, Any]) -> bool:
    """Return whether an undo would take back another command than the one it was meant for: `of` in the body.

    `of` is None if the sender knew of nothing to undo. Without it, the undo is meant for the last change.
    """
    if "of" not in body:
        return False
    found = undone_next(session)
    return found is not None and found[0] != body["of"]


def undone_next(session: Session) -> tuple[str, str] | None:
    """Return key and kind of the command that an undo would take back now, or None."""
    return next(commands_to_undo(session.commands.order_by("-pk").values_list("key", "kind", "outcome")), None)


def preview_command(session_id: int, command: dict[str, Any]) -> Preview:
    """Return what a command would change in a session; reads only."""
    ledger = load_ledger(session_id)
    was, before = ledger.copy(), ledger.replay()
    try:
        command = clean_command(command, KINDS)
        _, key, after = carry_out(ledger, command, Actor())
        refuse_if_full(ledger.entries, ledger.entry_rows.values())
    except (EntryError, ServiceError) as error:
        message = with_names(sentence_of(error, ledger.session.vocabulary()), ledger.names)
        return Preview(
            preview_rows(was, before),
            tallies_before=seat_tallies(was.facts, before),
            names=was.names,
            message=message,
            error=error.error if isinstance(error, EntryError) else error,
        )
    return compare(was, before, ledger, after, key, preview_with_seats_kept(was, before, command, after))
