"""The page of hand entry gives the rules on the tablet what they need to draw the very score that the server draws."""

import json
import logging

import pytest
from django.urls import reverse

from clubscore.engine.answers import answer
from sessions_app.models import Player, Session
from tests.page_cast import logins, record, signed_in, table_in_play, totals

BODIES = [
    ({"hands": {}, "mahjong": None}, ""),
    ({"hands": {"2": {"sets": ["exposed pung 2B"], "bonus": "S3"}}, "mahjong": None}, ""),
    ({"hands": {"1": {}, "2": {"total": 33}, "3": {}, "4": {}}, "mahjong": {"by": "2", "from": "wall"}}, ""),
    ({"hands": {"1": {}, "2": {}, "3": {}, "4": {}}, "mahjong": None}, "1"),
    ({"hands": {"1": {"total": "lots"}, "2": {"total": 40}, "3": {}, "4": {}}, "mahjong": {"by": "2"}}, ""),
]


@pytest.fixture
def here(four):
    client = signed_in(logins(four.club)["scorekeeper"])
    return client, [four.club.slug, four.pk]


def in_page(page, name):
    script = page.split(f'<script id="{name}" type="application/json">')[1].split("</script>")[0]
    return json.loads(script)


def asked_as_the_script_does(page, body, drawn):
    entry, engine = in_page(page, "entry-data"), in_page(page, "engine-data")
    given = {name: entry[name] for name in ("words", "seats", "sits_out", "chairs", "tells_next", "sticks")}
    return {**engine["table"], "ask": "enter", **given, "body": body, "drawn": bool(drawn)}


def scored(client, args, body, drawn="", **more):
    back = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{reverse('hand-new', args=args)}"}
    sent = {"body": json.dumps(body), "drawn": drawn, "bottom": "1", **more}
    return client.post(reverse("hand-score", args=args), sent, headers=back).text


@pytest.mark.parametrize(("body", "drawn"), BODIES)
def test_the_tablet_draws_what_the_server_draws(here, body, drawn):
    client, args = here
    page = client.get(reverse("hand-new", args=args)).text
    assert '<input type="hidden" name="bottom" value="1">' in page
    theirs = scored(client, args, body, drawn)
    assert answer(asked_as_the_script_does(page, body, drawn))["html"] == theirs
    assert theirs.startswith('<section class="score" id="score"')


def test_the_tablet_says_which_sticks_to_hand_over_as_the_server_does(club, cast):
    table = table_in_play(club, cast.all[:4], sticks="guide")
    client, args = signed_in(logins(club)["scorekeeper"]), [club.slug, table.pk]
    # East, Alice, pays 52 of which she can pay 50, the others 20 of 26.
    record(table, totals(table, 2, seat2=26))
    body = totals(table, 2, seat2=32)
    theirs = scored(client, args, body)
    # Bob is East now: the three pay 64, and what they owed.
    assert "Carol gives Bob one 100 and gets back three 10s. 6 was still owed from before." in theirs
    page = client.get(reverse("hand-new", args=args)).text
    assert answer(asked_as_the_script_does(page, body, ""))["html"] == theirs


def test_who_is_east_next_is_left_out_where_the_chairs_do_not_tell_it(here):
    client, args = here
    page = client.get(reverse("hand-new", args=args)).text
    question = asked_as_the_script_does(page, *BODIES[2])
    assert "Bob is East next" in answer(question)["html"]
    alone = answer({**question, "tells_next": False})["html"]
    assert "East next" not in alone and "<h3>Payments</h3>" in alone


def test_the_state_of_the_table_names_the_rules_that_the_page_loads(here):
    client, args = here
    page = client.get(reverse("hand-new", args=args)).text
    rules = in_page(page, "engine-data")["files"]["rules"]
    assert client.get(reverse("table-state", args=args)).json()["rules_file"] == rules
    assert in_page(page, "table-state")["rules_file"] == rules


def basis_of(client, args):
    return in_page(client.get(reverse("hand-new", args=args)).text, "engine-data")["basis"]


def basis_answered(client, args):
    return client.post(reverse("hand-score", args=args), {"body": json.dumps(BODIES[1][0]), "drawn": ""})["Score-Basis"]


CHANGES = {
    "another hand": lambda four: record(four, totals(four, 2, seat2=64)),
    "an exchange of seats": lambda four: record(four, {"a": "1", "b": "3"}, "exchange"),
    "a name": lambda four: Player.objects.filter(seats__session=four, seats__chair=1).update(short_name="Ally"),
    "the house rules": lambda four: Session.objects.filter(pk=four.pk).update(house_rules={"limit": 500}),
    "the club's hands": lambda four: Session.objects.filter(pk=four.pk).update(
        club_hands=[{"key": "lucky", "value": 5}]
    ),
}


def test_the_page_and_the_servers_score_say_what_they_are_worked_out_from(here):
    client, args = here
    assert basis_of(client, args) == basis_answered(client, args)


@pytest.mark.parametrize("what", CHANGES)
def test_a_page_is_older_than_a_change_of(what, four, here):
    client, args = here
    before = basis_of(client, args)
    CHANGES[what](four)
    assert basis_of(client, args) == basis_answered(client, args) != before


def test_a_page_is_older_than_other_rules(here, monkeypatch):
    client, args = here
    before = basis_of(client, args)
    monkeypatch.setattr("sessions_app.table.tags.RULES", "table/engine/worker.js")
    assert basis_answered(client, args) != before


def test_a_difference_is_logged_with_both_inputs(here, caplog):
    client, args = here
    body, answer_there = BODIES[2][0], {"given": {"rules": "bmja", "body": {}}, "said": "The score\n64"}
    with caplog.at_level(logging.WARNING, "sessions_app.table.views.hand_entry"):
        scored(client, args, body)
        assert caplog.messages == []
        scored(client, args, body, tablet=json.dumps(answer_there))
    (line,) = caplog.messages
    assert "\n" not in line and f'"session": {args[1]}' in line
    there, ours = line.removeprefix("A tablet scored a hand differently: ").split("; here: ")
    assert json.loads(json.loads(there)) == answer_there
    assert json.loads(ours)["body"]["hands"] == body["hands"] and json.loads(ours)["chairs"]["winds"] == [1, 2, 3, 4]
    assert "Alice" not in line
