"""The start of every command that reads or writes the database: it says what to do when there is none yet."""

from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.db.migrations.recorder import MigrationRecorder

from sessions_app.database_state import pending_migrations, unknown_migrations

NOT_READY = "The database is not ready for this version: run “python manage.py migrate” first."


class StoredCommand(BaseCommand):
    """A command that needs the club's tables: refused in a sentence while they are missing or old."""

    def execute(self, *args, **options):
        try:
            connection = connections[options.get("database") or DEFAULT_DB_ALIAS]
            missing = pending_migrations(connection)
            newer = unknown_migrations(MigrationRecorder(connection).applied_migrations())
        except OperationalError as error:
            raise CommandError(f"The database cannot be opened: {str(error).strip()}.") from error
        if missing:
            raise CommandError(NOT_READY)
        if newer:
            raise CommandError(
                f"The database was made by a newer version, which knows {newer[-1]}: fetch that version."
            )
        return super().execute(*args, **options)
