"""Import a club's history: `import_totals FILE --club SLUG [--replace] [--columns [NAMES]]`."""

from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management import CommandParser
from django.core.management.base import CommandError
from django.core.validators import validate_slug

from sessions_app.exchange.imports.sheet_headings import complete_headings
from sessions_app.exchange.imports.sheet_import import (
    guess_choices,
    preview_sheets,
    save_sheets,
    with_named_columns,
)
from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.exchange.imports.spreadsheets import read_workbook
from sessions_app.exchange.imports.totals import club_of, import_totals, wrong_days
from sessions_app.exchange.imports.totals_file import read_totals
from sessions_app.management.base import StoredCommand
from sessions_app.models import Club
from sessions_app.people.clubs import club_at
from sessions_app.people.log import Actor
from sessions_app.people.transactions import write_transaction


class Command(StoredCommand):
    help = "Import session totals from CSV, all or nothing; makes the club and players that are missing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="CSV file, UTF-8; with --columns any .csv, .xlsx or .ods")
        parser.add_argument("--club", required=True, help="address part of the club, e.g. bramley")
        parser.add_argument("--replace", action="store_true", help="use the file's figures where they differ")
        parser.add_argument(
            "--columns",
            nargs="?",
            const="",
            metavar="NAMES",
            help="read a club's own spreadsheet; e.g. player=Name,date=A,net=Score where the guess is wrong",
        )
        parser.add_argument("--accept", action="store_true", help="with --columns: import it whatever looks wrong")
        parser.add_argument("--seasons", action="store_true", help="with --columns: add the seasons that are missing")

    def handle(self, *, file: str, club: str, replace: bool, **options: Any) -> None:
        try:
            content = Path(file).read_bytes()
            if options["columns"] is not None:
                self.import_sheets(content, checked_slug(club), replace, options)
                return
            slug = checked_slug(club)
            totals = read_totals(content, wrong_days(club_at(slug)))
            done = import_totals(slug, totals.rows, Actor(name="command line"), replace)
        except OSError as error:
            raise CommandError(f"The file {file} cannot be read: {error.strerror}.") from None
        except ImportRefused as refusal:
            raise CommandError(f"Nothing was imported.\n{refusal}") from None
        for column in totals.other_columns:
            self.stderr.write(f"The column “{column}” is not used here.")
        self.stdout.write(str(done))

    def import_sheets(self, content: bytes, slug: str, replace: bool, options: dict[str, Any]) -> None:
        """Import a club's own spreadsheet; ImportRefused if anything looks wrong, and nothing is written."""
        choices = {"accept_all": options["accept"], "seasons": options["seasons"], "replace": replace, "checked": True}
        data = {name: "1" for name, is_chosen in choices.items() if is_chosen}
        with write_transaction():
            club, book = club_of(slug, []), complete_headings(read_workbook(content))
            columns = with_named_columns(book, guess_choices(club, book), options["columns"])
            preview = preview_sheets(club, book, columns, data)
            done = save_sheets(club, preview, data, by=Actor(name="command line"))
        for choice in preview.names.choices:
            self.stderr.write(f"{choice.name}: {preview.names.players[choice.name]} ({choice.reason}).")
        for sentence in [*book.notes, *preview.found.left_out]:
            self.stderr.write(sentence)
        self.stdout.write(str(done))


def checked_slug(slug: str) -> str:
    try:
        validate_slug(slug)
    except ValidationError:
        raise CommandError("A club's address part has letters, numbers and hyphens only.") from None
    longest = Club._meta.get_field("slug").max_length or 0
    if len(slug) > longest:
        raise CommandError(f"A club's address part has at most {longest} letters.")
    return slug
