"""What the pages of Chinese Official print: the 81 fans, and the examples' captions with hands that show them."""

# number | name | points | the numbers of those it does not combine with
_FANS = """
1|Pure Double Chow|1|
2|Mixed Double Chow|1|
3|Short Straight|1|
4|Two Terminal Chows|1|
5|Pung of Terminals or Honors|1|
6|Melded Kong|1|
7|One Voided Suit|1|
8|No Honors|1|
9|Edge Wait|1|10 11
10|Closed Wait|1|9 11
11|Single Wait|1|9 10
12|Self-Drawn|1|
13|Flower Tiles|1|
14|Dragon Pung|2|
15|Prevalent Wind|2|
16|Seat Wind|2|
17|Concealed Hand|2|
18|All Chows|2|8
19|Tile Hog|2|
20|Double Pung|2|
21|Two Concealed Pungs|2|
22|Concealed Kong|2|
23|All Simples|2|8
24|Outside Hand|4|
25|Fully Concealed Hand|4|12
26|Two Melded Kongs|4|6
27|Last Tile|4|
28|All Pungs|6|
29|Half Flush|6|7
30|Mixed Shifted Chows|6|
31|All Types|6|
32|Melded Hand|6|11
33|Two Concealed Kongs|6|21 22
34|Two Dragons|6|14
35|Mixed Straight|8|
36|Reversible Tiles|8|7
37|Mixed Triple Chow|8|2
38|Mixed Shifted Pungs|8|
39|Chicken Hand|8|
40|Last Tile Draw|8|12
41|Last Tile Claim|8|
42|Out with Replacement Tile|8|12
43|Robbing the Kong|8|27
44|Lesser Honors and Knitted Tiles|12|11 17 25 31
45|Knitted Straight|12|
46|Upper Four|12|8
47|Lower Four|12|8
48|Big Three Winds|12|
49|Pure Straight|16|3 4
50|Three-Suited Terminal Chows|16|2 4 8 18
51|Pure Shifted Chows|16|
52|All Fives|16|8 23
53|Triple Pung|16|20
54|Three Concealed Pungs|16|21
55|Seven Pairs|24|11 17 25 31
56|Greater Honors and Knitted Tiles|24|11 17 25 31 44
57|All Even|24|8 23 28
58|Full Flush|24|7 8
59|Pure Triple Chow|24|1 60
60|Pure Shifted Pungs|24|59
61|Upper Tiles|24|8 46
62|Middle Tiles|24|8 23
63|Lower Tiles|24|8 47
64|Four Shifted Chows|32|3 4 51
65|Three Kongs|32|6 22 26 33
66|All Terminals and Honors|32|5 24 28
67|Quadruple Chow|48|1 19 59 60
68|Four Pure Shifted Pungs|48|28 59 60
69|All Terminals|64|5 8 20 24 28 66
70|Little Four Winds|64|5 48
71|Little Three Dragons|64|14 34
72|All Honors|64|5 24 28 66
73|Four Concealed Pungs|64|17 21 25 28 54
74|Pure Terminal Chows|64|1 4 7 8 18 55 58
75|Big Four Winds|88|5 15 16 28 48
76|Big Three Dragons|88|14 34
77|All Green|88|7 29
78|Nine Gates|88|5 7 8 17 25 58
79|Four Kongs|88|6 11 22 26 28 33 65
80|Shifted Seven Pairs|88|7 8 11 17 25 55 58
81|Thirteen Orphans|88|11 17 25 31 66
"""

