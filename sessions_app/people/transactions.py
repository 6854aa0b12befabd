"""The transaction for every write; on SQLite a lock across processes makes writers queue outside the database."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import OperationalError, connection, transaction
from filelock import FileLock, Timeout

from sessions_app.database_state import is_in_memory

# In seconds. A write takes less than a tenth of this, and tablets retry by themselves.
MAX_WAIT = settings.MAX_WAIT
# Between two looks whether the lock is free.
POLL = 0.005


class WritersBusy(OperationalError):
    """Other writers held the lock for too long."""


@contextmanager
def write_transaction(*, waits: bool = True) -> Iterator[None]:
    """Run a block as one transaction, one writer at a time on SQLite; inside another transaction it is part of that.

    Raises WritersBusy at once if it does not wait and somebody else writes.
    """
    if connection.in_atomic_block or connection.vendor != "sqlite" or is_in_memory(connection):
        with transaction.atomic():
            yield
        return
    with writers_lock(waits=waits), transaction.atomic():
        yield


@contextmanager
def writers_lock(*, waits: bool = True) -> Iterator[Any]:
    """Hold the lock next to the database file, as some writers wait very long for SQLite's own lock.

    Raises WritersBusy after MAX_WAIT seconds, or at once if it does not wait; a request is answered with 503.
    """
    lock = FileLock(f"{connection.settings_dict['NAME']}.lock", mode=0o600)
    try:
        lock.acquire(timeout=MAX_WAIT if waits else 0, poll_interval=POLL)
    except Timeout:
        raise WritersBusy("The lock next to the database is locked by another writer.") from None
    try:
        yield
    finally:
        lock.release()


class ServiceError(ValueError):
    """A refused request, as a sentence for the user; `field` names the form field to correct, if known."""

    def __init__(self, sentence: str, field: str | None = None) -> None:
        super().__init__(sentence)
        self.field = field
