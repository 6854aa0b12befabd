"""The score of a hand while it is entered: whole where it can be, else what is known of each player so far."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from clubscore.scoring import RULE_SETS, HouseRules, RuleSet, ScoringError, is_void
from clubscore.scoring.rotation import OFFICIAL, HandKind, Outcome, SeatingState, has_kept_most, next_seating
from clubscore.scoring.score_format import house_rules
from clubscore.scoring.unlikely_totals import unlikely_totals
from clubscore.scoring.words import MINUS, Vocabulary, in_words, unit_of, worth
from clubscore.scoring.words import whole as figure
from clubscore.table.live_scoring import (
    NOT_CHOSEN,
    asked_of_last_tile,
    last_tiles,
    line_name,
    other_versions,
    own_keys,
    score_alone,
    score_by_seat,
    special_names,
    unsure_of,
    unsure_words,
    wins_of,
    with_least_tile,
)

WHY_WORDS = {"mah-jong": "for Mah-jong", "difference": "difference in scores", "penalty": "penalty"}


def scored_hand(
    table_session: Any,
    seating: SeatingState,
    body: dict[str, Any],
    seats: list[dict[str, Any]],
    sits_out: list[dict[str, Any]],
    drawn: bool = False,
    sticks: Callable[[list[dict[str, Any]]], list[str]] | None = None,
) -> dict[str, Any]:
    """Score a half or wholly entered hand for the eye; never raises for what the rules refuse, but says it.

    `sticks` says which tally sticks to hand over for payments: only of the next hand, as before an earlier one others
    lay on the table.
    """
    entered = body.get("hands") or {}
    hands = {seat["number"]: entered[seat["number"]] for seat in seats if entered.get(seat["number"]) is not None}
    last = last_tiles(table_session, seating, body)
    asked = {seat["number"]: asked_of_last_tile(body, seat["number"], last) for seat in seats}
    body = with_least_tile(body, seating, last)
    winners = winners_of(body)
    names = {seat["number"]: seat["name"] for seat in seats}
    error = whole = None
    rules = RULE_SETS[table_session.rules]
    house = house_rules(rules.key, table_session.house_rules)
    # Nobody pays more than the others as long as nobody has said who discarded.
    is_unsaid = rules.discarder_pays_more and any("from" in one["not_chosen"] for one in asked.values())
    is_over = winners or drawn or is_void(rules.key, body.get("penalties"))
    if len(hands) == len(seats) and is_over and not is_unsaid:
        try:
            whole = score_by_seat(body, seating, table_session)
        except ScoringError as problem:
            error = problem
    words = table_session.vocabulary()
    named = special_names(table_session), partial(line_name, words, own=own_keys(table_session))
    known = whole["hands"] if whole else partly_scored(table_session, seating, hands, body, words)
    others = other_versions(table_session, seating, body, words)
    unsure = unsure_of(body)
    doubtful = questions_about_totals(table_session, body)
    shown = {
        "state": "whole" if whole else "part" if hands else "empty",
        "error": error and shown_error(error, seating, names, words),
        "players": [
            {
                **player(seat, seat["number"] in hands, winners, known.get(seat["number"]), whole, *named),
                "beside": others.get(seat["number"], ""),
                "doubtful": doubtful.get(seat["number"], ""),
                **asked[seat["number"]],
                "unsure": [in_words(words, unsure_words(doubt)) for doubt in unsure.get(seat["number"], [])]
                + [in_words(words, NOT_CHOSEN[one]) for one in asked[seat["number"]]["not_chosen"]],
                "counts": seat["number"] in winners or not winners or not rules.winner_alone_scores,
            }
            for seat in seats
        ],
        "payments": payments(whole, rules, seating, names, bool(winners), words) if whole else [],
        "at_table": {seat["wind"]: (seat["number"], seat["name"]) for seat in seats},
        "flows": flows(whole["payments"]) if whole else [],
        "sticks": sticks(whole["payments"]) if whole and sticks else [],
        "nobody_pays": bool(whole) and house.recording == "straight",
    }
    if whole:
        everybody = names | {one["number"]: one["name"] for one in sits_out}
        shown |= what_follows(rules, house, seating, body, winners, everybody)
    return shown


def winners_of(body: dict[str, Any]) -> list[str]:
    return [str(win["by"]) for win in wins_of(body) if isinstance(win, dict) and win.get("by")]


def questions_about_totals(table_session: Any, body: dict[str, Any]) -> dict[str, str]:
    """Return the questions about the typed totals of a hand's body, by the seats as it has them."""
    rules = RULE_SETS[table_session.rules]
    hands = body.get("hands")
    house = house_rules(rules.key, table_session.house_rules)
    return unlikely_totals(rules, house, hands if isinstance(hands, dict) else {}, winners_of(body))


