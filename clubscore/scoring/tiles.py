"""Tiles as whole numbers, their codes, classes and names. Nothing here depends on sets or rules."""

WINDS = "ESWN"
WIND_NAMES = {"E": "East", "S": "South", "W": "West", "N": "North"}
SUITS = "CBD"
TILES = tuple(f"{number}{suit}" for suit in SUITS for number in range(1, 10)) + tuple(WINDS + "RGP")
BONUS_TILES = ("F1", "F2", "F3", "F4", "S1", "S2", "S3", "S4")

KIND_COUNT = len(TILES)  # 34 kinds of tile, numbered 0 to 33 in the order of TILES
EAST = TILES.index("E")


def _with_case_variants(codes: tuple[str, ...]) -> dict[str, int]:
    found = {}
    for place, code in enumerate(codes):
        for variant in {code, code.lower()}:
            found[variant] = place
    return found


TILE_NUMBER = _with_case_variants(TILES)
BONUS_NUMBER = _with_case_variants(BONUS_TILES)


def mask_of(codes: str) -> int:
    """Return the set of kinds named by `codes` (blank-separated) as bits of one whole number."""
    mask = 0
    for code in codes.split():
        mask |= 1 << TILE_NUMBER[code]
    return mask


SUIT_MASKS = tuple(0b111111111 << (9 * suit) for suit in range(3))
SUIT_TILES = SUIT_MASKS[0] | SUIT_MASKS[1] | SUIT_MASKS[2]
WIND_TILES = mask_of("E S W N")
DRAGON_TILES = mask_of("R G P")
HONOURS = WIND_TILES | DRAGON_TILES
TERMINALS = mask_of("1C 9C 1B 9B 1D 9D")
MAJORS = TERMINALS | HONOURS
GREENS = mask_of("2B 3B 4B 6B 8B G")

_SUIT_NAMES = {"C": ("Character", "Characters"), "B": ("Bamboo", "Bamboo"), "D": ("Circle", "Circles")}
_HONOUR_NAMES = {
    **{wind: f"{name} Wind" for wind, name in WIND_NAMES.items()},
    "R": "Red Dragon",
    "G": "Green Dragon",
    "P": "White Dragon",
}
_BONUS_NAMES = {
    "F1": "Plum Blossom",
    "F2": "Orchid",
    "F3": "Chrysanthemum",
    "F4": "Bamboo",
    "S1": "Spring",
    "S2": "Summer",
    "S3": "Autumn",
    "S4": "Winter",
}


def tile_name(code: str) -> str:
    """Return a tile in words: "1 Circle", "7 Circles", "3 Bamboo", "Red Dragon", "Flower 1 (Plum Blossom)"."""
    code = code.upper()
    if code in _BONUS_NAMES:
        return f"{'Flower' if code[0] == 'F' else 'Season'} {code[1]} ({_BONUS_NAMES[code]})"
    if code in _HONOUR_NAMES:
        return _HONOUR_NAMES[code]
    one, several = _SUIT_NAMES[code[1]]
    return f"{code[0]} {one if code[0] == '1' else several}"


def tiles_name(code: str) -> str:
    """Return several of one tile in words: "7 Circles", "3 Bamboos", "Red Dragons"."""
    name = tile_name(code)
    return name if name.endswith("s") else name + "s"


def wind_name(wind: str) -> str:
    """Return a wind letter in full: "E" is "East"."""
    return WIND_NAMES[wind]
