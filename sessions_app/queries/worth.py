"""What one hand is worth under several rule sets: its score with the lines, and the tiles that would complete it."""

from collections import Counter
from dataclasses import dataclass, replace

from clubscore.scoring import RULE_SETS, ScoringError, score_hand_played, tiles
from clubscore.scoring.words import in_words
from sessions_app.queries.drawn_hands import SET_SIZES, chow, sum_words, unit_of, worth
from sessions_app.queries.rule_facts import OwnHand

ANOTHER_WINS = 20  # what somebody else went Mah-jong with, where this hand did not
WHOLE, WAITING = 14, 13
NOT_LOOKED_FOR = "The club’s own special hands are found here only by the very tiles of their examples."
CLAIMED = ("discard", "robbed")
MARKS = ("last_tile", "dealt", "first_discard", "second_kong", "flower", "standing", "first_round", "last_of_kind")
FEW = 4  # kinds of tile that are still named one by one


@dataclass(frozen=True)
class Line:
    """One line of the score: its rule, and what it is worth in words."""

    rule: str
    name: str
    worth: str
    unit: str


@dataclass(frozen=True)
class Wait:
    """A tile that completes the hand, and what it counts then; None where it would be no Mah-jong so.

    `special` names the special hand it makes, as drawn or as claimed; both where they differ.
    """

    tile: str
    name: str
    drawn: int | None
    claimed: int | None
    too_little: int | None
    special: str

    @property
    def most(self):
        return max(self.drawn or 0, self.claimed or 0)


@dataclass(frozen=True)
class Answer:
    """What the hand is worth by one set of rules; `error` says why it is worth nothing."""

    rules: str
    title: str
    is_clubs: bool
    rules_of: str  # slug of the club on whose own page the lines are found; empty: on the public page
    own_hands: tuple[str, ...]
    own_told: str  # why none of the club's own hands is named, where it has some
    place: str  # of the answer among the others: where its lines are found on the page
    total: int | None
    sum: str
    special: str
    fishing_for: str
    limited: bool
    lines: tuple[Line, ...]
    waits: tuple[Wait, ...]
    error: str
    refused: str  # the error before it is said in the words of the rule set

    @property
    def waits_told(self):
        """Say in a sentence what the hand waits for, and what most of it would count."""
        if not self.waits:
            return "No tile completes it."
        few = ", ".join(wait.name for wait in self.waits)
        waits = f"Waits for {few if len(self.waits) <= FEW else f'{len(self.waits)} kinds of tile'}"
        if all(wait.too_little is not None for wait in self.waits):
            most = max(wait.too_little for wait in self.waits)
            return f"{waits}, but it would count {most:,}{' at most' * (len(self.waits) > 1)}: too little to go out."
        return f"{waits}: {max(wait.most for wait in self.waits):,} at most."


@dataclass(frozen=True)
class Played:
    """A rule set with the switches changed under which a hand is asked for."""

    rules: str
    overrides: dict
    title: str
    is_clubs: bool = False
    rules_of: str = ""
    own_hands: tuple[OwnHand, ...] = ()


def every_rule_set():
    """Return all rule sets as their sources have them."""
    return [Played(rule_set.key, {}, rule_set.name) for rule_set in RULE_SETS.values()]


def answers(asked, played):
    """Answer for each set of rules what the hand is worth: as a Mah-jong with fourteen tiles, else as it stands."""
    return [answer(asked, one, f"{number}-") for number, one in enumerate(played, start=1)]


def answer(asked, played, place=""):
    """Answer what the hand is worth by one set of rules."""
    rule_set = RULE_SETS[played.rules]
    words = rule_set.vocabulary()
    wins = asked.size >= WHOLE
    told = {"rules": played.rules, "title": played.title, "is_clubs": played.is_clubs, "place": place}
    own = [hand for hand in played.own_hands if hand.tiles and is_example(asked, hand.tiles)]
    told |= {"rules_of": played.rules_of, "own_hands": tuple(f"{hand.name}: {hand.worth}" for hand in own)}
    told["own_told"] = NOT_LOOKED_FOR if played.own_hands and not own else ""
    try:
        scored = scored_hand(asked, played, last_tile(asked) if wins else None)
    except ScoringError as error:
        lines = shown_lines(counted_without_minimum(asked, played), words) if wins else ()
        return Answer(**told, total=None, sum="", special="", fishing_for="", limited=False, lines=lines, waits=(),
                      error=in_words(words, str(error)), refused=str(error))  # fmt: skip
    return Answer(
        **told,
        total=scored["total"],
        sum=sum_words(*(scored[key] for key in ("points", "doubles", "times", "total", "limited"))),
        special=special_name(rule_set, scored["special"]),
        fishing_for=special_name(rule_set, scored.get("fishing_for")),
        limited=scored["limited"],
        lines=shown_lines(scored["lines"], words),
        waits=tuple(waits(asked, played)) if asked.size == WAITING else (),
        error="",
        refused="",
    )


