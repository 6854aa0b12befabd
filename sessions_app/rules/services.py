"""Changing what a club plays: its own special hands, its rules and their versions."""

import datetime
from typing import Any

from django.utils.text import slugify

from clubscore import scoring
from clubscore.scoring import RULE_SETS
from sessions_app.models import Club, ClubHand, ClubRules
from sessions_app.people.log import (
    DIFFERENCES,
    Actor,
    as_it_is,
    choice,
    date_words,
    differences_of,
    log_change,
    yes,
)
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.rules.models import MAX_CLUB_HANDS
from sessions_app.rules.switches import changes_told

FACTS = ("name", "tiles", "text", "worth", "points", "fishing", "concealed")

DIFFERENCES["clubhand"] = differences_of(
    {
        "name": ("name", as_it_is),
        "tiles": ("tiles", as_it_is),
        "worth": ("worth", choice(ClubHand.Worth.choices)),
        "points": ("points", as_it_is),
        "fishing": ("fishing score", as_it_is),
        "concealed": ("concealed", yes),
        "since": ("from", date_words),
        "until": ("until", lambda value: date_words(value) if value else "none"),
    }
)

TAKEN_KEYS = {
    row.key  # type: ignore[attr-defined]
    for rule_set in RULE_SETS.values()
    for row in (*rule_set.rules, *rule_set.special_hands)
}


def add_club_hand(club: Club, *, by: Actor, why: str = "", **facts: Any) -> ClubHand:
    """Add a hand to the club's list; its key comes from its name.

    ServiceError for a name that counts already, or where too many hands would count on one day.
    """
    hand = ClubHand(club=club, **facts)
    with write_transaction():
        Club.objects.select_for_update().get(pk=club.pk)
        _refuse_taken(hand)
        _refuse_too_many(hand)
        hand.key = _free_key(club, hand.name)
        hand.save()
        log_change(club, by, "add", hand, {}, _facts(hand), why)
    return hand


def change_club_hand(hand: ClubHand, *, by: Actor, why: str = "", action: str = "change", **facts: Any) -> bool:
    """Change a hand for the sessions to come; return whether anything is otherwise."""
    with write_transaction():
        Club.objects.select_for_update().get(pk=hand.club_id)
        hand = ClubHand.objects.select_for_update().get(pk=hand.pk)
        before, days_before = _facts(hand), (hand.since, hand.until)
        for name, value in facts.items():
            setattr(hand, name, value)
        if _facts(hand) == before:
            return False
        _refuse_taken(hand)
        if (hand.since, hand.until) != days_before:
            _refuse_too_many(hand, days_before)
        hand.save()
        log_change(hand.club, by, action, hand, before, _facts(hand), why)
    return True


def retire_club_hand(hand: ClubHand, last_day: datetime.date, *, by: Actor, why: str = "") -> bool:
    """Set the last day a hand counts, or its first day if that is later."""
    return change_club_hand(hand, by=by, why=why, action="retire", until=max(last_day, hand.since))


def _refuse_taken(hand):
    others = ClubHand.objects.of_club(hand.club).filter(name__iexact=hand.name).exclude(pk=hand.pk)
    for other in others:
        begins_before = hand.until is None or other.since <= hand.until
        if begins_before and (other.until is None or other.until >= hand.since):
            raise ServiceError(f"Enter another name. The club has a hand called {other.name} on those days.", "name")


def _refuse_too_many(hand, before=None):
    """Refuse a day on which the hand would be one too many; `before` are its days until now, on which it counts."""
    period = hand.since, hand.until
    others = list(ClubHand.objects.of_club(hand.club).exclude(pk=hand.pk).values_list("since", "until"))
    # Between one first day and the next, the number of hands that count only falls.
    first_days = {hand.since, *(since for since, _ in others)}
    if before and before[1] and before[1] < datetime.date.max:
        first_days.add(before[1] + datetime.timedelta(days=1))
    for day in sorted(first_days):
        counted = sum(_has_day(one, day) for one in others)
        is_new = _has_day(period, day) and not (before and _has_day(before, day))
        if is_new and counted >= MAX_CLUB_HANDS:
            raise ServiceError(
                f"Choose other days, or retire a hand first. On {day:%-d %B %Y} the club has {counted} special hands "
                f"of its own, and {MAX_CLUB_HANDS} is the most.",
                "since",
            )


def _has_day(period, day):
    since, until = period
    return since <= day and (until is None or day <= until)


def _free_key(club, name):
    longest = ClubHand._meta.get_field("key").max_length
    start = slugify(name).replace("-", "_")[: longest - 4].strip("_") or "own_hand"
    taken = TAKEN_KEYS | set(ClubHand.objects.of_club(club).values_list("key", flat=True))
    numbered = (f"{start}_{number}" for number in range(2, len(taken) + 3))
    return start if start not in taken else next(key for key in numbered if key not in taken)


def _facts(hand):
    dates = {"since": str(hand.since), "until": str(hand.until) if hand.until else None}
    return {name: getattr(hand, name) for name in FACTS} | dates


# What a club plays: choosing its rules, and saving versions of its house rules.


def _edition_differences(before, after):
    """Return what a new version of the house rules changes; nothing if the rules no longer exist."""
    if after.get("rules") not in RULE_SETS:
        return []
    return changes_told(after["rules"], before.get("house_rules") or {}, after.get("house_rules") or {})


DIFFERENCES["edition"] = _edition_differences


def choose_rules(club: Club, rules: str, *, by: Actor, why: str = "") -> bool:
    """Set the rules that the club's new sessions use; return whether they changed."""
    if rules not in scoring.RULE_SETS:
        raise ServiceError(f"Choose the rules from the list. There are none called {rules}.", "rules")
    with write_transaction():
        before = Club.objects.select_for_update().get(pk=club.pk).rules
        if before == rules:
            return False
        Club.objects.filter(pk=club.pk).update(rules=rules)
        log_change(club, by, "rules", club, {"rules": before}, {"rules": rules}, why)
    club.rules = rules
    return True


def save_version(
    club: Club, rules: str, house_rules: dict[str, Any], base: int, *, by: Actor, note: str = ""
) -> ClubRules | None:
    """Save the switches that differ from a rule set as the club's next edition of it; return it.

    None where nothing is otherwise than in the newest edition. `base` is the number of the edition that was changed: a
    newer one saved since is a ServiceError with its number. ScoringError for impossible house rules.
    """
    house = scoring.house_rules(rules, house_rules)
    changed = house.changed(scoring.RULE_SETS[rules].house_rules)
    with write_transaction():
        Club.objects.select_for_update().get(pk=club.pk)
        newest = ClubRules.objects.newest(club, rules)
        number, before = (newest.number, newest.house_rules) if newest else (0, {})
        if number != base:
            raise ServiceError(
                f"Someone else saved version {number} first. Yours is not saved yet. Check both below.", "base"
            )
        if before == changed:
            return None
        edition = ClubRules.objects.create(
            club=club, rules=rules, number=number + 1, house_rules=changed, note=note, made_by=by.user
        )
        facts = {"rules": rules, "number": number + 1, "house_rules": changed}
        log_change(club, by, "edition", edition, {"number": number, "house_rules": before}, facts, note)
    return edition
