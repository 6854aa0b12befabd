"""Score hands played from JSON Lines to JSON Lines; nothing is stored and no database is needed."""

import os
import sys
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError

from sessions_app.exchange.imports.hand_lines import answers


class Command(BaseCommand):
    help = "Score hands played: one JSON object a line in, one scored hand or error a line out."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", help="a file of hands played; standard input when absent")

    def handle(self, *args: Any, file: Any = None, **options: Any) -> None:
        if not file:
            failed = write_answers(sys.stdin.buffer)
        else:
            try:
                with open(file, "rb") as source:
                    failed = write_answers(source)
            except OSError as error:
                raise CommandError(f"The file {file} cannot be read: {error.strerror}.") from error
        if failed:
            sys.exit(1)


def write_answers(source: Any) -> Any:
    """Write an answer for each line of bytes; tell whether any was an error.

    Whoever reads may stop early, as `head` does: then nothing more is scored and nothing is said.
    """
    failed = False
    try:
        for answer, is_error in answers(source):
            sys.stdout.write(answer)
            failed = failed or is_error
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return failed
