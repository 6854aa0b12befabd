"""Clubs, accounts and roles, players, invitations, the log."""

import secrets
from collections.abc import Callable
from datetime import date, timedelta
from importlib import import_module
from typing import Any, ClassVar, Self, TypeVar
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from clubscore import scoring

Row = TypeVar("Row", bound="ClubModel")


class ClubQuerySet(models.QuerySet[Row]):
    def of_club(self, club: "int | Club") -> Self:
        """Keep the rows that belong to this club."""
        return self.filter(**{self.model.CLUB_PATH: club})

    def other_than(self, row: Row | None) -> Self:
        """Keep all but this row, if there is one."""
        return self.exclude(pk=row.pk) if row else self


class ClubModel(models.Model):
    """A row that belongs to a club; rows are only ever read through their club."""

    objects: ClassVar = ClubQuerySet.as_manager()
    CLUB_PATH = "club"

    class Meta:
        abstract = True


def unguessable_key() -> str:
    """Return a random key of 128 bits that is safe in a URL."""
    return secrets.token_urlsafe(16)


def rule_set_choices() -> list[tuple[str, str]]:
    """Return all rule sets; a callable, so that a new one needs no migration."""
    return [(rule_set.key, rule_set.name) for rule_set in scoring.RULE_SETS.values()]


class Club(ClubModel):
    class PublicNames(models.TextChoices):
        NOBODY = "nobody", "Nothing is shown in public"
        INITIALS = "initials", "Initials"
        SHORT = "short", "Short names"
        FULL = "full", "Full names"

    class Currency(models.TextChoices):
        """The symbol shown with an amount, and its label."""

        POUND = "£", "Pounds (£)"
        EURO = "€", "Euros (€)"
        DOLLAR = "$", "Dollars ($)"
        AUSTRALIAN = "A$", "Australian dollars (A$)"
        NEW_ZEALAND = "NZ$", "New Zealand dollars (NZ$)"
        CANADIAN = "C$", "Canadian dollars (C$)"
        HONG_KONG = "HK$", "Hong Kong dollars (HK$)"
        CROWN = "kr", "Crowns (kr)"
        SWISS = "CHF", "Swiss francs (CHF)"

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60, unique=True)
    time_zone = models.CharField(max_length=60, default="Europe/London")
    rules = models.CharField("rules", max_length=40, choices=rule_set_choices, default="bmja")
    public_names = models.CharField(max_length=10, choices=PublicNames, default=PublicNames.NOBODY)
    suit_names = models.JSONField(default=dict, blank=True)
    stick_set = models.CharField("tally sticks", max_length=40, blank=True, default="")
    asks_agreement = models.BooleanField("another player agrees to each hand", default=False)

    # Pages that anyone can read; names on them follow public_names.
    shows_standings = models.BooleanField("league table is public", default=False)
    shows_honours = models.BooleanField("roll of honour is public", default=False)
    shows_meetings = models.BooleanField("meetings are public", default=False)
    # The websites that may show a part of these pages in a frame, with a blank between them.
    framed_by = models.CharField(max_length=400, blank=True, default="")

    # Money is optional; the rate is what 1,000 points are worth.
    keeps_fees = models.BooleanField("a list of fees at each meeting", default=False)
    table_fee = models.DecimalField(max_digits=6, decimal_places=2, default=0)
    refreshments = models.DecimalField(max_digits=6, decimal_places=2, default=0)
    subscription = models.DecimalField(max_digits=6, decimal_places=2, default=0)
    joint_subscription = models.DecimalField(max_digits=6, decimal_places=2, default=0)
    # The month in which the club's year begins, for its money; a year is called after the one it begins in.
    year_begins = models.PositiveSmallIntegerField(default=1)
    points_rate = models.DecimalField(max_digits=7, decimal_places=2, null=True, blank=True)

    currency = models.CharField(max_length=4, choices=Currency, default=Currency.POUND)

    # What a new meeting begins with, and how to reach the club.
    usual_place = models.CharField("usual venue", max_length=120, blank=True, default="")
    usual_time = models.TimeField("usual start", null=True, blank=True)
    contact_email = models.EmailField("contact", blank=True, default="")

    # The key is in the logo's address, and is new for each picture. The width is for a height of 40 pixels.
    logo_key = models.CharField(max_length=40, blank=True, default="")
    logo_width = models.PositiveSmallIntegerField(default=0)

    # The names of its leagues, if it has several. A season or meeting of the only league is in the league "".
    leagues = models.JSONField(default=list, blank=True)

    CLUB_PATH = "pk"

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(public_names__in=["nobody", "initials", "short", "full"]), name="club_public_names_known"
            ),
            models.CheckConstraint(
                condition=Q(table_fee__gte=0, refreshments__gte=0), name="club_fees_not_below_nothing"
            ),
            models.CheckConstraint(condition=Q(subscription__gte=0), name="club_subscription_not_below_nothing"),
            models.CheckConstraint(
                condition=Q(points_rate=None) | Q(points_rate__gt=0), name="club_points_rate_above_nothing"
            ),
            models.CheckConstraint(
                condition=Q(currency__in=["£", "€", "$", "A$", "NZ$", "C$", "HK$", "kr", "CHF"]),
                name="club_currency_known",
            ),
        ]

    def __str__(self) -> Any:
        return self.name

    @property
    def year(self) -> int:
        return self.year_of(self.today)

    def year_of(self, day: date) -> int:
        """Return the club's year of a day."""
        return day.year - (day.month < self.year_begins)

    def year_words(self, year: int) -> str:
        """Return one of the club's years in words: 2026, or 2026–27 if it does not begin in January."""
        return str(year) if self.year_begins == 1 else f"{year}–{(year + 1) % 100:02}"

    def days_of_year(self, year: int) -> tuple[date, date]:
        """Return the first and last day of one of the club's years."""
        return date(year, self.year_begins, 1), date(year + 1, self.year_begins, 1) - timedelta(days=1)

    @property
    def first_league(self) -> str:
        return self.leagues[0] if self.leagues else ""

    @property
    def today(self) -> date:
        """Today's date in the club's time zone."""
        return timezone.now().astimezone(ZoneInfo(self.time_zone)).date()


