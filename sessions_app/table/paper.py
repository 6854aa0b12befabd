"""A whole paper sheet, hand by hand: worked out as it will be played, and recorded through the door."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from clubscore.scoring import RULE_SETS, HouseRules, ScoringError, house_rules
from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.unlikely_totals import unlikely_totals
from clubscore.table import outcomes
from clubscore.table.live_scoring import score_by_seat
from clubscore.table.seatings import NO_WINNER, seating_after, winner_of
from sessions_app.models import Command, Entry, Hand, Seat, Session
from sessions_app.people.log import Actor
from sessions_app.table.apply_command import apply_command
from sessions_app.table.command_results import CommandResult
from sessions_app.table.sessions import current_seating

ROWS = 20
DONE = {outcomes.Outcome.RECORDED, outcomes.Outcome.AGAIN}
LATEST_KEYS = 100


@dataclass(frozen=True)
class PaperRow:
    """One line as it was typed: texts by seat number; `winner` is a wind, a name, a seat number or D for nobody."""

    at: int
    key: str
    totals: dict[str, str]
    winner: str
    sheet: dict[str, str]

    @property
    def is_blank(self) -> bool:
        return not (self.winner or any(self.totals.values()) or any(self.sheet.values()))


@dataclass(frozen=True)
class Said:
    """A sentence about a line: a "problem" to mend, a "difference" from the sheet's totals, a "note" to look again."""

    kind: str
    words: str
    name: str = ""
    seat: str = ""


@dataclass
class PaperHand:
    """A line worked out; `seating` None: nobody knows who sits where, as the winner of a line before it is missing."""

    row: PaperRow
    number: int
    seating: SeatingState | None
    body: dict | None = None
    running: dict[int, int] | None = None
    sheet: dict[int, int] = field(default_factory=dict)
    said: list[Said] = field(default_factory=list)

    @property
    def problems(self) -> list[Said]:
        return [one for one in self.said if one.kind == "problem"]

    def problem(self, words: str, name: str = "", seat: str = "") -> None:
        self.said.append(Said("problem", f"Hand {self.number}: {words}", name, str(seat)))

    def note(self, words: str, name: str, seat: str) -> None:
        self.said.append(Said("note", f"Hand {self.number}: {words}", name, str(seat)))


@dataclass(frozen=True)
class PaperTable:
    """What the next line of the sheet builds on; `recorded`: number and seating of the hands on it, by key."""

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
    """Read a table as it stands, in three queries."""
    seats = Seat.objects.filter(session=session).select_related("player", "tally")
    hands = Hand.objects.filter(session=session, entry__taken_out=False).select_related("entry")
    last = Entry.objects.filter(session=session).active().order_by("position").last()
    recorded = {str(hand.entry.key): (hand.number, SeatingState.from_dict(hand.chairs)) for hand in hands}
    balances, names = {}, {}
    for seat in seats:
        balances[seat.chair], names[seat.chair] = seat.tally.balance, seat.player.name
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
    """Return the latest keys about which nothing is left to do: a page need not keep what it sent under them."""
    decided = session.commands.filter(outcome__in=[Command.Outcome.APPLIED, Command.Outcome.DROPPED])
    return [str(key) for key in decided.order_by("-pk").values_list("key", flat=True)[:LATEST_KEYS]]


def work_out(table: PaperTable, rows: Iterable[PaperRow]) -> list[PaperHand]:
    """Work out typed lines one after another, blank ones left out; nothing is written.

    Each hand has its seating by the rotation, the door's body where nothing is missing, the balances after it where
    every hand before it is complete, and sentences about what is missing or doubtful.
    """
    seating, running, number = table.seating, table.balances, table.first_number
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
                # A line that lacks a total still tells who sits where next, one that lacks its winner does not.
                seating = seating_after(seating, winner_of(row.winner, seating, table.names), table.house)
        hands.append(hand)
    return hands


def record(
    table: PaperTable, hands: list[PaperHand], *, after: str | None, seats: dict[str, str], device: str, by: Actor
) -> tuple[int, CommandResult | None]:
    """Send every hand through the door under its own key, up to the first that is refused.

    `after` and `seats` are what the page knew before its first line. Returns how many were recorded now or before, and
    the answer that refused the next one (None: all are recorded).
    """
    for done, hand in enumerate(hands):
        command = {
            "key": hand.row.key,
            "kind": "hand",
            "body": hand.body,
            "device": device,
            "after": after,
            "seats": seats or {wind: str(seat) for wind, seat in hand.seating.seated.items()},
        }
        answer = apply_command(table.session.pk, command, by)
        if answer.outcome not in DONE:
            return done, answer
        after, seats = answer.entry or after, None
    return len(hands), None


