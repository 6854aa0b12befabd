"""The result of a meeting: each player's total over its rounds, the best hands and the special hands."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import F

from clubscore.league.methods import grouped, sum_of_known
from clubscore.play.drawn_hands import Group, tile_groups
from clubscore.scoring.words import listed, signed, whole
from sessions_app.models import Club, Meeting, Player, PlayerHand, Recording, Session, Tally
from sessions_app.people.dates import day_words
from sessions_app.people.players import name_order
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
    def knows_hands(self) -> bool:
        """Whether the hands of any player are known; those of typed totals are not."""
        return any(row.best_hand is not None for row in self.rows)

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
    tallies_at = defaultdict(list)
    for tally in Tally.objects.filter(session__in=sessions).select_related("player").order_by("seat__seat_no"):
        tally.session = sessions[tally.session_id]
        tallies_at[tally.session.meeting_id].append(tally)
    # Only the best hand of a seat, which its tally knows, can be the best of the meeting.
    meeting_of_seat: dict[int, int] = {}
    for meeting_id, tallies in tallies_at.items():
        highest = max((tally.best_hand or 0 for tally in tallies), default=0)
        meeting_of_seat |= {tally.seat_id: meeting_id for tally in tallies if tally.best_hand == highest > 0}
    best, specials = defaultdict(list), defaultdict(list)
    for hand in notable_hands(PlayerHand.objects.filter(seat__in=meeting_of_seat, total=F("seat__tally__best_hand"))):
        best[meeting_of_seat[hand.result.seat_id]].append(hand)
    for played in special_hands_of(club, hand__session__meeting__in=meetings, won=True):
        specials[played.session.meeting_id].append(NotableHand(played.result, tiles_of(played.result), "", played.name))
    return {
        meeting.pk: _result(meeting, tallies_at[meeting.pk], best[meeting.pk], specials[meeting.pk], names)
        for meeting in meetings
        if any(tally.hands != 0 for tally in tallies_at[meeting.pk])
    }


def _result(meeting, tallies, best, specials, names):
    played = [tally for tally in tallies if tally.hands != 0]
    shown = names({tally.player_id: tally.player for tally in played}.values())
    rounds = tuple(range(1, max(tally.session.round for tally in tallies) + 1))
    by_recording = grouped(played, lambda tally: tally.session.recording)
    lists = (PlayerSums(recording, _sums(own, rounds, shown)) for recording, own in sorted(by_recording.items()))
    return MeetingResult(
        meeting=meeting,
        rounds=rounds,
        lists=tuple(sums for sums in lists if sums.rows),
        best=_with_names(best, shown),
        specials=_with_names(specials, shown),
        still_playing=any(tally.session.is_open for tally in tallies),
    )


def _with_names(hands, shown):
    """Return the hands of players with a name."""
    return tuple(replace(hand, name=name) for hand in hands if (name := shown.get(hand.result.seat.player_id)))


def _sums(tallies, rounds, shown):
    by_player = grouped(tallies, lambda tally: tally.player_id)
    nets = {player: sum(tally.net for tally in own) for player, own in by_player.items()}
    players_with = Counter(nets.values())
    rows = [
        PlayerSum(
            position=1 + sum(net > nets[player] for net in nets.values()),
            is_shared=players_with[nets[player]] > 1,
            player=own[0].player,
            name=shown[player],
            nets=tuple(sum_of_known(tally.net for tally in own if tally.session.round == nth) for nth in rounds),
            net=nets[player],
            hands=sum_of_known(tally.hands for tally in own),
            won=sum_of_known(tally.won for tally in own),
            best_hand=max((tally.best_hand for tally in own if tally.best_hand is not None), default=None),
        )
        for player, own in by_player.items()
        if shown[player]
    ]
    return tuple(sorted(rows, key=lambda row: (row.position, name_order(row.name), row.player.pk)))


def notable_hands(hands: Any) -> list[NotableHand]:
    """Return these PlayerHands with their tiles, in the order in which they were recorded; one query."""
    return [
        NotableHand(row, tiles_of(row))
        for row in hands.select_related("hand__session", "hand__entry", "seat__player").order_by("pk")
    ]


def tiles_of(result: PlayerHand) -> tuple[Group, ...]:
    """Return the tiles of a player's hand in groups, none if they were not entered."""
    form = result.hand.entry.body["hands"].get(str(result.seat.seat_no)) or {}
    return tile_groups(form) if form.get("sets") or form.get("tiles") else ()


# The result in words.


def mail_subject(meeting: Meeting) -> str:
    name = f" ({meeting.title})" if meeting.title else ""
    return f"{meeting.club.name}: results of {day_words(meeting.date)}{name}"


def short_text(meeting: Meeting, result: MeetingResult | None, link: str) -> str:
    """Return the result as a message for a chat, short enough for the address that opens an email program."""
    lines = [mail_subject(meeting), ""]
    if result:
        lines += result_news(result)
        for sums in result.lists:
            lines += ["", *(f"{row.position_shown} {row.name} {signed(row.net)}" for row in sums.rows)]
    return "\n".join([*lines, "", link]) + "\n"


def result_news(result: MeetingResult) -> Iterator[str]:
    """Yield the lines about the winners, the best hand and the special hands of a meeting."""
    if not result.still_playing:
        for sums in result.lists:
            names = listed(row.name for row in sums.winners)
            if names:
                yield f"Winner{'' if len(sums.winners) == 1 else 's'}: {names}, {signed(sums.winners[0].net)}"
    for best in result.best:
        yield f"Best hand: {best.name}, {whole(best.result.total)} points"
    for hand in result.specials:
        yield f"{hand.special}: {hand.name}, {whole(hand.result.total)} points"
