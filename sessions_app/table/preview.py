"""What a command would do, hand by hand, before it is done. Nothing is written."""

from dataclasses import dataclass, field
from typing import Any

from clubscore.scoring.words import with_names
from clubscore.table.change_summary import describe_changes
from clubscore.table.command_kinds import KINDS
from clubscore.table.replay import LineError, accounts, sentence_of
from sessions_app.people.log import Actor
from sessions_app.people.transactions import ServiceError
from sessions_app.table.carry_out import carried_out
from sessions_app.table.commands import tidy
from sessions_app.table.ledger import load_ledger


@dataclass(frozen=True)
class PreviewRow:
    """One hand; `nets` and `running` (balances after it) by seat number."""

    key: str
    number: int
    east: str
    sits_out: str
    wind_of_round: str
    nets: dict[int, int]
    running: dict[int, int]
    question: str


@dataclass(frozen=True)
class Preview:
    """Before and after: rows in order, final accounts by seat number, and in sentences what changes.

    When the command cannot be done `message` says why and `after` is empty.
    """

    before: list[PreviewRow]
    after: list[PreviewRow] = field(default_factory=list)
    tallies_before: dict = field(default_factory=dict)
    tallies_after: dict = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    changes: list[str] = field(default_factory=list)
    message: str = ""
    error: Exception | None = None

    @property
    def questions(self) -> list[PreviewRow]:
        return [row for row in self.after if row.question]


def preview_command(session_id: int, command: dict[str, Any]) -> Preview:
    """Return what a command would change in a session; reads only."""
    ledger = load_ledger(session_id)
    before = ledger.replay()
    rows, tallies = _rows(ledger, before), accounts(ledger.facts, before)
    try:
        _, key, after = carried_out(ledger, tidy(command, KINDS), Actor())
    except LineError as error:
        message = with_names(sentence_of(error, ledger.session.vocabulary()), ledger.names)
        return Preview(rows, tallies_before=tallies, names=ledger.names, message=message, error=error.error)
    except ServiceError as error:
        return Preview(rows, tallies_before=tallies, names=ledger.names, message=str(error), error=error)
    return Preview(
        before=rows,
        after=_rows(ledger, after),
        tallies_before=tallies,
        tallies_after=accounts(ledger.facts, after),
        names=ledger.names,
        changes=[with_names(one, ledger.names) for one in describe_changes(before, after, key)],
    )


def _rows(ledger, done):
    running = dict.fromkeys(ledger.facts.seats, ledger.starting_balance)
    hands = {hand.key: hand for hand in done.hands}
    rows = []
    for entry in ledger.active:
        key = entry.key
        if key in done.fines:
            _pay(running, done.fines[key])
        if key in hands:
            rows.append(_row(hands[key], running, ledger.names))
    return rows


def _pay(running, paid):
    running[paid.payer] -= paid.amount
    if paid.payee is not None:
        running[paid.payee] += paid.amount


def _row(hand, running, names):
    nets = {seat.seat: seat.net for seat in hand.seats}
    for seat, net in nets.items():
        running[seat] += net
    return PreviewRow(
        key=hand.key,
        number=hand.number,
        east=names[hand.chairs.winds[0]],
        sits_out=", ".join(names[seat] for seat in hand.chairs.out),
        wind_of_round=hand.chairs.wind_of_round,
        nets=nets,
        running=dict(running),
        question=hand.question,
    )
