"""The words of a session's table: those of its rule set, with the club's own names of the suits."""

from functools import lru_cache, partial

from clubscore.scoring import RULE_SETS, tiles
from clubscore.scoring.words import in_words

CODES = tiles.TILES + tiles.BONUS_TILES


def say_at(table_session):
    """Return the function that says a template without tiles in it as this table does: "{who} calls Hu"."""
    return partial(in_words, RULE_SETS[table_session.rules].vocabulary())


def line_name(words, line, own_keys=()):
    """Name a line of a score in these words; a special hand of the club's own as the club wrote it."""
    return line["name"] if line["rule"] in own_keys else in_words(words, line["name"])


def own_keys(table_session):
    """Return the keys of the club's own special hands that a session froze."""
    return {hand["key"] for hand in table_session.club_hands}


@lru_cache(maxsize=64)
def tile_names(words):
    """Return the name of every tile by its code, in these words."""
    return {code: in_words(words, tiles.tile_name(code)) for code in CODES}
