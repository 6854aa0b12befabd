"""Both databases, for servers of the tests' own."""

import contextlib
import fcntl
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.conftest import missing
from tests.postgres import POSTGRES_WANTED, own_server, server_binaries
from tests.test_run import ROOT, clean_environment

from .site import KEY, Site

COLLECT = "import runpy; own = runpy.run_path('run'); own['start_django'](); own['collect_static']()"


@pytest.fixture(scope="session", autouse=True)
def collected_static_files():
    """Collect the static files as ./run does, once, whichever process of the tests comes first."""
    with open(Path(tempfile.gettempdir()) / "clubscore-collect.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        environment = clean_environment(SECRET_KEY=KEY)
        subprocess.run([sys.executable, "-c", COLLECT], cwd=ROOT, env=environment, check=True, capture_output=True)


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def site(request, tmp_path):
    """Yield an installation with nothing in it yet; on PostgreSQL it knows its database server."""
    with contextlib.ExitStack() as stack:
        database = None
        if request.param == "PostgreSQL":
            binaries = server_binaries()
            if binaries is None:
                missing(POSTGRES_WANTED)
            database = stack.enter_context(own_server(binaries))
        made = Site(tmp_path, database.url if database else None)
        made.database = database
        made.name = request.param
        yield made


@pytest.fixture
def is_long(request):
    return request.config.getoption("--long")


@pytest.fixture
def tell(capsys):
    """Print a figure even where pytest would swallow it."""

    def say(text):
        with capsys.disabled():
            print(f"\n{text}")

    return say
