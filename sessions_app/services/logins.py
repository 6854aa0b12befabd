"""Logins: making one, its password, its sign-ins everywhere, and the link by which a lost password is replaced."""

from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from sessions_app.models import Membership, User

from .errors import ServiceError
from .log import log_change
from .transactions import write_transaction

TAKEN = "Somebody signs in with this name already: choose another."


class RecoveryTokens(PasswordResetTokenGenerator):
    """A link is over once it is used, once the login signs in, and once it joins or leaves a club."""

    key_salt = "sessions_app.services.logins.RecoveryTokens"

    def _make_hash_value(self, user, timestamp):
        clubs = Membership.objects.filter(user=user).order_by("club").values_list("club", flat=True)
        return f"{super()._make_hash_value(user, timestamp)}{user.sign_ins_ended}{list(clubs)}"


recovery_tokens = RecoveryTokens()


def make_login(login, password, name="", email=""):
    """Make a login. ServiceError for a name that cannot be or is taken, and for a password that is too weak."""
    first_name, _, last_name = name.rpartition(" ")
    user = User(username=User.normalize_username(login), email=email)
    user.first_name, user.last_name = (first_name, last_name) if first_name else (last_name, "")
    _check(user, password)
    if User.objects.filter(username__iexact=user.username).exists():
        raise ServiceError(TAKEN, "login")
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise ServiceError(TAKEN, "login") from error
    return user


def _check(user, password):
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        raise ServiceError(" ".join(error.messages), "login") from error
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise ServiceError(" ".join(error.messages), "password") from error


def recovery_path(user):
    """Return the address at which a login gets another password, once and within a day."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("recover", args=[uid, recovery_tokens.make_token(user)])


def links_for(users):
    """Return (address, login's name, path) for each of these logins, whose password was forgotten.

    Where there is none as much is done for a login that nobody has, and its address is empty: nobody is written to.
    """
    return [(user.email, user.get_username(), recovery_path(user)) for user in users or [User(pk=0)]]


def end_sign_ins(user, *, by):
    """Sign a login out wherever it is signed in."""
    with write_transaction():
        User.objects.filter(pk=user.pk).update(sign_ins_ended=F("sign_ins_ended") + 1)
        log_of_login(user, "sign out everywhere", by)
    user.refresh_from_db(fields=["sign_ins_ended"])


def change_details(user, name, email, *, by):
    """Give a login another name to be shown by, and another address for mail; the log says that, not what."""
    first_name, _, last_name = name.rpartition(" ")
    with write_transaction():
        user.first_name, user.last_name = (first_name, last_name) if first_name else (last_name, "")
        user.email = email
        user.save(update_fields=["first_name", "last_name", "email"])
        log_of_login(user, "change login", by)


def log_of_login(user, action, by):
    """Write a change of a login, which is no one club's, into the log of each of its clubs."""
    for membership in Membership.objects.filter(user=user).select_related("club").order_by("club"):
        log_change(membership.club, by, action, user, {}, {})
