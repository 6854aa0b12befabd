"""How it looks on this tablet: the switches, for everybody who holds it, signed in or not."""

from urllib.parse import urlencode

from django.conf import settings
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from sessions_app.looks import COOKIE, LOOKS, looks_of, turned

A_YEAR = 365 * 24 * 60 * 60


@require_http_methods(["GET", "HEAD", "POST"])
def looks(request):
    back = _back(request)
    on = looks_of(request)
    if request.method == "POST":
        return _turn(request, on, back)
    switches = [(look, look.key in on) for look in LOOKS]
    return render(request, "sessions_app/looks.html", {"switches": switches, "back": back})


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
    """The page somebody came from; the front page where it is not one of this site."""
    address = request.POST.get("next") or request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if is_ours else resolve_url("front")
