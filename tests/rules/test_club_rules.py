"""The editions of a club's rules and its own hands: what a session freezes at its start, and what never changes."""

import datetime

import pytest
from django.db import IntegrityError, transaction

from clubscore.scoring import ScoringError
from sessions_app.models import ClubHand, ClubRules
from sessions_app.rules.club_rules import rules_in_force
from sessions_app.table.sessions import start_session
from tests.conftest import AFTERNOON
from tests.factories import record

LONG_AGO = datetime.date(2020, 1, 1)


def edition(club, number, rules="bmja", **house_rules):
    return ClubRules.objects.create(club=club, rules=rules, number=number, house_rules=house_rules)


def club_hand(club, name="Dragon’s Tail", **more):
    facts = {"key": "dragons_tail", "worth": "half limit", "fishing": 200, "since": LONG_AGO}
    return ClubHand.objects.create(club=club, name=name, **{**facts, **more})


def start(club, cast, secretary, rules="bmja", **more):
    return start_session(club, AFTERNOON, 1, cast.all[:4], rules, None, by=secretary, **more)


def test_a_club_without_an_edition_plays_the_rule_set_as_it_is(club):
    found = rules_in_force(club)
    assert (found.rules, found.overrides, found.number, found.hands) == ("bmja", {}, 0, [])
    assert found.house.limit == 1000


def test_the_newest_edition_counts_and_each_rule_set_has_its_own(club, other_club):
    edition(club, 1, limit=600)
    edition(club, 2, limit=800, max_chows=4)
    edition(club, 1, "western", limit=500)
    edition(other_club, 9, limit=300)
    rules, house, overrides, number, hands = rules_in_force(club)
    assert (rules, house.limit, house.max_chows, number) == ("bmja", 800, 4, 2)
    assert overrides == {"limit": 800, "max_chows": 4}
    assert rules_in_force(club, "western").house.limit == 500
    assert rules_in_force(club, "u3a").number == 0


def test_the_rules_of_a_day_are_those_made_by_then(club):
    old, new = edition(club, 1, limit=600), edition(club, 2, limit=800)
    for one, day in ((old, 1), (new, 20)):
        ClubRules.objects.filter(pk=one.pk).update(since=datetime.date(2026, 10, day))
    days = {day: rules_in_force(club, on=datetime.date(2026, *day)).number for day in ((9, 30), (10, 19), (10, 20))}
    assert days == {(9, 30): 0, (10, 19): 1, (10, 20): 2}


def test_a_session_keeps_the_edition_and_the_hands_it_was_started_with(club, cast, secretary):
    edition(club, 3, limit=600)
    club_hand(club)
    session = start(club, cast, secretary)
    edition(club, 4, limit=800)
    ClubHand.objects.update(worth="limit", name="Another name")
    session.refresh_from_db()
    assert (session.house_rules, session.house_version) == ({"limit": 600}, 3)
    assert session.club_hands == [
        {"key": "dragons_tail", "name": "Dragon’s Tail", "value": "half limit", "fishing": 200, "concealed": True,
         "tiles": "", "text": ""},
    ]  # fmt: skip
    record(session, {"hands": {"1": {}, "2": {"special": "dragons_tail"}, "3": {}, "4": {}}, "mahjong": {"by": "2"}})
    [winner] = session.hands.get().player_hands.filter(won=True)
    assert (winner.total, winner.special, winner.lines[0]["name"]) == (300, "dragons_tail", "Dragon’s Tail")


def test_a_hand_is_in_force_from_its_first_day_to_its_last(club, cast, secretary):
    club_hand(club, since=datetime.date(2026, 11, 12), until=datetime.date(2026, 11, 12))
    days = {day: len(rules_in_force(club, on=datetime.date(2026, 11, day)).hands) for day in (11, 12, 13)}
    assert days == {11: 0, 12: 1, 13: 0}
    assert len(start(club, cast, secretary).club_hands) == 1


def test_rule_sets_without_hands_of_a_clubs_own_start_without_them(club, cast, secretary):
    club_hand(club)
    assert start(club, cast, secretary, "chinese_official").club_hands == []
    assert rules_in_force(club, "baggaley").hands == []


def test_a_session_refuses_own_hands_that_cannot_be_scored(club, cast, secretary):
    bad = [{"key": "x", "name": "X", "value": "much", "fishing": None}]
    with pytest.raises(ScoringError, match="A club's own hand counts a whole number, 'limit' or 'half limit'"):
        start_session(club, AFTERNOON, 1, cast.all[:4], "bmja", {}, by=secretary, club_hands=bad)


def refused(*rows):
    with pytest.raises(IntegrityError), transaction.atomic():
        type(rows[0]).objects.bulk_create(rows)


def test_the_database_refuses_hands_and_editions_that_cannot_be(club):
    edition(club, 1)
    refused(ClubRules(club=club, rules="bmja", number=1))
    refused(ClubRules(club=club, rules="u3a", number=0))
    facts = {"club": club, "key": "new", "name": "New", "since": LONG_AGO}
    hand = club_hand(club)
    refused(ClubHand(**{**facts, "key": hand.key}))
    refused(ClubHand(**facts, until=LONG_AGO - datetime.timedelta(days=1)))
    refused(ClubHand(**facts, worth="points"))
    refused(ClubHand(**facts, worth="limit", points=20))
    refused(ClubHand(**facts, worth="much"))
    assert ClubHand.objects.of_club(club).count() == 1
