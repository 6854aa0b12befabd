"""The score of a hand while it is entered: whole where it can be, else what is known of each player so far."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from clubscore.scoring import RULE_SETS, HouseRules, RuleSet, ScoringError, is_void
from clubscore.scoring.rotation import OFFICIAL, Chairs, HandKind, Outcome, has_kept_most, next_chairs
from clubscore.scoring.unlikely_totals import unlikely_totals
from clubscore.scoring.words import Vocabulary, in_words, line_name, unit_of, worth
from clubscore.table.live_scoring import (
    beside_told,
    own_keys,
    score_alone,
    score_by_seat,
    special_names,
    unsure_of,
    unsure_words,
    wins_of,
    with_least_tile,
)

WHY_WORDS = {"mah-jong": "for Mah-jong", "difference": "difference", "penalty": "penalty"}


def scored_hand(
    table_session: Any,
    chairs: Chairs,
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
    body = with_least_tile(table_session, chairs, body)
    winners = winners_of(body)
    names = {seat["number"]: seat["name"] for seat in seats}
    error = whole = None
    rules = RULE_SETS[table_session.rules]
    house = rules.house(table_session.house_rules)
    if len(hands) == len(seats) and (winners or drawn or is_void(rules.key, body.get("penalties"))):
        try:
            whole = score_by_seat(body, chairs, table_session)
        except ScoringError as problem:
            error = problem
    words = table_session.vocabulary()
    named = special_names(table_session), partial(line_name, words, own_keys=own_keys(table_session))
    known = whole["hands"] if whole else partly_scored(table_session, chairs, hands, body, words)
    beside = beside_told(table_session, chairs, body, words)
    unsure = unsure_of(body)
    doubtful = questions_about_totals(table_session, body)
    shown = {
        "state": "whole" if whole else "part" if hands else "empty",
        "error": error and shown_error(error, chairs, names, words),
        "players": [
            {
                **player(seat, seat["number"] in hands, winners, known.get(seat["number"]), whole, *named),
                "beside": beside.get(seat["number"], ""),
                "doubtful": doubtful.get(seat["number"], ""),
                "unsure": [in_words(words, unsure_words(doubt)) for doubt in unsure.get(seat["number"], [])],
                "finished": wins_of(body)[0].get("tile") if "tile" in unsure.get(seat["number"], ()) else "",
                "counts": seat["number"] in winners or not winners or not rules.winner_alone_scores,
            }
            for seat in seats
        ],
        "payments": [payment(one, names, words) for one in whole["payments"]] if whole else [],
        "at_table": {seat["wind"]: (seat["number"], seat["name"]) for seat in seats},
        "flows": flows(whole["payments"]) if whole else [],
        "sticks": sticks(whole["payments"]) if whole and sticks else [],
        "nobody_pays": bool(whole) and house.recording == "straight",
    }
    if whole:
        everybody = names | {one["number"]: one["name"] for one in sits_out}
        shown |= what_follows(rules, house, chairs, body, winners, everybody)
    return shown


def winners_of(body: dict[str, Any]) -> list[str]:
    return [str(win["by"]) for win in wins_of(body) if isinstance(win, dict) and win.get("by")]


def questions_about_totals(table_session: Any, body: dict[str, Any]) -> dict[str, str]:
    """Return the questions about the typed totals of a hand's body, by the seats as it has them."""
    rules = RULE_SETS[table_session.rules]
    hands = body.get("hands")
    house = rules.house(table_session.house_rules)
    return unlikely_totals(rules, house, hands if isinstance(hands, dict) else {}, winners_of(body))


def partly_scored(
    table_session: Any, chairs: Chairs, hands: dict[str, Any], body: dict[str, Any], words: Vocabulary
) -> dict[str, Any]:
    """Score each hand entered so far by itself: who won as a winner against blank hands, the others as losers."""
    found, wins = {}, {str(win.get("by")): win for win in wins_of(body)}
    for number, hand in hands.items():
        try:
            found[number] = score_alone(table_session, chairs, body, number, hand)
        except ScoringError as problem:
            told = number not in wins or {"from", "tile"} <= set(wins[number])
            found[number] = {"note": problem.sentence_in(words) if told else ""}
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


def payment(one: dict[str, Any], names: dict[str, str], words: Vocabulary) -> dict[str, Any]:
    to = one.get("to")
    return {
        "from": {"number": str(one["from"]), "name": names.get(str(one["from"]), "")},
        "to": {"number": str(to), "name": names.get(str(to), "")} if to is not None else None,
        "amount": one["amount"],
        "why": one["why"],
        "why_words": in_words(words, WHY_WORDS.get(one["why"], one["why"])),
    }


def what_follows(
    rules: RuleSet, house: HouseRules, chairs: Chairs, body: dict[str, Any], winners: list[str], names: dict[str, str]
) -> dict[str, Any]:
    """Say who is East next, who sits out, whether the next hand is a goulash, and what else changes."""
    void = is_void(rules.key, body.get("penalties")) and not winners
    kind: HandKind = "won" if winners else "void" if void else "drawn"
    outcome = Outcome(kind, tuple(int(number) for number in winners))
    after = next_chairs(chairs, outcome, house)
    return {
        "next_east": names[str(after.east)],
        "east_stays": after.east == chairs.east,
        "next_out": [names[str(number)] for number in after.out],
        "goulash_next": after.goulash,
        "seats_change": house.rotation == OFFICIAL and after.wind_of_round != chairs.wind_of_round,
        "kept_most": chairs.kept if has_kept_most(chairs, outcome, house) else 0,
        "game_over": after.game > chairs.game,
        "void": void,
    }


def shown_error(problem: ScoringError, chairs: Chairs, names: dict[str, str], words: Vocabulary) -> dict[str, Any]:
    at = chairs.seated.get(problem.seat or "", problem.seat)
    seat = str(at) if at else None
    return {"message": problem.sentence_in(words), "seat": seat, "name": names.get(seat or ""), "field": problem.field}
