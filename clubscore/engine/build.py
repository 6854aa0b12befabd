"""Builds the modules that a tablet needs, in the Python that MicroPython runs, as one JSON text.

Two differences of MicroPython are silent: its dictionaries are unordered, and its sort is not stable. So dictionaries
are always made by `dict`, which the shim replaces by an ordered one, as it replaces `sorted` by a stable one. Named
tuples, dataclasses, stars in displays, f-strings and a few methods are rewritten; types and docstrings are removed.
Anything not listed here as known to work is refused, with its file and line. One difference cannot be detected here:
two dictionaries are equal only in the same order.
"""

import ast
import builtins
import json
import re
from functools import cache, reduce
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
SHIM = "clubscore.engine.shim"
# What answers a tablet; the other modules are found from its imports. Only the page of a league asks the second.
ENTRY = "clubscore.engine.answers"
LEAGUE_ENTRY = "clubscore.engine.league_answers"

NODES = """
    Add alias And AnnAssign arg arguments Assert Assign Attribute AugAssign BinOp BitAnd BitOr BoolOp Break Call
    ClassDef Compare comprehension Constant Continue Del Delete Dict DictComp Eq ExceptHandler Expr FloorDiv For
    FormattedValue FunctionDef GeneratorExp Gt GtE If IfExp ImportFrom In Invert Is IsNot JoinedStr keyword Lambda
    List ListComp Load LShift Lt LtE Mod Module Mult Name Not NotEq NotIn Or Pass Pow Raise Return RShift Set
    SetComp Slice Starred Store Sub Subscript Try Tuple UnaryOp USub While Yield YieldFrom
""".split()
BUILTINS = """
    abs all any bool classmethod dict divmod enumerate Exception False float frozenset getattr hash int isinstance
    KeyError len list map max min next None object ord property range repr reversed set setattr sorted str sum super
    True tuple type TypeError ValueError zip
""".split()
# Methods of built-in types that work as in CPython.
METHODS = """
    add append clear copy count discard encode endswith extend find format get index insert isalpha
    isdigit items join lower lstrip pop remove replace reverse rstrip setdefault split startswith strip update upper
    values __init__ __setattr__
""".split()
# Methods that are missing or different: functions of the shim.
AS_FUNCTIONS = (
    "_replace bit_count bit_length capitalize fromkeys isascii isdecimal isprintable removesuffix sort".split()
)
# Of the standard library: only for types, rewritten, or in the shim.
LIBRARY = "__future__ collections.abc dataclasses enum functools itertools math typing".split()
FROM_LIBRARY = """
    cached_property combinations dataclass field fields gcd lcm lru_cache Mapping NamedTuple partial product reduce
    replace
""".split()
# Removed from base classes; members of an enumeration become their values.
BASES_LEFT_OUT = ("Enum", "Generic", "Protocol", "StrEnum")


INDENTATION = re.compile(r"^(?:    )+", re.M)


class NotKnown(SyntaxError):
    """A construct that is not known to work in MicroPython."""


@cache
def bundle(entry: str = ENTRY) -> str:
    """Return the modules that answer a tablet, as JSON: {path: source}, each after those it imports, the entry last."""
    found: dict[str, str] = {}
    for name in (SHIM, entry):
        _collect(name, found)
    return json.dumps(found, ensure_ascii=False)


