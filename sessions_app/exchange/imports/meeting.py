"""Load a meeting from its file: creates what is missing and records every hand as a command."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from itertools import count

from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import with_commas
from clubscore.table.command_kinds import ARRIVE, KINDS
from clubscore.table.ledger import Seat as LedgerSeat
from clubscore.table.replay import Replayed, SeatResult, accounts
from sessions_app.exchange.imports.meeting_file import FileMeeting, MeetingFile
from sessions_app.exchange.imports.meeting_plan import Plan, Step, plans_of
from sessions_app.exchange.imports.name_matches import People
from sessions_app.exchange.imports.sheet_text import ImportRefused
from sessions_app.league.seasons import add_season
from sessions_app.models import Change, Club, Command, Entry, Hand, Meeting, Player, Season, Seat, Session
from sessions_app.people.clubs import free_slug
from sessions_app.people.log import Actor
from sessions_app.people.players import add_player, free_short_name
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.table.apply_command import NotRecorded, carry_out_all, store_all
from sessions_app.table.ledger import Ledger, load_ledger
from sessions_app.table.sessions import assign_season, start_session, unsaved_session

# A first name, alone or with an initial, as files of meetings often have them: what is said at the table.
SHORT = re.compile(r"[^ ]{1,18}( [^ ]\.?)?\Z")


@dataclass
class Loaded:
    """What stands after a load: the totals of each table, what was made, what differs from the file."""

    tables: list[tuple[int, dict[str, int]]] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    corrected: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    recorded: int = 0
    sessions: list[int] = field(default_factory=list)

    @property
    def session_totals(self) -> dict[str, int]:
        """Everyone's total of the meeting, best first."""
        totals = Counter()
        for _, final in self.tables:
            totals.update(final)
        return dict(sorted(totals.items(), key=lambda row: -row[1]))

    def to_json(self) -> dict:
        tables = [{"table": number, "final": final} for number, final in self.tables]
        return {"tables": tables, "session_totals": self.session_totals}


def load_meeting(
    meeting_file: MeetingFile,
    by: Actor,
    progress: Callable[[Plan], None] = lambda plan: None,
    club: Club | None = None,
    same: dict[str, Player] | None = None,
) -> Loaded:
    """Load a meeting, all or nothing; loaded again it changes nothing and says what was corrected since.

    It goes into `club` where one is given, else into the one of that name. `same` are names of the file that are
    someone of the club. ImportRefused says which hand cannot be recorded, or which table is there with other hands.
    """
    plans, loaded = plans_of(meeting_file), Loaded()
    with write_transaction():
        club = club or club_of(meeting_file, loaded)
        people = players_of(club, meeting_file, loaded, same or {}, partial(add_player, by=by))
        season = season_to_make(club, meeting_file, plans, loaded)
        if season:
            try:
                add_season(club, **season, by=by)
            except ServiceError as error:
                raise ImportRefused(str(error)) from None
        for plan in plans:
            session = session_of(club, meeting_file, plan, people) or start(club, meeting_file, plan, people, by)
            ledger = load_ledger(session.pk, lock=True)
            done, steps = record(ledger, plan, people, by, loaded)
            store_all(ledger, done, steps, by)
            progress(plan)
            loaded.sessions.append(session.pk)
            conclude(ledger, done, plan, people, loaded)
    loaded.notes += totals_notes(meeting_file, loaded)
    return loaded


def preview_meeting(meeting_file: MeetingFile, by: Actor, club: Club, same: dict[str, Player]) -> Loaded:
    """Return what load_meeting would do to this club; everything is worked out in memory, and nothing is locked."""
    plans, loaded = plans_of(meeting_file), Loaded()
    numbers = count(-1, -1)

    def newcomer(club, name, short_name, guest):
        # A number that no row has, by which commands name someone who is not on the list yet.
        return Player(pk=next(numbers), club=club, full_name=name, short_name=short_name, guest=guest)

    people = players_of(club, meeting_file, loaded, same, newcomer)
    season_to_make(club, meeting_file, plans, loaded)
    for plan in plans:
        session = session_of(club, meeting_file, plan, people)
        ledger = load_ledger(session.pk) if session else unsaved_ledger(club, meeting_file, plan, people)
        for name in plan.names.values():
            ledger.add_player(people[name])
        done, _ = record(ledger, plan, people, by, loaded)
        conclude(ledger, done, plan, people, loaded)
    loaded.notes += totals_notes(meeting_file, loaded)
    return loaded


