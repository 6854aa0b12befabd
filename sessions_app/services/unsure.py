"""What nobody at the table was sure of: it counts as what is worth less, and the score says so.

Kept beside the hands as {"unsure": {seat: ["from", "exposed pung 7D", ...]}}; what counts stands in the hands.
"""

from clubscore.scoring import tiles
from sessions_app.services.live import PLACES, wins_of

FROM = "The last tile counts as a discard, as nobody was sure."


def unsure_told(body):
    """Say for each seat (a string) what counts as less because nobody was sure; only of what still is so."""
    beside, hands = body.get("beside"), body.get("hands")
    unsure = beside.get("unsure") if isinstance(beside, dict) else None
    if not isinstance(unsure, dict) or not isinstance(hands, dict):
        return {}
    claimed = {str(win.get("by")) for win in wins_of(body) if isinstance(win, dict) and is_claimed(win)}
    found = {}
    for seat, doubts in unsure.items():
        if not isinstance(doubts, list):
            continue
        told = [FROM] if "from" in doubts and seat in claimed else []
        told += [_set_words(text) for text in _sets(hands.get(seat)) if text in doubts]
        if told:
            found[seat] = told
    return found


def is_claimed(win):
    """Tell whether Mah-jong was made on a tile that a player discarded or added to a kong."""
    return bool(win.get("from")) and win["from"] not in PLACES


def _sets(hand):
    """The exposed sets of a hand, as they are written."""
    sets = hand.get("sets") if isinstance(hand, dict) else None
    texts = [text for text in sets if isinstance(text, str)] if isinstance(sets, list) else []
    return [text for text in texts if text.startswith("exposed ") and _codes(text) in ([code] for code in tiles.TILES)]


def _codes(text):
    return text.split()[2:]


def _set_words(text):
    _, kind, tile = text.split()
    return f"{kind.capitalize()} of {tiles.tile_name(tile)}: counts as exposed, as nobody was sure."
