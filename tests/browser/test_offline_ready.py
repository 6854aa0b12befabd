"""Getting a tablet ready for a hall without Wi-Fi on the club's page: what it keeps, and what it says of it."""

import re

import pytest
from playwright.sync_api import expect

from sessions_app.models import Device
from tests.factories import record

from .outbox_tablet import expect_all_there
from .test_learning import GATES
from .test_tablet_score import PAID, ScoringTablet

READY = "Ready without Wi-Fi, today at"
IS_READY = """(words) => {
  hurry(1500);
  return document.getElementById("offline-state")?.textContent.includes(words);
}"""
NOT_READY = "Not ready without Wi-Fi yet."
NO_TABLES = "Not all tables are on this tablet yet."
# Bob goes Mah-jong with 8 and East pays double; each began with 2000.
BALANCES_AFTER = {"Alice": "1,984", "Bob": "2,032", "Carol": "1,992", "Dave": "1,992"}
FETCHED_WITHIN = 90_000
# As long as the page waits for the rules on the tablet.
DEALT_WITHIN = 60_000
WORKED_OUT_HERE = "There is no Wi-Fi just now. This tablet works out the scores."
NOT_WORKED_OUT = (
    "There is no Wi-Fi just now, and this tablet cannot work out the scores by itself. "
    "Try again when the Wi-Fi is back."
)
# The way back from a rule to its line is that of the page as it was when the server or the tablet drew it.
DRAWN = "(answers) => answers.innerHTML.replace(/back=[^&#\"]*/g, '')"
DEALT_HERE = "Without Wi-Fi, this tablet deals the hands and checks your answers."
AN_EXERCISE = "/practice/?rules=bmja&stage=doubles&hand=4"
# The next hand is drawn by lot.
BUT_THE_NEXT = "(drawn) => drawn.innerHTML.replace(/hand=\\d+\">Next/, '')"
THROW_AWAY = "async () => Promise.all((await caches.keys()).map((name) => caches.delete(name)))"


class ClubTablet(ScoringTablet):
    def open_club(self):
        self.open("/c/bramley/")

    def expect_state(self, words):
        expect(self.page.locator("#offline-state")).to_contain_text(words)

    def get_ready(self):
        """Wait until the tablet is ready, which it gets by itself."""
        self.page.wait_for_function(IS_READY, arg=READY, timeout=FETCHED_WITHIN)

    def fetch_again(self):
        self.page.locator("#offline-state").tap()
        self.tap("Fetch it all again")


@pytest.fixture
def one(tablet, club, table):
    made = tablet(club.scorekeeper, kind=ClubTablet)
    made.open_club()
    return made


@pytest.mark.long
@pytest.mark.parametrize("size", [(1024, 768), (390, 844)], ids=["tablet", "phone"])
def test_the_line_that_says_so_stands_right_under_the_name_of_the_club(tablet, club, table, size):
    one = tablet(club.scorekeeper, kind=ClubTablet, size=size)
    one.open_club()
    expect(one.page.locator("#offline-state")).to_be_visible()
    tops = [one.page.locator(part).bounding_box()["y"] for part in ("header", "h1", "#offline-state", "#in-play")]
    assert tops == sorted(tops)
    head = one.page.locator("header").bounding_box()
    # No empty band above the name.
    assert tops[1] - head["height"] < 32


def test_a_tablet_gets_ready_by_itself_and_opens_the_club_and_its_tables_without_the_network(one, club, table):
    one.get_ready()
    # Nobody is at the table for that.
    assert not Device.objects.exists()
    one.lose_network()
    one.open("/")
    expect(one.page.get_by_role("heading", name="Bramley Mah-jong Group")).to_be_visible()
    expect(one.page.locator("#messages")).to_contain_text("There is no Wi-Fi just now. This page is as it was today at")
    one.expect_state(READY)
    one.page.locator(".cards a").tap()
    expect(one.page.locator("#board")).to_be_visible()
    one.follow_to_entry()
    one.expect_rules()
    one.enter_win("Bob")
    expect(one.page.locator("#score .score-next")).to_have_text("Bob is East next")
    assert one.payments() == PAID
    # The table was never opened here: what plays it on was fetched with its pages.
    height = one.page.locator("header").bounding_box()["height"]
    one.save_lost(1)
    one.to_table()
    one.expect_saved("1 hand to send")
    # What waits takes no second row of the bar.
    assert one.page.locator("header").bounding_box()["height"] <= max(height, 64)
    expect(one.page.locator(".next-east")).to_have_text("Bob is East")
    assert one.balances() == BALANCES_AFTER
    # The club's page says what waits, and sends it.
    one.open_club()
    one.expect_saved("1 hand to send")
    one.page.route("**/commands/", lambda route: route.abort())
    one.find_network()
    one.open("/c/bramley/standings/")
    one.expect_saved("1 hand to send")
    one.page.unroute("**/commands/")
    one.expect_saved("1 hand sent")
    expect_all_there(table, one, pressed=1)
    one.lose_network()
    here = f"/c/bramley/sessions/{table.pk}"
    pages = {
        f"{here}/seating/": "We sat differently",
        f"{here}/arrive/": "Add a player",
        f"{here}/leave/": "A player is leaving",
        f"{here}/rules/": "The rules of table 1, 12 November 2026: British (BMJA)",
        "/c/bramley/rules/": "What we play: British (BMJA)",
        "/when-the-wifi-fails/": "When the Wi-Fi fails",
    }
    for page, words in pages.items():
        one.open(page)
        expect(one.page.locator("h1")).to_have_text(words)


