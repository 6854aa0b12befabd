"""A hand played, scored and settled: every player's points, doubles and total with the lines that explain them."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from clubscore.scoring.fan_table import count_fans
from clubscore.scoring.hands import NOT_WON, HandPlayed, Mahjong, PlayersHand, PlayerWinds, ScoringError
from clubscore.scoring.patterns import Reading
from clubscore.scoring.readings import (
    PAIR,
    check_winning_tile,
    loser_reading,
    loser_ways,
    mask_of_sets,
    set_readings,
    tiles_reading,
)
from clubscore.scoring.rotation import HandKind, east_stays, next_is_goulash
from clubscore.scoring.rule_table import RuleTable, ScoreLine, SpecialWorth, compile_table
from clubscore.scoring.rules import FALSE_MAHJONG
from clubscore.scoring.rulesets import RULE_SETS
from clubscore.scoring.score_format import read_hand_played
from clubscore.scoring.settlement import Settling, settle
from clubscore.scoring.switches import HouseRules
from clubscore.scoring.tiles import WINDS, wind_name
from clubscore.scoring.waits import Waiting, mark_only_pieces


class PlayersScore(NamedTuple):
    """One player's scored hand; figures are None if a total or a fixed value counted."""

    points: int | None
    doubles: int | None
    times: int | None
    total: int
    limited: bool = False
    special: str | None = None
    fishing_for: str | None = None
    lines: tuple[ScoreLine, ...] = ()


NOTHING = PlayersScore(None, None, None, 0)


class Context(NamedTuple):
    """One player's hand and what it is scored by."""

    table: RuleTable
    played: HandPlayed
    winds: PlayerWinds
    seat: str
    hand: PlayersHand
    win: Mahjong = NOT_WON

    @property
    def wins(self) -> bool:
        return self.win is not NOT_WON


def score_players(played: HandPlayed) -> dict[str, PlayersScore]:
    """Score every player's hand, keyed by wind letter; nothing if nobody won or the hand is void."""
    if not played.mahjong:
        return {seat: NOTHING for seat in played.hands}
    table = compile_table(played.house)
    wins = {win.by: win for win in played.mahjong}
    scores = {}
    for seat, hand in played.hands.items():
        winds = PlayerWinds(WINDS.index(seat), played.wind_of_round)
        scores[seat] = _score_one(Context(table, played, winds, seat, hand, wins.get(seat, NOT_WON)))
    return scores


def _score_one(context: Context) -> PlayersScore:
    hand = context.hand
    if context.table.doubling == "fans":
        return _score_in_fans(context)
    if hand.entered_as == "total":
        return PlayersScore(None, None, None, hand.total)
    if hand.entered_as == "points":
        times = 2**hand.doubles
        total, limited = context.table.cap(hand.points * times, context.wins)
        return PlayersScore(hand.points, hand.doubles, times, total, limited)
    if hand.entered_as == "special":
        return _score_by_name(context)
    return score_winner(context) if context.wins else score_loser(context)


def _score_by_name(context: Context) -> PlayersScore:
    hand, fishing = context.hand, bool(context.hand.fishing_for)
    special = context.table.named(hand.fishing_for or hand.special, context.played.club_hands)
    if special.points and not (hand.exposed or fishing):
        return _added_up(context, special, _reading_without_tiles(context))
    value = special.value_of(hand.exposed, fishing)
    if value is not None:
        return _fixed(context, special, value, fishing)
    if special.fishing_doubles if fishing else special.doubles:
        why = "{name} needs its tiles or its points."
    else:
        why = "{name} has no fishing score." if fishing else "{name} cannot have exposed sets."
    raise ScoringError(why, context.seat, "special", name=special.name)


def _score_in_fans(context: Context) -> PlayersScore:
    """Score a hand in fans, in which only the winner scores: as announced, or by its best reading."""
    hand = context.hand
    if not context.wins:
        if hand.entered_as == "tiles" and hand.count != "too many":
            _check_loser_size(context)
        return NOTHING
    if hand.entered_as == "total":
        return PlayersScore(hand.total, None, None, hand.total)
    if hand.entered_as == "points":
        return PlayersScore(hand.points, None, None, hand.points)
    _check_size(context)
    check_winning_tile(hand, context.win)
    points, lines = count_fans(context.table, context.played.hands, context.win, context.winds)
    return PlayersScore(points, None, None, points, lines=lines)


