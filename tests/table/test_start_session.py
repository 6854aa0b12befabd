"""Starting a session: who sits where, someone new right there, and errors that keep everything typed."""

import html
import re

import pytest
from django.urls import reverse

from sessions_app.league.seasons import change_season
from sessions_app.meetings.services import plan_meeting
from sessions_app.models import Meeting, Player, Session
from sessions_app.table.sessions import start_session
from tests.factories import BY, DAY, record, season, table_in_play, totals
from tests.logins import logins, signed_in

pytestmark = pytest.mark.usefixtures("that_afternoon")


@pytest.fixture
def client(club):
    return signed_in(logins(club)["scorekeeper"])


def start(client, club, players, **more):
    fields = {"date": "2026-11-12", "table": "1", "rules": "bmja"}
    fields |= {f"player_{place}": str(getattr(player, "pk", player)) for place, player in enumerate(players, 1)}
    return client.post(reverse("session-start", args=[club.slug]), {**fields, **more})


def seated(session):
    return [(seat.seat_no, seat.player.full_name) for seat in session.seats.order_by("seat_no")]


@pytest.mark.parametrize(("number", "balance"), [(3, 2660), (4, 2000), (5, 1600)])
def test_three_four_and_five_sit_down(client, club, cast, number, balance):
    answer = start(client, club, cast.all[:number])
    session = Session.objects.get()
    assert answer.url == reverse("table", args=[club.slug, session.pk])
    names = ["Alice", "Bob", "Carol", "Dave", "Fay"][:number]
    assert seated(session) == list(enumerate(names, 1))
    assert session.starting_balance == balance


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (3, ["Three players share what four would start with, 4 × 2,000. So each starts with 2,660."]),
        (4, []),
        (5, ["Five players share what four would start with, 4 × 2,000. So each starts with 1,600."]),
    ],
)
def test_another_starting_balance_than_for_four_says_why(client, club, cast, number, said):
    answer = start(client, club, cast.all[:number])
    assert [str(message) for message in client.get(answer.url).context["messages"]] == said


def test_a_starting_balance_that_was_chosen_needs_no_reason(client, club, cast):
    answer = start(client, club, cast.all[:5], starting_balance="500")
    assert list(client.get(answer.url).context["messages"]) == []


def test_the_session_counts_in_the_season_of_its_date(client, club, cast):
    autumn = season(club)
    start(client, club, cast.all[:4])
    assert Session.objects.get().season == autumn


def test_a_balance_and_sticks_of_the_tables_own(client, club, cast):
    start(client, club, cast.all[:4], starting_balance="500")
    start(client, club, cast.all[:4], table="2", sticks="guide", plays_twice="on")
    found = Session.objects.order_by("table").values_list("starting_balance", "sticks")
    assert list(found) == [(500, ""), (3000, "guide")]


def test_a_starting_balance_that_the_sticks_are_not_worth_is_refused(client, club, cast):
    answer = start(client, club, cast.all[:4], starting_balance="5000", sticks="older_british")
    assert answer.status_code == 422
    assert answer.context["form"].errors == {
        "starting_balance": ["Enter 2,000, which is what each player’s tally sticks are worth. Or select “No sticks”."]
    }
    start(client, club, cast.all[:4], starting_balance="2000", sticks="older_british")
    assert Session.objects.get().starting_balance == 2000


def test_payments_are_rounded_for_sticks_without_small_change(client, club, cast):
    start(client, club, cast.all[:4], sticks="guide", round_payments="on")
    session = Session.objects.get()
    assert session.house_rules == {"round_payments_to": 10}
    record(session, totals(session, 2, seat2=24))
    # East pays 48, the others 24 each, to the nearest 10.
    assert list(session.tallies.order_by("seat__seat_no").values_list("net", flat=True)) == [-50, 90, -20, -20]
    again = client.get(reverse("session-start", args=[club.slug]), {"again": session.pk})
    assert again.context["form"]["round_payments"].value() is True


def test_no_sticks_where_nobody_pays(client, club, cast):
    start(client, club, cast.all[:4], rules="turner", sticks="guide", starting_balance="100")
    session = Session.objects.get()
    assert (session.sticks, session.starting_balance) == ("", 100)
    page = client.get(reverse("session-start", args=[club.slug])).content.decode()
    marked = [tag for tag in page.split("<input") if "data-nobody-pays" in tag.split(">")[0]]
    assert sorted(re.search('value="([^"]*)"', tag)[1] for tag in marked) == ["baggaley", "turner"]


