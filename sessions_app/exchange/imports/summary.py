"""What an import of totals will be: its days, its meetings, everyone’s results. Someone says first that it is right.

No database here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import blake2s
from operator import attrgetter
from typing import Any

from clubscore.league.methods import grouped
from clubscore.scoring.words import with_commas
from sessions_app.exchange.exports.session_csv import split_number
from sessions_app.exchange.imports.sheet_values import counted
from sessions_app.exchange.imports.totals_file import TotalsRow
from sessions_app.people.dates import day_words

# The field of the tick, and its value where --accept stands for it.
FIELD, ACCEPTED = "our_totals", "accepted"
TICK = "These are our dates and totals"


@dataclass(frozen=True)
class PersonTotal:
    name: str
    results: int
    total: int


@dataclass(frozen=True)
class WhatWillBe:
    """What the rows of a file add up to, for someone to compare with what the club has; `left_out` are sentences."""

    days: list[date]
    meetings: int
    people: list[PersonTotal]
    left_out: list[str] = field(default_factory=list)
    ticked: str = ""

    @property
    def key(self) -> str:
        """The value of the tick: other days or totals need another."""
        return blake2s(f"{self.days} {self.people} {self.left_out}".encode(), digest_size=8).hexdigest()

    @property
    def is_ticked(self) -> bool:
        return self.ticked in (self.key, ACCEPTED)

    @property
    def results(self) -> int:
        return sum(person.results for person in self.people)

    @property
    def when(self) -> str:
        """Name the first and the last day, and count the meetings."""
        first, last = day_words(self.days[0]), day_words(self.days[-1])
        days = f"First day: {first}. Last day: {last}." if first != last else f"One day: {first}."
        return f"{days} {counted(self.meetings, 'meeting')}, {counted(self.results, 'result')}."

    @property
    def refusal(self) -> str:
        """Say why it cannot be saved yet, or nothing."""
        return "" if self.is_ticked else f"Compare the dates and totals with your own. Then tick “{TICK}”."

    @property
    def lines(self) -> list[str]:
        """Return it all as lines of text, for the command line."""
        totals = [
            f"{person.name}: {counted(person.results, 'result')}, total {with_commas(person.total)}."
            for person in self.people
        ]
        return [self.when, *totals, *self.left_out]


def what_will_be(rows: Sequence[TotalsRow], data: Mapping[str, Any], left_out: Sequence[str] = ()) -> WhatWillBe:
    """Return what rows add up to, the highest total first; `data` has the tick of the page that showed it before."""
    people = [
        PersonTotal(name, len(mine), sum(row.net for row in mine))
        for name, mine in grouped(rows, attrgetter("player")).items()
    ]
    people.sort(key=lambda person: (-person.total, person.name.casefold()))
    # "Tea (2)" is the second session at a table of the meeting "Tea".
    meetings = {(row.date, split_number(row.meeting)[0]) for row in rows}
    days = sorted({row.date for row in rows})
    return WhatWillBe(days, len(meetings), people, [*left_out], str(data.get(FIELD, "")))
