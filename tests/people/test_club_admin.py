"""Club admin: what is to do, its number in each page's head, a new club's first steps, common jobs in three clicks."""

import datetime
import re
from datetime import timedelta
from html import unescape
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from sessions_app.exchange.imports.entered_totals import save_totals
from sessions_app.exchange.imports.totals_file import TotalsRow
from sessions_app.models import (
    Change,
    Club,
    ClubRules,
    Command,
    Contact,
    HandQuery,
    MeetingFee,
    Player,
    Season,
    Session,
    Subscription,
)
from sessions_app.people.log import Actor, log_export
from sessions_app.table.hand_queries import ask_query
from sessions_app.table.sessions import start_session
from tests.factories import house, record, table_in_play
from tests.logins import logins, signed_in
from tests.queries import assert_the_same_for_more_rows

BY = Actor(name="The test")
A_DAY = datetime.timedelta(days=1)


@pytest.fixture
def at_home(club, cast):
    made = house(club, cast.all[:4])
    put_back(made.table_session, 0)
    return made


def links_of(page):
    """Return the addresses of a page's links by their words."""
    found = re.findall(r'<a\b[^>]*href="([^"]*)"[^>]*>(.*?)</a>', page, re.DOTALL)
    return {" ".join(unescape(re.sub(r"<[^>]*>", " ", words)).split()): unescape(link) for link, words in found}


def admin(club, client):
    return client.get(reverse("desk", args=[club.slug]))


def to_do(club, client):
    return [words for words, _ in admin(club, client).context["to_do"]]


def number_in_head(client, club, name="club"):
    page = client.get(reverse(name, args=[club.slug])).content.decode()
    found = re.search(r'class="nav-number">(\d+)', page)
    return int(found[1]) if found else 0


def put_back(session, days):
    """Move a table to so many days ago, as if nobody had finished it."""
    Session.objects.filter(pk=session.pk).update(date=timezone.localdate() - days * A_DAY)


def ask_one(at_home):
    return ask_query(at_home.table_session.entries.get(key=at_home.hand_key), "Was it 84?", by=BY)


