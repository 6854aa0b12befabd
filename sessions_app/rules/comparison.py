"""Two ways to play side by side: standard rules, or versions of the club's own."""

import datetime
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from clubscore.scoring import HOUSE_RULE_SWITCHES, RULE_SETS, HouseRules
from clubscore.scoring.rules import RuleSet
from clubscore.scoring.switches import SWITCHES
from clubscore.scoring.table import compile_table
from clubscore.scoring.words import in_words
from sessions_app.models import Club, ClubHand, ClubRules
from sessions_app.rules.club_rules import club_hand_worth, club_hands
from sessions_app.rules.rule_pages import claims, paying, penalties, worth_words
from sessions_app.rules.switches import same

ABSENT = "–"


@dataclass(frozen=True)
class Side:
    """One of the two: its key in the address, its name, its house rules, and the club's own hands with it."""

    key: str
    name: str
    house: HouseRules
    hands: tuple[ClubHand, ...] = ()

    @property
    def rule_set(self) -> RuleSet:
        return RULE_SETS[self.house.rules]


@dataclass(frozen=True)
class Difference:
    """One thing in which the two differ; a dash stands where one has no such thing."""

    name: str
    one: str
    other: str


def choices_of(club: Club) -> list[tuple[str, str]]:
    """Return what can be compared, (key, name): every rule set, and the club's versions of it."""
    made = {}
    for version in ClubRules.objects.of_club(club).order_by("-number"):
        made.setdefault(version.rules, []).append(version.number)
    found = []
    for rule_set in RULE_SETS.values():
        found.append((rule_set.key, rule_set.name))
        found += [
            (f"{rule_set.key}-{number}", f"{rule_set.name}: your version {number}")
            for number in made.get(rule_set.key, ())
        ]
    return found


def side_of(club: Club, key: str) -> Side | None:
    """Return the Side of a key such as "bmja" or "bmja-3"; None where there is none."""
    rules, _, number = key.partition("-")
    if rules not in RULE_SETS:
        return None
    if not number:
        return Side(key, RULE_SETS[rules].name, RULE_SETS[rules].house())
    if not (number.isascii() and number.isdecimal() and len(number) < 9):
        return None
    version = ClubRules.objects.of_club(club).filter(rules=rules, number=int(number)).first()
    if version is None:
        return None
    name = f"{RULE_SETS[rules].name}: your version {version.number}"
    hands = tuple(club_hands(club, rules, _last_day(club, version)))
    return Side(key, name, RULE_SETS[rules].house(version.house_rules), hands)


def _last_day(club, version):
    """Return the last day on which a version was the newest: today, or the day the next was made."""
    after = ClubRules.objects.of_club(club).filter(rules=version.rules, number=version.number + 1).first()
    moment = after.made_at if after else datetime.datetime.now(datetime.UTC)
    return moment.astimezone(ZoneInfo(club.time_zone)).date()


def switch_differences(one: Side, other: Side) -> list[Difference]:
    """Return the switches in which two sides differ."""
    found = []
    for switch in HOUSE_RULE_SWITCHES:
        key, words = switch.key, SWITCHES[switch.key]
        offered = [key in side.rule_set.house_rules for side in (one, other)]
        values = [getattr(side.house, key) for side in (one, other)]
        if any(offered) and (offered[0] != offered[1] or not same(*values)):
            texts = [words.label(value) if has else ABSENT for value, has in zip(values, offered, strict=True)]
            found.append(Difference(words.name, *texts))
    return found


def row_differences(one: Side, other: Side) -> list[Difference]:
    """Return the rows of the two tables which are worth something else, count for others, or stand in one alone."""
    return _differences(*(_rows(side) for side in (one, other)))


def special_differences(one: Side, other: Side) -> list[Difference]:
    """Return the special hands that differ, the club's own among them."""
    return _differences(*({**_specials(side), **_own(side)} for side in (one, other)))


def table_differences(one: Side, other: Side) -> list[Difference]:
    """Return what differs at the table: who pays whom, who gets a discard, and what each penalty costs.

    Two sides that say the same each in words of their own (Mah-jong, Hu) do not differ.
    """
    found = [
        ("Who pays whom", [paying(side.house) for side in (one, other)]),
        ("Who gets a discard", [claims(side.rule_set) for side in (one, other)]),
    ]
    rows = [
        Difference(name, _said_alone(one, *said), _said_alone(other, *reversed(said)))
        for name, said in found
        if said[0].keys() != said[1].keys()
    ]
    return [*rows, *_penalty_differences(one, other)]


def _said_alone(side, said, by_other):
    alone = [in_words(side.rule_set.vocabulary(), said[key]) for key in said if key not in by_other]
    return " ".join(alone) or ABSENT


def _penalty_differences(one, other):
    sides = (one, other)
    ones, others = ({penalty.key: penalty for penalty in penalties(side.house)} for side in sides)
    found = []
    for key in dict.fromkeys([*ones, *others]):
        pair = ones.get(key), others.get(key)
        if None not in pair and (pair[0].cost, pair[0].sentence) == (pair[1].cost, pair[1].sentence):
            continue
        says_more = None not in pair and pair[0].sentence != pair[1].sentence
        texts = [_penalty_text(side, penalty, says_more) for side, penalty in zip(sides, pair, strict=True)]
        found.append(Difference(next(penalty.words for penalty in pair if penalty), *texts))
    return found


def _penalty_text(side, penalty, says_more):
    if penalty is None:
        return ABSENT
    text = f"{penalty.cost}. {penalty.sentence}" if says_more and penalty.sentence else penalty.cost
    return in_words(side.rule_set.vocabulary(), text)


def _differences(ones, others):
    """Pair rows by key, or by name where the keys are others; the same worth for the same thing is no difference."""
    others = _named_alike(ones, others)
    found = []
    for key in dict.fromkeys([*ones, *others]):
        one, other = ones.get(key), others.get(key)
        texts = [row.worth if row else ABSENT for row in (one, other)]
        if texts[0] == texts[1]:
            if _asked(one.question) == _asked(other.question) or one.sentence == other.sentence:
                continue
            texts = [f"{row.worth}: {row.sentence}" for row in (one, other)]
        found.append(Difference((one or other).name, *texts))
    return found


def _asked(question):
    """Return what a question asks, for two made by one function from the same parts are one question."""
    cells = getattr(question, "__closure__", None) or ()
    made = getattr(question, "__qualname__", None)
    return (made, *(cell.cell_contents for cell in cells)) if made else question


def _named_alike(ones, others):
    alone = {row.name: key for key, row in ones.items() if key not in others}
    return {key if key in ones else alone.get(row.name, key): row for key, row in others.items()}


@dataclass(frozen=True)
class _Row:
    name: str
    worth: str
    sentence: str
    question: object


def _rows(side):
    rows = [in_force.rule for in_force in compile_table(side.house).rows]
    return {row.key: _row(row, side.house, row.to == "winner") for row in rows}


def _specials(side):
    rows = [row for row in side.rule_set.special_hands if side.house.plays(row)]
    return {row.key: _row(row, side.house, False) for row in rows}


def _row(row, house, winner_alone):
    worth = worth_words(row, house) + (", winner only" if winner_alone else "")
    return _Row(row.name, worth, row.sentence, row.question)


def _own(side):
    return {f"own {hand.key}": _own_row(hand, side) for hand in side.hands}


def _own_row(hand, side):
    worth = club_hand_worth(hand.frozen(), side.house)
    return _Row(f"{hand.name} (your club’s own)", worth, hand.text, hand.key)
