"""The club's cups: winners by year, who may add and remove them, another club's, erasure, and the certificate."""

import io
import json
import zipfile

import pytest
from django.urls import reverse

from sessions_app.exchange.exports.person import player_zip
from sessions_app.models import Change, CupWinner, Player
from sessions_app.people.merging import erase_player, merge_players
from sessions_app.people.players import rename_player, reply_key_of
from tests.logins import logins, signed_in

from .test_league import BY, autumn, played  # noqa: F401 - fixtures

WON = {"cup": "Chairman’s Cup", "year": "2025", "winner": "Alice"}


@pytest.fixture
def people(club):
    return {role: signed_in(user) for role, user in logins(club).items()}


def address(club):
    return reverse("cups", args=[club.slug])


def winners(club):
    return [(one.cup, one.year, one.winner) for one in CupWinner.objects.of_club(club)]


def test_the_secretary_adds_winners_and_everyone_reads_them_by_year(club, people):
    for year, winner in (("2024", "Bob"), ("2026", "Alice"), ("2025", "Carol"), ("2025", "Bob")):
        assert people["secretary"].post(address(club), {**WON, "year": year, "winner": winner}).status_code == 302
    page = people["member"].get(address(club))
    [(cup, listed)] = page.context["cups"]
    assert (cup, [(one.year, one.winner) for one in listed]) == (
        "Chairman’s Cup", [("2026", "Alice"), ("2025", "Bob"), ("2025", "Carol"), ("2024", "Bob")],
    )  # fmt: skip
    assert "Add a winner" not in page.content.decode()
    assert Change.objects.filter(action="add", subject_type="cupwinner").count() == 4


def test_the_same_winner_is_added_once(club, people):
    for _ in range(2):
        people["secretary"].post(address(club), WON)
    assert len(winners(club)) == Change.objects.filter(subject_type="cupwinner").count() == 1


def test_what_is_missing_is_said_and_the_rest_is_kept(club, people):
    answer = people["secretary"].post(address(club), {**WON, "year": " "})
    assert answer.status_code == 422
    assert answer.context["form"].errors == {"year": ["Enter the year, for example 2026."]}
    assert answer.context["form"]["winner"].value() == "Alice"


def test_the_secretary_removes_a_winner_and_nobody_else_does(club, people):
    one = CupWinner.objects.create(club=club, **WON)
    for role in ("scorekeeper", "member"):
        assert people[role].post(address(club), {"remove": one.pk}).status_code == 403
        assert people[role].post(address(club), WON).status_code == 403
    assert len(winners(club)) == 1
    assert people["secretary"].post(address(club), {"remove": one.pk}).status_code == 302
    assert winners(club) == []
    assert Change.objects.filter(action="remove", subject_type="cupwinner").count() == 1


@pytest.mark.parametrize("wanted", ["theirs", "x", "0", "9" * 30])
def test_another_clubs_winner_is_not_found(club, other_club, people, wanted):
    theirs = CupWinner.objects.create(club=other_club, **{**WON, "winner": "Eve Else"})
    asked = theirs.pk if wanted == "theirs" else wanted
    certificate = reverse("cup-certificate", args=[club.slug])
    assert people["member"].get(certificate, {"winner": asked}).status_code == 404
    assert people["secretary"].post(address(club), {"remove": asked}).status_code == 404
    assert "Eve Else" not in people["member"].get(address(club)).content.decode()
    assert "Eve Else" not in people["member"].get(certificate).content.decode()
    assert len(winners(other_club)) == 1


def test_the_certificate_names_the_winner_the_cup_and_the_year(club, people):
    certificate = reverse("cup-certificate", args=[club.slug])
    assert "No cup has been won yet." in people["member"].get(certificate).content.decode()
    one = CupWinner.objects.create(club=club, **WON)
    text = people["member"].get(certificate, {"winner": one.pk}).content.decode()
    assert '<p class="certificate-name">Alice</p>' in text
    assert '<h2 class="certificate-hand">Chairman’s Cup</h2>' in text
    assert '<p class="certificate-facts"><b>2025</b></p>' in text


def test_the_form_begins_with_the_first_of_the_league_table(club, played, people):  # noqa: F811
    """By total Bob has 120, Alice 40 and Carol -160; one session is enough."""
    played.method = "total"
    played.save()
    form = people["secretary"].get(address(club)).context["form"]
    assert (form["year"].value(), form["winner"].value()) == (played.name, "Bob")


def test_a_winner_who_is_renamed_has_the_new_name_here(club, other_club, cast):
    for year in ("2024", "2025"):
        CupWinner.objects.create(club=club, **{**WON, "year": year})
    CupWinner.objects.create(club=club, **{**WON, "winner": "Alice B"})
    for one in ({"club": club, "winner": "Alicent"}, {"club": other_club, "winner": "Alice"}):
        CupWinner.objects.create(**{**WON, **one})
    rename_player(cast.alice, "Alice B", by=BY)
    # Who has the cup of 2025 by the new name already is not in it twice.
    assert winners(club) == [
        ("Chairman’s Cup", "2025", name) for name in ("Alice", "Alice B", "Alicent")
    ] + [("Chairman’s Cup", "2024", "Alice B")]  # fmt: skip
    assert winners(other_club) == [("Chairman’s Cup", "2025", "Alice")]
    # A name may be longer than a winner's.
    rename_player(cast.alice, "A" * 120, by=BY)
    assert ("Chairman’s Cup", "2024", "A" * 80) in winners(club)


def test_what_is_kept_about_a_player_names_their_cups_and_their_own_link(club, cast):
    for winner in ("Alice", "Bob"):
        CupWinner.objects.create(club=club, **{**WON, "winner": winner})
    merge_players(cast.bob, cast.alice, by=BY)
    link = reverse("coming", args=[reply_key_of(cast.alice)])
    facts = [json.loads(zipfile.ZipFile(io.BytesIO(player_zip(one))).read("player.json")) for one in cast.all[::2]]
    assert [one["own_link"] for one in facts] == [link, None, None]
    assert [one["cups"] for one in facts] == [[WON, {**WON, "winner": "Bob"}], [], []]


def test_an_erased_player_is_named_here_no_more(club, cast):
    player = Player.objects.create(club=club, full_name="Doris Dunn", short_name="Doris")
    CupWinner.objects.create(club=club, **{**WON, "winner": "Doris Dunn"})
    erased = erase_player(player, by=BY)
    assert winners(club) == [("Chairman’s Cup", "2025", erased)]
