"""A meeting: planning it, who came, the draw of its tables, starting them, the clock."""
from datetime import timedelta

from django.utils import timezone

from clubscore.draw import LARGEST, SMALLEST, DrawError, check_sizes, draw_cost, draw_tables
from sessions_app.models import Attendance, DrawnTable, Meeting, PairWish, Player, Session

from .errors import ServiceError
from .log import log_change
from .sessions import current_chairs, start_session
from .times_met import times_met
from .transactions import write_transaction

STATES = {"here": (False, False), "late": (True, False), "left": (False, True)}
LONGEST_CLOCK = 600


def plan_meeting(club, date, name="", starts_at=None, place="", *, by, why=""):
    """Put a meeting in the club's diary. ServiceError where one of that date and name is there."""
    with write_transaction():
        meeting = Meeting(club=club, date=date, name=_tidy(name), starts_at=starts_at, place=_tidy(place))
        _check_date(meeting)
        meeting.save()
        log_change(club, by, "add", meeting, {}, _diary_facts(meeting), why)
    return meeting


def change_meeting(meeting, date, name, starts_at, place, *, by, why=""):
    """Move a meeting to another day, or change what the diary says of it. Returns whether anything changed.

    ServiceError where one of that date and name is there, and for another day once a table has been played.
    """
    with write_transaction():
        meeting = Meeting.objects.select_for_update().select_related("club").get(pk=meeting.pk)
        before = _diary_facts(meeting)
        if date != meeting.date and meeting.sessions.exists():
            raise ServiceError("Tables have been played on this day: move them one by one, by their sheets.", "date")
        meeting.date, meeting.name, meeting.starts_at, meeting.place = date, _tidy(name), starts_at, _tidy(place)
        _check_date(meeting)
        after = _diary_facts(meeting)
        if after != before:
            meeting.save(update_fields=["date", "name", "starts_at", "place"])
            log_change(meeting.club, by, "change", meeting, before, after, why)
    return after != before


def call_off(meeting, *, by, why=""):
    """Take a meeting out of the diary. ServiceError where somebody has come, a table begun, or a fee been noted."""
    with write_transaction():
        meeting = Meeting.objects.select_for_update().select_related("club").get(pk=meeting.pk)
        if meeting.sessions.exists() or meeting.attendances.exists() or meeting.fees.exists():
            raise ServiceError("Somebody has come to this meeting already, so it stays in the diary.")
        log_change(meeting.club, by, "call off", meeting, _diary_facts(meeting), {}, why)
        meeting.delete()


def _check_date(meeting):
    same = Meeting.objects.of_club(meeting.club_id).filter(date=meeting.date, name=meeting.name)
    if same.exclude(pk=meeting.pk).exists():
        raise ServiceError("There is a meeting on this day already. Give the other one a name.", "name")


def _diary_facts(meeting):
    facts = {"date": str(meeting.date), "name": meeting.name, "place": meeting.place}
    return facts | {"starts_at": meeting.starts_at and f"{meeting.starts_at:%H:%M}"}


def _tidy(text):
    return " ".join(text.split())


def attend(meeting, states, *, by, why=""):
    """Write who came: {player id: here, late, left or "" for who did not come}; others stay as they are.

    ServiceError for players of another club or states that are none.
    """
    with write_transaction():
        known = set(Player.objects.of_club(meeting.club_id).filter(pk__in=states).values_list("pk", flat=True))
        now = {one.player_id: one for one in Attendance.objects.filter(meeting=meeting)}
        before = {str(pk): _state(now.get(pk)) for pk in states}
        for pk, state in states.items():
            if pk not in known:
                raise ServiceError("There is no such player in this club.", "players")
            _attend(meeting, pk, state, now.get(pk))
        after = {str(pk): state for pk, state in states.items()}
        changed = {pk for pk in after if after[pk] != before[pk]}
        if changed:
            log_change(
                meeting.club, by, "attendance", meeting,
                {pk: before[pk] for pk in changed}, {pk: after[pk] for pk in changed}, why,
            )  # fmt: skip


def _attend(meeting, pk, state, attendance):
    if state and state not in STATES:
        raise ServiceError("A player is here, late, or has left.", "players")
    if not state:
        if attendance:
            attendance.delete()
        return
    late, left = STATES[state]
    Attendance.objects.update_or_create(
        meeting=meeting, player_id=pk, defaults={"club_id": meeting.club_id, "late": late, "left": left}
    )


