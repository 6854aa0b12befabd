"""Import a club's history: `import_totals FILE --club SLUG [--replace] [--beside] [--accept] [--seasons]`."""

from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management import CommandParser
from django.core.management.base import CommandError
from django.core.validators import validate_slug

from sessions_app.exchange.imports.sheet_import import guess_choices, preview_sheets, save_sheets
from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.exchange.imports.spreadsheets import read_workbook
from sessions_app.exchange.imports.summary import ACCEPTED, FIELD
from sessions_app.exchange.imports.totals_plan import Source
from sessions_app.management.base import StoredCommand
from sessions_app.models import Club
from sessions_app.people.clubs import club_at
from sessions_app.people.log import Actor
from sessions_app.people.transactions import write_transaction


class Command(StoredCommand):
    help = "Import totals of sessions, all or nothing; makes the club and players that are missing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="what Export wrote, or a club's own .csv, .xlsx or .ods")
        parser.add_argument("--club", required=True, help="address part of the club, e.g. bramley")
        parser.add_argument("--replace", action="store_true", help="put it in the place of what it has otherwise")
        parser.add_argument("--beside", action="store_true", help="keep the earlier import that this file continues")
        parser.add_argument(
            "--accept", action="store_true", help="its dates and totals are right; import it whatever looks wrong"
        )
        parser.add_argument("--seasons", action="store_true", help="add the seasons that are missing")

    def handle(self, *, file: str, club: str, **options: Any) -> None:
        slug = checked_slug(club)
        try:
            source = Source(Path(file).name, Path(file).read_bytes())
            self.import_file(source, slug, options)
        except OSError as error:
            raise CommandError(f"The file {file} cannot be read: {error.strerror}.") from None
        except ImportRefused as refusal:
            raise CommandError(f"Nothing was imported.\n{refusal}") from None

    def import_file(self, source: Source, slug: str, options: dict[str, Any]) -> None:
        """Import a file; ImportRefused if anything looks wrong, and nothing is written."""
        replaces = options["replace"] or options["accept"]
        choices = {"accept_all": options["accept"], "unseen": not replaces, "seasons": options["seasons"]}
        choices |= {"checked": True, "all_new": True}
        data = {name: "1" for name, is_chosen in choices.items() if is_chosen}
        data |= {"where": "beside" if options["beside"] else "", "by_hand": "file" if replaces else ""}
        with write_transaction():
            book, known = read_workbook(source.content), club_at(slug)
            club = known or Club.objects.create(slug=slug, name=slug.replace("-", " ").capitalize(), rules="bmja")
            guessed = guess_choices(club, book)
            if guessed.missing:
                raise ImportRefused(*guessed.missing)
            # What Export wrote is compared with nothing.
            data |= {FIELD: ACCEPTED} if options["accept"] or guessed.is_export else {}
            preview = preview_sheets(club, guessed, data, source)
            if known is None and (used := [row.rules for row in preview.rows]):
                # A new club plays by the rules that most rows have.
                Club.objects.filter(pk=club.pk).update(rules=max(sorted(set(used)), key=used.count))
            for sentence in preview.will_be.lines if preview.rows and not guessed.is_export else ():
                self.stderr.write(sentence)
            plan = save_sheets(club, preview, by=Actor(name="command line"), source=source)
        for choice in preview.names.everyone:
            why = f" ({choice.reason})" if choice.reason else ""
            self.stderr.write(f"{choice.name}: {dict(choice.options)[choice.chosen]}{why}.")
        for sentence in [*book.notes, *preview.left_out]:
            self.stderr.write(sentence)
        self.stdout.write(f"{plan.summary}.")


def checked_slug(slug: str) -> str:
    try:
        validate_slug(slug)
    except ValidationError:
        raise CommandError("A club's address part has letters, numbers and hyphens only.") from None
    longest = Club._meta.get_field("slug").max_length or 0
    if len(slug) > longest:
        raise CommandError(f"A club's address part has at most {longest} letters.")
    return slug
