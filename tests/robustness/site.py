"""A real server process on an installation of its own, as ./run starts it, and tablets that talk to it over http."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.migrated_file import copy_migrated
from tests.test_run import ROOT, clean_environment, free_port, run

TOKEN = "a" * 32
PATIENCE = 60
KEY = "k" * 60


class Site:
    """An installation in a folder, on SQLite there or on the database given."""

    def __init__(self, folder, database_url=None, **more):
        self.folder = folder
        self.port = free_port()
        self.environment = clean_environment(
            CLUBSCORE_VAR=str(folder), SECRET_KEY=KEY, DATABASE_URL=database_url or "", LOG_LEVEL="ERROR", **more
        )
        self.server = None

    def house(self, *arguments):
        if arguments[0] == "make" and not self.environment["DATABASE_URL"]:
            copy_migrated(self.folder / "clubscore.sqlite3")
        command = [sys.executable, "-m", "tests.robustness.house", *map(str, arguments)]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def start(self, server="clubscore.site.server", **different):
        """Start the server, or another one that a module of the tests has, and wait until it answers."""
        words = run.server_arguments("127.0.0.1", self.port)
        command = [sys.executable, *(server if word == "clubscore.site.server" else word for word in words)]
        with open(self.folder / "server.log", "a") as log:
            self.server = subprocess.Popen(
                command, cwd=ROOT, env={**self.environment, **different}, stdout=log, stderr=log, start_new_session=True
            )
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            try:
                if ask(self.port, "GET", "/healthz")[0] in (200, 503):
                    return
            except OSError:
                time.sleep(0.05)
        raise AssertionError((self.folder / "server.log").read_text()[-2000:])

    def stop(self, how=signal.SIGTERM):
        """Stop the server and all its processes."""
        os.killpg(self.server.pid, how)
        self.server.wait(timeout=PATIENCE)
        while how == signal.SIGKILL and _lives(self.server.pid):
            time.sleep(0.01)

    @contextmanager
    def serving(self, *server, **different):
        self.start(*server, **different)
        try:
            yield self
        finally:
            self.stop()


def _lives(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def log_of(site):
    return (site.folder / "server.log").read_text()


def ask(port, method, path, body=None, headers=(), connection=None):
    """Ask once; return status, headers and text. An error of the network is an OSError."""
    own = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        own.request(method, path, body, dict(headers))
        answer = own.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    except http.client.HTTPException as error:
        raise ConnectionError(str(error)) from error
    finally:
        if connection is None:
            own.close()


@dataclass
class Tablet:
    """One client: it sends commands, and remembers what became of each."""

    port: int
    slug: str
    cookie: str
    answered: dict = field(default_factory=dict)
    unanswered: dict = field(default_factory=dict)
    faults: list = field(default_factory=list)
    took: list = field(default_factory=list)
    connection: object = None

    def send(self, table, kind, body, key=None):
        """Send a command; return its answer, None where none came. What has no answer is kept to be sent again."""
        key = key or str(uuid.uuid4())
        self.unanswered[key] = (table, kind, body)
        text = json.dumps({"key": key, "kind": kind, "body": body})
        began = time.perf_counter()
        try:
            status, _, found = ask(
                self.port, "POST", f"/c/{self.slug}/sessions/{table}/commands/", text, self.headers, self._connection()
            )
        except OSError:
            self.close()
            return None
        self.took.append(time.perf_counter() - began)
        if status >= 500 or not found.startswith("{"):
            self.faults.append((status, found[:300]))
            return None
        answer = json.loads(found)
        del self.unanswered[key]
        self.answered[key] = (table, kind, answer["status"], answer["outcome"], answer.get("entry"))
        return answer

    def send_again(self):
        for key, (table, kind, body) in list(self.unanswered.items()):
            self.send(table, kind, body, key)

    @property
    def headers(self):
        return {
            "Cookie": f"sessionid={self.cookie}; csrftoken={TOKEN}",
            "X-CSRFToken": TOKEN,
            "Content-Type": "application/json",
            "Accept": "application/json",
        }

    def _connection(self):
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        return self.connection

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def figures(winner, **totals):
    """Make a hand of typed totals for a table of four."""
    return {"hands": {seat: {"total": totals.get(f"s{seat}", 0)} for seat in "1234"}, "mahjong": {"by": winner}}


def lost_or_double(tablets, found):
    """Return what was acknowledged and is not in the books exactly once; `found` is what the house's check says."""
    wrong = []
    for tablet in tablets:
        for key, (table, kind, status, outcome, entry) in tablet.answered.items():
            books = found["tables"][str(table)]
            if status == 422:
                wrong += [f"{key}: refused, but kept"] if key in books["commands"] else []
            elif key not in books["commands"]:
                wrong.append(f"{kind} {key} was answered {outcome}, but is in no register")
            elif kind == "hand" and outcome in ("recorded", "again") and books["entries"].count(entry) != 1:
                wrong.append(f"{kind} {key} stands {books['entries'].count(entry)} times")
    for table, books in found["tables"].items():
        applied = sum(outcome == "applied" for outcome in books["commands"].values())
        if applied != books["steps"]:
            wrong.append(f"table {table}: {applied} commands were carried out, {books['steps']} are in the log")
    return wrong
