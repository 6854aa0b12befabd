"""Charts drawn by the server as SVG: few lines, each with its own dash, marker and colour, and its name at its end."""

from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import pairwise
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import mark_safe

from sessions_app.league.player_page import Played
from sessions_app.league.season_pictures import Attended, Runner
from sessions_app.league.standings import League, Row
from sessions_app.models import Club
from sessions_app.table.meeting_result import PlayerSum
from sessions_app.table.watching import RunningTotals
from sessions_app.web.tags import known, minus, signed, whole

register = template.Library()
STEPS = (1, 2, 5)
MARKERS = ("circle", "square", "triangle", "diamond", "cross")
LETTER = 0.56
MAX_CHART_MARKERS = 8
MAX_NAMES = 6
RACE_DATES = {"narrow": 3, "wide": 6}


@dataclass(frozen=True)
class Frame:
    """A size of the drawing in its own units; letters keep their size on the screen it is made for."""

    key: str
    width: int
    height: int
    font: int
    letters: int


NARROW = Frame("narrow", 340, 290, 18, 9)
CHARTS_WIDE = Frame("wide", 900, 340, 24, 14)


@register.inclusion_tag("league/_running_chart.html")
def running_chart(totals: RunningTotals, chart_id: str) -> dict[str, str | list[dict[str, Any]]]:
    """Draw running totals twice, for a narrow and for a wide place; the page's CSS shows one of them."""
    return {
        "chart_id": chart_id,
        "title": "Chart of the balances after every hand",
        "description": _describe(totals),
        "charts": [_draw_balances(totals, frame) for frame in (NARROW, CHARTS_WIDE)],
    }


def _describe(totals: RunningTotals) -> str:
    """Describe the chart for people who cannot see it."""
    now = ", ".join(f"{name} {whole(values[-1])}" for name, values in totals.lines)
    hands = totals.labels[-1]
    return f"At the start: {now}." if hands == "Start" else f"After {_point_name(hands)}: {now}."


def _point_name(label):
    return f"hand {label}" if label.isdecimal() else "a penalty"


def _draw_balances(totals, frame):
    ticks = nice_ticks([value for _, values in totals.lines for value in values])
    left = frame.font * LETTER * max(len(whole(tick)) for tick in ticks) + 8
    right = _right_of_lines(totals.lines, frame) if len(totals.labels) > 1 else left
    top, bottom = frame.font * 0.7, frame.height - frame.font * 1.8

    def y(value):
        return round(bottom - (bottom - top) * (value - ticks[0]) / (ticks[-1] - ticks[0]), 1)

    ground = {"left": round(left, 1), "ticks": [(y(tick), whole(tick)) for tick in ticks]}
    return ground | _line_chart(totals.lines, totals.labels, frame, MAX_NAMES, (left, right), (top, bottom), y)


@register.inclusion_tag("league/_running_chart.html")
def race_chart(runners: list[Runner], days: list[date], chart_id: str) -> dict[str, Any]:
    """Draw the positions of a few players after each day, the first at the top; a line begins where one is ranked."""
    last = ", ".join(f"{one.name} {one.positions[-1] or 'not ranked'}" for one in runners)
    return {
        "chart_id": chart_id,
        "title": "Chart of the positions after each meeting",
        "description": f"After {days[-1]:%-d %B %Y}: {last}.",
        "charts": [_draw_positions(runners, days, frame) for frame in (NARROW, CHARTS_WIDE)],
    }


