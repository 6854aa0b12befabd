"""Random winning hands of Chinese Official, and the same hands in the notation of PyMahjongGB, the second opinion."""

from collections import Counter

SUITS = "CBD"
SUIT_CODES = [f"{number}{suit}" for suit in SUITS for number in range(1, 10)]
HONORS = list("ESWNRGP")
CODES = [*SUIT_CODES, *HONORS]
ORPHANS = [code for code in CODES if code in HONORS or code[0] in "19"]
GREENS = ["2B", "3B", "4B", "6B", "8B", "G"]
WINDS = "ESWN"
# the house rules under which both count alike
ALIKE = {
    "minimum_points": 0, "concealed_and_melded_kong": 5, "all_types_with_seven_pairs": True,
    "tile_hog_of_honors": True, "nine_gates_second_pung": True,
}  # fmt: skip


def a_chow(code):
    return [f"{int(code[0]) + step}{code[1]}" for step in range(3)]


def pool_of(rng):
    """Choose the tiles a hand is made of, so that rare fans come often."""
    suit, first = rng.choice(SUITS), rng.randint(1, 6)
    return rng.choice([
        CODES, CODES, SUIT_CODES, ORPHANS, GREENS,
        [code for code in SUIT_CODES if code[1] == suit],
        [code for code in CODES if code[1:] != suit],
        [code for code in SUIT_CODES if first <= int(code[0]) <= first + 3],
    ])  # fmt: skip


def sets_and_pair(rng):
    """Make four sets (kind, tiles) and a pair."""
    pool, chows = pool_of(rng), rng.choice([0.05, 0.6, 0.95])
    starts = [code for code in pool if code in SUIT_CODES and code[0] < "8" and set(a_chow(code)) <= set(pool)]
    while True:
        sets = []
        for _ in range(4):
            if starts and rng.random() < chows:
                sets.append(("chow", a_chow(rng.choice(starts))))
            else:
                kind = "kong" if rng.random() < 0.15 else "pung"
                sets.append((kind, [rng.choice(pool)] * (4 if kind == "kong" else 3)))
        pair = [rng.choice(pool)] * 2
        if most(sets, pair) <= 4:
            return sets, pair


def most(sets, loose):
    held = Counter(loose)
    for _, codes in sets:
        held.update(codes)
    return max(held.values())


def knitted(rng):
    suits = rng.sample(SUITS, 3)
    return [f"{number}{suit}" for first, suit in enumerate(suits, start=1) for number in (first, first + 3, first + 6)]


def knitted_straight(rng):
    """Make a knitted straight with one set, perhaps melded, and a pair."""
    while True:
        sets, pair = sets_and_pair(rng)
        loose = knitted(rng) + pair
        if most(sets[:1], loose) <= 4:
            return sets[:1], loose


def fourteen_tiles(rng):
    """Make a hand that need not be sets: pairs, orphans, knitted honors, nine gates."""
    form = rng.choice(["pairs", "shifted", "orphans", "knitted", "gates"])
    suit, first = rng.choice(SUITS), rng.randint(1, 3)
    if form == "pairs":
        pool = pool_of(rng)
        return rng.sample([code for code in pool for _ in range(2)], 7) * 2
    if form == "shifted":
        return [f"{number}{suit}" for number in range(first, first + 7)] * 2
    if form == "orphans":
        return [*ORPHANS, rng.choice(ORPHANS)]
    if form == "knitted":
        honors = rng.randint(5, 7)
        return rng.sample(HONORS, honors) + rng.sample(knitted(rng), 14 - honors)
    return [f"{number}{suit}" for number in (1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, rng.randint(1, 9))]


