"""The values of the score format: how large a figure may be, and how a sentence says a value."""

from __future__ import annotations

from typing import Any

HIGHEST = 10**9  # no figure typed at a table, and none of the house rules, is larger


def say_value(value: Any) -> str:
    """Say a value as the score format writes it, shortened where it is long."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, str):
        return value[:40] if value.isprintable() else "this text"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**12 else "so large a number"
    if isinstance(value, float):
        return str(value)
    return "this value"
