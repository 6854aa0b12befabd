"""Public pages: each off until the club switches it on, names as club and member chose, totals right all the same."""

import datetime

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.meetings.services import plan_meeting
from sessions_app.models import Change, Club, Player, Season
from sessions_app.people.log import Actor
from sessions_app.people.log_pages import LogFilter, log_page
from sessions_app.web.calendar import Event, meetings_ics
from tests.factories import house, record, totals
from tests.logins import logins, signed_in

BY = Actor(name="The test")
DAY = datetime.date(2026, 11, 12)

PAGES = {
    "standings": ("public-standings",),
    "honours": ("public-honours",),
    "meetings": ("public-meetings", "public-meetings-calendar"),
}

ALL = [(page, name) for page, names in PAGES.items() for name in names]


@pytest.fixture(autouse=True)
def on_the_day(monkeypatch):
    monkeypatch.setattr("sessions_app.league.public_views.today_in", lambda club: DAY)


@pytest.fixture
def at_home(club, cast):
    """Alice is East and goes Mah-jong with 100; Bob has 20."""
    Player.objects.filter(pk=cast.alice.pk).update(full_name="Alice Archer")
    Player.objects.filter(pk=cast.bob.pk).update(full_name="Bob Baker")
    return house(club, cast.all[:4])


def show(club, *pages, names="full"):
    switches = {f"shows_{page}": page in pages for page in PAGES}
    Club.objects.filter(pk=club.pk).update(public_names=names, **switches)


def get(club, name, **more):
    return Client().get(reverse(name, args=[club.slug]), **more)


def standings_of(club):
    """Return the rows of the public league table."""
    return get(club, "public-standings").context["rows"]


@pytest.mark.parametrize(("page", "name"), ALL)
def test_each_is_off_until_it_is_switched_on_by_itself(at_home, club, page, name):
    assert get(club, name).status_code == 404
    show(club, *(other for other in PAGES if other != page))
    assert get(club, name).status_code == 404
    show(club, page)
    assert get(club, name).status_code == 200


def test_the_front_of_them_leads_to_what_is_on(at_home, club):
    assert get(club, "public").status_code == 404
    show(club, "meetings")
    page = get(club, "public").content.decode()
    assert reverse("public-meetings", args=[club.slug]) in page
    assert reverse("public-standings", args=[club.slug]) not in page


@pytest.mark.parametrize("name", [name for page, name in ALL if page != "meetings"])
def test_a_club_that_shows_no_names_has_no_page_that_holds_some(at_home, club, name):
    show(club, *PAGES, names="nobody")
    assert get(club, name).status_code == 404


def test_names_are_as_the_club_chose_and_a_members_own_choice_goes_before_it(at_home, club, cast):
    show(club, "standings", names="initials")
    assert {row.name for row in standings_of(club)} == {"A. A.", "B. B.", "C.", "D."}
    Player.objects.filter(pk=cast.alice.pk).update(in_public="full")
    Player.objects.filter(pk=cast.bob.pk).update(in_public="off")
    rows = standings_of(club)
    assert {row.name for row in rows} == {"Alice Archer", "C.", "D."}
    page = get(club, "public-standings").content.decode()
    assert "Alice Archer" in page
    assert "Baker" not in page
    assert "B. B." not in page
    assert page.count("Not ranked yet") == any(not row.position for row in rows)


def test_whoever_is_left_off_keeps_the_place_and_the_totals_of_the_others(at_home, club, cast):
    """Bob is second of four; without him the places are 1, 3 and 3, and no figure has moved."""
    at_home.season.minimum_sessions = 1
    at_home.season.save()
    show(club, "standings")
    before = {row.name: row for row in standings_of(club)}
    assert [before[name].position for name in ("Alice Archer", "Bob Baker")] == [1, 2]
    Player.objects.filter(pk=cast.bob.pk).update(in_public="off")
    rows = standings_of(club)
    assert [row.position for row in rows] == [1, 3, 3]
    assert {row.name: row for row in rows} == {name: row for name, row in before.items() if name != "Bob Baker"}


