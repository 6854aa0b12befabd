"""What each kind of command does to a ledger in memory. Nothing here writes to the database.

An edit returns the key of the line that must now fit, or None; ServiceError refuses the command in a sentence.
"""

import uuid

from django.utils import timezone

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
from sessions_app.models import Command, Entry, Player, Session
from sessions_app.people.log import Actor
from sessions_app.people.transactions import ServiceError
from sessions_app.table.season_assignment import refuse_locked, restore_placing

WINDS = "ESWN"


CORRECTABLE = {Entry.Kind.HAND, Entry.Kind.SEATING, Entry.Kind.FINE, Entry.Kind.NOTE}


MOST = 1_000_000


def hand(ledger, command, by):
    """Add a hand at the end: `body` as hand_body reads it."""
    return _append(ledger, command, by, hand_body(ledger, command["body"]))


def fine(ledger, command, by):
    """Add a fine: `body` has `by`, `amount`, and perhaps `to` and `why`."""
    return _append(ledger, command, by, fine_body(ledger, command["body"]))


def note(ledger, command, by):
    """Add a note: `body` has `text`."""
    return _append(ledger, command, by, note_body(ledger, command["body"]))


def seating(ledger, command, by):
    """Say who sits where from here on: `body` has two seats to `exchange`, or `winds` and `out`."""
    return _append(ledger, command, by, seating_body(ledger, command["body"]))


def leave(ledger, command, by):
    """Let the player of a `seat` go home."""
    return _append(ledger, command, by, {"seat": str(ledger.seat(command["body"].get("seat")).chair)})


def arrive(ledger, command, by):
    """Seat a `player` of the club, by number: in a new chair, or the old one of somebody who comes back."""
    player = club_player(ledger, command["body"].get("player"))
    return _append(ledger, command, by, {"seat": str(ledger.add_seat(player).chair)})


def exchange(ledger, command, by):
    """Two people sat the other way round: from here on, or from a hand on."""
    body = command["body"]
    a, b = ledger.seat(body.get("a")), ledger.seat(body.get("b"))
    if a is b:
        raise ServiceError("Choose two different players to change places.", "b")
    before = ledger.entry(body["entry"]) if body.get("entry") else None
    return _append(ledger, command, by, {"exchange": [str(a.chair), str(b.chair)]}, before, Entry.Kind.SEATING)


def insert(ledger, command, by):
    """Put a line before another one."""
    body = command["body"]
    kind = body.get("kind", Entry.Kind.HAND)
    if not isinstance(kind, str) or kind not in BODIES:
        raise ServiceError("Only a hand, a seating, a fine or a note can be put between.")
    before = ledger.entry(body.get("before"))
    return _append(ledger, command, by, BODIES[kind](ledger, _dict(body.get("body"))), before, kind)


def correct(ledger, command, by):
    """Put another `body` in place of that of an `entry`; one that was taken out, and who came or left, is refused."""
    entry = ledger.entry(command["body"].get("entry"))
    if entry.taken_out:
        raise ServiceError("This line has been taken out: put it back before changing it.")
    if entry.kind not in CORRECTABLE:
        raise ServiceError("Who came or left is not changed here: take the line out, or change the player of the seat.")
    body = BODIES[entry.kind](ledger, _dict(command["body"].get("body")))
    # Whoever agreed to the hand has not seen it as it is now.
    asks_anew = {"agreed": ""} if "agreed" in entry.body and "agreed" not in body else {}
    ledger.change(entry, body={**body, **asks_anew})
    return str(entry.key)


def agree(ledger, command, by):
    """Another player agrees to a hand as it stands; nothing in it changes."""
    entry = ledger.entry(command["body"].get("entry"))
    if entry.kind != Entry.Kind.HAND or entry.taken_out:
        raise ServiceError("Only a hand that counts can be agreed to.")
    ledger.change(entry, body={**entry.body, "agreed": str(ledger.seat(command["body"].get("seat")).chair)})
    return str(entry.key)


def take_out(ledger, command, by):
    """Let an `entry` count no longer; it stays in the ledger."""
    entry = ledger.entry(command["body"].get("entry"))
    if entry.taken_out:
        raise ServiceError("This line has been taken out already.")
    ledger.change(entry, taken_out=True)


