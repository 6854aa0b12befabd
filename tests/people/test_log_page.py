"""The log's page: every kind of change is a sentence, filtered and paged at the same price, and taken out as CSV."""

import datetime
import subprocess
import sys
from pathlib import Path
from string import Formatter

import pytest
from django.urls import reverse
from django.utils import timezone

from sessions_app.exchange.exports.club_csv import log_csv
from sessions_app.league.seasons import add_season, change_season
from sessions_app.models import Change, Season, User
from sessions_app.people.log import SENTENCES, SLOTS, Actor, log_change
from sessions_app.people.log_pages import PAGE, LogFilter, all_lines, log_page
from sessions_app.people.players import add_player, rename_player
from sessions_app.rules.club_rules import add_club_hand, change_club_hand, save_version
from sessions_app.table.apply_command import apply_secretary_command, move_session
from tests.afternoon import BY, hand, new_key, send, totals
from tests.logins import signed_in

ROOT = Path(__file__).parent.parent.parent
WHICH = "table 1 of 12 November 2026"
TABLE = f"at {WHICH}"


def newest(club):
    return log_page(club, LogFilter()).lines[0].sentence


@pytest.fixture
def sam(db):
    return Actor.of_user(User.objects.create_user("sam", first_name="Sam", last_name="Green"))


def test_hands_are_told_with_number_and_winner(four):
    key = hand(four, "2", s2=40)
    assert newest(four.club) == f"tablet at table 1 recorded hand 1 {TABLE}: Bob went Mah-jong."
    send(four, "correct", {"entry": key, "body": totals("3", s3=10)})
    changed = f"changed hand 1 {TABLE}: before, Bob went Mah-jong; now, Carol went Mah-jong."
    assert newest(four.club) == f"tablet at table 1 {changed}"
    send(four, "undo")
    assert newest(four.club) == f"tablet at table 1 undid this: {changed}"
    send(four, "redo")
    assert newest(four.club) == f"tablet at table 1 redid this: {changed}"
    send(four, "take_out", {"entry": key})
    assert newest(four.club) == f"tablet at table 1 removed a hand {TABLE}: Carol went Mah-jong."
    send(four, "put_back", {"entry": key})
    assert newest(four.club) == f"tablet at table 1 restored hand 1 {TABLE}."
    send(four, "hand", {"hands": {}, "mahjong": None})
    assert newest(four.club) == f"tablet at table 1 recorded hand 2 {TABLE}: nobody went Mah-jong."
    false = {
        "hands": {seat: {} for seat in "1234"},
        "mahjong": None,
        "penalties": [{"kind": "false mahjong", "by": "3"}],
    }
    send(four, "hand", false)
    assert newest(four.club) == f"tablet at table 1 recorded hand 3 {TABLE}: void after a false Mah-jong by Carol."


def test_a_correction_under_the_same_winner_tells_what_is_different(four):
    """Who reads the log aloud is asked at once: changed from what?"""
    key = hand(four, "2", s2=40, s1=8)
    body = totals("2", s2=40, s1=12)
    body["hands"]["3"] = {"points": 4, "doubles": 1}
    body["mahjong"]["from"] = "1"
    assert send(four, "correct", {"entry": key, "body": body}).outcome == "recorded"
    assert newest(four.club) == (
        f"tablet at table 1 changed hand 1 {TABLE}: Bob went Mah-jong; changed: Alice’s total, 12 (was 8), "
        "Carol’s tiles, how it was won."
    )


def test_a_changed_season_is_told_with_what_it_was(club, sam):
    days = {"starts_on": datetime.date(2026, 9, 1), "ends_on": datetime.date(2026, 12, 31)}
    season = add_season(club, "Autumn", rules=["bmja"], **days, by=sam)
    change_season(season, method="best_n", minimum_sessions=5, rules=["bmja", "u3a"], minimum_hands=20, by=sam)
    assert newest(club) == (
        "Sam Green (sam) changed the season Autumn: rules that count British (BMJA) and u3a Beginners' Guide, to the "
        "letter (was British (BMJA)); ranked by best tables (was average per hand); tables needed to be ranked 5 "
        "(was 3); hands needed to be ranked 20 (was none)."
    )
    change_season(season, trophies=["highest_hand"], ends_on=datetime.date(2027, 1, 10), by=sam)
    assert newest(club) == (
        "Sam Green (sam) changed the season Autumn: last day 10 January 2027 (was 31 December 2026); trophies highest "
        "hand (was none)."
    )


