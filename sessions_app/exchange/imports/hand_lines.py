"""Lines of hands played: each line of bytes becomes one line of JSON, scored or with its error."""

import json
from collections.abc import Iterator
from typing import Any

from clubscore.scoring import ScoringError, score_hand_played

MAX_LINE = 100_000  # bytes; the longest hand played is far below


class NotJson(ValueError):
    """A line that is no JSON of ours, as a sentence."""


def _without_doubles(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotJson("A key is there twice in one object.")
    return found


def _no_constant(name):
    raise NotJson(f"{name} is not a number.")


_decoder = json.JSONDecoder(object_pairs_hook=_without_doubles, parse_constant=_no_constant)
_encode = json.JSONEncoder(ensure_ascii=True, separators=(", ", ": ")).encode


def read_line(line: Any) -> Any:
    """Read one line of bytes as a JSON object; NotJson says why it is none."""
    if len(line) > MAX_LINE:
        raise NotJson("The line is too long for a hand played.")
    try:
        data = _decoder.decode(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise NotJson("The line is not UTF-8.") from None
    except RecursionError:
        raise NotJson("The line has too many brackets within brackets.") from None
    except NotJson:
        raise
    except ValueError:
        raise NotJson("The line is not JSON.") from None
    if not isinstance(data, dict):
        raise NotJson("A hand played is a JSON object.")
    return data


def answers(lines: Any) -> Iterator[Any]:
    """Yield (line of JSON with its newline, whether it is an error) for each line of bytes that is not empty."""
    for line in lines:
        line = line.strip(b" \t\r\n")
        if not line:
            continue
        ident = None
        try:
            data = read_line(line)
            ident = data.get("id") if isinstance(data.get("id"), str) else None
            yield _encode(score_hand_played(data)) + "\n", False
        except ValueError as error:  # a number of thousands of figures can be counted with, but not written
            told = str(error) if isinstance(error, NotJson | ScoringError) else "A number in this hand is too large."
            yield _encode({"id": ident, "error": told}) + "\n", True
