"""The score that hand entry shows while a hand is entered: whole where it can be, else what is known of each player.

The figures come from scoring_by_seat.py; here they get names, reasons and what follows.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from clubscore.play.scoring_by_seat import (
    NOT_CHOSEN,
    club_hand_keys,
    last_tile_state,
    last_tiles,
    other_versions,
    score_alone,
    score_by_seat,
    shown_lines,
    special_names,
    unsure_of,
    unsure_words,
    wins_of,
    with_lowest_tile,
)
from clubscore.scoring import RULE_SETS, RuleSet, ScoringError, is_void
from clubscore.scoring.read_hand import read_hand
from clubscore.scoring.rotation import OFFICIAL, HandKind, HandOutcome, SeatingState, has_kept_most, next_seating
from clubscore.scoring.rule_table import compile_table
from clubscore.scoring.score_format import house_rules
from clubscore.scoring.unlikely_totals import unlikely_totals
from clubscore.scoring.words import MINUS, Vocabulary, in_words
from clubscore.scoring.words import whole as figure

ENDS = ("from", "to")
LOSERS_TILES = 13
WHY_WORDS = {"mah-jong": "for Mah-jong", "difference": "difference in scores", "penalty": "penalty"}


class EnteredHand:
    """A hand that is entered in part or whole, scored as far as it can be; what the rules refuse is its `error`.

    `seats` and `sits_out` name its people as the page of hand entry does. `body` is the hand as it is scored: as
    entered, with the last tile that scores least if none is chosen.
    """

    def __init__(
        self,
        session: Any,
        seating: SeatingState,
        entered: dict[str, Any],
        seats: list[dict[str, Any]],
        sits_out: list[dict[str, Any]],
        no_winner: bool = False,
    ) -> None:
        self.session, self.seating, self.seats, self.sits_out = session, seating, seats, sits_out
        self.rules, self.words = RULE_SETS[session.rules], session.vocabulary()
        self.house = house_rules(self.rules.key, session.house_rules)
        self.names = {seat["number"]: seat["name"] for seat in seats}
        hands = entered.get("hands") or {}
        self.hands = {number: hands[number] for number in self.names if hands.get(number) is not None}
        totals_by_tile = last_tiles(session, seating, entered)
        self.last_tile = {number: last_tile_state(entered, number, totals_by_tile) for number in self.names}
        self.body = with_lowest_tile(entered, seating, totals_by_tile)
        self.winners = winners_of(self.body)
        self.is_void = not self.winners and is_void(self.rules.key, self.body.get("penalties"))
        self.has_ended = bool(self.winners) or no_winner or self.is_void
        self.error: ScoringError | None = None
        self.whole = self._whole() if self._is_complete() else None
        self.results = self.whole["hands"] if self.whole else self._partly_scored()

    def _is_complete(self) -> bool:
        """Return whether nothing is left to enter.

        A void hand needs no tiles; a discarder who pays more must be chosen before anyone pays.
        """
        is_payer_asked = compile_table(self.house).discarder_pays_more
        is_payer_unknown = is_payer_asked and any("from" in state["not_chosen"] for state in self.last_tile.values())
        has_hands = self.is_void or len(self.hands) == len(self.seats)
        return has_hands and self.has_ended and not is_payer_unknown

    def _whole(self) -> dict[str, Any] | None:
        try:
            return score_by_seat(self.body, self.seating, self.session)
        except ScoringError as problem:
            self.error = problem
            return None

    def _partly_scored(self) -> dict[str, Any]:
        """Score each hand entered so far alone: a winner's against blank hands, the others as losers'."""
        found, wins = {}, {str(win.get("by")): win for win in wins_of(self.body)}
        for number, hand in self.hands.items():
            try:
                found[number] = score_alone(self.session, self.seating, self.body, number, hand)
            except ScoringError as problem:
                is_complete = number not in wins or {"from", "tile"} <= set(wins[number])
                found[number] = {"note": problem.sentence_in(self.words) if is_complete else ""}
        return found

    def shown(self, sticks: Callable[[list[dict[str, Any]]], list[str]] | None = None) -> dict[str, Any]:
        """Return the score as score_fragments.score shows it.

        `sticks` returns which tally sticks to hand over for payments; it is None for an earlier hand, before which
        other sticks were on the table.
        """
        paid = self.whole["payments"] if self.whole else []
        return {
            "state": "whole" if self.whole else "part" if self.hands else "empty",
            "error": self._shown_error(),
            "players": self._players(),
            "payments": self._payments(),
            "at_table": {seat["wind"]: (seat["number"], seat["name"]) for seat in self.seats},
            "flows": [(payment["from"], payment["to"], payment["amount"]) for payment in paid],
            "sticks": sticks(paid) if self.whole and sticks else [],
            "nobody_pays": bool(self.whole) and self.house.recording == "straight",
            **(self._what_follows() if self.whole else {}),
        }

    def _shown_error(self) -> dict[str, Any] | None:
        problem = self.error
        if problem is None:
            return None
        at = self.seating.seated.get(problem.seat or "", problem.seat)
        seat, message = str(at) if at else None, problem.sentence_in(self.words)
        return {"message": message, "seat": seat, "name": self.names.get(seat or ""), "field": problem.field}

    def _players(self) -> list[dict[str, Any]]:
        """Return each player's part of the score."""
        others, not_sure = other_versions(self.session, self.seating, self.body, self.words), unsure_of(self.body)
        questions, specials = questions_about_totals(self.session, self.body), special_names(self.session)
        own = club_hand_keys(self.session)
        players = []
        for seat in self.seats:
            number, state = seat["number"], self.last_tile[seat["number"]]
            wins = number in self.winners
            unsure = [unsure_words(thing) for thing in not_sure.get(number, [])]
            unsure += [NOT_CHOSEN[missing] for missing in state["not_chosen"]]
            players.append(
                {
                    **seat,
                    "wins": wins,
                    "entered": number in self.hands,
                    **_shown_result(self.results.get(number) or {}, specials),
                    "lines": shown_lines(self.words, (self.results.get(number) or {}).get("lines", ()), own),
                    "net": self.whole["net"][number] if self.whole else None,
                    "beside": others.get(number, ""),
                    "question": questions.get(number, ""),
                    "fishes": None if wins else self._fishes(number, seat["wind"], specials),
                    **state,
                    "unsure": [in_words(self.words, sentence) for sentence in unsure],
                    "counts": wins or not self.winners or not self.rules.winner_alone_scores,
                }
            )
        return players

    def _fishes(self, number: str, wind: str, specials: Mapping[str, str]) -> dict[str, Any] | None:
        """Return the special hand that thirteen tiles fish for, if nobody said so and it scores more."""
        hand, total = self.hands.get(number), (self.results.get(number) or {}).get("total")
        # What cannot be scored may be anything.
        if hand is None or total is None or not compile_table(self.house).fishing_specials:
            return None
        held = read_hand(hand, wind)
        if held.entered_as != "tiles" or held.fishing or held.size() != LOSERS_TILES:
            return None
        try:
            fishing = score_alone(self.session, self.seating, self.body, number, {**hand, "fishing": True})
        except ScoringError:
            return None
        name = specials.get(fishing.get("fishing_for"))
        return {"name": name, "total": figure(fishing["total"])} if name and fishing["total"] > total else None

    def _payments(self) -> list[dict[str, Any]]:
        """Return who pays whom, how much and why, with the names of the players."""
        if self.whole is None:
            return []
        totals = totals_that_explain(self.rules, {seat: hand["total"] for seat, hand in self.results.items()})
        is_for_all = is_paid_for_all(self.whole["payments"], bool(self.winners))
        found = []
        for paid in self.whole["payments"]:
            ends = {end: paid[end] and {"number": paid[end], "name": self.names.get(paid[end], "")} for end in ENDS}
            why_words = why_paid(paid, totals, str(self.seating.east), is_for_all, self.words)
            found.append({**ends, "amount": paid["amount"], "why": paid["why"], "why_words": why_words})
        return found

    def _what_follows(self) -> dict[str, Any]:
        """Return who is East next, who sits out, whether the next hand is a goulash, and what else changes."""
        names = self.names | {seat["number"]: seat["name"] for seat in self.sits_out}
        kind: HandKind = "won" if self.winners else "void" if self.is_void else "drawn"
        outcome = HandOutcome(kind, tuple(int(number) for number in self.winners))
        seating, after = self.seating, next_seating(self.seating, outcome, self.house)
        return {
            "next_east": names[str(after.east)],
            "east_stays": after.east == seating.east,
            "next_out": [names[str(number)] for number in after.out],
            "goulash_next": after.goulash,
            "seats_change": self.house.rotation == OFFICIAL and after.wind_of_round != seating.wind_of_round,
            "kept_most": seating.kept if has_kept_most(seating, outcome, self.house) else 0,
            "game_over": after.game > seating.game,
            "void": self.is_void,
        }


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


def _shown_result(result: dict[str, Any], specials: dict[str, str]) -> dict[str, Any]:
    return {
        "note": result.get("note", ""),
        **{key: result.get(key) for key in ("total", "points", "doubles", "times", "limited")},
        "special": specials.get(result.get("special", ""), ""),
        "fishing_for": specials.get(result.get("fishing_for", ""), ""),
    }


def totals_that_explain(rules: RuleSet, totals: dict[Any, int]) -> dict[Any, int]:
    """Return the totals for `why_paid`; none under rules where a share is not a multiple of a total."""
    return {} if rules.discarder_pays_more else totals


def is_paid_for_all(payments: Iterable[Mapping[str, Any]], has_winner: bool) -> bool:
    """Return whether someone won and one player pays for all losers."""
    return has_winner and all(paid["why"] == "penalty" for paid in payments)


def why_paid(
    paid: Mapping[str, Any], totals: Mapping[Any, int], east: Any, is_for_all: bool, words: Vocabulary = ()
) -> str:
    """Return why a player pays another: "for Mah-jong, East pays double: 2 × 152".

    `paid` has `from`, `to`, `amount` and `why`; `totals` are by seat, as `from`, `to` and `east` name them.
    `is_for_all` as is_paid_for_all.
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
