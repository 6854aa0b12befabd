"""Backups of the whole database: writing one and trying it out, and restoring one."""

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from operator import attrgetter
from pathlib import Path
from types import ModuleType

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder

from sessions_app.database_state import pending_migrations, wrong_version
from sessions_app.exchange.backups import postgresql, retention, sqlite
from sessions_app.exchange.backups.databases import other_database
from sessions_app.exchange.backups.retention import Backup, BackupError

# Sessions that are worked out again to try a backup out, which takes seconds: the newest half, and as many at random.
REPLAYED = 2000
# What SQLite, Linux, macOS and Windows, and pg_dump with their words, say of a disk.
DISK_FULL = ("disk is full", "No space left on device", "Disk quota exceeded", "not enough space on the disk")
ERRORS = (DatabaseError, sqlite3.Error, subprocess.SubprocessError, OSError, ValueError)


def vendor() -> ModuleType:
    """Return the module for our kind of database."""
    return {"sqlite": sqlite, "postgresql": postgresql}[connection.vendor]


def location() -> str:
    """Return which database this is, without its password."""
    known = connection.settings_dict
    return str(known["NAME"]) if vendor() is sqlite else f"{known['NAME']} on {known['HOST'] or 'this machine'}"


def has_tables() -> bool:
    """Whether there is anything that a restore would replace; DatabaseError if that cannot be read."""
    return (vendor() is postgresql or sqlite.live_path().exists()) and bool(connection.introspection.table_names())


def note_version(version: str) -> None:
    """Note which version has brought the database up to date; a full disk is ignored."""
    with suppress(OSError):
        noted = settings.VAR_DIR / "version.json"
        noted.touch(0o600)
        noted.write_text(json.dumps({"version": version, "newest": _newest_migration()}))


def version_of_data() -> str:
    """Return which version wrote the database, with its commit if that is known."""
    with suppress(OSError, ValueError, LookupError, TypeError):
        noted = json.loads((settings.VAR_DIR / "version.json").read_text())
        # A backup may have been restored since, by a version that notes nothing.
        if noted["newest"] == _newest_migration():
            return str(noted["version"])
    is_ours = not pending_migrations(connection) and not wrong_version(connection)
    return f"Clubscore {settings.VERSION}" if is_ours else "another version"


def _newest_migration() -> str:
    applied = MigrationRecorder(connection).applied_migrations().values()
    return str(max(applied, key=attrgetter("pk")).name) if applied else ""


def lost_database(how_to_start: str) -> str:
    """Return a sentence if files show that there was a database, which is not there now, or ""."""
    traces = []
    if vendor() is postgresql or sqlite.live_path().parent == settings.VAR_DIR:
        traces = [backup.path for backup in retention.full_backups() if backup.path.suffix == vendor().SUFFIX]
    # Every write to an SQLite file takes it.
    lock = Path(f"{sqlite.live_path()}.lock")
    if vendor() is sqlite and lock.exists():
        traces.append(lock)
    if not traces:
        return ""
    return (
        f"There is no database at {location()}, but there was one, as {traces[0]} shows. Stop Clubscore and restore a "
        f"backup with '{settings.RUN} restore FILE'; or start an empty one with {how_to_start}."
    )


@contextmanager
def readable_errors() -> Iterator[None]:
    """Raise BackupError for errors of disks, databases and their programs."""
    try:
        yield
    except ERRORS as error:
        reason = str(error).strip().rstrip(".")
        if any(words in reason for words in DISK_FULL):
            reason = "The disk is full"
        raise BackupError(f"{reason}.") from error


def back_up(why: str, into: Path, kept: Sequence[int] = retention.KEPT) -> tuple[Backup, str]:
    """Write a backup, try it out and remove old ones; return it with whose data it has and what the trial showed.

    BackupError if it cannot be written or restored; then there is no file, and the old ones stay.
    """
    try:
        with readable_errors(), retention.one_at_a_time():
            if not has_tables():
                raise BackupError("There is no database yet.")
            data_of = version_of_data()
            if why == "before-upgrade" and (commit := re.search(r"commit (\w+)", data_of)):
                # To go back to.
                why += f"-of-{commit[1]}"
            with retention.new_backup(into, why, vendor().SUFFIX) as (unfinished, backup):
                vendor().write(unfinished)
                shown = f"holds the data of {data_of}. It was restored and is whole; {_try_out(unfinished)}"
            retention.remove_old(backup, kept)
    except BackupError as error:
        retention.note_failure(str(error))
        raise
    retention.note_success(backup)
    return backup, shown


def _try_out(file: Path, is_to_restore: bool = False) -> str:
    """Restore a backup into a scratch database, and let Clubscore read it and work out its scores.

    Return what was worked out, in words.
    """
    with vendor().restored(file) as url:
        with other_database(url) as scratch:
            scratch.check_constraints()
            if "sessions_app_session" not in scratch.introspection.table_names():
                raise BackupError(f"{file.name} is not a backup of Clubscore.")
            wrong = wrong_version(scratch, "Install that version and restore with it.")
            if wrong and is_to_restore:
                raise BackupError(f"{file.name} was not restored. {wrong}")
            if wrong or pending_migrations(scratch):
                return "its scores were not worked out, as this is another version"
        # In a new process, for which it is the database.
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "reconcile", "--json", "--at-most"]
        own = {**os.environ, "DATABASE_URL": url, "DIRECT_DATABASE_URL": ""}
        done = subprocess.run([*command, str(REPLAYED)], env=own, capture_output=True, text=True)
    try:
        found = json.loads(done.stdout)
    except ValueError as error:
        raise BackupError(f"{file.name} cannot be read by Clubscore: {done.stderr.strip()[-300:]}") from error
    shown = f"{found['compared']:,} of {found['sessions']:,} sessions were worked out again"
    if found["differences"]:
        shown += f"; {len(found['differences'])} stored figures do not follow from the hands: run 'manage.py reconcile'"
    return shown


@readable_errors()
def restore(file: str | Path) -> tuple[Backup | None, str]:
    """Try a backup out, back up the database, replace it and migrate it.

    Return the backup of what was there before, and what the trial showed.
    """
    file, before = Path(file), None
    if not file.is_file():
        raise BackupError(f"There is no file {file}.")
    if file.suffix != vendor().SUFFIX:
        raise BackupError(
            f"{file.name} is not a backup of this kind of database. Its name would end in {vendor().SUFFIX}. "
            "'copy_database' copies an SQLite database to PostgreSQL."
        )
    with retention.one_at_a_time():
        try:
            shown = _try_out(file, is_to_restore=True)
        except (DatabaseError, sqlite3.DatabaseError) as error:
            raise BackupError(f"{file.name} is damaged, or is no backup: {str(error).strip()}.") from error
        try:
            if has_tables():
                # No old one is removed for it, as the file to restore may be the oldest.
                new = retention.new_backup(retention.folder(), "before-restore", vendor().SUFFIX)
                with new as (unfinished, before):
                    vendor().write(unfinished)
        except (BackupError, *ERRORS) as error:
            # A file that cannot be read is moved aside, not lost.
            if not sqlite.is_broken(error):
                sentence = f"What is there could not be backed up first, so nothing was changed: {error}"
                raise BackupError(sentence) from error
            before = None
        vendor().replace(file)
        call_command("migrate", interactive=False, verbosity=0)
    return before, shown
