"""What every request meets: a limit to what is sent, security headers, a sign-in that lasts as long as it is used."""

import re
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import Http404
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin

from clubscore.table.outcomes import Outcome
from sessions_app.people.known_device import note_known

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)

# The one script that may start WebAssembly: a worker, which runs the rules and nothing else (static/table/engine).
ENGINE = settings.STATIC_URL + "table/engine/worker."
ENGINE_POLICY = CONTENT_SECURITY_POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")

# Safari 15, where iPads from before 2016 stay, knows no word for WebAssembly alone.
SAFARI_15 = re.compile(r" Version/15\.[\d.]+ (?:Mobile/\w+ )?Safari/")
ENGINE_POLICY_15 = CONTENT_SECURITY_POLICY.replace("script-src 'self'", "script-src 'self' 'unsafe-eval'")

# The screen is kept awake during play; nothing else of the device is wanted.
PERMISSIONS_POLICY = (
    "screen-wake-lock=(self), accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
    "magnetometer=(), microphone=(), midi=(), payment=(), usb=()"
)

LAST_USED = "last_used"

# Where a visitor's session keeps the keys of tables (views/table_key.py).
TABLE_KEYS = "table_keys"

# A page that asks by itself whether there is news is not in use; who it is need not be looked up for that.
POLLS = {"rev", "version"}

# Around the largest field or file there may be some hundreds of others.
MAX_SENT = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 100_000

# Heard by the worker of a tablet (sw.js).
KEPT_PAGES = "Kept-Pages"
FOUND, NOT_MODIFIED, FAULT = 200, 304, 500
NOT_FOR_IT = (403, 404, 410)
TOO_MUCH = "What you sent is too large."


class BodyLimit(MiddlewareMixin):
    """Refuse too large a body before anything reads it: Django counts fields but not files, and puts those on the disk.

    Without a length nothing is read at all: such a request has an empty body here.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal() or len(length) > 15 or int(length) > MAX_SENT:
            if request.content_type == "application/json":
                answer = {"status": 413, "outcome": Outcome.INVALID, "message": TOO_MUCH}
                return JsonResponse(answer, status=413)
            return render(request, "400.html", status=413)
        return None


class SecurityHeaders(MiddlewareMixin):
    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if request.path.startswith(ENGINE):
            is_15 = SAFARI_15.search(request.headers.get("User-Agent", ""))
            response.headers["Content-Security-Policy"] = ENGINE_POLICY_15 if is_15 else ENGINE_POLICY
            patch_vary_headers(response, ["User-Agent"])
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = _cache_control(request, response)
        if getattr(request, "has_signed_out", False):
            # Browsers obey it where the site is served by https.
            response.headers["Clear-Site-Data"] = '"cache"'
        forget = _pages_to_forget(request, response)
        if forget:
            response.headers[KEPT_PAGES] = forget
        return response


def _cache_control(request, response):
    """Keep pages from proxies, and what a sign-in is shown from the browser: after it, Back would show it to anybody.

    The browser keeps a page that is spared when nothing has changed, and those of a table, where Back must bring back
    what was typed; by https, signing out takes them away.
    """
    if response.status_code >= FAULT:
        return "private, no-store"
    match = request.resolver_match
    is_at_table = match is not None and "session_id" in match.kwargs
    is_spared = response.status_code == NOT_MODIFIED or "ETag" in response.headers
    is_kept = is_at_table or is_spared or not _is_signed_in(request)
    return "private, no-cache" if is_kept else "private, no-store"


def _is_signed_in(request):
    session = getattr(request, "session", None)
    return session is not None and session.accessed and SESSION_KEY in session


def _pages_to_forget(request, response):
    """Say which pages the tablet's worker forgets: all, where nobody is signed in, or the one that is not for it.

    A table's key opens its pages without a sign-in. What is not sent yet stays in any case.
    """
    if response.status_code in NOT_FOR_IT:
        return "this"
    match = request.resolver_match
    is_asked = match is not None and match.url_name in ("sign-in", "front") and response.status_code == FOUND
    if not is_asked or request.user.is_authenticated or request.session.get(TABLE_KEYS):
        return ""
    return "all"


class SignInCookie(SessionMiddleware):
    """Take a sign-in's cookie away at signing out alone.

    A page still asking with a sign-in that has ended would else take away the one its reader has just got.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response = super().process_response(request, response)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and not cookie.value and not getattr(request, "has_signed_out", False):
            del response.cookies[settings.SESSION_COOKIE_NAME]
        return response


