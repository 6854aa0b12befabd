"""Static files with hashed names, and bundles of scripts and style sheets, so that a tablet makes few requests.

In development each file is served as written. `collectstatic` bundles each script of BUNDLES with the modules it
imports, and each style sheet with the sheets it imports, without comments. A later bundle imports modules from an
earlier one that has them; those of SHARED are of use to nearly all. What a tablet keeps is also written as one file.
"""

import json
import re
from collections.abc import Callable, Iterator
from os import getpid
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from whitenoise.media_types import MediaTypes
from whitenoise.storage import CompressedManifestStaticFilesStorage

from clubscore.engine.build import ENTRY, LEAGUE_ENTRY, bundle

# The folders of our own files, named like the packages and templates.
ROOMS = ("web/", "table/", "league/", "meetings/", "rules/", "people/", "exchange/")
# What most scripts of a table and of games share: modules that do nothing by themselves.
SHARED = ("table/shared.js",)
# Pages of a table load the first of these, and later the others.
BUNDLES = (
    "table/outbox/page.js", "table/table.js", "table/hand_entry.js", "table/as_code.js", "table/game_over.js",
)  # fmt: skip
# For pages without the bundles above; they import what is shared.
BESIDE = (
    "table/any_table.js", "table/games.js", "table/game_house_rules.js", "table/game_copies.js",
    "table/offline_ready.js", "table/start_here.js", "meetings/draw_here.js", "exchange/take_in.js", "league/tablet.js",
)  # fmt: skip
# Each holds everything it imports.
STANDALONE = (
    "table/engine/worker.js", "table/to_send.js", "table/paper.js", "table/watch.js", "meetings/attendance.js",
    "rules/club_hand.js", "rules/practice.js", "rules/worth.js", "exchange/from_game.js", "exchange/into_club.js",
)  # fmt: skip
BUNDLED = (*SHARED, *BUNDLES, *BESIDE, *STANDALONE)
IMPORT = re.compile(r'^import (?:(\{[^}]*\}|\* as \w+) from )?"(\.[^"]+)";\n', re.M)
# Lines of comments, and types; licences stay.
REMARKS = re.compile(r"^ *//.*\n|^ */\*\*(?!\s*\*?\s*@license)(?:(?!\*/)[\s\S])*\*/\n", re.M)
INDENTATION = re.compile(r"^ +", re.M)
EXPORT = re.compile(r"^export (?=(?:async )?function (\w+)|const (\w+))", re.M)
# As a library that was built has it: "export{a as html,b as render};".
EXPORT_LIST = re.compile(r"\bexport ?\{([^}]*)\};?")
STYLE_IMPORT = re.compile(r'^@import "([^"]+)";\n', re.M)
# Licences begin with an exclamation mark and stay.
COMMENT = re.compile(r"/\*(?!!).*?\*/\n?", re.S)
LINE_END = re.compile(r"\s*\n\s*")
# Returns the text of a source file by its name.
Read = Callable[[str], str]
MODULE_IMPORTS = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]
IN_STYLE = re.compile(r"""url\(["']?(?!data:)([^"')]+)["']?\)""")

# The rules, for MicroPython on a tablet, and the league, which few tablets fetch.
RULES = "table/engine/rules.json"
LEAGUE = "table/engine/league.json"
BUILT = {RULES: ENTRY, LEAGUE: LEAGUE_ENTRY}

# What every tablet keeps: what the first page of a game loads and what runs the rules, each by itself ...
FONT = "vendor/atkinson-hyperlegible-next/atkinson-hyperlegible-next-latin-{}-normal.woff2"
FIRST = (
    "web/every_page.js", "web/base.css", "web/looks.css", FONT.format(400), FONT.format(700), "table/session.css",
    "table/shared.js", "table/games.js", "table/engine/worker.js", "vendor/micropython/micropython.mjs",
    "vendor/micropython/micropython.wasm", RULES,
)  # fmt: skip
# ... and what the pages of a game or table load later, in one file, from which the service worker takes them.
PACK = "table/kept.pack"
PACKED = (
    "rules/tiles/icon.svg", "rules/tiles/tiles.svg", "rules/tiles/winds.svg", "table/any_table.js",
    "table/outbox/page.js", "table/table.js", "table/hand_entry.js", "table/as_code.js", "table/game_over.js",
    "table/table.css", "table/hand_entry.css", "table/session_sheet.css", "vendor/qrcode-generator/qrcode.js",
    "exchange/take_in.js", "exchange/exchange.css",
)  # fmt: skip


class BuiltFiles(BaseFinder):
    """Finds the files of BUILT, which are not committed but built from the sources whenever they change."""

    def find(self, path: str, find_all: bool = False, **options: Any) -> Any:
        found = [self._built(path).path(path)] if path in BUILT else []
        return found if find_all else found[0] if found else []

    def list(self, ignore_patterns: Any) -> Iterator[Any]:
        for path in BUILT:
            yield path, self._built(path)

    def _built(self, path: str) -> FileSystemStorage:
        storage = FileSystemStorage(settings.VAR_DIR / "built")
        file, text = Path(storage.path(path)), bundle(BUILT[path])
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            # Private, as the database will be in this folder too.
            settings.VAR_DIR.mkdir(0o700, parents=True, exist_ok=True)
            file.parent.mkdir(parents=True, exist_ok=True)
            part = file.with_suffix(f".{getpid()}")
            part.touch(0o600)
            part.write_text(text, encoding="utf-8")
            part.replace(file)
        return storage


