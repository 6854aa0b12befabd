"""The honours: special hands that went Mah-jong, the club's own among them; practice tables and losers never."""

import datetime
import re

import pytest
from django.urls import reverse

from sessions_app.models import ClubHand, Season, Session, Tally
from sessions_app.people.log import Actor
from sessions_app.people.players import add_player
from sessions_app.table.sessions import start_session
from tests.afternoon import send
from tests.factories import season
from tests.logins import logins, signed_in

pytestmark = pytest.mark.slow

BY = Actor(name="The test")
DAY = datetime.date(2026, 11, 12)
PURITY = {"sets": ["concealed pung 2B", "concealed pung 3B", "concealed pung 6B", "concealed pung 8B", "pair 9B"]}


@pytest.fixture
def client(club):
    return signed_in(logins(club)["member"])


def play(club, cast, form, **more):
    session = start_session(club, DAY, 1, cast.all[:4], "bmja", None, by=BY, **more)
    hands = {"1": form, "2": {}, "3": {}, "4": {}}
    win = {"by": "1"} | ({"tile": "9B", "from": "wall"} if "sets" in form else {})
    answer = send(session, "hand", {"hands": hands, "mahjong": win})
    assert answer.outcome == "recorded", answer
    return session


def names(page):
    return [(one.played.name, one.played.player.full_name, len(one.groups)) for one in page.context["honours"]]


def missing(page):
    return [hand.name for hand in page.context["not_seen"]]


def test_a_special_hand_stands_in_the_honours_with_its_player(client, club, cast):
    season(club)
    play(club, cast, {"special": "gates_of_heaven"})
    page = client.get(reverse("honours", args=[club.slug]))
    assert names(page) == [("Gates of Heaven", "Alice", 0)]
    assert "Gates of Heaven" not in missing(page)
    assert "Buried Treasure" in missing(page)


def test_the_tiles_are_drawn_where_they_were_entered(client, club, cast):
    season(club)
    play(club, cast, PURITY)
    page = client.get(reverse("honours", args=[club.slug]))
    assert [(name, groups) for name, _, groups in names(page)] == [("Buried Treasure", 5)]


def test_practice_never_counts(client, club, cast):
    season(club)
    play(club, cast, {"special": "gates_of_heaven"}, practice=True)
    assert names(client.get(reverse("honours", args=[club.slug]), {"all": "1"})) == []


def test_the_clubs_own_hand_is_counted(client, club, cast):
    season(club)
    ClubHand.objects.create(
        club=club, key="todanni", name="Todanni", worth="limit", concealed=False, since=datetime.date(2026, 1, 1),
        text="Seven pairs of bamboos.",
    )  # fmt: skip
    before = client.get(reverse("honours", args=[club.slug]))
    assert "Todanni" in missing(before)
    assert "<p>Seven pairs of bamboos.</p>" in before.content.decode()
    play(club, cast, {"special": "todanni"})
    page = client.get(reverse("honours", args=[club.slug]))
    assert names(page) == [("Todanni", "Alice", 0)]
    assert page.context["honours"][0].played.is_own
    assert "Todanni" not in missing(page)


def test_a_season_without_one_says_so(client, club):
    season(club)
    assert (
        "Nobody has gone Mah-jong with a special hand this season yet."
        in client.get(reverse("honours", args=[club.slug])).content.decode()
    )


def test_what_is_missing_this_season_says_when_it_was_last_seen(client, club, cast):
    play(club, cast, {"special": "gates_of_heaven"})
    Season.objects.create(
        club=club,
        name="Spring",
        starts_on=datetime.date(2026, 11, 19),
        ends_on=datetime.date(2027, 4, 30),
        rules=["bmja"],
    )
    page = client.get(reverse("honours", args=[club.slug]), {"season": Season.objects.get().pk})
    seen = {hand.name: hand.last_seen for hand in page.context["not_seen"]}
    assert seen["Gates of Heaven"] == DAY
    assert seen["Buried Treasure"] is None
    assert "last seen 12 November 2026" in page.content.decode()


