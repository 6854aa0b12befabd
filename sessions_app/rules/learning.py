"""How far a learner has got: which lines of a score are shown large, the rest behind one tap; kept in a cookie."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

COOKIE = "learning"


@dataclass(frozen=True)
class Stage:
    """One stage, as teachers of the game take them; `units` are those of the lines that are shown."""

    key: str
    name: str
    sentence: str
    units: tuple[str, ...]
    rest: str = ""  # what the lines behind the tap are


POINTS = Stage(
    "points",
    "Points only",
    "The points of sets, pairs and flowers, and of going Mah-jong.",
    ("points",),
    "Doubles and special hands",
)

DOUBLES = Stage(
    "doubles",
    "Points and doubles",
    "The points, and what doubles them.",
    ("points", "doubles", "times"),
    "Special hands",
)

EVERYTHING = Stage(
    "all", "Everything", "Every line of a score at once, special hands too.", ("points", "doubles", "times", "limit")
)

STAGES = (POINTS, DOUBLES, EVERYTHING)
BY_KEY = {stage.key: stage for stage in STAGES}


@dataclass(frozen=True)
class Staged:
    """The lines of one score: those of the stage, and those behind the tap."""

    stage: Stage
    shown: list[Any]
    rest: list[Any]


def stage_of(request: HttpRequest) -> Stage:
    """Return the stage this device has chosen; everything where it has chosen none."""
    return BY_KEY.get(request.COOKIES.get(COOKIE, ""), EVERYTHING)


def staged(lines: Iterable[Any], stage: Stage) -> Staged:
    """Divide lines, which have a `unit`, into those of the stage and the rest."""
    is_shown = [_unit(line) in stage.units for line in lines]
    shown = [line for line, here in zip(lines, is_shown, strict=True) if here]
    return Staged(stage, shown, [line for line, here in zip(lines, is_shown, strict=True) if not here])


def _unit(line):
    return line["unit"] if isinstance(line, dict) else line.unit
