"""Backups of the whole database: writing one and trying it out, and restoring one."""

import json
import re
import sqlite3
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder

from sessions_app.database_state import is_in_memory, pending_migrations, too_old, unknown_migrations
from sessions_app.exchange.backups import postgresql, sqlite
from sessions_app.exchange.backups.databases import manage, other_database
from sessions_app.exchange.backups.retention import (
    KEPT,
    Backup,
    BackupError,
    folder,
    full_backups,
    new_backup,
    note_failure,
    note_success,
    one_at_a_time,
    read_backup,
    remove_old,
)

DEFAULT_WHY = "backup"
# Sessions that are worked out again to try a backup out, which takes seconds: the newest half, and as many at random.
REPLAYED = 2000
ERRORS = (DatabaseError, sqlite3.Error, subprocess.SubprocessError, OSError)


def vendor() -> ModuleType:
    """Return the module for our kind of database."""
    return {"sqlite": sqlite, "postgresql": postgresql}[connection.vendor]


def location() -> str:
    """Return which database this is, without its password."""
    known = connection.settings_dict
    return str(known["NAME"]) if vendor() is sqlite else f"{known['NAME']} on {known['HOST'] or 'this machine'}"


def has_tables() -> bool:
    """Whether there is anything that a restore would replace."""
    try:
        return (vendor() is postgresql or sqlite.live_path().exists()) and bool(connection.introspection.table_names())
    except DatabaseError as error:
        # A file that cannot be read may hold everything.
        if sqlite.is_broken(error):
            return True
        raise


def lost_database(location: str, how_to_start: str) -> str:
    """Return a sentence if there is no database but files show that there was one, or ""."""
    is_sqlite = vendor() is sqlite
    if is_sqlite and sqlite.live_path().exists() and MigrationRecorder(connection).applied_migrations():
        return ""
    # Every write takes the lock of an SQLite file.
    traces = [Path(f"{sqlite.live_path()}.lock")] if is_sqlite and not is_in_memory(connection) else []
    if not is_sqlite or sqlite.live_path().parent == settings.VAR_DIR:
        traces = [backup.path for backup in full_backups() if backup.path.suffix == vendor().SUFFIX] + traces
    trace = next((path for path in traces if path.exists()), None)
    if trace is None:
        return ""
    return (
        f"There is no database at {location}, but there was one, as {trace} shows. Stop Clubscore and restore a backup "
        f"with '{settings.RUN} restore FILE'; or start an empty one with {how_to_start}."
    )


@contextmanager
def readable_errors() -> Iterator[None]:
    """Raise BackupError for errors of disks, databases and their programs."""
    try:
        yield
    except ERRORS as error:
        raise BackupError(str(error).strip().rstrip(".") + ".") from error


def back_up(why: str = DEFAULT_WHY, into: Path | None = None, kept: Iterable[int] = KEPT) -> tuple[Backup, str]:
    """Write a backup, try it out and remove old ones; return it with what the trial showed.

    BackupError if it cannot be written or restored; then there is no file, and the old ones stay.
    """
    try:
        with readable_errors(), one_at_a_time():
            backup, shown = _write(why, into or folder())
            remove_old(backup, kept)
    except BackupError as error:
        note_failure(str(error))
        raise
    note_success(backup)
    return backup, shown


def _write(why: str, into: Path, is_tried_out: bool = True) -> tuple[Backup, str]:
    if not has_tables():
        raise BackupError("There is no database yet.")
    if not re.fullmatch(r"[a-z0-9_-]{1,60}", why):
        raise BackupError("Name the reason for a backup in small letters, digits and hyphens.")
    with new_backup(into, why, vendor().SUFFIX) as (unfinished, path):
        vendor().write(unfinished)
        shown = _try_out(unfinished)[1] if is_tried_out else ""
    return read_backup(path), shown


def _try_out(file: Path) -> tuple[str, str]:
    """Restore a backup into a scratch database, and let Clubscore read it and work out its scores.

    Return why this version cannot restore it, or "", and in words what was worked out.
    """
    with vendor().restored(file) as url:
        with other_database(url) as scratch:
            scratch.check_constraints()
            if "sessions_app_session" not in scratch.introspection.table_names():
                raise BackupError(f"{file.name} is not a backup of Clubscore.")
            cannot = _why_not(scratch)
            if cannot or pending_migrations(scratch):
                return cannot, "its scores were not worked out, as another version made it"
        done = manage(url, "reconcile", "--json", "--at-most", str(REPLAYED))
    try:
        found = json.loads(done.stdout)
    except ValueError as error:
        raise BackupError(f"{file.name} cannot be read by Clubscore: {done.stderr.strip()[-300:]}") from error
    shown = f"{found['compared']:,} of {found['sessions']:,} sessions were worked out again"
    if found["differences"]:
        shown += f"; {len(found['differences'])} stored figures do not follow from the hands: run 'manage.py reconcile'"
    return "", shown


def _why_not(scratch: BaseDatabaseWrapper) -> str:
    """Return why this version would misread a backup's tables, or ""."""
    unknown = unknown_migrations(scratch)
    if unknown:
        return (
            f"It was made by a newer version of Clubscore than this one ({settings.VERSION}), which does not know its "
            f"{unknown[-1]}. Install that version and restore with it."
        )
    return too_old(scratch)


@readable_errors()
def restore(file: str | Path) -> tuple[Backup | None, str]:
    """Try a backup out, back up the database, replace it and migrate it.

    Return the backup of what was there before, and what the trial showed.
    """
    file = Path(file)
    if not file.is_file():
        raise BackupError(f"There is no file {file}.")
    if file.suffix != vendor().SUFFIX:
        raise BackupError(
            f"{file.name} is not a backup of this kind of database. Its name would end in {vendor().SUFFIX}. "
            "'copy_database' copies an SQLite database to PostgreSQL."
        )
    with one_at_a_time():
        try:
            cannot, shown = _try_out(file)
        except (DatabaseError, sqlite3.DatabaseError) as error:
            raise BackupError(f"{file.name} is damaged, or is no backup: {str(error).strip()}.") from error
        if cannot:
            raise BackupError(f"{file.name} was not restored. {cannot}")
        before = _back_up_what_is_there()
        vendor().replace(file)
        call_command("migrate", interactive=False, verbosity=0)
    return before, shown


def _back_up_what_is_there() -> Backup | None:
    if not has_tables():
        return None
    try:
        # None is removed for it, as the file to restore may be the oldest.
        return _write("before-restore", folder(), is_tried_out=False)[0]
    except (BackupError, *ERRORS) as error:
        if sqlite.is_broken(error):
            # A file that cannot be read is moved aside, not lost.
            return None
        raise BackupError(f"What is there could not be backed up first, so nothing was changed: {error}") from error
