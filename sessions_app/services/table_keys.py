"""The key by which a tablet without a login scores one table: taking it back by making another."""

from sessions_app.models import Device
from sessions_app.models.keys import unguessable_key

from .log import log_change
from .transactions import write_transaction


def replace_scoring_key(session, *, by, why=""):
    """Give a session another scoring key; what a tablet with the old one still sends is kept for the secretary.

    The log tells that it was done; it holds no keys.
    """
    with write_transaction():
        session.scoring_key = unguessable_key()
        session.save(update_fields=["scoring_key"])
        # A hand half entered by the old key is offered to nobody; the tablet it was entered on still has it.
        Device.objects.filter(session=session, user=None).delete()
        log_change(session.club, by, "new scoring key", session, {}, {}, why, session)
    return session.scoring_key
