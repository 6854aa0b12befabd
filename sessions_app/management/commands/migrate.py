"""Django's `migrate`, in one process at a time, and not if the database file is missing."""

from typing import Any

from django.core.management import CommandParser
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections

from sessions_app.database_state import migration_lock, wrong_version
from sessions_app.exchange.backups import full_backup


class Command(migrate.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--new-database", action="store_true", help="start an empty one where it is gone")

    def handle(self, *args: Any, new_database: bool = False, **options: Any) -> Any:
        connection = connections[options["database"]]
        may_be_lost = options["database"] == "default" and connection.vendor == "sqlite" and not new_database
        with migration_lock(connection):
            if may_be_lost and not full_backup.has_tables() and (lost := full_backup.lost_database("--new-database")):
                raise CommandError(lost)
            if wrong := wrong_version(connection):
                raise CommandError(wrong)
            return super().handle(*args, **options)
