"""Rows that several rule sets share, each once, as the u3a beginners' guide prints it, and the table of British rules."""

from dataclasses import replace
from typing import Any, TypeVar

from clubscore.scoring import patterns as p
from clubscore.scoring.rules import (
    CANNON,
    DOUBLE_LIMIT,
    DRAWN,
    FALSE_MAHJONG,
    FIRST_DISCARD,
    HALF_LIMIT,
    LIMIT,
    MISNAMED_DISCARD,
    MISNAMED_FOR_MAHJONG,
    OTHER_PENALTY,
    By,
    Example,
    LimitShare,
    Making,
    Rule,
    SpecialHand,
)
from clubscore.scoring.switches import BURIED, CALLED, CONCEALED, GREENS_EXPOSED, PLAIN, WITH_KONG
from clubscore.scoring.tiles import GREENS, HONOURS, MAJORS, SUIT_TILES, TERMINALS

Row = TypeVar("Row", Rule, SpecialHand)
GUIDE = "u3a Beginners Guide"
PRACTICE = "British Mah-Jong Association practice"
PENALTIES = (MISNAMED_DISCARD, MISNAMED_FOR_MAHJONG, CANNON, FALSE_MAHJONG, OTHER_PENALTY)

# Special hands 9 to 14 with exposed sets, in tenths of the limit
EXPOSED = By("exposed_special", {"full": 10, "half": 5})
EXPOSED_FISHING = By("exposed_special", {"full": 4, "half": 2})

# fmt: off

# The hand of an example; the others are those of the switches
DEALT = {"tiles": "2C 2C 2C 5B 5B 5B 7D 7D 7D 3C 4C 5C R R"}

# What every player's sets count
CHOW = Rule("chow", "Chow", "set", p.a_set("chow"), "A chow scores nothing by itself.", GUIDE + ", Scoring: Chow 0, 0",
     (Example({"sets": ["exposed chow 4C"]}, 0),), points=0, within_special=True)
PUNG_MINOR_EXPOSED = Rule("pung_minor_exposed", "Exposed pung of 2 to 8", "set", p.a_set("pung", exposed=True, of=p.MINORS),
     "An exposed pung of a suit tile from 2 to 8 scores 2.", GUIDE + ", Scoring: Pung 2",
     (Example({"sets": ["exposed pung 5B"]}, 2),), points=2, within_special=True)
PUNG_MINOR_CONCEALED = Rule("pung_minor_concealed", "Concealed pung of 2 to 8", "set", p.a_set("pung", exposed=False, of=p.MINORS),
     "A concealed pung of a suit tile from 2 to 8 scores 4.", GUIDE + ", Scoring: Pung 4",
     (Example({"tiles": "5B 5B 5B"}, 4), Example({"tiles": "5B 5B 5B 5B"}, 4)), points=4, within_special=True)
PUNG_MAJOR_EXPOSED = Rule("pung_major_exposed", "Exposed pung of 1, 9, winds or dragons", "set", p.a_set("pung", exposed=True, of=MAJORS),
     "An exposed pung of a 1, a 9, a wind or a dragon scores 4.", GUIDE + ", Quiz 5 Q1: 4",
     (Example({"sets": ["exposed pung 9C"]}, 4),), points=4, within_special=True)
PUNG_MAJOR_CONCEALED = Rule("pung_major_concealed", "Concealed pung of 1, 9, winds or dragons", "set", p.a_set("pung", exposed=False, of=MAJORS),
     "A concealed pung of a 1, a 9, a wind or a dragon scores 8.", GUIDE + ", Scoring: Pung of major tiles 8",
     (Example({"sets": ["concealed pung N"]}, 8, winner="W"),), points=8, within_special=True)
KONG_MINOR_EXPOSED = Rule("kong_minor_exposed", "Exposed kong of 2 to 8", "set", p.a_set("kong", exposed=True, of=p.MINORS),
     "An exposed kong of a suit tile from 2 to 8 scores 8.", GUIDE + ", Scoring: Kong of minor tiles 8",
     (Example({"sets": ["exposed kong 2D"]}, 8),), points=8, within_special=True)
