"""The state of a table as JSON for the tablet: what it needs to go on offline, and the addresses it sends to."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import islice
from typing import Any
from uuid import UUID

from django.templatetags.static import static
from django.urls import reverse

from clubscore.play.command_kinds import CHANGES, KINDS
from clubscore.play.edits import redoable, undoable
from clubscore.play.outcomes import WAITING, Outcome
from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.site.static_storage import RULES
from sessions_app.models import Change, Entry, Hand, Seat, Session
from sessions_app.people.dates import day_words
from sessions_app.table.board import NO_KEY, seats_of
from sessions_app.table.forms import COMMAND_FORMS


def all_entries(table_session: Session) -> list[Entry]:
    """Return the entries of a session in order, each with its hand, in one query."""
    return list(Entry.objects.filter(session=table_session).select_related("hand").order_by("position"))


# How many undos a tablet can name without the ledger.
STEPS = 5

# How many commands are loaded: more than a session has.
RECENT = 200

# How many of their keys a tablet is given: it waits for one answer at a time, but others send in between.
RECENT_KEYS = 8

PAGES = {
    "commands": "commands",
    "state": "table-state",
    "table": "table",
    "entry": "hand-new",
    "seating": "seating",
    "arrive": "arrive",
    **{kind: kind for kind in COMMAND_FORMS},
    "sheet": "session-sheet",
    "changes": "last-changes",
    "take_in": "take-in",
}


def table_state(
    table_session: Session,
    seating: SeatingState,
    seats: Iterable[Seat] | None = None,
    last: UUID | str | None = None,
    number: int | None = None,
    recent: Any = None,
) -> dict[str, Any]:
    """Return the state of a table; `seating` is that of its next hand. The session is not read again.

    Seats (with tallies), the key of the `last` active entry ("" for none), the next hand's `number` and the `recent`
    commands are queried unless given.
    """
    seats = seats_of(table_session) if seats is None else seats
    if last is None:
        last = Entry.objects.filter(session=table_session).active().values_list("key", flat=True).last()
    if number is None:
        number = Hand.objects.filter(session=table_session, number__gt=0).count() + 1
    recent = recent_commands(table_session) if recent is None else recent
    here = (table_session.club.slug, table_session.pk)
    return {
        **fixed_state(table_session),
        "session": table_session.pk,
        "version": table_session.version,
        "board_version": board_version(table_session),
        "open": table_session.is_open,
        "table": table_session.table,
        "date": day_words(table_session.date),
        "recent": [key for key, _, _ in recent[:RECENT_KEYS]],
        "last": str(last) if last else None,
        "number": number,
        "names": {str(seat.seat_no): seat.player.name for seat in seats},
        "players": {str(seat.seat_no): seat.player_id for seat in seats},
        "balances": {str(seat.seat_no): seat.tally.balance for seat in seats if hasattr(seat, "tally")},
        "chairs": seating.to_dict(),
        "undo": keys_to_undo(recent),
        "urls": {
            **{word: reverse(name, args=here) for word, name in PAGES.items()},
            "hand": reverse("hand", args=[*here, NO_KEY]).replace(NO_KEY, "KEY"),
        },
    }


def board_version(table_session: Session) -> str:
    """Return what changes with each change at the table, and when its time is up."""
    # A session that only a tablet has started belongs to no meeting yet.
    is_over = bool(table_session.pk) and table_session.is_time_over
    return f"{table_session.version}{'-over' if is_over else ''}"


def fixed_state(table_session: Session) -> dict[str, Any]:
    """Return the part of a table's state that depends only on its club and rules."""
    return {
        "club": table_session.club.name,
        "slug": table_session.club.slug,
        "false_mahjong_voids": table_session.rule_set.false_mahjong_voids,
        "winds": WIND_NAMES if table_session.rule_set.has_round_wind else {},
        "rules_file": static(RULES),
    }


# The ledger, from which a tablet plays on by itself, as clubscore/play/table_page.py reads it.

# How much of the changes and of the removed entries is sent, in letters of JSON. An afternoon with twenty corrections
# has 20,000; only a table that someone has filled with rubbish has more.
MAX_CHANGES, MAX_REMOVED = 100_000, 40_000
NO_CHANGES: dict[str, list[list[Any]]] = {"changes": [], "undone": []}

SEATING = [field.name for field in fields(SeatingState)]


