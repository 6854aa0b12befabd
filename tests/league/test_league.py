"""The league and what a club asks of it: movers, form, another day, what if, trophies."""

import datetime
import re

import pytest
from django.urls import reverse

from sessions_app.league.records import trophies_of
from sessions_app.league.standings import league
from sessions_app.league.tags import form_bars
from sessions_app.models import Player, Season, Session
from sessions_app.people.log import Actor
from sessions_app.people.players import add_player
from sessions_app.table.sessions import start_session
from tests.afternoon import hand, nobody, send
from tests.factories import season
from tests.logins import logins, signed_in

BY = Actor(name="The test")
AUTUMN = [datetime.date(2026, 10, day) for day in (1, 8, 15, 22)]


@pytest.fixture
def autumn(club):
    made = season(club)
    made.minimum_sessions = 1
    made.save()
    return made


def play(club, players, day, *winners, table=1):
    """A table of three on a day: each winner in turn goes Mah-jong with 20, the others have nothing.

    East pays and receives double: East wins 80 and each other loses 40; another wins 60, East loses 40, the other 20.
    """
    session = start_session(club, day, table, players, "bmja", {}, by=BY)
    for winner in winners:
        hand(session, winner, **{f"s{winner}": 20}, seats="123")
    return session


@pytest.fixture
def played(club, cast, autumn):
    """Alice wins the first afternoon, Bob the second and the third; Carol loses always."""
    three = cast.all[:3]
    play(club, three, AUTUMN[0], "1", "1")
    play(club, three, AUTUMN[1], "2")
    play(club, three, AUTUMN[2], "2", "2")
    return autumn


def order(found):
    return [(row.position, row.name, row.net) for row in found.ranked]


def test_the_league_by_total(played):
    """Alice 160 - 40 - 40 - 40 (East once, then Bob is East: he wins 80 and she loses 40); Bob the reverse."""
    found = league(played, method="total")
    assert order(found) == [(1, "Bob", 120), (2, "Alice", 40), (3, "Carol", -160)]
    assert found.last_day == AUTUMN[2]


def test_movers_are_those_since_before_the_last_afternoon(played):
    """Before it: Alice 160 - 40 = 120, Bob -80 + 60 = -20, Carol -80 - 20 = -100; so Bob is up, Alice down."""
    found = league(played, method="total")
    assert [(row.name, row.moved, row.is_new) for row in found.rows] == [
        ("Bob", 1, False),
        ("Alice", -1, False),
        ("Carol", 0, False),
    ]
    assert found.has_movers


def test_somebody_who_had_no_place_is_new(club, cast, played):
    play(club, [cast.alice, cast.bob, cast.dave], AUTUMN[3], "1")
    rows = {row.name: row for row in league(played, method="total").rows}
    assert (rows["Dave"].is_new, rows["Dave"].moved) == (True, None)
    assert not rows["Alice"].is_new


def test_where_most_are_new_nobody_is_called_so(club, cast, autumn):
    """Three have a place; then six others come, whom the word would mark all."""
    play(club, cast.all[:3], AUTUMN[0], "1")
    others = [add_player(club, name, name, by=BY) for name in ("Gus", "Hal", "Ivy", "Jan", "Kit", "Lou")]
    play(club, others[:3], AUTUMN[1], "1")
    # Half of six are not most.
    assert sum(row.is_new for row in league(autumn, method="total").rows) == 3
    play(club, others[3:], AUTUMN[1], "1", table=2)
    assert [row.is_new for row in league(autumn, method="total").rows] == [False] * 9


def test_nobody_moves_on_the_first_day(club, cast, autumn):
    play(club, cast.all[:3], AUTUMN[0], "1")
    found = league(autumn)
    assert (found.has_movers, [row.moved for row in found.rows]) == (False, [None, None, None])


def test_nobody_is_new_where_nobody_was_ranked_before(played):
    played.minimum_sessions = 3
    found = league(played)
    assert [row.position for row in found.rows] == [1, 2, 3]
    assert [row.is_new for row in found.rows] == [False] * 3


def test_form_is_the_nets_of_the_last_five_sessions(club, cast, played):
    for day in (22, 23, 24):
        play(club, cast.all[:3], datetime.date(2026, 10, day), "1")
    rows = {row.name: row.form for row in league(played).rows}
    assert rows["Alice"] == (-40, -80, 80, 80, 80)
    # Each side of the line has 16 for the largest, and nothing at all is still a bar.
    assert re.findall(r'"(\w+)"[^>]* height="([\d.]+)"', form_bars((80, -40, 0))) == [
        ("up", "16.0"),
        ("down", "8.0"),
        ("up", "3"),
    ]


