"""The operator's page, with counts for each club and no club's data; and what a program asks that watches the site."""

import logging
import platform
import shutil
from typing import Any
from urllib.parse import urlencode

import django
from django.conf import settings
from django.core import checks
from django.db import DatabaseError, connection
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubscore.site.sqlite_file import FileGone
from sessions_app.database_state import missing_columns, pending_migrations, try_to_write, wrong_version
from sessions_app.exchange.backups import retention
from sessions_app.models import Club, Hand, Membership, Player, Session
from sessions_app.people.phone_code import phone_of
from sessions_app.web.error_pages import Trouble, trouble_of

LOW_DISK_SPACE = 1_000_000_000
SHOWN = 10
# Bytes of the database.
SIZE = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_database_size(current_database())",
}


def club_figures() -> list[dict[str, Any]]:
    """Return every club with its counts, in five queries."""
    counted = {
        name: dict(model.objects.order_by().values_list(path).annotate(Count("pk")))
        for name, model, path in (
            ("players", Player, "club"),
            ("sessions", Session, "club"),
            ("hands", Hand, "session__club"),
            ("logins", Membership, "club"),
        )
    }
    return [
        {"name": club.name, "slug": club.slug, **{name: found.get(club.pk, 0) for name, found in counted.items()}}
        for club in Club.objects.order_by("name", "pk")
    ]


def warnings(updates: int, free: int) -> list[str]:
    """Return warnings, as sentences; `free` is in bytes."""
    found = retention.worries()
    if updates:
        found.append(
            f"{updates} database update{'' if updates == 1 else 's'} still to run. Run {settings.RUN} upgrade."
        )
    if free < LOW_DISK_SPACE:
        found.append("There is less than 1 GB free on the disk.")
    if settings.DEBUG:
        found.append("DEBUG is 1. Never use that on the internet.")
    return found + [message.msg for message in checks.run_checks(include_deployment_checks=not settings.DEBUG)]


@require_safe
@never_cache
def operator(request: HttpRequest) -> HttpResponse:
    # For everyone else the page does not exist.
    if not (request.user.is_authenticated and request.user.is_superuser and request.user.is_active):
        raise Http404("No such page")
    if not request.user.is_verified():
        # The code was not given in this sign-in, or the account has none yet.
        page = "sign-in-code" if phone_of(request.user) else "phone-code"
        return redirect(f"{reverse(page)}?{urlencode({'next': request.path})}")
    backups = retention.full_backups()
    updates = len(pending_migrations(connection))
    disk = shutil.disk_usage(settings.VAR_DIR)
    with connection.cursor() as cursor:
        cursor.execute(SIZE[connection.vendor])
        [size] = cursor.fetchone()
    context = {
        "versions": [
            ("Clubscore", settings.VERSION),
            ("Django", django.get_version()),
            ("Python", platform.python_version()),
            (connection.display_name, ".".join(map(str, connection.get_database_version()))),
        ],
        "size": size,
        "total": disk.total,
        "free": disk.free,
        "backups": backups[:SHOWN],
        "folder": retention.folder(),
        "last": retention.last_try()[0],
        "updates": updates,
        "sends_mail": settings.SENDS_MAIL,
        "mail_from": settings.DEFAULT_FROM_EMAIL,
        "clubs": club_figures(),
        "warnings": warnings(updates, disk.free),
    }
    return render(request, "exchange/operator.html", context)


# Whether the site works, for programs.

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