def put_back(ledger, command, by):
    """Let an `entry` that was taken out count again."""
    entry = ledger.entry(command["body"].get("entry"))
    if not entry.taken_out:
        raise ServiceError("This line has not been taken out.")
    ledger.change(entry, taken_out=False)
    return str(entry.key)


def change_player(ledger, command, by):
    """It was not Ann but Anna: another player in a seat, for the whole session."""
    seat = ledger.seat(command["body"].get("seat"))
    player = club_player(ledger, command["body"].get("player"))
    if any(other.player_id == player.pk for other in ledger.seats):
        raise ServiceError(f"{player.name} has a seat at this table already.", "player")
    ledger.change_player(seat, player)


def choose(ledger, command, waiting):
    """Keep one of several lines for one place: `waiting` are the commands the door kept, by key.

    Lines in `drop` are taken out; a kept command becomes a line where the first of them stood, else at the end.
    """
    body = command["body"]
    keep, drop = body.get("keep"), _list(body.get("drop") or [])
    if not keep and not drop:
        raise ServiceError("Choose which one to keep.")
    place = None
    for key in map(str, drop):
        if key in waiting:
            ledger.change_outcome(key, waiting[key].outcome, Command.Outcome.DROPPED)
        else:
            entry = ledger.entry(key)
            place = entry if place is None else place
            if not entry.taken_out:
                ledger.change(entry, taken_out=True)
    if str(keep) in waiting:
        return _take_in(ledger, waiting[str(keep)], place)
    if keep:
        ledger.entry(keep)
    return None


def _take_in(ledger, kept, place):
    """Carry out a command the door had kept, at a finished session too: whoever chooses has decided so."""
    if not KINDS[kept.kind].can_be_recorded_late:
        raise ServiceError("This cannot be recorded any more; it can only be put aside.")
    command = {"key": str(kept.key), "kind": kept.kind, "body": kept.body, "device": kept.device}
    ledger.change_outcome(kept.key, kept.outcome, Command.Outcome.APPLIED)
    if kept.kind == Entry.Kind.HAND:
        return _take_in_hand(ledger, kept, place)
    return EDITS[kept.kind](ledger, command, Actor(kept.user, kept.name))


def _take_in_hand(ledger, kept, place):
    """Put a kept hand after the line it takes the place of, else at the end.

    One chosen before, whose choice was undone, has a place: it is put back there. Where its players would not all play
    there, they did all the same: who really sat where goes before it.
    """
    at = len(ledger.entries) if place is None else ledger.entries.index(place) + 1
    before = ledger.find(kept.key) or (ledger.entries[at] if at < len(ledger.entries) else None)
    chairs = ledger.chairs_before(before)
    if kept.seats and kept.body.get("hands") and set(kept.body["hands"]) != set(map(str, chairs.seated.values())):
        out = [str(seat) for seat in chairs.at_table if str(seat) not in kept.seats.values()]
        seats = seating_body(ledger, {"winds": kept.seats, "out": out})
        ledger.add(uuid.uuid5(kept.key, "seating"), Entry.Kind.SEATING, seats, before, kept.device, kept.user)
    return str(ledger.add(kept.key, kept.kind, hand_body(ledger, kept.body), before, kept.device, kept.user).key)


def finish(ledger, command, by):
    """Close the session to further hands."""
    if not ledger.session.is_open:
        raise ServiceError("This session is finished already.")
    ledger.change_session(state=Session.State.FINISHED, finished_at=timezone.now())


def reopen(ledger, command, by):
    """Let a finished session go on; a void one, and one of a locked season, is refused."""
    if ledger.session.is_open:
        raise ServiceError("This session is open.")
    if ledger.session.void:
        raise ServiceError("This session is void: let it count again first.")
    refuse_locked(ledger.session.season)
    ledger.change_session(state=Session.State.OPEN, finished_at=None)


def restore(ledger, state, other):
    """Bring lines, seats, kept commands and the session to one state of a change in the log, from the `other` one.

    A line that was not there is taken out.
    """
    for key, was in (state.get("entries") or {}).items():
        entry = ledger.entry(key)
        ledger.change(entry, **({"taken_out": True} if was is None else _of_line(was)))
    seats = state.get("seats") or {}
    for chair, was in seats.items():
        _seat_again(ledger, ledger.seat(chair), club_player(ledger, was["player"]), seats)
    for key, outcome in (state.get("commands") or {}).items():
        ledger.change_outcome(key, other["commands"][key], outcome)
    if state.get("session"):
        restore_placing(ledger, state["session"])


