"""Tiles as pictures and in words."""

from collections.abc import Collection
from typing import Any
from urllib.parse import urlencode

from django import template
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from clubscore.scoring import tiles
from clubscore.scoring.words import in_words, with_names
from clubscore.static_storage import RULES
from clubscore.table import drawn_hands, practice, worth_page
from sessions_app.models import Session
from sessions_app.rules.rule_pages import own_anchor, rule_anchors

register = template.Library()

TILES = "rules/tiles/tiles.svg"


@register.simple_tag
def tile(
    code: str, css_class: str = "", hidden: bool = False, names: dict[str, str] | None = None, sprite: str = "tiles"
) -> str:
    """Draw a tile from the sprite; `hidden` for a picture whose words stand next to it, `names` a table's own names.

    Where winds alone are drawn, the sprite `winds` is a tenth of the weight.
    """
    code = code.upper()
    address = f"{static(f'rules/tiles/{sprite}.svg')}#t-{code}"
    drawing = format_html('<use href="{}"></use>', address)
    classes = f"tile {css_class}".strip()
    if hidden:
        return format_html('<svg class="{}" aria-hidden="true" focusable="false">{}</svg>', classes, drawing)
    name = names[code] if names else tiles.tile_name(code)
    return format_html('<svg class="{}" role="img" aria-label="{}" focusable="false">{}</svg>', classes, name, drawing)


@register.filter
def tile_name(code: str) -> str:
    """Return a tile in words: "7 Circles"."""
    return tiles.tile_name(code)


# Sentences in the words of a table: "Wheels" for circles, "Hu" for Mah-jong.


@register.filter
def said(sentence: str, table_session: Session | None) -> str:
    """Return a sentence of ours, or the name of a rule or tile, in the words of this session's table."""
    return in_words(table_session.vocabulary(), str(sentence)) if sentence and table_session else sentence


@register.filter("with_names")
def with_seat_names(sentence: str, seats: Any) -> str:
    """Put the names of a session's seats into a sentence in which they stand as {1}."""
    return with_names(str(sentence), {seat.chair: seat.player.name for seat in seats})


@register.simple_tag(takes_context=True)
def drawn_tiles(context: template.Context, codes: tuple[Any, ...], words: str = "", **more: Any) -> str:
    """Draw tiles as drawn_hands.drawn_tiles; their names are the page's `tile_names`, or else our own."""
    names = context.get("tile_names") or drawn_hands.tile_names(())
    return mark_safe(drawn_hands.drawn_tiles(codes, names, static(TILES), words, **more).text)


# The learner's stage of this device, and the way from a line of a score to its rule and back.

COOKIE = "learning"


def stage_of(request: HttpRequest) -> practice.Stage:
    """Return the stage this device has chosen; everything where it has chosen none."""
    return practice.BY_KEY.get(request.COOKIES.get(COOKIE, ""), practice.EVERYTHING)


@register.simple_tag(takes_context=True)
def learners_stage(context: template.Context) -> practice.Stage:
    """Return the stage this device has chosen; everything on a page made without a request."""
    request = context.get("request")
    return stage_of(request) if request else practice.EVERYTHING


@register.simple_tag(takes_context=True)
def by_stage(context: template.Context, lines: Collection[Any]) -> practice.Staged:
    """Divide the lines of a score into those of this device's stage and the rest."""
    return practice.staged(lines, learners_stage(context))


@register.simple_tag(takes_context=True)
def rule_lines(context: template.Context, lines: practice.Staged, place: str) -> str:
    """Draw the lines of a score, each leading to its rule, of the page's `table_session`."""

    def address(rule: str, at: str) -> str:
        return rule_address(context, rule, context["table_session"], at)

    return mark_safe(worth_page.rule_lines(lines.shown, lines.rest, lines.stage.rest, place, address).text)  # noqa: S308


@register.simple_tag(takes_context=True)
def rule_address(context: template.Context, rule: str, table_session: Session, at: str = "") -> str:
    """Return where the rule of a line stands under this session's rules, with the way back to the very line."""
    anchor = own_anchors(table_session).get(rule, f"rule-{rule}")
    return f"{rules_page(context, table_session, at)}#{anchor}"


def rules_page(context: Any, table_session: Session, at: str = "") -> str:
    """Return the page of this session's rules, with the way back; the club's before a session has started."""
    if not table_session.pk:
        club, rules = table_session.club, table_session.rules
        return reverse("rules", args=[club.slug] if rules == club.rules else [club.slug, rules])
    page = reverse("session-rules", args=[table_session.club.slug, table_session.pk])
    return f"{page}{_back(context, at)}"


def own_anchors(table_session: Session) -> dict[str, str]:
    """Return where the club hands of a session stand on that page, by key."""
    keys = {one["key"] for one in table_session.club_hands} - rule_anchors(table_session.rules).keys()
    return {key: own_anchor(key) for key in sorted(keys)}


@register.simple_tag(takes_context=True)
def worth_address(context: template.Context, asked: str, place: str) -> str:
    """Return where a hand, given as a query, is answered under every rule set, with the way back to its player."""
    request = context.get("request")
    back = urlencode({"back": f"{page_of(request)}#{place}"}) if request else ""
    return f"{reverse('worth')}?{asked}&{back}"


@register.simple_tag(takes_context=True)
def learning_address(context: template.Context) -> str:
    """Return the address of the learner's stages, from where one comes back to this page."""
    return f"{reverse('learning')}{_back(context)}"


def _back(context, at=""):
    request = context.get("request")
    page = page_of(request) if request else ""
    if not page:
        return ""
    return "?" + urlencode({"back": f"{page}#line-{at}" if at else page})


def page_of(request: HttpRequest) -> str:
    """Return the page being looked at: for a fragment, the page that asked for it."""
    htmx = getattr(request, "htmx", None)
    if htmx:
        return htmx.current_url_abs_path or ""
    return request.get_full_path() if request.method == "GET" else ""


# The rules on the tablet: where its files stand.
ENGINE = {
    "worker": "table/engine/worker.js",
    "python": "vendor/micropython/micropython.mjs",
    "wasm": "vendor/micropython/micropython.wasm",
    "rules": RULES,
}


def engine_files() -> dict[str, str]:
    """Return the address of each file of the rules on the tablet."""
    return {name: static(path) for name, path in ENGINE.items()}