def club_of(meeting_file: MeetingFile, loaded: Loaded) -> Club:
    """Return the club of that name; a new one plays by the rule set of its first table."""
    club = Club.objects.filter(name=meeting_file.club).order_by("pk").first()
    if club is None:
        rules = meeting_file.tables[0].rules if meeting_file.tables else "bmja"
        club = Club.objects.create(name=meeting_file.club, slug=free_slug(meeting_file.club), rules=rules)
        loaded.made.append(f"The club {club.name} was made, at /c/{club.slug}/.")
    return club


def players_of(club: Club, meeting_file: MeetingFile, loaded: Loaded, same: dict[str, Player], add: Callable) -> People:
    """Put on the club's list who is missing, by `add`; who plays without being a member is a guest."""
    people, made = People(club), []
    present = Player.objects.of_club(club).present()
    taken = {name.casefold() for name in present.values_list("short_name", flat=True)}
    for name, player in same.items():
        people.add(name, player)
    members = meeting_file.players if meeting_file.members is None else meeting_file.members
    for name in dict.fromkeys([*members, *meeting_file.players]):
        if name not in people:
            short_name = said_name(name, taken)
            people.add(name, add(club, name, short_name, guest=name not in members))
            taken.add(short_name.casefold())
            made.append(name)
    if made:
        loaded.made.append(f"{len(made)} player{' was' if len(made) == 1 else 's were'} added: {', '.join(made)}.")
    absent = [name for name in meeting_file.absent if name in meeting_file.players]
    loaded.notes += [f"{name} is absent in the file, but also plays." for name in absent]
    return people


def said_name(name: str, taken: set[str]) -> str:
    """Return what someone new is called at the table: the file's name where that is short already."""
    return name if SHORT.match(name) and name.casefold() not in taken else free_short_name(name, taken)


def season_to_make(club: Club, meeting_file: MeetingFile, plans: list[Plan], loaded: Loaded) -> dict | None:
    """Return a season for the year where none covers the meeting, as long as the neighbouring ones leave room."""
    seasons, day = Season.objects.of_club(club), meeting_file.date
    if not meeting_file.tables or seasons.filter(starts_on__lte=day, ends_on__gte=day).exists():
        return None
    before = seasons.filter(ends_on__lt=day).order_by("-ends_on").first()
    after = seasons.filter(starts_on__gt=day).order_by("starts_on").first()
    starts_on, ends_on = date(day.year, 1, 1), date(day.year, 12, 31)
    if before:
        starts_on = max(starts_on, before.ends_on + timedelta(days=1))
    if after:
        ends_on = min(ends_on, after.starts_on - timedelta(days=1))
    taken = set(seasons.values_list("name", flat=True))
    name = next(name for name in (f"{day.year}", *(f"{day.year} ({n})" for n in range(2, 999))) if name not in taken)
    rules = sorted({table.rules for table in meeting_file.tables})
    (recording, _), *_ = Counter(plan.house.recording for plan in plans).most_common(1)
    loaded.made.append(f"The season {name} was made, from {starts_on:%-d %B %Y} to {ends_on:%-d %B %Y}.")
    return {"name": name, "starts_on": starts_on, "ends_on": ends_on, "rules": rules, "recording": recording}


def session_of(club: Club, meeting_file: MeetingFile, plan: Plan, people: People) -> Session | None:
    """Return the session this table was loaded into before, or that stands ready for it."""
    table, meeting = plan.table, meeting_file.meeting
    there = (
        Session.objects.of_club(club).filter(date=meeting_file.date, table=table.number, practice=False).order_by("pk")
    )
    there = list(there.filter(meeting__name=meeting.name))
    seated = [people[name] for name in table.start]
    for session in there:
        if has_steps_of(session, plan):
            return session
    if len(there) >= table.nth:
        # The sessions of one number stand in the file in the order in which they were begun.
        if is_this_table(there[table.nth - 1], plan, seated):
            return there[table.nth - 1]
        raise ImportRefused(
            f"Table {table.number} of {meeting_file.date:%-d %B %Y} is in this club already, "
            "with other hands or players."
        )
    return None


