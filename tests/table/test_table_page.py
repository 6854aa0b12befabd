"""The table page that a tablet draws with what is not sent yet is the page of the server once it has been sent."""

import html
import json
import random
import re

import pytest
from django.urls import reverse

from clubscore.engine.answers import answer
from clubscore.play.edits import apply
from clubscore.play.ledger import EditError
from clubscore.play.replay import EntryError
from sessions_app.models import Club
from sessions_app.people.log import Actor
from sessions_app.table.apply_command import apply_command
from sessions_app.table.board import settling_facts
from sessions_app.table.ledger import load_ledger
from sessions_app.table.sessions import start_session
from tests.afternoon import new_key
from tests.factories import DAY
from tests.logins import logins, signed_in
from tests.share import share_of
from tests.table.test_pure_core import any_command, started

EVENINGS = 12
BEFORE, WAITING = 14, 10
BY = Actor(name="tablet at table 1")
LOOK = {
    "rules_page": "/rules/", "own_anchors": {}, "units": ["points", "doubles", "times", "limit"], "rest": "",
    "mahjong": "Mah-jong", "bottom": None, "hand_page": "/hands/KEY/", "change_page": "/hands/KEY/change/",
    "preview_page": "/hands/KEY/preview/", "winds_sprite": "/winds.svg", "turn": 0, "can_write": True,
    "sheet_page": "/sheet/", "player_page": "/players/KEY/", "guests": [], "asks_agreement": False, "asked": [],
    "table_page": "/table/", "worth_page": "/worth/", "tiles_sprite": "/tiles.svg", "slug": "bramley",
}  # fmt: skip
# What only one of the two says: a hand that is not sent has no page yet, and none of what is sent is provisional.
ONE_SIDED = re.compile(
    r'<div class="row-score">.*?</div></details></li>|<button.*?</button>|<svg.*?</svg>|not sent yet'
    r'|<li class="provisional">.*?</li>|<p class="message info provisional">.*?</p>',
    re.S,
)


def page_of(client, table):
    return client.get(reverse("table", args=[table.club.slug, table.pk])).content.decode()


def state_of(client, table):
    return client.get(reverse("table-state", args=[table.club.slug, table.pk])).json()


SEATS = {"E": "1", "S": "2", "W": "3", "N": "4"}


def asked(table, state, waiting, ask="table", **more):
    """Return the answer of a tablet that has this state of a table and these commands."""
    rules = {"rules": table.rules, "house_rules": table.house_rules, "club_hands": table.club_hands}
    rules["settling"] = settling_facts(table)
    sent = {name: state[name] for name in ("ledger", "names", "players", "balances", "open")}
    question = {"ask": ask, **more, **rules, "words": table.vocabulary(), "look": LOOK, **sent, "waiting": waiting}
    return answer(json.loads(json.dumps(question)))


def shown(text):
    """Return the words of a part of a page, in order."""
    return html.unescape(re.sub("<[^>]*>", " ", ONE_SIDED.sub(" ", text))).split()


def part(page, begin, end):
    found = re.search(f"{begin}(.*?)(?:{end})", page, re.S)
    return found[1] if found else ""


