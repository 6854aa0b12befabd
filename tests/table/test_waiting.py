"""What waits for someone to decide, as the pages show it: two records side by side, what came late, why put aside."""

import json
import re

import pytest
from django.urls import reverse

from sessions_app.models import Change, Command
from sessions_app.people.log import Actor
from sessions_app.table.apply_command import apply_command
from tests.afternoon import hand, new_key, totals
from tests.afternoon import send as command
from tests.factories import record
from tests.logins import logins, signed_in
from tests.table.test_table_key import by_key

pytestmark = pytest.mark.postgres

FIRST = Actor(name="{2}, tablet at table 1")


def at(at_home, name, *more):
    return reverse(name, args=[at_home.club.slug, at_home.table_session.pk, *more])


def text_of(page):
    return " ".join(re.sub(r"<[^>]*>", " ", page.text).split())


def send(at_home, kind, body, by=FIRST, key=None, **more):
    command = {"key": key or new_key(), "kind": kind, "body": body, **more}
    return apply_command(at_home.table_session.pk, command, by)


@pytest.fixture
def contested(at_home):
    """Hand 2 is recorded with Bob's 40; another tablet sends Carol's 50 for the same place. Bob is East by then."""
    after = at_home.hand_key
    send(at_home, "hand", totals("2", s2=40), after=after)
    key = new_key()
    answer = send(at_home, "hand", totals("3", s3=50), Actor(at_home.secretary, "Sam"), key, after=after)
    assert answer.outcome == "contested"
    return key


def test_both_stand_side_by_side_with_players_totals_and_who_entered_them(at_home, contested):
    words = text_of(signed_in(at_home.member).get(at(at_home, "table")))
    assert "Two versions of one hand" in words
    [(left, right)] = re.findall(
        r"Saved as hand 2 (.*?) The other version (.*?) Only the scorekeeper can decide this", words
    )
    # Alice kept the deal with her first Mah-jong, so she is East here and pays and receives twice.
    assert left.startswith("Bob goes Mah-jong Player Total This hand Alice 0 −80 Bob 40 +160 Carol 0 −40 Dave 0 −40")
    assert "Entered by Bob, tablet at table 1" in left
    assert "Carol goes Mah-jong Player Total This hand Alice 0 −100 Bob 0 −50 Carol 50 +200 Dave 0 −50" in right
    assert "Entered by Sam" in right


def test_a_hand_played_after_one_that_waits_is_decided_after_it(at_home, contested):
    key = new_key()
    assert send(at_home, "hand", totals("4", s4=60), key=key, after=contested).outcome == "contested"
    secretary, table = signed_in(at_home.secretary), at(at_home, "table")
    first = "This hand came after one that is not settled yet. Choose that one first"
    _, words = text_of(secretary.get(table)).split(first)
    # Who was East, and so who pays twice, is decided with the hand before.
    assert "Dave goes Mah-jong Player Total This hand Alice 0 – Bob 0 – Carol 0 – Dave 60 –" in words
    assert "Save it" not in words
    assert "Leave it out" in words
    assert "other players" not in words
    secretary.post(at(at_home, "choose"), {"keep": contested})
    words = text_of(secretary.get(table))
    assert (
        "This hand came after one that is now settled It is kept here. "
        "Save it or leave it out. What the tablet sent" in words
    )
    secretary.post(at(at_home, "choose"), {"keep": key})
    assert at_home.table_session.hands.count() == 4


def test_hand_entry_and_watching_pages_mention_two_versions(at_home, contested):
    at_home.club.public_names = "short"
    at_home.club.save()
    watcher = signed_in(None).get(reverse("watch", args=[at_home.table_session.watching_key]))
    assert "There are two versions of one hand. The players are choosing" in watcher.text
    keeper = signed_in(at_home.scorekeeper)
    assert "There are two versions of one hand." in keeper.get(at(at_home, "hand-new")).text
    keeper.post(at(at_home, "choose"), {"drop": contested})
    assert "two versions of one hand" not in keeper.get(at(at_home, "hand-new")).text
    watcher = signed_in(None).get(reverse("watch", args=[at_home.table_session.watching_key]))
    assert "two versions of one hand" not in watcher.text


def test_a_tablet_by_key_may_choose_with_one_press(at_home, contested):
    visitor = by_key(at_home.table_session)
    assert "Keep both hands" in visitor.get(at(at_home, "table")).text
    visitor.post(at(at_home, "choose"), {"keep": contested})
    assert at_home.table_session.hands.count() == 3
    assert Command.objects.get(key=contested).outcome == "applied"


