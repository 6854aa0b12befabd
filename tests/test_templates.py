"""Templates obey the content security policy: no script, style or handler written into a page."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).parent.parent / "templates"
FORBIDDEN = {
    "a script written into the page": re.compile(r"<script\b(?![^>]*\bsrc=)", re.I),
    "a style written into the page": re.compile(r"<style\b", re.I),
    "a style attribute": re.compile(r"<[^>]*\sstyle\s*=", re.I),
    "an event handler": re.compile(r"<[^>]*\s(?:on[a-z]+|hx-on[:\w-]*)\s*=", re.I),
    "an address that is a script": re.compile(r"javascript:", re.I),
}
# JSON for scripts to read is data, not a script.
DATA = re.compile(r"<script\b[^>]*type=\"application/json\"", re.I)


def faults(text):
    return [name for name, pattern in FORBIDDEN.items() if pattern.search(DATA.sub("<data", text))]


def test_no_template_writes_script_or_style_into_a_page():
    found = {str(path.relative_to(TEMPLATES)): faults(path.read_text()) for path in TEMPLATES.rglob("*.html")}
    assert {name: kinds for name, kinds in found.items() if kinds} == {}


def test_no_template_or_stylesheet_writes_a_middle_dot_between_two_things():
    """Where a line breaks there, on a narrow phone or in large type, the dot hangs at its end; a comma may."""
    written = [*TEMPLATES.rglob("*.html"), *(TEMPLATES.parent / "static").rglob("*.css")]
    assert [str(path) for path in written if "·" in path.read_text(encoding="utf-8")] == []
