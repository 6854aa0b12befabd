"""Every stored figure against the ledgers: silence when all agrees, else what is said and repaired."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from sessions_app.league.seasons import add_season
from sessions_app.models import Hand, Payment, PlayerHand, Season, Session, Tally
from sessions_app.table.reconcile import _some_of, survey
from sessions_app.table.sessions import start_session
from tests.afternoon import hand, nets, nobody, send, totals
from tests.conftest import AFTERNOON
from tests.reconciled import reconcile


@pytest.fixture
def afternoon(five, cast, secretary):
    """Five hands with a fine, a correction, someone who left and one who came back."""
    add_season(five.club, "Autumn", AFTERNOON, AFTERNOON, by=secretary, rules=["bmja"])
    five.refresh_from_db()
    first = hand(five, "2", sat_out="5", s2=40, s3=10)
    hand(five, "2", seats="2345", s2=20)
    send(five, "hand", nobody())
    send(five, "fine", {"by": "1", "to": "2", "amount": 30})
    send(five, "leave", {"seat": "1"})
    hand(five, "3", seats="2345", s3=100)
    send(five, "arrive", {"player": cast.alice.pk})
    send(five, "correct", {"entry": first, "body": totals("3", sat_out="5", s3=16)})
    return five


def run(*options):
    """Run the command; return its exit code."""
    try:
        call_command("reconcile", *options)
    except SystemExit as stop:
        return stop.code
    return 0


def dump():
    """Every derived row without its id, for comparing before and after."""
    models = (Hand, PlayerHand, Payment, Tally)
    left_out = {"id", "hand_id", "version"}
    rows = {}
    for model in models:
        columns = [field.attname for field in model._meta.concrete_fields if field.attname not in left_out]
        rows[model.__name__] = sorted(map(str, model.objects.values_list(*columns)))
    return rows, Session.objects.get().seating


def test_silent_when_all_agrees(afternoon, capsys):
    assert reconcile() == []
    assert run() == 0
    assert capsys.readouterr().out == ""


DAMAGE = {
    "a net": lambda: PlayerHand.objects.filter(hand__number=1, wind="E").update(net=5),
    "lines": lambda: PlayerHand.objects.filter(hand__number=1, wind="S").update(lines=[{"name": "forged"}]),
    "a player's hand gone": lambda: PlayerHand.objects.filter(hand__number=2, wind="S").delete(),
    "a payment gone": lambda: Payment.objects.filter(entry__hand__number=1).first().delete(),
    "a payment changed": lambda: Payment.objects.filter(entry__hand__number=1).update(amount=F("amount") + 1),
    "the fine's payment": lambda: Payment.objects.filter(entry__kind="fine").delete(),
    "a hand gone": lambda: Hand.objects.filter(number=3).delete(),
    "a goulash": lambda: Hand.objects.filter(number=2).update(goulash=True),
    "chairs": lambda: Hand.objects.filter(number=2).update(
        seating=Hand.objects.get(number=1).seating, wind_of_round="W"
    ),
    "a tally": lambda: Tally.objects.filter(seat__seat_no=2).update(net=1, balance=1),
    "a tally gone": lambda: Tally.objects.filter(seat__seat_no=2).delete(),
    "the next hand's seats": lambda: Session.objects.update(seating={"winds": [1, 2, 3, 4], "out": [5]}),
    "the season": lambda: Session.objects.update(season=None),
    "the tallies' season": lambda: Tally.objects.update(season=None),
}  # fmt: skip


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_is_reported_and_repaired(afternoon, what, capsys):
    before = dump()
    DAMAGE[what]()
    assert run() == 1
    assert capsys.readouterr().out.startswith("bramley, 2026-11-12, table 1 (session ")
    assert run("--repair") == 0
    assert run() == 0
    assert dump() == before


def test_a_figure_says_what_it_is_and_what_it_should_be(four):
    hand(four, "2", s2=40)
    PlayerHand.objects.filter(wind="E").update(net=5)
    place = f"bramley, 2026-11-12, table 1 (session {four.pk}), hand 1, seat 1"
    assert reconcile() == [f"{place}: net is 5, the ledger gives -80."]


def test_a_result_without_a_line(four):
    first = hand(four, "2", s2=40)
    Hand.objects.get().entry.__class__.objects.filter(key=first).update(removed=True)
    assert any("has a result, but no line that stands." in difference for difference in reconcile())
    assert run("--repair") == 0
    assert Hand.objects.count() == 0
    assert nets(four)["Bob"] == 0


def test_a_question_is_reported_but_is_not_an_error(five, capsys):
    first = hand(five, "1", sat_out="5", s1=40)
    hand(five, "1", sat_out="5", s1=20)
    send(five, "correct", {"entry": first, "body": totals("2", sat_out="5", s2=40)})
    before = dump()
    assert run() == 0
    assert "hand 2: please check." in capsys.readouterr().out
    Tally.objects.filter(seat__seat_no=2).update(net=1)
    Hand.objects.filter(number=2).delete()
    assert run() == 1
    assert run("--repair") == 0
    assert dump() == before


def test_an_older_edition_is_reported_and_left_alone(four, capsys):
    hand(four, "2", s2=40)
    Hand.objects.update(edition=0)
    assert run() == 0
    PlayerHand.objects.filter(wind="E").update(net=-70)
    assert run() == 0
    assert "scored under edition 0; edition " in capsys.readouterr().out
    assert run("--strict") == 1
    assert run("--repair") == 0
    assert PlayerHand.objects.get(wind="E").net == -70


def test_a_line_that_no_longer_fits_is_a_question(four, cast):
    came = send(four, "arrive", {"player": cast.fay.pk}).entry
    send(four, "leave", {"seat": "5"})
    send(four, "take_out", {"entry": came})
    found = survey()
    assert found.differences == []
    assert len(found.questions) == 1


def test_of_many_sessions_the_newest_are_compared_and_others_by_chance():
    ids = list(range(1, 101))
    looked_at = [_some_of(ids, 20, seed) for seed in ("monday", "monday", "tuesday")]
    assert all(some[10:] == ids[90:] for some in looked_at)
    assert all(len(set(some)) == 20 and some == sorted(some) for some in looked_at)
    assert looked_at[0] == looked_at[1] != looked_at[2]
    assert _some_of(ids, 100, "monday") == _some_of(ids, None, "monday") == ids


def test_the_number_of_sessions_compared_is_reported(afternoon, club, cast, secretary, capsys):
    for table in (2, 3, 4):
        start_session(club, AFTERNOON, table, cast.all[:4], "bmja", {}, by=secretary)
    Tally.objects.filter(session__table=4, seat__seat_no=1).update(net=7)
    assert run("--at-most", "2", "--seed", "monday", "--json") == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["sessions"], answer["compared"]) == (4, 2)
    assert [sentence.partition(" (")[0] for sentence in answer["differences"]] == ["bramley, 2026-11-12, table 4"]
    with pytest.raises(CommandError, match="from 2, and goes with no --repair"):
        run("--at-most", "2", "--repair")


def test_imported_totals_are_left_alone(four):
    Session.objects.filter(pk=four.pk).update(imported=True)
    Tally.objects.update(net=500, hands=8, gained=500)
    assert reconcile() == []


def test_repairing_raises_the_versions(afternoon):
    before = Season.objects.get().version
    Tally.objects.filter(seat__seat_no=2).update(net=1, balance=1)
    run("--repair")
    assert Season.objects.get().version == before + 1
