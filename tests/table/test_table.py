"""The table page: the seats as they sit, what its buttons do, and what an htmx request gets."""

import datetime
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubscore.play.table_words import places_of
from clubscore.scoring.tiles import WIND_NAMES
from sessions_app.meetings.services import new_joining_code
from sessions_app.models import Club, Session
from sessions_app.people.log import Actor
from sessions_app.web.requests import today_in
from tests.factories import house, record, table_in_play, totals
from tests.logins import logins, signed_in


def at(at_home, name, *more):
    return reverse(name, args=[at_home.club.slug, at_home.table_session.pk, *more])


def board(client, at_home):
    return client.get(at(at_home, "table")).context


def sides(context):
    return {side: (wind, name or None, balance) for side, wind, _, name, balance, _ in context["page"]["sides"]}


def test_seats_as_they_sit_before_the_second_hand(at_home):
    context = board(signed_in(at_home.member), at_home)
    # Alice, East, won 100: South pays 200, the others too; Bob's 20 are worth 20 from West and North.
    assert sides(context) == {
        "bottom": ("E", "Alice", 2600),
        "right": ("S", "Bob", 1840),
        "top": ("W", "Carol", 1780),
        "left": ("N", "Dave", 1780),
    }
    seating = context["seating"]
    assert (context["page"]["east"], WIND_NAMES[seating.wind_of_round], seating.kept) == ("Alice", "East", 1)


def test_people_stay_in_their_chairs_when_the_deal_passes(at_home):
    record(at_home.table_session, totals(at_home.table_session, 3, seat3=50))
    context = board(signed_in(at_home.member), at_home)
    assert {side: seat[:2] for side, seat in sides(context).items()} == {
        "bottom": ("N", "Alice"),
        "right": ("E", "Bob"),
        "top": ("S", "Carol"),
        "left": ("W", "Dave"),
    }


def test_who_comes_in_takes_the_chair_of_who_goes_out():
    # Five players, East passes each time: 1 goes out and 5 takes that side, then 2 goes out and 1 takes that side.
    assert places_of([(1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 1)]) == [5, 1, 3, 4]


def test_three_players_keep_the_empty_chair_in_its_place():
    assert places_of([(1, 2, 3, None), (2, 3, None, 1), (3, None, 1, 2)]) == [1, 2, 3, None]


def test_turning_the_picture_is_remembered_on_this_tablet(at_home):
    client = signed_in(at_home.member)
    assert client.get(at(at_home, "table") + "?turn=1").status_code == 302
    assert sides(board(client, at_home))["bottom"][1] == "Bob"


def test_nobody_makes_a_goulash(at_home):
    client = signed_in(at_home.scorekeeper)
    assert client.post(at(at_home, "nobody")).url == at(at_home, "table")
    page = client.get(at(at_home, "table"))
    assert page.context["seating"].goulash
    assert "The next hand is a goulash." in page.content.decode()


def test_htmx_gets_the_board_alone(at_home):
    client = signed_in(at_home.scorekeeper)
    answer = client.post(at(at_home, "nobody"), headers={"HX-Request": "true"})
    text = answer.content.decode()
    assert (answer.status_code, "<html" in text, 'id="board"' in text) == (200, False, True)
    assert "Hand 2: no winner. Alice stays East; goulash next." in text


def test_htmx_asking_for_news_gets_none_until_there_is_some(at_home):
    client = signed_in(at_home.member)
    version = board(client, at_home)["table_session"].version
    asked = {"version": version}, {"HX-Request": "true"}
    assert client.get(at(at_home, "table"), asked[0], headers=asked[1]).status_code == 204
    record(at_home.table_session, totals(at_home.table_session, None))
    assert client.get(at(at_home, "table"), asked[0], headers=asked[1]).status_code == 200


