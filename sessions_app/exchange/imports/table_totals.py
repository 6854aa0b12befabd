"""A table of totals as one value, as it stands or shall stand; and the one way to write such tables."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from hashlib import blake2s
from typing import Any

from django.db.models import F

from clubscore.league.methods import grouped
from clubscore.scoring import RULE_SETS
from clubscore.scoring.words import signed
from sessions_app.exchange.imports.totals_file import TotalsRow
from sessions_app.models import Club, Meeting, Player, Season, Seat, Session, Tally
from sessions_app.table.season_assignment import season_of
from sessions_app.table.what_will_be import TableResults

# Added to seat numbers while players change seats, as no two may have the same one.
ELSEWHERE = 10_000
FIGURES = ("hands", "won", "gained", "lost", "net", "balance", "best_hand")
OF_SESSION = ("date", "table", "rules", "recording", "house_rules", "edition", "starting_balance")


@dataclass(frozen=True)
class Result:
    """One player's totals; `player` is an id, or the name of someone who is not on the list yet."""

    player: int | str
    seat: int | None = None
    at_start: bool = True
    hands: int | None = None
    won: int | None = None
    gained: int = 0
    lost: int = 0
    net: int = 0
    balance: int = 0
    best_hand: int | None = None

    def with_row(self, row: TotalsRow) -> "Result":
        """Return it with a row's figures; what the row leaves open follows from the net, or stays where that does."""
        given: dict[str, Any] = {
            "gained": max(row.net, 0),
            "lost": min(row.net, 0),
            "balance": self.balance - self.net + row.net,
        }
        if (row.hands, row.won, row.net) == (self.hands, self.won, self.net):
            given |= {"gained": self.gained, "lost": self.lost}
        given |= {name: value for name in given if (value := getattr(row, name)) is not None}
        seat: dict[str, Any] = {} if row.seat is None else {"seat": row.seat, "at_start": True}
        return replace(self, hands=row.hands, won=row.won, net=row.net, **given, **seat)


@dataclass(frozen=True)
class TableTotals:
    """When and where a table was, by which rules, and each player's totals in the order of their seats."""

    date: date
    meeting: str
    table: int
    rules: str
    recording: str
    house_rules: dict[str, Any] = field(default_factory=dict)
    edition: int = 1
    starting_balance: int = 0
    results: tuple[Result, ...] = ()
    # Its meeting’s, for when that has to be made again.
    league: str = field(default="", compare=False)

    def to_json(self) -> dict[str, Any]:
        """Return it as an import keeps it."""
        return asdict(self) | {"date": self.date.isoformat(), "results": [*map(asdict, self.results)]}

    @classmethod
    def from_json(cls, kept: dict[str, Any], players: dict[int, int]) -> "TableTotals":
        """Return what an import kept; `players` leads from those that were merged to those they are now."""
        results = [Result(**row | {"player": players.get(row["player"], row["player"])}) for row in kept["results"]]
        return cls(**kept | {"date": date.fromisoformat(kept["date"]), "results": tuple(results)})

    @property
    def players(self) -> list[int | str]:
        return [result.player for result in self.results]

    @property
    def digest(self) -> str:
        """Something that is another if the figures are; who has them is left out, as players may be merged."""
        facts = [self.date.isoformat(), self.table, self.rules, self.recording]
        figures = [[one.seat, *(getattr(one, name) for name in FIGURES)] for one in self.results]
        return blake2s(json.dumps([facts, figures]).encode(), digest_size=8).hexdigest()

    def by_rules_of(self, row: TotalsRow) -> "TableTotals":
        """Return it with a row's rules and recording, which the house rules name where it is not the usual one."""
        if (row.rules, row.recording) == (self.rules, self.recording):
            return self
        rule_set = RULE_SETS[row.rules]
        house = {} if row.recording == rule_set.house_rules["recording"] else {"recording": row.recording}
        return replace(self, rules=row.rules, recording=row.recording, house_rules=house, edition=rule_set.edition)

    def with_rows(self, rows: Mapping[int | str, TotalsRow], is_whole: bool) -> "TableTotals":
        """Return it with the rows of players; others leave it if the rows are the whole table."""
        stands = {result.player: result for result in self.results}
        fresh = Result("", at_start=False, balance=self.starting_balance)
        written = {
            player: (stands.get(player) or replace(fresh, player=player)).with_row(row) for player, row in rows.items()
        }
        kept = {player: result for player, result in stands.items() if player in rows or not is_whole}
        wanted = {player: row.seat for player, row in rows.items()}
        table = replace(self, results=_seated({**kept, **written}, wanted))
        return table.by_rules_of(next(iter(rows.values())))


