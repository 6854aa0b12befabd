"""What every test stands on: settings for tests, the slow and the browser tests, a real Chromium."""

import datetime
import gc
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import hypothesis
import pytest
from django.conf import settings
from django.db import connection
from filelock import FileLock
from playwright.sync_api import sync_playwright

from sessions_app.models import Club, Player
from sessions_app.people.log import Actor
from sessions_app.table.sessions import start_session
from tests import share
from tests.factories import house
from tests.lifted_log import log_lifted_while_flushing  # noqa: F401
from tests.migrated_file import copy_migrated
from tests.postgres import POSTGRES_WANTED, own_server, server_binaries

IN_CI = os.environ.get("CI", "") not in ("", "0", "false")


# Without windows a Chromium takes two thirds of the processor's time.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUMS)), None)

CHROMIUM_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

CHROMIUM_WANTED = "Browser tests need Chromium: install it with 'sudo apt install chromium', or name one in CHROMIUM."
LINES_AT_ONCE = 25
COLLECT = "import runpy; own = runpy.run_path('run'); own['start_django'](); own['collect_static']()"
TESTS = Path(__file__).parent
# What --quick leaves out besides the files marked slow: browsers, scripts, servers, files that go out and come in.
NOT_QUICK = {TESTS / name for name in ("browser", "javascript", "robustness", "backups", "exchange", "web")}
LONGEST = (
    "test_every_page.py",
    "test_league_day.py",
    "test_scripts.py",
    "test_secretarys_year.py",
    "test_walk.py",
    "test_webkit.py",
)


# Other work on the same machine must not fail a property; CI must fail or pass twice alike.
hypothesis.settings.register_profile(
    "clubscore", deadline=None, derandomize=IN_CI, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)


hypothesis.settings.load_profile("clubscore")


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="run the tests marked long as well, and random walks whole")
    parser.addoption("--quick", action="store_true", help="leave out browsers, scripts, servers and long walks")


def pytest_configure(config):
    share.is_long = config.getoption("--long")
    settings.SECRET_KEY = "a key for tests only, of more than fifty characters"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.STATIC_ROOT = tempfile.mkdtemp(prefix="clubscore-static-")
    settings.PASSWORD_HASHERS = ["tests.quick_argon2.QuickArgon2"]
    if connection.vendor == "sqlite":
        # A file, because memory knows neither WAL nor waiting writers; named by process, as tests may run side by side.
        name = Path(tempfile.gettempdir()) / f"clubscore-test-{os.getpid()}.sqlite3"
        connection.settings_dict["TEST"]["NAME"] = str(name)
    options = settings.DATABASES["default"]["OPTIONS"]
    # A test's database need not outlive a power cut.
    if "init_command" in options:
        options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
        # Rows in no order asked for come the other way round: what leans on their order fails here, not some day there.
        options["init_command"] += "; PRAGMA reverse_unordered_selects=ON"

    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(FailuresAtOnce(config))


class FailuresAtOnce:
    """Print a failure when it happens: a run that is killed has said what it knew."""

    def __init__(self, config):
        self.config = config

    def pytest_runtest_logreport(self, report):
        if report.outcome == "failed":
            out = self.config.pluginmanager.get_plugin("terminalreporter")
            out.write_line(f"\nFAILED {report.nodeid} ({report.when})")
            out.write_line("\n".join(report.longreprtext.splitlines()[-LINES_AT_ONCE:]), flush=True)


def pytest_unconfigure(config):
    shutil.rmtree(settings.STATIC_ROOT, ignore_errors=True)
    # Windows keeps an open file.
    connection.close()
    for left in Path(tempfile.gettempdir()).glob(f"clubscore-test-{os.getpid()}.sqlite3*"):
        left.unlink(missing_ok=True)


def pytest_ignore_collect(collection_path, config):
    """Do not even import what --quick leaves out."""
    if not config.getoption("--quick"):
        return None
    is_file = collection_path.suffix == ".py"
    is_slow = is_file and "pytest.mark.slow" in collection_path.read_text(encoding="utf-8")
    return collection_path in NOT_QUICK or is_slow or None


def pytest_collection_modifyitems(config, items):
    for item in items:
        if TESTS / "browser" in item.path.parents:
            item.add_marker("browser")
    is_long = config.getoption("--long")
    left_out = [item for item in items if item.get_closest_marker("long") and not is_long]
    daily = [item for item in items if is_long or not item.get_closest_marker("long")]
    if config.getoption("--quick"):
        # Of a test without a database every third case, of one with it the first.
        left_out += [item for item, number in numbered(daily) if number if has_database(item) or number % 3]
    elif connection.vendor == "postgresql" and not is_long:
        left_out += [item for item in daily if not item.get_closest_marker("postgres")]
    elif not is_long:
        # One journey for each page and kind of fault: of a test in a browser the first case.
        left_out += [
            item
            for item, number in numbered(daily)
            if number and item.get_closest_marker("browser") and item.path.name not in LONGEST
        ]
    config.hook.pytest_deselected(items=left_out)
    dropped = set(left_out)
    items[:] = [item for item in items if item not in dropped]
    # Those in a browser last, as they leave an event loop in their process; of each, the longest first.
    items.sort(key=lambda item: (bool(item.get_closest_marker("browser")), item.path.name not in LONGEST))


