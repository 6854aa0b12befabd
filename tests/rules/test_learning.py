"""The learner's stages: which lines are shown at once; the score that counts always is."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.hand_in_tiles import hand_page, hand_with_tiles
from tests.logins import signed_in


def choose(client, stage, back="/"):
    return client.post(reverse("learning"), {"stage": stage, "back": back})


def lines_of(text, rest=False):
    """Give the names of Alice's lines: those shown, or those behind the tap."""
    panel = text[text.index('id="seat-E"') : text.index('id="seat-S"')]
    start = panel.index('class="lines-rest"') if 'class="lines-rest"' in panel else len(panel)
    part = panel[start:] if rest else panel[:start]
    return re.findall(r'<tr id="line-[^"]+"><th scope="row"><a [^>]*>([^<]+)</a>', part)


POINTS = ["Pung of East Winds, exposed", "Kong of 5 Bamboos, concealed", "Pung of 9 Circles, concealed",
          "Going Mah-jong", "Winning tile from the wall"]  # fmt: skip


DOUBLES = ["Pung of own wind", "Pung of the wind of the round"]


STAGES = [("points", POINTS, DOUBLES), ("doubles", POINTS + DOUBLES, []), ("all", POINTS + DOUBLES, [])]


@pytest.mark.parametrize(("stage", "shown", "rest"), STAGES)
def test_a_stage_shows_its_lines_and_always_the_score_that_counts(at_home, stage, shown, rest):
    client = signed_in(at_home.member)
    choose(client, stage)
    text = hand_page(at_home, hand_with_tiles(at_home), client).content.decode()
    assert lines_of(text) == shown
    assert lines_of(text, rest=True) == rest
    assert '<p class="balance">200</p>' in text
    assert ("Total: <b>200</b>" in text) == bool(rest)


def test_the_score_while_a_hand_is_entered_follows_the_stage(at_home):
    client = signed_in(at_home.scorekeeper)
    body = {"hands": {"1": {"sets": ["exposed pung E"]}}, "mahjong": None}
    address = reverse("hand-score", args=[at_home.club.slug, at_home.table_session.pk])
    sent = {"body": json.dumps(body), "seats": ""}
    assert "score-rest" not in client.post(address, sent).json()["html"]
    choose(client, "points")
    answer = client.post(address, sent).json()
    text = answer["html"]
    assert text.index("Pung of East Winds, exposed") < text.index('class="score-rest"') < text.index("Pung of own wind")
    assert answer["players"]["1"]["total"] == 16


def test_a_stage_is_the_devices_and_leads_back(db):
    client = Client()
    answer = choose(client, "points", "/rules/")
    assert (answer.status_code, answer.url) == (302, "/rules/")
    cookie = client.cookies["learning"]
    assert (cookie.value, cookie["httponly"], cookie["samesite"]) == ("points", True, "Lax")


@pytest.mark.parametrize("stage", ["", "everything", "x" * 5000, "\x00"])
def test_a_stage_that_is_none_changes_nothing(db, stage):
    client = Client()
    assert choose(client, stage, "//example.org").url == "/"
    assert "learning" not in client.cookies
    client.cookies["learning"] = stage
    assert client.get(reverse("learning")).status_code == 200
