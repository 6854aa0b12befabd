"""A whole hand by keyboard alone, from the table page to the table page: no finger, no mouse."""

from playwright.sync_api import expect

from sessions_app.models import Entry

MOST_TABS = 120
FOCUSED = """() => {
  const element = document.activeElement;
  const heard = element.cloneNode(true);
  heard.querySelectorAll('[aria-hidden="true"]').forEach((one) => one.remove());
  return (element.getAttribute("aria-label") || heard.textContent).trim().replace(/\\s+/g, " ");
}"""


class Keyboard:
    def __init__(self, one):
        self.page = one.page
        self.presses = 0

    def press(self, key):
        self.page.keyboard.press(key)
        self.presses += 1

    def go(self, name, is_whole=False):
        """Press Tab until the control of this name, or one that begins so, has the focus, then Enter."""
        for _ in range(MOST_TABS):
            focused = self.page.evaluate(FOCUSED)
            if focused == name or (focused.startswith(name) and not is_whole):
                return self.press("Enter")
            self.press("Tab")
        raise AssertionError(f"Tab does not reach {name}.")


def test_a_whole_hand_by_keyboard_alone(tablet, club, table):
    one = tablet(club.scorekeeper)
    keyboard = Keyboard(one)
    one.open(f"/c/bramley/sessions/{table.pk}/table/")
    keyboard.go("Enter hand 1")
    expect(one.page.locator("#everybody")).to_be_visible()

    keyboard.go("Other ways to enter, Bob")
    keyboard.go("Type a total, Bob")
    expect(one.page.locator("#figure-total")).to_be_focused()
    one.page.keyboard.type("40")
    keyboard.go("Everyone")
    # After a typed total, another one is expected first.
    keyboard.go("Other ways to enter, Alice")
    keyboard.go("Enter tiles, Alice")
    keyboard.go("Concealed")
    keyboard.go("7 Circles")
    keyboard.go("Flower 2")
    expect(one.page.locator(".tray-set")).to_contain_text("Concealed pung: 7 Circles")
    keyboard.go("Everyone")
    for name in ("Carol", "Dave"):
        keyboard.go(f"Other ways to enter, {name}")
        keyboard.go(f"Nothing to score, {name}")
    keyboard.go("Bob", is_whole=True)
    expect(one.page.locator("#score")).to_have_attribute("data-state", "whole")
    keyboard.go("Save hand 1")
    expect(one.page.locator("#board")).to_be_visible()
    expect(one.page.locator("#messages")).to_contain_text("Hand 1: ")
    expect(one.page.locator("#saved-words")).to_have_text("All saved")

    body = Entry.objects.get(kind="hand").body
    assert body["mahjong"] == {"by": "2"}
    assert body["hands"] == {
        "1": {"sets": ["concealed pung 7D"], "bonus": "F2"}, "2": {"total": 40}, "3": {"sets": []}, "4": {"sets": []},
    }  # fmt: skip
    print(f"A whole hand by keyboard alone: {keyboard.presses} key presses.")
