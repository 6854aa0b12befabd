"""What one hand is worth under several rule sets: its score with the lines, and the tiles that would complete it."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from clubscore.scoring import RULE_SETS, ScoringError, score_hand_played, tiles
from clubscore.scoring.rules import RuleSet
from clubscore.scoring.words import SET_WORDS, Vocabulary, in_words, listed, unit_of, worth
from clubscore.table.live_scoring import line_name, score_format_of
from clubscore.table.table_words import sum_words

# One hand asked for in the address: its tiles, the winds, how its last tile came. Typed text stays as it is.

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
    ("flower", "The tile replaced a flower"),
    ("original_call", "An original call was made"),
    ("standing", "A standing hand"),
    ("first_round", "Before everyone’s second turn"),
    ("last_of_kind", "The other three are on the table"),
    ("fishing", "Fishing was declared (a hand that did not win)"),
    ("goulash", "It was a goulash"),
)

LONGEST = 400  # characters of one field: no hand has so many
UNQUOTED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~"
SIZES = {"pair": 2, "pung": 3, "kong": 3, "chow": 3}


@dataclass(frozen=True)
class Asked:
    """What was asked: texts as typed, winds, source and ways as known; `tile` is the last one, empty if unknown."""

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
    def is_empty(self) -> bool:
        return not (self.sets or self.tiles or self.bonus)

    @property
    def sets_typed(self) -> str:
        return ", ".join(self.sets)

    @property
    def size(self) -> int:
        """The number of tiles, a kong counting three; a set nobody understands counts as one of three."""
        kinds = [(text.lower().split() or [""])[-2:][0] for text in self.sets]
        return sum(SIZES.get(kind, 3) for kind in kinds) + len(self.tiles.split())

    @property
    def form(self) -> dict[str, Any]:
        """The hand in the score format."""
        form = {"sets": list(self.sets), "tiles": self.tiles, "bonus": self.bonus}
        return form | {way: True for way in ("fishing", "original_call") if way in self.ways}

    def query(self) -> str:
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
        return query([*pairs, *[("how", way) for way in self.ways]])


def asked_in(typed: Mapping[str, Any]) -> Asked:
    """Read a hand from the fields of the page, `how` among them a list; what is no choice there is taken for the usual.

    Every field may be missing.
    """
    sources, ways = dict(SOURCES), dict(WAYS)
    source = typed.get("from", "")
    return Asked(
        sets=tuple(typed_sets(_text(typed, "sets"))),
        tiles=" ".join(_text(typed, "tiles").upper().replace(",", " ").split()),
        bonus=" ".join(_text(typed, "bonus").upper().replace(",", " ").split()),
        own=_wind(typed.get("own", "")),
        of_round=_wind(typed.get("round", "")),
        tile=_text(typed, "tile").strip().upper()[:2],
        source=source if source in sources else "wall",
        ways=tuple(way for way in ways if way in typed.get("how", [])),
        club=_text(typed, "club")[:60],
    )


def _text(typed: Mapping[str, Any], name: str) -> str:
    return str(typed.get(name, ""))[:LONGEST]


def _wind(value: str) -> str:
    wind = value.strip().upper()
    return wind if len(wind) == 1 and wind in "ESWN" else "E"


def query(pairs: Iterable[tuple[str, str]]) -> str:
    """Write pairs as the query of an address, as a form does."""
    return "&".join([f"{_quoted(name)}={_quoted(value)}" for name, value in pairs])


def _quoted(text: str) -> str:
    return "".join(["+" if sign == " " else sign if sign in UNQUOTED else _in_bytes(sign) for sign in text])


def _in_bytes(sign: str) -> str:
    return "".join([f"%{byte:02X}" for byte in sign.encode()])


# What a rule set calls exposed, a pung and so on, and the score format's word for it: none of them means two things.
TYPED_SET_WORDS = {
    rule_set.words[ours].lower(): ours
    for rule_set in RULE_SETS.values()
    for ours in SET_WORDS
    if ours in rule_set.words
}


def typed_sets(text: str) -> list[str]:
    """Read sets with commas between them, in the words of any rule set: "open peng 5B" is "exposed pung 5B"."""
    typed = [one.split() for one in text.replace(";", ",").replace("\n", ",").split(",") if one.strip()]
    return [" ".join(TYPED_SET_WORDS.get(word.lower(), word) for word in words) for words in typed]


SET_SIZES = {"pung": 3, "kong": 4, "pair": 2}


def chow(tile: str) -> Any:
    """Return the codes of the three tiles of a chow, by its lowest: "2C" gives 2C, 3C and 4C."""
    number = int(tile[0])
    return tuple(f"{number + step}{tile[1]}" for step in range(3))


# A club's own special hands where one hand is asked about: known by the tiles of their examples, scored by name.


def own_of(asked: Asked, hands: tuple[Any, ...]) -> list[Any]:
    """Return the club hands, as a session freezes them, whose example has exactly these tiles."""
    held = tuple(sorted(_held(asked)))
    return [hand for hand in hands if hand.get("tiles") and _example(hand["tiles"]) == held]


@lru_cache(maxsize=1 << 12)
def _example(codes: str) -> tuple[str, ...]:
    """Return the tiles of an example in order; kept, for each of them is asked of every tile that may come last."""
    return tuple(sorted(codes.upper().split()))


def fished_for(asked: Asked, hands: tuple[Any, ...]) -> list[Any]:
    """Return the club hands with a fishing score whose example has one tile more than these."""
    held = _held(asked)
    return [
        hand
        for hand in hands
        if hand.get("fishing") is not None and is_one_short(held, _example(hand.get("tiles", "")))
    ]


def is_one_short(held: Iterable[str], example: Iterable[str]) -> bool:
    """Say whether these tiles are those of the example but one."""
    left = list(example)
    for code in held:
        if code not in left:
            return False
        left.remove(code)
    return len(left) == 1


def may_be_so(asked: Any, hand: Any) -> bool:
    """Return whether the club hand allows these sets: none exposed if it must be concealed."""
    return not (hand.get("concealed") and is_exposed(asked))


def is_exposed(asked: Any) -> bool:
    return any(text.lower().startswith("exposed") for text in asked.sets)


def named(asked: Any, hand: Any, wins: Any) -> Any:
    """Return the player's hand of the score format that is the own hand by name, with its flowers."""
    return {"special" if wins else "fishing_for": hand["key"], "exposed": is_exposed(asked), "bonus": asked.bonus}


