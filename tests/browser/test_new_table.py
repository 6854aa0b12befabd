"""A session started on a tablet without the network: played there, and the club's as soon as the network is back."""

import datetime
import re
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from sessions_app.meetings.services import plan_meeting
from sessions_app.models import ClubRules, Player, Session
from sessions_app.table.sessions import start_session
from tests.factories import record

from .conftest import BY, PEOPLE
from .outbox_tablet import expect_all_there, ledger_keys
from .test_go_on_here import code_of
from .test_offline_ready import ClubTablet

STARTED = "Started on this tablet. The club will have it when the Wi-Fi is back."


def in_words(day):
    return f"{day.day} {day:%B %Y}"


class StartingTablet(ClubTablet):
    def open_start(self):
        self.page.get_by_role("link", name="Start a table", exact=True).tap()
        expect(self.page.get_by_role("heading", name="Start a table")).to_be_visible()

    def seat(self, names, table="1"):
        for number, name in enumerate(names, 1):
            self.page.locator(f"#id_player_{number}").select_option(label=name)
        self.page.locator("#id_date").fill(str(timezone.localdate()))
        self.page.locator("#id_table").fill(table)

    def choose_rules(self, name):
        self.page.get_by_text("Rules: British (BMJA)").tap()
        self.page.locator("label.choice", has_text=name).tap()

    def start_lost(self, names, table="1", rules=""):
        """Start a table while the server is not heard: the table's page says so."""
        self.seat(names, table)
        if rules:
            self.choose_rules(rules)
        self.tap("Start playing")
        expect(self.page.locator("#board")).to_be_visible()
        expect(self.page.locator("#messages")).to_contain_text(STARTED)
        expect(self.page.locator(".next-east")).to_have_text(f"{names[0]} is East")
        expect(self.page.locator(".sitter")).to_have_count(max(0, len(names) - 4))

    def enter_hand(self, number, winner, total="8"):
        self.follow_to_entry()
        expect(self.page.locator(".hand-title")).to_contain_text(f"Hand {number}")
        self.expect_rules()
        self.enter_win(winner, total)
        self.save_lost(number)
        self.to_table()
        expect(self.page.locator("#next-hand")).to_have_text(f"Hand {number + 1}")
        # What lies where Save was is not pressed by the second press of a double press.
        self.pass_moment()

    def expect_moved(self):
        """Wait until this page is the session's own, and all is sent."""
        self.expect_saved()
        session = Session.objects.latest("pk")
        self.page.wait_for_url(f"**/sessions/{session.pk}/table/")
        expect(self.page.locator(".provisional")).to_have_count(0)
        return session


class DrawingTablet(StartingTablet):
    def draw(self, names):
        """Draw tables for these people; gives who sits at each, in seat order."""
        self.follow("Draw the tables")
        for name in names:
            self.page.get_by_role("checkbox", name=name, exact=True).check()
        self.page.locator("#date").fill(str(timezone.localdate()))
        self.tap("Draw the tables")
        expect(self.page.get_by_role("heading", name="The tables", exact=True)).to_be_visible()
        tables = self.page.locator("#drawn-here section").all()
        return [[seat.split(" ", 1)[1] for seat in table.locator("li").all_inner_texts()] for table in tables]


@pytest.fixture
def ready(tablet, club):
    """Give a maker of tablets that were made ready and are to start a table without the network."""

    def make():
        made = tablet(club.scorekeeper, kind=StartingTablet)
        made.open_club()
        made.get_ready()
        made.lose_network()
        made.open_start()
        return made

    return make


@pytest.fixture
def one(ready):
    return ready()


