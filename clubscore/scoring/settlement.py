"""Who pays whom after one hand, penalties included: from totals to whole payments that balance.

At the end are the sums for a whole session, of which clubscore/play/settling_up.py makes what players read.

Payments to the winner come first, then those between the others, both by wind, then penalties in the order in which
they were entered. The method gives each share, East's are doubled, a penalty that pays for all adds them up, and only
then is each payment rounded, halves up. Payments of nothing are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from clubscore.scoring.hands import ScoringError
from clubscore.scoring.tiles import WIND_NAMES, WINDS, wind_name
from clubscore.scoring.words import HIGHEST, say_value

MAH_JONG, DIFFERENCE, PENALTY = "mah-jong", "difference", "penalty"

SettlingMethod = Literal["winner_then_differences", "differences", "official"]
Share = tuple[str, str | None, int, str]


class Payment(NamedTuple):
    """One transfer; a penalty that nobody receives has no payee."""

    payer: str
    payee: str | None
    amount: int
    why: str


class Settled(NamedTuple):
    """The payments of a hand and what each player gains or loses by it."""

    payments: list[Payment]
    net: dict[str, int]


class Settling(NamedTuple):
    """How a table settles: taken from its rule set and house rules."""

    method: SettlingMethod = "winner_then_differences"
    recording: str = "settle"
    east_mode: str | None = None
    limit: int | None = None
    half_limit_without_limit: int = 500
    round_payments_to: int | None = 0
    misnamed_penalty: int = 0
    everyones_share: int = 0
    false_mahjong_penalty: int | None = None  # to each other player, and the hand goes on; None: the hand is void
    false_mahjong_void_penalty: int | None = None  # to each other player where the hand is void; None: half the limit


class Penalty(NamedTuple):
    """One penalty as entered, read and checked for its shape."""

    kind: str
    by: str
    to: str | None
    amount: int


class Table(NamedTuple):
    """What a penalty depends on; `shares` are those of the hand, with East's doubled."""

    totals: Mapping[str, int]
    winners: Sequence[str]
    won_from: str | None
    shares: list[Share]
    facts: Settling


class PenaltyKind(NamedTuple):
    """One kind of penalty: what is entered with it, what it costs, and what a player reads."""

    key: str
    sentence: str
    source: str
    charge: Callable[[Penalty, Table], list[Share]]
    payee: str = "none"  # none, optional, needed
    has_amount: bool = False
    pays_for_all: bool = False  # the hand's shares are paid by one player, no other settlement


def settle(
    totals: Mapping[str, int], winners: Sequence[str], won_from: str | None, penalties: Sequence[Any], facts: Settling
) -> Settled:
    """Settle one hand: totals by wind letter of the seated players, empty `winners` for a drawn or void hand.

    `won_from` is the discarder's wind, "wall", "kong box", or None if nobody said. `penalties` are as in the score
    format. With straight recording the net is the player's total, and only penalties are paid.
    """
    shares: list[Share] = []
    is_straight = facts.recording == "straight"
    if winners and not is_straight:
        shares = SETTLING_METHODS[facts.method](totals, winners, won_from, facts.everyones_share)
        if facts.east_mode == "settlement":
            shares = [(p, q, a * 2 if p == "E" or q == "E" else a, why) for p, q, a, why in shares]
    if penalties:
        shares = _with_penalties(penalties, Table(totals, winners, won_from, shares, facts))
    net = dict(totals) if winners and is_straight else dict.fromkeys(totals, 0)
    return _with_payments(shares, net, facts.round_payments_to or 0)


