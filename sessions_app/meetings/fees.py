"""What people owe a club for meetings and for a year, and who has paid."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeVar

from django.db.models import Count, F, Min, Q, QuerySet, Sum
from django.template.defaultfilters import pluralize

from clubscore.scoring.words import listed
from sessions_app.models import Attendance, Club, Meeting, MeetingFee, Player, Seat, Subscription
from sessions_app.people.log import Actor, log_change, log_sentences
from sessions_app.people.log_sentences import LoggedChange
from sessions_app.people.players import name_order
from sessions_app.people.transactions import ServiceError, write_transaction

Owed = TypeVar("Owed", MeetingFee, Subscription)
FEE_FACTS, SUBSCRIPTION_FACTS = ("table_fee", "refreshments", "paid"), ("year", "amount", "paid")
HOW_PAID = dict(MeetingFee._meta.get_field("how").choices or ())


def _fees(it: LoggedChange) -> str:
    paid = [fee for fee in it.after.values() if fee and fee.get("paid")]
    hows = list(dict.fromkeys(HOW_PAID.get(fee["how"], "") for fee in paid if fee.get("how")))
    how = f" {listed(hows, 'and')}" if hows else ""
    return f"{len(it.after)} {pluralize(len(it.after), 'person,people')}, {len(paid)} of them paid{how}"


log_sentences(
    {"fees": "noted the fees for {meeting}: {fees}", "subscriptions": "noted subscriptions: {fees}"}, fees=_fees
)


@dataclass(frozen=True)
class AmountList:
    """Fees or subscriptions, one for each person, with their sums. A row that is not saved has the usual amount."""

    people: Sequence[Any]

    @property
    def total(self) -> Decimal:
        return sum((row.amount for row in self.people), Decimal(0))

    @property
    def paid(self) -> Decimal:
        return sum((row.amount for row in self.people if row.paid), Decimal(0))

    @property
    def outstanding(self) -> Decimal:
        return self.total - self.paid


class FeeList(AmountList):
    @property
    def table_fees(self) -> Decimal:
        return sum((row.table_fee for row in self.people), Decimal(0))

    @property
    def refreshments(self) -> Decimal:
        return sum((row.refreshments for row in self.people), Decimal(0))


def fee_list(meeting: Meeting) -> FeeList:
    """Return the fees of everyone who came, played or has a fee saved, by name; four queries."""
    saved = {row.player_id: row for row in MeetingFee.objects.filter(meeting=meeting).select_related("player")}
    came = set(Attendance.objects.filter(meeting=meeting, late=False).values_list("player_id", flat=True))
    played = set(Seat.objects.filter(session__meeting=meeting, session__void=False).values_list("player_id", flat=True))
    players = sorted(Player.objects.of_club(meeting.club_id).filter(pk__in=came | played | set(saved)), key=name_order)
    usual = {"table_fee": meeting.club.table_fee, "refreshments": meeting.club.refreshments}
    return FeeList([saved.get(player.pk) or MeetingFee(player=player, **usual) for player in players])


def subscription_list(club: Club, year: int) -> AmountList:
    """Return the subscription of every member for a year, by name; two queries."""
    saved = list(subscriptions_of(club).filter(year=year))
    members = Player.objects.of_club(club).present().filter(guest=False, to_confirm=False)
    others = members.exclude(pk__in=[row.player_id for row in saved])
    usual = [Subscription(club=club, player=player, year=year, amount=club.subscription) for player in others]
    return AmountList(sorted(saved + usual, key=lambda row: (name_order(row.player), row.player_id)))


def subscriptions_of(club: Club) -> QuerySet[Subscription]:
    """Return the saved subscriptions with their players and the club, by year and player."""
    return Subscription.objects.of_club(club).select_related("player", "club").order_by("year", "player_id")


def subscriptions_not_saved(club: Club) -> list[Subscription]:
    """Return what members owe for this year that is not saved yet: the club's usual amount; two queries."""
    rows = subscription_list(club, club.year).people if club.subscription else []
    return [row for row in rows if row.pk is None]


@dataclass(frozen=True)
class StillOwing:
    """One person with the fees and the subscriptions that they have not paid, the oldest first."""

    player: Player
    fees: tuple[MeetingFee, ...]
    subscriptions: tuple[Subscription, ...] = ()

    @property
    def amount(self) -> Decimal:
        return sum((fee.amount for fee in self.fees), sum((row.amount for row in self.subscriptions), Decimal(0)))


