"""Who may open a page of a club: the one place where roles are asked."""

from dataclasses import dataclass
from functools import wraps
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect

from sessions_app.models import Membership, Session
from sessions_app.views.signed_in import MEMBERSHIPS, membership_of
from sessions_app.views.table_key import TABLE, TableVisitor, had_key, has_keys, visitor_of

SECRETARY = ("secretary",)
SCOREKEEPER = ("secretary", "scorekeeper")
MEMBER = ("secretary", "scorekeeper", "member")
# At one table alone, whoever has its key as well: to score while it is open, and to read.
SCORING = (*SCOREKEEPER, TABLE)
READING = (*MEMBER, TABLE)
SAFE = ("GET", "HEAD")


@dataclass(frozen=True)
class Access:
    """Who somebody is at a session, and whether they may: "yes", "sign-in", "none" (404), "no" (a role too small),
    "replaced" or "finished" (the table's key was good once)."""

    verdict: str
    membership: Membership | TableVisitor | None = None
    table_session: Session | None = None


def club_member(*roles, memberships=MEMBERSHIPS):
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


def access_to(request, slug, session_id, roles):
    """Say who asks for a session of the club, and whether these roles let them in; nothing is written."""
    membership = membership_of(request, slug)
    kept = had_key(request, session_id)
    if membership is None and kept is None:
        is_outsider = request.user.is_authenticated or has_keys(request)
        return Access("none" if is_outsider else "sign-in")
    sessions = Session.objects.filter(club__slug=slug).select_related("club", "season", "meeting")
    table_session = sessions.filter(pk=session_id).first()
    if table_session is None:
        return Access("none")
    if membership and membership.role in roles:
        return Access("yes", membership, table_session)
    if kept and TABLE in roles:
        return _by_key(request, table_session)
    return Access("no", membership, table_session)


def _by_key(request, table_session):
    visitor = visitor_of(request, table_session)
    if visitor is None:
        is_replaced = had_key(request, table_session.pk)["key"] != table_session.scoring_key
        return Access("replaced" if is_replaced else "finished", TableVisitor(table_session), table_session)
    may = table_session.is_open or request.method in SAFE
    return Access("yes" if may else "finished", visitor, table_session)


def of_session(*roles, ended=None):
    """Like club_member, for addresses of one session: the view gets the club and the session.

    With TABLE among the roles, whoever came by the table's key is let in as well; their keys open no other table (404).
    `ended` keeps what was sent by a key that opens the table no more, and returns what the page says of it.
    """

    def decorate(view):
        @wraps(view)
        def with_session(request, slug, session_id, *args, **kwargs):
            access = access_to(request, slug, session_id, roles)
            if access.verdict == "sign-in":
                return _to_sign_in(request)
            if access.verdict == "none":
                raise Http404("No such session")
            if access.verdict == "no" and access.membership:
                raise PermissionDenied
            if access.verdict != "yes":
                return not_by_key(request, access, ended)
            request.membership = access.membership
            return view(request, access.table_session.club, access.table_session, *args, **kwargs)

        return with_session

    return decorate


def at_table(*roles, ended=None):
    """Like of_session, for what has to do with the ledger: a session brought along as totals has none, so 404."""

    def decorate(view):
        @of_session(*roles, ended=ended)
        @wraps(view)
        def with_ledger(request, club, table_session, *args, **kwargs):
            if table_session.imported:
                raise Http404("This session was brought along as totals")
            return view(request, club, table_session, *args, **kwargs)

        return with_ledger

    return decorate


def not_by_key(request, access, ended=None):
    """Tell a tablet what its key does not open, or no more; nothing it has typed is lost."""
    table_session = access.table_session
    context = {"verdict": access.verdict, "table_session": table_session}
    if ended and access.membership and not table_session.imported:
        request.membership = access.membership
        context |= ended(request, table_session.club, table_session)
    return render(request, "sessions_app/not_by_key.html", context, status=403)


def _to_sign_in(request):
    # Whoever enters a hand is not torn away from it: the score fails to come, and the page says so.
    if request.htmx and request.htmx.target == "score":
        return HttpResponse(status=401)
    if request.htmx:
        return HttpResponseClientRedirect(resolve_url("sign-in"))
    return redirect_to_login(_back_to(request))


def _back_to(request):
    """Return where to go on after signing in: the page asked for, or the one that something was sent from."""
    if request.method in SAFE:
        return request.get_full_path()
    page = request.META.get("HTTP_REFERER", "")
    is_own = url_has_allowed_host_and_scheme(page, {request.get_host()}, request.is_secure())
    return urlsplit(page)._replace(scheme="", netloc="", fragment="").geturl() if is_own else resolve_url("front")
