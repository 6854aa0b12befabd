"""Load a meeting from its file: creates what is missing and records every hand as a command."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from clubscore.play.command_kinds import ARRIVE
from clubscore.play.ledger import Ledger
from clubscore.play.outcomes import Reason
from clubscore.play.replay import EntryError, Replayed, SeatResult, seat_tallies, sentence_of
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import with_commas, with_names
from sessions_app.exchange.imports.meeting_file import MAX_TABLE, MeetingFile, read_meeting_file
from sessions_app.exchange.imports.meeting_plan import Plan, PlannedCommand, plans_of
from sessions_app.exchange.imports.name_matches import ImportPreview, Names, People
from sessions_app.exchange.imports.sheet_values import ImportRefused, refuse_too_many
from sessions_app.exchange.imports.summary import missing_seasons
from sessions_app.exchange.imports.totals_plan import Answers, Source
from sessions_app.league.seasons import add_season
from sessions_app.meetings.models import MEETING_FACTS
from sessions_app.models import Club, Command, Import, Meeting, Player, Season, Session
from sessions_app.people.clubs import free_slug
from sessions_app.people.dates import day_words
from sessions_app.people.log import Actor, log_change, log_sentences
from sessions_app.people.players import ShortNames, add_player
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.table.apply_command import apply_all, apply_command
from sessions_app.table.carry_out import carry_out, clean_command, refuse_if_full
from sessions_app.table.command_results import Refused
from sessions_app.table.ledger import StoredLedger, load_ledger
from sessions_app.table.season_assignment import refuse_locked
from sessions_app.table.sessions import assign_season, start_session, unsaved_session
from sessions_app.table.what_will_be import TableQuestion, TableResults, questions_about_tables

# A first name, alone or with an initial, as files of meetings often have them: what is said at the table.
SHORT = re.compile(r"[^ ]{1,18}( [^ ]\.?)?\Z")

log_sentences({"import tables": "imported tables hand by hand{imported}"})


@dataclass
class Loaded:
    """What an import did or would do: the totals of each table, what was made, what differs from the file."""

    tables: list[tuple[int, dict[str, int]]] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    recorded: int = 0
    sessions: list[int] = field(default_factory=list)
    # The tables with something new, and what is asked of them.
    results: list[TableResults] = field(default_factory=list)
    table_questions: list[TableQuestion] = field(default_factory=list)
    # What taking it back would remove, by kind, as Import.made has it; and which sessions are new.
    added: dict[str, list[Any]] = field(default_factory=dict)
    started: list[int] = field(default_factory=list)
    longer: list[int] = field(default_factory=list)

    @property
    def session_totals(self) -> dict[str, int]:
        """Everyone's total of the meeting, best first."""
        totals: Counter[str] = Counter()
        for _, final in self.tables:
            totals.update(final)
        return dict(sorted(totals.items(), key=lambda row: -row[1]))

    def to_json(self) -> dict:
        tables = [{"table": number, "final": final} for number, final in self.tables]
        return {"tables": tables, "session_totals": self.session_totals}


@dataclass(frozen=True)
class Brought:
    """Where a meeting comes from and goes to: its club, names of the file that are players there, file and kind."""

    club: Club | None = None
    same: dict[str, Player] = field(default_factory=dict)
    source: Source = field(default_factory=Source)
    kind: str = Import.Kind.MEETING
    finishes: bool = False


def load_meeting(
    meeting_file: MeetingFile,
    by: Actor,
    brought: Brought | None = None,
    answers: Answers | None = None,
) -> Loaded:
    """Load a meeting, all or nothing; loaded again it changes nothing and says what was corrected since.

    It goes into the club that `brought` says, or into the one that the file names. ImportRefused says which hand cannot
    be recorded, which table is there with other hands, or what is asked.
    """
    brought, plans, loaded = brought or Brought(), plans_of(meeting_file), Loaded()
    with write_transaction():
        club = brought.club or _club_of(meeting_file, loaded)
        Loader(meeting_file, plans, by, club, loaded, People(club), meeting_file.name).run(brought.same)
        loaded.table_questions = questions_about_tables(club, loaded.results)
        refuse_open_questions(loaded, answers or Answers())
        if brought.finishes and loaded.recorded:
            finish(loaded, meeting_file, by, club)
        if loaded.recorded:
            note_import(club, loaded, by, brought)
    return loaded


def refuse_open_questions(loaded: Loaded, answers: Answers) -> None:
    """Raise ImportRefused with what is asked of the tables and was not answered."""
    if table_questions := [question for question in loaded.table_questions if answers.is_open(question)]:
        raise ImportRefused(*(question.sentence for question in table_questions))


