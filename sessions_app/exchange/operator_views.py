"""The operator's page: versions, disk space, backups, counts for each club; no club's data."""

import platform
import shutil
from typing import Any
from urllib.parse import urlencode

import django
from django.conf import settings
from django.core import checks
from django.db import connection
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from sessions_app.database_state import pending_migrations
from sessions_app.exchange.backups import retention
from sessions_app.models import Club, Hand, Membership, Player, Session
from sessions_app.people.phone_code import phone_of

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
