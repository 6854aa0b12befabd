"""Load a club afternoon: creates what is missing and records every hand through the door for writes."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta

from sessions_app.imports.club_night_file import Afternoon, FileMeeting
from sessions_app.imports.club_night_plan import Plan, Step, plans_of
from sessions_app.imports.club_night_told import corrections, differences
from sessions_app.imports.people import People
from sessions_app.imports.refusal import ImportRefused
from sessions_app.models import Club, Command, Meeting, Player, Season, Seat, Session
from sessions_app.services.actor import Actor
from sessions_app.services.clubs import free_slug
from sessions_app.services.commands import apply_command
from sessions_app.services.errors import ServiceError
from sessions_app.services.players import add_player, free_short_name
from sessions_app.services.seasons import add_season
from sessions_app.services.sessions import start_session
from sessions_app.services.transactions import write_transaction

# A first name, alone or with an initial, as files of afternoons often have them: what is said at the table.
SHORT = re.compile(r"[^ ]{1,18}( [^ ]\.?)?\Z")

Progress = Callable[[Plan, int, int], None]


@dataclass
class Loaded:
    """What stands after a load: the totals of each table, what was made, what is otherwise than the file says."""

    tables: list[tuple[int, dict[str, int]]] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    corrected: list[str] = field(default_factory=list)
    recorded: int = 0
    sessions: list[int] = field(default_factory=list)

    @property
    def session_totals(self) -> dict[str, int]:
        """Everybody's total of the afternoon, best first."""
        totals = Counter()
        for _, final in self.tables:
            totals.update(final)
        return dict(sorted(totals.items(), key=lambda row: -row[1]))

    def to_json(self) -> dict:
        tables = [{"table": number, "final": final} for number, final in self.tables]
        return {"tables": tables, "session_totals": self.session_totals}


def load_club_night(
    afternoon: Afternoon,
    by: Actor,
    progress: Progress = lambda plan, place, steps: None,
    club: Club | None = None,
    same: dict[str, Player] | None = None,
) -> Loaded:
    """Load an afternoon, all or nothing; loaded again it changes nothing and tells what was corrected in between.

    It goes into `club` where one is given, else into the one of that name. `same` are names of the file that are
    somebody of the club. ImportRefused says which hand cannot be recorded, or which table is there with other hands.
    """
    plans, loaded = plans_of(afternoon), Loaded()
    with write_transaction():
        club = club or club_of(afternoon, loaded)
        people = players_of(club, afternoon, by, loaded, same or {})
        make_season(club, afternoon, plans, by, loaded)
        for plan in plans:
            session = session_of(club, afternoon, plan, people, by)
            record(session, plan, people, by, progress, loaded)
            loaded.sessions.append(session.pk)
            conclude(session, plan, people, loaded)
    loaded.told += totals_told(afternoon, loaded)
    return loaded


def club_of(afternoon: Afternoon, loaded: Loaded) -> Club:
    """Return the club of that name; a new one plays by the rule set of its first table."""
    club = Club.objects.filter(name=afternoon.club).order_by("pk").first()
    if club is None:
        rules = afternoon.tables[0].rules if afternoon.tables else "bmja"
        club = Club.objects.create(name=afternoon.club, slug=free_slug(afternoon.club), rules=rules)
        loaded.made.append(f"The club {club.name} was made, at /c/{club.slug}/.")
    return club


def players_of(club: Club, afternoon: Afternoon, by: Actor, loaded: Loaded, same: dict[str, Player]) -> People:
    """Put on the club's list who is missing; who plays without being a member is a guest."""
    people, made = People(club), []
    present = Player.objects.of_club(club).present()
    taken = {name.casefold() for name in present.values_list("short_name", flat=True)}
    for name, player in same.items():
        people.add(name, player)
    members = afternoon.players if afternoon.members is None else afternoon.members
    for name in dict.fromkeys([*members, *afternoon.players]):
        if name not in people:
            short_name = said_name(name, taken)
            people.add(name, add_player(club, name, short_name, guest=name not in members, by=by))
            taken.add(short_name.casefold())
            made.append(name)
    if made:
        loaded.made.append(f"{len(made)} players were added: {', '.join(made)}.")
    absent = [name for name in afternoon.absent if name in afternoon.players]
    loaded.told += [f"{name} is absent according to the file, but plays." for name in absent]
    return people


def said_name(name: str, taken: set[str]) -> str:
    """Return what somebody new is called at the table: the file's name where that is short already."""
    return name if SHORT.match(name) and name.casefold() not in taken else free_short_name(name, taken)