def finish(loaded: Loaded, meeting_file: MeetingFile, by: Actor, club: Club) -> None:
    """Finish the tables of a day that is past, and those of which the file says so."""
    tables = zip(loaded.sessions, meeting_file.tables, strict=True)
    is_past = meeting_file.date < club.today
    finished = [session_id for session_id, table in tables if table.finished or is_past]
    for session in Session.objects.filter(pk__in=finished, state=Session.State.OPEN).order_by("pk"):
        command = {"key": FINISH_KEYS.format(session.pk), "kind": "finish", "body": {}, "device": "import"}
        apply_command(session.pk, command, by)


def note_import(club: Club, loaded: Loaded, by: Actor, brought: Brought) -> None:
    """Keep which tables an import made, so that it can be taken back; tables that were here before stay."""
    made = [{"session": pk, "before": None, "after": ""} for pk in loaded.started]
    longer = [{"session": pk, "after": "", "longer": True} for pk in loaded.longer]
    row = Import.objects.create(
        club=club,
        user=by.user,
        name=by.name,
        kind=brought.kind,
        file_name=brought.source.name[:200],
        digest=brought.source.digest,
        made=loaded.added,
        tables=made + longer,
    )
    log_change(club, by, "import tables", row, {}, {"file": row.words, "counts": {"new": len(made)}})


def preview_meeting(meeting_file: MeetingFile, by: Actor, club: Club, same: dict[str, Player]) -> Loaded:
    """Return what load_meeting would do to this club; everything is worked out in memory, and nothing is locked."""
    plans, loaded = plans_of(meeting_file), Loaded()
    Loader(meeting_file, plans, by, club, loaded, People(club), meeting_file.name, is_preview=True).run(same)
    loaded.table_questions = questions_about_tables(club, loaded.results)
    return loaded


def _club_of(meeting_file: MeetingFile, loaded: Loaded) -> Club:
    """Return the club of that name; a new one plays by the rule set of its first table."""
    club = Club.objects.filter(name=meeting_file.club).order_by("pk").first()
    if club is None:
        rules = meeting_file.tables[0].rules if meeting_file.tables else "bmja"
        club = Club.objects.create(name=meeting_file.club, slug=free_slug(meeting_file.club), rules=rules)
        loaded.made.append(f"The club {club.name} was made, at /c/{club.slug}/.")
    return club


def add_seasons(
    club: Club, league: str, days: list[date], plans: list[Plan], loaded: Loaded, by: Actor | None
) -> list[Season]:
    """Add the seasons of a league that these days lack, for all rules of the plans; without `by` none is saved."""
    seasons = Season.objects.of_club(club).filter(league=league)
    rules, added = sorted({plan.table.rules for plan in plans}), []
    for new in missing_seasons(days, seasons, first_month=1):
        (recording, _), *_ = Counter(plan.ledger.house.recording for plan in plans).most_common(1)
        dates = f"from {day_words(new.starts_on)} to {day_words(new.ends_on)}"
        facts = {"rules": rules, "recording": recording, "league": league}
        season = Season(club=club, name=new.name, starts_on=new.starts_on, ends_on=new.ends_on, **facts)
        loaded.made.append(f"New season: {season}, {dates}.")
        if by:
            try:
                season = add_season(club, new.name, new.starts_on, new.ends_on, by=by, **facts)
            except ServiceError as error:
                raise ImportRefused(str(error)) from None
            took = Session.objects.filter(season=season).values_list("pk", flat=True)
            for kind, pks in (("season", [season.pk]), ("sessions", [*took])):
                loaded.added.setdefault(kind, []).extend(pks)
        added.append(season)
    return added