def start(club: Club, meeting_file: MeetingFile, plan: Plan, people: People, by: Actor) -> Session:
    try:
        session = start_session(
            **facts_of(club, meeting_file, plan, people), by=by, meeting_name=meeting_file.meeting.name
        )
    except ServiceError as error:
        raise ImportRefused(f"Table {plan.table.number}: {error}") from None
    set_time_and_place(session.meeting, meeting_file.meeting)
    return session


def unsaved_ledger(club: Club, meeting_file: MeetingFile, plan: Plan, people: People) -> Ledger:
    """Return the ledger of a session that is not started, with its seats; nothing is written."""
    facts = facts_of(club, meeting_file, plan, people)
    try:
        session = unsaved_session(**facts)
        assign_season(session)
    except ServiceError as error:
        raise ImportRefused(f"Table {plan.table.number}: {error}") from None
    seats = [Seat(club=club, session=session, player=player, chair=n) for n, player in enumerate(facts["players"], 1)]
    return Ledger(session, seats, [], {}, {})


def facts_of(club: Club, meeting_file: MeetingFile, plan: Plan, people: People) -> dict:
    table = plan.table
    return {
        "club": club,
        "date": meeting_file.date,
        "table": table.number,
        "players": [people[name] for name in table.start],
        "rules": table.rules,
        "house_rules": table.house_rules,
        "starting_balance": table.starting_balance,
        "sticks": table.sticks,
        "club_hands": table.club_hands,
    }


def set_time_and_place(meeting: Meeting, given: FileMeeting) -> None:
    """Give a meeting the time and the place of the file, where it has none yet."""
    if meeting.starts_at is None and not meeting.place and (given.starts_at or given.place):
        meeting.starts_at, meeting.place = given.starts_at, given.place
        meeting.save(update_fields=["starts_at", "place"])


def has_steps_of(session: Session, plan: Plan) -> bool:
    return Command.objects.filter(session=session, key__in=[step.key for step in plan.steps]).exists()


def is_this_table(session: Session, plan: Plan, seated: list) -> bool:
    players = [seat.player_id for seat in session.seats.order_by("chair")]
    same = (session.rules, session.house_rules, session.club_hands, players) == (
        plan.table.rules,
        plan.table.house_rules,
        plan.table.club_hands,
        [player.pk for player in seated],
    )
    return same and not session.imported and not session.entries.exists()


def record(ledger: Ledger, plan: Plan, people: People, by: Actor, loaded: Loaded) -> tuple[Replayed, list]:
    """Carry out in memory every command that this session has not had yet; a hand that was other before is refused."""
    session, new = ledger.session, plan.steps
    if session.pk:
        had = {str(command.key): command for command in Command.objects.filter(session=session)}
        for step in plan.steps:
            if step.key in had:
                check_same(plan, step, had[step.key])
        new = [step for step in plan.steps if step.key not in had]
    try:
        done, steps = carry_out_all(ledger, [command_of(step, people) for step in new], by)
    except NotRecorded as error:
        step = new[error.place]
        where = f"hand {step.hand.number}" if step.hand else step.kind
        raise ImportRefused(f"Table {plan.table.number}, {where}: {error}") from None
    loaded.recorded += len(steps)
    return done, steps


def check_same(plan: Plan, step: Step, before: Command) -> None:
    if step.hand and (before.kind, before.body) != (step.kind, step.body):
        raise ImportRefused(
            f"Table {plan.table.number}, hand {step.hand.number} has changed since you last imported it. "
            "Correct it at the table."
        )


def command_of(step: Step, people: People) -> dict:
    body = {"player": people[step.body["name"]].pk} if step.kind == ARRIVE.key else step.body
    return {"key": step.key, "kind": step.kind, "body": body, "device": "import"}


def conclude(ledger: Ledger, done: Replayed, plan: Plan, people: People, loaded: Loaded) -> None:
    """Read the totals, and note what differs from the file."""
    names = {seat.seat_no: name_here(ledger, seat, plan, people) for seat in ledger.seats}
    final = {names[seat_no]: account.net for seat_no, account in accounts(ledger.facts, done).items()}
    loaded.tables.append((plan.table.number, final))
    loaded.notes += plan.notes
    loaded.asked += plan.asked
    loaded.notes += differences(done, plan, names, final)
    if ledger.session.pk:
        loaded.corrected += corrections(ledger.session, plan, names)


def name_here(ledger: Ledger, seat: LedgerSeat, plan: Plan, people: People) -> str:
    """Return the file's name of who has a seat, or the player's own where it is someone else's now."""
    name, player = plan.names.get(seat.seat_no), ledger.player_rows[seat.player]
    return name if name and people.get(name) == player else str(player)


