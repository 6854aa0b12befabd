"""A PostgreSQL server of the tests' own: made in a temporary folder, reached by a socket there, gone afterwards.

Run as a program, it runs pytest on such a server, where each process of pytest has a database of its own.
"""

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

POSTGRES_WANTED = (
    "These tests need PostgreSQL: install it with 'sudo apt install postgresql', "
    "or name a database of a server in DATABASE_URL_TEST_POSTGRES."
)

ROOT = Path(__file__).parent.parent
ROOMS = [f"tests/{room}" for room in ("people", "rules", "table", "league", "meetings", "exchange", "web")]
# A test that waits for a lock, or for an answer that never comes, fails and says so.
LIMITS = ("lock_timeout=60s", "statement_timeout=120s")


def server_binaries():
    """Return the folder of the newest installed server's programs, or None."""
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(folders, key=lambda folder: float(folder.parent.name), default=None)


class Server:
    """A server in a folder of its own, that can be stopped and started again."""

    is_running = False

    def __init__(self, binaries, folder):
        self.binaries = binaries
        self.folder = folder
        # PostgreSQL refuses to be run by root.
        self.who = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
        self.url = f"postgresql://clubscore@{quote(folder, safe='')}/postgres"

    def call(self, program, *arguments):
        command = [str(self.binaries / program), "-D", f"{self.folder}/data", *arguments]
        with open(f"{self.folder}/{program}.log", "w") as log:
            subprocess.run(command, check=True, cwd=self.folder, stdout=log, stderr=log, timeout=120, **self.who)

    def make(self):
        if self.who:
            import pwd  # Windows has none

            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        self.call("initdb", "-U", "clubscore", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")

    def start(self, settings=()):
        off = "".join(f" -c {name}=off" for name in ("fsync", "full_page_writes", "autovacuum", "jit"))
        options = f"-c listen_addresses=''{off} -k {self.folder}"
        options += "".join(f" -c {setting}" for setting in settings)
        self.call("pg_ctl", "-w", "start", "-l", f"{self.folder}/server.log", "-o", options)
        self.is_running = True

    def stop(self):
        self.is_running = False
        self.call("pg_ctl", "-w", "stop", "-m", "immediate")


@contextmanager
def own_server(binaries, settings=()):
    """Start a server and yield it."""
    with tempfile.TemporaryDirectory(prefix="clubscore-postgres-") as folder:
        server = Server(binaries, folder)
        server.make()
        server.start(settings)
        try:
            yield server
        finally:
            if server.is_running:
                server.stop()


@contextmanager
def private_server(binaries, settings=()):
    """Start a server and yield its DATABASE_URL."""
    with own_server(binaries, settings) as server:
        yield server.url


def migrate_template(url):
    """Make all tables once where each new database of this server is copied from."""
    command = [sys.executable, "manage.py", "migrate", "-v0"]
    own = {"CLUBSCORE_ENV": "", "DATABASE_URL": url.removesuffix("postgres") + "template1", "SECRET_KEY": "k" * 60}
    subprocess.run(command, cwd=ROOT, env={**os.environ, **own}, check=True)


def marked_files():
    """Return the files in which something is marked postgres: to read all others takes long."""
    files = [path for room in ROOMS for path in sorted((ROOT / room).glob("test_*.py"))]
    return [str(path.relative_to(ROOT)) for path in files if "mark.postgres" in path.read_text(encoding="utf-8")]


def run_tests(url, options):
    """Run the tests of the rooms, unless the options name others, and return pytest's exit code."""
    paths = [option for option in options if option.startswith("tests")]
    rooms = ROOMS if "--long" in options else marked_files()
    command = [sys.executable, "-m", "pytest", *(() if paths else rooms), *options, "-p", "no:cacheprovider"]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "DATABASE_URL": url}).returncode


def main(options):
    if url := os.environ.get("DATABASE_URL_TEST_POSTGRES"):
        return run_tests(url, options)
    if binaries := server_binaries():
        with private_server(binaries, LIMITS) as url:
            migrate_template(url)
            return run_tests(url, options)
    print(POSTGRES_WANTED, file=sys.stderr)
    return int(os.environ.get("CI", "") not in ("", "0", "false"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
