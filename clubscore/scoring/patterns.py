"""Questions about a hand. They answer yes, no or how often; what the answer is worth is in the rule sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from clubscore.scoring.hands import NOT_WON, Mahjong, PlayedSet, PlayerWinds
from clubscore.scoring.tiles import (
    DRAGON_TILES,
    EAST,
    HONOURS,
    KIND_COUNT,
    MAJORS,
    SUIT_MASKS,
    SUIT_TILES,
    TERMINALS,
    WIND_TILES,
)

ALL_TILES = (1 << KIND_COUNT) - 1
MINORS = ALL_TILES & ~MAJORS

# Tiles that special hands are made of
ONE_SUIT = SUIT_MASKS
ONE_SUIT_AND_HONOURS = tuple(mask | HONOURS for mask in SUIT_MASKS)
ONE_SUIT_AND_WINDS = tuple(mask | WIND_TILES for mask in SUIT_MASKS)
TWO_SUITS = tuple(SUIT_TILES & ~mask for mask in SUIT_MASKS)


@dataclass(slots=True, eq=False)
class Reading:
    """One way to read a player's hand.

    `sets` and `pair` are filled if it is read as sets, `counts` (kind -> number) if only the tiles matter. `mask` has a
    bit for every kind held. `completed` is the set or pair that the winning tile finished.
    """

    winds: PlayerWinds
    win: Mahjong  # NOT_WON for everyone but the winner
    goulash: bool
    original_call: bool
    counts: dict[int, int]
    mask: int = 0
    sets: tuple[PlayedSet, ...] = ()
    pair: PlayedSet | None = None
    completed: PlayedSet | None = None
    exposed_before: bool = False
    only_piece: bool = False  # no other kind of tile would have finished the hand
    value: int = 0  # the points of its sets, pair and flowers

    def number_of(self, *kinds: str) -> int:
        """Return how many of its sets are of these kinds."""
        return len([played for played in self.sets if played.kind in kinds])


SetQuestion: TypeAlias = Callable[[PlayedSet, PlayerWinds], bool]
BonusQuestion: TypeAlias = Callable[[int, PlayerWinds], bool]
HandQuestion: TypeAlias = Callable[[Reading], bool]


# Questions of one set: question(played_set, winds)


def a_set(*kinds: str, exposed: bool | None = None, of: int = ALL_TILES) -> SetQuestion:
    """Return the question "is it a set of one of these kinds, exposed or not, of one of these tiles?"."""

    allowed = (True, False) if exposed is None else (exposed,)

    def question(played: PlayedSet, winds: PlayerWinds) -> bool:
        return played.kind in kinds and played.exposed in allowed and of >> played.tile & 1 == 1

    return question


def an_own_wind(*kinds: str) -> SetQuestion:
    """Return the question "is it a set of one of these kinds of the player's own wind?"."""
    return lambda played, winds: played.kind in kinds and played.tile == EAST + winds.own


def a_round_wind(*kinds: str) -> SetQuestion:
    """Return the question "is it a set of one of these kinds of the wind of the round?"."""
    return lambda played, winds: played.kind in kinds and played.tile == EAST + winds.of_round


def is_round_wind_pair_not_own(played: PlayedSet, winds: PlayerWinds) -> bool:
    return played.kind == "pair" and played.tile == EAST + winds.of_round and winds.own != winds.of_round


is_dragon_pair = a_set("pair", of=DRAGON_TILES)
is_own_wind_pair = an_own_wind("pair")
is_round_wind_pair = a_round_wind("pair")
is_dragon_set = a_set("pung", "kong", of=DRAGON_TILES)
is_own_wind_set = an_own_wind("pung", "kong")
is_round_wind_set = a_round_wind("pung", "kong")


# Questions of bonus tiles: question(number 0 to 7, winds) or question(mask, winds)


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


def has_all_of(wanted: int) -> BonusQuestion:
    """Return the question "are all these bonus tiles there?"."""
    return lambda mask, winds: mask & wanted == wanted


has_four_flowers = has_all_of(0b00001111)
has_four_seasons = has_all_of(0b11110000)


# Questions of the way Mah-jong was made: question(reading)


def is_mahjong(reading: Reading) -> bool:
    return reading.win is not NOT_WON


def has_mark(mark: str) -> HandQuestion:
    """Return the question "was Mah-jong made with this mark?"."""
    return lambda reading: getattr(reading.win, mark)


is_robbed_kong = has_mark("robbed_kong")
is_standing = has_mark("standing")
is_dealt = has_mark("dealt")  # East's fourteen tiles, or another's thirteen and the first draw


def is_from_wall(reading: Reading) -> bool:
    return reading.win.source == "wall"


def is_loose_tile(reading: Reading) -> bool:
    return reading.win.source == "kong box"


def is_self_drawn(reading: Reading) -> bool:
    return reading.win.source in ("wall", "kong box")


def is_not_self_drawn(reading: Reading) -> bool:
    return is_mahjong(reading) and not is_self_drawn(reading)


def is_last_of_wall(reading: Reading) -> bool:
    return reading.win.last_tile and reading.win.source == "wall"


def is_final_discard(reading: Reading) -> bool:
    return reading.win.last_tile and reading.win.is_claimed


def is_original_call(reading: Reading) -> bool:
    """Fishing declared after the first discard; `fishing` need not be set as well."""
    return reading.original_call


def is_east(reading: Reading) -> bool:
    return reading.winds.own == 0


def is_dealt_and_east(reading: Reading) -> bool:
    return reading.win.dealt and is_east(reading)


def is_flower_replaced(reading: Reading) -> bool:
    return is_loose_tile(reading) and reading.win.replacement_for == "flower"


def is_kong_replaced(reading: Reading) -> bool:
    return is_loose_tile(reading) and reading.win.replacement_for != "flower"


def is_first_round_of_another(reading: Reading) -> bool:
    return reading.win.first_round and not is_east(reading)


def is_only_piece(reading: Reading) -> bool:
    """Asked only if a rule set has such a row."""
    return reading.only_piece


# Questions of the complete hand: question(reading)


def has_one_suit(reading: Reading) -> bool:
    """Suit tiles of one suit alone; honours may be among them."""
    return reading.mask & SUIT_TILES != 0 and has_one_suit_or_honours(reading)


def has_one_suit_or_honours(reading: Reading) -> bool:
    suit_tiles = reading.mask & SUIT_TILES
    return suit_tiles == 0 or any(suit_tiles & ~mask == 0 for mask in SUIT_MASKS)


def has_one_suit_and_honours(reading: Reading) -> bool:
    return reading.mask & HONOURS != 0 and has_one_suit(reading)


def has_one_suit_alone(reading: Reading) -> bool:
    return reading.mask & HONOURS == 0 and has_one_suit(reading)


def has_only_honours(reading: Reading) -> bool:
    return reading.mask & ~HONOURS == 0


def is_all_majors(reading: Reading) -> bool:
    return reading.mask & ~MAJORS == 0


def has_majors_not_honours_alone(reading: Reading) -> bool:
    """Ones and nines, with or without honours."""
    return reading.mask & TERMINALS != 0 and is_all_majors(reading)


def has_terminals_and_honours(reading: Reading) -> bool:
    return reading.mask & HONOURS != 0 and has_majors_not_honours_alone(reading)


def has_no_value(reading: Reading) -> bool:
    """No points from sets, pair, flowers or seasons (so no pung or kong)."""
    return reading.value == 0


def has_no_chow(reading: Reading) -> bool:
    return all(played.kind != "chow" for played in reading.sets)


def has_no_chow_though_allowed(reading: Reading) -> bool:
    return not reading.goulash and has_no_chow(reading)


def four(*kinds: str) -> HandQuestion:
    """Return the question "are there four sets of these kinds?"."""
    return lambda reading: reading.number_of(*kinds) == 4


is_four_chows = four("chow")
is_four_pungs = four("pung")
is_four_kongs = four("kong")
is_four_pungs_or_kongs = four("pung", "kong")


def is_all_concealed_before_win(reading: Reading) -> bool:
    return not reading.exposed_before


def is_all_concealed_and_drawn(reading: Reading) -> bool:
    return not reading.exposed_before and is_self_drawn(reading)


def is_four_concealed(reading: Reading) -> bool:
    """Four concealed pungs or kongs, whatever tile came last."""
    return has_no_chow(reading) and not reading.exposed_before


def is_buried(reading: Reading) -> bool:
    """Four concealed pungs of one suit and honours, whatever tile came last."""
    return is_four_pungs(reading) and has_one_suit(reading) and not reading.exposed_before


def is_buried_but_pair(reading: Reading) -> bool:
    """The pair alone may have been finished by a claim."""
    claimed_pair = reading.completed is not None and reading.completed.kind == "pair"
    return is_buried(reading) and (is_self_drawn(reading) or claimed_pair)


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


def has_three_winds_and_pair(reading: Reading) -> bool:
    """Pungs or kongs of three winds and a pair of the fourth."""
    winds = kinds_of_sets_among(reading, WIND_TILES)
    return winds.bit_count() == 3 and reading.pair is not None and winds | 1 << reading.pair.tile == WIND_TILES


def _dragons(reading: Reading) -> list[bool]:
    """Return each 1-2-3, 4-5-6 and 7-8-9 that can be chosen together; true where all are of one suit."""
    suits: tuple[list[int], ...] = ([], [], [])
    for played in reading.sets:
        if played.kind == "chow" and played.tile % 3 == 0:
            suits[played.tile % 9 // 3].append(played.tile // 9)
    return [low == middle == high for low in suits[0] for middle in suits[1] for high in suits[2]]


def pure_dragons(reading: Reading) -> int:
    """How many ways there are to choose three chows that make 1 to 9 of one suit."""
    return _dragons(reading).count(True)


def mixed_dragons(reading: Reading) -> int:
    """How many ways there are to choose three chows that make 1 to 9 of two or three suits."""
    return _dragons(reading).count(False)


# Questions of fourteen tiles that need not be sets: question(reading)


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
        first < EAST
        and all(counts.get(first + number, 0) == (2 if number == 0 else 1) for number in range(9))
        and all(counts.get(EAST + wind, 0) == 1 for wind in range(4))
    )


def is_thirteen_majors(reading: Reading) -> bool:
    return reading.mask == MAJORS


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
