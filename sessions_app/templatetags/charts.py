"""Charts drawn by the server as SVG: few lines, each with its own dash, marker and colour, and its name at its end."""

from dataclasses import dataclass
from itertools import pairwise

from django import template
from django.utils.safestring import mark_safe

from sessions_app.templatetags.figures import signed, whole

register = template.Library()

STEPS = (1, 2, 5)
MARKERS = ("circle", "square", "triangle", "diamond", "cross")
LETTER = 0.56
MOST_MARKERS = 8
MOST_NAMES = 6


@dataclass(frozen=True)
class Frame:
    """A size of the drawing in its own units; letters keep their size on the screen it is made for."""

    key: str
    width: int
    height: int
    font: int
    letters: int


NARROW = Frame("narrow", 340, 290, 18, 9)
WIDE = Frame("wide", 900, 340, 24, 14)


@register.inclusion_tag("sessions_app/_running_chart.html")
def running_chart(totals, chart_id):
    """Draw running totals twice, for a narrow and for a wide place; the page's CSS shows one of them."""
    return {
        "chart_id": chart_id,
        "description": in_words(totals),
        "charts": [drawing(totals, frame) for frame in (NARROW, WIDE)],
    }


def in_words(totals):
    """Say what the chart shows to whoever does not see it."""
    now = ", ".join(f"{name} {whole(values[-1])}" for name, values in totals.lines)
    hands = totals.labels[-1]
    return f"At the start: {now}." if hands == "Start" else f"After {_point_name(hands)}: {now}."


def _point_name(label):
    return f"hand {label}" if label.isdecimal() else "a fine"


def drawing(totals, frame):
    """Return everything the template needs to draw in one frame, in its units."""
    ticks = nice_ticks([value for _, values in totals.lines for value in values])
    left = frame.font * LETTER * max(len(whole(tick)) for tick in ticks) + 8
    names = [_cut(name, frame.letters) for name, _ in totals.lines]
    right = frame.width - frame.font * LETTER * max(map(len, names), default=0) - 36
    top, bottom = frame.font * 0.7, frame.height - frame.font * 1.8
    across = max(len(totals.labels) - 1, 1)

    def x(place):
        return round(left + (right - left) * place / across, 1)

    def y(value):
        return round(bottom - (bottom - top) * (value - ticks[0]) / (ticks[-1] - ticks[0]), 1)

    ends = spread([y(values[-1]) for _, values in totals.lines], frame.font * 1.1, top, bottom)
    return {
        "frame": frame,
        "left": round(left, 1),
        "right": x(len(totals.labels) - 1),
        "foot": round(frame.height - frame.font * 0.35, 1),
        "label_x": round(x(len(totals.labels) - 1) + 32, 1),
        "ticks": [(y(tick), whole(tick)) for tick in ticks],
        "points": [(x(place), totals.labels[place]) for place in chosen(len(totals.labels), MOST_NAMES)],
        "lines": [
            {
                "number": number % len(MARKERS) + 1,
                "path": " ".join(f"{x(place)},{y(value)}" for place, value in enumerate(values)),
                "markers": [
                    marker(MARKERS[number % len(MARKERS)], x(place), y(values[place]))
                    for place in chosen(len(values), MOST_MARKERS)
                ],
                "own_marker": marker(MARKERS[number % len(MARKERS)], x(len(values) - 1) + 20, ends[number]),
                "name": names[number],
                "name_y": ends[number],
            }
            for number, (_, values) in enumerate(totals.lines)
        ],
    }


def nice_ticks(values):
    """Return three to six round numbers, a round step apart, the lowest and highest of which hold all values."""
    low, high = min(values, default=0), max(values, default=0)
    if low == high:
        low, high = low - 100, high + 100
    step = next(size * 10**power for power in range(12) for size in STEPS if (high - low) <= 4 * size * 10**power)
    return [number * step for number in range(low // step, -(-high // step) + 1)]


def chosen(number, most):
    """Return at most so many places of a row, evenly, always with the last one."""
    every = -(-number // most)
    return [place for place in range(number) if (number - 1 - place) % every == 0]


def spread(heights, gap, top, bottom):
    """Move the heights of labels apart, so that none covers another; returned in the order they came in."""
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    placed = [heights[place] for place in order]
    for place, following in pairwise(range(len(placed))):
        placed[following] = max(placed[following], placed[place] + gap)
    limit = bottom
    for place in reversed(range(len(placed))):
        placed[place] = max(min(placed[place], limit), top)
        limit = placed[place] - gap
    found = dict(zip(order, placed, strict=True))
    return [round(found[place], 1) for place in range(len(heights))]


def marker(shape, x, y):
    """Return the path of a marker round a point."""
    return {
        "circle": f"M{x - 5:.1f} {y:.1f}a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
        "square": f"M{x - 4.5:.1f} {y - 4.5:.1f}h9v9h-9z",
        "triangle": f"M{x:.1f} {y - 6:.1f}l6 10.5h-12z",
        "diamond": f"M{x:.1f} {y - 6.5:.1f}l6.5 6.5l-6.5 6.5l-6.5-6.5z",
        "cross": f"M{x - 5:.1f} {y - 5:.1f}l10 10m0-10l-10 10",
    }[shape]


def _cut(name, letters):
    return name if len(name) <= letters else f"{name[: letters - 1].rstrip()}…"


BAR, BARS_HEIGHT, LEAST_BAR = 12, 32, 3


@register.simple_tag
def form_bars(nets):
    """Draw the nets of the last sessions as bars up and down from a line, the latest at the right."""
    if not nets:
        return ""
    most = max(map(abs, nets)) or 1
    middle, width = BARS_HEIGHT / 2, (BAR + 4) * 5 - 4
    bars = []
    for place, net in enumerate(nets):
        height = max(round((middle - 2) * abs(net) / most, 1), LEAST_BAR)
        kind, y = ("down", middle) if net < 0 else ("up", middle - height)
        bars.append(f'<rect class="{kind}" x="{place * (BAR + 4)}" y="{y}" width="{BAR}" height="{height}"/>')
    words = f"Last sessions: {', '.join(signed(net) for net in nets)}"
    # Nothing but figures of our own: a league draws one for each of its rows.
    return mark_safe(  # noqa: S308
        f'<svg class="form-bars" viewBox="0 0 {width} {BARS_HEIGHT}" role="img" aria-label="{words}">'
        f'{"".join(bars)}<path d="M0 {middle}h{width}"/></svg>'
    )


@register.filter
def moved(row):
    """Say how far a row of the league moved: "▲ up 2", "▼ down 1", "new", or nothing where it stayed."""
    if row.is_new:
        return "new"
    if not row.moved:
        return ""
    arrow, word = ("▲", "up") if row.moved > 0 else ("▼", "down")
    return mark_safe(f'<span aria-hidden="true">{arrow} </span>{word} {abs(row.moved)}')  # noqa: S308 - a number
