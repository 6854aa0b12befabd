"""Reading the whole database at one moment, comparing databases, inserting rows as they are, and copying to another."""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import dj_database_url
import psycopg
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, connections, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model
from filelock import FileLock, Timeout

from sessions_app.exchange.backups.retention import BackupError

# A folder's own, held by whoever works in it.
LOCK = ".lock"


@contextmanager
def scratch_folder(prefix: str) -> Iterator[Path]:
    """Yield a temporary folder; those that killed processes left behind are removed first."""
    for left in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        # An empty one may be new and not locked yet.
        with suppress(OSError, Timeout), FileLock(left / LOCK, timeout=0):
            if {path.name for path in left.iterdir()} != {LOCK}:
                shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=prefix) as folder, FileLock(Path(folder) / LOCK):
        yield Path(folder)


@contextmanager
def snapshot() -> Iterator[None]:
    """Read the whole database as it is when this begins, in one transaction, while others go on writing."""
    is_outermost = not connection.in_atomic_block
    with _deferred(), transaction.atomic():
        if is_outermost and connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@contextmanager
def _deferred():
    """Let transactions begin without SQLite's write lock."""
    if connection.vendor != "sqlite":
        yield
        return
    # Connecting sets the mode.
    connection.ensure_connection()
    mode, connection.transaction_mode = connection.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        connection.transaction_mode = mode


def database_url(name: str) -> str:
    """Return the DATABASE_URL of a database with this name: a file, or on our own PostgreSQL server."""
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    parts = {key: quote(str(connection.settings_dict[key]), safe="") for key in ("USER", "PASSWORD", "HOST", "PORT")}
    password = f":{parts['PASSWORD']}" if parts["PASSWORD"] else ""
    port = f":{parts['PORT']}" if parts["PORT"] else ""
    return f"postgresql://{parts['USER']}{password}@{parts['HOST']}{port}/{quote(name)}"


def manage(url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a management command on another database, in a new process, for up to an hour."""
    environment = {**os.environ, "DATABASE_URL": url}
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=3600)


# Fingerprints of tables: how many rows each has, and a checksum that does not depend on their order.

Fingerprints = dict[str, list]


def fingerprint(rows: Iterable[Any]) -> list:
    """Return the number of rows and a checksum over their texts, whatever their order."""
    count = total = 0
    for row in rows:
        total = (total + int.from_bytes(hashlib.sha256(repr(row).encode()).digest(), "big")) % 2**256
        count += 1
    return [count, f"{total:064x}"]


def of_sqlite(connection: sqlite3.Connection) -> Fingerprints:
    """Return the fingerprint of every table, by name."""
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return {name: fingerprint(connection.execute(f'SELECT * FROM "{name}"')) for (name,) in sorted(tables)}


def of_postgresql(connection: psycopg.Connection) -> Fingerprints:
    """Return the fingerprint of every table, by name; the rows are streamed."""
    tables = connection.execute(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
    ).fetchall()
    found = {}
    for (name,) in sorted(tables):
        with connection.cursor(name="fingerprint") as cursor:
            cursor.itersize = 5000
            cursor.execute(f'SELECT t::text FROM "{name}" t')
            found[name] = fingerprint(cursor)
    return found


def of_models(alias: str) -> Fingerprints:
    """Return the fingerprint of every model's table, the same on SQLite and PostgreSQL."""
    return {model._meta.db_table: fingerprint(_rows(model, alias)) for model in all_models()}


def all_models() -> list[type[Model]]:
    return [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]


def _rows(model, alias):
    for row in model._base_manager.using(alias).values_list().iterator(chunk_size=2000):
        yield tuple(_plain(value) for value in row)


def _plain(value):
    """Return a value whose text can be compared: PostgreSQL does not keep the order of JSON keys."""
    if isinstance(value, memoryview):
        return bytes(value)
    if isinstance(value, dict):
        return sorted((key, _plain(inner)) for key, inner in value.items())
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value


def compare(expected: Fingerprints, found: Fingerprints) -> None:
    """Raise BackupError with the tables in which two databases differ."""
    different = sorted(name for name in {*expected, *found} if expected.get(name) != found.get(name))
    if different:
        rows = {name: [(side.get(name) or ["no"])[0] for side in (expected, found)] for name in different}
        tables = ", ".join(f"{name} ({was} rows, then {now})" for name, (was, now) in rows.items())
        raise BackupError(f"The copy is not like the original: {tables}.")


# Inserting rows as they are, with their ids and times; bulk_create would set auto_now fields.

BATCH = 1000


def new_ids(model: type[Model], number: int) -> list[int]:
    """Return that many ids that have never been used, in rising order."""
    if not number:
        return []
    table, column = model._meta.db_table, model._meta.pk.column
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)", [table, column, number]
            )
            return sorted(row[0] for row in cursor.fetchall())
        # Ids of deleted rows are not used again, as the log may still name them.
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        row = cursor.fetchone()
        cursor.execute(f"SELECT MAX({connection.ops.quote_name(column)}) FROM {connection.ops.quote_name(table)}")
        last = max((row or [0])[0] or 0, cursor.fetchone()[0] or 0)
    return list(range(last + 1, last + 1 + number))