def still_owing(
    club: Club,
    before: Meeting | None = None,
    subscriptions: Iterable[Subscription] = (),
    usual: Iterable[MeetingFee] = (),
) -> list[StillOwing]:
    """Return who owes fees that were noted, by name; with `before` those of earlier meetings alone. One query.

    Those of `subscriptions` that are not paid are owed too, and the `usual` fees of meetings without any noted. Nobody
    asks the erased.
    """
    unpaid = MeetingFee.objects.of_club(club).filter(paid=False, player__erased_as="")
    unpaid = unpaid.exclude(table_fee=0, refreshments=0)
    if before:
        unpaid = unpaid.filter(meeting__date__lt=before.date)
    owed, owed_for_years = defaultdict(list), defaultdict(list)
    noted = list(unpaid.select_related("player", "meeting").order_by("meeting__date", "meeting_id"))
    for fee in sorted([*noted, *usual], key=lambda fee: (fee.meeting.date, fee.meeting_id)):
        owed[fee.player].append(fee)
    for subscription in subscriptions:
        if subscription.amount and not subscription.paid and not subscription.player.erased_as:
            owed_for_years[subscription.player].append(subscription)
    players = sorted({**owed, **owed_for_years}, key=lambda player: (name_order(player), player.pk))
    return [StillOwing(player, tuple(owed[player]), tuple(owed_for_years[player])) for player in players]


def usual_fees(club: Club, meetings: Sequence[Meeting]) -> list[MeetingFee]:
    """Return the usual fee of everyone who came to these meetings or played there, not saved; three queries."""
    if not (club.table_fee or club.refreshments):
        return []
    came = set(Attendance.objects.filter(meeting__in=meetings, late=False).values_list("meeting_id", "player_id"))
    played = Seat.objects.filter(session__meeting__in=meetings, session__void=False, session__practice=False)
    came |= set(played.values_list("session__meeting_id", "player_id"))
    players = Player.objects.of_club(club).in_bulk({player for _, player in came})
    amounts = {"table_fee": club.table_fee, "refreshments": club.refreshments}
    return [
        MeetingFee(club=club, meeting=meeting, player=players[player], **amounts)
        for meeting in meetings
        for player in sorted(player for of, player in came if of == meeting.pk)
    ]


def without_fees(club: Club) -> list[Meeting]:
    """Return the meetings that people came to and for which no fees are noted, the oldest first. One query.

    Meetings before the club kept any are not asked about, unless it has none yet.
    """
    came = Q(attendances__late=False) | Q(sessions__void=False, sessions__practice=False, sessions__imported=False)
    meetings = Meeting.objects.of_club(club).filter(came, fees=None, date__lte=club.today)
    first = MeetingFee.objects.of_club(club).aggregate(first=Min("meeting__date"))["first"]
    if first:
        meetings = meetings.filter(date__gte=first)
    return list(meetings.distinct().order_by("date", "pk"))


def fees_of_year(club: Club, year: int) -> Sequence[Mapping[str, Any]]:
    """Return the meetings of a year that have fees, each with its people, total and what was paid. One query."""
    amount = F("table_fee") + F("refreshments")
    fees = MeetingFee.objects.of_club(club).filter(meeting__date__range=club.days_of_year(year))
    sums = fees.values("meeting", "meeting__date", "meeting__name").annotate(
        people=Count("pk"), total=Sum(amount), paid_sum=Sum(amount, filter=Q(paid=True), default=Decimal(0))
    )
    return list(sums.order_by("meeting__date", "meeting"))


def save_fees(meeting: Meeting, fees: dict[int, tuple[Decimal, Decimal, bool]], *, by: Actor, how: str = "") -> int:
    """Save fees of a meeting: {player id: (table fee, refreshments, paid)}; others stay. Returns how many changed.

    Of those that are paid now, `how` is kept. ServiceError for a player of another club.
    """
    rows = [
        MeetingFee(club_id=meeting.club_id, meeting=meeting, player_id=pk, table_fee=table, refreshments=tea, paid=paid)
        for pk, (table, tea, paid) in fees.items()
    ]
    with write_transaction():
        saved = MeetingFee.objects.filter(meeting=meeting)
        before, after = _save_changed(meeting.club, rows, saved, "meeting", FEE_FACTS, how)
        if after:
            log_change(meeting.club, by, "fees", meeting, before, after)
    return len(after)


