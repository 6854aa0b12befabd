"""Read a CSV file of session totals into rows, or refuse it with line numbers. No database here."""

import datetime
import re
from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any

from clubscore.scoring import RULE_SETS
from sessions_app.exchange.exports.csv_files import (
    HANDS_WON,
    NET,
    RULES_WORDS,
    Shown,
    heading_of,
    recording_column,
    yes,
)
from sessions_app.exchange.imports.sheet_values import (
    ImportRefused,
    named_day_of,
    numbered_lines,
    yes_of,
)
from sessions_app.people.models import MAX_NAME
from sessions_app.people.plain_text import is_showable, plain_number

SETTLE, STRAIGHT = "settle", "straight"
RECORDINGS = {
    SETTLE: "Players paid each other, so each table adds up to 0",
    STRAIGHT: "Everyone added up their own score",
}
WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+\Z")
MAX_DIGITS, MOST = 8, 99_999_999


@dataclass(frozen=True)
class Number:
    """Reads a whole number; an empty cell is None unless it is needed."""

    lowest: int
    highest: int
    is_needed: bool = False

    def __call__(self, text: str, name: str) -> int | None:
        if not text and not self.is_needed:
            return None
        text = plain_number(text)
        if not WHOLE_NUMBER.match(text):
            wrong = f"“{text[:40]}”, which is not a whole number" if text else "empty"
            raise ValueError(f"{name} is {wrong}.")
        if len(text.lstrip("+-")) > MAX_DIGITS:
            raise ValueError(f"{name} is “{text[:40]}”, which has more than {MAX_DIGITS} digits.")
        value = int(text)
        if value < self.lowest:
            raise ValueError(f"{name} is {value}, which is less than {self.lowest}.")
        if value > self.highest:
            raise ValueError(f"{name} is {value}, which is more than {self.highest}.")
        return value


@dataclass(frozen=True)
class Text:
    most: int
    is_needed: bool = False

    def __call__(self, text: str, name: str) -> str:
        if self.is_needed and not text:
            raise ValueError(f"{name} is empty.")
        if len(text) > self.most:
            raise ValueError(f"{name} is longer than {self.most} letters.")
        if not is_showable(text):
            raise ValueError(f"{name} contains a character that cannot be shown.")
        return text


@dataclass(frozen=True)
class Choice:
    choices: tuple[str, ...]
    empty: str = ""

    def __call__(self, text: str, name: str) -> str:
        text = text.lower() or self.empty
        if text not in self.choices:
            wrong = f"“{text[:40]}”; it can be {', '.join(self.choices)}" if text else "empty"
            raise ValueError(f"{name} is {wrong}.")
        return text


def column(cell: Callable[[Any], object], read: Callable[[str, str], Any] | None, **options: Any) -> Any:
    """Return a field of TotalsRow: what an export writes for a tally, and how an import reads the text of a cell."""
    return field(metadata={"cell": cell, "read": read}, **options)


# Date, meeting and table.
SessionKey = tuple[datetime.date, str, int]


@dataclass(frozen=True, kw_only=True)
class TotalsRow:
    """One player's totals in one session, a field for each column of the file; None where the file does not say it."""

    line: int
    date: datetime.date = column(attrgetter("session.date"), named_day_of)
    meeting: str = column(attrgetter("meeting_cell"), Text(80), default="")
    table: int = column(attrgetter("session.table"), Number(1, 999, is_needed=True))
    rules: str = column(Shown(attrgetter("session.rules"), words=RULES_WORDS), Choice(tuple(RULE_SETS)))
    recording: str = column(
        recording_column(attrgetter("session.recording")),
        Choice(tuple(RECORDINGS), empty=SETTLE),
    )
    player: str = column(attrgetter("player"), Text(MAX_NAME, is_needed=True))
    guest: bool = column(lambda tally: yes(tally.player.guest), yes_of, default=False)
    seat: int | None = column(
        lambda tally: tally.seat.seat_no if tally.seat.at_start else "", Number(1, 5), default=None
    )
    hands: int | None = column(attrgetter("hands"), Number(0, 9999), default=None)
    won: int | None = column(HANDS_WON, Number(0, 9999), default=None)
    gained: int | None = column(Shown(attrgetter("gained"), "Points gained"), Number(0, MOST), default=None)
    lost: int | None = column(Shown(attrgetter("lost"), "Points lost"), Number(-MOST, 0), default=None)
    net: int = column(NET, Number(-MOST, MOST, is_needed=True))
    balance: int | None = column(attrgetter("balance"), Number(-MOST, MOST), default=None)
    # It follows from the nets, so it is not read again.
    place: None = column(Shown(attrgetter("position"), "Position"), None, init=False, default=None)
    # Only in the file of a club with several leagues.
    league: str = column(attrgetter("session.meeting.league"), Text(40), default="")

    @property
    def session(self) -> SessionKey:
        return self.date, self.meeting, self.table

    @property
    def where(self) -> str:
        """Name the row: date, meeting, table and player."""
        meeting = f" ({self.meeting})" if self.meeting else ""
        return f"{self.date.isoformat()}{meeting}, table {self.table}, {self.player}"


