"""A tablet whose outbox is watched: every key it was pressed to save, what it still keeps, and a network that fails."""

import re
import socket
from contextlib import suppress
from threading import Event

from django.core.servers.basehttp import ThreadedWSGIServer
from django.test.testcases import LiveServerThread, QuietWSGIRequestHandler
from playwright.sync_api import expect

from sessions_app.models import Command, Entry
from tests.reconciled import reconcile

from ..conftest import CHROMIUM, CHROMIUM_FLAGS
from .conftest import ProductionServer, session_cookie
from .tablet import PATIENCE, Tablet, screen

# What the browser says of every page on plain http.
ALWAYS = re.compile("Opener-Policy header has been ignored")
STEP = 100
BAD_GATEWAY = b"<!doctype html><title>502</title><h1>502 Bad Gateway</h1>"
# Without workers a browser has no scores of its own.
WITHOUT_RULES = "delete window.Worker;"
# What Save says without the network where the rules are on board.
RULES_KEPT = """async () => {
  const { files } = JSON.parse(document.getElementById("engine-data").textContent);
  return (await Promise.all(Object.values(files).map((file) => caches.match(file)))).every(Boolean);
}"""
WORKER_AT_WORK = """async () => {
  hurry(1500);
  return (await navigator.serviceWorker.getRegistration())?.active?.state === "activated";
}"""
RULES_ON_BOARD = """() => {
  hurry(2000);
  return Boolean(document.querySelector("[data-rules='on board']"));
}"""
HEAR = """
document.addEventListener("outbox:saved", ({ detail }) => window.heardSaved(detail.key, detail.kind));
"""
KEPT = """(store) => new Promise((resolve, reject) => {
  const opening = indexedDB.open("clubscore");
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const all = opening.result.transaction(store).objectStore(store).getAll();
    all.onsuccess = () => { opening.result.close(); resolve(all.result); };
  };
})"""


