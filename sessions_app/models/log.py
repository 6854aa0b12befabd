"""The log: who changed what, when and why. Append-only by triggers (database_guards.py); ids, never players' names."""

from django.conf import settings
from django.db import models

from .club import Club
from .queryset import ClubQuerySet
from .session import Session


class Change(models.Model):
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="changes")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, null=True, blank=True, related_name="changes")
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

    objects = ClubQuerySet.as_manager()
    CLUB_PATH = "club"

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["club", "id"], name="change_latest_in_club")]

    def __str__(self):
        return f"{self.action} {self.subject_type} {self.subject_id}"
