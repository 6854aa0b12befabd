"""Names of rule sets for tables and imports: totals may be kept under a rule set that the scorer here does not have."""
from clubscore import scoring

OTHER_RULE_SETS = {
    "western": "Western",
    "beginners": "Beginners",
    "baggaley": "Baggaley",
    "turner": "Turner",
    "chinese_official": "Chinese Official",
}


def known_rule_sets() -> dict[str, str]:
    """Return the name of every rule set that totals may be kept under, by key."""
    return OTHER_RULE_SETS | {rule_set.key: rule_set.name for rule_set in scoring.RULE_SETS.values()}


def rule_set_name(key: str) -> str:
    return known_rule_sets().get(key, key)
