"""Backups of a PostgreSQL database, in pg_dump's custom format."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient

from sessions_app.exchange.backups.retention import BackupError, scratch_folder

SUFFIX = ".dump"

# The user who restores becomes the owner.
OPTIONS = ("--no-owner", "--no-privileges", "--schema=public")

DROP_EVERYTHING = """
    SELECT format('DROP TABLE %I.%I CASCADE;', schemaname, tablename) FROM pg_tables WHERE schemaname = 'public'
    UNION ALL
    SELECT format('DROP FUNCTION %s CASCADE;', oid::regprocedure) FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace
"""


def program(name: str, *arguments: str | Path) -> None:
    """Run one of PostgreSQL's programs on our server and database; BackupError if it is missing or fails."""
    if not shutil.which(name):
        raise BackupError(f"{name} is missing: on Debian and Ubuntu, 'sudo apt install postgresql-client' brings it.")
    # As Django calls psql: no password is in the list of processes.
    (_, *server, own), more = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    environment = {**os.environ, "PGDATABASE": own, **(more or {})}
    done = subprocess.run([name, *server, *arguments], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        # Without details, which quote what people typed.
        errors = re.findall(r"error: .*", done.stderr) or done.stderr.split("\n")
        raise BackupError(f"{name} failed: {errors[0]}")


def write(target: Path) -> None:
    """Dump the database, as it is at one moment, to a file."""
    program("pg_dump", "--format=custom", *OPTIONS, f"--file={target}")


@contextmanager
def restored(file: Path) -> Iterator[str]:
    """Restore a backup into a scratch database on the same server, and yield its DATABASE_URL."""
    name = f"backup_check_{connection.settings_dict['NAME']}"
    # One that a killed backup left behind goes too.
    drop = f"DROP DATABASE IF EXISTS {connection.ops.quote_name(name)} WITH (FORCE)"
    with connection.cursor() as cursor:
        cursor.execute(drop)
        cursor.execute(f"CREATE DATABASE {connection.ops.quote_name(name)} TEMPLATE template0")
        try:
            options = ("--exit-on-error", "--single-transaction", f"--dbname={name}")
            program("pg_restore", *OPTIONS, *options, file)
            yield urlsplit(settings.DATABASE_URL)._replace(path=f"/{quote(name)}").geturl()
        finally:
            cursor.execute(drop)


def replace(file: Path) -> None:
    """Replace the database with a backup, in one transaction."""
    with connection.cursor() as cursor:
        cursor.execute(DROP_EVERYTHING)
        drops = "".join(statement for (statement,) in cursor.fetchall())
    connection.close()
    options = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--output=/dev/null")
    with scratch_folder(settings.VAR_DIR / "backup-check") as folder:
        # Whole before anything is dropped.
        script = folder / "script.sql"
        program("pg_restore", *OPTIONS, f"--file={script}", file)
        try:
            program("psql", *options, f"--command={drops}", f"--file={script}")
        except BackupError as error:
            raise BackupError(f"The backup could not be put in place; nothing was changed: {error}") from error
