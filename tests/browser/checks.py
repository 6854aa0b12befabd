"""What every page of the list is held against; each check returns what is wrong, in words."""

import asyncio
from pathlib import Path

from .pages import VISITS, demonstration

HERE = Path(__file__).parent
AXE = (HERE / "vendor" / "axe.min.js").read_text(encoding="utf-8")


def script(name):
    """Return a script of this folder as an expression, without the remarks it begins with."""
    lines = (HERE / f"{name}.js").read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("//"))


MEASURES, KEYBOARD, READING, MOTION = (script(name) for name in ("measures", "keyboard", "reading", "motion"))
TAGS = ["wcag2a", "wcag2aa", "wcag2aaa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Of what axe looks at, the looks change the colours alone.
LARGE_RULES = ["color-contrast-enhanced"]
# What has the enhanced contrast has the ordinary one as well: that need not be worked out again.
RUN_AXE = """(runOnly) => axe.run({
  runOnly, resultTypes: ["violations"], rules: { "color-contrast": { enabled: false } },
}).then(({ violations }) =>
  violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${help}: ${html.slice(0, 160)} ${any[0]?.message || ""}`)))"""
SIZES = {"target": 48, "gap": 6, "faceGap": 6, "face": [72, 88], "set": [48, 40], "text": 16, "body": 19}
SCREENS = [(1024, 768), (810, 1080), (390, 844)]
# 512x384 is what a screen of 1024x768 shows at 200 % zoom, 320x568 what one of 1280 shows at 400 %.
OTHER_SCREENS = [(512, 768), (512, 384), (320, 568)]
# In the order that needs the fewest changes after those.
LARGE_SCREENS = [(320, 568), (1024, 768)]
LARGE = 24
# What the server writes on the root of a page where all of them are on (tests/web/test_looks.py).
LOOKS = "is-large is-contrast is-left"
WEAR = "(classes) => { document.documentElement.className = classes; }"
# On a phone a league table does not slide within the page either.
SIDEWAYS = """() => Math.max(document.documentElement.scrollWidth - innerWidth,
  ...[...document.querySelectorAll(innerWidth > 640 ? "none" : ".scroll-x:has(> .league)")].map(
    (box) => box.scrollWidth - box.clientWidth))"""
QUICK = 0.12
TAB = {"key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}


def parts_of_the_list(number):
    """Cut the list of pages into so many parts, each a list of names in their order."""
    names = list(VISITS)
    cuts = [round(part * len(names) / number) for part in range(number + 1)]
    return [names[begin:end] for begin, end in zip(cuts, cuts[1:], strict=False)]


def walk(tablet, names, cookies=None, **options):
    """Go to the pages named in turn, each with the tablet of who looks at it; yield name and tablet."""
    scene = demonstration()
    tablets = {}
    for name, (who, visit) in VISITS.items():
        if name not in names:
            continue
        if who not in tablets:
            tablets[who] = tablet(getattr(scene, who, None), **options)
        one = tablets[who]
        if cookies:
            one.context.add_cookies([{**cookies, "url": one.url}])
        visit(one, scene)
        yield name, one


def listed_faults(found):
    return "\n".join(f"{name}: {fault}" for name, faults in found.items() for fault in faults)


def axe_faults(one, run_only=TAGS):
    # It is half a megabyte: a page that has it keeps it, and the tablet's next pages begin with it.
    if not one.page.evaluate("'axe' in window"):
        one.page.evaluate(AXE)
        one.context.add_init_script(AXE)
    return one.page.evaluate(RUN_AXE, run_only)


def size_faults(one, **sizes):
    return one.page.evaluate(MEASURES, {**SIZES, **sizes})


def screen_faults(one, screens=SCREENS, is_mirrored=False, **sizes):
    """Say, for each size of screen, what is too small, too near or out of order, and where a page is wider than it.

    The screen keeps the last of the sizes.
    """
    faults = []
    for width, height in screens:
        screen = {"width": width, "height": height}
        if one.page.viewport_size != screen:
            one.page.set_viewport_size(screen)
        beyond = one.page.evaluate(SIDEWAYS)
        found = [f"{beyond} px beyond the screen"] if beyond > 0 else []
        found += size_faults(one, **sizes) + ([] if is_mirrored else one.page.evaluate(READING))
        faults += [f"{width}x{height}: {fault}" for fault in found]
    return faults


def looks_faults(one):
    """Say what is wrong where large type, high contrast and the left hand are on."""
    faults = screen_faults(one, LARGE_SCREENS, is_mirrored=True, text=LARGE, body=LARGE)
    return faults + axe_faults(one, {"type": "rule", "values": LARGE_RULES})


def faults_put_on(one):
    """Say what is wrong once the page wears the looks, which are taken off again."""
    before = one.page.evaluate("document.documentElement.className")
    one.page.evaluate(WEAR, LOOKS)
    faults = looks_faults(one)
    one.page.evaluate(WEAR, before)
    return [f"with all looks on: {fault}" for fault in faults]


def motion_faults(one):
    """Say what moves: nothing for long, nothing at all where it is not wanted."""
    one.page.emulate_media(reduced_motion="no-preference")
    faults = one.page.evaluate(MOTION, QUICK)
    one.page.emulate_media(reduced_motion="reduce")
    faults += one.page.evaluate(MOTION, 0)
    return list(dict.fromkeys(faults))


def keyboard_faults(one):
    """Go round the page by Tab: every control is reached, shows the focus, and lies under no bar."""
    one.page.evaluate(KEYBOARD)
    press_tab(one, one.page.evaluate("keyboard.follow()") + 8)
    return one.page.evaluate("keyboard.faults()")


def press_tab(one, times):
    """Press Tab so often, without an answer to each press; Playwright has no public way to send them so."""
    keys = one.context.new_cdp_session(one.page)
    send = keys._impl_obj.send

    async def presses():
        strokes = [{"type": kind, **TAB} for kind in ("rawKeyDown", "keyUp")] * times
        await asyncio.gather(*(send("Input.dispatchKeyEvent", stroke, None) for stroke in strokes))

    keys._sync(presses())
    keys.detach()
