"""Backups of a PostgreSQL database: pg_dump's custom format of one exported moment, tried in a scratch database."""

import os
import secrets
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg
from django.db import connection

from sessions_app.exchange.backups.databases import BackupError, of_postgresql, scratch_folder

SUFFIX = ".dump"

# What pg_dump and its like read instead of arguments, so that no password stands in a list of processes.
ENVIRONMENT = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
}

# The user who restores is the owner of what is restored.
HERE = ["--no-owner", "--no-privileges", "--schema=public"]

PROGRAMS = """
    SELECT tgname FROM pg_trigger WHERE NOT tgisinternal
    UNION SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION SELECT rulename FROM pg_rules WHERE schemaname = 'public'
    UNION SELECT viewname FROM pg_views WHERE schemaname = 'public'
"""


def parameters(**different: Any) -> Any:
    known = connection.get_connection_params()
    return {name: str(value) for name, value in known.items() if name in ENVIRONMENT and value} | different


def connect(**different: Any) -> Any:
    try:
        return psycopg.connect(**parameters(**different), autocommit=True)
    except psycopg.Error as error:
        raise BackupError(f"The database does not answer: {str(error).strip()}.") from error


def program(name: str, *arguments: Any, **different: Any) -> Any:
    """Run one of PostgreSQL's own programs; BackupError where it is missing or fails."""
    if not shutil.which(name):
        raise BackupError(f"{name} is missing: on Debian and Ubuntu, 'sudo apt install postgresql-client' brings it.")
    environment = {**os.environ, **{ENVIRONMENT[key]: value for key, value in parameters(**different).items()}}
    done = subprocess.run([name, *arguments], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise BackupError(f"{name} failed: {' '.join(done.stderr.split())[:500]}")
    return done.stdout


def has_tables() -> bool:
    with closing(connect()) as own:
        return bool(_tables(own))


def write(target: Any) -> Any:
    """Dump the database to a new file; return the fingerprints of the very moment that was dumped."""
    with closing(connect()) as own:
        own.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        moment = own.execute("SELECT pg_export_snapshot()").fetchone()[0]
        prints = of_postgresql(own)
        dump = ["--format=custom", "--no-owner", "--no-privileges", "--schema=public"]
        program("pg_dump", *dump, f"--snapshot={moment}", f"--file={target}")
    return prints


@contextmanager
def restored(file: Any) -> Iterator[Any]:
    """Restore a backup into a scratch database on the same server; yield its fingerprints and its name."""
    with closing(connect()) as own:
        _drop_left_behind(own)
        name = f"{_scratch_prefix()}{secrets.token_hex(4)}"
        # Held as long as this connection lives: by it others know that the scratch database is in use.
        own.execute("SELECT pg_advisory_lock(hashtext(%s))", [name])
        try:
            own.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        except psycopg.errors.InsufficientPrivilege as error:
            raise BackupError(
                "The backup cannot be tested, as this user may not create databases. Run "
                f"'ALTER ROLE {parameters()['user']} CREATEDB' to allow it."
            ) from error
        try:
            _fill(file, name)
            with closing(connect(dbname=name)) as scratch:
                scratch.execute("BEGIN")
                prints = of_postgresql(scratch)
            yield prints, name
        finally:
            own.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def _scratch_prefix():
    """Locks are apart within one database alone: scratch databases made from others are not ours to drop."""
    return f"clubscore_scratch_{zlib.crc32(parameters()['dbname'].encode()):08x}_"


def _drop_left_behind(own):
    """Drop the scratch databases of backups that were killed."""
    found = own.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [_scratch_prefix()])
    for (name,) in found.fetchall():
        if own.execute("SELECT pg_try_advisory_lock(hashtext(%s))", [name]).fetchone()[0]:
            own.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def applied(name: str) -> Any:
    """Return the migrations that a scratch database has had, as pairs of app and name."""
    with closing(connect(dbname=name)) as scratch:
        return set(scratch.execute("SELECT app, name FROM django_migrations").fetchall())


def programs(name: str) -> Any:
    """Return the names of what a scratch database would run by itself: its triggers, functions, rules and views."""
    with closing(connect(dbname=name)) as scratch:
        return {row[0] for row in scratch.execute(PROGRAMS)}


def replace(file: Any) -> None:
    """Put a backup in the place of the database, in one transaction."""
    connection.close()
    with closing(connect()) as own:
        gone = [f'DROP TABLE IF EXISTS public."{name}" CASCADE;' for name in _tables(own)]
        gone += [f"DROP FUNCTION IF EXISTS {name} CASCADE;" for name in _functions(own)]
    with scratch_folder("clubscore-restore-") as folder:
        drops, contents, script = (folder / name for name in ("drops.sql", "contents.txt", "script.sql"))
        drops.write_text("\n".join([*gone, ""]), encoding="utf-8")
        # The dump would make the schema that is there already.
        listed = program("pg_restore", *HERE, "--list", str(file)).split("\n")
        contents.write_text("\n".join(line for line in listed if " SCHEMA - public " not in line), encoding="utf-8")
        program("pg_restore", *HERE, f"--use-list={contents}", f"--file={script}", str(file))
        _run_scripts(drops, script)


def _fill(file, name):
    program("pg_restore", *HERE, "--exit-on-error", "--single-transaction", f"--dbname={name}", str(file))


def _run_scripts(*scripts):
    how = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--output=/dev/null"]
    try:
        program("psql", *how, *(f"--file={script}" for script in scripts))
    except BackupError as error:
        raise BackupError(f"The backup could not be put in place; nothing was changed: {error}") from error


def _tables(own):
    return [row[0] for row in own.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]


def _functions(own):
    found = own.execute("SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace")
    return [row[0] for row in found]


def where() -> str:
    """Say which database this is, without its password."""
    known = parameters()
    return f"{known['dbname']} on {known.get('host', 'this machine')}"


def version() -> str:
    with closing(connect()) as own:
        return f"PostgreSQL {own.execute('SHOW server_version').fetchone()[0].split()[0]}"


def size() -> Any:
    with closing(connect()) as own:
        return own.execute("SELECT pg_database_size(current_database())").fetchone()[0]
