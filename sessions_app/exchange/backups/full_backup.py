"""Backups of the whole database: written, tried out in a scratch database, kept in turn, and restored."""

import hashlib
import json
import os
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from sessions_app import database_state
from sessions_app.database_guards import drop_guards, make_guards, trigger_names
from sessions_app.exchange.backups import postgresql, sqlite
from sessions_app.exchange.backups.databases import BackupError, BrokenDatabase, compare, database_url, manage
from sessions_app.exchange.backups.retention import (
    KEEP,
    KEEP_DAYS,
    backups,
    facts_file,
    folder,
    kept,
    next_number,
    note_failure,
    note_made,
    read_facts,
    rotate,
    writing_into,
)

BY_HAND = "backup"

GONE = (
    "There is no database at {where}, but there was one, as {shown} shows. Stop Clubscore and restore a backup with "
    "'./run restore FILE'; or start an empty one with {begin}."
)

# So many sessions are replayed in seconds: all that a club has, and of a county's the newest half and others by chance.
REPLAYED = 2000
FAULTS = (DatabaseError, sqlite3.Error, psycopg.Error, subprocess.SubprocessError, OSError)


def vendor() -> Any:
    return {"sqlite": sqlite, "postgresql": postgresql}[connection.vendor]


def pending_migrations() -> list[Any]:
    """Return the names of the migrations this database still lacks."""
    return [name for _, name in database_state.pending_migrations(connection)]


def newer_than_this() -> Any:
    """Return the newest migration of the database that this version does not know, or None."""
    applied = MigrationRecorder(connection).applied_migrations()
    return max(database_state.unknown_migrations(applied), default=None)


def shown_by() -> Any:
    """Return the file that shows that there was a database where there is none now; None where nothing does."""
    if vendor() is sqlite and sqlite.live_path().exists() and MigrationRecorder(connection).applied_migrations():
        return None
    in_own_folder = vendor() is postgresql or sqlite.live_path().parent == settings.VAR_DIR
    found = [one.path for one in backups() if one.path.suffix == vendor().SUFFIX] if in_own_folder else []
    # Every write takes the lock of an SQLite file.
    written = [Path(f"{sqlite.live_path()}.lock")] if vendor() is sqlite else []
    return next((path for path in [*found, *written] if path.exists()), None)


@contextmanager
def faults_as_sentences() -> Iterator[Any]:
    """Turn what disks, databases and their programs raise into BackupError; BrokenDatabase where the file is none."""
    try:
        yield
    except FAULTS as error:
        is_broken = sqlite.is_broken(error) or sqlite.is_broken(error.__cause__)
        raise (BrokenDatabase if is_broken else BackupError)(str(error).strip().rstrip(".") + ".") from error


def back_up(
    why: str = BY_HAND,
    keep: Any = KEEP,
    into: Any = None,
    verify: bool = True,
    days: int = KEEP_DAYS,
    replayed: Any = REPLAYED,
) -> Any:
    """Write a backup, try it out, and let go of the oldest of its kind; return it as Kept.

    Of more sessions than `replayed` only so many are replayed; None: every one.

    BackupError where it could not be written or is not like the database; then no file of that name is left.
    """
    try:
        with faults_as_sentences():
            made = _write(why, into, verify, replayed)
            rotate(made, keep, days)
    except BackupError as error:
        note_failure(str(error))
        raise
    note_made(made)
    return made


def _write(why, into, verify, replayed):
    if not vendor().has_tables():
        raise BackupError("There is no database yet.")
    into = Path(into) if into else folder()
    with writing_into(into):
        return _write_into(into, why, verify, replayed)


def _write_into(into, why, verify, replayed):
    path = _free_name(into, why)
    # Written under another name, so that a backup broken off is never taken for one.
    unfinished = path.with_name(f".{path.name}.part")
    os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        prints = vendor().write(unfinished)
        facts = {
            "number": next_number(into),
            "made_at": timezone.now().isoformat(),
            "version": settings.VERSION,
            "database": vendor().version(),
            "pending": pending_migrations(),
            "tables": prints,
            "sha256": _digest(unfinished),
        }
        facts |= try_out(unfinished, facts, replayed) if verify else {"verified": False}
        _flush(unfinished)
        facts_file(path).write_text(json.dumps(facts, indent=1), encoding="utf-8")
        unfinished.rename(path)
    except BaseException:
        for left in (unfinished, facts_file(path)):
            left.unlink(missing_ok=True)
        raise
    return kept(path)


