"""One table's hands by one group of players, and the seats everything else hangs on."""

from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone

from clubscore.scoring import RULE_SETS

from .club import Club, rule_set_choices
from .keys import unguessable_key
from .meeting import Meeting
from .player import Player
from .queryset import ClubQuerySet
from .season import Season


class SessionQuerySet(ClubQuerySet):
    def at_meeting(self, meeting):
        """Keep what is played at a meeting: begun there, or put aside on another day and gone on with there."""
        return self.filter(Q(meeting=meeting) | Q(goes_on_at=meeting))

    def being_played(self):
        """Keep the tables in play that nobody has put aside."""
        return self.filter(state=Session.State.OPEN, paused=False)


class Session(models.Model):
    """A table's afternoon. A practice table never counts; one started by mistake is made void: it is practice too."""

    class State(models.TextChoices):
        OPEN = "open", "Open"
        FINISHED = "finished", "Finished"

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="sessions")
    meeting = models.ForeignKey(Meeting, on_delete=models.PROTECT, related_name="sessions")
    season = models.ForeignKey(Season, on_delete=models.PROTECT, null=True, blank=True, related_name="sessions")
    date = models.DateField()
    table = models.PositiveSmallIntegerField()
    rules = models.CharField("rule set", max_length=40, choices=rule_set_choices)
    house_rules = models.JSONField(default=dict, blank=True)
    house_edition = models.PositiveIntegerField(default=0)
    club_hands = models.JSONField(default=list, blank=True)
    recording = models.CharField(max_length=10, choices=Season.Recording, default=Season.Recording.SETTLE)
    edition = models.PositiveIntegerField(default=1)
    starting_balance = models.IntegerField(default=0)
    sticks = models.CharField("tally sticks", max_length=40, blank=True, default="")
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    finished_at = models.DateTimeField(null=True, blank=True)
    imported = models.BooleanField(default=False)
    practice = models.BooleanField(default=False)
    void = models.BooleanField(default=False)
    paused = models.BooleanField(default=False)
    # Put aside, and gone on with on another day; its own date and meeting stay those it began on.
    goes_on_at = models.ForeignKey(
        Meeting, on_delete=models.PROTECT, null=True, blank=True, related_name="going_on", db_index=False
    )
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    scoring_key = models.CharField(max_length=40, unique=True, default=unguessable_key)
    watching_key = models.CharField(max_length=40, unique=True, default=unguessable_key)
    chairs = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=1)

    objects = SessionQuerySet.as_manager()
    CLUB_PATH = "club"

    class Meta:
        indexes = [
            models.Index(fields=["club", "date", "table"], name="session_by_date"),
            models.Index(fields=["season", "id"], name="session_latest_in_season"),
            models.Index(fields=["club", "state", "date"], name="session_by_state"),
            # Of an index that holds every session, most of them without, SQLite would rather read the whole table.
            models.Index(fields=["goes_on_at"], condition=Q(goes_on_at__isnull=False), name="session_going_on"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=["open", "finished"]), name="session_state_known"),
            models.CheckConstraint(condition=Q(recording__in=["settle", "straight"]), name="session_recording_known"),
            models.CheckConstraint(condition=Q(table__gte=1), name="session_table_counts_from_one"),
            models.CheckConstraint(
                condition=Q(practice=False) | Q(season=None), name="session_practice_is_in_no_season"
            ),
            models.CheckConstraint(
                condition=Q(void=False) | Q(practice=True, state="finished"), name="session_void_never_counts"
            ),
        ]

    def __str__(self):
        return f"table {self.table}, {self.date:%-d %B %Y}"

    @property
    def is_open(self):
        return self.state == self.State.OPEN

    @property
    def rule_set(self):
        return RULE_SETS[self.rules]

    def vocabulary(self):
        """The words of this table: its rule set's, with the club's own names of the suits; asks for the club."""
        return self.rule_set.vocabulary(self.club.suit_names)

    @property
    def played_at(self):
        """The meeting at which it is being played now: where it goes on, else where it began."""
        return self.goes_on_at or self.meeting

    @property
    def clock_ends_at(self):
        """When the table's time is over: the hall's clock and its own extra minutes; None where none runs for it."""
        ends_at = self.played_at.clock_ends_at
        return ends_at + timedelta(minutes=self.extra_minutes) if ends_at and self.is_open and not self.paused else None

    @property
    def is_time_over(self):
        return self.clock_ends_at is not None and self.clock_ends_at <= timezone.now()


class Seat(models.Model):
    """A player's place in a session; `chair` is its number, by which ledger lines name it."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="seats")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats")
    chair = models.PositiveSmallIntegerField()
    at_start = models.BooleanField(default=True)

    objects = ClubQuerySet.as_manager()
    CLUB_PATH = "club"

    class Meta:
        ordering = ["chair"]
        constraints = [
            models.UniqueConstraint(fields=["session", "chair"], name="seat_one_a_chair"),
            models.UniqueConstraint(fields=["session", "player"], name="seat_player_once_a_session"),
            models.CheckConstraint(condition=Q(chair__gte=1), name="seat_chair_counts_from_one"),
        ]

    def __str__(self):
        return f"chair {self.chair} of session {self.session_id}"
