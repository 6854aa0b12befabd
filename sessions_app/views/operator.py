"""The page for whoever looks after the site: versions, room, backups, clubs by their counts; no club's data."""

from django.http import Http404
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from sessions_app.backups import kept, whole
from sessions_app.queries.operator import club_figures, newest_of, room, versions, warnings, written_elsewhere

SHOWN = 10


@require_safe
@never_cache
def operator(request):
    # Whoever may not see it is not told that there is such a page.
    if not (request.user.is_authenticated and request.user.is_superuser and request.user.is_active):
        raise Http404("No such page")
    lying, latest, pending = kept.backups(), kept.latest(), whole.pending_migrations()
    total, free = room()
    context = {
        "versions": versions(whole.vendor().version()),
        "size": whole.vendor().size(),
        "total": total,
        "free": free,
        "backups": lying[:SHOWN],
        "folder": kept.folder(),
        "elsewhere": written_elsewhere(latest, kept.folder()),
        "pending": pending,
        "clubs": club_figures(),
        "warnings": warnings(newest_of(lying, latest), pending, free, latest.get("failed"), kept.clock_told()),
    }
    return render(request, "sessions_app/operator.html", context)
