"""Special hands that a club prices itself or leaves out, one by one, and the amounts of its penalties."""

import pytest
from django.urls import reverse

from clubscore.scoring import RULE_SETS, ScoringError, score_hand_played
from sessions_app.models import ClubRules
from sessions_app.people.log import Actor
from sessions_app.rules.club_rules import rules_in_force
from sessions_app.rules.rule_pages import rule_sections
from sessions_app.table.sessions import start_session
from sessions_app.table.views.hand_entry_page import special_hands
from tests.logins import logins, signed_in
from tests.rules.test_house_rules import address, save

BY = Actor(name="The test")

# BMJA: Imperial Jade scores the limit of 1,000, half with an exposed set under that house rule, fishing 400.
JADE = {"sets": ["exposed pung 2B", "concealed pung 4B", "concealed pung 6B", "concealed pung G", "pair 8B"]}
JADE_FISHING = {
    "sets": ["exposed pung 2B", "concealed pung 4B", "concealed pung 6B", "concealed pung G"], "tiles": "8B",
    "fishing": True,
}  # fmt: skip
NOTHING = {wind: {} for wind in "ESWN"}
WRIGGLING = {"tiles": "1B 1B 2B 3B 4B 5B 6B 7B 8B 9B E S W N"}


def scored(hand, won=True, rules="bmja", **house_rules):
    """Score South's hand: won with West's discard, or North's Mah-jong of 20."""
    tile = hand["sets"][-1].split()[-1] if "sets" in hand else "E"
    hands = {"S": hand} if won else {"S": hand, "N": {"total": 20}}
    mahjong = {"by": "S", "tile": tile, "from": "W"} if won else {"by": "N"}
    played = {"rules": rules, "house_rules": house_rules, "hands": {**NOTHING, **hands}, "mahjong": mahjong}
    return score_hand_played(played)["hands"]["S"]


@pytest.mark.parametrize(
    ("hand", "won", "house_rules", "total"),
    [
        (JADE, True, {}, 1000),
        (JADE, True, {"hand_imperial_jade": "standard"}, 1000),
        (JADE, True, {"hand_imperial_jade": 500}, 500),
        (JADE, True, {"hand_imperial_jade": 500, "exposed_special": "half"}, 250),
        # Fishing for it keeps its share of two fifths.
        (JADE_FISHING, False, {}, 400),
        (JADE_FISHING, False, {"hand_imperial_jade": 500}, 200),
        # A price above the limit is capped, and not where there is no limit.
        (JADE, True, {"hand_imperial_jade": 1500}, 1000),
        (JADE, True, {"hand_imperial_jade": 1500, "limit": None}, 1500),
    ],
)
def test_a_hand_scores_its_price(hand, won, house_rules, total):
    assert scored(hand, won, **house_rules, best_of_special="none")["total"] == total


# As scored above: the limit of 1,000 cuts a price for the winner, and for who fishes at two fifths of it.
@pytest.mark.parametrize(
    ("house_rules", "worth", "fishing_worth"),
    [
        ({"hand_imperial_jade": 1000}, "1,000", "400"),
        ({"hand_imperial_jade": 1500}, "the limit, 1,000", "600"),
        ({"hand_imperial_jade": 3000}, "the limit, 1,000", "the limit, 1,000"),
        ({"hand_imperial_jade": 3000, "limit_applies_to": "winner"}, "the limit, 1,000", "1,200"),
        ({"hand_imperial_jade": 3000, "limit": None}, "3,000", "1,200"),
    ],
)
def test_hand_entry_shows_what_is_paid_for_a_price_above_the_limit(club, cast, house_rules, worth, fishing_worth):
    table_session = start_session(club, club.today, 1, cast.all[:4], "bmja", house_rules, by=BY)
    [jade] = [hand for hand in special_hands(table_session) if hand["key"] == "imperial_jade"]
    assert (jade["worth"], jade["fishing_worth"]) == (worth, fishing_worth)
    for shown, hand, won in ((worth, JADE, True), (fishing_worth, JADE_FISHING, False)):
        total = scored(hand, won, **house_rules, best_of_special="none")["total"]
        assert shown.removeprefix("the limit, ") == f"{total:,}"