class OutboxTablet(Tablet):
    """Hears every key that is saved here, in order; it has no rules on board, as an old one."""

    init_script = HEAR + WITHOUT_RULES

    def __init__(self, context, url):
        self.keys = []
        self.kinds = []
        context.expose_function("heardSaved", self._saved)
        context.add_init_script(self.init_script)
        super().__init__(context, url)

    def _saved(self, key, kind):
        if key not in self.keys:
            self.keys.append(key)
            self.kinds.append(kind)

    def _hear(self, message):
        if not ALWAYS.search(message.text):
            super()._hear(message)

    # The network

    def lose_network(self):
        self.may_be_lost = True
        self.context.set_offline(True)

    def find_network(self):
        self.context.set_offline(False)

    def wait_for_worker(self):
        """Wait until the worker keeps the pages of this table; the first page is not yet under its care."""
        self.wait_until(WORKER_AT_WORK)
        self.wait_for_page_kept(self.page.url.removeprefix(self.url))

    def wait_for_page_kept(self, path):
        """Wait until a page is kept; that of the table has its views too."""
        path = re.sub(r"/(hands/new|hands/[0-9a-f-]{36}(/change)?|penalty|seating|arrive|leave)/$", "/table/", path)
        self.wait_until("async (path) => { hurry(1500); return Boolean(await caches.match(path)); }", path)

    def wait_until(self, question, about=None):
        """Wait until the page answers yes; wait_for_function would take a promise for an answer."""
        for _ in range(PATIENCE // STEP):
            if self.page.evaluate(question, about):
                return
            self.page.wait_for_timeout(STEP)
        raise AssertionError(f"Not so after {PATIENCE} ms: {question} {about}")

    # What is shown and kept

    def expect_saved(self, words="All saved"):
        expect(self.page.locator("#saved-words")).to_have_text(words)
        expect(self.page.locator("#saved-words")).to_be_visible()

    def kept(self):
        return self.page.evaluate(KEPT, "commands")

    # The table

    def open_table(self, table):
        self.open(f"/c/{table.club.slug}/sessions/{table.pk}/table/")

    def open_entry(self, table):
        self.open(f"/c/{table.club.slug}/sessions/{table.pk}/hands/new/")

    def enter_win(self, winner, total="8"):
        """Enter a hand of typed totals: the winner's, and nothing for the three others."""
        group = self.page.get_by_role("group", name=re.compile("^Who went Mah.[Jj]ong"))
        group.get_by_role("button", name=winner, exact=True).tap()
        names = [name.strip() for name in self.page.locator(".seat-card .seat-name").all_text_contents()]
        others = [[name, "nothing", ""] for name in names if name != winner]
        self.choose_hands([winner, "total", total], *others)

    def save_online(self, number):
        self.tap(f"Save hand {number}")
        expect(self.page.locator("#board")).to_be_visible()
        expect(self.page.locator("#messages")).to_contain_text(f"Hand {number}: ")
        self.expect_sent()

    def expect_sent(self):
        """Expect that the server has what the table shows."""
        expect(self.page.locator("#board.is-ahead")).to_have_count(0)

    def save_lost(self, number, sentence=""):
        """Save while the server is not heard: the table is shown, and says where the hand is."""
        self.tap(f"Save hand {number}")
        expect(self.page.locator("#board.is-ahead")).to_be_visible()
        expect(self.page.locator("#messages")).to_contain_text(sentence or f"Hand {number}: ")
        expect(self._to_next(number + 1)).to_be_visible()

    def _to_next(self, number):
        return self.page.get_by_role("link", name=f"Enter hand {number}", exact=True)

    def to_table(self):
        """Look at the table, which is shown once a hand is saved."""
        expect(self.page.locator("#board")).to_be_visible()

    def expect_views(self):
        """Wait until the page of the board has the other views, so that going to one loads nothing."""
        expect(self.page.locator("[data-views]")).to_be_attached()

    def next_hand(self, number):
        self._to_next(number).tap()
        expect(self.page.locator(".hand-title")).to_contain_text(f"Hand {number}")


class PlayingTablet(OutboxTablet):
    """A tablet with the rules on board."""

    init_script = HEAR

    def expect_balances(self, balances):
        for name, balance in balances.items():
            seat = self.page.locator(".felt [data-seat], .sitter").filter(has_text=name)
            expect(seat.locator(".balance")).to_have_text(balance)

    def expect_rules(self):
        """Wait until the page of a table or of hand entry has what it needs to play on without the network."""
        self.page.wait_for_function(RULES_ON_BOARD)

    def wait_for_worker(self):
        super().wait_for_worker()
        self.wait_until(RULES_KEPT)

    def balances(self):
        seats = self.page.locator(".felt [data-seat], .sitter").all()
        named = [(seat.locator(".seat-name").inner_text(), seat.locator(".balance").inner_text()) for seat in seats]
        return dict(named)


class OwnServer(ProductionServer):
    """A server that can be stopped and started again at its address while tablets are at it.

    While `is_away`, a proxy answers in its place that it is not there; what it `holds` it answers only once told to.
    """

    def __init__(self, host="localhost", port=0):
        self.host, self.port = host, port
        self.is_away = False
        self.holds = None
        self.is_held, self.goes_on = Event(), Event()
        super().__init__(host)

    def start(self):
        self.thread = _Thread(self.host, self.port, self._proxy)
        self.thread.daemon = True
        super().start()
        self.port = self.thread.port

    def _proxy(self, served):
        def answer(environ, start_response):
            if not self.is_away:
                answered = served(environ, start_response)
                if environ["PATH_INFO"] == self.holds:
                    self.is_held.set()
                    self.goes_on.wait(PATIENCE / 1000)
                return answered
            start_response("502 Bad Gateway", [("Content-Type", "text/html")])
            return [BAD_GATEWAY]

        return answer


class _Server(ThreadedWSGIServer):
    """Lets go of every connection when it is closed, as a server that is switched off does."""

    def __init__(self, *args, **more):
        self.connections = []
        super().__init__(*args, **more)

    def get_request(self):
        connection, address = super().get_request()
        self.connections.append(connection)
        return connection, address

    def server_close(self):
        for connection in self.connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        super().server_close()


class _Thread(LiveServerThread):
    server_class = _Server

    def __init__(self, host, port, handler):
        super().__init__(host, connections_override={}, static_handler=handler, port=port)

    def _create_server(self, connections_override=None):
        return self.server_class(
            (self.host, self.port),
            QuietWSGIRequestHandler,
            allow_reuse_address=True,
            connections_override=connections_override,
        )


def own_address():
    """Return this machine's address on its network, under which no browser takes plain http for secure; or None."""
    asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        # Choosing a way to an address sends nothing; the one here belongs to nobody.
        asker.connect(("192.0.2.1", 9))
        address = asker.getsockname()[0]
    except OSError:
        return None
    finally:
        asker.close()
    return None if address.startswith("127.") else address


def persistent(chromium, folder, url, user, kind=OutboxTablet):
    """Open a browser that keeps what it has in a folder, as one that is closed and opened again."""
    context = chromium.browser_type.launch_persistent_context(
        folder, executable_path=CHROMIUM, args=CHROMIUM_FLAGS, **screen()
    )
    one = kind(context, url)
    one.let_in(session_cookie(user))
    return one


def ledger_keys(table, kind="hand"):
    entries = Entry.objects.filter(session=table, kind=kind).order_by("position")
    return [str(entry.key) for entry in entries]


def register_keys(table):
    return [str(command.key) for command in Command.objects.filter(session=table).order_by("pk")]


def expect_all_there(table, *tablets, pressed):
    """Expect that every press is in the ledger once and in order, that the books are right and nothing is left."""
    keys = [key for one in tablets for key in one.keys]
    assert len(keys) == pressed
    assert sorted(register_keys(table)) == sorted(keys)
    for one in tablets:
        mine = set(one.keys)
        assert [key for key in register_keys(table) if key in mine] == one.keys
        hands = [key for key, kind in zip(one.keys, one.kinds, strict=True) if kind == "hand"]
        assert [key for key in ledger_keys(table) if key in mine] == hands
        assert one.kept() == []
    assert reconcile() == []
