"""Three hands at a table of each rule set besides the British ones, by taps; the sheet is what the sources give.

The hands and their nets are those of tests/data (their ids stand with them); Turner's are 20 for a discard, 40
self-drawn, and Chinese Official's false Hu, announced points and fine are worked out next to them.
"""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from sessions_app.table.sessions import start_session

from .club_afternoon import signed, whole
from .conftest import AFTERNOON, BY, PEOPLE

DATA = Path(__file__).parent.parent / "data"
WINDS = "ESWN"


def example(file, key):
    for line in (DATA / f"{file}.jsonl").read_text(encoding="utf-8").splitlines():
        found = json.loads(line)
        if found["input"].get("id") == key:
            return found
    raise LookupError(key)


class TableOf:
    """A table of four under one rule set, or one given, before its first hand, on the scorekeeper's tablet."""

    def __init__(self, tablet, club, rules, session=None):
        self.one = tablet(club.scorekeeper)
        seated = [club.players[name] for name in PEOPLE[:4]]
        self.session = session or start_session(club.club, AFTERNOON, 1, seated, rules, {}, by=BY)
        self.one.open(f"/c/bramley/sessions/{self.session.pk}/table/")

    def control(self, name):
        """Return a control of a player, as "won-2", or by its class."""
        what, _, seat = name.partition("-")
        who = PEOPLE[int(seat) - 1] if seat.isdigit() else seat
        total = re.compile("Type a total|Announced")
        words = {"enter": "tiles", "total": total, "nothing": "Nothing to score", "ways": "More ways"}
        if what in words:
            card = self.one.page.locator(f'.seat-card[aria-label^="{who},"]')
            if not (wanted := card.get_by_role("button", name=words[what])).is_visible():
                card.get_by_role("button", name="Other ways").tap()
            return wanted
        places = {
            "tab": f'.seat-tab[data-view="{seat}"]',
            "won": f'.who-buttons button:has-text("{who}")',
            "from": f'.question[aria-label="Last tile from"]:visible button:has-text("{who}")',
        }
        return self.one.page.locator(places.get(what, f".{name}"))

    def begin(self, east):
        """Open the page of the next hand; the seats are numbered in the order in which they sat down."""
        expect(self.one.page.locator(".next-east")).to_have_text(f"{east} is East")
        self.one.page.locator("#mahjong").tap()
        first = PEOPLE.index(east)
        return {wind: str((first + place) % 4 + 1) for place, wind in enumerate(WINDS)}

    def enter(self, seats, hands, mahjong):
        """Say who won, enter every hand that counts in any form, then where the last tile came from."""
        wins = mahjong if isinstance(mahjong, list) else [mahjong] if mahjong else []
        for win in wins:
            self.one.everybody()
            self.control(f"won-{seats[win['by']]}").tap()
        for wind, form in hands.items():
            self.enter_form(seats[wind], form)
        if wins and wins[0].get("from"):
            self.tell_last_tile(seats, wins[0])
        self.one.everybody()

    def enter_form(self, number, form):
        self.one.everybody()
        if not form:
            self.control(f"nothing-{number}").tap()
        elif "total" in form:
            self.control(f"total-{number}").tap()
            self.one.figures(str(form["total"]))
        else:
            self.control(f"enter-{number}").tap()
            self.one.tiles(form)

    def tell_last_tile(self, seats, win):
        tab = self.control(f"tab-{seats[win['by']]}")
        if tab.count():
            tab.tap()
        self.one.last_tile_from(self.control(f"from-{seats.get(win['from'], 'wall')}"), win.get("tile"))

    def special(self, *focused):
        """Say what was special about the winning tile of the player whose hand was entered last."""
        self.one.tap("Anything special?")
        for name in focused:
            self.control(name).tap()
        self.one.tap("Done")
        self.one.everybody()

    def expect_nets(self, seats, net):
        score = self.one.page.locator("#score")
        expect(score).to_have_attribute("data-state", "whole")
        for wind, number in seats.items():
            figures = score.locator(f'.score-player[data-seat="{number}"] .score-figures')
            expect(figures).to_contain_text(signed(net[wind]))

    def save(self, number):
        self.one.tap(f"Save hand {number}")
        expect(self.one.page.locator("#mahjong")).to_be_visible()

    def expect_sheet(self, start, balances, final=None):
        """Expect the balances of Alice, Bob, Carol and Dave on every line of the sheet, and their nets at its foot."""
        page = self.one.page
        page.locator(".board-head").get_by_role("link", name="The sheet").tap()
        expect(page.get_by_role("heading", name="Hand by hand")).to_be_visible()
        # The last hand may still be on its way, and comes to the sheet from this tablet.
        expect(page.locator("table.sheet tbody tr")).to_have_count(len(balances) + 2)
        rows = page.locator("table.sheet tbody tr").all()
        shown = [[cell.strip() for cell in row.locator(".sheet-balance").all_inner_texts()] for row in rows[1:-1]]
        assert shown == [[whole(balance) for balance in line] for line in balances]
        nets = [text.strip() for text in rows[-1].locator("td.num").all_inner_texts()]
        assert nets == [signed(balance - start) for balance in final or balances[-1]]


