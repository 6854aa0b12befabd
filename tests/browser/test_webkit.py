"""The main flow in WebKitGTK: a table, a hand saved while the server is away, and sent when it is back."""

import pytest
from django.urls import reverse

from sessions_app.models import Command, Entry
from tests.reconciled import reconcile

from .conftest import session_cookie
from .faults import Server

RULES_AT_WORK = """async () => {
  const { files } = JSON.parse(document.getElementById("engine-data").textContent);
  return (await import("/static/table/engine/engine.js")).ask(files);
}"""


@pytest.fixture
def server(club):
    server = Server().start()
    yield server
    server.close()


def half_a_hand_by_tiles(engine):
    """Enter Bob's two pungs and a flower, with a wrong tile taken back."""
    engine.press("#mahjong")
    engine.press('[aria-label="Enter tiles, Bob"]')
    for code in ("R", "7C"):
        engine.press(f'.face[data-tile="{code}"]')
    engine.press("#undo-last")
    for code in ("7D", "F1"):
        engine.press(f'.face[data-tile="{code}"]')
    engine.expect_words("#tray-count", "6 tiles and 1 bonus")


def alice_wins_by_a_total(engine, nothing):
    """Enter 40 for Alice, who is East and wins, and nothing for the players named."""
    total = '[aria-label="Type a total, Alice"]'
    engine.press_until('[aria-label="Other ways to enter, Alice"]', total)
    engine.press(total)
    engine.figures("40")
    engine.press('[data-view="everybody"].seat-tab')
    engine.press(".who-buttons button")
    engine.press('[data-view="everybody"].seat-tab')
    for name in nothing:
        score = f'[aria-label="Nothing to score, {name}"]'
        engine.press_until(f'[aria-label="Other ways to enter, {name}"]', score)
        engine.press(score)


# selenium's own class for WebKitGTK still speaks to it in the old way.
@pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning")
def test_a_hand_saved_without_the_server_is_sent_when_it_is_back(engine, server, club, table):
    address = server.url + reverse("table", args=[table.club.slug, table.pk])
    engine.let_in(server.url, session_cookie(club.scorekeeper))
    engine.open(address)
    half_a_hand_by_tiles(engine)
    engine.reload()
    engine.expect_words("#problems", "Your unfinished hand is back")
    engine.press('[data-view="everybody"].seat-tab')
    alice_wins_by_a_total(engine, ["Carol", "Dave"])
    engine.press("#go-on")
    engine.expect_words(".history", "Alice goes Mah-jong")
    engine.expect_words("#saved-words", "All saved")
    assert [entry.body["hands"]["2"] for entry in Entry.objects.all()] == [
        {"sets": ["exposed pung R", "exposed pung 7D"], "bonus": "F1"}
    ]
    engine.press("#mahjong")
    alice_wins_by_a_total(engine, ["Bob", "Carol", "Dave"])
    # Without hashed names no file is kept for later, so the rules have to be at work before.
    engine.wait_until(RULES_AT_WORK)
    server.kill()
    engine.press("#go-on")
    engine.expect_words("#messages", "Hand 2: ")
    engine.expect_words(".next-east", "Alice is East")
    assert Entry.objects.count() == 1
    server.start()
    engine.expect_words("#next-hand", "Hand 3")
    engine.expect_words("#saved-words", "All saved")
    assert [entry.body["hands"]["1"] for entry in Entry.objects.order_by("position")] == [{"total": 40}, {"total": 40}]
    assert [command.outcome for command in Command.objects.all()] == ["applied", "applied"]
    assert reconcile() == []
