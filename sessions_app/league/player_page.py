"""One player by sessions (form, averages, who was met, attendance) and by hands (winning, best and special hands)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Sum, Value, When
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Coalesce

from clubscore.league.methods import Result, ResultSet, grouped, result_set_of, rounded, sum_of_known
from clubscore.league.methods import positions as positions_by
from clubscore.play.drawn_hands import SOURCE_WORDS, SPECIAL_WAYS
from clubscore.play.scoring_by_seat import special_names
from clubscore.scoring import rule_set_name
from sessions_app.league.standings import read_tallies
from sessions_app.models import Club, Hand, Payment, Player, PlayerHand, Season, Session, Tally
from sessions_app.people.players import name_order


@dataclass(frozen=True)
class Scope:
    """What a page shows: the sessions that count in one season, or those of all time with one way of recording."""

    season: Season | None
    recording: str

    def sessions(self, path: str = "") -> Q:
        """Return the condition that a session counts; `path` leads to it, such as "hand__session__"."""
        wanted = Q(**{f"{path}practice": False, f"{path}recording": self.recording})
        if self.season is None:
            return wanted
        counts = self.season.covers(f"{path}date", f"{path}meeting__")
        return wanted & counts & Q(**{f"{path}rules__in": self.season.rules})


@dataclass(frozen=True)
class NamedFigures:
    """Figures under a name: (hands, hands won, net) for each session, or one for all.

    What is not known is None, and left out of every sum and average.
    """

    name: str
    figures: tuple[tuple[int | None, int | None, int], ...]
    sessions: int | None = None

    @property
    def hands(self) -> int | None:
        return sum_of_known(hands for hands, _, _ in self.figures)

    @property
    def won(self) -> int | None:
        return sum_of_known(won for _, won, _ in self.figures)

    @property
    def net(self) -> int | None:
        return sum_of_known(net for _, _, net in self.figures)

    @property
    def average(self) -> str:
        """The net per hand, with one decimal; empty if no hand was played."""
        known = [(net, hands) for hands, _, net in self.figures if hands is not None]
        net, hands = map(sum, zip(*known, strict=True)) if known else (0, 0)
        return rounded((net, hands), 1) if hands else ""

    @property
    def won_of_hands(self) -> tuple[int, int]:
        """The hands won and the hands played, in the sessions where both are known."""
        known = [(won, hands) for hands, won, _ in self.figures if hands is not None and won is not None]
        return sum(won for won, _ in known), sum(hands for _, hands in known)

    @property
    def share(self) -> str:
        """The percentage of hands won; empty if no hand was played."""
        won, hands = self.won_of_hands
        return rounded((100 * won, hands), 0) if hands else ""


@dataclass(frozen=True)
class Played:
    """One session of the player; `running` is the net of all so far, `players` how many played at least one hand."""

    result: Result
    players: int
    position: int
    running: int

    @property
    def date(self) -> date:
        return self.result.date


@dataclass(frozen=True)
class Met:
    """A player met in the same sessions: how many, and in how many this player finished above or level.

    `with_hands` is the number of sessions that were recorded hand by hand.
    """

    player: int
    name: str
    sessions: int
    above: int
    level: int
    with_hands: int

    @property
    def below(self) -> int:
        return self.sessions - self.above - self.level


@dataclass(frozen=True)
class Form:
    """A player's sessions, in order of date, then table, and the players met in them."""

    played: tuple[Played, ...]
    met: tuple[Met, ...]

    @property
    def whole(self) -> NamedFigures:
        return _account("Together", self.played)

    @property
    def best_hand(self) -> int | None:
        return max((hand for played in self.played if (hand := played.result.best_hand) is not None), default=None)

    @property
    def by_size(self) -> list[NamedFigures]:
        by_size = grouped(self.played, lambda played: played.players)
        return [_account(f"{size} players", sessions) for size, sessions in sorted(by_size.items())]

    @property
    def by_rules(self) -> list[NamedFigures]:
        by_rules = grouped(self.played, lambda played: rule_set_name(played.result.rules))
        return [_account(name, sessions) for name, sessions in sorted(by_rules.items())]

    @property
    def meetings(self) -> int:
        return len({played.result.meeting for played in self.played})

    @property
    def without_hands(self) -> int:
        """The number of sessions that were imported as totals, without hands."""
        return sum(played.result.imported for played in self.played)

    def by_month_or_year(self, date_format: str) -> list[tuple[str, int, int]]:
        """Return each month or year, as the format writes it, with the number of meetings and of sessions."""
        by_span = grouped(self.played, lambda played: date_format.format(played.date))
        return [
            (span, len({table.result.meeting for table in tables}), len(tables)) for span, tables in by_span.items()
        ]


