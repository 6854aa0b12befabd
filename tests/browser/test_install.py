"""Putting Clubscore on the Home Screen: offered on the page of what the tablet keeps, and only while nothing waits."""

import pytest
from playwright.sync_api import expect

from sessions_app.models import Club

from .outbox_tablet import OutboxTablet

OFFER = """() => {
  const offer = new Event("beforeinstallprompt", { cancelable: true });
  offer.prompt = () => { window.prompted = (window.prompted || 0) + 1; };
  dispatchEvent(offer);
  return offer.defaultPrevented;
}"""
SAFARI = "Object.defineProperty(navigator, 'standalone', { value: false });"


@pytest.mark.long
def test_the_offer_stands_on_the_page_of_this_tablet_while_nothing_waits(tablet, club, table):
    one = tablet(club.scorekeeper, kind=OutboxTablet)
    one.open_table(table)
    one.page.get_by_text("More …").tap()
    one.follow("Hands saved on this tablet")
    offered = one.page.get_by_role("heading", name="Add Clubscore to the Home Screen")
    expect(one.page.locator("#saved-items")).to_contain_text("Nothing to send")
    expect(offered).to_be_hidden()
    assert one.page.evaluate(OFFER)
    expect(offered).to_be_visible()
    one.tap("Add Clubscore now")
    expect(offered).to_be_hidden()
    assert one.page.evaluate("window.prompted") == 1


@pytest.mark.long
def test_no_offer_while_a_hand_waits_and_the_browser_is_asked_to_keep_it(tablet, club, table):
    one = tablet(club.scorekeeper, kind=OutboxTablet)
    one.context.add_init_script(
        "navigator.storage.persist = async () => { sessionStorage.persisted = 1; return true; }"
    )
    one.open_entry(table)
    one.enter_win("Bob")
    one.may_be_lost = True
    one.page.route("**/commands/", lambda route: route.abort())
    one.save_lost(1)
    one.wait_until("() => sessionStorage.persisted === '1'")
    one.open("/outbox/")
    expect(one.page.locator("#saved-items")).to_contain_text("Hand 1")
    # The tables opened here are remembered.
    expect(one.page.locator("#opened-tables a")).to_contain_text(f"{club.club.name}, table {table.table}")
    one.page.evaluate(OFFER)
    # The page has read what waits by the time that the test has.
    assert [command["words"] for command in one.kept()] == ["Hand 1: Bob goes Mah-jong"]
    expect(one.page.get_by_role("heading", name="Add Clubscore to the Home Screen")).to_be_hidden()
    one.page.unroute_all(behavior="wait")
    one.page.evaluate("() => { dispatchEvent(new Event('online')); }")
    expect(one.page.locator("#saved-items")).to_contain_text("Nothing to send")
    one.page.evaluate(OFFER)
    expect(one.page.get_by_role("heading", name="Add Clubscore to the Home Screen")).to_be_visible()


@pytest.mark.long
def test_an_ipad_is_told_how_to_do_it_by_hand(tablet, club):
    one = tablet(club.scorekeeper, kind=OutboxTablet)
    one.context.add_init_script(SAFARI)
    one.open("/outbox/")
    expect(one.page.get_by_text("Add to Home Screen")).to_be_visible()
    expect(one.page.get_by_role("button", name="Add Clubscore now")).to_be_hidden()


@pytest.mark.parametrize("first", ["/sign-in/", "/p/bramley/"])
def test_whoever_comes_by_any_page_finds_more_than_the_browsers_error(tablet, club, first):
    Club.objects.update(shows_meetings=True)
    one = tablet(kind=OutboxTablet)
    one.open(first)
    one.wait_until(
        "async () => { hurry(1500); return Boolean((await navigator.serviceWorker.getRegistration())?.active); }"
    )
    one.lose_network()
    one.open("/")
    expect(one.page.get_by_role("heading", name="Hands saved on this tablet", level=1)).to_be_visible()
    one.open("/when-the-wifi-fails/")
    expect(one.page.get_by_role("heading", name="When the Wi-Fi fails")).to_be_visible()
    expect(one.page.locator(".says")).to_contain_text("The hand is safe on the tablet.")


@pytest.mark.long
def test_whoever_is_signed_in_finds_the_page_of_the_club(tablet, club):
    one = tablet(club.scorekeeper, kind=OutboxTablet)
    one.open("/c/bramley/")
    one.page.evaluate("() => { hurry(1500); return navigator.serviceWorker.ready.then(() => true); }")
    one.wait_for_page_kept("/c/bramley/")
    one.lose_network()
    one.open("/")
    expect(one.page.get_by_role("heading", name="Bramley Mah-jong Group", level=1)).to_be_visible()
