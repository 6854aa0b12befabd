"""The rules a club plays now, or played on a day: its newest edition, and its own special hands in force."""

import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from clubscore import scoring
from sessions_app.models import ClubHand, ClubRules


class RulesInForce(NamedTuple):
    """A rule set as a club plays it; `number` 0 and no `overrides`: as its source has it."""

    rules: str
    house: scoring.HouseRules
    overrides: dict
    number: int
    hands: list[ClubHand]


def rules_in_force(club, rules=None, on=None):
    """Return the RulesInForce of a club: its newest edition for a rule set (its own, unless told), or that of a day.

    Own hands are those in force on the day, today unless told; none where the rule set takes none.
    """
    rules = rules or club.rules
    edition = _edition_on(club, rules, on) if on else ClubRules.objects.newest(club, rules)
    overrides = edition.house_rules if edition else {}
    day = on or datetime.datetime.now(ZoneInfo(club.time_zone)).date()
    return RulesInForce(
        rules=rules,
        house=scoring.house_rules(rules, overrides),
        overrides=overrides,
        number=edition.number if edition else 0,
        hands=own_hands(club, rules, day),
    )


def own_hands(club, rules, day):
    """Return the club's own hands in force on a day under a rule set."""
    takes = scoring.RULE_SETS[rules].takes_club_hands
    return list(ClubHand.objects.of_club(club).in_force(day)) if takes else []


def newest_editions(club):
    """Return the club's newest edition of every rule set of which it has one, by key; one query."""
    return {edition.rules: edition for edition in ClubRules.objects.of_club(club).order_by("rules", "number")}


def editions(club, rules):
    """Return the club's editions for a rule set, newest first."""
    return list(ClubRules.objects.of_club(club).filter(rules=rules).select_related("made_by").order_by("-number"))


def _edition_on(club, rules, day):
    midnight = datetime.datetime.combine(day + datetime.timedelta(days=1), datetime.time(), ZoneInfo(club.time_zone))
    return ClubRules.objects.of_club(club).filter(rules=rules, made_at__lt=midnight).order_by("-number").first()
