"""A person who plays in a club; never deleted, but merged into another or erased. And how to reach them.

Erasing empties the names; `erased_as` ("Former player 2") then stands in their place.
"""

import re

from django.db import models
from django.db.models import F, Q

from .club import Club
from .queryset import ClubQuerySet

# In letters: what every form and every file that is taken in may hold.
LONGEST_NAME, LONGEST_SHORT_NAME = 120, 40
# Characters that turn the direction of the text behind them round: a name with one rewrites the line it stands in.
DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class PlayerQuerySet(ClubQuerySet):
    def present(self):
        """Keep those who may be chosen for a table: not left, not merged, not erased."""
        return self.filter(left_on=None, merged_into=None).exclude(full_name="")


class Player(models.Model):
    class InPublic(models.TextChoices):
        """What somebody has chosen to be called in public; empty: as the club shows its players."""

        INITIALS = "initials", "Initials"
        SHORT = "short", "First name"
        FULL = "full", "Full name"
        OFF = "off", "Not at all: left off every public list"

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="players")
    full_name = models.CharField(max_length=LONGEST_NAME, blank=True)
    short_name = models.CharField(max_length=LONGEST_SHORT_NAME, blank=True)
    guest = models.BooleanField(default=False)
    # Typed on a tablet without a login: chosen for no other table until the club has said that this is somebody.
    to_confirm = models.BooleanField(default=False)
    erased_as = models.CharField(max_length=60, blank=True, default="")
    in_public = models.CharField(max_length=10, choices=InPublic, blank=True, default="")
    left_on = models.DateField(null=True, blank=True)
    merged_into = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged")

    objects = PlayerQuerySet.as_manager()
    CLUB_PATH = "club"

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

    def __str__(self):
        return self.full_name or self.erased_as or f"player {self.pk}"

    @property
    def name(self):
        """The name shown at the table: the short one where there is one."""
        return self.short_name or str(self)


class Contact(models.Model):
    """How to reach a player: for the secretary's eyes alone, and only while the player has agreed to its being kept."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="contact")
    email = models.EmailField(blank=True, default="")
    telephone = models.CharField(max_length=40, blank=True, default="")
    agreed_on = models.DateField()

    objects = ClubQuerySet.as_manager()
    CLUB_PATH = "club"

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(email="", telephone=""), name="contact_says_something"),
        ]

    def __str__(self):
        return f"contact of player {self.player_id}"
