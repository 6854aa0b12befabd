"""Template tags: what the server draws as the tablet does, and the data that a page carries for its scripts."""

from typing import Any

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import json_script
from django.utils.safestring import mark_safe

from clubscore.play import fragments, one_hand, score_fragments
from clubscore.play.command_kinds import for_browser
from clubscore.play.markup import Html
from clubscore.scoring.words import in_words
from sessions_app.models import Club, Session
from sessions_app.rules.tags import (
    TILES,
    engine_files,
    learners_stage,
    own_anchors,
    rule_address,
    rules_address,
    worth_address,
)
from sessions_app.table.board import SessionBoard, session_facts, table_look
from sessions_app.table.sessions import SessionCard, current_seating
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


@register.simple_tag
def step(button: str, words: str) -> str:
    """Draw what is on Undo or Redo; `words` are what it would do."""
    return mark_safe(fragments.step(button, words).text)


@register.simple_tag(takes_context=True)
def hands_so_far(context: Any) -> str:
    """Draw the list of hands of the `board`, and those removed, with a form to remove or restore what is no hand."""
    fields = context.template.engine.get_template("table/_command_fields.html")
    return mark_safe(context["board"].hands(Html(fields.render(context))).text)


@register.simple_tag(takes_context=True)
def likely_seatings(context: Any) -> str:
    """Draw the seatings of the `board` to choose from before its next hand."""
    fields = context.template.engine.get_template("table/_command_fields.html")
    return mark_safe(context["board"].likely_seatings(Html(fields.render(context))).text)


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


@register.simple_tag
def score_sheet(board: SessionBoard, level: int = 2) -> str:
    """Draw a sheet: totals, settling up, and hand by hand; `level` is that of its headings."""
    return mark_safe(board.draw_sheet(level).text)


@register.simple_tag
def hand_lead(lead: dict[str, Any]) -> str:
    return mark_safe(one_hand.hand_lead(lead).text)


@register.simple_tag
def who_pays(paid: dict[str, Any]) -> str:
    return mark_safe(one_hand.who_pays(paid).text)


@register.simple_tag(takes_context=True)
def players_hands(context: Any) -> str:
    """Draw what each player of the page's hand held and scored: `players_hands`, of the `entry` and its `hand`."""
    table_session, stage = context["table_session"], learners_stage(context)
    body, seating = context["entry"].body, context["hand"].seating

    def worth(shown: dict[str, Any]) -> str:
        query = one_hand.worth_query(body, seating, shown, table_session.club.slug)
        return worth_address(context, query, f"seat-{shown['wind']}") if query else ""

    look = {
        "words": table_session.vocabulary(),
        "sprite": static(TILES),
        "units": stage.units,
        "rest": stage.rest,
        "address": lambda rule, at: rule_address(context, rule, table_session, at),
        "worth": worth,
    }
    return mark_safe(one_hand.players_hands(context["players_hands"], look).text)


# The style sheet of a preview.
PREVIEW_SHEET = "table/session.css"


@register.simple_tag(takes_context=True)
def engine(context: Any) -> str:
    """Write as JSON what the rules on the tablet need of this table, and the addresses of their files."""
    data = {"files": engine_files(), "table": rules_on_tablet(context), "preview_sheet": static(PREVIEW_SHEET)}
    return json_script(data, "engine-data")


@register.simple_tag
def files_of_rules() -> str:
    """Write as JSON the addresses of the files that run the rules on a tablet."""
    return json_script(engine_files(), "engine-files")


def rules_on_tablet(context: Any) -> dict[str, Any]:
    """Return what the rules on the tablet need of the `table_session` of a page's context."""
    table_session = context["table_session"]
    look = _score_look(context) | (context.get("look") or table_look(table_session, context.get("can_write", False)))
    entry_page = reverse("hand-new", args=[table_session.club.slug, table_session.pk])
    look["hand_entry_page"] = entry_page if look["can_write"] else ""
    if "board" in context:
        look |= context["board"].look
    return session_facts(table_session) | {"look": look}


# What a tablet keeps of its club for a hall without Wi-Fi.

# More than play in one hall.
MOST_TABLES = 12
TO_KEEP = ("club", "session-start", "draw-here", "new-table-take-in", "rules", "new-table")


def tables_to_keep(in_play: list[SessionCard]) -> list[Session]:
    """Return the tables in play that a tablet keeps: the latest, without those that are paused."""
    return [card.session for card in in_play if not card.session.paused][:MOST_TABLES]


def offline_needs(club: Club, in_play: list[SessionCard]) -> dict[str, Any]:
    """Return what a tablet has to have of a club: addresses of `pages`, `files` of the rules, `tables` by version.

    `kept` is the address of the tables themselves.
    """
    tables = {table_session.pk: table_session.version for table_session in tables_to_keep(in_play)}
    pages = [reverse(name, args=[club.slug]) for name in TO_KEEP]
    pages += [reverse("worth"), reverse("practice"), *(reverse("session-rules", args=[club.slug, pk]) for pk in tables)]
    return {
        "pages": pages,
        "files": engine_files(),
        "tables": tables,
        "kept": reverse("kept-of-club", args=[club.slug]),
    }


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
