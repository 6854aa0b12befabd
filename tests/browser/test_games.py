"""A game that no club has: started and played on this tablet alone, without an account and without the server."""

import csv
import datetime
import io
import re

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from sessions_app.meetings.services import new_joining_code, plan_meeting
from sessions_app.models import Club, Player, User
from sessions_app.table.sessions import start_session
from tests.factories import BY, record
from tests.logins import signed_in
from tests.reconciled import reconcile

from .outbox_tablet import PlayingTablet

FOUR = ["Jean", "Brian", "Barbara", "Ken"]


# Whether the list of games knows that the game of this page has finished.
IS_NOTED = """async () => {
  const opening = indexedDB.open("clubscore");
  const database = await new Promise((done) => { opening.onsuccess = () => done(opening.result); });
  const session = `game-${new URLSearchParams(location.search).get("new")}`;
  const reading = database.transaction("tables").objectStore("tables").get(session);
  const game = await new Promise((done) => { reading.onsuccess = () => done(reading.result); });
  database.close();
  return game.stands?.isOpen === false;
}"""


class GameTablet(PlayingTablet):
    """Scores games; `sent` are the requests other than for pages and files."""

    def begin(self, names, rules=""):
        self.open("/game/")
        for number, name in enumerate(names, 1):
            self.page.locator(f"#name_{number}").fill(name)
        if rules:
            self.page.get_by_text("Rules:").tap()
            self.page.locator(f"#rules_{rules}").check()
        self.tap("Start")
        expect(self.page.locator("#board")).to_be_visible()
        self.game = self.page.url.removeprefix(self.url)

    def win(self, number, winner, total):
        self.next_hand(number)
        self.enter_win(winner, total)
        self.tap(f"Save hand {number}")
        expect(self.page.locator("#next-hand")).to_have_text(f"Hand {number + 1}")

    def pause(self):
        """Wait until a press where Save stood counts."""
        self.pass_moment()

    def press(self, name):
        self.pause()
        self.page.locator(f"#{name}").tap()

    def finish(self):
        self.pause()
        self.page.get_by_text("Stop", exact=True).tap()
        self.pause()
        self.tap("Finish the game")
        expect(self.page.locator(".final-order")).to_be_visible()
        # How it stands is kept a moment after it is shown.
        self.wait_until(IS_NOTED)

    def saved_lines(self):
        self.page.get_by_text("More …", exact=True).tap()
        with self.page.expect_download() as saved:
            self.tap("Save as a spreadsheet")
        return saved.value.path().read_text(encoding="utf-8-sig").splitlines()

    def import_shown(self, shown):
        """Put the game on the screen into the club whose page is open."""
        expect(self.page.locator(".taken-in")).to_contain_text(shown)
        self.page.locator("button[value=record]").tap()


@pytest.fixture
def one(tablet, db):
    return tablet(kind=GameTablet)


@pytest.fixture
def ready(one):
    """Give a tablet on which the page of games was opened once, with what it fetches by itself."""
    one.open("/game/")
    expect(one.page.locator("#game-start[data-ready]")).to_be_attached()
    one.page.evaluate("() => { hurry(1500); return navigator.serviceWorker.ready.then(() => true); }")
    return one


@pytest.mark.long
def test_the_pages_for_learners_lead_back_to_the_game(one):
    one.begin(FOUR)
    one.follow("For learners")
    one.follow("Back to the game", exact=False)
    expect(one.page.locator(".next-east")).to_have_text("Jean is East")


@pytest.mark.long
def test_a_second_visit_needs_no_network(ready):
    one = ready
    one.lose_network()
    one.begin(FOUR)
    one.win(1, "Brian", "20")
    one.page.reload()
    expect(one.page.locator(".next-east")).to_have_text("Brian is East")


# What is written and drawn on a picture, and what is given to other programs.
WATCH_PICTURE = """{
  const pen = CanvasRenderingContext2D.prototype;
  const { fillText, drawImage, stroke } = pen;
  window.drawn = { words: [], tiles: 0, lines: 0, shared: null };
  pen.fillText = function (words, ...rest) { drawn.words.push(words); return fillText.call(this, words, ...rest); };
  pen.drawImage = function (image, ...rest) {
    drawn.tiles += decodeURIComponent(image.src).match(/<use /g).length;
    return drawImage.call(this, image, ...rest);
  };
  pen.stroke = function () { drawn.lines += 1; return stroke.call(this); };
  navigator.canShare = () => true;
  navigator.share = async ({ files: [{ name, type, size }] }) => { drawn.shared = [name, type, size > 9999]; };
}"""


