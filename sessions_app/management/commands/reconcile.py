"""Say where stored results differ from the ledgers: silent and exit code 0 when all agree."""

import sys

from sessions_app.management.stored import StoredCommand
from sessions_app.services.reconcile import survey


class Command(StoredCommand):
    help = "Compare every stored result with its ledger; a line for each difference, and exit code 1 if there is one."

    def add_arguments(self, parser):
        parser.add_argument("--repair", action="store_true", help="rebuild what differs from the ledgers")
        parser.add_argument(
            "--strict", action="store_true", help="count results of an older edition of the rules as differences"
        )

    def handle(self, *, repair, strict, **options):
        found = survey(repair)
        for sentence in found.sentences:
            self.stdout.write(sentence)
        if repair and found.differences:
            self.stdout.write(f"Repaired: {len(found.differences)}.")
            found = survey()
        if found.differences or (strict and found.editions):
            sys.exit(1)
