"""Draws static/rules/tiles/tiles.svg, one sprite of the 42 tile faces, from the outlines of Noto Sans Symbols 2.

    npm install @fontsource/noto-sans-symbols-2@5.3.0 svgo@4
    python tools/make_tiles.py node_modules/@fontsource/noto-sans-symbols-2

Each face is a symbol t-CODE of 72 by 88: a large index at the left, the picture without its frame at the right. svgo
writes its outlines by differences, which saves two fifths of them.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from fontTools.misc.transform import Transform
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parent.parent
LETTERS = ROOT / "static/vendor/atkinson-hyperlegible-next/atkinson-hyperlegible-next-latin-700-normal.woff2"
TARGET = ROOT / "static/rules/tiles"

RED, GREEN, BLUE, INK = "#8c1c13", "#0d5c2f", "#123f77", "#1c1b19"
PLUM, AMBER = "#6d1b58", "#6e4300"
FACE, FLOWER_FACE, SEASON_FACE = "#fffdf5", "#fbe9f3", "#fdf0cf"
FRAME_CONTOURS = 2
INDEX_HEIGHT = 28
INDEX_LEFT, INDEX_TOP = 6, 8
SUITS = (("C", 0x1F007, RED), ("B", 0x1F010, GREEN), ("D", 0x1F019, BLUE))
# The font has bamboo before chrysanthemum; the clubs' third flower is the chrysanthemum.
FLOWERS = (0x1F022, 0x1F023, 0x1F025, 0x1F024)


def faces():
    """Yield every face as code, code point, index, colour and face colour, in the order of the tile grid."""
    for letter, first, colour in SUITS:
        for number in range(1, 10):
            yield f"{number}{letter}", first + number - 1, str(number), colour, FACE
    for place, wind in enumerate("ESWN"):
        yield wind, 0x1F000 + place, wind, INK, FACE
    yield "R", 0x1F004, "R", RED, FACE
    yield "G", 0x1F005, "G", GREEN, FACE
    yield "P", 0x1F006, "Wh", BLUE, FACE
    for number, point in enumerate(FLOWERS, 1):
        yield f"F{number}", point, str(number), PLUM, FLOWER_FACE
    for number in range(1, 5):
        yield f"S{number}", 0x1F025 + number, str(number), AMBER, SEASON_FACE


def contours(glyphs, name):
    """Return the closed outlines of a glyph, each a list of pen calls."""
    recording, found = RecordingPen(), [[]]
    glyphs[name].draw(recording)
    for call in recording.value:
        found[-1].append(call)
        if call[0] in ("closePath", "endPath"):
            found.append([])
    return found[:-1]


def play(outlines, pen):
    for outline in outlines:
        for operation, points in outline:
            getattr(pen, operation)(*points)


def bounds(outlines, glyphs):
    pen = BoundsPen(glyphs)
    play(outlines, pen)
    return pen.bounds


def fitted(outlines, glyphs, box):
    """Return SVG path data of the outlines, as large as fits into the box (left, top, width, height), centred."""
    left, bottom, right, top = bounds(outlines, glyphs)
    scale = min(box[2] / (right - left), box[3] / (top - bottom))
    across = box[0] + (box[2] - scale * (right - left)) / 2 - scale * left
    down = box[1] + (box[3] - scale * (top - bottom)) / 2 + scale * top
    return path_data(outlines, glyphs, Transform(scale, 0, 0, -scale, across, down))


def path_data(outlines, glyphs, transform):
    pen = SVGPathPen(glyphs, ntos=lambda value: f"{value:.1f}".rstrip("0").rstrip("."))
    play(outlines, TransformPen(pen, transform))
    return pen.getCommands()


def word(font, text, left, top, height):
    """Return SVG path data of a word with capitals of that height at the top left corner, and its right end."""
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    capital = bounds(contours(glyphs, names[ord("E")]), glyphs)
    scale, data = height / capital[3], []
    for letter in text:
        outlines = contours(glyphs, names[ord(letter)])
        start = bounds(outlines, glyphs)[0] * scale if not data else 0
        data.append(path_data(outlines, glyphs, Transform(scale, 0, 0, -scale, left - start, top + height)))
        left += glyphs[names[ord(letter)]].width * scale - start
    return "".join(data), left


def picture_box(code):
    """Return the box of the picture: right of a number, lower right of a letter."""
    if code in "ESWN":
        return 28, 37, 38, 44
    if code[-1] in "CBD":
        return 33, 9, 34, 70
    return (30, 32, 36, 49) if code in "RG" else (29, 30, 37, 52)


def symbol(code, picture, index, colour, face):
    outline = f'<rect x="1.5" y="1.5" width="69" height="85" rx="8" fill="{face}" stroke="{INK}" stroke-width="2.5"/>'
    drawing = f'<g fill="{colour}">{picture}<path d="{index}"/></g>'
    return f'<symbol id="t-{code}" viewBox="0 0 72 88">{outline}{drawing}</symbol>'


def white_dragon(letters):
    """Return the white dragon: a blue frame around the letters, so that it is not taken for the west wind."""
    index, right = word(letters, "Wh", 0, 33, 22)
    index, _ = word(letters, "Wh", (72 - right) / 2, 33, 22)
    frame = "".join(
        f'<rect x="{inset}" y="{inset}" width="{72 - 2 * inset}" height="{88 - 2 * inset}" rx="{radius}" '
        f'fill="none" stroke="{BLUE}" stroke-width="{width}"/>'
        for inset, radius, width in ((7, 4, 4), (11.5, 2, 1.5))
    )
    return symbol("P", frame, index, BLUE, FACE)


def draw(pictures, letters):
    glyphs, names = pictures.getGlyphSet(), pictures.getBestCmap()
    for code, point, text, colour, face in faces():
        if code == "P":
            yield white_dragon(letters)
            continue
        index, _ = word(letters, text, INDEX_LEFT, INDEX_TOP, INDEX_HEIGHT)
        outlines = contours(glyphs, names[point])[FRAME_CONTOURS:]
        if face != FACE:
            index += word(letters, code[0], INDEX_LEFT + 1, 62, 17)[0]
        yield symbol(code, f'<path d="{fitted(outlines, glyphs, picture_box(code))}"/>', index, colour, face)


def shorter(text):
    """Return an SVG with its paths written as short as they can be, its symbols as they are."""
    command = ["npx", "svgo", "--config", str(ROOT / "tools/svgo.config.mjs"), "--input", "-", "--output", "-"]
    return subprocess.run(command, input=text, capture_output=True, check=True, encoding="utf-8").stdout + "\n"


def main(package):
    font = package / "files/noto-sans-symbols-2-symbols-400-normal.woff2"
    symbols = list(draw(TTFont(font), TTFont(LETTERS)))
    winds = [each for each in symbols if re.match(r'<symbol id="t-[ESWN]"', each)]
    TARGET.mkdir(exist_ok=True)
    for name, faces_in in (("tiles.svg", symbols), ("winds.svg", winds)):
        sprite = "\n".join(faces_in)
        text = f'<svg xmlns="http://www.w3.org/2000/svg">\n{sprite}\n</svg>\n'
        (TARGET / name).write_text(shorter(text).replace("<symbol", "\n<symbol"), encoding="utf-8")
    icon = next(each for each in symbols if 'id="t-R"' in each).replace("symbol", "svg")
    icon = icon.replace(' id="t-R" viewBox="0 0 72 88"', ' xmlns="http://www.w3.org/2000/svg" viewBox="-8 0 88 88"')
    (TARGET / "icon.svg").write_text(shorter(icon), encoding="utf-8")
    shutil.copy(package / "LICENSE", TARGET / "OFL.txt")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