@pytest.mark.parametrize("seed", range(share_of(EVENINGS)))
def test_the_page_of_a_tablet_is_that_of_the_server_afterwards(club, cast, seed):
    source = random.Random(seed)
    rules, number = source.choice(["bmja", "u3a", "western"]), source.randint(3, 5)
    players = [(player.pk, player.name) for player in cast.all]
    sticks = source.choice(["", "guide", "older_british"])
    Club.objects.update(points_rate=source.choice([None, "1.50"]))
    club.refresh_from_db()
    table = start_session(club, DAY, 1, cast.all[:number], rules, {}, by=BY, sticks=sticks)
    client = signed_in(logins(club)["scorekeeper"])
    ledger, done = started(number, rules, players), None
    done = ledger.replay()
    waiting, before = [], {}
    for at in range(BEFORE + WAITING):
        if at == BEFORE:
            before = state_of(client, table)
        command = any_command(source, ledger, done.seating)
        if command["kind"] == "reopen" or (not ledger.is_open and command["kind"] not in ("undo", "redo")):
            continue
        try:
            ledger, _, done = apply(ledger, command, done)
        except (EditError, EntryError):
            continue
        sent = {**command, "named": dict(players).get(command["body"].get("player"), "")}
        if at >= BEFORE:
            waiting.append(sent)
        else:
            send(table, sent)
    answer = asked(table, before, waiting)
    assert (answer["known"], answer["refused"]) == (True, {})
    said = [send(table, command).message for command in waiting]
    # What the server says is what the tablet said.
    assert answer["said"] == (said[-1] if said else "")
    after = page_of(client, table)
    state = state_of(client, table)
    assert answer["balances"] == state["balances"]
    assert answer["chairs"] == state["chairs"]
    assert (answer["number"], answer["is_open"], answer["names"]) == (state["number"], state["open"], state["names"])
    drawn = {name: shown(text) for name, text in answer["html"].items()}
    assert drawn["felt"] == shown(part(after, '<div class="felt">', '<div class="felt-foot">'))
    assert drawn["sitters"] == shown(part(after, '<div class="felt-foot">', "<nav"))
    assert drawn["hands"] == shown(part(after, '<section id="hands" aria-labelledby="history">', "</section>"))
    assert drawn["sticks"] == shown(part(after, '<div id="table-sticks">', '<section id="hands"'))
    end = '<div class="table-actions">|</div>'
    assert drawn["head"] == shown(part(after, 'aria-label="The next hand">', end))
    sheet = client.get(reverse("session-sheet", args=[club.slug, table.pk])).content.decode()
    drawn_sheet = asked(table, before, waiting, ask="sheet")
    assert shown(drawn_sheet["html"]) == shown(part(sheet, '<div id="sheet"[^>]*>', '<div class="sheet-signed'))
    assert f'id="sheet-state">{drawn_sheet["state"]}</span>' in sheet
    if state["open"]:
        entry = client.get(reverse("hand-new", args=[club.slug, table.pk])).context["entry"]
        assert in_order(answer["sticks"]) == in_order(entry["sticks"])
        assert drawn["notes"] == shown(part(after, '<button id="redo" type="submit">.*?</button>', "</section>"))


def in_order(sticks):
    """Return sticks with their debts in order: in which they came about does not matter."""
    return sticks and {**sticks, "debts": sorted(sticks["debts"], key=str)}


def undone(table, state, times):
    """Return the answer of a tablet that undoes without the network."""
    return asked(table, state, [{"key": str(number), "kind": "undo", "body": {}} for number in range(times)])


@pytest.mark.parametrize("rules", ["bmja", "chinese_official"])
def test_undo_without_the_network_goes_back_to_the_first_hand(club, cast, rules):
    table = start_session(club, DAY, 1, cast.all[:4], rules, {}, by=BY)
    client = signed_in(logins(club)["scorekeeper"])
    states = []
    for number in range(9):
        states.append(state_of(client, table))
        hands = {str(seat): {"points": 8} if seat == 2 else {} for seat in (1, 2, 3, 4)}
        send(
            table, {"key": new_key(), "kind": "hand", "body": {"hands": hands, "mahjong": {"by": "2", "from": "wall"}}}
        )
        if number == 4:
            entry = str(table.entries.first().key)
            states.append(state_of(client, table))
            send(table, {"key": new_key(), "kind": "take_out", "body": {"entry": entry}})
    before = state_of(client, table)
    for times, state in enumerate(reversed(states), 1):
        answer = undone(table, before, times)
        assert (answer["known"], answer["refused"]) == (True, {})
        assert (answer["number"], answer["balances"]) == (state["number"], state["balances"])
        assert answer["chairs"] == state["chairs"]
    assert len(undone(table, before, len(states) + 1)["refused"]) == 1


