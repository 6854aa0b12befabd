"""What a meeting costs each of those who came, and who has paid: a list of its own, apart from the points."""

from dataclasses import dataclass
from decimal import Decimal

from sessions_app.models import Attendance, MeetingFee, Player, Seat


@dataclass(frozen=True)
class Owed:
    """What one person owes; until it is noted, the club's usual amounts."""

    is_noted: bool

    player: Player
    table_fee: Decimal
    refreshments: Decimal
    paid: bool

    @property
    def amount(self):
        return self.table_fee + self.refreshments


@dataclass(frozen=True)
class FeeList:
    people: tuple[Owed, ...]

    @property
    def table_fees(self):
        return sum((one.table_fee for one in self.people), Decimal(0))

    @property
    def refreshments(self):
        return sum((one.refreshments for one in self.people), Decimal(0))

    @property
    def total(self):
        return self.table_fees + self.refreshments

    @property
    def paid(self):
        return sum((one.amount for one in self.people if one.paid), Decimal(0))

    @property
    def outstanding(self):
        return self.total - self.paid


def fee_list(meeting):
    """Return the FeeList of a meeting: who came, who played, and whoever a fee was noted for; four queries."""
    noted = {row.player_id: row for row in MeetingFee.objects.filter(meeting=meeting)}
    came = set(Attendance.objects.filter(meeting=meeting, late=False).values_list("player_id", flat=True))
    played = set(Seat.objects.filter(session__meeting=meeting, session__void=False).values_list("player_id", flat=True))
    players = Player.objects.of_club(meeting.club_id).filter(pk__in=came | played | set(noted))
    usual = MeetingFee(table_fee=meeting.club.table_fee, refreshments=meeting.club.refreshments)
    rows = [(player, noted.get(player.pk, usual)) for player in players.order_by("full_name", "pk")]
    return FeeList(
        tuple(Owed(player.pk in noted, player, row.table_fee, row.refreshments, row.paid) for player, row in rows)
    )
