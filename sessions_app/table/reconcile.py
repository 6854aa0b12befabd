"""Comparing stored results with those that the ledgers give, and rebuilding them."""

import os
import random
import signal
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from typing import Any

from django.db import connection, connections

from clubscore.play.replay import Replayed, SeatResult, seat_tallies
from clubscore.scoring.words import with_names
from sessions_app.models import Club, Entry, PlayerHand, Session, Tally
from sessions_app.people.transactions import write_transaction
from sessions_app.table.ledger import StoredLedger, load_ledger, stored_payments
from sessions_app.table.season_assignment import assign_seasons, misplaced_sessions
from sessions_app.table.sticks import stick_counts
from sessions_app.table.store import FIGURES, drop_results, hand_values, store_results, tally_values

# How many rows a process gets at once, and for how many it is not worth starting other processes.
AT_ONCE = 4
FEW = 16


def parallel_map(work: Callable[..., Any], rows: Iterable[Any], processes: int) -> Iterator[Any]:
    """Yield what `work`, a function that only reads, returns for each row, in order, on several processors.

    In this process alone for a few rows, in a transaction, which other processes would not see, and on Windows.
    """
    rows = list(rows)
    if processes == 1 or len(rows) <= FEW or connection.in_atomic_block or not hasattr(os, "fork"):
        yield from map(work, rows)
        return
    # Processes must not share connections.
    connections.close_all()
    with get_context("fork").Pool(processes, _ignore_interrupts) as pool:
        yield from pool.imap(work, rows, chunksize=AT_ONCE)


def _ignore_interrupts() -> None:
    # Ctrl-C is for the parent process, which ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@dataclass
class Findings:
    """What a comparison found: differences are errors; questions and older editions are only reported.

    `compared` is how many of the `sessions` with a ledger were compared.
    """

    differences: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    editions: list[str] = field(default_factory=list)
    sessions: int = 0
    compared: int = 0

    def add(self, other: "Findings") -> None:
        self.differences += other.differences
        self.questions += other.questions
        self.editions += other.editions

    @property
    def sentences(self) -> list[str]:
        return [*self.differences, *self.questions, *self.editions]


def survey(repair: bool = False, at_most: int | None = None, seed: int | None = None) -> Findings:
    """Compare every session with its ledger and its season, on all processors unless something is repaired.

    With `repair`, different results are rebuilt. Results of an older edition of the rules are never rescored.
    If there are more than `at_most` sessions, half of those compared are the newest, the others random by the seed.
    """
    found = Findings()
    for club in Club.objects.order_by("pk"):
        _compare_seasons(club, found, repair)
    ids = list(Session.objects.filter(imported=False).order_by("pk").values_list("pk", flat=True))
    chosen = _some_of(ids, at_most, seed)
    found.sessions, found.compared = len(ids), len(chosen)
    work, processes = (repaired_session, 1) if repair else (compare_session, os.cpu_count() or 1)
    for part in parallel_map(work, chosen, processes):
        found.add(part)
    return found


