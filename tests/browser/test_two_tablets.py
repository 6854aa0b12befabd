"""Two tablets at one table: they see each other and what the other saved, and one takes in the code of the other."""

import re

import pytest
import segno
from django.urls import reverse
from playwright.sync_api import expect

from sessions_app.models import Command, Entry
from tests.reconciled import reconcile

from .outbox_tablet import RULES_ON_BOARD

# The code of a text as the tablet's own maker of codes has it.
MATRIX = """(text) => {
  const code = window.qrcode(0, "L");
  code.addData(text, "Byte");
  code.make();
  const lines = Array.from({ length: code.getModuleCount() }, (_, at) => at);
  return lines.map((row) => lines.map((column) => code.isDark(row, column)));
}"""


def at(table, name):
    return reverse(name, args=[table.club.slug, table.pk])


@pytest.fixture
def keeper(tablet, club, table):
    return tablet(club.scorekeeper)


@pytest.fixture
def second(tablet, table):
    """A tablet without a login that came by the table's key, in Bob's hands."""
    one = tablet()
    one.open(reverse("by-key", args=[table.scoring_key]))
    one.open(at(table, "tablet"))
    one.page.get_by_label("Bob").check()
    one.tap("Continue scoring")
    expect(one.page.locator("#board")).to_be_visible()
    return one


def total(one, name, figure):
    one.everybody()
    one.choose_hand(name, "total")
    one.figures(figure)


def whole_hand(one, winner="Alice", figure="40"):
    total(one, winner, figure)
    one.everybody()
    one.page.get_by_role("group", name="Who went Mah-jong?").get_by_role("button", name=winner, exact=True).tap()
    for other in {"Alice", "Bob", "Carol", "Dave"} - {winner}:
        one.everybody()
        one.choose_hand(other, "nothing")


def save(one):
    one.page.locator("#go-on").tap()
    expect(one.page.locator("#board")).to_be_visible()


@pytest.mark.long
def test_each_is_told_that_the_other_is_here(keeper, second, table):
    keeper.open(at(table, "table"))
    expect(keeper.page.locator("#others")).to_have_text("Another tablet is open here.")
    second.open(at(table, "table"))
    expect(second.page.locator("#others")).to_have_text("Another tablet is open here.")


def test_what_another_saved_meanwhile_stands_above_the_hand(keeper, second, table):
    second.open(at(table, "hand-new"))
    keeper.open(at(table, "hand-new"))
    whole_hand(keeper)
    save(keeper)
    expect(keeper.page.locator("#saved-words")).to_have_text("All saved")
    total(second, "Alice", "8")
    second.page.evaluate("hurry(3000)")
    found = second.page.get_by_text("Hand 1 has been saved on another tablet.")
    expect(found).to_be_in_viewport()
    assert found.bounding_box()["y"] < second.page.locator("#entry").bounding_box()["y"]


@pytest.fixture(params=["heard", "not heard", "not heard, with the rules on board"])
def tabs(request, keeper, table):
    """Two tabs of one browser with the same hand half entered, one of them with another total for Alice.

    Where one hears nothing of the other, only the server's answer to Save tells.
    """
    if "rules" not in request.param:
        keeper.context.add_init_script("delete window.Worker")
    if request.param != "heard":
        keeper.context.add_init_script("delete window.BroadcastChannel")
        keeper.context.route("**/others/*", lambda route: route.fulfill(status=204))
    keeper.open(at(table, "hand-new"))
    whole_hand(keeper)
    other = keeper.context.new_page()
    other.goto(keeper.page.url)
    expect(other.get_by_text("Your unfinished hand is back")).to_be_visible()
    change = other.get_by_role("button", name="Type a total, Alice")
    if not change.is_visible():
        other.get_by_role("button", name="Other ways to enter, Alice").tap()
    change.tap()
    for figure in "16":
        other.get_by_role("group", name="Figures").get_by_role("button", name=figure, exact=True).tap()
    keeper.everybody()
    keeper.expect_status(409)
    # The server is asked a little later what others saved, and the rules come.
    with other.expect_response("**/others/*"):
        other.evaluate("hurry(3000)")
    if "rules" in request.param:
        other.wait_for_function(RULES_ON_BOARD)
    return keeper, other, request.param


def test_what_two_tabs_save_of_one_hand_is_kept_whole(tabs):
    keeper, other, how = tabs
    save(keeper)
    in_another_tab = other.get_by_text("This hand has been saved in another tab.")
    if how == "heard":
        expect(in_another_tab).to_be_visible()
    else:
        expect(keeper.page.locator("#saved-words")).to_have_text("All saved")
    other.locator("#go-on").tap()
    if how != "heard":
        expect(in_another_tab).to_be_visible()
        # Not the second press of a double press.
        other.evaluate("passMoment()")
        other.locator("#go-on").tap()
    expect(other.locator(".waiting")).to_contain_text("Two versions of one hand")
    assert [one.body["hands"]["1"] for one in Entry.objects.all()] == [{"total": 40}]
    assert Command.objects.get(outcome="contested").body["hands"]["1"] == {"total": 16}
    assert reconcile() == []


