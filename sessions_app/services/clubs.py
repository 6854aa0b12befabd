"""Clubs and who may do what in them."""
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.crypto import get_random_string
from django.utils.text import slugify

from clubscore import scoring
from sessions_app.models import Club, Membership, User

from .errors import ServiceError
from .log import log_change
from .transactions import write_transaction

# Letters and figures that nobody mistakes when reading a password aloud.
READABLE = "abcdefghjkmnpqrstuvwxyz23456789"


def make_club(name, rules="bmja", *, by, why=""):
    """Make a club; its address part comes from its name. ServiceError for no name or an unknown rule set."""
    name = " ".join(name.split())
    if not name:
        raise ServiceError("A club needs a name.", "name")
    if rules not in scoring.RULE_SETS:
        raise ServiceError(f"There is no rule set {rules}; there are {', '.join(scoring.RULE_SETS)}.", "rules")
    with write_transaction():
        club = Club.objects.create(name=name, slug=free_slug(name), rules=rules)
        log_change(club, by, "add", club, {}, {"rules": rules}, why)
    return club


def free_slug(name):
    """Return an address part made from a club's name that no other club has."""
    longest = Club._meta.get_field("slug").max_length
    slug = start = slugify(name)[: longest - 4].strip("-") or "club"
    number = 1
    while Club.objects.filter(slug=slug).exists():
        number += 1
        slug = f"{start}-{number}"
    return slug


def give_login(club, login, role, password=None, *, by, why=""):
    """Let a login into a club in a role; a login that is not there yet is made.

    Returns the password where one was made up, else None. ServiceError for a password that is too weak or a role that
    is not known; a login that is there keeps its own password.
    """
    if role not in Membership.Role.values:
        raise ServiceError(f"There is no role {role}; there are {', '.join(Membership.Role.values)}.", "role")
    with write_transaction():
        user = User.objects.filter(username=login).first()
        made_up = None
        if user is None:
            made_up = None if password else get_random_string(16, READABLE)
            user = _new_user(login, password or made_up)
        membership, is_new = Membership.objects.get_or_create(club=club, user=user, defaults={"role": role})
        before = "" if is_new else membership.role
        if before != role:
            Membership.objects.filter(pk=membership.pk).update(role=role)
            log_change(club, by, "role", user, {"role": before}, {"role": role}, why)
    return made_up


def _new_user(login, password):
    user = User(username=login)
    try:
        user.clean_fields(exclude=["password"])
        validate_password(password, user)
    except ValidationError as error:
        raise ServiceError(" ".join(error.messages), "login") from error
    user.set_password(password)
    user.save()
    return user
