"""Accounts: creating one, its password, signing out everywhere, password links; and work in the background."""

import logging
import re
import threading
import unicodedata
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from sessions_app.models import Membership, SignIn, User
from sessions_app.people.log import Actor, log_change, log_sentences
from sessions_app.people.plain_text import looks, mixes_alphabets, plain_name
from sessions_app.people.transactions import ServiceError, write_transaction

# Accounts of the demonstration club; their passwords are the same as their usernames.
DEMONSTRATION_LOGINS = {role: f"demo-{role}" for role in ("secretary", "scorekeeper", "member")}
TAKEN = "Choose another username. This one is taken."

LOOKS_TAKEN = "Choose another username. This one looks like one that is taken."
ONE_ALPHABET = "Use letters of one alphabet in each word."


def validate_name(name: str) -> None:
    """Raise ValidationError for a name that cannot be that of an account."""
    # In the log {2} means the player in the second seat.
    if set(name) & set("{}"):
        raise ValidationError("Enter your name without { and }.")
    if mixes_alphabets(name):
        raise ValidationError(ONE_ALPHABET)


def validate_username(username: str) -> None:
    """Raise ValidationError for a username that is invalid, taken, or looks like one that is taken."""
    for validate in User._meta.get_field("username").validators:
        validate(username)
    if plain_name(username) != username:
        raise ValidationError("Choose a username without characters that nobody sees.")
    if mixes_alphabets(username):
        raise ValidationError(ONE_ALPHABET)
    if account_called(username):
        raise ValidationError(TAKEN)
    if account_called(looks(username)):
        raise ValidationError(LOOKS_TAKEN)


class OneAtATimeArgon2(Argon2PasswordHasher):
    """Hashes one password at a time in each web process: each hash takes 100 MiB and all processors."""

    turn = threading.Lock()

    def encode(self, password: str, salt: str) -> str:
        with self.turn:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with self.turn:
            return super().verify(password, encoded)


class RecoveryTokens(PasswordResetTokenGenerator):
    """Tokens that expire when used, and when the account signs in, joins or leaves a club, or gets another role.

    They also expire when a secretary of one of its clubs comes or goes: a secretary who leaves may have made one.
    """

    key_salt = "sessions_app.services.logins.RecoveryTokens"

    def _make_hash_value(self, user, timestamp):
        own_or_secretary = Q(user=user) | Q(role=Membership.Role.SECRETARY)
        found = Membership.objects.filter(own_or_secretary, club__memberships__user=user).order_by("club", "user")
        roles = list(found.values_list("club", "user", "role"))
        return f"{super()._make_hash_value(user, timestamp)}{user.sign_ins_ended}{roles}"


recovery_tokens = RecoveryTokens()


class AddressTokens(PasswordResetTokenGenerator):
    """Tokens that confirm an email address; they expire after a day, and when the address changes."""

    key_salt = "sessions_app.services.logins.AddressTokens"

    def _make_hash_value(self, user, timestamp):
        return f"{user.pk} {timestamp} {user.email}"


address_tokens = AddressTokens()


def make_account(login: str, password: str, name: str = "", email: str = "") -> User:
    """Create an account. ServiceError for an invalid or taken username, or a weak password."""
    user = User(username=User.normalize_username(login), email=email)
    _set_name(user, plain_name(name))
    _check(user, password)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise ServiceError(TAKEN, "login") from error
    return user


def account_called(login: str) -> User | None:
    """Return the account with this username, in large or small letters; the one written exactly so goes first."""
    login = User.normalize_username(login.strip())
    # SQLite's LIKE knows the cases of ASCII alone.
    pattern = rf"^{re.escape(login)}$"
    same = {"username__iexact": login} if login.isascii() else {"username__iregex": pattern}
    return min(User.objects.filter(**same), key=lambda user: (user.username != login, user.pk), default=None)