def tiles_of(text: str, kongs: bool = False) -> tuple[Any, ...]:
    """Return the tiles of a set as it was typed; none of what is no set, and of a kong only where asked for."""
    kind, tile = ["", *text.split()][-2:]
    kind, tile = kind.lower(), tile.upper()
    if tile not in tiles.TILES or kind not in ("pung", "chow", "pair", *["kong"] * kongs):
        return ()
    if kind != "chow":
        return (tile,) * SET_SIZES[kind]
    return chow(tile) if len(tile) == 2 and tile[0] <= "7" else ()


def _held(asked: Asked) -> list[str]:
    """Return every tile of the hand."""
    return [*asked.tiles.split(), *[code for text in asked.sets for code in tiles_of(text, kongs=True)]]


ANOTHER_WINS = 20  # what another player won with, if this hand did not win
WHOLE, WAITING = 14, 13
NOT_LOOKED_FOR = "The club’s own special hands are found here only if the tiles match their example."
CLAIMED = ("discard", "robbed")
MARKS = ("last_tile", "dealt", "first_discard", "second_kong", "flower", "standing", "first_round", "last_of_kind")
FEW = 4  # kinds of tile that are still named one by one


@dataclass(frozen=True)
class ShownLine:
    """A line of a score as a page shows it, its worth in words; `is_untold` where no page tells the rule."""

    rule: str
    name: str
    worth: str
    unit: str
    is_untold: bool = False


@dataclass(frozen=True)
class Wait:
    """A tile that completes the hand, and what it counts then; None where it would be no Mah-jong so.

    `special` names the special hand it makes, as drawn or as claimed, both where they differ; `made` are their keys.
    """

    tile: str
    name: str
    drawn: int | None
    claimed: int | None
    too_little: int | None
    special: str
    made: tuple[str, ...]

    @property
    def most(self) -> int:
        return max(self.drawn or 0, self.claimed or 0)


