"""Who pays whom: hands worked out from the rules, and properties that hold for any hand."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubscore.scoring import ScoringError
from clubscore.scoring.settlement import (
    PENALTY_KINDS,
    SETTLING_METHODS,
    Payment,
    Settled,
    Settling,
    settle,
)

DATA = Path(__file__).parents[1] / "data"

BMJA = Settling(east_mode="settlement", limit=1000, misnamed_penalty=50)
U3A = Settling(east_mode="score", limit=1000, misnamed_penalty=50)
WESTERN = Settling(east_mode="settlement", limit=600, half_limit_without_limit=300)
BEGINNERS = Settling(method="differences", east_mode="none", half_limit_without_limit=300)
BAGGALEY = Settling(method="differences", recording="straight", half_limit_without_limit=300)
OFFICIAL = Settling(method="official", false_mahjong_penalty=20, everyones_share=8)
OF_RULE_SET = {
    "bmja": BMJA,
    "u3a": U3A,
    "western": WESTERN,
    "beginners": BEGINNERS,
    "baggaley": BAGGALEY,
    "turner": BAGGALEY,
    "chinese_official": OFFICIAL,
}
SWITCHES = ("recording", "east_mode", "limit", "round_payments_to")

TOTALS = {"E": 224, "S": 64, "W": 24, "N": 64}


def facts_of(hand):
    overrides = hand.get("house_rules") or {}
    return OF_RULE_SET[hand.get("rules", "bmja")]._replace(
        **{key: overrides[key] for key in SWITCHES if key in overrides}
    )


def examples(file):
    rows = [json.loads(line) for line in (DATA / file).read_text().splitlines()]
    return [(row["input"], row["expect"]) for row in rows if "expect" in row]


def club_night():
    tables = json.loads((DATA / "club-night.json").read_text())["tables"]
    return [
        ({**hand["input"], "house_rules": table["house_rules"]}, hand["expect"])
        for table in tables
        for hand in table["hands"]
    ]


def moved(payments):
    """Add up what each player pays each other, as the examples are compared."""
    amounts = Counter()
    for payer, payee, amount, why in payments:
        amounts[payer, payee, why] += amount
    return amounts


@pytest.mark.parametrize("file", ["worked-hands.jsonl", "random-hands.jsonl", "chinese-official.jsonl", "club night"])
def test_examples_are_settled_as_expected(file):
    for hand, expect in club_night() if file == "club night" else examples(file):
        mahjong = hand.get("mahjong") or []
        ways = mahjong if isinstance(mahjong, list) else [mahjong]
        totals = {wind: row.get("total", 99) for wind, row in expect["hands"].items()}
        winners, discarder = tuple(way["by"] for way in ways), ways[0].get("from") if ways else None
        settled = settle(totals, winners, discarder, hand.get("penalties", []), facts_of(hand))
        assert settled.net == expect["net"], hand
        assert moved(settled.payments) == moved(tuple(row.values()) for row in expect["payments"]), hand


# Order and methods


def test_the_hand_of_the_score_format_in_its_order():
    assert settle(TOTALS, ("S",), "W", [], BMJA) == Settled(
        [
            Payment("E", "S", 128, "mah-jong"),
            Payment("W", "S", 64, "mah-jong"),
            Payment("N", "S", 64, "mah-jong"),
            Payment("W", "E", 400, "difference"),
            Payment("N", "E", 320, "difference"),
            Payment("W", "N", 40, "difference"),
        ],
        {"E": 592, "S": 256, "W": -504, "N": -344},
    )


@pytest.mark.parametrize(
    ("facts", "net"),
    [
        pytest.param(BMJA, {"E": 592, "S": 256, "W": -504, "N": -344}, id="East pays and receives double"),
        pytest.param(U3A, {"E": 296, "S": 192, "W": -304, "N": -184}, id="East's double is in the score"),
        pytest.param(BEGINNERS, {"E": 520, "S": -120, "W": -280, "N": -120}, id="the winner settles differences too"),
        pytest.param(BAGGALEY, {"E": 224, "S": 64, "W": 24, "N": 64}, id="nobody pays"),
        pytest.param(OFFICIAL, {"E": -8, "S": 88, "W": -72, "N": -8}, id="the discarder pays 8 and the total"),
        pytest.param(BMJA._replace(round_payments_to=10), {"E": 590, "S": 250, "W": -500, "N": -340}, id="to ten"),
    ],
)
def test_net_by_method(facts, net):
    assert settle(TOTALS, ("S",), "W", [], facts).net == net


@pytest.mark.parametrize("won_from", ["wall", "kong box", None])
def test_official_self_drawn_all_pay_both(won_from):
    assert settle({"E": 30, "S": 0, "W": 0, "N": 0}, ("E",), won_from, [], OFFICIAL).payments == [
        Payment("S", "E", 38, "mah-jong"),
        Payment("W", "E", 38, "mah-jong"),
        Payment("N", "E", 38, "mah-jong"),
    ]


@pytest.mark.parametrize("facts", OF_RULE_SET.values(), ids=OF_RULE_SET)
def test_a_drawn_hand_pays_nobody(facts):
    assert settle(TOTALS, (), None, [], facts) == Settled([], {"E": 0, "S": 0, "W": 0, "N": 0})


def test_the_limit_does_not_cap_what_east_pays():
    assert settle({"E": 0, "S": 1000, "W": 0}, ("S",), "E", [], BMJA).payments == [
        Payment("E", "S", 2000, "mah-jong"),
        Payment("W", "S", 1000, "mah-jong"),
    ]


def test_three_players():
    assert settle({"E": 16, "S": 40, "N": 4}, ("S",), "wall", [], BMJA) == Settled(
        [
            Payment("E", "S", 80, "mah-jong"),
            Payment("N", "S", 40, "mah-jong"),
            Payment("N", "E", 24, "difference"),
        ],
        {"E": -56, "S": 120, "N": -64},
    )


def test_a_winner_below_a_loser_pays_only_where_all_settle_differences():
    totals = {"E": 96, "S": 20, "W": 0, "N": 0}
    assert settle(totals, ("S",), "W", [], U3A).net == {"E": 172, "S": 60, "W": -116, "N": -116}
    assert settle(totals, ("S",), "W", [], BEGINNERS) == Settled(
        [
            Payment("S", "E", 76, "difference"),
            Payment("W", "S", 20, "mah-jong"),
            Payment("N", "S", 20, "mah-jong"),
            Payment("W", "E", 96, "difference"),
            Payment("N", "E", 96, "difference"),
        ],
        {"E": 268, "S": -36, "W": -116, "N": -116},
    )


@pytest.mark.parametrize("facts", [BMJA, BEGINNERS], ids=["losers two by two", "everybody"])
def test_a_difference_of_one_point_is_paid_too(facts):
    settled = settle({"E": 10, "S": 40, "W": 9}, ("S",), "wall", [], facts._replace(east_mode="none"))
    assert Payment("W", "E", 1, "difference") in settled.payments


def test_two_winners_settle_differences_between_themselves_too():
    facts = BAGGALEY._replace(recording="settle")
    assert settle({"E": 8, "S": 4, "W": 50, "N": 32}, ("W", "N"), "S", [], facts).payments == [
        Payment("N", "W", 18, "difference"),
        Payment("E", "W", 42, "mah-jong"),
        Payment("S", "W", 46, "mah-jong"),
        Payment("E", "N", 24, "mah-jong"),
        Payment("S", "N", 28, "mah-jong"),
        Payment("S", "E", 4, "difference"),
    ]


def test_each_of_two_winners_is_paid_in_full_by_the_losers():
    assert settle({"E": 8, "S": 4, "W": 50, "N": 32}, ("W", "N"), "S", [], U3A).net == {
        "E": -78,
        "S": -86,
        "W": 100,
        "N": 64,
    }


# Rounding


@pytest.mark.parametrize(("total", "paid"), [(24, 20), (25, 30), (26, 30), (30, 30), (5, 10)])
def test_payments_to_the_nearest_ten_halves_up(total, paid):
    facts = U3A._replace(round_payments_to=10)
    payments = settle({"E": 0, "S": total, "W": 0, "N": 0}, ("S",), "E", [], facts).payments
    assert [payment.amount for payment in payments] == [paid, paid, paid]


def test_what_rounds_to_nothing_is_left_out():
    assert settle({"E": 0, "S": 4, "W": 0}, ("S",), "E", [], U3A._replace(round_payments_to=10)).payments == []


def test_east_is_doubled_before_rounding():
    facts = BMJA._replace(round_payments_to=10)
    assert settle({"E": 0, "S": 24, "W": 0}, ("S",), "E", [], facts).payments == [
        Payment("E", "S", 50, "mah-jong"),
        Payment("W", "S", 20, "mah-jong"),
    ]


def test_fines_are_rounded_and_paying_for_all_is_rounded_once():
    facts = U3A._replace(round_payments_to=10)
    fine = {"kind": "fine", "by": "W", "amount": 25}
    assert settle({"E": 0, "S": 24, "W": 0, "N": 0}, ("S",), "W", [{"kind": "cannon", "by": "W"}, fine], facts) == (
        [Payment("W", "S", 70, "penalty"), Payment("W", None, 30, "penalty")],
        {"E": 0, "S": 70, "W": -100, "N": 0},
    )


# Penalties


def penalty(kind, by, **rest):
    return {"kind": kind, "by": by, **rest}


@pytest.mark.parametrize("kind", ["cannon", "misnamed discard for mahjong"])
@pytest.mark.parametrize(
    ("facts", "winner", "by", "amount"),
    [
        pytest.param(U3A, "S", "N", 960, id="three shares"),
        pytest.param(BMJA, "S", "N", 1280, id="East's share is double, no matter who pays it"),
        pytest.param(BMJA, "S", "E", 1280, id="also when East pays them all"),
        pytest.param(BMJA, "E", "S", 48, id="East has won: all three double"),
        pytest.param(BEGINNERS, "S", "N", 872, id="the differences which the losers would have paid"),
        pytest.param(OFFICIAL, "S", "N", 344, id="official: 8 and the total, 8, 8"),
    ],
)
def test_one_pays_for_all(kind, facts, winner, by, amount):
    totals = {"E": 8, "S": 320, "W": 64, "N": 16}
    settled = settle(totals, (winner,), by, [penalty(kind, by)], facts)
    assert settled.payments == [Payment(by, winner, amount, "penalty")]
    assert settled.net == {**dict.fromkeys(totals, 0), by: -amount, winner: amount}


def test_one_pays_each_of_two_winners_what_the_losers_owe_them():
    """What one winner owes the other for the difference is no loser's share."""
    facts = BAGGALEY._replace(recording="settle")
    settled = settle({"E": 8, "S": 4, "W": 50, "N": 32}, ("W", "N"), "S", [penalty("cannon", "S")], facts)
    assert settled.payments == [Payment("S", "W", 88, "penalty"), Payment("S", "N", 52, "penalty")]


