"""Import a club's history: `import_totals FILE.csv --club SLUG [--replace]`."""

from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management import CommandParser
from django.core.management.base import CommandError
from django.core.validators import validate_slug

from sessions_app.exchange.imports.sheet_text import ImportRefused
from sessions_app.exchange.imports.totals import import_totals
from sessions_app.exchange.imports.totals_file import read_totals
from sessions_app.management.base import StoredCommand
from sessions_app.models import Club
from sessions_app.people.log import Actor
from sessions_app.rules.club_rules import known_rule_sets


class Command(StoredCommand):
    help = "Import session totals from CSV, all or nothing; makes the club and players that are missing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="CSV file, UTF-8")
        parser.add_argument("--club", required=True, help="address part of the club, e.g. bramley")
        parser.add_argument("--replace", action="store_true", help="use the file's figures where they differ")

    def handle(self, *args: Any, file: Any, club: Club, replace: Any, **options: Any) -> None:
        try:
            content = Path(file).read_bytes()
            totals = read_totals(content, known_rule_sets())
            done = import_totals(checked_slug(club), totals.rows, Actor(name="command line"), replace)
        except OSError as error:
            raise CommandError(f"The file {file} cannot be read: {error.strerror}.") from None
        except ImportRefused as refusal:
            raise CommandError(f"Nothing was imported.\n{refusal}") from None
        for column in totals.other_columns:
            self.stderr.write(f"The column “{column}” is not used here.")
        self.stdout.write(str(done))


def checked_slug(slug: str) -> str:
    try:
        validate_slug(slug)
    except ValidationError:
        raise CommandError("A club's address part has letters, numbers and hyphens only.") from None
    longest = Club._meta.get_field("slug").max_length
    if len(slug) > longest:
        raise CommandError(f"A club's address part has at most {longest} letters.")
    return slug
