"""The secretary brings a club's own spreadsheets in by taps: six at most, and one for each name to change."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from sessions_app.models import Tally
from sessions_app.people.players import add_player

from .conftest import BY

FILES = Path(__file__).parent.parent / "data" / "club-files"


MAX_TAPS = 6


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("harwood-league.xlsx", "9 rows added."),
        ("three-seasons.xlsx", "14 rows added."),
        ("spring-ladder.ods", "6 rows added."),
        ("excel-semicolons.csv", "4 rows added."),
    ],
)
def test_a_file_comes_in_by_a_few_taps(tablet, club, name, told):
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
    tap(page.get_by_role("button", name="Import", exact=True))
    expect(page.get_by_text(told)).to_be_visible()
    assert len(taps) == 5 <= MAX_TAPS


def test_a_figure_is_changed_in_its_place_and_a_name_chosen(tablet, club):
    add_player(club.club, "Jean Smith", by=BY)
    one = tablet(club.secretary)
    page = one.page
    one.open("/c/bramley/desk/import/totals/")
    page.get_by_label("Paste the text here").fill("Date\tName\tScore\n24/9/25\tJ Smith\t4900\n24/9/25\tAlice\t-49")
    page.get_by_role("button", name="Check").tap()
    page.get_by_role("button", name="Check").tap()
    expect(page.get_by_text("24 September 2025: the results add up to +4,851, not 0.")).to_be_visible()
    expect(page.get_by_label("J Smith 1 result, the same surname and initial")).to_have_value(
        str(club.club.players.get(full_name="Jean Smith").pk)
    )
    page.get_by_label("Jean Smith Cell C2").fill("49")
    page.get_by_role("button", name="Import", exact=True).tap()
    expect(page.get_by_text("2 rows added.")).to_be_visible()
    assert sorted(Tally.objects.values_list("player__full_name", "net")) == [("Alice", -49), ("Jean Smith", 49)]
