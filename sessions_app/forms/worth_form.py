"""One hand asked for in the address: its tiles, the winds, how its last tile came. Whatever is typed stays as it is."""

from dataclasses import dataclass
from urllib.parse import urlencode

from sessions_app.forms.hand_form import typed_sets

WINDS = "ESWN"
SOURCES = (
    ("wall", "From the wall"),
    ("discard", "A discard"),
    ("kong box", "A loose tile (Kong box)"),
    ("robbed", "Robbing a kong"),
)
WAYS = (
    ("last_tile", "The last tile of the wall, or the final discard"),
    ("dealt", "With the tiles as dealt"),
    ("first_discard", "On East’s first discard"),
    ("second_kong", "Replacement of a second kong"),
    ("flower", "It replaced a flower"),
    ("original_call", "An original call was made"),
    ("standing", "A standing hand"),
    ("first_round", "Before everybody’s second turn"),
    ("last_of_kind", "The other three are on the table"),
    ("fishing", "Fishing was declared (a hand that did not win)"),
    ("goulash", "It was a goulash"),
)
LONGEST = 400  # characters of one field: no hand has so many
SIZES = {"pair": 2, "pung": 3, "kong": 3, "chow": 3}


@dataclass(frozen=True)
class Asked:
    """What was asked: texts as typed, winds, source and ways as known; `tile` is the last one, empty where not told."""

    sets: tuple[str, ...] = ()
    tiles: str = ""
    bonus: str = ""
    own: str = "E"
    of_round: str = "E"
    tile: str = ""
    source: str = "wall"
    ways: tuple[str, ...] = ()
    club: str = ""

    @property
    def is_empty(self):
        return not (self.sets or self.tiles or self.bonus)

    @property
    def sets_typed(self):
        return ", ".join(self.sets)

    @property
    def size(self):
        """The number of tiles, a kong counting three; a set nobody understands counts as one of three."""
        kinds = [(text.lower().split() or [""])[-2:][0] for text in self.sets]
        return sum(SIZES.get(kind, 3) for kind in kinds) + len(self.tiles.split())

    @property
    def form(self):
        """The hand in the score format."""
        form = {"sets": list(self.sets), "tiles": self.tiles, "bonus": self.bonus}
        return form | {way: True for way in ("fishing", "original_call") if way in self.ways}

    def query(self):
        """Write the hand as the query of an address; what is as usual is left out."""
        kept = {
            "sets": self.sets_typed,
            "tiles": self.tiles,
            "bonus": self.bonus,
            "own": self.own,
            "round": self.of_round,
            "tile": self.tile,
            "from": self.source,
            "club": self.club,
        }
        pairs = [(key, value) for key, value in kept.items() if value]
        return urlencode([*pairs, *(("how", way) for way in self.ways)])


def read_asked(query):
    """Read a hand from a query; what is no choice of the page is taken for the usual."""
    sources, ways = dict(SOURCES), dict(WAYS)
    source = query.get("from", "")
    return Asked(
        sets=tuple(typed_sets(_text(query, "sets"))),
        tiles=" ".join(_text(query, "tiles").upper().replace(",", " ").split()),
        bonus=" ".join(_text(query, "bonus").upper().replace(",", " ").split()),
        own=_wind(query.get("own", "")),
        of_round=_wind(query.get("round", "")),
        tile=_text(query, "tile").strip().upper()[:2],
        source=source if source in sources else "wall",
        ways=tuple(way for way in ways if way in query.getlist("how")),
        club=_text(query, "club")[:60],
    )


def _text(query, key):
    return query.get(key, "")[:LONGEST]


def _wind(value):
    wind = value.strip().upper()
    return wind if len(wind) == 1 and wind in WINDS else "E"
