"""One player by hands: as East and not, ways of winning, best and special hands, what passed between two players."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, F, Q, QuerySet, Sum, Value, When
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Coalesce

from clubscore.table.live_scoring import special_names
from sessions_app.league.player_page import Account, Form, Met, Scope
from sessions_app.models import Hand, Payment, Player, PlayerHand
from sessions_app.rules.drawn_hands import PLACES, SPECIAL_WAYS

BEST = 5
MAHJONG = KeyTransform("mahjong", F("hand__entry__body"))
NOT_TOLD = "not recorded how"
WAYS = ("from a discard", *PLACES.values(), "robbing a kong", NOT_TOLD)

# What a Mah-jong may be besides, in words after "of them".
ALSO = {"goulash": "in a goulash", "limited": "for the limit", "special": "a special hand", **SPECIAL_WAYS}
NO = (None, "", "false", "0", "null")


@dataclass(frozen=True)
class Wins:
    """How the player's Mah-jongs were made: every way with its number, and what they were besides."""

    ways: tuple[tuple[str, int], ...]
    also: tuple[tuple[str, int], ...]

    @property
    def number(self) -> int:
        return sum(number for _, number in self.ways)


@dataclass(frozen=True)
class SpecialHeld:
    """A special hand that the player held: went Mah-jong with, or fished for."""

    result: PlayerHand
    name: str
    is_fishing: bool

    @property
    def session(self) -> Any:
        return self.result.hand.session


@dataclass(frozen=True)
class Opponent:
    """What happened between two players: the sessions, the hands, and what each paid the other; None if not known."""

    met: Met
    hands: int | None
    received: int | None
    paid: int | None

    @property
    def net(self) -> int | None:
        return None if self.received is None or self.paid is None else self.received - self.paid


def hands_of(player: Player, scope: Scope) -> QuerySet[PlayerHand]:
    """Return the rows of the player in hands that count, sitting out left out."""
    return PlayerHand.objects.filter(scope.sessions("hand__session__"), seat__player=player).exclude(wind="")


def by_east(player: Player, scope: Scope) -> list[Account]:
    """Return the accounts as East and otherwise; a void hand is no hand played, but what it cost counts; one query."""
    rows = (
        hands_of(player, scope)
        .values_list(Case(When(wind="E", then=Value("As East")), default=Value("Not East")))
        .annotate(
            played=Count("pk", filter=~Q(hand__kind=Hand.Kind.VOID)),
            won_hands=Count("pk", filter=Q(won=True)),
            brought=Sum("net"),
        )
    )
    found = {name: ((played, won, net),) for name, played, won, net in rows}
    # Without a single row, nothing was recorded hand by hand: not 0, but not known.
    none = ((0, 0, 0),) if found else ()
    return [Account(name, found.get(name, none)) for name in ("As East", "Not East")]


def wins_of_player(player: Player, scope: Scope) -> Wins:
    """Count the player's Mah-jongs by how they were made, as far as the ledger tells; one query."""
    groups = (
        hands_of(player, scope)
        .filter(won=True)
        .annotate(
            # Where two go Mah-jong on one discard, the first win of the list tells whose it was.
            source=Coalesce(KeyTextTransform("from", MAHJONG), KeyTextTransform("from", KeyTransform(0, MAHJONG))),
            robbed=KeyTextTransform("robbed_kong", MAHJONG),
            goulash=F("hand__goulash"),
            **{key: KeyTextTransform(key, MAHJONG) for key in SPECIAL_WAYS},
        )
        .values("source", "robbed", "limited", "special", "goulash", *SPECIAL_WAYS)
        .annotate(number=Count("pk"))
    )
    ways, also = defaultdict(int), defaultdict(int)
    for group in groups:
        ways[_way(group)] += group["number"]
        for key in ALSO:
            if group[key] not in NO and group[key] is not False:
                also[ALSO[key]] += group["number"]
    return Wins(
        tuple((way, ways[way]) for way in WAYS if ways[way]),
        tuple((words, also[words]) for words in ALSO.values() if also[words]),
    )


def _way(group) -> str:
    if group["robbed"] not in NO:
        return "robbing a kong"
    if group["source"] in NO:
        return NOT_TOLD
    return PLACES.get(group["source"], "from a discard")


def best_hands(player: Player, scope: Scope) -> list[PlayerHand]:
    """Return the highest totals of the player's hands, the earlier first where they are level; one query."""
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
    """Return everyone the player met, most hands together first, and what was paid that nobody received.

    Three queries.
    """
    hands = _hands_together(player, scope)
    received, paid = _payments(player, scope, "payee", "payer"), _payments(player, scope, "payer", "payee")
    found = [
        Opponent(met, *(sums.get(met.player, 0) if met.with_hands else None for sums in (hands, received, paid)))
        for met in form.met
    ]
    return sorted(found, key=lambda one: (-(one.hands or 0), -one.met.sessions, one.met.name)), paid.get(None, 0)


def _hands_together(player, scope: Scope) -> dict[int, int]:
    own = hands_of(player, scope).exclude(hand__kind=Hand.Kind.VOID)
    rows = PlayerHand.objects.filter(hand__in=own.values("hand")).exclude(wind="").exclude(seat__player=player)
    return dict(rows.values_list("seat__player").annotate(number=Count("pk")))


def _payments(player, scope: Scope, own: str, other: str) -> dict[int | None, int]:
    """Sum what passed between the player in the role `own` and everyone in the other; None is nobody."""
    rows = Payment.objects.filter(scope.sessions("session__"), **{f"{own}__player": player})
    return dict(rows.values_list(f"{other}__player").annotate(sum=Sum("amount")))
