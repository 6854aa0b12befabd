"""Take an import back: `take_back_import CLUB [ID]`; without an id it lists the imports that count."""

from typing import Any

from django.core.management import CommandParser
from django.core.management.base import CommandError

from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.exchange.imports.take_back import take_back
from sessions_app.management.base import StoredCommand, club_named
from sessions_app.models import Import
from sessions_app.people.log import Actor


class Command(StoredCommand):
    help = "Take an import of tables back, all or nothing, while nothing was changed at its tables since."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("club", help="address part of the club, e.g. bramley")
        parser.add_argument("id", nargs="?", type=int, help="the number of the import, as it is listed without one")

    def handle(self, *, club: str, id: int | None, **options: Any) -> None:
        found = club_named(club)
        imports = Import.objects.of_club(found).standing()
        if id is None:
            for row in imports.order_by("pk"):
                self.stdout.write(f"{row.pk}: {row.words}, {row.at:%Y-%m-%d %H:%M}")
            return
        chosen = imports.filter(pk=id).first()
        if chosen is None:
            raise CommandError(f"There is no import {id} that counts in {found.name}.")
        try:
            stay = take_back(chosen, by=Actor(name="command line"))
        except ImportRefused as refused:
            raise CommandError(f"Nothing was changed.\n{refused}") from None
        self.stdout.write(f"The import of {chosen.words} is taken back.")
        for name in stay:
            self.stderr.write(f"{name} stays on the list of players, as they are in use.")
