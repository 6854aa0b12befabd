"""Import a club's history: rows of session totals become sessions that count like any other."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F

from clubscore import scoring
from clubscore.scoring import rule_set_name
from sessions_app.exchange.exports.session_csv import apart, cells_of_club, numbered
from sessions_app.exchange.imports.name_matches import People
from sessions_app.exchange.imports.sheet_text import ImportRefused
from sessions_app.exchange.imports.totals_file import TotalsRow
from sessions_app.models import Club, Meeting, Player, Season, Seat, Session, Tally
from sessions_app.people.clubs import club_at
from sessions_app.people.log import Actor, log_change
from sessions_app.people.players import free_short_name
from sessions_app.people.transactions import write_transaction
from sessions_app.table.season_assignment import assign_seasons, season_of

ELSEWHERE = 10_000


@dataclass
class TotalsImport:
    """What an import did; nothing was changed where all the lists are empty."""

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
        parts = [f"{_counted(number, 'row')} {what}" for number, what in numbers if number]
        return f"{', '.join(parts) or 'No rows'}."


# How other figures are taken from the file: what to do is said for the command line, or for the page.
BY_OPTION = "use --replace"
BY_TICKING = "tick “Use the file’s figures where they differ”"


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
        store = Store(club_of(slug, rows), rows, remedy=remedy)
        done = store.take_in(replacing)
        if done.has_changes:
            store.log(done, by, choices)
    return done


def preview_totals(club: Club, rows: list[TotalsRow], replacing: bool = False, remedy: str = BY_OPTION) -> TotalsImport:
    """Return what import_totals would do; nothing is written, and nothing is locked."""
    return Store(club, rows, is_preview=True, remedy=remedy).take_in(replacing)


def club_of(slug: str, rows: list[TotalsRow]) -> Club:
    """Return the club; a new one plays by the rule set most rows have."""
    club = club_at(slug)
    if club is None:
        used = [row.rules for row in rows]
        rules = max(sorted(set(used)), key=used.count, default="bmja")
        club = Club.objects.create(slug=slug, name=slug.replace("-", " ").capitalize(), rules=rules)
    return club


def differences(row: TotalsRow, tally: Tally) -> list[str]:
    """Return which figures of a row are not those that stand; empty optional cells say nothing.

    Empty hands and won say that they are not known.
    """
    session, seat = tally.session, tally.seat
    pairs = {
        "rules": (row.rules, session.rules),
        "recording": (row.recording, session.recording),
        "hands": (row.hands, tally.hands),
        "won": (row.won, tally.won),
        "net": (row.net, tally.net),
    }
    if row.gained_given:
        pairs |= {"gained": (row.gained, tally.gained), "lost": (row.lost, tally.lost)}
    if row.balance is not None:
        pairs["balance"] = (row.balance, tally.balance)
    if row.seat is not None:
        pairs["seat"] = (row.seat, seat.chair if seat.at_start else None)
    return [
        f"{name} {'–' if here is None else here} here, {'–' if given is None else given} in the file"
        for name, (given, here) in pairs.items()
        if given != here
    ]


class Store:
    """What a club has already, read once, and the writing of rows; a preview makes them in memory alone."""

    def __init__(self, club: Club, rows: list[TotalsRow], is_preview: bool = False, remedy: str = BY_OPTION) -> None:
        self.club, self.rows, self.is_preview, self.remedy = club, rows, is_preview, remedy
        self.players = People(club)
        self.seasons = list(Season.objects.of_club(club))
        self.cells = cells_of_club(club)
        self.meetings = {(meeting.date, meeting.name): meeting for meeting in Meeting.objects.of_club(club)}
        self.tallies, self.sessions, self.seated, self.newest = {}, {}, {}, {}
        tallies = Tally.objects.of_club(club).filter(session__practice=False)
        tallies = tallies.select_related("session__meeting", "session__season", "seat")
        for tally in tallies.order_by("session__date"):
            self.remember(tally)
        self.claims = {(row.session, self.player_key(row)): row for row in reversed(rows)}

    def take_in(self, replacing: bool) -> TotalsImport:
        """Write the rows, all or nothing; ImportRefused for rows that contradict what is here."""
        done, faults, fresh, changed = TotalsImport(), [], [], []
        for row in self.rows:
            tally = self.tally(row)
            fault = self.fault(row, tally, replacing)
            if fault:
                faults.append(f"Line {row.line}: {fault}")
            elif tally is None:
                fresh.append(row)
            elif differences(row, tally):
                changed.append((row, tally))
            else:
                done.unchanged += 1
        if faults:
            raise ImportRefused(*faults)
        self.write(fresh, changed, done)
        return done

    def remember(self, tally: Tally) -> None:
        session, seat = tally.session, tally.seat
        key = (session.date, self.cells[session.pk], session.table)
        self.tallies[key, tally.player_id] = tally
        self.newest[tally.player_id] = session.date
        if session.imported or key not in self.sessions:
            self.sessions[key] = session
        if seat.at_start:
            self.seated[key, seat.chair] = tally.player_id

    def player_key(self, row: TotalsRow) -> int | str:
        return self.players[row.player].pk if row.player in self.players else row.player.casefold()

    def tally(self, row: TotalsRow) -> Tally | None:
        return self.tallies.get((row.session, self.player_key(row)))

    def fault(self, row: TotalsRow, tally: Tally | None, replacing: bool) -> str:
        """Return why a row cannot be written, or nothing."""
        session = tally.session if tally else self.sessions.get(row.session)
        other = "; ".join(differences(row, tally)) if tally else ""
        first = self.claims[row.session, self.player_key(row)]
        if first is not row:
            return f"{row.player} and {first.player} (line {first.line}) are the same player here."
        if tally and not other:
            return ""
        if session and not session.imported:
            return f"{row.where} was played hand by hand here. Correct it at the table{other and f' ({other})'}."
        season = (tally and session.season) or self.season(row)
        if season and season.locked:
            return f"{row.where} is in the season {season.name}, which is locked."
        if tally and not replacing:
            return f"{row.where} is here with other figures ({other}). To use the file’s figures, {self.remedy}."
        if session and not replacing and (row.rules, row.recording) != (session.rules, session.recording):
            return f"{row.where}: this table is here with {session.rules} rules, recorded as {session.recording}."
        return self.seat_clash(row)

    def seat_clash(self, row: TotalsRow) -> str:
        """Return whose the seat is already, unless that player moves to another in the same file."""
        holder = self.seated.get((row.session, row.seat))
        if holder is None or holder == self.player_key(row):
            return ""
        moving = self.claims.get((row.session, holder))
        if moving and moving.seat is not None:
            return ""
        return f"{row.where}: seat {row.seat} is someone else’s here."

    def season(self, row: TotalsRow) -> Season | None:
        return season_of(self.seasons, row.date, row.rules, row.recording)

    def write(self, fresh: list[TotalsRow], changed: list[tuple[TotalsRow, Tally]], done: TotalsImport) -> None:
        written = [*fresh, *(row for row, _ in changed)]
        done.added = [row.where for row in fresh]
        done.replaced = [row.where for row, _ in changed]
        self.add_players(fresh)
        self.add_sessions(fresh)
        changed_rules = self.change_rules(written)
        if not self.is_preview:
            self.replace_figures(changed, done)
            self.place_seats(written)
            self.add_tallies(fresh)
            if changed_rules:
                assign_seasons(self.club)
        self.follow_guests(done)
        done.unranked = [session for session in self.sessions_of(fresh) if session.season_id is None]
        if not self.is_preview:
            Season.objects.raise_version(*(self.sessions[row.session].season_id for row in written))

    def sessions_of(self, rows: list[TotalsRow]) -> list[Session]:
        return list({row.session: self.sessions[row.session] for row in rows}.values())

    def add_players(self, rows: list[TotalsRow]) -> None:
        names = {}
        for row in rows:
            if row.player not in self.players:
                names.setdefault(row.player.casefold(), row.player)
        present = Player.objects.of_club(self.club).present()
        taken = {name.casefold() for name in present.values_list("short_name", flat=True)}
        new = []
        for name in names.values():
            new.append(Player(club=self.club, full_name=name, short_name=free_short_name(name, taken)))
            taken.add(new[-1].short_name.casefold())
        if self.is_preview:
            # Numbers that no row has.
            for number, player in enumerate(new, 1):
                player.pk = -number
        else:
            Player.objects.bulk_create(new)
        for player in new:
            self.players.add(player.full_name, player)

    def add_sessions(self, rows: list[TotalsRow]) -> None:
        first_rows = {row.session: row for row in reversed(rows) if row.session not in self.sessions}
        keys = sorted(first_rows, key=lambda key: (key[0], *apart(key[1]), key[2]))
        days = {key: (key[0], self.meeting_name(key, first_rows)) for key in keys}
        new = dict.fromkeys(day for day in days.values() if day not in self.meetings)
        made = [Meeting(club=self.club, date=day, name=name) for day, name in new]
        if not self.is_preview:
            Meeting.objects.bulk_create(made)
        self.meetings |= {(meeting.date, meeting.name): meeting for meeting in made}
        sessions = [self.session(first_rows[key], self.meetings[days[key]]) for key in keys]
        if not self.is_preview:
            Session.objects.bulk_create(sessions)
        self.sessions |= dict(zip(keys, sessions, strict=True))

    def meeting_name(self, key: tuple, fresh: dict) -> str:
        """Return the meeting's name: "Tea (2)" is the second session at a table of "Tea", where there is a first."""
        day, cell, table = key
        name, nth = apart(cell)
        before = ((day, numbered(name, place), table) for place in range(1, nth))
        is_another = (day, cell) not in self.meetings and all(one in fresh or one in self.sessions for one in before)
        return name if is_another else cell

    def session(self, row: TotalsRow, meeting: Meeting) -> Session:
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
        play_by(session, row)
        return session

    def change_rules(self, rows: list[TotalsRow]) -> bool:
        """Take over another rule set or recording; return whether sessions may count in another season now."""
        changed = False
        for row in rows:
            session = self.sessions[row.session]
            if (row.rules, row.recording) != (session.rules, session.recording):
                play_by(session, row)
                if not self.is_preview:
                    session.save(update_fields=["rules", "recording", "house_rules", "edition"])
                changed = True
        return changed

    def replace_figures(self, changed: list[tuple[TotalsRow, Tally]], done: TotalsImport) -> None:
        for row, tally in changed:
            done.before.append({"tally": tally.pk} | {name: getattr(tally, name) for name in FIGURES})
            set_figures(tally, row)
            tally.save(update_fields=FIGURES)

    def place_seats(self, rows: list[TotalsRow]) -> None:
        """Give every new row a seat, and everyone the seat number that the file says."""
        wanted, seats = defaultdict(dict), defaultdict(dict)
        for row in rows:
            wanted[self.sessions[row.session].pk][self.players[row.player].pk] = row.seat
        for seat in Seat.objects.filter(session__in=wanted):
            seats[seat.session_id][seat.player_id] = seat
        moved, made = [], []
        for session, claims in wanted.items():
            for player, (seat_no, at_start) in seat_numbers(claims, seats[session]).items():
                seat = seats[session].get(player)
                if seat is None:
                    made.append(self.seat(session, player, seat_no, at_start))
                elif (seat.chair, seat.at_start) != (seat_no, at_start):
                    seat.chair, seat.at_start = seat_no, at_start
                    moved.append(seat)
        Seat.objects.filter(pk__in=[seat.pk for seat in moved]).update(chair=F("chair") + ELSEWHERE)
        for seat in moved:
            seat.save(update_fields=["chair", "at_start"])
        Seat.objects.bulk_create(made)

    def seat(self, session: int, player: int, seat_no: int, at_start: bool) -> Seat:
        return Seat(club=self.club, session_id=session, player_id=player, chair=seat_no, at_start=at_start)

    def add_tallies(self, fresh: list[TotalsRow]) -> None:
        sessions = {self.sessions[row.session].pk: self.sessions[row.session] for row in fresh}
        seats = {(seat.session_id, seat.player_id): seat for seat in Seat.objects.filter(session__in=sessions)}
        tallies = []
        for row in fresh:
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

    def follow_guests(self, done: TotalsImport) -> None:
        """Let being a guest follow the newest row, unless the club knows a newer session of that player."""
        newest = {}
        for row in sorted(self.rows, key=lambda row: (row.date, row.table)):
            newest[self.players[row.player].pk] = row
        for row in newest.values():
            player = self.players[row.player]
            if row.guest != player.guest and row.date >= self.newest.get(player.pk, row.date):
                player.guest = row.guest
                if not self.is_preview:
                    player.save(update_fields=["guest"])
                done.guests_changed.append(player.pk)
                if player.pk in self.newest:
                    become = "a guest, not a member" if row.guest else "a member, not a guest"
                    done.guest_notes.append(f"{player} is now {become}, as the newest line says.")

    def log(self, done: TotalsImport, by: Actor, choices: dict[str, Any] | None) -> None:
        after = {"added": len(done.added), "replaced": len(done.replaced), "guests": done.guests_changed}
        after |= {"choices": choices} if choices else {}
        log_change(self.club, by, "import totals", self.club, {"replaced": done.before}, after)


