"""What a file of totals would change in a club, in the place of the import that it continues."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from hashlib import sha256
from operator import itemgetter
from typing import Any

from django.db.models import Max

from clubscore.scoring import rule_set_name
from clubscore.scoring.words import listed, signed
from sessions_app.exchange.exports.session_csv import numbered, split_number
from sessions_app.exchange.imports.name_matches import People, field_of
from sessions_app.exchange.imports.sheet_values import counted
from sessions_app.exchange.imports.table_totals import (
    TableChange,
    TableTotals,
    net_changes,
    new_table,
    tables_of,
)
from sessions_app.exchange.imports.take_back import changed_since, sessions_of
from sessions_app.exchange.imports.totals_file import TOTALS_COLUMNS, SessionKey, TotalsRow
from sessions_app.models import Club, Import, Meeting, Player, Season, Session, Tally
from sessions_app.people.dates import day_words
from sessions_app.people.log import log_sentences
from sessions_app.people.log_sentences import LoggedChange
from sessions_app.people.players import ShortNames
from sessions_app.table.season_assignment import season_for_session
from sessions_app.table.what_will_be import TableQuestion, questions_about_tables

# The columns that are compared; of those that follow, a cell that is empty is not.
COMPARED = ("rules", "recording", "hands", "won", "net")
COMPARED_IF_GIVEN = ("gained", "lost", "balance", "seat")

KEEP, FILE = "keep", "file"


def _tables_in_words(counts: Mapping[str, int]) -> str:
    """Say what becomes of the tables: 2 tables corrected, 4 new, 1 no longer in the file."""
    words = {"corrected": "corrected", "new": "new", "gone": "no longer in the file"}
    found = [(counts[key], word) for key, word in words.items() if counts.get(key)]
    first = [
        counted(number, "new table") if word == "new" else f"{counted(number, 'table')} {word}"
        for number, word in found[:1]
    ]
    return ", ".join(first + [f"{number:,} {word}" for number, word in found[1:]])


def _imported(it: LoggedChange) -> str:
    """The file and its tables: again-1.csv, 2 tables corrected, 4 new."""
    if tables := _tables_in_words(it.after.get("counts") or {}):
        return f" from {it.after.get('file')}: {tables}"
    rows = it.after.get("added")
    return f", {counted(rows, 'row')}" if type(rows) is int else ""


log_sentences({"import totals": "imported past totals{imported}"}, imported=_imported)


@dataclass(frozen=True)
class Source:
    """Where an import comes from: the file's name, if it has one, and its content.

    `names` leads from the names in the file to those in the rows. `choices` are kept for the next file, `seasons` and
    `leagues` were added for this import.
    """

    name: str = ""
    content: bytes = b""
    names: Mapping[str, str] = field(default_factory=dict)
    seasons: Sequence[Season] = ()
    leagues: Sequence[str] = ()

    @property
    def digest(self) -> str:
        return sha256(self.content).hexdigest()

    def facts(self, people: People) -> dict[str, Any]:
        """Return what the row of an import keeps of it, names as digests only."""
        return {
            "file_name": self.name[:200],
            "digest": self.digest,
            "names": {
                field_of(name): {"player": people[used].pk} for name, used in self.names.items() if used in people
            },
        }

    def made(self) -> dict[str, Any]:
        """Return what was added for an import, and the sessions that its seasons took before it is written."""
        pks = [season.pk for season in self.seasons]
        sessions = list(Session.objects.filter(season__in=pks).values_list("pk", flat=True))
        return {"season": pks, "sessions": sessions, "leagues": list(self.leagues)}


@dataclass(frozen=True)
class Answers:
    """What was answered on the page or said on the command line.

    `beside` keeps the earlier import; `by_hand` is FILE or KEEP for tables that were corrected here since; `why` is the
    reason of a correction; `opens_lock` unlocks a season for it and locks it again.
    """

    beside: bool = False
    by_hand: str = ""
    accepted: frozenset[str] = frozenset()
    accepts_all: bool = False
    why: str = ""
    opens_lock: bool = False
    # On the command line nobody has seen which tables would be corrected or removed.
    is_unseen: bool = False

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Answers":
        """Return the answers that a form posted."""
        accepted = data.getlist("accept") if hasattr(data, "getlist") else data.get("accept", ())
        return cls(
            data.get("where") == "beside",
            data.get("by_hand", ""),
            frozenset(accepted),
            "accept_all" in data,
            data.get("why", "").strip()[:500],
            data.get("do") == "unlock",
            "unseen" in data,
        )

    def is_open(self, question: TableQuestion) -> bool:
        return not (self.accepts_all or question.key in self.accepted)


@dataclass
class TotalsPlan:
    """What a file would change, or did; each of `new`, `corrected` and `gone` is a sentence about a table."""

    answers: Answers = field(default_factory=Answers)
    forerunner: Import | None = None
    changes: list[TableChange] = field(default_factory=list)
    # Tables of the earlier import that stay, with their digests; "" where that is how someone corrected them here.
    confirmed: dict[int, str] = field(default_factory=dict)
    new: list[str] = field(default_factory=list)
    corrected: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    # Tables that someone corrected here since, and that the file has otherwise.
    by_hand: list[str] = field(default_factory=list)
    table_questions: list[TableQuestion] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    players: list[Player] = field(default_factory=list)
    guests: list[Player] = field(default_factory=list)
    guest_notes: list[str] = field(default_factory=list)
    # Tables that count nowhere, each with the season of its days and league, if there is one.
    unranked: list[tuple[TableTotals, Season | None]] = field(default_factory=list)
    # The leagues that the file says its meetings are of.
    leagues: dict[tuple[date, str], str] = field(default_factory=dict)

    @property
    def has_changes(self) -> bool:
        return bool(self.changes or self.guests)

    @property
    def open_questions(self) -> list[TableQuestion]:
        return [question for question in self.table_questions if self.answers.is_open(question)]

    @property
    def asks_by_hand(self) -> bool:
        return bool(self.by_hand) and self.answers.by_hand not in (KEEP, FILE)

    @property
    def open_sentences(self) -> list[str]:
        """What stops it: what is wrong, and what has not been answered."""
        unseen = []
        if self.answers.is_unseen and not self.faults:
            unseen = [*self.corrected, *(f"No longer in the file: {table}" for table in self.gone)]
            unseen += ["To use the file’s results, use --replace."] if unseen or self.by_hand else []
        by_hand = self.by_hand if self.asks_by_hand else []
        return [*self.faults, *(question.sentence for question in self.open_questions), *by_hand, *unseen]

    @property
    def counts(self) -> dict[str, int]:
        return {"new": len(self.new), "corrected": len(self.corrected), "gone": len(self.gone)}

    @property
    def summary(self) -> str:
        return _tables_in_words(self.counts) or "Nothing changes"


def plan_totals(
    club: Club, rows: list[TotalsRow], source: Source | None = None, answers: Answers | None = None
) -> TotalsPlan:
    """Return what import_totals would do; nothing is written, and nothing is locked."""
    return _Planner(club, rows, source or Source(), answers or Answers()).plan


Rows = dict[int | str, TotalsRow]
Content = frozenset[tuple[int | str, int]]


class _Planner:
    """Reads once what a club has already, and finds what becomes of each of its tables."""

    def __init__(self, club: Club, rows: list[TotalsRow], source: Source, answers: Answers) -> None:
        self.club, self.file_rows, self.answers = club, rows, answers
        self.plan = TotalsPlan(answers)
        self.people = People(club)
        self.seasons = list(Season.objects.of_club(club))
        of_file = {(row.date, row.meeting): row.league for row in rows if row.league}
        self.plan.leagues = of_file
        self.league_of = cache(lambda *meeting: of_file.get(meeting) or Meeting.objects.league_of(club, *meeting))
        counting = Session.objects.of_club(club).filter(practice=False).with_rounds()
        self.sessions = {session.pk: session for session in counting.select_related("meeting", "season").order_by("pk")}
        self.cells = {pk: numbered(session.meeting.name, session.round) for pk, session in self.sessions.items()}
        self.at: dict[SessionKey, int] = {}
        for number, session in self.sessions.items():
            key = (session.date, self.cells[number], session.table)
            if session.imported or key not in self.at:
                self.at[key] = number
        self.totals = tables_of(session for session in self.sessions.values() if session.imported)
        self.names: dict[int | str, str] = {player.pk: str(player) for player in Player.objects.of_club(club)}
        self.file = self.tables_of_file()
        if self.plan.faults:
            return
        forerunner = None if answers.beside else self.forerunner(source)
        self.plan.forerunner = forerunner
        self.earlier = set(sessions_of(forerunner)) & self.totals.keys() if forerunner else set()
        self.corrected_here: set[int] = set()
        self.cancelled: dict[tuple[date, int], int] = {}
        if forerunner:
            self.corrected_here = changed_since(forerunner, {pk: self.totals[pk] for pk in self.earlier})
            for session in Session.objects.filter(pk__in=sessions_of(forerunner), void=True):
                self.cancelled[session.date, session.table] = session.pk
        matched = self.matched()
        for key, pk in sorted(matched.items(), key=itemgetter(0)):
            self.plan_table(key, pk)
        for pk in sorted(self.earlier - set(matched.values()), key=lambda pk: (self.totals[pk].date, pk)):
            self.change(pk, None)
        if not self.plan.faults:
            self.plan.table_questions = self.table_questions()
            self.plan_players()

    def key_of(self, name: str) -> int | str:
        return self.people[name].pk if name in self.people else name.casefold()

    def tables_of_file(self) -> dict[SessionKey, Rows]:
        """Return the file's rows by table and player; one player twice at a table is a fault."""
        tables: dict[SessionKey, Rows] = {}
        for row in self.file_rows:
            player = self.key_of(row.player)
            self.names.setdefault(player, row.player)
            table = tables.setdefault(row.session, {})
            top = next(iter(table.values()), row)
            if (top.rules, top.recording) != (row.rules, row.recording):
                sentence = f"table {row.table} has other rules, or is recorded otherwise, in line {top.line}."
                self.plan.faults.append(f"Line {row.line}: {sentence}")
            first = table.setdefault(player, row)
            if first is not row:
                sentence = f"{row.player} and {first.player} (line {first.line}) are the same player here."
                self.plan.faults.append(f"Line {row.line}: {sentence}")
        return tables

    def forerunner(self, source: Source) -> Import | None:
        """Return the import that this file continues: it has most of its results, or its name and most of its tables.

        Of several, the one with the most results in common; the newest of these.
        """
        in_file = {(key[0], player, row.net) for key, rows in self.file.items() for player, row in rows.items()}
        there = {(day, player) for day, player, _ in in_file}
        contents = {frozenset((who, row.net) for who, row in rows.items()) for rows in self.file.values()}
        best: tuple[int, int, Import] | None = None
        for earlier in Import.objects.of_club(self.club).filter(kind=Import.Kind.TOTALS).standing().order_by("pk"):
            tables = [self.totals[pk] for pk in sessions_of(earlier) if pk in self.totals]
            results = {(table.date, one.player, one.net) for table in tables for one in table.results}
            same = len(results & in_file)
            is_called_so = source.name == earlier.file_name
            # What was pasted has no name: a table of another day is not known by its results alone.
            by_results = contents if source.name else set()
            known = [
                one
                for one in tables
                if _content(one) in by_results or any((one.date, who) in there for who in one.players)
            ]
            if (same and same * 2 >= len(results)) or (is_called_so and known and len(known) * 2 >= len(tables)):
                best = max(filter(None, (best, (same, earlier.pk, earlier))), key=lambda found: found[:2])
        return best and best[2]

    def matched(self) -> dict[SessionKey, int | None]:
        """Return each table of the file with the session that it is; None for a new one.

        A table of the earlier import that moved to another day or number is known by its players and results.
        """
        contents = {
            key: frozenset((player, row.net) for player, row in rows.items()) for key, rows in self.file.items()
        }
        here = {pk: _content(table) for pk, table in self.totals.items()}
        found: dict[SessionKey, int | None] = {
            key: pk for key in self.file if (pk := self.at.get(key)) and here.get(pk) == contents[key]
        }
        free: dict[Content, list[int]] = defaultdict(list)
        for pk in sorted(self.earlier - set(found.values())):
            if here[pk] and self.is_only_round(pk):
                free[here[pk]].append(pk)
        for key in self.file:
            if key not in found and free[contents[key]] and split_number(key[1])[1] == 1:
                found[key] = free[contents[key]].pop(0)
        taken = set(found.values())
        for key in self.file:
            if key not in found:
                found[key] = pk if (pk := self.at.get(key)) not in taken else None
        return found

    def is_only_round(self, pk: int) -> bool:
        session = self.sessions[pk]
        place = (session.meeting_id, session.table)
        return sum((other.meeting_id, other.table) == place for other in self.sessions.values()) == 1

    def plan_table(self, key: SessionKey, pk: int | None) -> None:
        """Note what becomes of a table of the file."""
        rows = self.file[key]
        if pk and pk not in self.totals:
            self.check_played(pk, rows)
            return
        is_whole = pk in self.earlier
        before = self.totals[pk] if pk else None
        if before is None:
            after = new_table(next(iter(rows.values())), self.meeting_name(key)).with_rows(rows, is_whole=True)
        else:
            moved = before if self.at.get(key) == pk else replace(before, date=key[0], meeting=key[1], table=key[2])
            after = moved.with_rows(rows, is_whole)
            if not is_whole:
                self.check_seats(before, rows)
        if after == before:
            if is_whole and pk:
                self.plan.confirmed[pk] = after.digest
        else:
            nth = self.sessions[pk].round if pk else split_number(key[1])[1] if after.meeting != key[1] else 1
            self.change(pk, after, rows, nth)

    def check_played(self, pk: int, rows: Rows) -> None:
        """Refuse other figures for a table that was played hand by hand."""
        tallies = {
            tally.player_id: tally for tally in Tally.objects.filter(session=pk).select_related("session", "seat")
        }
        for player, row in rows.items():
            tally = tallies.get(player)  # type: ignore[arg-type]  # a new name has none
            # Empty hands and won mean that they are not known; other cells that are empty are not compared.
            given = [*COMPARED, *(name for name in COMPARED_IF_GIVEN if getattr(row, name) is not None)]
            if not (tally and all(getattr(row, name) == TOTALS_COLUMNS[name](tally) for name in given)):
                sentence = f"{row.where} was played hand by hand here, with other figures. Correct it at the table."
                self.plan.faults.append(f"Line {row.line}: {sentence}")

    def check_seats(self, before: TableTotals, rows: Rows) -> None:
        """Refuse a seat that someone has who is not in the file."""
        for player, row in rows.items():
            holder = next((one.player for one in before.results if one.at_start and one.seat == row.seat), player)
            if holder != player and (holder not in rows or rows[holder].seat is None):
                self.plan.faults.append(f"Line {row.line}: {row.where}: seat {row.seat} is someone else’s here.")

    def meeting_name(self, key: SessionKey) -> str:
        """Return the meeting's name: "Tea (2)" is the second session at a table of "Tea", where there is a first."""
        day, cell, table = key
        name, nth = split_number(cell)
        known = {(session.date, session.meeting.name) for session in self.sessions.values()}
        earlier = ((day, numbered(name, number), table) for number in range(1, nth))
        is_another = (day, cell) not in known and all(one in self.file or one in self.at for one in earlier)
        return name if is_another else cell

    def season_of(self, table: TableTotals) -> Season | None:
        league = self.league_of(table.date, table.meeting)
        return season_for_session(self.seasons, table.date, table.rules, table.recording, league)

    def change(self, pk: int | None, after: TableTotals | None, rows: Rows | None = None, nth: int = 1) -> None:
        """Plan one change, unless it is of a locked season or of what someone corrected here and keeps."""
        plan, before = self.plan, self.totals[pk] if pk else None
        for table in filter(None, (before, after)):
            season = self.season_of(table)
            if season and season.locked:
                row = next(iter(rows.values())) if rows else None
                where = f"Line {row.line}: {row.where}" if row else _where(table)
                plan.faults.append(f"{where} is in the season {season}, which is locked.")
                return
        if before is None and after and (cancelled := self.cancelled.get((after.date, after.table))):
            plan.by_hand.append(f"{self.words(before, after)} This table was cancelled here.")
            if self.answers.by_hand != FILE:
                plan.confirmed[cancelled] = ""
                return
        was = {one.player: one for one in before.results} if before else {}
        now = {one.player: one for one in after.results} if after else {}
        if before and pk and self.is_by_hand(pk, was, now, rows):
            plan.by_hand.append(self.words(before, after))
            if self.answers.by_hand != FILE:
                plan.confirmed |= {pk: ""} if pk in self.earlier else {}
                return
        kind = plan.new if before is None else plan.gone if after is None else plan.corrected
        kind.append(self.words(before, after))
        plan.changes.append(TableChange(before, after, pk, nth))
        if after and not self.season_of(after):
            league = self.league_of(after.date, after.meeting)
            of_day = (
                row for row in self.seasons if row.league == league and row.starts_on <= after.date <= row.ends_on
            )
            plan.unranked.append((after, next(of_day, None)))

    def is_by_hand(self, pk: int, was: dict[Any, Any], now: dict[Any, Any], rows: Rows | None) -> bool:
        """Return whether this would undo what someone entered or corrected here."""
        if pk in self.earlier:
            return pk in self.corrected_here
        return any(player in was and now.get(player) != was[player] for player in rows or {})

    def words(self, before: TableTotals | None, after: TableTotals | None) -> str:
        """Say what changes at a table."""
        if before is None or after is None:
            table: Any = before or after
            results = [f"{self.names[one.player]} {signed(one.net)}" for one in table.results]
            return f"{_where(table)}: {', '.join(results)}."
        where, there = _where(before), _where(after)
        moved = "" if there == where else f" is now {there[0].lower()}{there[1:]}"
        changes = net_changes(*({self.names[one.player]: one.net for one in side.results} for side in (before, after)))
        if before.rules != after.rules:
            changes.append(f"{rule_set_name(after.rules)} instead of {rule_set_name(before.rules)}")
        what = listed(changes, "and") or ("" if moved else "hands, seats or balances")
        return f"{where}{moved}{what and f': {what}'}."

    def table_questions(self) -> list[TableQuestion]:
        written = [change.results(self.names) for change in self.plan.changes if change.after]
        gone = [change.session for change in self.plan.changes if change.session and not change.after]
        return questions_about_tables(self.club, written, gone)

    def plan_players(self) -> None:
        """Add the players who are new, and make others guests or members by their newest row.

        That row does not count where the club knows a newer session of theirs.
        """
        tables = [change.after for change in self.plan.changes if change.after]
        names = dict.fromkeys(one.player for table in tables for one in table.results if isinstance(one.player, str))
        self.plan.players = new_players(self.club, [self.names[name] for name in names])
        new = dict(zip(names, self.plan.players, strict=True))
        played = Tally.objects.of_club(self.club).filter(session__practice=False)
        last_played = dict(played.values_list("player").annotate(last=Max("session__date")))
        newest = {self.key_of(row.player): row for row in sorted(self.file_rows, key=lambda row: (row.date, row.table))}
        for key, row in newest.items():
            player = new.get(str(key)) or (self.people.get(row.player) if isinstance(key, int) else None)
            last = last_played.get(key)
            if player is None or row.guest == player.guest or (last and row.date < last):
                continue
            player.guest = row.guest
            if player.pk:
                self.plan.guests.append(player)
            if last:
                become = "a guest, not a member" if row.guest else "a member, not a guest"
                self.plan.guest_notes.append(f"{player} is now {become}, as the newest line says.")


def _content(table: TableTotals) -> Content:
    """Return who won or lost what at a table; empty where it cannot be told from another."""
    results = frozenset((one.player, one.net) for one in table.results)
    return results if any(net for _, net in results) else frozenset()


def _where(table: TableTotals) -> str:
    return f"Table {table.table} on {day_words(table.date)}" + (f" ({table.meeting})" if table.meeting else "")


def new_players(club: Club, names: list[str]) -> list[Player]:
    """Return unsaved players of these names."""
    short = ShortNames(club, names)
    return [Player(club=club, full_name=name, short_name=short.take(name)) for name in names]
