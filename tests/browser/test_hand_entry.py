"""The hand-entry page under a finger: eight taps, any order, nothing lost, nothing twice, every refusal a sentence."""

import pytest
from playwright.sync_api import expect

from sessions_app.models import Command, Entry
from sessions_app.table.apply_command import apply_command

from ..conftest import CHROMIUM, CHROMIUM_FLAGS
from .conftest import BY, session_cookie
from .outbox_tablet import WITHOUT_RULES
from .tablet import Tablet, screen

COUNT_TAPS = "window.taps = 0; addEventListener('pointerup', () => { window.taps += 1 }, true);"
HOVER_RULES = """() => {
  const all = (rules) => [...rules].flatMap((rule) => [rule, ...all(rule.cssRules || [])]);
  const shows = ["display", "visibility", "opacity", "content", "clip", "height"];
  return [...document.styleSheets].flatMap((sheet) => all(sheet.cssRules))
    .filter((rule) => rule.selectorText?.includes(":hover") && shows.some((name) => rule.style[name]))
    .filter((rule) => document.querySelector(rule.selectorText.replaceAll(":hover", "")))
    .map((rule) => rule.cssText);
}"""


@pytest.fixture
def entry(tablet, club, table):
    """Open the page of the first hand on the scorekeeper's tablet."""
    one = tablet(club.scorekeeper)
    one.open(address(table))
    return one


def address(table):
    return f"/c/bramley/sessions/{table.pk}/hands/new/"


def bob_wins_by_totals(one, winner_first):
    """64 for Bob, who goes Mah-jong; Carol has 20, Alice (East) and Dave have nothing."""
    if winner_first:
        mark_bob(one)
    one.choose_hand("Dave", "nothing")
    one.choose_hand("Carol", "total")
    one.figures("20")
    if not winner_first:
        mark_bob(one)
    one.everybody()
    one.choose_hand("Bob", "total")
    one.figures("64")
    one.everybody()
    one.choose_hand("Alice", "nothing")
    one.everybody()


def mark_bob(one):
    one.everybody()
    one.page.get_by_role("group", name="Who went Mah-jong?").get_by_role("button", name="Bob", exact=True).tap()


def expect_balances(one, **balances):
    for name, balance in balances.items():
        expect(one.page.locator(".seat").filter(has_text=name).locator(".balance")).to_have_text(balance)


@pytest.mark.long
def test_four_pungs_a_pair_and_two_flowers_cost_eight_taps(entry):
    entry.choose_hand("Bob", "tiles")
    entry.page.evaluate(COUNT_TAPS)
    for code in ("7D", "9B", "2C", "R"):
        entry.face(code)
    expect(entry.page.locator("#entry-status")).to_contain_text("That is four sets. Tap the pair next.")
    for code in ("E", "F1", "S3"):
        entry.face(code)
    entry.tap("Next: Carol")
    taps = entry.page.evaluate("window.taps")
    print(f"{taps} taps")
    assert taps == 8
    assert entry.draft()["body"]["hands"]["2"] == {
        "sets": ["exposed pung 7D", "exposed pung 9B", "exposed pung 2C", "exposed pung R", "pair E"],
        "bonus": "F1 S3",
    }
    expect(entry.page.locator("#whose-hand")).to_contain_text("Carol")


@pytest.mark.long
@pytest.mark.parametrize("winner_first", [True, False], ids=["winner first", "losers first"])
def test_players_read_out_their_hands_in_any_order(entry, winner_first):
    bob_wins_by_totals(entry, winner_first)
    entry.tap("Save hand 1")
    expect_balances(entry, Alice="1,832", Bob="2,256", Carol="1,996", Dave="1,916")


@pytest.mark.long
def test_a_half_entered_hand_survives_the_browser_being_closed(chromium, tmp_path, club, table, live_server):
    def open_browser():
        context = chromium.browser_type.launch_persistent_context(
            tmp_path, executable_path=CHROMIUM, args=CHROMIUM_FLAGS, **screen()
        )
        one = Tablet(context, live_server.url)
        one.let_in(session_cookie(club.scorekeeper))
        one.open(address(table))
        return one

    one = open_browser()
    one.choose_hand("Carol", "total")
    one.figures("48")
    one.close()
    one = open_browser()
    expect(one.page.locator("#problems")).to_contain_text("Your unfinished hand is back as you left it.")
    expect(one.page.get_by_label("Total", exact=True)).to_have_value("48")
    one.close()
    assert one.complaints == []


