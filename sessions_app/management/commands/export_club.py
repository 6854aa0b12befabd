"""Write every CSV of a club into a folder: `export_club SLUG FOLDER`."""

from pathlib import Path
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import CommandError

from sessions_app.exchange.exports.files import club_files
from sessions_app.management.base import StoredCommand, club_named


class Command(StoredCommand):
    help = "Write a club's players, totals, league tables, hands and log as CSV files into a folder."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("club", help="the club's address part, as in /c/<club>/")
        parser.add_argument("folder", type=Path)

    def handle(self, *, club: str, folder: Path, **options: Any) -> None:
        written = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in club_files(club_named(club)):
                (folder / name).write_bytes(text.encode())
                written += 1
        except OSError as error:
            raise CommandError(f"{folder} cannot be written to: {error.strerror}.") from error
        self.stdout.write(f"{written} files are in {folder}.")
