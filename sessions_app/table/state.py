"""How a table stands, as data for the tablet: what it needs to play on by itself, and where it sends to."""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import islice
from typing import Any

from django.templatetags.static import static
from django.urls import reverse

from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.static_storage import RULES
from clubscore.table.apply import redoable, undoable
from clubscore.table.command_kinds import CHANGES, KINDS, REDO
from sessions_app.models import Change, Command, Entry, Hand, Seat, Session
from sessions_app.table.sheet import seats_of

WINDS_SPRITE = "rules/tiles/winds.svg"


def last_key(table_session: Session) -> str:
    """Return the key of the last active entry of a session; nothing where there is none."""
    entries = Entry.objects.filter(session=table_session).active().order_by("-position")
    return str(entries.values_list("key", flat=True).first() or "")


def all_entries(table_session: Session) -> list[Entry]:
    """Return the entries of a session in order, each with its hand, in one query."""
    return list(Entry.objects.filter(session=table_session).select_related("hand").order_by("position"))


# So many undos a tablet can name without the ledger.
STEPS = 5

# More changes than a session has.
RECENT = 200
WHAT = ("key", "kind", "outcome")

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
    "sheet": "session-sheet",
    "take_in": "take-in",
}


def table_state(
    table_session: Session,
    seating: SeatingState,
    seats: Iterable[Seat] | None = None,
    last: str | None = None,
    number: int | None = None,
    recent: Any = None,
) -> dict[str, Any]:
    """Return the state of a table, with the seating of its next hand; the session's row is taken as it was loaded.

    Seats (with tallies), the key of the `last` active entry (nothing where there is none), the next hand's number and
    the latest commands are asked for where the caller has none.
    """
    seats = seats_of(table_session) if seats is None else seats
    last = last_key(table_session) if last is None else str(last)
    number = next_number(table_session) if number is None else number
    recent = recent_commands(table_session) if recent is None else recent
    here = (table_session.club.slug, table_session.pk)
    return {
        **fixed_state(table_session),
        "session": table_session.pk,
        "version": table_session.version,
        "open": table_session.is_open,
        "table": table_session.table,
        "date": f"{table_session.date:%-d %B %Y}",
        "recent": [key for key, _, _ in recent[:RECENT_TOLD]],
        "last": last or None,
        "number": number,
        "names": {str(seat.chair): seat.player.name for seat in seats},
        "players": {str(seat.chair): seat.player_id for seat in seats},
        "balances": {str(seat.chair): seat.tally.balance for seat in seats},
        "chairs": seating.to_dict(),
        "undo": keys_to_undo(recent),
        "urls": {word: reverse(name, args=here) for word, name in PAGES.items()},
    }


def fixed_state(table_session: Session) -> dict[str, Any]:
    """Return what of a table's state comes from its club and its rules alone."""
    return {
        "club": table_session.club.name,
        "slug": table_session.club.slug,
        "false_mahjong_voids": table_session.rule_set.false_mahjong_voids,
        "winds": WIND_NAMES if table_session.rule_set.has_round_wind else {},
        "rules_file": static(RULES),
    }


# What a tablet needs to play the table on by itself, as clubscore/table/table_page.py reads it.

SEATING = [field.name for field in fields(SeatingState)]


def ledger_state(
    table_session: Session, seats: Iterable[Seat], entries: Iterable[Entry], recent: list[tuple[str, str, str]]
) -> dict[str, Any]:
    """Return a session's ledger, as small as it can be."""
    return {
        "starting_balance": table_session.starting_balance,
        "start": [seat.chair for seat in seats if seat.at_start],
        "entries": [
            [entry.key_text, entry.kind, entry.body, entry.version, int(entry.taken_out), seating_row(entry.played_in)]
            for entry in entries
        ],
        **changes_state(table_session, recent),
    }


def seating_row(played_in: dict[str, Any] | None) -> list[Any] | None:
    return [played_in[name] for name in SEATING] if played_in else None


def changes_state(table_session: Session, recent: list[tuple[str, str, str]]) -> dict[str, list[list[Any]]]:
    """Return the changes that undos take back and redos make again, the last of both at the end.

    Nothing is known of them where commands and changes do not go together, as after a return to an earlier point.
    """
    changes = Change.objects.filter(session=table_session, action__in=CHANGES).order_by("-pk")
    changes = list(changes.values_list("pk", "action", "subject_id", "before", "after"))
    commands = [(key, kind) for key, kind, outcome in recent if outcome == Command.Outcome.APPLIED and kind in CHANGES]
    if [kind for _, kind in commands] != [action for _, action, *_ in changes]:
        return {"changes": [], "undone": []}
    rows = {
        str(pk): _change_row(key, kind, before, after)
        for (key, kind), (pk, _, _, before, after) in zip(commands, changes, strict=True)
    }
    undo = undoable((str(pk), KINDS[action]) for pk, action, *_ in changes)
    redo = redoable((subject, KINDS[action]) for _, action, subject, *_ in changes)
    return {"changes": [rows[pk] for pk in undo][::-1], "undone": [rows[pk] for pk in redo][::-1]}


def _change_row(key, kind, before, after):
    """Leave out what follows from the entry itself: that it was not there before."""
    return [key, kind] if before == {"entries": {key: None}} else [key, kind, before, after]


def commands_to_undo(latest: Iterable[tuple[Any, str, str]]) -> Iterator[tuple[str, str]]:
    """Yield key and kind of the commands that successive undos take back.

    `latest` has key, kind and outcome of a session's commands, the newest first.
    """
    applied = ((str(key), kind) for key, kind, outcome in latest if outcome == Command.Outcome.APPLIED)
    return undoable((command, KINDS[command[1]]) for command in applied)


def command_to_redo(latest: list[tuple[Any, str, str]]) -> tuple[str, str] | None:
    """Return key and kind of the command that a redo makes again, or None; `latest` as above."""
    applied = [command for command in latest if command[2] == Command.Outcome.APPLIED]
    if not any(redoable((key, KINDS[kind]) for key, kind, _ in applied)):
        return None
    # After the redo, an undo would take the same command back.
    return next(commands_to_undo([("", REDO.key, Command.Outcome.APPLIED), *applied]), None)


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


def commands_with_entries(table_session: Session) -> list[tuple[str, str, str, str | None]]:
    """Return recent_commands, each with the key of the entry it was about."""
    latest = table_session.commands.order_by("-pk").values_list(*WHAT, "answer__entry")[:RECENT]
    return [(str(key), kind, outcome, entry) for key, kind, outcome, entry in latest]


def next_number(table_session: Session) -> int:
    """Return the number that the next hand will have."""
    return Hand.objects.filter(session=table_session, number__gt=0).count() + 1
