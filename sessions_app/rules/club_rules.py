"""A club's special hands, its rules and their versions, and the services that change them."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.text import slugify

from clubscore import scoring
from clubscore.league.methods import grouped
from clubscore.play.offered import is_same, value_words
from clubscore.play.scoring_by_seat import special_names
from clubscore.scoring import RULE_SETS
from clubscore.scoring.switches import HouseRules
from sessions_app.models import Club, ClubHand, ClubRules, Player, PlayerHand, Season, Session
from sessions_app.people.dates import day_words
from sessions_app.people.log import (
    Actor,
    after_colon,
    differences_of,
    format_date,
    label_in,
    log_change,
    log_sentences,
    or_none,
    yes_or_no,
)
from sessions_app.people.log_sentences import LoggedChange
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.rules.models import MAX_CLUB_HANDS, version_on
from sessions_app.rules.switches import describe_changes


@dataclass(frozen=True)
class SpecialHandPlayed:
    """A special hand in a player's result: the result row, the hand's name, and whether it is a club hand."""

    result: PlayerHand
    name: str
    is_own: bool

    @property
    def session(self) -> Session:
        return self.result.hand.session

    @property
    def player(self) -> Player:
        return self.result.seat.player


def club_hand_rows(club: Club, house: HouseRules, today: datetime.date) -> dict[str, Any]:
    """Return the club hands for the secretary's list, in three groups: "now", "coming" and "retired"."""
    groups: dict[str, list[dict[str, Any]]] = {"now": [], "coming": [], "retired": []}
    for hand in ClubHand.objects.of_club(club):
        group = "coming" if hand.since > today else "retired" if hand.until and hand.until < today else "now"
        worth = club_hand_worth(hand.frozen(), house)
        groups[group].append({"hand": hand, "tiles": hand.tiles.split(), "worth": worth})
    return groups


def club_hand_worth(hand: dict[str, Any], house: HouseRules) -> str:
    """Return what a frozen club hand scores under house rules, for example "the limit, 1,000; fishing 400"."""
    fishing = f"; fishing {hand['fishing']:,}" if hand.get("fishing") is not None else ""
    return f"{value_words(hand['value'], house)}{fishing}"


def special_hands_of(club: Club, season: Season | None = None, **filters: Any) -> list[SpecialHandPlayed]:
    """Return the special hands that counted in a season, or of all time, the latest first; one query.

    Practice tables are left out. Club hands have the name that their session froze. `filters` apply to PlayerHand.
    """
    rows = (
        PlayerHand.objects.of_club(club)
        .filter(hand__session__practice=False, **filters)
        .exclude(special="")
        .select_related("hand__session__club", "hand__entry", "seat__player")
        .order_by("-hand__session__date", "-hand__session_id", "-hand__number", "seat__seat_no")
    )
    if season is not None:
        rows = rows.filter(hand__session__season=season)
    return [_special_hand_played(row) for row in rows]


def _special_hand_played(row: PlayerHand) -> SpecialHandPlayed:
    session = row.hand.session
    club_keys = {hand["key"] for hand in session.club_hands}
    return SpecialHandPlayed(row, special_names(session).get(row.special, row.special), row.special in club_keys)


class RulesInForce(NamedTuple):
    """A rule set as a club plays it; `number` is 0 and `overrides` empty for the standard rules."""

    rules: str
    house: scoring.HouseRules
    overrides: dict
    number: int
    hands: list[ClubHand]


def rules_in_force(
    club: Club, rules: str | None = None, on: datetime.date | None = None, as_started_now: bool = False
) -> RulesInForce:
    """Return the rules that a club plays today, or played on a day; the club's own rule set unless another is given.

    A day before the first version has none, but a session that is entered for it now is played by the first.
    """
    rules, today = rules or club.rules, club.today
    version = ClubRules.objects.in_force(club, rules, on or today, today if as_started_now else on or today)
    overrides = version.house_rules if version else {}
    return RulesInForce(
        rules=rules,
        house=scoring.house_rules(rules, overrides),
        overrides=overrides,
        number=version.number if version else 0,
        hands=club_hands(club, rules, on or today),
    )


def club_hands(club: Club, rules: str, day: datetime.date) -> list[ClubHand]:
    """Return the club hands in force on a day; none if the rule set takes none."""
    return list(ClubHand.objects.of_club(club).in_force(day)) if RULE_SETS[rules].takes_club_hands else []


