"""Baggaley's simplified game and Turner's simple scoring, checked against his sheet (April 2023): nobody pays."""

from clubscore.scoring import patterns as p
from clubscore.scoring.rules import Example, Rule, RuleSet, SpecialHand, kong_box_called

SHEET = "Stuart Baggaley's Rules, April 2023"
SUIT_NAMES = {"C": "Wans", "B": "Sticks", "D": "Cakes"}
WORDS = {
    "Mah-jong": "Mah-Jongg",
    "pung": "peng",
    "pungs": "pengs",
    "exposed": "open",
    "concealed": "closed",
    **kong_box_called("replacement tile"),
}
# A hand of several examples
MIXED = {"sets": ["exposed chow 1C", "exposed chow 4D", "exposed chow 7B", "exposed pung 5B", "pair G"]}

RULES = (
    # What every player's tiles count
    Rule("chow", "Chow", "set", p.a_set("chow"), "Each chow scores 2, also among the loose tiles of a hand that did not win.",
         SHEET + ", Scoring: Chow 2", (Example({"sets": ["exposed chow 4C"]}, 2), Example({"tiles": "4C 5C 6C 7C"}, 2)), points=2),
    Rule("pair_of_dragons", "Pair of dragons", "set", p.is_dragon_pair, "Each pair of dragons scores 2.",
         SHEET + ", Scoring: Pair of Dragons 2", (Example({"tiles": "R R"}, 2),), points=2),
    Rule("pair_of_own_wind", "Pair of own wind", "set", p.is_own_wind_pair,
         "A pair of your own wind scores 2; the wind of the round has no part in this game.", SHEET + ", Scoring: Pair of Own Wind 2",
         (Example({"tiles": "S S"}, 2), Example({"tiles": "E E"}, 0), Example({"tiles": "S S"}, 2, wind_of_round="S")), points=2),
    Rule("pung", "Peng", "set", p.a_set("pung"), "Each peng (pung) scores 4, of any tile, exposed or concealed.",
         SHEET + ", Scoring: Peng 4", (Example({"sets": ["exposed pung R"]}, 4), Example({"tiles": "5B 5B 5B 5B"}, 4)), points=4),
    Rule("kong_open", "Open kong", "set", p.a_set("kong", exposed=True), "Each open (exposed) kong scores 16.", SHEET + ", Scoring: Kong - Open 16",
         (Example({"sets": ["exposed kong 1D"]}, 16),), points=16),
    Rule("kong_closed", "Closed kong", "set", p.a_set("kong", exposed=False), "Each closed (concealed) kong scores 32.",
         SHEET + ", Scoring: Kong - Closed 32", (Example({"sets": ["concealed kong 5B"]}, 32),), points=32),
    Rule("bonus_tile", "Flower", "bonus tile", p.is_a_bonus_tile, "Each flower (or season) scores 4.", SHEET + ", Scoring: Flowers 4",
         (Example({"bonus": "F1 S3"}, 8),), points=4),
    Rule("bouquet_of_flowers", "Bouquet of flowers", "bonus", p.has_four_flowers, "All four flowers score 32 as well as their 4 each.",
         SHEET + ", Scoring: Bouquet 32", (Example({"bonus": "F1 F2 F3 F4"}, 48),), points=32),
    Rule("bouquet_of_seasons", "Bouquet of seasons", "bonus", p.has_four_seasons,
         "All four seasons score 32 as well as their 4 each; both series make two bouquets.", SHEET + ", Scoring: Bouquet 32",
         (Example({"bonus": "S1 S2 S3 S4"}, 48), Example({"bonus": "F1 F2 F3 F4 S1 S2 S3 S4"}, 96)), points=32),
    # Combinations, which every player has besides their parts
    Rule("mixed_dragon", "Mixed Dragon", "hand", p.mixed_dragons,
         "Chows 1-2-3, 4-5-6 and 7-8-9 of two or three suits score 16 as well as the chows; a fourth chow may make a second one.",
         SHEET + ", Special Combinations: Mixed Dragon, Multiple Dragons",
         (Example({"sets": ["exposed chow 1C", "exposed chow 4D", "exposed chow 7B"]}, 22),
          Example({"tiles": "1D 2D 3D 4C 5C 6C 7D 8D 9D"}, 22),
          Example({"sets": ["exposed chow 1C", "exposed chow 1B"], "tiles": "4D 5D 6D 7D 8D 9D"}, 56)), points=16),
    Rule("four_chows", "Four Chows", "hand", p.is_four_chows, "Four chows score 16 as well as the chows.", SHEET + ", Scoring: Four Chows 16",
         (Example({"sets": ["exposed chow 1C", "exposed chow 3D", "exposed chow 5B", "exposed chow 2C"]}, 24),), points=16),
    Rule("four_pungs", "Four Pengs", "hand", p.is_four_pungs_or_kongs,
         "Four pengs score 32 as well as the pengs; a kong counts as a peng for it.", SHEET + ", Scoring: Four Pengs 32",
         (Example({"sets": ["exposed pung 1C", "exposed pung 3D", "exposed kong 5B", "exposed pung W"]}, 60),), points=32),
    Rule("pure_dragon", "Pure Dragon", "hand", p.pure_dragons,
         "Chows 1-2-3, 4-5-6 and 7-8-9 of one suit score 32 as well as the chows; a fourth chow may make a second one.",
         SHEET + ", Special Combinations: Multiple Dragons; Scoring: Pure Dragon 32",
         (Example({"tiles": "1C 2C 3C 4C 5C 6C 7C 8C 9C"}, 38),
          Example({"tiles": "1C 1C 2C 2C 3C 3C 4C 5C 6C 7C 8C 9C"}, 88)), points=32),
    Rule("four_kongs", "Four Kongs", "hand", p.is_four_kongs, "Four kongs score 300 as well as the kongs, instead of Four Pengs.",
         SHEET + ", Scoring: Four Kongs 300",
         (Example({"sets": ["exposed kong 7D", "exposed kong 1C", "concealed kong 5B", "concealed kong 2B"]}, 396),), points=300,
         excludes=("four_pungs",)),
    # What the winner alone counts
    Rule("mah_jong", "Mah-jong from a discard", "hand", p.is_not_self_drawn, "Going Mah-jong with a discard scores 20.",
         SHEET + ", Scoring: Mah-Jongg 20",
         (Example(MIXED, 48, {"by": "S", "tile": "G", "from": "E"}),), points=20, to="winner"),
    Rule("self_drawn", "Self-drawn Mah-jong", "hand", p.is_self_drawn,
         "Going Mah-jong with a tile you drew scores 40, in place of the 20.", SHEET + ", Scoring: Self-Drawn Mah-Jongg 40",
         (Example(MIXED, 68, {"by": "S", "tile": "G", "from": "wall"}),), points=40, to="winner"),
    Rule("flower_replaced", "Mah-jong from a flower replacement", "hand", p.is_flower_replaced,
         "Going Mah-jong with the tile that replaced a flower scores 10 more.", SHEET + ", Scoring: Mah-Jongg from Flower replacement, extra 10",
         (Example({**MIXED, "bonus": "F1"}, 82,
                  {"by": "S", "tile": "G", "from": "kong box", "replacement_for": "flower"}),), points=10, to="winner", asks=("loose_tile", "flower_replaced")),
    Rule("kong_replaced", "Mah-jong from a kong replacement", "hand", p.is_kong_replaced,
         "Going Mah-jong with the tile that replaced a kong's scores 20 more.", SHEET + ", Scoring: Mah-Jongg from Kong replacement, extra 20",
         (Example({"sets": ["concealed kong 7D", "concealed chow 1C", "concealed chow 5B", "concealed pung 2B", "pair 9C"]}, 100,
                  {"by": "S", "tile": "9C", "from": "kong box"}),), points=20, to="winner", asks=("loose_tile", "flower_replaced")),
    Rule("lesser_heavenly_blessing", "Lesser Heavenly Blessing", "hand", p.is_first_round_of_another,
         "South, West or North going Mah-jong before everyone's second turn score 500 more.",
         SHEET + ", Special Combinations: Lesser Heavenly Blessing",
         (Example({"tiles": "1C 2C 3C 4D 5D 6D 7B 8B 9B 5B 5B 5B G G"}, 548,
                  {"by": "S", "tile": "G", "from": "E", "first_round": True}),), points=500, to="winner", asks=("first_round",)),
    Rule("heavenly_blessing", "Heavenly Blessing", "hand", p.is_dealt_and_east, "East dealt a Mah-jong scores 1000 more.",
         SHEET + ", Special Combinations: Heavenly Blessing",
         (Example({"tiles": "1C 2C 3C 2B 3B 4B 7D 8D 9D 5C 5C 5C R R"}, 1052,
                  {"by": "E", "tile": "R", "from": "wall", "dealt": True}, seat="E"),), points=1000, to="winner", asks=("dealt",)),
)  # fmt: skip

