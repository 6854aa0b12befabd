"""The score that hand entry shows while a hand is entered: whole where it can be, else what is known of each player.

The figures come from scoring_by_seat.py; here they get names, reasons and what follows.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from clubscore.scoring import RULE_SETS, HouseRules, RuleSet, ScoringError, is_void
from clubscore.scoring.rotation import OFFICIAL, HandKind, HandOutcome, SeatingState, has_kept_most, next_seating
from clubscore.scoring.rule_table import compile_table
from clubscore.scoring.score_format import house_rules
from clubscore.scoring.unlikely_totals import unlikely_totals
from clubscore.scoring.words import MINUS, Vocabulary, in_words, line_worth, unit_of
from clubscore.scoring.words import whole as figure
from clubscore.table.scoring_by_seat import (
    NOT_CHOSEN,
    club_hand_keys,
    doubt_words,
    doubts_of,
    last_tile_state,
    last_tiles,
    line_name,
    other_versions,
    score_alone,
    score_by_seat,
    special_names,
    wins_of,
    with_lowest_tile,
)

WHY_WORDS = {"mah-jong": "for Mah-jong", "difference": "difference in scores", "penalty": "penalty"}


def scored_hand(
    table_session: Any,
    seating: SeatingState,
    body: dict[str, Any],
    seats: list[dict[str, Any]],
    sits_out: list[dict[str, Any]],
    no_winner: bool = False,
    sticks: Callable[[list[dict[str, Any]]], list[str]] | None = None,
) -> dict[str, Any]:
    """Score a hand that is entered in part or whole, as score_fragments.score shows it.

    What the rules refuse is in its `error`; nothing is raised. `sticks` returns which tally sticks to hand over for
    payments; it is None for an earlier hand, before which other sticks were on the table.
    """
    rules, words = RULE_SETS[table_session.rules], table_session.vocabulary()
    house = house_rules(rules.key, table_session.house_rules)
    names = {seat["number"]: seat["name"] for seat in seats}
    entered = body.get("hands") or {}
    hands = {number: entered[number] for number in names if entered.get(number) is not None}
    totals_by_tile = last_tiles(table_session, seating, body)
    last_tile = {number: last_tile_state(body, number, totals_by_tile) for number in names}
    body = with_lowest_tile(body, seating, totals_by_tile)
    winners = winners_of(body)
    error = whole = None
    # If the discarder pays more, nobody pays until the discarder is chosen.
    is_payer_asked = compile_table(house).discarder_pays_more
    is_payer_unknown = is_payer_asked and any("from" in state["not_chosen"] for state in last_tile.values())
    has_ended = winners or no_winner or is_void(rules.key, body.get("penalties"))
    if len(hands) == len(seats) and has_ended and not is_payer_unknown:
        try:
            whole = score_by_seat(body, seating, table_session)
        except ScoringError as problem:
            error = problem
    known = whole["hands"] if whole else _partly_scored(table_session, seating, hands, body, words)
    others, doubts = other_versions(table_session, seating, body, words), doubts_of(body)
    doubtful = questions_about_totals(table_session, body)
    specials = special_names(table_session)
    name_of_line = partial(line_name, words, club_keys=club_hand_keys(table_session))
    players = []
    for seat in seats:
        number, state = seat["number"], last_tile[seat["number"]]
        unsure = [doubt_words(doubt) for doubt in doubts.get(number, [])]
        unsure += [NOT_CHOSEN[missing] for missing in state["not_chosen"]]
        players.append(
            {
                **seat,
                "wins": number in winners,
                "entered": number in hands,
                **_shown_result(known.get(number) or {}, specials, name_of_line),
                "net": whole["net"][number] if whole else None,
                "beside": others.get(number, ""),
                "doubtful": doubtful.get(number, ""),
                **state,
                "unsure": [in_words(words, sentence) for sentence in unsure],
                "counts": number in winners or not winners or not rules.winner_alone_scores,
            }
        )
    paid = whole["payments"] if whole else []
    shown = {
        "state": "whole" if whole else "part" if hands else "empty",
        "error": error and _shown_error(error, seating, names, words),
        "players": players,
        "payments": _payments(whole, rules, seating, names, bool(winners), words) if whole else [],
        "at_table": {seat["wind"]: (seat["number"], seat["name"]) for seat in seats},
        "flows": [(payment["from"], payment["to"], payment["amount"]) for payment in paid],
        "sticks": sticks(paid) if whole and sticks else [],
        "nobody_pays": bool(whole) and house.recording == "straight",
    }
    if whole:
        everyone = names | {seat["number"]: seat["name"] for seat in sits_out}
        shown |= _what_follows(rules, house, seating, body, winners, everyone)
    return shown


def what_counts(scored: Mapping[str, Any]) -> Any:
    """Return what a whole score does, to compare a correction with the hand as it is; None for a score in part."""
    if scored["state"] != "whole":
        return None
    of_player = ("number", "wins", "total", "net", "special", "fishing_for")
    of_hand = ("payments", "next_east", "next_out", "goulash_next", "seats_change", "game_over")
    return [[[player[name] for name in of_player] for player in scored["players"]], [scored[name] for name in of_hand]]


def winners_of(body: dict[str, Any]) -> list[str]:
    return [str(win["by"]) for win in wins_of(body) if isinstance(win, dict) and win.get("by")]


def questions_about_totals(table_session: Any, body: dict[str, Any]) -> dict[str, str]:
    """Return the questions about the typed totals of a hand's body, by seat number as it has them."""
    rules = RULE_SETS[table_session.rules]
    hands = body.get("hands")
    house = house_rules(rules.key, table_session.house_rules)
    return unlikely_totals(rules, house, hands if isinstance(hands, dict) else {}, winners_of(body))