def _draw_positions(runners, days, frame):
    lines = [(runner.name, runner.positions) for runner in runners]
    labels = [f"{day:%-d %b}" for day in days]
    lowest = max([position for _, positions in lines for position in positions if position], default=1)
    left, right = frame.font * 2, _right_of_lines(lines, frame)
    top, bottom = frame.font, frame.height - frame.font * 2.2

    def y(position):
        return round(top + (bottom - top) * (position - 1) / max(lowest - 1, 1), 1)

    ticks = range(1, lowest + 1, max(lowest // 8, 1))
    ground = {"left": left, "ticks": [(y(tick), str(tick)) for tick in ticks]}
    max_labels = RACE_DATES[frame.key]
    return ground | _line_chart(lines, labels, frame, max_labels, (left + 12, right), (top, bottom), y)


def _right_of_lines(lines, frame):
    """Return where the lines must end to leave room for their names."""
    longest = max((len(_cut(name, frame.letters)) for name, _ in lines), default=0)
    return frame.width - frame.font * LETTER * longest - 36


def _line_chart(lines, labels, frame, max_labels, across, down, y):
    """Return what the template needs to draw lines with their names at the right and labels below.

    `lines` are names with one value for each label, None where the line has no point; `across` and `down` are the
    left and right and the top and bottom of the lines, and `y` gives the height of a value.
    """
    (left, right), last = across, len(labels) - 1

    def x(place):
        return round(left + (right - left) * place / max(last, 1), 1)

    paths = [[(x(place), y(value)) for place, value in enumerate(values) if value is not None] for _, values in lines]
    ends = spread([points[-1][1] for points in paths], frame.font * 1.1, *down)
    drawn = []
    for number, ((name, _), points, end) in enumerate(zip(lines, paths, ends, strict=True)):
        shape = MARKERS[number % len(MARKERS)]
        drawn.append(
            {
                "number": number % len(MARKERS) + 1,
                "path": " ".join(f"{point_x},{point_y}" for point_x, point_y in points),
                "markers": [marker(shape, *points[place]) for place in chosen(len(points), MAX_CHART_MARKERS)],
                "own_marker": marker(shape, right + 20, end),
                "name": _cut(name, frame.letters),
                "name_y": end,
            }
        )
    return {
        "frame": frame,
        "right": x(last),
        "foot": round(frame.height - frame.font * 0.35, 1),
        "label_x": round(right + 32, 1),
        "points": [(x(place), labels[place]) for place in chosen(len(labels), max_labels)],
        "lines": drawn,
    }


@register.inclusion_tag("league/_form_chart.html")
def attendance_bars(attended: list[Attended], chart_id: str) -> dict[str, Any]:
    """Draw how many people played at each meeting, the most and the fewest with their number."""
    last = attended[-MAX_BARS:]
    return {
        "chart_id": chart_id,
        "title": "Chart of how many people came to each meeting",
        "description": f"{', '.join(f'{one.people} on {one.date:%-d %B %Y}' for one in last)}.",
        "charts": [
            _bars([one.people for one in last], frame, partial(_dates, last, frame=frame), whole)
            for frame in (NARROW, FORM_WIDE)
        ],
    }


def nice_ticks(values: list[int]) -> list[int]:
    """Return three to six round numbers, a round step apart, the lowest and highest of which hold all values."""
    low, high = min(values, default=0), max(values, default=0)
    if low == high:
        low, high = low - 100, high + 100
    step = next(size * 10**power for power in range(12) for size in STEPS if (high - low) <= 4 * size * 10**power)
    return [number * step for number in range(low // step, -(-high // step) + 1)]


def chosen(number: int, most: int) -> list[int]:
    """Return at most so many places of a row, evenly, always with the last one."""
    every = -(-number // most)
    return [place for place in range(number) if (number - 1 - place) % every == 0]


def spread(heights: list[float], gap: float, top: float, bottom: float) -> list[float]:
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


def marker(shape: str, x: float, y: float) -> str:
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


BAR, BARS_HEIGHT, CHARTS_LEAST_BAR = 12, 32, 3


def form_bars(nets: tuple[int]) -> str:
    """Draw the nets of the last sessions as bars up and down from a line, the latest at the right."""
    if not nets:
        return ""
    most = max(map(abs, nets)) or 1
    middle, width = BARS_HEIGHT / 2, (BAR + 4) * 5 - 4
    bars = []
    for place, net in enumerate(nets):
        height = max(round((middle - 2) * abs(net) / most, 1), CHARTS_LEAST_BAR)
        kind, y = ("down", middle) if net < 0 else ("up", middle - height)
        bars.append(f'<rect class="{kind}" x="{place * (BAR + 4)}" y="{y}" width="{BAR}" height="{height}"/>')
    words = f"Last sessions: {', '.join(signed(net) for net in nets)}"
    # Nothing but figures of our own: a league draws one for each of its rows.
    return mark_safe(  # noqa: S308
        f'<svg class="form-bars" viewBox="0 0 {width} {BARS_HEIGHT}" role="img" aria-label="{words}">'
        f'{"".join(bars)}<path d="M0 {middle}h{width}"/></svg>'
    )


@register.filter
def moved(row: Any) -> Any:
    """Say how far a row of the league moved: "▲ up 2", "▼ down 1", "new", or nothing where it stayed."""
    if row.is_new:
        return "new"
    if not row.moved:
        return ""
    arrow, word = ("▲", "up") if row.moved > 0 else ("▼", "down")
    words = f'<span aria-hidden="true">{arrow} </span><span class="moved-word">{word} </span>{abs(row.moved)}'
    return mark_safe(words)  # noqa: S308 - a number


# A player's form drawn by the server: the net of each session as bars, and the running total as a line.

# Two charts stand side by side where there is room: half as wide as one alone.
FORM_WIDE = Frame("wide", 460, 300, 19, 14)
MAX_BARS = 20
MAX_DATES = {"narrow": 3, "wide": 4}
MAX_FORM_MARKERS = 24
GAP = 0.3  # of a bar's place is left free
FORM_LEAST_BAR = 2


@register.inclusion_tag("league/_form_chart.html")
def session_bars(played: tuple[Played]) -> dict[str, str | list[dict[str, Any]]]:
    """Draw what the last sessions brought, gains up and losses down from the line, best and worst with their figure."""
    last = played[-MAX_BARS:]
    nets = [one.result.net for one in last]
    nets_by_day = ", ".join(f"{signed(one.result.net)} on {one.date:%-d %B %Y}" for one in last)
    return {
        "chart_id": "session-bars",
        "title": f"Chart of what the last {len(last)} sessions brought" if len(last) > 1 else "Chart of the session",
        "description": f"{nets_by_day}.",
        "charts": [_bars(nets, frame, partial(_dates, last, frame=frame)) for frame in (NARROW, FORM_WIDE)],
    }


@register.inclusion_tag("league/_form_chart.html")
def meeting_bars(rows: tuple[PlayerSum, ...], chart_id: str) -> dict[str, Any]:
    """Draw what each player won or lost at a meeting, the highest first, with their positions under the bars."""
    nets = [row.net for row in rows]

    def positions(places):
        return [(round(places[number], 1), rows[number].position_shown) for number in chosen(len(rows), MAX_NAMES)]

    return {
        "chart_id": chart_id,
        "title": "Chart of what each player won or lost",
        "description": f"{', '.join(f'{row.name} {signed(row.net)}' for row in rows)}.",
        "charts": [_bars(nets, frame, positions) for frame in (NARROW, FORM_WIDE)],
    }


@register.inclusion_tag("league/_form_chart.html")
def running_total(played: tuple[Played]) -> dict[str, str | list[dict[str, Any]]]:
    """Draw the sum of all sessions until each one, from nothing at the start, its last value at its end."""
    values = [0, *(one.running for one in played)]
    low, high = min(values), max(values)
    return {
        "chart_id": "running-total",
        "title": "Chart of the running total",
        "description": f"The total is {signed(values[-1])}. The highest was {signed(high)}, the lowest {signed(low)}.",
        "charts": [_line(played, values, frame) for frame in (NARROW, FORM_WIDE)],
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


def _bars(nets, frame, labels, write=signed):
    """Draw bars; `labels` gives what is written under them by the places of their middles, `write` their figures."""
    ground, y = _axes(frame, nets)
    step = (ground["right"] - ground["left"]) / max(len(nets), 4)
    bars = []
    for place, net in enumerate(nets):
        height = max(abs(y(net) - ground["zero"]), FORM_LEAST_BAR)
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
        "figures": _best_and_worst(nets, bars, frame, write),
        "dates": labels([bar["x"] + bar["width"] / 2 for bar in bars]),
    }


def _best_and_worst(nets, bars, frame, write):
    """Write the highest and the lowest net at their bars, kept within the drawing."""
    places = {nets.index(max(nets)), nets.index(min(nets))}
    for place in sorted(places):
        words, bar = write(nets[place]), bars[place]
        half = len(words) * frame.font * LETTER / 2
        x = min(max(bar["x"] + bar["width"] / 2, bars[0]["x"] + half), frame.width - half)
        beneath = bar["kind"] == "down"
        yield round(x, 1), round(bar["y"] + bar["height"] + frame.font if beneath else bar["y"] - 5, 1), words


def _line(played, values, frame):
    end = signed(values[-1])
    ground, y = _axes(frame, values, room=frame.font * LETTER * len(end) + 14)
    step = (ground["right"] - ground["left"]) / max(len(values) - 1, 1)
    points = [(round(ground["left"] + step * place, 1), y(value)) for place, value in enumerate(values)]
    return ground | {
        "path": " ".join(f"{across},{height}" for across, height in points),
        "markers": [marker("circle", *points[place]) for place in chosen(len(points), MAX_FORM_MARKERS)],
        "end": (round(points[-1][0] + 12, 1), points[-1][1], end),
        "dates": _dates(played, [across for across, _ in points[1:]], frame),
    }


def _dates(played, places, frame):
    """Return the dates written under a chart, the outer ones kept within it."""
    is_one_year = played[0].date.year == played[-1].date.year
    words = "{:%-d %b}" if is_one_year else "{:%b %Y}"
    dates = []
    for place in chosen(len(played), MAX_DATES[frame.key] - (not is_one_year)):
        text = words.format(played[place].date)
        half = len(text) * frame.font * LETTER / 2
        dates.append((round(min(max(places[place], half), frame.width - half), 1), text))
    return dates


# The rows of a league table: written here and not in a template, because they are most of what its page costs.

STILL_PLAYING = '<span class="remark">still playing</span>'


@register.simple_tag
def league_rows(rows: list[Row], league: League, club: Club, season: Any = None) -> str:
    """Write rows of the table, each player's name leading to the page of the season where there is one."""
    before, _, after = reverse("player", args=[club.slug, 0]).rpartition("0")
    after += f"?season={season.pk}" if season else ""
    # Typed text is escaped; the rest are figures.
    return mark_safe("\n".join(_row(row, league, f"{before}{row.standing.player}{after}") for row in rows))  # noqa: S308


def _row(row, league, address):
    one, settings = row.standing, league.table.settings
    name = f'<a href="{escape(address)}">{escape(one.name)}</a>'
    still = f' <span class="remark">handicap {row.given}</span>' if row.given else ""
    still += STILL_PLAYING if one.still_playing else ""
    if one.position:
        movement = f' <span class="remark">{moved(row)}</span>' if league.has_movers else ""
        place = f'<td class="num place">{one.position_shown}{movement}</td>'
        value = f"<b>{minus(one.shown)}</b>"
    else:
        provisional = f"({row.provisional})" if row.provisional else ""
        place, value = f'<td class="num place">{provisional}</td>', minus(one.shown)
        still = f' <span class="remark">{escape(one.reason)}</span>{still}'
    # Ranked by the total, it is the value.
    total = "" if league.is_total else f'<td class="num" data-label="Total">{signed(one.net)}</td>'
    now = f'<td class="num" data-label="Now">{row.own_position or "–"}</td>' if league.is_what_if else ""
    return (
        f'<tr>{place}<th scope="row">{name}{still}</th><td class="num value">{value}</td>{now}'
        f'<td class="num" data-label="{settings.units}">{one.sessions}</td>'
        f'<td class="num" data-label="Hands">{known(one.hands)}</td>'
        f'<td class="num" data-label="Won">{known(one.won)}</td>'
        f"{total}"
        f'<td class="num" data-label="Best {settings.unit}">{signed(one.best_session)}</td>'
        f'<td data-label="Last five">{form_bars(row.form)}</td></tr>'
    )
