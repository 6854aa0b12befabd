"""A site of files for games that no club has: the server's own pages, for any web host and under any path.

Nobody knows under which path they will be. So they are drawn under `ROOT`; in a page each such address becomes one that
is relative to it, and scripts put the path in its place in the JSON that they read (`parsed` in static/web/dom.js).
"""

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template.loader import render_to_string
from django.test import Client, override_settings
from django.test.utils import override_script_prefix
from django.urls import get_resolver, reverse

from clubscore.scoring import RULE_SETS
from clubscore.site.static_storage import FIRST, PACK, PACKED
from sessions_app.web.middleware import CONTENT_SECURITY_POLICY

ROOT = "/the-site/"
DATA = re.compile(r'<script id="[\w-]+" type="application/json">.*?</script>', re.S)
# What differs each time a page is drawn, and what only a server reads.
TOKEN = re.compile(r'<input type=\\?"hidden\\?" name=\\?"csrfmiddlewaretoken\\?" value=\\?"\w*\\?">')
KEY = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
ASKED = re.compile(r'(?<=/)\?(?:back|next)=[^"#]*')
STATIC = re.compile(r"(?<=[\"' ])/static/")
HOST = re.compile(r"https?://localhost(?=/)")
ADDRESS = re.compile(r"""(?<=["' ])/the-site/([^"'\s#?\\&]*)""")
IN_FILE = re.compile(r"""(?:from ?|import ?|url\()["']?(\.{0,2}[\w./-]+)["')]""")
# The addresses of any table, in the place of which a tablet puts those of a game.
OF_ANY_TABLE = "c/game/sessions/0/"
RELEASE = "release.json"
STORAGE: Any = staticfiles_storage


@dataclass(frozen=True)
class GameSite:
    """What its pages say of a site: its name, and where to write to whoever keeps it."""

    name: str
    contact: str = ""

    @property
    def policy(self) -> str:
        """The policy of each page, in a meta element; that nobody may frame it, only a header can say."""
        return CONTENT_SECURITY_POLICY.replace("; frame-ancestors 'none'", "")

    @property
    def contact_address(self) -> str:
        return f"mailto:{self.contact}" if "@" in self.contact else self.contact


def page_names() -> Iterator[str]:
    """Yield the address of each page below the root of the site."""
    names = {str(name) for name in get_resolver().reverse_dict} - {"game-house-rules", "game-into-joined-club"}
    of_games = sorted(name for name in names if name.startswith("game-"))
    for name in (
        "front", "games", *of_games, "tablet-league", "rule-sets", "worth", "practice", "looks", "wifi", "licences",
    ):  # fmt: skip
        yield reverse(name)
    for key in RULE_SETS:
        yield reverse("rule-set", args=[key])
        yield reverse("game-house-rules", args=[key])


def draw_site(site: GameSite) -> dict[str, bytes]:
    """Return the files of a site by their names, `index.html` for a page."""
    addresses, of_games, of_site = list(page_names()), reverse("kept-of-games"), reverse("manifest")
    with override_settings(GAME_SITE=site), override_script_prefix(ROOT):
        pages = {address.lstrip("/"): _drawn(address) for address in addresses}
        kept, manifest = _drawn(of_games), _drawn(of_site)
    kept_name = f"game/kept.{_digest(kept.encode())}.json"
    pages = {path: text.replace(f"{ROOT}game/kept.json", f"{ROOT}{kept_name}") for path, text in pages.items()}
    named = {path for text in (*pages.values(), kept, manifest) for path in ADDRESS.findall(text)}
    statics = _with_their_own({path.removeprefix("static/") for path in named if path.startswith("static/")})
    known = {*pages, *statics, kept_name, "manifest.webmanifest"}
    lacking = sorted(path for path in named - known if "KEY" not in path and not path.startswith(OF_ANY_TABLE))
    if lacking:
        raise ValueError(f"Pages of the site lead to what it does not have: {', '.join(lacking)}")
    # Hosts compress files of kinds that they know, which this is not.
    pack = gzip.compress(_static(STORAGE.stored_name(PACK)), mtime=0)
    pack_name = f"static/kept.{_digest(pack)}.bin"
    statics[pack_name] = pack
    version = _digest(json.dumps([{**pages, "": manifest + kept}, sorted(statics)]).encode())
    release = {
        "version": version,
        "first": ["game/", "game/table/", kept_name, *_below(FIRST)],
        "pack": pack_name,
        "packed": _below(PACKED),
        "pages": sorted(pages),
        "files": sorted({*statics, kept_name}),
    }
    files = {f"{path}index.html": _placed(text, path, version) for path, text in pages.items()}
    files["manifest.webmanifest"] = _relative(manifest, "")
    files["sw.js"] = render_to_string("web/game_site_sw.js", {"release": json.dumps(release)})
    files[kept_name] = kept
    files[RELEASE] = json.dumps(release, indent=1)
    return {name: text.encode() for name, text in files.items()} | statics


