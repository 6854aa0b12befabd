"""One look at the tables as they will stand, for everything that writes results: what is asked is asked about."""

import datetime
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2s
from typing import Any

from clubscore.league.methods import grouped
from clubscore.scoring.words import listed, signed
from sessions_app.models import Club, Session, Tally
from sessions_app.people.dates import day_words

# More than these at one table is odd, unless the day has no other table: then the file may have had no tables.
MOST_AT_A_TABLE = 5


@dataclass(frozen=True)
class TableResults:
    """What the players of a table won or lost, stored or about to be; a new player's key is the name.

    `nth` is the round at its table, `adds_up` whether players pay each other, so that the sum must be 0.
    """

    date: datetime.date
    meeting: str
    table: int
    nth: int
    adds_up: bool
    nets: dict[int | str, int]
    names: Mapping[int | str, str]
    session: int | None = None

    @property
    def words(self) -> str:
        table = f"Table {self.table}" + (f", round {self.nth}" if self.nth > 1 else "")
        return f"{table} on {day_words(self.date)}" + (f" ({self.meeting})" if self.meeting else "")

    @property
    def round_of_day(self) -> tuple[datetime.date, str, int]:
        return self.date, self.meeting, self.nth

    @property
    def content(self) -> frozenset[tuple[int | str, int]]:
        """Who won or lost what; empty where there is nothing to tell two tables apart by."""
        return frozenset(self.nets.items()) if len(self.nets) > 1 and any(self.nets.values()) else frozenset()


@dataclass(frozen=True)
class TableQuestion:
    """Something to look at before it is saved; `accept` says what a tick means."""

    kind: str
    sentence: str
    accept: str
    tables: Sequence[TableResults]
    # What it is about, one by one, where table_questions of one kind are asked together.
    lines: Sequence[str] = ()

    @property
    def key(self) -> str:
        return blake2s(f"{self.kind} {self.sentence} {self.lines}".encode(), digest_size=8).hexdigest()


# More table_questions of one kind than this are asked as one.
ONE_BY_ONE = 3

TOGETHER = {
    "not zero": ("{} tables do not add up to 0.", "Save them as they are"),
    "too many": ("{} tables have more than five players.", "That is right"),
    "two tables": ("{} times a player is at two tables of one round.", "They are right"),
    "same table": ("{} tables have the same players and results as another.", "All are right"),
}


def questions_about_tables(
    club: Club, tables: Iterable[TableResults], gone: Collection[int] = ()
) -> list[TableQuestion]:
    """Return what is asked of tables that are about to be written, seen together with those that are stored.

    `gone` are the sessions that will not count any more.
    """
    tables = [table for table in tables if table.nets]
    if not tables:
        return []
    stored = list(_stored(club, tables, {*gone, *(table.session for table in tables)}))
    kinds = (_not_zero(tables), _too_many(tables, stored), _two_tables(tables, stored), _same(tables, stored))
    return [question for kind in kinds for question in _together([*kind])]


def _together(table_questions: list[TableQuestion]) -> list[TableQuestion]:
    if len(table_questions) <= ONE_BY_ONE:
        return table_questions
    sentence, accept = TOGETHER[table_questions[0].kind]
    tables = [table for question in table_questions for table in question.tables]
    lines = [question.sentence for question in table_questions]
    return [TableQuestion(table_questions[0].kind, sentence.format(f"{len(table_questions):,}"), accept, tables, lines)]


def questions_about_counting(session: Session) -> list[TableQuestion]:
    """Return what is asked if a cancelled session counts again, in the place of the last round at its table."""
    if not session.void:
        return []
    others = Session.objects.filter(meeting=session.meeting_id, table=session.table, practice=False)
    session.round = max(others.count(), 1)
    return questions_about_tables(session.club, results_of([session]))