def _with_payments(shares: list[Share], net: dict[str, int], unit: int) -> Settled:
    """Return the shares as rounded payments (halves up) without those of nothing, and the nets; check the balance."""
    if unit:
        shares = [(payer, payee, (2 * a + unit) // (2 * unit) * unit, why) for payer, payee, a, why in shares]
    expected = sum(net.values())
    payments = [Payment(*share) for share in shares if share[2] > 0]
    for payer, payee, amount, _ in payments:
        net[payer] -= amount
        if payee is None:
            expected -= amount
        else:
            net[payee] += amount
    if sum(net.values()) != expected:
        raise _refusal("The payments of this hand do not balance.")
    return Settled(payments, net)


def _winner_then_differences(
    totals: Mapping[str, int], winners: Sequence[str], won_from: str | None, base_payment: int
) -> list[Share]:
    """Each loser pays the winner the winner's whole total, then the losers settle the difference, two by two."""
    losers = [wind for wind in WINDS if wind in totals and wind not in winners]
    shares: list[Share] = [(loser, winner, totals[winner], MAH_JONG) for winner in winners for loser in losers]
    for first, second in combinations(losers, 2):
        gap = totals[first] - totals[second]
        shares.append((second, first, gap, DIFFERENCE) if gap > 0 else (first, second, -gap, DIFFERENCE))
    return shares


def _differences(
    totals: Mapping[str, int], winners: Sequence[str], won_from: str | None, base_payment: int
) -> list[Share]:
    """Every two players settle the difference, winners too (two winners also between themselves)."""
    order = [*winners, *(wind for wind in WINDS if wind in totals and wind not in winners)]
    shares: list[Share] = []
    for first, second in combinations(order, 2):
        gap = totals[first] - totals[second]
        if gap > 0:
            is_for_mahjong = first in winners and second not in winners
            shares.append((second, first, gap, MAH_JONG if is_for_mahjong else DIFFERENCE))
        else:
            shares.append((first, second, -gap, DIFFERENCE))
    return shares


def _official(
    totals: Mapping[str, int], winners: Sequence[str], won_from: str | None, base_payment: int
) -> list[Share]:
    """Everyone pays a share, the discarder the total too; after a self-drawn tile, or one of unknown source, all do."""
    return [
        (wind, winner, base_payment + (totals[winner] if wind == won_from or won_from not in totals else 0), MAH_JONG)
        for winner in winners
        for wind in WINDS
        if wind in totals and wind not in winners
    ]


METHOD_SENTENCES: dict[str, str] = {
    "winner_then_differences": "Each loser pays the winner the winner's whole score. Then the others pay each other "
    "the difference between their scores.",
    "differences": "Every pair of players settles the difference between their scores, the winner included.",
    "official": "Everyone pays the winner {everyones_share} points. The player who discarded the winning tile also "
    "pays the value of the hand. If the winner drew it, everyone pays the value of the hand.",
}
SETTLING_METHODS: dict[str, Callable[[Mapping[str, int], Sequence[str], str | None, int], list[Share]]] = {
    "winner_then_differences": _winner_then_differences,
    "differences": _differences,
    "official": _official,
}


def _with_penalties(entries: Sequence[Any], table: Table) -> list[Share]:
    """Return the payments with the penalties added, or instead of them if one player pays for everyone."""
    if not isinstance(entries, list | tuple):
        raise _refusal("The penalties are a list.")
    charged: list[Share] = []
    payer_for_all = ""
    for entry in entries:
        kind, penalty = _read(entry, table.totals)
        charged += kind.charge(penalty, table)
        if kind.pays_for_all:
            if payer_for_all:
                raise _refusal("Only one player can pay for all, and only once.", penalty.by)
            payer_for_all = penalty.by
    return charged if payer_for_all else table.shares + charged


def _refusal(sentence: str, seat: str | None = None) -> ScoringError:
    return ScoringError(sentence, seat, "penalties")


def _read(entry: Any, seated: Mapping[str, int]) -> tuple[PenaltyKind, Penalty]:
    if not isinstance(entry, Mapping):
        raise _refusal("A penalty says its kind and by whom.")
    key = entry.get("kind")
    kind = PENALTY_KINDS.get(key.strip().lower()) if isinstance(key, str) else None
    if kind is None:
        raise _refusal(f"There is no penalty {say_value(key)}; there are {', '.join(PENALTY_KINDS)}.")
    by = _seat(entry.get("by"), kind, seated, "by whom it is paid")
    for key in entry:
        known = key in ("kind", "by") or (key == "to" and kind.payee != "none") or (key == "amount" and kind.has_amount)
        if not known:
            raise _refusal(f"The penalty {kind.key} takes no {say_value(key)}.", by)
    return kind, Penalty(kind.key, by, _payee(entry.get("to"), kind, by, seated), _amount(entry, kind, by))


def _seat(value: Any, kind: PenaltyKind, seated: Mapping[str, int], what: str) -> str:
    if value is None:
        raise _refusal(f"The penalty {kind.key} does not say {what}.")
    wind = value.strip().upper() if isinstance(value, str) else ""
    if wind not in WIND_NAMES:
        raise _refusal(f"In the penalty {kind.key} {say_value(value)} is not a wind: E, S, W or N.")
    if wind not in seated:
        raise _refusal(f"{wind_name(wind)} is in the penalty {kind.key}, but not at this table.", wind)
    return wind


def _payee(value: Any, kind: PenaltyKind, by: str, seated: Mapping[str, int]) -> str | None:
    if kind.payee == "none" or (value is None and kind.payee == "optional"):
        return None
    to = _seat(value, kind, seated, "to whom it is paid")
    if to == by:
        raise _refusal(f"{wind_name(by)} cannot pay the penalty {kind.key} to {wind_name(to)}.", by)
    return to


def _amount(entry: Mapping[str, Any], kind: PenaltyKind, by: str) -> int:
    amount = entry.get("amount")
    if not kind.has_amount:
        return 0
    what = f"The {kind.key} {wind_name(by)} pays"
    if type(amount) is not int or amount <= 0:
        raise _refusal(f"{what} is a whole number above 0, not {say_value(amount)}.", by)
    if amount > HIGHEST:
        raise _refusal(f"{what} is too large: at most {HIGHEST}.", by)
    return amount


def false_mahjong_penalty(facts: Settling) -> int:
    """Return what a false Mah-jong costs to each other player."""
    if facts.false_mahjong_penalty is not None:
        return facts.false_mahjong_penalty
    if facts.false_mahjong_void_penalty is not None:
        return facts.false_mahjong_void_penalty
    return facts.half_limit_without_limit if facts.limit is None else facts.limit // 2


def _charge_false_mahjong(penalty: Penalty, table: Table) -> list[Share]:
    """Half the limit to each other player, never doubled for East; or that of its house rules or rule set."""
    amount, name = false_mahjong_penalty(table.facts), wind_name(penalty.by)
    if table.facts.false_mahjong_penalty is None and table.winners:
        sentence = "A false Mah-jong makes the hand void, so nobody wins it. Remove the penalty or the Mah-jong."
        raise _refusal(sentence, penalty.by)
    if penalty.by in table.winners:
        raise _refusal(f"{name} made a false Mah-jong and cannot win this hand.", penalty.by)
    return [(penalty.by, other, amount, PENALTY) for other in WINDS if other in table.totals and other != penalty.by]


def _charge_for_all(penalty: Penalty, table: Table) -> list[Share]:
    """One player pays each winner the shares of all the losers in one sum."""
    by, name, winners = penalty.by, wind_name(penalty.by), table.winners
    if not winners:
        raise _refusal(f"Nobody went Mah-jong, so {name} has nothing to pay for the {penalty.kind}.", by)
    if by in winners:
        raise _refusal(f"{name} went Mah-jong and cannot pay for the {penalty.kind}.", by)
    if table.won_from not in (None, by):
        is_drawn = table.won_from in ("wall", "kong box")
        came = f"the winning tile came from the {table.won_from}"
        why = came if is_drawn else f"{wind_name(str(table.won_from))} discarded the winning tile"
        raise _refusal(f"{name} cannot pay for the {penalty.kind}: {why}.", by)
    owed = [(payee, amount) for payer, payee, amount, _ in table.shares if payer not in winners]
    return [(by, winner, sum(amount for payee, amount in owed if payee == winner), PENALTY) for winner in winners]


PENALTY_KINDS: dict[str, PenaltyKind] = {
    kind.key: kind
    for kind in (
        PenaltyKind(
            "misnamed discard",
            "A discard was called by the wrong name and claimed for a set. The discarder pays the player who claimed "
            "it, and play goes on.",
            "u3a Beginners Guide, Penalties 2",
            lambda penalty, table: [(penalty.by, penalty.to, table.facts.misnamed_penalty, PENALTY)],
            payee="needed",
        ),
        PenaltyKind(
            "misnamed discard for mahjong",
            "A discard was called by the wrong name and claimed for Mah-jong. The discarder pays the winner for "
            "everyone, and nobody else pays.",
            "u3a Beginners Guide, Penalties 2",
            _charge_for_all,
            pays_for_all=True,
        ),
        PenaltyKind(
            "false mahjong",
            "A player called Mah-jong by mistake and showed their tiles. They pay each of the others.",
            "u3a Beginners Guide, Penalties 3; MWT pages, Fouls and Penalties",
            _charge_false_mahjong,
        ),
        PenaltyKind(
            "cannon",
            "Letting off a cannon: the player who threw the dangerous tile pays the winner for everyone. The other "
            "players do not pay each other.",
            "u3a Beginners Guide, Penalties 5",
            _charge_for_all,
            pays_for_all=True,
        ),
        PenaltyKind(
            "fine",
            "Any penalty the table agrees on. It is paid to another player, or just deducted.",
            "by agreement at the table",
            lambda penalty, table: [(penalty.by, penalty.to, penalty.amount, PENALTY)],
            payee="optional",
            has_amount=True,
        ),
    )
}

Who = TypeVar("Who")


class Transfer(NamedTuple, Generic[Who]):
    """One payment, a whole amount above 0."""

    payer: Who
    payee: Who
    amount: int


# Each person more doubles the number of groups that are tried.
MOST_SPLIT = 12


def who_pays_whom(nets: Mapping[Who, int]) -> list[Transfer[Who]]:
    """Return the fewest payments after which everyone is even: at most one fewer than there are people.

    `nets` is what each has gained, below 0 lost; ValueError unless they add up to 0. Those who can settle among
    themselves do. In each such group, two who owe and are owed the same amount settle between them; else the person
    who owes most pays the person who is owed most.
    """
    left = {who: net for who, net in nets.items() if net}
    if sum(left.values()):
        raise ValueError("What is lost and what is gained must come to the same.")
    return [payment for group in sorted(_even_groups(left), key=len) for payment in _settle_group(group)]


def _even_groups(nets: dict[Who, int]) -> list[dict[Who, int]]:
    """Split people into as many groups as possible that add up to 0; more than MOST_SPLIT people stay together.

    `most` has for each set of people, as the bits of a number, how many such groups can be made by adding one person
    at a time.
    """
    people = list(nets)
    if len(people) > MOST_SPLIT:
        return [nets]
    sums, most = [0], [0]
    for chosen in range(1, 1 << len(people)):
        members = [number for number in range(len(people)) if chosen >> number & 1]
        sums.append(sums[chosen - (1 << members[0])] + nets[people[members[0]]])
        most.append(max(most[chosen - (1 << number)] for number in members) + (sums[chosen] == 0))
    groups: list[list[Who]] = []
    chosen = len(most) - 1
    while chosen:
        if sums[chosen] == 0:
            groups.append([])
        members = [number for number in range(len(people)) if chosen >> number & 1]
        best = max(members, key=lambda number: most[chosen - (1 << number)])
        groups[-1].append(people[best])
        chosen -= 1 << best
    return [{who: nets[who] for who in people if who in group} for group in groups]


def _settle_group(left: dict[Who, int]) -> list[Transfer[Who]]:
    paid = []
    while left:
        payer, payee = _next_pair(left)
        amount = min(-left[payer], left[payee])
        paid.append(Transfer(payer, payee, amount))
        left[payer] += amount
        left[payee] -= amount
        left = {who: net for who, net in left.items() if net}
    return paid


def in_hundredths(points: Mapping[Who, int], rate: int) -> dict[Who, int]:
    """Return what points are worth at a rate for 1,000, both in hundredths (pence), so that their sum stays exact.

    `points` add up to 0. Each share is rounded down, and what is then missing goes to those who lost most by it.
    """
    exact = {who: rate * number for who, number in points.items()}
    rounded = {who: parts // 1000 for who, parts in exact.items()}
    # Of two who lost half a penny, the one who gained by the session gets it.
    by_loss = sorted(exact, key=lambda who: (-(exact[who] % 1000), exact[who] < 0))
    for who in by_loss[: -sum(rounded.values())]:
        rounded[who] += 1
    return rounded


def _next_pair(left: Mapping[Who, int]) -> tuple[Who, Who]:
    """Return who pays next, and to whom."""
    by_amount = sorted(left, key=lambda who: -abs(left[who]))
    payers, payees = [who for who in by_amount if left[who] < 0], [who for who in by_amount if left[who] > 0]
    even = ((payer, payee) for payer in payers for payee in payees if left[payer] + left[payee] == 0)
    return next(even, (payers[0], payees[0]))
