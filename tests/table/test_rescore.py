"""Old sessions scored again: looked at first, with a reason, logged, and never in a locked season."""

from datetime import timedelta

import pytest
from django.urls import reverse

from clubscore.scoring import RULE_SETS
from sessions_app.models import Change, Hand, Payment, PlayerHand, Season, Session, Tally
from sessions_app.people.transactions import ServiceError
from sessions_app.table.rescore import preview_rescore, rescore_season, rescore_session, sessions_of_older_editions
from sessions_app.table.sessions import start_session
from sessions_app.table.views.sessions import SHOWN
from tests.page_cast import BY, house, record, signed_in, totals
from tests.reconciled import reconcile

pytestmark = pytest.mark.postgres


@pytest.fixture
def home(club, cast):
    """Alice goes Mah-jong with 100, Bob has 20: scored under edition 0, which gave her half as much from Dave."""
    home = house(club, cast.all[:4])
    record(home.table_session, totals(home.table_session, 2, seat2=50))
    first = Hand.objects.get(number=1)
    Hand.objects.update(edition=0)
    for seat, net in ((1, 500), (4, -120)):
        PlayerHand.objects.filter(hand=first, seat__seat_no=seat).update(net=net)
    Payment.objects.filter(entry=first.entry, payer__seat_no=4, payee__seat_no=1).update(amount=100)
    for seat, more in ((1, -100), (4, 100)):
        tally = Tally.objects.get(session=home.table_session, seat__seat_no=seat)
        Tally.objects.filter(pk=tally.pk).update(net=tally.net + more, balance=tally.balance + more)
    return home


def nets(session):
    return {row.seat.seat_no: row.net for row in session.hands.get(number=1).player_hands.all()}


# Alice is East: everyone pays her 200; Carol and Dave pay Bob 20.
RIGHT = {1: 600, 2: -160, 3: -220, 4: -220}


def test_the_preview_shows_what_would_change_and_writes_nothing(home):
    before = nets(home.table_session)
    found = preview_rescore(home.table_session.pk)
    assert (found.old, found.new) == (0, RULE_SETS["bmja"].edition)
    assert [(hand.number, hand.changes) for hand in found.hands] == [(1, [("Alice", 500, 600), ("Dave", -120, -220)])]
    assert nets(home.table_session) == before == {1: 500, 2: -160, 3: -220, 4: -120}


def test_a_session_is_rescored_and_logged(home):
    assert list(sessions_of_older_editions(home.club)) == [home.table_session]
    rescore_session(home.table_session, by=BY, why="The scorer was mended")
    assert nets(home.table_session) == RIGHT
    assert sum(Tally.objects.values_list("net", flat=True)) == 0
    assert reconcile() == []
    assert list(sessions_of_older_editions(home.club)) == []
    change = Change.objects.get(action="rescore")
    key = str(home.table_session.hands.get(number=1).entry.key)
    assert (change.why, change.before["hands"][key]["nets"]["1"], change.after["hands"][key]["nets"]["1"]) == (
        "The scorer was mended", 500, 600,
    )  # fmt: skip
    assert Session.objects.get().edition == RULE_SETS["bmja"].edition


def test_a_whole_season_is_rescored(home):
    version = home.season.version
    assert rescore_season(home.season, by=BY, why="Mended") == 1
    assert nets(home.table_session) == RIGHT
    home.season.refresh_from_db()
    assert home.season.version > version


def test_never_without_a_reason_and_never_in_a_locked_season(home):
    before = nets(home.table_session)
    with pytest.raises(ServiceError, match="Enter the reason."):
        rescore_session(home.table_session, by=BY, why=" ")
    Season.objects.update(locked=True)
    home.season.refresh_from_db()
    for attempt in (lambda: rescore_session(home.table_session, by=BY, why="x"),
                    lambda: rescore_season(home.season, by=BY, why="x")):  # fmt: skip
        with pytest.raises(ServiceError, match="The season “Autumn 2026” is locked"):
            attempt()
    assert nets(home.table_session) == before
    assert not Change.objects.filter(action="rescore").exists()


class TestThePage:
    def test_it_shows_what_changes_then_does_it(self, home):
        client, address = signed_in(home.secretary), reverse("rescore", args=[home.club.slug])
        page = client.get(address).content.decode()
        assert f"Scored with version 0. Version {RULE_SETS['bmja'].edition} changes 1 hand." in page
        assert "Hand 1: Alice +600 (was +500), Dave −220 (was −120)" in page
        refused = client.post(address, {"session": home.table_session.pk, "why": ""})
        assert refused.status_code == 422
        assert "Enter the reason." in refused.content.decode()
        assert client.post(address, {"season": home.season.pk, "why": "Mended"}).url == address
        assert nets(home.table_session) == RIGHT
        assert "There is nothing to do." in client.get(address).content.decode()

    def test_of_many_the_newest_are_looked_at(self, home, cast):
        days = [home.table_session.date - timedelta(days=n) for n in range(SHOWN + 2)]
        for day in days[1:]:
            other = start_session(home.club, day, 1, cast.all[:4], "bmja", {}, by=BY)
            record(other, totals(other, 2, seat2=50))
        Hand.objects.update(edition=0)
        client, address = signed_in(home.secretary), reverse("rescore", args=[home.club.slug])
        page = client.get(address).content.decode()
        assert [f">{day.day} {day:%B %Y}, table 1<" in page for day in days] == [True] * SHOWN + [False] * 2
        assert "And 2 earlier tables" in page

    def test_another_clubs_session_is_not_found(self, home, other_club, cast):
        client, address = signed_in(home.secretary), reverse("rescore", args=[home.club.slug])
        theirs = Season.objects.create(
            club=other_club, name="Theirs", starts_on=home.season.starts_on, ends_on=home.season.ends_on
        )
        assert client.post(address, {"season": theirs.pk, "why": "x"}).status_code == 404
        assert client.post(address, {"session": 999_999, "why": "x"}).status_code == 404
