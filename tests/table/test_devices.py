"""Tablets at one table see each other, and one goes on with the hand that another has begun."""

import json
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.urls import reverse
from django.utils import timezone

from sessions_app.models import Device, Draft
from sessions_app.table.apply_command import apply_command
from sessions_app.table.devices import others_at
from tests.afternoon import BY, new_key, totals
from tests.page_cast import house, logins, record, signed_in
from tests.page_cast import totals as hand_totals
from tests.table.test_table_key import by_key

pytestmark = pytest.mark.slow


@pytest.fixture
def at_home(club, cast):
    return house(club, cast.all[:4])


def at(at_home, name):
    return reverse(name, args=[at_home.club.slug, at_home.table_session.pk])


def others(client, at_home):
    return client.get(at(at_home, "others")).json()["words"]


def begin(client, at_home, body=None, **more):
    """Send a hand half entered; Bob has 64 so far."""
    body = {"hands": {"2": {"total": 64}}, "mahjong": None} if body is None else body
    sent = {"key": new_key(), "after": at_home.hand_key, "body": json.dumps(body), **more}
    return SimpleNamespace(sent=sent, answer=client.post(at(at_home, "hand-draft"), sent).json())


def begun(client, at_home):
    page = client.get(at(at_home, "hand-new"))
    return page.context["entry"]["begun"]


SOMEBODY = "Another tablet is open at this table."


def named(at_home, client=None):
    """Return the other tablets at the table by name, as hand entry has them."""
    token = client.cookies["device"].value if client else ""
    return [str(one) for one in others_at(at_home.table_session, token)]


def earlier(minutes):
    Device.objects.update(seen_at=timezone.now() - timedelta(minutes=minutes))
    Draft.objects.update(at=timezone.now() - timedelta(minutes=minutes))


def test_a_sentence_says_who_else_scores_here(at_home):
    keeper, secretary = signed_in(at_home.scorekeeper), signed_in(at_home.secretary)
    visitor = by_key(at_home.table_session)
    assert others(keeper, at_home) == ""
    secretary.get(at(at_home, "table"))
    assert others(keeper, at_home) == SOMEBODY
    assert named(at_home, keeper) == ["the secretary’s tablet (bramley-secretary), now"]
    earlier(4)
    visitor.get(at(at_home, "table"))
    visitor.post(at(at_home, "tablet"), {"seat": "3"})
    visitor.get(at(at_home, "table"))
    # One line, however many there are and whatever they are called.
    page = keeper.get(at(at_home, "table")).text
    assert f">{SOMEBODY}</p>" in page
    assert named(at_home, keeper) == [
        "Carol’s tablet, now",
        "the secretary’s tablet (bramley-secretary), 4 minutes ago",
    ]
    assert " ".join(named(at_home)).count("bramley-scorekeeper’s tablet") == 1


def test_tablets_that_are_named_alike_are_counted(at_home):
    keeper = signed_in(at_home.scorekeeper)
    # Each comes with a cookie of its own, as one in private mode does.
    for _ in range(3):
        signed_in(at_home.secretary).get(at(at_home, "table"))
    earlier(4)
    for _ in range(4):
        signed_in(at_home.secretary).get(at(at_home, "table"))
    keeper.get(at(at_home, "table"))
    assert named(at_home, keeper) == ["the secretary’s tablet (bramley-secretary, 7 browsers), now"]
    earlier(5)
    for _ in range(2):
        by_key(at_home.table_session).get(at(at_home, "table"))
        signed_in(at_home.scorekeeper).get(at(at_home, "table"))
    assert named(at_home, keeper) == [
        "bramley-scorekeeper’s tablet (2 browsers), now",
        "2 other tablets, now",
        "the secretary’s tablet (bramley-secretary, 7 browsers), 5 minutes ago",
    ]


def test_a_tablet_that_went_away_is_named_no_more(at_home):
    signed_in(at_home.secretary).get(at(at_home, "table"))
    earlier(11)
    assert others(signed_in(at_home.scorekeeper), at_home) == ""


