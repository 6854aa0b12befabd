"""Backups of an SQLite database, with SQLite's online backup, while others read and write."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection

from clubscore.site import sqlite_file
from sessions_app.exchange.backups.retention import BackupError, scratch_folder
from sessions_app.people.transactions import writers_lock

SUFFIX = ".sqlite3"

# SQLite's errors for a file that is not a database, or is damaged; any other error may be temporary.
BROKEN = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}


def live_path() -> Path:
    return Path(connection.settings_dict["NAME"])


def write(target: Path) -> None:
    """Copy the database, as it is at one moment, to a file."""
    _copy_into(live_path(), target)
    with closing(sqlite3.connect(target)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def restored(file: Path) -> Iterator[str]:
    """Restore a backup into a scratch database, and yield its DATABASE_URL."""
    with scratch_folder(settings.VAR_DIR / "backup-check") as folder:
        scratch = folder / "scratch.sqlite3"
        sqlite_file.forget(str(scratch))
        shutil.copyfile(file, scratch)
        with closing(sqlite3.connect(scratch)) as copy:
            faults = [row[0] for row in copy.execute("PRAGMA integrity_check(3)") if row[0] != "ok"]
        if faults:
            raise BackupError(f"{file.name} is damaged: {'; '.join(faults)}.")
        yield f"sqlite:///{scratch}"


def replace(file: Path) -> None:
    """Replace the database with a backup, in one step, even while others are connected."""
    connection.close()
    live_path().parent.mkdir(parents=True, exist_ok=True)
    sqlite_file.forget(str(live_path()))
    with writers_lock():
        try:
            _copy_into(file, live_path())
        except sqlite3.DatabaseError as error:
            if not is_broken(error):
                raise BackupError(f"The backup could not be put in place; nothing was changed: {error}.") from error
            # The file there is damaged. It is kept, in case someone wants to look at it.
            _move_aside()
            _copy_into(file, live_path())


def _move_aside() -> None:
    """Rename the file and its log, which fits no other file."""
    try:
        for ending in ("", "-wal", "-shm"):
            broken = Path(f"{live_path()}{ending}")
            if broken.exists():
                broken.replace(f"{live_path()}.broken{ending}")
    except PermissionError as error:
        # Windows keeps an open file where it is.
        raise BackupError("The damaged database cannot be moved aside. Stop Clubscore, then restore again.") from error


def is_broken(error: BaseException) -> bool:
    """Whether the file itself is damaged, rather than the disk full, or the file locked or private."""
    codes = [getattr(one, "sqlite_errorcode", 0) for one in (error, error.__cause__)]
    # The lowest byte is the kind of error.
    return any(code & 0xFF in BROKEN for code in codes)


def _copy_into(file: Path, target: Path) -> None:
    with closing(sqlite3.connect(file, timeout=60)) as source, closing(sqlite3.connect(target, timeout=60)) as copy:
        copy.execute("PRAGMA journal_mode").fetchone()
        source.backup(copy)
