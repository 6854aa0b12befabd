"""What a learner counted held against the right count: whether it is right, and where the two part."""

from dataclasses import dataclass

from clubscore.scoring import RULE_SETS, ScoringError, score_hand_played, tiles
from clubscore.scoring.words import in_words
from sessions_app.learning import POINTS
from sessions_app.practice_hands import tiles_of
from sessions_app.queries.drawn_hands import unit_of, worth

FIGURES = ("points", "doubles", "total")
UNITS = {"points": "points", "doubles": "doubles"}


@dataclass(frozen=True)
class Verdict:
    """Whether the count is right, and sentences on each figure that is not."""

    is_right: bool
    told: tuple[str, ...]


def asked_figures(dealt, stage):
    """Return the figures that are asked of a hand at a stage, the needed one last."""
    if RULE_SETS[dealt.played["rules"]].doubling != "doubles":
        return ("total",)
    if stage == POINTS:
        return ("points",)
    return ("points", "doubles", "total")


def verdict(dealt, stage, counted):
    """Hold the figures counted (by name, None where nothing was said) against the right ones."""
    asked = asked_figures(dealt, stage)
    right = {name: dealt.scored[name] for name in FIGURES}
    said = [name for name in asked if counted.get(name) is not None]
    wrong = [name for name in said if right[name] is not None and counted[name] != right[name]]
    needed = asked[-1]
    told = [_told(dealt, name, counted[name], right[name]) for name in wrong]
    if wrong == ["total"] and len(said) == len(FIGURES) and right["points"] is not None:
        told = [_multiplied(dealt, counted["total"])]
    if needed not in said:
        told.append(f"The {needed} {'are' if needed == 'points' else 'is'} missing: {right[needed]:,}.")
    return Verdict(not wrong and needed in said, tuple(told))


def _told(dealt, name, counted, right):
    """Say how far a figure is off, and the one slip that would explain it, if there is one."""
    off = counted - right
    more = f"{abs(off):,} too {'many' if off > 0 else 'few'}" if name != "total" else ""
    said = f"{name.capitalize()}: you have {counted:,}, it is {right:,}{f' ({more})' if more else ''}."
    slip = slip_of(dealt, name, counted)
    return f"{said} {slip}" if slip else said


def _multiplied(dealt, counted):
    points, times = dealt.scored["points"], dealt.scored["times"]
    steps = [points * 2**doubles for doubles in range(dealt.scored["doubles"] + 1)]
    doubling = ", ".join(f"{step:,}" for step in steps)
    limit = f" The limit cuts it to {dealt.scored['total']:,}." if dealt.scored["limited"] else ""
    trebled = "" if steps[-1] == points * times else f", and trebled {points * times:,}"
    return f"Points and doubles are right, but not the total: {doubling}{trebled}, not {counted:,}.{limit}"


# One slip that would explain the difference


def slip_of(dealt, name, counted):
    """Say which single slip leads to the figure that was counted; nothing where none does."""
    return _line_slip(dealt, name, counted) or _variant_slip(dealt, name, counted)


def _line_slip(dealt, name, counted):
    """A line that was left out, or counted twice."""
    unit = UNITS.get(name, "points")
    lines = [line for line in dealt.scored["lines"] if unit_of(line) == unit]
    if name == "total" and dealt.scored["doubles"]:
        return ""
    for line in lines:
        amount = line[unit] * line.get("count", 1)
        if amount and dealt.scored[name] - counted == amount:
            return f"Was this left out? {_named(dealt, line)}."
    for line in lines:
        if line[unit] and counted - dealt.scored[name] == line[unit]:
            return f"Was this counted twice? {_named(dealt, line)}."
    return ""


def _named(dealt, line):
    words = RULE_SETS[dealt.played["rules"]].vocabulary()
    return f"{in_words(words, line['name'])}, {worth(line)}"


def _variant_slip(dealt, name, counted):
    """A hand that differs in one thing, and whose figure is the one that was counted."""
    words = RULE_SETS[dealt.played["rules"]].vocabulary()
    for sentence, played in _variants(dealt):
        try:
            figure = score_hand_played(played)["hands"][dealt.seat][name]
        except ScoringError:
            continue
        if figure == counted:
            return in_words(words, f"That would be right {sentence}.")
    return ""


def _variants(dealt):
    """Yield the mistakes people make: exposed for concealed, drawn for claimed, flowers forgotten."""
    form, win = dealt.form, dealt.win
    for at, text in enumerate(form.get("sets", ())):
        word, *rest = text.split()
        other = {"exposed": "concealed", "concealed": "exposed"}.get(word)
        if other:
            sets = [*form["sets"][:at], " ".join([other, *rest]), *form["sets"][at + 1 :]]
            yield f"if {_set_named(text)} were {other}", _with_form(dealt, {**form, "sets": sets})
    if win and win.get("from"):
        claimed = win["from"] not in ("wall", "kong box")
        another = "S" if dealt.seat == "E" else "E"
        source, how = ("wall", "drawn from the wall") if claimed else (another, "claimed from a discard")
        yield f"if the winning tile had been {how}", {**dealt.played, "mahjong": {**_plain(win), "from": source}}
    if form.get("bonus"):
        yield "if the flowers and seasons did not count", _with_form(dealt, {**form, "bonus": ""})


def _plain(win):
    return {key: win[key] for key in ("by", "tile") if key in win}


def _with_form(dealt, form):
    return {**dealt.played, "hands": {**dealt.played["hands"], dealt.seat: form}}


def _set_named(text):
    kind = text.split()[1]
    code = tiles_of(text)[0]
    return f"the {kind} of {tiles.tiles_name(code)}" if kind != "chow" else f"the chow from {tiles.tile_name(code)}"