def test_the_picture_of_a_game_has_the_winner_everyones_line_and_the_best_hand_in_its_tiles(one):
    """Bea: 20 and four pungs of 2, doubled as there is no chow, are 56; Ann as East pays 112, Cy 56."""
    one.context.add_init_script(WATCH_PICTURE)
    one.begin(["Ann", "Bea", "Cy"])
    one.next_hand(1)
    who = one.page.get_by_role("group", name=re.compile("^Who went Mah-jong"))
    who.get_by_role("button", name="Bea", exact=True).tap()
    one.choose_hand("Bea", "tiles")
    one.tiles({"sets": [*(f"exposed pung {tile}" for tile in ("2B", "5D", "8C", "3C")), "pair 4B"]})
    one.page.get_by_role("button", name="Not sure").first.tap()
    one.pass_moment()
    one.tap("Everyone else: nothing to score")
    one.pass_moment()
    one.tap("Save hand 1")
    expect(one.page.locator("#next-hand")).to_have_text("Hand 2")
    one.finish()
    one.tap("Share a picture")
    one.wait_until("() => Boolean(drawn.shared)")
    drawn = one.page.evaluate("drawn")
    assert drawn["words"][0] == "Bea wins"
    assert drawn["words"][2:] == ["Bea", "2,828", "Cy", "2,604", "Ann", "2,548", "Best hand: Bea, 56", "Clubscore"]
    assert (drawn["tiles"], drawn["lines"]) == (14, 3)
    assert drawn["shared"][0].startswith("mah-jong ")
    assert drawn["shared"][1:] == ["image/png", True]


# East first. A hand is who went Mah-jong, and with how much. Of three and four: tests/javascript/games.test.mjs.
FIVE = [*FOUR, "Eve"]
AFTERNOON = [("Jean", 30), ("Brian", 20), ("Eve", 40), ("Eve", 10), ("Ken", 70)]


def played(names, hands):
    """Play an afternoon by the rules of East, sitting out and paying; return who is East at last, and the nets."""
    table, net = list(names), dict.fromkeys(names, 0)
    for hand in hands:
        east, sitting = table[0], table[:4]
        winner, total = hand or (None, 0)
        for payer in sitting if winner else ():
            if payer != winner:
                amount = total * (2 if east in (payer, winner) else 1)
                net[payer] -= amount
                net[winner] += amount
        if winner and winner != east:
            # East goes to the player on the right. Of five, the one who was East sits out, and comes in again as North.
            table = [*table[1:4], *table[4:], table[0]] if len(table) > 4 else [*table[1:], table[0]]
    return table[0], net


def test_a_whole_afternoon_needs_no_server_and_tells_it_nothing(ready):
    """The network is there while the watch is kept, so that what is sent would be seen; then it is gone."""
    one, sent, names, hands = ready, [], FIVE, AFTERNOON
    one.context.on("request", lambda request: sent.append(request))
    one.begin(names, rules="western")
    for number, hand in enumerate(hands, 1):
        if number == 3:
            one.lose_network()
            one.page.reload()
        one.win(number, hand[0], str(hand[1]))
    east, net = played(names, hands)
    expect(one.page.locator(".next-east")).to_have_text(f"{east} is East")
    balances = {name: f"{1600 + points:,}" for name, points in net.items()}
    one.expect_balances(balances)
    # Undone and done again, it is as it was.
    one.press("undo")
    expect(one.page.locator("#next-hand")).to_have_text(f"Hand {len(hands)}")
    one.press("redo")
    expect(one.page.locator("#next-hand")).to_have_text(f"Hand {len(hands) + 1}")
    one.finish()
    last = one.saved_lines()[-1]
    assert last == ",".join(["", "Final balance", *(str(1600 + net[name]) for name in names)])
    one.find_network()
    one.open("/game/")
    expect(one.page.locator(".game")).to_contain_text("won with")
    assert {request.method for request in sent} <= {"GET", "HEAD"}
    assert not [request.url for request in sent if request.post_data or any(name in request.url for name in names)]


