"""How a finger reaches what a club prints, mails and shows to everybody."""

import uuid

from sessions_app.models import PlayerHand
from sessions_app.services.actor import Actor
from sessions_app.services.commands import apply_command
from sessions_app.services.sessions import start_session

from .visits import address

BY = Actor(name="The test")
BURIED_TREASURE = {
    "sets": ["concealed pung 2B", "concealed pung 3B", "concealed pung 6B", "concealed pung 8B", "pair 9B"]
}


def special_hand(scene):
    """Return a hand of the demonstration club that was won by a special hand, played where there is none."""
    won = PlayerHand.objects.of_club(scene.club).filter(won=True, hand__session__practice=False).exclude(special="")
    found = won.select_related("hand__entry").order_by("pk").first()
    if found is None:
        players = [seat.player for seat in scene.finished.seats.order_by("chair")[:4]]
        made = start_session(scene.club, scene.finished.date, 21, players, "bmja", {}, by=BY)
        played = {
            "hands": {"1": BURIED_TREASURE, "2": {}, "3": {}, "4": {}},
            "mahjong": {"by": "1", "tile": "9B", "from": "wall"},
        }
        for kind, body in (("hand", played), ("finish", {})):
            apply_command(made.pk, {"key": str(uuid.uuid4()), "kind": kind, "body": body}, by=BY)
        found = won.select_related("hand__entry").get()
    return found.hand


def after_a_special_hand(name):
    """Make a visit of an address of the club where somebody has gone Mah-jong with a special hand."""

    def visit(one, scene):
        special_hand(scene)
        one.open(address(name))

    return visit


def certificate(one, scene):
    hand = special_hand(scene)
    one.open(address("certificate", hand.session_id, hand.entry.key))