def _state(attendance):
    if attendance is None:
        return ""
    return next(word for word, flags in STATES.items() if flags == (attendance.late, attendance.left))


def draw_meeting(meeting, *, by, sizes=None, seed=None, why=""):
    """Draw tables and seats for those who are here and not at a table in play; what was drawn and not begun goes.

    Without a seed the next one of this meeting is taken. Returns the draw. ServiceError with the draw's own sentence
    where it cannot be made; then the draw before stays.
    """
    with write_transaction():
        meeting = Meeting.objects.select_for_update().select_related("club").get(pk=meeting.pk)
        people = free_people(meeting)
        seed = seed if seed is not None else (meeting.draw_seed or 0) + 1
        wishes = PairWish.objects.of_club(meeting.club_id).values_list("kind", "first_id", "second_id")
        try:
            draw = draw_tables(
                people,
                times_met(meeting.club_id, meeting.date, without=meeting),
                sizes=sizes,
                apart=[(a, b) for kind, a, b in wishes if kind == PairWish.Kind.APART],
                together=[(a, b) for kind, a, b in wishes if kind == PairWish.Kind.TOGETHER],
                seed=seed,
            )
        except DrawError as error:
            raise ServiceError(str(error), "sizes") from error
        before = [list(table.players) for table in _not_begun(meeting)]
        _not_begun(meeting).delete()
        taken = _taken_numbers(meeting)
        free = (number for number in range(1, 1000) if number not in taken)
        DrawnTable.objects.bulk_create(
            DrawnTable(club=meeting.club, meeting=meeting, number=next(free), players=list(table))
            for table in draw.tables
        )
        meeting.draw_seed, meeting.draw_cost = seed, draw.cost
        meeting.save(update_fields=["draw_seed", "draw_cost"])
        facts = {"seed": seed, "cost": draw.cost, "tables": [list(table) for table in draw.tables]}
        log_change(meeting.club, by, "draw", meeting, {"tables": before}, facts, why)
    return draw


def free_people(meeting):
    """Return the ids of those who are here and play at no table of the meeting."""
    busy = set()
    for playing in meeting.sessions.filter(state=Session.State.OPEN, practice=False).prefetch_related("seats"):
        at_table = current_chairs(playing).at_table
        busy |= {seat.player_id for seat in playing.seats.all() if seat.chair in at_table}
    here = Attendance.objects.filter(meeting=meeting, late=False, left=False).values_list("player_id", flat=True)
    return sorted(set(here) - busy)


def _not_begun(meeting):
    return DrawnTable.objects.filter(meeting=meeting, session=None)


def _taken_numbers(meeting):
    open_tables = Session.objects.of_club(meeting.club_id).filter(date=meeting.date, state=Session.State.OPEN)
    begun = DrawnTable.objects.filter(meeting=meeting).exclude(session=None).values_list("number", flat=True)
    return {*open_tables.values_list("table", flat=True), *begun}


def place_by_hand(meeting, tables, *, by, why=""):
    """Set who sits at the tables not begun, as somebody chose: {table number: [player ids in seat order]}.

    Everybody of these tables sits once, at tables of three to five; people who are here and had no place may be
    among them, a table left empty goes. ServiceError else, and nothing is changed.
    """
    with write_transaction():
        meeting = Meeting.objects.select_for_update().select_related("club").get(pk=meeting.pk)
        waiting = {table.number: table for table in _not_begun(meeting)}
        chosen = {number: list(people) for number, people in tables.items() if people}
        _check_places(meeting, waiting, tables, chosen)
        before = {str(number): table.players for number, table in waiting.items()}
        for number, table in waiting.items():
            if number not in chosen:
                table.delete()
            else:
                table.players = chosen[number]
                table.save(update_fields=["players"])
        meeting.draw_cost = draw_cost(chosen.values(), times_met(meeting.club_id, meeting.date, without=meeting))
        meeting.save(update_fields=["draw_cost"])
        after = {str(number): people for number, people in chosen.items()}
        log_change(meeting.club, by, "places", meeting, before, after, why)