def test_the_league_of_a_tablet_needs_no_network_and_tells_it_nothing(one):
    """In large type and dark colours, which a page that is kept has already."""
    sent = []
    one.context.on("request", lambda request: sent.append(request))
    one.context.add_cookies([{"name": "looks", "value": "large", "url": one.url}])
    one.page.emulate_media(color_scheme="dark")
    one.begin(FOUR)
    one.win(1, "Brian", "20")
    one.finish()
    one.open("/game/")
    expect(one.page.locator("#game-start[data-ready]")).to_be_attached()
    one.lose_network()
    one.follow("League table")
    # East pays double: 40 of Jean, 20 of each other.
    names, values = one.page.locator("table.league tbody th a"), one.page.locator("table.league .value")
    expect(names).to_have_text(["Brian", "Barbara", "Ken", "Jean"])
    expect(values).to_have_text(["80.0", "−20.0", "−20.0", "−40.0"])
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    one.page.reload()
    names.first.tap()
    expect(one.page.locator("#league h2")).to_have_text("Brian")
    assert {request.method for request in sent} <= {"GET", "HEAD"}
    assert not [request.url for request in sent if request.post_data or any(name in request.url for name in FOUR)]


@pytest.mark.long
def test_a_game_has_house_rules_of_its_own(ready):
    """That East pays no more than the others is said on the page, kept, and used without the network."""
    one = ready
    one.page.locator("#name_1").fill("Ann")
    one.page.get_by_text("Rules:").tap()
    one.follow("House rules")
    one.page.locator("#switch-east_mode summary").tap()
    one.page.get_by_text("The same as everyone else", exact=True).first.tap()
    one.tap("Play by these rules")
    expect(one.page.locator("#rules-in-short")).to_have_text("British (BMJA), with house rules")
    expect(one.page.locator("#own-rules")).to_contain_text("East pays and receives like everyone else")
    expect(one.page.locator("#name_1")).to_have_value("Ann")
    expect(one.page.locator("#game-start[data-ready]")).to_be_attached()
    one.lose_network()
    one.page.reload()
    for number, name in enumerate(FOUR, 1):
        one.page.locator(f"#name_{number}").fill(name)
    one.tap("Start")
    one.game = one.page.url.removeprefix(one.url)
    one.win(1, "Brian", "20")
    one.expect_balances({"Jean": "1,980", "Brian": "2,060", "Barbara": "1,980", "Ken": "1,980"})


# As its rules were numbered before an upgrade.
BY_AN_OLDER_VERSION = """async () => {
  const opening = indexedDB.open("clubscore");
  const database = await new Promise((done) => { opening.onsuccess = () => done(opening.result); });
  const tables = database.transaction("tables", "readwrite").objectStore("tables");
  const reading = tables.getAll();
  const [game] = await new Promise((done) => { reading.onsuccess = () => done(reading.result); });
  const writing = tables.put({ ...game, body: { ...game.body, basis: "of an older version" } });
  await new Promise((done) => { writing.onsuccess = done; });
  database.close();
}"""


@pytest.mark.long
def test_a_game_goes_on_on_another_tablet_by_its_code(ready, tablet):
    one, two = ready, tablet(kind=GameTablet)
    one.begin(FOUR)
    one.page.evaluate(BY_AN_OLDER_VERSION)
    one.win(1, "Brian", "20")
    one.page.get_by_text("More …", exact=True).tap()
    one.tap("To another tablet")
    expect(one.page.locator("#code-dialog .qr")).to_be_visible()
    one.page.get_by_text("Show as text").tap()
    code = one.page.locator("#code-tables textarea").input_value()
    for words in ("The game of the other tablet is here now.", None):
        two.open("/game/take-in/")
        two.page.get_by_label("The text of the code").fill(code)
        two.tap("Check")
        if words is None:
            expect(two.page.locator("#go-on")).to_have_text("All of this is on this tablet already.")
            break
        expect(two.page.locator("#go-on li")).to_contain_text(["Jean, Brian, Barbara, Ken", "Hand 1: Brian"])
        two.tap("Go on here")
        expect(two.page.locator("#messages")).to_contain_text(words)
        expect(two.page.locator(".next-east")).to_have_text("Brian is East")
        two.expect_balances({"Jean": "1,960", "Brian": "2,080", "Barbara": "1,980", "Ken": "1,980"})
        two.game = two.page.url.removeprefix(two.url)
        two.win(2, "Ken", "8")


