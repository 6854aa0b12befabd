"""The club's own special hands: the secretary's pages, picked by name at the table, named in every list."""

import datetime
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from clubscore.scoring import house_rules
from sessions_app.models import Change, ClubHand, Player
from sessions_app.rules.club_rules import club_hand_worth, special_hands_of
from sessions_app.table.sessions import current_seating, start_session
from sessions_app.table.views.hand_entry_page import HandEntryPage
from tests.conftest import AFTERNOON
from tests.factories import record, season
from tests.logins import logins, signed_in

SNAKE = "1B 2B 3B 4B 5B 6B 7B 8B 9B R R R E E"


FIELDS = {"name": "Dragon’s Tail", "tiles": SNAKE, "text": "", "worth": "half limit", "points": "", "fishing": "200",
          "concealed": "on", "since": "2026-01-01", "until": ""}  # fmt: skip


URLS = {"score": "", "save": "", "back": ""}


@pytest.fixture
def client(club):
    return signed_in(logins(club)["secretary"])


def add(client, club, **changed):
    return client.post(reverse("club-hand-new", args=[club.slug]), {**FIELDS, **changed})


def club_hand(club, **changed):
    facts = {"name": "Dragon’s Tail", "key": "dragons_tail", "tiles": SNAKE, "worth": "half limit", "fishing": 200}
    return ClubHand.objects.create(club=club, **{**facts, "since": datetime.date(2026, 1, 1), **changed})


def start(club, players, rules="bmja", **more):
    by = more.pop("by")
    return start_session(club, AFTERNOON, 1, players, rules, None, by=by, **more)