def shown_lines(lines, words):
    """Make the lines of a score those of a card, in the words of its rule set."""
    return tuple(Line(line["rule"], in_words(words, line["name"]), worth(line), unit_of(line)) for line in lines)


def counted_without_minimum(asked, played):
    """Return the lines of a Mah-jong that counts too little to go out; none where it is refused for another reason."""
    if "minimum_points" not in RULE_SETS[played.rules].house_rules:
        return ()
    try:
        return scored_hand(asked, _without_minimum(played), last_tile(asked))["lines"]
    except ScoringError:
        return ()


def is_example(asked, codes):
    """Tell whether the tiles asked for are exactly these: a club's own hand is known by its one example alone."""
    held = Counter(asked.tiles.split())
    for text in asked.sets:
        held.update(_tiles_of(text, kongs=True))
    return held == Counter(codes)


def special_name(rule_set, key):
    """Name a special hand of a rule set by its key; nothing where there is none."""
    return next((special.name for special in rule_set.special_hands if special.key == key), "")


def scored_hand(asked, played, tile):
    """Score the hand as the score format's answer for its player; with `tile` a Mah-jong on it."""
    return score_hand_played(hand_played(asked, played, tile))["hands"][asked.own]


def hand_played(asked, played, tile):
    """Make the hand played of the score format that is asked for."""
    other = "S" if asked.own == "E" else "E"
    hands = {wind: {} for wind in "ESWN"} | {asked.own: asked.form}
    if tile is None:
        hands[other] = {"total": ANOTHER_WINS}
    win = {"by": other} if tile is None else _winning(asked, tile, other)
    return {
        "rules": played.rules,
        "house_rules": played.overrides,
        "wind_of_round": asked.of_round,
        "goulash": "goulash" in asked.ways and RULE_SETS[played.rules].has_goulash,
        "hands": hands,
        "mahjong": win,
    }


def _winning(asked, tile, other):
    claimed = asked.source in CLAIMED
    win = {"by": asked.own, "tile": tile, "from": other if claimed else asked.source}
    if asked.source == "robbed":
        win["robbed_kong"] = True
    if asked.source == "kong box" and "flower" in asked.ways:
        win["replacement_for"] = "flower"
    named = ("last_tile", "dealt", "first_discard", "second_kong", "standing", "first_round", "last_of_kind")
    return win | {way: True for way in named if way in asked.ways}


def last_tile(asked):
    """Return the tile the hand is taken to have won with: the one told, else the last that can have been it."""
    codes = possible_last(asked)
    return asked.tile if asked.tile in codes or not codes else codes[-1]


def possible_last(asked):
    """Return the tiles of the hand that can have come last, each once; those of exposed sets first."""
    shown, held = [], []
    for text in asked.sets:
        codes = _tiles_of(text)
        (shown if text.lower().startswith("exposed") else held).extend(codes)
    held += [code for code in asked.tiles.split() if code in tiles.TILES]
    claimed = asked.source in CLAIMED
    return list(dict.fromkeys([*shown, *held] if claimed else held))


def _tiles_of(text, kongs=False):
    """Return the tiles of a set as it was typed; none of what is no set, and of a kong only where asked for."""
    kind, tile = ["", *text.split()][-2:]
    kind, tile = kind.lower(), tile.upper()
    if tile not in tiles.TILES or kind not in ("pung", "chow", "pair", *["kong"] * kongs):
        return ()
    if kind != "chow":
        return (tile,) * SET_SIZES[kind]
    return chow(tile) if len(tile) == 2 and tile[0] <= "7" else ()


def waits(asked, played):
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
        names = dict.fromkeys(special_name(rule_set, score["special"]) for score in scores if score)
        yield Wait(
            tile=code,
            name=in_words(rule_set.vocabulary(), tiles.tile_name(code)),
            drawn=drawn and drawn["total"],
            claimed=claimed and claimed["total"],
            too_little=max((score["total"] for score in counted if score), default=None),
            special=" or ".join(filter(None, names)),
        )


def ways_of(asked):
    """Return the way the last tile would be drawn and the way it would be claimed: as told, else the usual."""
    drawn = "kong box" if asked.source == "kong box" else "wall"
    return drawn, "robbed" if asked.source == "robbed" else "discard"


def _marks_of(asked, source, rule_set):
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


def _made_so(asked, source, marks):
    kept = tuple(way for way in asked.ways if way not in MARKS)
    return replace(asked, source=source, ways=kept + marks)


def _scored_with(asked, played, code):
    """Score the hand with one tile more as a Mah-jong on it; None where it is none."""
    try:
        return scored_hand(replace(asked, tiles=f"{asked.tiles} {code}".strip()), played, code)
    except ScoringError:
        return None


def _without_minimum(played):
    """Give the rules with no fewest points to go out: by them a hand is a Mah-jong whenever it is complete."""
    if "minimum_points" not in RULE_SETS[played.rules].house_rules:
        return played
    return Played(played.rules, {**played.overrides, "minimum_points": 0}, played.title)
