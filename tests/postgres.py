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


@contextmanager
def private_server(binaries):
    """Start a server and yield its DATABASE_URL."""
    with tempfile.TemporaryDirectory(prefix="clubscore-postgres-") as folder:
        # PostgreSQL refuses to be run by root.
        who = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
        if who:
            owner = pwd.getpwnam("postgres")
            os.chown(folder, owner.pw_uid, owner.pw_gid)

        def call(program, *arguments):
            command = [str(binaries / program), "-D", f"{folder}/data", *arguments]
            with open(f"{folder}/{program}.log", "w") as log:
                subprocess.run(command, check=True, cwd=folder, stdout=log, stderr=log, timeout=120, **who)

        call("initdb", "-U", "clubscore", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        options = f"-c listen_addresses='' -c fsync=off -k {folder}"
        call("pg_ctl", "-w", "start", "-l", f"{folder}/server.log", "-o", options)
        try:
            yield f"postgresql://clubscore@{quote(folder, safe='')}/postgres"
        finally:
            call("pg_ctl", "-w", "stop", "-m", "immediate")
