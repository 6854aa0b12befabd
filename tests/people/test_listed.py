"""Several players listed at once as members, guests or beginners, on the page of players."""

import pytest
from django.urls import reverse

from sessions_app.models import Change, Player
from tests.logins import logins, signed_in


@pytest.fixture
def users(club):
    return logins(club)


def listed(user, club, players, listed_as):
    chosen = {"chosen": [player.pk for player in players], "listed_as": listed_as}
    return signed_in(user).post(reverse("players-listed", args=[club.slug]), chosen)


def states(club):
    rows = Player.objects.of_club(club).order_by("pk").values_list("short_name", "guest", "beginner")
    return {name: "guest" if guest else "beginner" if beginner else "member" for name, guest, beginner in rows}


def test_the_ticked_players_are_listed_so_and_nobody_else(club, cast, users):
    before = states(club)
    client = signed_in(users["secretary"])
    chosen = {"chosen": [cast.alice.pk, cast.bob.pk], "listed_as": "beginner"}
    answer = client.post(reverse("players-listed", args=[club.slug]), chosen)
    assert answer.url == reverse("players", args=[club.slug])
    assert "2 players listed as beginners." in client.get(answer.url).content.decode()
    assert states(club) == {**before, cast.alice.short_name: "beginner", cast.bob.short_name: "beginner"}
    listed(users["secretary"], club, [cast.alice], "guest")
    assert states(club)[cast.alice.short_name] == "guest"
    listed(users["secretary"], club, [cast.alice, cast.bob], "member")
    assert states(club) == before
    # Who was so already leaves no line in the history.
    listed(users["secretary"], club, [cast.alice], "member")
    assert Change.objects.of_club(club).filter(subject_type="player").count() == 5


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"listed_as": "guest"}, "Choose at least one player."),
        ({"chosen": ["0"], "listed_as": "guest"}, "Choose players from the list."),
        ({"chosen": ["{alice}"]}, "Choose how to list them."),
    ],
)
def test_what_is_missing_is_said_and_the_ticks_stay(club, cast, users, sent, sentence):
    alice = str(cast.alice.pk)
    sent = {**sent, "chosen": [alice if one == "{alice}" else one for one in sent.get("chosen", [])]}
    before = states(club)
    answer = signed_in(users["secretary"]).post(reverse("players-listed", args=[club.slug]), sent)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in page
    assert states(club) == before
    assert (f'value="{alice}" id="id_chosen_0" checked' in page) is (alice in sent["chosen"])


def test_former_players_and_new_names_are_not_offered(club, cast, users):
    Player.objects.filter(pk=cast.alice.pk).update(left_on="2026-01-01")
    Player.objects.filter(pk=cast.bob.pk).update(to_confirm=True)
    page = signed_in(users["secretary"]).get(reverse("players", args=[club.slug])).content.decode()
    assert f'name="chosen" value="{cast.carol.pk}"' in page
    for player in (cast.alice, cast.bob):
        assert f'name="chosen" value="{player.pk}"' not in page
        assert listed(users["secretary"], club, [player], "guest").status_code == 422


def test_the_secretary_alone_lists_players(club, cast, users, other_club):
    for role in ("scorekeeper", "member"):
        assert listed(users[role], club, [cast.alice], "guest").status_code == 403
        page = signed_in(users[role]).get(reverse("players", args=[club.slug])).content.decode()
        assert "players/listed" not in page
    assert listed(logins(other_club)["secretary"], club, [cast.alice], "guest").status_code == 404
    assert states(club)[cast.alice.short_name] == "member"
