"""A row of totals: what Export writes for a player at a table, and what every import reads. No database here."""

import datetime
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any

from sessions_app.exchange.exports.csv_files import (
    HANDS_WON,
    NET,
    RULES_WORDS,
    Shown,
    heading_of,
    recording_column,
    yes,
)

SETTLE, STRAIGHT = "settle", "straight"
RECORDINGS = {
    SETTLE: "Players paid each other",
    STRAIGHT: "Everyone added up their own score",
}
LIMITS = {"table": (1, 999), "seat": (1, 5), "hands": (0, 9999), "won": (0, 9999)}


def column(cell: Callable[[Any], object], **options: Any) -> Any:
    """Return a field of TotalsRow, with what an export writes for a tally."""
    return field(metadata={"cell": cell}, **options)


# Date, meeting and table.
SessionKey = tuple[datetime.date, str, int]


@dataclass(frozen=True, kw_only=True)
class TotalsRow:
    """One player's totals in one session, a field for each column of the file; None where the file does not say it."""

    line: int
    date: datetime.date = column(attrgetter("session.date"))
    meeting: str = column(attrgetter("meeting_cell"), default="")
    table: int = column(attrgetter("session.table"))
    rules: str = column(Shown(attrgetter("session.rules"), words=RULES_WORDS))
    recording: str = column(recording_column(attrgetter("session.recording")))
    player: str = column(attrgetter("player"))
    guest: bool = column(lambda tally: yes(tally.player.guest), default=False)
    seat: int | None = column(lambda tally: tally.seat.seat_no if tally.seat.at_start else "", default=None)
    hands: int | None = column(attrgetter("hands"), default=None)
    won: int | None = column(HANDS_WON, default=None)
    gained: int | None = column(Shown(attrgetter("gained"), "Points gained"), default=None)
    lost: int | None = column(Shown(attrgetter("lost"), "Points lost"), default=None)
    net: int = column(NET)
    balance: int | None = column(attrgetter("balance"), default=None)
    # It follows from the nets, so it is not read again.
    place: None = column(Shown(attrgetter("position"), "Position"), init=False, default=None)
    # Only in the file of a club with several leagues.
    league: str = column(attrgetter("session.meeting.league"), default="")

    @property
    def session(self) -> SessionKey:
        return self.date, self.meeting, self.table

    @property
    def where(self) -> str:
        """Name the row: date, meeting, table and player."""
        meeting = f" ({self.meeting})" if self.meeting else ""
        return f"{self.date.isoformat()}{meeting}, table {self.table}, {self.player}"


# By the name of the column: what returns a tally's cell.
TOTALS_COLUMNS = {column.name: column.metadata["cell"] for column in fields(TotalsRow) if column.metadata}
# By what people read, in small letters: the names of columns, and the keys in them.
NAMES = {heading_of(name, cell).casefold(): name for name, cell in TOTALS_COLUMNS.items()}
KEYS = {
    name: {word.casefold(): key for key, word in cell.words.items()}
    for name, cell in TOTALS_COLUMNS.items()
    if isinstance(cell, Shown)
}
NEEDED = {"date", "table", "rules", "player", "hands", "won", "net"}


def name_of(heading: str) -> str:
    """Return the name of a column for programs, from that or from its heading, in small letters."""
    plain = heading.strip().casefold()
    return NAMES.get(plain, plain)


def stored_value(name: str, cell: str) -> str:
    """Return a program's key for a cell of a column, from that or from what people read."""
    return KEYS.get(name, {}).get(cell.strip().casefold(), cell)


def is_export(headings: Iterable[str]) -> bool:
    """Return whether a file has the columns that Export writes: its names and figures are right as they are."""
    return set(map(name_of, headings)) >= NEEDED
