"""Nothing is ever lost, in the cases a club meets more seldom: an expired sign-in, a clock put back, a new version of
the app, two devices at one table, plain http in a hall, a tablet that can keep nothing.
"""

import re
import uuid

import pytest
from playwright.sync_api import expect

from sessions_app.models import Command, Throttle
from sessions_app.people.throttling import Limit
from sessions_app.table import apply_command as service
from sessions_app.table.apply_command import apply_command
from tests.reconciled import reconcile

from .conftest import BY, session_cookie
from .outbox_tablet import (
    OutboxTablet,
    PlayingTablet,
    expect_all_there,
    ledger_keys,
    register_keys,
)

NO_DATABASE = "Object.defineProperty(window, 'indexedDB', { value: undefined });"
AT_WORK = """() => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => resolve(true);
  navigator.serviceWorker.controller.postMessage({}, [port2]);
})"""
# Asks until the other version is there, as the network may have come back for the page alone.
NEXT_WORKER = """async () => {
  if (navigator.serviceWorker.controller !== window.workerBefore) return true;
  const one = await navigator.serviceWorker.getRegistration();
  if (!one.installing && !one.waiting) await one.update().catch(() => null);
  return Boolean(one.waiting);
}"""


@pytest.fixture
def one(tablet, club):
    return tablet(club.scorekeeper, kind=OutboxTablet, service_workers="block")


def test_an_expired_sign_in_keeps_everything_until_somebody_signs_in(one, club, table):
    one.open_entry(table)
    one.enter_win("Bob")
    one.expect_status(401, 403)
    one.may_be_lost = True
    one.context.clear_cookies()
    one.save_lost(1, "Go on playing, and press the line “to send” to sign in.")
    one.expect_saved("1 hand to send: sign in again")
    assert register_keys(table) == []
    one.see_saved()
    item = one.page.locator(".saved-item")
    expect(item).to_contain_text("Hand 1: Bob goes Mah-jong")
    expect(item).to_contain_text(
        "Saved on this tablet. This tablet is signed out. Sign in, or scan the QR code again, and it will be sent."
    )
    club.scorekeeper.set_password("plum orchid bamboo")
    club.scorekeeper.save()
    item.get_by_role("link", name="Sign in").tap()
    one.page.get_by_label("Name").fill("keeper")
    one.page.get_by_label("Password").fill("plum orchid bamboo")
    one.tap("Sign in")
    expect(one.page.locator("#board")).to_be_visible()
    one.expect_saved()
    expect(one.page.locator("#messages")).to_contain_text("Hand 1: ")
    expect_all_there(table, one, pressed=1)


@pytest.mark.long
def test_a_token_of_an_earlier_sign_in_is_renewed_without_a_word(one, table):
    one.open_entry(table)
    one.enter_win("Bob")
    # A score still on its way would bring the right token with it.
    expect(one.page.locator("#score")).to_have_attribute("data-state", "whole")
    one.expect_status(403)
    one.may_be_lost = True
    answers = []
    # A preview may be the first to be refused, and is then the one that brings the new token.
    one.page.on("response", lambda answer: answers.append(answer.status) if answer.request.method == "POST" else None)
    one.context.add_cookies([{"name": "csrftoken", "value": "stale", "url": one.url}])
    one.save_online(1)
    assert answers.index(403) < answers.index(201)
    expect_all_there(table, one, pressed=1)


@pytest.mark.long
def test_a_tablet_by_key_that_comes_back_with_more_than_is_taken_in_a_minute_sends_it_all(tablet, table, monkeypatch):
    """More than the server takes waits on the tablet, which sends it by itself a minute later, in order."""
    monkeypatch.setattr(service, "COMMANDS", Limit("commands", 2, 1))
    one = tablet(None, kind=OutboxTablet)
    one.open(f"/t/{table.scoring_key}/")
    one.wait_for_worker()
    one.open_entry(table)
    one.wait_for_worker()
    one.lose_network()
    for number, winner in enumerate(("Bob", "Carol", "Dave", "Bob"), 1):
        one.enter_win(winner)
        one.save_lost(number)
        if number < 4:
            one.next_hand(number + 1)
    one.expect_status(429)
    one.find_network()
    one.expect_saved("2 hands to send")
    assert [entry.body["mahjong"]["by"] for entry in table.entries.order_by("position")] == ["2", "3"]
    # A minute later.
    Throttle.objects.all().delete()
    expect(one.page.locator("#board")).to_be_visible()
    one.expect_saved()
    assert [entry.body["mahjong"]["by"] for entry in table.entries.order_by("position")] == ["2", "3", "4", "2"]
    expect_all_there(table, one, pressed=4)


