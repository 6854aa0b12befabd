"""A browser older than those the pages are made for, and one without JavaScript: the plain page takes the hand.

Real ones are tried where OLD_CHROMIUMS names them, with a colon between: 92 of 2021 and 106 of 2022 are in the npm
packages @sparticuz/chromium 92.0.0 and 106.0.2.
"""

import os
import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error, expect

from sessions_app.models import Entry
from sessions_app.table.sessions import start_session

from .conftest import AFTERNOON, BY, PEOPLE, session_cookie
from .tablet import Tablet, screen

# What iPadOS 12 has not learned, and a module it cannot read; all else of the page is as it is.
FORGET = "delete Object.hasOwn; delete window.structuredClone; delete Array.prototype.at;"
UNREADABLE = "const lost = ?.;"
OLD_CHROMIUMS = [path for path in os.environ.get("OLD_CHROMIUMS", "").split(":") if path]
OLD_FLAGS = ["--no-sandbox", "--no-zygote", "--disable-gpu"]
# What the club's page says and whether a game is begun without a word, by the version of Chromium.
NEEDS_WIFI = "This tablet needs Wi-Fi for the scores."
TOO_OLD = "This browser is too old to work out the scores of a game. Score it on a newer tablet or phone."
SAYS = {"92": (NEEDS_WIFI, TOO_OLD), "106": ("Ready without Wi-Fi, today at", "")}
# Playwright asks of a page what so old a browser does not know: the page itself is asked here.
TEXT_OF = "(part) => document.querySelector(part)?.textContent.trim() ?? ''"
ASKED_FOR = 120
# Presses what has this name, once it can be seen, and otherwise says what is there.
PRESS = """async ([name, within]) => {
  const nameOf = (one) => {
    const said = one.cloneNode(true);
    for (const hidden of said.querySelectorAll("[aria-hidden=true]")) hidden.remove();
    return (one.getAttribute("aria-label") || said.textContent).trim();
  };
  for (let left = 150; left; left -= 1) {
    const all = [...document.querySelectorAll(`${within} :is(a, button, summary)`)];
    const seen = all.filter((one) => one.getClientRects().length);
    const found = seen.find((one) => nameOf(one) === name || one.matches(name.startsWith("#") ? name : "nothing"));
    if (found) return setTimeout(() => found.click());
    await new Promise((resolve) => { setTimeout(resolve, 100); });
  }
  throw new Error(`${name} cannot be seen`);
}"""


class OldTablet(Tablet):
    def _hear(self, message):
        # That its modules are beyond it is what is tried here.
        pass

    def _complain(self, kind, words):
        if "SyntaxError" not in words and "Unexpected token" not in words:
            super()._complain(kind, words)


@pytest.fixture
def old(tablet, club):
    one = tablet(club.scorekeeper, kind=OldTablet, service_workers="block")
    one.context.add_init_script(FORGET)
    unreadable = {"content_type": "text/javascript", "body": UNREADABLE}
    modules = re.compile(r"/static/table/(hand_entry|table|outbox/|later)[^?]*\.js$")
    one.page.route(modules, lambda route: route.fulfill(**unreadable))
    return one


def record_plainly(one, winners, sources="Dave’s discard"):
    page = one.page
    expect(page.get_by_label("Last tile from")).to_be_visible()
    # Turner's rules ask for nobody's tiles.
    for name in PEOPLE[:4] if page.get_by_label("Total", exact=True).count() else ():
        player = page.get_by_role("group", name=f"{name}, ")
        player.get_by_label("How").select_option(label="A total")
        player.get_by_label("Total", exact=True).fill("50" if name in winners else "8")
    for label, name in zip(("Who went Mah-jong", "Second winner"), winners, strict=False):
        page.get_by_label(label).select_option(label=name)
    page.get_by_label("Last tile from").select_option(label=sources)
    page.get_by_role("button", name="Save hand 1").tap()
    expect(page.locator("#messages")).to_contain_text("Hand 1: ")


def test_an_old_browser_is_told_and_led_to_the_plain_page(old, table):
    old.expect_status(422)
    old.open(f"/c/bramley/sessions/{table.pk}/table/")
    old.follow_to_entry()
    expect(old.page.get_by_text("This tablet’s browser is too old for this page.")).to_be_visible()
    expect(old.page.get_by_text("the Wi-Fi is slow")).to_be_hidden()
    old.follow("Enter the hand on a plain page")
    # What is missing is asked for on the plain page again, with what was typed.
    old.page.get_by_label("Who went Mah-jong").select_option(label="Carol")
    old.page.get_by_role("button", name="Save hand 1").tap()
    expect(old.page.locator("#error-summary")).to_contain_text("Enter tiles or a total")
    expect(old.page.get_by_label("Who went Mah-jong")).to_have_value("3")
    record_plainly(old, ["Bob"])
    assert Entry.objects.get().body["mahjong"] == {"by": "2", "from": "4"}


