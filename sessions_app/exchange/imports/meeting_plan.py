"""Turn a meeting's file into commands: who holds what by seat, each hand tried before anything is written.

Winds, sitting out and goulashes come from the rotation, as in the replay; where the file differs, the plan has a note.
"""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from clubscore import scoring
from clubscore.scoring import HouseRules, ScoringError
from clubscore.scoring.rotation import (
    WINDS,
    RotationError,
    SeatingState,
    arrive,
    exchange,
    first_seating,
    leave,
    next_seating,
    seat_as,
)
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.unlikely_totals import unlikely_totals
from clubscore.scoring.words import with_names
from clubscore.table.command_kinds import ARRIVE, EXCHANGE, FINE, LEAVE, SEATING
from clubscore.table.live_scoring import PLACES, score_by_seat, wins_of
from clubscore.table.replay import outcome_of, sentence_of
from sessions_app.exchange.imports.meeting_file import (
    COMING_AND_GOING,
    FileHand,
    FileLine,
    FileTable,
    MeetingFile,
    Sitting,
)
from sessions_app.exchange.imports.sheet_text import ImportRefused

KEYS = uuid.UUID("0c1f8e4a-7f0b-4f0e-9d55-2b8a6f6a1c33")
MAX_NOTE = 200
INPUT_KEYS = {"id", "rules", "house_rules", "wind_of_round", "goulash", "hands", "mahjong", "club_hands", "penalties"}


@dataclass(frozen=True)
class Step:
    """One command; `hand` is the file's hand it records, `names` its people by wind as the file has them.

    `counts` is not so for a hand that is recorded only to be taken out again by the step behind it.
    """

    key: str
    kind: str
    body: dict
    hand: FileHand | None = None
    names: dict[str, str] = field(default_factory=dict)
    counts: bool = True


@dataclass
class Plan:
    """What to do at one table. `names` are the people by seat number, in the order they came."""

    meeting_file: MeetingFile
    table: FileTable
    house: HouseRules
    names: dict[int, str]
    seating: SeatingState
    steps: list[Step] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    @property
    def hand_steps(self) -> list[Step]:
        return [step for step in self.steps if step.hand]

    def seat(self, name: str) -> int | None:
        return next((seat for seat, other in self.names.items() if other == name), None)


def plans_of(meeting_file: MeetingFile) -> list[Plan]:
    """Return a plan for each table, or raise ImportRefused for the first hand that cannot be."""
    return [plan_of(meeting_file, table) for table in meeting_file.tables]


def plan_of(meeting_file: MeetingFile, table: FileTable) -> Plan:
    where = f"Table {table.number}"
    try:
        house = scoring.house_rules(table.rules, table.house_rules)
        scoring.check_club_hands(table.rules, table.club_hands or None)
        seating = first_seating(range(1, len(table.start) + 1), house)
    except (ScoringError, RotationError) as error:
        raise ImportRefused(f"{where}: {error}") from None
    plan = Plan(meeting_file, table, house, dict(enumerate(table.start, 1)), seating)
    sit_round_the_empty_seat(plan)
    for place, hand in enumerate(table.hands):
        where = f"Table {table.number}, hand {hand.number}"
        try:
            come_and_go(plan, place)
            between(plan, hand.number)
            play(plan, hand, where)
        except (ScoringError, RotationError) as error:
            raise ImportRefused(f"{where}: {with_names(sentence_of(error), plan.names)}") from None
    where = f"Table {table.number}, after the last hand"
    try:
        between(plan, None)
    except RotationError as error:
        raise ImportRefused(f"{where}: {with_names(sentence_of(error), plan.names)}") from None
    if table.next_hand:
        plan.notes += next_hand_notes(plan)
    return plan


def sit_round_the_empty_seat(plan: Plan) -> None:
    """Seat three players as the file has them: a table begins with North empty, which the first line changes."""
    if plan.table.empty in ("", "N"):
        return
    winds = dict(zip((wind for wind in WINDS if wind != plan.table.empty), plan.seating.seated.values(), strict=True))
    plan.seating = seat_as(plan.seating, winds)
    by_wind = {wind: str(seat) for wind, seat in winds.items()}
    add_step(plan, "seating", {"winds": by_wind, "out": []}, "start")


