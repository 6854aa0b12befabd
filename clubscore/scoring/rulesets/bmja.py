"""British (BMJA): the British table, with the rows that the British Mah-Jong Association plays differently."""

from clubscore.scoring.rules import LIMIT, Example, RuleSet
from clubscore.scoring.rulesets import british
from clubscore.scoring.switches import GREENS_EXPOSED, WITH_KONG

RULES = british.with_changes(
    british.RULES,
    (british.ORIGINAL_CALL_MADE, {"source": british.PRACTICE + ": original call"}),
    (british.KONG_BOX, {"examples": (Example(WITH_KONG, 64, {"by": "S", "tile": "7D", "from": "kong box"}),)}),
    (british.ORIGINAL_CALL_WON, {"source": british.PRACTICE + ": original call"}),
)

DEALT_BY_EAST = {"by": "E", "tile": "R", "from": "wall", "dealt": True}
SPECIAL_HANDS = british.with_changes(
    british.SPECIAL_HANDS,
    (british.BURIED_TREASURE_PAIR_CLAIMED, {"source": british.PRACTICE + ": Buried Treasure"}),
    (british.IMPERIAL_JADE, {"examples": (Example(GREENS_EXPOSED, LIMIT, {"by": "S", "tile": "8B", "from": "W"}),)}),
    (british.HEAVENS_BLESSING, {"examples": (Example(british.DEALT, LIMIT, DEALT_BY_EAST, seat="E"),)}),
)

RULE_SET = RuleSet(
    key="bmja",
    name="British (BMJA)",
    edition=3,
    source=f"{british.GUIDE} and {british.PRACTICE}",
    sentence=f"East pays and receives double, limit 1,000, {len({hand.key for hand in SPECIAL_HANDS})} special hands.",
    called="The BMJA",
    house_rules={
        "limit": 1000,
        "limit_applies_to": "all",
        "east_mode": "settlement",
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
        "goulash": True,
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
    penalties=british.PENALTIES,
)
