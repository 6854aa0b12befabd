"""Who may open a page, by role or by a table's key; people/permissions.py has the roles and the decisions."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.views import redirect_to_login
from django.contrib.sessions.backends.base import SessionBase
from django.core.exceptions import PermissionDenied
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import render, resolve_url
from django.utils.crypto import constant_time_compare
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect

from sessions_app.models import Club, Membership, Session, User
from sessions_app.people.club_admin import number_to_do
from sessions_app.people.codes import SAFE, TABLE_KEY, Powers
from sessions_app.people.known_device import set_for_a_year
from sessions_app.people.log import Actor
from sessions_app.people.permissions import SECRETARY, SEND_ON, TABLE, may_read_by_key
from sessions_app.web.middleware import TABLE_KEYS
from sessions_app.web.requests import Request

# The user and their membership in a club, found in one query with which every page of a club begins.

# A club's slug, and those it had before, which are looked up only if no club has the slug now.
ADDRESSES = ("club__slug", "club__old_addresses__slug")

MEMBERSHIPS = Membership.objects.select_related("club", "user")


def membership_of(request: HttpRequest, slug: str) -> Membership | None:
    """Return the membership of the signed-in user in this club, else None; `to_do` is the number in the page head."""
    user_id = request.session.get(SESSION_KEY)
    if user_id is None:
        return None
    found = MEMBERSHIPS.filter(user=user_id)
    membership = next((row for path in ADDRESSES for row in found.filter(**{path: slug})), None)
    if membership and _is_sign_in_of(request.session, membership.user):
        request.user = membership.user
    # Otherwise request.user is Django's own lookup, which renews or ends a sign-in.
    if membership is None or request.user.pk != membership.user_id:
        return None
    membership.to_do = number_to_do(membership.club) if membership.role in SECRETARY else 0
    return membership


def _is_sign_in_of(session: SessionBase, user: User) -> bool:
    """Check everything that django.contrib.auth.get_user checks."""
    is_known = session.get(SESSION_KEY) == str(user.pk) and user.is_active
    has_backend = session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
    stored_hash = session.get(HASH_SESSION_KEY, "")
    return is_known and has_backend and constant_time_compare(stored_hash, user.get_session_auth_hash())


# A tablet without an account that scores at a table by the table's key, which its session stores.

MAX_KEYS = 12
A_WEEK = timedelta(days=7)


@dataclass(frozen=True)
class TableVisitor:
    """Takes the place of a Membership, with a role only; `seat_no` is of the player whose tablet it is, if known."""

    table_session: Session
    seat_no: str = ""
    role = TABLE

    @property
    def club(self) -> Club:
        return self.table_session.club

    @property
    def actor(self) -> Actor:
        """The actor for the log, which names a player by seat number, as no name may stay there."""
        tablet = f"tablet at table {self.table_session.table}"
        return Actor(name=f"{{{self.seat_no}}}, {tablet}" if self.seat_no else tablet)


def store_key(request: HttpRequest, table_session: Session) -> None:
    """Store in the visitor's session that the key was valid; opened again, it is still the same tablet."""
    keys = request.session.get(TABLE_KEYS, {})
    earlier = keys.pop(str(table_session.pk), {})
    is_same = earlier.get("key") == table_session.scoring_key
    seat_no = earlier.get("seat_no", "") if is_same else ""
    keys[str(table_session.pk)] = {"key": table_session.scoring_key, "seat_no": seat_no}
    request.session[TABLE_KEYS] = dict(list(keys.items())[-MAX_KEYS:])
    keep_for_a_time(request)


def keep_for_a_time(request: HttpRequest) -> None:
    """Let the session of a tablet without an account end with its table: once nothing that it sends would be kept."""
    if not request.user.is_authenticated:
        request.session.set_expiry(SEND_ON + A_WEEK)


def store_seat(request: HttpRequest, table_session: Session, seat_no: Any) -> None:
    """Store which player has this tablet; an empty seat is no one in particular."""
    keys = request.session.get(TABLE_KEYS, {})
    if str(table_session.pk) in keys:
        keys[str(table_session.pk)]["seat_no"] = seat_no
        request.session[TABLE_KEYS] = keys


def has_keys(request: HttpRequest) -> bool:
    return bool(request.session.get(TABLE_KEYS))


def _stored(request: HttpRequest, session_id: int) -> dict[str, str] | None:
    return request.session.get(TABLE_KEYS, {}).get(str(session_id))


