"""The backups in a folder: their names, writing a new one, which of the old ones stay, and how the last try ended."""

import json
import logging
import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django.utils.formats import date_format
from filelock import FileLock

from clubscore.logs import is_first

logger = logging.getLogger(__name__)

NAME = re.compile(r"(?P<made_at>\d{8}-\d{6})-(?P<why>[a-z0-9_-]+?)\.(sqlite3|dump|zip)\Z")
UNFINISHED = ".unfinished-backup"
# How many days, weeks and months keep their newest backup. As many as days are kept whenever they were made.
KEPT = (14, 8, 12)
# How old the newest backup may be, and how far in the future.
OLD, AHEAD = timedelta(days=2), timedelta(hours=1)
CHECKED_EVERY, DAY = 3600, 24 * 3600
PERIODS = (datetime.date, lambda made_at: made_at.isocalendar()[:2], lambda made_at: (made_at.year, made_at.month))


class BackupError(RuntimeError):
    """Why a backup cannot be made, trusted or restored, as a sentence for the operator."""


@dataclass(frozen=True)
class Backup:
    path: Path
    made_at: datetime
    why: str

    @property
    def size(self) -> int:
        return self.path.stat().st_size

    @property
    def kind(self) -> str:
        """Each club's are of a kind of their own; all those of the whole database are of one."""
        return self.why if self.path.suffix == ".zip" else ""


def folder() -> Path:
    return settings.VAR_DIR / "backups"


def read_backup(path: Path) -> Backup:
    """Return what a file's name says; ValueError if it is no backup."""
    found = NAME.match(path.name)
    if found is None:
        raise ValueError(f"{path.name} is no backup")
    made_at = datetime.strptime(found["made_at"], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    return Backup(path, made_at, found["why"])


def all_backups(into: Path | None = None) -> list[Backup]:
    """Return the backups in a folder, single clubs' too, the newest first."""
    found = []
    for path in (into or folder()).glob("*"):
        with suppress(ValueError):
            found.append(read_backup(path))
    return sorted(found, key=lambda backup: backup.path.name, reverse=True)


def full_backups(into: Path | None = None) -> list[Backup]:
    return [backup for backup in all_backups(into) if not backup.kind]


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let another process that makes or restores a backup finish first."""
    settings.VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    with FileLock(settings.VAR_DIR / "backup.lock", mode=0o600):
        yield


@contextmanager
def new_backup(into: Path, why: str, suffix: str) -> Iterator[tuple[Path, Path]]:
    """Yield a private file to write to, and the path that it gets if nothing goes wrong. One at a time.

    What a killed one left behind is removed first.
    """
    into.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished, path = into / UNFINISHED, _free_path(into, why, suffix)
    _remove_unfinished(into)
    os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield unfinished, path
        with unfinished.open("r+b") as file:
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        _remove_unfinished(into)


def _remove_unfinished(into: Path) -> None:
    for left in into.glob(f"{UNFINISHED}*"):
        left.unlink(missing_ok=True)


def _free_path(into, why, suffix):
    """Return the path for a new backup, named by the time; if it is taken, by one of the seconds after."""
    times = (timezone.now() + timedelta(seconds=seconds) for seconds in count())
    paths = (into / f"{time:%Y%m%d-%H%M%S}-{why}{suffix}" for time in times)
    return next(path for path in paths if not path.exists())


def remove_old(newest: Backup, kept: Iterable[int] = KEPT) -> None:
    """Remove the backups of the same kind that are not the newest of a day, week or month that is kept.

    One that is dated later was made while the clock was wrong: it stays, and takes no other's place.
    """
    alike = [backup for backup in all_backups(newest.path.parent) if backup.kind == newest.kind]
    found = [backup for backup in alike if backup.made_at <= newest.made_at]
    days, *_ = kept
    staying = {newest, *found[:days]}
    for number, period in zip(kept, PERIODS, strict=True):
        newest_of = {period(backup.made_at): backup for backup in reversed(found)}
        staying |= {newest_of[name] for name in sorted(newest_of, reverse=True)[:number]}
    for backup in set(found) - staying:
        backup.path.unlink(missing_ok=True)


def clock_warning(newest: Backup) -> str:
    """Return a sentence if a backup is dated long after the one just made, or ""."""
    ahead = newest.made_at + AHEAD
    later = next((backup.path.name for backup in all_backups(newest.path.parent) if backup.made_at > ahead), "")
    return later and f"{later} is dated later than this one. Check the clock; remove what was made while it was wrong."


# How the last try ended, wherever the backup was written


def last_try() -> tuple[Backup | None, str]:
    """Return the last backup that was made, and in a sentence a later failure."""
    try:
        noted = json.loads((folder() / "latest.json").read_text(encoding="utf-8"))
        return read_backup(Path(noted["made"])) if noted["made"] else None, str(noted["failed"])
    except (OSError, ValueError, LookupError, TypeError):
        return None, ""


def newest() -> Backup | None:
    """Return the newest backup of the whole database, wherever it was written."""
    return last_try()[0] or next(iter(full_backups()), None)


def worries() -> list[str]:
    """Return what is wrong with the backups, in sentences for the operator."""
    found, made = [], newest()
    if made is None:
        found.append(f"There is no backup yet. Run {settings.RUN} backup, and schedule it every night.")
    elif made.made_at > timezone.now() + AHEAD:
        found.append("The newest backup is dated in the future. Check the computer's clock.")
    elif made.made_at < timezone.now() - OLD:
        found.append("The newest backup is older than two days.")
    failed = last_try()[1]
    return [*found, failed] if failed else found


def watch() -> None:
    """Let it be heard once a day if no backup is newer than two days; each web process runs this in a thread."""
    while True:
        time.sleep(CHECKED_EVERY)
        try:
            complain_of_age()
        except Exception:
            logger.exception("Whether there is a backup could not be found out.")
        finally:
            connection.close()


def complain_of_age() -> None:
    made = newest()
    since = made.made_at if made else MigrationRecorder.Migration.objects.earliest("applied").applied
    if since < timezone.now() - OLD and is_first("no backup", DAY):
        what = "is newer than two days" if made else "has ever been made"
        logger.error("No backup %s: run %s backup, and schedule it every night.", what, settings.RUN)


def note_success(made: Backup) -> None:
    _note({"made": str(made.path), "failed": ""})


def note_failure(sentence: str) -> None:
    """Let a failure be heard: in the log, and so by email to FAULTS_TO, and on the operator's page."""
    logger.error("No backup was made: %s", sentence)
    made, _ = last_try()
    at = date_format(timezone.localtime(), r"j F Y \a\t H:i")
    _note({"made": str(made.path) if made else "", "failed": f"The last backup, on {at}, failed: {sentence}"})


def _note(facts: dict[str, Any]) -> None:
    """Replace the note in one step; a full disk is ignored, as the log has said it."""
    with suppress(OSError):
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = folder() / f".latest.json.{os.getpid()}"
        unfinished.write_text(json.dumps(facts, indent=1), encoding="utf-8")
        unfinished.replace(folder() / "latest.json")
