"""Import a club's history: rows of session totals become sessions that count like any other."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any
from uuid import uuid4

from django.db.models import F, QuerySet

from clubscore import scoring
from clubscore.scoring import rule_set_name
from clubscore.scoring.words import listed
from clubscore.table.command_kinds import VOID
from sessions_app.exchange.exports.session_csv import cells_of_club, numbered, split_number
from sessions_app.exchange.imports.name_matches import ImportPreview, People, preview_of_names
from sessions_app.exchange.imports.sheet_values import ImportRefused, counted, refuse_too_many
from sessions_app.exchange.imports.totals_file import TOTALS_COLUMNS, SessionKey, TotalsRow, read_totals
from sessions_app.league.seasons import change_season
from sessions_app.models import Club, Meeting, Player, Season, Seat, Session, Tally
from sessions_app.people.clubs import club_at
from sessions_app.people.dates import FIRST_DAY, LAST_DAY, day_words
from sessions_app.people.log import Actor, log_change
from sessions_app.people.players import ShortNames, grouped
from sessions_app.people.transactions import write_transaction
from sessions_app.table.apply_command import apply_secretary_command
from sessions_app.table.season_assignment import assign_seasons, season_for_session

# Added to seat numbers while players change seats, as no two may have the same one.
ELSEWHERE = 10_000

FIGURES = ["hands", "won", "gained", "lost", "net", "balance"]
# The columns that are compared; of those that follow, a cell that is empty is not.
COMPARED = ("rules", "recording", "hands", "won", "net")
COMPARED_IF_GIVEN = ("gained", "lost", "balance", "seat")

# How to use the file's figures, for the command line and for the page.
BY_OPTION = "use --replace"
BY_TICKING = "tick “Use the file’s figures where they differ”"


@dataclass
class TotalsImport:
    """What an import did or would do."""

    added: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    guests_changed: list[int] = field(default_factory=list)
    guest_notes: list[str] = field(default_factory=list)
    unranked: list[Session] = field(default_factory=list)
    unchanged: int = 0
    before: list[dict] = field(default_factory=list)

    @property
    def has_changes(self) -> bool:
        return bool(self.added or self.replaced or self.guests_changed)

    def __str__(self) -> str:
        numbers = (len(self.added), "added"), (len(self.replaced), "replaced"), (self.unchanged, "unchanged")
        parts = [f"{counted(number, 'row')} {what}" for number, what in numbers if number]
        return f"{', '.join(parts) or 'No rows'}."


def import_totals(
    slug: str,
    rows: list[TotalsRow],
    by: Actor,
    replacing: bool = False,
    remedy: str = BY_OPTION,
    choices: dict[str, Any] | None = None,
) -> TotalsImport:
    """Write the rows into the club, made if need be, all or nothing; raise ImportRefused for rows that contradict it.

    A row of the same date, meeting, table and player with other figures is refused unless `replacing`; rows that are
    there already change nothing. `choices` are kept in the log, for the next file.
    """
    with write_transaction():
        club = club_of(slug, rows)
        done = _Importer(club, rows, remedy).run(replacing)
        if done.has_changes:
            after = {"added": len(done.added), "replaced": len(done.replaced), "guests": done.guests_changed}
            after |= {"choices": choices} if choices else {}
            log_change(club, by, "import totals", club, {"replaced": done.before}, after)
    return done


def preview_totals(club: Club, rows: list[TotalsRow], replacing: bool = False, remedy: str = BY_OPTION) -> TotalsImport:
    """Return what import_totals would do; nothing is written, and nothing is locked."""
    return _Importer(club, rows, remedy, is_preview=True).run(replacing)


def club_of(slug: str, rows: list[TotalsRow]) -> Club:
    """Return the club; a new one plays by the rule set most rows have."""
    club = club_at(slug)
    if club is None:
        used = [row.rules for row in rows]
        rules = max(sorted(set(used)), key=used.count, default="bmja")
        club = Club.objects.create(slug=slug, name=slug.replace("-", " ").capitalize(), rules=rules)
    return club


def wrong_days(club: Club | None) -> set[str]:
    """Return the days in impossible years on which a club has sessions: its own file of totals has them too."""
    sessions = Session.objects.filter(club=club).exclude(date__range=(FIRST_DAY, LAST_DAY))
    return set(map(str, sessions.values_list("date", flat=True)))


def differences(row: TotalsRow, tally: Tally) -> list[str]:
    """Return how the figures of a row differ from those of a tally.

    Empty hands and won mean that they are not known; other optional cells that are empty are not compared.
    """
    names = [*COMPARED, *(name for name in COMPARED_IF_GIVEN if getattr(row, name) is not None)]
    pairs = [(name, getattr(row, name), TOTALS_COLUMNS[name](tally)) for name in names]
    return [
        f"{name} {'–' if here in (None, '') else here} here, {'–' if given is None else given} in the file"
        for name, given, here in pairs
        if given != here
    ]


class _Importer:
    """Reads once what a club has already, and writes the rows; a preview makes them in memory only."""

    def __init__(self, club: Club, rows: list[TotalsRow], remedy: str, is_preview: bool = False) -> None:
        self.club, self.rows, self.remedy, self.is_preview = club, rows, remedy, is_preview
        self.done = TotalsImport()
        self.players = People(club)
        self.seasons = list(Season.objects.of_club(club))
        self.meetings = {(meeting.date, meeting.name): meeting for meeting in Meeting.objects.of_club(club)}
        # By date, meeting and table; the last session of each player, and the first row of each in this file.
        self.tallies: dict[tuple[SessionKey, int | str], Tally] = {}
        self.sessions: dict[SessionKey, Session] = {}
        self.seated: dict[tuple[SessionKey, int], int] = {}
        self.last_played: dict[int, date] = {}
        cells = cells_of_club(club)
        tallies = Tally.objects.of_club(club).filter(session__practice=False)
        for tally in tallies.select_related("session__meeting", "session__season", "seat").order_by("session__date"):
            session = tally.session
            key = (session.date, cells[session.pk], session.table)
            self.tallies[key, tally.player_id] = tally
            self.last_played[tally.player_id] = session.date
            if session.imported or key not in self.sessions:
                self.sessions[key] = session
            if tally.seat.at_start:
                self.seated[key, tally.seat.seat_no] = tally.player_id
        self.first_rows = {(row.session, self.player_key(row)): row for row in reversed(rows)}

    def run(self, replacing: bool) -> TotalsImport:
        """Write the rows, all or nothing; ImportRefused for rows that contradict what is here."""
        faults, new, changed = [], [], []
        for row in self.rows:
            tally = self.tallies.get((row.session, self.player_key(row)))
            if fault := self.fault(row, tally, replacing):
                faults.append(f"Line {row.line}: {fault}")
            elif tally is None:
                new.append(row)
            elif differences(row, tally):
                changed.append((row, tally))
        if faults:
            raise ImportRefused(*faults)
        self.write(new, changed)
        return self.done

    def player_key(self, row: TotalsRow) -> int | str:
        return self.players[row.player].pk if row.player in self.players else row.player.casefold()

    def season(self, row: TotalsRow) -> Season | None:
        return season_for_session(self.seasons, row.date, row.rules, row.recording)

    def fault(self, row: TotalsRow, tally: Tally | None, replacing: bool) -> str:
        """Return why a row cannot be written, or nothing."""
        session = tally.session if tally else self.sessions.get(row.session)
        other = "; ".join(differences(row, tally)) if tally else ""
        first = self.first_rows[row.session, self.player_key(row)]
        if first is not row:
            return f"{row.player} and {first.player} (line {first.line}) are the same player here."
        if tally and not other:
            return ""
        if session and not session.imported:
            return f"{row.where} was played hand by hand here. Correct it at the table{other and f' ({other})'}."
        season = (tally and tally.session.season) or self.season(row)
        if season and season.locked:
            return f"{row.where} is in the season {season.name}, which is locked."
        if tally and not replacing:
            return f"{row.where} is here with other figures ({other}). To use the file’s figures, {self.remedy}."
        if session and not replacing and (row.rules, row.recording) != (session.rules, session.recording):
            return f"{row.where}: this table is here with {session.rules} rules, recorded as {session.recording}."
        holder = self.seated.get((row.session, row.seat or 0))
        if holder is None or holder == self.player_key(row):
            return ""
        # The one who has the seat may move to another in the same file.
        moving = self.first_rows.get((row.session, holder))
        return "" if moving and moving.seat is not None else f"{row.where}: seat {row.seat} is someone else’s here."

    def write(self, new: list[TotalsRow], changed: list[tuple[TotalsRow, Tally]]) -> None:
        done, written = self.done, [*new, *(row for row, _ in changed)]
        done.added = [row.where for row in new]
        done.replaced = [row.where for row, _ in changed]
        done.unchanged = len(self.rows) - len(written)
        self.add_players(new)
        self.add_sessions(new)
        has_other_rules = self.change_rules(written)
        if not self.is_preview:
            self.replace_figures(changed)
            self.place_seats(written)
            self.add_tallies(new)
            if has_other_rules:
                assign_seasons(self.club)
        self.change_guests()
        sessions = {row.session: self.sessions[row.session] for row in new}
        done.unranked = [session for session in sessions.values() if session.season_id is None]
        if not self.is_preview:
            Season.objects.raise_version(*(self.sessions[row.session].season_id for row in written))

    def add_players(self, rows: list[TotalsRow]) -> None:
        names: dict[str, str] = {}
        for row in rows:
            if row.player not in self.players:
                names.setdefault(row.player.casefold(), row.player)
        short = ShortNames(self.club, names.values())
        new = [Player(club=self.club, full_name=name, short_name=short.take(name)) for name in names.values()]
        if self.is_preview:
            for number, player in enumerate(new, 1):
                # An id that no player has.
                player.pk = -number
        else:
            Player.objects.bulk_create(new)
        for player in new:
            self.players.add(player.full_name, player)

    def add_sessions(self, rows: list[TotalsRow]) -> None:
        new = {row.session: row for row in reversed(rows) if row.session not in self.sessions}
        keys = sorted(new, key=lambda key: (key[0], *split_number(key[1]), key[2]))
        days = {key: (key[0], self.meeting_name(key, new)) for key in keys}
        meetings = {
            (day, name): Meeting(club=self.club, date=day, name=name)
            for day, name in days.values()
            if (day, name) not in self.meetings
        }
        if not self.is_preview:
            Meeting.objects.bulk_create(meetings.values())
        self.meetings |= meetings
        sessions = {key: self.new_session(new[key], self.meetings[days[key]]) for key in keys}
        if not self.is_preview:
            Session.objects.bulk_create(sessions.values())
        self.sessions |= sessions

    def meeting_name(self, key: tuple, new: dict) -> str:
        """Return the meeting's name: "Tea (2)" is the second session at a table of "Tea", where there is a first."""
        day, cell, table = key
        name, nth = split_number(cell)
        earlier = ((day, numbered(name, number), table) for number in range(1, nth))
        is_another = (day, cell) not in self.meetings and all(one in new or one in self.sessions for one in earlier)
        return name if is_another else cell

    def new_session(self, row: TotalsRow, meeting: Meeting) -> Session:
        session = Session(
            club=self.club,
            meeting=meeting,
            season=self.season(row),
            date=row.date,
            table=row.table,
            starting_balance=0 if row.balance is None else row.balance - row.net,
            state=Session.State.FINISHED,
            imported=True,
        )
        _set_rules(session, row)
        return session

    def change_rules(self, rows: list[TotalsRow]) -> bool:
        """Take over other rules or another recording; return whether sessions may count in another season now."""
        changed = []
        for row in rows:
            session = self.sessions[row.session]
            if (row.rules, row.recording) != (session.rules, session.recording):
                _set_rules(session, row)
                changed.append(session)
        if not self.is_preview:
            Session.objects.bulk_update(changed, ["rules", "recording", "house_rules", "edition"])
        return bool(changed)

    def replace_figures(self, changed: list[tuple[TotalsRow, Tally]]) -> None:
        for row, tally in changed:
            self.done.before.append({"tally": tally.pk} | {name: getattr(tally, name) for name in FIGURES})
            set_figures(tally, row)
        Tally.objects.bulk_update([tally for _, tally in changed], FIGURES)

    def place_seats(self, rows: list[TotalsRow]) -> None:
        """Give every new row a seat, and everyone the seat number in the file."""
        wanted: dict[int, dict[int, int | None]] = defaultdict(dict)
        seats: dict[int, dict[int, Seat]] = defaultdict(dict)
        for row in rows:
            wanted[self.sessions[row.session].pk][self.players[row.player].pk] = row.seat
        for here in Seat.objects.filter(session__in=wanted):
            seats[here.session_id][here.player_id] = here
        moved, new = [], []
        for session, seat_nos in wanted.items():
            for player, (seat_no, at_start) in seat_numbers(seat_nos, seats[session]).items():
                seat = seats[session].get(player)
                if seat is None:
                    seat = Seat(
                        club=self.club, session_id=session, player_id=player, seat_no=seat_no, at_start=at_start
                    )
                    new.append(seat)
                elif (seat.seat_no, seat.at_start) != (seat_no, at_start):
                    seat.seat_no, seat.at_start = seat_no, at_start
                    moved.append(seat)
        Seat.objects.filter(pk__in=[seat.pk for seat in moved]).update(seat_no=F("seat_no") + ELSEWHERE)
        Seat.objects.bulk_update(moved, ["seat_no", "at_start"])
        Seat.objects.bulk_create(new)

    def add_tallies(self, rows: list[TotalsRow]) -> None:
        sessions = {self.sessions[row.session].pk for row in rows}
        seats = {(seat.session_id, seat.player_id): seat for seat in Seat.objects.filter(session__in=sessions)}
        tallies = []
        for row in rows:
            session, player = self.sessions[row.session], self.players[row.player]
            tally = Tally(
                club=self.club,
                session=session,
                seat=seats[session.pk, player.pk],
                season_id=session.season_id,
                player=player,
                balance=session.starting_balance,
            )
            set_figures(tally, row)
            tallies.append(tally)
        Tally.objects.bulk_create(tallies)

    def change_guests(self) -> None:
        """Make players guests or members by their newest row, unless the club knows a newer session of theirs."""
        newest = {}
        for row in sorted(self.rows, key=lambda row: (row.date, row.table)):
            newest[self.players[row.player].pk] = row
        changed = []
        for row in newest.values():
            player = self.players[row.player]
            last_played = self.last_played.get(player.pk)
            if row.guest == player.guest or (last_played and row.date < last_played):
                continue
            player.guest = row.guest
            changed.append(player)
            if last_played:
                become = "a guest, not a member" if row.guest else "a member, not a guest"
                self.done.guest_notes.append(f"{player} is now {become}, as the newest line says.")
        self.done.guests_changed = [player.pk for player in changed]
        if not self.is_preview:
            Player.objects.bulk_update(changed, ["guest"])


