"""Someone whose arrival was undone or removed was never there: no tally, no column, no line in a list."""

import re

import pytest
from django.urls import reverse

from sessions_app.exchange.exports.club_csv import attendance_csv
from sessions_app.models import Seat, Tally
from tests.afternoon import hand, nets, send
from tests.factories import house
from tests.logins import signed_in
from tests.reconciled import reconcile
from tests.table.test_table_page import asked, state_of


@pytest.fixture(params=["guide", pytest.param("", marks=pytest.mark.long)], ids=["with sticks", "without sticks"])
def at_home(club, cast, request):
    return house(club, cast.all[:4], sticks=request.param)


@pytest.fixture
def table(at_home):
    return at_home.table_session


PAGES = (
    *("table", "table-state", "hand-new", "paper", "seating", "arrive", "leave", "session-history"),
    *("last-changes", "export-night", "others"),
)


def shown(page):
    """Return a page without the data for its scripts and without the table's other views."""
    return re.sub(r"<script.*?</script>|<template data-view.*?</template>", "", page.text, flags=re.S)


def arrives(table, player):
    answer = send(table, "arrive", {"player": player.pk})
    assert answer.outcome == "recorded"
    return answer.entry


def undo(table, _):
    assert send(table, "undo").outcome == "recorded"


def remove(table, arrival):
    assert send(table, "take_out", {"entry": arrival}).outcome == "recorded"


@pytest.mark.parametrize("go", [undo, remove])
def test_who_is_gone_again_has_no_tally_and_comes_back_with_one(table, cast, go):
    arrival = arrives(table, cast.fay)
    assert "Fay" in nets(table)
    go(table, arrival)
    assert "Fay" not in nets(table)
    assert reconcile() == []
    assert hand(table, "2", s2=10)
    assert "Fay" not in nets(table)
    assert reconcile() == []
    # The seat stays hers, as the history names it.
    assert Seat.objects.filter(session=table).count() == 5
    arrives(table, cast.fay)
    assert nets(table)["Fay"] == 0
    assert reconcile() == []


def test_redoing_an_arrival_gives_the_tally_back(table, cast):
    arrives(table, cast.fay)
    undo(table, None)
    assert send(table, "redo").outcome == "recorded"
    assert nets(table)["Fay"] == 0
    assert reconcile() == []


def test_an_arrival_removed_after_a_penalty_leaves_what_the_penalty_did(table, cast):
    arrival = arrives(table, cast.fay)
    assert send(table, "fine", {"by": "5", "to": "1", "amount": 30}).outcome == "recorded"
    remove(table, arrival)
    assert nets(table)["Fay"] == -30
    assert sum(nets(table).values()) == 0
    assert reconcile() == []


def test_no_page_has_a_column_or_a_line_for_them(at_home, table, cast):
    arrivals = [arrives(table, cast.fay)]
    remove(table, arrivals[0])
    send(table, "finish")
    client, here = signed_in(at_home.secretary), [table.club.slug, table.pk]
    sheet = client.get(reverse("session-sheet", args=here))
    assert shown(sheet).count("Fay") == 1  # what happened: the arrival that was removed
    for name in ("table", "totals-csv", "hands-csv", "watch"):
        address = reverse(name, args=[table.watching_key] if name == "watch" else here)
        page = client.get(address)
        assert page.status_code == 200
        assert "Fay" not in shown(page).replace("Fay joins the table", ""), name
    assert "Fay" not in shown(client.get(reverse("club", args=here[:1])))
    assert "Fay" not in attendance_csv(table.club)
    assert reconcile() == []


def test_the_pages_where_the_table_goes_on_open(at_home, table, cast):
    arrival = arrives(table, cast.fay)
    remove(table, arrival)
    client, here = signed_in(at_home.secretary), [table.club.slug, table.pk]
    for name in PAGES:
        place = here[:1] if name == "export-night" else here
        assert client.get(reverse(name, args=place)).status_code == 200, name
    assert "Fay" not in shown(client.get(reverse("leave", args=here)))


def test_the_tablet_agrees(at_home, table, cast):
    """With what it was sent, and with the removal among its own commands."""
    arrival = arrives(table, cast.fay)
    there = state_of(signed_in(at_home.secretary), table)
    assert asked(table, there, [])["balances"] == there["balances"]
    removal = {"key": "5f0c2d7e-6f3f-4b0a-9f52-1d6c0e1b7a11", "kind": "take_out", "body": {"entry": arrival}}
    ahead = asked(table, there, [removal])
    remove(table, arrival)
    gone = state_of(signed_in(at_home.secretary), table)
    assert asked(table, gone, [])["known"] is True
    assert ahead["balances"] == gone["balances"] == asked(table, gone, [])["balances"]
    assert "5" not in gone["balances"]


def test_reconcile_finds_and_repairs_a_tally_of_someone_who_was_never_there(table, cast):
    arrival = arrives(table, cast.fay)
    kept = Tally.objects.get(seat__seat_no=5, session=table)
    remove(table, arrival)
    kept.save(force_insert=True)
    assert [line.split(": ", 1)[1] for line in reconcile()] == ["has a tally, but nobody took it."]
    reconcile("--repair")
    assert "Fay" not in nets(table)
    assert reconcile() == []
