"""A span of dates that a club ranks; seasons of one league never overlap."""

from datetime import date
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import F, Q

from sessions_app.people.models import Club, ClubModel, ClubQuerySet
from sessions_app.rules.models import Recording

METHODS_USING_SEASON_BEFORE = ("handicap", "rating")


class SeasonQuerySet(ClubQuerySet["Season"]):
    def before(self, season: "Season") -> Self:
        """Return the seasons of its league that ended before another one began, the latest first."""
        return self.filter(league=season.league, ends_on__lt=season.starts_on).order_by("-ends_on")

    def after(self, season: "Season") -> Self:
        """Return the seasons of its league that began after another one ended, the earliest first."""
        return self.filter(league=season.league, starts_on__gt=season.ends_on).order_by("starts_on")

    def of_day(self, club: int | Club, date: date) -> Self:
        """Return the club's seasons that include a day: one for each of its leagues at most."""
        return self.of_club(club).filter(starts_on__lte=date, ends_on__gte=date)

    def on(self, club: int | Club, date: date, rules: str, recording: str, league: str = "") -> "Season | None":
        """Return the season in which a session of that date, rules, recording and league counts, or None."""
        found = (season for season in self.of_day(club, date) if season.counts(date, rules, recording, league))
        return next(found, None)

    def raise_version(self, *season_ids: Any) -> None:
        """Raise the version of these seasons, so that cached pages are made again; None is ignored."""
        ids = sorted({pk for pk in season_ids if pk is not None})
        if ids:
            self.filter(pk__in=ids).update(version=F("version") + 1)


class Season(ClubModel):
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="seasons")
    # One of the club's leagues, "" if it has only one.
    league = models.CharField(max_length=40, blank=True, default="")
    name = models.CharField(max_length=80)
    starts_on = models.DateField()
    ends_on = models.DateField()
    rules = models.JSONField("rule sets", default=list)
    recording = models.CharField(max_length=10, choices=Recording, default=Recording.SETTLE)
    method = models.CharField(max_length=20, default="average")
    minimum_sessions = models.PositiveSmallIntegerField(default=3)
    minimum_hands = models.PositiveSmallIntegerField(null=True, blank=True)
    best_n = models.PositiveSmallIntegerField(default=8)
    by_meeting = models.BooleanField(default=False)
    position_points = models.JSONField(default=list, blank=True)
    drop_worst = models.PositiveSmallIntegerField(default=0)
    trophies = models.JSONField(default=list, blank=True)
    version = models.PositiveIntegerField(default=1)
    locked = models.BooleanField(default=False)

    objects: ClassVar = SeasonQuerySet.as_manager()

    class Meta:
        ordering = ["-starts_on"]
        constraints = [
            models.UniqueConstraint(fields=["club", "league", "name"], name="season_name_once_a_league"),
            models.CheckConstraint(condition=Q(ends_on__gte=F("starts_on")), name="season_ends_after_it_starts"),
            models.CheckConstraint(condition=Q(recording__in=["settle", "straight"]), name="season_recording_known"),
            models.CheckConstraint(condition=Q(best_n__gte=1), name="season_best_n_at_least_one"),
        ]

    def __str__(self) -> str:
        return f"{self.league}, {self.name}" if self.league else self.name

    @property
    def uses_season_before(self) -> bool:
        return self.method in METHODS_USING_SEASON_BEFORE

    def counts(self, date: date, rules: str, recording: str, league: str = "") -> bool:
        """Return whether a session of that date, rules, recording and league counts in this season."""
        is_there = self.starts_on <= date <= self.ends_on and league == self.league
        return is_there and rules in self.rules and recording == self.recording

    def covers(self, to_date: str, to_meeting: str) -> Q:
        """Return the condition that a row is of this season's days and league; the paths lead to date and meeting."""
        days = Q(**{f"{to_date}__range": (self.starts_on, self.ends_on)})
        return days & Q(**{f"{to_meeting}league": self.league}) if self.league else days


class CupWinner(ClubModel):
    """Who won one of the club's cups in a year; several rows if several share it.

    Names are as they were typed; if a player of that name is renamed, so is the winner.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    cup = models.CharField(max_length=60)
    year = models.CharField(max_length=20)
    winner = models.CharField(max_length=80)

    class Meta:
        ordering = ["cup", "-year", "winner"]
        constraints = [
            models.UniqueConstraint(fields=["club", "cup", "year", "winner"], name="cup_winner_once_a_year"),
        ]

    def __str__(self) -> str:
        return f"{self.cup}, {self.year}"
