"""British (BMJA): the rows of the guide, and those that the British Mah-Jong Association plays differently."""

from dataclasses import replace

from clubscore.scoring.rules import LIMIT, Example, RuleSet
from clubscore.scoring.rulesets import british
from clubscore.scoring.switches import GREENS_EXPOSED, WITH_KONG

PRACTICE = "British Mah-Jong Association practice: "

RULES = (
    # What every player's sets count
    british.CHOW,
    british.PUNG_MINOR_EXPOSED,
    british.PUNG_MINOR_CONCEALED,
    british.PUNG_MAJOR_EXPOSED,
    british.PUNG_MAJOR_CONCEALED,
    british.KONG_MINOR_EXPOSED,
    british.KONG_MINOR_CONCEALED,
    british.KONG_MAJOR_EXPOSED,
    british.KONG_MAJOR_CONCEALED,
    british.PAIR_OF_DRAGONS,
    british.PAIR_OF_OWN_WIND,
    british.PAIR_OF_ROUND_WIND,
    british.PAIR_OF_ROUND_WIND_ONCE,
    british.BONUS_TILE,
    # What the winner alone counts
    british.MAH_JONG,
    british.DRAWN_FROM_WALL,
    british.DRAWN_FROM_KONG_BOX,
    # Doubles for every player
    british.DRAGON_SET,
    british.OWN_WIND_SET,
    british.ROUND_WIND_SET,
    british.OWN_FLOWER,
    british.OWN_SEASON,
    british.FOUR_FLOWERS,
    british.FOUR_SEASONS,
    british.FOUR_FLOWERS_AND_OWN,
    british.FOUR_SEASONS_AND_OWN,
    replace(british.ORIGINAL_CALL_MADE, source=PRACTICE + "original call"),
    # Doubles for the winner
    british.CLEAN,
    british.NO_CHOWS,
    british.ALL_CONCEALED,
    british.ALL_CONCEALED_LAST_CLAIMED,
    british.ALL_MAJORS,
    british.EAST_WINS,
    british.LAST_TILE,
    british.FINAL_DISCARD,
    replace(british.KONG_BOX, examples=(Example(WITH_KONG, 64, {"by": "S", "tile": "7D", "from": "kong box"}),)),
    british.ROBBED_KONG,
    replace(british.ORIGINAL_CALL_WON, source=PRACTICE + "original call"),
    british.ORIGINAL_CALL,
    # What counts with a special hand
    british.BONUS_WITH_SPECIAL,
    british.EAST_SPECIAL_DOUBLED,
)

SPECIAL_HANDS = (
    british.PURITY,
    british.ALL_PAIR_HONOURS,
    british.KNITTING,
    british.TRIPLE_KNITTING,
    british.BURIED_TREASURE_FROM_WALL,
    replace(british.BURIED_TREASURE_PAIR_CLAIMED, source=PRACTICE + "Buried Treasure"),
    british.BURIED_TREASURE_CLAIMED,
    british.GATES_OF_HEAVEN,
    british.WRIGGLING_SNAKE,
    british.THIRTEEN_UNIQUE_WONDERS,
    replace(
        british.IMPERIAL_JADE,
        examples=(Example(GREENS_EXPOSED, LIMIT, {"by": "S", "tile": "8B", "from": "W"}),),
    ),
    british.HEADS_AND_TAILS,
    british.THREE_GREAT_SCHOLARS,
    british.ALL_WINDS_AND_DRAGONS,
    british.FOUR_BLESSINGS,
    british.FOURFOLD_PLENTY,
    replace(
        british.HEAVENS_BLESSING,
        examples=(Example(british.DEALT, LIMIT, {"by": "E", "tile": "R", "from": "wall", "dealt": True}, seat="E"),),
    ),
    british.EARTHS_BLESSING,
    british.PLUM_BLOSSOM,
    british.PLUCKING_THE_MOON,
    british.TWOFOLD_FORTUNE,
)

RULE_SET = RuleSet(
    key="bmja",
    name="British (BMJA)",
    edition=3,
    source="u3a Beginners Guide and British Mah-Jong Association practice",
    sentence="East pays and receives double, limit 1,000, 19 special hands.",
    called="The BMJA",
    house_rules={
        "limit": 1000,
        "limit_applies_to": "all",
        "east_mode": "settlement",
        "recording": "settle",
        "max_chows": 1,
        "clean_only": False,
        "exposed_special": "full",
        "special_bonus_over_limit": False,
        "best_of_special": "all",
        "buried_treasure_last_claim": "pair",
        "original_call": "caller_and_winner",
        "concealed_allows_last_claim": False,
        "two_points_on_loose_tile": False,
        "bouquet_includes_own": True,
        "double_wind_pair": 4,
        "east_max": None,
        "east_stays_on_win": True,
        "east_stays_on_draw": True,
        "goulash": True,
        "round_payments_to": 0,
        "starting_balance": 2000,
        "misnamed_fine": 50,
        "false_mahjong_fine": None,
    },
    rules=RULES,
    special_hands=SPECIAL_HANDS,
    settling="winner_then_differences",
    half_limit_without_limit=500,
    special_value_without_limit=1000,
    family="British",
    takes_club_hands=True,
    fouls=british.FOULS,
)
