"""Write a club's session totals as CSV to standard output, as `import_totals` reads them."""

from typing import Any

from django.core.management import CommandParser

from sessions_app.exchange.exports.csv_files import PROGRAMS
from sessions_app.exchange.exports.session_csv import club_totals_csv
from sessions_app.management.base import StoredCommand, club_named, write_exactly


class Command(StoredCommand):
    help = "Write all session totals of a club as CSV to standard output; import_totals reads it again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--club", required=True, help="address part of the club")

    def handle(self, *, club: str, **options: Any) -> None:
        write_exactly(self.stdout, club_totals_csv(club_named(club), names=PROGRAMS))
