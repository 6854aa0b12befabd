"""What somebody who comes late asks at a table: how long East has kept the deal, and how the last hand went."""

from dataclasses import dataclass

from clubscore.scoring.rotation import Chairs, Outcome, has_kept_most
from sessions_app.models import Hand
from sessions_app.queries.sheet import Row

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@dataclass(frozen=True)
class LastHand:
    """The last hand that stands, and what each who went Mah-jong in it scored."""

    row: Row

    @property
    def number(self):
        return self.row.hand.number

    @property
    def winners(self):
        return [cell for cell in self.row.cells if cell.won]


def last_hand(sheet):
    return LastHand(sheet.hands[-1]) if sheet.hands else None


def east_running(sheet, chairs):
    """Count for the how manieth hand running East is East, the coming one included; a void hand is played again."""
    hands = 1
    for row in reversed(sheet.hands):
        if row.hand.chairs["winds"][0] != chairs.east:
            break
        hands += row.hand.kind != Hand.Kind.VOID
    return hands


def deal_words(last, house):
    """Say why the deal has passed though East won the last hand; nothing where that is not so."""
    if not last:
        return ""
    hand, winners = last.row.hand, tuple(cell.seat.chair for cell in last.winners)
    chairs = Chairs.from_dict(hand.chairs)
    if not has_kept_most(chairs, Outcome(hand.kind, winners), house):
        return ""
    times = f"{chairs.kept} time{'' if chairs.kept == 1 else 's'}"
    return f"The deal passes: {last.row.east} has kept it {times}, the most allowed."


def ordinal(number):
    """Say a place in words up to the tenth, then in figures: "third", "12th", "21st"."""
    if number <= len(ORDINALS):
        return ORDINALS[number - 1]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def east_words(sheet, chairs):
    """Say how long East has been East: "for the third hand running"; nothing for the first."""
    hands = east_running(sheet, chairs)
    return f"for the {ordinal(hands)} hand running" if hands > 1 else ""
