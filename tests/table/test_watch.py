"""A key shows a table or a hall to whom the club allows it, with the names it allows; no news costs one query."""

import datetime
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from sessions_app.league.tags import evenly_spaced, nice_ticks, spread
from sessions_app.models import Change, Club, Meeting, Player, Session
from sessions_app.people.players import shown_names
from sessions_app.table.sessions import start_session
from tests.factories import BY, house, record, totals
from tests.logins import logins, signed_in
from tests.queries import at_most

NAMES = {
    "initials": ["A. G.", "B. H.", "C. K.", "D. L."],
    "short": ["Alice", "Bob", "Carol", "Dave"],
    "full": ["Alice Green", "Bob Hill", "Carol King", "Dave Long"],
}


@pytest.fixture
def at_home(club, cast):
    """A table of four with one hand: Alice goes Mah-jong with 100, Bob has 20; each began with 2,000."""
    for player, family in zip(cast.all[:4], ("Green", "Hill", "King", "Long"), strict=True):
        Player.objects.filter(pk=player.pk).update(full_name=f"{player.short_name} {family}")
    return house(club, list(Player.objects.filter(pk__in=[player.pk for player in cast.all[:4]]).order_by("pk")))


def allow(club, public_names):
    Club.objects.filter(pk=club.pk).update(public_names=public_names)


def address(at_home, page="watch"):
    table_session = Session.objects.select_related("meeting").get(pk=at_home.table_session.pk)
    key = {"watch": table_session.watching_key, "watch-hall": table_session.meeting.watching_key}
    return reverse(page, args=[key[page]])


def rev_of(answer):
    return re.search(r'data-rev="([^"]+)"', answer.content.decode())[1]


def text_of(answer):
    words = re.sub(r"<(script|title|desc)\b.*?</\1>|<[^>]+>", " ", answer.content.decode(), flags=re.S)
    return re.sub(r"\s+", " ", words)