def insert(model: type[Model], rows: list[Any], using: Any = connection) -> None:
    """Insert rows; each is a list of the values of every column, in order."""
    quote = using.ops.quote_name
    columns = ", ".join(quote(field.column) for field in model._meta.concrete_fields)
    marks = ", ".join(["%s"] * len(model._meta.concrete_fields))
    with using.cursor() as cursor:
        for start in range(0, len(rows), BATCH):
            cursor.executemany(
                f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({marks})", rows[start : start + BATCH]
            )


TARGET = "copy-target"

# What `migrate` fills.
FILLED = {"django_content_type", "auth_permission"}


def copy_to(url: str) -> dict[str, int]:
    """Copy everything into an empty database, and return the number of rows of each table.

    BackupError if it fails; then the rows that were copied are rolled back.
    """
    try:
        parts = dj_database_url.parse(url)
    except ValueError as error:
        raise BackupError(f"{url.partition(':')[0][:20]!r} is not a database address: {error}.") from error
    if parts["ENGINE"].endswith("sqlite3"):
        parts["OPTIONS"] = {"transaction_mode": "IMMEDIATE", "init_command": "PRAGMA journal_mode=WAL", "timeout": 20}
    different = {name: parts[name] for name in ("ENGINE", "NAME", "USER", "PASSWORD", "HOST", "PORT")}
    own = connection.settings_dict
    connections.databases[TARGET] = {
        **own,
        "TEST": dict(own["TEST"]),
        **different,
        "OPTIONS": parts.get("OPTIONS") or {},
    }
    try:
        _prepare()
        with snapshot():
            return _copy()
    except DatabaseError as error:
        raise BackupError(f"The other database cannot be filled: {' '.join(str(error).split())}.") from error
    finally:
        connections[TARGET].close()
        del connections[TARGET]
        del connections.databases[TARGET]


def _prepare():
    target = connections[TARGET]
    tables = target.introspection.table_names()
    if tables:
        filled = any(
            model._meta.db_table in tables and model._base_manager.using(TARGET).exists()
            for model in all_models()
            if model._meta.db_table not in FILLED
        )
        if filled or not MigrationRecorder(target).applied_migrations():
            raise BackupError("The other database is not empty, so nothing was copied.")
    call_command("migrate", database=TARGET, interactive=False, verbosity=0)


def _copy():
    target, models = connections[TARGET], all_models()
    with transaction.atomic(using=TARGET):
        for model in reversed(models):
            if model._meta.db_table in FILLED:
                model._base_manager.using(TARGET).all().delete()
        for model in models:
            _copy_table(model, target)
        with target.cursor() as cursor:
            for statement in target.ops.sequence_reset_sql(no_style(), models):
                cursor.execute(statement)
        found = of_models(TARGET)
        compare(of_models("default"), found)
        target.check_constraints()
    return {name: rows for name, (rows, _) in found.items()}


def _copy_table(model, target):
    fields = model._meta.concrete_fields
    batch = []
    rows = model._base_manager.order_by("pk").values_list(*[field.attname for field in fields])
    for row in rows.iterator(chunk_size=BATCH):
        batch.append([field.get_db_prep_save(value, target) for field, value in zip(fields, row, strict=True)])
        if len(batch) == BATCH:
            insert(model, batch, target)
            batch = []
    insert(model, batch, target)