@pytest.fixture
def table_of(tablet, club):
    return lambda rules: TableOf(tablet, club, rules)


@pytest.mark.long
def test_western(table_of):
    """D56: no value in hand, from the wall. D60: three dragon sets of a loser are the limit. D57: a standing hand."""
    table = table_of("western")
    seats = table.begin("Alice")
    play(table, seats, "D56")
    table.save(1)
    seats = table.begin("Bob")
    play(table, seats, "D60")
    expect(table.one.page.locator("#score")).to_contain_text("Three dragons")
    table.save(2)
    seats = table.begin("Bob")
    hand = example("worked-hands", "D57")
    table.enter(seats, hand["input"]["hands"], hand["input"]["mahjong"])
    table.control(f"tab-{seats['S']}").tap()
    table.special("fact-standing")
    table.expect_nets(seats, hand["expect"]["net"])
    table.save(3)
    table.expect_sheet(2000, [[1936, 2128, 1968, 1968], [1204, 2488, 3024, 1284], [940, 1960, 4080, 1020]])


@pytest.mark.long
def test_beginners(table_of):
    """D68: everyone pays the difference. D67: a hand of 24. D70: one suit is a treble."""
    table = table_of("beginners")
    seats = table.begin("Alice")
    play(table, seats, "D68")
    table.save(1)
    seats = table.begin("Alice")
    table.control("enter-2").tap()
    expect(table.one.page.locator('.face[data-tile="7D"]')).to_have_attribute("aria-label", "7 Wheels")
    table.one.everybody()
    play(table, seats, "D67")
    table.save(2)
    seats = table.begin("Bob")
    play(table, seats, "D70")
    expect(table.one.page.locator("#score")).to_contain_text("times 3")
    table.save(3)
    table.expect_sheet(2000, [[2050, 1986, 1994, 1970], [2026, 2058, 1970, 1946], [1942, 1974, 2222, 1862]])


@pytest.mark.long
def test_baggaley(table_of):
    """r00271: two win on one discard. D79: a loser's bouquet. D80: a kong's replacement tile. Nobody pays."""
    table = table_of("baggaley")
    seats = table.begin("Alice")
    play(table, seats, "r00271", "random-hands")
    expect(table.one.page.locator("#score")).to_contain_text("Nobody pays. Everyone adds their own score.")
    table.save(1)
    expect(table.one.page.locator("#board .history")).to_contain_text("Alice and Dave go Mah-Jongg")
    seats = table.begin("Bob")
    play(table, seats, "D79")
    table.save(2)
    seats = table.begin("Carol")
    hand = example("worked-hands", "D80")
    drawn = {**hand["input"]["mahjong"], "from": "wall"}
    table.enter(seats, hand["input"]["hands"], drawn)
    table.control(f"tab-{seats['S']}").tap()
    table.special("way-loose")
    table.expect_nets(seats, hand["expect"]["net"])
    expect(table.one.page.locator("#score")).to_contain_text("Kong of 7 Cakes, closed")
    table.save(3)
    table.expect_sheet(0, [[32, 48, 6, 34], [32, 48, 58, 54], [32, 48, 58, 154]])


@pytest.mark.long
def test_a_name_that_is_a_word_of_the_rules_stays_as_it_is(table_of, club):
    """Baggaley says "Sticks" for bamboos and "open" for exposed; nobody at the table is renamed by it."""
    club.players["Alice"].full_name = club.players["Alice"].short_name = "Bamboo"
    club.players["Alice"].save()
    table = table_of("baggaley")
    page = table.one.page
    page.locator("#mahjong").tap()
    expect(table.control("tab-1")).to_contain_text("Bamboo")
    bamboo = page.locator("#who-won").get_by_role("button", name="Bamboo", exact=True)
    expect(bamboo.locator(".seat-name")).to_have_text("Bamboo")
    bamboo.tap()
    expect(page.locator("#entry-status")).to_have_text("Bamboo goes Mah-Jongg.")
    table.one.everybody()
    page.get_by_role("button", name="Enter tiles, Bamboo", exact=True).tap()
    page.locator('.face[data-tile="3B"]').first.tap()
    expect(page.locator("#entry-status")).to_have_text("Open peng: 3 Sticks.")
    expect(page.locator("#goes-mahjong")).to_have_text("Bamboo goes Mah-Jongg")
    page.locator(".tray-set").tap()
    expect(page.get_by_role("button", name="Make it closed")).to_be_visible()