def test_an_earlier_season_is_a_tap_away_and_misses_what_was_played_then(client, club):
    dates = [(year, datetime.date(year, 1, 1), datetime.date(year, 6, 30)) for year in (2020, 2021, 2022)]
    first, *others = (
        Season.objects.create(club=club, name=f"Spring {year}", starts_on=begin, ends_on=end, rules=["bmja"])
        for year, begin, end in dates
    )
    hand = {"club": club, "worth": "limit", "concealed": False}
    ClubHand.objects.create(key="todanni", name="Todanni", since=first.starts_on, until=first.ends_on, **hand)
    ClubHand.objects.create(key="dancer", name="Dancer", since=datetime.date(2022, 7, 1), **hand)
    page = client.get(reverse("honours", args=[club.slug]), {"all": "1"})
    assert ("Todanni" in missing(page), "Dancer" in missing(page)) == (False, True)
    assert [(link.name, link.is_current) for link in page.context["links"]] == [
        ("Spring 2022", False), ("Spring 2021", False), ("All time", True),
    ]  # fmt: skip
    [earlier] = page.context["more_links"]
    page = client.get(f"{reverse('honours', args=[club.slug])}?{earlier.query}")
    assert ("Todanni" in missing(page), "Dancer" in missing(page)) == (True, False)
    assert "Nobody went Mah-jong with a special hand in Spring 2020." in page.content.decode()
    assert "Not seen in Spring 2020" in page.content.decode()


def test_the_first_of_the_season_is_marked(client, club, cast):
    season(club)
    first = play(club, cast, {"special": "gates_of_heaven"})
    play(club, cast, {"special": "gates_of_heaven"})
    found = client.get(reverse("honours", args=[club.slug])).context["honours"]
    assert [(one.played.session.pk == first.pk, one.is_first) for one in found] == [(False, False), (True, True)]


class TestCertificates:
    def test_of_one_hand_has_the_name_the_hand_its_tiles_and_the_date(self, client, club, cast):
        session = play(club, cast, PURITY)
        page = client.get(reverse("certificate", args=[club.slug, session.pk, session.entries.get().key]))
        shown = page.content.decode()
        for words in ("Alice", "Buried Treasure", "Thursday 12 November 2026, table 1", "Bramley"):
            assert words in shown
        [one] = page.context["certificates"]
        assert [len(group.tiles) for group in one.groups] == [3, 3, 3, 3, 2]
        assert not one.is_example

    def test_tiles_that_were_not_entered_are_those_of_the_rules_and_it_says_so(self, client, club, cast):
        session = play(club, cast, {"special": "gates_of_heaven"})
        page = client.get(reverse("certificate", args=[club.slug, session.pk, session.entries.get().key]))
        [one] = page.context["certificates"]
        assert one.is_example
        assert sum(len(group.tiles) for group in one.groups) == 14
        assert "An example from the rules" in page.content.decode()

    def test_there_is_none_for_a_hand_that_is_not_special_and_none_for_practice(self, client, club, cast):
        plain = play(club, cast, {"total": 40})
        practice = play(club, cast, {"special": "gates_of_heaven"}, practice=True)
        for session in (plain, practice):
            address = reverse("certificate", args=[club.slug, session.pk, session.entries.get().key])
            assert client.get(address).status_code == 404

    def test_all_of_a_season(self, client, club, cast):
        season(club)
        play(club, cast, {"special": "gates_of_heaven"})
        play(club, cast, PURITY)
        page = client.get(reverse("certificates", args=[club.slug]))
        assert [one.played.name for one in page.context["certificates"]] == ["Buried Treasure", "Gates of Heaven"]


def records_of(page):
    return {
        record.key: (record.figure, [(one.player.full_name, one.session, one.hand) for one in record.holders])
        for record in page.context["records"]
    }