def versions_in_force(club: Club, day: datetime.date) -> dict[str, ClubRules]:
    """Return the club's version of each rule set that counts on a day, by the rule set's key, in one query."""
    saved, today = grouped(ClubRules.objects.of_club(club), lambda version: version.rules), club.today
    found = {rules: version_on(some, day, today) for rules, some in saved.items()}
    return {rules: version for rules, version in found.items() if version}


def versions(club: Club, rules: str) -> list[ClubRules]:
    """Return the club's versions for a rule set, newest first."""
    return list(ClubRules.objects.of_club(club).filter(rules=rules).select_related("made_by").order_by("-number"))


def known_rule_sets() -> dict[str, str]:
    """Return the name of every rule set, by key."""
    return {rule_set.key: rule_set.name for rule_set in RULE_SETS.values()}


# Services for club hands.


FACTS = ("name", "tiles", "text", "worth", "points", "fishing", "concealed")

log_sentences(
    {
        ("add", "clubhand"): "added the special hand {club_hand}",
        ("change", "clubhand"): "changed the special hand {club_hand}{hand_changes}",
        ("retire", "clubhand"): "removed the special hand {club_hand} from the list",
    },
    club_hand=lambda it: it.names.club_hands.get(it.subject, "a special hand"),
    hand_changes=differences_of(
        {
            "name": ("name", or_none),
            "tiles": ("tiles", or_none),
            "worth": ("worth", label_in(ClubHand.Worth.choices)),
            "points": ("points", or_none),
            "fishing": ("fishing score", or_none),
            "concealed": ("concealed", yes_or_no),
            "since": ("from", format_date),
            "until": ("until", lambda value: format_date(value) if value else "none"),
        }
    ),
)

TAKEN_KEYS = {
    row.key  # type: ignore[attr-defined]
    for rule_set in RULE_SETS.values()
    for row in (*rule_set.rules, *rule_set.special_hands)
}


def add_club_hand(club: Club, *, by: Actor, **facts: Any) -> ClubHand:
    """Add a hand to the club's list; its key comes from its name.

    Raises ServiceError for a name that is taken on those days, or if too many hands would count on one day.
    """
    hand = ClubHand(club=club, **facts)
    with write_transaction():
        Club.objects.select_for_update().get(pk=club.pk)
        _refuse_taken(hand)
        _refuse_too_many(hand)
        hand.key = _free_key(club, hand.name)
        hand.save()
        log_change(club, by, "add", hand, {}, _facts(hand))
    return hand


def change_club_hand(hand: ClubHand, *, by: Actor, action: str = "change", **facts: Any) -> bool:
    """Change a hand for the sessions to come; return whether anything changed."""
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
        log_change(hand.club, by, action, hand, before, _facts(hand))
    return True


def _refuse_taken(hand: ClubHand) -> None:
    others = ClubHand.objects.of_club(hand.club).filter(name__iexact=hand.name).exclude(pk=hand.pk)
    overlapping = others.filter(Q(until=None) | Q(until__gte=hand.since), since__lte=hand.until or datetime.date.max)
    if other := overlapping.first():
        raise ServiceError(f"Enter another name. The club has a hand called {other.name} on those days.", "name")


def _refuse_too_many(hand: ClubHand, before: tuple[datetime.date, datetime.date | None] | None = None) -> None:
    """Refuse a period that would exceed the limit on a day; days in `before`, the saved period, always pass."""
    period = hand.since, hand.until
    others = list(ClubHand.objects.of_club(hand.club).exclude(pk=hand.pk).values_list("since", "until"))
    # The number of hands can only rise on a first day, so checking those days is enough.
    first_days = {hand.since, *(since for since, _ in others)}
    if before and before[1] and before[1] < datetime.date.max:
        first_days.add(before[1] + datetime.timedelta(days=1))
    for day in sorted(first_days):
        counted = sum(_has_day(other, day) for other in others)
        is_new = _has_day(period, day) and not (before and _has_day(before, day))
        if is_new and counted >= MAX_CLUB_HANDS:
            raise ServiceError(
                f"Choose other days, or retire a hand first. On {day_words(day)} the club has {counted} special hands "
                f"of its own, and {MAX_CLUB_HANDS} is the most.",
                "since",
            )


def _has_day(period, day):
    since, until = period
    return since <= day and (until is None or day <= until)


