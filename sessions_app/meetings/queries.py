"""A club's meetings: who came, the tables drawn and how far each has come."""

from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils import timezone

from clubscore.scoring import RULE_SETS
from clubscore.seating_draw.draw import TooFew
from clubscore.seating_draw.table_sizes import tables_in_words, usual_sizes
from sessions_app.models import Attendance, Change, DrawnTable, Meeting, MeetingFee, PairWish, Player, Seat, Session
from sessions_app.people.players import MEMBERS
from sessions_app.table.watching import WatchedTable, rev_of, watched_tables

SEAT_WORDS = ("East", "South", "West", "North", "sits out first")


class TableState(StrEnum):
    """What goes on at a table of a meeting; the templates compare these values."""

    WAITING = "waiting"  # drawn and not started
    PLAYING = "playing"
    PAUSED = "paused"
    FINISHED = "finished"


IN_PLAY = (TableState.PLAYING, TableState.PAUSED)


@dataclass(frozen=True)
class TableOfMeeting:
    """A table of the meeting: drawn and not started, or with its session.

    `people` are pairs of the seat's word and the player, of a table not begun; `seated` are the ids of who has a
    place there now, `sat` of everyone who ever had one.
    """

    number: int
    drawn: DrawnTable | None
    people: tuple[tuple[str, Player], ...]
    watched: WatchedTable | None
    seated: frozenset[int]
    sat: frozenset[int] = frozenset()

    @property
    def state(self) -> TableState:
        if self.watched is None:
            return TableState.WAITING
        session = self.watched.session
        if not session.is_open:
            return TableState.FINISHED
        return TableState.PAUSED if session.paused else TableState.PLAYING

    @property
    def is_imported(self) -> bool:
        return self.watched is not None and self.watched.session.imported

    @property
    def has_room(self) -> bool:
        """Tell whether one more may join in: in play, and not as many as its rules let sit down."""
        if self.state not in IN_PLAY:
            return False
        return len(self.seated) < max(self.watched.session.rule_set.players)


class NameAtMeeting(NamedTuple):
    """A player who came or could come: the attendance or None, and the number of the table played at now.

    `played`: at a meeting that is over, or whose results were imported.
    """

    player: Player
    attendance: Attendance | None
    table: int | None
    played: bool

    @property
    def is_here(self) -> bool:
        """Whether the player is here: at a table, or marked as here, and not marked as gone."""
        if self.played:
            return True
        if self.attendance is None or self.attendance.late:
            return self.table is not None
        return self.attendance.is_here


