"""A recorded hand that somebody of the club questions, and what the secretary answers: "Is that right?"."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from .ledger import Entry
from .queryset import ClubQuerySet
from .session import Session


class DoubtQuerySet(ClubQuerySet):
    def open(self):
        """Keep those without an answer."""
        return self.filter(outcome="")

    def unread(self):
        """Keep those that are answered, and whose answer nobody has said to have read."""
        return self.exclude(outcome="").filter(read_at=None)


class Doubt(models.Model):
    """One question and its answer; the versions are those of the hand when it was asked.

    A tablet without a login has a name alone, in which a player stands by the number of the seat.
    """

    class Outcome(models.TextChoices):
        STANDS = "stands", "It stands"
        CORRECTED = "corrected", "It has been put right"

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="doubts")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="doubts")
    text = models.TextField(blank=True)
    entry_version = models.PositiveIntegerField()
    hand_version = models.PositiveIntegerField()
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    name = models.CharField(max_length=120, blank=True, default="")
    asked_at = models.DateTimeField(auto_now_add=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True, default="")
    answer = models.TextField(blank=True, default="")
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    answered_at = models.DateTimeField(null=True, blank=True)
    # When whoever asked said that the answer is read.
    read_at = models.DateTimeField(null=True, blank=True)

    objects = DoubtQuerySet.as_manager()
    CLUB_PATH = "session__club"

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(outcome__in=["", "stands", "corrected"]), name="doubt_outcome_known"),
            models.CheckConstraint(
                condition=Q(outcome="", answered_at=None) | (~Q(outcome="") & Q(answered_at__isnull=False)),
                name="doubt_answered_or_not",
            ),
            models.CheckConstraint(
                condition=Q(read_at=None) | Q(answered_at__isnull=False), name="doubt_read_once_answered"
            ),
        ]
        indexes = [models.Index(fields=["session"], condition=Q(outcome=""), name="doubt_open")]

    def __str__(self):
        return f"doubt {self.pk} of entry {self.entry_id}"
