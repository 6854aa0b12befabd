"""Turner's simple scoring, from the same sheet as Baggaley's game: 20 or 40 for the winner and nothing else."""

from clubscore.scoring import patterns as p
from clubscore.scoring.rules import Example, Rule, RuleSet
from clubscore.scoring.rulesets.baggaley import SHEET, SUIT_NAMES, WORDS

SIMPLE = SHEET + ", Simple Scoring (Used at Turner)"

RULES = (
    Rule("mah_jong", "Mah-jong from a discard", "hand", p.is_not_self_drawn, "Going Mah-jong with a discard scores 20, and nothing else scores.",
         SIMPLE + ": Add 20 points for a Mah-Jongg called from a discard",
         (Example({}, 20, {"by": "S", "from": "E"}),
          Example({"sets": ["concealed kong R", "exposed chow 4D", "exposed chow 7B", "exposed pung 5B", "pair G"], "bonus": "F1"}, 20,
                  {"by": "S", "tile": "G", "from": "E"}),
          Example({"sets": ["concealed kong R"]}, 0)), points=20, to="winner"),
    Rule("self_drawn", "Self-drawn Mah-jong", "hand", p.is_self_drawn, "Going Mah-jong with a tile you drew scores 40, and nothing else scores.",
         SIMPLE + ": add 40 points when the tile is self-drawn",
         (Example({}, 40, {"by": "S", "from": "wall"}), Example({}, 40, {"by": "S", "from": "kong box"})), points=40, to="winner"),
)  # fmt: skip

RULE_SET = RuleSet(
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
    rules=RULES,
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