@pytest.mark.long
def test_to_be_ready_takes_a_dozen_requests(tablet, club, table):
    one = tablet(club.scorekeeper, kind=ClubTablet)
    # The first visit, which fetches what all pages need, and the worker what every tablet keeps.
    one.open_table(table)
    one.wait_for_worker()
    # The last of those that the page of a table has kept.
    one.wait_for_page_kept(f"/c/bramley/sessions/{table.pk}/take-in/")
    fetched = []
    one.context.on("requestfinished", lambda request: fetched.append(request))
    one.open_club()
    one.get_ready()
    later = [request for request in fetched if request.service_worker and "/static/" not in request.url]
    assert 0 < len(later) <= 12
    assert sum(request.sizes()["responseBodySize"] for request in fetched) <= 450_000


def worth_of(one, title):
    card = one.page.locator(".worth-card", has=one.page.get_by_role("heading", name=title))
    return card.locator(".balance")


def test_a_hand_is_scored_without_the_network(one):
    one.get_ready()
    one.page.locator("#main").get_by_role("link", name="What is this hand worth?").tap()
    one.tiles(GATES)
    one.face("5D")
    expect(worth_of(one, "Bramley Mah-jong Group: British (BMJA)")).to_have_text("1,000")
    online = one.page.locator("#worth-answers").evaluate(DRAWN)
    one.lose_network()
    one.page.reload()
    expect(one.page.locator("#worth-away")).to_have_text(WORKED_OUT_HERE)
    # The hand in the address is there again, and its answers are as the club drew them.
    expect(one.page.locator(".tray-set")).to_have_count(3)
    assert one.page.locator("#worth-answers").evaluate(DRAWN) == online
    one.tap("5 Circles: remove")
    expect(one.page.locator(".worth-brief").first).to_contain_text("Needs one of 9 kinds of tile.")
    one.find_network()
    one.mode("single")
    one.face("5D")
    expect(one.page.locator("#worth-away")).to_be_empty()
    expect(worth_of(one, "Bramley Mah-jong Group: British (BMJA)")).to_have_text("1,000")


@pytest.mark.long
def test_a_hand_that_this_tablet_cannot_score_says_so(one):
    one.get_ready()
    # As an old tablet, which cannot run the rules.
    one.context.add_init_script("window.Worker = undefined")
    one.lose_network()
    one.open("/worth/")
    one.tiles(GATES)
    expect(one.page.locator("#worth-away")).to_have_text(NOT_WORKED_OUT)
    expect(one.page.locator("#worth-answers")).to_be_empty()
    expect(one.page.locator(".tray-set")).to_have_count(3)


