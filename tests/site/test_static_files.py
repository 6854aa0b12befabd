"""Static files as they are served: each under a name that tells its content, modules importing each other by it."""

import json
import re
import shutil
from contextlib import contextmanager
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from django.core.files.storage import storages
from django.core.management import call_command
from django.http import HttpResponse
from django.test import RequestFactory, override_settings
from fontTools.ttLib import TTFont
from whitenoise.middleware import WhiteNoiseMiddleware

from clubscore.site.static_storage import BESIDE, BUNDLED, BUNDLES, PACK, PACKED, SHARED, STANDALONE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "static"
LIT = STATIC / "vendor" / "lit-html" / "lit-html.js"
LIBRARIES = [LIT, STATIC / "vendor" / "idiomorph" / "idiomorph.min.js"]
SCRIPTS = [*LIBRARIES, *(path for path in STATIC.rglob("*.js") if "vendor" not in path.parts)]
EXTENSIONS = {path.suffix.removeprefix(".") for path in STATIC.rglob("*.*")}
IMPORT = re.compile(r"""(?:from|import)\s*["'](\.[^"']+)["']""")


def imports_of(script):
    return {(script.parent / name).resolve() for name in IMPORT.findall(script.read_text(encoding="utf-8"))}


@pytest.fixture
def collected(collected_static_files):
    """Return the folder that ./run serves, and its storage."""
    with storage_of(ROOT / "staticfiles") as storage:
        yield ROOT / "staticfiles", storage


@contextmanager
def storage_of(folder, **more):
    backend = {"BACKEND": "clubscore.site.static_storage.StaticStorage"}
    with override_settings(STATIC_ROOT=folder, STORAGES={"staticfiles": backend}, **more):
        yield storages["staticfiles"]


@pytest.mark.parametrize("weight", [400, 700])
def test_the_zero_of_the_font_is_plain(weight):
    # With a slash through it, “0 points” reads as “Ø points”: a plain zero is one outline around one opening.
    name = f"atkinson-hyperlegible-next-latin-{weight}-normal.woff2"
    glyphs = TTFont(STATIC / "vendor" / "atkinson-hyperlegible-next" / name)["glyf"]
    assert [len(glyphs[digit].endPtsOfContours) for digit in ("zero", "O", "eight")] == [2, 2, 3]


def test_scripts_import_each_other_one_way():
    # In a circle no name could tell the content: each would change the other's.
    graph = {script.resolve(): imports_of(script) for script in SCRIPTS}
    TopologicalSorter(graph).prepare()
    assert {script for imported in graph.values() for script in imported} <= set(graph)


def test_sheets_are_served_without_remarks(collected):
    folder, storage = collected
    for sheet in STATIC.rglob("*.css"):
        if "vendor" not in sheet.parts:
            served = (folder / storage.stored_name(str(sheet.relative_to(STATIC)))).read_text(encoding="utf-8")
            # Licences stay.
            assert re.findall(r"/\*(?!!).*", served) == []
            assert served.count("{") == served.count("}") > 0


def test_every_import_is_by_a_name_that_tells_the_content(collected):
    folder, storage = collected
    for script in SCRIPTS:
        name = str(script.relative_to(STATIC))
        served = folder / storage.stored_name(name)
        names = IMPORT.findall(served.read_text(encoding="utf-8"))
        if name not in BUNDLED:
            assert len(names) == len(IMPORT.findall(script.read_text(encoding="utf-8")))
        for name in names:
            assert re.search(r"\.[0-9a-f]{12}\.js$", name)
            assert (served.parent / name).is_file()


