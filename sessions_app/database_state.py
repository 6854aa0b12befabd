"""Whether this version can work with the database, and the lock under which its tables are changed."""

import errno
import logging
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.exceptions import NodeNotFoundError
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from filelock import FileLock, Timeout

logger = logging.getLogger(__name__)

# All columns in one query: Django's introspection takes 0.3 s, and /readyz is asked every few seconds.
COLUMNS = {
    "sqlite": "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'",
    "postgresql": "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'",
}

# More than a hand takes, with all that changes with it.
ROOM = 256 * 1024

# PostgreSQL writes to its disk what it cannot sort in so little memory, and refuses the second where nothing may be
# written; neither leaves anything behind.
SORT_ON_DISK = "SELECT count(*) FROM (SELECT md5(n::text) FROM generate_series(1, 10000) n ORDER BY 1 OFFSET 0) sorted"
MAY_WRITE = "UPDATE sessions_app_throttle SET count = count WHERE false"

# The last version that brings any older database up to date; later ones begin with the tables of that time.
TOO_OLD = (
    "The database is older than 24 November 2026, so take the version of 27 November first, with "
    f"'git checkout b33c6e9f && {settings.RUN} upgrade', and then this one."
)
START_THAT_ONE = (
    f"Fetch that version and start it, or bring a backup of this version back with '{settings.RUN} restore FILE'."
)
NOT_READY = f"The database is not ready for this version: run '{settings.RUN} upgrade' first."

# The databases that this process has locked.
_locked: set[str] = set()


def pending_migrations(connection: BaseDatabaseWrapper) -> list[Any]:
    """Return (app, name) of the migrations that have not been applied to a database, in order."""
    try:
        executor = MigrationExecutor(connection)
    except NodeNotFoundError:
        return _lacking(connection)
    return [(step.app_label, step.name) for step, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def wrong_version(connection: BaseDatabaseWrapper, what_helps: str = START_THAT_ONE) -> str:
    """Return what to do with a database that is newer than this version, or too old to bring up to date; or "".

    `what_helps` is the sentence for a newer one.
    """
    loader = MigrationLoader(None)
    known = {*loader.disk_migrations, *(name for step in loader.disk_migrations.values() for name in step.replaces)}
    applied = MigrationRecorder(connection).applied_migrations()
    if unknown := sorted(name for app, name in set(applied) - known if app in loader.migrated_apps):
        return (
            "The database was made by a newer version of Clubscore than this one, which does not know its "
            f"{unknown[-1]}. {what_helps}"
        )
    return TOO_OLD if _lacking(connection) else ""


def _lacking(connection):
    """Return those that are not applied of migrations that one replaces, where some are: Django cannot go on there."""
    applied = MigrationRecorder(connection).applied_migrations().keys()
    replaced = [set(step.replaces) for step in MigrationLoader(None).disk_migrations.values()]
    return [name for names in replaced if names & applied for name in sorted(names - applied)]


def missing_columns(connection: BaseDatabaseWrapper) -> list[Any]:
    """Return the columns that this version uses and a database lacks, as `table.column`."""
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS[connection.vendor])
        found = set(cursor.fetchall())
    models = apps.get_models(include_auto_created=True)
    wanted = {(model._meta.db_table, field.column) for model in models for field in model._meta.local_concrete_fields}
    return sorted(f"{table}.{column}" for table, column in wanted - found)


def try_to_write(connection: BaseDatabaseWrapper) -> None:
    """Write a little to the database's disk, and take it back; OSError or DatabaseError if that is refused.

    The database's own lock is not asked for, as others may be waiting for it.
    """
    if is_in_memory(connection):
        return
    if connection.vendor == "sqlite":
        path = str(connection.settings_dict["NAME"])
        with tempfile.TemporaryFile(dir=os.path.dirname(path)) as file:
            file.write(bytes(ROOM))
            file.flush()
        # To open it and close it would end SQLite's own locks.
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "The database file may not be written", path)
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL work_mem = '64kB'")
        cursor.execute(SORT_ON_DISK)
        cursor.execute(MAY_WRITE)


def is_in_memory(connection: BaseDatabaseWrapper) -> bool:
    """Return whether a database is in the memory of this process alone, as that of a test."""
    return connection.vendor == "sqlite" and getattr(connection, "is_in_memory_db", bool)()


@contextmanager
def migration_lock(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Let only one process change the tables: two at once could both remake one, and lose a column."""
    name = str(connection.settings_dict["NAME"])
    if name in _locked or is_in_memory(connection):
        yield
        return
    _locked.add(name)
    try:
        with _lock(connection, name):
            yield
    finally:
        _locked.discard(name)


@contextmanager
def _lock(connection: BaseDatabaseWrapper, name: str) -> Iterator[None]:
    if connection.vendor == "sqlite":
        lock = FileLock(f"{name}.migrating", mode=0o600)
        _wait_for(lambda: lock.acquire(timeout=0))
        try:
            yield
        finally:
            lock.release()
        return
    # A separate connection, in one transaction as long as the lock: a pooler in between hands a session to others, with
    # the locks that it still holds.
    with closing(connection.copy()) as own:
        own.set_autocommit(False)
        with own.cursor() as cursor:

            def is_ours() -> bool:
                cursor.execute("SELECT pg_try_advisory_xact_lock(hashtext('clubscore migrations'))")
                return bool(cursor.fetchone()[0])

            _wait_for(is_ours)
            yield
        own.rollback()


def _wait_for(attempt: Callable[[], Any]) -> None:
    """Try until a lock is ours, and after a second say why it takes time."""
    tries = 0
    while True:
        with suppress(Timeout):
            if attempt():
                return
        tries += 1
        if tries == 5:
            logger.warning("Another Clubscore is updating the database; waiting for it ...")
        time.sleep(0.2)