def test_three_handed_two_shares():
    assert settle({"E": 8, "S": 320, "W": 128}, ("W",), "S", [penalty("cannon", "S")], U3A).payments == [
        Payment("S", "W", 256, "penalty")
    ]


def test_false_mahjong_pays_half_the_limit_to_each():
    settled = settle(dict.fromkeys("ESWN", 0), (), None, [penalty("false mahjong", "E")], BMJA)
    assert settled.net == {"E": -1500, "S": 500, "W": 500, "N": 500}


@pytest.mark.parametrize(
    ("facts", "each"),
    [
        (BMJA._replace(limit=None), 500),
        (U3A._replace(limit=300), 150),
        (BMJA._replace(limit=310), 155),
        (WESTERN, 300),
        (WESTERN._replace(limit=None), 300),
        (BEGINNERS, 300),
        (BAGGALEY, 300),
        (OFFICIAL, 20),
    ],
)
def test_false_mahjong_by_rule_set(facts, each):
    settled = settle(dict.fromkeys("ESW", 0), (), None, [penalty("false mahjong", "W")], facts)
    assert settled.payments == [Payment("W", "E", each, "penalty"), Payment("W", "S", each, "penalty")]


def test_official_goes_on_after_a_false_mahjong():
    totals = {"E": 0, "S": 10, "W": 0, "N": 0}
    assert settle(totals, ("S",), "E", [penalty("false mahjong", "W")], OFFICIAL).net == {
        "E": 2,
        "S": 54,
        "W": -68,
        "N": 12,
    }


