"""Settling up: who pays whom after a session, and the tally sticks before each player, which follow its payments."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import gcd
from typing import Any, NamedTuple

from clubscore.scoring.settlement import in_hundredths, who_pays_whom
from clubscore.scoring.sticks import STICK_SETS, Purse, StickSet, deal_out, settle_up, still_owed
from clubscore.scoring.words import money, whole
from clubscore.table.ledger import Ledger
from clubscore.table.replay import Entry, Paid, Replayed, accounts

ROUND_PAYMENTS = "Round each payment to the nearest 10"


def final_payments(
    nets: Mapping[int, int], names: Mapping[Any, str], about: Mapping[str, Any]
) -> list[tuple[str, str, str]] | None:
    """Return who pays whom after a session: payer, payee or nothing for the box, and how much in words.

    None where nobody settles up: at a practice table, where each adds their own scores, and in points where tally
    sticks have paid every hand. `about` says of the session whether it `settles` and is `practice`, its `sticks`, and
    the `rate` for 1,000 points in hundredths of the `currency`.
    """
    rate = about["rate"]
    if about["practice"] or not about["settles"] or (about["sticks"] and not rate):
        return None
    paid = who_pays_whom(in_hundredths(_with_box(nets), rate) if rate else _with_box(nets))
    return [(names[payer], names.get(payee, ""), _amount(amount, rate, about)) for payer, payee, amount in paid]


def _with_box(nets: Mapping[Any, int]) -> dict[Any, int]:
    """Add the box (None), which has what was paid to nobody."""
    return {**nets, None: -sum(nets.values())}


def _amount(amount: int, rate: int | None, about: Mapping[str, Any]) -> str:
    if rate:
        return money(amount, about["currency"])
    return f"{whole(amount)} point{'' if amount == 1 else 's'}"


def money_words(nets: Mapping[int, int], about: Mapping[str, Any]) -> dict[int, str]:
    """Return what the nets are worth in words, by seat; nothing without a rate.

    Where players pay each other the amounts come to 0 with what goes into the box.
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

Held = dict[int | None, Purse]
Debts = dict[tuple[int | None, int | None], int]


class StickAccount(NamedTuple):
    """One player's sticks: what is owed to the player (less than 0: by the player), and the balance.

    `missing` is what these lack of the balance; a late-comer's `begins` says which sticks to take.
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


def dealt(stick_set: StickSet, start: Sequence[int], seats: Iterable[int]) -> Held:
    """Return what everyone begins with, and the box (None); who comes later takes as East did, from a spare set."""
    purses, left_over, _ = deal_out(stick_set, len(start))
    begins = dict(zip(start, purses, strict=True))
    return {None: left_over, **{seat: begins.get(seat, purses[0]) for seat in seats}}


def accounts_in_sticks(
    begun: Held, held: Held, debts: Debts, starting_balance: int, players: Iterable[tuple[int, str, int, bool]]
) -> StickAccounts:
    """Return where everyone's sticks stand against the balances.

    `players` are seat number, name and balance, and whether they came late and have not played yet.
    """
    players = list(players)
    names: dict[int | None, str] = {None: "the box"}
    names.update({seat: name for seat, name, _, _ in players})
    undealt = starting_balance - begun[players[0][0]].worth
    rows = []
    for seat, name, balance, is_new in players:
        owed, sticks = still_owed(debts, seat), held[seat]
        missing = balance - sticks.worth - owed - undealt
        rows.append(StickAccount(name, sticks, owed, balance, missing, begun[seat].words if is_new else ""))
    seats = [*[one[0] for one in players], None]
    pairs = [(debtor, creditor) for debtor in seats for creditor in seats if (debtor, creditor) in debts]
    owing = [f"{names[debtor]} owes {names[creditor]} {debts[debtor, creditor]:,}." for debtor, creditor in pairs]
    return StickAccounts(rows, owing, undealt)


def handed_over(house: Any, held: Held, debts: Debts, due: Iterable[Paid], names: Mapping[Any, str]) -> list[str]:
    """Say every handover; where rounding would let the sticks pay all of it, offer that for another time."""
    due = list(due)
    sentences = list(settle_up(held, due, names, debts).sentences)
    unit = gcd(*{value for purse in held.values() for value, _ in purse.counts})
    if not house.round_payments_to and 10 % unit == 0 and any([paid.amount % unit for paid in due]):
        sentences.append(
            f"The smallest stick is {unit}. To pay every hand in full, select “{ROUND_PAYMENTS}” when you start the "
            "next table."
        )
    return sentences


def sticks_now(held: Held, debts: Debts) -> dict[str, Any]:
    """Return sticks and debts as plain JSON, for the page of hand entry."""
    return {
        "held": [[who, purse.to_dict()] for who, purse in held.items()],
        "debts": [[debtor, creditor, amount] for (debtor, creditor), amount in debts.items()],
    }


def sticks_to_hand_over(
    now: Mapping[str, Any], house: Any, payments: Iterable[Mapping[str, Any]], names: Mapping[Any, str]
) -> list[str]:
    """Say which sticks go over for payments (score format, seat numbers) from what lies on the table, as sticks_now."""
    held = {who: Purse.from_dict(counts) for who, counts in now["held"]}
    debts = {(debtor, creditor): amount for debtor, creditor, amount in now["debts"]}
    due = [Paid(int(one["from"]), int(one["to"]) if one.get("to") else None, one["amount"], "") for one in payments]
    return handed_over(house, held, debts, due, names)


def payments_of(done: Replayed, entries: Iterable[Entry]) -> Iterator[tuple[str, Sequence[Paid]]]:
    """Give key and payments of each entry that has any, in order."""
    hands = {hand.key: hand for hand in done.hands}
    for entry in entries:
        if entry.key in done.fines:
            yield entry.key, [done.fines[entry.key]]
        elif entry.key in hands:
            yield entry.key, hands[entry.key].payments


class SticksOfTable(NamedTuple):
    """Where a table's sticks stand, what was handed over for the last hand, and what lies there now, as sticks_now."""

    accounts: StickAccounts | None = None
    last: Sequence[str] = ()
    now: dict[str, Any] | None = None


def sticks_of_table(ledger: Ledger, done: Replayed, key: str) -> SticksOfTable:
    """Return the sticks of a replayed ledger; nothing at a table without."""
    stick_set = STICK_SETS.get(key)
    if stick_set is None:
        return SticksOfTable()
    begun = dealt(stick_set, ledger.facts.start, ledger.names)
    last = done.hands[-1].key if done.hands else None
    held, over = begun, []
    debts: Debts = {}
    for entry, payments in payments_of(done, ledger.active):
        if entry == last:
            over = handed_over(ledger.house, held, debts, payments, ledger.names)
        held, debts, _ = settle_up(held, payments, debts=debts)
    start = ledger.starting_balance
    players = [
        (seat, ledger.names[seat], start + account.net, seat not in ledger.facts.start and not account.hands)
        for seat, account in accounts(ledger.facts, done).items()
    ]
    return SticksOfTable(accounts_in_sticks(begun, held, debts, start, players), over, sticks_now(held, debts))