def test_lines_of_a_hand_lead_to_their_rules_on_the_tablet(club, cast):
    table = start_session(club, DAY, 1, cast.all[:4], "bmja", {}, by=BY)
    hands = {"1": {"total": 8}, "2": {"sets": ["exposed pung 3B"]}, "3": {}, "4": {}}
    key = send(table, {"key": new_key(), "kind": "hand", "body": {"hands": hands, "mahjong": {"by": "1"}}}).entry
    state = state_of(signed_in(logins(club)["scorekeeper"]), table)
    page = asked(table, state, [], "one_hand", entry=str(key))["html"]
    assert re.findall(r'href="(/rules/[^"]*)">([^<]*)<', page) == [
        ("/rules/#rule-pung_minor_exposed", "Pung of 3 Bamboos, exposed")
    ]


def test_names_are_escaped_and_a_hand_scored_by_other_rules_is_not_known(club, cast):
    table = start_session(club, DAY, 1, cast.all[:4], "bmja", {}, by=BY)
    state = state_of(signed_in(logins(club)["scorekeeper"]), table)
    state["names"]["1"] = "<script>alert(1)</script> {2}"
    waiting = [
        {
            "key": "a",
            "kind": "hand",
            "body": {"hands": {seat: {"total": 8} for seat in "1234"}, "mahjong": {"by": "1"}},
        },
        {"key": "b", "kind": "note", "body": {"text": "<img src=x onerror=alert(1)>"}},
    ]
    answer = asked(table, state, waiting)
    text = "".join(answer["html"].values())
    assert "<script" not in text
    assert "<img" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; {2}" in text
    assert "&lt;img" in text
    state["balances"]["1"] += 1
    assert asked(table, state, waiting) == {"known": False}


def send(table, command):
    table.refresh_from_db()
    last = load_ledger(table.pk).active
    sent = {**command, "device": "", "after": last[-1].key if last else None}
    outcome = apply_command(table.pk, sent, by=BY)
    assert outcome.outcome == "recorded", (command, outcome)
    return outcome


