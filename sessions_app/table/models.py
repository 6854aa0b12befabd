"""Sessions, their seats, the ledger of entries, commands, tablets and score queries."""

from datetime import datetime, timedelta
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Case, Count, OuterRef, Q, Subquery, When
from django.utils import timezone
from django.utils.functional import cached_property

from clubscore.play import command_kinds, outcomes
from clubscore.scoring import RULE_SETS, HouseRules, RuleSet, house_rules
from clubscore.scoring.rule_table import compile_table
from sessions_app.people.dates import day_words
from sessions_app.people.models import Club, ClubModel, ClubQuerySet, Player, rule_set_choices, unguessable_key
from sessions_app.rules.models import Recording

MAX_TABLE = 999


class SessionQuerySet(ClubQuerySet["Session"]):
    def at_meeting(self, meeting: models.Model) -> Self:
        """Keep the sessions started at a meeting, or paused on another day and resumed there."""
        return self.filter(Q(meeting=meeting) | Q(goes_on_at=meeting))

    def being_played(self) -> Self:
        """Keep open sessions that are not paused."""
        return self.filter(state=Session.State.OPEN, paused=False)

    def with_rounds(self) -> Self:
        """Annotate each session with its `round`: the nth started at its table of its meeting; 0 for practice."""
        same_table = Session.objects.filter(meeting=OuterRef("meeting"), table=OuterRef("table"), practice=False)
        numbers = (
            same_table.filter(pk__lte=OuterRef("pk"))
            .order_by()
            .values("table")
            .annotate(number=Count("pk"))
            .values("number")
        )
        return self.annotate(round=Case(When(practice=False, then=Subquery(numbers)), default=0))


class Session(ClubModel):
    """One table's play at one meeting. Practice never counts; a session started by mistake is void and practice."""

    class State(models.TextChoices):
        OPEN = "open", "Open"
        FINISHED = "finished", "Finished"

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="sessions")
    meeting = models.ForeignKey("Meeting", on_delete=models.PROTECT, related_name="sessions")
    season = models.ForeignKey("Season", on_delete=models.PROTECT, null=True, blank=True, related_name="sessions")
    date = models.DateField()
    table = models.PositiveSmallIntegerField()
    rules = models.CharField("rules", max_length=40, choices=rule_set_choices)
    house_rules = models.JSONField(default=dict, blank=True)
    house_version = models.PositiveIntegerField(default=0)
    club_hands = models.JSONField(default=list, blank=True)
    recording = models.CharField(max_length=10, choices=Recording, default=Recording.SETTLE)
    edition = models.PositiveIntegerField(default=1)
    starting_balance = models.IntegerField(default=0)
    sticks = models.CharField("tally sticks", max_length=40, blank=True, default="")
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    finished_at = models.DateTimeField(null=True, blank=True)
    imported = models.BooleanField(default=False)
    practice = models.BooleanField(default=False)
    void = models.BooleanField(default=False)
    paused = models.BooleanField(default=False)
    # The later meeting at which a paused session was resumed; its own date and meeting stay the original ones.
    goes_on_at = models.ForeignKey(
        "Meeting", on_delete=models.PROTECT, null=True, blank=True, related_name="going_on", db_index=False
    )
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    scoring_key = models.CharField(max_length=40, unique=True, default=unguessable_key)
    watching_key = models.CharField(max_length=40, unique=True, default=unguessable_key)
    # Chosen by a tablet that starts a session offline, and sends the start again until it is answered.
    tablet_key = models.UUIDField(null=True, blank=True)
    seating = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=1)

    objects: ClassVar = SessionQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["club", "date", "table"], name="session_by_date"),
            models.Index(fields=["season", "id"], name="session_latest_in_season"),
            models.Index(fields=["club", "state", "date"], name="session_by_state"),
            # Most sessions have none: with a full index, SQLite would rather read the whole table.
            models.Index(fields=["goes_on_at"], condition=Q(goes_on_at__isnull=False), name="session_going_on"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "tablet_key"],
                condition=Q(tablet_key__isnull=False),
                name="session_once_a_tablet_key",
            ),
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

    def __str__(self) -> str:
        return f"table {self.table}, {day_words(self.date)}"

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @cached_property
    def round(self) -> int:
        """The session's round, queried if `with_rounds` has not set it."""
        return Session.objects.filter(pk=self.pk).with_rounds().only("pk").get().round

    @property
    def table_words(self) -> str:
        """The table number in words, with the round from the second one on."""
        return f"table {self.table}, round {self.round}" if self.round > 1 else f"table {self.table}"

    @property
    def counts_in_no_season(self) -> bool:
        """Whether a session that should count is in none of the club's seasons; False for a club without any."""
        return bool(self.pk) and not self.practice and self.season_id is None and self.club.seasons.exists()

    @property
    def rule_set(self) -> RuleSet:
        return RULE_SETS[self.rules]

    @property
    def house(self) -> HouseRules:
        return house_rules(self.rules, self.house_rules)

    @property
    def discarder_pays_more(self) -> bool:
        """Whether it matters for the payments who discarded the winning tile."""
        return compile_table(self.house).discarder_pays_more

    def vocabulary(self) -> Any:
        """The vocabulary of its rule set, with the club's own names of the suits; reads the club."""
        return self.rule_set.vocabulary(self.club.suit_names)

    @property
    def played_at(self) -> Any:
        """The meeting at which it is played now: where it was resumed, else where it started."""
        return self.goes_on_at or self.meeting

    @property
    def clock_ends_at(self) -> datetime | None:
        """When the table's time is up: the meeting's clock plus its extra minutes; None if no clock runs for it."""
        ends_at = self.played_at.clock_ends_at
        return ends_at + timedelta(minutes=self.extra_minutes) if ends_at and self.is_open and not self.paused else None

    @property
    def is_time_over(self) -> bool:
        return self.clock_ends_at is not None and self.clock_ends_at <= timezone.now()