class TestToDo:
    def test_nothing_waits_at_a_new_club(self, club):
        assert to_do(club, signed_in(logins(club)["secretary"])) == []

    @pytest.mark.postgres
    def test_everything_that_waits_is_named_in_order(self, club, at_home, cast):
        client = signed_in(at_home.secretary)
        yesterday = timezone.localdate() - A_DAY
        put_back(at_home.table_session, 1)
        ask_one(at_home)
        Command.objects.filter(session=at_home.table_session).update(outcome="late")
        Club.objects.filter(pk=club.pk).update(keeps_fees=True)
        meeting = at_home.table_session.meeting
        for player, amount, paid in ((cast.alice, "1.00", False), (cast.bob, "1.50", False), (cast.carol, "1", True)):
            MeetingFee.objects.create(club=club, meeting=meeting, player=player, table_fee=amount, paid=paid)
        late = Command.objects.filter(session=at_home.table_session).count()
        assert to_do(club, client) == [
            "1 score query to answer",
            f"{late} hand{'' if late == 1 else 's'} to check",
            f"Table 1 of {yesterday.day} {yesterday:%B %Y} was never finished",
            f"£2.50 is still owed by 2 people for {meeting.date.day} {meeting.date:%B %Y}",
            "Back up the club. No backup yet",
        ]
        assert number_in_head(client, club) == 2 + late

    def test_a_clock_behind_the_newest_record_is_named(self, club, at_home, monkeypatch):
        client = signed_in(at_home.secretary)
        now = timezone.now()
        monkeypatch.setattr("django.utils.timezone.now", lambda: now - timedelta(minutes=9))
        assert not any("clock is wrong" in sentence for sentence in to_do(club, client))
        behind = (now - timedelta(days=1)).astimezone(ZoneInfo(club.time_zone))
        monkeypatch.setattr("django.utils.timezone.now", lambda: behind)
        says = f"the computer that keeps the scores says it is {behind.day} {behind:%B %Y}, {behind:%H:%M}."
        assert f"{says} Its clock is wrong" in to_do(club, client)[0]

    @pytest.mark.postgres
    def test_subscriptions_owing_lead_to_their_year(self, club, cast):
        client, year = signed_in(logins(club)["secretary"]), club.today.year
        Subscription.objects.create(club=club, player=cast.alice, year=year - 1, amount=9)
        assert to_do(club, client) == []
        Club.objects.filter(pk=club.pk).update(keeps_fees=True)
        last_year = f"£9.00 is still owed by 1 person in subscriptions for {year - 1}"
        assert to_do(club, client) == [last_year]
        link = f'href="{reverse("subscriptions", args=[club.slug])}?year={year - 1}"'
        assert link in client.get(reverse("desk", args=[club.slug])).content.decode()
        # Fay owes the usual 12 and Alice 6; Bob has paid, Carol pays nothing and Dave is a guest.
        Club.objects.filter(pk=club.pk).update(subscription=12)
        for player, amount, paid in ((cast.alice, 6, False), (cast.bob, 12, True), (cast.carol, 0, False)):
            Subscription.objects.create(club=club, player=player, year=year, amount=amount, paid=paid)
        Player.objects.filter(pk=cast.dave.pk).update(guest=True)
        assert to_do(club, client) == [f"£18.00 is still owed by 2 people in subscriptions for {year}", last_year]
        Subscription.objects.of_club(club).update(paid=True)
        Player.objects.of_club(club).exclude(subscriptions__year=year).update(guest=True)
        assert to_do(club, client) == []

    @pytest.mark.postgres
    def test_results_are_asked_for_until_they_are_sent(self, club, at_home, cast):
        today = club.today
        session = start_session(club, today, 1, cast.all[:4], "bmja", {}, by=BY)
        record(session, {}, "finish")
        client = signed_in(at_home.secretary)
        sentence = f"The results of {today.day} {today:%B %Y} have not been sent"
        assert sentence not in to_do(club, client)
        Contact.objects.create(club=club, player=cast.alice, email="alice@example.org", agreed_on=today)
        assert sentence in to_do(club, client)
        Change.objects.create(club=club, action="mail", subject_type="meeting", subject_id=str(session.meeting_id))
        assert sentence not in to_do(club, client)

    def test_a_backup_is_asked_for_until_the_whole_club_is_downloaded(self, club, at_home):
        client = signed_in(at_home.secretary)
        assert "Back up the club. No backup yet" in to_do(club, client)
        log_export(club, "the league table", by=BY)
        assert "Back up the club. No backup yet" in to_do(club, client)
        log_export(club, "the whole club", by=BY)
        assert not any(words.startswith("Back up") for words in to_do(club, client))

    def test_a_paused_table_and_another_clubs_work_are_not_here(self, club, other_club, at_home, cast):
        put_back(at_home.table_session, 3)
        Session.objects.filter(pk=at_home.table_session.pk).update(paused=True)
        assert number_in_head(signed_in(at_home.secretary), club) == 0
        ask_one(at_home)
        other = signed_in(logins(other_club)["secretary"])
        assert (number_in_head(other, other_club), to_do(other_club, other)) == (0, [])

    def test_it_costs_the_same_for_thirty(self, club, at_home):
        client = signed_in(at_home.secretary)

        def grow(number):
            taken = club.sessions.count()
            for at in range(taken, taken + number):
                players = [Player.objects.create(club=club, full_name=f"P {at} {n}", short_name="P") for n in range(3)]
                put_back(table_in_play(club, players, number=at + 1), 2)

        assert_the_same_for_more_rows(grow, lambda: admin(club, client), 14)


class TestTheNumber:
    def test_it_is_on_every_page_of_the_secretary_and_on_nobody_elses(self, club, at_home):
        ask_one(at_home)
        secretary = signed_in(at_home.secretary)
        for name in ("club", "standings", "meetings", "players", "desk", "log", "rules"):
            assert number_in_head(secretary, club, name) == 1
        for user in (at_home.scorekeeper, at_home.member):
            page = signed_in(user).get(reverse("club", args=[club.slug])).content.decode()
            assert "Club admin" not in page

    def test_a_kept_page_does_not_keep_an_old_number(self, club, at_home):
        secretary, address = signed_in(at_home.secretary), reverse("standings", args=[club.slug])
        tag = secretary.get(address)["ETag"]
        HandQuery.objects.create(
            session=at_home.table_session, entry=at_home.table_session.entries.get(key=at_home.hand_key),
            text="?", entry_version=1, hand_version=1,
        )  # fmt: skip
        answer = secretary.get(address, headers={"If-None-Match": tag})
        assert answer.status_code == 200
        assert 'class="nav-number">1' in answer.content.decode()


