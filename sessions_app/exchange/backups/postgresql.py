"""Backups of a PostgreSQL database, in pg_dump's custom format."""

import os
import secrets
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection

from sessions_app.exchange.backups.databases import Fingerprints, of_postgresql, scratch_folder
from sessions_app.exchange.backups.retention import BackupError

SUFFIX = ".dump"

# What pg_dump and the others read instead of arguments, so that no password is in the list of processes.
ENVIRONMENT = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
}

# The user who restores becomes the owner.
OPTIONS = ["--no-owner", "--no-privileges", "--schema=public"]

PROGRAMS = r"""
    SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgname NOT LIKE 'guard\_%'
    UNION SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname NOT LIKE 'guard\_%'
    UNION SELECT rulename FROM pg_rules WHERE schemaname = 'public'
    UNION SELECT viewname FROM pg_views WHERE schemaname = 'public'
"""


def parameters(**different: str) -> dict[str, Any]:
    known = connection.get_connection_params()
    return {name: str(value) for name, value in known.items() if name in ENVIRONMENT and value} | different


def connect(**different: str) -> psycopg.Connection:
    try:
        return psycopg.connect(**parameters(**different), autocommit=True)
    except psycopg.Error as error:
        raise BackupError(f"The database does not answer: {str(error).strip()}.") from error


def program(name: str, *arguments: str) -> str:
    """Run one of PostgreSQL's programs, and return its output; BackupError if it is missing or fails."""
    if not shutil.which(name):
        raise BackupError(f"{name} is missing: on Debian and Ubuntu, 'sudo apt install postgresql-client' brings it.")
    environment = {**os.environ, **{ENVIRONMENT[key]: value for key, value in parameters().items()}}
    done = subprocess.run([name, *arguments], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise BackupError(f"{name} failed: {' '.join(done.stderr.split())[:500]}")
    return done.stdout


def has_tables() -> bool:
    with closing(connect()) as own:
        return bool(_tables(own))


def write(target: Path) -> Fingerprints:
    """Dump the database to a new file, and return its fingerprints at the same moment."""
    with closing(connect()) as own:
        own.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        [(moment,)] = own.execute("SELECT pg_export_snapshot()")
        fingerprints = of_postgresql(own)
        program("pg_dump", "--format=custom", *OPTIONS, f"--snapshot={moment}", f"--file={target}")
    return fingerprints


@contextmanager
def restored(file: Path) -> Iterator[tuple[Fingerprints, str]]:
    """Restore a backup into a scratch database on the same server; yield its fingerprints and its name."""
    with closing(connect()) as own:
        _drop_left_behind(own)
        name = f"{_scratch_prefix()}{secrets.token_hex(4)}"
        # Held as long as this connection is open, so that others do not drop the scratch database.
        own.execute("SELECT pg_advisory_lock(hashtext(%s))", [name])
        try:
            own.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        except psycopg.errors.InsufficientPrivilege as error:
            raise BackupError(
                "The backup cannot be tested, as this user may not create databases. Run "
                f"'ALTER ROLE {parameters()['user']} CREATEDB' to allow it."
            ) from error
        try:
            program("pg_restore", *OPTIONS, "--exit-on-error", "--single-transaction", f"--dbname={name}", str(file))
            with closing(connect(dbname=name)) as scratch:
                scratch.execute("BEGIN")
                fingerprints = of_postgresql(scratch)
            yield fingerprints, name
        finally:
            own.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def _scratch_prefix():
    """Return the start of our scratch databases' names; locks do not protect those of other databases."""
    return f"clubscore_scratch_{zlib.crc32(parameters()['dbname'].encode()):08x}_"


def _drop_left_behind(own):
    """Drop the scratch databases of backups that were killed."""
    found = own.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [_scratch_prefix()])
    for (name,) in found.fetchall():
        if own.execute("SELECT pg_try_advisory_lock(hashtext(%s))", [name]).fetchone()[0]:
            own.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def applied(name: str) -> set[tuple[str, str]]:
    """Return the migrations applied to a scratch database, as pairs of app and name."""
    with closing(connect(dbname=name)) as scratch:
        return set(scratch.execute("SELECT app, name FROM django_migrations").fetchall())


def programs(name: str) -> set[str]:
    """Return the names of the triggers, functions, rules and views of a scratch database, but for the guards."""
    with closing(connect(dbname=name)) as scratch:
        return {row[0] for row in scratch.execute(PROGRAMS)}


def replace(file: Path) -> None:
    """Replace the database with a backup, in one transaction."""
    connection.close()
    functions = "SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
    with closing(connect()) as own:
        drop = [f'DROP TABLE IF EXISTS public."{name}" CASCADE;' for name in _tables(own)]
        drop += [f"DROP FUNCTION IF EXISTS {name} CASCADE;" for (name,) in own.execute(functions)]
    with scratch_folder("clubscore-restore-") as folder:
        drops, contents, script = (folder / name for name in ("drops.sql", "contents.txt", "script.sql"))
        drops.write_text("\n".join([*drop, ""]), encoding="utf-8")
        # The dump would create the schema, which exists already.
        listed = program("pg_restore", *OPTIONS, "--list", str(file)).split("\n")
        contents.write_text("\n".join(line for line in listed if " SCHEMA - public " not in line), encoding="utf-8")
        program("pg_restore", *OPTIONS, f"--use-list={contents}", f"--file={script}", str(file))
        options = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--output=/dev/null"]
        try:
            program("psql", *options, f"--file={drops}", f"--file={script}")
        except BackupError as error:
            raise BackupError(f"The backup could not be put in place; nothing was changed: {error}") from error


def _tables(own):
    return [row[0] for row in own.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]


def location() -> str:
    """Return which database this is, without its password."""
    known = parameters()
    return f"{known['dbname']} on {known.get('host', 'this machine')}"


def version() -> str:
    with closing(connect()) as own:
        [(version,)] = own.execute("SHOW server_version")
        return f"PostgreSQL {version.split()[0]}"


def size() -> int:
    with closing(connect()) as own:
        [(size,)] = own.execute("SELECT pg_database_size(current_database())")
        return int(size)