def _seated(results: dict[int | str, Result], wanted: dict[int | str, int | None]) -> tuple[Result, ...]:
    """Return results with seats: those that are wanted, then those they had, then the next; in order of seats."""
    of_seat: dict[int, int | str] = {}
    had = {player: result.seat for player, result in results.items()}
    for seats in (wanted, had):
        for player, seat in seats.items():
            if seat is not None and player not in of_seat.values():
                # Of two who want one seat, the first has it.
                of_seat.setdefault(seat, player)
    for player in [player for player in results if player not in of_seat.values()]:
        of_seat[max(of_seat, default=0) + 1] = player
    return tuple(
        replace(results[player], seat=seat, at_start=results[player].at_start and had[player] == seat)
        for seat, player in sorted(of_seat.items())
    )


def new_table(row: TotalsRow, meeting: str) -> TableTotals:
    """Return the table of a file's row, without its results."""
    start = 0 if row.balance is None else row.balance - row.net
    return TableTotals(row.date, meeting, row.table, "", "", starting_balance=start).by_rules_of(row)


def tables_of(sessions: Iterable[Session]) -> dict[int, TableTotals]:
    """Return the totals of sessions, which have their meetings, by id; one query."""
    here = {session.pk: session for session in sessions}
    tallies = Tally.objects.filter(session__in=here).select_related("seat").order_by("session", "seat__seat_no")
    results = grouped(tallies, lambda tally: tally.session_id)
    return {pk: _stands(session, results.get(pk, [])) for pk, session in here.items()}


def _stands(session: Session, tallies: list[Tally]) -> TableTotals:
    facts = {name: getattr(session, name) for name in OF_SESSION}
    results = [
        Result(
            tally.player_id,
            tally.seat.seat_no,
            tally.seat.at_start,
            **{name: getattr(tally, name) for name in FIGURES},
        )
        for tally in tallies
    ]
    meeting = session.meeting
    return TableTotals(meeting=meeting.name, league=meeting.league, results=tuple(results), **facts)


@dataclass
class TableChange:
    """What becomes of one table: made where nothing was before, removed where nothing is after."""

    before: TableTotals | None
    after: TableTotals | None
    session: int | None = None
    nth: int = 1

    def results(self, names: Mapping[int | str, str]) -> TableResults:
        """Return what will be won or lost at the table, to be looked at before it is written."""
        table: Any = self.after
        nets = {one.player: one.net for one in table.results if one.hands != 0 or one.net}
        adds_up = table.recording == "settle"
        return TableResults(table.date, table.meeting, table.table, self.nth, adds_up, nets, names, self.session)

    def name_players(self, players: Iterable[Player]) -> None:
        """Put the ids of new players in the place of their names."""
        ids: dict[int | str, int] = {player.full_name.casefold(): player.pk for player in players}
        if self.after:
            results = [replace(one, player=ids.get(one.player, one.player)) for one in self.after.results]
            self.after = replace(self.after, results=tuple(results))


