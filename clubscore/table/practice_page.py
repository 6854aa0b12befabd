"""The page of practice, as the server and the tablet draw it: a hand, the question what it scores, and the answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clubscore.scoring import RULE_SETS
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import Vocabulary, in_words, whole
from clubscore.table.drawn_hands import drawn_tiles, tile_groups, tile_names, winning_words, with_winning_tile
from clubscore.table.hand_worth import lines_in, query
from clubscore.table.markup import Html, html, html_each, html_if, join
from clubscore.table.practice import (
    BY_KEY,
    EVERYTHING,
    MAX_SEED,
    STAGES,
    Counted,
    Dealt,
    Stage,
    Verdict,
    asked_figures,
    deal,
    read_counted,
    staged,
    verdict,
)
from clubscore.table.table_words import sum_words
from clubscore.table.worth_page import rule_address, rule_lines


@dataclass(frozen=True)
class Exercise:
    """What is practised: the key of the rules, a learner's stage, and the number of the hand; 0 where none is known."""

    rules: str
    stage: Stage
    number: int

    def query(self, number: int = 0) -> str:
        """Write it as the query of an address, or another hand like it."""
        hand = str(number or self.number)
        return query([("rules", self.rules), ("stage", self.stage.key), ("hand", hand)])


def exercise_in(asked: Mapping[str, str], usual: str) -> Exercise:
    """Read an exercise from the fields of an address, each of which may be missing; `usual` is the device's stage."""
    rules, number = asked.get("rules", ""), asked.get("hand", "").strip()
    is_number = number.isascii() and number.isdecimal() and len(number) <= len(str(MAX_SEED))
    return Exercise(
        rules if rules in RULE_SETS else list(RULE_SETS)[0],
        BY_KEY.get(asked.get("stage", "")) or BY_KEY[usual],
        int(number) if is_number and int(number) <= MAX_SEED else 0,
    )


def practice_page(
    exercise: Exercise, typed: Mapping[str, str], another: int, look: Mapping[str, Any]
) -> tuple[Html, bool]:
    """Draw a hand to practise, and what is wrong with the count that was typed; also whether it is no count.

    `another` is the number of the next hand. `look` is what the page knows besides: its address as others see it,
    `practice`; the `page` that is looked at; where `rules` stand, with KEY for which; and the tiles' `sprite`.
    """
    rule_set, stage = RULE_SETS[exercise.rules], exercise.stage
    words = rule_set.vocabulary()
    dealt = deal(exercise.rules, exercise.number, special=stage == EVERYTHING)
    counted = read_counted(typed, asked_figures(dealt, stage))
    found = verdict(dealt, stage, counted.figures) if counted.is_said and not counted.errors else None
    return html(
        '{}<div class="page-head"><div><h1>What does this hand score?</h1><p class="lead">{}{}</p></div></div>'
        '<div class="held practice-hand">{}</div><div class="practice-columns">{}{}</div>{}',
        html_if(counted.errors, *problems(counted)),
        in_words(words, how(dealt)),
        html_if(dealt.win, " The winning tile is framed."),
        groups(dealt, words, look["sprite"]),
        question(exercise, counted, found, another),
        answer(exercise, dealt, found, look) if found or "show" in typed else "",
        choices(exercise, f"{look['practice']}?{exercise.query()}"),
    ), bool(counted.errors)


def problems(counted: Counted) -> tuple[str, Html]:
    return (
        '<div class="error-summary" role="alert" tabindex="-1" id="error-summary"><h2>There is a problem</h2>'
        "<ul>{}</ul></div>",
        html_each('<li><a href="#count-{}">{}</a></li>', counted.errors.items()),
    )


def how(dealt: Dealt) -> str:
    """Return who sits where and how the hand was won: what the learner needs besides the tiles."""
    own = f"You are {WIND_NAMES[dealt.seat]}"
    if RULE_SETS[dealt.played["rules"]].has_round_wind:
        own += f"; {WIND_NAMES[dealt.played['wind_of_round']]} is the wind of the round"
    if not dealt.win:
        return f"{own}. Someone else went Mah-jong."
    return f"{own}. You go Mah-jong {', '.join(winning_words(dealt.win, WIND_NAMES))}."


def groups(dealt: Dealt, words: Vocabulary, sprite: str) -> Html:
    names, found = tile_names(words), with_winning_tile(tile_groups(dealt.form, words), dealt.form, dealt.win or {})
    return html_each('<span class="group">{}</span>', [
        [drawn_tiles(one.tiles, names, sprite, one.words, marked=one.marked, mark="the winning tile")] for one in found
    ])  # fmt: skip


