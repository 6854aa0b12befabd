"""Which tables so many people make where the rules say how many may sit at one. Plain Python, no Django."""

from collections.abc import Callable, Collection, Iterable, Sequence

from clubscore.scoring.words import listed
from clubscore.seating_draw.draw import TooFew, table_sizes, units_of

NUMBER_WORDS = {3: "three", 4: "four", 5: "five"}
ANY = frozenset(NUMBER_WORDS)


def usual_sizes(people: int, allowed: Collection[int] = ANY) -> tuple[int, ...]:
    """Return the tables that as many as possible of so many people make, the largest first.

    `allowed` are the sizes that the rules let sit at a table; anyone else sits out. TooFew
    when not one table can be made.
    """
    if set(allowed) >= ANY:
        return table_sizes(people)
    for seated in range(people, 0, -1):
        ways = _ways(seated, allowed)
        if ways:
            return min(ways, key=lambda way: (len(way), way))
    raise TooFew(people, f"by the club’s rules a table needs {NUMBER_WORDS[min(allowed)]}")


def ways_to_seat(people: int, allowed: Collection[int] = ANY) -> list[tuple[int, ...]]:
    """Return every way to seat as many of these people as can be, as sorted sizes, the usual one first."""
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


# Who plays when not everyone has a seat: people take turns, and those who stay together sit out together.


def who_plays(
    people: Sequence[int],
    places: int,
    together: Iterable[tuple[int, int]],
    had: Callable[[int], tuple[float, float]],
) -> list[int]:
    """Return, sorted, the people who play; those who have played most sit out.

    `together` are pairs that play or sit out together (those not here are ignored); as few as possible are split, and
    only if the numbers need it. `had(person)` gives how often someone has played, and a random number for ties.
    """
    over = len(people) - places
    best: dict[int, tuple[tuple[float, float, float], list[int]]] = {0: ((0, 0, 0), [])}
    unit = units_of(people, together)
    for group in {unit[person][0]: unit[person] for person in people}.values():
        ranked = sorted(group, key=had, reverse=True)
        found = dict(best)
        for count, ((torn, played, lot), left) in best.items():
            for more in range(1, min(len(ranked), over - count) + 1):
                turns, lots = zip(*map(had, ranked[:more]), strict=True)
                worth = (torn - (more < len(ranked)), played + sum(turns), lot + sum(lots))
                if count + more not in found or worth > found[count + more][0]:
                    found[count + more] = (worth, left + ranked[:more])
        best = found
    return sorted(set(people) - set(best[over][1]))
