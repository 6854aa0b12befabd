"""Score hands played from JSON Lines to JSON Lines; nothing is stored and no database is needed."""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError

from clubscore.scoring import ScoringError, score_hand_played

MAX_LINE = 100_000  # bytes; the longest hand played is far below


class NotJson(ValueError):
    """Why a line cannot be read, as a sentence."""


def _without_repeated_keys(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotJson("A key is there twice in one object.")
    return found


def _no_constant(name: str) -> None:
    raise NotJson(f"{name} is not a number.")


_decoder = json.JSONDecoder(object_pairs_hook=_without_repeated_keys, parse_constant=_no_constant)
_encode = json.JSONEncoder(ensure_ascii=True, separators=(", ", ": ")).encode


def read_line(line: bytes) -> dict[str, Any]:
    """Return the JSON object of one line; NotJson if there is none."""
    if len(line) > MAX_LINE:
        raise NotJson("The line is too long for a hand played.")
    try:
        data = _decoder.decode(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise NotJson("The line is not UTF-8.") from None
    except RecursionError:
        raise NotJson("The line has too many brackets within brackets.") from None
    except NotJson:
        raise
    except ValueError:
        raise NotJson("The line is not JSON.") from None
    if not isinstance(data, dict):
        raise NotJson("A hand played is a JSON object.")
    return data


def answers(lines: Iterable[bytes]) -> Iterator[tuple[str, bool]]:
    """Yield (a line of JSON, whether it is an error) for each line that is not empty."""
    for line in lines:
        line = line.strip(b" \t\r\n")
        if not line:
            continue
        ident = None
        try:
            data = read_line(line)
            ident = data.get("id") if isinstance(data.get("id"), str) else None
            yield _encode(score_hand_played(data)) + "\n", False
        except (NotJson, ScoringError) as error:
            yield _encode({"id": ident, "error": str(error)}) + "\n", True
        except ValueError:  # Python computes with numbers of thousands of digits, but does not write them.
            sentence = "A number in this hand is too large."
            yield _encode({"id": ident, "error": sentence}) + "\n", True


class Command(BaseCommand):
    help = "Score hands played: one JSON object a line in, one scored hand or error a line out."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", help="a file of hands played; standard input when absent")

    def handle(self, *, file: str | None = None, **options: Any) -> None:
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


def write_answers(source: Iterable[bytes]) -> bool:
    """Write the answer to each line, and return whether any was an error; stop if the reader does, as `head`."""
    failed = False
    try:
        for answer, is_error in answers(source):
            sys.stdout.write(answer)
            failed = failed or is_error
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return failed