# The winner


def score_winner(context: Context) -> PlayersScore:
    """Score the best reading; ScoringError if the tiles are not a Mah-jong."""
    table, hand, win, goulash = context.table, context.hand, context.win, context.played.goulash
    if not (table.rule_set.winner_needs_tiles or hand.sets or hand.loose):
        return _ordinary(context, _reading_without_tiles(context))
    _check_size(context)
    check_winning_tile(hand, win)
    readings = list(set_readings(hand, win, context.winds, goulash))
    as_tiles = tiles_reading(hand, win, context.winds, goulash) if table.tile_specials else None
    legal = [reading for reading in readings if table.is_legal(reading)]
    if as_tiles is not None and table.is_other_mahjong(as_tiles):
        legal.append(as_tiles)
    if table.asks_only_piece:
        mark_only_pieces(table, hand, legal, win)
    best = _best_special(context, readings, as_tiles, legal)
    if best is None or table.ordinary_may_beat_special:
        for reading in legal:
            best = _better(best, _ordinary(context, reading))
    if best is None:
        raise ScoringError(_why_no_mahjong(context, readings), context.seat, "tiles")
    return best


def _better(best: PlayersScore | None, score: PlayersScore | None) -> PlayersScore | None:
    """Return the score of the higher total, the first if they are equal."""
    return best if score is None or (best is not None and best.total >= score.total) else score


def _reading_without_tiles(context: Context) -> Reading:
    """Return the reading of a hand whose tiles were not entered: only how Mah-jong was made."""
    win = context.win
    if context.wins and win.source is None and not context.table.rule_set.winner_needs_tiles:
        who = " and ".join(wind_name(one.by) for one in context.played.mahjong)
        if len(context.played.mahjong) > 1:
            sentence = f"Choose whose discard {who} went Mah-jong on."
        else:
            sentence = f"Choose where {who}'s winning tile came from: the wall, the Kong box or a player."
        raise ScoringError(sentence, win.by, "mahjong")
    return Reading(context.winds, win, context.played.goulash, False, {})


def _check_size(context: Context) -> None:
    size = context.hand.size()
    if size != 14:
        who = wind_name(context.seat)
        kong = " (count a kong as three)" if any(one.kind == "kong" for one in context.hand.sets) else ""
        raise ScoringError(
            f"{who} has {size} tile{'' if size == 1 else 's'}. A Mah-jong has 14{kong}.", context.seat, "tiles"
        )


def _why_no_mahjong(context: Context, readings: list[Reading]) -> str:
    who, house = wind_name(context.seat), context.played.house
    if not readings:
        return f"{who}'s tiles are not a Mah-jong: they make neither four sets and a pair nor a special hand."
    if context.played.goulash and all(reading.number_of("chow") for reading in readings):
        return f"{who}'s hand has a chow: there are no chows in a goulash."
    if all(reading.number_of("chow") > (house.max_chows or 0) for reading in readings):
        if house.max_chows == 0:
            return f"{who}'s hand has a chow: the house rules allow none in a Mah-jong."
        allowed = "one chow" if house.max_chows == 1 else f"{house.max_chows} chows"
        return f"{who}'s hand has too many chows: {allowed} at most in a Mah-jong."
    return f"{who}'s hand mixes suits: a Mah-jong must be one suit, with or without honours, or all honours."


def _best_special(
    context: Context, readings: list[Reading], as_tiles: Reading | None, legal: list[Reading]
) -> PlayersScore | None:
    best = None
    fits = bool(legal)
    mask = mask_of_sets(context.hand.sets, context.hand.loose)
    plain = context.win.is_plain
    tiles = [] if as_tiles is None else [as_tiles]
    for special in context.table.winner_specials:
        if not special.can_hold(mask) or (special.shape == "way" and (plain or not fits)):
            continue
        if special.shape == "way":
            looked_in = [*legal, *tiles] or readings
        else:
            looked_in = readings if special.shape == "sets" else tiles
        for reading in looked_in:
            if special.question(reading):
                fits = True
                best = _better(best, _special_score(context, special, reading))
    return best


