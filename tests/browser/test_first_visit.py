"""A first visit of a table's page and of a hand's: how often the browser asks, and how much goes to and fro."""

from playwright.sync_api import expect

# The last of them asks who changed what, when nobody waits, for a hall without Wi-Fi.
MOST_REQUESTS = 22
KB = 1000
# The other views of the table, which come once the table itself is there.
LATER = ("/views/", "/hand_entry.", "/session.", "/read.", "/changes/")


def weight_of(request):
    sizes = request.sizes()
    parts = ("requestHeadersSize", "requestBodySize", "responseHeadersSize", "responseBodySize")
    return sum(max(0, sizes[part]) for part in parts)


def test_the_first_visit_of_the_table_and_of_a_hand_asks_seldom(tablet, club, table):
    # Without the worker, which fetches ahead when nobody waits.
    one = tablet(club.scorekeeper)
    # What comes a second time is in the browser's cache: its files are kept for good.
    asked = {}
    one.page.on("requestfinished", lambda request: asked.setdefault(request.url, request))
    one.open(f"/c/bramley/sessions/{table.pk}/table/")
    expect(one.page.locator("#saved-words")).to_have_text("All saved")
    one.page.wait_for_load_state("networkidle")
    at_table = len(asked)
    one.follow_to_entry()
    expect(one.page.locator("#entry")).to_be_visible()
    one.page.wait_for_load_state("networkidle")
    # Asking for a size may let another answer in.
    heard = list(asked.items())
    weights = [weight_of(request) for _, request in heard]
    found = [(weight, url) for weight, (url, _) in zip(weights, heard, strict=True)]
    at_once = [weight for weight, url in found[:at_table] if not any(later in url for later in LATER)]
    print(len(at_once), sum(at_once), len(found), sum(weights), *found, sep="\n")
    assert 10 < len(found) <= MOST_REQUESTS, found
    # With every view of the table.
    assert sum(at_once) < 129 * KB, found
    assert sum(weights) < 203 * KB, found
