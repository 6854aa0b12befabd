"""Browser tests: the site as production serves it, and tablets that fail the test at any error in their console."""

import datetime
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.test import Client
from django.test.testcases import LiveServerThread
from django.test.utils import override_settings
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from clubscore.site import settings as production
from sessions_app.models import Club, Membership, User
from sessions_app.people.log import Actor
from sessions_app.people.players import add_player
from sessions_app.table.sessions import start_session
from sessions_app.table.views.games import kept_by_all_rules
from sessions_app.web import views
from tests.conftest import missing

from . import webkit
from .tablet import LANDSCAPE, PATIENCE, Tablet, screen

AFTERNOON = datetime.date(2026, 11, 12)
PEOPLE = ("Alice", "Bob", "Carol", "Dave", "Fay")
BY = Actor(name="The test")


class ProductionServer(LiveServer):
    """A live server whose static files come through the middleware, under their hashed names, as in production."""

    def __init__(self, address):
        super().__init__(address, start=False)
        self.thread = LiveServerThread(address, connections_override={}, static_handler=lambda served: served)
        self.thread.daemon = True
        self.start()


def static_files_of_production():
    storages = {**settings.STORAGES, "staticfiles": production.STORAGES["staticfiles"]}
    return override_settings(STATIC_ROOT=production.STATIC_ROOT, STORAGES=storages)


@pytest.fixture(scope="session")
def live_server(collected_static_files):
    with static_files_of_production():
        server = ProductionServer("localhost")
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def hashed_names(live_server):
    """Serve hashed names, and what is made once for them: a worker for another test's names would keep no file."""
    made_once = (views.built_worker, kept_by_all_rules)
    with static_files_of_production():
        for made in made_once:
            made.cache_clear()
        yield
    for made in made_once:
        made.cache_clear()


@pytest.fixture(scope="session", autouse=True)
def patience():
    """Wait longer than the five seconds of old: four browsers may share two processors."""
    expect.set_options(timeout=PATIENCE)


@pytest.fixture
def tablet(chromium, live_server):
    """Give a maker of tablets: touch screens of any size, signed in as a user or as nobody."""
    made = []

    def make(user=None, size=LANDSCAPE, kind=Tablet, url=None, **options):
        if kind is Tablet:
            # The worker fetches a hundred files in each new context: only tablets that lose their network need it.
            options.setdefault("service_workers", "block")
        one = kind(chromium.new_context(**screen(size), **options), url or live_server.url)
        if user is not None:
            one.let_in(session_cookie(user))
        made.append(one)
        return one

    yield make
    complaints = [complaint for one in made for complaint in one.complaints]
    for one in made:
        one.close()
    assert complaints == []


def session_cookie(user):
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def login(club, name, role, password=None):
    user = User(username=name)
    if password:
        user.set_password(password)
    else:
        user.set_unusable_password()
    user.save()
    Membership.objects.create(user=user, club=club, role=role)
    return user


@pytest.fixture
def club(live_server, transactional_db):
    """Make a club with a scorekeeper's and a secretary's login, and the cast of five."""
    made = Club.objects.create(name="Bramley Mah-jong Group", slug="bramley")
    return SimpleNamespace(
        club=made,
        scorekeeper=login(made, "keeper", "scorekeeper"),
        secretary=login(made, "secretary", "secretary"),
        players={name: add_player(made, full_name=name, by=BY) for name in PEOPLE},
    )


@pytest.fixture
def table(club):
    """Seat Alice East, Bob South, Carol West, Dave North; each begins with 2000."""
    seated = [club.players[name] for name in PEOPLE[:4]]
    return start_session(club.club, AFTERNOON, 1, seated, "bmja", {}, by=BY, starting_balance=2000)


@pytest.fixture
def engine(tmp_path_factory):
    """Give a WebKit with a home of its own."""
    if not webkit.is_there():
        print(webkit.WANTED)
        missing(webkit.WANTED)
    with webkit.webkit(tmp_path_factory.mktemp("webkit")) as engine:
        yield engine


@pytest.fixture
def another_version(monkeypatch):
    """Give a switch to another version of the app, with another worker and other files, and back."""
    ours = views.FIRST
    other = tuple(name for name in ours if name != ours[-1])

    def switch():
        monkeypatch.setattr(views, "FIRST", ours if views.FIRST is other else other)
        views.built_worker.cache_clear()

    views.built_worker.cache_clear()
    yield switch
    views.built_worker.cache_clear()
