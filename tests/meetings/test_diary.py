"""The diary: a meeting planned with its time and place, moved, changed and taken out again; all of it in the log."""

import datetime

import pytest
from django.urls import reverse

from sessions_app.meetings.services import attend, plan_meeting
from sessions_app.models import Change, Meeting
from sessions_app.people.log import Actor
from sessions_app.people.log_pages import Wanted, log_page
from sessions_app.table.sessions import start_session
from tests.page_cast import logins, signed_in

BY = Actor(name="Pat")


DAY = datetime.date(2026, 11, 19)


HALL = {"date": "2026-11-19", "starts_at": "14:00", "place": " Village  hall ", "name": ""}


@pytest.fixture
def client(club):
    return signed_in(logins(club)["scorekeeper"])


@pytest.fixture
def meeting(club):
    return plan_meeting(club, DAY, "", datetime.time(14), "Village hall", by=BY)


def told(club):
    return [line.sentence for line in log_page(club, Wanted()).lines]


def test_planned_with_time_and_place_and_the_next_one_begins_with_them(client, club):
    assert client.post(reverse("meetings", args=[club.slug]), HALL).status_code == 302
    planned = Meeting.objects.get()
    assert (planned.date, planned.starts_at, planned.place) == (DAY, datetime.time(14), "Village hall")
    page = client.get(reverse("meetings", args=[club.slug]))
    assert page.context["form"].initial["starts_at"] == datetime.time(14)
    assert page.context["form"].initial["place"] == "Village hall"


def test_a_time_that_is_none_is_asked_again_and_nothing_typed_is_lost(client, club):
    page = client.post(reverse("meetings", args=[club.slug]), HALL | {"starts_at": "two"})
    assert page.status_code == 422
    assert (
        "Enter the time for “Starts at”, for example 14:00." in page.content.decode()
        and " Village  hall " in page.content.decode()
    )
    assert not Meeting.objects.exists()


def test_the_club_page_says_when_and_where(client, club, meeting, monkeypatch):
    monkeypatch.setattr("sessions_app.league.club_views.today_in", lambda club: DAY - datetime.timedelta(days=2))
    page = client.get(reverse("club", args=[club.slug])).content.decode()
    assert "Next meeting: Thursday 19 November, 2 p.m., Village hall" in page


def test_moved_to_another_day(client, club, meeting):
    sent = HALL | {"date": "2026-11-26", "starts_at": "13:30"}
    assert client.post(reverse("meeting-change", args=[club.slug, meeting.pk]), sent).status_code == 302
    meeting.refresh_from_db()
    assert (meeting.date, meeting.starts_at) == (datetime.date(2026, 11, 26), datetime.time(13, 30))
    was = "date 26 November 2026 (was 19 November 2026); starts at 13:30 (was 14:00)"
    assert told(club)[0].endswith(f"changed the meeting of 26 November 2026: {was}.")
    assert Change.objects.latest("pk").before["date"] == "2026-11-19"


def test_saved_as_it_is_changes_nothing(client, club, meeting):
    lines = Change.objects.count()
    assert client.post(reverse("meeting-change", args=[club.slug, meeting.pk]), HALL).status_code == 302
    assert Change.objects.count() == lines


def test_not_on_the_day_of_another_without_a_name(client, club, meeting):
    plan_meeting(club, DAY + datetime.timedelta(days=7), by=BY)
    sent = HALL | {"date": "2026-11-26"}
    page = client.post(reverse("meeting-change", args=[club.slug, meeting.pk]), sent)
    assert page.status_code == 422
    assert "Enter a name for this meeting. There is already one on this day." in page.content.decode()


def test_a_day_on_which_tables_were_played_is_not_moved_but_its_place_may_change(client, club, cast, meeting):
    start_session(club, DAY, 1, cast.all[:4], "bmja", {}, by=BY)
    address = reverse("meeting-change", args=[club.slug, meeting.pk])
    page = client.post(address, HALL | {"date": "2026-11-26"})
    assert page.status_code == 422
    assert "Tables were played on this day. Move each session from its sheet instead." in page.content.decode()
    assert client.post(address, HALL | {"place": "Library"}).status_code == 302
    meeting.refresh_from_db()
    assert (meeting.date, meeting.place) == (DAY, "Library")


def test_taken_out_of_the_diary(client, club, meeting):
    assert client.post(reverse("meeting-change", args=[club.slug, meeting.pk]), {"call_off": "1"}).status_code == 302
    assert not Meeting.objects.exists()
    assert told(club)[0].endswith("cancelled the meeting of 19 November 2026.")


def test_a_meeting_to_which_somebody_came_stays(client, club, cast, meeting):
    attend(meeting, {cast.alice.pk: "here"}, by=BY)
    address = reverse("meeting-change", args=[club.slug, meeting.pk])
    page = client.post(address, {"call_off": "1"}, follow=True)
    assert "You cannot cancel this meeting, because someone has already come to it." in page.content.decode()
    assert Meeting.objects.exists()
