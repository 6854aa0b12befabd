"""Both databases, for servers of the tests' own."""

import contextlib

import pytest

from tests.conftest import missing
from tests.postgres import POSTGRES_WANTED, own_server, server_binaries

from .site import Site


@pytest.fixture(scope="session", autouse=True)
def static_files(collected_static_files):
    """A server of its own serves what ./run has collected."""


@pytest.fixture(params=["SQLite", pytest.param("PostgreSQL", marks=pytest.mark.long)])
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