def stored_key(request: HttpRequest, session_id: int) -> str | None:
    """Return the stored key of this table, which may be valid no longer, else None."""
    stored = _stored(request, session_id)
    return stored["key"] if stored else None


class Verdict(StrEnum):
    """Why someone may not open a page of a session; the templates compare these values."""

    SIGN_IN = "sign-in"
    NONE = "none"  # no such session for them: 404
    NO = "no"  # the role is too small, or it is another table's code
    REPLACED = "replaced"  # the table's key was valid once
    FINISHED = "finished"  # the same, and the table has finished
    UNKNOWN = "unknown"  # a key that no table has
    FULL = "full"  # too many tablets have opened the table today


@dataclass(frozen=True)
class Granted:
    """Who someone is at a session whose page they may open."""

    membership: Membership | TableVisitor
    session: Session


@dataclass(frozen=True)
class Expired:
    """A tablet whose key opened the session's table once, or opens it only to read: REPLACED or FINISHED."""

    verdict: Verdict
    membership: TableVisitor
    session: Session


@dataclass(frozen=True)
class Refused:
    """Someone who may not open the page; with a `session` it is a tablet that has only that table's key."""

    verdict: Verdict
    session: Session | None = None


class SignedInRequest(Request):
    """What a view gets that asks for a sign-in."""

    user: User


class TableRequest(Request):
    """What a view gets from of_session."""

    membership: Membership | TableVisitor


class MemberRequest(SignedInRequest, TableRequest):
    """What a view gets from club_member."""

    membership: Membership


P = ParamSpec("P")
Form = TypeVar("Form", bound=BaseForm)
OfClub = Callable[Concatenate[MemberRequest, Club, P], HttpResponse]
OfSession = Callable[Concatenate[TableRequest, Club, Session, P], HttpResponse]
# What Django calls with the parts of an address, by name.
View = Callable[..., HttpResponse]
Ended = Callable[[TableRequest, Club, Session], dict[str, Any]]


