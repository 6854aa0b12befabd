"""What a player owes for a meeting, where the club keeps such a list: the table and the refreshments."""

from django.db import models
from django.db.models import Q

from .club import Club
from .meeting import Meeting
from .player import Player
from .queryset import ClubQuerySet


class MeetingFee(models.Model):
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    meeting = models.ForeignKey(Meeting, on_delete=models.CASCADE, related_name="fees")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="fees")
    table_fee = models.DecimalField(max_digits=6, decimal_places=2, default=0)
    refreshments = models.DecimalField(max_digits=6, decimal_places=2, default=0)
    paid = models.BooleanField(default=False)

    objects = ClubQuerySet.as_manager()
    CLUB_PATH = "club"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["meeting", "player"], name="meeting_fee_once_a_meeting"),
            models.CheckConstraint(
                condition=Q(table_fee__gte=0, refreshments__gte=0), name="meeting_fee_not_below_nothing"
            ),
        ]

    def __str__(self):
        return f"fee of player {self.player_id} at meeting {self.meeting_id}"

    @property
    def amount(self):
        return self.table_fee + self.refreshments
