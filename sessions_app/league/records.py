"""The roll of honour of a season or of all time: records, special hands, certificates; a season’s trophies."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db.models import Count, F, IntegerField, Max, Window
from django.db.models.fields.json import KT, KeyTextTransform
from django.db.models.functions import Cast

from clubscore.scoring import rule_set_name
from clubscore.table.drawn_hands import Group
from sessions_app.league.methods import MEETING, ResultSet, result_set_of, rounded
from sessions_app.league.ranking import played_enough
from sessions_app.league.standings import read_results, season_settings, season_span, span_before
from sessions_app.models import Club, Hand, Player, PlayerHand, Recording, Season, Session, Tally
from sessions_app.rules.club_rules import SpecialHandPlayed, rules_in_force, special_hands_of
from sessions_app.rules.rule_pages import rule_sections, shown_club_hands
from sessions_app.table.meeting_result import tiles_of

MAX_HOLDERS = 5
FIRST = 100  # seats looked at first for the largest win
MANY = 1000  # so many seats are named one by one in a question

WHERE = {
    Recording.SETTLE: "where players paid each other",
    Recording.STRAIGHT: "where players added up their own scores",
}


@dataclass(frozen=True)
class Holder:
    """Who holds a record, and where it was made; `hand` is the hand's key where it was one hand and is known.

    `rules` names the rules where several are compared.
    """

    player: Player
    date: date
    table: int
    session: int
    hand: str = ""
    rules: str = ""


@dataclass(frozen=True)
class Record:
    """One record; `words` are its unit, for example "points". Players who are level all hold it.

    The earliest few are named; `others` is how many more there are.
    """

    key: str
    name: str
    sentence: str
    figure: int
    words: str
    holders: tuple[Holder, ...]
    others: int


def records(club: Club, season: Season | None = None) -> list[Record]:
    """Return the records of a season, or of all time; those of which there is nothing yet are left out.

    Practice never counts; the totals of a session count once it is finished. Guests can hold a record. A fixed number
    of queries.
    """
    tallies = Tally.objects.of_club(club).filter(session__practice=False, hands__gt=0)
    if season is not None:
        tallies = tallies.filter(season=season)
    return [record for make in MAKERS for record in make(tallies)]


def _highest_hand(tallies):
    best = tallies.aggregate(best=Max("best_hand"))["best"]
    if best:
        rows = list(_with_names(tallies.filter(best_hand=best)))
        hands = dict(
            PlayerHand.objects.filter(seat__in=[row.seat_id for row in rows], total=best)
            .order_by("-pk")
            .values_list("seat_id", "hand__entry__key")
        )
        holders = tuple(_holder(row, hands.get(row.seat_id, ""), row.session.rules) for row in rows)
        others = rows[0].level - len(rows)
        yield Record("highest_hand", "Highest hand", "The highest total of one hand.", best, "points", holders, others)


def _largest_win(tallies):
    """Nobody wins more in one hand than in the whole session: none but who won as much as the best of a few matter."""
    seats = tallies.filter(session__recording="settle", gained__gt=0).order_by("-gained", "pk")
    few = list(seats.values_list("seat_id", flat=True)[:FIRST])
    wins = PlayerHand.objects.filter(won=True, net__gt=0)
    least = wins.filter(seat__in=few).aggregate(best=Max("net"))["best"] or 0
    among = seats.filter(gained__gte=least).values_list("seat_id", flat=True)
    # Named one by one where they are not too many: asked in one, PostgreSQL may read every hand there is.
    some = list(among[: MANY + 1])
    hands = wins.filter(seat__in=some if len(some) <= MANY else among.order_by(), net__gte=least)
    hands = _with_hands(hands).annotate(level=Window(Count("pk"), partition_by=F("net")))
    found = list(hands.order_by("-net", "hand__session__date", "hand_id")[:MAX_HOLDERS])
    if found:
        best, others = found[0].net, found[0].level - MAX_HOLDERS
        holders = tuple(_hand_holder(row) for row in found if row.net == best)
        sentence = "The most points received for one Mah-jong."
        yield Record("largest_win", "Largest win", sentence, best, "points", holders, max(others, 0))


def _highest_session(tallies):
    """Nets and own scores are not set side by side: of all time those sessions are compared that there are most of."""
    counts = tallies.values_list("session__recording").annotate(number=Count("pk")).order_by("-number")
    found = dict(counts)
    if found:
        recording = next(iter(found))
        of_these = f", {WHERE[recording]}" if len(found) > 1 else ""
        sentence = f"The most points in one session{of_these}."
        alike = tallies.filter(session__recording=recording)
        yield from _of_sessions(alike, "net", "highest_session", "Highest session", sentence, "point")


def _most_won(tallies):
    yield from _of_sessions(tallies, "won", "most_won", "Most hands won", "The most hands won in one session.", "hand")


def _of_sessions(tallies, column, key, name, sentence, unit):
    finished = tallies.filter(session__state=Session.State.FINISHED)
    best = finished.aggregate(best=Max(column))["best"]
    if best and best > 0:
        rows = list(_with_names(finished.filter(**{column: best})))
        words, holders = unit if best == 1 else f"{unit}s", tuple(map(_holder, rows))
        yield Record(key, name, sentence, best, words, holders, rows[0].level - len(rows))


def _longest_east(tallies):
    """Kept deals stand in the seating of the hand after; the longest stay is one hand more than the deals kept."""
    east = PlayerHand.objects.filter(hand__session__in=tallies.values("session"), hand__kind=Hand.Kind.WON)
    east = east.filter(wind="E", won=True).annotate(kept=Cast(KeyTextTransform("kept", "hand__chairs"), IntegerField()))
    # The longest is found by itself; only those who are level are read with all that is printed about them.
    longest = east.filter(kept__gt=0).order_by("-kept").values("kept")[:1]
    level = _with_hands(east.filter(kept=longest)).annotate(level=Window(Count("pk")))
    found = list(level.order_by("hand__session__date", "hand_id")[:MAX_HOLDERS])
    if found:
        holders, others = tuple(map(_hand_holder, found)), found[0].level - len(found)
        sentence = "The most hands won in a row as East."
        yield Record("longest_east", "Longest East", sentence, found[0].kept + 1, "hands", holders, others)


def _with_names(tallies):
    rows = tallies.select_related("session", "player").annotate(level=Window(Count("pk")))
    return rows.order_by("session__date", "session_id", "seat_id")[:MAX_HOLDERS]


def _with_hands(player_hands):
    return player_hands.select_related("hand__session", "hand__entry", "seat__player").defer("lines")


def _holder(tally, hand="", rules=""):
    session, named = tally.session, rules and rule_set_name(rules)
    return Holder(tally.player, session.date, session.table, tally.session_id, str(hand), named)


def _hand_holder(row):
    session = row.hand.session
    return Holder(row.seat.player, session.date, session.table, session.pk, str(row.hand.entry.key))


MAKERS = (_highest_hand, _largest_win, _highest_session, _most_won, _longest_east)


@dataclass(frozen=True)
class Honour:
    """One special hand that went Mah-jong, with its tiles where they were entered; `is_first`: of its kind."""

    played: SpecialHandPlayed
    groups: tuple[Group, ...]
    is_first: bool = False

    @property
    def key(self) -> Any:
        return self.played.result.special


@dataclass(frozen=True)
class SpecialHand:
    """A special hand that the club plays: what it is worth, an example of it, and when it was last seen, ever."""

    key: str
    name: str
    worth: str
    sentence: str
    anchor: str
    is_own: bool
    groups: tuple[Group, ...]
    last_seen: date | None = None


def honours(club: Club, season: Season | None = None) -> list[Any]:
    """Return the special hands that went Mah-jong in a season, or of all time, the latest first; one query."""
    return _marked([one for one in special_hands_of(club, season) if one.result.won])


def honours_of_hand(table_session: Session, entry_key: UUID) -> list[Any]:
    """Return the special hands that won one hand of a session; one query, or none where practice was played."""
    found = special_hands_of(table_session.club, hand__session=table_session, hand__entry__key=entry_key)
    return _marked([one for one in found if one.result.won])


def _marked(found):
    first = {one.result.special: one for one in found}
    return [Honour(one, tiles_of(one.result), first[one.result.special] is one) for one in found]


def special_hands_played(club: Club, on: date | None = None) -> list[SpecialHand]:
    """Return every special hand of the club's rules, its own included, with an example in tiles; four queries."""
    played = rules_in_force(club, on=on)
    sections = rule_sections(played.rules, played.overrides, club.suit_names)
    rows = next((section.rows for section in sections if section.key == "special"), ())
    known = [
        SpecialHand(row.key, row.name, row.worth, row.sentence, row.anchor, False, row.example.groups) for row in rows
    ]
    own = shown_club_hands(played.house, [hand.frozen() for hand in played.hands])
    known += [
        SpecialHand(
            key=hand.key,
            name=shown.name,
            worth=shown.worth,
            sentence=shown.text,
            anchor=shown.anchor,
            is_own=True,
            groups=(Group("", shown.tiles),) if shown.tiles else (),
        )
        for hand, shown in zip(played.hands, own, strict=True)
    ]
    return known