@pytest.fixture(autouse=True)
def settings_as_before():
    """A decorator of settings around the fixture of that name would leave its own behind for all later tests."""
    before = settings._wrapped
    yield
    assert settings._wrapped is before


def pytest_collection_finish(session):
    """Let the garbage collector pass over all that stays, and look less often: it took an eighth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


def has_database(item):
    return bool({"db", "transactional_db"} & {*item.fixturenames} or item.get_closest_marker("django_db"))


def numbered(items):
    """Yield the items, each with the number of its case among those of its test, from 0."""
    seen = Counter()
    for item in items:
        test = (item.path, item.cls, item.originalname)
        yield item, seen[test]
        seen[test] += 1


def pytest_runtest_setup(item):
    if item.get_closest_marker("browser") and not CHROMIUM:
        missing(CHROMIUM_WANTED)


def missing(sentence):
    """Skip a test for want of a program; in CI everything must be there."""
    if IN_CI:
        pytest.fail(sentence, pytrace=False)
    pytest.skip(sentence)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix):
    """Begin with a copy of the migrated file, under the name that this process of the tests has for its own."""
    if connection.vendor == "sqlite":
        copy_migrated(connection.settings_dict["TEST"]["NAME"])


@pytest.fixture(scope="session")
def django_db_keepdb(request):
    """Let Django migrate what is there, and make nothing again; on SQLite the file goes when pytest ends."""
    return connection.vendor == "sqlite" or request.config.getvalue("reuse_db")


@pytest.fixture(scope="session")
def collected_static_files():
    """Collect the static files as ./run does, where they have changed, whichever process of the tests comes first."""
    own = {"CLUBSCORE_ENV": "", "DATABASE_URL": "sqlite://:memory:", "SECRET_KEY": "k" * 60}
    command = [sys.executable, "-c", COLLECT]
    with FileLock(Path(tempfile.gettempdir()) / "clubscore-collect.lock"):
        subprocess.run(command, cwd=TESTS.parent, env={**os.environ, **own}, check=True, capture_output=True)


@pytest.fixture(scope="session")
def chromium():
    """Yield a real Chromium; the ORM may be used with it, although it runs an event loop in this thread."""
    if not CHROMIUM:
        missing(CHROMIUM_WANTED)
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


# The cast: Alice East, Bob South, Carol West, Dave North, Fay sitting out; Eve of another club must see nothing.


AFTERNOON = datetime.date(2026, 11, 12)


@pytest.fixture
def club(db):
    return Club.objects.create(name="Bramley", slug="bramley")


@pytest.fixture
def other_club(db):
    return Club.objects.create(name="Otley", slug="otley")


@pytest.fixture
def cast(club, other_club):
    names = ["Alice", "Bob", "Carol", "Dave", "Fay"]
    people = {name.lower(): Player.objects.create(club=club, full_name=name, short_name=name) for name in names}
    eve = Player.objects.create(club=other_club, full_name="Eve", short_name="Eve")
    return SimpleNamespace(**people, eve=eve, all=list(people.values()))


@pytest.fixture
def that_afternoon(monkeypatch):
    """The dates that tests enter are near today, whenever they run: no form asks whether they are right."""
    monkeypatch.setattr("sessions_app.people.dates.today", lambda: AFTERNOON)


@pytest.fixture
def secretary():
    return Actor(name="Sam the secretary")


@pytest.fixture
def five(club, cast, secretary):
    """Alice East, Bob South, Carol West, Dave North, Fay sitting out; seats 1 to 5."""
    return start_session(club, AFTERNOON, 1, cast.all, "bmja", {}, by=secretary)


@pytest.fixture
def four(club, cast, secretary):
    return start_session(club, AFTERNOON, 1, cast.all[:4], "bmja", {}, by=secretary)


@pytest.fixture
def at_home(club, cast):
    """A club with logins, a season, and a table in play with one hand."""
    return house(club, cast.all[:4])


@pytest.fixture
def database():
    """A PostgreSQL server of the test's own."""
    binaries = server_binaries()
    if binaries is None:
        missing(POSTGRES_WANTED)
    with own_server(binaries) as server:
        yield server
