"""A hand as pages draw it: its tiles in groups as they lie on the table, and the words for how it won."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from clubscore.play import hand_worth
from clubscore.play.markup import Html, html, html_if, join
from clubscore.scoring import RULE_SETS, tiles
from clubscore.scoring.words import Vocabulary, in_words

TILE_ORDER = (*tiles.TILES, *tiles.BONUS_TILES)
PLACES = {code: place for place, code in enumerate(TILE_ORDER)}
SOURCE_WORDS = {"wall": "drawn from the wall", "kong box": "with a loose tile from the Kong box"}

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
    """Tiles that lie together, with the words for them; `marked` are the places of those to point at.

    `brief` are the words under a set whose tiles show the rest: exposed or concealed. Tiles `in_hand` are no set yet.
    """

    words: str
    tiles: tuple[str, ...]
    marked: tuple[int, ...] = ()
    brief: str = ""
    in_hand: bool = False


def tile_groups(form: Any, words: Vocabulary = ()) -> tuple[Group, ...]:
    """Return the tiles of a form in score format, in groups.

    What nobody scored may be anything: what is no tile or no set stays as it was typed.
    """
    sets = form.get("sets") or []
    groups = [set_group(str(text), words) for text in (sets if isinstance(sets, list) else [sets])]
    if form.get("tiles"):
        groups.append(Group("In the hand", in_order(str(form["tiles"])), in_hand=True))
    if form.get("bonus"):
        groups.append(Group("Flowers and seasons", in_order(str(form["bonus"]))))
    return tuple(groups)


def with_winning_tile(groups: tuple[Group, ...], form: dict[str, Any], win: dict[str, Any]) -> tuple[Group, ...]:
    """Mark the winning tile in a group that it can have completed: exposed if it was claimed, and never a kong."""
    tile, claimed = str(win.get("tile") or "").upper(), win.get("from") not in SOURCE_WORDS
    words = [text.lower().split() for text in form.get("sets") or []]
    words += [["loose"]] * (len(groups) - len(words))

    def unlikeliness(at: int) -> tuple[bool, bool]:
        return ("exposed" in words[at]) != claimed, "concealed" in words[at]

    may_hold = [at for at, group in enumerate(groups) if tile in group.tiles and "kong" not in words[at]]
    if not may_hold:
        return groups
    at = min(may_hold, key=unlikeliness)
    return (*groups[:at], replace(groups[at], marked=(groups[at].tiles.index(tile),)), *groups[at + 1 :])


def in_order(text: str) -> tuple[str, ...]:
    """Return the codes of a list of tiles in the order of a rack: suits, winds, dragons; last what is no tile."""
    return tuple(sorted(text.upper().split(), key=lambda code: PLACES.get(code, len(PLACES))))


def set_group(text: str, table_words: Vocabulary) -> Group:
    """Return the group of a set as it was entered ("exposed pung 3B"); without tiles if it cannot be read."""
    codes = hand_worth.tiles_of(text, kongs=True)
    if not codes:
        return Group(text, ())
    *words, _ = text.lower().split()
    brief = in_words(table_words, words[0].capitalize()) if len(words) == 2 else ""
    return Group(in_words(table_words, " ".join(words).capitalize()), codes, brief=brief)


def drawn_tiles(
    codes: Sequence[str],
    names: Mapping[str, str],
    sprite: str,
    words: str = "",
    brief: str = "",
    marked: Sequence[int] = (),
    mark: str = "marked",
) -> Html:
    """Draw tiles in a row as one picture with one name, and below it the words, or `brief` instead.

    `marked` are the places of the tiles to point at; `mark` says so to screen readers. What is no tile is
    drawn as text.
    """
    if not codes:
        return html_if(words, '<span class="group-words">{}</span>')
    said = [names.get(code, code) for code in codes]
    label = ", ".join([f"{name} ({mark})" if at in marked else name for at, name in enumerate(said)])
    return html(
        '<span class="tiles" role="img" aria-label="{label}">{tiles}</span>{words}',
        label=f"{words}: {label}" if words else label,
        tiles=join(
            picture(code, "tile-small is-marked" if at in marked else "tile-small", sprite)
            if code in PLACES
            else html('<span aria-hidden="true">{}</span>', code)
            for at, code in enumerate(codes)
        ),
        words=html_if(words, '<span class="group-words" aria-hidden="true">{shown}</span>', shown=brief or words),
    )


@lru_cache(maxsize=512)
def picture(code: str, size: str, sprite: str) -> Html:
    """Draw a tile whose name is next to it; cached, as a page of rules draws a thousand of them."""
    return html(
        '<svg class="tile {size}" aria-hidden="true" focusable="false"><use href="{sprite}#t-{code}"></use></svg>',
        size=size,
        sprite=sprite,
        code=code,
    )


def winning_words(win: Any, names: dict[str, str], words: Vocabulary = ()) -> Iterator[str]:
    """Yield how a Mah-jong was made, in parts: the tile, where it came from, anything special."""
    if win.get("tile"):
        code = str(win["tile"]).upper()
        yield in_words(words, f"with {tiles.tile_name(code)}") if code in PLACES else f"with {code}"
    source = str(win.get("from") or "")
    if source in SOURCE_WORDS:
        yield in_words(words, SOURCE_WORDS[source])
        if win.get("replacement_for") == "flower":
            yield "which replaced a flower"
    elif source in names:
        yield f"robbing the kong of {names[source]}" if win.get("robbed_kong") else f"discarded by {names[source]}"
    yield from (in_words(words, way) for key, way in SPECIAL_WAYS.items() if win.get(key))


# The words of a table: those of its rule set, with the club's own names of the suits.


def say_at(rules: str) -> Callable[..., str]:
    """Return a function that fills a template without tiles in the words of these rules: "{who} calls Hu"."""
    return partial(in_words, RULE_SETS[rules].vocabulary())


@lru_cache(maxsize=64)
def tile_names(words: Vocabulary) -> dict[str, str]:
    """Return the name of every tile by its code, in these words."""
    return {code: in_words(words, tiles.tile_name(code)) for code in TILE_ORDER}


ROWS_WITHOUT_BONUS = (
    ("Characters", tiles.TILES[:9]),
    ("Bamboos", tiles.TILES[9:18]),
    ("Circles", tiles.TILES[18:27]),
    ("Winds, dragons", tiles.TILES[27:]),
)
TILE_ROWS = (*ROWS_WITHOUT_BONUS, ("Flowers, seasons", tiles.BONUS_TILES))
