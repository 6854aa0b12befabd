"""Learning to score: the stages of learners, hands to practise, what is wrong with a count; on a tablet too."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from clubscore.play import hand_worth
from clubscore.play.scoring_by_seat import line_name
from clubscore.scoring import RULE_SETS, ScoringError, score_hand_played, tiles
from clubscore.scoring.rules import RuleSet
from clubscore.scoring.seeded_random import SeededRandom
from clubscore.scoring.words import in_words, line_worth, unit_of


@dataclass(frozen=True)
class Stage:
    """One stage, as teachers of the game use them; `units` are those of the lines that are shown."""

    key: str
    name: str
    sentence: str
    units: tuple[str, ...]
    rest: str = ""  # the words for the lines behind the tap


POINTS = Stage(
    key="points",
    name="Points only",
    sentence="The points of sets, pairs and flowers, and of going Mah-jong.",
    units=("points",),
    rest="Doubles and special hands",
)
DOUBLES = Stage(
    key="doubles",
    name="Points and doubles",
    sentence="The points, and what doubles them.",
    units=("points", "doubles", "times"),
    rest="Special hands",
)
EVERYTHING = Stage(
    key="all",
    name="Everything",
    sentence="Every line of a score at once, special hands too.",
    units=("points", "doubles", "times", "limit"),
)
STAGES = (POINTS, DOUBLES, EVERYTHING)
BY_KEY = {stage.key: stage for stage in STAGES}


# Hands to practise scoring, like those of real games: the same seed always deals the same hand.

SUITS = "CBD"
MIXED_SUITS = ("CBD", "CDB", "BCD", "BDC", "DCB", "DBC")
MAX_TRIES = 400
MAX_SEED = 999_999
OTHERS_TOTAL = 20


@dataclass(frozen=True)
class Dealt:
    """One player's hand in a hand played (score format), and its score."""

    played: dict[str, Any]
    seat: str
    scored: dict[str, Any]

    @property
    def form(self) -> dict[str, Any]:
        form: dict[str, Any] = self.played["hands"][self.seat]
        return form

    @property
    def win(self) -> dict[str, Any] | None:
        """How the player went Mah-jong; None if someone else did."""
        win = self.played["mahjong"]
        return win if win["by"] == self.seat else None


def deal(rules: str, seed: int, special: bool = False) -> Dealt:
    """Deal the hand of a seed under a rule set without house rules; with `special`, sometimes a special hand."""
    lots = _random_by(f"{rules}/{'special' if special else 'ordinary'}/{seed}")
    if special and lots.chance(25):
        special_hand = _special(lots, rules)
        if special_hand:
            return special_hand
    for _ in range(MAX_TRIES):
        dealt = _scored(Dealing(lots, RULE_SETS[rules]).hand_played())
        if dealt and (special or not dealt.scored["special"]):
            return dealt
    return _from_examples(lots, rules)


def _random_by(text: str) -> SeededRandom:
    """Return random numbers seeded by a text."""
    number = 0
    for sign in text:
        number = (number * 256 + ord(sign)) % 2147483629
    return SeededRandom(number)


