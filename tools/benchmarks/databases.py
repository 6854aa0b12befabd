"""The databases that are measured: SQLite files and a PostgreSQL server of the benchmark's own, filled in bulk."""

import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from tests.postgres import Server, server_binaries

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("sqlite", "postgresql")
# A power cut may lose nothing here, as in an installation; the rest is what any guide for 24 GiB would say at least.
POSTGRES_OPTIONS = "-c listen_addresses='' -c shared_buffers=512MB -c max_wal_size=4GB -c random_page_cost=1.1"
BYTES_A_HAND = 9_000


class NoRoom(Exception):
    """The disk has too little room for what was asked, as a sentence."""


def environment(url, folder):
    own = {"DATABASE_URL": url, "CLUBSCORE_VAR": str(folder / "var"), "SECRET_KEY": "benchmark " * 6}
    own |= {"LOG_LEVEL": "ERROR", "DJANGO_SETTINGS_MODULE": "clubscore.site.settings", "SIGN_UP": "open"}
    return {**os.environ, **own}


def run(url, folder, *arguments, is_shown=True):
    """Run Python with these arguments on a database; return what it printed, where that is not for the eye."""
    output = None if is_shown else subprocess.PIPE
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment(url, folder), stdout=output, check=True, text=True
    )
    return done.stdout


def check_room(folder, sizes, databases):
    needed = sum(sizes) * len(databases) * BYTES_A_HAND
    free = shutil.disk_usage(folder).free
    if free < needed:
        there, asked = f"{free / 1e9:.0f} GB", f"{needed / 1e9:.0f} GB"
        raise NoRoom(f"{folder} has {there} left, and {asked} are needed: ask for fewer hands.")


@contextmanager
def addresses(databases, folder):
    """Yield a function that gives the address of a database, by its kind and a size; PostgreSQL runs until then."""
    server = None
    if "postgresql" in databases:
        server = BenchServer(server_binaries(), str(folder / "postgresql"))
        server.ready()
    try:
        yield lambda kind, size: server.database(size) if kind == "postgresql" else sqlite_file(folder, size)
    finally:
        if server:
            server.stop()


def sqlite_file(folder, size):
    return f"sqlite:///{folder}/hands-{size}.sqlite3"


class BenchServer(Server):
    """A server whose folder stays, with the durability that an installation has."""

    def ready(self):
        Path(self.folder).mkdir(parents=True, exist_ok=True)
        if not Path(self.folder, "data").exists():
            self.make()
        options = f"{POSTGRES_OPTIONS} -k {self.folder}"
        self.call("pg_ctl", "-w", "start", "-l", f"{self.folder}/server.log", "-o", options)

    def stop(self):
        self.call("pg_ctl", "-w", "stop", "-m", "fast")

    def database(self, size):
        """Return the address of the database of this size; it is made where it is missing."""
        made = ["psql", "-h", self.folder, "-U", "clubscore", "-tAc"]
        there = subprocess.run(
            [*made, f"SELECT 1 FROM pg_database WHERE datname = 'hands{size}'", "postgres"],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        if not there.stdout.strip():
            subprocess.run([*made, f"CREATE DATABASE hands{size}", "postgres"], check=True, capture_output=True)
        return f"postgresql://clubscore@{quote(self.folder, safe='')}/hands{size}"


def fill(url, folder, size, clubs, players):
    """Populate a database unless it has been; return the seconds that took, None where it was there."""
    run(url, folder, "manage.py", "migrate", "-v0")
    asked = "from sessions_app.models import Hand; print(Hand.objects.exists())"
    code = f"import django; django.setup(); {asked}"
    if run(url, folder, "-c", code, is_shown=False).split()[-1] == "True":
        return None
    began = time.monotonic()
    numbers = ["--clubs", clubs, "--players", players, "--hands", size, "--seed", 1]
    run(url, folder, "manage.py", "populate", *map(str, numbers))
    run(url, folder, "-c", "import django; django.setup(); from django.db import connection; "
                           "connection.cursor().execute('ANALYZE')")  # fmt: skip
    return time.monotonic() - began
