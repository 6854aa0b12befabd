"""Meetings, attendance, replies, drawn tables, seating requests, fees and subscriptions."""

from datetime import date, time
from functools import partial
from typing import Any, ClassVar

from django.db import models
from django.db.models import Case, F, Q, When
from django.utils import timezone

from sessions_app.people.dates import day_words
from sessions_app.people.models import Club, ClubModel, ClubQuerySet, Player, unguessable_key

# What is said of a meeting besides its date. Its forms, its history and the files go by these names.
MEETING_FACTS = ("name", "starts_at", "place")
PLAYED_ELSEWHERE = "Played elsewhere, "


class MeetingQuerySet(ClubQuerySet["Meeting"]):
    def upcoming(self, club: Club, day: date, number: int = 3) -> list[Any]:
        """Return the next meetings from a day on, in order."""
        return list(self.of_club(club).filter(date__gte=day).order_by("date", "name", "pk")[:number])

    def to_play_at(self, club: Club) -> "MeetingQuerySet":
        """Return the meetings that a table can be part of, in order."""
        # Until version 1.1 each game that was put into a club made such a meeting of its own.
        return self.of_club(club).exclude(name__startswith=PLAYED_ELSEWHERE).order_by("date", "name")

    def league_of(self, club: Club, date: date, name: str = "") -> str:
        """Return the league of the meeting of that date and name: if there is none yet, of the last one like it.

        That is one on the same weekday, best of the same name and held already; else it is the club's first league.
        """
        if not club.leagues:
            return ""
        is_it, is_like = Q(date=date, name=name), Q(date__iso_week_day=date.isoweekday())
        likeness = Case(When(is_it, then=2), When(name=name, then=1), default=0)
        is_held = Case(When(date__lte=club.today, then=1), default=0)
        likest = self.of_club(club).filter(is_it | is_like).order_by(likeness.desc(), is_held.desc(), "-date")
        found = likest.first()
        return found.league if found else club.first_league

    def at(self, club: Club, date: date, name: str) -> "Meeting":
        """Return the club's meeting of that date and name, made if it is missing."""
        league: Any = partial(self.league_of, club, date, name)
        return self.get_or_create(club=club, date=date, name=name, defaults={"league": league})[0]


class Meeting(ClubModel):
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="meetings")
    date = models.DateField()
    name = models.CharField(max_length=80, blank=True, default="")
    starts_at = models.TimeField(null=True, blank=True)
    place = models.CharField(max_length=120, blank=True, default="")
    # One of the club's leagues, "" if it has only one.
    league = models.CharField(max_length=40, blank=True, default="")
    watching_key = models.CharField(max_length=40, unique=True, default=unguessable_key)
    # Six letters, good on the meeting's own date alone.
    joining_code = models.CharField(max_length=6, unique=True, null=True, blank=True)

    # The draw now on the wall: its seed, and what it cost when it was made.
    draw_seed = models.PositiveIntegerField(null=True, blank=True)
    draw_cost = models.PositiveIntegerField(null=True, blank=True)
    # The hall's common clock; a table's extra minutes are its session's.
    clock_ends_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = MeetingQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "date", "name"], name="meeting_once")]

    def __str__(self) -> str:
        return self.name or day_words(self.date)

    @property
    def facts(self) -> dict[str, str]:
        """Return what is said of the meeting besides its date, as text: a time as 14:00, empty where nothing is."""
        values = {name: getattr(self, name) for name in (*MEETING_FACTS, *(["league"] if self.league else []))}
        return {name: f"{value:%H:%M}" if isinstance(value, time) else value or "" for name, value in values.items()}

    @property
    def title(self) -> str:
        """Its league, where the club has several, and its name."""
        return ", ".join(filter(None, (self.league, self.name)))

    @property
    def is_today(self) -> bool:
        """Whether the meeting is today where its club is."""
        return self.date == self.club.today

    @property
    def is_past(self) -> bool:
        return self.date < self.club.today

    @property
    def code_today(self) -> str | None:
        """The join code, as long as it works: on the day of the meeting."""
        return self.joining_code if self.is_today else None

    @property
    def choice(self) -> dict[str, str]:
        """The meeting as start.py needs it, to offer it among others of its day."""
        return {"key": str(self.pk), "date": str(self.date), **self.facts}