def test_undo_and_redo(at_home):
    client = signed_in(at_home.scorekeeper)
    client.post(at(at_home, "undo"))
    assert [balance for _, _, balance in sides(board(client, at_home)).values()] == [2000, 2000, 2000, 2000]
    client.post(at(at_home, "redo"))
    assert [balance for _, _, balance in sides(board(client, at_home)).values()] == [2600, 1840, 1780, 1780]


def test_the_same_press_twice_is_done_once(at_home):
    client = signed_in(at_home.scorekeeper)
    key = re.search(r'name="key" value="([^"]+)"', client.get(at(at_home, "table")).content.decode()).group(1)
    for _ in range(2):
        client.post(at(at_home, "nobody"), {"key": key})
    assert at_home.table_session.hands.count() == 2


@pytest.mark.parametrize("seats", ["[" * 100_000, "{", "[1, 2]", '"E"'])
def test_seats_that_are_none_leave_the_press_as_it_was_meant(at_home, seats):
    answer = signed_in(at_home.scorekeeper).post(at(at_home, "nobody"), {"seats": seats})
    assert (answer.status_code, at_home.table_session.hands.count()) == (302, 2)


def test_members_only_look(at_home):
    text = signed_in(at_home.member).get(at(at_home, "table")).content.decode()
    assert ('id="mahjong"' in text, 'id="undo"' in text) == (False, False)


def test_finish_and_only_the_secretary_opens_again(at_home):
    signed_in(at_home.scorekeeper).post(at(at_home, "finish"))
    at_home.table_session.refresh_from_db()
    assert at_home.table_session.state == "finished"
    assert signed_in(at_home.scorekeeper).get(at(at_home, "hand-new")).url == at(at_home, "table")
    signed_in(at_home.secretary).post(at(at_home, "reopen"))
    at_home.table_session.refresh_from_db()
    assert at_home.table_session.state == "open"


def finished(at_home, name="table", who="member"):
    """Finish the table, and return the words of its page from the final order, or from the totals, on."""
    record(at_home.table_session, {}, kind="finish")
    text = signed_in(getattr(at_home, who)).get(at(at_home, name)).text
    begin, end = {
        "table": ('class="final-order"', "See and print the sheet"),
        "session-sheet": ('class="final-payments"', "Hand by hand"),
    }[name]
    part = text[text.index(begin) : text.index(end)].partition(">")[2]
    return " ".join(re.sub("<[^>]+>", " ", part).split())


def test_the_sheet_of_a_finished_session_draws_the_balances_hand_by_hand(at_home):
    member = signed_in(at_home.member)
    assert "Balances, hand by hand" not in member.get(at(at_home, "session-sheet")).text
    record(at_home.table_session, {}, kind="finish")
    assert (
        "After hand 1: Alice 2,600, Bob 1,840, Carol 1,780, Dave 1,780."
        in member.get(at(at_home, "session-sheet")).text
    )


IN_MONEY = "Settle up Carol pays Alice £0.44 Dave pays Alice £0.44 Bob pays Alice £0.32 £2.00 for 1,000 points"
IN_POINTS = "Settle up Carol pays Alice 220 points Dave pays Alice 220 points Bob pays Alice 160 points"


@pytest.mark.parametrize(("rate", "expected"), [(2, IN_MONEY), (None, IN_POINTS)])
def test_a_finished_table_shows_the_final_order_and_who_pays_whom(at_home, rate, expected):
    Club.objects.update(points_rate=rate)
    # Carol and Dave lost the same: they share third place. The names alone are those of the lines of the balances.
    order = "1 Alice +600 2 Bob −160 3 Carol −220 3 Dave −220"
    assert finished(at_home) == f"{order} Alice Bob Carol Dave Best hand: Alice , 100 in hand 1 {expected}"


@pytest.mark.parametrize(("rate", "expected"), [(2, IN_MONEY), (None, IN_POINTS)])
def test_the_sheet_says_who_pays_whom(at_home, rate, expected):
    Club.objects.update(points_rate=rate)
    assert finished(at_home, "session-sheet").startswith(expected)


