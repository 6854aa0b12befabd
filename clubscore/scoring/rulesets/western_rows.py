"""Rows of both Western (h2g2) and the beginners' sheet, without a source: each set names where its own prints them."""

from clubscore.scoring import patterns as p
from clubscore.scoring.rules import Example, Rule

# fmt: off

# What every player's sets count
CHOW = Rule("chow", "Chow", "set", p.a_kind("chow"), "A chow scores nothing by itself.", "",
     (Example({"sets": ["exposed chow 4C"]}, 0),), points=0)
PUNG_MINOR_EXPOSED = Rule("pung_minor_exposed", "Exposed pung of 2 to 8", "set", p.a_set("pung", False, True),
     "An exposed pung of a suit tile from 2 to 8 scores 2.", "",
     (Example({"sets": ["exposed pung 5B"]}, 2),), points=2)
PUNG_MAJOR_EXPOSED = Rule("pung_major_exposed", "Exposed pung of 1, 9, winds or dragons", "set", p.a_set("pung", True, True),
     "An exposed pung of a 1, a 9, a wind or a dragon scores 4.", "",
     (Example({"sets": ["exposed pung 9C"]}, 4),), points=4)
PUNG_MAJOR_CONCEALED = Rule("pung_major_concealed", "Concealed pung of 1, 9, winds or dragons", "set", p.a_set("pung", True, False),
     "A concealed pung of a 1, a 9, a wind or a dragon scores 8.", "",
     (Example({"sets": ["concealed pung N"]}, 8, winner="W"),), points=8)
KONG_MINOR_EXPOSED = Rule("kong_minor_exposed", "Exposed kong of 2 to 8", "set", p.a_set("kong", False, True),
     "An exposed kong of a suit tile from 2 to 8 scores 8.", "",
     (Example({"sets": ["exposed kong 2D"]}, 8),), points=8)
KONG_MINOR_CONCEALED = Rule("kong_minor_concealed", "Concealed kong of 2 to 8", "set", p.a_set("kong", False, False),
     "A concealed kong of a suit tile from 2 to 8 scores 16.", "",
     (Example({"sets": ["concealed kong 5B"]}, 16),), points=16)
KONG_MAJOR_EXPOSED = Rule("kong_major_exposed", "Exposed kong of 1, 9, winds or dragons", "set", p.a_set("kong", True, True),
     "An exposed kong of a 1, a 9, a wind or a dragon scores 16.", "",
     (Example({"sets": ["exposed kong 1D"]}, 16),), points=16)
KONG_MAJOR_CONCEALED = Rule("kong_major_concealed", "Concealed kong of 1, 9, winds or dragons", "set", p.a_set("kong", True, False),
     "A concealed kong of a 1, a 9, a wind or a dragon scores 32.", "",
     (Example({"sets": ["concealed kong 9B"]}, 32),), points=32)
PAIR_OF_OWN_WIND = Rule("pair_of_own_wind", "Pair of own wind", "set", p.is_own_wind_pair, "A pair of your own wind scores 2.", "",
     (Example({"sets": ["pair S"]}, 2),), points=2, because="own wind")
PAIR_OF_ROUND_WIND = Rule("pair_of_round_wind", "Pair of the wind of the round", "set", p.is_round_wind_pair,
     "A pair of the wind of the round scores 2, also when it is your own wind, which scores 2 more.", "",
     (Example({"tiles": "E E"}, 2), Example({"tiles": "S S"}, 4, wind_of_round="S")),
     points=2, because="wind of the round", when=(("double_wind_pair", (4,)),))
PAIR_OF_ROUND_WIND_ONCE = Rule("pair_of_round_wind_once", "Pair of the wind of the round", "set", p.is_round_wind_pair_not_own,
     "A pair of the wind of the round scores 2; one that is your own wind as well still scores 2 in all.", "",
     (Example({"tiles": "E E"}, 2, house_rules={"double_wind_pair": 2}),
      Example({"tiles": "S S"}, 2, wind_of_round="S", house_rules={"double_wind_pair": 2})),
     points=2, because="wind of the round", when=(("double_wind_pair", (2,)),))

# What the winner alone counts
MAH_JONG = Rule("mah_jong", "Going Mah-jong", "hand", p.is_mahjong, "Going Mah-jong scores 20.", "",
     (Example({"sets": ["exposed pung 3B", "exposed chow 6C", "exposed pung 8D"], "tiles": "2C 3C 4C 7D 7D"}, 24,
              {"by": "S", "tile": "4C", "from": "E"}),), points=20, to="winner")
DRAWN_FROM_WALL = Rule("drawn_from_wall", "Winning tile from the wall", "hand", p.is_from_wall,
     "Drawing the winning tile from the wall scores 2.", "",
     (Example({"sets": ["exposed pung 3B", "exposed chow 6C", "exposed pung 8D"], "tiles": "2C 3C 4C 7D 7D"}, 26,
              {"by": "S", "tile": "4C", "from": "wall"}),), points=2, to="winner")
DRAWN_FROM_KONG_BOX = Rule("drawn_from_kong_box", "Winning loose tile", "hand", p.is_loose_tile,
     "A winning loose tile was also drawn, so it scores the 2 for drawing too.", "",
     (Example({"sets": ["exposed pung 3B", "exposed chow 6C", "exposed kong 8D"], "tiles": "2C 3C 4C 7D 7D"}, 42,
              {"by": "S", "tile": "4C", "from": "kong box"}),),
     points=2, to="winner", when=(("two_points_on_loose_tile", (True,)),))
