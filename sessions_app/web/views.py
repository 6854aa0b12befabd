"""Pages that belong to no club: for opening tables offline, to read or to print, display settings, health checks."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render, resolve_url
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubscore.site.own_address import open_to_tablets
from clubscore.site.static_storage import FIRST, PACK, PACKED
from sessions_app.people.known_device import set_for_a_year
from sessions_app.web.requests import address_in

# What a club's pages load beside the files of PACKED, which a tablet fetches for a hall without Wi-Fi.
FOR_CLUBS = (
    "django_htmx/htmx-2.min.js", "league/league.css", "meetings/draw_here.js", "rules/practice.js", "rules/rules.css",
    "rules/worth.js", "table/offline_ready.js", "table/paper.css", "table/paper.js", "table/start_here.js",
    "table/to_send.js", "web/once.js", "web/print.css", "web/print.js",
)  # fmt: skip

ICONS = (
    ("web/icons/icon-192.png", "192x192", "any"),
    ("web/icons/icon-512.png", "512x512", "any"),
    ("web/icons/maskable-512.png", "512x512", "maskable"),
)


@require_safe
@never_cache
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the worker's script; its version changes with the script and with any file that it keeps."""
    return HttpResponse(built_worker().script, content_type="text/javascript", headers={"Service-Worker-Allowed": "/"})


@dataclass(frozen=True)
class Worker:
    version: str
    script: str


@lru_cache(maxsize=1)
def built_worker() -> Worker:
    files, others = kept_files(FIRST), kept_files(FOR_CLUBS)
    pack = {"pack": kept_files((PACK,)), "packed": kept_files(PACKED)}
    unversioned = render_to_string("web/sw.js", {"shell": json.dumps([files, others, pack])})
    version = hashlib.sha256(unversioned.encode()).hexdigest()[:12]
    shell = {"version": version, "static": settings.STATIC_URL, "files": files, **pack}
    return Worker(version, render_to_string("web/sw.js", {"shell": json.dumps(shell)}))


def kept_files(names: tuple[str, ...]) -> list[str]:
    """Return the addresses of these static files; none in development, where they say nothing of the content."""
    is_named = not settings.DEBUG and hasattr(staticfiles_storage, "hashed_files")
    return [static(name) for name in names] if is_named else []


@require_safe
@cache_control(max_age=3600)
def manifest(request: HttpRequest) -> HttpResponse:
    return JsonResponse(
        {
            "name": settings.GAME_SITE.name if settings.GAME_SITE else "Clubscore",
            "short_name": settings.GAME_SITE.name if settings.GAME_SITE else "Clubscore",
            "description": "Keeps the scores of mah-jong; you play the tiles.",
            **({} if settings.GAME_SITE else {"id": "/"}),
            "start_url": reverse("games" if settings.GAME_SITE else "front"),
            "scope": reverse("front"),
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


def _page(name: str) -> Callable[..., HttpResponse]:
    """Return a view of a page that is the same for everyone."""
    return require_safe(lambda request: render(request, f"web/{name}.html"))


@require_safe
@never_cache
def laptop(request: HttpRequest) -> HttpResponse:
    """For whoever brings the laptop to a hall: the address that tablets open, as a code, or what to do without one."""
    addresses, why = ([settings.SITE.geturl()], "") if settings.SITE else open_to_tablets(int(request.get_port()))
    found = {"address": next(iter(addresses), ""), "others": addresses[1:], "why": why, "run": settings.RUN}
    return render(request, "web/laptop.html", found)


outbox = _page("outbox")  # the hands saved on this tablet, filled in by its script
wifi = _page("wifi")  # for the wall; docs/when-the-wifi-fails.md says the same
first_hand = _page("first_hand")  # guides a scorekeeper through a hand
trial_kit = _page("trial_kit")  # for a club's first meeting, to print
words = _page("words")  # a club's words with a sentence each; docs/glossary.md has the same terms for developers


# The folders of what is shipped to browsers, with the names that their licences are known by.
SHIPPED = {
    "atkinson-hyperlegible-next": "Atkinson Hyperlegible Next",
    "idiomorph": "idiomorph",
    "lit-html": "lit-html",
    "micropython": "MicroPython",
    "pico": "Pico CSS",
    "qrcode-generator": "QR Code Generator for JavaScript",
}


@require_safe
def licences(request: HttpRequest) -> HttpResponse:
    files = {"Clubscore": settings.BASE_DIR / "LICENSE"}
    vendor = settings.BASE_DIR / "static" / "vendor"
    files |= {name: next((vendor / folder).glob("LICENSE*")) for folder, name in SHIPPED.items()}
    files["The tiles, from Noto Sans Symbols 2"] = next((vendor.parent / "rules" / "tiles").glob("OFL*"))
    texts = [(name, file.read_text(encoding="utf-8")) for name, file in files.items()]
    return render(request, "web/licences.html", {"licences": texts})


# Display settings of one device, kept in a cookie: large type, high contrast, left hand.


COOKIE = "looks"


@dataclass(frozen=True)
class Look:
    """One setting; the page's root element has `css_class` while it is on."""

    key: str
    name: str
    sentence: str

    @property
    def css_class(self) -> str:
        return f"is-{self.key}"


LOOKS = (
    Look("large", "Large type", "All words are a quarter larger. The smallest words grow the most."),
    Look("contrast", "High contrast", "Black on white, or white on black in dark mode, with a line round everything."),
    Look("far", "Large initials", "Names at the table have a large first letter that you can read from the far side."),
    Look(
        "calm",
        "Quiet special hands",
        "A special hand is named at the table like any other, without a star or movement.",
    ),
    Look("left", "Left hand", "The tiles you have entered and the main button are on the left."),
)


def looks_of(request: HttpRequest) -> list[str]:
    """Return the keys of the settings that are on, in order; ignore anything else in the cookie."""
    keys = request.COOKIES.get(COOKIE, "").split(".")
    return [look.key for look in LOOKS if look.key in keys]


@require_http_methods(["GET", "HEAD", "POST"])
def looks(request: HttpRequest) -> HttpResponse:
    back = address_in(request, "next") or resolve_url("front")
    on = looks_of(request)
    if request.method == "POST":
        response = redirect(f"{reverse('looks')}?{urlencode({'next': back})}")
        turned = request.POST.get("turn")
        now = [look.key for look in LOOKS if (look.key in on) != (look.key == turned)]
        set_for_a_year(response, COOKIE, ".".join(now))
        return response
    return render(request, "web/looks.html", {"switches": [(look, look.key in on) for look in LOOKS], "back": back})
