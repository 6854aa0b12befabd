"""The people of a club: invitations, roles, the last secretary, handing over; and every step in the log."""

import datetime
import io
import logging
import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubscore.site.logs import WithoutKeys
from sessions_app.models import Change, Invite, Membership, Player, User
from sessions_app.people.accounts import make_account
from sessions_app.people.clubs import hand_over, make_invite, remove_person, set_role
from sessions_app.people.log import Actor
from sessions_app.people.log_pages import LogFilter, all_lines
from sessions_app.people.transactions import ServiceError
from tests.logins import logins, signed_in

BY = Actor(name="The test")

NEW = {
    "name": "Kim Lee",
    "login": "kim",
    "password": "three tall cranes",
    "password_again": "three tall cranes",
}


@pytest.fixture
def people(club):
    return logins(club)


@pytest.fixture
def secretary(people):
    return signed_in(people["secretary"])


def role_of(user, club):
    return Membership.objects.filter(user=user, club=club).values_list("role", flat=True).first()


def invited(club, role="scorekeeper", days=7, once=True):
    return make_invite(club, role, days, once, by=BY)


def link_of(invite):
    return reverse("invite", args=[invite.token])


def actions(club):
    return list(Change.objects.of_club(club).order_by("pk").values_list("action", flat=True))


def text_of(answer):
    """The words of a page, for a person: no tags, spaces as one reads them."""
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


@pytest.mark.postgres
def test_the_secretary_makes_a_link_and_a_stranger_comes_in_by_it(secretary, club):
    made = secretary.post(
        reverse("people-invite", args=[club.slug]), {"role": "scorekeeper", "how_many": "one", "days": "7"}
    )
    invite = Invite.objects.get()
    assert made.url == reverse("invite-link", args=[club.slug, invite.pk])
    page = secretary.get(made.url)
    assert f"http://testserver{link_of(invite)}" in text_of(page)

    kim = Client()
    assert "You are invited to join as a scorekeeper." in text_of(kim.get(link_of(invite)))
    assert kim.post(link_of(invite), NEW).url == reverse("club", args=[club.slug])
    assert kim.get(reverse("session-start", args=[club.slug])).status_code == 200
    user = User.objects.get(username="kim")
    assert (role_of(user, club), user.get_full_name()) == ("scorekeeper", "Kim Lee")
    assert actions(club) == ["invite", "join"]
    assert Client().login(username="kim", password="three tall cranes")


def test_a_login_of_another_club_comes_in_with_one_press(club, other_club):
    eve = logins(other_club)["member"]
    invite = invited(club, "member")
    client = signed_in(eve)
    assert "You are signed in as otley-member" in text_of(client.get(link_of(invite)))
    assert client.post(link_of(invite)).url == reverse("club", args=[club.slug])
    assert [role_of(eve, club), role_of(eve, other_club)] == ["member", "member"]


@pytest.mark.postgres
def test_an_invitation_for_one_is_used_up_and_one_for_many_is_not(club, people):
    for once, after in ((True, 410), (False, 200)):
        invite = invited(club, "member", once=once)
        assert Client().post(link_of(invite), {**NEW, "login": f"kim-{once}", "name": f"Kim {once}"}).status_code == 302
        assert Client().get(link_of(invite)).status_code == after
        again = Client().post(link_of(invite), {**NEW, "login": f"lou-{once}", "name": f"Lou {once}"})
        assert (again.status_code, User.objects.filter(username=f"lou-{once}").exists()) == (
            (410, False) if once else (302, True)
        )


@pytest.mark.parametrize("name", ["Pat Jones", " pat  JONES ", "bramley-secretary", "Ｐat Jones", "Alice Archer"])
def test_nobody_comes_in_under_the_name_of_another_member(club, cast, people, name):
    secretary = people["secretary"]
    secretary.first_name, secretary.last_name = "Pat", "Jones"
    secretary.save()
    Membership.objects.filter(user=secretary).update(player=cast.alice)
    Player.objects.filter(pk=cast.alice.pk).update(full_name="Alice Archer")
    answer = Client().post(link_of(invited(club)), {**NEW, "name": name})
    said = f"Another member of the club is called {' '.join(name.split())}. Enter a name that tells you apart"
    assert (answer.status_code, said in text_of(answer)) == (422, True)
    assert not User.objects.filter(username="kim").exists()


