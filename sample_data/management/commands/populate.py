"""Fill the database with a realistic installation, to try out and to measure."""

import time

from django.utils import timezone

from sample_data.installation import populate
from sessions_app.management.base import StoredCommand


class Command(StoredCommand):
    help = "Add made-up clubs with years of play: sessions, ledgers and results as the tables would have written them."

    def add_arguments(self, parser):
        parser.add_argument("--clubs", type=int, default=50)
        parser.add_argument("--players", type=int, default=40, help="in each club")
        parser.add_argument("--hands", type=int, default=1_000_000, help="in all")
        parser.add_argument("--seed", type=int, default=1, help="the same seed makes the same installation")
        parser.add_argument("--processes", type=int, help="how many play at once; as many as there are processors")

    def handle(self, *, clubs, players, hands, seed, processes, **options):
        started = reported = time.monotonic()
        for progress in populate(clubs, players, hands, seed, timezone.localdate(), processes):
            now = time.monotonic()
            if now - reported >= 2:
                reported = now
                left = (progress.of - progress.hands) * (now - started) / progress.hands
                self.stdout.write(f"{progress.hands:,} of {progress.of:,} hands; {left:,.0f} s to go.")
        taken = time.monotonic() - started
        sessions = f"{progress.sessions:,} sessions of {clubs} clubs"
        self.stdout.write(f"{progress.hands:,} hands in {sessions} in {taken:,.0f} s.")
        self.stdout.write(f"The password of every login made (ambleside-u3a-mah-jong-secretary): {progress.password}")
