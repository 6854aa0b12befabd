"""Turn a meeting's file into commands, each carried out on a ledger in memory before anything is written.

Winds, sitting out and goulashes come from the rotation; where the file differs, the plan has a note.
"""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from clubscore import scoring
from clubscore.play.command_kinds import ARRIVE, EXCHANGE, HAND, KINDS, LEAVE, NOTE, REMOVE, SEATING, Value
from clubscore.play.edits import EDITS, replay_edited
from clubscore.play.ledger import EditError, Ledger, Player, Seat
from clubscore.play.replay import EntryError, sentence_of
from clubscore.play.scoring_by_seat import PLACES, score_by_seat, wins_of
from clubscore.scoring import ScoringError
from clubscore.scoring.rotation import WINDS, RotationError, SeatingState
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.unlikely_totals import unlikely_totals
from clubscore.scoring.words import with_names
from sessions_app.exchange.imports.meeting_file import (
    COMING_AND_GOING,
    FileHand,
    FileLine,
    FileTable,
    MeetingFile,
    Sitting,
)
from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.table.command_results import SENTENCES

KEYS = uuid.UUID("0c1f8e4a-7f0b-4f0e-9d55-2b8a6f6a1c33")
MAX_NOTE = 200
INPUT_KEYS = {"id", "rules", "house_rules", "wind_of_round", "goulash", "hands", "mahjong", "club_hands", "penalties"}


@dataclass(frozen=True)
class PlannedCommand:
    """One command; `hand` is the file's hand it records, `names` its players by wind as the file has them.

    `key_before` is the key that version 1.0 gave a game’s.
    """

    key: str
    kind: str
    body: dict
    hand: FileHand | None = None
    names: dict[str, str] = field(default_factory=dict)
    key_before: str = ""


class Plan:
    """What to do at one table, done in a ledger of its own: its players are the names in the file."""

    def __init__(self, meeting_file: MeetingFile, table: FileTable) -> None:
        self.meeting_file, self.table, self.words = meeting_file, table, meeting_file.words_of(table)
        self.steps: list[PlannedCommand] = []
        self.notes: list[str] = []
        self.asked: list[str] = []
        seats = [Seat(number, name) for number, name in enumerate(table.start, 1)]
        players = [Player(name, name) for name in (*table.start, *table.players)]
        self.ledger = Ledger(table.rules, table.house_rules, table.club_hands, 0, seats, players)
        self.done = self.ledger.replay()

    @property
    def names(self) -> dict[int, str]:
        """The players by seat number, in the order they came."""
        return self.ledger.names

    @property
    def seating(self) -> SeatingState:
        return self.done.seating

    def seat_no(self, name: str) -> int | None:
        return next((seat_no for seat_no, other in self.names.items() if other == name), None)

    def keys(self, what: object) -> tuple[str, str]:
        """Return the same key for the same place in the same meeting, whenever it is loaded; a game has its own.

        The second is by the meeting too.
        """
        file = self.meeting_file
        meeting = f"{file.name}/" if file.name else ""
        by_meeting = str(uuid.uuid5(KEYS, f"{file.date.isoformat()}/{meeting}{self.table.number_in_keys}/{what}"))
        return str(uuid.uuid5(KEYS, f"{file.game}/{what}")) if file.game else by_meeting, by_meeting

    def add_step(self, kind: str, body: dict, what: object, **facts: Any) -> None:
        """Carry out a command; EntryError or EditError if it cannot be."""
        key, key_before = self.keys(what)
        step = PlannedCommand(key, kind, body, key_before=key_before, **facts)
        self.ledger.before = {}
        must_fit = EDITS[kind](self.ledger, {"key": step.key, "kind": kind, "body": body})
        self.done = replay_edited(self.ledger, must_fit, self.done)
        self.ledger.stored = {hand.key: hand for hand in self.done.hands}
        self.steps.append(step)


def plans_of(meeting_file: MeetingFile) -> list[Plan]:
    """Return a plan for each table, or raise ImportRefused for the first hand that cannot be."""
    return [_plan_of(meeting_file, table) for table in meeting_file.tables]


def _plan_of(meeting_file: MeetingFile, table: FileTable) -> Plan:
    words, plan = meeting_file.words_of(table), None
    where = words
    try:
        scoring.check_club_hands(table.rules, table.club_hands or None)
        plan = Plan(meeting_file, table)
        _sit_round_the_empty_seat(plan)
        for place, hand in enumerate(table.hands):
            where = f"{words}, hand {hand.number}"
            _leave_and_arrive(plan, place)
            _add_lines(plan, hand.number)
            _add_hand(plan, hand, where)
        where = f"{words}, after the last hand"
        _add_lines(plan, None)
    except EditError as error:
        raise ImportRefused(f"{where}: {SENTENCES[error.code].format(**error.params)}") from None
    except (ScoringError, RotationError, EntryError) as error:
        names = plan.names if plan else dict(enumerate(table.start, 1))
        raise ImportRefused(f"{where}: {with_names(sentence_of(error), names)}") from None
    if table.next_hand:
        notes = _sitting_notes(plan, _next_sitting(table), table.next_hand)
        plan.notes += [f"{words}, next hand: {sentence}" for sentence in notes]
    return plan


