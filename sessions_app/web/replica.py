"""Reading from a copy of the database that follows it by streaming: the pages which many only look at.

Never at a table: who records must see what was recorded. A copy that is silent or too far behind is left alone for a
while, and everything is read from the database itself.
"""

import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connections
from django.http import HttpRequest, HttpResponse
from django.http.response import Http404

REPLICA = "replica"

PAGES = {
    "watch",
    "watch-hall",
    "hall",
    "standings",
    "standings-added",
    "honours",
    "player",
    "front",
    "public",
    "public-standings",
    "public-standings-json",
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
        _is_reading.set(is_looking and is_there() and keeps_up())

    def process_exception(self, request: HttpRequest, exception: PermissionDenied | Http404) -> None:
        if _is_reading.get() and isinstance(exception, DatabaseError):
            _known.update(until=time.monotonic() + RETRY_AFTER_S, is_good=False)


def is_there() -> bool:
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
