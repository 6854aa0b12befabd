"""The u3a Beginners' Guide, to the letter: the British table as it stands."""

from clubscore.scoring.rules import RuleSet
from clubscore.scoring.rulesets import british

RULE_SET = RuleSet(
    key="u3a",
    name="u3a Beginners' Guide, to the letter",
    edition=3,
    source="u3a Beginners Guide",
    sentence="As printed: East's double is in the winner's score, exposed special hands score half.",
    called="The u3a guide",
    house_rules={
        "limit": 1000,
        "limit_applies_to": "all",
        "east_mode": "score",
        "max_chows": 1,
        "clean_only": False,
        "exposed_special": "half",
        "special_bonus_over_limit": True,
        "best_of_special": "fishing",
        "buried_treasure_last_claim": "none",
        "original_call": "winner",
        "concealed_allows_last_claim": False,
        "two_points_on_loose_tile": True,
        "bouquet_includes_own": True,
        "double_wind_pair": 4,
        "east_max": 3,
        "goulash": True,
        "starting_balance": 3000,
        "misnamed_fine": 50,
        "false_mahjong_fine": None,
    },
    rules=british.RULES,
    special_hands=british.SPECIAL_HANDS,
    settling="winner_then_differences",
    half_limit_without_limit=500,
    special_value_without_limit=1000,
    family="British",
    takes_club_hands=True,
    penalties=british.PENALTIES,
)
