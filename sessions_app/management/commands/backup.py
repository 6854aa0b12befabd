"""Back up the whole database, or one club: `backup [--into FOLDER] [--keep N] [--every 24h]`, `backup --club SLUG`."""

import argparse
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections

from sessions_app.exchange.backups import club_restore
from sessions_app.exchange.backups import full_backup as whole
from sessions_app.exchange.backups import retention as kept
from sessions_app.exchange.backups.databases import BackupError
from sessions_app.management.base import NO_CLUB_AT, club_named

UNITS = {"m": "minutes", "h": "hours", "d": "days"}


class Command(BaseCommand):
    help = "Write a backup, test it in a scratch database, and keep the newest; or write one club's backup as a zip."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--into", metavar="FOLDER", help="where to write it (backups/ in CLUBSCORE_VAR)")
        parser.add_argument(
            "--keep",
            type=whole_number,
            default=kept.KEEP,
            metavar="N",
            help=f"how many to keep of this kind ({kept.KEEP}; 0: all)",
        )
        parser.add_argument(
            "--keep-days",
            type=whole_number,
            metavar="DAYS",
            help=f"how old one may grow ({kept.KEEP_DAYS}; 0, or --keep 0: any age)",
        )
        parser.add_argument("--why", default=whole.BY_HAND, help="a word for the file's name (backup)")
        parser.add_argument("--every", type=span, metavar="TIME", help="make one every 30m, 24h or 7d")
        parser.add_argument(
            "--all",
            action="store_true",
            dest="every_session",
            help=f"replay every session, if there are more than {whole.REPLAYED}",
        )
        parser.add_argument("--if-any", action="store_true", help="do nothing where there is no database yet")
        parser.add_argument("--club", metavar="SLUG", help="only one club, as a zip that any installation can restore")

    def handle(self, *, every: Any, **options: Any) -> Any:
        with ending_when_asked(0 if every else 128 + signal.SIGTERM):
            return self._back_up(every=every, **options)

    def _back_up(self, *, into, keep, keep_days, why, every, every_session, if_any, club, **options):
        # From where ./run was called, which goes into its own folder to work.
        into = Path(os.environ.get("CLUBSCORE_CALLED_IN", ""), into) if into else None
        days = keep_days if keep_days is not None else kept.KEEP_DAYS if keep else 0
        if club:
            try:
                with whole.faults_as_sentences():
                    return self._one_club(club, into, keep, days)
            except BackupError as error:
                raise CommandError(f"No backup was made: {error}") from error
        while True:
            try:
                where = whole.vendor().where()
                if if_any and not whole.vendor().has_tables():
                    self.stdout.write(f"There is no database yet ({where}), so none was backed up.")
                else:
                    if if_any:
                        self.stdout.write(f"Backing up {where} ...")
                    self._whole(into, keep, days, why, None if every_session else whole.REPLAYED)
            except (BackupError, DatabaseError, OSError) as error:
                if every is None:
                    raise CommandError(f"No backup was made: {error}") from error
                self.stderr.write(f"No backup was made: {error}")
            if every is None:
                return None
            connections.close_all()
            time.sleep(every.total_seconds())

    def _whole(self, into, keep, days, why, replayed):
        made = whole.back_up(why, keep, into, days=days, replayed=replayed)
        report = f"{made.path} ({made.size / 1_000_000:.1f} MB, {made.facts['rows']} rows) was restored and is the same"
        differences = made.facts["differences"]
        if differences is None:
            report += "; its database update has not run yet"
        else:
            report += whole.replayed_in_words(made.facts["sessions"], made.facts["replayed"])
        if differences:
            report += f"; but {differences} stored figures do not follow from the ledgers: run 'manage.py reconcile'"
        self.stdout.write(f"{report}.")
        self._tell_of_the_clock(made.path, days)

    def _one_club(self, slug, into, keep, days):
        if whole.pending_migrations():
            raise CommandError("The database is not ready for this version: run 'python manage.py migrate' first.")
        club = club_named(slug, NO_CLUB_AT)
        path, rows = club_restore.write(club, into or kept.folder(), keep, days)
        self.stdout.write(f"{path} holds {club.name}: {rows} rows.")
        self._tell_of_the_clock(path, days)

    def _tell_of_the_clock(self, made, days):
        warning = kept.clock_warning(made.parent, days)
        if warning:
            self.stderr.write(warning)


@contextmanager
def ending_when_asked(code: Any) -> Iterator[Any]:
    """End on SIGTERM with what is half written removed; process 1 of a container would not hear it otherwise."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(code))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def whole_number(text: str) -> int:
    if not text.isdecimal() or int(text) > 10_000:
        raise argparse.ArgumentTypeError(f"“{text}” is not a whole number from 0 to 10000")
    return int(text)


def span(text: str) -> Any:
    found = re.fullmatch(r"([1-9][0-9]{0,4})([mhd])", text)
    if not found:
        raise argparse.ArgumentTypeError(f"“{text}” is not a time such as 30m, 24h or 7d")
    return timedelta(**{UNITS[found[2]]: int(found[1])})
