"""What a tablet's outbox is answered: JSON with a status for every case, and how the table stands."""

import json
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import Command, Entry
from sessions_app.people import permissions
from sessions_app.table.sessions import start_session
from tests.factories import BY, DAY, record, totals
from tests.logins import logins, signed_in
from tests.table.test_table_key import by_key

KEY = "11111111-1111-4111-8111-111111111111"


OTHER_KEY = "22222222-2222-4222-8222-222222222222"


NO_ENTRY = "33333333-3333-4333-8333-333333333333"


@pytest.fixture
def outbox(at_home):
    """Send a command of the scorekeeper's tablet; give status and JSON."""
    return sender(at_home, signed_in(at_home.scorekeeper))


def sender(at_home, client, **how):
    def send(kind, body=None, **more):
        command = {"key": KEY, "kind": kind, "body": body or {}, "device": "tablet K7", **more}
        return post(at_home, client, json.dumps(command), **how)

    return send


def post(at_home, client, text, **how):
    answer = client.post(address(at_home), text, content_type="application/json", **how)
    return answer.status_code, answer.json()


def address(at_home, name="commands", slug="bramley"):
    return reverse(name, args=[slug, at_home.table_session.pk])


def hand(at_home, winner=2):
    return totals(at_home.table_session, winner, **{f"seat{winner}": 64})


def test_a_hand_is_recorded_and_the_answer_has_the_state_of_the_table(at_home, outbox):
    status, answer = outbox(
        "hand", hand(at_home), after=at_home.hand_key, seats={"E": "1", "S": "2", "W": "3", "N": "4"}
    )
    assert (status, answer["outcome"], answer["message"]) == (201, "recorded", "Hand 2: Bob, 64. Bob is East.")
    assert answer["entry"] == KEY
    # Alice, East, kept the deal with hand 1; Bob, South, won hand 2, so the deal passes to him.
    assert answer["state"]["last"] == KEY
    assert answer["state"]["number"] == 3
    assert answer["state"]["chairs"]["winds"] == [2, 3, 4, 1]
    command = Command.objects.get(session=at_home.table_session, key=KEY)
    assert (command.device, command.user, command.outcome) == ("tablet K7", at_home.scorekeeper, "applied")


def test_what_a_command_tells_of_the_table_is_what_the_table_tells_itself(at_home, cast):
    client = signed_in(at_home.scorekeeper)
    send = sender(at_home, client)
    sent = [
        ("hand", hand(at_home)),
        ("fine", {"by": "1", "to": "2", "amount": 50}),
        ("arrive", {"player": cast.all[4].pk}),
        ("hand", {"hands": {}, "mahjong": None}),
        ("correct", {"entry": at_home.hand_key, "body": hand(at_home, winner=3)}),
        ("leave", {"seat": "2"}),
        ("undo", {}),
        ("take_out", {"entry": at_home.hand_key}),
        ("finish", {}),
    ]
    for kind, body in sent:
        status, answer = send(kind, body, key=str(uuid.uuid4()))
        is_new = kind in ("hand", "fine", "arrive", "leave")
        assert (status, answer["status"], answer["outcome"]) == (*[201 if is_new else 200] * 2, "recorded"), kind
        read = client.get(address(at_home, "table-state")).json()
        assert answer["state"] == {name: read[name] for name in answer["state"]}, kind


def test_the_same_key_and_body_again_is_the_first_answer(at_home, outbox):
    body = hand(at_home)
    outbox("hand", body)
    status, answer = outbox("hand", body)
    assert (status, answer["outcome"], answer["message"]) == (200, "again", "Hand 2: Bob, 64. Bob is East.")
    assert Entry.objects.filter(session=at_home.table_session).count() == 2


def test_the_same_key_with_another_body_is_refused(at_home, outbox):
    outbox("hand", hand(at_home))
    status, answer = outbox("hand", hand(at_home, winner=3))
    assert (status, answer["outcome"]) == (409, "refused")
    assert answer["message"] == "Something went wrong and this was not saved. Reload the page and try again."
    assert answer["state"]["number"] == 3


