"""The secretary imports a club's own spreadsheets by taps: six at most, and one for each name to change."""

import datetime
import io
import re
import time

import pytest
from openpyxl import Workbook
from playwright.sync_api import expect

from sessions_app.models import Tally
from sessions_app.people.players import add_player
from tests.exchange.test_club_files import EXPECTED, FILES

from .conftest import BY

MAX_TAPS = 6


# Each comes in without a browser in tests/exchange; by taps some of them on each run.
SOME, OTHERS = list(EXPECTED)[:4], list(EXPECTED)[4:]


@pytest.mark.parametrize("name", [*SOME, *(pytest.param(name, marks=pytest.mark.long) for name in OTHERS)])
def test_a_file_comes_in_by_a_few_taps(tablet, club, name):
    one = tablet(club.secretary)
    page, taps = one.page, []

    def tap(where):
        taps.append(where)
        where.tap()

    one.open("/c/bramley/desk/import/")
    tap(page.get_by_role("link", name="Past totals"))
    taps.append("choose the file")
    page.get_by_label("Or choose a file").set_input_files(FILES / name)
    tap(page.get_by_role("button", name="Check"))
    expect(page.get_by_role("heading", name="Which column is what?")).to_be_visible()
    tap(page.get_by_role("button", name="Check"))
    expect(page.get_by_role("heading", name="Check and save")).to_be_visible()
    tap(page.get_by_label("These are our dates and totals"))
    tap(page.get_by_role("button", name="Import", exact=True))
    expect(page.get_by_text(re.compile(r"^\d+ new tables?\.$"))).to_be_visible()
    assert Tally.objects.count() == EXPECTED[name][0]
    assert len(taps) == MAX_TAPS


def test_a_figure_is_changed_in_its_place_and_a_name_chosen(tablet, club):
    add_player(club.club, "Jean Smith", by=BY)
    one = tablet(club.secretary)
    page = one.page
    one.open("/c/bramley/desk/import/totals/")
    page.get_by_label("Paste the text here").fill("Date\tName\tScore\n24/9/25\tJ Smith\t4900\n24/9/25\tAlice\t-49")
    page.get_by_role("button", name="Check").tap()
    page.get_by_role("button", name="Check").tap()
    expect(page.get_by_text("Table 1 on 24 September 2025 adds up to +4,851, not 0.")).to_be_visible()
    expect(page.get_by_label("J Smith 1 result")).to_have_value(str(club.club.players.get(full_name="Jean Smith").pk))
    page.get_by_label("Jean Smith Cell C2").fill("49")
    page.get_by_role("button", name="Check again").tap()
    page.get_by_label("These are our dates and totals").tap()
    page.get_by_role("button", name="Import", exact=True).tap()
    expect(page.get_by_text("1 new table.", exact=True)).to_be_visible()
    assert sorted(Tally.objects.values_list("player__full_name", "net")) == [("Alice", -49), ("Jean Smith", 49)]


def five_thousand_rows():
    """Return an .xlsx file of 5,000 results: 25 tables of four on 50 days, each table adding up to 0."""
    book = Workbook()
    book.active.append(["Date", "Table", "Player", "Won or lost"])
    for week in range(50):
        day = datetime.date(2025, 9, 4) + datetime.timedelta(days=7 * week)
        for place, net in enumerate([120, -40, -60, -20] * 25):
            # Won and lost in turn: figures that only rise would be running totals.
            points = (-1) ** week * net * (week + 1)
            book.active.append([day, place // 4 + 1, f"Player {place:02} of the club", points])
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


# The share that was sent, as the bar shows it, each time it changes.
WATCH_BAR = """
window.shares = [];
new MutationObserver(() => {
  const bar = document.querySelector("progress");
  if (bar && bar.position > 0) shares.push(bar.position);
}).observe(document, { subtree: true, attributes: true, childList: true, characterData: true });
"""


@pytest.mark.long
def test_five_thousand_rows_are_saved_within_ten_seconds_and_a_bar_shows_the_share(tablet, club):
    one = tablet(club.secretary)
    page = one.page
    one.open("/c/bramley/desk/import/totals/")
    file = {"name": "results.xlsx", "mimeType": "", "buffer": five_thousand_rows()}
    page.get_by_label("Or choose a file").set_input_files(file)
    started = time.process_time()
    page.get_by_role("button", name="Check").tap()
    expect(page.get_by_role("heading", name="Which column is what?")).to_be_visible()
    # A slow network, so that the bar is seen while the form is sent.
    slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 400_000}
    session = one.context.new_cdp_session(page)
    session.send("Network.emulateNetworkConditions", slow)
    page.evaluate(WATCH_BAR)
    page.get_by_role("button", name="Check").tap()
    page.wait_for_function("() => window.shares.some((share) => share < 1)")
    session.send("Network.emulateNetworkConditions", slow | {"uploadThroughput": -1})
    expect(page.get_by_role("heading", name="Check and save")).to_be_visible(timeout=60_000)
    page.get_by_label("These are our dates and totals").tap()
    page.get_by_role("button", name="Import", exact=True).tap()
    expect(page.get_by_text("1,250 new tables.", exact=True)).to_be_visible(timeout=60_000)
    assert page.url.endswith("/c/bramley/standings/")
    assert Tally.objects.count() == 5000
    # Of the server's time: other programs may slow this machine down.
    assert time.process_time() - started < 10


def test_the_page_of_totals_says_what_is_still_to_share_out(tablet, club):
    one = tablet(club.secretary)
    page = one.page
    one.open("/c/bramley/desk/totals/")
    still = page.locator("#still")
    expect(still).to_be_hidden()
    page.get_by_label("Won or lost, player 1").fill("1,200")
    expect(still).to_have_text("Still to share out: −1,200")
    page.get_by_label("Won or lost, player 2").fill("(1,240)")
    expect(still).to_have_text("Still to share out: +40")
    page.get_by_label("Won or lost, player 3").fill("40")
    expect(still).to_have_text("The points add up to 0.")
    page.get_by_label("How the results were made").select_option("straight")
    expect(still).to_be_hidden()


PASTED = "Paste the text here"
TYPED = {
    "import/players": PASTED,
    "import/totals": PASTED,
    "import/afternoon": PASTED,
    "totals": "Won or lost, player 1",
}


@pytest.mark.long
def test_what_was_pasted_is_there_again_after_back(tablet, club):
    one = tablet(club.secretary)
    for page, field in TYPED.items():
        one.open(f"/c/bramley/desk/{page}/")
        one.page.get_by_label(field).fill("Jean Atkins")
        one.page.get_by_role("link", name="Bramley Mah-jong Group").first.tap()
        expect(one.page).to_have_url(f"{one.url}/c/bramley/")
        one.page.go_back()
        expect(one.page).to_have_url(f"{one.url}/c/bramley/desk/{page}/")
        expect(one.page.get_by_label(field)).to_have_value("Jean Atkins")