def test_a_new_edition_of_the_house_rules_and_a_changed_special_hand_are_told(club, sam):
    save_version(club, "bmja", {"limit": 1500, "east_max": 2}, 0, by=sam)
    save_version(club, "bmja", {"limit": 800, "east_max": 2}, 1, by=sam, note="Agreed in May")
    sentences = [line.sentence for line in log_page(club, LogFilter()).lines]
    assert (
        sentences[0]
        == "Sam Green (sam) saved version 2 of the house rules for British (BMJA): Limit: 800 (was: 1,500)."
    )
    first = "Sam Green (sam) saved version 1 of the house rules for British (BMJA): Limit: 1,500 (was: 1,000); "
    assert sentences[1].startswith(first)
    facts = {"text": "All the winds twice", "worth": "limit", "since": datetime.date(2026, 9, 1)}
    own = add_club_hand(club, name="Windy", by=sam, **facts)
    change_club_hand(own, worth="points", points=500, until=datetime.date(2026, 12, 31), by=sam)
    assert newest(club) == (
        "Sam Green (sam) changed the special hand Windy: worth a number of points (was the limit); "
        "points 500 (was none); until 31 December 2026 (was none)."
    )


def test_what_happens_at_a_table_is_told(four, cast, sam):
    club = four.club
    started = (
        "Sam the secretary started table 1 of 12 November 2026 under British (BMJA), with Alice, Bob, Carol, Dave."
    )
    assert newest(club) == started
    fine = {"by": "1", "to": "2", "amount": 30, "why": "late"}
    for kind, body, found in (
        ("fine", fine, f"recorded a penalty {TABLE}: Alice pays 30 to Bob."),
        ("fine", {"by": "1", "amount": 20}, f"recorded a penalty {TABLE}: Alice pays 20."),
        ("note", {"text": "Tea!"}, f"wrote a note {TABLE}: Tea!"),
        ("exchange", {"a": "1", "b": "2"}, f"noted that Alice and Bob swapped seats {TABLE}."),
        ("seating", {"winds": dict(zip("ESWN", "1234", strict=True))}, f"noted how they really sat {TABLE}."),
        ("arrive", {"player": cast.fay.pk}, f"noted that Fay joined {TABLE}."),
        ("leave", {"seat": "5"}, f"noted that Fay left {TABLE}."),
        ("finish", {}, f"finished {WHICH}."),
        ("reopen", {}, f"reopened {WHICH}."),
    ):
        send(four, kind, body, by=sam)
        assert newest(club) == f"Sam Green (sam) {found}"
    gus = add_player(club, "Gus", by=sam)
    send(four, "change_player", {"seat": "1", "player": gus.pk}, by=sam)
    assert newest(club) == f"Sam Green (sam) gave the seat of Alice to Gus {TABLE}."


def test_what_is_done_to_a_whole_session_is_told(four, sam):
    club = four.club
    hand(four, "1", s1=8)
    step = Change.objects.latest("pk").pk
    hand(four, "1", s1=8)

    def at_desk(kind, **more):
        apply_secretary_command(four.pk, {"key": new_key(), "kind": kind, "body": {}, **more}, sam)
        return newest(club)

    sentence = f"Sam Green (sam) restored {WHICH} to an earlier point."
    assert at_desk("go_back", body={"change": step}) == sentence
    assert at_desk("void", why="Twice") == f"Sam Green (sam) cancelled {WHICH}."
    assert log_page(club, LogFilter()).lines[0].why == "Twice"
    assert at_desk("count_again") == f"Sam Green (sam) let {WHICH} count again."
    move_session(four, new_key(), datetime.date(2026, 6, 3), 7, "Garden party", by=sam)
    assert newest(club) == (
        "Sam Green (sam) moved table 1 of 12 November 2026 to table 7 of 3 June 2026 (Garden party)."
    )


def test_players_seasons_and_names_that_come_and_go(club, sam):
    fay = add_player(club, "Fay Little", by=sam)
    assert newest(club) == "Sam Green (sam) added Fay Little to the players."
    rename_player(fay, "Fay Long", by=sam)
    assert newest(club) == "Sam Green (sam) renamed a player, now Fay Long."
    sentences = [line.sentence for line in all_lines(club, LogFilter())]
    assert sentences[0] == "Sam Green (sam) added Fay Long to the players."
    add_season(club, "Spring", datetime.date(2026, 1, 1), datetime.date(2026, 5, 1), by=sam, rules=["bmja"])
    assert newest(club) == "Sam Green (sam) opened the season Spring."


def test_a_tablet_is_named_by_the_player_who_held_it(four):
    send(four, "note", {"text": "Tea"}, by=Actor(name="{2}, tablet at table 1"))
    line = log_page(four.club, LogFilter()).lines[0]
    assert (line.who, line.sentence) == ("Bob, tablet at table 1", f"Bob, tablet at table 1 wrote a note {TABLE}: Tea.")