def partly_scored(
    table_session: Any, seating: SeatingState, hands: dict[str, Any], body: dict[str, Any], words: Vocabulary
) -> dict[str, Any]:
    """Score each hand entered so far by itself: who won as a winner against blank hands, the others as losers."""
    found, wins = {}, {str(win.get("by")): win for win in wins_of(body)}
    for number, hand in hands.items():
        try:
            found[number] = score_alone(table_session, seating, body, number, hand)
        except ScoringError as problem:
            is_complete = number not in wins or {"from", "tile"} <= set(wins[number])
            found[number] = {"note": problem.sentence_in(words) if is_complete else ""}
    return found


def player(
    seat: dict[str, Any],
    entered: Any,
    winners: list[str],
    result: Any,
    whole: Any,
    known_specials: Any,
    name_of_line: Callable[..., str],
) -> dict[str, Any]:
    result = result or {}
    return {
        **seat,
        "wins": seat["number"] in winners,
        "entered": entered,
        "note": result.get("note", ""),
        **{key: result.get(key) for key in ("total", "points", "doubles", "times", "limited")},
        "special": known_specials.get(result.get("special"), ""),
        "fishing_for": known_specials.get(result.get("fishing_for"), ""),
        "lines": [
            {"name": name_of_line(line), "worth": worth(line), "rule": line["rule"], "unit": unit_of(line)}
            for line in result.get("lines", ())
        ],
        "net": whole["net"][seat["number"]] if whole else None,
    }


def flows(payments: Iterable[dict[str, Any]]) -> list[tuple[Any, Any, int]]:
    """Read payments as the drawing around the table wants them: who, to whom, how much."""
    return [(one["from"], one["to"], one["amount"]) for one in payments]


def payments(
    whole: dict[str, Any],
    rules: RuleSet,
    seating: SeatingState,
    names: dict[str, str],
    is_won: bool,
    words: Vocabulary,
) -> list[dict[str, Any]]:
    """Return who pays whom, how much and why, with the names of the players."""
    totals = totals_that_explain(rules, {seat: hand["total"] for seat, hand in whole["hands"].items()})
    is_for_all = is_won and all(one["why"] == "penalty" for one in whole["payments"])
    east = str(seating.east)
    return [payment(one, names, why_paid(one, totals, east, is_for_all, words)) for one in whole["payments"]]


def totals_that_explain(rules: RuleSet, totals: dict[Any, int]) -> dict[Any, int]:
    """Return the totals for `why_paid`; none where a share is not a multiple of a total, but added to it."""
    return {} if rules.discarder_pays_more else totals


def why_paid(
    paid: Mapping[str, Any], totals: Mapping[Any, int], east: Any, is_for_all: bool, words: Vocabulary = ()
) -> str:
    """Say why a player pays another: "for Mah-jong, East pays double: 2 × 152".

    `paid` has `from`, `to`, `amount` and `why`; `totals` are by seat, as `from`, `to` and `east` name them.
    `is_for_all` where somebody won and no loser pays for themselves.
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
    taken = f"{figure(theirs)} {MINUS} {figure(mine)}" if paid["why"] == "difference" and mine else ""
    if times == 1:
        return f"{reason}: {taken}" if taken else reason
    figures = f"{times} × ({taken})" if taken else f"{times} × {figure(base)}"
    if times != 2 or east not in (payer, payee):
        return f"{reason}: {figures}"
    return f"{reason}, East {'pays' if east == payer else 'receives'} double: {figures}"


def payment(one: dict[str, Any], names: dict[str, str], why_words: str) -> dict[str, Any]:
    to = one.get("to")
    return {
        "from": {"number": str(one["from"]), "name": names.get(str(one["from"]), "")},
        "to": {"number": str(to), "name": names.get(str(to), "")} if to is not None else None,
        "amount": one["amount"],
        "why": one["why"],
        "why_words": why_words,
    }


def what_follows(
    rules: RuleSet,
    house: HouseRules,
    seating: SeatingState,
    body: dict[str, Any],
    winners: list[str],
    names: dict[str, str],
) -> dict[str, Any]:
    """Say who is East next, who sits out, whether the next hand is a goulash, and what else changes."""
    void = is_void(rules.key, body.get("penalties")) and not winners
    kind: HandKind = "won" if winners else "void" if void else "drawn"
    outcome = Outcome(kind, tuple(int(number) for number in winners))
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


def shown_error(
    problem: ScoringError, seating: SeatingState, names: dict[str, str], words: Vocabulary
) -> dict[str, Any]:
    at = seating.seated.get(problem.seat or "", problem.seat)
    seat = str(at) if at else None
    return {"message": problem.sentence_in(words), "seat": seat, "name": names.get(seat or ""), "field": problem.field}
