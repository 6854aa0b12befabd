"""What a club plays: choosing its rule set, and saving editions of its house rules."""

from clubscore import scoring
from sessions_app.models import Club, ClubRules

from .errors import ServiceError
from .log import log_change
from .transactions import write_transaction


def choose_rules(club, rules, *, by, why=""):
    """Make a rule set the one that the club's sessions start with; return whether it was another before."""
    if rules not in scoring.RULE_SETS:
        raise ServiceError(f"There is no rule set {rules}.", "rules")
    with write_transaction():
        before = Club.objects.select_for_update().get(pk=club.pk).rules
        if before == rules:
            return False
        Club.objects.filter(pk=club.pk).update(rules=rules)
        log_change(club, by, "rules", club, {"rules": before}, {"rules": rules}, why)
    club.rules = rules
    return True


def save_edition(club, rules, house_rules, base, *, by, note=""):
    """Save the switches that differ from a rule set as the club's next edition of it; return it.

    None where nothing is otherwise than in the newest edition. `base` is the number of the edition that was changed: a
    newer one made meanwhile is a ServiceError with its number. ScoringError for house rules that cannot be.
    """
    house = scoring.house_rules(rules, house_rules)
    changed = house.changed(scoring.RULE_SETS[rules].house_rules)
    with write_transaction():
        Club.objects.select_for_update().get(pk=club.pk)
        newest = ClubRules.objects.newest(club, rules)
        number, before = (newest.number, newest.house_rules) if newest else (0, {})
        if number != base:
            raise ServiceError(f"Edition {number} was saved meanwhile. Yours is not saved: look at both below.", "base")
        if before == changed:
            return None
        edition = ClubRules.objects.create(
            club=club, rules=rules, number=number + 1, house_rules=changed, note=note, made_by=by.user
        )
        facts = {"rules": rules, "number": number + 1, "house_rules": changed}
        log_change(club, by, "edition", edition, {"number": number, "house_rules": before}, facts, note)
    return edition
