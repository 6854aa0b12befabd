"""The league table and what a club asks of it: who moved, recent form, what if, several seasons added up."""
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from sessions_app.models import Season
from sessions_app.queries.books import Result, book_of
from sessions_app.queries.ranking import Settings, Standing, rank, small_print
from sessions_app.queries.standings import (
    Counting,
    Table,
    competitors_of,
    counted,
    counting_before,
    in_words,
    left_out,
    season_counting,
    season_settings,
    tallies_of,
)

FORM = 5


@dataclass(frozen=True)
class Row:
    """One row of the table, with what stands beside it.

    `moved` is how many places up (negative: down) since before the last meeting; None where there was no place then.
    `form` are the nets of the last sessions, the latest last; `own_place` is the place by the season's own settings.
    """

    standing: Standing
    moved: int | None
    is_new: bool
    form: tuple[int, ...]
    own_place: int | None


@dataclass(frozen=True)
class League:
    """A league table; `last_day` is the day of the last counted session, None before the first."""

    table: Table
    rows: list[Row]
    last_day: date | None
    has_movers: bool
    is_what_if: bool

    @property
    def ranked(self):
        return [row for row in self.rows if row.standing.place]

    @property
    def below(self):
        return [row for row in self.rows if not row.standing.place]


def league(season: Season, until: date | None = None, **other_settings) -> League:
    """Return a season's league as it stood on `until`, by its settings or others (method, best_n, …).

    One query; two more rows of seasons and twice the tallies only for methods that look back.
    """
    own = season_settings(season)
    settings = replace(own, **other_settings)
    counting = season_counting(season, until)
    before = counting_before(season) if own.row.uses_season_before or settings.row.uses_season_before else None
    before = before and replace(before, rules=counting.rules, recording=counting.recording)
    tallies = tallies_of(season.club_id, [counting, before] if before else [counting])
    results, results_before = counted(tallies, counting), counted(tallies, before) if before else None
    words = in_words(counting, settings, before)
    return _league(tallies, results, results_before, settings, own, (counting, left_out(tallies, counting), words))


def added_up(seasons: Iterable[Season], settings: Settings) -> League:
    """Return one table over several seasons of a club, each counted as that season counts; two queries.

    For the methods that look back, the season before is the one before the first of them.
    """
    seasons = sorted(seasons, key=lambda season: season.starts_on)
    countings = [season_counting(season) for season in seasons]
    before = counting_before(seasons[0])
    tallies = tallies_of(seasons[0].club_id, [*countings, before] if before else countings)
    results = [result for counting in countings for result in counted(tallies, counting)]
    results_before = counted(tallies, before) if before else None
    out = [row for counting in countings for row in left_out(tallies, counting)]
    names = ", ".join(season.name for season in seasons)
    words = [f"Added up are {names}, each with the sessions that count in it.", *small_print(settings)]
    span = Counting(seasons[0].starts_on, seasons[-1].ends_on, (), seasons[0].recording)
    return _league(tallies, results, results_before, settings, settings, (span, out, words))


def _league(tallies, results, results_before, settings, own, printed):
    people = competitors_of(tallies)
    counting, out, words = printed
    table = Table(counting, settings, rank(results, people, settings, results_before), out, words)
    played = [result for result in results if result.hands]
    last_day = max((result.date for result in played), default=None)
    then = _places(people, [one for one in played if one.date < last_day], settings, results_before)
    by_own = _places(people, played, own, results_before) if own != settings else {}
    form = form_of(played)
    rows = [
        Row(
            standing=row,
            moved=then[row.player] - row.place if row.place and then.get(row.player) else None,
            is_new=bool(then and row.place and not then.get(row.player)),
            form=form[row.player],
            own_place=by_own.get(row.player),
        )
        for row in table.rows
    ]
    return League(table, rows, last_day, bool(then), own != settings)


def _places(people, results, settings, results_before):
    return {row.player: row.place for row in rank(results, people, settings, results_before)}


def form_of(results: Iterable[Result], last: int = FORM) -> dict[int, tuple[int, ...]]:
    """Return the nets of everybody's last sessions, the latest last."""
    book = book_of(results)
    return {player: tuple(result.net for result in own[-last:]) for player, own in book.by_player.items()}
