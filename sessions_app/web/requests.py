"""What pages with forms and addresses share: errors of services, the way back, ids, the day and season of a club."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.forms import Form
from django.http import HttpRequest, QueryDict
from django.urls import Resolver404, resolve
from django.utils.http import url_has_allowed_host_and_scheme

from sessions_app.models import Club, Season
from sessions_app.people.transactions import ServiceError

WORDS = {
    "hand": "Back to the hand",
    "hand-new": "Back to the hand",
    "hand-change": "Back to the hand",
    "hand-insert": "Back to the hand",
    "practice": "Back to the hand",
    "worth": "Back to the hand",
    "table": "Back to the table",
}


def way_back(request: HttpRequest) -> dict[str, str] | None:
    """Return the address and the words of the way back, or None; an address of another site is nothing."""
    address = request.POST.get("back") or request.GET.get("back", "")
    if not url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure()):
        return None
    try:
        name = resolve(address.partition("#")[0].partition("?")[0]).url_name
    except Resolver404:
        return None
    return {"address": address, "words": WORDS.get(name, "Back")}


# What every page with a form shares.


@contextmanager
def errors_in(form: Form) -> Iterator[None]:
    """Show what a service refuses as an error of the form, at its field where the form has it."""
    try:
        yield
    except ServiceError as error:
        form.add_error(error.field if error.field in form.fields else None, str(error))


def posted(request: HttpRequest) -> QueryDict | None:
    """The posted fields for a form, an empty POST too; None where nothing was posted."""
    return request.POST if request.method == "POST" else None


def id_in(text: str) -> Any:
    """Return the id of a row that an address or a form holds; None where it is no number that any row can have."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


# The day and the season of a club, in the club's own time zone.


def today_in(club: Club) -> date:
    return club.today


def season_of(club: Club, day: date) -> Season | None:
    """Return the season that holds the day, else the latest one that has begun, else None."""
    return Season.objects.of_club(club).filter(starts_on__lte=day).order_by("-starts_on").first()


def new_key() -> str:
    return str(uuid.uuid4())


def as_uuid(text: str) -> Any:
    """Return the text as a UUID is written, or None where it is none."""
    try:
        return str(uuid.UUID(text))
    except (TypeError, ValueError):
        return None


# The addresses for watching as QR codes, and making new ones, for scorekeepers.

THIS_MACHINE = {"localhost", "127.0.0.1", "::1"}


def whole_address(request: HttpRequest, path: str) -> str:
    """Return an address with the site's own name before it, else with the one this page was asked by."""
    site = settings.SITE
    return f"{site.scheme}://{site.netloc}{path}" if site else request.build_absolute_uri(path)


def is_this_machine_only(request: HttpRequest) -> bool:
    """Say whether an address given out from this page names a machine only to itself, so that nobody can follow it."""
    return urlsplit(whole_address(request, "/")).hostname in THIS_MACHINE


MAX_PAGE = 6


def page_number(request: HttpRequest) -> int:
    """Return the number of ?page=, 1 without one."""
    wanted = request.GET.get("page", "")
    return max(1, int(wanted)) if wanted.isdecimal() and len(wanted) < MAX_PAGE else 1