def ledger_state(
    table_session: Session, seats: Iterable[Seat], entries: Iterable[Entry], recent: list[tuple[str, str, str]]
) -> dict[str, Any]:
    """Return a session's ledger in compact JSON: the entries that count, and the removed ones as far as they are few.

    Without the network, a tablet undoes, redoes and restores what it was sent; the rest it leaves to the server.
    """
    entries, changes = list(entries), changes_state(table_session, recent)
    removed = {entry.key_text: _letters(entry.body) for entry in entries if entry.removed}
    needed = _keys_in(changes) & removed.keys()
    if _letters(changes) + sum(removed[key] for key in needed) > MAX_CHANGES:
        changes, needed = NO_CHANGES, set()
    # The newest first; every one as long as they are few.
    left = MAX_REMOVED
    for key, letters in reversed(removed.items()):
        left -= letters
        if left > 0:
            needed.add(key)
    return {
        "starting_balance": table_session.starting_balance,
        "start": [seat.seat_no for seat in seats if seat.at_start],
        "entries": [
            [entry.key_text, entry.kind, entry.body, entry.version, int(entry.removed), seating_row(entry.played_in)]
            for entry in entries
            if not entry.removed or entry.key_text in needed
        ],
        **changes,
    }


def _letters(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))


def _keys_in(changes: dict[str, list[list[Any]]]) -> set[Any]:
    """Return the keys of the entries that changes touched: of one that only added an entry, its own."""
    rows = changes["changes"] + changes["undone"]
    return {key for row in rows for key in ((row[2].get("entries") or {}) if len(row) > 2 else row[:1])}


def seating_row(played_in: dict[str, Any] | None) -> list[Any] | None:
    return [played_in[name] for name in SEATING] if played_in else None


def changes_state(table_session: Session, recent: list[tuple[str, str, str]]) -> dict[str, list[list[Any]]]:
    """Return the changes that undos take back and the ones that redos make again, each with the latest last.

    Both are empty if commands and changes do not correspond, as after the session was restored to an earlier point, or
    if there are more of them than recent commands.
    """
    rows_of_log = Change.objects.filter(session=table_session, action__in=CHANGES).order_by("-pk")
    changes = list(rows_of_log.values_list("pk", "action", "subject_id", "before", "after")[: RECENT + 1])
    commands = [(key, kind) for key, kind, outcome in recent if outcome == Outcome.APPLIED and kind in CHANGES]
    if [kind for _, kind in commands] != [action for _, action, *_ in changes]:
        return NO_CHANGES
    rows = {
        str(pk): _change_row(key, kind, before, after)
        for (key, kind), (pk, _, _, before, after) in zip(commands, changes, strict=True)
    }
    undo = undoable((str(pk), KINDS[action]) for pk, action, *_ in changes)
    redo = redoable((subject, KINDS[action]) for _, action, subject, *_ in changes)
    return {"changes": [rows[pk] for pk in undo][::-1], "undone": [rows[pk] for pk in redo][::-1]}


def _change_row(key, kind, before, after):
    """Return a change without its states if it only added an entry: they follow from the entry."""
    return [key, kind] if before == {"entries": {key: None}} else [key, kind, before, after]


def commands_to_undo(latest: Iterable[tuple[Any, str, str]]) -> Iterator[tuple[str, str]]:
    """Yield key and kind of the commands that successive undos take back.

    `latest` has key, kind and outcome of a session's commands, the newest first.
    """
    applied = ((str(key), kind) for key, kind, outcome in latest if outcome == Outcome.APPLIED)
    return undoable((command, KINDS[command[1]]) for command in applied)


def keys_to_undo(recent: list[tuple[str, str, str]]) -> list[str | None]:
    """Return the keys of the commands that the next undos take back, with None at the end if there are no more."""
    keys: list[str | None] = [key for key, _ in islice(commands_to_undo(recent), STEPS + 1)]
    return keys if len(keys) > STEPS or len(recent) == RECENT else [*keys, None]


def has_waiting(table_session: Session, recent: list[tuple[Any, ...]]) -> bool:
    """Return whether a command of a session waits for a decision; `recent` are recent_commands."""
    is_recent = any(outcome in WAITING for _, _, outcome, *_ in recent)
    # An older one may wait, where there are more.
    return is_recent or (len(recent) == RECENT and table_session.commands.waiting().exists())


def recent_commands(table_session: Session, *more: str) -> list[tuple[Any, ...]]:
    """Return key, kind, outcome and any `more` columns of a session's latest commands, the newest first."""
    latest = table_session.commands.order_by("-pk").values_list("key", "kind", "outcome", *more)[:RECENT]
    return [(str(key), *values) for key, *values in latest]
