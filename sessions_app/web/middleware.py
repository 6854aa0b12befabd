"""Middleware: a limit on request bodies, security headers, sign-ins that last while they are used."""

import logging
import re
import secrets
import time
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase, UpdateError
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin

from clubscore.play.outcomes import Outcome
from sessions_app.models import Membership, Session, User
from sessions_app.people.known_device import remember_device, sender_of
from sessions_app.people.plain_text import figures_in_place_in_html
from sessions_app.people.sign_ins import LAST_USED, facts_of_sign_in
from sessions_app.web.requests import Request

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)

# The one script that may start WebAssembly: a worker, which runs the rules and nothing else (static/table/engine).
ENGINE = settings.STATIC_URL + "table/engine/worker."
ENGINE_POLICY = CONTENT_SECURITY_POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")

# Safari 15, the last version for iPads made before 2016, has no keyword for WebAssembly alone.
SAFARI_15 = re.compile(r" Version/15\.[\d.]+ (?:Mobile/\w+ )?Safari/")
ENGINE_POLICY_15 = CONTENT_SECURITY_POLICY.replace("script-src 'self'", "script-src 'self' 'unsafe-eval'")

# The screen is kept awake during play; the pages need nothing else of the device.
PERMISSIONS_POLICY = (
    "screen-wake-lock=(self), accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
    "magnetometer=(), microphone=(), midi=(), payment=(), usb=()"
)

MUST_CHANGE = "must_change_password"

# What opens before a password made by a command has been changed.
OPEN_FIRST = ("account-password", "sign-out", "looks", "service-worker", "manifest", "healthz", "readyz")

# Where a visitor's session holds the keys of tables.
TABLE_KEYS = "table_keys"

# Polling requests do not count as use, so the user is not looked up for them.
POLLS = {"rev", "version"}

logger = logging.getLogger(__name__)
# Seconds from which a request is a line in the log.
SLOW = 1

# Around the largest field or file there may be some hundreds of others.
MAX_SENT = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 100_000
TOO_MUCH = "What you sent is too large."

# Read by the service worker (sw.js).
KEPT_PAGES = "Kept-Pages"
# In a session until the worker is told: the tablet keeps pages of a club that whoever signed in does not belong to.
KEEPS_OTHERS = "keeps_pages_of_others"
# A new account, or another one, begins here.
SIGN_IN_PAGES = ("sign-in", "sign-in-code", "front", "sign-up", "invite")
REFUSED = (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.GONE)


class SlowRequests(MiddlewareMixin):
    """Gives each request a number, which the log and the response have, and logs those that took more than a second."""

    def process_request(self, request: Request) -> None:
        request.number, request.began = secrets.token_hex(4), time.monotonic()

    def process_response(self, request: Request, response: HttpResponse) -> HttpResponse:
        response["X-Request-ID"] = request.number
        taken, found = time.monotonic() - request.began, request.resolver_match
        if taken > SLOW:
            # The route, as an address may hold a key.
            route, club = (found.route, found.kwargs.get("slug", "")) if found else ("?", "")
            words = "%s /%s%s took %.1f seconds", request.method, route, f" of club {club}" if club else "", taken
            logger.info(*words, extra={"request": request})
        return response


class BodyLimit(MiddlewareMixin):
    """Refuses too large a body before anything reads it: Django counts fields but not files, and stores those on disk.

    A request without a length has an empty body here, as nothing is read.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and len(length) <= 15 and int(length) <= MAX_SENT:
            return None
        if request.content_type == "application/json":
            return JsonResponse({"status": 413, "outcome": Outcome.INVALID, "message": TOO_MUCH}, status=413)
        return render(request, "400.html", status=413)


class FiguresInPlace(MiddlewareMixin):
    """Keeps figures behind names that are written from right to left in their place, on every page."""

    # How Hebrew, Arabic and their like begin in UTF-8.
    from_right = re.compile(rb"[\xd6-\xdf]")

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        is_page = not response.streaming and response.get("Content-Type", "").startswith("text/html")
        if is_page and self.from_right.search(response.content):
            response.content = figures_in_place_in_html(response.content.decode()).encode()
        return response


class SecurityHeaders(MiddlewareMixin):
    def process_request(self, request: Request) -> None:
        # The log asks for it if the request is refused (clubscore/site/logs.py).
        request.sender = partial(sender_of, request)

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        headers = response.headers
        if request.path.startswith(ENGINE):
            is_15 = SAFARI_15.search(request.headers.get("User-Agent", ""))
            headers["Content-Security-Policy"] = ENGINE_POLICY_15 if is_15 else ENGINE_POLICY
            patch_vary_headers(response, ["User-Agent"])
        headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if "Cache-Control" not in headers:
            headers["Cache-Control"] = _cache_control(request, response)
        if getattr(request, "has_signed_out", False):
            # Browsers obey this only over https.
            headers["Clear-Site-Data"] = '"cache"'
        if forget := _pages_to_forget(request, response):
            headers[KEPT_PAGES] = forget
        return response


def _cache_control(request: HttpRequest, response: HttpResponse) -> str:
    """Keep pages out of proxies, and those of a signed-in user out of the browser: Back would show them to anyone.

    The browser may keep the pages of a table, as Back must restore what was typed, and pages with an ETag; over https,
    signing out clears them.
    """
    if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return "private, no-store"
    match = request.resolver_match
    is_at_table = match is not None and "session_id" in match.kwargs
    has_etag = response.status_code == HTTPStatus.NOT_MODIFIED or "ETag" in response.headers
    session = getattr(request, "session", None)
    is_signed_in = session is not None and session.accessed and SESSION_KEY in session
    return "private, no-cache" if is_at_table or has_etag or not is_signed_in else "private, no-store"


def _pages_to_forget(request: HttpRequest, response: HttpResponse) -> str:
    """Return which kept pages the service worker removes: "this", "all" if nobody is signed in, or an empty string.

    A table's key opens its pages without signing in. Hands that are not sent yet stay in any case.
    """
    if response.status_code in REFUSED:
        return "this"
    match = request.resolver_match
    is_sign_in_page = match is not None and match.url_name in SIGN_IN_PAGES
    if not is_sign_in_page or response.status_code != HTTPStatus.OK:
        return ""
    return "" if request.user.is_authenticated or request.session.get(TABLE_KEYS) else "all"


class SignInCookies(SessionMiddleware):
    """Django's session cookie, deleted only on signing out, and the cookie of a device on which a user signed in.

    A page that still polls after its sign-in ended would otherwise delete the cookie of a new sign-in.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response = super().process_response(request, response)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and not cookie.value and not getattr(request, "has_signed_out", False):
            del response.cookies[settings.SESSION_COOKIE_NAME]
        if username := getattr(request, "signed_in_as", ""):
            remember_device(request, response, username)
        return response