def test_a_fine_that_nobody_received_goes_into_the_box(at_home):
    record(at_home.table_session, {"by": "4", "to": None, "amount": 30}, kind="fine")
    assert finished(at_home).endswith(
        "Dave pays Alice 250 points Carol pays Alice 220 points Bob pays Alice 130 points "
        "Bob pays the box 30 points for penalties paid to no one"
    )


def test_nobody_settles_up_at_a_table_in_play_or_for_practice(at_home):
    assert "Settle up" not in signed_in(at_home.member).get(at(at_home, "session-sheet")).text
    at_home.table_session.tallies.update(season=None)
    Session.objects.update(practice=True, season=None)
    assert "Settle up" not in finished(at_home)


def test_where_sticks_paid_every_hand_they_go_back(club, cast):
    at_home = house(club, cast.all[:4], sticks="guide")
    assert finished(at_home).endswith("Settle up. Each player hands back their tally sticks.")


def test_from_a_hand_of_a_finished_session_the_secretary_comes_back_to_it(at_home):
    record(at_home.table_session, {}, kind="finish")
    hand = reverse("hand", args=[at_home.club.slug, at_home.table_session.pk, at_home.table_session.entries.get().key])
    assert "Open the table again" not in signed_in(at_home.scorekeeper).get(hand).content.decode()
    client = signed_in(at_home.secretary)
    assert "Open the table again" in client.get(hand).content.decode()
    answer = client.post(at(at_home, "reopen"), {"hand": hand.split("/")[-2]}, follow=True)
    assert answer.redirect_chain == [(hand, 302)]
    assert "Change this hand" in answer.content.decode()
    assert "Finish the table again at its table" in answer.content.decode()


def button(client, at_home, word):
    """Return what stands on the table's button that begins with this word."""
    found = re.search(rf">(<span>{word}.*?)</button>", client.get(at(at_home, "table")).text, re.DOTALL)[1]
    return re.sub(r"<[^>]*>", "", found).strip()


def undo_button(client, at_home):
    return button(client, at_home, "Undo")


def test_undo_and_redo_name_what_they_are_about(at_home):
    client, table_session = signed_in(at_home.scorekeeper), at_home.table_session
    hand = str(table_session.entries.get().key)
    said = [undo_button(client, at_home)]
    for kind, body in (
        ("fine", {"by": "1", "amount": 50}),
        ("hand", totals(table_session, 3, seat3=50)),
        ("correct", {"entry": hand, "body": totals(table_session, 1, seat1=40)}),
        ("take_out", {"entry": hand}),
        ("put_back", {"entry": hand}),
        ("exchange", {"a": "1", "b": "2"}),
    ):
        record(table_session, body, kind=kind)
        said.append(undo_button(client, at_home))
    assert button(client, at_home, "Redo") == "Redo"
    again = []
    while said[-1] != "Undo":
        client.post(at(at_home, "undo"))
        said.append(undo_button(client, at_home))
        again.append(button(client, at_home, "Redo"))
    onwards = ["Undo: hand 1", "Undo: penalty", "Undo: hand 2", "Undo: change of hand 1", "Undo: removing hand 1",
               "Undo: restoring hand 1", "Undo: swap"]  # fmt: skip
    back = [*onwards[-2::-1], "Undo"]
    assert said == [*onwards, *back]
    assert again == ["Redo: swap", "Redo: restoring hand 1", "Redo: removing hand 1", "Redo: change of hand 1",
                     "Redo: hand 2", "Redo: penalty", "Redo: hand 1"]  # fmt: skip