@dataclass(frozen=True)
class MeetingPage:
    """A meeting as its page shows it; `attendances` in order of name, `missing` are those who could still come.

    `put_aside` are tables of earlier days that may go on here.
    """

    meeting: Meeting
    attendances: list[Attendance]
    missing: list[Player]
    tables: list[TableOfMeeting]
    wishes: list[PairWish]
    put_aside: list[Session]

    @property
    def is_over(self) -> bool:
        """Whether the day is past and every table has finished."""
        finished = bool(self.tables) and all(table.state is TableState.FINISHED for table in self.tables)
        return finished and self.meeting.date < self.meeting.club.today

    @property
    def here(self) -> list[Any]:
        return [one for one in self.attendances if one.is_here]

    @property
    def late(self) -> list[Any]:
        return [one for one in self.attendances if one.late]

    @property
    def gone(self) -> list[Any]:
        return [one for one in self.attendances if one.left]

    @property
    def names(self) -> list[NameAtMeeting]:
        """Everyone who came or could come, in a fixed order."""
        at_table = {pk: table.number for table in self.in_play for pk in table.seated}
        people = [(one.player, one) for one in self.attendances] + [(player, None) for player in self.missing]
        people.sort(key=lambda row: (row[0].full_name.casefold(), row[0].pk))
        played = frozenset().union(*(table.sat for table in self.tables if self.is_over or table.is_imported))
        return [
            NameAtMeeting(player, attendance, at_table.get(player.pk), player.pk in played)
            for player, attendance in people
        ]

    @property
    def present(self) -> list[NameAtMeeting]:
        return [one for one in self.names if one.is_here]

    @property
    def guests(self) -> list[Any]:
        return [one for one in self.present if one.player.guest]

    @property
    def unseated(self) -> list[Any]:
        """Those who are here and have no place at a table drawn or in play, while there is any.

        Who has played to the end lacks none, unless tables are drawn once more.
        """
        if not (self.not_begun or self.in_play):
            return []
        over = {TableState.PAUSED, TableState.FINISHED} if self.not_begun else {TableState.PAUSED}
        seated = frozenset().union(*(table.seated for table in self.tables if table.state not in over))
        return [one.player for one in self.here if one.player_id not in seated]

    @property
    def with_room(self) -> Any:
        return [table for table in self.tables if table.has_room]

    @property
    def still_seated(self) -> list[Any]:
        """Those who have left and still have a place at a table in play, each with the table."""
        gone = {one.player_id: one.player for one in self.gone}
        return [(gone[pk], table) for table in self.in_play for pk in sorted(table.seated & gone.keys())]

    @property
    def drawn_and_not_here(self) -> list[Any]:
        """Those who have a place at a table drawn and not begun, and are not here, each with the table."""
        away = {one.player_id: one.player for one in self.attendances if not one.is_here}
        away |= {player.pk: player for player in self.missing}
        return [(away[pk], table) for table in self.not_begun for pk in sorted(table.seated & away.keys())]

    @property
    def not_begun(self) -> list[Any]:
        return [table for table in self.tables if table.state is TableState.WAITING]

    @property
    def not_finished(self) -> list[TableOfMeeting]:
        return [table for table in self.tables if table.state in IN_PLAY]

    @property
    def in_play(self) -> list[TableOfMeeting]:
        return [table for table in self.tables if table.state is TableState.PLAYING]

    @property
    def free(self) -> int:
        """How many of those here play at no table yet."""
        playing = frozenset().union(*(table.seated for table in self.in_play))
        return sum(one.player_id not in playing for one in self.here)

    @property
    def may_draw(self) -> bool:
        """Whether there is anything to press for: nobody is left to draw where all who are here play."""
        return bool(self.free or not self.in_play)

    @property
    def plan(self) -> str:
        """Return a sentence about the tables that the free players make."""
        rule_set = RULE_SETS[self.meeting.club.rules]
        if self.in_play and not self.here:
            return "Tap anyone else who is here, then draw tables for them."
        try:
            sizes = usual_sizes(self.free, rule_set.players)
        except TooFew as error:
            return error.while_others_play() if self.in_play else str(error)
        over = self.free - sum(sizes)
        left = f", and {over} {'has' if over == 1 else 'have'} no table yet" if over else ""
        free = f"{self.free} people are free" if self.in_play else f"{self.free} people are here"
        return f"{free}: {tables_in_words(sizes)}{left}. People who have met least this season will sit together."


def meeting_rev(meeting: Meeting) -> str:
    """Return the short word by which the page of a meeting knows whether there is news; two queries.

    Every change writes a line of the club's log; that a table's time is over writes none.
    """
    newest = Change.objects.of_club(meeting.club_id).order_by("-pk").values_list("pk", flat=True).first()
    playing = Session.objects.at_meeting(meeting).being_played().select_related("meeting", "goes_on_at").order_by("pk")
    over = meeting.clock_ends_at is not None and meeting.clock_ends_at <= timezone.now()
    return rev_of("", newest, over, [one.pk for one in playing if one.is_time_over])