class Dealing:
    """One attempt at a hand: the tiles that are left, and those that this player gets."""

    def __init__(self, lots: SeededRandom, rule_set: RuleSet) -> None:
        self.lots = lots
        self.rule_set = rule_set
        self.left = dict.fromkeys(tiles.TILES, 4)
        self.seat = lots.choice(tiles.WINDS)
        self.suit = lots.choice(SUITS)
        self.theme = lots.weighted_choice((("mixed", 5), ("clean", 3), ("honours", 1)))

    def hand_played(self) -> tuple[dict[str, Any], str]:
        lots = self.lots
        wins = self.rule_set.winner_alone_scores or lots.chance(50)
        hands: dict[str, dict[Any, Any]] = {wind: {} for wind in tiles.WINDS}
        win = self.winner(hands) if wins else self.loser(hands)
        has_round = self.rule_set.has_round_wind
        return {
            "rules": self.rule_set.key,
            "wind_of_round": lots.choice(tiles.WINDS) if has_round else "E",
            "hands": hands,
            "mahjong": win,
        }, self.seat

    def winner(self, hands: dict[str, dict[Any, Any]]) -> Any:
        lots = self.lots
        most = self.rule_set.house_rules.get("max_chows", 4)
        wanted = lots.weighted_choice(((0, 3), (1, 4), (2, 2), (3, 3), (4, 4))[: most + 1])
        sets = [self.a_set("chow" if at < wanted else self.big()) for at in range(4)]
        sets.append(self.a_set("pair"))
        hands[self.seat] = {"sets": sets, "bonus": self.flowers()}
        kongs = any(" kong " in text for text in sets)
        source = lots.weighted_choice((("wall", 4), ("discard", 5), ("kong box", 2 if kongs else 0)))
        others = [wind for wind in tiles.WINDS if wind != self.seat]
        drawn = [text for text in sets if " kong " not in text and not text.startswith("exposed")]
        claimed = [text for text in sets if " kong " not in text]
        finished = lots.choice(claimed if source == "discard" else drawn)
        last = lots.choice(tiles_of(finished))
        if source == "discard" and not finished.startswith("pair"):
            # The set that a claimed tile completes is exposed.
            sets[sets.index(finished)] = finished.replace("concealed", "exposed")
        win = {"by": self.seat, "tile": last, "from": lots.choice(others) if source == "discard" else source}
        if source == "wall" and lots.chance(6):
            win["last_tile"] = True
        return win

    def loser(self, hands: dict[str, dict[Any, Any]]) -> dict[str, str]:
        lots = self.lots
        wanted = lots.weighted_choice(((1, 2), (2, 4), (3, 3)))
        sets = [self.a_set(self.big() if lots.chance(75) else "chow") for _ in range(wanted)]
        sets += [self.a_set("pair")] if lots.chance(60) else []
        size = sum(2 if text.startswith("pair") else 3 for text in sets)
        singles = sorted((self.single() for _ in range(13 - size)), key=tiles.TILES.index)
        hands[self.seat] = {"sets": sets, "tiles": " ".join(singles), "bonus": self.flowers()}
        other = lots.choice([wind for wind in tiles.WINDS if wind != self.seat])
        hands[other] = {"total": OTHERS_TOTAL}
        return {"by": other}

    def big(self) -> str:
        return "kong" if self.lots.chance(15) else "pung"

    def a_set(self, kind: str) -> str:
        """Take a set of this kind from the tiles that are left, and return it as the score format has it."""
        while True:
            tile = self.a_tile(kind)
            codes = tiles_of(f"{kind} {tile}")
            if all(self.left[code] >= codes.count(code) for code in codes):
                break
        for code in codes:
            self.left[code] -= 1
        if kind == "pair":
            return f"pair {tile}"
        return f"{'exposed' if self.lots.chance(55) else 'concealed'} {kind} {tile}"

    def a_tile(self, kind: str) -> str:
        suit = self.lots.choice(SUITS) if self.theme == "mixed" else self.suit
        if kind == "chow":
            return f"{1 + int(self.lots.choice('0123456'))}{suit}"
        if self.lots.chance(70 if self.theme == "honours" else 30):
            return self.lots.choice(tiles.WINDS + "RGP")
        return f"{self.lots.choice('123456789')}{suit}"

    def single(self) -> str:
        """Take a single tile that makes no set or pair with the tiles taken so far."""
        while True:
            code = self.lots.choice(tiles.TILES)
            if self.left[code] == 4:
                self.left[code] -= 1
                return code

    def flowers(self) -> str:
        if not any(rule.of == "bonus tile" for rule in self.rule_set.rules):
            return ""
        return " ".join(code for code in tiles.BONUS_TILES if self.lots.chance(18))


def tiles_of(text: str) -> list[str]:
    """Return the tiles of a set of the score format, each as often as it is in the set."""
    return list(hand_worth.tiles_of(text, kongs=True))


def _scored(made: tuple[dict[str, Any], str]) -> Dealt | None:
    played, seat = made
    try:
        return Dealt(played, seat, score_hand_played(played)["hands"][seat])
    except ScoringError:
        return None


def _special(lots: SeededRandom, rules: str) -> Dealt | None:
    """Take a special hand of the rule set's own examples, with its suits exchanged if it stays the same hand."""
    rule_set = RULE_SETS[rules]
    in_force = [row for row in rule_set.special_hands if rule_set.house().allows(row.when)]
    if not in_force:
        return None
    row = lots.choice(in_force)
    example = lots.choice(row.examples)
    played = {**example.played(rules), "house_rules": {}}
    changed = exchanged(played, lots.choice(MIXED_SUITS))
    for hand in (changed, played):
        dealt = _scored((hand, example.seat))
        if dealt and dealt.scored["special"] == row.key:
            return dealt
    return None