def test_the_last_changes_say_who_made_them(at_home):
    table_session = at_home.table_session
    record(table_session, {"by": "1", "amount": 50}, kind="fine")
    signed_in(at_home.scorekeeper).post(at(at_home, "undo"))
    by_key = Client()
    by_key.get(reverse("by-key", args=[table_session.scoring_key]))
    keeper = at_home.scorekeeper.get_full_name() or at_home.scorekeeper.get_username()
    for client in (signed_in(at_home.secretary), signed_in(at_home.scorekeeper), by_key):
        lines = client.get(at(at_home, "last-changes")).context["lines"]
        assert [line.action for line in lines] == ["undo", "fine", "hand"]
        assert lines[0].sentence.startswith(f"{keeper} undid what ")
        assert lines[0].sentence.endswith(" had done: recorded a penalty: Alice pays 50.")
    assert signed_in(at_home.member).get(at(at_home, "last-changes")).status_code == 403


def test_finishing_by_mistake_is_undone_until_its_hours_are_over(at_home):
    client = signed_in(at_home.scorekeeper)
    client.post(at(at_home, "finish"))
    hours = datetime.timedelta(hours=24)
    Session.objects.update(finished_at=timezone.now() - hours - datetime.timedelta(minutes=1))
    assert client.post(at(at_home, "undo")).status_code == 403
    Session.objects.update(finished_at=timezone.now() - hours + datetime.timedelta(minutes=1))
    assert undo_button(client, at_home) == "Undo: finish"
    client.post(at(at_home, "undo"))
    at_home.table_session.refresh_from_db()
    assert at_home.table_session.state == "open"


def test_an_old_afternoon_is_the_secretarys(at_home):
    record(at_home.table_session, {}, kind="finish")
    Session.objects.update(finished_at=timezone.now() - datetime.timedelta(days=2))
    assert signed_in(at_home.scorekeeper).post(at(at_home, "undo")).status_code == 403
    assert signed_in(at_home.secretary).post(at(at_home, "undo")).status_code == 302


@pytest.fixture
def contested(at_home):
    """Two tablets recorded the second hand: one for Bob stands, one for Carol waits."""
    client = signed_in(at_home.scorekeeper)
    table_session = at_home.table_session
    body = totals(table_session, 3, seat3=50)
    after = at_home.hand_key
    record(table_session, totals(table_session, 2, seat2=40))
    posted = {f"form_{seat}": "total" for seat in "1234"}
    posted |= {f"total_{seat}": hand["total"] for seat, hand in body["hands"].items()}
    client.post(at(at_home, "hand-record"), {**posted, "winner": "3", "after": after})
    return client


def winners(at_home):
    rows = at_home.table_session.hands.filter(player_hands__won=True, entry__removed=False)
    return list(rows.order_by("number").values_list("player_hands__seat__player__short_name", flat=True))


def test_two_records_for_one_hand_are_both_shown(contested, at_home):
    [card] = board(contested, at_home)["waiting"]
    assert (card.words, card.rival.words) == ("A hand: Carol goes Mah-jong", "Bob goes Mah-jong")


@pytest.mark.parametrize(
    ("choice", "expected"),
    [("recorded", ["Alice", "Bob"]), ("sent", ["Alice", "Carol"])],
)
def test_choosing_between_two_records(contested, at_home, choice, expected):
    [card] = board(contested, at_home)["waiting"]
    sent, rival = str(card.command.key), str(card.rival.entry.key)
    contested.post(at(at_home, "choose"), {"drop": sent} if choice == "recorded" else {"keep": sent, "drop": rival})
    assert winners(at_home) == expected
    assert board(contested, at_home)["waiting"] == []


def test_what_came_late_is_the_secretarys_to_take_in(at_home):
    after = at_home.hand_key
    record(at_home.table_session, {}, kind="finish")
    sent = {f"form_{seat}": "nothing" for seat in "1234"} | {"form_2": "total", "total_2": "40", "winner": "2"}
    client = signed_in(at_home.scorekeeper)
    assert client.post(at(at_home, "hand-record"), {**sent, "after": after}).status_code == 422
    secretary = signed_in(at_home.secretary)
    [card] = board(secretary, at_home)["waiting"]
    keep = {"keep": str(card.command.key)}
    assert client.post(at(at_home, "choose"), keep).status_code == 403
    assert "This came after the table was finished" in secretary.get(at(at_home, "table")).text
    assert secretary.post(at(at_home, "choose"), keep).status_code == 302
    assert winners(at_home) == ["Alice", "Bob"]


