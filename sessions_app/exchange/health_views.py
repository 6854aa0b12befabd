"""What monitors ask: whether the process is alive, and whether visitors may be sent here or backups are made."""

import logging

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubscore.site.sqlite_file import FileGone
from sessions_app.database_state import missing_columns, pending_migrations, try_to_write, wrong_version
from sessions_app.exchange.backups import retention
from sessions_app.web.error_pages import Trouble, trouble_of

logger = logging.getLogger(__name__)
SILENT = "The database does not answer; Clubscore's messages say why.\n"
GONE = "The database file was removed or replaced. Stop Clubscore, then restore the file or a backup of it.\n"


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Whether this process is alive: nothing is asked of the database, which a new start cannot help."""
    return _plain("ok\n")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether visitors may be sent here: the database is right for this version and has room for more.

    With ?backup in the address, whether the backups are as they should be.
    """
    if "backup" in request.GET:
        return _answer("".join(f"{sentence}\n" for sentence in retention.worries()))
    try:
        fault = reason = _database_fault() or _no_room()
    except DatabaseError as error:
        # With the host, and what it said.
        fault, reason = SILENT, f"The database does not answer: {' '.join(str(error).split())}"
        if isinstance(error.__cause__, FileGone):
            fault = reason = GONE
    if reason:
        logger.error(reason.strip())
    return _answer(fault)


def _database_fault() -> str:
    """Return why this version cannot work with the database; an empty string if it can."""
    if pending := pending_migrations(connection):
        names = ", ".join(name for _, name in pending)
        return f"The database is not ready for this version: run '{settings.RUN} upgrade'. It lacks {names}.\n"
    if wrong := wrong_version(connection):
        return f"{wrong}\n"
    if lacking := missing_columns(connection):
        return f"The database lacks {', '.join(lacking)}. Restore a backup with '{settings.RUN} restore FILE'.\n"
    return ""


def _no_room() -> str:
    """Return why nothing more could be saved; an empty string if it could."""
    try:
        try_to_write(connection)
    except (DatabaseError, OSError) as error:
        return f"{(trouble_of(error) or Trouble.BROKEN).sentence}\n"
    return ""


def _answer(fault: str) -> HttpResponse:
    response = _plain(fault or "ready\n", 503 if fault else 200)
    # Django would say that too, without the reason; of backups it is said where they fail.
    vars(response)["_has_been_logged"] = True
    return response


def _plain(text: str, status: int = 200) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain", status=status)
