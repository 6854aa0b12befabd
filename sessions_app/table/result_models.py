"""What is derived from the ledger: hands, each player's part in them, payments and tallies."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import F, Q

from sessions_app.people.models import Club, ClubModel, ClubQuerySet, Player
from sessions_app.table.models import Entry, Seat, Session

WINDS = ["E", "S", "W", "N"]


class Hand(ClubModel):
    """The result of a hand; one with a `question` keeps the result it had."""

    class Kind(models.TextChoices):
        WON = "won", "Won"
        NO_WINNER = "drawn", "Drawn"
        VOID = "void", "Void"

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="hands")
    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="hand")
    entry_version = models.PositiveIntegerField()
    number = models.IntegerField()
    wind_of_round = models.CharField(max_length=1)
    goulash = models.BooleanField(default=False)
    kind = models.CharField(max_length=5, choices=Kind)
    seating = models.JSONField()
    east_stays = models.BooleanField()
    next_is_goulash = models.BooleanField()
    edition = models.PositiveIntegerField()
    question = models.TextField(blank=True, default="")
    version = models.PositiveIntegerField(default=1)

    CLUB_PATH = "session__club"

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="hand_number_once_a_session"),
            models.CheckConstraint(condition=~Q(number=0), name="hand_number_not_zero"),
            models.CheckConstraint(condition=Q(wind_of_round__in=WINDS), name="hand_wind_of_round_known"),
            models.CheckConstraint(condition=Q(kind__in=["won", "drawn", "void"]), name="hand_kind_known"),
        ]

    def __str__(self) -> str:
        return f"hand {self.number} of session {self.session_id}"


class PlayerHand(ClubModel):
    """One seat in one hand; without a wind when sitting out."""

    hand = models.ForeignKey(Hand, on_delete=models.CASCADE, related_name="player_hands")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="player_hands")
    wind = models.CharField(max_length=1, blank=True, default="")
    points = models.IntegerField(null=True, blank=True)
    doubles = models.IntegerField(null=True, blank=True)
    times = models.IntegerField(null=True, blank=True)
    total = models.IntegerField(default=0)
    limited = models.BooleanField(default=False)
    special = models.CharField(max_length=60, blank=True, default="")
    fishing_for = models.CharField(max_length=60, blank=True, default="")
    won = models.BooleanField(default=False)
    lines = models.JSONField(default=list)
    net = models.IntegerField(default=0)

    CLUB_PATH = "hand__session__club"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hand", "seat"], name="player_hand_once_a_hand"),
            models.UniqueConstraint(fields=["hand", "wind"], condition=~Q(wind=""), name="player_hand_one_a_wind"),
            models.CheckConstraint(condition=Q(wind__in=[*WINDS, ""]), name="player_hand_wind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.wind or 'sitting out'} in hand {self.hand_id}"


class Payment(ClubModel):
    """A payment from one seat to another, or to nobody, in a hand or as a penalty."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="payments")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="payments")
    payer = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="paid")
    payee = models.ForeignKey(Seat, on_delete=models.CASCADE, null=True, blank=True, related_name="received")
    amount = models.IntegerField()
    why = models.CharField(max_length=20)

    CLUB_PATH = "session__club"

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="payment_above_nothing"),
            models.CheckConstraint(condition=Q(payee=None) | ~Q(payee=F("payer")), name="payment_not_to_oneself"),
            models.CheckConstraint(
                condition=Q(why__in=["mah-jong", "difference", "penalty", "fine"]), name="payment_why_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} in entry {self.entry_id}"


class TallyQuerySet(ClubQuerySet["Tally"]):
    def played(self) -> Self:
        """Keep the tallies of players who played; totals imported without hands (None) count as played."""
        return self.exclude(hands=0)


class Tally(ClubModel):
    """One seat's account in one session, from which the league tables are summed.

    `hands` and `won` are None if totals were imported without them. `owes` is what could not be paid in tally sticks:
    {seat number or "box": amount}, or None.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="tallies")
    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="tally")
    season = models.ForeignKey(
        "Season", on_delete=models.PROTECT, null=True, blank=True, related_name="tallies", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="tallies")
    hands = models.PositiveIntegerField(null=True, blank=True, default=0)
    won = models.PositiveIntegerField(null=True, blank=True, default=0)
    gained = models.IntegerField(default=0)
    lost = models.IntegerField(default=0)
    net = models.IntegerField(default=0)
    balance = models.IntegerField(default=0)
    # May be known for a session without hands; then there is no hand to link to.
    best_hand = models.IntegerField(null=True, blank=True)
    sticks = models.JSONField(null=True, blank=True)
    owes = models.JSONField(null=True, blank=True)

    objects: ClassVar = TallyQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "tallies"
        indexes = [models.Index(fields=["season", "player"], name="tally_by_season_and_player")]
        constraints = [
            models.CheckConstraint(condition=Q(gained__gte=0, lost__lte=0), name="tally_gained_and_lost_signed"),
        ]

    def __str__(self) -> str:
        return f"{self.net} in session {self.session_id}"