def test_another_hand_in_this_place_makes_both_wait_for_a_choice(at_home, outbox):
    record(at_home.table_session, hand(at_home), key=OTHER_KEY)
    status, answer = outbox("hand", hand(at_home, winner=3), after=at_home.hand_key)
    assert (status, answer["outcome"]) == (409, "contested")
    assert answer["state"]["waiting"] == [
        {
            "key": KEY,
            "late": False,
            "words": "A hand: Carol goes Mah-jong",
            "details": ["Alice: total 0", "Bob: total 0", "Carol: total 64", "Dave: total 0"],
        }
    ]
    status, answer = outbox("hand", hand(at_home, winner=3), after=at_home.hand_key)
    assert (status, answer["outcome"]) == (409, "contested")
    record(at_home.table_session, {"keep": KEY, "drop": [OTHER_KEY]}, kind="choose")
    status, answer = outbox("hand", hand(at_home, winner=3), after=at_home.hand_key)
    assert (status, answer["outcome"]) == (200, "again")


def test_a_hand_after_one_that_never_came_is_contested(at_home, outbox):
    status, answer = outbox("hand", hand(at_home), after=NO_ENTRY)
    assert (status, answer["outcome"]) == (409, "contested")


def test_what_comes_after_the_end_is_kept_for_the_secretary(at_home, outbox):
    body = hand(at_home)
    record(at_home.table_session, {}, kind="finish")
    status, answer = outbox("hand", body)
    assert (status, answer["outcome"]) == (409, "late")
    assert (
        answer["message"]
        == "This table has finished. You have not lost anything. What you sent is kept for the secretary to check. "
        "You need do nothing more."
    )
    assert answer["state"]["open"] is False
    assert Command.objects.get(key=KEY).body == body


def test_an_undo_of_a_tablet_by_code_after_the_end_is_kept_too(at_home):
    outbox = sender(at_home, by_key(at_home.table_session))
    record(at_home.table_session, {}, kind="finish")
    status, answer = outbox("undo")
    assert (status, answer["outcome"]) == (409, "late")
    assert (
        answer["message"]
        == "This table has finished. You have not lost anything. What you sent is kept for the secretary to check. "
        "You need do nothing more."
    )
    assert Command.objects.get(key=KEY).outcome == "late"
    assert at_home.table_session.hands.count() == 1


def test_a_hand_the_rules_refuse_names_what_to_mend(at_home, outbox):
    two_chows = {"sets": ["exposed chow 1C", "exposed chow 4B", "exposed pung 9D", "exposed pung R", "pair E"]}
    body = hand(at_home)
    body["hands"]["2"] = two_chows
    body["mahjong"] = {"by": "2", "tile": "R", "from": "1"}
    status, answer = outbox("hand", body)
    assert (status, answer["outcome"], answer["seat"]) == (422, "invalid", "S")
    assert "chow" in answer["message"]
    assert not Command.objects.filter(key=KEY).exists()


@pytest.mark.parametrize("kind", ["", "burn", None, 7])
def test_an_unknown_kind_is_invalid(outbox, kind):
    status, answer = outbox(kind)
    assert (status, answer["outcome"]) == (422, "invalid")


UNKEPT = [f'{{"key": "{KEY}", "kind": "note", "body": {{"text": {value}}}}}' for value in
          ("NaN", "-Infinity", "1e400", r'"\u0000"', r'"\ud800"', r'{"\udfff": 1}')]  # fmt: skip


@pytest.mark.postgres
@pytest.mark.parametrize("text", ["", "hands", "[]", "7", '{"key": ', '{"body": []}', "\xff", "[" * 100_000, *UNKEPT])
def test_a_sentence_answers_what_is_not_json(at_home, text):
    status, answer = post(at_home, signed_in(at_home.scorekeeper), text.encode("latin-1"))
    assert (status, answer) == (
        422,
        {
            "status": 422,
            "outcome": "unreadable",
            "message": "Something went wrong and this was not saved. Reload the page and try again.",
        },
    )


def test_a_sentence_answers_what_is_too_large(at_home):
    text = json.dumps({"key": KEY, "kind": "note", "body": {"text": "x" * 200_000}})
    status, answer = post(at_home, signed_in(at_home.scorekeeper), text)
    assert (status, answer["outcome"], answer["message"]) == (422, "unreadable", "What you sent is too large.")


def test_a_sentence_answers_more_than_the_server_reads(at_home):
    status, answer = post(at_home, signed_in(at_home.scorekeeper), "x" * 3_000_000)
    assert (status, answer["outcome"], answer["message"]) == (413, "invalid", "What you sent is too large.")


def test_nobody_signed_in_is_asked_to_sign_in_and_not_sent_away(at_home):
    send = sender(at_home, Client())
    status, answer = send("undo")
    assert (status, answer) == (
        401,
        {
            "status": 401,
            "outcome": "sign-in",
            "message": "This tablet is signed out. Nothing is lost. Sign in, or scan the table’s QR code again.",
        },
    )
    assert not Command.objects.filter(key=KEY).exists()


