"""Whether the site is able to work, for whatever watches over it."""

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from sessions_app.replica import REPLICA, seconds_behind

SILENT = "The database does not answer.\n"
NOT_MIGRATED = "The database is not ready for this version: run 'python manage.py migrate' first.\n"
COPY_SILENT = "The copy in READ_DATABASE_URL does not follow: everything is read from the database itself.\n"


@never_cache
@require_safe
def healthz(request):
    """Whether this process is alive and its database answers."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return _told(SILENT, 503)
    return _told("ok\n")


@never_cache
@require_safe
def readyz(request):
    """Whether visitors may be sent here: the database answers and is migrated; a silent copy is told, no more."""
    try:
        if _migrations_wanted():
            return _told(NOT_MIGRATED, 503)
    except DatabaseError:
        return _told(SILENT, 503)
    if REPLICA not in settings.DATABASES:
        return _told("ready\n")
    behind = seconds_behind()
    return _told("ready\n" + (COPY_SILENT if behind is None else f"The copy is {float(behind):.1f} s behind.\n"))


def _migrations_wanted():
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _told(text, status=200):
    return HttpResponse(text, content_type="text/plain", status=status)
