"""Who is signed in, and who that is in a club: both looked up in one query."""

from functools import lru_cache

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.utils.crypto import constant_time_compare

from sessions_app import replica
from sessions_app.models import Membership

# Every page of a club begins with this question, and putting it together takes Django longer than the database takes to
# answer it: what is asked along is put together once, and the rest once for a login and a club.
MEMBERSHIPS = Membership.objects.select_related("club", "user")


def membership_of(request, slug, memberships=MEMBERSHIPS):
    """Return the membership of whoever is signed in, with all that is asked along with it; None for everybody else."""
    if replica.is_there():
        # The copy may not know yet that a sign-in is over.
        return _found(request.user.pk, slug, memberships)
    membership = _found(request.session.get(SESSION_KEY), slug, memberships)
    if membership and _is_sign_in_of(request.session, membership.user):
        request.user = membership.user
    # A sign-in that is not good as it stands is renewed or ended by Django, which looks the login up for that.
    return membership if membership and request.user.pk == membership.user_id else None


def _found(user_id, slug, memberships):
    """Ask for the one there is at most: nothing need be put in order for that."""
    if user_id is None:
        return None
    return next(iter(_question(user_id, slug, memberships).all()), None)


@lru_cache(maxsize=1000)
def _question(user_id, slug, memberships):
    return memberships.filter(user=user_id, club__slug=slug)


def _is_sign_in_of(session, user):
    """Ask all that django.contrib.auth.get_user asks of a sign-in."""
    is_known = session.get(SESSION_KEY) == str(user.pk) and session.get(BACKEND_SESSION_KEY) in (
        settings.AUTHENTICATION_BACKENDS
    )
    kept = session.get(HASH_SESSION_KEY)
    return is_known and user.is_active and bool(kept) and constant_time_compare(kept, user.get_session_auth_hash())