@pytest.mark.long
def test_scoring_is_practised_without_the_network(one):
    one.get_ready()
    one.lose_network()
    one.page.locator("#main").get_by_role("link", name="Practise scoring").tap()
    expect(one.page.locator("#messages")).to_have_text(DEALT_HERE, timeout=DEALT_WITHIN)
    # A hand that has an address is the same as the club deals.
    one.open(AN_EXERCISE)
    expect(one.page.locator("#messages")).to_have_text(DEALT_HERE, timeout=DEALT_WITHIN)
    one.page.get_by_label("Total").fill("lots")
    one.tap("Check my answer")
    expect(one.page.locator("#error-summary")).to_be_focused()
    expect(one.page).to_have_title("Error: Practise scoring – Clubscore")
    one.page.get_by_label("Total").fill("1")
    one.tap("Check my answer")
    expect(one.page.locator("#verdict")).to_have_text("Not quite")
    expect(one.page.locator("#practice-tally")).to_contain_text("On this tablet: 0 right of 1.")
    expect(one.page).to_have_title("Practise scoring – Clubscore")
    expect(one.page.locator(".sum")).to_have_count(0)
    one.tap("Check my answer")
    expect(one.page.locator(".sum")).to_be_visible()
    drawn = one.page.locator("#practice").evaluate(BUT_THE_NEXT)
    address, right = one.page.url, re.findall(r"[\d,]+", one.page.locator(".sum").inner_text())[-1]
    one.page.get_by_label("Total").fill(right)
    one.tap("Check my answer")
    expect(one.page.locator("#verdict")).to_have_text("✓ Right")
    one.follow("Next hand")
    expect(one.page.locator("#verdict")).to_have_count(0)
    expect(one.page.get_by_role("heading", name="What does this hand score?")).to_be_in_viewport()
    assert "hand=4&" not in f"{one.page.url}&"
    one.page.get_by_label("Stage").select_option(label="Points only")
    one.tap("Deal a hand")
    expect(one.page.get_by_label("Total")).to_have_count(0)
    one.tap("Show the answer")
    expect(one.page.locator("#verdict")).to_have_text("How it is scored")
    one.page.go_back()
    expect(one.page.locator("#verdict")).to_have_count(0)
    one.find_network()
    one.page.goto(address)
    expect(one.page.locator("#messages")).to_be_empty()
    assert one.page.locator("#practice").evaluate(BUT_THE_NEXT) == drawn


def test_what_the_browser_has_thrown_away_is_not_promised_and_comes_back_by_itself(one, table):
    one.get_ready()
    one.lose_network()
    one.page.evaluate(THROW_AWAY)
    one.fetch_again()
    one.expect_state(NOT_READY)
    expect(one.page.locator("#offline-doing")).to_have_text("Waiting for the Wi-Fi.")
    one.find_network()
    one.get_ready()


@pytest.mark.long
def test_the_browser_is_asked_to_keep_it_and_says_what_it_promised(one):
    kept = one.page.locator("#offline-kept")
    expect(kept).to_contain_text("This browser may delete this when the tablet runs out of space")
    one.context.add_init_script(
        "navigator.storage.persist = async () => { sessionStorage.promised = 1; return true; };"
        "navigator.storage.persisted = async () => Boolean(sessionStorage.promised);"
    )
    one.page.reload()
    expect(kept).to_contain_text("This browser may delete this when the tablet runs out of space")
    one.get_ready()
    # A browser may ask a question then, so only at a press.
    expect(kept).to_contain_text("This browser may delete this when the tablet runs out of space")
    one.fetch_again()
    expect(kept).to_contain_text("This browser has promised to keep all this until you remove it.")


@pytest.mark.long
def test_without_a_table_in_play_a_tablet_is_ready_to_start_one(one, table):
    record(table, {}, kind="finish")
    one.page.reload()
    one.get_ready()
    one.lose_network()
    one.page.get_by_role("link", name="Start a table", exact=True).tap()
    expect(one.page.get_by_role("heading", name="Start a table")).to_be_visible()


@pytest.mark.long
def test_a_session_started_before_takes_the_players_who_came(one, club, table):
    one.get_ready()
    one.lose_network()
    one.open(f"/c/bramley/sessions/{table.pk}/seating/")
    fields = one.page.get_by_role("region", name="The wrong name").get_by_role("combobox")
    fields.nth(0).select_option(label="Bob")
    fields.nth(1).select_option(label="Fay")
    one.tap("Correct the name")
    expect(one.page.locator("#messages")).to_contain_text("Fay now has this seat.")
    expect(one.page.locator(".felt")).to_contain_text("Fay")
    one.follow_to_entry()
    one.expect_rules()
    one.enter_win("Fay")
    one.save_lost(1)
    one.to_table()
    after = {"Fay" if name == "Bob" else name: balance for name, balance in BALANCES_AFTER.items()}
    expect(one.page.locator(".next-east")).to_have_text("Fay is East")
    assert one.balances() == after
    one.find_network()
    one.expect_saved()
    expect(one.page.locator(".history > li").first).not_to_contain_text("not sent yet")
    assert one.balances() == after
    expect_all_there(table, one, pressed=2)
    assert table.seats.get(seat_no=2).player == club.players["Fay"]
