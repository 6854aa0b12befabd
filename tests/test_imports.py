"""Who may import whom: the rooms of the house open one way only."""

import ast
import functools
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GAME = {"scoring", "game", "seating_draw", "ranking"}
# What each room may import besides itself. `web` is for what makes pages alone.
ROOMS = {
    "scoring": set(),
    "game": {"scoring"},
    "seating_draw": {"scoring"},
    "ranking": set(),
    "people": GAME,
    "rules": GAME | {"people"},
    "table": GAME | {"people", "rules"},
    "league": GAME | {"people", "rules", "table"},
    "meetings": GAME | {"people", "rules", "table"},
    "exchange": GAME | {"people", "rules", "table", "league", "meetings"},
    "web": GAME | {"people"},
    "management": GAME | {"people", "rules", "table", "league", "meetings", "exchange", "web"},
}


def modules(*folders):
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def room_of(name):
    """Return the room that a dotted name stands in, or None for other packages and for what is outside the rooms."""
    parts = name.split(".")
    if parts[0] == "clubscore" and len(parts) > 1:
        return {"scoring": "scoring", "play": "game", "seating_draw": "seating_draw", "league": "ranking"}.get(parts[1])
    return parts[1] if parts[0] == "sessions_app" and len(parts) > 1 and parts[1] in ROOMS else None


def is_for_pages(path):
    """Say whether a module makes pages: views, template tags and addresses."""
    return "views" in path.parent.name or path.stem.endswith("views") or path.stem in ("tags", "urls")


def dotted(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def nodes_of(path):
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@functools.cache
def imported_names(path):
    """Return what a module imports, wherever in it; `from package import name` gives both ways of reading it."""
    package = (dotted(path) if path.name == "__init__.py" else dotted(path.parent)).split(".")
    found = []
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found += [f"{base}.{alias.name}" for alias in node.names]
    return found


def wrong_imports(path):
    room = room_of(dotted(path))
    if room is None:
        return []
    allowed = {None, room} | ROOMS[room] | ({"web"} if is_for_pages(path) else set())
    return [f"{path.relative_to(ROOT)} imports {name}" for name in imported_names(path) if room_of(name) not in allowed]


def test_rooms_open_one_way():
    assert {line for path in modules("clubscore", "sessions_app") for line in wrong_imports(path)} == set()


def imported_files(path):
    """Return the files of the project that a module imports, directly or through others."""
    found, todo = set(), [path]
    while todo:
        for name in imported_names(todo.pop()):
            for parts in (name.split("."), name.split(".")[:-1]):
                file = ROOT.joinpath(*parts).with_suffix(".py")
                if parts and file.is_file() and file not in found:
                    found.add(file)
                    todo.append(file)
    return found


# What shows a table, a hand or a sheet; these pages write no entry.
READING_VIEWS = ("hand_entry_page", "hand_page", "pending_commands", "session_sheet", "table", "tablets", "watching")


@pytest.mark.parametrize("view", READING_VIEWS)
def test_reading_never_imports_writing(view):
    names = {dotted(file) for file in imported_files(ROOT / f"sessions_app/table/views/{view}.py")}
    assert names & {"sessions_app.table.apply_command", "sessions_app.table.carry_out"} == set()


def test_the_product_works_without_the_sample_data():
    found = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules("clubscore", "sessions_app")
        for name in imported_names(path)
        if name.split(".")[0] in ("sample_data", "tests", "tools")
    }
    assert found == set()


def imports_beside(paths, packages):
    """Return what modules import besides the standard library, `clubscore` itself and these packages."""
    allowed = {*sys.stdlib_module_names, "clubscore", *packages}
    return {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in paths
        for name in imported_names(path)
        if name.split(".")[0] not in allowed
    }


def test_the_game_imports_only_the_standard_library():
    game = [path for path in modules("clubscore") if path.relative_to(ROOT).parts[1] != "site"]
    assert len(game) > 60
    assert imports_beside(game, []) == set()
    assert [path.name for path in game for name in imported_names(path) if name.startswith("clubscore.site")] == []


def test_the_site_is_handed_the_rooms():
    packages = ("django", "whitenoise", "granian", "asgiref", "filelock", "dj_database_url")
    assert imports_beside(modules("clubscore/site"), packages) == set()


def test_clubscore_itself_says_its_version_and_no_more():
    assert re.fullmatch(r'__version__ = "[\d.]+"\n', (ROOT / "clubscore" / "__init__.py").read_text())


def test_no_import_hides_in_a_function():
    found = [
        f"{path.relative_to(ROOT)}:{inner.lineno}"
        for path in modules("clubscore", "sessions_app")
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    ]
    assert found == []