def test_honours_hold_the_hand_its_tiles_and_the_public_name(at_home, club, cast):
    sets = ["concealed pung 2B", "concealed pung 3B", "concealed pung 6B", "concealed pung 8B", "pair 9B"]
    body = totals(at_home.table_session, 1)
    body["hands"]["1"] = {"sets": sets}
    body["mahjong"] = {"by": "1", "tile": "9B", "from": "wall"}
    assert record(at_home.table_session, body).outcome == "recorded"
    show(club, "honours", names="short")
    page = get(club, "public-honours")
    [(name, honour)] = page.context["honours"]
    assert (name, honour.played.name, honour.played.session.date) == ("Alice", "Buried Treasure", DAY)
    assert list(honour.groups[0].tiles) == ["2B", "2B", "2B"]
    assert "Buried Treasure" in page.text
    Player.objects.filter(pk=cast.alice.pk).update(in_public="off")
    assert get(club, "public-honours").context["honours"] == []


def test_meetings_to_come_with_time_and_place_and_none_that_are_past(at_home, club):
    plan_meeting(
        club, DAY + datetime.timedelta(days=7), name="", starts_at=datetime.time(14), place="Village hall", by=BY
    )
    plan_meeting(club, DAY - datetime.timedelta(days=7), "Past", by=BY)
    show(club, "meetings")
    page = get(club, "public-meetings").text
    assert "Thursday 19 November 2026, 2 p.m." in page
    assert "Village hall" in page
    assert "Past" not in page


