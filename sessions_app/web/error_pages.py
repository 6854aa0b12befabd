"""Error pages: what is wrong with the database, as a page or as JSON; requests that cannot be read; stale forms."""

import errno
import logging
import re
import sqlite3
import sys
from enum import Enum
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db import Error, IntegrityError, InterfaceError, OperationalError, ProgrammingError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.defaults import server_error

from clubscore.play.outcomes import Outcome
from clubscore.site.sqlite_file import FileGone
from sessions_app.people.account_forms import SignInForm
from sessions_app.people.accounts import account_called
from sessions_app.people.transactions import WritersBusy
from sessions_app.web.access import has_keys, page_before
from sessions_app.web.requests import address_in

logger = logging.getLogger(__name__)
SAFE = "What you sent was not saved. Everything saved before is safe."
AGAIN = "Try again in a minute."
ASK = "Tell the person who looks after Clubscore, then try again."
RETRY_AFTER = 15


class Trouble(Enum):
    """What stops the database from working: a sentence, and what to do about it."""

    FULL = ("The disk is full on the computer that keeps the scores.", ASK)
    READ_ONLY = ("You can read the scores at the moment, but nothing can be saved.", ASK)
    BROKEN = ("The disk of the computer that keeps the scores is not working properly.", ASK)
    GONE = ("The file that holds the scores was removed or replaced.", ASK)
    AWAY = ("The computer that keeps the scores is not answering at the moment.", AGAIN)
    BUSY = ("The computer that keeps the scores is too busy at the moment.", AGAIN)

    def __init__(self, sentence: str, advice: str) -> None:
        self.sentence, self.advice = sentence, advice


OF_SQLITE = {
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_IOERR: Trouble.BROKEN,
    sqlite3.SQLITE_CORRUPT: Trouble.BROKEN,
    sqlite3.SQLITE_NOTADB: Trouble.BROKEN,
    sqlite3.SQLITE_BUSY: Trouble.BUSY,
    sqlite3.SQLITE_LOCKED: Trouble.BUSY,
}

# The last byte of an extended SQLite code is the primary code.
PRIMARY_CODE = 0xFF

# By SQLSTATE: disk_full, read_only_sql_transaction, io_error, data_corrupted, index_corrupted, lock_not_available,
# too_many_connections, deadlock_detected.
OF_POSTGRESQL = {
    "53100": Trouble.FULL,
    "25006": Trouble.READ_ONLY,
    "58030": Trouble.BROKEN,
    "XX001": Trouble.BROKEN,
    "XX002": Trouble.BROKEN,
    "55P03": Trouble.BUSY,
    "53300": Trouble.BUSY,
    "40P01": Trouble.BUSY,
}

# PostgreSQL gives no code when it refuses a connection, only a message.
REFUSED_AS_BUSY = ("too many clients", "remaining connection slots")

OF_THE_SYSTEM = {
    errno.ENOSPC: Trouble.FULL,
    errno.EDQUOT: Trouble.FULL,
    errno.EIO: Trouble.BROKEN,
    errno.EROFS: Trouble.READ_ONLY,
    errno.EACCES: Trouble.READ_ONLY,
    errno.EPERM: Trouble.READ_ONLY,
    errno.EMFILE: Trouble.BUSY,
}


def trouble_of(error: Any) -> Trouble | None:
    """Return the Trouble behind an error, or None if the error has another cause."""
    if isinstance(error, OSError):
        return OF_THE_SYSTEM.get(error.errno or 0)
    if isinstance(error, WritersBusy):
        return Trouble.BUSY
    if not isinstance(error, Error) or isinstance(error, IntegrityError | ProgrammingError):
        return None
    known = _trouble_by_code(error.__cause__)
    return known or (Trouble.AWAY if isinstance(error, OperationalError | InterfaceError) else None)


def _trouble_by_code(error: BaseException | None) -> Trouble | None:
    """Return the Trouble for an error of the database driver by its code; None for any other."""
    if isinstance(error, FileGone):
        return Trouble.GONE
    if isinstance(error, sqlite3.Error):
        return OF_SQLITE.get(getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE)
    code = getattr(error, "sqlstate", None) or ""
    if not code and any(part in str(error) for part in REFUSED_AS_BUSY):
        return Trouble.BUSY
    return OF_POSTGRESQL.get(code)


