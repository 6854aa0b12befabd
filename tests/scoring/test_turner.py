"""Turner's simple scoring: 20 or 40 for the winner and nothing else."""

import pytest

from clubscore.scoring import ScoringError, score_hand_played
from tests.scoring.playing import figures, played, score, won

ORPHAN = "N S E W R 1C 4C 7C 2D 5D 9D 3B 6B 9B"
PAIRS = "R R R R 2C 2C 5C 5C 9B 9B 4D 4D 8D 8D"


@pytest.mark.parametrize(("source", "points"), [("E", 20), ("wall", 40), ("kong box", 40)])
def test_winner_without_tiles_counts_by_the_source_alone(source, points):
    assert figures("turner", {}, {"by": "S", "from": source}) == (points, 0, points, None)
    assert figures("turner", {}, {"by": "S", "from": source, "tile": "4C"}) == (points, 0, points, None)
    assert figures("turner", {"bonus": "F2"}, {"by": "S", "from": source}) == (points, 0, points, None)


def test_winner_without_tiles_and_source_is_asked_for_it():
    with pytest.raises(ScoringError) as raised:
        score("turner", {}, {"by": "S"})
    assert (raised.value.seat, raised.value.field) == ("S", "mahjong")


@pytest.mark.parametrize("tiles", [ORPHAN, PAIRS, "1C 2C 3C 4C 5C 6C 7C 8C 9C R R R 5B 5B"])
def test_every_mah_jong_counts_the_same(tiles):
    assert figures("turner", {"tiles": tiles}, won(tiles.split()[0], "E")) == (20, 0, 20, None)
    assert figures("turner", {"tiles": tiles, "bonus": "F1 F2 F3 F4"}, won(tiles.split()[0])) == (40, 0, 40, None)


def test_tiles_must_be_a_mah_jong_where_they_are_given():
    with pytest.raises(ScoringError):
        score("turner", {"tiles": "N S E W R 1C 4C 7C 2D 5D 9D 3B 6B 8B"}, won("8B", "E"))
    with pytest.raises(ScoringError):
        score("turner", {"sets": ["exposed pung 5B"]}, won("5B", "E"))


def test_losers_have_nothing_but_what_is_typed():
    assert figures("turner", {"sets": ["concealed kong R"], "bonus": "F1 F2 F3 F4"}) == (0, 0, 0, None)
    assert figures("turner", {"total": 12}) == (None, None, 12, None)
    with pytest.raises(ScoringError):
        score("turner", {"tiles": "1C 1C 1C 2C 2C 2C 3C 3C 3C 4C 4C 4C 5C 5C"})


def test_no_doubles_and_no_special_hands():
    for hand in ({"points": 20, "doubles": 1}, {"special": "orphan"}):
        with pytest.raises(ScoringError):
            score("turner", hand, {"by": "S", "from": "E"})
    assert figures("turner", {"points": 20, "doubles": 0}, {"by": "S"}) == (20, 0, 20, None)


def test_two_winners_on_one_discard():
    mahjong = [{"by": "S", "from": "W"}, {"by": "N", "from": "W"}]
    answer = played("turner", {}, mahjong)
    assert (answer["net"], answer["payments"]) == ({"E": 0, "S": 20, "W": 0, "N": 20}, [])
    settled = played("turner", {}, mahjong, house_rules={"recording": "settle"})
    assert settled["net"] == {"E": -40, "S": 40, "W": -40, "N": 40}
    assert answer["east_stays"] is False
    for wrong in (
        [{"by": "S", "from": "wall"}, {"by": "N", "from": "wall"}],
        [{"by": "S", "from": "W"}, {"by": "N", "from": "E"}],
        [{"by": "S", "from": "W"}, {"by": "S", "from": "W"}],
        [{"by": "S", "from": "W"}],
    ):
        with pytest.raises(ScoringError):
            played("turner", {}, wrong)


def test_two_winners_are_asked_for_the_discard_and_for_no_wall():
    with pytest.raises(ScoringError) as refused:
        played("turner", {}, [{"by": "S"}, {"by": "N"}])
    assert str(refused.value) == "Choose whose discard South and North went Mah-jong on."


def test_a_drawn_hand_counts_nothing_and_east_stays():
    answer = score_hand_played({"rules": "turner", "hands": {"E": {"total": 5}, "S": {}, "W": {}, "N": {}}})
    assert [hand["total"] for hand in answer["hands"].values()] == [0, 0, 0, 0]
    assert (answer["east_stays"], answer["next_is_goulash"]) == (True, False)


def test_dealt_is_for_every_seat_and_changes_nothing():
    assert figures("turner", {"tiles": PAIRS}, won("4D", dealt=True)) == (40, 0, 40, None)


def test_unknown_switches_are_refused():
    for switch in ("limit", "max_chows", "east_mode", "losers_score"):
        with pytest.raises(ScoringError):
            score("turner", {}, {"by": "S", "from": "E"}, house_rules={switch: None})