def test_a_game_comes_into_a_club_with_its_players_and_its_scores_once_only(tablet, club):
    """Alice and Bob are players of the club, Jean becomes a guest; the rules and totals are as they were played."""
    one = tablet(club.secretary, kind=GameTablet)
    one.begin(["Alice", "Jean", "Bob"])
    one.win(1, "Jean", "20")
    one.pass_moment()
    one.page.get_by_text("Stop", exact=True).tap()
    one.pass_moment()
    one.tap("Finish the game")
    one.tap("Put it into a club")
    one.follow(club.club.name, exact=False)
    expect(one.page.locator(".taken-in")).to_contain_text("Jean +60 Bob −20")
    one.page.locator("button[value=record]").tap()
    expect(one.page.locator("#messages")).to_contain_text("The game is in Bramley Mah-jong Group now, hand by hand.")
    # Opened again on another day, it is the same game.
    one.page.clock.set_fixed_time(datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1, minutes=3))
    one.open(one.game)
    one.tap("Put it into a club")
    one.follow(club.club.name, exact=False)
    expect(one.page.locator("#main")).to_contain_text("This game is in Bramley Mah-jong Group already.")
    # The tablet hears that too, and goes on with the next of several.
    expect(one.page.get_by_role("link", name="Games on this tablet").last).to_have_attribute("href", "/game/#brought")
    table = club.club.sessions.get()
    nets = {str(seat.player): seat.tally.net for seat in table.seats.all()}
    # East pays double: 40 of Alice, 20 of Bob.
    assert nets == {"Alice": -40, "Jean": 60, "Bob": -20}
    assert Player.objects.get(full_name="Jean").guest
    assert (table.meeting.name, table.state) == ("", "finished")
    assert reconcile() == []


@pytest.mark.long
def test_a_game_comes_in_by_a_scorekeeper_or_by_the_join_code_of_the_day_and_equals_the_same_entered_there(
    tablet, club
):
    meeting = plan_meeting(club.club, timezone.localdate(), by=BY)
    code = new_joining_code(meeting, by=BY)
    guest = tablet(kind=GameTablet)
    names = ["Alice", "Bob", "Carol", "Dave"]
    hands = [("Bob", 20), ("Bob", 40), None, ("Dave", 64)]
    guest.begin(names)
    for number, hand in enumerate(hands, 1):
        if hand:
            guest.win(number, hand[0], str(hand[1]))
        else:
            guest.press("nobody")
            expect(guest.page.locator("#next-hand")).to_have_text(f"Hand {number + 1}")
    guest.finish()
    guest.tap("Put it into a club")
    guest.follow("Enter the join code of today’s meeting")
    guest.page.get_by_label("Join code").fill(code)
    guest.page.locator("form.join button[type=submit]").tap()
    _, net = played(names, hands)
    expect(guest.page.locator("#main")).to_contain_text("What you brought is with Bramley Mah-jong Group now.")
    guest.follow("Games on this tablet")
    guest.tap("Delete")
    expect(guest.page.locator(".game")).to_contain_text("Bramley Mah-jong Group has it too.")
    # It waits until a scorekeeper has looked at it.
    assert not club.club.sessions.exists()
    looking = tablet(club.scorekeeper, kind=GameTablet)
    looking.open(reverse("waiting-games", args=["bramley"]))
    looking.follow("Open")
    looking.import_shown(f"Bob +{net['Bob']}")
    expect(looking.page.locator("#messages")).to_contain_text("The game is in Bramley Mah-jong Group now")
    assert club.club.sessions.get().state == "finished"
    # The same afternoon, entered at the club.
    there = start_session(club.club, timezone.localdate(), 2, [club.players[name] for name in names], "bmja", {}, by=BY)
    for hand in hands:
        winner, total = hand or ("", 0)
        # As the tablet sends it: of those who lost, nothing was entered.
        entered = {str(number): {"total": total} if name == winner else {} for number, name in enumerate(names, 1)}
        by = {"by": str(names.index(winner) + 1)} if winner else None
        record(there, {"hands": entered if winner else {}, "mahjong": by, "penalties": []})
    brought = club.club.sessions.exclude(pk=there.pk).get()
    assert nets_of(brought) == nets_of(there) == net
    assert hand_lines(club, brought) == hand_lines(club, there)
    assert reconcile() == []
    # A scorekeeper finds the club by name, and brings nothing in twice.
    keeper = tablet(club.scorekeeper, kind=GameTablet)
    keeper.begin(["Ann Other", "Bob", "Carol"])
    keeper.win(1, "Bob", "20")
    keeper.finish()
    keeper.tap("Put it into a club")
    keeper.follow(club.club.name, exact=False)
    keeper.import_shown("Bob +60")
    expect(keeper.page.locator("#messages")).to_contain_text("The game is in Bramley Mah-jong Group now, hand by hand.")
    assert club.club.sessions.count() == 3


