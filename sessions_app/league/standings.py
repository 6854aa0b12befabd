"""The league table of a club: sums tallies, never hands; ranking.py ranks them. Who moved, recent form, what if."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Q

from clubscore.scoring import rule_set_name
from clubscore.scoring.words import listed
from sessions_app.league.methods import MEETING, Competitor, Result, result_set_of
from sessions_app.league.ranking import (
    GROUPS,
    Settings,
    Standing,
    given_to,
    people_of,
    positions_of,
    provisional_positions,
    rank,
    ranked_results,
    small_print,
)
from sessions_app.league.season_settings import SEASON_SETTINGS
from sessions_app.models import Club, Recording, Season, Session, Tally

HOW_PLAYED = {
    Recording.SETTLE: "players paid each other",
    Recording.STRAIGHT: "players added up their own scores",
}


@dataclass(frozen=True)
class Counting:
    """What counts: a span with both dates included, the rule sets ranked and the one recording."""

    starts_on: date
    ends_on: date
    rules: tuple[str, ...]
    recording: Any = Recording.SETTLE

    def covers(self, day: date) -> bool:
        return self.starts_on <= day <= self.ends_on

    def counts(self, tally: "Tallied") -> bool:
        is_ranked = tally.rules in self.rules and tally.recording == self.recording
        return is_ranked and self.starts_on <= tally.date <= self.ends_on

    def why_not(self, rules: str, recording: str) -> str:
        """Return why a session of the span does not count, or nothing."""
        if rules not in self.rules:
            return f"played under “{rule_set_name(rules)}” rules, which this table does not count"
        if recording != self.recording:
            return HOW_PLAYED[recording]  # type: ignore[index]
        return ""


@dataclass(frozen=True)
class LeftOut:
    """A session of the span that does not count, and why."""

    session: int
    date: date
    table: int
    reason: str


@dataclass(frozen=True)
class LeagueTable:
    """A league table with everything printed about it."""

    counting: Counting
    settings: Settings
    rows: list[Standing]
    left_out: list[LeftOut]
    small_print: list[str]


class Tallied(NamedTuple):
    """One row read for a league table: the fields of a Result, in its order, then what it is chosen by."""

    session: int
    date: date
    table: int
    player: int
    hands: int | None
    won: int | None
    gained: int
    lost: int
    net: int
    best_hand: int | None
    state: str
    rules: str
    recording: str
    full_name: str
    erased_as: str
    guest: bool
    beginner: bool
    meeting: int

    @property
    def result(self) -> Result:
        return Result(*self[:STATE], self.state == Session.State.OPEN, self.meeting)  # type: ignore[arg-type, call-arg]

    @property
    def name(self) -> str:
        return self.full_name or self.erased_as or f"player {self.player}"


STATE = Tallied._fields.index("state")

TALLY_COLUMNS = (
    "session_id",
    "session__date",
    "session__table",
    "player_id",
    "hands",
    "won",
    "gained",
    "lost",
    "net",
    "best_hand",
    "session__state",
    "session__rules",
    "session__recording",
    "player__full_name",
    "player__erased_as",
    "player__guest",
    "player__beginner",
    "session__meeting_id",
)


def standings(club: Club | int, counting: Counting, settings: Settings, before: Counting | None = None) -> LeagueTable:
    """Rank a club's players over a span, in one query.

    `before` is the span of the season before; its rule sets and recording are those of `counting`, whatever it says.
    """
    before = before and replace(before, rules=counting.rules, recording=counting.recording)
    read = read_results(club, [counting], before)
    rows = rank(read.results, competitors_of(read.tallies), settings, read.before)
    words = [*in_words(counting, settings, before), *unknown_hands_in_words(read.results, settings)]
    return LeagueTable(counting, settings, rows, left_out(read.tallies, counting), words)


def season_standings(season: Season, until: date | None = None, **other_settings: Any) -> LeagueTable:
    """Rank a season with results up to `until`, by its settings or by `other_settings` (method, best_n, …).

    One query, and one more for the methods that look back.
    """
    settings = replace(season_settings(season), **other_settings)
    before = counting_before(season) if settings.row.uses_season_before else None
    return standings(season.club_id, season_counting(season, until), settings, before)


def counting_before(season: Season) -> Counting | None:
    """Return what counts of the club's season before, for the methods that look back.

    Its days are its own; the rule sets and the recording are those of the season that looks back.
    """
    before = Season.objects.of_club(season.club_id).before(season).first()
    own = season_counting(season)
    return before and replace(own, starts_on=before.starts_on, ends_on=before.ends_on)


def season_settings(season: Season) -> Settings:
    """Return how a season ranks, as its secretary has set it."""
    values = {name: getattr(season, name) for name in SEASON_SETTINGS}
    return Settings(**values | {"position_points": tuple(season.position_points)})


def season_counting(season: Season, until: date | None = None) -> Counting:
    """Return what counts in a season, as far as `until` where one is given."""
    ends_on = season.ends_on if until is None else min(until, season.ends_on)
    return Counting(season.starts_on, ends_on, tuple(season.rules), season.recording)


def tallies_of(club: Club | int, spans: Iterable[Counting]) -> list[Tallied]:
    """Return the tallies of these spans, in one query, without practice and without players who played no hand."""
    within = Q()
    for span in spans:
        within |= Q(session__date__range=(span.starts_on, span.ends_on))
    # The club is asked of the session too: its sessions of a span are found by their index, whatever else there is.
    of_span = Tally.objects.of_club(club).filter(within, session__club=club, session__practice=False)
    return list(map(Tallied._make, of_span.played().values_list(*TALLY_COLUMNS)))


class ReadResults(NamedTuple):
    """Every tally of some spans, the results of those that count, and those of the season before if it is asked for."""

    tallies: list[Tallied]
    results: list[Result]
    before: list[Result] | None


def read_results(club: Club | int, countings: list[Counting], before: Counting | None) -> ReadResults:
    """Read what counts in each of these spans, and in the season before; one query."""
    tallies = tallies_of(club, [*countings, before] if before else countings)
    results = [result for counting in countings for result in counted(tallies, counting)]
    return ReadResults(tallies, results, counted(tallies, before) if before else None)


def counted(tallies: Iterable[Tallied], counting: Counting) -> list[Result]:
    """Keep the results that count by these dates, rule sets and way of recording."""
    return [tally.result for tally in tallies if counting.counts(tally)]


def competitors_of(tallies: Iterable[Tallied]) -> list[Competitor]:
    """Return each player of these tallies once."""
    one_of = {tally.player: tally for tally in tallies}
    return [Competitor(player, tally.name, tally.guest, tally.beginner) for player, tally in one_of.items()]


def left_out(tallies: Iterable[Tallied], counting: Counting) -> list[LeftOut]:
    """Return the sessions of the span that do not count, in order of date, then table."""
    sessions = {}
    for tally in tallies:
        if counting.covers(tally.date) and not counting.counts(tally):
            reason = counting.why_not(tally.rules, tally.recording)
            sessions[tally.session] = LeftOut(tally.session, tally.date, tally.table, reason)
    return sorted(sessions.values(), key=lambda row: (row.date, row.table, row.session))


def in_words(counting: Counting, settings: Settings, before: Counting | None) -> list[str]:
    """Return the small print of a table: what is counted, the season before if it matters, then the ranking."""
    counts = f"This table counts {counting_in_words(counting)}."
    return [counts, *before_in_words(settings, before), *small_print(settings)]


def counting_in_words(counting: Counting) -> str:
    """Say which sessions count, for the small print."""
    # In quotation marks, for one of the names has a comma.
    ruled = listed((f"“{rule_set_name(key)}”" for key in counting.rules), "or") or "no"
    return (
        f"sessions from {span_in_words(counting)}, played under {ruled} rules, where {HOW_PLAYED[counting.recording]}"
    )


def unknown_hands_in_words(results: Iterable[Result], settings: Settings) -> list[str]:
    """Return the sentence about results that a method cannot divide by their hands, where there are any."""
    sessions = {result.session for result in results if result.hands is None}
    if not sessions or not settings.row.divides_by_hands:
        return []
    counted_sessions = f"{len(sessions)} session{'' if len(sessions) == 1 else 's'}"
    return [f"Totals without a number of hands do not count here ({counted_sessions})."]


def before_in_words(settings: Settings, before: Counting | None) -> list[str]:
    """Return the sentence about the season before, where the method looks back."""
    if not settings.row.uses_season_before:
        return []
    return [f"The season before: {span_in_words(before)}." if before else "There is no season before."]


def span_in_words(counting: Counting) -> str:
    """Say from which day to which."""
    return f"{counting.starts_on:%-d %B %Y} to {counting.ends_on:%-d %B %Y}"


# What a club asks of the table: who moved, recent form, what if, several seasons added up.


FORM = 5


@dataclass(frozen=True)
class Row:
    """One row of the table, with what is shown in it besides.

    `moved` is how many positions up (negative: down) since before the last meeting; None if unranked then.
    `form` are the nets of the last sessions, the latest last; `own_position` is that by the season's own settings;
    `given` are the points a hand that a handicap adds; `provisional` is a member's position while nobody is ranked.
    """

    standing: Standing
    moved: int | None
    is_new: bool
    form: tuple[int, ...]
    own_position: int | None
    given: int = 0
    provisional: int | None = None


@dataclass(frozen=True)
class League:
    """A league table; `last_day` is the day of the last counted session, None before the first.

    `groups` are those of GROUPS that have played.
    """

    table: LeagueTable
    rows: list[Row]
    last_day: date | None
    has_movers: bool
    is_what_if: bool
    groups: list[str]

    @property
    def ranked(self) -> list[Any]:
        return [row for row in self.rows if row.standing.position]

    @property
    def below(self) -> list[Row]:
        return sorted(
            (row for row in self.rows if not row.standing.position),
            key=lambda row: (row.provisional is None, row.provisional or 0, row.standing.name),
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

    One query; two more rows of seasons and twice the tallies only for methods that look back.
    """
    settings = replace(season_settings(season), **other_settings)
    own = replace(season_settings(season), group=settings.group)
    counting = season_counting(season, until)
    before = counting_before(season) if own.row.uses_season_before or settings.row.uses_season_before else None
    read = read_results(season.club_id, [counting], before)
    words = [*in_words(counting, settings, before), *unknown_hands_in_words(read.results, settings)]
    return _league(read, settings, own, (counting, left_out(read.tallies, counting), words))