def refuse_name_of_member(name: str, user: User, clubs: Iterable[Any]) -> None:
    """Raise ServiceError if another member of these clubs goes by this name, as the log could not tell them apart."""
    if is_name_of_member(name, user, clubs):
        advice = f"Enter a name that tells you apart, for example “{name} (Wool)”."
        raise ServiceError(f"Another member of the club is called {name}. {advice}", "name")


def is_name_of_member(name: str, user: User, clubs: Iterable[Any]) -> bool:
    """Return whether another member of these clubs goes by this name, or one that looks like it.

    Members go by their name, their username and the name of their player.
    """
    forms = _forms(name)
    others = Membership.objects.filter(club__in=clubs).exclude(user=user).select_related("user", "player")
    return any(
        forms & _forms(called)
        for member in others
        for called in (member.user.get_full_name(), member.user.get_username(), getattr(member.player, "full_name", ""))
    )


def _forms(name: str) -> set[str]:
    """Return what two names have in common that are the same, or look the same."""
    folded = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    return {folded, looks(name)} - {""}


def _set_name(user: User, name: str) -> None:
    first_name, _, last_name = name.rpartition(" ")
    user.first_name, user.last_name = (first_name, last_name) if first_name else (last_name, "")


def _check(user: User, password: str) -> None:
    field = "name"
    try:
        validate_name(user.get_full_name())
        field = "login"
        user.clean_fields(exclude=["password"])
        validate_username(user.username)
        field = "password"
        validate_password(password, user)
    except ValidationError as error:
        raise ServiceError(" ".join(error.messages), field) from error


def recovery_path(user: User) -> str:
    """Return the address at which the user can choose a new password, once and within a day."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("recover", args=[uid, recovery_tokens.make_token(user)])


def end_sign_ins(user: User, *, by: Actor) -> None:
    """Sign the user out on every device."""
    with write_transaction():
        User.objects.filter(pk=user.pk).update(sign_ins_ended=F("sign_ins_ended") + 1)
        SignIn.objects.filter(user=user).delete()
        log_account_change(user, "sign out everywhere", by)
    user.refresh_from_db(fields=["sign_ins_ended"])


def change_details(user: User, name: str, email: str, *, by: Actor) -> None:
    """Change the name and email address of an account; the log records that, but not the values.

    ServiceError if another member of one of its clubs goes by that name.
    """
    with write_transaction():
        if name != user.get_full_name():
            refuse_name_of_member(name, user, Membership.objects.filter(user=user).values("club"))
        _set_name(user, name)
        if user.email != email:
            user.email, user.email_confirmed = email, False
        user.save(update_fields=["first_name", "last_name", "email", "email_confirmed"])
        log_account_change(user, "change login", by)


def confirm_address(user: User, *, by: Actor) -> None:
    """Mark the email address of an account as confirmed."""
    with write_transaction():
        # The address may have been changed on another device since.
        if User.objects.filter(pk=user.pk, email=user.email).update(email_confirmed=True):
            log_account_change(user, "confirm address", by)


log_sentences(
    {
        "change login": "changed their own name or email address",
        "confirm address": "confirmed their email address",
        "new password": "chose a new password",
        "sign out everywhere": "signed out on every device",
        "sign out device": "signed out on another device",
        "recovery link": "made a password link for {user}",
    }
)


def log_account_change(user: User, action: str, by: Actor) -> None:
    """Log a change of an account in each of its clubs."""
    for membership in Membership.objects.filter(user=user).select_related("club").order_by("club"):
        log_change(membership.club, by, action, user, {}, {})


# Work that runs after the response, so that response time reveals nothing (a timing side channel).

logger = logging.getLogger(__name__)

# The thread starts with the first job in this process, and is joined when the process ends.
_executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="background")


def run_in_background(function: Callable[..., Any], *args: Any) -> None:
    """Call the function after the response; errors are logged."""
    _executor.submit(_run, function, *args)


def _run(function, *args):
    try:
        function(*args)
    except Exception:
        logger.exception("A background job failed.")