@pytest.mark.parametrize("number", [pytest.param(4, marks=pytest.mark.long), 5])
def test_a_session_is_started_played_and_sent_without_anything_lost(one, number):
    one.start_lost(PEOPLE[:number])
    assert list(one.balances().values()) == [{4: "2,000", 5: "1,600"}[number]] * number
    one.enter_hand(1, "Bob")
    one.enter_hand(2, "Carol", "20")
    # Corrected: it was Bob, who is East by now, or sits out.
    one.page.locator("#undo").tap()
    expect(one.page.locator("#next-hand")).to_have_text("Hand 2")
    one.enter_hand(2, "Dave", "12")
    one.enter_hand(3, "Carol")
    offline = one.balances()
    assert sum(int(balance.replace(",", "")) for balance in offline.values()) == 8000
    kept = [(command["session"], command["kind"]) for command in one.kept()]
    assert kept == [(kept[0][0], kind) for kind in ("start", "hand", "hand", "undo", "hand", "hand")]
    one.find_network()
    session = one.expect_moved()
    expect(one.page.locator("ol.history > li")).to_have_count(3)
    assert one.balances() == offline
    assert [seat.player.full_name for seat in session.seats.order_by("seat_no")] == list(PEOPLE[:number])
    assert str(session.tablet_key) == kept[0][0].removeprefix("new-")
    expect_all_there(session, one, pressed=5)


@pytest.mark.long
def test_a_start_dated_by_a_wrong_clock_waits_for_the_right_date(one):
    today = timezone.localdate()
    wrong = today.replace(year=today.year + 5, day=15)
    one.page.clock.set_fixed_time(datetime.datetime.combine(wrong, datetime.time(14)))
    one.seat(PEOPLE[:4])
    one.page.locator("#id_date").fill(str(wrong))
    one.tap("Start playing")
    expect(one.page.locator("#board")).to_be_visible()
    one.expect_status(422)
    one.find_network()
    expect(one.page.locator("#saved")).to_have_class(re.compile("is-attention"))
    one.page.locator("#saved-look").tap()
    expect(one.page.locator(".saved-state")).to_contain_text("This date is 5 years ahead.")
    one.page.get_by_role("button", name=f"Use today’s date, {in_words(today)}").tap()
    assert one.expect_moved().date == today


@pytest.mark.long
@pytest.mark.parametrize(
    "clock",
    ["40 days behind", *(pytest.param(clock, marks=pytest.mark.long) for clock in ("3 days ahead", "in another zone"))],
)
def test_with_the_server_there_a_table_starts_on_the_club_s_day(tablet, club, clock):
    """The tablet is told that its clock shows another day, and anybody may enter one on purpose."""
    now, days = timezone.now(), {"40 days behind": -40, "3 days ahead": 3}.get(clock, 0)
    # One of them has another day than London now.
    zone = "Europe/London" if days else "Pacific/Kiritimati" if now.hour >= 11 else "Etc/GMT+12"
    one = tablet(club.scorekeeper, timezone_id=zone)
    if days:
        one.page.clock.set_fixed_time(now + datetime.timedelta(days=days))
    shown = (now + datetime.timedelta(days=days)).astimezone(ZoneInfo(zone)).date()
    one.open(f"/c/{club.club.slug}/sessions/start/")
    today = club.club.today
    told = f"clock says {shown.day} {shown:%B}"
    expect(one.page.locator("#messages")).to_contain_text(told)
    expect(one.page.locator("#messages")).to_contain_text(f"The table starts today, {today.day} {today:%B}")
    expect(one.page.locator("#id_date")).to_have_value(str(today))
    for number, name in enumerate(PEOPLE[:4], 1):
        one.page.locator(f"#id_player_{number}").select_option(label=name)
    if clock == "3 days ahead":
        today -= datetime.timedelta(days=7)
        one.page.locator("#id_date").fill(str(today))
    one.tap("Start playing")
    expect(one.page.locator("#board")).to_be_visible()
    assert club.club.sessions.get().date == today


