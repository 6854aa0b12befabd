"""A paper score sheet typed in hand by hand: read, checked against the sheet's totals, and recorded."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from clubscore.play.outcomes import Outcome
from clubscore.play.scoring_by_seat import score_by_seat
from clubscore.play.seatings import NO_WINNER, seating_after, winner_of
from clubscore.scoring import RULE_SETS, HouseRules, ScoringError, house_rules
from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.unlikely_totals import unlikely_totals
from sessions_app.models import Entry, Hand, Seat, Session
from sessions_app.people.log import Actor
from sessions_app.people.permissions import HasRole
from sessions_app.people.plain_text import plain_figure
from sessions_app.table.apply_command import apply_command
from sessions_app.table.command_results import CommandResult
from sessions_app.table.sessions import current_seating

ROWS = 20
DONE = {Outcome.RECORDED, Outcome.AGAIN}
LATEST_KEYS = 100


@dataclass(frozen=True)
class PaperRow:
    """One row as it was typed: texts by seat number; `winner` is a wind, a name, a seat number or D for nobody."""

    at: int
    key: str
    totals: dict[str, str]
    winner: str
    sheet: dict[str, str]

    @property
    def is_blank(self) -> bool:
        return not (self.winner or any(self.totals.values()) or any(self.sheet.values()))


@dataclass(frozen=True)
class Remark:
    """A sentence about a row: a "problem" to correct, a "difference" from the sheet's totals, or a "note" to check.

    A winner with fewer points than any Mah-jong scores is "asked" about before it is saved.
    """

    kind: str
    words: str
    name: str = ""
    seat: str = ""


@dataclass
class PaperHand:
    """A row worked out; `seating` is None after a row without a winner, as nobody knows who sits where."""

    row: PaperRow
    number: int
    seating: SeatingState | None
    body: dict | None = None
    running: dict[int, int] | None = None
    sheet: dict[int, int] = field(default_factory=dict)
    said: list[Remark] = field(default_factory=list)

    @property
    def problems(self) -> list[Remark]:
        return [remark for remark in self.said if remark.kind == "problem"]

    def add_problem(self, words: str, name: str, seat: int | str = "") -> None:
        self.said.append(Remark("problem", f"Hand {self.number}: {words}", name, str(seat)))


@dataclass(frozen=True)
class PaperTable:
    """The table before the first row; `recorded` are number and seating of the hands recorded already, by key."""

    session: Session
    house: HouseRules
    seating: SeatingState
    balances: dict[int, int]
    names: dict[int, str]
    first_number: int
    last_entry: str | None
    recorded: dict[str, tuple[int, SeatingState]]

    @property
    def columns(self) -> list[int]:
        return sorted(self.seating.at_table)


def paper_table(session: Session) -> PaperTable:
    """Return a table as it is now; three queries."""
    seats = Seat.objects.filter(session=session, tally__isnull=False).select_related("player", "tally")
    hands = Hand.objects.filter(session=session, entry__removed=False).select_related("entry")
    last = Entry.objects.filter(session=session).active().last()
    recorded = {str(hand.entry.key): (hand.number, SeatingState.from_dict(hand.seating)) for hand in hands}
    balances, names = {}, {}
    for seat in seats:
        balances[seat.seat_no], names[seat.seat_no] = seat.tally.balance, seat.player.name
    return PaperTable(
        session=session,
        house=house_rules(session.rules, session.house_rules),
        seating=current_seating(session),
        balances=balances,
        names=names,
        first_number=max((number for number, _ in recorded.values()), default=0) + 1,
        last_entry=str(last.key) if last else None,
        recorded=recorded,
    )


def decided_keys(session: Session) -> list[str]:
    """Return the latest keys that are decided: a page need not keep what it sent with them."""
    decided = session.commands.filter(outcome__in=[Outcome.APPLIED, Outcome.DROPPED])
    return [str(key) for key in decided.order_by("-pk").values_list("key", flat=True)[:LATEST_KEYS]]


def work_out(table: PaperTable, rows: Iterable[PaperRow]) -> list[PaperHand]:
    """Work out the typed rows in order, without blank ones; nothing is written.

    Each hand has its seating by the rotation, its body for the command if nothing is missing, the balances after it if
    every earlier hand is complete, and remarks about what is missing or unlikely.
    """
    seating: SeatingState | None = table.seating
    running, number = table.balances, table.first_number
    hands = []
    for row in rows:
        if row.is_blank:
            continue
        if row.key in table.recorded:
            hand = PaperHand(row, *table.recorded[row.key])
            _read(hand, table)
        else:
            hand = PaperHand(row, number, seating)
            number += 1
            if seating is not None:
                _read(hand, table)
                running = hand.running = _settled(hand, table, running)
                # The winner alone decides who sits where next.
                seating = seating_after(seating, winner_of(row.winner, seating, table.names), table.house)
        hands.append(hand)
    return hands


def record(
    table: PaperTable,
    hands: list[PaperHand],
    *,
    after: str | None,
    seats: dict[str, str] | None,
    device: str,
    by: Actor,
    membership: HasRole | None = None,
) -> tuple[int, CommandResult | None]:
    """Record every hand with its own key, up to the first that is refused.

    `after` and `seats` are what the page knew before its first row. Returns how many were recorded now or earlier, and
    the result that refused the next one, if any.
    """
    for done, hand in enumerate(hands):
        seated = hand.seating.seated if hand.seating else {}
        command = {
            "key": hand.row.key,
            "kind": "hand",
            "body": hand.body,
            "device": device,
            "after": after,
            "seats": seats or {wind: str(seat) for wind, seat in seated.items()},
        }
        answer = apply_command(table.session.pk, command, by, membership=membership)
        if answer.outcome not in DONE:
            return done, answer
        after, seats = answer.entry or after, None
    return len(hands), None


def _read(hand: PaperHand, table: PaperTable) -> None:
    """Read the figures and the winner of a row, and add a problem for what is missing; a blank is not a 0."""
    assert hand.seating
    winner = _read_winner(hand, hand.seating, table)
    hands: dict[str, dict[str, Any]] = {}
    for seat in table.columns:
        text = plain_figure(hand.row.totals.get(str(seat), ""))
        if hand.seating.wind_of(seat) is None:
            if text:
                hand.add_problem(f"{table.names[seat]} sits out, but has {text[:12]}.", "total", seat)
            continue
        if text == "" and winner == NO_WINNER:
            hands[str(seat)] = {}
            continue
        hands[str(seat)] = {"total": _read_total(hand, table, seat, text)}
    for seat_no, question in unlikely_totals(RULE_SETS[table.session.rules], table.house, hands, {str(winner)}).items():
        words = f"Hand {hand.number}: {table.names[int(seat_no)]}: {question}"
        # A winner with too few is mostly a wrong letter.
        least, total = RULE_SETS[table.session.rules].winner_least, hands[seat_no]["total"] or 0
        is_asked = seat_no == str(winner) and total < least
        hand.said.append(Remark("asked" if is_asked else "note", words, "total", seat_no))
    _read_sheet(hand, table)
    if not hand.problems:
        mahjong = None if winner == NO_WINNER else {"by": str(winner)}
        hand.body = {"hands": hands, "mahjong": mahjong, "penalties": []}


def _read_winner(hand: PaperHand, seating: SeatingState, table: PaperTable) -> int | str | None:
    text = hand.row.winner
    winner = winner_of(text, seating, table.names)
    if not text:
        hand.add_problem("say who went Mah-jong, or that nobody did.", "winner")
    elif winner is None:
        hand.add_problem(
            f"“{text[:20]}” is not playing in this hand. Enter {_letters(seating)}, or D for nobody.", "winner"
        )
    return winner


def _letters(seating: SeatingState) -> str:
    *others, last = seating.seated
    return f"{', '.join(others)} or {last}"


def _read_total(hand: PaperHand, table: PaperTable, seat: int, text: str) -> int | None:
    name = table.names[seat]
    if not text:
        hand.add_problem(f"enter {name}’s score. If it was nothing, enter 0.", "total", seat)
    elif re.fullmatch(r"-[0-9]{1,7}", text):
        words = f"{text} has a minus. Enter what {name}’s tiles scored, 0 or more. Who pays whom follows from that."
        hand.add_problem(words, "total", seat)
    elif not re.fullmatch(r"[0-9]{1,7}", text):
        words = f"“{text[:20]}” is not a whole number. Enter {name}’s score in figures, for example 64."
        hand.add_problem(words, "total", seat)
    else:
        return int(text)
    return None


def _read_sheet(hand: PaperHand, table: PaperTable) -> None:
    for seat in table.columns:
        text = plain_figure(hand.row.sheet.get(str(seat), ""))
        figures = re.sub(r"[,\s]", "", text)
        if re.fullmatch(r"[-+]?[0-9]{1,9}", figures):
            hand.sheet[seat] = int(figures)
        elif text:
            words = f"“{text[:20]}” is not a whole number. Enter the sheet’s total for {table.names[seat]} in figures."
            hand.add_problem(words, "sheet", seat)


def _settled(hand, table, running):
    if hand.body is None:
        return None
    try:
        net = score_by_seat(hand.body, hand.seating, table.session)["net"]
    except ScoringError as error:
        seat = hand.seating.seated.get(error.seat, "")
        hand.add_problem(str(error), "total" if seat else "winner", seat)
        return None
    return running and {seat: balance + net.get(str(seat), 0) for seat, balance in running.items()}


# The sheet's own running totals compared with ours.


def compare(table: PaperTable, hands: list[PaperHand]) -> str:
    """Add a remark where each difference between the sheet's totals and ours begins; return a summary.

    Sheets start at the starting balance or at 0, whichever leaves fewer differences.
    """
    checked = [hand for hand in hands if hand.sheet and hand.running]
    if not checked:
        return ""
    starting = table.session.starting_balance
    above = min((0, starting), key=lambda above: _gaps(checked, above))
    found = sum(_compare_player(table, checked, seat, above) for seat in table.columns)
    start = f" We have taken them to start at {starting - above:,}." if starting else ""
    if found:
        places = "one place" if found == 1 else f"{found} places"
        return f"The sheet’s totals and ours differ in {places}.{start}"
    compared = f"hand {checked[0].number}" if len(checked) == 1 else f"{len(checked)} hands"
    return f"The sheet’s totals agree with ours, after {compared}.{start}"


def _gaps(checked: list[PaperHand], above: int) -> tuple[int, Any]:
    """Return how many totals differ from ours, and by how much in all, if ours start this much above the sheet's."""
    gaps = [abs(total + above - (hand.running or {})[seat]) for hand in checked for seat, total in hand.sheet.items()]
    return sum(map(bool, gaps)), sum(gaps)


def _compare_player(table: PaperTable, checked: list[PaperHand], seat: int, above: int) -> int:
    """Add a remark where one player's totals begin to differ, and where the difference changes; return how many."""
    gaps = [(hand, hand.sheet[seat] + above - (hand.running or {})[seat]) for hand in checked if seat in hand.sheet]
    agreed, last, found = table.first_number - 1, 0, 0
    for place, (hand, gap) in enumerate(gaps):
        if gap not in (0, last):
            until = next((later.number for later, later_gap in gaps[place + 1 :] if later_gap == 0), None)
            words = _difference(table.names[seat], agreed + 1, hand.number, gap, until)
            hand.said.append(Remark("difference", words, "sheet", str(seat)))
            found += 1
        agreed, last = hand.number, gap
    return found


def _difference(name: str, first: int, seen: int, gap: int, until: int | None) -> str:
    more = f"{abs(gap):,} {'more' if gap > 0 else 'less'}"
    again = f"; after hand {until} it agrees again" if until else ""
    if first == seen:
        return f"From hand {seen} on, {name}’s total on the sheet is {more} than ours{again}."
    return f"Somewhere in hands {first} to {seen}: {name}’s total on the sheet is then {more} than ours{again}."
