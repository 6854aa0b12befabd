"""How long a tap takes on a slow tablet, from the lifted finger to the painted change: measured and printed."""

from statistics import median, quantiles

import pytest

from .test_hand_entry import address

SLOWER = 4
SOON = 100  # milliseconds
ROUNDS = 4  # other work on the test's machine is in all of them, but seldom as much in each
WATCH = """() => {
  window.taps = [];
  let lifted = null;
  const painted = new MessageChannel();
  painted.port1.onmessage = ({ data }) => window.taps.push(performance.now() - data);
  addEventListener("pointerup", (event) => { lifted = event.timeStamp; }, true);
  new MutationObserver(() => {
    if (lifted === null) return;
    const since = lifted;
    lifted = null;
    requestAnimationFrame(() => painted.port2.postMessage(since));
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
}"""
HANDS = {
    "Alice": ("1C", "2C", "3C", "4C", "E", "F1", "S1"),
    "Bob": ("5C", "6C", "7C", "8C", "S", "F2", "S2"),
    "Carol": ("1B", "2B", "3B", "4B", "W", "F3", "S3"),
    "Dave": ("5B", "6B", "7B", "8B", "N", "F4", "S4"),
}
UNDONE = 18


# By itself, as other browsers on the same processors would be measured too.
@pytest.mark.long
def test_a_tap_is_answered_within_a_tenth_of_a_second(tablet, club, table):
    one = tablet(club.scorekeeper)
    medians = []
    while len(medians) < ROUNDS and min(medians, default=SOON) >= SOON:
        times = fifty_taps(one, address(table))
        half, slowest = median(times), quantiles(times, n=20)[-1]
        print(f"{len(times)} taps, CPU slowed {SLOWER} times: median {half:.0f} ms, 95 of 100 within {slowest:.0f} ms")
        medians.append(half)
    assert min(medians) < SOON


def fifty_taps(one, page):
    """Enter four hands on a new page and undo some of it; return what each tap took."""
    one.open(page)
    one.forget_drafts()
    one.open(page)
    one.page.context.new_cdp_session(one.page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    one.page.evaluate(WATCH)
    tabs = one.page.locator("#seat-tabs")
    taps = 0
    for name, codes in HANDS.items():
        for target in (tabs.get_by_role("button", name=name), *map(face_of(one), codes)):
            taps = tap_and_wait(one, target, taps)
    for _ in range(UNDONE):
        taps = tap_and_wait(one, one.page.locator("#undo-last"), taps)
    times = one.page.evaluate("window.taps")
    assert len(times) == 50
    return times


def face_of(one):
    return lambda code: one.page.locator(f'.face[data-tile="{code}"]')


def tap_and_wait(one, target, before):
    """Tap and wait until the change was painted and the page rests, as a player looks before the next tap."""
    target.tap()
    one.page.wait_for_function("(number) => window.taps.length > number", arg=before)
    one.page.evaluate("new Promise((resolve) => { requestIdleCallback(() => resolve(true)); })")
    return before + 1
