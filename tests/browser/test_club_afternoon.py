"""A club's afternoon at the five-handed table, by taps: a wrong winner, found two hands later, and all comes right."""

import csv
import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from sessions_app.models import Club
from sessions_app.people.log import Actor
from sessions_app.people.players import add_player
from tests import share

from . import club_afternoon as afternoon
from .club_afternoon import short, signed, whole
from .conftest import login

FILE = json.loads((Path(__file__).parent.parent / "data" / "club-night.json").read_text(encoding="utf-8"))
TABLE = next(table for table in FILE["tables"] if table["table"] == 1)
HANDS = {hand["number"]: hand for hand in TABLE["hands"]}
START = 2000
PASSWORD = "plum orchid bamboo"
WINDS = ("East", "South", "West", "North")
# What is tapped besides the tiles.
TELLING = {"total", "points", "fishing", "original_call", "count"}


@pytest.fixture
def keeper(live_server, transactional_db):
    """Make the file's club with its members, and a scorekeeper with a password."""
    club = Club.objects.create(name=FILE["club"], slug="bramley")
    for name in FILE["members"]:
        add_player(club, full_name=name, by=Actor(name="The test"))
    return login(club, "keeper", "scorekeeper", PASSWORD)


@pytest.mark.long
def test_an_afternoon_by_taps_with_a_wrong_winner_put_right(tablet, keeper):
    one = tablet()
    sign_in(one)
    start_session(one)
    play(one, 1)
    play(one, 2)
    type_hand_3_for_the_wrong_winner(one)
    play_hand_4_and_5_as_the_table_page_seats_them(one)
    correct_hand_3(one)
    put_hand_5_right(one)
    afternoon.expect_table(one, HANDS[6], HANDS[5]["running"], START)
    for number in range(6, 14):
        play(one, number)
    finish(one)
    expect_sheet(one)
    expect_totals_csv(one)
    expect_hands_csv(one)


def sign_in(one):
    one.open("/")
    one.page.get_by_label("Name").fill("keeper")
    one.page.get_by_label("Password").fill(PASSWORD)
    one.tap("Sign in")


def start_session(one):
    one.follow("Start a table")
    page = one.page
    seats = TABLE["start"]["seats"]
    for wind, label in zip("ESWN", WINDS, strict=True):
        page.get_by_label(label, exact=False).first.select_option(seats[wind])
    page.get_by_label("Sits out first").first.select_option(TABLE["start"]["sits_out"])
    page.get_by_label("Date").fill(FILE["date"])
    page.get_by_label("Table number").fill("1")
    page.get_by_text("Rules: British (BMJA)").tap()
    page.get_by_label("Starting balance").fill(str(START))
    one.tap("Start playing")
    afternoon.expect_table(one, HANDS[1], dict.fromkeys(TABLE["players"], 0), START)


def play(one, number):
    """Enter a hand of the file; the score before saving and the table after it are the file's."""
    hand = HANDS[number]
    one.follow_to_entry()
    if number == 8:
        enter_the_special_hand_by_name(one, hand)
    else:
        afternoon.enter(one, hand["input"] if number < 6 else in_short(hand), hand["seats"])
    afternoon.expect_score(one, hand["expect"], hand["seats"])
    one.tap(f"Save hand {number}")
    afternoon.expect_table(one, HANDS.get(number + 1, next_hand()), hand["running"], START)


def in_short(hand):
    """Return a hand's input with the totals of those whose tiles show no new thing to tap; with --long as it is."""
    by = hand["input"]["mahjong"]["by"]
    forms = {
        wind: form
        if share.is_long or wind == by or not form or TELLING & form.keys()
        else {"total": hand["expect"]["hands"][wind]["total"]}
        for wind, form in hand["input"]["hands"].items()
    }
    return {**hand["input"], "hands": forms}


def next_hand():
    return TABLE["next_hand"]


def enter_the_special_hand_by_name(one, hand):
    """Hand 8 is read out tile by tile in the file; here its winner knows its name."""
    by = hand["input"]["mahjong"]["by"]
    name = short(hand["seats"][by])
    others = {wind: form for wind, form in in_short(hand)["hands"].items() if wind != by}
    afternoon.enter_special(one, name, "All Pair Honours")
    afternoon.enter(one, {"hands": others}, hand["seats"])


def type_hand_3_for_the_wrong_winner(one):
    """East is marked as Mah-jong instead of South, so East seems to keep the deal."""
    hand = HANDS[3]
    one.follow_to_entry()
    totals = {wind: {"total": played["total"]} for wind, played in hand["expect"]["hands"].items()}
    afternoon.enter(one, {"hands": totals, "mahjong": {"by": "E"}}, hand["seats"])
    one.tap("Save hand 3")
    expect(one.page.locator(".next-east")).to_have_text(f"{short(hand['seats']['E'])} is East")


def play_hand_4_and_5_as_the_table_page_seats_them(one):
    """Nobody wins hand 4. In hand 5 the page asks for one who sat out, and knows nothing of one who played."""
    one.tap("Nobody went Mah-jong")
    hand = HANDS[5]
    # Until the server has answered another button stands where the first was pressed, and a second press there is none.
    expect(one.page.locator("#messages")).to_contain_text("Hand 4: ")
    expect(one.page.locator(".felt-middle .goulash")).to_be_visible()
    missing, instead = short(hand["seats"]["N"]), short(hand["sits_out"])
    one.follow_to_entry()
    expect(one.page.locator("#sits-out")).to_contain_text(f"{missing} sits out this hand")
    afternoon.enter(one, hand["input"], {**hand["seats"], "N": instead})
    one.tap("Save hand 5")
    expect(one.page.locator(".history")).to_contain_text("5")


