"""Backups of the whole database: written, tried out in a scratch database, kept in turn, and restored."""
import hashlib
import json
import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from . import postgresql, sqlite
from .errors import BackupError
from .fingerprints import compare
from .scratch import database_url, manage

NAME = re.compile(r"\d{8}-\d{6}-(?P<why>[a-z0-9_-]+?)\.(sqlite3|dump)\Z")
BY_HAND = "backup"
KEEP = 14


@dataclass(frozen=True)
class Kept:
    """A backup that lies in the folder, with what was found when it was made."""

    path: Path
    made_at: datetime
    why: str
    size: int
    told: dict

    @property
    def is_verified(self):
        return bool(self.told.get("verified"))


def vendor():
    return {"sqlite": sqlite, "postgresql": postgresql}[connection.vendor]


def folder():
    return settings.VAR_DIR / "backups"


def pending_migrations():
    """Return the names of the migrations this database still lacks."""
    executor = MigrationExecutor(connection)
    return [step.name for step, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def back_up(why=BY_HAND, keep=KEEP, into=None, verify=True):
    """Write a backup, try it out, and let go of the oldest of its kind; return it as Kept.

    BackupError where it could not be written or is not like the database; then no file of that name is left.
    """
    if not vendor().has_tables():
        raise BackupError("There is no database yet.")
    into = Path(into) if into else folder()
    into.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = _free_name(into, why)
    # Written under another name, so that a backup broken off is never taken for one.
    unfinished = path.with_name(f".{path.name}.part")
    os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        prints = vendor().write(unfinished)
        told = {"made_at": timezone.now().isoformat(), "version": settings.VERSION, "database": vendor().version(),
                "pending": pending_migrations(), "tables": prints, "sha256": _digest(unfinished)}  # fmt: skip
        told |= try_out(unfinished, prints) if verify else {"verified": False}
        _flush(unfinished)
        unfinished.rename(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    beside(path).write_text(json.dumps(told, indent=1), encoding="utf-8")
    rotate(into, why, keep)
    return kept(path)


def _free_name(into, why):
    if not re.fullmatch(r"[a-z0-9_-]{1,60}", why):
        raise BackupError("What a backup is for is said in small letters, figures and hyphens.")
    for seconds in range(60):
        stamp = datetime.fromtimestamp(timezone.now().timestamp() + seconds, UTC).strftime("%Y%m%d-%H%M%S")
        path = into / f"{stamp}-{why}{vendor().SUFFIX}"
        if not path.exists():
            return path
    raise BackupError(f"There are too many backups of this minute in {into}.")


def try_out(file, prints):
    """Restore a backup into a scratch database, compare every table, and reconcile there; return what was found."""
    with vendor().restored(file) as (found, name):
        if prints is not None:
            compare(prints, found)
        differences = _reconciled(name)
    return {"verified": True, "rows": sum(rows for rows, _ in found.values()), "differences": differences}


def _reconciled(name):
    """Return how many stored figures do not follow from the ledgers in a scratch database; None where it is older."""
    if pending_migrations():
        return None
    done = manage(database_url(name), "reconcile")
    if done.returncode not in (0, 1) or (done.returncode == 1 and not done.stdout):
        raise BackupError(f"The copy could not be read by Clubscore: {done.stderr.strip()[-300:]}")
    return len(done.stdout.splitlines()) if done.returncode else 0


def restore(file):
    """Put a backup in the place of the database; return the backup of what was there before, if anything was.

    The file is tried out first; then what is there is backed up; then it is replaced and brought up to date.
    """
    file = Path(file)
    if not file.is_file():
        raise BackupError(f"There is no file {file}.")
    if file.suffix != vendor().SUFFIX:
        raise BackupError(
            f"{file.name} is no backup of this kind of database: its name would end in {vendor().SUFFIX}. "
            "'copy_database' brings an SQLite database to PostgreSQL."
        )
    told = read_beside(file)
    if told and told["sha256"] != _digest(file):
        raise BackupError(f"{file.name} is not as it was when it was made: it was changed or is damaged.")
    with vendor().restored(file) as (found, _):
        if told:
            compare(told["tables"], found)
        if "sessions_app_session" not in found:
            raise BackupError(f"{file.name} is no backup of Clubscore.")
    before = _back_up_what_is_there()
    vendor().replace(file)
    call_command("migrate", interactive=False, verbosity=0)
    return before


def _back_up_what_is_there():
    try:
        return back_up("before-restore", keep=KEEP, verify=False) if vendor().has_tables() else None
    except Exception as error:
        if connection.vendor == "sqlite":
            # A file that cannot be read any more is moved aside, not lost.
            return None
        raise BackupError(f"What is there now could not be backed up first, so nothing was changed: {error}") from error


def rotate(into, why, keep):
    """Remove the oldest backups made for the same reason, so that `keep` are left; 0 keeps all."""
    if not keep:
        return
    for old in [one for one in backups(into) if one.why == why][keep:]:
        beside(old.path).unlink(missing_ok=True)
        old.path.unlink()


def backups(into=None):
    """Return the backups that lie in the folder, the newest first."""
    into = Path(into) if into else folder()
    found = [kept(path) for path in into.glob("*") if NAME.match(path.name)] if into.is_dir() else []
    return sorted(found, key=lambda one: one.path.name, reverse=True)


def kept(path):
    stamp = datetime.strptime(path.name[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    return Kept(path, stamp, NAME.match(path.name)["why"], path.stat().st_size, read_beside(path))


def beside(path):
    """Return the name of the little file that tells about a backup."""
    return path.with_name(f"{path.name}.json")


def read_beside(path):
    try:
        return json.loads(beside(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _flush(path):
    """See to it that the backup is on the disk before its name says so."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
