"""What lets a tablet open its tables offline: service worker, manifest, and the page of saved hands."""

import hashlib
import json
import re
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from clubscore.static_storage import ROOMS, is_taken_in

# What the pages of a table load, by its name before the content's was put in.
WANTED = (*ROOMS, "vendor/", "django_htmx/htmx-2.min.js")
UNWANTED = re.compile(r"\.(?:md|txt)$|^(?:web/first_hand|table/engine|vendor/micropython)/")

ICONS = (
    ("web/icons/icon-192.png", "192x192", "any"),
    ("web/icons/icon-512.png", "512x512", "any"),
    ("web/icons/maskable-512.png", "512x512", "maskable"),
)


@require_safe
@never_cache
def service_worker(request: HttpRequest) -> HttpResponse:
    """Answer with the worker; its version changes with any file it keeps and with itself."""
    answer = HttpResponse(worker_script(), content_type="text/javascript")
    answer["Service-Worker-Allowed"] = "/"
    return answer


@lru_cache(maxsize=1)
def worker_script() -> str:
    files = sorted({static(name) for name in shell_files()})
    unversioned = render_to_string("web/sw.js", {"shell": json.dumps(files)})
    version = hashlib.sha256(unversioned.encode()).hexdigest()[:12]
    shell = {"version": version, "static": settings.STATIC_URL, "files": files}
    return render_to_string("web/sw.js", {"shell": json.dumps(shell)})


def shell_files() -> list[Any]:
    """Name the static files of the tables' pages; while developing there is no list of them, and none is kept."""
    names = {} if settings.DEBUG else getattr(staticfiles_storage, "hashed_files", {})
    return [name for name in names if name.startswith(WANTED) and not UNWANTED.search(name) and not is_taken_in(name)]


@require_safe
@cache_control(max_age=3600)
def manifest(request: HttpRequest) -> HttpResponse:
    return JsonResponse(
        {
            "name": "Clubscore",
            "short_name": "Clubscore",
            "description": "Keeps the scores of a mah-jong club; you play the tiles.",
            "id": "/",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "lang": "en-GB",
            "background_color": "#fbf8f0",
            "theme_color": "#0b4f43",
            "icons": [
                {"src": static(name), "sizes": sizes, "type": "image/png", "purpose": purpose}
                for name, sizes, purpose in ICONS
            ],
        },
        content_type="application/manifest+json",
    )


@require_safe
def outbox(request: HttpRequest) -> HttpResponse:
    """The page of hands saved on this tablet, filled by its script; the same for everyone, so it can be cached."""
    return render(request, "web/outbox.html")


# When the Wi-Fi fails: the one page for the wall, to read or to print; docs/when-the-wifi-fails.md says the same.


@require_safe
def wifi(request: HttpRequest) -> HttpResponse:
    return render(request, "web/wifi.html")


# Your first hand: the one page that leads a scorekeeper through a hand, to read or to print.


@require_safe
def first_hand(request: HttpRequest) -> HttpResponse:
    return render(request, "web/first_hand.html")


# What the words mean: a club's words with a sentence each; docs/glossary.md has the same terms for developers.


@require_safe
def words(request: HttpRequest) -> str:
    return render(request, "web/words.html")