@pytest.mark.long
def test_two_chows_are_refused_by_the_rules_and_everything_stays(entry, table):
    entry.expect_status(422)
    mark_bob(entry)
    entry.choose_hand("Bob", "tiles")
    entry.tiles({"sets": ["exposed chow 1C", "exposed chow 4B", "exposed pung 9D", "exposed pung R", "pair E"]})
    entry.page.get_by_role("group", name="Last tile from").get_by_role("button", name="Alice", exact=True).tap()
    entry.page.locator(".chip-R").tap()
    for name in ("Alice", "Carol"):
        entry.everybody()
        entry.choose_hand(name, "nothing")
    entry.everybody()
    entry.choose_hand("Dave", "total")
    entry.figures("16")
    entry.tap("Save hand 1")
    entry.expect_problem("chow")
    expect(entry.page).to_have_title("Error: Hand 1, table 1 – Clubscore")
    expect(entry.page.locator("#tray-list .tray-set")).to_have_count(5)
    expect(entry.page.locator(".chip-R")).to_have_attribute("aria-pressed", "true")
    entry.everybody()
    expect(entry.page.locator(".seat-card").filter(has_text="Dave")).to_contain_text("A total of 16")
    assert not Entry.objects.filter(session=table).exists()


@pytest.mark.long
def test_a_hand_for_a_session_finished_meanwhile_is_kept_for_the_secretary(tablet, club, table):
    entry = tablet(club.scorekeeper)
    # With the rules on board, as they are after two seconds, the table is shown at once.
    entry.context.add_init_script(WITHOUT_RULES)
    entry.open(address(table))
    bob_wins_by_totals(entry, winner_first=True)
    finish = {"key": "6f7d1c1e-5a0b-4a44-9a5f-0a8ad53f2a10", "kind": "finish", "body": {}}
    assert apply_command(table.pk, finish, by=BY).outcome == "recorded"
    entry.expect_status(409)
    entry.tap("Save hand 1")
    entry.expect_problem("finished")
    assert Command.objects.get(session=table, kind="hand").outcome == "late"


def test_a_tile_counts_as_the_one_finger_on_it_is_lifted(entry):
    entry.choose_hand("Bob", "tiles")
    fingers = entry.page.context.new_cdp_session(entry.page)
    touches = {
        "9B": ["start 2C", "end"],
        "8B": ["start 2C", "move R", "end"],
        "7B": ["start 2C", "start 2C 7D", "start 2C", "end"],
    }
    for sets, (next_tile, steps) in enumerate(touches.items(), 2):
        for touch in steps:
            kind, *tiles = touch.split()
            points = [middle_of(entry.page.locator(f'.face[data-tile="{tile}"]')) for tile in tiles]
            fingers.send("Input.dispatchTouchEvent", {"type": f"touch{kind.title()}", "touchPoints": points})
        # What the touches did has been done once the next is answered.
        entry.face(next_tile)
        expect(entry.page.locator(".tray-set")).to_have_count(sets)
    assert entry.draft()["body"]["hands"]["2"]["sets"] == [f"exposed pung {tile}" for tile in ("2C", *touches)]


def middle_of(locator):
    box = locator.bounding_box()
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


# Safari lets the end of a touch be cancelled where Chromium does not: when the page has scrolled under the finger.
TOUCH = """(tile, px) => {
  const { x, y } = tile.getBoundingClientRect();
  const send = (kind, down) => {
    const touch = new Touch({ identifier: 1, target: tile, clientX: x + 36, clientY: y + 20 + down });
    const touches = kind === "touchstart" ? [touch] : [];
    tile.dispatchEvent(new TouchEvent(kind, { touches, changedTouches: [touch], bubbles: true, cancelable: true }));
  };
  send("touchstart", 0);
  send("touchend", px);
}"""


