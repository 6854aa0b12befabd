"""Where a request comes from: its network address, and cookies that mark a device that has been here before.

The cookies: a user has signed in on it, or it has joined a club's tables.

An attack on one account from many addresses throttles unknown devices, never the owner's own; join codes likewise.
One cookie is sent to the sign-in page only, the other to the pages for joining a table.
"""

import ipaddress
import logging
import secrets
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner, dumps, loads
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.functional import LazyObject

if TYPE_CHECKING:
    from sessions_app.models import Club


logger = logging.getLogger(__name__)

A_YEAR = 365 * 24 * 60 * 60
JOINING = "joining"
JOINING_SALT = "sessions_app.known_device.joining"

# The most clubs remembered for one device; the oldest is forgotten first.
MAX_CLUBS = 20


def set_for_a_year(response: HttpResponse, name: str, value: str, path: str = "/") -> None:
    """Set a cookie that this device keeps for a year, out of reach of scripts."""
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(name, value, max_age=A_YEAR, path=path, samesite="Lax", httponly=True, secure=secure)


def known_device(request: HttpRequest, username: str) -> str:
    """Return the id of this device if the user has signed in on it within a year, else an empty string."""
    name, signer = _known_cookie(username)
    try:
        return signer.unsign(request.COOKIES.get(name, ""), max_age=A_YEAR)
    except BadSignature:
        return ""


def remember_device(request: HttpRequest, response: HttpResponse, username: str) -> None:
    """Set the cookie of a device on which this user has just signed in, or chosen a password by a link."""
    name, signer = _known_cookie(username)
    device = known_device(request, username) or secrets.token_urlsafe(16)
    set_for_a_year(response, name, signer.sign(device), path=reverse("sign-in"))


def _known_cookie(username: str) -> tuple[str, TimestampSigner]:
    """Return the name and the signer of the cookie for this username."""
    username = username.casefold()
    digest = salted_hmac("sessions_app.known_device.name", username).hexdigest()
    return f"known-{digest[:16]}", TimestampSigner(salt=f"sessions_app.known_device:{username}")


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


# The network address, behind the number of proxies in the settings, and who sent a request, for the log.

# A visitor with one IPv6 address usually has the whole network.
NETWORK_BITS = 64


def address_of(request: HttpRequest) -> str:
    """Return the visitor's address, an IPv6 one as its network; headers a visitor could forge are ignored."""
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    is_forwarded = 0 < settings.PROXIES <= len(forwarded)
    text = forwarded[-settings.PROXIES] if is_forwarded else request.META.get("REMOTE_ADDR", "")
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text[:40]
    if address.version == 4:
        return str(address)
    return str(address.ipv4_mapped or ipaddress.ip_network((address, NETWORK_BITS), strict=False))


def account_digest(username: str) -> str:
    """Return what stands for an account in the log, in whatever letters its username was typed."""
    return salted_hmac("sessions_app.log.account", username.casefold(), algorithm="sha256").hexdigest()[:12]


def log_refusal(request: HttpRequest, username: str, why: str) -> None:
    """Log a sign-in that is refused, with the account by its digest."""
    sender = {"account": account_digest(username), "address": address_of(request)}
    logger.warning("Sign-in refused: %s", why, extra={"sender": sender})


def sender_of(request: HttpRequest) -> dict[str, str]:
    """Return who sent a request, for the log: the account's digest, if the request looked it up, and the address."""
    user = vars(request).get("user")
    if isinstance(user, LazyObject):
        user = vars(request).get("_cached_user")
    account = account_digest(user.get_username()) if user and user.is_authenticated else ""
    return {"account": account, "address": address_of(request)}
