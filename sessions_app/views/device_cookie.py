"""The cookie by which tablets at a table tell each other apart; it says nothing of who holds them."""

import re
import secrets

from django.conf import settings

COOKIE = "device"
A_YEAR = 365 * 24 * 60 * 60
TOKEN = re.compile(r"[A-Za-z0-9_-]{16,40}")


def device_token(request):
    """Return what its cookie holds, else something new that remember() gives it."""
    if not hasattr(request, "device_token"):
        kept = request.COOKIES.get(COOKIE, "")
        request.device_token = kept if TOKEN.fullmatch(kept) else secrets.token_urlsafe(16)
    return request.device_token


def remember(request, response):
    """Give a tablet that has none its cookie."""
    if request.COOKIES.get(COOKIE) != device_token(request):
        secure = settings.SESSION_COOKIE_SECURE
        response.set_cookie(COOKIE, device_token(request), max_age=A_YEAR, samesite="Lax", httponly=True, secure=secure)
    return response