def test_the_history_knows_every_sentence_before_any_page_is_loaded():
    """Each room says it of its own changes; a command that writes the history out imports no page that loads them."""
    ask = (
        "import django; django.setup(); from sessions_app.people.log import SENTENCES; before = {*SENTENCES};"
        "import sessions_app.urls; print(len(before), {*SENTENCES} - before)"
    )
    printed = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    number, _, later = printed.stdout.strip().partition(" ")
    assert (int(number) > 80, later) == (True, "set()")


def test_every_sentence_has_what_fills_it():
    slots = {slot for words in SENTENCES.values() for _, slot, _, _ in Formatter().parse(words) if slot}
    assert slots - SLOTS.keys() == set()


def page(at_home, **query):
    return signed_in(at_home.secretary).get(reverse("log", args=[at_home.club.slug]), query)


def sentences(response):
    return [line.sentence for line in response.context["lines"]]


def test_the_account_stands_beside_a_name_that_anybody_can_choose(at_home):
    """A login that calls itself like a tablet, or like a seat, is known by its account all the same."""
    keeper = at_home.scorekeeper
    keeper.first_name = "{2}, tablet at table 1"
    keeper.save()
    signed_in(keeper).post(reverse("nobody", args=[at_home.club.slug, at_home.table_session.pk]))
    line = log_page(at_home.club, LogFilter()).lines[0]
    assert line.who == "{2}, tablet at table 1 (bramley-scorekeeper)"
    assert line.sentence == f"{line.who} recorded hand 2 {TABLE}: nobody went Mah-jong."
    assert sentences(page(at_home, who="bramley-scorekeeper")) == [line.sentence]
    assert line.who in log_csv(at_home.club)


def test_a_player_called_like_a_seat_is_told_by_that_name(at_home, cast):
    """Players' names are put in all at once, not one into another."""
    rename_player(cast.alice, "{2}", "{2}", by=BY)
    send(at_home.table_session, "note", {"text": "Tea"}, by=Actor(name="{1}, tablet at table 1"))
    assert newest(at_home.club) == f"{{2}}, tablet at table 1 wrote a note {TABLE}: Tea."


def test_the_page_filters_by_who_what_table_and_dates(at_home, sam):
    add_player(at_home.club, "Gus", by=sam)
    everything = sentences(page(at_home))
    assert len(everything) == Change.objects.filter(club=at_home.club).count()
    send(at_home.table_session, "note", {"text": "Tea"}, by=Actor(name="{2}, tablet at table 1"))
    bob = [f"Bob, tablet at table 1 wrote a note {TABLE}: Tea."]
    assert (sentences(page(at_home, who="bob")), sentences(page(at_home, who="carol"))) == (bob, [])
    everything = [*bob, *everything]
    gus = ["Sam Green (sam) added Gus to the players."]
    assert sentences(page(at_home, who="green")) == gus
    assert sentences(page(at_home, what="players")) == gus
    log_change(at_home.club, sam, "import players", at_home.club, {}, {"added": 3})
    taken_in = ["Sam Green (sam) imported a list of players, 3 new."]
    assert sentences(page(at_home, what="imports")) == taken_in
    everything = [*taken_in, *everything]
    log_change(at_home.club, sam, "settings", at_home.club, {"public_names": "nobody"}, {"public_names": "short"})
    settings = ["Sam Green (sam) changed the club’s settings: names in public short names (was none)."]
    assert sentences(page(at_home, what="settings")) == settings
    everything = [*settings, *everything]
    at_table = sentences(page(at_home, table="1"))
    assert at_table
    assert all("table 1" in found for found in at_table)
    assert sentences(page(at_home, table="2")) == []
    today = timezone.now().date()
    assert sentences(page(at_home, first=today.isoformat(), last=today.isoformat())) == everything
    assert sentences(page(at_home, last=(today - datetime.timedelta(days=2)).isoformat())) == []
    assert sentences(page(at_home, what="hands", who="the test")) == [
        f"The test recorded hand 1 {TABLE}: Alice went Mah-jong."
    ]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"table": "seven"}, "Enter the table as a number, for example 2."),
        ({"first": "soon"}, "Enter the date, for example 12/11/2026."),
        ({"what": "nothing"}, "Choose what to show from the list."),
    ],
)
def test_what_cannot_be_read_is_said_and_kept(at_home, query, expected):
    response = page(at_home, **query)
    assert response.status_code == 422
    assert expected in response.text
    assert next(iter(query.values())) in response.text


@pytest.mark.parametrize("before", ["", "x", "-1", "0", "9" * 30, "٣"])
def test_a_strange_place_to_begin_is_no_fault(at_home, before):
    assert page(at_home, before=before).status_code == 200


