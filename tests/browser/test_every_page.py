"""Every page of the list held against the checklist: axe, sizes, width, the keyboard alone, the order of reading."""

from . import checks
from .checks import told, walk


def test_every_page_passes_axe_and_the_checklist(tablet, live_server):
    found = {}
    for name, one in walk(tablet):
        found[name] = checks.axe_faults(one) + checks.screen_faults(one)
    assert told(found) == ""


def test_every_page_by_keyboard_alone_and_without_movement(tablet, live_server):
    found = {}
    for name, one in walk(tablet):
        found[name] = checks.motion_faults(one) + checks.keyboard_faults(one)
    assert told(found) == ""


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
    assert "button. moves for 1 s" in " ".join(checks.motion_faults(one))
    keyboard = " ".join(checks.keyboard_faults(one))
    assert 'button "Before its turn" goes before its turn' in keyboard
    assert 'button "Under a bar" is covered by' in keyboard
    assert 'button "After the trap" is not reached by Tab' in keyboard
