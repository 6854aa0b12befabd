"""The replay: a session's facts and entries in; hands, payments, seating and tallies out. Reads and writes nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from clubscore.play.command_kinds import ARRIVE, HAND, LEAVE, PENALTY, SEATING
from clubscore.play.scoring_by_seat import score_by_seat, wins_of
from clubscore.scoring import RULE_SETS, HouseRules, ScoringError, is_void
from clubscore.scoring import rotation as turning
from clubscore.scoring.rotation import HandKind, HandOutcome, RotationError, SeatingState
from clubscore.scoring.words import Vocabulary, literal


@dataclass(frozen=True)
class SessionFacts:
    """What is fixed for a session: its rules, who sat down at the start, and all who did (seat numbers in order)."""

    rules: str
    house_rules: Mapping[str, Any]
    club_hands: Sequence[Mapping[str, Any]]
    house: HouseRules
    edition: int
    starting_balance: int
    start: tuple[int, ...]
    seats: tuple[int, ...]


@dataclass(eq=False)
class Entry:
    """One entry of the ledger; `played_in` is the seating in which a hand was accepted, `author` its recorder."""

    key: str
    kind: str
    body: Any
    version: int = 1
    removed: bool = False
    played_in: Any = None
    device: str = ""
    author: Any = None

    def state(self) -> dict[str, Any]:
        """Return what the log keeps of an entry, which undo restores."""
        state = {"kind": self.kind, "body": self.body, "taken_out": self.removed}
        if self.kind == HAND.key:
            state["played_in"] = self.played_in
        return state


@dataclass(frozen=True)
class SeatResult:
    """One seat in one hand; no wind: sitting out."""

    seat: int
    wind: str = ""
    points: int | None = None
    doubles: int | None = None
    times: int | None = None
    total: int = 0
    limited: bool = False
    special: str = ""
    fishing_for: str = ""
    won: bool = False
    lines: tuple[Any, ...] = ()
    net: int = 0


class Paid(NamedTuple):
    payer: int
    payee: int | None
    amount: int
    why: str


@dataclass(frozen=True)
class HandResult:
    """The result of one hand. `is_kept`: reused from the stored results, without its lines and payments."""

    key: str
    entry_version: int
    number: int
    seating: SeatingState
    kind: HandKind
    winners: tuple[int, ...]
    east_stays: bool
    next_is_goulash: bool
    edition: int
    question: str = ""
    seats: tuple[SeatResult, ...] = ()
    payments: tuple[Paid, ...] = ()
    is_kept: bool = False

    @property
    def is_void(self) -> bool:
        return self.kind == "void"

    @property
    def played_winds(self) -> tuple[int | None, ...]:
        """The seats at each wind when the hand was scored; a hand with a question may have another seating by now."""
        played = {result.wind: result.seat for result in self.seats if result.wind}
        return tuple(played.get(wind) for wind in turning.WINDS) if played else self.seating.winds


@dataclass
class SeatTally:
    """What one seat has played, won and lost in a session; stored as a Tally."""

    seat: int
    hands: int = 0
    won: int = 0
    gained: int = 0
    lost: int = 0
    best_hand: int | None = None

    @property
    def net(self) -> int:
        return self.gained + self.lost

    def add(self, net: int) -> None:
        if net > 0:
            self.gained += net
        else:
            self.lost += net

    def count(self, result: SeatResult) -> None:
        self.hands += 1
        self.won += result.won
        if self.best_hand is None or result.total > self.best_hand:
            self.best_hand = result.total


@dataclass
class Replayed:
    """The outcome of a replay; `questions` are sentences by the key of the entry they are about, with seats as {1}."""

    seating: SeatingState
    hands: list[HandResult] = field(default_factory=list)
    penalties: dict[str, Paid] = field(default_factory=dict)
    questions: dict[str, str] = field(default_factory=dict)

    def copy(self) -> "Replayed":
        return Replayed(self.seating, list(self.hands), dict(self.penalties), dict(self.questions))

    def hand(self, key: str) -> HandResult | None:
        return next((hand for hand in reversed(self.hands) if hand.key == key), None)


class EntryError(ValueError):
    """The entry that had to fit does not; `error` is the scorer's or the rotation's."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


