"""What stands between a tablet and its club: a proxy that answers for it, a sign-out, another page of the tablet."""

import json
import uuid

import pytest
from django.templatetags.static import static
from playwright.sync_api import expect

from sessions_app.models import Club
from sessions_app.people.accounts import end_sign_ins
from sessions_app.people.log import Actor
from sessions_app.table.apply_command import apply_command
from sessions_app.table.devices import replace_scoring_key
from sessions_app.table.sessions import start_session

from .conftest import BY, login, session_cookie
from .outbox_tablet import PATIENCE, OutboxTablet, OwnServer, expect_all_there

LOOK = "document.dispatchEvent(new Event('visibilitychange'))"
SIGNED_OUT = "This tablet is signed out."
KEEP_AGAIN = """async (path) => {
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  const kept = new Promise((resolve) => { port1.onmessage = () => resolve(true); });
  active.postMessage({ keep: [path], refetch: [path] }, [port2]);
  window.kept = kept;
}"""
# A fine that nobody can pay, saved as the pages of a table save.
SAVE_WRONG = """async ([state, commands, queue]) => {
  const { tableNow } = await import(state);
  const { newKey, placeOf } = await import(commands);
  const { save } = await import(queue);
  const { place, state: table } = await tableNow();
  const body = { by: "1", to: "1", amount: -5, why: "" };
  const shared = { ...placeOf(table), after: place.after, seats: place.seats };
  await save({ ...shared, key: newKey(), kind: "fine", body, words: "Another penalty" }, 0);
}"""


@pytest.fixture
def plain(tablet, club, table):
    """Give a tablet at the table, without a worker between its pages and the network."""
    made = tablet(club.scorekeeper, kind=OutboxTablet, service_workers="block")
    made.open_table(table)
    return made


def save_wrong(one):
    one.page.evaluate(SAVE_WRONG, [static(f"table/outbox/{name}.js") for name in ("state", "commands", "queue")])


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
    one.tap("Nobody went Mah-jong")
    one.expect_saved("1 hand to send")
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
    expect(one.page.locator("#messages")).to_contain_text("There is no Wi-Fi just now")
    assert one.page.evaluate("async (path) => Boolean(await caches.match(path))", here)
    one.find_network()
    # A page without a word of the outbox's scripts.
    one.open("/c/bramley/")
    one.tap("Sign out")
    expect(one.page.get_by_label("Password")).to_be_visible()
    one.wait_until("async (path) => !(await caches.match(path))", here)


TABLES_KEPT = """async () => {
  const { tables } = await import(STORE);
  return (await tables()).map(({ session }) => session);
}"""


@pytest.mark.long
def test_after_signing_out_no_table_stays_in_the_database_but_those_with_hands_to_send(one, club, table):
    """Names and hands stayed there for good, for whoever opened the tablet's storage."""
    kept = TABLES_KEPT.replace("STORE", json.dumps(static("table/outbox/store.js")))
    other = start_session(club.club, table.date, 2, list(club.players.values())[:4], "bmja", {}, by=BY)
    one.expect_status(422)
    save_wrong(one)
    one.expect_saved("Table 1 waits for an answer from you")
    one.open(f"/c/bramley/sessions/{other.pk}/table/")
    one.wait_until(f"async (ids) => String(await ({kept})()) === String(ids)", [table.pk, other.pk])
    one.open("/c/bramley/")
    one.tap("Sign out")
    expect(one.page.get_by_label("Password")).to_be_visible()
    one.wait_until(f"async (ids) => String(await ({kept})()) === String(ids)", [table.pk])


@pytest.mark.long
def test_a_page_on_its_way_when_the_pages_kept_go_is_not_kept_after(one, table, club, server):
    here = f"/c/bramley/sessions/{table.pk}/table/"
    other = one.context.new_page()
    other.goto(f"{one.url}/outbox/")
    server.holds = here
    other.evaluate(KEEP_AGAIN, here)
    assert server.is_held.wait(PATIENCE / 1000)
    end_sign_ins(club.scorekeeper, by=Actor.of_user(club.scorekeeper))
    one.open("/c/bramley/")
    expect(one.page.get_by_label("Password")).to_be_visible()
    one.wait_until("async (path) => !(await caches.match(path))", here)
    server.goes_on.set()
    assert other.evaluate("window.kept")
    assert not one.page.evaluate("async (path) => Boolean(await caches.match(path))", here)


@pytest.mark.long
def test_the_pages_kept_go_once_a_sign_in_that_ended_elsewhere_is_noticed(one, table, club):
    here = f"/c/bramley/sessions/{table.pk}/table/"
    end_sign_ins(club.scorekeeper, by=Actor.of_user(club.scorekeeper))
    assert one.page.evaluate("async (path) => Boolean(await caches.match(path))", here)
    one.open("/c/bramley/")
    expect(one.page.get_by_label("Password")).to_be_visible()
    one.wait_until("async (path) => !(await caches.match(path))", here)
    one.lose_network()
    one.open(here)
    expect(one.page.get_by_text("Alice")).to_have_count(0)


