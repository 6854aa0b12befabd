"""Makes a whole installation to measure: played in memory by several processes, written in bulk."""

import datetime
import os
from collections import Counter, defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.db.models import F

from clubscore import scoring
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
from sessions_app.people.log import change_of
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.table.reconcile import parallel_map
from sessions_app.table.season_assignment import season_for_session
from sessions_app.table.sessions import session_facts, unsaved_session
from sessions_app.table.store import hand_values, payment_row, player_hand_row

from . import calendar
from .clubs import BY, MAX_PLAYERS, make_clubs, rules_played
from .hands import make_pool
from .luck import Luck
from .playing import TableInPlay

BATCH = 600
OPENS = datetime.time(13, 30)


@dataclass(frozen=True)
class Progress:
    """How far it has come, and the password of all the new accounts."""

    hands: int
    of: int
    sessions: int
    password: str


@dataclass(frozen=True)
class Populating:
    """What every process gets: the clubs, and the hands to play."""

    clubs: list
    pools: dict
    seed: int


def populate(clubs, players, hands, seed, last_day, processes=None):
    """Make clubs with that many players each, and hands in all, up to a day; yield Progress as they are stored.

    The same seed makes the same installation, except for keys and the password. ServiceError if a number is too large
    or too small.
    """
    _check(clubs, players, hands)
    planned = list(calendar.meetings([rules_played(number) for number in range(clubs)], players, hands, seed))
    first_day = calendar.first_day(planned[-1].week, last_day)
    with write_transaction():
        made, password = make_clubs(clubs, players, first_day, last_day, seed)
        days = [first_day + datetime.timedelta(weeks=one.week, days=one.club % 7) for one in planned]
        meetings = [Meeting(club=made[one.club].club, date=day) for one, day in zip(planned, days, strict=True)]
        Meeting.objects.bulk_create(meetings)
    rules = {table.rules for meeting in planned for table in meeting.tables}
    pools = {one: make_pool(one, seed) for one in sorted(rules)}
    done = sessions = 0
    _share(Populating(made, pools, seed))
    for rows, played in parallel_map(play_batch, _batches(planned, meetings), processes or os.cpu_count() or 1):
        _store(rows, played)
        done += sum(table.hands_played for table in played)
        sessions += len(played)
        yield Progress(done, hands, sessions, password)


def _check(clubs, players, hands):
    if not 1 <= clubs <= 1000:
        raise ServiceError("An installation has 1 to 1000 clubs.")
    if not 5 <= players <= MAX_PLAYERS:
        raise ServiceError(f"A club has 5 to {MAX_PLAYERS} players.")
    if not 1 <= hands <= 20_000_000:
        raise ServiceError("There are 1 to 20,000,000 hands.")


def _batches(planned, meetings):
    """Yield lists of (planned meeting, its row), each list with a few hundred hands."""
    batch, hands = [], 0
    for pair in zip(planned, meetings, strict=True):
        batch.append(pair)
        hands += pair[0].hands
        if hands >= BATCH:
            yield batch
            batch, hands = [], 0
    if batch:
        yield batch


def _share(populating):
    """Let the processes that are forked from this one play these clubs."""
    global _populating
    _populating = populating


def play_batch(batch):
    """Play a batch's meetings in memory; return the unsaved rows by model, and the tables as they were played."""
    rows, played = defaultdict(list), []
    for planned, meeting in batch:
        made = _populating.clubs[planned.club]
        opened = datetime.datetime.combine(meeting.date, OPENS, ZoneInfo(made.club.time_zone)).astimezone(datetime.UTC)
        came = [made.players[place] for place in planned.came]
        rows[Attendance] += [Attendance(club=made.club, meeting=meeting, player=player) for player in came]
        states = ({str(player.pk): state for player in came} for state in ("", "here"))
        facts = (("add", meeting, {}, {"date": str(meeting.date)}), ("attendance", meeting, *states))
        rows[Change] += [_at(opened, change_of(made.club, BY, *one)) for one in facts]
        played += [_table(made, planned, table, meeting, opened, rows) for table in planned.tables]
    return rows, played


def _at(moment, change):
    change.at = moment
    return change


