"""Tables in play for the county's afternoon, spread over the clubs, each with a sign-in of its club's scorekeeper."""

from importlib import import_module

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.urls import reverse
from django.utils import timezone

from sessions_app.models import Club, Membership, Player, Session, Tally
from sessions_app.people.log import Actor
from sessions_app.table.sessions import start_session
from sessions_app.web.requests import today_in

BY = Actor(name="Benchmark")
FIRST = 100


def make_tables(count):
    """Return what is needed to record at each table and to watch it."""
    clubs = list(Club.objects.order_by("pk")[:50])
    Club.objects.filter(pk__in=[club.pk for club in clubs]).update(public_names="short")
    cookies = {club.pk: _cookie(club) for club in clubs}
    return [_table(clubs[at % len(clubs)], FIRST + at, cookies) for at in range(count)]


def put_aside():
    """Leave no table of the benchmark in play: void, in no season, as if it had never counted."""
    begun = {"changes__name": BY.name, "changes__action": "start"}
    played = Session.objects.filter(state="open", table__gte=FIRST, **begun).values_list("pk", flat=True)
    sessions = Session.objects.filter(pk__in=list(played))
    Tally.objects.filter(session__in=sessions).update(season=None)
    sessions.update(state="finished", finished_at=timezone.now(), void=True, practice=True, season=None)


def _table(club, number, cookies):
    players = list(Player.objects.of_club(club).present().order_by("pk")[:4])
    session = start_session(club, today_in(club), number, players, "bmja", {}, by=BY)
    return {
        "key": session.scoring_key,
        "cookie": cookies[club.pk],
        "device": f"benchmark-{session.pk:08}",
        "table": reverse("table", args=[club.slug, session.pk]),
        "others": reverse("others", args=[club.slug, session.pk]),
        "commands": reverse("commands", args=[club.slug, session.pk]),
        "watch": reverse("watch", args=[session.watching_key]),
    }


def _cookie(club):
    user = Membership.objects.select_related("user").get(club=club, role="scorekeeper").user
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.create()
    return store.session_key
