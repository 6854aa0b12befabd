"""Parts of pages that server and tablet draw alike: plain data in, escaped HTML out."""

import re

import pytest

from clubscore.play import score_fragments
from clubscore.play.markup import Html, escape, html, html_each, html_if
from sessions_app.models import Player
from sessions_app.table.sessions import current_seating
from sessions_app.table.tags import hand_score
from sessions_app.table.views.hand_entry_page import score_page

NASTY = """<script>alert("1")</script> & 'Al'"""
SAFE = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#x27;Al&#x27;"

LOOK = {
    "rules_page": "/rules/?a=1&b=2", "own_anchors": {"lucky": "own-lucky"}, "mahjong": "Mah-jong", "bottom": None,
    "units": ("points", "doubles", "times", "limit"), "rest": "",
}  # fmt: skip
LINES = [
    {"name": "Pung of 3 Bamboos", "worth": "2 points", "rule": "pung", "unit": "points"},
    {"name": "Lucky Ann", "worth": "1 double", "rule": "lucky", "unit": "doubles"},
]
BOB = {
    "number": "2", "name": "Bob", "wind": "S", "wind_name": "South", "entered": True, "wins": False, "counts": True,
    "total": 4, "points": 2, "doubles": 1, "times": 2, "limited": False, "special": "", "fishing_for": "", "net": -8,
    "note": "", "beside": "", "question": "", "unsure": [], "finished": "", "asks_tile": None,
    "not_chosen": [], "lines": LINES,
}  # fmt: skip


def player(look=(), **changed):
    return score_fragments.player_score({**BOB, **changed}, {**LOOK, **dict(look)}).text


def test_text_that_is_not_html_is_escaped_everywhere():
    assert escape(NASTY) == SAFE
    bold = html('<b title="{title}">{words}</b>', title=NASTY, words=NASTY)
    assert bold.text == f'<b title="{SAFE}">{SAFE}</b>'
    assert html("<p>{}</p>", html("<b>{}</b>", NASTY)).text == f"<p><b>{SAFE}</b></p>"
    assert html("<p>{a}{b}</p>", a=0, b=None).text == "<p>0</p>"
    assert html_each("<li>{}</li>", ["{0}", Html("<i></i>")]).text == "<li>{0}</li><li><i></i></li>"
    assert (html_if("", "<p>{}</p>").text, html_if(2, "<p>{}{a}</p>", a=1).text) == ("", "<p>21</p>")


def test_points_that_are_the_total_are_said_once():
    assert '<span class="score-brief"></span>' in player(points=4, times=1, total=4)
    assert ">2 points × 2 = 4</span>" in player()


def test_a_player_with_the_lines_of_the_score():
    assert player() == (
        '<li class="score-player" data-seat="2">'
        '<details class="score-why"><summary>'
        '<span class="score-line"><span class="wind" aria-hidden="true">S</span> '
        '<span class="score-name"><b>Bob</b><span class="visually-hidden">, South</span> '
        '<span class="score-brief">2 points × 2 = 4</span></span> '
        '<span class="score-figures"><b class="num">4</b> '
        '<span class="num pays"><span class="visually-hidden">pays </span>−8</span></span></span>'
        '</summary><ul class="score-rules">'
        '<li><a href="/rules/?a=1&amp;b=2#rule-pung">Pung of 3 Bamboos</a> <span class="num">2 points</span></li>'
        '<li><a href="/rules/?a=1&amp;b=2#own-lucky">Lucky Ann</a> <span class="num">1 double</span></li>'
        "</ul></details></li>"
    )


@pytest.mark.parametrize(
    ("changed", "brief"),
    [
        ({}, "2 points × 2 = 4"),
        ({"points": 1, "times": 1, "total": 1}, "1 point"),
        ({"points": 1300, "times": 4, "total": 1000, "limited": True}, "1,300 points × 4, limit: 1,000"),
        ({"special": "Knitting", "total": 500, "points": None, "times": None}, "Knitting: 500"),
        ({"points": None, "times": None, "total": -64}, "−64"),
        ({"points": None, "times": None, "total": None}, ""),
    ],
)
def test_in_few_words_how_a_score_came_about(changed, brief):
    assert score_fragments.brief({**BOB, **changed}) == brief


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"entered": True}, "not yet"),
        ({"entered": False, "counts": True}, "nothing yet"),
        ({"entered": False, "counts": False}, "–"),
    ],
)
def test_what_is_shown_instead_of_an_unknown_score(changed, said):
    page = player(total=None, points=None, times=None, net=None, lines=[], **changed)
    assert f'<span class="score-brief">{said}</span>' in page
    assert "<details" not in page


def test_a_learners_stage_shows_its_lines_and_keeps_the_rest_behind_a_tap():
    page = player({"units": ["points"], "rest": "Doubles and special hands"}, limited=True)
    shown, rest = re.search(r'is-learners">(.*?)</ul><details class="score-rest">(.*)</details>', page).groups()
    assert re.findall(r">([^<]+)</a>", shown) == ["Pung of 3 Bamboos"]
    assert re.findall(r">([^<]+)</a>", rest) == ["Lucky Ann"]
    assert rest.startswith("<summary>Doubles and special hands</summary>")
    assert "<li>Limit: 4</li>" in rest


def test_names_and_notes_of_a_table_are_escaped(four):
    for seat in four.seats.select_related("player"):
        Player.objects.filter(pk=seat.player.pk).update(short_name=f"{seat.seat_no}<b>'&")
    body = {"hands": {"1": {"total": 64}, "2": {}, "3": {}, "4": {}}, "mahjong": {"by": "1"}}
    page = hand_score(score_page(four, current_seating(four), body))
    # Each has a line, a payment, an arrow and a name on the drawing.
    assert "<b>'" not in page
    assert "1&lt;b&gt;&#x27;&amp;" in page
    assert set(re.findall(r"</?([a-z0-9]+)", page)) <= {
        "section", "p", "b", "h2", "h3", "ul", "li", "div", "span", "svg", "title", "desc", "g", "rect", "text", "path",
    }  # fmt: skip
    assert re.findall(r"<b>([^<]*)</b>", page).count("1&lt;b&gt;&#x27;&amp;") >= 4
