"""The board of a session: everything that its pages show, built from its facts, its ledger and the replay of that.

The server draws its pages from it, and a tablet draws the same pages with the commands that it has not sent yet.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from clubscore.play import fragments, sheet_fragments
from clubscore.play.command_kinds import HAND, NOTE, PENALTY, REDO, CommandKind
from clubscore.play.drawn_hands import tile_groups
from clubscore.play.edits import redoable, undoable
from clubscore.play.entered_hand import EnteredHand
from clubscore.play.ledger import Ledger
from clubscore.play.markup import Html
from clubscore.play.replay import Entry, HandResult, Paid, Replayed, SeatTally, seat_tallies
from clubscore.play.score_fragments import hand_result
from clubscore.play.scoring_by_seat import special_names
from clubscore.play.seatings import likely_seatings
from clubscore.play.settling_up import (
    StickAccounts,
    SticksOfTable,
    final_payments,
    handed_over,
    money_words,
    sticks_of_table,
)
from clubscore.play.table_words import (
    NO_HANDS,
    HandEnd,
    deal_words,
    east_words,
    entry_words,
    final_order,
    last_hands_words,
    places_of,
    round_words,
    special_words,
    step_words,
)
from clubscore.scoring import RULE_SETS
from clubscore.scoring.rotation import OFFICIAL, WINDS, HandOutcome, hands_to_fair_end, hands_until_east, next_out
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import Vocabulary, in_words, listed, whole, with_names

SIDES = ("bottom", "right", "top", "left")
NOT_SENT = "not sent yet"
PROVISIONAL = "These scores are not sent yet."
FIGURES = ("net", "hands", "won", "gained", "lost", "best_hand")


class SessionRules:
    """The rules of a session and its words; `settling` are the facts that settling_up asks for.

    `latest` is what scoring_by_seat remembers between two questions, if anything.
    """

    def __init__(self, facts: Mapping[str, Any], latest: dict[str, Any] | None = None) -> None:
        self.latest = latest
        self.rules, self.house_rules = facts["rules"], facts["house_rules"]
        self.club_hands, self.words = facts["club_hands"], tuple(tuple(pair) for pair in facts["words"])
        self.settling: Any = facts.get("settling")

    def vocabulary(self) -> Vocabulary:
        return self.words


@dataclass(frozen=True)
class Cell:
    """One player in one row of the sheet; an empty wind for one who sits out, None for one not at the table."""

    seat: int
    name: str
    wind: str | None
    total: int
    net: int
    balance: int
    won: bool

    @property
    def is_at_table(self) -> bool:
        return self.wind is not None


@dataclass(frozen=True)
class Row:
    """One entry on the sheet; `hand` is None if it is not a hand, or was removed."""

    entry: Entry
    hand: HandResult | None
    words: str
    cells: list[Cell]

    @property
    def number(self) -> int | None:
        return self.hand.number if self.hand else None

    @property
    def is_unagreed(self) -> bool:
        """Whether another player should agree to this hand, and has not yet."""
        return bool(self.hand) and self.entry.body.get("agreed") == ""


class ScoredHand(NamedTuple):
    """A hand as its page explains it.

    `players`, in the order East to North: `wind`, `seat`, `name`, `won`, and their result by the names of the score
    format. `payments` are as there. Seats are numbers in letters.
    """

    players: list[dict[str, Any]]
    payments: list[dict[str, Any]]


class Board:
    """The pages of a replayed ledger, with the `facts` of its session (SessionRules).

    `look` are the addresses of its pages, with KEY for that of an entry or a player, and what a page shows besides the
    ledger. `names` are those in the ledger unless given. `waiting` are the keys of the entries that were changed by
    what is not sent yet, `stored` of those that have a page (None: all). `said` is what the last of these did.
    """

    imported, said = False, ""

    def __init__(
        self,
        facts: Any,
        ledger: Ledger,
        done: Replayed,
        look: Mapping[str, Any],
        names: Mapping[int, str] | None = None,
        waiting: Collection[str] = (),
        stored: Collection[str] | None = None,
    ) -> None:
        self.facts, self.ledger, self.done, self.look = facts, ledger, done, look
        self.waiting, self.stored = waiting, stored
        self.names = ledger.names if names is None else names
        self.results = {hand.key: hand for hand in done.hands}
        self.tallies = self.all_tallies()
        self.nets = {seat: tally.net for seat, tally in self.tallies.items()}
        self.balances = {seat: ledger.starting_balance + net for seat, net in self.nets.items()}
        self.say = partial(in_words, RULE_SETS[facts.rules].vocabulary())
        self.specials = special_names(facts)
        self._sticks: SticksOfTable | None = None

    def all_tallies(self) -> Mapping[int, SeatTally]:
        return seat_tallies(self.ledger.facts, self.done)

    def sticks(self) -> SticksOfTable:
        """Return the sticks of the table, worked out once."""
        if self._sticks is None:
            self._sticks = sticks_of_table(self.ledger, self.done, self.facts.settling["sticks"])
        return self._sticks

    def sticks_handed_over(self, key: str) -> Sequence[str]:
        """Return a sentence for each handover of sticks for an entry; none at a table without sticks."""
        before = self.sticks().before.get(key)
        return handed_over(self.ledger.house, *before, self.ledger.names) if before else ()

    # The table page.

    def page(self, latest: Sequence[tuple[tuple[str, str], CommandKind]] = ()) -> dict[str, Any]:
        """Return the table page as its fragments ask for it.

        `latest` are the changes, the newest first: the kind of each and the key of its entry, with the row of the kind.
        """
        ledger, done, seating, names = self.ledger, self.done, self.done.seating, self.names
        last = done.hands[-1] if done.hands else None
        sticks = self.sticks()
        return {
            "number": len(done.hands) + 1,
            "east": names[seating.east],
            "east_words": east_words([(hand.seating.east, hand.kind) for hand in done.hands], seating.east),
            "deal_words": self.deal_words(last) if last else "",
            "is_new_game": seating.is_new_game,
            "starts_with": 0 if last else ledger.starting_balance,
            "seats_change": ledger.house.rotation == OFFICIAL and bool(done.hands) and not seating.hands_in_round,
            **self.who_sits_where(),
            "after_hand": self.after_hand(last) if last else None,
            "provisional": PROVISIONAL if self.unsent else "",
            "final_order": final_order([(seat, names[seat], net) for seat, net in self.nets.items()]),
            "last_sticks": self.sticks_handed_over(last.key) if last else (),
            "sticks_now": sticks.now,
            **self.settled(sticks.accounts),
            "sheet_page": self.look["sheet_page"],
            "mail_page": self.look.get("mail_page", ""),
            "best_hands": self.best_hands(),
            "lines": () if ledger.is_open else self.balance_lines(),
            "questions": self.questions(),
            **self.steps(latest),
            **(self.fair_end() if ledger.is_open else {}),
        }

    def who_sits_where(self) -> dict[str, Any]:
        """Return who sits where in the next hand, as fragments.felt and fragments.sitters ask for it."""
        seating, ledger = self.done.seating, self.ledger
        return {
            "sides": self.sides(self.look["turn"]),
            "wind_of_round": seating.wind_of_round if RULE_SETS[self.facts.rules].has_round_wind else "",
            "winds_sprite": self.look["winds_sprite"],
            "goulash": seating.goulash,
            "last_hands": self.last_hands,
            "sitting_out": [(self.names[seat], self.balances[seat], self.moved.get(seat, 0)) for seat in seating.out],
            "next_out": [self.names[seat] for seat in next_out(seating, ledger.house)] if ledger.is_open else [],
        }

    def questions(self) -> list[tuple[int, str, str]]:
        """Return the hands that someone should look at, as fragments.questions has them."""
        return [
            (hand.number, with_names(hand.question, self.names), self.address("hand_page", hand.key))
            for hand in self.done.hands
            if hand.question
        ]

    def fair_end(self) -> dict[str, Any]:
        """Return after how many hands it is fair to stop, as fragments.how_long asks for it."""
        seating, house = self.done.seating, self.ledger.house
        return {
            "hands_to_fair_end": hands_to_fair_end(seating, house),
            "turns_as_east": [(self.names[seat], hands) for seat, hands in hands_until_east(seating, house).items()],
            "east_may_stay": house.east_stays_on_win or house.east_stays_on_draw,
        }

    @property
    def last_hands(self) -> str:
        """How many hands are left, in words, since someone at the table said which are the last; "" before."""
        left = None
        for entry in self.ledger.active:
            if entry.kind == NOTE.key and "last" in entry.body:
                left = entry.body["last"]
            elif left is not None and entry.key in self.results and not self.results[entry.key].is_void:
                left = max(left - 1, 0)
        return "" if left is None or not self.ledger.is_open else last_hands_words(left)

    def steps(self, latest: Sequence[tuple[tuple[str, str], CommandKind]]) -> dict[str, str]:
        """Return in words what Undo and Redo would do; "" where there is nothing to do."""
        # After a redo, an undo would take the same back.
        redone = [(("", ""), REDO), *latest] if any(redoable(latest)) else []
        steps = {"undo_words": next(undoable(latest), None), "redo_words": next(undoable(redone), None)}
        return {name: step_words(self.ledger, self.done, *step) if step else "" for name, step in steps.items()}

    @property
    def moved(self) -> Mapping[int, int]:
        """What the last hand or penalty changed, by seat."""
        moving = [entry for entry in self.ledger.active if entry.kind in (HAND.key, PENALTY.key)]
        return self.entry_nets(moving[-1]) if moving else {}

    def sides(self, turn: int = 0) -> list[tuple[str, str, int | None, str, int, int]]:
        """Return side, wind, seat, name, balance and its last change, the one at the bottom of the picture first.

        The picture keeps its places from hand to hand; `turn` is by how many quarters it is turned.
        """
        winds = self.done.seating.winds
        places = places_of([hand.seating.winds for hand in self.done.hands] + [winds])
        placed, moved = [places[(at + turn) % 4] for at in range(4)], self.moved
        figures = [(self.names.get(seat, ""), self.balances.get(seat, 0), moved.get(seat, 0)) for seat in placed]
        return [
            (side, WINDS[winds.index(seat)], seat, *shown)
            for side, seat, shown in zip(SIDES, placed, figures, strict=True)
        ]

    def settled(self, sticks: StickAccounts | None, level: int = 2) -> dict[str, Any]:
        """Return what the fragments of settling up ask for; `level` is that of their headings."""
        about = self.facts.settling
        return {
            "final_payments": None if self.ledger.is_open else final_payments(self.nets, self.names, about),
            "stick_accounts": sticks,
            "settling": about,
            "level": level,
        }

    def best_hands(self) -> list[tuple[str, int, int, str]]:
        """Return the highest scores of the session, as fragments.finished has them; none before one has scored."""
        scored = [(seat.total, hand, seat.seat) for hand in self.done.hands for seat in hand.seats if seat.total > 0]
        most = max([one[0] for one in scored], default=0)
        return [
            (self.names[seat], total, hand.number, self.address("hand_page", hand.key))
            for total, hand, seat in scored
            if total == most
        ]

    def balance_lines(self) -> list[tuple[str, list[int]]]:
        """Return each player's name and balances: at the start, and after every hand and penalty."""
        rows = [row for row in self.rows() if row.hand or row.entry.key in self.done.penalties]
        return [
            (self.names[seat], [self.ledger.starting_balance, *[row.cells[place].balance for row in rows]])
            for place, seat in enumerate(self.tallies)
        ]

    def best_tiles(self) -> list[Sequence[str]]:
        """Return the tiles of the best hand as they lay, in groups; none where they were not entered."""
        scored = [(seat.total, hand, seat.seat) for hand in self.done.hands for seat in hand.seats]
        if not scored:
            return []
        _, hand, seat_no = max(scored, key=lambda best: best[0])
        form = self.ledger.entry(hand.key).body["hands"].get(str(seat_no)) or {}
        return [group.tiles for group in tile_groups(form) if group.tiles]

    def deal_words(self, last: HandResult) -> str:
        """Return why the deal has passed although East won the last hand, or ""."""
        outcome = HandOutcome(last.kind, last.winners)
        return deal_words(last.seating, outcome, self.ledger.house, self.names[last.seating.east])

    def payments(self, hand: HandResult) -> Sequence[Paid]:
        """Return who pays whom for a hand."""
        return hand.payments

    def paid(self, hand: HandResult) -> list[tuple[str, str, int]]:
        """Return payer, payee and amount of each payment for a hand; nobody's is nothing."""
        return [
            (self.names[paid.payer], "nobody" if paid.payee is None else self.names[paid.payee], paid.amount)
            for paid in self.payments(hand)
            if paid.amount
        ]

    def after_hand(self, last: HandResult) -> dict[str, Any]:
        """Return how the last hand went and who pays whom, as fragments.after_hand asks for it."""
        return {
            "number": last.number,
            "words": self.words_with_points(last),
            "special": self.special(last),
            "address": self.address("hand_page", last.key),
            "paid": self.paid(last),
        }

    def words_with_points(self, hand: HandResult) -> str:
        """Return how a hand went, with what everyone scored."""
        words, others = self.words_with_winners_points(hand), self.losers_points(hand)
        return f"{words}; {others}" if others else words

    def losers_points(self, hand: HandResult) -> str:
        return listed(
            [f"{self.names[seat.seat]} {whole(seat.total)}" for seat in hand.seats if seat.total and not seat.won]
        )

    def words_with_winners_points(self, hand: HandResult) -> str:
        """Return how a hand went, with what its winners scored."""
        words, winners = self.words(self.ledger.entry(hand.key)), [seat for seat in hand.seats if seat.won]
        if len(winners) == 1 and not self.special(hand):
            words += f" with {whole(winners[0].total)}"
        elif len(winners) > 1:
            words += f": {listed([f'{self.names[seat.seat]} {whole(seat.total)}' for seat in winners])}"
        return words

    def address(self, page: str, key: str) -> str:
        """Return the address of an entry's page; none for an entry that the server does not know yet."""
        has_page = self.stored is None or key in self.stored
        return str(self.look[page]).replace("KEY", key) if has_page else ""

    def special(self, hand: HandResult) -> str:
        """Return the winners' special hands and their totals in words, or ""."""
        return special_words([(seat.special, seat.total) for seat in hand.seats if seat.won], self.specials)

    def words(self, entry: Entry) -> str:
        """Return an entry in a short sentence."""
        hand, names = self.results.get(entry.key), {str(seat): name for seat, name in self.names.items()}
        return entry_words(entry.kind, entry.body, self.hand_end(hand) if hand else None, names, self.say)

    def hand_end(self, hand: HandResult) -> HandEnd:
        winners = [self.names[seat] for seat in sorted(hand.winners)]
        return HandEnd(hand.kind, hand.seating.goulash, winners, self.special(hand))

    # The sheet.

    def rows(self) -> list[Row]:
        """Return every entry with what it did to the balances."""
        so_far = dict.fromkeys(self.tallies, self.ledger.starting_balance)
        return [self.row(entry, so_far) for entry in self.ledger.entries]

    def row(self, entry: Entry, so_far: dict[int, int]) -> Row:
        """Return a row of the sheet; `so_far` are the balances before it, and after it once this has returned."""
        hand, nets = self.results.get(entry.key), self.entry_nets(entry)
        results = {result.seat: result for result in hand.seats} if hand else {}
        cells = []
        for seat in self.tallies:
            result, net = results.get(seat), nets.get(seat, 0)
            so_far[seat] += net
            wind, total, won = (result.wind, result.total, result.won) if result else (None, 0, False)
            cells.append(Cell(seat, self.names[seat], wind, total, net, so_far[seat], won))
        return Row(entry, hand, self.words(entry), cells)

    def entry_nets(self, entry: Entry) -> dict[int, int]:
        """Return what an entry adds to the balance of each seat it concerns."""
        hand, penalty = self.results.get(entry.key), self.done.penalties.get(entry.key)
        if penalty:
            parts = ((penalty.payer, -penalty.amount), (penalty.payee, penalty.amount))
            return {seat: net for seat, net in parts if seat is not None}
        return {result.seat: result.net for result in hand.seats} if hand else {}

    def sheet(self, level: int = 2) -> dict[str, Any]:
        """Return the sheet as sheet_fragments.sheet asks for it; `level` is that of its headings."""
        return {
            "provisional": PROVISIONAL if self.unsent else "",
            "last_hands": self.last_hands,
            "imported": self.imported,
            "starting_balance": self.ledger.starting_balance,
            "rows": [self.sheet_row(row) for row in self.rows()],
            "totals": self.totals(),
            "void": [hand.number for hand in self.done.hands if hand.is_void],
            **self.settled(self.sticks().accounts, level),
        }

    @property
    def unsent(self) -> Collection[str]:
        """The keys of the entries that somebody else is yet to have; nobody else has a game that no club has."""
        return () if self.look.get("is_alone") else self.waiting

    def sheet_row(self, row: Row) -> dict[str, Any]:
        """Return a row as sheet_fragments.sheet_row asks for it."""
        entry, hand = row.entry, row.hand
        return {
            "number": row.number,
            "words": self.words_with_winners_points(hand) if hand else row.words,
            "losers_points": self.losers_points(hand) if hand else "",
            "address": self.address("hand_page", entry.key) if entry.kind == HAND.key else "",
            "removed": entry.removed,
            "question": hand.question if hand else "",
            "is_unagreed": self.look["asks_agreement"] and row.is_unagreed,
            "is_asked": entry.key in self.look["asked"],
            "round_words": round_words(hand.seating, self.facts.rules) if hand and hand.number > 1 else "",
            "cells": [(cell.wind, cell.net, cell.balance, cell.won) for cell in row.cells],
        }

    def totals(self) -> list[dict[str, Any]]:
        """Return what each player won or lost, as sheet_fragments.totals_table asks for it."""
        look, money = self.look, money_words(self.nets, self.facts.settling)
        players = {seat.seat_no: seat.player for seat in self.ledger.seats}
        return [
            {
                "name": self.names[seat],
                "address": look["player_page"].replace("KEY", str(players[seat])),
                "guest": players[seat] in look["guests"],
                "balance": self.balances[seat],
                "money": money.get(seat, ""),
                **{figure: getattr(tally, figure) for figure in FIGURES},
            }
            for seat, tally in self.tallies.items()
        ]

    def draw_sheet(self, level: int = 2) -> Html:
        return sheet_fragments.sheet(self.sheet(level))

    # The list of hands on the table page.

    def hands(self, fields: Html | None = None) -> Html:
        """Draw the entries that count, and those removed, the newest first; `fields` are those of every form."""
        rows: tuple[list[Html], list[Html]] = ([], [])
        for entry in reversed(self.ledger.entries):
            rows[1 if entry.removed else 0].append(fragments.history_row(self.history_row(entry), fields))
        return fragments.hands_so_far(*rows, len(self.results) + 1, self.say(NO_HANDS))

    def likely_seatings(self, fields: Html | None = None) -> Html:
        """Draw the seatings to choose from before the next hand; `fields` are those of every form."""
        seating, hands = self.done.seating, self.done.hands
        before = hands[-1].seating if hands else None
        offered = likely_seatings(self.names, before, seating, self.ledger.house)
        present = ", ".join([f'"{seat}"' for seat in seating.at_table])
        return fragments.likely_seatings(offered, self.look.get("seating_page", ""), f"[{present}]", fields)

    def history_row(self, entry: Entry) -> dict[str, Any]:
        """Return an entry as fragments.history_row asks for it."""
        hand, is_hand, is_waiting = self.results.get(entry.key), entry.kind == HAND.key, entry.key in self.waiting
        nets = self.entry_nets(entry)
        return {
            "is_hand": is_hand,
            "key": entry.key,
            "version": entry.version,
            "removed": entry.removed,
            "number": hand.number if hand else None,
            "words": self.words(entry),
            "question": hand.question if hand else "",
            "moved": [(self.names[seat], nets.get(seat, 0)) for seat in self.tallies] if any(nets.values()) else [],
            "waiting": NOT_SENT if entry.key in self.unsent else "",
            "score": self.score(hand, entry) if hand and is_waiting else None,
            "address": self.address("hand_page", entry.key) if is_hand else "",
            "preview": self.address("preview_page", entry.key) if self.look["can_write"] else "",
            "hand_entry_page": self.look.get("hand_entry_page", "") if self.ledger.is_open else "",
        }

    def score(self, hand: HandResult, entry: Entry) -> Html | None:
        """Draw the score of a hand and who pays whom; nothing if nothing was scored."""
        scored = self.entered(hand, entry).shown()
        look = {**self.look, "bottom": str(self.sides(self.look["turn"])[0][2])}
        return hand_result(scored, look, entry.key) if scored["state"] == "whole" else None

    def entered(self, hand: HandResult, entry: Entry) -> EnteredHand:
        """Return a hand as it was entered, scored by these rules."""
        seats = [
            {"number": str(seat), "name": self.names[seat], "wind": wind, "wind_name": WIND_NAMES[wind]}
            for wind, seat in hand.seating.seated.items()
        ]
        out = [{"number": str(seat), "name": self.names[seat]} for seat in hand.seating.out]
        return EnteredHand(self.facts, hand.seating, entry.body, seats, out, not hand.winners)

    def scored(self, hand: HandResult, entry: Entry) -> ScoredHand | None:
        """Return how each player's hand scored, and who pays whom; None for a hand that these rules do not score."""
        entered = self.entered(hand, entry)
        if entered.whole is None:
            return None
        players = [
            {
                **entered.results[seat["number"]],
                **{name: seat[name] for name in ("wind", "name")},
                "seat": seat["number"],
                "won": seat["number"] in entered.winners,
            }
            for seat in entered.seats
        ]
        return ScoredHand(players, entered.whole["payments"])