@pytest.mark.long
def test_what_the_other_tab_did_not_save_is_there_after_a_reload(tabs):
    keeper, other, how = tabs
    save(keeper)
    if how == "heard":
        expect(other.get_by_text("This hand has been saved in another tab.")).to_be_visible()
    else:
        # The server's answer is the first word of it, once it has the other hand.
        expect(keeper.page.locator("#saved-words")).to_have_text("All saved")
        other.locator("#go-on").tap()
        expect(other.get_by_text("This hand has been saved in another tab.")).to_be_visible()
    other.reload()
    expect(other.locator(".hand-title")).to_contain_text("Hand 2")
    other.get_by_role("button", name="Enter it as this hand").tap()
    expect(other.locator("#score")).to_contain_text("16")
    other.reload()
    expect(other.locator("#score")).to_contain_text("16")
    expect(other.get_by_role("button", name="Enter it as this hand")).to_have_count(0)


def saved_offline(one, table):
    """Lose the network and press a button of the table: it waits on the tablet."""
    one.open(at(table, "table"))
    one.page.locator("html[data-codes]").wait_for(state="attached")
    one.may_be_lost = True
    one.context.set_offline(True)
    one.tap("Nobody went Mah-jong")
    expect(one.page.locator("#messages")).to_contain_text("Hand 1: ")


def codes(one):
    one.see_saved()
    one.tap("Show as a code")
    code = one.page.locator("#code-tables .qr svg")
    expect(code).to_be_visible()
    # A camera must be able to read it from a foot away.
    assert code.bounding_box()["width"] >= 300
    one.page.get_by_text("Show as text").tap()
    return one.page.locator("#code-tables textarea").input_value()


def test_what_waits_goes_to_the_desk_by_its_code_and_counts_once(keeper, tablet, club, table):
    saved_offline(keeper, table)
    text = codes(keeper)
    assert text.startswith("CS1z.")
    desk = tablet(club.secretary)
    desk.open(at(table, "take-in"))
    desk.page.get_by_label("The text of the code").fill(text)
    desk.tap("Check")
    expect(desk.page.locator(".taken")).to_contain_text("A hand: nobody went Mah-jong")
    desk.tap("Import 1 entry")
    expect(desk.page.locator(".taken")).to_contain_text("saved now")
    assert Entry.objects.count() == 1
    keeper.page.locator("#code-dialog").get_by_role("button", name="Close").tap()
    keeper.context.set_offline(False)
    expect(keeper.page.locator("#saved-words")).to_have_text("All saved")
    assert (Entry.objects.count(), Command.objects.count()) == (1, 1)


@pytest.mark.long
def test_a_phone_follows_the_squares(keeper, tablet, club, table):
    saved_offline(keeper, table)
    text = codes(keeper)
    address = f"{keeper.url}{at(table, 'take-in')}#{text}"
    drawn = keeper.page.locator("#code-tables .qr path").get_attribute("d")
    dark = {(int(row) - 4, int(column) - 4) for column, row in re.findall(r"M(\d+) (\d+)h1v1h-1z", drawn)}
    made = keeper.page.evaluate(MATRIX, address)
    assert dark == {(row, column) for row, line in enumerate(made) for column, is_dark in enumerate(line) if is_dark}
    phone = tablet(club.secretary, size=(390, 844))
    phone.page.goto(address)
    expect(phone.page.locator("#parts")).to_have_text("The whole code is here. Press “Check”.")
    phone.tap("Check")
    expect(phone.page.locator(".taken")).to_contain_text("A hand: nobody went Mah-jong")


@pytest.mark.long
def test_the_squares_are_those_of_another_maker_of_codes(keeper, table):
    """A text that fills its code leaves nothing to choose but the mask, of which a reader understands all eight."""
    keeper.open(at(table, "table"))
    keeper.page.wait_for_function("() => Boolean(window.qrcode)")
    for version, characters in [(5, 106), (10, 271), (18, 718), (20, 858)]:
        text = ("CS1z.0a_-Z" * 100)[:characters]
        masks = [
            segno.make(text, error="l", mode="byte", version=version, mask=mask, boost_error=False, micro=False)
            for mask in range(8)
        ]
        matrices = [[[bool(module) for module in row] for row in code.matrix] for code in masks]
        assert keeper.page.evaluate(MATRIX, text) in matrices, version
