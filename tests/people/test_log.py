"""The log says who, when, why, before and after for every change, by ids; and many writers at once lose nothing."""

import datetime
import threading

import pytest
from django.db import connection
from django.utils import timezone

from sessions_app.models import Change, Command, Entry, Hand, User
from sessions_app.people.log import Actor
from sessions_app.table.sessions import start_session
from tests.afternoon import hand, new_key, send, totals
from tests.reconciled import reconcile

pytestmark = pytest.mark.postgres


@pytest.fixture
def sam(db):
    return Actor.of_user(User.objects.create_user("sam", first_name="Sam", last_name="Green"))


def last():
    return Change.objects.order_by("id").last()


def test_a_recorded_hand(four, sam):
    body = totals("2", s2=40)
    key = send(four, "hand", body, by=sam, why="Read out again").entry
    change = last()
    assert (change.user, change.name, change.why) == (sam.user, "Sam Green", "Read out again")
    assert timezone.now() - change.at < datetime.timedelta(minutes=1)
    assert (change.action, change.subject_type, change.subject_id) == ("hand", "entry", key)
    assert (change.club, change.session) == (four.club, four)
    assert change.before == {"entries": {key: None}}
    played_in = {**four.seating, "winds": [1, 2, 3, 4], "hands_in_round": 0, "first_east": 1}
    after = {"kind": "hand", "body": body, "taken_out": False, "played_in": played_in}
    assert change.after == {"entries": {key: after}}


def test_a_correction_holds_both_bodies(four):
    old, new = totals("2", s2=40), totals("3", s3=10)
    key = send(four, "hand", old).entry
    send(four, "correct", {"entry": key, "body": new}, why="It was Carol")
    change = last()
    assert (change.action, change.subject_id, change.why) == ("correct", key, "It was Carol")
    assert change.before["entries"][key]["body"] == old
    assert change.after["entries"][key]["body"] == new


LOGGED = {
    "take_out": lambda it: ({"entry": it.key}, {"taken_out": False}, {"taken_out": True}),
    "note": lambda it: ({"text": "Tea"}, None, {"kind": "note", "body": {"text": "Tea"}}),
    "leave": lambda it: ({"seat": "1"}, None, {"kind": "leave", "body": {"seat": "1"}}),
    "arrive": lambda it: ({"player": it.fay}, None, {"kind": "arrive", "body": {"seat": "5"}}),
    "exchange": lambda it: ({"a": "1", "b": "2"}, None, {"kind": "seating", "body": {"exchange": ["1", "2"]}}),
    "fine": lambda it: (
        {"by": "1", "to": "2", "amount": 30},
        None,
        {"kind": "fine", "body": {"by": "1", "to": "2", "amount": 30, "why": ""}},
    ),
}


@pytest.mark.parametrize("kind", LOGGED)
def test_every_kind_of_line_is_logged(four, cast, kind):
    class It:
        key = hand(four, "2", s2=40)
        fay = cast.fay.pk

    body, before, after = LOGGED[kind](It)
    key = send(four, kind, body).entry
    change = last()
    assert (change.action, change.subject_id, change.name) == (kind, key, "tablet at table 1")
    was, is_now = change.before["entries"][key], change.after["entries"][key]
    assert was is None if before is None else before.items() <= was.items()
    assert after.items() <= is_now.items()


def test_finishing_and_the_seat_of_another_player(four, cast):
    send(four, "change_player", {"seat": "1", "player": cast.fay.pk})
    assert (last().before, last().after) == (
        {"seats": {"1": {"player": cast.alice.pk}}},
        {"seats": {"1": {"player": cast.fay.pk}}},
    )
    send(four, "finish")
    assert (last().before, last().after) == ({"session": {"state": "open"}}, {"session": {"state": "finished"}})
    assert (last().subject_type, last().subject_id) == ("session", str(four.pk))


def test_undoing_names_the_change_it_undid(four):
    hand(four, "2", s2=40)
    undone = last()
    send(four, "undo", why="Wrong table")
    assert (last().action, last().subject_type, last().subject_id) == ("undo", "change", str(undone.pk))
    assert last().why == "Wrong table"
    send(four, "redo")
    assert (last().action, last().subject_id) == ("redo", str(undone.pk))


def test_what_is_refused_or_only_repeated_is_not_logged(four):
    key, body = new_key(), totals("2", s2=40)
    send(four, "hand", body, key=key)
    lines = Change.objects.count()
    send(four, "hand", body, key=key)
    send(four, "hand", totals("2", s2=50), key=key)
    send(four, "hand", {"hands": {"1": {"total": -2}}})
    assert Change.objects.count() == lines


def test_no_name_of_a_player_stands_in_the_log(four, cast):
    hand(four, "2", s2=40)
    send(four, "arrive", {"player": cast.fay.pk})
    send(four, "leave", {"seat": "1"})
    changes = " ".join(f"{change.before} {change.after}" for change in Change.objects.all())
    assert [player.full_name for player in cast.all if player.full_name in changes] == []


@pytest.mark.django_db(transaction=True)
def test_many_devices_at_two_tables_lose_nothing(club, cast, secretary):
    today = datetime.date(2026, 11, 12)
    tables = [start_session(club, today, number, cast.all[:4], "bmja", {}, by=secretary) for number in (1, 2)]
    keys = [[new_key() for _ in range(5)] for _ in range(6)]
    answers, errors = [], []

    def device(number):
        try:
            for key in keys[number]:
                answers.append(send(tables[number % 2], "hand", totals("1", s1=8), key=key).outcome)
                answers.append(send(tables[number % 2], "hand", totals("1", s1=8), key=key).outcome)
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    devices = [threading.Thread(target=device, args=(number,)) for number in range(6)]
    for thread in devices:
        thread.start()
    for thread in devices:
        thread.join()
    assert errors == []
    assert sorted(answers) == ["again"] * 30 + ["recorded"] * 30
    assert set(map(str, Entry.objects.values_list("key", flat=True))) == {key for own in keys for key in own}
    assert [Hand.objects.filter(session=table).count() for table in tables] == [15, 15]
    assert Command.objects.count() == 30
    assert reconcile() == []