def _special_score(context: Context, special: SpecialWorth, reading: Reading) -> PlayersScore | None:
    """Score a reading as a special hand; None if it has no value with exposed sets."""
    if special.doubles:
        return _worked_out(context, special, reading)
    if special.points:
        return _added_up(context, special, reading)
    value = special.value_of(reading.exposed_before, fishing=False)
    return None if value is None else _fixed(context, special, value)


def _fixed(context: Context, special: SpecialWorth, value: int, fishing: bool = False) -> PlayersScore:
    """Score a special hand of a fixed value."""
    line = ScoreLine(special.key, special.name, "limit", value)
    return _with_flowers(context, special, PlayersScore(None, None, None, value, lines=(line,)), fishing)


def _worked_out(context: Context, special: SpecialWorth, reading: Reading, fishing: bool = False) -> PlayersScore:
    """Score a special hand worth its own points doubled so many times (Purity)."""
    doubles = special.fishing_doubles if fishing else special.doubles
    points, lines = context.table.figure(reading, not fishing)
    value, limited = context.table.cap(points * 2**doubles, not fishing)
    lines += (ScoreLine(special.key, special.name, "doubles", doubles),)
    score = PlayersScore(points, doubles, 2**doubles, value, limited, lines=lines)
    return _with_flowers(context, special, score, fishing)


def _with_flowers(context: Context, special: SpecialWorth, score: PlayersScore, fishing: bool) -> PlayersScore:
    """Add the flowers and seasons to the score of a special hand, and what multiplies both."""
    table, hand = context.table, context.hand
    bonus, more = table.bonus_with_special(hand.bonus, context.winds)
    total, limited = table.cap_special(score.total, bonus, context.wins)
    lines = score.lines + more
    if context.wins:
        times, more = table.special_times(hand.bonus, context.winds)
        total, lines = total * times, lines + more
    return score._replace(
        total=total,
        limited=score.limited or limited,
        special=None if fishing else special.key,
        fishing_for=special.key if fishing else None,
        lines=lines,
    )


