"""The cookies by which a device says that a login has signed in on it, or that it has joined a club's tables, before.

Who tries one login from very many addresses makes other devices wait, and never those of the login's owner; join codes
likewise. Only the page to sign in is sent the one, and the pages for joining the other.
"""

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner, dumps, loads
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import salted_hmac

if TYPE_CHECKING:
    from sessions_app.models import Club, User


A_YEAR = 365 * 24 * 60 * 60


JOINING = "joining"


# So many clubs are remembered for one device; the one joined longest ago is forgotten first.
MAX_CLUBS = 20


def known_device(request: HttpRequest, login: "User | str") -> str:
    """Return what this device is known by where the login has signed in on it within a year, else an empty string."""
    try:
        return _signer(login).unsign(request.COOKIES.get(_name(login), ""), max_age=A_YEAR)
    except BadSignature:
        return ""


def note_known(request: HttpRequest, user: "User") -> None:
    """Let the answer to this request carry the cookie."""
    request.signed_in_as = user.get_username()


class KnownDevice:
    """Give a device on which somebody has just signed in, or chosen a password by a link, its cookie."""

    def __init__(self, get_response: Callable[..., Any]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        login = getattr(request, "signed_in_as", None)
        if login is not None:
            response.set_cookie(
                _name(login),
                _signer(login).sign(known_device(request, login) or secrets.token_urlsafe(16)),
                max_age=A_YEAR,
                path=reverse("sign-in"),
                samesite="Lax",
                httponly=True,
                secure=settings.SESSION_COOKIE_SECURE,
            )
        return response


def joining_device(request: HttpRequest) -> tuple[str, list[Any]]:
    """Return what this device is known by to the pages for joining, and the ids of the clubs that it has joined.

    An empty string and no clubs for a device that has no cookie of ours.
    """
    try:
        found = loads(request.COOKIES.get(JOINING, ""), salt="sessions_app.known_device.joining", max_age=A_YEAR)
    except BadSignature:
        return "", []
    return found["device"], found["clubs"]


def remember_joining(request: HttpRequest, response: HttpResponse, club: "Club | None" = None) -> HttpResponse:
    """Give a device that opens the page for joining its cookie, and note the club that it has joined."""
    device, clubs = joining_device(request)
    if device and club is None:
        return response
    clubs = [*(pk for pk in clubs if pk != club.pk), club.pk][-MAX_CLUBS:] if club else clubs
    response.set_cookie(
        JOINING,
        dumps(
            {"device": device or secrets.token_urlsafe(16), "clubs": clubs}, salt="sessions_app.known_device.joining"
        ),
        max_age=A_YEAR,
        path=reverse("join"),
        samesite="Lax",
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return response


def _name(login):
    return f"known-{salted_hmac('sessions_app.known_device.name', login.casefold()).hexdigest()[:16]}"


def _signer(login):
    return TimestampSigner(salt=f"sessions_app.known_device:{login.casefold()}")
