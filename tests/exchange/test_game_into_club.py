"""A game that a tablet kept comes into a club: finished if it was, as a table of the meeting of its day, once only."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from sessions_app.exchange.imports.meeting import import_meeting_file, preview_meeting_file
from sessions_app.exchange.imports.name_matches import field_of
from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.meetings.services import plan_meeting
from sessions_app.models import Meeting, Player, Session
from sessions_app.table.sessions import start_session
from tests.factories import BY
from tests.logins import logins, signed_in

NAMES = ["Joan", "Bob", "Carol"]


def game(names=NAMES, day=None, finished=True, began="19:30"):
    """Return the file of a game of one hand: South goes Mah-jong with 20, East pays double."""
    seats = dict(zip("ESW", names, strict=True))
    hand = {
        "number": 1,
        "seats": seats,
        "sits_out": None,
        "input": {
            "id": "t1h01",
            "rules": "bmja",
            "wind_of_round": "E",
            "hands": {"E": {}, "S": {"total": 20}, "W": {}},
            "mahjong": {"by": "S", "from": None},
        },
    }
    table = {
        "table": 1,
        "rules": "bmja",
        "house_rules": {},
        "starting_balance": 2660,
        "sticks": "",
        "players": names,
        "start": {"seats": seats, "sits_out": None},
        "hands": [hand],
        "lines": [],
        "finished": finished,
        "final": dict(zip(names, (-40, 60, -20), strict=True)),
    }
    meeting = {"name": f"Played elsewhere, {began}: {', '.join(names)}"}
    facts = {
        "club": "A game at home",
        "game": "game-1",
        "date": str(day or timezone.localdate()),
        "meeting": meeting,
        "members": [],
    }
    return json.dumps({**facts, "tables": [table]})


def take_in(club, text, **chosen):
    return import_meeting_file(club, text, chosen, by=BY)


def preview(club, text, **chosen):
    return preview_meeting_file(club, text, chosen, by=BY)


@pytest.mark.parametrize(("finished", "state"), [(True, "finished"), (False, "open")])
def test_a_game_arrives_finished_if_it_was(club, cast, finished, state):
    take_in(club, game(finished=finished))
    assert Session.objects.get().state == state


def test_it_is_a_table_of_the_days_meeting_beside_those_that_are_there(club, cast):
    party = plan_meeting(club, club.today, "Christmas party", by=BY)
    start_session(club, club.today, 1, cast.all[2:], "bmja", {}, by=BY, meeting_name=party.name)
    take_in(club, game())
    assert list(Session.objects.order_by("table").values_list("table", "meeting", "state")) == [
        (1, party.pk, "open"),
        (2, party.pk, "finished"),
    ]
    assert list(Meeting.objects.all()) == [party]


def test_a_table_that_starts_afterwards_is_not_asked_for_its_meeting(club, cast):
    take_in(club, game())
    client = signed_in(logins(club)["scorekeeper"])
    fields = {"date": str(club.today), "table": "2", "rules": "bmja"}
    fields |= {f"player_{place}": str(player.pk) for place, player in enumerate(cast.all[:4], 1)}
    assert client.post(reverse("session-start", args=[club.slug]), fields).status_code == 302
    assert Meeting.objects.count() == 1


def test_a_meeting_played_elsewhere_of_an_earlier_version_is_not_one_to_play_at(club, cast):
    Meeting.objects.create(club=club, date=club.today, name="Played elsewhere, 00:21: Joan, Roy, Ann, Ted")
    today = plan_meeting(club, club.today, by=BY)
    assert list(Meeting.objects.to_play_at(club)) == [today]


def test_it_comes_in_once(club, cast):
    take_in(club, game())
    assert (preview(club, game()).adds, take_in(club, game()).recorded) == (0, 0)
    assert Session.objects.count() == 1
    # Two that began in one minute are two, by their players.
    take_in(club, game(["Ann", "Bea", "Cy"]))
    assert sorted(Session.objects.values_list("table", flat=True)) == [1, 2]


def test_which_of_two_meetings_is_asked_by_their_names(club, cast):
    plan_meeting(club, club.today, by=BY)
    evening = plan_meeting(club, club.today, "Evening", by=BY)
    look = preview(club, game())
    assert [words for _, words in look.meetings] == ["Today’s meeting", "Evening"]
    with pytest.raises(ImportRefused, match=r"^Which meeting is this table part of\?$"):
        take_in(club, game())
    assert not Session.objects.exists()
    take_in(club, game(), meeting=str(evening.pk))
    assert Session.objects.get().meeting == evening


def test_on_a_day_without_a_meeting_it_makes_the_meeting_of_that_day(club, cast):
    take_in(club, game(day=club.today - timedelta(days=2)))
    assert list(Meeting.objects.values_list("date", "name")) == [(club.today - timedelta(days=2), "")]


# The page speaks of players and tables.


def test_only_those_who_are_new_are_called_new_and_everyones_total_is_shown(club, cast):
    Player.objects.create(club=club, full_name="Joan Reed", short_name="Joan")
    look = preview(club, game(["Joan", "Bob", "Ted"]))
    assert [choice.name for choice in look.names.choices if choice.is_unsure] == ["Joan"]
    assert (look.names.new, look.tables) == (["Ted"], [(1, {"Joan": -40, "Bob": 60, "Ted": -20})])
    again = preview(club, game(["Joan", "Bob", "Ted"]), **{field_of("Joan"): "new"})
    assert again.names.new == ["Joan", "Ted"]


def test_the_page_says_nothing_of_files(club, cast):
    Player.objects.create(club=club, full_name="Joan Reed", short_name="Joan")
    client = signed_in(logins(club)["scorekeeper"])
    address = reverse("import-game", args=[club.slug])
    page = client.post(address, {"text": game(["Joan", "Bob", "Ted"])}).text
    shown = page.partition("<main")[2].partition("</textarea>")[2]
    assert "file" not in shown.partition("<script")[0]
    assert "1 new player<" in shown
    assert f"It will be table 1 on {club.today.day} {club.today:%B %Y}, already finished." in shown
    joan = Player.objects.get(full_name="Joan Reed")
    done = client.post(address, {"text": game(["Joan", "Bob", "Ted"]), "do": "record", field_of("Joan"): joan.pk})
    # Where the tablet notes which club has it.
    assert (done.status_code, done.url) == (302, f"{reverse('games')}#brought")
    assert {str(seat.player) for seat in Session.objects.get().seats.all()} == {"Joan Reed", "Bob", "Ted"}
    assert f"This game is in {club.name} already." in client.post(address, {"text": game(["Joan", "Bob", "Ted"])}).text
