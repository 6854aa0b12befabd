"""Clubs: registering one, giving an account a role in one, its settings."""

from decimal import Decimal
from typing import Any
from zoneinfo import available_timezones

from django.db import IntegrityError, transaction
from django.utils.crypto import get_random_string
from django.utils.text import slugify

from clubscore import scoring
from sessions_app.models import Club, Membership, User
from sessions_app.people.accounts import make_account
from sessions_app.people.log import Actor, log_change
from sessions_app.people.models import DIRECTIONS
from sessions_app.people.roles import set_role
from sessions_app.people.transactions import ServiceError, write_transaction

# Letters and digits that are hard to mistake when a password is read aloud.
READABLE = "abcdefghjkmnpqrstuvwxyz23456789"
SLUG_TAKEN = "Choose another address. This one is taken."


def make_club(
    name: str, rules: str = "bmja", *, by: Actor, slug: str = "", time_zone: str = "Europe/London", why: str = ""
) -> Club:
    """Create a club; without `slug` its address is made from its name.

    ServiceError for an empty name, an address that is taken, an unknown rule set or time zone.
    """
    name = " ".join(DIRECTIONS.sub("", name).split())
    if not name:
        raise ServiceError("Enter the name of the club.", "name")
    if rules not in scoring.RULE_SETS:
        raise ServiceError(f"Choose one of these rules: {', '.join(scoring.RULE_SETS)}.", "rules")
    if time_zone not in available_timezones():
        raise ServiceError("Enter a time zone, for example Europe/London.", "time_zone")
    with write_transaction():
        club = Club(name=name, slug=slug or free_slug(name), rules=rules, time_zone=time_zone)
        try:
            with transaction.atomic():
                club.save()
        except IntegrityError as error:
            raise ServiceError(SLUG_TAKEN, "slug") from error
        log_change(club, by, "add", club, {}, {"rules": rules, "time_zone": time_zone}, why)
    return club


def sign_up(
    club: dict[str, str], *, user: User | None = None, login: dict[str, str] | None = None
) -> tuple[Club, User]:
    """Create a club with its first secretary, an existing `user` or a new account; return both.

    club: arguments of make_club; login: arguments of make_account. On a ServiceError nothing is created.
    """
    with write_transaction():
        secretary = user or make_account(**login)
        by = Actor.of_user(secretary)
        made = make_club(**club, by=by)
        Membership.objects.create(club=made, user=secretary, role=Membership.Role.SECRETARY)
        log_change(made, by, "role", secretary, {"role": ""}, {"role": Membership.Role.SECRETARY})
    return made, secretary


def free_slug(name: str) -> str:
    """Return a slug made from a club's name that no other club has."""
    longest = Club._meta.get_field("slug").max_length
    slug = start = slugify(name)[: longest - 4].strip("-") or "club"
    number = 1
    while Club.objects.filter(slug=slug).exists():
        number += 1
        slug = f"{start}-{number}"
    return slug


def give_login(
    club: Club, login: User | str, role: str, password: str | None = None, *, by: Actor, why: str = ""
) -> str | None:
    """Give an account a role in a club, creating the account if there is none; return the password if one was made up.

    An existing account keeps its password. ServiceError for a weak password, an unknown role, or the last secretary.
    """
    if role not in Membership.Role.values:
        raise ServiceError(f"Choose one of these roles: {', '.join(Membership.Role.values)}.", "role")
    with write_transaction():
        user = User.objects.filter(username=login).first()
        made_up = None
        if user is None:
            made_up = None if password else get_random_string(16, READABLE)
            user = make_account(login, password or made_up)
        membership, is_new = Membership.objects.get_or_create(club=club, user=user, defaults={"role": role})
        if is_new:
            log_change(club, by, "role", user, {"role": ""}, {"role": role}, why)
        else:
            set_role(membership, role, by=by, why=why)
    return made_up


# Settings of a club that are not about its rules.

SETTINGS = (
    "asks_agreement",
    "public_names",
    "shows_standings",
    "shows_honours",
    "shows_meetings",
    "keeps_fees",
    "currency",
    "table_fee",
    "refreshments",
    "points_rate",
)


def change_club_settings(club: Club, *, by: Actor, why: str = "", **settings: Any) -> bool:
    """Change some of SETTINGS, log what differs, and return whether anything did."""
    with write_transaction():
        now = Club.objects.select_for_update().get(pk=club.pk)
        wanted = {name: value for name, value in settings.items() if name in SETTINGS}
        before = {name: getattr(now, name) for name in wanted if getattr(now, name) != wanted[name]}
        after = {name: wanted[name] for name in before}
        if before:
            Club.objects.filter(pk=club.pk).update(**after)
            log_change(club, by, "settings", club, _plain(before), _plain(after), why)
    for name, value in after.items():
        setattr(club, name, value)
    return bool(before)


def _plain(facts):
    """Return the values as the log keeps them, money as text."""
    return {name: str(value) if isinstance(value, Decimal) else value for name, value in facts.items()}
