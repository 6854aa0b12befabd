"""A club's meetings: who came, the tables drawn and how far each has come."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from clubscore.scoring import RULE_SETS
from clubscore.seating_draw.draw import TooFew
from clubscore.seating_draw.table_sizes import tables_in_words, usual_sizes
from sessions_app.models import (
    Attendance,
    Change,
    Club,
    DrawnTable,
    Meeting,
    PairWish,
    Player,
    Reply,
    Season,
    Seat,
    Session,
)
from sessions_app.people.players import MEMBERS
from sessions_app.table.meeting_result import MeetingResult, meeting_results
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
    def round(self) -> int:
        return self.watched.session.round if self.watched else 0

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

    `played`: at a meeting that has ended, or whose results were imported. `is_coming`: said so before.
    """

    player: Player
    attendance: Attendance | None
    table: int | None
    played: bool
    is_coming: bool

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

    @cached_property
    def replies(self) -> list[Reply]:
        """What players said before the meeting, in order of name; one query, where a page shows it."""
        return list(replies_to([self.meeting]))

    @property
    def coming(self) -> list[Reply]:
        return [one for one in self.replies if one.is_coming]

    @property
    def not_coming(self) -> list[Reply]:
        return [one for one in self.replies if not one.is_coming]

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
        coming = {one.player_id for one in self.coming}
        return [
            NameAtMeeting(player, attendance, at_table.get(player.pk), player.pk in played, player.pk in coming)
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
    def finished(self) -> list[TableOfMeeting]:
        over = [table for table in self.tables if table.state is TableState.FINISHED]
        return sorted(over, key=lambda table: table.round)

    @property
    def open(self) -> list[TableOfMeeting]:
        return [table for table in self.tables if table.state is not TableState.FINISHED]

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

    Every change writes a line of the club's log; that a table's time has run out writes none.
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


def replies_to(meetings: Any) -> QuerySet[Reply]:
    """Return what those who still play in the club said about these meetings, in order of name."""
    replies = Reply.objects.filter(meeting__in=meetings, player__left_on=None, player__merged_into=None)
    return replies.exclude(player__full_name="").select_related("player").order_by("player__full_name", "player_id")


@dataclass(frozen=True)
class UpcomingMeeting:
    """A meeting to come: how many said that they are coming, and what the reader said."""

    meeting: Meeting
    coming: int
    own: Reply | None


def upcoming_meetings(club: Club, today: date, number: int, player_id: int | None) -> list[UpcomingMeeting]:
    """Return the next meetings as a player sees them; two queries."""
    meetings = Meeting.objects.upcoming(club, today, number)
    replies = defaultdict(list)
    for reply in replies_to(meetings):
        replies[reply.meeting_id].append(reply)
    return [
        UpcomingMeeting(
            meeting,
            sum(reply.is_coming for reply in replies[meeting.pk]),
            next((reply for reply in replies[meeting.pk] if reply.player_id == player_id), None),
        )
        for meeting in meetings
    ]


@dataclass(frozen=True)
class PastMeeting:
    """A meeting of the past with how many people came or played, and its result where a hand was played."""

    meeting: Meeting
    people: int
    result: MeetingResult | None


def past_in(club: Club, today: date, seasons: list[Season], season: Season | None) -> QuerySet[Meeting]:
    """Return a club's past meetings in a season, or in none of the seasons, the latest first."""
    past = Meeting.objects.of_club(club).filter(date__lt=today).order_by("-date", "name", "-pk")
    if season:
        return past.filter(date__range=(season.starts_on, season.ends_on))
    for one in seasons:
        past = past.exclude(date__range=(one.starts_on, one.ends_on))
    return past


def with_results(club: Club, meetings: list[Meeting]) -> list[PastMeeting]:
    """Return meetings with their people and results, in a fixed number of queries."""
    came = Attendance.objects.filter(meeting__in=meetings, late=False).values_list("meeting", "player")
    sat = Seat.objects.filter(session__meeting__in=meetings, session__void=False)
    people = defaultdict(set)
    for meeting, player in [*came, *sat.values_list("session__meeting", "player")]:
        people[meeting].add(player)
    results = meeting_results(club, meetings)
    return [PastMeeting(one, len(people[one.pk]), results.get(one.pk)) for one in meetings]


def _put_aside(meeting):
    paused = Session.objects.of_club(meeting.club_id).filter(state=Session.State.OPEN, paused=True)
    earlier = paused.filter(date__lt=meeting.date).exclude(goes_on_at=meeting)
    return list(earlier.prefetch_related("seats__player").order_by("-date", "table", "pk"))


def _tables(meeting):
    drawn = list(DrawnTable.objects.filter(meeting=meeting).order_by("number"))
    waiting = [table for table in drawn if table.session_id is None]
    players = Player.objects.of_club(meeting.club_id).in_bulk([pk for table in waiting for pk in table.players])
    played = Session.objects.at_meeting(meeting).filter(void=False)
    sessions = played.with_rounds().select_related("meeting", "goes_on_at").order_by("table", "pk")
    of_session = {table.session_id: table for table in drawn if table.session_id}
    seats = defaultdict(dict)
    at_tables = Seat.objects.filter(session__in=sessions).order_by("pk")
    for session, seat_no, player in at_tables.values_list("session_id", "chair", "player_id"):
        seats[session][seat_no] = player
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
    """Return the ids of who has a place at a table now, or had one when it finished: those who left it have none."""
    at_table = watched.seating.at_table if watched.seating else seats
    return frozenset(seats[seat_no] for seat_no in at_table if seat_no in seats)


def _waiting(table, players):
    people = tuple((SEAT_WORDS[at], players[pk]) for at, pk in enumerate(table.players) if pk in players)
    return TableOfMeeting(table.number, table, people, None, frozenset(table.players))