def test_hand_entry_shows_what_is_paid_for_a_club_hand_above_the_limit(club, cast):
    table_session = start_session(club, club.today, 1, cast.all[:4], "bmja", {}, by=BY)
    table_session.club_hands = [
        {"key": "tail", "name": "Tail", "value": 2000, "fishing": 1200, "tiles": ""},
        {"key": "small", "name": "Small", "value": 300, "fishing": None, "tiles": ""},
        {"key": "half", "name": "Half", "value": "half limit", "fishing": 200, "tiles": ""},
    ]
    offered = {hand["key"]: (hand["worth"], hand["fishing_worth"]) for hand in special_hands(table_session)}
    assert [offered[key] for key in ("tail", "small", "half")] == [
        ("the limit, 1,000", "the limit, 1,000"), ("300", ""), ("half the limit, 500", "200"),
    ]  # fmt: skip


def test_a_hand_that_is_left_out_is_no_special_hand():
    assert scored(WRIGGLING)["special"] == "wriggling_snake"
    with pytest.raises(ScoringError):
        scored(WRIGGLING, hand_wriggling_snake=None)
    jade = scored(JADE, hand_imperial_jade=None)
    assert (jade["special"], jade["total"] < 1000) == (None, True)


# Baggaley's sheet is one table of figures that are added: a price stands in place of the 40 or 60 alone. 40 self-drawn,
# four flowers of 4 and their bouquet of 32, 1000 for East's dealt hand; pairs of dragons and own wind 2 each, 20 for a
# discard.
ORPHAN = {"tiles": "N S E W R 1C 4C 7C 2D 5D 9D 3B 6B 9B"}
FLOWERS = "F1 F2 F3 F4"
PAIRS = {"tiles": "R R S S 2C 2C 5C 5C 9B 9B 4D 4D 8D 8D", "bonus": "F1"}


@pytest.mark.parametrize(
    ("hand", "mahjong", "key", "total", "price", "priced"),
    [
        ({**ORPHAN, "bonus": FLOWERS}, {"by": "S", "tile": "6B", "from": "wall"}, "orphan", 128, 40, 128),
        ({**ORPHAN, "bonus": FLOWERS}, {"by": "S", "tile": "6B", "from": "wall"}, "orphan", 128, 100, 188),
        (ORPHAN, {"by": "E", "tile": "6B", "from": "wall", "dealt": True}, "orphan", 1080, 40, 1080),
        (PAIRS, {"by": "S", "tile": "8D", "from": "W"}, "seven_pairs", 88, 60, 88),
        (PAIRS, {"by": "S", "tile": "8D", "from": "W"}, "seven_pairs", 88, 100, 128),
        ({"special": "orphan"}, {"by": "S", "from": "wall"}, "orphan", 80, 100, 140),
    ],
)
def test_a_price_where_points_are_added_replaces_those_of_the_hand_alone(hand, mahjong, key, total, price, priced):
    for house_rules, expected in (({}, total), ({f"hand_{key}": price}, priced)):
        played = {"rules": "baggaley", "house_rules": house_rules, "hands": {**NOTHING, mahjong["by"]: hand}}
        found = score_hand_played({**played, "mahjong": mahjong})["hands"][mahjong["by"]]
        assert (found["total"], found["special"]) == (expected, key)
        assert sum(line["points"] * line.get("count", 1) for line in found["lines"]) == expected


# The guide: "Double 3 times, same when fishing". Kong of 2 Circles 8, pung of 9 Circles 8, pung of 5 Circles 4: 20.
PURITY_FISHING = {"sets": ["exposed kong 2D"], "tiles": "1D 1D 9D 9D 9D 5D 5D 5D 3D 3D", "fishing": True}
PURITY_WON = {"sets": ["exposed pung 2B", "concealed pung 5B", "exposed kong 9B", "concealed pung 7B", "pair 3B"]}


