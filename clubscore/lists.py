"""Names one after the other, as people say them. Plain Python, no Django."""

from collections.abc import Iterable


def listed(names: Iterable[str], joint: str = "and") -> str:
    """Say “Ann, Bob and Cy”, or with another word before the last; nothing where there are none."""
    *first, last = [*names] or [""]
    return f"{', '.join(first)} {joint} {last}" if first else last
