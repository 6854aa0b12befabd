"""What a change would do to a table, before it is done: every hand that differs, before and after."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clubscore.scoring.words import with_names
from clubscore.table.apply import apply
from clubscore.table.change_summary import describe_changes
from clubscore.table.command_kinds import CORRECT
from clubscore.table.replay import HandResult, Paid, Replayed, accounts

CHOOSE_SEATS = "By the rotation, players would sit elsewhere in later hands. Choose which seats count."


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

    When the command cannot be done `message` says why and `after` is empty. `kept` is the same change where later hands
    keep the seats they were played in; None where they keep them anyway.
    """

    before: list[PreviewRow]
    after: list[PreviewRow] = field(default_factory=list)
    tallies_before: dict[int, Any] = field(default_factory=dict)
    tallies_after: dict[int, Any] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    changes: list[str] = field(default_factory=list)
    message: str = ""
    error: Exception | None = None
    kept: "Preview | None" = None

    @property
    def questions(self) -> list[PreviewRow]:
        return [row for row in self.after if row.question]


def compared(
    was: Any, before: Replayed, ledger: Any, after: Replayed, key: str | None, kept: Preview | None = None
) -> Preview:
    """Compare a ledger with what it `was`, each with its replay; `key` is the entry that the change is about."""
    return Preview(
        before=preview_rows(was, before),
        after=preview_rows(ledger, after),
        tallies_before=accounts(was.facts, before),
        tallies_after=accounts(ledger.facts, after),
        names=ledger.names,
        changes=[with_names(one, ledger.names) for one in describe_changes(before, after, key)],
        kept=kept,
    )


def with_seats_kept(ledger: Any, before: Replayed, command: Any, after: Replayed) -> Preview | None:
    """Preview a correction after which later hands keep the seats they were played in.

    None where no later hand would have other seats `after` it, or where some would have them all the same.
    """
    if command["kind"] != CORRECT.key or _seats(before) == _seats(after):
        return None
    keeping = {**command, "body": {**command["body"], "keep_seats": True}}
    edited, key, kept = apply(ledger, keeping, before)
    played = [hand.played_winds for hand in before.hands]
    return compared(ledger, before, edited, kept, key) if _seats(kept) == played else None


def _seats(done: Replayed) -> list[Any]:
    return [hand.seating.winds for hand in done.hands]


def preview_rows(ledger: Any, done: Replayed) -> list[PreviewRow]:
    """Return the hands that count, each with the balances after it."""
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


def _pay(running: dict[int, int], paid: Paid) -> None:
    running[paid.payer] -= paid.amount
    if paid.payee is not None:
        running[paid.payee] += paid.amount


def _row(hand: HandResult, running: dict[int, int], names: Mapping[int, str]) -> PreviewRow:
    nets = {seat.seat: seat.net for seat in hand.seats}
    for seat, net in nets.items():
        running[seat] += net
    return PreviewRow(
        key=hand.key,
        number=hand.number,
        east=names[hand.seating.east],
        sits_out=", ".join(names[seat] for seat in hand.seating.out),
        wind_of_round=hand.seating.wind_of_round,
        nets=nets,
        running=dict(running),
        question=hand.question,
    )


@dataclass(frozen=True)
class Cell:
    net: int | None
    balance: int | None
    name: str
    differs: bool = False
    balance_differs: bool = False


@dataclass(frozen=True)
class Line:
    """One hand as it was or as it will be."""

    kind: str
    word: str
    number: int | str
    east: str
    out: str
    east_differs: bool
    out_differs: bool
    cells: tuple[Cell, ...]


def preview_data(preview: Preview) -> dict[str, Any]:
    """Return a preview as its fragments ask for it."""
    rows = changed_rows(preview)
    return {
        "summary": CHOOSE_SEATS if preview.kept else summary(rows, preview),
        "changes": preview.changes,
        "questions": preview.questions,
        "rows": rows,
        "totals": total_lines(preview),
        "names": list(preview.names.values()),
        "has_sitter": any([row.sits_out for row in [*preview.before, *preview.after]]),
        "kept": preview_data(preview.kept) if preview.kept else None,
        "has_buttons": preview.kept is not None,
    }


def summary(rows: list[list[Line]], preview: Preview) -> str:
    """Say in a sentence how far the change reaches."""
    same = sum(row in preview.before for row in preview.after)
    if not rows:
        return "No scores change."
    hands = "One hand changes" if len(rows) == 1 else f"{len(rows)} hands change"
    return f"{hands}; {same} {'stays' if same == 1 else 'stay'} as before." if same else f"{hands}."


def changed_rows(preview: Preview) -> list[list[Line]]:
    """Return the hands that differ, each as its lines before and after, in the order they will stand."""
    was = {row.key: row for row in preview.before}
    will = {row.key: row for row in preview.after}
    keys = [row.key for row in preview.after]
    for place, row in enumerate(preview.before):
        if row.key not in will:
            earlier = {other.key for other in preview.before[:place]}
            keys.insert(sum(key in earlier for key in keys), row.key)
    return [pair(was.get(key), will.get(key), preview.names) for key in keys if was.get(key) != will.get(key)]


def pair(was: PreviewRow | None, will: PreviewRow | None, names: Mapping[int, str]) -> list[Line]:
    lines = []
    if was:
        lines.append(line("was", "before" if will else "removed", was, None, names))
    if will:
        lines.append(line("will", "after" if was else "new", will, was, names))
    return lines


def line(kind: str, word: str, row: PreviewRow, other: PreviewRow | None, names: Mapping[int, str]) -> Line:
    """Make the line of a hand; `other` is the same hand before the change, what differs from it is marked."""
    return Line(
        kind=kind,
        word=word,
        number=row.number,
        east=row.east,
        out=row.sits_out,
        east_differs=other is not None and other.east != row.east,
        out_differs=other is not None and other.sits_out != row.sits_out,
        cells=tuple(cell(row, other, chair, name) for chair, name in names.items()),
    )


def cell(row: PreviewRow, other: PreviewRow | None, chair: int, name: str) -> Cell:
    net, balance = row.nets.get(chair), row.running.get(chair)
    if other is None:
        return Cell(net, balance, name)
    return Cell(net, balance, name, other.nets.get(chair) != net, other.running.get(chair) != balance)


def total_lines(preview: Preview) -> list[Line]:
    """Return the totals before and after."""
    return [
        Line("was", "before", "", "", "", False, False, totals(preview, preview.tallies_before)),
        Line("will", "after", "", "", "", False, False, totals(preview, preview.tallies_after)),
    ]


def totals(preview: Preview, tallies: Any) -> tuple[Cell, ...]:
    before = preview.tallies_before
    return tuple(
        Cell(
            tallies[chair].net,
            None,
            name,
            tallies is not before and (chair not in before or before[chair].net != tallies[chair].net),
        )
        for chair, name in preview.names.items()
    )