def club_member(*roles: str) -> Callable[[OfClub[P]], View]:
    """Decorate a view of a club: it gets the club if the user belongs to it in one of these roles.

    Not signed in: the sign-in page. Another club, or none at all: 404, so that clubs cannot be found by guessing. A
    role too small: 403.
    """

    def decorate(view: OfClub[P]) -> View:
        @wraps(view)
        def with_club(request: MemberRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            membership = membership_of(request, slug)
            if membership is None and not request.user.is_authenticated:
                return _to_sign_in(request)
            if membership is None:
                raise Http404("No such club")
            if membership.role not in roles:
                raise PermissionDenied
            request.membership = membership
            return view(request, membership.club, *args, **kwargs)

        return with_club

    return decorate


def access_to(request: HttpRequest, slug: str, session_id: int, roles: tuple[str, ...]) -> Granted | Expired | Refused:
    """Return who asks for a session of the club, and whether these roles let them in; writes nothing."""
    membership = membership_of(request, slug)
    stored = _stored(request, session_id)
    if membership is None and stored is None:
        is_outsider = request.user.is_authenticated or has_keys(request)
        return Refused(Verdict.NONE if is_outsider else Verdict.SIGN_IN)
    sessions = Session.objects.filter(pk=session_id).select_related("club", "season", "meeting")
    table_session = next((found for path in ADDRESSES for found in sessions.filter(**{path: slug})), None)
    # An address that is one club's now may have been another's before, so the session may be of another club.
    if membership and table_session and membership.club_id != table_session.club_id:
        membership = None
    if table_session is None or (membership is None and stored is None):
        return Refused(Verdict.NONE)
    if membership and membership.role in roles:
        return Granted(membership, table_session)
    if stored and TABLE_KEY.allow(request):
        return _access_by_key(request, table_session, stored)
    return Refused(Verdict.NO, None if membership else table_session)


def _access_by_key(request: HttpRequest, session: Session, stored: dict[str, str]) -> Granted | Expired:
    if stored["key"] != session.scoring_key:
        return Expired(Verdict.REPLACED, TableVisitor(session), session)
    if not may_read_by_key(session):
        return Expired(Verdict.FINISHED, TableVisitor(session), session)
    visitor = TableVisitor(session, stored["seat_no"])
    is_allowed = session.is_open or request.method in SAFE
    return Granted(visitor, session) if is_allowed else Expired(Verdict.FINISHED, visitor, session)


def of_session(*roles: str, ended: Ended | None = None, has_ledger: bool = False) -> Callable[[OfSession[P]], View]:
    """Like club_member, for addresses of one session: the view gets the club and the session.

    Tablets with the table's key are let in too where its row in codes.py says so; it opens no other table (404).
    `ended` saves what was sent with a key that no longer opens the table, and returns more context for the page.
    With `has_ledger` a session imported as totals is a 404.
    """

    def decorate(view: OfSession[P]) -> View:
        @wraps(view)
        def with_session(
            request: TableRequest, slug: str, session_id: int, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            access = access_to(request, slug, session_id, roles)
            if isinstance(access, Refused):
                return _refuse(request, access)
            if isinstance(access, Expired):
                return _not_by_key(request, access, ended)
            if has_ledger and access.session.imported:
                raise Http404("This table was imported as totals")
            request.membership = access.membership
            return view(request, access.session.club, access.session, *args, **kwargs)

        return with_session

    return decorate


def with_code(code: Powers) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Decorate a view that a code opens without an account: its row says whether it may be read, and sent to."""

    def decorate(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not code.allow(request):
                return HttpResponseNotAllowed([*SAFE, "POST"])
            return view(request, *args, **kwargs)

        return asked

    return decorate


at_table = partial(of_session, has_ledger=True)


def _refuse(request: Request, access: Refused) -> HttpResponse:
    if access.verdict is Verdict.SIGN_IN:
        return _to_sign_in(request)
    if access.verdict is Verdict.NONE:
        raise Http404("No such table")
    if access.session is None:
        raise PermissionDenied
    context = {"verdict": access.verdict, "table_session": access.session}
    return render(request, "table/not_by_key.html", context, status=403)


def _not_by_key(request: TableRequest, access: Expired, ended: Ended | None) -> HttpResponse:
    """Answer a tablet whose key does not open this page any longer; nothing typed on it is lost."""
    session = access.session
    context = {"verdict": access.verdict, "table_session": session}
    if ended and not session.imported:
        request.membership = access.membership
        context |= ended(request, session.club, session)
    return render(request, "table/not_by_key.html", context, status=403)


def _to_sign_in(request: Request) -> HttpResponse:
    # Someone entering a hand stays on the page: the score fails, and the page says so.
    if request.htmx and request.htmx.target == "score":
        return HttpResponse(status=401)
    if request.htmx:
        return HttpResponseClientRedirect(resolve_url("sign-in"))
    if request.method in SAFE:
        return redirect_to_login(request.get_full_path())
    # After signing in, back to the page that the form was sent from.
    return redirect_to_login(page_before(request))


def page_before(request: HttpRequest) -> str:
    """Return the address of the site's page that this request comes from, or of the front page."""
    page = request.META.get("HTTP_REFERER", "")
    is_own = url_has_allowed_host_and_scheme(page, {request.get_host()}, request.is_secure())
    return urlsplit(page)._replace(scheme="", netloc="", fragment="").geturl() if is_own else resolve_url("front")


# The cookie that tells the tablets at a table apart; it does not say who holds them.

COOKIE = "device"
TOKEN = re.compile(r"[A-Za-z0-9_-]{16,40}")


def device_token(request: Request) -> str:
    """Return the token in the tablet's cookie, else a new one, which remember() sets."""
    if not hasattr(request, "device_token"):
        token = request.COOKIES.get(COOKIE, "")
        request.device_token = token if TOKEN.fullmatch(token) else secrets.token_urlsafe(16)
    return request.device_token


def remember(request: Request, response: HttpResponse) -> HttpResponse:
    """Set the device cookie if the tablet has none."""
    if request.COOKIES.get(COOKIE) != device_token(request):
        set_for_a_year(response, COOKIE, device_token(request))
    return response


def form_of(request: MemberRequest, roles: tuple[str, ...], make: Callable[[], Form]) -> Form | None:
    """Return the form that only these roles may send; None for others, and PermissionDenied for what they send."""
    if request.membership.role in roles:
        return make()
    if request.method == "POST":
        raise PermissionDenied
    return None


def actor(request: SignedInRequest | TableRequest) -> Actor:
    """Return the actor for the log: the table's tablet if its key let it in, else the user."""
    membership = getattr(request, "membership", None)
    if isinstance(membership, TableVisitor):
        return membership.actor
    assert request.user.is_authenticated
    return Actor.of_user(request.user)
