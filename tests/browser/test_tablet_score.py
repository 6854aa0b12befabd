"""The score at hand entry: by the rules on the tablet, with the network or without; first by the server."""

import re

import pytest
from django.test.utils import override_settings
from playwright.sync_api import expect

from tests.factories import record

from .outbox_tablet import OwnServer, PlayingTablet, expect_all_there, own_address

HERE = "There is no Wi-Fi just now. This tablet works out the score and keeps what you enter."


class ScoringTablet(PlayingTablet):
    def payments(self):
        rows = self.page.locator("#score .payments li").all_inner_texts()
        return [re.sub(r"\s+", " ", row) for row in rows]


@pytest.fixture
def one(tablet, club):
    return tablet(club.scorekeeper, kind=ScoringTablet, service_workers="block")


# Bob goes Mah-jong with 8: East pays double.
PAID = [
    "Alice pays → Bob for Mah-jong, East pays double: 2 × 8 16",
    "Carol pays → Bob for Mah-jong 8",
    "Dave pays → Bob for Mah-jong 8",
]


def test_the_rules_on_the_tablet_score_each_tap_and_the_server_is_not_asked(one, table):
    asked = []
    one.page.on("request", lambda request: "/hands/score/" in request.url and asked.append(request.url))
    one.open_entry(table)
    one.expect_rules()
    asked.clear()
    one.enter_win("Bob")
    expect(one.page.locator("#score")).to_have_attribute("data-state", "whole")
    assert one.payments() == PAID
    expect(one.page.locator(".seat-card", has_text="Bob").locator(".balance")).to_have_text("8")
    assert asked == []


@pytest.mark.long
def test_the_server_scores_where_the_rules_have_failed(one, table):
    one.open_entry(table)
    one.expect_rules()
    one.page.evaluate("() => { Worker.prototype.postMessage = function () { this.onerror(new Event('error')); }; }")
    one.enter_win("Bob")
    expect(one.page.locator("#score")).to_have_attribute("data-state", "whole")
    assert one.payments() == PAID


@pytest.mark.long
def test_a_page_that_is_older_than_the_seats_says_what_was_saved_since(one, table):
    one.open_entry(table)
    one.expect_rules()
    # On another tablet Carol is East by now.
    record(table, {"a": "1", "b": "3"}, "exchange")
    one.enter_win("Bob")
    expect(one.page.locator("#also-entering")).to_contain_text("The table")


@pytest.mark.long
def test_scores_and_payments_without_the_network(one, table):
    one.open_entry(table)
    one.expect_rules()
    one.lose_network()
    one.enter_win("Bob")
    expect(one.page.locator("#saved-state")).to_have_text(HERE)
    expect(one.page.locator("#score .score-next")).to_have_text("Bob is East next")
    assert one.payments() == PAID
    one.save_lost(1)
    expect(one.page.locator("#last-hand .paid li")).to_have_count(3)
    expect(one.page.locator(".next-east").get_by_text("Bob is East")).to_have_count(1)
    one.next_hand(2)
    # Bob is East now: the others pay double.
    one.enter_win("Bob")
    expect(one.page.locator("#score .payments .amount")).to_have_text(["16", "16", "16"])
    expect(one.page.locator("#score .score-next")).to_have_text("Bob stays East")
    one.save_lost(2)
    one.find_network()
    expect(one.page.locator("#board")).to_be_visible()
    one.expect_saved()
    expect_all_there(table, one, pressed=2)


def test_rules_of_another_version_stay_silent(one, table):
    def other(route):
        answer = route.fetch()
        body = re.sub(r'"rules_file": "[^"]*"', '"rules_file": "/static/other.json"', answer.text())
        route.fulfill(response=answer, body=body)

    asked = []
    one.page.on("request", lambda request: asked.append(request.url))
    one.page.route("**/hands/new/", other)
    one.page.clock.install()
    one.open_entry(table)
    one.enter_win("Bob")
    expect(one.page.locator("#score")).to_have_attribute("data-state", "whole")
    one.page.clock.run_for(8000)
    assert one.page.evaluate("fetch('/healthz').then((answer) => answer.ok)")
    assert [url for url in asked if "/table/engine/" in url] == []


@pytest.mark.long
def test_a_page_that_stays_open_goes_on_scoring_where_no_worker_keeps_it(tablet, club, table):
    """In a hall with a laptop, over plain http."""
    address = own_address()
    if address is None:
        pytest.skip("This machine has no address on a network.")
    with override_settings(ALLOWED_HOSTS=["*"]):
        server = OwnServer(address)
        one = tablet(club.scorekeeper, kind=ScoringTablet, url=server.url)
        one.open("/c/bramley/")
        assert one.page.evaluate("[isSecureContext, 'serviceWorker' in navigator]") == [False, False]
        expect(one.page.locator("#offline-state")).to_contain_text("leave its page open. It goes on working out scores")
        one.open_entry(table)
        one.expect_rules()
        server.stop()
        one.may_be_lost = True
        one.enter_win("Bob")
        expect(one.page.locator("#score .score-next")).to_have_text("Bob is East next")
        assert one.payments() == PAID
        one.save_lost(1)
        one.next_hand(2)
        one.enter_win("Bob")
        expect(one.page.locator("#score .payments .amount")).to_have_text(["16", "16", "16"])
        one.save_lost(2)
        server.start()
        one.expect_saved()
        expect_all_there(table, one, pressed=2)
        server.stop()
