"""Watching in a browser: the news comes by itself, nothing is asked while nobody looks, and a lost server is shown."""

import datetime

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from sessions_app.models import Attendance, Club

PHONE = (390, 844)
EVERY = 3000
THREE = datetime.datetime(2026, 11, 12, 15, 0, tzinfo=datetime.UTC)
LOOK_AWAY = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def watcher(tablet, club, table):
    """A phone of someone without account, on whose page it is 3:12 pm until the test lets time pass."""
    Club.objects.filter(pk=club.club.pk).update(public_names="short")
    one = watching(tablet(size=PHONE, timezone_id="Europe/London"), reverse("watch", args=[table.watching_key]))
    one.asked = []
    one.page.on("request", lambda request: "?rev=" in request.url and one.asked.append(request.url))
    return one


def watching(one, address):
    one.page.clock.install(time=THREE)
    one.open(address)
    with one.page.expect_response("**/*?rev=*"):
        one.page.clock.pause_at(THREE + datetime.timedelta(minutes=12))
    return one


def asks(one):
    """Let the page's time pass, three seconds at once, until it has asked and is answered."""
    with one.page.expect_response("**/*?rev=*") as answer:
        for _ in range(100):
            one.page.clock.run_for(EVERY)
            # The page may still have been busy with the answer before, and set its timer only now.
            one.page.evaluate("fetch('/healthz').then((answer) => answer.ok)")
            if answer.is_done():
                break


def nobody_wins(keeper, table):
    keeper.open(reverse("table", args=[table.club.slug, table.pk]))
    keeper.tap("Nobody went Mah-jong")
    expect(keeper.page.locator(".history > li")).to_have_count(1)
    expect(keeper.page.locator("#saved-words")).to_have_text("All saved")


def test_a_phone_sees_the_hand_that_is_recorded(tablet, club, table, watcher):
    status, board = watcher.page.locator("#watch-status"), watcher.page.locator("#watch")
    expect(status).to_have_text("This page updates by itself.")
    expect(board).to_contain_text("No hands have been played yet.")
    asks(watcher)
    expect(board).to_contain_text("No hands have been played yet.")
    nobody_wins(tablet(club.scorekeeper), table)
    asks(watcher)
    expect(board).to_contain_text("Nobody went Mah-jong")
    expect(board.locator(".goulash")).to_have_text("Goulash")
    expect(board.get_by_role("img", name="Chart of the balances after every hand")).to_be_visible()
    expect(status).to_have_text("Table 1, hand 1: Nobody went Mah-jong.")


@pytest.mark.long
def test_the_hall_sees_it_too(tablet, club, table):
    wall = tablet(club.secretary, size=(1920, 1080))
    watching(wall, reverse("watch-hall", args=[table.meeting.watching_key]))
    expect(wall.page.locator(".hall-table")).to_contain_text("Alice is East")
    nobody_wins(tablet(club.scorekeeper), table)
    asks(wall)
    expect(wall.page.locator(".hall-last")).to_contain_text("Nobody went Mah-jong")


def test_the_tables_of_a_meeting_follow_and_what_is_typed_beside_them_stays(tablet, club, table):
    desk = tablet(club.secretary)
    watching(desk, reverse("meeting", args=[table.club.slug, table.meeting_id]))
    desk.page.get_by_text("Add someone new").click()
    name = desk.page.get_by_label("Name of the new person")
    name.fill("Gwen")
    nobody_wins(tablet(club.scorekeeper), table)
    asks(desk)
    expect(desk.page.locator("#meeting-tables .meeting-table")).to_contain_text("Nobody went Mah-jong")
    expect(name).to_have_value("Gwen")


@pytest.mark.long
def test_what_is_pressed_after_a_name_waits_for_it_and_is_found_again(tablet, club, table):
    """The answer to the tap brings the whole page again, with other words on the button that was tapped."""
    desk = tablet(club.secretary)
    desk.open(reverse("meeting", args=[table.club.slug, table.meeting_id]))
    fay = club.players["Fay"]
    desk.page.evaluate(
        """([name, link]) => { document.getElementById(name).click(); document.querySelector(link).click(); }""",
        [f"name-{fay.pk}", f'a[href*="{reverse("wishes", args=[table.club.slug])}"]'],
    )
    desk.page.wait_for_url(f"**{reverse('wishes', args=[table.club.slug])}*")
    assert Attendance.objects.get(meeting=table.meeting_id, player=fay).is_here


@pytest.mark.long
def test_nothing_is_asked_while_nobody_looks(watcher):
    watcher.page.evaluate(LOOK_AWAY, True)
    watcher.page.clock.run_for(10 * EVERY)
    assert watcher.asked == []
    with watcher.page.expect_response("**/*?rev=*"):
        watcher.page.evaluate(LOOK_AWAY, False)
    assert len(watcher.asked) == 1


def test_a_lost_server_is_told_and_asked_more_seldom(watcher):
    status = watcher.page.locator("#watch-status")
    watcher.may_be_lost = True
    watcher.context.set_offline(True)
    with watcher.page.expect_event("requestfailed"):
        watcher.page.clock.run_for(EVERY)
    expect(status).to_have_text("No connection since 3:12 pm. Trying again.")
    watcher.page.clock.run_for(EVERY)
    assert len(watcher.asked) == 1
    with watcher.page.expect_event("requestfailed"):
        watcher.page.clock.run_for(EVERY)
    assert len(watcher.asked) == 2
    expect(watcher.page.locator("#watch")).to_contain_text("Alice is East")
    watcher.context.set_offline(False)
    expect(status).to_have_text("This page updates by itself.")


@pytest.mark.long
def test_an_address_that_was_replaced_shows_nothing_more(tablet, club, table, watcher):
    keeper = tablet(club.scorekeeper)
    keeper.open(reverse("watching", args=[club.club.slug, table.pk]))
    keeper.tap("Make a new address")
    expect(keeper.page.locator("#messages")).to_contain_text("The old one no longer works.")
    watcher.expect_status(404)
    asks(watcher)
    expect(watcher.page.locator("#watch-status")).to_contain_text("This link has stopped working")
    expect(watcher.page.locator("#watch")).to_be_empty()
    watcher.page.clock.run_for(10 * EVERY)
    assert len(watcher.asked) == 1


@pytest.mark.long
def test_an_evening_of_news_leaves_nothing_behind(watcher):
    page = watcher.page.locator("#watch").evaluate("(board) => board.outerHTML")
    watcher.page.route("**/*?rev=*", lambda route: route.fulfill(body=page, content_type="text/html"))
    counters = watcher.context.new_cdp_session(watcher.page)

    def kept():
        counters.send("HeapProfiler.collectGarbage")
        found = counters.send("Memory.getDOMCounters")
        return found["nodes"], found["jsEventListeners"]

    for _ in range(5):
        asks(watcher)
    nodes, listeners = kept()
    for _ in range(60):
        asks(watcher)
    nodes_after, listeners_after = kept()
    assert nodes_after < nodes * 1.5
    assert listeners_after <= listeners + 5
