"""The operator's page: versions, disk space, backups, counts for each club; no club's data."""

import platform
import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import django
from django.conf import settings
from django.core import checks
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from sessions_app.exchange.backups import full_backup, retention
from sessions_app.exchange.backups.retention import Backup
from sessions_app.models import Club, Hand, Membership, Player, Session
from sessions_app.people.phone_code import phone_of

LOW_DISK_SPACE = 1_000_000_000
OLD_BACKUP = timedelta(days=2)
AHEAD = timedelta(hours=1)
SHOWN = 10


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


def last_backup(latest: dict[str, Any]) -> Backup | None:
    """Return the last backup as its command noted it, wherever it was written."""
    made = latest.get("made")
    if not made:
        return None
    return Backup(Path(made["path"]), datetime.fromisoformat(made["made_at"]), "", made["size"], made)


def warnings(newest: Backup | None, pending: list[str], free: int, failed: dict[str, str] | None) -> list[str]:
    """Return warnings, as sentences; `free` is in bytes, `failed` a failure after the newest backup."""
    found = []
    if pending:
        found.append(
            f"{len(pending)} database update{'' if len(pending) == 1 else 's'} still to run. Run ./run upgrade."
        )
    if newest is None:
        found.append("There is no backup yet. Run ./run backup, and schedule it every night.")
    else:
        if timezone.now() - newest.made_at > OLD_BACKUP:
            found.append("The newest backup is older than two days.")
        if newest.made_at - timezone.now() > AHEAD:
            found.append("The newest backup is dated in the future. Check the computer's clock.")
        if not newest.is_verified:
            found.append("The newest backup has not been tested.")
    if clock := retention.clock_warning():
        found.append(clock)
    if failed:
        at = timezone.localtime(datetime.fromisoformat(failed["at"]))
        found.append(f"The last backup, on {at:%-d %B %Y at %H:%M}, failed: {failed['sentence']}")
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
    backups, latest, pending = retention.full_backups(), retention.latest(), full_backup.pending_migrations()
    last, folder = last_backup(latest), retention.folder()
    # Not the one with the latest date, as the clock may have been wrong.
    newest = last or next(iter(backups), None)
    disk = shutil.disk_usage(settings.VAR_DIR)
    context = {
        "versions": [
            ("Clubscore", settings.VERSION),
            ("Django", django.get_version()),
            ("Python", platform.python_version()),
            ("Database", full_backup.vendor().version()),
        ],
        "size": full_backup.vendor().size(),
        "total": disk.total,
        "free": disk.free,
        "backups": backups[:SHOWN],
        "folder": folder,
        "elsewhere": last if last and last.path.parent != folder else None,
        "pending": pending,
        "clubs": club_figures(),
        "warnings": warnings(newest, pending, disk.free, latest.get("failed")),
    }
    return render(request, "exchange/operator.html", context)
