"""One afternoon of a club."""

from django.db import models

from .club import Club
from .keys import unguessable_key
from .queryset import ClubQuerySet


class Meeting(models.Model):
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="meetings")
    date = models.DateField()
    name = models.CharField(max_length=80, blank=True, default="")
    starts_at = models.TimeField(null=True, blank=True)
    place = models.CharField(max_length=120, blank=True, default="")
    watching_key = models.CharField(max_length=40, unique=True, default=unguessable_key)
    # Six letters, good on the meeting's own date alone.
    joining_code = models.CharField(max_length=6, unique=True, null=True, blank=True)

    # The draw now on the wall: its seed, and what it cost when it was made.
    draw_seed = models.PositiveIntegerField(null=True, blank=True)
    draw_cost = models.PositiveIntegerField(null=True, blank=True)
    # The hall's common clock; a table's extra minutes are its session's.
    clock_ends_at = models.DateTimeField(null=True, blank=True)

    objects = ClubQuerySet.as_manager()
    CLUB_PATH = "club"

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "date", "name"], name="meeting_once")]

    def __str__(self):
        return self.name or f"{self.date:%-d %B %Y}"