KONG_MINOR_CONCEALED = Rule("kong_minor_concealed", "Concealed kong of 2 to 8", "set", p.a_set("kong", exposed=False, of=p.MINORS),
     "A concealed kong of a suit tile from 2 to 8 scores 16.", GUIDE + ", Quiz 5 Q2: 16",
     (Example({"sets": ["concealed kong 5B"]}, 16),), points=16, within_special=True)
KONG_MAJOR_EXPOSED = Rule("kong_major_exposed", "Exposed kong of 1, 9, winds or dragons", "set", p.a_set("kong", exposed=True, of=MAJORS),
     "An exposed kong of a 1, a 9, a wind or a dragon scores 16.", GUIDE + ", Scoring: Kong of major tiles 16",
     (Example({"sets": ["exposed kong 1D"]}, 16),), points=16, within_special=True)
KONG_MAJOR_CONCEALED = Rule("kong_major_concealed", "Concealed kong of 1, 9, winds or dragons", "set", p.a_set("kong", exposed=False, of=MAJORS),
     "A concealed kong of a 1, a 9, a wind or a dragon scores 32.", GUIDE + ", Scoring: Kong of major tiles 32",
     (Example({"sets": ["concealed kong 9B"]}, 32),), points=32, within_special=True)
PAIR_OF_DRAGONS = Rule("pair_of_dragons", "Pair of dragons", "set", p.is_dragon_pair, "A pair of dragons scores 2.",
     GUIDE + ", Scoring: a pair of dragons 2", (Example({"tiles": "R R"}, 2),), points=2, within_special=True)
PAIR_OF_OWN_WIND = Rule("pair_of_own_wind", "Pair of own wind", "set", p.is_own_wind_pair, "A pair of your own wind scores 2.",
     GUIDE + ", Quiz 5 Q7: 2", (Example({"sets": ["pair S"]}, 2),), points=2, because="own wind", within_special=True)
PAIR_OF_ROUND_WIND = Rule("pair_of_round_wind", "Pair of the wind of the round", "set", p.is_round_wind_pair,
     "A pair of the wind of the round scores 2, also when it is your own wind, which scores 2 more.",
     GUIDE + ", Scoring: a pair of the Wind of the Round 2",
     (Example({"tiles": "E E"}, 2), Example({"tiles": "S S"}, 4, wind_of_round="S")),
     points=2, because="wind of the round", within_special=True, when=(("double_wind_pair", (4,)),))
PAIR_OF_ROUND_WIND_ONCE = Rule("pair_of_round_wind_once", "Pair of the wind of the round", "set", p.is_round_wind_pair_not_own,
     "A pair of the wind of the round scores 2; one that is your own wind as well still scores 2 in all.",
     GUIDE + ", Scoring; house rule", (Example({"tiles": "E E"}, 2, house_rules={"double_wind_pair": 2}),
      Example({"tiles": "S S"}, 2, wind_of_round="S", house_rules={"double_wind_pair": 2})),
     points=2, because="wind of the round", within_special=True, when=(("double_wind_pair", (2,)),))
BONUS_TILE = Rule("bonus_tile", "Flower or season", "bonus tile", p.is_a_bonus_tile, "Each flower and each season scores 4.",
     GUIDE + ", Quiz 5 Q4: 4", (Example({"bonus": "F1 S3"}, 8),), points=4)

# What the winner alone counts
MAH_JONG = Rule("mah_jong", "Going Mah-jong", "hand", p.is_mahjong, "Going Mah-jong scores 20.", GUIDE + ", Quiz 5 Q3: 20",
     (Example(PLAIN, 26, {"by": "S", "tile": "7D", "from": "E"}),), points=20, to="winner", within_special=True)
DRAWN_FROM_WALL = Rule("drawn_from_wall", "Winning tile from the wall", "hand", p.is_from_wall,
     "Drawing the winning tile from the wall scores 2.", GUIDE + ", Scoring: the final tile drawn from the wall 2",
     (Example(PLAIN, 28, {"by": "S", "tile": "7D", "from": "wall"}),), points=2, to="winner", within_special=True)
