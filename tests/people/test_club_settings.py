"""A club's settings: its name, its address with those it had before, its time zone, and what things begin with."""

import datetime
import uuid

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from sessions_app.management.base import club_named
from sessions_app.models import Change, Club, Meeting, Membership, OldAddress, Player, Session
from sessions_app.people.clubs import free_slug, make_club
from sessions_app.people.log import Actor
from sessions_app.people.transactions import ServiceError
from tests.factories import house, totals
from tests.logins import logins, signed_in

BY = Actor(name="The test")


@pytest.fixture
def secretary(at_home):
    return signed_in(at_home.secretary)


def settings_of(club, **changed):
    return {
        "name": club.name, "slug": club.slug, "time_zone": club.time_zone, "usual_place": "", "usual_time": "",
        "contact_email": "", "stick_set": "", **changed,
    }  # fmt: skip


def change(client, club, **changed):
    return client.post(reverse("desk-settings", args=[club.slug]), settings_of(club, **changed))


def test_a_club_changes_its_name_and_the_log_says_so(secretary, club):
    before = club.name
    answer = change(secretary, club, name="Otley  Tiles", usual_place="Village hall", usual_time="14.00")
    assert answer.url == reverse("desk-settings", args=[club.slug])
    changed = Club.objects.get(pk=club.pk)
    assert (changed.name, changed.usual_place, changed.usual_time) == ("Otley Tiles", "Village hall", datetime.time(14))
    log = secretary.get(reverse("log", args=[club.slug])).content.decode()
    for words in (f"name Otley Tiles (was {before})", "usual venue Village hall (was none)", "usual start 14:00"):
        assert words in log


def test_the_club_asks_that_another_player_agrees_to_each_hand_until_it_is_turned_off(secretary, club):
    for sent, asks in (({"asks_agreement": "on"}, True), ({}, False)):
        change(secretary, club, **sent)
        assert Club.objects.get(pk=club.pk).asks_agreement == asks


@pytest.mark.postgres
def test_the_old_address_goes_on_for_members_tablets_and_the_public(secretary, client, club, at_home):
    Club.objects.filter(pk=club.pk).update(shows_meetings=True)
    old, session = club.slug, at_home.table_session.pk
    assert change(secretary, club, slug="tiles").url == reverse("desk-settings", args=["tiles"])
    for slug in ("tiles", old):
        assert secretary.get(reverse("club", args=[slug])).status_code == 200
        assert secretary.get(reverse("table", args=[slug, session])).status_code == 200
        assert client.get(reverse("public-meetings", args=[slug])).status_code == 200
    # The page at the old address leads on to the new one.
    assert reverse("standings", args=["tiles"]) in secretary.get(reverse("club", args=[old])).content.decode()
    # A tablet that knows the old address alone saves its hand there.
    last = str(at_home.table_session.entries.get().key)
    body = totals(at_home.table_session, 1, seat1=40)
    command = {"key": str(uuid.uuid4()), "kind": "hand", "body": body, "device": "", "after": last}
    sent = secretary.post(reverse("commands", args=[old, session]), command, content_type="application/json")
    assert (sent.status_code, at_home.table_session.entries.count()) == (201, 2)


def test_another_club_sees_nothing_at_an_old_address(secretary, club, other_club):
    change(secretary, club, slug="tiles")
    stranger = signed_in(logins(other_club)["secretary"])
    for slug in (club.slug, "tiles", "nobodys"):
        assert stranger.get(reverse("club", args=[slug])).status_code == 404
    assert stranger.get(reverse("public-meetings", args=[club.slug])).status_code == 404


def test_a_member_of_the_club_that_has_an_address_opens_no_table_of_the_club_that_had_it(secretary, club, other_club):
    players = [Player.objects.create(club=other_club, full_name=name, short_name=name) for name in "WXYZ"]
    theirs = house(other_club, players)
    OldAddress.objects.create(club=other_club, slug=club.slug)
    address = reverse("table", args=[club.slug, theirs.table_session.pk])
    assert secretary.get(address).status_code == 404
    assert signed_in(theirs.secretary).get(address).status_code == 200
    # Who has that table's key too goes on with it, as a tablet.
    tablet = signed_in(Membership.objects.get(club=club, role="member").user)
    tablet.get(reverse("by-key", args=[theirs.table_session.scoring_key]))
    answer = tablet.get(reverse("table", args=[club.slug, theirs.table_session.pk]))
    assert answer.status_code == 200
    assert answer.wsgi_request.membership.role == "table"


