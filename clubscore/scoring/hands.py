"""Sets, one player's hand, how Mah-jong was made, and the whole hand played. No rules here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from clubscore.scoring.tiles import TILES, tile_name, tiles_name
from clubscore.scoring.words import Vocabulary, in_words

SET_SIZES = {"pung": 3, "kong": 4, "chow": 3, "pair": 2}


class ScoringError(ValueError):
    """A sentence for the scorekeeper; `seat` (wind letter) and `field` say what to fix, if known.

    What people typed is passed by keyword and appears in the sentence as {name}, so that no vocabulary changes it.
    """

    def __init__(self, sentence: str, seat: str | None = None, field: str | None = None, **typed: str) -> None:
        super().__init__(in_words((), sentence, **typed))
        self.sentence = sentence
        self.typed = typed
        self.seat = seat
        self.field = field

    def sentence_in(self, words: Vocabulary) -> str:
        """Return the sentence in a table's words."""
        return in_words(words, self.sentence, **self.typed)


class PlayedSet(NamedTuple):
    """A pung, kong, chow (named by its lowest tile) or pair of one kind; `tile` is 0 to 33."""

    kind: str
    tile: int
    exposed: bool

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kinds of its tiles, repeated as in the set."""
        if self.kind == "chow":
            return (self.tile, self.tile + 1, self.tile + 2)
        return (self.tile,) * SET_SIZES[self.kind]

    @property
    def name(self) -> str:
        """The set in words, as on the score sheet."""
        word = "exposed" if self.exposed else "concealed"
        if self.kind == "chow":
            first, last = TILES[self.tile], TILES[self.tile + 2]
            return f"Chow {first[0]} to {last[0]} of {tiles_name(first).split()[1]}, {word}"
        several = f"{self.kind.capitalize()} of {tiles_name(TILES[self.tile])}"
        return several if self.kind == "pair" else f"{several}, {word}"


class PlayerWinds(NamedTuple):
    """A player's own wind and the wind of the round, 0 (East) to 3 (North)."""

    own: int
    of_round: int


class Mahjong(NamedTuple):
    """How someone went Mah-jong. `tile` is 0 to 33 or None; `source` is a wind letter, "wall", "kong box" or None."""

    by: str
    tile: int | None = None
    source: str | None = None
    robbed_kong: bool = False
    last_tile: bool = False
    replacement_for: str = ""
    second_kong: bool = False
    dealt: bool = False
    first_discard: bool = False
    first_round: bool = False
    standing: bool = False
    consecutive: int = 0
    last_of_kind: bool = False

    @property
    def is_claimed(self) -> bool:
        """Whether the winning tile was another player's discard or robbed from a kong."""
        return self.source is not None and self.source not in ("wall", "kong box")

    @property
    def is_plain(self) -> bool:
        """Whether it was an ordinary tile from the wall or a discard, without any mark."""
        return self.source != "kong box" and not any(self[3:])


NOT_WON = Mahjong("")


@dataclass(slots=True, eq=False)
class PlayersHand:
    """What one player held, in one of the four forms of the score format.

    `sets` are as entered, `loose` maps a kind (0 to 33) to how many are not in sets, `bonus` is a bit mask over
    BONUS_TILES. `entered_as` is "tiles", "points", "total" or "special".
    """

    entered_as: str
    loose: dict[int, int]
    sets: tuple[PlayedSet, ...] = ()
    bonus: int = 0
    fishing: bool = False
    original_call: bool = False
    count: str = ""  # too few, too many
    points: int = 0
    doubles: int = 0
    total: int = 0
    special: str = ""
    fishing_for: str = ""
    exposed: bool = False

    def size(self) -> int:
        """The number of tiles, a kong counting three, bonus tiles not at all."""
        size = sum(self.loose.values())
        for played in self.sets:
            size += 2 if played.kind == "pair" else 3
        return size

    def copies(self, tile: int) -> int:
        """The number of tiles of one kind."""
        return counts_with(self.loose, self.sets).get(tile, 0)


class ClubHand(NamedTuple):
    """A club hand: value and fishing score in points, or "limit" / "half limit"."""

    key: str
    name: str
    value: int | str
    fishing: int | None


class HandPlayed(NamedTuple):
    """One hand played at the table; `hands` is keyed by wind letter, East first."""

    id: str | None
    rules: str
    house: Any
    wind_of_round: int
    goulash: bool
    hands: dict[str, PlayersHand]
    mahjong: tuple[Mahjong, ...]
    club_hands: dict[str, ClubHand]
    penalties: list[dict[str, Any]]


def kind_name(tile: int) -> str:
    """Return the name of a kind of tile."""
    return tile_name(TILES[tile])


def counts_with(counts: dict[int, int], sets: Iterable[PlayedSet]) -> dict[int, int]:
    """Return counts (kind -> number) with the tiles of these sets added."""
    total = dict(counts)
    for played in sets:
        for tile in played.kinds:
            total[tile] = total.get(tile, 0) + 1
    return total
