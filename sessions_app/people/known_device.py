"""Cookies that mark a device on which a user has signed in, or which has joined a club's tables, before.

An attack on one account from many addresses throttles unknown devices, never the owner's own; join codes likewise.
One cookie is sent to the sign-in page only, the other to the pages for joining a table.
"""

import secrets
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner, dumps, loads
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.deprecation import MiddlewareMixin

if TYPE_CHECKING:
    from sessions_app.models import Club, User


A_YEAR = 365 * 24 * 60 * 60
JOINING = "joining"
JOINING_SALT = "sessions_app.known_device.joining"

# The most clubs remembered for one device; the oldest is forgotten first.
MAX_CLUBS = 20


def set_for_a_year(response: HttpResponse, name: str, value: str, path: str = "/") -> None:
    """Set a cookie that this device keeps for a year, out of reach of scripts."""
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(name, value, max_age=A_YEAR, path=path, samesite="Lax", httponly=True, secure=secure)


def known_device(request: HttpRequest, login: "User | str") -> str:
    """Return the id of this device if the user has signed in on it within a year, else an empty string."""
    try:
        return _signer(login).unsign(request.COOKIES.get(_name(login), ""), max_age=A_YEAR)
    except BadSignature:
        return ""


def note_known(request: HttpRequest, user: "User") -> None:
    """Make the response to this request set the cookie."""
    request.signed_in_as = user.get_username()


class KnownDevice(MiddlewareMixin):
    """Middleware that sets the cookie after signing in, or after choosing a password by a link."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        login = getattr(request, "signed_in_as", None)
        if login is not None:
            kept = _signer(login).sign(known_device(request, login) or secrets.token_urlsafe(16))
            set_for_a_year(response, _name(login), kept, path=reverse("sign-in"))
        return response


def joining_device(request: HttpRequest) -> tuple[str, list[Any]]:
    """Return this device's id and the ids of the clubs it has joined; ("", []) without a cookie."""
    try:
        found = loads(request.COOKIES.get(JOINING, ""), salt=JOINING_SALT, max_age=A_YEAR)
    except BadSignature:
        return "", []
    return found["device"], found["clubs"]


def remember_joining(request: HttpRequest, response: HttpResponse, club: "Club | None" = None) -> HttpResponse:
    """Set the cookie of a device that opens the page for joining, with the club it has joined."""
    device, clubs = joining_device(request)
    if device and club is None:
        return response
    clubs = [*(pk for pk in clubs if pk != club.pk), club.pk][-MAX_CLUBS:] if club else clubs
    kept = dumps({"device": device or secrets.token_urlsafe(16), "clubs": clubs}, salt=JOINING_SALT)
    set_for_a_year(response, JOINING, kept, path=reverse("join"))
    return response


def _name(login):
    return f"known-{salted_hmac('sessions_app.known_device.name', login.casefold()).hexdigest()[:16]}"


def _signer(login):
    return TimestampSigner(salt=f"sessions_app.known_device:{login.casefold()}")
