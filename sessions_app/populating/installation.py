"""Making the installation: the calendar, the clubs, then the weeks in order, played by several processes at once."""

import datetime
import os
from collections import Counter
from dataclasses import dataclass
from multiprocessing import get_context
from zoneinfo import ZoneInfo

from django.db import connection, connections
from django.db.models import F

from clubscore import scoring
from clubscore.scoring.rotation import first_chairs
from sessions_app.models import (
    Attendance,
    Change,
    Command,
    Entry,
    Hand,
    Meeting,
    Payment,
    PlayerHand,
    Season,
    Seat,
    Session,
    Tally,
)
from sessions_app.people.models import unguessable_key
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.rules.practice import Luck
from sessions_app.table.season_assignment import season_of
from sessions_app.table.sessions import session_facts, starting_balance_for
from sessions_app.table.sticks import starting_worth

from . import calendar
from .clubs import BY, MOST_PLAYERS, make_clubs, rules_played
from .hands import make_pool
from .playing import Afternoon
from .rows import Rows, insert_packed, reserve
from .session_rows import MOST_AT_TABLE, MOST_PAYMENTS, Ids, add_session

ORDER = (Meeting, Attendance, Session, Seat, Entry, Hand, PlayerHand, Payment, Tally, Change, Command)
BATCH = 600
OPENS = datetime.time(13, 30)
# No session has more commands than this for each of its hands, and so many beside.
STEPS_A_HAND, STEPS_BESIDE = 3, 12


@dataclass(frozen=True)
class Progress:
    """How far it has come; at the end with the password of every login made."""

    hands: int
    of: int
    sessions: int
    password: str


@dataclass(frozen=True)
class Batch:
    """Meetings that are played together, and the first id of each table that is theirs."""

    meetings: tuple
    ids: dict
    first_day: datetime.date


class Populating:
    """What every process knows: the clubs made, and the hands to play."""

    def __init__(self, clubs, pools, seed, vendor):
        self.clubs, self.pools, self.seed, self.vendor = clubs, pools, seed, vendor


def populate(clubs, players, hands, seed, last_day, processes=None):
    """Make clubs with so many players each, and so many hands played up to a day; yield Progress as they are stored.

    The same seed makes the same installation, but for keys and the logins' password. ServiceError for numbers that
    cannot be.
    """
    _check(clubs, players, hands)
    planned = list(calendar.meetings([rules_played(number) for number in range(clubs)], players, hands, seed))
    first_day = calendar.first_day(planned[-1].week, last_day)
    with write_transaction():
        made, password = make_clubs(clubs, players, first_day, last_day, seed)
        first_ids = {model: reserve(connection, model, count) for model, count in _needed(planned).items()}
    rules = {table.rules for meeting in planned for table in meeting.tables}
    pools = {one: make_pool(one, seed) for one in sorted(rules)}
    at_work = Populating(made, pools, seed, connection.vendor)
    done = sessions = 0
    for batch, packed in _played(at_work, list(_batches(planned, first_ids, first_day)), processes):
        _store(packed)
        done += sum(meeting.hands for meeting in batch.meetings)
        sessions += sum(len(meeting.tables) for meeting in batch.meetings)
        yield Progress(done, hands, sessions, password)


def _check(clubs, players, hands):
    if not 1 <= clubs <= 1000:
        raise ServiceError("An installation has 1 to 1000 clubs.")
    if not 5 <= players <= MOST_PLAYERS:
        raise ServiceError(f"A club has 5 to {MOST_PLAYERS} players.")
    if not 1 <= hands <= 20_000_000:
        raise ServiceError("There are 1 to 20,000,000 hands.")


def _needed(planned):
    """Return the most rows that these meetings can have in each table."""
    tables = [table for meeting in planned for table in meeting.tables]
    hands, sessions = sum(table.hands for table in tables), len(tables)
    steps = STEPS_A_HAND * hands + STEPS_BESIDE * sessions
    return {
        Meeting: len(planned),
        Attendance: sum(len(meeting.came) for meeting in planned),
        Session: sessions,
        Seat: MOST_AT_TABLE * sessions + sessions,
        Entry: steps,
        Hand: hands,
        PlayerHand: MOST_AT_TABLE * hands,
        Payment: MOST_PAYMENTS * hands + steps,
        Tally: MOST_AT_TABLE * sessions + sessions,
        Change: steps + 2 * len(planned) + sessions,
        Command: steps,
    }


def _batches(planned, first_ids, first_day):
    free, waiting = dict(first_ids), []
    for meeting in planned:
        waiting.append(meeting)
        if sum(one.hands for one in waiting) >= BATCH:
            yield Batch(tuple(waiting), dict(free), first_day)
            free = {model: free[model] + count for model, count in _needed(waiting).items()}
            waiting = []
    if waiting:
        yield Batch(tuple(waiting), free, first_day)


def _played(at_work, batches, processes):
    """Yield each batch with its rows, in order; in this process alone where there is but one."""
    processes = min(processes or os.cpu_count() or 1, len(batches))
    if processes == 1:
        for batch in batches:
            yield batch, play_batch(at_work, batch)
        return
    # No process may share another's connection.
    connections.close_all()
    with get_context("fork").Pool(processes, _begin, [at_work]) as pool:
        yield from zip(batches, pool.imap(_play, batches), strict=True)


