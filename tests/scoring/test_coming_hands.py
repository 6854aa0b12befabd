"""How many hands to a fair end, for three, four and five players, and who sits out next."""

import pytest

from clubscore.scoring import house_rules
from clubscore.scoring.rotation import (
    HandOutcome,
    arrive,
    first_seating,
    hands_to_fair_end,
    hands_until_east,
    next_out,
    next_seating,
)

BMJA = house_rules("bmja", {})


def after(seating, *winners):
    for winner in winners:
        seating = next_seating(seating, HandOutcome("won", (winner,)), BMJA)
    return seating


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_round_takes_a_hand_for_each_player_at_least(players):
    seating = first_seating(range(1, players + 1), BMJA)
    assert hands_to_fair_end(seating, BMJA) == players
    assert hands_until_east(seating, BMJA) == {seat: seat for seat in range(1, players + 1)}


def test_a_hand_that_east_wins_adds_one():
    seating = first_seating([1, 2, 3, 4], BMJA)
    assert hands_to_fair_end(after(seating, 1), BMJA) == 4
    assert hands_to_fair_end(after(seating, 1, 2), BMJA) == 3
    assert hands_until_east(after(seating, 1, 2), BMJA) == {2: 1, 3: 2, 4: 3, 1: 4}


def test_at_five_players_the_one_who_sits_out_has_a_turn_too():
    # 1 was East and sits out, 5 has come in as North and is East last.
    seating = after(first_seating([1, 2, 3, 4, 5], BMJA), 3)
    assert (seating.out, next_out(seating, BMJA)) == ((1,), (2,))
    assert hands_to_fair_end(seating, BMJA) == 4
    assert hands_until_east(seating, BMJA) == {2: 1, 3: 2, 4: 3, 5: 4, 1: 5}


def test_a_new_round_begins_where_the_last_one_ended():
    seating = after(first_seating([1, 2, 3, 4], BMJA), 2, 3, 4, 1)
    assert (seating.wind_of_round, hands_to_fair_end(seating, BMJA)) == ("S", 4)


def test_who_comes_late_comes_in_as_north_and_is_east_in_the_next_round():
    # 2 deals, then 3, 4 and 1, whose second turn begins the next round; 5 sits before 2 in it.
    seating = arrive(after(first_seating([1, 2, 3, 4], BMJA), 2), 5)
    assert (seating.out, next_out(seating, BMJA)) == ((5,), (2,))
    assert hands_until_east(seating, BMJA) == {2: 1, 3: 2, 4: 3, 1: 4, 5: 5}
    assert hands_to_fair_end(seating, BMJA) == 3


def test_under_the_official_rules_everyone_is_east_once_a_round_too():
    house = house_rules("chinese_official", {})
    assert hands_to_fair_end(first_seating([1, 2, 3, 4], house), house) == 4
    assert hands_until_east(first_seating([1, 2, 3, 4], house), house) == {1: 1, 2: 2, 3: 3, 4: 4}
