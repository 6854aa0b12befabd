"""The league table of a club: sums tallies, never hands; ranking.py ranks them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Q

from clubscore.scoring import rule_set_name
from clubscore.scoring.words import listed
from sessions_app.league.methods import Competitor, Result
from sessions_app.league.ranking import Settings, Standing, rank, small_print
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
    """A league table with everything printed beside it."""

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

    @property
    def result(self) -> Result:
        return Result(*self[:STATE], self.state == Session.State.OPEN)  # type: ignore[arg-type, call-arg]

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
)


def standings(club: Club | int, counting: Counting, settings: Settings, before: Counting | None = None) -> LeagueTable:
    """Rank a club's players over a span, in one query.

    `before` is the span of the season before; its rule sets and recording are those of `counting`, whatever it says.
    """
    before = before and replace(before, rules=counting.rules, recording=counting.recording)
    tallies = tallies_of(club, [counting, before] if before else [counting])
    results, results_before = counted(tallies, counting), counted(tallies, before) if before else None
    rows = rank(results, competitors_of(tallies), settings, results_before)
    words = [*in_words(counting, settings, before), *unknown_hands_in_words(results, settings)]
    return LeagueTable(counting, settings, rows, left_out(tallies, counting), words)


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
    return Settings(season.method, season.minimum_sessions, season.minimum_hands, season.best_n)


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


def counted(tallies: Iterable[Tallied], counting: Counting) -> list[Result]:
    """Keep the results that count by these dates, rule sets and way of recording."""
    return [tally.result for tally in tallies if counting.counts(tally)]


def competitors_of(tallies: Iterable[Tallied]) -> list[Competitor]:
    """Return each player of these tallies once."""
    one_of = {tally.player: tally for tally in tallies}
    return [Competitor(player, tally.name, tally.guest) for player, tally in one_of.items()]


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
