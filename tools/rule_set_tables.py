"""Plays a table of Chinese Official and one of Baggaley's game in the demonstration club, for pictures of their sheets.

The hands are those of tests/data, in order, without those that do not fit the seats. screenshots.py imports this once
Django is set up.
"""

import json
import uuid
from pathlib import Path

from clubscore.play.outcomes import Outcome
from sample_data.demo import SLUG
from sessions_app.models import Club, Session
from sessions_app.people.log import Actor
from sessions_app.table.apply_command import apply_command
from sessions_app.table.sessions import current_seating, start_session

ROOT = Path(__file__).resolve().parent.parent
BY = Actor(name="The demonstration")
NO_WINNER = {"hands": {}, "mahjong": None}
LATE = {"by": "4", "to": None, "amount": 10, "why": "Lateness"}


def hands_of(rules, file):
    for line in (ROOT / "tests" / "data" / f"{file}.jsonl").read_text(encoding="utf-8").splitlines():
        found = json.loads(line)
        played = found["input"]
        if "expect" in found and played.get("rules") == rules and played.get("mahjong") and len(played["hands"]) == 4:
            yield played


def by_seat(played, session):
    """Return the body of a hand in the score format, by the seats of this table."""
    seat = {wind: str(number) for wind, number in current_seating(session).seated.items()}
    wins = played["mahjong"] if isinstance(played["mahjong"], list) else [played["mahjong"]]
    sent = [{**win, **{name: seat.get(win[name], win[name]) for name in ("by", "from") if name in win}} for win in wins]
    hands = {seat[wind]: {} if form == {"total": 0} else form for wind, form in played["hands"].items()}
    return {"hands": hands, "mahjong": sent if len(sent) > 1 else sent[0]}


def send(session, kind, body):
    command = {"key": str(uuid.uuid4()), "kind": kind, "body": body}
    answer = apply_command(session.pk, command, by=BY)
    session.refresh_from_db()
    return answer.outcome is Outcome.RECORDED


def play(session, hands, many):
    recorded = 0
    while recorded < many:
        recorded += send(session, "hand", by_seat(next(hands), session))


def announce_lower(session, hands):
    """Record a hand announced with too low a total, with its tiles as another version."""
    body = by_seat(next(hands), session)
    winner = body["mahjong"]["by"]
    body["beside"] = {winner: body["hands"][winner]}
    body["hands"][winner] = {"total": 12}
    if not send(session, "hand", body):
        announce_lower(session, hands)


def start(club, table, rules):
    seats = Session.objects.of_club(club).latest("date", "-table").seats.order_by("seat_no")[:4]
    players = [seat.player for seat in seats.select_related("player")]
    date = Session.objects.of_club(club).latest("date").date
    return start_session(club, date, table, players, rules, {}, by=BY)


def play_tables():
    club = Club.objects.get(slug=SLUG)
    official = start(club, 8, "chinese_official")
    hands = hands_of("chinese_official", "chinese-official")
    play(official, hands, 2)
    send(official, "hand", NO_WINNER | {"penalties": [{"kind": "false mahjong", "by": "3"}]})
    announce_lower(official, hands)
    send(official, "fine", LATE)
    play(official, hands, 3)
    play(start(club, 9, "baggaley"), hands_of("baggaley", "random-hands"), 7)
