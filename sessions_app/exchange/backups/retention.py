"""The backups in a folder: their names, the facts noted about them, writing a new one, and which are removed."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone
from filelock import FileLock

NAME = re.compile(r"\d{8}-\d{6}-(?P<why>[a-z0-9_-]+?)\.(?P<ending>sqlite3|dump|zip)\Z")
KEEP = 14
KEEP_DAYS = 366

# Clocks are adjusted by seconds every day, and a backup may be named some seconds ahead (free_path).
SMALL_CORRECTION = timedelta(hours=1)


class BackupError(RuntimeError):
    """Why a backup cannot be made, trusted or restored, as a sentence for the operator."""


@dataclass(frozen=True)
class Backup:
    """A backup, with the facts noted when it was made."""

    path: Path
    made_at: datetime
    why: str
    size: int
    facts: dict

    @property
    def is_verified(self) -> bool:
        return bool(self.facts.get("verified"))

    @property
    def number(self) -> int:
        """Its place in the order in which the folder's backups were made, whatever the clock said; 0 if unknown."""
        number = self.facts.get("number")
        return number if type(number) is int else 0

    @property
    def is_full(self) -> bool:
        return self.path.suffix != ".zip"

    @property
    def kind(self) -> tuple[str, str]:
        """Backups made before any change are of one kind, as no change is made twice."""
        return (self.path.suffix, "before" if self.why.startswith("before-") else self.why)


def folder() -> Path:
    return settings.VAR_DIR / "backups"


def full_backups(into: Path | None = None) -> list[Backup]:
    """Return the backups of the whole database in a folder, the newest first."""
    return [backup for backup in all_backups(into) if backup.is_full]


def all_backups(into: Path | None = None) -> list[Backup]:
    """Return the backups in a folder, single clubs' too, the newest first: by number, old ones without it by name."""
    into = into or folder()
    found = [read_backup(path) for path in into.glob("*") if _made_at(path.name)] if into.is_dir() else []
    return sorted(found, key=lambda backup: (backup.number, backup.path.name), reverse=True)


def read_backup(path: Path) -> Backup:
    named = NAME.match(path.name)
    return Backup(path, _made_at(path.name), named["why"] if named else "", path.stat().st_size, read_facts(path))


