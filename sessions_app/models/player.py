"""A person who plays in a club; never deleted, but merged into another or erased.

Erasing empties the names; `erased_as` ("Former player 2") then stands in their place.
"""
from django.db import models
from django.db.models import F, Q

from .club import Club
from .queryset import ClubQuerySet


class PlayerQuerySet(ClubQuerySet):
    def present(self):
        """Keep those who may be chosen for a table: not left, not merged, not erased."""
        return self.filter(left_on=None, merged_into=None).exclude(full_name="")


class Player(models.Model):
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="players")
    full_name = models.CharField(max_length=120, blank=True)
    short_name = models.CharField(max_length=40, blank=True)
    guest = models.BooleanField(default=False)
    erased_as = models.CharField(max_length=60, blank=True, default="")
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
        ]

    def __str__(self):
        return self.full_name or self.erased_as or f"player {self.pk}"

    @property
    def name(self):
        """The name shown at the table: the short one where there is one."""
        return self.short_name or str(self)