def form_of_player(player: Player, scope: Scope) -> Form:
    """Return the sessions that count in which the player played at least one hand; one query."""
    own = Tally.objects.filter(scope.sessions("session__"), player=player).played()
    tallies = read_tallies(Tally.objects.of_club(player.club_id).filter(session__in=own.values("session")))
    result_set = result_set_of(tallies)
    names = {tally.player: tally.name for tally in tallies}
    return Form(tuple(_played(result_set, player.pk)), tuple(_met(result_set, player.pk, names)))


def _played(result_set: ResultSet, player: int) -> Iterable[Played]:
    running = 0
    for result in result_set.by_player.get(player, ()):
        nets = {row.player: row.net for row in result_set.by_session[result.session]}
        running += result.net
        yield Played(result, len(nets), positions_by(nets)[player], running)


def _met(result_set: ResultSet, player: int, names: dict) -> Iterable[Met]:
    own = {result.session: result.net for result in result_set.by_player.get(player, ())}
    for other, results in result_set.by_player.items():
        if other != player:
            above = sum(own[result.session] > result.net for result in results)
            level = sum(own[result.session] == result.net for result in results)
            with_hands = sum(not result.imported for result in results)
            yield Met(other, names[other], len(results), above, level, with_hands)  # type: ignore[arg-type]


def _account(name: str, played: Sequence[Played]) -> NamedFigures:
    figures = tuple((session.result.hands, session.result.won, session.result.net) for session in played)
    return NamedFigures(name, figures, sessions=len(played))


def meetings_of_club(club: Club, scope: Scope) -> int:
    """Return how many meetings of the club had a session that counts in which anyone played; one query."""
    played = Exists(Tally.objects.filter(session=OuterRef("pk")).played())
    sessions = Session.objects.of_club(club).filter(played, scope.sessions())
    return sessions.aggregate(number=Count("meeting", distinct=True))["number"]


def recordings_of(player: Player) -> list[str]:
    """Return the ways of recording in the player's sessions that count, the commonest first; one query."""
    played = Tally.objects.filter(player=player, session__practice=False).played().values_list("session__recording")
    counts = played.annotate(number=Count("pk")).order_by("-number", "session__recording")
    return [recording for recording, _ in counts]


# By hands: as East and not, ways of winning, best and special hands, what passed between two players.


BEST = 5
MAHJONG = KeyTransform("mahjong", F("hand__entry__body"))
UNKNOWN_WAY = "not recorded how"
WAYS = ("from a discard", *SOURCE_WORDS.values(), "robbing a kong", UNKNOWN_WAY)

# What else a Mah-jong may be, in words after "of these".
ALSO = {"goulash": "in a goulash", "limited": "for the limit", "special": "with a special hand", **SPECIAL_WAYS}
EMPTY = (None, False, "", "false", "0", "null")


@dataclass(frozen=True)
class Wins:
    """How the player went Mah-jong: every way with its number, and what else these hands were."""

    ways: tuple[tuple[str, int], ...]
    also: tuple[tuple[str, int], ...]

    @property
    def number(self) -> int:
        return sum(number for _, number in self.ways)


@dataclass(frozen=True)
class SpecialHeld:
    """A special hand that the player held or fished for."""

    result: PlayerHand
    name: str
    is_fishing: bool

    @property
    def session(self) -> Session:
        return self.result.hand.session


@dataclass(frozen=True)
class Opponent:
    """Another player: the sessions and hands together, and what each paid the other; None if not known."""

    met: Met
    hands: int | None
    received: int | None
    paid: int | None

    @property
    def net(self) -> int | None:
        return None if self.received is None or self.paid is None else self.received - self.paid


def hands_of(player: Player, scope: Scope) -> QuerySet[PlayerHand]:
    """Return the player's results of the hands that count, without those in which they sat out."""
    return PlayerHand.objects.filter(scope.sessions("hand__session__"), seat__player=player).exclude(wind="")


