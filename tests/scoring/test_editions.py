"""What may change a result raises the edition of its rule set: a session keeps the edition it was scored by."""

from dataclasses import replace

import pytest

from clubscore.scoring.rulesets import RULE_SETS, british
from clubscore.scoring.rulesets.bmja import RULE_SET
from tests.rule_digests import changed_without_an_edition, digest, kept, kept_names, names_now, now, reworded

HOW_TO = "Raise the edition of each rule set whose results may differ, then run .venv/bin/python -m tests.rule_digests"
KEEP_NAMES = (
    "Keep the name, as reconcile compares it; what a set's players read instead goes into the `words` of the set."
)


def test_the_rows_are_those_kept_for_their_edition():
    assert changed_without_an_edition(kept(), now()) == [], HOW_TO
    assert now() == kept(), HOW_TO


def test_every_rule_set_is_another_one():
    assert len({digest(rule_set) for rule_set in RULE_SETS.values()}) == len(RULE_SETS)


def test_the_two_british_sets_have_one_table_but_for_six_rows():
    bmja, u3a = ((*RULE_SETS[key].rules, *RULE_SETS[key].special_hands) for key in ("bmja", "u3a"))
    other = [ours.key for ours, theirs in zip(bmja, u3a, strict=True) if ours != theirs]
    assert other == [
        "original_call_made", "kong_box", "original_call_won", "buried_treasure", "imperial_jade", "heavens_blessing",
    ]  # fmt: skip


def test_a_row_that_a_table_does_not_list_cannot_be_changed_in_it():
    with pytest.raises(ValueError, match="not in list"):
        british.with_changes(british.RULES, (british.PURITY, {"wording": "No honours."}))


def first_rule(**changes):
    return {"rules": (replace(RULE_SET.rules[0], **changes), *RULE_SET.rules[1:])}


def first_special_hand(**changes):
    return {"special_hands": (replace(RULE_SET.special_hands[0], **changes), *RULE_SET.special_hands[1:])}


@pytest.mark.parametrize(
    "change",
    [
        first_rule(points=99),
        first_rule(to="winner"),
        first_rule(question=len),
        first_special_hand(value=9),
        first_special_hand(fishing=9),
        {"rules": RULE_SET.rules[1:]},
        {"house_rules": {**RULE_SET.house_rules, "limit": 999}},
        {"winner_least": 21},
        {"penalties": RULE_SET.penalties[1:]},
    ],
)
def test_what_may_change_a_result_needs_an_edition(change):
    changed = replace(RULE_SET, **change)
    after = {"bmja": {"edition": changed.edition, "digest": digest(changed)}}
    assert changed_without_an_edition(kept(), after) == ["bmja"]
    after["bmja"]["edition"] += 1
    assert changed_without_an_edition(kept(), after) == []


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Other"},
        {"source": "Elsewhere"},
        first_rule(sentence="Other words.", name="Other"),
        first_special_hand(examples=()),
    ],
)
def test_words_need_none(change):
    assert digest(replace(RULE_SET, **change)) == digest(RULE_SET)


def test_rows_keep_the_names_that_stored_results_hold():
    assert reworded(kept_names(), names_now()) == [], KEEP_NAMES
    missing = {where: set(rows) - set(kept_names().get(where, {})) for where, rows in names_now().items()}
    assert {where: keys for where, keys in missing.items() if keys} == {}, "Run .venv/bin/python -m tests.rule_digests"


def test_a_reworded_name_is_found():
    before, after = {"bmja": {"a": "Knitting", "gone": "Gone"}}, {"bmja": {"a": "Knitted pairs", "new": "New"}}
    assert reworded(before, after) == ["bmja: a is now called “Knitted pairs”, and stored results call it “Knitting”."]
