"""The cookie by which a device says that a login has signed in on it before; only the page to sign in is sent it.

Who tries one login from very many addresses makes other devices wait, and never those of the login's owner.
"""

import secrets

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.urls import reverse
from django.utils.crypto import salted_hmac

A_YEAR = 365 * 24 * 60 * 60


def known_device(request, login):
    """Return what this device is known by where the login has signed in on it within a year, else an empty string."""
    try:
        return _signer(login).unsign(request.COOKIES.get(_name(login), ""), max_age=A_YEAR)
    except BadSignature:
        return ""


def note_known(request, user):
    """Let the answer to this request carry the cookie."""
    request.signed_in_as = user.get_username()


class KnownDevice:
    """Give a device on which somebody has just signed in, or chosen a password by a link, its cookie."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
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


def _name(login):
    return f"known-{salted_hmac('sessions_app.known_device.name', login.casefold()).hexdigest()[:16]}"


def _signer(login):
    return TimestampSigner(salt=f"sessions_app.known_device:{login.casefold()}")