class KeepSignedIn(MiddlewareMixin):
    """Restarts the lifetime of a sign-in on each day of use, with one write a day.

    Also has the pages forgotten that a tablet kept of another club, once somebody of this one signs in there.
    """

    def process_request(self, request: Request) -> None:
        if not _has_session(request):
            return
        request.signed_in_before = request.session.get(SESSION_KEY), list(request.session.get(TABLE_KEYS, ()))
        today = timezone.now().date().isoformat()
        is_first = request.session.get(LAST_USED) != today
        # On the others the page loads user and membership in one query.
        if is_first and request.user.is_authenticated:
            _save_last_used(request.session, today)

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        # The worker cannot read an answer where a form leads on, nor a part of a page.
        mode, is_part = request.headers.get("Sec-Fetch-Mode", "navigate"), request.headers.get("HX-Request")
        is_html = response.headers.get("Content-Type", "").startswith("text/html")
        is_page = mode == "navigate" and not is_part and is_html and response.status_code == HTTPStatus.OK
        if is_page and _has_session(request) and request.session.pop(KEEPS_OTHERS, False):
            response.headers[KEPT_PAGES] = "all"
        return response


def _has_session(request: HttpRequest) -> bool:
    return settings.SESSION_COOKIE_NAME in request.COOKIES and not POLLS & request.GET.keys()


def _keeps_pages_of_others(request: HttpRequest, user: User) -> bool:
    """Return whether the account or the tables' keys that this tablet had before are of a club not the user's."""
    account, tables = getattr(request, "signed_in_before", (None, ()))
    if account == str(user.pk) or not (account or tables):
        return False
    before = set(Membership.objects.filter(user=account).values_list("club", flat=True))
    before.update(Session.objects.filter(pk__in=tables).values_list("club", flat=True))
    return not before <= set(Membership.objects.filter(user=user).values_list("club", flat=True))


def _save_last_used(session: SessionBase, today: str) -> None:
    """Save the day at once; if that fails the page can still be read, and another request tries again."""
    before = session.get(LAST_USED)
    session[LAST_USED] = today
    try:
        session.save()
    except (DatabaseError, OSError, UpdateError):
        session[LAST_USED] = before
        session.modified = False


class OwnPasswordFirst(MiddlewareMixin):
    """Opens only the change of password to an account whose password a command made and printed."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        # Asks the session, not the user, who is not loaded yet.
        is_held = _has_session(request) and request.session.get(MUST_CHANGE)
        match = request.resolver_match
        return redirect("account-password") if is_held and match and match.url_name not in OPEN_FIRST else None


def note_sign_in(sender: Any, request: Request, user: User, **kwargs: Any) -> None:
    """Save when and where, remember the device, and delete sign-ins that ended long ago."""
    request.session.update(facts_of_sign_in(request))
    # Not as long as a tablet without an account, if it was one.
    request.session.set_expiry(None)
    request.session[MUST_CHANGE] = user.must_change_password
    request.signed_in_as = user.get_username()
    if _keeps_pages_of_others(request, user):
        request.session[KEEPS_OTHERS] = True
    request.session.clear_expired()


def note_sign_out(sender: Any, request: Request, user: User | None, **kwargs: Any) -> None:
    request.has_signed_out = True
