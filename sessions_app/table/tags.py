"""Template tags: what the server draws as the tablet does, and the data that a page carries for its scripts."""

import json
import uuid
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
from sessions_app.rules.tags import engine_files, learners_stage, own_anchors, rules_address
from sessions_app.table.sessions import SessionCard, current_seating
from sessions_app.table.sheet import settling_facts
from sessions_app.table.state import WINDS_SPRITE
from sessions_app.table.state import table_state as state_of

register = template.Library()


# Drawn by the tablet too, from the same plain data.


@register.simple_tag
def payment_arrows(seats: Any, payments: Any, drawing_id: str, bottom: Any = None) -> str:
    return mark_safe(score_fragments.payment_arrows(seats, payments, drawing_id, bottom).text)


@register.simple_tag
def fragment(name: str, page: dict[str, Any]) -> str:
    """Draw the fragment of this name."""
    return mark_safe(getattr(fragments, name)(page).text)


@register.simple_tag(takes_context=True)
def hands_so_far(context: Any, rows: Any, removed: Any, number: int) -> str:
    """Draw the list of hands, and those removed."""
    active, others = ([_history_row(context, row) for row in some] for some in (rows, removed))
    empty = in_words(context["table_session"].vocabulary(), NO_HANDS)
    return mark_safe(fragments.hands_so_far(active, others, number, empty).text)


def _history_row(context, row):
    """Draw an entry in the list of hands, with a form to remove or restore it if it has no page of its own."""
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
    if not has_form:
        return fragments.history_row(plain, None)
    fields = context.template.engine.get_template("table/_command_fields.html")
    return fragments.history_row(plain, Html(fields.render(context)))


@register.simple_tag(takes_context=True)
def hand_score(context: Any) -> str:
    """Draw the score at hand entry: `scored` of the context, which also has `table_session` and `bottom`."""
    return mark_safe(score_fragments.score(context["scored"], _score_look(context)).text)


def _score_look(context):
    """Return how fragments.score shows a score on this page."""
    table_session, stage = context["table_session"], learners_stage(context)
    return {
        "rules_page": rules_address(context, table_session),
        "own_anchors": own_anchors(table_session),
        "units": stage.units,
        "rest": stage.rest,
        "mahjong": in_words(table_session.vocabulary(), "Mah-jong"),
        "bottom": context.get("bottom"),
    }


def score_basis(context: Any) -> str:
    """Return a digest of the rules, seats and names from which a score is worked out.

    A tablet's score is compared with the server's only if both have the same: others may differ and both be right.
    """
    table_session, look = context["table_session"], _score_look(context)
    rules = [static(RULES), table_session.rules, table_session.house_rules, table_session.club_hands]
    words = [table_session.vocabulary(), look["units"], look["rest"]]
    return sha256(json.dumps([rules, words, context["seated"]], sort_keys=True).encode()).hexdigest()[:16]


def _sheet_look(context):
    """Return what the sheet shows besides the ledger: the players' pages, guests, and hands asked about."""
    club, sheet, role = context["club"], context["sheet"], context["request"].membership.role
    # No player has the key 0.
    player_page = reverse("player", args=[club.slug, 0]).replace("/0/", "/KEY/")
    return {
        "player_page": player_page if role not in ("", TABLE) else "",
        "guests": [seat.player_id for seat in sheet.seats if seat.player.guest],
        "asks_agreement": club.asks_agreement,
        "asked": [row.entry.key_text for row in sheet.rows if row.entry.pk in context["asked_about"]],
    }


@register.simple_tag(takes_context=True)
def score_sheet(context: Any) -> str:
    """Draw the `sheet` of the context: totals, settling up, and hand by hand."""
    sheet, look, settled = context["sheet"], _sheet_look(context), context["settled"]
    page = {
        "provisional": "",
        "imported": sheet.session.imported,
        "starting_balance": sheet.session.starting_balance,
        "rows": [_sheet_row(row, context, look) for row in sheet.rows],
        "totals": _sheet_totals(sheet, look, settled["settling"]),
        **settled,
    }
    return mark_safe(sheet_fragments.sheet(page).text)


def _sheet_row(row, context, look):
    entry, hand, table_session = row.entry, row.hand, context["table_session"]
    here = (context["club"].slug, table_session.pk, entry.key)
    seating = SeatingState.from_dict(hand.chairs) if hand and hand.number > 1 else None
    return {
        "number": hand and hand.number,
        "words": row.words,
        "address": reverse("hand", args=here) if entry.kind == Entry.Kind.HAND else "",
        "removed": entry.taken_out,
        "question": hand and hand.question,
        "is_unagreed": look["asks_agreement"] and row.is_unagreed,
        "is_asked": entry.key_text in look["asked"],
        "round_words": round_words(seating, table_session.rules) if seating else "",
        "cells": [(cell.wind if cell.is_at_table else None, cell.net, cell.balance, cell.won) for cell in row.cells],
    }


