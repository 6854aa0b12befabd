"""Who asks for a page, and whether one of its roles lets them in; people/permissions.py has the roles and decisions."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.crypto import constant_time_compare
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect

from sessions_app.models import Membership, Session
from sessions_app.people.known_device import set_for_a_year
from sessions_app.people.log import Actor
from sessions_app.people.permissions import TABLE, may_read_by_key
from sessions_app.web.membership_query import ADDRESSES, MEMBERSHIPS, membership_in
from sessions_app.web.middleware import TABLE_KEYS as KEPT
from sessions_app.web.middleware import has_replica

# Who is signed in, and who that is in a club: both looked up in one query.


def membership_of(
    request: HttpRequest, slug: str, memberships: QuerySet[Membership] = MEMBERSHIPS
) -> Membership | None:
    """Return the membership of the user who is signed in, with all that is asked along with it, else None."""
    if has_replica():
        # The copy may not know yet that a sign-in has ended.
        return membership_in(request.user.pk, slug, memberships)
    membership = membership_in(request.session.get(SESSION_KEY), slug, memberships)
    if membership and _is_sign_in_of(request.session, membership.user):
        request.user = membership.user
    # A sign-in that is not good as it stands is renewed or ended by Django, which looks the login up for that.
    return membership if membership and request.user.pk == membership.user_id else None


def _is_sign_in_of(session, user):
    """Ask all that django.contrib.auth.get_user asks of a sign-in."""
    is_known = session.get(SESSION_KEY) == str(user.pk) and session.get(BACKEND_SESSION_KEY) in (
        settings.AUTHENTICATION_BACKENDS
    )
    kept = session.get(HASH_SESSION_KEY)
    return is_known and user.is_active and bool(kept) and constant_time_compare(kept, user.get_session_auth_hash())


# A tablet without a login that scores one table by the table's own key: what it keeps of it, and who it is then.

MAX_KEPT = 12


@dataclass(frozen=True)
class TableVisitor:
    """Stands where a member's Membership stands: the role alone; `chair` is the player whose tablet it is, if known."""

    table_session: Session
    chair: str = ""
    role = TABLE

    @property
    def club(self) -> Any:
        return self.table_session.club

    @property
    def actor(self) -> Any:
        """The name of the log; a player stands in it by the number of the seat, as no name may stay there."""
        where = f"tablet at table {self.table_session.table}"
        return Actor(name=f"{{{self.chair}}}, {where}" if self.chair else where)


def keep_key(request: HttpRequest, table_session: Session) -> None:
    """Remember, in the visitor's own session, that the key was good; opened again, it is still the same tablet."""
    kept = request.session.get(KEPT, {})
    earlier = kept.pop(str(table_session.pk), {})
    same = earlier.get("key") == table_session.scoring_key
    kept[str(table_session.pk)] = {"key": table_session.scoring_key, "chair": earlier.get("chair", "") if same else ""}
    request.session[KEPT] = dict(list(kept.items())[-MAX_KEPT:])


def keep_chair(request: HttpRequest, table_session: Session, chair: Any) -> None:
    """Remember which player holds this tablet; an empty chair: nobody in particular."""
    kept = request.session.get(KEPT, {})
    if str(table_session.pk) in kept:
        kept[str(table_session.pk)]["chair"] = chair
        request.session[KEPT] = kept


def has_keys(request: HttpRequest) -> bool:
    return bool(request.session.get(KEPT))


def had_key(request: HttpRequest, session_id: int) -> dict[str, str] | None:
    """Return what is kept of a key that was good for this session once, else None."""
    return request.session.get(KEPT, {}).get(str(session_id))


def visitor_of(request: HttpRequest, table_session: Session) -> Any:
    """Return the TableVisitor whose key opens this session now, for reading at least; else None."""
    kept = had_key(request, table_session.pk)
    if kept is None or kept["key"] != table_session.scoring_key:
        return None
    return TableVisitor(table_session, kept.get("chair", "")) if may_read_by_key(table_session) else None


SAFE = ("GET", "HEAD")


class Verdict(StrEnum):
    """Whether someone may open a page of a session; the templates compare these values."""

    YES = "yes"
    SIGN_IN = "sign-in"
    NONE = "none"  # there is no such session for them: 404
    NO = "no"  # a role too small, or another table's code
    REPLACED = "replaced"  # the table's key was good once
    FINISHED = "finished"  # the same, and the table has finished
    UNKNOWN = "unknown"  # a key that no table has


@dataclass(frozen=True)
class Access:
    """Who someone is at a session, and whether they may."""

    verdict: Verdict
    membership: Membership | TableVisitor | None = None
    table_session: Session | None = None


def club_member(*roles: Any, memberships: QuerySet[Membership] = MEMBERSHIPS) -> Callable[..., Any]:
    """Call the view with the club of the address when the user belongs to it in one of these roles.

    `memberships` may ask for more than the membership, its club and its login, in the same query.

    Nobody signed in: to the sign-in page. A club that is not the user's, or none at all: 404, so that
    clubs cannot be found by guessing. A role too small: 403.
    """

    def decorate(view):
        @wraps(view)
        def with_club(request, slug, *args, **kwargs):
            membership = membership_of(request, slug, memberships)
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