@pytest.mark.parametrize("page", ["watch", "watch-hall"])
class TestByKey:
    @pytest.mark.parametrize("public_names", ["initials", "short", "full"])
    def test_without_account_where_the_club_allows_it(self, client, at_home, page, public_names):
        allow(at_home.club, public_names)
        answer = client.get(address(at_home, page))
        assert answer.status_code == 200
        shown = text_of(answer)
        for name in NAMES[public_names]:
            assert name in shown
        assert ("Alice" in shown) == (public_names != "initials")
        assert ("Green" in shown) == (public_names == "full")

    def test_a_club_that_shows_nothing_asks_to_sign_in(self, client, at_home, page):
        where = address(at_home, page)
        answer = client.get(where)
        assert (answer.status_code, answer.url) == (302, f"/sign-in/?next={where}")
        assert "Only members of the club can watch this table" in client.get(answer.url).text
        assert "Only members of the club" not in client.get("/sign-in/").text

    @pytest.mark.parametrize("public_names", ["nobody", "initials"])
    def test_members_see_the_names_of_the_table(self, at_home, page, public_names):
        allow(at_home.club, public_names)
        shown = text_of(signed_in(at_home.member).get(address(at_home, page)))
        assert "Alice" in shown
        assert "A. G." not in shown
        assert "Green" not in shown

    def test_a_stranger_is_as_anybody(self, at_home, other_club, page):
        eve = signed_in(logins(other_club)["secretary"])
        assert eve.get(address(at_home, page)).status_code == 404
        allow(at_home.club, "initials")
        shown = text_of(eve.get(address(at_home, page)))
        assert "A. G." in shown
        assert "Alice" not in shown

    @pytest.mark.parametrize("key", ["AAAAAAAAAAAAAAAAAAAAAA", "x", "1"])
    def test_a_wrong_key_is_not_found(self, client, at_home, page, key):
        allow(at_home.club, "full")
        assert client.get(reverse(page, args=[key])).status_code == 404

    def test_the_keys_of_tables_and_halls_are_not_each_others(self, client, at_home, page):
        allow(at_home.club, "full")
        mine = address(at_home, page).strip("/").split("/")[-1]
        other = {"watch": "watch-hall", "watch-hall": "watch"}[page]
        assert client.get(reverse(other, args=[mine])).status_code == 404

    def test_only_looking(self, client, at_home, page):
        allow(at_home.club, "full")
        assert client.post(address(at_home, page)).status_code == 405

    def test_nothing_new_costs_one_query(self, client, at_home, page):
        allow(at_home.club, "initials")
        where = address(at_home, page)
        rev = rev_of(client.get(where))
        with at_most(1):
            answer = client.get(where, {"rev": rev})
        assert (answer.status_code, answer.content) == (204, b"")

    def test_nothing_new_costs_a_member_no_more(self, at_home, page):
        allow(at_home.club, "initials")
        member, where = signed_in(at_home.member), address(at_home, page)
        rev = rev_of(member.get(where))
        with at_most(1):
            assert member.get(where, {"rev": rev}).status_code == 204

    def test_a_board_is_made_once_for_all_who_come_by_the_key(self, client, at_home, page):
        allow(at_home.club, "initials")
        where = address(at_home, page)
        first = client.get(where, {"rev": "old"})
        with at_most(1 if page == "watch" else 2):
            second = Client().get(where, {"rev": "older"})
        assert (second.content, second["X-Robots-Tag"]) == (first.content, "noindex")
        assert "Alice" not in text_of(second)
        assert "Alice" in text_of(signed_in(at_home.member).get(where, {"rev": "old"}))

    def test_a_hand_is_news(self, client, at_home, page):
        allow(at_home.club, "short")
        where = address(at_home, page)
        before = rev_of(client.get(where))
        record(at_home.table_session, totals(at_home.table_session, 3, seat3=40))
        answer = client.get(where, {"rev": before})
        assert answer.status_code == 200
        assert b"<html" not in answer.content
        assert "Carol goes Mah-jong" in text_of(answer)
        assert client.get(where, {"rev": rev_of(answer)}).status_code == 204

    def test_what_the_club_shows_is_news_too(self, client, at_home, page):
        allow(at_home.club, "full")
        where = address(at_home, page)
        rev = rev_of(client.get(where))
        allow(at_home.club, "initials")
        assert "Green" not in text_of(client.get(where, {"rev": rev}))
        allow(at_home.club, "nobody")
        assert client.get(where, {"rev": rev}).status_code == 302

    def test_a_new_key_closes_the_old_one(self, client, at_home, page):
        allow(at_home.club, "full")
        old = address(at_home, page)
        slug, table_session = at_home.club.slug, at_home.table_session
        new_key = {
            "watch": reverse("watching-new-key", args=[slug, table_session.pk]),
            "watch-hall": reverse("hall-new-key", args=[slug, table_session.meeting_id]),
        }[page]
        rev = rev_of(client.get(old))
        signed_in(at_home.scorekeeper).post(new_key)
        assert client.get(old).status_code == 404
        assert client.get(old, {"rev": rev}).status_code == 404
        new = address(at_home, page)
        assert client.get(new).status_code == 200
        change = Change.objects.latest("id")
        assert (change.action, change.user) == ("new watching key", at_home.scorekeeper)
        assert new.strip("/").split("/")[-1] not in f"{change.before}{change.after}"

    def test_it_is_never_kept_nor_found_by_searching(self, client, at_home, page):
        allow(at_home.club, "full")
        answer = client.get(address(at_home, page))
        assert "no-store" in answer["Cache-Control"]
        assert answer["X-Robots-Tag"] == "noindex"

    def test_nobody_signed_in_finds_no_way_into_the_club(self, client, at_home, page):
        allow(at_home.club, "full")
        assert b"/c/bramley/" not in client.get(address(at_home, page)).content


def test_the_board_tells_who_pays_whom(client, at_home):
    allow(at_home.club, "short")
    shown = text_of(client.get(address(at_home)))
    # East wins: everyone pays twice 100; Bob's 20 against Carol's and Dave's nothing.
    for words in (
        "Alice is East", "has kept the deal once", "East is the wind of the round", "Next: hand 2",
        "Last: hand 1", "Alice goes Mah-jong.",
        "Bob pays → Alice 200", "Carol pays → Alice 200", "Dave pays → Alice 200",
        "Carol pays → Bob 20", "Dave pays → Bob 20",
        "Alice 2,600", "Bob 1,840", "Carol 1,780", "Dave 1,780",
    ):  # fmt: skip
        assert words in shown


