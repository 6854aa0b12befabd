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
MAX_DIGITS, MOST = 8, 99_999_999
MAX_LETTERS = {"player": MAX_NAME, "meeting": 80}
# The lowest and the highest number of each column.
LIMITS = {
    "table": (1, 999),
    "seat": (1, 5),
    "hands": (0, 9999),
    "won": (0, 9999),
    "gained": (0, MOST),
    "lost": (-MOST, 0),
    "net": (-MOST, MOST),
    "balance": (-MOST, MOST),
}


@dataclass(frozen=True)
class TotalsRow:
    """One player's totals in one session; None where the file does not say it."""

    line: int
    date: date
    table: int
    rules: str
    recording: str
    player: str
    net: int
    meeting: str = ""
    guest: bool = False
    seat: int | None = None
    hands: int | None = None
    won: int | None = None
    gained: int | None = None
    lost: int | None = None
    balance: int | None = None

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
    try:
        lines = numbered_lines(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ImportRefused(f"Line {line}: the file is not UTF-8 text. Save it as “CSV UTF-8”.") from None
    if not lines:
        raise ImportRefused("The file is empty. Its first line must name the columns.")
    columns, rows, faults = _columns(*lines[0]), [], []
    for line, cells in lines[1:]:
        try:
            if len(cells) != len(columns):
                raise ValueError(f"there are {len(cells)} cells, but the first line names {len(columns)} columns.")
            rows.append(_row(line, dict(zip(columns, cells, strict=True)), rule_sets))
        except ValueError as error:
            faults.append(f"Line {line}: {_on_one_line(str(error))}")
    faults += _contradictions(rows)
    if faults:
        raise ImportRefused(*faults)
    return TotalsFile(rows, [name for name in columns if name and name not in TOTALS])


def _on_one_line(sentence):
    """Return a sentence with blanks for line ends and what else a terminal cannot show of a quoted cell."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in sentence).split())


def _columns(line, cells):
    columns = [cell.lower() for cell in cells]
    faults = [f"Line {line}: the column “{name}” is missing." for name in NEEDED if name not in columns]
    twice = [name for name in TOTALS if columns.count(name) > 1]
    faults += [f"Line {line}: the column “{name}” appears twice." for name in twice]
    if faults:
        raise ImportRefused(*faults)
    return columns


def _row(line, cells, rule_sets):
    net, recording = _number(cells, "net"), _choice(cells, "recording", RECORDINGS, empty="settle")
    gained, lost = _gained_and_lost(cells, net, recording)
    hands, won = _optional_number(cells, "hands"), _optional_number(cells, "won")
    if hands is not None and won is not None and won > hands:
        raise ValueError(f"won is {won}, but only {hands} hand{' was' if hands == 1 else 's were'} played.")
    return TotalsRow(
        line=line,
        date=named_day_of(cells["date"], "date"),
        meeting=_text(cells, "meeting"),
        table=_number(cells, "table"),
        rules=_choice(cells, "rules", tuple(rule_sets)),
        recording=recording,
        player=_text(cells, "player", needed=True),
        guest=yes_of(cells.get("guest", "")),
        seat=_optional_number(cells, "seat"),
        hands=hands,
        won=won,
        gained=gained,
        lost=lost,
        net=net,
        balance=_optional_number(cells, "balance"),
    )


def _gained_and_lost(cells, net, recording):
    """Return what was gained and lost; if only one of them is given, the net says the other.

    Where everyone adds up their own score, the net need not be what passed between the players: if they contradict
    each other, only the net is used.
    """
    gained, lost = _optional_number(cells, "gained"), _optional_number(cells, "lost")
    if gained is None and lost is None:
        return None, None
    gained = net - lost if gained is None else gained
    lost = net - gained if lost is None else lost
    if gained + lost == net and gained >= 0 >= lost:
        return gained, lost
    if recording == "straight":
        return None, None
    given = " and ".join(f"{name} {cells[name]}" for name in ("gained", "lost") if cells.get(name))
    raise ValueError(f"net is {net}, which contradicts {given}.")


def _optional_number(cells, name):
    return _number(cells, name) if cells.get(name) else None


def _number(cells, name):
    text = plain_number(cells[name])
    if not WHOLE_NUMBER.match(text):
        raise ValueError(f"{name} is empty." if not text else f"{name} is “{text[:40]}”, which is not a whole number.")
    if len(text.lstrip("+-")) > MAX_DIGITS:
        raise ValueError(f"{name} is “{text[:40]}”, which has more than {MAX_DIGITS} digits.")
    value, (lowest, highest) = int(text), LIMITS[name]
    if value < lowest:
        raise ValueError(f"{name} is {value}, which is less than {lowest}.")
    if value > highest:
        raise ValueError(f"{name} is {value}, which is more than {highest}.")
    return value


def _text(cells, name, needed=False):
    text = cells.get(name, "")
    if needed and not text:
        raise ValueError(f"{name} is empty.")
    if len(text) > MAX_LETTERS[name]:
        raise ValueError(f"{name} is longer than {MAX_LETTERS[name]} letters.")
    if not is_showable(text):
        raise ValueError(f"{name} contains a character that cannot be shown.")
    return text


def _choice(cells, name, choices, empty=""):
    text = cells.get(name, "").lower() or empty
    if text not in choices:
        raise ValueError(f"{name} is “{text[:40]}”; it can be {', '.join(choices)}." if text else f"{name} is empty.")
    return text


def _contradictions(rows):
    """Return where rows of one table contradict each other."""
    faults, tables = [], defaultdict(list)
    for row in rows:
        for other in tables[row.session]:
            if fault := _contradiction(row, other):
                faults.append(f"Line {row.line}: {fault} (line {other.line}).")
                break
        tables[row.session].append(row)
    return faults


def _contradiction(row, other):
    if row.player == other.player:
        return f"{row.player} appears twice at table {row.table} on {row.date.isoformat()}"
    if row.seat is not None and row.seat == other.seat:
        return f"{row.player} has seat {row.seat}, and so has {other.player}"
    if row.rules != other.rules:
        return f"table {row.table} has {row.rules} rules here and {other.rules} rules before"
    if row.recording != other.recording:
        return f"table {row.table} is recorded as {row.recording} here and as {other.recording} before"
    return ""
