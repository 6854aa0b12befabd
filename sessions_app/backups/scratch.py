"""Other databases beside the own one: scratch ones to try a backup in, and the own one as it was at one moment."""

import os
import subprocess
import sys
from contextlib import contextmanager
from urllib.parse import quote

from django.conf import settings
from django.db import connections, transaction


@contextmanager
def other_database(alias, **different):
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
def one_moment():
    """Yield the alias by which the whole own database is read as it is now, whoever writes meanwhile."""
    options = dict(connections["default"].settings_dict["OPTIONS"])
    if connections["default"].vendor == "sqlite":
        options["transaction_mode"] = "DEFERRED"
    with other_database("one-moment", OPTIONS=options) as alias, transaction.atomic(using=alias):
        if connections[alias].vendor == "postgresql":
            with connections[alias].cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield alias


def database_url(name):
    """Return the DATABASE_URL of a database of this name: a file, or on the own PostgreSQL server."""
    own = connections["default"]
    if own.vendor == "sqlite":
        return f"sqlite:///{name}"
    told = own.settings_dict
    password = f":{quote(told['PASSWORD'], safe='')}" if told["PASSWORD"] else ""
    port = f":{told['PORT']}" if told["PORT"] else ""
    return f"postgresql://{quote(told['USER'], safe='')}{password}@{quote(told['HOST'], safe='')}{port}/{quote(name)}"


def manage(url, *arguments, timeout=3600):
    """Run a command of Clubscore's on another database, in a process of its own; return it when it has ended."""
    environment = {**os.environ, "DATABASE_URL": url}
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout)
