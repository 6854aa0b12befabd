"""Old sessions scored again: looked at first, with a reason, logged, and never in a locked season."""

import re

import pytest
from django.core.management import call_command

from clubscore.scoring import RULE_SETS
from sessions_app.models import Change, Hand, Payment, PlayerHand, Season, Session, Tally
from sessions_app.people.transactions import ServiceError
from sessions_app.table.rescore import rescore_session, waiting_sessions
from tests.factories import BY, house, record, totals
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


def test_without_a_reason_the_command_says_what_would_change_and_writes_nothing(home, capsys):
    before = nets(home.table_session)
    # Bob goes Mah-jong with 50 in the second hand: Alice, East no more, pays him 50 and so do the others.
    call_command("rescore")
    first, last = capsys.readouterr().out.splitlines()
    where = f"{home.club.slug}, 12 November 2026, table 1"
    assert re.fullmatch(rf"{where}: Alice [+−]\d+ \(was [+−]\d+\), Dave [+−]\d+ \(was [+−]\d+\)\.", first)
    assert last == "1 sessions are older. To rescore them, give a reason with --why."
    assert nets(home.table_session) == before == {1: 500, 2: -160, 3: -220, 4: -120}


def test_a_session_is_rescored_and_logged(home):
    assert waiting_sessions(home.club) == [home.table_session.pk]
    rescore_session(home.table_session, by=BY, why="The scorer was mended")
    assert nets(home.table_session) == RIGHT
    assert sum(Tally.objects.values_list("net", flat=True)) == 0
    assert reconcile() == []
    assert waiting_sessions(home.club) == []
    change = Change.objects.get(action="rescore")
    key = str(home.table_session.hands.get(number=1).entry.key)
    assert (change.why, change.before["hands"][key]["nets"]["1"], change.after["hands"][key]["nets"]["1"]) == (
        "The scorer was mended", 500, 600,
    )  # fmt: skip
    assert Session.objects.get().edition == RULE_SETS["bmja"].edition


def test_a_whole_season_is_rescored(home):
    version = home.season.version
    call_command("rescore", why="Mended", season=home.season.pk, processes=1)
    assert nets(home.table_session) == RIGHT
    home.season.refresh_from_db()
    assert home.season.version > version


def test_never_without_a_reason_and_never_in_a_locked_season(home):
    before = nets(home.table_session)
    with pytest.raises(ServiceError, match="Enter the reason."):
        rescore_session(home.table_session, by=BY, why=" ")
    Season.objects.update(locked=True)
    home.season.refresh_from_db()
    with pytest.raises(ServiceError, match="The season “Autumn 2026” is locked"):
        rescore_session(home.table_session, by=BY, why="x")
    call_command("rescore", why="x", season=home.season.pk, processes=1)
    assert nets(home.table_session) == before
    assert not Change.objects.filter(action="rescore").exists()
