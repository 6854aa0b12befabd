"""Who plays at which table: the sizes of the tables, the draw that mixes people, wishes kept. Plain Python, no Django.

The mixing is a local search from random starts: it needs no package, where the constraint solver tried beside it
weighs 270 MB and found no better draw in a second.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

SMALLEST, LARGEST = 3, 5
STARTS = 6
SHAKES = 24
PLACINGS = 20_000


class DrawError(ValueError):
    """A draw that cannot be made; str() is the sentence for whoever draws."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The tables, each with its people in the order of their seats (East, South, West, North, sitting out).

    `cost` is the sum over all pairs at a table of (meetings so far) squared.
    """

    tables: tuple[tuple[int, ...], ...]
    cost: int


def table_sizes(people: int) -> tuple[int, ...]:
    """Share so many people out over tables of 3, 4 and 5, the largest first.

    By the remainder by four: none, all fours; one, one five; two, two fives (six people: two threes); three, one
    three. One or two people: DrawError, nobody plays.
    """
    if people < SMALLEST:
        came = {0: "Nobody is here", 1: "One person is here", 2: "Two people are here"}[max(people, 0)]
        raise DrawError(f"{came}: a table needs at least three, so nobody plays.")
    if people == 6:
        return (3, 3)
    fours, over = divmod(people, 4)
    return {
        0: (4,) * fours,
        1: (5,) + (4,) * (fours - 1),
        2: (5, 5) + (4,) * (fours - 2),
        3: (4,) * fours + (3,),
    }[over]


def check_sizes(sizes: Sequence[int], people: int) -> None:
    """Raise DrawError where chosen sizes do not seat just these people."""
    table_sizes(people)
    for size in sizes:
        if not SMALLEST <= size <= LARGEST:
            raise DrawError(f"A table has three, four or five players, not {size}.")
    if sum(sizes) != people:
        raise DrawError(f"These tables seat {sum(sizes)}, but {people} are here.")


def draw_cost(tables: Iterable[Sequence[int]], meetings: Mapping[tuple[int, int], int]) -> int:
    """Sum (meetings so far) squared over all pairs at a table; `meetings` is keyed by (lower, higher)."""
    return sum(
        meetings.get((min(a, b), max(a, b)), 0) ** 2 for table in tables for i, a in enumerate(table) for b in table[:i]
    )


def draw_tables(
    people: Sequence[int],
    meetings: Mapping[tuple[int, int], int],
    *,
    sizes: Sequence[int] | None = None,
    apart: Iterable[tuple[int, int]] = (),
    together: Iterable[tuple[int, int]] = (),
    seed: int,
) -> Draw:
    """Draw tables and seats so that people meet those whom they met least.

    `people` are numbers, `meetings` how often each pair (lower, higher) sat at one table so far; `sizes` are the
    tables' sizes where somebody chose them, `apart` and `together` the pairs with a wish (wishes of people who are
    not here are left out). The same arguments and seed make the same draw. Raises DrawError: too few people, sizes
    that do not fit, wishes that cannot be kept.
    """
    here = sorted(set(people))
    sizes = tuple(sizes) if sizes is not None else table_sizes(len(here))
    check_sizes(sizes, len(here))
    wishes = _Wishes(here, sizes, apart, together)
    search = _Search(here, sizes, meetings, wishes, random.Random(seed))
    return search.best()


class _Wishes:
    """Who stays together (as units) and who is kept apart; placings of the units that have a wish."""

    def __init__(self, here, sizes, apart, together):
        self.sizes = sizes
        self.unit = {person: [person] for person in here}
        for a, b in together:
            if a in self.unit and b in self.unit and self.unit[a] is not self.unit[b]:
                joined = self.unit[a] + self.unit[b]
                for person in joined:
                    self.unit[person] = joined
        self.foes = {person: set() for person in here}
        for a, b in apart:
            if a in self.foes and b in self.foes and a != b:
                if self.unit[a] is self.unit[b]:
                    raise DrawError("Two people are to be kept apart and together at once.")
                self.foes[a].add(b)
                self.foes[b].add(a)
        largest = max((len(unit) for unit in self.unit.values()), default=0)
        if largest > max(sizes):
            raise DrawError(f"{largest} people are to stay together, but the largest table seats {max(sizes)}.")
        bound = {id(u): u for u in self.unit.values() if len(u) > 1 or any(self.foes[p] for p in u)}
        self.bound = sorted(bound.values(), key=lambda u: (-len(u), -sum(len(self.foes[p]) for p in u), u))

    def place(self, rng):
        """Return {person: table} for everybody with a wish, in a random way that keeps all of them."""
        placed, rooms = {}, list(self.sizes)
        left = [PLACINGS]
        if not self._place(0, placed, rooms, rng, left):
            if left[0] <= 0:
                raise DrawError("No draw was found that keeps all these wishes; take some of them away.")
            raise DrawError("These wishes cannot all be kept with these tables.")
        return placed

    def _place(self, at, placed, rooms, rng, left):
        if at == len(self.bound):
            return True
        unit = self.bound[at]
        tables = rng.sample(range(len(rooms)), len(rooms))
        for table in tables:
            left[0] -= 1
            if left[0] <= 0:
                return False
            if rooms[table] < len(unit) or any(placed.get(foe) == table for p in unit for foe in self.foes[p]):
                continue
            rooms[table] -= len(unit)
            placed.update(dict.fromkeys(unit, table))
            if self._place(at + 1, placed, rooms, rng, left):
                return True
            rooms[table] += len(unit)
            for person in unit:
                del placed[person]
        return False


class _Search:
    """Local search: swap two people while that lowers the cost, shake, go on; the best of several starts."""

    def __init__(self, here, sizes, meetings, wishes, rng):
        self.here, self.sizes, self.wishes, self.rng = here, sizes, wishes, rng
        place = {person: i for i, person in enumerate(here)}
        self.weight = [[0] * len(here) for _ in here]
        for (a, b), times in meetings.items():
            if a in place and b in place and a != b:
                self.weight[place[a]][place[b]] = self.weight[place[b]][place[a]] = times * times
        self.foes = [{place[foe] for foe in wishes.foes[person]} for person in here]
        self.single = [i for i, person in enumerate(here) if len(wishes.unit[person]) == 1]

    def best(self):
        found = min((self._from_a_start() for _ in range(STARTS)), key=lambda one: one[0])
        tables = [[] for _ in self.sizes]
        for person, table in zip(self.here, found[1], strict=True):
            tables[table].append(person)
        for table in tables:
            self.rng.shuffle(table)
        return Draw(tuple(map(tuple, tables)), found[0])

    def _from_a_start(self):
        at = self._start()
        best = (self._descend(at), list(at))
        for _ in range(SHAKES):
            if best[0] == 0:
                break
            trial = list(best[1])
            for _ in range(3):
                self._random_swap(trial)
            cost = self._descend(trial)
            if cost <= best[0]:
                best = (cost, trial)
        return best

    def _start(self):
        placed = self.wishes.place(self.rng)
        free = [table for table, size in enumerate(self.sizes) for _ in range(size)]
        for table in placed.values():
            free.remove(table)
        self.rng.shuffle(free)
        return [placed[person] if person in placed else free.pop() for person in self.here]

    def _links(self, at):
        """What each person has met, in squares, at each table."""
        links = [[0] * len(self.sizes) for _ in self.here]
        for i, row in enumerate(self.weight):
            for j, weight in enumerate(row):
                links[i][at[j]] += weight
        return links

    def _descend(self, at):
        links = self._links(at)
        while True:
            swap = self._best_swap(at, links)
            if swap is None:
                return sum(links[i][table] for i, table in enumerate(at)) // 2
            a, b = swap
            for i, row in enumerate(links):
                moved = self.weight[i][a] - self.weight[i][b]
                row[at[a]] -= moved
                row[at[b]] += moved
            at[a], at[b] = at[b], at[a]

    def _best_swap(self, at, links):
        best, found = 0, None
        for n, a in enumerate(self.single):
            table, mine, weights = at[a], links[a], self.weight[a]
            for b in self.single[:n]:
                other = at[b]
                if other == table:
                    continue
                theirs = links[b]
                gain = mine[other] + theirs[table] - mine[table] - theirs[other] - 2 * weights[b]
                if gain < best and self._may_swap(a, b, at):
                    best, found = gain, (a, b)
        return found

    def _may_swap(self, a, b, at):
        return not any(at[foe] == at[b] and foe != b for foe in self.foes[a]) and not any(
            at[foe] == at[a] and foe != a for foe in self.foes[b]
        )

    def _random_swap(self, at):
        if len(self.single) < 2:
            return
        a, b = self.rng.sample(self.single, 2)
        if self._may_swap(a, b, at):
            at[a], at[b] = at[b], at[a]
