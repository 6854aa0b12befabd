"""Bringing a whole installation from one database to another, SQLite to PostgreSQL or back, row for row."""

from typing import Any

import dj_database_url
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, connections, transaction
from django.db.migrations.recorder import MigrationRecorder

from sessions_app.database_guards import drop_guards, make_guards
from sessions_app.exchange.backups.fingerprints import all_models, compare, of_models
from sessions_app.exchange.backups.scratch import BackupError, one_moment, other_database

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
        told = dj_database_url.parse(url)
    except ValueError as error:
        raise BackupError(f"{url.partition(':')[0][:20]!r} is not a database address: {error}.") from error
    if told["ENGINE"].endswith("sqlite3"):
        told["OPTIONS"] = {"transaction_mode": "IMMEDIATE", "init_command": "PRAGMA journal_mode=WAL", "timeout": 20}
    different = {name: told[name] for name in ("ENGINE", "NAME", "USER", "PASSWORD", "HOST", "PORT")}
    with other_database(TARGET, **different, OPTIONS=told.get("OPTIONS") or {}):
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
