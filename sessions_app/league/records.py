"""The roll of honour of a season or of all time: records, special hands, certificates; a season’s trophies."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db.models import Count, F, IntegerField, Max, QuerySet, Window
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from clubscore.league.methods import ResultSet, result_set_of, rounded
from clubscore.league.ranking import number_of, played_enough
from clubscore.play.drawn_hands import Group
from clubscore.scoring import rule_set_name
from sessions_app.league.standings import HOW_PLAYED, read_results, season_settings, season_span, span_before
from sessions_app.models import Club, Hand, Player, PlayerHand, Season, Session, Tally
from sessions_app.people.dates import day_words
from sessions_app.people.players import name_order
from sessions_app.rules.club_rules import SpecialHandPlayed, rules_in_force, special_hands_of
from sessions_app.rules.rule_pages import ShownClubHand, rule_sections, shown_club_hands
from sessions_app.table.meeting_result import tiles_of

MAX_HOLDERS = 5
FIRST_SEATS = 100  # looked at first for the largest win
MAX_SEATS_BY_ID = 1000  # named one by one in a query


@dataclass(frozen=True)
class Holder:
    """Who holds a record, and where it was made; `hand` is the hand's key if it was one hand that is known.

    `rules` names the rules if several are compared.
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


def records(club: Club, season: Season | None = None, league: str = "") -> list[Record]:
    """Return the records of a season, or of all time in a league, without those that nobody has set yet.

    Practice never counts; the totals of a session count once it is finished. Guests can hold a record. A fixed number
    of queries.
    """
    tallies = Tally.objects.of_club(club).filter(session__practice=False, hands__gt=0)
    if season is not None:
        tallies = tallies.filter(season=season)
    elif league:
        tallies = tallies.filter(session__meeting__league=league)
    return [record for find in FINDERS for record in find(tallies)]


def _highest_hand(tallies):
    best = tallies.aggregate(best=Max("best_hand"))["best"]
    if best:
        rows = _first_tallies(tallies.filter(best_hand=best))
        hands = dict(
            PlayerHand.objects.filter(seat__in=[row.seat_id for row in rows], total=best)
            .order_by("-pk")
            .values_list("seat_id", "hand__entry__key")
        )
        holders = tuple(_tally_holder(row, hands.get(row.seat_id, ""), row.session.rules) for row in rows)
        others = rows[0].level - len(rows)
        yield Record("highest_hand", "Highest hand", "The highest total of one hand.", best, "points", holders, others)


def _largest_win(tallies):
    """Nobody wins more in one hand than in the whole session, so the best of a few sessions rules most seats out."""
    seats = tallies.filter(session__recording="settle", gained__gt=0).order_by("-gained", "pk")
    few = list(seats.values_list("seat_id", flat=True)[:FIRST_SEATS])
    wins = PlayerHand.objects.filter(won=True, net__gt=0)
    least = wins.filter(seat__in=few).aggregate(best=Max("net"))["best"] or 0
    among = seats.filter(gained__gte=least).values_list("seat_id", flat=True)
    # By id unless they are too many: with a subquery PostgreSQL may read every hand there is.
    seat_ids = list(among[: MAX_SEATS_BY_ID + 1])
    hands = wins.filter(seat__in=seat_ids if len(seat_ids) <= MAX_SEATS_BY_ID else among.order_by(), net__gte=least)
    hands = _with_hands(hands).annotate(level=Window(Count("pk"), partition_by=F("net")))
    found = list(hands.order_by("-net", "hand__session__date", "hand_id")[:MAX_HOLDERS])
    if found:
        best, others = found[0].net, found[0].level - MAX_HOLDERS
        holders = tuple(_hand_holder(row) for row in found if row.net == best)
        sentence = "The most points received for one Mah-jong."
        yield Record("largest_win", "Largest win", sentence, best, "points", holders, max(others, 0))


