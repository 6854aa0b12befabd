"""The table page on a tablet: the table as the server sent it, with the commands that are not sent yet."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from clubscore.scoring import RULE_SETS, ScoringError
from clubscore.scoring.rotation import OFFICIAL, WINDS, HandOutcome, RotationError, SeatingState, next_out
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import Vocabulary, in_words, with_names
from clubscore.table import fragments, sheet_fragments
from clubscore.table.command_kinds import HAND, KINDS, UNDO
from clubscore.table.edits import Command, apply
from clubscore.table.entry_score import scored_hand
from clubscore.table.ledger import FINISHED, Change, EditError, Ledger, Player, Seat
from clubscore.table.markup import Html
from clubscore.table.outcomes import Reason
from clubscore.table.preview import compare, preview_data, preview_with_seats_kept
from clubscore.table.replay import Entry, EntryError, HandResult, Replayed, seat_tallies, sentence_of
from clubscore.table.score_fragments import hand_result
from clubscore.table.scoring_by_seat import special_names
from clubscore.table.settling_up import StickAccounts, final_payments, money_words, sticks_of_table
from clubscore.table.table_words import (
    NO_HANDS,
    HandEnd,
    deal_words,
    east_words,
    entry_words,
    final_order,
    places_of,
    round_words,
    special_words,
)

SIDES = ("bottom", "right", "top", "left")
NOT_SENT = "not sent yet"
PROVISIONAL = "These scores are not sent yet. They will be sent when the Wi-Fi is back."
REFUSALS = (EditError, EntryError, RotationError, ScoringError)


class TabletSession:
    """A session as a tablet knows it: what the scorer asks of a session, and its words."""

    def __init__(self, question: Mapping[str, Any]) -> None:
        self.rules, self.house_rules = question["rules"], question["house_rules"]
        self.club_hands, self.words = question["club_hands"], tuple(tuple(pair) for pair in question["words"])
        self.settling: Any = question.get("settling")

    def vocabulary(self) -> Vocabulary:
        return self.words


def draw_table(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return who sits where after the `waiting` commands, and the HTML of the table page with the `look` of the page.

    Commands that the rules refuse are left out and named in `refused`. Nothing is known if the `ledger` does not give
    the `balances` that the server sent with it: its hands were scored by other rules than these.
    """
    board, refused = _board(question)
    if board is None:
        return {"known": False}
    ledger, done, page = board.ledger, board.done, board.page()
    return {
        "known": True,
        "refused": refused,
        "seats": {wind: str(seat) for wind, seat in done.seating.seated.items()},
        "out": [str(seat) for seat in done.seating.out],
        "chairs": done.seating.to_dict(),
        "number": page["number"],
        "is_open": ledger.is_open,
        "is_new_game": page["is_new_game"],
        "seats_change": page["seats_change"],
        "deal_words": page["deal_words"],
        "names": {str(seat): name for seat, name in ledger.names.items()},
        "players": {str(seat.seat_no): seat.player for seat in ledger.seats},
        "balances": balances(ledger, done),
        "sticks": page["sticks_now"],
        "html": {
            "felt": fragments.felt(page).text,
            "sitters": fragments.sitters(page).text,
            "head": fragments.next_hand_head(page).text
            if ledger.is_open
            else fragments.finished(page).text + fragments.settled(page).text,
            "notes": fragments.next_hand_notes(page).text if ledger.is_open else "",
            "sticks": fragments.table_sticks(page).text,
            "hands": board.hands().text,
        },
    }


