"""Tally sticks: the sets by their sources, dealing, paying with the fewest, and change."""

import json
from itertools import product
from time import process_time
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubscore.scoring.sticks import (
    STICK_SETS,
    CannotPay,
    Purse,
    StickError,
    StickSet,
    deal_out,
    most_payable,
    number_words,
    pay,
    settle_up,
    still_owed,
)

GUIDE, OLDER = STICK_SETS["guide"], STICK_SETS["older_british"]


class Owed(NamedTuple):
    payer: str
    payee: str | None
    amount: int


def purse(**sticks):
    """Make a purse: purse(s100=3, s10=2)."""
    return Purse.of({int(name[1:]): count for name, count in sticks.items()})


def own_stick_set(counts):
    """Make a set of which each of four players has so many sticks of each value."""
    return StickSet("own", "own", Purse.of(counts), "the club")


# Sets and purses


def test_the_sets_are_worth_what_the_sources_say():
    assert (GUIDE.each.words, GUIDE.each.worth) == ("one 1,000, two 500s, nine 100s and ten 10s", 3000)
    assert (OLDER.each.words, OLDER.each.worth) == ("two 500s, nine 100s, eight 10s and ten 2s", 2000)
    assert [stick_set.key for stick_set in STICK_SETS.values() if not stick_set.source] == []


def test_a_purse_in_words_and_as_json():
    some = purse(s10=3, s100=1, s500=0)
    assert some.words == "one 100 and three 10s"
    assert Purse().words == "nothing"
    assert some.to_dict() == {"100": 1, "10": 3}
    assert Purse.from_dict(json.loads(json.dumps(some.to_dict()))) == some
    assert (some.worth, some.sticks) == (130, 4)


def test_nothing_is_taken_that_is_not_there():
    with pytest.raises(StickError, match="^There are not two sticks of 100 here.$"):
        purse(s100=1) - purse(s100=2)


@pytest.mark.parametrize(
    ("number", "words"), [(0, "no"), (1, "one"), (12, "twelve"), (20, "twenty"), (36, "thirty-six"), (100, "100")]
)
def test_numbers_in_words(number, words):
    assert number_words(number) == words


# Dealing


@pytest.mark.parametrize(
    ("stick_set", "players", "each", "left_over"),
    [
        (GUIDE, 3, 4000, "nothing"),
        (GUIDE, 4, 3000, "nothing"),
        (GUIDE, 5, 2400, "nothing"),
        (OLDER, 3, 2660, "ten 2s"),
        (OLDER, 4, 2000, "nothing"),
        (OLDER, 5, 1600, "nothing"),
    ],
)
def test_everybody_is_dealt_the_same_worth_and_all_sticks(stick_set, players, each, left_over):
    dealt = deal_out(stick_set, players)
    assert [held.worth for held in dealt.purses] == [each] * players
    assert dealt.left_over.words == left_over
    everything = sum([*dealt.purses, dealt.left_over], Purse())
    assert everything == stick_set.each + stick_set.each + stick_set.each + stick_set.each


def test_the_five_way_deal_of_the_guides_sticks():
    assert [held.words for held in deal_out(GUIDE, 5).purses] == [
        "one 1,000, one 500, eight 100s and ten 10s",
        "one 1,000, one 500, eight 100s and ten 10s",
        "one 1,000, one 500, eight 100s and ten 10s",
        "one 1,000, one 500 and nine 100s",
        "four 500s, three 100s and ten 10s",
    ]


@pytest.mark.parametrize(
    ("stick_set", "players", "sentence"),
    [
        (GUIDE, 4, ""),
        (GUIDE, 5, "The sticks do not divide evenly: each has 2400, but not in the same sticks."),
        (OLDER, 3, "The sticks do not divide by three: each has 2660, ten 2s stay in the box."),
        (
            own_stick_set({1000: 2, 500: 2, 100: 9, 10: 10}),
            3,
            "The sticks do not divide by three: each has 5330, one 10 stays in the box.",
        ),
        (own_stick_set({10: 15}), 3, ""),
    ],
)
def test_a_deal_says_what_cannot_be_divided(stick_set, players, sentence):
    assert deal_out(stick_set, players).sentence == sentence


def test_sticks_too_few_to_go_round_stay_in_the_box():
    dealt = deal_out(own_stick_set({1000: 1}), 5)
    assert (dealt.purses, dealt.left_over) == ([Purse()] * 5, purse(s1000=4))


