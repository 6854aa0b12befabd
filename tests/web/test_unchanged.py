"""A page that the browser has already is not made again until something of the club changes."""

import pytest
from django.urls import reverse

from sessions_app.models import Tally
from sessions_app.people.players import rename_player
from tests.factories import BY, record, totals
from tests.logins import signed_in
from tests.queries import at_most
from tests.reconciled import reconcile

pytestmark = pytest.mark.postgres


@pytest.fixture
def address(at_home):
    return reverse("standings", args=[at_home.club.slug])


def mark_of(client, address):
    """Ask twice: the first answer of all brings the cookie against forgery along, and that is news."""
    client.get(address)
    return client.get(address).headers["ETag"]


def asked(client, address, mark):
    return client.get(address, headers={"If-None-Match": mark})


def test_nothing_new_is_not_sent_again(at_home, address):
    client = signed_in(at_home.member)
    mark = mark_of(client, address)
    with at_most(4):
        answer = asked(client, address, mark)
    assert (answer.status_code, answer.content) == (304, b"")
    assert client.get(address).content.count(b"<main") == 1


def test_a_hand_a_name_and_another_person_are_news(at_home, cast, address):
    client = signed_in(at_home.member)
    mark = mark_of(client, address)
    record(at_home.table_session, totals(at_home.table_session, 1, seat1=500))
    after_hand = asked(client, address, mark)
    assert after_hand.status_code == 200
    assert after_hand.headers["ETag"] != mark
    rename_player(cast.alice, "Alicia", by=BY)
    renamed = asked(client, address, after_hand.headers["ETag"])
    assert renamed.status_code == 200
    assert "Alicia" in renamed.content.decode()
    other = signed_in(at_home.secretary)
    assert asked(other, address, renamed.headers["ETag"]).status_code == 200


def test_the_looks_of_the_tablet_are_news(at_home, address):
    client = signed_in(at_home.member)
    mark = mark_of(client, address)
    client.cookies["looks"] = "large"
    assert asked(client, address, mark).status_code == 200


def test_what_is_told_once_stands_on_a_page_that_is_not_kept(at_home, address):
    client = signed_in(at_home.scorekeeper)
    mark = mark_of(client, address)
    client.post(reverse("redo", args=[at_home.club.slug, at_home.table_session.pk]))
    answer = asked(client, address, mark)
    assert answer.status_code == 200
    assert "There is nothing to redo." in answer.content.decode()
    assert "ETag" not in answer.headers
    assert asked(client, address, mark).status_code == 304


def test_what_a_repair_mends_is_news(at_home, cast, address):
    record(at_home.table_session, totals(at_home.table_session, 1, seat1=500))
    Tally.objects.filter(session=at_home.table_session, seat__seat_no=1).update(net=9999)
    client = signed_in(at_home.member)
    mark = mark_of(client, address)
    assert "9,999" in client.get(address).content.decode()
    assert len(reconcile(repair=True)) == 1
    mended = asked(client, address, mark)
    assert mended.status_code == 200
    assert "9,999" not in mended.content.decode()
