"""Tiles as pictures and in words."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html

from clubscore.scoring import tiles

register = template.Library()


@register.simple_tag
def tile(code, css_class="", hidden=False, names=None, sprite="tiles"):
    """Draw a tile from the sprite; `hidden` for a picture whose words stand beside it, `names` a table's own names.

    Where winds alone are drawn, the sprite `winds` is a tenth of the weight.
    """
    code = code.upper()
    address = f"{static(f'tiles/{sprite}.svg')}#t-{code}"
    drawing = format_html('<use href="{}"></use>', address)
    classes = f"tile {css_class}".strip()
    if hidden:
        return format_html('<svg class="{}" aria-hidden="true" focusable="false">{}</svg>', classes, drawing)
    name = names[code] if names else tiles.tile_name(code)
    return format_html('<svg class="{}" role="img" aria-label="{}" focusable="false">{}</svg>', classes, name, drawing)


@register.filter
def tile_name(code):
    """Say a tile in words: "7 Circles"."""
    return tiles.tile_name(code)
