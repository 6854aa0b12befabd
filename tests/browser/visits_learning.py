"""How a finger reaches the pages of the rules and those for learners, in each of their states."""

from playwright.sync_api import expect

from .visits import plain

A_MAHJONG = "/worth/?sets=exposed+pung+E,concealed+kong+5B&tiles=1C+2C+3C+4C+4C+9D+9D+9D&bonus=F1&from=wall"
A_WAITING_HAND = "/worth/?tiles=1D+1D+1D+2D+3D+4D+5D+6D+7D+8D+9D+9D+9D"


def rules_of_a_line(one, scene):
    """From a line of a scored hand to its rule."""
    plain("hand", of="in_play", hand=True)(one, scene)
    one.page.locator(".lines a").first.tap()
    expect(one.page.get_by_role("link", name="Back to the hand")).to_be_visible()


def for_a_learner(one, scene):
    """A hand at the first stage, what is behind the tap shown; the choice is taken back for the pages after it."""
    one.open("/learning/")
    with one.page.expect_navigation():
        one.page.get_by_role("button", name="Points only").tap()
    plain("hand", of="in_play", hand=True)(one, scene)
    one.page.locator(".lines-rest summary").first.tap()
    one.context.clear_cookies(name="learning")
