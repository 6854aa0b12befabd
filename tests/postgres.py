"""A PostgreSQL server of the tests' own: made in a temporary folder, reached by a socket there, gone afterwards."""

import os
import pwd
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

POSTGRES_WANTED = (
    "These tests need PostgreSQL: install it with 'sudo apt install postgresql', "
    "or name a database of a server in DATABASE_URL_TEST_POSTGRES."
)


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
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        self.call("initdb", "-U", "clubscore", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")

    def start(self):
        options = f"-c listen_addresses='' -c fsync=off -k {self.folder}"
        self.call("pg_ctl", "-w", "start", "-l", f"{self.folder}/server.log", "-o", options)

        self.is_running = True

    def stop(self):
        self.is_running = False
        self.call("pg_ctl", "-w", "stop", "-m", "immediate")


@contextmanager
def own_server(binaries):
    """Start a server and yield it."""
    with tempfile.TemporaryDirectory(prefix="clubscore-postgres-") as folder:
        server = Server(binaries, folder)
        server.make()
        server.start()
        try:
            yield server
        finally:
            if server.is_running:
                server.stop()


@contextmanager
def private_server(binaries):
    """Start a server and yield its DATABASE_URL."""
    with own_server(binaries) as server:
        yield server.url
