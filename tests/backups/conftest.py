"""A rich club made once; installations on either database to bring it to."""

import shutil
from pathlib import Path

import pytest

from .installation import Installation


@pytest.fixture(scope="session")
def made_once(tmp_path_factory):
    """Make the rich club once for all tests; nobody writes to it."""
    home = Installation(tmp_path_factory.mktemp("rich"))
    home.migrate()
    home.python("tests.backups.rich_club")
    home.csv = home.files("demonstration")
    return home


@pytest.fixture(scope="session")
def backups_once(made_once, tmp_path_factory):
    """Back the rich club up once for all tests: the whole database, and the club by itself; return both files."""
    home = Installation(tmp_path_factory.mktemp("backed_up"))
    shutil.copyfile(made_once.folder / "clubscore.sqlite3", home.folder / "clubscore.sqlite3")
    home.manage("backup")
    home.manage("backup", "--club", "demonstration")
    return [next((home.folder / "backups").glob(f"*{ending}")) for ending in (".sqlite3", ".zip")]


@pytest.fixture
def backed_up(backups_once, rich):
    """A backup of the rich club's database, among those of its installation."""
    (rich.folder / "backups").mkdir()
    return Path(shutil.copy2(backups_once[0], rich.folder / "backups"))


@pytest.fixture
def club_zip(backups_once, tmp_path):
    """A copy of the rich club's own backup, to do anything with."""
    return Path(shutil.copy2(backups_once[1], tmp_path))


@pytest.fixture
def rich(made_once, tmp_path):
    """A copy of the rich club's installation, to do anything with."""
    home = Installation(tmp_path / "rich")
    shutil.copyfile(made_once.folder / "clubscore.sqlite3", home.folder / "clubscore.sqlite3")
    home.csv = made_once.csv
    return home
