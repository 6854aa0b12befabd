"""Copy the whole installation to another database: `copy_database --to postgresql://USER:PASSWORD@HOST/NAME`."""

from typing import Any

from django.core.management import CommandParser

from sessions_app.exchange.backups.databases import copy_to
from sessions_app.management.base import StoredCommand


class Command(StoredCommand):
    help = "Copy everything into another, empty database, SQLite to PostgreSQL or back."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", required=True, metavar="DATABASE_URL", help="the empty database to fill")

    def handle(self, *, to: str, **options: Any) -> None:
        rows = copy_to(to)
        self.stdout.write(f"{sum(rows.values())} rows of {len(rows)} tables were copied.")
        self.stdout.write("Start Clubscore with that address as DATABASE_URL from now on.")
