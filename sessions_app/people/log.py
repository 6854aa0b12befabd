"""Writing the log, and saying what a change in it changed, field by field."""

import datetime
import logging
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.db import DatabaseError

from clubscore.scoring.words import with_commas
from sessions_app.models import Change, Club, ClubHand, Hand, Meeting, Player, Season, Seat, Session, User
from sessions_app.people.transactions import write_transaction

# For each kind of change a function of the states before and after that returns a phrase for each difference. Other
# packages register theirs here; apps.py imports them at start.
DIFFERENCES = {}


def differences(kind: str, change: Change) -> str:
    """Return what changed, such as “: ranked by total (was average per hand)”, or an empty string."""
    found = DIFFERENCES[kind](change.before, change.after)
    return f": {'; '.join(found)}" if found else ""


def differences_of(fields: Any) -> Any:
    """Return a function that compares these fields; `fields` is {name: (label, how to show a value)}."""
    return lambda before, after: [
        f"{label} {show(after[field])} (was {show(before[field])})"
        for field, (label, show) in fields.items()
        if field in before and field in after and before[field] != after[field]
    ]


def hand_differences(
    before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]], name_of: Callable[..., Any]
) -> str:
    """Return what changed in a hand's body, in words, players in order of seat number."""
    hands, now = before.get("hands") or {}, after.get("hands") or {}
    found = [
        _form_difference(name_of(seat_no), hands.get(seat_no), now.get(seat_no))
        for seat_no in sorted({*hands, *now}, key=_by_number)
        if hands.get(seat_no) != now.get(seat_no)
    ]
    found += [words for key, words in REST.items() if (before.get(key) or None) != (after.get(key) or None)]
    return ", ".join(found)


# The rest of a hand's body, and how a difference in it is described.
REST = {"mahjong": "how it was won", "penalties": "the penalties", "beside": "the notes on the figures"}


def _form_difference(name, before, after):
    """Return whose tiles changed, with both figures if only totals were entered."""
    totals = [form["total"] for form in (before, after) if form and form.keys() == {"total"}]
    if len(totals) < 2:
        return f"{name}’s tiles"
    return f"{name}’s total, {with_commas(totals[1])} (was {with_commas(totals[0])})"


def _by_number(seat_no):
    return (int(seat_no) if seat_no.isdecimal() else 0, seat_no)


def yes(value: bool) -> str:
    return "yes" if value else "no"


def date_words(value: str) -> str:
    return f"{datetime.date.fromisoformat(value):%-d %B %Y}"


def as_it_is(value: int | None) -> str:
    return "none" if value in (None, "") else str(value)


def all_of(name_of: Any) -> Any:
    return lambda keys: " and ".join(name_of(key) for key in keys) or "none"


def choice(choices: Any, without: str = "none") -> Any:
    names = dict(choices)
    return lambda key: names.get(key, without).lower()


DIFFERENCES["settings"] = differences_of(
    {
        "name": ("name", as_it_is),
        "slug": ("address", as_it_is),
        "time_zone": ("time zone", as_it_is),
        "usual_place": ("usual venue", as_it_is),
        "usual_time": ("usual start", lambda value: value[:5] if value else "none"),
        "contact_email": ("contact", as_it_is),
        "stick_set": ("tally sticks", as_it_is),
        "asks_agreement": ("another player agrees to each hand", yes),
        "public_names": ("names in public", choice(dict(Club.PublicNames.choices) | {Club.PublicNames.NOBODY: "none"})),
        "shows_standings": ("league table in public", yes),
        "shows_honours": ("roll of honour in public", yes),
        "shows_meetings": ("meetings in public", yes),
        "framed_by": ("websites that show a piece of the pages", as_it_is),
        "keeps_fees": ("a list of fees", yes),
        "currency": ("currency", as_it_is),
        "table_fee": ("fee for the table", as_it_is),
        "refreshments": ("refreshments", as_it_is),
        "subscription": ("yearly subscription", as_it_is),
        "points_rate": ("what points are worth", as_it_is),
    }
)

