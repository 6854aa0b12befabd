"""What an import of totals will be: its days, its meetings, everyone’s results. Someone says first that it is right.

No database here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
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


# Seasons that the club does not have yet.

# A club's year begins in September.
FIRST_MONTH = 9


@dataclass(frozen=True)
class NewSeason:
    name: str
    starts_on: date
    ends_on: date
    league: str = ""
    # How it ranks, and what counts in it.
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.league} {self.name}".strip() + f" ({day_words(self.starts_on)} to {day_words(self.ends_on)})"


def missing_seasons(days: Iterable[date], seasons: Iterable[Any], first_month: int = FIRST_MONTH) -> list[NewSeason]:
    """Return seasons for the days that no season has: a year from that month on, or what the others leave of it."""
    seasons, made = list(seasons), []
    for day in sorted(set(days)):
        if any(one.starts_on <= day <= one.ends_on for one in seasons):
            continue
        year = day.year if day.month >= first_month else day.year - 1
        years = f"{year}–{(year + 1) % 100:02}" if first_month > 1 else f"{year}"
        names = (years, *(f"{years} ({number})" for number in range(2, 999)))
        name = next(name for name in names if all(one.name != name for one in seasons))
        before = [one.ends_on + timedelta(days=1) for one in seasons if one.ends_on < day]
        after = [one.starts_on - timedelta(days=1) for one in seasons if one.starts_on > day]
        starts_on = max([date(year, first_month, 1), *before])
        ends_on = min([date(year + 1, first_month, 1) - timedelta(days=1), *after])
        made.append(NewSeason(name, starts_on, ends_on))
        seasons.append(made[-1])
    return made
