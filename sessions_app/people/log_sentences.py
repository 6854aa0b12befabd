"""Turns a change in the log into a sentence when it is shown; the log itself holds ids."""

from collections import defaultdict
from typing import Any
from zoneinfo import ZoneInfo

from clubscore.scoring import rule_set_name
from clubscore.scoring.words import actor_name
from sessions_app.models import Change, Club, ClubHand, Hand, Meeting, Player, Season, Seat, Session, User
from sessions_app.people.dates import day_words
from sessions_app.people.log import SENTENCES, SLOTS, format_date, log_sentences


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
        seasons = Season.objects.of_club(club).filter(pk__in=ids["season"]).only("name", "league")
        self.seasons = {season.pk: str(season) for season in seasons}
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


def sentence(change: Change, names: LogNames) -> str:
    """Return the sentence of a change; `names` is a LogNames that includes it."""
    phrase = words_of(change, names)
    return f"{who(change, names)} {phrase}" + ("" if phrase.endswith((".", "!", "?", "…")) else ".")


def who(change: Change, names: LogNames) -> str:
    """Return who made a change: name and username, as users choose their own name.

    A tablet without an account may be named by the seat of its player, as {3}.
    """
    name = actor_name(change.name, change.user_id, names.seats.get(change.session_id or 0, {})) or "Someone"
    return name if change.user is None else with_account(name, change.user)


def words_of(change: Change, names: LogNames) -> str:
    """Return what was done, without the person and without a full stop."""
    words = SENTENCES.get((change.action, change.subject_type)) or SENTENCES.get(change.action) or UNKNOWN
    return words.format_map(LoggedChange(change, names))


UNKNOWN = "made a change of the kind “{action}”{at}"
# A change's table, on the page of that table.
HERE = "the table"


class LoggedChange:
    """A change, which fills the slots of its sentence."""

    def __init__(self, change: Change, names: LogNames) -> None:
        self.change, self.names = change, names
        self.before, self.after = change.before, change.after
        self.subject = int(change.subject_id) if change.subject_id.isdecimal() else 0

    def __getitem__(self, slot: str) -> object:
        return SLOTS[slot](self)

    def seat(self, seat_no: Any) -> str:
        return self.names.seat(self.change.session_id, seat_no)

    def table(self) -> str:
        session = self.change.session
        if session is None and self.change.session_id:
            return "a table that was taken back"
        if session is None or session.pk == self.names.here:
            return HERE
        return f"table {session.table} of {day_words(session.date)}"


def meeting_words(date: str, name: str) -> str:
    return f"{format_date(date)} ({name})" if name else format_date(date)


def _meeting(it: LoggedChange) -> str:
    meeting = it.names.meetings.get(it.subject)
    return f"the meeting of {meeting_words(meeting.date.isoformat(), meeting.name)}" if meeting else "a meeting"


# The slots of sentences of several modules.
log_sentences(
    {},
    action=lambda it: it.change.action,
    # At which table; empty for a change outside a session, and on the page of that session.
    at=lambda it: "" if it.table() == HERE else f" at {it.table()}",
    the_table=LoggedChange.table,
    meeting=_meeting,
    player=lambda it: it.names.player(it.subject),
    user=lambda it: it.names.user(it.subject),
    season=lambda it: it.names.seasons.get(it.subject, "a season"),
    rules=lambda it: rule_set_name(it.after.get("rules", "")),
)