def write_site(folder: Path, files: dict[str, bytes]) -> tuple[int, int]:
    """Write the files; those of the release before stay for pages that are open, older ones go. Return number and size.

    The worker comes last: until then a browser goes on with the release before.
    """
    before = json.loads((folder / RELEASE).read_text(encoding="utf-8")) if (folder / RELEASE).exists() else {}
    stays = {*files, *before.get("files", ())}
    for name in set(before.get("earlier", ())) - stays:
        (folder / name).unlink(missing_ok=True)
    release = json.loads(files[RELEASE])
    is_same = release["version"] == before.get("version")
    release["earlier"] = before.get("earlier", []) if is_same else sorted(set(before.get("files", ())) - {*files})
    files = files | {RELEASE: json.dumps(release, indent=1).encode()}
    for name in sorted(files, key=lambda name: (name == "sw.js", name == RELEASE)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(files[name])
    return len(files), sum(map(len, files.values()))


def _drawn(address: str) -> str:
    """Return what the server answers, under the root of the site; its JSON has the addresses in the same way."""
    client = Client(SCRIPT_NAME=ROOT.rstrip("/"), SERVER_NAME="localhost")
    answer = client.get(address, secure=settings.SECURE_SSL_REDIRECT)
    if answer.status_code != 200:
        raise ValueError(f"{address} answers {answer.status_code}")
    text = HOST.sub("", answer.content.decode())
    text = KEY.sub("00000000-0000-4000-8000-000000000000", ASKED.sub("", TOKEN.sub("", text)))
    return STATIC.sub(f"{ROOT}static/", text)


def _relative(text: str, path: str) -> str:
    return text.replace(ROOT, "../" * path.count("/") or "./")


def _placed(text: str, path: str, version: str) -> str:
    """Return a page for its place; its release lets the worker see whether a host mixes two of them."""
    text = text.replace("<html ", f'<html data-release="{version}" ', 1)
    data = DATA.findall(text)
    parts = [_relative(part, path) for part in DATA.split(text)]
    return "".join(part + piece for part, piece in zip(parts, [*data, ""], strict=True))


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:12]


def _below(names: Iterable[str]) -> list[str]:
    """Return where static files are in the site."""
    return [f"static/{STORAGE.stored_name(name)}" for name in names]


def _static(name: str) -> bytes:
    with STORAGE.open(name) as file:
        return bytes(file.read())


def _with_their_own(names: set[str]) -> dict[str, bytes]:
    """Return these static files, and those that their style sheets and scripts name, by their path in the site."""
    found: dict[str, bytes] = {}
    todo = {*names, *map(STORAGE.stored_name, (*FIRST, *PACKED))}
    while todo:
        name = todo.pop()
        content = found[f"static/{name}"] = _static(name)
        if name.endswith((".css", ".js", ".mjs")):
            others = {normpath(join(dirname(name), other)) for other in IN_FILE.findall(content.decode())}
            todo |= {other for other in others if STORAGE.exists(other) and f"static/{other}" not in found}
    return found