def _sit_round_the_empty_seat(plan: Plan) -> None:
    """Seat three players as the file has them: a table begins with North empty, which the first step changes."""
    if plan.table.empty in ("", "N"):
        return
    winds = zip((wind for wind in WINDS if wind != plan.table.empty), plan.seating.seated.values(), strict=True)
    plan.add_step(SEATING.key, {"winds": {wind: str(seat_no) for wind, seat_no in winds}, "out": []}, "start")


def _leave_and_arrive(plan: Plan, place: int) -> None:
    """Plan that players leave who are in no hand from here on, and that listed ones arrive who are new in this hand.

    Nothing if the file says itself who comes and goes.
    """
    sitting, table = plan.table.hands[place].sitting, plan.table
    says_so = any(line.kind in COMING_AND_GOING for line in table.lines)
    if says_so or sitting.seats is None or sitting.out is None:
        return
    later = {name for hand in table.hands[place:] for name in hand.sitting.people}
    later |= set(_next_sitting(table).people)
    for seat_no in plan.seating.at_table:
        if plan.names[seat_no] not in later:
            plan.add_step(LEAVE.key, {"seat": str(seat_no)}, f"leave {place + 1} {seat_no}")
    for name in sitting.people:
        if plan.seat_no(name) is None and name in table.players:
            plan.add_step(ARRIVE.key, {"player": name}, f"arrive {place + 1} {len(plan.names) + 1}")


def _add_lines(plan: Plan, number: int | None) -> None:
    """Plan what the file has before a hand, or after the last one: seatings, arrivals, penalties, removed hands."""
    hands = {hand.number for hand in plan.table.hands}
    for place, line in enumerate(plan.table.lines):
        what = f"line {place}"
        if line.before != number and not (number is None and line.before not in hands):
            continue
        if line.hand:
            _add_removed_hand(plan, line.hand, what)
            continue
        if line.kind != ARRIVE.key:
            plan.add_step(*_command_of(plan, line), what)
            continue
        if line.given.get("player") not in plan.table.players:
            whom = "a player arrives who is not in the table’s list of players"
            raise ImportRefused(f"{plan.words}: {whom}.")
        plan.add_step(ARRIVE.key, {"player": line.given["player"]}, what)
        if line.given.get("taken_out"):
            # It keeps the seat for a penalty.
            plan.add_step(REMOVE.key, {"entry": plan.keys(what)[0]}, f"{what} out")


def _add_removed_hand(plan: Plan, hand: FileHand, what: str) -> None:
    """Plan a removed hand: recorded and removed at once, or a note of it if it no longer fits."""
    named = {wind: plan.seat_no(name) for wind, name in (hand.sitting.seats or {}).items()}
    try:
        if set(named.values()) != set(plan.seating.seated.values()):
            raise ScoringError("Other people sit here in the rotation.")
        body = _body_of(plan, hand, {wind: str(seat_no) for wind, seat_no in named.items()})
        score_by_seat(body, plan.seating, plan.table)
    except ScoringError as error:
        note = f"A hand removed before hand {hand.number} no longer fits here. {error}"
        plan.notes.append(f"{plan.words}: {note} A note replaces it.")
        plan.add_step(NOTE.key, {"text": note[:MAX_NOTE]}, what)
        return
    plan.add_step(HAND.key, body, what)
    plan.add_step(REMOVE.key, {"entry": plan.keys(what)[0]}, f"{what} out")


def _command_of(plan: Plan, line: FileLine) -> tuple[str, dict[str, Any]]:
    """Return kind and body of the command for a line; ImportRefused where it names someone who is not at the table."""

    def seat(name: Any) -> str:
        found = plan.seat_no(name) if isinstance(name, str) else None
        if found is None:
            raise ImportRefused(f"{plan.words}: “{line.kind}” names someone who is not at the table.")
        return str(found)

    given = line.given
    if line.kind == LEAVE.key:
        return LEAVE.key, {"seat": seat(given.get("player"))}
    if line.kind == EXCHANGE.key:
        players = given.get("players")
        if not isinstance(players, list) or len(players) != 2:
            raise ImportRefused(f"{plan.words}: an exchange needs two players.")
        return SEATING.key, {"exchange": [seat(name) for name in players]}
    if line.kind == SEATING.key:
        seats, out = given.get("seats"), given.get("sits_out") or []
        if not isinstance(seats, dict) or not isinstance(out, list):
            raise ImportRefused(f"{plan.words}: a seating must name the players at each wind.")
        winds = {wind: seat(seats[wind]) for wind in WINDS if seats.get(wind) is not None}
        return SEATING.key, {"winds": winds, "out": [seat(name) for name in out]}
    kind = KINDS[line.kind]
    seats = {key: seat(given[key]) for key, value in kind.body.items() if value is Value.SEAT and given.get(key)}
    return kind.key, {key: given.get(key) for key in kind.body} | seats


