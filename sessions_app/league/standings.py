"""The league table of a club: sums tallies, never hands; clubscore/league ranks. Who moved, recent form, what if."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Q

from clubscore.league.methods import Competitor, Result, grouped
from clubscore.league.ranking import GROUPS, Ranking, Settings, Standing, number_of, rank, small_print
from clubscore.scoring import rule_set_name
from clubscore.scoring.words import listed, signed
from sessions_app.league.season_settings import SEASON_SETTINGS
from sessions_app.models import Club, Recording, Season, Session, Tally
from sessions_app.people.dates import day_words
from sessions_app.table.result_models import TallyQuerySet

HOW_PLAYED = {
    Recording.SETTLE: "players paid each other",
    Recording.STRAIGHT: "players added up their own scores",
}


# Where the database has a field of a Result, if it names it otherwise.
COLUMNS = {
    "session": "session_id",
    "date": "session__date",
    "table": "session__table",
    "player": "player_id",
    "still_playing": "is_open",
    "meeting": "session__meeting_id",
    "rules": "session__rules",
    "recording": "session__recording",
    "imported": "session__imported",
    "full_name": "player__full_name",
    "erased_as": "player__erased_as",
    "guest": "player__guest",
    "beginner": "player__beginner",
}


def read_tallies(tallies: "TallyQuerySet") -> list[Result]:
    """Return a result for each of these tallies, without players who played no hand; one query."""
    found = tallies.played().annotate(is_open=Q(session__state=Session.State.OPEN))
    return list(map(Result._make, found.values_list(*(COLUMNS.get(name, name) for name in Result._fields))))


@dataclass(frozen=True)
class Span:
    """Which sessions count: those of these days, both included, with one of the rule sets and this recording.

    Of a club with several leagues, only those of one.
    """

    starts_on: date
    ends_on: date
    rules: tuple[str, ...]
    recording: Any = Recording.SETTLE
    league: str = ""

    def covers(self, day: date) -> bool:
        return self.starts_on <= day <= self.ends_on

    def counts(self, tally: Result) -> bool:
        return self.covers(tally.date) and tally.rules in self.rules and tally.recording == self.recording

    def reason_left_out(self, tally: Result) -> str:
        if tally.rules not in self.rules:
            return f"played under “{rule_set_name(tally.rules)}” rules, which this table does not count"
        return HOW_PLAYED[Recording(tally.recording)]


def season_span(season: Season, until: date | None = None) -> Span:
    """Return which sessions count in a season, up to `until` if it is given."""
    ends_on = season.ends_on if until is None else min(until, season.ends_on)
    return Span(season.starts_on, ends_on, tuple(season.rules), season.recording, season.league)


def span_before(season: Season) -> Span | None:
    """Return the days of its league's season before, with the rule sets and the recording of this one."""
    before = Season.objects.of_club(season.club_id).before(season).first()
    return replace(season_span(season), starts_on=before.starts_on, ends_on=before.ends_on) if before else None


def season_settings(season: Season) -> Settings:
    """Return how a season ranks, as its secretary has set it."""
    values = {name: getattr(season, name) for name in SEASON_SETTINGS}
    return Settings(**values | {"position_points": tuple(season.position_points)})


class ReadResults(NamedTuple):
    """Every tally of a span, the results of those that count, and those of the season before if it was read."""

    tallies: list[Result]
    results: list[Result]
    before: list[Result] | None

    def rank(self, settings: Settings) -> Ranking:
        tallies = {tally.player: tally for tally in self.tallies}
        competitors = (Competitor(key, row.name, row.guest, row.beginner) for key, row in tallies.items())
        return rank(self.results, competitors, settings, self.before)


def read_results(club: Club | int, span: Span, before: Span | None) -> ReadResults:
    """Read what counts in a span and in the season before, except practice; one query."""
    days = Q(session__date__range=(span.starts_on, span.ends_on))
    if before:
        days |= Q(session__date__range=(before.starts_on, before.ends_on))
    # Filtered by the session's club too, so that the index of a club's sessions by date is used.
    if span.league:
        days &= Q(session__meeting__league=span.league)
    tallies = read_tallies(Tally.objects.of_club(club).filter(days, session__club=club, session__practice=False))
    results = [tally for tally in tallies if span.counts(tally)]
    results_before = [tally for tally in tallies if before.counts(tally)] if before else None
    return ReadResults(tallies, results, results_before)


def read_season(season: Season, *settings: Settings, until: date | None = None) -> tuple[ReadResults, Span | None]:
    """Return a season's results and the span of the season before; the latter only if one of the settings uses it."""
    before = span_before(season) if any(chosen.row.uses_season_before for chosen in settings) else None
    return read_results(season.club_id, season_span(season, until), before), before


@dataclass(frozen=True)
class LeftOut:
    """A session of the span that does not count, and why."""

    session: Any
    date: date
    table: int
    reason: str


@dataclass(frozen=True)
class WithoutHands:
    """One player's sessions that are left out, as their number of hands is not known; `net` is their sum."""

    name: str
    sessions: int
    net: int

    def __str__(self) -> str:
        return f"{self.name} ({signed(self.net)})"


def _without_hands(read: ReadResults, settings: Settings) -> dict[Any, WithoutHands]:
    if not settings.row.divides_by_hands:
        return {}
    names: dict[Any, str] = {tally.player: tally.name for tally in read.tallies}
    unknown = grouped((result for result in read.results if result.hands is None), lambda result: result.player)
    found = {
        key: WithoutHands(names[key], len(results), sum(result.net for result in results))
        for key, results in unknown.items()
    }
    return dict(sorted(found.items(), key=lambda row: -row[1].net))