def write_tables(
    club: Club, changes: list[TableChange], leagues: Mapping[tuple[date, str], str] | None = None
) -> list[Meeting]:
    """Write the tables as they shall stand, in their seasons; return the meetings that were made for them.

    A table to be made gets its session's id, or has the one that it once had. Unchanged rows stay as they are. Meetings
    are made in the league that `leagues` says, else in the proposed one.
    """
    removed = Session.objects.filter(pk__in=[change.session for change in changes if not change.after])
    seasons: set[int | None] = set(removed.values_list("season", flat=True))
    removed.delete()
    written = [change for change in changes if change.after]
    meetings, made = _meetings_for(club, [change.after for change in written if change.after], leagues or {})
    stored = Session.objects.in_bulk([change.session for change in written if change.before and change.session])
    of_club = list(Season.objects.of_club(club))
    new, sessions = [], []
    for change in written:
        session = stored.get(change.session or 0)
        if session is None:
            session = Session(pk=change.session, club=club, state=Session.State.FINISHED, imported=True)
            new.append(session)
        table: Any = change.after
        seasons.add(session.season_id)
        session.meeting = meetings[table.date, table.meeting]
        for name in OF_SESSION:
            setattr(session, name, getattr(table, name))
        session.season = season_of(session, of_club)
        seasons.add(session.season_id)
        session.version += not session._state.adding
        sessions.append(session)
    Session.objects.bulk_create(new)
    Session.objects.bulk_update(stored.values(), ["meeting", "season", "version", *OF_SESSION])
    for change, session in zip(written, sessions, strict=True):
        change.session = session.pk
    _write_results(
        {session: change.after.results for change, session in zip(written, sessions, strict=True) if change.after}
    )
    Season.objects.raise_version(*seasons)
    return made


def _meetings_for(
    club: Club, tables: list[TableTotals], leagues: Mapping[tuple[date, str], str]
) -> tuple[dict[tuple[date, str], Meeting], list[Meeting]]:
    """Return the meetings of these tables by date and name, and those of them that were made."""
    days = {table.date for table in tables}
    known = Meeting.objects.of_club(club).filter(date__range=(min(days), max(days))).order_by("-pk") if days else ()
    meetings = {(meeting.date, meeting.name): meeting for meeting in known}
    wanted = dict.fromkeys((table.date, table.meeting) for table in tables)
    league_of = Meeting.objects.league_of
    made = [
        Meeting(club=club, date=day, name=name, league=leagues.get((day, name)) or league_of(club, day, name))
        for day, name in wanted
        if (day, name) not in meetings
    ]
    Meeting.objects.bulk_create(made)
    return meetings | {(meeting.date, meeting.name): meeting for meeting in made}, made


def _write_results(tables: dict[Session, tuple[Result, ...]]) -> None:
    """Give every result its seat and its tally; seats and tallies of those who are not there any more go."""
    seats: dict[int, dict[int, Seat]] = defaultdict(dict)
    for stands in Seat.objects.filter(session__in=tables).select_related("tally"):
        seats[stands.session_id][stands.player_id] = stands
    gone, moved, changed = [], [], []
    new_seats: list[Seat] = []
    new_tallies: list[Tally] = []
    for session, results in tables.items():
        here = seats[session.pk]
        players = {result.player for result in results}
        gone += [seat.pk for player, seat in here.items() if player not in players]
        for result in results:
            place = {"seat_no": result.seat, "at_start": result.at_start}
            seat = here.get(int(result.player))
            if seat is None:
                seat = Seat(club=session.club, session=session, player_id=result.player, **place)
                new_seats.append(seat)
            elif (seat.seat_no, seat.at_start) != (result.seat, result.at_start):
                seat.seat_no, seat.at_start = result.seat or 0, result.at_start
                moved.append(seat)
            tally = getattr(seat, "tally", None)
            if tally is None:
                tally = Tally(club=session.club, session=session, seat=seat, player_id=result.player)
                new_tallies.append(tally)
            else:
                changed.append(tally)
            tally.season_id = session.season_id
            for name in FIGURES:
                setattr(tally, name, getattr(result, name))
    Seat.objects.filter(pk__in=gone).delete()
    Seat.objects.filter(pk__in=[seat.pk for seat in moved]).update(seat_no=F("seat_no") + ELSEWHERE)
    Seat.objects.bulk_update(moved, ["seat_no", "at_start"])
    Seat.objects.bulk_create(new_seats)
    for tally in new_tallies:
        tally.seat_id = tally.seat.pk
    Tally.objects.bulk_create(new_tallies)
    Tally.objects.bulk_update(changed, ["season", *FIGURES])


def net_changes(before: dict[str, int], after: dict[str, int]) -> list[str]:
    """Return what changed in what people won or lost at a table, by their names."""
    changed = [
        f"{name} {signed(before[name])} → {signed(net)}" if name in before else f"{name} {signed(net)} is new"
        for name, net in after.items()
        if before.get(name) != net
    ]
    return changed + [f"{name} {signed(net)} is gone" for name, net in before.items() if name not in after]
