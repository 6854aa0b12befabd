"""The rule sets in the order they are offered; the first is the default."""

from dataclasses import replace

from clubscore.scoring.rules import RuleSet
from clubscore.scoring.rulesets import baggaley, beginners, bmja, chinese_official, turner, u3a, western
from clubscore.scoring.switches import house_rules_of

RULE_SETS: dict[str, RuleSet] = {
    rule_set.key: replace(rule_set, house_rules=house_rules_of(rule_set.key, rule_set.house_rules))
    for rule_set in (
        bmja.RULE_SET,
        u3a.RULE_SET,
        western.RULE_SET,
        beginners.RULE_SET,
        chinese_official.RULE_SET,
        baggaley.RULE_SET,
        turner.RULE_SET,
    )
}

# Why a line counts whose name gives only the tile, by the key of its rule: "own wind"
REASONS = {row.key: row.because for rule_set in RULE_SETS.values() for row in rule_set.rules if row.because}


def rule_set_name(key: str) -> str:
    """Return the name of a rule set; the key itself if there is none by that key."""
    return RULE_SETS[key].name if key in RULE_SETS else key
