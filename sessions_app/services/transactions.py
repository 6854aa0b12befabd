"""The transaction every write runs in; on SQLite a lock across processes makes writers queue outside the database."""

import fcntl
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def write_transaction():
    """Run a block as one transaction, one writer at a time on SQLite; inside another transaction it is part of that."""
    if connection.in_atomic_block or connection.vendor != "sqlite":
        with transaction.atomic():
            yield
        return
    with writers_lock(), transaction.atomic():
        yield


@contextmanager
def in_few_journeys():
    """Send a block's writes to PostgreSQL without waiting for each: it answers where ids are asked for, and at the end.

    What it refuses is raised where it answers, at the latest at the end of the block. Until then nobody knows how many
    rows a statement met: a model's save() of a row that is there already cannot stand in it. SQLite is no journey away.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield


@contextmanager
def writers_lock():
    """Wait for the lock beside the database file; contending on SQLite's own lock has a long tail of waiting."""
    with open(f"{connection.settings_dict['NAME']}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
