"""What each kind of command does to a ledger in memory, and undoing it.

An edit returns the key of the entry that must now fit, or None; EditError refuses the command.
"""

from typing import Any

from clubscore.table.command_kinds import (
    AGREE,
    ARRIVE,
    CHANGE_PLAYER,
    CORRECT,
    EXCHANGE,
    FINE,
    FINISH,
    HAND,
    INSERT,
    KINDS,
    LEAVE,
    NOTE,
    PUT_BACK,
    REOPEN,
    SEATING,
    TAKE_OUT,
)
from clubscore.table.ledger import FINISHED, OPEN, EditError
from clubscore.table.outcomes import Outcome, Reason

WINDS = "ESWN"
MOST = 1_000_000

# No sum over a session can then leave the range of 32 bits.
HIGHEST = 10_000_000


def hand(ledger: Any, command: Any) -> Any:
    """Add a hand at the end: `body` as hand_body reads it."""
    return _append(ledger, command, hand_body(ledger, command["body"]))


def fine(ledger: Any, command: Any) -> Any:
    """Add a fine: `body` has `by`, `amount`, and perhaps `to` and `why`."""
    return _append(ledger, command, fine_body(ledger, command["body"]))


def note(ledger: Any, command: Any) -> Any:
    """Add a note: `body` has `text`."""
    return _append(ledger, command, note_body(ledger, command["body"]))


def seating(ledger: Any, command: Any) -> Any:
    """Say who sits where from here on: `body` has two seats to `exchange`, or `winds` and `out`."""
    return _append(ledger, command, seating_body(ledger, command["body"]))


def leave(ledger: Any, command: Any) -> Any:
    """Let the player of a `seat` go home."""
    return _append(ledger, command, {"seat": str(ledger.seat(command["body"].get("seat")).seat_no)})


def arrive(ledger: Any, command: Any) -> Any:
    """Seat a `player` of the club, by number: in a new chair, or the old one of someone who comes back."""
    player = ledger.player(command["body"].get("player"))
    return _append(ledger, command, {"seat": str(ledger.add_seat(player).seat_no)})


def exchange(ledger: Any, command: Any) -> Any:
    """Two people sat the other way round: from here on, or from a hand on."""
    body = command["body"]
    a, b = ledger.seat(body.get("a")), ledger.seat(body.get("b"))
    if a is b:
        raise EditError(Reason.SAME_SEATS, "b")
    before = ledger.entry(body["entry"]) if body.get("entry") else None
    return _append(ledger, command, {"exchange": [str(a.seat_no), str(b.seat_no)]}, before, SEATING.key)


def insert(ledger: Any, command: Any) -> Any:
    """Put an entry before another one."""
    body = command["body"]
    kind = body.get("kind", HAND.key)
    if not isinstance(kind, str) or kind not in BODIES:
        raise EditError(Reason.NOT_INSERTABLE)
    before = ledger.entry(body.get("before"))
    return _append(ledger, command, BODIES[kind](ledger, _dict(body.get("body"))), before, kind)


def correct(ledger: Any, command: Any) -> Any:
    """Put another `body` in place of that of an `entry`; one that was taken out, and who came or left, is refused.

    With `keep_seats` the hands after it keep the seats they were played in.
    """
    entry = ledger.entry(command["body"].get("entry"))
    if entry.taken_out:
        raise EditError(Reason.TAKEN_OUT)
    if entry.kind not in BODIES:
        raise EditError(Reason.NOT_CORRECTABLE)
    body = BODIES[entry.kind](ledger, _dict(command["body"].get("body")))
    # The player who agreed to the hand has not seen it as it is now.
    asks_anew = {"agreed": ""} if "agreed" in entry.body and "agreed" not in body else {}
    following = _hand_after(ledger, entry) if command["body"].get("keep_seats") else None
    played = ledger.replay().hand(following.key).played_winds if following else None
    ledger.change(entry, body={**body, **asks_anew})
    if following and ledger.seating_before(following).winds != played:
        _keep_seats(ledger, command, following, played)
    return entry.key


def _hand_after(ledger: Any, entry: Any) -> Any:
    later = ledger.entries[ledger.entries.index(entry) + 1 :]
    return next((one for one in later if one.kind == HAND.key and not one.taken_out), None)


def _keep_seats(ledger: Any, command: Any, following: Any, played: Any) -> None:
    """Put the seats in which a hand was played before it."""
    key = command["key"]
    winds = {wind: seat for wind, seat in zip(WINDS, played, strict=True) if seat is not None}
    out = [str(seat) for seat in ledger.seating_before(following).at_table if seat not in played]
    # The same key for the same command, on the tablet and on the server.
    noted = {**command, "key": key[-8:] + key[8:-8] + key[:8]}
    _append(ledger, noted, seating_body(ledger, {"winds": winds, "out": out}), following, SEATING.key)


