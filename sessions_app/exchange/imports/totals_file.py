"""Read a CSV file of session totals into rows, or refuse it with line numbers. No database here."""

import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from typing import Any

from sessions_app.exchange.exports.session_csv import TOTALS
from sessions_app.exchange.imports.sheet_text import (
    ImportRefused,
    is_showable,
    named_day_of,
    numbered_lines,
    plain_number,
    yes_of,
)
from sessions_app.people.models import MAX_NAME

NEEDED = ["date", "table", "rules", "player", "hands", "won", "net"]
RECORDINGS = ("settle", "straight")
WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+\Z")
MAX_FIGURES = 8
LONGEST = {"player": MAX_NAME, "meeting": 80}
HIGHEST = {"table": 999, "hands": 9999, "won": 9999}


@dataclass(frozen=True)
class TotalsRow:
    """One player's totals in one session; None where a cell is empty: hands and won are not known then."""

    line: int
    date: date
    meeting: str
    table: int
    rules: str
    recording: str
    player: str
    guest: bool
    seat: int | None
    hands: int | None
    won: int | None
    gained: int
    lost: int
    net: int
    balance: int | None
    gained_given: bool

    @property
    def session(self) -> tuple[Any, str, int]:
        return self.date, self.meeting, self.table

    @property
    def where(self) -> str:
        """Name the row: date, meeting, table and player."""
        meeting = f" ({self.meeting})" if self.meeting else ""
        return f"{self.date.isoformat()}{meeting}, table {self.table}, {self.player}"


@dataclass(frozen=True)
class TotalsFile:
    """What was read: the rows, and columns that mean nothing here."""

    rows: list[TotalsRow]
    other_columns: list[str]


def read_totals(content: bytes, rule_sets: dict[str, str]) -> TotalsFile:
    """Return the rows of a file, or raise ImportRefused with a sentence for every fault."""
    lines = numbered_lines(decoded(content))
    if not lines:
        raise ImportRefused("The file is empty. Its first line must name the columns.")
    columns, rows, faults = columns_of(*lines[0]), [], []
    for line, cells in lines[1:]:
        try:
            rows.append(row_of(line, cells_by_column(columns, cells), rule_sets))
        except ValueError as error:
            faults.append(f"Line {line}: {on_one_line(str(error))}")
    faults += contradictions(rows)
    if faults:
        raise ImportRefused(*faults)
    return TotalsFile(rows, [name for name in columns if name and name not in TOTALS])


