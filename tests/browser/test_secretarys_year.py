"""A secretary's year by the pages alone, from the first player to the locked season, with the clicks of each job.

Two rounds at one meeting and one at the next; every position and sum below is worked out by hand.
"""

import csv
import datetime
import io
import re
from collections import Counter

import pytest
from playwright.sync_api import expect

from sample_data.demo import load_demo
from sessions_app.models import Club, Session, User

from .conftest import login

NAMES = ("Alice", "Bob", "Carol", "Dave", "Fay", "Gus", "Hal", "Ivy")
# What each table of four won or lost: two rounds of two tables at the first meeting, one round at the second.
FIRST = (
    (("Alice", 300), ("Bob", 40), ("Carol", 40), ("Dave", -380)),
    (("Fay", 100), ("Gus", 20), ("Hal", -20), ("Ivy", -100)),
)
SECOND_ROUND = (
    (("Alice", -100), ("Fay", 60), ("Carol", 0), ("Hal", 40)),
    (("Bob", 200), ("Gus", -80), ("Dave", -60), ("Ivy", -60)),
)
SECOND = (
    (("Alice", -40), ("Gus", 20), ("Carol", 50), ("Ivy", -30)),
    (("Bob", -120), ("Fay", 80), ("Dave", 30), ("Hal", 10)),
)
# Alice 200, Bob 240, Carol 40, Dave -440, Fay 160, Gus -60, Hal 20, Ivy -160.
RESULT = [("1", "Bob", "+240"), ("2", "Alice", "+200"), ("3", "Fay", "+160"), ("4", "Carol", "+40"),
          ("5", "Hal", "+20"), ("6", "Gus", "−60"), ("7", "Ivy", "−160"), ("8", "Dave", "−440")]  # fmt: skip
# 8 points for Bob to 1 for Dave; then Fay 80, Carol 50, Dave 30, Gus 20, Hal 10, Ivy -30, Alice -40, Bob -120.
LEAGUE = [("1", "Fay", "14.0"), ("2", "Carol", "12.0"), ("3", "Alice", "9.0"), ("4", "Bob", "9.0"),
          ("5", "Hal", "8.0"), ("6", "Gus", "8.0"), ("7", "Dave", "7.0"), ("8", "Ivy", "5.0")]  # fmt: skip
# From the club's page to the page of the job; none of the ten may need more than three.
CLICKS = {
    "add a player": 2,
    "add a season": 2,
    "change how a season ranks": 3,
    "plan a meeting": 1,
    "enter totals": 2,
    "read the result": 2,
    "read the league table": 1,
    "look at the race": 2,
    "give a cup": 2,
    "lock the season": 3,
}


# Jobs of a secretary's weeks: from the club's page by these links and buttons, and the button at the end of them.
JOBS = {
    "read last week’s result": (("Meetings and seating draw", "{meeting}"), "Email the results"),
    "print the league table": (("The whole league table",), "Print"),
    "see who has not paid": (("Club admin", "Who owes what"), "Note as paid"),
    "correct a hand": (("{day}, table 1", "Christine goes Mah-jong", "Correct this hand"), "Show what changes"),
    "add a guest": (("Club admin", "Players"), "Add the player"),
    "send the results": (("Meetings and seating draw", "{meeting}"), "Email the results"),
    "change the limit from a date": (("Club admin", "House rules"), "Save as version 1"),
    "export all for the treasurer": (("Club admin", "Export"), "Export the whole club"),
    "print the rules": (("What we play", "A sheet of two pages to print"), "Print"),
    "back the club up": (("Club admin", "Back up the club"), "Download the whole club"),
    "bring the members in": (("Club admin", "Import", "Players"), "Check"),
    "bring last year’s spreadsheet in": (("Club admin", "Import", "Past totals"), "Check"),
    "type a table’s totals": (("Today’s meeting", "Enter totals"), "Save totals"),
    "print the annual meeting": (("Paper", "This season: league table"), "Print"),
    "give a cup": (("Club admin", "Cups"), "Add the winner"),
    "add next year’s season": (("Club admin", "Seasons"), "Add the season"),
    "invite a second secretary": (("Club admin", "People and roles"), "Make the link"),
    "show what is kept about members": (("Club admin", "What is kept about people"), "Download your account data"),
}


# What a cell begins with, without the remarks behind it.
OWN_WORDS = "(cell) => cell.firstChild ? cell.firstChild.textContent.trim() : ''"


class Secretary:
    """Clicks through the club's pages, and counts the clicks of each job from the club's page."""

    def __init__(self, one):
        self.one, self.page, self.clicks, self.job = one, one.page, Counter(), ""

    def begin(self, job, *links):
        """Go from the club's page by these links."""
        self.page.locator(".site-header").get_by_role("link", name="Bramley", exact=True).click()
        for words in links:
            self.page.get_by_role("link", name=re.compile(rf"^\s*{re.escape(words)}")).first.click()
        self.clicks[job] = len(links)

    def fill(self, **fields):
        for name, value in fields.items():
            self.page.locator(f"main [name={name}]").fill(str(value))

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()
        self.page.wait_for_load_state()

    def enter_totals(self, day, table, results, press):
        self.fill(date=day, table=table)
        for number, (name, net) in enumerate(results):
            self.page.locator("main select[name^=player]").nth(number).select_option(label=f"{name} Ash")
            self.page.locator("main [name^=net]").nth(number).fill(str(net))
        self.press(press)

    def rows(self, selector, *cells):
        rows = self.page.locator(f"{selector} tbody").first.locator("tr").all()
        return [tuple(row.locator(cell).first.evaluate(OWN_WORDS) for cell in cells) for row in rows]