def _highest_session(tallies):
    """Nets and own scores cannot be compared: only the sessions with the commoner way of recording are."""
    counts = dict(tallies.values_list("session__recording").annotate(number=Count("pk")).order_by("-number"))
    if counts:
        recording = next(iter(counts))
        of_these = f", where {HOW_PLAYED[recording]}" if len(counts) > 1 else ""
        sentence = f"The most points won at one table{of_these}."
        comparable = tallies.filter(session__recording=recording)
        yield from _best_session(comparable, "net", "highest_session", "Most points at one table", sentence, "point")


def _best_session(tallies, column, key, name, sentence, unit):
    finished = tallies.filter(session__state=Session.State.FINISHED)
    best = finished.aggregate(best=Max(column))["best"]
    if best and best > 0:
        rows = _first_tallies(finished.filter(**{column: best}))
        words, holders = unit if best == 1 else f"{unit}s", tuple(map(_tally_holder, rows))
        yield Record(key, name, sentence, best, words, holders, rows[0].level - len(rows))


def _longest_east(tallies):
    # The longest is found on its own; only those that are level are read with all that is printed about them.
    east = _wins_as_east(tallies.values("session")).filter(kept__gt=0)
    level = _with_hands(east.filter(kept=east.order_by("-kept").values("kept")[:1]))
    found = list(level.annotate(level=Window(Count("pk"))).order_by("hand__session__date", "hand_id")[:MAX_HOLDERS])
    if found:
        holders, others = tuple(map(_hand_holder, found)), found[0].level - len(found)
        sentence = "The most hands won in a row as East."
        yield Record("longest_east", "Longest East", sentence, found[0].kept + 1, "hands", holders, others)


FINDERS: tuple[Callable[[QuerySet[Tally]], Iterator[Record]], ...] = (
    _highest_hand,
    _largest_win,
    _highest_session,
    lambda tallies: _best_session(
        tallies, "won", "most_won", "Most hands won", "The most hands won at one table.", "hand"
    ),
    _longest_east,
)


def _wins_as_east(sessions: list[Any]) -> QuerySet[Any]:
    """Return the hands won as East; `kept` is how often East had kept the deal, one less than the hands in a row."""
    hands = PlayerHand.objects.filter(hand__session__in=sessions, hand__kind=Hand.Kind.WON, wind="E", won=True)
    return hands.annotate(kept=Cast(KeyTextTransform("kept", "hand__seating"), IntegerField()))


def _first_tallies(tallies):
    """Return the earliest few of these tallies, each with the number of all as `level`."""
    rows = tallies.select_related("session", "player").annotate(level=Window(Count("pk")))
    return list(rows.order_by("session__date", "session_id", "seat_id")[:MAX_HOLDERS])


def _with_hands(player_hands):
    return player_hands.select_related("hand__session", "hand__entry", "seat__player").defer("lines")


def _tally_holder(tally: Tally, hand: UUID | str = "", rules: str = "") -> Holder:
    session = tally.session
    rules_name = rules and rule_set_name(rules)
    return Holder(tally.player, session.date, session.table, tally.session_id, str(hand), rules_name)


def _hand_holder(row):
    session = row.hand.session
    return Holder(row.seat.player, session.date, session.table, session.pk, str(row.hand.entry.key))


@dataclass(frozen=True)
class Honour:
    """A special hand that won, with its tiles if they were entered; `is_first`: of its kind."""

    played: SpecialHandPlayed
    groups: tuple[Group, ...]
    is_first: bool = False

    @property
    def key(self) -> str:
        return self.played.result.special


def honours_of(club: Club, season: Season | None = None, league: str = "") -> list[Honour]:
    """Return the special hands that won in a season, or of all time in a league, the latest first; one query."""
    of_league = {"hand__session__meeting__league": league} if league and not season else {}
    return _honours(special_hands_of(club, season, won=True, **of_league))


def honours_of_hand(table_session: Session, entry_key: UUID) -> list[Honour]:
    """Return the special hands that won one hand of a session; none in a practice session; one query."""
    club = table_session.club
    return _honours(special_hands_of(club, won=True, hand__session=table_session, hand__entry__key=entry_key))


