"""A session that a tablet started without the network: the pages kept for it, and the start that is sent later."""

import json
import uuid

import pytest
from django.urls import reverse

from clubscore.engine.answers import answer
from clubscore.scoring import RULE_SETS
from sessions_app.meetings.services import plan_meeting
from sessions_app.models import ClubRules, Player, Session
from sessions_app.table.sessions import start_once
from tests.factories import BY, DAY, table_in_play
from tests.logins import logins, signed_in

pytestmark = pytest.mark.usefixtures("that_afternoon")

KEY = "7f7b0f3c-3b8e-4a55-9d5e-0c6d0c7d1a01"


@pytest.fixture
def client(club):
    return signed_in(logins(club)["scorekeeper"])


def kept_data(client, club, rules=""):
    """Return what a tablet keeps to start a table, by the club's usual rules or by others."""
    kept = client.get(reverse("kept-of-club", args=[club.slug])).json()
    return kept["start"][rules or kept["usual"]]


def begins(kept, fields):
    """Return how a tablet begins with these fields, by what it keeps of the club."""
    facts = {
        "today": fields["date"],
        "meetings": [],
        "seated": {},
        "names": {},
        "house_rules": kept["table"]["house_rules"],
    }
    return answer({"ask": "start", "fields": fields, **facts})["beginning"]


def fields_of(players, **more):
    fields = {"date": str(DAY), "table": "1", "rules": "bmja"}
    fields |= {f"player_{place}": str(player.pk) for place, player in enumerate(players, 1)}
    return fields | more


def send(client, club, fields, key=KEY):
    body = {"basis": kept_data(client, club)["basis"], **fields}
    return post(client, club, {"key": key, "kind": "start", "body": body})


def post(client, club, sent):
    address = reverse("new-table-start", args=[club.slug])
    return client.post(address, json.dumps(sent), content_type="application/json")


@pytest.mark.parametrize(("number", "balance"), [(3, 2660), (4, 2000), (5, 1600)])
def test_the_tablet_knows_how_a_session_begins(client, club, cast, number, balance):
    begun = begins(kept_data(client, club), fields_of(cast.all[:number]))
    answer = send(client, club, fields_of(cast.all[:number]))
    state = answer.json()["state"]
    assert answer.status_code == 201
    assert answer.json()["message"] == "Table 1 has started."
    assert state["chairs"] == begun["chairs"]
    assert set(state["balances"].values()) == {begun["starting_balance"]} == {balance}
    session = Session.objects.get()
    assert (session.pk, str(session.tablet_key)) == (state["session"], KEY)


def test_the_same_start_again_is_the_same_session(client, club, cast):
    first = send(client, club, fields_of(cast.all[:4])).json()
    again = send(client, club, fields_of(cast.all[:4]))
    assert (again.status_code, again.json()["outcome"]) == (200, "again")
    assert again.json()["state"]["session"] == first["state"]["session"]
    assert Session.objects.count() == 1


def test_one_key_is_another_session_at_another_club(client, club, other_club, cast):
    send(client, club, fields_of(cast.all[:4]))
    stranger = signed_in(logins(other_club)["scorekeeper"])
    theirs = [Player.objects.create(club=other_club, full_name=name, short_name=name) for name in ("Eve", "Hal", "Ian")]
    answer = send(stranger, other_club, fields_of(theirs, rules=other_club.rules))
    assert answer.status_code == 201
    assert list(Session.objects.order_by("pk").values_list("club", flat=True)) == [club.pk, other_club.pk]


def test_another_clubs_players_are_refused(client, club, other_club, cast):
    eve = Player.objects.create(club=other_club, full_name="Eve", short_name="Eve")
    answer = send(client, club, fields_of([*cast.all[:3], eve]))
    assert answer.status_code == 422
    assert answer.json()["message"] == "Choose a player for North from the list."
    assert not Session.objects.exists()


def test_someone_new_is_added_once(client, club, cast):
    fields = fields_of(cast.all[:3], name_4="Gwen Newcomer", guest_4="on")
    for _ in range(2):
        assert send(client, club, fields).status_code < 300
    assert Player.objects.of_club(club).get(full_name="Gwen Newcomer").guest
    assert Session.objects.get().seats.count() == 4


def test_who_still_plays_elsewhere_is_asked_about(client, club, cast):
    table_in_play(club, cast.all[:4])
    fields = fields_of(cast.all[:4], table="2")
    answer = send(client, club, fields).json()
    assert answer["agree"] == [{"words": "Start this table too", "fields": {"plays_twice": "on"}}]
    assert send(client, club, {**fields, **answer["agree"][0]["fields"]}).status_code == 201