@pytest.mark.long
def test_a_table_plays_by_the_club_s_version_of_other_rules(ready, club):
    ClubRules.objects.create(club=club.club, rules="western", number=1, house_rules={"starting_balance": 1000})
    one = ready()
    one.start_lost(PEOPLE[:4], rules="Western (h2g2)")
    expect(one.page.locator("h1")).to_have_text(f"Table 1 {in_words(timezone.localdate())}, Western (h2g2)")
    one.enter_hand(1, "Bob")
    # East Alice pays double.
    after = {"Alice": "984", "Bob": "1,032", "Carol": "992", "Dave": "992"}
    one.expect_balances(after)
    one.follow("Penalty")
    expect(one.page.locator("label", has_text="False Mah Jong")).to_be_visible()
    one.follow("Back to the table")
    expect(one.page.locator("#nobody")).to_have_text("Nobody went Mah Jong")
    one.follow("The sheet")
    expect(one.page.locator(".lead")).to_contain_text("Western (h2g2), house rules version 1")
    one.follow("To the table")
    one.find_network()
    session = one.expect_moved()
    assert (session.rules, session.house_rules, session.house_version) == ("western", {"starting_balance": 1000}, 1)
    one.expect_balances(after)
    expect_all_there(session, one, pressed=1)


def played_two(one):
    """Play two hands of a table of four: Bob goes Mah-jong with 8, then Carol with 8."""
    one.start_lost(PEOPLE[:4])
    one.enter_hand(1, "Bob")
    one.enter_hand(2, "Carol")


# Bob got 16 of East Alice and 8 of the others, Carol 16 of East Bob and 8 of the others.
AFTER_TWO = {"Alice": "1,976", "Bob": "2,016", "Carol": "2,024", "Dave": "1,984"}


@pytest.mark.long
def test_players_join_leave_and_change_seats(one):
    one.start_lost(PEOPLE[:4])
    one.enter_hand(1, "Bob")
    one.page.get_by_text("More …").tap()
    one.follow("Add a player")
    players = one.page.get_by_label("Player", exact=True)
    expect(players.locator("option")).to_have_text(["— choose —", "Fay"])
    players.select_option(label="Fay")
    one.tap("Seat the player")
    expect(one.page.locator(".sitter")).to_contain_text("Fay")
    one.page.get_by_text("More …").tap()
    one.follow("A player is leaving")
    expect(one.page.locator("label.choice")).to_have_text(["Alice", "Bob", "Carol", "Dave", "Fay"])
    one.page.get_by_label("Carol").check()
    one.tap("Leave the table")
    expect(one.page.locator(".sitter")).to_have_count(0)
    one.follow("We sat differently")
    expect(one.page.locator("#id_winds-E")).to_have_value("2")
    one.page.get_by_label("One player").select_option(label="Bob")
    one.page.get_by_label("The other player").select_option(label="Dave")
    one.tap("Swap the two")
    expect(one.page.locator(".next-east")).to_have_text("Dave is East")
    one.enter_hand(2, "Fay", "12")
    # Fay began with what the others did, and gets 24 of East Dave and 12 of Alice and of Bob.
    after = {"Alice": "1,972", "Bob": "2,020", "Dave": "1,968", "Fay": "2,048"}
    one.expect_balances(after)
    one.find_network()
    session = one.expect_moved()
    one.expect_balances(after)
    assert [seat.player.full_name for seat in session.seats.order_by("seat_no")] == list(PEOPLE)
    expect_all_there(session, one, pressed=5)


SHOWN = "(sheet) => [...sheet.querySelectorAll('td, th, .payments li')].map((cell) => cell.innerText)"


@pytest.mark.long
def test_the_sheet_and_the_final_payments_are_the_server_s_afterwards(one):
    played_two(one)
    one.page.get_by_text("Stop", exact=True).tap()
    one.tap("Finish the table")
    expect(one.page.locator("#finished")).to_be_visible()
    payments = one.page.locator(".board-side").inner_text()
    assert "Carol" in payments
    one.follow("The sheet")
    expect(one.page.get_by_role("heading", name=f"Table 1, {in_words(timezone.localdate())}")).to_be_visible()
    expect(one.page.locator("#sheet-state")).to_have_text("finished")
    assert one.page.title().startswith(f"Score sheet of t{one.page.locator('h1').inner_text()[1:]} – ")
    expect(one.page.locator("#sheet .provisional")).to_have_count(1)
    shown = one.page.locator("#sheet").evaluate(SHOWN)
    assert shown
    one.follow("To the table")
    one.find_network()
    session = one.expect_moved()
    one.open(f"/c/bramley/sessions/{session.pk}/")
    assert one.page.locator("#sheet").evaluate(SHOWN) == shown
    expect_all_there(session, one, pressed=3)


