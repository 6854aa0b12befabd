"""Behind PgBouncer in transaction mode: no lock stays in its pool, and backups go past it."""

import re
import shutil
import subprocess
import time
from contextlib import closing, contextmanager

import psycopg
import pytest

from tests.conftest import missing
from tests.postgres import POSTGRES_WANTED, own_server, server_binaries
from tests.robustness.site import Site, ask
from tests.test_run import free_port

from .installation import Installation

WANTED = "PgBouncer is missing: 'sudo apt install pgbouncer'."
SETTINGS = """
[databases]
clubscore = host={folder} user=clubscore dbname=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
logfile = {folder}/pgbouncer.log
"""


@contextmanager
def pooled(server):
    """Yield the address of a server behind PgBouncer, as docs/hosting.md has it."""
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    if program is None:
        missing(WANTED)
    port, settings = free_port(), f"{server.folder}/pgbouncer.ini"
    with open(settings, "w", encoding="utf-8") as file:
        file.write(SETTINGS.format(folder=server.folder, port=port))
    pooler = subprocess.Popen([program, "-q", settings], cwd=server.folder, **server.who)
    url = f"postgresql://clubscore@127.0.0.1:{port}/clubscore?server_side_binding=false"
    try:
        for _ in range(100):
            try:
                psycopg.connect(url.partition("?")[0]).close()
                break
            except psycopg.OperationalError:
                time.sleep(0.1)
        yield url
    finally:
        pooler.terminate()
        pooler.wait(20)


@pytest.mark.long
def test_through_a_pooler(tmp_path):
    binaries = server_binaries()
    if binaries is None:
        missing(POSTGRES_WANTED)
    with own_server(binaries) as server, pooled(server) as url, closing(psycopg.connect(server.url)) as watching:
        watching.autocommit = True
        behind = Installation(tmp_path, url)
        for _ in range(2):
            behind.manage("migrate", "-v0")
            # What a session of the pool kept, the next start would wait for without an end.
            assert watching.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone() == (0,)
        assert "No backup was made: " in behind.manage("backup", expect=1)
        behind.environment["DIRECT_DATABASE_URL"] = server.url
        said = behind.manage("backup")
        assert re.search(r"\.dump \(.* was restored and is whole", said)
        [copy] = [path for path in behind.backups if path.suffix == ".dump"]
        assert f"{copy} is restored" in behind.manage("restore", copy)


@pytest.mark.long
def test_monitors_hear_through_a_pooler_that_the_database_has_gone(tmp_path):
    binaries = server_binaries()
    if binaries is None:
        missing(POSTGRES_WANTED)
    with own_server(binaries) as server, pooled(server) as url:
        Installation(tmp_path, server.url).migrate()
        with Site(tmp_path, url).serving() as site:
            assert ask(site.port, "GET", "/readyz")[0] == 200
            server.stop()
            asked = time.monotonic()
            status, _, text = ask(site.port, "GET", "/readyz")
            assert (status, text) == (503, "The database does not answer; Clubscore's messages say why.\n")
            assert time.monotonic() - asked < 3
