"""Noting in the log what was taken out of a club as a file."""

import logging

from django.db import DatabaseError

from .log import log_change
from .transactions import write_transaction

OUTSIDE = logging.getLogger(__name__)


def note_export(club, what, *, by, session=None):
    """Write into the log who took out what, "the league table" for instance.

    A database that cannot be written to keeps nobody from taking their own figures out: the server's log has it then.
    """
    try:
        with write_transaction():
            log_change(club, by, "export", session or club, {}, {"what": what}, session=session)
    except (DatabaseError, OSError) as error:
        OUTSIDE.warning("%s took out %s of %s, which the log could not take: %s", by.name, what, club.slug, error)