def test_the_table_as_it_stood_on_a_past_day(played):
    found = league(played, until=AUTUMN[0] + datetime.timedelta(days=3), method="total")
    assert order(found) == [(1, "Alice", 160), (2, "Bob", -80), (2, "Carol", -80)]
    assert found.last_day == AUTUMN[0]


def test_what_if_leaves_the_season_as_it_is_and_shows_both_places(played):
    found = league(played, method="best_n", best_n=1)
    assert [(row.name, row.position, row.own_position) for row in found.rows] == [
        ("Alice", 1, 2),
        ("Bob", 2, 1),
        ("Carol", 3, 3),
    ]
    assert found.is_what_if
    played.refresh_from_db()
    assert played.method == "average"


TROPHIES = ["highest_hand", "goulashes", "longest_east", "most_improved", "most_sessions"]


def held(season, *keys):
    season.trophies = keys or TROPHIES
    return {trophy.key: [(holder.name, holder.words) for holder in holders] for trophy, holders in trophies_of(season)}


def test_trophies_of_a_season(club, cast, played):
    """Alice, East, wins three running and Bob then one of 64; nobody wins a hand, and Carol wins the goulash."""
    session = play(club, [*cast.all[:3]], AUTUMN[3], "1", "1", "1")
    hand(session, "2", s2=64, seats="123")
    assert send(session, "hand", nobody()).outcome == "recorded"
    hand(session, "3", s3=8, seats="123")
    assert held(played) == {
        "highest_hand": [("Bob", "64 on 22 October 2026")],
        "goulashes": [("Carol", "1 goulash won")],
        "longest_east": [("Alice", "3 hands won in a row as East")],
        "most_improved": [],
        "most_sessions": [("Alice", "4 tables played"), ("Bob", "4 tables played"), ("Carol", "4 tables played")],
    }


def test_guests_hold_no_trophies(club, cast, played):
    Player.objects.filter(pk__in=[cast.alice.pk, cast.bob.pk]).update(guest=True)
    assert held(played, "most_sessions", "highest_hand", "longest_east") == {
        "highest_hand": [], "longest_east": [], "most_sessions": [("Carol", "3 tables played")],
    }  # fmt: skip


def test_the_most_improved_is_measured_against_the_season_before(club, cast, played):
    """Autumn: Bob 120 in 5 hands is 24 a hand, Alice 40 in 5 is 8. Winter: Alice 80 in 1, Bob -40, Carol -40."""
    winter = Season.objects.create(
        club=club, name="Winter", starts_on=datetime.date(2027, 1, 1), ends_on=datetime.date(2027, 3, 31),
        rules=["bmja"], minimum_sessions=1,
    )  # fmt: skip
    play(club, cast.all[:3], datetime.date(2027, 1, 7), "1")
    assert held(winter, "most_improved") == {"most_improved": [("Alice", "72.0 more points per hand than last season")]}


@pytest.mark.parametrize(
    ("method", "by_meeting", "holders"), [("position_points", False, []), ("table_points", True, ["Alice"])]
)
def test_enough_for_the_most_improved_is_what_is_enough_for_the_table(club, cast, played, method, by_meeting, holders):
    """Two sessions at one meeting; points for positions are always by meeting, points of tables always by session."""
    winter = Season.objects.create(
        club=club, name="Winter", starts_on=datetime.date(2027, 1, 1), ends_on=datetime.date(2027, 3, 31),
        rules=["bmja"], minimum_sessions=2, method=method, by_meeting=by_meeting,
    )  # fmt: skip
    for table in (1, 2):
        play(club, cast.all[:3], datetime.date(2027, 1, 7), "1", table=table)
        Session.objects.update(state="finished")
    assert [name for name, _ in held(winter, "most_improved")["most_improved"]] == holders


@pytest.fixture
def secretary_client(club):
    return signed_in(logins(club)["secretary"])


def test_the_secretary_chooses_the_trophies(secretary_client, club, played):
    address = reverse("trophies", args=[club.slug])
    answer = secretary_client.post(f"{address}?season={played.pk}", {"trophies": ["most_sessions"]})
    assert answer.url == f"{address}?season={played.pk}"
    page = secretary_client.get(answer.url)
    assert [trophy.key for trophy, _ in page.context["trophies"]] == ["most_sessions"]