class StaticStorage(CompressedManifestStaticFilesStorage):
    # Rewrite imports in our own scripts only: other packages' modules import files that they do not ship.
    patterns = CompressedManifestStaticFilesStorage.patterns + tuple((f"{room}*.js", MODULE_IMPORTS) for room in ROOMS)
    # One pass for each step of the longest chain of imports.
    max_post_process_passes = 20

    def post_process(self, paths: Any, dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Write the bundles, always from the sources, before files get their hashed names."""
        # Windows' names have the other slash.
        paths = {name.replace("\\", "/"): found for name, found in paths.items()}

        def read(name: str) -> str:
            storage, path = paths[name]
            with storage.open(path) as file:
                return str(file.read().decode())

        if not dry_run:
            own = [name for name in paths if name.startswith(ROOMS) and name.endswith((".js", ".css"))]
            bundles = {name: served_text(name, read) for name in own}
            for name, text in bundles.items():
                self.delete(name)
                self._save(name, ContentFile(text.encode()))
            paths = {**paths, **{name: (self, name) for name in bundles}}
        yield from super().post_process(paths, dry_run, **options)
        if not dry_run:
            yield from self._write_pack()

    def _write_pack(self) -> Iterator[Any]:
        """Write the files of PACKED as one: a line of JSON with their names, types and lengths, then their bytes."""
        names = [self.stored_name(name) for name in PACKED]
        texts = [Path(self.path(name)).read_bytes() for name in names]
        types = [MediaTypes().get_type(name) for name in names]
        index = [[name, kind, len(text)] for name, kind, text in zip(names, types, texts, strict=True)]
        content = ContentFile(b"".join([json.dumps(index).encode(), b"\n", *texts]))
        packed = self.hashed_name(PACK, content)
        self.delete(packed)
        self._save(packed, content)
        self.hashed_files[self.hash_key(PACK)] = packed
        self.save_manifest()
        yield PACK, packed, True
        yield from ((packed, name, True) for _, name in self.compress_files([packed]))


def served_text(name: str, read: Read) -> str:
    """Return a script or style sheet as it is served; `read` returns the text of a source file."""
    if name.endswith(".css"):
        return bundle_sheet(name, read)
    if name in BUNDLED:
        return bundle_script(name, read)
    return REMARKS.sub("", read(name)) if name.startswith(ROOMS) and name.endswith(".js") else read(name)


def bundle_sheet(name: str, read: Read) -> str:
    """Return a style sheet with those it imports in place, the addresses in them adapted."""

    def inline(match: re.Match[str]) -> str:
        inner = resolve(name, match[1])
        text = bundle_sheet(inner, read)
        return IN_STYLE.sub(lambda url: f'url("{relpath(resolve(inner, url[1]), dirname(name))}")', text)

    return LINE_END.sub(" ", COMMENT.sub("", STYLE_IMPORT.sub(inline, read(name))))


def bundle_script(name: str, read: Read) -> str:
    """Return a script with the modules it imports, each in a function, so that their names do not collide."""
    chain = (*SHARED, *BUNDLES) if name in BUNDLES else (*SHARED, name) if name in BESIDE else SHARED
    earlier = () if name in STANDALONE else chain[: chain.index(name)]
    elsewhere = {module: bundle for bundle in reversed(earlier) for module in modules_of(bundle, read)}
    own = [module for module in modules_of(name, read) if module not in elsewhere]
    imported: dict[str, dict[str, None]] = {}
    for module in own:
        for other in imports_of(module, read):
            if other in elsewhere:
                imported.setdefault(elsewhere[other], {})[other] = None
    parts = [
        f'import {{ {", ".join(map(variable, modules))} }} from "{relative(bundle, name)}";\n'
        for bundle, modules in imported.items()
    ]
    parts += [wrap(module, read) for module in own]
    return "".join(parts) + f"export {{ {', '.join(map(variable, own))} }};\n"


def modules_of(name: str, read: Read) -> list[str]:
    """Return the modules that a script needs, each after those it imports itself; the script is the last."""
    found = [module for inner in imports_of(name, read) for module in modules_of(inner, read)]
    return list(dict.fromkeys([*found, name]))


def imports_of(name: str, read: Read) -> list[str]:
    return [resolve(name, match[2]) for match in IMPORT.finditer(read(name))]


def wrap(name: str, read: Read) -> str:
    """Return a module as a function that returns its exports, without comments and indentation."""
    text = INDENTATION.sub("", REMARKS.sub("", read(name)))

    def as_variable(match: re.Match[str]) -> str:
        if not match[1]:
            return ""
        names = match[1].replace(" as ", ": ") if match[1].startswith("{") else match[1].removeprefix("* as ")
        return f"const {names} = {variable(resolve(name, match[2]))};\n"

    exports = [match[1] or match[2] for match in EXPORT.finditer(text)]
    for match in EXPORT_LIST.finditer(text):
        exports += [re.sub(r"(\S+) as (\S+)", r"\2: \1", export) for export in match[1].split(",")]
    body = EXPORT_LIST.sub("", EXPORT.sub("", IMPORT.sub(as_variable, text)))
    if re.search(r"^export\b", body, re.M):
        raise ValueError(f"{name}: a bundle reads exported functions and constants, each by itself, and lists of names")
    return f"const {variable(name)} = (() => {{\n{body}return {{ {', '.join(exports)} }};\n}})();\n"


def variable(name: str) -> str:
    """Return the JavaScript variable that holds a module's exports."""
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


def resolve(name: str, address: str) -> str:
    """Return the name of the file that `address` means in the file `name`."""
    return normpath(join(dirname(name), address))


def relative(name: str, other: str) -> str:
    path = relpath(name, dirname(other))
    return path if path.startswith(".") else f"./{path}"
