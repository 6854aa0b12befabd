"""Health checks for monitoring."""

import logging

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubscore.sqlite_file import FileGone
from sessions_app.database_state import missing_columns, pending_migrations, unknown_migrations
from sessions_app.web.replica import REPLICA, seconds_behind

OUTSIDE = logging.getLogger(__name__)
SILENT = "The database does not answer.\n"
NOT_MIGRATED = "The database is not ready for this version: run 'python manage.py migrate' first.\n"
NEWER = "The database was made by a newer version of Clubscore than this one. Fetch that version, then start it.\n"
LACKING = "The database lacks a column that this version needs. Restore a backup with './run restore FILE'.\n"
GONE = "The database file was removed or replaced. Stop Clubscore, then restore the file or a backup of it.\n"
COPY_SILENT = "The copy in READ_DATABASE_URL is out of date, so everything is read from the database itself.\n"


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Whether this process is alive and its database answers."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return _silent(error)
    return _told("ok\n")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether visitors may be sent here: the database is as this version needs it; a silent copy is told, no more."""
    try:
        unfit = _unfit()
    except DatabaseError as error:
        return _silent(error)
    if unfit:
        return _told(unfit, 503)
    if REPLICA not in settings.DATABASES:
        return _told("ready\n")
    behind = seconds_behind()
    return _told("ready\n" + (COPY_SILENT if behind is None else f"The copy is {float(behind):.1f} s behind.\n"))


def _unfit():
    """Return why this version cannot work with the database; an empty text where it can."""
    if pending_migrations(connection):
        return NOT_MIGRATED
    if unknown_migrations(MigrationRecorder(connection).applied_migrations()):
        return NEWER
    lacking = missing_columns(connection)
    if lacking:
        OUTSIDE.error("The database lacks %s.", ", ".join(lacking))
    return LACKING if lacking else ""


def _silent(error):
    return _told(GONE if isinstance(error.__cause__, FileGone) else SILENT, 503)


def _told(text, status=200):
    return HttpResponse(text, content_type="text/plain", status=status)