def replay(
    facts: SessionFacts,
    entries: Iterable[Entry],
    stored: dict[str, HandResult],
    strict: str | None = None,
    reuse: bool = True,
    earlier: Replayed | None = None,
) -> Replayed:
    """Replay a ledger, or only the entries that come after an `earlier` replay.

    `stored` are HandResults by key: with `reuse`, one whose entry and seating have not changed is not scored again.
    A hand that does not fit keeps the result with which it was accepted, and gets a question. The entry whose key is
    `strict` must fit, else EntryError.
    """
    done = Replayed(turning.first_seating(facts.start, facts.house)) if earlier is None else earlier.copy()
    for entry in entries:
        before = stored.get(entry.key) if reuse else None
        try:
            if entry.kind == HAND.key:
                _play(facts, entry, done, before)
            elif entry.kind in STEPS:
                STEPS[entry.kind](facts, entry, done)
        except (ScoringError, RotationError) as error:
            if entry.key == strict:
                raise EntryError(error) from error
            done.questions[entry.key] = question = _question(facts, entry, done.seating, error)
            if entry.kind == HAND.key:
                _keep_as_accepted(facts, entry, done, before, question)
    return done


def _question(facts: SessionFacts, entry: Entry, seating: SeatingState, error: Exception) -> str:
    """Say why an entry no longer fits: first of all that someone has a hand without playing, or plays without one."""
    playing = {str(seat) for seat in seating.seated.values()}
    declared = set(entry.body.get("hands") or {}) if entry.kind == HAND.key else set()
    strangers, without = (sorted(seats, key=int) for seats in (declared - playing, playing - declared))
    if not strangers:
        return sentence_of(error, RULE_SETS[facts.rules].vocabulary())
    missing = f", and {_seats(without)} {'has' if len(without) == 1 else 'have'} none" if without else ""
    is_or_are, has = ("is", "has") if len(strangers) == 1 else ("are", "have")
    sentence = f"{_seats(strangers)} {is_or_are} not playing in this hand but {has} tiles entered{missing}"
    return f"{sentence}. Correct who sat where, or change the hand."


def _seats(numbers: Iterable[str]) -> str:
    return " and ".join(f"{{{number}}}" for number in numbers)


def seat_tallies(facts: SessionFacts, done: Replayed) -> dict[int, SeatTally]:
    """Return the tally of every seat that was taken: hands and best hand from the hands, net from hands and penalties.

    A seat whose arrival no longer counts has one only if something else that counts names it.
    """
    found = {seat: SeatTally(seat) for seat in facts.seats}

    def of(seat: int) -> SeatTally:
        return found.setdefault(seat, SeatTally(seat))

    for hand in done.hands:
        for result in hand.seats:
            of(result.seat).add(result.net)
            if result.wind and not hand.is_void:
                of(result.seat).count(result)
    for paid in done.penalties.values():
        of(paid.payer).add(-paid.amount)
        if paid.payee is not None:
            of(paid.payee).add(paid.amount)
    return {seat: found[seat] for seat in sorted(found)}


def sentence_of(error: Exception, words: Vocabulary = ()) -> str:
    """Say what is wrong with an entry in a table's words, with seats as {1}; with_names() puts the names in."""
    cause = error.error if isinstance(error, EntryError) else error
    if isinstance(cause, RotationError):
        return cause.with_seats
    return literal(cause.sentence_in(words) if isinstance(cause, ScoringError) else str(cause))


def outcome_of(body: Mapping[str, Any], house: HouseRules) -> HandOutcome:
    """Return what a hand does to the deal: won by these seats, void after a false Mah-jong that ends it, or drawn."""
    wins = wins_of(body)
    if wins:
        return HandOutcome("won", tuple(int(win["by"]) for win in wins))
    return HandOutcome("void" if is_void(house.rules, body.get("penalties")) else "drawn")


def _play(facts: SessionFacts, entry: Entry, done: Replayed, before: HandResult | None) -> None:
    """Score a hand, or reuse its result from `before`, and move the seats on."""
    is_same = before is not None and before.entry_version == entry.version and before.seating == done.seating
    if before and is_same and not before.question:
        number = len(done.hands) + 1
        is_reusable = before.is_kept and before.number == number
        done.hands.append(before if is_reusable else replace(before, number=number, is_kept=True))
        done.seating = turning.next_seating(done.seating, HandOutcome(before.kind, before.winners), facts.house)
        return
    scored = score_by_seat(entry.body, done.seating, facts)
    hand, after = _new_hand(facts, entry, done)
    done.hands.append(_with_scores(hand, hand.seating, scored))
    done.seating = after