class OldAddress(ClubModel):
    """A slug that a club had before; its pages are still found there."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="old_addresses")
    slug = models.SlugField(max_length=60, unique=True, default=unguessable_key)

    class Meta:
        verbose_name_plural = "old addresses"

    def __str__(self) -> Any:
        return self.slug


class Logo(ClubModel):
    """A club's picture, in its own table, as every page of the club loads the club."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="+")
    picture = models.BinaryField()

    def __str__(self) -> str:
        return f"logo of {self.club}"


class Membership(ClubModel):
    """A user's role in a club, and the player they are."""

    class Role(models.TextChoices):
        SECRETARY = "secretary", "Secretary"
        SCOREKEEPER = "scorekeeper", "Scorekeeper"
        MEMBER = "member", "Member"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role)
    player = models.ForeignKey("Player", on_delete=models.SET_NULL, null=True, blank=True, related_name="memberships")

    to_do: int  # the number in the page head, counted when a page of the club is opened (web/access.py)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="membership_once_a_club"),
            models.UniqueConstraint(fields=["player"], name="membership_one_login_a_player"),
            models.CheckConstraint(
                condition=Q(role__in=["secretary", "scorekeeper", "member"]), name="membership_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.get_role_display().lower()} of {self.club}"


# An account; one account can belong to several clubs.


class User(AbstractUser):
    # Session epoch: increments on “sign out on every device”; older sign-ins are invalid.
    sign_ins_ended = models.PositiveIntegerField(default=0)

    # Whether the user has followed a link sent to the address while signed in.
    email_confirmed = models.BooleanField(default=False)

    # The password was made by a command, which printed it; until it is changed no other page opens.
    must_change_password = models.BooleanField(default=False)

    is_verified: Callable[[], bool]  # whether a code was given in this sign-in; set by django_otp's middleware

    @property
    def display_name(self) -> str:
        """The full name, or the username if there is none."""
        return self.get_full_name() or self.get_username()

    def _get_session_auth_hash(self, secret: str | None = None) -> Any:
        if not self.sign_ins_ended:
            return super()._get_session_auth_hash(secret)  # type: ignore[misc]  # private, so the stubs lack it
        salt = "sessions_app.models.User.sign_ins_ended"
        value = f"{self.sign_ins_ended}:{self.password}"
        return salted_hmac(salt, value, secret=secret, algorithm="sha256").hexdigest()


class SignIn(AbstractBaseSession):
    """A session of Django, of a browser where somebody has signed in or opened a table by its key (sign_ins.py)."""

    # None: nobody is signed in.
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="sign_ins")

    class Meta:
        verbose_name = "sign-in"

    @classmethod
    def get_session_store_class(cls) -> Any:
        return import_module(settings.SESSION_ENGINE).SessionStore


# A person who plays in a club; never deleted, but merged into another or erased. And how to reach them.

# In characters; the limit in every form and imported file.
MAX_NAME, MAX_SHORT_NAME = 120, 40