@pytest.mark.parametrize("rules", ["bmja", "u3a"])
@pytest.mark.parametrize("price", [500, 300])
def test_purity_at_a_price_keeps_its_fishing_score(rules, price):
    priced = {"hand_purity": price}
    for house_rules in ({}, priced):
        fishing = scored(PURITY_FISHING, False, rules, **house_rules)
        found = [fishing[key] for key in ("fishing_for", "points", "doubles", "total")]
        assert found == ["purity", 20, 3, 160]
        with pytest.raises(ScoringError, match="Purity needs its tiles or its points"):
            scored({"fishing_for": "purity"}, False, rules, **house_rules)
    assert scored(PURITY_WON, True, rules, best_of_special="none")["total"] == 368
    won = scored(PURITY_WON, True, rules, **priced, best_of_special="none")
    assert (won["total"], won["special"], won["points"]) == (price, "purity", None)


def test_hand_entry_offers_purity_by_name_to_the_winner_once_it_has_a_price(club, cast):
    offered = {}
    for table, house_rules in enumerate(({}, {"hand_purity": 500}), start=1):
        table_session = start_session(club, club.today, table, cast.all[:4], "bmja", house_rules, by=BY)
        offered[table] = {hand["key"]: hand for hand in special_hands(table_session)}
    assert "purity" not in offered[1]
    assert (offered[2]["purity"]["worth"], offered[2]["purity"]["fishable"]) == ("500", False)


def test_hand_entry_says_what_a_priced_hand_adds(club, cast):
    table_session = start_session(club, club.today, 1, cast.all[:4], "baggaley", {"hand_orphan": 100}, by=BY)
    offered = {hand["key"]: hand["worth"] for hand in special_hands(table_session)}
    assert offered == {"orphan": "100 points and more", "seven_pairs": "60 points and more"}


# What the sentence of an unpriced hand says of its score, in any rule set.
STANDARD_WORTHS = ("limit", "agreed value", "score 40", "score 60", "its points doubled")


def rows_of(rules, house_rules=None):
    sections = rule_sections(rules, house_rules or {})
    return {row.key: row for section in sections for row in section.rows if not row.under}


@pytest.mark.parametrize("rules", [rules for rules in RULE_SETS if RULE_SETS[rules].special_hands])
def test_the_sentence_of_a_priced_hand_names_its_price(club, cast, rules):
    keys = [hand.key for hand in RULE_SETS[rules].special_hands]
    house_rules = {f"hand_{key}": 310 for key in keys}
    priced, plain = rows_of(rules, house_rules), rows_of(rules)
    table_session = start_session(club, club.today, 1, cast.all[:4], rules, house_rules, by=BY)
    offered = {hand["key"]: hand["sentence"] for hand in special_hands(table_session, table_session.vocabulary())}
    assert {key: offered[key] for key in keys} == {key: priced[key].sentence for key in keys}
    for key in keys:
        assert "310" in priced[key].sentence, key
        assert "310" in priced[key].worth, key
        assert not [words for words in STANDARD_WORTHS if words in priced[key].sentence], key
        # Without a price nothing of it is left over.
        assert "310" not in plain[key].sentence, key
        assert "{" not in plain[key].sentence, key


def test_a_priced_original_hand_is_nowhere_a_limit_hand():
    rows = {row.key: row for section in rule_sections("western", {"hand_original_hand": 300}) for row in section.rows}
    assert rows["original_hand"].sentence.endswith("as dealt and the first draw, scores 300.")
    assert "limit" not in rows["original"].sentence


def test_the_rules_page_says_what_fishing_for_a_priced_purity_scores():
    [row] = [
        one for section in rule_sections("u3a", {"hand_purity": 500}) for one in section.rows if one.key == "purity"
    ]
    assert row.worth == "500; fishing its points, doubled 3 times"
    assert row.sentence.endswith("no chow: 500; fishing for it, your points doubled three times.")