FIGURES = ["hands", "won", "gained", "lost", "net", "balance"]


def set_figures(tally: Tally, row: TotalsRow) -> None:
    """Set the figures of a tally; without a balance in the row it keeps its distance from the net."""
    tally.balance = tally.balance - tally.net + row.net if row.balance is None else row.balance
    tally.hands, tally.won, tally.net = row.hands, row.won, row.net
    tally.gained, tally.lost = row.gained, row.lost


def play_by(session: Session, row: TotalsRow) -> None:
    """Set rule set and recording; the house rules name the recording where it is not the rule set's own."""
    rule_set = scoring.RULE_SETS[row.rules]
    session.rules, session.recording, session.edition = row.rules, row.recording, rule_set.edition
    usual = rule_set.house_rules["recording"]
    session.house_rules = {} if row.recording == usual else {"recording": row.recording}


def seat_numbers(claims: dict[int, int | None], seats: dict[int, Seat]) -> dict[int, tuple[int, bool]]:
    """Return each player’s seat number, and whether there at the start: first those claimed, then the others."""
    placed = {player: (seat_no, True) for player, seat_no in claims.items() if seat_no is not None}
    taken = {seat_no for seat_no, _ in placed.values()}
    for player, seat in seats.items():
        if player not in placed and seat.chair not in taken:
            placed[player] = (seat.chair, seat.at_start)
            taken.add(seat.chair)
    for player in [*seats, *claims]:
        if player not in placed:
            seat_no = max(taken, default=0) + 1
            placed[player] = (seat_no, False)
            taken.add(seat_no)
    return placed


