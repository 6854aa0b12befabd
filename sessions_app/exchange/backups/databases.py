"""Another database than our own, reading ours at one moment, and inserting rows as they are."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

from clubscore.site.settings import database_at
from sessions_app.exchange.backups.retention import BackupError

OTHER = "other"
# Rows that are inserted at once.
BATCH = 1000


@contextmanager
def other_database(url: str) -> Iterator[BaseDatabaseWrapper]:
    """Connect to another database."""
    try:
        connections.databases[OTHER] = {**connection.settings_dict, "TEST": {}, **database_at("--to", url)}
    except ImproperlyConfigured as error:
        raise BackupError(str(error)) from error
    try:
        yield connections[OTHER]
    finally:
        connections[OTHER].close()
        del connections[OTHER], connections.databases[OTHER]


@contextmanager
def snapshot() -> Iterator[None]:
    """Read the whole database as it is when this begins, in one transaction, while others go on writing."""
    # Connecting sets SQLite's mode, which would take the write lock; the stubs lack it.
    connection.ensure_connection()
    own: Any = connection
    is_outermost, mode = not own.in_atomic_block, getattr(own, "transaction_mode", None)
    own.transaction_mode = "DEFERRED"
    try:
        with transaction.atomic(), own.cursor() as cursor:
            if is_outermost and own.vendor == "postgresql":
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    finally:
        own.transaction_mode = mode


def insert(model: type[Model], rows: Iterable[Sequence[Any]], using: Any = connection) -> None:
    """Insert rows, each the values of every column in order, as they are: bulk_create would set auto_now fields."""
    fields, quote = model._meta.concrete_fields, using.ops.quote_name
    columns, marks = ", ".join(quote(field.column) for field in fields), ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({marks})"
    prepared = (
        [field.get_db_prep_save(value, using) for field, value in zip(fields, row, strict=True)] for row in rows
    )
    with using.cursor() as cursor:
        while batch := list(islice(prepared, BATCH)):
            cursor.executemany(statement, batch)
