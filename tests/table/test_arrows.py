"""Payments drawn around the table: one arrow for each pair, and the same in words for those who do not see it."""

import json
import re
from math import hypot

import pytest
from django.template import engines

from clubscore.play.score_fragments import ARROWS, net_of_pairs
from sessions_app.table.board import session_board
from sessions_app.table.sessions import start_session
from sessions_app.table.sticks import sticks_to_hand_over
from tests.afternoon import hand
from tests.conftest import AFTERNOON
from tests.logins import logins, signed_in

SEATS = {"E": ("1", "Alice"), "S": ("2", "Bob"), "W": ("3", "Carol"), "N": ("4", "Bartholomew")}


PAYMENTS = [("1", "2", 128), ("3", "2", 64), ("4", "2", 64), ("1", "3", 40), ("4", "3", 20), ("2", "1", 30)]


def drawn(seats, payments, bottom=None):
    template = engines["django"].from_string('{% load table_tags %}{% payment_arrows seats payments "drawn" bottom %}')
    return template.render({"seats": seats, "payments": payments, "bottom": bottom})


def places(page):
    """Return name -> (x, y) of the names in a drawing."""
    found = re.findall(r'<text x="(\d+)" y="(\d+)" dy[^>]*>(.*?)<', page)
    return {name: (int(x), int(y)) for x, y, name in found}


def points(path):
    return [tuple(map(float, point.split())) for point in re.split("[MLz]", path) if point]


def test_what_goes_both_ways_between_two_is_one_arrow():
    found = net_of_pairs([*PAYMENTS, ("1", None, 50)])
    assert found == [("1", "2", 98), ("3", "2", 64), ("4", "2", 64), ("1", "3", 40), ("4", "3", 20)]


def test_two_who_are_quits_have_no_arrow():
    assert net_of_pairs([("1", "2", 40), ("2", "1", 40)]) == []


def test_the_drawing_says_in_words_what_it_shows():
    page = drawn(SEATS, PAYMENTS)
    assert re.search(r"<desc[^>]*>(.*?)</desc>", page)[1] == (
        "Alice pays Bob 98. Carol pays Bob 64. Bartholomew pays Bob 64. Alice pays Carol 40. Bartholomew pays Carol 20."
    )
    assert page.count('class="payment-arrow"') == 5
    assert re.findall(r"text-anchor=\"middle\">(.*?)<", page) == ["Alice", "Bob", "Carol", "Bartholom…"]
    assert "style=" not in page


def test_several_payments_between_two_are_added_up_in_words():
    assert re.findall('<p class="payment-sum">(.*?)</p>', drawn(SEATS, PAYMENTS)) == ["In all, Alice pays Bob 98."]
    assert "In all" not in drawn(SEATS, PAYMENTS[:5])


def test_an_arrow_runs_from_who_pays():
    assert ARROWS["EW"][0].startswith("M180 196L180.0 57.0")
    assert ARROWS["WE"][0].startswith("M180 44L180.0 183.0")


@pytest.mark.parametrize("way", ARROWS)
def test_every_arrow_is_drawn_to_measure(way):
    """The shaft ends where the head begins, 13 before its tip, and what runs the other way begins at that tip."""
    (shaft, head, *_), (back, *_) = ARROWS[way], ARROWS[way[::-1]]
    (begin, neck), (tip, one, other) = points(shaft), points(head)
    assert points(back)[0] == tip
    assert begin == points(ARROWS[way[::-1]][1])[0]
    assert hypot(tip[0] - neck[0], tip[1] - neck[1]) == pytest.approx(13, abs=0.1)
    assert hypot(one[0] - other[0], one[1] - other[1]) == pytest.approx(14.3, abs=0.2)
    assert ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2) == pytest.approx(neck, abs=0.1)


def test_the_drawing_is_turned_as_the_table_is():
    bottom, right, top, left = (180, 218), (299, 120), (180, 22), (61, 120)
    assert places(drawn(SEATS, PAYMENTS)) == {"Alice": bottom, "Bob": right, "Carol": top, "Bartholom…": left}
    turned = drawn(SEATS, [("1", "3", 40)], bottom="2")
    assert places(turned) == {"Bob": bottom, "Carol": right, "Bartholom…": top, "Alice": left}
    # Alice, on the left, pays Carol, on the right.
    assert ARROWS["NS"][0] in turned
    # A player who sits out has no place in the drawing.
    assert places(drawn(SEATS, PAYMENTS, bottom="5"))["Alice"] == bottom


