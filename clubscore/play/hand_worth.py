"""What one hand is worth under several rule sets: its score with the lines, and the tiles that would complete it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from clubscore.play.scoring_by_seat import club_hand_keys, score_alone, shown_lines, special_names
from clubscore.play.table_words import sum_words
from clubscore.scoring import RULE_SETS, ScoringError, tiles
from clubscore.scoring.rotation import WINDS, SeatingState
from clubscore.scoring.rules import RuleSet
from clubscore.scoring.words import SET_WORDS, in_words, listed

FrozenClubHand = dict[str, Any]  # a club's own special hand, as a session freezes it

# A hand as it is asked about in the address: its tiles, the winds, how its last tile came. Text stays as it was typed.

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

MAX_TEXT = 400  # characters of one field: no hand has so many
UNQUOTED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~"


@dataclass(frozen=True)
class AskedHand:
    """The hand asked about; `tile` is the last one, empty if unknown."""

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
        """The number of tiles; a kong counts as three, and so does a set that cannot be read."""
        kinds = [(text.lower().split() or [""])[-2:][0] for text in self.sets]
        return sum(2 if kind == "pair" else 3 for kind in kinds) + len(self.tiles.split())

    @property
    def is_exposed(self) -> bool:
        return any(text.lower().startswith("exposed") for text in self.sets)

    @property
    def codes(self) -> list[str]:
        """The code of every tile."""
        return [*self.tiles.split(), *[code for text in self.sets for code in tiles_of(text, kongs=True)]]

    @property
    def form(self) -> dict[str, Any]:
        """The hand in the score format."""
        form = {"sets": list(self.sets), "tiles": self.tiles, "bonus": self.bonus}
        return form | {way: True for way in ("fishing", "original_call") if way in self.ways}

    def query(self) -> str:
        """Return the hand as the query of an address, without empty fields."""
        fields = {
            "sets": self.sets_typed,
            "tiles": self.tiles,
            "bonus": self.bonus,
            "own": self.own,
            "round": self.of_round,
            "tile": self.tile,
            "from": self.source,
            "club": self.club,
        }
        pairs = [(key, value) for key, value in fields.items() if value]
        return query([*pairs, *[("how", way) for way in self.ways]])


def read_asked_hand(typed: Mapping[str, Any]) -> AskedHand:
    """Read a hand from the fields of the page, each of which may be missing; `how` is a list.

    A value that is not one of the choices is replaced by the usual one.
    """
    sources, ways = dict(SOURCES), dict(WAYS)
    source = typed.get("from", "")
    return AskedHand(
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
    return str(typed.get(name, ""))[:MAX_TEXT]


def _wind(value: str) -> str:
    wind = value.strip().upper()
    return wind if len(wind) == 1 and wind in WINDS else "E"


def query(pairs: Iterable[tuple[str, str]]) -> str:
    """Return pairs as the query of an address, as a form does; MicroPython has no urllib."""
    return "&".join([f"{_quoted(name)}={_quoted(value)}" for name, value in pairs])


def _quoted(text: str) -> str:
    signs = []
    for sign in text:
        coded = "".join([f"%{byte:02X}" for byte in sign.encode()])
        signs.append("+" if sign == " " else sign if sign in UNQUOTED else coded)
    return "".join(signs)


# What a rule set calls exposed, a pung and so on, and the score format's word for it: none of them has two meanings.
TYPED_SET_WORDS = {
    rule_set.words[ours].lower(): ours
    for rule_set in RULE_SETS.values()
    for ours in SET_WORDS
    if ours in rule_set.words
}


def typed_sets(text: str) -> list[str]:
    """Read sets with commas between them, in the words of any rule set: "open peng 5B" is "exposed pung 5B"."""
    typed = [part.split() for part in text.replace(";", ",").replace("\n", ",").split(",") if part.strip()]
    return [" ".join(TYPED_SET_WORDS.get(word.lower(), word) for word in words) for words in typed]


SET_SIZES = {"pung": 3, "kong": 4, "pair": 2}


def chow(tile: str) -> tuple[str, ...]:
    """Return the codes of the three tiles of a chow, by its lowest: "2C" gives 2C, 3C and 4C."""
    number = int(tile[0])
    return tuple(f"{number + step}{tile[1]}" for step in range(3))


def tiles_of(text: str, kongs: bool = False) -> tuple[str, ...]:
    """Return the tiles of a set as it was typed; none if it cannot be read, and of a kong only if asked for."""
    kind, tile = ["", "", *text.split()][-2:]
    kind, tile = kind.lower(), tile.upper()
    if tile not in tiles.TILES or kind not in ("pung", "chow", "pair", *["kong"] * kongs):
        return ()
    if kind != "chow":
        return (tile,) * SET_SIZES[kind]
    return chow(tile) if len(tile) == 2 and tile[0] <= "7" else ()


# A club's own special hands: known by the tiles of their examples, scored by name.


def matching_club_hands(asked: AskedHand, hands: Iterable[FrozenClubHand]) -> list[FrozenClubHand]:
    """Return the club hands whose example has exactly these tiles."""
    codes = tuple(sorted(asked.codes))
    return [hand for hand in hands if hand.get("tiles") and _example(hand["tiles"]) == codes]


def fished_club_hands(asked: AskedHand, hands: Iterable[FrozenClubHand]) -> list[FrozenClubHand]:
    """Return the club hands with a fishing score whose example has one tile more than these."""
    codes = asked.codes
    with_fishing = [hand for hand in hands if hand.get("fishing") is not None]
    return [hand for hand in with_fishing if _is_one_short(codes, _example(hand.get("tiles", "")))]


@lru_cache(maxsize=1 << 12)
def _example(codes: str) -> tuple[str, ...]:
    """Return the tiles of an example in order; cached, as every tile that may come last asks for each of them."""
    return tuple(sorted(codes.upper().split()))


def _is_one_short(codes: Iterable[str], example: Iterable[str]) -> bool:
    left = list(example)
    for code in codes:
        if code not in left:
            return False
        left.remove(code)
    return len(left) == 1


ASKED, THROWS = "1", "2"  # the seats of this hand, and of who discarded its last tile
COMPLETE_SIZE, FISHING_SIZE = 14, 13
NOT_LOOKED_FOR = "The club’s own special hands are found here only if the tiles match their example."
CLAIMED = ("discard", "robbed")
MARKS = ("last_tile", "dealt", "first_discard", "second_kong", "flower", "standing", "first_round", "last_of_kind")
FEW = 4  # kinds of tile that are still named one by one


@dataclass(frozen=True)
class CompletingTile:
    """A tile that completes the hand, and the totals drawn and claimed; None if it would be no Mah-jong.

    `special` names the special hands it makes, drawn or claimed; `made` are their keys.
    """

    tile: str
    name: str
    drawn: int | None
    claimed: int | None
    too_little: int | None
    special: str
    made: tuple[str, ...]


@dataclass(frozen=True)
class AskedRules:
    """A rule set with house rules under which a hand is scored."""

    rules: str
    house_rules: dict[str, Any]
    title: str
    is_clubs: bool = False
    rules_of: str = ""  # slug of the club on whose own page the lines are found; empty: on the public page
    club_hands: tuple[dict[str, Any], ...] = ()  # the club's own special hands, as a session freezes them

    @property
    def rule_set(self) -> RuleSet:
        return RULE_SETS[self.rules]

    def club_hand_name(self, key: str | None) -> str:
        """Return the name of a club hand by its key, or an empty text."""
        return self.special_name(key) if key in club_hand_keys(self) else ""

    def special_name(self, key: str | None) -> str:
        """Return the name of a special hand by its key, club hands included, or an empty text."""
        return special_names(self).get(key or "", "")


@dataclass(frozen=True)
class Answer:
    """What the hand is worth under one set of rules; `error` says why it is worth nothing."""

    of: AskedRules
    place: str  # of the answer among the others: where its lines are found on the page
    lines: list[dict[str, Any]]
    own_note: str  # what else there is to say about the club's own hands
    own: str = ""  # the club's own hand it counts as
    total: int | None = None
    sum: str = ""
    special: str = ""
    fishing_for: str = ""
    limited: bool = False
    completing: tuple[CompletingTile, ...] = ()
    error: str = ""
    refused: str = ""  # the error before it is put in the words of the rule set

    @property
    def completing_words(self) -> str:
        """Return which tiles the hand needs, and the most it would score."""
        found = self.completing
        if not found:
            return "No tile completes it."
        few = listed((tile.name for tile in found), "or")
        needs = f"Needs {few if len(found) <= FEW else f'one of {len(found)} kinds of tile'}"
        if all(tile.too_little is not None for tile in found):
            most = max(tile.too_little or 0 for tile in found)
            return f"{needs}, but would score {'up to ' if len(found) > 1 else ''}{most:,}: too little to go out."
        return f"{needs}. Scores up to {max(max(tile.drawn or 0, tile.claimed or 0) for tile in found):,}."


def every_rule_set() -> list[AskedRules]:
    """Return all rule sets without house rules."""
    return [AskedRules(rule_set.key, {}, rule_set.name) for rule_set in RULE_SETS.values()]


def worth_under_each(asked: AskedHand, rules: Iterable[AskedRules]) -> list[Answer]:
    """Return what the hand is worth under each set of rules: a Mah-jong with 14 tiles, else a loser's hand."""
    return [worth_under(asked, rule_set, f"{number}-") for number, rule_set in enumerate(rules, start=1)]