def test_chinese_official(table_of):
    """13 on a discard; 24 by robbing a kong, with Carol's false Hu (20 to each); 33 announced as 30; a fine to nobody.

    Hand 2: 24 - 8 - 8 - 32 and 20 from Carol. Hand 3: Dave, South, draws himself: 8 + 30 from each.
    """
    table = table_of("chinese_official")
    page = table.one.page
    seats = table.begin("Alice")
    play(table, seats, "317d6e7a3d6a", "chinese-official", only="E")
    expect(page.locator("#score")).to_contain_text("Half Flush")
    table.save(1)
    expect(page.locator("#board .history")).to_contain_text("Alice calls Hu")
    seats = table.begin("Bob")
    hand = example("chinese-official", "43073c1bcf87")["input"]
    table.enter(seats, {"W": hand["hands"]["W"]}, hand["mahjong"])
    table.control(f"tab-{seats['W']}").tap()
    table.special("way-robbed_kong")
    table.one.tap("Penalty")
    page.get_by_label("False Hu: 20 to each, and the hand goes on").tap()
    page.locator("#penalty-by").get_by_text("Carol").tap()
    table.one.tap("Add the penalty")
    table.expect_nets(seats, {"E": 12, "S": -68, "W": 68, "N": -12})
    table.save(2)
    seats = table.begin("Carol")
    best = example("chinese-official", "79fadc22dce0")["input"]
    table.enter(seats, {"S": best["hands"]["S"]}, best["mahjong"])
    table.enter_form(seats["S"], {"total": 30})
    table.one.everybody()
    table.expect_nets(seats, {"E": -38, "S": 114, "W": -38, "N": -38})
    expect(page.locator("#score")).to_contain_text("The best reading is 33; announced 30.")
    table.save(3)
    fine_carol_for_being_late(table)
    page.locator('.history a:has(b:text-is("3"))').tap()
    expect(page.locator(".players-hands")).to_contain_text("The best reading is 33; announced 30.")
    page.get_by_role("link", name="The table").tap()
    played = [[37, -21, -8, -8], [25, -9, -76, 60], [-13, -47, -114, 174]]
    table.expect_sheet(0, [*played, [-124]], final=[-13, -47, -124, 174])


def play(table, seats, key, file="worked-hands", only=""):
    """Enter a whole hand of the data, expect its nets; `only` names the one hand that counts."""
    hand = example(file, key)
    hands = hand["input"]["hands"]
    table.enter(seats, {wind: hands[wind] for wind in only} if only else hands, hand["input"]["mahjong"])
    table.expect_nets(seats, hand["expect"]["net"])


def fine_carol_for_being_late(table):
    one = table.one
    one.page.locator("#penalty").tap()
    one.page.get_by_label("Lateness").tap()
    one.page.get_by_role("group", name="Who pays").get_by_label("Carol").tap()
    one.page.get_by_label("Amount").fill("10")
    one.tap("Record the penalty")
    expect(one.page.locator("#board .history")).to_contain_text("Carol pays a penalty of 10: Lateness")


@pytest.mark.long
def test_what_counts_for_nothing_is_not_asked(tablet, club):
    """Without the hands that it makes, no first discard; the guide alone scores exposed special hands otherwise."""
    seated = [club.players[name] for name in PEOPLE[:4]]
    without = {"hand_earths_blessing": None, "hand_twofold_fortune": None, "exposed_special": "half"}
    for at, (house_rules, is_asked) in enumerate((({}, True), (without, False)), start=1):
        session = start_session(club.club, AFTERNOON, at, seated, "bmja", house_rules, by=BY)
        table = TableOf(tablet, club, "bmja", session)
        seats = table.begin("Alice")
        table.enter(
            seats, {"S": {"tiles": "2B 2B 2B 3B 3B 3B 6C 6C 6C 8D 8D 8D 7D 7D"}}, {"by": "S", "tile": "7D", "from": "E"}
        )
        table.control(f"tab-{seats['S']}").tap()
        table.one.tap("Anything special?")
        expect(table.control("way-robbed_kong")).to_have_count(0)
        expect(table.control("way-first_discard")).to_have_count(int(is_asked))
        table.one.tap("Done")
        table.one.everybody()
        table.control(f"ways-{seats['S']}").tap()
        table.one.tap("Special hand by name")
        table.one.page.locator(".special-hand", has_text="Imperial Jade").tap()
        expect(table.control("exposed-switch")).to_have_count(int(not is_asked))
