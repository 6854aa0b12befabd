"""Who pays whom, drawn around the table by the server: a name at each side, one arrow for a pair of players."""

from collections.abc import Iterable, Mapping
from math import hypot
from typing import Any

from django import template
from django.utils.html import json_script

from clubscore.scoring.rotation import WINDS
from clubscore.table.command_kinds import for_browser
from sessions_app.models import Session
from sessions_app.table.sessions import current_chairs
from sessions_app.table.state import table_state as state_of
from sessions_app.web.tags import whole

register = template.Library()
WIDTH, HEIGHT, FONT = 360, 240, 20
NAME_WIDTH, NAME_HEIGHT = 116, 38
LETTERS = 10
HEAD = 13  # the length of an arrow's head

# The four sides, by who sits there with East at the bottom: where the names stand, and between two of them the
# ends of the arrow and, for each way it may run, where its amount is written.
MIDDLES = {"E": (180, 218), "S": (299, 120), "W": (180, 22), "N": (61, 120)}

ENDS = {
    "ES": ((224, 196), (284, 142)),
    "SW": ((284, 98), (224, 44)),
    "WN": ((136, 44), (76, 98)),
    "EN": ((136, 196), (76, 142)),
    "EW": ((180, 196), (180, 44)),
    "SN": ((238, 120), (122, 120)),
}

AMOUNTS = {
    "ES": (264, 190, "start"),
    "SW": (264, 64, "start"),
    "WN": (96, 64, "end"),
    "EN": (96, 190, "end"),
}

LONG_AMOUNTS = {
    "EW": (188, 180, "start"),
    "WE": (188, 73, "start"),
    "SN": (236, 111, "end"),
    "NS": (124, 111, "start"),
}


@register.inclusion_tag("table/_payment_arrows.html")
def payment_arrows(
    seats: Mapping[str, tuple[Any, str]], payments: Iterable[tuple[Any, Any, int]], drawing_id: str, bottom: Any = None
) -> dict[str, Any]:
    """Draw payments around the table.

    `seats`: wind -> (key, name) of who plays; `payments`: (key of payer, key of payee, amount); what goes to nobody is
    not drawn. `bottom`: the key of who sits at the bottom of the table's picture; East where that is nobody who plays.
    """
    names = {key: name for key, name in seats.values()}
    pairs = net_of_pairs(payments)
    winds = {key: wind for wind, (key, _) in seats.items()}
    turn = WINDS.index(winds.get(bottom, WINDS[0]))
    side = {wind: WINDS[(number - turn) % len(WINDS)] for number, wind in enumerate(WINDS)}
    return {
        "drawing_id": drawing_id,
        "width": WIDTH,
        "height": HEIGHT,
        "font": FONT,
        "names": [name_box(side[wind], name) for wind, (_, name) in seats.items()],
        "arrows": [arrow(side[winds[payer]], side[winds[payee]], amount) for payer, payee, amount in pairs],
        "description": " ".join(f"{names[one]} pays {names[other]} {whole(amount)}." for one, other, amount in pairs),
    }


def net_of_pairs(payments: Iterable[tuple[Any, Any, int]]) -> list[tuple[Any, Any, int]]:
    """Add up what goes between each two players: one row for a pair, from who pays in the end; nothing for none."""
    found = {}
    for payer, payee, amount in payments:
        if payee is None:
            continue
        way, sign = ((payer, payee), 1) if (payee, payer) not in found else ((payee, payer), -1)
        found[way] = found.get(way, 0) + sign * amount
    return [(a, b, amount) if amount > 0 else (b, a, -amount) for (a, b), amount in found.items() if amount]


def name_box(side: str, name: str) -> dict[str, Any]:
    x, y = MIDDLES[side]
    shown = name if len(name) <= LETTERS else f"{name[: LETTERS - 1].rstrip()}…"
    left, top = x - NAME_WIDTH // 2, y - NAME_HEIGHT // 2
    return {"name": shown, "x": x, "y": y, "left": left, "top": top}


def arrow(payer: str, payee: str, amount: int) -> dict[str, Any]:
    """Return the shaft and the head of an arrow between two sides, and its amount beside it."""
    pair = "".join(sorted((payer, payee), key=WINDS.index))
    start, end = ENDS[pair] if pair[0] == payer else reversed(ENDS[pair])
    x, y, anchor = AMOUNTS.get(pair) or LONG_AMOUNTS[payer + payee]
    long = hypot(end[0] - start[0], end[1] - start[1])
    across, down = (end[0] - start[0]) / long, (end[1] - start[1]) / long
    neck = end[0] - HEAD * across, end[1] - HEAD * down
    side = HEAD * 0.55
    head = (
        f"M{end[0]} {end[1]}L{neck[0] - side * down:.1f} {neck[1] + side * across:.1f}"
        f"L{neck[0] + side * down:.1f} {neck[1] - side * across:.1f}z"
    )
    shaft = f"M{start[0]} {start[1]}L{neck[0]:.1f} {neck[1]:.1f}"
    return {"shaft": shaft, "head": head, "x": x, "y": y, "anchor": anchor, "amount": whole(amount)}


# What a page carries for the tablet's outbox: the state of its table.


@register.simple_tag(takes_context=True)
def table_state(context: template.Context, table_session: Session) -> str:
    """Write the state of the page's table as JSON; what the page has read already is not read again."""
    names = {"seats": "everybody", "lines": "last_lines", "number": "next_number", "recent": "recent_commands"}
    known = {what: context.get(name) for what, name in names.items()}
    return json_script(state_of(table_session, current_chairs(table_session), **known), "table-state")


@register.simple_tag
def command_kinds() -> str:
    """Write what a tablet has to know of each kind of command as JSON."""
    return json_script(for_browser(), "command-kinds")