def _partly_scored(
    table_session: Any, seating: SeatingState, hands: dict[str, Any], body: dict[str, Any], words: Vocabulary
) -> dict[str, Any]:
    """Score each hand entered so far alone: a winner's against blank hands, the others as losers'."""
    found, wins = {}, {str(win.get("by")): win for win in wins_of(body)}
    for number, hand in hands.items():
        try:
            found[number] = score_alone(table_session, seating, body, number, hand)
        except ScoringError as problem:
            is_complete = number not in wins or {"from", "tile"} <= set(wins[number])
            found[number] = {"note": problem.sentence_in(words) if is_complete else ""}
    return found


def _shown_result(result: dict[str, Any], specials: dict[str, str], name_of_line: Callable[..., str]) -> dict[str, Any]:
    return {
        "note": result.get("note", ""),
        **{key: result.get(key) for key in ("total", "points", "doubles", "times", "limited")},
        "special": specials.get(result.get("special", ""), ""),
        "fishing_for": specials.get(result.get("fishing_for", ""), ""),
        "lines": [
            {"name": name_of_line(line), "worth": line_worth(line), "rule": line["rule"], "unit": unit_of(line)}
            for line in result.get("lines", ())
        ],
    }


def _payments(
    whole: dict[str, Any], rules: RuleSet, seating: SeatingState, names: dict[str, str], is_won: bool, words: Vocabulary
) -> list[dict[str, Any]]:
    """Return who pays whom, how much and why, with the names of the players."""
    totals = totals_that_explain(rules, {seat: hand["total"] for seat, hand in whole["hands"].items()})
    is_for_all = is_won and all(paid["why"] == "penalty" for paid in whole["payments"])
    found = []
    for paid in whole["payments"]:
        payer, payee = [seat and {"number": seat, "name": names.get(seat, "")} for seat in (paid["from"], paid["to"])]
        why_words = why_paid(paid, totals, str(seating.east), is_for_all, words)
        found.append({"from": payer, "to": payee, "amount": paid["amount"], "why": paid["why"], "why_words": why_words})
    return found


def totals_that_explain(rules: RuleSet, totals: dict[Any, int]) -> dict[Any, int]:
    """Return the totals for `why_paid`; none under rules where a share is not a multiple of a total."""
    return {} if rules.discarder_pays_more else totals


def why_paid(
    paid: Mapping[str, Any], totals: Mapping[Any, int], east: Any, is_for_all: bool, words: Vocabulary = ()
) -> str:
    """Return why a player pays another: "for Mah-jong, East pays double: 2 × 152".

    `paid` has `from`, `to`, `amount` and `why`; `totals` are by seat, as `from`, `to` and `east` name them.
    `is_for_all` if someone won and one player pays for all losers.
    """
    reason = in_words(words, WHY_WORDS.get(paid["why"], paid["why"]))
    payer, payee, amount = paid["from"], paid["to"], paid["amount"]
    mine, theirs = totals.get(payer, 0), totals.get(payee, 0)
    base = theirs - mine if paid["why"] == "difference" else theirs
    if payee is None or base <= 0 or amount % base:
        return reason
    times = amount // base
    if paid["why"] == "penalty":
        return f"{reason}, for everyone: {times} × {figure(base)}" if is_for_all and times > 1 else reason
    difference = f"{figure(theirs)} {MINUS} {figure(mine)}" if paid["why"] == "difference" and mine else ""
    if times == 1:
        return f"{reason}: {difference}" if difference else reason
    figures = f"{times} × ({difference})" if difference else f"{times} × {figure(base)}"
    if times != 2 or east not in (payer, payee):
        return f"{reason}: {figures}"
    return f"{reason}, East {'pays' if east == payer else 'receives'} double: {figures}"


def _what_follows(
    rules: RuleSet,
    house: HouseRules,
    seating: SeatingState,
    body: dict[str, Any],
    winners: list[str],
    names: dict[str, str],
) -> dict[str, Any]:
    """Return who is East next, who sits out, whether the next hand is a goulash, and what else changes."""
    void = is_void(rules.key, body.get("penalties")) and not winners
    kind: HandKind = "won" if winners else "void" if void else "drawn"
    outcome = HandOutcome(kind, tuple(int(number) for number in winners))
    after = next_seating(seating, outcome, house)
    return {
        "next_east": names[str(after.east)],
        "east_stays": after.east == seating.east,
        "next_out": [names[str(number)] for number in after.out],
        "goulash_next": after.goulash,
        "seats_change": house.rotation == OFFICIAL and after.wind_of_round != seating.wind_of_round,
        "kept_most": seating.kept if has_kept_most(seating, outcome, house) else 0,
        "game_over": after.game > seating.game,
        "void": void,
    }


def _shown_error(
    problem: ScoringError, seating: SeatingState, names: dict[str, str], words: Vocabulary
) -> dict[str, Any]:
    at = seating.seated.get(problem.seat or "", problem.seat)
    seat = str(at) if at else None
    return {"message": problem.sentence_in(words), "seat": seat, "name": names.get(seat or ""), "field": problem.field}