def on_one_line(sentence: str) -> str:
    """Return a sentence with blanks for what cannot be shown in a quoted cell: line ends, signs to a terminal."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in sentence).split())


def decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ImportRefused(f"Line {line}: the file is not UTF-8 text. Save it as “CSV UTF-8”.") from None


def columns_of(line: int, cells: list[str]) -> list[str]:
    columns = [cell.lower() for cell in cells]
    faults = [f"Line {line}: the column “{name}” is missing." for name in NEEDED if name not in columns]
    twice = [name for name in TOTALS if columns.count(name) > 1]
    faults += [f"Line {line}: the column “{name}” appears twice." for name in twice]
    if faults:
        raise ImportRefused(*faults)
    return columns


def cells_by_column(columns: list[str], cells: list[str]) -> dict[str, str]:
    if len(cells) != len(columns):
        raise ValueError(f"there are {len(cells)} cells, but the first line names {len(columns)} columns.")
    return dict(zip(columns, cells, strict=True))


def row_of(line: int, cells: dict[str, str], rule_sets: dict[str, str]) -> TotalsRow:
    net, recording = number(cells, "net"), choice(cells, "recording", RECORDINGS, empty="settle")
    gained, lost, gained_given = gained_and_lost(cells, net, recording)
    hands, won = optional(cells, "hands", lowest=0), optional(cells, "won", lowest=0)
    if hands is not None and won is not None and won > hands:
        raise ValueError(f"won is {won}, but only {hands} hand{' was' if hands == 1 else 's were'} played.")
    return TotalsRow(
        line=line,
        date=named_day_of(cells["date"], "date"),
        meeting=words(cells, "meeting"),
        table=number(cells, "table", lowest=1),
        rules=choice(cells, "rules", tuple(rule_sets)),
        recording=recording,
        player=words(cells, "player", needed=True),
        guest=yes_of(cells.get("guest", "")),
        seat=optional(cells, "seat", lowest=1, highest=5),
        hands=hands,
        won=won,
        gained=gained,
        lost=lost,
        net=net,
        balance=optional(cells, "balance"),
        gained_given=gained_given,
    )


def gained_and_lost(cells: dict[str, str], net: int, recording: str) -> tuple[int, int, bool]:
    """Return what was gained and lost, filled in from the net where a cell is empty, and whether the file says it.

    Recorded straight, the net is the sum of the own totals whatever passed between the players, so it alone holds
    where they contradict it.
    """
    gained, lost = optional(cells, "gained", lowest=0), optional(cells, "lost", highest=0)
    alone = max(net, 0), min(net, 0), False
    if gained is None and lost is None:
        return alone
    gained = net - lost if gained is None else gained
    lost = net - gained if lost is None else lost
    is_wrong = gained + lost != net or gained < 0 or lost > 0
    if is_wrong and recording == "straight":
        return alone
    if is_wrong:
        given = " and ".join(f"{name} {cells[name]}" for name in ("gained", "lost") if cells.get(name))
        raise ValueError(f"net is {net}, which contradicts {given}.")
    return gained, lost, True


def optional(cells: dict[str, str], name: str, **limits: int) -> int | None:
    return number(cells, name, **limits) if cells.get(name) else None


def number(cells: dict[str, str], name: str, lowest: int | None = None, highest: int | None = None) -> int:
    text = plain_number(cells[name])
    if not WHOLE_NUMBER.match(text):
        raise ValueError(f"{name} is empty." if not text else f"{name} is “{text[:40]}”, which is not a whole number.")
    if len(text.lstrip("+-")) > MAX_FIGURES:
        raise ValueError(f"{name} is “{text[:40]}”, which has more than {MAX_FIGURES} digits.")
    value = int(text)
    highest = HIGHEST.get(name) if highest is None else highest
    if lowest is not None and value < lowest:
        raise ValueError(f"{name} is {value}, which is less than {lowest}.")
    if highest is not None and value > highest:
        raise ValueError(f"{name} is {value}, which is more than {highest}.")
    return value


def words(cells: dict[str, str], name: str, needed: bool = False) -> str:
    text = cells.get(name, "")
    if needed and not text:
        raise ValueError(f"{name} is empty.")
    if len(text) > LONGEST[name]:
        raise ValueError(f"{name} is longer than {LONGEST[name]} letters.")
    if not is_showable(text):
        raise ValueError(f"{name} contains a character that cannot be shown.")
    return text


def choice(cells: dict[str, str], name: str, choices: tuple[str, ...], empty: str = "") -> str:
    text = cells.get(name, "").lower() or empty
    if text not in choices:
        raise ValueError(f"{name} is “{text[:40]}”; it can be {', '.join(choices)}." if text else f"{name} is empty.")
    return text


def contradictions(rows: list[TotalsRow]) -> list[str]:
    """Return what the rows of one table say against each other."""
    faults, tables = [], defaultdict(list)
    for row in rows:
        for other in tables[row.session]:
            fault = contradiction(row, other)
            if fault:
                faults.append(f"Line {row.line}: {fault} (line {other.line}).")
                break
        tables[row.session].append(row)
    return faults


def contradiction(row: TotalsRow, other: TotalsRow) -> str:
    if row.player == other.player:
        return f"{row.player} appears twice at table {row.table} on {row.date.isoformat()}"
    if row.seat is not None and row.seat == other.seat:
        return f"{row.player} has seat {row.seat}, and so has {other.player}"
    if row.rules != other.rules:
        return f"table {row.table} has {row.rules} rules here and {other.rules} rules before"
    if row.recording != other.recording:
        return f"table {row.table} is recorded as {row.recording} here and as {other.recording} before"
    return ""