@pytest.mark.long
@pytest.mark.parametrize("rules", [pytest.param("", marks=pytest.mark.long), "Western (h2g2)"])
def test_another_tablet_goes_on_with_the_table_by_its_code(one, tablet, club, rules):
    other = tablet(club.secretary, kind=StartingTablet)
    other.open_club()
    other.get_ready()
    one.start_lost(PEOPLE[:4], rules=rules)
    one.enter_hand(1, "Bob")
    code = code_of(one)
    other.lose_network()
    other.open(f"/c/bramley/sessions/0/take-in/#{code}")
    other.tap("Check")
    expect(other.page.locator("#go-on li")).to_have_count(2)
    other.tap("Go on here")
    expect(other.page.locator("#messages")).to_contain_text("The hands of the other tablet are here now.")
    expect(other.page.locator(".next-east")).to_have_text("Bob is East")
    other.expect_balances({"Alice": "1,984", "Bob": "2,032", "Carol": "1,992", "Dave": "1,992"})
    other.enter_hand(2, "Carol")
    other.expect_balances(AFTER_TWO)
    other.find_network()
    session = other.expect_moved()
    other.expect_balances(AFTER_TWO)
    one.page.locator("#code-dialog").get_by_role("button", name="Close").tap()
    one.find_network()
    one.expect_moved()
    assert Session.objects.get() == session
    assert session.rules == ("western" if rules else "bmja")
    assert ledger_keys(session) == [*one.keys, *other.keys]
    expect_all_there(session, one, other, pressed=2)


@pytest.mark.long
def test_a_lost_answer_starts_no_second_session(one):
    one.start_lost(PEOPLE[:4])
    one.enter_hand(1, "Bob")
    answers = []

    def lose_the_first(route):
        if answers:
            return route.continue_()
        answers.append(route.fetch())
        return route.abort()

    one.page.route("**/sessions/0/start/", lose_the_first)
    one.find_network()
    session = one.expect_moved()
    assert [answer.status for answer in answers] == [201]
    assert Session.objects.get() == session
    expect_all_there(session, one, pressed=1)


@pytest.mark.long
def test_a_hand_half_entered_goes_on_when_the_club_has_the_table(one):
    one.start_lost(PEOPLE[:4])
    one.follow_to_entry()
    one.expect_rules()
    one.enter_win("Bob")
    one.expect_status(404)
    one.find_network()
    # The line that says what waits is of the club's session now.
    expect(one.page.locator("#saved-words")).to_have_text("Hand 1 is not saved yet")
    one.tap("Save hand 1")
    session = one.expect_moved()
    expect(one.page.locator("ol.history > li")).to_contain_text(["Bob goes Mah-jong"])
    expect_all_there(session, one, pressed=1)


@pytest.mark.long
def test_a_question_about_the_start_keeps_everything_until_it_is_answered(one, club):
    start_session(club.club, timezone.localdate(), 1, [club.players[name] for name in PEOPLE[:3]], "bmja", {}, by=BY)
    one.start_lost(PEOPLE[:4], "2")
    one.enter_hand(1, "Bob")
    one.expect_status(422)
    one.find_network()
    one.expect_saved("Table 2 waits for an answer from you; 1 hand to send")
    one.see_saved()
    rows = one.page.locator(".saved-item")
    expect(rows.nth(0)).to_contain_text("Alice, Bob and Carol are still playing at table 1.")
    expect(rows.nth(0)).to_contain_text("Its hands are saved on this tablet, and will be sent once it has started.")
    not_yet = (
        "Saved on this tablet. Table 2 is not with the club yet. Alice, Bob and Carol are still playing at table 1."
    )
    expect(rows.nth(1)).to_contain_text(not_yet)
    rows.nth(0).get_by_role("button", name="Start this table too").tap()
    session = one.expect_moved()
    assert session.table == 2
    expect_all_there(session, one, pressed=1)