LIKE = {
    "Cyrillic letters": "P\u0430t J\u043en\u0435s",
    "a whole word of Cyrillic letters": "\u0420at Jones",
    "a Greek letter": "Pat J\u03bfnes",
    "a Latin letter of another language": "P\u0251t Jones",
    "zero": "Pat J0nes",
    "a zero-width blank": "Pat Jo\u200bnes",
    "a filler": "Pat\u3164Jones",
    "an invisible tag": "Pat Jones\U000e0041",
}


@pytest.mark.parametrize("name", LIKE.values(), ids=LIKE)
def test_nobody_comes_in_under_a_name_that_looks_like_that_of_another_member(club, people, name):
    User.objects.filter(pk=people["secretary"].pk).update(first_name="Pat", last_name="Jones")
    answer = Client().post(link_of(invited(club)), {**NEW, "name": name})
    said = text_of(answer)
    assert answer.status_code == 422
    assert "Another member of the club is called" in said or "Use letters of one alphabet in each word." in said
    member = signed_in(people["member"])
    assert member.post(reverse("account"), {"name": name}).status_code == 422
    assert not User.objects.exclude(pk=people["secretary"].pk).filter(first_name__startswith="P").exists()


# All letters of each are of one alphabet, as Cyrillic "сосо".
@pytest.mark.parametrize(
    ("called", "name"),
    [
        ("Coco Pope", "\u0421\u043e\u0441\u043e \u0420\u043e\u0440\u0435"),
        ("Nat Bonn", "\u039dat B\u03bfnn"),
        ("Bill Barnes", "BiII Bames"),
        ("Jean O\u2019Dea-Hill", "Jean O'Dea\u2010Hill"),
    ],
    ids=ascii,
)
def test_nor_under_one_that_looks_like_it_as_a_whole(club, people, called, name):
    first_name, _, last_name = called.partition(" ")
    User.objects.filter(pk=people["secretary"].pk).update(first_name=first_name, last_name=last_name)
    assert Client().post(link_of(invited(club)), {**NEW, "name": name}).status_code == 422


@pytest.mark.parametrize(
    "name",
    [
        "Zo\u00eb O\u2019Dea",
        "\u0410\u043d\u043d\u0430 Smith",
        "Ka\u02bbahumanu",
        "\u7530\u4e2d\u3055\u304f\u3089",
        "Iain Bernard",
    ],
    ids=ascii,
)
def test_names_as_people_have_them_are_let_in(club, people, name):
    assert Client().post(link_of(invited(club)), {**NEW, "name": name}).status_code == 302
    assert User.objects.get(username="kim").get_full_name() == name


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("login", "sentence"),
    [
        ("br\u0430mley-member", "Use letters of one alphabet in each word."),
        ("bramley-rnember", "This one looks like one that is taken."),
        ("bramIey-member", "This one looks like one that is taken."),
        ("bram1ey-member", "This one looks like one that is taken."),
        ("kim\u3164", "Choose a username without characters that nobody sees."),
        ("kim\uffa0", "Choose a username without characters that nobody sees."),
        ("Bramley-Member", "This one is taken."),
        ("kim\u200b", "Enter a valid username."),
        ("pat.jones", None),
    ],
    ids=ascii,
)
def test_no_username_looks_like_one_that_is_taken(club, people, login, sentence):
    answer = Client().post(link_of(invited(club)), {**NEW, "login": login})
    assert (answer.status_code, sentence is None or sentence in text_of(answer)) == (422 if sentence else 302, True)
    if sentence:
        with pytest.raises(ServiceError):
            make_account(login, NEW["password"])


def test_no_username_looks_like_the_name_of_a_member(club, people):
    User.objects.filter(pk=people["secretary"].pk).update(first_name="Pau1")
    answer = Client().post(link_of(invited(club)), {**NEW, "login": "paul"})
    assert (answer.status_code, "looks like the name of another member" in text_of(answer)) == (422, True)
    assert not User.objects.filter(username="paul").exists()


def test_a_login_of_another_club_takes_another_name_before_it_comes_in(club, other_club, people):
    eve, invite = logins(other_club)["member"], invited(club)
    eve.first_name = people["secretary"].username
    eve.save()
    answer = signed_in(eve).post(link_of(invite), follow=True)
    assert answer.redirect_chain[-1][0] == reverse("account")
    assert "Save it here, then open the invitation again." in text_of(answer)
    assert role_of(eve, club) is None
    signed_in(eve).post(reverse("account"), {"name": "Eve Wool"})
    assert signed_in(eve).post(link_of(invite)).url == reverse("club", args=[club.slug])