def test_the_chart_says_what_it_shows(client, at_home):
    allow(at_home.club, "short")
    page = client.get(address(at_home)).content.decode()
    assert page.count('role="img"') == 2
    assert "<desc" in page
    assert "After hand 1: Alice 2,600, Bob 1,840, Carol 1,780, Dave 1,780." in page
    assert '<tr><th scope="row">Start</th><td class="num">2,000</td>' in page
    assert '<tr><th scope="row">1</th><td class="num">2,600</td><td class="num">1,840</td>' in page


def test_who_sits_out_and_the_empty_chair(client, club, cast):
    allow(club, "short")
    five = start_session(club, datetime.date(2026, 11, 12), 1, cast.all, "bmja", {}, by=BY)
    three = start_session(club, datetime.date(2026, 11, 12), 2, cast.all[:3], "bmja", {}, by=BY)
    assert "sits out Fay" in text_of(client.get(reverse("watch", args=[five.watching_key])))
    assert "empty seat" in text_of(client.get(reverse("watch", args=[three.watching_key])))


def test_a_finished_table_tells_how_it_ended(client, at_home):
    allow(at_home.club, "short")
    rev = rev_of(client.get(address(at_home)))
    record(at_home.table_session, {}, kind="finish")
    shown = text_of(client.get(address(at_home), {"rev": rev}))
    assert "Finished Alice 2,600 +600 Bob 1,840 −160 Carol 1,780 −220 Dave 1,780 −220" in shown
    assert "wind of the round" not in shown


def test_a_fine_is_in_the_balances_but_its_reason_is_not_shown(client, at_home):
    allow(at_home.club, "short")
    record(at_home.table_session, {"by": "2", "to": "1", "amount": 30, "why": "Bob was rude"}, kind="fine")
    answer = client.get(address(at_home))
    assert b"rude" not in answer.content
    assert '<th scope="row">Penalty</th><td class="num">2,630</td><td class="num">1,810</td>' in answer.content.decode()


def test_totals_that_were_imported_have_no_seats(client, at_home):
    allow(at_home.club, "short")
    Session.objects.filter(pk=at_home.table_session.pk).update(imported=True, state="finished", seating={})
    for page in ("watch", "watch-hall"):
        assert "Alice" in text_of(client.get(address(at_home, page)))


class TestHall:
    @pytest.fixture
    def today(self, club):
        return timezone.localdate()

    def start(self, club, cast, day, number, **more):
        return start_session(club, day, number, cast.all[:4], "bmja", {}, by=BY, **more)

    def test_all_tables_of_today_are_shown(self, club, cast, today):
        for number in range(1, 8):
            table_session = self.start(club, cast, today, number)
            record(table_session, totals(table_session, 1, seat1=10))
        client = signed_in(logins(club)["member"])
        where = reverse("hall", args=[club.slug])
        answer = client.get(where)
        assert answer.content.decode().count('<section class="hall-table"') == 7
        with at_most(3):
            assert client.get(where, {"rev": rev_of(answer)}).status_code == 204

    def test_a_new_table_is_news_and_other_days_and_clubs_are_not(self, club, other_club, cast, today):
        client = signed_in(logins(club)["member"])
        where = reverse("hall", args=[club.slug])
        empty = client.get(where)
        assert "No tables are in play today." in text_of(empty)
        self.start(club, cast, today - datetime.timedelta(days=7), 1)
        eves = [Player.objects.create(club=other_club, full_name=f"E{n}", short_name=f"E{n}") for n in range(3)]
        start_session(other_club, today, 2, [cast.eve, *eves], "bmja", {}, by=BY)
        assert client.get(where, {"rev": rev_of(empty)}).status_code == 204
        self.start(club, cast, today, 3)
        news = client.get(where, {"rev": rev_of(empty)})
        assert re.findall(r"Table (\d+)", text_of(news)) == ["3"]

    def test_a_table_in_play_stays_past_midnight(self, club, cast, today):
        yesterday = today - datetime.timedelta(days=1)
        self.start(club, cast, yesterday, 1)
        record(self.start(club, cast, yesterday, 2), {}, kind="finish")
        shown = text_of(signed_in(logins(club)["member"]).get(reverse("hall", args=[club.slug])))
        assert re.findall(r"Table (\d+)", shown) == ["1"]

    def test_yesterdays_table_that_plays_on_stays_beside_todays(self, club, cast, today):
        yesterday = today - datetime.timedelta(days=1)
        self.start(club, cast, yesterday, 1)
        paused = self.start(club, cast, yesterday, 2)
        Session.objects.filter(pk=paused.pk).update(paused=True)
        self.start(club, cast, today, 3)
        shown = text_of(signed_in(logins(club)["member"]).get(reverse("hall", args=[club.slug])))
        assert re.findall(r"Table (\d+)", shown) == ["1", "3"]

    def test_a_meetings_key_shows_its_tables_alone(self, client, club, cast, today):
        allow(club, "short")
        afternoon = self.start(club, cast, today, 1, meeting_name="Afternoon")
        self.start(club, cast, today, 2, meeting_name="Evening")
        shown = text_of(client.get(reverse("watch-hall", args=[afternoon.meeting.watching_key])))
        assert re.findall(r"Table (\d+)", shown) == ["1"]

    def test_every_meeting_has_a_key_of_its_own(self, club, today):
        days = [today - datetime.timedelta(days=number) for number in range(3)]
        Meeting.objects.bulk_create(Meeting(club=club, date=day) for day in days)
        assert len(set(Meeting.objects.values_list("watching_key", flat=True))) == 3


