"""The table page under fingers: the second press is ignored, another tablet sees the news, focus and a press stay."""

import re
import uuid

import pytest
from django.templatetags.static import static
from django.urls import reverse
from playwright.sync_api import expect

from sessions_app.people.players import add_player
from sessions_app.table.apply_command import apply_command
from sessions_app.table.sessions import start_session

from .conftest import AFTERNOON, BY, PEOPLE
from .outbox_tablet import OutboxTablet, PlayingTablet
from .tablet import LANDSCAPE

PHONE = (390, 844)
# The widths on both sides of it fit, and are looked at on each run.
SCREENS = [LANDSCAPE, (810, 1080), PHONE]
DONE = """async ([module, words]) => (await import(module)).flashDone(words)"""


def at_the_table(tablet, user, table):
    one = tablet(user)
    one.open(reverse("table", args=[table.club.slug, table.pk]))
    return one


def test_news_takes_no_link_from_under_the_finger(tablet, club, table):
    mine = at_the_table(tablet, club.scorekeeper, table)
    mine.page.locator("#mahjong").hover()
    mine.page.mouse.down()
    apply_command(table.pk, {"key": str(uuid.uuid4()), "kind": "hand", "body": {"hands": {}, "mahjong": None}}, BY)
    with mine.page.expect_response(lambda answer: "version=" in answer.url and answer.status == 200) as news:
        mine.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    news.value.finished()
    mine.page.mouse.up()
    expect(mine.page).to_have_url(mine.url + reverse("hand-new", args=[table.club.slug, table.pk]))