def _read(hand, table):
    """Read a line's figures and its winner; what is missing is asked for, a blank never counts as a nought."""
    winner = _read_winner(hand, table)
    hands = {}
    for seat in table.columns:
        text = hand.row.totals.get(str(seat), "").strip()
        if hand.seating.wind_of(seat) is None:
            if text:
                hand.problem(f"{table.names[seat]} sits out, but has {text[:12]}.", "total", seat)
            continue
        if text == "" and winner == NO_WINNER:
            hands[str(seat)] = {}
            continue
        hands[str(seat)] = {"total": _read_total(hand, table, seat, text)}
    _ask_about_totals(hand, table, hands, winner)
    _read_sheet(hand, table)
    if not hand.problems:
        mahjong = None if winner == NO_WINNER else {"by": str(winner)}
        hand.body = {"hands": hands, "mahjong": mahjong, "penalties": []}


def _read_winner(hand, table):
    text = hand.row.winner
    winner = winner_of(text, hand.seating, table.names)
    if not text:
        hand.problem(f"enter who went Mah-jong: {_letters(hand.seating)}, or D for nobody.", "winner")
    elif winner is None:
        hand.problem(
            f"“{text[:20]}” is not playing in this hand. Enter {_letters(hand.seating)}, or D for nobody.", "winner"
        )
    return winner


def _letters(seating):
    *others, last = seating.seated
    return f"{', '.join(others)} or {last}"


def _read_total(hand, table, seat, text):
    name = table.names[seat]
    if not text:
        hand.problem(f"enter {name}’s score. If it was nothing, enter 0.", "total", seat)
    elif not re.fullmatch(r"[0-9]{1,7}", text):
        words = f"“{text[:20]}” is not a whole number. Enter {name}’s score in figures, for example 64."
        hand.problem(words, "total", seat)
    else:
        return int(text)
    return None


def _ask_about_totals(hand, table, hands, winner):
    for seat, question in unlikely_totals(RULE_SETS[table.session.rules], table.house, hands, {str(winner)}).items():
        hand.note(f"{table.names[int(seat)]}: {question}", "total", seat)


def _read_sheet(hand, table):
    for seat in table.columns:
        text = hand.row.sheet.get(str(seat), "").strip()
        figures = re.sub(r"[,\s]", "", text).replace("\u2212", "-").replace("\u2013", "-")
        if re.fullmatch(r"[-+]?[0-9]{1,9}", figures):
            hand.sheet[seat] = int(figures)
        elif text:
            words = f"“{text[:20]}” is not a whole number. Enter the sheet’s total for {table.names[seat]} in figures."
            hand.problem(words, "sheet", seat)


def _settled(hand, table, running):
    if hand.body is None:
        return None
    try:
        net = score_by_seat(hand.body, hand.seating, table.session)["net"]
    except ScoringError as error:
        seat = hand.seating.seated.get(error.seat, "")
        hand.problem(str(error), "total" if seat else "winner", seat)
        return None
    return running and {seat: balance + net.get(str(seat), 0) for seat, balance in running.items()}


# The sheet's own running totals held against ours: where they part, and by how much.


def compare(table: PaperTable, hands: list[PaperHand]) -> str:
    """Note at the line where it began each difference between the sheet's totals and ours; say what was found.

    Sheets begin at the starting balance or at nought: the beginning that leaves the fewest differences is taken.
    """
    checked = [hand for hand in hands if hand.sheet and hand.running]
    if not checked:
        return ""
    begins_at = _beginning(table, checked)
    above = table.session.starting_balance - begins_at
    found = sum(_compare_player(table, checked, seat, above) for seat in table.columns)
    beginning = f" They are read as starting at {begins_at:,}." if table.session.starting_balance else ""
    if found:
        return f"The sheet’s totals and ours differ in {_times(found)}.{beginning}"
    return f"The sheet’s totals agree with ours, after {_hands(checked)}.{beginning}"


def _times(found):
    return "one place" if found == 1 else f"{found} places"


def _hands(checked):
    return f"hand {checked[0].number}" if len(checked) == 1 else f"{len(checked)} hands"


def _beginning(table, checked):
    starting = table.session.starting_balance

    def apart(begins_at):
        above = starting - begins_at
        gaps = [abs(total + above - hand.running[seat]) for hand in checked for seat, total in hand.sheet.items()]
        return sum(map(bool, gaps)), sum(gaps)

    return min((starting, 0), key=apart)


def _compare_player(table, checked, seat, above):
    """Say where one player's totals part: once where a difference begins, again where it becomes another."""
    mine = [(hand, hand.sheet[seat] + above - hand.running[seat]) for hand in checked if seat in hand.sheet]
    agreed, last, found = table.first_number - 1, 0, 0
    for place, (hand, gap) in enumerate(mine):
        if gap not in (0, last):
            until = next((later.number for later, again in mine[place + 1 :] if again == 0), None)
            words = _sentence(table.names[seat], agreed + 1, hand.number, gap, until)
            hand.said.append(Said("difference", words, "sheet", str(seat)))
            found += 1
        agreed, last = hand.number, gap
    return found


def _sentence(name, begins, seen, gap, until):
    more = f"{abs(gap):,} {'more' if gap > 0 else 'less'}"
    again = f"; after hand {until} it agrees again" if until else ""
    if begins == seen:
        return f"From hand {seen} on, {name}’s total on the sheet is {more} than ours{again}."
    return f"Somewhere in hands {begins} to {seen}: {name}’s total on the sheet is then {more} than ours{again}."