def test_other_sites_may_read_what_is_for_websites_and_copies_last_five_minutes(at_home, club):
    show(club, *PAGES)
    for _, name in ALL:
        answer = get(club, name)
        for_websites = name == "public-meetings-calendar"
        assert answer.headers.get("Access-Control-Allow-Origin") == ("*" if for_websites else None)
        assert {"public", "max-age=300"} <= set(answer["Cache-Control"].split(", "))
        assert not answer.cookies
        assert get(club, name, headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_the_secretary_switches_them_on_and_the_log_says_so(at_home, club):
    client = signed_in(at_home.secretary)
    address = reverse("public-settings", args=[club.slug])
    sent = {"public_names": "nobody", "shows_standings": "on"}
    page = client.post(address, sent)
    assert page.status_code == 422
    assert "Choose how to show names on the league table and roll of honour." in page.content.decode()
    assert client.post(address, sent | {"public_names": "initials"}).status_code == 302
    club.refresh_from_db()
    assert (club.public_names, club.shows_standings, club.shows_honours) == ("initials", True, False)
    page = client.get(address).text
    assert f"http://testserver/p/{club.slug}/standings/" in page
    assert ".json" not in page
    assert (
        log_page(club, LogFilter())
        .lines[0]
        .sentence.endswith(
            "changed the club’s settings: names in public initials (was none); league table in public yes (was no)."
        )
    )
    assert Change.objects.latest("pk").after == {"public_names": "initials", "shows_standings": True}


def test_past_seasons_and_their_results_are_public_too(at_home, club):
    Season.objects.create(
        club=club, name="Spring 2026", starts_on=DAY - datetime.timedelta(days=300),
        ends_on=DAY - datetime.timedelta(days=200), rules=["bmja"],
    )  # fmt: skip
    later = Season.objects.create(
        club=club, name="To come", starts_on=DAY + datetime.timedelta(days=100),
        ends_on=DAY + datetime.timedelta(days=200), rules=["bmja"],
    )  # fmt: skip
    show(club, "standings", "honours")
    club.sessions.update(state="finished")
    for name in ("public-standings", "public-results", "public-honours"):
        address = reverse(name, args=[club.slug])
        page = Client().get(address).text
        past = Season.objects.get(name="Spring 2026")
        assert f"?season={past.pk}" in page
        assert "To come" not in page
        assert "Alice Archer" not in Client().get(address, {"season": past.pk}).text
        assert [Client().get(address, {"season": wrong}).status_code for wrong in (later.pk, "x")] == [404, 404]
    own = {"season": at_home.season.pk}
    assert "Alice Archer" in Client().get(reverse("public-results", args=[club.slug]), own).text


def test_another_clubs_season_is_none_of_this_one(at_home, club, other_club):
    theirs = Season.objects.create(
        club=other_club, name="Theirs", starts_on=DAY - datetime.timedelta(days=9), ends_on=DAY, rules=["bmja"]
    )
    show(club, *PAGES)
    for name in ("public-standings", "public-results", "public-honours"):
        assert get(club, name, data={"season": theirs.pk}).status_code == 404


class TestFrame:
    """The piece of page for a club's own website."""

    @pytest.fixture
    def framed(self, at_home, club):
        at_home.season.minimum_sessions = 1
        at_home.season.save()
        club.sessions.update(state="finished")
        plan_meeting(
            club, DAY + datetime.timedelta(days=7), name="", starts_at=datetime.time(14), place="Village hall", by=BY
        )
        Club.objects.filter(pk=club.pk).update(framed_by="https://www.example.org https://example.org")
        return club

    def test_needs_a_public_page_and_a_website(self, framed):
        assert get(framed, "public-frame").status_code == 404
        show(framed, *PAGES)
        assert get(framed, "public-frame").status_code == 200
        Club.objects.filter(pk=framed.pk).update(framed_by="")
        assert get(framed, "public-frame").status_code == 404

    def test_those_websites_alone_may_frame_it_and_no_other_page(self, framed):
        show(framed, *PAGES)
        answer = get(framed, "public-frame")
        policy = answer["Content-Security-Policy"]
        assert policy.endswith("frame-ancestors https://www.example.org https://example.org")
        assert "script-src 'self'" in policy
        assert "X-Frame-Options" not in answer
        assert not answer.cookies
        assert "<script" not in answer.text
        assert "<form" not in answer.text
        # A browser takes these headers over into the copy it keeps.
        again = get(framed, "public-frame", headers={"If-None-Match": answer["ETag"]})
        assert (again.status_code, again["Content-Security-Policy"]) == (304, policy)
        assert "X-Frame-Options" not in again
        other = get(framed, "public-standings")
        assert other["Content-Security-Policy"].endswith("frame-ancestors 'none'")
        assert other["X-Frame-Options"] == "DENY"

    def test_has_the_next_meeting_the_latest_winner_and_the_best(self, framed):
        show(framed, *PAGES)
        text = get(framed, "public-frame").text
        assert "Thursday 19 November 2026 at 2 p.m., Village hall" in text
        # Alice is East and goes Mah-jong with 100, which each of three pays twice.
        assert "won by Alice Archer, +600" in text
        assert "Bob Baker" in text

    @pytest.mark.parametrize(
        ("part", "words", "others"),
        [
            ("meetings", ["We play next"], ["Latest result", "League table"]),
            ("result", ["Latest result"], ["We play next", "League table,"]),
            ("standings", ["League table, Autumn 2026"], ["We play next", "Latest result"]),
        ],
    )
    def test_shows_one_part_alone(self, framed, part, words, others):
        show(framed, *PAGES)
        text = get(framed, "public-frame", data={"show": part}).text
        assert all(word in text for word in words)
        assert not any(word in text for word in others)
        assert get(framed, "public-frame", data={"show": "members"}).status_code == 404

    def test_names_no_one_who_did_not_agree(self, framed, cast):
        show(framed, *PAGES)
        Player.objects.filter(pk=cast.alice.pk).update(in_public="off")
        text = get(framed, "public-frame").text
        assert "Alice" not in text
        assert "Bob Baker" in text
        show(framed, *PAGES, names="nobody")
        text = get(framed, "public-frame").text
        assert "We play next" in text
        assert not any(name in text for name in ("Bob", "Carol", "Dave", "Latest result", "League table"))

    def test_the_secretary_names_the_websites_and_gets_the_line_to_copy(self, framed, at_home):
        client, address = signed_in(at_home.secretary), reverse("public-settings", args=[framed.slug])
        sent = {"public_names": "full", "shows_meetings": "on"}
        sites = "https://WWW.Bramley.example/mahjong/ http://bramley.example:8080 https://www.bramley.example"
        assert client.post(address, sent | {"framed_by": sites}).status_code == 302
        framed.refresh_from_db()
        assert framed.framed_by == "https://www.bramley.example http://bramley.example:8080"
        page = client.get(address).text
        assert f"&lt;iframe src=&quot;http://testserver/p/{framed.slug}/embed/&quot;" in page

    @pytest.mark.parametrize(
        "site",
        ["www.example.org", "https://*.example.org", "https://example.org; script-src *", "javascript:1", "'self'"],
    )
    def test_what_is_no_website_is_asked_again(self, framed, at_home, site):
        address = reverse("public-settings", args=[framed.slug])
        page = signed_in(at_home.secretary).post(address, {"public_names": "full", "framed_by": site})
        assert page.status_code == 422
        assert "Enter websites like https://www.example.org." in page.text


class TestCalendar:
    """Expected lines are those of RFC 5545, written out by hand."""

    @pytest.fixture
    def meetings(self, club):
        club.name = "Bramley, Mah-jong; the \\ club"
        summer, winter = datetime.date(2026, 7, 2), datetime.date(2026, 11, 19)
        return [
            plan_meeting(club, summer, starts_at=datetime.time(14), place="Hall, 1 High Street", by=BY),
            plan_meeting(club, winter, "Christmas", starts_at=datetime.time(14), by=BY),
            plan_meeting(club, winter + datetime.timedelta(days=7), by=BY),
        ]

    def test_times_are_the_clubs_own_and_texts_escaped(self, club, meetings):
        page = "https://scores.example/p/bramley/meetings/"
        events = [Event(meeting) for meeting in meetings]
        lines = meetings_ics(club, events, "scores.example", DAY, page).split("\r\n")
        assert lines[0] == "BEGIN:VCALENDAR"
        assert lines[-2:] == ["END:VCALENDAR", ""]
        starts = [line for line in lines if line.startswith("DTSTART")]
        assert starts == ["DTSTART:20260702T130000Z", "DTSTART:20261119T140000Z", "DTSTART;VALUE=DATE:20261126"]
        ends = [line for line in lines if line.startswith("DTEND")]
        assert ends == ["DTEND:20260702T150000Z", "DTEND:20261119T160000Z"]
        assert lines.count(f"URL:{page}") == 3
        assert f"UID:meeting-{meetings[0].pk}.bramley@scores.example" in lines
        assert "LOCATION:Hall\\, 1 High Street" in lines
        assert "SUMMARY:Bramley\\, Mah-jong\\; the \\\\ club: Christmas" in lines
        assert lines.count("DTSTAMP:20261112T000000Z") == 3

    def test_long_lines_are_folded_after_75_octets_never_within_a_letter(self, club):
        club.name = "é" * 100
        text = meetings_ics(club, [], "scores.example", DAY, "https://scores.example/")
        assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
        assert "X-WR-CALNAME:" + "é" * 100 in text.replace("\r\n ", "").split("\r\n")

    def test_a_text_cannot_begin_a_line_of_its_own(self, club, meetings):
        meetings[0].place = "Hall\r\nEND:VEVENT\x00"
        text = meetings_ics(club, [Event(meetings[0])], "scores.example", DAY, "https://scores.example/")
        assert "LOCATION:Hall\\nEND:VEVENT" in text.split("\r\n")
        assert text.split("\r\n").count("END:VEVENT") == 1


def test_members_alone_do_not_change_them(at_home, club):
    member = signed_in(logins(Club.objects.create(name="Else", slug="else"))["member"])
    assert member.get(reverse("public-standings", args=[club.slug])).status_code == 404
