"""Who has a table open just now, and the hand each of them has half entered: forgotten after a day."""

from django.conf import settings
from django.db import models

from .queryset import ClubQuerySet
from .session import Session


class Device(models.Model):
    """A tablet at a table; `token` is what its cookie holds, `name` what the log would call it."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="devices")
    token = models.CharField(max_length=40)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    name = models.CharField(max_length=120, blank=True, default="")
    seen_at = models.DateTimeField()

    objects = ClubQuerySet.as_manager()
    CLUB_PATH = "session__club"

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "token"], name="device_once_a_session")]

    def __str__(self):
        return f"{self.name} at session {self.session_id}"


class Draft(models.Model):
    """A hand half entered, by the key it will have when it is saved; `after` is the last line its tablet knew."""

    device = models.OneToOneField(Device, on_delete=models.CASCADE, related_name="draft")
    key = models.UUIDField()
    after = models.UUIDField(null=True, blank=True)
    body = models.JSONField(default=dict)
    drawn = models.BooleanField(default=False)
    at = models.DateTimeField()

    objects = ClubQuerySet.as_manager()
    CLUB_PATH = "device__session__club"

    def __str__(self):
        return f"draft {self.key}"
