"""Makes a club with one season, to try the seating draw: members, meetings, drawn tables, hands."""

import datetime
import random
import uuid
from dataclasses import dataclass

from clubscore.seating_draw.draw import draw_cost, table_sizes
from sessions_app.league.seasons import add_season
from sessions_app.meetings.drawing import draw_meeting, start_drawn, times_met
from sessions_app.meetings.services import attend, plan_meeting
from sessions_app.models import Club
from sessions_app.people.log import Actor
from sessions_app.people.players import add_player
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.table.sessions import current_seating

from .clubs import FIRST, LAST, record

BY = Actor(name="A season made for trying out")
FIRST_DAY = datetime.date(2025, 9, 4)
COMES = 0.9
FIRST_NAMES, LAST_NAMES = FIRST.split()[:15], LAST.split()[:4]


@dataclass(frozen=True)
class DrawnMeeting:
    """One meeting: the cost of its seating draw, and the lowest cost of random draws for the same people."""

    number: int
    people: int
    cost: int
    best_random: int | None


def make_season(slug, people, meetings, hands, seed, random_draws=0):
    """Make a club with a season, and yield each meeting once it has been played; the same seed makes the same season.

    `hands` are played at each table with typed totals; each draw is compared with `random_draws`. ServiceError if the
    club exists, or there are not enough names.
    """
    if Club.objects.filter(slug=slug).exists():
        raise ServiceError(f"There is a club {slug} already. Choose another address part.")
    if not 3 <= people <= len(FIRST_NAMES) * len(LAST_NAMES):
        raise ServiceError(f"A season has 3 to {len(FIRST_NAMES) * len(LAST_NAMES)} people.")
    rng = random.Random(seed)
    with write_transaction():
        club = Club.objects.create(name=f"Season of seed {seed}", slug=slug)
        names = [f"{first} {last}" for last in LAST_NAMES for first in FIRST_NAMES]
        players = [add_player(club, name, by=BY) for name in rng.sample(names, people)]
        last_day = FIRST_DAY + datetime.timedelta(weeks=meetings)
        add_season(club, "The season", FIRST_DAY, last_day, by=BY, rules=[club.rules])
    for number in range(1, meetings + 1):
        with write_transaction():
            yield _meeting(club, players, number, hands, rng, random_draws)


def _meeting(club, players, number, hands, rng, random_draws):
    meeting = plan_meeting(club, FIRST_DAY + datetime.timedelta(weeks=number - 1), by=BY)
    here = [player.pk for player in players if rng.random() < COMES]
    here = here if len(here) > 2 else [player.pk for player in players[:3]]
    attend(meeting, dict.fromkeys(here, "here"), by=BY)
    met = times_met(club, meeting.date)
    best = min((draw_cost(_random_draw(here, rng), met) for _ in range(random_draws)), default=None)
    draw = draw_meeting(meeting, by=BY, seed=number)
    for drawn in meeting.drawn_tables.order_by("number"):
        _play(start_drawn(drawn, by=BY), hands, rng)
    return DrawnMeeting(number, len(here), draw.cost, best)


def _random_draw(here, rng):
    left = rng.sample(here, len(here))
    return [[left.pop() for _ in range(size)] for size in table_sizes(len(here))]


def _play(session, hands, rng):
    for _ in range(hands):
        record(session, "hand", _hand(session, rng), _key(rng), by=BY)
    record(session, "finish", {}, _key(rng), by=BY)


def _key(rng):
    return uuid.UUID(int=rng.getrandbits(128), version=4)


def _hand(session, rng):
    """Return a hand with totals typical of British tables: winners between 20 and 300, one hand in ten without."""
    session.refresh_from_db()
    seats = [str(seat) for seat in current_seating(session).seated.values()]
    if rng.random() < 0.1:
        return {"hands": {}, "mahjong": None}
    winner = rng.choice(seats)
    totals = {seat: 2 * rng.choice((0, 1, 2, 4, 6, 8, 16)) for seat in seats}
    totals[winner] = 2 * int(10 + rng.expovariate(1 / 40))
    return {"hands": {seat: {"total": min(total, 1000)} for seat, total in totals.items()}, "mahjong": {"by": winner}}