def not_yet_seen(club: Club, found: list[Any], today: date) -> list[SpecialHand]:
    """Return the SpecialHands that the club plays and that are not among those found, with when each was last seen."""
    seen = {one.key for one in found}
    missing = [hand for hand in special_hands_played(club, today) if hand.key not in seen]
    won = PlayerHand.objects.of_club(club).filter(
        won=True, hand__session__practice=False, special__in=[hand.key for hand in missing]
    )
    last = dict(won.values_list("special").annotate(last=Max("hand__session__date")))
    return [replace(hand, last_seen=last.get(hand.key)) for hand in missing]


# Certificates: everything that stands on the sheet which someone is given for a special hand.


@dataclass(frozen=True)
class Certificate:
    """One certificate; `is_example`: the tiles were not entered at the table, so those of the rules are drawn."""

    honour: Honour
    sentence: str
    groups: tuple[Group, ...]
    is_example: bool
    rules: str

    @property
    def played(self) -> Any:
        return self.honour.played


def certificates(found: list[Any]) -> list[Any]:
    """Return a Certificate for each honour, by the rules its table played."""
    made = []
    for honour in found:
        session = honour.played.session
        sentence, example = _described(session, honour.key)
        is_example = bool(example) and not honour.groups
        made.append(Certificate(honour, sentence, honour.groups or example, is_example, rule_set_name(session.rules)))
    return made


