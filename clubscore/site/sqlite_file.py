"""An SQLite connection that notices when its file was deleted or replaced, and that in a server creates none.

SQLite itself keeps writing to a deleted file, and creates an empty database if there is none.
"""

import os
import sqlite3
from typing import Any

_Identity = tuple[int, int] | None

_first_seen: dict[str, _Identity] = {}
_serves = False


class FileGone(sqlite3.OperationalError):
    """The database file is missing, or is not the one that this process opened first."""


class Connection(sqlite3.Connection):
    def __init__(self, database: str, *args: Any, **kwargs: Any) -> None:
        self.path = None if database.startswith((":memory:", "file:")) else database
        if self.path and _serves and not os.path.exists(database):
            raise FileGone(f"The database file {database} is gone.")
        super().__init__(database, *args, **kwargs)
        if self.path:
            _first_seen.setdefault(database, _identity(database))
            self._check()

    def cursor(self, *args: Any, **kwargs: Any) -> Any:
        self._check_again()
        return super().cursor(*args, **kwargs)

    def commit(self) -> None:
        """Commit, and fail if the changes went into a deleted file."""
        super().commit()
        self._check_again()

    def _check_again(self) -> None:
        # Windows neither deletes nor replaces a file that is open.
        if os.name != "nt":
            self._check()

    def _check(self) -> None:
        if self.path and _identity(self.path) != _first_seen.get(self.path):
            raise FileGone(f"The database file {self.path} is gone, or another one is there.")


def _identity(path: str) -> _Identity:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def forget(path: str) -> None:
    """Accept whatever file is there at the next connection, as after a restore."""
    _first_seen.pop(path, None)


def require_existing(database: str) -> None:
    """From now on refuse to create a database file, or to use another file than the present one."""
    global _serves
    _serves = True
    if os.path.exists(database):
        _first_seen.setdefault(database, _identity(database))
