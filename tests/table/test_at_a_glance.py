"""What a late-comer reads off the table page at a glance."""

import pytest
from django.urls import reverse

from clubscore.play.table_words import ordinal
from sessions_app.table.sessions import current_seating, start_session
from sessions_app.table.tags import hand_score
from sessions_app.table.views.hand_entry_page import score_page
from tests.conftest import AFTERNOON
from tests.factories import record, table_in_play, totals
from tests.logins import logins, signed_in


@pytest.fixture
def five(club, cast):
    return table_in_play(club, cast.all)


@pytest.fixture
def page(club, five):
    client = signed_in(logins(club)["member"])
    return lambda: client.get(reverse("table", args=[club.slug, five.pk]))


def won(five, winner, **points):
    record(five, totals(five, winner, **points))


def false_mahjong(five, by):
    body = totals(five, None)
    record(five, {**body, "penalties": [{"kind": "false mahjong", "by": str(by)}]})


def test_before_the_first_hand(page):
    context = page().context
    assert (context["page"]["east"], context["page"]["east_words"], context["page"]["after_hand"]) == (
        "Alice",
        "",
        None,
    )
    assert "Fay sits out" in page().content.decode()


def test_everything_a_late_comer_asks(page, five):
    won(five, 1, seat1=100)
    won(five, 1, seat1=32, seat2=4)
    text = " ".join(page().content.decode().split())
    for words in ("Alice is East", "East for the third hand in a row", "East is the wind of the round", "Fay sits out"):
        assert words in text
    assert "Hand 2: <a" in text
    assert text.count("Alice goes Mah-jong with 32; Bob 4</a>") == 1


def test_the_count_starts_again_with_a_new_east(page, five):
    won(five, 1, seat1=100)
    won(five, 2, seat2=20)
    context = page().context
    assert (context["page"]["east"], context["page"]["east_words"]) == ("Bob", "")
    assert "Alice sits out" in page().content.decode()


def test_a_draw_keeps_east_and_counts_a_void_hand_does_not(page, five):
    won(five, None)
    assert page().context["page"]["east_words"] == "East for the second hand in a row"
    false_mahjong(five, 2)
    assert page().context["page"]["east_words"] == "East for the second hand in a row"


def test_the_last_hand_is_the_last_active_one(page, five):
    won(five, 1, seat1=100)
    won(five, 3, seat3=20)
    record(five, {"entry": str(five.entries.order_by("position").last().key)}, kind="take_out")
    context = page().context
    assert (context["page"]["after_hand"]["number"], context["page"]["after_hand"]["words"]) == (
        1,
        "Alice goes Mah-jong with 100",
    )


def test_the_table_page_says_why_the_deal_passes_at_the_limit(club, cast, secretary):
    table = start_session(club, AFTERNOON, 2, cast.all[:4], "u3a", None, by=secretary)  # East keeps it three times
    client = signed_in(logins(club)["scorekeeper"])
    entry = {"hands": {"1": {"total": 40}, "2": {}, "3": {}, "4": {}}, "mahjong": {"by": "1", "from": "wall"}}
    sentence = "The deal passes: Alice has kept it 3 times, the most allowed."
    for kept in range(4):
        context = client.get(reverse("table", args=[club.slug, table.pk])).context
        assert (context["page"]["east"], context["page"]["deal_words"]) == ("Alice", "")
        scored = score_page(table, current_seating(table), entry)
        assert scored["scored"]["kept_most"] == (3 if kept == 3 else 0)
        said = hand_score(scored)
        assert ("Bob is East next</b>: East has kept the deal 3 times, the most allowed." in said) == (kept == 3)
        won(table, 1, seat1=40)
    page = client.get(reverse("table", args=[club.slug, table.pk]))
    assert page.context["page"]["east"] == "Bob"
    assert sentence in page.content.decode()
    won(table, 2, seat2=40)
    assert sentence not in client.get(reverse("table", args=[club.slug, table.pk])).content.decode()


def test_a_full_game_is_said_to_be_over(club, cast, secretary):
    table = start_session(club, AFTERNOON, 2, cast.all[:4], "chinese_official", None, by=secretary)
    client = signed_in(logins(club)["scorekeeper"])
    entry = {"hands": {str(seat): {} for seat in range(1, 5)}, "mahjong": None}
    over = []
    for _ in range(17):
        text = client.get(reverse("table", args=[club.slug, table.pk])).content.decode()
        scored = score_page(table, current_seating(table), entry, drawn=True)
        said = hand_score(scored)
        over.append(("A full game has finished." in text, "A full game has finished." in said))
        won(table, None)
    assert over == [(False, False)] * 15 + [(False, True), (True, False)]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("chinese_official", "False Hu by Bob. Dave calls Hu with 18</a>"),
        ("bmja", "Dave goes Mah-jong with 18</a>"),
    ],
)
def test_a_total_is_shown_next_to_its_winner(club, cast, secretary, rules, expected):
    table = start_session(club, AFTERNOON, 2, cast.all[:4], rules, None, by=secretary)
    body = totals(table, 4, seat4=18)
    if rules == "chinese_official":
        body["penalties"] = [{"kind": "false mahjong", "by": "2"}]
    record(table, {**body, "mahjong": {"by": "4", "from": "1"}})
    text = signed_in(logins(club)["member"]).get(reverse("table", args=[club.slug, table.pk])).content.decode()
    assert expected in " ".join(text.split())


@pytest.mark.parametrize(
    ("number", "words"),
    [(1, "first"), (3, "third"), (10, "tenth"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st"), (22, "22nd"),
     (23, "23rd"), (24, "24th"), (111, "111th")],
)  # fmt: skip
def test_places_in_words(number, words):
    assert ordinal(number) == words
