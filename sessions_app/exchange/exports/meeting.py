"""A meeting as JSON: who sat where, and every hand as entered. It can be imported again."""

import json
from collections import Counter
from collections.abc import Iterator
from operator import attrgetter
from typing import Any

from django.db.models import Prefetch, QuerySet, prefetch_related_objects

from clubscore.league.methods import grouped
from clubscore.play.command_kinds import ARRIVE, LEAVE, SEATING
from clubscore.play.meeting_lines import MeetingLines
from clubscore.scoring.rotation import WINDS, SeatingState
from sessions_app.exchange.exports.csv_files import file_name
from sessions_app.exchange.imports.meeting_file import REMOVED
from sessions_app.models import Club, Entry, Meeting, Payment, Player, Session
from sessions_app.table.ledger import StoredLedger, load_ledgers

BATCH = 50

# The notes that replace entries which had no effect on who sits where.
DID_NOT_FIT = {
    ARRIVE.key: "{} arrived: this did not fit and was left out.",
    LEAVE.key: "{} left: this did not fit and was left out.",
    SEATING.key: "A change of seats that did not fit was left out.",
}


def meetings_with_hands(club: Club) -> list[Meeting]:
    """Return the meetings with hands that can be exported, the latest first."""
    sessions = _sessions_with_hands(club).select_related("meeting").order_by("-date", "meeting", "table")
    return list(dict.fromkeys(session.meeting for session in sessions))


def meeting_json(meeting: Meeting) -> str:
    [(_, text)] = meeting_files(meeting.club, [meeting])
    return text


def meeting_files(club: Club, meetings: list[Meeting]) -> Iterator[tuple[Meeting, str]]:
    """Yield each meeting with its hands as JSON; seven queries for fifty meetings."""
    people = Player.objects.of_club(club).in_bulk()
    payments = Prefetch("payments", Payment.objects.order_by("pk"))
    for start in range(0, len(meetings), BATCH):
        batch = meetings[start : start + BATCH]
        sessions = _sessions_with_hands(club).filter(meeting__in=batch).order_by("table", "pk")
        ledgers = load_ledgers(list(sessions))
        entries = [entry for ledger in ledgers for entry in ledger.entry_rows.values()]
        prefetch_related_objects(entries, payments, "hand__player_hands")
        by_meeting = grouped(ledgers, attrgetter("session.meeting_id"))
        for meeting in batch:
            content = _meeting_content(meeting, by_meeting.get(meeting.pk, []), people)
            yield meeting, json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def meeting_file_name(meeting: Meeting) -> str:
    return file_name(meeting.club.slug, meeting.date, f"afternoon-{meeting.name}", "json")


def _sessions_with_hands(club: Club) -> QuerySet[Session]:
    return Session.objects.of_club(club).filter(practice=False, imported=False)


def _meeting_content(meeting: Meeting, ledgers: list[StoredLedger], people: dict[Any, Player]) -> dict[str, Any]:
    played = {seat.player_id for ledger in ledgers for seat in ledger.seat_rows.values()}
    members = {
        pk
        for pk, player in people.items()
        if not player.guest
        and not player.merged_into_id
        and (pk in played or (player.left_on is None and player.full_name))
    }
    tables = [_Table(ledger).content() for ledger in ledgers]
    totals: Counter[str] = Counter()
    for table in tables:
        totals.update(table["final"])
    known = {key: value for key, value in meeting.facts.items() if value}
    return {
        "club": meeting.club.name,
        "date": meeting.date.isoformat(),
        **({"meeting": known} if known else {}),
        "members": sorted(str(people[pk]) for pk in members),
        "absent": sorted(str(people[pk]) for pk in members - played),
        "tables": tables,
        "session_totals": dict(sorted(totals.items(), key=lambda row: (-row[1], row[0]))),
    }