def test_a_misnamed_discard_costs_fifty_beside_the_settlement():
    settled = settle({"E": 0, "S": 40, "W": 0, "N": 0}, ("S",), "E", [penalty("misnamed discard", "W", to="N")], U3A)
    assert settled.net == {"E": -40, "S": 120, "W": -90, "N": 10}


def test_fines_are_never_doubled_and_may_go_to_nobody():
    penalties = [
        penalty("fine", "E", to="N", amount=30),
        penalty("fine", "S", amount=20),
        penalty("fine", "S", to=None, amount=5),
    ]
    assert settle(TOTALS, (), None, penalties, BMJA) == Settled(
        [
            Payment("E", "N", 30, "penalty"),
            Payment("S", None, 20, "penalty"),
            Payment("S", None, 5, "penalty"),
        ],
        {"E": -30, "S": -25, "W": 0, "N": 30},
    )


def test_the_largest_fine_is_paid():
    largest = 10**9
    assert settle(TOTALS, (), None, [penalty("fine", "W", amount=largest)], BMJA).net["W"] == -largest


def test_straight_recording_still_pays_fines_but_nobody_pays_for_all():
    facts = BMJA._replace(recording="straight")
    penalties = [penalty("cannon", "W"), penalty("misnamed discard", "W", to="E"), penalty("fine", "N", amount=10)]
    assert settle(TOTALS, ("S",), "W", penalties, facts) == Settled(
        [Payment("W", "E", 50, "penalty"), Payment("N", None, 10, "penalty")],
        {"E": 274, "S": 64, "W": -26, "N": 54},
    )
    assert settle(TOTALS, (), None, [penalty("false mahjong", "W")], facts).net == {
        "E": 500,
        "S": 500,
        "W": -1500,
        "N": 500,
    }


