"""The ledger of a session: its lines, and the register of every command that reached the door."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.expressions import RawSQL
from django.utils.functional import cached_property

from .queryset import ClubQuerySet
from .session import Session


class EntryQuerySet(ClubQuerySet):
    def standing(self):
        """Keep the lines that count: not taken out."""
        return self.filter(taken_out=False)


class Entry(models.Model):
    """One line; never deleted, only taken out. Positions are sparse, so that a line fits between two others.

    `played_in` are the chairs in which a hand was accepted: its result stands by them while it fits no others.
    """

    class Kind(models.TextChoices):
        HAND = "hand", "Hand"
        ARRIVE = "arrive", "Somebody arrives"
        LEAVE = "leave", "Somebody leaves"
        SEATING = "seating", "Who really sat where"
        FINE = "fine", "Fine"
        NOTE = "note", "Note"

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="entries")
    key = models.UUIDField()
    position = models.BigIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    body = models.JSONField(default=dict)
    played_in = models.JSONField(null=True, blank=True)
    taken_out = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=1)
    device = models.CharField(max_length=80, blank=True, default="")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    objects = EntryQuerySet.as_manager()
    CLUB_PATH = "session__club"

    class Meta:
        ordering = ["position"]
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["session", "key"], name="entry_key_once_a_session"),
            models.UniqueConstraint(fields=["session", "position"], name="entry_one_at_a_position"),
            models.CheckConstraint(
                condition=Q(kind__in=["hand", "arrive", "leave", "seating", "fine", "note"]), name="entry_kind_known"
            ),
        ]

    def __str__(self):
        return f"{self.kind} {self.key}"

    @cached_property
    def key_text(self):
        """The key as JSON holds it; it never changes."""
        return str(self.key)


class CommandQuerySet(ClubQuerySet):
    def waiting(self):
        """Keep those nobody has decided about. SQLite knows the index of these alone in the very words it was made."""
        return self.filter(RawSQL("outcome IN ('contested', 'late')", (), models.BooleanField()))


class Command(models.Model):
    """What reached the door, with its first answer: the same key again is answered from here."""

    class Outcome(models.TextChoices):
        APPLIED = "applied", "Applied"
        CONTESTED = "contested", "Another hand stands there"
        LATE = "late", "Kept for the secretary"
        DROPPED = "dropped", "Not chosen"

    class LateReason(models.TextChoices):
        FINISHED = "finished", "The session was finished"
        LOCKED = "locked", "The season was locked"
        KEY_REPLACED = "key_replaced", "The tablet's code had been replaced"

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="commands")
    key = models.UUIDField()
    kind = models.CharField(max_length=20)
    body = models.JSONField(default=dict)
    device = models.CharField(max_length=80, blank=True, default="")
    after = models.UUIDField(null=True, blank=True)
    seats = models.JSONField(null=True, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome)
    late_reason = models.CharField(max_length=20, choices=LateReason, blank=True, default="")
    answer = models.JSONField(default=dict)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    name = models.CharField(max_length=120, blank=True, default="")
    received_at = models.DateTimeField(auto_now_add=True)

    objects = CommandQuerySet.as_manager()
    CLUB_PATH = "session__club"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "key"], name="command_key_once_a_session"),
            models.CheckConstraint(
                condition=Q(outcome__in=["applied", "contested", "late", "dropped"]), name="command_outcome_known"
            ),
        ]
        indexes = [
            models.Index(
                fields=["session"], condition=Q(outcome__in=["contested", "late"]), name="command_waiting_for_choice"
            )
        ]

    def __str__(self):
        return f"{self.kind} {self.key}: {self.outcome}"


# Put right at the desk: a tablet's Undo passes over them.
PASSED_OVER = {"void", "count_again", "move"}


def commands_to_undo(latest):
    """Yield key and kind of the commands that undos take back, one after the other.

    `latest`: (key, kind, outcome) of a session's commands, the newest first.
    """
    undone = 0
    for key, kind, outcome in latest:
        if outcome != Command.Outcome.APPLIED or kind in PASSED_OVER:
            continue
        if kind in ("undo", "redo"):
            undone += 1 if kind == "undo" else -1
        elif undone:
            undone -= 1
        else:
            yield str(key), kind
