"""Who plays where the tables have no place for all: by turn, and people who stay together are left over together."""

from collections.abc import Callable, Iterable, Sequence


def who_plays(
    people: Sequence[int],
    places: int,
    together: Iterable[tuple[int, int]],
    had: Callable[[int], tuple[float, float]],
) -> list[int]:
    """Return, sorted, so many of these people: left over are those who have played most, in sum.

    `together` are pairs that play together or are left over together (those not here count for nothing); they are torn
    only where no other choice leaves over just so many, and then as few as can be. `had(person)` tells how often one
    has played, and a lot that decides between those who have played as often.
    """
    over = len(people) - places
    best: dict[int, tuple[tuple[float, float, float], list[int]]] = {0: ((0, 0, 0), [])}
    for group in _groups(people, together):
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


def _groups(people, together):
    """Return the people in groups that stay together, one for whoever came alone."""
    group = {person: [person] for person in people}
    for a, b in together:
        if a in group and b in group and group[a] is not group[b]:
            joined = group[a] + group[b]
            group.update(dict.fromkeys(joined, joined))
    return list({id(one): one for one in map(group.get, people)}.values())
