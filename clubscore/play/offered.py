"""What a session's rules offer at hand entry; and house rules as somebody chooses them in a form."""

from collections.abc import Mapping
from typing import Any

from clubscore.scoring.hands import ScoringError
from clubscore.scoring.rotation import WINDS
from clubscore.scoring.rule_table import compile_table
from clubscore.scoring.rules import ANYHOW, PenaltyRow, RuleSet
from clubscore.scoring.rulesets import RULE_SETS
from clubscore.scoring.score import settling_of
from clubscore.scoring.score_format import house_rules
from clubscore.scoring.settlement import PENALTY_KINDS, Penalty, Table
from clubscore.scoring.switches import STANDARD, HouseRules, Switch
from clubscore.scoring.unlikely_totals import total_queries
from clubscore.scoring.words import Vocabulary, in_words

# What may be said of the winning tile, by what a rule set asks: the word in the form, and the words shown.
PLAIN_WAYS = (
    ("last_of_wall", "last_tile", "Last tile of the wall"),
    ("last_discard", "last_tile", "The last discard"),
    ("robbed_kong", "robbed_kong", "Robbing a kong"),
    ("dealt", "dealt", "With the tiles as dealt"),
    ("first_discard", "first_discard", "On East’s first discard"),
    ("second_kong", "second_kong", "Replacement of a second kong"),
    ("flower_replaced", "flower_replaced", "It replaced a flower"),
    ("standing", "standing", "Standing hand"),
    ("thirteenth", "thirteenth", "East’s thirteenth in a row"),
    ("first_round", "first_round", "Before everyone’s second turn"),
    ("last_of_kind", "last_of_kind", "The other three are on the table"),
)


# `session` below is a session or its SessionRules.


def offers(session: Any) -> dict[str, Any]:
    """Return what the entry page offers: flags, and what is asked of a winning tile."""
    rules, house = RULE_SETS[session.rules], house_rules(session.rules, session.house_rules)
    table, club_hands = compile_table(house), session.club_hands
    losers_score = not table.losers_count_nothing
    is_fishable = bool(table.fishing_specials)
    return {
        "hands": rules.winner_needs_tiles or losers_score,
        "bonus": table.counts_bonus,
        "doubles": rules.doubling == "doubles",
        "special": bool(table.named_specials or club_hands),
        "two_winners": rules.two_may_win,
        "winner_needs_tiles": rules.winner_needs_tiles,
        "losers_score": losers_score,
        "exposable": any(worth.exposed_differs for _, worth in table.named_specials),
        "fishing": is_fishable,
        "fishing_by_name": is_fishable or any(hand.get("fishing") is not None for hand in club_hands),
        "original_call": table.counts_call(winning=True),
        "original_call_losers": table.counts_call(winning=False),
        "asks": table.asks,
        "ways": {asked: words for asked, _, words in PLAIN_WAYS if asked in table.asks},
        "dealt_is_for_east": rules.dealt_is_for_east,
        "discarder_pays_more": table.discarder_pays_more,
        "last_tile_may_be_loose": rules.last_tile_may_be_loose,
        "false_mahjong_voids": rules.false_mahjong_voids,
        "most_chows": house.max_chows,
        "total_questions": [
            {
                "question": query.question,
                "above": query.above,
                "below": query.below,
                "odd": query.odd,
                "winner_only": query.winner_only,
            }
            for query in total_queries(rules, house)
        ],
    }


def penalties(session: Any, words: Vocabulary = ()) -> list[dict[str, Any]]:
    """Return the penalties a table gives with a hand, without paying for all where nobody pays."""
    rules, house = RULE_SETS[session.rules], house_rules(session.rules, session.house_rules)
    return [
        {
            "key": row.key,
            "kind": row.kind,
            "words": in_words(words, row.says(house)),
            "cost": cost_words(row, house),
            "to": {"one": "needed", "anybody": "allowed"}.get(row.to, row.to),
            "amount": row.amount(house),
            "typed": PENALTY_KINDS[row.kind].has_amount and row.amount(house) is None,
            "stands_alone": row.is_plain,
            "why": why_of(row),
        }
        for row in rules.penalties
        if house.recording != "straight" or not PENALTY_KINDS[row.kind].pays_for_all
    ]


