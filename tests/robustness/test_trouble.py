"""A full disk, a database that is read-only or gone: an honest sentence, nothing lost, and it goes on by itself."""

import json
import os
import shutil
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from .site import Site, Tablet, ask, figures, log_of, lost_or_double

FULL = "The disk is full on the computer that keeps the scores."
READ_ONLY = "You can read the scores at the moment, but nothing can be saved."
AWAY = "The computer that keeps the scores is not answering at the moment."
SAFE = "What you sent was not saved. Everything saved before is safe."
AWAY_FOR, LONG = 3, 60


class House:
    """A table with a tablet at it."""

    def __init__(self, site):
        self.site = site
        made = site.house("make", 1)
        self.slug, [self.table] = made["slug"], made["tables"]
        self.tablet = Tablet(site.port, self.slug, made["cookie"])

    def record(self):
        return self.tablet.send(self.table, "hand", figures("1", s1=8))

    def refused(self):
        """Send a hand that cannot be recorded; return the answer to the tablet."""
        assert self.record() is None
        return self.answer_shown()

    def answer_shown(self):
        """Return the answer to the tablet about the hand that could not be recorded."""
        status, text = self.tablet.faults.pop()
        assert status == 503
        answer = json.loads(text)
        assert answer["outcome"] == "unavailable"
        return answer["message"]

    def page(self):
        """Ask for the table's page; return status and text."""
        headers = {"Cookie": self.tablet.headers["Cookie"]}
        status, _, text = ask(self.site.port, "GET", f"/c/{self.slug}/sessions/{self.table}/table/", headers=headers)
        return status, text

    def send_again(self):
        self.tablet.send_again()
        self.tablet.close()

    def check(self, hands):
        """Hold the books: every hand once, and nothing else."""
        assert self.tablet.faults == []
        assert self.tablet.unanswered == {}
        found = self.site.house("check")
        assert lost_or_double([self.tablet], found) == []
        assert len(found["tables"][str(self.table)]["entries"]) == hands
        assert (found["reconcile"], found["faults"]) == ([], [])


@contextmanager
def small_disk(folder, megabytes):
    """Mount a small disk in memory; skip where this machine does not let us."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)], capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip("Mounting a small disk needs the administrator's rights.")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def ready(site):
    """Return status and text of whether visitors may be sent here."""
    status, _, text = ask(site.port, "GET", "/readyz")
    return status, text


def fill(folder):
    """Take all the room that is left."""
    filler = folder / "filler"
    with open(filler, "wb", buffering=0) as file:
        for block in (65536, 512, 1):
            try:
                while True:
                    file.write(b"x" * block)
            except OSError:
                pass
    return filler


def test_a_full_disk_under_sqlite(tmp_path):
    if not shutil.which("mount") or os.geteuid() != 0:
        pytest.skip("Mounting a small disk needs the administrator's rights.")
    folder = tmp_path / "small"
    folder.mkdir()
    with small_disk(folder, 16):
        site = Site(folder)
        house = House(site)
        with site.serving():
            assert house.record()["outcome"] == "recorded"
            filler, recorded, refused = fill(folder), 1, 0
            # What SQLite writes first has some room of its own from before, and may get it back between two hands.
            while refused < 3:
                if house.record():
                    recorded += 1
                    assert recorded < 200
                else:
                    message, refused = house.answer_shown(), refused + 1
            assert message == f"{FULL} {SAFE} Tell the person who looks after Clubscore, then try again."
            assert house.page()[0] == 200
            assert ask(site.port, "GET", "/healthz")[0] == 200
            assert ready(site) == (503, f"{FULL}\n")
            filler.unlink()
            assert ready(site) == (200, "ready\n")
            house.send_again()
            assert house.record()["outcome"] == "recorded"
        house.check(hands=recorded + refused + 1)


@pytest.mark.long
def test_a_database_file_that_may_not_grow(tmp_path):
    """The same without a disk of our own: SQLite refuses further pages, and the room is there after a new start."""
    site = Site(tmp_path)
    house = House(site)
    size = (tmp_path / "clubscore.sqlite3").stat().st_size // 4096
    limit = f"sqlite:///{tmp_path}/clubscore.sqlite3?init_command=PRAGMA%20max_page_count%3D{size + 2}"
    with site.serving(DATABASE_URL=limit):
        recorded, message = 0, ""
        while not message and recorded < 200:
            if house.record():
                recorded += 1
            else:
                status, text = house.tablet.faults.pop()
                assert status == 503
                message = json.loads(text)["message"]
        assert message.startswith(f"{FULL} {SAFE}")
        assert house.page()[0] == 200
        house.tablet.close()
    with site.serving():
        house.send_again()
    house.check(hands=recorded + 1)


@pytest.mark.long
def test_a_database_file_that_may_not_be_written(tmp_path):
    site = Site(tmp_path)
    house = House(site)
    read_only = f"sqlite:///{tmp_path}/clubscore.sqlite3?init_command=PRAGMA%20query_only%3D1"
    with site.serving(DATABASE_URL=read_only):
        assert house.refused() == f"{READ_ONLY} {SAFE} Tell the person who looks after Clubscore, then try again."
        assert house.page()[0] == 200
        house.tablet.close()
    with site.serving():
        house.send_again()
    house.check(hands=1)


GONE = "The file that holds the scores was removed or replaced."


@pytest.mark.long
@pytest.mark.parametrize("replaced", [False, True])
def test_a_database_file_that_is_taken_away(tmp_path, replaced):
    """Nothing is acknowledged that went into a file which nobody will find, and no empty one is made in its place."""
    site = Site(tmp_path)
    house = House(site)
    live, aside = tmp_path / "clubscore.sqlite3", tmp_path / "aside.sqlite3"
    with site.serving():
        assert [house.record()["outcome"] for _ in range(9)] == ["recorded"] * 9
        live.rename(aside)
        if replaced:
            shutil.copyfile(aside, live)
        for _ in range(9):
            assert house.refused() == f"{GONE} {SAFE} Tell the person who looks after Clubscore, then try again."
        status, text = house.page()
        assert (status, GONE in text) == (503, True)
        status, _, text = ask(site.port, "GET", "/readyz")
        assert (status, text.startswith("The database file was removed or replaced.")) == (503, True)
        assert ask(site.port, "GET", "/healthz")[0] == 200
        assert live.exists() == replaced
        live.unlink(missing_ok=True)
        aside.rename(live)
        house.send_again()
    house.check(hands=18)


def tell_server(database, *statements):
    with psycopg.connect(database.url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


OTHERS_OUT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename IS NOT NULL
"""