def worth_under(asked: AskedHand, rules: AskedRules, place: str = "") -> Answer:
    """Return what the hand is worth under one set of rules."""
    tile = last_tile(asked) if asked.size >= COMPLETE_SIZE else None
    by_name, by_tiles, refused = _scores(asked, rules, tile)
    scored = higher(by_name, by_tiles)
    if scored is None:
        lines = _lines_below_minimum(asked, rules) if asked.size >= COMPLETE_SIZE else ()
        why_not = refused.sentence_in(rules.rule_set.vocabulary())
        note = _club_hands_note(asked, rules)
        return Answer(rules, place, _shown_lines(lines, rules), note, error=why_not, refused=str(refused))
    key, fishing_for = scored["special"], scored.get("fishing_for")
    found = tuple(completing_tiles(asked, rules)) if asked.size == FISHING_SIZE else ()
    return Answer(
        rules,
        place,
        _shown_lines(scored["lines"], rules),
        _other_way(by_name, by_tiles, refused, rules) or _club_hands_note(asked, rules, found),
        own=rules.club_hand_name(key or fishing_for),
        total=scored["total"],
        sum=sum_words(*(scored[name] for name in ("points", "doubles", "times", "total", "limited"))),
        special=rules.special_name(key),
        fishing_for=rules.special_name(fishing_for),
        limited=scored["limited"],
        completing=found,
    )


