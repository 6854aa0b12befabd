"""Backups of the whole database: writing one, testing it in a scratch database, and restoring one."""

import hashlib
import json
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from sessions_app import database_state
from sessions_app.database_guards import drop_guards
from sessions_app.exchange.backups import postgresql, sqlite
from sessions_app.exchange.backups.databases import compare, database_url, manage
from sessions_app.exchange.backups.retention import (
    KEEP,
    KEEP_DAYS,
    Backup,
    BackupError,
    facts_file,
    folder,
    free_path,
    full_backups,
    new_backup,
    read_backup,
    read_facts,
    rotate,
    save_failure,
    save_success,
)

DEFAULT_WHY = "backup"

# Sessions that are replayed to test a backup, which takes seconds: every one of a single club, or half of them the
# newest and half at random.
REPLAYED = 2000
ERRORS = (DatabaseError, sqlite3.Error, psycopg.Error, subprocess.SubprocessError, OSError)


class BrokenDatabase(BackupError):
    """The file to back up is not a database, or not any more."""


def vendor() -> ModuleType:
    """Return the module for our kind of database."""
    return {"sqlite": sqlite, "postgresql": postgresql}[connection.vendor]


def pending_migrations() -> list[str]:
    """Return the names of the migrations this database still lacks."""
    return [name for _, name in database_state.pending_migrations(connection)]


def newer_migration() -> str | None:
    """Return the newest applied migration that this version does not know."""
    applied = MigrationRecorder(connection).applied_migrations()
    return max(database_state.unknown_migrations(applied), default=None)


def lost_database(location: str, how_to_start: str) -> str:
    """Return a sentence if there is no database but files show that there was one, or ""."""
    is_sqlite = vendor() is sqlite
    if is_sqlite and sqlite.live_path().exists() and MigrationRecorder(connection).applied_migrations():
        return ""
    # Every write takes the lock of an SQLite file.
    traces = [Path(f"{sqlite.live_path()}.lock")] if is_sqlite else []
    if not is_sqlite or sqlite.live_path().parent == settings.VAR_DIR:
        traces = [backup.path for backup in full_backups() if backup.path.suffix == vendor().SUFFIX] + traces
    trace = next((path for path in traces if path.exists()), None)
    if trace is None:
        return ""
    return (
        f"There is no database at {location}, but there was one, as {trace} shows. Stop Clubscore and restore a backup "
        f"with './run restore FILE'; or start an empty one with {how_to_start}."
    )


@contextmanager
def readable_errors() -> Iterator[None]:
    """Raise BackupError, or BrokenDatabase, for errors of disks, databases and their programs."""
    try:
        yield
    except ERRORS as error:
        is_broken = sqlite.is_broken(error) or sqlite.is_broken(error.__cause__)
        raise (BrokenDatabase if is_broken else BackupError)(str(error).strip().rstrip(".") + ".") from error


def back_up(
    why: str = DEFAULT_WHY,
    keep: int = KEEP,
    into: Path | None = None,
    verify: bool = True,
    days: int = KEEP_DAYS,
    replayed: int | None = REPLAYED,
) -> Backup:
    """Write a backup, test it, and remove the oldest of its kind.

    At most `replayed` sessions are replayed for the test; None: every one. BackupError if it cannot be written or is
    not like the database; then no file is left.
    """
    try:
        with readable_errors():
            backup = _write(why, into or folder(), verify, replayed)
            rotate(backup, keep, days)
    except BackupError as error:
        save_failure(str(error))
        raise
    save_success(backup)
    return backup


def _write(why, into, verify, replayed):
    if not vendor().has_tables():
        raise BackupError("There is no database yet.")
    if not re.fullmatch(r"[a-z0-9_-]{1,60}", why):
        raise BackupError("Name the reason for a backup in small letters, digits and hyphens.")
    path = free_path(into, why, vendor().SUFFIX)
    with new_backup(path) as (unfinished, facts):
        fingerprints = vendor().write(unfinished)
        facts |= {
            "made_at": timezone.now().isoformat(),
            "version": settings.VERSION,
            "database": vendor().version(),
            "pending": pending_migrations(),
            "tables": fingerprints,
            "sha256": _digest(unfinished),
        }
        facts |= verify_backup(unfinished, facts, replayed) if verify else {"verified": False}
    return read_backup(path)