def _check_places(meeting, waiting, tables, chosen):
    if set(tables) - set(waiting):
        raise ServiceError("One of these tables has begun meanwhile. Look at the draw again.", "tables")
    people = [pk for table in chosen.values() for pk in table]
    if set(people) - set(free_people(meeting)):
        raise ServiceError("Somebody on the list is not here, or plays at another table.", "tables")
    if len(set(people)) != len(people):
        raise ServiceError("Somebody has two places. Each person sits once.", "tables")
    for number, table in chosen.items():
        if not SMALLEST <= len(table) <= LARGEST:
            raise ServiceError(f"Table {number} would have {len(table)}: a table has three, four or five.", "tables")
    if chosen:
        check_sizes([len(table) for table in chosen.values()], len(people))


def start_drawn(drawn, *, by, rules=None, why=""):
    """Start a drawn table's session with its people as they were drawn, by the club's own rules; returns it.

    A table that has begun gives its session again, so that a second press starts nothing.
    """
    with write_transaction():
        rows = DrawnTable.objects.select_for_update(of=("self",)).select_related("meeting__club", "session")
        drawn = rows.get(pk=drawn.pk)
        if drawn.session_id:
            return drawn.session
        club = drawn.meeting.club
        known = Player.objects.of_club(club).in_bulk(drawn.players)
        session = start_session(
            club,
            drawn.meeting.date,
            drawn.number,
            [known[pk] for pk in drawn.players],
            rules or club.rules,
            None,
            by=by,
            meeting_name=drawn.meeting.name,
            sticks=club.stick_set,
            why=why,
        )
        drawn.session = session
        drawn.save(update_fields=["session"])
    return session


def set_wish(club, a, b, kind, *, by, why=""):
    """Keep two people apart or together from the next draw on; an empty kind takes the wish away."""
    if a == b:
        raise ServiceError("Choose two different people.", "second")
    first, second = sorted((a, b))
    with write_transaction():
        if Player.objects.of_club(club).filter(pk__in=(first, second)).count() != 2:
            raise ServiceError("There is no such player in this club.", "first")
        wish = PairWish.objects.of_club(club).filter(first_id=first, second_id=second)
        before = wish.values_list("kind", flat=True).first() or ""
        if kind:
            PairWish.objects.update_or_create(
                first_id=first, second_id=second, defaults={"club": club, "kind": PairWish.Kind(kind)}
            )
        else:
            wish.delete()
        facts = {"first": first, "second": second}
        log_change(club, by, "wish", club, facts | {"kind": before}, facts | {"kind": kind}, why)


def set_clock(meeting, minutes, *, by, why=""):
    """Let the hall's clock run for so many minutes from now; None stops it. Extra minutes of tables go with it."""
    if minutes is not None and not 1 <= minutes <= LONGEST_CLOCK:
        raise ServiceError(f"The clock runs for 1 to {LONGEST_CLOCK} minutes.", "minutes")
    with write_transaction():
        before = meeting.clock_ends_at
        meeting.clock_ends_at = minutes and timezone.now() + timedelta(minutes=minutes)
        meeting.save(update_fields=["clock_ends_at"])
        Session.objects.filter(meeting=meeting).exclude(extra_minutes=0).update(extra_minutes=0)
        facts = {"ends_at": before and before.isoformat()}
        log_change(meeting.club, by, "clock", meeting, facts, {"minutes": minutes}, why)


def give_extra_time(session, minutes, *, by, why=""):
    """Give one table so many minutes beyond the hall's clock; 0 takes them away."""
    if not 0 <= minutes <= LONGEST_CLOCK:
        raise ServiceError(f"Extra time is 0 to {LONGEST_CLOCK} minutes.", "minutes")
    with write_transaction():
        before, session.extra_minutes = session.extra_minutes, minutes
        session.save(update_fields=["extra_minutes"])
        log_change(session.club, by, "extra time", session, {"minutes": before}, {"minutes": minutes}, why, session)


def pause_session(session, paused, *, by, why=""):
    """Put a table aside until another day, or go on with it; it stays open and counts as still playing."""
    if not session.is_open:
        raise ServiceError("This session has finished. Open it again to go on.")
    with write_transaction():
        before, session.paused = session.paused, paused
        session.save(update_fields=["paused"])
        if before != paused:
            log_change(session.club, by, "pause" if paused else "go on", session, {}, {}, why, session)