def test_the_pages_of_a_hand_draw_it_from_the_side_of_the_player_with_the_tablet(club, cast, secretary):
    table = start_session(club, AFTERNOON, 1, cast.all[:4], "bmja", {}, by=secretary)
    names = [player.name for player in cast.all[:4]]
    hand(table, "2", s2=40)
    client, here = signed_in(logins(club)["scorekeeper"]), f"/c/{club.slug}/sessions/{table.pk}"
    # Carol (chair 3) two quarters on from the first East; no matter who is East next, people keep their chairs.
    client.get(f"{here}/table/?turn=2")
    page = client.get(f"{here}/hands/{table.entries.get().key}/").text
    assert max(places(page).items(), key=lambda one: one[1][1])[0] == names[2]
    entry = client.get(f"{here}/hands/new/").text
    assert '"bottom": "3"' in entry
    # Until the script has drawn the page, a sentence leads to the plain one, which needs none.
    assert 'class="opening"' in entry
    assert f'href="{here}/hands/new/?plain"' in entry
    assert 'class="opening"' not in client.get(f"{here}/hands/new/?plain").text
    body = {"hands": {"1": {}, "2": {"total": 40}, "3": {}, "4": {}}, "mahjong": {"by": "2"}}
    score = client.post(f"{here}/hands/score/", {"body": json.dumps(body), "bottom": "3"}).json()["html"]
    assert max(places(score).items(), key=lambda one: one[1][1])[0] == names[2]
    # A turn that no tablet can have made is none.
    client.cookies[f"turn-{table.pk}"] = "7"
    assert '"bottom": "1"' in client.get(f"{here}/hands/new/").text


def test_three_players_have_three_sides():
    page = drawn({"E": ("1", "Alice"), "S": ("2", "Bob"), "W": ("3", "Carol")}, [("1", "2", 8)])
    assert page.count('class="payment-name"') == 3


def test_the_sticks_of_the_coming_hand_and_of_the_last(club, cast, secretary):
    table = start_session(club, AFTERNOON, 1, cast.all[:4], "bmja", {}, by=secretary, sticks="guide")
    due = [{"from": "1", "to": "2", "amount": 200}, {"from": "3", "to": "2", "amount": 60}]
    assert sticks_to_hand_over(table, due) == [
        "Alice gives Bob two 100s.",
        "Carol gives Bob one 100 and gets four 10s back.",
    ]
    key = hand(table, "2", s2=40)
    assert session_board(table).sticks_handed_over(key) == [
        "Alice gives Bob one 100 and gets two 10s back.",
        "Carol gives Bob four 10s.",
        "Dave gives Bob four 10s.",
    ]


def test_a_table_without_sticks_says_nothing_of_them(four):
    assert sticks_to_hand_over(four, [{"from": "1", "to": "2", "amount": 200}]) == []


def test_the_table_and_the_hand_say_which_sticks_went_over(club, cast, secretary):
    table = start_session(club, AFTERNOON, 1, cast.all[:4], "bmja", {}, by=secretary, sticks="guide")
    key = hand(table, "2", s2=40)
    client = signed_in(logins(club)["member"])
    for address in ("table/", f"hands/{key}/"):
        page = client.get(f"/c/{club.slug}/sessions/{table.pk}/{address}").content.decode()
        assert re.findall(r"<li>(\w+ gives [^<]*)</li>", page) == [
            "Alice gives Bob one 100 and gets two 10s back.",
            "Carol gives Bob four 10s.",
            "Dave gives Bob four 10s.",
        ]


# A bold figure of 20: 12 for each digit, 6 for the comma; an arrow is 4 wide.
FIGURE_WIDTH, FIGURE_HEIGHT, ARROW_WIDTH = 54, 15, 4
NAMES = {"E": (122, 199, 238, 237), "S": (241, 101, 357, 139), "W": (122, 3, 238, 41), "N": (3, 101, 119, 139)}


def box_of_figure(way):
    x, y, anchor = ARROWS[way][2:]
    left = x if anchor == "start" else x - FIGURE_WIDTH
    return left, y - FIGURE_HEIGHT, left + FIGURE_WIDTH, y


def crosses(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def along(path):
    """Return small boxes along the lines between the points of a path, as wide as an arrow."""
    ends = points(path)
    for (x, y), (to_x, to_y) in zip(ends, [*ends[1:], ends[0]], strict=True):
        for part in range(101):
            at = x + (to_x - x) * part / 100, y + (to_y - y) * part / 100
            yield (*(one - ARROW_WIDTH / 2 for one in at), *(one + ARROW_WIDTH / 2 for one in at))


@pytest.mark.parametrize("way", ARROWS)
def test_no_arrow_crosses_a_figure(way):
    """A figure of four digits stands clear of every name, and of the arrows and figures that may be drawn with it."""
    figure = box_of_figure(way)
    assert [name for name, box in NAMES.items() if crosses(figure, box)] == []
    assert [other for other in ARROWS if set(other) != set(way) and crosses(figure, box_of_figure(other))] == []
    arrows = {other: paths[:2] for other, paths in ARROWS.items() if other != way[::-1]}
    lines = [(other, box) for other, paths in arrows.items() for path in paths for box in along(path)]
    assert [other for other, box in lines if crosses(figure, box)] == []