def _table(made, planned, table, meeting, opened, rows):
    luck = Luck(f"{_populating.seed}/{planned.club}/{planned.week}/{table.number}")
    players = [made.players[place] for place in table.players]
    absent = [made.players[place] for place in sorted(set(range(len(made.players))) - set(planned.came))]
    by = luck.one_of(made.by)
    session = _session(made, table, meeting, players)
    seats = [
        Seat(club=made.club, session=session, player=player, seat_no=seat_no)
        for seat_no, player in enumerate(players, 1)
    ]
    began = opened + datetime.timedelta(minutes=int(luck.one_of(range(25))))
    change = change_of(session, by, "start", session, {}, session_facts(session, players))
    rows[Change].append(_at(began, change))
    guest = luck.one_of(absent) if absent else None
    played = TableInPlay(session, seats, guest, _populating.pools[table.rules], luck, by, began)
    played.play(table.hands)
    rows[Session].append(session)
    rows[Seat] += played.ledger.seat_rows.values()
    rows[Entry] += played.ledger.entry_rows.values()
    rows[Change] += played.changes
    rows[Command] += played.commands
    rows[Tally] += played.tallies()
    return played


def _session(made, table, meeting, players):
    """Return an unsaved session like those of start_session."""
    edition, rule_set = made.editions.get(table.rules), scoring.RULE_SETS[table.rules]
    session = unsaved_session(
        made.club,
        meeting.date,
        table.number,
        players,
        table.rules,
        edition.house_rules if edition else {},
        sticks=made.sticks if table.rules in ("bmja", "u3a") else "",
        practice=table.is_practice,
        club_hands=made.club_hands if rule_set.takes_club_hands else [],
    )
    session.house_version = edition.number if edition else 0
    session.meeting = meeting
    if not table.is_practice:
        session.season = season_for_session(made.seasons, meeting.date, table.rules, session.recording)
    return session


def _store(rows, played):
    """Insert a batch's rows in one transaction, and raise the versions of their seasons."""
    with write_transaction(), _times_as_played():
        for model in (Session, Seat, Entry, Attendance, Tally, Command):
            model.objects.bulk_create(rows[model])
        for change in rows[Change]:
            if change.subject_type == "session":
                change.subject_id = str(change.session.pk)
        Change.objects.bulk_create(rows[Change])
        _store_results(played)
        raised = Counter()
        for table in played:
            raised[table.ledger.session.season_id] += 1 + len(table.commands)
        for season_id, times in sorted((pk, times) for pk, times in raised.items() if pk):
            Season.objects.filter(pk=season_id).update(version=F("version") + times)


def _store_results(played):
    hands = [(table, table.ledger.entry_rows[result.key], result) for table in played for result in table.done.hands]
    stored = Hand.objects.bulk_create(
        Hand(
            session=table.ledger.session,
            entry=entry,
            version=table.versions[result.key],
            **hand_values(result),
        )
        for table, entry, result in hands
    )
    player_hands, payments = [], []
    for hand, (table, entry, result) in zip(stored, hands, strict=True):
        player_hands += [player_hand_row(hand.pk, table.ledger.seat_ids, own) for own in result.seats]
        payments += [payment_row(hand.session, entry.pk, table.ledger.seat_ids, paid) for paid in result.payments]
    for table in played:
        session = table.ledger.session
        payments += [
            payment_row(session, table.ledger.entry_rows[key].pk, table.ledger.seat_ids, paid)
            for key, paid in table.done.penalties.items()
        ]
    PlayerHand.objects.bulk_create(player_hands)
    Payment.objects.bulk_create(payments)


@contextmanager
def _times_as_played():
    """Keep the times in the rows, which auto_now fields would replace by the present."""
    fields = [field for model in (Entry, Change, Command) for field in model._meta.fields if hasattr(field, "auto_now")]
    own = [(field, field.auto_now, field.auto_now_add) for field in fields]
    for field in fields:
        field.auto_now = field.auto_now_add = False
    try:
        yield
    finally:
        for field, auto_now, auto_now_add in own:
            field.auto_now, field.auto_now_add = auto_now, auto_now_add
