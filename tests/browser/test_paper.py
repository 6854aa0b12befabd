"""A paper sheet keyed in by the keyboard alone: the fewest keys, the right balances, nothing lost on the way."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from sessions_app.models import Tally
from sessions_app.people.players import add_player
from sessions_app.table.sessions import start_session

from .conftest import AFTERNOON, BY
from .outbox_tablet import WITHOUT_RULES

NIGHT = json.loads((Path(__file__).parent.parent / "data" / "club-night.json").read_text(encoding="utf-8"))
TABLE_2 = next(table for table in NIGHT["tables"] if table["table"] == 2)
PLAYERS = TABLE_2["players"]  # Pauline B, Roy S, Christine M, Keith J: East, South, West, North at the start
KEYED = [hand for hand in TABLE_2["hands"] if hand["number"] != 10]  # the tenth is void: a false Mah-jong
# Five hands more, in West's round: totals in that order of players, and the letter of the winner.
MORE = [
    # Roy (South) wins 40: Pauline (East) pays 80, the others 40 each. Pauline 20, Christine 10, Keith 0: Christine pays
    # Pauline 20, Keith pays Pauline 40 and Christine 10. Nets -20, 160, -50, -90.
    ((20, 40, 10, 0), "S"),
    # Roy is East and wins 30: each pays 60. Christine 6, Pauline 2, Keith 0: Keith pays Christine 6 and Pauline 2,
    # Pauline pays Christine 4. Nets -62, 180, -50, -68. Roy keeps the deal.
    ((2, 30, 6, 0), "E"),
    (None, "D"),
    # A goulash: Pauline (North) wins 100, Roy (East) pays 200, the others 100 each. Nets 400, -200, -100, -100.
    ((100, 0, 0, 0), "N"),
    # Keith (South) wins 24: Christine (East) pays 48, the others 24 each. Christine 12, Roy 8, Pauline 0: Pauline pays
    # Christine 24 and Roy 8, Roy pays Christine 8. Nets -56, -24, -16, 96.
    ((0, 8, 12, 24), "S"),
]
# The afternoon's own end, without the false Mah-jong (Pauline paid 500 to each) and the fine (Christine paid Keith 50),
# and with those five hands.
PENALTIES_BACK = {"Pauline B": 1500, "Roy S": -500, "Christine M": -500 + 50, "Keith J": -500 - 50}
FIVE_NETS = {
    "Pauline B": -20 - 62 + 400 - 56,
    "Roy S": 160 + 180 - 200 - 24,
    "Christine M": -50 - 50 - 100 - 16,
    "Keith J": -90 - 68 - 100 + 96,
}
AT_THE_END = {"Pauline B": 7448, "Roy S": -1314, "Christine M": 1894, "Keith J": -28}


def lines():
    """What is keyed in: totals in the order of the columns (None: nobody went Mah-jong), and the winner's letter."""
    for hand in KEYED:
        wind = {name: letter for letter, name in hand["seats"].items()}
        won = hand["input"].get("mahjong")
        totals = [hand["expect"]["hands"][wind[name]]["total"] for name in PLAYERS] if won else None
        yield totals, won["by"] if won else "D"
    yield from MORE


class Keys:
    """A keyboard that counts."""

    def __init__(self, page):
        self.page = page
        self.figures = self.others = 0

    def type(self, number):
        for figure in str(number):
            self.page.keyboard.press(figure)
            self.figures += figure.isdigit()
            self.others += not figure.isdigit()

    def press(self, key):
        self.page.keyboard.press(key)
        self.others += 1

    def line(self, totals, letter, between="Enter"):
        for total in totals or ():
            self.type(total)
            self.press(between)
        self.press(letter)


@pytest.fixture
def paper(club, tablet):
    """Seat the four of the second table; open the page for its paper sheet."""
    players = [add_player(club.club, full_name=name, by=BY) for name in PLAYERS]
    session = start_session(club.club, AFTERNOON, 2, players, "bmja", {}, by=BY, starting_balance=2000)
    one = tablet(club.scorekeeper)
    one.session = session
    one.address = f"/c/bramley/sessions/{session.pk}/paper/"
    one.open(one.address)
    return one


def balances(session):
    return {
        tally.player.full_name: tally.balance
        for tally in Tally.objects.filter(session=session).select_related("player").order_by("seat__seat_no")
    }


def saved(one, words):
    expect(one.page.locator("#board")).to_be_visible()
    expect(one.page.locator("#messages")).to_contain_text(words)


def test_what_is_expected_is_added_up_right():
    assert {
        name: 2000 + TABLE_2["final"][name] + PENALTIES_BACK[name] + FIVE_NETS[name] for name in PLAYERS
    } == AT_THE_END


@pytest.mark.parametrize("between", ["Enter", "Tab"])
def test_sixteen_hands_by_keyboard_alone(paper, between, capsys):
    keys = Keys(paper.page)
    for totals, letter in lines():
        keys.line(totals, letter, between)
    expect(paper.page.locator("#save-paper")).to_have_text("Save 16 hands")
    while paper.page.evaluate("document.activeElement.id") != "save-paper":
        keys.press("Tab")
    keys.press("Enter")
    saved(paper, "16 hands are recorded.")
    assert balances(paper.session) == AT_THE_END
    assert paper.session.hands.count() == 16
    limit = 16 * (5 + 4) + keys.figures
    with capsys.disabled():
        print(f"\n16 hands with {between}: {keys.figures} figures and {keys.others} other keys; {limit} allowed in all")
    assert keys.figures + keys.others <= limit