@pytest.mark.parametrize("players", [2, 6])
def test_sticks_are_for_three_to_five(players):
    with pytest.raises(StickError, match=f"^Sticks are dealt out to three, four or five players, not {players}.$"):
        deal_out(GUIDE, players)


# Paying


@pytest.mark.parametrize(
    ("payer", "payee", "amount", "sentence"),
    [
        (OLDER.each, OLDER.each, 336, "Bob gives Alice three 100s, three 10s and three 2s."),
        (OLDER.each, OLDER.each, 98, "Bob gives Alice one 100 and gets one 2 back."),
        (OLDER.each, OLDER.each, 490, "Bob gives Alice one 500 and gets one 10 back."),
        (GUIDE.each, GUIDE.each, 1910, "Bob gives Alice one 1,000, two 500s and one 10, and gets one 100 back."),
        (GUIDE.each, GUIDE.each, 950, "Bob gives Alice one 1,000 and gets five 10s back."),
        (GUIDE.each, purse(s100=1), 950, "Bob gives Alice one 1,000 and five 10s, and gets one 100 back."),
        (GUIDE.each, Purse(), 950, "Bob gives Alice one 500, four 100s and five 10s."),
        (GUIDE.each, GUIDE.each, 3000, "Bob gives Alice one 1,000, two 500s, nine 100s and ten 10s."),
        (purse(s500=1), purse(s100=4), 100, "Bob gives Alice one 500 and gets four 100s back."),
        (GUIDE.each, GUIDE.each, 0, "Bob gives Alice nothing."),
    ],
)
def test_paying_with_the_fewest_sticks(payer, payee, amount, sentence):
    handover = pay(payer, payee, amount)
    assert handover.sentence("Bob", "Alice") == sentence
    assert (handover.payer.worth, handover.payee.worth) == (payer.worth - amount, payee.worth + amount)


def test_of_two_ways_with_as_few_sticks_the_one_without_change():
    handover = pay(purse(s5=1, s10=1, s20=1), purse(s5=1), 15)
    assert (handover.given, handover.change) == (purse(s5=1, s10=1), Purse())


@pytest.mark.parametrize(
    ("payer", "payee", "amount", "sentence"),
    [
        (purse(s100=3, s10=4), GUIDE.each, 500, "Bob cannot pay 500: the sticks there are worth 340."),
        (GUIDE.each, GUIDE.each, 26, "Bob cannot pay 26 exactly in sticks of 1,000, 500, 100 and 10."),
        (
            purse(s500=2),
            purse(s1000=1, s100=1),
            300,
            "Bob cannot pay 300 exactly out of two 500s: Alice cannot give the change.",
        ),
        (Purse(), Purse(), 10, "Bob cannot pay 10: the sticks there are worth 0."),
    ],
)
def test_what_cannot_be_paid_with_the_sticks_at_hand(payer, payee, amount, sentence):
    with pytest.raises(CannotPay) as refused:
        pay(payer, payee, amount, ("Bob", "Alice"))
    assert str(refused.value) == sentence


def test_paying_is_quick():
    many = Purse.of({1000: 20, 500: 20, 100: 40, 50: 20, 10: 40, 2: 40})
    amounts = (20_000, 19_998, 10_002, 7_776, 4_888)
    started = process_time()
    for amount in amounts:
        pay(many, many, amount)
    assert (process_time() - started) / len(amounts) < 0.05  # about 2 ms; a wide berth for a busy machine


# A whole hand


def test_a_hand_is_settled_up_in_its_order():
    purses = dict(zip(["Alice", "Bob", "Carol", "Dave"], [OLDER.each] * 4, strict=True))
    payments = [
        Owed("Alice", "Bob", 128),
        Owed("Carol", "Bob", 64),
        Owed("Dave", "Bob", 64),
        Owed("Carol", "Alice", 400),
        Owed("Dave", "Alice", 320),
        Owed("Carol", "Dave", 40),
    ]
    settled = settle_up(purses, payments)
    assert settled.sentences == [
        "Alice gives Bob one 100 and three 10s, and gets one 2 back.",
        "Carol gives Bob one 100 and two 2s, and gets four 10s back.",
        "Dave gives Bob one 100 and two 2s, and gets four 10s back.",
        "Carol gives Alice one 500 and gets one 100 back.",
        "Dave gives Alice three 100s and two 10s.",
        "Carol gives Dave four 10s.",
    ]
    assert {name: held.worth for name, held in settled.purses.items()} == {
        None: 0,
        "Alice": 2592,
        "Bob": 2256,
        "Carol": 1496,
        "Dave": 1656,
    }
    assert settled.debts == {}


