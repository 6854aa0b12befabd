"""Questions about a hand. They answer yes, no or how often; what the answer is worth stands in the rule sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from clubscore.scoring.hands import Mahjong, PlayedSet, PlayerWinds
from clubscore.scoring.tiles import (
    DRAGON_TILES,
    EAST,
    HONOURS,
    MAJORS,
    SUIT_MASKS,
    SUIT_TILES,
    TERMINALS,
    WIND_TILES,
    is_major,
    mask_of,
)

FOUR_FLOWERS = 0b00001111
FOUR_SEASONS = 0b11110000
FIVE_CIRCLES = mask_of("5D").bit_length() - 1
ONE_CIRCLES = mask_of("1D").bit_length() - 1


@dataclass(slots=True, eq=False)
class Reading:
    """One way to read a player's hand.

    `sets` and `pair` are filled if it is read as sets, `counts` (kind -> number) if only the tiles matter. `mask` has a
    bit for every kind held. `completed` is the set or pair that the winning tile finished.
    """

    winds: PlayerWinds
    win: Mahjong | None
    goulash: bool
    counts: dict[int, int]
    mask: int = 0
    sets: tuple[PlayedSet, ...] = ()
    pair: PlayedSet | None = None
    completed: PlayedSet | None = None
    exposed_before: bool = False
    original_call: bool = False
    only_piece: bool = False  # no other kind of tile would have finished the hand
    value: int = 0  # the points of its sets, pair and flowers

    def chows(self) -> int:
        """The number of chows."""
        return sum(1 for played in self.sets if played.kind == "chow")

    def kongs(self) -> int:
        """The number of kongs."""
        return sum(1 for played in self.sets if played.kind == "kong")


# Questions of one set: (played_set, winds) -> bool


def a_set(kind: str, major: bool, exposed: bool) -> Callable[[PlayedSet, PlayerWinds], bool]:
    """Return the question "is it an exposed (or concealed) set of this kind of major (or minor) tiles?"."""

    def question(played: PlayedSet, winds: PlayerWinds) -> bool:
        return played.kind == kind and played.exposed == exposed and is_major(played.tile) == major

    return question


def a_kind(*kinds: str) -> Callable[[PlayedSet, PlayerWinds], bool]:
    """Return the question "is it a set of one of these kinds?"."""

    def question(played: PlayedSet, winds: PlayerWinds) -> bool:
        return played.kind in kinds

    return question


def is_dragon_pair(played: PlayedSet, winds: PlayerWinds) -> bool:
    return played.kind == "pair" and bool(DRAGON_TILES >> played.tile & 1)


def is_own_wind_pair(played: PlayedSet, winds: PlayerWinds) -> bool:
    return played.kind == "pair" and played.tile == EAST + winds.own


def is_round_wind_pair(played: PlayedSet, winds: PlayerWinds) -> bool:
    return played.kind == "pair" and played.tile == EAST + winds.of_round


def is_round_wind_pair_not_own(played: PlayedSet, winds: PlayerWinds) -> bool:
    return is_round_wind_pair(played, winds) and winds.own != winds.of_round


def is_dragon_set(played: PlayedSet, winds: PlayerWinds) -> bool:
    return played.kind in ("pung", "kong") and bool(DRAGON_TILES >> played.tile & 1)


def is_own_wind_set(played: PlayedSet, winds: PlayerWinds) -> bool:
    return played.kind in ("pung", "kong") and played.tile == EAST + winds.own


def is_round_wind_set(played: PlayedSet, winds: PlayerWinds) -> bool:
    return played.kind in ("pung", "kong") and played.tile == EAST + winds.of_round


# Questions of bonus tiles: (number 0 to 7, winds) or (mask, winds)


def is_a_bonus_tile(number: int, winds: PlayerWinds) -> bool:
    return True


def has_a_bonus_tile(mask: int, winds: PlayerWinds) -> bool:
    return mask != 0


def sits_east(mask: int, winds: PlayerWinds) -> bool:
    return winds.own == 0


def is_own_flower(number: int, winds: PlayerWinds) -> bool:
    return number == winds.own


def is_own_season(number: int, winds: PlayerWinds) -> bool:
    return number == 4 + winds.own


def has_four_flowers(mask: int, winds: PlayerWinds) -> bool:
    return mask & FOUR_FLOWERS == FOUR_FLOWERS


def has_four_seasons(mask: int, winds: PlayerWinds) -> bool:
    return mask & FOUR_SEASONS == FOUR_SEASONS


# Questions of the way Mah-jong was made


def is_mahjong(reading: Reading) -> bool:
    return reading.win is not None


def is_from_wall(reading: Reading) -> bool:
    return reading.win is not None and reading.win.source == "wall"


def is_loose_tile(reading: Reading) -> bool:
    return reading.win is not None and reading.win.source == "kong box"


def is_self_drawn(reading: Reading) -> bool:
    return is_from_wall(reading) or is_loose_tile(reading)


def is_last_of_wall(reading: Reading) -> bool:
    return reading.win is not None and reading.win.last_tile and reading.win.source == "wall"


def is_final_discard(reading: Reading) -> bool:
    return reading.win is not None and reading.win.last_tile and reading.win.is_claimed


def is_robbed_kong(reading: Reading) -> bool:
    return reading.win is not None and reading.win.robbed_kong


def is_original_call(reading: Reading) -> bool:
    """Fishing declared after the first discard; `fishing` need not be set as well."""
    return reading.original_call


def is_east(reading: Reading) -> bool:
    return reading.winds.own == 0


def is_dealt_to_east(reading: Reading) -> bool:
    """Mah-jong with the tiles as dealt; flowers replaced do no harm, a kong does."""
    return reading.win is not None and reading.win.dealt and is_east(reading) and reading.kongs() == 0


def is_first_discard(reading: Reading) -> bool:
    return reading.win is not None and reading.win.first_discard


def is_five_circles_loose(reading: Reading) -> bool:
    return reading.win is not None and is_loose_tile(reading) and reading.win.tile == FIVE_CIRCLES


def is_one_circles_last(reading: Reading) -> bool:
    return reading.win is not None and is_last_of_wall(reading) and reading.win.tile == ONE_CIRCLES


def is_second_kong(reading: Reading) -> bool:
    return reading.win is not None and reading.win.second_kong


# Questions of the complete hand


def has_one_suit(reading: Reading) -> bool:
    """Suit tiles of one suit alone; honours may be among them."""
    return _is_one_suit(reading.mask & SUIT_TILES)


def _is_one_suit(suit_tiles: int) -> bool:
    return suit_tiles != 0 and any(suit_tiles & ~mask == 0 for mask in SUIT_MASKS)


def has_one_suit_or_honours(reading: Reading) -> bool:
    suit_tiles = reading.mask & SUIT_TILES
    return suit_tiles == 0 or _is_one_suit(suit_tiles)


def has_no_chow(reading: Reading) -> bool:
    return all(played.kind != "chow" for played in reading.sets)


def has_no_chow_though_allowed(reading: Reading) -> bool:
    return not reading.goulash and has_no_chow(reading)


def is_all_concealed_and_drawn(reading: Reading) -> bool:
    return not reading.exposed_before and is_self_drawn(reading)


def is_all_concealed_before_win(reading: Reading) -> bool:
    return not reading.exposed_before


def is_all_majors(reading: Reading) -> bool:
    return reading.mask & ~MAJORS == 0


def is_four_pungs(reading: Reading) -> bool:
    return all(played.kind == "pung" for played in reading.sets)


def is_four_kongs(reading: Reading) -> bool:
    return all(played.kind == "kong" for played in reading.sets)


def _is_buried(reading: Reading) -> bool:
    return is_four_pungs(reading) and has_one_suit(reading) and not reading.exposed_before


def is_buried_and_drawn(reading: Reading) -> bool:
    return _is_buried(reading) and is_self_drawn(reading)


def is_buried_but_pair(reading: Reading) -> bool:
    """Four pungs of one suit and honours from the wall; the pair alone may have been finished by a claim."""
    claimed_pair = reading.completed is not None and reading.completed.kind == "pair"
    return _is_buried(reading) and (is_self_drawn(reading) or claimed_pair)


def is_buried_before_win(reading: Reading) -> bool:
    return _is_buried(reading)


def kinds_of_sets_among(reading: Reading, mask: int) -> int:
    """Return those of these kinds of which there is a pung or kong, as bits; in a goulash one kind may make two."""
    kinds = 0
    for played in reading.sets:
        if played.kind in ("pung", "kong"):
            kinds |= mask & 1 << played.tile
    return kinds


def has_every_dragon_set(reading: Reading) -> bool:
    return kinds_of_sets_among(reading, DRAGON_TILES) == DRAGON_TILES


def is_three_scholars(reading: Reading) -> bool:
    return has_every_dragon_set(reading) and has_no_chow(reading)


def has_every_wind_set(reading: Reading) -> bool:
    return kinds_of_sets_among(reading, WIND_TILES) == WIND_TILES


# Questions of fourteen tiles that need not be sets


def is_seven_pairs(reading: Reading) -> bool:
    return all(count % 2 == 0 for count in reading.counts.values())


def is_knitted_pairs(reading: Reading) -> bool:
    """Seven pairs, each one tile of the same number in the same two suits."""
    suits = [suit for suit, mask in enumerate(SUIT_MASKS) if reading.mask & mask]
    if len(suits) != 2:
        return False
    counts, first, second = reading.counts, 9 * suits[0], 9 * suits[1]
    return all(counts.get(first + number, 0) == counts.get(second + number, 0) for number in range(9))


def is_knitted_triples(reading: Reading) -> bool:
    """Four triples of one number in all three suits, and two tiles of one number in two suits."""
    counts, over = reading.counts, 0
    for number in range(9):
        few, some, many = sorted(counts.get(9 * suit + number, 0) for suit in range(3))
        if (few, some) != (many, many) and (few + 1, some) != (many, many):
            return False
        over += many - few
    return over == 1


def is_gates(reading: Reading) -> bool:
    """Three 1s, three 9s and 2 to 8 of one suit, and one more tile of the suit."""
    counts = reading.counts
    first = 9 * (min(counts) // 9)
    return all(counts.get(first + number, 0) >= (3 if number in (0, 8) else 1) for number in range(9))


def is_snake(reading: Reading) -> bool:
    """A pair of 1s and 2 to 9 of one suit, and the four winds."""
    counts = reading.counts
    first = 9 * (min(counts) // 9)
    return (
        min(counts) < EAST
        and all(counts.get(first + number, 0) == (2 if number == 0 else 1) for number in range(9))
        and all(counts.get(EAST + wind, 0) == 1 for wind in range(4))
    )


def is_thirteen_majors(reading: Reading) -> bool:
    return reading.mask == MAJORS


ONE_SUIT = SUIT_MASKS
ONE_SUIT_AND_HONOURS = tuple(mask | HONOURS for mask in SUIT_MASKS)
ONE_SUIT_AND_WINDS = tuple(mask | WIND_TILES for mask in SUIT_MASKS)
TWO_SUITS = tuple(SUIT_TILES & ~mask for mask in SUIT_MASKS)


def is_open_kong(played: PlayedSet, winds: PlayerWinds) -> bool:
    return played.kind == "kong" and played.exposed


def is_closed_kong(played: PlayedSet, winds: PlayerWinds) -> bool:
    return played.kind == "kong" and not played.exposed


def is_not_self_drawn(reading: Reading) -> bool:
    return reading.win is not None and not is_self_drawn(reading)


def is_only_piece(reading: Reading) -> bool:
    """No other kind of tile would have finished the hand (asked only where a rule set has such a row)."""
    return reading.only_piece


def is_flower_replaced(reading: Reading) -> bool:
    return reading.win is not None and is_loose_tile(reading) and reading.win.replacement_for == "flower"


def is_kong_replaced(reading: Reading) -> bool:
    return is_loose_tile(reading) and not is_flower_replaced(reading)


def is_standing(reading: Reading) -> bool:
    return reading.win is not None and reading.win.standing


def is_dealt(reading: Reading) -> bool:
    """Mah-jong as dealt: East's fourteen tiles, or another's thirteen and the first draw."""
    return reading.win is not None and reading.win.dealt


def is_easts_thirteenth(reading: Reading) -> bool:
    return reading.win is not None and is_east(reading) and reading.win.consecutive == 13


def is_first_round_of_another(reading: Reading) -> bool:
    return reading.win is not None and reading.win.first_round and not is_east(reading)


def is_dealt_and_east(reading: Reading) -> bool:
    """East's Mah-jong as dealt, a kong and its loose tile among it."""
    return is_dealt(reading) and is_east(reading)


