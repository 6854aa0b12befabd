"""Questions about the sets of a Mah-jong read as fans: chows, pungs, all five together. No points live here."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

from clubscore.scoring.tiles import DRAGON_TILES, EAST, KINDS, MAJORS, TERMINALS, WIND_TILES, mask_of

Tiles = tuple[int, ...]
Joins = list[tuple[int, ...]]

ALL_FOUR = (0, 1, 2, 3)
EVENS = mask_of(" ".join(f"{number}{suit}" for number in "2468" for suit in "CBD"))
FIVES = mask_of("5C 5B 5D")


class Pungs(NamedTuple):
    """The pungs and kongs of a reading in order and as bits, its pair if of honours (else -1), and both winds."""

    tiles: Tiles
    kinds: int
    pair: int
    own: int
    of_round: int


# Questions of the chows: question(chows, pair) -> the places of those it joins. They are named by their lowest tile, in
# order; the pair is named where all four sets are chows, else -1.


def _joined(size: int, test: Callable[..., bool]) -> Callable[[Tiles, int], Joins]:
    def question(chows: Tiles, pair: int) -> Joins:
        if len(chows) < size:
            return []
        return [places for places in combinations(range(len(chows)), size) if test(*[chows[at] for at in places])]

    return question


def _one_suit(*chows: int) -> bool:
    return chows[0] // 9 == chows[-1] // 9


def _mixed(*chows: int) -> bool:
    return len({chow // 9 for chow in chows}) == len(chows)


def _rising(step: int, *chows: int) -> bool:
    """Whether the numbers, put in order, each are so many above the one before."""
    ordered = sorted([chow % 9 for chow in chows])
    return ordered == [ordered[0] + step * at for at in range(len(ordered))]


pure_double_chows = _joined(2, lambda first, second: first == second)
mixed_double_chows = _joined(2, lambda first, second: _mixed(first, second) and _rising(0, first, second))
short_straights = _joined(2, lambda first, second: _one_suit(first, second) and _rising(3, first, second))
terminal_chows = _joined(2, lambda first, second: _one_suit(first, second) and _rising(6, first, second))
mixed_shifted_chows = _joined(3, lambda *three: _mixed(*three) and _rising(1, *three))
mixed_straight = _joined(3, lambda *three: _mixed(*three) and _rising(3, *three))
mixed_triple_chow = _joined(3, lambda *three: _mixed(*three) and _rising(0, *three))
pure_straight = _joined(3, lambda *three: _one_suit(*three) and _rising(3, *three))
pure_shifted_chows = _joined(3, lambda *three: _one_suit(*three) and (_rising(1, *three) or _rising(2, *three)))
pure_triple_chow = _joined(3, lambda *three: _one_suit(*three) and _rising(0, *three))
four_shifted_chows = _joined(4, lambda *four: _one_suit(*four) and (_rising(1, *four) or _rising(2, *four)))
quadruple_chow = _joined(4, lambda *four: _one_suit(*four) and _rising(0, *four))


def three_suited_terminals(chows: Tiles, pair: int) -> Joins:
    """1-2-3 and 7-8-9 in two suits, a pair of 5s in the third."""
    ends = len(chows) == 4 and all(chows[at] % 9 == 0 and chows[at + 1] == chows[at] + 6 for at in (0, 2))
    return [ALL_FOUR] if ends and _is_five(pair) and _mixed(chows[0], chows[2], pair) else []


def pure_terminals(chows: Tiles, pair: int) -> Joins:
    """1-2-3 and 7-8-9 twice and a pair of 5s, all in one suit."""
    first = pair - 4
    return [ALL_FOUR] if _is_five(pair) and chows == (first, first, first + 6, first + 6) else []


def _is_five(tile: int) -> bool:
    return 0 <= tile < EAST and tile % 9 == 4


# Questions of the pungs and kongs: question(pungs)


def terminal_pungs(pungs: Pungs) -> int:
    """Pungs of 1s, 9s and of winds that neither are own or of the round nor stand among three or four wind pungs."""
    winds = WIND_TILES & ~(1 << pungs.own | 1 << pungs.of_round)
    counted = TERMINALS | winds if (pungs.kinds & WIND_TILES).bit_count() < 3 else TERMINALS
    return (pungs.kinds & counted).bit_count()


def dragon_pungs(pungs: Pungs) -> int:
    return (pungs.kinds & DRAGON_TILES).bit_count()


def has_prevalent_wind(pungs: Pungs) -> bool:
    return pungs.of_round in pungs.tiles


def has_seat_wind(pungs: Pungs) -> bool:
    return pungs.own in pungs.tiles


def _honor_sets(mask: int, number: int, with_pair: bool | None) -> Callable[[Pungs], bool]:
    def question(pungs: Pungs) -> bool:
        if (pungs.kinds & mask).bit_count() != number:
            return False
        return with_pair in (None, pungs.pair >= 0 and bool(mask >> pungs.pair & 1))

    return question


is_two_dragons = _honor_sets(DRAGON_TILES, 2, False)
is_little_dragons = _honor_sets(DRAGON_TILES, 2, True)
is_big_dragons = _honor_sets(DRAGON_TILES, 3, None)
is_big_three_winds = _honor_sets(WIND_TILES, 3, False)
is_little_winds = _honor_sets(WIND_TILES, 3, True)
is_big_winds = _honor_sets(WIND_TILES, 4, None)


def _of_suits(pungs: Pungs) -> Tiles:
    return tuple([tile for tile in pungs.tiles if tile < EAST])


def double_pungs(pungs: Pungs) -> int:
    """How often two pungs have one number, in two suits."""
    numbers = [tile % 9 for tile in _of_suits(pungs)]
    return sum([first == second for first, second in combinations(numbers, 2)])


def _pungs_joined(size: int, step: int, test: Callable[..., bool]) -> Callable[[Pungs], bool]:
    def question(pungs: Pungs) -> bool:
        if len(pungs.tiles) < size:
            return False
        return any(test(*few) and _rising(step, *few) for few in combinations(_of_suits(pungs), size))

    return question


has_triple_pung = _pungs_joined(3, 0, _mixed)
has_mixed_shifted_pungs = _pungs_joined(3, 1, _mixed)
has_pure_shifted_pungs = _pungs_joined(3, 1, _one_suit)
has_four_shifted_pungs = _pungs_joined(4, 1, _one_suit)


# Questions of all five, sets and pair: question(marks), a bit for each thing that every one of them is

HOLDS_MAJOR, HOLDS_FIVE, IS_CHOW, IS_PUNG, IS_EVEN_PUNG = 1, 2, 4, 8, 16
ALL_MARKS = 31


def _marks(tiles: Tiles) -> int:
    major = any(MAJORS >> tile & 1 for tile in tiles)
    five = any(FIVES >> tile & 1 for tile in tiles)
    return (HOLDS_MAJOR if major else 0) | (HOLDS_FIVE if five else 0)


def _pung_marks(tile: int) -> int:
    return _marks((tile,)) | IS_PUNG | (IS_EVEN_PUNG if EVENS >> tile & 1 else 0)


CHOW_MARKS = tuple(_marks((tile, tile + 1, tile + 2)) | IS_CHOW for tile in range(EAST - 2))
PUNG_MARKS = tuple(_pung_marks(tile) for tile in range(KINDS))
PAIR_MARKS = tuple(_pung_marks(tile) | (IS_CHOW if tile < EAST else 0) for tile in range(KINDS))
KNITTED_MARKS = IS_CHOW


def every(mark: int) -> Callable[[int], bool]:
    """Return the question "does this hold of every set and of the pair?"."""
    return lambda marks: marks & mark != 0


is_outside = every(HOLDS_MAJOR)
is_all_fives = every(HOLDS_FIVE)
is_all_chows = every(IS_CHOW)
is_all_pungs = every(IS_PUNG)
is_all_even = every(IS_EVEN_PUNG)