def test_what_is_asked_wrongly_is_said_and_the_table_stays(secretary_client, club, played):
    answer = secretary_client.get(reverse("standings", args=[club.slug]), {"best_n": "many", "on": "yesterday"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Enter a whole number for “How many of the best tables count”, for example 8." in text
    assert "Enter the date for “Results up to”, for example 12/11/2026." in text
    assert [row.name for row in answer.context["league"].rows] == ["Bob", "Alice", "Carol"]


def test_no_hands_needed_at_all_may_be_asked(secretary_client, club, played):
    """Five hands each, three sessions: by the season's hands all have a place, without them nobody has."""
    Season.objects.filter(pk=played.pk).update(minimum_sessions=4, minimum_hands=5)
    address = reverse("standings", args=[club.slug])
    assert len(secretary_client.get(address).context["league"].ranked) == 3
    page = secretary_client.get(address, {"minimum_hands": "0"})
    assert (page.context["league"].ranked, page.context["form"].is_filled_in) == ([], True)
    assert len(secretary_client.get(address, {"minimum_hands": 9999}).context["league"].below) == 3


def test_a_day_before_the_season_is_refused(secretary_client, club, played):
    answer = secretary_client.get(reverse("standings", args=[club.slug]), {"on": "2025-01-01"})
    said = f"Enter a date from {played.starts_on.day} {played.starts_on:%B %Y}, the first day of the season."
    assert (answer.status_code, answer.context["form"].errors["on"]) == (422, [said])


def test_the_csv_is_the_table_that_is_shown(secretary_client, club, played):
    query = {"season": played.pk, "method": "total", "on": "2026-10-04"}
    answer = secretary_client.get(reverse("standings-csv", args=[club.slug]), query)
    assert answer.content.decode("utf-8-sig").splitlines()[1:] == [
        "1,Alice,1,2,2,160,160,160.0000,", "2,Bob,1,2,0,-80,-80,-80.0000,", "2,Carol,1,2,0,-80,-80,-80.0000,",
    ]  # fmt: skip
    assert f"{club.slug}-2026-10-04-standings-total.csv" in answer.headers["Content-Disposition"]


def test_positions_are_provisional_while_nobody_has_played_enough(played):
    """By total Bob has 120, Alice 40 and Carol -160; with four sessions needed, each has three."""
    played.minimum_sessions = 4
    found = league(played, method="total")
    assert [(row.provisional, row.name, row.position) for row in found.below] == [
        (1, "Bob", None), (2, "Alice", None), (3, "Carol", None),
    ]  # fmt: skip
    played.minimum_hands = 5
    ranked = league(played, method="total")
    assert ([row.provisional for row in ranked.rows], ranked.is_provisional) == ([None] * 3, False)


def test_a_guest_has_no_provisional_position(played):
    Player.objects.filter(club=played.club, full_name="Bob").update(guest=True)
    played.minimum_sessions = 4
    found = league(played, method="total")
    assert [(row.provisional, row.name) for row in found.below] == [(1, "Alice"), (2, "Carol"), (None, "Bob")]


def test_provisional_positions_stand_in_brackets_and_not_in_the_csv(secretary_client, club, played):
    Season.objects.filter(pk=played.pk).update(minimum_sessions=4, method="total")
    text = secretary_client.get(reverse("standings", args=[club.slug])).content.decode()
    assert "Provisional positions: nobody has played 4 tables yet" in text
    assert text.count('<td class="num place">(1)</td>') == 1
    csv = secretary_client.get(reverse("standings-csv", args=[club.slug])).content.decode()
    assert [line.split(",")[0] for line in csv.splitlines()[1:]] == ["", "", ""]


def test_the_total_stands_once_where_it_ranks(secretary_client, club, played):
    address = reverse("standings", args=[club.slug])
    heads = [
        secretary_client.get(address, {"method": method}).content.decode().count(">Total</th>")
        for method in ("total", "beaten")
    ]
    assert heads == [1, 1]


def test_another_season_is_one_press_away(secretary_client, club, played):
    address = reverse("standings", args=[club.slug])
    assert "<summary>Season</summary>" not in secretary_client.get(address).content.decode()
    winter = Season.objects.create(
        club=club,
        name="Winter",
        rules=["bmja"],
        starts_on=datetime.date(2027, 1, 1),
        ends_on=datetime.date(2027, 3, 31),
    )
    text = secretary_client.get(f"{address}?season={played.pk}").content.decode()
    assert f'<a class="button-quiet" href="?season={winter.pk}">Winter</a>' in text
    assert f'href="?season={played.pk}" aria-current="page">{played.name}</a>' in text