@pytest.mark.long
def test_a_game_that_was_looked_at_by_a_club_and_left_out_is_not_said_to_be_there(tablet, club):
    """Of two games the club takes the second; of both brought together it then takes the first."""
    one = tablet(club.secretary, kind=GameTablet)
    addresses = []
    for names, winner in ((["Alice", "Jean", "Bob"], "Jean"), (["Alice", "Jean", "Fay"], "Fay")):
        one.begin(names)
        one.win(1, winner, "20")
        one.finish()
        addresses.append(one.game)
    one.open(addresses[0])
    one.tap("Put it into a club")
    one.follow(club.club.name, exact=False)
    expect(one.page.locator(".taken-in")).to_contain_text("Jean +60")
    one.follow("Cancel")
    rows = one.page.locator(".game")
    expect(rows).to_have_count(2)
    one.open(addresses[1])
    one.tap("Put it into a club")
    one.follow(club.club.name, exact=False)
    one.import_shown("Fay +60")
    for winner, words in (("Jean won", "It is nowhere else."), ("Fay won", "Bramley Mah-jong Group has it too.")):
        row = rows.filter(has_text=winner)
        row.get_by_role("button", name="Delete", exact=True).tap()
        expect(row).to_contain_text(words)
        one.pass_moment()
    one.open("/game/into-a-club/")
    expect(one.page.locator("#all-said")).to_contain_text("2 games are ready.")
    one.follow(club.club.name, exact=False)
    expect(one.page.locator(".taken-in")).to_contain_text("1 game is in Bramley Mah-jong Group already.")
    one.import_shown("Jean +60")
    expect(one.page.locator("#messages")).to_contain_text("The game is in Bramley Mah-jong Group now")
    assert club.club.sessions.count() == 2
    expect(rows).to_have_count(2)
    for row in rows.all():
        row.get_by_role("button", name="Delete", exact=True).tap()
        expect(row).to_contain_text("Bramley Mah-jong Group has it too.")
        one.pass_moment()


def nets_of(session):
    return {str(seat.player): seat.tally.net for seat in session.seats.all()}


def hand_lines(club, session):
    """Return the lines of hands.csv, without which session it is and when it was entered."""
    client = signed_in(User.objects.get(username="secretary"))
    answer = client.get(f"/c/bramley/sessions/{session.pk}/hands.csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows
    apart = ("session", "table", "meeting", "entered", "key")
    return [{name: value for name, value in row.items() if not name.lower().startswith(apart)} for row in rows]


def test_who_registers_a_club_from_a_game_takes_the_players_and_the_game_along(one, settings):
    settings.SIGN_UP = True
    one.begin(["Ann", "Bea", "Cy"])
    one.win(1, "Bea", "20")
    one.finish()
    one.follow("register a club", exact=False)
    one.page.get_by_label("Name of the club").fill("Kitchen table")
    one.page.get_by_label("Your name").fill("Ann Ash")
    one.page.get_by_label("Username").fill("ann")
    for name in ("password", "password_again"):
        one.page.locator(f"#id_{name}").fill("plum orchid bamboo")
    one.page.locator("main form button[type=submit]").tap()
    one.import_shown("Bea +60")
    expect(one.page.locator("#messages")).to_contain_text("The game is in Kitchen table now, hand by hand.")
    club = Club.objects.get(name="Kitchen table")
    assert nets_of(club.sessions.get()) == {"Ann": -40, "Bea": 60, "Cy": -20}


@pytest.mark.long
def test_a_view_of_a_game_is_loaded_again_at_its_address(ready):
    one = ready
    one.begin(FOUR)
    one.win(1, "Brian", "20")
    one.page.clock.install()
    for view, heading in (("The sheet", re.compile("^Table 1|^Your game")), ("Penalty", re.compile("^Hand 2"))):
        one.expect_views()
        one.follow(view)
        expect(one.page.locator("#board")).to_have_count(0)
        expect(one.page.get_by_role("heading", level=1)).to_have_text(heading)
        address = one.page.url
        visits = []
        one.page.on("framenavigated", lambda frame, visits=visits: visits.append(frame.url))
        one.page.reload()
        expect(one.page.get_by_role("heading", level=1)).to_have_text(heading)
        expect(one.page.locator("#board")).to_have_count(0)
        one.page.clock.run_for(5000)
        expect(one.page.get_by_role("heading", level=1)).to_have_text(heading)
        assert visits == [address]
        one.open(one.game)