def test_undo_stays_under_the_finger(tablet, club, table):
    mine = at_the_table(tablet, club.scorekeeper, table)
    mine.tap("Nobody went Mah-jong")
    expect(mine.page.locator(".goulash")).to_be_visible()
    mine.tap("Undo: hand 1")
    expect(mine.page.locator("#messages")).to_contain_text("Hand 1 undone.")
    expect(mine.page.locator("#undo")).to_be_focused()
    mine.tap("Redo: hand 1")
    expect(mine.page.locator(".goulash")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("size", [(810, 1080), PHONE], ids=["810", "390"])
def test_the_answer_to_undo_is_seen_by_its_button(tablet, club, table, size):
    apply_command(table.pk, {"key": str(uuid.uuid4()), "kind": "hand", "body": {"hands": {}, "mahjong": None}}, BY)
    mine = tablet(club.scorekeeper, size=size)
    mine.open(reverse("table", args=[table.club.slug, table.pk]))
    mine.page.locator("#undo").evaluate("(one) => scrollTo(0, one.getBoundingClientRect().bottom - 200)")
    mine.tap("Undo: hand 1")
    expect(mine.page.get_by_text("Hand 1 undone.")).to_be_in_viewport(ratio=1)
    expect(mine.page.locator("#undo")).to_be_focused()


@pytest.mark.long
def test_a_table_of_five_is_seen_whole_on_a_phone(tablet, club):
    five = [club.players[name] for name in ("Alice", "Bob", "Carol", "Dave", "Fay")]
    table = start_session(club.club, AFTERNOON, 1, five, "bmja", {}, by=BY)
    mine = tablet(club.scorekeeper, size=PHONE)
    mine.open(reverse("table", args=[club.club.slug, table.pk]))
    expect(mine.page.locator(".glance")).to_have_text("East round Fay sits out")
    out = mine.page.locator(".sitter").bounding_box()
    assert out["y"] + out["height"] <= PHONE[1]


def picture(one):
    """Who sits on which side, with the wind, as drawn."""
    seats = one.page.locator(".seat[data-side]")
    expect(seats.locator(".seat-wind")).to_have_text([re.compile(r"\w")] * 4)
    drawn = [seats.nth(at).locator(".seat-wind, .seat-name").all_text_contents() for at in range(4)]
    return [[" ".join(text.split()) for text in texts] for texts in drawn]


@pytest.mark.long
@pytest.mark.parametrize("turn", ["", "?turn=1"], ids=["as it is", "turned"])
def test_five_keep_their_sides_while_hands_wait(tablet, club, turn):
    five = [club.players[name] for name in ("Alice", "Bob", "Carol", "Dave", "Fay")]
    table = start_session(club.club, AFTERNOON, 1, five, "bmja", {}, by=BY)
    mine = tablet(club.scorekeeper, kind=PlayingTablet)
    mine.open_table(table)
    mine.open(f"/c/bramley/sessions/{table.pk}/table/{turn}")
    mine.wait_for_worker()
    mine.expect_rules()
    mine.wait_for_page_kept(f"/c/bramley/sessions/{table.pk}/hands/new/")
    mine.lose_network()
    mine.follow_to_entry()
    # Each time who goes out for the next hand gives the side to who comes in.
    for number, winner in enumerate(("Bob", "Carol", "Dave"), 1):
        mine.enter_win(winner)
        mine.save_lost(number)
        if number < 3:
            mine.next_hand(number + 1)
    mine.to_table()
    expect(mine.page.locator("#next-hand")).to_have_text("Hand 4")
    drawn = picture(mine)
    mine.find_network()
    mine.expect_saved()
    expect(mine.page.locator(".history > li")).to_have_count(3)
    assert picture(mine) == drawn


@pytest.mark.long
def test_after_nothing_to_undo_the_board_stands_as_before(tablet, club, table):
    mine = at_the_table(tablet, club.scorekeeper, table)
    mine.expect_status(422)
    board = mine.page.locator(".board")
    # The page itself shows this button, where the browser can speak.
    expect(mine.page.locator("#read-aloud")).to_be_visible()
    before = board.inner_text()
    # Redo is not shown where there is nothing to do again; another tablet may have taken it.
    for press in ("undo", "redo"):
        with mine.page.expect_response("**/commands/") as refused:
            mine.page.locator(f"#{press}").evaluate("(one) => one.click()")
        assert refused.value.status == 422
        expect(mine.page.locator("#messages .error")).to_be_visible()
        expect(mine.page.locator(".is-ahead")).to_have_count(0)
        expect(mine.page.locator(".next-east")).to_have_text("Alice is East")
        assert board.inner_text() == before
        mine.pass_moment()


def test_what_is_said_is_one_line_and_leaves_the_table_where_it_is(tablet, club):
    """At a table of five, in large type too; a phone needs a second line, and a third for large type."""
    people = [
        add_player(club.club, full_name=name, by=BY) for name in ("Alan", "Barbara", "Brian", "Christine", "Keith")
    ]
    sizes = [((1024, 660), 1, 1), ((810, 1080), 1, 1), (PHONE, 2, 3)]
    for number, (size, *lines) in enumerate(sizes, 1):
        five = start_session(club.club, AFTERNOON, number, people, "bmja", {}, by=BY, starting_balance=2000)
        mine = tablet(club.scorekeeper, size=size, kind=OutboxTablet, service_workers="block")
        mine.open_table(five)
        # On a phone the head of the page is above the table.
        top = mine.page.locator(".board-head").bounding_box()["y"]
        hands = {seat: {"total": 120 if seat == "3" else 0} for seat in "1234"}
        send = {"key": str(uuid.uuid4()), "kind": "hand", "body": {"hands": hands, "mahjong": {"by": "3"}}}
        words = apply_command(five.pk, send, BY).message
        assert words == "Hand 1: Brian, 120. Barbara is East; Keith comes in."
        mine.page.evaluate(DONE, [static("table/outbox/flash.js"), words])
        said = mine.page.locator("#messages .message")
        for looks, most in zip(("", "is-large"), lines, strict=True):
            mine.page.evaluate("(looks) => { document.documentElement.className = looks }", looks)
            expect(mine.page.get_by_text(words)).to_be_in_viewport(ratio=1)
            expect(said.get_by_role("button", name="Undo")).to_be_in_viewport(ratio=1)
            height, line = said.locator("span").evaluate(
                "(one) => [one.getBoundingClientRect().height, parseFloat(getComputedStyle(one).lineHeight)]"
            )
            assert round(height / line) <= most, (size, looks)
            assert said.evaluate("(one) => one.scrollWidth <= one.clientWidth")
        mine.page.evaluate("document.documentElement.className = ''")
        assert mine.page.locator(".board-head").bounding_box()["y"] == top


@pytest.mark.long
def test_what_a_hand_changed_stands_by_each_balance_until_the_next_is_begun(tablet, club, table):
    """Bob wins 20: East pays 40, the two others 20 each. The message has the button that takes it back."""
    mine = tablet(club.scorekeeper, size=PHONE, kind=OutboxTablet, service_workers="block")
    mine.open_entry(table)
    mine.enter_win("Bob", "20")
    mine.save_online(1)
    changes = mine.page.locator(".felt .change")
    expect(changes).to_have_count(4)
    assert sorted(changes.all_inner_texts()) == ["+80", "−20", "−20", "−40"]
    mine.page.get_by_role("link", name="Enter hand 2", exact=True).tap()
    mine.page.get_by_role("group", name="Who went Mah-jong").get_by_role("button", name="Carol", exact=True).tap()
    mine.page.go_back()
    expect(mine.page.get_by_role("link", name=re.compile("^Go on with hand 2"))).to_be_visible()
    expect(changes.first).to_be_hidden()


def test_the_undo_beside_what_is_said_takes_it_back(tablet, club, table):
    mine = tablet(club.scorekeeper, kind=OutboxTablet, service_workers="block")
    mine.open_table(table)
    mine.tap("Nobody went Mah-jong")
    said = mine.page.locator("#messages")
    expect(said).to_contain_text("Hand 1: no winner. Alice stays East; goulash next.")
    said.get_by_role("button", name="Undo").tap()
    expect(said).to_contain_text("Hand 1 undone. No goulash next.")
    expect(mine.page.locator("ol.history > li")).to_have_count(0)


@pytest.mark.long
def test_a_new_players_name_is_asked_only_for_somebody_new(tablet, club):
    mine = tablet(club.scorekeeper)
    mine.open(reverse("session-start", args=[club.club.slug]))
    name = mine.page.get_by_label("East: new player’s name")
    expect(name).to_be_hidden()
    mine.page.get_by_label("East", exact=False).first.select_option("new")
    expect(name).to_be_visible()


def test_after_an_error_the_focus_is_on_the_summary(tablet, club):
    mine = tablet(club.scorekeeper)
    mine.expect_status(422)
    mine.open(reverse("session-start", args=[club.club.slug]))
    mine.tap("Start playing")
    expect(mine.page.locator("#error-summary")).to_be_focused()
    mine.page.get_by_role("link", name="Choose a player for West.").tap()
    expect(mine.page.locator("#id_player_3")).to_be_focused()


@pytest.mark.long
def test_a_finished_session_shows_the_final_order_at_the_top(tablet, club, table):
    mine = at_the_table(tablet, club.scorekeeper, table)
    mine.tap("Nobody went Mah-jong")
    expect(mine.page.locator(".history > li")).to_have_count(1)
    mine.page.set_viewport_size({"width": 390, "height": 844})
    mine.pass_moment()
    mine.page.get_by_text("Stop or pause").tap()
    mine.pass_moment()
    mine.tap("Finish the table")
    expect(mine.page.locator("#finished")).to_be_focused()
    expect(mine.page.locator(".final-order .seat-name")).to_have_text(["Alice", "Bob", "Carol", "Dave"])
    assert mine.page.evaluate("scrollY") == 0
    expect(mine.page.locator("#finished")).to_be_in_viewport()
    expect(mine.page.locator(".final-payments")).to_contain_text("Everyone is even. Nobody pays.")
    mine.follow("See and print the sheet")
    expect(mine.button("Print the sheet")).to_be_visible()


def place(element):
    return {side: round(length) for side, length in element.bounding_box().items()}


@pytest.mark.long
def test_the_main_button_never_moves(tablet, club):
    """East stays, a goulash follows, the deal passes to a long name: whatever is said, the button stays."""
    club.players["Bob"].short_name = "Bernadette"
    club.players["Bob"].save()
    table = start_session(club.club, AFTERNOON, 1, [club.players[name] for name in PEOPLE], "u3a", {}, by=BY)
    mine = tablet(club.scorekeeper)
    mine.open(reverse("table", args=[club.club.slug, table.pk]))
    main = mine.page.locator("#mahjong")

    def places_now():
        found = {}
        for width, height in SCREENS:
            mine.page.set_viewport_size({"width": width, "height": height})
            found[width] = place(main)
        return found

    places = [places_now()]
    won = {"hands": {str(seat): {"total": 40 if seat == 1 else 0} for seat in (1, 2, 3, 4)}, "mahjong": {"by": "1"}}
    lost = {"hands": {str(seat): {"total": 40 if seat == 3 else 0} for seat in (1, 2, 3, 4)}, "mahjong": {"by": "3"}}
    for number, body in enumerate([won, {"hands": {}, "mahjong": None}, won, won, lost], 1):
        assert (
            apply_command(table.pk, {"key": str(uuid.uuid4()), "kind": "hand", "body": body}, BY).outcome == "recorded"
        )
        mine.page.reload()
        expect(main).to_have_text(f"Enter hand {number + 1}")
        places.append(places_now())
    expect(mine.page.locator(".next-east")).to_have_text("Bernadette is East")
    assert places == [places[0]] * 6


@pytest.mark.long
def test_only_what_every_evening_needs_is_outside_more(tablet, club, table):
    mine = tablet(club.scorekeeper, kind=OutboxTablet, service_workers="block")
    for width, height in SCREENS:
        mine.page.set_viewport_size({"width": width, "height": height})
        mine.open_table(table)
        mine.expect_saved()
        expect(mine.page.get_by_role("link", name="We sat differently")).to_be_visible()
        expect(mine.page.get_by_text("Stop or pause")).to_be_visible()
        folded = mine.page.locator(".more-groups :is(a, button, h2)")
        assert not any(one.is_visible() for one in folded.all())
        mine.page.get_by_text("More …").tap()
        groups = ["Who sits here", "The hands", "This tablet"]
        expect(mine.page.locator(".more-groups h2")).to_have_text(groups)
        expect(mine.page.get_by_role("link", name="Last changes")).to_be_visible()
        # No Redo where there is nothing to do again.
        expect(mine.page.locator("#redo")).to_be_hidden()
    mine.tap("Nobody went Mah-jong")
    mine.page.locator("#undo").filter(has_text="hand 1").tap()
    expect(mine.page.locator("#redo")).to_have_text("Redo: hand 1")


AT_FOOT = "document.querySelector('#messages .message')?.getBoundingClientRect().y > innerHeight - 100"


@pytest.mark.long
def test_no_band_is_kept_free_above_the_felt(tablet, club, table):
    mine = tablet(club.scorekeeper)
    mine.open(reverse("table", args=[club.club.slug, table.pk]))
    for width, height in (LANDSCAPE, (810, 1080), PHONE):
        mine.page.set_viewport_size({"width": width, "height": height})
        # On a phone the next hand stands above the felt.
        below = ".board-side" if width == PHONE[0] else ".felt"
        head, felt = (mine.page.locator(part).bounding_box() for part in (".board-head", below))
        assert felt["y"] - (head["y"] + head["height"]) < 20
        assert head["y"] - mine.page.locator("header").bounding_box()["height"] < 20
    # What is said on a phone stands at the foot of its screen, so that nothing moves.
    enter = place(mine.page.locator("#mahjong"))
    mine.tap("Nobody went Mah-jong")
    expect(mine.page.locator("#messages .message").first).to_be_in_viewport(ratio=1)
    assert place(mine.page.locator("#mahjong")) == enter
    # The server's message takes the place of the tablet's.
    mine.page.wait_for_function(AT_FOOT)


HEARD = """window.heard = [];
speechSynthesis.speak = (said) => window.heard.push([said.text, said.lang]);"""


@pytest.mark.long
def test_who_is_east_is_read_aloud_when_asked(tablet, club, table):
    one = tablet(club.scorekeeper)
    one.context.add_init_script(HEARD)
    one.open(f"/c/bramley/sessions/{table.pk}/table/")
    one.tap("Read aloud")
    assert one.page.evaluate("window.heard") == [["Alice is East.", "en-GB"]]
