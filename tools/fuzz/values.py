"""What hostile, broken and careless people send: values for fields, ids and bodies, from a seeded source."""

import json
import string
import uuid

# An element, an attribute and an address that no page of ours has: seen in an answer, something was not escaped.
TAG, ATTRIBUTE = "fz-x", "onfz"
FORMULA = "=fz("
SCRIPTS = (
    f"<{TAG}>",
    f"</script><{TAG}>",
    f"</textarea></title></style><{TAG}>",
    f'"><{TAG} {ATTRIBUTE}=1>',
    f"' {ATTRIBUTE}='1",
    f'" {ATTRIBUTE}="1',
    f"javascript:{ATTRIBUTE}()",
    f"--><{TAG}>",
    f"]]><{TAG}>",
    f"{{{{ {ATTRIBUTE} }}}}{{% {TAG} %}}",
    f"\\u003c{TAG}\\u003e",
    f"%3C{TAG}%3E",
    f"&lt;{TAG}&gt;",
)
FORMULAS = (f"{FORMULA}1)", f"\t{FORMULA}1)", f"\n{FORMULA}1)", "@SUM(1)", "+1-1", "-2+3")
NUMBERS = (
    "0", "-0", "1", "2", "-1", "5", "8", "13", "99", "100", "1.5", "1e9", "1e400", "NaN", "Infinity", "0x10", "1_000",
    "1,000", "٣", "²", "½", "１２", "−5",
    "2147483647", "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "9" * 40, "9" * 5000,
    "0" * 400 + "1", "1 000",
)  # fmt: skip
DATES = (
    "2026-11-12", "12/11/2026", "2026-02-30", "0001-01-01", "9999-12-31", "0000-00-00", "10000-01-01",
    "2026-11-12T14:00", "1e3-1-1", "tomorrow",
)  # fmt: skip
TEXTS = (
    "", " ", "\t", "\n", "\r\n\r\n", "\x00", "a\x00b", "\x7f", "\u202eevil", "\u2028", "\ufeff", "\ufffd",
    "\U0010ffff", "Z\u0338\u0322\u031b\u0353a\u0335l\u0337", "\U0001d544\U0001d552\U0001d559",
    "\U0001f469\u200d\U0001f467", "İıſß", "\ufdfa" * 3, "' OR 1=1 --", "'; DROP TABLE sessions_app_club; --",
    "../../../etc/passwd", "..%2f..%2f", "C:\\con", "%s%n%x", "{0}{1}", "{seat}", "${7*7}", "null", "None", "true",
    "undefined", "[]", "{}", "[[[[", '{"a":', "//evil.example/", "https://evil.example/", "new", "nobody", "on",
    "1B 2B 3B", "E", "W", "wall", "exposed pung 2B",
)  # fmt: skip
DEEP = "[" * 3000 + "]" * 3000
LONGEST = 20_000


def chance(source, percent):
    return source.randrange(100) < percent


def text(source):
    """Return something for a field, as text."""
    kinds = (
        lambda: source.choice(SCRIPTS),
        lambda: source.choice(SCRIPTS),
        lambda: source.choice(FORMULAS),
        lambda: source.choice(NUMBERS),
        lambda: source.choice(NUMBERS),
        lambda: source.choice(DATES),
        lambda: source.choice(TEXTS),
        lambda: source.choice(TEXTS),
        lambda: _letters(source),
        lambda: str(uuid.UUID(int=source.getrandbits(128))),
        lambda: json.dumps(anything(source)),
        lambda: source.choice("ab<é\u0301\u200f ") * source.choice((81, 121, 501, 5000, LONGEST)),
        lambda: DEEP,
    )
    return kinds[0 if chance(source, 10) else source.randrange(len(kinds))]()


def _letters(source):
    alphabet = source.choice((string.printable, "éäßøŁ漢字かなعربיעב", "".join(map(chr, range(1, 32))), "0123456789"))
    return "".join(source.choice(alphabet) for _ in range(source.randrange(1, 40)))


def anything(source, depth=0):
    """Return something as JSON may hold it."""
    if depth < 3 and chance(source, 40):
        if chance(source, 50):
            return [anything(source, depth + 1) for _ in range(source.randrange(4))]
        return {_word(source): anything(source, depth + 1) for _ in range(source.randrange(4))}
    simple = (None, True, False, 0, -1, 1, 1.5, 2**31, 2**63, 10**30, 1e308, "", "1", "2", "E", "wall")
    return source.choice((*simple, *SCRIPTS, *TEXTS))


def _word(source):
    words = (
        "hands",
        "mahjong",
        "penalties",
        "by",
        "from",
        "tile",
        "total",
        "tiles",
        "sets",
        "points",
        "1",
        "2",
        "5",
        "",
    )
    return source.choice(words)


def mutated(source, value):
    """Return a good value, mostly a little spoilt."""
    if chance(source, 45):
        return value
    if chance(source, 40) or not value:
        return text(source)
    place = source.randrange(len(value) + 1)
    ways = (
        lambda: value[:place],
        lambda: value[:place] + text(source)[:200] + value[place:],
        lambda: value + source.choice(SCRIPTS),
        lambda: value * source.choice((2, 50)),
        lambda: value[:-1] + source.choice('0123456789ae}]"'),
    )
    return source.choice(ways)()