class PlayerQuerySet(ClubQuerySet["Player"]):
    def present(self) -> Self:
        """Keep those who may be chosen for a table: not left, not merged, not erased."""
        return self.filter(left_on=None, merged_into=None).exclude(full_name="")


class Player(ClubModel):
    class InPublic(models.TextChoices):
        """How a player has chosen to be named in public; empty: as the club decides."""

        INITIALS = "initials", "Initials"
        SHORT = "short", "First name"
        FULL = "full", "Full name"
        OFF = "off", "Not at all: left off every public list"

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="players")
    full_name = models.CharField(max_length=MAX_NAME, blank=True)
    short_name = models.CharField(max_length=MAX_SHORT_NAME, blank=True)
    guest = models.BooleanField(default=False)
    # A member who is ranked among the beginners.
    beginner = models.BooleanField(default=False)
    # Typed on a tablet without an account: cannot be chosen at other tables until confirmed.
    to_confirm = models.BooleanField(default=False)
    erased_as = models.CharField(max_length=60, blank=True, default="")
    in_public = models.CharField(max_length=10, choices=InPublic, blank=True, default="")
    left_on = models.DateField(null=True, blank=True)
    merged_into = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged")
    # Opens the page on which the player says whether they are coming, without signing in; made when someone asks.
    reply_key = models.CharField(max_length=40, unique=True, null=True, blank=True)

    objects: ClassVar = PlayerQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["club", "full_name"], name="player_by_name")]
        constraints = [
            models.CheckConstraint(
                condition=Q(merged_into=None) | ~Q(merged_into=F("id")), name="player_not_merged_into_itself"
            ),
            models.CheckConstraint(
                condition=Q(in_public__in=["", "initials", "short", "full", "off"]), name="player_in_public_known"
            ),
        ]

    def __str__(self) -> str:
        return self.full_name or self.erased_as or f"player {self.pk}"

    @property
    def name(self) -> str:
        """The name shown at the table: the short one if there is one."""
        return self.short_name or str(self)


class Contact(ClubModel):
    """Contact details of a player who agreed to their being kept; only secretaries see them."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="contact")
    email = models.EmailField(blank=True, default="")
    telephone = models.CharField(max_length=40, blank=True, default="")
    agreed_on = models.DateField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(email="", telephone=""), name="contact_says_something")]

    def __str__(self) -> str:
        return f"contact of player {self.player_id}"


# A link to join a club in a role, once or many times, until it expires or is cancelled.


class InviteQuerySet(ClubQuerySet["Invite"]):
    def usable(self) -> Self:
        """Keep invitations that can still be used."""
        once_used = Q(once=True, used__gt=0)
        return self.filter(revoked_at=None, expires_at__gt=timezone.now()).exclude(once_used)


class Invite(ClubModel):
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="invites")
    token = models.CharField(max_length=40, unique=True, default=unguessable_key)
    role = models.CharField(max_length=12, choices=Membership.Role)
    # The account that joins with it is linked to this player.
    player = models.ForeignKey("Player", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    once = models.BooleanField(default=True)
    used = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = InviteQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(role__in=["secretary", "scorekeeper", "member"]), name="invite_role_known"
            ),
            models.CheckConstraint(condition=Q(player=None) | Q(once=True), name="invite_of_a_player_is_for_one"),
        ]

    def __str__(self) -> str:
        return f"invitation as {self.get_role_display().lower()}"

    @property
    def is_usable(self) -> bool:
        """Whether it can still be used."""
        return not self.revoked_at and self.expires_at > timezone.now() and not (self.once and self.used)


# The log: who changed what, when and why. Append-only by triggers (database_guards.py); ids, never players' names.


class Change(ClubModel):
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="changes")
    # Its table may be gone, if an import was taken back: the log keeps what was done there.
    session = models.ForeignKey(
        "Session", on_delete=models.DO_NOTHING, null=True, blank=True, related_name="changes", db_constraint=False
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="changes"
    )
    name = models.CharField(max_length=120, blank=True, default="")
    at = models.DateTimeField(auto_now_add=True)
    action = models.CharField(max_length=40)
    subject_type = models.CharField(max_length=40)
    subject_id = models.CharField(max_length=40)
    why = models.TextField(blank=True, default="")
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["club", "id"], name="change_latest_in_club")]

    def __str__(self) -> str:
        return f"{self.action} {self.subject_type} {self.subject_id}"


class Throttle(models.Model):
    """How often something that can be guessed was tried, by a digest of what and from where, never in plain text."""

    digest = models.CharField(max_length=64, unique=True)
    count = models.PositiveIntegerField(default=0)
    ends_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.count} tries until {self.ends_at:%H:%M}"