WITHIN = (
    """(one) => { const { top, bottom } = one.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; }"""
)
SEATS = """() => [...document.querySelectorAll("select[name^=player_]")].map((one) => {
  const { left, top } = one.getBoundingClientRect();
  return [Math.round(top / 60), left];
})"""


@pytest.mark.parametrize("size", [(1024, 768), (1024, 660), (810, 1080), (390, 844)])
def test_the_start_is_always_in_sight_and_the_seats_are_in_the_order_of_play(tablet, club, size):
    one = tablet(club.scorekeeper, kind=StartingTablet, size=size)
    one.open_club()
    one.open_start()
    # It is measured with its style.
    one.page.wait_for_load_state()
    start = one.page.get_by_role("button", name="Start playing")
    for part in (0, 0.5, 1):
        one.page.evaluate(
            f"scrollTo(0, {part} * (document.querySelector('#start-session').offsetHeight - innerHeight))"
        )
        assert start.evaluate(WITHIN)
    seats = one.page.evaluate(SEATS)
    assert seats == sorted(seats)
    # No wider than the seats.
    widths = {round(one.page.locator(f"#id_player_{number}").bounding_box()["width"]) for number in range(1, 6)}
    assert len(widths) == 1
    one.page.get_by_text("Rules: British (BMJA)").tap()
    one.page.get_by_label("Tally sticks").select_option("guide")
    named = "British (BMJA), sticks of 1,000, 500, 100 and 10 (3,000 each)"
    expect(one.page.locator("#rules-in-short")).to_have_text(named)


@pytest.mark.long
def test_the_same_players_as_last_time_are_seated(ready, club):
    seats = ("Dave", "Bob", "Fay", "Alice")
    last_time = start_session(
        club.club, timezone.localdate(), 3, [club.players[name] for name in seats], "western", {}, by=BY
    )
    record(last_time, {}, kind="finish")
    one = ready()
    one.follow(f"The same players as on {timezone.localdate().day} {timezone.localdate():%B}: Dave, Bob, Fay, Alice")
    expect(one.page.locator("#id_player_4 option:checked")).to_have_text("Alice")
    one.tap("Start playing")
    expect(one.page.locator(".next-east")).to_have_text("Dave is East")
    one.find_network()
    session = one.expect_moved()
    assert [seat.player.full_name for seat in session.seats.order_by("seat_no")] == list(seats)
    assert session.rules == "western"


EIGHT = ("Alice", "Bob", "Carol", "Dave", "Fay", "Gus", "Hana", "Ivy")


@pytest.fixture
def drawing(tablet, club):
    for name in EIGHT[5:]:
        Player.objects.get_or_create(club=club.club, full_name=name, short_name=name)
    plan_meeting(club.club, timezone.localdate(), by=BY)
    made = tablet(club.scorekeeper, kind=DrawingTablet)
    made.open_club()
    made.get_ready()
    made.lose_network()
    made.open_start()
    return made


def test_a_meeting_drawn_without_the_network_is_played_and_sent_once(drawing):
    tables = drawing.draw(EIGHT)
    assert sorted(name for table in tables for name in table) == sorted(EIGHT)
    assert [len(table) for table in tables] == [4, 4]
    drawing.tap("Start all these tables")
    expect(drawing.page.locator("#messages")).to_contain_text("The tables have started on this tablet.")
    expect(drawing.page.locator("#opened-tables a")).to_have_count(2)
    drawing.page.locator("#opened-tables a", has_text="table 2").tap()
    expect(drawing.page.locator(".next-east")).to_have_text(f"{tables[1][0]} is East")
    drawing.enter_hand(1, tables[1][1])
    drawing.find_network()
    drawing.expect_saved()
    first, second = Session.objects.order_by("table")
    # The page goes on as that of the club's table.
    drawing.page.wait_for_url(f"**/sessions/{second.pk}/table/")
    for session, names in ((first, tables[0]), (second, tables[1])):
        assert [seat.player.full_name for seat in session.seats.order_by("seat_no")] == names
        assert session.meeting.date == timezone.localdate()
    assert [session.hands.count() for session in (first, second)] == [0, 1]
    expect_all_there(second, drawing, pressed=1)
