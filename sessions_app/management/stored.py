"""The start of every command that reads or writes the database: it says what to do when there is none yet."""

from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.db.migrations.executor import MigrationExecutor


class StoredCommand(BaseCommand):
    """A command that needs the club's tables: refused in a sentence while they are missing or old."""

    def execute(self, *args, **options):
        try:
            connection = connections[options.get("database") or DEFAULT_DB_ALIAS]
            executor = MigrationExecutor(connection)
            missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
        except OperationalError as error:
            raise CommandError(f"The database cannot be opened: {str(error).strip()}.") from error
        if missing:
            raise CommandError("The database is not ready for this version: run “python manage.py migrate” first.")
        return super().execute(*args, **options)