def has_one_suit_and_honours(reading: Reading) -> bool:
    return bool(reading.mask & HONOURS) and has_one_suit(reading)


def has_one_suit_alone(reading: Reading) -> bool:
    return reading.mask & HONOURS == 0 and has_one_suit(reading)


def has_only_honours(reading: Reading) -> bool:
    return reading.mask & ~HONOURS == 0


def has_majors_not_honours_alone(reading: Reading) -> bool:
    """Ones and nines, with or without honours; honours alone are another matter."""
    return bool(reading.mask & TERMINALS) and is_all_majors(reading)


def has_terminals_and_honours(reading: Reading) -> bool:
    return bool(reading.mask & HONOURS) and has_majors_not_honours_alone(reading)


def has_no_value(reading: Reading) -> bool:
    """No points from sets, pair, flowers or seasons (so no pung or kong)."""
    return reading.value == 0


def has_three_winds_and_pair(reading: Reading) -> bool:
    """Pungs or kongs of three winds and a pair of the fourth."""
    winds = kinds_of_sets_among(reading, WIND_TILES)
    return winds.bit_count() == 3 and reading.pair is not None and winds | 1 << reading.pair.tile == WIND_TILES


def is_four_concealed(reading: Reading) -> bool:
    """Four concealed pungs or kongs, whatever tile came last."""
    return has_no_chow(reading) and not reading.exposed_before


