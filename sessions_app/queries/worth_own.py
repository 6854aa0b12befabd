"""A club's own special hands where one hand is asked about: known by the tiles of their examples, scored by name."""

from collections import Counter
from functools import lru_cache

from clubscore.scoring import tiles
from sessions_app.queries.drawn_hands import SET_SIZES, chow


def own_of(asked, hands):
    """Return those of a club's own hands, as a session freezes them, whose example has exactly the tiles asked for."""
    held = tuple(sorted(_held(asked).elements()))
    return [hand for hand in hands if hand.get("tiles") and _example(hand["tiles"]) == held]


@lru_cache(maxsize=1 << 12)
def _example(codes):
    """Return the tiles of an example in order; kept, for each of them is asked of every tile that may come last."""
    return tuple(sorted(codes.upper().split()))


def fished_for(asked, hands):
    """Return the own hands with a part score whose example has one tile more than those asked for."""
    held = _held(asked)
    examples = [(hand, Counter(_example(hand.get("tiles", "")))) for hand in hands]
    return [
        hand
        for hand, example in examples
        if hand.get("fishing") is not None and not held - example and (example - held).total() == 1
    ]


def may_be_so(asked, hand):
    """Tell whether the sets lie as the own hand allows: one that must be concealed has none that is exposed."""
    return not (hand.get("concealed") and is_exposed(asked))


def is_exposed(asked):
    return any(text.lower().startswith("exposed") for text in asked.sets)


def named(asked, hand, wins):
    """Return the player's hand of the score format that is the own hand by name, with its flowers."""
    return {"special" if wins else "fishing_for": hand["key"], "exposed": is_exposed(asked), "bonus": asked.bonus}


def tiles_of(text, kongs=False):
    """Return the tiles of a set as it was typed; none of what is no set, and of a kong only where asked for."""
    kind, tile = ["", *text.split()][-2:]
    kind, tile = kind.lower(), tile.upper()
    if tile not in tiles.TILES or kind not in ("pung", "chow", "pair", *["kong"] * kongs):
        return ()
    if kind != "chow":
        return (tile,) * SET_SIZES[kind]
    return chow(tile) if len(tile) == 2 and tile[0] <= "7" else ()


def _held(asked):
    held = Counter(asked.tiles.split())
    for text in asked.sets:
        held.update(tiles_of(text, kongs=True))
    return held
