"""What commands share: refusing a database that is not ready, finding a club, and exact output."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.db.migrations.recorder import MigrationRecorder

from sessions_app.database_state import pending_migrations, unknown_migrations
from sessions_app.models import Club
from sessions_app.people.clubs import club_at

NOT_READY = "The database is not ready for this version. Run “python manage.py migrate” first."


class StoredCommand(BaseCommand):
    """A command that needs the club's tables: refused in a sentence while they are missing or old."""

    def execute(self, *args: Any, **options: Any) -> Any:
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
                f"The database was made by a newer version, which knows {newer[-1]}. Install that version."
            )
        return super().execute(*args, **options)


NO_CLUB_AT = "There is no club at /c/{}/."


def club_named(slug: str, refusal: str = "There is no club {}.") -> Club:
    """Return the club with this address part, now or before, or refuse the command in a sentence."""
    found = club_at(slug)
    if found is None:
        raise CommandError(refusal.format(slug))
    return found


def write_exactly(stdout: Any, text: str) -> None:
    """Write text without the console's encoding or line ends: as UTF-8 bytes, or as it is to a buffer of text."""
    buffer = getattr(stdout, "buffer", None)
    if buffer is None:
        stdout.write(text, ending="")
    else:
        buffer.write(text.encode())
        buffer.flush()
