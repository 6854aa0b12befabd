"""What stands between a tablet and its club: a proxy that answers for it, a sign-out, another page of the tablet."""

import pytest
from playwright.sync_api import expect

from .conftest import session_cookie
from .outbox_tablet import OutboxTablet, OwnServer, expect_all_there

LOOK = "document.dispatchEvent(new Event('visibilitychange'))"
SIGNED_OUT = "This tablet is signed out."
COUNT_LOCKS = """
window.locksAsked = 0;
const ask = navigator.locks?.request.bind(navigator.locks);
if (ask) navigator.locks.request = (...about) => { window.locksAsked += 1; return ask(...about); };
"""


@pytest.fixture
def server(club):
    made = OwnServer()
    yield made
    made.stop()


@pytest.fixture
def one(tablet, club, table, server):
    """Give a tablet whose worker keeps the pages of the table."""
    made = tablet(club.scorekeeper, kind=OutboxTablet, url=server.url)
    made.open_table(table)
    made.expect_saved()
    made.wait_for_worker()
    return made


def look(one, status):
    """Let the table's page look for news; its answer is one of this status."""
    is_look = lambda answer: "version=" in answer.url and answer.status == status  # noqa: E731
    with one.page.expect_response(is_look):
        one.page.evaluate(LOOK)


def test_a_proxy_that_answers_for_the_server_puts_nothing_in_the_place_of_the_table(one, club, table, server):
    one.may_be_lost = True
    one.expect_status(401, 403)
    server.is_away = True
    one.page.reload()
    one.tap("Nobody: goulash")
    one.expect_saved("1 hand saved on this tablet, waiting to send")
    look(one, 502)
    expect(one.page.locator("#messages")).not_to_contain_text(SIGNED_OUT)
    server.is_away = False
    one.expect_saved()
    # Signed out it says so, and no longer than it is so.
    one.context.clear_cookies()
    one.page.evaluate(LOOK)
    expect(one.page.locator("#messages")).to_contain_text(SIGNED_OUT)
    one.let_in(session_cookie(club.scorekeeper))
    one.page.evaluate(LOOK)
    expect(one.page.locator("#messages")).not_to_contain_text(SIGNED_OUT)
    expect_all_there(table, one, pressed=1)


def test_the_pages_kept_go_with_a_sign_out_that_the_server_has_heard(one, table):
    here = f"/c/bramley/sessions/{table.pk}/table/"
    one.lose_network()
    one.tap("Sign out")
    expect(one.page.locator("#messages")).to_contain_text("it cannot be reached just now")
    assert one.page.evaluate("async (path) => Boolean(await caches.match(path))", here)
    one.find_network()
    # A page without a word of the outbox's scripts.
    one.open("/c/bramley/")
    one.tap("Sign out")
    expect(one.page.get_by_role("link", name="Sign in", exact=True).first).to_be_visible()
    one.wait_until("async (path) => !(await caches.match(path))", here)


def test_the_board_goes_on_while_something_is_folded_out(one, table):
    more = one.page.locator(".board-more")
    more.locator("summary").tap()
    other = one.context.new_page()
    other.goto(one.page.url)
    other.get_by_role("button", name="Nobody: goulash").tap()
    expect(one.page.locator("#next-hand")).to_have_text("Hand 2")
    expect(more).to_have_attribute("open", "")


def test_a_page_that_waits_for_another_one_does_not_ask_for_the_lock_without_end(tablet, club, table):
    one = tablet(club.scorekeeper, kind=OutboxTablet, service_workers="block")
    one.context.add_init_script(COUNT_LOCKS)
    one.open_table(table)
    held = []
    one.page.route("**/commands/", lambda route: held.append(route))
    one.tap("Nobody: goulash")
    expect(one.page.locator("#saved-words")).to_contain_text("1 hand saved on this tablet")
    other = one.context.new_page()
    other.goto(one.page.url)
    other.get_by_role("button", name="Nobody: goulash").tap()
    expect(other.locator("#saved-words")).to_contain_text("2 hands saved on this tablet")
    other.wait_for_timeout(1500)
    # One for the page that opened, one for the press, and one each five seconds.
    assert other.evaluate("window.locksAsked") < 6
    held[0].continue_()
    one.page.unroute("**/commands/")
    one.expect_saved()
    expect_all_there(table, one, pressed=2)
