"""The replay: a session's facts and entries in; hands, payments, seating and accounts out. Reads and writes nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from clubscore.scoring import RULE_SETS, ScoringError, is_void
from clubscore.scoring import rotation as turning
from clubscore.scoring.rotation import Outcome, RotationError, SeatingState
from clubscore.scoring.words import Vocabulary, literal
from clubscore.table.command_kinds import ARRIVE, FINE, HAND, LEAVE, NOTE, SEATING
from clubscore.table.live_scoring import score_by_seat


@dataclass(frozen=True)
class Facts:
    """What is fixed for a session: its rules, and who sat down at the start (seat numbers in order)."""

    rules: str
    house_rules: Mapping[str, Any]
    club_hands: Sequence[Mapping[str, Any]]
    house: Any
    edition: int
    starting_balance: int
    start: tuple[int, ...]
    seats: tuple[int, ...]


class Entry:
    """One entry; `played_in` is the seating in which a hand was accepted, `author` whatever stands for its recorder."""

    def __init__(
        self,
        key: str,
        kind: str,
        body: Any,
        version: int = 1,
        taken_out: bool = False,
        played_in: Any = None,
        device: str = "",
        author: Any = None,
    ) -> None:
        self.key, self.kind, self.body, self.version = key, kind, body, version
        self.taken_out, self.played_in, self.device, self.author = taken_out, played_in, device, author

    def copy(self) -> "Entry":
        values = (self.version, self.taken_out, self.played_in, self.device, self.author)
        return Entry(self.key, self.kind, self.body, *values)

    def state(self) -> dict[str, Any]:
        """Return what the log keeps of an entry, to be brought back by undo."""
        state = {"kind": self.kind, "body": self.body, "taken_out": self.taken_out}
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


@dataclass(frozen=True)
class Paid:
    payer: int
    payee: int | None
    amount: int
    why: str


@dataclass(frozen=True)
class HandResult:
    """The result of one hand entry. `is_kept`: taken over from what is stored, without its lines and payments."""

    key: str
    entry_version: int
    number: int
    seating: SeatingState
    kind: str
    winners: tuple[int, ...]
    east_stays: bool
    next_is_goulash: bool
    edition: int
    question: str = ""
    seats: tuple[SeatResult, ...] = ()
    payments: tuple[Paid, ...] = ()
    is_kept: bool = False

    @property
    def played_winds(self) -> tuple[int | None, ...]:
        """The seats at each wind when the hand was scored: a hand with a question may have another seating by now."""
        played = {own.wind: own.seat for own in self.seats if own.wind}
        return tuple(played.get(wind) for wind in turning.WINDS) if played else self.seating.winds


@dataclass
class Account:
    """One seat's tally."""

    seat: int
    hands: int = 0
    won: int = 0
    gained: int = 0
    lost: int = 0
    best_hand: int | None = None

    @property
    def net(self) -> Any:
        return self.gained + self.lost

    def add(self, net: Any) -> None:
        if net > 0:
            self.gained += net
        else:
            self.lost += net

    def count(self, result: Any) -> None:
        self.hands += 1
        self.won += result.won
        if self.best_hand is None or result.total > self.best_hand:
            self.best_hand = result.total


@dataclass
class Replayed:
    """The outcome of a replay; `questions` are sentences by the key of the entry they are about, with seats as {1}."""

    seating: SeatingState
    hands: list[HandResult] = field(default_factory=list)
    fines: dict[str, Paid] = field(default_factory=dict)
    questions: dict[str, str] = field(default_factory=dict)

    def copy(self) -> "Replayed":
        return Replayed(self.seating, list(self.hands), dict(self.fines), dict(self.questions))

    def hand(self, key: Any) -> Any:
        return next((hand for hand in reversed(self.hands) if hand.key == key), None)