DRAWN_FROM_KONG_BOX = Rule("drawn_from_kong_box", "Winning tile from the Kong box", "hand", p.is_loose_tile,
     "Drawing the winning tile from the Kong box scores 2 as well.", GUIDE + ", Scoring: not the discard; house rule",
     (Example(WITH_KONG, 68, {"by": "S", "tile": "7D", "from": "kong box"}, house_rules={"two_points_on_loose_tile": True}),),
     points=2, to="winner", within_special=True, when=(("two_points_on_loose_tile", (True,)),), asks=("loose_tile",))

# Doubles for every player
DRAGON_SET = Rule("dragon_set", "Pung of dragons", "set", p.is_dragon_set, "Each pung or kong of dragons doubles once.",
     GUIDE + ", Scoring Doubling: dragons", (Example({"sets": ["exposed pung R"]}, 8),), doubles=1)
OWN_WIND_SET = Rule("own_wind_set", "Pung of own wind", "set", p.is_own_wind_set, "A pung or kong of your own wind doubles once.",
     GUIDE + ", Scoring Doubling: own wind", (Example({"sets": ["exposed pung S"]}, 8),), doubles=1)
ROUND_WIND_SET = Rule("round_wind_set", "Pung of the wind of the round", "set", p.is_round_wind_set,
     "A pung or kong of the wind of the round doubles once; when it is your own wind too, twice in all.",
     GUIDE + ", Scoring Doubling: Wind of the Round",
     (Example({"sets": ["exposed pung E"]}, 8), Example({"sets": ["exposed pung S"]}, 16, wind_of_round="S")), doubles=1)
OWN_FLOWER = Rule("own_flower", "Own flower", "bonus tile", p.is_own_flower,
     "Your own flower doubles once: East 1, South 2, West 3, North 4.", GUIDE + ", Scoring Doubling: own flower",
     (Example({"bonus": "F2"}, 8),), doubles=1)
OWN_SEASON = Rule("own_season", "Own season", "bonus tile", p.is_own_season,
     "Your own season doubles once: East 1, South 2, West 3, North 4.", GUIDE + ", Scoring Doubling: own season",
     (Example({"bonus": "S2"}, 8),), doubles=1)
FOUR_FLOWERS = Rule("four_flowers", "All four flowers", "bonus", p.has_four_flowers,
     "All four flowers double twice, the double for your own flower among them.",
     GUIDE + ", Scoring Doubling: full set of flowers", (Example({"bonus": "F1 F2 F3 F4"}, 64),),
     doubles=2, excludes=("own_flower",), when=(("bouquet_includes_own", (True,)),))
FOUR_SEASONS = Rule("four_seasons", "All four seasons", "bonus", p.has_four_seasons,
     "All four seasons double twice, the double for your own season among them.",
     GUIDE + ", Scoring Doubling: full set of seasons", (Example({"bonus": "S1 S2 S3 S4"}, 64),),
     doubles=2, excludes=("own_season",), when=(("bouquet_includes_own", (True,)),))
FOUR_FLOWERS_AND_OWN = Rule("four_flowers_and_own", "All four flowers", "bonus", p.has_four_flowers,
     "All four flowers double twice, and your own flower once more.", GUIDE + "; house rule",
     (Example({"bonus": "F1 F2 F3 F4"}, 128, house_rules={"bouquet_includes_own": False}),),
     doubles=2, when=(("bouquet_includes_own", (False,)),))
FOUR_SEASONS_AND_OWN = Rule("four_seasons_and_own", "All four seasons", "bonus", p.has_four_seasons,
     "All four seasons double twice, and your own season once more.", GUIDE + "; house rule",
     (Example({"bonus": "S1 S2 S3 S4"}, 128, house_rules={"bouquet_includes_own": False}),),
     doubles=2, when=(("bouquet_includes_own", (False,)),))
ORIGINAL_CALL_MADE = Rule("original_call_made", "Original call", "hand", p.is_original_call,
     "Calling after your first discard doubles once, even if someone else wins. No other fishing has to be declared.",
     PRACTICE + "; house rule",
     (Example({"tiles": "5B 5B 5B", "original_call": True}, 8, house_rules={"original_call": "caller_and_winner"}),), doubles=1,
     when=(("original_call", ("caller_and_winner",)),), asks=("original_call",))

