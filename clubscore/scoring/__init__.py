"""The shared scoring rules: plain Python, standard library only. These are the public names.

Glossary: a *hand played* is one hand at the table, a *player's hand* what one player held; *exposed* sets were claimed,
*concealed* ones drawn; *majors* are ones, nines, winds and dragons, *honours* winds and dragons, *bonus tiles* flowers
and seasons; the *Kong box* holds the loose tiles; *fishing* is waiting for one tile of a special hand; a *goulash* is
the hand after one that nobody won.
"""

from clubscore.scoring.hands import ScoringError
from clubscore.scoring.rules import RuleSet
from clubscore.scoring.rulesets import REASONS, RULE_SETS, rule_set_name
from clubscore.scoring.score import is_void, score_hand_played, score_one
from clubscore.scoring.score_format import check_club_hands, house_rules
from clubscore.scoring.switches import HOUSE_RULE_SWITCHES, HouseRules

__all__ = [
    "HOUSE_RULE_SWITCHES",
    "REASONS",
    "RULE_SETS",
    "HouseRules",
    "RuleSet",
    "ScoringError",
    "check_club_hands",
    "house_rules",
    "is_void",
    "rule_set_name",
    "score_hand_played",
    "score_one",
]
