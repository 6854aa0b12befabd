"""Sparing work for what has not changed: the newest line of a club's log and the versions of its seasons tell.

Every change writes a line; what a repair mends, or PostgreSQL commits after a later line, raises a season's version.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from hashlib import blake2s
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.messages import get_messages
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.cache import get_conditional_response

from sessions_app.models import Club
from sessions_app.web.access import CACHE_KEYS
from sessions_app.web.requests import today_in

AN_HOUR = 3600

# A sign-in's own cookies need not be looked into: the user is part of the key.
OTHER_COOKIES = {settings.SESSION_COOKIE_NAME, "device", "messages"}


def conditional_get(view: Callable[..., Any]) -> Callable[..., Any]:
    """Answer 304 where the browser has the page of this address and nothing of the club has changed since.

    For pages that show nothing but what the club's log tells of, the day, and who asks; inside
    @club_member(…, memberships=WITH_CACHE_KEYS).
    """

    @wraps(view)
    def asked(request, club, *args, **kwargs):
        tag = f'W/"{_etag_of(request, club)}"'
        # What is to be said once stands on a page that nobody has yet, and the next one is without it.
        has_news = len(get_messages(request)) > 0
        answer = None if has_news else get_conditional_response(request, etag=tag)
        if answer is None:
            answer = view(request, club, *args, **kwargs)
            if answer.status_code == 200 and not has_news:
                answer.headers["ETag"] = tag
        return answer

    return asked


def cached(request: HttpRequest, club: Club, make: Callable[..., Any], part: str = "") -> Any:
    """Return what `make` gives for this address, made once for everyone of a role until something changes.

    A `part` of a page is made once for everyone of the club, at whatever address it is shown.
    """
    key = _key(request, club, part) if part else _key(request, club, *_asked(request))
    return _cached_under(key, make)


def cached_immutable(facts: tuple[str, int, bool, str], make: Callable[..., Any]) -> str:
    """Return what `make` gives for these facts, made once, as nothing that is recorded changes it."""
    return _cached_under(_hashed((_made_of(), facts)), make)


def _cached_under(key, make):
    found = cache.get(key)
    if found is None:
        found = make()
        cache.set(key, found, AN_HOUR)
    return found


def _etag_of(request, club):
    cookies = sorted((name, value) for name, value in request.COOKIES.items() if name not in OTHER_COOKIES)
    return _key(request, club, *_asked(request), request.user.pk, request.membership.to_do, cookies)


def _asked(request):
    return request.get_full_path(), request.membership.role


def _key(request, club, *facts):
    newest = [getattr(request.membership, name) for name in CACHE_KEYS]
    facts = (_made_of(), club.pk, club.name, newest, today_in(club), facts)
    return _hashed(facts)


def _hashed(facts):
    return blake2s(repr(facts).encode(), digest_size=12).hexdigest()


@lru_cache(maxsize=1)
def _made_of():
    """Return what changes with the program itself: when a file of it was last written."""
    folders = (settings.BASE_DIR / name for name in ("clubscore", "sessions_app", "templates", "static"))
    return max(path.stat().st_mtime for folder in folders for path in Path(folder).rglob("*") if path.is_file())
