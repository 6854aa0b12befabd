"""Which tables so many people make under rules that limit their sizes, and who sits out. Plain Python, no Django."""

from collections.abc import Callable, Collection, Iterable, Sequence

from clubscore.scoring.words import listed
from clubscore.seating_draw.draw import TooFew, table_sizes, units_of

NUMBER_WORDS = {3: "three", 4: "four", 5: "five"}
ANY = frozenset(NUMBER_WORDS)


def usual_sizes(people: int, allowed: Collection[int] = ANY) -> tuple[int, ...]:
    """Return the sizes of the tables that seat as many people as possible, the largest first.

    `allowed` are the sizes that the rules allow. TooFew if not one table can be made.
    """
    if set(allowed) >= ANY:
        return table_sizes(people)
    for seated in range(people, 0, -1):
        ways = _ways(seated, allowed)
        if ways:
            return min(ways, key=lambda way: (len(way), way))
    raise TooFew(people, f"by the club’s rules a table needs {NUMBER_WORDS[min(allowed)]}")


def ways_to_seat(people: int, allowed: Collection[int] = ANY) -> list[tuple[int, ...]]:
    """Return every way to seat as many people as possible, as sorted sizes, the usual one first."""
    try:
        usual = usual_sizes(people, allowed)
    except TooFew:
        return []
    ways = _ways(sum(usual), allowed)
    return [usual, *sorted(ways - {usual}, key=lambda way: (len(way), way))]


def _ways(people: int, allowed: Collection[int]) -> set[tuple[int, ...]]:
    ways = {
        (5,) * fives + (4,) * fours + (3,) * ((people - 5 * fives - 4 * fours) // 3)
        for fives in range(people // 5 + 1)
        for fours in range((people - 5 * fives) // 4 + 1)
        if (people - 5 * fives - 4 * fours) % 3 == 0
    }
    return {way for way in ways if set(way) <= set(allowed)}


def tables_in_words(sizes: Sequence[int]) -> str:
    """Return “2 tables of five and 1 of four” for (5, 5, 4)."""
    parts = [f"{sizes.count(size)} of {NUMBER_WORDS[size]}" for size in (5, 4, 3) if size in sizes]
    first, *others = parts
    count, rest = first.split(" ", 1)
    first = f"{count} table{'' if count == '1' else 's'} {rest}"
    return listed([first, *others])


# Who plays if there are not enough seats: people take turns, and those who stay together sit out together.


def who_plays(
    people: Sequence[int],
    seats: int,
    together: Iterable[tuple[int, int]],
    turns: Callable[[int], tuple[float, float]],
) -> list[int]:
    """Return, sorted, the people who play; those who have played most sit out.

    `together` are pairs that play or sit out together (those not here are ignored); they are split only if the numbers
    need it, and as few as possible. `turns(person)` gives how often someone has played, and a random number for ties.
    """
    too_many = len(people) - seats
    # The best choice of so many people to sit out: (pairs split, turns, lots), and who they are.
    best: dict[int, tuple[tuple[float, float, float], list[int]]] = {0: ((0, 0, 0), [])}
    unit = units_of(people, together)
    for group in {unit[person][0]: unit[person] for person in people}.values():
        ranked = sorted(group, key=turns, reverse=True)
        found = dict(best)
        for count, ((split, played, lot), sitting_out) in best.items():
            for more in range(1, min(len(ranked), too_many - count) + 1):
                played_by, lots = zip(*map(turns, ranked[:more]), strict=True)
                worth = (split - (more < len(ranked)), played + sum(played_by), lot + sum(lots))
                if count + more not in found or worth > found[count + more][0]:
                    found[count + more] = (worth, sitting_out + ranked[:more])
        best = found
    return sorted(set(people) - set(best[too_many][1]))