def _added_up(context: Context, special: SpecialWorth, reading: Reading) -> PlayersScore:
    """Score a special hand worth its points as well as what the rows give; equal tiles of it are pairs."""
    pairs = tuple(PAIR[tile] for tile, count in sorted(reading.counts.items()) for _ in range(count // 2))
    score = _ordinary(context, replace(reading, sets=pairs, pair=None))
    points, line = (score.points or 0) + special.points, ScoreLine(special.key, special.name, "points", special.points)
    total, limited = context.table.cap(points * (score.times or 1), context.wins)
    return score._replace(points=points, total=total, limited=limited, special=special.key, lines=(line, *score.lines))


def _ordinary(context: Context, reading: Reading) -> PlayersScore:
    """Score one reading by the rows of the table: points, then doubles, then the limit."""
    table, wins = context.table, reading.win is not NOT_WON
    points, doubles, times, lines = table.add_up(reading, context.hand.bonus, wins)
    times *= 2**doubles
    total, limited = table.cap(points * times, wins)
    return PlayersScore(points, doubles, times, total, limited, None, None, lines)


# Everyone else


def score_loser(context: Context) -> PlayersScore:
    """Score a hand that did not win: its sets, or its fishing score."""
    table, hand = context.table, context.hand
    if hand.count == "too many":
        return PlayersScore(0, 0, 1, 0)
    size = _check_loser_size(context)
    if table.losers_count_nothing:
        return PlayersScore(0, 0, 1, 0)
    ordinary = _ordinary_loser(context)
    best = _best_loser_special(context) if table.loser_specials else None
    if hand.fishing and size == 13 and table.fishing_specials:
        fishing = _best_fishing_score(context)
        if fishing is not None and not table.ordinary_may_beat_fishing:
            return fishing
        best = _better(best, fishing)
    return ordinary if best is None or ordinary.total > best.total else best


def _check_loser_size(context: Context) -> int:
    size = context.hand.size()
    if size > 13:
        who = wind_name(context.seat)
        raise ScoringError(
            f"{who} has {size} tiles: at most 13 when someone else won (count a kong as three). "
            "Mark it as a wrong count if it really had too many.",
            context.seat,
            "tiles",
        )
    return size


def _ordinary_loser(context: Context) -> PlayersScore:
    hand = context.hand
    reading = loser_reading(hand, context.winds, context.played.goulash)
    if not (context.table.rule_set.loser_chows and hand.loose) or context.played.goulash:
        return _ordinary(context, reading)
    readings = [replace(reading, sets=(*hand.sets, *sets)) for sets in loser_ways(hand.loose)]
    return max([_ordinary(context, each) for each in readings], key=lambda score: score.total)


def _best_loser_special(context: Context) -> PlayersScore | None:
    hand = context.hand
    best = None
    for special in context.table.loser_specials:
        reading = loser_reading(hand, context.winds, context.played.goulash)
        reading.mask = mask_of_sets(hand.sets, hand.loose)
        if special.fits(reading):
            best = _better(best, _special_score(context, special, reading))
    return best


def _best_fishing_score(context: Context) -> PlayersScore | None:
    """Return the best fishing score of a player one tile short of a special hand; None if there is none."""
    hand = context.hand
    best = None
    exposed = any(played.exposed for played in hand.sets)
    waiting = Waiting(hand, context.winds, context.played.goulash)
    for special in context.table.fishing_specials:
        if not waiting.is_for(special):
            continue
        value = special.value_of(exposed, fishing=True)
        if special.fishing_doubles:
            score = _worked_out(context, special, waiting.as_loser(), fishing=True)
        elif value is not None:
            score = _fixed(context, special, value, fishing=True)
        else:
            continue
        best = _better(best, score)
    return best


def as_dict(score: PlayersScore) -> dict[str, Any]:
    """Return one player's score in the words of the score format."""
    answer: dict[str, Any] = {
        "points": score.points,
        "doubles": score.doubles,
        "times": score.times,
        "total": score.total,
        "limited": score.limited,
        "special": score.special,
        "lines": [line.as_dict() for line in score.lines],
    }
    if score.fishing_for is not None:
        answer["fishing_for"] = score.fishing_for
    return answer


# The whole hand, from score format to score format


@lru_cache(maxsize=512)
def settling_of(house: HouseRules) -> Settling:
    """Return how a table under these house rules settles."""
    rule_set = RULE_SETS[house.rules]
    return Settling(
        method=rule_set.settling,
        recording=house.recording,
        east_mode=house.east_mode,
        limit=house.limit,
        half_limit_without_limit=rule_set.half_limit_without_limit,
        round_payments_to=house.round_payments_to,
        false_mahjong_penalty=house.false_hu_fine,
        false_mahjong_void_penalty=house.false_mahjong_fine,
        misnamed_penalty=rule_set.misnamed_penalty if house.misnamed_fine is None else house.misnamed_fine,
        everyones_share=rule_set.everyones_share,
    )


def is_void(rules: str, penalties: Any) -> bool:
    """Return whether a false Mah-jong among these penalties (score format) ends the hand under this rule set."""
    if not RULE_SETS[rules].false_mahjong_voids or not isinstance(penalties, list):
        return False
    kinds = [one.get("kind") for one in penalties if isinstance(one, dict)]
    return any(isinstance(kind, str) and kind.strip().lower() == FALSE_MAHJONG.kind for kind in kinds)


def score_one(data: Any, wind: str) -> dict[str, Any]:
    """Score one player's hand of a hand played (score format) without settling it; ScoringError says what to fix."""
    return as_dict(score_players(read_hand_played(data))[wind])


def score_hand_played(data: Any) -> dict[str, Any]:
    """Score and settle one hand played, given and answered in the score format; ScoringError says what to fix."""
    played = read_hand_played(data)
    scores = score_players(played)
    winners = [win.by for win in played.mahjong]
    totals = {seat: score.total for seat, score in scores.items()}
    source = played.mahjong[0].source if winners else None
    payments, net = settle(totals, winners, source, played.penalties, settling_of(played.house))
    kind: HandKind = "won" if winners else "void" if is_void(played.rules, played.penalties) else "drawn"
    return {
        "id": played.id,
        "rules": played.rules,
        "hands": {seat: as_dict(score) for seat, score in scores.items()},
        "payments": [{"from": one.payer, "to": one.payee, "amount": one.amount, "why": one.why} for one in payments],
        "net": net,
        "east_stays": east_stays(kind, winners, played.house),
        "next_is_goulash": next_is_goulash(kind, played.goulash, played.house),
    }