def take_next_worker(one):
    """Let the worker of the other version take over.

    It waits for the one before, which Chromium ends after five minutes where something that it began is never done, as
    a request at the moment the network went; here it is ended at once. The new one has begun before the network goes:
    it would begin with the network.
    """
    devtools = one.context.new_cdp_session(one.page)
    devtools.send("ServiceWorker.enable")
    one.page.evaluate("() => { window.workerBefore = navigator.serviceWorker.controller; }")
    one.wait_until(NEXT_WORKER)
    devtools.send("ServiceWorker.stopAllWorkers")
    one.wait_until("() => navigator.serviceWorker.controller !== window.workerBefore")
    devtools.detach()
    one.page.evaluate(AT_WORK)


@pytest.mark.parametrize("goes_back", [False, True], ids=["forward", "back"])
def test_another_version_of_the_app_while_hands_wait(tablet, club, table, another_version, goes_back):
    one = tablet(club.scorekeeper, kind=OutboxTablet)
    one.expect_status(401, 403)
    one.open_entry(table)
    one.wait_for_worker()
    if goes_back:
        # The tablet had the older one before, and its files stay.
        another_version()
        take_next_worker(one)
        one.open_entry(table)
        one.wait_for_worker()
    one.lose_network()
    one.enter_win("Bob")
    one.save_lost(1)
    # Signed out since, the hand waits on while the other version comes.
    one.context.clear_cookies()
    another_version()
    one.find_network()
    take_next_worker(one)
    one.lose_network()
    # The page of the version before is there still, with its files, and knows what waits.
    one.open_entry(table)
    expect(one.page.locator(".hand-title")).to_contain_text("Hand 2")
    one.enter_win("Carol")
    one.save_lost(2)
    one.find_network()
    one.let_in(session_cookie(club.scorekeeper))
    one.open_table(table)
    one.expect_saved()
    expect(one.page.locator(".history > li")).to_have_count(2)
    expect_all_there(table, one, pressed=2)


def test_two_devices_at_once_and_somebody_chooses(tablet, club, table):
    mine = tablet(club.scorekeeper, kind=OutboxTablet, service_workers="block")
    theirs = tablet(club.secretary, kind=OutboxTablet, service_workers="block")
    mine.expect_status(409)
    mine.open_entry(table)
    theirs.open_entry(table)
    mine.lose_network()
    mine.enter_win("Bob")
    mine.save_lost(1)
    theirs.enter_win("Carol")
    theirs.save_online(1)
    mine.find_network()
    mine.expect_saved("Table 1 waits for an answer from you")
    # Both stand side by side on both devices, and play goes on before anybody has chosen.
    mine.open_table(table)
    expect(mine.page.locator("#next-hand")).to_have_text("Hand 2")
    expect(mine.page.locator(".next-east")).to_have_text("Bob is East")
    mine.follow_to_entry()
    mine.enter_win("Bob")
    mine.save_online(2)
    mine.expect_saved("Table 1 waits for an answer from you")
    for one in (mine, theirs):
        expect(one.page.locator(".waiting")).to_contain_text("Bob")
        expect(one.page.locator(".waiting")).to_contain_text("Carol")
    for one, tablets in ((mine, ["another", "this"]), (theirs, ["this", "another"])):
        expect(one.page.locator(".waiting .record .hint")).to_have_text(
            [re.compile(f"Entered by .* at [0-9:]+ on {tablet} tablet$") for tablet in tablets]
        )
    theirs.page.set_viewport_size({"width": 1024, "height": 400})
    theirs.page.locator(".waiting .record").filter(has_text="The other version").get_by_role("button").tap()
    expect(theirs.page.get_by_text(re.compile("^Hand 1: Bob, .*The other is under “Last changes”"))).to_be_in_viewport()
    expect(theirs.page.locator(".waiting")).to_have_count(0)
    expect(mine.page.locator(".waiting")).to_have_count(0)
    mine.expect_saved()
    kept = [entry for entry in table.entries.order_by("position") if not entry.removed]
    assert [str(entry.key) for entry in kept] == mine.keys
    assert [entry.body["mahjong"]["by"] for entry in kept] == ["2", "2"]
    # The choice is a press as well; of the two records none is gone.
    assert set(ledger_keys(table)) == {*mine.keys, theirs.keys[0]}
    assert sorted(register_keys(table)) == sorted(mine.keys + theirs.keys)
    assert (mine.kept(), theirs.kept(), reconcile()) == ([], [], [])


@pytest.mark.long
@pytest.mark.parametrize("kind", [OutboxTablet, PlayingTablet], ids=["without the rules", "with the rules"])
def test_an_undo_made_without_the_server_takes_back_nothing_that_came_meanwhile(tablet, club, table, kind):
    one = tablet(club.scorekeeper, kind=kind, service_workers="block")
    one.expect_status(409)
    one.open_entry(table)
    one.enter_win("Bob")
    one.save_online(1)
    knows = kind is PlayingTablet
    if knows:
        one.expect_rules()
    one.lose_network()
    # Undo stands where Save stood: a press at once would be the second of a double press.
    one.pass_moment()
    one.tap("Undo: hand 1")
    one.expect_saved("1 change to send")
    said = "Alice is East" if knows else "Who sits where will appear when the Wi-Fi is back."
    expect(one.page.locator("#board")).to_contain_text(said)
    theirs = {"key": str(uuid.uuid4()), "kind": "hand", "body": {"hands": {}, "mahjong": None}, "device": "theirs"}
    assert apply_command(table.pk, theirs, BY).outcome == "recorded"
    one.find_network()
    one.expect_saved("Table 1 waits for an answer from you")
    one.see_saved()
    expect(one.page.locator("#saved-items")).to_contain_text("changed this table first, so nothing was undone.")
    one.tap("Clear it from the list")
    one.expect_saved()
    assert [entry.removed for entry in table.entries.all()] == [False, False]
    assert (one.kept(), reconcile()) == ([], [])


