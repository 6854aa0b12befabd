"""A hand for the eye: its tiles in groups as they lie on the table, and the words for its winning and its lines."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from clubscore.scoring import RULE_SETS, tiles
from clubscore.scoring.words import SET_WORDS, in_words

if TYPE_CHECKING:
    from sessions_app.models import Session

TILE_ORDER = (*tiles.TILES, *tiles.BONUS_TILES)
SET_SIZES = {"pung": 3, "kong": 4, "pair": 2}
PLACES = {"wall": "drawn from the wall", "kong box": "with a loose tile from the Kong box"}
IN_THE_HAND = "In the hand"
ONCE_OR_TWICE = {1: "once", 2: "twice"}

SPECIAL_WAYS = {
    "last_tile": "the last tile",
    "dealt": "with the tiles as dealt",
    "first_discard": "on East's first discard",
    "second_kong": "after a second kong",
    "standing": "a standing hand",
    "first_round": "before everyone's second turn",
    "last_of_kind": "the other three on the table",
    "consecutive": "East's thirteenth in a row",
}


@dataclass(frozen=True)
class Group:
    """Tiles that lie together, with the words for them; `marked` are the places of those a page points at."""

    words: str
    tiles: tuple[str, ...]
    marked: tuple[int, ...] = ()


def tile_groups(form: Any, words: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """Return the tiles of a form in score format as groups that lie together on the table."""
    groups = [set_group(text, words) for text in form.get("sets") or []]
    if form.get("tiles"):
        groups.append(Group(IN_THE_HAND, in_order(form["tiles"])))
    if form.get("bonus"):
        groups.append(Group("Flowers and seasons", in_order(form["bonus"])))
    return tuple(groups)


def with_winning_tile(groups: tuple[Any, ...], form: dict[str, Any], win: dict[str, Any]) -> tuple[Any, ...]:
    """Mark the tile that won, where it can have come last: a claimed one in an exposed set, none in a kong."""
    tile, claimed = str(win.get("tile") or "").upper(), win.get("from") not in PLACES
    words = [text.lower().split() for text in form.get("sets") or []]
    words += [["loose"]] * (len(groups) - len(words))

    def unlikeliness(at):
        return ("exposed" in words[at]) != claimed, "concealed" in words[at]

    may_hold = [at for at, group in enumerate(groups) if tile in group.tiles and "kong" not in words[at]]
    if not may_hold:
        return groups
    at = min(may_hold, key=unlikeliness)
    return (*groups[:at], replace(groups[at], marked=(groups[at].tiles.index(tile),)), *groups[at + 1 :])


def with_marked(groups: tuple[Any, ...], text: str) -> tuple[Any, ...]:
    """Mark these tiles in the groups: sets that are whole among them, then tiles in the hand."""
    left, places = Counter(text.split()), {}
    for at, group in sorted(enumerate(groups), key=lambda one: one[1].words == IN_THE_HAND):
        if group.words == IN_THE_HAND:
            seen = [group.tiles[: place + 1].count(code) for place, code in enumerate(group.tiles)]
            places[at] = tuple(place for place, code in enumerate(group.tiles) if seen[place] <= left[code])
        elif not Counter(group.tiles) - left:
            left -= Counter(group.tiles)
            places[at] = tuple(range(len(group.tiles)))
    return tuple(replace(group, marked=places.get(at, ())) for at, group in enumerate(groups))


def in_order(text: str) -> tuple[Any, ...]:
    """Return the codes of a list of tiles, sorted as they stand in a rack: suits, winds, dragons."""
    return tuple(sorted(text.upper().split(), key=TILE_ORDER.index))


def set_group(text: str, table_words: tuple[Any, ...]) -> Group:
    """Draw a set as it was entered ("exposed pung 3B"): its words, and the code of every tile in it."""
    *words, tile = text.split()
    kind, tile = words[-1].lower(), tile.upper()
    codes = chow(tile) if kind == "chow" else (tile,) * SET_SIZES.get(kind, 1)
    return Group(in_words(table_words, " ".join(words).lower().capitalize()), codes)


def chow(tile: str) -> Any:
    """Return the codes of the three tiles of a chow, by its lowest: "2C" gives 2C, 3C and 4C."""
    number = int(tile[0])
    return tuple(f"{number + step}{tile[1]}" for step in range(3))


def winning_words(win: Any, names: dict[str, str], words: Any = ()) -> Iterator[str]:
    """Yield the parts of how a Mah-jong was made: the tile, where it came from, anything special."""
    if win.get("tile"):
        yield in_words(words, f"with {tiles.tile_name(win['tile'].upper())}")
    source = str(win.get("from") or "")
    if source in PLACES:
        yield in_words(words, PLACES[source])
        if win.get("replacement_for") == "flower":
            yield "which replaced a flower"
    elif source in names:
        yield f"robbing the kong of {names[source]}" if win.get("robbed_kong") else f"discarded by {names[source]}"
    yield from (in_words(words, way) for key, way in SPECIAL_WAYS.items() if win.get(key))


def sum_words(points: int | None, doubles: int | None, times: int | None, total: int, limited: bool) -> str:
    """Return how points and doubles make the total: "28 points, doubled 3 times (times 8), make 224."

    Of a hand with a value of its own only that the limit cut it; nothing where there is nothing to say.
    """
    if points is None:
        return "Capped at the limit." if limited else ""
    if total == 0:
        return ""
    counted = f"{points:,} point{'' if points == 1 else 's'}"
    by = multiplied(doubles, times)
    if limited:
        return f"{counted}{f', {by}' if by else ''}, capped at the limit of {total:,}."
    return f"{counted}, {by}, make {total:,}." if by else f"{counted} in all."


def multiplied(doubles: int | None, times: int | None) -> str:
    """Return what multiplies the points: "doubled 5 times and trebled (times 96)"; nothing where nothing does."""
    rest, trebles = (times or 1) // 2 ** (doubles or 0), 0
    while rest % 3 == 0:
        rest, trebles = rest // 3, trebles + 1
    by = [f"doubled {ONCE_OR_TWICE.get(doubles, f'{doubles} times')}"] if doubles else []
    by += [("trebled", "trebled twice")[trebles - 1] if trebles < 3 else f"trebled {trebles} times"] if trebles else []
    by += [f"multiplied by {rest}"] if rest > 1 else []
    return " and ".join(by) + (f" (times {times})" if doubles or trebles else "")


# The words of a session's table: those of its rule set, with the club's own names of the suits.

CODES = tiles.TILES + tiles.BONUS_TILES


def say_at(table_session: "Session") -> Callable[..., Any]:
    """Return the function that says a template without tiles in it as this table does: "{who} calls Hu"."""
    return partial(in_words, RULE_SETS[table_session.rules].vocabulary())


@lru_cache(maxsize=64)
def tile_names(words: tuple[Any, ...]) -> dict[str, str]:
    """Return the name of every tile by its code, in these words."""
    return {code: in_words(words, tiles.tile_name(code)) for code in CODES}


TILE_ROWS = (
    ("Characters", tiles.TILES[:9]),
    ("Bamboos", tiles.TILES[9:18]),
    ("Circles", tiles.TILES[18:27]),
    ("Winds, dragons", tiles.TILES[27:]),
    ("Flowers, seasons", tiles.BONUS_TILES),
)

# What a rule set calls exposed, a pung and so on, and the score format's word for it: none of them means two things.
TYPED_SET_WORDS = {
    rule_set.words[ours].lower(): ours
    for rule_set in RULE_SETS.values()
    for ours in SET_WORDS
    if ours in rule_set.words
}


def typed_sets(text: str) -> list[str]:
    """Read sets with commas between them, in the words of any rule set: "open peng 5B" is "exposed pung 5B"."""
    typed = [one.split() for one in re.split(r"[,;\n]", text) if one.strip()]
    return [" ".join(TYPED_SET_WORDS.get(word.lower(), word) for word in words) for words in typed]
