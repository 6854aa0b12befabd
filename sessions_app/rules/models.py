"""Versions of a club's house rules, and its own special hands."""

from collections.abc import Iterable
from datetime import date
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from sessions_app.people.models import Club, ClubModel, ClubQuerySet, rule_set_choices

MAX_CLUB_HANDS = 50  # special hands of a club's own that count on one day


class Recording(models.TextChoices):
    """How a session adds up: the players pay each other, or each adds their own score."""

    SETTLE = "settle", "Players settle up"
    STRAIGHT = "straight", "Each adds up their own score"


class ClubRulesQuerySet(ClubQuerySet["ClubRules"]):
    def newest(self, club: Club, rules: str) -> "ClubRules | None":
        """Return the club's newest version for a rule set; None if it plays the standard rules."""
        return self.of_club(club).filter(rules=rules).order_by("-number").first()

    def in_force(self, club: Club, rules: str, day: date, today: date) -> "ClubRules | None":
        """Return the version that counts on a day; None if the club plays the standard rules."""
        return version_on(self.of_club(club).filter(rules=rules), day, today)


def version_on(versions: "Iterable[ClubRules]", day: date, today: date) -> "ClubRules | None":
    """Return which of a rule set's versions counts on a day; before the first that has begun, that one."""
    begun = sorted((one for one in versions if one.since <= max(day, today)), key=lambda one: (one.since, one.number))
    until = [one for one in begun if one.since <= day]
    return until[-1] if until else begun[0] if begun else None


class ClubRules(ClubModel):
    """One version of a club's house rules for one rule set: the switches that differ. It never changes."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="rules_editions")
    rules = models.CharField("rules", max_length=40, choices=rule_set_choices)
    number = models.PositiveIntegerField()
    house_rules = models.JSONField(default=dict, blank=True)
    note = models.CharField(max_length=200, blank=True, default="")
    # The first day on which it counts; of two of one day the later version.
    since = models.DateField(default=date(2000, 1, 1))
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects: ClassVar = ClubRulesQuerySet.as_manager()

    class Meta:
        ordering = ["rules", "-number"]
        verbose_name_plural = "versions of club rules"
        constraints = [
            models.UniqueConstraint(fields=["club", "rules", "number"], name="club_rules_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="club_rules_number_counts_from_one"),
        ]

    def __str__(self) -> str:
        return f"version {self.number} of {self.rules}"


class ClubHandQuerySet(ClubQuerySet["ClubHand"]):
    def in_force(self, day: date) -> Self:
        """Keep the hands that count in a session of this day."""
        return self.filter(Q(until=None) | Q(until__gte=day), since__lte=day)


class ClubHand(ClubModel):
    """A club's own special hand; `tiles` is one example of it, in codes separated by spaces."""

    class Worth(models.TextChoices):
        LIMIT = "limit", "The limit"
        HALF_LIMIT = "half limit", "Half the limit"
        POINTS = "points", "A number of points"

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="own_hands")
    key = models.CharField(max_length=60)
    name = models.CharField(max_length=60)
    tiles = models.CharField(max_length=80, blank=True, default="")
    text = models.CharField(max_length=300, blank=True, default="")
    worth = models.CharField(max_length=10, choices=Worth, default=Worth.LIMIT)
    points = models.PositiveIntegerField(null=True, blank=True)
    fishing = models.PositiveIntegerField(null=True, blank=True)
    concealed = models.BooleanField(default=True)
    since = models.DateField()
    until = models.DateField(null=True, blank=True)

    objects: ClassVar = ClubHandQuerySet.as_manager()

    class Meta:
        ordering = ["name", "since", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "key"], name="club_hand_key_once_a_club"),
            models.CheckConstraint(
                condition=Q(until=None) | Q(until__gte=F("since")), name="club_hand_ends_after_start"
            ),
            models.CheckConstraint(
                condition=Q(worth="points", points__isnull=False)
                | Q(worth__in=["limit", "half limit"], points__isnull=True),
                name="club_hand_worth_known",
            ),
        ]

    def __str__(self) -> Any:
        return self.name

    @property
    def value(self) -> int | str:
        """What the hand scores, in the score format: points, "limit" or "half limit"."""
        return self.worth if self.points is None else self.points

    def frozen(self) -> dict[str, Any]:
        """Return the copy that a session keeps, for the scorer and for pages."""
        return {
            "key": self.key,
            "name": self.name,
            "value": self.value,
            "fishing": self.fishing,
            "concealed": self.concealed,
            "tiles": self.tiles,
            "text": self.text,
        }
