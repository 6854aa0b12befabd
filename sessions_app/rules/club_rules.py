"""A club's own special hands: what they are worth, their names at a table, and the special hands that were played."""

import datetime
from dataclasses import dataclass
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from clubscore import scoring
from clubscore.scoring.switches import HouseRules
from clubscore.scoring.table import compile_table
from clubscore.table.live_scoring import special_names
from sessions_app.models import Club, ClubHand, ClubRules, Player, PlayerHand, Season, Session


@dataclass(frozen=True)
class ClubHandRow:
    """One hand in the secretary's list: its tiles, its worth as the club plays now, and whether it counts today."""

    hand: ClubHand
    tiles: tuple[str, ...]
    worth: str


@dataclass(frozen=True)
class SpecialHandPlayed:
    """A special hand that a player held: the result row, its name, and whether it is the club's own."""

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
    """Return the club's own hands as the list shows them: in force today, to come, and retired."""
    groups = {"now": [], "coming": [], "retired": []}
    for hand in ClubHand.objects.of_club(club):
        group = "coming" if hand.since > today else "retired" if hand.until and hand.until < today else "now"
        groups[group].append(ClubHandRow(hand, tuple(hand.tiles.split()), club_hand_worth(hand, house)))
    return groups


def club_hand_worth(hand: ClubHand, house: HouseRules) -> str:
    """Return what a club hand scores under house rules: "the limit, 1,000; fishing 400"."""
    told = value_words(hand.value, house)
    return told if hand.fishing is None else f"{told}; fishing {hand.fishing:,}"


def value_words(value: Any, house: HouseRules) -> str:
    """Return the value of a club hand as the score format has it: points, "limit" or "half limit"."""
    base = compile_table(house).special_base
    shares = {"limit": (base, "the limit"), "half limit": (base // 2, "half the limit")}
    if value not in shares:
        return f"{value:,}"
    amount, named = shares[value]
    return f"{named}, {amount:,}" if house.limit is not None else f"{amount:,}"


def special_hands_of(club: Club, season: Season | None = None, **which: Any) -> list[SpecialHandPlayed]:
    """Return the special hands that counted in a season, or of all time, the latest first; one query.

    Practice tables are left out. Own hands have the name under which their session froze them. `which` narrows down
    the result rows further.
    """
    rows = (
        PlayerHand.objects.of_club(club)
        .filter(hand__session__practice=False, **which)
        .exclude(special="")
        .select_related("hand__session__club", "hand__entry", "seat__player")
        .order_by("-hand__session__date", "-hand__session_id", "-hand__number", "seat__chair")
    )
    if season is not None:
        rows = rows.filter(hand__session__season=season)
    return [_played(row) for row in rows]


def _played(row):
    session = row.hand.session
    own = {hand["key"] for hand in session.club_hands}
    return SpecialHandPlayed(row, special_names(session).get(row.special, row.special), row.special in own)


# The rules a club plays now, or played on a day: its newest edition, and its own special hands in force.


class RulesInForce(NamedTuple):
    """A rule set as a club plays it; `number` 0 and no `overrides`: as its source has it."""

    rules: str
    house: scoring.HouseRules
    overrides: dict
    number: int
    hands: list[ClubHand]


def rules_in_force(club: Club, rules: str | None = None, on: datetime.date | None = None) -> RulesInForce:
    """Return the RulesInForce of a club: its newest edition for a rule set (its own, unless told), or that of a day.

    Own hands are those in force on the day, today unless told; none where the rule set takes none.
    """
    rules = rules or club.rules
    edition = _version_on(club, rules, on) if on else ClubRules.objects.newest(club, rules)
    overrides = edition.house_rules if edition else {}
    day = on or datetime.datetime.now(ZoneInfo(club.time_zone)).date()
    return RulesInForce(
        rules=rules,
        house=scoring.house_rules(rules, overrides),
        overrides=overrides,
        number=edition.number if edition else 0,
        hands=club_hands(club, rules, day),
    )


def club_hands(club: Club, rules: str, day: datetime.date) -> list[ClubHand]:
    """Return the club's own hands in force on a day under a rule set."""
    takes = scoring.RULE_SETS[rules].takes_club_hands
    return list(ClubHand.objects.of_club(club).in_force(day)) if takes else []


def newest_versions(club: Club) -> dict[str, ClubRules]:
    """Return the club's newest edition of every rule set of which it has one, by key; one query."""
    return {edition.rules: edition for edition in ClubRules.objects.of_club(club).order_by("rules", "number")}


def editions(club: Club, rules: str) -> list[ClubRules]:
    """Return the club's editions for a rule set, newest first."""
    return list(ClubRules.objects.of_club(club).filter(rules=rules).select_related("made_by").order_by("-number"))


def _version_on(club, rules, day):
    midnight = datetime.datetime.combine(day + datetime.timedelta(days=1), datetime.time(), ZoneInfo(club.time_zone))
    return ClubRules.objects.of_club(club).filter(rules=rules, made_at__lt=midnight).order_by("-number").first()


# Names of rule sets, for tables and imports.


def known_rule_sets() -> dict[str, str]:
    """Return the name of every rule set, by key."""
    return {rule_set.key: rule_set.name for rule_set in scoring.RULE_SETS.values()}