class Seat(ClubModel):
    """A player's seat in a session; entries refer to it by its number."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="seats")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats")
    seat_no = models.PositiveSmallIntegerField()
    at_start = models.BooleanField(default=True)

    class Meta:
        ordering = ["seat_no"]
        constraints = [
            models.UniqueConstraint(fields=["session", "seat_no"], name="seat_no_once_a_session"),
            models.UniqueConstraint(fields=["session", "player"], name="seat_player_once_a_session"),
            models.CheckConstraint(condition=Q(seat_no__gte=1), name="seat_no_counts_from_one"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat_no} of session {self.session_id}"


# The ledger of a session: its entries, and every command that was received.


class EntryQuerySet(ClubQuerySet["Entry"]):
    def active(self) -> Self:
        """Keep the entries that have not been removed."""
        return self.filter(removed=False)


class Entry(ClubModel):
    """An entry of the ledger; never deleted, only marked as removed. Positions leave gaps for insertions.

    `played_in` is the seating in which a hand was accepted: its result is kept by it if it fits no other.
    """

    class Kind(models.TextChoices):
        HAND = command_kinds.HAND.key, "Hand"
        ARRIVE = command_kinds.ARRIVE.key, "A player joins"
        LEAVE = command_kinds.LEAVE.key, "A player leaves"
        SEATING = command_kinds.SEATING.key, "Who really sat where"
        PENALTY = command_kinds.PENALTY.key, "Penalty"
        NOTE = command_kinds.NOTE.key, "Note"

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="entries")
    key = models.UUIDField()
    position = models.BigIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    body = models.JSONField(default=dict)
    played_in = models.JSONField(null=True, blank=True)
    removed = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=1)
    device = models.CharField(max_length=80, blank=True, default="")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    objects: ClassVar = EntryQuerySet.as_manager()
    CLUB_PATH = "session__club"

    class Meta:
        ordering = ["position"]
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["session", "key"], name="entry_key_once_a_session"),
            models.UniqueConstraint(fields=["session", "position"], name="entry_one_at_a_position"),
            models.CheckConstraint(condition=Q(kind__in=command_kinds.ENTRY_KINDS), name="entry_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"

    @cached_property
    def key_text(self) -> str:
        """The key as in JSON, cached because it never changes."""
        return str(self.key)


class CommandQuerySet(ClubQuerySet["Command"]):
    def waiting(self) -> Self:
        """Keep the commands that nobody has decided about."""
        return self.filter(outcome__in=outcomes.WAITING)


class Command(ClubModel):
    """A command that was received, with its first answer, which is given again if the same key is sent again."""

    class Outcome(models.TextChoices):
        APPLIED = outcomes.Outcome.APPLIED.value, "Applied"
        CONTESTED = outcomes.Outcome.CONTESTED.value, "Two versions"
        LATE = outcomes.Outcome.LATE.value, "Kept for the secretary"
        DROPPED = outcomes.Outcome.DROPPED.value, "Not chosen"

    class LateReason(models.TextChoices):
        FINISHED = outcomes.Reason.FINISHED.value, "The session was finished"
        LOCKED = outcomes.Reason.LOCKED.value, "The season was locked"
        KEY_REPLACED = outcomes.Reason.KEY_REPLACED.value, "The tablet’s QR code had been replaced"

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="commands")
    key = models.UUIDField()
    kind = models.CharField(max_length=20)
    body = models.JSONField(default=dict)
    device = models.CharField(max_length=80, blank=True, default="")
    after = models.UUIDField(null=True, blank=True)
    seats = models.JSONField(null=True, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome)
    late_reason = models.CharField(max_length=20, choices=LateReason, blank=True, default="")
    answer = models.JSONField(default=dict)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    name = models.CharField(max_length=120, blank=True, default="")
    received_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar = CommandQuerySet.as_manager()
    CLUB_PATH = "session__club"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "key"], name="command_key_once_a_session"),
            models.CheckConstraint(
                condition=Q(outcome__in=["applied", "contested", "late", "dropped"]), name="command_outcome_known"
            ),
        ]
        indexes = [
            models.Index(
                fields=["session"], condition=Q(outcome__in=["contested", "late"]), name="command_waiting_for_choice"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}: {self.outcome}"


class Device(ClubModel):
    """A tablet that has a table open; `token` is in its cookie. Deleted after a day."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="devices")
    token = models.CharField(max_length=40)
    seen_at = models.DateTimeField()

    CLUB_PATH = "session__club"

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "token"], name="device_once_a_session")]

    def __str__(self) -> str:
        return f"tablet at session {self.session_id}"