@pytest.fixture
def secretary(tablet, live_server, transactional_db):
    club = Club.objects.create(name="Bramley", slug="bramley")
    one = tablet(login(club, "secretary", "secretary"))
    one.open("/c/bramley/")
    return Secretary(one)


def test_a_secretarys_year_by_the_pages_alone(secretary):
    today = Club.objects.get().today
    first, second = today - datetime.timedelta(days=14), today - datetime.timedelta(days=7)
    play_the_year(secretary, first, second)
    assert secretary.clicks == CLICKS
    assert max(CLICKS.values()) <= 3


@pytest.mark.long
def test_jobs_need_few_clicks_from_the_clubs_page(tablet, live_server, transactional_db):
    club = load_demo()
    Club.objects.filter(pk=club.pk).update(keeps_fees=True, table_fee=2)
    one = tablet(User.objects.get(username="demo-secretary"))
    last = Session.objects.filter(club=club, state="finished").latest("date")
    for job, (links, end) in JOBS.items():
        one.open(f"/c/{club.slug}/")
        for words in (
            link.format(day=f"{last.date.day} {last.date:%B %Y}", meeting=f"{last.date:%A} {last.date.day}")
            for link in links
        ):
            found = one.page.locator("main, header").get_by_role("link", name=re.compile(rf"^\s*{re.escape(words)}"))
            found.locator("visible=true").first.click()
        button = one.page.get_by_role("button", name=end, exact=True).or_(
            one.page.get_by_role("link", name=end, exact=True)
        )
        expect(button.first, job).to_be_visible()


def play_the_year(secretary, first, second):
    page = secretary.page
    secretary.begin("add a player", "Club admin", "Players")
    for name in NAMES:
        secretary.fill(full_name=f"{name} Ash", short_name=name)
        secretary.press("Add the player")
        expect(page.get_by_role("link", name=f"{name} Ash").first).to_be_visible()
    secretary.begin("add a season", "Club admin", "Seasons")
    secretary.fill(name="This year", starts_on=first, ends_on=second + datetime.timedelta(days=300))
    page.get_by_label("Points for positions").check()
    secretary.press("Add the season")
    secretary.begin("change how a season ranks", "Club admin", "Seasons", "Change")
    secretary.fill(minimum_sessions=2)
    secretary.press("Save the season")
    expect(page.get_by_text("Season saved: This year.")).to_be_visible()
    secretary.begin("plan a meeting", "Meetings and seating draw")
    secretary.fill(date=second + datetime.timedelta(days=21))
    secretary.press("Add the meeting")
    secretary.begin("enter totals", "Club admin", "Enter totals")
    # Of totals, each table of a day has a number of its own: the second round is at tables 3 and 4.
    for table, results in enumerate((*FIRST, *SECOND_ROUND), 1):
        secretary.enter_totals(first, table, results, "Save and enter the next table")
    for table, results in enumerate(SECOND, 1):
        secretary.enter_totals(second, table, results, "Save totals" if table == 2 else "Save and enter the next table")
    secretary.begin("read the result", "Meetings and seating draw", f"{first:%A} {first.day} {first:%B %Y}")
    assert secretary.rows(".result-table", "td >> nth=0", "th", "b") == [
        (at, f"{name} Ash", net) for at, name, net in RESULT
    ]
    assert result_in_csv(page) == [(f"{name} Ash", net.replace("−", "-").lstrip("+")) for _, name, net in RESULT]
    secretary.begin("read the league table", "The whole league table")
    assert secretary.rows(".league", ".place", "th a", ".value") == [
        (at, f"{name} Ash", value) for at, name, value in LEAGUE
    ]
    secretary.begin("look at the race", "The whole league table", "Season in pictures")
    assert secretary.rows(".season-figures", "th", "td >> nth=0", "td >> nth=1")[:4] == [
        ("Fay Ash", "3", "1"), ("Carol Ash", "4", "2"), ("Alice Ash", "2", "3"), ("Bob Ash", "1", "4"),
    ]  # fmt: skip
    secretary.begin("give a cup", "The whole league table", "Cups")
    assert page.get_by_label("Winner", exact=True).input_value() == "Fay Ash"
    secretary.fill(cup="Chairman’s Cup")
    secretary.press("Add the winner")
    page.get_by_role("link", name=re.compile("^Certificate")).click()
    expect(page.locator(".certificate-name")).to_have_text("Fay Ash")
    secretary.begin("lock the season", "Club admin", "Seasons", "Change")
    secretary.page.locator("summary", has_text="Lock the season").click()
    secretary.press("Lock it all the same")
    expect(page.locator("h1 .badge")).to_have_text("locked")


def result_in_csv(page):
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the result (CSV)").click()
    text = download.value.path().read_text(encoding="utf-8-sig")
    return [(row["Player"], row["Won or lost"]) for row in csv.DictReader(io.StringIO(text))]
