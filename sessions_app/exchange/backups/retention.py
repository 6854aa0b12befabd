"""The backups in a folder: their names, writing a new one, which of the old ones stay, and how the last try ended."""

import json
import logging
import os
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django.utils.formats import date_format
from filelock import FileLock

from clubscore.site.logs import is_first

logger = logging.getLogger(__name__)

NAME = re.compile(r"(\d{8}-\d{6})-([a-z0-9_-]+)\.(?:sqlite3|dump|zip)")
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
    found = NAME.fullmatch(path.name)
    if found is None:
        raise ValueError(f"{path.name} is no backup")
    return Backup(path, datetime.strptime(found[1], "%Y%m%d-%H%M%S").replace(tzinfo=UTC), found[2])


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
def scratch_folder(path: Path) -> Iterator[Path]:
    """Yield an empty, private folder, without what a killed process left there. One at a time."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(mode=0o700)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def new_backup(into: Path, why: str, suffix: str) -> Iterator[tuple[Path, Backup]]:
    """Yield a private file to write to, and the backup that it becomes if nothing goes wrong. One at a time."""
    while (path := into / f"{timezone.now():%Y%m%d-%H%M%S}-{why}{suffix}").exists():
        time.sleep(0.1)
    if not NAME.fullmatch(path.name):
        raise BackupError("Name the reason for a backup in small letters, digits and hyphens.")
    into.mkdir(mode=0o700, parents=True, exist_ok=True)
    with scratch_folder(into / ".unfinished") as scratch:
        unfinished = scratch / path.name
        unfinished.touch(0o600)
        yield unfinished, read_backup(path)
        with unfinished.open("r+b") as file:
            os.fsync(file.fileno())
        unfinished.replace(path)


def remove_old(newest: Backup, kept: Sequence[int] = KEPT) -> None:
    """Remove the backups of the same kind that are not the newest of a day, week or month that is kept.

    One that is dated later was made while the clock was wrong: it stays, and takes no other's place.
    """
    found = all_backups(newest.path.parent)
    if found[0].made_at > newest.made_at + AHEAD:
        ahead = "%s is dated later than this one. Check the clock; remove what was made while it was wrong."
        logger.warning(ahead, found[0].path.name)
    alike = [backup for backup in found if backup.kind == newest.kind and backup.made_at <= newest.made_at]
    staying = {newest, *alike[: kept[0]]}
    for number, period in zip(kept, PERIODS, strict=True):
        newest_of = {period(backup.made_at): backup for backup in reversed(alike)}
        staying |= {newest_of[name] for name in sorted(newest_of, reverse=True)[:number]}
    for backup in set(alike) - staying:
        backup.path.unlink(missing_ok=True)


# How the last try ended, wherever the backup was written


def last_try() -> tuple[Backup | None, str]:
    """Return the last backup that was made, and in a sentence a later failure."""
    try:
        noted = json.loads((folder() / "latest.json").read_text(encoding="utf-8"))
        return read_backup(Path(noted["made"])) if noted["made"] else None, str(noted["failed"])
    except (OSError, ValueError, LookupError, TypeError):
        return None, ""


def note_success(made: Backup) -> None:
    _note(str(made.path), "")


def note_failure(sentence: str) -> None:
    """Let a failure be heard: in the log, and so by email to FAULTS_TO, and on the operator's page."""
    small = sentence.startswith(("The ", "There "))
    logger.error("No backup was made: %s", sentence[0].lower() + sentence[1:] if small else sentence)
    made, _ = last_try()
    at = date_format(timezone.localtime(), r"j F Y \a\t H:i")
    _note(str(made.path) if made else "", f"The last backup, on {at}, failed: {sentence}")


def _note(made: str, failed: str) -> None:
    """Note in one step how a try ended; a full disk is ignored, as the log has said it."""
    with suppress(OSError):
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = folder() / f".latest.json.{os.getpid()}"
        unfinished.write_text(json.dumps({"made": made, "failed": failed}), encoding="utf-8")
        unfinished.replace(folder() / "latest.json")


def worries() -> list[str]:
    """Return what is wrong with the backups, in sentences for the operator."""
    last, failed = last_try()
    newest = last or next(iter(full_backups()), None)
    if newest is None:
        age = f"There is no backup yet. Run {settings.RUN} backup, and schedule it every night."
    elif newest.made_at > timezone.now() + AHEAD:
        age = "The newest backup is dated in the future. Check the computer's clock."
    elif newest.made_at < timezone.now() - OLD:
        age = "The newest backup is older than two days."
    else:
        age = ""
    return [sentence for sentence in (age, failed) if sentence]


def watch() -> None:
    """Let worries about backups be heard; each web process runs this in a thread."""
    while True:
        time.sleep(CHECKED_EVERY)
        try:
            complain()
        except Exception:
            logger.exception("Whether there is a backup could not be found out.")
        finally:
            connection.close()


def complain() -> None:
    """Log worries once a day; in a new installation, from the third day on."""
    since = MigrationRecorder.Migration.objects.earliest("applied").applied
    if since < timezone.now() - OLD and (found := worries()) and is_first("no backup", DAY):
        logger.error(" ".join(found))
