"""Charts drawn by the server as SVG, and the rows of a league table."""

from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import pairwise
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import mark_safe

from clubscore.league.ranking import Standing
from sessions_app.league.player_page import Played
from sessions_app.league.season_pictures import Attended, Runner
from sessions_app.league.standings import League
from sessions_app.models import Club
from sessions_app.people.dates import day_words
from sessions_app.table.meeting_result import PlayerSum
from sessions_app.table.watching import RunningTotals
from sessions_app.web.tags import known, minus, signed, whole

register = template.Library()
MARKERS = ("circle", "square", "triangle", "diamond", "cross")
LETTER = 0.56  # the width of a letter, in font sizes
MAX_LABELS = 6
MAX_DATES = {"narrow": 3, "wide": 6}
MAX_MARKERS = 8


@dataclass(frozen=True)
class Frame:
    """The size of a chart in its own units, and how many letters of a name it shows.

    Every chart is drawn in two frames, for narrow and for wide screens; the page's CSS shows one of them.
    """

    key: str
    width: int
    height: int
    font: int
    letters: int

    @property
    def foot(self) -> float:
        """The height of the labels below the chart."""
        return round(self.height - self.font * 0.35, 1)

    def width_of(self, text: str) -> float:
        return len(text) * self.font * LETTER

    def shorten(self, name: str) -> str:
        return name if len(name) <= self.letters else f"{name[: self.letters - 1].rstrip()}…"


NARROW = Frame("narrow", 340, 290, 18, 9)
WIDE = Frame("wide", 900, 340, 18, 14)
# Two charts are next to each other if there is room.
HALF_WIDE = Frame("wide", 600, 340, 18, 14)


def _chart(chart_id: str, title: str, description: str, draw: partial[Any], wide: Frame = HALF_WIDE) -> dict[str, Any]:
    """Return the context of _chart.html; `draw` returns a chart for a frame."""
    charts = [draw(frame) for frame in (NARROW, wide)]
    return {"chart_id": chart_id, "title": title, "description": description, "charts": charts}


# Charts with a few lines, each with its own dash, marker and colour, and its name at its end.


@register.inclusion_tag("league/_chart.html")
def running_chart(totals: RunningTotals, chart_id: str) -> dict[str, Any]:
    """Draw the balances of the players after every hand."""
    now = ", ".join(f"{name} {whole(values[-1])}" for name, values in totals.lines)
    last = totals.labels[-1]
    after = f"After hand {last}" if last.isdecimal() else "At the start" if last == "Start" else "After a penalty"
    title = "Chart of the balances after every hand"
    return _chart(chart_id, title, f"{after}: {now}.", partial(_draw_balances, totals), WIDE)


def _draw_balances(totals, frame):
    ticks = nice_ticks([value for _, values in totals.lines for value in values])
    left = max(frame.width_of(whole(tick)) for tick in ticks) + 8
    right = _right_of_lines(totals.lines, frame) if len(totals.labels) > 1 else left
    top, bottom = frame.font * 0.7, frame.height - frame.font * 1.8
    y = _scale(ticks[0], ticks[-1], bottom, top)
    ground = {"left": round(left, 1), "ticks": [(y(tick), whole(tick)) for tick in ticks]}
    return ground | _draw_lines(totals.lines, totals.labels, frame, MAX_LABELS, (left, right), (top, bottom), y)


@register.inclusion_tag("league/_chart.html")
def race_chart(runners: list[Runner], days: list[date], chart_id: str) -> dict[str, Any]:
    """Draw the positions of a few players after each day, the first at the top; a line begins once one is ranked."""
    last = ", ".join(f"{runner.name} {runner.positions[-1] or 'not ranked'}" for runner in runners)
    description = f"After {day_words(days[-1])}: {last}."
    draw = partial(_draw_positions, runners, days)
    return _chart(chart_id, "Chart of the positions after each meeting", description, draw, WIDE)


