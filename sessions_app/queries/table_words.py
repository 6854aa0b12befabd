"""The words of a session's table: those of its rule set, with the club's own names of the suits."""

from functools import lru_cache

from clubscore.scoring import RULE_SETS, tiles
from clubscore.scoring.words import in_words

CODES = tiles.TILES + tiles.BONUS_TILES


def words_of(table_session):
    """Return the vocabulary of a session; asks for its club."""
    return RULE_SETS[table_session.rules].vocabulary(table_session.club.suit_names)


def said(table_session, sentence):
    """Say a sentence without tiles in it as this table does: "Ann calls Hu"."""
    return in_words(RULE_SETS[table_session.rules].vocabulary(), sentence)


@lru_cache(maxsize=64)
def tile_names(words):
    """Return the name of every tile by its code, in these words."""
    return {code: in_words(words, tiles.tile_name(code)) for code in CODES}
