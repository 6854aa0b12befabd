"""Who plays at which table: the sizes of the tables, the draw, seating requests. Plain Python, no Django.

The mixing is a local search from random starts: it needs no package, where the constraint solver tried as well
weighs 270 MB and found no better draw in a second.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from clubscore.scoring.lots import Lots

SMALLEST, LARGEST = 3, 5
STARTS, MORE_STARTS = 6, 360
SHAKES = 24
PLACINGS = 20_000
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
    """Not one table comes about: how many came, and what a table needs."""

    def __init__(self, came: int, needs: str) -> None:
        self.came, self.needs = came, needs
        super().__init__(f"{HOW_MANY[came]} here: {needs}, so nobody can play yet.")

    def while_others_play(self) -> str:
        """Return it for those who are free."""
        return f"{HOW_MANY[self.came]} free: {self.needs}." if self.came else "Everyone who is here is already playing."


class _OutOfPlacings(DrawError):
    """Wishes that could not be placed in so many trials; another start may find a way."""


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
    three. One or two people: TooFew, nobody plays.
    """
    if people < SMALLEST:
        raise TooFew(max(people, 0), "a table needs at least three")
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
    tables' sizes if chosen, `apart` and `together` the pairs with a request (requests of people who are
    not here are left out). The same arguments and seed make the same draw. Raises DrawError: too few people, sizes
    that do not fit, requests that cannot be kept.
    """
    here = sorted(set(people))
    sizes = tuple(sizes) if sizes is not None else table_sizes(len(here))
    check_sizes(sizes, len(here))
    apart, together = list(apart), list(together)
    requests = _Requests(here, sizes, apart, together)
    try:
        return _Search(here, sizes, meetings, requests, Lots(seed)).best()
    except _OutOfPlacings:
        raise
    except DrawError as error:
        raise DrawError(str(error), _in_the_way(here, sizes, apart, together) or error.people) from None


def _in_the_way(here, sizes, apart, together):
    """Return the people of a few requests that cannot all be kept; no one when there are many requests."""
    requests = [(kind, *pair) for kind, pairs in (("apart", apart), ("together", together)) for pair in pairs]
    requests = [request for request in requests if {*request[1:]} <= {*here}]
    if len(requests) > FEW_REQUESTS:
        return ()
    for request in list(requests):
        others = [one for one in requests if one != request]
        if not _can_be_kept(here, sizes, others):
            requests = others
    return {person for _, *pair in requests for person in pair}


def _can_be_kept(here, sizes, requests):
    pairs = {kind: [pair for of, *pair in requests if of == kind] for kind in ("apart", "together")}
    try:
        _Requests(here, sizes, **pairs).place(Lots(0))
    except _OutOfPlacings:
        return True  # not known
    except DrawError:
        return False
    return True


class _Requests:
    """Who stays together (as units) and who is kept apart; seats the units that have a request."""

    def __init__(self, here: Any, sizes: Any, apart: Any, together: Any) -> None:
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
                    raise DrawError("Two people asked both to sit together and to sit apart.", (a, b))
                self.foes[a].add(b)
                self.foes[b].add(a)
        largest = max(self.unit.values(), key=len)
        if len(largest) > max(sizes):
            words = f"{len(largest)} people asked to sit together, but the largest table seats {max(sizes)}."
            raise DrawError(words, largest)
        bound = {u[0]: u for u in self.unit.values() if len(u) > 1 or any(self.foes[p] for p in u)}
        self.bound = sorted(bound.values(), key=lambda u: (-len(u), -sum(len(self.foes[p]) for p in u), u))

    def place(self, rng: Any) -> Any:
        """Return {person: table} for everyone with a request, at random, keeping every request."""
        placed, rooms = {}, list(self.sizes)
        left = [PLACINGS]
        if not self._place(0, placed, rooms, rng, left):
            asking = [person for unit in self.bound for person in unit]
            if left[0] <= 0:
                raise _OutOfPlacings(
                    "No seating was found that follows all these requests. Remove some of them.", asking
                )
            raise DrawError("These seating requests cannot all be followed with these tables.", asking)
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
    """Local search: exchange units while that lowers the cost, shake, go on; the best of several starts.

    A unit is one person, or people who stay together; what a unit costs within itself never changes.
    """

    def __init__(self, here: Any, sizes: Any, meetings: Any, requests: Any, rng: Any) -> None:
        self.here, self.sizes, self.requests, self.rng = here, sizes, requests, rng
        self.units = list({unit[0]: unit for unit in [requests.unit[person] for person in here]}.values())
        self.of = {person: i for i, unit in enumerate(self.units) for person in unit}
        self.weight = [[0] * len(self.units) for _ in self.units]
        self.within = 0
        for (a, b), times in meetings.items():
            if a in self.of and b in self.of and a != b:
                one, other = self.of[a], self.of[b]
                if one == other:
                    self.within += times * times
                else:
                    self.weight[one][other] += times * times
                    self.weight[other][one] += times * times
        self.foes = [{self.of[foe] for person in unit for foe in requests.foes[person]} for unit in self.units]
        self.numbers = list(range(len(self.units)))
        large = {len(unit) for unit in self.units}
        self.alike = [[i for i in self.numbers if len(self.units[i]) == size] for size in sorted(large)]
        self.large = [i for i in self.numbers if len(self.units[i]) > 1]

    def best(self) -> Any:
        cost, at = min(self._starts(), key=lambda one: one[0])
        tables = [[] for _ in self.sizes]
        for person in self.here:
            tables[at[self.of[person]]].append(person)
        return Draw(tuple(tuple(self.rng.shuffled(table)) for table in tables), cost + self.within)

    def _starts(self):
        """Return what came of each start; one that ran out of placings is left out while others did not."""
        found, stuck = [], None
        # Wishes bar many ways: the fewer people there are, the more starts they are given.
        starts = max(STARTS, MORE_STARTS // len(self.here)) if self.requests.bound else STARTS
        for _ in range(starts):
            try:
                found.append(self._from_a_start())
            except _OutOfPlacings as error:
                stuck = error
        if not found:
            raise stuck
        return found

    def _from_a_start(self):
        at = self._start()
        best = (self._descend(at), list(at))
        for _ in range(SHAKES):
            if best[0] == 0:
                break
            trial = list(best[1])
            for _ in range(3):
                self._random_exchange(trial)
            cost = self._descend(trial)
            if cost <= best[0]:
                best = (cost, trial)
        return best

    def _start(self):
        placed = self.requests.place(self.rng)
        free = [table for table, size in enumerate(self.sizes) for _ in range(size)]
        for table in placed.values():
            free.remove(table)
        free = self.rng.shuffled(free)
        return [placed[unit[0]] if unit[0] in placed else free.pop() for unit in self.units]

    def _links(self, at):
        """What each unit has met, in squares, at each table."""
        links = [[0] * len(self.sizes) for _ in self.units]
        for i, row in enumerate(self.weight):
            for j, weight in enumerate(row):
                links[i][at[j]] += weight
        return links

    def _descend(self, at):
        links = self._links(at)
        while True:
            found = self._best_swap(at, links) or (self.large and self._best_exchange(at, links))
            if not found:
                return sum(links[i][table] for i, table in enumerate(at)) // 2
            self._exchange(*found, at, links)

    def _exchange(self, ours, theirs, at, links):
        table, other = at[ours[0]], at[theirs[0]]
        for units, left, came in ((ours, table, other), (theirs, other, table)):
            for unit in units:
                at[unit] = came
                for row, weight in zip(links, self.weight[unit], strict=True):
                    row[left] -= weight
                    row[came] += weight

    def _best_swap(self, at, links):
        """Return the best exchange of two units of the same size, or None where none lowers the cost."""
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

    def _best_exchange(self, at, links):
        """Return the best exchange of people who stay together with as many of another table, or None."""
        best, found = 0, None
        weight, groups = self.weight, self._groups(at)
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

    def _groups(self, at):
        """Return {people: [(table, units)]}: the two or more units of one table that are so many people together."""
        tables, groups = [[] for _ in self.sizes], {}
        for unit, table in enumerate(at):
            tables[table].append(unit)
        for table, units in enumerate(tables):
            for number in range(2, len(units)):
                for group in combinations(units, number):
                    people = sum(len(self.units[unit]) for unit in group)
                    groups.setdefault(people, []).append((table, group))
        return groups

    def _may_exchange(self, ours, theirs, at):
        """Whether no one would join a table with a person to be kept apart from."""
        return self._may_come(ours, at[theirs[0]], theirs, at) and self._may_come(theirs, at[ours[0]], ours, at)

    def _may_come(self, units, table, leaving, at):
        return not any(at[foe] == table and foe not in leaving for unit in units for foe in self.foes[unit])

    def _random_exchange(self, at):
        if len(self.units) < 2:
            return
        a, b = sorted(self.rng.sample(self.numbers, 2), key=lambda unit: -len(self.units[unit]))
        if at[a] == at[b]:
            return
        people, group = len(self.units[a]), (b,)
        if len(self.units[b]) < people:
            groups = [units for table, units in self._groups(at).get(people, ()) if b in units]
            if not groups:
                return
            group = self.rng.choice(groups)
        if self._may_exchange((a,), group, at):
            table = at[b]
            for unit in group:
                at[unit] = at[a]
            at[a] = table
