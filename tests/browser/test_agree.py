"""Where the club asks for it another player agrees to a hand: on the tablet, without JavaScript, or later."""

import pytest
from playwright.sync_api import expect

from sessions_app.models import Club, Entry, Hand

from .outbox_tablet import OutboxTablet
from .tablet import LANDSCAPE

QUESTION = "Pass the tablet to another player. Is this right?"
DOUBLE_PRESS = """async (words) => {
  document.getElementById("go-on").click();
  const isIt = (one) => one.textContent === words && one.offsetParent;
  const button = () => [...document.querySelectorAll("#agree button")].find(isIt);
  while (!button()) await new Promise(requestAnimationFrame);
  button().click();
}"""


@pytest.fixture
def asking(club):
    Club.objects.filter(pk=club.club.pk).update(asks_agreement=True)
    return club


def a_hand(one, table):
    """Enter a whole hand by taps: Bob goes Mah-jong with 40, the others have nothing."""
    one.open(f"/c/bramley/sessions/{table.pk}/hands/new/")
    one.choose_hand("Bob", "total")
    one.figures("40")
    one.everybody()
    one.page.get_by_role("group", name="Who went Mah-jong?").get_by_role("button", name="Bob", exact=True).tap()
    for name in ("Alice", "Carol", "Dave"):
        one.choose_hand(name, "nothing")
        one.everybody()


def save(one):
    one.page.locator("#go-on").tap()
    expect(one.page.get_by_role("heading", name=QUESTION)).to_be_focused()
    # A second tap of the same press would agree to nothing: it counts only after a moment.
    one.pass_moment()


def only_entry():
    return Entry.objects.get(kind="hand")


def test_another_player_agrees_with_the_whole_score_in_sight(tablet, asking, table):
    one = tablet(asking.scorekeeper)
    a_hand(one, table)
    save(one)
    step = one.page.locator("#agree")
    expect(step).to_contain_text("Bob is East next")
    expect(step.locator(".payments li")).to_have_count(3)
    assert step.locator(".agree-names button").all_inner_texts() == [
        "Alice agrees", "Bob agrees", "Carol agrees", "Dave agrees"
    ]  # fmt: skip
    one.tap("Carol agrees")
    expect(one.page.locator("#board")).to_be_visible()
    expect(one.page.locator("#saved-words")).to_have_text("All saved")
    assert only_entry().body["agreed"] == "3"

    one.open(f"/c/bramley/sessions/{table.pk}/")
    one.follow("Bob goes Mah-jong", exact=False)
    expect(one.page.locator("#main")).to_contain_text("Carol agreed to this hand.")


@pytest.mark.long
def test_without_the_server_it_asks_about_what_was_entered(tablet, asking, table):
    one = tablet(asking.scorekeeper, kind=OutboxTablet, service_workers="block")
    one.open_entry(table)
    one.lose_network()
    one.enter_win("Bob", "40")
    save(one)
    step = one.page.locator("#agree")
    expect(step).to_contain_text("Bob: A total of 40, Mah-jong")
    expect(step).not_to_contain_text("nothing yet", ignore_case=True)
    one.tap("Something is wrong")
    one.pass_moment()
    save(one)
    expect(step.get_by_role("listitem").filter(has_text="Bob")).to_have_count(1)
    one.tap("Carol agrees")
    expect(one.page.locator("#messages")).to_contain_text("Hand 1: ")
    one.find_network()
    expect(one.page.locator("#board")).to_be_visible()
    expect(one.page.locator("#saved-words")).to_have_text("All saved")
    assert only_entry().body["agreed"] == "3"


@pytest.mark.long
def test_something_is_wrong_leads_back_to_the_hand_as_it_was(tablet, asking, table):
    one = tablet(asking.scorekeeper)
    a_hand(one, table)
    before = one.draft()["body"]
    save(one)
    one.tap("Something is wrong")
    expect(one.page.locator("#agree")).to_be_hidden()
    expect(one.page.locator("#everybody #score")).to_have_attribute("data-state", "whole")
    assert one.draft()["body"] == before
    assert Hand.objects.count() == 0
    save(one)
    one.tap("Alice agrees")
    expect(one.page.locator("#board")).to_be_visible()
    expect(one.page.locator("#saved-words")).to_have_text("All saved")
    assert only_entry().body["agreed"] == "1"