def test_no_login_has_braces_in_its_name(club):
    answer = Client().post(link_of(invited(club)), {**NEW, "name": "{2}"})
    assert (answer.status_code, "Enter your name without { and }." in text_of(answer)) == (
        422,
        True,
    )
    with pytest.raises(ServiceError, match="Enter your name without"):
        make_account("kim", NEW["password"], "{2}")


def test_an_invitation_that_ran_out_or_was_taken_back_lets_nobody_in(secretary, club):
    late, back = invited(club), invited(club)
    Invite.objects.filter(pk=late.pk).update(expires_at=timezone.now() - datetime.timedelta(seconds=1))
    secretary.post(reverse("invite-revoke", args=[club.slug, back.pk]))
    for invite in (late, back):
        for answer in (Client().get(link_of(invite)), Client().post(link_of(invite), NEW)):
            assert answer.status_code == 410
            assert (
                "It has been used, it has been cancelled, or its time is up. Ask the person who sent it for a new one."
                in text_of(answer)
            )
    assert not User.objects.filter(username="kim").exists()
    assert actions(club)[-1] == "revoke invite"


@pytest.mark.parametrize(
    ("name", "fields", "expected"),
    [
        ("person-role", {"role": "member"}, "Pat Dale is now a member. Their 2 invitations are cancelled."),
        ("person-remove", {}, "Pat Dale is no longer in the club. Their 2 invitations are cancelled."),
    ],
)
def test_who_is_secretary_no_more_comes_in_by_no_link_of_their_own(secretary, club, people, name, fields, expected):
    """A secretary who made links beforehand would be back with the next press, as secretary."""
    pat = User.objects.create_user("pat", first_name="Pat", last_name="Dale")
    membership = Membership.objects.create(club=club, user=pat, role="secretary")
    mine = signed_in(pat)
    for fields_of_link in ({"role": "secretary", "how_many": "one"}, {"role": "member", "how_many": "many"}):
        assert (
            mine.post(reverse("people-invite", args=[club.slug]), {**fields_of_link, "days": "30"}).status_code == 302
        )
    # What everybody may use is not theirs to come back by alone: the page says that it still works.
    kept = make_invite(club, "member", 7, False, by=Actor.of_user(people["secretary"]))
    page = secretary.post(reverse(name, args=[club.slug, membership.pk]), fields, follow=True)
    assert expected in text_of(page)
    for invite in Invite.objects.exclude(pk=kept.pk):
        # A member may open any link of the club's; it makes them nothing more.
        assert (mine.post(link_of(invite)).status_code, role_of(pat, club)) == (
            (302 if invite.role == "member" and fields else 410),
            fields.get("role"),
        )
    assert list(Invite.objects.usable()) == [kept]
    assert actions(club)[-3:] == ["role" if fields else "remove", "revoke invite", "revoke invite"]


@pytest.mark.parametrize(
    ("name", "fields", "left"),
    [
        ("person-role", {"role": "scorekeeper"}, ["scorekeeper", "member", "member"]),
        ("person-role", {"role": "member"}, ["member", "member"]),
        ("person-remove", {}, ["member"]),
    ],
)
def test_who_is_secretary_no_more_is_nothing_again_by_a_link_of_another(secretary, club, people, name, fields, left):
    """Every secretary can open the links that the others made."""
    pat = User.objects.create_user("pat", first_name="Pat", last_name="Dale")
    membership = Membership.objects.create(club=club, user=pat, role="secretary")
    others = Actor.of_user(people["secretary"])
    made = [make_invite(club, role, 7, True, by=others) for role in ("secretary", "scorekeeper", "member")]
    for_many = make_invite(club, "member", 7, False, by=others)
    said = text_of(secretary.post(reverse(name, args=[club.slug, membership.pk]), fields, follow=True))
    number = len(made) + 1 - len(left)
    assert (f"{number} other invitations are" if number > 1 else "One other invitation is") + " cancelled" in said
    assert [invite.role for invite in Invite.objects.usable().order_by("pk")] == left
    for invite in made:
        signed_in(pat).post(link_of(invite))
    assert role_of(pat, club) == fields.get("role")
    assert for_many.is_usable


def test_a_link_for_everybody_is_named_when_somebody_is_taken_out(secretary, club, people):
    member = Membership.objects.get(user=people["member"])
    invited(club, "member", once=False)
    page = secretary.post(reverse("person-remove", args=[club.slug, member.pk]), follow=True)
    assert "An invitation for everyone who has its link still works. Cancel it" in text_of(page)