DIFFERENCES["player"] = differences_of(
    {
        "guest": ("guest", yes),
        "beginner": ("beginner", yes),
        "to_confirm": ("to be confirmed", yes),
        "left_on": ("left", lambda value: f"on {date_words(value)}" if value else "no"),
        "in_public": ("in public", choice(Player.InPublic.choices, "as the club shows names")),
    }
)

# The names behind the ids in the log, loaded for a page at once.

PLAYER_WORDS = {"player", "players", "first", "second", "into"}


class LogNames:
    """The names that sentences about these changes need, loaded in a fixed number of queries.

    `here` is the session on whose page they stand: no sentence names its table.
    """

    def __init__(self, club: Club, changes: list[Change], here: Session | None = None) -> None:
        self.club = club
        self.here = here and here.pk
        self.zone = ZoneInfo(club.time_zone)
        undone = [int(change.subject_id) for change in changes if change.subject_type == "change"]
        self.undone = Change.objects.of_club(club).select_related("session", "user").in_bulk(undone)
        everything = [*changes, *self.undone.values()]
        by_type = defaultdict(set)
        for change in everything:
            if change.subject_id.isdecimal():
                by_type[change.subject_type].add(int(change.subject_id))
        sessions = {change.session_id for change in everything if change.session_id}
        self.players = self._players(by_type["player"].union(*(_player_ids(change) for change in everything)))
        self.users = self._users(by_type["user"])
        self.seasons = dict(Season.objects.of_club(club).filter(pk__in=by_type["season"]).values_list("pk", "name"))
        meetings = by_type["meeting"].union(*(_meeting_ids(change) for change in everything))
        self.meetings = {row.pk: row for row in Meeting.objects.of_club(club).filter(pk__in=meetings)}
        hands = ClubHand.objects.of_club(club).filter(pk__in=by_type["clubhand"])
        self.club_hands = dict(hands.values_list("pk", "name"))
        self.seats = defaultdict(dict)
        for seat in Seat.objects.filter(session__in=sessions).select_related("player"):
            self.seats[seat.session_id][str(seat.chair)] = seat.player.name
        self.numbers = self._numbers(sessions, everything)

    def _players(self, ids):
        return {player.pk: str(player) for player in Player.objects.of_club(self.club).filter(pk__in=ids)}

    def _users(self, ids):
        # People who have left the club are no longer named.
        users = User.objects.filter(pk__in=ids, memberships__club=self.club)
        return {user.pk: with_account(user.get_full_name() or user.get_username(), user) for user in users}

    def _numbers(self, sessions, changes):
        keys = {change.subject_id for change in changes if change.subject_type == "entry"}
        hands = Hand.objects.filter(session__in=sessions, entry__key__in=keys)
        return {str(key): number for key, number in hands.values_list("entry__key", "number")}

    def player(self, pk: int) -> str:
        return self.players.get(pk, "a player")

    def user(self, pk: int) -> str:
        return self.users.get(pk, "someone who has left the club")

    def seat(self, session_id: int, seat_no: str) -> str:
        return self.seats[session_id].get(str(seat_no), "someone")


def with_account(name: str, user: User) -> str:
    """Return a name with its username: Pat Jones (pat)."""
    account = user.get_username()
    return name if name == account else f"{name} ({account})"


def _player_ids(change):
    for state in (change.before, change.after):
        yield from _under(state, PLAYER_WORDS)
        if change.action in ("attendance", "reply"):
            yield from (int(pk) for pk in state if pk.isdecimal())


def _meeting_ids(change):
    for state in (change.before, change.after):
        yield from _under(state, {"meeting"})


def _under(value, words, word=None):
    """Yield the whole numbers under any of these keys, at any depth."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _under(inner, words, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _under(inner, words, word)
    elif type(value) is int and word in words:
        yield value


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