def test_what_goes_together_is_joined_and_nothing_is_there_twice(collected):
    folder, storage = collected
    texts = {name: (folder / storage.stored_name(name)).read_text(encoding="utf-8") for name in BUNDLED}
    at_table = [texts[name] for name in (*SHARED, *BUNDLES)]
    modules = [one for text in at_table for one in re.findall(r"^const (\$\w+) = \(\(\) => \{$", text, re.M)]
    assert len(modules) == len(set(modules)) > 30
    # A hand's page and the table's share one queue, and all share one store: the modules of the first are those of the
    # others.
    of_table = ["table/to_send.js", "table/outbox/page.js"]
    assert sorted(name for name, text in texts.items() if "const $table_outbox_queue = " in text) == sorted(of_table)
    imported = {
        name: {other.split(".")[-3].split("/")[-1] for other in IMPORT.findall(text)} for name, text in texts.items()
    }
    assert imported["table/shared.js"] == set()
    assert imported["table/outbox/page.js"] == {"shared"}
    for name in ("table/table.js", "table/hand_entry.js", "table/as_code.js", "table/game_over.js"):
        assert imported[name] == {"page", "shared"}
    for name in BESIDE:
        assert imported[name] == {"shared"}
    sheet = (folder / storage.stored_name("web/base.css")).read_text(encoding="utf-8")
    assert "@import" not in sheet
    assert "--pico-font-size" in sheet
    assert ".board-head" not in sheet
    fonts = re.findall(r'url\("([^"]+woff2)"', sheet)
    assert len(fonts) == 2
    assert all((folder / "web" / font).is_file() for font in fonts)


def test_a_script_of_another_page_has_all_that_it_imports_in_itself(collected):
    folder, storage = collected
    for name in STANDALONE:
        text = (folder / storage.stored_name(name)).read_text(encoding="utf-8")
        assert IMPORT.findall(text) == []
        assert re.search(r"^const \$\w+ = \(\(\) => \{", text, re.M)


@pytest.mark.long
def test_collected_twice_it_is_joined_once(collected, tmp_path):
    folder, storage = collected
    before = {name: (folder / storage.stored_name(name)).read_bytes() for name in BUNDLED}
    pack = (folder / storage.stored_name(PACK)).read_bytes()
    again = shutil.copytree(folder, tmp_path / "again")
    # Compressing takes nearly all of the time, and the files without it are those that are compared.
    with storage_of(again, WHITENOISE_SKIP_COMPRESS_EXTENSIONS=EXTENSIONS) as storage:
        call_command("collectstatic", interactive=False, verbosity=0)
        assert {name: (again / storage.stored_name(name)).read_bytes() for name in before} == before
        assert (again / storage.stored_name(PACK)).read_bytes() == pack


def test_what_a_tablet_keeps_is_there_as_one_file(collected):
    folder, storage = collected
    name = storage.stored_name(PACK)
    assert re.fullmatch(r"table/kept\.[0-9a-f]{12}\.pack", name)
    index, _, bytes_left = (folder / name).read_bytes().partition(b"\n")
    types = {}
    for file, kind, length in json.loads(index):
        assert bytes_left[:length] == (folder / file).read_bytes()
        bytes_left, types[file.rpartition(".")[2]] = bytes_left[length:], kind
    assert bytes_left == b""
    assert [file for file, *_ in json.loads(index)] == [storage.stored_name(packed) for packed in PACKED]
    assert types == {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
    assert (folder / f"{name}.br").stat().st_size < 100_000


def test_files_are_there_compressed(collected):
    folder, storage = collected
    name = storage.stored_name("web/base.css")
    assert re.fullmatch(r"web/base\.[0-9a-f]{12}\.css", name)
    assert (folder / f"{name}.br").stat().st_size < (folder / name).stat().st_size / 2
    assert (folder / f"{name}.gz").is_file()


@pytest.mark.django_db
def test_files_are_sent_compressed_and_for_good(collected):
    folder, storage = collected
    name = storage.stored_name("web/base.css")
    with override_settings(STATIC_ROOT=folder, WHITENOISE_AUTOREFRESH=False, WHITENOISE_USE_FINDERS=False):
        served = WhiteNoiseMiddleware(lambda request: HttpResponse(status=404))
    for encodings, encoding, ending in (("gzip, br", "br", ".br"), ("gzip", "gzip", ".gz")):
        answer = served(RequestFactory().get(f"/static/{name}", headers={"Accept-Encoding": encodings}))
        assert answer.headers["Content-Encoding"] == encoding
        assert answer.headers["Content-Length"] == str((folder / f"{name}{ending}").stat().st_size)
        assert answer.headers["Cache-Control"] == "max-age=315360000, public, immutable"
        assert answer.headers["Vary"] == "Accept-Encoding"
        answer.close()