def test_an_invitation_never_takes_a_role_away(club, people):
    invite = invited(club, "member")
    client = signed_in(people["secretary"])
    assert "You are already in this club, as a secretary." in text_of(client.get(link_of(invite)))
    client.post(link_of(invite))
    assert role_of(people["secretary"], club) == "secretary"
    invite.refresh_from_db()
    assert invite.used == 0


def test_what_is_wrong_with_a_new_login_is_said_and_nothing_typed_is_lost(club, people):
    invite = invited(club)
    typed = {**NEW, "login": "BRAMLEY-member", "password": "short", "password_again": "other"}
    answer = Client().post(link_of(invite), typed)
    assert answer.status_code == 422
    assert 'value="BRAMLEY-member"' in answer.content.decode()
    assert 'value="Kim Lee"' in answer.content.decode()
    assert "Choose another username. This one is taken." in text_of(answer)
    assert "Enter the same password twice. These two differ." in text_of(answer)
    weak = Client().post(link_of(invite), {**NEW, "password": "password", "password_again": "password"})
    assert "This password is too common." in text_of(weak)


def test_an_invitation_tells_nobody_without_end_which_logins_are_taken(club, people):
    """Who comes in is not counted: a hall shares one address."""
    invite = invited(club, once=False)
    for number in range(31):
        assert (
            Client().post(link_of(invite), {**NEW, "name": f"Kim {number}", "login": f"kim{number}"}).status_code == 302
        )
    for typed in [{"login": "bramley-member"}] * 30:
        assert "Choose another username. This one is taken." in text_of(
            Client().post(link_of(invite), {**NEW, **typed})
        )
    for typed in ({"login": "bramley-member"}, {"login": "nobody-yet"}):
        answer = Client().post(link_of(invite), {**NEW, **typed})
        wait = "Too many tries from this network. Try again in 60 minutes."
        assert (answer.status_code, answer.context["form"].errors) == (422, {"__all__": [wait]})
    # Anyone with a login still comes in.
    answer = signed_in(make_account(name="Pat Green", login="pat", password="three tall cranes")).post(link_of(invite))
    assert answer.status_code == 302


def test_the_secretary_changes_a_role_and_takes_somebody_out(secretary, club, people):
    member = Membership.objects.get(user=people["member"])
    secretary.post(reverse("person-role", args=[club.slug, member.pk]), {"role": "scorekeeper"})
    assert role_of(people["member"], club) == "scorekeeper"
    change = Change.objects.get()
    assert (change.action, change.before, change.after) == ("role", {"role": "member"}, {"role": "scorekeeper"})

    theirs = signed_in(people["member"])
    assert theirs.get(reverse("club", args=[club.slug])).status_code == 200
    secretary.post(reverse("person-remove", args=[club.slug, member.pk]))
    assert theirs.get(reverse("club", args=[club.slug])).status_code == 404
    assert actions(club) == ["role", "remove"]


@pytest.mark.postgres
@pytest.mark.parametrize(("name", "fields"), [("person-role", {"role": "member"}), ("person-remove", {})])
def test_the_last_secretary_stays(secretary, club, people, name, fields):
    me = Membership.objects.get(user=people["secretary"])
    answer = secretary.post(reverse(name, args=[club.slug, me.pk]), fields, follow=True)
    assert "A club needs a secretary, and there is no other. Hand the club over first." in text_of(answer)
    assert role_of(people["secretary"], club) == "secretary"
    assert actions(club) == []


def test_of_two_secretaries_one_may_go(secretary, club, people):
    set_role(Membership.objects.get(user=people["member"]), "secretary", by=BY)
    me = Membership.objects.get(user=people["secretary"])
    assert secretary.post(reverse("person-remove", args=[club.slug, me.pk])).url == reverse("front")
    with pytest.raises(ServiceError):
        remove_person(Membership.objects.get(user=people["member"]), by=BY)


@pytest.mark.postgres
@pytest.mark.parametrize(("after", "role"), [("scorekeeper", "scorekeeper"), ("member", "member"), ("nothing", None)])
def test_the_club_is_handed_over(secretary, club, people, after, role):
    taker = Membership.objects.get(user=people["member"])
    answer = secretary.post(reverse("hand-over", args=[club.slug]), {"taker": taker.pk, "after": after})
    assert answer.url == (reverse("club", args=[club.slug]) if role else reverse("front"))
    assert [role_of(people["member"], club), role_of(people["secretary"], club)] == ["secretary", role]
    assert secretary.get(reverse("people", args=[club.slug])).status_code == (403 if role else 404)
    assert "hand over" in actions(club)


