"""Enters hands as the file of an afternoon tells them, by taps; knows where each fact of a hand is tapped."""

import re

from playwright.sync_api import expect

EXTRA = {"too many": "Too many tiles", "too few": "Too few tiles"}
PENALTIES = {"misnamed discard": "Misnamed discard, claimed for a set", "cannon": "Letting off a cannon"}


def short(name):
    """The name shown at the table: the first one, as the club's list has it."""
    return name.split()[0]


def enter(tablet, hand, seats):
    """Enter a whole hand from the screen of the hand: players in table order, then penalties.

    `hand` is an input in score format, `seats` who sits at each wind. Only who goes Mah-jong may lay down 14
    tiles, so the winner is said first.
    """
    if hand.get("mahjong"):
        mark_winner(tablet, short(seats[hand["mahjong"]["by"]]))
    for wind, form in hand["hands"].items():
        enter_player(tablet, short(seats[wind]), form)
    if hand.get("mahjong", {}).get("from"):
        enter_last_tile(tablet, hand["mahjong"], seats)
    for penalty in hand.get("penalties", []):
        enter_penalty(tablet, penalty, seats)


def enter_player(tablet, name, form):
    if not form:
        tablet.choose_hand(name, "nothing")
    elif "total" in form:
        tablet.choose_hand(name, "total", str(form["total"]))
    elif "points" in form:
        tablet.choose_hand(name, "other")
        tablet.tap("Points and doubles")
        tablet.figures(str(form["points"]))
        tablet.page.get_by_label("Doubles").tap()
        tablet.figures(str(form["doubles"]))
    else:
        tablet.choose_hand(name, "tiles")
        tablet.tiles(form)
        enter_facts(tablet, form)


def enter_facts(tablet, form):
    if form.get("fishing"):
        # Thirteen tiles that fish for one are suggested as such, by its name.
        tablet.page.get_by_role("button", name=re.compile("^Fishing for ")).tap()
    if form.get("original_call") or form.get("count"):
        tablet.tap("Anything special?")
        tablet.tap("Original call" if form.get("original_call") else EXTRA[form["count"]])
        tablet.tap("Done")


def enter_special(tablet, name, special):
    """Enter a hand by its name; who goes Mah-jong with it is said first."""
    tablet.everybody()
    tablet.choose_hand(name, "other")
    tablet.tap(f"{name} goes Mah-jong")
    tablet.tap("Special hand by name")
    tablet.page.locator("#way-special").get_by_role("button", name=special).tap()


def mark_winner(tablet, name):
    tablet.everybody()
    tablet.page.get_by_role("group", name="Who went Mah-jong?").get_by_role("button", name=name, exact=True).tap()


def enter_last_tile(tablet, mahjong, seats):
    name = short(seats[mahjong["by"]])
    tablet.page.locator("#seat-tabs").get_by_role("button", name=name).tap()
    last = tablet.page.get_by_role("group", name="Last tile from")
    source = short(seats.get(mahjong["from"], "The_wall")).replace("_", " ")
    tablet.last_tile_from(last.get_by_role("button", name=source, exact=True), mahjong["tile"])
    if mahjong.get("last_tile"):
        tablet.tap("Anything special?")
        tablet.tap("Last tile of the wall")
        tablet.tap("Done")


def enter_penalty(tablet, penalty, seats):
    tablet.everybody()
    tablet.tap("Penalty")
    choose = tablet.page.locator
    choose("#penalty-kind").get_by_text(PENALTIES[penalty["kind"]]).tap()
    choose("#penalty-by").get_by_text(short(seats[penalty["by"]]), exact=True).tap()
    if penalty.get("to"):
        choose("#penalty-to").get_by_text(short(seats[penalty["to"]]), exact=True).tap()
    tablet.tap("Add the penalty")


def expect_score(tablet, expected, seats):
    """Expect what the page says of a whole hand before it is saved: totals, nets and payments between people."""
    tablet.everybody()
    score = tablet.page.locator("#score")
    expect(score).to_have_attribute("data-state", "whole")
    for wind, name in seats.items():
        player = score.locator(".score-player").filter(has_text=short(name))
        expect(player.locator(".score-figures b")).to_have_text(f"{expected['hands'][wind]['total']:,}")
        expect(player.locator(".score-figures")).to_contain_text(signed(expected["net"][wind]))


def expect_table(tablet, hand, running, start):
    """Expect the table page: who sits where in the coming hand, and every balance."""
    board = tablet.page.locator("#board")
    for name, balance in running.items():
        person = board.locator(".seat, .sitter").filter(has_text=short(name))
        expect(person.locator(".balance")).to_have_text(whole(start + balance))
    for wind, name in hand["seats"].items():
        seat = board.locator(".seat").filter(has_text=short(name))
        expect(seat.locator(".seat-wind")).to_contain_text({"E": "East", "S": "South", "W": "West", "N": "North"}[wind])
    expect(board.locator(".sitter")).to_contain_text(short(hand["sits_out"]))
    rounds = {"E": "East", "S": "South"}
    expect(board.locator(".felt-middle")).to_contain_text(f"{rounds[hand['wind_of_round']]} is the wind of the round")
    expect(board.locator(".felt-middle .goulash")).to_have_count(1 if hand["goulash"] else 0)


def whole(number):
    """Write a number as the pages do: with commas, and a minus sign which is one."""
    return f"{number:,}".replace("-", "−")


def signed(number):
    return f"+{whole(number)}" if number > 0 else whole(number)
