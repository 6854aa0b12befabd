"""Imports: who brought what, from which file, and how the tables stood before and after, so that it can be undone."""

from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from sessions_app.people.models import Club, ClubModel, ClubQuerySet


class ImportQuerySet(ClubQuerySet["Import"]):
    def standing(self) -> Self:
        """Keep the imports that count: neither taken back, nor replaced by a later one."""
        return self.filter(taken_back_at=None, successor=None)


class Import(ClubModel):
    """One import of tables. Names of people are kept as digests only, and everyone else by id.

    `tables` has a row for each table that it made, corrected or removed: {"session": id, "before": ..., "after": ...},
    as TableTotals.to_json gives them; None where there was no such table. `made` has the ids of what it added, and
    `names` leads from the digest of each name in the file to its player.
    """

    class Kind(models.TextChoices):
        TOTALS = "totals", "Totals"
        MEETING = "meeting", "A meeting"
        GAME = "game", "A game"

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="imports")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    name = models.CharField(max_length=120, blank=True, default="")
    at = models.DateTimeField(auto_now_add=True)
    kind = models.CharField(max_length=10, choices=Kind)
    file_name = models.CharField(max_length=200, blank=True, default="")
    digest = models.CharField(max_length=64, blank=True, default="")
    # The import that this one continues. No two can take the place of the same one.
    in_place_of = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="successor"
    )
    names = models.JSONField(default=dict, blank=True)
    made = models.JSONField(default=dict, blank=True)
    tables = models.JSONField(default=list, blank=True)
    taken_back_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = ImportQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=["totals", "meeting", "game"]), name="import_kind_known"),
            models.CheckConstraint(
                condition=Q(taken_back_at=None) | Q(in_place_of=None), name="import_taken_back_replaces_nothing"
            ),
        ]

    def __str__(self) -> str:
        return self.file_name or f"import {self.pk}"

    @property
    def words(self) -> str:
        """What it is called in a sentence."""
        return self.file_name or {"totals": "pasted totals", "meeting": "a meeting", "game": "a game"}[self.kind]
