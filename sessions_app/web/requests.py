"""Helpers for views: errors of services in forms, links back, ids, the day and season of a club, whole addresses."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.db.models import QuerySet
from django.forms import BaseForm
from django.http import HttpRequest, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import Resolver404, resolve
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails

from sessions_app.models import Club, Season
from sessions_app.people.transactions import ServiceError


class Request(HttpRequest):
    """A request with what middleware, or this app, has added; nothing makes one, it serves to name the types."""

    htmx: HtmxDetails
    sender: Callable[[], dict[str, str]]
    number: str
    began: float
    signed_in_before: tuple[str | None, list[str]]
    signed_in_as: str
    has_signed_out: bool
    device_token: str
    framed_by: str
    newest_in_club: tuple[Any, ...]


WORDS: dict[str | None, str] = {
    "hand": "Back to the hand",
    "hand-new": "Back to the hand",
    "hand-change": "Back to the hand",
    "hand-insert": "Back to the hand",
    "practice": "Back to the hand",
    "worth": "Back to the hand",
    "table": "Back to the table",
    "game-table": "Back to the game",
}


def address_in(request: HttpRequest, name: str) -> str:
    """Return the address in this field of the form or query string if it is on this site, else an empty string."""
    address = request.POST.get(name) or request.GET.get(name, "")
    is_own = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if is_own and address.startswith("/") else ""


def way_back(request: HttpRequest) -> dict[str, str] | None:
    """Return the address and the words of the link back, or None without an address of this site."""
    address = address_in(request, "back")
    try:
        name = resolve(address.partition("#")[0].partition("?")[0]).url_name
    except Resolver404:
        return None
    return {"address": address, "words": WORDS.get(name, "Back")}


@contextmanager
def errors_in(form: BaseForm) -> Iterator[None]:
    """Add a ServiceError to the form, at its field if the form has that."""
    try:
        yield
    except ServiceError as error:
        form.add_error(error.field if error.field in form.fields else None, str(error))


@contextmanager
def errors_shown(request: HttpRequest) -> Iterator[None]:
    """Show a ServiceError as a message on the next page."""
    try:
        yield
    except ServiceError as error:
        messages.error(request, str(error))


def posted(request: HttpRequest) -> QueryDict | None:
    """Return the data for a form, also of an empty POST; None for a GET."""
    return request.POST if request.method == "POST" else None


def parse_id(text: str) -> int | None:
    """Return the id in this text, or None if it is not a number that a row can have."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def row_from_query(request: HttpRequest, rows: QuerySet, name: str) -> Any:
    """Return the row whose id is in the query string; None without an id, 404 if it is not among these."""
    pk = parse_id(request.GET.get(name, ""))
    return None if pk is None else get_object_or_404(rows, pk=pk)


def today_in(club: Club) -> date:
    return club.today


def default_season(club: Club, day: date, league: str | None = None) -> Season | None:
    """Return the season of a league, by default the first, that includes the day; else its latest, else None."""
    begun = Season.objects.of_club(club).filter(starts_on__lte=day).order_by("-starts_on")
    return begun.filter(league=club.first_league if league is None else league).first()


def chosen_league(request: HttpRequest, club: Club) -> str:
    """Return the league of ?league=, by default the club's first; "" in a club with one."""
    league = request.GET.get("league", "")
    return league if league in club.leagues else club.first_league


def new_key() -> str:
    return str(uuid.uuid4())


def parse_uuid(text: str | None) -> str | None:
    """Return the text in the usual form of a UUID, or None if it is not one."""
    try:
        return str(uuid.UUID(text or ""))
    except (TypeError, ValueError):
        return None


THIS_MACHINE = {"localhost", "127.0.0.1", "::1"}


def whole_address(request: HttpRequest, path: str) -> str:
    """Return the path with the site's own name before it, or without one the host of this request."""
    site = settings.SITE
    return f"{site.scheme}://{site.netloc}{path}" if site else request.build_absolute_uri(path)


def is_this_machine_only(request: HttpRequest) -> bool:
    """Return whether whole_address gives an address that only works on this machine, so no one else can open it."""
    return urlsplit(whole_address(request, "/")).hostname in THIS_MACHINE


def page_number(request: HttpRequest) -> int:
    """Return the number in ?page=, else 1."""
    text = request.GET.get("page", "")
    return max(1, int(text)) if text.isdecimal() and len(text) < 6 else 1


def site_in_templates(request: HttpRequest) -> dict[str, Any]:
    """Let templates ask whether they draw for a site of files: `site`."""
    return {"site": settings.GAME_SITE}
