"""Migrations keep the guards of the database: on SQLite a table loses its triggers when it is remade."""

import hashlib
import json
import re
from importlib import import_module
from pathlib import Path

import pytest
from django.db import connection, migrations, models

from sessions_app import database_guards
from sessions_app.database_guards import DropGuards, MakeGuards

FOLDER = Path(__file__).parent.parent / "sessions_app" / "migrations"
KEPT = Path(__file__).parent / "data" / "guards.json"
GUARDS = (*database_guards.BELONGING, database_guards.EDITIONS_FIXED, database_guards.SEASONS_OVERLAP)
# SQLite neither remakes a table with triggers of its own and keeps them, nor one that another's trigger reads.
READ = {table for guard in GUARDS for table in re.findall(r"FROM (sessions_app_\w+)", guard.refused)}
GUARDED = {table.removeprefix("sessions_app_") for table in {guard.table for guard in GUARDS} | READ} | {"change"}
HARMLESS = (
    migrations.CreateModel,
    migrations.AddIndex,
    migrations.RemoveIndex,
    migrations.RenameIndex,
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,
    migrations.RunPython,
)
HOW_TO = "Put the operation between database_guards.DropGuards() and database_guards.MakeGuards()."
RECORD = "The guards have changed: add a migration with MakeGuards() and write {entry} into tests/data/guards.json."


def all_migrations():
    names = sorted(path.stem for path in FOLDER.glob("[0-9]*.py"))
    return [(name, import_module(f"sessions_app.migrations.{name}").Migration.operations) for name in names]


def remakes(operation):
    """Whether SQLite may remake a guarded table for this operation."""
    if isinstance(operation, HARMLESS):
        return False
    if isinstance(operation, migrations.AddField) and operation.field.null and not operation.field.has_default():
        return False  # a column is added to the table as it is
    table = getattr(operation, "model_name", None) or getattr(operation, "name", None)
    return table is None or table.lower() in GUARDED


def unguarded(found):
    """Return the operations that may remake a guarded table while it has guards; before the first there are none."""
    lifted, wrong = True, []
    for name, operations in found:
        for operation in operations:
            if isinstance(operation, DropGuards | MakeGuards):
                lifted = isinstance(operation, DropGuards)
            elif not lifted and remakes(operation):
                wrong.append(f"{name}: {operation.describe()}")
    return wrong if not lifted else [*wrong, f"{name}: ends without MakeGuards()"]


def test_no_migration_remakes_a_guarded_table_without_its_guards():
    assert unguarded(all_migrations()) == [], HOW_TO


ALTERED = migrations.AlterField("session", "state", models.CharField(max_length=99))


@pytest.mark.parametrize(
    ("operations", "wrong"),
    [
        ([MakeGuards(), ALTERED], ["0099_new: Alter field state on session"]),
        ([MakeGuards(), DropGuards(), ALTERED, MakeGuards()], []),
        ([MakeGuards(), DropGuards(), ALTERED], ["0099_new: ends without MakeGuards()"]),
        ([MakeGuards(), migrations.AlterField("command", "why", models.TextField())], []),
        ([MakeGuards(), migrations.AddField("session", "more", models.TextField(null=True))], []),
        ([MakeGuards(), migrations.AddField("session", "more", models.TextField(default=""))],
         ["0099_new: Add field more to session"]),
        ([MakeGuards(), migrations.RemoveField("change", "why")], ["0099_new: Remove field why from change"]),
        ([MakeGuards(), migrations.RemoveConstraint("club", "some")], []),
        ([MakeGuards(), migrations.RunSQL("DROP TABLE sessions_app_seat")], ["0099_new: Raw SQL operation"]),
    ],
)  # fmt: skip
def test_what_needs_guards(operations, wrong):
    assert unguarded([("0099_new", operations)]) == wrong


def guards_of_both():
    """Return the SQL of every guard on SQLite and on PostgreSQL; the log's speak of its columns of today."""
    columns = database_guards._columns(connection, database_guards.LOG)
    on_sqlite = (*GUARDS, *database_guards._log_guards_sqlite(columns))
    on_postgresql = (*GUARDS[:-1], *database_guards.LOG_GUARDS_POSTGRESQL)
    yield database_guards.EXCLUSION
    for guard in on_sqlite:
        yield from database_guards._sqlite_statements(guard)
    for guard in on_postgresql:
        yield from database_guards._postgresql_statements(guard)


def test_an_upgraded_database_gets_the_guards_of_today(db):
    """A new database has them all; one made before has those of the last migration that made any."""
    made_by = [name for name, operations in all_migrations() if any(isinstance(one, MakeGuards) for one in operations)]
    digest = hashlib.sha256("\n".join(guards_of_both()).encode()).hexdigest()[:16]
    entry = {"migration": made_by[-1], "digest": digest}
    assert entry == json.loads(KEPT.read_text(encoding="ascii")), RECORD.format(entry=json.dumps(entry))