def set_figures(tally: Tally, row: TotalsRow) -> None:
    """Set the figures of a tally; what was gained and lost, and the balance, follow from the net if not given."""
    tally.balance = tally.balance - tally.net + row.net if row.balance is None else row.balance
    tally.hands, tally.won, tally.net = row.hands, row.won, row.net
    tally.gained = max(row.net, 0) if row.gained is None else row.gained
    tally.lost = min(row.net, 0) if row.lost is None else row.lost


def _set_rules(session: Session, row: TotalsRow) -> None:
    """Set rule set and recording; the house rules name the recording where it is not the rule set's own."""
    rule_set = scoring.RULE_SETS[row.rules]
    session.rules, session.recording, session.edition = row.rules, row.recording, rule_set.edition
    usual = rule_set.house_rules["recording"]
    session.house_rules = {} if row.recording == usual else {"recording": row.recording}


def seat_numbers(wanted: dict[int, int | None], seats: dict[int, Seat]) -> dict[int, tuple[int, bool]]:
    """Return each player’s seat number, and whether there at the start: first those wanted, then the others."""
    placed = {player: (seat_no, True) for player, seat_no in wanted.items() if seat_no is not None}
    taken = {seat_no for seat_no, _ in placed.values()}
    for player, seat in seats.items():
        if player not in placed and seat.seat_no not in taken:
            placed[player] = (seat.seat_no, seat.at_start)
            taken.add(seat.seat_no)
    for player in [*seats, *wanted]:
        if player not in placed:
            seat_no = max(taken, default=0) + 1
            placed[player] = (seat_no, False)
            taken.add(seat_no)
    return placed