def _seat_again(ledger, seat, player, seats):
    """Give a seat back to a player. Whoever has another one changes with them, so that nobody has two even meanwhile.

    That is one of the `seats` that are brought back as well, or one that was taken by an arrival that counts no more.
    """
    other = next((other for other in ledger.seats if other.player_id == player.pk), seat)
    if other is seat and seat.player_id == player.pk:
        return
    if other is not seat:
        if str(other.chair) not in seats and _is_taken(ledger, other):
            raise ServiceError(
                f"{player.name} has another seat at this table now: change the player of that seat first."
            )
        ledger.change_player(other, seat.player)
    ledger.change_player(seat, player)


def _is_taken(ledger, seat):
    """Say whether somebody sat down in a seat: at the start, or by an arrival that counts."""
    chair = str(seat.chair)
    arrivals = (entry for entry in ledger.standing if entry.kind == Entry.Kind.ARRIVE)
    return seat.at_start or any(str(entry.body["seat"]) == chair for entry in arrivals)


def _of_line(state):
    return {name: state.get(name) for name in ("body", "taken_out", "played_in")}


def _append(ledger, command, by, body, before=None, kind=None):
    entry = ledger.add(command["key"], kind or command["kind"], body, before, command["device"], by.user)
    return str(entry.key)


def _dict(body):
    if not isinstance(body, dict):
        raise ServiceError("The new line is missing.")
    return body


def hand_body(ledger, body):
    """Return the body of a hand; what is in it is checked by scoring it.

    Where a hand was shown to another player `agreed` is the seat of who agreed, or empty; no hand is refused for it.
    """
    if "agreed" not in body:
        return body
    agreed = str(body["agreed"])
    return {**body, "agreed": agreed if agreed in {str(seat.chair) for seat in ledger.seats} else ""}


def fine_body(ledger, body):
    """Return a fine as the ledger keeps it: seats by their chairs, whole points; to nobody where `to` is empty."""
    amount = body.get("amount")
    if type(amount) is not int or not 0 < amount <= MOST:
        raise ServiceError("A fine is a whole number above 0.", "amount")
    by = ledger.seat(body.get("by"))
    to = ledger.seat(body["to"]) if body.get("to") else None
    if by is to:
        raise ServiceError("Nobody pays a fine to oneself.", "to")
    return {
        "by": str(by.chair),
        "to": str(to.chair) if to else None,
        "amount": amount,
        "why": str(body.get("why") or "")[:200],
    }


def note_body(ledger, body):
    """Return a note as the ledger keeps it, 2,000 characters at most."""
    text = str(body.get("text") or "").strip()
    if not text:
        raise ServiceError("Write the note.", "text")
    return {"text": text[:2000]}


def seating_body(ledger, body):
    """Return who sits where as the ledger keeps it: two chairs that change, or the chair at each wind and those out."""
    if "exchange" in body:
        a, b = (ledger.seat(seat) for seat in _list(body["exchange"], 2))
        return {"exchange": [str(a.chair), str(b.chair)]}
    winds = body.get("winds")
    if not isinstance(winds, dict) or not winds or set(winds) - set(WINDS):
        raise ServiceError("Say who sits East, South, West and North.", "winds")
    told = {wind: str(ledger.seat(seat).chair) for wind, seat in winds.items()}
    return {"winds": told, "out": [str(ledger.seat(seat).chair) for seat in _list(body.get("out") or [])]}


def _list(value, length=None):
    if not isinstance(value, list) or length not in (None, len(value)):
        raise ServiceError("This seating cannot be read.")
    return value


def club_player(ledger, pk):
    """Return a player of the session's club, for who was joined into another that one; another club's is nobody."""
    if type(pk) is int and pk in ledger.newcomers:
        return ledger.newcomers[pk]
    players = Player.objects.of_club(ledger.session.club_id).select_related("merged_into")
    found = players.filter(pk=pk).first() if type(pk) is int else None
    if found is None:
        raise ServiceError("There is no such player in this club.", "player")
    return found.merged_into or found


BODIES = {
    Entry.Kind.HAND: hand_body,
    Entry.Kind.SEATING: seating_body,
    Entry.Kind.FINE: fine_body,
    Entry.Kind.NOTE: note_body,
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