def _sheet_totals(sheet, look, settling):
    worth = money_words({seat.chair: seat.tally.net for seat in sheet.seats}, settling)
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


# The scripts put an entry's key in its place in an address.
NO_KEY = str(uuid.UUID(int=0))
ENTRY_PAGES = {"hand_page": "hand", "change_page": "hand-change", "preview_page": "hand-preview"}


def _table_look(context):
    """Return what the tablet needs to draw the table page: the addresses of its pages, with KEY for an entry's."""
    table_session = context["table_session"]
    here = (table_session.club.slug, table_session.pk, NO_KEY)
    return {
        **{name: reverse(page, args=here).replace(NO_KEY, "KEY") for name, page in ENTRY_PAGES.items()},
        "winds_sprite": static(WINDS_SPRITE),
        "sheet_page": reverse("session-sheet", args=here[:2]),
        "entry_page": reverse("hand-new", args=here[:2]) if context.get("can_write") else "",
        "can_write": context.get("can_write", False),
    }


# The style sheet of a preview.
PREVIEW_SHEET = "table/session.css"


@register.simple_tag(takes_context=True)
def engine(context: Any) -> str:
    """Write as JSON what the rules on the tablet need of this table, and the addresses of their files.

    `basis` is for the score at hand entry alone.
    """
    table_session = context["table_session"]
    table = {
        "rules": table_session.rules,
        "house_rules": table_session.house_rules,
        "club_hands": table_session.club_hands,
        "words": table_session.vocabulary(),
        "settling": settling_facts(table_session),
        "look": _score_look(context) | _table_look(context) | (_sheet_look(context) if "sheet" in context else {}),
    }
    data = {
        "files": engine_files(),
        "table": table,
        "basis": score_basis(context) if "seated" in context else "",
        "preview_sheet": static(PREVIEW_SHEET),
    }
    return json_script(data, "engine-data")


# What a tablet keeps of its club for a hall without Wi-Fi.

AT_TABLE = ("table", "session-sheet", "hand-new", "penalty", "seating", "leave", "take-in")

SEATS = ("new-table-penalty", "new-table-seating", "new-table-arrive", "new-table-leave")
TO_START = ("session-start", "draw-here", "new-table", "new-table-hand", "new-table-sheet", "new-table-take-in", *SEATS)
# These say something of the rules.
BY_RULES = ("new-table", "new-table-hand", "new-table-penalty", "new-table-sheet")


@register.simple_tag
def offline_parts(club: Club, in_play: list[SessionCard]) -> list[dict[str, Any]]:
    """Return what a tablet keeps of a club and its open tables, by the addresses; paused tables are left out."""
    tables = [card.session for card in in_play if not card.session.paused]

    def pages(*names):
        return [reverse(name, args=[club.slug, one.pk]) for one in tables for name in names]

    here, others = [club.slug], [[club.slug, key] for key in RULE_SETS if key != club.rules]
    start = [reverse(name, args=here) for name in TO_START]
    start += [reverse(name, args=args) for args in others for name in BY_RULES]
    rules = [reverse("rules", args=args) for args in (here, *others)]
    return [
        {
            "words": listed([one.table_words for one in tables]),
            "needs": pages(*AT_TABLE),
            "states": pages("table-state"),
        },
        {"words": "Starting a session", "needs": start},
        {"words": "Players who may arrive late", "needs": pages("arrive")},
        {"words": "Rules to read", "needs": [*rules, *pages("session-rules")]},
        {"words": "What a hand is worth, and practice", "needs": [reverse("worth"), reverse("practice")]},
        {"words": "Working out scores", "needs": list(engine_files().values()), "is_engine": True},
        {"words": "This page", "needs": [reverse("club", args=[club.slug]), reverse("wifi")]},
    ]


# For the tablet's outbox.


@register.simple_tag(takes_context=True)
def table_state(context: template.Context, table_session: Session) -> str:
    """Write the state of the table as JSON; what the page has read already is not read again."""
    names = {"seats": "everybody", "last": "command_after", "number": "next_number", "recent": "recent_commands"}
    known = {what: context.get(name) for what, name in names.items()}
    return json_script(state_of(table_session, current_seating(table_session), **known), "table-state")


@register.simple_tag
def command_kinds() -> str:
    """Write as JSON what a tablet needs to know of each kind of command."""
    return json_script(for_browser(), "command-kinds")