@dataclass(frozen=True)
class Answer:
    """What the hand is worth by one set of rules; `error` says why it is worth nothing."""

    rules: str
    title: str
    is_clubs: bool
    rules_of: str  # slug of the club on whose own page the lines are found; empty: on the public page
    place: str  # of the answer among the others: where its lines are found on the page
    lines: tuple[ShownLine, ...]
    own_note: str  # what else is to say of the club's own hands
    own: str = ""  # the club's own hand it counts as
    total: int | None = None
    sum: str = ""
    special: str = ""
    fishing_for: str = ""
    limited: bool = False
    waits: tuple[Wait, ...] = ()
    error: str = ""
    refused: str = ""  # the error before it is said in the words of the rule set

    @property
    def waits_told(self) -> str:
        """Return which tiles the hand needs, and the most it would score."""
        if not self.waits:
            return "No tile completes it."
        few = listed((wait.name for wait in self.waits), "or")
        needs = f"Needs {few if len(self.waits) <= FEW else f'one of {len(self.waits)} kinds of tile'}"
        if all(wait.too_little is not None for wait in self.waits):
            most = max(wait.too_little or 0 for wait in self.waits)
            return f"{needs}, but would score {'up to ' if len(self.waits) > 1 else ''}{most:,}: too little to go out."
        return f"{needs}. Scores up to {max(wait.most for wait in self.waits):,}."


@dataclass(frozen=True)
class Played:
    """A rule set with the switches changed under which a hand is asked for."""

    rules: str
    overrides: dict[str, Any]
    title: str
    is_clubs: bool = False
    rules_of: str = ""
    club_hands: tuple[dict[str, Any], ...] = ()  # the club's own special hands, as a session freezes them


def every_rule_set() -> list[Played]:
    """Return all rule sets as their sources have them."""
    return [Played(rule_set.key, {}, rule_set.name) for rule_set in RULE_SETS.values()]


def answers(asked: Asked, played: list[Played]) -> list[Answer]:
    """Return what the hand is worth under each set of rules: as a Mah-jong with 14 tiles, else as a loser's."""
    return [answer(asked, one, f"{number}-") for number, one in enumerate(played, start=1)]


def answer(asked: Asked, played: Played, place: str = "") -> Answer:
    """Return what the hand is worth under one set of rules."""
    rule_set = RULE_SETS[played.rules]
    asked_by = played.rules, played.title, played.is_clubs, played.rules_of, place
    tile = last_tile(asked) if asked.size >= WHOLE else None
    by_tiles: Any = None
    refused: Any = None
    try:
        by_tiles = scored_by_tiles(asked, played, tile)
    except ScoringError as error:
        refused = error
    by_name = scored_by_name(asked, played, tile)
    scored = higher(by_name, by_tiles)
    if scored is None:
        lines = shown_lines(counted_without_minimum(asked, played), played) if asked.size >= WHOLE else ()
        why_not = refused.sentence_in(rule_set.vocabulary())
        return Answer(*asked_by, lines, own_note(asked, played), error=why_not, refused=str(refused))
    key, fished = scored["special"], scored.get("fishing_for")
    found = tuple(waits(asked, played)) if asked.size == WAITING else ()
    return Answer(
        *asked_by,
        shown_lines(scored["lines"], played),
        other_way(by_name, by_tiles, refused, played) or own_note(asked, played, found),
        own=own_name(played, key or fished),
        total=scored["total"],
        sum=sum_words(*(scored[key] for key in ("points", "doubles", "times", "total", "limited"))),
        special=special_name(played, key),
        fishing_for=special_name(played, fished),
        limited=scored["limited"],
        waits=found,
    )