class TestTheSecretarysPages:
    def test_a_hand_is_added_with_its_tiles_and_logged(self, client, club):
        answer = add(client, club)
        assert answer.url == reverse("club-hands", args=[club.slug])
        hand = ClubHand.objects.get()
        assert (hand.club, hand.key, hand.value, hand.fishing, hand.concealed, hand.until) == (
            club, "dragons_tail", "half limit", 200, True, None,
        )  # fmt: skip
        change = Change.objects.get(subject_type="clubhand")
        assert (change.action, change.after["name"], change.after["since"]) == ("add", "Dragon’s Tail", "2026-01-01")
        page = client.get(answer.url).content.decode()
        assert "half the limit, 500; fishing 200" in page
        assert page.count("#t-R") == 3

    def test_so_many_points(self, client, club):
        add(client, club, worth="points", points="640", fishing="", tiles="", text="Four pungs of winds.")
        assert (ClubHand.objects.get().value, ClubHand.objects.get().fishing) == (640, None)

    @pytest.mark.parametrize(
        ("changed", "field", "sentence"),
        [
            ({"name": " "}, "name", "Enter a name for the hand."),
            ({"tiles": "1B 2X"}, "tiles", "Enter tiles such as 1C, 9B, E or R. “2X” is not a tile."),
            ({"tiles": "1B 2B 3B"}, "tiles", "Enter 14 to 18 tiles. You entered 3."),
            ({"tiles": "1B " * 5 + "2B " * 4 + "3B " * 5}, "tiles", "Enter at most four of 1 Bamboo."),
            ({"tiles": "", "text": ""}, "tiles", "Enter example tiles, a description, or both."),
            ({"worth": "points"}, "points", "Enter the points the hand scores. For example, 500."),
            ({"worth": "points", "points": "-3"}, "points", "Enter a whole number for “Points”. For example, 500."),
            ({"worth": ""}, "worth", "Choose what the hand scores."),
            ({"fishing": "some"}, "fishing", "Enter a whole number for “Fishing score”. For example, 500."),
            ({"since": "soon"}, "since", "Enter the first day as a date. For example, 12/11/2026."),
            ({"until": "2025-12-31"}, "until", "Enter a last day that is not before the first day."),
        ],
    )
    def test_what_is_wrong_is_said_and_nothing_typed_is_lost(self, client, club, changed, field, sentence):
        answer = add(client, club, **changed)
        assert answer.status_code == 422
        errors = answer.context["form"].errors
        assert list(errors) == [field]
        assert errors[field][0].startswith(sentence)
        kept = answer.context["form"]
        assert {name: kept[name].value() or "" for name in FIELDS} == {**FIELDS, **changed, "concealed": True}
        assert not ClubHand.objects.exists()

    def test_two_hands_of_one_name_at_one_time_are_refused(self, client, club):
        club_hand(club, until=datetime.date(2026, 6, 30))
        assert add(client, club).context["form"].errors == {
            "name": ["Enter another name. The club has a hand called Dragon’s Tail on those days."]
        }
        assert add(client, club, since="2026-07-01").status_code == 302
        assert list(ClubHand.objects.order_by("since").values_list("key", flat=True)) == [
            "dragons_tail", "dragons_tail_2",
        ]  # fmt: skip

    @pytest.mark.parametrize(("name", "key"), [("Purity", "purity_2"), ("No chows", "no_chows_2")])
    def test_a_hand_named_like_one_of_the_rules_gets_a_key_of_its_own(self, client, club, name, key):
        add(client, club, name=name)
        assert ClubHand.objects.get().key == key

    def test_fifty_count_on_one_day_and_no_more(self, client, club):
        june = datetime.date(2026, 6, 30)
        for number in range(49):
            club_hand(club, key=f"tail_{number}", name=f"Tail {number}", until=june)
        last = club_hand(club, key="last", name="Last", until=datetime.date(2026, 3, 31))
        too_many = (
            "Choose other days, or retire a hand first. On {} the club has 50 special hands of its own, "
            "and 50 is the most."
        )
        assert add(client, club).context["form"].errors == {"since": [too_many.format("1 January 2026")]}
        # From April on there is room for one, and it is taken once.
        assert add(client, club, since="2026-04-01").status_code == 302
        address = reverse("club-hand", args=[club.slug, last.pk])
        fields = {**FIELDS, "name": "Last", "until": ""}
        assert client.post(address, fields).context["form"].errors == {"since": [too_many.format("1 April 2026")]}
        assert client.post(address, {**fields, "until": "2026-03-30"}).status_code == 302
        assert add(client, club, name="Next", since="2026-07-01").status_code == 302

    def test_more_than_fifty_of_earlier_days_may_still_be_changed_and_retired(self, client, club):
        hands = [club_hand(club, key=f"tail_{number}", name=f"Tail {number}") for number in range(60)]
        address = reverse("club-hand", args=[club.slug, hands[0].pk])
        assert client.post(address, {**FIELDS, "name": "Tail 0", "worth": "limit"}).status_code == 302
        assert client.post(reverse("club-hand-retire", args=[club.slug, hands[0].pk])).status_code == 302
        hands[0].refresh_from_db()
        assert (hands[0].value, hands[0].until) == ("limit", timezone.now().date())

    def test_a_hand_is_changed_retired_and_brought_back(self, client, club):
        hand = club_hand(club)
        address = reverse("club-hand", args=[club.slug, hand.pk])
        assert client.get(address).context["form"]["tiles"].value() == SNAKE
        client.post(address, {**FIELDS, "name": "The Tail", "worth": "limit"})
        hand.refresh_from_db()
        assert (hand.name, hand.key, hand.value) == ("The Tail", "dragons_tail", "limit")
        client.post(reverse("club-hand-retire", args=[club.slug, hand.pk]))
        hand.refresh_from_db()
        assert hand.until == timezone.now().date()
        client.post(address, {**FIELDS, "until": ""})
        hand.refresh_from_db()
        assert hand.until is None
        assert list(Change.objects.values_list("action", flat=True)) == ["change", "retire", "change"]

    def test_saving_it_as_it_was_changes_nothing(self, client, club):
        hand = club_hand(club)
        client.post(reverse("club-hand", args=[club.slug, hand.pk]), FIELDS)
        assert not Change.objects.exists()

    def test_another_clubs_hand_is_not_found(self, client, club, other_club):
        theirs = club_hand(other_club)
        for name in ("club-hand", "club-hand-retire"):
            assert client.post(reverse(name, args=[club.slug, theirs.pk]), FIELDS).status_code == 404
        assert "Dragon" not in client.get(reverse("club-hands", args=[club.slug])).content.decode()


