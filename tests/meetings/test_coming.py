"""Who is coming: said on a meeting's page, by a player's own link, and shown in the player's calendar."""

import datetime

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.meetings.services import attend, change_meeting, plan_meeting, save_reply
from sessions_app.models import Change, Club, Membership, Player, Reply
from sessions_app.people.log import Actor
from sessions_app.people.log_pages import LogFilter, log_page
from sessions_app.people.merging import erase_player, merge_players
from sessions_app.people.players import change_player_facts, new_reply_key, reply_key_of
from tests.factories import DAY, house
from tests.logins import logins, signed_in

BY = Actor(name="Pat")
A_WEEK = datetime.timedelta(weeks=1)


@pytest.fixture(autouse=True)
def on_the_day(monkeypatch):
    monkeypatch.setattr(Club, "today", DAY)


@pytest.fixture
def people(club, cast):
    made = logins(club)
    Membership.objects.filter(user=made["member"]).update(player=cast.carol)
    return made


@pytest.fixture
def meeting(club):
    return plan_meeting(club, DAY + A_WEEK, name="", starts_at=datetime.time(14), place="Village hall", by=BY)


def replies():
    return {str(one.player): one.is_coming for one in Reply.objects.all()}


def link_of(player):
    return reverse("coming", args=[reply_key_of(player)])


def test_a_member_says_so_on_the_meetings_page(club, cast, people, meeting):
    member = signed_in(people["member"])
    address = reverse("meeting", args=[club.slug, meeting.pk])
    assert "Who is coming: 0" in member.get(address).text
    assert member.post(reverse("meeting-reply", args=[club.slug, meeting.pk]), {"coming": "yes"}).url == address
    assert replies() == {"Carol": True}
    page = member.get(address).text
    assert "Who is coming: 1" in page
    assert "You said that you are coming." in page
    assert "1 coming, with you" in member.get(reverse("meetings", args=[club.slug])).text
    member.post(reverse("meeting-reply", args=[club.slug, meeting.pk]), {"coming": "no"})
    assert replies() == {"Carol": False}
    assert "Cannot come: Carol" in member.get(address).text


def test_a_member_answers_for_nobody_else_and_a_scorekeeper_may(club, cast, people, meeting):
    address = reverse("meeting-reply", args=[club.slug, meeting.pk])
    signed_in(people["member"]).post(address, {"coming": "no", "player": cast.alice.pk})
    assert replies() == {"Carol": False}
    signed_in(people["scorekeeper"]).post(address, {"coming": "yes", "player": cast.alice.pk})
    assert replies() == {"Carol": False, "Alice": True}
    assert signed_in(people["scorekeeper"]).post(address, {"player": cast.eve.pk}).status_code == 404
    line = log_page(club, LogFilter()).lines[0].sentence
    assert line.endswith("answered for the meeting of 19 November 2026: Alice is coming.")


def test_an_account_without_a_player_is_sent_to_the_secretary(club, people, meeting):
    address = reverse("meeting-reply", args=[club.slug, meeting.pk])
    page = signed_in(people["scorekeeper"]).post(address, {"coming": "yes"}, follow=True).text
    assert "Ask the secretary to link your account to your name." in page
    assert replies() == {}


def test_by_the_own_link_without_signing_in_and_no_one_else_is_named_there(club, cast, people, meeting):
    save_reply(meeting, cast.bob, True, by=BY)
    client = Client()
    page = client.get(link_of(cast.alice)).text
    assert "Are you coming?" in page
    assert "for Alice" in page
    assert "Bob" not in page
    assert "Thursday 19 November 2026 at 2 p.m., Village hall" in page
    assert client.post(link_of(cast.alice), {"meeting": meeting.pk, "coming": "yes"}).url == link_of(cast.alice)
    assert replies() == {"Bob": True, "Alice": True}
    assert "You said that you are coming." in client.get(link_of(cast.alice)).text
    lines = Change.objects.count()
    client.post(link_of(cast.alice), {"meeting": meeting.pk, "coming": "yes"})
    assert Change.objects.count() == lines
    assert log_page(club, LogFilter()).lines[0].sentence.endswith("Alice is coming.")
    scorekeeper = signed_in(people["scorekeeper"]).get(reverse("meeting", args=[club.slug, meeting.pk])).text
    assert "Alice, Bob" in scorekeeper


def test_a_link_opens_nothing_of_another_club_and_nothing_after_a_new_one_or_leaving(club, cast, other_club, meeting):
    theirs = plan_meeting(other_club, DAY + A_WEEK, "Theirs", by=BY)
    old = link_of(cast.alice)
    assert Client().post(old, {"meeting": theirs.pk, "coming": "yes"}).status_code == 404
    assert "Theirs" not in Client().get(old).text
    assert Client().get(reverse("coming", args=["nobody-has-this"])).status_code == 404
    change_player_facts(cast.alice, left_on=DAY, by=BY)
    assert Client().get(old).status_code == 404


def test_the_own_page_makes_the_link_and_makes_another(club, cast, people):
    member, address = signed_in(people["member"]), reverse("me", args=[club.slug])
    assert "Make my link" in member.get(address).text
    member.post(address, {"new_link": "1"})
    first = Player.objects.get(pk=cast.carol.pk).reply_key
    page = member.get(address).text
    assert f"http://testserver/coming/{first}/" in page
    assert f"/coming/{first}/meetings.ics" in page
    member.post(address, {"new_link": "1"})
    assert Client().get(reverse("coming", args=[first])).status_code == 404


