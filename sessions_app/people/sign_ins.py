"""Where an account is signed in: Django's sessions in a table of our own, each with its account and its device."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from sessions_app.models import SignIn, User

# What a session holds about its sign-in; the dates as text.
LAST_USED, SIGNED_IN_AT, DEVICE = "last_used", "signed_in_at", "device"
CONFIRMED_AT = "password_confirmed_at"

# For so long after the password was entered it is not asked again.
CONFIRMED_FOR = timedelta(minutes=15)

LONG_AGO = timedelta(days=90)


class SessionStore(DatabaseStore):
    """The session engine (settings.SESSION_ENGINE): saves whose session it is, so that the account can end it."""

    @classmethod
    def get_model_class(cls) -> type[SignIn]:
        return SignIn

    def create_model_instance(self, data: dict[str, Any]) -> SignIn:
        row = super().create_model_instance(data)
        assert isinstance(row, SignIn)
        row.user_id = data.get(SESSION_KEY)
        return row

    @classmethod
    def clear_expired(cls) -> None:
        """Delete what ended long ago, unless that is half of all there is: then this machine's clock may be ahead.

        A tablet without an account has nothing more to send once its own has ended, so that goes at once.
        """
        SignIn.objects.filter(user=None, expire_date__lt=timezone.now()).delete()
        ended = SignIn.objects.filter(expire_date__lt=timezone.now() - LONG_AGO)
        if 2 * ended.count() < SignIn.objects.count():
            ended.delete()


def facts_of_sign_in(request: HttpRequest) -> dict[str, str]:
    """Return what a session keeps of a sign-in: when, and on what device."""
    now, device = timezone.now(), device_words(request.headers.get("User-Agent", ""))
    at = now.isoformat()
    return {SIGNED_IN_AT: at, CONFIRMED_AT: at, LAST_USED: now.date().isoformat(), DEVICE: device}


def confirm_sign_in(session: SessionBase) -> None:
    """Note that the password was entered again."""
    session[CONFIRMED_AT] = timezone.now().isoformat()


def is_confirmed(session: SessionBase) -> bool:
    """Return whether the password was entered in this sign-in a short while ago; not if the clock went back since."""
    at = session.get(CONFIRMED_AT, "")
    return at != "" and timedelta(0) <= timezone.now() - datetime.fromisoformat(at) < CONFIRMED_FOR


@dataclass(frozen=True)
class SignedInDevice:
    """A device on which an account is signed in, as its own page lists it."""

    key: str
    words: str
    signed_in_at: datetime | None
    last_used: date | None
    is_this: bool


def devices_of(user: User, session_key: str | None = None) -> list[SignedInDevice]:
    """Return the devices on which the account is signed in, this one first, then by last use."""
    found = []
    for row in SignIn.objects.filter(user=user, expire_date__gt=timezone.now()):
        data = row.get_decoded()
        # Signed out everywhere, or before a change of password.
        if not constant_time_compare(data.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash()):
            continue
        at, day = data.get(SIGNED_IN_AT), data.get(LAST_USED)
        found.append(
            SignedInDevice(
                _public_key(row.session_key),
                data.get(DEVICE) or "A device that signed in some time ago",
                datetime.fromisoformat(at) if at else None,
                date.fromisoformat(day) if day else None,
                row.session_key == session_key,
            )
        )
    return sorted(found, key=lambda device: (device.is_this, device.last_used or date.min), reverse=True)


def end_sign_in(user: User, key: str) -> bool:
    """End the sign-in of the account that has this key in its list; return whether there was one."""
    keys = SignIn.objects.filter(user=user).values_list("session_key", flat=True)
    found = [session_key for session_key in keys if _public_key(session_key) == key]
    return bool(SignIn.objects.filter(session_key__in=found).delete()[0])


def _public_key(session_key: str) -> str:
    """Return what a page may hold: whoever has a session's own key is signed in."""
    return salted_hmac("sessions_app.people.sign_ins", session_key).hexdigest()


# What a browser says of itself, in words. An iPad calls itself a Mac unless it is told otherwise.

SYSTEMS = (
    (r"iPhone", "an iPhone"),
    (r"iPad", "an iPad"),
    (r"Silk/", "a Fire tablet"),
    (r"Android.*Mobile", "an Android phone"),
    (r"Android", "an Android tablet"),
    (r"CrOS", "a Chromebook"),
    (r"Windows", "a Windows computer"),
    (r"Macintosh.*Version/", "a Mac or an iPad"),
    (r"Macintosh", "a Mac"),
    (r"Linux", "a Linux computer"),
)
BROWSERS = (
    (r"Edg(?:e|A|iOS)?/", "Edge"),
    (r"OPR/|Opera", "Opera"),
    (r"SamsungBrowser/", "Samsung Internet"),
    (r"Silk/", "Silk"),
    (r"FxiOS/|Firefox/", "Firefox"),
    (r"CriOS/|Chrome/|Chromium/", "Chrome"),
    (r"Safari/", "Safari"),
)


def device_words(user_agent: str) -> str:
    """Return what browser on what device this is, for example “Safari on an iPad”."""
    system, browser = (
        next((words for pattern, words in rows if re.search(pattern, user_agent)), "") for rows in (SYSTEMS, BROWSERS)
    )
    if not (system or browser):
        return "A device of another kind"
    return f"{browser or 'A browser'} on {system or 'a device of another kind'}"
