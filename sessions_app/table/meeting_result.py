"""The result of a meeting: each player's total over its rounds, the best hands and the special hands."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import F

from clubscore.table.drawn_hands import Group, tile_groups
from sessions_app.models import Club, Meeting, Player, PlayerHand, Recording, Session, Tally
from sessions_app.people.players import sum_of_known
from sessions_app.rules.club_rules import special_hands_of

Naming = Callable[[Collection[Player]], dict[int, Any]]


@dataclass(frozen=True)
class NotableHand:
    """A hand worth mentioning: its tiles if they were entered, its player, and the name of a special hand."""

    result: PlayerHand
    groups: tuple[Group, ...]
    name: str = ""
    special: str = ""


@dataclass(frozen=True)
class PlayerSum:
    """What one player won or lost at a meeting; `nets` are by round, None if the player did not play in it.

    `hands`, `won` and `best_hand` are None if unknown.
    """

    position: int
    is_shared: bool
    player: Player
    name: str
    nets: tuple[int | None, ...]
    net: int
    hands: int | None
    won: int | None
    best_hand: int | None

    @property
    def position_shown(self) -> str:
        return f"{self.position}{'=' if self.is_shared else ''}"


@dataclass(frozen=True)
class PlayerSums:
    """The players of the tables with the same way of recording, which can be compared; the highest total first."""

    recording: str
    rows: tuple[PlayerSum, ...]

    @property
    def adds_up(self) -> bool:
        return self.recording == Recording.STRAIGHT

    @property
    def winners(self) -> list[PlayerSum]:
        return [row for row in self.rows if row.position == 1]


@dataclass(frozen=True)
class MeetingResult:
    """The result of a meeting; players without a name are left out. `rounds` are round numbers."""

    meeting: Meeting
    rounds: tuple[int, ...]
    lists: tuple[PlayerSums, ...]
    best: tuple[NotableHand, ...]
    specials: tuple[NotableHand, ...]
    still_playing: bool


def full_names(players: Collection[Player]) -> dict[int, str]:
    return {player.pk: str(player) for player in players}


def meeting_results(club: Club, meetings: Collection[Meeting], names: Naming = full_names) -> dict[int, MeetingResult]:
    """Return the results by meeting id, of the meetings at which a hand was played; four queries.

    A session counts for the meeting where it started. `names` returns the players' names by id; a player whose name is
    None is left out, without changing the positions of the others.
    """
    sessions = Session.objects.of_club(club).filter(meeting__in=meetings, practice=False).with_rounds().in_bulk()
    at_meeting = defaultdict(list)
    for tally in Tally.objects.filter(session__in=sessions).select_related("player").order_by("seat__chair"):
        tally.session = sessions[tally.session_id]
        at_meeting[tally.session.meeting_id].append(tally)
    seats = {tally.seat_id: pk for pk, some in at_meeting.items() for tally in some}
    best, specials = defaultdict(list), defaultdict(list)
    # The best hands of a meeting are found by the tallies, which have the best hand of each seat.
    tops = {pk: max((tally.best_hand or 0 for tally in some), default=0) for pk, some in at_meeting.items()}
    level = [tally.seat_id for pk, some in at_meeting.items() for tally in some if tally.best_hand == tops[pk] > 0]
    for hand in notable_hands(PlayerHand.objects.filter(seat__in=level, total=F("seat__tally__best_hand"))):
        best[seats[hand.result.seat_id]].append(hand)
    for played in special_hands_of(club, hand__session__meeting__in=meetings, won=True):
        specials[played.session.meeting_id].append(NotableHand(played.result, tiles_of(played.result), "", played.name))
    return {
        meeting.pk: _result(meeting, at_meeting[meeting.pk], best[meeting.pk], specials[meeting.pk], names)
        for meeting in meetings
        if any(tally.hands != 0 for tally in at_meeting[meeting.pk])
    }


def _result(meeting, tallies, best, specials, names):
    played = [tally for tally in tallies if tally.hands != 0]
    named = names({tally.player_id: tally.player for tally in played}.values())
    rounds = tuple(range(1, max(tally.session.round for tally in tallies) + 1))
    by_recording = defaultdict(list)
    for tally in played:
        by_recording[tally.session.recording].append(tally)
    lists = (PlayerSums(key, _sums(some, rounds, named)) for key, some in sorted(by_recording.items()))
    return MeetingResult(
        meeting=meeting,
        rounds=rounds,
        lists=tuple(one for one in lists if one.rows),
        best=_under(named, best),
        specials=_under(named, specials),
        still_playing=any(tally.session.is_open for tally in tallies),
    )


def _under(named, hands):
    return tuple(replace(one, name=name) for one in hands if (name := named.get(one.result.seat.player_id)))


def _sums(tallies, rounds, named):
    own = defaultdict(list)
    for tally in tallies:
        own[tally.player_id].append(tally)
    nets = {player: sum(tally.net for tally in some) for player, some in own.items()}
    level = Counter(nets.values())
    rows = [
        PlayerSum(
            position=1 + sum(net > nets[player] for net in nets.values()),
            is_shared=level[nets[player]] > 1,
            player=some[0].player,
            name=named[player],
            nets=tuple(sum_of_known(one.net for one in some if one.session.round == nth) for nth in rounds),
            net=nets[player],
            hands=sum_of_known(tally.hands for tally in some),
            won=sum_of_known(tally.won for tally in some),
            best_hand=max((tally.best_hand for tally in some if tally.best_hand is not None), default=None),
        )
        for player, some in own.items()
        if named[player]
    ]
    return tuple(sorted(rows, key=lambda row: (row.position, row.name.casefold(), row.player.pk)))


def notable_hands(hands: Any) -> list[NotableHand]:
    """Return these PlayerHands with their tiles, in the order in which they were recorded; one query."""
    return [
        NotableHand(row, tiles_of(row))
        for row in hands.select_related("hand__session", "hand__entry", "seat__player").order_by("pk")
    ]


def tiles_of(result: PlayerHand) -> tuple[Group, ...]:
    """Return the tiles of a player's hand in groups, none if they were not entered."""
    form = result.hand.entry.body["hands"].get(str(result.seat.chair)) or {}
    return tile_groups(form) if form.get("sets") or form.get("tiles") else ()
