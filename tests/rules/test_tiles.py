"""The tile faces: all forty-two are in the sprite, and the tag draws and names them."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template import Context, Template

from clubscore.scoring.tiles import BONUS_TILES, TILES

SPRITE = Path(settings.BASE_DIR, "static/rules/tiles/tiles.svg").read_text(encoding="utf-8")


def drawn(tag):
    return Template("{% load rules_tags %}" + tag).render(Context())


def test_sprite_has_every_face_once():
    assert sorted(re.findall(r'<symbol id="t-(\w+)"', SPRITE)) == sorted(TILES + BONUS_TILES)


def test_the_winds_alone_are_the_same_faces():
    winds = Path(settings.BASE_DIR, "static/rules/tiles/winds.svg").read_text(encoding="utf-8")
    faces = dict(re.findall(r'<symbol id="t-(\w+)"(.*)</symbol>', SPRITE))
    assert dict(re.findall(r'<symbol id="t-(\w+)"(.*)</symbol>', winds)) == {wind: faces[wind] for wind in "ESWN"}
    assert 'tiles/winds.svg#t-S"' in drawn('{% tile "S" sprite="winds" %}')


def test_faces_need_no_style_that_the_policy_refuses():
    assert "style" not in SPRITE
    assert "<script" not in SPRITE


def test_tile_is_a_picture_with_a_name():
    found = re.sub(r'href="[^"]*tiles/tiles[^"#]*', 'href="SPRITE', drawn('{% tile "7d" "tile-small" %}'))
    assert found == (
        '<svg class="tile tile-small" role="img" aria-label="7 Circles" focusable="false">'
        '<use href="SPRITE#t-7D"></use></svg>'
    )


def test_tile_beside_words_is_silent():
    assert 'aria-hidden="true"' in drawn('{% tile "P" hidden=True %}')
    assert "aria-label" not in drawn('{% tile "P" hidden=True %}')


@pytest.mark.parametrize(("code", "name"), [("R", "Red Dragon"), ("F3", "Flower 3 (Chrysanthemum)")])
def test_tile_name(code, name):
    assert drawn(f'{{{{ "{code}"|tile_name }}}}') == name