def _described(session, key):
    """Return the sentence of a special hand of a session and an example in tiles."""
    for section in rule_sections(session.rules, session.house_rules, session.club.suit_names):
        for row in section.rows:
            if row.key == key:
                return row.sentence, row.example.groups
    for hand in session.club_hands:
        if hand["key"] == key:
            [own] = shown_club_hands(session.rule_set.house(session.house_rules), [hand])
            return own.text, (Group("", own.tiles),) if own.tiles else ()
    return "", ()


# The trophies a club may give for a season: each a row with its name, its sentence and how it is won.


@dataclass(frozen=True)
class TrophyHolder:
    """Who has a trophy now, with what, in words; `session` and `hand` lead to the hand where it was one."""

    player: Hashable
    name: str
    words: str
    session: int | None = None
    hand: str = ""


@dataclass(frozen=True)
class Facts:
    """What the trophies of a season are found in."""

    season: Season
    result_set: ResultSet
    results_before: ResultSet | None
    people: dict[Hashable, Player]
    sessions: tuple[int, ...]

    def member(self, player: Any) -> bool:
        return not self.people[player].guest

    def members(self) -> Any:
        return [player for player in self.result_set.by_player if self.member(player)]


@dataclass(frozen=True)
class Trophy:
    """One trophy: guests win none; players who are level all hold it."""

    key: str
    name: str
    sentence: str
    holders: Callable[[Facts], list[TrophyHolder]]


def _best(facts, values, words):
    """Return the members with the highest value, where there is one above nothing, in the order of their names."""
    values = {player: value for player, value in values.items() if facts.member(player) and value > 0}
    best = max(values.values(), default=None)
    holders = [
        TrophyHolder(player, str(facts.people[player]), words(value))
        for player, value in values.items()
        if value == best
    ]
    return sorted(holders, key=lambda holder: (holder.name.casefold(), holder.player))


