"""Backups of an SQLite database: SQLite's own online copy, made while others read and write."""

import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.db import connection

from clubscore import sqlite_file
from sessions_app.exchange.backups.databases import BackupError, of_sqlite, scratch_folder
from sessions_app.people.transactions import writers_lock

SUFFIX = ".sqlite3"
FILE_ENDINGS = ("", "-wal", "-shm")

# What SQLite says of a file that is no database, or no longer one; everything else it says may pass.
BROKEN = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}


def live_path() -> Path:
    return Path(connection.settings_dict["NAME"])


def has_tables() -> bool:
    """Say whether there is anything yet that a restore would replace."""
    if not live_path().exists() or live_path().stat().st_size == 0:
        return False
    with closing(sqlite3.connect(live_path(), timeout=60)) as own:
        try:
            return own.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None
        except sqlite3.DatabaseError:
            # What cannot be read may hold everything.
            return True


def write(target: Any) -> Any:
    """Copy the database to a new file; return the fingerprints of the very moment that was copied."""
    with closing(sqlite3.connect(live_path(), isolation_level=None, timeout=60)) as source:
        # What this connection reads first is what it copies, while others go on writing.
        source.execute("BEGIN")
        prints = of_sqlite(source)
        with closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        source.execute("ROLLBACK")
    return prints


@contextmanager
def restored(file: Any) -> Iterator[Any]:
    """Restore a backup into a scratch database; yield its fingerprints and its DATABASE_URL's name."""
    with scratch_folder("clubscore-scratch-") as folder:
        scratch = folder / "scratch.sqlite3"
        shutil.copyfile(file, scratch)
        try:
            # Each takes minutes with a million hands, and SQLite looks through a file without holding up anybody.
            with closing(sqlite3.connect(scratch)) as copy, ThreadPoolExecutor(1) as other_thread:
                looking = other_thread.submit(_faults, scratch)
                prints = of_sqlite(copy)
                faults = looking.result()
        except sqlite3.DatabaseError as error:
            raise BackupError(f"{file.name} is not a database that can be read: {error}.") from error
        if faults:
            raise BackupError(f"{file.name} is damaged: {'; '.join(faults[:3])}.")
        yield prints, str(scratch)


def _faults(scratch):
    """Return what is wrong with a file and with the rows that point to others, as SQLite itself tells."""
    with closing(sqlite3.connect(scratch)) as copy:
        faults = [row[0] for row in copy.execute("PRAGMA integrity_check") if row[0] != "ok"]
        return faults + [f"a row of {row[0]} points nowhere" for row in copy.execute("PRAGMA foreign_key_check")]


def replace(file: Any) -> None:
    """Put a backup in the place of the database, in one step, even while others are connected."""
    connection.close()
    live_path().parent.mkdir(parents=True, exist_ok=True)
    sqlite_file.forget(str(live_path()))
    with writers_lock():
        if not live_path().exists():
            _move_aside()
        try:
            _copy_into(file, live_path())
        except sqlite3.DatabaseError as error:
            if not is_broken(error):
                raise BackupError(f"The backup could not be put in place; nothing was changed: {error}.") from error
            # What is there is no database any more: it is kept, for anyone who wants to look at it.
            _move_aside()
            _copy_into(file, live_path())


def _move_aside():
    """Take away the file and its log, which belong to no other file."""
    for ending in FILE_ENDINGS:
        broken = Path(f"{live_path()}{ending}")
        if broken.exists():
            broken.rename(f"{live_path()}.broken{ending}")


def is_broken(error: Any) -> bool:
    """Say whether the file itself is at fault, rather than the disk, its rights or someone who holds it."""
    # The lowest byte is the kind of the error, what stands above it the particular case.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in BROKEN


def applied(name: str) -> Any:
    """Return the migrations that a scratch database has had, as pairs of app and name."""
    with closing(sqlite3.connect(name)) as scratch:
        return set(scratch.execute("SELECT app, name FROM django_migrations"))


def programs(name: str) -> Any:
    """Return the names of what a scratch database would run by itself: its triggers and views."""
    with closing(sqlite3.connect(name)) as scratch:
        return {row[0] for row in scratch.execute("SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')")}


def _copy_into(file, live):
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(live, timeout=60)) as target:
        target.execute("PRAGMA journal_mode").fetchone()
        source.backup(target)


def where() -> Any:
    """Say which database this is."""
    return str(live_path())


def version() -> str:
    return f"SQLite {sqlite3.sqlite_version}"


def size() -> Any:
    files = [Path(f"{live_path()}{ending}") for ending in FILE_ENDINGS]
    return sum(file.stat().st_size for file in files if file.exists())