def question(exercise: Exercise, counted: Counted, found: Verdict | None, another: int) -> Html:
    """Draw the form that asks for the count; after a right one the next hand is the main thing."""
    is_right = found is not None and found.is_right
    needed = list(counted.typed)[-1]
    return html(
        '<form class="practice-form" method="get" novalidate>{}<div class="practice-fields">{}</div>'
        '<div class="actions"><button{} type="submit">Check my answer</button> '
        '<button type="submit" name="show" value="1">Show the answer</button> '
        '<a class="{}" href="?{}">Next hand</a></div>'
        '<p class="state-line" id="practice-tally" role="status" hidden></p></form>',
        html_each('<input type="hidden" name="{}" value="{}">', [
            ("rules", exercise.rules), ("stage", exercise.stage.key), ("hand", exercise.number)
        ]),
        join(figure(name, counted, name == needed) for name in counted.typed),
        html_if(not is_right, ' class="button-main"'),
        "button-main" if is_right else "button-quiet",
        exercise.query(another),
    )  # fmt: skip


def figure(name: str, counted: Counted, is_needed: bool) -> Html:
    """Draw one figure of the count, as it was typed."""
    error = counted.errors.get(name)
    return html(
        '<div class="field"><label for="count-{}">{}{}</label>{}<input id="count-{}" name="{}" inputmode="numeric" '
        'autocomplete="off" value="{}"{}></div>',
        name,
        name.capitalize(),
        html_if(not is_needed, ' <span class="hint">(optional)</span>'),
        html_if(error, '<span class="field-error" id="error-{}">{}</span>', name, error),
        name,
        name,
        counted.typed[name],
        html_if(error, ' aria-invalid="true" aria-describedby="error-{}"', name),
    )


def answer(exercise: Exercise, dealt: Dealt, found: Verdict | None, look: Mapping[str, Any]) -> Html:
    """Draw what is wrong with a count, or nothing of it where only the answer was asked for; and the right one."""
    rule_set, scored = RULE_SETS[exercise.rules], dealt.scored
    lines = staged(lines_in(rule_set.vocabulary(), scored["lines"]), exercise.stage)
    special = [row.name for row in rule_set.special_hands if row.key == scored["special"]]
    worked = sum_words(*(scored[key] for key in ("points", "doubles", "times", "total", "limited")))
    return html(
        '<section class="panel" aria-labelledby="verdict">{}{}{}<p class="sum">{}Total: <b>{}</b></p></section>',
        told(exercise, found) if found else html('<h2 id="verdict" tabindex="-1">How it is scored</h2>'),
        html_each("<p><b>{}</b>, a special hand.</p>", [special] if special else []),
        rule_lines(
            lines.shown,
            lines.rest,
            exercise.stage.rest,
            "",
            lambda rule, at: rule_address(exercise.rules, "", rule, at, look),
        ),
        html_if(worked, "{} ", worked),
        whole(scored["total"]),
    )


def told(exercise: Exercise, found: Verdict) -> Html:
    return html(
        '<h2 id="verdict" tabindex="-1" data-hand="{}/{}/{}" data-right="{}">{}</h2>{}',
        exercise.rules,
        exercise.stage.key,
        exercise.number,
        "yes" if found.is_right else "no",
        html('<span class="receives">✓ Right</span>' if found.is_right else '<span class="pays">Not quite</span>'),
        html_if(
            found.sentences,
            '<ul class="verdict-sentences">{}</ul>',
            html_each("<li>{}</li>", [[sentence] for sentence in found.sentences]),
        ),
    )


def choices(exercise: Exercise, shared: str) -> Html:
    """Draw what else may be practised."""
    return html(
        '<section class="practice-choices" aria-labelledby="what-to-practise">'
        '<h2 id="what-to-practise">What to practise</h2><form method="get" class="plain-fields">'
        '<label>Rules <select name="rules">{}</select></label> <label>Stage <select name="stage">{}</select></label> '
        '<button type="submit">Deal a hand</button></form>'
        '<p class="hint">Hand {}. To share it: <a href="{}">{}</a></p></section>',
        options(RULE_SETS.values(), exercise.rules),
        options(STAGES, exercise.stage.key),
        exercise.number,
        shared,
        shared,
    )


def options(rows: Any, chosen: str) -> Html:
    return html_each('<option value="{}"{}>{}</option>', [
        (row.key, html_if(row.key == chosen, " selected"), row.name) for row in rows
    ])  # fmt: skip