def key_of(plan: Plan, what: object) -> str:
    """Return the same key for the same place in the same meeting, whenever it is loaded."""
    meeting_file = plan.meeting_file
    meeting = f"{meeting_file.meeting.name}/" if meeting_file.meeting.name else ""
    return str(uuid.uuid5(KEYS, f"{meeting_file.date.isoformat()}/{meeting}{plan.table.number_in_keys}/{what}"))


def come_and_go(plan: Plan, place: int) -> None:
    """Let leave who is not named from this hand on, and arrive who is named for the first time and is on the list.

    Nothing where the file has lines for it.
    """
    sitting, table = plan.table.hands[place].sitting, plan.table
    says_so = any(line.kind in COMING_AND_GOING for line in table.lines)
    if says_so or sitting.seats is None or sitting.out is None:
        return
    later = {name for hand in table.hands[place:] for name in hand.sitting.people}
    later |= set(next_sitting(table).people)
    for seat in plan.seating.at_table:
        if plan.names[seat] not in later:
            plan.seating = leave(plan.seating, seat)
            add_step(plan, "leave", {"seat": str(seat)}, f"leave {place + 1} {seat}")
    for name in sitting.people:
        if plan.seat(name) is None and name in table.players:
            seat = len(plan.names) + 1
            plan.seating = arrive(plan.seating, seat)
            plan.names[seat] = name
            add_step(plan, "arrive", {"name": name}, f"arrive {place + 1} {seat}")


def between(plan: Plan, number: int | None) -> None:
    """Plan what the file has before a hand, or after the last one: seatings as they were, fines, notes, hands out."""
    hands = {hand.number for hand in plan.table.hands}
    for place, line in enumerate(plan.table.lines):
        if line.before == number or (number is None and line.before not in hands):
            if line.hand:
                taken_out(plan, line.hand, f"line {place}")
                continue
            if line.kind == ARRIVE.key:
                arrived(plan, line, f"line {place}")
                continue
            kind, body = line_body(plan, line)
            if kind == LEAVE.key:
                plan.seating = leave(plan.seating, int(body["seat"]))
            if "winds" in body:
                winds = {wind: int(seat) for wind, seat in body["winds"].items()}
                plan.seating = seat_as(plan.seating, winds, map(int, body["out"]))
            elif "exchange" in body:
                plan.seating = exchange(plan.seating, *map(int, body["exchange"]))
            add_step(plan, kind, body, f"line {place}")


def arrived(plan: Plan, line: FileLine, what: str) -> None:
    """Plan that someone comes, or comes back to the old seat; one that was taken out keeps the seat for a fine."""
    name = line.given.get("player")
    if name not in plan.table.players:
        raise ImportRefused(f"Table {plan.table.number}: a player arrives who is not in the table’s list of players.")
    seat = plan.seat(name) or len(plan.names) + 1
    seating = arrive(plan.seating, seat)
    plan.names[seat] = name
    step = Step(key_of(plan, what), "arrive", {"name": name})
    plan.steps.append(step)
    if line.given.get("taken_out"):
        add_step(plan, "take_out", {"entry": step.key}, f"{what} out")
    else:
        plan.seating = seating


def taken_out(plan: Plan, hand: FileHand, what: str) -> None:
    """Plan a hand that was taken out: recorded and taken out at once, or a note of it where it fits no more."""
    named = {wind: plan.seat(name) for wind, name in (hand.sitting.seats or {}).items()}
    try:
        if set(named.values()) != set(plan.seating.seated.values()):
            raise ScoringError("Other people sit here in the rotation.")
        seats = {wind: str(seat) for wind, seat in named.items()}
        body = body_of(hand.given, seats) | aside(plan, hand, seats)
        score_by_seat(body, plan.seating, plan.table)
    except ScoringError as error:
        note = f"A hand removed before hand {hand.number} no longer fits here. {error}"
        plan.notes.append(f"Table {plan.table.number}: {note} A note replaces it.")
        add_step(plan, "note", {"text": note[:MAX_NOTE]}, what)
        return
    recorded = Step(key_of(plan, what), "hand", body, counts=False)
    plan.steps.append(recorded)
    add_step(plan, "take_out", {"entry": recorded.key}, f"{what} out")


