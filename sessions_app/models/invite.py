"""A link by which somebody comes into a club in a role, once or many times, until it runs out or is taken back."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from .club import Club, Membership
from .keys import unguessable_key
from .queryset import ClubQuerySet


class InviteQuerySet(ClubQuerySet):
    def standing(self):
        """Keep those by which somebody may still come in."""
        once_used = Q(once=True, used__gt=0)
        return self.filter(revoked_at=None, expires_at__gt=timezone.now()).exclude(once_used)


class Invite(models.Model):
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="invites")
    token = models.CharField(max_length=40, unique=True, default=unguessable_key)
    role = models.CharField(max_length=12, choices=Membership.Role)
    # Whose it is: the login that comes in by it plays as this player.
    player = models.ForeignKey("Player", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    once = models.BooleanField(default=True)
    used = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = InviteQuerySet.as_manager()
    CLUB_PATH = "club"

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(role__in=["secretary", "scorekeeper", "member"]), name="invite_role_known"
            ),
            models.CheckConstraint(condition=Q(player=None) | Q(once=True), name="invite_of_a_player_is_for_one"),
        ]

    def __str__(self):
        return f"invitation as {self.get_role_display().lower()}"

    @property
    def is_standing(self):
        """Whether somebody may still come in by it."""
        return not self.revoked_at and self.expires_at > timezone.now() and not (self.once and self.used)
