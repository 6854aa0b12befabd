"""The backups that lie in a folder: their names, what was found when they were made, and which of them go."""

import fcntl
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

NAME = re.compile(r"\d{8}-\d{6}-(?P<why>[a-z0-9_-]+?)\.(?P<ending>sqlite3|dump|zip)\Z")
KEEP = 14
KEEP_DAYS = 366

# A clock is set right by seconds every day; and of two backups of the same second one is named some seconds later.
SET_RIGHT = timedelta(hours=1)


@dataclass(frozen=True)
class Kept:
    """A backup, with what was found when it was made."""

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
        """Its place in the order in which the folder's backups were made, whatever the clock said; 0: not known."""
        number = self.facts.get("number")
        return number if type(number) is int else 0

    @property
    def is_whole(self) -> bool:
        return self.path.suffix != ".zip"

    @property
    def kind(self) -> Any:
        """Those made before a change are of one kind, whatever the change: each change comes but once."""
        return (self.path.suffix, "before" if self.why.startswith("before-") else self.why)


def folder() -> Path:
    return settings.VAR_DIR / "backups"


def backups(into: Any = None) -> Any:
    """Return the backups of the whole database that lie in a folder, the newest first."""
    return [one for one in everything(into) if one.is_whole]


def everything(into: Path | None = None) -> list[Kept]:
    """Return the backups that lie in a folder, single clubs' too, the one made last first.

    Those without a number were made before there were numbers; of these the names tell.
    """
    into = Path(into) if into else folder()
    found = [kept(path) for path in into.glob("*") if _made_at(path.name)] if into.is_dir() else []
    return sorted(found, key=lambda one: (one.number, one.path.name), reverse=True)


def kept(path: Path) -> Kept:
    return Kept(path, _made_at(path.name), NAME.match(path.name)["why"], path.stat().st_size, read_facts(path))


def _made_at(name):
    """Return the time in a backup's name; None where the name is another file's."""
    if not NAME.match(name):
        return None
    with suppress(ValueError):
        return datetime.strptime(name[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)


@contextmanager
def writing_into(into: Any) -> Iterator[Any]:
    """Make the folder where it is missing, and remove what killed backups have left in it; nobody does while we write.

    On a disk that knows no locks nothing is removed.
    """
    into.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(into, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for left in _left_behind(into):
                left.unlink(missing_ok=True)
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_SH)
        yield
    finally:
        os.close(lock)


def _left_behind(into):
    """Return files half written, and those that tell of a backup which was never finished."""
    orphans = [path for path in into.glob("*.json") if _made_at(path.stem) and not path.with_suffix("").exists()]
    return [*into.glob(".*.part*"), *orphans]


def next_number(into: Any) -> int:
    return 1 + max((one.number for one in everything(into)), default=0)


def rotate(newest: Any, keep: Any = KEEP, days: int = KEEP_DAYS) -> None:
    """Remove what a new backup makes needless: of its kind all but the newest `keep`, and what is older than `days`.

    0 keeps all. By age a backup of the whole database takes the others of all kinds with it, one club's only its own.
    The new one itself stays whatever the clock says; so does what is dated later and has no number that would tell
    which came first. By age nothing goes that was made before the clock jumped.
    """
    # The new one is first: it has the highest number, or none has one and its name is the newest of what may go.
    found = [newest] + [
        one for one in everything(newest.path.parent) if one.path != newest.path and _is_before(one, newest)
    ]
    alike = [one for one in found if one.kind == newest.kind]
    aged = [one for one in found if one.is_whole] if newest.is_whole else alike
    jump = clock_jump(aged, days)
    if jump:
        aged = aged[: aged.index(jump[0]) + 1]
    oldest = newest.made_at - timedelta(days=days)
    gone = (alike[keep:] if keep else []) + ([one for one in aged if one.made_at < oldest] if days else [])
    for path in {one.path for one in gone} - {newest.path}:
        facts_file(path).unlink(missing_ok=True)
        path.unlink(missing_ok=True)


def _is_before(one, newest):
    return one.made_at <= newest.made_at or 0 < one.number < newest.number


def clock_jump(found: Any, days: int = KEEP_DAYS) -> Any:
    """Return the last two backups made one after the other between which the clock jumped, the later first, or None.

    It jumped back where the later one is dated before the earlier; a pause of more than `days` may be a jump forwards.
    """
    longest = timedelta(days=max(days, 31))
    for number, (later, earlier) in enumerate(pairwise(found)):
        # Of those without a number only the very last is known to have come after the one before.
        is_long = (later.number or number == 0) and later.made_at - earlier.made_at > longest
        if is_long or earlier.made_at - later.made_at > SET_RIGHT:
            return later, earlier
    return None


def clock_warning(into: Any = None, days: int = KEEP_DAYS) -> str:
    """Return a sentence where the clock jumped between backups that lie in a folder; else an empty one."""
    jump = clock_jump(everything(into), days or KEEP_DAYS)
    if not jump:
        return ""
    return (
        f"The computer's clock seems to have jumped: {jump[0].path.name} was made after {jump[1].path.name}. Check the "
        "clock. Backups from before the jump are not removed because of their age."
    )


def facts_file(path: Path) -> Path:
    """Return the name of the little file that tells about a backup."""
    return path.with_name(f"{path.name}.json")


def read_facts(path: Path) -> dict[Any, Any]:
    return _read(facts_file(path))


# What became of the last try, wherever the backup was written


def latest() -> dict[Any, Any]:
    """Return what is known of the last backup of the whole database: `made`, and `failed` where a later try did."""
    return _read(folder() / "latest.json")


def note_made(one: Any) -> None:
    made = {"path": str(one.path), "made_at": one.made_at.isoformat(), "size": one.size, "verified": one.is_verified}
    _note({"made": made, "failed": None})


def note_failure(sentence: str) -> None:
    failed = {"at": timezone.now().isoformat(), "sentence": sentence}
    _note({"made": latest().get("made"), "failed": failed})


def _note(facts):
    """Write it under another name, then rename it; the backup itself reports a full disk."""
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
