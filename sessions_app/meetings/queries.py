"""A club's meetings: the page of one with its people and tables, and the lists of upcoming and past ones."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from clubscore.league.methods import grouped
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
from sessions_app.people.players import MEMBERS, name_order
from sessions_app.table.meeting_result import MeetingResult, meeting_results
from sessions_app.table.watching import WatchedTable, rev_of, watched_tables

SEAT_WORDS = ("East", "South", "West", "North", "sits out first")


class TableState(StrEnum):
    """The state of a table at a meeting; templates compare these values."""

    WAITING = "waiting"  # drawn and not started
    PLAYING = "playing"
    PAUSED = "paused"
    FINISHED = "finished"


IN_PLAY = (TableState.PLAYING, TableState.PAUSED)


@dataclass(frozen=True)
class TableOfMeeting:
    """A table of a meeting: drawn and waiting to start, or with its session.

    `people`: pairs of seat and player, only while the table waits. `seated`: ids of the players with a seat now,
    `sat`: of everyone who has had one.
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
        """Whether the table is in play and its rules allow one more player."""
        if self.watched is None or self.state not in IN_PLAY:
            return False
        return len(self.seated) < max(self.watched.session.rule_set.players)


class NameAtMeeting(NamedTuple):
    """A player who came or could come, with the attendance and the number of the table in play, if any.

    `played`: had a seat at a finished meeting or an imported table. `is_coming`: replied that they are coming.
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
    """What the page of a meeting shows. `attendances` are in order of name, `missing` are those who could still come.

    `put_aside`: paused tables of earlier days that can be resumed here.
    """

    meeting: Meeting
    attendances: list[Attendance]
    missing: list[Player]
    tables: list[TableOfMeeting]
    wishes: list[PairWish]
    put_aside: list[Session]

    @cached_property
    def replies(self) -> list[Reply]:
        """The players' replies, in order of name; one query, made only if the page shows them."""
        return list(replies_to([self.meeting]))

    @property
    def coming(self) -> list[Reply]:
        return [reply for reply in self.replies if reply.is_coming]

    @property
    def not_coming(self) -> list[Reply]:
        return [reply for reply in self.replies if not reply.is_coming]

    @property
    def is_finished(self) -> bool:
        """Whether the day is past and every table has finished."""
        finished = bool(self.tables) and all(table.state is TableState.FINISHED for table in self.tables)
        return finished and self.meeting.date < self.meeting.club.today

    @property
    def is_played(self) -> bool:
        """Whether there is a result, and no table is waiting or in play: then the result comes first."""
        return bool(self.finished) and not (self.waiting or self.not_finished)

    @property
    def to_finish(self) -> list[TableOfMeeting]:
        """The tables in play that have a hand, and can be finished together."""
        return [table for table in self.in_play if table.watched and table.watched.last]

    @property
    def here(self) -> list[Attendance]:
        return [attendance for attendance in self.attendances if attendance.is_here]

    @property
    def late(self) -> list[Attendance]:
        return [attendance for attendance in self.attendances if attendance.late]

    @property
    def gone(self) -> list[Attendance]:
        return [attendance for attendance in self.attendances if attendance.left]

    @property
    def names(self) -> list[NameAtMeeting]:
        """Everyone who came or could come, in a fixed order."""
        at_table = {pk: table.number for table in self.in_play for pk in table.seated}
        people = [(attendance.player, attendance) for attendance in self.attendances] + [
            (player, None) for player in self.missing
        ]
        people.sort(key=lambda row: (name_order(row[0]), row[0].pk))
        played = frozenset().union(*(table.sat for table in self.tables if self.is_finished or table.is_imported))
        coming = {reply.player_id for reply in self.coming}
        return [
            NameAtMeeting(player, attendance, at_table.get(player.pk), player.pk in played, player.pk in coming)
            for player, attendance in people
        ]

    @property
    def present(self) -> list[NameAtMeeting]:
        return [name for name in self.names if name.is_here]

    @property
    def guests(self) -> list[NameAtMeeting]:
        return [name for name in self.present if name.player.guest]

    @property
    def unseated(self) -> list[Player]:
        """Players who are here without a seat at a table drawn or in play; empty if there is no such table.

        Players of a finished table count only once tables are drawn again.
        """
        if not (self.waiting or self.in_play):
            return []
        over = {TableState.PAUSED, TableState.FINISHED} if self.waiting else {TableState.PAUSED}
        seated = frozenset().union(*(table.seated for table in self.tables if table.state not in over))
        return [attendance.player for attendance in self.here if attendance.player_id not in seated]

    @property
    def with_room(self) -> list[TableOfMeeting]:
        return [table for table in self.tables if table.has_room]

    @property
    def still_seated(self) -> list[tuple[Player, TableOfMeeting]]:
        """Players who have left but still have a seat at a table in play, each with the table."""
        gone = {attendance.player_id: attendance.player for attendance in self.gone}
        return [(gone[pk], table) for table in self.in_play for pk in sorted(table.seated & gone.keys())]

    @property
    def drawn_and_not_here(self) -> list[tuple[Player, TableOfMeeting]]:
        """Players with a seat at a waiting table who are not here, each with the table."""
        away = {attendance.player_id: attendance.player for attendance in self.attendances if not attendance.is_here}
        away |= {player.pk: player for player in self.missing}
        return [(away[pk], table) for table in self.waiting for pk in sorted(table.seated & away.keys())]

    @property
    def finished(self) -> list[TableOfMeeting]:
        over = [table for table in self.tables if table.state is TableState.FINISHED]
        return sorted(over, key=lambda table: table.round)

    @property
    def open(self) -> list[TableOfMeeting]:
        return [table for table in self.tables if table.state is not TableState.FINISHED]

    @property
    def waiting(self) -> list[TableOfMeeting]:
        return [table for table in self.tables if table.state is TableState.WAITING]

    @property
    def not_finished(self) -> list[TableOfMeeting]:
        return [table for table in self.tables if table.state in IN_PLAY]

    @property
    def in_play(self) -> list[TableOfMeeting]:
        return [table for table in self.tables if table.state is TableState.PLAYING]

    @property
    def free(self) -> int:
        """How many of the players here are not at a table in play."""
        playing = frozenset().union(*(table.seated for table in self.in_play))
        return sum(attendance.player_id not in playing for attendance in self.here)

    @property
    def can_draw(self) -> bool:
        """Whether to offer the draw: not if everyone here is already playing."""
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
    """Return a short text that changes whenever the meeting's page does; two queries.

    Every change adds a line to the club's log, except that a table's time has run out.
    """
    newest = Change.objects.of_club(meeting.club_id).order_by("-pk").values_list("pk", flat=True).first()
    playing = Session.objects.at_meeting(meeting).being_played().select_related("meeting", "goes_on_at").order_by("pk")
    over = meeting.clock_ends_at is not None and meeting.clock_ends_at <= timezone.now()
    return rev_of("", newest, over, [table.pk for table in playing if table.is_time_over])


