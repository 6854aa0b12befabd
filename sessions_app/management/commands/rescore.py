"""Rescore stored sessions with the newest version of the rules, on all processors."""

import os
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import CommandError

from sessions_app.management.base import StoredCommand
from sessions_app.models import Club, Season
from sessions_app.people.log import Actor
from sessions_app.table.reconcile import parallel_map
from sessions_app.table.rescore import Rescored, look_at, preview_rescore, rescore_all, waiting_sessions

BY = Actor(name="The command rescore")


class Command(StoredCommand):
    help = "Rescore sessions that were scored with an older version of the rules. If stopped, run it again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--why", help="the reason, kept in the history; without it, see what would change")
        parser.add_argument("--club", metavar="SLUG", help="only this club's sessions")
        parser.add_argument("--season", type=int, metavar="ID", help="only this season's sessions")
        parser.add_argument("--processes", type=int, help="how many at once; as many as there are processors")

    def handle(
        self, *, why: str | None, club: str | None, season: int | None, processes: int | None, **options: Any
    ) -> None:
        if why is not None and not why.strip():
            raise CommandError("Give a reason with --why. It is kept in the history.")
        waiting = waiting_sessions(self._find(Club, slug=club), self._find(Season, pk=season))
        if not waiting:
            self.stdout.write("Every hand is scored with the newest version already.")
            return
        if why is None:
            for session_id in waiting:
                if words := preview_rescore(session_id):
                    self.stdout.write(words)
            self.stdout.write(f"{len(waiting):,} sessions are older. To rescore them, give a reason with --why.")
            return
        self.started, self.reported = time.monotonic(), 0.0
        done: Counter = Counter()
        try:
            for outcome in rescored(waiting, why, processes or os.cpu_count() or 1):
                done[outcome] += 1
                self._report_progress(done.total(), len(waiting))
        except KeyboardInterrupt:
            self.stdout.write(f"Stopped after {done.total():,} sessions. Run the same command for the rest.")
            return
        locked, changed = done[Rescored.LOCKED], done[Rescored.CHANGED]
        left = f" {locked:,} are in a season that has been locked since." if locked else ""
        taken = time.monotonic() - self.started
        self.stdout.write(f"{done.total():,} sessions in {taken:,.0f} s; in {changed:,} of them scores changed.{left}")

    def _find(self, model, **lookup):
        [value] = lookup.values()
        if value is None:
            return None
        found = model.objects.filter(**lookup).first()
        if found is None:
            raise CommandError(f"There is no {model._meta.verbose_name} {value}.")
        return found

    def _report_progress(self, done: int, number: int) -> None:
        now = time.monotonic()
        if now - self.reported >= 2:
            self.reported = now
            left = (number - done) * (now - self.started) / done
            self.stdout.write(f"{done:,} of {number:,} sessions; {left:,.0f} s to go.")


def rescored(session_ids: list[int], why: str, processes: int) -> Iterator[Rescored]:
    """Rescore sessions and yield each outcome; several processes compute, this one writes."""
    return rescore_all(session_ids, BY, why, lambda ids: parallel_map(look_at, ids, processes))