@pytest.mark.long
def test_a_sheet_is_typed_and_saved_where_the_rules_do_not_answer(paper):
    page, keys = paper.page, Keys(paper.page)
    paper.context.add_init_script(WITHOUT_RULES)
    paper.open(paper.address)
    keys.line((0, 8, 0, 0), "S")
    keys.line((0, 0, 8, 0), "S")
    expect(page.locator("#winner_1")).to_have_value("S")
    expect(page.locator("#row_1 .winner-name")).to_have_text("Roy")
    expect(page.locator("#winner_2")).to_have_value("S")
    expect(page.locator("#row_2 .cell-wind")).to_have_text(["", "", "", ""])
    expect(page.locator("#row_2 .paper-balance")).to_have_text(["1,976", "2,016", "2,024", "1,984"])
    paper.expect_status(422)
    paper.tap("Save 2 hands")
    expect(page.locator("#error-summary li")).to_have_text(
        [
            "Hand 1: Roy: A winner scores at least 20. Is 8 right?",
            "Hand 2: Christine: A winner scores at least 20. Is 8 right?",
            "If these scores are right, press Save again.",
        ]
    )
    paper.tap("Save 2 hands")
    saved(paper, "2 hands are recorded.")
    # Roy wins 8 as South: 16 from Pauline (East), 8 each. Christine, South now, wins 8: 16 from Roy, 8 each.
    assert balances(paper.session) == {"Pauline B": 1976, "Roy S": 2016, "Christine M": 2024, "Keith J": 1984}


@pytest.mark.long
def test_an_error_of_the_sheet_is_marked_where_it_began(paper):
    page, keys = paper.page, Keys(paper.page)
    page.locator("#every").check()
    page.locator("#total_1_1").focus()
    for hand, (totals, letter) in zip(KEYED[:9], lines(), strict=False):
        keys.line(totals, letter)
        for name in PLAYERS:
            keys.type(hand["running"][name])
            keys.press("Enter")
    expect(page.locator("#paper-status")).to_contain_text(
        "The sheet’s totals and ours differ in 2 places. We have taken them to start at 0."
    )
    found = page.locator(".is-difference")
    expect(found).to_have_text(
        [
            "From hand 8 on, Christine’s total on the sheet is 50 less than ours.",
            "From hand 8 on, Keith’s total on the sheet is 50 more than ours.",
        ]
    )
    expect(page.locator("#row_8 .is-difference")).to_have_count(2)


@pytest.mark.long
def test_totals_of_the_last_line_alone(paper):
    page, keys = paper.page, Keys(paper.page)
    for totals, letter in list(lines())[:2]:
        keys.line(totals, letter)
    keys.press("t")
    expect(page.locator("#sheet_2_1")).to_be_focused()
    page.locator("#total_1_1").focus()
    paper.tap("Add the sheet’s totals")
    expect(page.locator("#sheet_2_1")).to_be_focused()
    for total in (2000 - 972, 2000 + 762, 2000 + 582, 2000 - 272):
        keys.type(total)
        keys.press("Enter")
    expect(page.locator("#row_2 .is-difference")).to_have_text(
        ["Somewhere in hands 1 to 2: Christine’s total on the sheet is then 100 more than ours."]
    )


@pytest.mark.long
def test_an_answer_that_is_lost_records_nothing_twice(paper):
    page, keys = paper.page, Keys(paper.page)

    def lose(route):
        route.fetch()
        route.abort()

    for totals, letter in list(lines())[:3]:
        keys.line(totals, letter)
    # No request is held back for certain while a worker begins.
    expect(page.locator("#paper-status")).to_contain_text("is East next.")
    paper.may_be_lost = True
    page.route("**/paper/", lose, times=1)
    paper.tap("Save 3 hands")
    expect(page.locator("#error-summary")).to_contain_text("You have not lost anything. Press Save again.")
    assert paper.session.hands.count() == 3
    expect(page.locator("#total_1_2")).to_have_value("128")
    paper.tap("Save 3 hands")
    saved(paper, "3 hands are recorded.")
    assert paper.session.hands.count() == 3
    paper.open(paper.address)
    expect(page.locator(".paper-hand b:visible")).to_have_text(["Hand 4"])


@pytest.mark.long
def test_on_a_touch_screen_whoever_won_is_tapped(paper):
    page = paper.page
    expect(page.get_by_text("tap who went Mah-jong")).to_be_visible()
    expect(page.get_by_text("Press T")).to_be_hidden()
    expect(page.locator("#winner_1")).to_be_hidden()
    won = page.get_by_role("group", name="Mah-jong in hand 1").get_by_role("button")
    # Alice is East of the first hand.
    assert won.evaluate_all("(all) => all.map((one) => getComputedStyle(one, '::before').content)") == [
        *(f'"{wind}"' for wind in "ESWN"),
        "none",
    ]
    expect(won).to_have_text([*(name.split()[0] for name in PLAYERS), "Nobody"])
    for seat, total in enumerate((64, 0, 8, 2), 1):
        page.locator(f"#total_1_{seat}").fill(str(total))
    won.first.tap()
    expect(won.first).to_have_attribute("aria-pressed", "true")
    # The next line is there, with the cursor in it.
    expect(page.locator("#total_2_1")).to_be_focused()
    page.get_by_role("group", name="Mah-jong in hand 2").get_by_role("button", name="Nobody").tap()
    expect(page.locator("#total_3_1")).to_be_focused()
    paper.tap("Save 2 hands")
    saved(paper, "2 hands are recorded.")
    assert [entry.body["mahjong"] for entry in paper.session.entries.order_by("position")] == [{"by": "1"}, None]