def line_body(plan: Plan, line: FileLine) -> tuple[str, dict]:
    """Return kind and body of a line of the ledger; ImportRefused where it names someone who is not at the table."""

    def seat(name):
        found = plan.seat(name) if isinstance(name, str) else None
        if found is None:
            raise ImportRefused(f"Table {plan.table.number}: a {line.kind} names someone who is not at the table.")
        return str(found)

    given = line.given
    if line.kind == LEAVE.key:
        return "leave", {"seat": seat(given.get("player"))}
    if line.kind == EXCHANGE.key:
        players = given.get("players")
        if not isinstance(players, list) or len(players) != 2:
            raise ImportRefused(f"Table {plan.table.number}: an exchange needs two players.")
        return "seating", {"exchange": [seat(name) for name in players]}
    if line.kind == SEATING.key:
        seats, out = given.get("seats"), given.get("sits_out") or []
        if not isinstance(seats, dict) or not isinstance(out, list):
            raise ImportRefused(f"Table {plan.table.number}: a seating must name the players at each wind.")
        winds = {wind: seat(seats[wind]) for wind in WINDS if seats.get(wind) is not None}
        return "seating", {"winds": winds, "out": [seat(name) for name in out]}
    if line.kind == FINE.key:
        to = seat(given["to"]) if given.get("to") else None
        why = str(given.get("why") or "")
        return "fine", {"by": seat(given.get("by")), "to": to, "amount": given.get("amount"), "why": why}
    return "note", {"text": str(given.get("text") or "")}


def add_step(plan: Plan, kind: str, body: dict, what: object) -> None:
    plan.steps.append(Step(key_of(plan, what), kind, body))


def play(plan: Plan, hand: FileHand, where: str) -> None:
    """Plan a hand: its tiles go to the people the file names at the winds, and are scored where they sit."""
    seating = plan.seating
    plan.notes += [f"{where}: {sentence}" for sentence in sitting_notes(plan, hand.sitting, hand.says)]
    plan.notes += [f"{where}: {sentence}" for sentence in input_notes(plan, hand)]
    seats = seats_by_wind(plan, hand)
    body = body_of(hand.given, seats) | aside(plan, hand, seats)
    score_by_seat(body, seating, plan.table)
    plan.asked += [f"{where}: {sentence}" for sentence in totals_asked_about(plan, body)]
    plan.seating = next_seating(seating, outcome_of(body, plan.house), plan.house)
    names = {wind: plan.names[int(seat)] for wind, seat in seats.items()}
    plan.steps.append(Step(key_of(plan, hand.number), "hand", body, hand, names))


def totals_asked_about(plan: Plan, body: dict) -> list[str]:
    """Ask about each typed total that the rules make unlikely."""
    winners = {str(win["by"]) for win in wins_of(body)}
    asked = unlikely_totals(scoring.RULE_SETS[plan.table.rules], plan.house, body["hands"], winners)
    return [f"{plan.names[int(seat)]}: {question}" for seat, question in asked.items()]


def seats_by_wind(plan: Plan, hand: FileHand) -> dict[str, str]:
    """Return the seat behind each wind of the file.

    The people named play with their own tiles, wherever the rotation has them sit. Where others play by the rotation,
    or the file contradicts itself on who sat where, the rotation's winds hold.
    """
    by_rotation = {wind: str(seat) for wind, seat in plan.seating.seated.items()}
    named = {wind: plan.seat(name) for wind, name in (hand.sitting.seats or {}).items()}
    if set(named.values()) != set(plan.seating.seated.values()) or contradicts_itself(hand):
        return by_rotation
    return {wind: str(seat) for wind, seat in named.items()}


def contradicts_itself(hand: FileHand) -> bool:
    """Say whether the nets by wind and by name belong to other people than the file seats."""
    nets, by_name = hand.says["net_by_wind"], hand.says["net"]
    seats = hand.sitting.seats or {}
    return bool(by_name) and any(nets[wind] != by_name.get(seats.get(wind)) for wind in nets)


def body_of(given: dict, seats: dict[str, str]) -> dict:
    """Return the ledger's body of an entered hand: the score format, by seat number instead of wind."""
    unknown = sorted(set(given) - INPUT_KEYS)
    if unknown:
        raise ScoringError(
            "The hand has the field “{typed}”, which a hand at a table cannot have.", typed=unknown[0][:40]
        )
    hands = given.get("hands") or {}
    for wind in hands:
        if wind.upper() not in seats:
            raise ScoringError("There are tiles for “{typed}”, but nobody plays there.", field="hands", typed=wind[:20])
    body = {"hands": {seats[wind.upper()]: form for wind, form in hands.items()}}
    body["mahjong"] = seated(given.get("mahjong"), ("by", "from"), seats)
    if given.get("penalties"):
        body["penalties"] = seated(given["penalties"], ("by", "to"), seats)
    return body


