"""A hand for the eye: its tiles in groups as they lie on the table, and the words for its winning and its lines."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from clubscore.scoring import RULE_SETS, tiles
from clubscore.scoring.words import in_words
from clubscore.table.hand_worth import SET_SIZES, chow

if TYPE_CHECKING:
    from sessions_app.models import Session

TILE_ORDER = (*tiles.TILES, *tiles.BONUS_TILES)
PLACES = {"wall": "drawn from the wall", "kong box": "with a loose tile from the Kong box"}

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
    """Tiles that lie together, with the words for them; `marked` are the places of those a page points at.

    `brief` are the words under a set whose tiles say the rest: exposed or concealed. Tiles `in_hand` make no set yet.
    """

    words: str
    tiles: tuple[str, ...]
    marked: tuple[int, ...] = ()
    brief: str = ""
    in_hand: bool = False


def tile_groups(form: Any, words: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """Return the tiles of a form in score format as groups that lie together on the table."""
    groups = [set_group(text, words) for text in form.get("sets") or []]
    if form.get("tiles"):
        groups.append(Group("In the hand", in_order(form["tiles"]), in_hand=True))
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
    for at, group in sorted(enumerate(groups), key=lambda one: one[1].in_hand):
        if group.in_hand:
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
    *words, tile = text.lower().split()
    kind, tile = words[-1], tile.upper()
    codes = chow(tile) if kind == "chow" else (tile,) * SET_SIZES.get(kind, 1)
    brief = in_words(table_words, words[0].capitalize()) if len(words) == 2 else ""
    return Group(in_words(table_words, " ".join(words).capitalize()), codes, brief=brief)


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
