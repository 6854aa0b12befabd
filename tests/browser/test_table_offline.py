"""The table page without a network: seats, scores, payments and balances as the tablet plays the table on."""

import pytest
from playwright.sync_api import expect

from sessions_app.table.sessions import start_session

from .conftest import AFTERNOON, BY, PEOPLE
from .outbox_tablet import BALANCES, PlayingTablet, expect_all_there, ledger_keys

NOT_SENT = "These scores are not sent yet. They will be sent when the Wi-Fi is back."


@pytest.fixture
def one(tablet, club):
    return tablet(club.scorekeeper, kind=PlayingTablet, service_workers="block")


def save_without_network(one, table, winners):
    one.open_entry(table)
    one.expect_rules()
    one.lose_network()
    for number, winner in enumerate(winners, 1):
        one.enter_win(winner)
        one.save_lost(number, BALANCES)
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
    one.follow("The table")
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


def test_undo_and_redo_without_the_network_back_to_the_first_hand(one, table):
    save_without_network(one, table, ["Bob"])
    one.find_network()
    expect(one.page.locator("#board")).to_be_visible()
    one.expect_saved()
    one.expect_rules()
    before = one.balances()
    one.lose_network()
    one.tap("Undo: hand 1")
    expect(one.page.locator("#next-hand")).to_have_text("Hand 1")
    expect(one.page.locator(".next-east")).to_have_text("Alice is East")
    expect(one.page.locator(".taken-out summary")).to_have_text("Removed hands (1)")
    one.tap("Redo")
    expect(one.page.locator("#next-hand")).to_have_text("Hand 2")
    assert one.balances() == before
    one.find_network()
    one.expect_saved()
    expect(one.page.locator(".is-ahead")).to_have_count(0)
    assert one.balances() == before


def test_a_second_undo_of_one_hand_takes_nothing_back_and_the_seats_stay_known(one, table):
    one.open_entry(table)
    one.enter_win("Bob")
    one.save_online(1)
    one.expect_rules()
    one.lose_network()
    one.page.locator("#undo").tap()
    expect(one.page.locator("#next-hand")).to_have_text("Hand 1")
    one.expect_saved("1 change saved on this tablet, waiting to send")
    # A second press at once is taken for the first.
    one.page.wait_for_timeout(1500)
    one.page.locator("#undo").tap()
    one.expect_saved("2 changes saved on this tablet, waiting to send")
    expect(one.page.locator("#next-hand")).to_have_text("Hand 1")
    expect(one.page.locator(".next-east")).to_have_text("Alice is East")
    assert [command["body"] for command in one.kept()] == [{"of": ledger_keys(table)[0]}, {"of": None}]


def test_who_sits_out_next_stands_once_without_the_network(one, club):
    seated = [club.players[name] for name in PEOPLE]
    table = start_session(club.club, AFTERNOON, 2, seated, "bmja", {}, by=BY)
    one.open_table(table)
    one.expect_rules()
    one.lose_network()
    one.page.locator("#nobody").tap()
    expect(one.page.locator(".is-ahead")).to_have_count(1)
    expect(one.page.locator(".next-out")).to_have_count(1)


def test_a_tablet_whose_rules_die_keeps_every_hand(one, table):
    one.page.route("**/rules*.json", lambda route: route.abort())
    one.open_entry(table)
    one.lose_network()
    one.enter_win("Bob")
    one.save_lost(1)
    one.expect_saved("1 hand saved on this tablet, waiting to send")
    expect(one.page.locator("#saved-panel")).to_contain_text("Who sits where will appear when the Wi-Fi is back.")
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
    one.tap("Show what changes")
    totals = shown.locator(".will.is-total .num").all_inner_texts()
    shown.get_by_role("button", name="Change the hand").tap()
    one.expect_saved("1 change saved on this tablet, waiting to send")
    one.find_network()
    expect(one.page.locator("#board")).to_be_visible()
    one.expect_saved()
    shown_balances = one.balances()
    won = [f"{2000 + int(total.replace('−', '-').replace('→', '')):,}" for total in totals]
    assert [shown_balances[name] for name in ("Alice", "Bob", "Carol", "Dave")] == won
    expect_all_there(table, one, pressed=3)


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


def test_later_hands_keep_their_seats_in_one_tap(one, table):
    for number, winner in enumerate(("Bob", "Carol"), 1):
        one.open_entry(table)
        one.enter_win(winner)
        one.save_online(number)
    one.open(f"/c/bramley/sessions/{table.pk}/hands/{ledger_keys(table)[0]}/change/")
    one.expect_rules()
    one.lose_network()
    group = one.page.get_by_role("group", name="Who went Mah-jong?")
    group.get_by_role("button", name="Alice", exact=True).tap()
    one.choose_hand("Alice", "total")
    one.figures("8")
    one.everybody()
    one.tap("Show what changes")
    shown = one.page.get_by_role("dialog", name="What changes with hand 1")
    shown.get_by_role("button", name="Keep the seats").tap()
    one.expect_saved("1 change saved on this tablet, waiting to send")
    one.find_network()
    expect(one.page.locator("#board")).to_contain_text("Seats corrected: Bob East, Carol South, Dave West, Alice North")
    one.expect_saved()
    # East Alice gets 16 of each of three, Bob 8 of Carol and of Dave; then Carol gets 16 of East Bob, 8 of the others.
    assert one.balances() == {"Alice": "2,040", "Bob": "1,984", "Carol": "2,008", "Dave": "1,968"}
    expect_all_there(table, one, pressed=3)


def test_a_removal_is_shown_before_it_is_kept(one, table):
    one.open_entry(table)
    one.enter_win("Bob")
    one.save_online(1)
    one.page.locator(".history a").first.tap()
    expect(one.page.get_by_role("button", name="Remove this hand")).to_be_visible()
    one.expect_rules()
    one.lose_network()
    one.tap("Remove this hand")
    shown = one.page.get_by_role("dialog", name="What changes without hand 1")
    expect(shown.locator(".lead")).to_have_text("One hand changes.")
    shown.get_by_role("button", name="Remove the hand").tap()
    expect(one.page.locator("#messages")).to_contain_text("Saved on this tablet: Hand 1 is removed.")
    one.find_network()
    one.expect_saved()
    assert [entry.taken_out for entry in table.entries.all()] == [True]
    expect_all_there(table, one, pressed=2)


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
    one.page.get_by_text("Stop or pause").tap()
    one.page.wait_for_timeout(700)
    one.lose_network()
    one.page.locator("#nobody").tap()
    expect(one.page.locator("#next-hand")).to_have_text("Hand 3")
    # A second press at once is taken for the first.
    one.page.wait_for_timeout(1500)
    one.tap("Finish the session")
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


@pytest.mark.parametrize("players", [3, 4, 5])
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