def _free_key(club, name):
    longest = ClubHand._meta.get_field("key").max_length or 0
    start = slugify(name).replace("-", "_")[: longest - 4].strip("_") or "own_hand"
    taken = TAKEN_KEYS | set(ClubHand.objects.of_club(club).values_list("key", flat=True))
    numbered = (f"{start}_{number}" for number in range(2, len(taken) + 3))
    return start if start not in taken else next(key for key in numbered if key not in taken)


def _facts(hand: ClubHand) -> dict[str, Any]:
    dates = {"since": str(hand.since), "until": str(hand.until) if hand.until else None}
    return {name: getattr(hand, name) for name in FACTS} | dates


# Services for the club's rules and the versions of its house rules.


def _version_changes(it: LoggedChange) -> str:
    """Return what a new version of the house rules changes; nothing if the rules no longer exist."""
    rules, before, after = it.after.get("rules"), it.before.get("house_rules"), it.after.get("house_rules")
    return after_colon(describe_changes(rules, before or {}, after or {})) if rules in RULE_SETS else ""


log_sentences(
    {
        "rules": "made {rules} the club’s rules",
        "edition": "saved version {number} of the house rules for {rules}{version_changes}",
    },
    number=lambda it: it.after.get("number"),
    version_changes=_version_changes,
)


def choose_rules(club: Club, rules: str, *, by: Actor) -> bool:
    """Set the rules that the club's new sessions use; return whether they changed."""
    if rules not in RULE_SETS:
        raise ServiceError(f"Choose the rules from the list. There are none called {rules}.", "rules")
    with write_transaction():
        before = Club.objects.select_for_update().get(pk=club.pk).rules
        if before == rules:
            return False
        Club.objects.filter(pk=club.pk).update(rules=rules)
        log_change(club, by, "rules", club, {"rules": before}, {"rules": rules})
    club.rules = rules
    return True


def save_version(
    club: Club,
    rules: str,
    house_rules: dict[str, Any],
    base: int,
    *,
    by: Actor,
    note: str = "",
    since: datetime.date | None = None,
) -> ClubRules | None:
    """Save the switches that differ from the standard rules as the club's next version, from a day on; return it.

    Returns None if nothing differs from the version of that day. Raises ServiceError if the newest version is not
    number `base`, which the caller changed, and ScoringError for impossible house rules.
    """
    house = scoring.house_rules(rules, house_rules)
    changed = house.changed(RULE_SETS[rules].standard)
    with write_transaction():
        Club.objects.select_for_update().get(pk=club.pk)
        newest, today = ClubRules.objects.newest(club, rules), club.today
        since = since or today
        replaced = ClubRules.objects.in_force(club, rules, since, today)
        number, before = newest.number if newest else 0, replaced.house_rules if replaced else {}
        if number != base:
            raise ServiceError(
                f"Someone else saved version {number} first. Yours is not saved yet. Check both below.", "base"
            )
        if before == changed:
            return None
        version = ClubRules.objects.create(
            club=club, rules=rules, number=number + 1, house_rules=changed, note=note, made_by=by.user, since=since
        )
        facts: dict[str, Any] = {"rules": rules, "number": number + 1, "house_rules": changed}
        if since != today:
            facts["since"] = str(since)
        log_change(club, by, "edition", version, {"number": number, "house_rules": before}, facts, note)
    return version


def change_later_versions(version: ClubRules, *, by: Actor) -> list[ClubRules]:
    """Change the same in the versions that begin after this new one, except what they change; return those saved."""
    club, rules, standard = version.club, version.rules, RULE_SETS[version.rules].standard
    with write_transaction():
        others = list(ClubRules.objects.of_club(club).filter(rules=rules).exclude(pk=version.pk))
        replaced = version_on(others, version.since, club.today)
        before = until_then = standard | (replaced.house_rules if replaced else {})
        after, saved = standard | version.house_rules, [version]
        changed = [key for key in standard if not is_same(before[key], after[key])]
        for later in planned_versions(others, version.since):
            house = standard | later.house_rules
            same = {key: after[key] for key in changed if is_same(until_then[key], house[key])}
            until_then = house
            new = save_version(club, rules, house | same, saved[-1].number, by=by, note=version.note, since=later.since)
            saved += [new] if new else []
    return saved[1:]


def planned_versions(versions: Iterable[ClubRules], day: datetime.date) -> list[ClubRules]:
    """Return the versions that begin after a day, in order of time; of two of one day the later one."""
    last = {version.since: version for version in sorted(versions, key=attrgetter("number")) if version.since > day}
    return [last[since] for since in sorted(last)]