class EntryError(ValueError):
    """The one entry that had to fit does not; `error` is the scorer's or the rotation's."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


def replay(
    facts: Facts,
    entries: Iterable[Entry],
    stored: dict[str, HandResult],
    strict: str | None = None,
    reuse: bool = True,
    earlier: Replayed | None = None,
) -> Replayed:
    """Replay a ledger, or only the entries that come after an `earlier` replay.

    `stored` are HandResults by key: one whose entry and seating have not changed is taken over unless `reuse` is false.
    A hand that does not fit stands, with a question, as it was when it was accepted. The entry whose key is `strict`
    must fit, else EntryError.
    """
    done = Replayed(turning.first_seating(facts.start, facts.house)) if earlier is None else earlier.copy()
    for entry in entries:
        try:
            STEPS[entry.kind](facts, entry, done, stored.get(entry.key), reuse)
        except (ScoringError, RotationError) as error:
            if entry.key == strict:
                raise EntryError(error) from error
            done.questions[entry.key] = question = _question(facts, entry, done.seating, error)
            if entry.kind == HAND.key:
                _let_stand(facts, entry, done, stored.get(entry.key) if reuse else None, question)
    return done


def _question(facts: Facts, entry: Entry, seating: SeatingState, error: Exception) -> str:
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


def accounts(facts: Facts, done: Replayed) -> dict[int, Account]:
    """Return the account of every seat: hands and best hand from the hands, net from hands and fines."""
    found = {seat: Account(seat) for seat in facts.seats}
    for hand in done.hands:
        counts = hand.kind != "void"
        for result in hand.seats:
            account = found[result.seat]
            account.add(result.net)
            if counts and result.wind:
                account.count(result)
    for paid in done.fines.values():
        found[paid.payer].add(-paid.amount)
        if paid.payee is not None:
            found[paid.payee].add(paid.amount)
    return found


def sentence_of(error: Exception, words: Vocabulary = ()) -> str:
    """Say what is wrong with an entry in a table's words, with seats as {1}; with_names() puts the names in."""
    cause = error.error if isinstance(error, EntryError) else error
    if isinstance(cause, RotationError):
        return cause.with_seats
    return literal(cause.sentence_in(words) if isinstance(cause, ScoringError) else str(cause))


def _play(facts: Facts, entry: Entry, done: Replayed, before: Any, reuse: bool) -> None:
    fits = before is not None and before.entry_version == entry.version and before.seating == done.seating
    if reuse and fits and not before.question:
        number = len(done.hands) + 1
        is_same = before.is_kept and before.number == number
        kept = before if is_same else replace(before, number=number, is_kept=True)
        done.hands.append(kept)
        done.seating = turning.next_seating(done.seating, Outcome(kept.kind, kept.winners), facts.house)
        return
    scored = score_by_seat(entry.body, done.seating, facts)
    outcome = outcome_of(entry.body, facts.house)
    then = turning.next_seating(done.seating, outcome, facts.house)
    hand = _new_hand(facts, entry, done, outcome, then)
    done.hands.append(_with_figures(hand, hand.seating, scored))
    done.seating = then


def _new_hand(facts: Facts, entry: Entry, done: Replayed, outcome: Outcome, then: SeatingState) -> HandResult:
    return HandResult(
        key=entry.key,
        entry_version=entry.version,
        number=len(done.hands) + 1,
        seating=done.seating,
        kind=outcome.kind,
        winners=outcome.winners,
        east_stays=then.winds[0] == done.seating.winds[0],
        next_is_goulash=then.goulash,
        edition=facts.edition,
    )


def _let_stand(facts: Facts, entry: Entry, done: Replayed, before: HandResult | None, question: Any) -> None:
    """Let a hand that does not fit keep the seating it was played in; the deal goes on from the present one."""
    outcome = outcome_of(entry.body, facts.house)
    then = turning.next_seating(done.seating, outcome, facts.house)
    hand = replace(_new_hand(facts, entry, done, outcome, then), question=question)
    done.seating = then
    if before is not None and before.question and before.entry_version == entry.version:
        stands = {name: getattr(before, name) for name in ("edition", "seats", "payments")}
        done.hands.append(replace(hand, **stands, is_kept=True))
    else:
        done.hands.append(_as_accepted(facts, entry, hand))


