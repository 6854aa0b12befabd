"""Writes the log, and keeps what the history says of each kind of change. See log_sentences.py."""

import datetime
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ParamSpec

from django.db import DatabaseError
from django.db.models import Model

from sessions_app.models import Change, Club, Session, User
from sessions_app.people.dates import day_words
from sessions_app.people.transactions import write_transaction

# What the history says of a change, by action, or by action and type of subject if an action has several; and what
# gives the text for each slot of these sentences, from a LoggedChange.
SENTENCES: dict[str | tuple[str, str], str] = {}
SLOTS: dict[str, Callable[[Any], object]] = {}


def log_sentences(sentences: Mapping[Any, str], **slots: Callable[[Any], object]) -> None:
    """Register what the history says, beside the code that logs it; apps.py imports these modules at start."""
    SENTENCES.update(sentences)
    SLOTS.update(slots)


def differences_of(fields: dict[str, tuple[str, Callable[[Any], str]]]) -> Callable[[Any], str]:
    """Return a slot: what changed in these fields; `fields` is {name: (label, how to show a value)}."""
    return lambda it: after_colon(
        f"{label} {show(it.after[field])} (was {show(it.before[field])})"
        for field, (label, show) in fields.items()
        if field in it.before and field in it.after and it.before[field] != it.after[field]
    )


def after_colon(differences: Iterable[str]) -> str:
    """Return differences as a sentence ends with them: “: ranked by total (was average per hand)”, or nothing."""
    listed = "; ".join(differences)
    return f": {listed}" if listed else ""


def yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def format_date(value: str) -> str:
    return day_words(datetime.date.fromisoformat(value))


def or_none(value: int | str | None) -> str:
    return "none" if value in (None, "") else str(value)


def join_names(name_of: Any) -> Any:
    return lambda keys: " and ".join(name_of(key) for key in keys) or "none"


def label_in(choices: Any, without: str = "none") -> Any:
    names = dict(choices)
    return lambda key: names.get(key, without).lower()


@dataclass(frozen=True)
class Actor:
    """Who makes a change: a user, or a tablet without an account, with the name that the log shows."""

    user: User | None = None
    name: str = ""

    @classmethod
    def of_user(cls, user: User) -> "Actor":
        return cls(user, user.display_name)


def change_of(
    where: Club | Session,
    by: Actor,
    action: str,
    subject: Any,
    before: dict[str, Any],
    after: dict[str, Any],
    why: str = "",
) -> Change:
    """Return an unsaved Change of a club, or of a session of it; `subject` is an instance or (type, id).

    `before` and `after` hold ids, never names.
    """
    subject_type, subject_id = subject if isinstance(subject, tuple) else (subject._meta.model_name, subject.pk)
    assert {action, (action, subject_type)} & SENTENCES.keys(), f"the history has no sentence for “{action}”"
    return Change(
        club=where.club if isinstance(where, Session) else where,
        session=where if isinstance(where, Session) else None,
        user=by.user,
        name=by.name,
        action=action,
        subject_type=subject_type,
        subject_id=str(subject_id),
        why=why,
        before=as_logged(before),
        after=as_logged(after),
    )


P = ParamSpec("P")


def _saved(make: Callable[P, Change]) -> Callable[P, None]:
    return lambda *args, **options: make(*args, **options).save(force_insert=True)


# Logs who did what in a club, or in a session of it.
log_change = _saved(change_of)


def as_logged(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values as the log stores them: dates, times and amounts of money as text."""
    as_text = (datetime.date, datetime.time, Decimal)
    return {name: str(value) if isinstance(value, as_text) else value for name, value in values.items()}


def changed_fields(row: Model, values: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return those values in which the row differs from these: before, and after."""
    before = {name: getattr(row, name) for name, value in values.items() if getattr(row, name) != value}
    return before, {name: values[name] for name in before}


# Logging exports.

logger = logging.getLogger(__name__)
log_sentences({"export": "exported {exported}{at}"}, exported=lambda it: it.after.get("what", "a file"))


def log_export(club: Club, what: str, *, by: Actor, session: Session | None = None) -> None:
    """Log who exported what, for example "the league table".

    If the database cannot be written to, the export still works, and the server's log records it.
    """
    try:
        with write_transaction():
            log_change(session or club, by, "export", session or club, {}, {"what": what})
    except (DatabaseError, OSError) as error:
        logger.warning("%s exported %s of %s, which the log could not record: %s", by.name, what, club.slug, error)