def added_up(seasons: Iterable[Season], settings: Settings) -> League:
    """Return one table over several seasons of a club, each counted as that season counts; one query.

    All of one recording. For the methods that look back, which take one query more, the season before is the one before
    the first of them, counted by the first one's rule sets.
    """
    seasons = sorted(seasons, key=lambda season: season.starts_on)
    countings = [season_counting(season) for season in seasons]
    before = counting_before(seasons[0]) if settings.row.uses_season_before else None
    read = read_results(seasons[0].club_id, countings, before)
    out = [row for counting in countings for row in left_out(read.tallies, counting)]
    named = zip(seasons, countings, strict=True)
    words = [f"From {season.name}, this table counts {counting_in_words(counting)}." for season, counting in named]
    words += [*before_in_words(settings, before), *small_print(settings)]
    words += unknown_hands_in_words(read.results, settings)
    span = Counting(seasons[0].starts_on, seasons[-1].ends_on, (), seasons[0].recording)
    return _league(read, settings, settings, (span, out, words))


def _league(read, settings, own, printed):
    people = people_of(competitors_of(read.tallies))
    counting, out, words = printed
    result_set, before = result_set_of(read.results), None if read.before is None else result_set_of(read.before)
    table = LeagueTable(counting, settings, ranked_results(result_set, people, settings, before), out, words)
    last_day = result_set.results[-1].date if result_set.results else None
    earlier = result_set.earlier_than(last_day)
    then, has_movers = positions_of(earlier, people, settings, before), bool(earlier.results)
    by_own = positions_of(result_set, people, own, before) if own != settings else {}
    counted_by = result_set.counted_by(settings.unit == MEETING)
    form = {player: tuple(result.net for result in own[-FORM:]) for player, own in counted_by.by_player.items()}
    given = given_to(people, settings, before)
    provisional = provisional_positions(result_set, people, settings, before)
    rows = [
        Row(
            standing=row,
            moved=then[row.player] - row.position if row.position and row.player in then else None,
            is_new=bool(has_movers and row.position and row.player not in then),
            form=form[row.player],
            own_position=by_own.get(row.player),
            given=given.get(row.player, 0),
            provisional=provisional.get(row.player),
        )
        for row in table.rows
    ]
    played = {people[player].group for player in result_set.by_player}
    return League(table, rows, last_day, has_movers, own != settings, [group for group in GROUPS if group in played])
