"""One player's hand scored at a table where the others have nothing."""

from clubscore.scoring import score_hand_played


def played(rules, hand, mahjong=None, seat="S", **context):
    """Score a hand played; without `mahjong` North (or West, where North is asked for) has won with 20."""
    hands = {wind: {} for wind in "ESWN"} | {seat: hand} | context.pop("others", {})
    if mahjong is None:
        winner = "W" if seat == "N" else "N"
        hands[winner] = {"total": 20}
        mahjong = {"by": winner}
    return score_hand_played({"rules": rules, "hands": hands, "mahjong": mahjong, **context})


def score(rules, hand, mahjong=None, seat="S", **context):
    """Give what the hand counts."""
    return played(rules, hand, mahjong, seat, **context)["hands"][seat]


def figures(rules, hand, mahjong=None, seat="S", **context):
    """Give points, doubles, total and special of the hand."""
    found = score(rules, hand, mahjong, seat, **context)
    return found["points"], found["doubles"], found["total"], found["special"]


def rows(rules, hand, mahjong=None, seat="S", **context):
    """Give the keys of the rules that counted."""
    return {line["rule"] for line in score(rules, hand, mahjong, seat, **context)["lines"]}


def won(tile, source="wall", by="S", **marks):
    """Say how Mah-jong was made."""
    return {"by": by, "tile": tile, "from": source, **marks}