def verify_backup(file: Path, facts: dict[str, Any], replayed: int | None) -> dict[str, Any]:
    """Restore a backup into a scratch database, compare its tables and replay sessions; return more facts."""
    with vendor().restored(file) as (found, name):
        compare(facts["tables"], found)
        replays = _replays(name, replayed, facts["made_at"])
    return {"verified": True, "rows": sum(rows for rows, _ in found.values()), **replays}


def _replays(name, replayed, seed):
    """Return how many stored results in a scratch database differ from the ledgers, and of how many sessions.

    `differences` is None, as unknown, if the database is not of this version.
    """
    if pending_migrations() or newer_migration():
        return {"differences": None}
    limit = [] if replayed is None else ["--at-most", str(replayed), "--seed", seed]
    done = manage(database_url(name), "reconcile", "--json", *limit)
    try:
        found = json.loads(done.stdout)
    except ValueError as error:
        raise BackupError(f"The copy could not be read by Clubscore: {done.stderr.strip()[-300:]}") from error
    return {"differences": len(found["differences"]), "sessions": found["sessions"], "replayed": found["compared"]}


def replayed_in_words(sessions: int, replayed: int) -> str:
    """Return which sessions were replayed, or "" if all were."""
    if replayed == sessions:
        return ""
    newest = replayed // 2
    return f"; of its {sessions:,} sessions the newest {newest:,} and {replayed - newest:,} others were replayed again"


@readable_errors()
def restore(file: str | Path) -> Backup | None:
    """Test a backup, back up the database, replace it and migrate it; return the backup of what was there before."""
    file = Path(file)
    if not file.is_file():
        raise BackupError(f"There is no file {file}.")
    if file.suffix != vendor().SUFFIX:
        raise BackupError(
            f"{file.name} is not a backup of this kind of database. Its name would end in {vendor().SUFFIX}. "
            "'copy_database' copies an SQLite database to PostgreSQL."
        )
    facts = read_facts(file)
    if facts and not (isinstance(facts.get("sha256"), str) and isinstance(facts.get("tables"), dict)):
        raise BackupError(f"{facts_file(file).name} is damaged. Move it away to restore without comparing.")
    if facts and facts["sha256"] != _digest(file):
        raise BackupError(f"{file.name} has been changed since it was made, or is damaged.")
    with vendor().restored(file) as (found, name):
        if facts:
            compare(facts["tables"], found)
        if "sessions_app_session" not in found:
            raise BackupError(f"{file.name} is not a backup of Clubscore.")
        _refuse_newer(file, vendor().applied(name))
        _refuse_foreign(file, vendor().programs(name))
    before = _back_up_what_is_there()
    vendor().replace(file)
    # A guard in the file may have one of our names and do something else, so it is dropped before it can act.
    with transaction.atomic():
        drop_guards(connection)
    call_command("migrate", interactive=False, verbosity=0)
    return before


def _refuse_newer(file, applied):
    """Refuse a backup of a newer version, whose tables this one would misread."""
    unknown = database_state.unknown_migrations(applied)
    if unknown:
        raise BackupError(
            f"{file.name} was made by a newer version of Clubscore than this one ({settings.VERSION}), which does not "
            f"know its {unknown[-1]}. Install that version and restore with it."
        )


def _refuse_foreign(file, programs):
    """Refuse a backup with triggers, views or functions that are not ours, as they could do anything later."""
    if programs:
        raise BackupError(f"{file.name} holds {min(programs)}, which Clubscore did not make. It was not restored.")


def _back_up_what_is_there():
    try:
        # Remove none for it, as the file to restore may be the oldest of its kind.
        return back_up("before-restore", keep=0, days=0, verify=False) if vendor().has_tables() else None
    except BrokenDatabase:
        # A file that cannot be read is moved aside, not lost.
        return None
    except BackupError as error:
        raise BackupError(f"What is there now could not be backed up first, so nothing was changed: {error}") from error


def _digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
