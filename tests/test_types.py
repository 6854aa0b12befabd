"""Public functions say what they take and return; mypy holds them to it, in `./run check`."""

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent


def public_functions(body):
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from public_functions(node.body)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node


def is_typed(function):
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    given = [argument for argument in arguments if argument.arg not in ("self", "cls")]
    return function.returns is not None and all(argument.annotation is not None for argument in given)


def untyped(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [function.name for function in public_functions(tree.body) if not is_typed(function)]


def test_every_public_function_is_typed():
    paths = [path for folder in ("clubscore", "sessions_app") for path in (ROOT / folder).rglob("*.py")]
    names = {str(path.relative_to(ROOT)): untyped(path) for path in paths if "migrations" not in path.parts}
    assert {name: found for name, found in names.items() if found} == {}