class TestCodePage:
    def test_address_in_words_and_as_code(self, at_home):
        client = signed_in(at_home.scorekeeper)
        page = client.get(
            reverse("watching", args=[at_home.club.slug, at_home.table_session.pk]), headers={"host": "localhost:8000"}
        ).content.decode()
        assert f">http://localhost:8000/w/{at_home.table_session.watching_key}/</a>" in page
        assert 'role="img" aria-label="Table 1, 12 November 2026: QR code for watching"' in page
        assert "only members who sign in can watch" in page
        assert "a phone cannot use the code" in page
        assert not re.search(r"<(?!meta)[^>]+\sstyle=", page)

    def test_another_clubs_meeting_is_not_found(self, at_home, other_club):
        meeting = Meeting.objects.create(club=other_club, date=datetime.date(2026, 11, 12))
        client = signed_in(at_home.secretary)
        assert client.get(reverse("hall-watching", args=[at_home.club.slug, meeting.pk])).status_code == 404
        assert client.post(reverse("hall-new-key", args=[at_home.club.slug, meeting.pk])).status_code == 404

    def test_a_new_key_needs_the_form_of_the_page(self, at_home):
        client = Client(enforce_csrf_checks=True)
        client.force_login(at_home.scorekeeper)
        where = reverse("watching-new-key", args=[at_home.club.slug, at_home.table_session.pk])
        assert client.post(where).status_code == 403


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("initials", ["A. G. 1", "A. G. 2", "Someone", "M. O."]),
        ("short", ["Ann 1", "Ann 2", "Someone", "Mary-Jane"]),
        ("full", ["Ann Green", "Ann Grey", "Someone", "Mary-Jane O’Neil"]),
    ],
)
def test_names_tell_no_more_than_they_may(style, expected):
    players = [
        Player(pk=1, full_name="Ann Green", short_name="Ann"),
        Player(pk=2, full_name="Ann Grey", short_name="Ann"),
        Player(pk=3, full_name="", short_name=""),
        Player(pk=4, full_name="Mary-Jane O’Neil", short_name=""),
    ]
    assert list(shown_names(players, style).values()) == expected


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([2000], [1900, 1950, 2000, 2050, 2100]),
        ([1500, 2600], [1500, 2000, 2500, 3000]),
        ([-40, 0, 37], [-40, -20, 0, 20, 40]),
        ([0, 1], [0, 1]),
    ],
)
def test_the_scale_has_round_numbers(values, ticks):
    assert nice_ticks(values) == ticks


def test_few_points_of_a_long_afternoon_are_marked_always_the_last():
    assert evenly_spaced(1, 8) == [0]
    assert evenly_spaced(9, 8) == [0, 2, 4, 6, 8]
    assert evenly_spaced(17, 6) == [1, 4, 7, 10, 13, 16]


def test_names_at_the_lines_ends_never_cover_each_other():
    assert spread([50, 52, 50], 20, 10, 100) == [50, 90, 70]
    assert spread([95, 99], 20, 10, 100) == [80, 100]
