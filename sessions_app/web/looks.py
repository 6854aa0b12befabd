"""Display settings of one device, kept in a cookie: large type, high contrast, left hand."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

COOKIE = "looks"


@dataclass(frozen=True)
class Look:
    """One switch; `css_class` stands on the page's root while it is on."""

    key: str
    name: str
    sentence: str

    @property
    def css_class(self) -> str:
        return f"is-{self.key}"


LOOKS = (
    Look("large", "Large type", "All words are a quarter larger. The smallest words grow the most."),
    Look("contrast", "High contrast", "Black on white, or white on black in dark mode, with a line round everything."),
    Look("left", "Left hand", "The tiles you have entered and the main button are on the left."),
)


def looks_of(request: HttpRequest) -> list[str]:
    """Return the keys of the settings that are on, in order; ignore anything else in the cookie."""
    kept = request.COOKIES.get(COOKIE, "").split(".")
    return [look.key for look in LOOKS if look.key in kept]


def turned(looks: list[Any], key: str) -> str:
    """Return the cookie after one switch was turned over."""
    return ".".join(look.key for look in LOOKS if (look.key in looks) != (look.key == key))


# Text size and colours: the settings of a tablet, signed in or not.

A_YEAR = 365 * 24 * 60 * 60


@require_http_methods(["GET", "HEAD", "POST"])
def looks(request: HttpRequest) -> HttpResponse:
    back = _back(request)
    on = looks_of(request)
    if request.method == "POST":
        return _turn(request, on, back)
    switches = [(look, look.key in on) for look in LOOKS]
    return render(request, "web/looks.html", {"switches": switches, "back": back})


def _turn(request, on, back):
    response = redirect(f"{reverse('looks')}?{urlencode({'next': back})}")
    response.set_cookie(
        COOKIE,
        turned(on, request.POST.get("turn")),
        max_age=A_YEAR,
        samesite="Lax",
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return response


def _back(request):
    """The page someone came from; the front page where it is not one of this site."""
    address = request.POST.get("next") or request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if is_ours else resolve_url("front")