# Doubles for the winner
CLEAN = Rule("clean", "Clean hand", "hand", p.has_one_suit, "A Mah-jong of one suit, with or without honours, doubles once.",
     GUIDE + ", Mahjong called: clean",
     (Example({"sets": ["exposed chow 2B", "exposed pung 5B", "exposed pung 6B", "exposed pung N", "pair 8B"]}, 56,
              {"by": "S", "tile": "8B", "from": "E"}),), doubles=1, to="winner")
NO_CHOWS = Rule("no_chows", "No chows", "hand", p.has_no_chow_though_allowed,
     "A Mah-jong without chows doubles once, where a chow was allowed (so not in a goulash).",
     GUIDE + ", Mahjong called: no chows",
     (Example({"sets": ["exposed pung 3B", "exposed pung 6C", "exposed pung 8D", "exposed pung 2C", "pair 7D"]}, 56,
              {"by": "S", "tile": "7D", "from": "E"}),), doubles=1, to="winner", when=(("max_chows", (1, 2, 3, 4)),))
ALL_CONCEALED = Rule("all_concealed", "All concealed", "hand", p.is_all_concealed_and_drawn,
     "A Mah-jong with nothing exposed and the last tile drawn doubles once.", GUIDE + ", Mahjong called: all concealed",
     (Example(CONCEALED, 68, {"by": "S", "tile": "7D", "from": "wall"}),), doubles=1, to="winner",
     when=(("concealed_allows_last_claim", (False,)),))
ALL_CONCEALED_LAST_CLAIMED = Rule("all_concealed_last_claimed", "All concealed", "hand", p.is_all_concealed_before_win,
     "A Mah-jong with nothing exposed before the last tile doubles once, even when that tile was claimed.",
     GUIDE + "; house rule",
     (Example(CONCEALED, 64, {"by": "S", "tile": "7D", "from": "E"}, house_rules={"concealed_allows_last_claim": True}),),
     doubles=1, to="winner", when=(("concealed_allows_last_claim", (True,)),))
ALL_MAJORS = Rule("all_majors", "All majors", "hand", p.is_all_majors, "A Mah-jong of ones, nines and honours doubles once.",
     GUIDE + ", Mahjong called: all majors",
     (Example({"sets": ["exposed pung 9B", "exposed pung N", "exposed pung 1C", "exposed pung W", "pair 9D"]}, 144,
              {"by": "S", "tile": "9D", "from": "E"}),), doubles=1, to="winner")
EAST_WINS = Rule("east_wins", "East's Mah-jong", "hand", p.is_east, "East's own Mah-jong doubles once.",
     GUIDE + ", Mahjong called: If you are East Wind",
     (Example(PLAIN, 52, {"by": "E", "tile": "7D", "from": "S"}, seat="E", house_rules={"east_mode": "score"}),), doubles=1, to="winner",
     when=(("east_mode", ("score",)),))
LAST_TILE = Rule("last_tile", "Last tile of the wall", "hand", p.is_last_of_wall,
     "Going Mah-jong with the last tile of the wall doubles once.", GUIDE + ", Mahjong called: the last tile from the wall",
     (Example(PLAIN, 56, {"by": "S", "tile": "7D", "from": "wall", "last_tile": True}),), doubles=1, to="winner", asks=("last_of_wall",))
FINAL_DISCARD = Rule("final_discard", "Final discard", "hand", p.is_final_discard, "Going Mah-jong with the final discard doubles once.",
     GUIDE + ", Mahjong called: the final discard",
     (Example(PLAIN, 52, {"by": "S", "tile": "7D", "from": "E", "last_tile": True}),), doubles=1, to="winner", asks=("last_discard",))
KONG_BOX = Rule("kong_box", "Tile from the Kong box", "hand", p.is_loose_tile,
     "Going Mah-jong with a tile from the Kong box (a loose tile) doubles once.", GUIDE + ", Mahjong called: the kong box",
     (Example(WITH_KONG, 68, {"by": "S", "tile": "7D", "from": "kong box"}),), doubles=1, to="winner", asks=("loose_tile",))