def test_commands_find_a_club_at_its_old_address(secretary, club, capsys):
    old = club.slug
    change(secretary, club, slug="tiles")
    assert club_named(old) == club
    call_command("retention", "--club", old)
    assert "sign-ins have expired" in capsys.readouterr().out


@pytest.mark.postgres
def test_no_other_club_takes_an_address_that_goes_on(secretary, club, other_club):
    old = club.slug
    change(secretary, club, slug="tiles")
    other = signed_in(logins(other_club)["secretary"])
    answer = change(other, other_club, slug=old)
    assert answer.status_code == 422
    assert "Choose another address. This one is taken." in answer.content.decode()
    with pytest.raises(ServiceError, match="This one is taken"):
        make_club("Another", slug=old, by=BY)
    assert free_slug(old) == f"{old}-2"


@pytest.mark.postgres
def test_a_club_takes_its_old_address_back(secretary, club):
    old = club.slug
    change(secretary, club, slug="tiles")
    change(secretary, Club.objects.get(pk=club.pk), slug=old)
    assert Club.objects.get(pk=club.pk).slug == old
    assert [one.slug for one in OldAddress.objects.all()] == ["tiles"]
    assert Change.objects.of_club(club).filter(action="settings").count() == 2


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": " "}, "Enter the name of the club."),
        ({"slug": "our_club"}, "Enter small letters, numbers and hyphens only, for example “purbeck-u3a”."),
        ({"slug": "Our Club!"}, "Enter small letters, numbers and hyphens only, for example “purbeck-u3a”."),
        ({"time_zone": "Moon"}, "Select a valid choice."),
        ({"usual_time": "two"}, "Enter the time for “Usual start”, for example 14:00."),
        ({"contact_email": "us"}, "Enter an email address, for example club@example.org."),
    ],
)
def test_what_is_wrong_is_said_and_nothing_typed_is_lost(secretary, club, wrong, sentence):
    answer = change(secretary, club, usual_place="The annexe", **wrong)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert "The annexe" in answer.content.decode()
    assert Club.objects.get(pk=club.pk).usual_place == ""


@pytest.mark.postgres
def test_the_address_is_kept_in_small_letters(secretary, club):
    change(secretary, club, slug="Our-Tiles")
    assert Club.objects.get(pk=club.pk).slug == "our-tiles"


def test_a_long_name_and_a_time_zone_set_elsewhere_stay(secretary, club):
    Club.objects.filter(pk=club.pk).update(name="M" * 120, time_zone="UTC")
    changed = Club.objects.get(pk=club.pk)
    form = secretary.get(reverse("desk-settings", args=[club.slug])).context["form"]
    assert ("UTC", "UTC") in form.fields["time_zone"].choices
    assert change(secretary, changed, usual_place="The annexe").status_code == 302


def test_a_new_meeting_begins_with_the_usual_venue_and_start(secretary, club):
    Meeting.objects.create(club=club, date=club.today, place="Elsewhere", starts_at=datetime.time(9))
    change(secretary, club, usual_place="Village hall", usual_time="14:00")
    form = secretary.get(reverse("meetings", args=[club.slug])).context["form"]
    assert (form["place"].value(), form["starts_at"].value()) == ("Village hall", datetime.time(14))


@pytest.mark.parametrize(("zone", "hours"), [("Pacific/Kiritimati", 14), ("Pacific/Pago_Pago", -11)])
def test_the_number_in_the_head_counts_by_the_clubs_own_date(secretary, club, at_home, zone, hours):
    """At Kiritimati it is a day later than at Pago Pago for all but an hour of the day."""
    change(secretary, club, time_zone=zone)
    there = (timezone.now() + datetime.timedelta(hours=hours)).date()
    for days, number in ((0, 0), (1, 1)):
        Session.objects.filter(pk=at_home.table_session.pk).update(date=there - datetime.timedelta(days=days))
        page = secretary.get(reverse("desk", args=[club.slug]))
        listed = [words for words, _ in page.context["to_do"] if "never finished" in words]
        assert (len(listed), page.wsgi_request.membership.to_do) == (number, number)
