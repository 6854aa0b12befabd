"""A login of every role, and clients that are signed in with one."""

from django.test import Client

from sessions_app.models import Membership, User

ROLES = ("secretary", "scorekeeper", "member")


def logins(club):
    """Make a login of every role; passwords are never asked for in these tests."""
    made = {}
    for role in ROLES:
        user = User(username=f"{club.slug}-{role}")
        user.set_unusable_password()
        user.save()
        Membership.objects.create(user=user, club=club, role=role)
        made[role] = user
    return made


def signed_in(user):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client