def _some_of(ids, at_most, seed):
    """Return `at_most` of the ids, which are in order; a backup uses another seed every night."""
    if at_most is None or len(ids) <= at_most:
        return ids
    older, newest = ids[: -(at_most // 2)], ids[-(at_most // 2) :]
    return sorted(random.Random(seed).sample(older, at_most - len(newest))) + newest


def compare_session(session_id: int) -> Findings:
    """Compare one session's stored results with its ledger."""
    return _compared(load_ledger(session_id, with_results=False))


def repaired_session(session_id: int) -> Findings:
    """Compare one session, and rebuild it if it differs."""
    found = compare_session(session_id)
    if found.differences:
        _rebuild(session_id)
    return found


def figures_differ(ledger: StoredLedger) -> bool:
    """Return whether the newest edition of the rules gives a session different figures from the stored ones."""
    found = _compared(ledger)
    return bool(found.differences or found.editions)


def _compare_seasons(club: Club, found: Findings, repair: bool) -> None:
    misplaced = list(misplaced_sessions(club))
    for session, season in misplaced:
        stands = session.season or "no season"
        found.differences.append(f"{_place(session)}: stands in {stands}, belongs in {season or 'no season'}.")
    if misplaced and repair:
        with write_transaction():
            assign_seasons(club)


def _compared(ledger: StoredLedger) -> Findings:
    found, place = Findings(), _place(ledger.session)
    done = ledger.replay(reuse=False)
    rows, payments = _stored_rows(ledger)
    for hand in done.hands:
        _compare_hand(ledger, hand, rows, payments, found, f"{place}, hand {hand.number}")
    for key in set(ledger.hands) - {hand.key for hand in done.hands}:
        found.differences.append(f"{place}: hand {ledger.hands[key].number} has a result, but no line that stands.")
    for key, question in done.questions.items():
        if done.hand(key) is None:
            found.questions += [f"{place}: please check. {with_names(question, ledger.names)}"]
    _compare_penalties(ledger, done, payments, found, place)
    if not found.editions:
        _compare_accounts(ledger, done, found, place)
    return found


def _stored_rows(ledger):
    """Return the stored players' hands, {hand id: {seat number: SeatResult}}, and payments by entry id."""
    numbers = {row.pk: row.seat_no for row in ledger.seat_rows.values()}
    rows: dict[int, dict[int, SeatResult]] = defaultdict(dict)
    player_hands = PlayerHand.objects.filter(hand__session=ledger.session).order_by("seat__seat_no")
    for row in player_hands.values("hand_id", "seat_id", *FIGURES):
        hand_id, seat = row.pop("hand_id"), numbers[row.pop("seat_id")]
        rows[hand_id][seat] = SeatResult(seat, **{**row, "lines": tuple(row["lines"])})
    return rows, stored_payments(ledger.session, ledger.seat_rows.values())


def _compare_hand(ledger, hand, rows, payments, found, place):
    stored = ledger.hands.get(hand.key)
    if stored is None:
        found.differences.append(f"{place}: has no result.")
        return
    values = hand_values(hand)
    if stored.question and hand.question:
        values["question"] = stored.question  # an earlier version may have worded it differently
    if hand.question:
        found.questions += [f"{place}: please check. {with_names(hand.question, ledger.names)}"]
    differences = [
        *_differences(stored, {**values, "edition": stored.edition}, place),
        *_row_differences(hand, rows[stored.pk], payments[stored.entry_id], place),
    ]
    if differences and stored.edition != hand.edition:
        old, new = (f"edition {edition}" for edition in (stored.edition, hand.edition))
        nets = ", ".join(f"seat {seat.seat} {seat.net:+d}" for seat in hand.seats if seat.wind)
        found.editions.append(f"{place}: scored under {old}; {new} gives {nets}.")
        return
    found.differences += differences


def _differences(row: Tally, values: dict[str, Any], place: str) -> Iterator[str]:
    for name, value in values.items():
        if getattr(row, name) != value:
            yield f"{place}: {name} is {getattr(row, name)!r}, the ledger gives {value!r}."


def _row_differences(hand, stored, payments, place):
    expected = {own.seat: own for own in hand.seats}
    for seat in sorted(stored.keys() ^ expected.keys()):
        yield f"{place}: seat {seat} {'has' if seat in stored else 'lacks'} a player's hand."
    for seat in sorted(stored.keys() & expected.keys()):
        yield from _differences(stored[seat], vars(expected[seat]), f"{place}, seat {seat}")
    if sorted(map(str, payments)) != sorted(map(str, hand.payments)):
        yield f"{place}: the payments are not those the ledger gives."


def _compare_penalties(ledger, done, payments, found, place):
    hands = {hand.key for hand in done.hands}
    for entry in ledger.entries:
        due = [done.penalties[entry.key]] if entry.key in done.penalties else []
        if entry.key not in hands and payments[ledger.entry_rows[entry.key].pk] != due:
            found.differences.append(f"{place}: the payments of a {entry.kind} are not those the ledger gives.")


def _compare_accounts(ledger: StoredLedger, done: Replayed, found: Findings, place: str) -> None:
    if ledger.session.seating != done.seating.to_dict():
        found.differences.append(f"{place}: the seats of the next hand are not those the ledger gives.")
    tallies = ledger.tallies
    due, sticks = seat_tallies(ledger.facts, done), stick_counts(ledger, done)
    for seat in ledger.seat_rows.values():
        where = f"{place}, seat {seat.seat_no}"
        if (seat.pk in tallies) != (seat.seat_no in due):
            has = "has no tally" if seat.seat_no in due else "has a tally, but nobody took it"
            found.differences.append(f"{where}: {has}.")
        if seat.pk not in tallies or seat.seat_no not in due:
            continue
        values = tally_values(ledger, due[seat.seat_no], sticks)
        values |= {"player_id": seat.player_id, "season_id": ledger.session.season_id}
        found.differences += _differences(tallies[seat.pk], values, where)


def _rebuild(session_id: int) -> None:
    """Write all results of a session again; hands of an older edition of the rules keep theirs."""
    with write_transaction():
        ledger = load_ledger(session_id, lock=True)
        keep = {key: hand for key, hand in ledger.stored.items() if hand.edition != ledger.facts.edition}
        rows, payments = _stored_rows(ledger)
        for key, result in keep.items():
            hand = ledger.hands[key]
            seats, paid = tuple(rows[hand.pk].values()), tuple(payments[hand.entry_id])
            # A loaded ledger leaves out lines and payments.
            keep[key] = replace(result, seats=seats, payments=paid)
        rewrite(ledger, keep)


def rewrite(ledger: StoredLedger, kept: Any) -> Replayed:
    """Replay a ledger and write all its results again, except the `kept` ones; return the replay.

    `kept` are complete results by the key of their entry. Part of the caller's transaction.
    """
    drop_results(ledger.session)
    ledger.hands, ledger.stored = {}, kept
    ledger.before["entries"] = {entry.key: None for entry in ledger.entries if entry.kind == Entry.Kind.PENALTY}
    done = ledger.replay()
    done.hands = [replace(hand, is_kept=False) for hand in done.hands]
    store_results(ledger, done, tallies={})
    return done


def _place(session: Session) -> str:
    return f"{session.club.slug}, {session.date}, table {session.table} (session {session.pk})"