# The pages have lost the pictures of their examples; these hands are such as the captions tell of. Example 6 has two
# fans of which one counts, and a caption does not tell what a hand of this kind cannot help having. Where it names no
# Last Tile, the exposed sets do not show the winning tile to be the last of its kind.
# number | sets | loose tiles | winning tile, claimed from East by South in the East round
#     the fans that count, with a number where more than once
_PRINTED = """
1 | exposed pung 1C, exposed chow 1C, exposed pung 1B | 1D 2D 3D 1D 1D | 1D
    Outside Hand; Lower Tiles; Tile Hog; Double Pung; Pung of Terminals or Honors 2; Mixed Double Chow
2 | exposed chow 1C, exposed chow 7C, exposed chow 1B | 9B 9B 9B W W | 9B
    Outside Hand; Mixed Double Chow; Two Terminal Chows; Pung of Terminals or Honors; One Voided Suit
3 | exposed chow 1C, exposed chow 2B, exposed chow 4C | 3D 4D 5D 9D 9D | 3D
    Mixed Shifted Chows; All Chows; Short Straight
4 | exposed chow 2C, exposed chow 3B, exposed pung R | 4D 5D 6D E E | 6D
    All Types; Mixed Shifted Chows; Dragon Pung
5 | exposed chow 1C, exposed chow 4B, exposed chow 7D | 1C 2C 3C 5D 5D | 1C
    Mixed Straight; Pure Double Chow; All Chows
6 | exposed chow 1C, exposed chow 4B, exposed chow 7D | 4C 5C 6C 5D 5D | 4C
    Mixed Straight; All Chows; Mixed Double Chow
7 | exposed chow 1D, exposed chow 2D, exposed chow 3D | 8D 8D 8D 9D 9D | 8D
    Reversible Tiles; Full Flush; Pure Shifted Chows
8 | exposed pung P, exposed pung 9B, exposed pung 9D | 2B 2B 2B 4B 4B | 2B
    Reversible Tiles; All Pungs; Dragon Pung; Double Pung; Pung of Terminals or Honors 2
9 | exposed chow 4C, exposed chow 4B, exposed chow 6C | 4D 5D 6D 6C 6C | 4D
    Mixed Triple Chow; All Chows; Tile Hog; All Simples
10 | exposed chow 6C, exposed chow 6B, exposed chow 6C | 6D 7D 8D 9B 9B | 6D
    Mixed Triple Chow; Upper Four; Pure Double Chow; All Chows
11 | exposed pung 2C, exposed pung 3B, exposed pung 4D | 2B 2B 2B 4C 4C | 2B
    Mixed Shifted Pungs; Lower Four; All Pungs; Double Pung; All Simples
12 | exposed pung 7C, exposed pung 8B, exposed pung 9D | 7B 8B 9B 8C 8C | 9B
    Mixed Shifted Pungs; Upper Tiles; Tile Hog; Pung of Terminals or Honors
13 | exposed chow 1C, exposed pung 5B, exposed chow 5C | 6D 7D 8D P P | 6D
    Chicken Hand
15 |  | 1C 4C 7C 2B 5B 8B 3D 6D 9D 4D 5D 6D 2B 2B | 4D
    Knitted Straight; All Chows; Concealed Hand
16 | exposed pung W | 1C 4C 7C 2B 5B 8B 3D 6D 9D R R | 4C
    Knitted Straight; All Types; Pung of Terminals or Honors
17 | exposed chow 6C, exposed pung 7C, exposed chow 7D | 7B 8B 9B 6B 6B | 9B
    Upper Four; Tile Hog; Mixed Double Chow
20 | exposed pung W, exposed pung N, exposed pung E | 1C 1C 1C 9B 9B | 1C
    Big Three Winds; All Terminals and Honors; One Voided Suit; Prevalent Wind
21 | exposed pung W, exposed pung N, exposed pung E | 2C 3C 4C 6C 6C | 2C
    Big Three Winds; Half Flush; Prevalent Wind
22 | exposed chow 1C, exposed chow 4C, exposed chow 7C | 1C 2C 3C 5C 5C | 1C
    Pure Straight; Full Flush; Pure Double Chow; All Chows
23 | exposed chow 1C, exposed chow 4C, exposed chow 7C | 6B 6B 6B 3B 3B | 6B
    Pure Straight; No Honors; One Voided Suit
24 | exposed chow 1C, exposed chow 7C, exposed chow 1B | 7B 8B 9B 5D 5D | 9B
    Three-Suited Terminal Chows
25 | exposed chow 2C, exposed chow 3C, exposed chow 4C | 3B 4B 5B 9B 9B | 3B
    Pure Shifted Chows; All Chows; Mixed Double Chow; One Voided Suit
26 | exposed chow 1C, exposed chow 3C, exposed chow 5C | 2B 2B 2B 8D 8D | 2B
    Pure Shifted Chows; No Honors
27 | exposed chow 4C, exposed chow 4B, exposed chow 4C | 4D 5D 6D 5C 5C | 4D
    All Fives; Middle Tiles; Mixed Triple Chow; Tile Hog; Pure Double Chow; All Chows
28 | exposed pung 5C, exposed pung 5B, exposed chow 5C | 3D 4D 5D 5D 5D | 3D
    All Fives; Tile Hog; Double Pung
29 | exposed pung 3C, exposed pung 3B, exposed pung 3D | 2C 3C 4C 2B 2B | 2C
    Triple Pung; Lower Four; Tile Hog; All Simples
30 | exposed pung R | 1C 1C 1C 9B 9B 9B W W W 9D 9D | 9D
    Three Concealed Pungs; All Terminals and Honors; All Types; Dragon Pung; Single Wait
31 |  | 2C 2C 2C 4C 4C 4C 6C 6C 6C 7C 8C 9C 1C 1C | 1C
    Three Concealed Pungs; Full Flush; Concealed Hand
32 |  | 2C 2C 2C 2C 4C 4C 6B 6B 7B 7B 8B 8B 3C 3C | 8B
    Seven Pairs; Tile Hog; All Simples; One Voided Suit
33 |  | 1C 1C 1C 1C 9C 9C 1B 1B 9B 9B 1D 1D 9D 9D | 9D
    Seven Pairs; Tile Hog; All Terminals
34 |  | 1C 4C 7C 2B 5B 8B 3D E S W N R G P | P
    Greater Honors and Knitted Tiles
35 | exposed pung 2C, exposed pung 2B, exposed pung 4C | 4B 4B 4B 8C 8C | 4B
    All Even; Double Pung 2; One Voided Suit
36 | exposed pung 1C, exposed pung 2C, exposed pung 3C | 4C 4C 4C 6C 6C | 4C
    Full Flush; Four Pure Shifted Pungs; Pung of Terminals or Honors
37 | exposed chow 2C, exposed chow 2C | 2C 3C 4C 2C 3C 4C 1C 1C | 2C
    Full Flush; Quadruple Chow; Lower Four; All Chows
38 | exposed chow 4C, exposed chow 4C, exposed chow 4C | 4B 5B 6B 5B 5B | 4B
    Pure Triple Chow; Middle Tiles; All Fives; All Chows; Mixed Double Chow; One Voided Suit
39 | exposed pung 2C, exposed pung 3C, exposed pung 4C | 2B 2B 2B 3B 3B | 2B
    Pure Shifted Pungs; Lower Four; All Pungs; All Simples; Double Pung; One Voided Suit
40 | exposed pung 7B, exposed pung 8C, exposed pung 9C | 7D 7D 7D 8B 8B | 7D
    Upper Tiles; Double Pung; All Pungs; Pung of Terminals or Honors
41 | exposed pung 7C, exposed pung 7B, exposed chow 7C | 7D 8D 9D 8B 8B | 9D
    Upper Tiles; Mixed Double Chow; Double Pung; Tile Hog
42 | exposed pung 5C, exposed pung 6C | 4C 4C 4C 4C 5C 6C 5B 5B | 4C
    Middle Tiles; Pure Shifted Pungs; Tile Hog 3; One Voided Suit
43 | exposed chow 1C, exposed chow 1B, exposed chow 1C | 1D 2D 3D 2C 2C | 1D
    Lower Tiles; Mixed Triple Chow; All Chows; Tile Hog; Pure Double Chow
44 | exposed chow 1C, exposed chow 3C, exposed chow 5C | 7C 8C 9C 2C 2C | 9C
    Four Shifted Chows; Full Flush; All Chows
45 | exposed chow 2C, exposed chow 3C, exposed chow 4C | 5C 6C 7C 9B 9B | 5C
    Four Shifted Chows; All Chows; One Voided Suit
47 | exposed kong 1C, concealed kong 1D, exposed pung R | 9B 9B 9B E E | 9B
    All Terminals and Honors; All Types; Double Pung; Dragon Pung; Concealed Kong; Melded Kong
48 | exposed chow 1C, exposed chow 1C | 1C 2C 3C 1C 2C 3C 4C 4C | 1C
    Quadruple Chow; Full Flush; Lower Four; All Chows
51 | exposed pung W, exposed pung N, exposed pung E | 7C 8C 9C S S | 9C
    Little Four Winds; Outside Hand; Half Flush; Prevalent Wind
52 | exposed pung R, exposed pung G, exposed pung 9C | 1C 1C 1C P P | 1C
    Little Three Dragons; All Terminals and Honors; Half Flush
53 | exposed pung R, exposed pung G, exposed pung 9C | 1B 2B 3B P P | 1B
    Little Three Dragons; Outside Hand; One Voided Suit; Pung of Terminals or Honors
54 | exposed pung R, exposed pung G, exposed pung W | N N N E E | N
    All Honors; Two Dragons
55 |  | 2C 2C 2C 3B 3B 3B 4D 4D 4D 3D 3D 3D 2B 2B | 2B
    Four Concealed Pungs; Mixed Shifted Pungs; Lower Four; Double Pung; All Simples
56 | exposed chow 1C, exposed chow 7C, exposed chow 1C | 7C 8C 9C 5C 5C | 9C
    Pure Terminal Chows
57 | exposed pung E, exposed pung S, exposed pung W | N N N P P | N
    Big Four Winds; All Honors
58 | exposed pung E, exposed pung S, exposed pung W | N N N 1C 1C | N
    Big Four Winds; All Terminals and Honors; Half Flush
59 | exposed pung R, exposed pung G, exposed pung P | 1C 1C 1C 9B 9B | 1C
    Big Three Dragons; All Terminals and Honors; One Voided Suit
60 | exposed pung R, exposed pung G, exposed pung P | 3C 4C 5C 7C 7C | 3C
    Big Three Dragons; Half Flush
61 | exposed chow 2B, exposed chow 2B, exposed pung 8B | 6B 6B 6B G G | 6B
    All Green; Pure Double Chow
62 | exposed pung 2B, exposed pung 3B, exposed pung 4B | 6B 6B 6B 8B 8B | 6B
    All Green; Full Flush; All Pungs; Pure Shifted Pungs; All Simples
"""


def fans():
    """Give name, points and what it shuts out for each number."""
    rows = (line.split("|") for line in _FANS.strip().splitlines())
    return {int(number): (name, int(points), [int(one) for one in out.split()]) for number, name, points, out in rows}


def named(text):
    """Read "All Chows; Tile Hog 3" as names and how often."""
    found = {}
    for one in text.split("; "):
        name, _, last = one.rpartition(" ")
        found.update({name: int(last)} if last.isdigit() else {one: 1})
    return found


def printed():
    """Give example number, sets, loose tiles, winning tile, and the fans with how often."""
    given = _PRINTED.strip().splitlines()
    for hand, counted in zip(given[::2], given[1::2], strict=True):
        number, sets, tiles, tile = (part.strip() for part in hand.split("|"))
        yield number, [one for one in sets.split(", ") if one], tiles, tile, named(counted.strip())
