"""What developers use: tests, checks, what the rules give, fuzzing, measurements, the size of the code.

`./run test` and the others install the packages and call it; by itself it needs the Python of .venv.
"""

import argparse
import ast
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from clubscore.site.settings_file import NAMES  # noqa: E402

PYTHON = sys.executable
JAVASCRIPT = ROOT / "tools" / "javascript"
PROGRAMS = JAVASCRIPT / "node_modules" / ".bin"
SCRIPTS = (".js", ".mjs")


# Tests


def test(argv: list[str]) -> int:
    """Run the tests, and those of the database on PostgreSQL; return the worse exit code."""
    if "--quick" not in argv:
        install_script_tools()
    # Otherwise each of the many processes that tests start compiles the whole project again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    first, *others = [[PYTHON, "-m", *command] for command in test_passes(argv)]
    if others and "--long" not in argv:
        # One process beside the others, which leave the processors idle now and then; what it says comes afterwards.
        with tempfile.TemporaryFile("w+") as said, subprocess.Popen(others[0], stdout=said, stderr=said) as beside:
            codes = [subprocess.call(first), beside.wait()]
            said.seek(0)
            print(said.read(), end="", flush=True)
    else:
        codes = [subprocess.call(command) for command in (first, *others)]
    if argv == ["--long"]:
        codes.append(subprocess.call([PYTHON, "tools/windows/trial.py"]))
    return max(codes)


def in_ci() -> bool:
    return os.environ.get("CI", "") not in ("", "0", "false")


def test_passes(argv: list[str]) -> list[list[str]]:
    """Return the modules and arguments to run.

    First the tests on SQLite, then on PostgreSQL those marked postgres; with --long all of both. Paths, --quick and
    --postgres choose one of the two.
    """
    options = [arg for arg in argv if arg != "--postgres"]
    paths = [arg for arg in options if not arg.startswith("-")]
    processors = os.cpu_count() or 1
    shared: list[str] = []
    if "--quick" in argv and not paths:
        shared = ["-n", str(processors)]
    elif not paths:
        # Hand out tests one by one, so that none waits behind a long one while another process is idle.
        shared = ["-n", str(test_processes(processors)), "--maxschedchunk", "1"]
    if "--long" not in options:
        # A test that hangs ends its process and shows the stacks of its threads; xdist starts another process.
        options = ["-o", "faulthandler_timeout=600", "-o", "faulthandler_exit_on_timeout=true", *options]
    if "--postgres" in argv:
        return [["tests.postgres", *shared, *options]]
    if paths or "--quick" in argv:
        return [["pytest", *shared, *options]]
    return [["pytest", *shared, *options], ["tests.postgres", *(shared if "--long" in argv else []), *options]]


def test_processes(processors: int) -> int:
    """Return how many processes run tests: more than processors, as browser tests mostly wait."""
    return min(processors + 2, 4)


# Checks