def _add_hand(plan: Plan, hand: FileHand, where: str) -> None:
    """Plan a hand: its tiles go to the players the file names at the winds, and are scored where they sit."""
    plan.notes += [f"{where}: {sentence}" for sentence in _sitting_notes(plan, hand.sitting, hand.expected)]
    seats = _seats_by_wind(plan, hand)
    body = _body_of(plan, hand, seats)
    names = {wind: plan.names[int(seat)] for wind, seat in seats.items()}
    plan.add_step(HAND.key, body, hand.number, hand=hand, names=names)
    winners = {str(win["by"]) for win in wins_of(body)}
    asked = unlikely_totals(scoring.RULE_SETS[plan.table.rules], plan.ledger.house, body["hands"], winners)
    plan.asked += [f"{where}: {plan.names[int(seat)]}: {question}" for seat, question in asked.items()]


def _seats_by_wind(plan: Plan, hand: FileHand) -> dict[str, str]:
    """Return the seat at each wind of the file.

    The players named play with their own tiles, wherever they sit in the rotation. If others play by the rotation, or
    the file contradicts itself on who sat where, the winds are those of the rotation.
    """
    seats = hand.sitting.seats or {}
    named = {wind: plan.seat_no(name) for wind, name in seats.items()}
    is_same = set(named.values()) == set(plan.seating.seated.values())
    nets, by_name = hand.expected["net_by_wind"], hand.expected["net"]
    contradicts_itself = bool(by_name) and any(net != by_name.get(seats.get(wind)) for wind, net in nets.items())
    winds = named if is_same and not contradicts_itself else plan.seating.seated
    return {wind: str(seat_no) for wind, seat_no in winds.items()}


def _body_of(plan: Plan, hand: FileHand, seats: dict[Any, Any]) -> dict[str, Any]:
    """Return the body of a hand's command: the score format by seat number, not by wind, and what does not count."""
    given = hand.given
    unknown = sorted(set(given) - INPUT_KEYS)
    if unknown:
        raise ScoringError(
            "The hand has the field “{typed}”, which a hand at a table cannot have.", typed=unknown[0][:40]
        )
    hands = given.get("hands") or {}
    for wind in hands:
        if wind.upper() not in seats:
            raise ScoringError("There are tiles for “{typed}”, but nobody plays there.", field="hands", typed=wind[:20])
    body: dict[str, Any] = {"hands": {seats[wind.upper()]: form for wind, form in hands.items()}}
    body["mahjong"] = _by_seat(given.get("mahjong"), ("by", "from"), seats)
    if given.get("penalties"):
        body["penalties"] = _by_seat(given["penalties"], ("by", "to"), seats)
    if hand.other_forms:
        body["beside"] = {seats[wind]: form for wind, form in hand.other_forms.items() if wind in seats}
    if hand.agreed is not None:
        body["agreed"] = str(plan.seat_no(hand.agreed) or "")
    return body


def _by_seat(row, fields, seats):
    """Replace winds by seat numbers; what is no wind is left for the scorer to refuse."""
    if isinstance(row, list):
        return [_by_seat(one, fields, seats) for one in row]
    if not isinstance(row, dict):
        return row
    found = dict(row)
    for name in fields:
        word = row.get(name)
        if isinstance(word, str):
            is_place = word.lower() in PLACES
            found[name] = word.lower() if is_place else seats.get(word.upper(), f"nobody at {word}")
    return found


def _sitting_notes(plan: Plan, sitting: Sitting, expected: dict[Any, Any]) -> Iterator[str]:
    """Yield where the file seats other players than the rotation."""
    seating = plan.seating
    for wind in WINDS:
        here, there = plan.names.get(seating.seated.get(wind) or 0), (sitting.seats or {}).get(wind)
        if sitting.seats and here != there:
            yield f"the file has {there or 'nobody'} as {WIND_NAMES[wind]}; in the rotation it is {here or 'nobody'}."
    out = [plan.names[seat_no] for seat_no in seating.out]
    if sitting.out is not None and list(sitting.out) != out:
        file_out = " and ".join(sitting.out) or "nobody"
        yield f"the file has {file_out} sitting out, but in the rotation it is {' and '.join(out) or 'nobody'}."
    wind = expected.get("wind_of_round", seating.wind_of_round)
    if wind != seating.wind_of_round:
        rotation, name = WIND_NAMES[seating.wind_of_round], WIND_NAMES.get(str(wind), "another")
        yield f"the file has {name} as wind of the round, but in the rotation it is {rotation}."
    if "goulash" in expected and expected["goulash"] is not seating.goulash:
        words = (
            "it is a goulash, but the file does not say"
            if seating.goulash
            else "it is not a goulash, but the file says"
        )
        yield f"{words} so."


def _next_sitting(table: FileTable) -> Sitting:
    """Return who would sit where in the next hand, as far as the file can be read."""
    seats, out = table.next_hand.get("seats"), table.next_hand.get("sits_out")
    names = {wind: name for wind, name in seats.items() if isinstance(name, str)} if isinstance(seats, dict) else None
    waiting = tuple(name for name in (out if isinstance(out, list) else [out]) if isinstance(name, str))
    return Sitting(names, waiting if "sits_out" in table.next_hand else None)
