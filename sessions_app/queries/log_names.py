"""The names behind the ids in lines of the log, fetched for a whole page of them at once."""

from collections import defaultdict
from zoneinfo import ZoneInfo

from sessions_app.models import Change, ClubHand, Hand, Meeting, Player, Season, Seat, User

PLAYER_WORDS = {"player", "players", "first", "second", "into"}


class LogNames:
    """Everything that sentences about these changes need, in a fixed number of queries."""

    def __init__(self, club, changes):
        self.club = club
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
        self.own_hands = dict(hands.values_list("pk", "name"))
        self.seats = defaultdict(dict)
        for seat in Seat.objects.filter(session__in=sessions).select_related("player"):
            self.seats[seat.session_id][str(seat.chair)] = seat.player.name
        self.numbers = self._numbers(sessions, everything)

    def _players(self, ids):
        return {player.pk: str(player) for player in Player.objects.of_club(self.club).filter(pk__in=ids)}

    def _users(self, ids):
        # Who has left the club is named no more.
        users = User.objects.filter(pk__in=ids, memberships__club=self.club)
        return {user.pk: with_account(user.get_full_name() or user.get_username(), user) for user in users}

    def _numbers(self, sessions, changes):
        keys = {change.subject_id for change in changes if change.subject_type == "entry"}
        hands = Hand.objects.filter(session__in=sessions, entry__key__in=keys)
        return {str(key): number for key, number in hands.values_list("entry__key", "number")}

    def player(self, pk):
        return self.players.get(pk, "a player")

    def user(self, pk):
        return self.users.get(pk, "somebody who has left the club")

    def seat(self, session_id, chair):
        return self.seats[session_id].get(str(chair), "somebody")


def with_account(name, user):
    """Return a name with the account that has it: Pat Jones (pat)."""
    account = user.get_username()
    return name if name == account else f"{name} ({account})"


def _player_ids(change):
    for state in (change.before, change.after):
        yield from _under(state, PLAYER_WORDS)
        if change.action == "attendance":
            yield from (int(pk) for pk in state if pk.isdecimal())


def _meeting_ids(change):
    for state in (change.before, change.after):
        yield from _under(state, {"meeting"})


def _under(value, words, word=None):
    """Yield the whole numbers that stand under one of these words, however deep."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _under(inner, words, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _under(inner, words, word)
    elif type(value) is int and word in words:
        yield value
