"""What can be said of a hand under a table's rules, so that the entry page asks nothing that cannot matter."""

from dataclasses import asdict

from clubscore.scoring import RULE_SETS
from clubscore.scoring.settlement import PENALTY_KINDS
from clubscore.scoring.unlikely_totals import total_queries
from clubscore.scoring.words import in_words
from sessions_app.rules.drawn_hands import TILE_ROWS

PLAIN_FORMS = (
    ("tiles", "Tiles", "hands"),
    ("total", "A total", "hands"),
    ("points", "Points and doubles", "doubles"),
    ("special", "A special hand by name", "special"),
    ("nothing", "Nothing to score", ""),
)


# What may be said of the winning tile, by what a rule set asks: the word in the plain form, and the words shown.
PLAIN_WAYS = (
    ("last_of_wall", "last_tile", "Last tile of the wall"),
    ("last_discard", "last_tile", "The last discard"),
    ("robbed_kong", "robbed_kong", "Robbing a kong"),
    ("dealt", "dealt", "With the tiles as dealt"),
    ("first_discard", "first_discard", "On East’s first discard"),
    ("second_kong", "second_kong", "Replacement of a second kong"),
    ("flower_replaced", "flower_replaced", "It replaced a flower"),
    ("standing", "standing", "Standing hand"),
    ("thirteenth", "thirteenth", "East’s thirteenth in a row"),
    ("first_round", "first_round", "Before everyone’s second turn"),
    ("last_of_kind", "last_of_kind", "The other three are on the table"),
)


def offers(table_session):
    """Return what the entry page offers: truths, the largest number of chows, and what is asked of a winning tile."""
    rules = RULE_SETS[table_session.rules]
    house = rules.house(table_session.house_rules)
    losers_score = house.losers_score is not False and not rules.winner_alone_scores
    return {
        "hands": rules.winner_needs_tiles or losers_score,
        "doubles": rules.doubling == "doubles",
        "special": any(hand.doubles is None for hand in rules.special_hands) or bool(table_session.club_hands),
        "two_winners": rules.two_may_win,
        "winner_needs_tiles": rules.winner_needs_tiles,
        "losers_score": losers_score,
        "max_chows": house.max_chows,
        "exposable": any(hand.exposable for hand in rules.special_hands),
        "fishing": any(hand.fishable for hand in rules.special_hands),
        "fishing_by_name": any(hand.fishable for hand in rules.special_hands) or _own_fishable(table_session),
        "original_call": house.original_call is not None,
        "original_call_losers": house.original_call == "caller_and_winner",
        "asks": rules.asks,
        "ways": {asked: words for asked, _, words in PLAIN_WAYS if asked in rules.asks},
        "dealt_is_for_east": rules.dealt_is_for_east,
        "discarder_pays_more": rules.discarder_pays_more,
        "last_tile_may_be_loose": rules.last_tile_may_be_loose,
        "false_mahjong_voids": rules.false_mahjong_voids,
        "total_questions": [asdict(question) for question in total_queries(rules, house)],
    }


def _own_fishable(table_session):
    return any(hand.get("fishing") is not None for hand in table_session.club_hands)


def penalties(table_session, words=()):
    """Return the penalties a table gives with a hand; who pays for all is not asked where nobody pays."""
    rules = RULE_SETS[table_session.rules]
    nobody_pays = rules.house(table_session.house_rules).recording == "straight"
    return [
        {
            "key": foul.key,
            "kind": foul.kind,
            "words": in_words(words, foul.words),
            "to": {"one": "needed", "anybody": "allowed"}.get(foul.to, foul.to),
            "amount": foul.amount,
            "typed": PENALTY_KINDS[foul.kind].has_amount and foul.amount is None,
        }
        for foul in rules.fouls
        if not (nobody_pays and PENALTY_KINDS[foul.kind].pays_for_all)
    ]


def tile_rows(words):
    """Return the rows of the tile grid: a name in the table's words, and the codes."""
    return [(in_words(words, name), codes) for name, codes in TILE_ROWS]


def plain_forms(offered):
    """Return the ways in which a hand may be given without JavaScript."""
    return [(value, words) for value, words, needed in PLAIN_FORMS if not needed or offered[needed]]


def plain_ways(offered):
    """Return what may be said of the winning tile without JavaScript."""
    return [(value, words) for asked, value, words in PLAIN_WAYS if asked in offered["asks"]]
