"""Questions about a Mah-jong read as fans: of its tiles and of the winning tile. No points here."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

from clubscore.scoring.tiles import (
    DRAGON_TILES,
    EAST,
    GREENS,
    HONOURS,
    KIND_COUNT,
    MAJORS,
    SUIT_MASKS,
    SUIT_TILES,
    TERMINALS,
    WIND_TILES,
    mask_of,
)

# How often each kind is held, as three bits a kind in one whole number
UNIT = tuple(1 << 3 * tile for tile in range(KIND_COUNT))
ONCE = sum(UNIT)
FOURS = ONCE * 4
KNITTED = tuple(
    tuple(9 * suit + number for suit, first in enumerate(firsts) for number in (first, first + 3, first + 6))
    for firsts in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
)
KNITTED_MASKS = tuple(sum(1 << tile for tile in tiles) for tiles in KNITTED)
KNITTED_COUNTS = tuple(sum(UNIT[tile] for tile in tiles) for tiles in KNITTED)
GATES = frozenset(
    sum(UNIT[9 * suit + number] * (3 if number in (0, 8) else 1) for number in range(9)) for suit in range(3)
)
SEVEN_IN_A_ROW = frozenset(0b1111111 << 9 * suit + first for suit in range(3) for first in range(3))
REVERSIBLES = mask_of("1D 2D 3D 4D 5D 8D 9D 2B 4B 5B 6B 8B 9B P")
SUIT_FOURS = sum(UNIT[:EAST]) * 4

EDGE, CLOSED, SINGLE = 1, 2, 4


class Finish(NamedTuple):
    """How the winning tile came, the numbers of sets, and the `wait` as EDGE, CLOSED and SINGLE bits.

    `melded` counts the sets claimed before the winning tile; `wait` is 0 unless one kind of tile alone completed the
    hand.
    """

    drawn: bool
    last: bool
    after_kong: bool
    robbed: bool
    last_of_kind: bool
    kongs_melded: int
    kongs_concealed: int
    melded: int
    concealed_pungs: int
    wait: int


class Held(NamedTuple):
    """All tiles of a hand: `kinds` a bit for each kind, `counts` three bits a kind, `fours` those held four times
    without a kong, the winning `tile`, and whether every tile is loose (nothing melded, no kong)."""

    kinds: int
    counts: int
    fours: int
    tile: int
    all_loose: bool


# Questions of the winning tile: question(finish)


def waits(wait: int) -> Callable[[Finish], bool]:
    """Return the question "did the hand wait like this?"."""
    return lambda finish: finish.wait & wait != 0


is_edge_wait = waits(EDGE)
is_closed_wait = waits(CLOSED)
is_single_wait = waits(SINGLE)


def is_self_drawn(finish: Finish) -> bool:
    return finish.drawn


def is_concealed_and_claimed(finish: Finish) -> bool:
    return not finish.melded and not finish.drawn


def is_concealed_and_drawn(finish: Finish) -> bool:
    return not finish.melded and finish.drawn


def is_all_melded(finish: Finish) -> bool:
    """All four sets claimed; then the winning tile made the pair, and it was claimed too."""
    return finish.melded == 4 and not finish.drawn


def is_last_of_its_kind(finish: Finish) -> bool:
    return finish.last_of_kind


def is_last_draw(finish: Finish) -> bool:
    return finish.last and finish.drawn


def is_last_claim(finish: Finish) -> bool:
    return finish.last and not finish.drawn


def is_after_kong(finish: Finish) -> bool:
    return finish.after_kong


def is_robbing(finish: Finish) -> bool:
    return finish.robbed


def concealed_pungs(number: int) -> Callable[[Finish], bool]:
    """Return the question "are exactly so many pungs and kongs concealed?"."""
    return lambda finish: finish.concealed_pungs == number


def kongs(number: int) -> Callable[[Finish], bool]:
    """Return the question "are there exactly so many kongs, melded or concealed?"."""
    return lambda finish: finish.kongs_melded + finish.kongs_concealed == number


def kongs_of_each(melded: int, concealed: int) -> Callable[[Finish], bool]:
    """Return the question "are there exactly so many melded kongs, and so many concealed ones?"."""
    return lambda finish: finish.kongs_melded == melded and finish.kongs_concealed == concealed


def has_a_melded_kong(finish: Finish) -> bool:
    return finish.kongs_melded == 1


def has_a_concealed_kong(finish: Finish) -> bool:
    return finish.kongs_concealed == 1


# Questions of the kinds of tiles held: question(mask)


def only(mask: int) -> Callable[[int], bool]:
    """Return the question "is every tile one of these?"."""
    return lambda kinds: kinds & ~mask == 0


def none_of(mask: int) -> Callable[[int], bool]:
    """Return the question "is no tile one of these?"."""
    return lambda kinds: kinds & mask == 0


def _suits(kinds: int) -> int:
    return sum([kinds & mask != 0 for mask in SUIT_MASKS])


def has_two_suits(kinds: int) -> bool:
    return _suits(kinds) == 2


def is_half_flush(kinds: int) -> bool:
    return _suits(kinds) == 1 and kinds & HONOURS != 0


def is_full_flush(kinds: int) -> bool:
    return _suits(kinds) == 1 and kinds & HONOURS == 0


def has_all_types(kinds: int) -> bool:
    return _suits(kinds) == 3 and kinds & WIND_TILES != 0 and kinds & DRAGON_TILES != 0


def is_terminals_and_honors(kinds: int) -> bool:
    return kinds & ~MAJORS == 0 and kinds & TERMINALS != 0 and kinds & HONOURS != 0


def numbers(first: int, last: int) -> int:
    """Return the mask of the suit tiles with these numbers, both ends included."""
    return mask_of(" ".join(f"{number}{suit}" for number in range(first, last + 1) for suit in "CBD"))


has_no_honors = none_of(HONOURS)
is_all_simples = none_of(MAJORS)
is_reversible = only(REVERSIBLES)
is_all_terminals = only(TERMINALS)
is_all_honors = only(HONOURS)
is_all_green = only(GREENS)
is_upper_four = only(numbers(6, 9))
is_lower_four = only(numbers(1, 4))
is_upper = only(numbers(7, 9))
is_middle = only(numbers(4, 6))
is_lower = only(numbers(1, 3))


# Questions of the tiles held: question(held)


def hogs(held: Held) -> int:
    """How many kinds of suit tiles are held four times without being a kong."""
    return (held.fours & SUIT_FOURS).bit_count()


def hogs_of_any_kind(held: Held) -> int:
    """How many kinds of tiles, honors too, are held four times without being a kong."""
    return held.fours.bit_count()


def is_seven_pairs(held: Held) -> bool:
    return held.all_loose and held.counts & ONCE == 0


def is_shifted_pairs(held: Held) -> bool:
    return is_seven_pairs(held) and held.kinds in SEVEN_IN_A_ROW


def has_knitted_straight(held: Held) -> bool:
    return any(held.kinds & mask == mask for mask in KNITTED_MASKS)


def _knitted_honors(least: int, most: int) -> Callable[[Held], bool]:
    def question(held: Held) -> bool:
        suit_tiles = held.kinds & SUIT_TILES
        return (
            held.all_loose
            and held.kinds.bit_count() == 14
            and least <= (held.kinds & HONOURS).bit_count() <= most
            and any(suit_tiles & ~mask == 0 for mask in KNITTED_MASKS)
        )

    return question


is_lesser_knitted = _knitted_honors(5, 6)
is_greater_knitted = _knitted_honors(7, 7)


def is_orphans(held: Held) -> bool:
    return held.all_loose and held.kinds == MAJORS


def is_nine_gates(held: Held) -> bool:
    return held.all_loose and held.counts - UNIT[held.tile] in GATES


def has_no_fan(fans: int) -> bool:
    """Whether nothing was found: question(bits of the fans found)."""
    return not fans


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
# order; the pair is -1 unless all four sets are chows.


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
    """Whether each number, in order, is so many above the one before."""
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
    """Pungs of 1s and 9s, and of winds neither own nor of the round unless there are three wind pungs or more."""
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


def double_pungs(pungs: Pungs) -> int:
    """How many pairs of pungs have the same number in two suits."""
    numbers = [tile % 9 for tile in pungs.tiles if tile < EAST]
    return sum([first == second for first, second in combinations(numbers, 2)])


def _pungs_joined(size: int, step: int, test: Callable[..., bool]) -> Callable[[Pungs], bool]:
    def question(pungs: Pungs) -> bool:
        suit_tiles = [tile for tile in pungs.tiles if tile < EAST]
        return any(test(*few) and _rising(step, *few) for few in combinations(suit_tiles, size))

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
PUNG_MARKS = tuple(_pung_marks(tile) for tile in range(KIND_COUNT))
PAIR_MARKS = tuple(_pung_marks(tile) | (IS_CHOW if tile < EAST else 0) for tile in range(KIND_COUNT))
KNITTED_MARKS = IS_CHOW


def every(mark: int) -> Callable[[int], bool]:
    """Return the question "does this hold of every set and of the pair?"."""
    return lambda marks: marks & mark != 0


is_outside = every(HOLDS_MAJOR)
is_all_fives = every(HOLDS_FIVE)
is_all_chows = every(IS_CHOW)
is_all_pungs = every(IS_PUNG)
is_all_even = every(IS_EVEN_PUNG)