def _made_at(name):
    """Return the time in a backup's name; None for any other file."""
    if not NAME.match(name):
        return None
    with suppress(ValueError):
        return datetime.strptime(name[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)


def free_path(into: Path, why: str, suffix: str) -> Path:
    """Return a path for a new backup, named by the time; if it is taken, by one of the seconds after."""
    now = timezone.now()
    for seconds in range(60):
        path = into / f"{now + timedelta(seconds=seconds):%Y%m%d-%H%M%S}-{why}{suffix}"
        if not path.exists() and not _unfinished(path).exists():
            return path
    raise BackupError(f"There are too many backups of this minute in {into}.")


def _unfinished(path: Path) -> Path:
    """Return where a backup is written first: one that was cut short never has a backup's name."""
    return path.with_name(f".{path.name}.part")


@contextmanager
def new_backup(path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield a private file to write the backup to, and a dict for its facts; both get their names in the end.

    One at a time for a folder; what killed ones left behind is removed first.
    """
    into = path.parent
    unfinished = _unfinished(path)
    facts: dict[str, Any] = {}
    into.mkdir(mode=0o700, parents=True, exist_ok=True)
    with FileLock(into / ".lock", mode=0o600):
        for left in _left_behind(into):
            left.unlink(missing_ok=True)
        os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            yield unfinished, facts
            with unfinished.open("rb") as file:
                os.fsync(file.fileno())
            facts["number"] = 1 + max((backup.number for backup in all_backups(into)), default=0)
            facts_file(path).write_text(json.dumps(facts, indent=1), encoding="utf-8")
            unfinished.rename(path)
        except BaseException:
            for left in (unfinished, facts_file(path)):
                left.unlink(missing_ok=True)
            raise


def _left_behind(into):
    """Return unfinished backups, and facts of backups that were never finished."""
    orphans = [path for path in into.glob("*.json") if _made_at(path.stem) and not path.with_suffix("").exists()]
    return [*into.glob(".*.part*"), *orphans]


def rotate(newest: Backup, keep: int = KEEP, days: int = KEEP_DAYS) -> None:
    """Remove the backups of the same kind beyond the newest `keep`, and those older than `days`; 0 means no limit.

    By age, a full backup removes those of every kind, and a club's backup only its own kind. The new one always stays,
    and so does one without a number that is dated later. After a clock jump, nothing from before it is removed by age.
    """
    # The new one comes first: it has the highest number, or none has one and its name is the last.
    found = [newest] + [
        backup
        for backup in all_backups(newest.path.parent)
        if backup.path != newest.path and (backup.made_at <= newest.made_at or 0 < backup.number < newest.number)
    ]
    alike = [backup for backup in found if backup.kind == newest.kind]
    aged = [backup for backup in found if backup.is_full] if newest.is_full else alike
    jump = clock_jump(aged, days)
    if jump:
        aged = aged[: aged.index(jump[0]) + 1]
    oldest = newest.made_at - timedelta(days=days)
    removed = (alike[keep:] if keep else []) + ([backup for backup in aged if backup.made_at < oldest] if days else [])
    for path in {backup.path for backup in removed} - {newest.path}:
        facts_file(path).unlink(missing_ok=True)
        path.unlink(missing_ok=True)


def clock_jump(found: list[Backup], days: int = KEEP_DAYS) -> tuple[Backup, Backup] | None:
    """Return the newest two consecutive backups between which the clock jumped, the later first.

    It jumped back if the later one has the earlier date. A pause of more than `days` may be a jump forwards.
    """
    longest = timedelta(days=max(days, 31))
    for number, (later, earlier) in enumerate(pairwise(found)):
        # Without numbers, only the newest is known to have been made after the one before it.
        is_long = (later.number or number == 0) and later.made_at - earlier.made_at > longest
        if is_long or earlier.made_at - later.made_at > SMALL_CORRECTION:
            return later, earlier
    return None


def clock_warning(into: Path | None = None, days: int = KEEP_DAYS) -> str:
    """Return a sentence if the clock jumped between the backups in a folder, or ""."""
    jump = clock_jump(all_backups(into), days or KEEP_DAYS)
    if not jump:
        return ""
    return (
        f"The computer's clock seems to have jumped: {jump[0].path.name} was made after {jump[1].path.name}. Check the "
        "clock. Backups from before the jump are not removed because of their age."
    )


def facts_file(path: Path) -> Path:
    """Return the path of the JSON file with the facts about a backup."""
    return path.with_name(f"{path.name}.json")


def read_facts(path: Path) -> dict[str, Any]:
    return _read(facts_file(path))


# The outcome of the last attempt, wherever the backup was written


def latest() -> dict[str, Any]:
    """Return the last full backup as `made`, and a later failure as `failed`."""
    return _read(folder() / "latest.json")


def save_success(backup: Backup) -> None:
    made = {
        "path": str(backup.path),
        "made_at": backup.made_at.isoformat(),
        "size": backup.size,
        "verified": backup.is_verified,
    }
    _save_latest({"made": made, "failed": None})


def save_failure(sentence: str) -> None:
    failed = {"at": timezone.now().isoformat(), "sentence": sentence}
    _save_latest({"made": latest().get("made"), "failed": failed})


def _save_latest(facts):
    """Replace the file in one step; a full disk is ignored, as the backup itself reports it."""
    unfinished = folder() / f".latest.json.{os.getpid()}"
    with suppress(OSError):
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished.write_text(json.dumps(facts, indent=1), encoding="utf-8")
        unfinished.rename(folder() / "latest.json")


def _read(path):
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}