def test_made_up_tablets_do_not_grow_the_pages_of_everybody(at_home):
    """Anyone with the table's code can send a draft a request, each as another tablet."""
    visitor, long = by_key(at_home.table_session), {"hands": {"2": {"tiles": "1B " * 4000}}, "mahjong": None}
    for number in range(40):
        visitor.cookies["device"] = f"made-up-device-{number:02d}"
        begin(visitor, at_home)
        begin(visitor, at_home, long)
        begin(visitor, at_home)
    assert (Device.objects.count(), Draft.objects.count()) == (24, 24)
    begin(visitor, at_home, long)
    keeper = signed_in(at_home.scorekeeper)
    assert len(begun(keeper, at_home)) == 6
    assert len(keeper.get(at(at_home, "hand-new")).content) < 130_000


def test_a_draft_that_is_too_long_is_not_kept(at_home):
    visitor = by_key(at_home.table_session)
    assert begin(visitor, at_home).answer["kept"] is True
    assert begin(visitor, at_home, {"hands": {"2": {"tiles": "1B " * 4000}}, "mahjong": None}).answer["kept"] is False
    assert begun(signed_in(at_home.scorekeeper), at_home) == []


def test_a_draft_made_with_a_replaced_code_is_offered_to_nobody(at_home):
    begin(by_key(at_home.table_session), at_home)
    keeper = signed_in(at_home.scorekeeper)
    assert len(begun(keeper, at_home)) == 1
    signed_in(at_home.secretary).post(at(at_home, "scoring-new-key"))
    assert begun(keeper, at_home) == []


def test_those_who_only_read_are_not_named(at_home):
    signed_in(at_home.member).get(at(at_home, "table"))
    assert Device.objects.count() == 0


def test_a_tablet_is_noted_every_two_minutes_and_counts_as_there_in_between(at_home):
    client = signed_in(at_home.scorekeeper)
    others(client, at_home)
    first = Device.objects.get().seen_at
    for seconds, is_written in ((0, False), (110, False), (121, True)):
        before = first - timedelta(seconds=seconds)
        Device.objects.update(seen_at=before)
        others(client, at_home)
        assert (Device.objects.get().seen_at > before) == is_written
    earlier(2)
    assert named(at_home) == ["bramley-scorekeeper’s tablet, now"]


def test_rows_of_yesterday_are_swept_out(at_home):
    signed_in(at_home.secretary).get(at(at_home, "table"))
    Device.objects.update(seen_at=timezone.now() - timedelta(hours=25))
    signed_in(at_home.scorekeeper).get(at(at_home, "table"))
    assert [device.user for device in Device.objects.all()] == [at_home.scorekeeper]


def test_a_forged_cookie_is_not_kept(at_home):
    client = signed_in(at_home.scorekeeper)
    client.cookies["device"] = "x; <script>"
    client.get(at(at_home, "table"))
    assert Device.objects.get().token == client.cookies["device"].value
    assert len(client.cookies["device"].value) == 22


def test_another_tablet_is_offered_the_draft(at_home):
    visitor, keeper = by_key(at_home.table_session), signed_in(at_home.scorekeeper)
    visitor.post(at(at_home, "tablet"), {"seat": "2"})
    one = begin(visitor, at_home)
    assert one.answer == {"kept": True, "recorded": False, "also": [], "newer": ""}
    assert begun(visitor, at_home) == []
    [offer] = begun(keeper, at_home)
    assert offer == {
        "whose": "Bob’s tablet",
        "ago": "now",
        "key": one.sent["key"],
        "after": at_home.hand_key,
        "body": {"hands": {"2": {"total": 64}}, "mahjong": None},
        "drawn": False,
    }
    assert begin(keeper, at_home).answer["also"] == ["Bob’s tablet"]


