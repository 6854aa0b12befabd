"""The links above a page that counts for a season or for all time: the latest seasons, the earlier ones folded away."""

from dataclasses import dataclass

SEASONS_SHOWN = 2


@dataclass(frozen=True)
class ScopeLink:
    name: str
    query: str
    is_current: bool


def season_links(seasons, current):
    """Return a link to each of these seasons, the latest first; `current` is the one that is shown, or None."""
    return [ScopeLink(season.name, f"season={season.pk}", season == current) for season in seasons]


def scope_page(seasons, others):
    """Make the context of _scopes.html from the links to seasons and those to all time."""
    return {"links": [*seasons[:SEASONS_SHOWN], *others], "more_links": seasons[SEASONS_SHOWN:]}
