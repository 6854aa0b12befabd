"""East, the wind of the round and who sits out, hand after hand, as each set's rules and real afternoons go."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubscore.scoring.rotation import (
    WINDS,
    HandOutcome,
    RotationError,
    SeatingState,
    ahead,
    arrive,
    east_stays,
    exchange,
    first_seating,
    leave,
    next_is_goulash,
    next_seating,
    seat_as,
)

CLUB_NIGHT = json.loads((Path(__file__).parents[1] / "data" / "club-night.json").read_text())

ALICE, BOB, CAROL, DAVE, FAY, GINA = 1, 2, 3, 4, 5, 6


@dataclass(frozen=True)
class Rules:
    rotation: str = "keeps"
    east_max: int | None = None
    east_stays_on_win: bool | None = True
    east_stays_on_draw: bool | None = True
    goulash: bool | None = True


BMJA = Rules()
U3A = Rules(east_max=3)
WESTERN = Rules(goulash=False)
BAGGALEY = Rules(east_stays_on_win=False, goulash=False)
OFFICIAL = Rules(rotation="official", east_stays_on_win=False, east_stays_on_draw=False, goulash=None)
OF_RULE_SET = {"bmja": BMJA, "u3a": U3A}

NO_WINNER = HandOutcome("drawn")
VOID = HandOutcome("void")


def won(*seats):
    return HandOutcome("won", seats)


def play(chairs, rules, *winds):
    """Play hands won by these winds; "x" is a win of anybody but East, "-" a draw, "0" a void hand."""
    for wind in winds:
        outcomes = {"-": NO_WINNER, "0": VOID, "x": won(chairs.at_table[1])}
        chairs = next_seating(chairs, outcomes.get(wind) or won(chairs.seated[wind]), rules)
    return chairs


def table(*seats, rules=BMJA):
    return first_seating(seats, rules)


def five():
    return table(ALICE, BOB, CAROL, DAVE, FAY)


def four():
    return table(ALICE, BOB, CAROL, DAVE)


# A club night


def outcome_of(hand, seat_of):
    mahjong = hand["input"].get("mahjong")
    if mahjong:
        return won(seat_of[hand["seats"][mahjong["by"]]])
    kinds = [penalty["kind"] for penalty in hand["input"].get("penalties", [])]
    return VOID if "false mahjong" in kinds else NO_WINNER


def as_told(chairs, players):
    name_of = {number: name for number, name in enumerate(players, 1)}
    return {
        "wind_of_round": chairs.wind_of_round,
        "goulash": chairs.goulash,
        "seats": {wind: name_of[seat] for wind, seat in chairs.seated.items()},
        "sits_out": name_of[chairs.out[0]] if chairs.out else None,
    }


@pytest.mark.parametrize("night", CLUB_NIGHT["tables"], ids=lambda night: f"table-{night['table']}")
def test_a_club_night_seats_every_hand_as_it_was_played(night):
    players, rules = night["players"], OF_RULE_SET[night["rules"]]
    seat_of = {name: number for number, name in enumerate(players, 1)}
    chairs = first_seating(range(1, len(players) + 1), rules)
    fields = ("wind_of_round", "goulash", "seats", "sits_out")
    for hand in night["hands"]:
        assert as_told(chairs, players) == {key: hand[key] for key in fields}
        outcome = outcome_of(hand, seat_of)
        winner_winds = [wind for wind in WINDS if chairs.seated.get(wind) in outcome.winners]
        assert east_stays(outcome.kind, winner_winds, rules) == hand["expect"]["east_stays"]
        assert next_is_goulash(outcome.kind, chairs.goulash, rules) == hand["expect"]["next_is_goulash"]
        chairs = next_seating(chairs, outcome, rules)
    assert as_told(chairs, players) == night["next_hand"]


# The next hand


@pytest.mark.parametrize(
    ("rules", "hands", "winds"),
    [
        pytest.param(BMJA, "S", (2, 3, 4, 1), id="another wins, old South is East"),
        pytest.param(BMJA, "N", (2, 3, 4, 1), id="whatever the winner, old South is East"),
        pytest.param(BMJA, "E", (1, 2, 3, 4), id="East wins and stays"),
        pytest.param(BMJA, "EEEEEEEEEEEEE", (1, 2, 3, 4), id="without a maximum East stays thirteen times"),
        pytest.param(BMJA, "-", (1, 2, 3, 4), id="East stays after a draw"),
        pytest.param(U3A, "EEE", (1, 2, 3, 4), id="East keeps the deal three times"),
        pytest.param(U3A, "EEEE", (2, 3, 4, 1), id="the fourth win passes the deal"),
        pytest.param(U3A, "E-E-E", (1, 2, 3, 4), id="draws do not count among the three"),
        pytest.param(U3A, "EEE-E", (2, 3, 4, 1), id="a draw does not begin the count again"),
        pytest.param(U3A, "EEE0E", (2, 3, 4, 1), id="a false Mah-jong changes no count"),
        pytest.param(U3A, "EEEEEEE", (2, 3, 4, 1), id="the next East has a count of her own"),
        pytest.param(U3A, "EEEEEEEE", (3, 4, 1, 2), id="and keeps it three times too"),
        pytest.param(replace(U3A, east_max=0), "E", (2, 3, 4, 1), id="a maximum of none"),
        pytest.param(BAGGALEY, "E", (2, 3, 4, 1), id="East passes on her own win where the rules say so"),
        pytest.param(BAGGALEY, "-", (1, 2, 3, 4), id="and stays after a draw"),
        pytest.param(OFFICIAL, "-", (2, 3, 4, 1), id="official: East passes after a draw"),
        pytest.param(OFFICIAL, "E", (2, 3, 4, 1), id="official: East passes after her own win"),
        pytest.param(BMJA, "0", (1, 2, 3, 4), id="a false Mah-jong: the same East again"),
        pytest.param(OFFICIAL, "0", (1, 2, 3, 4), id="a void hand is played again under any rules"),
    ],
)
def test_four_players_next_winds(rules, hands, winds):
    assert play(four(), rules, *hands).winds == winds


def test_two_winners_east_stays_when_one_of_them_is_east():
    rules = replace(BAGGALEY, east_stays_on_win=True)
    assert next_seating(four(), won(CAROL, ALICE), rules).winds == (1, 2, 3, 4)
    assert next_seating(four(), won(CAROL, DAVE), rules).winds == (2, 3, 4, 1)


def test_a_drawn_hand_makes_a_goulash_until_one_is_won():
    assert [play(four(), BMJA, *hands).goulash for hands in ("", "-", "--", "-0", "-S", "-E")] == [
        False,
        True,
        True,
        True,
        False,
        False,
    ]
    assert play(four(), WESTERN, "-").goulash is False
    assert play(four(), OFFICIAL, "-").goulash is False


def test_a_false_mahjong_changes_nothing_at_all():
    chairs = play(four(), U3A, "E", "S", "E", "-")
    assert play(chairs, U3A, "0") == chairs


# Rounds


@pytest.mark.parametrize(
    ("hands", "wind"),
    [("SSS", "E"), ("SSSS", "S"), ("SESES-S", "S"), ("S" * 7, "S"), ("S" * 8, "W"), ("S" * 12, "N"), ("S" * 15, "N")],
)
def test_wind_of_the_round_moves_when_the_first_east_is_east_again(hands, wind):
    assert play(four(), BMJA, *hands).wind_of_round == wind


def test_after_the_north_round_a_new_game_begins_with_east():
    before, after = play(four(), BMJA, *"S" * 15), play(four(), BMJA, *"S" * 16)
    assert (before.wind_of_round, before.game, before.is_new_game) == ("N", 1, False)
    assert (after.wind_of_round, after.game, after.is_new_game) == ("E", 2, True)
    assert after.winds == (ALICE, BOB, CAROL, DAVE)
    assert play(after, BMJA, "E").is_new_game is False
    assert four().is_new_game is False


def test_three_players_east_never_falls_to_the_empty_chair():
    seatings = [play(table(1, 2, 3), BMJA, *"x" * n) for n in range(4)]
    assert [(chairs.winds, chairs.wind_of_round) for chairs in seatings] == [
        ((1, 2, 3, None), "E"),
        ((2, 3, None, 1), "E"),
        ((3, None, 1, 2), "E"),
        ((1, 2, 3, None), "S"),
    ]
    assert seatings[1].seated == {"E": 2, "S": 3, "N": 1}


def test_five_players_old_east_sits_out_and_the_one_who_was_out_comes_in_as_north():
    seatings = [play(five(), BMJA, *"S" * n) for n in range(6)]
    assert [(chairs.winds, chairs.out, chairs.wind_of_round) for chairs in seatings] == [
        ((1, 2, 3, 4), (5,), "E"),
        ((2, 3, 4, 5), (1,), "E"),
        ((3, 4, 5, 1), (2,), "E"),
        ((4, 5, 1, 2), (3,), "E"),
        ((5, 1, 2, 3), (4,), "E"),
        ((1, 2, 3, 4), (5,), "S"),
    ]


def test_five_players_the_same_sitter_when_east_wins_or_nobody_does():
    assert play(five(), BMJA, "E", "-").out == (FAY,)


def test_official_seats_change_between_rounds():
    rounds = [play(table(1, 2, 3, 4, rules=OFFICIAL), OFFICIAL, *"SE-W" * n) for n in range(5)]
    assert [(chairs.winds, chairs.wind_of_round, chairs.first_east) for chairs in rounds] == [
        ((1, 2, 3, 4), "E", 1),
        ((2, 1, 4, 3), "S", 2),
        ((3, 4, 2, 1), "W", 3),
        ((4, 3, 1, 2), "N", 4),
        ((1, 2, 3, 4), "E", 1),
    ]
    assert [chairs.is_new_game for chairs in rounds] == [False, False, False, False, True]
    assert play(rounds[1], OFFICIAL, "S").winds == (1, 4, 3, 2)


def test_official_is_for_four():
    with pytest.raises(RotationError, match="^Under these rules a table seats four players, not 5.$"):
        table(1, 2, 3, 4, 5, rules=OFFICIAL)


@pytest.mark.parametrize(
    ("seats", "sentence"),
    [
        ((1, 2), "A table seats three, four or five players, not 2."),
        ((1, 2, 3, 4, 5, 6), "A table seats three, four or five players, not 6."),
        ((1, 2, 2, 4), "No one can have two seats at one table."),
    ],
)
def test_a_table_that_cannot_start(seats, sentence):
    with pytest.raises(RotationError) as refused:
        table(*seats)
    assert str(refused.value) == sentence


def test_ahead_is_the_deal_passing_over_and_over():
    coming = ahead(five(), BMJA, 5)
    assert [chairs.winds[0] for chairs in coming] == [2, 3, 4, 5, 1]
    assert coming == tuple(play(five(), BMJA, *"S" * n) for n in range(1, 6))
    assert ahead(five(), BMJA, 0) == ()


# Coming and going


def test_an_arrival_takes_the_empty_chair():
    chairs = arrive(play(table(1, 2, 3), BMJA, "S"), DAVE)
    assert (chairs.winds, chairs.out) == ((2, 3, 4, 1), ())


def test_an_arrival_at_a_table_of_four_sits_out_and_comes_in_next():
    chairs = arrive(four(), FAY)
    assert (chairs.winds, chairs.out) == ((1, 2, 3, 4), (5,))
    assert play(chairs, BMJA, "S").winds == (2, 3, 4, 5)


def test_no_sixth_and_nobody_twice():
    with pytest.raises(RotationError, match="^There are five players at this table already. No one else can join it.$"):
        arrive(five(), GINA)
    with pytest.raises(RotationError, match="^Seat 2 is at this table already.$"):
        arrive(four(), BOB)


def test_who_sits_out_just_leaves():
    chairs = leave(five(), FAY)
    assert (chairs.winds, chairs.out) == ((1, 2, 3, 4), ())


def test_who_leaves_in_play_is_replaced_in_that_chair():
    chairs = leave(five(), CAROL)
    assert (chairs.winds, chairs.out) == ((1, 2, 5, 4), ())


def test_at_a_table_of_four_the_chair_stays_empty():
    assert leave(four(), CAROL).winds == (1, 2, None, 4)


def test_east_leaving_a_table_of_four_passes_the_deal():
    chairs = leave(play(four(), U3A, "E", "E"), ALICE)
    assert (chairs.winds, chairs.wind_of_round, chairs.kept) == ((2, 3, 4, None), "E", 0)


def test_the_last_east_of_a_round_leaving_begins_the_next_round():
    chairs = leave(play(four(), BMJA, *"SSS"), DAVE)
    assert (chairs.winds, chairs.wind_of_round, chairs.first_east) == ((1, 2, 3, None), "S", 1)


def test_a_goulash_stays_one_when_somebody_leaves():
    assert leave(play(four(), BMJA, "-"), ALICE).goulash is True


def test_east_replaced_has_kept_no_deal():
    chairs = leave(play(five(), U3A, "E", "E"), ALICE)
    assert (chairs.winds, chairs.kept, chairs.first_east) == ((5, 2, 3, 4), 0, FAY)
    assert leave(play(five(), U3A, "E", "E"), BOB).kept == 2


def test_fewer_than_three_cannot_play():
    with pytest.raises(
        RotationError, match="^A table needs three players: seat 2 cannot leave while only three play.$"
    ):
        leave(table(1, 2, 3), BOB)
    with pytest.raises(RotationError, match="^Seat 9 is not at this table.$"):
        leave(four(), 9)


def test_whoever_takes_the_chair_of_the_first_east_counts_as_first_east():
    chairs = arrive(leave(play(four(), BMJA, "S"), ALICE), GINA)
    assert chairs.winds == (2, 3, 4, 6)
    assert [(c.winds[0], c.wind_of_round) for c in ahead(chairs, BMJA, 3)] == [(3, "E"), (4, "E"), (6, "S")]


def test_the_empty_chair_of_the_first_east_ends_the_round_when_east_moves_over_it():
    chairs = leave(play(four(), BMJA, "S"), ALICE)
    coming = ahead(chairs, BMJA, 6)
    assert [(c.winds[0], c.wind_of_round) for c in coming] == [
        (3, "E"),
        (4, "E"),
        (2, "S"),
        (3, "S"),
        (4, "S"),
        (2, "W"),
    ]


def test_a_first_east_who_leaves_in_play_is_replaced_as_first_east():
    chairs = leave(play(five(), BMJA, "S", "S"), ALICE)
    assert (chairs.winds, chairs.first_east) == ((3, 4, 5, 2), BOB)


def test_a_first_east_who_leaves_while_sitting_out_hands_on_to_the_one_who_came_in():
    chairs = leave(play(five(), BMJA, "S"), ALICE)
    assert (chairs.winds, chairs.out) == ((2, 3, 4, 5), ())
    assert [(c.winds[0], c.wind_of_round) for c in ahead(chairs, BMJA, 3)] == [(3, "E"), (4, "E"), (5, "S")]


def test_east_leaving_before_the_first_hand_never_was_first_east():
    chairs = arrive(leave(four(), ALICE), GINA)
    assert (chairs.winds, chairs.first_east) == ((2, 3, 4, 6), BOB)
    assert [c.wind_of_round for c in ahead(chairs, BMJA, 4)] == ["E", "E", "E", "S"]


# What was really played


def test_seats_as_they_really_sat():
    chairs = seat_as(five(), {"E": 4, "S": 5, "W": 2, "N": 1}, [3])
    assert (chairs.winds, chairs.out, chairs.first_east) == ((4, 5, 2, 1), (3,), DAVE)


def test_three_sit_at_three_winds():
    chairs = seat_as(table(1, 2, 3), {"E": 1, "W": 2, "N": 3})
    assert chairs.winds == (1, None, 2, 3)


def test_the_same_east_keeps_the_count_and_another_has_none():
    chairs = play(four(), U3A, "E", "E")
    assert seat_as(chairs, {"E": 1, "S": 3, "W": 2, "N": 4}).kept == 2
    assert seat_as(chairs, {"E": 3, "S": 4, "W": 1, "N": 2}).kept == 0


def test_a_seating_passed_once_more_counts_as_the_deal_passing():
    expected, really = play(four(), BMJA, *"SSS"), play(four(), BMJA, *"SSSS")
    assert expected.wind_of_round == "E"
    assert seat_as(expected, {"E": 1, "S": 2, "W": 3, "N": 4}) == really
    assert really.wind_of_round == "S"


def test_a_seating_that_takes_back_the_passing_takes_back_the_round():
    expected = play(four(), BMJA, *"SSSS")
    chairs = seat_as(expected, {"E": 4, "S": 1, "W": 2, "N": 3})
    assert (chairs.wind_of_round, chairs.first_east, chairs.game) == ("E", ALICE, 1)
    assert play(chairs, BMJA, "S").wind_of_round == "S"


def test_a_seating_that_takes_back_a_new_game():
    chairs = seat_as(play(four(), BMJA, *"S" * 16), {"E": 4, "S": 1, "W": 2, "N": 3})
    assert (chairs.wind_of_round, chairs.game) == ("N", 1)


@pytest.mark.parametrize(
    ("winds", "out", "sentence"),
    [
        ({"S": 1, "W": 2, "N": 3}, [4], "East cannot be the empty seat."),
        ({"E": 1, "S": 2, "W": 3}, [4], "No one sits out while a seat is empty."),
        ({"E": 1, "S": 2, "W": 3}, [], "Seat 4 has no seat in this seating."),
        ({"E": 1, "S": 2, "W": 3, "N": 9}, [], "Seat 9 is not at this table."),
        ({"E": 1, "S": 2, "W": 3, "N": 3}, [4], "No one can sit in two seats."),
        ({"E": 1, "S": 2, "W": 3, "X": 4}, [], "'X' is not a wind. The winds are E, S, W and N."),
    ],
)
def test_a_seating_that_cannot_be(winds, out, sentence):
    with pytest.raises(RotationError) as refused:
        seat_as(four(), winds, out)
    assert str(refused.value) == sentence


def test_exchange_swaps_two_places():
    chairs = exchange(play(five(), BMJA, "S"), ALICE, CAROL)
    assert (chairs.winds, chairs.out, chairs.first_east) == ((2, 1, 4, 5), (3,), CAROL)
    assert exchange(four(), ALICE, BOB).winds == (2, 1, 3, 4)
    assert exchange(chairs, ALICE, CAROL) == play(five(), BMJA, "S")


def test_who_is_swapped_into_easts_chair_has_kept_no_deal():
    chairs = play(four(), U3A, "E", "E", "E")
    assert play(chairs, U3A, "E").east == BOB
    swapped = exchange(chairs, ALICE, CAROL)
    assert [play(swapped, U3A, *"EEE").east, play(swapped, U3A, *"EEEE").east] == [CAROL, BOB]
    # Two others swapped leave East's count as it is.
    assert play(exchange(chairs, BOB, CAROL), U3A, "E").east == CAROL


def test_exchange_leaves_the_empty_chair_alone():
    assert exchange(leave(four(), CAROL), BOB, DAVE).winds == (1, 4, None, 2)


def test_exchange_needs_two_at_the_table():
    with pytest.raises(RotationError, match="^Seat 7 is not at this table.$"):
        exchange(four(), ALICE, 7)


# Always


outcomes = st.sampled_from(["E", "x", "-", "0"])
changes = st.sampled_from(["arrive", "leave", "exchange"])
stories = st.lists(st.one_of(outcomes, st.tuples(changes, st.integers(0, 4), st.integers(0, 4))), max_size=60)
rule_sets = st.sampled_from([BMJA, U3A, WESTERN, BAGGALEY, OFFICIAL])


def step(chairs, event, rules, newcomer):
    if isinstance(event, str):
        return play(chairs, rules, event)
    change, a, b = event
    seats = chairs.at_table
    if change == "arrive":
        return arrive(chairs, newcomer) if len(seats) < 5 else chairs
    if change == "leave":
        return leave(chairs, seats[a % len(seats)]) if len(seats) > 3 else chairs
    return exchange(chairs, seats[a % len(seats)], seats[b % len(seats)])


@given(stories, rule_sets)
def test_whatever_happens_the_table_stays_one(story, rules):
    chairs = table(1, 2, 3, 4, rules=rules)
    for newcomer, event in enumerate(story, 10):
        chairs = step(chairs, event, rules, newcomer)
        assert len(chairs.seated) == min(len(chairs.at_table), 4) >= 3
        assert len(set(chairs.at_table)) == len(chairs.at_table) <= 5
        assert chairs.east in chairs.at_table
        assert chairs.first_east in chairs.at_table or None in chairs.winds
        assert SeatingState.from_dict(json.loads(json.dumps(chairs.to_dict()))) == chairs


@given(st.integers(3, 5), st.integers(0, 200))
def test_a_round_is_every_player_once_east(players, hands):
    chairs = play(first_seating(range(1, players + 1), BMJA), BMJA, *"-x" * hands)
    rounds, turn = divmod(hands, players)
    assert (chairs.east, chairs.wind_of_round, chairs.game) == (turn + 1, WINDS[rounds % 4], rounds // 4 + 1)
