"""What is derived from the rules is as ./run rules makes it; what may change a result raises the edition of its set."""

from dataclasses import replace

import pytest

from clubscore.scoring.rulesets import RULE_SETS, british
from tools import rules

RULE_SET = RULE_SETS["bmja"]


def test_all_that_is_derived_from_the_rules_is_up_to_date():
    kept = rules.read_kept()
    again, said = rules.remake(RULE_SETS, kept, kept)
    assert (again | {"prints": rules.prints_now(RULE_SET)}, said) == (kept, []), "Run ./run rules"


def test_stored_results_still_find_every_name():
    found = rules.reworded(rules.read_kept()["names"], rules.names_now(RULE_SETS))
    assert found == [], "Keep the name; what a set's players read instead goes into the `words` of the set."


def test_a_reworded_name_is_found():
    before, after = {"bmja": {"a": "Knitting", "gone": "Gone"}}, {"bmja": {"a": "Knitted pairs", "new": "New"}}
    assert rules.reworded(before, after) == [
        "bmja: a is now called “Knitted pairs”, and stored results call it “Knitting”."
    ]


def test_every_rule_set_is_another_one():
    assert len({rules.digest(rule_set) for rule_set in RULE_SETS.values()}) == len(RULE_SETS)


def test_the_two_british_sets_have_one_table_but_for_six_rows():
    bmja, u3a = (rules.rows_of(RULE_SETS[key]) for key in ("bmja", "u3a"))
    other = [ours.key for ours, theirs in zip(bmja, u3a, strict=True) if ours != theirs]
    assert other == [
        "original_call_made", "kong_box", "original_call_won", "buried_treasure", "imperial_jade", "heavens_blessing",
    ]  # fmt: skip


def test_a_row_that_a_table_does_not_list_cannot_be_changed_in_it():
    with pytest.raises(ValueError, match="not in list"):
        british.with_changes(british.RULES, (british.IMPERIAL_JADE, {"wording": "No honours."}))


def remade(kept=None, committed=None, **changes):
    """Give what ./run rules keeps of a changed bmja, and what it says."""
    kept = kept or rules.read_kept()
    now, said = rules.remake({**RULE_SETS, "bmja": replace(RULE_SET, **changes)}, kept, committed or rules.read_kept())
    return now, said


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
def test_what_may_change_a_result_raises_the_edition_once_before_the_next_commit(change):
    edition = RULE_SET.edition
    now, said = remade(**change)
    assert now["sets"]["bmja"]["edition"] == edition + 1
    assert said == [f"British (BMJA): rows changed; edition {edition + 1}, was {edition}."]
    assert remade(kept=now, edition=edition + 1, **change) == (now, [])
    more, said = remade(kept=now, edition=edition + 1, **change | {"half_limit_without_limit": 499})
    assert more["sets"]["bmja"]["edition"] == edition + 1
    assert said == [f"British (BMJA): rows changed; edition {edition + 1} stays."]


@pytest.mark.parametrize(
    "change",
    [
        {"source": "Elsewhere"},
        first_rule(sentence="Other words.", name="Other"),
        first_special_hand(examples=()),
    ],
)
def test_words_change_nothing(change):
    now, said = remade(**change)
    assert (now["sets"], said) == (rules.read_kept()["sets"], [])


def test_a_new_special_hand_has_its_name_kept_and_raises_the_edition():
    added = replace(RULE_SET.special_hands[0], key="new_hand", name="New Hand")
    now, said = remade(special_hands=(*RULE_SET.special_hands, added))
    assert now["names"]["bmja"]["new_hand"] == "New Hand"
    assert said == [f"British (BMJA): New Hand added; edition {RULE_SET.edition + 1}, was {RULE_SET.edition}."]


@pytest.mark.parametrize(("standard", "raised"), [(False, 0), (True, 1)])
def test_a_new_switch_raises_the_edition_only_where_its_own_value_changes_a_row(standard, raised):
    """A copy of a row in force, under the new switch alone."""
    before = rules.read_kept()
    known = [switch for switch in before["sets"]["bmja"]["switches"].split() if switch != "clean_only"]
    rows = tuple(row for row in RULE_SET.rules if "clean_only" not in dict(row.when))
    old = replace(RULE_SET, rules=rows, house_rules={key: RULE_SET.house_rules[key] for key in known})
    before["sets"]["bmja"] = rules.kept_of(old)
    extra = replace(rows[0], key="extra", points=5, when=(("clean_only", (True,)),))
    house = {**old.house_rules, "clean_only": standard}
    now, _ = rules.remake({"bmja": replace(old, rules=(*rows, extra), house_rules=house)}, before, before)
    assert now["sets"]["bmja"]["edition"] == RULE_SET.edition + raised


def test_the_edition_is_written_into_its_table(tmp_path, monkeypatch):
    table = (
        '    key="bmja",\n    name="British",\n    edition=3,\n)\n    key="u3a",\n    name="Guide",\n    edition=3,\n'
    )
    (tmp_path / "sets.py").write_text(table)
    monkeypatch.setattr(rules, "ROOT", tmp_path)
    monkeypatch.setattr(rules, "TABLES", ".")
    rules.write_edition("bmja", 4)
    assert (tmp_path / "sets.py").read_text() == table.replace("edition=3", "edition=4", 1)
