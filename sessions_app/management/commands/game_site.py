"""Write a site of files for games without a club, for any web host: `game_site FOLDER`."""

from pathlib import Path
from typing import Any

from django.core.management import CommandParser, call_command
from django.core.management.base import BaseCommand, CommandError

from sessions_app.web.game_site import GameSite, draw_site, write_site


class Command(BaseCommand):
    help = "Write the pages for games without a club as files for any web host, with no server behind them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--name", default="Clubscore", help="what the site is called")
        parser.add_argument("--contact", default="", help="an email address, or the address of a page")

    def handle(self, *, folder: Path, name: str, contact: str, **options: Any) -> None:
        # Its database is in memory and empty: nothing of a club can get into the site.
        call_command("migrate", verbosity=0)
        try:
            number, size = write_site(folder, draw_site(GameSite(name, contact)))
        except ValueError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"{number} files are in {folder}, {size / 1_000_000:.1f} MB. Put all of them on a web host.")