class TestAtTheTable:
    def offered(self, session):
        page = HandEntryPage(session, current_seating(session), number=1, urls=URLS).context()
        return {hand["key"]: hand for hand in page["entry"]["special_hands"]}

    def test_it_stands_in_the_list_with_picture_and_worth(self, club, cast, secretary):
        club_hand(club, text="A run, a pung of dragons and a pair of winds.")
        hand = self.offered(start(club, cast.all[:4], by=secretary))["dragons_tail"]
        assert hand["picture"] == SNAKE.split()
        assert (hand["name"], hand["worth"], hand["fishing_worth"]) == ("Dragon’s Tail", "half the limit, 500", "200")
        assert hand["sentence"] == "A run, a pung of dragons and a pair of winds. Concealed."
        assert (hand["fishable"], hand["exposable"]) == (True, False)

    @pytest.mark.parametrize(("rules", "value"), [("bmja", 500), ("u3a", 500), ("western", 300), ("beginners", 300)])
    def test_it_scores_under_every_rule_set_that_takes_such_hands(self, club, cast, secretary, rules, value):
        club_hand(club)
        session = start(club, cast.all[:4], rules, by=secretary)
        body = {"hands": {"1": {}, "2": {"special": "dragons_tail"}, "3": {"fishing_for": "dragons_tail"}, "4": {}},
                "mahjong": {"by": "2"}}  # fmt: skip
        assert record(session, body).outcome == "recorded"
        totals = {row.seat.seat_no: row.total for row in session.hands.get().player_hands.all()}
        assert totals == {1: 0, 2: value, 3: 200, 4: 0}

    def test_a_concealed_one_cannot_have_exposed_sets(self, club, cast, secretary):
        club_hand(club)
        session = start(club, cast.all[:4], by=secretary)
        body = {"hands": {"1": {}, "2": {"special": "Dragons_Tail", "exposed": True}, "3": {}, "4": {}},
                "mahjong": {"by": "2"}}  # fmt: skip
        answer = record(session, body)
        assert (answer.outcome, answer.message) == ("invalid", "Dragon’s Tail cannot have exposed sets.")
        assert (answer.error.seat, answer.error.field) == ("S", "special")
        ClubHand.objects.update(concealed=False)
        assert record(start(club, cast.all[:4], by=secretary), body).outcome == "recorded"

    def test_the_hands_page_and_the_list_name_it(self, client, club, cast, secretary):
        autumn = season(club)
        club_hand(club)
        session = start(club, cast.all[:4], by=secretary)
        body = {"hands": {"1": {}, "2": {"special": "dragons_tail"}, "3": {}, "4": {}}, "mahjong": {"by": "2"}}
        answer = record(session, body)
        ClubHand.objects.update(name="Renamed")
        page = client.get(reverse("hand", args=[club.slug, session.pk, answer.entry])).content.decode()
        assert "<b>Dragon’s Tail</b>, a special hand." in page
        [link] = re.findall(r'href="([^"]+)#own-dragons_tail"', page)
        assert 'id="own-dragons_tail"' in client.get(link.replace("&amp;", "&")).content.decode()
        [found] = special_hands_of(club, autumn)
        assert (found.name, found.is_own, found.player, found.session) == ("Dragon’s Tail", True, cast.bob, session)


def test_the_list_has_the_rules_own_hands_too_and_leaves_practice_out(club, cast, secretary, other_club):
    club_hand(club)
    eves = [cast.eve, *(Player.objects.create(club=other_club, full_name=name) for name in "ABC")]
    counted, practice = (start(club, cast.all[:4], by=secretary, practice=practice) for practice in (False, True))
    for session in (counted, practice, start(other_club, eves, by=secretary)):
        special = {"hands": {"1": {}, "2": {}, "3": {"special": "knitting"}, "4": {}}, "mahjong": {"by": "3"}}
        assert record(session, special).outcome == "recorded"
    assert [(one.name, one.is_own, one.player) for one in special_hands_of(club)] == [("Knitting", False, cast.carol)]
    assert special_hands_of(club, season(club)) == []


@pytest.mark.parametrize(
    ("rules", "changed", "expected"),
    [
        ("bmja", {}, "half the limit, 500; fishing 200"),
        ("bmja", {"limit": 600}, "half the limit, 300; fishing 200"),
        ("western", {}, "half the limit, 300; fishing 200"),
        ("beginners", {}, "300; fishing 200"),
    ],
)
def test_what_it_counts_follows_the_limit(rules, changed, expected):
    hand = ClubHand(worth="half limit", fishing=200)
    assert club_hand_worth(hand.frozen(), house_rules(rules, changed)) == expected