def make_season(club: Club, afternoon: Afternoon, plans: list[Plan], by: Actor, loaded: Loaded) -> None:
    """Make a season for the year where no season covers the afternoon, as long as the neighbouring ones leave room."""
    seasons, day = Season.objects.of_club(club), afternoon.date
    if not afternoon.tables or seasons.filter(starts_on__lte=day, ends_on__gte=day).exists():
        return
    before = seasons.filter(ends_on__lt=day).order_by("-ends_on").first()
    after = seasons.filter(starts_on__gt=day).order_by("starts_on").first()
    starts_on, ends_on = date(day.year, 1, 1), date(day.year, 12, 31)
    if before:
        starts_on = max(starts_on, before.ends_on + timedelta(days=1))
    if after:
        ends_on = min(ends_on, after.starts_on - timedelta(days=1))
    taken = set(seasons.values_list("name", flat=True))
    name = next(name for name in (f"{day.year}", *(f"{day.year} ({n})" for n in range(2, 999))) if name not in taken)
    rules = sorted({table.rules for table in afternoon.tables})
    (recording, _), *_ = Counter(plan.house.recording for plan in plans).most_common(1)
    add_season(club, name, starts_on, ends_on, by=by, rules=rules, recording=recording)
    loaded.made.append(f"The season {name} was made, from {starts_on:%-d %B %Y} to {ends_on:%-d %B %Y}.")


def session_of(club: Club, afternoon: Afternoon, plan: Plan, people: People, by: Actor) -> Session:
    """Return the session this table was loaded into before, or start it."""
    table, meeting = plan.table, afternoon.meeting
    there = Session.objects.of_club(club).filter(date=afternoon.date, table=table.number, practice=False).order_by("pk")
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
            f"Table {table.number} of {afternoon.date:%-d %B %Y} is in this club already, with other hands or players."
        )
    try:
        session = start_session(
            club,
            afternoon.date,
            table.number,
            seated,
            table.rules,
            table.house_rules,
            by=by,
            meeting_name=meeting.name,
            starting_balance=table.starting_balance,
            sticks=table.sticks,
            club_hands=table.club_hands,
        )
    except ServiceError as error:
        raise ImportRefused(f"Table {table.number}: {error}") from None
    tell_meeting(session.meeting, meeting)
    return session


def tell_meeting(meeting: Meeting, told: FileMeeting) -> None:
    """Give a meeting the time and the place of the file, where it has none yet."""
    if meeting.starts_at is None and not meeting.place and (told.starts_at or told.place):
        meeting.starts_at, meeting.place = told.starts_at, told.place
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


def record(session: Session, plan: Plan, people: People, by: Actor, progress: Progress, loaded: Loaded) -> None:
    """Send every command that this session has not had yet; a hand that was other before is refused."""
    had = {str(command.key): command for command in Command.objects.filter(session=session)}
    for place, step in enumerate(plan.steps, 1):
        if step.key in had:
            check_same(plan, step, had[step.key])
        else:
            send(session, plan, step, people, by)
            loaded.recorded += 1
        progress(plan, place, len(plan.steps))


def check_same(plan: Plan, step: Step, before: Command) -> None:
    if step.hand and (before.kind, before.body) != (step.kind, step.body):
        raise ImportRefused(
            f"Table {plan.table.number}, hand {step.hand.number} was other when it was loaded before; "
            "correct it at the table."
        )


def send(session: Session, plan: Plan, step: Step, people: People, by: Actor) -> None:
    body = {"player": people[step.body["name"]].pk} if step.kind == "arrive" else step.body
    answer = apply_command(session.pk, {"key": step.key, "kind": step.kind, "body": body, "device": "import"}, by)
    if answer.outcome != "recorded":
        where = f"hand {step.hand.number}" if step.hand else step.kind
        raise ImportRefused(f"Table {plan.table.number}, {where}: {answer.message}")


def conclude(session: Session, plan: Plan, people: People, loaded: Loaded) -> None:
    """Read the totals, and tell what is otherwise than the file says."""
    seats = list(session.seats.select_related("player", "tally").order_by("chair"))
    names = {seat.pk: name_here(seat, plan, people) for seat in seats}
    final = {names[seat.pk]: seat.tally.net for seat in seats}
    loaded.tables.append((plan.table.number, final))
    loaded.told += plan.told
    loaded.told += differences(session, plan, names, final)
    loaded.corrected += corrections(session, plan, {seat.chair: names[seat.pk] for seat in seats})


def name_here(seat: Seat, plan: Plan, people: People) -> str:
    """Return the file's name of who has a seat, or the player's own where it is somebody else's now."""
    name = plan.names.get(seat.chair)
    return name if name and people.get(name) == seat.player else str(seat.player)


def totals_told(afternoon: Afternoon, loaded: Loaded) -> list[str]:
    """Return whose total of the afternoon is otherwise than the file says."""
    here = loaded.session_totals
    return [
        f"Session totals: {name} has {here.get(name, 'none')} here, {total} in the file."
        for name, total in afternoon.session_totals.items()
        if here.get(name) != total
    ]
