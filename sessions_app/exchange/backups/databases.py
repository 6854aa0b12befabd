"""Other databases: scratch ones to try a backup in, one to copy to, and our own as it was at one moment."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import dj_database_url
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, connections, transaction
from django.db.migrations.recorder import MigrationRecorder

from sessions_app.database_guards import drop_guards, make_guards

# What keeps a backup from being made, trusted or restored, as one sentence.


class BackupError(RuntimeError):
    """Shown as it is to the operator."""


class BrokenDatabase(BackupError):
    """What should be backed up is no database, or no longer one."""


@contextmanager
def other_database(alias: Any, **different: Any) -> Iterator[Any]:
    """Give Django a further database under an alias: like the own one but for what is different."""
    own = connections["default"].settings_dict
    connections.databases[alias] = {**own, "TEST": dict(own["TEST"]), **different}
    try:
        yield alias
    finally:
        connections[alias].close()
        del connections[alias]
        del connections.databases[alias]


@contextmanager
def scratch_folder(prefix: Any) -> Iterator[Any]:
    """Yield a temporary folder that goes afterwards; those that killed ones have left behind go first."""
    for left in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        # An empty one may just have been made, and not be locked yet.
        with suppress(OSError), _locked(left):
            if any(left.iterdir()):
                shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=prefix) as folder, _locked(folder, fcntl.LOCK_EX):
        yield Path(folder)


@contextmanager
def _locked(folder, how=fcntl.LOCK_EX | fcntl.LOCK_NB):
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, how)
        yield
    finally:
        os.close(lock)


@contextmanager
def one_moment() -> Iterator[Any]:
    """Yield the alias by which the whole own database is read as it is now, while others go on writing."""
    options = dict(connections["default"].settings_dict["OPTIONS"])
    if connections["default"].vendor == "sqlite":
        options["transaction_mode"] = "DEFERRED"
    with other_database("one-moment", OPTIONS=options) as alias, transaction.atomic(using=alias):
        if connections[alias].vendor == "postgresql":
            with connections[alias].cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield alias


@contextmanager
def _deferred():
    """Let transactions of the own connection begin without SQLite's lock for writing."""
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


@contextmanager
def one_transaction() -> Iterator[Any]:
    """Yield the own database's alias for a page: in one transaction, which reads everything as it is when it begins."""
    is_outermost = not connection.in_atomic_block
    with _deferred(), transaction.atomic():
        if is_outermost and connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield "default"


def database_url(name: str) -> str:
    """Return the DATABASE_URL of a database of this name: a file, or on the own PostgreSQL server."""
    own = connections["default"]
    if own.vendor == "sqlite":
        return f"sqlite:///{name}"
    its = own.settings_dict
    password = f":{quote(its['PASSWORD'], safe='')}" if its["PASSWORD"] else ""
    port = f":{its['PORT']}" if its["PORT"] else ""
    return f"postgresql://{quote(its['USER'], safe='')}{password}@{quote(its['HOST'], safe='')}{port}/{quote(name)}"


def manage(url: Any, *arguments: Any, timeout: int = 3600) -> Any:
    """Run a command of Clubscore's on another database, in a process of its own; return it when it has ended."""
    environment = {**os.environ, "DATABASE_URL": url}
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout)


# Fingerprints of tables: how many rows each has, and a checksum that does not depend on their order.

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
    """JSON keeps its keys in no order on PostgreSQL, and bytes come as what cannot be compared by its text."""
    if isinstance(value, memoryview):
        return bytes(value)
    if isinstance(value, dict):
        return sorted((key, _plain(inner)) for key, inner in value.items())
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value


def compare(expected: Any, found: Any) -> None:
    """Raise BackupError naming the tables in which two databases differ."""
    different = sorted(name for name in {*expected, *found} if expected.get(name) != found.get(name))
    if different:
        rows = {name: [(side.get(name) or ["no"])[0] for side in (expected, found)] for name in different}
        tables = ", ".join(f"{name} ({was} rows, then {now})" for name, (was, now) in rows.items())
        raise BackupError(f"The copy is not like the original: {tables}.")


