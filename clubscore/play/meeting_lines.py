"""What the file of a meeting has for each entry at a table: by names and winds, instead of by seats."""

from collections.abc import Iterable, Mapping
from typing import Any

from clubscore.play.board import Board
from clubscore.play.command_kinds import ARRIVE, HAND, KINDS, LEAVE, SEATING, Value
from clubscore.play.scoring_by_seat import reseated
from clubscore.scoring.rotation import WINDS, SeatingState

# A club looks at no more games of a tablet at once, and at no more hands and other entries of them all.
MOST_GAMES, MOST_ENTRIES = 50, 600


class MeetingLines:
    """Writes the entries of one table; `names` are its players by seat number."""

    def __init__(self, table: int, rules: str, names: Mapping[int, str]) -> None:
        self.table, self.rules, self.names = table, rules, names

    def sitting(self, seated: Mapping[str, Any], out: Iterable[int]) -> dict[str, Any]:
        """Return who sits where; one player who sits out is a name, several are a list."""
        names = [self.names[seat_no] for seat_no in out]
        return {
            "seats": {wind: self.names[seated[wind]] for wind in WINDS if seated.get(wind)},
            "sits_out": names if len(names) > 1 else names[0] if names else None,
        }

    def hand(self, body: Mapping[str, Any], seating: SeatingState, number: int) -> dict[str, Any]:
        """Return who sat where, a hand's body in the score format, and what of it does not count."""
        return {
            **self.sitting(seating.seated, seating.out),
            "input": self._input(body, seating, number),
            **self._uncounted(body, seating),
        }

    def _uncounted(self, body: Mapping[str, Any], seating: SeatingState) -> dict[str, Any]:
        """Return what does not count: other versions of a hand, and who agreed to it if that was asked."""
        winds = _winds(seating)
        found: dict[str, Any] = {}
        if isinstance(body.get("beside"), dict):
            versions = sorted(body["beside"].items())
            found["beside"] = {winds[seat_no]: form for seat_no, form in versions if seat_no in winds}
        if "agreed" in body:
            found["agreed"] = self.names[int(body["agreed"])] if body["agreed"] else ""
        return found

    def _input(self, body: Mapping[str, Any], seating: SeatingState, number: int) -> dict[str, Any]:
        winds, hands = _winds(seating), body.get("hands", {})
        by_seat = {wind: seat_no for seat_no, wind in winds.items()}
        found: dict[str, Any] = {
            "id": f"t{self.table}h{number:02}",
            "rules": self.rules,
            "wind_of_round": seating.wind_of_round,
            "hands": {wind: hands[by_seat[wind]] for wind in WINDS if by_seat.get(wind) in hands},
        }
        if body.get("mahjong"):
            found["mahjong"] = reseated(body["mahjong"], winds)
        if seating.goulash:
            found["goulash"] = True
        if body.get("penalties"):
            found["penalties"] = [reseated(penalty, winds) for penalty in body["penalties"]]
        return found

    def line(self, kind: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the file has for an entry that is not a hand."""
        if kind in (ARRIVE.key, LEAVE.key):
            return {"kind": kind, "player": self._name(body["seat"])}
        if kind != SEATING.key:
            values = KINDS[kind].body
            seats = {key: self._name(body[key]) for key in values if values[key] is Value.SEAT and body.get(key)}
            return {"kind": kind, **{key: body[key] for key in values if key in body}, **seats}
        if "exchange" in body:
            return {"kind": "exchange", "players": [self._name(seat) for seat in body["exchange"]]}
        winds = body["winds"]
        return {
            "kind": "seating",
            "seats": {wind: self._name(winds[wind]) for wind in WINDS if wind in winds},
            "sits_out": [self._name(seat) for seat in body.get("out") or []],
        }

    def _name(self, seat: Any) -> str:
        return self.names[int(seat)]


def _winds(seating: SeatingState) -> dict[str, Any]:
    """Return each seat's wind, by the seat's number as the body of a hand writes it."""
    return {str(seat_no): wind for wind, seat_no in seating.seated.items()}


def game_table(board: Board) -> dict[str, Any]:
    """Return a game that no club has as a table in the file of a meeting, for a club to import."""
    ledger, facts = board.ledger, board.facts
    lines = MeetingLines(1, facts.rules, ledger.names)
    hands: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    for entry in ledger.entries:
        hand = board.results.get(entry.key)
        if entry.removed or (entry.kind == HAND.key and hand is None):
            continue
        if hand:
            number = len(hands) + 1
            hands.append({"number": number, **lines.hand(entry.body, hand.seating, number)})
        else:
            others.append({"before": len(hands) + 1, **lines.line(entry.kind, entry.body)})
    start = [seat.seat_no for seat in ledger.seats if seat.at_start]
    return {
        "table": 1,
        "rules": facts.rules,
        "house_rules": dict(facts.house_rules),
        "starting_balance": ledger.starting_balance,
        "sticks": facts.settling["sticks"],
        "players": list(ledger.names.values()),
        "start": lines.sitting(dict(zip(WINDS, start, strict=False)), start[4:]),
        "hands": hands,
        "lines": others,
        "finished": not ledger.is_open,
        "final": {board.names[seat]: tally.net for seat, tally in board.tallies.items()},
    }