CHANGES = {
    "correct, East goes Mah-jong": (
        "hand-preview",
        {"body": {"hands": {seat: {"total": 8} for seat in "1234"}, "mahjong": {"by": "1"}}},
    ),
    "correct": ("hand-preview", {"body": {"hands": {seat: {"total": 8} for seat in "1234"}, "mahjong": {"by": "3"}}}),
    "insert": ("hand-insert", {"body": {"hands": {seat: {"total": 12} for seat in "1234"}, "mahjong": {"by": "2"}}}),
    "take_out": ("hand-preview", {}),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_what_a_change_would_do_is_shown_as_on_the_server(club, cast, kind):
    table = start_session(club, DAY, 1, cast.all, "bmja", {}, by=BY)
    client = signed_in(logins(club)["scorekeeper"])
    # Who sits out in each hand: Fay, then Alice, then Bob.
    for seats, winner in (("1234", "2"), ("2345", "3"), ("3451", "4")):
        hands = {seat: {"total": 20 if seat == winner else 0} for seat in seats}
        send(table, {"key": new_key(), "kind": "hand", "body": {"hands": hands, "mahjong": {"by": winner}}})
    entry = str(table.entries.first().key)
    (page, more), kind = CHANGES[kind], kind.split(",")[0]
    body = {"before": entry, "kind": "hand", **more} if kind == "insert" else {"entry": entry, **more}
    posted = {"kind": kind, "key": new_key(), "body": json.dumps(more.get("body")), "seats": json.dumps(SEATS)}
    answered = client.post(reverse(page, args=[club.slug, table.pk, entry]), posted)
    shown_there = answered.content.decode()
    found = asked(table, state_of(client, table), [], ask="preview", command={"key": "a", "kind": kind, "body": body})
    assert (found["known"], found["refused"]) == (True, "")
    assert f"<h1>{found['heading']}</h1>" in shown_there
    assert f'<p class="lead">{found["summary"]}</p>' in shown_there
    assert found["html"].count("<tr") > 4
    assert shown(found["html"]) == shown(part(shown_there, r"</p></div>\s*</div>", '<div class="field'))
    assert found["button"] in shown_there or kind != "take_out"


def test_a_waiting_hand_that_is_refused_is_not_said_of_the_change_after_it(club, cast):
    table = start_session(club, DAY, 1, cast.all[:4], "bmja", {}, by=BY)
    hands = {seat: {"total": 8} for seat in "1234"}
    send(table, {"key": new_key(), "kind": "hand", "body": {"hands": hands, "mahjong": {"by": "2"}}})
    change = {"key": "b", "kind": "take_out", "body": {"entry": str(table.entries.get().key)}}
    state = state_of(signed_in(logins(club)["scorekeeper"]), table)
    assert asked(table, state, [], ask="preview", command=change)["refused"] == ""
    refused = {"key": "a", "kind": "hand", "body": {"hands": hands, "mahjong": {"by": "5"}}}
    assert asked(table, state, [refused])["refused"].keys() == {"a"}
    assert asked(table, state, [refused], ask="preview", command=change) == {"known": False}


def test_nobody_sits_out_next_at_a_finished_table(club, cast):
    table = start_session(club, DAY, 1, cast.all[:5], "bmja", {}, by=BY)
    client = signed_in(logins(club)["scorekeeper"])
    finish, words = {"key": new_key(), "kind": "finish", "body": {}}, "When the deal passes,"
    state = state_of(client, table)
    assert words in page_of(client, table)
    assert words in asked(table, state, [])["html"]["sitters"]
    assert words not in asked(table, state, [finish])["html"]["sitters"]
    send(table, finish)
    assert words not in page_of(client, table)


@pytest.mark.parametrize("rate", [None, "2"])
@pytest.mark.parametrize("sticks", ["", "guide"])
def test_a_table_finished_without_the_network_settles_up_as_the_server_does(club, cast, sticks, rate):
    Club.objects.update(points_rate=rate)
    club.refresh_from_db()
    table = start_session(club, DAY, 1, cast.all[:4], "bmja", {}, by=BY, sticks=sticks)
    client = signed_in(logins(club)["scorekeeper"])
    state = state_of(client, table)
    # South wins 26: East pays double. North then pays a penalty that nobody receives.
    hands = {seat: {"total": 26 if seat == "2" else 0} for seat in "1234"}
    hand = {"key": new_key(), "kind": "hand", "body": {"hands": hands, "mahjong": {"by": "2"}}}
    fine = {"key": new_key(), "kind": "fine", "body": {"by": "4", "to": None, "amount": 30}}
    waiting = [hand, fine, {"key": new_key(), "kind": "finish", "body": {}}]
    drawn = asked(table, state, waiting)["html"]
    for command in waiting:
        send(table, command)
    page = page_of(client, table)
    assert shown(drawn["head"]) == shown(part(page, 'aria-label="The next hand">', "</div>"))
    assert shown(drawn["sticks"]) == shown(part(page, '<div id="table-sticks">', '<section id="hands"'))
    words = " ".join(shown(drawn["head"]))
    assert ("Alice pays Bob £0.11" in words) == bool(rate)
    assert ("Dave pays Bob 56 points" in words) == (not sticks and not rate)
    assert ("hands back their tally sticks" in words) == bool(sticks)
    after_hand = shown(drawn["after_hand"])
    assert after_hand == shown(part(page, '<div id="last-hand">', "</section>"))
    assert ("Alice gives Bob five 10s. 2 is still owed." in " ".join(after_hand)) == bool(sticks)
    assert ("Alice pays Bob 52" in " ".join(after_hand)) == (not sticks)
