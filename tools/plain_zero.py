"""Removes the slash from the zero of Atkinson Hyperlegible Next, as “0 points” was read as “Ø points”.

    npm install @fontsource/atkinson-hyperlegible-next@5.3.0
    python tools/plain_zero.py node_modules/@fontsource/atkinson-hyperlegible-next

The changed files replace those in static/vendor, which the font’s licence allows.
"""

import sys
from pathlib import Path

from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import GlyphCoordinates

TARGET = Path(__file__).resolve().parent.parent / "static/vendor/atkinson-hyperlegible-next"


def one_opening(outside, below, above):
    """Join the two openings on either side of the slash. A point is x, y, and whether it is on the curve."""
    middle = outside[0][0]
    waist = next(y for x, y, _ in below if x == min(x for x, _, _ in below))
    lower_left = sorted((p for p in below if p[0] <= middle and p[1] <= waist), key=lambda p: (p[0], -p[1]))
    upper_right = sorted((p for p in above if p[0] >= middle and p[1] >= waist), key=lambda p: (-p[0], p[1]))
    return [*lower_left, *mirrored(lower_left, middle), *upper_right, *mirrored(upper_right, middle)]


def mirrored(quarter, middle):
    """Return the same curve mirrored, without its two ends, which belong to the next curves."""
    return [(2 * middle - x, y, on) for x, y, on in quarter[-2:0:-1]]


def make_zero_plain(path):
    font = TTFont(path, recalcTimestamp=False)
    zero = font["glyf"]["zero"]
    points = [(x, y, on) for (x, y), on in zip(zero.coordinates, zero.flags, strict=True)]
    ends = [end + 1 for end in zero.endPtsOfContours]
    contours = [points[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    outside, inside = contours[0], one_opening(*contours)
    zero.coordinates = GlyphCoordinates([(x, y) for x, y, _ in outside + inside])
    zero.flags = bytearray(on for _, _, on in outside + inside)
    zero.endPtsOfContours = [len(outside) - 1, len(outside + inside) - 1]
    zero.numberOfContours = 2
    font.save(TARGET / path.name)


if __name__ == "__main__":
    for weight in (400, 700):
        make_zero_plain(Path(sys.argv[1]) / f"files/atkinson-hyperlegible-next-latin-{weight}-normal.woff2")