# What a file of totals would do, in sentences for the secretary who looks at it before it is imported.

HOW = {"settle": "settled", "straight": "recorded straight"}


def totals_report(club: Club, rows: list[TotalsRow], done: TotalsImport) -> list[str]:
    """Return sentences on what was read and would be written, what would count in no season, and changes of guests."""
    nowhere = [*what_counts_nowhere(club, done.unranked), *what_has_no_hands(rows)]
    return [*what_was_read(rows), f"If you import it: {done}", *nowhere, *done.guest_notes]


def what_was_read(rows: list[TotalsRow]) -> list[str]:
    if not rows:
        return []
    days = {row.date for row in rows}
    tables, players = len({row.session for row in rows}), len({row.player.casefold() for row in rows})
    first, last = (day_words(day) for day in (min(days), max(days)))
    when = f"{len(days)} days: the first is {first}, the last {last}" if len(days) > 1 else f"one day, {first}"
    return [f"The file has {counted(tables, 'table')} of {counted(players, 'player')} on {when}."]


def what_counts_nowhere(club: Club, sessions: list[Session]) -> list[str]:
    """Say which sessions would count in no league table, and why: there is no season then, or it has other rules."""
    seasons = list(Season.objects.of_club(club).order_by("starts_on")) if sessions else []

    def because(session):
        season = next((one for one in seasons if one.starts_on <= session.date <= one.ends_on), None)
        rules = f"{rule_set_name(session.rules)}, {HOW[session.recording]}"
        return f"the season “{season}” does not count {rules}" if season else ""

    sentences = []
    for why, found in grouped(sessions, because).items():
        first, last = (day_words(day([one.date for one in found])) for day in (min, max))
        dates = first if first == last else f"{first} to {last}"
        tables = f"{counted(len(found), 'table')} ({dates})"
        later = "will count once you add a season for those days"
        will = f"will not count in any league table, as {why}" if why else later
        sentences.append(f"{tables} {will}.")
    return sentences


