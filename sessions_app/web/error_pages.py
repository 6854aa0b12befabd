"""When the database cannot work: an honest sentence instead of a fault, on a page, in JSON or in plain text."""

import errno
import logging
import sys

from django.db import Error, IntegrityError, InterfaceError, OperationalError, ProgrammingError, connection
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.defaults import server_error

OUTSIDE = logging.getLogger(__name__)


FULL = "There is no room left on the disk of the computer that keeps the scores."


READ_ONLY = "The scores can be read at the moment, but nothing can be written."


BROKEN = "The disk of the computer that keeps the scores does not work as it should."


AWAY = "The computer that keeps the scores does not answer at the moment."


BUSY = "The computer that keeps the scores is too busy at the moment."


SAFE = "What you sent was not recorded. What was recorded before is safe."


GONE = "The file in which the scores are kept was removed or replaced."


AGAIN = "Try again in a minute."


ASK = "Tell whoever looks after Clubscore, then try again."


RETRY_AFTER = 15


# Parts of what SQLite and PostgreSQL say, with the sentence for it.
SAID = (
    (("is gone",), GONE),
    (("disk is full", "could not extend file", "no space left", "disk full"), FULL),
    (("readonly database", "read-only transaction", "read-only"), READ_ONLY),
    (("disk i/o error", "could not write", "malformed", "not a database"), BROKEN),
    (("locked", "lock timeout", "too many clients", "remaining connection slots", "deadlock"), BUSY),
)


OF_THE_SYSTEM = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EIO: BROKEN,
    errno.EROFS: READ_ONLY,
    errno.EACCES: READ_ONLY,
    errno.EPERM: READ_ONLY,
    errno.EMFILE: BUSY,
}


def trouble_of(error):
    """Return the sentence for what keeps the database from working; None where the fault is another."""
    if isinstance(error, OSError):
        return OF_THE_SYSTEM.get(error.errno)
    if not isinstance(error, Error) or isinstance(error, IntegrityError | ProgrammingError):
        return None
    told = str(error).lower()
    known = next((sentence for parts, sentence in SAID if any(part in told for part in parts)), None)
    return known or (AWAY if isinstance(error, OperationalError | InterfaceError) else None)


def fault(request):
    """Answer an error that nobody caught: with 503 and a sentence where the database is in trouble, else with 500."""
    error = sys.exc_info()[1]
    sentence = trouble_of(error)
    if sentence is None:
        return server_error(request)
    OUTSIDE.error("The database is in trouble: %s", error)
    _open_anew()
    return trouble(request, sentence)


def _open_anew():
    """Let the next request open the database anew: one opened while it could not be written would stay so."""
    if not connection.in_atomic_block:
        connection.close()


def trouble(request, sentence):
    advice = ASK if sentence in (FULL, READ_ONLY, BROKEN, GONE) else AGAIN
    wrote = request.method not in ("GET", "HEAD")
    parts = [sentence, *([SAFE] if wrote else []), advice]
    if "application/json" in (request.headers.get("Accept", ""), request.content_type):
        told = {"status": 503, "outcome": "unavailable", "message": " ".join(parts)}
        response = JsonResponse(told, status=503)
    else:
        name = "web/_trouble.html" if request.headers.get("HX-Request") else "503.html"
        # No context processors: they would ask the database who is signed in.
        response = HttpResponse(render_to_string(name, {"sentence": sentence, "parts": parts[1:]}), status=503)
    response["Retry-After"] = RETRY_AFTER
    response["Cache-Control"] = "no-store"
    return response


# What is too large or too broken to be read at all, as a page.


def unreadable(request, exception):
    return render(request, "400.html", status=400)
