"""Import a club's history: `import_totals FILE --club SLUG [--replace] [--beside] [--accept] [--columns]`."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management import CommandParser
from django.core.management.base import CommandError
from django.core.validators import validate_slug

from sessions_app.exchange.imports.sheet_import import (
    guess_choices,
    preview_sheets,
    save_sheets,
)
from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.exchange.imports.spreadsheets import read_workbook
from sessions_app.exchange.imports.summary import ACCEPTED, FIELD
from sessions_app.exchange.imports.totals import club_of, import_totals, with_known_names, with_own_leagues, wrong_days
from sessions_app.exchange.imports.totals_file import read_totals
from sessions_app.exchange.imports.totals_plan import Answers, Source
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
        parser.add_argument("--replace", action="store_true", help="put it in the place of what it has otherwise")
        parser.add_argument("--beside", action="store_true", help="keep the earlier import that this file continues")
        parser.add_argument(
            "--accept", action="store_true", help="its dates and totals are right; import it whatever looks wrong"
        )
        parser.add_argument(
            "--columns", action="store_true", help="read a club's own spreadsheet, with the columns as they are guessed"
        )
        parser.add_argument("--seasons", action="store_true", help="with --columns: add the seasons that are missing")

    def handle(self, *, file: str, club: str, **options: Any) -> None:
        try:
            source = Source(Path(file).name, Path(file).read_bytes())
            if options["columns"]:
                self.import_sheets(source, checked_slug(club), options)
                return
            slug = checked_slug(club)
            totals = read_totals(source.content, wrong_days(club_at(slug)))
            rows = with_own_leagues(club_at(slug), totals.rows)
            rows, names = with_known_names(club_at(slug), rows)
            answers = Answers.on_command_line(options["beside"], options["replace"], options["accept"])
            plan = import_totals(slug, rows, Actor(name="command line"), replace(source, names=names), answers)
        except OSError as error:
            raise CommandError(f"The file {file} cannot be read: {error.strerror}.") from None
        except ImportRefused as refusal:
            raise CommandError(f"Nothing was imported.\n{refusal}") from None
        for column in totals.other_columns:
            self.stderr.write(f"The column “{column}” is not used here.")
        self.stdout.write(str(plan))

    def import_sheets(self, source: Source, slug: str, options: dict[str, Any]) -> None:
        """Import a club's own spreadsheet; ImportRefused if anything looks wrong, and nothing is written."""
        replaces = options["replace"] or options["accept"]
        choices = {"accept_all": options["accept"], "unseen": not replaces, "seasons": options["seasons"], "checked": 1}
        data = {name: "1" for name, is_chosen in choices.items() if is_chosen}
        data |= {"where": "beside" if options["beside"] else "", "by_hand": "file" if replaces else ""}
        data |= {FIELD: ACCEPTED} if options["accept"] else {}
        with write_transaction():
            club, book = club_of(slug, []), read_workbook(source.content)
            guessed = guess_choices(club, book)
            if guessed.missing:
                raise ImportRefused(*guessed.missing)
            preview = preview_sheets(club, guessed, data, source)
            for sentence in preview.will_be.lines if preview.rows else ():
                self.stderr.write(sentence)
            plan = save_sheets(club, preview, by=Actor(name="command line"), source=source)
        for choice in preview.names.everyone:
            why = f" ({choice.reason})" if choice.reason else ""
            self.stderr.write(f"{choice.name}: {dict(choice.options)[choice.chosen]}{why}.")
        for sentence in [*book.notes, *preview.left_out]:
            self.stderr.write(sentence)
        self.stdout.write(str(plan))


def checked_slug(slug: str) -> str:
    try:
        validate_slug(slug)
    except ValidationError:
        raise CommandError("A club's address part has letters, numbers and hyphens only.") from None
    longest = Club._meta.get_field("slug").max_length or 0
    if len(slug) > longest:
        raise CommandError(f"A club's address part has at most {longest} letters.")
    return slug