def test_which_of_two_meetings_is_asked(client, club, cast):
    for name in ("Morning", "Evening"):
        plan_meeting(club, DAY, name=name, by=BY)
    fields = fields_of(cast.all[:4])
    answer = send(client, club, fields).json()
    assert answer["message"] == "Which meeting is this table part of?"
    assert [one["words"] for one in answer["agree"]] == ["Evening", "Morning"]
    assert send(client, club, {**fields, **answer["agree"][0]["fields"]}).status_code == 201
    assert Session.objects.get().meeting.name == "Evening"


def test_rules_changed_since_are_asked_about(client, club, cast):
    fields = fields_of(cast.all[:4], basis=kept_data(client, club)["basis"])
    ClubRules.objects.create(club=club, rules="bmja", number=1, house_rules={"limit": 500})
    answer = send(client, club, fields).json()
    assert answer["message"].startswith("The club’s rules have changed since this table started.")
    assert not Session.objects.exists()
    assert send(client, club, {**fields, **answer["agree"][0]["fields"]}).status_code == 201
    assert Session.objects.get().house_rules == {"limit": 500}


def test_other_rules_of_the_club_have_pages_and_a_basis_of_their_own(client, club, cast):
    ClubRules.objects.create(club=club, rules="turner", number=1, house_rules={"goulash": True})
    usual, kept = kept_data(client, club), kept_data(client, club, "turner")
    assert kept["table"]["look"]["rules_page"] == reverse("rules", args=[club.slug, "turner"])
    assert usual["table"]["look"]["rules_page"] == reverse("rules", args=[club.slug])
    begun = begins(kept, fields_of(cast.all[:4], rules="turner"))
    assert (kept["rules"], begun["starting_balance"]) == ("turner", 0)
    fields = fields_of(cast.all[:4], rules="turner")
    refused = send(client, club, fields).json()
    assert refused["message"].startswith("The club’s rules have changed since this table started.")
    assert refused["agree"] == [{"words": "Use the new rules", "fields": {"basis": kept["basis"]}}]
    answer = send(client, club, {**fields, "basis": kept["basis"]})
    assert answer.status_code == 201
    assert answer.json()["state"]["chairs"] == begun["chairs"]
    session = Session.objects.get()
    assert (session.rules, session.house_rules, session.house_version) == ("turner", {"goulash": True}, 1)


def test_what_is_kept_is_this_club_s_alone(client, club, other_club, cast):
    table = table_in_play(club, cast.all[:4])
    address = reverse("kept-of-club", args=[club.slug])
    kept = client.get(address).json()
    assert set(kept["start"]) == set(RULE_SETS)
    assert set(kept["names"].values()) == {player.name for player in cast.all}
    assert kept["tables"][str(table.pk)]["state"]["session"] == table.pk
    assert client.post(address).status_code == 405
    assert signed_in(logins(other_club)["scorekeeper"]).get(address).status_code == 404


@pytest.mark.parametrize("view", ["table", "hand-new", "seating", "arrive", "leave", "session-sheet"])
def test_the_page_of_any_table_stands_at_the_addresses_of_its_views(client, club, other_club, view):
    address = reverse(view, args=[club.slug, 0])
    assert client.get(address).status_code == 200
    assert client.post(address).status_code == 405
    assert signed_in(logins(other_club)["scorekeeper"]).get(address).status_code == 404


def test_once_it_has_started_its_views_lead_to_the_session(client, club, cast):
    send(client, club, fields_of(cast.all[:4]))
    here = [club.slug, Session.objects.get().pk]
    for own in ("table", "hand-new", "session-sheet"):
        answer = client.get(reverse(own, args=[club.slug, 0]), {"new": KEY})
        assert (answer.status_code, answer.url) == (302, reverse(own, args=here))
    other = client.get(reverse("new-table", args=[club.slug]), {"new": str(uuid.uuid4())})
    assert other.status_code == 200


def test_what_cannot_be_read_is_refused(client, club, cast):
    assert post(client, club, []).status_code == 422
    assert post(client, club, {"key": "1", "body": {}}).status_code == 422
    garbage = {"date": 3, "table": [], "player_1": {}, "rules": None, "basis": 7}
    assert post(client, club, {"key": KEY, "body": garbage}).status_code == 422


def test_a_start_that_fails_leaves_nothing(club):
    def fail():
        raise ValueError("no luck")

    with pytest.raises(ValueError, match="no luck"):
        start_once(club, uuid.uuid4(), fail)
    assert not Session.objects.exists()