def agree(ledger: Any, command: Any) -> Any:
    """Another player agrees to a hand as it stands; nothing in it changes."""
    entry = ledger.entry(command["body"].get("entry"))
    if entry.kind != HAND.key or entry.taken_out:
        raise EditError(Reason.NOT_AGREEABLE)
    ledger.change(entry, body={**entry.body, "agreed": str(ledger.seat(command["body"].get("seat")).seat_no)})
    return entry.key


def take_out(ledger: Any, command: Any) -> Any:
    """Let an `entry` count no longer; it stays in the ledger."""
    entry = ledger.entry(command["body"].get("entry"))
    if entry.taken_out:
        raise EditError(Reason.TAKEN_OUT_ALREADY)
    ledger.change(entry, taken_out=True)


def put_back(ledger: Any, command: Any) -> Any:
    """Let an `entry` that was taken out count again."""
    entry = ledger.entry(command["body"].get("entry"))
    if not entry.taken_out:
        raise EditError(Reason.NOT_TAKEN_OUT)
    ledger.change(entry, taken_out=False)
    return entry.key


def change_player(ledger: Any, command: Any) -> Any:
    """It was not Ann but Anna: another player in a seat, for the whole session."""
    seat = ledger.seat(command["body"].get("seat"))
    player = ledger.player(command["body"].get("player"))
    if any(other.player == player.key for other in ledger.seats):
        raise EditError(Reason.HAS_SEAT, "player", name=player.name)
    ledger.change_player(seat, player.key)


def choose(ledger: Any, command: Any, waiting: Any) -> Any:
    """Keep one of several entries for one hand: `waiting` are the commands the door kept, by key.

    Entries in `drop` are taken out; a kept command becomes an entry where the first of them stood, else at the end. It
    has its `outcome` besides, and the key of the seating that may have to go before it.
    """
    body = command["body"]
    keep, drop = body.get("keep"), _list(body.get("drop") or [])
    if not keep and not drop:
        raise EditError(Reason.NOTHING_CHOSEN)
    place = None
    for key in map(str, drop):
        if key in waiting:
            ledger.change_outcome(key, waiting[key]["outcome"], Outcome.DROPPED)
        else:
            entry = ledger.entry(key)
            place = entry if place is None else place
            if not entry.taken_out:
                ledger.change(entry, taken_out=True)
    if str(keep) in waiting:
        return _restore_kept(ledger, waiting[str(keep)], place)
    if keep:
        ledger.entry(keep)
    return None


def _restore_kept(ledger: Any, kept: Any, place: Any) -> Any:
    """Carry out a command the door had kept, at a finished session too: the person who chooses decided so."""
    if not KINDS[kept["kind"]].can_be_recorded_late:
        raise EditError(Reason.ONLY_PUT_ASIDE)
    ledger.change_outcome(kept["key"], kept["outcome"], Outcome.APPLIED)
    if kept["kind"] == HAND.key:
        return _restore_kept_hand(ledger, kept, place)
    return EDITS[kept["kind"]](ledger, kept)


def _restore_kept_hand(ledger: Any, kept: Any, place: Any) -> Any:
    """Put a kept hand after the entry it takes the place of, else at the end.

    One chosen before, whose choice was undone, has a place: it is put back there. Where its players would not all play
    there, they did all the same: who really sat where goes before it.
    """
    at = len(ledger.entries) if place is None else ledger.entries.index(place) + 1
    before = ledger.find(kept["key"]) or (ledger.entries[at] if at < len(ledger.entries) else None)
    seating, seats, hands = ledger.seating_before(before), kept["seats"], kept["body"].get("hands")
    if seats and hands and set(hands) != {str(seat) for seat in seating.seated.values()}:
        out = [str(seat) for seat in seating.at_table if str(seat) not in seats.values()]
        corrected = {
            "key": kept["seating_key"],
            "kind": SEATING.key,
            "device": kept["device"],
            "author": kept["author"],
        }
        _append(ledger, corrected, seating_body(ledger, {"winds": seats, "out": out}), before)
    return _append(ledger, kept, hand_body(ledger, kept["body"]), before)


def finish(ledger: Any, command: Any) -> Any:
    """Close the session to further hands."""
    ledger.set_state(FINISHED)


def reopen(ledger: Any, command: Any) -> Any:
    """Let a finished session go on; a void one is refused."""
    if ledger.is_open:
        raise EditError(Reason.OPEN_ALREADY)
    if ledger.kept_of_session["void"]:
        raise EditError(Reason.IS_VOID)
    ledger.set_state(OPEN)


def restore(ledger: Any, state: Any, other: Any) -> Any:
    """Bring entries, seats, kept commands and the session to one state of a change in the log, from the `other` one.

    An entry that was not there is taken out.
    """
    for key, was in (state.get("entries") or {}).items():
        entry = ledger.entry(key)
        ledger.change(entry, **({"taken_out": True} if was is None else _of_line(was)))
    seats = state.get("seats") or {}
    for seat_no, was in seats.items():
        _seat_again(ledger, ledger.seat(seat_no), ledger.player(was["player"]), seats)
    for key, outcome in (state.get("commands") or {}).items():
        ledger.change_outcome(key, other["commands"][key], outcome)
    if state.get("session"):
        ledger.restore_session(state["session"])