def highest_hand(facts: Any) -> Any:
    """Return who held the highest hand of the season, guests left out; all of them where it is shared."""
    hands = PlayerHand.objects.filter(hand__session__in=facts.sessions, seat__player__guest=False)
    best = hands.aggregate(best=Max("total"))["best"]
    if not best:
        return []
    rows = hands.filter(total=best).order_by("hand__session__date", "hand_id", "seat__chair")
    return [
        TrophyHolder(
            row.seat.player_id,
            str(row.seat.player),
            f"{best:,} on {row.hand.session.date:%-d %B %Y}",
            row.hand.session_id,
            str(row.hand.entry.key),
        )
        for row in rows.select_related("seat__player", "hand__session", "hand__entry")
    ]


def goulashes_won(facts: Any) -> Any:
    """Return who won the most goulashes."""
    won = PlayerHand.objects.filter(hand__session__in=facts.sessions, won=True, hand__goulash=True)
    counts = dict(won.values_list("seat__player").annotate(number=Count("pk")))
    return _best(facts, counts, lambda number: f"{number} goulash{'es' if number > 1 else ''} won")


def longest_east(facts: Any) -> Any:
    """Kept deals stand in the seating of the hand after; the longest stay is one hand more than the deals kept."""
    hands = Hand.objects.filter(session__in=facts.sessions, kind="won")
    hands = hands.annotate(kept=Cast(KT("chairs__kept"), IntegerField()))
    stays = (
        hands.filter(player_hands__wind="E", player_hands__won=True)
        .values_list("player_hands__seat__player")
        .annotate(longest=Max("kept"))
    )
    return _best(
        facts,
        {player: (longest or 0) + 1 for player, longest in stays},
        lambda number: f"{number} hand{'s' if number > 1 else ''} won in a row as East",
    )


def most_improved(facts: Any) -> Any:
    """Points per hand against the season before, of those who played enough in both."""
    if facts.results_before is None:
        return []
    settings = season_settings(facts.season)
    sets = facts.result_set.with_known_hands, facts.results_before.with_known_hands
    both = result_set, before = [one.counted_by(settings.unit == MEETING) for one in sets]
    gained = {
        player: _average(result_set, player) - _average(before, player)
        for player in facts.members()
        if all(player in one.totals and played_enough(one, player, settings) for one in both)
    }
    return _best(facts, gained, lambda value: f"{rounded(value, 1)} more points per hand than last season")


def _average(result_set, player):
    return Fraction(result_set.net(player), result_set.hands(player))


def most_sessions(facts: Any) -> Any:
    """Return who came most often."""
    counts = {player: len(facts.result_set.by_player[player]) for player in facts.members()}
    return _best(facts, counts, lambda number: f"{number} session{'s' if number > 1 else ''} played")


TROPHIES = {
    trophy.key: trophy
    for trophy in (
        Trophy("highest_hand", "Highest hand", "The highest total of a single hand.", highest_hand),
        Trophy("goulashes", "Most goulashes won", "The most goulashes won by one player.", goulashes_won),
        Trophy("longest_east", "Longest East", "The most hands won in a row as East.", longest_east),
        Trophy(
            "most_improved",
            "Most improved",
            "The biggest rise in points per hand since last season, for players who played enough in both.",
            most_improved,
        ),
        Trophy("most_sessions", "Most sessions", "The most sessions played.", most_sessions),
    )
}


def trophies_of(season: Season, keys: Any = None) -> list[Any]:
    """Return pairs of Trophy and its holders for a season's own trophies, or for those of `keys`."""
    facts = facts_of(season)
    chosen = season.trophies if keys is None else keys
    return [(trophy, trophy.holders(facts)) for key, trophy in TROPHIES.items() if key in chosen]


def facts_of(season: Season) -> Facts:
    """Read what a season's trophies are decided by."""
    _, results, before = read_results(season.club_id, [season_span(season)], span_before(season))
    result_set = result_set_of(results)
    return Facts(
        season=season,
        result_set=result_set,
        results_before=None if before is None else result_set_of(before),
        people=Player.objects.in_bulk(list(result_set.by_player)),
        sessions=tuple(result_set.by_session),  # type: ignore[arg-type]
    )