def test_without_the_token_nothing_is_taken_and_the_state_brings_a_new_one(at_home):
    client = Client(enforce_csrf_checks=True)
    client.force_login(at_home.scorekeeper)
    command = json.dumps({"key": KEY, "kind": "undo", "body": {}})
    assert client.post(address(at_home), command, content_type="application/json").status_code == 403
    assert client.get(address(at_home, "table-state")).status_code == 200
    token = client.cookies["csrftoken"].value
    status, answer = post(at_home, client, command, headers={"X-CSRFToken": token})
    assert (status, answer["outcome"]) == (200, "recorded")


def test_the_token_is_given_to_who_is_not_signed_in_as_well(at_home):
    client = Client()
    answer = client.get(address(at_home, "table-state"))
    assert (answer.status_code, answer.json()["outcome"]) == (401, "sign-in")
    assert client.cookies["csrftoken"].value


def test_another_club_finds_nothing(at_home, other_club):
    stranger = logins(other_club)["secretary"]
    client = signed_in(stranger)
    status, answer = sender(at_home, client)("undo")
    assert (status, answer["outcome"]) == (404, "not-found")
    assert client.get(address(at_home, "table-state")).status_code == 404
    assert client.get(address(at_home, "table-state", slug="otley")).status_code == 404


def test_a_member_may_look_and_not_write(at_home):
    client = signed_in(at_home.member)
    status, answer = sender(at_home, client)("undo")
    assert (status, answer["outcome"]) == (403, "not-allowed")
    assert client.get(address(at_home, "table-state")).json()["number"] == 2


def test_opening_again_is_for_the_secretary(at_home, outbox):
    record(at_home.table_session, {}, kind="finish")
    status, answer = outbox("reopen")
    assert (status, answer["message"]) == (403, "Only the secretary can do this. Nothing was changed.")
    status, answer = sender(at_home, signed_in(at_home.secretary))("reopen")
    assert (status, answer["outcome"], answer["state"]["open"]) == (200, "recorded", True)


def test_what_came_late_is_for_the_secretary_to_choose(at_home, outbox):
    body = hand(at_home)
    record(at_home.table_session, {}, kind="finish")
    record(at_home.table_session, body, key=OTHER_KEY)
    status, answer = outbox("choose", {"drop": [OTHER_KEY]})
    assert (status, answer["outcome"]) == (403, "not-allowed")
    status, answer = sender(at_home, signed_in(at_home.secretary))("choose", {"drop": [OTHER_KEY]})
    assert (status, answer["state"]["waiting"]) == (200, [])


@pytest.mark.parametrize("body", [{"keep": 7, "drop": 7}, {"drop": [None, {}, []]}, {"keep": []}])
def test_a_choice_of_nonsense_is_invalid(outbox, body):
    status, answer = outbox("choose", body)
    assert (status, answer["outcome"]) == (422, "invalid")


@pytest.mark.parametrize(
    "kind_and_body",
    [
        ("fine", {"by": "1", "to": "2", "amount": 50}),
        ("leave", {"seat": "4"}),
        ("seating", {"winds": {"E": "2", "S": "1", "W": "3", "N": "4"}, "out": []}),
        ("exchange", {"a": "1", "b": "3"}),
        ("note", {"text": "Tea at four."}),
    ],
    ids=lambda pair: pair[0],
)
def test_every_line_is_recorded(at_home, outbox, kind_and_body):
    status, answer = outbox(*kind_and_body)
    assert (status, answer["outcome"], answer["entry"]) == (201, "recorded", KEY)


def test_somebody_arrives_and_has_a_name_in_the_state(at_home, outbox, cast):
    status, answer = outbox("arrive", {"player": cast.fay.pk})
    assert status == 201
    assert answer["state"]["names"] == {"1": "Alice", "2": "Bob", "3": "Carol", "4": "Dave", "5": "Fay"}
    assert answer["state"]["chairs"]["out"] == [5]


