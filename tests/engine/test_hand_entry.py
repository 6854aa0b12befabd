"""The page of hand entry gives the rules on the tablet what they need to draw the very score that the server draws."""

import json
import logging

import pytest
from django.urls import reverse

from clubscore.engine.answers import answer
from sessions_app.table.sessions import start_session
from tests.afternoon import new_key
from tests.factories import BY, DAY, record, table_in_play, totals
from tests.logins import logins, signed_in

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
    given = {name: entry[name] for name in ("words", "seats", "sits_out", "chairs", "tells_next", "sticks", "recorded")}
    return {**engine["table"], "ask": "enter", **given, "body": body, "drawn": bool(drawn)}


def scored(client, args, body, drawn="", **more):
    back = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{reverse('hand-new', args=args)}"}
    sent = {"body": json.dumps(body), "drawn": drawn, "bottom": "1", **more}
    return client.post(reverse("hand-score", args=args), sent, headers=back).json()


@pytest.mark.parametrize(("body", "drawn"), BODIES)
def test_the_tablet_draws_what_the_server_draws(here, body, drawn):
    client, args = here
    page = client.get(reverse("hand-new", args=args)).text
    assert in_page(page, "entry-data")["bottom"] == "1"
    theirs = scored(client, args, body, drawn)
    assert answer(asked_as_the_script_does(page, body, drawn)) == theirs
    assert theirs["html"].startswith('<section class="score" id="score"')


def test_the_tablet_says_which_sticks_to_hand_over_as_the_server_does(club, cast):
    table = table_in_play(club, cast.all[:4], sticks="guide")
    client, args = signed_in(logins(club)["scorekeeper"]), [club.slug, table.pk]
    # East, Alice, pays 52 of which she can pay 50, the others 20 of 26.
    record(table, totals(table, 2, seat2=26))
    body = totals(table, 2, seat2=32)
    theirs = scored(client, args, body)["html"]
    # Bob is East now: the three pay 64, and what they owed.
    assert "Carol gives Bob one 100 and gets three 10s back. 6 was still owed from before." in theirs
    page = client.get(reverse("hand-new", args=args)).text
    assert answer(asked_as_the_script_does(page, body, ""))["html"] == theirs


def test_who_is_east_next_is_left_out_where_the_chairs_do_not_tell_it(here):
    client, args = here
    page = client.get(reverse("hand-new", args=args)).text
    question = asked_as_the_script_does(page, *BODIES[2])
    assert "Bob is East next" in answer(question)["html"]
    alone = answer({**question, "tells_next": False})["html"]
    assert "East next" not in alone
    assert "<h3>Payments</h3>" in alone


def test_the_state_of_the_table_names_the_rules_that_the_page_loads(here):
    client, args = here
    page = client.get(reverse("hand-new", args=args)).text
    rules = in_page(page, "engine-data")["files"]["rules"]
    assert client.get(reverse("table-state", args=args)).json()["rules_file"] == rules
    assert in_page(page, "table-state")["rules_file"] == rules


@pytest.mark.parametrize(
    ("shown", "is_logged"), [({"1": 0, "2": 33, "3": 0, "4": 0}, False), ({"1": 0, "2": 32}, True)]
)
def test_a_hand_for_which_the_tablet_showed_other_totals_is_logged(here, caplog, shown, is_logged):
    client, args = here
    sent = {"key": new_key(), "kind": "hand", "body": BODIES[2][0], "shown": shown}
    with caplog.at_level(logging.WARNING, "sessions_app.table.views.command_requests"):
        answered = client.post(reverse("commands", args=args), json.dumps(sent), content_type="application/json")
    assert answered.status_code == 201
    assert len(caplog.messages) == is_logged
    if is_logged:
        assert '{"1": 0, "2": 32}' in caplog.text
        assert '"2": 33' in caplog.text
        assert "Alice" not in caplog.text


@pytest.mark.parametrize(
    ("rules", "house"),
    [
        ("bmja", {"limit": 500, "goulash": False}),
        ("u3a", {"recording": "straight"}),
        ("western", {"limit": None}),
        ("chinese_official", {"minimum_points": 0}),
    ],
)
def test_hand_entry_offers_by_house_rules_what_the_tablet_says(club, cast, rules, house):
    table = start_session(club, DAY, 1, cast.all[:4], rules, house, by=BY)
    client, args = signed_in(logins(club)["scorekeeper"]), [club.slug, table.pk]
    entry = in_page(client.get(reverse("hand-new", args=args)).text, "entry-data")
    offered = json.loads(json.dumps(answer({"ask": "offered", "rules": rules, "house_rules": house})))
    assert {name: entry[name] for name in offered} == offered
