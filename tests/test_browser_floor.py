"""The oldest browser the pages are made for, Safari 15.4 of March 2022, held by what came into the languages later.

Chrome 105, Edge 105 and Firefox 121 know all that is used here. What an older browser shows is tried in
tests/browser/test_old_browser.py; every_page.js, which tells it, is read by browsers older still.
"""

import re
from pathlib import Path

STATIC = Path(__file__).parent.parent / "static"
FLOOR = (15, 4)
# What a script or a style may say, and the version of Safari that understood it first.
IN_SCRIPTS = (
    ("class static block", r"\bstatic\s*\{", (16, 4)),
    ("look-behind in a pattern", r"\(\?<[=!]", (16, 4)),
    ("flag v of a pattern", r"/v(?=[.,;)\s])", (17, 0)),
    ("modifiers in a pattern", r"\(\?[ims]*-?[ims]+:", (26, 0)),
    ("import attributes", r"\bfrom\s*[\"'][^\"']+[\"']\s*with\s*\{", (17, 2)),
    ("import.meta.resolve", r"import\.meta\.resolve", (16, 4)),
    ("lists changed by copying", r"\.(?:toSorted|toReversed|toSpliced)\(", (16, 0)),
    ("grouping", r"\b(?:Object|Map)\.groupBy\(", (17, 4)),
    ("Array.fromAsync", r"\bArray\.fromAsync\(", (16, 4)),
    ("Promise.withResolvers and try", r"\bPromise\.(?:withResolvers|try)\(", (17, 4)),
    ("operations on sets", r"\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|union|intersection)\(", (17, 0)),
    ("helpers of iterators", r"\.(?:values|keys|entries)\(\)\s*\.(?:map|filter|take|drop|toArray)\(", (18, 4)),
    ("AbortSignal.timeout and any", r"\bAbortSignal\.(?:timeout|any)\(", (16, 0)),
    ("URL.canParse", r"\bURL\.(?:canParse|parse)\(", (17, 0)),
    ("popover", r"\.(?:showPopover|hidePopover|togglePopover)\(", (17, 0)),
    ("checkVisibility", r"\.checkVisibility\(", (17, 4)),
)  # fmt: skip
# What decides whether a rule counts at all; what only adorns, as text-wrap, is left out where it is not known.
IN_STYLES = (
    ("range query", r"@(?:media|container)[^{]*(?:<|>)", (16, 4)),
    ("container query", r"@container\b", (16, 0)),
    ("nesting", r"\{[^{}]*(?:^|[;{]\s*)&", (16, 5)),
    ("scope", r"@scope\b", (17, 4)),
    ("starting style", r"@starting-style\b", (17, 5)),
    ("property", r"@property\b", (16, 4)),
    ("color-mix and light-dark", r"\b(?:color-mix|light-dark)\(", (16, 2)),
    ("relative colour", r"\b(?:rgb|hsl|oklch)\(from\b", (16, 4)),
    ("subgrid", r"\bsubgrid\b", (16, 0)),
    ("container units", r"\b\d+cq[wihb]\b", (16, 0)),
    ("user validity", r":user-(?:in)?valid\b", (16, 5)),
)  # fmt: skip
# What came after ES5: none of it in the one script that a browser below the floor has to read.
AFTER_ES5 = (r"=>", r"\b(?:const|let|class|async|await|import|export)\b", r"`", r"\?\.", r"\?\?", r"\.\.\.")


def without_comments(text):
    return re.sub(r"/\*.*?\*/|(?<![:\"'\w])//[^\n]*", "", text, flags=re.S)


def too_new(text, rows):
    """Return what a text says that browsers learned after the floor."""
    text = without_comments(text)
    return [name for name, pattern, since in rows if since > FLOOR and re.search(pattern, text, re.M | re.S)]


def our(kind):
    files = sorted(path for path in STATIC.rglob(f"*.{kind}") if "vendor" not in path.parts)
    assert len(files) > 12
    return files


def test_no_script_needs_a_browser_newer_than_the_floor():
    worker = STATIC.parent / "templates" / "web" / "sw.js"
    lit = STATIC / "vendor" / "lit-html" / "lit-html.js"
    found = {
        script.name: too_new(script.read_text(encoding="utf-8"), IN_SCRIPTS) for script in [*our("js"), lit, worker]
    }
    assert {name: what for name, what in found.items() if what} == {}


def test_no_style_needs_a_browser_newer_than_the_floor():
    found = {style.name: too_new(style.read_text(encoding="utf-8"), IN_STYLES) for style in our("css")}
    assert {name: what for name, what in found.items() if what} == {}


def test_the_script_that_tells_an_old_browser_can_be_read_by_it():
    text = without_comments((STATIC / "web" / "every_page.js").read_text(encoding="utf-8"))
    assert "Object.hasOwn" in text
    assert [pattern for pattern in AFTER_ES5 if re.search(pattern, text)] == []