def totals_notes(meeting_file: MeetingFile, loaded: Loaded) -> list[str]:
    """Return whose total of the meeting differs from the file."""
    here = loaded.session_totals
    return [
        f"Meeting totals: {name} has {with_commas(here.get(name, 'none'))} here, {total:,} in the file."
        for name, total in meeting_file.session_totals.items()
        if here.get(name) != total
    ]


# Where a loaded session differs from the file, in sentences.


def differences(done: Replayed, plan: Plan, names: dict[int, str], final: dict[str, int]) -> Iterator[str]:
    """Yield where totals, nets, running totals and final totals are not those of the file; `names` by seat number."""
    where = f"Table {plan.table.number}"
    results = {hand.key: {names[row.seat]: row for row in hand.seats} for hand in done.hands}
    running, apart = defaultdict(int), defaultdict(int)
    for step in plan.hand_steps:
        hand = results.get(step.key, {})
        place = f"{where}, hand {step.hand.number}"
        for name, row in hand.items():
            running[name] += row.net
        found = list(hand_differences(step, hand))
        yield from (f"{place}: {sentence}" for sentence in found)
        for name, total in step.hand.says["running"].items():
            moved, apart[name] = running[name] - total - apart[name], running[name] - total
            if moved and not found:
                yield f"{place}: {name} has {running[name]:,} in all here, {total:,} in the file."
    for name, total in plan.table.final.items():
        if final.get(name) != total:
            yield f"{where}: {name} ends with {with_commas(final.get(name, 'nothing'))} here, {total:,} in the file."


def hand_differences(step: Step, hand: dict[str, SeatResult]) -> Iterator[str]:
    says = step.hand.says
    won = any(row.won for row in hand.values())
    for wind, total in says["totals_by_wind"].items():
        row = hand.get(step.names.get(wind, ""))
        if won and row and row.total != total:
            yield f"{WIND_NAMES.get(wind, wind)} ({step.names[wind]}) scores {row.total:,} here, {total:,} in the file."
    nets = {step.names.get(wind, wind): net for wind, net in says["net_by_wind"].items()} | says["net"]
    for name, net in nets.items():
        here = hand[name].net if name in hand else 0
        if here != net:
            yield f"{name} has {here:+,} here, {net:+,} in the file."


def corrections(session: Session, plan: Plan, names: dict[int, str]) -> Iterator[str]:
    """Yield what was changed since the hands were loaded, by whom, when and why; `names` by seat number."""
    ours = {step.key: step for step in plan.steps}
    loaded = {str(command.key): command.body for command in Command.objects.filter(session=session, key__in=ours)}
    log = latest_changes(session)
    numbers = {hand.entry_id: hand.number for hand in Hand.objects.filter(session=session)}
    where = f"Table {plan.table.number}"
    for entry in Entry.objects.filter(session=session).order_by("position"):
        key = str(entry.key)
        if key not in ours:
            sentence = "" if entry.taken_out else KINDS[entry.kind].import_report
            sentence += f" as hand {numbers[entry.pk]}" if sentence and entry.pk in numbers else ""
        else:
            sentence = line_corrected(ours[key], entry, loaded[key])
        if sentence:
            yield f"{where}: {sentence}{by_whom(log.get(key))}."
    for seat, name in plan.names.items():
        if names.get(seat, name) != name:
            yield f"{where}: the seat of {name} is {names[seat]}’s now."


def line_corrected(step: Step, entry: Entry, body: dict) -> str:
    """Return what was changed in a loaded entry, or ""."""
    if not step.counts:
        return "" if entry.taken_out else "A removed hand was restored"
    what = f"Hand {step.hand.number}" if step.hand else f"The entry “{step.kind}”"
    if entry.taken_out:
        return f"{what} was removed"
    return f"{what} was changed" if step.hand and entry.body != body else ""


def latest_changes(session: Session) -> dict[str, Change]:
    """Return the last change of each entry, by key."""
    latest = {}
    for change in Change.objects.filter(session=session).order_by("pk"):
        for key in change.after.get("entries") or {}:
            latest[key] = change
    return latest


def by_whom(change: Change | None) -> str:
    if change is None:
        return ""
    return f" by {change.name or 'someone'} on {change.at:%-d %B %Y}{f' ({change.why})' if change.why else ''}"
