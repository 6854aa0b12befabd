"""One hand played from score format to score format: read, scored, settled, and what the next hand is."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from clubscore.scoring.hands import HandPlayed, ScoringError
from clubscore.scoring.rotation import HandKind, east_stays, next_is_goulash
from clubscore.scoring.rules import FALSE_MAHJONG
from clubscore.scoring.rulesets import RULE_SETS
from clubscore.scoring.score import PlayersScore, as_dict, score_players
from clubscore.scoring.score_format import read_hand_played
from clubscore.scoring.settlement import Settled, SettlementError, Settling, settle
from clubscore.scoring.switches import HouseRules


@lru_cache(maxsize=512)
def settling_of(house: HouseRules) -> Settling:
    """Return how a table under these house rules settles."""
    rule_set = RULE_SETS[house.rules]
    return Settling(
        method=rule_set.settling,
        recording=house.recording or "settle",
        east_mode=house.east_mode,
        limit=house.limit,
        half_limit_without_limit=rule_set.half_limit_without_limit,
        round_payments_to=house.round_payments_to,
        false_mahjong_fine=house.false_hu_fine,
        false_mahjong_void_fine=house.false_mahjong_fine,
        misnamed_fine=rule_set.misnamed_fine if house.misnamed_fine is None else house.misnamed_fine,
        everyones_share=rule_set.everyones_share,
    )


def is_void(rules: str, penalties: Any) -> bool:
    """Return whether a false Mah-jong among these penalties (score format) ends the hand under this rule set."""
    if not RULE_SETS[rules].false_mahjong_voids or not isinstance(penalties, list):
        return False
    kinds = [one.get("kind") for one in penalties if isinstance(one, dict)]
    return any(isinstance(kind, str) and kind.strip().lower() == FALSE_MAHJONG.kind for kind in kinds)


def kind_of(played: HandPlayed) -> HandKind:
    """Return whether a hand was won, had no winner, or was void by a false Mah-jong."""
    if played.mahjong:
        return "won"
    return "void" if is_void(played.rules, played.penalties) else "drawn"


def settled(played: HandPlayed, scores: dict[str, PlayersScore]) -> Settled:
    """Settle a scored hand; ScoringError where a penalty cannot be."""
    winners = tuple(win.by for win in played.mahjong)
    source = played.mahjong[0].source if played.mahjong else None
    totals = {seat: score.total for seat, score in scores.items()}
    try:
        return settle(totals, winners, source, played.penalties, settling_of(played.house))
    except SettlementError as error:
        raise ScoringError(str(error), error.seat, "penalties") from error


def score_one(data: Any, wind: str) -> dict[str, Any]:
    """Score one player's hand of a hand played (score format) without settling it; ScoringError says what to fix."""
    return as_dict(score_players(read_hand_played(data))[wind])


def score_hand_played(data: Any) -> dict[str, Any]:
    """Score and settle one hand played, given and answered in the score format; ScoringError says what to fix."""
    played = read_hand_played(data)
    scores = score_players(played)
    payments, net = settled(played, scores)
    kind = kind_of(played)
    return {
        "id": played.id,
        "rules": played.rules,
        "hands": {seat: as_dict(score) for seat, score in scores.items()},
        "payments": [{"from": one.payer, "to": one.payee, "amount": one.amount, "why": one.why} for one in payments],
        "net": net,
        "east_stays": east_stays(kind, [win.by for win in played.mahjong], played.house),
        "next_is_goulash": next_is_goulash(kind, played.goulash, played.house),
    }
