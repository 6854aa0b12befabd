"""Backups of an SQLite database, with SQLite's online backup, while others read and write."""

import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import connection

from clubscore import sqlite_file
from sessions_app.exchange.backups.databases import Fingerprints, of_sqlite, scratch_folder
from sessions_app.exchange.backups.retention import BackupError
from sessions_app.people.transactions import writers_lock

SUFFIX = ".sqlite3"
FILE_ENDINGS = ("", "-wal", "-shm")

PROGRAMS = "SELECT name FROM sqlite_master WHERE type = 'view' OR type = 'trigger' AND name NOT GLOB 'guard_*'"

# SQLite's errors for a file that is not a database, or is damaged; any other error may be temporary.
BROKEN = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}


def live_path() -> Path:
    return Path(connection.settings_dict["NAME"])


def has_tables() -> bool:
    """Whether there is anything that a restore would replace."""
    if not live_path().exists() or live_path().stat().st_size == 0:
        return False
    with closing(sqlite3.connect(live_path(), timeout=60)) as own:
        try:
            return own.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None
        except sqlite3.DatabaseError:
            # A file that cannot be read may hold everything.
            return True


def write(target: Path) -> Fingerprints:
    """Copy the database to a new file, and return its fingerprints at the same moment."""
    with closing(sqlite3.connect(live_path(), isolation_level=None, timeout=60)) as source:
        # This connection copies the state that it reads first, while others go on writing.
        source.execute("BEGIN")
        fingerprints = of_sqlite(source)
        with closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        source.execute("ROLLBACK")
    return fingerprints


@contextmanager
def restored(file: Path) -> Iterator[tuple[Fingerprints, str]]:
    """Restore a backup into a scratch database; yield its fingerprints and its name."""
    with scratch_folder("clubscore-scratch-") as folder:
        scratch = folder / "scratch.sqlite3"
        shutil.copyfile(file, scratch)
        try:
            # Each takes minutes with a million hands, and SQLite's checks do not need Python's lock.
            with closing(sqlite3.connect(scratch)) as copy, ThreadPoolExecutor(1) as other_thread:
                checking = other_thread.submit(_faults, scratch)
                fingerprints = of_sqlite(copy)
                faults = checking.result()
        except sqlite3.DatabaseError as error:
            raise BackupError(f"{file.name} is not a database that can be read: {error}.") from error
        if faults:
            raise BackupError(f"{file.name} is damaged: {'; '.join(faults[:3])}.")
        yield fingerprints, str(scratch)


def _faults(scratch):
    """Return SQLite's findings about the file and its foreign keys."""
    with closing(sqlite3.connect(scratch)) as copy:
        faults = [row[0] for row in copy.execute("PRAGMA integrity_check") if row[0] != "ok"]
        return faults + [f"a row of {row[0]} points nowhere" for row in copy.execute("PRAGMA foreign_key_check")]


def replace(file: Path) -> None:
    """Replace the database with a backup, in one step, even while others are connected."""
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
            # The file there is damaged. It is kept, in case someone wants to look at it.
            _move_aside()
            _copy_into(file, live_path())


def _move_aside():
    """Rename the file and its log, which fits no other file."""
    for ending in FILE_ENDINGS:
        broken = Path(f"{live_path()}{ending}")
        if broken.exists():
            broken.rename(f"{live_path()}.broken{ending}")


def is_broken(error: BaseException | None) -> bool:
    """Whether the file itself is damaged, rather than the disk full, or the file locked or private."""
    # The lowest byte is the kind of error.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in BROKEN


def applied(name: str) -> set[tuple[str, str]]:
    """Return the migrations applied to a scratch database, as pairs of app and name."""
    with closing(sqlite3.connect(name)) as scratch:
        return set(scratch.execute("SELECT app, name FROM django_migrations"))


def programs(name: str) -> set[str]:
    """Return the names of the triggers and views of a scratch database, but for the guards, which are made again."""
    with closing(sqlite3.connect(name)) as scratch:
        return {row[0] for row in scratch.execute(PROGRAMS)}


def _copy_into(file, live):
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(live, timeout=60)) as target:
        target.execute("PRAGMA journal_mode").fetchone()
        source.backup(target)


def location() -> str:
    """Return which database this is."""
    return str(live_path())


def version() -> str:
    return f"SQLite {sqlite3.sqlite_version}"


def size() -> int:
    files = [Path(f"{live_path()}{ending}") for ending in FILE_ENDINGS]
    return sum(file.stat().st_size for file in files if file.exists())
