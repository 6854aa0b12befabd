"""Load a meeting from its file: `load_club_night FILE [--json]`; differences go to standard error."""

import json
from pathlib import Path
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import CommandError

from sessions_app.exchange.imports.meeting import Brought, load_meeting
from sessions_app.exchange.imports.meeting_file import MAX_BYTES, read_meeting_file
from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.exchange.imports.totals_plan import Answers, Source
from sessions_app.management.base import StoredCommand, write_exactly
from sessions_app.people.log import Actor


class Command(StoredCommand):
    help = "Load a meeting, hand by hand, all or nothing. Loaded again, it changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="JSON file of the meeting")
        parser.add_argument("--accept", action="store_true", help="load it whatever looks wrong beside other tables")
        parser.add_argument("--json", action="store_true", help="print the totals as one JSON object")

    def handle(self, *, file: str, **options: Any) -> None:
        try:
            with Path(file).open("rb") as opened:
                content = opened.read(MAX_BYTES + 1)
            brought = Brought(source=Source(Path(file).name, content))
            answers = Answers(accepts_all=options["accept"])
            by = Actor(name="command line")
            loaded = load_meeting(read_meeting_file(content), by, brought, answers)
        except OSError as error:
            raise CommandError(f"The file {file} cannot be read: {error.strerror}.") from None
        except ImportRefused as refusal:
            raise CommandError(f"Nothing was loaded: {refusal}") from None
        self.report(loaded)
        if options["json"]:
            write_exactly(self.stdout, json.dumps(loaded.to_json(), ensure_ascii=False, indent=1) + "\n")
            return
        for number, final in loaded.tables:
            self.stdout.write(f"Table {number}: {in_words(final)}")
        self.stdout.write(f"All tables, best first: {in_words(loaded.session_totals)}")

    def say(self, sentence: str) -> None:
        self.stderr.write(sentence, str)

    def report(self, loaded: Any) -> None:
        for sentence in loaded.made:
            self.say(sentence)
        if not loaded.recorded:
            self.say("Everything was here already. Nothing was changed.")
        for heading, sentences in (
            ("Different from the file:", loaded.notes),
            ("Check these totals:", loaded.asked),
        ):
            if sentences:
                self.say("\n".join([heading, *(f"  {sentence}" for sentence in sentences)]))


def in_words(totals: dict[str, int]) -> str:
    return ", ".join(f"{name} {total}" for name, total in totals.items())
