"""The diary: a meeting planned with its time and place, moved, changed and taken out again; all of it in the log."""

import datetime

import pytest
from django.urls import reverse

from sessions_app.meetings.services import attend, plan_meeting
from sessions_app.models import Change, Meeting
from sessions_app.people.log import Actor
from sessions_app.people.log_pages import LogFilter, log_page
from sessions_app.table.sessions import start_session
from tests.logins import logins, signed_in

pytestmark = pytest.mark.usefixtures("that_afternoon")

BY = Actor(name="Pat")
DAY = datetime.date(2026, 11, 19)
HALL = {"date": "2026-11-19", "starts_at": "14:00", "place": " Village  hall ", "name": ""}


@pytest.fixture
def client(club):
    return signed_in(logins(club)["scorekeeper"])


@pytest.fixture
def meeting(club):
    return plan_meeting(club, DAY, starts_at=datetime.time(14), place="Village hall", by=BY)


def log_of(club):
    return [line.sentence for line in log_page(club, LogFilter()).lines]


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
    assert "Enter the time for “Starts at”, for example 14:00." in page.content.decode()
    assert " Village  hall " in page.content.decode()
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
    assert log_of(club)[0].endswith(f"changed the meeting of 26 November 2026: {was}.")
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
    assert "Tables were played on this day. Move each table from its sheet instead." in page.content.decode()
    assert client.post(address, HALL | {"place": "Library"}).status_code == 302
    meeting.refresh_from_db()
    assert (meeting.date, meeting.place) == (DAY, "Library")


def test_taken_out_of_the_diary(client, club, meeting):
    assert client.post(reverse("meeting-change", args=[club.slug, meeting.pk]), {"call_off": "1"}).status_code == 302
    assert not Meeting.objects.exists()
    assert log_of(club)[0].endswith("cancelled the meeting of 19 November 2026.")


def test_a_meeting_to_which_somebody_came_stays(client, club, cast, meeting):
    attend(meeting, {cast.alice.pk: "here"}, by=BY)
    address = reverse("meeting-change", args=[club.slug, meeting.pk])
    page = client.post(address, {"call_off": "1"}, follow=True)
    assert "You cannot cancel this meeting, because someone has already come to it." in page.content.decode()
    assert Meeting.objects.exists()


SECOND_TUESDAYS = {
    "date": "2027-04-06", "starts_at": "14:00", "place": "Village hall", "name": "", "repeat": "2-weeks",
    "until": "2027-06-30", "skipped": "04/05/2027, 18/05/2027",
}  # fmt: skip


def days(club):
    return [f"{meeting.date.day}/{meeting.date.month}" for meeting in Meeting.objects.of_club(club).order_by("date")]


def test_every_second_tuesday_until_june_without_two_of_them(client, club):
    answer = client.post(reverse("meetings", args=[club.slug]), SECOND_TUESDAYS, follow=True)
    # The calendar of 2027: 6 April is a Tuesday; 4 and 18 May are left out.
    assert days(club) == ["6/4", "20/4", "1/6", "15/6", "29/6"]
    assert "5 meetings added, until 29 June 2027." in answer.content.decode()
    assert set(Meeting.objects.values_list("starts_at", "place")) == {(datetime.time(14), "Village hall")}
    assert Change.objects.filter(subject_type="meeting", action="add").count() == 5


def test_the_second_tuesday_of_each_month_and_a_fifth_only_where_there_is_one(client, club):
    sent = SECOND_TUESDAYS | {"date": "2027-01-12", "repeat": "month", "skipped": "", "until": "2027-05-31"}
    client.post(reverse("meetings", args=[club.slug]), sent)
    assert days(club) == ["12/1", "9/2", "9/3", "13/4", "11/5"]
    Meeting.objects.all().delete()
    # 31 March 2027 is a fifth Wednesday, and so is 30 June; April and May have four.
    client.post(reverse("meetings", args=[club.slug]), sent | {"date": "2027-03-31", "until": "2027-06-30"})
    assert days(club) == ["31/3", "30/6"]


def test_days_with_a_meeting_of_the_name_keep_it(client, club):
    kept = plan_meeting(club, datetime.date(2027, 4, 20), starts_at=datetime.time(10), place="Library", by=BY)
    answer = client.post(reverse("meetings", args=[club.slug]), SECOND_TUESDAYS, follow=True)
    assert "4 meetings added, until 29 June 2027. On 1 of the days there was one already." in answer.content.decode()
    kept.refresh_from_db()
    assert (kept.place, len(days(club))) == ("Library", 5)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"until": ""}, "Enter a last day after the first meeting, for example 30/06/2027."),
        ({"until": "2027-04-01"}, "Enter a last day after the first meeting, for example 30/06/2027."),
        ({"until": "2029-12-01"}, "Enter a last day within two years of the first meeting."),
        ({"date": "9999-12-01", "until": "9999-12-31"}, "Enter a year from 1900 to 2999."),
        ({"until": "9999-12-31"}, "Enter a year from 1900 to 2999."),
        ({"until": "0027-06-30"}, "Enter the year with four digits, for example 2026."),
        ({"skipped": "22/12/0026"}, "Enter the days to leave out with commas, for example 22/12/2026."),
        ({"until": "June"}, "Enter the last day, for example 30/06/2027."),
        ({"skipped": "Easter"}, "Enter the days to leave out with commas, for example 22/12/2026."),
        ({"until": "2027-04-07", "skipped": "06/04/2027"}, "Enter fewer days to leave out. No meeting would be left."),
    ],
)
def test_a_series_that_cannot_be_is_asked_again_and_nothing_typed_is_lost(client, club, changed, sentence):
    page = client.post(reverse("meetings", args=[club.slug]), SECOND_TUESDAYS | changed)
    assert page.status_code == 422
    assert not Meeting.objects.exists()
    text = page.content.decode()
    assert sentence in text
    assert "<details open>" in text
    assert all(f'value="{value}"' in text for value in changed.values() if value)


def test_a_series_is_shown_to_those_who_may_plan_alone(club):
    member = signed_in(logins(club)["member"])
    assert "Repeat this meeting" not in member.get(reverse("meetings", args=[club.slug])).content.decode()
    assert member.post(reverse("meetings", args=[club.slug]), SECOND_TUESDAYS).status_code == 403
    assert not Meeting.objects.exists()
