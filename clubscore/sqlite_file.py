"""The file of an SQLite database, watched: one that was deleted or replaced is noticed, and a server makes none.

SQLite itself goes on writing into a file that was deleted, and makes an empty one where there is none.
"""

import os
import sqlite3
from typing import Any

_first_seen = {}
_serves = False


class FileGone(sqlite3.OperationalError):
    """The database file is not there, or is not the one that this process began with."""


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
        self._check()
        return super().cursor(*args, **kwargs)

    def commit(self) -> None:
        """Nothing is said to be recorded that went into a file which nobody will find again."""
        super().commit()
        self._check()

    def _check(self):
        if self.path and _identity(self.path) != _first_seen.get(self.path):
            raise FileGone(f"The database file {self.path} is gone, or another one is there.")


def _identity(path):
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def forget(path: str) -> None:
    """Take the file that is there now for the right one."""
    _first_seen.pop(path, None)


def never_make(database: Any) -> None:
    """In a process that serves, refuse to make a file where there is none, and to serve another than there is now."""
    global _serves
    _serves = True
    if os.path.exists(database):
        _first_seen.setdefault(database, _identity(database))