def _honours(special_hands: list[SpecialHandPlayed]) -> list[Any]:
    first = {hand.result.special: hand for hand in special_hands}
    return [Honour(hand, tiles_of(hand.result), first[hand.result.special] is hand) for hand in special_hands]


@dataclass(frozen=True)
class ListedHand:
    """A special hand of the club's rules: what it is worth, an example of it, and when it was last seen, ever."""

    key: str
    name: str
    worth: str
    sentence: str
    anchor: str
    is_own: bool
    groups: tuple[Group, ...]
    last_seen: date | None = None


def not_yet_seen(club: Club, seen: list[Honour], day: date) -> list[ListedHand]:
    """Return the special hands of the club's rules on a day that are not among those seen; five queries."""
    keys = {honour.key for honour in seen}
    missing = [hand for hand in _special_hands(club, day) if hand.key not in keys]
    won = PlayerHand.objects.of_club(club).filter(
        won=True, hand__session__practice=False, special__in=[hand.key for hand in missing]
    )
    last = dict(won.values_list("special").annotate(last=Max("hand__session__date")))
    return [replace(hand, last_seen=last.get(hand.key)) for hand in missing]


def _special_hands(club: Club, day: date) -> Iterator[ListedHand]:
    """Yield every special hand of the club's rules, then its own hands, with an example in tiles."""
    played = rules_in_force(club, on=day)
    for section in rule_sections(played.rules, played.overrides, club.suit_names):
        for row in section.rows if section.key == "special" else ():
            yield ListedHand(row.key, row.name, row.worth, row.sentence, row.anchor, False, row.example.groups)
    own = shown_club_hands(played.house, [hand.frozen() for hand in played.hands])
    for hand, shown in zip(played.hands, own, strict=True):
        yield ListedHand(hand.key, shown.name, shown.worth, shown.text, shown.anchor, True, _club_hand_groups(shown))


def _club_hand_groups(shown: ShownClubHand) -> tuple[Group, ...]:
    return (Group("", shown.tiles),) if shown.tiles else ()


# Certificates: what is printed on the sheet that a player is given for a special hand.


@dataclass(frozen=True)
class Certificate:
    """One certificate; `is_example`: the tiles were not entered at the table, so those of the rules are drawn."""

    honour: Honour
    sentence: str
    groups: tuple[Group, ...]
    is_example: bool
    rules: str

    @property
    def played(self) -> SpecialHandPlayed:
        return self.honour.played


def certificates_for(found: list[Honour]) -> list[Certificate]:
    """Return a certificate for each honour, by the rules of its table."""
    made = []
    for honour in found:
        session = honour.played.session
        sentence, example = _sentence_and_example(session, honour.key)
        is_example = bool(example) and not honour.groups
        made.append(Certificate(honour, sentence, honour.groups or example, is_example, rule_set_name(session.rules)))
    return made


def _sentence_and_example(session: Session, key: str) -> tuple[str, tuple[Group, ...]]:
    """Return the sentence of a special hand of a session, and an example in tiles."""
    for section in rule_sections(session.rules, session.house_rules, session.club.suit_names):
        for row in section.rows:
            if row.key == key:
                return row.sentence, row.example.groups
    for hand in session.club_hands:
        if hand["key"] == key:
            [own] = shown_club_hands(session.rule_set.house(session.house_rules), [hand])
            return own.text, _club_hand_groups(own)
    return "", ()


# The trophies a club may give for a season: each a row with its name, its sentence and how it is won.


@dataclass(frozen=True)
class TrophyHolder:
    """Who has a trophy now, and for what; `session` and `hand` lead to the hand if it was one."""

    player: Hashable
    name: str
    words: str
    session: int | None = None
    hand: str = ""