def _as_accepted(facts: Facts, entry: Entry, hand: HandResult) -> HandResult:
    if entry.played_in is None:
        return hand
    seating = SeatingState.from_dict(entry.played_in)
    try:
        return _with_figures(hand, seating, score_by_seat(entry.body, seating, facts))
    except ScoringError:
        return hand


def _with_figures(hand: HandResult, seating: SeatingState, scored: dict[str, Any]) -> HandResult:
    return replace(hand, seats=_seat_results(hand, seating, scored), payments=_payments(scored))


def outcome_of(body: Mapping[str, Any], house: Any) -> Outcome:
    """Return what a hand does to the deal: won by whom, void after a false Mah-jong that ends it, else drawn."""
    mahjong = body.get("mahjong")
    if mahjong:
        wins = mahjong if isinstance(mahjong, list) else [mahjong]
        return Outcome("won", tuple(int(win["by"]) for win in wins))
    return Outcome("void" if is_void(house.rules, body.get("penalties")) else "drawn")


def _seat_results(hand: HandResult, seating: SeatingState, scored: dict[str, Any]) -> tuple[SeatResult, ...]:
    results = []
    for seat in sorted(seating.at_table):
        wind = seating.wind_of(seat)
        results.append(_seat_result(hand, seat, wind, scored) if wind else SeatResult(seat))
    return tuple(results)


def _seat_result(hand: HandResult, seat: Any, wind: str, scored: dict[str, Any]) -> SeatResult:
    own = scored["hands"][str(seat)]
    return SeatResult(
        seat=seat,
        wind=wind,
        points=own["points"],
        doubles=own["doubles"],
        times=own["times"],
        total=own["total"],
        limited=own["limited"],
        special=own["special"] or "",
        fishing_for=own.get("fishing_for") or "",
        won=seat in hand.winners,
        lines=tuple(own["lines"]),
        net=scored["net"][str(seat)],
    )


def _payments(scored: dict[str, Any]) -> tuple[Paid, ...]:
    return tuple(
        Paid(int(one["from"]), None if one["to"] is None else int(one["to"]), one["amount"], one["why"])
        for one in scored["payments"]
    )


def _arrive(facts: Facts, entry: Entry, done: Replayed, before: HandResult | None, reuse: bool) -> None:
    rule_set = RULE_SETS[facts.rules]
    if len(done.seating.at_table) >= max(rule_set.players):
        raise RotationError(f"{rule_set.name} is for {max(rule_set.players)} players at most. No one else can join.")
    done.seating = turning.arrive(done.seating, int(entry.body["seat"]))


def _leave(facts: Facts, entry: Entry, done: Replayed, before: HandResult | None, reuse: bool) -> None:
    done.seating = turning.leave(done.seating, int(entry.body["seat"]))


def _seating(facts: Facts, entry: Entry, done: Replayed, before: HandResult | None, reuse: bool) -> None:
    if "exchange" in entry.body:
        done.seating = turning.exchange(done.seating, *map(int, entry.body["exchange"]))
        return
    winds = {wind: int(seat) for wind, seat in entry.body["winds"].items()}
    done.seating = turning.seat_as(done.seating, winds, map(int, entry.body.get("out") or []))


def _fine(facts: Facts, entry: Entry, done: Replayed, before: HandResult | None, reuse: bool) -> None:
    to = entry.body.get("to")
    done.fines[entry.key] = Paid(int(entry.body["by"]), int(to) if to else None, entry.body["amount"], "fine")


def _note(facts: Facts, entry: Entry, done: Replayed, before: HandResult | None, reuse: bool) -> None:
    pass


STEPS = {
    HAND.key: _play,
    ARRIVE.key: _arrive,
    LEAVE.key: _leave,
    SEATING.key: _seating,
    FINE.key: _fine,
    NOTE.key: _note,
}