ROBBED_KONG = Rule("robbed_kong", "Robbing a kong", "hand", p.is_robbed_kong,
     "Going Mah-jong with a tile robbed from another player's kong doubles once.", GUIDE + ", Mahjong called: robbing a tile",
     (Example(PLAIN, 52, {"by": "S", "tile": "2C", "from": "E", "robbed_kong": True}),), doubles=1, to="winner", asks=("robbed_kong",))
ORIGINAL_CALL_WON = Rule("original_call_won", "Original call won", "hand", p.is_original_call,
     "Winning after an original call doubles once more.", PRACTICE + "; house rule",
     (Example(CALLED, 104, {"by": "S", "tile": "7D", "from": "E"}, house_rules={"original_call": "caller_and_winner"}),),
     doubles=1, to="winner", when=(("original_call", ("caller_and_winner",)),), asks=("original_call",))
ORIGINAL_CALL = Rule("original_call", "Original call", "hand", p.is_original_call,
     "Winning after calling at your first discard (original call) doubles once.", GUIDE + ", Mahjong called: original call",
     (Example(CALLED, 52, {"by": "S", "tile": "7D", "from": "E"}, house_rules={"original_call": "winner"}),),
     doubles=1, to="winner", when=(("original_call", ("winner",)),), asks=("original_call",))

# What counts with a special hand
BONUS_WITH_SPECIAL = Rule("bonus_beside_special", "Flowers and seasons beside the special hand", "special hand", p.has_a_bonus_tile,
     "Flowers and seasons are added to a special hand. Their doubles apply only to their own points.",
     GUIDE + ", Special Hands, point 6",
     (Example({"tiles": "1C 1C 9C 9C 1B 1B 9D 9D E E R R P P", "bonus": "F2 S3"}, LimitShare(5, extra=16), {"by": "S", "tile": "P", "from": "W"}),),
     worked_out="what they score on their own")
EAST_SPECIAL_DOUBLED = Rule("east_special_doubled", "East's special hand is doubled", "special hand", p.sits_east,
     "East's own special hand is doubled in all, flowers and seasons included, and it is not capped at the limit.",
     GUIDE + ", Special Hands, point 7",
     (Example({"tiles": "1C 9C 1B 9B 1D 9D E S W N R G P P"}, DOUBLE_LIMIT, {"by": "E", "tile": "P", "from": "W"}, seat="E",
              house_rules={"east_mode": "score"}),),
     times=2, to="winner", when=(("east_mode", ("score",)),))
BURIED_TREASURE_PAIR_CLAIMED = SpecialHand("buried_treasure", "Buried Treasure", "sets", p.is_buried_but_pair,
    "Four concealed pungs of one suit and honours, and a pair, no kong; only the pair may be finished by a claim.",
    GUIDE + ", Special Hands 5; house rule",
    (Example(BURIED, LIMIT, {"by": "S", "tile": "R", "from": "W"}, house_rules={"buried_treasure_last_claim": "pair"}),),
    fishing=4, tiles_from=p.ONE_SUIT_AND_HONOURS, when=(("buried_treasure_last_claim", ("pair",)),))
IMPERIAL_JADE = SpecialHand("imperial_jade", "Imperial Jade", "sets", p.has_no_chow,
    "Pungs or kongs and a pair of green tiles: green dragons and the 2, 3, 4, 6 and 8 of bamboos.", GUIDE + ", Special Hands 9",
    (Example(GREENS_EXPOSED, HALF_LIMIT, {"by": "S", "tile": "8B", "from": "W"}),),
    value_exposed=EXPOSED, fishing=4, fishing_exposed=EXPOSED_FISHING, tiles_from=(GREENS,))
