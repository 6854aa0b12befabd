"""Who is left over where the tables have no place for all; the cases are worked out by hand."""

import pytest

from clubscore.seating_draw.table_sizes import who_plays

# (who has played how often, places, pairs together, who plays)
CASES = {
    "who has played most waits": ({1: 0, 2: 2, 3: 0, 4: 1, 5: 0}, 4, [], [1, 3, 4, 5]),
    "a couple is not torn by the one who waits": ({1: 1, 2: 1, 3: 0, 4: 0, 5: 0}, 4, [(1, 2)], [1, 2, 4, 5]),
    "a couple waits together": ({1: 1, 2: 1, 3: 0, 4: 0, 5: 0, 6: 0}, 4, [(1, 2)], [3, 4, 5, 6]),
    "of two couples the one that has played more": (
        {1: 0, 2: 0, 3: 1, 4: 0, 5: 0, 6: 0},
        4,
        [(1, 2), (3, 4), (5, 6)],
        [1, 2, 5, 6],
    ),
    "three wait: a couple and one": ({1: 0, 2: 0, 3: 1, 4: 1, 5: 1, 6: 1, 7: 0}, 4, [(3, 4), (5, 6), (1, 2)], None),
    "three who stay together are torn only where nothing else goes": (
        {1: 0, 2: 0, 3: 1, 4: 0, 5: 0, 6: 0},
        5,
        [(1, 2), (2, 3), (4, 5), (5, 6)],
        [1, 2, 4, 5, 6],
    ),
    "who is not here changes nothing": ({1: 1, 2: 0, 3: 0, 4: 0, 5: 0}, 4, [(1, 9)], [2, 3, 4, 5]),
    "all have a place": ({1: 1, 2: 0, 3: 0}, 3, [(1, 2)], [1, 2, 3]),
}


@pytest.mark.parametrize("case", CASES)
def test_who_plays(case):
    played, places, together, expected = CASES[case]
    chosen = who_plays(list(played), places, together, lambda person: (played[person], -person / 100))
    if expected is None:
        assert (len(chosen), {1, 2} <= set(chosen), 7 in chosen) == (4, True, False)
        assert {3, 4} <= set(chosen) or {5, 6} <= set(chosen)
    else:
        assert chosen == expected
