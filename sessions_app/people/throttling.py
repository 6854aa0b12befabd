"""Throttling: how often something that can be guessed may be tried before one has to wait.

Tries are counted in the database, for all processes, by digests, so that usernames and addresses cannot be read there.
"""

import datetime
import logging
import math
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from sessions_app.models import Throttle
from sessions_app.people.known_device import address_of
from sessions_app.people.transactions import WritersBusy, write_transaction

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limit:
    """The most tries in so many minutes, counted from the first."""

    kind: str
    tries: int
    minutes: int
    # Whether the log tells the operator once a day that a code or a club has come so far.
    is_told: bool = False


# That the operator was told of another limit.
TOLD = Limit("told", 1, 24 * 60)

# A limit, and what is counted.
Tried = tuple[Limit, *tuple[str, ...]]

# A hall shares one network address, so passwords are counted by username and address together.
SIGN_IN = Limit("sign in", 8, 15)

# Wrong passwords for any account from one address; more than a hall makes by mistake.
SIGN_IN_FROM = Limit("sign in from", 120, 15)

# Wrong passwords for one account from anywhere; known devices are counted apart.
SIGN_IN_ANYWHERE = Limit("sign in anywhere", 40, 60)
PASSWORD = Limit("password", 8, 15)

# Codes of a phone: three of a million are right at any time, so that a year of guessing finds one in thirty accounts
# whose password is known. A right one starts afresh.
PHONE_CODE = Limit("phone code", 8, 15)
PHONE_CODE_ANYWHERE = Limit("phone code anywhere", 30, 24 * 60)

# Join codes: by device; by address for devices without a cookie; wrong ones from one address, more than a whole hall
# types; and from anywhere, more than two addresses get. Only the first applies to a device that has joined before.
JOIN_DEVICE = Limit("join device", 8, 15)
JOIN = Limit("join", 40, 15)
JOIN_FROM = Limit("join from", 120, 15)
JOIN_ANYWHERE = Limit("join anywhere", 1000, 60, is_told=True)
INVITE = Limit("invite", 20, 15)
SIGN_UP = Limit("sign up", 30, 60)
FORGOTTEN = Limit("forgotten", 10, 60)

# What a club looks at and imports in a day: several times forty files, each with its three steps.
IMPORT = Limit("import of club", 500, 24 * 60, is_told=True)

# Seating draws of a club; two hundred people take more than half a second.
DRAW = Limit("draw", 10, 1)
DRAW_A_DAY = Limit("draw of club", 200, 24 * 60, is_told=True)


def account_mail(kind: str) -> Limit:
    """Return the limit of emails of one kind about accounts to one address, which may be another person's."""
    return Limit(f"{kind} mail", 3, 60)


def count_try(limit: Limit, *what: Any, number: int = 1) -> int:
    """Count one or more tries before they are made; return the minutes to wait if there are too many, else 0.

    Counting first stops simultaneous requests from slipping through; `forget_tries` resets the count after a success.
    """
    if number > limit.tries:
        return limit.minutes
    now, digest = timezone.now(), _digest(limit, what)
    with write_transaction():
        Throttle.objects.filter(digest=digest, ends_at__lte=now).delete()
        ends_at = now + datetime.timedelta(minutes=limit.minutes)
        found, is_new = Throttle.objects.select_for_update().get_or_create(
            digest=digest, defaults={"count": number, "ends_at": ends_at}
        )
        if is_new:
            # Some of those that have ended go.
            ended = Throttle.objects.select_for_update(skip_locked=True).filter(ends_at__lte=now)
            Throttle.objects.filter(pk__in=list(ended.values_list("pk", flat=True)[:100])).delete()
        elif found.count + number > limit.tries:
            # The row may have been made with a slightly later clock.
            return min(limit.minutes, math.ceil((found.ends_at - now).total_seconds() / 60))
        else:
            Throttle.objects.filter(pk=found.pk).update(count=F("count") + number)
            if limit.is_told and found.count + number == limit.tries:
                _tell_operator(limit, what, now)
    return 0


def _tell_operator(limit: Limit, what: tuple[Any, ...], now: datetime.datetime) -> None:
    """Log once a day that a club, a table or a meeting, named by its id, has come to a limit."""
    ends_at = now + datetime.timedelta(days=1)
    told, is_new = Throttle.objects.get_or_create(
        digest=_digest(TOLD, (limit.kind, *what)), defaults={"count": 1, "ends_at": ends_at}
    )
    if is_new or told.ends_at <= now:
        Throttle.objects.filter(pk=told.pk).update(ends_at=ends_at)
        counted = f"{limit.tries} in {limit.minutes} minutes"
        logger.warning("Limit reached: %s %s, %s", limit.kind, what[0] if what else "anyone", counted)


def count_tries(*limits: Tried, number: int = 1) -> int:
    """Count one or more tries against each (limit, what …); return the minutes to wait, else 0.

    If one limit is reached none is counted, so that a throttled person does not use up the tries of others.
    """
    for index, limit in enumerate(limits):
        if minutes := count_try(*limit, number=number):
            for counted in limits[:index]:
                uncount_try(*counted, number=number)
            return minutes
    return 0


def forget_tries(limit: Limit, *what: Any) -> None:
    """Reset the count after a success."""
    with write_transaction():
        _counts(limit, what).delete()


def uncount_try(limit: Limit, *what: Any, number: int = 1) -> None:
    """Take back `number` tries only: a success must not reset the count of wrong ones."""
    with write_transaction():
        _counts(limit, what).filter(count__gte=number).update(count=F("count") - number)


def minutes_to_wait(limit: Limit, *what: Any) -> int:
    """Return the minutes to wait, without counting a try."""
    found = _counts(limit, what).filter(count__gte=limit.tries).first()
    seconds = (found.ends_at - timezone.now()).total_seconds() if found else 0
    return max(0, math.ceil(seconds / 60))


def tries_left(limit: Limit, *what: Any) -> int:
    """Return how many tries are left, without counting one."""
    found = _counts(limit, what).filter(ends_at__gt=timezone.now()).first()
    return max(0, limit.tries - (found.count if found else 0))


def note_try(limit: Limit, *what: Any) -> int:
    """Count a try, and return the minutes to wait; where somebody else writes just now it is not counted.

    For what costs time but writes nothing, and so keeps nobody waiting.
    """
    if minutes := minutes_to_wait(limit, *what):
        return minutes
    with suppress(WritersBusy), write_transaction(waits=False):
        return count_try(limit, *what)
    return 0


def throttle_error(error: str, limit: Limit, *what: Any) -> str:
    """Count a try; return the error, with when to try again in its {}, if there were too many, else an empty string."""
    minutes = count_try(limit, *what)
    return error.format(in_minutes(minutes)) if minutes else ""


def network_error(limit: Limit, request: HttpRequest) -> str:
    """Count a try from this network; return the error if there were too many, else an empty string."""
    return throttle_error("Too many tries from this network. {}", limit, address_of(request))


def in_minutes(minutes: int) -> str:
    """Return a sentence that says when to try again."""
    if minutes > 120:
        return f"Try again in {math.ceil(minutes / 60)} hours."
    return "Try again in a minute." if minutes == 1 else f"Try again in {minutes} minutes."


def _counts(limit: Limit, what: tuple[Any, ...]) -> QuerySet[Throttle]:
    return Throttle.objects.filter(digest=_digest(limit, what))


def _digest(limit: Limit, what: tuple[Any, ...]) -> str:
    return salted_hmac("sessions_app.people.throttling", "\0".join((limit.kind, *what)), algorithm="sha256").hexdigest()