@dataclass
class Loader:
    """Loads a meeting into a club, and fills `loaded`; a preview writes nothing.

    Of several that come together, `people` and the tables of a day that are `taken` are those of all.
    """

    meeting_file: MeetingFile
    plans: list[Plan]
    by: Actor
    club: Club
    loaded: Loaded
    people: People
    meeting_name: str
    is_preview: bool = False
    taken: set[tuple[date, int]] = field(default_factory=set)

    def run(self, same: dict[str, Player]) -> None:
        self.add_players(same)
        self.add_season()
        for plan in self.plans:
            recorded, session = self.loaded.recorded, self.existing_session(plan)
            if self.meeting_file.game:
                plan.table = replace(plan.table, number=session.table if session else self.free_table())
            if self.is_preview:
                self.report(*self.try_out(session, plan), plan)
            else:
                is_new, session = session is None, session or self.start(plan)
                self.record(session, plan)
                ledger = load_ledger(session.pk)
                self.report(ledger, ledger.replay(), plan)
                self.loaded.sessions.append(session.pk)
                if is_new or self.loaded.recorded > recorded:
                    (self.loaded.started if is_new else self.loaded.longer).append(session.pk)
            if self.loaded.recorded > recorded:
                self.loaded.results.append(self.results(plan, session))

    def results(self, plan: Plan, session: Session | None) -> TableResults:
        """Return what everyone at a table won or lost, to be looked at with the club's other tables."""
        _, final = self.loaded.tables[-1]
        players = {self.people[name].pk: (name, net) for name, net in final.items()}
        return TableResults(
            self.meeting_file.date,
            self.meeting_name,
            plan.table.number,
            plan.table.nth,
            False,
            {pk: net for pk, (_, net) in players.items()},
            {pk: name for pk, (name, _) in players.items()},
            session.pk if session else None,
        )

    def add_players(self, same: dict[str, Player]) -> None:
        """Add the players that are missing; those who are not members are guests."""
        file, new, short = self.meeting_file, [], ShortNames(self.club)
        for name, player in same.items():
            self.people.add(name, player)
        members = file.players if file.members is None else file.members
        for name in dict.fromkeys([*members, *file.players]):
            if name in self.people:
                continue
            is_short = SHORT.match(name) and name.casefold() not in short.taken
            short_name = short.take(name, name if is_short else "")
            new.append(name)
            guest = name not in members
            if self.is_preview:
                # An id that no player has, by which commands name someone who is not on the list yet.
                pk = -len(self.people.written) - 1
                player = Player(pk=pk, club=self.club, full_name=name, short_name=short_name, guest=guest)
            else:
                player = add_player(self.club, name, short_name, guest, by=self.by)
                self.loaded.added.setdefault("player", []).append(player.pk)
            self.people.add(name, player)
        # The page of a game has them under a heading of their own.
        if new and not (file.game and self.is_preview):
            self.loaded.made.append(f"{len(new)} new player{'' if len(new) == 1 else 's'}: {', '.join(new)}.")
        absent = [name for name in file.absent if name in file.players]
        self.loaded.notes += [f"{name} is absent in the file, but also plays." for name in absent]

    @property
    def is_known(self) -> bool:
        """Whether the meeting is here."""
        known = Meeting.objects.of_club(self.club).filter(date=self.meeting_file.date, name=self.meeting_name)
        return bool(known.exists())

    @property
    def league(self) -> str:
        """The meeting's league here; of one that is not, the file's if the club has it, else the proposed one."""
        file = self.meeting_file
        if file.league in self.club.leagues and not self.is_known:
            return file.league
        return Meeting.objects.league_of(self.club, file.date, self.meeting_name)

    def add_season(self) -> None:
        """Add a season for the year if none covers the meeting, as long as the neighbouring ones leave room."""
        days = [self.meeting_file.date] if self.meeting_file.tables else []
        add_seasons(self.club, self.league, days, self.plans, self.loaded, None if self.is_preview else self.by)

    def existing_session(self, plan: Plan) -> Session | None:
        """Return the session this table was loaded into before, or that was started for it."""
        file, table = self.meeting_file, plan.table
        keys = [step.key for step in plan.steps]
        if file.game:
            before = [step.key_before for step in plan.steps]
            session = Session.objects.of_club(self.club).filter(commands__key__in=[*keys, *before]).first()
            if session and not Command.objects.filter(session=session, key__in=keys).exists():
                plan.steps = [replace(step, key=step.key_before) for step in plan.steps]
            return session
        at_table = Session.objects.of_club(self.club).filter(date=file.date, table=table.number, practice=False)
        sessions = list(at_table.filter(meeting__name=self.meeting_name).order_by("pk"))
        for session in sessions:
            if Command.objects.filter(session=session, key__in=keys).exists():
                return session
        if len(sessions) < table.nth:
            return None
        # The sessions of one number are in the file in the order in which they were started.
        session = sessions[table.nth - 1]
        players = [seat.player_id for seat in session.seats.order_by("seat_no")]
        here = session.rules, session.house_rules, session.club_hands, players
        same = here == (
            table.rules,
            table.house_rules,
            table.club_hands,
            [self.people[name].pk for name in table.start],
        )
        if not same or session.imported or session.entries.exists():
            raise ImportRefused(
                f"Table {table.number} of {day_words(file.date)} is in this club already, with other hands or players."
            )
        return session

    def free_table(self) -> int:
        """Return the first number that no table of the day has."""
        there = Session.objects.of_club(self.club).filter(date=self.meeting_file.date, practice=False)
        day = self.meeting_file.date
        numbers = range(1, MAX_TABLE + 1)
        self.taken |= {(day, number) for number in there.values_list("table", flat=True)}
        table = next(number for number in numbers if (day, number) not in self.taken)
        self.taken.add((day, table))
        return table

    def start(self, plan: Plan) -> Session:
        file = self.meeting_file
        if not self.is_known:
            Meeting.objects.create(club=self.club, date=file.date, name=self.meeting_name, league=self.league)
            self.loaded.added.setdefault("meeting", []).append([file.date.isoformat(), self.meeting_name])
        try:
            session = start_session(**self.facts(plan), by=self.by, meeting_name=self.meeting_name)
        except ServiceError as error:
            raise ImportRefused(f"Table {plan.table.number}: {error}") from None
        meeting = session.meeting
        said = {name: getattr(file, name) for name in MEETING_FACTS if name != "name"}
        if any(said.values()) and not any(getattr(meeting, name) for name in said):
            vars(meeting).update(said)
            meeting.save(update_fields=[*said])
        return session

    def facts(self, plan: Plan) -> dict:
        table = plan.table
        return {
            "club": self.club,
            "date": self.meeting_file.date,
            "table": table.number,
            "players": [self.people[name] for name in table.start],
            "rules": table.rules,
            "house_rules": table.house_rules,
            "starting_balance": table.starting_balance,
            "sticks": table.sticks,
            "club_hands": table.club_hands,
        }

    def new_steps(self, session: Session | None, plan: Plan) -> list[PlannedCommand]:
        """Return what this session has not had yet; refuse a hand that has changed, and whatever cannot be added."""
        had = {str(command.key): command for command in Command.objects.filter(session=session)} if session else {}
        for step in plan.steps:
            before = had.get(step.key)
            if before and step.hand and (before.kind, before.body) != (step.kind, step.body):
                raise ImportRefused(
                    f"Table {plan.table.number}, hand {step.hand.number} has changed since you last imported it. "
                    "Correct it at the table, or take that import back first."
                )
        new = [step for step in plan.steps if step.key not in had]
        self.loaded.recorded += len(new)
        for step in new:
            try:
                if session and not session.is_open:
                    raise Refused(Reason.NOT_OPEN)
                if session:
                    refuse_locked(session.season)
                clean_command(self.command(step))
            except ServiceError as error:
                raise _refusal(plan, step, error) from None
        return new

    def record(self, session: Session, plan: Plan) -> None:
        """Send every command that this session has not had yet."""
        new = self.new_steps(session, plan)
        results = apply_all(session.pk, map(self.command, new), self.by) if new else []
        if results and results[-1].error:
            raise _refusal(plan, new[len(results) - 1], results[-1].error)

    def try_out(self, session: Session | None, plan: Plan) -> tuple[Ledger, Replayed]:
        """Return the ledger with these commands carried out in memory, and its replay."""
        new = self.new_steps(session, plan)
        if session is None:
            try:
                new_session = unsaved_session(**self.facts(plan))
                new_session.meeting = Meeting(league=self.league)
                assign_season(new_session)
                refuse_if_full(plan.ledger.entries)
            except ServiceError as error:
                raise ImportRefused(f"Table {plan.table.number}: {error}") from None
            return plan.ledger, plan.done
        # The hands that are here may have been corrected since.
        ledger = load_ledger(session.pk)
        for name in plan.names.values():
            ledger.add_player(self.people[name])
        done = ledger.replay()
        for step in new:
            try:
                _, _, done = carry_out(ledger, clean_command(self.command(step)), self.by, done)
                refuse_if_full(ledger.entries, ledger.entry_rows.values())
            except (EntryError, ServiceError) as error:
                raise _refusal(plan, step, error) from None
            ledger.begin_edit()
            ledger.stored = {hand.key: hand for hand in done.hands}
        return ledger, done

    def command(self, step: PlannedCommand) -> dict:
        body = {"player": self.people[step.body["player"]].pk} if step.kind == ARRIVE.key else step.body
        return {"key": step.key, "kind": step.kind, "body": body, "device": "import"}

    def report(self, ledger: Ledger, done: Replayed, plan: Plan) -> None:
        """Add the totals of a table, and what differs from the file."""
        loaded, names = self.loaded, plan.names
        if isinstance(ledger, StoredLedger):
            for seat in ledger.seats:
                # The file's name of who has a seat, or the player's own where it is someone else's now.
                name, player = names.get(seat.seat_no), ledger.player_rows[seat.player]
                names[seat.seat_no] = name if name and self.people.get(name) == player else str(player)
        final = {names[seat_no]: tally.net for seat_no, tally in seat_tallies(ledger.facts, done).items()}
        loaded.tables.append((plan.table.number, final))
        loaded.asked += plan.asked
        loaded.notes += [*plan.notes, *_differences(done, plan, names, final)]


