"""What the server draws and the tablet too, and what a page carries for the tablet's outbox."""

import json
import uuid
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import json_script
from django.utils.safestring import mark_safe

from clubscore.scoring import RULE_SETS
from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.words import in_words, listed
from clubscore.static_storage import RULES
from clubscore.table import fragments, score_fragments, sheet_fragments
from clubscore.table.command_kinds import for_browser
from clubscore.table.markup import Html
from clubscore.table.settling_up import money_words
from clubscore.table.table_words import NO_HANDS, round_words
from sessions_app.models import Club, Entry, Session
from sessions_app.people.permissions import TABLE
from sessions_app.rules.tags import engine_files, learners_stage, own_anchors, rules_page
from sessions_app.table.sessions import SessionCard, current_seating
from sessions_app.table.sheet import settling_of
from sessions_app.table.state import WINDS_SPRITE
from sessions_app.table.state import table_state as state_of

register = template.Library()


# What the tablet draws too, from the same plain data.


@register.simple_tag
def payment_arrows(seats: Any, payments: Any, drawing_id: str, bottom: Any = None) -> str:
    """Draw payments around the table, as score_fragments.payment_arrows."""
    return mark_safe(score_fragments.payment_arrows(seats, payments, drawing_id, bottom).text)


@register.simple_tag
def fragment(name: str, page: dict[str, Any]) -> str:
    """Draw the fragment of this name, of the table page's plain data."""
    return mark_safe(getattr(fragments, name)(page).text)


@register.simple_tag(takes_context=True)
def hands_so_far(context: Any, rows: Any, removed: Any, number: int) -> str:
    """Draw the list of hands, and those removed."""
    counting, others = [[history_row(context, row) for row in some] for some in (rows, removed)]
    empty = in_words(context["table_session"].vocabulary(), NO_HANDS)
    return mark_safe(fragments.hands_so_far(counting, others, number, empty).text)


def history_row(context: Any, row: Any) -> Html:
    """Draw an entry in the list of hands, with a form to remove or restore it where no page of its own has one."""
    entry, here = row.entry, (context["club"].slug, context["table_session"].pk, row.entry.key)
    is_hand = entry.kind == Entry.Kind.HAND
    has_form = context["can_write"] and not is_hand
    plain = {
        "is_hand": is_hand,
        "key": entry.key,
        "version": entry.version,
        "removed": entry.taken_out,
        "number": row.hand and row.hand.number,
        "words": row.words,
        "question": row.hand and row.hand.question,
        "moved": [(cell.seat.player.name, cell.net) for cell in row.moved],
        "waiting": "",
        "score": None,
        "address": reverse("hand", args=here) if is_hand else "",
        "change_address": reverse("hand-change", args=here) if is_hand else "",
        "preview": reverse("hand-preview", args=here) if has_form else "",
    }
    fields = context.template.engine.get_template("table/_command_fields.html") if has_form else None
    return fragments.history_row(plain, fields and Html(fields.render(context)))


@register.simple_tag(takes_context=True)
def hand_score(context: Any) -> str:
    """Draw the score at hand entry: `scored` of the context, which has the page's `table_session` and `bottom`."""
    return mark_safe(score_fragments.score(context["scored"], score_look(context)).text)


def score_look(context: Any) -> dict[str, Any]:
    """Return what score_fragments.score wants to know of the page."""
    table_session, stage = context["table_session"], learners_stage(context)
    return {
        "rules_page": rules_page(context, table_session),
        "own_anchors": own_anchors(table_session),
        "units": stage.units,
        "rest": stage.rest,
        "mahjong": in_words(table_session.vocabulary(), "Mah-jong"),
        "bottom": context.get("bottom"),
    }


def score_basis(context: Any) -> str:
    """Return a text that is the same where a score is worked out from the same rules, seats and names.

    A tablet's score is compared with the server's only then: others may differ and both be right.
    """
    table_session, look = context["table_session"], score_look(context)
    rules = [static(RULES), table_session.rules, table_session.house_rules, table_session.club_hands]
    words = [table_session.vocabulary(), look["units"], look["rest"]]
    return sha256(json.dumps([rules, words, context["seated"]], sort_keys=True).encode()).hexdigest()[:16]


def sheet_look(context: Any) -> dict[str, Any]:
    """Return what the sheet shows besides the ledger: where players lead to, guests, and hands asked about."""
    club, sheet, role = context["club"], context["sheet"], context["request"].membership.role
    rows, asked = sheet.rows, context["asked_about"]
    return {
        # No player has the key 0.
        "player_page": reverse("player", args=[club.slug, 0]).replace("/0/", "/KEY/")
        if role not in ("", TABLE)
        else "",
        "guests": [seat.player_id for seat in sheet.seats if seat.player.guest],
        "asks_agreement": club.asks_agreement,
        "asked": [row.entry.key_text for row in rows if row.entry.pk in asked],
    }


@register.simple_tag(takes_context=True)
def score_sheet(context: Any) -> str:
    """Draw the `sheet` of the context: totals, settling up, and hand by hand."""
    sheet, look, here = context["sheet"], sheet_look(context), (context["club"].slug, context["table_session"].pk)
    page = {
        "provisional": "",
        "imported": sheet.session.imported,
        "starting_balance": sheet.session.starting_balance,
        "rows": [sheet_row(row, sheet.session.rules, look, here) for row in sheet.rows],
        "totals": sheet_totals(sheet, look, context["settled"]["settling"]),
        **context["settled"],
    }
    return mark_safe(sheet_fragments.sheet(page).text)


