"""Cookies that mark a device on which a user has signed in, or which has joined a club's tables, before.

An attack on one account from many addresses throttles unknown devices, never the owner's own; join codes likewise.
One cookie is sent to the sign-in page only, the other to the pages for joining a table.
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

# The most clubs remembered for one device; the oldest is forgotten first.
MAX_CLUBS = 20


def known_device(request: HttpRequest, login: "User | str") -> str:
    """Return the id of this device if the user has signed in on it within a year, else an empty string."""
    try:
        return _signer(login).unsign(request.COOKIES.get(_name(login), ""), max_age=A_YEAR)
    except BadSignature:
        return ""


def note_known(request: HttpRequest, user: "User") -> None:
    """Make the response to this request set the cookie."""
    request.signed_in_as = user.get_username()


class KnownDevice:
    """Middleware that sets the cookie after signing in, or after choosing a password by a link."""

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
    """Return this device's id and the ids of the clubs it has joined; ("", []) without a cookie."""
    try:
        found = loads(request.COOKIES.get(JOINING, ""), salt="sessions_app.known_device.joining", max_age=A_YEAR)
    except BadSignature:
        return "", []
    return found["device"], found["clubs"]


def remember_joining(request: HttpRequest, response: HttpResponse, club: "Club | None" = None) -> HttpResponse:
    """Set the cookie of a device that opens the page for joining, with the club it has joined."""
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
