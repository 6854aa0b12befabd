"""Caching of pages that have not changed, by the newest entry of a club's log and the versions of its seasons.

Every change adds an entry; repairs, and what PostgreSQL commits after a later entry, raise a season's version.
"""

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from hashlib import blake2s
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.messages import get_messages
from django.core.cache import cache
from django.db.models import Sum
from django.http import HttpResponse
from django.utils.cache import get_conditional_response

from sessions_app.models import Change, Club, Season
from sessions_app.web.access import MemberRequest, OfClub, P

AN_HOUR = 3600

# Cookies that change nothing on a page: the user is part of the key.
OTHER_COOKIES = {settings.SESSION_COOKIE_NAME, "device", "messages"}


def conditional_get(view: OfClub[P]) -> OfClub[P]:
    """Answer 304 if the browser has this page and nothing of the club has changed since.

    For pages that depend only on what the club's log records, the day and the user; inside @club_member(…).
    """

    def with_etag(request: MemberRequest, club: Club, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        cookies = sorted((name, value) for name, value in request.COOKIES.items() if name not in OTHER_COOKIES)
        key = _key(request, club, *_page_of(request), request.user.pk, request.membership.to_do, cookies)
        etag = f'W/"{key}"'
        # A page with messages is shown once.
        has_messages = len(get_messages(request)) > 0
        response = None if has_messages else get_conditional_response(request, etag=etag)
        if response is None:
            response = view(request, club, *args, **kwargs)
            if response.status_code == 200 and not has_messages:
                response.headers["ETag"] = etag
        return response

    update_wrapper(with_etag, view)
    return with_etag


def cached(request: MemberRequest, club: Club, make: Callable[..., Any], part: str = "") -> Any:
    """Return what `make` returns for this address, cached for everyone of a role until something changes.

    A `part` of a page is cached for everyone of the club, whatever the address.
    """
    return _cached(_key(request, club, part) if part else _key(request, club, *_page_of(request)), make)


def cached_immutable(facts: tuple[str | int, ...], make: Callable[..., Any]) -> str:
    """Return what `make` returns for these facts, cached, as no change affects it."""
    return _cached(_hashed((_program_version(), facts)), make)


def _cached(key: str, make: Callable[..., Any]) -> Any:
    found = cache.get(key)
    if found is None:
        found = make()
        cache.set(key, found, AN_HOUR)
    return found


def _page_of(request: MemberRequest) -> tuple[str, str]:
    return request.get_full_path(), request.membership.role


def _key(request: MemberRequest, club: Club, *facts: Any) -> str:
    if not hasattr(request, "newest_in_club"):
        newest = Change.objects.of_club(club).order_by("-pk").values_list("pk", "at").first()
        request.newest_in_club = newest, Season.objects.of_club(club).aggregate(Sum("version"))
    return _hashed((_program_version(), club.pk, club.name, request.newest_in_club, club.today, facts))


def _hashed(facts: tuple[Any, ...]) -> str:
    return blake2s(repr(facts).encode(), digest_size=12).hexdigest()


@lru_cache(maxsize=1)
def _program_version() -> float:
    """Return when a file of the program was last written."""
    folders = (settings.BASE_DIR / name for name in ("clubscore", "sessions_app", "templates", "static"))
    return max(path.stat().st_mtime for folder in folders for path in Path(folder).rglob("*") if path.is_file())
