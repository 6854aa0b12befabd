"""Restore a backup: `restore FILE` for the whole database, `restore CLUB.zip [--as SLUG]` for one club."""

from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError

from sessions_app.exchange.backups import club_backup, full_backup
from sessions_app.exchange.backups.retention import BackupError


class Command(BaseCommand):
    help = "Replace the database with a backup, after backing it up; or restore one club from its zip."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--as", dest="slug", metavar="SLUG", help="another address part for a club from a zip")

    def handle(self, *, file: str, slug: str | None, **options: Any) -> None:
        try:
            if file.endswith(".zip"):
                with full_backup.readable_errors():
                    sentences = club_backup.restore(file, slug)
            else:
                before, shown = full_backup.restore(file)
                sentences = [f"The database as it was before is kept in {before.path}."] if before else []
                sentences.append(f"{file} is restored; {shown}.")
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write("\n".join(sentences))