def test_what_cannot_be_paid_stays_owed():
    purses = {1: purse(s100=2), 2: purse(s10=1), 3: Purse()}
    settled = settle_up(purses, [Owed(1, 2, 26), Owed(3, 1, 50)], {1: "Ann", 2: "Bob", 3: "Cath"})
    assert settled.debts == {(1, 2): 26, (3, 1): 50}
    assert settled.sentences == [
        "Ann cannot pay 20 exactly out of two 100s: Bob cannot give the change. 26 is still owed.",
        "Cath cannot pay 50: the sticks there are worth 0. 50 is still owed.",
    ]
    assert settled.purses == {None: Purse(), **purses}


def test_as_much_is_paid_as_can_be():
    settled = settle_up({1: GUIDE.each, 2: GUIDE.each}, [Owed(1, 2, 516)])
    assert settled.purses[1] == GUIDE.each - purse(s500=1, s10=1)
    assert settled.sentences == ["1 gives 2 one 500 and one 10. 6 is still owed."]


NAMES = {1: "Ann", 2: "Bob", 3: "Cath"}


@pytest.mark.parametrize(
    ("debts", "amount", "left", "sentence"),
    [
        ({(1, 2): 6}, 16, {(1, 2): 2}, "Ann gives Bob two 10s. 6 was still owed from before. 2 is still owed."),
        ({(2, 1): 6}, 16, {}, "Ann gives Bob one 10. The 6 that Bob still owed comes off."),
        ({(2, 1): 16}, 16, {}, "Ann gives Bob nothing. The 16 that Bob still owed comes off."),
        (
            {(2, 1): 36},
            10,
            {(2, 1): 6},
            "Bob gives Ann two 10s. Ann’s 10 comes off what Bob still owed. 6 is still owed.",
        ),
        (
            {(1, 2): 4004},
            10,
            {(1, 2): 1014},
            "Ann gives Bob one 1,000, two 500s, nine 100s and ten 10s. 4,004 was still owed from before. "
            "Ann cannot pay 4,014: the sticks there are worth 3,000. 1,014 is still owed.",
        ),
        ({(1, 3): 6}, 20, {(1, 3): 6}, "Ann gives Bob two 10s."),
    ],
)
def test_a_payment_takes_in_what_the_two_still_owe_each_other(debts, amount, left, sentence):
    settled = settle_up({1: GUIDE.each, 2: GUIDE.each, 3: GUIDE.each}, [Owed(1, 2, amount)], NAMES, debts)
    assert (settled.debts, settled.sentences) == (left, [sentence])


def test_who_receives_sticks_is_asked_for_what_is_owed_to_another():
    purses = {1: purse(s10=2), 2: GUIDE.each, 3: GUIDE.each}
    settled = settle_up(purses, [Owed(3, 1, 1400), Owed(2, 3, 10)], NAMES, {(1, 2): 2004})
    assert settled.debts == {(1, 2): 584}
    assert settled.sentences[2:] == [
        "Ann gives Bob one 1,000, four 100s and two 10s. This was still owed. 584 is still owed.",
    ]
    assert [held.worth for held in settled.purses.values()] == [0, 0, 3000 - 10 + 1420, 3000 - 1400 + 10]


def test_nobody_is_asked_who_takes_no_part_in_the_hand():
    settled = settle_up({1: GUIDE.each, 2: GUIDE.each, 3: GUIDE.each}, [Owed(1, 2, 10)], NAMES, {(1, 3): 500})
    assert (settled.debts, len(settled.sentences)) == ({(1, 3): 500}, 1)


def test_fines_to_nobody_go_to_the_box_which_gives_change():
    settled = settle_up({None: purse(s10=10), 1: purse(s100=1)}, [Owed(1, None, 20)])
    assert settled.purses == {None: purse(s100=1, s10=2), 1: purse(s10=8)}


# Always

values = st.sampled_from([1, 2, 5, 10, 20, 25, 50, 100])
small_purses = st.dictionaries(values, st.integers(0, 3), max_size=4).map(Purse.of)


