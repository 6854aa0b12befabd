"""What nobody at the table was sure of: the lower score is used, and the score says so.

Stored beside the hands as {"unsure": {seat: ["from", "tile", "exposed pung 7D", ...]}}; what is scored is in the hands.
"""

from collections.abc import Mapping
from typing import Any

from clubscore.scoring import ScoringError, tiles
from clubscore.scoring.rotation import Chairs
from clubscore.table.live_scoring import PLACES, score_alone, wins_of

WORDS = {
    "from": "Nobody was sure, so the last tile is scored as a discard.",
    "tile": "Nobody was sure which group the last tile completed, so the lowest score is used.",
}


def unsure_of(body: Mapping[str, Any]) -> Any:
    """Return what nobody was sure of, by seat (a string), leaving out what no longer applies."""
    hands = body.get("hands")
    if not isinstance(hands, dict):
        return {}
    wins = [win for win in wins_of(body) if isinstance(win, dict)]
    claimed = {str(win.get("by")) for win in wins if is_claimed(win)}
    finished = {str(win.get("by")) for win in wins if win.get("tile")}
    found = {}
    for seat, doubts in _unsure(body).items():
        known = ["from"] * (seat in claimed) + ["tile"] * (seat in finished) + _sets(hands.get(seat))
        kept = [doubt for doubt in known if doubt in doubts]
        if kept:
            found[seat] = kept
    return found


def unsure_words(doubt: Any) -> Any:
    """Return the sentence about one thing that nobody was sure of."""
    if doubt in WORDS:
        return WORDS[doubt]
    _, kind, tile = doubt.split()
    return f"{kind.capitalize()} of {tiles.tile_name(tile)}: nobody was sure, so it is scored as exposed."


def with_least_tile(table_session: Any, chairs: Chairs, body: Mapping[str, Any]) -> Any:
    """Return the body with the last tile that scores least, where nobody was sure which group it completed."""
    wins, hands = wins_of(body), body.get("hands") or {}
    seat = wins[0].get("by") if len(wins) == 1 else None
    if not isinstance(seat, str) or "tile" not in _unsure(body).get(seat, ()) or not hands.get(seat):
        return body
    found = []
    for tile in tiles.TILES:
        tried = {**body, "mahjong": {**wins[0], "tile": tile}}
        try:
            found.append((score_alone(table_session, chairs, tried, seat, hands[seat])["total"], tried))
        except ScoringError:
            continue
    return min(found, key=lambda one: one[0])[1] if found else body


def _unsure(body: Mapping[str, Any]) -> Any:
    """Return what nobody was sure of, by seat; empty if it is malformed."""
    beside = body.get("beside")
    unsure = beside.get("unsure") if isinstance(beside, dict) else None
    if not isinstance(unsure, dict):
        return {}
    return {seat: doubts for seat, doubts in unsure.items() if isinstance(doubts, list)}


def is_claimed(win: Any) -> Any:
    """Tell whether Mah-jong was made on a tile that a player discarded or added to a kong."""
    return bool(win.get("from")) and win["from"] not in PLACES


def _sets(hand: Any) -> Any:
    """The exposed sets of a hand, as they are written."""
    sets = hand.get("sets") if isinstance(hand, dict) else None
    texts = [text for text in sets if isinstance(text, str)] if isinstance(sets, list) else []
    return [text for text in texts if text.startswith("exposed ") and _codes(text) in ([code] for code in tiles.TILES)]


def _codes(text: Any) -> Any:
    return text.split()[2:]
