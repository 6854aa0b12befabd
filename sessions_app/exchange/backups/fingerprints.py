"""Fingerprints of a database's tables: how many rows each has, and a checksum that does not ask for an order."""

import hashlib
from typing import Any

from django.apps import apps

from sessions_app.exchange.backups.scratch import BackupError

WIDTH = 2**256

# Rows that the server sends at a time.
AT_ONCE = 5000


def fingerprint(rows: Any) -> Any:
    """Return the number of rows and a checksum over their texts, in whatever order they come."""
    count = total = 0
    for row in rows:
        total = (total + int.from_bytes(hashlib.sha256(repr(row).encode()).digest(), "big")) % WIDTH
        count += 1
    return [count, f"{total:064x}"]


def of_sqlite(connection: Any) -> Any:
    """Return the fingerprint of every table of an sqlite3 connection, by name."""
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return {name: fingerprint(connection.execute(f'SELECT * FROM "{name}"')) for (name,) in sorted(tables)}


def of_postgresql(connection: Any) -> Any:
    """Return the same of a psycopg connection, streaming the rows as the server writes them."""
    tables = connection.execute(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
    ).fetchall()
    found = {}
    for (name,) in sorted(tables):
        with connection.cursor(name="fingerprint") as cursor:
            cursor.itersize = AT_ONCE
            cursor.execute(f'SELECT t::text FROM "{name}" t')
            found[name] = fingerprint(cursor)
    return found


def of_models(alias: Any) -> Any:
    """Return the fingerprint of every table Django knows, read so that both databases give the same."""
    return {model._meta.db_table: fingerprint(_rows(model, alias)) for model in all_models()}


def all_models() -> Any:
    return [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]


def _rows(model, alias):
    for row in model._base_manager.using(alias).values_list().iterator(chunk_size=2000):
        yield tuple(_plain(value) for value in row)


def _plain(value):
    """JSON keeps its keys in no order on PostgreSQL."""
    if isinstance(value, dict):
        return sorted((key, _plain(inner)) for key, inner in value.items())
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value


def compare(expected: Any, found: Any) -> None:
    """Raise BackupError naming the tables in which two databases differ."""
    different = sorted(name for name in {*expected, *found} if expected.get(name) != found.get(name))
    if different:
        told = ", ".join(
            f"{name} ({(expected.get(name) or ['no'])[0]} rows, then {(found.get(name) or ['no'])[0]})"
            for name in different
        )
        raise BackupError(f"The copy is not like the original: {told}.")
