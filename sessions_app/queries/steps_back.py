"""How a table stood before its last changes, as data for a tablet that undoes them without the server."""

from dataclasses import replace

from clubscore.scoring.rotation import (
    Chairs,
    Outcome,
    RotationError,
    ahead,
    arrive,
    exchange,
    first_chairs,
    leave,
    next_chairs,
    seat_as,
)
from sessions_app.models import Entry, commands_to_undo
from sessions_app.queries.seats_ahead import PASSES, seat_row, seats_ahead

STEPS = 5
# Each step takes one line away at most; the hands before them tell the chairs before a line that is none.
LINES_READ = STEPS + 3
# Changes that left everybody in their chairs, and whether the table is open without them.
IN_THEIR_CHAIRS = {"agree": None, "finish": True, "reopen": False}
ADDED = {*Entry.Kind.values, "exchange"}


def last_lines(table_session):
    """Return the last standing lines of a session in order, each with its hand, in one query."""
    lines = Entry.objects.filter(session=table_session).standing().select_related("hand")
    return list(lines.order_by("-position")[:LINES_READ])[::-1]


def steps_back(table_session, lines, commands, now, start, house):
    """Return how the table stood before the last change, before the one before it, and so on: as the undos take it.

    `lines`: the last standing ones, `commands`: the latest (key, kind, outcome), newest first, `now`: the Chairs and
    the number of the next hand, `start`: who sat down at the start. Each step has the number of its next hand, what the
    deal has to remember, whether the table is open, and the first `rows` of its coming seatings; from `then` on these
    are those of the step before it (of the state itself for the first). They end at the first change that is more than
    a line at the ledger's end: what the seats are without that one the server alone can tell.
    """
    chairs, number = now
    begun = first_chairs(start, house) if len(lines) < LINES_READ else None
    left = list(zip(lines, _chairs_before(lines, begun, chairs, house), strict=True))
    is_open, steps = table_session.is_open, []
    for key, kind in commands_to_undo(commands):
        earlier = chairs
        if kind in ADDED and left and left[-1][0].key_text == key:
            line, chairs = left.pop()
            number -= line.kind == Entry.Kind.HAND
        elif kind in IN_THEIR_CHAIRS:
            is_open = is_open if IN_THEIR_CHAIRS[kind] is None else IN_THEIR_CHAIRS[kind]
        else:
            break
        if chairs is None or len(steps) == STEPS:
            break
        steps.append(step_back(chairs, earlier, number, is_open, house))
    return steps


def step_back(chairs, earlier, number, is_open, house):
    """Return one step as plain data: how the table stood in `chairs`, where the step before it stood in `earlier`."""
    told = {"number": number, "kept": chairs.kept, "goulash": chairs.goulash, "open": is_open}
    return told | _rows(chairs, earlier, house)


def _chairs_before(lines, chairs, now, house):
    """Return the chairs before each line, None where nothing tells them; all are None if they do not lead to `now`."""
    found = []
    for line in lines:
        if line.kind == Entry.Kind.HAND:
            hand = getattr(line, "hand", None)
            chairs = hand and Chairs.from_dict(hand.chairs)
        found.append(chairs)
        chairs = chairs and _after(line, chairs, house)
    return found if chairs == now else [None] * len(lines)


def _after(line, chairs, house):
    try:
        return MOVES[line.kind](line, chairs, house) if line.kind in MOVES else chairs
    except RotationError:
        # It stands in the ledger with a question, and everybody stays where they are.
        return chairs


def _after_hand(line, chairs, house):
    mahjong = line.body.get("mahjong") or []
    wins = mahjong if isinstance(mahjong, list) else [mahjong]
    return next_chairs(chairs, Outcome(line.hand.kind, tuple(int(win["by"]) for win in wins)), house)


def _after_seating(line, chairs, house):
    if "exchange" in line.body:
        return exchange(chairs, *map(int, line.body["exchange"]))
    winds = {wind: int(seat) for wind, seat in line.body["winds"].items()}
    return seat_as(chairs, winds, map(int, line.body.get("out") or []))


MOVES = {
    Entry.Kind.HAND: _after_hand,
    Entry.Kind.ARRIVE: lambda line, chairs, house: arrive(chairs, int(line.body["seat"])),
    Entry.Kind.LEAVE: lambda line, chairs, house: leave(chairs, int(line.body["seat"])),
    Entry.Kind.SEATING: _after_seating,
}


def _rows(chairs, earlier, house):
    """Return the seatings from these chairs on, as far as those of the step before do not go on with them."""
    passed = _seats_alone(ahead(chairs, house, 1)[0])
    if passed == _seats_alone(earlier):
        return {"rows": [seat_row(chairs)], "then": 0}
    if passed == _seats_alone(ahead(earlier, house, 1)[0]):
        return {"rows": [seat_row(chairs)], "then": 1}
    return {"rows": seats_ahead(chairs, house), "then": PASSES + 1}


def _seats_alone(chairs):
    """Leave out what the seatings to come do not hang on."""
    return replace(chairs, kept=0, goulash=False, hands_in_round=min(chairs.hands_in_round, 1))
