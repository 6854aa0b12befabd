"""Restore a backup: `restore FILE` for the whole database, `restore CLUB.zip [--as SLUG]` for one club."""

from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError

from sessions_app.exchange.backups import club_restore
from sessions_app.exchange.backups import full_backup as whole
from sessions_app.exchange.backups.databases import BackupError
from sessions_app.table.reconcile import survey


class Command(BaseCommand):
    help = "Replace the database with a backup, after backing it up; or restore one club from its zip."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--as", dest="slug", metavar="SLUG", help="another address part for a club from a zip")

    def handle(self, *, file: Any, slug: str, **options: Any) -> None:
        try:
            if file.endswith(".zip"):
                with whole.faults_as_sentences():
                    sentences = club_restore.restore(file, slug)
                self.stdout.write("\n".join(sentences))
                return
            before = whole.restore(file)
        except BackupError as error:
            raise CommandError(str(error)) from error
        if before:
            self.stdout.write(f"The database as it was before is kept in {before.path}.")
        found = survey(at_most=whole.REPLAYED)
        for sentence in found.differences:
            self.stdout.write(sentence)
        report = f"{file} is restored" + (", with the differences above" if found.differences else "")
        if found.compared < found.sessions:
            report += whole.replayed_in_words(found.sessions, found.compared)
            report += ". 'manage.py reconcile' checks them all"
        self.stdout.write(f"{report}.")