def _free_name(into, why):
    if not re.fullmatch(r"[a-z0-9_-]{1,60}", why):
        raise BackupError("Name the reason for a backup in small letters, digits and hyphens.")
    for seconds in range(60):
        stamp = datetime.fromtimestamp(timezone.now().timestamp() + seconds, UTC).strftime("%Y%m%d-%H%M%S")
        path = into / f"{stamp}-{why}{vendor().SUFFIX}"
        if not path.exists():
            return path
    raise BackupError(f"There are too many backups of this minute in {into}.")


def try_out(file: Any, facts: Any, replayed: Any) -> Any:
    """Restore a backup into a scratch database, compare its tables and replay sessions there; return what was found."""
    with vendor().restored(file) as (found, name):
        compare(facts["tables"], found)
        replays = _replays(name, replayed, facts["made_at"])
    return {"verified": True, "rows": sum(rows for rows, _ in found.values()), **replays}


def _replays(name, replayed, seed):
    """Return how many stored figures do not follow from the ledgers in a scratch database, and of how many sessions.

    None where it is older than the program.
    """
    if pending_migrations() or newer_than_this():
        return {"differences": None}
    some = [] if replayed is None else ["--at-most", str(replayed), "--seed", seed]
    done = manage(database_url(name), "reconcile", "--json", *some)
    try:
        found = json.loads(done.stdout)
    except ValueError as error:
        raise BackupError(f"The copy could not be read by Clubscore: {done.stderr.strip()[-300:]}") from error
    return {"differences": len(found["differences"]), "sessions": found["sessions"], "replayed": found["compared"]}


def replayed_in_words(sessions: Any, replayed: Any) -> str:
    """Say which sessions were replayed, where not all were."""
    if replayed == sessions:
        return ""
    newest = replayed // 2
    return f"; of its {sessions:,} sessions the newest {newest:,} and {replayed - newest:,} others were replayed again"


def restore(file: Any) -> Any:
    """Put a backup in the place of the database; return the backup of what was there before, if anything was.

    The file is tried out first; then what is there is backed up; then it is replaced and brought up to date.
    """
    with faults_as_sentences():
        return _restore(Path(file))


def _restore(file):
    if not file.is_file():
        raise BackupError(f"There is no file {file}.")
    if file.suffix != vendor().SUFFIX:
        raise BackupError(
            f"{file.name} is not a backup of this kind of database. Its name would end in {vendor().SUFFIX}. "
            "'copy_database' copies an SQLite database to PostgreSQL."
        )
    facts = read_facts(file)
    if facts and not (isinstance(facts.get("sha256"), str) and isinstance(facts.get("tables"), dict)):
        raise BackupError(f"{facts_file(file).name} is damaged. Move it away to restore without comparing.")
    if facts and facts["sha256"] != _digest(file):
        raise BackupError(f"{file.name} has been changed since it was made, or is damaged.")
    with vendor().restored(file) as (found, name):
        if facts:
            compare(facts["tables"], found)
        if "sessions_app_session" not in found:
            raise BackupError(f"{file.name} is not a backup of Clubscore.")
        _refuse_newer(file, vendor().applied(name))
        _refuse_foreign(file, vendor().programs(name))
    before = _back_up_what_is_there()
    vendor().replace(file)
    # By its name a guard may be ours and do something else: those of the file never act.
    with transaction.atomic():
        drop_guards(connection)
    call_command("migrate", interactive=False, verbosity=0)
    with transaction.atomic():
        make_guards(connection)
    return before


def _refuse_newer(file, applied):
    """This program would read tables that it does not know as if it knew them."""
    unknown = database_state.unknown_migrations(applied)
    if unknown:
        raise BackupError(
            f"{file.name} was made by a newer version of Clubscore than this one ({settings.VERSION}), which does not "
            f"know its {unknown[-1]}. Install that version and restore with it."
        )


def _refuse_foreign(file, programs):
    """What a database runs by itself could do anything later, unseen."""
    foreign = sorted(programs - trigger_names(connection.vendor))
    if foreign:
        raise BackupError(f"{file.name} holds {foreign[0]}, which Clubscore did not make. It was not restored.")


def _back_up_what_is_there():
    try:
        # Nothing goes for it: the file to be restored may be the oldest of its kind.
        return back_up("before-restore", keep=0, days=0, verify=False) if vendor().has_tables() else None
    except BrokenDatabase:
        # A file that cannot be read any more is moved aside, not lost.
        return None
    except BackupError as error:
        raise BackupError(f"What is there now could not be backed up first, so nothing was changed: {error}") from error


def _digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _flush(path):
    """See to it that the backup is on the disk before its name says so."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