SPECIAL_HANDS = (
    SpecialHand("orphan", "Orphan", "tiles", p.is_orphan,
        "Fourteen different tiles, those of one suit with at least two numbers between them, all drawn but the last, score {40} more.",
        SHEET + ", Special Combinations: Orphan Examples; Scoring: Orphan 40",
        (Example({"tiles": "N S E W R 1C 4C 7C 2D 5D 9D 3B 6B 9B"}, 60, {"by": "S", "tile": "6B", "from": "W"}),
         Example({"tiles": "N S W E P G 2C 5C 8C 1D 4D 2B 5B 8B"}, 80, {"by": "S", "tile": "G", "from": "wall"})),
        value=None, points=40),
    SpecialHand("seven_pairs", "Seven Pairs", "tiles", p.is_seven_pairs,
        "Seven pairs, all drawn but the last tile, score {60} as well as pairs of dragons and of your own wind; four equal tiles are two pairs.",
        SHEET + ", 7 Pairs; Scoring: Seven Pairs 60",
        (Example({"tiles": "R R S S 2C 2C 5C 5C 9B 9B 4D 4D 8D 8D"}, 104, {"by": "S", "tile": "4D", "from": "wall"}),
         Example({"tiles": "R R R R 2C 2C 5C 5C 9B 9B 4D 4D 8D 8D"}, 84, {"by": "S", "tile": "4D", "from": "E"})),
        value=None, points=60),
)  # fmt: skip

