"""What a tablet asks of the league: plain results in, a league table out, in plain JSON values."""

from collections.abc import Mapping
from typing import Any

from clubscore.league.methods import Competitor, Result, rounded_half_even
from clubscore.league.ranking import Settings, Standing, rank, small_print

# Of a Standing.
SHOWN = (
    "position", "position_shown", "player", "name", "sessions", "hands", "won", "net", "best_session", "best_hand",
    "shown", "reason",
)  # fmt: skip
# Of the CSV's last column.
VALUE_DECIMALS = 4


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """Rank `results`, each a list of the fields of Result from its beginning, by `settings`.

    `people` are their keys, names, and whether they are guests or beginners; `before` are the results of the season
    before, or None.
    """
    settings = Settings(**question["settings"])
    people = [Competitor(*person) for person in question["people"]]
    before = question["before"]
    results = [Result(*row) for row in question["results"]]
    ranking = rank(results, people, settings, None if before is None else [Result(*row) for row in before])
    return {
        "title": settings.title,
        "units": settings.units,
        "words": small_print(settings),
        "rows": [_row(row) for row in ranking.rows],
    }


def _row(row: Standing) -> dict[str, Any]:
    """Return a row of the league table, with its value as pages show it and as the CSV has it."""
    return {**{name: getattr(row, name) for name in SHOWN}, "value": rounded_half_even(row.value, VALUE_DECIMALS)}
