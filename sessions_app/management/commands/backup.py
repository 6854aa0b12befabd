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

from sessions_app.exchange.backups import club_backup, full_backup, retention
from sessions_app.exchange.backups.retention import BackupError
from sessions_app.management.base import club_named, whole_number

UNITS = {"m": "minutes", "h": "hours", "d": "days"}


class Command(BaseCommand):
    help = "Write a backup, test it in a scratch database, and keep the newest; or write one club's backup as a zip."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--into", metavar="FOLDER", help="where to write it (backups/ in CLUBSCORE_VAR)")
        parser.add_argument(
            "--keep",
            type=whole_number,
            default=retention.KEEP,
            metavar="N",
            help=f"how many to keep of this kind ({retention.KEEP}; 0: all)",
        )
        parser.add_argument(
            "--keep-days",
            type=whole_number,
            metavar="DAYS",
            help=f"how old one may grow ({retention.KEEP_DAYS}; 0, or --keep 0: any age)",
        )
        parser.add_argument("--why", default=full_backup.DEFAULT_WHY, help="a word for the file's name (backup)")
        parser.add_argument("--every", type=span, metavar="TIME", help="make one every 30m, 24h or 7d")
        parser.add_argument(
            "--all",
            action="store_true",
            dest="every_session",
            help=f"replay every session, if there are more than {full_backup.REPLAYED}",
        )
        parser.add_argument("--if-any", action="store_true", help="do nothing where there is no database yet")
        parser.add_argument("--club", metavar="SLUG", help="only one club, as a zip that any installation can restore")

    def handle(self, *, every: timedelta | None, **options: Any) -> None:
        with exit_on_sigterm(0 if every else 128 + signal.SIGTERM):
            self._back_up(every=every, **options)

    def _back_up(self, *, into, keep, keep_days, why, every, if_any, club, **options):
        # ./run works in its own folder; paths are relative to the one it was called in.
        into = Path(os.environ.get("CLUBSCORE_CALLED_IN", ""), into) if into else None
        days = keep_days if keep_days is not None else retention.KEEP_DAYS if keep else 0
        if club:
            try:
                with full_backup.readable_errors():
                    return self._one_club(club, into or retention.folder(), keep, days)
            except BackupError as error:
                raise CommandError(f"No backup was made: {error}") from error
        while True:
            try:
                where = full_backup.vendor().location()
                if if_any and not full_backup.vendor().has_tables():
                    self.stdout.write(f"There is no database yet ({where}), so none was backed up.")
                else:
                    if if_any:
                        self.stdout.write(f"Backing up {where} ...")
                    self._whole_database(
                        into, keep, days, why, None if options["every_session"] else full_backup.REPLAYED
                    )
            except (BackupError, DatabaseError, OSError) as error:
                if every is None:
                    raise CommandError(f"No backup was made: {error}") from error
                self.stderr.write(f"No backup was made: {error}")
            if every is None:
                return
            connections.close_all()
            time.sleep(every.total_seconds())

    def _whole_database(self, into, keep, days, why, replayed):
        backup = full_backup.back_up(why, keep, into, days=days, replayed=replayed)
        facts, size = backup.facts, backup.size / 1_000_000
        report = f"{backup.path} ({size:.1f} MB, {facts['rows']} rows) was restored and is the same"
        if facts["differences"] is None:
            report += "; its database update has not run yet"
        else:
            report += full_backup.replayed_in_words(facts["sessions"], facts["replayed"])
        if facts["differences"]:
            report += (
                f"; but {facts['differences']} stored figures do not follow from the ledgers: run 'manage.py reconcile'"
            )
        self.stdout.write(f"{report}.")
        self._warn_of_the_clock(backup.path, days)

    def _one_club(self, slug, into, keep, days):
        if full_backup.pending_migrations():
            raise CommandError("The database is not ready for this version: run 'python manage.py migrate' first.")
        club = club_named(slug)
        path, rows = club_backup.write(club, into, keep, days)
        self.stdout.write(f"{path} holds {club.name}: {rows} rows.")
        self._warn_of_the_clock(path, days)

    def _warn_of_the_clock(self, path, days):
        warning = retention.clock_warning(path.parent, days)
        if warning:
            self.stderr.write(warning)


@contextmanager
def exit_on_sigterm(code: int) -> Iterator[None]:
    """Exit on SIGTERM, so that unfinished files are removed; process 1 of a container would ignore it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(code))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def span(text: str) -> timedelta:
    found = re.fullmatch(r"([1-9][0-9]{0,4})([mhd])", text)
    if not found:
        raise argparse.ArgumentTypeError(f"“{text}” is not a time such as 30m, 24h or 7d")
    return timedelta(**{UNITS[found[2]]: int(found[1])})