def by_east(player: Player, scope: Scope) -> list[NamedFigures]:
    """Return the figures as East and not; a void hand is not a hand played, but what it cost counts; one query."""
    rows = (
        hands_of(player, scope)
        .values_list(Case(When(wind="E", then=Value("As East")), default=Value("Not East")))
        .annotate(
            played=Count("pk", filter=~Q(hand__kind=Hand.Kind.VOID)),
            won_hands=Count("pk", filter=Q(won=True)),
            net_sum=Sum("net"),
        )
    )
    found = {name: ((played, won, net),) for name, played, won, net in rows}
    # Without any row, nothing was recorded hand by hand: the figures are not known, rather than 0.
    return [NamedFigures(name, found.get(name, ((0, 0, 0),) if found else ())) for name in ("As East", "Not East")]


def wins_of_player(player: Player, scope: Scope) -> Wins:
    """Count the player's Mah-jongs by how they were made, as far as the entries say; one query."""
    groups = (
        hands_of(player, scope)
        .filter(won=True)
        .annotate(
            # If two go Mah-jong on one discard, the first win of the list says whose it was.
            source=Coalesce(KeyTextTransform("from", MAHJONG), KeyTextTransform("from", KeyTransform(0, MAHJONG))),
            robbed=KeyTextTransform("robbed_kong", MAHJONG),
            goulash=F("hand__goulash"),
            **{key: KeyTextTransform(key, MAHJONG) for key in SPECIAL_WAYS},
        )
        .values("source", "robbed", "limited", "special", "goulash", *SPECIAL_WAYS)
        .annotate(number=Count("pk"))
    )
    ways: Counter[str] = Counter()
    also: Counter[str] = Counter()
    for group in groups:
        ways[_way(group)] += group["number"]
        for key in ALSO:
            if group[key] not in EMPTY:
                also[ALSO[key]] += group["number"]
    return Wins(
        tuple((way, ways[way]) for way in WAYS if ways[way]),
        tuple((words, also[words]) for words in ALSO.values() if also[words]),
    )


def _way(group: dict[str, Any]) -> str:
    if group["robbed"] not in EMPTY:
        return "robbing a kong"
    if group["source"] in EMPTY:
        return UNKNOWN_WAY
    return SOURCE_WORDS.get(group["source"], "from a discard")


def best_hands(player: Player, scope: Scope) -> list[PlayerHand]:
    """Return the highest totals of the player's hands, the earlier first if they are level; one query."""
    rows = hands_of(player, scope).filter(total__gt=0).select_related("hand__session__club", "hand__entry", "seat")
    return list(rows.order_by("-total", "hand__session__date", "hand_id")[:BEST])


def special_hands(player: Player, scope: Scope) -> list[SpecialHeld]:
    """Return the special hands the player held or fished for, the latest first; one query."""
    rows = hands_of(player, scope).filter(~Q(special="") | ~Q(fishing_for="")).defer("lines")
    rows = rows.select_related("hand__session", "hand__entry").order_by("-hand__session__date", "-hand_id")
    found = []
    for row in rows:
        names = special_names(row.hand.session)
        key = row.special or row.fishing_for
        found.append(SpecialHeld(row, names.get(key, key), not row.special))
    return found


def opponents(player: Player, scope: Scope, form: Form) -> tuple[list[Opponent], int]:
    """Return everyone the player met, most hands together first, and what they paid that nobody received.

    Three queries.
    """
    own = hands_of(player, scope).exclude(hand__kind=Hand.Kind.VOID).values("hand")
    together = PlayerHand.objects.filter(hand__in=own).exclude(wind="").exclude(seat__player=player)
    hands = dict(together.values_list("seat__player").annotate(number=Count("pk")))
    received, paid = _payments(player, scope, "payee", "payer"), _payments(player, scope, "payer", "payee")
    found = [
        Opponent(met, *(sums.get(met.player, 0) if met.with_hands else None for sums in (hands, received, paid)))
        for met in form.met
    ]
    found.sort(key=lambda opponent: (-(opponent.hands or 0), -opponent.met.sessions, name_order(opponent.met.name)))
    return found, paid.get(None, 0)


def _payments(player: Player, scope: Scope, own: str, other: str) -> dict[int | None, int]:
    """Return the sum of the payments where the player is `own`, by the player who is `other`; None is nobody."""
    rows = Payment.objects.filter(scope.sessions("session__"), **{f"{own}__player": player})
    return dict(rows.values_list(f"{other}__player").annotate(sum=Sum("amount")))