def test_the_state_has_the_seats_of_the_next_hand(club, cast, at_home):
    five = start_session(club, DAY, 2, cast.all, "bmja", {}, by=BY)
    state = signed_in(at_home.member).get(reverse("table-state", args=["bramley", five.pk])).json()
    assert (state["session"], state["version"], state["last"], state["number"]) == (five.pk, 1, None, 1)
    assert state["chairs"] == {
        "winds": [1, 2, 3, 4], "first_east": 1, "out": [5], "wind_of_round": "E", "kept": 0, "goulash": False,
        "hands_in_round": 0, "game": 1,
    }  # fmt: skip
    assert state["false_mahjong_voids"] is True
    assert (state["names"]["5"], state["undo"], state["waiting"]) == ("Fay", [None], [])


def test_a_session_without_hands_of_its_own_has_no_state(club, cast, at_home):
    at_home.table_session.imported = True
    at_home.table_session.save()
    client = signed_in(at_home.secretary)
    assert client.get(address(at_home, "table-state")).status_code == 404


def test_answers_are_never_kept_by_a_cache(at_home):
    client = signed_in(at_home.scorekeeper)
    for answer in (client.get(address(at_home, "table-state")), client.post(address(at_home))):
        assert "no-store" in answer["Cache-Control"]


def test_a_new_key_each_time_is_a_new_hand(at_home):
    send = sender(at_home, signed_in(at_home.scorekeeper))
    for number, east in ((2, "is"), (3, "stays"), (4, "stays")):
        status, answer = send("hand", hand(at_home), key=str(uuid.uuid4()))
        assert (status, answer["message"]) == (201, f"Hand {number}: Bob, 64. Bob {east} East.")


def test_an_undo_takes_back_nothing_that_another_tablet_has_entered_since(at_home, outbox):
    meant = signed_in(at_home.member).get(address(at_home, "table-state")).json()["undo"]
    assert meant == [at_home.hand_key, None]
    record(at_home.table_session, hand(at_home), key=OTHER_KEY)
    status, answer = outbox("undo", {"of": at_home.hand_key})
    assert (status, answer["outcome"]) == (409, "refused")
    assert answer["message"] == (
        "Someone else changed this table first, so nothing was undone. You have not lost anything. "
        "Check the table, then undo the right change."
    )
    assert answer["state"]["undo"] == [OTHER_KEY, at_home.hand_key, None]
    assert not Entry.objects.filter(removed=True).exists()
    status, answer = outbox("undo", {"of": OTHER_KEY})
    assert (status, answer["outcome"], answer["state"]["undo"]) == (200, "recorded", [at_home.hand_key, None])


def test_two_tablets_that_undo_the_same_hand_undo_it_once(at_home, outbox):
    record(at_home.table_session, hand(at_home), key=OTHER_KEY)
    record(at_home.table_session, {"of": OTHER_KEY}, kind="undo")
    assert outbox("undo", {"of": OTHER_KEY})[0] == 409
    assert [str(entry.key) for entry in Entry.objects.filter(removed=True)] == [OTHER_KEY]


def test_an_undo_where_nothing_was_known_to_undo_takes_back_nothing(at_home, outbox):
    assert outbox("undo", {"of": None})[0] == 409
    record(at_home.table_session, {}, kind="undo")
    status, answer = outbox("undo", {"of": None})
    assert (status, answer["message"], answer["state"]["undo"]) == (422, "There is nothing to undo.", [None])


def test_an_undo_that_is_sent_again_is_the_first_one(at_home, outbox):
    assert outbox("undo", {"of": at_home.hand_key})[0] == 200
    status, answer = outbox("undo", {"of": at_home.hand_key})
    assert (status, answer["outcome"]) == (200, "again")


@pytest.mark.parametrize("of", ["", 7, [], "no key"])
def test_an_undo_of_nonsense_harms_nothing(outbox, of):
    assert outbox("undo", {"of": of})[0] == 409


def test_a_stricter_rule_for_undo_holds_at_an_open_table_too(at_home, monkeypatch):
    monkeypatch.setattr(permissions, "may_undo", lambda membership, _: membership.role == "secretary")
    scorekeeper = signed_in(at_home.scorekeeper)
    for client in (scorekeeper, by_key(at_home.table_session)):
        status, answer = sender(at_home, client)("undo")
        assert (status, answer["outcome"]) == (403, "not-allowed")
    assert scorekeeper.post(address(at_home, "undo")).status_code == 403
    assert not Entry.objects.get(key=at_home.hand_key).removed
    assert not Command.objects.filter(key=KEY).exists()
    status, answer = sender(at_home, signed_in(at_home.secretary))("undo")
    assert (status, answer["outcome"]) == (200, "recorded")
    assert Entry.objects.get(key=at_home.hand_key).removed