def what_has_no_hands(rows: list[TotalsRow]) -> list[str]:
    """Say how many tables have points but 0 hands for everyone: the file’s author did not know them."""
    tables = grouped(rows, lambda row: row.session)
    empty = sum(all(row.hands == 0 for row in some) and any(row.net for row in some) for some in tables.values())
    if not empty:
        return []
    return [
        f"{counted(empty, 'table')} with 0 hands will not count in any league table. "
        "Leave “hands” and “won” empty if you do not know them."
    ]


def what_does_not_add_up(rows: list[TotalsRow]) -> list[str]:
    """Say which tables, where players paid each other, do not sum to zero."""
    tables = grouped((row for row in rows if row.recording == "settle"), lambda row: row.session)
    totals = {session: sum(row.net for row in some) for session, some in tables.items()}
    return [
        f"Table {table} on {day_words(day)} adds up to {total:+,}, not 0."
        for (day, _, table), total in totals.items()
        if total
    ]


# A file of totals on the web: checked first, then written.

# Years of totals; the command line has no such limit.
MAX_ROWS = 10_000


def preview_totals_file(club: Club, text: str, chosen: Mapping[str, str], replacing: bool) -> ImportPreview:
    """Return what a file of totals would do; writes and locks nothing."""
    preview, rows = _read_totals(club, text, chosen)
    if not preview.open_names:
        try:
            done = preview_totals(club, rows, replacing, BY_TICKING)
        except ImportRefused as refused:
            preview.faults += refused.sentences
        else:
            preview.adds = len(done.added) + len(done.replaced) + len(done.guests_changed)
            preview.notes += totals_report(club, rows, done)
            preview.asked += what_does_not_add_up(rows)
    return preview