HEAVENS_BLESSING = SpecialHand("heavens_blessing", "Heaven's Blessing", "way", p.is_mahjong, "East goes Mah-jong with the tiles as dealt.",
    GUIDE + ", Special Hands 15",
    (Example(DEALT, DOUBLE_LIMIT, {"by": "E", "tile": "R", "from": "wall", "dealt": True}, seat="E"),),
    made=Making(by="E", sources=DRAWN.sources, marks={"dealt": True}))
# fmt: on

# The British table, as the guide has it. What a set plays differently, it says in `with_changes`.

RULES = (
    # What every player's sets count
    CHOW,
    PUNG_MINOR_EXPOSED,
    PUNG_MINOR_CONCEALED,
    PUNG_MAJOR_EXPOSED,
    PUNG_MAJOR_CONCEALED,
    KONG_MINOR_EXPOSED,
    KONG_MINOR_CONCEALED,
    KONG_MAJOR_EXPOSED,
    KONG_MAJOR_CONCEALED,
    PAIR_OF_DRAGONS,
    PAIR_OF_OWN_WIND,
    PAIR_OF_ROUND_WIND,
    PAIR_OF_ROUND_WIND_ONCE,
    BONUS_TILE,
    # What the winner alone counts
    MAH_JONG,
    DRAWN_FROM_WALL,
    DRAWN_FROM_KONG_BOX,
    # Doubles for every player
    DRAGON_SET,
    OWN_WIND_SET,
    ROUND_WIND_SET,
    OWN_FLOWER,
    OWN_SEASON,
    FOUR_FLOWERS,
    FOUR_SEASONS,
    FOUR_FLOWERS_AND_OWN,
    FOUR_SEASONS_AND_OWN,
    ORIGINAL_CALL_MADE,
    # Doubles for the winner
    CLEAN,
    NO_CHOWS,
    ALL_CONCEALED,
    ALL_CONCEALED_LAST_CLAIMED,
    ALL_MAJORS,
    EAST_WINS,
    LAST_TILE,
    FINAL_DISCARD,
    KONG_BOX,
    ROBBED_KONG,
    ORIGINAL_CALL_WON,
    ORIGINAL_CALL,
    # What counts with a special hand
    BONUS_WITH_SPECIAL,
    EAST_SPECIAL_DOUBLED,
)

