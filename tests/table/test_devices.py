"""Tablets at one table see each other, and what another has saved since."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from sessions_app.models import Device
from tests.afternoon import new_key
from tests.factories import record
from tests.factories import totals as hand_totals
from tests.logins import logins, signed_in
from tests.table.test_table_key import by_key

pytestmark = pytest.mark.slow


def at(at_home, name):
    return reverse(name, args=[at_home.club.slug, at_home.table_session.pk])


def others(client, at_home):
    return client.get(at(at_home, "others")).json()["words"]


SOMEBODY = "Another tablet is open here."


def earlier(minutes):
    Device.objects.update(seen_at=timezone.now() - timedelta(minutes=minutes))


def test_a_tablet_that_went_away_is_named_no_more(at_home):
    signed_in(at_home.secretary).get(at(at_home, "table"))
    earlier(4)
    assert others(signed_in(at_home.scorekeeper), at_home) == ""


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
    assert others(signed_in(at_home.secretary), at_home) == SOMEBODY


def test_a_forged_cookie_is_not_kept(at_home):
    client = signed_in(at_home.scorekeeper)
    client.cookies["device"] = "x; <script>"
    client.get(at(at_home, "table"))
    assert Device.objects.get().token == client.cookies["device"].value
    assert len(client.cookies["device"].value) == 22


def test_when_the_table_has_finished_nobody_is_noted(at_home):
    record(at_home.table_session, {}, kind="finish")
    signed_in(at_home.secretary).get(at(at_home, "table"))
    assert Device.objects.count() == 0


def test_a_sentence_says_that_another_tablet_scores_here(at_home):
    keeper, visitor = signed_in(at_home.scorekeeper), by_key(at_home.table_session)
    assert others(keeper, at_home) == ""
    # Its own page is no other's, however often it is opened.
    assert f">{SOMEBODY}</p>" not in keeper.get(at(at_home, "table")).text
    for _ in range(3):
        visitor.get(at(at_home, "table"))
    assert others(keeper, at_home) == SOMEBODY
    assert f">{SOMEBODY}</p>" in keeper.get(at(at_home, "table")).text


def test_made_up_tablets_are_not_all_noted(at_home):
    """Anyone with the table's code can come a request, each time as another tablet."""
    visitor = by_key(at_home.table_session)
    for number in range(40):
        visitor.cookies["device"] = f"made-up-device-{number:02d}"
        others(visitor, at_home)
    assert Device.objects.count() == 24
    signed_in(at_home.secretary).post(at(at_home, "scoring-new-key"))
    assert Device.objects.count() == 0


def test_rows_of_yesterday_are_swept_out(at_home):
    signed_in(at_home.secretary).get(at(at_home, "table"))
    old = Device.objects.get().token
    earlier(25 * 60)
    keeper = signed_in(at_home.scorekeeper)
    keeper.get(at(at_home, "table"))
    assert [device.token for device in Device.objects.all()] == [keeper.cookies["device"].value] != [old]


def test_hand_entry_is_told_that_another_hand_has_been_saved_since(at_home):
    keeper = signed_in(at_home.scorekeeper)

    def newer(after):
        return keeper.get(at(at_home, "others"), {"after": after}).json()["newer"]

    assert newer(at_home.hand_key) == ""
    # What it follows may still be on its way from this very tablet.
    assert newer(new_key()) == ""
    record(at_home.table_session, hand_totals(at_home.table_session, 2, seat2=40))
    sentence = "Hand 2 has been saved on another tablet. Check the table before you save this hand."
    assert (newer(at_home.hand_key), newer("")) == (sentence, sentence)


def test_a_half_entered_hand_stays_on_its_tablet(at_home):
    """Nothing of it is sent, so no address takes it, and hand entry has nothing of another tablet's."""
    keeper = signed_in(at_home.scorekeeper)
    page = keeper.get(at(at_home, "hand-new"))
    assert "begun" not in page.context["entry"]
    assert "draft" not in page.context["entry"]["urls"]
    assert keeper.post(f"{at(at_home, 'hand-new')}../draft/", {"key": new_key(), "body": "{}"}).status_code == 404


def test_another_clubs_tablet_sees_nothing(at_home, other_club):
    eve = signed_in(logins(other_club)["secretary"])
    assert eve.get(at(at_home, "others"), {"after": at_home.hand_key}).status_code == 404