class TestFirstSteps:
    def done(self, club, client):
        return [step.is_done for step in admin(club, client).context["first_steps"]]

    def test_they_tick_themselves_off_and_go_when_all_are_done(self, club, cast):
        Player.objects.of_club(club).delete()
        client = signed_in(logins(club)["secretary"])
        assert self.done(club, client) == [False] * 5
        players = [Player.objects.create(club=club, full_name=f"New {n}", short_name=f"N{n}") for n in range(4)]
        assert self.done(club, client) == [True, False, False, False, False]
        ClubRules.objects.create(club=club, rules="bmja", number=1)
        assert self.done(club, client) == [True, False, True, False, False]
        Season.objects.create(
            club=club, name="First", starts_on=club.today, ends_on=club.today + 90 * A_DAY, rules=["bmja"]
        )
        assert self.done(club, client) == [True, True, True, False, False]
        assert "First steps" in admin(club, client).content.decode()
        start_session(club, club.today, 1, players, "bmja", {}, by=BY)
        assert self.done(club, client) == []
        assert "First steps" not in admin(club, client).content.decode()

    def test_totals_entered_without_hands_are_a_table_and_no_import(self, club):
        client = signed_in(logins(club)["secretary"])
        first = {"date": club.today, "meeting": "", "table": 1, "rules": "bmja", "recording": "settle"}
        rows = [TotalsRow(line=line, player=f"New {line}", net=net, **first) for line, net in ((1, 40), (2, -40))]
        save_totals(club, rows, by=BY)
        assert self.done(club, client)[3:] == [True, False]

    def test_each_leads_to_its_page(self, club):
        client = signed_in(logins(club)["secretary"])
        for step in admin(club, client).context["first_steps"]:
            assert client.get(reverse(step.page, args=[club.slug])).status_code == 200


# The words to press, one after the other, from the club's page; then the address they lead to.
JOBS = {
    "start a table": (["Start a table"], "session-start"),
    "plan a meeting": (["Club admin", "Meetings"], "meetings"),
    "tick who is here": (["Today’s meeting"], "meeting"),
    "type in a paper sheet": (["Today’s meeting", "Type in a paper score sheet of table 7"], "paper"),
    "enter totals": (["Club admin", "Enter totals"], "enter-totals"),
    "answer a score query": (["Club admin", "1 score query to answer"], "score-queries"),
    "finish a table of last week": (["Club admin", "Table 1 of {day} was never finished"], "table"),
    "email the results": (["Today’s meeting", "Email the results"], "meeting-mail"),
    "note who has paid": (["Today’s meeting", "Fees"], "meeting-fees"),
    "add a player": (["Club admin", "Players"], "players"),
    "invite someone": (["Club admin", "People and roles"], "people"),
    "hang up the league table": (["Club admin", "Noticeboard"], "noticeboard"),
    "back up the club": (["Club admin", "Back up the club. No backup yet"], "exports"),
}


@pytest.mark.parametrize("job", JOBS)
def test_a_common_job_is_at_most_three_clicks_from_the_clubs_page(club, at_home, cast, job):
    Club.objects.filter(pk=club.pk).update(keeps_fees=True)
    put_back(at_home.table_session, 7)
    ask_one(at_home)
    players = [Player.objects.create(club=club, full_name=f"P {n}", short_name=f"P{n}") for n in range(4)]
    start_session(club, club.today, 7, players, "bmja", {}, by=BY)
    client, address = signed_in(at_home.secretary), reverse("club", args=[club.slug])
    clicks, name = JOBS[job]
    assert len(clicks) <= 3
    for words in clicks:
        links = links_of(client.get(address).content.decode())
        last_week = club.today - 7 * A_DAY
        wanted = words.format(day=f"{last_week.day} {last_week:%B %Y}")
        [address] = {link for found, link in links.items() if re.fullmatch(rf"{re.escape(wanted)}( .*)?", found)}
    answer = client.get(address)
    assert (answer.status_code, answer.resolver_match.url_name) == (200, name)
