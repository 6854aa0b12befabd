"""Compares two ways to play: standard rules, or versions of the club's house rules."""

import datetime
from dataclasses import dataclass
from functools import partial
from typing import Any

from clubscore.league.methods import grouped
from clubscore.play.offered import is_same
from clubscore.scoring import HOUSE_RULE_SWITCHES, RULE_SETS, HouseRules
from clubscore.scoring.rule_table import compile_table
from clubscore.scoring.rules import RuleSet
from clubscore.scoring.switches import SWITCHES
from clubscore.scoring.words import in_words
from sessions_app.models import Club, ClubHand, ClubRules
from sessions_app.rules.club_rules import club_hand_worth, club_hands
from sessions_app.rules.rule_pages import claims, paying, penalties, row_worth_words

ABSENT = "–"


@dataclass(frozen=True)
class Side:
    """One of the two: its key in the address, its name, its house rules and its club hands."""

    key: str
    name: str
    house: HouseRules
    hands: tuple[ClubHand, ...] = ()

    @property
    def rule_set(self) -> RuleSet:
        return RULE_SETS[self.house.rules]


@dataclass(frozen=True)
class Difference:
    """One thing in which the two differ; a dash on a side that does not have it."""

    name: str
    one: str
    other: str


def comparison_choices(club: Club) -> list[tuple[str, str]]:
    """Return what can be compared, as (key, name): every rule set, each followed by the club's versions of it."""
    versions = grouped(ClubRules.objects.of_club(club).order_by("-number"), lambda version: version.rules)
    found = []
    for rule_set in RULE_SETS.values():
        found.append((rule_set.key, rule_set.name))
        found += [
            (f"{rule_set.key}-{version.number}", f"{rule_set.name}: your version {version.number}")
            for version in versions.get(rule_set.key, ())
        ]
    return found


def find_side(club: Club, key: str) -> Side | None:
    """Return the Side for a key such as "bmja" or "bmja-3", or None if there is no such rule set or version."""
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


def _last_day(club: Club, version: ClubRules) -> datetime.date:
    """Return the last day on which a version was the newest: today, or the first day of the next."""
    after = ClubRules.objects.of_club(club).filter(rules=version.rules, number=version.number + 1).first()
    return min(after.since, club.today) if after else club.today


def switch_differences(one: Side, other: Side) -> list[Difference]:
    """Return the switches in which two sides differ."""
    found = []
    for switch in HOUSE_RULE_SWITCHES:
        key, words = switch.key, SWITCHES[switch.key]
        offered = [key in side.rule_set.house_rules for side in (one, other)]
        values = [getattr(side.house, key) for side in (one, other)]
        if any(offered) and (offered[0] != offered[1] or not is_same(*values)):
            labels = [words.label(value) for value in values]
            texts = [label if has_switch else ABSENT for label, has_switch in zip(labels, offered, strict=True)]
            found.append(Difference(words.name, *texts))
    return found


def row_differences(one: Side, other: Side) -> list[Difference]:
    """Return the rules that only one side has, or that have another worth or apply to other players."""
    return _differences(_rule_rows(one), _rule_rows(other))


def special_differences(one: Side, other: Side) -> list[Difference]:
    """Return the special hands that differ, including club hands."""
    return _differences(_special_rows(one), _special_rows(other))


def table_differences(one: Side, other: Side) -> list[Difference]:
    """Return what differs at the table: who pays whom, who gets a discard, and what each penalty costs.

    Two sides that say the same in different vocabulary (Mah-jong, Hu) do not differ.
    """
    pairs = [
        ("Who pays whom", paying(one.house), paying(other.house)),
        ("Who gets a discard", claims(one.rule_set), claims(other.rule_set)),
    ]
    rows = [
        Difference(name, _only_in(ones, others, one), _only_in(others, ones, other))
        for name, ones, others in pairs
        if ones.keys() != others.keys()
    ]
    return [*rows, *_penalty_differences(one, other)]


def _only_in(sentences: dict[tuple[Any, ...], str], others: dict[tuple[Any, ...], str], side: Side) -> str:
    words = side.rule_set.vocabulary()
    return " ".join(in_words(words, sentences[key]) for key in sentences if key not in others) or ABSENT


def _penalty_differences(one: Side, other: Side) -> list[Difference]:
    sides = (one, other)
    ones, others = ({penalty.key: penalty for penalty in penalties(side.house)} for side in sides)
    found = []
    for key in ones | others:
        pair = [penalty for penalty in (ones.get(key), others.get(key)) if penalty]
        sentences_differ = pair[0].sentence != pair[-1].sentence
        if len(pair) == len(sides) and pair[0].cost == pair[1].cost and not sentences_differ:
            continue
        text = partial(_penalty_text, with_sentence=sentences_differ)
        found.append(Difference(pair[0].words, text(one, ones.get(key)), text(other, others.get(key))))
    return found


def _penalty_text(side, penalty, with_sentence):
    if penalty is None:
        return ABSENT
    text = f"{penalty.cost}. {penalty.sentence}" if with_sentence and penalty.sentence else penalty.cost
    return in_words(side.rule_set.vocabulary(), text)


def _differences(ones: dict[str, "_Row"], others: dict[str, "_Row"]) -> list[Difference]:
    """Pair rows by key, or by name if only one side has the key, and return the pairs that differ."""
    keys_by_name = {row.name: key for key, row in ones.items() if key not in others}
    others = {key if key in ones else keys_by_name.get(row.name, key): row for key, row in others.items()}
    found = []
    for key in ones | others:
        one, other = ones.get(key), others.get(key)
        texts = [row.worth if row else ABSENT for row in (one, other)]
        if one and other and texts[0] == texts[1]:
            is_same_question = _identity(one.question) == _identity(other.question) and one.made == other.made
            if is_same_question or one.sentence == other.sentence:
                continue
            texts = [f"{row.worth}: {row.sentence}" for row in (one, other)]
        found.append(Difference((ones.get(key) or others[key]).name, *texts))
    return found


def _identity(question):
    """Return what identifies a question: two that one function made from the same values are the same."""
    cells = getattr(question, "__closure__", None) or ()
    made_by = getattr(question, "__qualname__", None)
    return (made_by, *(cell.cell_contents for cell in cells)) if made_by else question


@dataclass(frozen=True)
class _Row:
    name: str
    worth: str
    sentence: str
    question: object
    made: object = None


def _rule_rows(side: Side) -> dict[str, _Row]:
    found = {}
    for row in (in_force.rule for in_force in compile_table(side.house).rows):
        worth = row_worth_words(row, side.house) + (", winner only" if row.to == "winner" else "")
        found[row.key] = _Row(row.name, worth, row.sentence, row.question)
    return found


def _special_rows(side: Side) -> dict[Any, _Row]:
    found = {
        row.key: _Row(
            row.name, row_worth_words(row, side.house), row.sentence_under(side.house), row.question, row.made
        )
        for row in side.rule_set.special_hands
        if side.house.plays(row)
    }
    for hand in side.hands:
        worth = club_hand_worth(hand.frozen(), side.house)
        found[f"own {hand.key}"] = _Row(f"{hand.name} (your club’s own)", worth, hand.text, hand.key)
    return found
