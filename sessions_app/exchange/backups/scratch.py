"""Other databases beside the own one: scratch ones to try a backup in, and the own one as it was at one moment."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.db import connections, transaction


@contextmanager
def other_database(alias: Any, **different: Any) -> Iterator[Any]:
    """Give Django a further database under an alias: like the own one but for what is different."""
    own = connections["default"].settings_dict
    connections.databases[alias] = {**own, "TEST": dict(own["TEST"]), **different}
    try:
        yield alias
    finally:
        connections[alias].close()
        del connections[alias]
        del connections.databases[alias]


@contextmanager
def scratch_folder(prefix: Any) -> Iterator[Any]:
    """Yield a temporary folder that goes afterwards; those that killed ones have left behind go first."""
    for left in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        # An empty one may just have been made, and not be locked yet.
        with suppress(OSError), _locked(left):
            if any(left.iterdir()):
                shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=prefix) as folder, _locked(folder, fcntl.LOCK_EX):
        yield Path(folder)


@contextmanager
def _locked(folder, how=fcntl.LOCK_EX | fcntl.LOCK_NB):
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, how)
        yield
    finally:
        os.close(lock)


@contextmanager
def one_moment() -> Iterator[Any]:
    """Yield the alias by which the whole own database is read as it is now, whoever writes meanwhile."""
    options = dict(connections["default"].settings_dict["OPTIONS"])
    if connections["default"].vendor == "sqlite":
        options["transaction_mode"] = "DEFERRED"
    with other_database("one-moment", OPTIONS=options) as alias, transaction.atomic(using=alias):
        if connections[alias].vendor == "postgresql":
            with connections[alias].cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield alias


def database_url(name: str) -> str:
    """Return the DATABASE_URL of a database of this name: a file, or on the own PostgreSQL server."""
    own = connections["default"]
    if own.vendor == "sqlite":
        return f"sqlite:///{name}"
    told = own.settings_dict
    password = f":{quote(told['PASSWORD'], safe='')}" if told["PASSWORD"] else ""
    port = f":{told['PORT']}" if told["PORT"] else ""
    return f"postgresql://{quote(told['USER'], safe='')}{password}@{quote(told['HOST'], safe='')}{port}/{quote(name)}"


def manage(url: Any, *arguments: Any, timeout: int = 3600) -> Any:
    """Run a command of Clubscore's on another database, in a process of its own; return it when it has ended."""
    environment = {**os.environ, "DATABASE_URL": url}
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout)


# What keeps a backup from being made, trusted or restored, as one sentence.


class BackupError(RuntimeError):
    """Shown as it is to whoever ran the command."""


class BrokenDatabase(BackupError):
    """What should be backed up is no database, or no longer one."""
