"""How a table stands, as data for the tablet: who sits where now and in the hands to come, and where it sends to."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import Any

from django.db.models.expressions import RawSQL
from django.urls import reverse

from clubscore.scoring import HouseRules, RuleSet, house_rules
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
from clubscore.table.command_kinds import KINDS
from sessions_app.models import Entry, Hand, Seat, Session, commands_to_undo
from sessions_app.table.sheet import WIND_NAMES, seats_of

# Who sits where in the coming hands, as data for a tablet that has to go on without the server.

PASSES = 20


def seats_ahead(chairs: Chairs, house: HouseRules) -> list[dict[str, Any]]:
    """Return the seating now and after the deal has passed once, twice … twenty times running, as plain rows."""
    return [seat_row(coming) for coming in (chairs, *ahead(chairs, house, PASSES))]


def seat_row(chairs: Chairs) -> dict[str, Any]:
    """Return one seating as a plain row."""
    return {
        "seats": {wind: str(seat) for wind, seat in chairs.seated.items()},
        "out": [str(seat) for seat in chairs.out],
        "wind_of_round": chairs.wind_of_round,
        "new_game": chairs.is_new_game,
        "new_round": not chairs.hands_in_round,
    }


def deal_rules(rule_set: RuleSet, house: HouseRules) -> dict[str, Any]:
    """Return what decides whether the deal stays or passes after a hand, as rule set and house rules have it."""
    return {
        "stays_on_win": bool(house.east_stays_on_win),
        "stays_on_draw": bool(house.east_stays_on_draw),
        "east_max": house.east_max,
        "goulash": bool(house.goulash),
        "false_mahjong_voids": rule_set.false_mahjong_voids,
    }


# How a table stood before its last changes, as data for a tablet that undoes them without the server.

STEPS = 5

# Each step takes one line away at most; the hands before them tell the chairs before a line that is none.
LINES_READ = STEPS + 3


def last_lines(table_session: Session) -> list[Entry]:
    """Return the last active entries of a session in order, each with its hand, in one query."""
    lines = Entry.objects.filter(session=table_session).active().select_related("hand")
    return list(lines.order_by("-position")[:LINES_READ])[::-1]


def steps_back(
    table_session: Session,
    lines: list[Entry],
    commands: list[tuple[str, str, str]],
    now: tuple[Chairs, int],
    start: list[int],
    house: HouseRules,
) -> list[dict[str, Any]]:
    """Return how the table stood before the last change, before the one before it, and so on: as the undos take it.

    `lines`: the last active entries, `commands`: the latest (key, kind, outcome), newest first, `now`: the Chairs and
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
        earlier, row = chairs, KINDS[kind]
        if row.adds_entry and left and left[-1][0].key_text == key:
            line, chairs = left.pop()
            number -= line.kind == Entry.Kind.HAND
        elif row.seats_stay and not row.adds_entry:
            is_open = is_open if row.opens is None else not row.opens
        else:
            break
        if chairs is None or len(steps) == STEPS:
            break
        steps.append(step_back(chairs, earlier, number, is_open, house))
    return steps


def step_back(chairs: Chairs, earlier: Chairs | None, number: int, is_open: bool, house: HouseRules) -> dict[str, Any]:
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
        # It stands in the ledger with a question, and everyone stays where they are.
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


RECENT = 20
WHAT = ("key", "kind", "outcome")

# In the very words of its index, as Command.objects.waiting().
HAS_WAITING = """EXISTS (
    SELECT 1 FROM sessions_app_command w WHERE w.session_id = %s AND w.outcome IN ('contested', 'late')
)"""

# A tablet has but one answer outstanding; other tablets may have sent something since.
RECENT_TOLD = 8

PAGES = {
    "commands": "commands",
    "state": "table-state",
    "table": "table",
    "entry": "hand-new",
    "penalty": "penalty",
    "seating": "seating",
    "arrive": "arrive",
    "leave": "leave",
    "take_in": "take-in",
}


def table_state(
    table_session: Session,
    chairs: Chairs,
    seats: Iterable[Seat] | None = None,
    lines: list[Entry] | None = None,
    number: int | None = None,
    recent: Any = None,
) -> dict[str, Any]:
    """Return the state of a table, with the chairs of its next hand; the session's row is taken as it was loaded.

    Seats (with tallies), the last lines, the next hand's number and the latest commands are asked for where the caller
    has none.
    """
    house = house_rules(table_session.rules, table_session.house_rules)
    seats = seats_of(table_session) if seats is None else seats
    lines = last_lines(table_session) if lines is None else lines
    number = next_number(table_session) if number is None else number
    recent = recent_commands(table_session) if recent is None else recent
    start = [seat.chair for seat in seats if seat.at_start]
    here = (table_session.club.slug, table_session.pk)
    return {
        "session": table_session.pk,
        "version": table_session.version,
        "open": table_session.is_open,
        "club": table_session.club.name,
        "slug": table_session.club.slug,
        "table": table_session.table,
        "date": f"{table_session.date:%-d %B %Y}",
        "recent": [key for key, _, _ in recent[:RECENT_TOLD]],
        "last": lines[-1].key_text if lines else None,
        "number": number,
        "names": {str(seat.chair): seat.player.name for seat in seats},
        "players": {str(seat.chair): seat.player_id for seat in seats},
        "balances": {str(seat.chair): seat.tally.balance for seat in seats},
        "ahead": seats_ahead(chairs, house),
        "undo": keys_to_undo(recent),
        "back": steps_back(table_session, lines, recent, (chairs, number), start, house),
        "kept": chairs.kept,
        "goulash": chairs.goulash,
        "deal": deal_rules(table_session.rule_set, house),
        "winds": WIND_NAMES if table_session.rule_set.has_round_wind else {},
        "urls": {word: reverse(name, args=here) for word, name in PAGES.items()},
    }


def keys_to_undo(recent: list[tuple[str, str, str]]) -> list[str | None]:
    """Return the keys of the commands that the next undos take back; None behind them where there is nothing more."""
    keys = [key for key, _ in islice(commands_to_undo(recent), STEPS + 1)]
    return keys if len(keys) > STEPS or len(recent) == RECENT else [*keys, None]


def recent_commands(table_session: Session) -> list[tuple[str, str, str]]:
    """Return key, kind and outcome of the latest commands that reached the server, the newest first.

    Some tablet may still wait to hear of them.
    """
    latest = table_session.commands.order_by("-pk").values_list(*WHAT)[:RECENT]
    return [(str(key), kind, outcome) for key, kind, outcome in latest]


def latest_commands(table_session: Session) -> tuple[list[tuple[str, str, str]], bool]:
    """Return recent_commands, and whether any command of the session waits for a choice, in one query."""
    latest = table_session.commands.order_by("-pk")[:RECENT]
    found = list(latest.values_list(*WHAT, RawSQL(HAS_WAITING, (table_session.pk,))))
    return [(str(key), kind, outcome) for key, kind, outcome, _ in found], any(one[-1] for one in found)


def next_number(table_session: Session) -> int:
    """Return the number that the next hand will have."""
    return Hand.objects.filter(session=table_session, number__gt=0).count() + 1
