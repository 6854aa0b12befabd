"""Names of rule sets, for tables and imports."""

from clubscore import scoring


def known_rule_sets() -> dict[str, str]:
    """Return the name of every rule set, by key."""
    return {rule_set.key: rule_set.name for rule_set in scoring.RULE_SETS.values()}


def rule_set_name(key: str) -> str:
    return known_rule_sets().get(key, key)