def results_of(sessions: Iterable[Session]) -> Iterator[TableResults]:
    """Yield the results of sessions, which have their rounds; one query."""
    here = {session.pk: session for session in sessions}
    tallies = Tally.objects.filter(session__in=here).exclude(hands=0, net=0).select_related("player")
    for pk, found in grouped(tallies.order_by("session", "seat__seat_no"), lambda tally: tally.session_id).items():
        session = here[pk]
        yield TableResults(
            session.date,
            session.meeting.name,
            session.table,
            max(session.round, 1),
            session.imported and session.recording == "settle",
            {tally.player_id: tally.net for tally in found},
            {tally.player_id: str(tally.player) for tally in found},
            pk,
        )


def _stored(club: Club, tables: list[TableResults], left_out: set[int | None]) -> Iterator[TableResults]:
    """Yield the club's tables on these days, and those of these players that have a result of theirs."""
    days = {table.date for table in tables}
    players = {key for table in tables for key in table.nets if isinstance(key, int)}
    nets = {net for table in tables for net in table.nets.values() if net}
    counting = Session.objects.of_club(club).filter(practice=False)
    pks = set(counting.filter(date__range=(min(days), max(days)), date__in=days).values_list("pk", flat=True))
    alike = Tally.objects.filter(session__in=counting, player__in=players, net__in=nets)
    pks |= set(alike.values_list("session", flat=True))
    sessions = Session.objects.filter(pk__in=[pk for pk in pks if pk not in left_out]).with_rounds()
    yield from results_of(sessions.select_related("meeting").order_by("date", "table", "pk"))


def _not_zero(tables: list[TableResults]) -> Iterator[TableQuestion]:
    for table in tables:
        if table.adds_up and (total := sum(table.nets.values())):
            yield TableQuestion(
                "not zero", f"{table.words} adds up to {signed(total)}, not 0.", "Save it as it is", [table]
            )


def _too_many(tables: list[TableResults], stored: list[TableResults]) -> Iterator[TableQuestion]:
    of_round = grouped([*stored, *tables], lambda table: table.round_of_day)
    for table in tables:
        if len(table.nets) > MOST_AT_A_TABLE and len(of_round[table.round_of_day]) > 1:
            yield TableQuestion("too many", f"{table.words} has {len(table.nets)} players.", "That is right", [table])


def _two_tables(tables: list[TableResults], stored: list[TableResults]) -> Iterator[TableQuestion]:
    """Ask about those at two tables of one round, unless most are; a table of nobody else is a further round."""
    new = {id(table) for table in tables}
    for (day, _, _), found in grouped([*stored, *tables], lambda table: table.round_of_day).items():
        at: dict[int | str, list[TableResults]] = defaultdict(list)
        for table in found:
            for player in table.nets:
                at[player].append(table)
        twice = {player: mine for player, mine in at.items() if len(mine) > 1}
        if len(found) > 2 and len(twice) * 2 >= len(at):
            continue
        for player, mine in twice.items():
            numbers = Counter(table.table for table in mine)
            mine = [table for table in mine if numbers[table.table] > 1 or not twice.keys() >= table.nets.keys()]
            if len(mine) > 1 and any(id(table) in new for table in mine):
                where = listed([f"table {table.table} ({signed(table.nets[player])})" for table in mine], "and")
                sentence = f"{mine[-1].names[player]} is at {where} on {day_words(day)}."
                if len({table.table for table in mine}) == 1:
                    nets = listed([f"{signed(table.nets[player])}" for table in mine], "and")
                    sentence = f"{mine[-1].names[player]} has {nets} at table {mine[0].table} on {day_words(day)}."
                yield TableQuestion("two tables", sentence, "That is right", mine)


def _same(tables: list[TableResults], stored: list[TableResults]) -> Iterator[TableQuestion]:
    seen: dict[Any, TableResults] = {}
    for table in [*stored, *tables]:
        first = seen.setdefault(table.content, table) if table.content else table
        if first is not table and table in tables:
            sentence = f"{table.words} has the same players and results as {first.words[0].lower()}{first.words[1:]}."
            yield TableQuestion("same table", sentence, "Both are right", [table])