def _from_examples(lots: SeededRandom, rules: str) -> Dealt:
    """Take an example of one of the rows, as chance dealt no Mah-jong that may go out."""
    rows = [row for row in RULE_SETS[rules].rules if row.examples[0].mahjong and not row.examples[0].house_rules]
    example = lots.choice(rows).examples[0]
    played = example.played(rules)
    return Dealt(played, example.seat, score_hand_played(played)["hands"][example.seat])


def exchanged(value: Any, suits: str) -> Any:
    """Exchange the suits of every tile in a hand played: C, B and D become these."""
    if isinstance(value, dict):
        return {key: exchanged(inner, suits) for key, inner in value.items()}
    if isinstance(value, list):
        return [exchanged(inner, suits) for inner in value]
    if not isinstance(value, str):
        return value
    words = value.split(" ")
    return " ".join(
        f"{word[0]}{suits[SUITS.index(word[1])]}" if word[:1].isdigit() and word[1:] in SUITS else word
        for word in words
    )


# What is wrong with a count.

FIGURES = ("points", "doubles", "total")
MAX_DIGITS = 9


@dataclass(frozen=True)
class Verdict:
    """Whether the count is right, and sentences on each figure that is not."""

    is_right: bool
    sentences: tuple[str, ...]


def asked_figures(dealt: Dealt, stage: Stage) -> tuple[str, ...]:
    """Return the figures that a stage asks for, the required one last."""
    if RULE_SETS[dealt.played["rules"]].doubling != "doubles":
        return ("total",)
    return ("points",) if stage == POINTS else FIGURES


def verdict(dealt: Dealt, stage: Stage, counted: Mapping[str, Any], is_first: bool = False) -> Verdict:
    """Compare the figures entered (by name, None if left out) with the right ones; a first try gives none away."""
    asked, right = asked_figures(dealt, stage), dealt.scored
    entered = [name for name in asked if counted.get(name) is not None]
    wrong = [name for name in entered if right[name] is not None and counted[name] != right[name]]
    sentences = [_sentence(dealt, name, counted[name], is_first) for name in wrong]
    if wrong == ["total"] and len(entered) == len(FIGURES) and right["points"] is not None:
        times = "Multiply by 2 for each double." if is_first else _multiplication(dealt, counted["total"])
        sentences = [f"Your points and doubles are right, but the total is not. {times}"]
    if asked[-1] not in entered:
        sentences.append(f"You left out the {asked[-1]}{'' if is_first else f': {right[asked[-1]]:,}'}.")
    return Verdict(not sentences, tuple(sentences))


def _sentence(dealt: Dealt, name: str, counted: int, is_first: bool) -> str:
    """Return how far a figure is out, and the single mistake that would explain it, if there is one."""
    right, is_total = dealt.scored[name], name == "total"
    more, less = ("too high", "too low") if is_total else ("too many", "too few")
    too = more if counted > right else less
    if is_first:
        return f"{name.capitalize()}: {counted:,} is {too}."
    by_how_many = "" if is_total else f" ({abs(counted - right):,} {too})"
    sentence = f"{name.capitalize()}: you entered {counted:,}. The answer is {right:,}{by_how_many}."
    mistake = _mistake_in_line(dealt, name, counted) or _mistake_in_hand(dealt, name, counted)
    return f"{sentence} {mistake}" if mistake else sentence


def _multiplication(dealt: Dealt, counted: int) -> str:
    points, times = dealt.scored["points"], dealt.scored["times"]
    steps = [points * 2**doubles for doubles in range(dealt.scored["doubles"] + 1)]
    doubling = ", ".join(f"{step:,}" for step in steps)
    limit = f" The limit is {dealt.scored['total']:,}." if dealt.scored["limited"] else ""
    trebled = "" if steps[-1] == points * times else f", and trebled {points * times:,}"
    return f"It is {doubling}{trebled}, not {counted:,}.{limit}"


