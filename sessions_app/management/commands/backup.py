"""Back up the whole database, or one club: `backup [--into FOLDER]`, `backup --club SLUG`."""

import os
from pathlib import Path
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from sessions_app.database_state import NOT_READY, pending_migrations
from sessions_app.exchange.backups import club_backup, full_backup, retention
from sessions_app.exchange.backups.retention import BackupError
from sessions_app.management.base import club_named, whole_number


class Command(BaseCommand):
    help = "Write a backup and try it out in a scratch database; or write one club's backup as a zip. Old ones go."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--into", metavar="FOLDER", help="where to write it (backups/ in CLUBSCORE_VAR)")
        parser.add_argument(
            "--keep",
            type=whole_number,
            nargs=3,
            default=retention.KEPT,
            metavar=("DAYS", "WEEKS", "MONTHS"),
            help=f"how many days, weeks and months keep their newest backup {retention.KEPT}",
        )
        parser.add_argument("--why", default="backup", help="a word for the file's name (backup)")
        parser.add_argument("--if-any", action="store_true", help="do nothing where there is no database yet")
        parser.add_argument("--club", metavar="SLUG", help="only one club, as a zip that any installation can restore")

    def handle(self, *, into: str | None, keep: Any, why: str, if_any: bool, club: str | None, **options: Any) -> None:
        # ./run works in its own folder; paths are relative to the one it was called in.
        folder = Path(os.environ.get("CLUBSCORE_CALLED_IN", ""), into) if into else retention.folder()
        where = full_backup.location()
        try:
            with full_backup.readable_errors():
                if club:
                    if pending_migrations(connection):
                        raise CommandError(NOT_READY)
                    one = club_named(club)
                    backup, rows = club_backup.write(one, folder, keep)
                    self.stdout.write(f"{backup.path} holds {one.name}: {rows} rows.")
                    return
                if if_any:
                    if not full_backup.has_tables():
                        self.stdout.write(f"There is no database yet ({where}), so none was backed up.")
                        return
                    self.stdout.write(f"Backing up {where} ...")
                backup, shown = full_backup.back_up(why, folder, keep)
        except BackupError as error:
            raise CommandError(f"No backup was made: {error}") from error
        self.stdout.write(f"{backup.path} ({backup.size / 1_000_000:.1f} MB) {shown}.")