def test_the_table_belongs_to_the_days_only_meeting_whatever_its_name(client, club, cast):
    party = plan_meeting(club, DAY, "Christmas party", by=BY)
    start(client, club, cast.all[:4])
    assert Session.objects.get().meeting == party
    assert Meeting.objects.count() == 1


def test_a_day_with_two_meetings_asks_at_which_the_table_plays(client, club, cast):
    plan_meeting(club, DAY, by=BY)
    evening = plan_meeting(club, DAY, "Evening", by=BY)
    answer = start(client, club, cast.all[:4])
    assert answer.context["form"].errors == {"meeting": ["Which meeting is this table part of?"]}
    assert f'<option value="{evening.pk}">Evening</option>' in answer.content.decode()
    start(client, club, cast.all[:4], meeting=str(evening.pk))
    assert Session.objects.get().meeting == evening


def test_no_table_starts_in_a_locked_season_unless_for_practice(client, club, cast):
    autumn = season(club)
    change_season(autumn, by=BY, locked=True)
    answer = start(client, club, cast.all[:4])
    found = answer.context["form"].non_field_errors()
    assert found == [
        "The season “Autumn 2026” is locked, so you could not enter hands at this table. Unlock it, end it earlier, "
        "or start a practice table."
    ]
    assert not Session.objects.exists()
    assert answer.context["late"] == ""
    start(client, club, cast.all[:4], practice="on")
    assert Session.objects.get().season is None


def test_the_secretary_is_offered_to_add_the_totals_of_a_table_in_a_locked_season(club, cast):
    autumn = season(club)
    change_season(autumn, by=BY, locked=True)
    secretary = signed_in(logins(club)["secretary"])
    answer = start(secretary, club, cast.all[:4])
    [url] = re.findall(r'href="([^"]*)">Unlock, add, lock again</a>', answer.text)
    url = html.unescape(url)
    page = secretary.get(url)
    assert 'value="unlock">Unlock, add, lock again</button>' in page.text
    shown = page.context["form"].initial
    assert [shown[f"player_{number}"] for number in (1, 2, 3, 4)] == [player.pk for player in cast.all[:4]]
    nets = {f"net_{number}": net for number, net in enumerate((60, -20, -20, -20), 1)}
    fields = {key: value for key, value in shown.items() if value is not None} | nets
    assert secretary.post(url, fields | {"do": "unlock"}).status_code == 302
    autumn.refresh_from_db()
    assert (autumn.locked, Session.objects.get().season) == (True, autumn)
    assert secretary.get(url.replace(str(shown["date"]), "none")).status_code == 200


def test_somebody_new_is_added_right_there(client, club, cast):
    start(client, club, [cast.alice, cast.bob, "new", cast.dave], name_3="Gwen  Hill", guest_3="on")
    gwen = Player.objects.get(full_name="Gwen Hill")
    assert (gwen.club, gwen.short_name, gwen.guest) == (club, "Gwen", True)
    assert seated(Session.objects.get())[2] == (3, "Gwen Hill")


def test_errors_name_each_place_and_keep_what_was_typed(client, club, cast):
    answer = start(client, club, [cast.alice, cast.alice, "new", ""], name_3="bob", table="two", date="soon",
                   starting_balance="1000001")  # fmt: skip
    assert answer.status_code == 422
    assert answer.context["form"].errors == {
        "date": ["Enter the date, for example 12/11/2026."],
        "table": ["Enter the table number, for example 1."],
        "starting_balance": ["Enter a starting balance of 1,000,000 or less."],
        "player_2": ["Choose another player for South. This one already has a seat."],
        "name_3": ["West: the club already has bob. Choose the name from the list."],
    }
    text = answer.content.decode()
    shown, _, _ = text.partition('id="start-sentences"')
    assert shown.count("Enter the date, for example 12/11/2026.") == 2
    assert 'href="#id_name_3"' in text
    assert 'value="bob"' in text
    assert 'value="two"' in text
    assert (Session.objects.count(), Player.objects.of_club(club).count()) == (0, 5)


def test_three_are_needed(client, club, cast):
    assert start(client, club, [cast.alice, cast.bob]).context["form"].errors == {
        "player_3": ["Choose a player for West."]
    }


def test_a_player_of_another_club_cannot_be_seated(client, club, cast):
    answer = start(client, club, [cast.alice, cast.bob, cast.carol, cast.eve])
    assert answer.context["form"].errors == {"player_4": ["Choose a player for North from the list."]}