def aside(plan: Plan, hand: FileHand, seats: dict[str, str]) -> dict:
    """Return what the ledger's body holds that does not count."""
    found = {}
    if hand.other_forms:
        found["beside"] = {seats[wind]: form for wind, form in hand.other_forms.items() if wind in seats}
    if hand.agreed is not None:
        found["agreed"] = str(plan.seat(hand.agreed) or "")  # type: ignore[assignment]
    return found


def seated(row: Any, names: tuple[str, ...], seats: dict[str, str]) -> Any:
    """Put seat numbers for winds; what is no wind is left for the scorer to refuse."""
    if isinstance(row, list):
        return [seated(one, names, seats) for one in row]
    if not isinstance(row, dict):
        return row
    return {**row, **{name: place_of(row[name], seats) for name in names if name in row}}


def place_of(word: Any, seats: dict[str, str]) -> Any:
    if not isinstance(word, str):
        return word
    return word.lower() if word.lower() in PLACES else seats.get(word.upper(), f"nobody at {word}")


def input_notes(plan: Plan, hand: FileHand) -> Iterator[str]:
    """Yield where the entered hand itself differs from the table."""
    given, table = hand.given, plan.table
    if "goulash" in given and given["goulash"] is not plan.seating.goulash and "goulash" not in hand.says:
        yield goulash_note(plan.seating)
    wind = str(given.get("wind_of_round", plan.seating.wind_of_round)).upper()
    if wind != plan.seating.wind_of_round and "wind_of_round" not in hand.says:
        yield wind_of_round_note(wind, plan.seating)
    if str(given.get("rules", table.rules)).lower() != table.rules:
        yield f"it was entered with {given['rules']} rules, but the table plays {table.rules} rules."
    if given.get("house_rules") and given["house_rules"] != table.house_rules:
        yield "it was entered with other house rules. The table’s own are used."


def sitting_notes(plan: Plan, sitting: Sitting, says: dict) -> Iterator[str]:
    """Yield where the file seats other people than the rotation."""
    seating = plan.seating
    for wind in WINDS:
        seat = seating.seated.get(wind)
        here, there = plan.names.get(seat), (sitting.seats or {}).get(wind)
        if sitting.seats and here != there:
            yield f"the file has {there or 'nobody'} as {WIND_NAMES[wind]}; in the rotation it is {here or 'nobody'}."
    out = [plan.names[seat] for seat in seating.out]
    if sitting.out is not None and list(sitting.out) != out:
        file_out = " and ".join(sitting.out) or "nobody"
        yield f"the file has {file_out} sitting out, but in the rotation it is {' and '.join(out) or 'nobody'}."
    wind = says.get("wind_of_round", seating.wind_of_round)
    if wind != seating.wind_of_round:
        yield wind_of_round_note(str(wind), seating)
    if "goulash" in says and says["goulash"] is not seating.goulash:
        yield goulash_note(seating)


def wind_of_round_note(wind: str, seating: SeatingState) -> str:
    name = WIND_NAMES.get(wind, "another")
    return f"the file has {name} as wind of the round, but in the rotation it is {WIND_NAMES[seating.wind_of_round]}."


def goulash_note(seating: SeatingState) -> str:
    if seating.goulash:
        return "it is a goulash, but the file does not say so."
    return "it is not a goulash, but the file says so."


def next_sitting(table: FileTable) -> Sitting:
    """Read who would sit where in the next hand, as far as that can be read."""
    seats, out = table.next_hand.get("seats"), table.next_hand.get("sits_out")
    names = {wind: name for wind, name in seats.items() if isinstance(name, str)} if isinstance(seats, dict) else None
    waiting = tuple(name for name in (out if isinstance(out, list) else [out]) if isinstance(name, str))
    return Sitting(names, waiting if "sits_out" in table.next_hand else None)


def next_hand_notes(plan: Plan) -> list[str]:
    notes = sitting_notes(plan, next_sitting(plan.table), plan.table.next_hand)
    return [f"Table {plan.table.number}, next hand: {sentence}" for sentence in notes]