def meeting_page(meeting: Meeting) -> MeetingPage:
    """Return everything the page of a meeting shows, in a fixed number of queries."""
    club = meeting.club_id
    attendances = list(
        Attendance.objects.filter(meeting=meeting).select_related("player").order_by("player__full_name", "player_id")
    )
    came = {one.player_id for one in attendances}
    tables = _tables(meeting)
    sat = frozenset().union(*(table.sat for table in tables))
    # Members who have left the club since still came to this meeting.
    offered = Q(left_on=None, to_confirm=False) | Q(pk__in=sat)
    known = Player.objects.of_club(club).filter(offered, merged_into=None).exclude(full_name="")
    wishes = PairWish.objects.of_club(club).select_related("first", "second").order_by("first__full_name", "pk")
    return MeetingPage(
        meeting=meeting,
        attendances=attendances,
        missing=[player for player in known.order_by("full_name", "pk") if player.pk not in came],
        tables=tables,
        wishes=list(wishes),
        put_aside=_put_aside(meeting),
    )


def _put_aside(meeting):
    paused = Session.objects.of_club(meeting.club_id).filter(state=Session.State.OPEN, paused=True)
    earlier = paused.filter(date__lt=meeting.date).exclude(goes_on_at=meeting)
    return list(earlier.prefetch_related("seats__player").order_by("-date", "table", "pk"))


def _tables(meeting):
    drawn = list(DrawnTable.objects.filter(meeting=meeting).order_by("number"))
    waiting = [table for table in drawn if table.session_id is None]
    players = Player.objects.of_club(meeting.club_id).in_bulk([pk for table in waiting for pk in table.players])
    played = Session.objects.at_meeting(meeting).filter(void=False)
    sessions = played.select_related("meeting", "goes_on_at").order_by("table", "pk")
    of_session = {table.session_id: table for table in drawn if table.session_id}
    seats = defaultdict(dict)
    at_tables = Seat.objects.filter(session__in=sessions).order_by("pk")
    for session, chair, player in at_tables.values_list("session_id", "chair", "player_id"):
        seats[session][chair] = player
    rows = [_waiting(table, players) for table in waiting]
    rows += [
        TableOfMeeting(
            number=watched.session.table,
            drawn=of_session.get(watched.session.pk),
            people=(),
            watched=watched,
            seated=_seated(watched, seats[watched.session.pk]),
            sat=frozenset(seats[watched.session.pk].values()),
        )
        for watched in watched_tables(sessions, MEMBERS)
    ]
    return sorted(rows, key=lambda row: (row.state is TableState.FINISHED, row.number, row.watched is None))


def _seated(watched, seats):
    """Return the ids of who has a place at a table now, or had one when it finished: whoever has left it has none."""
    at_table = watched.chairs.at_table if watched.chairs else seats
    return frozenset(seats[chair] for chair in at_table if chair in seats)


def _waiting(table, players):
    people = tuple((SEAT_WORDS[at], players[pk]) for at, pk in enumerate(table.players) if pk in players)
    return TableOfMeeting(table.number, table, people, None, frozenset(table.players))


# What a meeting costs each of those who came, and who has paid: a list of its own, apart from the points.


@dataclass(frozen=True)
class Owed:
    """What one person owes; until it is noted, the club's usual amounts."""

    is_noted: bool

    player: Player
    table_fee: Decimal
    refreshments: Decimal
    paid: bool

    @property
    def amount(self) -> Any:
        return self.table_fee + self.refreshments


@dataclass(frozen=True)
class FeeList:
    people: tuple[Owed, ...]

    @property
    def table_fees(self) -> Any:
        return sum((one.table_fee for one in self.people), Decimal(0))

    @property
    def refreshments(self) -> Any:
        return sum((one.refreshments for one in self.people), Decimal(0))

    @property
    def total(self) -> Any:
        return self.table_fees + self.refreshments

    @property
    def paid(self) -> Any:
        return sum((one.amount for one in self.people if one.paid), Decimal(0))

    @property
    def outstanding(self) -> Any:
        return self.total - self.paid


def fee_list(meeting: Meeting) -> Any:
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