ONLY_PIECE = Rule("only_piece", "Only possible piece", "hand", p.is_only_piece,
     "Winning with the only kind of tile that could finish your hand scores 2.", "",
     (Example({"sets": ["exposed pung 3B", "exposed chow 6C", "exposed pung 8D"], "tiles": "2C 3C 4C 7D 7D"}, 26,
              {"by": "S", "tile": "3C", "from": "E"}),), points=2, to="winner")
NO_CHOWS = Rule("no_chows", "No chows", "hand", p.has_no_chow_though_allowed,
     "A Mah-jong without chows scores 10, where chows were allowed (so not in a goulash).", "",
     (Example({"sets": ["exposed pung 3B", "exposed pung 6C", "exposed pung 8D"], "tiles": "2C 2C 2C 7D 7D"}, 38,
              {"by": "S", "tile": "2C", "from": "E"}),
      Example({"sets": ["exposed pung 3B", "exposed pung 6C", "exposed pung 8D"], "tiles": "2C 2C 2C 7D 7D"}, 28,
              {"by": "S", "tile": "2C", "from": "E"}, goulash=True)),
     points=10, to="winner", when=(("max_chows", (1, 2, 3, 4)),))
NO_VALUE = Rule("no_value", "No scoring value", "hand", p.has_no_value,
     "A Mah-jong without points from sets, pair, flowers or seasons scores 10; the other points for winning do not spoil it.", "",
     (Example({"sets": ["exposed chow 3B", "exposed chow 6C", "exposed chow 6D"], "tiles": "2C 3C 4C 7D 7D"}, 30,
              {"by": "S", "tile": "4C", "from": "E"}),
      Example({"sets": ["exposed chow 3B", "exposed chow 6C", "exposed chow 6D"], "tiles": "2C 3C 4C 7D 7D", "bonus": "F1"}, 24,
              {"by": "S", "tile": "4C", "from": "E"})), points=10, to="winner")
LAST_TILE = Rule("last_tile", "Last piece of the wall", "hand", p.is_last_of_wall,
     "Winning with the last piece drawn from the wall scores 10. A final discard scores nothing.", "",
     (Example({"sets": ["exposed pung 3B", "exposed chow 6C", "exposed pung 8D"], "tiles": "2C 3C 4C 7D 7D"}, 36,
              {"by": "S", "tile": "4C", "from": "wall", "last_tile": True}),
      Example({"sets": ["exposed pung 3B", "exposed chow 6C", "exposed pung 8D"], "tiles": "2C 3C 4C 7D 7D"}, 24,
              {"by": "S", "tile": "4C", "from": "E", "last_tile": True})), points=10, to="winner")
LOOSE_TILE = Rule("loose_tile", "Loose tile", "hand", p.is_loose_tile,
     "Winning with a loose tile, for a kong or a flower, scores 10.", "",
     (Example({"sets": ["exposed pung 3B", "exposed chow 6C", "exposed pung 8D"], "tiles": "2C 3C 4C 7D 7D", "bonus": "F1"}, 40,
              {"by": "S", "tile": "4C", "from": "kong box", "replacement_for": "flower"}),), points=10, to="winner")

# Doubles
DRAGON_SET = Rule("dragon_set", "Pung of dragons", "set", p.is_dragon_set, "Each pung or kong of dragons doubles once.", "",
     (Example({"sets": ["exposed pung R"]}, 8),), doubles=1)
OWN_WIND_SET = Rule("own_wind_set", "Pung of own wind", "set", p.is_own_wind_set, "A pung or kong of your own wind doubles once.", "",
     (Example({"sets": ["exposed pung S"]}, 8),), doubles=1)
ROUND_WIND_SET = Rule("round_wind_set", "Pung of the wind of the round", "set", p.is_round_wind_set,
     "A pung or kong of the wind of the round doubles once; when it is your own wind too, twice in all.", "",
     (Example({"sets": ["exposed pung E"]}, 8), Example({"sets": ["exposed pung S"]}, 16, wind_of_round="S")), doubles=1)
OWN_FLOWER = Rule("own_flower", "Own flower", "bonus tile", p.is_own_flower,
     "Your own flower doubles once: East 1, South 2, West 3, North 4.", "",
     (Example({"bonus": "F2"}, 8),), doubles=1)
OWN_SEASON = Rule("own_season", "Own season", "bonus tile", p.is_own_season,
     "Your own season doubles once, as well as your own flower: East 1, South 2, West 3, North 4.", "",
     (Example({"bonus": "S2"}, 8), Example({"bonus": "F2 S2"}, 32)), doubles=1)
ONE_SUIT_AND_HONOURS = Rule("one_suit_and_honours", "One suit and honours", "hand", p.has_one_suit_and_honours,
     "A Mah-jong of one suit with winds or dragons doubles once.", "",
     (Example({"sets": ["exposed pung N", "exposed chow 6C", "exposed pung 8C"], "tiles": "2C 3C 4C 7C 7C"}, 52,
              {"by": "S", "tile": "4C", "from": "E"}),), doubles=1, to="winner")
# fmt: on
