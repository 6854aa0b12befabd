"""The rule sets in the order they are offered; the first is the default."""

from clubscore.scoring.rules import RuleSet
from clubscore.scoring.rulesets import baggaley, beginners, bmja, chinese_official, turner, u3a, western

RULE_SETS: dict[str, RuleSet] = {
    one.RULE_SET.key: one.RULE_SET for one in (bmja, u3a, western, beginners, chinese_official, baggaley, turner)
}

# Why a line counts whose name says only the tile, by the key of its rule: "own wind".
REASONS = {row.key: row.because for one in RULE_SETS.values() for row in one.rules if row.because}


def rule_set_name(key: str) -> str:
    """Return the name of a rule set; the key itself where there is none of it."""
    return RULE_SETS[key].name if key in RULE_SETS else key
