"""Every page of the list held against the checklist: axe, sizes, width, looks, the keyboard, the order of reading."""

import pytest

from . import checks
from .checks import listed_faults, parts_of_the_list, walk

# Each page is gone to once, for all that is asked of it; in parts, so that the tests' processes share the way.
PARTS = parts_of_the_list(4)


@pytest.mark.parametrize("names", PARTS, ids=[f"from {names[0]}" for names in PARTS])
def test_every_page_passes_axe_and_the_checklist(tablet, live_server, names):
    found = {}
    for name, one in walk(tablet, names):
        found[name] = checks.axe_faults(one) + checks.screen_faults(one) + checks.faults_put_on(one)
        # By keyboard alone, and without movement.
        found[name] += checks.motion_faults(one) + checks.keyboard_faults(one)
    assert list(found) == names
    assert listed_faults(found) == ""


def test_the_checks_see_what_is_wrong(tablet, live_server):
    one = tablet()
    one.expect_status(404)
    one.open("/sign-in/")
    one.page.evaluate(checks.script("bad_page"))
    rules = {fault.split(":")[0] for fault in checks.axe_faults(one)}
    assert rules >= {"color-contrast-enhanced", "image-alt"}
    screens = " ".join(checks.screen_faults(one))
    assert '1024x768: button "x" is 20x20' in screens
    assert 'px from button "y"' in screens
    assert '"Pale and small"' in screens
    assert "px beyond the screen" in screens
    assert 'b. "Second" is written after b. "First" and stands before it' in screens
    one.page.set_viewport_size({"width": 1024, "height": 768})
    assert "button. moves for 1 s" in " ".join(checks.motion_faults(one))
    keyboard = " ".join(checks.keyboard_faults(one))
    assert 'button "Before its turn" goes before its turn' in keyboard
    assert 'button "Under a bar" is covered by' in keyboard
    assert 'button "Without a ring" shows no focus' in keyboard
    assert 'button "After the trap" is not reached by Tab' in keyboard
