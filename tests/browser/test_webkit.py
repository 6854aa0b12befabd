"""The main flow in WebKitGTK: a table, a hand saved while the server is away, and sent when it is back."""

import pytest
from django.urls import reverse

from sessions_app.models import Command, Entry
from sessions_app.services.reconcile import reconcile
from tests.conftest import missing

from . import webkit
from .conftest import session_cookie
from .faults import Server


@pytest.fixture
def server(club):
    server = Server().start()
    yield server
    server.close()


@pytest.fixture
def engine(tmp_path):
    if not webkit.is_there():
        print(webkit.WANTED)
        missing(webkit.WANTED)
    with webkit.webkit(tmp_path) as engine:
        yield engine


# selenium's own class for WebKitGTK still speaks to it in the old way.
@pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning")
def test_a_hand_saved_without_the_server_is_sent_when_it_is_back(engine, server, club, table):
    address = server.url + reverse("table", args=[table.club.slug, table.pk])
    engine.let_in(server.url, session_cookie(club.scorekeeper))
    engine.open(address)
    engine.press("#mahjong")
    engine.press('[data-focus="total-1"]')
    engine.figures("40")
    engine.press('[data-focus="tab-everybody"]')
    engine.press('[data-focus="won-1"]')
    for seat in "234":
        engine.press(f'[data-focus="nothing-{seat}"]')
    server.kill()
    engine.press("#go-on")
    engine.expect_words("#saved-panel", "Saved on this tablet")
    engine.expect_words("#saved-panel", "Alice is East next")
    assert Entry.objects.count() == 0
    server.start()
    engine.expect_words(".history", "Alice goes Mah-jong")
    engine.expect_words("#saved-words", "All saved")
    assert [entry.body["hands"]["1"] for entry in Entry.objects.all()] == [{"total": 40}]
    assert [command.outcome for command in Command.objects.all()] == ["applied"]
    assert reconcile() == []
