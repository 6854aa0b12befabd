"""Account-once for sets that combine: a join between two sets already joined, directly or not, does not count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Join = tuple[int, ...]


def joins_that_count(rows: Sequence[Iterable[Join]]) -> list[int]:
    """Give how many joins of each row count. A join names the places of two or more sets of one reading.

    Rows are gone through from the last (dearest) to the first; a join counts when it brings together sets that
    are not yet joined, so that n sets carry n - 1 joins at most and never a closed ring.
    """
    group = list(range(8))
    counted = [0] * len(rows)
    for at in range(len(rows) - 1, -1, -1):
        for join in rows[at]:
            groups = {group[place] for place in join}
            if len(groups) < len(join):
                continue
            keep = min(groups)
            group = [keep if one in groups else one for one in group]
            counted[at] += 1
    return counted
