"""An afternoon of the league by taps: thirteen come, tables are drawn, one is played, a correction moves the table."""

import csv
import io
import shutil
import subprocess

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from sessions_app.models import Club, Season, Session
from sessions_app.people.players import add_player

from . import club_afternoon as afternoon
from .conftest import BY, login

NAMES = (
    ["Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Joe", "Kim", "Lou", "May"]
)  # fmt: skip
WINDS = "ESWN"


@pytest.fixture
def league(live_server, transactional_db):
    """Make a club of thirteen with a season in which one session is enough for a place."""
    club = Club.objects.create(name="Bramley", slug="bramley")
    for name in NAMES:
        add_player(club, full_name=f"{name} Ash", by=BY)
    today = timezone.localdate()
    Season.objects.create(club=club, name="Autumn", starts_on=today, ends_on=today, rules=["bmja"], minimum_sessions=1)
    return login(club, "secretary", "secretary", "plum orchid bamboo")


def test_thirteen_are_drawn_a_table_is_played_and_a_correction_moves_the_standings(tablet, league, tmp_path):
    one = tablet(league)
    come(one)
    one.tap("Draw the tables")
    expect(one.page.locator(".meeting-people")).to_have_count(3)
    assert sorted(people.locator("li").count() for people in one.page.locator(".meeting-people").all()) == [4, 4, 5]
    go_and_come_back(one, "Ann Ash")
    one.tap("Start 3 tables")
    expect(one.page.get_by_text("Not finished: table 1, table 2, table 3.")).to_be_visible()
    table = Session.objects.get(table=2)
    seats = {wind: seat.player.full_name for wind, seat in zip(WINDS, table.seats.order_by("seat_no"), strict=True)}
    one.follow("Go to table 2")
    record(one, seats, 1, "E", {"E": 20})
    finish(one)
    # East wins 20 from each of three, doubled: 120; the others lose 40 each and share second place.
    east, south, *others = seats.values()
    expect_standings(one, [("1", east, "120"), *sorted(("2=", name, "−40") for name in (south, *others))])
    correct(one, table, seats)
    # It was South who had 20: East pays 40, the others 20 each, and South receives 80.
    right = [("1", south, "80"), *sorted(("2=", name, "−20") for name in others), ("4", east, "−40")]
    expect_standings(one, right)
    expect_csv(one, right, tmp_path)


def come(one):
    """Plan the meeting and tap everyone who is here, the later ones faster than a server answers."""
    one.open("/c/bramley/meetings/")
    one.page.get_by_label("Date").fill(str(timezone.localdate()))
    one.tap("Add the meeting")
    names = one.page.locator(".name-buttons button")
    expect(names).to_have_count(len(NAMES))
    places = "(names) => names.map((name) => [name.value, name.offsetLeft, name.offsetTop])"
    at_first = names.evaluate_all(places)
    for number, name in enumerate(NAMES[:2], 1):
        one.tap(f"{name} Ash")
        expect(one.page.get_by_role("heading", name=f"Who is here: {number}", exact=True)).to_be_visible()
    # No name has moved under the finger.
    assert names.evaluate_all(places) == at_first
    others = one.page.locator(".name-buttons button:not(.is-here)")
    # htmx gives a button that stays the look it has now a moment after the answer is shown.
    expect(others).to_have_count(len(NAMES) - 2)
    others.evaluate_all("(names) => names.forEach((name) => name.click())")


IS_BACK = "([id, top]) => Math.abs(document.getElementById(id).getBoundingClientRect().top - top) <= 1"


def go_and_come_back(one, name):
    """Take a name away that has been drawn: what is then said above the names leaves it under the finger."""
    button = one.page.locator(".name-buttons button", has_text=name)
    button.scroll_into_view_if_needed()
    at_first = button.bounding_box()
    button.tap()
    missing = one.page.get_by_text(f"In the seating draw, but not here: {name}")
    expect(missing).to_have_count(1)
    one.page.wait_for_function(IS_BACK, arg=[button.get_attribute("id"), at_first["y"]])
    # A second press at once would be that of a double press.
    one.pass_moment()
    button.tap()
    expect(missing).to_have_count(0)


def record(one, seats, number, winner, totals):
    one.follow_to_entry()
    hands = {wind: {"total": totals.get(wind, 0)} for wind in seats}
    afternoon.enter(one, {"hands": hands, "mahjong": {"by": winner}}, seats)
    one.tap(f"Save hand {number}")
    expect(one.page.locator("#board")).to_be_visible()


def finish(one):
    one.pass_moment()
    one.page.get_by_text("Stop or pause").tap()
    # A second press at once, at the same place, would be that of a double press.
    one.pass_moment()
    one.tap("Finish the table")
    expect(one.page.locator("#finished")).to_have_text("Finished")


def correct(one, table, seats):
    """A hand of the finished session: the totals of East and South were exchanged, and the winner."""
    one.open(f"/c/bramley/sessions/{table.pk}/")
    one.page.locator(".sheet tbody a").first.tap()
    one.follow("Correct this hand")
    afternoon.enter(one, {"hands": {"E": {"total": 0}, "S": {"total": 20}}, "mahjong": {"by": "S"}}, seats)
    one.tap("Show what changes")
    one.tap("Correct this hand")
    expect(one.page.get_by_role("link", name="Correct this hand")).to_be_visible()


def expect_standings(one, rows):
    one.open("/c/bramley/standings/?method=total")
    shown = []
    for row in one.page.locator(".standings tbody").first.locator("tr").all():
        place, value = row.locator(".place"), row.locator(".value")
        shown.append((place.inner_text().strip(), row.locator("th").inner_text(), value.inner_text()))
    assert shown == rows


def expect_csv(one, rows, folder):
    with one.page.expect_download() as download:
        one.follow("Download as CSV")
    path = folder / "standings.csv"
    download.value.save_as(path)
    expected = [[place.rstrip("="), name, net.replace("−", "-").lstrip("+")] for place, name, net in rows]
    text = path.read_text(encoding="utf-8-sig")
    for read in (text, through_libreoffice(path)):
        rows = csv.DictReader(io.StringIO(read))
        assert [[row["Position"], row["Player"], row["Won or lost"]] for row in rows] == expected


def through_libreoffice(path):
    """Open the file in LibreOffice and return what stands in its cells, as it writes them out again."""
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("LibreOffice is not installed: the CSV was read by Python's csv module alone.")
    home = path.parent / "home"
    subprocess.run(
        [office, f"-env:UserInstallation=file://{home}", "--headless", "--convert-to", "csv", "--outdir", home, path],
        check=True,
        capture_output=True,
        timeout=120,
    )
    return (home / "standings.csv").read_text(encoding="utf-8-sig")