# The special hands that may be entered by name.


def special_hands(session: Any, words: Vocabulary = ()) -> list[dict[str, Any]]:
    """Return the hands that may be entered by name, each with the tiles of its first example; the club's own last.

    `by` are the winds that may make it, `sources` and `marks` what its name says of the last tile (all as in the score
    format). One whose value is worked out from its points needs its tiles, so it is not in the list.
    """
    rules, house = RULE_SETS[session.rules], house_rules(session.rules, session.house_rules)
    return [
        {
            "key": hand.key,
            "name": in_words(words, hand.name),
            "sentence": in_words(words, hand.sentence_under(house)),
            "fishable": worth.fishing is not None,
            "exposable": worth.exposed_differs,
            "to": hand.to,
            "by": hand.made.by,
            "sources": hand.made.sources,
            "marks": hand.made.marks,
            **_worths(hand, worth, rules, house),
            "picture": _example_tiles(hand.examples[0].hand) if hand.examples else [],
        }
        for hand, worth in compile_table(house).named_specials
    ] + [_club_hand(hand, house) for hand in session.club_hands]


def _club_hand(hand: Mapping[str, Any], house: HouseRules) -> dict[str, Any]:
    """Return a club's own hand, as the session froze it at its start, in the form of the rule set's."""
    fishing, value = hand.get("fishing"), hand["value"]
    concealed = " Concealed." if hand.get("concealed") else ""
    return {
        "key": hand["key"],
        "name": hand.get("name") or hand["key"],
        "sentence": f"{hand.get('text') or 'A hand of the club’s own.'}{concealed}",
        "fishable": fishing is not None,
        "exposable": False,
        "to": "winner",
        "by": ANYHOW.by,
        "sources": ANYHOW.sources,
        "marks": ANYHOW.marks,
        "worth": value_words(value, house) if isinstance(value, str) else _price_words(value, house),
        "fishing_worth": _price_words(fishing, house, is_winner=False),
        "picture": (hand.get("tiles") or "").split(),
    }


def _worths(hand: Any, worth: Any, rules: RuleSet, house: HouseRules) -> dict[str, str]:
    """Say what a special hand and fishing for it are worth: figures alone if the club has set the price."""
    if worth.points:
        return {"worth": f"{worth.points:,} points and more", "fishing_worth": ""}
    if house.price(hand.key) is None:
        return {
            "worth": _special_worth_words(hand.value, rules, house),
            "fishing_worth": _special_worth_words(hand.fishing, rules, house),
        }
    return {
        "worth": _price_words(worth.value, house),
        "fishing_worth": _price_words(worth.fishing, house, is_winner=False),
    }


def _price_words(price: int | None, house: HouseRules, is_winner: bool = True) -> str:
    """Say what is paid at a price of the club's own, which may be capped at the limit; "" without a price."""
    if price is None:
        return ""
    paid, is_capped = compile_table(house).cap(price, is_winner)
    return f"the limit, {paid:,}" if is_capped else f"{paid:,}"


def _special_worth_words(value: Any, rules: RuleSet, house: HouseRules) -> str:
    """Say what a special hand is worth under these house rules: "the limit, 1,000"; "" if it has no such score."""
    base = house.limit or _under(rules.special_value_without_limit, house)
    if value is None or not base:
        return ""
    tenths = _under(value, house)
    share = {10: "the limit, ", 5: "half the limit, "}.get(tenths, "") if house.limit else ""
    return f"{share}{base * tenths // 10:,}"


def _under(figure: Any, house: HouseRules) -> Any:
    """Return a figure of a rule's row: a number, or one that a house rule decides."""
    return figure if figure is None or isinstance(figure, int) else figure.under(house)


def _example_tiles(hand: Mapping[str, Any]) -> list[str]:
    """Return the tile codes of a hand of the score format."""
    codes: list[str] = []
    for text in hand.get("sets", ()):
        kind, tile = text.upper().split()[-2:]
        if kind == "CHOW":
            codes += [f"{int(tile[0]) + step}{tile[1]}" for step in range(3)]
        else:
            codes += [tile] * {"PAIR": 2, "PUNG": 3, "KONG": 4}[kind]
    return codes + str(hand.get("tiles", "")).upper().split()