def _keep_as_accepted(
    facts: SessionFacts, entry: Entry, done: Replayed, before: HandResult | None, question: str
) -> None:
    """Add a hand that does not fit, scored in the seating it was accepted in; the deal goes on from the present one.

    If the rules have refused it since, it keeps its stored result.
    """
    hand, after = _new_hand(facts, entry, done)
    hand, done.seating = replace(hand, question=question), after
    accepted = before if before and before.entry_version == entry.version else None
    scored = None
    if entry.played_in is not None and not (accepted and accepted.question):
        seating = SeatingState.from_dict(entry.played_in)
        try:
            scored = score_by_seat(entry.body, seating, facts)
        except ScoringError:
            pass
        else:
            hand = _with_scores(hand, seating, scored)
    if accepted and not scored:
        hand = replace(hand, edition=accepted.edition, seats=accepted.seats, payments=accepted.payments, is_kept=True)
    done.hands.append(hand)


def _new_hand(facts: SessionFacts, entry: Entry, done: Replayed) -> tuple[HandResult, SeatingState]:
    """Return a hand before its scores, and the seating after it."""
    outcome = outcome_of(entry.body, facts.house)
    after = turning.next_seating(done.seating, outcome, facts.house)
    hand = HandResult(
        key=entry.key,
        entry_version=entry.version,
        number=len(done.hands) + 1,
        seating=done.seating,
        kind=outcome.kind,
        winners=outcome.winners,
        east_stays=after.winds[0] == done.seating.winds[0],
        next_is_goulash=after.goulash,
        edition=facts.edition,
    )
    return hand, after


def _with_scores(hand: HandResult, seating: SeatingState, scored: dict[str, Any]) -> HandResult:
    seats = [_seat_result(hand, seat, seating.wind_of(seat), scored) for seat in sorted(seating.at_table)]
    payments = [
        Paid(int(paid["from"]), None if paid["to"] is None else int(paid["to"]), paid["amount"], paid["why"])
        for paid in scored["payments"]
    ]
    return replace(hand, seats=tuple(seats), payments=tuple(payments))


def _seat_result(hand: HandResult, seat: int, wind: str | None, scored: dict[str, Any]) -> SeatResult:
    if not wind:
        return SeatResult(seat)
    result = scored["hands"][str(seat)]
    return SeatResult(
        seat=seat,
        wind=wind,
        **{name: result[name] for name in ("points", "doubles", "times", "total", "limited")},
        special=result["special"] or "",
        fishing_for=result.get("fishing_for") or "",
        won=seat in hand.winners,
        lines=tuple(result["lines"]),
        net=scored["net"][str(seat)],
    )


def _arrive(facts: SessionFacts, entry: Entry, done: Replayed) -> None:
    rule_set = RULE_SETS[facts.rules]
    if len(done.seating.at_table) >= max(rule_set.players):
        raise RotationError(f"{rule_set.name} is for {max(rule_set.players)} players at most. No one else can join.")
    done.seating = turning.arrive(done.seating, int(entry.body["seat"]))


def _leave(facts: SessionFacts, entry: Entry, done: Replayed) -> None:
    done.seating = turning.leave(done.seating, int(entry.body["seat"]))


def _correct_seating(facts: SessionFacts, entry: Entry, done: Replayed) -> None:
    if "exchange" in entry.body:
        done.seating = turning.exchange(done.seating, *map(int, entry.body["exchange"]))
        return
    winds = {wind: int(seat) for wind, seat in entry.body["winds"].items()}
    done.seating = turning.seat_as(done.seating, winds, map(int, entry.body.get("out") or []))


def _penalty(facts: SessionFacts, entry: Entry, done: Replayed) -> None:
    to = entry.body.get("to")
    done.penalties[entry.key] = Paid(int(entry.body["by"]), int(to) if to else None, entry.body["amount"], "fine")


STEPS = {ARRIVE.key: _arrive, LEAVE.key: _leave, SEATING.key: _correct_seating, PENALTY.key: _penalty}
