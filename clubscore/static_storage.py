"""Static files under names that tell their content, and those that go together joined, so that a tablet asks seldom.

While developing every module and sheet is served as it is written. When static files are collected, each script of
JOINED is joined with the modules it imports, and each sheet with the sheets it imports, without its comments; later
scripts import from an earlier one what it already holds.
"""

import re
from collections.abc import Iterator
from os import getpid
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from clubscore.engine.build import bundle

# The folders of our own files, named as the packages and the templates are.
ROOMS = ("web/", "table/", "league/", "meetings/", "rules/", "people/", "exchange/")
JOINED = (
    "table/outbox/page.js",
    "table/outbox/tables.js",
    "table/table.js",
    "table/hand_entry.js",
    "table/as_code.js",
    "table/sheet.js",
    "table/new_table_seats.js",
)
# Joined with all that they import, on pages without those.
ALONE = (
    "table/offline_ready.js",
    "table/new_table.js",
    "table/start_here.js",
    "meetings/draw_here.js",
    "rules/worth.js",
    "exchange/go_on_here.js",
)
TAKEN_IN = (
    *(f"table/{name}" for name in ("outbox/", "hand_entry/", "as_code/", "at_table.js", "later.js", "read_aloud.js")),
    "web/tokens.css",
    "vendor/pico/",
)
IMPORT = re.compile(r'^import (?:(\{[^}]*\}|\* as \w+) from )?"(\.[^"]+)";\n', re.M)
LINE_COMMENT = re.compile(r"^ *//.*\n", re.M)
EXPORT = re.compile(r"^export (?=(?:async )?function (\w+)|const (\w+))", re.M)
STYLE_IMPORT = re.compile(r'^@import "([^"]+)";\n', re.M)
# A licence, which begins with an exclamation mark, stays.
COMMENT = re.compile(r"/\*(?!!).*?\*/\n?", re.S)
MODULE_IMPORTS = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]
IN_STYLE = re.compile(r"""url\(["']?(?!data:)([^"')]+)["']?\)""")

# The rules as MicroPython runs them on a tablet.
RULES = "table/engine/rules.json"


class BuiltFiles(BaseFinder):
    """Finds what is built from the sources and not committed; it is as new as they are."""

    def find(self, path: str, find_all: bool = False, **options: Any) -> Any:
        found = [self._built().path(RULES)] if path == RULES else []
        return found if find_all else found[0] if found else []

    def list(self, ignore_patterns: Any) -> Iterator[Any]:
        yield RULES, self._built()

    def _built(self) -> FileSystemStorage:
        storage = FileSystemStorage(settings.VAR_DIR / "built")
        file = Path(storage.path(RULES))
        if not file.exists() or file.read_text(encoding="utf-8") != bundle():
            # The database will lie there too: nobody else on the machine reads anything in it.
            settings.VAR_DIR.mkdir(0o700, parents=True, exist_ok=True)
            file.parent.mkdir(parents=True, exist_ok=True)
            part = file.with_suffix(f".{getpid()}")
            part.touch(0o600)
            part.write_text(bundle(), encoding="utf-8")
            part.replace(file)
        return storage


class StaticStorage(CompressedManifestStaticFilesStorage):
    # Imports are rewritten in our own scripts alone: other packages' modules import what they do not ship.
    patterns = CompressedManifestStaticFilesStorage.patterns + tuple((f"{room}*.js", MODULE_IMPORTS) for room in ROOMS)
    # One pass for each module on the longest way from a page's script through its imports.
    max_post_process_passes = 20

    def post_process(self, paths: Any, dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Join what goes together before names are given; from the sources, whatever was joined here before."""

        def read(name):
            storage, path = paths[name]
            with storage.open(path) as file:
                return file.read().decode()

        if not dry_run:
            sheets = [name for name in paths if name.startswith(ROOMS) and name.endswith(".css")]
            together = {name: joined(name, read) for name in (*JOINED, *ALONE, *sheets)}
            for name, text in together.items():
                self.delete(name)
                self._save(name, ContentFile(text.encode()))
            paths = {**paths, **{name: (self, name) for name in together}}
        yield from super().post_process(paths, dry_run, **options)


def joined(name: str, read: Any) -> str:
    """Return a script or sheet as it is served; `read` gives the text of a source."""
    if name.endswith(".css"):
        return joined_sheet(name, read)
    return joined_script(name, read) if name in (*JOINED, *ALONE) else read(name)


def is_taken_in(name: str) -> bool:
    """Say whether the pages of a table have this file within another one alone."""
    return name.startswith(TAKEN_IN) and name not in JOINED


def joined_sheet(name: str, read: Any) -> str:
    def taken_in(match):
        inner = normpath(join(dirname(name), match[1]))
        return IN_STYLE.sub(lambda url: f'url("{moved(url[1], inner, name)}")', joined_sheet(inner, read))

    return COMMENT.sub("", STYLE_IMPORT.sub(taken_in, read(name)))


def moved(address: str, inner: Any, outer: Any) -> str:
    """Return a relative address of one sheet as another has to write it."""
    return relpath(join(dirname(inner), address), dirname(outer))


def joined_script(name: str, read: Any) -> str:
    """Return a script with each module in a function of its own, as no two may speak of the same name."""
    modules = modules_of(name, read)
    earlier = () if name in ALONE else JOINED[: JOINED.index(name)]
    elsewhere = {module: entry for entry in reversed(earlier) for module in modules_of(entry, read)}
    taken = [module for module in modules if module not in elsewhere]
    from_others = {}
    for module in taken:
        for wanted in imports_of(module, read):
            if wanted in elsewhere:
                from_others.setdefault(elsewhere[wanted], {})[wanted] = True
    parts = [
        f'import {{ {", ".join(map(word_for, wanted))} }} from "{relative(entry, name)}";\n'
        for entry, wanted in from_others.items()
    ]
    parts += [wrapped(module, read) for module in taken]
    return "".join(parts) + f"export {{ {', '.join(map(word_for, taken))} }};\n"


def modules_of(name: str, read: Any, found: Any = None) -> Any:
    """Return the modules that a script needs, each behind those that it imports itself; the script is the last."""
    found = {} if found is None else found
    for wanted in imports_of(name, read):
        if wanted not in found:
            modules_of(wanted, read, found)
    found[name] = True
    return list(found)


def imports_of(name: str, read: Any) -> Any:
    return [normpath(join(dirname(name), match[2])) for match in IMPORT.finditer(read(name))]


def wrapped(name: str, read: Any) -> str:
    """Return a module as a function that gives what it exports; its comments stay in the source."""
    text = LINE_COMMENT.sub("", read(name))

    def taken(match):
        if not match[1]:
            return ""
        what = match[1].replace(" as ", ": ") if match[1].startswith("{") else match[1].removeprefix("* as ")
        return f"const {what} = {word_for(normpath(join(dirname(name), match[2])))};\n"

    names = ", ".join(match[1] or match[2] for match in EXPORT.finditer(text))
    body = EXPORT.sub("", IMPORT.sub(taken, text))
    return f"const {word_for(name)} = (() => {{\n{body}return {{ {names} }};\n}})();\n"


def word_for(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


def relative(name: str, other: str) -> str:
    path = relpath(name, dirname(other))
    return path if path.startswith(".") else f"./{path}"
