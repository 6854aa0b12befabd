"""Visits of the pages by which a club says what it plays: house rules, own special hands, comparing."""

from datetime import date

from playwright.sync_api import expect

from sessions_app.league.seasons import change_season
from sessions_app.models import ClubHand
from sessions_app.people.log import Actor
from sessions_app.rules.club_rules import add_club_hand, save_version

from .visits import address, plain

BY = Actor(name="The test")


def all_open(one):
    one.page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true })")


def switches_open(one, scene):
    """Two editions, and every switch opened to its choices and its example."""
    if not scene.club.rules_editions.exists():
        save_version(scene.club, scene.club.rules, {"limit": 600}, 0, by=BY, note="Agreed in May")
        save_version(scene.club, scene.club.rules, {"limit": None, "max_chows": 4}, 1, by=BY)
    plain("house-rules")(one, scene)
    all_open(one)


def switches_refused(one, scene):
    plain("house-rules")(one, scene)
    all_open(one)
    one.page.locator("#id_starting_balance").fill("plenty")
    one.expect_status(422)
    one.page.get_by_role("button", name="Save as version").tap()
    expect(one.page.locator("#error-summary")).to_be_visible()


def a_club_hand(scene):
    tail = {"name": "Dragon’s Tail", "tiles": "1B 2B 3B 4B 5B 6B 7B 8B 9B R R R E E", "worth": "half limit"}
    found = ClubHand.objects.of_club(scene.club).filter(name=tail["name"]).first()
    return found or add_club_hand(scene.club, by=BY, fishing=200, since=date(2026, 1, 1), **tail)


def club_hands(one, scene):
    a_club_hand(scene)
    plain("club-hands")(one, scene)


def club_hand(one, scene):
    one.open(address("club-hand", a_club_hand(scene).pk))


def season_of(one, scene):
    one.open(address("season", scene.club.seasons.latest("starts_on").pk))


def season_locked(one, scene):
    """Lock the season, look at it, and leave it open for the pages after it."""
    season = scene.club.seasons.latest("starts_on")
    change_season(season, by=BY, locked=True)
    one.open(address("season", season.pk))
    change_season(season, by=BY, locked=False)
