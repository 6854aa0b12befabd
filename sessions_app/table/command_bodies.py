"""The type and size of every value that a command's body may hold, asked before anything else reads it.

Each kind's row in clubscore/play/command_kinds.py names its keys. What the values mean, the edits and the scorer ask.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from clubscore.play.command_kinds import CORRECT, ENTRY_KINDS, HAND, KINDS, CommandKind, Value
from clubscore.play.edits import BODIES
from clubscore.play.outcomes import Reason
from clubscore.scoring import ScoringError
from clubscore.scoring.read_hand import read_hand
from clubscore.scoring.rotation import WINDS
from sessions_app.table.command_results import Refused

# Of a hand, in letters of its JSON: four players' tiles in sets take about 700. The scorer has a smaller limit.
MAX_HANDS, MAX_OTHER_VERSIONS, MAX_WINS, MAX_PENALTIES = 12_000, 2_000, 1_000, 2_000
MAX_SEAT = 4


def read_body(kind: CommandKind, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a command of this kind, without keys that the kind does not have; Refused if it cannot be.

    In a hand nothing is left out, as a score may depend on it: it is refused.
    """
    if kind.is_hand and not set(body) <= set(kind.body):
        raise Refused(Reason.UNREADABLE)
    return {key: _read(kind.body[key], value, kind, body) for key, value in body.items() if key in kind.body}


def _read(row, value, kind, body):
    """Return a value that fits; one that is empty always does."""
    if value and not FITS[row](value):
        is_other = row is Value.OTHER_VERSIONS and isinstance(value, dict)
        raise Refused(Reason.OTHER_VERSION if is_other else Reason.UNREADABLE)
    return read_body(_kind_within(kind, body), value) if value and row is Value.ENTRY_BODY else value


def _kind_within(kind, body):
    """Return the kind of the entry in a body: a correction does not say what it corrects, but each has its own keys."""
    if kind is not CORRECT:
        return KINDS[body["kind"]] if body.get("kind") in ENTRY_KINDS else HAND
    found = (KINDS[key] for key in BODIES if set(body["body"]) <= set(KINDS[key].body))
    return next(found, HAND)


def _text(most: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and len(value) <= most


def _whole(lowest: int, highest: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and lowest <= value <= highest


def _any_of(*fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: any(one(value) for one in fits)


def _list_of(fits: Callable[[Any], bool], most: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and len(value) <= most and all(map(fits, value))


def _is_of_size(value, most):
    return len(json.dumps(value, ensure_ascii=False)) <= most


def _by_seat(value: Any, fits: Callable[..., Any]) -> bool:
    """Whether this is an object that has, by the number of the seat, nothing or what fits."""
    return isinstance(value, dict) and all(
        len(seat) <= MAX_SEAT and (own is None or fits(own)) for seat, own in value.items()
    )


def _is_form(form):
    """Whether tiles or figures can be shown; their values may still be wrong, and the scorer says so."""
    return (
        isinstance(form, dict)
        and (form.get("sets") is None or _list_of(_text(200), 40)(form["sets"]))
        and all(isinstance(form.get(part) or "", str) for part in ("tiles", "bonus"))
    )


def _is_readable(form):
    """Whether the scorer could read this hand; nobody scores it, so nobody else would say what is wrong."""
    try:
        read_hand(form, WINDS[0])
    except ScoringError:
        return False
    return True


def _are_other_versions(value: Any) -> bool:
    if not isinstance(value, dict) or not _is_of_size(value, MAX_OTHER_VERSIONS):
        return False
    forms = {seat: form for seat, form in value.items() if seat != "unsure"}
    return _by_seat(forms, _is_readable) and _by_seat(value.get("unsure") or {}, _list_of(_text(60), 20))


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


# Whether it is a number or anything else that may have been typed instead: the edits say what is wrong with it.
_figure = _any_of(_whole(-(10**40), 10**40), _text(40), lambda value: isinstance(value, bool | float))
_key, _seat = _any_of(_text(64), _figure), _any_of(_text(MAX_SEAT), _whole(0, 9999))

FITS: dict[Value, Callable[[Any], bool]] = {
    Value.ENTRY: _key,
    Value.ENTRIES: _list_of(_key, 1_000),
    Value.SEAT: _seat,
    Value.SEATS: _list_of(_seat, 12),
    Value.SEATS_BY_WIND: lambda value: _by_seat(value, _seat) and len(value) <= len(WINDS),
    Value.PLAYER: _key,
    Value.FIGURE: _figure,
    Value.TEXT: _text(5_000),
    Value.WORD: _text(40),
    Value.AGREED: lambda value: _is_of_size(value, 100),
    Value.YES: lambda value: isinstance(value, bool),
    Value.HANDS: lambda value: _is_of_size(value, MAX_HANDS) and _by_seat(value, _is_form),
    Value.OTHER_VERSIONS: _are_other_versions,
    Value.WINS: lambda value: _any_of(_is_object, _list_of(_is_object, 4))(value) and _is_of_size(value, MAX_WINS),
    Value.PENALTIES: lambda value: _list_of(_is_object, 40)(value) and _is_of_size(value, MAX_PENALTIES),
    Value.ENTRY_BODY: _is_object,
}