def left_out(tallies: Iterable[Result], span: Span) -> list[LeftOut]:
    """Return the sessions of the span that do not count, in order of date, then table."""
    sessions = {
        tally.session: LeftOut(tally.session, tally.date, tally.table, span.reason_left_out(tally))
        for tally in tallies
        if not span.counts(tally) and span.covers(tally.date)
    }
    return sorted(sessions.values(), key=lambda row: (row.date, row.table, row.session))


@dataclass(frozen=True)
class LeagueTable:
    """A league table with everything printed about it."""

    span: Span
    settings: Settings
    rows: list[Standing]
    left_out: list[LeftOut]
    small_print: list[str]
    # What the method leaves out of each player's results, as the number of hands is not known.
    without_hands: dict[Any, WithoutHands] = field(default_factory=dict)

    @property
    def names_without_hands(self) -> str:
        return listed([str(row) for row in self.without_hands.values()], "and")

    @property
    def still_playing(self) -> str:
        """Say how many players are at a table in play, if any are."""
        number = sum(row.still_playing for row in self.rows)
        if not number:
            return ""
        are, them = ("player is", "Their result counts") if number == 1 else ("players are", "Their results count")
        return f"{number} {are} still playing. {them} up to the last hand."


def standings(club: Club | int, span: Span, settings: Settings, before: Span | None = None) -> LeagueTable:
    """Rank a club's players over a span, in one query; `before` is the span of the season before."""
    read = read_results(club, span, before)
    return _table(read, read.rank(settings), span, before)


def season_standings(season: Season, **other_settings: Any) -> LeagueTable:
    """Rank a season by its settings or by `other_settings` (method, best_n, …).

    One query, and one more for the methods that use the season before.
    """
    settings = replace(season_settings(season), **other_settings)
    read, before = read_season(season, settings)
    return _table(read, read.rank(settings), season_span(season), before)


def _table(read: ReadResults, ranking: Ranking, span: Span, before: Span | None) -> LeagueTable:
    settings = ranking.settings
    words = [f"This league table counts {describe_span(span)}."]
    if settings.row.uses_season_before:
        words.append(f"The season before: {_days(before)}." if before else "There is no season before.")
    words += small_print(settings)
    unknown = len({result.session for result in read.results if result.hands is None})
    if unknown and settings.row.divides_by_hands:
        words.append(f"Totals without a number of hands do not count here ({number_of(unknown, 'table')}).")
    missing = _without_hands(read, settings)
    return LeagueTable(span, settings, ranking.rows, left_out(read.tallies, span), words, missing)


def describe_span(span: Span) -> str:
    """Say which sessions count, for the small print."""
    # In quotation marks, as one of the names has a comma.
    rules = listed((f"“{rule_set_name(key)}”" for key in span.rules), "or") or "no"
    league = f" in the league “{span.league}”" if span.league else ""
    return f"tables played{league} from {_days(span)} under {rules} rules, where {HOW_PLAYED[span.recording]}"


def _days(span: Span) -> str:
    return f"{day_words(span.starts_on)} to {day_words(span.ends_on)}"


# What a club's pages show with the table: who moved, recent form, what if.


FORM = 5


@dataclass(frozen=True)
class League:
    """A league table; `last_day` is the day of the last session that counts, None before the first.

    `groups` are those of GROUPS that have played.
    """

    table: LeagueTable
    rows: list[Standing]
    last_day: date | None
    has_movers: bool
    is_what_if: bool
    groups: list[str]

    @property
    def ranked(self) -> list[Standing]:
        return [row for row in self.rows if row.position]

    @property
    def below(self) -> list[Standing]:
        return sorted(
            (row for row in self.rows if not row.position),
            key=lambda row: (row.provisional is None, row.provisional or 0, row.name),
        )

    @property
    def is_total(self) -> bool:
        """Whether the value is the total already."""
        return self.table.settings.method == "total"

    @property
    def columns(self) -> int:
        return 9 + self.is_what_if - self.is_total

    @property
    def is_provisional(self) -> bool:
        return any(row.provisional for row in self.rows)


def league(season: Season, until: date | None = None, **other_settings: Any) -> League:
    """Return a season's league with results up to `until`, by its settings or others (method, best_n, …).

    One query; two more rows of seasons and twice the tallies only for methods that use the season before.
    """
    settings = replace(season_settings(season), **other_settings)
    own_settings = replace(season_settings(season), group=settings.group)
    read, before = read_season(season, settings, own_settings, until=until)
    ranking = read.rank(settings)
    table = _table(read, ranking, season_span(season, until), before)
    results = ranking.all_results
    last_day = results.results[-1].date if results.results else date.min
    earlier = replace(ranking, all_results=results.earlier_than(last_day))
    has_movers = bool(earlier.all_results.results)
    then = earlier.positions
    new = {row.player for row in table.rows if row.position} - then.keys()
    is_what_if = own_settings != settings
    own_positions = replace(ranking, settings=own_settings).positions if is_what_if else {}
    played = results.by_unit(settings.unit).by_player
    rows = [
        replace(
            row,
            moved=then[row.player] - row.position if row.position and row.player in then else None,
            # Where most were not ranked before, the word would stand in nearly every row.
            is_new=row.player in new and len(new) <= len(then),
            form=tuple(result.net for result in played[row.player][-FORM:]),
            own_position=own_positions.get(row.player),
            given=ranking.handicaps.get(row.player, 0),
            provisional=ranking.provisional_positions.get(row.player),
        )
        for row in table.rows
    ]
    groups = {ranking.people[player].group for player in results.by_player}
    return League(table, rows, last_day, has_movers, is_what_if, [group for group in GROUPS if group in groups])