def _begin(at_work):
    global _AT_WORK
    _AT_WORK = at_work


def _play(batch):
    return play_batch(_AT_WORK, batch)


def play_batch(at_work, batch):
    """Play a batch's meetings in memory; return (rows to insert, how often each season's version was raised)."""
    rows, ids, raised = Rows(ORDER, at_work.vendor), Ids(dict(batch.ids)), Counter()
    for meeting in batch.meetings:
        _meeting(at_work, meeting, batch.first_day, rows, ids, raised)
    return rows.packed(), dict(raised)


def _meeting(at_work, planned, first_day, rows, ids, raised):
    made = at_work.clubs[planned.club]
    day = first_day + datetime.timedelta(weeks=planned.week, days=planned.club % 7)
    opened = datetime.datetime.combine(day, OPENS, ZoneInfo(made.club.time_zone)).astimezone(datetime.UTC)
    meeting = Meeting(id=ids.take(Meeting), club=made.club, date=day)
    rows.add_instance(meeting)
    _log(rows, ids, made, opened, "add", meeting, {}, {"date": str(day)})
    came = [made.players[place] for place in planned.came]
    for player in came:
        rows.add(
            Attendance,
            id=ids.take(Attendance),
            club_id=made.club.pk,
            meeting_id=meeting.pk,
            player_id=player.pk,
        )
    states = ({str(player.pk): state for player in came} for state in ("", "here"))
    _log(rows, ids, made, opened, "attendance", meeting, *states)
    for table in planned.tables:
        _table(at_work, made, planned, table, meeting, opened, rows, ids, raised)


def _log(rows, ids, made, at, action, subject, before, after, session_id=None, by=BY):
    rows.add(
        Change,
        id=ids.take(Change),
        club_id=made.club.pk,
        session_id=session_id,
        user_id=by.user and by.user.pk,
        name=by.name,
        at=at,
        action=action,
        subject_type=subject._meta.model_name,
        subject_id=str(subject.pk),
        before=before,
        after=after,
    )


def _table(at_work, made, planned, table, meeting, opened, rows, ids, raised):
    luck = Luck(f"{at_work.seed}/{planned.club}/{planned.week}/{table.number}")
    players = [made.players[place] for place in table.players]
    absent = [made.players[place] for place in sorted(set(range(len(made.players))) - set(planned.came))]
    by = luck.one_of(made.by)
    session = _session(made, table, meeting, len(players), ids)
    seats = [
        Seat(club=made.club, session=session, player=player, chair=chair) for chair, player in enumerate(players, 1)
    ]
    began = opened + datetime.timedelta(minutes=int(luck.one_of(range(25))))
    _log(rows, ids, made, began, "start", session, {}, session_facts(session, players), session.pk, by)
    seed = f"{at_work.seed}/{session.pk}"
    pool = at_work.pools[table.rules]
    afternoon = Afternoon(session, seats, luck.one_of(absent) if absent else None, pool, luck, by, began, seed)
    played = afternoon.play(table.hands, is_finished=True)
    session.version += len(played.steps)
    rows.add_instance(session)
    for seat in played.ledger.seats:
        seat.pk = ids.take(Seat)
        rows.add_instance(seat)
    add_session(rows, ids, played, by)
    if session.season_id:
        raised[session.season_id] += 1 + len(played.steps)


def _session(made, table, meeting, players, ids):
    """Return the session as start_session makes it."""
    edition = made.editions.get(table.rules)
    overrides = edition.house_rules if edition else {}
    house = scoring.house_rules(table.rules, overrides)
    sticks = made.sticks if scoring.RULE_SETS[table.rules].key in ("bmja", "u3a") else ""
    worth = starting_worth(sticks, players)
    season = None if table.is_practice else season_of(made.seasons, meeting.date, table.rules, house.recording)
    return Session(
        id=ids.take(Session),
        club=made.club,
        meeting=meeting,
        season=season,
        practice=table.is_practice,
        date=meeting.date,
        table=table.number,
        rules=table.rules,
        house_rules=dict(overrides),
        house_edition=edition.number if edition else 0,
        club_hands=made.own_hands if scoring.RULE_SETS[table.rules].takes_club_hands else [],
        recording=house.recording,
        edition=scoring.RULE_SETS[table.rules].edition,
        starting_balance=starting_balance_for(house, players) if worth is None else worth,
        sticks=sticks,
        chairs=first_chairs(range(1, players + 1), house).to_dict(),
        scoring_key=unguessable_key(),
        watching_key=unguessable_key(),
    )


def _store(packed):
    """Insert a batch's rows in one transaction, and raise the versions of the seasons it belongs to."""
    tables, raised = packed
    models = {model._meta.label: model for model in ORDER}
    with write_transaction():
        for label, rows in tables:
            insert_packed(connection, models[label], rows)
        for season_id, times in sorted(raised.items()):
            Season.objects.filter(pk=season_id).update(version=F("version") + times)