def check(argv: list[str]) -> str | None:
    """Look for faults without running the tests; return what was found wanting."""
    argparse.ArgumentParser(prog="run check", description="Look for faults without running the tests.").parse_args(argv)
    os.environ.update(
        SECRET_KEY=secrets.token_urlsafe(48), SITE_URL="https://clubscore.example", DATABASE_URL="sqlite://:memory:"
    )
    checks: dict[str, list[str | Path]] = {
        "style": [PYTHON, "-m", "ruff", "check", "--output-format", "concise"],
        "layout": [PYTHON, "-m", "ruff", "format", "--check", "--output-format", "concise"],
        "types": [PYTHON, "-m", "mypy"],
        "templates": [PYTHON, "-m", "djlint", "--lint", "--quiet", "templates"],
        "missing migrations": [PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"],
        "production settings": [PYTHON, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
    }
    if install_script_tools():
        checks["scripts"] = [
            PROGRAMS / "biome",
            "check",
            "--error-on-warnings",
            "--config-path",
            JAVASCRIPT,
        ]
        checks["scripts"] += ["static", "tests/javascript"]
        checks["types of the scripts"] = [PROGRAMS / "tsc", "--project", JAVASCRIPT]
    failed = []
    with ThreadPoolExecutor(os.cpu_count()) as side_by_side:
        begun = {name: side_by_side.submit(run, command) for name, command in checks.items()}
        for name, done in begun.items():
            print(f"Checking {name} ...", flush=True)
            print(done.result().stdout, end="", flush=True)
            if done.result().returncode != 0:
                failed.append(name)
    if failed:
        return f"Found wanting: {', '.join(failed)}."
    print("All checks passed.")
    return None


def run(command: list[str | Path]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def install_script_tools() -> bool:
    """Install what checks and tests the scripts; return whether it is there. Without npm that is a fault only in CI."""
    # With its whole name, as Windows starts no npm.cmd by the short one.
    npm = shutil.which("npm")
    if not npm:
        if in_ci():
            sys.exit("npm is missing, which brings what checks and tests the scripts.")
        print("The scripts are left out: npm is missing, which checks and tests them ('sudo apt install npm').")
        return False
    wanted = (JAVASCRIPT / "package-lock.json").read_text(encoding="utf-8")
    installed = JAVASCRIPT / "node_modules" / "installed.json"
    if not installed.exists() or installed.read_text(encoding="utf-8") != wanted:
        print("Installing the packages of tools/javascript ...", flush=True)
        command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"]
        if subprocess.call(command, cwd=JAVASCRIPT, stdout=subprocess.DEVNULL) != 0:
            sys.exit("The packages of tools/javascript could not be installed; the reason stands above.")
        installed.write_text(wanted, encoding="utf-8")
    return True


def audit(argv: list[str]) -> str | None:
    """Ask for known faults of all installed packages; no answer is a failure."""
    argparse.ArgumentParser(prog="run audit", description="Ask about known faults of the packages.").parse_args(argv)
    if subprocess.call([PYTHON, "-m", "pip_audit", "--local", "--strict", "--progress-spinner", "off"]) != 0:
        return "A package has a known fault, or nothing could be found out: the lines above say which."
    print("No faults are known of any package.")
    return None


def rules(argv: list[str]) -> NoReturn:
    become("-m", "tools.rules", *argv)


# Measurements, each a program of its own


def fuzz(argv: list[str]) -> NoReturn:
    become("-m", "tools.fuzz", *argv)


def bench(argv: list[str]) -> NoReturn:
    # Static files and a key, as it measures a server.
    subprocess.run([PYTHON, "run", "install"], check=True)
    become("-m", "tools.benchmarks", *argv)


def lighthouse(argv: list[str]) -> NoReturn:
    become("tools/lighthouse/measure.py", *argv)


def windows(argv: list[str]) -> NoReturn:
    become("tools/windows/trial.py", *argv)


def become(*arguments: str) -> NoReturn:
    if os.name == "posix":
        os.execv(PYTHON, [PYTHON, *arguments])
    sys.exit(subprocess.call([PYTHON, *arguments]))


# The size of the code


# The code lines that each room should have at most: a change that makes one grow gives something up, and says what.
AIMS = {
    "clubscore": 5,
    "clubscore/site": 730,
    "clubscore/scoring": 5450,
    "clubscore/play": 4350,
    "clubscore/league": 480,
    "clubscore/seating_draw": 330,
    "clubscore/engine": 430,
    "sessions_app": 165,
    "sessions_app/people": 3730,
    "sessions_app/rules": 1330,
    "sessions_app/table": 3430,
    "sessions_app/table/views": 2190,
    "sessions_app/league": 1990,
    "sessions_app/meetings": 1580,
    "sessions_app/exchange": 1140,
    "sessions_app/exchange/imports": 2400,
    "sessions_app/exchange/exports": 960,
    "sessions_app/exchange/backups": 610,
    "sessions_app/management": 550,
    "sessions_app/web": 730,
}


def size(argv: list[str]) -> None:
    """Print how large the code and its tests are, and each room beside its aim."""
    parser = argparse.ArgumentParser(prog="run size", description="Count the lines of the code and of its tests.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT, help="a checkout (this one)")
    folder = parser.parse_args(argv).folder
    for name, figure in sizes(folder).items():
        print(f"{figure:>7,}  {name}")
    print("\nCode lines of each room, and its aim:")
    for room, figure in room_sizes(folder).items():
        print(f"{figure:>7,} {AIMS.get(room, 0):>7,}  {room}")


def room_sizes(folder: Path) -> dict[str, int]:
    """Return the code lines of each room; a module belongs to the innermost."""
    found: dict[str, int] = {}
    for path in python_files(folder):
        parents = [str(parent) for parent in path.relative_to(folder).parents]
        room = next((parent for parent in parents if parent in AIMS), parents[-2])
        found[room] = found.get(room, 0) + code_lines(path)
    return dict(sorted(found.items()))


def sizes(folder: Path) -> dict[str, int]:
    """Return the figures of a checkout. Migrations, and what others wrote, are not counted."""
    rooms = python_files(folder)
    return {
        "code lines of clubscore and sessions_app": sum(map(code_lines, rooms)),
        "modules, with run and manage.py": len(rooms) + 2,
        "lines of JavaScript": sum(map(all_lines, own_files(folder / "static", *SCRIPTS))),
        "lines of tests": sum(map(all_lines, own_files(folder / "tests", ".py", *SCRIPTS))),
    }


def python_files(folder: Path) -> list[Path]:
    return [path for room in ("clubscore", "sessions_app") for path in own_files(folder / room, ".py")]


def own_files(folder: Path, *suffixes: str) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.suffix in suffixes and not {"migrations", "vendor"} & set(path.parts):
            yield path


def all_lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def code_lines(path: Path) -> int:
    """Return the lines without blanks, docstrings, imports and comments.

    A blank line within a docstring is taken off as both, as it was when the figures were first noted.
    """
    source = path.read_text(encoding="utf-8")
    lines = [line.strip() for line in source.splitlines()]
    code = [line for line in lines if line and not line.startswith("#")]
    return len(code) - sum((node.end_lineno or 0) - node.lineno + 1 for node in no_code(ast.parse(source)))


def no_code(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield a module's imports and docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            yield node.body[0]


Command = Callable[[list[str]], int | str | None]
COMMANDS: dict[str, Command] = {
    "test": test,
    "check": check,
    "rules": rules,
    "fuzz": fuzz,
    "bench": bench,
    "lighthouse": lighthouse,
    "windows": windows,
    "audit": audit,
    "size": size,
}


def main(argv: list[str]) -> int | str | None:
    """Run a command away from any installation's settings; return an exit code or the reason for a failure."""
    parser = argparse.ArgumentParser(prog="tools/dev.py", description=__doc__.partition("\n")[0])
    parser.add_argument("command", choices=COMMANDS)
    chosen = parser.parse_args(argv[:1]).command
    os.chdir(ROOT)
    for name in NAMES:
        os.environ.pop(name, None)
    os.environ["CLUBSCORE_ENV"] = ""
    return COMMANDS[chosen](argv[1:])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