def sheet_row(row: Any, rules: str, look: dict[str, Any], here: tuple[str, int]) -> dict[str, Any]:
    """Return a line of the sheet as sheet_fragments.sheet_row asks for it."""
    entry, hand = row.entry, row.hand
    seating = SeatingState.from_dict(hand.chairs) if hand and hand.number > 1 else None
    return {
        "number": hand and hand.number,
        "words": row.words,
        "address": reverse("hand", args=[*here, entry.key]) if entry.kind == Entry.Kind.HAND else "",
        "removed": entry.taken_out,
        "question": hand and hand.question,
        "is_unagreed": look["asks_agreement"] and row.is_unagreed,
        "is_asked": entry.key_text in look["asked"],
        "round_words": round_words(seating, rules) if seating else "",
        "cells": [(cell.wind if cell.is_at_table else None, cell.net, cell.balance, cell.won) for cell in row.cells],
    }


def sheet_totals(sheet: Any, look: dict[str, Any], about: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the totals of each player as sheet_fragments.totals_table asks for them."""
    worth = money_words({seat.chair: seat.tally.net for seat in sheet.seats}, about)
    figures = ("net", "balance", "hands", "won", "gained", "lost", "best_hand")
    return [
        {
            "name": seat.player.name,
            "address": look["player_page"].replace("KEY", str(seat.player_id)),
            "guest": seat.player.guest,
            "money": worth.get(seat.chair, ""),
            **{name: getattr(seat.tally, name) for name in figures},
        }
        for seat in sheet.seats
    ]


# Stands in an address for the key of an entry.
NO_KEY = str(uuid.UUID(int=0))
ENTRY_PAGES = {"hand_page": "hand", "change_page": "hand-change", "preview_page": "hand-preview"}


def table_look(context: Any) -> dict[str, Any]:
    """Return what the tablet wants to know to draw the table page: where its pages stand, with KEY for an entry's."""
    table_session = context["table_session"]
    here = (table_session.club.slug, table_session.pk, NO_KEY)
    return {
        **{name: reverse(page, args=here).replace(NO_KEY, "KEY") for name, page in ENTRY_PAGES.items()},
        "winds_sprite": static(WINDS_SPRITE),
        "sheet_page": reverse("session-sheet", args=here[:2]),
        "entry_page": reverse("hand-new", args=here[:2]) if context.get("can_write") else "",
        "can_write": context.get("can_write", False),
    }


# The sheet of style of what shows a change before it is made.
PREVIEW_SHEET = "table/session.css"


@register.simple_tag(takes_context=True)
def engine(context: Any) -> str:
    """Write as JSON what the rules on the tablet need of this table, and where their files stand.

    `basis` goes with the score at hand entry alone.
    """
    table_session = context["table_session"]
    table = {
        "rules": table_session.rules,
        "house_rules": table_session.house_rules,
        "club_hands": table_session.club_hands,
        "words": table_session.vocabulary(),
        "settling": settling_of(table_session),
        "look": score_look(context) | table_look(context) | (sheet_look(context) if "sheet" in context else {}),
    }
    basis = score_basis(context) if "seated" in context else ""
    sheet = static(PREVIEW_SHEET)
    return json_script({"files": engine_files(), "table": table, "basis": basis, "preview_sheet": sheet}, "engine-data")


# What a tablet needs of its club in a hall without Wi-Fi.

AT_TABLE = ("table", "session-sheet", "hand-new", "penalty", "seating", "leave", "take-in")

SEATS = ("new-table-penalty", "new-table-seating", "new-table-arrive", "new-table-leave")
TO_START = ("session-start", "draw-here", "new-table", "new-table-hand", "new-table-sheet", "new-table-take-in", *SEATS)
# These say something of the rules.
BY_RULES = ("new-table", "new-table-hand", "new-table-penalty", "new-table-sheet")


@dataclass(frozen=True)
class OfflinePart:
    """What goes together, with the addresses of its pages or files, and of its tables' states."""

    words: str
    needs: list[str]
    states: list[str] = field(default_factory=list)
    is_engine: bool = False


@register.simple_tag
def offline_parts(club: Club, in_play: list[SessionCard]) -> list[OfflinePart]:
    """Return what a tablet keeps of a club and its open tables; a paused table is left out."""
    tables = [card.session for card in in_play if not card.session.paused]

    def pages(*names):
        return [reverse(name, args=[club.slug, one.pk]) for one in tables for name in names]

    here, others = [club.slug], [[club.slug, key] for key in RULE_SETS if key != club.rules]
    start = [reverse(name, args=here) for name in TO_START]
    start += [reverse(name, args=args) for args in others for name in BY_RULES]
    rules = [reverse("rules", args=args) for args in (here, *others)]
    return [
        OfflinePart(listed([one.table_words for one in tables]), pages(*AT_TABLE), pages("table-state")),
        OfflinePart("Starting a session", start),
        OfflinePart("Players who may arrive late", pages("arrive")),
        OfflinePart("Rules to read", [*rules, *pages("session-rules")]),
        OfflinePart("What a hand is worth, and practice", [reverse("worth"), reverse("practice")]),
        OfflinePart("Working out scores", list(engine_files().values()), is_engine=True),
        OfflinePart("This page", [reverse("club", args=[club.slug]), reverse("wifi")]),
    ]


# What a page carries for the tablet's outbox: the state of its table.


@register.simple_tag(takes_context=True)
def table_state(context: template.Context, table_session: Session) -> str:
    """Write the state of the page's table as JSON; what the page has read already is not read again."""
    names = {"seats": "everybody", "last": "command_after", "number": "next_number", "recent": "recent_commands"}
    known = {what: context.get(name) for what, name in names.items()}
    return json_script(state_of(table_session, current_seating(table_session), **known), "table-state")


@register.simple_tag
def command_kinds() -> str:
    """Write what a tablet has to know of each kind of command as JSON."""
    return json_script(for_browser(), "command-kinds")
