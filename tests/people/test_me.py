"""One's own page: the secretary says which player a login is, and then the player chooses for themselves."""

import datetime
import json

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.exchange.exports.person import _facts_of_login
from sessions_app.models import Change, Club, Contact, Invite, Membership, Player
from sessions_app.people.erasure import erase_player
from sessions_app.people.log_pages import Wanted, all_lines
from sessions_app.people.merging import merge_players, take_back_merge
from sessions_app.people.players import public_names
from sessions_app.people.roles import link_player, make_invite
from sessions_app.people.transactions import ServiceError
from tests.page_cast import BY, logins, signed_in
from tests.people.test_people import NEW, link_of, text_of

ASK = "Ask the secretary to do this under People and roles"


@pytest.fixture
def people(club):
    return logins(club)


@pytest.fixture
def own(club, people):
    return Membership.objects.select_related("club", "user").get(user=people["member"])


@pytest.fixture
def linked(own, cast):
    return link_player(own, cast.carol, by=BY)


def page_of(club):
    return reverse("me", args=[club.slug])


def player_of(membership):
    return Membership.objects.get(pk=membership.pk).player


def test_from_the_secretarys_word_to_the_name_in_public(club, people, own, cast):
    Club.objects.filter(pk=club.pk).update(public_names="full")
    Player.objects.filter(pk=cast.carol.pk).update(full_name="Carol Grey")
    own.user.first_name, own.user.last_name = "Carole", "Grey"
    own.user.save()
    member, secretary = signed_in(people["member"]), signed_in(people["secretary"])
    told = text_of(member.get(page_of(club)))
    assert f"{ASK} : bramley-secretary" in told
    assert member.post(page_of(club), {"in_public": "off"}).status_code == 422

    chosen = reverse("person-player", args=[club.slug, own.pk])
    form = secretary.get(chosen).context["form"]
    assert form["player"].value() == str(cast.carol.pk)
    assert secretary.post(chosen, {"player": cast.carol.pk}).url == reverse("people", args=[club.slug])
    assert "Plays as Carol Grey ." in text_of(secretary.get(reverse("people", args=[club.slug])))

    assert "You play as Carol Grey , Carol at the table." in text_of(member.get(page_of(club)))
    typed = {"in_public": "initials", "email": "carol@example.org", "telephone": ""}
    refused = member.post(page_of(club), typed)
    assert (refused.status_code, Contact.objects.exists()) == (422, False)
    assert "Select “I agree that the club may keep these”, or clear both boxes." in text_of(refused)
    assert member.post(page_of(club), {**typed, "agrees": "on"}).url == page_of(club)
    cast.carol.refresh_from_db()
    assert public_names(Club.objects.get(pk=club.pk), [cast.carol]) == {cast.carol.pk: "C. G."}
    kept = Contact.objects.get(player=cast.carol)
    assert (kept.email, kept.agreed_on is not None) == ("carol@example.org", True)
    assert [line.sentence for line in all_lines(club, Wanted())] == [
        "bramley-secretary linked Carole Grey (bramley-member) to the player Carol Grey.",
        "Carole Grey (bramley-member) changed the details of Carol Grey: in public initials "
        "(was as the club shows names).",
        "Carole Grey (bramley-member) saved Carol Grey’s email address.",
    ]
    assert "carol@example.org" not in json.dumps(list(Change.objects.values_list("after", flat=True)))


def test_who_saves_the_same_agreement_again_agreed_on_the_first_day(club, people, linked, cast):
    first = datetime.date(2020, 1, 2)
    Contact.objects.create(club=club, player=cast.carol, telephone="01234 567", agreed_on=first)
    member = signed_in(people["member"])
    member.post(page_of(club), {"in_public": "off", "telephone": "01234 567", "agrees": "on"})
    assert Contact.objects.get().agreed_on == first
    member.post(page_of(club), {"in_public": "off", "telephone": "01234 568", "agrees": "on"})
    assert Contact.objects.get().agreed_on > first
    member.post(page_of(club), {"in_public": "off"})
    assert not Contact.objects.exists()


def test_one_login_a_player_and_none_of_another_club_or_erased(club, people, linked, cast):
    other = Membership.objects.get(user=people["scorekeeper"])
    for player, words in (
        (cast.carol, "Choose another player. Carol is linked to bramley-member."),
        (cast.eve, "Choose a player from the list."),
    ):
        with pytest.raises(ServiceError, match=words):
            link_player(other, player, by=BY)
        address = reverse("person-player", args=[club.slug, other.pk])
        assert signed_in(people["secretary"]).post(address, {"player": player.pk}).status_code == 422
    link_player(other, cast.dave, by=BY)
    link_player(other, None, by=BY)
    assert player_of(other) is None


def test_an_invitation_for_a_player_brings_that_player(club, people, cast):
    secretary = signed_in(people["secretary"])
    asked = {"role": "member", "how_many": "many", "days": "7", "player": cast.bob.pk}
    address = reverse("people-invite", args=[club.slug])
    assert "Choose “One person”, or choose “No one in particular”" in text_of(secretary.post(address, asked))
    secretary.post(address, {**asked, "how_many": "one"})
    invite = Invite.objects.get()
    Client().post(link_of(invite), NEW)
    kim = Membership.objects.get(user__username="kim")
    assert (kim.player, _facts_of_login(kim.user, club)["plays_as"]) == (cast.bob, "Bob")
    assert [line.sentence for line in all_lines(club, Wanted())] == [
        "bramley-secretary made an invitation to join as a member for Bob.",
        "Kim Lee (kim) joined the club as a member by invitation, and plays as Bob.",
    ]
    again = make_invite(club, "member", 7, True, by=BY, player=cast.bob)
    Client().post(link_of(again), {**NEW, "login": "lou", "name": "Lou Reed"})
    assert Membership.objects.get(user__username="lou").player is None


def test_a_login_follows_its_player_into_another_and_back_and_is_nobody_once_erased(club, people, linked, cast):
    merge_players(cast.carol, cast.fay, by=BY)
    assert player_of(linked) == cast.fay
    take_back_merge(Player.objects.get(pk=cast.carol.pk), by=BY)
    assert player_of(linked) == cast.carol
    link_player(Membership.objects.get(user=people["scorekeeper"]), cast.fay, by=BY)
    merge_players(Player.objects.get(pk=cast.carol.pk), cast.fay, by=BY)
    assert player_of(linked) == cast.carol
    assert ASK in text_of(signed_in(people["member"]).get(page_of(club)))
    erase_player(cast.fay, by=BY)
    assert not Membership.objects.exclude(player=None).exists()