@pytest.mark.long
def test_a_finger_that_scrolls_takes_the_tile_along_and_enters_nothing(entry):
    entry.choose_hand("Bob", "tiles")
    for px, sets in ((40, 0), (4, 1)):
        entry.page.locator('.face[data-tile="2C"]').evaluate(TOUCH, px)
        expect(entry.page.locator(".tray-set")).to_have_count(sets)


@pytest.mark.long
def test_nothing_is_shown_by_hovering(entry):
    assert entry.page.evaluate(HOVER_RULES) == []


@pytest.mark.long
def test_what_is_chosen_differs_in_forced_colours(tablet, club, table):
    one = tablet(club.scorekeeper, forced_colors="active")
    one.open(address(table))
    one.choose_hand("Bob", "tiles")
    chosen = one.page.locator('#modes [data-kind="pung"]')
    switch = one.page.locator("#concealed")
    look = "one => { const { backgroundColor, color } = getComputedStyle(one); return [backgroundColor, color]; }"
    assert chosen.evaluate(look) != one.page.locator('#modes [data-kind="kong"]').evaluate(look)
    off = switch.evaluate(look)
    switch.tap()
    assert switch.evaluate(look) != off


@pytest.mark.parametrize("size", [(1024, 768), (390, 844)], ids=["landscape", "phone"])
def test_the_penalties_open_in_place_and_are_read_whole(tablet, club, table, size):
    one = tablet(club.scorekeeper, size=size)
    one.open(address(table))
    one.tap("Penalty")
    kinds = one.page.locator("#penalty-kind .choice")
    expect(kinds.first).to_be_in_viewport()
    if size[0] == 1024:
        assert one.page.evaluate("scrollY") < 20
    assert (
        one.page.evaluate(
            """() => [...document.querySelectorAll("#penalty-kind .choice")]
          .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight).length"""
        )
        == 0
    )
    one.page.get_by_label("Misnamed discard, claimed for a set").tap()
    expect(one.page.get_by_role("radio", name="Misnamed discard, claimed for a set Costs 50.")).to_be_checked()
    expect(one.page.get_by_label("Amount")).to_be_hidden()
    one.page.locator("#penalty-by").get_by_text("Bob").tap()
    one.page.locator("#penalty-to").get_by_text("Alice").tap()
    one.tap("Add the penalty")
    expect(one.page.locator(".penalty-list li")).to_have_count(1)
    given = {"kind": "misnamed discard", "by": "2", "to": "1"}
    assert one.draft()["body"]["penalties"] == [given]
    one.tap("Penalties")
    one.page.get_by_role("radio", name="Misnamed discard, claimed for a set").tap()
    expect(one.page.get_by_label("Nobody. The points are lost.")).to_be_hidden()
    one.page.get_by_label("Another penalty").tap()
    one.page.locator("#penalty-by").get_by_text("Bob").tap()
    one.page.get_by_label("Nobody. The points are lost.").tap()
    one.page.get_by_label("Amount").fill("30")
    one.tap("Add the penalty")
    assert one.draft()["body"]["penalties"] == [given, {"kind": "fine", "by": "2", "amount": 30}]


def last_tile_from(one, name):
    one.page.get_by_role("group", name="Last tile from").get_by_role("button", name=name, exact=True).tap()


@pytest.mark.long
def test_a_last_tile_that_nobody_chose_is_not_shown_as_a_fact(entry, table):
    mark_bob(entry)
    entry.tiles({"sets": ["exposed pung 7D", "exposed pung 9B", "exposed pung 2C", "exposed pung R", "pair E"]})
    last_tile_from(entry, "Alice")
    expect(entry.page.locator("#tray-score")).to_contain_text("points")
    expect(entry.page.get_by_role("group", name="Which was the last tile?")).to_have_count(0)
    known = entry.page.get_by_role("group", name="Last tile", exact=True)
    expect(known).to_contain_text("It makes no difference which tile came last.")
    entry.tap("Everyone else: nothing to score")
    entry.tap("Save hand 1")
    expect(entry.page.locator("#board")).to_be_visible()
    saved = Entry.objects.get(session=table)
    assert saved.body["beside"] == {"unsure": {"2": ["any tile"]}}
    entry.open(f"/c/bramley/sessions/{table.pk}/hands/{saved.key}/")
    expect(entry.page.locator(".lead").first).to_have_text("Discarded by Alice.")