class Attendance(ClubModel):
    """A player at a meeting; `late` is expected but not here yet, `left` has gone home."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    meeting = models.ForeignKey(Meeting, on_delete=models.CASCADE, related_name="attendances")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="attendances")
    late = models.BooleanField(default=False)
    left = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["meeting", "player"], name="attendance_once_a_meeting")]

    def __str__(self) -> str:
        return f"player {self.player_id} at meeting {self.meeting_id}"

    @property
    def is_here(self) -> bool:
        return not (self.late or self.left)


class Reply(ClubModel):
    """What a player said before a meeting: coming, or not."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    meeting = models.ForeignKey(Meeting, on_delete=models.CASCADE, related_name="replies")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="replies")
    is_coming = models.BooleanField()

    class Meta:
        verbose_name_plural = "replies"
        constraints = [models.UniqueConstraint(fields=["meeting", "player"], name="reply_once_a_meeting")]

    def __str__(self) -> str:
        return f"player {self.player_id} about meeting {self.meeting_id}"


class WaitingGame(ClubModel):
    """A game brought with a meeting's join code: its file, unread until the club takes it in or discards it."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    meeting = models.ForeignKey(Meeting, on_delete=models.CASCADE, related_name="waiting_games")
    text = models.TextField()
    brought_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"game brought to meeting {self.meeting_id}"


class PairWish(ClubModel):
    """A seating request: two players to be kept apart or together, the lower id first."""

    class Kind(models.TextChoices):
        APART = "apart", "Kept apart"
        TOGETHER = "together", "Kept together"

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="pair_wishes")
    first = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="pair_wish_once"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="pair_wish_lower_first"),
            models.CheckConstraint(condition=Q(kind__in=["apart", "together"]), name="pair_wish_kind_known"),
        ]

    def __str__(self) -> str:
        return f"players {self.first_id} and {self.second_id} {self.kind}"


class DrawnTable(ClubModel):
    """One table of a meeting's draw: its people in seat order, and its session once it has started."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    meeting = models.ForeignKey(Meeting, on_delete=models.CASCADE, related_name="drawn_tables")
    number = models.PositiveSmallIntegerField()
    players = models.JSONField(default=list)
    session = models.OneToOneField(
        "Session", on_delete=models.SET_NULL, null=True, blank=True, related_name="drawn_table"
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            # Once it has begun its number may be drawn again, for the next round of the meeting.
            models.UniqueConstraint(
                fields=["meeting", "number"], condition=Q(session=None), name="drawn_table_number_once"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="drawn_table_counts_from_one"),
        ]

    def __str__(self) -> str:
        return f"table {self.number} of meeting {self.meeting_id}"


# What a player owes for a meeting, where the club keeps such a list: the table and the refreshments.


class PaidHow(models.TextChoices):
    """How something owed was paid, where somebody noted it."""

    CASH = "cash", "in cash"
    BANK = "bank", "to the bank"
    CHEQUE = "cheque", "by cheque"


class MeetingFee(ClubModel):
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    meeting = models.ForeignKey(Meeting, on_delete=models.CASCADE, related_name="fees")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="fees")
    table_fee = models.DecimalField(max_digits=6, decimal_places=2, default=0)
    refreshments = models.DecimalField(max_digits=6, decimal_places=2, default=0)
    paid = models.BooleanField(default=False)
    how = models.CharField(max_length=10, blank=True, default="", choices=PaidHow)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["meeting", "player"], name="meeting_fee_once_a_meeting"),
            models.CheckConstraint(
                condition=Q(table_fee__gte=0, refreshments__gte=0), name="meeting_fee_not_below_nothing"
            ),
        ]

    def __str__(self) -> str:
        return f"fee of player {self.player_id} at meeting {self.meeting_id}"

    @property
    def amount(self) -> Any:
        return self.table_fee + self.refreshments


class Subscription(ClubModel):
    """What a member owes the club for a year."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="subscriptions")
    year = models.PositiveSmallIntegerField()
    amount = models.DecimalField(max_digits=6, decimal_places=2, default=0)
    paid = models.BooleanField(default=False)
    how = models.CharField(max_length=10, blank=True, default="", choices=PaidHow)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "year"], name="subscription_once_a_year"),
            models.CheckConstraint(condition=Q(amount__gte=0), name="subscription_not_below_nothing"),
        ]

    def __str__(self) -> str:
        return f"subscription of player {self.player_id} for {self.year}"
