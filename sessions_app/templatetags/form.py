"""A player's form drawn by the server: the net of each session as bars, and the running total as a line."""

from django import template

from sessions_app.templatetags.charts import LETTER, NARROW, Frame, chosen, marker, nice_ticks
from sessions_app.templatetags.figures import signed, whole

register = template.Library()

# Two charts stand side by side where there is room: half as wide as one alone.
WIDE = Frame("wide", 460, 300, 19, 14)
MOST_BARS = 20
MOST_DATES = {"narrow": 3, "wide": 4}
MOST_MARKERS = 24
GAP = 0.3  # of a bar's place is left free
LEAST_BAR = 2


@register.inclusion_tag("sessions_app/_form_chart.html")
def session_bars(played):
    """Draw what the last sessions brought, gains up and losses down from the line, best and worst with their figure."""
    last = played[-MOST_BARS:]
    nets = [one.result.net for one in last]
    told = ", ".join(f"{signed(one.result.net)} on {one.date:%-d %B %Y}" for one in last)
    return {
        "chart_id": "session-bars",
        "title": f"Chart of what the last {len(last)} sessions brought" if len(last) > 1 else "Chart of the session",
        "description": f"{told}.",
        "charts": [_bars(last, nets, frame) for frame in (NARROW, WIDE)],
    }


@register.inclusion_tag("sessions_app/_form_chart.html")
def running_total(played):
    """Draw the sum of all sessions until each one, from nothing at the start, its last value at its end."""
    values = [0, *(one.running for one in played)]
    low, high = min(values), max(values)
    return {
        "chart_id": "running-total",
        "title": "Chart of the running total",
        "description": f"It stands at {signed(values[-1])}. Its highest was {signed(high)}, its lowest {signed(low)}.",
        "charts": [_line(played, values, frame) for frame in (NARROW, WIDE)],
    }


def _axes(frame, values, room=0):
    """Return the ground of a chart: its ticks with their heights, its left and right, and heights by value."""
    ticks = nice_ticks([0, *values])
    left = frame.font * LETTER * max(len(whole(tick)) for tick in ticks) + 10
    top, bottom = frame.font * 1.4, frame.height - frame.font * 2.4

    def y(value):
        return round(bottom - (bottom - top) * (value - ticks[0]) / (ticks[-1] - ticks[0]), 1)

    ground = {
        "frame": frame,
        "left": round(left, 1),
        "right": round(frame.width - room - 6, 1),
        "zero": y(0),
        "foot": round(frame.height - frame.font * 0.35, 1),
        "ticks": [(y(tick), whole(tick)) for tick in ticks],
    }
    return ground, y


def _bars(last, nets, frame):
    ground, y = _axes(frame, nets)
    step = (ground["right"] - ground["left"]) / max(len(last), 4)
    bars = []
    for place, net in enumerate(nets):
        height = max(abs(y(net) - ground["zero"]), LEAST_BAR)
        bars.append(
            {
                "kind": "down" if net < 0 else "up",
                "x": round(ground["left"] + step * (place + GAP / 2), 1),
                "y": ground["zero"] if net < 0 else round(ground["zero"] - height, 1),
                "width": round(step * (1 - GAP), 1),
                "height": round(height, 1),
            }
        )
    return ground | {
        "bars": bars,
        "figures": _best_and_worst(nets, bars, frame),
        "dates": _dates(last, [bar["x"] + bar["width"] / 2 for bar in bars], frame),
    }


def _best_and_worst(nets, bars, frame):
    """Write the highest and the lowest net at their bars, kept within the drawing."""
    places = {nets.index(max(nets)), nets.index(min(nets))}
    for place in sorted(places):
        words, bar = signed(nets[place]), bars[place]
        half = len(words) * frame.font * LETTER / 2
        x = min(max(bar["x"] + bar["width"] / 2, half), frame.width - half)
        beneath = bar["kind"] == "down"
        yield round(x, 1), round(bar["y"] + bar["height"] + frame.font if beneath else bar["y"] - 5, 1), words


def _line(played, values, frame):
    end = signed(values[-1])
    ground, y = _axes(frame, values, room=frame.font * LETTER * len(end) + 14)
    step = (ground["right"] - ground["left"]) / max(len(values) - 1, 1)
    points = [(round(ground["left"] + step * place, 1), y(value)) for place, value in enumerate(values)]
    return ground | {
        "path": " ".join(f"{across},{height}" for across, height in points),
        "markers": [marker("circle", *points[place]) for place in chosen(len(points), MOST_MARKERS)],
        "end": (round(points[-1][0] + 12, 1), points[-1][1], end),
        "dates": _dates(played, [across for across, _ in points[1:]], frame),
    }


def _dates(played, places, frame):
    """Return the dates written under a chart, the outer ones kept within it."""
    is_one_year = played[0].date.year == played[-1].date.year
    words = "{:%-d %b}" if is_one_year else "{:%b %Y}"
    told = []
    for place in chosen(len(played), MOST_DATES[frame.key] - (not is_one_year)):
        text = words.format(played[place].date)
        half = len(text) * frame.font * LETTER / 2
        told.append((round(min(max(places[place], half), frame.width - half), 1), text))
    return told