def meeting_page(meeting: Meeting) -> MeetingPage:
    """Return everything the page of a meeting shows, in a fixed number of queries."""
    club = meeting.club_id
    found = Attendance.objects.filter(meeting=meeting).select_related("player")
    attendances = sorted(found, key=lambda row: (name_order(row.player), row.player_id))
    came = {attendance.player_id for attendance in attendances}
    tables = _tables(meeting)
    sat = frozenset().union(*(table.sat for table in tables))
    # Members who have since left the club can still have played at this meeting.
    offered = Q(left_on=None, to_confirm=False) | Q(pk__in=sat)
    known = Player.objects.of_club(club).filter(offered, merged_into=None).exclude(full_name="")
    paused = Session.objects.of_club(club).filter(state=Session.State.OPEN, paused=True, date__lt=meeting.date)
    put_aside = paused.exclude(goes_on_at=meeting).prefetch_related("seats__player").order_by("-date", "table", "pk")
    return MeetingPage(
        meeting=meeting,
        attendances=attendances,
        missing=[player for player in sorted(known, key=name_order) if player.pk not in came],
        tables=tables,
        wishes=wishes_of(meeting.club),
        put_aside=list(put_aside),
    )


def wishes_of(club: Club) -> list[PairWish]:
    """Return who is seated together or apart, in order of name."""
    wishes = club.pair_wishes.select_related("first", "second")
    return sorted(wishes, key=lambda wish: (name_order(wish.first), wish.pk))


