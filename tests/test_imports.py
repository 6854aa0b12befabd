"""Who may import whom: the rooms of the house open one way only."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BELOW_FORMS = {"scoring", "models", "queries", "services"}
ROOMS = {
    "scoring": set(),
    "models": {"scoring"},
    "queries": {"scoring", "models"},
    "services": {"scoring", "models"},
    "forms": BELOW_FORMS,
    "exports": BELOW_FORMS,
    "imports": BELOW_FORMS | {"exports"},
    "backups": BELOW_FORMS,
    "populating": BELOW_FORMS,
    "templatetags": BELOW_FORMS,
    "views": BELOW_FORMS | {"forms", "exports", "imports", "backups"},
    "management": BELOW_FORMS | {"forms", "exports", "imports", "backups", "populating"},
}


def modules(*folders):
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def room_of(name):
    """Return the room that a dotted name stands in, or None for other packages and for what stands beside the rooms."""
    parts = name.split(".")
    if parts[:2] == ["clubscore", "scoring"]:
        return "scoring"
    return parts[1] if parts[0] == "sessions_app" and len(parts) > 1 and parts[1] in ROOMS else None


def dotted(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_names(path):
    """Yield what a module imports, wherever in it; `from package import name` gives both ways of reading it."""
    package = (dotted(path) if path.name == "__init__.py" else dotted(path.parent)).split(".")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def wrong_imports(path):
    room = room_of(dotted(path))
    if room is None:
        return []
    return [
        f"{path.relative_to(ROOT)} imports {name}"
        for name in imported_names(path)
        if room_of(name) not in {None, room} | ROOMS[room]
    ]


def test_rooms_open_one_way():
    assert [line for path in modules("clubscore", "sessions_app") for line in wrong_imports(path)] == []


def test_scoring_imports_only_the_standard_library():
    found = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules("clubscore/scoring")
        for name in imported_names(path)
        if room_of(name) != "scoring" and name.split(".")[0] not in sys.stdlib_module_names
    }
    assert found == set()


def test_clubscore_itself_is_empty():
    assert (ROOT / "clubscore" / "__init__.py").read_text() == ""


def test_no_import_hides_in_a_function():
    found = [
        f"{path.relative_to(ROOT)}:{inner.lineno}"
        for path in modules("clubscore", "sessions_app")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("importer", "imported", "room"),
    [
        ("sessions_app/models/hand.py", "sessions_app.services.replay", "services"),
        ("sessions_app/services/replay.py", "clubscore.scoring", "scoring"),
        ("sessions_app/views/table.py", "django.http", None),
    ],
)
def test_the_check_itself_knows_the_rooms(importer, imported, room):
    assert room_of(imported) == room
    assert room_of(dotted(ROOT / importer)) == importer.split("/")[1]