def random_hand(rng):
    """Give a won hand played in the score format and PyMahjongGB's arguments for it."""
    form = rng.random()
    sets, loose = (
        ([], fourteen_tiles(rng)) if form < 0.25 else (knitted_straight if form < 0.35 else sets_and_pair)(rng)
    )
    declared, melded = [], rng.choice([0, 0, 1, 2, 3, 4])
    for at, (kind, codes) in enumerate(sets):
        if kind == "kong":
            declared.append((rng.choice(["exposed", "concealed"]), kind, codes))
        elif at < melded:
            declared.append(("exposed", kind, codes))
        else:
            loose = loose + codes
    loose = rng.sample(loose, len(loose))
    seat, of_round = rng.choice(WINDS), rng.choice(WINDS)
    mahjong = finish(rng, seat, declared, loose)
    given = {
        "rules": "chinese_official", "wind_of_round": of_round, "house_rules": ALIKE, "mahjong": mahjong,
        "hands": {wind: {"total": 0} for wind in WINDS} | {seat: {
            "sets": [f"{word} {kind} {codes[0]}" for word, kind, codes in declared], "tiles": " ".join(loose),
        }},
    }  # fmt: skip
    return given, arguments(given)


def with_swapped_tiles(rng):
    """Give a won hand with one to three of its loose tiles swapped for others, most often no Mah-jong any more."""
    while True:
        given, _ = random_hand(rng)
        seat = given["mahjong"]["by"]
        hand = given["hands"][seat]
        tiles = hand["tiles"].split()
        for at in rng.sample(range(len(tiles)), min(len(tiles), rng.choice([1, 1, 2, 3]))):
            tiles[at] = rng.choice(CODES)
        declared = [one.split() for one in hand["sets"]]
        held = Counter(tiles) + Counter(
            code for _, kind, first in declared
            for code in (a_chow(first) if kind == "chow" else [first] * (4 if kind == "kong" else 3))
        )  # fmt: skip
        if max(held.values()) <= 4:
            hand["tiles"] = " ".join(tiles)
            source = rng.choice(["wall", *(wind for wind in WINDS if wind != seat)])
            given["mahjong"] = {"by": seat, "tile": rng.choice(tiles), "from": source}
            return given, arguments(given)


def finish(rng, seat, declared, loose):
    """Say how the hand was won, with marks that can be true."""
    tile = rng.choice(loose)
    held = Counter(loose) + Counter(code for _, _, codes in declared for code in codes)
    others = [wind for wind in WINDS if wind != seat]
    mahjong = {"by": seat, "tile": tile, "from": rng.choice(["wall", "wall", "wall", *others])}
    mark, drawn = rng.random(), mahjong["from"] == "wall"
    if mark < 0.1 and drawn and any(kind == "kong" for _, kind, _ in declared):
        mahjong["from"] = "kong box"
    if mark < 0.1 and not drawn and held[tile] == 1:
        mahjong["robbed_kong"] = True
    elif mark < 0.05 or 0.1 < mark < 0.2:
        mahjong["last_tile"] = True
    alone = loose.count(tile) == 1 and "robbed_kong" not in mahjong
    if alone and (held[tile] == 4 or rng.random() < 0.1):
        mahjong["last_of_kind"] = True
    return mahjong


def other_code(code):
    """Write a tile as PyMahjongGB does: W characters, T bamboos, B circles, F winds, J dragons."""
    if code in HONORS:
        at = HONORS.index(code)
        return f"F{at + 1}" if at < 4 else f"J{at - 3}"
    return "WTB"[SUITS.index(code[1])] + code[0]


def arguments(given):
    """Give PyMahjongGB's arguments for a hand played."""
    mahjong = given["mahjong"]
    hand, source = given["hands"][mahjong["by"]], mahjong["from"]
    pack = []
    for word, kind, code in (one.split() for one in hand.get("sets", [])):
        named = {"chow": "CHI", "pung": "PENG", "kong": "GANG"}[kind]
        middle = a_chow(code)[1] if kind == "chow" else code
        pack.append((named, other_code(middle), 1 if word == "exposed" else 0))
    tiles = [other_code(code) for code in hand["tiles"].split()]
    tiles.remove(other_code(mahjong["tile"]))
    return {
        "pack": tuple(pack), "hand": tuple(tiles), "winTile": other_code(mahjong["tile"]),
        "flowerCount": len(hand.get("bonus", "").split()), "isSelfDrawn": source in ("wall", "kong box"),
        "is4thTile": mahjong.get("last_of_kind", False),
        "isAboutKong": source == "kong box" or mahjong.get("robbed_kong", False),
        "isWallLast": mahjong.get("last_tile", False), "seatWind": WINDS.index(mahjong["by"]),
        "prevalentWind": WINDS.index(given["wind_of_round"]), "verbose": True,
    }  # fmt: skip
