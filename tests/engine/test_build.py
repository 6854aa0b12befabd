"""The build step takes the whole game, and refuses what MicroPython might read otherwise, with its file and line."""

import ast
import json
import os
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from clubscore.engine.build import NotKnown, bundle, rewritten
from clubscore.site.static_storage import RULES, BuiltFiles


def built(text):
    return rewritten(ast.parse(text), "clubscore/scoring/example.py")


def test_every_module_that_a_tablet_needs_is_there_behind_those_it_imports():
    files = json.loads(bundle())
    assert list(files)[0] == "clubscore/engine/shim.py"
    assert list(files)[-1] == "clubscore/engine/answers.py"
    assert {"clubscore/scoring/score.py", "clubscore/scoring/rulesets/bmja.py", "clubscore/play/replay.py"} <= set(
        files
    )
    for name, source in files.items():
        assert '"""' not in source, name


def test_the_rules_are_a_static_file_like_others():
    assert Path(finders.find(RULES)).read_text(encoding="utf-8") == bundle()
    assert RULES in [path for finder in finders.get_finders() for path, _ in finder.list([])]


def test_the_folder_of_the_data_is_made_for_its_owner_alone(tmp_path, settings):
    settings.VAR_DIR = tmp_path / "var"
    assert Path(BuiltFiles().find(RULES)).is_relative_to(tmp_path)
    # On Windows it is as private as the folder that it is in.
    assert os.name == "nt" or settings.VAR_DIR.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("match 1:\n    case _: pass", "3: Match"),
        ("def f():\n    async def g(): pass", "4: AsyncFunctionDef"),
        ("with open('x') as y: pass", "3: With"),
        ("a = 1 / 2", "3: Div"),
        ("import re", "3: Import"),
        ("from itertools import permutations\npermutations([])", "3: permutations of itertools"),
        ("from random import choice\nchoice([])", "3: choice of random"),
        ("round(1.5)", "3: round"),
        ("'a'.zfill(3)", "3: the method zfill"),
        ("{}.keys() <= {1}", "3: the method keys"),
        ("make = tuple.__new__", "3: __new__"),
        ("def f(a, /): pass", "3: an argument by its place alone"),
        ("f'{1:{2}}'", "3: a format that is worked out"),
        ("class A(dict): pass", "3: a class of dict"),
    ],
)
def test_what_is_not_known_is_refused_with_its_file_and_line(text, what):
    with pytest.raises(NotKnown) as caught:
        built("x = 1\n\n" + text)
    assert str(caught.value) == f"clubscore/scoring/example.py:{what} is not known to work in MicroPython"


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ('def f(a: int) -> str:\n    """Say it."""\n    return a', "def f(a):\n    return a"),
        ("{'a': 1}", "dict((('a', 1),))"),
        ("a = {}", "a = dict()"),
        ("{**a, 'b': 1}", "merged(a, (('b', 1),))"),
        ("{a: b for a, b in c}", "dict([(a, b) for a, b in c])"),
        ("(*a, 1)", "tuple(a) + tuple((1,))"),
        ("[*a, *b]", "list(a) + list(b)"),
        ("first, *rest = a", "first, *rest = a"),
        ("f'{a} of {b:,} {{{c!r}}}'", "'{} of {:,} {{{!r}}}'.format(a, b, c)"),
        ("a.bit_count()", "bit_count(a)"),
        ("isinstance(a, int | str)", "isinstance(a, (int, str))"),
        ("raise ValueError('a') from error", "raise ValueError('a')"),
        ("zip(a, b, strict=True)", "zip(a, b)"),
        ("from typing import Any\na: Any = 1", "a = 1"),
        ("Tiles = tuple[int, ...]\na = 1", "a = 1"),
        (
            "class Way(NamedTuple):\n    a: int\n    b: int = 2",
            "class Way(namedtuple('Way', ('a', 'b'))):\n    FIELDS = ('a', 'b')\n\n"
            "    def __init__(self, a, b=2):\n        super().__init__(a, b)",
        ),
        (
            "@dataclass(frozen=True)\nclass Purse:\n    a: int\n    b: int = 2",
            "class Purse(Data):\n    FIELDS = ('a', 'b')\n    DEFAULTS = (2,)\n\n"
            "    def __init__(self, a, b=2):\n        self.a = a\n        self.b = b",
        ),
        (
            "@dataclass(kw_only=True)\nclass A:\n    a: str = ''\n    b: int\n    c: dict = field(default_factory=g)",
            "class A(Data):\n    FIELDS = ('a', 'b', 'c')\n    DEFAULTS = ('', None, field(default_factory=g))",
        ),
        ("class Effect(Enum):\n    ADD = 'adds'", "class Effect:\n    ADD = 'adds'"),
    ],
)
def test_what_is_known_is_rewritten(text, made):
    assert built(text) == made
