"""Who came to a meeting, which tables were drawn, and who wishes to sit together or apart."""

from django.db import models
from django.db.models import F, Q

from .club import Club
from .meeting import Meeting
from .player import Player
from .queryset import ClubQuerySet
from .session import Session


class Attendance(models.Model):
    """A player at a meeting; `late` is expected but not here yet, `left` has gone home."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    meeting = models.ForeignKey(Meeting, on_delete=models.CASCADE, related_name="attendances")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="attendances")
    late = models.BooleanField(default=False)
    left = models.BooleanField(default=False)

    objects = ClubQuerySet.as_manager()
    CLUB_PATH = "club"

    class Meta:
        constraints = [models.UniqueConstraint(fields=["meeting", "player"], name="attendance_once_a_meeting")]

    def __str__(self):
        return f"player {self.player_id} at meeting {self.meeting_id}"

    @property
    def is_here(self):
        return not (self.late or self.left)


class PairWish(models.Model):
    """Two people whom the draw keeps apart or together; the lower id first."""

    class Kind(models.TextChoices):
        APART = "apart", "Kept apart"
        TOGETHER = "together", "Kept together"

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="pair_wishes")
    first = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)

    objects = ClubQuerySet.as_manager()
    CLUB_PATH = "club"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="pair_wish_once"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="pair_wish_lower_first"),
            models.CheckConstraint(condition=Q(kind__in=["apart", "together"]), name="pair_wish_kind_known"),
        ]

    def __str__(self):
        return f"players {self.first_id} and {self.second_id} {self.kind}"


class DrawnTable(models.Model):
    """One table of a meeting's draw: its people in seat order, and its session once it has started."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    meeting = models.ForeignKey(Meeting, on_delete=models.CASCADE, related_name="drawn_tables")
    number = models.PositiveSmallIntegerField()
    players = models.JSONField(default=list)
    session = models.OneToOneField(
        Session, on_delete=models.SET_NULL, null=True, blank=True, related_name="drawn_table"
    )

    objects = ClubQuerySet.as_manager()
    CLUB_PATH = "club"

    class Meta:
        ordering = ["number"]
        constraints = [
            # Once it has begun its number may be drawn again, for the next round of the afternoon.
            models.UniqueConstraint(
                fields=["meeting", "number"], condition=Q(session=None), name="drawn_table_number_once"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="drawn_table_counts_from_one"),
        ]

    def __str__(self):
        return f"table {self.number} of meeting {self.meeting_id}"