@pytest.mark.parametrize("value", [5, 15, 0, -10, True, "free", 10**12])
def test_a_price_that_cannot_be_is_refused(value):
    with pytest.raises(ScoringError):
        RULE_SETS["bmja"].house({"hand_imperial_jade": value})


def test_a_hand_of_other_rules_has_no_price():
    with pytest.raises(ScoringError, match="is not one of the house rules of"):
        RULE_SETS["western"].house({"hand_imperial_jade": 500})


@pytest.mark.parametrize(
    ("rules", "house_rules", "penalty", "net"),
    [
        ("bmja", {}, {"kind": "misnamed discard", "by": "W", "to": "S"}, {"E": 0, "S": 50, "W": -50, "N": 0}),
        ("bmja", {"misnamed_fine": 80}, {"kind": "misnamed discard", "by": "W", "to": "S"},
         {"E": 0, "S": 80, "W": -80, "N": 0}),
        ("bmja", {}, {"kind": "false mahjong", "by": "S"}, {"E": 500, "S": -1500, "W": 500, "N": 500}),
        ("bmja", {"false_mahjong_fine": 200}, {"kind": "false mahjong", "by": "S"},
         {"E": 200, "S": -600, "W": 200, "N": 200}),
        ("western", {"false_mahjong_fine": 100}, {"kind": "false mahjong", "by": "S"},
         {"E": 100, "S": -300, "W": 100, "N": 100}),
        ("chinese_official", {}, {"kind": "false mahjong", "by": "S"}, {"E": 20, "S": -60, "W": 20, "N": 20}),
        ("chinese_official", {"false_hu_fine": 35}, {"kind": "false mahjong", "by": "S"},
         {"E": 35, "S": -105, "W": 35, "N": 35}),
    ],
)  # fmt: skip
def test_penalties_cost_what_the_house_rules_say(rules, house_rules, penalty, net):
    played = {"rules": rules, "house_rules": house_rules, "hands": NOTHING, "mahjong": None}
    assert score_hand_played({**played, "penalties": [penalty]})["net"] == net


@pytest.fixture
def secretary(club):
    return signed_in(logins(club)["secretary"])


@pytest.mark.postgres
def test_the_page_prices_hands_in_a_version_of_the_house_rules(secretary, club, cast):
    before = start_session(club, club.today, 1, cast.all[:4], "bmja", {}, by=BY)
    changes = {"hand_imperial_jade": "1,000", "hand_wriggling_snake_none": "on", "misnamed_fine": "80"}
    assert save(secretary, club, **changes).status_code == 302
    version = ClubRules.objects.get()
    assert version.house_rules == {"hand_imperial_jade": 1000, "hand_wriggling_snake": None, "misnamed_fine": 80}
    page = secretary.get(address(club)).content.decode()
    assert "your club plays without Wriggling Snake." in page
    assert "your club plays Imperial Jade at 1,000 points." in page
    rules = secretary.get(reverse("rules", args=[club.slug])).content.decode()
    assert "Wriggling Snake: Not played" in rules
    # A table that began before keeps its rules; a new one offers no hand that is left out, and the price as a figure.
    assert "wriggling_snake" in {hand["key"] for hand in special_hands(before)}
    after = start_session(club, club.today, 2, cast.all[:4], "bmja", rules_in_force(club).overrides, by=BY)
    offered = {hand["key"]: (hand["worth"], hand["fishing_worth"]) for hand in special_hands(after)}
    assert "wriggling_snake" not in offered
    assert offered["imperial_jade"] == ("1,000", "400")


def test_a_price_out_of_reason_is_asked_again(secretary, club):
    answer = save(secretary, club, hand_imperial_jade="55")
    assert answer.status_code == 422
    sentence = "Enter what Imperial Jade scores in tens, from 10 to 1,000,000, or leave it empty. For example, 500."
    assert sentence in answer.content.decode()
    assert not ClubRules.objects.exists()


def test_choices_of_the_page_as_it_stands_change_nothing(secretary, club):
    save(secretary, club)
    assert not ClubRules.objects.exists()
