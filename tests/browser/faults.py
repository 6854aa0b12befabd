"""A bad evening for the outbox: a server that is killed, answers that get lost, tablets that go off and come back.

The server is a process of its own on the test's database, so that it can be killed in mid-write.
"""

import contextlib
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from django.conf import settings
from django.db import connection
from playwright.sync_api import Error

from sessions_app.models import SignIn

from .tablet import screen

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 40
CAFE = "<!doctype html><title>Welcome</title><h1>Welcome to our Wi-Fi</h1><p>Accept the terms to go on.</p>"
BROKEN = "<!doctype html><title>Error</title><h1>Server Error (500)</h1>"
LOOKS = re.compile(r"/(table/(\?.*)?|state\.json)$")
# Saves a command as the pages of a table do: on this tablet first, then on its way.
SAVE = """async ({ kind, body, words }) => {
  const { tableNow } = await import("/static/table/outbox/state.js");
  const { newKey } = await import("/static/table/outbox/commands.js");
  const { save } = await import("/static/table/outbox/queue.js");
  const { place, state } = await tableNow();
  const key = newKey();
  const seats = place.seats;
  if (kind === "hand" && body.winner !== undefined) {
    const seated = Object.values(seats);
    const hands = Object.fromEntries(seated.map((seat, at) => [seat, { total: body.totals?.[at] }]));
    const nobody = { hands: {}, mahjong: null, penalties: [] };
    body = body.winner === null ? nobody : { hands, mahjong: { by: seated[body.winner] } };
  }
  if (kind === "exchange") body = { a: seats.E, b: seats.W || seats.S };
  if (kind === "undo" && place.undoes !== undefined) body = { of: place.undoes };
  if (kind === "correct") {
    const hands = Object.fromEntries(Object.entries(body.hands).map(([seat, total]) => [seat, { total }]));
    body = { entry: body.entry, body: { hands, mahjong: { by: body.by } } };
  }
  const shared = { session: state.session, url: state.urls.commands, state_url: state.urls.state };
  await save({ ...shared, key, kind, body, words, after: place.after, seats, why: "" }, 0);
  return { key, seats };
}"""
LEFT = """async () => {
  const { all } = await import("/static/table/outbox/store.js");
  const shown = ({ key, kind, state, isKept, message, outcome }) =>
    ({ key, kind, state, isKept: Boolean(isKept), message, outcome });
  return (await all()).map(shown);
}"""
SEND_AGAIN = """async () => {
  const { all } = await import("/static/table/outbox/store.js");
  const { sendAgain } = await import("/static/table/outbox/queue.js");
  for (const item of await all()) if (item.outcome === "failed") await sendAgain(item);
}"""
TAKE_OFF = """async () => {
  const { all } = await import("/static/table/outbox/store.js");
  const { dismiss } = await import("/static/table/outbox/queue.js");
  const needless = (await all()).filter((one) => one.kind === "undo" && ["refused", "doubtful"].includes(one.outcome));
  for (const item of needless) await dismiss(item);
  return needless.map((one) => one.key);
}"""
WHY = """async () => {
  const { network } = await import("/static/table/outbox/queue.js");
  const { storage } = await import("/static/table/outbox/store.js");
  return { isLost: network.isLost, signIn: [...network.signIn], fault: storage.fault, page: location.href };
}"""
LOOK = """async () => {
  const { refreshBoard } = await import("/static/table/outbox/board.js");
  const { tableNow } = await import("/static/table/outbox/state.js");
  await refreshBoard(true);
  const { state, waiting } = await tableNow();
  return waiting.length ? 0 : state.version;
}"""
# Asks for what the tablet needs to play on without the network, and says whether it has it.
GET_READY = """async () => {
  const { fetchLedger, loadRules, tableNow } = await import("/static/table/outbox/state.js");
  await fetchLedger();
  return Boolean((await tableNow()).state.ledger && (await loadRules()));
}"""
WAKE = """() => { dispatchEvent(new Event("online")); dispatchEvent(new PageTransitionEvent("pageshow")); }"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Server:
    """Clubscore in a process of its own, which can be killed at any moment and started again."""

    def __init__(self):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.folder = tempfile.TemporaryDirectory(prefix="clubscore-faults-")
        self.process = None

    def start(self):
        environment = os.environ | {
            "DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}",
            "CLUBSCORE_VAR": self.folder.name,
            "SECRET_KEY": settings.SECRET_KEY,
            "LOG_LEVEL": "ERROR",
            "DEBUG": "1",
            "ALLOWED_HOSTS": "127.0.0.1",
        }
        command = [sys.executable, str(ROOT / "manage.py"), "runserver", "--noreload", f"127.0.0.1:{self.port}"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, env=environment, cwd=ROOT, **quiet)
        for _ in range(PATIENCE * 10):
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.url}/healthz", timeout=2):
                return self
            time.sleep(0.1)
        raise AssertionError("The server did not start.")

    def kill(self):
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def close(self):
        self.kill()
        self.folder.cleanup()


class BadTablet:
    """A tablet at a table on a bad network; `keys` are what it had to save, in order, as (key, kind)."""

    def __init__(self, browser, server, address, luck, sign_in=None):
        self.server = server
        self.address = address
        self.luck = luck
        # How often a page looks is the clock's affair: it must not change what else befalls this evening.
        self.look_luck = random.Random(luck.random())
        self.sign_in = sign_in
        self.faults = 0.0
        self.happened = []
        self.held = []
        self.keys = []
        self.context = browser.new_context(**screen(), service_workers="block")
        self.context.set_default_timeout(PATIENCE * 1000)
        self.context.route("**/commands/", self._answer)
        self.context.route(LOOKS, self._show)
        self.page = None
        self.let_in()
        self.open()

    def let_in(self):
        if self.sign_in:
            self.context.add_cookies([{"name": "sessionid", "value": self.sign_in(), "url": self.server.url}])

    def _answer(self, route):
        """Let one command through, or do to it what bad networks do."""
        if self.luck.random() >= self.faults:
            return self._through(route)
        fault = self.luck.choice(["lost answer", "late answer", "500", "500 afterwards", "refused", "café", "slow"])
        self.happened.append(fault)
        if fault == "refused":
            return route.abort("connectionrefused")
        if fault == "500":
            return route.fulfill(status=500, content_type="text/html", body=BROKEN)
        if fault == "café":
            return route.fulfill(status=200, content_type="text/html", body=CAFE)
        if fault == "slow":
            return self.held.append(lambda: self._through(route))
        answer = self._fetched(route)
        if answer is None or fault == "lost answer":
            return route.abort("connectionreset")
        if fault == "500 afterwards":
            return route.fulfill(status=500, content_type="text/html", body=BROKEN)
        return self.held.append(lambda: route.fulfill(response=answer))

    def release(self):
        """Let go what was slow, now that something else happens at the table."""
        held, self.held = self.held, []
        for go_on in held:
            # The page may have been left since.
            with contextlib.suppress(Error):
                go_on()

    def _show(self, route):
        """Let the table's page look for news, or not."""
        if route.request.is_navigation_request() or self.look_luck.random() >= self.faults:
            return route.continue_()
        fault = self.look_luck.choice(["no look", "proxy", "café"])
        self.happened.append(fault)
        if fault == "no look":
            return route.abort("connectionrefused")
        status, body = (502, BROKEN) if fault == "proxy" else (200, CAFE)
        return route.fulfill(status=status, content_type="text/html", body=body)

    def _through(self, route):
        answer = self._fetched(route)
        return route.abort("connectionrefused") if answer is None else route.fulfill(response=answer)

    def _fetched(self, route):
        """Bring the command to the server; None where nobody answers."""
        try:
            return route.fetch(max_redirects=0, timeout=PATIENCE * 1000)
        except Exception as error:
            if "ECONN" in str(error) or "socket hang up" in str(error):
                return None
            raise

    @property
    def is_open(self):
        return self.page is not None

    def open(self):
        self.page = self.context.new_page()
        self.go_to_table()

    def go_to_table(self):
        """Open the table's page, and wait until this tablet can play on by itself."""
        self.page.goto(self.server.url + self.address)
        self.page.wait_for_selector("#board")
        until = time.monotonic() + PATIENCE
        while not self.page.evaluate(GET_READY):
            assert time.monotonic() < until, self.why()
            self.page.wait_for_timeout(50)

    def close_page(self):
        self.page.close()
        self.page = None

    def come_back(self):
        """Open the table again, with the network there and signed in."""
        self.context.set_offline(False)
        if self.is_open:
            # The page that is left sends no more while the next one begins to.
            self.page.goto("about:blank")
        self.let_in()
        if not self.is_open:
            return self.open()
        return self.go_to_table()

    @property
    def is_at_table(self):
        """Whether the table is on the screen: signed out, the page may have gone to the sign-in by itself."""
        return self.is_open and self.page.locator("#board").count() == 1

    def save(self, kind, body=None):
        self.release()
        saved = self.page.evaluate(SAVE, {"kind": kind, "body": body or {}, "words": kind})
        self.keys.append((saved["key"], kind))
        return saved

    def look(self):
        """Look for news now; give the table's version then known here, nothing where something waits."""
        self.release()
        return self.page.evaluate(LOOK)

    def left(self):
        self.release()
        return self.page.evaluate(LEFT)

    def wait_until_sent(self):
        until = time.monotonic() + PATIENCE
        while self.left():
            assert time.monotonic() < until, self.why()
            self.page.wait_for_timeout(50)

    def why(self):
        """What keeps this tablet from sending, for those who read that it did."""
        cookies = sorted(cookie["name"] for cookie in self.context.cookies())
        return {**self.page.evaluate(WHY), "cookies": cookies}

    def wake(self):
        self.release()
        self.page.evaluate(WAKE)

    def send_again(self):
        """Press "Send again" where the server had failed too often."""
        self.page.evaluate(SEND_AGAIN)

    def take_off(self):
        """Take undos off the list that would have undone something else; give their keys."""
        return self.page.evaluate(TAKE_OFF)

    def forget_token(self):
        self.context.clear_cookies(name="csrftoken")

    def close(self):
        self.context.close()


def expire_sign_ins():
    SignIn.objects.all().delete()