class KeepSignedIn(MiddlewareMixin):
    """Start the sign-in's weeks again on each day of use: one write a day, so that pages that only read stay so."""

    def process_request(self, request: HttpRequest) -> None:
        is_signed_in = settings.SESSION_COOKIE_NAME in request.COOKIES and not POLLS & request.GET.keys()
        if is_signed_in:
            today = timezone.now().date().isoformat()
            is_first = request.session.get(LAST_USED) != today
            # Who it is comes from the database itself, and not, with a page, from a copy that may be behind; without a
            # copy the page looks it up together with the membership.
            if (is_first or has_replica()) and request.user.is_authenticated and is_first:
                _note_use(request.session, today)


def _note_use(session, today):
    """Write the day now: where that cannot be done the page can be read all the same, and another one tries again."""
    known = session.get(LAST_USED)
    session[LAST_USED] = today
    try:
        session.save()
    except (DatabaseError, OSError, UpdateError):
        session[LAST_USED] = known
        session.modified = False


def note_sign_in(sender: Any, request: HttpRequest, user: Any, **kwargs: Any) -> None:
    """Spare the first page after signing in that write, know the device from now on, and forget sign-ins that ended."""
    request.session[LAST_USED] = timezone.now().date().isoformat()
    note_known(request, user)
    request.session.clear_expired()


def note_sign_out(sender: type | Any, request: HttpRequest, user: Any | None, **kwargs: Any) -> None:
    request.has_signed_out = True


# Reading from a copy of the database that follows it by streaming: the pages which many only look at.
#
# Never at a table: who records must see what was recorded. A copy that is silent or too far behind is left alone for a
# while, and everything is read from the database itself.


REPLICA = "replica"

PAGES = {
    "watch",
    "watch-hall",
    "hall",
    "standings",
    "standings-added",
    "season-pictures",
    "honours",
    "player",
    "front",
    "public",
    "public-standings",
    "public-standings-json",
    "public-frame",
    "public-results",
    "public-result",
    "public-honours",
    "public-honours-json",
    "public-meetings",
    "public-meetings-json",
    "public-meetings-calendar",
}

SAFE = ("GET", "HEAD")

# How far behind it may be, and for how long an answer about that is believed, in seconds.
MAX_LAG_S = 10
LAG_TTL_S = 3

# Where it said nothing, asking again may take seconds once more.
RETRY_AFTER_S = 30

# Behind is nothing while all that came is there; without a stream nothing comes, however old it is.
BEHIND = """
    SELECT CASE
        WHEN NOT pg_is_in_recovery() THEN 0
        WHEN NOT EXISTS (SELECT 1 FROM pg_stat_wal_receiver) THEN NULL
        WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
        ELSE extract(epoch FROM now() - pg_last_xact_replay_timestamp())
    END
"""

_is_reading = ContextVar("is_reading", default=False)
_known = {"until": 0.0, "is_good": False}


class Router:
    """Writes go to the database; what is read for one of PAGES comes from the copy."""

    def db_for_read(self, model: Any, **hints: Any) -> Any:
        return REPLICA if _is_reading.get() else "default"

    def db_for_write(self, model: Any, **hints: Any) -> str:
        return "default"

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: Any, app_label: Any, **hints: Any) -> bool:
        return db == "default"


class ReadReplica:
    """Have the pages that many look at read from the copy, where there is one and it keeps up."""

    def __init__(self, get_response: Callable[..., Any]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            return self.get_response(request)
        finally:
            _is_reading.set(False)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        is_looking = request.method in SAFE and request.resolver_match.url_name in PAGES
        _is_reading.set(is_looking and has_replica() and keeps_up())

    def process_exception(self, request: HttpRequest, exception: PermissionDenied | Http404) -> None:
        if _is_reading.get() and isinstance(exception, DatabaseError):
            _known.update(until=time.monotonic() + RETRY_AFTER_S, is_good=False)


def has_replica() -> bool:
    return REPLICA in settings.DATABASES


def keeps_up() -> Any:
    """Tell whether the copy answers and is not too far behind; asked again after a few seconds, by one alone."""
    now = time.monotonic()
    if now >= _known["until"]:
        # Until that one has its answer the others go by the last.
        _known["until"] = now + RETRY_AFTER_S
        behind = seconds_behind()
        is_good = behind is not None and behind <= MAX_LAG_S
        believed = RETRY_AFTER_S if behind is None else LAG_TTL_S
        _known.update(until=time.monotonic() + believed, is_good=is_good)
    return _known["is_good"]


def seconds_behind() -> Any:
    """Return how far the copy is behind; None where it does not answer, or nothing reaches it."""
    try:
        with connections[REPLICA].cursor() as cursor:
            cursor.execute(BEHIND)
            return cursor.fetchone()[0]
    except DatabaseError:
        connections[REPLICA].close()
        return None