def replies_to(meetings: Any) -> list[Reply]:
    """Return the replies of current players about these meetings, in order of name."""
    replies = Reply.objects.filter(meeting__in=meetings, player__left_on=None, player__merged_into=None)
    found = replies.exclude(player__full_name="").select_related("player")
    return sorted(found, key=lambda reply: (name_order(reply.player), reply.player_id))


@dataclass(frozen=True)
class UpcomingMeeting:
    """An upcoming meeting, how many have replied that they are coming, and the reader's own reply."""

    meeting: Meeting
    coming: int
    own: Reply | None


def upcoming_meetings(club: Club, today: date, number: int, player_id: int | None) -> list[UpcomingMeeting]:
    """Return the next meetings as a player sees them; two queries."""
    meetings = Meeting.objects.upcoming(club, today, number)
    replies = grouped(replies_to(meetings), lambda reply: reply.meeting_id)
    return [
        UpcomingMeeting(
            meeting,
            sum(reply.is_coming for reply in replies.get(meeting.pk, ())),
            next((reply for reply in replies.get(meeting.pk, ()) if reply.player_id == player_id), None),
        )
        for meeting in meetings
    ]


@dataclass(frozen=True)
class PastMeeting:
    """A past meeting, how many people came or played, and its result if a hand was played."""

    meeting: Meeting
    people: int
    result: MeetingResult | None


def past_in(club: Club, today: date, seasons: list[Season], season: Season | None) -> QuerySet[Meeting]:
    """Return a club's past meetings in a season, or without one those in none of the seasons, latest first."""
    past = Meeting.objects.of_club(club).filter(date__lt=today).order_by("-date", "name", "-pk")
    if season:
        return past.filter(season.covers("date", ""))
    for other_season in seasons:
        past = past.exclude(other_season.covers("date", ""))
    return past


def with_results(club: Club, meetings: list[Meeting]) -> list[PastMeeting]:
    """Return past meetings with their people and results, in a fixed number of queries."""
    came = Attendance.objects.filter(meeting__in=meetings, late=False).values_list("meeting", "player")
    sat = Seat.objects.filter(session__meeting__in=meetings, session__void=False)
    people = defaultdict(set)
    for meeting, player in [*came, *sat.values_list("session__meeting", "player")]:
        people[meeting].add(player)
    results = meeting_results(club, meetings)
    return [PastMeeting(meeting, len(people[meeting.pk]), results.get(meeting.pk)) for meeting in meetings]


def _tables(meeting: Meeting) -> list[Any]:
    drawn = list(DrawnTable.objects.filter(meeting=meeting).order_by("number"))
    waiting = [table for table in drawn if table.session_id is None]
    players = Player.objects.of_club(meeting.club_id).in_bulk([pk for table in waiting for pk in table.players])
    played = Session.objects.at_meeting(meeting).filter(void=False)
    sessions = played.with_rounds().select_related("club", "meeting", "goes_on_at").order_by("table", "pk")
    of_session = {table.session_id: table for table in drawn if table.session_id}
    rows = [_waiting(table, players) for table in waiting]
    rows += [_started(watched, of_session.get(watched.session.pk)) for watched in watched_tables(sessions, MEMBERS)]
    return sorted(rows, key=lambda row: (row.state is TableState.FINISHED, row.number, row.watched is None))


def _started(watched: WatchedTable, drawn: DrawnTable | None) -> TableOfMeeting:
    """Return a table with who is there now, or was when it finished (`seated`), and with who `sat` there at all."""
    players = {seat.seat_no: seat.player_id for seat in watched.board.taken_seats}
    at_table = watched.seating.at_table if watched.seating else players
    return TableOfMeeting(
        number=watched.session.table,
        drawn=drawn,
        people=(),
        watched=watched,
        seated=frozenset(players[seat_no] for seat_no in at_table if seat_no in players),
        sat=frozenset(players.values()),
    )


def _waiting(table: DrawnTable, players: dict[Any, Player]) -> TableOfMeeting:
    people = tuple((SEAT_WORDS[at], players[pk]) for at, pk in enumerate(table.players) if pk in players)
    return TableOfMeeting(table.number, table, people, None, frozenset(table.players))