@dataclass(frozen=True)
class SeasonFacts:
    """What decides the trophies of a season; `members` are those who played."""

    season: Season
    result_set: ResultSet
    results_before: ResultSet | None
    members: dict[Hashable, Player]

    @property
    def sessions(self) -> list[Any]:
        return list(self.result_set.by_session)

    def holders(self, values: dict[Hashable, Any], words: Callable[[Any], str]) -> list[TrophyHolder]:
        """Return the members with the highest value by name, if it is above 0."""
        values = {player: value for player, value in values.items() if player in self.members and value > 0}
        best = max(values.values(), default=None)
        holders = [
            TrophyHolder(player, str(self.members[player]), words(value))
            for player, value in values.items()
            if value == best
        ]
        return sorted(holders, key=lambda holder: (name_order(holder.name), holder.player))


@dataclass(frozen=True)
class Trophy:
    """One trophy: guests win none; players who are level all hold it."""

    key: str
    name: str
    sentence: str
    holders: Callable[[SeasonFacts], list[TrophyHolder]]


def highest_hand(facts: SeasonFacts) -> list[TrophyHolder]:
    """Return the members with the highest hand of the season, a row for each hand."""
    hands = PlayerHand.objects.filter(hand__session__in=facts.sessions, seat__player__guest=False)
    best = hands.aggregate(best=Max("total"))["best"]
    if not best:
        return []
    rows = hands.filter(total=best).order_by("hand__session__date", "hand_id", "seat__seat_no")
    holders = []
    for row in rows.select_related("seat__player", "hand__session", "hand__entry"):
        won, at = f"{best:,} on {day_words(row.hand.session.date)}", (row.hand.session_id, str(row.hand.entry.key))
        holders.append(TrophyHolder(row.seat.player_id, str(row.seat.player), won, *at))
    return holders


def goulashes_won(facts: SeasonFacts) -> list[TrophyHolder]:
    won = PlayerHand.objects.filter(hand__session__in=facts.sessions, won=True, hand__goulash=True)
    counts = dict(won.values_list("seat__player").annotate(number=Count("pk")))
    return facts.holders(counts, lambda number: f"{number} goulash{'es' if number > 1 else ''} won")


def longest_east(facts: SeasonFacts) -> list[TrophyHolder]:
    longest = _wins_as_east(facts.sessions).values_list("seat__player").annotate(longest=Max("kept"))
    hands = {player: (kept or 0) + 1 for player, kept in longest}
    return facts.holders(hands, lambda number: f"{number_of(number, 'hand')} won in a row as East")


def most_improved(facts: SeasonFacts) -> list[TrophyHolder]:
    """Compare points per hand with the season before, for members who played enough in both."""
    if facts.results_before is None:
        return []
    settings = season_settings(facts.season)
    sets = facts.result_set.with_known_hands, facts.results_before.with_known_hands
    both = now, before = [result_set.by_unit(settings.unit) for result_set in sets]
    gained = {
        player: _average(now, player) - _average(before, player)
        for player in facts.members
        if all(player in result_set.totals and played_enough(result_set, player, settings) for result_set in both)
    }
    return facts.holders(
        gained, lambda value: f"{rounded(value.as_integer_ratio(), 1)} more points per hand than last season"
    )


def _average(result_set: ResultSet, player: Hashable) -> Fraction:
    return Fraction(result_set.net(player), result_set.hands(player))


def most_sessions(facts: SeasonFacts) -> list[TrophyHolder]:
    counts = {player: len(results) for player, results in facts.result_set.by_player.items()}
    return facts.holders(counts, lambda number: f"{number_of(number, 'table')} played")


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
        Trophy("most_sessions", "Most tables", "The most tables played.", most_sessions),
    )
}


def trophies_of(season: Season) -> list[tuple[Trophy, list[TrophyHolder]]]:
    """Return each of the season's trophies with its holders."""
    _, results, before = read_results(season.club_id, season_span(season), span_before(season))
    result_set = result_set_of(results)
    facts = SeasonFacts(
        season=season,
        result_set=result_set,
        results_before=None if before is None else result_set_of(before),
        members=Player.objects.filter(guest=False).in_bulk(list(result_set.by_player)),
    )
    return [(trophy, trophy.holders(facts)) for key, trophy in TROPHIES.items() if key in season.trophies]