@pytest.mark.long
def test_a_browser_of_today_is_not_told_so(tablet, club, table):
    one = tablet(club.scorekeeper)
    one.open(f"/c/bramley/sessions/{table.pk}/hands/new/")
    expect(one.page.locator("#entry")).to_be_visible()
    expect(one.page.locator(".opening")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("rules", ["baggaley", "turner"])
def test_two_winners_on_the_plain_page(tablet, club, rules):
    seated = [club.players[name] for name in PEOPLE[:4]]
    table = start_session(club.club, AFTERNOON, 1, seated, rules, {}, by=BY)
    one = tablet(club.scorekeeper, java_script_enabled=False)
    one.open(f"/c/bramley/sessions/{table.pk}/hands/new/")
    record_plainly(one, ["Bob", "Carol"])
    assert Entry.objects.get().body["mahjong"] == [{"by": "2", "from": "4"}, {"by": "3", "from": "4"}]


def asked(page, part, wanted):
    """Return the words of a part of the page, once they begin as wanted, or what they are after a minute."""
    for _ in range(ASKED_FOR):
        words = page.evaluate(TEXT_OF, part)
        if wanted and words.startswith(wanted):
            break
        page.wait_for_timeout(500)
    return words


@pytest.fixture(
    params=OLD_CHROMIUMS or [pytest.param("", marks=pytest.mark.skip("OLD_CHROMIUMS names no old browser"))]
)
def old_page(request, chromium, live_server, club):
    """A page of an old browser, and its version."""
    old = chromium.browser_type.launch(executable_path=request.param, args=OLD_FLAGS)
    page = old.new_context(**screen()).new_page()
    page.context.add_cookies([{"name": "sessionid", "value": session_cookie(club.scorekeeper), "url": live_server.url}])
    yield page, old.version.split(".")[0]
    old.close()


@pytest.mark.long
def test_a_browser_that_cannot_run_the_rules_is_not_called_ready(old_page, live_server, table):
    page, version = old_page
    ready, warning = SAYS[version]
    page.goto(f"{live_server.url}/c/bramley/")
    assert asked(page, "#offline-state", ready).startswith(ready)
    page.goto(f"{live_server.url}/game/")
    if warning:
        assert asked(page, "#messages", warning) == warning
    else:
        # It was tried on the club's page, and begins at once.
        assert page.evaluate("localStorage['engine-started']")
        assert page.evaluate(TEXT_OF, "#messages") == ""


@pytest.mark.long
def test_an_old_browser_enters_corrects_and_saves_a_hand(old_page, live_server, table):
    page, version = old_page

    def press(*names, within="body"):
        for name in names:
            # The page before may just be left.
            with suppress(Error):
                page.evaluate(PRESS, [name, within])
                continue
            page.evaluate(PRESS, [name, within])

    def win(winner, figures):
        press(winner, within="#who-won")
        for name in PEOPLE[:4]:
            press("Everyone", within="#seat-tabs")
            way = "Type a total" if name == winner else "Nothing to score"
            press(f"Other ways to enter, {name}", f"{way}, {name}")
            press(*(figures if name == winner else ""), within="[aria-label=Figures]")
        press("Everyone", within="#seat-tabs")

    def change(winner, total):
        # The last hand is the first of the list.
        number = asked(page, "#next-hand", "Hand")
        press("#hands :is(summary, li > a)", "Change this hand", f"Type a total, {winner}")
        press(*total, within="[aria-label=Figures]")
        press("Everyone", within="#seat-tabs")
        press("Show what changes", "Change the hand")
        assert asked(page, "#next-hand", number) == number

    page.goto(f"{live_server.url}/c/bramley/sessions/{table.pk}/table/")
    assert asked(page, "#next-hand", "Hand 1") == "Hand 1"
    press("#mahjong")
    win("Bob", "64")
    press("Save hand 1")
    assert asked(page, "#next-hand", "Hand 2") == "Hand 2"
    assert asked(page, "#saved-words", "All saved") == "All saved"
    assert Entry.objects.get().body["hands"]["2"] == {"total": 64}
    change("Bob", "32")
    assert asked(page, "#saved-words", "All saved") == "All saved"
    assert Entry.objects.get().body["hands"]["2"] == {"total": 32}
    # Without the network the hand is kept; where the rules run they show the table after it, and it can be corrected.
    asked(page, "html[data-views] #mahjong", "Enter hand 2")
    page.context.set_offline(True)
    press("#mahjong")
    win("Carol", "20")
    press("Save hand 2")
    assert asked(page, "#saved-words", "1 hand to send") == "1 hand to send"
    if version != "92":
        assert asked(page, "#next-hand", "Hand 3") == "Hand 3"
        change("Carol", "40")
        assert asked(page, "#saved-words", "1 hand and 1 change") == "1 hand and 1 change to send"
    page.context.set_offline(False)
    assert asked(page, "#saved-words", "All saved") == "All saved"
    last = Entry.objects.order_by("position")[1]
    assert last.body["hands"]["3"] == {"total": 20 if version == "92" else 40}
