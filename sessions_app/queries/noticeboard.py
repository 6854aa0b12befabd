"""What hangs on the noticeboard after a meeting, and what the annual meeting is told of a season."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta

from sessions_app.models import Meeting, PlayerHand, Season, Session, Tally
from sessions_app.queries.drawn_hands import Group, tile_groups
from sessions_app.queries.honours import Honour, honours
from sessions_app.queries.league import League, league
from sessions_app.queries.meetings import upcoming
from sessions_app.queries.records import Record, records
from sessions_app.queries.trophies import trophies_of

NEXT = 3
MOVERS = 3


@dataclass(frozen=True)
class BestHand:
    """The highest hand of a day, its tiles where they were entered."""

    result: PlayerHand
    groups: tuple[Group, ...]


@dataclass(frozen=True)
class Noticeboard:
    """One season's board; `best` and `specials` are of its last day of play."""

    season: Season
    league: League
    movers: list
    best: BestHand | None
    specials: list[Honour]
    next_meetings: list[Meeting]


def noticeboard(season, today):
    """Return what the noticeboard shows of a season, in a fixed number of queries."""
    found = league(season)
    day = found.last_day
    up = sorted((row for row in found.rows if row.moved and row.moved > 0), key=lambda row: -row.moved)
    return Noticeboard(
        season=season,
        league=found,
        movers=up[:MOVERS],
        best=best_hand_of(season, day) if day else None,
        specials=[one for one in honours(season.club, season) if one.played.session.date == day],
        next_meetings=upcoming(season.club, _after(day, today), NEXT),
    )


def _after(last_day, today):
    """Return the day from which a meeting is still to come: today's is over once it has been played."""
    return max(today, last_day + timedelta(days=1)) if last_day else today


def best_hand_of(season, day):
    """Return the BestHand of a day of a season; None where its sessions were brought along as totals."""
    # The day's few seats first: asked in one, PostgreSQL may read every hand there is for the highest.
    seats = list(Tally.objects.filter(season=season, session__date=day).values_list("seat_id", flat=True))
    hands = PlayerHand.objects.filter(seat__in=seats, total__gt=0)
    best = hands.select_related("hand__session", "hand__entry", "seat__player").order_by("-total", "pk").first()
    if best is None:
        return None
    form = best.hand.entry.body["hands"].get(str(best.seat.chair)) or {}
    return BestHand(best, tile_groups(form) if form.get("sets") or form.get("tiles") else ())


@dataclass(frozen=True)
class Came:
    """How often somebody came, of the days on which the season was played."""

    name: str
    is_guest: bool
    days: int
    sessions: int


@dataclass(frozen=True)
class AnnualMeeting:
    """A season from end to end. `days` are the days of play."""

    season: Season
    league: League
    trophies: list
    records: list[Record]
    honours: list[Honour]
    days: list[date]
    sessions: int
    hands: int
    came: list[Came]

    @property
    def people_a_day(self):
        return sum(one.days for one in self.came) / len(self.days) if self.days else 0


def annual_meeting(season):
    """Return what the annual meeting is told of a season: places, trophies, records, who came how often."""
    tallies = Tally.objects.filter(season=season, hands__gt=0).select_related("player", "session")
    days, players = {}, {}
    sessions = Counter()
    for tally in tallies:
        days.setdefault(tally.player_id, set()).add(tally.session.date)
        players[tally.player_id] = tally.player
        sessions[tally.player_id] += 1
    came = [Came(str(player), player.guest, len(days[pk]), sessions[pk]) for pk, player in players.items()]
    played = Session.objects.filter(season=season, tallies__hands__gt=0).distinct()
    hands = PlayerHand.objects.filter(hand__session__season=season, hand__number__gt=0).values("hand").distinct()
    return AnnualMeeting(
        season=season,
        league=league(season),
        trophies=trophies_of(season),
        records=records(season.club, season),
        honours=honours(season.club, season),
        days=sorted(set().union(*days.values())),
        sessions=played.count(),
        hands=hands.count(),
        came=sorted(came, key=lambda one: (-one.days, -one.sessions, one.name)),
    )
