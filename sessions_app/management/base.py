"""What management commands share: errors as sentences, finding a club, arguments, exact output."""

from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections

from sessions_app.database_state import NOT_READY, pending_migrations, wrong_version
from sessions_app.exchange.backups.retention import BackupError
from sessions_app.models import Club
from sessions_app.people.clubs import club_at
from sessions_app.people.log import Actor
from sessions_app.people.transactions import ServiceError

OPERATOR = Actor(name="The operator")


class StoredCommand(BaseCommand):
    """A command that needs the database to be of this version, and whose errors are shown as sentences."""

    def execute(self, *args: Any, **options: Any) -> Any:
        try:
            connection = connections[options.get("database") or DEFAULT_DB_ALIAS]
            wrong = NOT_READY if pending_migrations(connection) else wrong_version(connection)
        except OperationalError as error:
            raise CommandError(f"The database cannot be opened: {str(error).strip()}.") from error
        if wrong:
            raise CommandError(wrong)
        try:
            return super().execute(*args, **options)
        except (ServiceError, BackupError) as error:
            raise CommandError(str(error)) from error


def club_named(slug: str) -> Club:
    """Return the club with this slug, now or before; CommandError if there is none."""
    club = club_at(slug)
    if club is None:
        raise CommandError(f"There is no club at /c/{slug}/.")
    return club


def whole_number(text: str) -> int:
    """Parse a command's argument."""
    if not text.isdecimal() or int(text) > 10_000:
        raise ArgumentTypeError(f"“{text}” is not a whole number from 0 to 10000")
    return int(text)


def write_exactly(stdout: Any, text: str) -> None:
    """Write text as UTF-8, whatever the console's encoding and line ends; unchanged to a buffer of text."""
    buffer = getattr(stdout, "buffer", None)
    if buffer is None:
        stdout.write(text, ending="")
    else:
        buffer.write(text.encode())
        buffer.flush()
