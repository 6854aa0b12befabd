"""Watching from a copy of the database, by PostgreSQL's own streaming replication; two web servers on one database."""

import os
import pwd
import re
import statistics
import tempfile
import time
from contextlib import contextmanager

import psycopg
import pytest

from sessions_app.web.middleware import LAG_TTL_S, MAX_LAG_S
from tests.conftest import missing
from tests.postgres import POSTGRES_WANTED, Server, own_server, server_binaries

from .site import Site, Tablet, ask, figures

pytestmark = pytest.mark.long

PATIENCE = 20
HANDS = 30
REV = re.compile(r'data-rev="([^"]+)"')


class Copy(Server):
    """A server made from another one, which it follows from then on."""

    def make(self, primary):
        if self.who:
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        self.call("pg_basebackup", "-h", primary.folder, "-U", "clubscore", "-R", "-X", "stream", "-c", "fast")


@contextmanager
def copy_of(primary):
    with tempfile.TemporaryDirectory(prefix="clubscore-copy-") as folder:
        copy = Copy(primary.binaries, folder)
        copy.make(primary)
        copy.start()
        try:
            yield copy
        finally:
            if copy.is_running:
                copy.stop()


@pytest.fixture
def servers():
    binaries = server_binaries()
    if binaries is None:
        missing(POSTGRES_WANTED)
    with own_server(binaries) as primary, copy_of(primary) as copy:
        yield primary, copy


class Watched:
    """A table in play on one web process, watched on another one that reads from the copy."""

    def __init__(self, folder, primary, copy):
        (folder / "one").mkdir()
        (folder / "other").mkdir()
        self.writing = Site(folder / "one", primary.url, READ_DATABASE_URL=copy.url)
        self.reading = Site(folder / "other", primary.url, READ_DATABASE_URL=copy.url)
        made = self.writing.house("make", 1)
        self.table, self.slug = made["tables"][0], made["slug"]
        self.tablet = Tablet(self.writing.port, self.slug, made["cookie"])
        with psycopg.connect(primary.url) as database:
            [[key]] = database.execute("SELECT watching_key FROM sessions_app_session").fetchall()
        self.address = f"/w/{key}/"

    def record(self):
        # A connection kept from before may have been closed since.
        self.tablet.close()
        assert self.tablet.send(self.table, "hand", figures("2", s2=20))["outcome"] == "recorded"

    def look(self, rev="none"):
        status, _, text = ask(
            self.reading.port, "GET", f"{self.address}?rev={rev}", headers={"Cookie": self.tablet.headers["Cookie"]}
        )
        return status, text

    def rev(self):
        status, text = self.look()
        assert status == 200, text
        return REV.search(text)[1]

    def until_new(self, rev, pause=0.002):
        """Return how long it took until a watcher saw something new."""
        began = time.perf_counter()
        while self.look(rev)[0] == 204:
            assert time.perf_counter() - began < PATIENCE
            time.sleep(pause)
        return time.perf_counter() - began

    def ready(self):
        return ask(self.reading.port, "GET", "/readyz")[2]


def told_copy(copy, statement):
    with psycopg.connect(copy.url, autocommit=True) as database:
        database.execute(statement)


def test_watching_from_a_copy(tmp_path, servers, tell):
    primary, copy = servers
    watched = Watched(tmp_path, primary, copy)
    with watched.writing.serving(), watched.reading.serving():
        lags = []
        for _ in range(HANDS):
            rev = watched.rev()
            watched.record()
            lags.append(watched.until_new(rev))
        tell(f"A watcher on the copy sees a hand {statistics.median(lags) * 1000:.0f} ms after it was recorded "
             f"(median of {HANDS}; longest {max(lags) * 1000:.0f} ms)")  # fmt: skip
        assert watched.ready().startswith("ready\nThe copy is 0.")

        # What is read is the copy: while it stands still, so do the watchers, and the table does not.
        rev = watched.rev()
        told_copy(copy, "SELECT pg_wal_replay_pause()")
        watched.record()
        assert watched.look(rev)[0] == 204
        assert _hands_at_table(watched) == HANDS + 1

        # Too far behind, it is left alone.
        waited = watched.until_new(rev, pause=0.2)
        tell(f"A copy that stands still is left alone after {waited:.0f} s")
        assert waited < MAX_LAG_S + LAG_TTL_S + 3
        told_copy(copy, "SELECT pg_wal_replay_resume()")

        # Gone altogether, everything is read from the database itself.
        copy.stop()
        began = time.monotonic()
        while watched.look()[0] != 200:
            assert time.monotonic() - began < PATIENCE
            time.sleep(0.1)
        tell(f"Without the copy watchers have their page again after {time.monotonic() - began:.1f} s")
        rev = watched.rev()
        watched.record()
        watched.until_new(rev)
        assert watched.ready() == (
            "ready\nThe copy in READ_DATABASE_URL is out of date, so everything is read from the database itself.\n"
        )


def _hands_at_table(watched):
    headers = {"Cookie": watched.tablet.headers["Cookie"]}
    _, _, text = ask(
        watched.reading.port, "GET", f"/c/{watched.slug}/sessions/{watched.table}/state.json", headers=headers
    )
    return int(re.search(r'"number": (\d+)', text)[1]) - 1
