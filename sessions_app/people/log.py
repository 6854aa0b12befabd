"""Writes the log, and describes field by field what a change changed."""

import datetime
import logging
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.db import DatabaseError
from django.db.models import Model

from sessions_app.models import Change, Club, ClubHand, Hand, Meeting, Player, Season, Seat, Session, User
from sessions_app.people.dates import day_words
from sessions_app.people.transactions import write_transaction

# For each kind of change a function of the states before and after that returns a phrase for each difference. Other
# packages register theirs here; apps.py imports them at start.
DIFFERENCES = {}


def differences_of(fields: dict[str, tuple[str, Callable[[Any], str]]]) -> Callable[..., list[str]]:
    """Return a function that compares these fields; `fields` is {name: (label, how to show a value)}."""
    return lambda before, after: [
        f"{label} {show(after[field])} (was {show(before[field])})"
        for field, (label, show) in fields.items()
        if field in before and field in after and before[field] != after[field]
    ]


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


# Settings of a club that are not about its rules.
CLUB_SETTINGS = {
    "name": ("name", or_none),
    "slug": ("address", or_none),
    "time_zone": ("time zone", or_none),
    "usual_place": ("usual venue", or_none),
    "usual_time": ("usual start", lambda value: value[:5] if value else "none"),
    "contact_email": ("contact", or_none),
    "stick_set": ("tally sticks", or_none),
    "asks_agreement": ("another player agrees to each hand", yes_or_no),
    "public_names": ("names in public", label_in(dict(Club.PublicNames.choices) | {Club.PublicNames.NOBODY: "none"})),
    "shows_standings": ("league table in public", yes_or_no),
    "shows_honours": ("roll of honour in public", yes_or_no),
    "shows_meetings": ("meetings in public", yes_or_no),
    "framed_by": ("websites that may show parts of the pages", or_none),
    "keeps_fees": ("a list of fees", yes_or_no),
    "currency": ("currency", or_none),
    "table_fee": ("fee for the table", or_none),
    "refreshments": ("refreshments", or_none),
    "subscription": ("yearly subscription", or_none),
    "points_rate": ("what points are worth", or_none),
}
DIFFERENCES["settings"] = differences_of(CLUB_SETTINGS)

DIFFERENCES["player"] = differences_of(
    {
        "guest": ("guest", yes_or_no),
        "beginner": ("beginner", yes_or_no),
        "to_confirm": ("to be confirmed", yes_or_no),
        "left_on": ("left", lambda value: f"on {format_date(value)}" if value else "no"),
        "in_public": ("in public", label_in(Player.InPublic.choices, "as the club shows names")),
    }
)

# The names behind the ids in the log, loaded for a page at once.


class LogNames:
    """The names that the sentences of these changes need, loaded in a fixed number of queries.

    `here` is the session whose page shows them: no sentence names its table.
    """

    def __init__(self, club: Club, changes: list[Change], here: Session | None = None) -> None:
        self.here = here and here.pk
        self.zone = ZoneInfo(club.time_zone)
        undone = [int(change.subject_id) for change in changes if change.subject_type == "change"]
        self.undone = Change.objects.of_club(club).select_related("session", "user").in_bulk(undone)
        changes = [*changes, *self.undone.values()]
        ids = defaultdict(set)
        for change in changes:
            if change.subject_id.isdecimal():
                ids[change.subject_type].add(int(change.subject_id))
            for state in (change.before, change.after):
                ids["player"].update(_numbers_under(state, {"player", "players", "first", "second", "into"}))
                ids["meeting"].update(_numbers_under(state, {"meeting"}))
                if change.action in ("attendance", "reply"):
                    ids["player"].update(int(pk) for pk in state if pk.isdecimal())
        players = Player.objects.of_club(club).filter(pk__in=ids["player"])
        self.players = {player.pk: str(player) for player in players}
        # People who have left the club are no longer named.
        users = User.objects.filter(pk__in=ids["user"], memberships__club=club)
        self.users = {user.pk: with_account(user.display_name, user) for user in users}
        self.seasons = dict(Season.objects.of_club(club).filter(pk__in=ids["season"]).values_list("pk", "name"))
        self.meetings = {row.pk: row for row in Meeting.objects.of_club(club).filter(pk__in=ids["meeting"])}
        club_hands = ClubHand.objects.of_club(club).filter(pk__in=ids["clubhand"])
        self.club_hands = dict(club_hands.values_list("pk", "name"))
        sessions = {change.session_id for change in changes if change.session_id}
        self.seats: dict[int, dict[str, str]] = defaultdict(dict)
        for seat in Seat.objects.filter(session__in=sessions).select_related("player"):
            self.seats[seat.session_id][str(seat.seat_no)] = seat.player.name
        entries = {change.subject_id for change in changes if change.subject_type == "entry"}
        hands = Hand.objects.filter(session__in=sessions, entry__key__in=entries)
        self.numbers = {str(key): number for key, number in hands.values_list("entry__key", "number")}

    def player(self, pk: int) -> str:
        return self.players.get(pk, "a player")

    def user(self, pk: int) -> str:
        return self.users.get(pk, "someone who has left the club")

    def seat(self, session_id: int | None, seat_no: str) -> str:
        return self.seats.get(session_id or 0, {}).get(str(seat_no), "someone")


def with_account(name: str, user: User) -> str:
    """Return a name with its username: Pat Jones (pat)."""
    account = user.get_username()
    return name if name == account else f"{name} ({account})"


def _numbers_under(value, keys, key=None):
    """Yield the whole numbers under any of these keys, at any depth."""
    if isinstance(value, dict):
        for inner_key, inner in value.items():
            yield from _numbers_under(inner, keys, inner_key)
    elif isinstance(value, list):
        for inner in value:
            yield from _numbers_under(inner, keys, key)
    elif type(value) is int and key in keys:
        yield value


@dataclass(frozen=True)
class Actor:
    """Who makes a change: a user, or a tablet without an account, with the name that the log shows."""

    user: User | None = None
    name: str = ""

    @classmethod
    def of_user(cls, user: User) -> "Actor":
        return cls(user, user.display_name)


def log_change(
    where: Club | Session,
    by: Actor,
    action: str,
    subject: Any,
    before: dict[str, Any],
    after: dict[str, Any],
    why: str = "",
) -> None:
    """Log who did what in a club, or in a session of it, as change_of takes it."""
    change_of(where, by, action, subject, before, after, why).save(force_insert=True)


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


def log_export(club: Club, what: str, *, by: Actor, session: Session | None = None) -> None:
    """Log who exported what, for example "the league table".

    If the database cannot be written to, the export still works, and the server's log records it.
    """
    try:
        with write_transaction():
            log_change(session or club, by, "export", session or club, {}, {"what": what})
    except (DatabaseError, OSError) as error:
        logger.warning("%s exported %s of %s, which the log could not record: %s", by.name, what, club.slug, error)