def import_totals_file(club: Club, text: str, chosen: Mapping[str, str], replacing: bool, *, by: Actor) -> TotalsImport:
    """Write a file of totals, or raise ImportRefused and write nothing."""
    preview, rows = _read_totals(club, text, chosen)
    preview.refuse_open()
    return import_totals(club.slug, rows, by, replacing, BY_TICKING)


def _read_totals(club: Club, text: str, chosen: Mapping[str, str]) -> tuple[ImportPreview, list[TotalsRow]]:
    file = read_totals(text.encode(), wrong_days(club))
    refuse_too_many(len(file.rows), MAX_ROWS, "lines")
    names: dict[str, str] = {}
    for row in file.rows:
        names.setdefault(row.player, f"Line {row.line}")
    preview = preview_of_names(club, names.items(), chosen)
    same = preview.same
    rows = [replace(row, player=str(same[row.player])) if row.player in same else row for row in file.rows]
    if file.other_columns:
        preview.notes.append(f"Your file also has {listed(file.other_columns, 'and')}. We leave that out.")
    return preview, rows


# One table's totals, as entered on a page.


class SeasonLocked(ImportRefused):
    """The totals are of a locked season; the secretary may have it unlocked for them, and locked again."""


def save_totals(
    club: Club,
    rows: list[TotalsRow],
    *,
    by: Actor,
    nth: int = 1,
    instead_of: int | None = None,
    opens_lock: bool = False,
) -> TotalsImport:
    """Write the totals of a table's `nth` round; ImportRefused where the table has other results already.

    `instead_of` is a session that they replace: one that was started for them and has no entries, or one of totals;
    then they are of its round. A locked season is unlocked for them and locked again if `opens_lock`.
    """
    first = rows[0]
    season = Season.objects.on(club, first.date, first.rules, first.recording)
    if season and season.locked:
        if not opens_lock:
            raise SeasonLocked(f"The season “{season}” is locked. If these totals belong in it, add them all the same.")
        why = f"Totals of table {first.table} on {day_words(first.date)}"
        with write_transaction():
            change_season(season, by=by, why=why, locked=False)
            done = save_totals(club, rows, by=by, nth=nth, instead_of=instead_of)
            change_season(season, by=by, why=why, locked=True)
        return done
    at_table = sessions_at_table(club, first)
    with write_transaction():
        before = Session.objects.of_club(club).filter(pk=instead_of or 0, void=False).first()
        corrected = before if before and before.imported and at_table.filter(pk=before.pk).exists() else None
        if before and before.imported:
            tallies = {str(one.player): one for one in before.tallies.select_related("player", "seat")}
            if len(tallies) == len(rows) and _are_here(club, _of_round(rows, nth)):
                return preview_totals(club, _of_round(rows, nth))
            rows = [_with_known_figures(row, tallies[row.player]) if row.player in tallies else row for row in rows]
            _cancel(before, "The totals were corrected", by)
        elif before and not before.entries.active().exists():
            _cancel(before, "Totals were entered instead", by)
        rounds = at_table.count()
        rows = _of_round(rows, rounds + 1 if corrected else nth)
        day = day_words(first.date)
        if nth <= rounds and not corrected and not _are_here(club, rows):
            raise ImportRefused(
                f"Enter another table number, or round {rounds + 1}. Table {first.table} already has results on {day}."
            )
        if nth > rounds + 1 and not corrected:
            raise ImportRefused(f"Enter round {rounds + 1} first. Table {first.table} has no results of it on {day}.")
        done = import_totals(club.slug, rows, by)
        if corrected:
            new = at_table.latest("pk")
            Session.objects.filter(pk=new.pk).update(replaces=corrected.replaces_id or corrected.pk)
        return done


