"""How a table starts: the same refusals and the same beginning on the club's page, on a tablet and in a game."""

from datetime import time, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from clubscore.engine.answers import answer
from clubscore.play.start import day_words, days_between, distance_words
from clubscore.scoring import RULE_SETS
from sessions_app.meetings.services import plan_meeting
from sessions_app.models import Session
from sessions_app.table.sessions import start_session
from sessions_app.table.start_form import StartForm
from tests.factories import BY
from tests.logins import logins, signed_in

TODAY = timezone.localdate


def in_days(number):
    return str(TODAY() + timedelta(days=number))


def written(number):
    day = TODAY() + timedelta(days=number)
    return f"{day.day} {day:%B %Y}"


def asked(fields, meetings=(), seated=None, names=None):
    """Return what the rules on a tablet answer."""
    facts = {"today": str(TODAY()), "meetings": list(meetings), "house_rules": {}}
    facts |= {"seated": seated or {}, "names": names or {}}
    return answer({"ask": "start", "fields": fields, **facts})


def seats(*players, **more):
    fields = {
        f"player_{place}": str(getattr(player, "pk", player)) for place, player in enumerate(players, 1) if player
    }
    return {"date": str(TODAY()), "table": "1", "rules": "bmja", **fields, **more}


A, B, C, D = "Alice", "Bob", "Carol", "Dave"
REFUSED = [
    ([A, B], {}, "player_3", "Choose a player for West."),
    ([A, B, C, None, D], {}, "player_4", "Choose a player for North."),
    ([A, B, A], {}, "player_3", "Choose another player for West. This one already has a seat."),
    ([A, B, "new"], {}, "name_3", "Enter the new player’s name for West."),
    ([A, "new", "new"], {"name_2": "Gwen", "name_3": "GWEN"}, "player_3",
     "Choose another player for West. This one already has a seat."),
    ([A, B, C], {"date": ""}, "date", "Enter the date, for example 12/11/2026."),
    ([A, B, C], {"date": "2026-02-30"}, "date", "Enter the date, for example 12/11/2026."),
    ([A, B, C], {"date": "0026-11-26"}, "date", "Enter the year with four digits, for example 2026."),
    ([A, B, C], {"date": "3000-01-01"}, "date", "Enter a year from 1900 to 2999."),
    ([A, B, C], {"table": "two"}, "table", "Enter the table number, for example 1."),
    ([A, B, C], {"table": "100"}, "table", "Enter a table number from 1 to 99."),
    ([A, B, C], {"starting_balance": "2,000"}, "starting_balance",
     "Enter the starting balance as a whole number, for example 2000."),
    ([A, B, C], {"starting_balance": "9" * 5000}, "starting_balance", "Enter a starting balance of 1,000,000 or less."),
    ([A, B, C, D], {"sticks": "older_british", "starting_balance": "500"}, "starting_balance",
     "Enter 2,000, which is what each player’s tally sticks are worth. Or select “No sticks”."),
    ([A, B, C], {"rules": "chinese_official"}, "rules",
     "Choose other rules, or change the players. Chinese Official (81 fan) is not for 3 players."),
]  # fmt: skip


@pytest.mark.parametrize(("players", "more", "field", "sentence"), REFUSED)
def test_page_and_tablet_refuse_in_the_same_words(club, cast, players, more, field, sentence):
    people = {str(player): player for player in cast.all}
    fields = seats(*(people.get(name, name) for name in players), **more)
    form = StartForm(club, fields)
    assert not form.is_valid()
    assert form.errors == {field: [sentence]}
    assert asked(fields)["problems"] == [(field, sentence)]


@pytest.mark.parametrize(("players", "more", "field", "sentence"), REFUSED[:3])
def test_a_game_refuses_in_the_same_words(players, more, field, sentence):
    names = {f"name_{place}": name for place, name in enumerate(players, 1) if name}
    assert asked({"date": str(TODAY()), "table": "1", "rules": "bmja", **names, **more})["problems"] == [
        (field, sentence)
    ]


@pytest.mark.parametrize(
    ("days", "distance"),
    [(7, ""), (8, "8 days ahead"), (-366, ""), (-367, "1 year ago"), (-730, "2 years ago"), (13150, "36 years ahead")],
)
def test_a_day_far_away_is_asked_about_once_on_page_and_tablet(club, cast, days, distance):
    fields = seats(*cast.all[:3], date=in_days(days))
    sentence = f"This date is {distance}. Correct it, or choose “{written(days)} is right”."
    problems = [("date", sentence)] if distance else []
    assert StartForm(club, fields).errors == dict((field, [words]) for field, words in problems)
    found = asked(fields)
    assert (found["problems"], found["is_right"]) == (problems, f"{written(days)} is right" if distance else "")
    ticked = {**fields, "date_is_right": fields["date"]}
    assert (StartForm(club, ticked).is_valid(), asked(ticked)["problems"]) == (True, [])
    # The tick is for this very date.
    other = {**fields, "date_is_right": in_days(days + 1)}
    assert asked(other)["problems"] == problems