def higher(by_name: Any, by_tiles: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return what counts of a hand: as the club's own by its name, or by its tiles where that is more."""
    if by_name is None or by_tiles is None:
        return by_name or by_tiles
    return by_tiles if by_tiles["total"] > by_name["total"] else by_name


def other_way(by_name: Any, by_tiles: dict[str, Any], refused: Any, played: Played) -> str:
    """Return what the hand scores the other way: without the club hand, or as it if its tiles score more."""
    if by_name is None:
        return ""
    if by_tiles is None:
        return f"Without it: {refused.sentence_in(RULE_SETS[played.rules].vocabulary())}"
    if by_tiles["total"] > by_name["total"]:
        name = own_name(played, by_name["special"] or by_name.get("fishing_for"))
        return f"As the club’s own {name} it would score {by_name['total']:,}."
    return f"Without it, the tiles score {by_tiles['total']:,}."


def own_note(asked: Asked, played: Played, found: tuple[Any, ...] = ()) -> str:
    """Return why none of the club hands counts, if there are any."""
    if not played.club_hands or any(own_name(played, key) for wait in found for key in wait.made):
        return ""
    not_so = own_of(asked, played.club_hands)
    return f"{not_so[0]['name']} cannot have exposed sets." if not_so else NOT_LOOKED_FOR


def lines_in(words: Vocabulary, lines: Iterable[Any], own: Collection[str] = ()) -> tuple[ShownLine, ...]:
    """Return the lines of a score in these words; `own` are the keys of the club's own hands."""
    return tuple(ShownLine(line["rule"], line_name(words, line, own), worth(line), unit_of(line)) for line in lines)


def shown_lines(lines: Iterable[Any], played: Played) -> tuple[Any, ...]:
    """Return the lines of a score as a card shows them, in the words of its rules.

    A club's own hand stands on its own page of rules alone, which only its members see.
    """
    words, own = RULE_SETS[played.rules].vocabulary(), {hand["key"] for hand in played.club_hands}
    return tuple(
        replace(line, is_untold=not played.rules_of and bool(own_name(played, line.rule)))
        for line in lines_in(words, lines, own)
    )


def counted_without_minimum(asked: Asked, played: Played) -> Any:
    """Return the lines of a Mah-jong that counts too little to go out; none where it is refused for another reason."""
    if not RULE_SETS[played.rules].any_mahjong_counts:
        return ()
    try:
        return scored_hand(asked, _without_minimum(played), last_tile(asked))["lines"]
    except ScoringError:
        return ()


def own_name(played: Played, key: str | None) -> str:
    """Return the name of a club hand by its key; empty if there is none."""
    return next((hand["name"] for hand in played.club_hands if hand["key"] == key), "") if key else ""


def special_name(played: Played, key: str | None) -> str:
    """Return the name of a special hand by its key, club hands included; empty if there is none."""
    rule_set = RULE_SETS[played.rules]
    named_so = (special.name for special in rule_set.special_hands if special.key == key)
    return own_name(played, key) or next(named_so, "")


def scored_hand(asked: Asked, played: Played, tile: str) -> Any:
    """Score the hand as the score format's answer for its player; with `tile` a Mah-jong on it.

    As the club's own hand where it is one and its tiles do not count more.
    """
    by_name = scored_by_name(asked, played, tile)
    try:
        return higher(by_name, scored_by_tiles(asked, played, tile))
    except ScoringError:
        if by_name is None:
            raise
        return by_name


def scored_by_tiles(asked: Asked, played: Played, tile: str | None) -> Any:
    return _scored(asked, played, asked.form, tile)


def scored_by_name(asked: Asked, played: Played, tile: str | None) -> Any:
    """Score the hand as the best of the club's own that it is, or is declared fishing for; None where it is none."""
    wins = tile is not None
    hands = own_of(asked, played.club_hands) if wins else ()
    if not wins and "fishing" in asked.ways:
        hands = fished_for(asked, played.club_hands)
    scores = [_named_score(asked, played, hand, tile) for hand in hands if may_be_so(asked, hand)]
    return max((score for score in scores if score), key=lambda score: score["total"], default=None)


def _named_score(asked: Asked, played: Played, hand: dict[str, Any], tile: str | None) -> Any:
    try:
        return _scored(asked, played, named(asked, hand, tile is not None), tile, hand)
    except ScoringError:
        return None  # what is wrong with how it was made is said of its tiles


def _scored(asked: Asked, played: Played, form: dict[str, Any], tile: str | None, club_hand: Any = None) -> Any:
    return score_hand_played(hand_played(asked, played, form, tile, club_hand))["hands"][asked.own]


def hand_played(
    asked: Asked, played: Played, form: dict[str, Any], tile: str | None, club_hand: Any = None
) -> dict[str, Any]:
    """Return the hand played of the score format that is asked for, its player's hand in this form.

    Of the club's own hands it gets the one that is named in the form: no other can count.
    """
    other = "S" if asked.own == "E" else "E"
    hands: dict[str, Any] = {wind: {} for wind in "ESWN"} | {asked.own: form}
    if tile is None:
        hands[other] = {"total": ANOTHER_WINS}
    win = {"by": other} if tile is None else _winning(asked, tile, other)
    return {
        **({"club_hands": [score_format_of(club_hand)]} if club_hand else {}),
        "rules": played.rules,
        "house_rules": played.overrides,
        "wind_of_round": asked.of_round,
        "goulash": "goulash" in asked.ways and RULE_SETS[played.rules].has_goulash,
        "hands": hands,
        "mahjong": win,
    }


def _winning(asked: Asked, tile: str, other: str) -> dict[str, Any]:
    claimed = asked.source in CLAIMED
    win: dict[str, Any] = {"by": asked.own, "tile": tile, "from": other if claimed else asked.source}
    if asked.source == "robbed":
        win["robbed_kong"] = True
    if asked.source == "kong box" and "flower" in asked.ways:
        win["replacement_for"] = "flower"
    return win | {way: True for way in MARKS if way != "flower" and way in asked.ways}


def last_tile(asked: Asked) -> str:
    """Return the tile the hand is taken to have won with: the one given, else the last that can have been it."""
    codes = possible_last(asked)
    return asked.tile if asked.tile in codes or not codes else codes[-1]


def possible_last(asked: Asked) -> list[str]:
    """Return the tiles of the hand that can have come last, each once; those of exposed sets first."""
    shown: list[str] = []
    held: list[str] = []
    for text in asked.sets:
        codes = tiles_of(text)
        (shown if text.lower().startswith("exposed") else held).extend(codes)
    held += [code for code in asked.tiles.split() if code in tiles.TILES]
    claimed = asked.source in CLAIMED
    return list(dict.fromkeys([*shown, *held] if claimed else held))


def waits(asked: Any, played: Any) -> Iterator[Wait]:
    """Yield every tile that completes a hand of thirteen, with what it counts drawn and claimed.

    What completes it is asked without the marks of the way; each way then has the marks that can be true of it.
    """
    rule_set = RULE_SETS[played.rules]
    anything, plain = _without_minimum(played), _made_so(asked, "wall", ())
    ways = [_made_so(asked, source, _marks_of(asked, source, rule_set)) for source in ways_of(asked)]
    for code in tiles.TILES:
        if _scored_with(plain, anything, code) is None:
            continue
        drawn, claimed = scores = [_scored_with(way, played, code) for way in ways]
        counted = [_scored_with(way, anything, code) for way in ways] if drawn is claimed is None else []
        keys = tuple(dict.fromkeys(score["special"] for score in scores if score and score["special"]))
        yield Wait(
            tile=code,
            name=in_words(rule_set.vocabulary(), tiles.tile_name(code)),
            drawn=drawn and drawn["total"],
            claimed=claimed and claimed["total"],
            too_little=max((score["total"] for score in counted if score), default=None),
            special=" or ".join(special_name(played, key) for key in keys),
            made=keys,
        )


def ways_of(asked: Asked) -> tuple[str, str]:
    """Return the way the last tile would be drawn and the way it would be claimed: as given, else the usual."""
    drawn = "kong box" if asked.source == "kong box" else "wall"
    return drawn, "robbed" if asked.source == "robbed" else "discard"


def _marks_of(asked: Asked, source: str, rule_set: RuleSet) -> tuple[str, ...]:
    """Return those of the marks ticked that can be true of a tile that came this way."""
    loose, claimed = source == "kong box", source in CLAIMED
    kongs = sum("kong" in text.lower().split() for text in asked.sets)
    can_be = {
        "last_tile": source in ("wall", "discard") or (loose and rule_set.last_tile_may_be_loose),
        "dealt": not claimed and (asked.own == "E" or not rule_set.dealt_is_for_east),
        "first_discard": source == "discard" and asked.own != "E",
        "second_kong": loose and kongs > 1 and "flower" not in asked.ways,
        "flower": loose,
    }
    return tuple(mark for mark in MARKS if mark in asked.ways and can_be.get(mark, True))


def _made_so(asked: Asked, source: str, marks: tuple[str, ...]) -> Asked:
    kept = tuple(way for way in asked.ways if way not in MARKS)
    return replace(asked, source=source, ways=kept + marks)


def _scored_with(asked: Asked, played: Played, code: str) -> Any:
    """Score the hand with one tile more as a Mah-jong on it; None where it is none."""
    try:
        return scored_hand(replace(asked, tiles=f"{asked.tiles} {code}".strip()), played, code)
    except ScoringError:
        return None


def _without_minimum(played: Played) -> Played:
    """Return the rules under which a hand is a Mah-jong whenever it is complete, however little it counts."""
    return replace(played, overrides={**played.overrides, **RULE_SETS[played.rules].any_mahjong_counts})