def fault(request: HttpRequest) -> HttpResponse:
    """Answer an unhandled error: 503 and a sentence if the database is in trouble, else 500."""
    error = sys.exc_info()[1]
    found = trouble_of(error)
    if found is None:
        return server_error(request)
    logger.error("The database is in trouble: %s", error)
    # A connection opened while the database was read-only would stay read-only.
    if not connection.in_atomic_block:
        connection.close()
    return trouble(request, found)


def trouble(request: HttpRequest, found: Trouble) -> HttpResponse:
    """Return the sentence of a Trouble and what to do: as a page, a fragment for htmx, or JSON if asked for."""
    parts = [found.sentence, found.advice]
    if request.method not in ("GET", "HEAD"):
        parts.insert(1, SAFE)
    if "application/json" in (request.headers.get("Accept", ""), request.content_type):
        answer = {"status": 503, "outcome": Outcome.UNAVAILABLE, "message": " ".join(parts)}
        response: HttpResponse = JsonResponse(answer, status=503)
    else:
        name = "web/_trouble.html" if request.headers.get("HX-Request") else "503.html"
        # No context processors: they would ask the database who is signed in.
        response = HttpResponse(render_to_string(name, {"sentence": found.sentence, "parts": parts[1:]}), status=503)
    response["Retry-After"] = RETRY_AFTER
    response["Cache-Control"] = "no-store"
    return response


def unreadable(request: HttpRequest, exception: Any) -> HttpResponse:
    """Answer a request that is too large or too broken to be read."""
    return render(request, "400.html", status=400)


# Forms refused for their token (CSRF): a browser without cookies, or a page opened before signing in again. What was
# typed is shown again, but only where the browser says that the form comes from a page of this site. It is sent only
# when the user presses a button once more.

FORBIDDEN = 403
SIGN_IN_AGAIN = "You opened this page before you last signed in or out. Enter your password again."

# What people choose or press, not type: ids and keys.
KEY = re.compile(r"[a-z0-9_-]*|[A-Za-z0-9_-]{16,40}")


def refuse_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without the right token (settings.CSRF_FAILURE_VIEW)."""
    no_cookie = reason == REASON_NO_CSRF_COOKIE
    # Whether a page of this site sent the form, by the word of the browser, and not a script of it.
    here = f"{request.scheme}://{request.get_host()}"
    is_page = request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate" and not request.headers.get("HX-Request")
    is_own = is_page and request.headers.get("Origin") in (here, *settings.CSRF_TRUSTED_ORIGINS)
    match = request.resolver_match
    name = match.url_name if match else ""
    if is_own and not no_cookie and name == "sign-in":
        return _sign_in_again(request)
    if is_own and name == "sign-out" and not request.user.is_authenticated:
        return redirect("sign-in")
    typed = _typed(request) if is_own else None
    context = {
        "no_cookie": no_cookie,
        "typed": typed,
        "shown": [value for _, value in typed or () if not KEY.fullmatch(value)],
        "is_signed_out": not request.user.is_authenticated and not has_keys(request),
        "page_before": page_before(request),
    }
    return render(request, "403_csrf.html", context, status=FORBIDDEN)


def _sign_in_again(request: HttpRequest) -> HttpResponse:
    """Lead on whoever has signed in meanwhile under the name typed; anyone else types the password once more."""
    typed = request.POST.get("username", "")
    if request.user.is_authenticated and account_called(typed) == request.user:
        return redirect(address_in(request, "next") or "front")
    messages.warning(request, SIGN_IN_AGAIN)
    form = SignInForm(request, initial={"username": typed})
    context = {"form": form, "next": address_in(request, "next"), "sign_up": settings.SIGN_UP}
    return render(request, "people/sign_in.html", context, status=FORBIDDEN)


def _typed(request: HttpRequest) -> list[tuple[str, Any]] | None:
    """Return the fields of the form, without passwords; None if there was nothing else, or a file."""
    try:
        fields = [(name, value) for name, values in request.POST.lists() for value in values]
        has_file = any(file.size for _, files in request.FILES.lists() for file in files)
    except UnreadablePostError:
        return None
    fields = [(name, value) for name, value in fields if name != "csrfmiddlewaretoken"]
    typed = [(name, value) for name, value in fields if "password" not in name]
    is_password_alone = not typed and bool(fields)
    return None if has_file or is_password_alone else typed
