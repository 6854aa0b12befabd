"""Plays one session in memory, with the steps of apply_command, so that its rows can be written in bulk."""

import datetime
import uuid
from dataclasses import replace

from clubscore.play.outcomes import Outcome
from clubscore.play.preview import said_after
from clubscore.play.replay import EntryError, seat_tallies
from clubscore.scoring import RULE_SETS
from clubscore.scoring.rotation import RotationError
from sessions_app.models import Command, Tally
from sessions_app.people.log import change_of
from sessions_app.people.transactions import ServiceError
from sessions_app.table.carry_out import carry_out
from sessions_app.table.command_results import CommandResult
from sessions_app.table.ledger import StoredLedger
from sessions_app.table.sticks import stick_counts
from sessions_app.table.store import tally_values

from .hands import hand_body, won_by

MAX_TRIES = 30
OFFICIAL = "chinese_official"
# What happens at a table, with weights; the chances that someone comes late or leaves early.
EVENTS = (("hand", 960), ("penalty", 8), ("note", 8), ("exchange", 3), ("correct", 12), ("take_out", 4), ("agree", 5))
LATE, EARLY = 0.06, 0.05


class TableInPlay:
    """One table: each command is carried out in memory, and its rows are collected unsaved."""

    def __init__(self, session, seats, guest, pool, luck, by, began):
        self.ledger = StoredLedger(session, seats, [], {}, {})
        if guest:
            self.ledger.add_player(guest)
        self.guest, self.pool, self.luck, self.by, self.at = guest, pool, luck, by, began
        self.changes, self.commands, self.versions = [], [], {}
        self.hands_played = 0
        self.done = self.ledger.replay()

    def play(self, hands):
        """Play that many hands and other events, then finish the session."""
        arrives = self._some_hand(LATE, hands) if self.guest else None
        leaves = self._some_hand(EARLY, hands)
        while self.hands_played < hands:
            if self.hands_played == arrives:
                arrives = None
                self._arrive()
            elif self.hands_played == leaves:
                leaves = None
                self._leave()
            kind = self.luck.weighted(EVENTS)
            if kind == "hand" or not self.hands_played:
                self._hand()
                self.hands_played += 1
            else:
                getattr(self, f"_{kind}")()
        session = self.ledger.session
        session.finished_at = self._later(5)
        self._send("finish", {})
        session.finished_at = self.at
        session.seating = self.done.seating.to_dict()
        session.version += len(self.commands)
        # The table is sent to another process, which does not need the pool.
        self.pool = ()

    def tallies(self):
        """Return every seat's unsaved tally."""
        session = self.ledger.session
        done = replace(self.done, hands=[replace(hand, is_kept=False) for hand in self.done.hands])
        found, sticks = seat_tallies(self.ledger.facts, done), stick_counts(self.ledger, done)
        return [
            Tally(
                club=session.club,
                session=session,
                seat=seat,
                season=session.season,
                player=seat.player,
                **tally_values(self.ledger, found[seat.seat_no], sticks),
            )
            for seat in self.ledger.seat_rows.values()
            if seat.seat_no in found
        ]

    def _some_hand(self, chance, hands):
        return 1 + int(self.luck.one_of(range(hands))) if self.luck.chance(chance) else None

    @property
    def playing(self):
        return [str(seat) for seat in self.done.seating.seated.values()]

    def _later(self, minutes):
        self.at += datetime.timedelta(seconds=int(60 * minutes * (0.6 + 0.8 * self.luck.one_of((0, 0.3, 0.5, 0.7, 1)))))
        return self.at

    def _hand(self):
        self._later(8)
        for _ in range(MAX_TRIES):
            body = hand_body(self.pool, self.luck, self.playing)
            if self.luck.chance(0.01):
                body["penalties"] = [self._penalty_of(self.luck.one_of((10, 20, 50)))]
            if self._send("hand", body):
                return
        self._send("hand", {"hands": {}, "mahjong": None})

    def _penalty_of(self, amount):
        by, to = self._two()
        return {"kind": "fine", "by": by, "to": to, "amount": amount}

    def _two(self):
        by = self.luck.one_of(self.playing)
        return by, self.luck.one_of([seat for seat in self.playing if seat != by])

    def _penalty(self):
        by, to = self._two()
        self._send("fine", {"by": by, "to": to, "amount": self.luck.one_of((5, 10, 20)), "why": "mobile phone"})

    def _note(self):
        self._send("note", {"text": self.luck.one_of(("Tea.", "New table cloth.", "Counted twice, agreed."))})

    def _exchange(self):
        a, b = self._two()
        self._send("exchange", {"a": a, "b": b})

    def _arrive(self):
        rule_set = RULE_SETS[self.ledger.rules]
        if len(self.done.seating.at_table) < max(rule_set.players):
            self._send("arrive", {"player": self.guest.pk})

    def _leave(self):
        if len(self.done.seating.at_table) > min(RULE_SETS[self.ledger.rules].players):
            self._send("leave", {"seat": str(self.luck.one_of(self.done.seating.at_table))})

    def _correct(self):
        """Change the winner of a hand if that moves no seats, else what a loser entered."""
        hand = self.luck.one_of(self.done.hands[-6:])
        seats = [str(seat) for seat in hand.seating.seated.values()]
        if hand.kind != "won" or self.ledger.rules == OFFICIAL:
            return
        if len(self.done.seating.at_table) > 4 or hand is not self.done.hands[-1]:
            body = dict(self.ledger.find(hand.key).body)
            loser = self.luck.one_of([seat for seat in seats if int(seat) not in hand.winners])
            body["hands"] = {**body["hands"], loser: {"total": 2 * self.luck.one_of((0, 1, 2, 4))}}
        else:
            body = won_by(self.luck.one_of(self.pool), self.luck, seats, self.luck.one_of(seats))
        self._send("correct", {"entry": hand.key, "body": body})

    def _take_out(self):
        """Remove the last entry, and restore it if it is a hand."""
        entry = self.ledger.entries[-1]
        if entry.kind in ("fine", "note"):
            self._send("take_out", {"entry": entry.key})
        elif entry.kind == "hand":
            self._send("take_out", {"entry": entry.key})
            self._send("put_back", {"entry": entry.key})

    def _agree(self):
        hand = self.done.hands[-1]
        self._send("agree", {"entry": hand.key, "seat": self.luck.one_of(list(map(str, hand.seating.at_table)))})

    def _send(self, kind, body):
        """Carry out a command; return whether it could be, without leaving a question about a hand."""
        ledger = self.ledger
        command = {
            "key": str(uuid.uuid4()),
            "kind": kind,
            "body": body,
            "device": "",
            "after": ledger.entries[-1].key if ledger.entries else None,
            "seats": {wind: str(seat) for wind, seat in self.done.seating.seated.items()},
            "why": "",
        }
        before = [replace(entry) for entry in ledger.entries], list(ledger.seats), dict(ledger.stored)
        try:
            subject, key, done = carry_out(ledger, command, self.by, self.done)
        except (EntryError, RotationError, ServiceError):
            done = None
        if done is None or done.questions:
            ledger.entries, ledger.seats, ledger.stored = before
            ledger.before = {}
            return False
        answer = CommandResult(
            outcome=Outcome.RECORDED,
            message=said_after(command, ledger, self.done, done, key, None),
            entry=key,
        )
        self._collect_rows(command, answer, subject)
        self._keep(done)
        return True

    def _collect_rows(self, command, answer, subject):
        ledger, by, session = self.ledger, self.by, self.ledger.session
        change = change_of(session, by, command["kind"], subject, ledger.before, ledger.after())
        change.at = self.at
        self.changes.append(change)
        changed = [key for key, before in ledger.before.get("entries", {}).items() if before is not None]
        versions = {"versions": {key: ledger.find(key).version for key in changed}} if changed else {}
        self.commands.append(
            Command(
                session=session,
                **{name: command[name] for name in ("key", "kind", "body", "device", "after", "seats")},
                outcome=Command.Outcome.APPLIED,
                answer=answer.to_store() | versions,
                user=by.user,
                name=by.name,
                received_at=self.at,
            )
        )

    def _keep(self, done):
        """Do in memory what `table.store` does: versions of entries and hands, and the stored results."""
        self.ledger.update_rows()
        for entry in self.ledger.touched_entries:
            row = self.ledger.entry_rows[entry.key]
            row.created_at = row.created_at or self.at
            row.changed_at = self.at
        was = {hand.key: hand for hand in self.done.hands}
        self.versions = {hand.key: self._version(hand, was.get(hand.key)) for hand in done.hands}
        self.ledger.stored = {hand.key: hand for hand in done.hands}
        self.ledger.before = {}
        self.done = done

    def _version(self, hand, was):
        if was is None:
            return 1
        is_same = hand is was or hand.is_kept and (hand.number, hand.entry_version) == (was.number, was.entry_version)
        return self.versions[hand.key] + (not is_same)