# By the name of the column: what returns a tally's cell, and what reads a cell's text.
TOTALS_COLUMNS = {column.name: column.metadata["cell"] for column in fields(TotalsRow) if column.metadata}
READERS = {column.name: read for column in fields(TotalsRow) if (read := column.metadata.get("read"))}
LIMITS = {name: (read.lowest, read.highest) for name, read in READERS.items() if isinstance(read, Number)}
# By what people read, in small letters: the names of columns, and the keys in them.
NAMES = {heading_of(name, cell).casefold(): name for name, cell in TOTALS_COLUMNS.items()}
KEYS = {
    name: {word.casefold(): key for key, word in cell.words.items()}
    for name, cell in TOTALS_COLUMNS.items()
    if isinstance(cell, Shown)
}
NEEDED = ["date", "table", "rules", "player", "hands", "won", "net"]


def name_of(heading: str) -> str:
    """Return the name of a column for programs, from that or from its heading, in small letters."""
    plain = heading.strip().casefold()
    return NAMES.get(plain, plain)


def stored_value(name: str, cell: str) -> str:
    """Return a program's key for a cell of a column, from that or from what people read."""
    return KEYS.get(name, {}).get(cell.strip().casefold(), cell)


@dataclass(frozen=True)
class TotalsFile:
    """What was read: the rows, and columns that mean nothing here."""

    rows: list[TotalsRow]
    other_columns: list[str]


def read_totals(content: bytes, club_days: Collection[str] = ()) -> TotalsFile:
    """Return the rows of a file, or raise ImportRefused with a sentence for every fault.

    `club_days` are days in years that nobody can have meant, on which the club has sessions nevertheless.
    """
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
            rows.append(_row(line, dict(zip(columns, cells, strict=True)), club_days))
        except ValueError as error:
            # A terminal cannot show all that a quoted cell may hold.
            sentence = "".join(letter if letter.isprintable() else " " for letter in str(error))
            faults.append(f"Line {line}: {' '.join(sentence.split())}")
    faults += _contradictions(rows)
    if faults:
        raise ImportRefused(*faults)
    return TotalsFile(rows, [name for name in columns if name and name not in TOTALS_COLUMNS])


def _columns(line, cells):
    columns = [name_of(cell) for cell in cells]
    faults = [f"Line {line}: the column “{name}” is missing." for name in NEEDED if name not in columns]
    twice = [name for name in TOTALS_COLUMNS if columns.count(name) > 1]
    faults += [f"Line {line}: the column “{name}” appears twice." for name in twice]
    if faults:
        raise ImportRefused(*faults)
    return columns


def _row(line: int, cells: dict[str, Any], club_days: Collection[str]) -> TotalsRow:
    as_written = {"date": lambda text, _: datetime.date.fromisoformat(text)}
    readers = READERS | (as_written if cells["date"] in club_days else {})
    values = {name: read(stored_value(name, cells.get(name, "")), name) for name, read in readers.items()}
    values |= _gained_and_lost(cells, values)
    hands, won = values["hands"], values["won"]
    if hands is not None and won is not None and won > hands:
        raise ValueError(f"won is {won}, but only {hands} hand{' was' if hands == 1 else 's were'} played.")
    return TotalsRow(line=line, **values)


def _gained_and_lost(cells: dict[str, Any], values: dict[str, Any]) -> dict[Any, Any]:
    """Return what was gained and lost; if only one of them is given, the net says the other.

    Where everyone adds up their own score, the net need not be what passed between the players: if they contradict
    each other, only the net is used.
    """
    gained, lost, net = values["gained"], values["lost"], values["net"]
    if gained is None and lost is None:
        return {}
    gained = net - lost if gained is None else gained
    lost = net - gained if lost is None else lost
    if gained + lost == net and gained >= 0 >= lost:
        return {"gained": gained, "lost": lost}
    if values["recording"] == "straight":
        return {"gained": None, "lost": None}
    given = " and ".join(f"{name} {cells[name]}" for name in ("gained", "lost") if cells.get(name))
    raise ValueError(f"net is {net}, which contradicts {given}.")


def _contradictions(rows: list[Any]) -> list[str]:
    """Return where rows of one table contradict each other."""
    faults = []
    # By the table and one of its facts: the first rows that say the same of it.
    players: dict[Any, TotalsRow] = {}
    seats: dict[Any, TotalsRow] = {}
    plays: dict[Any, dict[tuple[str, str], TotalsRow]] = defaultdict(dict)
    for row in rows:
        others = [other for facts, other in plays[row.session].items() if facts != (row.rules, row.recording)]
        others += filter(None, (players.get((row.session, row.player)), seats.get((row.session, row.seat))))
        if others:
            other = min(others, key=attrgetter("line"))
            faults.append(f"Line {row.line}: {_contradiction(row, other)} (line {other.line}).")
        players.setdefault((row.session, row.player), row)
        plays[row.session].setdefault((row.rules, row.recording), row)
        if row.seat is not None:
            seats.setdefault((row.session, row.seat), row)
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