def is_four_concealed_and_drawn(reading: Reading) -> bool:
    return is_four_concealed(reading) and is_self_drawn(reading)


def _number_of(reading: Reading, *kinds: str) -> int:
    return sum(1 for played in reading.sets if played.kind in kinds)


def has_four_chows(reading: Reading) -> bool:
    return _number_of(reading, "chow") == 4


def has_four_kongs(reading: Reading) -> bool:
    return _number_of(reading, "kong") == 4


def has_four_pungs_or_kongs(reading: Reading) -> bool:
    return _number_of(reading, "pung", "kong") == 4


def _dragons(reading: Reading) -> list[bool]:
    """Return each 1-2-3, 4-5-6 and 7-8-9 that can be chosen together; true where all are of one suit."""
    suits: tuple[list[int], ...] = ([], [], [])
    for played in reading.sets:
        if played.kind == "chow" and played.tile % 3 == 0:
            suits[played.tile % 9 // 3].append(played.tile // 9)
    return [low == middle == high for low in suits[0] for middle in suits[1] for high in suits[2]]


def pure_dragons(reading: Reading) -> int:
    """How often 1 to 9 of one suit stands there as three chows, each choice of the chows once."""
    return _dragons(reading).count(True)


def mixed_dragons(reading: Reading) -> int:
    """How often 1 to 9 of two or three suits stands there as three chows, each choice of the chows once."""
    return _dragons(reading).count(False)


def is_orphan(reading: Reading) -> bool:
    """No two tiles alike, and at least two numbers between any two of one suit."""
    if any(count > 1 for count in reading.counts.values()):
        return False
    return all(
        not (near in reading.counts and near // 9 == tile // 9)
        for tile in reading.counts
        if tile < EAST
        for near in (tile + 1, tile + 2)
    )
