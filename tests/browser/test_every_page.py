"""The pages of the list held against the checklist: axe, sizes, width, looks, the keyboard, the order of reading."""

import pytest

from . import checks
from .checks import listed_faults, parts_of_the_list, walk
from .pages import VISITS

# Each page is gone to once, for all that is asked of it; in parts, so that the tests' processes share the way.
PARTS = parts_of_the_list(4)
# Looked at on each run: the pages at a table, and those that most people see; every page with --long.
AT_A_TABLE = [
    "table, opened out", "table, finished", "hand-new, whole", "hand-new, problems", "hand-new, penalty", "hand",
    "session-sheet", "paper", "seating",
]  # fmt: skip
ELSEWHERE = [
    "front", "sign-in, refused", "worth, a Mah-jong", "practice, explained", "club", "session-start", "standings",
    "watch", "meeting", "player", "game-table, finished",
]  # fmt: skip
EACH_TIME = [sorted(names, key=list(VISITS).index) for names in (AT_A_TABLE, ELSEWHERE)]


def in_parts():
    each_time = [pytest.param(names, id=f"{len(names)} pages from {names[0]}") for names in EACH_TIME]
    return [*each_time, *(pytest.param(names, marks=pytest.mark.long, id=f"from {names[0]}") for names in PARTS)]


LANDSCAPE = {"width": 1024, "height": 768}


def faults_of_pages(tablet, names, faults_of):
    """Go to the pages named, and return for each what `faults_of` finds on the tablet that shows it."""
    found = {name: faults_of(one) for name, one in walk(tablet, names)}
    assert list(found) == names
    return listed_faults(found)


@pytest.mark.parametrize("names", in_parts())
def test_every_page_passes_axe_and_the_checklist(tablet, live_server, names):
    def faults_of(one):
        faults = checks.axe_faults(one) + checks.screen_faults(one)
        one.page.set_viewport_size(LANDSCAPE)
        # By keyboard alone, and without movement.
        return faults + checks.motion_faults(one) + checks.keyboard_faults(one)

    assert faults_of_pages(tablet, names, faults_of) == ""


@pytest.mark.long
@pytest.mark.parametrize("names", PARTS, ids=[f"from {names[0]}" for names in PARTS])
def test_every_page_holds_at_any_zoom_and_with_all_looks(tablet, live_server, names):
    """Of the pages at the table, test_looks.py asks for the looks each time."""

    def faults_of(one):
        return checks.screen_faults(one, checks.OTHER_SCREENS) + checks.faults_put_on(one)

    assert faults_of_pages(tablet, names, faults_of) == ""
