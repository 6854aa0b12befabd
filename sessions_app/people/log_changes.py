"""What a change of the log made different, field by field and in words: a hand, a season, a meeting, settings."""

import datetime
from collections import defaultdict
from zoneinfo import ZoneInfo

from clubscore.scoring import RULE_SETS
from clubscore.scoring.words import with_commas
from sessions_app.league.methods import METHODS
from sessions_app.league.trophies import TROPHIES
from sessions_app.models import Change, Club, ClubHand, Hand, Meeting, Player, Season, Seat, User
from sessions_app.rules.club_rules import rule_set_name
from sessions_app.rules.switches import changes_told


def differences(rows, before, after):
    """Return “: ranked by total (was average per hand)”, or nothing where neither state tells of these rows."""
    told = [
        f"{label} {show(after[field])} (was {show(before[field])})"
        for field, (label, show) in rows.items()
        if field in before and field in after and before[field] != after[field]
    ]
    return f": {'; '.join(told)}" if told else ""


def with_differences(words, rows):
    """Make the sentence of a change of `words`, with what is different after it."""
    return lambda change, names: f"{words(change, names)}{differences(rows, change.before, change.after)}"


def edition_differences(before, after):
    """Return what of the house rules is otherwise in a new edition: “: Limit: 600 (was: 1,000)”."""
    if after.get("rules") not in RULE_SETS:
        return ""
    told = changes_told(after["rules"], before.get("house_rules") or {}, after.get("house_rules") or {})
    return f": {'; '.join(told)}" if told else ""


def hand_differences(before, after, name_of):
    """Return what of a hand's body is not as it was, in words, the players in the order of their chairs."""
    hands, now = before.get("hands") or {}, after.get("hands") or {}
    told = [
        _form_difference(name_of(chair), hands.get(chair), now.get(chair))
        for chair in sorted({*hands, *now}, key=_by_number)
        if hands.get(chair) != now.get(chair)
    ]
    told += [words for key, words in REST.items() if (before.get(key) or None) != (after.get(key) or None)]
    return ", ".join(told)


# The rest of a hand's body, and what is said where it differs.
REST = {"mahjong": "how it was won", "penalties": "the penalties", "beside": "what was noted beside the figures"}


def _form_difference(name, before, after):
    """Name a player's hand; the figures too where a total alone was written, before as now."""
    totals = [form["total"] for form in (before, after) if form and form.keys() == {"total"}]
    if len(totals) < 2:
        return f"the hand of {name}"
    return f"the total of {name}, {with_commas(totals[1])} (was {with_commas(totals[0])})"


def _by_number(chair):
    return (int(chair) if chair.isdecimal() else 0, chair)


def _yes(value):
    return "yes" if value else "no"


def _day(value):
    return f"{datetime.date.fromisoformat(value):%-d %B %Y}"


def _as_it_is(value):
    return "none" if value in (None, "") else str(value)


def _all_of(name_of):
    return lambda keys: " and ".join(name_of(key) for key in keys) or "none"


def _choice(choices, without="none"):
    names = dict(choices)
    return lambda key: names.get(key, without).lower()


SEASON = {
    "name": ("name", _as_it_is),
    "starts_on": ("first day", _day),
    "ends_on": ("last day", _day),
    "rules": ("rules that count", _all_of(rule_set_name)),
    "recording": ("sessions that count", {"settle": "those settled up", "straight": "those added up"}.get),
    "method": ("ranked by", _choice((key, method.name) for key, method in METHODS.items())),
    "minimum_sessions": ("sessions needed for a place", _as_it_is),
    "minimum_hands": ("hands needed for a place", _as_it_is),
    "best_n": ("how many sessions the best ones are", _as_it_is),
    "trophies": ("trophies", _all_of(_choice((key, trophy.name) for key, trophy in TROPHIES.items()))),
}


MEETING = {
    "date": ("date", _day),
    "starts_at": ("begins at", _as_it_is),
    "place": ("place", _as_it_is),
    "name": ("name", _as_it_is),
}


SETTINGS = {
    "asks_agreement": ("another player agrees to each hand", _yes),
    "public_names": ("names in public", _choice(dict(Club.PublicNames.choices) | {Club.PublicNames.NOBODY: "none"})),
    "shows_standings": ("standings for everybody", _yes),
    "shows_honours": ("honours for everybody", _yes),
    "shows_meetings": ("meetings for everybody", _yes),
    "keeps_fees": ("a list of fees", _yes),
    "currency": ("currency", _as_it_is),
    "table_fee": ("fee for the table", _as_it_is),
    "refreshments": ("refreshments", _as_it_is),
    "points_rate": ("what points are worth", _as_it_is),
}


PLAYER = {
    "guest": ("guest", _yes),
    "to_confirm": ("to be confirmed", _yes),
    "left_on": ("left", lambda value: f"on {_day(value)}" if value else "no"),
    "in_public": ("in public", _choice(Player.InPublic.choices, "as the club shows names")),
}


OWN_HAND = {
    "name": ("name", _as_it_is),
    "tiles": ("tiles", _as_it_is),
    "worth": ("worth", _choice(ClubHand.Worth.choices)),
    "points": ("points", _as_it_is),
    "fishing": ("points for who waits for it", _as_it_is),
    "concealed": ("concealed", _yes),
    "since": ("from", _day),
    "until": ("until", lambda value: _day(value) if value else "none"),
}


# The names behind the ids in lines of the log, fetched for a whole page of them at once.


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
