"""Compare stored results with the ledgers: silent and exit code 0 if all agree."""

import json
import sys
from dataclasses import asdict
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import CommandError

from sessions_app.management.base import StoredCommand
from sessions_app.table.reconcile import survey


class Command(StoredCommand):
    help = "Compare every stored result with its ledger; a line for each difference, and exit code 1 if there is one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--repair", action="store_true", help="rebuild results that differ from the ledgers")
        parser.add_argument(
            "--strict", action="store_true", help="count results of an older version of the rules as differences"
        )
        parser.add_argument(
            "--at-most", type=int, metavar="N", help="of more sessions, the newest N/2 and as many at random"
        )
        parser.add_argument("--seed", help="the same word picks the same random sessions")
        parser.add_argument("--json", action="store_true", help="print everything as JSON, with how many were compared")

    def handle(self, *, repair: bool, strict: bool, at_most: int | None, seed: Any, **options: Any) -> None:
        if at_most is not None and (repair or at_most < 2):
            raise CommandError("--at-most takes a number from 2, and goes with no --repair.")
        found = survey(repair, at_most=at_most, seed=seed)
        lines = [json.dumps(asdict(found), indent=1)] if options["json"] else found.sentences
        for line in lines:
            self.stdout.write(line)
        if repair and found.differences:
            self.stdout.write(f"Repaired: {len(found.differences)}.")
            found = survey()
        if found.differences or (strict and found.editions):
            sys.exit(1)