# What a file of totals would do, in sentences for the secretary who looks at it before it is imported.

HOW = {"settle": "settled", "straight": "recorded straight"}


def totals_report(club: Club, rows: list[TotalsRow], done: TotalsImport) -> list[str]:
    """Return sentences: what was read and how its days were, what it would write, what would count in no season."""
    nowhere = [*what_counts_nowhere(club, done.unranked), *what_has_no_hands(rows)]
    return [*what_was_read(rows), f"If you import it: {done}", *nowhere, *done.guest_notes]


def what_was_read(rows: list[TotalsRow]) -> list[str]:
    if not rows:
        return []
    days = sorted({row.date for row in rows})
    tables, players = len({row.session for row in rows}), len({row.player.casefold() for row in rows})
    first, last = (f"{day:%-d %B %Y}" for day in (days[0], days[-1]))
    when = f"{len(days)} days: the first is {first}, the last {last}" if len(days) > 1 else f"one day, {first}"
    return [f"The file has {_counted(tables, 'table')} of {_counted(players, 'player')} on {when}."]


def what_counts_nowhere(club: Club, sessions: list[Session]) -> list[str]:
    """Say which sessions would stand in no league table, and why: there is no season then, or not their rules."""
    seasons = list(Season.objects.of_club(club).order_by("starts_on")) if sessions else []
    groups = defaultdict(list)
    for session in sessions:
        season = next((one for one in seasons if one.starts_on <= session.date <= one.ends_on), None)
        rules = f"{rule_set_name(session.rules)}, {HOW[session.recording]}"
        because = f"the season {season} does not count {rules}" if season else "there is no season on those dates"
        groups[because].append(session)
    return [f"{_of(found)} will not count in any league table, as {because}." for because, found in groups.items()]


def what_has_no_hands(rows: list[TotalsRow]) -> list[str]:
    """Say which tables have points but 0 hands for everyone: the file’s author did not know them."""
    tables = defaultdict(list)
    for row in rows:
        tables[row.session].append(row)
    empty = [some for some in tables.values() if not any(row.hands != 0 for row in some) and any(r.net for r in some)]
    if not empty:
        return []
    return [
        f"{_counted(len(empty), 'table')} with 0 hands will not count in any league table. "
        "Leave “hands” and “won” empty if you do not know them."
    ]


def what_does_not_add_up(rows: list[TotalsRow]) -> list[str]:
    """Say which tables, where players paid each other, do not sum to zero."""
    tables = defaultdict(int)
    for row in rows:
        if row.recording == "settle":
            tables[row.session] += row.net
    return [
        f"Table {table} on {day:%-d %B %Y} adds up to {total:+,}, not 0."
        for (day, _, table), total in tables.items()
        if total
    ]


def _of(sessions: list[Session]) -> str:
    days = sorted({session.date for session in sessions})
    span = f"{days[0]:%-d %B %Y}" + (f" to {days[-1]:%-d %B %Y}" if len(days) > 1 else "")
    return f"{_counted(len(sessions), 'table')} ({span})"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