def access_to(request: HttpRequest, slug: str, session_id: int, roles: tuple[Any, ...]) -> Access:
    """Say who asks for a session of the club, and whether these roles let them in; nothing is written."""
    membership = membership_of(request, slug)
    kept = had_key(request, session_id)
    if membership is None and kept is None:
        is_outsider = request.user.is_authenticated or has_keys(request)
        return Access(Verdict.NONE if is_outsider else Verdict.SIGN_IN)
    sessions = Session.objects.filter(pk=session_id).select_related("club", "season", "meeting")
    table_session = next((one for path in ADDRESSES for one in sessions.filter(**{path: slug})), None)
    # The address may be one club's now and have been another's before: a membership says nothing of another club.
    if membership and table_session and membership.club_id != table_session.club_id:
        membership = None
    if table_session is None or (membership is None and kept is None):
        return Access(Verdict.NONE)
    if membership and membership.role in roles:
        return Access(Verdict.YES, membership, table_session)
    if kept and TABLE in roles:
        return _by_key(request, table_session)
    return Access(Verdict.NO, membership, table_session)


def _by_key(request, table_session):
    visitor = visitor_of(request, table_session)
    if visitor is None:
        is_replaced = had_key(request, table_session.pk)["key"] != table_session.scoring_key
        return Access(Verdict.REPLACED if is_replaced else Verdict.FINISHED, TableVisitor(table_session), table_session)
    may = table_session.is_open or request.method in SAFE
    return Access(Verdict.YES if may else Verdict.FINISHED, visitor, table_session)


def of_session(*roles: Any, ended: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Like club_member, for addresses of one session: the view gets the club and the session.

    With TABLE among the roles, tablets with the table's key are let in as well; their keys open no other table (404).
    `ended` keeps what was sent by a key that opens the table no more, and returns what the page says of it.
    """

    def decorate(view):
        @wraps(view)
        def with_session(request, slug, session_id, *args, **kwargs):
            access = access_to(request, slug, session_id, roles)
            if access.verdict is Verdict.SIGN_IN:
                return _to_sign_in(request)
            if access.verdict is Verdict.NONE:
                raise Http404("No such session")
            if access.verdict is Verdict.NO and access.membership:
                raise PermissionDenied
            if access.verdict is not Verdict.YES:
                return not_by_key(request, access, ended)
            request.membership = access.membership
            return view(request, access.table_session.club, access.table_session, *args, **kwargs)

        return with_session

    return decorate


def at_table(*roles: Any, ended: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Like of_session, for what has to do with the ledger: a session brought along as totals has none, so 404."""

    def decorate(view):
        @of_session(*roles, ended=ended)
        @wraps(view)
        def with_ledger(request, club, table_session, *args, **kwargs):
            if table_session.imported:
                raise Http404("This session was imported as totals")
            return view(request, club, table_session, *args, **kwargs)

        return with_ledger

    return decorate


def not_by_key(request: HttpRequest, access: Any, ended: Any = None) -> Any:
    """Answer a tablet whose key does not open this page, or no longer; nothing it typed is lost."""
    table_session = access.table_session
    context = {"verdict": access.verdict, "table_session": table_session}
    if ended and access.membership and not table_session.imported:
        request.membership = access.membership
        context |= ended(request, table_session.club, table_session)
    return render(request, "table/not_by_key.html", context, status=403)


def _to_sign_in(request):
    # Someone entering a hand stays on the page: the score fails, and the page says so.
    if request.htmx and request.htmx.target == "score":
        return HttpResponse(status=401)
    if request.htmx:
        return HttpResponseClientRedirect(resolve_url("sign-in"))
    return redirect_to_login(_back_to(request))


def _back_to(request):
    """Return the page to open after signing in: the one asked for, or the one the form was sent from."""
    if request.method in SAFE:
        return request.get_full_path()
    page = request.META.get("HTTP_REFERER", "")
    is_own = url_has_allowed_host_and_scheme(page, {request.get_host()}, request.is_secure())
    return urlsplit(page)._replace(scheme="", netloc="", fragment="").geturl() if is_own else resolve_url("front")


# The cookie by which tablets at a table tell each other apart; it says nothing of who holds them.

COOKIE = "device"
TOKEN = re.compile(r"[A-Za-z0-9_-]{16,40}")


def device_token(request: HttpRequest) -> str:
    """Return what its cookie holds, else something new that remember() gives it."""
    if not hasattr(request, "device_token"):
        kept = request.COOKIES.get(COOKIE, "")
        request.device_token = kept if TOKEN.fullmatch(kept) else secrets.token_urlsafe(16)
    return request.device_token


def remember(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Set the device cookie if the tablet has none."""
    if request.COOKIES.get(COOKIE) != device_token(request):
        set_for_a_year(response, COOKIE, device_token(request))
    return response


def actor(request: HttpRequest) -> Actor:
    """Return who acts: the table's tablet if its key let it in, else the account."""
    membership = getattr(request, "membership", None)
    return membership.actor if isinstance(membership, TableVisitor) else Actor.of_user(request.user)
