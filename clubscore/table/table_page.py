"""The table page on a tablet: the table as the server sent it, played on with what is not sent yet."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from clubscore.scoring import RULE_SETS, ScoringError
from clubscore.scoring.rotation import OFFICIAL, WINDS, Outcome, RotationError, SeatingState, next_out
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import in_words, with_names
from clubscore.table import fragments
from clubscore.table.command_kinds import HAND, KINDS, UNDO
from clubscore.table.edits import Command, apply
from clubscore.table.entry_score import scored_hand
from clubscore.table.fragments import Html
from clubscore.table.ledger import FINISHED, Change, EditError, Ledger, Player, Seat
from clubscore.table.live_scoring import special_names
from clubscore.table.outcomes import Reason
from clubscore.table.preview import compare, preview_data, preview_with_seats_kept
from clubscore.table.replay import Entry, EntryError, HandResult, Replayed, accounts, sentence_of
from clubscore.table.settling_up import final_payments, money_words, sticks_of_table
from clubscore.table.table_words import (
    NO_HANDS,
    Played,
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


def played_on(question: Mapping[str, Any], table: Any) -> dict[str, Any]:
    """Play a stored `ledger` on with the `waiting` commands: who sits where, and the HTML of the table page.

    `table` has the session's rules and words, the `look` is that of the page. What the rules refuse is left out, and
    named in `refused`. Nothing is known where that ledger does not give the `balances` that came with it: its hands
    were scored by other rules than these.
    """
    drawing, refused = drawing_of(question, table)
    if drawing is None:
        return {"known": False}
    ledger, done, page = drawing.ledger, drawing.done, drawing.page()
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
            "hands": drawing.hands().text,
        },
    }


def sheet_played_on(question: Mapping[str, Any], table: Any) -> dict[str, Any]:
    """Draw the sheet of a table as played_on draws its page; the `state` is in words."""
    drawing, _ = drawing_of(question, table)
    if drawing is None:
        return {"known": False}
    state = "in play" if drawing.ledger.is_open else "finished"
    return {"known": True, "state": state, "html": fragments.sheet(drawing.sheet()).text}


def drawing_of(question: Mapping[str, Any], table: Any) -> tuple[Any, list[str]]:
    """Play a stored ledger on, and return what draws it and the keys of what was refused; None as played_on has it."""
    ledger = stored_ledger(question, table)
    done = ledger.replay()
    if balances(ledger, done) != question["balances"]:
        return None, []
    waiting, refused = set(), []
    for command in question["waiting"]:
        try:
            ledger, done, touched = carried_out(ledger, done, command)
            waiting |= touched
        except (EditError, EntryError, RotationError, ScoringError):
            refused.append(command["key"])
    stored = {row[0] for row in question["ledger"]["entries"]}
    return Drawing(ledger, done, table, question["look"], waiting, stored), refused


def previewed(question: Mapping[str, Any], table: Any) -> dict[str, Any]:
    """Say what a `command` would change after the `waiting` ones, in words and HTML; nothing is kept.

    `refused` is a sentence where the rules refuse it. Nothing is known as in played_on, or where it cannot be done or
    one of those that wait cannot.
    """
    ledger = stored_ledger(question, table)
    before = ledger.replay()
    if balances(ledger, before) != question["balances"]:
        return {"known": False}
    command, kind = question["command"], KINDS[question["command"]["kind"]]
    try:
        for one in question["waiting"]:
            ledger, before, _ = carried_out(ledger, before, one)
    except (EditError, EntryError, RotationError, ScoringError):
        return {"known": False}
    try:
        entry = ledger.entry(command["body"].get("entry") or command["body"]["before"])
        edited, key, after = apply(ledger, command, before)
    except EntryError as error:
        refused = with_names(sentence_of(error, table.vocabulary()), ledger.names)
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


def played_hand(question: Mapping[str, Any], table: Any) -> dict[str, Any]:
    """Say how the hand of an `entry` was played, after the commands that wait; nothing is known of one removed."""
    drawing, _ = drawing_of(question, table)
    hand = drawing and drawing.done.hand(question["entry"])
    if not hand:
        return {"known": False}
    entry = drawing.ledger.entry(hand.key)
    chairs = hand.seating.to_dict()
    return {"known": True, "number": hand.number, "chairs": chairs, "body": entry.body, "version": entry.version}


def stored_ledger(question: Mapping[str, Any], table: Any) -> Ledger:
    """Make the ledger that the server sent, of a table with these `names` and `players` by seat.

    `start` are the seats taken at the start, `entries` are as stored_entry has them.

    `changes` are those that Undo takes back, `undone` those that Redo makes again, the last of both at the end: (key,
    kind), and what it touched before and after where it did more than add the entry of that key.
    """
    sent, seated = question["ledger"], question["players"]
    seats = [Seat(int(seat), player, int(seat) in sent["start"]) for seat, player in seated.items()]
    players = [Player(player, question["names"][seat]) for seat, player in seated.items()]
    rules = (table.rules, table.house_rules, table.club_hands, sent["starting_balance"])
    ledger = Ledger(*rules, seats, players, [stored_entry(*row) for row in sent["entries"]])
    if not question["open"]:
        ledger.session_state["state"] = FINISHED
    states = {entry.key: entry.state() for entry in ledger.entries}
    undone = [stored_change(states, *row) for row in reversed(sent["undone"])]
    ledger.changes = [stored_change(states, *row) for row in reversed(sent["changes"])][::-1] + undone
    ledger.changes += [Change("", UNDO.key, one.after, one.before, one) for one in reversed(undone)]
    return ledger


def stored_entry(key: str, kind: str, body: Any, version: int, taken_out: bool, played_in: Any) -> Entry:
    """Make an entry; `played_in` are the values of its chairs in order."""
    if played_in:
        winds, first_east, out, *rest = played_in
        played_in = SeatingState(tuple(winds), first_east, tuple(out), *rest).to_dict()
    return Entry(key, kind, body, version, bool(taken_out), played_in)


def stored_change(states: dict[str, Any], key: str, kind: str, before: Any = None, after: Any = None) -> Change:
    """Make a change, and bring the `states` of entries back to those before it."""
    if before is None:
        before, after = {"entries": {key: None}}, {"entries": {key: {**states[key], "taken_out": False}}}
    else:
        states.update(before.get("entries") or {})
    return Change(key, kind, before, after)


def carried_out(ledger: Ledger, done: Replayed, command: Command) -> tuple[Ledger, Replayed, set[str]]:
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
    """Return what everyone has, by seat."""
    return {str(seat): ledger.starting_balance + account.net for seat, account in accounts(ledger.facts, done).items()}


class Drawing:
    """The table page of a replayed ledger; `waiting` and `stored` are keys of entries."""

    def __init__(self, ledger: Ledger, done: Replayed, table: Any, look: Any, waiting: Any, stored: Any) -> None:
        self.ledger, self.done, self.table, self.look = ledger, done, table, look
        self.waiting, self.stored = waiting, stored
        self.names, self.balances = ledger.names, balances(ledger, done)
        places = places_of([hand.seating.winds for hand in done.hands] + [done.seating.winds])
        self.placed = [places[(at + look["turn"]) % 4] for at in range(4)]
        self.say = partial(in_words, RULE_SETS[table.rules].vocabulary())

    def page(self) -> dict[str, Any]:
        """Return the table page as its fragments ask for it."""
        ledger, done, seating, names = self.ledger, self.done, self.done.seating, self.names
        last = done.hands[-1] if done.hands else None
        nets = {seat: account.net for seat, account in accounts(ledger.facts, done).items()}
        sticks = sticks_of_table(ledger, done, self.table.settling["sticks"])
        return {
            "number": len(done.hands) + 1,
            "east": names[seating.east],
            "east_words": east_words([(hand.seating.east, hand.kind) for hand in done.hands], seating.east),
            "deal_words": self.deal_words(last) if last else "",
            "is_new_game": seating.is_new_game,
            "seats_change": ledger.house.rotation == OFFICIAL and bool(done.hands) and not seating.hands_in_round,
            "goulash": seating.goulash,
            "wind_of_round": seating.wind_of_round if RULE_SETS[self.table.rules].has_round_wind else "",
            "winds_sprite": self.look["winds_sprite"],
            "sides": [
                (side, WINDS[seating.winds.index(seat)], seat, names.get(seat, ""), self.balances.get(str(seat), 0))
                for side, seat in zip(SIDES, self.placed, strict=True)
            ],
            "sitting_out": [(names[seat], self.balances[str(seat)]) for seat in seating.out],
            "last": self.last_hand(last) if last else None,
            "provisional": PROVISIONAL if self.waiting else "",
            "final_order": final_order([(seat, names[seat], net) for seat, net in nets.items()]),
            "last_sticks": sticks.last,
            "sticks_now": sticks.now,
            **self.settled(nets, sticks.accounts),
            "sheet_page": self.look["sheet_page"],
            "mail_page": "",
            "best_hands": self.best_hands(),
            "next_out": [names[seat] for seat in next_out(seating, ledger.house)] if ledger.is_open else [],
        }

    def settled(self, nets: dict[int, int], sticks: Any) -> dict[str, Any]:
        """Return what the fragments of settling up ask for."""
        about = self.table.settling
        return {
            "final_payments": None if self.ledger.is_open else final_payments(nets, self.names, about),
            "stick_accounts": sticks,
            "settling": about,
            "level": 2,
        }

    def sheet(self) -> dict[str, Any]:
        """Return the sheet as fragments.sheet asks for it."""
        ledger, done, names, look = self.ledger, self.done, self.names, self.look
        about, tallies = self.table.settling, accounts(ledger.facts, done)
        nets = {seat: account.net for seat, account in tallies.items()}
        worth, hands = money_words(nets, about), {hand.key: hand for hand in done.hands}
        players = {seat.seat_no: seat.player for seat in ledger.seats}
        so_far, rows = dict.fromkeys(names, ledger.starting_balance), []
        for entry in ledger.entries:
            rows.append(self.sheet_row(entry, hands.get(entry.key), so_far))
        return {
            "provisional": PROVISIONAL if self.waiting else "",
            "imported": False,
            "starting_balance": ledger.starting_balance,
            "rows": rows,
            "totals": [
                {
                    "name": names[seat],
                    "address": look["player_page"].replace("KEY", str(players[seat])),
                    "guest": players[seat] in look["guests"],
                    "net": account.net,
                    "balance": ledger.starting_balance + account.net,
                    "money": worth.get(seat, ""),
                    "hands": account.hands,
                    "won": account.won,
                    "gained": account.gained,
                    "lost": account.lost,
                    "best_hand": account.best_hand,
                }
                for seat, account in tallies.items()
            ],
            **self.settled(nets, sticks_of_table(ledger, done, about["sticks"]).accounts),
        }

    def sheet_row(self, entry: Entry, hand: HandResult | None, so_far: dict[int, int]) -> dict[str, Any]:
        """Return a line of the sheet; `so_far` are the balances before it, and after it once this has returned."""
        results = {result.seat: result for result in hand.seats} if hand else {}
        nets = {seat: result.net for seat, result in results.items()}
        paid = self.done.fines.get(entry.key)
        if paid:
            nets = {paid.payer: -paid.amount}
            if paid.payee is not None:
                nets[paid.payee] = paid.amount
        for seat in so_far:
            so_far[seat] += nets.get(seat, 0)
        return {
            "number": hand.number if hand else None,
            "words": self.words(entry, hand),
            "address": self.address("hand_page", entry.key) if entry.kind == HAND.key else "",
            "removed": entry.taken_out,
            "question": hand.question if hand else "",
            "is_unagreed": self.look["asks_agreement"] and entry.body.get("agreed") == "",
            "is_asked": entry.key in self.look["asked"],
            "round_words": round_words(hand.seating, self.table.rules) if hand and hand.number > 1 else "",
            "cells": [
                (results[seat].wind, nets[seat], balance, results[seat].won)
                if seat in results
                else (None, nets.get(seat, 0), balance, False)
                for seat, balance in so_far.items()
            ],
        }

    def best_hands(self) -> list[tuple[str, int, int, str]]:
        """Return the highest scores of the session, as fragments.finished has them."""
        scored = [(seat.total, hand, seat.seat) for hand in self.done.hands for seat in hand.seats if seat.total > 0]
        most = max([one[0] for one in scored], default=0)
        return [
            (self.names[seat], total, hand.number, self.address("hand_page", hand.key))
            for total, hand, seat in scored
            if total == most
        ]

    def deal_words(self, last: Any) -> str:
        outcome = Outcome(last.kind, last.winners)
        return deal_words(last.seating, outcome, self.ledger.house, self.names[last.seating.east])

    def last_hand(self, last: HandResult) -> dict[str, Any]:
        return {
            "number": last.number,
            "words": self.words(self.ledger.entry(last.key), last),
            "winners": [(self.names[seat.seat], seat.total) for seat in last.seats if seat.won],
            "special": self.special(last),
            "address": self.address("hand_page", last.key),
        }

    def address(self, page: str, key: str) -> str:
        """Return where an entry's page is; nothing for one that the server does not know yet."""
        return self.look[page].replace("KEY", key) if key in self.stored else ""

    def special(self, hand: HandResult) -> str:
        return special_words([(seat.special, seat.total) for seat in hand.seats if seat.won], special_names(self.table))

    def words(self, entry: Entry, hand: HandResult | None) -> str:
        winners = [self.names[seat] for seat in sorted(hand.winners)] if hand else []
        played = Played(hand.kind, hand.seating.goulash, winners, self.special(hand)) if hand else None
        names = {str(seat): name for seat, name in self.names.items()}
        return entry_words(entry.kind, entry.body, played, names, self.say)

    def hands(self) -> Html:
        """Draw the entries that count, and those removed, the newest first."""
        hands = {hand.key: hand for hand in self.done.hands}
        rows: Any = ([], [])
        for entry in reversed(self.ledger.entries):
            rows[1 if entry.taken_out else 0].append(fragments.history_row(self.row(entry, hands.get(entry.key))))
        return fragments.hands_so_far(rows[0], rows[1], len(hands) + 1, self.say(NO_HANDS))

    def row(self, entry: Entry, hand: HandResult | None) -> dict[str, Any]:
        is_hand, is_waiting = entry.kind == HAND.key, entry.key in self.waiting
        moved = [(seat.seat, seat.net) for seat in hand.seats] if hand else []
        paid = self.done.fines.get(entry.key)
        if paid:
            moved = [(seat, net) for seat, net in ((paid.payer, -paid.amount), (paid.payee, paid.amount)) if seat]
        return {
            "is_hand": is_hand,
            "key": entry.key,
            "version": entry.version,
            "removed": entry.taken_out,
            "number": hand.number if hand else None,
            "words": self.words(entry, hand),
            "question": hand.question if hand else "",
            "moved": [(self.names[seat], net) for seat, net in sorted(moved) if net],
            "waiting": NOT_SENT if is_waiting else "",
            "score": self.score(hand, entry) if hand and is_waiting else None,
            "address": self.address("hand_page", entry.key) if is_hand else "",
            "change_address": self.address("change_page", entry.key) if is_hand else "",
            "preview": self.address("preview_page", entry.key) if self.look["can_write"] else "",
            "entry_page": self.look.get("entry_page", "") if self.ledger.is_open else "",
        }

    def score(self, hand: HandResult, entry: Entry) -> Html | None:
        """Draw the score of a hand and who pays whom; nothing where nothing was scored."""
        seats = [
            {"number": str(seat), "name": self.names[seat], "wind": wind, "wind_name": WIND_NAMES[wind]}
            for wind, seat in hand.seating.seated.items()
        ]
        out = [{"number": str(seat), "name": self.names[seat]} for seat in hand.seating.out]
        scored = scored_hand(self.table, hand.seating, entry.body, seats, out, not hand.winners)
        look = {**self.look, "bottom": str(self.placed[0])}
        return fragments.hand_result(scored, look, entry.key) if scored["state"] == "whole" else None
