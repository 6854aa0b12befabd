"""Who may open a page of a club: the one place where roles are asked."""

from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404, resolve_url
from django_htmx.http import HttpResponseClientRedirect

from sessions_app.models import Membership, Session

SECRETARY = ("secretary",)
SCOREKEEPER = ("secretary", "scorekeeper")
MEMBER = ("secretary", "scorekeeper", "member")


def club_member(*roles):
    """Call the view with the club of the address when the user belongs to it in one of these roles.

    Nobody signed in: to the sign-in page. A club that is not the user's, or none at all: 404, so that
    clubs cannot be found by guessing. A role too small: 403.
    """

    def decorate(view):
        @wraps(view)
        def with_club(request, slug, *args, **kwargs):
            if not request.user.is_authenticated:
                return _to_sign_in(request)
            membership = Membership.objects.filter(user=request.user, club__slug=slug).select_related("club").first()
            if membership is None:
                raise Http404("No such club")
            if membership.role not in roles:
                raise PermissionDenied
            request.membership = membership
            return view(request, membership.club, *args, **kwargs)

        return with_club

    return decorate


def of_session(*roles):
    """Like club_member, for addresses of one session: the view gets the club and the session."""

    def decorate(view):
        @club_member(*roles)
        @wraps(view)
        def with_session(request, club, session_id, *args, **kwargs):
            sessions = Session.objects.of_club(club).select_related("club", "season", "meeting")
            return view(request, club, get_object_or_404(sessions, pk=session_id), *args, **kwargs)

        return with_session

    return decorate


def at_table(*roles):
    """Like of_session, for what has to do with the ledger: a session brought along as totals has none, so 404."""

    def decorate(view):
        @of_session(*roles)
        @wraps(view)
        def with_ledger(request, club, table_session, *args, **kwargs):
            if table_session.imported:
                raise Http404("This session was brought along as totals")
            return view(request, club, table_session, *args, **kwargs)

        return with_ledger

    return decorate


def _to_sign_in(request):
    if request.htmx:
        return HttpResponseClientRedirect(resolve_url("sign-in"))
    return redirect_to_login(request.get_full_path())