def test_pages_follow_one_another_without_a_gap(at_home):
    for number in range(PAGE + 7):
        log_change(at_home.club, BY, "rules", at_home.club, {}, {"rules": "bmja"}, why=f"No. {number}")
    first = page(at_home)
    second = page(at_home, before=first.context["older"])
    found = [line.pk for line in [*first.context["lines"], *second.context["lines"]]]
    assert found == list(Change.objects.filter(club=at_home.club).order_by("-pk").values_list("pk", flat=True))
    assert (len(first.context["lines"]), second.context["older"]) == (PAGE, None)


@pytest.mark.parametrize("rows", [2, 10])
def test_a_page_costs_the_same_however_long(at_home, django_assert_num_queries, rows):
    for _ in range(rows):
        key = hand(at_home.table_session, "1", s1=8)
        send(at_home.table_session, "undo")
        send(at_home.table_session, "redo")
        send(at_home.table_session, "correct", {"entry": key, "body": totals("2", s2=8)})
        player = add_player(at_home.club, f"Player {key}", by=Actor.of_user(at_home.secretary))
        log_change(at_home.club, BY, "role", at_home.member, {}, {"role": "member"})
        log_change(at_home.club, BY, "change", at_home.season, {}, {})
        log_change(at_home.club, BY, "draw", at_home.table_session.meeting, {}, {"tables": [[player.pk]]})
    client = signed_in(at_home.secretary)
    client.get(reverse("log", args=[at_home.club.slug]))
    with django_assert_num_queries(11):
        client.get(reverse("log", args=[at_home.club.slug]))


def test_the_csv_has_every_line_and_is_in_the_log_itself(at_home):
    client = signed_in(at_home.secretary)
    answer = client.get(reverse("log-csv", args=[at_home.club.slug]))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    lines = answer.content.decode("utf-8-sig").splitlines()
    assert lines[0] == "Date,Time,Who,What,Date of the table,Table,What changed,Reason"
    assert lines[-1].endswith(f"The test,hand,2026-11-12,1,The test recorded hand 1 {TABLE}: Alice went Mah-jong.,")
    assert newest(at_home.club) == "bramley-secretary exported the history."
    assert client.head(reverse("log-csv", args=[at_home.club.slug])).status_code == 200
    assert Change.objects.filter(action="export").count() == 1


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("totals-csv", f"bramley-member exported the totals {TABLE}."),
        ("hands-csv", f"bramley-member exported the hands {TABLE}."),
        ("standings-csv", "bramley-member exported the league table."),
        ("my-data", "bramley-member exported everything kept about their own account."),
    ],
)
def test_every_export_is_in_the_log(at_home, name, expected):
    of_table = [at_home.table_session.pk] if name in ("totals-csv", "hands-csv") else []
    assert signed_in(at_home.member).get(reverse(name, args=[at_home.club.slug, *of_table])).status_code == 200
    assert newest(at_home.club) == expected


def test_another_clubs_lines_are_never_there(at_home, other_club):
    log_change(other_club, BY, "rules", other_club, {}, {"rules": "u3a"})
    own = sentences(page(at_home))
    assert own
    assert all("u3a" not in found for found in own)
    assert "u3a" not in log_csv(at_home.club)


def test_a_sentence_survives_what_is_no_more(club, sam):
    season = Season(pk=99_999)
    log_change(club, sam, "change", season, {}, {})
    log_change(club, sam, "erase", ("player", 99_999), {}, {})
    log_change(club, sam, "undo", ("change", 99_999), {}, {})
    log_change(club, sam, "role", ("user", 99_999), {}, {"role": "member"})
    Change.objects.create(club=club, user=sam.user, name=sam.name, action="something old", subject_type="club")
    assert [line.sentence for line in log_page(club, LogFilter()).lines] == [
        "Sam Green (sam) made a change of the kind “something old”.",
        "Sam Green (sam) made someone who has left the club member.",
        "Sam Green (sam) undid a change.",
        "Sam Green (sam) erased the names of a player, now shown as a player.",
        "Sam Green (sam) changed the season.",
    ]


def test_what_is_said_many_times_in_a_row_is_folded(at_home, sam, cast):
    for number in range(17):
        log_change(at_home.club, sam, "export", at_home.club, {}, {"what": f"list {number}"})
    log_change(at_home.club, sam, "settings", at_home.club, {"shows_honours": False}, {"shows_honours": True})
    answer = page(at_home)
    sizes = [len(group) for group in answer.context["groups"]]
    assert (sizes[:2], sum(sizes)) == ([1, 17], len(answer.context["lines"]))
    text = answer.content.decode()
    assert "16 more like it" in text
    assert all(f"exported list {number}." in text for number in range(17))
