"""Writing the log."""

import logging
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError

from sessions_app.models import Change, Club, Session, User
from sessions_app.people.transactions import write_transaction


def log_change(*facts: Any, **more: Any) -> None:
    """Log who did what; takes the arguments of change_of."""
    change_of(*facts, **more).save(force_insert=True)


def change_of(
    club: Club,
    by: "Actor",
    action: str,
    subject: Any,
    before: dict[str, Any],
    after: dict[str, Any],
    why: str = "",
    session: Session | None = None,
) -> Change:
    """Return an unsaved Change; `subject` is an instance or (type, id). `before` and `after` hold ids, never names."""
    if isinstance(subject, tuple):
        subject_type, subject_id = subject
    else:
        subject_type, subject_id = subject._meta.model_name, subject.pk
    return Change(
        club=club,
        session=session,
        user=by.user,
        name=by.name,
        action=action,
        subject_type=subject_type,
        subject_id=str(subject_id),
        why=why,
        before=before,
        after=after,
    )


# Who makes a change: a user, or a tablet without an account, with the name the log shows.


@dataclass(frozen=True)
class Actor:
    user: User | None = None
    name: str = ""

    @classmethod
    def of_user(cls, user: User) -> "Actor":
        """Return the actor for this user."""
        return cls(user, user.get_full_name() or user.get_username())


# Logging exports.


OUTSIDE = logging.getLogger(__name__)


def note_export(club: Club, what: str, *, by: Actor, session: Session | None = None) -> None:
    """Log who exported what, for example "the league table".

    If the database cannot be written to, the export still works, and the server's log records it.
    """
    try:
        with write_transaction():
            log_change(club, by, "export", session or club, {}, {"what": what}, session=session)
    except (DatabaseError, OSError) as error:
        OUTSIDE.warning("%s exported %s of %s, which the log could not record: %s", by.name, what, club.slug, error)