def value_words(value: Any, house: HouseRules) -> str:
    """Return the value of a club hand (points, "limit" or "half limit") in words."""
    base = compile_table(house).special_base
    limits = {"limit": (base, "the limit"), "half limit": (base // 2, "half the limit")}
    if value not in limits:
        return f"{value:,}"
    amount, words = limits[value]
    return f"{words}, {amount:,}" if house.limit is not None else f"{amount:,}"


def cost_words(row: PenaltyRow, house: HouseRules) -> str:
    """Say what a penalty costs before it is given; "" if the amount is typed, or in its own words."""
    kind = PENALTY_KINDS[row.kind]
    if kind.pays_for_all:
        return "Pays the winner for everyone."
    if kind.has_amount:
        return ""
    nobody_scored = Table(dict.fromkeys(WINDS, 0), (), None, [], settling_of(house))
    shares = kind.charge(Penalty(kind.key, "S", "W", 0), nobody_scored)
    return f"Costs {shares[0][2]:,}{' to each other player' if len(shares) > 1 else ''}."


def why_of(row: PenaltyRow) -> str:
    """Return the reason of a plain penalty for which none is given: the penalty itself, if it is a particular one."""
    return "" if row.to == "anybody" else row.words.split(":")[0]


# House rules of a form: what is typed becomes values, and each difference a sentence.

# The tick beside a figure that stands for none of it has the name of the switch and this.
NONE = "_none"
MAX_FIGURE = 1_000_000
# Far above what anybody plays, and low enough for the score to be stored when East pays it double.
MAX_FIGURES = {"east_max": 999}


def form_value(value: Any) -> str:
    """Return the value of a switch as a form sends it; True and 1 differ."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def is_same(value: Any, other: Any) -> bool:
    """Return whether two values of a switch are equal; True and 1 differ."""
    return type(value) is type(other) and value == other


def read_figure(switch: Switch, typed: str, is_none: bool) -> tuple[Any, str]:
    """Return the number typed, such as "1,000", or None where none is ticked; and what is wrong with it."""
    figure = typed.replace(",", "").replace("\u00a0", "").strip()
    if is_none:
        return None, f"Choose “{switch.label(None)}” or enter a number, not both." if figure else ""
    try:
        value: Any = int(figure) if figure.isascii() and figure.isdigit() else figure or STANDARD
        switch.check(value)
    except ScoringError:
        return None, switch.error
    is_too_much = isinstance(value, int) and value > MAX_FIGURES.get(switch.key, MAX_FIGURE)
    return (None, switch.error) if is_too_much else (value, "")


def read_choice(switch: Switch, token: str) -> tuple[Any, str]:
    """Return the value that was chosen; and what is wrong with it, if anything."""
    for value, _, _ in switch.values:
        if form_value(value) == token:
            return value, ""
    return None, f"Choose {'one of the options' if token else 'an option'} for “{switch.name}”."


def read_house_rules(rules: str, typed: Mapping[str, str]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return the house rules of a form that differ from the rule set, and what is wrong, by the name of the field."""
    rule_set = RULE_SETS[rules]
    chosen, problems = {}, []
    for key, standard in rule_set.standard.items():
        switch, text = rule_set.switches[key], typed.get(key, "")
        value, problem = (
            read_figure(switch, text, (key + NONE) in typed) if switch.is_figure else read_choice(switch, text)
        )
        if problem:
            problems.append((key, problem))
        elif not is_same(value, standard):
            chosen[key] = value
    return chosen, problems


def describe_difference(rules: str, key: str, value: Any, who: str = "your club plays") -> str:
    """Return a sentence such as "The BMJA plays a limit of 1,000; your club plays without a limit."."""
    source = RULE_SETS[rules]
    words, source_value = source.switches[key], source.standard[key]
    if is_same(value, source_value):
        return ""
    return f"{source.called} plays {words.plays(source_value)}; {who} {words.plays(value)}."


def describe_differences(rules: str, overrides: Mapping[str, Any], who: str = "your club plays") -> list[str]:
    """Return one sentence for each switch in which house rules differ from the standard rules."""
    return [
        describe_difference(rules, key, overrides[key], who) for key in RULE_SETS[rules].standard if key in overrides
    ]
