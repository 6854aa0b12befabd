"""Who plays at which table: the sizes of the tables, the draw, seating requests. Plain Python, no Django.

The mixing is a local search from random starts: it needs no package, and a constraint solver of 270 MB found no better
draw in a second.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from clubscore.scoring.seeded_random import SeededRandom

Pair = tuple[int, int]
Units = tuple[int, ...]

MIN_SIZE, MAX_SIZE = 3, 5
STARTS, MORE_STARTS = 6, 360
SHAKES = 24
MAX_PLACINGS = 20_000
# How many exchanges are looked at: all starts and shakes of sixty people take 1.6 million. Those of two hundred would
# take 27 million, and five seconds.
MAX_LOOKS = 4_000_000
FEW_REQUESTS = 30
HOW_MANY = ("Nobody is", "One person is", "Two people are", "Three people are", "Four people are")


class DrawError(ValueError):
    """A draw that cannot be made; str() is the sentence to show.

    `people` are those whose requests cannot be kept; empty when requests are not the reason.
    """

    def __init__(self, sentence: str, people: Iterable[int] = ()) -> None:
        super().__init__(sentence)
        self.people = tuple(sorted(people))


class TooFew(DrawError):
    """Not one table can be made: how many people came, and what a table needs."""

    def __init__(self, came: int, needs: str) -> None:
        self.came, self.needs = came, needs
        super().__init__(f"{HOW_MANY[came]} here: {needs}, so nobody can play yet.")

    def while_others_play(self) -> str:
        """Return the sentence when other tables are playing already."""
        return f"{HOW_MANY[self.came]} free: {self.needs}." if self.came else "Everyone who is here is already playing."


class _OutOfPlacings(DrawError):
    """Requests that could not be placed in MAX_PLACINGS trials; another start may succeed."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The tables, each with its people in the order of their seats (East, South, West, North, sitting out).

    `cost` is the sum over all pairs at a table of (meetings so far) squared.
    """

    tables: tuple[tuple[int, ...], ...]
    cost: int


def table_sizes(people: int) -> tuple[int, ...]:
    """Return the sizes of the tables for so many people: fours, with fives or a three as needed, the largest first.

    Six people make two threes. TooFew for one or two.
    """
    if people < MIN_SIZE:
        raise TooFew(max(people, 0), "a table needs at least three")
    if people == 6:
        return (3, 3)
    fours, left = divmod(people, 4)
    if left == 3:
        return (4,) * fours + (3,)
    return (5,) * left + (4,) * (fours - left)


def check_sizes(sizes: Sequence[int], people: int) -> None:
    """Raise DrawError unless tables of these sizes seat exactly so many people."""
    table_sizes(people)
    for size in sizes:
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise DrawError(f"A table has three, four or five players, not {size}.")
    if sum(sizes) != people:
        raise DrawError(f"These tables seat {sum(sizes)}, but {people} are here.")


def draw_cost(tables: Iterable[Sequence[int]], meetings: Mapping[Pair, int]) -> int:
    """Sum (meetings so far) squared over all pairs at a table; `meetings` is keyed by (lower, higher)."""
    return sum(
        meetings.get((min(a, b), max(a, b)), 0) ** 2 for table in tables for i, a in enumerate(table) for b in table[:i]
    )


def draw_tables(
    people: Sequence[int],
    meetings: Mapping[Pair, int],
    *,
    sizes: Sequence[int] | None = None,
    apart: Iterable[Pair] = (),
    together: Iterable[Pair] = (),
    seed: int,
) -> Draw:
    """Draw tables and seats so that people sit with those they have met least.

    `people` are numbers, `meetings` how often each pair (lower, higher) has sat at one table; `sizes` are the tables'
    sizes if chosen, `apart` and `together` the pairs with a request (those of people who are not here are ignored).
    The same arguments and seed give the same draw. DrawError: too few people, sizes that do not fit, requests that
    cannot be kept.
    """
    here = sorted(set(people))
    sizes = tuple(sizes) if sizes is not None else table_sizes(len(here))
    check_sizes(sizes, len(here))
    apart, together = list(apart), list(together)
    requests = _Requests(here, sizes, apart, together)
    try:
        return _Search(here, sizes, meetings, requests, SeededRandom(seed)).best()
    except _OutOfPlacings:
        raise
    except DrawError as error:
        raise DrawError(str(error), _in_the_way(here, sizes, apart, together) or error.people) from None


def _in_the_way(here: list[int], sizes: Sequence[int], apart: list[Pair], together: list[Pair]) -> set[int]:
    """Return the people of a few requests that cannot all be kept; no one if there are many requests."""
    requests = [("apart", *pair) for pair in apart] + [("together", *pair) for pair in together]
    requests = [(kind, a, b) for kind, a, b in requests if a in here and b in here]
    if len(requests) > FEW_REQUESTS:
        return set()
    for request in list(requests):
        others = [other for other in requests if other != request]
        if not _can_be_kept(here, sizes, others):
            requests = others
    return {person for _, *pair in requests for person in pair}


def _can_be_kept(here: list[int], sizes: Sequence[int], requests: list[tuple[str, int, int]]) -> bool:
    apart, together = [[(a, b) for kind, a, b in requests if kind == wanted] for wanted in ("apart", "together")]
    try:
        _Requests(here, sizes, apart, together).place(SeededRandom(0))
    except _OutOfPlacings:
        return True  # not known
    except DrawError:
        return False
    return True


class _Requests:
    """Who stays together (as units) and who is kept apart; seats the units that have a request."""

    def __init__(self, here: list[int], sizes: Sequence[int], apart: list[Pair], together: list[Pair]) -> None:
        self.sizes = sizes
        self.unit = units_of(here, together)
        self.foes: dict[int, set[int]] = {person: set() for person in here}
        for a, b in apart:
            if a in self.foes and b in self.foes and a != b:
                if self.unit[a] is self.unit[b]:
                    raise DrawError("Two people asked both to sit together and to sit apart.", (a, b))
                self.foes[a].add(b)
                self.foes[b].add(a)
        largest = max(self.unit.values(), key=len)
        if len(largest) > max(sizes):
            words = f"{len(largest)} people asked to sit together, but the largest table seats {max(sizes)}."
            raise DrawError(words, largest)
        bound = {u[0]: u for u in self.unit.values() if len(u) > 1 or any(self.foes[p] for p in u)}
        self.bound = sorted(bound.values(), key=lambda u: (-len(u), -sum(len(self.foes[p]) for p in u), u))

    def place(self, lots: SeededRandom) -> dict[int, int]:
        """Return {person: table} for everyone with a request, at random, keeping every request."""
        placed: dict[int, int] = {}
        left = [MAX_PLACINGS]
        if not self._place(0, placed, list(self.sizes), lots, left):
            asking = [person for unit in self.bound for person in unit]
            if left[0] <= 0:
                raise _OutOfPlacings(
                    "No seating was found that follows all these requests. Remove some of them.", asking
                )
            raise DrawError("These seating requests cannot all be followed with these tables.", asking)
        return placed

    def _place(self, at: int, placed: dict[int, int], rooms: list[int], lots: SeededRandom, left: list[int]) -> bool:
        """Place the units from this one on; `rooms` are the free seats of each table, `left` the trials left."""
        if at == len(self.bound):
            return True
        unit = self.bound[at]
        for table in lots.shuffled(range(len(rooms))):
            left[0] -= 1
            if left[0] <= 0:
                return False
            if rooms[table] < len(unit) or any(placed.get(foe) == table for p in unit for foe in self.foes[p]):
                continue
            rooms[table] -= len(unit)
            placed.update(dict.fromkeys(unit, table))
            if self._place(at + 1, placed, rooms, lots, left):
                return True
            rooms[table] += len(unit)
            for person in unit:
                del placed[person]
        return False


def units_of(people: Iterable[int], together: Iterable[Pair]) -> dict[int, list[int]]:
    """Return {person: the people who stay together with this one, and themselves}."""
    unit = {person: [person] for person in people}
    for a, b in together:
        if a in unit and b in unit and unit[a] is not unit[b]:
            joined = unit[a] + unit[b]
            unit.update(dict.fromkeys(joined, joined))
    return unit


class _Search:
    """Local search: exchange units while that lowers the cost, shake, continue; the best of several starts.

    A unit is one person, or people who stay together; its own cost never changes. `at` is the table of each unit, and
    `links` what each unit has met, in squares, at each table. `looks` are the exchanges that may still be looked at:
    with very many people there are fewer starts and shakes, and always a whole seating.
    """

    def __init__(
        self,
        here: list[int],
        sizes: Sequence[int],
        meetings: Mapping[Pair, int],
        requests: _Requests,
        lots: SeededRandom,
    ) -> None:
        self.here, self.sizes, self.requests, self.lots = here, sizes, requests, lots
        self.units = list({unit[0]: unit for unit in [requests.unit[person] for person in here]}.values())
        self.of = {person: i for i, unit in enumerate(self.units) for person in unit}
        self.weight = [[0] * len(self.units) for _ in self.units]
        self.within = 0
        for (a, b), times in meetings.items():
            if a in self.of and b in self.of and a != b:
                first, second = self.of[a], self.of[b]
                if first == second:
                    self.within += times * times
                else:
                    self.weight[first][second] += times * times
                    self.weight[second][first] += times * times
        self.foes = [{self.of[foe] for person in unit for foe in requests.foes[person]} for unit in self.units]
        self.numbers = list(range(len(self.units)))
        unit_sizes = {len(unit) for unit in self.units}
        self.alike = [[i for i in self.numbers if len(self.units[i]) == size] for size in sorted(unit_sizes)]
        self.large = [i for i in self.numbers if len(self.units[i]) > 1]
        self.looks = MAX_LOOKS

    def best(self) -> Draw:
        cost, at = min(self._results(), key=lambda result: result[0])
        tables: list[list[int]] = [[] for _ in self.sizes]
        for person in self.here:
            tables[at[self.of[person]]].append(person)
        return Draw(tuple(tuple(self.lots.shuffled(table)) for table in tables), cost + self.within)

    def _results(self) -> list[tuple[int, list[int]]]:
        """Return (cost, at) of each start; a start that runs out of placings is left out, unless they all do."""
        found: list[tuple[int, list[int]]] = []
        stuck = None
        # Requests block many ways: the fewer people there are, the more starts they get.
        starts = max(STARTS, MORE_STARTS // len(self.here)) if self.requests.bound else STARTS
        for _ in range(starts):
            if found and self.looks <= 0:
                break
            try:
                found.append(self._from_a_start())
            except _OutOfPlacings as error:
                stuck = error
        if stuck and not found:
            raise stuck
        return found

    def _from_a_start(self) -> tuple[int, list[int]]:
        at = self._start()
        best = (self._descend(at), list(at))
        for _ in range(SHAKES):
            if best[0] == 0 or self.looks <= 0:
                break
            trial = list(best[1])
            for _ in range(3):
                self._random_exchange(trial)
            cost = self._descend(trial)
            if cost <= best[0]:
                best = (cost, trial)
        return best

    def _start(self) -> list[int]:
        placed = self.requests.place(self.lots)
        free = [table for table, size in enumerate(self.sizes) for _ in range(size)]
        for table in placed.values():
            free.remove(table)
        free = self.lots.shuffled(free)
        return [placed[unit[0]] if unit[0] in placed else free.pop() for unit in self.units]

    def _descend(self, at: list[int]) -> int:
        """Exchange units while that lowers the cost, and return the cost."""
        links = [[0] * len(self.sizes) for _ in self.units]
        for i, row in enumerate(self.weight):
            for j, weight in enumerate(row):
                links[i][at[j]] += weight
        while True:
            self.looks -= len(self.units) ** 2 // 2
            found = (self._best_swap(at, links) or self._best_exchange(at, links)) if self.looks > 0 else None
            if not found:
                return sum(links[i][table] for i, table in enumerate(at)) // 2
            self._exchange(*found, at, links)

    def _exchange(self, ours: Units, theirs: Units, at: list[int], links: list[list[int]]) -> None:
        table, other = at[ours[0]], at[theirs[0]]
        for units, left, came in ((ours, table, other), (theirs, other, table)):
            for unit in units:
                at[unit] = came
                for row, weight in zip(links, self.weight[unit], strict=True):
                    row[left] -= weight
                    row[came] += weight

    def _best_swap(self, at: list[int], links: list[list[int]]) -> tuple[Units, Units] | None:
        """Return the best exchange of two units of the same size, or None if none lowers the cost."""
        best, found = 0, None
        for alike in self.alike:
            for n, a in enumerate(alike):
                table, mine, weights = at[a], links[a], self.weight[a]
                for b in alike[:n]:
                    other = at[b]
                    if other == table:
                        continue
                    theirs = links[b]
                    gain = mine[other] + theirs[table] - mine[table] - theirs[other] - 2 * weights[b]
                    if gain < best and self._may_exchange((a,), (b,), at):
                        best, found = gain, ((a,), (b,))
        return found

    def _best_exchange(self, at: list[int], links: list[list[int]]) -> tuple[Units, Units] | None:
        """Return the best exchange of people who stay together with as many of another table, or None."""
        if not self.large:
            return None
        best, found = 0, None
        weight, groups = self.weight, self._groups(at)
        self.looks -= sum(len(groups.get(len(self.units[a]), ())) for a in self.large)
        for a in self.large:
            table, mine, weights = at[a], links[a], self.weight[a]
            for other, group in groups.get(len(self.units[a]), ()):
                if other == table:
                    continue
                gain = mine[other] - mine[table]
                gain += sum(links[b][table] - links[b][other] - 2 * weights[b] for b in group)
                gain += 2 * sum(weight[b][c] for b, c in combinations(group, 2))
                if gain < best and self._may_exchange((a,), group, at):
                    best, found = gain, ((a,), group)
        return found

    def _groups(self, at: list[int]) -> dict[int, list[tuple[int, Units]]]:
        """Return {people: [(table, units)]}: two or more units of one table that are so many people together."""
        groups: dict[int, list[tuple[int, Units]]] = {}
        for table in range(len(self.sizes)):
            units = [unit for unit in self.numbers if at[unit] == table]
            for number in range(2, len(units)):
                for group in combinations(units, number):
                    people = sum(len(self.units[unit]) for unit in group)
                    groups.setdefault(people, []).append((table, group))
        return groups

    def _may_exchange(self, ours: Units, theirs: Units, at: list[int]) -> bool:
        """Whether no one would join a table with a person to be kept apart from."""
        return self._may_join(ours, at[theirs[0]], theirs, at) and self._may_join(theirs, at[ours[0]], ours, at)

    def _may_join(self, units: Units, table: int, leaving: Units, at: list[int]) -> bool:
        return not any(at[foe] == table and foe not in leaving for unit in units for foe in self.foes[unit])

    def _random_exchange(self, at: list[int]) -> None:
        if len(self.units) < 2:
            return
        a, b = sorted(self.lots.sample(self.numbers, 2), key=lambda unit: -len(self.units[unit]))
        if at[a] == at[b]:
            return
        people = len(self.units[a])
        group: Units = (b,)
        if len(self.units[b]) < people:
            groups = [units for table, units in self._groups(at).get(people, ()) if b in units]
            if not groups:
                return
            group = self.lots.choice(groups)
        if self._may_exchange((a,), group, at):
            table = at[b]
            for unit in group:
                at[unit] = at[a]
            at[a] = table