RULE_SET = RuleSet(
    key="baggaley",
    name="Baggaley's simplified game",
    edition=2,
    source="Stuart Baggaley's Modified and Simplified Version, April 2023",
    sentence="Points are only added, nobody pays, two may win on one discard.",
    called="Baggaley’s sheet",
    house_rules={
        "recording": "straight",
        "losers_score": True,
        "east_stays_on_win": False,
        "goulash": False,
        "starting_balance": 0,
        "false_mahjong_fine": None,
    },
    rules=RULES,
    special_hands=SPECIAL_HANDS,
    settling="differences",
    two_may_win=True,
    doubling="points",
    loser_chows=True,
    has_round_wind=False,
    suit_names=SUIT_NAMES,
    words=WORDS,
)

# Simple scoring: 20 or 40 for the winner and nothing else

TURNER_SHEET = SHEET + ", Simple Scoring (Used at Turner)"

TURNER_RULES = (
    Rule("mah_jong", "Mah-jong from a discard", "hand", p.is_not_self_drawn, "Going Mah-jong with a discard scores 20, and nothing else scores.",
         TURNER_SHEET + ": Add 20 points for a Mah-Jongg called from a discard",
         (Example({}, 20, {"by": "S", "from": "E"}),
          Example({"sets": ["concealed kong R", "exposed chow 4D", "exposed chow 7B", "exposed pung 5B", "pair G"], "bonus": "F1"}, 20,
                  {"by": "S", "tile": "G", "from": "E"}),
          Example({"sets": ["concealed kong R"]}, 0)), points=20, to="winner"),
    Rule("self_drawn", "Self-drawn Mah-jong", "hand", p.is_self_drawn, "Going Mah-jong with a tile you drew scores 40, and nothing else scores.",
         TURNER_SHEET + ": add 40 points when the tile is self-drawn",
         (Example({}, 40, {"by": "S", "from": "wall"}), Example({}, 40, {"by": "S", "from": "kong box"})), points=40, to="winner"),
)  # fmt: skip

TURNER = RuleSet(
    key="turner",
    name="Turner simple scoring",
    edition=2,
    source="Stuart Baggaley's Modified and Simplified Version, April 2023, Simple Scoring (Used at Turner)",
    sentence="20 for a Mah-jong from a discard, 40 self-drawn, nothing else.",
    called="Turner’s sheet",
    house_rules={
        "recording": "straight",
        "east_stays_on_win": False,
        "goulash": False,
        "starting_balance": 0,
        "false_mahjong_fine": None,
    },
    rules=TURNER_RULES,
    special_hands=(),
    settling="differences",
    two_may_win=True,
    doubling="points",
    winner_alone_scores=True,
    other_mahjongs=(p.is_seven_pairs, p.is_orphan),
    winner_needs_tiles=False,
    dealt_is_for_east=False,
    has_round_wind=False,
    suit_names=SUIT_NAMES,
    words=WORDS,
)