def higher(by_name: Any, by_tiles: Any) -> Any:
    """Return the score that counts: as the club's own hand, or by its tiles if that is more."""
    if by_name is None or by_tiles is None:
        return by_name or by_tiles
    return by_tiles if by_tiles["total"] > by_name["total"] else by_name


def _other_way(by_name: Any, by_tiles: Any, refused: Any, rules: AskedRules) -> str:
    """Return what the hand scores the other way: without the club hand, or as the club hand if its tiles score more."""
    if by_name is None:
        return ""
    if by_tiles is None:
        return f"Without it: {refused.sentence_in(rules.rule_set.vocabulary())}"
    if by_tiles["total"] > by_name["total"]:
        name = rules.club_hand_name(by_name["special"] or by_name.get("fishing_for"))
        return f"As the club’s own {name} it would score {by_name['total']:,}."
    return f"Without it, the tiles score {by_tiles['total']:,}."


def _club_hands_note(asked: AskedHand, rules: AskedRules, found: Sequence[CompletingTile] = ()) -> str:
    """Return why none of the club hands counts, if there are any."""
    if not rules.club_hands or any(rules.club_hand_name(key) for tile in found for key in tile.made):
        return ""
    exposed = matching_club_hands(asked, rules.club_hands)
    return f"{exposed[0]['name']} cannot have exposed sets." if exposed else NOT_LOOKED_FOR