def test_a_hand_recorded_is_offered_no_more(at_home):
    visitor, keeper = by_key(at_home.table_session), signed_in(at_home.scorekeeper)
    one = begin(visitor, at_home)
    body = totals("2", s2=64)
    command = {"key": one.sent["key"], "kind": "hand", "body": body, "after": at_home.hand_key}
    assert apply_command(at_home.table_session.pk, command, BY).outcome == "recorded"
    assert Draft.objects.count() == 0
    assert begun(keeper, at_home) == []
    again = visitor.post(at(at_home, "hand-draft"), one.sent).json()
    assert again == {
        "kept": False,
        "recorded": True,
        "also": [],
        "newer": "Hand 2 has been saved on another tablet. Check the table before you save this hand.",
    }
    assert Draft.objects.count() == 0


def test_a_hand_of_another_place_is_not_offered(at_home):
    visitor, keeper = by_key(at_home.table_session), signed_in(at_home.scorekeeper)
    begin(visitor, at_home)
    record(at_home.table_session, hand_totals(at_home.table_session, 2, seat2=40))
    assert begun(keeper, at_home) == []


def test_hand_entry_says_that_another_hand_has_been_saved_since(at_home):
    keeper = signed_in(at_home.scorekeeper)
    assert begin(keeper, at_home).answer["newer"] == ""
    # What it follows may still be on its way from this very tablet.
    assert begin(keeper, at_home, after=new_key()).answer["newer"] == ""
    record(at_home.table_session, hand_totals(at_home.table_session, 2, seat2=40))
    sentence = "on another tablet. Check the table before you save this hand."
    assert begin(keeper, at_home).answer["newer"] == f"Hand 2 has been saved {sentence}"
    assert begin(keeper, at_home, after="").answer["newer"] == f"Hand 2 has been saved {sentence}"


def test_a_draft_of_yesterday_is_not_offered(at_home):
    begin(by_key(at_home.table_session), at_home)
    earlier(24 * 60)
    assert begun(signed_in(at_home.scorekeeper), at_home) == []


def test_starting_again_leaves_nothing_to_offer(at_home):
    visitor = by_key(at_home.table_session)
    begin(visitor, at_home)
    assert begin(visitor, at_home, {"hands": {}, "mahjong": None}).answer["kept"] is False
    assert Draft.objects.count() == 0


@pytest.mark.parametrize("wrong", [{"key": "x"}, {"body": "{"}, {"body": "[]"}, {"body": ""}, {"key": ""}])
def test_what_cannot_be_read_is_refused(at_home, wrong):
    visitor = by_key(at_home.table_session)
    sent = {"key": new_key(), "body": "{}", **wrong}
    answer = visitor.post(at(at_home, "hand-draft"), sent)
    assert (answer.status_code, answer.json()["message"]) == (422, "This hand cannot be read.")


def test_another_clubs_tablet_sees_nothing(at_home, other_club):
    begin(by_key(at_home.table_session), at_home)
    eve = signed_in(logins(other_club)["secretary"])
    assert eve.get(at(at_home, "others")).status_code == 404
    assert eve.post(at(at_home, "hand-draft"), {"key": new_key(), "body": "{}"}).status_code == 404


def test_when_the_table_has_finished_nobody_is_noted(at_home):
    record(at_home.table_session, {}, kind="finish")
    signed_in(at_home.secretary).get(at(at_home, "table"))
    assert Device.objects.count() == 0


def test_state_json_tells_it_too(at_home):
    visitor, keeper = by_key(at_home.table_session), signed_in(at_home.scorekeeper)
    visitor.post(at(at_home, "tablet"), {"seat": "2"})
    begin(visitor, at_home)
    answer = keeper.get(at(at_home, "table-state")).json()
    assert (answer["devices"], answer["begun"]) == (["Bob’s tablet, now"], ["Bob’s tablet"])
    answer = signed_in(at_home.member).get(at(at_home, "table-state")).json()
    assert (answer["devices"], answer["begun"]) == ([], [])