def test_words_may_be_in_any_letter_case():
    assert settle(TOTALS, (), None, [penalty("Fine", "w", to="n", amount=5)], BMJA).payments == [
        Payment("W", "N", 5, "penalty")
    ]


@pytest.mark.parametrize(
    ("winners", "won_from", "entry", "seat", "sentence"),
    [
        ((), None, "cannon", None, "A penalty says its kind and by whom."),
        (
            (),
            None,
            penalty("yawning", "N"),
            None,
            "There is no penalty yawning; there are misnamed discard, misnamed discard for mahjong, false mahjong, "
            "cannon, fine.",
        ),
        ((), None, {"kind": "fine", "amount": 5}, None, "The penalty fine does not say by whom it is paid."),
        ((), None, penalty("fine", "X", amount=5), None, "In the penalty fine X is not a wind: E, S, W or N."),
        ((), None, penalty("fine", "N", amount=5), "N", "North is in the penalty fine, but not at this table."),
        ((), None, penalty("fine", "W", to="N", amount=5), "N", "North is in the penalty fine, but not at this table."),
        ((), None, penalty("fine", "W", to="W", amount=5), "W", "West cannot pay the penalty fine to West."),
        ((), None, penalty("fine", "W"), "W", "The fine West pays is a whole number above 0, not null."),
        ((), None, penalty("fine", "W", amount=-5), "W", "The fine West pays is a whole number above 0, not -5."),
        ((), None, penalty("fine", "W", amount=0), "W", "The fine West pays is a whole number above 0, not 0."),
        ((), None, penalty("fine", "W", amount=10**9 + 1), "W", "The fine West pays is too large: at most 1000000000."),
        ((), None, penalty("fine", "W", amount=5.0), "W", "The fine West pays is a whole number above 0, not 5.0."),
        ((), None, penalty("fine", "W", amount=True), "W", "The fine West pays is a whole number above 0, not true."),
        ((), None, penalty("fine", "W", amount=5, tip=1), "W", "The penalty fine takes no tip."),
        (
            (),
            None,
            penalty("misnamed discard", "W"),
            None,
            "The penalty misnamed discard does not say to whom it is paid.",
        ),
        (
            (),
            None,
            penalty("misnamed discard", "W", to="W"),
            "W",
            "West cannot pay the penalty misnamed discard to West.",
        ),
        (
            (),
            None,
            penalty("misnamed discard", "W", to="E", amount=9),
            "W",
            "The penalty misnamed discard takes no amount.",
        ),
        (("S",), "W", penalty("cannon", "W", to="S"), "W", "The penalty cannon takes no to."),
        ((), None, penalty("cannon", "W"), "W", "Nobody went Mah-jong, so West has nothing to pay for the cannon."),
        (("W",), "S", penalty("cannon", "W"), "W", "West went Mah-jong and cannot pay for the cannon."),
        (("S",), "E", penalty("cannon", "W"), "W", "West cannot pay for the cannon: East discarded the winning tile."),
        (
            ("S",),
            "wall",
            penalty("cannon", "W"),
            "W",
            "West cannot pay for the cannon: the winning tile came from the wall.",
        ),
        (
            ("S",),
            "kong box",
            penalty("misnamed discard for mahjong", "W"),
            "W",
            "West cannot pay for the misnamed discard for mahjong: the winning tile came from the kong box.",
        ),
        (
            ("S",),
            "W",
            penalty("false mahjong", "W"),
            "W",
            "A false Mah-jong makes the hand void, so nobody wins it. Remove the penalty or the Mah-jong.",
        ),
    ],
)
def test_penalties_that_cannot_be(winners, won_from, entry, seat, sentence):
    with pytest.raises(ScoringError) as refused:
        settle({"E": 10, "S": 20, "W": 0}, winners, won_from, [entry], BMJA)
    assert (str(refused.value), refused.value.seat) == (sentence, seat)