def _refusal(plan, step, error):
    where = f"hand {step.hand.number}" if step.hand else step.kind
    return ImportRefused(f"Table {plan.table.number}, {where}: {with_names(sentence_of(error), plan.names)}")


# Where a loaded session differs from the file, in sentences.


def _differences(done: Replayed, plan: Plan, names: dict[int, str], final: dict[str, int]) -> Iterator[str]:
    """Yield where totals, nets and final totals are not those of the file; `names` by seat number."""
    where = f"Table {plan.table.number}"
    results = {hand.key: {names[row.seat]: row for row in hand.seats} for hand in done.hands}
    for step in plan.steps:
        if step.hand is None:
            continue
        hand = results.get(step.key, {})
        place = f"{where}, hand {step.hand.number}"
        yield from (f"{place}: {sentence}" for sentence in _hand_differences(step, step.hand.expected, hand))
    for name, total in plan.table.final.items():
        if final.get(name) != total:
            yield f"{where}: {name} ends with {with_commas(final.get(name, 'nothing'))} here, {total:,} in the file."


def _hand_differences(step: PlannedCommand, expected: dict[str, Any], hand: dict[str, SeatResult]) -> Iterator[str]:
    won = any(row.won for row in hand.values())
    for wind, total in expected["totals_by_wind"].items():
        row = hand.get(step.names.get(wind, ""))
        if won and row and row.total != total:
            yield f"{WIND_NAMES.get(wind, wind)} ({step.names[wind]}) scores {row.total:,} here, {total:,} in the file."
    nets = {step.names.get(wind, wind): net for wind, net in expected["net_by_wind"].items()} | expected["net"]
    for name, net in nets.items():
        here = hand[name].net if name in hand else 0
        if here != net:
            yield f"{name} has {here:+,} here, {net:+,} in the file."


