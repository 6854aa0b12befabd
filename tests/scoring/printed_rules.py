"""What the scoring rules print in A2 to A6 and B1 to B3: each row by its key and its worth, as its source has it."""

# A2: pungs and kongs of minor and major tiles, exposed and concealed, pairs, flowers and seasons; a chow is nothing.
_SETS = """
chow|nothing
pung_minor_exposed|2 points
pung_minor_concealed|4 points
pung_major_exposed|4 points
pung_major_concealed|8 points
kong_minor_exposed|8 points
kong_minor_concealed|16 points
kong_major_exposed|16 points
kong_major_concealed|32 points
pair_of_dragons|2 points
pair_of_own_wind|2 points
pair_of_round_wind|2 points
bonus_tile|4 points
"""

# A4, 1 to 5
_SET_DOUBLES = """
dragon_set|1 double
own_wind_set|1 double
round_wind_set|1 double
own_flower|1 double
own_season|1 double
"""

# A3; A4, 6 to 13; A5
_BRITISH = f"""{_SETS}{_SET_DOUBLES}
mah_jong|20 points
drawn_from_wall|2 points
four_flowers|2 doubles
four_seasons|2 doubles
clean|1 double
no_chows|1 double
all_concealed|1 double
all_majors|1 double
last_tile|1 double
final_discard|1 double
kong_box|1 double
robbed_kong|1 double
bonus_beside_special|what they score on their own
purity|its points, doubled 3 times
all_pair_honours|500; fishing 200
knitting|500; fishing 200
triple_knitting|500; fishing 200
buried_treasure|1,000; fishing 400
gates_of_heaven|1,000; fishing 400
wriggling_snake|1,000; fishing 400
thirteen_unique_wonders|1,000; fishing 400
heavens_blessing|1,000
earths_blessing|1,000
plum_blossom|1,000
plucking_the_moon|1,000
twofold_fortune|1,000
"""

# A6, 9 to 14
_EXPOSABLE = (
    "imperial_jade", "heads_and_tails", "three_great_scholars", "all_winds_and_dragons", "four_blessings",
    "fourfold_plenty",
)  # fmt: skip

# B1 and B2 alike, but for what four flowers are
_BONUSES = """
mah_jong|20 points
drawn_from_wall|2 points
drawn_from_kong_box|2 points
only_piece|2 points
no_chows|10 points
no_value|10 points
last_tile|10 points
loose_tile|10 points
"""

_WESTERN = f"""{_SETS}{_SET_DOUBLES}{_BONUSES}
standing_hand|100 points
four_flowers|3 doubles
four_seasons|3 doubles
robbed_kong|1 double
one_suit_and_honours|1 double
ones_nines_and_honours|1 double
one_suit_alone|3 doubles
original|3 doubles
honours_alone|3 doubles
three_winds_and_pair|600
three_dragons|600
all_winds_and_dragons|600
original_hand|600
first_discard|600
ones_and_nines|600
concealed_pungs|600
thirteen_odd_majors|600
calling_nine_tile|600
thirteenth_mahjong|600
"""

_BEGINNERS = f"""{_SETS}{_SET_DOUBLES}{_BONUSES}
four_flowers|times 3
four_seasons|times 3
one_suit_and_honours|1 double
ones_and_nines|1 double
one_suit_alone|times 3
original|times 3
honours_alone|times 3
thirteen_odd_majors|600
calling_nine_tile|600
"""

_BAGGALEY = """
chow|2 points
pair_of_dragons|2 points
pair_of_own_wind|2 points
pung|4 points
bonus_tile|4 points
kong_open|16 points
kong_closed|32 points
mixed_dragon|16 points
pure_dragon|32 points
four_chows|16 points
four_pungs|32 points
four_kongs|300 points
bouquet_of_flowers|32 points
bouquet_of_seasons|32 points
mah_jong|20 points
self_drawn|40 points
flower_replaced|10 points
kong_replaced|20 points
lesser_heavenly_blessing|500 points
heavenly_blessing|1,000 points
orphan|40 points as well as its sets
seven_pairs|60 points as well as its sets
"""

_TURNER = """
mah_jong|20 points
self_drawn|40 points
"""


def _rows(table, **more):
    rows = [line.split("|") for line in table.split("\n") if line]
    found = dict(rows) | more
    assert len(found) == len(rows) + len(more)
    return found


PRINTED = {
    "bmja": _rows(
        _BRITISH, **dict.fromkeys(_EXPOSABLE, "1,000; fishing 400"),
        original_call_made="1 double", original_call_won="1 double",
    ),
    "u3a": _rows(
        _BRITISH, **dict.fromkeys(_EXPOSABLE, "1,000; exposed 500; fishing 400; exposed 200"),
        original_call="1 double", drawn_from_kong_box="2 points", east_wins="1 double", east_special_doubled="times 2",
    ),
    "western": _rows(_WESTERN),
    "beginners": _rows(_BEGINNERS),
    "baggaley": _rows(_BAGGALEY),
    "turner": _rows(_TURNER),
}  # fmt: skip


def stated_total(rule_set, example, **overrides):
    """Work out the total that an example states: a share of the limit, or of the special hands' value without one."""
    if isinstance(example.total, int):
        return example.total
    house = {**rule_set.house_rules, **overrides, **example.house_rules}
    limit = house["limit"] if house["limit"] is not None else house["special_value"]
    return limit * example.total.tenths // 10 + example.total.extra
