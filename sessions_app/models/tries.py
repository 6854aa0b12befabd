"""How often something that can be guessed was tried; by a digest of what was tried and from where, never in clear."""

from django.db import models


class Tries(models.Model):
    digest = models.CharField(max_length=64, unique=True)
    count = models.PositiveIntegerField(default=0)
    ends_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name_plural = "tries"

    def __str__(self):
        return f"{self.count} tries until {self.ends_at:%H:%M}"
