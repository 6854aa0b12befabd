"""The sheet's own running totals held against ours: where they part, and by how much."""

from .paper import Said


def compare(table, hands):
    """Note at the line where it began each difference between the sheet's totals and ours; say what was found.

    Sheets begin at the starting balance or at nought: the beginning that leaves the fewest differences is taken.
    """
    checked = [hand for hand in hands if hand.sheet and hand.running]
    if not checked:
        return ""
    begins_at = _beginning(table, checked)
    above = table.session.starting_balance - begins_at
    found = sum(_compare_player(table, checked, seat, above) for seat in table.columns)
    beginning = f" They are read as beginning at {begins_at:,}." if table.session.starting_balance else ""
    if found:
        return f"The sheet’s totals and ours part in {_times(found)}.{beginning}"
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