# Members' questions about recorded hands, and the secretary's answers.


class HandQueryQuerySet(ClubQuerySet["HandQuery"]):
    def open(self) -> Self:
        """Keep the queries without an answer."""
        return self.filter(outcome="")

    def unread(self) -> Self:
        """Keep the queries whose answer has not been marked as read."""
        return self.exclude(outcome="").filter(read_at=None)


class HandQuery(ClubModel):
    """A question and its answer; the versions are those of the hand when the question was asked.

    A tablet without an account has only a `name`, in which a player is given as the number of the seat.
    """

    class Outcome(models.TextChoices):
        STANDS = "stands", "The score is right"
        CORRECTED = "corrected", "The hand has been corrected"

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="queries")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="queries")
    text = models.TextField(blank=True)
    entry_version = models.PositiveIntegerField()
    hand_version = models.PositiveIntegerField()
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    name = models.CharField(max_length=120, blank=True, default="")
    asked_at = models.DateTimeField(auto_now_add=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True, default="")
    answer = models.TextField(blank=True, default="")
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    answered_at = models.DateTimeField(null=True, blank=True)
    # When the person who asked marked the answer as read.
    read_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = HandQueryQuerySet.as_manager()
    CLUB_PATH = "session__club"

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(outcome__in=["", "stands", "corrected"]), name="query_outcome_known"),
            models.CheckConstraint(
                condition=Q(outcome="", answered_at=None) | (~Q(outcome="") & Q(answered_at__isnull=False)),
                name="query_answered_or_not",
            ),
            models.CheckConstraint(
                condition=Q(read_at=None) | Q(answered_at__isnull=False), name="query_read_once_answered"
            ),
        ]
        indexes = [models.Index(fields=["session"], condition=Q(outcome=""), name="query_open")]

    def __str__(self) -> str:
        return f"query {self.pk} of entry {self.entry_id}"