def test_the_pages_kept_go_once_somebody_of_another_club_signs_in(one, table):
    """What waits to be sent stays, and goes out once somebody of its club is there again."""
    here = f"/c/bramley/sessions/{table.pk}/table/"
    other = Club.objects.create(name="Otley Tiles", slug="otley")
    login(other, "otley-secretary", "secretary", password="three tall cranes")
    one.may_be_lost = True
    one.expect_status(401, 403, 404)
    one.context.route("**/commands/", lambda route: route.abort())
    one.tap("Nobody went Mah-jong")
    one.expect_saved("1 hand to send")
    [waiting] = one.kept()
    one.open("/sign-in/")
    one.page.get_by_label("Username").fill("otley-secretary")
    one.page.get_by_label("Password").fill("three tall cranes")
    one.tap("Sign in")
    expect(one.page.get_by_role("heading", name="Otley Tiles")).to_be_visible()
    one.wait_until("async (path) => !(await caches.match(path))", here)
    one.lose_network()
    one.open(here)
    expect(one.page.get_by_text("Alice")).to_have_count(0)
    one.open("/outbox/")
    assert [item["key"] for item in one.kept()] == [waiting["key"]]


@pytest.mark.long
def test_the_pages_kept_of_a_table_go_with_its_code(tablet, club, table):
    here = f"/c/bramley/sessions/{table.pk}/table/"
    one = tablet(None, kind=OutboxTablet)
    one.open(f"/t/{table.scoring_key}/")
    one.wait_for_worker()
    # Without a sign-in, but with the code, the page to sign in takes nothing away.
    # The worker goes by the answer's word alone.
    assert one.open("/sign-in/").header_value("Kept-Pages") is None
    expect(one.page.get_by_label("Password")).to_be_visible()
    assert one.page.evaluate("async (path) => Boolean(await caches.match(path))", here)
    replace_scoring_key(table, by=Actor.of_user(club.secretary))
    one.expect_status(403)
    one.open(here)
    expect(one.page.get_by_text("A new code was made")).to_be_visible()
    one.wait_until("async (path) => !(await caches.match(path))", here)


def test_after_signing_out_back_shows_nothing_of_the_club(tablet, club, table):
    one = tablet(club.secretary)
    pages = ("desk/log/", "players/", "desk/queries/", "standings/", "")
    for page in pages:
        one.open(f"/c/bramley/{page}")
    one.tap("Sign out")
    expect(one.page.get_by_label("Password")).to_be_visible()
    for _ in pages:
        one.page.go_back()
        expect(one.page.get_by_label("Password")).to_be_visible()
        assert "/sign-in/" in one.page.url


@pytest.mark.long
def test_the_pages_kept_name_who_is_at_the_table_now(one, table):
    pages = f"/c/bramley/sessions/{table.pk}"
    one.wait_for_page_kept(f"{pages}/table/")
    one.open(f"{pages}/arrive/")
    one.page.get_by_label("Player", exact=True).select_option(label="Fay")
    one.tap("Seat the player")
    expect(one.page.locator(".sitter")).to_contain_text("Fay")
    one.open(f"{pages}/seating/")
    expect(one.page.locator(".ready")).to_contain_text("Fay")
    # Without the network the page of the table comes in place of its views.
    one.open_table(table)
    one.lose_network()
    one.tap("Nobody went Mah-jong")
    one.expect_saved("1 hand to send")
    for page, words in {"leave": "Leave the table", "seating": "Save these seats"}.items():
        one.open(f"{pages}/{page}/")
        expect(one.page.get_by_role("button", name=words)).to_be_visible()
        expect(one.page.get_by_text("Fay", exact=True).first).to_be_attached()


@pytest.mark.long
def test_the_board_goes_on_while_something_is_folded_out(plain, table):
    more = plain.page.locator(".board-groups details").first
    more.locator("summary").tap()
    nobody = {"hands": {}, "mahjong": None, "penalties": []}
    elsewhere = {"key": str(uuid.uuid4()), "kind": "hand", "body": nobody, "device": "theirs"}
    assert apply_command(table.pk, elsewhere, BY).outcome == "recorded"
    look(plain, 200)
    expect(plain.page.locator(".history > li")).to_have_count(1)
    expect(more).to_have_attribute("open", "")


@pytest.mark.long
def test_what_is_put_aside_is_not_forgotten_and_what_is_thrown_away_can_be_brought_back(plain):
    plain.expect_status(422)
    save_wrong(plain)
    plain.expect_saved("Table 1 waits for an answer from you")
    plain.see_saved()
    # The list stands in the header, whose links are as light as the list: this one is green, as the next step.
    look = plain.page.get_by_role("link", name="See the table")
    ground = plain.page.locator("#saved-list").evaluate("(list) => getComputedStyle(list).backgroundColor")
    expect(look).not_to_have_css("background-color", ground)
    expect(look).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
    expect(look).to_have_css("color", ground)
    plain.tap("Do not send it")
    expect(plain.page.locator("#saved-words")).to_have_text("1 not to be sent")
    plain.tap("Show as a code")
    expect(plain.page.locator("#code-tables")).to_contain_text("This table has 1 entry not sent yet.")
    plain.page.locator("#code-dialog").get_by_role("button", name="Close").tap()
    plain.see_saved()
    plain.tap("Discard")
    expect(plain.page.locator("#saved-words")).to_have_text("All saved")
    plain.page.reload()
    plain.see_saved()
    plain.tap("Restore")
    expect(plain.page.locator("#saved-words")).to_have_text("1 not to be sent")
    plain.tap("Send")
    expect(plain.page.locator("#saved-words")).to_have_text("Table 1 waits for an answer from you")
