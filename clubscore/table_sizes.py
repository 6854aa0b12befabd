"""Which tables so many people make where the rules say how many may sit at one. Plain Python, no Django."""

from collections.abc import Collection, Sequence

from clubscore.draw import TooFew, table_sizes
from clubscore.lists import listed

NUMBER_WORDS = {3: "three", 4: "four", 5: "five"}
ANY = frozenset(NUMBER_WORDS)


def usual_sizes(people: int, allowed: Collection[int] = ANY) -> tuple[int, ...]:
    """Return the tables that as many as possible of so many people make, the largest first.

    `allowed` are the sizes that the rules let sit at a table; whoever finds no place at these is left over. TooFew
    where not one table comes about.
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
        (5,) * fives + (4,) * fours + (3,) * (rest // 3)
        for fives in range(people // 5 + 1)
        for fours in range((people - 5 * fives) // 4 + 1)
        if (rest := people - 5 * fives - 4 * fours) % 3 == 0
    }
    return {way for way in ways if set(way) <= set(allowed)}


def tables_in_words(sizes: Sequence[int]) -> str:
    """Say “2 tables of five and 1 of four” for (5, 5, 4)."""
    parts = [f"{sizes.count(size)} of {NUMBER_WORDS[size]}" for size in (5, 4, 3) if size in sizes]
    first, *others = parts
    count, _, rest = first.partition(" ")
    first = f"{count} table{'' if count == '1' else 's'} {rest}"
    return listed([first, *others])
