"""The session sheet: every line with its balances, totals, sticks, and a session that has totals alone."""

import re

import pytest
from django.urls import reverse

from sessions_app.models import Meeting, Session, Tally
from sessions_app.table.watching import watched_session
from sessions_app.web.tags import minus
from tests.factories import DAY, house, record, table_in_play, totals
from tests.logins import logins, signed_in


def sheet(club, table_session, user):
    return signed_in(user).get(reverse("session-sheet", args=[club.slug, table_session.pk]))


def test_every_hand_with_winds_nets_and_balances(club, cast):
    at_home = house(club, cast.all[:4])
    record(at_home.table_session, totals(at_home.table_session, None))
    rows = sheet(club, at_home.table_session, at_home.member).context["board"].rows()
    assert [row.words for row in rows] == ["Alice goes Mah-jong", "Nobody went Mah-jong"]
    assert [[(cell.wind, cell.net, cell.balance) for cell in row.cells] for row in rows] == [
        [("E", 600, 2600), ("S", -160, 1840), ("W", -220, 1780), ("N", -220, 1780)],
        [("E", 0, 2600), ("S", 0, 1840), ("W", 0, 1780), ("N", 0, 1780)],
    ]


def test_the_sheet_says_with_how_much_a_hand_was_won_and_marks_the_winner_alone(club, cast):
    at_home = house(club, cast.all[:4])
    text = sheet(club, at_home.table_session, at_home.member).text
    assert '>Alice goes Mah-jong with 100</a><span class="hint screen-only">; Bob 20</span>' in text
    assert re.findall(r'class="num won".*?title="(\w+)"', text) == ["East"]
    assert "is-east" not in text


def test_a_void_hand_is_said_to_count_in_no_number_of_hands(club, cast):
    at_home = house(club, cast.all[:4])
    user = at_home.member
    assert "void" not in sheet(club, at_home.table_session, user).text
    void = {"hands": {}, "mahjong": None, "penalties": [{"kind": "false mahjong", "by": "2"}]}
    record(at_home.table_session, void)
    page = sheet(club, at_home.table_session, user)
    assert "Hand 2 was void and is not counted." in page.text
    assert {player["hands"] for player in page.context["board"].totals()} == {1}
    record(at_home.table_session, void)
    assert "Hands 2 and 3 were void and are not counted." in sheet(club, at_home.table_session, user).text


def test_who_owes_is_marked_and_each_payment_has_its_column(club, cast):
    at_home = house(club, cast.all[:4])
    record(at_home.table_session, totals(at_home.table_session, 2, seat2=1000))
    text = signed_in(at_home.member).get(reverse("table", args=[club.slug, at_home.table_session.pk])).text
    # East Alice had 2,600 and pays Bob 2,000; the others had 1,780 and pay 1,000.
    assert text.count('class="balance pays"') == 0
    record(at_home.table_session, totals(at_home.table_session, 3, seat3=1000))
    text = signed_in(at_home.member).get(reverse("table", args=[club.slug, at_home.table_session.pk])).text
    # Dave had 780 and pays Carol 1,000; Alice had 600 and pays 1,000.
    assert re.findall(r'class="balance pays">([^<]*)<', text) == ["−400", "−220"]
    newest = text[text.index('<ol class="rows history"') :].split("</li>")[0]
    assert re.findall(r'class="moved"><span class="moved-name">(\w+)</span> ([^<]*)<', newest) == [
        ("Alice", "−1,000"), ("Bob", "−2,000"), ("Carol", "+4,000"), ("Dave", "−1,000"),
    ]  # fmt: skip


def test_a_special_hand_is_named_wherever_the_hand_is(club, cast):
    at_home = house(club, cast.all[:4])
    body = totals(at_home.table_session, 2)
    record(at_home.table_session, {**body, "hands": {**body["hands"], "2": {"special": "thirteen_unique_wonders"}}})
    said = "Bob goes Mah-jong: 13 Unique Wonders, 1,000"
    page = sheet(club, at_home.table_session, at_home.member)
    assert page.context["board"].rows()[1].words == said
    board = signed_in(at_home.member).get(reverse("table", args=[club.slug, at_home.table_session.pk])).text
    # Under the table, which says no total of its own, and in the list of hands.
    assert board.count(said) == 2
    assert f"{said} with" not in board
    assert watched_session(at_home.table_session, "short")["watched"].last.words == said


def test_minus_signs_are_real_ones(club, cast):
    at_home = house(club, cast.all[:4])
    text = sheet(club, at_home.table_session, at_home.member).content.decode()
    assert text.count("−160") == 4
    # Among the letters and figures of a hand's address there may be a hyphen before 160.
    assert not re.search("(?<![0-9a-f])-160", text)


def test_sticks_stand_beside_the_totals(club, cast):
    table_session = table_in_play(club, cast.all[:4], sticks="guide")
    record(table_session, totals(table_session, 2, seat2=50))
    text = sheet(club, table_session, logins(club)["member"]).content.decode()
    # Each of four begins with 1 × 1000, 2 × 500, 9 × 100, 10 × 10; East pays 100, the others 50 each.
    assert "1\u00a0×\u00a01,000, 2\u00a0×\u00a0500, 8\u00a0×\u00a0100, 10\u00a0×\u00a010" in text


@pytest.fixture
def brought_along(club, cast):
    meeting = Meeting.objects.create(club=club, date=DAY)
    session = Session.objects.create(
        club=club, meeting=meeting, date=DAY, table=3, rules="turner", imported=True, state="finished"
    )
    for chair, player in enumerate(cast.all[:3], 1):
        seat = session.seats.create(club=club, player=player, seat_no=chair)
        Tally.objects.create(club=club, session=session, seat=seat, player=player, hands=8, net=chair, balance=chair)
    return session


def test_a_session_brought_along_has_totals_and_no_table(club, brought_along):
    user = logins(club)["secretary"]
    page = sheet(club, brought_along, user)
    assert "Only the totals of this table are known, not its hands." in page.content.decode()
    here = [club.slug, brought_along.pk]
    for name in ("table", "hand-new", "seating"):
        assert signed_in(user).get(reverse(name, args=here)).status_code == 404
    assert signed_in(user).get(reverse("totals-csv", args=here)).status_code == 200
    assert signed_in(user).get(reverse("hands-csv", args=here)).status_code == 200


def test_figures_already_written_get_commas_and_a_real_minus():
    written = {"6907": "6,907", "-2284": "−2,284", "-1099.40": "−1,099.40", "265.7": "265.7", "0.12345": "0.12345"}
    assert {text: minus(text) for text in written} == written