# The file of a meeting on the web: checked first, then written.

# The key of the command that finishes an imported session.
FINISH_KEYS = "00000000-0000-4000-8000-{:012d}"

# A large club's meeting; the command line has no such limits.
MAX_TABLES, MAX_ENTRIES = 40, 500


def preview_meeting_file(club: Club, text: str, chosen: Mapping[str, str], *, by: Actor) -> ImportPreview:
    """Return what the file of a meeting would do; writes and locks nothing."""
    meeting_file, preview = _read_meeting(club, text, chosen)
    if preview.names.open_questions:
        return preview
    try:
        loaded = preview_meeting(meeting_file, by, club, preview.names.same)
    except ImportRefused as refused:
        preview.faults += refused.sentences
        return preview
    preview.adds, preview.tables = loaded.recorded, loaded.tables
    preview.notes += [*loaded.made, *loaded.notes]
    preview.asked += loaded.asked
    preview.table_questions, preview.accepted = loaded.table_questions, Answers.of(chosen).accepted
    return preview


def import_meeting_file(club: Club, text: str, chosen: Mapping[str, str], *, by: Actor, file_name: str = "") -> Loaded:
    """Import a meeting, and finish the tables that have finished; or raise ImportRefused and write nothing.

    The tables of a day that is past have finished, and those of which the file says so.
    """
    meeting_file, preview = _read_meeting(club, text, chosen)
    preview.refuse_open()
    brought = Brought(club, preview.names.same, Source(file_name, text.encode()), finishes=True)
    return load_meeting(meeting_file, by, brought=brought, answers=Answers.of(chosen))


def _read_meeting(club: Club, text: str, chosen: Mapping[str, str]) -> tuple[MeetingFile, ImportPreview]:
    meeting_file = read_meeting_file(text.encode())
    refuse_too_many(len(meeting_file.tables), MAX_TABLES, "tables")
    refuse_too_many(sum(len(table.hands) + len(table.lines) for table in meeting_file.tables), MAX_ENTRIES, "hands")
    people = [*(meeting_file.members or []), *meeting_file.players]
    preview = ImportPreview(Names(club, dict.fromkeys(people, []), chosen, is_asked=True))
    if meeting_file.club != club.name:
        preview.notes.append(f"The file is from {meeting_file.club}. It will be imported into {club.name}.")
    return meeting_file, preview