def save_subscriptions(
    club: Club, year: int, amounts: dict[int, tuple[Decimal, bool]], *, by: Actor, how: str = ""
) -> int:
    """Save subscriptions of a year: {player id: (amount, paid)}; others stay. Returns how many changed.

    Of those that are paid now, `how` is kept. ServiceError for a player of another club.
    """
    rows = [
        Subscription(club=club, player_id=pk, year=year, amount=amount, paid=paid)
        for pk, (amount, paid) in amounts.items()
    ]
    with write_transaction():
        saved = Subscription.objects.filter(player__in=amounts, year=year)
        before, after = _save_changed(club, rows, saved, "year", SUBSCRIPTION_FACTS, how)
        if after:
            log_change(club, by, "subscriptions", club, before, after)
    return len(after)


def mark_paid(
    fees: Iterable[MeetingFee],
    subscriptions: Iterable[Subscription] = (),
    usual: Iterable[MeetingFee] = (),
    *,
    by: Actor,
    how: str = "",
) -> None:
    """Note fees and subscriptions as paid, and `how`. Of a meeting without any noted, the `usual` are, for everyone."""
    by_meeting: dict[Meeting, dict[int, tuple[Decimal, Decimal, bool]]] = defaultdict(dict)
    by_year: dict[tuple[Club, int], dict[int, tuple[Decimal, bool]]] = defaultdict(dict)
    fees, subscriptions = list(fees), list(subscriptions)
    not_noted = {fee.meeting_id for fee in fees if fee.pk is None}
    for fee in usual:
        if fee.meeting_id in not_noted:
            by_meeting[fee.meeting][fee.player_id] = (fee.table_fee, fee.refreshments, False)
    for fee in fees:
        by_meeting[fee.meeting][fee.player_id] = (fee.table_fee, fee.refreshments, True)
    for row in subscriptions:
        by_year[row.club, row.year][row.player_id] = (row.amount, True)
    with write_transaction():
        for meeting, fees_of_meeting in by_meeting.items():
            save_fees(meeting, fees_of_meeting, by=by, how=how)
        for (club, year), amounts in by_year.items():
            save_subscriptions(club, year, amounts, by=by, how=how)


def paid_in_year(club: Club, year: int) -> list[tuple[Player, Decimal, str]]:
    """Return what each person paid for a year's meetings and subscription, by name, with how. Two queries."""
    found: dict[Player, list[Any]] = defaultdict(list)
    noted = MeetingFee.objects.of_club(club).filter(paid=True, meeting__date__range=club.days_of_year(year))
    fees = noted.exclude(table_fee=0, refreshments=0)
    subscriptions = Subscription.objects.of_club(club).filter(paid=True, year=year).exclude(amount=0)
    rows: list[Any] = [*fees.select_related("player"), *subscriptions.select_related("player")]
    for row in rows:
        found[row.player].append(row)
    paid = []
    for player in sorted(found, key=lambda player: (name_order(player), player.pk)):
        hows = dict.fromkeys(row.get_how_display() for row in found[player] if row.how)
        paid.append((player, sum((row.amount for row in found[player]), Decimal(0)), listed(list(hows), "and")))
    return paid


def _save_changed(
    club: Club,
    rows: list[Owed],
    saved: QuerySet[Owed],
    unique_with: str,
    fields: tuple[str, ...],
    how: str,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Save the rows that differ from the player's saved one; return the log's facts before and after, by player id."""
    if Player.objects.of_club(club).filter(pk__in=[row.player_id for row in rows]).count() != len(rows):
        raise ServiceError("Choose a player from the club’s list.", "players")
    kept = {row.player_id: row for row in saved.select_for_update()}
    for row in rows:
        was = kept.get(row.player_id)
        row.how = "" if not row.paid else was.how if was and was.paid else how
    now = {player: _facts(row, fields) for player, row in kept.items()}
    changed = [row for row in rows if now.get(row.player_id) != _facts(row, fields)]
    saved.model.objects.bulk_create(
        changed, update_conflicts=True, unique_fields=["player", unique_with], update_fields=["club", "how", *fields]
    )
    before = {str(row.player_id): now.get(row.player_id) for row in changed}
    return before, {str(row.player_id): _facts(row, fields) for row in changed}


def _facts(row, fields):
    """Amounts are text in the log, as JSON has no decimals."""
    values = {name: getattr(row, name) for name in fields} | ({"how": row.how} if row.how else {})
    return {name: f"{value:.2f}" if isinstance(value, Decimal) else value for name, value in values.items()}