def test_another_clubs_session_gives_no_players(client, club, other_club):
    players = [Player.objects.create(club=other_club, full_name=f"O{n}", short_name=f"O{n}") for n in range(3)]
    other = table_in_play(other_club, players)
    answer = client.get(reverse("session-start", args=[club.slug]), {"again": other.pk})
    assert answer.context["form"]["player_1"].value() is None


def test_the_same_people_are_asked_about_before_they_start_at_a_second_table(client, club, cast):
    start(client, club, cast.all[:4])
    answer = start(client, club, cast.all[1:5], table="2")
    sentence = "Bob, Carol and Dave are still playing at table 1."
    assert answer.status_code == 422
    assert answer.context["form"].errors == {
        "plays_twice": [f"{sentence} Finish that table first, or select “Start this table too”."]
    }
    assert f'value="{cast.all[4].pk}" selected' in answer.content.decode()
    assert Session.objects.count() == 1
    assert start(client, club, cast.all[1:5], table="2", plays_twice="on").status_code == 302
    assert Session.objects.count() == 2


def offered(client, club):
    """Return what the first seat's list says of each player who sits elsewhere."""
    page = client.get(reverse("session-start", args=[club.slug])).content.decode()
    first = page.split('name="player_1"')[1].split("</select>")[0]
    return re.findall(r'label="([^"]*)"', first)


def test_players_who_sit_at_another_table_of_the_day_are_marked(client, club, cast):
    assert offered(client, club) == []
    start_session(club, club.today, 1, cast.all[:3], "bmja", {}, by=BY)
    assert sorted(offered(client, club)) == ["Alice, at table 1", "Bob, at table 1", "Carol, at table 1"]


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({}, "British (BMJA)"),
        ({"sticks": "older_british"}, "British (BMJA), sticks of 500, 100, 10 and 2 (2,000 each)"),
        ({"rules": "chinese_official"}, "Chinese Official (81 fan)"),
    ],
    ids=["as the club plays", "sticks", "other rules"],
)
def test_the_rules_of_the_table_are_named(client, club, cast, chosen, words):
    page = client.get(reverse("session-start", args=[club.slug])) if not chosen else start(client, club, [], **chosen)
    assert f'<span id="rules-in-short">{words}</span>' in page.content.decode()


@pytest.mark.parametrize("more", [{"date": "2026-11-19"}, {"practice": "on"}], ids=["another day", "practice"])
def test_nobody_is_asked_about_a_table_of_another_day_or_for_practice(client, club, cast, more):
    start(client, club, cast.all[:4])
    assert start(client, club, cast.all[:4], table="2", **more).status_code == 302


def arrive(client, table_session, player, **more):
    address = reverse("arrive", args=[table_session.club.slug, table_session.pk])
    return client.post(address, {"player": player.pk, **more})


def test_somebody_who_plays_at_another_table_is_asked_about_before_they_arrive(client, club, cast):
    here, there = table_in_play(club, cast.all[:3]), table_in_play(club, cast.all, number=2)
    answer = arrive(client, here, cast.dave)
    sentence = "Dave is still playing at table 2. Finish that table first, or select “Seat the player here too”."
    assert (answer.status_code, answer.context["form"].errors) == (422, {"plays_twice": [sentence]})
    marks = f'data-question="{sentence}" label="Dave, at table 2"'
    assert f'value="{cast.dave.pk}" selected {marks}' in answer.text
    assert here.seats.count() == 3
    assert arrive(client, here, cast.dave, plays_twice="on").status_code == 302
    assert here.seats.count() == 4
    # Who has left the other table is not asked about.
    record(there, {"seat": "5"}, kind="leave")
    assert arrive(client, here, cast.fay).status_code == 302


@pytest.mark.parametrize("kind", ["arrive", "change_player"])
def test_a_command_says_where_else_the_player_sits(club, cast, kind):
    here = table_in_play(club, cast.all[:3])
    table_in_play(club, cast.all[2:5], number=2)
    answer = record(here, {"player": cast.dave.pk, "seat": "1"}, kind=kind)
    assert (answer.outcome, "Dave is still playing at table 2 too." in answer.message) == ("recorded", True)
    # Kept without the name, which may be erased one day.
    assert "Dave" not in str(here.commands.get().answer)


@pytest.mark.parametrize("changed", [{"state": "finished"}, {"paused": True}, {"date": "2026-11-19"}], ids=str)
def test_nobody_is_asked_about_a_table_that_holds_nobody(client, club, cast, changed):
    here, there = table_in_play(club, cast.all[:3]), table_in_play(club, cast.all[2:5], number=2)
    Session.objects.filter(pk=there.pk).update(**changed)
    assert arrive(client, here, cast.dave).status_code == 302
    assert here.seats.count() == 4
