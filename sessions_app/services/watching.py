"""Keys for watching: taking an address back by making another."""

from sessions_app.models.keys import unguessable_key

from .log import log_change
from .transactions import write_transaction


def replace_watching_key(watched, *, by, session=None, why=""):
    """Give a session or a meeting another watching key; whoever has the old one sees nothing more.

    The log tells that it was done; it holds no keys.
    """
    with write_transaction():
        watched.watching_key = unguessable_key()
        watched.save(update_fields=["watching_key"])
        log_change(watched.club, by, "new watching key", watched, {}, {}, why, session)
    return watched.watching_key
