"""Whole tables for property tests: a Mah-jong and the other hands, dealt from one set of tiles."""

import random

from hypothesis import strategies as st

from clubscore.scoring import RULE_SETS
from clubscore.scoring.switches import SWITCHES

SUIT_CODES = [f"{number}{suit}" for suit in "CBD" for number in range(1, 10)]
CODES = [*SUIT_CODES, *"ESWNRGP"]
BONUS = ["F1", "F2", "F3", "F4", "S1", "S2", "S3", "S4"]
FIGURES = {
    "limit": (None, 100, 300, 1000), "starting_balance": (0,), "minimum_points": (0,), "east_max": (None,),
    "special_value": (0, 300, 600), "misnamed_fine": (10, 50), "false_mahjong_fine": (None, 100),
    "false_hu_fine": (5, 20), "shown_tiles_fine": (10,),
}  # fmt: skip


class Box:
    """The tiles that are left."""

    def __init__(self, rng):
        self.rng = rng
        self.left = dict.fromkeys(CODES, 4)

    def take(self, *codes):
        """Take these tiles, or none of them where one is missing."""
        if any(self.left[code] < codes.count(code) for code in codes):
            return []
        for code in codes:
            self.left[code] -= 1
        return list(codes)

    def some(self, number):
        """Take so many tiles at random."""
        pile = [code for code, count in self.left.items() for _ in range(count)]
        return [code for code in self.rng.sample(pile, number) if self.take(code)]

    def a_set(self, kinds):
        """Take a set of one of these kinds: kind, its tile, its tiles."""
        while True:
            kind = self.rng.choice(kinds)
            if kind == "chow":
                suit, low = self.rng.choice("CBD"), self.rng.randint(1, 7)
                codes = [f"{low + step}{suit}" for step in range(3)]
            else:
                codes = [self.rng.choice(CODES)] * {"pair": 2, "pung": 3, "kong": 4}[kind]
            if self.take(*codes):
                return kind, codes[0], codes


def house_rules_of(rng, key):
    """Change some of the switches of a rule set."""
    changed = {}
    for switch in RULE_SETS[key].house_rules:
        if rng.random() < 0.3:
            row = SWITCHES[switch]
            choices = FIGURES.get(switch) or row.allowed or range(row.least, row.most + 1)
            changed[switch] = rng.choice(list(choices))
    if "minimum_points" in RULE_SETS[key].house_rules:
        changed["minimum_points"] = 0
    return changed


def winning_hand(rng, box, seat, seats, max_chows):
    """Make a Mah-jong of four sets and a pair, and say how it was made."""
    sets, tiles, finished, drawn = [], [], [], []
    for at in range(5):
        if at == 4:
            kinds = ["pair"]
        else:
            chows = sum(one.split()[-2] == "chow" for one in sets)
            kinds = ["pung", "kong"] + ["chow"] * (2 if chows < max_chows else 0)
        kind, tile, codes = box.a_set(kinds)
        is_loose = kind == "pair" or (kind == "pung" and rng.random() < 0.5)
        if is_loose:
            tiles += codes
            finished += codes
            drawn += codes
            continue
        word = rng.choice(["exposed", "concealed"])
        sets.append(f"{word} {kind} {tile}")
        if kind != "kong":
            finished += codes
            drawn += codes if word == "concealed" else []
    box_is_open = ["kong box"] if any(" kong " in one for one in sets) else []
    source = rng.choice([wind for wind in seats if wind != seat] + ["wall", "wall", *box_is_open])
    mahjong = {"by": seat, "tile": rng.choice(finished if source in seats else drawn), "from": source}
    if source != "kong box":
        mahjong["last_tile"] = rng.random() < 0.2
    rng.shuffle(tiles)
    return {"sets": sets, "tiles": " ".join(tiles)}, mahjong


def losing_hand(rng, box, most_loose):
    """Make a hand of at most thirteen tiles that did not win."""
    sets = []
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
        kind, tile, _ = box.a_set(["pung", "kong", "chow"])
        sets.append(f"{rng.choice(['exposed', 'concealed'])} {kind} {tile}")
    room = min(13 - 3 * len(sets), most_loose)
    tiles = box.some(rng.randint(0, room))
    if rng.random() < 0.3 and room >= 9:
        tiles = neighbours(rng, box, tiles, room)
    return {"sets": sets, "tiles": " ".join(tiles)}


def neighbours(rng, box, tiles, room):
    """Put the tiles back and take as many of one suit."""
    for code in tiles:
        box.left[code] += 1
    suit = rng.choice("CBD")
    pile = [code for code in SUIT_CODES if code[1] == suit for _ in range(box.left[code])]
    return [code for code in rng.sample(pile, min(room, len(pile))) if box.take(code)]


@st.composite
def tables(draw, key, most_loose=13):
    """Give a hand played in the score format which some player won."""
    rng = random.Random(draw(st.integers(0, 2**40)))
    house = house_rules_of(rng, key)
    house.pop("clean_only", None)
    return table(rng, key, house, most_loose)


def table(rng, key, house, most_loose=13):
    """Make a hand played under a rule set with these switches changed, won by some player."""
    rule_set, box = RULE_SETS[key], Box(rng)
    sizes = [size for size in (3, 4) if size in rule_set.players]
    seats = ["E", *sorted(rng.sample("SWN", rng.choice(sizes) - 1))]
    winner = rng.choice(seats)
    most_chows = {**rule_set.house_rules, **house}.get("max_chows", 4)
    hand, mahjong = winning_hand(rng, box, winner, seats, 4 if most_chows is None else most_chows)
    hands = {winner: hand}
    for seat in seats:
        if seat != winner:
            hands[seat] = losing_hand(rng, box, most_loose)
    for code in rng.sample(BONUS, rng.choice([0, 1, 3, 6])):
        owner = hands[rng.choice(seats)]
        owner["bonus"] = f"{owner.get('bonus', '')} {code}".strip()
    return {"rules": key, "house_rules": house, "wind_of_round": rng.choice("ESWN"), "hands": hands, "mahjong": mahjong}