def draw_sheet(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the HTML of the sheet, as draw_table does for the table page, and the `state` in words."""
    board, _ = _board(question)
    if board is None:
        return {"known": False}
    state = "in play" if board.ledger.is_open else "finished"
    return {"known": True, "state": state, "html": sheet_fragments.sheet(board.sheet()).text}


def draw_preview(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a `command` would change after the `waiting` ones, in words and HTML.

    `refused` is a sentence if the rules refuse it. Nothing is known as in draw_table, and if the command, or one of
    those waiting, cannot be carried out.
    """
    board, refused_keys = _board(question)
    if board is None or refused_keys:
        return {"known": False}
    ledger, before = board.ledger, board.done
    command, kind = question["command"], KINDS[question["command"]["kind"]]
    try:
        entry = ledger.entry(command["body"].get("entry") or command["body"]["before"])
        edited, key, after = apply(ledger, command, before)
    except EntryError as error:
        refused = with_names(sentence_of(error, board.session.vocabulary()), ledger.names)
        return {"known": True, "refused": refused, "seat": getattr(error.error, "seat", None)}
    except EditError:
        return {"known": False}
    kept = preview_with_seats_kept(ledger, before, command, after)
    page = preview_data(compare(ledger, before, edited, after, key, kept))
    hand = before.hand(entry.key)
    words: Any = (entry.kind != HAND.key and kind.other_preview) or kind.preview
    number = hand.number if hand else ""
    return {
        "known": True,
        "refused": "",
        "heading": words.heading.format(number),
        "summary": page["summary"],
        "has_buttons": page["has_buttons"],
        "button": words.button,
        "words": words.saved_as.format(number),
        "html": fragments.preview_body(page).text,
    }


def find_hand(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the hand of an `entry` was played, after the `waiting` commands; nothing is known of a removed one."""
    board, _ = _board(question)
    hand = board and board.done.hand(question["entry"])
    if not board or not hand:
        return {"known": False}
    entry, chairs = board.ledger.entry(hand.key), hand.seating.to_dict()
    return {"known": True, "number": hand.number, "chairs": chairs, "body": entry.body, "version": entry.version}


def _board(question: Mapping[str, Any]) -> tuple["Board | None", list[str]]:
    """Carry out the `waiting` commands on a stored ledger: the board after them, and the keys of the refused ones.

    There is no board if the stored ledger does not give the `balances` in the question.
    """
    session = TabletSession(question)
    ledger = _stored_ledger(question, session)
    done = ledger.replay()
    if balances(ledger, done) != question["balances"]:
        return None, []
    touched, refused = set(), []
    for command in question["waiting"]:
        try:
            ledger, done, keys = _carry_out(ledger, done, command)
            touched |= keys
        except REFUSALS:
            refused.append(command["key"])
    stored = {row[0] for row in question["ledger"]["entries"]}
    return Board(ledger, done, session, question["look"], touched, stored), refused


def _stored_ledger(question: Mapping[str, Any], session: TabletSession) -> Ledger:
    """Build the ledger that the server sent, of a table with these `names` and `players` by seat.

    `start` are the seats taken at the start, `entries` as _stored_entry takes them. `changes` are those that Undo takes
    back, `undone` those that Redo makes again, the last of both at the end: (key, kind), and what it touched before and
    after if it did more than add the entry with that key.
    """
    sent, seated = question["ledger"], question["players"]
    seats = [Seat(int(seat), player, int(seat) in sent["start"]) for seat, player in seated.items()]
    players = [Player(player, question["names"][seat]) for seat, player in seated.items()]
    rules = (session.rules, session.house_rules, session.club_hands, sent["starting_balance"])
    ledger = Ledger(*rules, seats, players, [_stored_entry(*row) for row in sent["entries"]])
    if not question["open"]:
        ledger.session_state["state"] = FINISHED
    states = {entry.key: entry.state() for entry in ledger.entries}
    undone = [_stored_change(states, *row) for row in reversed(sent["undone"])]
    ledger.changes = [_stored_change(states, *row) for row in reversed(sent["changes"])][::-1] + undone
    ledger.changes += [Change("", UNDO.key, change.after, change.before, change) for change in reversed(undone)]
    return ledger


def _stored_entry(key: str, kind: str, body: Any, version: int, taken_out: bool, played_in: Any) -> Entry:
    """Build an entry; `played_in` are the values of its seating in order."""
    if played_in:
        winds, first_east, out, *rest = played_in
        played_in = SeatingState(tuple(winds), first_east, tuple(out), *rest).to_dict()
    return Entry(key, kind, body, version, bool(taken_out), played_in)


def _stored_change(states: dict[str, Any], key: str, kind: str, before: Any = None, after: Any = None) -> Change:
    """Build a change, and bring the `states` of entries back to those before it."""
    if before is None:
        before, after = {"entries": {key: None}}, {"entries": {key: {**states[key], "taken_out": False}}}
    else:
        states.update(before.get("entries") or {})
    return Change(key, kind, before, after)


def _carry_out(ledger: Ledger, done: Replayed, command: Command) -> tuple[Ledger, Replayed, set[str]]:
    """Return ledger and replay after a command, and the keys of the entries it touched."""
    kind = KINDS[command["kind"]]
    if not ledger.is_open and not kind.when_finished:
        raise EditError(Reason.FINISHED)
    if kind.names_player and command["body"]["player"] not in ledger.players:
        ledger = ledger.copy()
        player = command["body"]["player"]
        ledger.players[player] = Player(player, command["named"])
    ledger, _, done = apply(ledger, command, done)
    touched = set(ledger.before.get("entries", {}))
    ledger.before, ledger.outcomes = {}, {}
    return ledger, done, touched


def balances(ledger: Ledger, done: Replayed) -> dict[str, int]:
    """Return the balance of each seat."""
    return {str(seat): ledger.starting_balance + tally.net for seat, tally in seat_tallies(ledger.facts, done).items()}


class Board:
    """The table page and the sheet of a replayed ledger; `waiting` and `stored` are keys of entries."""

    def __init__(
        self, ledger: Ledger, done: Replayed, session: TabletSession, look: Any, waiting: set[str], stored: set[str]
    ) -> None:
        self.ledger, self.done, self.session, self.look = ledger, done, session, look
        self.waiting, self.stored = waiting, stored
        self.names, self.results = ledger.names, {hand.key: hand for hand in done.hands}
        self.tallies = seat_tallies(ledger.facts, done)
        self.nets = {seat: tally.net for seat, tally in self.tallies.items()}
        self.balances = {seat: ledger.starting_balance + net for seat, net in self.nets.items()}
        places = places_of([hand.seating.winds for hand in done.hands] + [done.seating.winds])
        self.placed = [places[(at + look["turn"]) % 4] for at in range(4)]
        self.say = partial(in_words, RULE_SETS[session.rules].vocabulary())

    def page(self) -> dict[str, Any]:
        """Return the table page as its fragments ask for it."""
        ledger, done, seating, names = self.ledger, self.done, self.done.seating, self.names
        last = done.hands[-1] if done.hands else None
        sticks = sticks_of_table(ledger, done, self.session.settling["sticks"])
        return {
            "number": len(done.hands) + 1,
            "east": names[seating.east],
            "east_words": east_words([(hand.seating.east, hand.kind) for hand in done.hands], seating.east),
            "deal_words": self.deal_words(last) if last else "",
            "is_new_game": seating.is_new_game,
            "seats_change": ledger.house.rotation == OFFICIAL and bool(done.hands) and not seating.hands_in_round,
            "goulash": seating.goulash,
            "wind_of_round": seating.wind_of_round if RULE_SETS[self.session.rules].has_round_wind else "",
            "winds_sprite": self.look["winds_sprite"],
            "sides": [
                (side, WINDS[seating.winds.index(seat)], seat, names.get(seat, ""), self.balances.get(seat, 0))
                for side, seat in zip(SIDES, self.placed, strict=True)
            ],
            "sitting_out": [(names[seat], self.balances[seat]) for seat in seating.out],
            "last": self.last_hand(last) if last else None,
            "provisional": PROVISIONAL if self.waiting else "",
            "final_order": final_order([(seat, names[seat], net) for seat, net in self.nets.items()]),
            "last_sticks": sticks.last,
            "sticks_now": sticks.now,
            **self.settled(sticks.accounts),
            "sheet_page": self.look["sheet_page"],
            "mail_page": "",
            "best_hands": self.best_hands(),
            "next_out": [names[seat] for seat in next_out(seating, ledger.house)] if ledger.is_open else [],
        }

    def settled(self, sticks: StickAccounts | None) -> dict[str, Any]:
        """Return what the fragments of settling up ask for."""
        about = self.session.settling
        return {
            "final_payments": None if self.ledger.is_open else final_payments(self.nets, self.names, about),
            "stick_accounts": sticks,
            "settling": about,
            "level": 2,
        }

    def sheet(self) -> dict[str, Any]:
        """Return the sheet as sheet_fragments.sheet asks for it."""
        ledger, look, about = self.ledger, self.look, self.session.settling
        money, players = money_words(self.nets, about), {seat.seat_no: seat.player for seat in ledger.seats}
        so_far = dict.fromkeys(self.names, ledger.starting_balance)
        figures = ("net", "hands", "won", "gained", "lost", "best_hand")
        return {
            "provisional": PROVISIONAL if self.waiting else "",
            "imported": False,
            "starting_balance": ledger.starting_balance,
            "rows": [self.sheet_row(entry, so_far) for entry in ledger.entries],
            "totals": [
                {
                    "name": self.names[seat],
                    "address": look["player_page"].replace("KEY", str(players[seat])),
                    "guest": players[seat] in look["guests"],
                    "balance": self.balances[seat],
                    "money": money.get(seat, ""),
                    **{figure: getattr(tally, figure) for figure in figures},
                }
                for seat, tally in self.tallies.items()
            ],
            **self.settled(sticks_of_table(ledger, self.done, about["sticks"]).accounts),
        }

    def sheet_row(self, entry: Entry, so_far: dict[int, int]) -> dict[str, Any]:
        """Return a row of the sheet; `so_far` are the balances before it, and after it once this has returned."""
        hand, nets = self.results.get(entry.key), self.entry_nets(entry)
        results = {result.seat: result for result in hand.seats} if hand else {}
        for seat in so_far:
            so_far[seat] += nets.get(seat, 0)
        return {
            "number": hand.number if hand else None,
            "words": self.words(entry),
            "address": self.address("hand_page", entry.key) if entry.kind == HAND.key else "",
            "removed": entry.taken_out,
            "question": hand.question if hand else "",
            "is_unagreed": self.look["asks_agreement"] and entry.body.get("agreed") == "",
            "is_asked": entry.key in self.look["asked"],
            "round_words": round_words(hand.seating, self.session.rules) if hand and hand.number > 1 else "",
            "cells": [
                (results[seat].wind, nets[seat], balance, results[seat].won)
                if seat in results
                else (None, nets.get(seat, 0), balance, False)
                for seat, balance in so_far.items()
            ],
        }

    def entry_nets(self, entry: Entry) -> dict[int, int]:
        """Return what an entry adds to the balance of each seat it concerns."""
        hand, fine = self.results.get(entry.key), self.done.fines.get(entry.key)
        if fine:
            parts = ((fine.payer, -fine.amount), (fine.payee, fine.amount))
            return {seat: net for seat, net in parts if seat is not None}
        return {result.seat: result.net for result in hand.seats} if hand else {}

    def best_hands(self) -> list[tuple[str, int, int, str]]:
        """Return the highest scores of the session, as fragments.finished has them."""
        scored = [(seat.total, hand, seat.seat) for hand in self.done.hands for seat in hand.seats if seat.total > 0]
        most = max([one[0] for one in scored], default=0)
        return [
            (self.names[seat], total, hand.number, self.address("hand_page", hand.key))
            for total, hand, seat in scored
            if total == most
        ]

    def deal_words(self, last: HandResult) -> str:
        outcome = HandOutcome(last.kind, last.winners)
        return deal_words(last.seating, outcome, self.ledger.house, self.names[last.seating.east])

    def last_hand(self, last: HandResult) -> dict[str, Any]:
        return {
            "number": last.number,
            "words": self.words(self.ledger.entry(last.key)),
            "winners": [(self.names[seat.seat], seat.total) for seat in last.seats if seat.won],
            "special": self.special(last),
            "address": self.address("hand_page", last.key),
        }

    def address(self, page: str, key: str) -> str:
        """Return the address of an entry's page; none for an entry that the server does not know yet."""
        address: str = self.look[page].replace("KEY", key) if key in self.stored else ""
        return address

    def special(self, hand: HandResult) -> str:
        won = [(seat.special, seat.total) for seat in hand.seats if seat.won]
        return special_words(won, special_names(self.session))

    def words(self, entry: Entry) -> str:
        """Return an entry in a short sentence."""
        hand, names = self.results.get(entry.key), {str(seat): name for seat, name in self.names.items()}
        winners = [self.names[seat] for seat in sorted(hand.winners)] if hand else []
        end = HandEnd(hand.kind, hand.seating.goulash, winners, self.special(hand)) if hand else None
        return entry_words(entry.kind, entry.body, end, names, self.say)

    def hands(self) -> Html:
        """Draw the entries that count, and those removed, the newest first."""
        rows: tuple[list[Html], list[Html]] = ([], [])
        for entry in reversed(self.ledger.entries):
            rows[1 if entry.taken_out else 0].append(fragments.history_row(self.history_row(entry)))
        return fragments.hands_so_far(*rows, len(self.results) + 1, self.say(NO_HANDS))

    def history_row(self, entry: Entry) -> dict[str, Any]:
        """Return an entry as fragments.history_row asks for it."""
        hand, is_hand, is_waiting = self.results.get(entry.key), entry.kind == HAND.key, entry.key in self.waiting
        return {
            "is_hand": is_hand,
            "key": entry.key,
            "version": entry.version,
            "removed": entry.taken_out,
            "number": hand.number if hand else None,
            "words": self.words(entry),
            "question": hand.question if hand else "",
            "moved": [(self.names[seat], net) for seat, net in sorted(self.entry_nets(entry).items()) if net],
            "waiting": NOT_SENT if is_waiting else "",
            "score": self.score(hand, entry) if hand and is_waiting else None,
            "address": self.address("hand_page", entry.key) if is_hand else "",
            "change_address": self.address("change_page", entry.key) if is_hand else "",
            "preview": self.address("preview_page", entry.key) if self.look["can_write"] else "",
            "entry_page": self.look.get("entry_page", "") if self.ledger.is_open else "",
        }

    def score(self, hand: HandResult, entry: Entry) -> Html | None:
        """Draw the score of a hand and who pays whom; nothing if nothing was scored."""
        seats = [
            {"number": str(seat), "name": self.names[seat], "wind": wind, "wind_name": WIND_NAMES[wind]}
            for wind, seat in hand.seating.seated.items()
        ]
        out = [{"number": str(seat), "name": self.names[seat]} for seat in hand.seating.out]
        scored = scored_hand(self.session, hand.seating, entry.body, seats, out, not hand.winners)
        look = {**self.look, "bottom": str(self.placed[0])}
        return hand_result(scored, look, entry.key) if scored["state"] == "whole" else None
