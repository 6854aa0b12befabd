"""The queryset every model of a club shares: nothing is ever read but through its club."""

from django.db import models


class ClubQuerySet(models.QuerySet):
    def of_club(self, club):
        """Keep the rows that belong to this club."""
        return self.filter(**{self.model.CLUB_PATH: club})