def test_the_club_is_not_handed_to_somebody_of_another_club(secretary, club, people, other_club):
    eve = logins(other_club)["member"]
    taker = Membership.objects.get(user=eve)
    answer = secretary.post(reverse("hand-over", args=[club.slug]), {"taker": taker.pk, "after": "member"})
    assert answer.status_code == 422
    assert "Choose one of these people." in text_of(answer)
    assert [role_of(people["secretary"], club), role_of(eve, other_club)] == ["secretary", "member"]


def test_handing_over_to_oneself_is_refused(club, people):
    me = Membership.objects.get(user=people["secretary"])
    with pytest.raises(ServiceError):
        hand_over(me, me, "member", by=BY)


def test_a_secretary_cannot_be_invited_by_a_link_for_many(secretary, club):
    answer = secretary.post(
        reverse("people-invite", args=[club.slug]), {"role": "secretary", "how_many": "many", "days": "7"}
    )
    assert answer.status_code == 422
    assert "Choose “One person” to invite a secretary." in text_of(answer)
    assert not Invite.objects.exists()


@pytest.mark.postgres
def test_wrong_invitations_are_counted_and_then_right_ones_wait_too(club):
    invite = invited(club)
    answers = [Client().get(reverse("invite", args=[f"guess-{number}"])).status_code for number in range(21)]
    assert answers == [404] * 20 + [429]
    waiting = Client().get(link_of(invite))
    assert waiting.status_code == 429
    assert "Try again in 15 minutes." in text_of(waiting)
    elsewhere = Client(REMOTE_ADDR="192.0.2.9")
    assert elsewhere.get(link_of(invite)).status_code == 200


def test_a_link_for_a_lost_password_is_made_for_the_clubs_own_logins_alone(secretary, club, people, other_club):
    member = Membership.objects.get(user=people["member"])
    page = secretary.post(reverse("person-recover", args=[club.slug, member.pk]))
    link = re.search(r"http://testserver(/recover/[^<\"]+)", page.content.decode()).group(1)
    assert actions(club) == ["recovery link"]

    theirs = Client()
    form = theirs.get(link, follow=True)
    assert "You sign in as bramley-member" in text_of(form)
    passwords = {"new_password1": "three tall cranes", "new_password2": "three tall cranes"}
    assert theirs.post(form.request["PATH_INFO"], passwords).url == reverse("sign-in")
    assert Client().login(username="bramley-member", password="three tall cranes")
    assert Client().get(link).status_code == 410
    assert actions(club) == ["recovery link", "new password"]

    Membership.objects.create(user=people["member"], club=other_club, role="member")
    refused = secretary.post(reverse("person-recover", args=[club.slug, member.pk]), follow=True)
    assert "You cannot make a link for this account" in text_of(refused)


def test_a_link_is_over_once_its_login_joins_another_club(secretary, club, people, other_club):
    member = Membership.objects.get(user=people["member"])
    page = secretary.post(reverse("person-recover", args=[club.slug, member.pk]))
    link = re.search(r"http://testserver(/recover/[^<\"]+)", page.content.decode()).group(1)
    Membership.objects.create(user=people["member"], club=other_club, role="secretary")
    assert Client().get(link).status_code == 410


def recovery_link(secretary, club, user):
    person = Membership.objects.get(user=user)
    page = secretary.post(reverse("person-recover", args=[club.slug, person.pk]))
    return re.search(r"http://testserver(/recover/[^<\"]+)", page.content.decode()).group(1)


PASSWORDS = {"new_password1": "three tall cranes", "new_password2": "three tall cranes"}


@pytest.mark.parametrize("target", ["scorekeeper", "member"])
@pytest.mark.parametrize("is_open", [True, False])
@pytest.mark.parametrize("after", ["member", "nothing"])
def test_who_handed_the_club_over_takes_no_account_by_a_link_made_before(
    secretary, club, people, target, is_open, after
):
    """The link may be for the new secretary, or for anyone else of the club, and be open on a page already."""
    link = recovery_link(secretary, club, people[target])
    by_link = Client()
    page = by_link.get(link, follow=True).request["PATH_INFO"] if is_open else link
    taker = Membership.objects.get(user=people["scorekeeper"])
    handed = secretary.post(reverse("hand-over", args=[club.slug]), {"taker": taker.pk, "after": after})
    assert handed.status_code == 302
    assert by_link.post(page, PASSWORDS).status_code in ((410,) if is_open else (405, 410))
    answer = by_link.get(link, follow=True)
    assert (answer.status_code, "the roles in your club have changed" in text_of(answer)) == (410, True)
    assert not Client().login(username=people[target].username, password="three tall cranes")


