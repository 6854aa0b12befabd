"""Other databases than our own: reading it at one moment, inserting rows as they are, and copying all to another."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model

from clubscore.settings import database_at
from sessions_app.exchange.backups.retention import BackupError

OTHER = "other"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield an empty folder on the disk of the database, without what a killed process left there. One at a time."""
    folder = settings.VAR_DIR / "backup-check"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


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


def manage(url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a management command on another database, in a new process."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]
    own = {**os.environ, "DATABASE_URL": url, "DIRECT_DATABASE_URL": ""}
    return subprocess.run(command, env=own, capture_output=True, text=True)


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
def _deferred() -> Iterator[None]:
    """Let transactions begin without SQLite's write lock."""
    if connection.vendor != "sqlite":
        yield
        return
    # Connecting sets the mode.
    connection.ensure_connection()
    own: Any = connection  # the stubs lack the mode
    mode, own.transaction_mode = own.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        own.transaction_mode = mode


# Inserting rows as they are, with their ids and times; bulk_create would set auto_now fields.

BATCH = 1000


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


# What `migrate` fills.
FILLED = {"django_content_type", "auth_permission"}


def copy_to(url: str) -> dict[str, int]:
    """Copy everything into an empty database, and return the number of rows of each table.

    BackupError if it fails; then the rows that were copied are rolled back.
    """
    try:
        with other_database(url) as target:
            _prepare(target)
            with snapshot(), transaction.atomic(using=OTHER):
                return _copy(target)
    except DatabaseError as error:
        raise BackupError(f"The other database cannot be filled: {' '.join(str(error).split())}.") from error


def _prepare(target: BaseDatabaseWrapper) -> None:
    tables = target.introspection.table_names()
    if (
        tables
        and not MigrationRecorder(target).applied_migrations()
        or any(
            model._meta.db_table in tables and model._base_manager.using(OTHER).exists()
            for model in _models()
            if model._meta.db_table not in FILLED
        )
    ):
        raise BackupError("The other database is not empty, so nothing was copied.")
    call_command("migrate", database=OTHER, interactive=False, verbosity=0)


def _models() -> list[Any]:
    return [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]


def _copy(target: BaseDatabaseWrapper) -> dict[str, Any]:
    for model in reversed(_models()):
        if model._meta.db_table in FILLED:
            model._base_manager.using(OTHER).all().delete()
    for model in _models():
        _copy_table(model, target)
    target.check_constraints()
    with target.cursor() as cursor:
        for statement in target.ops.sequence_reset_sql(no_style(), _models()):
            cursor.execute(statement)
    rows = {model._meta.db_table: _rows(model, "default") for model in _models()}
    for model in _models():
        if rows[model._meta.db_table] != _rows(model, OTHER):
            raise BackupError(f"The table {model._meta.db_table} is incomplete, so nothing was copied.")
    return rows


def _copy_table(model, target):
    fields = model._meta.concrete_fields
    rows = model._base_manager.order_by("pk").values_list(*[field.attname for field in fields]).iterator(BATCH)
    while batch := list(islice(rows, BATCH)):
        prepared = [[f.get_db_prep_save(value, target) for f, value in zip(fields, row, strict=True)] for row in batch]
        insert(model, prepared, target)


def _rows(model, using):
    return model._base_manager.using(using).count()
