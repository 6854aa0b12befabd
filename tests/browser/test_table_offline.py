"""The table page without a network: seats, scores, payments and balances as the tablet plays the table on."""

import datetime
import re
from pathlib import Path
from threading import Event

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpResponse
from django.test import override_settings
from playwright.sync_api import expect

from sessions_app.table.sessions import start_session
from sessions_app.web.middleware import FiguresInPlace, SecurityHeaders
from tests.factories import record, totals
from tests.reconciled import reconcile

from .conftest import AFTERNOON, BY, PEOPLE
from .outbox_tablet import KEPT, OwnServer, PlayingTablet, expect_all_there, ledger_keys, own_address, register_keys
from .tablet import PATIENCE

THREE = datetime.datetime(2026, 11, 12, 15, 0)
NOT_SENT = "These scores are not sent yet."


@pytest.fixture
def one(tablet, club):
    return tablet(club.scorekeeper, kind=PlayingTablet, service_workers="block")


def save_without_network(one, table, winners):
    one.open_entry(table)
    one.expect_rules()
    one.lose_network()
    for number, winner in enumerate(winners, 1):
        one.enter_win(winner)
        one.save_lost(number)
        if number < len(winners):
            one.next_hand(number + 1)


def test_scores_balances_and_seats_are_there_before_anything_is_sent(tablet, club, table):
    one = tablet(club.scorekeeper, kind=PlayingTablet)
    one.open_table(table)
    one.wait_for_worker()
    one.open_entry(table)
    one.expect_rules()
    one.open_table(table)
    one.wait_for_page_kept(one.page.url.removeprefix(one.url))
    save_without_network(one, table, ["Bob", "Bob", "Carol"])
    one.to_table()
    # Bob wins 8 from East and two others, then 8 as East; then Carol, of whom Bob, East, pays double.
    expect(one.page.locator(".next-east")).to_have_text("Carol is East")
    expect(one.page.locator("#next-hand")).to_have_text("Hand 4")
    expect(one.page.locator(".provisional")).to_have_text(NOT_SENT)
    row = one.page.locator(".history > li").first
    expect(row.locator(".badge").first).to_have_text("not sent yet")
    row.locator("summary").first.tap()
    expect(row.locator(".payments .amount")).to_have_text(["16", "8", "8"])
    offline = one.balances()
    one.find_network()
    one.expect_saved()
    expect(one.page.locator(".provisional")).to_have_count(0)
    expect(one.page.locator(".history > li")).to_have_count(3)
    assert one.balances() == offline
    expect_all_there(table, one, pressed=3)


def test_a_hand_stays_where_it_is_when_the_club_has_the_one_before(one, table):
    """What was said at the table is not said again above the next hand: it would move away under the finger."""
    held = []
    one.page.route("**/commands/", lambda route: held.append(route))
    one.open_entry(table)
    one.expect_rules()
    one.enter_win("Bob")
    one.tap("Save hand 1")
    one.next_hand(2)
    winner = one.page.locator("#who-won").get_by_role("button", name="Carol", exact=True)
    before = winner.bounding_box()
    wait_for(one, held)
    held[0].continue_()
    one.wait_until(f"async () => !(await ({KEPT})('commands')).length && !(await ({KEPT})('told')).length")
    assert winner.bounding_box() == before
    expect_all_there(table, one, pressed=1)


class SlowServer:
    """Answers for a table once it may; `asked` are the addresses, but those that the worker fetches for later."""

    def __init__(self, monkeypatch):
        self.monkeypatch, self.may_answer, self.asked = monkeypatch, Event(), []

    def hold(self):
        def wait(headers, request):
            if request.path.endswith("/table/"):
                if request.headers.get("Purpose") != "prefetch":
                    self.asked.append(request.path)
                self.may_answer.wait(PATIENCE / 1000)

        self.monkeypatch.setattr(SecurityHeaders, "process_request", wait)


@pytest.fixture
def server(monkeypatch):
    server = SlowServer(monkeypatch)
    yield server
    server.may_answer.set()