@pytest.mark.long
def test_gone_on_without_it_counts_is_marked_and_is_agreed_to_later(tablet, asking, table):
    one = tablet(asking.scorekeeper)
    a_hand(one, table)
    save(one)
    one.tap("Save without an answer")
    expect(one.page.locator("#board")).to_be_visible()
    expect(one.page.locator("#saved-words")).to_have_text("All saved")
    assert only_entry().body["agreed"] == ""
    assert table.tallies.get(seat__seat_no=2).net == 160

    one.open(f"/c/bramley/sessions/{table.pk}/")
    expect(one.page.locator(".sheet .badge")).to_have_text("not agreed yet")
    one.follow("Bob goes Mah-jong", exact=False)
    one.tap("Dave agrees")
    expect(one.page.locator("#main")).to_contain_text("Dave agreed to this hand.")
    one.open(f"/c/bramley/sessions/{table.pk}/")
    expect(one.page.locator(".sheet .badge")).to_have_count(0)


@pytest.mark.long
def test_a_double_tap_on_save_agrees_to_nothing(tablet, asking, table):
    one = tablet(asking.scorekeeper)
    a_hand(one, table)
    # Both presses by the page itself: how soon a test's second one comes is the machine's affair.
    one.page.evaluate(DOUBLE_PRESS, "Alice agrees")
    expect(one.page.locator("#agree")).to_be_visible()
    assert Entry.objects.count() == 0


@pytest.mark.long
def test_a_correction_asks_again(tablet, asking, table):
    one = tablet(asking.scorekeeper)
    a_hand(one, table)
    save(one)
    one.tap("Carol agrees")
    expect(one.page.locator("#board")).to_be_visible()
    expect(one.page.locator("#saved-words")).to_have_text("All saved")
    one.open(f"/c/bramley/sessions/{table.pk}/hands/{only_entry().key}/change/")
    one.choose_hand("Bob", "total")
    one.figures("400")
    one.everybody()
    one.tap("Show what changes")
    expect(one.page.get_by_role("heading", name=QUESTION)).to_be_visible()
    one.tap("Alice agrees")
    expect(one.page.locator("#board")).to_be_visible()
    expect(one.page.locator("#saved-words")).to_have_text("All saved")
    assert only_entry().body["hands"]["2"] == {"total": 400}
    assert only_entry().body["agreed"] == "1"


@pytest.mark.long
def test_without_javascript_the_same_is_asked(tablet, asking, table):
    one = tablet(asking.scorekeeper, LANDSCAPE, java_script_enabled=False)
    typed(one, table)
    expect(one.page.get_by_role("heading", name=QUESTION)).to_be_visible()
    expect(one.page.locator("#score .payments li")).to_have_count(4)
    one.tap("Something is wrong")
    expect(one.page.locator("[name=total_2]")).to_have_value("40")
    # The one that was entered, and an empty one to add another.
    expect(one.page.locator("[name=penalty_amount]")).to_have_count(2)
    expect(one.page.locator("[name=penalty_amount]").first).to_have_value("7")
    one.tap("Save hand 1")
    one.tap("Carol agrees")
    expect(one.page.locator("#board")).to_be_visible()
    assert only_entry().body["agreed"] == "3"
    assert only_entry().body["penalties"] == [{"kind": "fine", "by": "1", "to": "4", "amount": 7}]


def typed(one, table):
    one.open(f"/c/bramley/sessions/{table.pk}/hands/new/")
    for number in "1234":
        one.page.locator(f"[name=form_{number}]").select_option("total" if number == "2" else "nothing")
    one.page.locator("[name=total_2]").fill("40")
    one.page.locator("[name=winner]").select_option("2")
    one.page.locator("[name=penalty_kind]").select_option("fine")
    one.page.locator("[name=penalty_by]").select_option("1")
    one.page.locator("[name=penalty_to]").select_option("4")
    one.page.locator("[name=penalty_amount]").fill("7")
    one.tap("Save hand 1")


@pytest.mark.long
def test_where_the_club_does_not_ask_nothing_is_asked(tablet, club, table):
    one = tablet(club.scorekeeper)
    a_hand(one, table)
    one.page.locator("#go-on").tap()
    expect(one.page.locator("#board")).to_be_visible()
    assert "agreed" not in only_entry().body