def _seat_again(ledger: Any, seat: Any, player: Any, seats: Any) -> Any:
    """Give a seat back to a player. The player who has another one changes with them, so that nobody ever has two.

    That is one of the `seats` that are brought back as well, or one that was taken by an arrival that counts no more.
    """
    other = next((other for other in ledger.seats if other.player == player.key), seat)
    if other is seat and seat.player == player.key:
        return
    if other is not seat:
        if str(other.seat_no) not in seats and _is_taken(ledger, other):
            raise EditError(Reason.HAS_OTHER_SEAT, name=player.name)
        ledger.change_player(other, seat.player)
    ledger.change_player(seat, player.key)


def _is_taken(ledger: Any, seat: Any) -> Any:
    """Say whether someone sat down in a seat: at the start, or by an arrival that counts."""
    seat_no = str(seat.seat_no)
    arrivals = (entry for entry in ledger.active if entry.kind == ARRIVE.key)
    return seat.at_start or any(str(entry.body["seat"]) == seat_no for entry in arrivals)


def _of_line(state: Any) -> Any:
    return {name: state.get(name) for name in ("body", "taken_out", "played_in")}


def _append(ledger: Any, command: Any, body: Any, before: Any = None, kind: Any = None) -> Any:
    kind = kind or command["kind"]
    return ledger.add(command["key"], kind, body, before, command.get("device", ""), command.get("author")).key


def _dict(body: Any) -> Any:
    if not isinstance(body, dict):
        raise EditError(Reason.NO_BODY)
    return body


def hand_body(ledger: Any, body: Any) -> Any:
    """Return the body of a hand; what is in it is checked by scoring it.

    Where a hand was shown to another player `agreed` is the seat of who agreed, or empty; no hand is refused for it.
    """
    if "agreed" not in body:
        return body
    agreed = str(body["agreed"])
    return {**body, "agreed": agreed if agreed in {str(seat.seat_no) for seat in ledger.seats} else ""}


def fine_body(ledger: Any, body: Any) -> Any:
    """Return a fine as the ledger keeps it: seats by their chairs, whole points; to nobody where `to` is empty."""
    amount = body.get("amount")
    if type(amount) is not int or not 0 < amount <= MOST:
        raise EditError(Reason.FINE_AMOUNT, "amount")
    by = ledger.seat(body.get("by"))
    to = ledger.seat(body["to"]) if body.get("to") else None
    if by is to:
        raise EditError(Reason.FINE_TO_SELF, "to")
    return {
        "by": str(by.seat_no),
        "to": str(to.seat_no) if to else None,
        "amount": amount,
        "why": str(body.get("why") or "")[:200],
    }


def note_body(ledger: Any, body: Any) -> Any:
    """Return a note as the ledger keeps it, 2,000 characters at most."""
    text = str(body.get("text") or "").strip()
    if not text:
        raise EditError(Reason.NO_TEXT, "text")
    return {"text": text[:2000]}


def seating_body(ledger: Any, body: Any) -> Any:
    """Return who sits where as the ledger keeps it: two chairs that change, or the chair at each wind and those out."""
    if "exchange" in body:
        a, b = (ledger.seat(seat) for seat in _list(body["exchange"], 2))
        return {"exchange": [str(a.seat_no), str(b.seat_no)]}
    winds = body.get("winds")
    if not isinstance(winds, dict) or not winds or set(winds) - set(WINDS):
        raise EditError(Reason.NO_WINDS, "winds")
    winds_by_number = {wind: str(ledger.seat(seat).seat_no) for wind, seat in winds.items()}
    return {"winds": winds_by_number, "out": [str(ledger.seat(seat).seat_no) for seat in _list(body.get("out") or [])]}


def _list(value: Any, length: Any = None) -> Any:
    if not isinstance(value, list) or length not in (None, len(value)):
        raise EditError(Reason.BAD_SEATING)
    return value


BODIES = {
    HAND.key: hand_body,
    SEATING.key: seating_body,
    FINE.key: fine_body,
    NOTE.key: note_body,
}

# How each kind is applied.
EDITS = {
    HAND.key: hand,
    ARRIVE.key: arrive,
    LEAVE.key: leave,
    SEATING.key: seating,
    EXCHANGE.key: exchange,
    FINE.key: fine,
    NOTE.key: note,
    INSERT.key: insert,
    CORRECT.key: correct,
    AGREE.key: agree,
    TAKE_OUT.key: take_out,
    PUT_BACK.key: put_back,
    CHANGE_PLAYER.key: change_player,
    FINISH.key: finish,
    REOPEN.key: reopen,
}