@pytest.fixture
def kept(tablet, club, table):
    """A tablet that keeps the page of the table that it shows."""
    one = tablet(club.scorekeeper, kind=PlayingTablet)
    for _ in range(2):
        one.open_table(table)
        one.wait_for_worker()
    return one


def test_a_table_loaded_again_is_there_before_the_server_answers(kept, server, table):
    server.hold()
    kept.page.reload(wait_until="commit")
    expect(kept.page.locator("#next-hand")).to_have_text("Hand 1")
    # Before the worker gives up waiting for the server.
    assert kept.page.evaluate("performance.getEntriesByType('navigation')[0].responseStart") < 2900
    # Another tablet has been at work.
    record(table, totals(table, 1, seat1=20))
    server.may_answer.set()
    expect(kept.page.locator("#next-hand")).to_have_text("Hand 2")


def test_a_table_loaded_again_by_who_is_signed_out_meanwhile_leads_to_the_sign_in_at_once(kept, server):
    kept.context.clear_cookies()
    server.hold()
    kept.page.reload(wait_until="commit")
    expect(kept.page.locator("#next-hand")).to_have_text("Hand 1")
    # The answer is as late as the worker's clock then says.
    kept.context.service_workers[0].evaluate("() => { const now = Date.now; Date.now = () => now() + 30_000; }")
    server.may_answer.set()
    expect(kept.page).to_have_url(re.compile("/sign-in/"))
    assert len(server.asked) == 2


@pytest.fixture
def older_version(server, monkeypatch):
    """Let pages name one more file, as those of a version with other files do, until the server may answer."""

    def add_file(figures_in_place, request, response):
        if request.path.endswith("/table/") and not server.may_answer.is_set():
            response.content = response.content.replace(b"</main>", OF_OLDER + b"</main>")
        return response

    monkeypatch.setattr(FiguresInPlace, "process_response", add_file)


OF_OLDER = b'<a hidden id="older" href="/static/table/older.0123456789ab.js"></a>'


@pytest.mark.usefixtures("older_version")
def test_a_table_kept_by_an_older_version_gives_way_to_the_server_s(kept, server):
    server.hold()
    kept.page.reload(wait_until="commit")
    expect(kept.page.locator("#older")).to_be_attached()
    server.may_answer.set()
    expect(kept.page.locator("#older")).to_have_count(0)
    expect(kept.page.locator("#next-hand")).to_have_text("Hand 1")