def test_which_of_two_meetings_is_asked_on_page_and_tablet_in_the_same_words(club, cast):
    client = signed_in(logins(club)["scorekeeper"])
    plan_meeting(club, TODAY(), starts_at=time(14), by=BY)
    evening = plan_meeting(club, TODAY(), name="Evening", by=BY)
    plan_meeting(club, TODAY() + timedelta(days=7), by=BY)
    kept = client.get(reverse("kept-of-club", args=[club.slug])).json()["meetings"]
    fields = seats(*cast.all[:3])
    words = ["Today’s meeting, 14:00", "Evening"]
    form, found = StartForm(club, fields), asked(fields, kept)
    assert form.errors == {"meeting": ["Which meeting is this table part of?"]}
    assert found["problems"] == [("meeting", "Which meeting is this table part of?")]
    assert [name for _, name in form.meeting_choices] == [name for _, name in found["meetings"]] == words
    chosen = {**fields, "meeting": str(evening.pk)}
    assert (asked(chosen, kept)["problems"], StartForm(club, chosen).is_valid()) == ([], True)
    # On a day with one meeting nothing is asked.
    alone = {**fields, "date": in_days(7)}
    assert (asked(alone, kept)["problems"], StartForm(club, alone).is_valid()) == ([], True)


def test_who_still_sits_at_another_table_is_asked_about_on_page_and_tablet_in_the_same_words(club, cast):
    start_session(club, TODAY(), 3, cast.all[:3], "bmja", {}, by=BY)
    seated = {str(player.pk): 3 for player in cast.all[:3]}
    names = {str(player.pk): str(player) for player in cast.all}
    fields = seats(*cast.all[1:5])
    sentence = "Bob and Carol are still playing at table 3. Finish that table first, or select “Start this table too”."
    assert StartForm(club, fields).errors == {"plays_twice": [sentence]}
    assert asked(fields, (), seated, names)["problems"] == [("plays_twice", sentence)]
    for answered in ({"plays_twice": "on"}, {"practice": "on"}):
        assert StartForm(club, fields | answered).is_valid()
        assert asked(fields | answered, (), seated, names)["problems"] == []


@pytest.mark.parametrize(
    "more",
    [{}, {"starting_balance": "500"}, {"sticks": "guide"}, {"sticks": "older_british", "round_payments": "on"},
     {"rules": "turner", "sticks": "guide", "round_payments": "on"}, {"rules": "chinese_official"}],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("number", [3, 4, 5])
def test_a_tablet_begins_as_the_club_does(club, cast, number, more):
    fields = seats(*cast.all[:number], **more)
    if number not in RULE_SETS[fields["rules"]].players:
        assert asked(fields)["problems"][0][0] == "rules"
        return
    client = signed_in(logins(club)["scorekeeper"])
    assert client.post(reverse("session-start", args=[club.slug]), fields).status_code == 302
    session, found = Session.objects.get(), asked(fields)
    assert found["beginning"] == {
        "chairs": session.seating,
        "house_rules": session.house_rules,
        "sticks": session.sticks,
        "starting_balance": session.starting_balance,
    }
    places = ["East", "South", "West", "North", "Sits out first"][:number]
    assert found["people"] == [[place, str(player.pk), ""] for place, player in zip(places, cast.all, strict=False)]


@pytest.mark.parametrize(
    ("earlier", "later", "days"),
    [("2026-11-29", "2026-11-29", 0), ("2026-02-28", "2026-03-01", 1), ("2028-02-28", "2028-03-01", 2),
     ("1900-02-28", "1900-03-01", 1), ("2000-01-01", "2026-11-29", 9829), ("2026-11-29", "2026-10-20", -40)],
)  # fmt: skip
def test_days_are_counted_as_in_the_calendar(earlier, later, days):
    assert days_between(earlier, later) == days


def test_a_day_is_written_with_its_year():
    assert (day_words("2026-11-09"), day_words("0026-11-09")) == ("9 November 2026", "9 November 0026")
    assert [distance_words(days) for days in (1, -40, 366, -913)] == [
        "1 day ahead",
        "40 days ago",
        "1 year ahead",
        "2 years ago",
    ]
