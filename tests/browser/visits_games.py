"""Visits to games that no club has."""

from playwright.sync_api import expect


def game_in_play(one, scene):
    one.open("/game/")
    for number, name in enumerate(("Jean", "Brian", "Barbara", "Ken", "Eve"), 1):
        one.page.locator(f"#name_{number}").fill(name)
    one.tap("Start")
    expect(one.page.locator("#board .next-east")).to_have_text("Jean is East")
    # Where Start stood, a press counts again a little later.
    one.pass_moment()
    one.page.locator("#nobody").tap()
    expect(one.page.locator("#next-hand")).to_have_text("Hand 2")


def game_finished(one, scene):
    game_in_play(one, scene)
    one.page.get_by_text("Stop", exact=True).tap()
    one.pass_moment()
    one.tap("Finish the game")
    expect(one.page.locator(".final-order")).to_be_visible()


def games_here(one, scene):
    game_finished(one, scene)
    one.open("/game/")
    expect(one.page.locator(".game").first).to_be_visible()


def league_here(one, scene):
    games_here(one, scene)
    one.follow("League table")
    expect(one.page.locator("table.league")).to_be_visible()