# The files of all versions that are other than those of the server.
CUT_SHORT = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("files-"));
  const lists = await Promise.all(names.map(async (name) => {
    const cache = await caches.open(name);
    const textOf = async (answer) => (await answer).text();
    const same = async (request) => (await textOf(cache.match(request))) === (await textOf(fetch(request.url)));
    return Promise.all((await cache.keys()).map(async (request) => (await same(request)) ? [] : [request.url]));
  }));
  return lists.flat(2);
}"""


def wait_for(one, found):
    for _ in range(PATIENCE // 100):
        if found:
            return
        one.page.wait_for_timeout(100)
    raise AssertionError("It was not asked for.")


FETCHED_TILES = 'performance.getEntriesByType("resource").filter(({ name }) => /tiles\\.\\w+\\.svg/.test(name)).length'


def test_the_file_of_all_tiles_is_fetched_once_however_many_are_drawn(tablet, club, table):
    one = tablet(club.scorekeeper, kind=PlayingTablet)
    one.open_table(table)
    one.wait_for_worker()
    one.open_entry(table)
    one.choose_hand("Alice", "tiles")
    for code in ("1B", "9D", "R"):
        one.face(code)
    expect(one.page.locator(".tray-set")).to_have_count(3)
    assert one.page.evaluate(FETCHED_TILES) == 1


@pytest.mark.long
def test_of_a_pack_of_files_that_was_cut_short_nothing_is_kept(tablet, club, table, monkeypatch):
    storage, cut = staticfiles_storage, []

    def answer(self, request):
        if not request.path.endswith(".pack") or cut:
            return None
        cut.append(request.path)
        content = Path(storage.path(request.path.removeprefix("/static/"))).read_bytes()
        return HttpResponse(content[: len(content) // 2], content_type="application/octet-stream")

    monkeypatch.setattr(SecurityHeaders, "process_request", answer)
    one = tablet(club.scorekeeper, kind=PlayingTablet)
    one.open_table(table)
    wait_for(one, cut)
    # The next page fetches it again, whole.
    one.open_table(table)
    one.wait_for_worker()
    assert one.page.evaluate(CUT_SHORT) == []


@pytest.mark.long
def test_the_ledger_comes_with_the_page_and_not_only_with_the_rules(one, table):
    # No timer of the page runs: the rules come by one, well after the page.
    one.page.clock.install(time=THREE)
    one.page.clock.pause_at(THREE + datetime.timedelta(minutes=1))
    with one.page.expect_response("**/state.json"):
        one.open_table(table)
    with one.page.expect_response("**/rules*.json"):
        one.page.clock.run_for(2000)


@pytest.mark.long
def test_undo_and_redo_without_the_network_back_to_the_first_hand(one, table):
    save_without_network(one, table, ["Bob"])
    one.find_network()
    expect(one.page.locator("#board")).to_be_visible()
    one.expect_saved()
    one.expect_rules()
    before = one.balances()
    one.lose_network()
    # Undo stands where Save stood: a press at once would be the second of a double press.
    one.pass_moment()
    one.tap("Undo: hand 1")
    expect(one.page.locator("#next-hand")).to_have_text("Hand 1")
    expect(one.page.locator(".next-east")).to_have_text("Alice is East")
    expect(one.page.locator(".removed-hands summary")).to_have_text("Removed hands (1)")
    one.tap("Redo: hand 1")
    expect(one.page.locator("#next-hand")).to_have_text("Hand 2")
    assert one.balances() == before
    one.find_network()
    one.expect_saved()
    expect(one.page.locator(".is-ahead")).to_have_count(0)
    assert one.balances() == before


@pytest.mark.long
def test_a_second_undo_of_one_hand_takes_nothing_back_and_the_seats_stay_known(one, table):
    one.open_entry(table)
    one.enter_win("Bob")
    one.save_online(1)
    one.expect_rules()
    one.lose_network()
    one.page.locator("#undo").tap()
    expect(one.page.locator("#next-hand")).to_have_text("Hand 1")
    one.expect_saved("1 change to send")
    # A second press at once is taken for the first, and one soon after has to be meant.
    one.pass_moment()
    one.page.locator("#undo").tap()
    expect(one.page.get_by_text("Press Undo again to take back another.")).to_be_visible()
    assert len(one.kept()) == 1
    one.pass_moment()
    one.page.locator("#undo").tap()
    one.expect_saved("2 changes to send")
    expect(one.page.locator("#next-hand")).to_have_text("Hand 1")
    expect(one.page.locator(".next-east")).to_have_text("Alice is East")
    assert [command["body"] for command in one.kept()] == [{"of": ledger_keys(table)[0]}, {"of": None}]


def test_a_tablet_whose_rules_do_not_come_keeps_every_hand(one, table):
    one.page.route("**/rules*.json", lambda route: route.abort())
    one.open_entry(table)
    one.expect_views()
    one.lose_network()
    one.enter_win("Bob")
    one.save_lost(1)
    one.expect_saved("1 hand to send")
    expect(one.page.locator("#board")).to_contain_text("Who sits where will appear when the Wi-Fi is back.")
    one.find_network()
    expect(one.page.locator("#board")).to_be_visible()
    one.expect_saved()
    expect_all_there(table, one, pressed=1)


def test_a_correction_is_shown_before_it_is_kept_and_stands_as_shown(one, table):
    for number, winner in enumerate(("Bob", "Carol"), 1):
        one.open_entry(table)
        one.enter_win(winner)
        one.save_online(number)
    first = ledger_keys(table)[0]
    one.open(f"/c/bramley/sessions/{table.pk}/hands/{first}/change/")
    one.expect_rules()
    one.lose_network()
    one.choose_hand("Bob", "total")
    one.figures("20")
    one.everybody()
    shown = one.page.get_by_role("dialog", name="What changes with hand 1")
    one.tap("Show what changes")
    # Bob wins 20 from East and two others instead of 8.
    expect(shown.locator(".will [data-name=Bob]").first).to_contain_text("+80")
    expect(shown.locator(".lead")).to_have_text("2 hands change.")
    shown.get_by_role("button", name="Back").tap()
    expect(shown).to_have_count(0)
    assert one.kept() == []
    one.page.set_viewport_size({"width": 1024, "height": 480})
    one.tap("Show what changes")
    # However low the window, the buttons are in it; what differs is bold, without a sign before it.
    expect(shown.get_by_role("button", name="Change the hand")).to_be_in_viewport(ratio=1)
    differs = shown.locator(".will .differs").first
    assert differs.evaluate("(one) => getComputedStyle(one, '::before').content") == "none"
    assert differs.evaluate("(one) => getComputedStyle(one).fontWeight") == "700"
    totals = shown.locator(".will.is-total .num").all_inner_texts()
    shown.get_by_role("button", name="Change the hand").tap()
    one.expect_saved("1 change to send")
    one.find_network()
    expect(one.page.locator("#board")).to_be_visible()
    one.expect_saved()
    shown_balances = one.balances()
    won = [f"{2000 + int(total.replace('−', '-')):,}" for total in totals]
    assert [shown_balances[name] for name in ("Alice", "Bob", "Carol", "Dave")] == won
    expect_all_there(table, one, pressed=3)


@pytest.mark.long
@pytest.mark.parametrize("service_workers", ["allow", "block"])
def test_what_differs_stands_out_though_no_change_was_looked_at_before(tablet, club, table, service_workers):
    one = tablet(club.scorekeeper, kind=PlayingTablet, service_workers=service_workers)
    one.open_entry(table)
    one.enter_win("Bob")
    one.save_online(1)
    one.open(f"/c/bramley/sessions/{table.pk}/hands/{ledger_keys(table)[0]}/change/")
    if service_workers == "allow":
        one.wait_for_worker()
    one.expect_rules()
    one.lose_network()
    one.choose_hand("Bob", "total")
    one.figures("20")
    one.everybody()
    one.tap("Show what changes")
    shown = one.page.get_by_role("dialog", name="What changes with hand 1")
    expect(shown.locator(".will .differs").first).to_have_css("font-weight", "700")
    expect(shown.locator(".preview-balance").first).to_have_css("display", "block")


class ChangingTablet(PlayingTablet):
    """Changes older hands in the list of hands of the table page, numbered from the first."""

    def keep_table(self, table):
        """Open the table, and wait until it can be played on without the network."""
        self.open_table(table)
        self.wait_for_worker()
        self.wait_for_page_kept(f"/c/bramley/sessions/{table.pk}/hands/new/")
        self.expect_rules()

    def open_hand(self, number):
        row = self.page.locator("ol.history .row-waits").nth(-number)
        if row.get_attribute("open") is None:
            row.locator("summary").first.tap()

    def look_and(self, press, heading):
        shown = self.page.get_by_role("dialog", name=heading)
        expect(shown.locator(".lead")).not_to_be_empty()
        shown.get_by_role("button", name=press).tap()

    def type_total(self, name, total):
        self.expect_rules()
        self.choose_hand(name, "total")
        self.figures(total)
        self.everybody()

    def change_total(self, number, winner, total):
        self.open_hand(number)
        self.follow("Change this hand")
        expect(self.page.locator(".hand-title")).to_contain_text(f"Change hand {number}")
        self.type_total(winner, total)
        self.tap("Show what changes")
        self.look_and("Change the hand", f"What changes with hand {number}")
        self.to_table()

    def insert_before(self, number, winner):
        self.open_hand(number)
        self.follow("Add a missing hand before this one")
        expect(self.page.locator(".hand-title")).to_contain_text(f"Before hand {number}")
        self.expect_rules()
        self.enter_win(winner)
        self.tap("Save the missing hand")
        self.look_and("Add the hand", f"What changes with a hand before hand {number}")
        self.to_table()

    def remove(self, number):
        self.open_hand(number)
        self.tap("Remove this hand")
        self.look_and("Remove the hand", f"What changes without hand {number}")
        expect(self.page.locator(".removed-hands > summary")).to_have_text("Removed hands (1)")

    def restore(self):
        self.page.locator(".removed-hands > summary").tap()
        self.tap("Restore this hand")
        self.page.get_by_role("dialog").get_by_role("button", name="Restore the hand").tap()
        expect(self.page.locator(".removed-hands")).to_have_count(0)

    def expect_balances(self, *balances):
        for name, balance in zip(PEOPLE, balances, strict=False):
            seat = self.page.locator(".felt [data-seat]").filter(has_text=name)
            expect(seat.locator(".balance")).to_have_text(balance)

    def hands(self):
        """Return the list of hands as it is shown: number, words and who gained or lost what."""
        rows = self.page.locator("ol.history > li").all()
        parts = ("b", ".row-words", ".row-aside")
        return [[row.locator(part).first.inner_text() for part in parts] for row in rows]

    def expect_all_sent(self, table):
        """Come online: the table is as it was shown here, and each command arrived once and in order."""
        offline = (self.balances(), self.hands())
        self.find_network()
        self.expect_saved()
        expect(self.page.locator(".is-ahead, .provisional")).to_have_count(0)
        assert (self.balances(), self.hands()) == offline
        assert register_keys(table) == self.keys
        assert self.kept() == []
        assert reconcile() == []


@pytest.fixture
def playing(tablet, club, table):
    """Give a tablet without the network: Bob's hand 1 is recorded, Carol's hand 2 is not sent yet; both have 8."""
    one = tablet(club.scorekeeper, kind=ChangingTablet)
    one.open_entry(table)
    one.enter_win("Bob")
    one.save_online(1)
    one.keep_table(table)
    one.lose_network()
    one.follow_to_entry()
    one.expect_rules()
    one.enter_win("Carol")
    one.save_lost(2)
    one.to_table()
    one.expect_balances(*AFTER_TWO)
    return one


# Bob got 16 of East Alice and 8 of the others, Carol 16 of East Bob and 8 of the others.
AFTER_TWO = ("1,976", "2,016", "2,024", "1,984")


@pytest.mark.parametrize(
    ("number", "winner", "without", "corrected", "with_another"),
    [
        # Alice is East in Carol's hand. Bob gets 40 of East Alice and 20 of the others. Before that he wins 8 too,
        # so that he is East when he has 20 and gets 40 of each.
        (
            1,
            "Bob",
            ("1,984", "1,992", "2,032", "1,992"),
            ("1,952", "2,064", "2,012", "1,972"),
            ("1,936", "2,136", "1,984", "1,944"),
        ),
        # Carol gets 40 of East Bob and 20 of the others. Bob, who is East and stays, gets 16 of each before that.
        pytest.param(
            2,
            "Carol",
            ("1,984", "2,032", "1,992", "1,992"),
            ("1,964", "1,992", "2,072", "1,972"),
            ("1,948", "2,040", "2,056", "1,956"),
            marks=pytest.mark.long,
        ),
    ],
)
@pytest.mark.long
def test_any_hand_of_the_list_is_removed_restored_corrected_and_has_a_missing_one_put_before_it(
    playing, table, number, winner, without, corrected, with_another
):
    playing.remove(number)
    playing.expect_balances(*without)
    playing.restore()
    playing.expect_balances(*AFTER_TWO)
    playing.change_total(number, winner, "20")
    playing.expect_balances(*corrected)
    playing.insert_before(number, "Bob")
    expect(playing.page.locator("#next-hand")).to_have_text("Hand 4")
    playing.expect_balances(*with_another)
    playing.expect_all_sent(table)
    playing.expect_balances(*with_another)
    assert [entry.removed for entry in table.entries.all()] == [False] * 3
    assert table.hands.count() == 3


@pytest.mark.long
def test_several_changes_of_hands_not_sent_yet_arrive_in_order(playing, table):
    playing.change_total(2, "Carol", "20")
    playing.insert_before(2, "Bob")
    playing.change_total(2, "Bob", "12")
    playing.remove(3)
    # Bob won 8 as South, and 12 as East of each of three; Carol's hand was removed.
    playing.expect_balances("1,960", "2,104", "1,968", "1,968")
    playing.page.locator("#undo").tap()
    expect(playing.page.locator(".removed-hands")).to_have_count(0)
    # Carol gets 40 of East Bob and 20 of the others.
    playing.expect_balances("1,940", "2,064", "2,048", "1,948")
    assert playing.kinds[1:] == ["hand", "correct", "insert", "correct", "take_out", "undo"]
    playing.expect_all_sent(table)
    playing.expect_balances("1,940", "2,064", "2,048", "1,948")


@pytest.mark.long
def test_later_hands_keep_their_seats_after_a_change_of_a_hand_in_the_list(playing, table):
    playing.open_hand(1)
    playing.follow("Change this hand")
    playing.expect_rules()
    group = playing.page.get_by_role("group", name="Who went Mah-jong?")
    group.get_by_role("button", name="Alice", exact=True).tap()
    playing.type_total("Alice", "8")
    playing.tap("Show what changes")
    playing.look_and("Keep the seats", "What changes with hand 1")
    playing.to_table()
    expect(playing.page.locator("#hands")).to_contain_text("Seats corrected")
    # East Alice gets 16 of each of three, Bob 8 of Carol and of Dave; then Carol gets 16 of East Bob, 8 of the others.
    playing.expect_balances("2,040", "1,984", "2,008", "1,968")
    playing.find_network()
    playing.expect_saved()
    expect(playing.page.locator(".provisional")).to_have_count(0)
    playing.expect_balances("2,040", "1,984", "2,008", "1,968")
    assert register_keys(table) == playing.keys
    assert reconcile() == []


def test_a_table_finished_without_the_network_says_who_pays_whom_and_which_sticks_lie_where(one, club):
    seated = [club.players[name] for name in PEOPLE[:4]]
    club.club.points_rate = 2
    club.club.save()
    table = start_session(club.club, AFTERNOON, 2, seated, "bmja", {}, by=BY, sticks="guide")
    one.open_entry(table)
    one.expect_rules()
    one.enter_win("Bob")
    one.save_online(1)
    one.expect_rules()
    one.pass_moment()
    one.page.get_by_text("Stop or pause").tap()
    one.pass_moment()
    one.lose_network()
    one.page.locator("#nobody").tap()
    expect(one.page.locator("#next-hand")).to_have_text("Hand 3")
    # A second press at once is taken for the first.
    one.pass_moment()
    one.tap("Finish the table")
    pays = one.page.locator(".final-payments li")
    # Bob won 8 of East, who pays double, and of two others: at £2 for 1,000 points.
    expect(pays).to_have_text(["Alice pays Bob £0.03", "Carol pays Bob £0.02", "Dave pays Bob £0.02"])
    sticks = one.page.locator("#table-sticks")
    expect(sticks.get_by_role("row", name="Bob")).to_contain_text("11\u00a0×\u00a010")
    finished = one.page.locator(".final-order, .final-payments, #table-sticks")
    offline = finished.all_inner_texts()
    one.find_network()
    one.expect_saved()
    expect(one.page.locator("#board:not(.is-ahead) #finished")).to_be_visible()
    assert finished.all_inner_texts() == offline


def test_a_whole_afternoon_over_plain_http_goes_on_while_the_laptop_sleeps(tablet, club, table):
    address = own_address()
    if address is None:
        pytest.skip("This machine has no address on a network.")
    with override_settings(ALLOWED_HOSTS=["*"]):
        server = OwnServer(address)
        one = tablet(club.scorekeeper, kind=ChangingTablet, url=server.url)
        one.open_table(table)
        assert not one.page.evaluate("isSecureContext")
        one.expect_rules()
        server.stop()
        one.may_be_lost = True
        for number, winner in enumerate(["Bob", None, "Carol", None, None, "Dave", None, None, None, "Alice"], 1):
            if winner is None:
                one.page.locator("#nobody").tap()
            else:
                one.next_hand(number)
                one.enter_win(winner)
                one.tap(f"Save hand {number}")
            expect(one.page.locator("#next-hand")).to_have_text(f"Hand {number + 1}")
            # A press so soon after the last is taken for the same.
            one.pass_moment()
        one.change_total(3, "Carol", "20")
        one.page.get_by_text("More …", exact=True).tap()
        one.follow("Add a player")
        one.page.get_by_label("Player", exact=True).select_option(label="Fay")
        one.tap("Seat the player")
        expect(one.page.locator(".sitter")).to_contain_text("Fay")
        one.pass_moment()
        one.page.get_by_text("Stop or pause").tap()
        one.pass_moment()
        one.tap("Finish the table")
        expect(one.page.locator("#finished")).to_be_visible()
        shown = one.page.locator(".final-order").inner_text()
        assert register_keys(table) == []
        server.start()
        one.expect_saved()
        assert register_keys(table) == one.keys
        assert one.kinds == ["hand"] * 10 + ["correct", "arrive", "finish"]
        assert one.page.locator(".final-order").inner_text() == shown
        assert table.seats.filter(player=club.players["Fay"]).exists()
        assert reconcile() == []
        server.stop()


@pytest.mark.parametrize("players", [3, pytest.param(4, marks=pytest.mark.long), 5])
def test_the_sheet_without_the_network_is_the_server_s_afterwards(tablet, club, players):
    seated = [club.players[name] for name in PEOPLE[:players]]
    table = start_session(club.club, AFTERNOON, 2, seated, "bmja", {}, by=BY)
    one = tablet(club.scorekeeper, kind=PlayingTablet)
    one.open_table(table)
    one.wait_for_worker()
    one.wait_for_page_kept(f"/c/bramley/sessions/{table.pk}/")
    one.expect_rules()
    one.lose_network()
    one.page.locator("#nobody").tap()
    expect(one.page.locator("#next-hand")).to_have_text("Hand 2")
    one.page.locator(".board-head").get_by_role("link", name="The sheet").tap()
    sheet = one.page.locator("#sheet")
    expect(sheet.locator(".provisional")).to_have_text(NOT_SENT)
    expect(sheet.locator(".sheet tbody th")).to_have_text(["Start", "Nobody went Mah-jong", "Won or lost"])
    expect(one.button("Print the sheet")).to_be_visible()
    offline = sheet.inner_text().replace(NOT_SENT, "").strip()
    one.find_network()
    one.open_table(table)
    one.expect_saved()
    one.page.locator(".board-head").get_by_role("link", name="The sheet").tap()
    expect(sheet.locator(".provisional")).to_have_count(0)
    expect(sheet.locator(".sheet tbody a")).to_have_text("Nobody went Mah-jong")
    assert sheet.inner_text().strip() == offline


@pytest.mark.long
def test_signed_out_the_tablet_scores_and_shows_payments_as_without_the_network(one, table):
    one.open_entry(table)
    one.expect_rules()
    one.expect_status(401, 403)
    one.may_be_lost = True
    one.context.clear_cookies()
    one.enter_win("Bob")
    expect(one.page.locator("#score .payments .amount")).to_have_text(["16", "8", "8"])
    one.save_lost(1, "Hand 1: Bob, 8. Bob is East.")
    expect(one.page.locator("#messages")).to_contain_text("Sign in, or scan the QR code again, and it will be sent.")
    one.expect_saved("1 hand to send: sign in again")
    expect(one.page.locator(".next-east")).to_have_text("Bob is East")
    expect(one.page.locator(".provisional")).to_have_text(NOT_SENT)
    one.next_hand(2)
    one.enter_win("Bob")
    expect(one.page.locator("#score .payments .amount")).to_have_text(["16", "16", "16"])
    one.save_lost(2)
