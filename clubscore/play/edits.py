"""Commands carried out on a ledger in memory: what each kind does, undo and redo; no database, no network.

A command: {"key", "kind", "body"}, and perhaps "device" and "author", which its entry keeps. An edit returns the key of
the entry that must now fit, or None; EditError refuses the command.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from clubscore.play import command_kinds as kinds
from clubscore.play.command_kinds import KINDS, CommandKind
from clubscore.play.ledger import FINISHED, OPEN, Change, EditError, Ledger, Player, Seat
from clubscore.play.outcomes import Outcome, Reason
from clubscore.play.replay import Entry, Replayed
from clubscore.scoring.rotation import WINDS

Command = dict[str, Any]
Body = dict[str, Any]
T = TypeVar("T")

MAX_PENALTY = 1_000_000
MAX_LAST = 99
# No sum over a session can then leave the range of 32 bits.
MAX_TOTAL = 10_000_000


def apply(ledger: Ledger, command: Command, done: Replayed | None = None) -> tuple[Ledger, str | None, Replayed]:
    """Return a changed copy of the ledger, the key of the entry concerned, and the replay of the copy.

    `done` is the replay of the ledger given, if known. EditError or EntryError if the command cannot be carried out.
    """
    edited, kind = ledger.copy(), KINDS[command["kind"]]
    undone = strict = key = None
    if kind is kinds.UNDO:
        undone = to_undo(latest(ledger))
        restore(edited, undone.before, undone.after)
    elif kind is kinds.REDO:
        undone = to_redo(latest(ledger)).of
        restore(edited, undone.after, undone.before)
    elif kind.key in EDITS:
        strict = EDITS[kind.key](edited, command)
        key = entry_concerned(command, strict)
    else:
        raise EditError(Reason.NO_COMMAND)
    done = replay_edited(edited, strict, done)
    edited.changes.append(Change(command["key"], kind.key, edited.before, edited.after(), undone))
    edited.stored = {hand.key: hand for hand in done.hands}
    return edited, key, done


def latest(ledger: Ledger) -> list[tuple[Change, CommandKind]]:
    """Return the changes of a ledger, each with its kind, the newest first."""
    return [(change, KINDS[change.kind]) for change in reversed(ledger.changes)]


def entry_concerned(command: Command, strict: str | None) -> str | None:
    """Return the key of the entry that a command is about; `strict` is what its edit returned."""
    return strict if KINDS[command["kind"]].must_fit else str(command["body"]["entry"])


def replay_edited(ledger: Ledger, strict: str | None, before: Replayed | None = None) -> Replayed:
    """Replay an edited ledger and accept the hand that must fit; `before` is the replay of the ledger as it was."""
    done = ledger.replay(strict, earlier=before)
    hand = done.hand(strict) if strict else None
    if hand:
        if any(max(abs(seat.total), abs(seat.net)) > MAX_TOTAL for seat in hand.seats):
            raise EditError(Reason.TOO_HIGH)
        ledger.entry(hand.key).played_in = hand.seating.to_dict()
    return done


# Undo and redo, over pairs of any value and its CommandKind, the newest first.


def undoable(latest: Iterable[tuple[T, CommandKind]]) -> Iterator[T]:
    """Yield what one undo after the other would take back, whoever asks."""
    undone = 0
    for value, kind in latest:
        if not (kind.is_undo_or_redo or kind.can_be_undone):
            continue
        if kind is kinds.UNDO:
            undone += 1
        elif kind is kinds.REDO or undone:
            undone -= 1
        else:
            yield value


def to_undo(latest: Iterable[tuple[T, CommandKind]]) -> T:
    """Return the newest change that is not undone; EditError if there is none."""
    for value in undoable(latest):
        return value
    raise EditError(Reason.NOTHING_TO_UNDO)


def redoable(latest: Iterable[tuple[T, CommandKind]]) -> Iterator[T]:
    """Yield the undos that one redo after the other would reverse: those after the last change."""
    redone = 0
    for value, kind in latest:
        if kind is kinds.REDO:
            redone += 1
        elif kind.can_be_undone:
            return
        elif kind is kinds.UNDO and redone:
            redone -= 1
        elif kind is kinds.UNDO:
            yield value


def to_redo(latest: Iterable[tuple[T, CommandKind]]) -> T:
    """Return the last undo, unless another change came after it; EditError if there is none."""
    for value in redoable(latest):
        return value
    raise EditError(Reason.NOTHING_TO_REDO)


# What each kind of command does.


def add(ledger: Ledger, command: Command) -> str:
    """Add at the end an entry whose body `BODIES` makes."""
    return _append(ledger, command, BODIES[command["kind"]](ledger, command["body"]))


def leave(ledger: Ledger, command: Command) -> str:
    """The player of a `seat` leaves the table."""
    return _append(ledger, command, {"seat": str(ledger.seat(command["body"].get("seat")).seat_no)})


def arrive(ledger: Ledger, command: Command) -> str:
    """Seat a `player` of the club, by number: in a new seat, or in their old one if they come back."""
    player = ledger.player(command["body"].get("player"))
    return _append(ledger, command, {"seat": str(ledger.add_seat(player).seat_no)})


def exchange(ledger: Ledger, command: Command) -> str:
    """Swap the seats of players `a` and `b`, from here on or from the hand `entry` on."""
    body = command["body"]
    a, b = ledger.seat(body.get("a")), ledger.seat(body.get("b"))
    if a is b:
        raise EditError(Reason.SAME_SEATS, "b")
    before = ledger.entry(body["entry"]) if body.get("entry") else None
    return _append(ledger, command, {"exchange": [str(a.seat_no), str(b.seat_no)]}, before, kinds.SEATING.key)


def insert(ledger: Ledger, command: Command) -> str:
    """Add an entry before another one."""
    body = command["body"]
    kind = body.get("kind", kinds.HAND.key)
    if not isinstance(kind, str) or kind not in BODIES:
        raise EditError(Reason.NOT_INSERTABLE)
    before = ledger.entry(body.get("before"))
    return _append(ledger, command, BODIES[kind](ledger, _dict(body.get("body"))), before, kind)


def correct(ledger: Ledger, command: Command) -> str:
    """Replace the body of an `entry`; with `keep_seats` the hands after it keep the seats they were played in.

    Refused for a removed entry, and for one that says who joined or left.
    """
    entry = ledger.entry(command["body"].get("entry"))
    if entry.removed:
        raise EditError(Reason.REMOVED)
    if entry.kind not in BODIES:
        raise EditError(Reason.NOT_CORRECTABLE)
    body = BODIES[entry.kind](ledger, _dict(command["body"].get("body")))
    if "agreed" in entry.body and "agreed" not in body:
        # The player who agreed to the hand has not seen the change.
        body = {**body, "agreed": ""}
    later = ledger.entries[ledger.entries.index(entry) + 1 :] if command["body"].get("keep_seats") else []
    next_hand = next((other for other in later if other.kind == kinds.HAND.key and not other.removed), None)
    played = ledger.replay().hand(next_hand.key) if next_hand else None
    ledger.change(entry, body=body)
    if next_hand and played and ledger.seating_before(next_hand).winds != played.played_winds:
        winds = {wind: seat for wind, seat in zip(WINDS, played.played_winds, strict=True) if seat is not None}
        out = [str(seat) for seat in ledger.seating_before(next_hand).at_table if seat not in played.played_winds]
        # The tablet and the server make the same key of the same command.
        key = command["key"]
        correction = {**command, "key": key[-8:] + key[8:-8] + key[:8]}
        seating = seating_body(ledger, {"winds": winds, "out": out})
        _append(ledger, correction, seating, next_hand, kinds.SEATING.key)
    return entry.key


def agree(ledger: Ledger, command: Command) -> str:
    """Another player agrees to a hand; nothing in it changes."""
    entry = ledger.entry(command["body"].get("entry"))
    if entry.kind != kinds.HAND.key or entry.removed:
        raise EditError(Reason.NOT_AGREEABLE)
    ledger.change(entry, body={**entry.body, "agreed": str(ledger.seat(command["body"].get("seat")).seat_no)})
    return entry.key


def remove_entry(ledger: Ledger, command: Command) -> None:
    """Remove an `entry`: it no longer counts, but stays in the ledger."""
    entry = ledger.entry(command["body"].get("entry"))
    if entry.removed:
        raise EditError(Reason.REMOVED_ALREADY)
    ledger.change(entry, removed=True)


def restore_entry(ledger: Ledger, command: Command) -> str:
    """Restore a removed `entry`."""
    entry = ledger.entry(command["body"].get("entry"))
    if not entry.removed:
        raise EditError(Reason.NOT_REMOVED)
    ledger.change(entry, removed=False)
    return entry.key


def change_player(ledger: Ledger, command: Command) -> None:
    """Give a seat to another player for the whole session: it was not Ann but Anna."""
    seat = ledger.seat(command["body"].get("seat"))
    player = ledger.player(command["body"].get("player"))
    if any(other.player == player.key for other in ledger.seats):
        raise EditError(Reason.HAS_SEAT, "player", name=player.name)
    ledger.change_player(seat, player.key)


def finish(ledger: Ledger, command: Command) -> None:
    ledger.set_state(FINISHED)


def reopen(ledger: Ledger, command: Command) -> None:
    """Reopen a finished session; a void one is refused."""
    if ledger.is_open:
        raise EditError(Reason.OPEN_ALREADY)
    if ledger.session_state["void"]:
        raise EditError(Reason.IS_VOID)
    ledger.set_state(OPEN)


def choose(ledger: Ledger, command: Command, pending: Mapping[str, Command]) -> str | None:
    """Keep one of several versions of a hand; `pending` are the commands that wait for this choice, by key.

    Entries in `drop` are removed; a pending command in `keep` becomes an entry after the first of them, or else at the
    end. A pending command also has its `outcome`, and the key of the seating that may have to go before it.
    """
    body = command["body"]
    keep, drop = body.get("keep"), _list(body.get("drop") or [])
    if not keep and not drop:
        raise EditError(Reason.NOTHING_CHOSEN)
    first_dropped = None
    for key in map(str, drop):
        if key in pending:
            ledger.change_outcome(key, pending[key]["outcome"], Outcome.DROPPED)
        else:
            entry = ledger.entry(key)
            first_dropped = first_dropped or entry
            if not entry.removed:
                ledger.change(entry, removed=True)
    if str(keep) in pending:
        return _record_pending(ledger, pending[str(keep)], first_dropped)
    if keep:
        ledger.entry(keep)
    return None


def _record_pending(ledger: Ledger, pending: Command, replaced: Entry | None) -> str | None:
    """Carry out a pending command, in a finished session too, as someone has chosen it.

    A hand goes after the entry it replaces, else at the end; if it was chosen before and that was undone, to its place.
    If the rotation would seat other players there, a corrected seating goes before it.
    """
    kind = KINDS[pending["kind"]]
    if not kind.can_be_recorded_late:
        raise EditError(Reason.ONLY_PUT_ASIDE)
    ledger.change_outcome(pending["key"], pending["outcome"], Outcome.APPLIED)
    if kind is not kinds.HAND:
        return EDITS[kind.key](ledger, pending)
    at = len(ledger.entries) if replaced is None else ledger.entries.index(replaced) + 1
    before = ledger.find(pending["key"]) or (ledger.entries[at] if at < len(ledger.entries) else None)
    seating, seats, hands = ledger.seating_before(before), pending["seats"], pending["body"].get("hands")
    if seats and hands and set(hands) != {str(seat) for seat in seating.seated.values()}:
        out = [str(seat) for seat in seating.at_table if str(seat) not in seats.values()]
        correction = {**pending, "key": pending["seating_key"]}
        body = seating_body(ledger, {"winds": seats, "out": out})
        _append(ledger, correction, body, before, kinds.SEATING.key)
    return _append(ledger, pending, hand_body(ledger, pending["body"]), before)


def restore(ledger: Ledger, state: Mapping[str, Any], other: Mapping[str, Any]) -> None:
    """Bring entries, seats, pending commands and the session to one `state` of a change in the log, from the `other`.

    An entry that did not exist in that state is removed.
    """
    for key, was in (state.get("entries") or {}).items():
        values = (
            {"body": was.get("body"), "removed": was.get("taken_out"), "played_in": was.get("played_in")}
            if was
            else {"removed": True}
        )
        ledger.change(ledger.entry(key), **values)
    seats = state.get("seats") or {}
    for seat_no, was in seats.items():
        _restore_player(ledger, ledger.seat(seat_no), ledger.player(was["player"]), seats)
    for key, outcome in (state.get("commands") or {}).items():
        ledger.change_outcome(key, other["commands"][key], outcome)
    if state.get("session"):
        ledger.restore_session(state["session"])


def _restore_player(ledger: Ledger, seat: Seat, player: Player, seats: Mapping[str, Any]) -> None:
    """Give a seat back to a player; if they have another one, its seat goes to the present player of this one.

    Their other seat must be among the `seats` restored, or its arrival must no longer count.
    """
    other = next((other for other in ledger.seats if other.player == player.key), seat)
    if seat.player == player.key and other is seat:
        return
    if other is not seat:
        if str(other.seat_no) not in seats and ledger.is_taken(other):
            raise EditError(Reason.HAS_OTHER_SEAT, name=player.name)
        ledger.change_player(other, seat.player)
    ledger.change_player(seat, player.key)


def _append(ledger: Ledger, command: Command, body: Body, before: Entry | None = None, kind: str | None = None) -> str:
    kind = kind or command["kind"]
    return ledger.add(command["key"], kind, body, before, command.get("device", ""), command.get("author")).key


# The bodies of entries, as the ledger keeps them.


def hand_body(ledger: Ledger, body: Body) -> Body:
    """Return the body of a hand, which is checked only by scoring it.

    `agreed`, if the hand was shown to another player, is the seat of the player who agreed, or empty.
    """
    if "agreed" not in body:
        return body
    agreed = str(body["agreed"])
    return {**body, "agreed": agreed if agreed in [str(seat.seat_no) for seat in ledger.seats] else ""}


def penalty_body(ledger: Ledger, body: Body) -> Body:
    """Return a penalty: seats by number, and whole points; paid to no one if `to` is empty."""
    amount = body.get("amount")
    if type(amount) is not int or not 0 < amount <= MAX_PENALTY:
        raise EditError(Reason.PENALTY_AMOUNT, "amount")
    by = ledger.seat(body.get("by"))
    to = ledger.seat(body["to"]) if body.get("to") else None
    if by is to:
        raise EditError(Reason.PENALTY_TO_SELF, "to")
    return {
        "by": str(by.seat_no),
        "to": str(to.seat_no) if to else None,
        "amount": amount,
        "why": str(body.get("why") or "")[:200],
    }


def note_body(ledger: Ledger, body: Body) -> Body:
    """Return a note of 2,000 characters at most; with `last` it says that so many hands are left."""
    text, last = str(body.get("text") or "").strip(), body.get("last")
    if not text:
        raise EditError(Reason.NO_TEXT, "text")
    if last is not None and (type(last) is not int or not 0 < last <= MAX_LAST):
        raise EditError(Reason.UNREADABLE)
    return {"text": text[:2000], **({} if last is None else {"last": last})}


def seating_body(ledger: Ledger, body: Body) -> Body:
    """Return a corrected seating: two seats that are swapped, or the seat at each wind and those that sit out."""
    if "exchange" in body:
        a, b = (ledger.seat(seat) for seat in _list(body["exchange"], 2))
        return {"exchange": [str(a.seat_no), str(b.seat_no)]}
    winds = body.get("winds")
    if not isinstance(winds, dict) or not winds or set(winds) - set(WINDS):
        raise EditError(Reason.NO_WINDS, "winds")
    winds_by_number = {wind: str(ledger.seat(seat).seat_no) for wind, seat in winds.items()}
    return {"winds": winds_by_number, "out": [str(ledger.seat(seat).seat_no) for seat in _list(body.get("out") or [])]}


def _dict(body: Any) -> Body:
    if not isinstance(body, dict):
        raise EditError(Reason.NO_BODY)
    return body


def _list(value: Any, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or length not in (None, len(value)):
        raise EditError(Reason.BAD_SEATING)
    return value


BODIES: dict[str, Callable[[Ledger, Body], Body]] = {
    kinds.HAND.key: hand_body,
    kinds.SEATING.key: seating_body,
    kinds.PENALTY.key: penalty_body,
    kinds.NOTE.key: note_body,
}

# The function that carries out each kind.
EDITS: dict[str, Callable[[Ledger, Command], str | None]] = {
    **dict.fromkeys(BODIES, add),
    kinds.ARRIVE.key: arrive,
    kinds.LEAVE.key: leave,
    kinds.EXCHANGE.key: exchange,
    kinds.INSERT.key: insert,
    kinds.CORRECT.key: correct,
    kinds.AGREE.key: agree,
    kinds.REMOVE.key: remove_entry,
    kinds.RESTORE.key: restore_entry,
    kinds.CHANGE_PLAYER.key: change_player,
    kinds.FINISH.key: finish,
    kinds.REOPEN.key: reopen,
}