def _draw_positions(runners, days, frame):
    lines = [(runner.name, runner.positions) for runner in runners]
    labels = [f"{day.day} {day:%b}" for day in days]
    lowest = max([position for _, positions in lines for position in positions if position], default=1)
    left, right = frame.font * 2, _right_of_lines(lines, frame)
    top, bottom = frame.font, frame.height - frame.font * 2.2
    y = _scale(1, max(lowest, 2), top, bottom)
    ticks = range(1, lowest + 1, max(lowest // 8, 1))
    ground = {"left": left, "ticks": [(y(tick), str(tick)) for tick in ticks]}
    return ground | _draw_lines(lines, labels, frame, MAX_DATES[frame.key], (left + 12, right), (top, bottom), y)


def _scale(first, last, start, end):
    """Return a function of values: the first is drawn at `start`, the last at `end`."""
    return lambda value: round(start + (end - start) * (value - first) / (last - first), 1)


def _right_of_lines(lines, frame):
    """Return where the lines must end to leave room for their names."""
    return frame.width - max((frame.width_of(frame.shorten(name)) for name, _ in lines), default=0) - 36


def _draw_lines(lines, labels, frame, max_labels, across, down, y):
    """Return lines with their names at the right and labels below.

    `lines` are names with one value for each label, None where the line has no point; `across` and `down` are the
    left and right and the top and bottom of the lines, and `y` returns the height of a value.
    """
    (left, right), last = across, len(labels) - 1
    x = _scale(0, max(last, 1), left, right)
    paths = [[(x(place), y(value)) for place, value in enumerate(values) if value is not None] for _, values in lines]
    ends = spread([points[-1][1] for points in paths], frame.font * 1.1, *down)
    drawn = []
    for number, ((name, _), points, end) in enumerate(zip(lines, paths, ends, strict=True)):
        shape = MARKERS[number % len(MARKERS)]
        markers = [marker(shape, *points[place]) for place in evenly_spaced(len(points), MAX_MARKERS)]
        markers.append(marker(shape, right + 20, end))
        label = frame.shorten(name), round(right + 32, 1), end
        drawn.append(_line(number % len(MARKERS) + 1, points, markers, *label))
    return {
        "frame": frame,
        "right": x(last),
        "labels": [(x(place), labels[place]) for place in evenly_spaced(len(labels), max_labels)],
        "lines": drawn,
    }


def _line(number, points, markers, name, x, y):
    path = " ".join(f"{point_x},{point_y}" for point_x, point_y in points)
    return {"number": number, "path": path, "markers": markers, "name": name, "x": x, "y": y}


def nice_ticks(values: list[int]) -> list[int]:
    """Return three to six round numbers, a round step apart, that include all values between the first and the last."""
    low, high = min(values, default=0), max(values, default=0)
    if low == high:
        low, high = low - 100, high + 100
    step = next(size * 10**power for power in range(12) for size in (1, 2, 5) if (high - low) <= 4 * size * 10**power)
    return [number * step for number in range(low // step, -(-high // step) + 1)]


def evenly_spaced(number: int, most: int) -> list[int]:
    """Return at most so many places of a row, evenly spaced, always with the last one."""
    every = -(-number // most)
    return [place for place in range(number) if (number - 1 - place) % every == 0]


def spread(heights: list[float], gap: float, top: float, bottom: float) -> list[float]:
    """Move the heights of labels apart so that none covers another; return them in the order they came in."""
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


def marker(shape: str, x: float, y: float) -> str:
    """Return the path of a marker round a point."""
    return {
        "circle": f"M{x - 5:.1f} {y:.1f}a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
        "square": f"M{x - 4.5:.1f} {y - 4.5:.1f}h9v9h-9z",
        "triangle": f"M{x:.1f} {y - 6:.1f}l6 10.5h-12z",
        "diamond": f"M{x:.1f} {y - 6.5:.1f}l6.5 6.5l-6.5 6.5l-6.5-6.5z",
        "cross": f"M{x - 5:.1f} {y - 5:.1f}l10 10m0-10l-10 10",
    }[shape]


# Charts with bars up and down from a line, and the running total of a player.

MAX_BARS = 20
MAX_BAR_DATES = {"narrow": 3, "wide": 4}
MAX_TOTAL_MARKERS = 24
GAP = 0.3  # of a bar's place is left free
MIN_BAR = 2


@register.inclusion_tag("league/_chart.html")
def attendance_bars(attended: list[Attended], chart_id: str) -> dict[str, Any]:
    """Draw how many people played at each meeting, with their numbers where there is room."""
    last = attended[-MAX_BARS:]
    description = f"{', '.join(f'{day.people} on {day_words(day.date)}' for day in last)}."
    people = [day.people for day in last]
    draw = partial(_draw_bars, people, labels=partial(_dates, last), write=whole)
    return _chart(chart_id, "Chart of how many people came to each meeting", description, draw)


@register.inclusion_tag("league/_chart.html")
def session_bars(played: tuple[Played]) -> dict[str, Any]:
    """Draw what the last sessions brought, gains up and losses down, with their figures where there is room."""
    last = played[-MAX_BARS:]
    nets = [session.result.net for session in last]
    title = f"Chart of what the last {len(last)} tables brought" if len(last) > 1 else "Chart of the table"
    nets_by_day = ", ".join(f"{signed(session.result.net)} on {day_words(session.date)}" for session in last)
    draw = partial(_draw_bars, nets, labels=partial(_dates, last))
    return _chart("session-bars", title, f"{nets_by_day}.", draw)


@register.inclusion_tag("league/_chart.html")
def meeting_bars(rows: tuple[PlayerSum, ...], chart_id: str) -> dict[str, Any]:
    """Draw what each player won or lost at a meeting, the highest first, with their positions under the bars."""

    def positions(places, frame):
        return [(round(places[n], 1), rows[n].position_shown) for n in evenly_spaced(len(rows), MAX_LABELS)]

    description = f"{', '.join(f'{row.name} {signed(row.net)}' for row in rows)}."
    draw = partial(_draw_bars, [row.net for row in rows], labels=positions)
    return _chart(chart_id, "Chart of what each player won or lost", description, draw)


def _axes(frame, values, room=0):
    """Return the ground of a chart, with `room` free at the right, and a function of the height of a value."""
    ticks = nice_ticks([0, *values])
    left = max(frame.width_of(whole(tick)) for tick in ticks) + 10
    y = _scale(ticks[0], ticks[-1], frame.height - frame.font * 2.4, frame.font * 1.4)
    ground = {
        "frame": frame,
        "left": round(left, 1),
        "right": round(frame.width - room - 6, 1),
        "zero": y(0),
        "ticks": [(y(tick), whole(tick)) for tick in ticks],
    }
    return ground, y


def _draw_bars(nets, frame, labels, write=signed):
    """Return bars; `labels` returns what is written under them for the places of their middles, `write` a figure."""
    ground, y = _axes(frame, nets)
    step = (ground["right"] - ground["left"]) / max(len(nets), 4)
    bars = []
    for place, net in enumerate(nets):
        height = max(abs(y(net) - ground["zero"]), MIN_BAR)
        kind, y_top = ("down", ground["zero"]) if net < 0 else ("up", round(ground["zero"] - height, 1))
        sizes = {"width": round(step * (1 - GAP), 1), "height": round(height, 1)}
        bars.append({"kind": kind, "x": round(ground["left"] + step * (place + GAP / 2), 1), "y": y_top, **sizes})
    return ground | {
        "bars": bars,
        "figures": _figures(nets, bars, step, frame, write),
        "labels": labels([bar["x"] + bar["width"] / 2 for bar in bars], frame),
    }


def _figures(nets, bars, step, frame, write):
    """Return the figure of each bar, at its end; of none of them where they do not all fit."""
    words = [write(net) for net in nets]
    if any(frame.width_of(word) > step for word in words):
        return []
    middles = [round(bar["x"] + bar["width"] / 2, 1) for bar in bars]
    ends = [bar["y"] + bar["height"] + frame.font if bar["kind"] == "down" else bar["y"] - 5 for bar in bars]
    return [(x, round(y, 1), word) for x, y, word in zip(middles, ends, words, strict=True)]


def _dates(played, places, frame):
    """Return the dates written under a chart, the outer ones kept within it."""
    is_one_year = played[0].date.year == played[-1].date.year
    dates = []
    for place in evenly_spaced(len(played), MAX_BAR_DATES[frame.key] - (not is_one_year)):
        day = played[place].date
        text = f"{day.day} {day:%b}" if is_one_year else f"{day:%b %Y}"
        half = frame.width_of(text) / 2
        dates.append((round(min(max(places[place], half), frame.width - half), 1), text))
    return dates


@register.inclusion_tag("league/_chart.html")
def running_total(played: tuple[Played]) -> dict[str, Any]:
    """Draw the sum of all sessions so far after each one, from 0 at the start, with its last value at its end."""
    values = [0, *(session.running for session in played)]
    low, high = min(values), max(values)
    description = f"The total is {signed(values[-1])}. The highest was {signed(high)}, the lowest {signed(low)}."
    return _chart("running-total", "Chart of the running total", description, partial(_draw_total, played, values))


def _draw_total(played, values, frame):
    end = signed(values[-1])
    ground, y = _axes(frame, values, room=frame.width_of(end) + 14)
    # The first point stands clear of the 0 beside it.
    left = ground["left"] + frame.font / 2
    step = (ground["right"] - left) / max(len(values) - 1, 1)
    points = [(round(left + step * place, 1), y(value)) for place, value in enumerate(values)]
    markers = [marker("circle", *points[place]) for place in evenly_spaced(len(points), MAX_TOTAL_MARKERS)]
    last_x, last_y = points[-1]
    return ground | {
        "lines": [_line(1, points, markers, end, round(last_x + 12, 1), last_y)],
        "labels": _dates(played, [x for x, _ in points[1:]], frame),
    }


# The rows of a league table: written here and not in a template, because they are most of what its page costs.

FORM_BAR, FORM_HEIGHT, MIN_FORM_BAR = 12, 32, 3


def form_bars(nets: tuple[int, ...]) -> str:
    """Draw the nets of the last sessions as bars up and down from a line, the latest at the right."""
    if not nets:
        return ""
    most = max(map(abs, nets)) or 1
    middle, width = FORM_HEIGHT / 2, (FORM_BAR + 4) * 5 - 4
    bars = []
    for place, net in enumerate(nets):
        height = max(round(middle * abs(net) / most, 1), MIN_FORM_BAR)
        kind, y = ("down", middle) if net < 0 else ("up", middle - height)
        bars.append(f'<rect class="{kind}" x="{place * (FORM_BAR + 4)}" y="{y}" width="{FORM_BAR}" height="{height}"/>')
    words = f"Last tables: {', '.join(signed(net) for net in nets)}"
    # Only figures: nothing in it needs escaping.
    return mark_safe(
        f'<svg class="form-bars" viewBox="0 0 {width} {FORM_HEIGHT}" role="img" aria-label="{words}">'
        f'{"".join(bars)}<path d="M0 {middle}h{width}"/></svg>'
    )


@register.filter
def moved(row: Standing) -> str:
    """Say how far a row of the league moved: "▲ up 2", "▼ down 1", "new", or nothing if it stayed."""
    if row.is_new:
        return "new"
    if not row.moved:
        return ""
    arrow, word = ("▲", "up") if row.moved > 0 else ("▼", "down")
    return mark_safe(f'<span aria-hidden="true">{arrow} </span><span class="moved-word">{word} </span>{abs(row.moved)}')


@register.simple_tag
def league_rows(rows: list[Standing], league: League, club: Club, season: Any = None) -> str:
    """Write rows of the table, each player's name linked to their page, for the season if there is one."""
    before, _, after = reverse("player", args=[club.slug, 0]).rpartition("0")
    after += f"?season={season.pk}" if season else ""
    # Typed text is escaped; the rest are figures.
    return mark_safe("\n".join(_row(row, league, f"{before}{row.player}{after}") for row in rows))


def _row(row: Standing, league: League, address: str) -> str:
    settings = league.table.settings
    name = f'<a href="{escape(address)}">{escape(row.name)}</a>'
    remarks = f' <span class="remark">handicap {row.given}</span>' if row.given else ""
    if row.position:
        movement = f' <span class="remark">{moved(row)}</span>' if league.has_movers else ""
        place = f'<td class="num place">{row.position_shown}{movement}</td>'
        value = f"<b>{minus(row.shown)}</b>"
    else:
        provisional = f"({row.provisional})" if row.provisional else ""
        place, value = f'<td class="num place">{provisional}</td>', minus(row.shown)
        remarks = f' <span class="remark">{escape(row.reason)}</span>{remarks}'
    # If the table is ranked by the total, it is the value.
    without_hands = league.table.without_hands.get(row.player)
    net = row.net + (without_hands.net if without_hands else 0)
    total = "" if league.is_total else f'<td class="num" data-label="Total">{signed(net)}</td>'
    now = f'<td class="num" data-label="Now">{row.own_position or "–"}</td>' if league.is_what_if else ""
    return (
        f'<tr>{place}<th scope="row">{name}{remarks}</th><td class="num value">{value}</td>{now}'
        f'<td class="num" data-label="{settings.units}">{row.sessions}</td>'
        f'<td class="num" data-label="Hands">{known(row.hands)}</td>'
        f'<td class="num" data-label="Won">{known(row.won)}</td>'
        f"{total}"
        f'<td class="num" data-label="Best {settings.unit}">{signed(row.best_session)}</td>'
        f'<td data-label="Last five">{form_bars(row.form)}</td></tr>'
    )
