"""Who is signed in, and who that is in a club: both looked up in one query."""

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.utils.crypto import constant_time_compare

from sessions_app import replica
from sessions_app.models import Membership


def membership_of(request, slug, along=None):
    """Return the membership of whoever is signed in, with what is asked for `along`; None for everybody else."""
    if replica.is_there():
        # The copy may not know yet that a sign-in is over.
        return _found(request.user.pk, slug, along, "club")
    membership = _found(request.session.get(SESSION_KEY), slug, along, "club", "user")
    if membership and _is_sign_in_of(request.session, membership.user):
        request.user = membership.user
    # A sign-in that is not good as it stands is renewed or ended by Django, which looks the login up for that.
    return membership if membership and request.user.pk == membership.user_id else None


def _found(user_id, slug, along, *related):
    if user_id is None:
        return None
    of_user = Membership.objects.filter(user=user_id, club__slug=slug).select_related(*related)
    return of_user.annotate(**(along or {})).first()


def _is_sign_in_of(session, user):
    """Ask all that django.contrib.auth.get_user asks of a sign-in."""
    is_known = session.get(SESSION_KEY) == str(user.pk) and session.get(BACKEND_SESSION_KEY) in (
        settings.AUTHENTICATION_BACKENDS
    )
    kept = session.get(HASH_SESSION_KEY)
    return is_known and user.is_active and bool(kept) and constant_time_compare(kept, user.get_session_auth_hash())