def test_five_at_a_table_show_who_sits_out(club, cast, at_home):
    table_session = table_in_play(club, cast.all, number=2)
    context = signed_in(at_home.member).get(reverse("table", args=[club.slug, table_session.pk])).context
    assert context["page"]["sitting_out"] == [("Fay", 1600, 0)]


# The end of play.


def words_of(client, address):
    """Return what stands on a page, without its tags."""
    return " ".join(re.sub(r"<[^>]*>", "", client.get(address).text).split())


def test_a_table_says_how_many_hands_a_fair_end_takes(club, cast):
    table = table_in_play(club, cast.all)
    client, address = signed_in(logins(club)["scorekeeper"]), reverse("table", args=[club.slug, table.pk])
    text = words_of(client, address)
    assert "When the deal passes, Alice sits out." in text
    assert "The round ends after 5 more hands. That is a fair time to stop." in text
    assert "Alice: 1 hand Bob: 2 hands Carol: 3 hands Dave: 4 hands Fay: 5 hands" in text
    record(table, totals(table, 3, seat3=50))
    text = words_of(client, address)
    assert "When the deal passes, Bob sits out." in text
    assert "The round ends after 4 more hands" in text
    assert "Bob: 1 hand Carol: 2 hands Dave: 3 hands Fay: 4 hands Alice: 5 hands" in text


def test_a_finished_table_names_its_best_hand_and_leads_to_the_email(at_home):
    record(at_home.table_session, totals(at_home.table_session, 3, seat3=100, seat1=8))
    keeper = signed_in(at_home.scorekeeper)
    assert "Best hand" not in words_of(keeper, at(at_home, "table"))
    keeper.post(at(at_home, "finish"))
    assert "Best hand: Alice, 100 in hand 1 Best hand: Carol, 100 in hand 2" in words_of(keeper, at(at_home, "table"))
    assert "Email the results" not in words_of(keeper, at(at_home, "table"))
    assert "Email the results" in words_of(signed_in(at_home.secretary), at(at_home, "table"))


# What stands at the table in plain sight.

GROUPS = ["Who sits here", "The hands", "This tablet"]


def headings(text):
    return re.findall(r'<h2 id="[a-z-]+">([^<]+)</h2>', text)


def test_everything_else_stands_in_three_groups(at_home):
    text = signed_in(at_home.scorekeeper).get(at(at_home, "table")).text
    assert [heading for heading in headings(text) if heading in GROUPS] == GROUPS
    assert not set(GROUPS) & set(headings(signed_in(at_home.member).get(at(at_home, "table")).text))


def test_the_codes_for_another_tablet_are_shown_to_who_may_give_them_out(at_home):
    table_session = at_home.table_session
    meeting = table_session.meeting
    code = new_joining_code(meeting, by=Actor(name="The test"))
    spoken = f"{code[:3]} {code[3:]}"
    clients = {name: signed_in(getattr(at_home, name)) for name in ("secretary", "scorekeeper", "member")}
    by_key = Client()
    by_key.get(reverse("by-key", args=[table_session.scoring_key]))

    def shown(client):
        text = client.get(at(at_home, "table")).text
        return "QR code for scoring this table" in text, spoken in text

    assert {name: shown(client) for name, client in clients.items()} == {
        "secretary": (True, False),
        "scorekeeper": (True, False),
        "member": (False, False),
    }
    # The join code works on the meeting's own day alone.
    meeting.date = today_in(at_home.club)
    meeting.save()
    assert {name: shown(client) for name, client in {**clients, "by key": by_key}.items()} == {
        "secretary": (True, True),
        "scorekeeper": (True, True),
        "member": (False, False),
        "by key": (False, False),
    }