@pytest.mark.long
def test_what_two_tablets_change_in_one_hand_waits_side_by_side(one, table, club):
    """The correction and the taking out were both made without the server, of a hand that someone else changed."""
    one.expect_status(409)
    for number, winner in enumerate(("Bob", "Carol"), 1):
        one.open_entry(table)
        one.enter_win(winner)
        one.save_online(number)
    first, second = ledger_keys(table)
    hands = f"/c/bramley/sessions/{table.pk}/hands"
    one.open(f"{hands}/{first}/change/")
    other_page = one.context.new_page()
    other_page.goto(f"{one.url}{hands}/{second}/")
    one.lose_network()
    for key in (first, second):
        body = {"hands": {seat: {"total": 30} for seat in "1234"}, "mahjong": {"by": "4"}}
        change = {"key": str(uuid.uuid4()), "kind": "correct", "body": {"entry": key, "body": body}, "device": "theirs"}
        assert apply_command(table.pk, change, BY).outcome == "recorded"
    one.choose_hand("Dave", "total")
    one.figures("6")
    one.everybody()
    one.tap("Show what changes")
    one.expect_saved("1 change to send")
    other_page.get_by_role("button", name="Remove this hand").tap()
    one.expect_saved("2 changes to send")
    one.find_network()
    one.expect_saved("Table 1 waits for an answer from you")
    one.open_table(table)
    expect(one.page.locator(".waiting").filter(has_text="Two versions of one hand")).to_have_count(2)
    assert [entry.body["mahjong"]["by"] for entry in table.entries.order_by("position")] == ["4", "4"]


def test_a_tablet_that_can_keep_nothing_sends_plain_forms_and_says_so(tablet, club, table):
    one = tablet(club.scorekeeper, kind=OutboxTablet, service_workers="block")
    one.context.add_init_script(NO_DATABASE)
    one.open_entry(table)
    expect(one.page.locator("#saved-words")).to_contain_text("This tablet cannot save hands without Wi-Fi")
    one.enter_win("Bob")
    one.tap("Save hand 1")
    expect(one.page.locator("#messages")).to_contain_text("Hand 1: ")
    one.pass_moment()
    one.tap("Nobody went Mah-jong")
    expect(one.page.locator(".history > li")).to_have_count(2)
    assert Command.objects.filter(session=table).count() == 2


def test_a_hand_the_rules_refuse_later_is_mended_and_what_follows_goes_on(one, table):
    """Without the server nobody says that two chows are one too many; the hands after it wait until it is mended."""
    one.expect_status(422)
    one.open_entry(table)
    one.lose_network()
    group = one.page.get_by_role("group", name="Who went Mah-jong?")
    group.get_by_role("button", name="Bob", exact=True).tap()
    one.choose_hand("Bob", "tiles")
    one.tiles({"sets": ["exposed chow 1C", "exposed chow 4B", "exposed pung 9D", "exposed pung R", "pair E"]})
    one.page.get_by_role("group", name="Last tile from").get_by_role("button", name="Alice", exact=True).tap()
    one.page.locator(".chip-R").tap()
    for name in ("Alice", "Carol", "Dave"):
        one.everybody()
        one.choose_hand(name, "nothing")
    one.save_lost(1)
    one.next_hand(2)
    one.enter_win("Carol")
    one.save_lost(2)
    one.find_network()
    one.expect_saved("Table 1 waits for an answer from you; 1 hand to send")
    one.see_saved()
    item = one.page.locator(".saved-item").first
    expect(item).to_contain_text("chow")
    item.get_by_role("link", name="Correct this hand").tap()
    expect(one.page.locator("#error-summary")).to_contain_text("chow")
    expect(one.page.locator(".hand-title")).to_contain_text("Hand 1")
    one.page.locator("#seat-tabs").get_by_role("button", name="Bob").tap()
    one.page.locator(".tray-set").nth(1).tap()
    one.tap("Remove it")
    one.mode("pung", concealed=False)
    one.face("4B")
    one.everybody()
    one.tap("Save hand 1")
    expect(one.page.locator("#board")).to_be_visible()
    one.expect_saved()
    assert [entry.body["mahjong"]["by"] for entry in table.entries.order_by("position")] == ["2", "3"]
    expect_all_there(table, one, pressed=2)
