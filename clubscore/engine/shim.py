"""What MicroPython lacks, added to its built-in names; runs only on the tablet, before the rules are imported.

MicroPython's ordered dictionary searches its keys one by one, so growing caches are plain dictionaries.
"""

import builtins
import json
from collections import OrderedDict, namedtuple
from typing import Any

plain_dict, plain_sorted, plain_reversed = dict, sorted, reversed


def merged(*parts: Any) -> Any:
    found: Any = OrderedDict()
    for part in parts:
        found.update(part)
    return found


def fromkeys(kind: Any, keys: Any, value: Any = None) -> Any:
    return OrderedDict([(key, value) for key in keys])


def stable_sorted(values: Any, key: Any = None, reverse: Any = False) -> Any:
    if key is None:
        return plain_sorted(values, reverse=reverse)
    step = -1 if reverse else 1
    ranked = [(key(value), step * at, value) for at, value in enumerate(values)]
    return [row[2] for row in plain_sorted(ranked, reverse=reverse)]


def sort(values: Any, key: Any = None, reverse: Any = False) -> None:
    values[:] = stable_sorted(values, key, reverse)


def listed_reversed(values: Any) -> Any:
    return plain_reversed(list(values))


def bit_count(number: Any) -> Any:
    return bin(number).count("1")


def bit_length(number: Any) -> Any:
    # Converting a number with as many bits as the sticks need to a text would be slow.
    found = 0
    while number:
        step = 1
        while number >> 2 * step:
            step *= 2
        number >>= step
        found += step
    return found


def capitalize(text: Any) -> Any:
    return text[:1].upper() + text[1:].lower()


def isascii(text: Any) -> Any:
    return all(ord(letter) < 128 for letter in text)


def isdecimal(text: Any) -> Any:
    return text.isdigit()


def isprintable(text: Any) -> Any:
    return all(ord(letter) > 31 and not 126 < ord(letter) < 161 for letter in text)


def removesuffix(text: Any, suffix: Any) -> Any:
    return text[: -len(suffix)] if suffix and text.endswith(suffix) else text


def lru_cache(maxsize: Any) -> Any:
    def keeping(function: Any) -> Any:
        answers: Any = plain_dict()

        def ask(*key: Any) -> Any:
            # One lookup only, as hashing the house rules is slow.
            try:
                return answers[key]
            except KeyError:
                if len(answers) >= maxsize:
                    answers.clear()
            found = answers[key] = function(*key)
            return found

        return ask

    return keeping


def cached_property(work: Any) -> Any:
    name = "kept_" + work.__name__

    def read(one: Any) -> Any:
        if not hasattr(one, name):
            setattr(one, name, work(one))
        return getattr(one, name)

    return property(read)


class Field:
    """A field of a dataclass made by field()."""

    def __init__(self, default: Any = None, default_factory: Any = None, metadata: Any = None) -> None:
        self.default, self.default_factory, self.metadata = default, default_factory, metadata

    def value(self) -> Any:
        return self.default_factory() if self.default_factory else self.default


class Data:
    """The base of dataclasses: the names of the FIELDS, and the DEFAULTS of the last ones."""

    FIELDS: Any = ()
    DEFAULTS: Any = ()

    def __init__(self, *values: Any, **named: Any) -> None:
        first = len(self.FIELDS) - len(self.DEFAULTS)
        for at, name in enumerate(self.FIELDS):
            if at < len(values):
                value = values[at]
            elif name in named:
                value = named.pop(name)
            else:
                value = self.DEFAULTS[at - first]
                value = value.value() if isinstance(value, Field) else value
            setattr(self, name, value)
        if named:
            raise TypeError(list(named)[0])
        if hasattr(self, "__post_init__"):
            self.__post_init__()

    def __eq__(self, other: Any) -> Any:
        return type(self) is type(other) and _values(self) == _values(other)

    def __hash__(self) -> Any:
        # Only frozen ones are hashed, as CPython refuses the others, so it never changes.
        if not hasattr(self, "hashed"):
            self.hashed = hash(_values(self))
        return self.hashed


def _values(one: Any) -> Any:
    return tuple([getattr(one, name) for name in one.FIELDS])


class NamedField:
    def __init__(self, name: Any, metadata: Any) -> None:
        self.name, self.metadata = name, metadata


def fields(of: Any) -> Any:
    first = len(of.FIELDS) - len(of.DEFAULTS)
    rows = [(name, of.DEFAULTS[at - first] if at >= first else None) for at, name in enumerate(of.FIELDS)]
    return [NamedField(name, default.metadata if isinstance(default, Field) else None) for name, default in rows]


def replace(one: Any, **changed: Any) -> Any:
    return type(one)(*[changed[name] if name in changed else getattr(one, name) for name in one.FIELDS])


def partial(function: Any, *first: Any, **named: Any) -> Any:
    return lambda *rest, **more: function(*(first + rest), **merged(named, more))


def gcd(*numbers: Any) -> Any:
    found = 0
    for number in numbers:
        while number:
            found, number = number, found % number
    return abs(found)


def lcm(*numbers: Any) -> Any:
    found = 1
    for number in numbers:
        found = found * number // gcd(found, number)
    return found


def reduce(function: Any, values: Any, start: Any) -> Any:
    for value in values:
        start = function(start, value)
    return start


def product(*parts: Any) -> Any:
    found: Any = [()]
    for part in parts:
        values = list(part)
        found = [row + (one,) for row in found for one in values]
    return found


def combinations(values: Any, count: Any) -> Any:
    values = list(values)
    if count == 0:
        return [()]
    return [(value,) + rest for at, value in enumerate(values) for rest in combinations(values[at + 1 :], count - 1)]


NAMES = """
    bit_count bit_length cached_property capitalize combinations Data fields fromkeys gcd isascii isdecimal isprintable
    lcm lru_cache merged partial product reduce removesuffix replace sort
"""
OTHERS = (
    ("dict", OrderedDict),
    ("field", Field),
    ("Mapping", OrderedDict),
    ("namedtuple", namedtuple),
    ("reversed", listed_reversed),
    ("sorted", stable_sorted),
)
for each, what in [(each, globals()[each]) for each in NAMES.split()] + list(OTHERS):
    setattr(builtins, each, what)


def restored(value: Any) -> Any:
    """Return a value that came as JSON, in which an object is {"": [key, value, ...]} to keep its order."""
    if isinstance(value, plain_dict):
        flat: Any = value[""]
        return OrderedDict([(flat[at], restored(flat[at + 1])) for at in range(0, len(flat), 2)])
    if isinstance(value, list):
        # Most of what comes in long lists is plain.
        return [restored(one) if isinstance(one, (list, plain_dict)) else one for one in value]
    return value


def asked(answer: Any, text: Any) -> Any:
    """Return a function's answer to a question, both as JSON; JavaScript looks at neither."""
    return json.dumps(answer(restored(json.loads(text))))
