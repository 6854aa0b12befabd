"""The transaction for every write; on SQLite a lock across processes makes writers queue outside the database."""

import fcntl
import os
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError, connection, transaction

# In seconds. A write takes less than a tenth of this, and tablets retry by themselves.
MAX_WAIT = 5


class WritersBusy(OperationalError):
    """Other writers held the lock for too long."""


@contextmanager
def write_transaction(*, waits: bool = True) -> Iterator[None]:
    """Run a block as one transaction, one writer at a time on SQLite; inside another transaction it is part of that.

    Raises WritersBusy at once if it does not wait and somebody else writes.
    """
    if connection.in_atomic_block or connection.vendor != "sqlite":
        with transaction.atomic():
            yield
        return
    with writers_lock(waits=waits), transaction.atomic():
        yield


@contextmanager
def writers_lock(*, waits: bool = True) -> Iterator[Any]:
    """Hold the lock next to the database file, as some writers wait very long for SQLite's own lock.

    Raises WritersBusy after MAX_WAIT seconds, which is answered with 503.
    """
    path = f"{connection.settings_dict['NAME']}.lock"
    lock = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if not waits:
            lock.close()
            raise WritersBusy("The lock next to the database is locked by another writer.") from None
        _wait_for(lock)
    with lock:
        yield


def _wait_for(lock):
    """Wait in a thread of its own, as a wait for flock that keeps the order of writers has no timeout."""
    waiting = Future()

    def wait():
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not waiting.set_running_or_notify_cancel():
            lock.close()
            return
        waiting.set_result(None)

    threading.Thread(target=wait, daemon=True, name="writers-lock").start()
    try:
        waiting.result(timeout=MAX_WAIT)
    except TimeoutError:
        if waiting.cancel():
            raise WritersBusy("The lock next to the database is locked by another writer for too long.") from None
        waiting.result()


class ServiceError(ValueError):
    """A refused request, as a sentence for the user; `field` names the form field to correct, if known."""

    def __init__(self, sentence: str, field: str | None = None) -> None:
        super().__init__(sentence)
        self.field = field