def _shown_lines(lines: Iterable[Any], rules: AskedRules) -> list[dict[str, Any]]:
    """Return the lines of a score as a card shows them: a club's own hand is only on the page of its members."""
    keys = club_hand_keys(rules)
    shown = shown_lines(rules.rule_set.vocabulary(), lines, keys)
    return [{**line, "is_untold": not rules.rules_of and line["rule"] in keys} for line in shown]


def _lines_below_minimum(asked: AskedHand, rules: AskedRules) -> Any:
    """Return the lines of a Mah-jong that scores too little to go out; none if it is refused for another reason."""
    if not rules.rule_set.any_mahjong_counts:
        return ()
    scored = _best_score(asked, _without_minimum(rules), last_tile(asked))
    return scored["lines"] if scored else ()


def _scores(asked: AskedHand, rules: AskedRules, tile: str | None) -> tuple[Any, Any, Any]:
    """Return the scores as a club hand and by the tiles, each None if there is none, and why the tiles have none."""
    by_name = score_by_name(asked, rules, tile)
    try:
        return by_name, _score(asked, rules, asked.form, tile), None
    except ScoringError as refused:
        return by_name, None, refused


def _best_score(asked: AskedHand, rules: AskedRules, tile: str) -> Any:
    """Score a Mah-jong on this tile, as a club hand or by its tiles, whichever is more; None if it is none."""
    return higher(*_scores(asked, rules, tile)[:2])


def score_by_name(asked: AskedHand, rules: AskedRules, tile: str | None) -> Any:
    """Score the hand as the best of the club hands that it is, or is declared fishing for; None if there is none."""
    hands: list[FrozenClubHand] = []
    if tile is not None:
        hands = matching_club_hands(asked, rules.club_hands)
    elif "fishing" in asked.ways:
        hands = fished_club_hands(asked, rules.club_hands)
    scores = []
    for hand in hands:
        name = "special" if tile is not None else "fishing_for"
        form = {name: hand["key"], "exposed": asked.is_exposed, "bonus": asked.bonus}
        try:
            scores.append(_score(asked, rules, form, tile, hand))
        except ScoringError:
            continue  # what is wrong with how it was made, or with exposed sets, is said elsewhere
    return max(scores, key=lambda score: score["total"], default=None)


def _score(
    asked: AskedHand, rules: AskedRules, form: dict[str, Any], tile: str | None, club_hand: FrozenClubHand | None = None
) -> Any:
    """Score the player's hand in this form, as hand entry does: a Mah-jong on the tile, or a loser's without one.

    Of the club hands the scorer gets only the one that the form names: no other can count.
    """
    others, place = [int(THROWS), 3, 4], WINDS.index(asked.own)
    winds = tuple([*others[:place], int(ASKED), *others[place:]])
    goulash = "goulash" in asked.ways and rules.rule_set.has_goulash
    seating = SeatingState(winds, winds[0], wind_of_round=asked.of_round, goulash=goulash)
    session = replace(rules, club_hands=(club_hand,) if club_hand else ())
    return score_alone(session, seating, {"mahjong": tile and _mahjong(asked, tile)}, ASKED, form)


def _mahjong(asked: AskedHand, tile: str) -> dict[str, Any]:
    mahjong: dict[str, Any] = {"by": ASKED, "tile": tile, "from": THROWS if asked.source in CLAIMED else asked.source}
    if asked.source == "robbed":
        mahjong["robbed_kong"] = True
    if asked.source == "kong box" and "flower" in asked.ways:
        mahjong["replacement_for"] = "flower"
    return mahjong | {way: True for way in MARKS if way != "flower" and way in asked.ways}


