"""Settling up: who pays whom after a whole session, and the tally sticks before each player.

What each hand pays is worked out in clubscore/scoring/settlement.py.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import gcd
from typing import Any, NamedTuple

from clubscore.play.ledger import Ledger
from clubscore.play.replay import Paid, Replayed, seat_tallies
from clubscore.scoring import HouseRules
from clubscore.scoring.settlement import in_hundredths, who_pays_whom
from clubscore.scoring.sticks import STICK_SETS, Purse, StickSet, deal_out, settle_up, still_owed
from clubscore.scoring.words import money, whole

ROUND_PAYMENTS = "Round each payment to the nearest 10"


def final_payments(
    nets: Mapping[int, int], names: Mapping[Any, str], about: Mapping[str, Any]
) -> list[tuple[str, str, str]] | None:
    """Return who pays whom after a session: payer, payee (empty for the box), and the amount in words.

    None if nobody settles up: at a practice table, if each adds their own scores, and in points if tally sticks have
    paid every hand. `about` the session: whether it `settles` and is `practice`, its `sticks`, and the `rate` for 1,000
    points in hundredths of the `currency`.
    """
    rate = about["rate"]
    if about["practice"] or not about["settles"] or (about["sticks"] and not rate):
        return None
    paid = who_pays_whom(in_hundredths(_with_box(nets), rate) if rate else _with_box(nets))
    return [(names[payer], names.get(payee, ""), _amount(amount, rate, about)) for payer, payee, amount in paid]


def _with_box(nets: Mapping[Any, int]) -> dict[Any, int]:
    """Add the box (None), which has what was paid to no one."""
    return {**nets, None: -sum(nets.values())}


def _amount(amount: int, rate: int | None, about: Mapping[str, Any]) -> str:
    if rate:
        return money(amount, about["currency"])
    return f"{whole(amount)} point{'' if amount == 1 else 's'}"


def money_words(nets: Mapping[int, int], about: Mapping[str, Any]) -> dict[int, str]:
    """Return what the nets are worth in words, by seat; empty without a rate.

    If players pay each other, the amounts and what goes into the box add up to 0.
    """
    rate = about["rate"]
    if not rate:
        return {}
    if about["settles"]:
        worth = in_hundredths(_with_box(nets), rate)
    else:
        worth = {seat: (1 if net > 0 else -1) * ((2 * rate * abs(net) + 1000) // 2000) for seat, net in nets.items()}
    return {seat: f"{'+' if worth[seat] > 0 else ''}{money(worth[seat], about['currency'])}" for seat in nets}


# The tally sticks.

HeldSticks = dict[int | None, Purse]
Debts = dict[tuple[int | None, int | None], int]


class StickAccount(NamedTuple):
    """One player's sticks, what is `owed` to the player (negative: by the player), and the balance.

    `missing` is what sticks and debts lack of the balance; `begins` says which sticks a late-comer takes.
    """

    name: str
    sticks: Purse
    owed: int
    balance: int
    missing: int
    begins: str


class StickAccounts(NamedTuple):
    players: list[StickAccount]
    debts: list[str]
    undealt: int

    @property
    def agree(self) -> bool:
        return not any([player.missing for player in self.players])


def dealt(stick_set: StickSet, start: Sequence[int], seats: Iterable[int]) -> HeldSticks:
    """Return the sticks everyone starts with, and the box (None); late-comers take what East did, from a spare set."""
    purses, left_over, _ = deal_out(stick_set, len(start))
    begins = dict(zip(start, purses, strict=True))
    return {None: left_over, **{seat: begins.get(seat, purses[0]) for seat in seats}}


def accounts_in_sticks(
    starting: HeldSticks,
    held: HeldSticks,
    debts: Debts,
    starting_balance: int,
    players: Iterable[tuple[int, str, int, bool]],
) -> StickAccounts:
    """Compare everyone's sticks with the balances.

    `players` are seat number, name and balance, and whether they came late and have not played yet.
    """
    players = list(players)
    names: dict[int | None, str] = {None: "the box"}
    names.update({seat: name for seat, name, _, _ in players})
    undealt = starting_balance - starting[players[0][0]].worth
    rows = []
    for seat, name, balance, is_new in players:
        owed, sticks = still_owed(debts, seat), held[seat]
        missing = balance - sticks.worth - owed - undealt
        rows.append(StickAccount(name, sticks, owed, balance, missing, starting[seat].words if is_new else ""))
    seats = [*[seat for seat, *_ in players], None]
    owing = [
        f"{names[debtor]} owes {names[creditor]} {debts[debtor, creditor]:,}."
        for debtor in seats
        for creditor in seats
        if (debtor, creditor) in debts
    ]
    return StickAccounts(rows, owing, undealt)


def handed_over(
    house: HouseRules, held: HeldSticks, debts: Debts, due: Iterable[Paid], names: Mapping[Any, str]
) -> list[str]:
    """Return a sentence for every handover; suggest rounding for next time if sticks could then pay in full."""
    due = list(due)
    sentences = list(settle_up(held, due, names, debts).sentences)
    unit = gcd(*{value for purse in held.values() for value, _ in purse.counts})
    if not house.round_payments_to and 10 % unit == 0 and any([paid.amount % unit for paid in due]):
        sentences.append(
            f"The smallest stick is {unit}. To pay every hand in full, select “{ROUND_PAYMENTS}” when you start the "
            "next table."
        )
    return sentences


def sticks_now(held: HeldSticks, debts: Debts) -> dict[str, Any]:
    """Return sticks and debts as plain JSON, for the page of hand entry."""
    return {
        "held": [[who, purse.to_dict()] for who, purse in held.items()],
        "debts": [[debtor, creditor, amount] for (debtor, creditor), amount in debts.items()],
    }


def sticks_to_hand_over(
    now: Mapping[str, Any], house: HouseRules, payments: Iterable[Mapping[str, Any]], names: Mapping[Any, str]
) -> list[str]:
    """Return which sticks to hand over for payments (score format, seat numbers), from those on the table `now`."""
    held = {who: Purse.from_dict(counts) for who, counts in now["held"]}
    debts = {(debtor, creditor): amount for debtor, creditor, amount in now["debts"]}
    due = [
        Paid(int(paid["from"]), int(paid["to"]) if paid.get("to") else None, paid["amount"], "") for paid in payments
    ]
    return handed_over(house, held, debts, due, names)


class SticksOfTable(NamedTuple):
    """A table's sticks: the accounts, what is there `now` (sticks_now), and what was there `before` an entry was paid.

    `before` has sticks, debts and payments by the key of the entry, as handed_over takes them.
    """

    accounts: StickAccounts | None
    now: dict[str, Any] | None
    before: Mapping[str, tuple[HeldSticks, Debts, Sequence[Paid]]]


def sticks_of_table(ledger: Ledger, done: Replayed, key: str) -> SticksOfTable:
    """Return the sticks of a replayed ledger; empty at a table without sticks."""
    stick_set = STICK_SETS.get(key)
    if stick_set is None:
        return SticksOfTable(None, None, {})
    tallies = seat_tallies(ledger.facts, done)
    starting = dealt(stick_set, ledger.facts.start, tallies)
    due: dict[str, Sequence[Paid]] = {hand.key: hand.payments for hand in done.hands}
    due.update({key: [penalty] for key, penalty in done.penalties.items()})
    debts: Debts = {}
    held, before = starting, {}
    for entry in ledger.active:
        if entry.key in due:
            before[entry.key] = held, debts, due[entry.key]
            held, debts, _ = settle_up(held, due[entry.key], debts=debts)
    start = ledger.starting_balance
    players = [
        (seat, ledger.names[seat], start + tally.net, seat not in ledger.facts.start and not tally.hands)
        for seat, tally in tallies.items()
    ]
    accounts = accounts_in_sticks(starting, held, debts, start, players)
    return SticksOfTable(accounts, sticks_now(held, debts), before)
