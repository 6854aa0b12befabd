"""A rich club made once; installations on either database to bring it to."""

import shutil

import pytest

from tests.conftest import missing
from tests.postgres import POSTGRES_WANTED, own_server, server_binaries

from .installation import Installation


@pytest.fixture(scope="session")
def made_once(tmp_path_factory):
    """Make the rich club once for all tests; nobody writes to it."""
    home = Installation(tmp_path_factory.mktemp("rich"))
    home.migrate()
    home.python("tests.backups.rich_club")
    home.csv = home.files("demonstration")
    return home


@pytest.fixture
def rich(made_once, tmp_path):
    """A copy of the rich club's installation, to do anything with."""
    home = Installation(tmp_path / "rich")
    shutil.copyfile(made_once.folder / "clubscore.sqlite3", home.folder / "clubscore.sqlite3")
    home.csv = made_once.csv
    return home


@pytest.fixture
def database():
    """A PostgreSQL server of the test's own."""
    binaries = server_binaries()
    if binaries is None:
        missing(POSTGRES_WANTED)
    with own_server(binaries) as server:
        yield server