def _collect(name: str, found: dict[str, str], importing: tuple[str, ...] = ()) -> None:
    path = _path(name)
    key = path.relative_to(ROOT).as_posix()
    if key in found or name in importing:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for imported in _imports(tree):
        _collect(imported, found, (*importing, name))
    text = ast.unparse(_stripped(tree)) if name == SHIM else rewritten(tree, key)
    # A space a level: less to fetch and to read.
    found[key] = INDENTATION.sub(lambda spaces: " " * (len(spaces[0]) // 4), text)


def _path(name: str) -> Path:
    path = ROOT / name.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _imports(tree: ast.Module) -> list[str]:
    """Return the modules of ours that a module imports, each after its packages."""
    names = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("clubscore"):
            parts = str(node.module).split(".")
            names += [".".join(parts[:end]) for end in range(1, len(parts) + 1)]
            names += [name for alias in node.names if _path(name := f"{node.module}.{alias.name}").is_file()]
    return names


def rewritten(tree: ast.Module, file: str) -> str:
    """Return a module as MicroPython needs it; NotKnown names the file and line of what it might read differently."""
    tree = _stripped(tree)
    _Check(file).visit(tree)
    return ast.unparse(ast.fix_missing_locations(_Rewrite().visit(tree)))


def _stripped(tree: ast.Module) -> ast.Module:
    """Remove what is only there for readers and for mypy, and the imports that only types used."""
    tree = _StripTypes().visit(tree)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    # The names in `__all__` are texts.
    used |= {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    for node in [node for node in tree.body if isinstance(node, ast.ImportFrom)]:
        node.names = [alias for alias in node.names if (alias.asname or alias.name) in used]
        if not node.names:
            tree.body.remove(node)
    return tree


class _StripTypes(ast.NodeTransformer):
    """Removes docstrings and types; a class keeps the annotations of its fields, as None."""

    def visit_body(self, node: Any) -> Any:
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        self.generic_visit(node)
        node.body = node.body or ([] if isinstance(node, ast.Module) else [ast.Pass()])
        return node

    visit_Module = visit_body

    def visit_FunctionDef(self, node: Any) -> Any:
        node.returns = None
        return self.visit_body(node)

    def visit_ClassDef(self, node: Any) -> Any:
        node.bases = [base for base in node.bases if _name(base) not in BASES_LEFT_OUT]
        return self.visit_body(node)

    def visit_arg(self, node: Any) -> Any:
        node.annotation = None
        return node

    def visit_Assign(self, node: Any) -> Any:
        is_type = isinstance(node.value, ast.Subscript) and _name(node.value) in ("tuple", "list", "dict", "Literal")
        return None if is_type or _name(node.value) == "TypeVar" else self.generic_visit(node)

    def visit_AnnAssign(self, node: Any) -> Any:
        is_type = _name(node.annotation) == "TypeAlias"
        node.annotation = ast.Constant(None)
        return None if is_type else self.generic_visit(node)


class _Check(ast.NodeVisitor):
    """Refuses whatever is not known to work."""

    def __init__(self, file: str) -> None:
        self.file, self.line = file, 1

    def refuse(self, what: str) -> None:
        raise NotKnown(f"{self.file}:{self.line}: {what} is not known to work in MicroPython")

    def visit(self, node: Any) -> None:
        kind = type(node).__name__
        # An operator has no line of its own.
        self.line = getattr(node, "lineno", self.line)
        if kind not in NODES:
            self.refuse(kind)
        getattr(self, f"check_{kind}", lambda _: None)(node)
        self.generic_visit(node)

    def check_ImportFrom(self, node: Any) -> None:
        for name in [alias.name for alias in node.names if not node.module.startswith("clubscore")]:
            if node.module not in LIBRARY or name not in FROM_LIBRARY:
                self.refuse(f"{name} of {node.module}")

    def check_Name(self, node: Any) -> None:
        if isinstance(node.ctx, ast.Load) and hasattr(builtins, node.id) and node.id not in BUILTINS:
            self.refuse(node.id)

    def check_Attribute(self, node: Any) -> None:
        if node.attr.startswith("__") and node.attr not in METHODS:
            self.refuse(node.attr)

    def check_Call(self, node: Any) -> None:
        method = node.func.attr if isinstance(node.func, ast.Attribute) else "get"
        if method not in METHODS and method not in AS_FUNCTIONS and method not in _own_names():
            self.refuse(f"the method {method}")

    def check_arguments(self, node: Any) -> None:
        if node.posonlyargs:
            self.refuse("an argument by its place alone")

    def check_FormattedValue(self, node: Any) -> None:
        if node.format_spec and not all(isinstance(part, ast.Constant) for part in node.format_spec.values):
            self.refuse("a format that is worked out")

    def check_ClassDef(self, node: Any) -> None:
        for base in node.bases:
            if _name(base) not in ("NamedTuple", "ValueError", "DrawError"):
                self.refuse(f"a class of {ast.unparse(base)}")


@cache
def _own_names() -> frozenset[str]:
    """Return the names of the game's own functions and fields, which any object may be asked to call."""
    names = set()
    rooms = ("scoring", "play", "seating_draw", "league")
    for path in [path for room in rooms for path in ROOT.glob(f"clubscore/{room}/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                names.add(node.name)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                names.add(node.target.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                names.add(node.attr)
    return frozenset(names)


class _Rewrite(ast.NodeTransformer):
    def visit_ImportFrom(self, node: Any) -> Any:
        return None if node.module in LIBRARY else node

    def visit_Dict(self, node: Any) -> Any:
        self.generic_visit(node)
        rows = list(zip(node.keys, node.values, strict=True))
        if None in node.keys:
            return _call("merged", *(value if key is None else _tuple([_tuple([key, value])]) for key, value in rows))
        return _call("dict", *([_tuple([_tuple(list(row)) for row in rows])] if rows else []))

    def visit_DictComp(self, node: Any) -> Any:
        self.generic_visit(node)
        return _call("dict", ast.ListComp(_tuple([node.key, node.value]), node.generators))

    def visit_display(self, node: Any) -> Any:
        """Turn a display with stars into a sum: `(*a, b)` into `tuple(a) + (b,)`."""
        self.generic_visit(node)
        has_stars = any(isinstance(part, ast.Starred) for part in node.elts)
        if not has_stars or isinstance(getattr(node, "ctx", None), ast.Store):
            return node
        kind, sign = type(node).__name__.lower(), ast.BitOr() if isinstance(node, ast.Set) else ast.Add()
        parts = [_call(kind, part.value if isinstance(part, ast.Starred) else _tuple([part])) for part in node.elts]
        return reduce(lambda total, part: ast.BinOp(total, sign, part), parts)

    visit_Tuple = visit_List = visit_Set = visit_display

    def visit_JoinedStr(self, node: Any) -> Any:
        template, values = "", []
        for part in node.values:
            if isinstance(part, ast.Constant):
                template += str(part.value).replace("{", "{{").replace("}", "}}")
                continue
            values.append(self.visit(part.value))
            conversion = f"!{chr(part.conversion)}" if part.conversion > 0 else ""
            spec = f":{part.format_spec.values[0].value}" if part.format_spec else ""
            template += f"{{{conversion}{spec}}}"
        return ast.Call(ast.Attribute(ast.Constant(template), "format", ast.Load()), values, [])

    def visit_Call(self, node: Any) -> Any:
        self.generic_visit(node)
        # zip(strict=True) finds bugs, and CPython does that.
        node.keywords = [keyword for keyword in node.keywords if keyword.arg != "strict"]
        if _name(node) == "isinstance" and isinstance(node.args[1], ast.BinOp):
            node.args[1] = _tuple(_united(node.args[1]))
        if isinstance(node.func, ast.Attribute) and node.func.attr in AS_FUNCTIONS:
            return ast.Call(_load(node.func.attr.strip("_")), [node.func.value, *node.args], node.keywords)
        return node

    def visit_Raise(self, node: Any) -> Any:
        node.cause = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: Any) -> Any:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value) if node.value is not None else None

    def visit_ClassDef(self, node: Any) -> Any:
        is_tuple = any(_name(base) == "NamedTuple" for base in node.bases)
        is_data = any(_name(decorator) == "dataclass" for decorator in node.decorator_list)
        fields = [item for item in node.body if isinstance(item, ast.AnnAssign)] if is_tuple or is_data else []
        node.body = [item for item in node.body if item not in fields]
        self.generic_visit(node)
        if is_tuple or is_data:
            names = [_name(field.target) for field in fields]
            # A keyword-only field without a default may follow one that has a default.
            first = next((at for at, field in enumerate(fields) if field.value is not None), len(fields))
            defaults = [self.visit(field.value) if field.value else ast.Constant(None) for field in fields[first:]]
            head = [ast.Assign([ast.Name("FIELDS", ast.Store())], _texts(names))]
            node.bases, node.decorator_list = [_call("namedtuple", ast.Constant(node.name), _texts(names))], []
            if is_data:
                node.bases = [_load("Data")]
                head.append(ast.Assign([ast.Name("DEFAULTS", ast.Store())], _tuple(defaults)))
            if (is_data and not any(isinstance(default, ast.Call) for default in defaults)) or (is_tuple and defaults):
                head.append(_init(names, defaults, is_data))
            node.body[:0] = head
        node.body = node.body or [ast.Pass()]
        return node


def _init(names: list[str], defaults: list[Any], is_data: bool) -> Any:
    """Return the `__init__` of a named tuple, or of a dataclass with plain defaults, for which the shim's is slower."""
    arguments = ast.arguments([], [ast.arg("self"), *map(ast.arg, names)], None, [], [], None, defaults)
    parent = ast.Attribute(_call("super"), "__init__", ast.Load())
    body: list[Any] = [ast.Expr(ast.Call(parent, [_load(name) for name in names], []))]
    if is_data:
        body = [ast.Assign([ast.Attribute(_load("self"), name, ast.Store())], _load(name)) for name in names]
    return ast.FunctionDef("__init__", arguments, body or [ast.Pass()], [], None, None)


def _united(node: Any) -> list[Any]:
    """Return the types of `int | str`."""
    return [*_united(node.left), node.right] if isinstance(node, ast.BinOp) else [node]


def _name(node: Any) -> str:
    """Return the name that a node is, calls or subscripts; else an empty text."""
    node = node.func if isinstance(node, ast.Call) else node.value if isinstance(node, ast.Subscript) else node
    return node.id if isinstance(node, ast.Name) else ""


def _load(name: str) -> Any:
    return ast.Name(name, ast.Load())


def _tuple(values: list[Any]) -> Any:
    return ast.Tuple(values, ast.Load())


def _texts(names: list[str]) -> Any:
    return _tuple([ast.Constant(name) for name in names])


def _call(name: str, *values: Any) -> Any:
    return ast.Call(_load(name), list(values), [])