def test_what_was_said_about_another_date_counts_no_more(club, cast, meeting):
    for player, is_coming in ((cast.alice, True), (cast.bob, False)):
        save_reply(meeting, player, is_coming, by=BY)
    change_meeting(meeting, meeting.date, name="", starts_at=datetime.time(15), place="Church hall", by=BY)
    assert len(replies()) == 2
    change_meeting(meeting, meeting.date + A_WEEK, name="", starts_at=datetime.time(15), place="Church hall", by=BY)
    assert replies() == {}
    kept = Change.objects.filter(action="reply").latest("pk")
    assert kept.before == {str(cast.alice.pk): "yes", str(cast.bob.pk): "no"}
    line = next(one.sentence for one in log_page(club, LogFilter()).lines if "answered" in one.sentence)
    assert line.endswith("Alice has not said, Bob has not said.")


def test_a_meeting_that_is_over_takes_no_answers(club, cast, people):
    over = plan_meeting(club, DAY - A_WEEK, by=BY)
    assert Client().post(link_of(cast.alice), {"meeting": over.pk, "coming": "yes"}).status_code == 404
    address = reverse("meeting-reply", args=[club.slug, over.pk])
    page = signed_in(people["member"]).post(address, {"coming": "yes"}, follow=True).text
    assert "This meeting has finished." in page
    assert replies() == {}


def test_the_calendar_says_what_the_player_said(club, cast, meeting):
    """The lines are those of RFC 5545, written out by hand."""
    christmas = plan_meeting(club, DAY + 2 * A_WEEK, "Christmas", by=BY)
    plan_meeting(club, DAY + 3 * A_WEEK, by=BY)
    save_reply(meeting, cast.alice, True, by=BY)
    save_reply(christmas, cast.alice, False, by=BY)
    answer = Client().get(reverse("coming-calendar", args=[reply_key_of(cast.alice)]))
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    lines = answer.text.replace("\r\n ", "").split("\r\n")
    assert [line for line in lines if line.startswith("SUMMARY")] == [
        "SUMMARY:Bramley (you are coming)",
        "SUMMARY:Bramley: Christmas (you are not coming)",
        "SUMMARY:Bramley",
    ]
    assert lines.count(f"URL:http://testserver{link_of(cast.alice)}") == 3


def test_the_secretary_has_every_link_to_send_and_nobody_else(club, cast, people):
    address = reverse("reply-links", args=[club.slug])
    secretary = signed_in(people["secretary"])
    assert "Make 5 links" in secretary.get(address).text
    secretary.post(address)
    links = [f"http://testserver{link_of(player)}" for player in Player.objects.of_club(club)]
    page = secretary.get(address).text
    assert len(links) == 5
    assert all(link in page for link in links)
    assert signed_in(people["scorekeeper"]).get(address).status_code == 403


def test_merging_keeps_one_answer_and_both_links_and_erasing_removes_them(club, cast, meeting):
    link = link_of(cast.bob)
    for player, is_coming in ((cast.alice, True), (cast.bob, False)):
        save_reply(meeting, player, is_coming, by=BY)
    merge_players(cast.bob, cast.alice, by=BY)
    assert replies() == {"Alice": True}
    assert "for Alice" in Client().get(link).text
    own = link_of(Player.objects.get(pk=cast.alice.pk))
    assert "for Alice" in Client().get(link).text
    new_reply_key(Player.objects.get(pk=cast.alice.pk))
    assert [Client().get(one).status_code for one in (link, own)] == [404, 404]
    own = link_of(Player.objects.get(pk=cast.alice.pk))
    erase_player(cast.alice, by=BY)
    assert replies() == {}
    assert [Client().get(one).status_code for one in (link, own)] == [404, 404]


class TestPastMeetings:
    """The list of past meetings: a season at a time, with people, venue and winner."""

    @pytest.fixture
    def page(self, club, cast, monkeypatch):
        at_home = house(club, cast.all[:4])
        attend(at_home.table_session.meeting, {cast.fay.pk: "here", cast.alice.pk: "here"}, by=BY)
        at_home.table_session.meeting.place = "Village hall"
        at_home.table_session.meeting.save()
        plan_meeting(club, datetime.date(2026, 8, 20), "In no season", by=BY)
        later = DAY + A_WEEK
        monkeypatch.setattr("sessions_app.meetings.views.today_in", lambda club: later)
        client = signed_in(at_home.member)
        return lambda **asked: client.get(reverse("meetings", args=[club.slug]), asked)

    def test_people_venue_and_winner_of_the_season(self, page, club):
        text = " ".join(page().text.split())
        assert "Past meetings: Autumn 2026" in text
        assert "In no season</span>" not in text
        # Alice and Fay came, Alice, Bob, Carol and Dave sat down: five people. The table is still open.
        assert "5 people, Village hall" in text
        assert "still playing" in text
        club.sessions.update(state="finished")
        # Alice is East and wins with 100, which each pays twice: +600.
        assert "won by Alice, +600" in " ".join(page().text.split())

    def test_those_in_no_season_are_a_list_of_their_own(self, page):
        text = page(season="other").text
        assert "Past meetings in no season" in text
        assert "Thursday 20 August 2026" in text
        assert "Autumn 2026" in text
        assert "12 November" not in text

    def test_a_season_that_is_not_the_clubs_is_not_found(self, page):
        assert page(season="999999").status_code == 404
        assert page(season="winter").status_code == 404