# Inserting rows as they are, under ids given beforehand: times are kept, and nothing is filled in.

BATCH = 1000


def new_ids(model: Any, number: int) -> Any:
    """Return that many ids nobody has had, in rising order."""
    if not number:
        return []
    table, column = model._meta.db_table, model._meta.pk.column
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)", [table, column, number]
            )
            return sorted(row[0] for row in cursor.fetchall())
        # An id that was given back is never given again: the log may still name it.
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        row = cursor.fetchone()
        cursor.execute(f"SELECT MAX({connection.ops.quote_name(column)}) FROM {connection.ops.quote_name(table)}")
        last = max((row or [0])[0] or 0, cursor.fetchone()[0] or 0)
    return list(range(last + 1, last + 1 + number))


def insert(model: Any, rows: list[Any], using: Any = connection) -> None:
    """Insert rows, each the values of every column in order."""
    quote = using.ops.quote_name
    columns = ", ".join(quote(field.column) for field in model._meta.concrete_fields)
    marks = ", ".join(["%s"] * len(model._meta.concrete_fields))
    with using.cursor() as cursor:
        for start in range(0, len(rows), BATCH):
            cursor.executemany(
                f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({marks})", rows[start : start + BATCH]
            )


TARGET = "copy-target"

# What migrating fills by itself.
FILLED = {"django_content_type", "auth_permission"}


def copy_to(url: Any) -> Any:
    """Copy everything into an empty database; return how many rows each table got. BackupError, and nothing is left."""
    try:
        parts = dj_database_url.parse(url)
    except ValueError as error:
        raise BackupError(f"{url.partition(':')[0][:20]!r} is not a database address: {error}.") from error
    if parts["ENGINE"].endswith("sqlite3"):
        parts["OPTIONS"] = {"transaction_mode": "IMMEDIATE", "init_command": "PRAGMA journal_mode=WAL", "timeout": 20}
    different = {name: parts[name] for name in ("ENGINE", "NAME", "USER", "PASSWORD", "HOST", "PORT")}
    with other_database(TARGET, **different, OPTIONS=parts.get("OPTIONS") or {}):
        try:
            _prepare()
            with one_moment() as source:
                return _copy(source)
        except DatabaseError as error:
            raise BackupError(f"The other database cannot be filled: {' '.join(str(error).split())}.") from error


def _prepare():
    target = connections[TARGET]
    if target.introspection.table_names():
        applied = set(MigrationRecorder(target).applied_migrations())
        if not applied or any(_filled(model) for model in all_models()):
            raise BackupError("The other database is not empty, so nothing was copied.")
    call_command("migrate", database=TARGET, interactive=False, verbosity=0)


def _filled(model):
    if model._meta.db_table in FILLED or model._meta.db_table not in connections[TARGET].introspection.table_names():
        return False
    return model._base_manager.using(TARGET).exists()


def _copy(source):
    target, models = connections[TARGET], all_models()
    with transaction.atomic(using=TARGET):
        # A row may point to one that comes later; the guards are made again before anybody else sees the rows.
        drop_guards(target)
        for model in reversed(models):
            if model._meta.db_table in FILLED:
                model._base_manager.using(TARGET).all().delete()
        for model in models:
            _copy_table(model, source, target)
        with target.cursor() as cursor:
            for statement in target.ops.sequence_reset_sql(no_style(), models):
                cursor.execute(statement)
        expected, found = of_models(source), of_models(TARGET)
        compare(expected, found)
        target.check_constraints()
        # PostgreSQL alters no table in the transaction that wrote rows about it, until what was put off is checked.
        if target.vendor == "postgresql":
            with target.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        make_guards(target)
    return {name: rows for name, (rows, _) in found.items()}


def _copy_table(model, source, target):
    fields = model._meta.concrete_fields
    batch = []
    rows = model._base_manager.using(source).order_by("pk").values_list(*[field.attname for field in fields])
    for row in rows.iterator(chunk_size=BATCH):
        batch.append([field.get_db_prep_save(value, target) for field, value in zip(fields, row, strict=True)])
        if len(batch) == BATCH:
            insert(model, batch, target)
            batch = []
    insert(model, batch, target)
