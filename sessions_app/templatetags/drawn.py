"""Tiles that lie together, drawn as one picture with one name: a page of rules draws a thousand of them."""

from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from sessions_app.queries.table_words import tile_names

register = template.Library()


@register.simple_tag(takes_context=True)
def drawn_tiles(context, codes, words="", size="tile-small", brief=False, marked=(), mark="marked"):
    """Draw tiles in a row, the words for them beneath; their names are the page's `tile_names`, or else our own.

    `brief`: of a set's two words, "Exposed pung", only the first, as the tiles say the other. `marked` are the places
    of the tiles to point at; `mark` says it to those who listen.
    """
    if not codes:
        return ""
    names = context.get("tile_names") or tile_names(())
    told = ", ".join(f"{names[code]} ({mark})" if at in marked else names[code] for at, code in enumerate(codes))
    sizes = [f"{size} is-marked" if at in marked else size for at in range(len(codes))]
    sprite = static("tiles/tiles.svg")
    pictures = mark_safe("".join(_picture(*one, sprite) for one in zip(codes, sizes, strict=True)))  # noqa: S308
    row = format_html(
        '<span class="tiles" role="img" aria-label="{}">{}</span>', f"{words}: {told}" if words else told, pictures
    )
    seen = words.split()[0] if brief and len(words.split()) == 2 else words
    beneath = format_html('<span class="group-words" aria-hidden="true">{}</span>', seen) if words else ""
    return format_html("{}{}", row, beneath)


@lru_cache(maxsize=512)
def _picture(code, size, sprite):
    return format_html(
        '<svg class="tile {}" aria-hidden="true" focusable="false"><use href="{}#t-{}"></use></svg>', size, sprite, code
    )
