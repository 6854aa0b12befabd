"""The backups that lie in a folder: their names, what was found when they were made, and which of them go."""

import json
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

NAME = re.compile(r"\d{8}-\d{6}-(?P<why>[a-z0-9_-]+?)\.(?P<ending>sqlite3|dump|zip)\Z")
KEEP = 14
KEEP_DAYS = 366


@dataclass(frozen=True)
class Kept:
    """A backup, with what was found when it was made."""

    path: Path
    made_at: datetime
    why: str
    size: int
    told: dict

    @property
    def is_verified(self):
        return bool(self.told.get("verified"))

    @property
    def is_whole(self):
        return self.path.suffix != ".zip"

    @property
    def kind(self):
        """Those made before a change are of one kind, whatever the change: each change comes but once."""
        return (self.path.suffix, "before" if self.why.startswith("before-") else self.why)


def folder():
    return settings.VAR_DIR / "backups"


def backups(into=None):
    """Return the backups of the whole database that lie in a folder, the newest first."""
    return [one for one in everything(into) if one.is_whole]


def everything(into=None):
    """Return the backups that lie in a folder, single clubs' too, the newest first."""
    into = Path(into) if into else folder()
    found = [kept(path) for path in into.glob("*") if NAME.match(path.name)] if into.is_dir() else []
    return sorted(found, key=lambda one: one.path.name, reverse=True)


def kept(path):
    stamp = datetime.strptime(path.name[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    return Kept(path, stamp, NAME.match(path.name)["why"], path.stat().st_size, read_beside(path))


def rotate(newest, keep=KEEP, days=KEEP_DAYS):
    """Remove what a new backup makes needless: of its kind all but the newest `keep`, and what is older than `days`.

    0 keeps all. By age a backup of the whole database takes the others of all kinds with it, one club's only its own.
    """
    found = everything(newest.path.parent)
    alike = [one for one in found if one.kind == newest.kind]
    aged = [one for one in found if one.is_whole] if newest.is_whole else alike
    oldest = newest.made_at - timedelta(days=days)
    gone = (alike[keep:] if keep else []) + ([one for one in aged if one.made_at < oldest] if days else [])
    for path in {one.path for one in gone}:
        beside(path).unlink(missing_ok=True)
        path.unlink(missing_ok=True)


def beside(path):
    """Return the name of the little file that tells about a backup."""
    return path.with_name(f"{path.name}.json")


def read_beside(path):
    return _read(beside(path))


# What became of the last try, wherever the backup was written


def latest():
    """Return what is known of the last backup of the whole database: `made`, and `failed` where a later try did."""
    return _read(folder() / "latest.json")


def note_made(one):
    made = {"path": str(one.path), "made_at": one.made_at.isoformat(), "size": one.size, "verified": one.is_verified}
    _note({"made": made, "failed": None})


def note_failure(sentence):
    failed = {"at": timezone.now().isoformat(), "sentence": sentence}
    _note({"made": latest().get("made"), "failed": failed})


def _note(told):
    """Written beside and renamed; a disk without room for it is told by the backup itself."""
    unfinished = folder() / f".latest.json.{os.getpid()}"
    with suppress(OSError):
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished.write_text(json.dumps(told, indent=1), encoding="utf-8")
        unfinished.rename(folder() / "latest.json")


def _read(path):
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}