@pytest.mark.long
def test_a_postgresql_that_may_not_be_written(tmp_path, database):
    site = Site(tmp_path, database.url)
    house = House(site)
    with site.serving():
        assert house.record()["outcome"] == "recorded"
        tell_server(database, "ALTER DATABASE postgres SET default_transaction_read_only = on", OTHERS_OUT)
        assert house.refused() == f"{READ_ONLY} {SAFE} Tell the person who looks after Clubscore, then try again."
        assert house.page()[0] == 200
        assert ready(site) == (503, f"{READ_ONLY}\n")
        own = "SET default_transaction_read_only = off"
        tell_server(database, own, "ALTER DATABASE postgres RESET default_transaction_read_only", OTHERS_OUT)
        assert ready(site) == (200, "ready\n")
        house.send_again()
        assert house.record()["outcome"] == "recorded"
    house.check(hands=3)


@pytest.mark.long
def test_a_postgresql_whose_disk_is_full_takes_no_visitors(tmp_path, database):
    """Its temporary files are on the disk of its data, unless it is told of another: here, of a small one."""
    if not shutil.which("mount") or os.geteuid() != 0:
        pytest.skip("Mounting a small disk needs the administrator's rights.")
    folder = Path(database.folder) / "small"
    folder.mkdir()
    with small_disk(folder, 1):
        shutil.chown(folder, "postgres", "postgres")
        site = House(Site(tmp_path, database.url)).site
        tell_server(database, f"CREATE TABLESPACE small LOCATION '{folder}'")
        tell_server(database, "ALTER DATABASE postgres SET temp_tablespaces = small")
        with site.serving():
            assert ready(site) == (200, "ready\n")
            filler = fill(folder)
            assert ready(site) == (503, f"{FULL}\n")
            assert ask(site.port, "GET", "/healthz")[0] == 200
            filler.unlink()
            assert ready(site) == (200, "ready\n")
        tell_server(database, "ALTER DATABASE postgres RESET temp_tablespaces", "DROP TABLESPACE small")


@pytest.mark.long
def test_a_postgresql_that_goes_away_and_comes_back(tmp_path, database, is_long, tell):
    site = Site(tmp_path, database.url)
    house = House(site)
    with site.serving():
        assert house.record()["outcome"] == "recorded"
        database.stop()
        began, refused = time.monotonic(), 0
        while time.monotonic() < began + (LONG if is_long else AWAY_FOR):
            assert house.refused() == f"{AWAY} {SAFE} Try again in a minute."
            status, text = house.page()
            assert (status, AWAY in text, SAFE in text) == (503, True, False)
            assert [ask(site.port, "GET", address)[0] for address in ("/healthz", "/readyz")] == [200, 503]
            refused += 1
            time.sleep(0.2)
        database.start()
        back = time.monotonic()
        house.send_again()
        assert house.page()[0] == 200
        tell(f"PostgreSQL away: {refused} hands refused with a sentence, all recorded {time.monotonic() - back:.1f} s "
             "after it was back")  # fmt: skip
    house.check(hands=1 + refused)


SILENT = (503, "The database does not answer; Clubscore's messages say why.\n")


@pytest.mark.long
def test_monitors_have_an_answer_while_a_lock_keeps_the_database(tmp_path, database):
    site = House(Site(tmp_path, database.url)).site
    with site.serving(), psycopg.connect(database.url) as others:
        assert ready(site) == (200, "ready\n")
        others.execute("LOCK TABLE django_migrations IN ACCESS EXCLUSIVE MODE")
        for _ in range(2):
            asked = time.monotonic()
            assert ready(site) == SILENT
            assert time.monotonic() - asked < 3
        asked = time.monotonic()
        assert ask(site.port, "GET", "/healthz")[0] == 200
        assert time.monotonic() - asked < 1
        others.rollback()
        assert ready(site) == (200, "ready\n")
    # Of the two processes each says it at most once.
    assert 1 <= log_of(site).count(" has not answered for 2.5 seconds.") <= 2