def sessions_at_table(club: Club, row: TotalsRow) -> QuerySet[Session]:
    """Return the sessions of a row’s table at its meeting."""
    sessions = Session.objects.of_club(club).filter(date=row.date, meeting__name=row.meeting, table=row.table)
    return sessions.filter(practice=False).order_by("pk")


def _cancel(session: Session, why: str, by: Actor) -> None:
    command = {"key": str(uuid4()), "kind": VOID.key, "body": {}, "device": "", "why": why}
    answer = apply_secretary_command(session.pk, command, by)
    if not answer.is_done:
        raise ImportRefused(answer.message)


def _of_round(rows: list[TotalsRow], nth: int) -> list[TotalsRow]:
    return [replace(row, meeting=numbered(row.meeting, nth)) for row in rows]


def _with_known_figures(row: TotalsRow, tally: Tally) -> TotalsRow:
    """Return a row with what its form does not ask for as it was: seat, hands won and balance."""
    seat, balance = tally.seat.seat_no if tally.seat.at_start else None, tally.balance - tally.net + row.net
    known: dict[str, Any] = {"seat": seat, "balance": balance}
    if row.hands == tally.hands:
        known["won"] = tally.won
    if row.net == tally.net:
        known |= {"gained": tally.gained, "lost": tally.lost}
    return replace(row, **known)


def _are_here(club: Club, rows: list[TotalsRow]) -> bool:
    """Return whether the club has the same totals already."""
    try:
        return preview_totals(club, rows).unchanged == len(rows)
    except ImportRefused:
        return False