def correct_hand_3(one):
    hand = HANDS[3]
    one.page.locator(".history").get_by_role("link", name="3 ", exact=False).first.tap()
    one.follow("Change this hand")
    afternoon.enter(one, hand["input"], hand["seats"])
    afternoon.expect_score(one, hand["expect"], hand["seats"])
    one.tap("Show what changes")
    expect_preview(one)
    one.tap("Follow the rotation")
    expect(one.page.locator("#board")).to_contain_text("Please check hand 5")


def expect_preview(one):
    """East and who sits out, before and after, of hands 4 and 5; and hand 5 no longer fits."""
    shown = one.page.get_by_role("dialog", name="What changes with hand 3")
    page = shown.locator(".preview-choice").filter(has_text="By the rotation")
    page.get_by_text("Hand by hand").tap()
    east, sitter = short(HANDS[3]["seats"]["E"]), short(HANDS[3]["sits_out"])
    for number in (4, 5):
        hand = HANDS[number]
        lines = page.locator("tbody", has=one.page.get_by_role("rowheader", name=str(number), exact=True)).locator("tr")
        before, after = lines.all()
        assert cells(before)[:4] == [str(number), "before", east, sitter]
        assert cells(after)[:4] == [str(number), "after", short(hand["seats"]["E"]), short(hand["sits_out"])]
    expect(page).to_contain_text("Please check hand 5")
    expect(page).to_contain_text("is not playing in this hand but has tiles entered, and")


def cells(row):
    return [text.strip() for text in row.locator("th, td").all_inner_texts()]


def put_hand_5_right(one):
    hand = HANDS[5]
    # The page of a hand is the server's.
    expect(one.page.locator("#saved-words")).to_contain_text("All saved")
    one.follow("Look at hand 5")
    expect(one.page.locator("#main")).to_contain_text("Please check this hand")
    one.page.get_by_role("link", name="Change this hand").first.tap()
    missing, instead = short(hand["seats"]["N"]), short(hand["sits_out"])
    expect(one.page.locator("#problems")).to_contain_text(
        f"{instead} is not playing in this hand, but has tiles entered"
    )
    one.tap(f"It was {missing}’s")
    afternoon.expect_score(one, hand["expect"], hand["seats"])
    one.tap("Show what changes")
    one.tap("Change the hand")
    expect(one.page.locator("#board")).not_to_contain_text("Please check hand")


def finish(one):
    one.pass_moment()
    one.page.get_by_text("Stop or pause").tap()
    one.tap("Finish the table")
    one.page.locator(".board-head").get_by_role("link", name="The sheet").tap()


def expect_sheet(one):
    """Every player's balance after every hand, and the totals."""
    page = one.page
    expect(page.get_by_role("heading", name="Hand by hand")).to_be_visible()
    # The heading is there before the rules have drawn the rows.
    expect(page.locator("table.sheet tbody tr")).to_have_count(len(HANDS) + 2)
    rows = page.locator("table.sheet tbody tr").all()
    players = [text.strip() for text in page.locator("table.sheet thead th.num").all_inner_texts()]
    assert players == [short(name) for name in TABLE["players"]]
    for number, row in zip(HANDS, rows[1:], strict=False):
        hand = HANDS[number]
        shown = row.locator(".sheet-balance").all_inner_texts()
        assert [number, shown] == [number, [whole(START + hand["running"][name]) for name in TABLE["players"]]]
    assert cells(rows[-1])[2:] == [signed(TABLE["final"][name]) for name in TABLE["players"]]


def download(one, words):
    with one.page.expect_download() as coming:
        one.follow(words)
    path = coming.value.path()
    with open(path, encoding="utf-8-sig", newline="") as file:
        return coming.value.suggested_filename, list(csv.DictReader(file))


def expect_totals_csv(one):
    name, rows = download(one, "Download totals (CSV)")
    assert name == "bramley-2026-11-12-table-1-totals.csv"
    assert {row["Player"]: int(row["Won or lost"]) for row in rows} == TABLE["final"]
    assert {row["Player"]: int(row["Balance"]) for row in rows} == {
        name: START + net for name, net in TABLE["final"].items()
    }


def expect_hands_csv(one):
    """The running totals of the file, hand by hand, and who sat where."""
    name, rows = download(one, "Download hands (CSV)")
    assert name == "bramley-2026-11-12-table-1-hands.csv"
    assert {int(row["Hand"]) for row in rows} == set(HANDS)
    for number, hand in HANDS.items():
        shown = [row for row in rows if row["Hand"] == str(number)]
        assert {row["Player"]: int(row["Won or lost so far"]) for row in shown} == hand["running"]
        assert {row["Wind"]: row["Player"] for row in shown} == {**hand["seats"], "out": hand["sits_out"]}
        nets = {row["Player"]: int(row["Won or lost"]) for row in shown if row["Wind"] != "out"}
        assert nets == hand["net_by_player"]
        assert {row["Question"] for row in shown} == {""}
