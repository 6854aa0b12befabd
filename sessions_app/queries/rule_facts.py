"""What a page of rules says beside the rows: paying, claims, penalties, and the club's own special hands."""

from dataclasses import dataclass, replace

from clubscore.scoring import RULE_SETS
from clubscore.scoring.settlement import METHOD_SENTENCES, PENALTY_KINDS
from clubscore.scoring.words import in_words
from sessions_app.queries.drawn_hands import TILE_ORDER, in_order
from sessions_app.queries.own_hands import value_words

RECEIVERS = {"one": "to one player", "anybody": "to a player, or to nobody", "each": "to each", "nobody": "to nobody"}


@dataclass(frozen=True)
class ShownPenalty:
    """One penalty: what happened, what it costs, and the source."""

    key: str
    words: str
    cost: str
    sentence: str
    source: str


@dataclass(frozen=True)
class OwnHand:
    """A special hand of the club's own: its worth in words, and its tiles where the club gave them."""

    anchor: str
    name: str
    worth: str
    text: str
    concealed: bool
    tiles: tuple[str, ...]


def claim_sentences(rules):
    """Say who gets a discard that several players want."""
    rule_set = RULE_SETS[rules]
    return [in_words(rule_set.vocabulary(), sentence) for sentence in claims(rule_set)]


def claims(rule_set):
    """Say who gets a discard, in our own words."""
    said = ["Mah-jong goes before everything else; then kong, pung, chow."]
    if rule_set.two_may_win:
        said.append("Two players who want it for Mah-jong both win.")
    else:
        said.append("Of two who want it for Mah-jong, the one whose turn comes first has it.")
    said.append("A concealed kong can never be robbed.")
    return said


def paying_sentences(rules, overrides=None):
    """Say who pays whom under these house rules."""
    rule_set = RULE_SETS[rules]
    return [in_words(rule_set.vocabulary(), sentence) for sentence in paying(rule_set.house(overrides))]


def paying(house):
    """Say who pays whom, in our own words."""
    rule_set = RULE_SETS[house.rules]
    if house.recording == "straight":
        return ["Nobody pays: each player adds up their own score."]
    said = [METHOD_SENTENCES[rule_set.settling].format(everybodys_share=rule_set.everybodys_share)]
    if house.east_mode == "settlement":
        said.append("Every payment to or from East is doubled, and no limit cuts that.")
    if house.limit is not None:
        whose = "No hand counts" if house.limit_applies_to == "all" else "The winner’s hand never counts"
        said.append(f"{whose} more than the limit of {house.limit:,}.")
    return said


def shown_penalties(rules, overrides=None):
    """Return the penalties a table may give; who pays for all is left out where nobody pays."""
    words = RULE_SETS[rules].vocabulary()
    return [
        replace(one, words=in_words(words, one.words), sentence=in_words(words, one.sentence))
        for one in penalties(RULE_SETS[rules].house(overrides))
    ]


def penalties(house):
    """Return the penalties a table may give, in our own words."""
    rule_set = RULE_SETS[house.rules]
    found = []
    for foul in rule_set.fouls:
        kind = PENALTY_KINDS[foul.kind]
        if kind.pays_for_all and house.recording == "straight":
            continue
        sentence = kind.sentence if foul.key == foul.kind else ""
        if foul.kind == "false mahjong":
            voids = rule_set.false_mahjong_voids
            sentence += " The hand is void." if voids else " The hand goes on, and the caller cannot win it."
        cost = _cost(foul, rule_set, house)
        found.append(ShownPenalty(foul.key, foul.words, cost, sentence, kind.source))
    return found


def _cost(foul, rule_set, house):
    if foul.kind == "misnamed discard":
        return f"{rule_set.misnamed_fine:,}"
    if foul.kind == "false mahjong":
        half = rule_set.half_limit_without_limit if house.limit is None else house.limit // 2
        return f"{half if rule_set.false_mahjong_fine is None else rule_set.false_mahjong_fine:,} to each"
    if foul.kind == "fine":
        amount = f"{foul.amount:,}" if foul.amount else "what is agreed"
        return f"{amount}, {RECEIVERS[foul.to]}" if foul.to else amount
    return "every loser’s share"


def own_anchor(key):
    """Name the place of a club's own hand on its rules page; no rule of a rule set has such a name."""
    return f"own-{key}"


def shown_own_hands(house, hands):
    """Return the club's own special hands under house rules, each given as a session freezes it."""
    return [
        OwnHand(
            anchor=own_anchor(hand["key"]),
            name=hand["name"],
            worth=_own_worth(hand, house),
            text=hand.get("text", ""),
            concealed=hand.get("concealed", False),
            tiles=in_order(" ".join(code for code in hand.get("tiles", "").upper().split() if code in TILE_ORDER)),
        )
        for hand in hands
    ]


def _own_worth(hand, house):
    fishing = f"; fishing {hand['fishing']:,}" if hand.get("fishing") is not None else ""
    return f"{value_words(hand['value'], house)}{fishing}"