@pytest.mark.parametrize(("name", "fields"), [("person-role", {"role": "scorekeeper"}), ("person-remove", {})])
@pytest.mark.parametrize("target", ["secretary", "scorekeeper", "member"])
def test_who_is_secretary_no_more_takes_no_account_by_a_link_made_before(secretary, club, people, target, name, fields):
    pat = User.objects.create_user("pat", password="three tall cranes")
    membership = Membership.objects.create(club=club, user=pat, role="secretary")
    link = recovery_link(signed_in(pat), club, people[target])
    assert secretary.post(reverse(name, args=[club.slug, membership.pk]), fields).status_code == 302
    assert Client().get(link).status_code == 410


def test_a_link_goes_on_while_the_roles_of_others_change_below_the_secretary(secretary, club, people):
    link = recovery_link(secretary, club, people["member"])
    set_role(Membership.objects.get(user=people["scorekeeper"]), "member", by=BY)
    assert Client().get(link, follow=True).status_code == 200
    set_role(Membership.objects.get(user=people["member"]), "scorekeeper", by=BY)
    assert Client().get(link, follow=True).status_code == 410


def test_the_log_says_each_of_these_in_a_sentence(secretary, club, people):
    member = Membership.objects.get(user=people["member"])
    invite = invited(club, "member")
    Client().post(link_of(invite), NEW)
    secretary.post(reverse("person-role", args=[club.slug, member.pk]), {"role": "scorekeeper"})
    secretary.post(reverse("person-recover", args=[club.slug, member.pk]))
    secretary.post(reverse("hand-over", args=[club.slug]), {"taker": member.pk, "after": "member"})
    signed_in(people["member"]).post(reverse("sign-out-everywhere"))
    sentences = [line.sentence for line in all_lines(club, LogFilter())]
    assert sentences == [
        "The test made an invitation to join as a member.",
        "Kim Lee (kim) joined the club as a member by invitation.",
        "bramley-secretary made bramley-member scorekeeper (was member).",
        "bramley-secretary made a password link for bramley-member.",
        "bramley-secretary made bramley-member secretary (was scorekeeper).",
        "bramley-secretary handed the club over to bramley-member.",
        "bramley-secretary made bramley-secretary member (was secretary).",
        "bramley-member signed out on every device.",
    ]


def test_no_invitation_and_no_key_stands_in_the_servers_log(club):
    """Django writes the address of every request that goes wrong into the log, one with a slip in its form too."""
    assert [kind["filters"] for kind in settings.LOGGING["handlers"].values()] == [["without_keys"]] * 2
    written, asked = logging.StreamHandler(io.StringIO()), logging.getLogger("django.request")
    written.addFilter(WithoutKeys())
    asked.addHandler(written)
    token = invited(club).token
    addresses = {
        reverse("invite", args=[token]): 422,
        reverse("recover", args=["MQ", "abc123-token"]): 410,
        reverse("by-key", args=["abc123-token"]): 405,
        reverse("watch", args=["abc123-token"]): 405,
        reverse("watch-hall", args=["abc123-token"]): 405,
    }
    statuses = {one: Client().post(one, {"name": ""}).status_code for one in addresses}
    asked.removeHandler(written)
    assert statuses == addresses
    log = written.stream.getvalue()
    assert token not in log
    assert "abc123-token" not in log
    assert [f"/{name}/…" in log for name in ("invite", "recover", "t", "w", "w/hall")] == [True] * 5


@pytest.mark.parametrize(
    ("host", "is_warned"), [("localhost:8000", True), ("127.0.0.1:8000", True), ("testserver", False)]
)
def test_an_address_that_only_this_computer_knows_is_said_to_be_one(secretary, people, club, host, is_warned):
    club.public_names, club.shows_standings = "full", True
    club.save()
    invite = make_invite(club, "member", 7, True, by=BY)
    for name, more in (("invite-link", [invite.pk]), ("public-settings", [])):
        text = secretary.get(reverse(name, args=[club.slug, *more]), headers={"host": host}).text
        assert f"http://{host}/" in text
        assert ("at an address that only this computer knows" in text) is is_warned
