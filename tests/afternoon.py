"""Short words for recording hands in tests: totals by seat number, and who went Mah-jong."""

import uuid

from sessions_app.people.log import Actor
from sessions_app.table.apply_command import apply_command

BY = Actor(name="tablet at table 1")


def new_key():
    return str(uuid.uuid4())


def totals(won_by=None, *, sat_out=None, seats="1234", figure=None, **figures):
    """A hand body: seat N holds the total in sN (0 when not given)."""
    playing = [seat for seat in seats if seat != sat_out]
    hands = {seat: {"total": figures.get(f"s{seat}", 0)} for seat in playing}
    return {"hands": hands, "mahjong": {"by": won_by} if won_by else None}


def nobody():
    return {"hands": {}, "mahjong": None}


def send(session, kind, body=None, *, key=None, by=BY, **more):
    return apply_command(session.pk, {"key": key or new_key(), "kind": kind, "body": body or {}, **more}, by)


def hand(session, won_by=None, **figures):
    """Record a hand that must be accepted; return its key."""
    answer = send(session, "hand", totals(won_by, **figures) if won_by else nobody())
    assert answer.outcome == "recorded", answer
    return answer.entry


def nets(session):
    """Net by player's name."""
    return {tally.player.full_name: tally.net for tally in session.tallies.select_related("player").order_by("seat")}


def seating(session):
    """Who is East in each hand and who sits out, by seat number."""
    return [(hand.seating["winds"][0], tuple(hand.seating["out"])) for hand in session.hands.order_by("number")]