def last_tile(asked: AskedHand) -> str:
    """Return the tile on which the hand is scored: the one given, else the last that can have been it."""
    codes = possible_last(asked)
    return asked.tile if asked.tile in codes or not codes else codes[-1]


def possible_last(asked: AskedHand) -> list[str]:
    """Return the tiles of the hand that can have come last, each once; those of exposed sets first."""
    exposed: list[str] = []
    concealed: list[str] = []
    for text in asked.sets:
        (exposed if text.lower().startswith("exposed") else concealed).extend(tiles_of(text))
    concealed += [code for code in asked.tiles.split() if code in tiles.TILES]
    return list(dict.fromkeys([*exposed, *concealed] if asked.source in CLAIMED else concealed))


def completing_tiles(asked: AskedHand, rules: AskedRules) -> Iterator[CompletingTile]:
    """Yield every tile that completes a hand of thirteen, with what it scores drawn and claimed.

    Whether it completes the hand does not depend on the marks; drawn and claimed then get the marks that can be true.
    """
    rule_set, anything = rules.rule_set, _without_minimum(rules)
    plain = _made(asked, "wall", ())
    ways = [_made(asked, source, _possible_marks(asked, source, rule_set)) for source in sources_of(asked)]
    for code in tiles.TILES:
        if _score_with(plain, anything, code) is None:
            continue
        drawn, claimed = scores = [_score_with(way, rules, code) for way in ways]
        below = [_score_with(way, anything, code) for way in ways] if drawn is claimed is None else []
        keys = tuple(dict.fromkeys(score["special"] for score in scores if score and score["special"]))
        yield CompletingTile(
            tile=code,
            name=in_words(rule_set.vocabulary(), tiles.tile_name(code)),
            drawn=drawn and drawn["total"],
            claimed=claimed and claimed["total"],
            too_little=max((score["total"] for score in below if score), default=None),
            special=" or ".join(rules.special_name(key) for key in keys),
            made=keys,
        )


def sources_of(asked: AskedHand) -> tuple[str, str]:
    """Return where the last tile would come from if drawn, and if claimed: as given, else the usual."""
    drawn = "kong box" if asked.source == "kong box" else "wall"
    return drawn, "robbed" if asked.source == "robbed" else "discard"


def _possible_marks(asked: AskedHand, source: str, rule_set: RuleSet) -> tuple[str, ...]:
    """Return the ticked marks that can be true of a tile from this source."""
    loose, claimed = source == "kong box", source in CLAIMED
    kongs = sum("kong" in text.lower().split() for text in asked.sets)
    is_last = source in ("wall", "discard") or (loose and rule_set.last_tile_may_be_loose)
    is_at_once = not (asked.is_exposed or kongs or (is_last and "last_tile" in asked.ways))
    can_be = {
        "last_tile": is_last,
        "dealt": not claimed and is_at_once and (asked.own == "E" or not rule_set.dealt_is_for_east),
        "first_discard": source == "discard" and is_at_once and asked.own != "E",
        "second_kong": loose and kongs > 1 and "flower" not in asked.ways,
        "flower": loose,
    }
    return tuple(mark for mark in MARKS if mark in asked.ways and can_be.get(mark, True))


def _made(asked: AskedHand, source: str, marks: tuple[str, ...]) -> AskedHand:
    return replace(asked, source=source, ways=tuple(way for way in asked.ways if way not in MARKS) + marks)


def _score_with(asked: AskedHand, rules: AskedRules, code: str) -> Any:
    """Score the hand with one tile more as a Mah-jong on it; None if it is none."""
    return _best_score(replace(asked, tiles=f"{asked.tiles} {code}".strip()), rules, code)


def _without_minimum(rules: AskedRules) -> AskedRules:
    """Return the rules under which any complete hand is a Mah-jong, however little it scores."""
    return replace(rules, house_rules={**rules.house_rules, **rules.rule_set.any_mahjong_counts})
