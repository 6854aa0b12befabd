"""Template tags for tiles, a table's vocabulary, learners' stages and links to the rules."""

from typing import Any
from urllib.parse import urlencode

from django import template
from django.http import HttpRequest
from django.template.context import Context
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from clubscore.play import drawn_hands, practice
from clubscore.scoring import tiles
from clubscore.scoring.words import in_words, with_names
from clubscore.site.static_storage import RULES
from sessions_app.models import Session
from sessions_app.rules.rule_pages import own_anchor

register = template.Library()

TILES = "rules/tiles/tiles.svg"


@register.simple_tag
def tile(
    code: str, css_class: str = "", hidden: bool = False, names: dict[str, str] | None = None, sprite: str = "tiles"
) -> str:
    """Draw a tile from the sprite; `hidden` for a picture whose words stand next to it, `names` a table's own names.

    Where winds alone are drawn, the sprite `winds` is a tenth of the weight. What is no tile is written as it is.
    """
    code = code.upper()
    if code not in drawn_hands.PLACES:
        return format_html("<span>{}</span>", code)
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
    """Return a sentence, or the name of a rule or tile, in this session's vocabulary."""
    return in_words(table_session.vocabulary(), str(sentence)) if sentence and table_session else sentence


@register.filter("with_names")
def with_seat_names(sentence: str, seats: Any) -> str:
    """Replace seat numbers in a sentence, such as {1}, with the players' names."""
    return with_names(str(sentence), {seat.seat_no: seat.player.name for seat in seats})


@register.simple_tag(takes_context=True)
def drawn_tiles(context: template.Context, codes: tuple[Any, ...], words: str = "", **more: Any) -> str:
    """Draw tiles as drawn_hands.drawn_tiles; their names are the page's `tile_names`, or else our own."""
    names = context.get("tile_names") or drawn_hands.tile_names(())
    return mark_safe(drawn_hands.drawn_tiles(codes, names, static(TILES), words, **more).text)


# The learner's stage of this device, and links from a line of a score to its rule and back.

COOKIE = "learning"


def stage_of(request: HttpRequest) -> practice.Stage:
    """Return the stage that this device has chosen, by default everything."""
    return practice.BY_KEY.get(request.COOKIES.get(COOKIE, ""), practice.EVERYTHING)


def learners_stage(context: template.Context) -> practice.Stage:
    """Return the stage that this device has chosen; everything on a page rendered without a request."""
    request = context.get("request")
    return stage_of(request) if request else practice.EVERYTHING


@register.simple_tag(takes_context=True)
def rule_address(context: template.Context, rule: str, table_session: Session, at: str = "") -> str:
    """Return the address of a line's rule among this session's rules, with a link back to the line."""
    anchor = own_anchors(table_session).get(rule, f"rule-{rule}")
    return f"{rules_address(context, table_session, at)}#{anchor}"


def rules_address(context: Any, table_session: Session, at: str = "") -> str:
    """Return the page of this session's rules with a link back, or of the club's rules if it has not started."""
    if not table_session.pk:
        club, rules = table_session.club, table_session.rules
        if not club.pk:
            return reverse("rule-set", args=[rules])
        return reverse("rules", args=[club.slug] if rules == club.rules else [club.slug, rules])
    page = reverse("session-rules", args=[table_session.club.slug, table_session.pk])
    return f"{page}{_back(context, at)}"


def own_anchors(table_session: Session) -> dict[str, str]:
    """Return the anchors of a session's club hands on the rules page, by key."""
    rule_set = table_session.rule_set
    rows = {row.key for row in (*rule_set.rules, *rule_set.special_hands)}  # type: ignore[attr-defined]
    return {key: own_anchor(key) for key in sorted({hand["key"] for hand in table_session.club_hands} - rows)}


@register.simple_tag(takes_context=True)
def worth_address(context: template.Context, query: str, place: str) -> str:
    """Return the address of the calculator for a hand given as a query string, with a link back to its player."""
    request = context.get("request")
    back = urlencode({"back": f"{page_of(request)}#{place}"}) if request else ""
    return f"{reverse('worth')}?{query}&{back}"


@register.simple_tag(takes_context=True)
def learning_address(context: template.Context) -> str:
    """Return the address of the learner's stages, with a link back to this page."""
    return f"{reverse('learning')}{_back(context)}"


def _back(context: Context, at: str = "") -> str:
    request = context.get("request")
    page = page_of(request) if request else ""
    if not page:
        return ""
    return "?" + urlencode({"back": f"{page}#line-{at}" if at else page})


def page_of(request: HttpRequest) -> str:
    """Return the address of the current page; for an htmx request, of the page that sent it."""
    htmx = getattr(request, "htmx", None)
    if htmx:
        return htmx.current_url_abs_path or ""
    return request.get_full_path() if request.method == "GET" else ""


# The files of the scoring engine on the tablet.
ENGINE = {
    "worker": "table/engine/worker.js",
    "python": "vendor/micropython/micropython.mjs",
    "wasm": "vendor/micropython/micropython.wasm",
    "rules": RULES,
}


def engine_files() -> dict[str, str]:
    """Return the address of each file of the scoring engine."""
    return {name: static(path) for name, path in ENGINE.items()}