def test_a_second_change_of_a_hand_is_shown_beside_the_first(at_home):
    keeper, secretary = signed_in(at_home.scorekeeper), signed_in(at_home.secretary)
    changes = [re.search(r'"save": "([^"]*version=1)"', one.get(at(at_home, "hand-change", at_home.hand_key)).text)
               for one in (keeper, secretary)]  # fmt: skip
    assert all(changes)
    for one, winner in ((keeper, "2"), (secretary, "3")):
        body = json.dumps(totals(winner, **{f"s{winner}": 40}))
        preview = one.post(changes[0][1], {"body": body, "seats": '{"E":"1","S":"2","W":"3","N":"4"}'})
        assert '<input type="hidden" name="version" value="1">' in preview.text
        answer = one.post(at(at_home, "hand-correct", at_home.hand_key), {"body": body, "version": "1"}, follow=True)
    words = text_of(answer)
    assert "Someone else changed this first. Both versions are kept. Choose which one to use." in words
    assert (
        "Two versions of one hand Someone else has already saved a change here. "
        "Both versions are kept. Choose which one to use. "
        "Hand 1 as it is now Bob goes Mah-jong" in words
    )
    assert "The other version A change of a hand: Carol goes Mah-jong Player Total" in words
    [kept] = Command.objects.filter(outcome="contested")
    secretary.post(at(at_home, "choose"), {"keep": str(kept.key)})
    assert "Hand 1: Carol goes Mah-jong" in text_of(secretary.get(at(at_home, "hand", at_home.hand_key)))


def test_the_secretary_finds_what_came_late_and_puts_it_aside_with_a_reason(at_home):
    record(at_home.table_session, {}, kind="finish")
    key = new_key()
    assert send(at_home, "hand", totals("2", s2=40), key=key, device="Blue tablet").outcome == "late"
    secretary = signed_in(at_home.secretary)
    assert "1 hand to check." in secretary.get(reverse("club", args=[at_home.club.slug])).text
    late = reverse("late", args=[at_home.club.slug])
    words = text_of(secretary.get(late))
    assert (
        "This came after the table was finished It is kept here. "
        "Save it or leave it out. What the tablet sent Bob goes Mah-jong" in words
    )
    assert "Entered by Bob, tablet at table 1 (Blue tablet)" in words
    secretary.post(at(at_home, "choose"), {"drop": key, "why": "Played after the bell"})
    change = Change.objects.last()
    assert (change.action, change.why, change.user) == ("choose", "Played after the bell", at_home.secretary)
    assert "Nothing to check." in secretary.get(late).text
    assert signed_in(at_home.scorekeeper).get(late).status_code == 403


def test_in_a_locked_season_a_scorekeepers_hand_is_kept_and_the_secretarys_refused(at_home):
    type(at_home.season).objects.update(locked=True)
    for user, seat in ((at_home.scorekeeper, "2"), (at_home.secretary, "3")):
        sent = {"body": json.dumps(totals(seat, **{f"s{seat}": 40})), "after": at_home.hand_key, "key": new_key()}
        signed_in(user).post(at(at_home, "hand-record"), sent)
    [kept] = Command.objects.filter(outcome="late")
    assert (kept.user, kept.late_reason) == (at_home.scorekeeper, "locked")
    assert at_home.table_session.hands.count() == 1


def test_nothing_of_another_club_waits_here(at_home, other_club):
    record(at_home.table_session, {}, kind="finish")
    send(at_home, "hand", totals("2", s2=40))
    eve = signed_in(logins(other_club)["secretary"])
    assert "Nothing to check." in eve.get(reverse("late", args=[other_club.slug])).text


def test_a_hand_sent_by_a_replaced_key_is_kept_and_the_secretary_records_it(at_home):
    visitor, secretary = by_key(at_home.table_session), signed_in(at_home.secretary)
    secretary.post(at(at_home, "scoring-new-key"))
    hand = {"body": json.dumps(totals("2", s2=40)), "after": at_home.hand_key, "key": new_key()}
    answer = visitor.post(at(at_home, "hand-record"), hand)
    assert answer.status_code == 403
    assert "What you sent has arrived. It is kept for the secretary to check." in answer.text
    assert "A new code was made for table 1." in answer.text
    assert visitor.post(at(at_home, "hand-record"), hand).status_code == 403
    [kept] = Command.objects.filter(outcome="late")
    assert (str(kept.key), kept.name) == (hand["key"], "tablet at table 1")
    words = text_of(secretary.get(at(at_home, "table")))
    assert "This came from a tablet whose code had been replaced" in words
    assert signed_in(at_home.scorekeeper).post(at(at_home, "choose"), {"keep": hand["key"]}).status_code == 403
    secretary.post(at(at_home, "choose"), {"keep": hand["key"]})
    assert at_home.table_session.hands.count() == 2


def test_a_hand_of_players_who_no_longer_play_says_so(five, club):
    seats = {"E": "1", "S": "2", "W": "3", "N": "4"}
    first = hand(five, "1", sat_out="5", s1=40)
    # With Bob's Mah-jong the deal moves on, and Alice sits out the next hand.
    command(five, "correct", {"entry": first, "body": totals("2", sat_out="5", s2=40)})
    sent = totals("1", sat_out="5", s1=20)
    assert command(five, "hand", sent, after=first, seats=seats).outcome == "contested"
    page = signed_in(logins(club)["scorekeeper"]).get(reverse("table", args=[club.slug, five.pk]))
    assert "This hand was sent for other players One of these players should be sitting out now" in text_of(page)
