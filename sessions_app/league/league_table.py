"""The league table and what a club asks of it: who moved, recent form, what if, several seasons added up."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from sessions_app.league.methods import ResultSet, result_set_of
from sessions_app.league.ranking import (
    Settings,
    Standing,
    given_to,
    people_of,
    positions_of,
    ranked_results,
    small_print,
)
from sessions_app.league.standings import (
    Counting,
    LeagueTable,
    before_in_words,
    competitors_of,
    counted,
    counting_before,
    counting_in_words,
    in_words,
    left_out,
    season_counting,
    season_settings,
    tallies_of,
    unknown_hands_in_words,
)
from sessions_app.models import Season

FORM = 5


@dataclass(frozen=True)
class Row:
    """One row of the table, with what is shown beside it.

    `moved` is how many positions up (negative: down) since before the last meeting; None if unranked then.
    `form` are the nets of the last sessions, the latest last; `own_position` is that by the season's own settings;
    `given` are the points a hand that a handicap adds.
    """

    standing: Standing
    moved: int | None
    is_new: bool
    form: tuple[int, ...]
    own_position: int | None
    given: int = 0


@dataclass(frozen=True)
class League:
    """A league table; `last_day` is the day of the last counted session, None before the first."""

    table: LeagueTable
    rows: list[Row]
    last_day: date | None
    has_movers: bool
    is_what_if: bool

    @property
    def ranked(self) -> list[Any]:
        return [row for row in self.rows if row.standing.position]

    @property
    def below(self) -> list[Row]:
        return [row for row in self.rows if not row.standing.position]


def league(season: Season, until: date | None = None, **other_settings: Any) -> League:
    """Return a season's league with results up to `until`, by its settings or others (method, best_n, …).

    One query; two more rows of seasons and twice the tallies only for methods that look back.
    """
    own = season_settings(season)
    settings = replace(own, **other_settings)
    counting = season_counting(season, until)
    before = counting_before(season) if own.row.uses_season_before or settings.row.uses_season_before else None
    tallies = tallies_of(season.club_id, [counting, before] if before else [counting])
    results, results_before = counted(tallies, counting), counted(tallies, before) if before else None
    words = [*in_words(counting, settings, before), *unknown_hands_in_words(results, settings)]
    return _league(tallies, results, results_before, settings, own, (counting, left_out(tallies, counting), words))


def added_up(seasons: Iterable[Season], settings: Settings) -> League:
    """Return one table over several seasons of a club, each counted as that season counts; one query.

    All of one recording. For the methods that look back, which take one query more, the season before is the one before
    the first of them, counted by the first one's rule sets.
    """
    seasons = sorted(seasons, key=lambda season: season.starts_on)
    countings = [season_counting(season) for season in seasons]
    before = counting_before(seasons[0]) if settings.row.uses_season_before else None
    tallies = tallies_of(seasons[0].club_id, [*countings, before] if before else countings)
    results = [result for counting in countings for result in counted(tallies, counting)]
    results_before = counted(tallies, before) if before else None
    out = [row for counting in countings for row in left_out(tallies, counting)]
    named = zip(seasons, countings, strict=True)
    words = [f"From {season.name}, this table counts {counting_in_words(counting)}." for season, counting in named]
    words += [*before_in_words(settings, before), *small_print(settings), *unknown_hands_in_words(results, settings)]
    span = Counting(seasons[0].starts_on, seasons[-1].ends_on, (), seasons[0].recording)
    return _league(tallies, results, results_before, settings, settings, (span, out, words))


def _league(tallies, results, results_before, settings, own, printed):
    people = people_of(competitors_of(tallies))
    counting, out, words = printed
    result_set, before = result_set_of(results), None if results_before is None else result_set_of(results_before)
    table = LeagueTable(counting, settings, ranked_results(result_set, people, settings, before), out, words)
    last_day = result_set.results[-1].date if result_set.results else None
    earlier = result_set.earlier_than(last_day)
    then, has_movers = positions_of(earlier, people, settings, before), bool(earlier.results)
    by_own = positions_of(result_set, people, own, before) if own != settings else {}
    form, given = form_of(result_set), given_to(people, settings, before)
    rows = [
        Row(
            standing=row,
            moved=then[row.player] - row.position if row.position and row.player in then else None,
            is_new=bool(has_movers and row.position and row.player not in then),
            form=form[row.player],
            own_position=by_own.get(row.player),
            given=given.get(row.player, 0),
        )
        for row in table.rows
    ]
    return League(table, rows, last_day, has_movers, own != settings)


def form_of(result_set: ResultSet, last: int = FORM) -> dict[Any, tuple[int, ...]]:
    """Return the nets of each player's last sessions, the latest last."""
    return {player: tuple(result.net for result in own[-last:]) for player, own in result_set.by_player.items()}
