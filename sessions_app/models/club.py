"""A club, and who may do what in it."""

from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from clubscore import scoring

from .queryset import ClubQuerySet


def rule_set_choices():
    """Every rule set the scorer knows; a callable, so that a new one needs no migration."""
    return [(rule_set.key, rule_set.name) for rule_set in scoring.RULE_SETS.values()]


class Club(models.Model):
    class PublicNames(models.TextChoices):
        NOBODY = "nobody", "Nothing is shown in public"
        INITIALS = "initials", "Initials"
        SHORT = "short", "Short names"
        FULL = "full", "Full names"

    class Currency(models.TextChoices):
        """What stands with an amount, and how a list of currencies names it."""

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
    rules = models.CharField("rule set", max_length=40, choices=rule_set_choices, default="bmja")
    public_names = models.CharField(max_length=10, choices=PublicNames, default=PublicNames.NOBODY)
    suit_names = models.JSONField(default=dict, blank=True)
    stick_set = models.CharField("tally sticks", max_length=40, blank=True, default="")
    asks_agreement = models.BooleanField("another player agrees to each hand", default=False)

    # What anybody may read without a login; names in it follow public_names.
    shows_standings = models.BooleanField("standings are public", default=False)
    shows_honours = models.BooleanField("honours are public", default=False)
    shows_meetings = models.BooleanField("meetings are public", default=False)

    # Money is kept only where the club wants it; a rate is what 1,000 points are worth.
    keeps_fees = models.BooleanField("a list of fees at each meeting", default=False)
    table_fee = models.DecimalField(max_digits=6, decimal_places=2, default=0)
    refreshments = models.DecimalField(max_digits=6, decimal_places=2, default=0)
    points_rate = models.DecimalField(max_digits=7, decimal_places=2, null=True, blank=True)

    currency = models.CharField(max_length=4, choices=Currency, default=Currency.POUND)

    objects = ClubQuerySet.as_manager()
    CLUB_PATH = "pk"

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(public_names__in=["nobody", "initials", "short", "full"]), name="club_public_names_known"
            ),
            models.CheckConstraint(
                condition=Q(table_fee__gte=0, refreshments__gte=0), name="club_fees_not_below_nothing"
            ),
            models.CheckConstraint(
                condition=Q(points_rate=None) | Q(points_rate__gt=0), name="club_points_rate_above_nothing"
            ),
            models.CheckConstraint(
                condition=Q(currency__in=["£", "€", "$", "A$", "NZ$", "C$", "HK$", "kr", "CHF"]),
                name="club_currency_known",
            ),
        ]

    def __str__(self):
        return self.name

    @property
    def today(self):
        """The day it is where the club plays."""
        return timezone.now().astimezone(ZoneInfo(self.time_zone)).date()


class Membership(models.Model):
    """A login in a club, with what it may do there, and which of the players it is."""

    class Role(models.TextChoices):
        SECRETARY = "secretary", "Secretary"
        SCOREKEEPER = "scorekeeper", "Scorekeeper"
        MEMBER = "member", "Member"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role)
    player = models.ForeignKey("Player", on_delete=models.SET_NULL, null=True, blank=True, related_name="memberships")

    objects = ClubQuerySet.as_manager()
    CLUB_PATH = "club"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="membership_once_a_club"),
            models.UniqueConstraint(fields=["player"], name="membership_one_login_a_player"),
            models.CheckConstraint(
                condition=Q(role__in=["secretary", "scorekeeper", "member"]), name="membership_role_known"
            ),
        ]

    def __str__(self):
        return f"{self.user} is {self.get_role_display().lower()} of {self.club}"