class TestRecords:
    """Three hands: Alice, East, wins 100 and 40, then Bob wins 64; the amounts are counted by hand.

    East pays and receives double: Alice receives 200 from each, then 80 from each; then Bob 128 from her and 64 from
    Carol and Dave.
    """

    @pytest.fixture
    def played(self, club, cast):
        season(club)
        session = start_session(club, DAY, 1, cast.all[:4], "bmja", None, by=BY)
        for winner, total in (("1", 100), ("1", 40), ("2", 64)):
            hands = {seat: {"total": total if seat == winner else 0} for seat in "1234"}
            assert send(session, "hand", {"hands": hands, "mahjong": {"by": winner}}).outcome == "recorded"
        send(session, "finish")
        return session

    @pytest.mark.postgres
    def test_of_the_season_and_of_all_time(self, client, club, played):
        keys = [
            str(key) for key in played.entries.filter(kind="hand").order_by("position").values_list("key", flat=True)
        ]
        expected = {
            "highest_hand": (100, [("Alice", played.pk, keys[0])]),
            "largest_win": (600, [("Alice", played.pk, keys[0])]),
            "highest_session": (712, [("Alice", played.pk, "")]),
            "most_won": (2, [("Alice", played.pk, "")]),
            "longest_east": (2, [("Alice", played.pk, keys[1])]),
        }
        address = reverse("honours", args=[club.slug])
        assert records_of(client.get(address)) == expected
        assert records_of(client.get(address, {"all": "1"})) == expected

    def test_those_who_are_level_hold_it_together(self, client, club, cast, played):
        again = start_session(club, DAY, 2, cast.all[1:], "bmja", None, by=BY)
        hands = {"1": {"total": 100}, "2": {}, "3": {}, "4": {}}
        assert send(again, "hand", {"hands": hands, "mahjong": {"by": "1"}}).outcome == "recorded"
        found = records_of(client.get(reverse("honours", args=[club.slug])))
        assert [name for name, _, _ in found["highest_hand"][1]] == ["Alice", "Bob"]
        assert [name for name, _, _ in found["largest_win"][1]] == ["Alice", "Bob"]
        assert found["most_won"] == (2, [("Alice", played.pk, "")])

    def test_what_cannot_be_compared_is_told_apart(self, client, club, cast, played):
        """Two tables settle up, at one own scores are added: its 3,000 is no net, and its hand is of other rules."""
        again = start_session(club, DAY, 2, cast.all[:4], "bmja", None, by=BY)
        other = start_session(club, DAY, 3, cast.all[:4], "turner", None, by=BY)
        assert other.recording == "straight"
        Session.objects.filter(pk__in=[again.pk, other.pk]).update(state="finished")
        Tally.objects.filter(session=again).update(hands=1)
        Tally.objects.filter(session=other, player=cast.bob).update(hands=4, gained=3000, net=3000, best_hand=2000)
        page = client.get(reverse("honours", args=[club.slug]), {"all": "1"})
        found = {record.key: record for record in page.context["records"]}
        assert records_of(page)["highest_session"] == (712, [("Alice", played.pk, "")])
        assert found["highest_session"].sentence == "The most points won at one table, where players paid each other."
        assert [holder.rules for holder in found["highest_hand"].holders] == ["Turner simple scoring"]

    def test_practice_sets_none(self, client, club, cast):
        season(club)
        play(club, cast, {"special": "gates_of_heaven"}, practice=True)
        assert records_of(client.get(reverse("honours", args=[club.slug]), {"all": "1"})) == {}


@pytest.fixture
def eight_level(club, cast):
    """Eight tables, at each of which another East wins 100 and then 40: eight are level in every record."""
    made = season(club)
    people = [*cast.all, *(add_player(club, name, by=BY) for name in ("Gus", "Hal", "Ida"))]
    for number in range(1, 9):
        seated = [people[(number + place) % 8] for place in (0, 2, 4, 6)]
        session = start_session(club, DAY, number, seated, "bmja", None, by=BY)
        for total in (100, 40):
            hands = {seat: {"total": total if seat == "1" else 0} for seat in "1234"}
            assert send(session, "hand", {"hands": hands, "mahjong": {"by": "1"}}).outcome == "recorded"
        send(session, "finish")
    return made


def text_of(answer):
    return " ".join(re.sub("<[^>]+>", " ", answer.content.decode()).split())


def test_a_record_says_how_many_more_hold_it(client, club, eight_level):
    found = client.get(reverse("honours", args=[club.slug]))
    assert {record.key: (record.figure, len(record.holders), record.others) for record in found.context["records"]} == {
        "highest_hand": (100, 5, 3),
        "largest_win": (600, 5, 3),
        "highest_session": (840, 5, 3),
        "most_won": (2, 5, 3),
        "longest_east": (2, 5, 3),
    }
    assert text_of(found).count("and 3 others") == 5
    annual = signed_in(club.memberships.get(role="secretary").user).get(reverse("annual-meeting", args=[club.slug]))
    assert text_of(annual).count("; and 3 others") == 5


def test_a_record_that_few_hold_says_nothing_of_others(client, club, cast):
    season(club)
    play(club, cast, {"special": "gates_of_heaven"})
    found = client.get(reverse("honours", args=[club.slug]))
    assert [record.others for record in found.context["records"]] == [0, 0]
    assert "others" not in text_of(found)


def test_the_noticeboard_names_everyone_with_the_best_hand(client, club, eight_level):
    secretary = signed_in(club.memberships.get(role="secretary").user)
    text = text_of(secretary.get(reverse("noticeboard", args=[club.slug])))
    board = text[text.index("Best hands") : text.index("Position Moved")]
    names = ["Bob", "Carol", "Dave", "Fay", "Gus", "Hal", "Ida", "Alice"]
    assert board.strip() == "Best hands " + " ".join(f"{name} , 100 points" for name in names)