# fmt: off
SPECIAL_HANDS = (
    SpecialHand("purity", "Purity", "sets", p.has_no_chow,
        "Pungs or kongs and a pair of one suit, no honours, no chow: {its points doubled three times}; fishing for it, your points doubled three times.",
        GUIDE + ", Special Hands 1",
        (Example({"sets": ["exposed pung 2B", "concealed pung 5B", "exposed kong 9B", "concealed pung 7B", "pair 3B"]}, 368,
                 {"by": "S", "tile": "3B", "from": "W"}),),
        value=None, doubles=3, tiles_from=p.ONE_SUIT),
    SpecialHand("all_pair_honours", "All Pair Honours", "tiles", p.is_seven_pairs,
        "Seven pairs of ones, nines, winds and dragons, all concealed; the last tile may be claimed.", GUIDE + ", Special Hands 2",
        (Example({"tiles": "1C 1C 9C 9C 1B 1B 9D 9D E E R R P P"}, HALF_LIMIT, {"by": "S", "tile": "P", "from": "W"}),),
        value=5, fishing=2, tiles_from=(MAJORS,)),
    SpecialHand("knitting", "Knitting", "tiles", p.is_knitted_pairs,
        "Seven pairs, each the same number in the same two suits, all concealed; the last tile may be claimed.",
        GUIDE + ", Special Hands 3",
        (Example({"tiles": "1C 1B 2C 2B 4C 4B 5C 5B 7C 7B 8C 8B 9C 9B"}, HALF_LIMIT, {"by": "S", "tile": "9B", "from": "W"}),),
        value=5, fishing=2, tiles_from=p.TWO_SUITS),
    SpecialHand("triple_knitting", "Triple Knitting", "tiles", p.is_knitted_triples,
        "Four times the same number in all three suits, and a pair of one number in two suits, all concealed; "
        "the last tile may be claimed.", GUIDE + ", Special Hands 4",
        (Example({"tiles": "1C 1B 1D 3C 3B 3D 6C 6B 6D 8C 8B 8D 9C 9B"}, HALF_LIMIT, {"by": "S", "tile": "9B", "from": "W"}),),
        value=5, fishing=2, tiles_from=(SUIT_TILES,)),
    SpecialHand("buried_treasure", "Buried Treasure", "sets", p.is_buried,
        "Four concealed pungs of one suit and honours, and a pair, no kong; every tile from the wall.", GUIDE + ", Special Hands 5",
        (Example(BURIED, LIMIT, {"by": "S", "tile": "R", "from": "wall"}, house_rules={"buried_treasure_last_claim": "none"}),),
        fishing=4, tiles_from=p.ONE_SUIT_AND_HONOURS, when=(("buried_treasure_last_claim", ("none",)),), made=DRAWN),
    BURIED_TREASURE_PAIR_CLAIMED,
    SpecialHand("buried_treasure", "Buried Treasure", "sets", p.is_buried,
        "Four concealed pungs of one suit and honours, and a pair, no kong; the last tile may be claimed.",
        GUIDE + ", Special Hands 5; house rule",
        (Example(BURIED, LIMIT, {"by": "S", "tile": "N", "from": "W"},
                 house_rules={"buried_treasure_last_claim": "any"}),),
        fishing=4, tiles_from=p.ONE_SUIT_AND_HONOURS, when=(("buried_treasure_last_claim", ("any",)),)),
    SpecialHand("gates_of_heaven", "Gates of Heaven", "tiles", p.is_gates,
        "Three 1s, three 9s, 2 to 8 and one more tile, all of one suit and concealed; the last tile may be claimed.",
        GUIDE + ", Special Hands 6",
        (Example({"tiles": "1D 1D 1D 2D 3D 4D 5D 5D 6D 7D 8D 9D 9D 9D"}, LIMIT, {"by": "S", "tile": "5D", "from": "W"}),),
        fishing=4, tiles_from=p.ONE_SUIT),
    SpecialHand("wriggling_snake", "Wriggling Snake", "tiles", p.is_snake,
        "A pair of 1s and 2 to 9 of one suit with each of the four winds, concealed.", GUIDE + ", Special Hands 7",
        (Example({"tiles": "1C 1C 2C 3C 4C 5C 6C 7C 8C 9C E S W N"}, LIMIT, {"by": "S", "tile": "N", "from": "wall"}),),
        fishing=4, tiles_from=p.ONE_SUIT_AND_WINDS),
    SpecialHand("thirteen_unique_wonders", "13 Unique Wonders", "tiles", p.is_thirteen_majors,
        "One of each one, nine, wind and dragon and a second of any, concealed; the last tile may be claimed.",
        GUIDE + ", Special Hands 8",
        (Example({"tiles": "1C 9C 1B 9B 1D 9D E S W N R G P P"}, LIMIT, {"by": "S", "tile": "P", "from": "W"}),),
        fishing=4, tiles_from=(MAJORS,)),
    IMPERIAL_JADE,
    SpecialHand("heads_and_tails", "Heads & Tails", "sets", p.has_no_chow, "Pungs or kongs and a pair of ones and nines only.",
        GUIDE + ", Special Hands 10",
        (Example({"sets": ["concealed pung 1B", "concealed pung 9B", "concealed pung 1C", "concealed pung 9D", "pair 1D"]}, LIMIT,
                 {"by": "S", "tile": "1D", "from": "W"}),),
        value_exposed=EXPOSED, fishing=4, fishing_exposed=EXPOSED_FISHING, tiles_from=(TERMINALS,)),
    SpecialHand("three_great_scholars", "Three Great Scholars", "sets", p.is_three_scholars,
        "Pungs or kongs of all three dragons, another pung or kong, and a pair.", GUIDE + ", Special Hands 11",
        (Example({"sets": ["concealed pung R", "concealed pung G", "concealed pung P", "concealed pung 7B", "pair 2C"]}, LIMIT,
                 {"by": "S", "tile": "2C", "from": "W"}),),
        value_exposed=EXPOSED, fishing=4, fishing_exposed=EXPOSED_FISHING),
    SpecialHand("all_winds_and_dragons", "All Winds and Dragons", "sets", p.has_no_chow,
        "Pungs or kongs and a pair of winds and dragons only.", GUIDE + ", Special Hands 12",
        (Example({"sets": ["concealed pung E", "concealed pung S", "concealed pung P", "concealed kong N", "pair R"]}, LIMIT,
                 {"by": "S", "tile": "R", "from": "W"}),),
        value_exposed=EXPOSED, fishing=4, fishing_exposed=EXPOSED_FISHING, tiles_from=(HONOURS,)),
    SpecialHand("four_blessings", "Four Blessings Hovering over the Door", "sets", p.has_every_wind_set,
        "A pung or kong of each of the four winds and any pair.", GUIDE + ", Special Hands 13",
        (Example({"sets": ["concealed kong E", "concealed pung S", "concealed pung W", "concealed pung N", "pair 5C"]}, LIMIT,
                 {"by": "S", "tile": "5C", "from": "W"}),),
        value_exposed=EXPOSED, fishing=4, fishing_exposed=EXPOSED_FISHING),
    SpecialHand("fourfold_plenty", "Fourfold Plenty", "sets", p.is_four_kongs, "Four kongs and a pair; suits may mix.",
        GUIDE + ", Special Hands 14",
        (Example({"sets": ["concealed kong 2B", "concealed kong 5C", "concealed kong 7D", "concealed kong 8D", "pair 3C"]}, LIMIT,
                 {"by": "S", "tile": "3C", "from": "W"}),),
        value_exposed=EXPOSED, fishing=4, fishing_exposed=EXPOSED_FISHING),
    HEAVENS_BLESSING,
    SpecialHand("earths_blessing", "Earth's Blessing", "way", p.is_mahjong,
        "South, West or North goes Mah-jong with East's first discard.", GUIDE + ", Special Hands 16",
        (Example(DEALT, LIMIT, {"by": "S", "tile": "R", "from": "E", "first_discard": True}),), made=FIRST_DISCARD),
    SpecialHand("plum_blossom", "Gathering the Plum Blossom from the Roof", "way", p.is_mahjong,
        "Any Mah-jong made with the 5 of circles from the Kong box.", GUIDE + ", Special Hands 17",
        (Example({"sets": ["exposed kong 2C"], "tiles": "5B 5B 5B 7D 7D 7D 3C 4C 5C 5D 5D"}, LIMIT,
                 {"by": "S", "tile": "5D", "from": "kong box"}),), value_exposed=10, made=Making(sources=("kong box",), tile="5D")),
    SpecialHand("plucking_the_moon", "Plucking the Moon from the Bottom of the Sea", "way", p.is_mahjong,
        "Any Mah-jong made with the 1 of circles as the last tile of the wall.", GUIDE + ", Special Hands 18",
        (Example({"sets": ["exposed pung 2C"], "tiles": "5B 5B 5B 7D 7D 7D 3C 4C 5C 1D 1D"}, LIMIT,
                 {"by": "S", "tile": "1D", "from": "wall", "last_tile": True}),), value_exposed=10,
        made=Making(sources=("wall",), tile="1D", marks={"last_tile": True})),
    SpecialHand("twofold_fortune", "Twofold Fortune", "way", p.is_mahjong,
        "A kong, a second kong with its replacement tile, and Mah-jong with the replacement of that.",
        GUIDE + ", Special Hands 19",
        (Example({"sets": ["exposed kong 2C", "concealed kong 8B"], "tiles": "7D 7D 7D 3C 4C 5C R R"}, LIMIT,
                 {"by": "S", "tile": "R", "from": "kong box", "second_kong": True}),), value_exposed=10,
        made=Making(sources=("kong box",), marks={"second_kong": True})),
)
# fmt: on


def with_changes(table: tuple[Row, ...], *changes: tuple[Row, dict[str, Any]]) -> tuple[Row, ...]:
    """Return a table in which these rows have other fields; ValueError for a row that it does not list."""
    rows = list(table)
    for row, fields in changes:
        rows[rows.index(row)] = replace(row, **fields)
    return tuple(rows)
