"""A browser whose storage never answers, as Safari's at times: every hand is recorded once all the same, and the page
says what is wrong. No test waits for the limit itself: the page's clock is put forward.
"""

import re

import pytest
from playwright.sync_api import expect

from sessions_app.models import Command

from .outbox_tablet import OutboxTablet, ledger_keys, register_keys

LIMIT = 3_500
NO_ANSWER = "This browser’s storage does not answer, so hands cannot be kept on this tablet."
OPEN_AGAIN = f"{NO_ANSWER} Close Clubscore and open it again."
LEAVE_OPEN = "Leave this page open: this tablet cannot keep hands."
# Each marks the page once that has asked in vain.
MARK = 'document.documentElement.dataset.waits = "";'
OPEN_NEVER = f"IDBFactory.prototype.open = () => {{ {MARK} return new EventTarget(); }};"
# A transaction that was begun takes its requests, and never says what became of them.
TRANSACTIONS_NEVER = f"""
const begin = IDBDatabase.prototype.transaction;
const request = () => new EventTarget();
const store = {{ get: request, getAll: request, put: request, delete: request, index: () => store }};
IDBDatabase.prototype.transaction = function (...wanted) {{
  if (window.isAwake) return begin.apply(this, wanted);
  {MARK}
  return {{ objectStore: () => store }};
}};
"""
# Another tab holds the database, and does not let go of it for a page of a later version.
HOLD = """() => new Promise((resolve) => {
  const opening = indexedDB.open("clubscore", 1);
  opening.onsuccess = () => { window.held = opening.result; resolve(); };
})"""
BLOCKED = f"""
const open = IDBFactory.prototype.open;
IDBFactory.prototype.open = function (name) {{
  {MARK}
  const opening = open.call(this, name, 2);
  opening.addEventListener("blocked", () => {{ document.documentElement.dataset.blocked = ""; }});
  return opening;
}};
"""
FAULTS = {
    "never opens": (OPEN_NEVER, OPEN_AGAIN),
    "never ends a transaction": (TRANSACTIONS_NEVER, OPEN_AGAIN),
    "blocked": (BLOCKED, re.compile(f"^{NO_ANSWER} Close Clubscore")),
}


class SilentTablet(OutboxTablet):
    """One whose browser has a fault of `FAULTS`; `words` are what its pages say of it."""

    words = ""

    def put_fault(self, fault):
        script, self.words = FAULTS[fault]
        self.context.clock.install()
        if fault == "blocked":
            other = self.context.new_page()
            other.goto(f"{self.url}/healthz")
            other.evaluate(HOLD)
        self.page.add_init_script(script)

    def wait_for_limit(self):
        """Let three seconds pass for the page, once its scripts wait; then it says what is wrong."""
        expect(self.page.locator("html[data-waits]")).to_be_attached()
        self.context.clock.run_for(LIMIT)


# Without a lock, and where the database never opens: tests/javascript/silent.test.mjs.
@pytest.fixture(params=["never ends a transaction", "blocked"])
def one(request, tablet, club, table):
    made = tablet(club.scorekeeper, kind=SilentTablet, service_workers="block")
    made.put_fault(request.param)
    return made


def test_each_press_is_recorded_once(one, table):
    one.open_entry(table)
    one.wait_for_limit()
    one.expect_saved(one.words)
    one.enter_win("Bob")
    one.save_online(1)
    one.wait_for_limit()
    one.expect_saved(one.words)
    one.tap("Nobody went Mah-jong")
    expect(one.page.locator("#messages")).to_contain_text("Hand 2: ")
    expect(one.page.locator(".history > li")).to_have_count(2)
    one.tap("Undo: hand 2")
    expect(one.page.locator("#next-hand")).to_have_text("Hand 2")
    one.follow("Penalty")
    one.wait_for_limit()
    one.page.get_by_role("group", name="What happened").locator("label").last.tap()
    one.page.get_by_role("group", name="Who pays").get_by_label("Dave").tap()
    one.page.get_by_role("group", name="Who receives it").get_by_label("Alice").tap()
    one.page.get_by_label("Amount").fill("50")
    one.tap("Record the penalty")
    expect(one.page.locator("#board")).to_be_visible()
    expect(one.page.locator("#messages")).to_contain_text("pays a penalty of")
    kinds = list(Command.objects.filter(session=table).order_by("pk").values_list("kind", flat=True))
    assert kinds == ["hand", "hand", "undo", "fine"]
    assert register_keys(table) == one.keys
    assert [entry.removed for entry in table.entries.order_by("position")] == [False, True, False]


def test_storage_that_stops_answering_loses_nothing_that_waits(tablet, club, table):
    """As after the background: what the page has seen is sent in its order, whatever became of the storage since."""
    one = tablet(club.scorekeeper, kind=SilentTablet, service_workers="block")
    one.words = OPEN_AGAIN
    one.context.clock.install()
    one.page.add_init_script(f"window.isAwake = true; {TRANSACTIONS_NEVER}")
    one.open_entry(table)
    one.expect_views()
    one.lose_network()
    one.enter_win("Bob")
    one.save_lost(1)
    one.next_hand(2)
    one.page.evaluate("window.isAwake = false")
    one.enter_win("Carol")
    one.tap("Save hand 2")
    one.wait_for_limit()
    one.expect_saved(f"2 hands to send. {LEAVE_OPEN}")
    one.find_network()
    expect(one.page.locator("#messages")).to_contain_text("2 hands were sent and recorded.")
    assert register_keys(table) == ledger_keys(table) == one.keys
    # Once the storage answers again, what it had kept is sent again, and counts once.
    one.page.add_init_script("window.isAwake = true;")
    one.open_table(table)
    one.expect_saved()
    assert register_keys(table) == ledger_keys(table) == one.keys
    assert one.kept() == []
    assert len(one.keys) == 2
