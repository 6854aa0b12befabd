"""One's own page: the secretary says which player a login is, and then the player chooses for themselves."""

import datetime
import json

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.exchange.exports.person import _account_details
from sessions_app.models import Change, Club, Contact, Invite, Membership, Player, User
from sessions_app.people.clubs import accept_invite, link_player, make_invite
from sessions_app.people.log_pages import LogFilter, all_lines
from sessions_app.people.merging import erase_player, merge_players, undo_merge
from sessions_app.people.players import public_names
from sessions_app.people.transactions import ServiceError
from tests.factories import BY
from tests.logins import logins, signed_in
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
    found = text_of(member.get(page_of(club)))
    assert f"{ASK} : bramley-secretary" in found
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
    assert [line.sentence for line in all_lines(club, LogFilter())] == [
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
    assert (kim.player, _account_details(kim.user, club)["plays_as"]) == (cast.bob, "Bob")
    assert [line.sentence for line in all_lines(club, LogFilter())] == [
        "bramley-secretary made an invitation to join as a member for Bob.",
        "Kim Lee (kim) joined the club as a member by invitation, and plays as Bob.",
    ]
    again = make_invite(club, "member", 7, True, by=BY, player=cast.bob)
    Client().post(link_of(again), {**NEW, "login": "lou", "name": "Lou Reed"})
    assert Membership.objects.get(user__username="lou").player is None


def test_a_login_follows_its_player_into_another_and_back_and_is_nobody_once_erased(club, people, linked, cast):
    merge_players(cast.carol, cast.fay, by=BY)
    assert player_of(linked) == cast.fay
    undo_merge(Player.objects.get(pk=cast.carol.pk), by=BY)
    assert player_of(linked) == cast.carol
    link_player(Membership.objects.get(user=people["scorekeeper"]), cast.fay, by=BY)
    merge_players(Player.objects.get(pk=cast.carol.pk), cast.fay, by=BY)
    assert player_of(linked) == cast.carol
    assert ASK in text_of(signed_in(people["member"]).get(page_of(club)))
    erase_player(cast.fay, by=BY)
    assert not Membership.objects.exclude(player=None).exists()


class TestWhoIAm:
    """A new login is its player by itself where the name is the same; otherwise the member says who they are."""

    def join(self, club, name):
        invite = make_invite(club, "member", 7, False, by=BY)
        first, _, last = name.partition(" ")
        user = User.objects.create_user("newcomer", first_name=first, last_name=last)
        return accept_invite(invite, user, by=BY)

    def test_a_login_of_the_same_name_is_that_player(self, club, cast):
        membership = self.join(club, "carol")
        assert membership.player == cast.carol
        assert Change.objects.filter(action="join").get().after["player"] == cast.carol.pk

    @pytest.mark.parametrize("case", ["another name", "two of the name", "left", "has contact details", "chose"])
    def test_nobody_is_taken_for_someone_else(self, club, cast, case):
        if case == "two of the name":
            Player.objects.create(club=club, full_name="Carol")
        if case == "left":
            Player.objects.filter(pk=cast.carol.pk).update(left_on=club.today)
        if case == "has contact details":
            Contact.objects.create(club=club, player=cast.carol, telephone="01234 567", agreed_on=club.today)
        if case == "chose":
            Player.objects.filter(pk=cast.carol.pk).update(in_public="off")
        assert self.join(club, "Caroline" if case == "another name" else "Carol").player is None

    def test_a_player_of_another_club_is_not_meant(self, club, cast):
        assert self.join(club, str(cast.eve)).player is None

    def test_a_member_says_who_they_are(self, club, people, own, cast):
        Contact.objects.create(club=club, player=cast.dave, telephone="01234 567", agreed_on=club.today)
        Player.objects.filter(pk=cast.fay.pk).update(in_public="full")
        member = signed_in(people["member"])
        page = member.get(page_of(club))
        names = [name for _, name in page.context["form"].fields["player"].choices]
        assert "Carol" in names
        assert "Dave" not in names
        assert "Fay" not in names
        for wrong in ("", str(cast.dave.pk), str(cast.fay.pk), str(cast.eve.pk), "x"):
            answer = member.post(page_of(club), {"player": wrong})
            assert answer.status_code == 422
            assert "Choose your name from the list." in answer.content.decode()
        assert member.post(page_of(club), {"player": str(cast.carol.pk)}).url == page_of(club)
        assert player_of(own) == cast.carol
        # The next one finds the name gone.
        keeper = signed_in(people["scorekeeper"])
        assert keeper.post(page_of(club), {"player": str(cast.carol.pk)}).status_code == 422

    def test_the_page_is_in_the_head(self, club, people, client):
        page = signed_in(people["member"]).get(reverse("club", args=[club.slug])).content.decode()
        assert f'href="{page_of(club)}" aria-label="Your own page"' in page
        assert "Your own page" not in client.get(reverse("sign-in")).content.decode()