class _Table:
    """Writes one session: its hands, and as `lines` the other entries, each before the hand with that number."""

    def __init__(self, ledger: StoredLedger) -> None:
        session = self.session = ledger.session
        self.entries = ledger.entry_rows.values()
        self.seats = list(ledger.seat_rows.values())
        # An entry with a question had no effect on who sits where.
        self.questions = ledger.replay().questions
        self.names = {seat.seat_no: str(seat.player) for seat in self.seats}
        self.file = MeetingLines(session.table, session.rules, self.names)
        self.at_start = [seat.seat_no for seat in self.seats if seat.at_start]
        self.present = set(self.at_start)
        self.hands: list[dict] = []
        self.lines: list[dict] = []
        self.running = dict.fromkeys(self.names.values(), 0)

    def content(self) -> dict:
        session = self.session
        for entry in self.entries:
            self._add(entry)
        # A seat whose only arrival was removed was never at the table.
        self.names = {seat_no: name for seat_no, name in self.names.items() if seat_no in self.present}
        content = {
            "table": session.table,
            "rules": session.rules,
            "house_rules": session.house_rules,
            "starting_balance": session.starting_balance,
            **({"sticks": session.sticks} if session.sticks else {}),
            "players": list(self.names.values()),
            "start": self.file.sitting(dict(zip(WINDS, self.at_start, strict=False)), self.at_start[4:]),
            "hands": self.hands,
            **({"club_hands": session.club_hands} if session.club_hands else {}),
            **({"lines": self.lines} if self.lines else {}),
            "final": {self.names[seat.seat_no]: seat.tally.net for seat in self.seats if seat.seat_no in self.names},
        }
        if session.seating:
            seating = SeatingState.from_dict(session.seating)
            content["next_hand"] = self.file.sitting(seating.seated, seating.out)
        return content

    def _add(self, entry: Entry) -> None:
        number = len(self.hands) + 1
        if entry.removed:
            if entry.kind == Entry.Kind.HAND and entry.played_in:
                removed = self.file.hand(entry.body, SeatingState.from_dict(entry.played_in), number)
                self.lines.append({"before": number, "kind": REMOVED, **removed})
            elif entry.kind == Entry.Kind.ARRIVE and self._has_debts(int(entry.body["seat"])):
                self.lines.append({"before": number, **self.file.line(entry.kind, entry.body), "taken_out": True})
                self.present.add(int(entry.body["seat"]))
        elif hand := getattr(entry, "hand", None):
            self.hands.append(self._hand(entry, hand, number))
        elif entry.kind != Entry.Kind.HAND:
            line = self.file.line(entry.kind, entry.body)
            if entry.kind in DID_NOT_FIT and entry.key_text in self.questions:
                line = {"kind": "note", "text": DID_NOT_FIT[entry.kind].format(line.get("player"))}
            if entry.kind == Entry.Kind.ARRIVE:
                self.present.add(int(entry.body["seat"]))
            self.lines.append({"before": number, **line})

    def _has_debts(self, seat_no: int) -> bool:
        """Whether a seat that never played has paid or received a penalty."""
        tally = next((seat.tally for seat in self.seats if seat.seat_no == seat_no and hasattr(seat, "tally")), None)
        return seat_no not in self.present and tally is not None and bool(tally.gained or tally.lost)

    def _hand(self, entry, hand, number):
        seating = SeatingState.from_dict(hand.seating)
        winds = {seat_no: wind for wind, seat_no in seating.seated.items()}
        wind_of_seat = {seat.pk: winds.get(seat.seat_no) for seat in self.seats}
        by_seat = {result.seat_id: result for result in hand.player_hands.all()}
        results = {seat.seat_no: by_seat[seat.pk] for seat in self.seats if seat.pk in by_seat}
        by_wind = {wind: results[seating.seated[wind]] for wind in WINDS if seating.seated.get(wind) in results}
        for seat_no, result in results.items():
            self.running[self.names[seat_no]] += result.net
        return {
            "number": number,
            "wind_of_round": hand.wind_of_round,
            "goulash": hand.goulash,
            **self.file.hand(entry.body, seating, number),
            "expect": {
                "hands": {wind: _result(result) for wind, result in by_wind.items()},
                "payments": [
                    {
                        "from": wind_of_seat[payment.payer_id],
                        "to": wind_of_seat.get(payment.payee_id),
                        "amount": payment.amount,
                        "why": payment.why,
                    }
                    for payment in entry.payments.all()
                ],
                "net": {wind: result.net for wind, result in by_wind.items()},
                "east_stays": hand.east_stays,
                "next_is_goulash": hand.next_is_goulash,
            },
            "net_by_player": {self.names[seat_no]: result.net for seat_no, result in results.items() if result.wind},
            "running": dict(self.running),
        }


def _result(result):
    found = {name: getattr(result, name) for name in ("total", "points", "doubles")}
    found["special"] = result.special or None
    return found | ({"fishing_for": result.fishing_for} if result.fishing_for else {})
