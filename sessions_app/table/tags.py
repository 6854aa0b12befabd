"""Template tags: what the server draws as the tablet does, and the data that a page carries for its scripts."""

from typing import Any

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import json_script
from django.utils.safestring import mark_safe

from clubscore.scoring import RULE_SETS
from clubscore.scoring.words import in_words, listed
from clubscore.table import fragments, score_fragments
from clubscore.table.command_kinds import for_browser
from clubscore.table.markup import Html
from sessions_app.models import Club, Session
from sessions_app.rules.tags import engine_files, learners_stage, own_anchors, rules_address
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


# The style sheet of a preview.
PREVIEW_SHEET = "table/session.css"


@register.simple_tag(takes_context=True)
def engine(context: Any) -> str:
    """Write as JSON what the rules on the tablet need of this table, and the addresses of their files."""
    table_session, can_write = context["table_session"], context.get("can_write", False)
    look = _score_look(context) | context.get("look", table_look(table_session, can_write))
    look["entry_page"] = reverse("hand-new", args=[table_session.club.slug, table_session.pk]) if can_write else ""
    if "board" in context:
        look |= context["board"].look
    data = {
        "files": engine_files(),
        "table": session_facts(table_session) | {"look": look},
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

    def pages(*names: str) -> list[Any]:
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
