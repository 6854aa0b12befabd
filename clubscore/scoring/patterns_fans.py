"""Questions about a Mah-jong read as fans: of its tiles and of the winning tile. No points live here."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from clubscore.scoring.tiles import (
    DRAGON_TILES,
    EAST,
    GREENS,
    HONOURS,
    KINDS,
    MAJORS,
    SUIT_MASKS,
    SUIT_TILES,
    TERMINALS,
    WIND_TILES,
    mask_of,
)

# How often each kind is held, as three bits a kind in one whole number
UNIT = tuple(1 << 3 * tile for tile in range(KINDS))
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
CHARACTERS, BAMBOOS, CIRCLES = SUIT_MASKS
SUIT_FOURS = sum(UNIT[:EAST]) * 4

EDGE, CLOSED, SINGLE = 1, 2, 4


class Finish(NamedTuple):
    """How the winning tile came and what it left: truths, numbers of sets, and `wait` as EDGE, CLOSED, SINGLE bits.

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


def is_edge_wait(finish: Finish) -> bool:
    return bool(finish.wait & EDGE)


def is_closed_wait(finish: Finish) -> bool:
    return bool(finish.wait & CLOSED)


def is_single_wait(finish: Finish) -> bool:
    return bool(finish.wait & SINGLE)


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


def has_a_melded_kong(finish: Finish) -> bool:
    return finish.kongs_melded == 1


def has_a_concealed_kong(finish: Finish) -> bool:
    return finish.kongs_concealed == 1


def has_one_kong_of_each(finish: Finish) -> bool:
    return finish.kongs_melded == 1 and finish.kongs_concealed == 1


def has_two_melded_kongs(finish: Finish) -> bool:
    return finish.kongs_melded == 2 and not finish.kongs_concealed


def has_two_concealed_kongs(finish: Finish) -> bool:
    return finish.kongs_concealed == 2 and not finish.kongs_melded


def kongs(number: int) -> Callable[[Finish], bool]:
    """Return the question "are there exactly so many kongs, melded or concealed?"."""
    return lambda finish: finish.kongs_melded + finish.kongs_concealed == number


# Questions of the kinds of tiles held: question(mask)


def only(mask: int) -> Callable[[int], bool]:
    """Return the question "is every tile one of these?"."""
    return lambda kinds: kinds & ~mask == 0


def none_of(mask: int) -> Callable[[int], bool]:
    """Return the question "is no tile one of these?"."""
    return lambda kinds: kinds & mask == 0


def _suits(kinds: int) -> int:
    return (kinds & CHARACTERS != 0) + (kinds & BAMBOOS != 0) + (kinds & CIRCLES != 0)


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
    """How many suit tiles are there four times without being a kong."""
    return (held.fours & SUIT_FOURS).bit_count()


def hogs_of_any_kind(held: Held) -> int:
    """The same, honors too."""
    return held.fours.bit_count()


def is_seven_pairs(held: Held) -> bool:
    return held.all_loose and held.counts & ONCE == 0


def is_shifted_pairs(held: Held) -> bool:
    return is_seven_pairs(held) and held.kinds in SEVEN_IN_A_ROW


def has_knitted_straight(held: Held) -> bool:
    return any(held.kinds & mask == mask for mask in KNITTED_MASKS)


def _is_knitted_honors(held: Held, least: int, most: int) -> bool:
    suit_tiles = held.kinds & SUIT_TILES
    return (
        held.all_loose
        and held.kinds.bit_count() == 14
        and least <= (held.kinds & HONOURS).bit_count() <= most
        and any(suit_tiles & ~mask == 0 for mask in KNITTED_MASKS)
    )


def is_lesser_knitted(held: Held) -> bool:
    return _is_knitted_honors(held, 5, 6)


def is_greater_knitted(held: Held) -> bool:
    return _is_knitted_honors(held, 7, 7)


def is_orphans(held: Held) -> bool:
    return held.all_loose and held.kinds == MAJORS


def is_nine_gates(held: Held) -> bool:
    return held.all_loose and held.counts - UNIT[held.tile] in GATES


def has_no_fan(fans: int) -> bool:
    """Whether nothing was found: question(bits of the fans found)."""
    return not fans