def test_official_the_offender_cannot_win():
    with pytest.raises(ScoringError, match="^West made a false Mah-jong and cannot win this hand.$"):
        settle(TOTALS, ("W",), "S", [penalty("false mahjong", "W")], OFFICIAL)


def test_only_one_pays_for_all():
    with pytest.raises(ScoringError, match="^Only one player can pay for all, and only once.$"):
        settle(TOTALS, ("S",), None, [penalty("cannon", "W"), penalty("cannon", "N")], BMJA)


def test_the_payer_need_not_be_told_to_be_the_discarder():
    assert settle(TOTALS, ("S",), None, [penalty("cannon", "W")], U3A).payments == [Payment("W", "S", 192, "penalty")]


def test_penalties_come_as_a_list():
    with pytest.raises(ScoringError, match="^The penalties are a list.$"):
        settle(TOTALS, (), None, {"kind": "fine"}, BMJA)


def test_payments_that_do_not_balance_are_refused():
    with pytest.raises(ScoringError, match="^The payments of this hand do not balance.$"):
        settle({"E": 0.1, "S": 0.3, "W": 0.7, "N": 0.9}, ("N",), "E", [], BMJA)


def test_every_penalty_has_its_sentence_and_source():
    assert [key for key, kind in PENALTY_KINDS.items() if not (kind.sentence.endswith(".") and kind.source)] == []


# Always

tables = st.sampled_from([("E", "S", "W", "N"), ("E", "S", "W"), ("E", "S", "N"), ("E", "W", "N")])


@st.composite
def hands(draw):
    winds = draw(tables)
    totals = {wind: draw(st.integers(0, 3000)) for wind in winds}
    winner, other = draw(st.permutations(winds))[:2]
    won_from = draw(st.sampled_from([other, "wall", "kong box", None]))
    facts = Settling(
        method=draw(st.sampled_from(sorted(SETTLING_METHODS))),
        east_mode=draw(st.sampled_from(["settlement", "score", "none", None])),
        round_payments_to=draw(st.sampled_from([0, 10])),
        misnamed_penalty=50,
        everyones_share=8,
    )
    fines = [
        penalty("fine", other, to=winner, amount=draw(st.integers(1, 99))),
        penalty("misnamed discard", winner, to=other),
    ]
    may_pay_for_all = [penalty("cannon", other)] if won_from in (other, None) else []
    penalties = draw(st.lists(st.sampled_from(fines), max_size=2)) + draw(st.sampled_from([[], may_pay_for_all]))
    return totals, (winner,), won_from, penalties, facts


@given(hands())
def test_payments_sum_to_zero_and_are_above_nothing(hand):
    payments, net = settle(*hand)
    assert sum(net.values()) == 0
    assert list(net) == list(hand[0])
    for wind, amount in net.items():
        received = sum(payment.amount for payment in payments if payment.payee == wind)
        assert amount == received - sum(payment.amount for payment in payments if payment.payer == wind)
    assert all(payment.amount > 0 and payment.payer != payment.payee for payment in payments)
    assert len({payment[:2] for payment in payments if payment.why != "penalty"}) == len(
        [payment for payment in payments if payment.why != "penalty"]
    )


@given(hands())
def test_penalties_come_last(hand):
    whys = [payment.why == "penalty" for payment in settle(*hand).payments]
    assert whys == sorted(whys)