def cheapest(payer, payee, amount):
    """Try every way: the fewest sticks moved, None when nothing fits."""
    kinds = sorted({value for value, _ in payer.counts + payee.counts})
    given, back = dict(payer.counts), dict(payee.counts)
    ways = product(*[range(-back.get(value, 0), given.get(value, 0) + 1) for value in kinds])
    fitting = [way for way in ways if sum(v * n for v, n in zip(kinds, way, strict=True)) == amount]
    return min((sum(map(abs, way)) for way in fitting), default=None)


@given(small_purses, small_purses, st.integers(0, 400))
def test_the_fewest_sticks_of_all_ways_there_are(payer, payee, amount):
    fewest = cheapest(payer, payee, amount)
    if fewest is None:
        assert most_payable(payer, payee, amount) < amount
        with pytest.raises(CannotPay):
            pay(payer, payee, amount)
        return
    handover = pay(payer, payee, amount)
    assert handover.given.sticks + handover.change.sticks == fewest
    assert handover.given.worth - handover.change.worth == amount
    assert handover.payer + handover.payee == payer + payee
    assert most_payable(payer, payee, amount) == amount


paid = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 4000))


@given(st.sampled_from([(GUIDE, 4), (GUIDE, 5), (OLDER, 4), (OLDER, 3)]), st.lists(st.lists(paid, max_size=6)))
def test_sticks_and_what_is_owed_make_every_balance_after_every_hand(table, hands):
    stick_set, players = table
    dealt = dict(enumerate(deal_out(stick_set, players).purses))
    held, debts, net = {None: purse(s10=10), **dealt}, {}, dict.fromkeys(dealt, 0)
    everything, start = sum(held.values(), Purse()), stick_set.each.worth * 4 // players // 10 * 10
    for hand in hands:
        payments = []
        for payer, payee, amount in hand:
            payer, payee = payer % players, payee % players
            payments.append(Owed(payer, payee if payee != payer else None, amount))
            net[payer] -= amount
            if payee != payer:
                net[payee] += amount
        held, debts, sentences = settle_up(held, payments, debts=debts)
        assert {who: held[who].worth + still_owed(debts, who) for who in dealt} == {
            who: start + gain for who, gain in net.items()
        }
        assert sum(held.values(), Purse()) == everything
        assert all(amount > 0 and (creditor, debtor) not in debts for (debtor, creditor), amount in debts.items())
        assert len(sentences) >= len(payments)
        taking_part = {None, *(who for payment in payments for who in payment[:2])}
        for (debtor, creditor), amount in debts.items():
            assert not {debtor, creditor} <= taking_part or not most_payable(held[debtor], held[creditor], amount)


@st.composite
def own_sets(draw):
    """A club's own sticks, each worth some of the next smaller ones."""
    value, counts = draw(st.sampled_from([1, 2, 5, 10])), {}
    for times in draw(st.lists(st.sampled_from([2, 5, 10]), max_size=3)):
        counts[value] = draw(st.integers(0, 10))
        value *= times
    return own_stick_set({**counts, value: draw(st.integers(1, 5))})


@given(own_sets(), st.sampled_from([3, 4, 5]))
def test_a_deal_is_even_and_loses_no_stick(stick_set, players):
    dealt = deal_out(stick_set, players)
    assert len(dealt.purses) == players
    assert len({held.worth for held in dealt.purses}) == 1
    assert sum([*dealt.purses, dealt.left_over], Purse()).worth == 4 * stick_set.each.worth
    assert (dealt.sentence == "") == (not dealt.left_over.counts and len(set(dealt.purses)) == 1)


def most_even(stick_set, players):
    """Try every deal: whether all sticks can be dealt out in equal worth."""
    share, rest = divmod(4 * stick_set.each.worth, players)
    loads = {(0,) * players}
    for value, count in stick_set.each.counts:
        for _ in range(4 * count):
            loads = {
                tuple(sorted((*load[:place], load[place] + value, *load[place + 1 :])))
                for load in loads
                for place in range(players)
                if load[place] + value <= share
            }
    return not rest and (share,) * players in loads


@given(
    st.fixed_dictionaries({100: st.integers(0, 1), 50: st.integers(0, 2), 10: st.integers(1, 3)}),
    st.sampled_from([3, 5]),
)
def test_all_sticks_are_dealt_out_where_any_deal_does(counts, players):
    stick_set = own_stick_set(counts)
    assert (not deal_out(stick_set, players).left_over.counts) == most_even(stick_set, players)