def not_scored(dealt: Dealt) -> list[str]:
    """Return why chows, pairs and single tiles are without a line; none of a special hand, or where sets have none."""
    worth = {rule.key: rule.points for rule in RULE_SETS[dealt.played["rules"]].rules if rule.of == "set"}
    if not worth or dealt.scored["special"]:
        return []
    sets = [text.split() for text in dealt.form.get("sets", ())]
    pairs = [f"Pair of {tiles.tiles_name(words[-1])}" for words in sets if words[-2] == "pair"]
    scored = [line["name"] for line in dealt.scored["lines"]]
    sentences = ["A chow scores nothing."] if worth["chow"] == 0 and any("chow" in words for words in sets) else []
    sentences += [
        f"{pair}: nothing. Only pairs of dragons and of the winds that count score."
        for pair in pairs
        if not any(name.startswith(pair) for name in scored)
    ]
    return sentences + (["Single tiles score nothing."] if dealt.form.get("tiles") and not dealt.win else [])


@dataclass(frozen=True)
class Counted:
    """The figures by name, None if nothing was typed; the text as typed; and the errors."""

    figures: dict[str, int | None]
    typed: dict[str, str]
    errors: dict[str, str]

    @property
    def is_entered(self) -> bool:
        return any(self.typed.values())


def read_counted(typed: Mapping[str, str], names: tuple[str, ...]) -> Counted:
    """Read the figures of these names from what a learner typed: whole numbers, or an error."""
    found = Counted({}, {}, {})
    for name in names:
        text = typed.get(name, "").strip()[:20]
        digits = text.replace(",", "").replace(" ", "")
        is_figure = digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS
        found.typed[name] = text
        found.figures[name] = int(digits) if is_figure else None
        if digits and not is_figure:
            found.errors[name] = f"Enter the {name} as a whole number. For example, 28."
    return found


# The single mistake that leads to a wrong figure; empty if there is none.


def _mistake_in_line(dealt: Dealt, name: str, counted: int) -> str:
    """Find a line that was left out, or counted twice."""
    if name == "total" and dealt.scored["doubles"]:
        return ""
    unit = "points" if name == "total" else name
    words, off = RULE_SETS[dealt.played["rules"]].vocabulary(), counted - dealt.scored[name]
    lines = [line for line in dealt.scored["lines"] if unit_of(line) == unit and line[unit]]
    for line in lines:
        if off == -line[unit] * line.get("count", 1):
            return f"Did you leave this out? {line_name(words, line)}, {line_worth(line)}."
    for line in lines:
        if off == line[unit]:
            return f"Did you score this twice? {line_name(words, line)}, {line_worth(line)}."
    return ""


def _mistake_in_hand(dealt: Dealt, name: str, counted: int) -> str:
    """Find a hand that differs in one thing, and has the figure that was counted."""
    words = RULE_SETS[dealt.played["rules"]].vocabulary()
    for sentence, played in _variants(dealt):
        try:
            figure = score_hand_played(played)["hands"][dealt.seat][name]
        except ScoringError:
            continue
        if figure == counted:
            return in_words(words, f"That would be right {sentence}.")
    return ""


def _variants(dealt: Dealt) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the mistakes people make: exposed for concealed, drawn for claimed, flowers forgotten."""
    form, win = dealt.form, dealt.win
    for at, text in enumerate(form.get("sets", ())):
        word, *rest = text.split()
        other = {"exposed": "concealed", "concealed": "exposed"}.get(word)
        if other:
            sets = [*form["sets"][:at], " ".join([other, *rest]), *form["sets"][at + 1 :]]
            yield f"if {_set_name(text)} were {other}", _with_form(dealt, {**form, "sets": sets})
    if win and win.get("from"):
        claimed = win["from"] not in ("wall", "kong box")
        another = "S" if dealt.seat == "E" else "E"
        source, how = ("wall", "drawn from the wall") if claimed else (another, "claimed from a discard")
        plain = {key: win[key] for key in ("by", "tile") if key in win}
        yield f"if the winning tile had been {how}", {**dealt.played, "mahjong": {**plain, "from": source}}
    if form.get("bonus"):
        yield "if the flowers and seasons did not count", _with_form(dealt, {**form, "bonus": ""})


def _with_form(dealt: Dealt, form: dict[str, Any]) -> dict[str, Any]:
    return {**dealt.played, "hands": {**dealt.played["hands"], dealt.seat: form}}


def _set_name(text: str) -> str:
    kind = text.split()[1]
    code = tiles_of(text)[0]
    return f"the {kind} of {tiles.tiles_name(code)}" if kind != "chow" else f"the chow from {tiles.tile_name(code)}"
