"""One seat's account in one session: derived, and all that standings ever sum."""

from django.db import models
from django.db.models import Q

from .club import Club
from .player import Player
from .queryset import ClubQuerySet
from .season import Season
from .session import Seat, Session


class TallyQuerySet(ClubQuerySet):
    def played(self):
        """Keep those who played; totals imported without their hands (None) were played too."""
        return self.exclude(hands=0)


class Tally(models.Model):
    """`hands` and `won` are None where totals were imported without them: not known, which is not 0.

    At a table with sticks, `owes` has what could not be paid in them: seat number (or "box") -> amount; None: nothing.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="tallies")
    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="tally")
    season = models.ForeignKey(
        Season, on_delete=models.PROTECT, null=True, blank=True, related_name="tallies", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="tallies")
    hands = models.PositiveIntegerField(null=True, blank=True, default=0)
    won = models.PositiveIntegerField(null=True, blank=True, default=0)
    gained = models.IntegerField(default=0)
    lost = models.IntegerField(default=0)
    net = models.IntegerField(default=0)
    balance = models.IntegerField(default=0)
    best_hand = models.IntegerField(null=True, blank=True)
    sticks = models.JSONField(null=True, blank=True)
    owes = models.JSONField(null=True, blank=True)

    objects = TallyQuerySet.as_manager()
    CLUB_PATH = "club"

    class Meta:
        verbose_name_plural = "tallies"
        indexes = [models.Index(fields=["season", "player"], name="tally_by_season_and_player")]
        constraints = [
            models.CheckConstraint(condition=Q(gained__gte=0, lost__lte=0), name="tally_gained_and_lost_signed"),
        ]

    def __str__(self):
        return f"{self.net} in session {self.session_id}"
