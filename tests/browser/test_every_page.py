"""Every page held against the checklist: axe, sizes of targets and words, no sideways scroll."""

from pathlib import Path

import pytest

from .pages import VISITS, demonstration

HERE = Path(__file__).parent
AXE = (HERE / "vendor" / "axe.min.js").read_text(encoding="utf-8")
MEASURES = (HERE / "measures.js").read_text(encoding="utf-8").split("\n", 1)[1]
TAGS = ["wcag2a", "wcag2aa", "wcag2aaa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN_AXE = """(tags) => axe.run({ runOnly: tags, resultTypes: ["violations"] }).then(({ violations }) =>
  violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${help}: ${html.slice(0, 160)} ${any[0]?.message || ""}`)))"""
SIZES = {"target": 48, "gap": 6, "face": [72, 88], "text": 16}
WIDTHS = (1024, 810, 512, 320)
SIDEWAYS = """() => document.documentElement.scrollWidth - innerWidth"""


def walk(tablet):
    """Go to every page in turn, each with the tablet of who looks at it; yield name and tablet."""
    scene = demonstration()
    tablets = {}
    for name, (who, visit) in VISITS.items():
        if who not in tablets:
            tablets[who] = tablet(getattr(scene, who, None))
        one = tablets[who]
        visit(one, scene)
        yield name, one


def test_every_page_passes_axe_and_the_checklist(tablet, live_server):
    found = {}
    for name, one in walk(tablet):
        one.page.evaluate(AXE)
        faults = one.page.evaluate(RUN_AXE, TAGS) + one.page.evaluate(MEASURES, SIZES)
        for width in WIDTHS:
            one.page.set_viewport_size({"width": width, "height": 768})
            beyond = one.page.evaluate(SIDEWAYS)
            faults += [f"{beyond} px beyond a width of {width}"] if beyond > 0 else []
        one.page.set_viewport_size({"width": 1024, "height": 768})
        found[name] = faults
    assert told(found) == ""


def told(found):
    return "\n".join(f"{name}: {fault}" for name, faults in found.items() for fault in faults)


@pytest.mark.parametrize("size", [(390, 844), (810, 1080)], ids=["phone", "portrait"])
def test_tiles_and_targets_keep_their_size_when_the_screen_is_narrow(tablet, live_server, size):
    scene = demonstration()
    one = tablet(scene.scorekeeper, size=size)
    found = {}
    for name, (who, visit) in VISITS.items():
        if who == "scorekeeper" and name.startswith("hand-new"):
            visit(one, scene)
            found[name] = one.page.evaluate(MEASURES, SIZES)
    assert told(found) == ""
