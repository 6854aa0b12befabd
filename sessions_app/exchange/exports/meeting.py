"""A meeting as JSON: who sat where, and every hand as entered. It can be imported again."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from django.db.models import Prefetch, QuerySet

from clubscore.scoring.rotation import WINDS, HandOutcome, SeatingState, first_seating, next_seating
from clubscore.table.command_kinds import ARRIVE, LEAVE, SEATING
from clubscore.table.meeting_lines import MeetingLines
from clubscore.table.replay import Entry as LedgerEntry
from clubscore.table.replay import Replayed, SessionFacts, replay
from sessions_app.exchange.exports.csv_files import file_name
from sessions_app.models import Club, Entry, Meeting, Payment, Player, Seat, Session

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
    """Yield each meeting with its hands as JSON; six queries for fifty meetings."""
    people = Player.objects.of_club(club).in_bulk()
    parts: tuple[Any, ...] = (
        Prefetch("seats", Seat.objects.select_related("player", "tally").order_by("seat_no")),
        Prefetch("entries", Entry.objects.select_related("hand").order_by("position")),
        Prefetch("entries__payments", Payment.objects.order_by("pk")),
        "entries__hand__player_hands",
    )
    for start in range(0, len(meetings), BATCH):
        batch = meetings[start : start + BATCH]
        by_meeting = defaultdict(list)
        sessions = _sessions_with_hands(club).filter(meeting__in=batch).order_by("table", "pk")
        for session in sessions.prefetch_related(*parts):
            by_meeting[session.meeting_id].append(session)
        for meeting in batch:
            content = _meeting_content(meeting, by_meeting[meeting.pk], people)
            yield meeting, json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def meeting_file_name(meeting: Meeting) -> str:
    return file_name(meeting.club.slug, meeting.date, f"afternoon-{meeting.name}", "json")


def _sessions_with_hands(club: Club) -> QuerySet[Session]:
    return Session.objects.of_club(club).filter(practice=False, imported=False)


def _meeting_content(meeting: Meeting, sessions: list[Session], people: dict[Any, Player]) -> dict[str, Any]:
    played = {seat.player_id for session in sessions for seat in session.seats.all()}
    members = {
        pk
        for pk, player in people.items()
        if not player.guest
        and not player.merged_into_id
        and (pk in played or (player.left_on is None and player.full_name))
    }
    tables = [_Table(session).content() for session in sessions]
    totals: Counter[str] = Counter()
    for table in tables:
        totals.update(table["final"])
    starts_at = f"{meeting.starts_at:%H:%M}" if meeting.starts_at else ""
    details = {"name": meeting.name, "starts_at": starts_at, "place": meeting.place}
    known = {key: value for key, value in details.items() if value}
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

    def __init__(self, session: Session) -> None:
        self.session = session
        self.seats = list(session.seats.all())
        self.names = {seat.seat_no: str(seat.player) for seat in self.seats}
        self.file = MeetingLines(session.table, session.rules, self.names)
        self.at_start = [seat.seat_no for seat in self.seats if seat.at_start]
        self.present = set(self.at_start)
        self.house = session.rule_set.house(session.house_rules)
        self.seating = first_seating(self.at_start, self.house)
        self.hands: list[dict] = []
        self.lines: list[dict] = []
        self.running = dict.fromkeys(self.names.values(), 0)

    def content(self) -> dict:
        session = self.session
        for entry in session.entries.all():
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
                self.lines.append(self._removed_hand(entry, number))
            elif entry.kind == Entry.Kind.ARRIVE and self._has_debts(int(entry.body["seat"])):
                self.lines.append({"before": number, **self.file.line(entry.kind, entry.body), "taken_out": True})
                self.present.add(int(entry.body["seat"]))
        elif hand := getattr(entry, "hand", None):
            self.hands.append(self._hand(entry, hand, number))
        elif entry.kind != Entry.Kind.HAND:
            line = self.file.line(entry.kind, entry.body)
            if entry.kind in DID_NOT_FIT and not self._change_seating(entry):
                line = {"kind": "note", "text": DID_NOT_FIT[entry.kind].format(line.get("player"))}
            if entry.kind == Entry.Kind.ARRIVE:
                self.present.add(int(entry.body["seat"]))
            self.lines.append({"before": number, **line})

    def _has_debts(self, seat_no: int) -> bool:
        """Whether a seat that never played has paid or received a penalty."""
        tally = next((seat.tally for seat in self.seats if seat.seat_no == seat_no and hasattr(seat, "tally")), None)
        return seat_no not in self.present and tally is not None and bool(tally.gained or tally.lost)

    def _change_seating(self, entry: Entry) -> bool:
        """Move the seats by an entry, and return whether it fitted: one with a question has no effect."""
        session = self.session
        facts = SessionFacts(
            session.rules, session.house_rules, session.club_hands, self.house, session.edition, 0, (), ()
        )
        line = LedgerEntry(entry.key_text, entry.kind, entry.body, entry.version)
        replayed = replay(facts, [line], {}, earlier=Replayed(self.seating))
        self.seating = replayed.seating
        return not replayed.questions

    def _hand(self, entry, hand, number):
        seating = SeatingState.from_dict(hand.seating)
        winds = _winds(seating)
        wind_of_seat = {seat.pk: winds.get(str(seat.seat_no)) for seat in self.seats}
        by_seat = {result.seat_id: result for result in hand.player_hands.all()}
        results = {seat.seat_no: by_seat[seat.pk] for seat in self.seats if seat.pk in by_seat}
        by_wind = {wind: results[seating.seated[wind]] for wind in WINDS if seating.seated.get(wind) in results}
        for seat_no, result in results.items():
            self.running[self.names[seat_no]] += result.net
        winners = tuple(seat_no for seat_no, result in results.items() if result.won)
        self.seating = next_seating(seating, HandOutcome(hand.kind, winners), self.house)
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

    def _removed_hand(self, entry: Entry, number: int) -> dict[str, Any]:
        """Return a removed hand as it was when it was removed, before hand `number`."""
        assert entry.played_in
        seating = SeatingState.from_dict(entry.played_in)
        return {"before": number, "kind": "taken out", **self.file.hand(entry.body, seating, number)}


def _winds(seating: SeatingState) -> dict[str, Any]:
    """Return each seat's wind, by the seat's number as the body of a hand writes it."""
    return {str(seat_no): wind for wind, seat_no in seating.seated.items()}


def _result(result):
    found = {
        "total": result.total,
        "points": result.points,
        "doubles": result.doubles,
        "special": result.special or None,
    }
    return found | ({"fishing_for": result.fishing_for} if result.fishing_for else {})
